//! The DXIL operations of the runtime: a function table by opcode, with one list for each family.

pub mod bits;
mod hit_object;
pub mod linalg;
mod query;
mod rays;
mod resources;
mod small;
mod wave;

pub use resources::{RESIDENT, record};

use super::args::Args;
use super::thread::Thread;
use rtc_tables::dxil_ops::DxOp;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// A runtime operation.
pub type OpFn = for<'t, 'm, 'a> fn(&'t mut Thread<'m>, &mut Args<'a>);

/// The families: operations and their functions.
const FAMILIES: &[&[(DxOp, OpFn)]] = &[
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
    linalg::OPS,
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

fn table_index(opcode: DxOp) -> Option<(usize, usize)> {
    let at = opcode.index();
    (at < MAX).then_some((usize::from(opcode.is_experimental()), at))
}

/// The function of an operation.
pub fn find(opcode: DxOp) -> OpFn {
    table_index(opcode).map_or(missing as OpFn, |(which, at)| TABLE[which][at])
}

/// Whether an operation is implemented.
pub fn has(opcode: DxOp) -> bool {
    static IMPLEMENTED: LazyLock<FxHashSet<DxOp>> = LazyLock::new(|| FAMILIES.iter().copied().flatten().map(|f| f.0).collect());
    IMPLEMENTED.contains(&opcode)
}

/// The function of missing operations. Loading rejects them, so it never runs.
fn missing(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let name = args.opcode.row().name;
    thread.fail(args.shape.site, format!("the operation {name} is not supported on this device"));
    args.slots().fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_comes_once() {
        let mut all: Vec<DxOp> = FAMILIES.iter().copied().flatten().map(|f| f.0).collect();
        all.sort_unstable();
        let twice: Vec<&[DxOp]> = all.windows(2).filter(|w| w[0] == w[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
