//! Planted errors of payload packing, in its output or its input, to show that the test finds them.

use rtc_ir::{Function, Inst, InstData, Module, Opcode, PaqStage, Region, Root, Scalar, Slot, Stage, Step, TypeKind, Value};

/// A mistake: what it is, whether it comes before packing, and the deed. Whether there was something to spoil.
pub struct Mistake {
    pub name: &'static str,
    pub before: bool,
    pub plant: fn(&mut Module) -> bool,
}

const fn after(name: &'static str, plant: fn(&mut Module) -> bool) -> Mistake {
    Mistake { name, before: false, plant }
}

const fn ahead(name: &'static str, plant: fn(&mut Module) -> bool) -> Mistake {
    Mistake { name, before: true, plant }
}

pub const MISTAKES: &[Mistake] = &[
    after("a wrong word after traces", |m| each(m, |_, f, c| c.is(false, At::After(Opcode::trace_ray)) && next_word(f, c))),
    after("two words are one", two_words_are_one),
    after("nothing comes back from traces", |m| drop_at(m, false, |_, at| at == At::After(Opcode::trace_ray))),
    after("nothing goes into traces", |m| drop_at(m, true, |_, at| at == At::Before(Opcode::trace_ray, Depth::Any))),
    after("nothing comes into closest-hit shaders", |m| drop_at(m, false, |f, at| f.stage == Stage::ClosestHit && at == At::Begin)),
    after("nothing comes into any-hit shaders", |m| drop_at(m, false, |f, at| f.stage == Stage::AnyHit && at == At::Begin)),
    after("nothing comes out where hits are ignored", |m| drop_at(m, true, |_, at| at == At::Before(Opcode::ignore_hit, Depth::Any))),
    after("nothing comes out where hits end the search", |m| drop_at(m, true, |_, at| at == At::Before(Opcode::accept_hit, Depth::Any))),
    after("nothing comes out of early returns", |m| drop_at(m, true, |_, at| at == At::Before(Opcode::return_, Depth::Inner))),
    after("nothing comes out at the end", |m| drop_at(m, true, |_, at| at == At::Before(Opcode::return_, Depth::Outer))),
    after("nothing comes back from the trace of a hit object", |m| drop_at(m, false, |_, at| at == At::After(Opcode::hit_trace))),
    after("nothing goes into the invoke of a hit object", |m| drop_at(m, true, |_, at| at == At::Before(Opcode::hit_invoke, Depth::Any))),
    after("small fields clear adjacent fields", |m| each(m, |m, f, c| c.out && constants(m, f, c, Opcode::and, true, |_| 0))),
    after("small fields are sign-extended over adjacent fields", sign_extended),
    after("small fields are read with adjacent fields", |m| {
        each(m, |m, f, c| !c.out && constants(m, f, c, Opcode::and, false, |_| u32::MAX))
    }),
    after("small fields go to the next byte", |m| each(m, |m, f, c| c.out && constants(m, f, c, Opcode::shl, false, |n| (n + 8) & 31))),
    after("the halves of wide fields are exchanged", |m| each(m, |_, f, c| !c.out && exchange_halves(f, c))),
    after("low halves are sign-extended", |m| each(m, |m, f, c| !c.out && low_half(m, f, c))),
    after("high halves are lost", |m| each(m, |m, f, c| c.out && constants(m, f, c, Opcode::lshr, false, |_| 0))),
    after("shaders write what is not theirs", writes_too_much),
    ahead("what any-hit shaders write is forgotten", |m| forget(m, 0, PaqStage::AnyHit.bit())),
    ahead("what miss shaders read is forgotten", |m| forget(m, PaqStage::Miss.bit(), 0)),
    ahead("what any-hit shaders read is forgotten", |m| forget(m, PaqStage::AnyHit.bit(), 0)),
    ahead("what the caller writes is forgotten", |m| forget(m, 0, PaqStage::Caller.bit())),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Depth {
    Any,
    Outer,
    Inner,
}

/// Where a copy is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    Begin,
    After(Opcode),
    Before(Opcode, Depth),
}

/// A scalar that is copied from or to words.
struct Copy {
    /// From the local to the words.
    out: bool,
    at: At,
    region: Region,
    /// Its instructions; the last is the store.
    insts: Vec<Inst>,
}

impl Copy {
    fn is(&self, out: bool, at: At) -> bool {
        self.out == out && self.at == at
    }
}

