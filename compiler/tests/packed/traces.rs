//! Traces of the interpreter: transitions between a caller, its ray and the shaders that the ray invokes.

use rtc_ir::{Func, Inst, Module, Opcode, Paq, PaqStage, Scalar, Slot, Stage, TypeKind};

use crate::machine::{Cell, End, Flow, Frame, Machine, Val, hash};

/// Rays deeper than this meet nothing.
const DEEPEST: u32 = 3;
/// A hit object that is a miss which no trace found.
pub const MISS: u64 = 1 << 32;

/// Whether a hit object is what instruction `op` asks: 0 is a nop, [`MISS`] a miss, everything else a hit. `None` for other instructions.
pub fn object_is(op: Opcode, object: u64) -> Option<bool> {
    match op {
        Opcode::hit_is_nop => Some(object == 0),
        Opcode::hit_is_miss => Some(object == MISS),
        Opcode::hit_is_hit => Some(object != 0 && object != MISS),
        _ => None,
    }
}

/// The kind of a hit object's hit: of a triangle or of a procedural primitive; 0 if there is none.
pub fn kind_of(object: u64, seed: u64) -> u64 {
    let h = hash(object, seed);
    match (object, h % 4) {
        (0 | MISS, _) => 0,
        (_, 0) => 254,
        (_, 1) => 255,
        _ => 1 + (h >> 8) % 127,
    }
}

/// The shaders of a library, by stage and number of the payload type, which their names end with: `ah0_1` is the first
/// any-hit shader of payload type 1.
pub struct Shaders(Vec<(Stage, String, Func)>);

impl Shaders {
    pub fn of(m: &Module) -> Shaders {
        let entries = m.funcs.iter().filter(|(_, f)| f.is_entry());
        let mut all: Vec<_> = entries.map(|(id, f)| (f.stage, f.name.clone(), id)).collect();
        // Passes may order them anew.
        all.sort_by(|a, b| a.1.cmp(&b.1));
        Shaders(all)
    }
    pub fn of_stage(&self, stage: Stage, payload: &str) -> Vec<Func> {
        let is = |s: &&(Stage, String, Func)| s.0 == stage && s.1.ends_with(payload);
        self.0.iter().filter(is).map(|s| s.2).collect()
    }
}

/// What a ray has met: the number is that of the shader that runs.
#[derive(Clone, Copy, Debug)]
pub enum Hit {
    Nothing,
    Surface(u64),
    Miss(u64),
}

/// A scalar of a payload with the qualifiers of its field.
type Field = (Scalar, Paq);

/// The actual payload of a ray.
enum Ray {
    /// The caller's variable itself.
    Shared(usize),
    Own(Vec<Cell>),
}

impl<'m> Machine<'m> {
    fn way(&mut self, n: u64) -> u64 {
        self.choices = hash(self.choices, 3);
        (self.choices >> 20) % n
    }

    /// A trace or a half of one. The result is the hit object.
    pub fn trace(&mut self, fr: &Frame<'m>, i: Inst, op: Opcode, slot: Slot, args: &[Val]) -> Result<Val, Flow> {
        if self.alone.is_some() {
            return Ok(self.trace_alone(fr, i, op, slot, args));
        }
        let (caller, any_hit) = (PaqStage::Caller.bit(), PaqStage::AnyHit.bit());
        let shaded = PaqStage::ClosestHit.bit() | PaqStage::Miss.bit();
        let ty = fr.f.slots[slot].ty;
        let var = fr.slots[slot.as_u32() as usize].0;
        let TypeKind::Struct(s) = self.m.types.kind(ty) else { panic!("a payload is a structure") };
        let data = &self.m.structs[s];
        // `P0` or `P0.packed`.
        let number = format!("_{}", data.name.trim_end_matches(".packed").trim_start_matches('P'));
        let layouts = self.layouts;
        let fields: Option<Vec<Field>> = layouts.of(ty).iter().map(|c| Some((c.0, c.1?))).collect();
        let mut ray = match &fields {
            None => Ray::Shared(var),
            Some(all) => Ray::Own(all.iter().map(|f| self.undefined(f.0)).collect()),
        };
        let fields = fields.unwrap_or_default();
        self.depth += 1;
        let (mut hit, mut result) = (Hit::Nothing, Val::default());
        if op == Opcode::hit_invoke {
            self.put(&mut ray, &fields, var, caller | any_hit);
            hit = match args[0].bits[0] {
                0 => Hit::Nothing,
                MISS => Hit::Miss(0),
                n => *self.hits.get(n as usize - 1).unwrap_or(&Hit::Nothing),
            };
        } else {
            self.put(&mut ray, &fields, var, caller);
            if self.depth <= DEEPEST {
                hit = self.traverse(&mut ray, &fields, &number)?;
            }
        }
        if op == Opcode::hit_trace {
            self.hits.push(hit);
            result = Val::scalar(self.hits.len() as u64);
        } else {
            self.shade(&mut ray, &fields, &number, hit)?;
        }
        self.depth -= 1;
        self.epoch += 1;
        let back = if op == Opcode::hit_trace { caller | shaded } else { caller };
        if let Ray::Own(cells) = ray {
            for (n, c) in cells.into_iter().enumerate() {
                self.variables[var][n] = if fields[n].1.read & back != 0 { c } else { self.undefined(fields[n].0) };
            }
        }
        Ok(result)
    }

