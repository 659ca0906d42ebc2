//! What a ray saves at a reorder point: its live state as the words of a record.
//!
//! Numbers of 64 bits have two words and those of 32 bits one. What is smaller shares words: booleans have a bit, integers as many bits as their
//! range at the point needs ([`Ranges`]).

use rtc_ir::{Builder, Function, Module, Opcode, Root, Scalar, Step, Type, TypeKind, Value, ValueDef};
use rustc_hash::FxHashMap;

use super::control::{Code, Ray};
use super::recompute::{self, Live};
use crate::ranges::{Range, Ranges};
use crate::reorder::LiveState;
use crate::reorder::remat::whole;
use crate::util::copy;
use crate::words::{of_words, scalar_bits, to_words};

/// Most words that a ray saves at a point.
pub(super) const MAX_WORDS: u32 = 256;

/// Where a number is that is saved.
#[derive(Clone, Debug)]
enum From {
    /// Components of a value.
    Value(Value),
    /// A leaf of a variable.
    Part(Root, Vec<Step>),
}

/// A number or vector that is saved.
#[derive(Clone, Debug)]
struct Item {
    from: From,
    ty: Type,
    /// How its components are saved.
    form: Form,
    /// Its components that are saved, each with its first bit in the record.
    places: Vec<(u32, u32)>,
}

/// How a number is saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Form {
    /// How many bits.
    bits: u32,
    /// An integer whose highest bit is its sign.
    signed: bool,
}

impl Form {
    const fn of_bits(bits: u32) -> Form {
        Form { bits, signed: false }
    }

    /// The fewest bits for the integers of a range.
    fn of_range(r: Range) -> Form {
        if r.is_empty() {
            return Form::of_bits(32);
        }
        // As many as the number and a sign have.
        let signed = 33 - r.smin.leading_zeros().max(r.smin.leading_ones()).min(r.smax.leading_zeros().max(r.smax.leading_ones()));
        match r.width().max(1) {
            unsigned if signed < unsigned => Form { bits: signed, signed: true },
            unsigned => Form::of_bits(unsigned),
        }
    }
}

/// What is saved at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Saved {
    items: Vec<Item>,
    /// Live values that are recomputed.
    recomputed: Vec<Value>,
    /// How many words.
    pub words: u32,
}

/// Decides what is saved of a live state.
///
/// # Errors
/// Something of it cannot be saved; the reason.
pub(super) fn plan(m: &Module, f: &Function, ranges: &Ranges, state: &LiveState) -> Result<Saved, String> {
    let mut live = Live::default();
    let all = state.values.iter().map(|v| (v.value, v.components)).chain(state.free.iter().map(|&v| (v, whole(m, f, v))));
    for (v, components) in all {
        match m.types.kind(f.ty(v)) {
            TypeKind::Scalar(_) | TypeKind::Vector(..) => *live.entry(v).or_default() |= components,
            // Handles are taken anew where they are used: what is needed is their index.
            TypeKind::Resource(_) => {
                let i = f.def_inst(v).filter(|&i| matches!(f.op(i), Opcode::resource | Opcode::heap_resource));
                let Some(i) = i else { return Err("a resource that control flow selects is live across it".into()) };
                for o in f.operands(i).into_iter().filter(|&o| f.as_const(o).is_none()) {
                    live.insert(o, whole(m, f, o));
                }
            }
            TypeKind::HitObject => return Err("a hit object is live across it".into()),
            TypeKind::RayQuery(..) => return Err("a ray query is live across it".into()),
            TypeKind::Linalg(_) => return Err("a matrix of linear algebra is live across it".into()),
            _ => return Err("a value of inline SPIR-V is live across it".into()),
        }
    }
    let mut saved = Saved::default();
    let mut values: Vec<Value> = live.keys().copied().collect();
    values.sort_unstable();
    for v in values {
        let (s, lanes) = m.types.numeric(f.ty(v)).expect("others are no state");
        let components: Vec<u32> = (0..lanes).filter(|&c| lanes > 4 || live[&v] >> c & 1 != 0).collect();
        let bits = components.len() as u32 * scalar_bits(m.native_16bit, s);
        if matches!(f.values[v].def, ValueDef::Const(_) | ValueDef::Undef) || recompute::pays(m, f, &live, v, bits.div_ceil(32)) {
            saved.recomputed.push(v);
            continue;
        }
        let places = components.into_iter().map(|c| (c, 0)).collect();
        let form =
            if f.ty(v) == Type::I32 { Form::of_range(ranges.at(v, state.point)) } else { Form::of_bits(scalar_bits(m.native_16bit, s)) };
        saved.items.push(Item { from: From::Value(v), ty: f.ty(v), form, places });
    }
    for p in &state.parts {
        let mut leaves = Vec::new();
        m.leaves(p.part.ty, &mut |path, t| leaves.push((path.to_vec(), t)));
        for (path, ty) in leaves {
            let Some((s, lanes)) = m.types.numeric(ty) else {
                return Err(match m.types.kind(ty) {
                    TypeKind::RayQuery(..) => "a ray query is live across it".into(),
                    TypeKind::HitObject => "a hit object is live across it".into(),
                    TypeKind::Linalg(_) => "a matrix of linear algebra is live across it".into(),
                    TypeKind::Resource(_) => "a variable that holds a resource is live across it".into(),
                    _ => "a variable of a type of inline SPIR-V is live across it".to_string(),
                });
            };
            let steps = p.part.path.iter().chain(&path).map(|&n| Step::At(n)).collect();
            let places = (0..lanes).map(|c| (c, 0)).collect();
            saved.items.push(Item {
                from: From::Part(p.part.root, steps),
                ty,
                form: Form::of_bits(scalar_bits(m.native_16bit, s)),
                places,
            });
            if saved.items.len() > MAX_WORDS as usize * 32 {
                return Err(too_much(None));
            }
        }
    }
    saved.place();
    match saved.words {
        n if n > MAX_WORDS => Err(too_much(Some(n))),
        _ => Ok(saved),
    }
}

