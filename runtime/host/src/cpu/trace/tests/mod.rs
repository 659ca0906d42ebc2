//! The control flow of rays, with shaders that are Rust functions: which shaders run, and with which system values.
// Every block is the body of a fake shader: its pointers are those that the test passes.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

use super::tables::{NO_RECORD, Record, Tables};
use super::*;
use crate::cpu::accel::{Bottom, Kind, Placed, Ray, Top};
use crate::cpu::objects::Objects;
use crate::cpu::resources::Bindings;
use crate::cpu::thread::ShaderFn;
use crate::cpu::thread::context::{DispatchContext, Limits, Loaded};
use crate::cpu::thread::{System, Thread};
use crate::device::{BottomDesc, BuildFlags, GEOMETRY_OPAQUE, Geometry, GeometryData, IDENTITY};
use crate::library::Library;
use crate::state_object::{PipelineConfig, ShaderConfig, StateObject};
use rtc_dxil_container::ShaderKind;
use rtc_package::Package;
use rtc_tables::ray_flags as flag;
use std::sync::Arc;

/// A log that shaders write: which one ran, and with which system values.
type Log = Vec<String>;

/// A fake shader: it gets the log through the thread's group-shared memory pointer.
macro_rules! shader {
    ($name:ident, |$thread:ident, $log:ident, $payload:ident, $attributes:ident| $body:block) => {
        unsafe extern "C" fn $name(thread: *mut Thread<'_>, payload: *mut u8, attributes: *mut u8) {
            let $thread = unsafe { &mut *thread };
            let $log: &mut Log = unsafe { &mut *$thread.shared.cast::<Log>() };
            let ($payload, $attributes) = (payload.cast::<u32>(), attributes.cast::<f32>());
            let _ = (&$log, $payload, $attributes);
            $body
        }
    };
}

const SITE: u32 = 7;

shader!(closest, |thread, log, _payload, attributes| {
    let (v, record) = (&thread.view, thread.rays.record);
    let a = unsafe { [*attributes, *attributes.add(1)] };
    log.push(format!(
        "closest {} t {} kind {} instance {} id {} geometry {} primitive {} attributes {a:?}",
        record.name, v.t, v.kind, v.instance, v.id, v.geometry, v.primitive
    ));
});

shader!(sky, |thread, log, _payload, _attributes| {
    log.push(format!("miss {} t {}..{}", thread.rays.record.name, thread.view.t_min, thread.view.t));
});

// Decides by `InstanceID()`: 1 ignores, 2 ends, everything else accepts; of procedural hits by their hit kind likewise.
shader!(any, |thread, log, payload, attributes| {
    let v = &thread.view;
    let by = if v.kind >= 254 { v.id } else { v.kind };
    let a = unsafe { *attributes };
    log.push(format!("any {} t {} kind {} attribute {a}", thread.rays.record.name, v.t, v.kind));
    unsafe { *payload += 1 };
    match by {
        1 => ignore(thread),
        2 => accept_and_end(thread),
        _ => {}
    }
});

// Reports the pairs of distance and hit kind in the record's data.
shader!(intersection, |thread, log, _payload, _attributes| {
    log.push(format!("intersection {} t {}", thread.rays.record.name, thread.view.t));
    let record = thread.rays.record;
    for (i, pair) in record.data.chunks_exact(8).enumerate() {
        let word = |at: usize| u32::from_le_bytes(pair[at..at + 4].try_into().expect("four bytes"));
        let mut attributes = [i as f32 + 0.5, 9.0];
        let memory = Memory { data: attributes.as_mut_ptr().cast(), size: 8 };
        let said = report(thread, SITE, f32::from_bits(word(0)), word(4), memory);
        log.push(format!("  {said:?}, t {}", thread.view.t));
        if said == Reported::Ended {
            return;
        }
    }
});

// Traces recursively up to the maximum depth.
shader!(again, |thread, log, payload, _attributes| {
    log.push(format!("again at {}", thread.rays.depth));
    let top = thread.view.top;
    let call = call(Ray { origin: [0.25, 0.25, -1.0], t_min: 0.0, direction: [0.0, 0.0, 1.0], t_max: 100.0 });
    let before = (thread.view.t, thread.view.id, thread.rays.record.number);
    trace_ray(thread, SITE, top, &call, Memory { data: payload.cast(), size: 8 });
    assert_eq!((thread.view.t, thread.view.id, thread.rays.record.number), before);
});

