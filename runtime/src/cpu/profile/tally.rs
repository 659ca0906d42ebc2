//! Counting what is different in waves, as they are and as they would be sorted.

use super::Next;
use rustc_hash::FxHashMap;

/// Sums over waves.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Lanes that came.
    pub rays: u64,
    /// Waves in which they came.
    pub waves: u64,
    /// Lanes that these waves have.
    pub lanes: u64,
    /// Different things to go on with, summed over waves.
    pub groups: u64,
    /// Different hints likewise.
    pub hints: u64,
}

/// How many different values there are.
fn different<T: Ord>(mut values: Vec<T>) -> u64 {
    values.sort_unstable();
    values.dedup();
    values.len() as u64
}

impl Tally {
    /// A wave of `width` lanes, of which these come. Gives how many different things they go on with.
    pub fn wave(&mut self, shown: &[(Next, u32)], width: u32) -> u64 {
        let groups = different(shown.iter().map(|s| s.0).collect());
        self.rays += shown.len() as u64;
        self.waves += 1;
        self.lanes += u64::from(width.max(1));
        self.groups += groups;
        self.hints += different(shown.iter().map(|s| s.1).collect());
        groups
    }

    /// All that came in one round, sorted and cut into waves.
    pub fn sorted(&mut self, round: Round, width: u32) {
        let width = width.max(1);
        let mut all: Vec<((Next, u32), u64)> = round.0.into_iter().collect();
        all.sort_unstable();
        let mut wave: Vec<(Next, u32)> = Vec::with_capacity(width as usize);
        for (what, mut count) in all {
            while count > 0 {
                if wave.is_empty() {
                    // What fills whole waves is alone in them.
                    let whole = count / u64::from(width);
                    let rays = whole * u64::from(width);
                    self.join(&Tally { rays, waves: whole, lanes: rays, groups: whole, hints: whole });
                    count -= rays;
                }
                let taken = count.min((width as usize - wave.len()) as u64);
                wave.extend(std::iter::repeat_n(what, taken as usize));
                count -= taken;
                if wave.len() == width as usize {
                    self.wave(&wave, width);
                    wave.clear();
                }
            }
        }
        if !wave.is_empty() {
            self.wave(&wave, width);
        }
    }

    /// The sums of both.
    pub fn join(&mut self, other: &Tally) {
        self.rays += other.rays;
        self.waves += other.waves;
        self.lanes += other.lanes;
        self.groups += other.groups;
        self.hints += other.hints;
    }
}

/// How many lanes came with what.
#[derive(Default)]
pub struct Round(FxHashMap<(Next, u32), u64>);

impl Round {
    /// Another lane; whether it is the first of its kind.
    pub fn add(&mut self, what: (Next, u32)) -> bool {
        let count = self.0.entry(what).or_default();
        *count += 1;
        *count == 1
    }

    /// Both together.
    pub fn join(&mut self, other: Round) {
        for (what, count) in other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }
}