fn words(m: &Module, f: &Function, slot: Slot) -> Option<u32> {
    let TypeKind::Struct(s) = m.types.kind(f.slots[slot].ty) else { return None };
    m.structs[s].name.ends_with(".packed").then_some(m.structs[s].fields.len() as u32)
}

/// The word that an instruction accesses: of how many.
fn word(m: &Module, f: &Function, i: Inst) -> Option<(Slot, u32, u32)> {
    let InstData::Access { place, .. } = f.insts[i] else { return None };
    match (f.places[place].root, &f.places[place].steps[..]) {
        (Root::Slot(s), [Step::At(w)]) => Some((s, *w, words(m, f, s)?)),
        _ => None,
    }
}

/// Copies between payload words and locals.
fn copies(m: &Module, f: &Function) -> Vec<Copy> {
    let mut out = Vec::new();
    f.for_each_region(f.body, |region| {
        let all = &f.regions[region].insts;
        let is = |i: Inst, op: Opcode| f.op(i) == op;
        let is_local = |i: Inst| matches!(f.access_root(i), Some(Root::Local(_)));
        let is_trace = |i: &Inst| matches!(f.insts[*i], InstData::Slot { slot, .. } if words(m, f, slot).is_some());
        // The first load of words since the last store.
        let mut loaded = None;
        for (n, &i) in all.iter().enumerate() {
            if is(i, Opcode::load) && word(m, f, i).is_some() && loaded.is_none() {
                loaded = Some(n);
            }
            if !is(i, Opcode::store) {
                continue;
            }
            if word(m, f, i).is_some() {
                let from = all[..n].iter().rposition(|&i| is(i, Opcode::load) && is_local(i)).unwrap_or(n);
                let last = *all.last().expect("a region has an end");
                let next = all[n..].iter().copied().find(is_trace).unwrap_or(last);
                let at = match (f.insts[next], region == f.body) {
                    (InstData::Exit { op: op @ Opcode::return_, .. }, outer) => {
                        At::Before(op, if outer { Depth::Outer } else { Depth::Inner })
                    }
                    _ => At::Before(f.op(next), Depth::Any),
                };
                out.push(Copy { out: true, at, region, insts: all[from..=n].to_vec() });
            } else if let Some(from) = loaded.filter(|_| is_local(i)) {
                let at = all[..from].iter().copied().rfind(|i| is_trace(i)).map_or(At::Begin, |i| At::After(f.op(i)));
                out.push(Copy { out: false, at, region, insts: all[from..=n].to_vec() });
            }
            loaded = None;
        }
    });
    out
}

/// Does something to each copy.
fn each(m: &mut Module, spoil: impl Fn(&Module, &mut Function, &Copy) -> bool) -> bool {
    let mut done = false;
    for id in m.funcs.keys() {
        let mut f = m.funcs[id].clone();
        for c in copies(m, &f) {
            done |= spoil(m, &mut f, &c);
        }
        m.funcs[id] = f;
    }
    done
}

/// Leaves copies out.
fn drop_at(m: &mut Module, out: bool, at: fn(&Function, At) -> bool) -> bool {
    each(m, |_, f, c| {
        let hit = c.out == out && at(f, c.at);
        if hit {
            let last = c.insts.last().copied();
            f.regions[c.region].insts.retain(|&i| Some(i) != last);
        }
        hit
    })
}

fn set_word(f: &mut Function, i: Inst, slot: Slot, w: u32) {
    let to = f.place(Root::Slot(slot), &[Step::At(w)]);
    if let InstData::Access { place, .. } = &mut f.insts[i] {
        *place = to;
    }
}

fn next_word(f: &mut Function, c: &Copy) -> bool {
    let mut done = false;
    for &i in &c.insts {
        if let InstData::Access { op: Opcode::load, place, .. } = f.insts[i]
            && let (Root::Slot(s), [Step::At(w)]) = (f.places[place].root, &f.places[place].steps[..])
            && *w > 0
        {
            let w = w - 1;
            set_word(f, i, s, w);
            done = true;
        }
    }
    done
}

fn two_words_are_one(m: &mut Module) -> bool {
    let mut done = false;
    for id in m.funcs.keys() {
        let mut f = m.funcs[id].clone();
        for i in f.insts.keys().collect::<Vec<_>>() {
            if let Some((slot, 1, _)) = word(m, &f, i) {
                set_word(&mut f, i, slot, 0);
                done = true;
            }
        }
        m.funcs[id] = f;
    }
    done
}

