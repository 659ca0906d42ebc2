//! Legalisation of multi-level exits.
//!
//! SPIR-V lets a block branch to the merge block of the innermost `OpSwitch`, and to the merge and continue
//! blocks of the innermost loop, and nowhere else outside its construct. The IR's `break` may go further.
//! Here such an exit is split into steps: it stores its operands and a number into variables, leaves the
//! innermost construct, and the code after that construct dispatches on the number to the next exit. Exits of a construct to the
//! same place are one.
//!
//! An `if` has no merge block that nested constructs may branch to; one that is the target of a `break` from
//! deeper inside is wrapped into a `block`, which becomes an `OpSwitch` with a default only.

use rtc_base::{SecondaryMap, Span};
use rtc_ir::{Function, Inst, InstData, Local, Opcode, Region, Root, Type, Value};
use smallvec::SmallVec;

/// Makes every exit of `f` one that SPIR-V has.
pub fn run(f: &mut Function) {
    let body = f.body;
    wrap_ifs(f, body);
    let mut pass = Pass { f, stack: Vec::new(), escapes: SecondaryMap::new() };
    pass.region(body);
}

/// The region that owns the terminator's instruction list, for each `if` that is broken out of from deeper
/// inside: wraps it.
fn wrap_ifs(f: &mut Function, body: Region) {
    let mut targets: Vec<Inst> = Vec::new();
    f.for_each_inst(body, |_, i| {
        if let InstData::Exit { op: Opcode::break_, target, .. } = f.insts[i]
            && let Some(owner) = target.expand().and_then(|t| f.regions[t].owner)
            && matches!(f.insts[owner], InstData::If { .. })
            && !targets.contains(&owner)
        {
            targets.push(owner);
        }
    });
    if targets.is_empty() {
        return;
    }
    let mut homes: Vec<(Region, Inst)> = Vec::new();
    f.for_each_inst(body, |r, i| {
        if targets.contains(&i) {
            homes.push((r, i));
        }
    });
    for (home, inst) in homes {
        let span = f.spans[inst];
        let results: SmallVec<[Value; 8]> = f.results(inst).into();
        let types: SmallVec<[Type; 8]> = results.iter().map(|&v| f.ty(v)).collect();
        let inner = f.add_region();
        let copy = f.make(f.insts[inst], &types, span);
        f.hints[copy] = std::mem::take(&mut f.hints[inst]);
        f.regions[inner].insts.push(copy);
        let inner_results: SmallVec<[Value; 8]> = f.results(copy).into();
        let args = f.list(&inner_results);
        f.append(inner, exit(Opcode::yield_, None, args), &[], span);
        let arms = f.regions_of(copy);
        // The old instruction becomes the block, so that its results keep their numbers.
        f.insts[inst] = InstData::Block { body: inner };
        f.regions[inner].owner = Some(inst);
        debug_assert!(f.regions[home].insts.contains(&inst));
        let mut breaks = Vec::new();
        for &arm in &arms {
            f.for_each_inst(arm, |_, i| {
                if let InstData::Exit { op: Opcode::break_, target, .. } = f.insts[i]
                    && target.expand().is_some_and(|t| arms.contains(&t))
                {
                    breaks.push(i);
                }
            });
        }
        for b in breaks {
            if let InstData::Exit { target, .. } = &mut f.insts[b] {
                *target = Some(inner).into();
            }
        }
    }
}

fn exit(op: Opcode, target: Option<Region>, args: rtc_ir::ValueList) -> InstData {
    InstData::Exit { op, imm: 0, target: target.into(), args }
}

/// An exit that had to stop at a construct on its way.
#[derive(Clone)]
struct Escape {
    op: Opcode,
    target: Region,
    temps: Vec<(Local, Type)>,
    span: Span,
}

#[derive(Clone, Default)]
struct Escapes {
    selector: Option<Local>,
    list: Vec<Escape>,
}

struct Pass<'a> {
    f: &'a mut Function,
    /// The control instructions around the current place, outermost first.
    stack: Vec<Inst>,
    escapes: SecondaryMap<Inst, Option<Box<Escapes>>>,
}

