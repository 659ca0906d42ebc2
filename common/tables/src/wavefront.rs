//! Software reordering: the contract between ray generation shaders that the pass `wavefront` divides at their reorder points and the host that sorts rays
//! between their stages.
//!
//! A ray generation shader with n reorder points becomes n + 1 entry points: the shader itself, which *starts* rays, and one that *resumes* them after
//! each point ([`resume`]). A tile of the dispatch is a box of rays; a ray keeps its *slot*, the linear index in its tile, until it ends. A point saves what is
//! live across it in its record of the state buffer (word `w` of slot `s` is word `s * words + w`), writes its key, and returns. A
//! shader that returns otherwise writes [`ENDED`]. Keys are indexed by *position*, the linear index of the thread in the launch, so that they are as many as
//! rays were launched. The host sorts the keys by value, stably, drops those that ended, and resumes the others: those of point k are at
//! positions `base(k) .. base(k) + count(k)` of the sorted slots.
//!
//! With [`CONTROL_STOP`] zero the points do nothing and a shader runs to its end: so a host ends a tile after a bounded number of sorts, and so the
//! library works where rays are not sorted.

/// The buffers by which stages and host meet; each is a `RWByteAddressBuffer` with this name.
pub const BUFFERS: [&str; 4] = [CONTROL, STATE, KEYS, SLOTS];
/// The control block: words at `CONTROL_…`.
pub const CONTROL: &str = "rtc.wavefront.control";
/// Saved state: a record of [`record`] words for each slot.
pub const STATE: &str = "rtc.wavefront.state";
/// A key for each position of the launch, written by the shaders.
pub const KEYS: &str = "rtc.wavefront.keys";
/// The slots of the rays to resume, sorted; written by the host.
pub const SLOTS: &str = "rtc.wavefront.slots";

/// Word of the control block: whether reorder points stop (1) or do nothing (0).
pub const CONTROL_STOP: u32 = 0;
/// Word: how many slots there are, at least the rays of the tile. Shaders do not read it.
pub const CONTROL_CAPACITY: u32 = 1;
/// Words: the first ray of the tile (x, y, z). `DispatchRaysIndex` of a starting ray is this plus the launch index.
pub const CONTROL_ORIGIN: u32 = 2;
/// Words: the size of the tile (x, y, z), which is also that of the launch that starts it. The slot, and the position, of a starting ray is
/// `(z * size.y + y) * size.x + x` of its launch index.
pub const CONTROL_SIZE: u32 = 5;
/// Words: the dimensions of the dispatch, `DispatchRaysDimensions()`.
pub const CONTROL_DIMENSIONS: u32 = 8;
/// Word: which launch runs, for shaders other than ray generation shaders: 0 starts rays, k + 1 resumes those of point k.
pub const CONTROL_LAUNCH: u32 = 11;
/// Words from here: of each point the first position of its rays among the sorted slots (`base`) and their number (`count`). Resuming launches are one-dimensional:
/// the position of a ray that is resumed is `base + launch index`.
pub const CONTROL_POINTS: u32 = 12;
/// Words of a control block.
pub const CONTROL_WORDS: u32 = CONTROL_POINTS + 2 * MAX_POINTS;

/// Most reorder points of a ray generation shader that is divided.
pub const MAX_POINTS: u32 = 26;
/// The key of a ray that ended.
pub const ENDED: u32 = u32::MAX;
/// Bits of a key below the number of the point.
pub const KEY_BITS: u32 = 24;

/// The name of the entry point that resumes the rays of a point (from 0).
pub fn resume(shader: &str, point: u32) -> String {
    format!("{shader}.resume{point}")
}

/// The shader of which an entry point resumes rays; none of other names.
pub fn shader_of(resume: &str) -> Option<&str> {
    let (shader, point) = resume.rsplit_once(".resume")?;
    point.parse::<u32>().ok().filter(|&n| n < MAX_POINTS).map(|_| shader)
}

/// The key of a ray at a point: rays are sorted by the point, then by `row` (the row of the hit object's shader record, misses apart from hits), then by the
/// `hint`, of which `hint_bits` count (the rest of [`KEY_BITS`] is for rows; higher bits of both are dropped).
pub const fn key(point: u32, row: u32, hint: u32, hint_bits: u32) -> u32 {
    let hint_bits = if hint_bits > MAX_HINT_BITS { MAX_HINT_BITS } else { hint_bits };
    let row_bits = KEY_BITS - hint_bits;
    (point << KEY_BITS) | ((row & ((1 << row_bits) - 1)) << hint_bits) | (hint & ((1 << hint_bits) - 1))
}

/// The words of a record in which `words` are saved: records are aligned to what a device loads at once.
pub const fn record(words: u32) -> u32 {
    words.next_multiple_of(4)
}

/// Most bits of a hint that count.
pub const MAX_HINT_BITS: u32 = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_points_that_resume_know_their_shader() {
        assert_eq!(shader_of(&resume("A::Main", 3)), Some("A::Main"));
        assert_eq!([shader_of("Main"), shader_of("Main.resume"), shader_of("Main.resume99")], [None; 3]);
    }

    #[test]
    fn keys_order_points_then_rows_then_hints() {
        let keys = [key(0, 0, 3, 2), key(0, 1, 0, 2), key(0, 1, 3, 2), key(1, 0, 0, 2), key(MAX_POINTS - 1, u32::MAX, u32::MAX, 32)];
        assert!(keys.is_sorted());
        assert!(keys.iter().all(|&k| k < ENDED));
        assert_eq!(key(0, 1, 0, 0), 1);
    }
}
