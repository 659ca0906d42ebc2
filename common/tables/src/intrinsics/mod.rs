//! HLSL's intrinsic functions and methods: one row per overload pattern, grouped by family in the files of
//! this folder. Semantic analysis reads the signature, the shader model, the stages and the [checks](Intrinsic::checks);
//! constant evaluation and lowering read [`Intrinsic::lowers`]. No other crate compares the name of an intrinsic:
//! what distinguishes one is a column here.
//!
//! A signature consists of [`Pat`]terns (see [`pattern`]): `max(numeric<> a, $type1 b) -> $type1` is
//! `free("max", "a b", &[i(NUMERIC), i(T0)], T0, …)`, where `T0` means "the type of parameter 0".
//! Object types that have methods, and what kind of resource each of them is, are the rows of [`objects`].

pub mod about;
pub mod atomics;
pub mod coverage;
pub mod expand;
pub mod find;
pub mod geometry;
pub mod hit_objects;
pub mod linalg;
pub mod math;
pub mod mesh;
pub mod objects;
pub mod pattern;
pub mod pixel;
pub mod queries;
pub mod raytracing;
pub mod resources;
pub mod spellings;
pub mod tessellation;
pub mod textures;
pub mod vulkan;
pub mod wave;

use crate::insts::{Effects, Opcode};
use crate::stages::StageMask;

pub use coverage::Target;
pub use expand::{EdgeFactors, Expander, FactorOp};
pub use find::{exists, find};
pub use objects::{OBJECTS, Object, ObjectInfo};
pub use pattern::{Class, Dim, Mode, Param, Pat, Shape};

/// The namespace or type that declares an intrinsic.
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

/// How a call is lowered to the IR.
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
    /// One instruction without operands whose immediate is argument 0, a constant (see [`Check::OneOf`]).
    Immediate(Opcode),
    /// A function of the lowering, one for each variant.
    Expand(Expander),
}

/// A rule for the arguments of a call that the signature cannot express. Semantic analysis has one function for each variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// The type of the last argument can be a ray payload.
    Payload,
    /// The type of the last argument can be a callable parameter.
    CallableParameter,
    /// The type of the last argument can be hit attributes.
    Attributes,
    /// The type of the result can be hit attributes.
    ReturnsAttributes,
    /// Argument 1 has ray flags. If it is a constant, flags that exclude each other or that the shader model lacks are reported.
    RayFlags,
    /// As `RayFlags`, joined with the flags of the `RayQuery` type that the method is called on.
    RayQueryFlags,
    /// The last argument is a groupshared variable whose type can be what an amplification shader passes to mesh shaders.
    MeshPayload,
    /// The value that is read or written has no resources, ray queries or hit objects in it.
    PlainData,
    /// Arguments 0 and 1 are constants: memory types and semantics of a barrier. They decide in which stages the call is legal.
    MemoryBarrier,
    /// Argument 1 is a constant: semantics of a barrier. It decides in which stages the call is legal.
    ResourceBarrier,
    /// The argument with this number is a constant, and one of these values (given with their names).
    OneOf(u8, &'static [(&'static str, u32)]),
    /// The argument with this number is a constant power of two: an alignment.
    Alignment(u8),
}

/// One overload pattern of an intrinsic.
#[derive(Clone, Copy, Debug)]
pub struct Intrinsic {
    /// The namespace or type that declares it.
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
    /// The stages in which a call is legal. A library function that is no entry point may call it; the stages of its callers decide.
    pub stages: StageMask,
    /// How a call is lowered.
    pub lowers: Lower,
    /// Rules beyond the signature.
    pub checks: &'static [Check],
    /// Whether the method changes its object, which must be an l-value then.
    pub mutates_object: bool,
    /// Whether the call never returns: it ends the shader.
    pub ends_shader: bool,
    /// Whether a call with constant arguments is a constant expression. Its opcode must be exact on every device.
    pub constexpr: bool,
    /// The alternative that does not take derivatives between threads, if this one does.
    pub without_derivatives: Option<&'static str>,
    /// The present name, if this row is an older spelling.
    pub newer_name: Option<&'static str>,
    /// A target that cannot express the call, and why.
    pub missing: Option<(Target, &'static str)>,
}

impl Intrinsic {
    /// Whether a call does nothing but compute or read its result. Operations of waves count as doing more, as in the reference compiler.
    pub fn only_computes(&self) -> bool {
        if self.mutates_object || self.ends_shader || self.ret == Pat::Void || self.params.iter().any(|p| p.mode != Mode::In) {
            return false;
        }
        let reads = Effects::READS_MEM | Effects::READS_VAR | Effects::READS_PLACEMENT;
        let pure = |op: Opcode| (op.effects() - reads).is_empty();
        let of_object = match self.scope {
            Scope::Method(o) => !matches!(o, Object::RayQuery | Object::HitObject),
            Scope::Static(_) => false,
            Scope::Free | Scope::Dx | Scope::Vk => true,
        };
        of_object
            && match (self.lowers, self.scope) {
                (Lower::Op(op) | Lower::Immediate(op), _) => pure(op),
                (Lower::ByClass { float, signed, unsigned }, _) => [float, signed, unsigned].into_iter().all(pure),
                (Lower::Expand(_), Scope::Method(_)) => ["Load", "Sample", "Gather", "Calculate"].iter().any(|n| self.name.starts_with(n)),
                // Functions of mathematics have names without capitals.
                (Lower::Expand(_), Scope::Free) => {
                    self.name.starts_with(|c: char| c.is_ascii_lowercase()) && !matches!(self.name, "printf" | "abort" | "errorf")
                }
                _ => false,
            }
    }

