//! What a dispatch of a divided shader needs: tiles, passes of the sort, and bytes of each buffer, before any memory is found.

use super::digits::{Digit, digits, key_bits};
use super::tiles::{Tile, Tiling};
use crate::error::{Error, ErrorKind, Result};
use crate::vulkan::device::Device;
use rtc_package::WavefrontShader;
use rtc_tables::wavefront::{CONTROL_WORDS, MAX_POINTS};

/// Pairs that a group of threads sorts; `BLOCK` of the kernels.
pub(super) const BLOCK: u64 = 2048;
/// Words that an index of the kernels may reach; `Words` there.
const REACH: u64 = 1 << 26;
/// Digits that the histogram has room for; `DIGITS` of the kernels.
const DIGITS: u64 = 64;
/// Words of the progress of a tile; see the kernels.
pub(super) const PROGRESS_WORDS: u64 = 128;

/// Bytes of the buffers of a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// The control block.
    pub control: u64,
    /// The records of saved state.
    pub state: u64,
    /// Keys.
    pub keys: u64,
    /// Slots.
    pub slots: u64,
    /// Sorted keys and slots, and histograms.
    pub scratch: u64,
    /// Counts, and arguments of indirect commands.
    pub progress: u64,
}

impl Sizes {
    fn of(words: u32, rays: u64) -> Sizes {
        let column = 4 * rays;
        Sizes {
            control: 4 * u64::from(CONTROL_WORDS),
            state: (u64::from(words) * column).max(4),
            keys: column,
            slots: column,
            scratch: 2 * column + 4 * DIGITS * (rays.div_ceil(BLOCK) + 1),
            progress: 4 * PROGRESS_WORDS,
        }
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.control + self.state + self.keys + self.slots + self.scratch + self.progress
    }
}

/// What a device allows the buffers and launches of a tile.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Bytes of a storage buffer.
    range: u64,
    /// Rays of a launch.
    rays: u64,
    /// Rays of a launch along each axis.
    along: [u64; 3],
    /// Groups of threads of a compute dispatch.
    groups: u64,
}

impl Bounds {
    fn of(device: &Device) -> Bounds {
        let (limits, core) = (device.limits(), &device.properties().limits);
        Bounds {
            range: core.max_storage_buffer_range.into(),
            rays: limits.max_rays.into(),
            along: limits.max_size,
            groups: core.max_compute_work_group_count[0].into(),
        }
    }

    /// The most rays of a tile with records of this many words in this much memory.
    fn capacity(&self, words: u32, memory: u64) -> u64 {
        // Byte offsets of the shaders have 32 bits.
        let column = self.range.min(u64::from(u32::MAX)) / 4;
        let by_state = column / u64::from(words.max(1));
        let launch = self.rays.min(self.along[0]).min(self.groups.saturating_mul(BLOCK));
        let mut most = column.min(by_state).min(launch).min(REACH);
        if Sizes::of(words, most).total() > memory {
            // The largest that fits; sizes only grow with the number of rays.
            let mut none = 0;
            while most - none > 1 {
                let middle = none + (most - none) / 2;
                match Sizes::of(words, middle).total() <= memory {
                    true => none = middle,
                    false => most = middle,
                }
            }
            most = none;
        }
        most
    }
}

/// A dispatch of a divided shader: what it needs, and how it proceeds.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    points: Vec<String>,
    words: u32,
    index_read: bool,
    size: [u32; 3],
    digits: Vec<Digit>,
    tiling: Tiling,
}

impl Plan {
    /// Plans a dispatch of `size` rays of a shader, in at most `memory` bytes ([`Sizes::total`]). `rows` is how many records the longer of the
    /// laid out miss and hit group tables has ([`rows`](super::rows)).
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: the state of a single ray does not fit into this memory, or into a buffer of the device. [`ErrorKind::Package`]: no
    /// point, or more than there can be.
    pub fn new(device: &Device, shader: &WavefrontShader, size: [u32; 3], rows: u64, memory: u64) -> Result<Plan> {
        Plan::within(Bounds::of(device), shader, size, rows, memory)
    }