shader!(callee, |thread, log, payload, _attributes| {
    let n = unsafe { *payload };
    log.push(format!("callable {} {n}", thread.rays.record.name));
    unsafe { *payload = n + 1 };
    if n < 2 {
        call::callable(thread, SITE, 1 - n % 2, Memory { data: payload.cast(), size: 4 });
    }
});

const FUNCTIONS: [(&str, ShaderFn, ShaderKind, u64); 6] = [
    ("closest", closest, ShaderKind::ClosestHit, 4),
    ("sky", sky, ShaderKind::Miss, 4),
    ("any", any, ShaderKind::AnyHit, 4),
    ("intersection", intersection, ShaderKind::Intersection, 0),
    ("again", again, ShaderKind::ClosestHit, 8),
    ("callee", callee, ShaderKind::Callable, 4),
];

fn shader(name: &str) -> Option<usize> {
    FUNCTIONS.iter().position(|f| f.0 == name)
}

fn hit(name: &str, any_hit: &str, closest: &str, intersection: &str) -> Record {
    let (any_hit, closest, intersection) = (shader(any_hit), shader(closest), shader(intersection));
    Record { name: name.into(), any_hit, shader: closest, intersection, ..NO_RECORD.clone() }
}

fn plain(name: &str, of: &str) -> Record {
    Record { name: name.into(), shader: shader(of), ..NO_RECORD.clone() }
}

/// A record of an intersection shader that reports these distances and kinds.
fn reporting(any_hit: &str, hits: &[(f32, u32)]) -> Record {
    let data = hits.iter().flat_map(|h| [h.0.to_bits().to_le_bytes(), h.1.to_le_bytes()]).flatten().collect();
    Record { data, ..hit("P", any_hit, "closest", "intersection") }
}

fn call(ray: Ray) -> Call {
    Call { ray, flags: 0, mask: 0xff, contribution: 0, multiplier: 1, miss: 0 }
}

fn forward() -> Ray {
    Ray { origin: [0.25, 0.25, -1.0], t_min: 0.0, direction: [0.0, 0.0, 1.0], t_max: 100.0 }
}

fn tables(hit: Vec<Record>) -> Tables {
    let miss = vec![plain("M0", "sky"), Record { number: 5, ..plain("M1", "sky") }, NO_RECORD.clone()];
    let callable = vec![Record { number: 9, ..plain("C0", "callee") }, plain("C1", "callee"), NO_RECORD.clone()];
    Tables { tables: [vec![], miss, hit, callable], max_recursion: 2, flags: 0 }
}

