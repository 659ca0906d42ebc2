//! What many frames cost, and that nothing is left after them: times, resident memory, objects and allocations.

use crate::counters::{Counters, Held};
use crate::renderer::{Options, Picture, render_watched};
use crate::{Error, FRAMES_IN_FLIGHT};
use rtc_oracles::vulkan_calls;
use std::fmt;
use std::time::Duration;

/// The result of [`measure`].
#[derive(Clone, Debug)]
pub struct Measurements {
    /// The last frame.
    pub picture: Picture,
    /// How long frames took, from the shortest to the longest.
    pub times: Vec<Duration>,
    /// Resident bytes of the process after the first frames, in the middle and after the last frame; zero where they are not known.
    pub resident: [u64; 3],
    /// What was held at these times.
    pub held: [Held; 3],
    /// What is held after everything was dropped.
    pub left: Held,
    /// Objects that were destroyed and did not live.
    pub mistakes: Vec<String>,
}

/// How much the resident memory of the process may grow between the first frames and those in the middle: drivers have pools that fill.
pub const FILLS: u64 = 16 << 20;
/// How much it may grow from there to the last frame.
pub const GROWTH: u64 = 4 << 20;

impl Measurements {
    /// The time that this share of the frames does not exceed.
    pub fn percentile(&self, percent: f64) -> Duration {
        let last = self.times.len().saturating_sub(1);
        let at = (last as f64 * percent / 100.0).round() as usize;
        self.times.get(at).copied().unwrap_or_default()
    }

    /// What is not as it must be: memory that grows, objects that are left.
    pub fn complaints(&self) -> Vec<String> {
        let mut out = self.mistakes.clone();
        out.extend(self.picture.messages.iter().cloned());
        let [start, middle, end] = self.resident;
        for (from, to, allowed) in [(start, middle, FILLS), (middle, end, GROWTH)] {
            if to > from + allowed {
                out.push(format!("the process grew from {from} to {to} bytes; {allowed} more are allowed"));
            }
        }
        let [start, _, end] = &self.held;
        if (&start.objects, start.device_bytes) != (&end.objects, end.device_bytes) {
            out.push(format!("what is held changed from {start:?} to {end:?}"));
        }
        if self.left != Held::default() {
            out.push(format!("left: {:?}", self.left));
        }
        out
    }
}

impl fmt::Display for Measurements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |d: Duration| d.as_secs_f64() * 1000.0;
        let mib = |n: f64| n / f64::from(1 << 20);
        writeln!(f, "{} frames of {} x {} on {}", self.times.len(), self.picture.width, self.picture.height, self.picture.device)?;
        write!(f, "frame times in ms:")?;
        for percent in [50.0, 90.0, 99.0, 99.9, 100.0] {
            write!(f, " {percent}% {:.2}", ms(self.percentile(percent)))?;
        }
        writeln!(f)?;
        for (i, when) in ["after the first frames", "in the middle", "after the last frame"].iter().enumerate() {
            let held = &self.held[i];
            writeln!(
                f,
                "{when}: {:.1} MiB resident, {} objects, {:.2} MiB in {} allocations of the engine, {:.2} MiB in {} blocks of the driver",
                mib(self.resident[i] as f64),
                held.objects.values().sum::<u64>(),
                mib(held.device_bytes as f64),
                held.device_blocks,
                mib(held.host_bytes as f64),
                held.host_blocks
            )?;
        }
        let objects: u64 = self.left.objects.values().sum();
        write!(f, "left: {objects} objects, {} bytes of the engine, {} bytes of the driver", self.left.device_bytes, self.left.host_bytes)
    }
}

/// Renders frames and counts. The first frames, up to the end of the growth of the pipeline, are not compared.
///
/// # Errors
/// As [`crate::render`]; fewer frames than are needed for a comparison.
pub fn measure(options: &Options) -> Result<Measurements, Error> {
    // The third package is in use from the fourth frame on, and the old pipeline is dropped when no frame in flight uses it.
    let first = options.add_at + 8 + FRAMES_IN_FLIGHT as u32;
    let first = first.max(options.frames / 20);
    if options.frames < first + 2 {
        return Err(format!("{} frames are too few; {} are needed", options.frames, first + 2).into());
    }
    let moments = [first, first.midpoint(options.frames - 1), options.frames - 1];
    let counters = Counters::default();
    let mut times = Vec::with_capacity(options.frames as usize);
    let (mut resident, mut held) = ([0; 3], <[Held; 3]>::default());
    let picture = render_watched(options, Some(&counters), &mut |n, time| {
        times.push(time);
        if let Some(i) = moments.iter().position(|m| *m == n) {
            resident[i] = resident_bytes();
            held[i] = counters.now();
        }
    })?;
    times.sort();
    Ok(Measurements { picture, times, resident, held, left: counters.now(), mistakes: vulkan_calls::mistakes() })
}

/// Resident bytes of this process, by the file that Linux has for it.
fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok()).map_or(0, |n| n * 4096)
}
