//! Specialisation constants, by what is drawn: of all exports, of one, of several libraries in one pipeline.

use crate::engine::{ALL_USES, Engine, addition, library};
use crate::mapping::{Built, SQUARE, at, draw, draw_with, groups, placed, plain_triangles, source};
use rtc_engine::ErrorKind;
use rtc_engine::library::{ConstantName, ConstantType, ConstantValue, Library, Specialisation};
use rtc_engine::tables::{Record, ShaderTables};
use rtc_engine::vulkan::{Buffer, Collection, Layout, LayoutOptions, Pipeline, PipelineOptions, Requirements};
use std::sync::Arc;

const CONSTANTS: &str = r#"
RaytracingPipelineConfig Pipeline = {1};
[[vk::constant_id(3)]] const uint Number = 5;
[[vk::constant_id(4)]] const bool Twice = false;
[[vk::constant_id(7)]] const float Share = 0.5;
[[vk::constant_id(9)]] const int Less = -1;
[[vk::constant_id(12)]] const uint64_t Wide = 1;
TriangleHitGroup Tri = {"", "Hit"};
TriangleHitGroup Tri2 = {"", "Hit2"};
uint all() { return (Twice ? 2 : 1) * (Number * 1000 + uint(Share * 100) + Less) + uint(Wide >> 32); }
[shader("closesthit")] void Hit(inout Payload p, Attributes a) { p.color = all(); }
[shader("closesthit")] void Hit2(inout Payload p, Attributes a) { p.color = all() + 1; }
[shader("miss")] void Sky2(inout Payload p) { p.color = Number; }
"#;

fn square(engine: &Engine) -> (Built, Buffer) {
    let vertices = engine.buffer(72, &super::mapping::floats(&SQUARE));
    (Built::new(engine, vec![plain_triangles(vertices.address(), 6, 0)], 0, |address| placed(0, 0, address)), vertices)
}

/// A device for the constants, or the reason to skip.
fn open() -> Option<(std::sync::MutexGuard<'static, ()>, Engine)> {
    let guard = crate::ONE.lock().unwrap_or_else(|e| e.into_inner());
    match Engine::with(&Requirements::of(&[&constants()], ALL_USES), true, None) {
        Ok(engine) => Some((guard, engine)),
        Err(why) => {
            rtc_oracles::skip::skip(why);
            None
        }
    }
}

fn constants() -> Arc<Library> {
    library("constants.hlsl", &source("0", CONSTANTS))
}

#[test]
fn constants_have_the_values_that_are_given() {
    let Some((_one, engine)) = open() else { return };
    let (built, _vertices) = square(&engine);
    let library = constants();
    let color = |library: &Arc<Library>, group: &str| at(&draw(&engine, library, &groups(&[group]), &built.top), 0.5, 0.5);
    assert_eq!(color(&library, "Tri"), 5049);
    use ConstantValue as V;
    let given = |values: &[Specialisation]| Arc::new(library.specialise(values).unwrap());
    assert_eq!(color(&given(&[Specialisation::id(3, V::U32(7))]), "Tri"), 7049);
    let all = given(&[
        Specialisation::name("Number", V::U32(8)),
        Specialisation::name("Twice", V::Bool(true)),
        Specialisation::id(7, V::F32(0.25)),
        Specialisation::name("Less", V::I32(-5)),
        Specialisation::id(12, V::U64(3 << 32)),
    ]);
    assert_eq!(color(&all, "Tri"), 2 * (8000 + 25 - 5) + 3);
    // Of one export, and of all others.
    let some = given(&[Specialisation::id(3, V::U32(2)), Specialisation::id(3, V::U32(3)).of("Hit2")]);
    assert_eq!((color(&some, "Tri"), color(&some, "Tri2")), (2049, 3050));
    // Values are added to those that are there.
    let more = Arc::new(some.specialise(&[Specialisation::name("Share", V::F32(0.0)).of("Hit2")]).unwrap());
    assert_eq!((color(&more, "Tri"), color(&more, "Tri2")), (2049, 3000));
}

