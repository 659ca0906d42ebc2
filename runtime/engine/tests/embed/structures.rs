//! Acceleration structures: batches with little scratch memory, updates, compaction over frames, clones, serialised bytes.

use crate::engine::{Engine, base};
use crate::open;
use crate::scene::{FLAGS, LEFT, RIGHT, SIDE, SKY, Set, Structures, compare, instance, put, tables, usual};
use rtc_engine::ErrorKind;
use rtc_engine::library::Library;
use rtc_engine::vulkan::accel::{
    self, Build, CopyMode, Geometry, Indices, Inputs, PostbuildInfo, Scratch, SerializedHeader, SizeQueries, Source, build_flag,
    translate_instances,
};
use rtc_engine::vulkan::{Accel, Layout, LayoutOptions, Pipeline, PipelineOptions};
use std::sync::Arc;

/// Draws with a top-level structure.
pub fn picture_of(engine: &Engine, top: &Accel) -> Vec<u32> {
    picture_with(engine, &base(), top)
}

/// The same with a library.
pub fn picture_with(engine: &Engine, library: &Arc<Library>, top: &Accel) -> Vec<u32> {
    let layout = Layout::new(&engine.device, &[library], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(library, &layout, &PipelineOptions::default()).unwrap();
    let set = Set::new(engine, &layout, library, top);
    let (_buffer, desc) = put(engine, &pipeline, &tables());
    engine.run(|cmd| {
        set.bind(engine, &layout, cmd);
        // SAFETY: everything lives until the wait.
        unsafe { pipeline.dispatch_rays(cmd, &desc).unwrap() };
        engine.barrier(cmd);
    });
    let picture = set.picture();
    set.destroy(engine);
    picture
}

#[test]
fn updates_in_place() {
    let Some((_one, engine)) = open() else { return };
    let mut structures = Structures::new(&engine, FLAGS);
    engine.run(|cmd| structures.build(&engine, cmd, false));
    compare(&picture_of(&engine, &structures.top), usual);
    // One pixel column to the right is 2 / 16; the left square leaves its first column.
    structures.place([2.0 / SIDE as f32, 0.0]);
    engine.run(|cmd| structures.build(&engine, cmd, true));
    let picture = picture_of(&engine, &structures.top);
    assert_eq!(picture[0], SKY);
    assert_eq!(picture[1], LEFT);
    assert_eq!(picture[SIDE as usize / 2], LEFT);
    assert_eq!(picture[SIDE as usize / 2 + 1], RIGHT);
}

/// Updates follow updates, whether the flags say it too or not; one that does not allow more is the last.
#[test]
fn updates_of_updates() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    let mut structures = Structures::new(&engine, FLAGS);
    engine.run(|cmd| structures.build(&engine, cmd, false));
    let usual_inputs = structures.inputs.clone();
    let with = |flags: u32| {
        usual_inputs.clone().map(|inputs| match inputs {
            Inputs::Bottom { geometries, .. } => Inputs::Bottom { geometries, flags },
            Inputs::Top { instances, count, pointers, .. } => Inputs::Top { instances, count, pointers, flags },
        })
    };
    for flags in [FLAGS | build_flag::PERFORM_UPDATE, FLAGS | build_flag::PERFORM_UPDATE, FLAGS, FLAGS & !build_flag::ALLOW_UPDATE] {
        structures.inputs = with(flags);
        engine.run(|cmd| structures.build(&engine, cmd, true));
        compare(&picture_of(&engine, &structures.top), usual);
    }
    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe {
        let scratch = structures.scratch();
        let [inputs, _] = with(FLAGS);
        let e = accel::build(device, cmd, &mut [Build { inputs, target: &mut structures.bottom, source: Source::Target }], scratch)
            .unwrap_err();
        assert!(e.message.contains("not built to allow it"), "{e}");
        let [inputs, _] = with(FLAGS | build_flag::PERFORM_UPDATE);
        let e =
            accel::build(device, cmd, &mut [Build { inputs, target: &mut structures.bottom, source: Source::New }], scratch).unwrap_err();
        assert!(e.message.contains("the flags say that it is an update, but not of what"), "{e}");
    });
}