impl Pass<'_> {
    fn region(&mut self, r: Region) {
        let insts = std::mem::take(&mut self.f.regions[r].insts);
        let mut out = Vec::with_capacity(insts.len());
        for i in insts {
            match self.f.insts[i] {
                InstData::Exit { op: op @ (Opcode::break_ | Opcode::continue_), target, args, .. } => {
                    let target = target.expand().expect("break and continue name a region");
                    let values: Vec<Value> = self.f.get(args).to_vec();
                    let span = self.f.spans[i];
                    self.exit(op, target, &values, span, &mut out);
                }
                _ if self.f.regions_of(i).is_empty() => out.push(i),
                _ => self.control(i, &mut out),
            }
        }
        self.f.regions[r].insts = out;
    }

    fn control(&mut self, i: Inst, out: &mut Vec<Inst>) {
        self.stack.push(i);
        for r in self.f.regions_of(i) {
            self.region(r);
        }
        self.stack.pop();
        let Some(escapes) = self.escapes[i].take() else {
            out.push(i);
            return;
        };
        let span = self.f.spans[i];
        let selector = Root::Local(escapes.selector.expect("made with the first escape"));
        let zero = self.f.const_i32(0);
        out.push(self.store(selector, zero, span));
        out.push(i);
        for (n, e) in escapes.list.into_iter().enumerate() {
            let number = self.load(selector, Type::I32, span, out);
            let wanted = self.f.const_i32(n as i32 + 1);
            let data = InstData::Binary { op: Opcode::ieq, args: [number, wanted] };
            let same = self.f.make(data, &[Type::BOOL], span);
            out.push(same);
            let cond = self.f.result(same);
            let (then_, else_) = (self.f.add_region(), self.f.add_region());
            let branch = self.f.make(InstData::If { cond, then_, else_ }, &[], span);
            self.f.append(else_, exit(Opcode::yield_, None, Default::default()), &[], span);
            out.push(branch);
            self.stack.push(branch);
            let mut inside = Vec::new();
            let values: Vec<Value> = e.temps.iter().map(|&(l, ty)| self.load(Root::Local(l), ty, e.span, &mut inside)).collect();
            self.exit(e.op, e.target, &values, e.span, &mut inside);
            self.stack.pop();
            self.f.regions[then_].insts = inside;
        }
    }

    fn load(&mut self, root: Root, ty: Type, span: Span, out: &mut Vec<Inst>) -> Value {
        let place = self.f.place(root, &[]);
        let data = InstData::Access { op: Opcode::load, imm: 0, place, args: Default::default() };
        let i = self.f.make(data, &[ty], span);
        out.push(i);
        self.f.result(i)
    }

    fn store(&mut self, root: Root, value: Value, span: Span) -> Inst {
        let place = self.f.place(root, &[]);
        let args = self.f.list(&[value]);
        self.f.make(InstData::Access { op: Opcode::store, imm: 0, place, args }, &[], span)
    }

    /// Appends an exit out of `target`, in one step if SPIR-V can, else the first stage of it.
    fn exit(&mut self, op: Opcode, target: Region, values: &[Value], span: Span, out: &mut Vec<Inst>) {
        let owner = self.f.regions[target].owner.expect("only regions with an owner can be left");
        let at = self.stack.iter().rposition(|&c| c == owner).expect("an enclosing construct");
        let to_loop = matches!(self.f.insts[owner], InstData::Loop { .. });
        let in_the_way = self.stack[at + 1..].iter().rev().copied().find(|&c| match self.f.insts[c] {
            InstData::Loop { .. } => true,
            InstData::Switch { .. } | InstData::Block { .. } => !to_loop,
            _ => false,
        });
        let Some(first) = in_the_way else {
            let args = self.f.list(values);
            out.push(self.f.make(exit(op, Some(target), args), &[], span));
            return;
        };
        let mut escapes = self.escapes[first].take().unwrap_or_default();
        let selector = *escapes.selector.get_or_insert_with(|| self.f.add_local(Type::I32, ""));
        // Exits to one place share a number and the variables, so that one test after the construct is enough for all of them.
        let same = escapes.list.iter().position(|e| e.op == op && e.target == target && e.temps.len() == values.len());
        let n = same.unwrap_or_else(|| {
            let temps = values.iter().map(|&v| (self.f.add_local(self.f.ty(v), ""), self.f.ty(v))).collect();
            escapes.list.push(Escape { op, target, temps, span });
            escapes.list.len() - 1
        });
        for (&v, &(l, _)) in values.iter().zip(&escapes.list[n].temps) {
            out.push(self.store(Root::Local(l), v, span));
        }
        let number = self.f.const_i32(n as i32 + 1);
        self.escapes[first] = Some(escapes);
        out.push(self.store(Root::Local(selector), number, span));
        // Leave the construct in between; its results are not used on this path.
        let results: SmallVec<[Value; 8]> = self.f.results(first).into();
        let undef: Vec<Value> = results.iter().map(|&v| self.f.undef(self.f.ty(v))).collect();
        let way_out = self.f.regions_of(first)[0];
        let inside = self.stack.iter().rposition(|&c| c == first).expect("it is on the stack");
        debug_assert!(inside > at);
        let args = self.f.list(&undef);
        out.push(self.f.make(exit(Opcode::break_, Some(way_out), args), &[], span));
    }
}
