//! The operations of a function's code that read and write signature elements.

use crate::metadata::signature::{SignatureElement, Signatures};
use rtc_dxil_module::{Body, Inst, Module, Op, Value};
use rtc_tables::dxil_ops::{DxOp, op};

/// Which signature an operation names an element of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Which {
    /// The inputs.
    Input,
    /// The outputs.
    Output,
    /// The third one: patch constants or primitives.
    Patch,
}

impl Which {
    /// The elements of the signature.
    pub fn elements(self, all: &Signatures) -> &[SignatureElement] {
        match self {
            Which::Input => &all.inputs,
            Which::Output => &all.outputs,
            Which::Patch => &all.patch,
        }
    }
    /// The elements of the signature, to change them.
    pub fn elements_mut(self, all: &mut Signatures) -> &mut [SignatureElement] {
        match self {
            Which::Input => &mut all.inputs,
            Which::Output => &mut all.outputs,
            Which::Patch => &mut all.patch,
        }
    }
}

/// An operation on a signature element.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Which signature.
    pub which: Which,
    /// The element.
    pub id: u32,
    /// The row in the element, if it is a constant.
    pub row: Option<u32>,
    /// The column in the element.
    pub column: u32,
    /// What is stored.
    pub value: Option<Value>,
    /// It is a use of the element. Reading control points that the same shader made is none.
    pub used: bool,
}

/// The access that an instruction is. Evaluations of attributes do not count as reads.
pub fn access(m: &Module, body: &Body, inst: Inst) -> Option<Access> {
    let (code, args) = operation(m, body, inst)?;
    let number = |n: usize| args.get(n).and_then(|&v| m.int_of(v)).map(|n| n as u32);
    let (which, stores) = match code {
        op::LOAD_INPUT => (Which::Input, false),
        op::STORE_OUTPUT => (Which::Output, true),
        op::LOAD_OUTPUT_CONTROL_POINT => (Which::Output, false),
        op::LOAD_PATCH_CONSTANT => (Which::Patch, false),
        op::STORE_PATCH_CONSTANT => (Which::Patch, true),
        _ => return None,
    };
    let value = args.get(4).copied().filter(|_| stores);
    let used = code != op::LOAD_OUTPUT_CONTROL_POINT;
    Some(Access { which, id: number(1)?, row: number(2), column: number(3)? & 3, value, used })
}

/// The DXIL operation that an instruction calls, with all arguments.
pub fn operation<'b>(m: &Module, body: &'b Body, inst: Inst) -> Option<(DxOp, &'b [Value])> {
    let Op::Call { callee: Value::Func(callee), args, .. } = body.insts[inst].op else { return None };
    if !m.is_dx_op(callee) {
        return None;
    }
    let args = body.values(args);
    Some((DxOp::from_u32(m.int_of(*args.first()?)? as u32)?, args))
}
