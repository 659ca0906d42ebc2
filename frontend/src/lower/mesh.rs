//! Mesh and amplification shaders: outputs that are written in place, the payload, and what starts mesh shaders.
//!
//! The arrays of vertices, indices and primitives of a mesh shader are l-values that can only be written ([`MeshOutput`]): each store is one
//! of the element, because other threads of the group write the other members.

use rtc_ir::{
    COPIED_PAYLOAD, ElementPart, Global, GlobalData, GlobalKind, InstData, MeshState, Opcode, Place, Root, SlotRole, StageState, Step,
    TypeKind, Value,
};
use rtc_tables::barriers::mode;
use rtc_tables::signature::Semantic;
use smallvec::SmallVec;

use super::call::{Call, Operand};
use super::func::{Binding, FnCx};
use super::operand::{Base, ComponentAccess, Index, LValue, MeshOutput, StageParam, Val, Var};
use super::types::Shape;
use crate::hir::{Param, Scalar, StageInterface, StageNode, SystemValue, TyKind};
use crate::sema::errors::mesh as err;

impl FnCx<'_, '_> {
    /// Says what a mesh shader makes.
    pub(super) fn mesh_state(&mut self, interface: &StageInterface) {
        if let StageState::Mesh(state) = interface.state {
            let payload = self.func.slot_of(SlotRole::MeshIn).map(|s| self.func.slots[s].ty);
            self.func.state = StageState::Mesh(MeshState { payload, ..state });
        }
    }

    /// The binding of a parameter that only mesh shaders have.
    pub(super) fn mesh_binding(&mut self, p: &Param, of: StageParam, node: &StageNode, name: &str) -> Binding {
        let shape = self.l.shape(p.ty);
        if !matches!(node, StageNode::Payload) {
            return Binding::LValue(LValue::MeshOutput(MeshOutput::whole(of, node.clone(), shape)));
        }
        let ty = self.l.shape_ty(shape);
        let slot = self.func.add_slot(SlotRole::MeshIn, ty, name.to_string());
        let base = Base::Root(Root::Slot(slot));
        let lvalue = LValue::Var(Var { base, steps: SmallVec::new(), indices: SmallVec::new(), shape, view: false });
        if !self.l.facts.is_modified(self.id, p.local) {
            return Binding::LValue(lvalue);
        }
        let value = self.load(&lvalue);
        self.own_copy(&value, shape, name)
    }

    /// Whether an input is a system value of thread groups.
    pub(super) fn is_group_value(&self, element: u32) -> bool {
        self.group_semantic(element).is_some()
    }

    fn group_semantic(&self, element: u32) -> Option<SystemValue> {
        Some(match self.func.elements.values().nth(element as usize)?.semantic {
            Semantic::DispatchThreadId => SystemValue::DispatchThreadId,
            Semantic::GroupId => SystemValue::GroupId,
            Semantic::GroupThreadId => SystemValue::GroupThreadId,
            Semantic::GroupIndex => SystemValue::GroupIndex,
            _ => return None,
        })
    }

    /// A system value of thread groups, as `n` components of type `scalar`.
    pub(super) fn group_vector(&mut self, element: u32, scalar: Scalar, n: u32) -> Value {
        let value = self.group_semantic(element).unwrap_or(SystemValue::GroupIndex);
        self.system_components(value, n, scalar)
    }

    /// Member `index` of an array in an output.
    pub(super) fn mesh_element(&mut self, p: &MeshOutput, index: Index, shape: Shape) -> MeshOutput {
        match (&p.node, p.at) {
            (StageNode::Outputs(node), None) => MeshOutput { node: (**node).clone(), at: Some(index), shape, ..p.clone() },
            (StageNode::Indices, None) => MeshOutput { at: Some(index), shape, ..p.clone() },
            _ => {
                let len = match p.shape {
                    Shape::Other(t) => match self.l.hir.types.kind(t) {
                        TyKind::Array(_, Some(n)) => n,
                        _ => 1,
                    },
                    _ => 1,
                };
                let number = self.nested_index(p.number, index, len);
                MeshOutput { number, shape, ..p.clone() }
            }
        }
    }

    /// An output that is read, or used as a whole.
    pub(super) fn read_mesh_output(&mut self, p: &MeshOutput) -> Val {
        let d = if p.at.is_none() { err::whole(self.span) } else { err::read(self.span) };
        self.l.diags.push(d);
        match p.shape {
            Shape::Other(_) => Val::Agg(self.temp(p.shape)),
            shape => self.undef_of(shape),
        }
    }

    /// Stores a number in an output.
    pub(super) fn store_mesh_output(&mut self, p: &MeshOutput, x: &Val) {
        let Some(at) = p.at else {
            self.l.diags.push(err::whole(self.span));
            return;
        };
        let at = self.index_value(at);
        let rows = x.rows();
        match &p.node {
            StageNode::Indices if p.component.is_some() && !self.l.vulkan => {
                self.l.diags.push(err::part_of_indices(self.span));
            }
            StageNode::Indices => {
                let part = p.component.map_or(0, |n| n + 1);
                self.b().many(Opcode::emit_indices, part, &[at, rows[0]], &[]);
            }
            StageNode::Element(e) => {
                for (n, &row) in rows.iter().enumerate() {
                    self.store_mesh_output_row(p, *e, p.row.unwrap_or(n as u32), at, row);
                }
            }
            _ => {}
        }
    }

