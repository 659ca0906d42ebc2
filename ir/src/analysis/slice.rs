//! Forward slices: the values that some instructions contribute to, through operands, exits of constructs and what stays in memory.

use rtc_base::EntitySet;

use super::exits::{results_start, target_construct};
use crate::{Function, Inst, InstData, Opcode, Place, PlaceData, Region, Step, Value};

/// The values of `f` that depend on results of the instructions of which `begins` holds. An instruction with such an operand, or a load of such
/// contents, passes that on to its results if `through` holds of it; stores and control flow do always. What conditions depend on does not count.
pub fn forward_slice(f: &Function, begins: impl Fn(Inst) -> bool, through: impl Fn(Inst) -> bool) -> EntitySet<Value> {
    let mut values = EntitySet::new();
    let mut any = false;
    f.for_each_inst(f.body, |_, i| {
        if !f.owns_regions(i) && begins(i) {
            any = true;
            values.extend(f.results(i).iter().copied());
        }
    });
    let mut flow = Flow { f, through, values, places: Vec::new(), changed: any };
    while std::mem::take(&mut flow.changed) {
        f.for_each_inst(f.body, |r, i| flow.inst(r, i));
    }
    flow.values
}

/// Whether two places may have a part in common.
pub fn overlap(a: &PlaceData, b: &PlaceData) -> bool {
    let apart = |(x, y): (&Step, &Step)| matches!((x, y), (Step::At(x), Step::At(y)) if x != y);
    a.root == b.root && !a.steps.iter().zip(&b.steps).any(apart)
}

struct Flow<'a, T> {
    f: &'a Function,
    through: T,
    values: EntitySet<Value>,
    /// Places where such values are stored.
    places: Vec<Place>,
    changed: bool,
}

impl<T: Fn(Inst) -> bool> Flow<'_, T> {
    fn add(&mut self, values: &[Value]) {
        for &v in values {
            self.changed |= self.values.insert(v);
        }
    }

    fn add_place(&mut self, p: Place) {
        if !self.places.contains(&p) {
            self.places.push(p);
            self.changed = true;
        }
    }

    fn give(&mut self, to: &[Value], given: &[Value]) {
        for (&to, v) in to.iter().zip(given) {
            if self.values.contains(*v) {
                self.add(&[to]);
            }
        }
    }

    fn holds(&self, place: Place) -> bool {
        self.places.iter().any(|&p| overlap(&self.f.places[p], &self.f.places[place]))
    }

    fn inst(&mut self, r: Region, i: Inst) {
        let f = self.f;
        let mut any = false;
        f.for_each_operand(i, |v| any |= self.values.contains(v));
        match f.insts[i] {
            InstData::Loop { init, body, .. } => self.give(&f.regions[body].params, f.get(init)),
            InstData::Exit { .. } if any => self.exit(r, i),
            InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } | InstData::Exit { .. } => {}
            InstData::Access { op, place, .. } => {
                if any && op != Opcode::load {
                    self.add_place(place);
                }
                if (any || self.holds(place)) && (self.through)(i) {
                    self.add(f.results(i));
                }
            }
            InstData::Copy { to, from, .. } if any || self.holds(from) => self.add_place(to),
            InstData::Call { refs, .. } if any || f.get_places(refs).iter().any(|&p| self.holds(p)) => {
                f.get_places(refs).iter().for_each(|&p| self.add_place(p));
                self.add(f.results(i));
            }
            _ if any && (self.through)(i) => self.add(f.results(i)),
            _ => {}
        }
    }

    fn exit(&mut self, r: Region, e: Inst) {
        let f = self.f;
        let (Some(c), InstData::Exit { op, imm, .. }) = (target_construct(f, r, e), f.insts[e]) else { return };
        let given = f.operands(e);
        if let InstData::Loop { body, continuing, .. } = f.insts[c] {
            match op {
                Opcode::continue_ => return self.give(&f.regions[continuing].params, &given),
                Opcode::next => return self.give(&f.regions[body].params, &given),
                Opcode::next_if => self.give(&f.regions[body].params, &given[1..1 + imm as usize]),
                _ => {}
            }
        }
        self.give(f.results(c), &given[results_start(f, e)..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::test_functions::f;

    #[test]
    fn values_go_through_memory_loops_and_branches() {
        let f = f(
            "l0 = local [4 x i32] \"a\"\nv1 = const i32 0 v2 = const i32 1\nr0:\nv3 = dispatch_rays_index : i32x3\nv4 = extract #0 v3 : i32\n\
             store l0[v4], v4\nv5 = load l0.2 : i32\nv6 = loop (v1) : i32 {\nr1(v7: i32):\nv8 = if v0 : i32 {\nr2:\nyield v5\n} else {\nr3:\nyield v2\n}\n\
             continue r1(v8)\n} continuing {\nr4(v9: i32):\nnext_if v0 next(v9) break(v9)\n}\nv10 = iadd v1, v2 : i32\nreturn",
        );
        let slice = forward_slice(&f, |i| f.op(i) == Opcode::dispatch_rays_index, |_| true);
        let names: Vec<String> = f.values.keys().filter(|&v| slice.contains(v)).map(|v| v.to_string()).collect();
        assert_eq!(names, ["v3", "v4", "v5", "v6", "v7", "v8", "v9"]);
    }
}
