//! What expressions evaluate to, as data: values and l-values.
//!
//! An [`LValue`] is a root with an access path, whose indices are already evaluated; nothing is read yet. Loading a number from it gives
//! a value; loading an array or structure from a variable gives the l-value itself, from any other memory a copy in a fresh local.

use rtc_ir::debug::Named;
use rtc_ir::{Root, Step, Value};
use smallvec::SmallVec;

use super::types::Shape;
use crate::hir::layout::Rules;
use crate::hir::{FuncId, GlobalId, StageNode, Ty};

/// Rows of a matrix.
pub type Rows = SmallVec<[Value; 4]>;

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Val {
    /// Nothing.
    Void,
    /// A scalar, vector or handle.
    One(Value),
    /// A matrix.
    Rows(Rows),
    /// An array or structure: the contents of this l-value, which is not written while the value is in use.
    Agg(LValue),
}

impl Val {
    /// The scalar, vector or handle.
    #[track_caller]
    pub fn one(&self) -> Value {
        match self {
            Val::One(v) => *v,
            other => rtc_base::bug!("a scalar or vector expected, not {other:?}"),
        }
    }
    /// The vectors of a number: a scalar or vector is one row.
    #[track_caller]
    pub fn rows(&self) -> Rows {
        match self {
            Val::One(v) => SmallVec::from_slice(&[*v]),
            Val::Rows(r) => r.clone(),
            other => rtc_base::bug!("a number expected, not {other:?}"),
        }
    }
}

/// The root of an l-value in a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A variable of the IR.
    Root(Root),
    /// A constant that has no storage so far.
    Const(GlobalId),
}

/// An l-value in a variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// The variable.
    pub base: Base,
    /// The access path.
    pub steps: SmallVec<[Step; 4]>,
    /// Values for the dynamic steps.
    pub indices: SmallVec<[Value; 2]>,
    /// The shape of the contents.
    pub shape: Shape,
    /// The object is a record that inherits from this one, which has no fields.
    pub view: bool,
}

/// A declared resource or array of them.
#[derive(Clone, Debug)]
pub struct Res {
    /// The global.
    pub global: rtc_ir::Global,
    /// The number of the element so far.
    pub index: Option<Value>,
    /// The type of the element.
    pub ty: Ty,
}

/// Part of a number.
#[derive(Clone, Debug)]
pub enum ComponentAccess {
    /// Several components of a vector.
    Swizzle(SmallVec<[u8; 4]>),
    /// Elements of a matrix: row times 4 plus column.
    Matrix(SmallVec<[u8; 4]>),
    /// A component of a vector by a value.
    Comp(Value),
    /// A row of a matrix by a value.
    Row(Value),
    /// Bits of an integer: the first, how many.
    Bits(u32, u32),
}

/// An l-value seen as one of another type: see [`crate::hir::ExprKind::View`]. No part of `of` has just this shape.
#[derive(Clone, Debug)]
pub struct View {
    /// The l-value.
    pub of: LValue,
    /// How many of its scalars and objects are before those that are seen.
    pub skip: u64,
    /// It is a matrix, of which the upper left part is seen.
    pub upper_left: bool,
    /// The shape of what is seen.
    pub shape: Shape,
}

/// An l-value.
#[derive(Clone, Debug)]
pub enum LValue {
    /// In a variable.
    Var(Var),
    /// In a structured or byte-address buffer.
    Mem(Mem),
    /// In a constant buffer.
    Cbuf(Cbuf),
    /// A texel.
    Texel(Texel),
    /// A resource.
    Res(Res),
    /// A stage input.
    Input(Input),
    /// An output of a mesh shader.
    MeshOutput(MeshOutput),
    /// A stream of a geometry shader.
    Stream(StageParam, Ty),
    /// A part of the number in another l-value.
    Part(Box<LValue>, ComponentAccess, Shape),
    /// Seen as one of another type.
    View(Box<View>),
    /// The one of these, which are of one shape, whose number is the value.
    Chosen(Value, Vec<LValue>),
}

/// A number of an element.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    /// A constant.
    At(u32),
    /// A value.
    By(Value),
}

