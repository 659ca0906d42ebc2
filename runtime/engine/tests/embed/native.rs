//! Micromaps, clusters and partitioned structures on a device that has them; elsewhere these tests are skipped.

use crate::engine::{Engine, package};
use crate::newer::with;
use crate::scene::{LEFT, SIDE, SKY, compare, instance, usual};
use crate::structures::picture_with;
use rtc_engine::library::Library;
use rtc_engine::operations::{
    BatchData, BuildBottoms, BuildClusters, ClusterLimits, IndexFormat, Inputs as Operations, Operation, PartitionedData, PartitionedDesc,
    Strided,
};
use rtc_engine::state_object::{Overrides, PIPELINE_ALLOW_CLUSTERS, PIPELINE_ALLOW_MICROMAPS, PipelineConfig};
use rtc_engine::vulkan::accel::d3d12::Addresses;
use rtc_engine::vulkan::accel::micromaps::{MicromapBuild, MicromapInputs, Micromaps, TWO_STATES, build_micromaps, special_index};
use rtc_engine::vulkan::accel::operations::{cluster_arguments, execute_operations, operation_sizes, write_instance_arguments};
use rtc_engine::vulkan::accel::{
    self, Build, Geometry, Inputs, MicromapIndices, MicromapLinkage, MicromapUsage, Scratch, Source, Triangles,
};
use rtc_engine::vulkan::memory::HostAccess;
use rtc_engine::vulkan::{Accel, Buffer, StructureUses};
use std::sync::Arc;
use vulkanalia::vk;

/// The usual library in a pipeline with flags.
fn library(flags: u32) -> Arc<Library> {
    let overrides = Overrides { pipeline: Some(PipelineConfig { max_recursion: 1, flags }), ..Overrides::default() };
    let package = package("base.hlsl", include_str!("base.hlsl"));
    Arc::new(Library::read(&package, &overrides).expect("a library"))
}

/// A buffer of data, which builds read.
fn input(engine: &Engine, data: &[u8]) -> Buffer {
    use vk::BufferUsageFlags as U;
    let mut usage = U::STORAGE_BUFFER | U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR;
    if engine.device.enabled().has("micromap") {
        usage |= U::MICROMAP_BUILD_INPUT_READ_ONLY_EXT;
    }
    let buffer = Buffer::new(&engine.device, &engine.memory, data.len() as u64 + 256, usage.bits(), HostAccess::Write).expect("memory");
    let at = buffer.address().next_multiple_of(256) - buffer.address();
    // SAFETY: it has no user yet.
    unsafe { buffer.write(at, data).expect("room") };
    buffer
}

fn aligned(buffer: &Buffer) -> u64 {
    buffer.address().next_multiple_of(256)
}

/// Memory for structures that are named by address alone.
fn storage(engine: &Engine, size: u64) -> Buffer {
    let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_STORAGE_KHR | vk::BufferUsageFlags::STORAGE_BUFFER;
    Buffer::new(&engine.device, &engine.memory, size + 256, usage.bits(), HostAccess::None).expect("memory")
}

fn floats(list: &[[f32; 3]]) -> Vec<u8> {
    list.as_flattened().iter().flat_map(|f| f.to_le_bytes()).collect()
}

const SQUARE: [[f32; 3]; 4] = [[-0.5, -0.5, 0.0], [-0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.5, -0.5, 0.0]];

/// A top-level structure of the two usual instances of something.
fn above(engine: &Engine, bottom: u64) -> (Accel, Buffer) {
    let device = &engine.device;
    let mut data = instance([1.0, 2.0], [-0.5, 0.0], 0, bottom);
    data.extend(instance([1.0, 1.0], [0.5, -0.5], 1, bottom));
    let instances = engine.buffer(128, &data);
    let inputs = Inputs::Top { instances: instances.address(), count: 2, pointers: false, flags: 0 };
    let mut top = Accel::new(device, &engine.memory, true, inputs.sizes(device).unwrap().result).unwrap();
    let size = accel::scratch_for(device, &[(&inputs, false)]).unwrap();
    let room = engine.buffer(size, &[]);
    engine.run(|cmd| {
        let mut builds = [Build { inputs, target: &mut top, source: Source::New }];
        // SAFETY: everything lives until the wait.
        unsafe { accel::build(device, cmd, &mut builds, Scratch { address: room.address(), size }).unwrap() };
    });
    (top, instances)
}

