//! Interpretation of a single shader: its inputs are defined as far as qualifiers allow, and traces return defined values. Records the accesses
//! to payloads by source location.

use std::collections::{HashMap, HashSet};

use rtc_ir::{Func, Inst, Opcode, Paq, PaqStage, Scalar, Slot, SlotRole, Stage, Struct, TypeKind};

use crate::machine::{Cell, Flow, Frame, Machine, Val, hash};
use crate::traces::MISS;

/// Ray flag `RAY_FLAG_SKIP_CLOSEST_HIT_SHADER`.
const SKIP_CLOSEST_HIT: u64 = 8;

/// What happened on some path. Places are where instructions begin.
#[derive(Default)]
pub struct Alone {
    /// Loads of something undefined.
    pub undefined_reads: HashSet<u32>,
    /// Traces into which a field goes undefined.
    pub undefined_in: HashSet<(u32, String)>,
    /// Shaders that a field leaves undefined.
    pub undefined_out: HashSet<(String, String)>,
    /// Stores whose value a trace or the end of the shader loses.
    pub lost: HashSet<u32>,
    /// The calls that are being run, and those in which each store was.
    pub calls: Vec<u32>,
    pub stored_in: HashMap<u32, HashSet<u32>>,
}

impl Alone {
    /// A load of something undefined: what a function reads through a reference is read where it is called.
    pub fn undefined_read(&mut self, at: u32) {
        self.undefined_reads.insert(at);
        self.undefined_reads.extend(&self.calls);
    }

    pub fn stored(&mut self, at: u32) {
        self.stored_in.entry(at).or_default().extend(&self.calls);
    }

    fn loses(&mut self, store: u32) {
        self.lost.insert(store);
        self.lost.extend(self.stored_in.get(&store).into_iter().flatten());
    }
}

type Field = (Scalar, Option<Paq>);

impl<'m> Machine<'m> {
    /// The name of the field that each scalar of a payload is in.
    fn names(&self, s: Struct, before: &str, out: &mut Vec<String>) {
        for f in &self.m.structs[s].fields {
            self.names_of_field(f.ty, f.paq, &format!("{before}{}", f.name), out);
        }
    }

    /// Where the field has no qualifiers, those of the fields in it count, of each element of an array.
    fn names_of_field(&self, ty: rtc_ir::Type, paq: Option<Paq>, name: &str, out: &mut Vec<String>) {
        match (paq, self.m.types.kind(ty)) {
            (None, TypeKind::Struct(inner)) => self.names(inner, &format!("{name}."), out),
            (None, TypeKind::Array(e, n)) if !matches!(self.m.types.kind(e), TypeKind::Scalar(_) | TypeKind::Vector(..)) => {
                for k in 0..n {
                    self.names_of_field(e, None, &format!("{name}[{k}]"), out);
                }
            }
            _ => out.extend(self.layouts.of(ty).iter().map(|_| name.to_owned())),
        }
    }

    fn names_of(&self, ty: rtc_ir::Type) -> Vec<String> {
        let mut out = Vec::new();
        if let TypeKind::Struct(s) = self.m.types.kind(ty) {
            self.names(s, "", &mut out);
        }
        out
    }

    fn something(&self, n: usize, f: Field) -> Cell {
        let bits = hash(hash(self.seed, n as u64), self.epoch + 77) & (u64::MAX >> (64 - f.0.bits()));
        // Conditions on floats should hold now and then.
        let bits = if f.0.is_float() { rtc_ir::eval::from_f64(f.0, (bits % 16) as f64 - 4.0) } else { bits };
        Cell { bits, undefined: false, by: 0 }
    }

