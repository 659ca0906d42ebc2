//! DXIL operations that the runtime does: a table of functions by opcode, one list for each family.

pub mod bits;
mod hit_object;
mod query;
mod rays;
mod resources;
mod small;
mod wave;

pub use resources::RESIDENT;

use super::args::{Args, OpFn};
use super::thread::Thread;
use rtc_tables::dxil_ops::{DxilOp, EXPERIMENTAL};
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// The families: operations, and what does them.
const FAMILIES: &[&[(u32, OpFn)]] = &[
    bits::OPS,
    resources::BUFFERS,
    resources::FEEDBACK,
    resources::HANDLES,
    resources::SAMPLES,
    resources::TEXTURES,
    wave::OPS,
    rays::OPS,
    query::OPS,
    hit_object::OPS,
    small::OPS,
];

/// More opcodes than there are in either table.
const MAX: usize = 1024;

/// Released and experimental operations, by index.
static TABLE: LazyLock<[Vec<OpFn>; 2]> = LazyLock::new(|| {
    let mut table = [vec![missing as OpFn; MAX], vec![missing as OpFn; MAX]];
    for (opcode, run) in FAMILIES.iter().copied().flatten() {
        if let Some((which, at)) = place(*opcode) {
            table[which][at] = *run;
        }
    }
    table
});

fn place(opcode: u32) -> Option<(usize, usize)> {
    let at = (opcode & !EXPERIMENTAL) as usize;
    (at < MAX).then_some((usize::from(opcode & EXPERIMENTAL != 0), at))
}

/// What does an operation.
pub fn find(opcode: u32) -> OpFn {
    place(opcode).map_or(missing as OpFn, |(which, at)| TABLE[which][at])
}

/// Whether an operation is there.
pub fn has(opcode: u32) -> bool {
    static THERE: LazyLock<FxHashSet<u32>> = LazyLock::new(|| FAMILIES.iter().copied().flatten().map(|f| f.0).collect());
    THERE.contains(&opcode)
}

/// Stands for operations that are not there. Loading refuses them, so nobody sees this.
fn missing(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let name = DxilOp::by_opcode(args.opcode).map_or("?", |op| op.name);
    thread.fail(args.shape.site, format!("the operation {name} is not there on this device"));
    args.slots().fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_comes_once() {
        let mut all: Vec<u32> = FAMILIES.iter().copied().flatten().map(|f| f.0).collect();
        all.sort_unstable();
        let twice: Vec<&[u32]> = all.windows(2).filter(|w| w[0] == w[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
