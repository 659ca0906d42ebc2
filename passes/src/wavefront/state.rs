//! What a ray saves at a reorder point: its live state as the words of a record.
//!
//! Numbers of 64 bits have two words and those of 32 bits one; what is smaller shares words, booleans a bit each.

use rtc_ir::{Builder, Function, Module, Opcode, Root, Scalar, Step, Type, TypeKind, Value, ValueDef};
use rustc_hash::FxHashMap;

use super::control::{Code, Ray};
use super::recompute::{self, Live};
use crate::reorder::LiveState;
use crate::reorder::remat::whole;

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
    /// Its components that are saved, each with its word and the first bit in it.
    places: Vec<(u32, u32, u32)>,
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
pub(super) fn plan(m: &Module, f: &Function, state: &LiveState) -> Result<Saved, String> {
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
            _ => return Err("a value of inline SPIR-V is live across it".into()),
        }
    }
    let mut saved = Saved::default();
    let mut values: Vec<Value> = live.keys().copied().collect();
    values.sort_unstable();
    for v in values {
        let (s, lanes) = m.types.numeric(f.ty(v)).expect("others are no state");
        let components: Vec<u32> = (0..lanes).filter(|&c| lanes > 4 || live[&v] >> c & 1 != 0).collect();
        let bits = components.len() as u32 * bits(m, s);
        if matches!(f.values[v].def, ValueDef::Const(_) | ValueDef::Undef) || recompute::pays(m, f, &live, v, bits.div_ceil(32)) {
            saved.recomputed.push(v);
            continue;
        }
        let places = components.into_iter().map(|c| (c, 0, 0)).collect();
        saved.items.push(Item { from: From::Value(v), ty: f.ty(v), places });
    }
    for p in &state.parts {
        let mut leaves = Vec::new();
        m.leaves(p.part.ty, &mut |path, t| leaves.push((path.to_vec(), t)));
        for (path, ty) in leaves {
            let Some((_, lanes)) = m.types.numeric(ty) else {
                return Err(match m.types.kind(ty) {
                    TypeKind::RayQuery(..) => "a ray query is live across it".into(),
                    TypeKind::HitObject => "a hit object is live across it".into(),
                    TypeKind::Resource(_) => "a variable that holds a resource is live across it".into(),
                    _ => "a variable of a type of inline SPIR-V is live across it".to_string(),
                });
            };
            let steps = p.part.path.iter().chain(&path).map(|&n| Step::At(n)).collect();
            saved.items.push(Item { from: From::Part(p.part.root, steps), ty, places: (0..lanes).map(|c| (c, 0, 0)).collect() });
            if saved.items.len() > MAX_WORDS as usize * 32 {
                return Err(too_much(None));
            }
        }
    }
    saved.place(m);
    match saved.words {
        n if n > MAX_WORDS => Err(too_much(Some(n))),
        _ => Ok(saved),
    }
}

fn too_much(words: Option<u32>) -> String {
    let amount = words.map_or("too much".to_string(), |n| format!("{n} words"));
    format!("{amount} of state would be saved for each ray, the most is {MAX_WORDS} words")
}

/// The bits that a number takes. Those of minimum precision may have more than 16.
fn bits(m: &Module, s: Scalar) -> u32 {
    match s.bits() {
        16 if !m.native_16bit => 32,
        n => n,
    }
}

