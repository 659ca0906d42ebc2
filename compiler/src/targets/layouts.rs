//! The layouts of constant buffers for packages: the types that a host sees, member by member of their structures.

use rtc_ir::host_layout::{HostKind, HostScalar, HostType, HostTypes};
use rtc_ir::{GlobalKind, Matrix, Module, Numbers, Scalar, Type, TypeKind};
use rtc_package::layouts::{BufferLayout, MAX_MEMBERS, MemberLayout, MemberType, ScalarClass};
use rtc_tables::resources::ResourceKind;

/// Takes those of the constant buffers of a module, which has no types of hosts then: the code of packages accesses words. Of one with too many
/// members there is none.
pub fn take(m: &mut Module) -> Vec<BufferLayout> {
    let out = of(m);
    for global in m.globals.values_mut() {
        if let GlobalKind::Resource(resource) = &mut global.kind {
            resource.host = None;
        }
    }
    out
}

fn of(m: &Module) -> Vec<BufferLayout> {
    let mut out = Vec::new();
    for global in m.globals.values() {
        let Some(resource) = global.resource() else { continue };
        let Some(host) =
            resource.host.as_ref().filter(|_| m.types.as_resource(resource.ty).is_some_and(|r| r.kind == ResourceKind::CBuffer))
        else {
            continue;
        };
        let mut members = Vec::new();
        let shape = Shape { m, inside: resource.layout, matrix: None };
        if add(shape, host.ty, String::new(), 0, &mut members) {
            let bytes = members.iter().map(|m: &MemberLayout| m.offset.saturating_add(m.ty.size())).max().unwrap_or(0);
            out.push(BufferLayout { name: global.name.clone(), bytes, members });
        }
    }
    out
}

/// What the program says of a member besides its type as hosts see it, which describes some matrices as arrays of vectors.
#[derive(Clone, Copy)]
struct Shape<'a> {
    m: &'a Module,
    /// The type in memory, where it is known.
    inside: Option<Type>,
    /// The matrix that the member is, or is an array of.
    matrix: Option<Matrix>,
}

impl<'a> Shape<'a> {
    /// That of the member with this name, of a structure or of an array of structures.
    fn member(self, name: &str) -> Shape<'a> {
        let m = self.m;
        let mut inside = self.inside;
        while let Some(TypeKind::Array(e, _)) = inside.map(|t| m.types.kind(t)) {
            inside = Some(e);
        }
        let field = match inside.map(|t| m.types.kind(t)) {
            Some(TypeKind::Struct(s)) => m.structs[s].fields.iter().find(|f| f.name == name),
            _ => None,
        };
        Shape { m, inside: field.map(|f| f.ty), matrix: field.and_then(|f| f.numbers).and_then(Numbers::matrix) }
    }
}

/// Adds what is called `name` at `offset`. Returns whether everything has a place in the list.
fn add(shape: Shape<'_>, ty: HostType, name: String, offset: u32, out: &mut Vec<MemberLayout>) -> bool {
    let types = &shape.m.host_types;
    match types.kind(ty) {
        HostKind::Struct { members, .. } => members.iter().all(|m| {
            // The base of a structure has no name of its own.
            let name = match (name.is_empty(), m.name.is_empty()) {
                (_, true) => name.clone(),
                (true, _) => m.name.clone(),
                (false, false) => format!("{name}.{}", m.name),
            };
            add(shape.member(&m.name), m.ty, name, offset.saturating_add(m.offset), out)
        }),
        HostKind::Array { elem, count, stride } => {
            let (mut inner, mut elements, mut step) = (*elem, *count, *stride);
            // Arrays of arrays are one array, where nothing is between the inner ones.
            while let HostKind::Array { elem, count, stride } = types.kind(inner)
                && count.checked_mul(*stride) == Some(step)
            {
                (inner, elements, step) = (*elem, elements.saturating_mul(*count), *stride);
            }
            match number(types, inner) {
                Some(vector) => {
                    let ty = match shape.matrix.filter(|_| vector.rows == 0) {
                        Some(matrix) => of_vectors(vector, matrix, elements, step),
                        None => MemberType { elements, stride: step, ..vector },
                    };
                    push(out, name, offset, ty)
                }
                None => {
                    (0..elements).all(|n| add(shape, inner, format!("{name}[{n}]"), offset.saturating_add(n.saturating_mul(step)), out))
                }
            }
        }
        _ => number(types, ty).is_some_and(|ty| push(out, name, offset, ty)),
    }
}

/// The matrix, or the array of matrices, that hosts see as so many vectors.
fn of_vectors(vector: MemberType, matrix: Matrix, count: u32, stride: u32) -> MemberType {
    let (rows, columns) = (matrix.rows, matrix.cols);
    let vectors = if matrix.is_row_major() { rows } else { columns };
    let matrices = count / vectors.max(1);
    let ty = MemberType { rows, columns, row_major: matrix.is_row_major(), vector_stride: stride, ..vector };
    match matrices {
        0 | 1 => ty,
        _ => MemberType { elements: matrices, stride: stride.saturating_mul(vectors), ..ty },
    }
}

fn push(out: &mut Vec<MemberLayout>, name: String, offset: u32, ty: MemberType) -> bool {
    out.push(MemberLayout { name, offset, ty });
    out.len() <= MAX_MEMBERS
}

/// The type of a scalar, a vector or a matrix.
fn number(types: &HostTypes, ty: HostType) -> Option<MemberType> {
    let scalar = |s: HostScalar, columns| MemberType {
        class: match (s.scalar, s.signed) {
            (Scalar::F16 | Scalar::F32 | Scalar::F64, _) => ScalarClass::Float,
            (_, true) => ScalarClass::Int,
            (_, false) => ScalarClass::Uint,
        },
        bits: s.scalar.bytes() * 8,
        rows: 0,
        columns,
        row_major: false,
        vector_stride: 0,
        elements: 0,
        stride: 0,
    };
    match *types.kind(ty) {
        HostKind::Scalar(s) => Some(scalar(s, 1)),
        HostKind::Vector(s, n) => Some(scalar(s, n)),
        HostKind::Matrix { scalar: s, rows, cols, row_major, stride } => {
            Some(MemberType { rows, row_major, vector_stride: stride, ..scalar(s, cols) })
        }
        HostKind::Array { .. } | HostKind::Struct { .. } => None,
    }
}
