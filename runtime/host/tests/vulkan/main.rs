//! Runs a hand-assembled library on the Vulkan device of this machine and compares every pixel with what the
//! arithmetic says. Without a device the tests are *ignored*, and say why.

mod module;
mod package;
mod scenes;
mod setup;

use libtest_mimic::{Arguments, Trial};
use rtc_host::ErrorKind;
use rtc_host::device::*;
use rtc_host::vulkan::{OpenOptions, VulkanDevice, devices};
use rtc_package::{Requirement, RequirementKind};
use scenes::{scene_to_png, wrong_scenes};
use setup::*;
use std::process::ExitCode;

/// A name and what it runs.
type Test = (&'static str, fn() -> Outcome);

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Each test opens the device; not every driver bears that from several threads at once.
    arguments.test_threads.get_or_insert(1);
    let reason = match VulkanDevice::open(&watched()) {
        Ok(device) => {
            println!("device: {} ({})", device.info().name, device.info().api);
            None
        }
        Err(e) => Some(e.to_string()),
    };
    let tests: [Test; 17] = [
        ("picture", picture),
        ("opaque_geometry_calls_no_any_hit", opaque),
        ("refit_bottom", refit_bottom),
        ("refit_top", refit_top),
        ("compact_clone_serialize", copies),
        ("partitioned_top_levels", partitioned),
        ("operations_in_memory", in_memory),
        ("inactive_and_inverted", inactive),
        ("buffers_come_back", buffers),
        ("textures_and_static_samplers", textures),
        ("scene_to_png", scene_to_png),
        ("scenes_that_are_wrong", wrong_scenes),
        ("what_is_not_set", not_set),
        ("limits", limits),
        ("requirements", requirements),
        ("no_such_device", no_such_device),
        ("damaged_packages", damaged),
    ];
    let trials = tests
        .into_iter()
        .map(|(name, test)| {
            if let Some(why) = &reason {
                rtc_oracles::skip::skip_named(name, why);
            }
            Trial::test(name, test).with_ignored_flag(reason.is_some())
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn picture() -> Outcome {
    let mut s = Setup::new(0)?;
    compare(&s.render()?, LEFT, true)
}

fn opaque() -> Outcome {
    let mut s = Setup::new(GEOMETRY_OPAQUE)?;
    compare(&s.render()?, LEFT, false)
}

fn refit_bottom() -> Outcome {
    let mut s = Setup::new(GEOMETRY_OPAQUE)?;
    s.device.update_bottom(s.tri, &triangle(GEOMETRY_OPAQUE, 0.5))?;
    s.device.update_top(s.top, &instances(s.tri, s.cube, [LEFT[0], LEFT[1] - 0.5]))?;
    // The triangle went up by as much as the left instance went down; the right one shows the new place.
    let picture = s.render()?;
    let at = |p: [f32; 2]| {
        let ndc = [(p[0] - VIEW[2]) / VIEW[0], (p[1] - VIEW[3]) / VIEW[1]];
        let i = ndc.map(|n| ((n + 1.0) / 2.0 * SIDE as f32) as u32);
        picture[(i[1] * SIDE + i[0]) as usize]
    };
    let above = at([RIGHT[0], RIGHT[1] + 0.8]);
    if (above[2] - COLORS[1][0] * TINT[2]).abs() > 1e-4 {
        return Err(format!("the refitted triangle is not where it should be: {above:?}").into());
    }
    let left = at([LEFT[0], LEFT[1]]);
    if (left[2] - COLORS[0][0] * TINT[2]).abs() > 1e-4 {
        return Err(format!("the left triangle has gone: {left:?}").into());
    }
    let mut more = triangle(GEOMETRY_OPAQUE, 0.0);
    more.geometries.push(more.geometries[0].clone());
    fails(s.device.update_bottom(s.tri, &more), ErrorKind::Binding, "an update keeps")?;
    fails(s.device.update_bottom(s.cube, &triangle(0, 0.0)), ErrorKind::Binding, "allow_update")
}

fn refit_top() -> Outcome {
    let mut s = Setup::new(0)?;
    let left = [-0.6, 0.5];
    s.device.update_top(s.top, &instances(s.tri, s.cube, left))?;
    compare(&s.render()?, left, true)
}

fn copies() -> Outcome {
    let mut s = Setup::new(0)?;
    let slot = Slot::parse("Scene");
    let (before, after) = s.device.compact(s.tri)?;
    if after > before {
        return Err(format!("compaction made {after} bytes of {before}").into());
    }
    let tri = s.device.clone_accel(s.tri)?;
    let top = s.device.build_top(&instances(tri, s.cube, LEFT))?;
    s.device.set(s.program, &slot, 0, Resource::Accel(top))?;
    compare(&s.render()?, LEFT, true)?;
    let stored = s.device.serialize_accel(tri)?;
    let restored = s.device.deserialize_accel(&stored, &[])?;
    let top = s.device.build_top(&instances(restored, s.cube, LEFT))?;
    s.device.set(s.program, &slot, 0, Resource::Accel(top))?;
    compare(&s.render()?, LEFT, true)?;
    fails(s.device.compact(s.cube), ErrorKind::Binding, "allow_compaction")?;
    let mut foreign = stored.clone();
    foreign[3] ^= 0xff;
    fails(s.device.deserialize_accel(&foreign, &[]), ErrorKind::Binding, "another device")?;
    fails(s.device.deserialize_accel(&stored[..20], &[]), ErrorKind::Binding, "too few")
}

fn partitioned() -> Outcome {
    let mut s = Setup::new(0)?;
    let plain = instances(s.tri, s.cube, LEFT).instances;
    let mut desc = PartitionedDesc {
        instances: plain.len() as u32,
        max_in_partition: 400,
        partitions: 2,
        max_in_global: 400,
        fast_build: false,
        allow_translation: true,
    };
    // The left one, its partition still somewhere else, and the others in two partitions.
    let off = [LEFT[0] - 3.0, LEFT[1]];
    let place = |i: usize| PartitionedWrite {
        index: i as u32,
        partition: [0, 1, GLOBAL_PARTITION][i % 3],
        instance: if i == 0 { Instance { transform: moved(off), ..plain[0] } } else { plain[i] },
        bounds: [0.0; 6],
    };
    let writes = (0..plain.len()).map(place).collect();
    let first = PartitionedChanges { writes, ..PartitionedChanges::default() };
    let top = s.device.build_partitioned(&desc, &first)?;
    s.device.set(s.program, &Slot::parse("t0"), 0, Resource::Accel(top))?;
    if compare(&s.render()?, LEFT, true).is_ok() {
        return Err("the left triangle is already there".into());
    }
    let shift = PartitionTranslation { partition: 0, by: [3.0, 0.0, 0.0] };
    let shift = PartitionedChanges { translations: vec![shift], ..PartitionedChanges::default() };
    s.device.update_partitioned(top, &desc, &shift)?;
    compare(&s.render()?, LEFT, true)?;
    // Much larger: what is bound is bound again.
    desc.instances = 400;
    s.device.update_partitioned(top, &desc, &PartitionedChanges::default())?;
    compare(&s.render()?, LEFT, true)?;
    let gone = PartitionedWrite { instance: Instance { bottom: None, ..plain[0] }, ..place(0) };
    let gone = PartitionedChanges { writes: vec![gone], ..PartitionedChanges::default() };
    s.device.update_partitioned(top, &desc, &gone)?;
    if compare(&s.render()?, LEFT, true).is_ok() {
        return Err("the left triangle is still there".into());
    }
    // The same mistakes as on the CPU device, and ids that an ordinary structure cannot hold. Nothing changes.
    let mut wrong = |change: fn(&mut PartitionedWrite), what: &str| {
        let mut write = place(0);
        change(&mut write);
        let changes = PartitionedChanges { writes: vec![write], ..PartitionedChanges::default() };
        fails(s.device.update_partitioned(top, &desc, &changes), ErrorKind::Binding, what)
    };
    wrong(|w| w.index = 400, "instance 400, but there are 400")?;
    wrong(|w| w.partition = 2, "partition 2, but there are 2")?;
    wrong(|w| w.instance.id = 1 << 24, "id 16777216 has more than 24 bits")?;
    wrong(|w| w.instance.flags = 0x80, "0x80")?;
    s.device.update_partitioned(top, &desc, &PartitionedChanges { writes: vec![place(0)], ..PartitionedChanges::default() })?;
    compare(&s.render()?, LEFT, true)?;
    let own = "only be changed by its own operations";
    fails(s.device.update_top(top, &TopDesc::default()), ErrorKind::Binding, own)?;
    fails(s.device.clone_accel(top), ErrorKind::Binding, own)?;
    fails(s.device.compact(top), ErrorKind::Binding, own)?;
    fails(s.device.serialize_accel(top), ErrorKind::Binding, own)?;
    let tri = s.tri;
    fails(s.device.update_partitioned(tri, &desc, &PartitionedChanges::default()), ErrorKind::Binding, "is no partitioned structure")
}

fn in_memory() -> Outcome {
    let mut device = open()?;
    let lacks = "this device has no indirect operations on acceleration structures";
    let inputs = Inputs::Move(MoveObjects::default());
    fails(device.operation_sizes(&inputs), ErrorKind::NoDevice, lacks)?;
    fails(device.execute_operations(&[Operation::Batch(inputs, BatchData::default())]), ErrorKind::NoDevice, lacks)?;
    fails(device.accel_at(256), ErrorKind::NoDevice, lacks)?;
    let buffer = device.create_buffer(16, &[])?;
    fails(device.address(Addressed::Buffer(buffer)), ErrorKind::NoDevice, lacks)?;
    let image = device.create_image(&ImageDesc::flat(16, 16, Format::R8Unorm, false), &[0; 256])?;
    let map = FeedbackDesc { kind: FeedbackKind::MinMip, paired: image, region: [4, 4] };
    fails(device.create_feedback(&map), ErrorKind::NoDevice, "this device has no sampler feedback")
}

fn inactive() -> Outcome {
    let mut s = Setup::new(0)?;
    // A triangle with one NaN, a box turned inside out, and an instance of nothing: none is hit.
    let mut gone = triangle(0, 0.0);
    if let GeometryData::Triangles { positions, .. } = &mut gone.geometries[0].data {
        positions[2][0] = f32::NAN;
    }
    let gone = s.device.build_bottom(&gone)?;
    let inverted = s.device.build_bottom(&BottomDesc {
        geometries: vec![Geometry::new(GeometryData::Boxes(vec![[1.0, 1.0, 1.0, -1.0, -1.0, 0.0]]), 0)],
        flags: BuildFlags::default(),
    })?;
    let mut desc = instances(gone, inverted, LEFT);
    desc.instances.push(Instance { bottom: None, ..desc.instances[0] });
    let top = s.device.build_top(&desc)?;
    s.device.set(s.program, &Slot::parse("t0"), 0, Resource::Accel(top))?;
    let sky = [0, 1, 2, 3].map(|i| SKY[i] * TINT[i]);
    let seen = s.render()?.iter().filter(|p| p.iter().zip(sky).any(|(a, b)| (a - b).abs() > 1e-4)).count();
    // The inverted box is a point, which an implementation may still hand to its intersection shader.
    if seen > 4 { Err(format!("{seen} pixels show something").into()) } else { Ok(()) }
}

fn buffers() -> Outcome {
    let mut s = Setup::new(0)?;
    let data: Vec<u8> = (0..100_001u32).map(|i| (i * 7) as u8).collect();
    let b = s.device.create_buffer(data.len() as u64 + 3, &data)?;
    s.device.write_buffer(b, 100_000, &[1, 2, 3, 4])?;
    let mut want = data.clone();
    want.truncate(100_000);
    want.extend([1, 2, 3, 4]);
    if s.device.read_buffer(b)? != want {
        return Err("the bytes are not those that were written".into());
    }
    fails(s.device.write_buffer(b, 100_003, &[0, 0]), ErrorKind::Binding, "leaves a buffer of 100004 bytes")?;
    fails(s.device.create_buffer(2, &[0; 3]), ErrorKind::Binding, "do not fit")?;
    let numbers = s.device.create_buffer(400, &[])?;
    s.device.set(s.program, &Slot::parse("u1"), 0, Resource::Buffer(numbers))?;
    s.device.set_tables(s.program, &ShaderTables { raygen: Record::of("Fill"), ..tables() })?;
    s.device.dispatch(s.program, [90, 1, 1])?;
    let numbers = s.device.read_buffer(numbers)?;
    let doubles = s.device.read_buffer(s.doubles)?;
    let want = |f: fn(u32) -> u32| -> Vec<u8> { (0..100).flat_map(|i| if i < 90 { f(i) } else { 0 }.to_le_bytes()).collect() };
    if numbers != want(|i| i * FACTOR + (1000 - i) + 1000) {
        return Err(format!("numbers: {numbers:?}").into());
    }
    if doubles != want(|i| i * 2) {
        return Err(format!("doubles: {doubles:?}").into());
    }
    let options = ProgramOptions { unbounded: 4, ..ProgramOptions::default() };
    let program = s.device.load(&package::package(1).write()?, &options)?;
    let many = Slot::parse("t0,space3");
    let b = s.device.create_buffer(4, &[])?;
    s.device.set(program, &many, 3, Resource::Buffer(b))?;
    fails(s.device.set(program, &many, 4, Resource::Buffer(b)), ErrorKind::Binding, "`Many` has 4 element(s)")
}

fn textures() -> Outcome {
    let mut s = Setup::new(0)?;
    let green = s.device.create_image(&ImageDesc::flat(1, 1, Format::Rgba8Unorm, false), &[0, 255, 0, 255])?;
    s.device.set(s.program, &Slot::parse("Textures"), 1, Resource::Image(green))?;
    s.device.set_tables(s.program, &ShaderTables { raygen: Record::of("Sample"), ..tables() })?;
    let picture = s.render()?;
    for (x, got) in picture[..SIDE as usize].iter().enumerate() {
        // Red at a quarter, blue at three quarters, linear between, constant outside.
        let blue = (((x as f32 + 0.5) / SIDE as f32 - 0.25) * 2.0).clamp(0.0, 1.0);
        let want = if x % 2 == 1 { [0.0, 1.0, 0.0, 1.0] } else { [1.0 - blue, 0.0, blue, 1.0] };
        if got.iter().zip(want).any(|(g, w)| (g - w).abs() > 0.01) {
            return Err(format!("column {x}: {got:?} instead of {want:?}").into());
        }
    }
    fails(s.device.set(s.program, &Slot::parse("Textures"), 2, Resource::Image(green)), ErrorKind::Binding, "`Textures` has 2 element(s)")
}

fn not_set() -> Outcome {
    let mut device = open()?;
    let program = device.load(&package::package(1).write()?, &ProgramOptions::default())?;
    fails(device.dispatch(program, [1, 1, 1]), ErrorKind::Binding, "no shader tables are set")?;
    device.set_tables(program, &tables())?;
    fails(device.dispatch(program, [1, 1, 1]), ErrorKind::Binding, "is used by the shaders but not set")?;
    let image = ImageDesc::flat(1, 1, Format::Rgba32Float, false);
    let image = device.create_image(&image, &[])?;
    fails(device.set(program, &Slot::parse("Output"), 0, Resource::Image(image)), ErrorKind::Binding, "made to be read only")?;
    fails(device.set(program, &Slot::parse("Outptu"), 0, Resource::Image(image)), ErrorKind::Binding, "`Output (u0)`")
}

fn limits() -> Outcome {
    let mut s = Setup::new(0)?;
    fails(s.device.dispatch(s.program, [u32::MAX; 3]), ErrorKind::Limit, "the device allows")?;
    let deep = package::package(1000).write()?;
    let options = ProgramOptions::default();
    fails(s.device.load(&deep, &options), ErrorKind::Limit, "recursion depth of 1000")?;
    let mut huge = ImageDesc::flat(u32::MAX, 1, Format::R8Unorm, false);
    fails(s.device.create_image(&huge, &[]), ErrorKind::Limit, "sides from 1 to")?;
    huge = ImageDesc { width: 1, format: Format::Rgba8UnormSrgb, writable: true, ..huge };
    fails(s.device.create_image(&huge, &[]), ErrorKind::Limit, "cannot be written")?;
    fails(s.device.create_buffer(u64::MAX, &[]), ErrorKind::Limit, "too many")?;
    let top = s.device.build_top(&TopDesc::default())?;
    let bad = TopDesc { instances: vec![instance(top, LEFT, 0)], flags: BuildFlags::default() };
    fails(s.device.build_top(&bad), ErrorKind::Binding, "an instance of a top-level structure")?;
    // A dispatch of nothing is one.
    s.device.dispatch(s.program, [0, 1, 1])?;
    Ok(())
}

fn requirements() -> Outcome {
    let need = |name: &str| Requirement {
        kind: RequirementKind::DeviceFeature,
        name: name.into(),
        extension: String::new(),
        reason: "a wish".into(),
    };
    let mut wishful = package::package(1);
    wishful.map.requirements.push(need("timeTravel"));
    let bytes = wishful.write()?;
    let mut device = open()?;
    fails(device.load(&bytes, &ProgramOptions::default()), ErrorKind::Limit, "timeTravel is unknown to this runtime (needed by a wish)")?;
    let options = OpenOptions { requirements: vec![need("timeTravel")], ..watched() };
    fails(VulkanDevice::open(&options), ErrorKind::NoDevice, "timeTravel")
}

fn no_such_device() -> Outcome {
    let options = OpenOptions { device: Some("abacus".into()), ..watched() };
    let e = match VulkanDevice::open(&options) {
        Ok(_) => return Err("an abacus was found".into()),
        Err(e) => e,
    };
    let all = devices(&[])?;
    if e.kind != ErrorKind::NoDevice || e.notes.len() != all.len() {
        return Err(e.to_string().into());
    }
    for (note, (title, _)) in e.notes.iter().zip(all) {
        if !note.starts_with(&title) || !note.contains("`--device abacus` does not name it") {
            return Err(note.clone().into());
        }
    }
    Ok(())
}

fn damaged() -> Outcome {
    let bytes = package::package(1).write()?;
    let mut device = open()?;
    for n in (0..bytes.len()).step_by(13) {
        fails(device.load(&bytes[..n], &ProgramOptions::default()), ErrorKind::Package, "damaged")?;
    }
    Ok(())
}