impl LValue {
    /// The shape of the contents.
    pub fn shape(&self) -> Shape {
        match self {
            LValue::Var(v) => v.shape,
            LValue::Mem(m) => m.shape,
            LValue::Cbuf(c) => c.shape,
            LValue::Texel(t) => t.shape,
            LValue::Res(r) => Shape::Other(r.ty),
            LValue::Input(i) => i.shape,
            LValue::MeshOutput(m) => m.shape,
            LValue::Stream(_, t) => Shape::Other(*t),
            LValue::Part(_, _, s) => *s,
            LValue::View(v) => v.shape,
            LValue::Chosen(_, all) => all[0].shape(),
        }
    }
}

impl Var {
    /// A part of it.
    pub fn step(&self, step: Index, shape: Shape) -> Var {
        let mut v = self.clone();
        match step {
            Index::At(n) => v.steps.push(Step::At(n)),
            Index::By(i) => {
                v.steps.push(Step::Dyn);
                v.indices.push(i);
            }
        }
        v.shape = shape;
        v.view = false;
        v
    }
    /// The local or slot that it is in.
    pub fn own_root(&self) -> Option<Root> {
        match self.base {
            Base::Root(r @ (Root::Local(_) | Root::Slot(_))) => Some(r),
            _ => None,
        }
    }
    /// Whether the two may overlap.
    pub fn overlaps(&self, other: &Var) -> bool {
        if self.base != other.base {
            return false;
        }
        for (a, b) in self.steps.iter().zip(&other.steps) {
            if let (Step::At(a), Step::At(b)) = (a, b)
                && a != b
            {
                return false;
            }
        }
        true
    }
}

/// The logarithm of the largest alignment: no type can declare more.
const MAX_ALIGN: u32 = 20;

/// An l-value in a structured or byte-address buffer.
#[derive(Clone, Debug)]
pub struct Mem {
    /// The buffer.
    pub handle: Value,
    /// The element; `None` for byte-address buffers.
    pub index: Option<Value>,
    /// The computed part of the offset.
    pub dynamic: Option<Value>,
    /// The constant part.
    pub offset: u32,
    /// The component stride of a vector.
    pub stride: u32,
    /// The layout rules of the contents.
    pub rules: Rules,
    /// The shape of the contents.
    pub shape: Shape,
    /// Loads are to be checked for residency ([`FnCx::resident`]).
    pub status: bool,
    /// Matrices are consecutive components whatever the rules say, as in byte-address buffers.
    pub packed_matrices: bool,
    /// At an address: a power of two that divides it and the computed part.
    pub align: u32,
}

/// An l-value in a constant buffer.
#[derive(Clone, Debug)]
pub struct Cbuf {
    /// The buffer.
    pub handle: Value,
    /// The computed part of the row's number.
    pub row: Option<Value>,
    /// The constant part of the offset, in bytes.
    pub offset: u32,
    /// The component stride of a vector.
    pub stride: u32,
    /// The layout rules of the contents: in rows.
    pub rules: Rules,
    /// The shape of the contents.
    pub shape: Shape,
}

/// A texel.
#[derive(Clone, Debug)]
pub struct Texel {
    /// The texture or typed buffer.
    pub handle: Value,
    /// The coordinates.
    pub coords: Value,
    /// Level or sample.
    pub level: Option<Value>,
    /// The shape of the contents.
    pub shape: Shape,
}

impl Mem {
    /// An l-value at the start of an element or at a byte.
    pub fn new(handle: Value, index: Option<Value>, dynamic: Option<Value>, rules: Rules, shape: Shape) -> Mem {
        let stride = shape.natural_stride();
        Mem { rules, handle, index, dynamic, offset: 0, stride, shape, status: false, packed_matrices: false, align: 1 }
    }
    /// An l-value at a 64-bit address, which is in no resource and no variable.
    pub fn at_address(address: Value, align: u32, rules: Rules, shape: Shape) -> Mem {
        Mem { align, ..Mem::new(address, None, None, rules, shape) }
    }
    /// The largest power of two that is known to divide the address of byte `byte` after the computed part.
    pub fn alignment(&self, byte: u32) -> u32 {
        1 << self.align.trailing_zeros().min(byte.trailing_zeros()).min(MAX_ALIGN)
    }
    /// An l-value at a byte of a byte-address buffer. Members lie by the rules, the components of a matrix one after the other, as
    /// with the reference compiler.
    pub fn raw(handle: Value, address: Value, rules: Rules, shape: Shape) -> Mem {
        Mem { packed_matrices: true, ..Mem::new(handle, None, Some(address), rules, shape) }
    }
    /// The layout rules of matrices.
    pub fn matrix_rules(&self) -> Rules {
        if self.packed_matrices { Rules::Scalar } else { self.rules }
    }
    /// What is some bytes after its start.
    pub fn at(&self, plus: u32, stride: u32, shape: Shape) -> Mem {
        Mem { offset: self.offset.wrapping_add(plus), stride, shape, ..*self }
    }
}

