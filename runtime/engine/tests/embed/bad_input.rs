//! Inputs that are wrong or extreme, and use from two threads.

use crate::engine::package;
use crate::mapping::{Built, SQUARE, at, draw_color, floats, placed, plain_triangles, source, triangles};
use crate::open;
use crate::scene::{FLAGS, SKY, Set, Structures, compare, put, tables, usual};
use rtc_engine::ErrorKind;
use rtc_engine::library::Library;
use rtc_engine::state_object::Overrides;
use rtc_engine::tables::Reach;
use rtc_engine::vulkan::accel::{Geometry, Inputs};
use rtc_engine::vulkan::memory::HostAccess;
use rtc_engine::vulkan::{Accel, Buffer, Layout, LayoutOptions, Pipeline, PipelineOptions};
use vulkanalia::vk::{self, DeviceV1_0, Handle, HasBuilder};

/// Triangles, boxes and instances without a place are not hit; what is next to them is.
#[test]
fn nan_geometry() {
    let Some((_one, engine)) = open() else { return };
    let nan = f32::NAN;
    // The first of two triangles is nowhere.
    let mut corners = SQUARE;
    corners[0] = nan;
    let vertices = engine.buffer(72, &floats(&corners));
    let built = Built::new(&engine, vec![plain_triangles(vertices.address(), 6, 0)], 0, |address| placed(0, 0, address));
    let picture = draw_color(&engine, "0", "9", &built.top);
    assert_eq!((at(&picture, -0.5, 0.5), at(&picture, 0.5, -0.5)), (SKY, 9));
    // All of it, and a whole instance.
    let vertices = engine.buffer(72, &floats(&[nan; 18]));
    let nowhere = Built::new(&engine, vec![plain_triangles(vertices.address(), 6, 0)], 0, |address| placed(0, 0, address));
    assert!(draw_color(&engine, "0", "9", &nowhere.top).iter().all(|c| *c == SKY));
    let boxes = engine.buffer(24, &floats(&[nan; 6]));
    let geometry = Geometry::Boxes { address: boxes.address(), stride: 24, count: 1, flags: 0 };
    let nowhere = Built::new(&engine, vec![geometry], 0, |address| placed(0, 0, address));
    assert!(draw_color(&engine, "0", "9", &nowhere.top).iter().all(|c| *c == SKY));
    let vertices = engine.buffer(72, &floats(&SQUARE));
    let some = Built::new(&engine, vec![plain_triangles(vertices.address(), 6, 0)], 0, |address| {
        let mut lost = placed(1, 0, address);
        lost[..48].copy_from_slice(&floats(&[nan; 12]));
        lost.extend(placed(2, 0, address));
        lost
    });
    assert_eq!(at(&draw_color(&engine, "0", "InstanceID()", &some.top), 0.5, 0.5), 2);
}

/// More than a device or its memory has is an error, of ten million instances as of a buffer.
#[test]
fn ten_million_instances() {
    let Some((_one, engine)) = open() else { return };
    let inputs = |count| Inputs::Top { instances: 4096, count, pointers: false, flags: 0 };
    let limit = engine.device.limits().max_instances;
    for count in [10_000_000, u32::try_from(limit).unwrap_or(u32::MAX), u32::MAX] {
        match inputs(count).sizes(&engine.device) {
            Ok(sizes) => assert!(u64::from(count) <= limit && sizes.result > u64::from(count), "{sizes:?}"),
            Err(e) => {
                assert!(u64::from(count) > limit);
                assert_eq!(e.kind, ErrorKind::Limit, "{e}");
            }
        }
    }
    for size in [1 << 46, u64::MAX] {
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER.bits();
        let e = Buffer::new(&engine.device, &engine.memory, size, usage, HostAccess::None).unwrap_err();
        assert!(matches!(e.kind, ErrorKind::OutOfMemory | ErrorKind::Limit | ErrorKind::Device), "{e}");
        assert!(Accel::new(&engine.device, &engine.memory, true, size).is_err());
    }
    // Layers complain of buffers that are larger than the device says.
    engine.said();
}

