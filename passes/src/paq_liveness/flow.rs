//! A shader as the analyses see it: a graph of blocks of *events* on payload cells, with everything that it calls in
//! place. What has nothing to do with payloads is not there, nor are branches that only decide over such things.

use rtc_base::Span;
use rtc_ir::{Func, Inst, Opcode, Struct};
use smallvec::SmallVec;

use super::keys::{Keys, Lit, LoopId};
use super::types::Part;

/// Something that happens to payload cells.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Variables come into being: nothing is in them.
    Fresh(Part),
    /// Read, for itself.
    Load(Part),
    /// Written. `named`: an assignment of the source to this place, no initialisation of a whole payload.
    Store { to: Part, named: bool },
    /// `to := from`, cell by cell. `passing`: on the way to or from another shader.
    Copy { to: Part, from: Part, passing: bool, named: bool },
    /// A function of another library has it: nobody knows what of it is read, nor, if it may write there, what is written.
    Escape { part: Part, writes: bool },
    /// Other shaders run with the payload in these cells.
    Trace { slot: Part, ty: Struct, op: Opcode },
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

/// A call: of what, from where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub func: Func,
    /// The calling frame and the call's place.
    pub caller: Option<(u32, Span)>,
}

/// A way from one block to another.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub to: u32,
    /// What holds when it is taken (and, at the end of a round, in the next one).
    pub lits: SmallVec<[Lit; 2]>,
    /// The next round of this loop begins: what it computes anew is forgotten first.
    pub back: Option<LoopId>,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Block {
    pub first: u32,
    pub last: u32,
    pub succs: SmallVec<[Edge; 2]>,
    /// The source of the branch or arm that begins here; of nothing in particular elsewhere.
    pub span: Span,
}

/// One entry point or exported function.
pub(super) struct Flow {
    pub root: Func,
    pub events: Vec<Event>,
    /// The first one is where control begins.
    pub blocks: Vec<Block>,
    pub frames: Vec<Frame>,
    /// How many cells there are.
    pub cells: u32,
    /// The payload that the shader was traced with.
    pub incoming: Option<(Part, Struct)>,
    /// Parameters of an exported function, global variables: what others may see.
    pub shared: Vec<Part>,
    pub keys: Keys,
    /// The place of each condition that is assumed somewhere.
    pub conditions: rustc_hash::FxHashMap<Lit, Span>,
    /// Blocks that control reaches, each before what follows it (but for loops).
    pub order: Vec<u32>,
}

impl Flow {
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
