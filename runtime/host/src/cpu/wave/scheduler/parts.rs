//! The parts of waves: which lanes run together on a device that leaves a wave split after a trace that only some of its lanes execute.
//!
//! Such a device never joins parts again before the shader ends ([`crate::cpu::profile`]). So each lane has a part in each shader that it is in. A shader begins with
//! the parts of its caller, and the caller goes on with its own parts afterwards, whatever became of them in the shaders that it called.

use rustc_hash::FxHashSet;

/// The parts of the waves of a group.
pub(super) struct Parts {
    lanes: Vec<LaneParts>,
    /// The number of the next part.
    next: u32,
}

/// The parts of a lane.
#[derive(Default)]
struct LaneParts {
    /// Positions of shaders that it is in, each within the one before, and its part there.
    shaders: Vec<(Vec<u64>, u32)>,
    /// Positions of all shaders that it has entered by calls.
    entered: FxHashSet<Vec<u64>>,
}

impl LaneParts {
    /// Its part in the shader at a position.
    fn part(&self, shader: &[u64]) -> u32 {
        self.shaders.iter().rev().find(|s| shader.starts_with(&s.0)).map_or(0, |s| s.1)
    }

    fn set(&mut self, shader: &[u64], part: u32) {
        self.shaders.retain(|s| s.0.len() < shader.len() && shader.starts_with(&s.0));
        self.shaders.push((shader.to_vec(), part));
    }
}

impl Parts {
    /// Waves that are whole.
    pub(super) fn new(lanes: usize) -> Parts {
        Parts { lanes: (0..lanes).map(|_| LaneParts::default()).collect(), next: 1 }
    }

    /// A lane has entered shaders at these positions.
    pub(super) fn enter(&mut self, lane: usize, shaders: Vec<Vec<u64>>) {
        self.lanes[lane].entered.extend(shaders);
    }

    /// The lanes `here` of a `wave` come to a point in the shader at a position. Returns how many parts they are in. If the point `splits`, they leave those lanes
    /// of their parts that are or were in that shader, too, but not here.
    pub(super) fn meet(&mut self, here: &[usize], wave: std::ops::Range<usize>, shader: &[u64], splits: bool) -> u32 {
        let parts: Vec<u32> = here.iter().map(|&n| self.lanes[n].part(shader)).collect();
        let mut different = parts.clone();
        different.sort_unstable();
        different.dedup();
        for &part in &different {
            let in_shader = |n: &usize| shader.is_empty() || self.lanes[*n].entered.contains(shader);
            let left = splits && wave.clone().any(|n| !here.contains(&n) && in_shader(&n) && self.lanes[n].part(shader) == part);
            let now = if left { self.next } else { part };
            self.next += u32::from(left);
            for (&n, _) in here.iter().zip(&parts).filter(|(_, p)| **p == part) {
                self.lanes[n].set(shader, now);
            }
        }
        different.len() as u32
    }

    /// How many parts a wave is in where its first shader ends, which is around all others.
    pub(super) fn at_end(&self, wave: std::ops::Range<usize>) -> u32 {
        let part = |n: usize| self.lanes[n].shaders.first().map_or(0, |s| s.1);
        wave.map(part).collect::<FxHashSet<u32>>().len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_by_some_lanes_splits_their_wave_to_the_end() {
        let mut p = Parts::new(4);
        assert_eq!(p.meet(&[0, 1, 2, 3], 0..4, &[], true), 1);
        assert_eq!(p.at_end(0..4), 1);
        assert_eq!(p.meet(&[1, 3], 0..4, &[], true), 1);
        assert_eq!(p.meet(&[0, 1, 2, 3], 0..4, &[], true), 2);
        // A part that is alone at a trace stays what it is.
        assert_eq!(p.meet(&[1, 3], 0..4, &[], true), 1);
        assert_eq!(p.at_end(0..4), 2);
        assert_eq!(p.meet(&[0, 1], 0..4, &[], true), 2);
        assert_eq!(p.at_end(0..4), 4);
    }

    #[test]
    fn the_first_shader_may_have_a_position() {
        let mut p = Parts::new(2);
        (0..2).for_each(|n| p.enter(n, vec![vec![4], vec![4, 7, 1]]));
        assert_eq!((p.meet(&[0], 0..2, &[4], true), p.at_end(0..2)), (1, 2));
        assert_eq!((p.meet(&[0, 1], 0..2, &[4, 7, 1], true), p.at_end(0..2)), (2, 2));
    }

    #[test]
    fn a_point_that_runs_no_shader_splits_nothing() {
        let mut p = Parts::new(2);
        assert_eq!((p.meet(&[0], 0..2, &[], false), p.at_end(0..2)), (1, 1));
    }

    #[test]
    fn a_caller_goes_on_with_its_own_parts() {
        let mut p = Parts::new(4);
        p.meet(&[0, 1, 2, 3], 0..4, &[], true);
        // Lanes 0 to 2 enter a shader, of which one traces.
        for n in 0..3 {
            p.enter(n, vec![vec![5, 9]]);
        }
        assert_eq!(p.meet(&[1], 0..4, &[5, 9], true), 1);
        assert_eq!(p.meet(&[0, 1, 2], 0..4, &[5, 9], true), 2);
        assert_eq!(p.at_end(0..4), 1);
        assert_eq!(p.meet(&[0, 1, 2, 3], 0..4, &[], true), 1);
        // Later the same shader begins whole; lane 3, which is not in it, does not count.
        for n in 0..3 {
            p.enter(n, vec![vec![7, 9]]);
        }
        assert_eq!((p.meet(&[0, 1, 2], 0..4, &[7, 9], true), p.meet(&[0, 1, 2], 0..4, &[7, 9], true)), (1, 1));
    }
}