    /// A trace, or what else has a slot.
    pub fn trace_alone(&mut self, fr: &Frame<'m>, i: Inst, op: Opcode, slot: Slot, args: &[Val]) -> Val {
        let (caller, any_hit) = (PaqStage::Caller.bit(), PaqStage::AnyHit.bit());
        let shaded = PaqStage::ClosestHit.bit() | PaqStage::Miss.bit();
        // An object runs the shaders of what it is: a hit, a miss.
        let object = args.first().map_or(0, |o| o.cell(0).bits);
        let invoked = if object == MISS { PaqStage::Miss.bit() } else { PaqStage::ClosestHit.bit() };
        // The stage that writes what goes in, the one that reads what comes back, and those that run in between.
        let (into, back, runs) = match op {
            Opcode::hit_trace => (caller, caller | shaded, any_hit),
            Opcode::hit_invoke => (caller | any_hit, caller, invoked),
            _ if args.get(1).is_some_and(|flags| flags.cell(0).bits & SKIP_CLOSEST_HIT != 0) => {
                (caller, caller, any_hit | PaqStage::Miss.bit())
            }
            _ => (caller, caller, any_hit | shaded),
        };
        // Nothing runs for a nop, which is 0.
        let nop = op == Opcode::hit_invoke && object == 0;
        let runs = if nop { 0 } else { runs };
        let data = &fr.f.slots[slot];
        let var = fr.slots[slot.as_u32() as usize].0;
        let fields = self.layouts.of(data.ty);
        let names = self.names_of(data.ty);
        let at = fr.f.spans[i].lo.raw();
        let payload = data.role == SlotRole::PayloadOut;
        self.epoch += 1;
        for (n, &f) in fields.iter().enumerate() {
            let (read, write) = f.1.filter(|_| payload).map_or((15, 15), |q| (q.read, q.write));
            let c = self.variables[var][n];
            let noted = self.alone.as_mut().expect("it runs alone");
            if payload && write & into == 0 && c.by != 0 {
                noted.loses(c.by);
            }
            if payload && write & into != 0 && c.undefined && !nop {
                noted.undefined_in.insert((at, names.get(n).cloned().unwrap_or_default()));
            }
            self.variables[var][n] = match (write & into != 0, read & back != 0, write & runs != 0) {
                (_, false, _) | (false, _, false) => self.undefined(f.0),
                (true, true, false) if op == Opcode::hit_trace || nop => c,
                _ => self.something(n, f),
            };
        }
        // What a traversal found.
        Val::scalar(if op == Opcode::hit_trace && hash(self.seed, self.epoch) & 1 == 0 { MISS } else { 1 })
    }

    /// Runs an entry point.
    pub fn run_alone(&mut self, id: Func) {
        let f = &self.m.funcs[id];
        let stage = match f.stage {
            Stage::ClosestHit => Some(PaqStage::ClosestHit),
            Stage::Miss => Some(PaqStage::Miss),
            Stage::AnyHit => Some(PaqStage::AnyHit),
            _ => None,
        };
        let incoming = stage.zip(f.slot_of(SlotRole::PayloadIn));
        let Some((stage, slot)) = incoming else {
            _ = self.call(id, &[], &[], None);
            return;
        };
        let ty = f.slots[slot].ty;
        let (layouts, names) = (self.layouts, self.names_of(ty));
        let var = self.variable(ty);
        for (n, &c) in layouts.of(ty).iter().enumerate() {
            if c.1.is_none_or(|q| q.read & stage.bit() != 0) {
                self.variables[var][n] = self.something(n, c);
            }
        }
        let end = self.call(id, &[], &[], Some(var));
        if matches!(end, Flow::Stop(_)) {
            return;
        }
        for (n, c) in layouts.of(ty).iter().enumerate() {
            let x = self.variables[var][n];
            let noted = self.alone.as_mut().expect("it runs alone");
            match c.1 {
                Some(q) if q.write & stage.bit() == 0 && x.by != 0 => noted.loses(x.by),
                Some(q) if q.write & stage.bit() != 0 && x.undefined => {
                    noted.undefined_out.insert((f.name.clone(), names.get(n).cloned().unwrap_or_default()));
                }
                _ => {}
            }
        }
    }
}
