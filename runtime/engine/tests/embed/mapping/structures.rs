//! M09–M17 and M23: builds and their inputs, sizes, and where shaders get a structure from.

use super::{Built, SQUARE, at, draw, draw_color, floats, groups, placed, plain_triangles, source};
use crate::engine::{Engine, library};
use crate::open;
use crate::scene::{FLAGS, SKY, Structures, compare, usual};
use rtc_engine::ErrorKind;
use rtc_engine::library::RawArgument;
use rtc_engine::tables::Record;
use rtc_engine::vulkan::accel::{self, Build, Geometry, Indices, Inputs, Scratch, Source, build_flag};
use rtc_engine::vulkan::{Accel, Buffer};
use vulkanalia::vk::{self, KhrAccelerationStructureExtensionDeviceCommands};

fn square(engine: &Engine) -> Buffer {
    engine.buffer(72, &floats(&SQUARE))
}

/// Several builds of both levels with one call.
#[test]
fn m09_build() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    let vertices = square(&engine);
    let inputs = Inputs::Bottom { geometries: vec![plain_triangles(vertices.address(), 6, 0)], flags: 0 };
    let make = |inputs: &Inputs, top| Accel::new(device, &engine.memory, top, inputs.sizes(device).unwrap().result).unwrap();
    let (mut a, mut b) = (make(&inputs, false), make(&inputs, false));
    let instances = engine.buffer(64, &placed(7, 0, b.address()));
    let over = Inputs::Top { instances: instances.address(), count: 1, pointers: false, flags: 0 };
    let mut top = make(&over, true);
    let room = engine.buffer(accel::scratch_for(device, &[(&inputs, false), (&inputs, false), (&over, false)]).unwrap(), &[]);
    engine.run(|cmd| {
        let mut builds = [
            Build { inputs: over.clone(), target: &mut top, source: Source::New },
            Build { inputs: inputs.clone(), target: &mut a, source: Source::New },
            Build { inputs: inputs.clone(), target: &mut b, source: Source::New },
        ];
        // SAFETY: everything lives until the wait.
        unsafe { accel::build(device, cmd, &mut builds, Scratch { address: room.address(), size: room.size() }).unwrap() };
    });
    assert_eq!(at(&draw_color(&engine, "0", "InstanceID()", &top), 0.5, 0.5), 7);
}

/// Without the feature, a sentence names it. `newer::indirect_builds` draws where a device has it.
#[test]
fn m10_indirect_build() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    let vertices = square(&engine);
    let inputs = Inputs::Bottom { geometries: vec![plain_triangles(vertices.address(), 6, 0)], flags: 0 };
    let mut bottom = Accel::new(device, &engine.memory, false, inputs.sizes(device).unwrap().result).unwrap();
    let room = engine.buffer(accel::scratch_for(device, &[(&inputs, false)]).unwrap(), &[]);
    let ranges = [accel::IndirectRanges { address: vertices.address(), stride: 16 }];
    engine.run(|cmd| {
        let mut builds = [Build { inputs, target: &mut bottom, source: Source::New }];
        // SAFETY: nothing is recorded after an error.
        let e = unsafe {
            accel::build_indirect(device, cmd, &mut builds, &ranges, Scratch { address: room.address(), size: room.size() }).unwrap_err()
        };
        assert_eq!(e.kind, ErrorKind::Limit, "{e}");
        let names = ["accelerationStructureIndirectBuild", "VK_KHR_acceleration_structure", device.name()];
        assert!(names.iter().all(|name| e.message.contains(name)), "{e}");
    });
}

