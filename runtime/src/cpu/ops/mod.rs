//! The DXIL operations of the runtime: a function table by opcode, with one list for each family.

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

/// The families: operations and their functions.
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

/// More than the number of opcodes in either range.
const MAX: usize = 1024;

/// Released and experimental operations, by index.
static TABLE: LazyLock<[Vec<OpFn>; 2]> = LazyLock::new(|| {
    let mut table = [vec![missing as OpFn; MAX], vec![missing as OpFn; MAX]];
    for (opcode, run) in FAMILIES.iter().copied().flatten() {
        if let Some((which, at)) = table_index(*opcode) {
            table[which][at] = *run;
        }
    }
    table
});

fn table_index(opcode: u32) -> Option<(usize, usize)> {
    let at = (opcode & !EXPERIMENTAL) as usize;
    (at < MAX).then_some((usize::from(opcode & EXPERIMENTAL != 0), at))
}

/// The function of an operation.
pub fn find(opcode: u32) -> OpFn {
    table_index(opcode).map_or(missing as OpFn, |(which, at)| TABLE[which][at])
}

/// Whether an operation is implemented.
pub fn has(opcode: u32) -> bool {
    static IMPLEMENTED: LazyLock<FxHashSet<u32>> = LazyLock::new(|| FAMILIES.iter().copied().flatten().map(|f| f.0).collect());
    IMPLEMENTED.contains(&opcode)
}

/// The function of missing operations. Loading rejects them, so it never runs.
fn missing(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let name = DxilOp::by_opcode(args.opcode).map_or("?", |op| op.name);
    thread.fail(args.shape.site, format!("the operation {name} is not supported on this device"));
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
