//! M18–M22: questions about structures, and copies of them.

use super::{Built, SQUARE, at, draw_color, floats, placed, plain_triangles};
use crate::engine::{ALL_USES, Engine};
use crate::{ONE, open};
use rtc_engine::ErrorKind;
use rtc_engine::vulkan::accel::{self, CopyMode, PostbuildInfo, SerializedHeader, SizeQueries, build_flag};
use rtc_engine::vulkan::{Accel, Buffer, Requirements};

/// A square that may be compacted.
fn built(engine: &Engine) -> (Built, Buffer) {
    let vertices = engine.buffer(72, &floats(&SQUARE));
    let flags = build_flag::ALLOW_COMPACTION;
    (Built::new(engine, vec![plain_triangles(vertices.address(), 6, 0)], flags, |address| placed(21, 0, address)), vertices)
}

/// The answers about both levels.
fn ask(engine: &Engine, built: &Built, info: PostbuildInfo) -> Vec<u64> {
    let mut queries = SizeQueries::new(&engine.device, info, 2).unwrap();
    // SAFETY: everything lives until the wait.
    engine.run(|cmd| unsafe { queries.record(cmd, &[&built.bottom, &built.top]).unwrap() });
    queries.answers().unwrap().expect("the device is done")
}

fn seen(engine: &Engine, top: &Accel) -> bool {
    at(&draw_color(engine, "0", "InstanceID()", top), 0.5, 0.5) == 21
}

#[test]
fn m18_postbuild_info() {
    let Some((_one, engine)) = open() else { return };
    let (built, _vertices) = built(&engine);
    let compacted = ask(&engine, &built, PostbuildInfo::CompactedSize);
    let serialized = ask(&engine, &built, PostbuildInfo::SerializationSize);
    for (i, accel) in [&built.bottom, &built.top].into_iter().enumerate() {
        assert!(compacted[i] > 0 && compacted[i] <= accel.size(), "{compacted:?}");
        assert!(serialized[i] >= 56, "{serialized:?}");
    }
    for info in [PostbuildInfo::CurrentSize, PostbuildInfo::SerializationPointers] {
        let e = SizeQueries::new(&engine.device, info, 1).unwrap_err();
        assert!(e.message.contains("rayTracingMaintenance1 (VK_KHR_ray_tracing_maintenance1)"), "{e}");
    }
}

/// What later devices answer.
#[test]
fn m18_more_postbuild_info() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let maintained = Requirements::of(&[], ALL_USES);
    let maintained = maintained.with_feature("rayTracingMaintenance1", "VK_KHR_ray_tracing_maintenance1", "questions about sizes").unwrap();
    let engine = match Engine::with(&maintained, true, None) {
        Ok(engine) => engine,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    let (built, _vertices) = built(&engine);
    assert!(ask(&engine, &built, PostbuildInfo::CurrentSize).iter().all(|n| *n > 0));
    let pointers = ask(&engine, &built, PostbuildInfo::SerializationPointers);
    assert_eq!(pointers[0], 0, "a bottom-level structure has no others");
    // The same in a buffer, in another order.
    let mut queries = SizeQueries::new(&engine.device, PostbuildInfo::SerializationPointers, 3).unwrap();
    let written = engine.buffer(32, &[0xff; 32]);
    engine.run(|cmd| {
        // SAFETY: everything lives until the wait.
        unsafe {
            queries.record(cmd, &[&built.top, &built.bottom, &built.top]).unwrap();
            queries.write_to(cmd, written.handle(), 8).unwrap();
        }
        engine.barrier(cmd);
    });
    // SAFETY: the device is idle.
    let words = unsafe { written.read(8, 24).unwrap() };
    let words: Vec<u64> = words.chunks_exact(8).map(|w| u64::from_le_bytes(w.try_into().unwrap())).collect();
    assert_eq!(words, [pointers[1], 0, pointers[1]]);
    assert_eq!(queries.answers().unwrap(), Some(words));
}

#[test]
fn m19_clone_and_compact() {
    let Some((_one, engine)) = open() else { return };
    let (built, _vertices) = built(&engine);
    let size = ask(&engine, &built, PostbuildInfo::CompactedSize)[1];
    for (mode, size) in [(CopyMode::Clone, built.top.size()), (CopyMode::Compact, size)] {
        let mut other = Accel::new(&engine.device, &engine.memory, true, size).unwrap();
        // SAFETY: everything lives until the wait.
        engine.run(|cmd| unsafe { accel::copy(&engine.device, cmd, &built.top, &mut other, mode).unwrap() });
        assert!(seen(&engine, &other), "{mode:?}");
    }
}

/// The bytes of the top-level structure, and a buffer that holds them, at an address for them.
fn serialize(engine: &Engine, built: &Built) -> (Vec<u8>, Buffer, u64) {
    let size = ask(engine, built, PostbuildInfo::SerializationSize)[1];
    let room = engine.buffer(size + 256, &[]);
    let at = room.address().next_multiple_of(256);
    // SAFETY: everything lives until the wait.
    engine.run(|cmd| unsafe {
        accel::serialize(&engine.device, cmd, &built.top, at).unwrap();
        engine.barrier(cmd);
    });
    // SAFETY: the device is done with it.
    let bytes = unsafe { room.read(at - room.address(), size).unwrap() };
    (bytes, room, at)
}

#[test]
fn m20_serialize_and_deserialize() {
    let Some((_one, engine)) = open() else { return };
    let (built, _vertices) = built(&engine);
    let (mut bytes, room, at) = serialize(&engine, &built);
    let header = SerializedHeader::read(&engine.device, &bytes).unwrap();
    header.patch(&mut bytes, &vec![built.bottom.address(); header.handles as usize]).unwrap();
    // SAFETY: the device is idle.
    unsafe { room.write(at - room.address(), &bytes).unwrap() };
    let mut back = Accel::new(&engine.device, &engine.memory, true, header.deserialized_size).unwrap();
    // SAFETY: everything lives until the wait.
    engine.run(|cmd| unsafe { accel::deserialize(&engine.device, cmd, &header, at, &mut back).unwrap() });
    assert!(seen(&engine, &back));
}

#[test]
fn m21_check_driver_matching_identifier() {
    let Some((_one, engine)) = open() else { return };
    let (built, _vertices) = built(&engine);
    let (bytes, ..) = serialize(&engine, &built);
    SerializedHeader::read(&engine.device, &bytes).unwrap();
    let mut other = bytes;
    other[0] ^= 0x55;
    let e = SerializedHeader::read(&engine.device, &other).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Binding);
    assert!(e.message.contains("another device or driver"), "{e}");
}

/// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE` as numbers: Vulkan has no copy for tools.
#[test]
fn m22_visualization_decode_for_tools() {
    assert_eq!(CopyMode::of_d3d12(0).unwrap(), CopyMode::Clone);
    assert_eq!(CopyMode::of_d3d12(1).unwrap(), CopyMode::Compact);
    for (mode, kind, what) in [
        (2, ErrorKind::Limit, "VISUALIZATION_DECODE_FOR_TOOLS: Vulkan has no such copy"),
        (3, ErrorKind::Binding, "SERIALIZE: `serialize` records it"),
        (4, ErrorKind::Binding, "DESERIALIZE: `deserialize` records it"),
        (9, ErrorKind::Binding, "9 is no copy mode"),
    ] {
        let e = CopyMode::of_d3d12(mode).unwrap_err();
        assert_eq!(e.kind, kind);
        assert!(e.message.contains(what), "{e}");
    }
}
