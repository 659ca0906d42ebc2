//! Rasteriser-ordered views: one critical section around the accesses of a pixel shader (`SPV_EXT_fragment_shader_interlock`).
//!
//! A thread may enter and leave its critical section once at most. So the section is a range of instructions of one region: of the
//! innermost region that contains all accesses and is in no loop. What leaves the range early, a `break` or a `return`, ends the
//! section first.

use rtc_ir::analysis::RegionTree;
use rtc_ir::effects::of_inst;
use rtc_ir::{ElementRole, Function, Inst, InstData, Module, Region, Stage};
use rtc_tables::insts::Effects;
use rtc_tables::resources::ResourceFlags;
use rtc_tables::signature::Semantic;
use spirv::{Capability as C, ExecutionMode, Op};

use super::FuncEmitter;
use crate::words::{Id, NONE};

/// The critical section of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    first: Inst,
    last: Inst,
    /// How many constructs are around it.
    depth: usize,
    /// The instruction that is emitted is in it.
    inside: bool,
}

/// Whether an instruction accesses a rasteriser-ordered view.
fn is_ordered(m: &Module, f: &Function, i: Inst) -> bool {
    let ordered = |v| m.types.as_resource(f.ty(v)).is_some_and(|r| r.flags.contains(ResourceFlags::ROV));
    !matches!(f.insts[i], InstData::Resource { .. })
        && of_inst(m, f, i).intersects(Effects::READS_MEM | Effects::WRITES_MEM)
        && f.operands(i).iter().any(|&v| ordered(v))
}

impl Section {
    /// The critical section that the accesses of `f` need; none if there are none.
    pub(crate) fn of(m: &Module, f: &Function) -> Option<Section> {
        if f.stage != Stage::Pixel || f.declared {
            return None;
        }
        let mut all: Vec<(Region, Inst)> = Vec::new();
        f.for_each_inst(f.body, |r, i| {
            if is_ordered(m, f, i) {
                all.push((r, i));
            }
        });
        let &(mut home, _) = all.first()?;
        let tree = RegionTree::of(f);
        for &(r, _) in &all {
            home = tree.common(home, r);
        }
        while tree.innermost_loop(home).is_some() {
            home = tree.parent(home)?;
        }
        // The instruction of the region that is or contains the access.
        let within = |(mut r, mut i): (Region, Inst)| {
            while r != home {
                let (Some(owner), Some(parent)) = (f.regions[r].owner, tree.parent(r)) else { break };
                (r, i) = (parent, owner);
            }
            i
        };
        let (first, last) = (within(*all.first()?), within(*all.last()?));
        Some(Section { first, last, depth: 0, inside: false })
    }
}

impl FuncEmitter<'_, '_> {
    /// Enters the critical section before its first instruction.
    pub(crate) fn before_ordered(&mut self, i: Inst) {
        let depth = self.constructs.len();
        if let Some(s) = &mut self.section
            && s.first == i
        {
            (s.inside, s.depth) = (true, depth);
            self.stmt(Op::BeginInvocationInterlockEXT, NONE);
        }
    }

    /// Leaves the critical section after its last instruction.
    pub(crate) fn after_ordered(&mut self, i: Inst) {
        let open = self.block.is_some();
        if let Some(s) = &mut self.section
            && s.last == i
        {
            s.inside = false;
            if open {
                self.stmt(Op::EndInvocationInterlockEXT, NONE);
            }
        }
    }

    /// Leaves the critical section before an exit from it: to the construct with this number, or out of the function.
    pub(crate) fn exit_ordered(&mut self, construct: Option<usize>) {
        if self.section.is_some_and(|s| s.inside && construct.is_none_or(|c| c < s.depth)) {
            self.stmt(Op::EndInvocationInterlockEXT, NONE);
        }
    }

    /// What the entry point says of its critical section.
    pub(crate) fn ordered_modes(&mut self, id: Id) {
        if self.section.is_none() {
            return;
        }
        let inputs = |s: Semantic| self.f.elements.values().any(|e| e.role == ElementRole::Input && e.semantic == s);
        let (capability, mode) = if inputs(Semantic::SampleIndex) {
            (C::FragmentShaderSampleInterlockEXT, ExecutionMode::SampleInterlockOrderedEXT)
        } else if inputs(Semantic::ShadingRate) {
            (C::FragmentShaderShadingRateInterlockEXT, ExecutionMode::ShadingRateInterlockOrderedEXT)
        } else {
            (C::FragmentShaderPixelInterlockEXT, ExecutionMode::PixelInterlockOrderedEXT)
        };
        let why = self.reason("a rasteriser-ordered view");
        self.e.w.capability(capability, || why.clone());
        self.e.w.extension("SPV_EXT_fragment_shader_interlock", || why);
        self.e.w.execution_mode(id, mode, &[]);
    }
}