/// Two packages of one pipeline with another structure of the same name as payload.
#[test]
fn payloads_that_disagree() {
    let one = package("one.hlsl", &source("0", &triangles("1")));
    let other = "struct Payload { uint color; uint more; };
        [shader(\"miss\")] void Night(inout Payload p) { p.color = p.more; }";
    let other = package("other.hlsl", other);
    let e = Library::read_all(&[("one", &one), ("other", &other)], &Overrides::default()).unwrap_err();
    assert_eq!(e.kind, ErrorKind::StateObject);
    assert!(e.message.contains("the payload `Payload` is declared differently"), "{e}");
    assert!(e.message.contains("`one`") && e.message.contains("`other`"), "{e}");
}

/// What the host knows of the indices of a dispatch, it can check.
#[test]
fn tables_shorter_than_an_index_reaches() {
    let tables = tables();
    tables.check_reach(&Reach { miss: Some(0), hit: Some([0, 0, 0, 1]), callable: None }).unwrap();
    for (reach, what) in [
        (Reach { miss: Some(1), ..Reach::default() }, "the miss table has 1 record(s), index 1"),
        (Reach { hit: Some([1, 0, 0, 1]), ..Reach::default() }, "the hit group table has 2 record(s), index 2"),
        (Reach { hit: Some([0, 3, 2, 0]), ..Reach::default() }, "the hit group table has 2 record(s), index 6"),
        (Reach { callable: Some(0), ..Reach::default() }, "the callable table has 0 record(s), index 0"),
    ] {
        let e = tables.check_reach(&reach).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Binding);
        assert!(e.message.contains(what), "{e}");
    }
}

/// Packages that are cut or changed: an error of the package each time.
#[test]
fn packages_that_are_damaged() {
    let whole = package("base.hlsl", include_str!("base.hlsl"));
    let read = |bytes: &[u8]| Library::read(bytes, &Overrides::default());
    read(&whole).unwrap();
    for len in (0..whole.len()).step_by(97) {
        assert_eq!(read(&whole[..len]).unwrap_err().kind, ErrorKind::Package, "{len} bytes");
    }
    for at in (0..whole.len()).step_by(61) {
        let mut changed = whole.clone();
        changed[at] ^= 0x41;
        if let Err(e) = read(&changed) {
            assert!(matches!(e.kind, ErrorKind::Package | ErrorKind::StateObject | ErrorKind::Binding), "byte {at}: {e}");
        }
    }
}

/// Packages of a format that is newer than this crate say so.
#[test]
fn packages_of_a_newer_format() {
    use rtc_dxil_container::{Container, FourCc, Signing, write};
    let whole = package("base.hlsl", include_str!("base.hlsl"));
    let container = Container::parse(&whole).unwrap();
    let part = |name: FourCc, data: &[u8]| {
        let mut data = data.to_vec();
        if name == FourCc::RTPK {
            data[..4].copy_from_slice(&99u32.to_le_bytes());
        }
        data
    };
    let parts: Vec<_> = container.parts.iter().map(|p| (p.name, part(p.name, &p.data))).collect();
    let parts: Vec<_> = parts.iter().map(|(name, data)| (*name, data.as_slice())).collect();
    let e = Library::read(&write(&parts, Signing::Digest).unwrap(), &Overrides::default()).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Package);
    assert!(e.message.contains("unsupported package format 99, the newest supported is"), "{e}");
}

/// A thread with a command pool of its own, for which nothing of the engine needs a lock.
fn record_alone(engine: &vulkanalia::Device, record: impl FnOnce(u64)) -> (vk::CommandPool, vk::CommandBuffer) {
    // SAFETY: pool and commands are this thread's until they are returned.
    unsafe {
        let pool = engine.create_command_pool(&vk::CommandPoolCreateInfo::builder().queue_family_index(0), None).expect("a pool");
        let info =
            vk::CommandBufferAllocateInfo::builder().command_pool(pool).level(vk::CommandBufferLevel::PRIMARY).command_buffer_count(1);
        let cmd = engine.allocate_command_buffers(&info).expect("a command buffer")[0];
        engine.begin_command_buffer(cmd, &vk::CommandBufferBeginInfo::builder()).expect("recording");
        record(cmd.as_raw() as u64);
        engine.end_command_buffer(cmd).expect("recorded commands");
        (pool, cmd)
    }
}

/// Two threads record dispatches of one pipeline with descriptors and tables of their own, while a third compiles another pipeline.
#[test]
fn two_threads_record() {
    let Some((_one, engine)) = open() else { return };
    let library = crate::engine::base();
    let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap();
    let mut structures = Structures::new(&engine, FLAGS);
    engine.run(|cmd| structures.build(&engine, cmd, false));
    let sets = [0, 1].map(|_| Set::new(&engine, &layout, &library, &structures.top));
    let descs = [0, 1].map(|_| put(&engine, &pipeline, &tables()));
    let raw_layout = vk::PipelineLayout::from_raw(layout.handle());
    let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
    let functions = &engine.raw;
    let (recorded, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap());
        let threads = [0, 1].map(|i| {
            let (set, desc, pipeline) = (sets[i].raw, &descs[i].1, &pipeline);
            scope.spawn(move || {
                record_alone(functions, |cmd| {
                    for _ in 0..50 {
                        let buffer = vk::CommandBuffer::from_raw(cmd as usize);
                        // SAFETY: everything lives until the wait; the picture is the same each time, so that no order is needed.
                        unsafe {
                            functions.cmd_bind_descriptor_sets(buffer, point, raw_layout, 0, &[set], &[]);
                            pipeline.dispatch_rays(cmd, desc).unwrap();
                        }
                        pipeline.stage_stacks();
                        pipeline.handle_of("Tri").unwrap();
                    }
                })
            })
        });
        (threads.map(|t| t.join().unwrap()), other.join().unwrap())
    });
    for (i, (pool, cmd)) in recorded.into_iter().enumerate() {
        engine.wait(engine.submit(cmd));
        engine.run(|cmd| engine.barrier(cmd));
        compare(&sets[i].picture(), usual);
        // SAFETY: the device is done with it.
        unsafe { engine.raw.destroy_command_pool(pool, None) };
        sets[i].destroy(&engine);
    }
    drop(other);
}
