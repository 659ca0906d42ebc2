//! Records of one function for its debug information, collected while its code is written.
//!
//! A plan refers to instructions and blocks of the module and adds nothing to it, not even a constant: the code is the same with and
//! without one.

use rtc_base::{PackedOption, PrimaryMap};
use rtc_ir::debug::Named;
use rtc_ir::{self as ir};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use rtc_dxil_module::{Block, Func, Inst, Value};

/// One component of a variable's value.
#[derive(Clone, Copy, Debug)]
pub enum Component {
    /// A value of the module.
    Value(Value),
    /// A constant of a scalar type: its bits.
    Const(ir::Scalar, u64),
    /// Unknown.
    Unknown,
}

/// A variable changes.
#[derive(Clone, Debug)]
pub struct Change {
    /// In which block.
    pub block: Block,
    /// After which instruction of the block; `None`: at its start.
    pub after: PackedOption<Inst>,
    /// The part of a variable.
    pub what: Named,
    /// Its value from here on.
    pub value: SmallVec<[Component; 4]>,
}

/// Memory of a variable.
#[derive(Clone, Debug)]
pub struct VariableMemory {
    /// Its address.
    pub address: Value,
    /// The part of the variable that is stored there, elements from the first on.
    pub what: Named,
    /// The number of consecutive elements; 0: not an array.
    pub count: u64,
    /// It is a copy for a call: the variable itself may be elsewhere.
    pub copy: bool,
}

/// The records of one function.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In the IR.
    pub source: ir::Func,
    /// In the module.
    pub func: Func,
    /// From which instruction on (in the order they were made) instructions come from which of the IR.
    pub origins: Vec<(u32, PackedOption<ir::Inst>)>,
    /// Changes of variables, those of a place in order.
    pub changes: Vec<Change>,
    /// Variables in memory.
    pub memory: Vec<VariableMemory>,
}

impl Plan {
    /// An empty plan.
    pub fn new(source: ir::Func, func: Func) -> Plan {
        Plan { source, func, origins: Vec::new(), changes: Vec::new(), memory: Vec::new() }
    }

    /// Instructions from number `next` on come from `i`.
    pub fn at(&mut self, next: usize, i: Option<ir::Inst>) {
        let next = next as u32;
        match self.origins.last_mut() {
            Some(last) if last.0 == next => last.1 = i.into(),
            Some(last) if last.1 == i.into() => {}
            _ => self.origins.push((next, i.into())),
        }
    }

    /// The instructions `dead` are about to be removed from `blocks`.
    pub fn forget(&mut self, dead: &FxHashSet<Inst>, blocks: &PrimaryMap<Block, Vec<Inst>>) {
        // The predecessor of each, if that stays.
        let mut before: FxHashMap<Inst, PackedOption<Inst>> = FxHashMap::default();
        for insts in blocks.values() {
            let mut last = None;
            for &i in insts {
                match dead.contains(&i) {
                    true => _ = before.insert(i, last.into()),
                    false => last = Some(i),
                }
            }
        }
        for change in &mut self.changes {
            if let Some(&now) = change.after.expand().and_then(|i| before.get(&i)) {
                change.after = now;
            }
        }
        self.forget_values(dead);
    }

    /// The instructions `gone` no longer give what they gave.
    pub fn forget_values(&mut self, gone: &FxHashSet<Inst>) {
        for c in self.changes.iter_mut().flat_map(|change| &mut change.value) {
            if matches!(c, Component::Value(Value::Inst(i)) if gone.contains(i)) {
                *c = Component::Unknown;
            }
        }
    }
}
