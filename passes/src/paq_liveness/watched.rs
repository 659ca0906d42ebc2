//! What the construction of the CFG follows besides cells: variables, results and references, what edges tell of them, and the bits of numbers that
//! branches test.

use rtc_ir::{Func, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::path_conditions::ExprId;

/// What the constants analysis follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Watched {
    /// A variable or a member of one: a scalar of [`Facts::scalars`].
    Scalar(u32),
    /// The result of the function, of this type.
    Result(Type),
    /// What the function has by reference, by the number of the reference, of this type: it is no part of a payload.
    Passed(u32, Type),
    /// A cell of a payload.
    Cell(u32),
}

/// What scalars are.
pub(super) type Values = SmallVec<[(Watched, ExprId); 2]>;

/// What edges to the head of a loop tell.
#[derive(Clone, Default)]
pub(super) struct Tracked {
    /// What the flags that the loop changes are at its head.
    pub flags: Values,
    /// What the scalars are there that may still be the constant that they were before the loop.
    pub kept: Values,
    /// What the numbers are there of which bits are tested, and these.
    pub masked: SmallVec<[(Watched, ExprId, Mask); 2]>,
}

/// No more masks are distinguished for one variable.
const MAX_MASKS: usize = 3;

/// A mask, and of a vector the component that is masked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mask {
    pub component: Option<u32>,
    pub bits: u64,
}

/// The masks of what is followed in a function.
pub(super) type Masks = FxHashMap<(Func, Watched), SmallVec<[Mask; 2]>>;

/// What is tested of bits.
#[derive(Default)]
pub(super) struct Tests {
    /// Which variable has a value that is known no more than that paths met.
    pub met: FxHashMap<ExprId, (Func, Watched)>,
    /// The masks under which a branch tests such values.
    masks: Masks,
    /// Those that are compared with several flags.
    pub compared: FxHashSet<(Func, Watched)>,
    /// The flags that are set or cleared in such values.
    pub made: Vec<((Func, Watched), Mask)>,
    /// Those that edges tell apart: what an earlier walk found.
    pub told: Masks,
}

impl Tests {
    pub fn telling(told: Masks) -> Tests {
        Tests { told, ..Tests::default() }
    }

    pub fn add(&mut self, what: (Func, Watched), mask: Mask) {
        let list = self.masks.entry(what).or_default();
        if list.len() < MAX_MASKS && !list.contains(&mask) {
            list.push(mask);
        }
    }

    /// The masks that were found.
    pub fn masks(mut self) -> Masks {
        for (what, mask) in std::mem::take(&mut self.made) {
            if self.compared.contains(&what) {
                self.add(what, mask);
            }
        }
        self.masks
    }
}
