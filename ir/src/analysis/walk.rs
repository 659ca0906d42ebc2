//! Depth-first traversal of the region tree, forward and backward, as a stream of events.

use crate::{Function, Inst, InstData, Region};

/// One step of a traversal.
///
/// The events of a region are properly nested: `Enter(r)`, its instructions in order, `Leave(r)`. A control instruction gives
/// `Inst`, then all events of its regions in the order of the text, then `End`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A region begins: its parameters become visible.
    Enter(Region),
    /// An instruction of the region. Of a control instruction: before its regions.
    Inst(Region, Inst),
    /// A control instruction of the region, after its regions: its results become visible.
    End(Region, Inst),
    /// A region is done, terminator included.
    Leave(Region),
}

/// An entry of the stack.
#[derive(Clone, Copy)]
enum Work {
    /// A region that is to be traversed.
    Region(Region),
    /// A region that is being traversed. Forward: the index of the next instruction; backward: how many are left.
    Insts(Region, u32),
    /// A control instruction whose regions are above this entry. What it gives at last: forward `End`, backward `Inst`.
    Construct(Region, Inst),
}

/// Pushes the regions of `i` as work, the first or (`backward`) the last of them on top. Whether `i` is a control instruction.
/// Regions and case tables that do not exist count as empty.
#[inline]
fn push_regions(stack: &mut Vec<Work>, f: &Function, r: Region, i: Inst, backward: bool) -> bool {
    let first = stack.len() + 1;
    match f.insts.get(i) {
        Some(&InstData::If { then_, else_, .. }) => {
            stack.extend([Work::Construct(r, i), Work::Region(else_), Work::Region(then_)]);
        }
        Some(&InstData::Loop { body, continuing, .. }) => {
            stack.extend([Work::Construct(r, i), Work::Region(continuing), Work::Region(body)]);
        }
        Some(&InstData::Block { body }) => stack.extend([Work::Construct(r, i), Work::Region(body)]),
        Some(&InstData::Switch { cases, .. }) => {
            stack.push(Work::Construct(r, i));
            if let Some(table) = f.cases.get(cases) {
                stack.push(Work::Region(table.default));
                stack.extend(table.arms.iter().rev().map(|arm| Work::Region(arm.1)));
            }
        }
        _ => return false,
    }
    if backward {
        stack[first..].reverse();
    }
    true
}

/// The traversal in the order of the text.
///
/// It borrows the function only while it steps, so a pass may change operands, results and parameters between two events, and
/// regions that are left. The instruction lists of regions that are not left yet must stay as they are; a pass that rebuilds
/// them collects the new list, and stores it on `Leave`.
///
/// Modules that the verifier has not seen can be traversed too: a region, instruction or case table that does not exist
/// counts as empty. If regions may contain themselves, [`Walk::skip`] has to be called where one is entered again.
///
/// ```
/// use rtc_ir::analysis::{Event, Walk};
/// # let f = rtc_ir::Function::new("f", rtc_ir::Stage::Library);
/// let mut depth = 0;
/// let mut walk = Walk::new(f.body);
/// while let Some(event) = walk.next(&f) {
///     match event {
///         Event::Enter(_) => depth += 1,
///         Event::Leave(_) => depth -= 1,
///         Event::Inst(..) | Event::End(..) => {}
///     }
/// }
/// assert_eq!(depth, 0);
/// ```
pub struct Walk {
    stack: Vec<Work>,
}

impl Walk {
    /// A traversal of `region` and everything in it.
    pub fn new(region: Region) -> Walk {
        Walk { stack: vec![Work::Region(region)] }
    }

    /// The next event.
    #[inline]
    pub fn next(&mut self, f: &Function) -> Option<Event> {
        match self.stack.last_mut()? {
            Work::Insts(r, at) => {
                let r = *r;
                let Some(&i) = f.regions.get(r).and_then(|data| data.insts.get(*at as usize)) else {
                    self.stack.pop();
                    return Some(Event::Leave(r));
                };
                *at += 1;
                push_regions(&mut self.stack, f, r, i, false);
                Some(Event::Inst(r, i))
            }
            top @ &mut Work::Region(r) => {
                *top = Work::Insts(r, 0);
                Some(Event::Enter(r))
            }
            &mut Work::Construct(r, i) => {
                self.stack.pop();
                Some(Event::End(r, i))
            }
        }
    }

    /// Skips what the last event begins: after `Enter` the instructions of the region, after `Inst` the regions of the
    /// control instruction. `Leave` and `End` come all the same.
    pub fn skip(&mut self) {
        match self.stack.last_mut() {
            Some(Work::Insts(_, at)) if *at == 0 => *at = u32::MAX,
            _ => {
                while let Some(Work::Region(_)) = self.stack.last() {
                    self.stack.pop();
                }
            }
        }
    }
}

/// The traversal against the order of the text, for backward dataflow: the events of [`Walk`] from the last to the first.
/// So `Leave` comes before the instructions of a region and `End` before the regions of a control instruction.
pub struct Backward {
    stack: Vec<Work>,
}

impl Backward {
    /// A traversal of `region` and everything in it.
    pub fn new(region: Region) -> Backward {
        Backward { stack: vec![Work::Region(region)] }
    }