/// The upper left triangle of each square is transparent, the other one opaque.
#[test]
fn micromaps_in_a_picture() {
    let Some((_one, engine)) = with(StructureUses { micromaps: true, ..Default::default() }) else { return };
    let device = &engine.device;
    let mut usage = MicromapUsage::default();
    usage.add(0, TWO_STATES, 1).unwrap();
    let states = input(&engine, &[1]);
    let entries = input(&engine, &[0, 0, 0, 0, 0, 0, 1, 0]);
    let inputs = MicromapInputs { usage, data: aligned(&states), entries: aligned(&entries), stride: 8, flags: 0 };
    let sizes = inputs.sizes(device).unwrap();
    let mut array = Micromaps::new(device, &engine.memory, sizes.result).unwrap();

    let corners = [SQUARE[0], SQUARE[1], SQUARE[2], SQUARE[0], SQUARE[2], SQUARE[3]];
    let vertices = input(&engine, &floats(&corners));
    let indices = input(&engine, &[special_index::FULLY_TRANSPARENT, 0].map(i32::to_le_bytes).concat());
    let triangles =
        Triangles { vertices: aligned(&vertices), stride: 12, format: 106, vertex_count: 6, indices: None, transform: None, flags: 0 };
    let indices = Some(MicromapIndices { address: aligned(&indices), stride: 4, size: 4 });
    let micromaps = MicromapLinkage { micromaps: array.handle(), indices, base: 0, usage };
    let below = Inputs::Bottom { geometries: vec![Geometry::MicromapTriangles { triangles, micromaps }], flags: 0 };
    let mut bottom = Accel::new(device, &engine.memory, false, below.sizes(device).unwrap().result).unwrap();
    let size = accel::scratch_for(device, &[(&below, false)]).unwrap().max(sizes.scratch + 256);
    let room = engine.buffer(size, &[]);
    let scratch = Scratch { address: room.address(), size };
    engine.run(|cmd| {
        // SAFETY: everything lives until the wait.
        unsafe {
            build_micromaps(device, cmd, &mut [MicromapBuild { inputs, target: &mut array }], scratch).unwrap();
            accel::build(device, cmd, &mut [Build { inputs: below, target: &mut bottom, source: Source::New }], scratch).unwrap();
        }
    });
    let (top, _instances) = above(&engine, bottom.address());
    let picture = picture_with(&engine, &library(PIPELINE_ALLOW_MICROMAPS), &top);
    for y in 0..SIDE {
        for x in 0..SIDE / 2 {
            // The left square is as high as the picture.
            let (across, up) = ((x as f32 + 0.5) / 8.0, (y as f32 + 0.5) / 16.0);
            if (across - up).abs() > 0.01 {
                let expected = if up > across { SKY } else { LEFT };
                assert_eq!(picture[(y * SIDE + x) as usize], expected, "pixel {x}, {y}");
            }
        }
    }
}

struct Same;
impl Addresses for Same {
    fn memory(&mut self, address: u64) -> Option<u64> {
        Some(address)
    }
}

/// D3D12's arguments of a cluster of two triangles, from the first to the last field that is not zero.
fn square_arguments(vertices: u64, indices: u64) -> Vec<u8> {
    let mut out = vec![0; 80];
    out[8..12].copy_from_slice(&(2u32 | 4 << 9).to_le_bytes());
    out[32..40].copy_from_slice(&vertices.to_le_bytes());
    out[40..48].copy_from_slice(&indices.to_le_bytes());
    out
}