    fn store_mesh_output_row(&mut self, p: &MeshOutput, element: u32, row: u32, at: Value, x: Value) {
        let Some(e) = self.func.elements.values().nth(element as usize) else {
            rtc_base::bug!("an output of an element that does not exist");
        };
        let flag = e.component == rtc_tables::resources::CompType::I1;
        let boolean = matches!(p.shape, Shape::Vec(Scalar::Bool, _) | Shape::Mat { scalar: Scalar::Bool, .. });
        let x = if boolean && !flag { self.convert(x, Scalar::Bool, Scalar::Uint) } else { x };
        let number = self.index_value(p.number);
        let imm = ElementPart { element, row, column: p.component.unwrap_or(0) }.imm();
        self.b().many(Opcode::store_output, imm, &[number, x, at], &[]);
    }

    /// Stores to what a dynamic index means in an output: since that cannot be read, to each row or component if it is the one. Whether it
    /// is such a part.
    pub(super) fn store_mesh_part(&mut self, inner: &LValue, how: &ComponentAccess, x: &Val) -> bool {
        let is_output = |p: &LValue| matches!(p, LValue::MeshOutput(_));
        if let LValue::Part(matrix, ComponentAccess::Row(i), _) = inner
            && is_output(matrix)
        {
            self.for_each_index(matrix.shape(), *i, |cx, n| {
                let row = cx.row(matrix, Index::At(n));
                cx.store_part(&row, how, x);
            });
            return true;
        }
        match how {
            ComponentAccess::Comp(i) if is_output(inner) => self.for_each_index(inner.shape(), *i, |cx, n| {
                let to = cx.component(inner, Index::At(n));
                cx.store(&to, x);
            }),
            ComponentAccess::Row(i) if is_output(inner) => self.for_each_index(inner.shape(), *i, |cx, n| {
                let to = cx.row(inner, Index::At(n));
                cx.store(&to, x);
            }),
            _ => return false,
        }
        true
    }

    /// Does something with each row of a matrix or component of a vector, if `i` is its number.
    fn for_each_index(&mut self, shape: Shape, i: Value, mut store: impl FnMut(&mut Self, u32)) {
        let count = match shape {
            Shape::Mat { rows, .. } => rows,
            Shape::Vec(_, n) => n,
            Shape::Other(_) => 0,
        };
        for n in 0..count {
            let number = self.int(n);
            let is = self.bin(Opcode::ieq, i, number);
            self.if_then(is, |cx| store(cx, n), |_| {});
        }
    }

    /// `DispatchMesh(x, y, z, payload)`: a payload that is neither a groupshared variable nor a member of one is copied.
    pub(super) fn dispatch_mesh(&mut self, c: &Call) -> Val {
        let payload = &c.args[3];
        let place = match payload.lvalue.as_ref().and_then(|p| self.groupshared_member(p)) {
            Some(place) => place,
            None => {
                let global = self.copied_payload(payload);
                self.func.place(Root::Global(global), &[])
            }
        };
        let args = self.func.list(&[c.one(0), c.one(1), c.one(2)]);
        self.b().push(InstData::Access { op: Opcode::dispatch_mesh, imm: 0, place, args }, &[]);
        Val::Void
    }

    /// The place of an l-value that is a groupshared variable or a member of one, of whatever depth. An element of an array is none: the memory
    /// of its members is not together.
    fn groupshared_member(&mut self, p: &LValue) -> Option<Place> {
        let LValue::Var(Var { base: Base::Root(root @ Root::Global(g)), steps, view: false, .. }) = p else { return None };
        let data = &self.l.out.globals[*g];
        if !matches!(data.kind, GlobalKind::GroupShared(_)) {
            return None;
        }
        let mut ty = data.ty();
        for &step in steps {
            let (TypeKind::Struct(_), Step::At(n)) = (self.l.out.types.kind(ty), step) else { return None };
            ty = self.l.out.part(ty, Some(n))?;
        }
        Some(self.func.place(*root, steps))
    }

    /// A new groupshared variable with the payload: of the first thread where the group has one in memory, as in Vulkan. In DXIL each thread has
    /// a copy of its own and fills it.
    fn copied_payload(&mut self, payload: &Operand) -> Global {
        let Shape::Other(ty) = payload.shape else { rtc_base::bug!("a payload that is no structure") };
        let ty = self.l.ty(ty);
        let name = "payload".to_string();
        // A library may have several.
        let symbol = format!("{COPIED_PAYLOAD}{}", self.l.out.globals.len());
        let kind = GlobalKind::GroupShared(ty);
        let global = self.l.out.globals.push(GlobalData { name, symbol, kind, decorations: Vec::new(), span: self.span, precise: false });
        let to = self.global_lvalue(global, payload.shape);
        if payload.lvalue.is_some() {
            // Other threads may have written parts of it.
            self.b().many(Opcode::barrier, mode::GROUPSHARED | mode::GROUP_SYNC, &[], &[]);
        }
        let fill = |cx: &mut Self| {
            let value = match &payload.lvalue {
                Some(from) => cx.load(from),
                None => payload.val.clone(),
            };
            cx.store(&to, &value);
        };
        if self.l.vulkan {
            let thread = self.b().nullary(Opcode::flattened_thread_id_in_group);
            let zero = self.int(0);
            let first = self.bin(Opcode::ieq, thread, zero);
            self.if_then(first, fill, |_| {});
        } else {
            fill(self);
        }
        global
    }
}
