//! Payload access qualifiers in shadow memory at stage transitions (DXR, payload access qualifiers, semantics): fields that a
//! stage may not read are poisoned for it, fields that it may not write are poisoned after it has written them, and fields that
//! the caller does not read are poisoned after the call.
#![allow(unsafe_code)]

use super::shadow::Poison;
use crate::cpu::program::{Field, Fields, payload_stage};
use crate::cpu::thread::Thread;
use crate::cpu::trace::Memory;
use rtc_tables::insts::Opcode;
use rtc_tables::payload_access::{PaqStage, trace_boundary};

/// The state to restore when a stage ends.
pub struct Inside {
    fields: Fields,
    stage: PaqStage,
    before: Vec<(Vec<Option<Poison>>, Vec<u8>)>,
}

fn bytes(payload: Memory, f: &Field) -> Vec<u8> {
    if f.offset + f.size > payload.size {
        return Vec::new();
    }
    // SAFETY: in bounds of the caller's object: see `crate::cpu::trace::attributes`.
    unsafe { std::slice::from_raw_parts(payload.data.add(f.offset as usize), f.size as usize).to_vec() }
}

/// Transition into a shader with a payload.
pub fn enter(thread: &mut Thread<'_>, shader: usize, payload: Memory) -> Option<Inside> {
    let shader = &thread.machine.program.shaders[shader];
    let fields = shader.fields.clone()?;
    let stage = payload_stage(shader.kind)?;
    let base = payload.data as usize;
    let mut before = Vec::with_capacity(fields.len());
    for f in fields.iter() {
        let at = base + f.offset as usize;
        before.push((thread.shadow.save(at, f.size), bytes(payload, f)));
        if !f.paq.reads(stage) {
            thread.shadow.poison(at, f.size, Poison::NotReadable);
        }
    }
    Some(Inside { fields, stage, before })
}

/// Transition out of it.
pub fn leave(thread: &mut Thread<'_>, inside: Option<Inside>, payload: Memory) {
    let Some(Inside { fields, stage, before }) = inside else { return };
    let base = payload.data as usize;
    for (f, (saved, old)) in fields.iter().zip(before) {
        let at = base + f.offset as usize;
        if f.paq.writes(stage) {
            // A field that the stage must write but did not is written anyway, with an undefined value.
            if thread.shadow.poison_of(at, f.size) == Some(Poison::NotReadable) {
                thread.shadow.poison(at, f.size, Poison::Unwritten);
            }
        } else if bytes(payload, f) != old {
            thread.shadow.poison(at, f.size, Poison::NotWritable);
        } else {
            thread.shadow.restore(at, &saved);
        }
    }
}

/// A trace begins: fields that the caller does not write are poisoned for all stages.
pub fn begin(thread: &mut Thread<'_>, site: u32, payload: Memory) {
    let Some(fields) = fields_at(thread, site) else { return };
    for f in fields.iter().filter(|f| !f.paq.writes(PaqStage::Caller)) {
        thread.shadow.poison(payload.data as usize + f.offset as usize, f.size, Poison::Unwritten);
    }
}

/// A trace ends: fields that the caller reads stay defined. If `kept`, a hit object defers the remaining stages, and the fields
/// that they read stay defined as well.
pub fn end(thread: &mut Thread<'_>, site: u32, payload: Memory, kept: bool) {
    let Some(fields) = fields_at(thread, site) else { return };
    let boundary = trace_boundary(if kept { Opcode::hit_trace } else { Opcode::trace_ray });
    for f in fields.iter().filter(|f| f.paq.read & boundary.readers == 0) {
        thread.shadow.poison(payload.data as usize + f.offset as usize, f.size, Poison::NotForCaller);
    }
}

fn fields_at(thread: &Thread<'_>, site: u32) -> Option<Fields> {
    thread.machine.program.sites.get(site as usize)?.fields.clone()
}