/// Two collections and an addition of one package, each with another value; the exports are renamed.
#[test]
fn libraries_of_a_pipeline_have_values_of_their_own() {
    let Some((_one, engine)) = open() else { return };
    let (built, _vertices) = square(&engine);
    let package = crate::engine::package("constants.hlsl", &source("0", CONSTANTS));
    use rtc_engine::library::{LibraryDesc, StateObjectDesc};
    use rtc_engine::state_object::ExportDesc;
    let part = |suffix: &str, number: u32| {
        let exports: Vec<ExportDesc> =
            ["Gen", "Sky", "Hit", "Tri"].map(|name| ExportDesc::renamed(format!("{name}{suffix}"), name)).to_vec();
        let desc = StateObjectDesc {
            libraries: vec![LibraryDesc { name: "constants", package: &package, exports: &exports }],
            ..StateObjectDesc::default()
        };
        let library = Library::of_state_object(&desc).unwrap();
        Arc::new(library.specialise(&[Specialisation::id(3, ConstantValue::U32(number)).of(format!("Hit{suffix}"))]).unwrap())
    };
    let growing = PipelineOptions { allow_additions: true, ..PipelineOptions::default() };
    let (a, b, c) = (part("A", 1), part("B", 2), part("C", 3));
    let layout = Layout::new(&engine.device, &[&a], LayoutOptions::default()).unwrap();
    let collections = [&a, &b].map(|l| Collection::new(l, &layout, 0, &growing).unwrap());
    let pipeline = Pipeline::link(&collections.each_ref(), &growing).unwrap().add(&c, &growing).unwrap();
    for (suffix, number) in [("A", 1), ("B", 2), ("C", 3)] {
        let named = |name: &str| Record::of(format!("{name}{suffix}"));
        let tables = ShaderTables { raygen: named("Gen"), miss: vec![named("Sky")], hit: vec![named("Tri")], callable: Vec::new() };
        assert_eq!(at(&draw_with(&engine, &pipeline, &a, &tables, &built.top), 0.5, 0.5), number * 1000 + 49);
    }
}

#[test]
fn constants_are_known_and_checked() {
    let library = constants();
    let known: Vec<(u32, String, ConstantType, u64)> = library.constants().into_iter().map(|c| (c.id, c.name, c.ty, c.default)).collect();
    assert_eq!(
        known,
        [
            (3, "Number".to_string(), ConstantType::Int(32), 5),
            (4, "Twice".to_string(), ConstantType::Bool, 0),
            (7, "Share".to_string(), ConstantType::Float(32), u64::from(0.5f32.to_bits())),
            (9, "Less".to_string(), ConstantType::Int(32), u64::from(u32::MAX)),
            (12, "Wide".to_string(), ConstantType::Int(64), 1),
        ]
    );
    use ConstantValue as V;
    let one = |v: Specialisation| vec![v];
    for (values, kind, what) in [
        (one(Specialisation::id(5, V::U32(1))), ErrorKind::Binding, "has no constant 5"),
        (one(Specialisation::id(5, V::U32(1))), ErrorKind::Binding, "constants: `3 (Number)`, `4 (Twice)`, `7 (Share)`"),
        (one(Specialisation::name("Nothing", V::U32(1))), ErrorKind::Binding, "has no constant `Nothing`"),
        (one(Specialisation::id(3, V::F32(1.0))), ErrorKind::Binding, "`3 (Number)`"),
        (one(Specialisation::id(12, V::U32(1))), ErrorKind::Binding, "is an integer of 64 bits and cannot be set to an integer of 32 bits"),
        (one(Specialisation::id(4, V::U32(1))), ErrorKind::Binding, "is a bool and cannot be set to an integer of 32 bits"),
        (one(Specialisation::id(3, V::U32(1)).of("Gone")), ErrorKind::StateObject, "exports no `Gone`"),
        (vec![Specialisation::id(3, V::U32(1)), Specialisation::name("Number", V::U32(1))], ErrorKind::Binding, "gets two values"),
    ] {
        let e = library.specialise(&values).expect_err(what);
        assert_eq!(e.kind, kind, "{e}");
        assert!(e.to_string().contains(what), "{e} instead of {what}");
    }
    assert!(addition().constants().is_empty());
    let e = addition().specialise(&[Specialisation { export: None, constant: ConstantName::Id(0), value: V::U32(0) }]).unwrap_err();
    assert!(e.to_string().contains("constants: none"), "{e}");
}
