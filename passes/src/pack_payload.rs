//! Payload packing: payloads in as few words as their qualifiers allow (SPIR-V, where a payload is a variable of the shader).
//!
//! Each shader works on a local of the declared type; at every transition the fields that its qualifiers let through
//! are copied between that local and the payload's words, as the specification describes it (DXR, payload access
//! qualifiers, detailed semantics). Where they are is decided in [`crate::payload_layout`]: by the declaration alone, or by
//! a layout that libraries share.

use rtc_base::Span;
use rtc_ir::{
    Builder, Field, Form, Function, Inst, InstData, Module, Numbers, Opcode, PaqStage, Region, Root, Slot, SlotRole, Stage, Step, Struct,
    StructData, Type, TypeKind, Value,
};
use rtc_tables::payload_access::trace_boundary;
use rustc_hash::FxHashMap;

use crate::payload_layout::{self, Piece, Plan, PlannedField, ShaderFacts, Shared, crosses};
use crate::util::all_regions;
use crate::{Changed, PassCtx, PassError};

struct Packed {
    ty: Type,
    words: u32,
    fields: Vec<PlannedField>,
}

/// Packs every payload type all of whose fields have qualifiers.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(pack_payloads(m, None).into())
}

/// Packs payload types: all that have qualifiers on every field, or those for which there is a shared layout. Whether there were any.
pub fn pack_payloads(m: &mut Module, shared: Option<&[Shared]>) -> bool {
    pack(m, &|m, s| match shared {
        None => payload_layout::plan(m, s, ShaderFacts::default()).ok(),
        Some(all) => payload_layout::take_shared(m, s, all.iter().find(|l| l.name == m.structs[s].name)?).ok(),
    })
}

/// Packs the payload types for which there are layouts. Whether there were any.
pub fn pack_planned(m: &mut Module, plans: &[(Struct, Plan)]) -> bool {
    pack(m, &|_, s| plans.iter().find(|p| p.0 == s).map(|p| p.1.clone()))
}

/// Packs the payload types that `plan` has layouts for.
fn pack(m: &mut Module, plan: &dyn Fn(&Module, Struct) -> Option<Plan>) -> bool {
    let mut types: FxHashMap<Struct, Option<Packed>> = FxHashMap::default();
    let mut changed = false;
    for id in m.funcs.keys() {
        let mut f = std::mem::replace(&mut m.funcs[id], Function::new("", Stage::Library));
        for slot in f.slots.keys().collect::<Vec<_>>() {
            let data = &f.slots[slot];
            if let (SlotRole::PayloadIn | SlotRole::PayloadOut, TypeKind::Struct(s)) = (data.role, m.types.kind(data.ty)) {
                let packed = types.entry(s).or_insert_with(|| plan(m, s).map(|p| packed(m, s, p)));
                if let Some(p) = packed {
                    rewrite(m, &mut f, slot, p);
                    changed = true;
                }
            }
        }
        m.funcs[id] = f;
    }
    changed
}

/// A layout with a structure of its words.
fn packed(m: &mut Module, s: Struct, plan: Plan) -> Packed {
    let name = format!("{}.packed", m.structs[s].name);
    let fields = (0..plan.bytes / 4).map(|n| Field {
        name: format!("w{n}"),
        ty: Type::I32,
        paq: None,
        offset: Some(4 * n),
        numbers: Numbers::new(rtc_tables::types::Scalar::Uint, Form::Plain),
        hlsl: "uint".into(),
        precise: false,
    });
    let fields = fields.collect();
    let packed = m.structs.push(StructData { name, fields, base: None, raypayload: false });
    let ty = m.types.struct_(packed);
    Packed { ty, words: plan.bytes / 4, fields: plan.fields }
}

/// Puts the payload of `slot` into words, and a local where it was.
fn rewrite(m: &mut Module, f: &mut Function, slot: Slot, p: &Packed) {
    let data = f.slots[slot].clone();
    let local = f.add_local(data.ty, data.name.clone());
    f.map_places(|_, place| {
        if place.root == Root::Slot(slot) {
            place.root = Root::Local(local);
        }
    });
    f.slots[slot].ty = p.ty;
    let caller = PaqStage::Caller.bit();
    let own = PaqStage::of_shader(f.stage).map_or(0, PaqStage::bit);
    let mut w = Writer { m, f, slot, local, p };
    if data.role == SlotRole::PayloadIn {
        let body = w.f.body;
        w.copies(body, 0, Span::NONE, false, own, own);
    }
    for r in all_regions(w.f) {
        let mut n = 0;
        while let Some(&i) = w.f.regions[r].insts.get(n) {
            let span = w.f.spans[i];
            match w.f.insts[i] {
                InstData::Slot { op, slot: s, .. } if s == slot && data.role == SlotRole::PayloadOut => {
                    let boundary = trace_boundary(op);
                    n += w.gives(r, n, span, boundary.writers, caller);
                    n += 1 + w.copies(r, n + 1, span, false, boundary.readers, caller);
                }
                InstData::Exit { op: Opcode::return_ | Opcode::ignore_hit | Opcode::accept_hit, .. }
                    if data.role == SlotRole::PayloadIn =>
                {
                    n += 1 + w.copies(r, n, span, true, own, own);
                }
                _ => n += 1,
            }
        }
    }
}

struct Writer<'a> {
    m: &'a mut Module,
    f: &'a mut Function,
    slot: Slot,
    local: rtc_ir::Local,
    p: &'a Packed,
}

