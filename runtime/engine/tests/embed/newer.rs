//! Indirect builds, builds on the host, micromaps, clusters and partitioned structures: how Vulkan is called for them, on a mock driver, and the one
//! sentence with which a device without them refuses.

use crate::engine::{ALL_USES, Engine, base};
use crate::mock::{self, MAX_LEVELS, RESULT, SCRATCH, SERIALIZED, calls};
use crate::scene::{FLAGS, Structures, compare, usual};
use crate::{ONE, open};
use rtc_engine::ErrorKind;
use rtc_engine::operations::{
    BatchData, BuildBottoms, BuildClusters, BuildTemplates, ClusterLimits, IndexFormat, Inputs as Operations, MOVE_NO_OVERLAP, MoveKind,
    MoveObjects, Operation, OperationMode, PartitionedData, PartitionedDesc, Strided, VertexFormat,
};
use rtc_engine::vulkan::accel::micromaps::{
    self, FOUR_STATES, MicromapBuild, MicromapHeader, MicromapIndices, MicromapInputs, MicromapLinkage, MicromapUsage, Micromaps,
    TWO_STATES, build_micromaps, copy_micromaps, deserialize_micromaps, serialize_micromaps,
};
use rtc_engine::vulkan::accel::operations::{cluster_alignments, execute_operations, operation_sizes};
use rtc_engine::vulkan::accel::{
    self, Build, CopyMode, Geometry, IndirectRanges, Inputs, PostbuildInfo, Scratch, SizeQueries, Source, Triangles, build_flag,
};
use rtc_engine::vulkan::{Accel, Device, OwnMemory, Requirements, StructureUses};
use std::sync::MutexGuard;

/// A device with what no device here has.
fn mock() -> Option<(MutexGuard<'static, ()>, Engine, Device)> {
    let guard = ONE.lock().unwrap_or_else(|e| e.into_inner());
    match Engine::open_unwatched() {
        Ok(engine) => {
            let device = mock::device(&engine);
            Some((guard, engine, device))
        }
        Err(why) => {
            rtc_oracles::skip::skip(why);
            None
        }
    }
}

/// A device with uses that the engine does not need otherwise.
pub fn with(uses: StructureUses) -> Option<(MutexGuard<'static, ()>, Engine)> {
    let guard = ONE.lock().unwrap_or_else(|e| e.into_inner());
    match Engine::with(&Requirements::of(&[&base()], ALL_USES).and_structures(uses), true, None) {
        Ok(engine) => Some((guard, engine)),
        Err(why) => {
            rtc_oracles::skip::skip(why);
            None
        }
    }
}

const ADDRESS: u64 = 0x10000;

fn triangles() -> Triangles {
    Triangles { vertices: ADDRESS, stride: 12, format: 106, vertex_count: 6, indices: None, transform: None, flags: 0 }
}

fn usage() -> MicromapUsage {
    let mut usage = MicromapUsage::default();
    usage.add(3, TWO_STATES, 10).unwrap();
    usage.add(4, FOUR_STATES, 1).unwrap();
    usage
}

/// Two squares whose builds read how many triangles and instances there are.
#[test]
fn indirect_builds() {
    let Some((_one, engine)) = with(StructureUses { indirect_builds: true, ..Default::default() }) else { return };
    let device = &engine.device;
    let mut structures = Structures::new(&engine, FLAGS);
    let ranges = engine.buffer(64, &[]);
    // Two triangles and two instances; the rest of each range is zero.
    // SAFETY: it has no user yet.
    unsafe {
        ranges.write(0, &2u32.to_le_bytes()).unwrap();
        ranges.write(32, &2u32.to_le_bytes()).unwrap();
    }
    let of = |offset| IndirectRanges { address: ranges.address() + offset, stride: 16 };
    engine.run(|cmd| {
        let scratch = structures.scratch();
        let [bottom, top] = structures.inputs.clone();
        let mut builds = [
            Build { inputs: top, target: &mut structures.top, source: Source::New },
            Build { inputs: bottom, target: &mut structures.bottom, source: Source::New },
        ];
        // SAFETY: everything lives until the wait.
        unsafe { accel::build_indirect(device, cmd, &mut builds, &[of(32), of(0)], scratch).unwrap() };
    });
    compare(&crate::structures::picture_of(&engine, &structures.top), usual);
}