/// Triangles, boxes and instances; builds, and updates in place and of another structure.
#[test]
fn m11_build_inputs() {
    let Some((_one, engine)) = open() else { return };
    let vertices = square(&engine);
    let triangles = vec![plain_triangles(vertices.address(), 6, 0)];
    let mut built = Built::new(&engine, triangles, build_flag::ALLOW_UPDATE, |address| placed(0, 0, address));
    assert_eq!(at(&draw_color(&engine, "0", "9", &built.top), 0.5, 0.5), 9);
    // The square leaves the right half.
    let moved: Vec<f32> = SQUARE.iter().enumerate().map(|(i, v)| if i % 3 == 0 { v - 1.0 } else { *v }).collect();
    // SAFETY: the device is idle.
    unsafe { vertices.write(0, &floats(&moved)).unwrap() };
    built.build(&engine, true);
    let picture = draw_color(&engine, "0", "9", &built.top);
    assert_eq!((at(&picture, -0.5, 0.5), at(&picture, 0.5, 0.5)), (9, SKY));
    // SAFETY: as above.
    unsafe { vertices.write(0, &floats(&SQUARE)).unwrap() };
    let [below, above] = built.inputs.clone();
    let mut other = Accel::new(&engine.device, &engine.memory, false, built.bottom.size()).unwrap();
    engine.run(|cmd| {
        let scratch = Scratch { address: built.scratch.address(), size: built.scratch.size() };
        let mut builds = [Build { inputs: below.clone(), target: &mut other, source: Source::Of(&built.bottom) }];
        // SAFETY: everything lives until the wait.
        unsafe { accel::build(&engine.device, cmd, &mut builds, scratch).unwrap() };
    });
    let instance = engine.buffer(64, &placed(0, 0, other.address()));
    let Inputs::Top { count, pointers, flags, .. } = above else { unreachable!() };
    built.inputs[1] = Inputs::Top { instances: instance.address(), count, pointers, flags };
    // The updated structure has the place of the first.
    engine.run(|cmd| {
        let scratch = Scratch { address: built.scratch.address(), size: built.scratch.size() };
        let mut builds = [Build { inputs: built.inputs[1].clone(), target: &mut built.top, source: Source::New }];
        // SAFETY: everything lives until the wait.
        unsafe { accel::build(&engine.device, cmd, &mut builds, scratch).unwrap() };
    });
    assert_eq!(at(&draw_color(&engine, "0", "9", &built.top), 0.5, 0.5), 9);
}

/// `D3D12_ELEMENTS_LAYOUT_ARRAY_OF_POINTERS` of instances.
#[test]
fn m12_elements_layout() {
    let Some((_one, engine)) = open() else { return };
    let mut structures = Structures::new(&engine, FLAGS);
    // Two instances far apart, and pointers to them.
    // SAFETY: the device is idle.
    let both = unsafe { structures.instances.read(0, 128).unwrap() };
    let mut apart = both[..64].to_vec();
    apart.resize(256, 0);
    apart.extend(&both[64..]);
    let apart = engine.buffer(320, &apart);
    let pointers: Vec<u8> = [apart.address(), apart.address() + 256].into_iter().flat_map(u64::to_le_bytes).collect();
    let pointers = engine.buffer(16, &pointers);
    structures.inputs[1] = Inputs::Top { instances: pointers.address(), count: 2, pointers: true, flags: FLAGS };
    engine.run(|cmd| structures.build(&engine, cmd, false));
    let library = crate::engine::base();
    compare(&draw(&engine, &library, &crate::scene::tables(), &structures.top), usual);
}

