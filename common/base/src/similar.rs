//! Spelling suggestions: the candidate with the least edit distance to a misspelled name.
//!
//! The distance counts insertions, deletions, substitutions and transpositions of letters; differences of case cost nothing.
//! Short names are only similar when they differ in case alone: every name of two letters is one substitution away.

/// The edit distance of `a` and `b`; any distance above `limit` may be reported as `limit + 1`.
pub fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let (x, y) = (a[i].to_ascii_lowercase(), b[j].to_ascii_lowercase());
            let mut d = (last[j] + (x != y) as usize).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                d = d.min(before[j - 1] + 1);
            }
            row.push(d);
        }
        if row.iter().all(|&d| d > limit) {
            return limit + 1;
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The nearest of the candidates seen so far.
pub struct Nearest<'a> {
    name: &'a str,
    limit: usize,
    best: Option<(usize, String)>,
}

impl<'a> Nearest<'a> {
    /// Starts a search for names similar to `name`.
    pub fn new(name: &'a str) -> Self {
        let limit = match name.len() {
            0..=2 => 0,
            n => (n / 3).min(3),
        };
        Nearest { name, limit, best: None }
    }

    /// Adds a candidate. Of equally near ones the alphabetically first wins.
    pub fn consider(&mut self, candidate: &str) {
        if candidate == self.name {
            return;
        }
        let d = distance(self.name, candidate, self.limit);
        if d <= self.limit && self.best.as_ref().is_none_or(|b| (d, candidate) < (b.0, b.1.as_str())) {
            self.best = Some((d, candidate.to_string()));
        }
    }

    /// The nearest candidate, if one is near enough.
    pub fn found(self) -> Option<String> {
        self.best.map(|b| b.1)
    }
}

/// The candidate of `all` that is nearest to `name`, if one is near enough.
pub fn nearest<'n>(name: &str, all: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let mut near = Nearest::new(name);
    for s in all {
        near.consider(s);
    }
    near.found()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near() {
        assert_eq!(distance("distnace", "distance", 3), 1);
        assert_eq!(distance("abc", "xyzabc", 2), 3);
        let all = ["Load", "Store", "InterlockedAdd", "i", "dot"];
        assert_eq!(nearest("Laod", all).as_deref(), Some("Load"));
        assert_eq!(nearest("store", all).as_deref(), Some("Store"));
        assert_eq!(nearest("j", all), None);
        assert_eq!(nearest("I", all).as_deref(), Some("i"));
        assert_eq!(nearest("interlockedad", all).as_deref(), Some("InterlockedAdd"));
        assert_eq!(nearest("Dott", all).as_deref(), Some("dot"));
        assert_eq!(nearest("missing", all), None);
    }
}
