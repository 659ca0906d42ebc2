//! Mesh and amplification shaders: payloads, counts and indices.

use rtc_ir::{self as ir, Matrix, Opcode, Root, SlotRole, Step, TypeKind};
use rtc_tables::diagnostics::E0682;
use rtc_tables::dxil_ops::op;
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::frame::{Address, Location};
use super::func::Writer;
use super::task_payload::payload_type;
use super::types::{is_rows, matrix};
use rtc_dxil_module::Value;

impl Writer<'_, '_> {
    /// Gets the payload of a mesh shader that uses it.
    pub(super) fn get_payload(&mut self) -> EmitResult {
        let f = self.f;
        let Some(slot) = f.slot_of(SlotRole::MeshIn) else { return Ok(()) };
        let mut used = false;
        f.for_each_inst(f.body, |_, i| used |= f.access_root(i) == Some(Root::Slot(slot)) && self.facts.live.has(i));
        if used {
            let ty = payload_type(self.m, self.e.out, f.slots[slot].ty, None);
            let pointer = self.e.dx(op::GET_MESH_PAYLOAD, Some(ty), &[])?;
            self.frame.set_payload(Root::Slot(slot), pointer);
            self.note_pointer(Root::Slot(slot), pointer, false);
        }
        Ok(())
    }

    /// The memory of a payload: what the mesh shader got, or a groupshared variable that is passed.
    pub(super) fn payload(&mut self, root: Root) -> Option<Value> {
        if let Some(known) = self.frame.payload(root) {
            return Some(known);
        }
        let Root::Global(g) = root else { return None };
        if !self.module_facts.payloads.contains(&g) {
            return None;
        }
        let pointer = if self.module_facts.copied_payloads {
            // Each thread has its own, which it fills.
            let ty = payload_type(self.m, self.e.out, self.m.globals[g].ty(), None);
            self.e.alloca(ty, super::layout::align(self.m, self.m.globals[g].ty()))
        } else {
            self.globals.payload_memory(self.m, self.e.out, g)
        };
        self.frame.set_payload(root, pointer);
        Some(pointer)
    }

    /// An access path in a payload at `base`.
    pub(super) fn in_payload(&mut self, base: Value, root: ir::Type, steps: &[Step], dynamic: &[Value]) -> EmitResult<Location> {
        let m = self.m;
        let (mut t, mut declared): (_, Option<Matrix>) = (root, None);
        let mut dynamic = dynamic.iter();
        let mut path: SmallVec<[Value; 6]> = SmallVec::new();
        path.push(self.e.out.i32(0));
        // The matrix that the path leads to or into, and the part of it or of a vector: row, column.
        let (mut of_matrix, mut inside): (Option<Matrix>, SmallVec<[Value; 2]>) = Default::default();
        for &step in steps {
            let (n, index) = match step {
                Step::At(n) => (Some(n), self.e.out.i32(n as i32)),
                Step::Dyn => (None, *dynamic.next().ok_or("missing index")?),
            };
            if of_matrix.is_some() || matches!(m.types.kind(t), TypeKind::Vector(..)) {
                inside.push(index);
            } else {
                path.push(index);
            }
            if let (TypeKind::Struct(s), Some(n)) = (m.types.kind(t), n) {
                declared = m.structs[s].fields.get(n as usize).and_then(|f| matrix(f.numbers));
            }
            t = m.part(t, n).ok_or("invalid access path")?;
            if of_matrix.is_none() {
                of_matrix = declared.filter(|_| is_rows(m, t));
            }
        }
        let (cell, lanes) = self.cell_type(t)?;
        let (first, stride) = match (of_matrix, &inside[..]) {
            (Some(shape), [row, rest @ ..]) => {
                let (of_row, of_column) = if shape.is_row_major() { (shape.cols, 1) } else { (1, shape.rows) };
                let mut first = self.scaled(*row, of_row);
                if let [column] = rest {
                    let column = self.scaled(*column, of_column);
                    first = self.sum(first, column);
                }
                (Some(first), of_column)
            }
            (None, [component]) => (Some(*component), 1),
            (None, []) if lanes > 1 => (Some(self.e.out.i32(0)), 1),
            (None, []) => (None, 1),
            _ => return Err(EmitError::internal("a matrix is accessed by rows")),
        };
        let address = Address::Path { base, path, first, stride };
        Ok(Location { cell, lanes, address })
    }

    /// `set_mesh_output_counts`, `emit_indices`.
    pub(super) fn mesh(&mut self, opcode: Opcode, args: &[ir::Value]) -> EmitResult {
        if opcode == Opcode::set_mesh_output_counts {
            let counts = [self.one(args[0]), self.one(args[1])];
            return self.e.dx(op::SET_MESH_OUTPUT_COUNTS, None, &counts).map(|_| ());
        }
        let mut all: SmallVec<[Value; 4]> = SmallVec::new();
        all.push(self.one(args[0]));
        all.extend(self.defined(args[1]));
        while all.len() < 4 {
            let none = self.e.undef_i32();
            all.push(none);
        }
        self.e.dx(op::EMIT_INDICES, None, &all).map(|_| ())
    }

    /// `dispatch_mesh`
    pub(super) fn dispatch_mesh(&mut self, place: ir::Place, args: &[ir::Value]) -> EmitResult {
        let ir::PlaceData { root, ref steps } = self.f.places[place];
        if !steps.is_empty() {
            return Err(EmitError::new(
                &E0682,
                "the payload is part of a groupshared variable that a function of another library takes as a whole",
            ));
        }
        let pointer = self.payload(root).ok_or("the payload of mesh shaders is a groupshared variable")?;
        let ty = self.e.b().type_of(pointer);
        if matches!(root, ir::Root::Global(g) if super::layout::slot_bytes(self.m, self.m.globals[g].ty()) == 0) {
            return Err(EmitError::new(&E0682, "the payload has no members: in DXIL it needs one"));
        }
        let mut all: SmallVec<[Value; 4]> = args.iter().map(|&v| self.one(v)).collect();
        all.push(pointer);
        self.e.dx(op::DISPATCH_MESH, Some(ty), &all).map(|_| ())
    }
}