/// Ten bottom-level structures with scratch memory for one at a time, and with more than enough.
#[test]
fn batches_share_scratch_memory() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    let structures = Structures::new(&engine, FLAGS);
    let [bottom, top] = structures.inputs.clone();
    let sizes = bottom.sizes(device).unwrap();
    let alignment = u64::from(device.limits().scratch_alignment);
    let one = sizes.scratch.max(top.sizes(device).unwrap().scratch) + alignment;
    let all = accel::scratch_for(device, &[(&bottom, false); 10]).unwrap();
    assert!(all >= 10 * sizes.scratch);
    for bytes in [one, all.max(one)] {
        let mut bottoms: Vec<Accel> = (0..10).map(|_| Accel::new(device, &engine.memory, false, sizes.result).unwrap()).collect();
        let mut above = Accel::new(device, &engine.memory, true, top.sizes(device).unwrap().result).unwrap();
        // The ninth and the tenth are seen.
        let mut data = instance([1.0, 2.0], [-0.5, 0.0], 0, bottoms[8].address());
        data.extend(instance([1.0, 1.0], [0.5, -0.5], 1, bottoms[9].address()));
        // SAFETY: the device is idle.
        unsafe { structures.instances.write(0, &data).unwrap() };
        let room = engine.buffer(bytes, &[]);
        let scratch = Scratch { address: room.address(), size: bytes };
        engine.run(|cmd| {
            let mut builds: Vec<Build> =
                bottoms.iter_mut().map(|target| Build { inputs: bottom.clone(), target, source: Source::New }).collect();
            builds.push(Build { inputs: top.clone(), target: &mut above, source: Source::New });
            // SAFETY: everything lives until the wait.
            unsafe { accel::build(device, cmd, &mut builds, scratch).unwrap() };
        });
        compare(&picture_of(&engine, &above), usual);
    }
}

#[test]
fn compaction_clones_and_bytes() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    let mut structures = Structures::new(&engine, FLAGS);
    let mut compacted_sizes = SizeQueries::new(device, PostbuildInfo::CompactedSize, 2).unwrap();
    let mut serialized_sizes = SizeQueries::new(device, PostbuildInfo::SerializationSize, 2).unwrap();
    assert_eq!(compacted_sizes.answers().unwrap(), Some(Vec::new()), "nothing was queried");
    engine.run(|cmd| {
        structures.build(&engine, cmd, false);
        let both = [&structures.bottom, &structures.top];
        // SAFETY: everything lives until the wait.
        unsafe {
            compacted_sizes.record(cmd, &both).unwrap();
            serialized_sizes.record(cmd, &both).unwrap();
        }
    });
    let sizes = compacted_sizes.answers().unwrap().expect("the device is done");
    assert!(sizes[0] <= structures.bottom.size() && sizes[1] <= structures.top.size(), "{sizes:?}");
    let mut small = Accel::new(device, &engine.memory, true, sizes[1]).unwrap();
    let mut clone = Accel::new(device, &engine.memory, true, structures.top.size()).unwrap();
    // SAFETY: everything lives until the wait.
    engine.run(|cmd| unsafe {
        accel::copy(device, cmd, &structures.top, &mut small, CopyMode::Compact).unwrap();
        accel::copy(device, cmd, &structures.top, &mut clone, CopyMode::Clone).unwrap();
    });
    compare(&picture_of(&engine, &small), usual);
    compare(&picture_of(&engine, &clone), usual);

    let size = serialized_sizes.answers().unwrap().expect("the device is done")[1];
    let room = engine.buffer(size + 256, &[]);
    let at = room.address().next_multiple_of(256);
    // SAFETY: as above.
    engine.run(|cmd| unsafe {
        accel::serialize(device, cmd, &structures.top, at).unwrap();
        engine.barrier(cmd);
    });
    // SAFETY: the device is done with it.
    let mut bytes = unsafe { room.read(at - room.address(), size).unwrap() };
    let header = SerializedHeader::read(device, &bytes).unwrap();
    header.patch(&mut bytes, &vec![structures.bottom.address(); header.handles as usize]).unwrap();
    assert!(header.patch(&mut bytes, &vec![structures.bottom.address(); header.handles as usize + 1]).is_err());
    // SAFETY: as above.
    unsafe { room.write(at - room.address(), &bytes).unwrap() };
    let mut back = Accel::new(device, &engine.memory, true, header.deserialized_size).unwrap();
    // SAFETY: as above.
    engine.run(|cmd| unsafe { accel::deserialize(device, cmd, &header, at, &mut back).unwrap() });
    compare(&picture_of(&engine, &back), usual);
    assert!(header.handles > 0, "the squares");
    let mut low = Accel::new(device, &engine.memory, false, header.deserialized_size).unwrap();
    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe {
        let e = accel::deserialize(device, cmd, &header, at, &mut low).unwrap_err();
        assert!(e.message.contains("is read into a bottom-level one"), "{e}");
    });

    // Bytes of another driver.
    bytes[0] ^= 0xff;
    let e = SerializedHeader::read(device, &bytes).unwrap_err();
    assert!(e.message.contains("another device or driver"), "{e}");
    assert!(SerializedHeader::read(device, &bytes[..40]).is_err());

    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe {
        let mut bottom = Accel::new(device, &engine.memory, false, 4096).unwrap();
        let e = accel::copy(device, cmd, &structures.top, &mut bottom, CopyMode::Clone).unwrap_err();
        assert!(e.message.contains("different levels"), "{e}");
        let e = accel::copy(device, cmd, &back, &mut clone, CopyMode::Compact).unwrap_err();
        assert!(e.message.contains("not built to allow it"), "{e}");
        let empty = Accel::new(device, &engine.memory, true, 4096).unwrap();
        assert!(accel::copy(device, cmd, &empty, &mut clone, CopyMode::Clone).is_err());
        assert!(accel::serialize(device, cmd, &structures.top, at + 16).is_err());
        let e = compacted_sizes.record(cmd, &[&structures.top; 3]).unwrap_err();
        assert!(e.message.contains("3 questions"), "{e}");
    });
}