/// Changes the constants of `op` in a copy: only where the other operand comes from words that are written (`old`), or only where not.
fn constants(m: &Module, f: &mut Function, c: &Copy, op: Opcode, old: bool, to: fn(u32) -> u32) -> bool {
    let mut done = false;
    for &i in &c.insts {
        let InstData::Binary { op: is, args: [a, b] } = f.insts[i] else { continue };
        let from_words = f.def_inst(a).is_some_and(|i| word(m, f, i).is_some());
        let Some(bits) = f.as_const(b).filter(|_| is == op && (from_words == old || !c.out)) else { continue };
        let ty = f.ty(b);
        let new = f.const_bits(ty, to(bits as u32).into());
        f.insts[i] = InstData::Binary { op, args: [a, new] };
        done |= new != b;
    }
    done
}

fn sign_extended(m: &mut Module) -> bool {
    each(m, |m, f, c| {
        let mut done = false;
        let extends = |f: &Function, v: Value| f.def_inst(v).filter(|&i| f.op(i) == Opcode::zext);
        for &i in c.insts.iter().filter(|_| c.out) {
            if let InstData::Binary { op: Opcode::and, args: [a, b] } = f.insts[i]
                && let Some(z) = extends(f, a)
                && let InstData::Unary { arg, .. } = f.insts[z]
                && m.types.elem(f.ty(arg)) == Scalar::I16
            {
                let all = f.const_u32(u32::MAX);
                f.insts[z] = InstData::Unary { op: Opcode::sext, arg };
                f.insts[i] = InstData::Binary { op: Opcode::and, args: [a, all] };
                done |= b != all;
            }
        }
        done
    })
}

fn exchange_halves(f: &mut Function, c: &Copy) -> bool {
    let mut done = false;
    for &i in &c.insts {
        if let InstData::Binary { op: Opcode::make_double, args: [a, b] } = f.insts[i] {
            f.insts[i] = InstData::Binary { op: Opcode::make_double, args: [b, a] };
            done = true;
        }
    }
    done
}

fn low_half(m: &Module, f: &mut Function, c: &Copy) -> bool {
    let wide = |f: &Function, i: Inst| {
        matches!(f.insts[i], InstData::Unary { op: Opcode::zext, .. }) && m.types.elem(f.ty(f.result(i))) == Scalar::I64
    };
    let Some(&i) = c.insts.iter().find(|&&i| wide(f, i)) else { return false };
    if let InstData::Unary { arg, .. } = f.insts[i] {
        f.insts[i] = InstData::Unary { op: Opcode::sext, arg };
    }
    true
}

/// Closest-hit and miss shaders store something where they store nothing.
fn writes_too_much(m: &mut Module) -> bool {
    let mut done = false;
    for id in m.funcs.keys() {
        let mut f = m.funcs[id].clone();
        let Some(slot) = f.slot_of(rtc_ir::SlotRole::PayloadIn) else { continue };
        let Some(count) = words(m, &f, slot).filter(|_| f.stage != Stage::AnyHit) else { continue };
        let mut free: Vec<bool> = vec![true; count as usize];
        for i in f.insts.keys().filter(|&i| f.op(i) == Opcode::store) {
            if let Some((s, w, _)) = word(m, &f, i)
                && s == slot
            {
                free[w as usize] = false;
            }
        }
        for w in (0..count).filter(|&w| free[w as usize]) {
            let x = f.const_u32(0x5a5a_5a5a);
            let place = f.place(Root::Slot(slot), &[Step::At(w)]);
            let args = f.list(&[x]);
            let i = f.make(InstData::Access { op: Opcode::store, imm: 0, place, args }, &[], rtc_base::Span::NONE);
            let body = f.body;
            f.regions[body].insts.insert(0, i);
            done = true;
        }
        m.funcs[id] = f;
    }
    done
}

/// Takes stages from qualifiers.
fn forget(m: &mut Module, read: u8, write: u8) -> bool {
    let mut done = false;
    for s in m.structs.values_mut() {
        for q in s.fields.iter_mut().filter_map(|f| f.paq.as_mut()) {
            done |= q.read & read != 0 || q.write & write != 0;
            q.read &= !read;
            q.write &= !write;
        }
    }
    done
}
