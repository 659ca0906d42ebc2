//! Instruction selection for hit objects: variables of the function, and one instruction for each use, from a column of the
//! ray-tracing table. [`crate::legalize::hit_objects`] has put them into slots before.

use rtc_ir::{Inst, InstData, Opcode as O, Root, Slot, SlotRole, Type, Value};
use rtc_tables::raytracing::RtInfo;
use rustc_hash::FxHashMap;
use spirv::{Capability, Decoration, MemoryAccess, Op, StorageClass};

use super::FuncEmitter;
use super::buffers::BlockKind;
use super::hit_groups::{self, Group};
use crate::legalize::hit_objects::Ser;
use crate::words::{Id, Literal, NONE, operands};

/// What the emitter knows of a function's hit objects.
#[derive(Default)]
pub(crate) struct Hits {
    /// The slot that each is stored in right after it is made.
    homes: FxHashMap<Value, Slot>,
    /// How often each slot is looked at.
    looks: FxHashMap<Slot, u32>,
    /// For values that are not used.
    scratch: Option<Id>,
    /// Payloads that the NV extension takes in a variable of another class.
    copies: FxHashMap<Slot, Id>,
    /// Calls that one instruction does, by the first of them.
    groups: FxHashMap<Inst, Group>,
}

impl FuncEmitter<'_, '_> {
    /// The extension that has hit objects. Only called where there are some.
    fn ser(&self) -> Ser {
        self.e.ser.unwrap_or(Ser::Ext)
    }

    fn ser_op(&self, nv: Op, ext: Op) -> Op {
        if self.ser() == Ser::Nv { nv } else { ext }
    }

    /// Asks for the extension.
    pub(crate) fn need_ser(&mut self, what: &str) {
        let why = self.reason(what);
        let ser = self.ser();
        let cap = match ser {
            Ser::Nv => Capability::ShaderInvocationReorderNV,
            Ser::Ext => Capability::ShaderInvocationReorderEXT,
        };
        self.e.w.capability(cap, || why.clone());
        self.e.w.extension(ser.extension(), || why);
    }

    /// A variable of the function for a hit object.
    fn hit_var(&mut self, name: &str) -> Id {
        self.need_ser("a hit object");
        let ty = self.e.w.ty(self.ser_op(Op::TypeHitObjectNV, Op::TypeHitObjectEXT), NONE);
        self.function_variable(ty, name)
    }

    /// Finds where hit objects live.
    pub(crate) fn find_hits(&mut self) {
        let f = self.f;
        if !f.slots.values().any(|s| s.role == SlotRole::HitObject) {
            return;
        }
        let hits = &mut self.hits;
        f.for_each_inst(f.body, |_, i| {
            let InstData::Access { op, place, args, .. } = f.insts[i] else { return };
            let Root::Slot(s) = f.places[place].root else { return };
            if f.slots[s].role != SlotRole::HitObject {
                return;
            }
            match op {
                O::store => _ = f.get(args).last().map(|&v| hits.homes.insert(v, s)),
                _ => *hits.looks.entry(s).or_default() += 1,
            }
        });
        if self.e.ser == Some(Ser::Ext) {
            hits.groups = hit_groups::find(self.m, f, &hits.homes, &hits.looks);
        }
    }

    pub(crate) fn declare_hit(&mut self, slot: Slot) {
        let id = self.hit_var(&self.f.slots[slot].name);
        self.slots[slot] = Some(id);
    }

    /// The class of attributes that go with hit objects.
    pub(crate) fn hit_attribute_class(&self) -> StorageClass {
        match self.ser() {
            Ser::Nv => StorageClass::HitObjectAttributeNV,
            Ser::Ext => StorageClass::HitObjectAttributeEXT,
        }
    }

    /// The variable that a new hit object goes into.
    fn destination(&mut self, v: Value) -> Id {
        if let Some(&s) = self.hits.homes.get(&v) {
            return self.slot_var(s);
        }
        if let Some(v) = self.hits.scratch {
            return v;
        }
        let id = self.hit_var("");
        self.hits.scratch = Some(id);
        id
    }

    /// A load or store of a hit object's slot: the name of the variable. Whether it was that.
    pub(crate) fn hit_access(&mut self, i: Inst) -> bool {
        let InstData::Access { op, place, .. } = self.f.insts[i] else { return false };
        let Root::Slot(s) = self.f.places[place].root else { return false };
        if self.f.slots[s].role != SlotRole::HitObject {
            return false;
        }
        if op == O::load {
            let (v, var) = (self.f.result(i), self.slot_var(s));
            self.set(v, var);
        }
        true
    }