/// Runs something on a thread with these tables; returns the log and the failure.
fn run_with(tables: &Tables, limits: Limits, run: impl FnOnce(&mut Thread<'_>)) -> (Log, Option<String>) {
    let shaders = FUNCTIONS.map(|(name, _, kind, payload)| crate::cpu::program::Shader {
        name: name.into(),
        symbol: String::new(),
        kind,
        threads: [1; 3],
        wave: None,
        preferred_wave: None,
        meets: false,
        quads: false,
        fields: None,
        ignored: None,
        payload,
        attributes: 8,
        frame: 1 << 16,
        weight: 1,
    });
    let loaded = Loaded {
        codes: Vec::new(),
        functions: FUNCTIONS.map(|f| f.1).to_vec(),
        shaders: shaders.to_vec(),
        resources: Vec::new(),
        sites: Vec::new(),
        shared_bytes: 0,
    };
    let state = StateObject {
        shaders: Vec::new(),
        compute: Vec::new(),
        groups: Vec::new(),
        records: Default::default(),
        shader_config: ShaderConfig { max_payload: 8, max_attribute: 8 },
        pipeline_config: PipelineConfig { max_recursion: 2, flags: 0 },
        warnings: Vec::new(),
    };
    let package = Package::default();
    let library = Library {
        package,
        additional_modules: Vec::new(),
        module_of: Vec::new(),
        state,
        static_samplers: Vec::new(),
        specialisation: Default::default(),
    };
    let (bindings, objects) = (Bindings::default(), Objects::default());
    let machine = DispatchContext {
        program: &loaded,
        library: &library,
        bindings: &bindings,
        objects: &objects,
        handles: &[],
        records: &[],
        tables,
        limits,
        sanitizer: None,
        profile: None,
    };
    let mut log = Log::new();
    let mut thread = Thread::new(&machine, System::default());
    thread.shared = (&raw mut log).cast();
    call::begin_stack(&mut thread);
    run(&mut thread);
    assert!(thread.failed() || thread.rays.depth == 0);
    let failure = thread.failure.take().map(|f| f.message);
    drop(thread);
    (log, failure)
}

fn trace(tables: &Tables, top: Option<&Top>, call: &Call) -> (Log, Option<String>) {
    // The thread borrows as long as its machine, so the structure is leaked.
    let top: Option<&'static Top> = top.map(|t| &*Box::leak(Box::new(t.clone())));
    run_with(tables, Limits::default(), |thread| {
        let mut payload = [0u32; 2];
        trace_ray(thread, SITE, top, call, Memory { data: payload.as_mut_ptr().cast(), size: 8 });
    })
}

fn build(data: Vec<(GeometryData, u32)>) -> Arc<Bottom> {
    let geometries = data.into_iter().map(|(data, flags)| Geometry::new(data, flags)).collect();
    let desc = BottomDesc { geometries, flags: BuildFlags::default() };
    Arc::new(Bottom::build(&desc, &|_| Err(crate::error::RunError::new(crate::error::ErrorKind::Limit, "none"))).expect("a structure"))
}

/// A triangle at each depth, each a geometry of its own.
fn triangles(depths: &[f32], flags: u32) -> Arc<Bottom> {
    let one = |&z: &f32| {
        let positions = vec![[0.0, 0.0, z], [0.0, 1.0, z], [1.0, 0.0, z]];
        (GeometryData::Triangles { positions, indices: None, transform: None }, flags)
    };
    build(depths.iter().map(one).collect())
}

fn boxes(flags: u32) -> Arc<Bottom> {
    build(vec![(GeometryData::Boxes(vec![[0.0, 0.0, 0.0, 1.0, 1.0, 10.0]]), flags)])
}

fn placed(bottom: &Arc<Bottom>, id: u32, hit_group_offset: u32, z: f32) -> Placed {
    let mut transform = IDENTITY;
    transform[2][3] = z;
    Placed { bottom: Some(bottom.clone()), transform, id, mask: 0xff, hit_group_offset, flags: 0 }
}

fn top(instances: &[Placed]) -> Top {
    Top::build(instances, BuildFlags::default()).expect("a structure")
}

#[test]
fn the_closest_hit_shader_sees_its_hit_and_its_record() {
    let shape = triangles(&[5.0, 2.0], GEOMETRY_OPAQUE);
    let scene = top(&[placed(&shape, 40, 0, 3.0), placed(&shape, 41, 3, 1.0)]);
    let names = ["A", "B", "C", "D", "E", "F"];
    let t = tables(names.map(|n| hit(n, "any", "closest", "")).to_vec());
    let (log, failed) = trace(&t, Some(&scene), &Call { contribution: 0x11, ..call(forward()) });
    assert_eq!(failed, None);
    assert_eq!(log, ["closest F t 4 kind 254 instance 1 id 41 geometry 1 primitive 0 attributes [0.25, 0.25]"]);
    let backwards = Ray { origin: [0.25, 0.5, 20.0], direction: [0.0, 0.0, -2.0], ..forward() };
    let (log, _) = trace(&t, Some(&scene), &Call { multiplier: 0, ..call(backwards) });
    assert_eq!(log, ["closest A t 6 kind 255 instance 0 id 40 geometry 0 primitive 0 attributes [0.5, 0.25]"]);
}

#[test]
fn misses_see_the_ray_and_their_record() {
    let t = tables(vec![]);
    let short = Ray { t_min: 0.5, t_max: 3.0, ..forward() };
    let empty = top(&[]);
    for scene in [None, Some(&empty)] {
        let (log, failed) = trace(&t, scene, &Call { miss: 0x10001, ..call(short) });
        assert_eq!((log, failed), (vec!["miss M1 t 0.5..3".to_string()], None));
    }
    assert_eq!(trace(&t, None, &Call { miss: 2, ..call(short) }), (vec![], None));
    let (_, failed) = trace(&t, None, &Call { miss: 3, ..call(short) });
    assert_eq!(failed.as_deref(), Some("index 3 is out of range of the miss table, which has 3 records"));
}

#[test]
fn any_hit_shaders_decide() {
    let shape = triangles(&[2.0], 0);
    let t = tables(vec![hit("A", "any", "closest", "")]);
    let closest = |log: &Log| log.last().cloned().unwrap_or_default();
    // Ignored: the one after it is found.
    let scene = top(&[placed(&shape, 1, 0, 0.0), placed(&shape, 7, 0, 4.0)]);
    let (log, _) = trace(&t, Some(&scene), &call(forward()));
    assert!(closest(&log).starts_with("closest A t 7 "), "{log:?}");
    assert!(log.contains(&"any A t 3 kind 254 attribute 0.25".to_string()), "{log:?}");
    // All ignored: a miss.
    let scene = top(&[placed(&shape, 1, 0, 0.0)]);
    assert_eq!(closest(&trace(&t, Some(&scene), &call(forward())).0), "miss M0 t 0..100");
    // Ended: the first candidate is the hit.
    let scene = top(&[placed(&shape, 2, 0, 0.0), placed(&shape, 2, 0, 4.0), placed(&shape, 2, 0, 8.0)]);
    let (log, _) = trace(&t, Some(&scene), &call(forward()));
    assert_eq!(log.len(), 2, "{log:?}");
    // Opaque by ray flag: any-hit does not run.
    let scene = top(&[placed(&shape, 1, 0, 0.0)]);
    let (log, _) = trace(&t, Some(&scene), &Call { flags: flag::FORCE_OPAQUE, ..call(forward()) });
    assert_eq!(log.len(), 1);
    assert!(log[0].starts_with("closest A t 3 "));
}

#[test]
fn flags_end_the_search_and_skip_shaders() {
    let shape = triangles(&[2.0], 0);
    let scene = top(&[placed(&shape, 1, 0, 0.0), placed(&shape, 7, 0, 4.0), placed(&shape, 8, 0, 8.0)]);
    let t = tables(vec![hit("A", "any", "closest", "")]);
    let first = Call { flags: flag::ACCEPT_FIRST_HIT, ..call(forward()) };
    let (log, _) = trace(&t, Some(&scene), &first);
    let accepted = log.iter().filter(|l| l.starts_with("any") && !l.contains("t 3 ")).count();
    assert_eq!(accepted, 1, "{log:?}");
    assert!(log.last().is_some_and(|l| l.starts_with("closest")), "{log:?}");
    let (log, _) = trace(&t, Some(&scene), &Call { flags: flag::SKIP_CLOSEST_HIT, ..call(forward()) });
    assert!(log.iter().all(|l| l.starts_with("any")) && !log.is_empty(), "{log:?}");
    let (log, _) = trace(&t, Some(&scene), &Call { mask: 0x100, ..call(forward()) });
    assert_eq!(log, ["miss M0 t 0..100"]);
    let skipping = Tables { flags: flag::SKIP_TRIANGLES, ..t.clone() };
    let (log, _) = trace(&skipping, Some(&scene), &call(forward()));
    assert_eq!(log, ["miss M0 t 0..100"]);
}

#[test]
fn null_records_and_those_of_the_other_kind_run_nothing() {
    let (flat, solid) = (triangles(&[2.0], 0), boxes(0));
    let t = tables(vec![NO_RECORD.clone(), reporting("any", &[(2.0, 0)]), hit("A", "any", "closest", "")]);
    let at = |bottom: &Arc<Bottom>, offset| trace(&t, Some(&top(&[placed(bottom, 0, offset, 0.0)])), &call(forward()));
    // A triangle is hit, but no shader runs.
    assert_eq!(at(&flat, 0), (vec![], None));
    assert_eq!(at(&flat, 1), (vec![], None));
    // A procedural primitive is hit only if its shader reports it.
    assert_eq!(at(&solid, 0), (vec!["miss M0 t 0..100".into()], None));
    assert_eq!(at(&solid, 2), (vec!["miss M0 t 0..100".into()], None));
    // An index out of range.
    let (_, failed) = at(&flat, 3);
    assert_eq!(failed.as_deref(), Some("index 3 is out of range of the hit group table, which has 3 records"));
    let (_, failed) = at(&solid, 30);
    assert_eq!(failed.as_deref(), Some("index 30 is out of range of the hit group table, which has 3 records"));
}

/// The log of a ray that intersects a box whose intersection shader reports these hits.
fn procedural(flags: u32, geometry: u32, any_hit: &str, hits: &[(f32, u32)]) -> Log {
    let scene = top(&[placed(&boxes(geometry), 3, 0, 0.0)]);
    let ray = Ray { t_min: 1.0, t_max: 9.0, ..forward() };
    let (log, failed) = trace(&tables(vec![reporting(any_hit, hits)]), Some(&scene), &Call { flags, ..call(ray) });
    assert_eq!(failed, None);
    log
}

#[test]
fn reported_hits_count_in_their_interval() {
    let nan = f32::NAN;
    let log = procedural(0, GEOMETRY_OPAQUE, "any", &[(0.5, 3), (9.5, 3), (nan, 3), (9.0, 4), (9.0, 5), (4.0, 127), (6.0, 3)]);
    assert_eq!(
        log,
        [
            "intersection P t 9",
            "  Rejected, t 9",
            "  Rejected, t 9",
            "  Rejected, t 9",
            "  Accepted, t 9",
            "  Accepted, t 9",
            "  Accepted, t 4",
            "  Rejected, t 4",
            "closest P t 4 kind 127 instance 0 id 3 geometry 0 primitive 0 attributes [5.5, 9.0]",
        ]
    );
    let log = procedural(0, GEOMETRY_OPAQUE, "any", &[(1.0, 0)]);
    assert_eq!(log[1], "  Accepted, t 1");
}

#[test]
fn any_hit_shaders_decide_reported_hits() {
    let log = procedural(0, 0, "any", &[(5.0, 1), (6.0, 3), (3.0, 1), (2.0, 2), (1.5, 3)]);
    assert_eq!(
        log,
        [
            "intersection P t 9",
            "any P t 5 kind 1 attribute 0.5",
            "  Rejected, t 9",
            "any P t 6 kind 3 attribute 1.5",
            "  Accepted, t 6",
            "any P t 3 kind 1 attribute 2.5",
            "  Rejected, t 6",
            "any P t 2 kind 2 attribute 3.5",
            "  Ended, t 2",
            "closest P t 2 kind 2 instance 0 id 3 geometry 0 primitive 0 attributes [3.5, 9.0]",
        ]
    );
    // Without an any-hit shader all hits are opaque; the first one ends the shader if the ray flags say so.
    let log = procedural(flag::ACCEPT_FIRST_HIT, 0, "", &[(5.0, 1), (4.0, 1)]);
    assert_eq!(log[1..2], ["  Ended, t 5"]);
    assert!(log[2].starts_with("closest P t 5 kind 1 "), "{log:?}");
    let log = procedural(flag::ACCEPT_FIRST_HIT, 0, "any", &[(5.0, 1), (4.0, 3), (3.0, 3)]);
    assert_eq!(log[1..5], ["any P t 5 kind 1 attribute 0.5", "  Rejected, t 9", "any P t 4 kind 3 attribute 1.5", "  Ended, t 4"]);
}

#[test]
fn a_triangle_in_front_counts_more_than_a_reported_hit() {
    let scene = top(&[placed(&boxes(GEOMETRY_OPAQUE), 3, 1, 0.0), placed(&triangles(&[1.5], GEOMETRY_OPAQUE), 4, 0, 0.0)]);
    let t = tables(vec![hit("T", "", "closest", ""), reporting("", &[(4.0, 6)])]);
    let (log, _) = trace(&t, Some(&scene), &call(forward()));
    let last = log.last().cloned().unwrap_or_default();
    assert_eq!(last, "closest T t 2.5 kind 254 instance 1 id 4 geometry 0 primitive 0 attributes [0.25, 0.25]");
}

#[test]
fn hits_are_reported_by_intersection_shaders_only() {
    let (_, failed) = run_with(&tables(vec![]), Limits::default(), |thread| {
        assert_eq!(report(thread, SITE, 1.0, 0, Memory::NONE), Reported::Ended);
    });
    assert_eq!(failed.as_deref(), Some("a hit is reported while no intersection shader runs"));
}

#[test]
fn rays_are_traced_as_deep_as_declared() {
    let scene = top(&[placed(&triangles(&[2.0], GEOMETRY_OPAQUE), 0, 0, 0.0)]);
    let t = tables(vec![hit("A", "", "again", "")]);
    let (log, failed) = trace(&t, Some(&scene), &call(forward()));
    assert_eq!(log, ["again at 1", "again at 2"]);
    let why = "a ray is traced at recursion depth 2, the maximum that the pipeline declares";
    assert_eq!(failed.as_deref(), Some(why));
}

#[test]
fn stack_overflow_is_an_error() {
    let scene: &'static Top = Box::leak(Box::new(top(&[placed(&triangles(&[2.0], GEOMETRY_OPAQUE), 0, 0, 0.0)])));
    let t = Tables { max_recursion: 31, ..tables(vec![hit("A", "", "again", "")]) };
    // Less than one frame as the shaders declare it.
    let limits = Limits { stack: 100 << 10, ..Limits::default() };
    let (log, failed) = run_with(&t, limits, |thread| {
        let mut payload = [0u32; 2];
        trace_ray(thread, SITE, Some(scene), &call(forward()), Memory { data: payload.as_mut_ptr().cast(), size: 8 });
    });
    assert!(log.is_empty());
    let why = "`again` needs more stack than the 102400 bytes that are configured (--stack), at recursion depth 1";
    assert_eq!(failed.as_deref(), Some(why));
    // Enough for some of them.
    let limits = Limits { stack: 160 << 10, ..Limits::default() };
    let (log, failed) = run_with(&t, limits, |thread| {
        let mut payload = [0u32; 2];
        trace_ray(thread, SITE, Some(scene), &call(forward()), Memory { data: payload.as_mut_ptr().cast(), size: 8 });
    });
    assert!((1..31).contains(&log.len()), "{log:?}");
    assert!(failed.is_some_and(|f| f.contains("needs more stack")));
}

#[test]
fn payloads_are_as_large_as_shaders_declare() {
    let (_, failed) = run_with(&tables(vec![]), Limits::default(), |thread| {
        let mut payload = 0u32;
        let call = call(forward());
        trace_ray(thread, SITE, None, &call, Memory { data: (&raw mut payload).cast(), size: 3 });
    });
    assert_eq!(failed.as_deref(), Some("`sky` declares a payload of 4 bytes but is called with one of 3"));
    let (_, failed) = run_with(&tables(vec![]), Limits::default(), |thread| trace_ray(thread, SITE, None, &call(forward()), Memory::NONE));
    assert_eq!(failed.as_deref(), Some("`sky` declares a payload of 4 bytes but is called with one of 0"));
}

#[test]
fn callables_nest_and_come_back() {
    let mut parameter = 0u32;
    let memory = Memory { data: (&raw mut parameter).cast(), size: 4 };
    let (log, failed) = run_with(&tables(vec![]), Limits::default(), |thread| {
        call::callable(thread, SITE, 0, memory);
        assert_eq!(thread.rays.record.number, 0);
        call::callable(thread, SITE, 2, memory);
        call::callable(thread, SITE, 3, memory);
    });
    assert_eq!(log, ["callable C0 0", "callable C1 1", "callable C0 2"]);
    assert_eq!(failed.as_deref(), Some("index 3 is out of range of the callable table, which has 3 records"));
    assert_eq!(parameter, 3);
}

mod objects;
