//! The layouts of constant buffers for packages: the types that a host sees, member by member of their structures.

use rtc_ir::host_layout::{HostKind, HostScalar, HostType, HostTypes};
use rtc_ir::{Module, Scalar};
use rtc_package::layouts::{BufferLayout, MAX_MEMBERS, MemberLayout, MemberType, ScalarClass};
use rtc_tables::resources::ResourceKind;

/// Those of the constant buffers of a module. Of one with too many members there is none.
pub fn of(m: &Module) -> Vec<BufferLayout> {
    let mut out = Vec::new();
    for global in m.globals.values() {
        let Some(resource) = global.resource() else { continue };
        let Some(host) =
            resource.host.as_ref().filter(|_| m.types.as_resource(resource.ty).is_some_and(|r| r.kind == ResourceKind::CBuffer))
        else {
            continue;
        };
        let mut members = Vec::new();
        if add(&m.host_types, host.ty, String::new(), 0, &mut members) {
            let bytes = members.iter().map(|m: &MemberLayout| m.offset.saturating_add(m.ty.size())).max().unwrap_or(0);
            out.push(BufferLayout { name: global.name.clone(), bytes, members });
        }
    }
    out
}

/// Adds what is called `name` at `offset`. Returns whether everything has a place in the list.
fn add(types: &HostTypes, ty: HostType, name: String, offset: u32, out: &mut Vec<MemberLayout>) -> bool {
    match types.kind(ty) {
        HostKind::Struct { members, .. } => members.iter().all(|m| {
            // The base of a structure has no name of its own.
            let name = match (name.is_empty(), m.name.is_empty()) {
                (_, true) => name.clone(),
                (true, _) => m.name.clone(),
                (false, false) => format!("{name}.{}", m.name),
            };
            add(types, m.ty, name, offset.saturating_add(m.offset), out)
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
                Some(ty) => push(out, name, offset, MemberType { elements, stride: step, ..ty }),
                None => {
                    (0..elements).all(|n| add(types, inner, format!("{name}[{n}]"), offset.saturating_add(n.saturating_mul(step)), out))
                }
            }
        }
        _ => number(types, ty).is_some_and(|ty| push(out, name, offset, ty)),
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
