//! Vectorisation of superwords: components of one IR value that instructions of the same kind compute become one instruction on vectors.
//!
//! Shader model 6.9 has arithmetic on vectors. Functions are written by components, simplified and contracted; what is still alike in all
//! components of a value is combined then. So `a * b + c` of loaded vectors is one `FMad`, and nothing is decomposed or assembled on the way
//! to a vector store.
//!
//! | file | what |
//! |---|---|
//! | `groups` | what may be combined: *groups* of instructions, and vectors that are *built* from components |
//! | `choice` | what pays: instructions that are saved against insertions, shuffles and extractions |
//! | `rewrite` | the new instructions |
//!
//! A function never gets longer, and a vector is not kept live across a reorder point for the sake of some of its components. A function of a
//! library that requires no shader model with vectors otherwise stays as it is: optimisation does not change what it can be linked with. So do stages
//! with signatures, whose inputs and outputs are scalars: the container states which output depends on which input, derived from instructions.

mod choice;
mod groups;
mod rewrite;

use rtc_dxil_module::{Body, Module, Op, Value};
use rtc_tables::dxil_ops::{DxOp, op};
use smallvec::SmallVec;

use super::Emitter;
use crate::values::Values;

/// The components of a vector.
type Lanes = SmallVec<[Value; 4]>;

impl Emitter<'_> {
    /// Vectorises the finished function. `values`: what IR values have become. `library`: whether it is in a library.
    pub(super) fn vectorize(&mut self, values: &Values, library: bool) {
        #[cfg(test)]
        if which() == Which::None {
            return;
        }
        let Some(mut body) = self.out.funcs[self.func].body.take() else {
            return;
        };
        let all = which().is_all();
        if !library || all || requires_vectors(self.out, &body) {
            let mut code = groups::Code::new(self.out, self.func, &body, &self.reorders);
            code.find(values);
            if let Some(state) = choice::choose(&mut code, all) {
                let chosen = rewrite::Chosen::of(code, state);
                chosen.apply(self.out, self.func, &mut body, self.plan.as_deref_mut());
            }
        }
        self.out.funcs[self.func].body = Some(body);
    }
}

/// Which vectors are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those that pay.
    Paying,
    /// All that can be, in any function, for tests.
    #[cfg(test)]
    All,
    /// None, for tests.
    #[cfg(test)]
    None,
}

#[cfg(test)]
thread_local! {
    /// Which vectors a test requests.
    pub static WHICH: std::cell::Cell<Which> = const { std::cell::Cell::new(Which::Paying) };
}

/// Which vectors are made.
fn which() -> Which {
    #[cfg(test)]
    return WHICH.get();
    #[cfg(not(test))]
    Which::Paying
}

impl Which {
    fn is_all(self) -> bool {
        self != Which::Paying
    }
}

/// Whether some operation of `body` requires a shader model that has vectors: that of loads of vectors.
fn requires_vectors(m: &Module, body: &Body) -> bool {
    let model = op::RAW_BUFFER_VECTOR_LOAD.row().min_sm_in_library;
    let mut all = body.blocks.values().flatten();
    all.any(|&i| operation(m, body, &body.insts[i].op).is_some_and(|op| op.row().min_sm_in_library >= model))
}

/// The DXIL operation that an instruction calls.
fn operation(m: &Module, body: &Body, op: &Op) -> Option<DxOp> {
    let Op::Call { callee: Value::Func(callee), args, .. } = *op else {
        return None;
    };
    if !m.is_dx_op(callee) {
        return None;
    }
    DxOp::from_u32(m.int_of(*body.values(args).first()?)? as u32)
}