    /// An instruction on hit objects. Whether it was one.
    pub(crate) fn hit_inst(&mut self, i: Inst) -> bool {
        let op = self.f.op(i);
        let row = RtInfo::of(op).and_then(|r| r.ser);
        if row.is_none() && op != O::hit_record {
            return false;
        }
        let number = row.and_then(|r| if self.ser() == Ser::Nv { r.nv } else { r.ext });
        let o = match op {
            O::hit_record => Some(Op::HitObjectRecordHitWithIndexNV),
            _ => number.and_then(|n| Op::from_u32(n.into())),
        };
        let Some(o) = o else {
            let name = self.ser().extension();
            self.error(format!("`{op}` has no form in {name}"));
            return true;
        };
        let args = self.f.operands(i);
        match self.f.insts[i] {
            InstData::Slot { slot, .. } => self.hit_slot_inst(i, op, o, slot, &args),
            _ if op == O::reorder => self.reorder(&args),
            _ => self.hit_value(i, op, o, &args),
        }
        true
    }

    fn hit_slot_inst(&mut self, i: Inst, op: O, o: Op, slot: Slot, args: &[Value]) {
        let var = self.slot_var(slot);
        match op {
            O::hit_trace => {
                let result = self.f.result(i);
                let Some(mut ids) = self.trace_operands(i, result, args) else { return };
                ids.push(var);
                self.stmt(o, &ids);
            }
            O::hit_invoke => {
                let h = self.val(args[0]);
                let incoming = self.f.slots[slot].role == SlotRole::PayloadIn;
                if !(incoming && self.ser() == Ser::Nv) {
                    return self.stmt(o, &[h, var]);
                }
                // It takes payloads of the caller only.
                let copy = self.payload_copy(slot);
                self.stmt(Op::CopyMemory, &[copy, var]);
                self.stmt(o, &[h, copy]);
                self.stmt(Op::CopyMemory, &[var, copy]);
            }
            O::hit_attributes => {
                let h = self.val(args[0]);
                self.stmt(o, &[h, var]);
            }
            O::hit_from_query_attrs => {
                let result = self.f.result(i);
                let (h, q, kind) = (self.destination(result), self.val(args[0]), self.val(args[1]));
                let record = self.e.w.u32(0);
                self.stmt(o, &[h, q, record, var, kind]);
            }
            _ => {
                // `hit_record`
                let result = self.f.result(i);
                let Some(mut ids) = self.scene_operands(result, args) else { return };
                ids.push(var);
                self.stmt(o, &ids);
            }
        }
    }

    /// The hit object, the scene and the other operands.
    fn scene_operands(&mut self, result: Value, args: &[Value]) -> Option<Vec<Id>> {
        let scene = self.handle(args[0])?;
        let mut ids = vec![self.destination(result), self.accel(&scene)];
        for &a in &args[1..] {
            let id = self.val(a);
            ids.push(id);
        }
        Some(ids)
    }

    fn trace_operands(&mut self, i: Inst, result: Value, args: &[Value]) -> Option<Vec<Id>> {
        let micromaps = self.pipelines_allow_micromaps();
        self.note_ray_flags(i, args[1], 0, micromaps);
        self.scene_operands(result, args)
    }

    /// The variable in which a payload of this shader's caller goes to the shader that is invoked.
    fn payload_copy(&mut self, slot: Slot) -> Id {
        if let Some(&v) = self.hits.copies.get(&slot) {
            return v;
        }
        let data = &self.f.slots[slot];
        let ty = self.e.variable_ty(data.ty, StorageClass::RayPayloadKHR, true);
        let v = self.e.w.variable(StorageClass::RayPayloadKHR, ty, None);
        self.e.w.name(v, &data.name);
        let outgoing = |s: &&rtc_ir::SlotData| matches!(s.role, SlotRole::PayloadOut | SlotRole::CallableOut);
        let location = self.f.slots.values().filter(outgoing).count() + self.hits.copies.len();
        self.e.w.decorate(v, Decoration::Location, &[location as u32]);
        self.interface.insert(v);
        self.hits.copies.insert(slot, v);
        v
    }