/// Zero triangles, zero instances, and geometries without primitives are structures that rays miss.
#[test]
fn nothing_to_hit() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    let none = Geometry::Triangles { vertices: 0, stride: 12, format: 106, vertex_count: 0, indices: None, transform: None, flags: 0 };
    for geometries in [vec![], vec![none; 3], vec![Geometry::Boxes { address: 0, stride: 24, count: 0, flags: 0 }]] {
        let inputs = Inputs::Bottom { geometries, flags: 0 };
        let mut bottom = Accel::new(device, &engine.memory, false, inputs.sizes(device).unwrap().result).unwrap();
        let instances = engine.buffer(64, &instance([1.0, 1.0], [0.0, 0.0], 0, bottom.address()));
        let over = Inputs::Top { instances: instances.address(), count: 1, pointers: false, flags: 0 };
        let mut top = Accel::new(device, &engine.memory, true, over.sizes(device).unwrap().result).unwrap();
        let need = accel::scratch_for(device, &[(&inputs, false), (&over, false)]).unwrap();
        let room = engine.buffer(need, &[]);
        let scratch = Scratch { address: room.address(), size: need };
        engine.run(|cmd| {
            let mut builds = [
                Build { inputs: inputs.clone(), target: &mut bottom, source: Source::New },
                Build { inputs: over.clone(), target: &mut top, source: Source::New },
            ];
            // SAFETY: everything lives until the wait.
            unsafe { accel::build(device, cmd, &mut builds, scratch).unwrap() };
        });
        compare(&picture_of(&engine, &top), |_, _, _| SKY);
    }
}