    /// A row with the columns that every row has. The others have their defaults: no checks, every shader model, every target.
    pub const fn new(
        scope: Scope,
        name: &'static str,
        param_names: &'static str,
        params: &'static [Param],
        ret: Pat,
        stages: StageMask,
        lowers: Lower,
    ) -> Intrinsic {
        Intrinsic {
            scope,
            name,
            param_names,
            params,
            ret,
            shader_model: 0,
            stages,
            lowers,
            checks: &[],
            mutates_object: false,
            ends_shader: false,
            constexpr: false,
            without_derivatives: None,
            newer_name: None,
            missing: None,
        }
    }
    /// Whether it takes derivatives between threads. Those of exported functions are for their callers, of any model, to allow.
    pub fn takes_derivatives(&self) -> bool {
        self.stages == StageMask::QUADS.with_library() && self.shader_model == 6
    }
    /// The same row for shader models 6.`minor` and up.
    pub const fn sm(mut self, minor: u8) -> Intrinsic {
        self.shader_model = minor;
        self
    }
    /// The same row for these stages only.
    pub const fn stages(mut self, stages: StageMask) -> Intrinsic {
        self.stages = stages;
        self
    }
    /// The same row with rules beyond the signature.
    pub const fn checks(mut self, checks: &'static [Check]) -> Intrinsic {
        self.checks = checks;
        self
    }
    /// The same row as a method that changes its object.
    pub const fn mutates_object(mut self) -> Intrinsic {
        self.mutates_object = true;
        self
    }
    /// The same row as a function that ends the shader.
    pub const fn ends_shader(mut self) -> Intrinsic {
        self.ends_shader = true;
        self
    }
    /// The same row as a function that constant expressions may call.
    pub const fn constexpr(mut self) -> Intrinsic {
        self.constexpr = true;
        self
    }
    /// The same row as a function that takes derivatives, with the alternative that does not.
    pub const fn without_derivatives(mut self, alternative: &'static str) -> Intrinsic {
        self.without_derivatives = Some(alternative);
        self
    }
    /// The same row as the older spelling of `name`.
    pub const fn renamed(mut self, name: &'static str) -> Intrinsic {
        self.newer_name = Some(name);
        self
    }
    /// The same row as a function that `target` cannot express.
    pub const fn missing(mut self, target: Target, reason: &'static str) -> Intrinsic {
        self.missing = Some((target, reason));
        self
    }
    /// The signature as text, for candidate lists: `float_like<> lerp(float_like<> a, a b, a s)`.
    pub fn signature(&self) -> String {
        self.signature_with(|pat| pat.to_string())
    }
    /// The signature as documentation writes it: `floatNxM lerp(floatNxM a, floatNxM b, floatNxM s)`.
    pub fn readable(&self) -> String {
        self.signature_with(|pat| self.readable_type(pat))
    }
    fn signature_with(&self, show: impl Fn(Pat) -> String) -> String {
        let mut names = self.param_names.split(' ');
        let params: Vec<String> = self
            .params
            .iter()
            .map(|p| {
                let name = names.next().unwrap_or("");
                format!("{}{} {name}", p.mode.prefix(), show(p.pat))
            })
            .collect();
        format!("{} {}({})", show(self.ret), self.name, params.join(", "))
    }
    /// A pattern of this row as documentation writes the type: `floatN`, `uint2`, `intNxM`.
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
    Intrinsic::new(Scope::Free, name, param_names, params, ret, stages, lowers)
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
    Intrinsic::new(Scope::Dx, name, param_names, params, ret, stages, lowers)
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
    Intrinsic::new(Scope::Method(object), name, param_names, params, ret, StageMask::ALL, lowers)
}

/// Chooses the opcode by component type: float, signed, unsigned.
pub const fn by_class(float: Opcode, signed: Opcode, unsigned: Opcode) -> Lower {
    Lower::ByClass { float, signed, unsigned }
}

/// Every family.
pub const FAMILIES: &[&[Intrinsic]] = &[
    math::ROWS,
    mesh::ROWS,
    pixel::ROWS,
    geometry::ROWS,
    tessellation::ROWS,
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
    textures::SUBPASSES,
    wave::ROWS,
    atomics::ROWS,
    vulkan::ROWS,
    linalg::ROWS,
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
