//! The title of the window: how fast frames come, how many are in the average, and what is wrong.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time that rates are averages of.
const RECENT: Duration = Duration::from_secs(1);

/// The rates of recent frames.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// When frames were done, and rays per second of each.
    frames: VecDeque<(Instant, f64)>,
}

impl Rates {
    /// A frame is done.
    pub fn add(&mut self, now: Instant, rays_per_second: f64) {
        self.frames.push_back((now, rays_per_second));
        // The first one is where the time of those after it begins.
        while self.frames.len() > 2 && self.frames.get(1).is_some_and(|f| now.saturating_duration_since(f.0) > RECENT) {
            self.frames.pop_front();
        }
    }

    /// Frames in a second; none before the second frame.
    fn frames(&self) -> Option<f64> {
        let (first, last) = (self.frames.front()?, self.frames.back()?);
        let seconds = last.0.saturating_duration_since(first.0).as_secs_f64();
        (seconds > 0.0).then(|| (self.frames.len() - 1) as f64 / seconds)
    }

    /// Rays in a second of work on them, if there are any.
    fn rays(&self) -> Option<f64> {
        let sum: f64 = self.frames.iter().map(|f| f.1).sum();
        (sum > 0.0).then(|| sum / self.frames.len() as f64)
    }
}

/// The title of a window that shows `name`: an error, or rates; and how many frames are in the `average`, if there is one.
pub fn title(name: &str, rates: &Rates, average: Option<u32>, paused: bool, error: Option<&str>) -> String {
    let mut parts = vec![name.to_string()];
    match error {
        Some(why) => parts.extend(why.lines().next().map(str::to_string)),
        None => {
            parts.extend(rates.frames().map(|n| format!("{n:.1} frames/s")));
            parts.extend(rates.rays().map(|n| format!("{}rays/s", with_prefix(n))));
            parts.extend(average.map(|n| format!("average of {n}")));
        }
    }
    parts.extend(paused.then(|| "paused".to_string()));
    parts.join(" - ")
}

/// A number with three digits, a space, and the prefix of its unit.
fn with_prefix(n: f64) -> String {
    let (n, prefix) = [(1e9, "G"), (1e6, "M"), (1e3, "k")].into_iter().find(|p| n >= p.0).map_or((n, ""), |p| (n / p.0, p.1));
    format!("{n:.*} {prefix}", if n < 10.0 { 2 } else { usize::from(n < 100.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        let start = Instant::now();
        let mut rates = Rates::default();
        assert_eq!(title("a.toml", &rates, None, false, None), "a.toml");
        for n in 0..50 {
            rates.add(start + Duration::from_millis(100 * n), if n < 30 { 1e3 } else { 12.345e6 });
        }
        assert_eq!(rates.frames.len(), 12);
        assert_eq!(title("a.toml", &rates, Some(7), true, None), "a.toml - 10.0 frames/s - 12.3 Mrays/s - average of 7 - paused");
        let error = Some("a.toml:3: wrong\n  note: no");
        assert_eq!(title("a.toml", &rates, Some(7), false, error), "a.toml - a.toml:3: wrong");
        // Frames that take longer than what is averaged.
        rates.add(start + Duration::from_secs(10), 0.0);
        rates.add(start + Duration::from_secs(12), 0.0);
        assert_eq!(title("a.toml", &rates, None, false, None), "a.toml - 0.5 frames/s");
        assert_eq!([1.0, 999.0, 2e3, 45.67e9].map(with_prefix), ["1.00 ", "999 ", "2.00 k", "45.7 G"]);
    }
}
