//! The choices of a generator: a sequence of small numbers, random or replayed.
//!
//! A program is a function of its choices, and every sequence of choices gives a well-defined program. So a program is reduced by making
//! the sequence shorter and its numbers smaller, and nothing has to know what the numbers mean. Zero is always the simplest choice, and
//! a replayed sequence that ends goes on with zeros.

/// A source of choices that records them.
pub struct Choices {
    state: u64,
    replay: Option<Vec<u32>>,
    taken: Vec<u32>,
}

impl Choices {
    /// Random choices, the same for the same seed.
    pub fn random(seed: u64) -> Choices {
        Choices { state: seed, replay: None, taken: Vec::new() }
    }

    /// The choices of a list, and zeros after its end.
    pub fn replay(list: Vec<u32>) -> Choices {
        Choices { state: 0, replay: Some(list), taken: Vec::new() }
    }

    /// The choices so far.
    pub fn taken(self) -> Vec<u32> {
        self.taken
    }

    /// How many choices there were.
    pub fn count(&self) -> usize {
        self.taken.len()
    }

    /// Random bits (splitmix64).
    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: u32) -> u32 {
        let value = match &self.replay {
            Some(list) => list.get(self.taken.len()).copied().unwrap_or(0).min(n - 1),
            None => (self.bits() % u64::from(n)) as u32,
        };
        self.taken.push(value);
        value
    }

    /// True in one of `n` cases; the simplest choice is false.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) + 1 == n
    }

    /// An element of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }

    /// An index, each as likely as its weight says; the simplest choice is the first one that has a weight.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut at = self.below(weights.iter().sum::<u32>().max(1));
        for (i, &w) in weights.iter().enumerate() {
            if at < w {
                return i;
            }
            at -= w;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replayed_choices_are_the_recorded_ones() {
        let mut random = Choices::random(7);
        let first: Vec<u32> = (2..40).map(|n| random.below(n)).collect();
        let mut again = Choices::replay(random.taken());
        assert_eq!(first, (2..40).map(|n| again.below(n)).collect::<Vec<_>>());
        assert_eq!(again.below(9), 0);
    }

    #[test]
    fn weights() {
        let mut zero = Choices::replay(Vec::new());
        assert_eq!(zero.weighted(&[0, 3, 1]), 1);
        let mut last = Choices::replay(vec![3]);
        assert_eq!(last.weighted(&[0, 3, 1]), 2);
    }
}
