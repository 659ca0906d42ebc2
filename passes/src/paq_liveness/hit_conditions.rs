//! What a condition says about hit objects, and what conditions that are made of others say.

use smallvec::SmallVec;

/// Cells of hit objects that are one of these kinds each.
pub type Kinds = SmallVec<[(u32, u8); 4]>;

/// What a condition says of hit objects where it holds, and where it does not; `None` where it never is so.
#[derive(Clone, Debug)]
pub struct Condition {
    pub holds: Option<Kinds>,
    pub fails: Option<Kinds>,
}

impl Condition {
    /// Of a condition that says nothing.
    pub fn nothing() -> Condition {
        Condition { holds: Some(Kinds::new()), fails: Some(Kinds::new()) }
    }

    pub fn constant(holds: bool) -> Condition {
        let possible = |is: bool| is.then(Kinds::new);
        Condition { holds: possible(holds), fails: possible(!holds) }
    }

    pub fn not(self) -> Condition {
        Condition { holds: self.fails, fails: self.holds }
    }

    /// The same without what it says of other cells.
    pub fn keep_cells(&mut self, keep: impl Fn(u32) -> bool) {
        for known in [&mut self.holds, &mut self.fails].into_iter().flatten() {
            known.retain(|k| keep(k.0));
        }
    }

    /// The first cell behind all of which it says something.
    pub fn end(&self) -> u32 {
        [&self.holds, &self.fails].into_iter().flatten().flatten().map(|k| k.0 + 1).max().unwrap_or(0)
    }

    /// Of a condition that is `yes` where this one holds, and `no` where it does not.
    pub fn choose(self, yes: Condition, no: Condition) -> Condition {
        let on = |x: Option<Kinds>, y: Option<Kinds>| either(both(&self.holds, &x), both(&self.fails, &y));
        Condition { holds: on(yes.holds, no.holds), fails: on(yes.fails, no.fails) }
    }
}

/// What holds where both do.
fn both(a: &Option<Kinds>, b: &Option<Kinds>) -> Option<Kinds> {
    let (mut all, more) = (a.clone()?, b.as_ref()?);
    for &(cell, kinds) in more {
        match all.iter_mut().find(|k| k.0 == cell) {
            Some(k) => k.1 &= kinds,
            None => all.push((cell, kinds)),
        }
    }
    Some(all)
}

/// What holds where one of them does; all kinds say nothing.
fn either(a: Option<Kinds>, b: Option<Kinds>) -> Option<Kinds> {
    let (Some(a), Some(b)) = (&a, &b) else { return a.or(b) };
    let of = |cell: u32| b.iter().find(|k| k.0 == cell).map(|k| k.1);
    Some(a.iter().filter_map(|&(cell, kinds)| Some((cell, kinds | of(cell)?))).filter(|k| k.1 != u8::MAX).collect())
}

#[cfg(test)]
mod tests {
    use super::super::hit_kinds::{HITS, MISS, NOP};
    use super::*;

    fn condition(holds: &[(u32, u8)], fails: &[(u32, u8)]) -> Condition {
        Condition { holds: Some(holds.iter().copied().collect()), fails: Some(fails.iter().copied().collect()) }
    }

    type List = Option<Vec<(u32, u8)>>;

    fn parts(s: &Condition) -> (List, List) {
        let list = |k: &Option<Kinds>| k.as_ref().map(|k| k.to_vec());
        (list(&s.holds), list(&s.fails))
    }

    #[test]
    fn conditions_of_conditions() {
        let (a, b) = (condition(&[(1, HITS)], &[(1, !HITS)]), condition(&[(2, MISS)], &[(2, !MISS)]));
        let (yes, no) = (Condition::constant(true), Condition::constant(false));
        // `a && b`: both where it holds, nothing where it does not.
        let and = a.clone().choose(b.clone(), no.clone());
        assert_eq!(parts(&and), (Some(vec![(1, HITS), (2, MISS)]), Some(vec![])));
        // `a || b`.
        let or = a.clone().choose(yes.clone(), b.clone());
        assert_eq!(parts(&or), (Some(vec![]), Some(vec![(1, !HITS), (2, !MISS)])));
        // Of one object it is one of the kinds of either.
        let nop = condition(&[(1, NOP)], &[(1, !NOP)]);
        let or = a.clone().choose(yes.clone(), nop);
        assert_eq!(parts(&or), (Some(vec![(1, HITS | NOP)]), Some(vec![(1, !HITS & !NOP)])));
        // What is constant in the end.
        assert_eq!(parts(&a.clone().choose(yes.clone(), no.clone())), parts(&a));
        assert_eq!(parts(&a.clone().choose(no.clone(), yes.clone())), parts(&a.clone().not()));
        assert_eq!(parts(&yes.clone().choose(a.clone(), b)), parts(&a));
        assert_eq!(parts(&a.choose(yes.clone(), yes)), (Some(vec![]), None));
        assert_eq!(parts(&no), (None, Some(vec![])));
    }
}
