//! Calling the shader of a record: checks payload size, stack and recursion depth, and saves and restores the thread's state.

use super::tables::{Table, Tables};
use super::{Attributes, Memory, RayState, Record};
use crate::cpu::profile;
use crate::cpu::sanitize::payload as sanitize;
use crate::cpu::thread::Thread;

/// Stack bytes that runtime operations may use below a shader.
const OWN: usize = 64 << 10;

/// Records the end of a thread's stack, which starts near the current frame.
pub(super) fn begin_stack(thread: &mut Thread<'_>) {
    let limit = thread.machine.limits.stack;
    thread.rays.floor = here().saturating_sub(limit).max(1);
}

/// The approximate stack pointer.
#[inline(always)]
fn here() -> usize {
    let mark = 0u8;
    std::hint::black_box(&raw const mark) as usize
}

/// Resets a thread to the start of the ray generation shader: its record, no ray.
pub fn reset<'m>(thread: &mut Thread<'m>) {
    let tables: &'m Tables = thread.machine.tables;
    thread.set_record(tables.raygen_record());
    thread.rays.depth = 0;
    thread.view = RayState::NONE;
}

/// Runs shader `n` as the outermost shader of a thread, if the stack is large enough; else the thread fails.
pub fn start(thread: &mut Thread<'_>, n: usize) {
    if thread.rays.floor == 0 {
        begin_stack(thread);
    }
    if has_room(thread, n) {
        thread.invoke(n, std::ptr::null_mut(), std::ptr::null_mut());
    }
}

/// Runs a shader with a record, ray state, and payload or parameter, and restores the thread's state. A shader that declares a
/// larger payload than it is passed, or that needs more stack than is left, does not run: the thread fails. What it stores into payload fields that its stage
/// does not write ends with it.
pub fn run<'m>(
    thread: &mut Thread<'m>,
    site: u32,
    shader: usize,
    record: &'m Record,
    view: &RayState<'m>,
    payload: Memory,
    attributes: &mut Attributes,
) {
    if !ready(thread, site, shader, payload) {
        return;
    }
    let before = (thread.view, thread.rays.record);
    thread.view = *view;
    thread.set_record(record);
    let ignored = thread.machine.program.shaders[shader].ignored.as_deref();
    let saved = ignored.map(|fields| payload.save(fields));
    if thread.is_sanitized() {
        watched(thread, shader, payload, attributes);
    } else {
        thread.invoke(shader, payload.data, attributes.address());
    }
    if let (Some(fields), Some(saved)) = (ignored, saved) {
        payload.restore(fields, &saved);
    }
    thread.view = before.0;
    thread.set_record(before.1);
}

/// Runs a shader with payload checks of the sanitizer.
#[cold]
fn watched(thread: &mut Thread<'_>, shader: usize, payload: Memory, attributes: &mut Attributes) {
    let inside = sanitize::enter(thread, shader, payload);
    thread.invoke(shader, payload.data, attributes.address());
    if inside.is_some() {
        sanitize::leave(thread, inside, payload);
    }
}

/// Whether a shader can run with that payload.
#[inline]
pub(super) fn ready(thread: &mut Thread<'_>, site: u32, shader: usize, payload: Memory) -> bool {
    let fits = payload.size >= thread.machine.program.shaders[shader].payload;
    let room = is_room(thread, shader);
    if fits && room && !thread.failed() {
        return true;
    }
    if !fits {
        thread.fail(site, too_small(thread, shader, payload));
    } else if !room {
        thread.fail(site, no_stack(thread, shader));
    }
    false
}

/// Whether the stack suffices for an outermost shader; else the thread fails.
fn has_room(thread: &mut Thread<'_>, shader: usize) -> bool {
    let room = is_room(thread, shader);
    if !room {
        let before = std::mem::replace(&mut thread.shader, shader);
        let why = no_stack(thread, shader);
        thread.fail(u32::MAX, why);
        thread.shader = before;
    }
    room
}

#[inline(always)]
fn is_room(thread: &Thread<'_>, shader: usize) -> bool {
    let frame = thread.machine.program.shaders[shader].frame;
    here() >= thread.rays.floor.saturating_add(frame).saturating_add(OWN)
}

#[cold]
fn too_small(thread: &Thread<'_>, shader: usize, payload: Memory) -> String {
    let s = &thread.machine.program.shaders[shader];
    let what = match s.kind {
        rtc_dxil_container::ShaderKind::Callable => "parameter",
        _ => "payload",
    };
    format!("`{}` declares a {what} of {} bytes but is called with one of {}", s.name, s.payload, payload.size)
}

#[cold]
fn no_stack(thread: &Thread<'_>, shader: usize) -> String {
    let name = &thread.machine.program.shaders[shader].name;
    let (depth, limit) = (thread.rays.depth, thread.machine.limits.stack);
    format!("`{name}` needs more stack than the {limit} bytes that are configured (--stack), at recursion depth {depth}")
}

/// Enters a recursion level of tracing, if the pipeline allows it; else the thread fails.
#[inline]
pub fn descend(thread: &mut Thread<'_>, site: u32) -> bool {
    let most = thread.machine.tables.max_recursion;
    if thread.rays.depth >= most {
        let why = format!("a ray is traced at recursion depth {most}, the maximum that the pipeline declares");
        thread.fail(site, why);
        return false;
    }
    thread.rays.depth += 1;
    true
}

/// `CallShader`.
pub fn callable(thread: &mut Thread<'_>, site: u32, index: u32, parameter: Memory) {
    let tables = thread.machine.tables;
    profile::point(thread, site, |p, t| p.record(t.machine.tables, Table::Callable, index));
    let Some(record) = tables.get(Table::Callable, index) else {
        return thread.fail(site, tables.beyond(Table::Callable, index));
    };
    if let Some(shader) = record.shader {
        let mut none = Attributes::ZERO;
        run(thread, site, shader, record, &RayState::NONE, parameter, &mut none);
    }
}
