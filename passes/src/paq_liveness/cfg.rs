//! The control flow graph of payload events: blocks of *events* on payload cells, with calls inlined and conditions on the edges. Instructions
//! that do not touch payloads are left out, and so are branches over such instructions only.

use rtc_base::Span;
use rtc_ir::{Func, Inst, Opcode, Place, Struct};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::hit_kinds::{Origin, Runs};
use super::path_conditions::{Assumptions, Lit, LoopId, PathConditions};
use super::types::Part;

/// Something that happens to payload cells.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Variables are created: they are undefined.
    Fresh(Part),
    /// A read.
    Load(Part),
    /// A write. `named`: an assignment to this l-value in the source, not the initialisation of a whole payload. `once`: no loop repeats it.
    Store { to: Part, named: bool, once: bool },
    /// `to := from`, cell by cell. `passing`: to or from the payload of a trace.
    Copy { to: Part, from: Part, passing: bool, named: bool },
    /// Passed to a function of another library: any of it may be read and, if `writes`, written.
    Escape { part: Part, writes: bool },
    /// A call ends to which this part was passed as an argument of its own, and which has written it: the call is the assignment.
    Returned { to: Part, place: Place },
    /// Hit objects are put into cells.
    Hit { to: Part, made: Origin },
    /// Of the hit object in this cell it is known that it is one of these.
    Refine { cell: u32, kinds: u8 },
    /// Other shaders run with the payload in these cells.
    Trace { slot: Part, ty: Struct, op: Opcode, runs: Runs },
    /// The shader ends.
    Exit,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub kind: Kind,
    /// The call in which it happens.
    pub frame: u32,
    pub inst: Inst,
}

/// A call: its callee and its call site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub func: Func,
    /// The calling frame and the call in it.
    pub caller: Option<(u32, Inst)>,
}

/// What an invocation of a hit object runs on some paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Invoked {
    /// The stages of shaders that may run, a bit for each.
    pub stages: u8,
    /// Those paths are not only assumed because more is not known: there may be one on which no other shader runs.
    pub certain: bool,
    /// What the paths assume.
    pub assumed: Assumptions,
}

/// An edge from one block to another.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub to: u32,
    /// The conditions that hold when it is taken (of a back edge: in the next iteration).
    pub lits: SmallVec<[Lit; 2]>,
    /// It is a back edge of this loop: assumptions about values that the loop recomputes are dropped first.
    pub back: Option<LoopId>,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Block {
    pub first: u32,
    pub last: u32,
    pub succs: SmallVec<[Edge; 2]>,
    /// The source location of the branch or arm that begins here, if one does.
    pub span: Span,
}

/// One entry point or exported function.
pub(super) struct Cfg {
    pub root: Func,
    pub events: Vec<Event>,
    /// The first one is the entry block.
    pub blocks: Vec<Block>,
    pub frames: Vec<Frame>,
    /// The number of cells.
    pub cells: u32,
    /// The payload that the shader was traced with.
    pub incoming: Option<(Part, Struct)>,
    /// Parameters of an exported function and global variables, which other code may read.
    pub shared: Vec<Part>,
    /// Of invocations of hit objects (events): on which paths they run what.
    pub invoked_on: FxHashMap<u32, SmallVec<[Invoked; 2]>>,
    /// Of invocations of hit objects (events): the cells of the object, as a value and in the variable from which it was loaded.
    pub invoked: Vec<(u32, SmallVec<[u32; 2]>)>,
    /// Of tests of hit objects (events) that tell paths apart: those on which the object may be what the test found.
    pub refined_to: FxHashMap<u32, SmallVec<[Assumptions; 2]>>,
    pub conds: PathConditions,
    /// The source location of each condition that an edge assumes.
    pub conditions: FxHashMap<Lit, Span>,
    /// The reachable blocks in reverse post-order.
    pub order: Vec<u32>,
}

impl Cfg {
    pub fn events(&self, block: u32) -> std::ops::Range<usize> {
        let b = &self.blocks[block as usize];
        b.first as usize..b.last as usize
    }

    /// Fills in `order`.
    pub fn sort(&mut self) {
        let mut seen = vec![false; self.blocks.len()];
        let mut out = Vec::with_capacity(self.blocks.len());
        let mut stack = vec![(0u32, 0usize)];
        seen[0] = true;
        while let Some((b, n)) = stack.pop() {
            match self.blocks[b as usize].succs.get(n) {
                None => out.push(b),
                Some(e) => {
                    stack.push((b, n + 1));
                    if !std::mem::replace(&mut seen[e.to as usize], true) {
                        stack.push((e.to, 0));
                    }
                }
            }
        }
        out.reverse();
        self.order = out;
    }
}
