//! From what is live after each reorder point to the live state that is reported for it.

use rtc_base::BitSet;
use rtc_ir::{Inst, InstData, Opcode, RefMode, Root};

use super::elements::Element;
use super::live::{LivePart, LiveState, LiveValue, Liveness};
use super::remat;

impl Liveness<'_> {
    /// The live states of the points in the order of the text.
    pub(super) fn states(&self, mut found: Vec<(Inst, BitSet)>) -> Vec<LiveState> {
        found.sort_by_key(|(i, _)| self.text.at(*i));
        let written = self.written();
        let mut out: Vec<LiveState> = found.iter().map(|(point, set)| self.state(*point, set, &written)).collect();
        remat::mark(self.m, self.f, &mut out);
        out
    }

    /// The outermost loop around an instruction.
    fn outermost_loop(&self, i: Inst) -> Option<Inst> {
        std::iter::successors(self.text.tree.loop_around(i), |&l| self.text.tree.loop_around(l)).last()
    }

    /// Where each element of a variable is written: numbers of instructions, in order.
    fn written(&self) -> Vec<Vec<u32>> {
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
        let (elements, text) = (&self.elements, &self.text);
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

    fn state(&self, point: Inst, set: &BitSet, written: &[Vec<u32>]) -> LiveState {
        let own = match self.f.insts[point] {
            InstData::Slot { slot, .. } => Some(Root::Slot(slot)),
            _ => None,
        };
        let at = self.text.at(point);
        let outermost = self.outermost_loop(point);
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
                        outermost.is_some_and(|l| {
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
