//! HLSL's intrinsic functions and methods: one row per overload pattern, grouped by family in the files of
//! this folder. Sema reads the signature, the shader model and the stages; the lowering reads
//! [`Intrinsic::lowers`].
//!
//! A signature is made of [`Pat`]terns (see [`pattern`]): `max(numeric<> a, $type1 b) -> $type1` is
//! `free("max", "a b", &[i(NUMERIC), i(T0)], T0, …)`, where `T0` means "the type of parameter 0".
//! Object types that have methods, and what kind of resource each of them is, are the rows of [`objects`].

pub mod atomics;
pub mod coverage;
pub mod expand;
pub mod find;
pub mod hit_objects;
pub mod math;
pub mod objects;
pub mod pattern;
pub mod pixel;
pub mod queries;
pub mod raytracing;
pub mod resources;
pub mod spellings;
pub mod textures;
pub mod vulkan;
pub mod wave;

use crate::insts::Opcode;
use crate::stages::StageMask;

pub use expand::Expander;
pub use find::{exists, find};
pub use objects::{OBJECTS, Object, ObjectInfo};
pub use pattern::{Class, Dim, Mode, Param, Pat, Shape};

/// Where an intrinsic is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// A function outside any namespace.
    Free,
    /// A function in namespace `dx`.
    Dx,
    /// A function in namespace `vk`.
    Vk,
    /// A method of an object.
    Method(Object),
    /// A static method of an object type: `dx::HitObject::MakeNop()`.
    Static(Object),
}

/// What becomes of a call in the IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lower {
    /// One instruction whose operands are the arguments in order (of a method: the object first). Where
    /// the arguments are matrices, once per row.
    Op(Opcode),
    /// As `Op`, chosen by the component type of argument 0: float, signed integer, unsigned integer or boolean.
    ByClass {
        /// For floats.
        float: Opcode,
        /// For signed integers.
        signed: Opcode,
        /// For unsigned integers and booleans.
        unsigned: Opcode,
    },
    /// A function of the lowering, one for each variant.
    Expand(Expander),
}

/// One overload pattern of an intrinsic.
#[derive(Clone, Copy, Debug)]
pub struct Intrinsic {
    /// Where it is found.
    pub scope: Scope,
    /// Its name.
    pub name: &'static str,
    /// Names of its parameters, separated by blanks.
    pub param_names: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Its result.
    pub ret: Pat,
    /// Minor number of the first shader model 6 that has it.
    pub shader_model: u8,
    /// The stages in which a call is legal. A function of a library that is no entry point may call it; its callers decide.
    pub stages: StageMask,
    /// What becomes of it.
    pub lowers: Lower,
}

impl Intrinsic {
    /// The same row for shader models 6.`minor` and up.
    pub const fn sm(mut self, minor: u8) -> Intrinsic {
        self.shader_model = minor;
        self
    }
    /// What does the same without derivatives between threads, if it needs them.
    pub fn without_derivatives(&self) -> Option<&'static str> {
        Some(match self.name {
            "Sample" | "SampleBias" => "`SampleLevel` or `SampleGrad`",
            "SampleCmp" | "SampleCmpBias" => "`SampleCmpLevelZero`, `SampleCmpLevel` or `SampleCmpGrad`",
            "WriteSamplerFeedback" | "WriteSamplerFeedbackBias" => "`WriteSamplerFeedbackLevel` or `WriteSamplerFeedbackGrad`",
            "CalculateLevelOfDetail" | "CalculateLevelOfDetailUnclamped" => "a level from a ray cone or ray differentials",
            _ => return None,
        })
    }
    /// The name that it has now, if this row is an older spelling that is still found in code.
    pub fn newer_name(&self) -> Option<&'static str> {
        Some(match self.name {
            "ClusterId" => "ClusterID",
            "CandidateClusterId" => "CandidateClusterID",
            "CommittedClusterId" => "CommittedClusterID",
            "GetClusterId" => "GetClusterID",
            "TriangleObjectPosition" => "TriangleObjectPositions",
            "CandidateTriangleObjectPosition" => "CandidateTriangleObjectPositions",
            "CommittedTriangleObjectPosition" => "CommittedTriangleObjectPositions",
            _ => return None,
        })
    }
    /// The signature as text, for candidate lists: `float_like<> lerp(float_like<> a, a b, a s)`.
    pub fn signature(&self) -> String {
        let mut names = self.param_names.split(' ');
        let params: Vec<String> = self
            .params
            .iter()
            .map(|p| {
                let name = names.next().unwrap_or("");
                format!("{}{} {name}", p.mode.prefix(), p.pat)
            })
            .collect();
        format!("{} {}({})", self.ret, self.name, params.join(", "))
    }
    /// The signature as people write it: `floatNxM lerp(floatNxM a, floatNxM b, floatNxM s)`.
    pub fn readable(&self) -> String {
        let mut names = self.param_names.split(' ');
        let params: Vec<String> = self
            .params
            .iter()
            .map(|p| {
                let name = names.next().unwrap_or("");
                format!("{}{} {name}", p.mode.prefix(), self.readable_type(p.pat))
            })
            .collect();
        let ret = self.readable_type(self.ret);
        format!("{ret} {}({})", self.name, params.join(", "))
    }
    /// A pattern of this row as people write the type: `floatN`, `uint2`, `intNxM`.
    pub fn readable_type(&self, pat: Pat) -> String {
        let Pat::Num(shape, class) = pat else {
            return match pat {
                Pat::Same(n) => match self.params.get(usize::from(n)).map(|p| p.pat) {
                    Some(Pat::Same(_)) | None => pat.to_string(),
                    Some(p) => self.readable_type(p),
                },
                _ => pat.to_string(),
            };
        };
        let word = match class {
            Class::Like(n) => match self.params.get(usize::from(n)).map(|p| p.pat) {
                Some(Pat::Num(_, c)) => c.readable(),
                _ => class.readable(),
            },
            c => c.readable(),
        };
        let shape = match shape {
            Shape::Like(n) => match self.params.get(usize::from(n)).map(|p| p.pat) {
                Some(Pat::Num(s, _)) => s,
                _ => shape,
            },
            s => s,
        };
        match shape {
            Shape::Scalar | Shape::Like(_) => word.to_string(),
            Shape::Any => format!("{word}NxM"),
            Shape::Vec(Dim::N(n)) => format!("{word}{n}"),
            Shape::Vec(_) => format!("{word}N"),
            Shape::Mat(Dim::N(r), Dim::N(c)) => format!("{word}{r}x{c}"),
            Shape::Mat(..) => format!("{word}NxM"),
        }
    }
}

