//! Results on which all exits agree, and loop parameters that never change, are the value itself.

use rtc_base::SecondaryMap;
use rtc_ir::{Function, Inst, InstData, Opcode, Region, Value, ValueDef};

use crate::util::{Exits, Rename, parents, results_start};

/// Where regions lie in each other: numbers on entering and leaving.
struct Nesting {
    enter: SecondaryMap<Region, u32>,
    leave: SecondaryMap<Region, u32>,
    parent: SecondaryMap<Inst, Region>,
}

impl Nesting {
    fn of(f: &Function) -> Nesting {
        let mut n = Nesting { enter: SecondaryMap::new(), leave: SecondaryMap::new(), parent: parents(f) };
        let mut clock = 0;
        let mut todo = vec![(f.body, false)];
        while let Some((r, done)) = todo.pop() {
            clock += 1;
            if done {
                n.leave[r] = clock;
                continue;
            }
            n.enter[r] = clock;
            todo.push((r, true));
            for &i in f.regions[r].insts.iter().filter(|&&i| f.owns_regions(i)) {
                todo.extend(f.regions_of(i).into_iter().map(|r| (r, false)));
            }
        }
        n
    }

    /// Whether `v` is visible where construct `c` stands: it is not made inside of it.
    fn outside(&self, f: &Function, v: Value, c: Inst) -> bool {
        let made_in = match f.values[v].def {
            ValueDef::Const(_) | ValueDef::Undef => return true,
            ValueDef::Result(i, _) if i == c => return false,
            ValueDef::Result(i, _) => self.parent[i],
            ValueDef::Param(r, _) => r,
        };
        // What an exit of `c` can name is around `c` or inside of it.
        let here = self.parent[c];
        self.enter[made_in] <= self.enter[here] && self.leave[made_in] >= self.leave[here]
    }
}

/// Finds such results and parameters. Whether there are any.
pub(super) fn run(f: &Function, exits: &Exits, rename: &mut Rename) -> bool {
    let nesting = Nesting::of(f);
    let mut found = false;
    f.for_each_inst(f.body, |_, c| {
        if !f.owns_regions(c) {
            return;
        }
        for (n, &result) in f.results(c).iter().enumerate() {
            let given = exits.leave[c].iter().map(|&e| {
                let at = results_start(f, e) + n;
                f.operands(e)[at]
            });
            if let Some(v) = agreed(given, &[result])
                && nesting.outside(f, v, c)
            {
                rename.set(result, v);
                found = true;
            }
        }
        if let InstData::Loop { .. } = f.insts[c] {
            found |= params(f, exits, &nesting, c, rename);
        }
    });
    found
}

/// The one value that is given, `ignored` ones aside.
fn agreed(given: impl Iterator<Item = Value>, ignored: &[Value]) -> Option<Value> {
    let mut one = None;
    for v in given {
        if ignored.contains(&v) {
            continue;
        }
        match one {
            None => one = Some(v),
            Some(w) if w == v => {}
            Some(_) => return None,
        }
    }
    one
}

fn params(f: &Function, exits: &Exits, nesting: &Nesting, c: Inst, rename: &mut Rename) -> bool {
    let InstData::Loop { init, body, continuing } = f.insts[c] else {
        return false;
    };
    let mut found = false;
    // What each parameter of the continuing region always is.
    let passed: Vec<Option<Value>> =
        (0..f.regions[continuing].params.len()).map(|n| agreed(exits.continues[c].iter().map(|&e| f.operands(e)[n]), &[])).collect();
    for (&q, v) in f.regions[continuing].params.iter().zip(&passed) {
        if let Some(v) = *v
            && nesting.outside(f, v, c)
        {
            rename.set(q, v);
            found = true;
        }
    }
    for (n, &p) in f.regions[body].params.iter().enumerate() {
        let first = f.get(init)[n];
        let again = exits.nexts[c].iter().map(|&e| {
            let at = usize::from(f.op(e) == Opcode::next_if) + n;
            let v = f.operands(e)[at];
            match f.values[v].def {
                ValueDef::Param(r, k) if r == continuing => passed[k as usize].unwrap_or(v),
                _ => v,
            }
        });
        if agreed(again.chain([first]), &[p]) == Some(first) {
            rename.set(p, first);
            found = true;
        }
    }
    found
}