/// The same on a mock: addresses go to their builds, whatever the order of levels.
#[test]
fn indirect_builds_on_the_mock() {
    let Some((_one, engine, device)) = mock() else { return };
    let memory = OwnMemory::shared(&device);
    let below = Inputs::Bottom { geometries: vec![triangles().into()], flags: 0 };
    let above = Inputs::Top { instances: ADDRESS, count: 5, pointers: false, flags: 0 };
    let mut bottom = Accel::new(&device, &memory, false, below.sizes(&device).unwrap().result).unwrap();
    let mut top = Accel::new(&device, &memory, true, above.sizes(&device).unwrap().result).unwrap();
    let scratch = Scratch { address: ADDRESS, size: 1 << 20 };
    let mut record = |ranges: &[IndirectRanges]| {
        let mut out = Ok(());
        engine.record(|cmd| {
            let mut builds = [
                Build { inputs: above.clone(), target: &mut top, source: Source::New },
                Build { inputs: below.clone(), target: &mut bottom, source: Source::New },
            ];
            // SAFETY: nothing is submitted.
            out = unsafe { accel::build_indirect(&device, cmd, &mut builds, ranges, scratch) };
        });
        out
    };
    let of = |address, stride| IndirectRanges { address, stride };
    record(&[of(0x100, 16), of(0x200, 32)]).unwrap();
    assert_eq!(calls(), ["build indirect BUILD 0x0 ranges 0x200+32 of 2", "build indirect BUILD 0x0 ranges 0x100+16 of 5"].map(flags_of));
    for (ranges, what) in [
        (vec![of(0x100, 16)], "2 builds with 1 addresses of ranges"),
        (vec![of(0x100, 16), of(0, 16)], "build 1: ranges at 0x0"),
        (vec![of(0x102, 16), of(0x200, 16)], "build 0: ranges at 0x102"),
        (vec![of(0x100, 18), of(0x200, 16)], "build 0: a stride of 18 bytes between ranges"),
    ] {
        let e = record(&ranges).expect_err(what);
        assert!(e.message.contains(what), "{e}");
    }
    assert!(calls().is_empty());
    drop((top, bottom));
}

/// No flags, as they are written.
fn flags_of(text: &str) -> String {
    text.replace("0x0 ", &format!("{:?} ", vulkanalia::vk::BuildAccelerationStructureFlagsKHR::empty()))
}

#[test]
fn builds_on_the_host() {
    let Some((_one, _engine, device)) = mock() else { return };
    let memory = OwnMemory::shared(&device);
    let inputs = Inputs::Bottom { geometries: vec![triangles().into()], flags: build_flag::ALLOW_UPDATE | build_flag::ALLOW_COMPACTION };
    let sizes = inputs.host_sizes(&device).unwrap();
    let mut made = Accel::on_host(&device, &memory, false, sizes.result.max(1 << 16)).unwrap();
    let mut other = Accel::on_host(&device, &memory, false, made.size()).unwrap();
    let scratch = Scratch { address: ADDRESS, size: 1 << 20 };
    // SAFETY: the mock reads nothing.
    unsafe {
        assert!(accel::serialize_on_host(&device, &made).unwrap_err().message.contains("was not built"));
        let mut build = |source| {
            let mut builds = [Build { inputs: inputs.clone(), target: &mut made, source }];
            accel::build_on_host(&device, &mut builds, scratch).unwrap();
        };
        build(Source::New);
        build(Source::Target);
        let said = calls();
        assert!(said[0].starts_with("build on host BUILD") && said[0].ends_with("of 2 primitives"), "{said:?}");
        assert!(said[1].starts_with("build on host UPDATE"), "{said:?}");
        accel::copy_on_host(&device, &made, &mut other, CopyMode::Clone).unwrap();
        accel::copy_on_host(&device, &made, &mut other, CopyMode::Compact).unwrap();
        assert_eq!(calls(), ["copy on host CLONE", "copy on host COMPACT"]);
        assert_eq!(accel::host_info(&device, &made, PostbuildInfo::CompactedSize).unwrap(), SERIALIZED);
        assert_eq!(calls(), ["info on host ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR"]);
        let bytes = accel::serialize_on_host(&device, &made).unwrap();
        assert_eq!(bytes, [1; SERIALIZED as usize]);
        assert_eq!(calls(), ["info on host ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR", "serialise on host SERIALIZE"]);
        let e = accel::deserialize_on_host(&device, &bytes, &mut other).unwrap_err();
        assert!(e.message.contains("the header says"), "{e}");
        assert!(calls().is_empty());
    }
}