    /// The next event.
    #[inline]
    pub fn next(&mut self, f: &Function) -> Option<Event> {
        match self.stack.last_mut()? {
            Work::Insts(r, left) => {
                let r = *r;
                let Some(n) = left.checked_sub(1) else {
                    self.stack.pop();
                    return Some(Event::Enter(r));
                };
                *left = n;
                let i = f.regions[r].insts[n as usize];
                let event = match push_regions(&mut self.stack, f, r, i, true) {
                    true => Event::End(r, i),
                    false => Event::Inst(r, i),
                };
                Some(event)
            }
            top @ &mut Work::Region(r) => {
                *top = Work::Insts(r, f.regions[r].insts.len() as u32);
                Some(Event::Leave(r))
            }
            &mut Work::Construct(r, i) => {
                self.stack.pop();
                Some(Event::Inst(r, i))
            }
        }
    }
}

impl Function {
    /// Calls `visit` with every region below and including `region`, parents first, in the order of the text.
    pub fn for_each_region(&self, region: Region, mut visit: impl FnMut(Region)) {
        let mut todo = vec![region];
        while let Some(r) = todo.pop() {
            visit(r);
            for &i in self.regions[r].insts.iter().rev() {
                if self.owns_regions(i) {
                    todo.extend(self.regions_of(i).into_iter().rev());
                }
            }
        }
    }

    /// Calls `visit` with every instruction below `region` in the order of the text, control instructions before what they
    /// own. It is [`Walk`] where only `Inst` matters, as a loop over the list of each region.
    pub fn for_each_inst(&self, region: Region, mut visit: impl FnMut(Region, Inst)) {
        let mut todo: Vec<(Region, usize)> = vec![(region, 0)];
        while let Some((r, from)) = todo.pop() {
            for (at, &i) in self.regions[r].insts.iter().enumerate().skip(from) {
                visit(r, i);
                if self.owns_regions(i) {
                    todo.push((r, at + 1));
                    todo.extend(self.regions_of(i).into_iter().rev().map(|r| (r, 0)));
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::test_functions::{f, nested};

    fn forward(f: &Function) -> Vec<Event> {
        let mut walk = Walk::new(f.body);
        std::iter::from_fn(|| walk.next(f)).collect()
    }

    #[test]
    fn events_are_those_of_the_text() {
        let f = f("r0:\n if v0 {\n r1:\n  yield\n } else {\n r2:\n  yield\n }\n return");
        let (iff, yes, no, ret) = (Inst::from_u32(0), Inst::from_u32(1), Inst::from_u32(2), Inst::from_u32(3));
        let [r0, r1, r2] = [0, 1, 2].map(Region::from_u32);
        use Event::{End, Enter, Leave};
        let i = Event::Inst;
        let expected =
            [Enter(r0), i(r0, iff), Enter(r1), i(r1, yes), Leave(r1), Enter(r2), i(r2, no), Leave(r2), End(r0, iff), i(r0, ret), Leave(r0)];
        assert_eq!(forward(&f), expected);
    }

    #[test]
    fn backward_is_the_reverse() {
        let f = nested();
        let mut walk = Backward::new(f.body);
        let mut back: Vec<Event> = std::iter::from_fn(|| walk.next(&f)).collect();
        back.reverse();
        assert_eq!(back, forward(&f));
    }

    #[test]
    fn both_agree_with_the_loops_over_regions_and_instructions() {
        let f = nested();
        let events = forward(&f);
        let (mut insts, mut regions) = (Vec::new(), Vec::new());
        f.for_each_inst(f.body, |r, i| insts.push(Event::Inst(r, i)));
        f.for_each_region(f.body, |r| regions.push(Event::Enter(r)));
        assert!(insts.len() > 8);
        assert_eq!(events.iter().filter(|e| matches!(e, Event::Inst(..))).copied().collect::<Vec<_>>(), insts);
        assert_eq!(events.iter().filter(|e| matches!(e, Event::Enter(..))).copied().collect::<Vec<_>>(), regions);
    }

    #[test]
    fn skipping_leaves_out_what_is_inside() {
        let f = nested();
        let mut walk = Walk::new(f.body);
        let mut seen = Vec::new();
        while let Some(event) = walk.next(&f) {
            if let Event::Inst(_, i) = event
                && f.owns_regions(i)
            {
                walk.skip();
            }
            seen.push(event);
        }
        // The body alone: its instructions, and both ends of it and of its constructs.
        let constructs = f.regions[f.body].insts.iter().filter(|&&i| f.owns_regions(i)).count();
        assert_eq!(seen.len(), f.regions[f.body].insts.len() + constructs + 2);
        let mut walk = Walk::new(f.body);
        assert_eq!(walk.next(&f), Some(Event::Enter(f.body)));
        walk.skip();
        assert_eq!(walk.next(&f), Some(Event::Leave(f.body)));
        assert_eq!(walk.next(&f), None);
    }

    #[test]
    fn what_does_not_exist_is_empty() {
        let mut f = nested();
        f.regions[f.body].insts.push(Inst::from_u32(1000));
        f.append(f.body, InstData::Block { body: f.body }, &[], rtc_base::Span::NONE);
        let last = *f.regions[f.body].insts.last().expect("just appended");
        f.insts[last] = InstData::Block { body: Region::from_u32(1000) };
        let events = forward(&f);
        assert!(events.contains(&Event::Inst(f.body, Inst::from_u32(1000))));
        assert!(events.contains(&Event::Leave(Region::from_u32(1000))));
    }
}
