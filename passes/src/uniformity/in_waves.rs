//! Sources of divergence within a wave: the transfer function of [`Uniformity::in_waves`](super::Uniformity::in_waves).
//!
//! | varies | is the same in a wave |
//! |---|---|
//! | thread, lane and ray: their numbers, what a ray hit, hit objects and ray queries | group, size of the dispatch, results of reductions of the wave |
//! | inputs of graphics stages, except what a draw has | group-shared memory and UAVs at one address |
//! | payloads, parameters of callable shaders, hit attributes | the payload of a mesh shader |
//! | what shader records hold | all other bindings |
//! | results of atomic operations | what functions of other libraries return: it is not known |
//!
//! A component of a vector is looked for where it comes from: one of the thread's numbers is that of the group where the group is one thread wide.

use rtc_base::{EntityRef, EntitySet};
use rtc_ir::{Element, Function, Global, GlobalKind, Inst, InstData, Opcode, Root, SlotRole, Value, effects};
use rtc_tables::insts::{Effects, ElementPart};
use rtc_tables::signature::Semantic;
use rtc_tables::vk_builtins::VkBuiltin;

use super::Solver;

/// How deep components of vectors are looked for.
const MAX_DEPTH: u32 = 8;

/// Instructions without operands whose result all lanes of a wave have.
const OF_WAVE: &[Opcode] = &[
    Opcode::dispatch_rays_dim,
    Opcode::group_id,
    Opcode::wave_lane_count,
    Opcode::get_group_wave_index,
    Opcode::get_group_wave_count,
    Opcode::render_target_get_sample_count,
    Opcode::debugging_enabled,
    Opcode::hit_make_nop,
];

/// Wave operations that give all active lanes one result.
const REDUCTIONS: &[Opcode] = &[
    Opcode::wave_any_true,
    Opcode::wave_all_true,
    Opcode::wave_all_equal,
    Opcode::wave_ballot,
    Opcode::wave_all_bit_count,
    Opcode::wave_active_op,
    Opcode::wave_read_lane_first,
];

/// Wave operations that give each lane a result of its own.
const OF_LANE: &[Opcode] =
    &[Opcode::wave_prefix_bit_count, Opcode::wave_prefix_op, Opcode::wave_multi_prefix_op, Opcode::wave_multi_prefix_bit_count];

/// Whether `op` gives all active lanes one result, which is not that of another wave.
pub(crate) fn is_reduction(op: Opcode) -> bool {
    REDUCTIONS.contains(&op) || matches!(op, Opcode::wave_read_lane_at | Opcode::get_group_wave_index)
}