fn too_much(words: Option<u32>) -> String {
    let amount = words.map_or("too much".to_string(), |n| format!("{n} words"));
    format!("{amount} of state would be saved for each ray, the most is {MAX_WORDS} words")
}

impl Saved {
    /// Whether no live state has to be stored and loaded.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.recomputed.is_empty()
    }

    /// Gives everything its place: whole words first, then what shares them, from large to small. A number crosses from one word to the next only if
    /// that saves a word.
    fn place(&mut self) {
        let mut order: Vec<(u32, usize, usize)> = Vec::new();
        for (n, item) in self.items.iter().enumerate() {
            order.extend((0..item.places.len()).map(|k| (item.form.bits, n, k)));
        }
        order.sort_by_key(|&(bits, n, k)| (std::cmp::Reverse(bits), n, k));
        let shared = order.partition_point(|o| o.0 >= 32);
        let mut end: u32 = 0;
        let mut at = |o: &(u32, usize, usize), bit: u32| self.items[o.1].places[o.2].1 = bit;
        for o in &order[..shared] {
            at(o, end);
            end = end.saturating_add(o.0);
        }
        let first = end / 32;
        let small = &order[shared..];
        let fewest = small.iter().map(|o| o.0).sum::<u32>().div_ceil(32);
        // The bits that are taken of each shared word.
        let mut taken: Vec<u32> = Vec::new();
        for o in small {
            let word = taken.iter().position(|t| t + o.0 <= 32).unwrap_or_else(|| {
                taken.push(0);
                taken.len() - 1
            });
            at(o, 32 * (first + word as u32) + taken[word]);
            taken[word] += o.0;
        }
        let mut words = taken.len() as u32;
        if words > fewest {
            words = fewest;
            for o in small {
                at(o, end);
                end += o.0;
            }
        }
        self.words = first.saturating_add(words);
    }

    /// Writes the code that saves all.
    pub fn save(&self, code: &mut Code, ray: Ray, native_16bit: bool) {
        let mut words: Vec<Option<Value>> = vec![None; self.words as usize];
        for item in &self.items {
            let v = match &item.from {
                From::Value(v) => *v,
                From::Part(root, steps) => code.b.load(*root, steps, &[], item.ty),
            };
            for &(c, bit) in &item.places {
                let x = code.b.extract(v, c);
                for (n, mut x) in to_words(code.b, x, native_16bit).into_iter().enumerate() {
                    let (word, shift) = (bit as usize / 32 + n, bit % 32);
                    if item.form.signed {
                        x = low_bits(code.b, x, item.form.bits);
                    }
                    let low = shifted(code.b, Opcode::shl, x, shift);
                    add(code.b, &mut words[word], low);
                    if item.form.bits < 32 && shift + item.form.bits > 32 {
                        let high = shifted(code.b, Opcode::lshr, x, 32 - shift);
                        add(code.b, &mut words[word + 1], high);
                    }
                }
            }
        }
        for (word, v) in words.into_iter().enumerate() {
            if let Some(v) = v {
                code.save(ray, word as u32, v);
            }
        }
    }

    /// Writes the code that gives variables their contents again, and gives the live values.
    pub fn restore(&self, code: &mut Code, ray: Ray, native_16bit: bool) -> FxHashMap<Value, Value> {
        let words: Vec<Value> = (0..self.words).map(|word| code.saved(ray, word)).collect();
        let mut ready = FxHashMap::default();
        for item in &self.items {
            let (s, lanes) = code.b.types.numeric(item.ty).expect("numbers are saved");
            let ty = code.b.types.scalar(s);
            let undefined = code.b.func.undef(ty);
            let mut parts = vec![undefined; lanes as usize];
            for &(c, bit) in &item.places {
                let (word, shift) = (bit as usize / 32, bit % 32);
                let mut low = shifted(code.b, Opcode::lshr, words[word], shift);
                if item.form.bits < 32 && shift + item.form.bits > 32 {
                    let high = shifted(code.b, Opcode::shl, words[word + 1], 32 - shift);
                    low = code.b.binary(Opcode::or, low, high);
                }
                if s == Scalar::I32 {
                    low = widened(code.b, low, item.form);
                }
                let mut from = vec![low];
                from.extend((s.bits() == 64).then(|| words[word + 1]));
                parts[c as usize] = of_words(code.b, &from, s, native_16bit);
            }
            let v = code.b.construct(&parts);
            match &item.from {
                From::Value(old) => _ = ready.insert(*old, v),
                From::Part(root, steps) => code.b.store(*root, steps, &[], v),
            }
        }
        for &v in &self.recomputed {
            recompute(code, &mut ready, v);
        }
        ready
    }
}

