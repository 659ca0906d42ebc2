//! Shader table layout for lowered hit objects: the contract between shaders that `lower_hit_object` produces and the host that builds their shader tables.
//!
//! Traces record: the closest-hit shader of every hit group is a *recorder*, which writes the hit into the payload. Hit
//! groups keep their rows, because a ray selects a row by the instance's offset and has four bits for its own (Vulkan,
//! `SBT Offset`): a second part of the table for recorders would be out of reach. Invoking traces a ray that hits
//! nothing, whose row of the miss table is [`miss_row`] or [`hit_row`]: the shaders to invoke are interleaved, so a
//! shader does not depend on the size of a table. Every record ends with a *tail* that the host fills.
//!
//! Packages whose traces all lanes of a wave execute have [`NULL_MISS_ROW`] before the application's miss table.
//!
//! A library that traces into hit objects only to know whether something was hit needs none of that: its tables are the application's, but
//! for [`MISSED`], the first shader of the miss table.

/// The generated closest-hit shader of groups without an intersection shader. Those of procedural groups have a number
/// appended.
pub const RECORDER: &str = "rtc.record";

/// The resource by which shaders read their record's tail.
pub const TAIL: &str = "rtc.tail";

/// The acceleration structure of libraries that invoke hit objects and name none: the host binds one, which may be
/// without instances, since no ray hits anything in it.
pub const NO_SCENE: &str = "rtc.no_scene";

/// The generated miss shader of libraries that ask hit objects only whether something was hit: the application's miss table follows it.
pub const MISSED: &str = "rtc.missed";

/// The row of the miss table with [`MISSED`].
pub const MISSED_ROW: u32 = 0;

/// How many rows the application's miss table may have after [`MISSED`].
pub const MAX_ROWS_AFTER_MISSED: u32 = u16::MAX as u32;

/// The row of the miss table without a shader, in packages whose traces are executed by all lanes of a wave (`-fspv-converge-traces`): lanes without work name
/// it. The application's miss table follows it, unless hit objects are lowered and [`RECORDING_ROW`] is such a row anyway.
pub const NULL_MISS_ROW: u32 = 0;

/// How many rows the application's miss table may have after [`NULL_MISS_ROW`].
pub const MAX_ROWS_AFTER_NULL: u32 = u16::MAX as u32;

/// The row of the miss table that recording traces name. No shader is in it: a trace that meets nothing leaves the
/// payload as it is.
pub const RECORDING_ROW: u32 = 0;

/// The row of the miss table with the miss shader of a row of the application's miss table.
pub const fn miss_row(row: u32) -> u32 {
    1 + 2 * row
}

/// The row of the miss table with the closest-hit shader, compiled as a miss shader, of a row of the hit group table.
pub const fn hit_row(row: u32) -> u32 {
    2 + 2 * row
}

/// How many rows the application's miss and hit group tables may have: traces take 16 bits of a row's number.
pub const MAX_ROWS: u32 = (u16::MAX as u32 - 1) / 2;

/// Byte in the tail: the number of the record's row in the application's table.
pub const TAIL_ROW: u32 = 0;
/// Byte in the tail: bytes from row to row of the application's hit group table.
pub const TAIL_HIT_STRIDE: u32 = 4;
/// Byte in the tail: the address (64 bits) of the local root arguments of row 0 of the hit group table.
pub const TAIL_HIT_ADDRESS: u32 = 8;
/// Byte in the tail: bytes from row to row of the application's miss table.
pub const TAIL_MISS_STRIDE: u32 = 20;
/// Byte in the tail: the address (64 bits) of the local root arguments of row 0 of the miss table.
pub const TAIL_MISS_ADDRESS: u32 = 24;
/// Bytes of a tail that has just the number.
pub const TAIL_SHORT: u32 = 4;
/// Bytes of a whole tail, which shaders that read the records of hit objects require.
pub const TAIL_LONG: u32 = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_distinct_and_fit_sixteen_bits() {
        let last = MAX_ROWS - 1;
        assert!(hit_row(last) <= u32::from(u16::MAX));
        let mut all: Vec<u32> = (0..9).flat_map(|i| [miss_row(i), hit_row(i)]).collect();
        all.push(RECORDING_ROW);
        all.sort_unstable();
        assert!(all.into_iter().eq(0..19));
    }
}