/// Vertex formats, strides, indices of 16 and 32 bits, transforms.
#[test]
fn m13_triangles() {
    let Some((_one, engine)) = open() else { return };
    use vk::Format as F;
    // The corners of a square over the right half, and an unused vertex.
    let corners = [[0.0f32, -1.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0], [9.0, 9.0]];
    let half = |v: f32| -> [u8; 2] {
        (if v == 0.0 {
            0u16
        } else if v == 1.0 {
            0x3c00
        } else if v == -1.0 {
            0xbc00
        } else {
            0x4880
        })
        .to_le_bytes()
    };
    let snorm16 = |v: f32| ((v.clamp(-1.0, 1.0) * 32767.0) as i16).to_le_bytes();
    let floats3: Vec<Vec<u8>> = corners.iter().map(|c| floats(&[c[0], c[1], 0.0])).collect();
    let floats2: Vec<Vec<u8>> = corners.iter().map(|c| floats(c)).collect();
    let floats16: Vec<Vec<u8>> = corners.iter().map(|c| [half(c[0]), half(c[1]), [0; 2], [0; 2]].concat()).collect();
    let norms: Vec<Vec<u8>> = corners.iter().map(|c| [snorm16(c[0]), snorm16(c[1]), [0; 2], [0; 2]].concat()).collect();
    let wide: Vec<u8> = [0u32, 1, 2, 0, 2, 3].into_iter().flat_map(u32::to_le_bytes).collect();
    let narrow: Vec<u8> = [0u16, 1, 2, 0, 2, 3].into_iter().flat_map(u16::to_le_bytes).collect();
    let (wide, narrow) = (engine.buffer(24, &wide), engine.buffer(12, &narrow));
    // Mirrored: x is -x.
    let transform = engine.buffer(48, &floats(&[-1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
    let rows =
        [(F::R32G32B32_SFLOAT, floats3), (F::R32G32_SFLOAT, floats2), (F::R16G16B16A16_SFLOAT, floats16), (F::R16G16B16A16_SNORM, norms)];
    for (format, vertices) in rows {
        // Each vertex is followed by 4 bytes of something else.
        let stride = vertices[0].len() as u64 + 4;
        let data: Vec<u8> = vertices.iter().flat_map(|v| v.iter().copied().chain([0xff; 4])).collect();
        let buffer = engine.buffer(data.len() as u64, &data);
        for (indices, turn) in [(&wide, false), (&narrow, false), (&narrow, true)] {
            let indices = Indices { address: indices.address(), wide: std::ptr::eq(indices, &wide), count: 6 };
            let geometry = Geometry::Triangles {
                vertices: buffer.address(),
                stride,
                format: format.as_raw(),
                vertex_count: 5,
                indices: Some(indices),
                transform: turn.then(|| transform.address()),
                flags: 0,
            };
            let built = Built::new(&engine, vec![geometry], 0, |address| placed(0, 0, address));
            let picture = draw_color(&engine, "0", "5", &built.top);
            let (left, right) = if turn { (5, SKY) } else { (SKY, 5) };
            assert_eq!((at(&picture, -0.5, 0.5), at(&picture, 0.5, 0.5)), (left, right), "{format:?} {indices:?} {turn}");
        }
    }
}

/// Boxes with a stride.
#[test]
fn m14_aabbs() {
    let Some((_one, engine)) = open() else { return };
    let rest = r#"
RaytracingPipelineConfig Pipeline = {1};
struct Found { uint of; };
ProceduralPrimitiveHitGroup Box = {"", "Inside", "Cross"};
[shader("intersection")] void Cross() { Found found = {PrimitiveIndex() + 40}; ReportHit(0.5, 0, found); }
[shader("closesthit")] void Inside(inout Payload p, Found found) { p.color = found.of; }"#;
    let library = library("boxes.hlsl", &source("0", rest));
    let mut data = floats(&[-1.0, -1.0, -0.2, -0.01, 1.0, 0.2]);
    data.extend([0xff; 8]);
    data.extend(floats(&[0.01, -1.0, -0.2, 1.0, 1.0, 0.2]));
    let buffer = engine.buffer(data.len() as u64, &data);
    let geometry = Geometry::Boxes { address: buffer.address(), stride: 32, count: 2, flags: 0 };
    let built = Built::new(&engine, vec![geometry], 0, |address| placed(0, 0, address));
    let picture = draw(&engine, &library, &groups(&["Box"]), &built.top);
    assert_eq!((at(&picture, -0.5, 0.5), at(&picture, 0.5, 0.5)), (40, 41));
}

/// Offsets are part of addresses: geometries in one buffer, with counts of their own.
#[test]
fn m15_counts_and_offsets() {
    let Some((_one, engine)) = open() else { return };
    let shift = |by: f32| SQUARE.iter().enumerate().map(|(i, v)| if i % 3 == 0 { v / 2.0 + by } else { *v }).collect::<Vec<f32>>();
    let data = [floats(&shift(-0.5)), floats(&shift(0.5))].concat();
    let buffer = engine.buffer(144, &data);
    // The second geometry has the first of two triangles alone: above the diagonal.
    let geometries = vec![plain_triangles(buffer.address(), 6, 0), plain_triangles(buffer.address() + 72, 3, 0)];
    let built = Built::new(&engine, geometries, 0, |address| placed(0, 0, address));
    let library = crate::engine::library_for("lib_6_5", &source("0", &super::triangles("50 + 10 * GeometryIndex() + PrimitiveIndex()")));
    let picture = draw(&engine, &library, &groups(&["Tri"]), &built.top);
    let found = [at(&picture, -0.9, 0.5), at(&picture, -0.1, -0.5), at(&picture, 0.1, 0.5), at(&picture, 0.9, -0.5)];
    assert_eq!(found, [50, 51, 60, SKY]);
}

/// Instance identifiers, and flags: culling off, winding, opacity.
#[test]
fn m16_instances() {
    let Some((_one, engine)) = open() else { return };
    const CULL_DISABLE: u32 = 1;
    const COUNTERCLOCKWISE: u32 = 2;
    const OPAQUE: u32 = 4;
    const NOT_OPAQUE: u32 = 8;
    let vertices = square(&engine);
    let cut = r#"
RaytracingPipelineConfig Pipeline = {1};
TriangleHitGroup Tri = {"Cut", "Hit"};
[shader("anyhit")] void Cut(inout Payload p, Attributes a) { IgnoreHit(); }
[shader("closesthit")] void Hit(inout Payload p, Attributes a) { p.color = InstanceID(); }"#;
    // The square's front is seen or not as the winding says: which it is, the first picture tells.
    let draws = |flags: u32, ray_flags: &str| {
        let built = Built::new(&engine, vec![plain_triangles(vertices.address(), 6, 0)], 0, |address| placed(0xabcdef, flags, address));
        let library = library("cut.hlsl", &source(ray_flags, cut));
        at(&draw(&engine, &library, &groups(&["Tri"]), &built.top), 0.5, 0.5)
    };
    assert_eq!(draws(0, "0"), SKY, "the any-hit shader ignores it");
    assert_eq!(draws(OPAQUE, "0"), 0xabcdef);
    assert_eq!(draws(OPAQUE, "RAY_FLAG_FORCE_NON_OPAQUE"), SKY);
    assert_eq!(draws(NOT_OPAQUE, "RAY_FLAG_FORCE_OPAQUE"), 0xabcdef);
    let front = draws(OPAQUE, "RAY_FLAG_CULL_BACK_FACING_TRIANGLES");
    let turned = draws(OPAQUE | COUNTERCLOCKWISE, "RAY_FLAG_CULL_BACK_FACING_TRIANGLES");
    assert_eq!([front.min(turned), front.max(turned)], [SKY, 0xabcdef], "one of them is culled");
    for flags in [0, COUNTERCLOCKWISE] {
        assert_eq!(draws(OPAQUE | CULL_DISABLE | flags, "RAY_FLAG_CULL_BACK_FACING_TRIANGLES"), 0xabcdef);
    }
}

#[test]
fn m17_prebuild_info() {
    let Some((_one, engine)) = open() else { return };
    let vertices = square(&engine);
    let of = |count, flags| Inputs::Bottom { geometries: vec![plain_triangles(vertices.address(), count, 0)], flags };
    let sizes = of(6, build_flag::ALLOW_UPDATE).sizes(&engine.device).unwrap();
    let geometry = [vk::AccelerationStructureGeometryKHR {
        geometry_type: vk::GeometryTypeKHR::TRIANGLES,
        geometry: vk::AccelerationStructureGeometryDataKHR {
            triangles: vk::AccelerationStructureGeometryTrianglesDataKHR {
                vertex_format: vk::Format::R32G32B32_SFLOAT,
                vertex_stride: 12,
                max_vertex: 5,
                index_type: vk::IndexType::NONE_KHR,
                ..Default::default()
            },
        },
        ..Default::default()
    }];
    let info = vk::AccelerationStructureBuildGeometryInfoKHR {
        type_: vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL,
        flags: vk::BuildAccelerationStructureFlagsKHR::ALLOW_UPDATE,
        geometry_count: 1,
        geometries: geometry.as_ptr(),
        ..Default::default()
    };
    let mut raw = vk::AccelerationStructureBuildSizesInfoKHR::default();
    let kind = vk::AccelerationStructureBuildTypeKHR::DEVICE;
    // SAFETY: the structures live during the call.
    unsafe { engine.raw.get_acceleration_structure_build_sizes_khr(kind, &info, &[2], &mut raw) };
    assert_eq!(
        (sizes.result, sizes.scratch, sizes.update_scratch),
        (raw.acceleration_structure_size, raw.build_scratch_size, raw.update_scratch_size)
    );
    assert_eq!(of(6, 0).sizes(&engine.device).unwrap().update_scratch, 0, "without updates");
    assert!(of(3, 0).sizes(&engine.device).unwrap().result <= of(6, 0).sizes(&engine.device).unwrap().result);
}

/// A structure by its address in a shader record: a root descriptor.
#[test]
fn m23_structure_as_root_descriptor() {
    let Some((_one, engine)) = open() else { return };
    let vertices = square(&engine);
    let built = Built::new(&engine, vec![plain_triangles(vertices.address(), 6, 0)], 0, |address| placed(77, 0, address));
    let nothing = Built::new(&engine, vec![], 0, |address| placed(0, 0, address));
    let rest = r#"
RaytracingAccelerationStructure Own : register(t0, space1);
LocalRootSignature Local = {"RootFlags(LOCAL_ROOT_SIGNATURE), SRV(t0, space = 1)"};
SubobjectToExportsAssociation OfGen = {"Local", "Mine"};
[shader("raygeneration")] void Mine()
{
    Payload p = {0};
    TraceRay(Own, 0, 0xff, 0, 0, 0, ray(), p);
    put(p.color);
}"#;
    let library = library("root.hlsl", &source("0", &format!("{}{rest}", super::triangles("InstanceID()"))));
    for (accel, color) in [(&built.top, 77), (&nothing.top, SKY)] {
        let mut tables = groups(&["Tri"]);
        tables.raygen = Record::of("Mine").with("Own", RawArgument::Address(accel.address()));
        assert_eq!(at(&draw(&engine, &library, &tables, &nothing.top), 0.5, 0.5), color);
    }
    // Of a descriptor: all other tests.
    assert_eq!(at(&draw(&engine, &library, &groups(&["Tri"]), &built.top), 0.5, 0.5), 77);
}