impl Saved {
    /// Whether no live state has to be stored and loaded.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.recomputed.is_empty()
    }

    /// Gives everything its place: whole words first, then what shares them, from large to small.
    fn place(&mut self, m: &Module) {
        let mut bit: u64 = 0;
        for size in [64, 32, 16, 1] {
            bit = bit.next_multiple_of(u64::from(size.min(32)));
            for item in self.items.iter_mut().filter(|item| bits(m, m.types.elem(item.ty)) == size) {
                for p in &mut item.places {
                    (p.1, p.2) = ((bit / 32) as u32, (bit % 32) as u32);
                    bit += u64::from(size);
                }
            }
        }
        self.words = bit.div_ceil(32) as u32;
    }

    /// Writes the code that saves all.
    pub fn save(&self, code: &mut Code, ray: Ray, native_16bit: bool) {
        let mut words: Vec<Option<Value>> = vec![None; self.words as usize];
        for item in &self.items {
            let v = match &item.from {
                From::Value(v) => *v,
                From::Part(root, steps) => code.b.load(*root, steps, &[], item.ty),
            };
            for &(c, word, shift) in &item.places {
                let x = code.b.extract(v, c);
                for (n, x) in to_words(code.b, x, native_16bit).into_iter().enumerate() {
                    let at = &mut words[word as usize + n];
                    let x = match shift {
                        0 => x,
                        _ => {
                            let by = code.b.func.const_u32(shift);
                            code.b.binary(Opcode::shl, x, by)
                        }
                    };
                    *at = Some(match *at {
                        None => x,
                        Some(old) => code.b.binary(Opcode::or, old, x),
                    });
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
            for &(c, word, shift) in &item.places {
                let mut from = vec![words[word as usize]];
                from.extend((s.bits() == 64).then(|| words[word as usize + 1]));
                parts[c as usize] = of_words(code.b, &from, shift, s, native_16bit);
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

/// A copy of an instruction without regions, in no region, with operands of its own.
pub(super) fn copy(f: &mut Function, i: rtc_ir::Inst) -> rtc_ir::Inst {
    let types: Vec<Type> = f.results(i).iter().map(|&v| f.ty(v)).collect();
    let copy = f.make(f.insts[i], &types, f.spans[i]);
    f.own_operands(copy);
    f.inherit_own(copy, i);
    copy
}

/// A number as words, the low one first.
fn to_words(b: &mut Builder, v: Value, native_16bit: bool) -> Vec<Value> {
    let s = b.types.elem(b.func.ty(v));
    vec![match s {
        Scalar::I32 => v,
        Scalar::F32 => b.convert(Opcode::bitcast, v, Type::I32),
        Scalar::Bool => b.convert(Opcode::zext, v, Type::I32),
        Scalar::I16 if native_16bit => b.convert(Opcode::zext, v, Type::I32),
        Scalar::I16 => b.convert(Opcode::sext, v, Type::I32),
        Scalar::F16 if native_16bit => {
            let v = b.convert(Opcode::bitcast, v, Type::I16);
            b.convert(Opcode::zext, v, Type::I32)
        }
        Scalar::F16 => {
            let v = b.convert(Opcode::fconv, v, Type::F32);
            b.convert(Opcode::bitcast, v, Type::I32)
        }
        Scalar::I64 => {
            let by = b.func.const_bits(Type::I64, 32);
            let high = b.binary(Opcode::lshr, v, by);
            return vec![b.convert(Opcode::itrunc, v, Type::I32), b.convert(Opcode::itrunc, high, Type::I32)];
        }
        Scalar::F64 => {
            let both = b.convert(Opcode::split_double, v, Type::I32X2);
            return vec![b.extract(both, 0), b.extract(both, 1)];
        }
    }]
}

/// The number of kind `s` that begins at bit `shift` of the first of `words`.
fn of_words(b: &mut Builder, words: &[Value], shift: u32, s: Scalar, native_16bit: bool) -> Value {
    let low = match shift {
        0 => words[0],
        _ => {
            let by = b.func.const_u32(shift);
            b.binary(Opcode::lshr, words[0], by)
        }
    };
    match s {
        Scalar::I32 => low,
        Scalar::F32 => b.convert(Opcode::bitcast, low, Type::F32),
        Scalar::Bool => {
            let (one, zero) = (b.func.const_u32(1), b.func.const_u32(0));
            let bit = b.binary(Opcode::and, low, one);
            b.binary(Opcode::ine, bit, zero)
        }
        Scalar::I16 => b.convert(Opcode::itrunc, low, Type::I16),
        Scalar::F16 if native_16bit => {
            let v = b.convert(Opcode::itrunc, low, Type::I16);
            b.convert(Opcode::bitcast, v, Type::F16)
        }
        Scalar::F16 => {
            let v = b.convert(Opcode::bitcast, low, Type::F32);
            b.convert(Opcode::fconv, v, Type::F16)
        }
        Scalar::I64 => {
            let (low, high) = (b.convert(Opcode::zext, words[0], Type::I64), b.convert(Opcode::zext, words[1], Type::I64));
            let by = b.func.const_bits(Type::I64, 32);
            let high = b.binary(Opcode::shl, high, by);
            b.binary(Opcode::or, low, high)
        }
        Scalar::F64 => b.binary(Opcode::make_double, words[0], words[1]),
    }
}