/// `x` shifted by so many bits.
fn shifted(b: &mut Builder, op: Opcode, x: Value, by: u32) -> Value {
    if by == 0 {
        return x;
    }
    let by = b.func.const_u32(by);
    b.binary(op, x, by)
}

/// Adds bits to a word.
fn add(b: &mut Builder, word: &mut Option<Value>, x: Value) {
    *word = Some(match *word {
        None => x,
        Some(old) => b.binary(Opcode::or, old, x),
    });
}

/// The low `bits` bits of `x`.
fn low_bits(b: &mut Builder, x: Value, bits: u32) -> Value {
    let mask = b.func.const_u32(u32::MAX >> (32 - bits));
    b.binary(Opcode::and, x, mask)
}

/// The integer that the low bits of `x` are.
fn widened(b: &mut Builder, x: Value, form: Form) -> Value {
    match form {
        Form { bits: 32, .. } => x,
        Form { bits, signed: false } => low_bits(b, x, bits),
        Form { bits, signed: true } => {
            let x = shifted(b, Opcode::shl, x, 32 - bits);
            shifted(b, Opcode::ashr, x, 32 - bits)
        }
    }
}

/// Writes the code that computes `v`, if it is not `ready`.
fn recompute(code: &mut Code, ready: &mut FxHashMap<Value, Value>, v: Value) -> Value {
    if let Some(&new) = ready.get(&v) {
        return new;
    }
    let Some(i) = code.b.func.def_inst(v) else { return v };
    let new = match code.b.func.op(i) {
        Opcode::dispatch_rays_index => code.index(),
        Opcode::dispatch_rays_dim => code.dimensions(),
        _ => {
            let operands = code.b.func.operands(i);
            let map: Vec<Value> = operands.iter().map(|&o| recompute(code, ready, o)).collect();
            let f = &mut *code.b.func;
            let copy = copy(f, i);
            let mut map = map.into_iter();
            f.map_operands(copy, |o| map.next().unwrap_or(o));
            let region = code.b.region;
            f.regions[region].insts.push(copy);
            f.result(copy)
        }
    };
    ready.insert(v, new);
    new
}