#[test]
fn arrays_of_micromaps() {
    let Some((_one, engine, device)) = mock() else { return };
    let memory = OwnMemory::shared(&device);
    assert_eq!(micromaps::max_levels(&device).unwrap(), MAX_LEVELS);
    let flags = build_flag::PREFER_FAST_TRACE | build_flag::ALLOW_COMPACTION;
    let inputs = MicromapInputs { usage: usage(), data: ADDRESS, entries: 2 * ADDRESS, stride: 8, flags };
    let sizes = inputs.sizes(&device).unwrap();
    assert_eq!((sizes.result, sizes.scratch, sizes.discardable), (RESULT, SCRATCH, true));
    let counts = "[10x level 3 format 1, 1x level 4 format 2]";
    assert_eq!(calls(), [format!("micromap sizes PREFER_FAST_TRACE | ALLOW_COMPACTION {counts}")]);
    let mut one = Micromaps::new(&device, &memory, sizes.result).unwrap();
    let mut two = Micromaps::new(&device, &memory, sizes.result).unwrap();
    assert_eq!((one.handle(), one.size(), one.usage()), (0x77, RESULT, None));
    calls();

    let mut too_fine = usage();
    too_fine.add(5, FOUR_STATES, 1).unwrap();
    let e = MicromapInputs { usage: too_fine, ..inputs }.sizes(&device).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Limit);
    assert!(e.message.starts_with("micromaps of level 5 with 4 states, ") && e.message.ends_with("takes levels up to 4"), "{e}");

    let mut queries = SizeQueries::of_micromaps(&device, PostbuildInfo::CompactedSize, 2).unwrap();
    let mut others = SizeQueries::of_micromaps(&device, PostbuildInfo::SerializationSize, 2).unwrap();
    assert!(SizeQueries::of_micromaps(&device, PostbuildInfo::CurrentSize, 1).unwrap_err().message.contains("VK_EXT_opacity_micromap"));
    calls();
    // SAFETY: nothing is submitted.
    engine.record(|cmd| unsafe {
        assert!(copy_micromaps(&device, cmd, &one, &mut two, CopyMode::Clone).unwrap_err().message.contains("was not built"));
        assert!(serialize_micromaps(&device, cmd, &one, 256).unwrap_err().message.contains("was not built"));
        assert!(queries.record_micromaps(cmd, &[&one]).unwrap_err().message.contains("was not built"));
        // Scratch memory for one at a time, and for both.
        for (size, batches) in [(SCRATCH, "1"), (2 * SCRATCH, "2")] {
            let mut builds = [MicromapBuild { inputs, target: &mut one }, MicromapBuild { inputs, target: &mut two }];
            build_micromaps(&device, cmd, &mut builds, Scratch { address: ADDRESS, size }).unwrap();
            let said = calls();
            let built: Vec<_> = said.iter().filter(|c| c.starts_with("build micromap")).collect();
            assert_eq!(built.len(), 2);
            let expected = format!("of {batches}: data 0x10000 entries 0x20000+8 scratch 0 {counts}");
            assert!(built.iter().all(|b| b.ends_with(&expected)), "{built:?}");
        }
        let mut builds = [MicromapBuild { inputs, target: &mut one }];
        let e = build_micromaps(&device, cmd, &mut builds, Scratch { address: ADDRESS, size: 100 }).unwrap_err();
        assert!(e.message.contains("array 0: the build needs 512 bytes of scratch memory, there are 100"), "{e}");
        assert_eq!(one.usage(), Some(usage()));
        calls();
        copy_micromaps(&device, cmd, &one, &mut two, CopyMode::Clone).unwrap();
        copy_micromaps(&device, cmd, &one, &mut two, CopyMode::Compact).unwrap();
        serialize_micromaps(&device, cmd, &one, 0x300).unwrap();
        queries.record_micromaps(cmd, &[&one, &two]).unwrap();
        others.record_micromaps(cmd, &[&one]).unwrap();
        queries.write_to(cmd, 0x55, 16).unwrap();
        let said = calls();
        let expected = [
            "copy micromap CLONE",
            "copy micromap COMPACT",
            "copy micromap SERIALIZE to 0x300",
            "query 2 micromaps MICROMAP_COMPACTED_SIZE_EXT",
            "query 1 micromaps MICROMAP_SERIALIZATION_SIZE_EXT",
        ];
        assert_eq!(said[..5], expected);
        assert!(said[5].starts_with("copy answers 0..2 to 16+8"), "{said:?}");
        assert!(queries.write_to(cmd, 0x55, 12).is_err() && queries.write_to(cmd, 0, 16).is_err());
        assert!(queries.record(cmd, &[]).unwrap_err().message.contains("two kinds"));
        assert!(queries.record_micromaps(cmd, &[&one; 3]).unwrap_err().message.contains("3 questions"));

        let mut bytes = vec![0u8; 64];
        (bytes[31], bytes[32], bytes[40]) = (9, 64, 100);
        let header = MicromapHeader::read(&device, &bytes).unwrap();
        deserialize_micromaps(&device, cmd, &header, 0x400, &mut two).unwrap();
        assert_eq!(calls(), ["copy micromap DESERIALIZE from 0x400"]);
        assert!(copy_micromaps(&device, cmd, &two, &mut one, CopyMode::Compact).unwrap_err().message.contains("not built to allow it"));
        let large = MicromapHeader { deserialized_size: RESULT + 1 };
        assert!(
            deserialize_micromaps(&device, cmd, &large, 0x400, &mut two).unwrap_err().message.contains("needs 1025 bytes and has 1024")
        );
        bytes[31] = 8;
        assert!(MicromapHeader::read(&device, &bytes).unwrap_err().message.contains("another device or driver"));
    });
    drop((one, two));
    assert_eq!(calls().iter().filter(|c| *c == "destroy micromap 0x77").count(), 2);
}

