//! Signature elements: what a shader of the graphics pipeline receives and gives, one for each semantic in the source.
//!
//! Instructions name an element and count its vectors as HLSL does, row by row of a matrix. How elements are packed into
//! registers, or which locations they have, is the matter of the targets.

use rtc_base::Span;
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Interpolation, Interpretation, Semantic, SigPoint};
use rtc_tables::vk_builtins::VkBuiltin;

use crate::Scalar;
use crate::inline::Decoration;

/// Which signature an element is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ElementRole {
    /// The inputs.
    Input,
    /// The outputs: of a hull shader the control points, of a mesh shader the vertices.
    Output,
    /// The third signature: patch constants of hull and domain shaders, primitives of mesh shaders.
    Patch,
}

impl ElementRole {
    /// All, with their names in text.
    pub const ALL: [(ElementRole, &'static str); 3] =
        [(ElementRole::Input, "input"), (ElementRole::Output, "output"), (ElementRole::Patch, "patch")];

    /// The signature that the elements of a point are in.
    pub fn of(point: SigPoint) -> ElementRole {
        use SigPoint::*;
        match point {
            VsOut | HsCpOut | DsOut | GsOut | PsOut | MsOut => ElementRole::Output,
            PcOut | DsIn | MsPOut => ElementRole::Patch,
            _ => ElementRole::Input,
        }
    }
}

/// The places of the members of an element that is a part of an array of structures with one semantic: their indices and locations
/// alternate with those of the other parts.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Spread {
    /// Which array it is: the elements of one have the same number.
    pub array: u32,
    /// The semantic index of each register.
    pub indices: Vec<u32>,
    /// The first location of each member, counted from that of the array.
    pub locations: Vec<u32>,
    /// How many locations the whole array takes.
    pub size: u32,
}

/// A signature element.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementData {
    /// Which signature it is in.
    pub role: ElementRole,
    /// What it is for: an input of a vertex shader, a primitive of a mesh shader, …
    pub point: SigPoint,
    /// The stream of a geometry shader's output.
    pub stream: u32,
    /// The name of its semantic without the index; the canonical one where it is a system value.
    pub name: String,
    /// The first semantic index; each row has the next one, unless the element is [spread](Spread).
    pub index: u32,
    /// The index is written after the name.
    pub numbered: bool,
    /// What the name means.
    pub semantic: Semantic,
    /// What it is at its signature point.
    pub interpretation: Interpretation,
    /// The type of its components.
    pub component: CompType,
    /// Vectors or matrices in its array; 1 if it is none.
    pub count: u32,
    /// Rows of the matrix; 1 of a vector.
    pub rows: u32,
    /// Components of a vector or row.
    pub columns: u32,
    /// The registers hold the matrix column after column.
    pub column_major: bool,
    /// How it is interpolated.
    pub interpolation: Interpolation,
    /// `[[vk::location(n)]]`
    pub location: Option<u32>,
    /// `[[vk::index(n)]]`
    pub blend_index: Option<u32>,
    /// `[[vk::builtin("…")]]`. Of SPIR-V only.
    pub builtin: Option<VkBuiltin>,
    /// Where the members are of an element that is a part of an array of structures with one semantic.
    pub spread: Option<Box<Spread>>,
    /// `[[vk::ext_decorate(…)]]` and its like. Of SPIR-V only.
    pub decorations: Vec<Decoration>,
    /// Where it is declared.
    pub span: Span,
}

impl ElementData {
    /// How many registers it takes: semantic indices.
    pub fn registers(&self) -> u32 {
        self.count * if self.column_major { self.columns } else { self.rows }
    }
    /// The semantic indices of its registers.
    pub fn indices(&self) -> Vec<u32> {
        match &self.spread {
            Some(spread) => spread.indices.clone(),
            None => (self.index..self.index + self.registers()).collect(),
        }
    }
    /// The first semantic index of member `n`.
    pub fn index_of(&self, n: u32) -> u32 {
        let first = n * (self.registers() / self.count.max(1));
        match &self.spread {
            Some(spread) => spread.indices.get(first as usize).copied().unwrap_or(self.index),
            None => self.index + first,
        }
    }
    /// Components of each register.
    pub fn register_components(&self) -> u32 {
        if self.column_major { self.rows } else { self.columns }
    }
    /// The type of its components in values.
    pub fn scalar(&self) -> Scalar {
        match self.component {
            CompType::I1 => Scalar::Bool,
            CompType::I16 | CompType::U16 => Scalar::I16,
            CompType::F16 => Scalar::F16,
            CompType::F32 => Scalar::F32,
            CompType::F64 => Scalar::F64,
            CompType::I64 | CompType::U64 => Scalar::I64,
            _ => Scalar::I32,
        }
    }
    /// Locations of a vector or row in SPIR-V: three and four components of 64 bits take two.
    pub fn row_locations(&self) -> u32 {
        1 + u32::from(self.scalar().bits() == 64 && self.columns > 2)
    }
    /// All its locations in SPIR-V.
    pub fn locations(&self) -> u32 {
        self.count * self.rows * self.row_locations()
    }
    /// The semantic as it is written, with its index if that is.
    pub fn written(&self) -> String {
        if self.numbered { self.spelling() } else { self.name.clone() }
    }
    /// The semantic with its index.
    pub fn spelling(&self) -> String {
        format!("{}{}", self.name, self.index)
    }
}