    fn within(bounds: Bounds, shader: &WavefrontShader, size: [u32; 3], rows: u64, memory: u64) -> Result<Plan> {
        let points = shader.points.len();
        if points == 0 || points > MAX_POINTS as usize {
            let why = format!("`{}` is divided at {points} reorder points, expected 1 to {MAX_POINTS}", shader.shader);
            return Err(Error::new(ErrorKind::Package, why));
        }
        let rays = bounds.capacity(shader.words, memory);
        if rays == 0 {
            let one = Sizes::of(shader.words, 1);
            let (need, have) = if one.total() > memory { (one.total(), memory) } else { (one.state, bounds.range) };
            return Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "`{}` saves {} words of a ray, for which {need} bytes of memory are needed, there are {have}",
                    shader.shader, shader.words
                ),
            )
            .note("allow more memory, or compile the shader with -fspv-ser=lower"));
        }
        Ok(Plan {
            points: shader.points.iter().map(|p| p.resume.clone()).collect(),
            words: shader.words,
            index_read: shader.index_read,
            size,
            digits: digits(key_bits(shader, rows), shader.points.len() as u32),
            tiling: Tiling::new(size, rays, bounds.along),
        })
    }

    /// The exports that resume rays, by the number of the point.
    pub fn resumes(&self) -> &[String] {
        &self.points
    }

    /// Whether shaders other than ray generation shaders read the index of a ray.
    pub fn index_read(&self) -> bool {
        self.index_read
    }

    /// The dimensions of the dispatch.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// What each pass sorts by, the least significant digit first.
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// How many slots there are: the rays of the largest tile.
    pub fn capacity(&self) -> u64 {
        self.tiling.capacity()
    }

    /// Bytes of each buffer.
    pub fn sizes(&self) -> Sizes {
        Sizes::of(self.words, self.capacity())
    }

    /// How many tiles there are.
    pub fn tile_count(&self) -> u128 {
        self.tiling.count()
    }

    /// Tile `n`; none: there are fewer.
    pub fn tile(&self, n: u128) -> Option<Tile> {
        self.tiling.tile(n)
    }

    /// The tiles, one after the other.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.tiling.tiles()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_package::WavefrontPoint;

    const BOUNDS: Bounds = Bounds { range: 1 << 27, rays: 1 << 30, along: [1 << 26; 3], groups: 65535 };

    fn shader(words: u32) -> WavefrontShader {
        let points = vec![WavefrontPoint { resume: "Main.resume0".into(), words, row_bits: 20, hint_bits: 4 }];
        WavefrontShader { shader: "Main".into(), words, index_read: false, points }
    }

    #[test]
    fn tiles_fit_the_memory() {
        for words in [0, 1, 10, 100] {
            for memory in [3000, 5000, 100_000, 1 << 20, 1 << 28, 1 << 40] {
                let plan = Plan::within(BOUNDS, &shader(words), [4096, 4096, 1], 16, memory).unwrap();
                assert!(plan.sizes().total() <= memory);
                assert!(plan.sizes().state <= BOUNDS.range);
                assert!(plan.capacity() >= 1);
                // One more row or ray would not fit, unless a buffer ends it.
                let more = Sizes::of(words, plan.capacity() + 4096);
                assert!(more.total() > memory || more.state > BOUNDS.range || more.keys > BOUNDS.range || plan.tile_count() == 1);
            }
        }
    }

    #[test]
    fn memory_for_one_ray() {
        let one = Sizes::of(10, 1).total();
        let plan = Plan::within(BOUNDS, &shader(10), [3, 2, 1], 16, one).unwrap();
        assert_eq!((plan.capacity(), plan.tile_count()), (1, 6));
        let e = Plan::within(BOUNDS, &shader(10), [3, 2, 1], 16, one - 1).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Limit);
        assert!(
            e.message.contains(&format!("saves 10 words of a ray, for which {one} bytes of memory are needed, there are {}", one - 1)),
            "{e}"
        );
        let e = Plan::within(BOUNDS, &shader(1 << 26), [1; 3], 16, u64::MAX).unwrap_err();
        assert!(e.message.contains("268435456 bytes of memory are needed, there are 134217728"), "{e}");
        assert!(Plan::within(BOUNDS, &shader(u32::MAX), [1; 3], 16, u64::MAX).is_err());
        let none = WavefrontShader { points: Vec::new(), ..shader(1) };
        let e = Plan::within(BOUNDS, &none, [1; 3], 16, u64::MAX).unwrap_err();
        assert!(e.message.contains("`Main` is divided at 0 reorder points, expected 1 to 26"), "{e}");
    }

    #[test]
    fn dispatches_of_no_and_of_very_many_rays() {
        let none = Plan::within(BOUNDS, &shader(4), [0, 10, 1], 16, 1 << 20).unwrap();
        assert_eq!((none.tile_count(), none.tiles().count()), (0, 0));
        let many = Plan::within(BOUNDS, &shader(4), [1 << 16, 1 << 16, 2], 16, 1 << 30).unwrap();
        assert_eq!(many.tile_count(), 1 << 10);
        assert_eq!(many.tiles().map(|t| t.rays()).sum::<u64>(), 1 << 33);
        let all = Plan::within(BOUNDS, &shader(4), [u32::MAX; 3], 16, 1 << 30).unwrap();
        assert!(all.tile_count() > 1 << 64);
    }
}