/// Geometries hand their micromaps to builds and updates.
#[test]
fn geometries_with_micromaps() {
    let Some((_one, engine, device)) = mock() else { return };
    let memory = OwnMemory::shared(&device);
    let linkage = MicromapLinkage {
        micromaps: 0x77,
        indices: Some(MicromapIndices { address: ADDRESS, stride: 4, size: 2 }),
        base: 3,
        usage: usage(),
    };
    let with = |micromaps, flags| Inputs::Bottom {
        geometries: vec![triangles().into(), Geometry::MicromapTriangles { triangles: triangles(), micromaps }],
        flags,
    };
    let flags = build_flag::ALLOW_UPDATE | build_flag::ALLOW_OMM_LINKAGE_UPDATE | build_flag::ALLOW_DISABLE_OMMS;
    let inputs = with(linkage, flags);
    let mut made = Accel::new(&device, &memory, false, 1 << 16).unwrap();
    let scratch = Scratch { address: ADDRESS, size: 1 << 20 };
    calls();
    // SAFETY: nothing is submitted.
    engine.record(|cmd| unsafe {
        accel::build(&device, cmd, &mut [Build { inputs, target: &mut made, source: Source::New }], scratch).unwrap();
        let said = calls();
        let expected = "micromap 0x77 UINT16 0x10000+4 base 3 [10x level 3 format 1, 1x level 4 format 2]";
        assert!(said[0].starts_with("build BUILD") && said[0].contains(expected), "{said:?}");
        let other = MicromapLinkage { micromaps: 0x78, indices: None, ..linkage };
        accel::build(&device, cmd, &mut [Build { inputs: with(other, flags), target: &mut made, source: Source::Target }], scratch)
            .unwrap();
        let said = calls();
        assert!(said[0].starts_with("build UPDATE") && said[0].contains("micromap 0x78 NONE_KHR 0x0+0"), "{said:?}");
        let bytes = MicromapLinkage { indices: Some(MicromapIndices { address: ADDRESS, stride: 1, size: 1 }), ..linkage };
        let e = with(bytes, 0).sizes(&device).unwrap_err();
        assert!(e.message.contains("geometry 1: VK_EXT_opacity_micromap has no indices of 8 bits"), "{e}");
    });
}