/// Sizes of zero primitives and zero instances are those of empty structures, which are built from no memory at all.
#[test]
fn sizes_of_nothing() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    for pointers in [false, true] {
        let inputs = Inputs::Top { instances: 0, count: 0, pointers, flags: FLAGS };
        let sizes = inputs.sizes(device).unwrap();
        let mut top = Accel::new(device, &engine.memory, true, sizes.result).unwrap();
        let need = accel::scratch_for(device, &[(&inputs, false)]).unwrap();
        let room = engine.buffer(need, &[]);
        let scratch = Scratch { address: room.address(), size: need };
        engine.run(|cmd| {
            let mut builds = [Build { inputs, target: &mut top, source: Source::New }];
            // SAFETY: everything lives until the wait.
            unsafe { accel::build(device, cmd, &mut builds, scratch).unwrap() };
        });
        compare(&picture_of(&engine, &top), |_, _, _| SKY);
    }
    let empty = Indices { address: 0, wide: true, count: 0 };
    let none =
        Geometry::Triangles { vertices: 0, stride: 0, format: 106, vertex_count: 0, indices: Some(empty), transform: None, flags: 0 };
    let many = Inputs::Bottom { geometries: vec![none; 100], flags: FLAGS };
    let one = Inputs::Bottom { geometries: vec![none], flags: 0 };
    assert!(many.sizes(device).unwrap().result >= one.sizes(device).unwrap().result);
    assert_eq!(one.sizes(device).unwrap().update_scratch, 0, "it is not to be updated");
}

/// `D3D12_RAYTRACING_INSTANCE_DESC`s with addresses of another API's structures.
#[test]
fn instances_of_d3d12() {
    let Some((_one, engine)) = open() else { return };
    let mut structures = Structures::new(&engine, FLAGS);
    let mut data = instance([1.0, 2.0], [-0.5, 0.0], 0, 0xd3d1_2000);
    data.extend(instance([1.0, 1.0], [0.5, -0.5], 1, 0xd3d1_2000));
    let address = structures.bottom.address();
    translate_instances(&mut data, |a| (a == 0xd3d1_2000).then_some(address)).unwrap();
    // SAFETY: the device is idle.
    unsafe { structures.instances.write(0, &data).unwrap() };
    engine.run(|cmd| structures.build(&engine, cmd, false));
    compare(&picture_of(&engine, &structures.top), usual);
}

