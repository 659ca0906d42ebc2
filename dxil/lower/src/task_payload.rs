//! The payload of mesh shaders in memory: a structure in which vectors and matrices are arrays of scalars, as every compiler lays it out.

use rtc_ir::{self as ir, InstData, Numbers, Opcode, Root, SlotRole, TypeKind};

use super::types::{self, is_rows, matrix};
use rtc_dxil_module::{GROUPSHARED, Module, Type, Value};

/// The type of a payload in memory.
pub fn payload_type(m: &ir::Module, out: &mut Module, t: ir::Type, numbers: Option<Numbers>) -> Type {
    match m.types.kind(t) {
        TypeKind::Vector(s, n) => {
            let elem = types::stored(out, s);
            out.types.array(elem, n.into())
        }
        TypeKind::Array(e, n) => match matrix(numbers).filter(|_| is_rows(m, t)) {
            Some(shape) => {
                let s = m.types.numeric(e).map_or(ir::Scalar::F32, |n| n.0);
                let elem = types::stored(out, s);
                out.types.array(elem, (shape.rows * shape.cols).into())
            }
            None => {
                let elem = payload_type(m, out, e, numbers);
                out.types.array(elem, n.into())
            }
        },
        TypeKind::Struct(s) => {
            let data = &m.structs[s];
            let fields: Vec<Type> = data.fields.iter().map(|f| payload_type(m, out, f.ty, f.numbers)).collect();
            // One that is laid out as it is in the source keeps its name.
            let suffix = if has_vectors(m, t) { ".0" } else { "" };
            out.types.named_struct(&format!("{}{suffix}", types::struct_name(&data.name)), &fields)
        }
        TypeKind::Scalar(s) => types::stored(out, s),
        _ => out.types.i32(),
    }
}

/// Whether a type has vectors, or matrices, whose rows are vectors.
fn has_vectors(m: &ir::Module, t: ir::Type) -> bool {
    match m.types.kind(t) {
        TypeKind::Vector(..) => true,
        TypeKind::Array(e, _) => has_vectors(m, e),
        TypeKind::Struct(s) => m.structs[s].fields.iter().any(|f| has_vectors(m, f.ty)),
        _ => false,
    }
}

/// The variables of a module that amplification shaders pass.
pub fn payloads(m: &ir::Module) -> Vec<ir::Global> {
    let mut out = Vec::new();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Access { op: Opcode::dispatch_mesh, place, .. } = f.insts[i]
                && let Root::Global(g) = f.places[place].root
                && !out.contains(&g)
            {
                out.push(g);
            }
        });
    }
    out
}

/// Bytes of the payload that a mesh shader gets or an amplification shader passes.
pub fn payload_bytes(m: &ir::Module, f: &ir::Function) -> u32 {
    let mut found = f.slot_of(SlotRole::MeshIn).map(|s| f.slots[s].ty);
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Access { op: Opcode::dispatch_mesh, place, .. } = f.insts[i]
            && let Root::Global(g) = f.places[place].root
        {
            found = Some(m.globals[g].ty());
        }
    });
    found.map_or(0, |t| super::layout::slot_bytes(m, t))
}

/// Makes the variable of a payload.
pub fn payload_variable(m: &ir::Module, out: &mut Module, g: ir::Global) -> Value {
    let data = &m.globals[g];
    let ty = payload_type(m, out, data.ty(), None);
    let var = out.add_global(&data.symbol, ty, false);
    out.set_space(var, GROUPSHARED);
    out.globals[var].align = super::layout::align(m, data.ty());
    Value::Global(var)
}
