//! Software reordering: dispatches of ray generation shaders that are divided at their reorder points, with a sort of the rays between the stages.
//!
//! The contract with the compiled shaders is [`rtc_tables::wavefront`]; a package lists its divided shaders in
//! [`BindingMap::wavefront`](rtc_package::BindingMap::wavefront).
//!
//! | file | what |
//! |---|---|
//! | `digits` | which bits of the keys each pass of the sort takes |
//! | `tiles` | boxes of the dispatch that fit the memory |
//! | `plan` | tiles, passes and bytes of a dispatch |
//! | `memory` | its buffers |
//! | `kernels` | compute pipelines of `shaders/wavefront.hlsl` |
//! | `sort` | records a sort |
//! | `dispatch` | records tiles and iterations |
//! | `records` | shader records that resume rays |
//!
//! The number of rays that go on is known on the device alone: kernels and launches read it from memory. The host may read it between
//! submissions ([`Wavefront::copy_progress`]) and end a tile when none is left; else it chooses a number of iterations, after which the rays
//! that are left run to their end in one launch.

mod digits;
mod dispatch;
mod kernels;
mod memory;
mod plan;
mod records;
mod sort;
mod tiles;

pub use digits::Digit;
pub use dispatch::{Launch, Progress, Step, Wavefront};
pub use memory::{Memory, PLAIN_SIZES};
pub use plan::{Plan, Sizes};
pub use records::{resume_records, rows};
pub use rtc_package::WavefrontShader;
pub use tiles::{Tile, Tiling};
