//! From the fixpoint of the liveness analysis to the live state that is reported for each reorder point.

use rtc_base::BitSet;
use rtc_ir::{Inst, InstData, Opcode, RefMode, Root};
use smallvec::SmallVec;

use super::elements::Element;
use super::live::{LivePart, LiveState, LiveValue, Walk};
use super::remat;

impl Walk<'_> {
    pub(super) fn finish(mut self, settled: bool) -> Vec<LiveState> {
        // Outer loops first: an inner loop's mark includes the live-in sets of the loops around it.
        for n in 0..self.loops.len() {
            let l = self.loops[n];
            let mut set = self.header[l].clone();
            let mut around = self.text.tree.loop_around(l);
            while let Some(outer) = around {
                if set.contains(self.marks[outer]) {
                    self.join_header(&mut set, outer, settled);
                    break; // which has what the loops around it need
                }
                around = self.text.tree.loop_around(outer);
            }
            self.header[l] = set;
        }
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|(i, _)| self.text.at(*i));
        let written = self.written();
        let mut out = Vec::with_capacity(found.len());
        for (point, mut set) in found {
            let mut around = self.text.tree.loop_around(point);
            let mut loops: SmallVec<[Inst; 4]> = SmallVec::new();
            while let Some(l) = around {
                if set.contains(self.marks[l]) {
                    self.join_header(&mut set, l, settled);
                }
                loops.push(l);
                around = self.text.tree.loop_around(l);
            }
            out.push(self.state(point, &set, &loops, &written));
        }
        remat::mark(self.m, self.f, &mut out);
        out
    }

    /// Adds the values that the beginning of loop `l` needs, and the variables if the walks did not come to an end with them.
    fn join_header(&self, set: &mut BitSet, l: Inst, settled: bool) {
        for n in self.header[l].iter() {
            let is_part = matches!(self.elements.all.get(n as usize), Some((Element::Part(_), _)));
            if !is_part || !settled {
                set.insert(n);
            }
        }
    }

    /// Where each element of a variable is written: numbers of instructions, in order.
    fn written(&mut self) -> Vec<Vec<u32>> {
        let (m, f) = (self.m, self.f);
        let mut out: Vec<Vec<u32>> = vec![Vec::new(); self.elements.all.len()];
        let mut write = |range: std::ops::Range<u32>, at: u32| {
            range.for_each(|n| out[n as usize].push(at));
        };
        for (&root, &(first, count)) in &self.elements.roots {
            let given = match root {
                Root::Slot(s) => f.slots[s].role.is_incoming(),
                Root::Local(l) => matches!(f.locals[l].param, Some(RefMode::In | RefMode::InOut)),
                Root::Global(_) => false,
            };
            if given {
                write(first..first + count, 0);
            }
        }
        let (elements, text) = (&mut self.elements, &self.text);
        f.for_each_inst(f.body, |_, i| {
            let at = text.at(i);
            let mut place = |p: rtc_ir::Place| {
                let p = &f.places[p];
                if let Some(r) = elements.range(m, f, p.root, &p.steps) {
                    write(r.first..r.first + r.count, at);
                }
            };
            match f.insts[i] {
                InstData::Access { op: Opcode::store, place: p, .. } => place(p),
                InstData::Copy { to, .. } => place(to),
                InstData::Call { refs, .. } => f.get_places(refs).iter().for_each(|&p| place(p)),
                InstData::Slot { slot, .. } => {
                    if let Some(&(first, count)) = elements.roots.get(&Root::Slot(slot)) {
                        write(first..first + count, at);
                    }
                }
                _ => {}
            }
        });
        out
    }

    fn state(&self, point: Inst, set: &BitSet, loops: &[Inst], written: &[Vec<u32>]) -> LiveState {
        let own = match self.f.insts[point] {
            InstData::Slot { slot, .. } => Some(Root::Slot(slot)),
            _ => None,
        };
        let at = self.text.at(point);
        let mut s = LiveState { point, values: Vec::new(), free: Vec::new(), parts: Vec::new() };
        for n in set.iter() {
            match self.elements.all.get(n as usize) {
                Some((Element::Value(v, component), bytes)) => match s.values.last_mut() {
                    Some(last) if last.value == *v => {
                        last.components |= 1 << component;
                        last.bytes += bytes;
                    }
                    _ => s.values.push(LiveValue { value: *v, components: 1 << component, bytes: *bytes, recompute: None }),
                },
                Some((Element::Part(part), bytes)) if Some(part.root) != own => {
                    let writes = &written[n as usize];
                    let before = writes.first().is_some_and(|&w| w < at);
                    // In a loop what comes later also comes before.
                    let around = || {
                        loops.last().is_some_and(|&l| {
                            let next = writes.partition_point(|&w| w < self.text.at(l));
                            writes.get(next).is_some_and(|&w| w < self.text.tree.end_of(self.f, l))
                        })
                    };
                    if before || around() {
                        s.parts.push(LivePart { part: part.clone(), bytes: *bytes });
                    }
                }
                _ => {}
            }
        }
        s
    }
}
