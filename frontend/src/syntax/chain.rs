//! Binary operators by precedence: the operators of a chain `a + b * c` that wait for their right operands, on one stack for all chains
//! that are open.

use super::ast::ExprId;
use crate::classify::Tok;

/// An operand: its expression, and its terminals from `l` up to, not including, `r`, parentheses among them.
#[derive(Clone, Copy)]
pub struct Operand {
    /// Its first terminal.
    pub l: u32,
    /// After its last terminal.
    pub r: u32,
    /// The expression.
    pub e: ExprId,
}

/// A chain that is open.
#[derive(Clone, Copy)]
pub struct Chain {
    /// How many operators of other chains are below its own on the stack.
    base: usize,
    /// Its last operand, which waits for what follows.
    pub last: Operand,
}

impl Chain {
    /// The chain with its next operand.
    pub fn with(self, last: Operand) -> Chain {
        Chain { last, ..self }
    }
}

/// An operator with its left operand.
#[derive(Clone, Copy)]
pub struct Waiting {
    /// The left operand.
    pub left: Operand,
    /// The terminal of the operator.
    pub operator: u32,
    level: Level,
}

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// What is around a chain binds least.
    pub const END: Level = Level(0);

    /// The level of a binary operator.
    pub fn of(operator: Tok) -> Level {
        Level(match operator {
            Tok::OrOr => 1,
            Tok::AndAnd => 2,
            Tok::Pipe => 3,
            Tok::Caret => 4,
            Tok::Amp => 5,
            Tok::EqOp => 6,
            Tok::RelOp => 7,
            Tok::ShiftOp => 8,
            Tok::Plus | Tok::Minus => 9,
            _ => 10,
        })
    }
}

/// The operators that wait.
#[derive(Default)]
pub struct Chains {
    waiting: Vec<Waiting>,
}

impl Chains {
    /// A chain that begins with this operand. Chains inside of the operand have ended.
    pub fn begin(&self, first: Operand) -> Chain {
        Chain { base: self.waiting.len(), last: first }
    }

    /// `operator` waits for what follows `left`.
    pub fn push(&mut self, left: Operand, operator: u32, level: Level) {
        self.waiting.push(Waiting { left, operator, level });
    }

    /// The last operator of `chain` if it binds what is between it and one of `level`: operators of one level bind to the left.
    pub fn pop(&mut self, chain: Chain, level: Level) -> Option<Waiting> {
        let own = self.waiting.len() > chain.base;
        self.waiting.pop_if(|w| own && w.level >= level)
    }
}
