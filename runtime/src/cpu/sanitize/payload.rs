//! What payload access qualifiers make of a payload on its way from stage to stage (DXR, payload access qualifiers,
//! semantics): what a stage may not read is unknown to it, what it may not write is unknown after it has written it, and what
//! the caller does not get back is unknown afterwards.
#![allow(unsafe_code)]

use super::shadow::Unknown;
use crate::cpu::lower::payloads::{Field, Fields};
use crate::cpu::thread::Thread;
use crate::cpu::trace::Memory;
use rtc_dxil_container::ShaderKind;

/// Bits of the stages in a field's mask: how far they are shifted.
const CALLER: u32 = 0;
const CLOSEST_HIT: u32 = 4;
const MISS: u32 = 8;
const ANY_HIT: u32 = 12;

fn reads(f: &Field, stage: u32) -> bool {
    f.mask >> stage & 1 != 0
}

fn writes(f: &Field, stage: u32) -> bool {
    f.mask >> stage & 2 != 0
}

/// What is put back when a stage ends.
pub struct Inside {
    fields: Fields,
    stage: u32,
    before: Vec<(Vec<Option<Unknown>>, Vec<u8>)>,
}

fn bytes(payload: Memory, f: &Field) -> Vec<u8> {
    if f.offset + f.size > payload.size {
        return Vec::new();
    }
    // Inside of what the shader handed over: see `crate::cpu::trace::attributes`.
    unsafe { std::slice::from_raw_parts(payload.data.add(f.offset as usize), f.size as usize).to_vec() }
}

/// A shader begins with a payload.
pub fn enter(thread: &mut Thread<'_>, shader: usize, payload: Memory) -> Option<Inside> {
    let shader = &thread.machine.program.shaders[shader];
    let fields = shader.fields.clone()?;
    let stage = match shader.kind {
        ShaderKind::ClosestHit => CLOSEST_HIT,
        ShaderKind::Miss => MISS,
        ShaderKind::AnyHit => ANY_HIT,
        _ => return None,
    };
    let base = payload.data as usize;
    let mut before = Vec::with_capacity(fields.len());
    for f in fields.iter() {
        let at = base + f.offset as usize;
        before.push((thread.shadow.save(at, f.size), bytes(payload, f)));
        if !reads(f, stage) {
            thread.shadow.forget(at, f.size, Unknown::NotReadable);
        }
    }
    Some(Inside { fields, stage, before })
}

/// It ends.
pub fn leave(thread: &mut Thread<'_>, inside: Option<Inside>, payload: Memory) {
    let Some(Inside { fields, stage, before }) = inside else { return };
    let base = payload.data as usize;
    for (f, (saved, old)) in fields.iter().zip(before) {
        let at = base + f.offset as usize;
        if writes(f, stage) {
            // What it was to write and has not is written all the same: with anything.
            if thread.shadow.unknown(at, f.size) == Some(Unknown::NotReadable) {
                thread.shadow.forget(at, f.size, Unknown::Unwritten);
            }
        } else if bytes(payload, f) != old {
            thread.shadow.forget(at, f.size, Unknown::NotWritable);
        } else {
            thread.shadow.restore(at, &saved);
        }
    }
}

/// A trace begins: what the caller does not write is unknown to all stages.
pub fn begin(thread: &mut Thread<'_>, site: u32, payload: Memory) {
    let Some(fields) = fields_at(thread, site) else { return };
    for f in fields.iter().filter(|f| !writes(f, CALLER)) {
        thread.shadow.forget(payload.data as usize + f.offset as usize, f.size, Unknown::Unwritten);
    }
}

/// It ends: the caller knows what it reads. If `kept`, a hit object stands for the stages that are still to come, and what they read
/// is kept as well.
pub fn end(thread: &mut Thread<'_>, site: u32, payload: Memory, kept: bool) {
    let Some(fields) = fields_at(thread, site) else { return };
    let handed = |f: &&Field| reads(f, CALLER) || kept && (reads(f, CLOSEST_HIT) || reads(f, MISS));
    for f in fields.iter().filter(|f| !handed(f)) {
        thread.shadow.forget(payload.data as usize + f.offset as usize, f.size, Unknown::NotForCaller);
    }
}

fn fields_at(thread: &Thread<'_>, site: u32) -> Option<Fields> {
    thread.machine.program.sites.get(site as usize)?.fields.clone()
}