#[test]
fn builds_that_are_wrong() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    let mut structures = Structures::new(&engine, FLAGS);
    engine.run(|cmd| structures.build(&engine, cmd, false));
    let [bottom, top] = structures.inputs.clone();
    let Inputs::Bottom { geometries, .. } = &bottom else { unreachable!() };
    let triangles = geometries[0];
    let change = |f: &dyn Fn(&mut u64, &mut u64, &mut i32, &mut u32)| {
        let mut g = triangles;
        if let Geometry::Triangles { vertices, stride, format, vertex_count, .. } = &mut g {
            f(vertices, stride, format, vertex_count);
        }
        Inputs::Bottom { geometries: vec![g], flags: FLAGS }
    };
    let indexed = |i: Indices, n: u32| {
        let mut g = triangles;
        if let Geometry::Triangles { indices, vertex_count, .. } = &mut g {
            (*indices, *vertex_count) = (Some(i), n);
        }
        Inputs::Bottom { geometries: vec![g], flags: FLAGS }
    };
    let boxes = Geometry::Boxes { address: 64, stride: 24, count: 1, flags: 0 };
    let of = |geometries: Vec<Geometry>, flags| Inputs::Bottom { geometries, flags };
    let both = build_flag::PREFER_FAST_BUILD | build_flag::PREFER_FAST_TRACE;
    let rows = [
        (change(&|_, _, _, n| *n = 4), ErrorKind::Binding, "4 corners are not a multiple of 3"),
        (change(&|v, _, _, _| *v = 0), ErrorKind::Binding, "triangles without vertices"),
        (change(&|_, s, _, _| *s = 1 << 40), ErrorKind::Binding, "a vertex stride of"),
        (change(&|_, s, _, _| *s = 14), ErrorKind::Binding, "a vertex stride of 14, which is not a multiple of 4"),
        (change(&|v, _, _, _| *v += 2), ErrorKind::Binding, "which is not a multiple of 4 or is null"),
        // `VK_FORMAT_R16G16B16A16_SNORM`.
        (change(&|_, s, f, _| (*s, *f) = (7, 92)), ErrorKind::Binding, "a vertex stride of 7, which is not a multiple of 2"),
        (indexed(Indices { address: 6, wide: true, count: 3 }, 3), ErrorKind::Binding, "indices at 0x6, which is not a multiple of 4"),
        (indexed(Indices { address: 7, wide: false, count: 3 }, 3), ErrorKind::Binding, "indices at 0x7, which is not a multiple of 2"),
        (indexed(Indices { address: 8, wide: true, count: 3 }, 0), ErrorKind::Binding, "triangles without vertices"),
        // `VK_FORMAT_R8_UINT`.
        (change(&|_, _, f, _| *f = 13), ErrorKind::Limit, "takes no vertices of format"),
        (of(vec![triangles, boxes], 0), ErrorKind::Binding, "mixes triangles and boxes"),
        (of(vec![Geometry::Boxes { address: 64, stride: 20, count: 1, flags: 0 }], 0), ErrorKind::Binding, "a stride of 20"),
        (of(vec![Geometry::Boxes { address: 4, stride: 24, count: 1, flags: 0 }], 0), ErrorKind::Binding, "boxes at 0x4"),
        (of(vec![Geometry::Boxes { address: 64, stride: 24, count: 1, flags: 8 }], 0), ErrorKind::Binding, "unknown geometry flags 0x8"),
        (of(vec![], both), ErrorKind::Binding, "both fast rays and a fast build"),
        (of(vec![], 0x400), ErrorKind::Binding, "unknown build flags 0x400"),
        (of(vec![], build_flag::ALLOW_DATA_ACCESS), ErrorKind::Limit, "VK_KHR_ray_tracing_position_fetch"),
        (Inputs::Top { instances: 8, count: 1, pointers: false, flags: 0 }, ErrorKind::Binding, "instances at 0x8"),
        (Inputs::Top { instances: 12, count: 1, pointers: true, flags: 0 }, ErrorKind::Binding, "pointers to instances at 0xc"),
        (of(vec![], build_flag::ALLOW_OMM_LINKAGE_UPDATE), ErrorKind::Binding, "there are no updates"),
        (of(vec![], build_flag::ALLOW_DISABLE_OMMS), ErrorKind::Limit, "feature micromap of VK_EXT_opacity_micromap is not switched on"),
        (Inputs::Top { instances: 16, count: u32::MAX, pointers: false, flags: 0 }, ErrorKind::Limit, "instances, the device takes"),
    ];
    for (inputs, kind, what) in rows {
        let e = inputs.sizes(device).expect_err(what);
        assert_eq!(e.kind, kind, "{e}");
        assert!(e.to_string().contains(what), "{e} instead of {what}");
    }
    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe {
        let scratch = structures.scratch();
        let fails = |inputs: Inputs, target: &mut Accel, source: Source, scratch, what: &str| {
            let e = accel::build(device, cmd, &mut [Build { inputs, target, source }], scratch).expect_err(what);
            assert!(e.to_string().contains(what), "{e} instead of {what}");
        };
        let mut small = Accel::new(device, &engine.memory, false, 16).unwrap();
        fails(bottom.clone(), &mut small, Source::New, scratch, "build 0: the structure needs");
        fails(top.clone(), &mut small, Source::New, scratch, "of one level");
        let mut fresh = Accel::new(device, &engine.memory, false, 1 << 16).unwrap();
        fails(bottom.clone(), &mut fresh, Source::Target, scratch, "was not built");
        if bottom.sizes(device).unwrap().scratch > 0 {
            fails(bottom.clone(), &mut fresh, Source::New, Scratch { size: 0, ..scratch }, "bytes of scratch memory, there are 0");
        }
        let outside = Scratch { address: u64::MAX - 15, size: 16 };
        fails(bottom.clone(), &mut fresh, Source::New, outside, "leaves the address space");
        fails(bottom.clone(), &mut fresh, Source::New, Scratch { size: u64::MAX, ..scratch }, "leaves the address space");
        let fewer = change(&|_, _, _, n| *n = 3);
        fails(fewer, &mut fresh, Source::Of(&structures.bottom), scratch, "an update keeps flags");
    });
}