impl Writer<'_> {
    /// Makes, before instruction `n` of region `r`, the words of fields of the local: those that one of `stages` writes and that are alive after stage `at`. What
    /// else was in the words is of a trace before, so it is not kept. Returns how many instructions it inserted.
    fn gives(&mut self, r: Region, n: usize, span: Span, stages: u8, at: u8) -> usize {
        let temp = self.f.add_region();
        let p = self.p;
        let mut b = Builder::at(&mut self.m.types, self.f, temp);
        b.span = span;
        let mut words: Vec<Option<Value>> = vec![None; p.words as usize];
        for field in &p.fields {
            let Some(start) = field.at.filter(|_| field.paq.write & stages != 0 && crosses(field.alive, at, true)) else { continue };
            for piece in &field.pieces {
                let ty = b.types.scalar(piece.scalar);
                let x = b.load(Root::Local(self.local), &piece.path, &[], ty);
                let at = start + piece.at;
                for (k, mut x) in piece.coding.encode(&mut b, x, self.m.native_16bit).into_iter().enumerate() {
                    if !at.is_multiple_of(32) {
                        let shift = b.func.const_u32(at % 32);
                        x = b.binary(Opcode::shl, x, shift);
                    }
                    let word = &mut words[at as usize / 32 + k];
                    *word = Some(match *word {
                        None => x,
                        Some(old) => b.binary(Opcode::or, old, x),
                    });
                }
            }
        }
        for (word, x) in words.into_iter().enumerate() {
            let x = x.unwrap_or_else(|| b.func.undef(Type::I32));
            b.store(Root::Slot(self.slot), &[Step::At(word as u32)], &[], x);
        }
        self.put(r, n, temp)
    }

    /// Puts the instructions of region `from` before instruction `n` of region `r`. Returns how many.
    fn put(&mut self, r: Region, n: usize, from: Region) -> usize {
        let made: Vec<Inst> = std::mem::take(&mut self.f.regions[from].insts);
        let count = made.len();
        self.f.regions[r].insts.splice(n..n, made);
        count
    }

    /// Copies, before instruction `n` of region `r`, fields from the local to the words (`out`) or back: those that one of `stages` writes
    /// (or reads) and that are alive after (or before) stage `at`. Returns how many instructions it inserted.
    fn copies(&mut self, r: Region, n: usize, span: Span, out: bool, stages: u8, at: u8) -> usize {
        let temp = self.f.add_region();
        let p = self.p;
        for field in &p.fields {
            let access = if out { field.paq.write } else { field.paq.read };
            if access & stages == 0 || !crosses(field.alive, at, out) {
                continue;
            }
            let Some(start) = field.at else { continue };
            for piece in &field.pieces {
                let at = start + piece.at;
                let mut b = Builder::at(&mut self.m.types, self.f, temp);
                b.span = span;
                let words = Words { slot: self.slot };
                if out {
                    let ty = b.types.scalar(piece.scalar);
                    let x = b.load(Root::Local(self.local), &piece.path, &[], ty);
                    words.put(&mut b, self.m.native_16bit, (piece, at), x);
                } else {
                    let x = words.get(&mut b, self.m.native_16bit, (piece, at));
                    b.store(Root::Local(self.local), &piece.path, &[], x);
                }
            }
        }
        self.put(r, n, temp)
    }
}

/// The words of a packed payload.
struct Words {
    slot: Slot,
}

impl Words {
    fn load(&self, b: &mut Builder, word: u32) -> Value {
        b.load(Root::Slot(self.slot), &[Step::At(word)], &[], Type::I32)
    }
    fn store(&self, b: &mut Builder, word: u32, x: Value) {
        b.store(Root::Slot(self.slot), &[Step::At(word)], &[], x);
    }
    /// Puts `bits` bits into a word and leaves the others.
    fn store_bits(&self, b: &mut Builder, at: u32, bits: u32, x: Value) {
        let (word, shift) = (at / 32, at % 32);
        let mask = ((1u64 << bits) - 1) as u32;
        let old = self.load(b, word);
        let keep = b.func.const_u32(!(mask << shift));
        let old = b.binary(Opcode::and, old, keep);
        let mask = b.func.const_u32(mask);
        let x = b.binary(Opcode::and, x, mask);
        let shift = b.func.const_u32(shift);
        let x = b.binary(Opcode::shl, x, shift);
        let new = b.binary(Opcode::or, old, x);
        self.store(b, word, new);
    }
    fn load_bits(&self, b: &mut Builder, at: u32, bits: u32) -> Value {
        let x = self.load(b, at / 32);
        let shift = b.func.const_u32(at % 32);
        let x = b.binary(Opcode::lshr, x, shift);
        let mask = b.func.const_u32(((1u64 << bits) - 1) as u32);
        b.binary(Opcode::and, x, mask)
    }

    fn put(&self, b: &mut Builder, native: bool, (p, at): (&Piece, u32), x: Value) {
        let bits = p.coding.bits(native, p.scalar);
        for (n, x) in (0..).zip(p.coding.encode(b, x, native)) {
            match bits {
                32.. => self.store(b, at / 32 + n, x),
                _ => self.store_bits(b, at, bits, x),
            }
        }
    }

    fn get(&self, b: &mut Builder, native: bool, (p, at): (&Piece, u32)) -> Value {
        let words: Vec<Value> = match p.coding.bits(native, p.scalar) {
            0 => Vec::new(),
            64 => vec![self.load(b, at / 32), self.load(b, at / 32 + 1)],
            32 => vec![self.load(b, at / 32)],
            bits => vec![self.load_bits(b, at, bits)],
        };
        p.coding.decode(b, &words, p.scalar, native)
    }
}