fn limits() -> ClusterLimits {
    ClusterLimits { max_args: 7, max_geometry_index: 9, max_triangles: 100, max_vertices: 50, ..Default::default() }
}

#[test]
fn clusters() {
    let Some((_one, engine, device)) = mock() else { return };
    assert_eq!(cluster_alignments(&device).unwrap().bottom, 256);
    let clusters =
        BuildClusters { limits: limits(), flags: 4, indices: IndexFormat::Uint8, vertices: VertexFormat::Float32x3, ..Default::default() };
    let bottoms = BuildBottoms { max_args: 2, max_total_clusters: 30, max_clusters_per_arg: 20, ..Default::default() };
    let moves = MoveObjects { flags: MOVE_NO_OVERLAP, max_args: 5, kind: MoveKind::Template, max_bytes: 4096, ..Default::default() };
    let sizes = operation_sizes(&device, &Operations::Clusters(clusters)).unwrap();
    assert_eq!((sizes.result, sizes.scratch), (RESULT, SCRATCH));
    let described = "R32G32B32_SFLOAT 100 triangles 50 vertices 1 geometries up to 9";
    assert_eq!(calls(), [format!("cluster sizes BUILD_TRIANGLE_CLUSTER IMPLICIT_DESTINATIONS PREFER_FAST_TRACE 7: {described}")]);

    let data = BatchData {
        result: 0x100,
        scratch: 0x200,
        addresses: Strided::packed(0x300),
        sizes: Strided { address: 0x400, stride: 16 },
        arguments: Strided::packed(0x500),
        count: 0x600,
        ..Default::default()
    };
    let run = |operations: &[Operation]| {
        let mut out = Ok(());
        // SAFETY: nothing is submitted.
        engine.record(|cmd| out = unsafe { execute_operations(&device, cmd, operations) });
        out
    };
    run(&[
        Operation::Batch(Operations::Clusters(clusters), data),
        Operation::Batch(Operations::Bottoms(BuildBottoms { mode: OperationMode::GetSizes, ..bottoms }), data),
        Operation::Batch(Operations::Move(moves), BatchData { resolution: 0x20, ..data }),
    ])
    .unwrap();
    let said = calls();
    assert!(said[0].starts_with("clusters BUILD_TRIANGLE_CLUSTER IMPLICIT_DESTINATIONS"), "{said:?}");
    let places = "result 0x100 scratch 0x200 addresses 0x300+8(56) sizes 0x400+16(112) arguments 0x500+64(448) count 0x600";
    assert!(said[0].contains(places), "{said:?}");
    assert!(said[1].starts_with("clusters BUILD_CLUSTERS_BOTTOM_LEVEL COMPUTE_SIZES"), "{said:?}");
    assert!(said[1].contains("2: 30 in all, 20 in one") && said[1].contains("arguments 0x500+16(32)"), "{said:?}");
    assert!(
        said[2].contains("5: TRIANGLE_CLUSTER_TEMPLATE no overlap 1 of 4096") && said[2].ends_with("INDIRECTED_SRC_INFOS_COUNT"),
        "{said:?}"
    );

    let templates = BuildTemplates { limits: limits(), indices: IndexFormat::Uint16, ..Default::default() };
    let no = "VK_NV_cluster_acceleration_structure has no counterpart of";
    for (inputs, kind, what) in [
        (Operations::Clusters(BuildClusters { indices: IndexFormat::None, ..clusters }), ErrorKind::Binding, "without indices".to_string()),
        (
            Operations::Clusters(BuildClusters { vertices: VertexFormat::Compressed1, ..clusters }),
            ErrorKind::Limit,
            format!("{no} compressed positions"),
        ),
        (
            Operations::Clusters(BuildClusters { geometry_indices: IndexFormat::Uint8, ..clusters }),
            ErrorKind::Limit,
            format!("{no} indices into the array of geometries"),
        ),
        (
            Operations::Templates(BuildTemplates { hints: VertexFormat::Float32x2, ..templates }),
            ErrorKind::Limit,
            format!("{no} templates whose positions are of another format"),
        ),
        (
            Operations::Clusters(BuildClusters { limits: ClusterLimits { max_triangles: 257, ..limits() }, ..clusters }),
            ErrorKind::Limit,
            "clusters of 257 triangles".to_string(),
        ),
        (Operations::Clusters(BuildClusters { flags: 12, ..clusters }), ErrorKind::Binding, "prefers both".to_string()),
        (Operations::Clusters(BuildClusters { min_truncate_bits: 33, ..clusters }), ErrorKind::Binding, "33 bits".to_string()),
        (Operations::Move(MoveObjects { flags: 1, ..moves }), ErrorKind::Binding, "unknown flags".to_string()),
    ] {
        let e = operation_sizes(&device, &inputs).expect_err(&what);
        assert_eq!(e.kind, kind, "{e}");
        assert!(e.message.contains(&what), "{e} instead of {what}");
    }
    // Nothing is recorded if one of several is wrong.
    let bad = Operation::Batch(Operations::Move(moves), BatchData { scratch: 1, ..data });
    let e = run(&[Operation::Batch(Operations::Bottoms(bottoms), data), bad]).unwrap_err();
    assert!(e.message.contains("operation 1: scratch memory at 0x1"), "{e}");
    assert!(calls().is_empty());
}

