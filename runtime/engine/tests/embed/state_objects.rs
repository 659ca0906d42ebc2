//! State objects: collections, additions, identifiers, stack sizes, deferred compilation, the cache on disk.

use crate::engine::{Engine, addition, base, library};
use crate::scene::{FLAGS, LEFT, RIGHT, SIDE, Set, Structures, colored, compare, put, tables, usual};
use crate::{ONE, open};
use rtc_engine::ErrorKind;
use rtc_engine::library::Library;
use rtc_engine::tables::{Record, Table};
use rtc_engine::vulkan::{Collection, Compilation, DiskCache, FrameTables, Layout, LayoutOptions, Pipeline, PipelineOptions};
use std::sync::Arc;

const GROWING: PipelineOptions = PipelineOptions { allow_additions: true, dynamic_stack: true, create_flags: 0, cache: None };

/// What tables with the groups of the addition draw.
fn added(left: bool, right: bool, row: u32) -> u32 {
    match (left, right) {
        (true, _) => LEFT,
        // `Cut` ignores the first quarter of the picture.
        (_, true) if row >= SIDE / 4 => RIGHT + 1000,
        _ => 2,
    }
}

#[test]
fn an_addition_keeps_what_is_there() {
    let Some((_one, engine)) = open() else { return };
    let (base, addition) = (base(), addition());
    let layout = Layout::new(&engine.device, &[&base, &addition], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&base, &layout, &GROWING).unwrap();
    let mut structures = Structures::new(&engine, FLAGS);
    let set = Set::new(&engine, &layout, &base, &structures.top);
    let mut changing = FrameTables::new(&pipeline, &engine.memory, tables(), 1).unwrap();
    let draw = |pipeline: &Pipeline, tables: &mut FrameTables, build: Option<&mut Structures>| {
        // SAFETY: the engine waits each time.
        let desc = unsafe { tables.begin(0).unwrap() };
        let desc = rtc_engine::vulkan::DispatchRays { size: [SIDE, SIDE, 1], ..desc };
        engine.run(|cmd| {
            if let Some(structures) = build {
                structures.build(&engine, cmd, false);
            }
            set.bind(&engine, &layout, cmd);
            // SAFETY: everything lives until the wait.
            unsafe { pipeline.dispatch_rays(cmd, &desc).unwrap() };
            engine.barrier(cmd);
        });
        set.picture()
    };
    compare(&draw(&pipeline, &mut changing, Some(&mut structures)), usual);

    pipeline.set_stack_size(12345).unwrap();
    let identifiers: Vec<_> = ["Gen", "Sky", "Tri"].map(|name| pipeline.identifier(name).unwrap()).to_vec();
    let grown = pipeline.add(&addition, &GROWING).unwrap();
    assert_eq!(grown.stack_size(), 12345);
    assert_eq!(grown.names(), ["Gen", "Sky", "Tri", "Night", "Tri2"]);
    for (identifier, name) in identifiers.iter().zip(["Gen", "Sky", "Tri"]) {
        assert_eq!(grown.handle(identifier).unwrap(), grown.handle_of(name).unwrap());
        assert_eq!(grown.identifier(name).as_ref(), Some(identifier));
    }
    let new = grown.identifier("Tri2").unwrap();
    let e = pipeline.handle(&new).unwrap_err();
    assert!(e.message.contains("the identifier of `Tri2` is of a state object"), "{e}");
    // The old records draw the same with the new pipeline, and the old pipeline still draws.
    changing.retarget(&grown).unwrap();
    compare(&draw(&grown, &mut changing, None), usual);
    changing.retarget(&pipeline).unwrap();
    compare(&draw(&pipeline, &mut changing, None), usual);
    // New records.
    changing.retarget(&grown).unwrap();
    changing.set(&grown, Table::Miss, 0, Record::of("Night")).unwrap();
    changing.set(&grown, Table::Hit, 1, colored("Tri2", RIGHT)).unwrap();
    compare(&draw(&grown, &mut changing, None), added);
    assert!(changing.retarget(&pipeline).is_err(), "the first pipeline has no `Night`");
    // The parent may go.
    drop(pipeline);
    compare(&draw(&grown, &mut changing, None), added);

    let twice = grown.add(&addition, &GROWING).unwrap_err();
    assert!(twice.message.contains("`Night` is exported twice"), "{twice}");
    set.destroy(&engine);
}