impl Solver<'_> {
    /// Whether it is known that lanes of a wave get different results of `i`, which owns no regions.
    pub(super) fn varies_in_wave(&self, i: Inst, local: &EntitySet<Global>) -> bool {
        let (m, f) = (self.m, self.f);
        let op = f.op(i);
        if REDUCTIONS.contains(&op) {
            return false;
        }
        if OF_LANE.contains(&op) || op.effects().intersects(Effects::READS_QUERY | Effects::WRITES_MEM) && op != Opcode::call {
            return true;
        }
        match f.insts[i] {
            InstData::Nullary { op } => !OF_WAVE.contains(&op),
            InstData::Resource { global, index, .. } => {
                let recorded = !effects::shares_bindings(f.stage) && (local.contains(global) || !effects::is_bound_once(m, global));
                recorded || index.expand().is_some_and(|v| !self.uniform(v))
            }
            InstData::Binary { op: Opcode::wave_read_lane_at, args: [_, lane] } => !self.uniform(lane),
            InstData::Access { place, args, .. } => {
                f.get(args).iter().any(|&v| !self.uniform(v)) || self.holds_varying(f.places[place].root)
            }
            InstData::Slot { op, .. } => op != Opcode::allocate_ray_query,
            InstData::Call { .. } => false,
            InstData::Many { op: Opcode::load_input, imm, .. } => !is_of_draw(f, imm),
            InstData::Many {
                op: Opcode::eval_snapped | Opcode::eval_sample_index | Opcode::eval_centroid | Opcode::attribute_at_vertex,
                ..
            } => true,
            InstData::Many { args, .. } if args.is_empty() => true,
            InstData::Many { op: Opcode::extract, imm, args } => self.component_varies(f.get(args)[0], imm, MAX_DEPTH),
            InstData::Binary { op: op @ (Opcode::udiv | Opcode::lshr), args: [number, by] } if self.is_number_of_group(op, number, by) => {
                false
            }
            _ => {
                let mut any = false;
                f.for_each_operand(i, |v| any |= !self.uniform(v));
                any
            }
        }
    }

    /// Whether what is in a variable differs among lanes that read the same part of it.
    fn holds_varying(&self, root: Root) -> bool {
        match root {
            Root::Local(l) => self.varying_locals.contains(l),
            Root::Slot(s) => self.f.slots[s].role != SlotRole::MeshIn,
            Root::Global(g) => matches!(self.m.globals[g].kind, GlobalKind::Private(..)),
        }
    }

    /// A write of a variable: it holds values that vary from now on, if these do.
    pub(super) fn write(&mut self, i: Inst) {
        let f = self.f;
        let mut varies = false;
        f.for_each_operand(i, |v| varies |= !self.uniform(v));
        let to = match f.insts[i] {
            InstData::Access { place, .. } => place,
            InstData::Copy { to, from, .. } => {
                varies |= self.holds_varying(f.places[from].root);
                to
            }
            _ => return,
        };
        if let (true, Root::Local(l)) = (varies, f.places[to].root) {
            self.changed |= self.varying_locals.insert(l);
        }
    }

    /// Whether component `n` of `v` varies.
    fn component_varies(&self, v: Value, n: u32, depth: u32) -> bool {
        let f = self.f;
        if self.uniform(v) {
            return false;
        }
        let Some(i) = f.def_inst(v).filter(|_| depth > 0) else { return true };
        match f.insts[i] {
            InstData::Nullary { op: Opcode::thread_id | Opcode::thread_id_in_group } => f.numthreads.is_none_or(|t| t[n as usize % 3] != 1),
            InstData::Many { op: Opcode::construct, args, .. } => f.get(args).get(n as usize).is_none_or(|&c| !self.uniform(c)),
            InstData::Many { op: Opcode::insert, imm, args } => match *f.get(args) {
                [_, c] if imm == n => !self.uniform(c),
                [rest, _] => self.component_varies(rest, n, depth - 1),
                _ => true,
            },
            InstData::Binary { args: [a, b], .. } if [a, b].iter().all(|&x| f.ty(x) == f.ty(v)) => {
                self.component_varies(a, n, depth - 1) || self.component_varies(b, n, depth - 1)
            }
            InstData::Unary { arg, .. } if f.ty(arg) == f.ty(v) && f.op(i).effects().is_pure() => self.component_varies(arg, n, depth - 1),
            _ => true,
        }
    }

    /// Whether `number`, a thread's along one axis, divided `by` so much is the number of its group: in groups that are one thread high and deep, the number
    /// divided by the width, or by a multiple.
    fn is_number_of_group(&self, op: Opcode, number: Value, by: Value) -> bool {
        let f = self.f;
        let (Some([width, height, depth]), Some(by)) = (f.numthreads, f.as_const(by)) else { return false };
        let by = if op == Opcode::lshr { 1u64.checked_shl(by as u32).unwrap_or(0) } else { by };
        let axis = match f.def_inst(number).map(|i| f.insts[i]) {
            Some(InstData::Many { op: Opcode::extract, imm, args }) => match f.def_inst(f.get(args)[0]).map(|i| f.op(i)) {
                Some(Opcode::thread_id | Opcode::thread_id_in_group) => [width, height, depth][imm as usize % 3],
                _ => return false,
            },
            Some(InstData::Nullary { op: Opcode::flattened_thread_id_in_group }) => width.saturating_mul(height).saturating_mul(depth),
            _ => return false,
        };
        axis != 0 && by != 0 && by.is_multiple_of(axis.into())
    }
}

/// Whether input `imm` is the same for all threads of a draw. Those of different draws are in different waves.
fn is_of_draw(f: &Function, imm: u32) -> bool {
    let e = &f.elements[Element::new(ElementPart::from_imm(imm).element as usize)];
    let of_vulkan =
        matches!(e.builtin, Some(VkBuiltin::BaseVertex | VkBuiltin::BaseInstance | VkBuiltin::DrawIndex | VkBuiltin::DeviceIndex));
    of_vulkan || matches!(e.semantic, Semantic::ViewId | Semantic::StartVertexLocation | Semantic::StartInstanceLocation)
}