/// A square from one cluster, in the usual picture.
#[test]
fn clusters_in_a_picture() {
    let Some((_one, engine)) = with(StructureUses { clusters: true, ..Default::default() }) else { return };
    let device = &engine.device;
    let limits = ClusterLimits {
        max_args: 1,
        max_triangles: 2,
        max_vertices: 4,
        max_total_triangles: 2,
        max_total_vertices: 4,
        ..ClusterLimits::default()
    };
    let build = BuildClusters { limits, indices: IndexFormat::Uint8, ..BuildClusters::default() };
    let vertices = input(&engine, &floats(&SQUARE));
    let indices = input(&engine, &[0, 1, 2, 0, 2, 3]);
    let arguments = cluster_arguments(&square_arguments(aligned(&vertices), aligned(&indices)), &build, &mut Same).unwrap();
    let one = engine.buffer(64, &1u32.to_le_bytes());

    // Runs an operation with one argument, and returns the address of its result.
    let run = |inputs: Operations, arguments: &[u8]| -> (u64, Buffer) {
        let sizes = operation_sizes(device, &inputs).unwrap();
        let (results, room) = (storage(&engine, sizes.result), storage(&engine, sizes.scratch));
        let (arguments, addresses) = (input(&engine, arguments), engine.buffer(64, &[]));
        let data = BatchData {
            result: aligned(&results),
            scratch: aligned(&room),
            addresses: Strided::packed(addresses.address()),
            arguments: Strided::packed(aligned(&arguments)),
            count: one.address(),
            ..BatchData::default()
        };
        engine.run(|cmd| {
            // SAFETY: everything lives until the wait.
            unsafe { execute_operations(device, cmd, &[Operation::Batch(inputs, data)]).unwrap() };
            engine.barrier(cmd);
        });
        // SAFETY: the device is done with it.
        let bytes = unsafe { addresses.read(0, 8).unwrap() };
        (u64::from_le_bytes(bytes.try_into().expect("8 bytes")), results)
    };
    let (cluster, _cluster_memory) = run(Operations::Clusters(build), &arguments);
    assert_ne!(cluster, 0);
    let list = input(&engine, &cluster.to_le_bytes());
    let mut arguments = [1u32, 8].map(u32::to_le_bytes).concat();
    arguments.extend(aligned(&list).to_le_bytes());
    let bottoms = BuildBottoms { max_args: 1, max_total_clusters: 1, max_clusters_per_arg: 1, ..BuildBottoms::default() };
    let (bottom, _bottom_memory) = run(Operations::Bottoms(bottoms), &arguments);
    let (top, _instances) = above(&engine, bottom);
    compare(&picture_with(&engine, &library(PIPELINE_ALLOW_CLUSTERS), &top), usual);
}

/// A partitioned structure of one instance is built and changed; what it is for is bound by the engine.
#[test]
fn partitions_are_built() {
    let Some((_one, engine)) = with(StructureUses { partitions: true, ..Default::default() }) else { return };
    let device = &engine.device;
    let desc = PartitionedDesc { instances: 4, max_in_partition: 4, partitions: 1, max_in_global: 4, ..PartitionedDesc::default() };
    let sizes = operation_sizes(device, &Operations::Partitioned(desc)).unwrap();
    let (structure, room) = (storage(&engine, sizes.result), storage(&engine, sizes.scratch));
    // An instance without a structure is inactive.
    let mut write = vec![0; 104];
    write[..48].copy_from_slice(&crate::scene::bytes([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]));
    write[52] = 0xff;
    let write = input(&engine, &write_instance_arguments(&write, &mut Same).unwrap());
    let mut operation = [0u32, 1].map(u32::to_le_bytes).concat();
    operation.extend([aligned(&write), 104].map(u64::to_le_bytes).concat());
    let operations = input(&engine, &operation);
    let one = engine.buffer(64, &1u32.to_le_bytes());
    for source in [0, aligned(&structure)] {
        let data = PartitionedData {
            source,
            dest: aligned(&structure),
            scratch: aligned(&room),
            count: one.address(),
            operations: aligned(&operations),
        };
        engine.run(|cmd| {
            // SAFETY: everything lives until the wait.
            unsafe { execute_operations(device, cmd, &[Operation::Partitioned(desc, data)]).unwrap() };
            engine.barrier(cmd);
        });
    }
}