/// A free function legal in `stages`.
pub const fn free(
    name: &'static str,
    param_names: &'static str,
    params: &'static [Param],
    ret: Pat,
    stages: StageMask,
    lowers: Lower,
) -> Intrinsic {
    Intrinsic { scope: Scope::Free, name, param_names, params, ret, shader_model: 0, stages, lowers }
}

/// A function of namespace `dx`.
pub const fn dx(
    name: &'static str,
    param_names: &'static str,
    params: &'static [Param],
    ret: Pat,
    stages: StageMask,
    lowers: Lower,
) -> Intrinsic {
    Intrinsic { scope: Scope::Dx, name, param_names, params, ret, shader_model: 0, stages, lowers }
}

/// A method of `object`, legal in every stage.
pub const fn method(
    object: Object,
    name: &'static str,
    param_names: &'static str,
    params: &'static [Param],
    ret: Pat,
    lowers: Lower,
) -> Intrinsic {
    Intrinsic { scope: Scope::Method(object), name, param_names, params, ret, shader_model: 0, stages: StageMask::ALL, lowers }
}

/// Chooses the opcode by component type: float, signed, unsigned.
pub const fn by_class(float: Opcode, signed: Opcode, unsigned: Opcode) -> Lower {
    Lower::ByClass { float, signed, unsigned }
}

/// Every family.
pub const FAMILIES: &[&[Intrinsic]] = &[
    math::ROWS,
    pixel::ROWS,
    raytracing::ROWS,
    queries::ROWS,
    hit_objects::ROWS,
    resources::ROWS,
    textures::TEXTURE_1D,
    textures::TEXTURE_1D_CMP,
    textures::TEXTURE_1D_ARRAY,
    textures::TEXTURE_1D_ARRAY_CMP,
    textures::TEXTURE_2D,
    textures::TEXTURE_2D_CMP,
    textures::TEXTURE_2D_ARRAY,
    textures::TEXTURE_2D_ARRAY_CMP,
    textures::TEXTURE_3D,
    textures::TEXTURE_CUBE,
    textures::TEXTURE_CUBE_ARRAY,
    textures::OTHERS,
    textures::FEEDBACK,
    wave::ROWS,
    atomics::ROWS,
    vulkan::ROWS,
];

/// All rows.
pub fn all() -> impl Iterator<Item = &'static Intrinsic> {
    FAMILIES.iter().copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_names_and_back_references_fit() {
        for row in all() {
            let names = row.param_names.split(' ').filter(|n| !n.is_empty()).count();
            assert_eq!(names, row.params.len(), "{}", row.signature());
            for (at, pat) in row.params.iter().map(|p| p.pat).enumerate() {
                for back in pat.refers_to() {
                    assert!((back as usize) < row.params.len() && back as usize != at, "{}", row.signature());
                }
            }
            for back in row.ret.refers_to() {
                assert!((back as usize) < row.params.len(), "{}", row.signature());
            }
        }
    }
}