    /// What gives a hit object or a number.
    fn hit_value(&mut self, i: Inst, op: O, o: Op, args: &[Value]) {
        let result = self.f.result(i);
        match op {
            O::hit_make_nop => {
                if self.hits.homes.contains_key(&result) {
                    let h = self.destination(result);
                    self.stmt(o, &[h]);
                }
                return;
            }
            O::hit_make_miss => {
                let mut ids = vec![self.destination(result)];
                let skip = usize::from(self.ser() == Ser::Nv);
                for &a in &args[skip..] {
                    let id = self.val(a);
                    ids.push(id);
                }
                return self.stmt(o, &ids);
            }
            O::hit_set_shader_table_index => {
                let (h, index) = (self.val(args[0]), self.val(args[1]));
                return self.stmt(o, &[h, index]);
            }
            _ => {}
        }
        let h = self.val(args[0]);
        let imm = match self.f.insts[i] {
            InstData::Many { imm, .. } => imm,
            _ => 0,
        };
        let id = match op {
            O::hit_get_object_to_world | O::hit_get_world_to_object => {
                let matrix = self.matrix_ty();
                let m = self.op(o, matrix, &[h]);
                self.row_of_columns(m, imm)
            }
            O::hit_triangle_object_position => {
                let why = self.reason("positions of a triangle's vertices");
                self.e.w.capability(Capability::RayTracingPositionFetchKHR, || why.clone());
                self.e.w.extension("SPV_KHR_ray_tracing_position_fetch", || why);
                let vertex = self.e.ty(Type::F32X3);
                let three = self.e.w.u32(3);
                let array = self.e.w.array_ty(vertex, three);
                let all = self.op(o, array, &[h]);
                self.extract(vertex, all, &[imm])
            }
            O::hit_load_root_constant => self.load_root_constant(o, h, args[1]),
            O::hit_get_cluster_id if !self.clusters() => self.e.w.u32(u32::MAX),
            _ => {
                let ty = self.ty_of(result);
                self.op(o, ty, &[h])
            }
        };
        self.set(result, id);
    }

    /// The word at byte `at` of the record that hit object `h` names: after the handle, as in every record.
    fn load_root_constant(&mut self, o: Op, h: Id, at: Value) -> Id {
        let why = self.reason("a constant in the shader record of a hit object");
        self.e.w.physical = true;
        self.e.w.capability(Capability::PhysicalStorageBufferAddresses, || why.clone());
        self.e.w.extension("SPV_KHR_physical_storage_buffer", || why);
        let word = self.e.w.u32_ty();
        let pair = self.e.w.vector_ty(word, 2);
        let address = self.op(o, pair, &[h]);
        let class = StorageClass::PhysicalStorageBuffer;
        let block = self.e.block_ty(BlockKind::Words);
        let (whole, one) = (self.e.w.pointer_ty(class, block), self.e.w.pointer_ty(class, word));
        let base = self.op(Op::Bitcast, whole, &[address]);
        let n = match self.f.as_const(at) {
            Some(n) => self.e.w.u32(n as u32 / 4),
            None => {
                let (at, two) = (self.val(at), self.e.w.u32(2));
                self.op(Op::ShiftRightLogical, word, &[at, two])
            }
        };
        let zero = self.e.w.u32(0);
        let p = self.op(Op::AccessChain, one, &[base, zero, n]);
        self.op(Op::Load, word, &operands![p, MemoryAccess::ALIGNED, Literal(4)])
    }

    /// A hint and its bits, if there are some.
    fn hint(&mut self, args: &[Value]) -> Vec<Id> {
        match self.f.as_const(args[2]) {
            Some(0) => Vec::new(),
            _ => vec![self.val(args[1]), self.val(args[2])],
        }
    }

    fn reorder(&mut self, args: &[Value]) {
        self.need_ser("`MaybeReorderThread`");
        let mut operands = self.hint(args);
        let direct = self.f.def_inst(args[0]).is_some_and(|d| self.f.op(d) == O::hit_make_nop);
        if direct {
            return self.stmt(self.ser_op(Op::ReorderThreadWithHintNV, Op::ReorderThreadWithHintEXT), &operands);
        }
        operands.insert(0, self.val(args[0]));
        self.stmt(self.ser_op(Op::ReorderThreadWithHitObjectNV, Op::ReorderThreadWithHitObjectEXT), &operands);
    }

    /// Emits one instruction of the EXT extension for the calls that `insts` begins with, if they are such a group; what is between them is emitted
    /// first. Returns how many instructions were consumed, 0 if there is no group.
    pub(crate) fn hit_group(&mut self, insts: &[Inst]) -> usize {
        let Some(group) = self.hits.groups.get(&insts[0]).copied() else { return 0 };
        let f = self.f;
        for &i in &insts[1..group.length - 1] {
            if i != group.reorder {
                self.inst(i);
            }
        }
        self.span = f.spans[insts[0]];
        self.need_ser("`MaybeReorderThread`");
        let (o, mut ids) = match f.insts[insts[0]] {
            InstData::Slot { op: O::hit_trace, args, .. } => {
                let Some(ids) = self.trace_operands(insts[0], f.result(insts[0]), f.get(args)) else { return group.length };
                (Op::HitObjectTraceReorderExecuteEXT, ids)
            }
            _ => (Op::HitObjectReorderExecuteShaderEXT, vec![self.slot_var(group.hit)]),
        };
        ids.push(self.slot_var(group.payload));
        ids.extend(self.hint(&f.operands(group.reorder)));
        self.stmt(o, &ids);
        group.length
    }
}