#[test]
fn partitioned_structures() {
    let Some((_one, engine, device)) = mock() else { return };
    let desc = PartitionedDesc {
        instances: 1000,
        max_in_partition: 20,
        partitions: 100,
        max_in_global: 5,
        fast_build: false,
        allow_translation: true,
    };
    let sizes = operation_sizes(&device, &Operations::Partitioned(desc)).unwrap();
    assert_eq!((sizes.result, sizes.scratch), (RESULT, SCRATCH));
    let described = "PREFER_FAST_TRACE 1000 instances, 20 in 100 partitions, 5 global, translation 1";
    assert_eq!(calls(), [format!("partitioned sizes {described}")]);
    let data = PartitionedData { source: 0x100, dest: 0x200, scratch: 0x300, count: 0x400, operations: 0x500 };
    let run = |operations: &[Operation]| {
        let mut out = Ok(());
        // SAFETY: nothing is submitted.
        engine.record(|cmd| out = unsafe { execute_operations(&device, cmd, operations) });
        out
    };
    run(&[Operation::Partitioned(desc, data)]).unwrap();
    assert_eq!(calls(), [format!("partitioned {described} | 0x100 to 0x200 scratch 0x300 operations 0x500 count 0x400")]);
    let e = operation_sizes(&device, &Operations::Partitioned(PartitionedDesc { partitions: 101, ..desc })).unwrap_err();
    assert!(e.message.starts_with("101 partitions, ") && e.message.ends_with("takes 100"), "{e}");
    let e = run(&[Operation::Partitioned(desc, PartitionedData { dest: 1, ..data })]).unwrap_err();
    assert!(e.message.contains("operation 0: the structure at 0x1"), "{e}");
}

