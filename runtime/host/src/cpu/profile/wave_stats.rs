//! Wave statistics: numbers of different targets and hints in waves and what their shaders execute, as executed and after sorting.

use super::Next;
use rustc_hash::FxHashMap;

/// Sums over waves.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct WaveStats {
    /// Lanes that reached the point.
    pub rays: u64,
    /// Waves in which they did.
    pub waves: u64,
    /// Lanes of these waves.
    pub lanes: u64,
    /// Different targets, summed over waves.
    pub groups: u64,
    /// Different hints, summed over waves.
    pub hints: u64,
    /// What waves execute of their targets' shaders, one after the other: the weights of different targets, summed over waves.
    pub work: u64,
}

/// What the shader of each target executes.
#[derive(Clone, Default, Debug)]
pub struct Weights(pub FxHashMap<Next, u64>);

impl Weights {
    fn of(&self, target: Next) -> u64 {
        self.0.get(&target).copied().unwrap_or(0)
    }
}

/// The different values.
fn different<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}

impl WaveStats {
    /// Counts a wave of `width` lanes, of which these reached the point. Returns the number of different targets.
    pub fn wave(&mut self, shown: &[(Next, u32)], width: u32, weights: &Weights) -> u64 {
        let targets = different(shown.iter().map(|s| s.0).collect());
        let groups = targets.len() as u64;
        self.work += targets.into_iter().map(|t| weights.of(t)).sum::<u64>();
        self.rays += shown.len() as u64;
        self.waves += 1;
        self.lanes += u64::from(width.max(1));
        self.groups += groups;
        self.hints += different(shown.iter().map(|s| s.1).collect()).len() as u64;
        groups
    }

    /// Counts the lanes of one iteration, sorted and cut into waves.
    pub fn sorted(&mut self, iteration: Iteration, width: u32, weights: &Weights) {
        let width = width.max(1);
        let mut all: Vec<((Next, u32), u64)> = iteration.0.into_iter().collect();
        all.sort_unstable();
        let mut wave: Vec<(Next, u32)> = Vec::with_capacity(width as usize);
        for (what, mut count) in all {
            while count > 0 {
                if wave.is_empty() {
                    // A combination that fills whole waves is alone in them.
                    let whole = count / u64::from(width);
                    let rays = whole * u64::from(width);
                    let work = whole * weights.of(what.0);
                    self.join(&WaveStats { rays, waves: whole, lanes: rays, groups: whole, hints: whole, work });
                    count -= rays;
                }
                let taken = count.min((width as usize - wave.len()) as u64);
                wave.extend(std::iter::repeat_n(what, taken as usize));
                count -= taken;
                if wave.len() == width as usize {
                    self.wave(&wave, width, weights);
                    wave.clear();
                }
            }
        }
        if !wave.is_empty() {
            self.wave(&wave, width, weights);
        }
    }

    /// Adds other sums.
    pub fn join(&mut self, other: &WaveStats) {
        self.rays += other.rays;
        self.waves += other.waves;
        self.lanes += other.lanes;
        self.groups += other.groups;
        self.hints += other.hints;
        self.work += other.work;
    }
}

/// Number of lanes by target and hint, in one iteration of the loops around a point.
#[derive(Default)]
pub struct Iteration(FxHashMap<(Next, u32), u64>);

impl Iteration {
    /// Counts a lane; returns whether it is the first with this combination.
    pub fn add(&mut self, what: (Next, u32)) -> bool {
        let count = self.0.entry(what).or_default();
        *count += 1;
        *count == 1
    }

    /// Adds other counts.
    pub fn join(&mut self, other: Iteration) {
        for (what, count) in other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }
}