#[test]
fn additions_that_do_not_fit() {
    let Some((_one, engine)) = open() else { return };
    let base = base();
    let source = include_str!("addition.hlsl");
    let changed = |from: &str, to: &str| {
        assert!(source.contains(from));
        library("changed.hlsl", &source.replace(from, to))
    };
    let layout = Layout::new(&engine.device, &[&base], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&base, &layout, &GROWING).unwrap();
    let fails = |library: Arc<Library>, kind: ErrorKind, what: &str| {
        let e = pipeline.add(&library, &GROWING).expect_err(what);
        assert_eq!(e.kind, kind, "{e}");
        assert!(e.to_string().contains(what), "{e}");
    };
    fails(
        changed("uint color;", "uint color;\n    uint more[4];"),
        ErrorKind::StateObject,
        "its payloads have up to 20 bytes, those of the pipeline 4",
    );
    fails(changed("Shaders2 = {4, 8}", "Shaders2 = {4, 16}"), ErrorKind::StateObject, "allows 16 bytes of hit attributes");
    fails(changed("Pipeline2 = {1}", "Pipeline2 = {2}"), ErrorKind::StateObject, "a recursion depth of 2");
    let more =
        "StructuredBuffer<uint> More : register(t7);\n[shader(\"miss\")]\nvoid Other(inout Payload payload) { payload.color = More[0]; }";
    let with_more = library("more.hlsl", &format!("{source}\n{more}"));
    fails(with_more, ErrorKind::Binding, "the layout has no room for the resource `More`");
    let fixed = Pipeline::new(&base, &layout, &PipelineOptions { allow_additions: false, ..GROWING }).unwrap();
    let e = fixed.add(&addition(), &GROWING).unwrap_err();
    assert!(e.message.contains("the pipeline was not made to allow additions"), "{e}");
    let other = PipelineOptions { dynamic_stack: false, ..GROWING };
    assert!(pipeline.add(&addition(), &other).unwrap_err().message.contains("stack size"));
}

#[test]
fn collections_are_linked() {
    let Some((_one, engine)) = open() else { return };
    let (base, addition) = (base(), addition());
    let layout = Layout::new(&engine.device, &[&base, &addition], LayoutOptions::default()).unwrap();
    let options = PipelineOptions { allow_additions: false, ..GROWING };
    let one = Collection::new(&base, &layout, 0, &options).unwrap();
    let two = Collection::new(&addition, &layout, 0, &options).unwrap();
    let pipeline = Pipeline::link(&[&two, &one], &options).unwrap();
    drop((one, two));
    let mut structures = Structures::new(&engine, FLAGS);
    let set = Set::new(&engine, &layout, &base, &structures.top);
    let mut mixed = tables();
    mixed.miss = vec![Record::of("Night")];
    mixed.hit[1] = colored("Tri2", RIGHT);
    let (_buffer, desc) = put(&engine, &pipeline, &mixed);
    engine.run(|cmd| {
        structures.build(&engine, cmd, false);
        set.bind(&engine, &layout, cmd);
        // SAFETY: everything lives until the wait.
        unsafe { pipeline.dispatch_rays(cmd, &desc).unwrap() };
        engine.barrier(cmd);
    });
    compare(&set.picture(), added);
    set.destroy(&engine);

    let one = Collection::new(&base, &layout, 0, &options).unwrap();
    let again = Collection::new(&base, &layout, 0, &options).unwrap();
    assert!(Pipeline::link(&[&one, &again], &options).unwrap_err().message.contains("exported twice"));
    assert!(Pipeline::link(&[], &options).is_err());
    let larger = Collection::new(&addition, &layout, 64, &options).unwrap();
    let e = Pipeline::link(&[&one, &larger], &options).unwrap_err();
    assert!(e.message.contains("payloads have up to 64 bytes"), "{e}");
}

