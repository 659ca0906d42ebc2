//! Analyses of the region tree that passes, the verifier and the printer share.
//!
//! Control flow of the IR is structured: regions nest, and most of what other compilers compute on a control-flow graph follows
//! from that nesting.
//!
//! * [`Walk`] traverses the regions depth first, in the order of the text, and gives events: enter a region, an
//!   instruction, leave the region, end of a control instruction. [`Backward`] gives the same events in the opposite
//!   order, for backward dataflow. Neither recurses, nor allocates for an instruction.
//! * [`RegionTree`] is the region tree with a pre-order numbering of the instructions: the region of an instruction, parent
//!   and depth of a region, nesting as a test of intervals, the nearest common ancestor, and the loop nest.
//! * [`Exits`] lists, for each construct, the terminators that leave it, continue it or repeat it: the predecessors of its
//!   end, of its continuing region and of its body.
//! * [`Graph`] is the control-flow graph of the regions, for the solvers of [`rtc_base::dataflow`].
//! * [`forward_slice`]: the values that some instructions contribute to.
//! * [`Reachability`] says which constructs control comes out of.
//!
//! Dominance needs no analysis of its own: an instruction dominates what follows it in its region, and everything nested there.
//! A construct is post-dominated by what follows it if no terminator in it leaves a construct further out.

mod exits;
mod graph;
mod reachability;
mod slice;
mod tree;
mod walk;

pub use exits::{Exits, Lists, results_start, target_construct};
pub use graph::{Graph, GraphBlock, GraphEdge, Passed, passed};
pub use reachability::Reachability;
pub use slice::{forward_slice, overlap};
pub use tree::{RegionTree, parents};
pub use walk::{Backward, Event, Walk};

/// Functions that the tests of the analyses use.
#[cfg(test)]
mod test_functions {
    use crate::Function;

    /// The function with this body, which begins with `r0:`; `v0` is a boolean parameter of it.
    pub(super) fn f(body: &str) -> Function {
        let body = body.replacen("r0:", "r0(v0: bool):", 1);
        let text = format!("module sm 6.3\nfn fn0 \"f\" stage library {{\nparams v0\n{body}\n}}\n");
        let m = crate::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        crate::verify::verify(&m).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        m.funcs.values().next().expect("one function").clone()
    }

    /// A loop in a loop, and in that a branch, one side of which leaves both loops.
    pub(super) fn nested() -> Function {
        f("r0:
             loop () {
             r1:
               loop () {
               r2:
                 if v0 {
                 r3:
                   break r1
                 } else {
                 r4:
                   yield
                 }
                 continue r2
               } continuing {
               r5:
                 next_if v0 next() break()
               }
               continue r1
             } continuing {
             r6:
               next
             }
             return")
    }
}
