//! Accesses of UAVs and barriers, and what can have happened since an address was written.

use rtc_base::{Diagnostic, PackedOption, Span};
use rtc_ir::{Function, Global, Inst, InstData, Module, Opcode, ResourceType, Value};
use rtc_tables::barriers::{memory, mode, semantics};
use rtc_tables::resources::ResourceClass;
use smallvec::SmallVec;

/// What an instruction does to memory that other waves may see.
pub(super) enum Access {
    Read,
    Write,
    Atomic,
}

/// What an instruction does to a UAV: the access, the handle, the operands that say where in it, the type.
pub(super) fn access(m: &Module, f: &Function, i: Inst) -> Option<(Access, Value, SmallVec<[Value; 2]>, ResourceType)> {
    let InstData::Many { op, args, .. } = f.insts[i] else { return None };
    use Opcode as O;
    let (what, count) = match op {
        O::buf_load => (Access::Read, 2),
        O::raw_load | O::tex_load => (Access::Read, 1),
        O::buf_store => (Access::Write, 2),
        O::raw_store | O::tex_store => (Access::Write, 1),
        O::buf_atomic => (Access::Atomic, 2),
        O::raw_atomic | O::tex_atomic => (Access::Atomic, 1),
        _ => return None,
    };
    let args = f.get(args);
    let handle = *args.first()?;
    let ty = m.types.as_resource(f.ty(handle)).filter(|t| t.class == ResourceClass::Uav)?;
    Some((what, handle, args.get(1..1 + count)?.into(), ty))
}

/// What a barrier is for: all UAVs or one, and whether it has reorder scope. `None` if it does not help across points.
pub(super) fn barrier(f: &Function, i: Inst) -> Option<(Option<Value>, bool)> {
    const DEVICE_OR_REORDER: u32 = semantics::DEVICE | semantics::REORDER;
    match f.insts[i] {
        InstData::Many { op: Opcode::barrier, imm, .. } => (imm & mode::UAV_GLOBAL != 0).then_some((None, false)),
        InstData::Many { op: Opcode::memory_barrier, imm, .. } => {
            let scope = imm >> 8;
            (imm & memory::UAV != 0 && scope & DEVICE_OR_REORDER != 0).then_some((None, scope & semantics::REORDER != 0))
        }
        InstData::Many { op: Opcode::handle_barrier, imm, args } => {
            (imm & DEVICE_OR_REORDER != 0).then_some((f.get(args).first().copied(), imm & semantics::REORDER != 0))
        }
        _ => None,
    }
}

/// An address: the resource, the element of an array of resources, the place in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Address {
    /// The number of the handle.
    pub(super) handle: u32,
    /// The numbers of what follows it.
    pub(super) at: SmallVec<[u32; 2]>,
}

/// A use of memory by a shader that others of the same thread may see.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) address: Address,
    pub(super) function: usize,
    pub(super) span: Span,
    /// Of a read, the point before it; of a write, the point after it. None if it is the other shader.
    pub(super) point: Option<Span>,
    pub(super) uav: Uav,
    /// Of a write: a barrier follows.
    pub(super) barrier: bool,
}

/// A UAV and its coherence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Uav {
    pub(super) global: PackedOption<Global>,
    pub(super) coherent: bool,
}

/// What the walks over all functions find.
#[derive(Default)]
pub(super) struct Conflicts {
    pub(super) all: Vec<Diagnostic>,
    pub(super) reads: Vec<Shared>,
    pub(super) writes: Vec<Shared>,
    /// A barrier with reorder scope.
    pub(super) reorder_barrier: Option<Span>,
    /// A barrier that makes writes visible across points.
    pub(super) any_barrier: bool,
}

// The states of an address since it was written, one bit each: several are possible at a join of control flow.

/// Written; no barrier, no point since.
pub(super) const WRITTEN: u8 = 1;
/// Written, then a barrier.
pub(super) const SAFE: u8 = 2;
/// Written, then a point.
pub(super) const CROSSED: u8 = 4;
/// Written, then a point, then a barrier.
pub(super) const LATE: u8 = 8;
/// Written, then a barrier, then a point.
pub(super) const GOOD: u8 = 16;
/// Not written by this function on some path here.
pub(super) const OTHER: u8 = 32;