impl Cbuf {
    /// The whole buffer.
    pub fn new(handle: Value, rules: Rules, shape: Shape) -> Cbuf {
        Cbuf { rules, handle, row: None, offset: 0, stride: shape.natural_stride(), shape }
    }
    /// What is some bytes after its start.
    pub fn at(&self, plus: u32, stride: u32, shape: Shape) -> Cbuf {
        Cbuf { offset: self.offset.wrapping_add(plus), stride, shape, ..*self }
    }
    /// A component of the vector.
    pub fn comp(&self, n: u32) -> Cbuf {
        let shape = match self.shape {
            Shape::Vec(s, _) => Shape::Vec(s, 1),
            s => s,
        };
        self.at(n * self.stride, self.stride, shape)
    }
}

/// A parameter of a shader.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StageParam {
    /// The entry point.
    pub entry: FuncId,
    /// It is one of the entry point's patch constant function.
    pub patch_constants: bool,
    /// The number of the parameter.
    pub number: usize,
}

/// An l-value in a parameter of the entry point that is only read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The parameter, if it is the whole one.
    pub param: Option<StageParam>,
    /// The vertex of the primitive or the control point of the patch.
    pub vertex: Option<Index>,
    /// Its elements.
    pub node: StageNode,
    /// The number in the array of the element.
    pub number: Index,
    /// The row of the matrix, if it is one.
    pub row: Option<u32>,
    /// The shape of the contents.
    pub shape: Shape,
    /// The part of a variable that it is, if variables have names.
    pub named: Option<Box<Named>>,
}

impl Input {
    /// A whole parameter.
    pub fn whole(node: StageNode, shape: Shape) -> Input {
        Input { param: None, vertex: None, node, number: Index::At(0), row: None, shape, named: None }
    }
    /// The name of a field, row or member of it.
    pub fn named_part(&self, step: Index) -> Option<Box<Named>> {
        let mut named = self.named.clone()?;
        named.path.push(match step {
            Index::At(n) => n,
            Index::By(_) => rtc_ir::debug::ANY_ELEMENT,
        });
        Some(named)
    }
    /// A field of a structure. The fields of a record that it inherits from come first.
    pub fn field(&self, n: u32, shape: Shape) -> Input {
        let node = match &self.node {
            StageNode::Fields(nodes) => nodes.get(n as usize).cloned().unwrap_or_default(),
            _ => StageNode::Absent,
        };
        Input { node, shape, param: None, named: self.named_part(Index::At(n)), ..self.clone() }
    }
}

/// An l-value in an output of a mesh shader.
#[derive(Clone, Debug)]
pub struct MeshOutput {
    /// The parameter of the shader.
    pub param: StageParam,
    /// Its elements.
    pub node: StageNode,
    /// The vertex or primitive; none: the whole array.
    pub at: Option<Index>,
    /// The number in the array of the element.
    pub number: Index,
    /// The row of the matrix, if it is in one.
    pub row: Option<u32>,
    /// The component of the vector, if it is one.
    pub component: Option<u32>,
    /// The shape of the contents.
    pub shape: Shape,
}

impl MeshOutput {
    /// A whole parameter.
    pub fn whole(param: StageParam, node: StageNode, shape: Shape) -> MeshOutput {
        MeshOutput { param, node, at: None, number: Index::At(0), row: None, component: None, shape }
    }
    /// A field of a structure. The fields of a record that it inherits from come first.
    pub fn field(&self, n: u32, shape: Shape) -> MeshOutput {
        let node = match &self.node {
            StageNode::Fields(nodes) => nodes.get(n as usize).cloned().unwrap_or_default(),
            _ => StageNode::Absent,
        };
        MeshOutput { node, shape, ..self.clone() }
    }
}