#[test]
fn stack_sizes() {
    let Some((_one, engine)) = open() else { return };
    let (base, addition) = (base(), addition());
    let layout = Layout::new(&engine.device, &[&base, &addition], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&base, &layout, &GROWING).unwrap().add(&addition, &GROWING).unwrap();
    for name in ["Gen", "Sky", "Tri::closesthit", "Night", "Tri2::closesthit", "Tri2::anyhit"] {
        assert!(pipeline.shader_stack_size(name).is_some(), "{name}");
    }
    for name in ["gen", "Tri", "Hit", "Tri::anyhit", "Tri2::intersection", "Tri::ClosestHit", "Other"] {
        assert_eq!(pipeline.shader_stack_size(name), None, "{name}");
    }
    let stacks = pipeline.stage_stacks();
    assert_eq!(pipeline.default_stack_size(), stacks.default_size(1));
    assert_eq!(pipeline.stack_size(), pipeline.default_stack_size());
    pipeline.set_stack_size(4096).unwrap();
    assert_eq!(pipeline.stack_size(), 4096);
    pipeline.set_stack_size(0xffff_ffff).unwrap();
    assert_eq!(pipeline.stack_size(), 4096, "sizes that D3D12 ignores");
    let fixed = Pipeline::new(&base, &layout, &PipelineOptions::default()).unwrap();
    assert_eq!(fixed.set_stack_size(64).unwrap_err().kind, ErrorKind::StateObject);
}

/// Two threads compile one pipeline; the addition is compiled in the background too.
///
/// Without the validation layer: older ones (1.3.239) give the driver handles of their own when a library was compiled by a deferred operation.
#[test]
fn deferred_compilation() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let engine = match Engine::open_unwatched() {
        Ok(engine) => engine,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    let (base, addition) = (base(), addition());
    let layout = Layout::new(&engine.device, &[&base, &addition], LayoutOptions::default()).unwrap();
    let together = |compilation: Compilation| {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| compilation.join().unwrap());
            }
        });
        while !compilation.is_complete() {
            compilation.join().unwrap();
        }
        assert!(compilation.max_concurrency() <= 1 << 20);
        compilation.finish().unwrap()
    };
    let pipeline = together(Compilation::new(&base, &layout, &GROWING).unwrap());
    assert_eq!(pipeline.names(), ["Gen", "Sky", "Tri"]);
    let grown = together(pipeline.add_deferred(&addition, &GROWING).unwrap());
    assert_eq!(grown.names().len(), 5);
    // One that is given up.
    drop(Compilation::new(&base, &layout, &PipelineOptions::default()).unwrap());
}

#[test]
fn the_cache_on_disk() {
    let Some((_one, engine)) = open() else { return };
    let folder = std::env::temp_dir().join(format!("rtc-rt-cache-{}", std::process::id()));
    let base = base();
    let layout = Layout::new(&engine.device, &[&base], LayoutOptions::default()).unwrap();
    let cache = DiskCache::open(&engine.device, &folder).unwrap();
    let options = PipelineOptions { cache: Some(&cache), ..PipelineOptions::default() };
    drop(Pipeline::new(&base, &layout, &options).unwrap());
    cache.save().unwrap();
    let data = std::fs::read(cache.path()).unwrap();
    assert_eq!(data, cache.data().unwrap());
    let path = cache.path().to_path_buf();
    drop(cache);
    let again = DiskCache::open(&engine.device, &folder).unwrap();
    assert_eq!(again.path(), path);
    drop(Pipeline::new(&base, &layout, &PipelineOptions { cache: Some(&again), ..PipelineOptions::default() }).unwrap());
    drop(again);
    // A file of another driver, and one that is cut: empty caches.
    for damage in [&b"not a cache"[..], &data[..16]] {
        std::fs::write(&path, damage).unwrap();
        let empty = DiskCache::open(&engine.device, &folder).unwrap();
        drop(Pipeline::new(&base, &layout, &PipelineOptions { cache: Some(&empty), ..PipelineOptions::default() }).unwrap());
        empty.save().unwrap();
        assert!(std::fs::read(&path).unwrap().len() >= 32);
    }
    let leftovers: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(leftovers.len(), 1, "{leftovers:?}");
    std::fs::remove_dir_all(&folder).unwrap();
    // A folder that is a file.
    std::fs::write(&folder, b"").unwrap();
    assert_eq!(DiskCache::open(&engine.device, &folder).unwrap_err().kind, ErrorKind::Io);
    std::fs::remove_file(&folder).unwrap();
}