/// A device without an extension names the extension and itself, in one sentence.
#[test]
fn what_is_absent_is_named() {
    let Some((_one, engine)) = open() else { return };
    let device = &engine.device;
    let inputs = Inputs::Bottom { geometries: vec![triangles().into()], flags: 0 };
    let scratch = Scratch { address: ADDRESS, size: 1 << 20 };
    let micromaps = MicromapLinkage { micromaps: 1, indices: None, base: 0, usage: MicromapUsage::default() };
    let linked = Inputs::Bottom { geometries: vec![Geometry::MicromapTriangles { triangles: triangles(), micromaps }], flags: 0 };
    let empty = MicromapInputs { usage: MicromapUsage::default(), data: 0, entries: 0, stride: 0, flags: 0 };
    let partitioned = Operations::Partitioned(PartitionedDesc::default());
    let bottoms = Operations::Bottoms(BuildBottoms::default());
    let mut refusals = Vec::new();
    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe {
        refusals.push(accel::build_indirect(device, cmd, &mut [], &[], scratch).unwrap_err());
        refusals.push(accel::build_on_host(device, &mut [], scratch).unwrap_err());
        let batch = Operation::Batch(bottoms, BatchData::default());
        let build = Operation::Partitioned(PartitionedDesc::default(), PartitionedData::default());
        for operation in [batch, build] {
            let e = execute_operations(device, cmd, &[operation]).unwrap_err();
            assert!(e.message.starts_with("operation 0: "), "{e}");
        }
        refusals.push(build_micromaps(device, cmd, &mut [], scratch).unwrap_err());
    });
    refusals.push(inputs.host_sizes(device).unwrap_err());
    refusals.push(empty.sizes(device).unwrap_err());
    refusals.push(Micromaps::new(device, &engine.memory, 64).unwrap_err());
    refusals.push(SizeQueries::of_micromaps(device, PostbuildInfo::CompactedSize, 1).unwrap_err());
    refusals.push(operation_sizes(device, &bottoms).unwrap_err());
    refusals.push(operation_sizes(device, &partitioned).unwrap_err());
    refusals.push(cluster_alignments(device).unwrap_err());
    for e in &refusals {
        assert_eq!(e.kind, ErrorKind::Limit, "{e}");
        let start = format!("{} was made without ", device.name());
        assert!(e.message.starts_with(&start) && e.message.contains(" of VK_") && e.notes.is_empty(), "{e}");
    }
    let e = linked.sizes(device).unwrap_err();
    assert!(e.message.contains("geometry 0: ") && e.message.contains("feature micromap of VK_EXT_opacity_micromap"), "{e}");
    let said: Vec<_> = refusals.iter().map(|e| e.message.as_str()).collect();
    for extension in ["VK_KHR_acceleration_structure", "VK_EXT_opacity_micromap", "VK_NV_cluster_", "VK_NV_partitioned_"] {
        assert!(said.iter().any(|m| m.contains(extension)), "{extension}");
    }
}

/// Requirements name what uses need.
#[test]
fn uses_are_requirements() {
    let all = StructureUses {
        indirect_builds: true,
        host_builds: true,
        current_sizes: true,
        positions: true,
        micromaps: true,
        clusters: true,
        partitions: true,
    };
    let basic = Requirements::of(&[], Default::default());
    assert_eq!(basic.clone().and_structures(StructureUses::default()).features(), basic.features());
    let requirements = basic.and_structures(all);
    let extensions = requirements.extensions();
    for name in [
        "VK_EXT_opacity_micromap",
        "VK_KHR_synchronization2",
        "VK_NV_cluster_acceleration_structure",
        "VK_NV_partitioned_acceleration_structure",
        "VK_KHR_ray_tracing_position_fetch",
        "VK_KHR_ray_tracing_maintenance1",
    ] {
        assert!(extensions.iter().any(|e| e == name), "{name}");
    }
    for name in ["accelerationStructureIndirectBuild", "accelerationStructureHostCommands", "micromap", "clusterAccelerationStructure"] {
        assert!(requirements.features().iter().any(|(f, _)| *f == name), "{name}");
    }
}