    /// Copies what one of `stages` writes into the ray.
    fn put(&mut self, ray: &mut Ray, fields: &[Field], var: usize, stages: u8) {
        let Ray::Own(cells) = ray else { return };
        for (n, c) in cells.iter_mut().enumerate().filter(|(n, _)| fields[*n].1.write & stages != 0) {
            *c = self.variables[var][n];
        }
    }

    /// Any-hit shaders, and what the ray meets in the end.
    fn traverse(&mut self, ray: &mut Ray, fields: &[Field], payload: &str) -> Result<Hit, Flow> {
        let shaders = self.layouts.shaders.of_stage(Stage::AnyHit, payload);
        for _ in 0..self.way(4) {
            if shaders.is_empty() {
                break;
            }
            let n = self.way(shaders.len() as u64) as usize;
            if self.run(shaders[n], PaqStage::AnyHit, ray, fields)? == Some(Opcode::accept_hit) {
                break;
            }
        }
        let n = self.way(1 << 20);
        Ok(match self.way(5) {
            0 => Hit::Nothing,
            1 | 2 => Hit::Surface(n),
            _ => Hit::Miss(n),
        })
    }

    fn shade(&mut self, ray: &mut Ray, fields: &[Field], payload: &str, hit: Hit) -> Result<(), Flow> {
        let (stage, paq, n) = match hit {
            Hit::Nothing => return Ok(()),
            Hit::Surface(n) => (Stage::ClosestHit, PaqStage::ClosestHit, n),
            Hit::Miss(n) => (Stage::Miss, PaqStage::Miss, n),
        };
        let shaders = self.layouts.shaders.of_stage(stage, payload);
        if shaders.is_empty() || self.depth > DEEPEST {
            return Ok(());
        }
        self.run(shaders[n as usize % shaders.len()], paq, ray, fields).map(|_| ())
    }

    /// Runs a shader of a stage with the ray's payload. `ignore_hit` or `accept_hit` if it ends with one.
    fn run(&mut self, f: Func, stage: PaqStage, ray: &mut Ray, fields: &[Field]) -> Result<Option<Opcode>, Flow> {
        let var = match ray {
            Ray::Shared(var) => *var,
            Ray::Own(cells) => {
                let mut own = cells.clone();
                for (c, f) in own.iter_mut().zip(fields).filter(|(_, f)| f.1.read & stage.bit() == 0) {
                    *c = self.undefined(f.0);
                }
                self.variables.push(own);
                self.variables.len() - 1
            }
        };
        let flow = self.call(f, &[], &[], Some(var));
        self.put(ray, fields, var, stage.bit());
        if matches!(ray, Ray::Own(_)) {
            self.variables.truncate(var);
        }
        match flow {
            Flow::Return(_) => Ok(None),
            Flow::Hit(op) => Ok(Some(op)),
            Flow::Stop(end) => Err(Flow::Stop(end)),
            _ => panic!("control falls out of a shader"),
        }
    }

    /// Runs the ray generation shader to its end.
    pub fn start(&mut self) -> End {
        let all = self.layouts.shaders.of_stage(Stage::RayGeneration, "");
        match self.call(all[0], &[], &[], None) {
            Flow::Return(_) => End::Done,
            Flow::Stop(end) => end,
            _ => panic!("control falls out of the ray generation shader"),
        }
    }
}
