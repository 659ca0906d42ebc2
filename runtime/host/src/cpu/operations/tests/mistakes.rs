//! Invalid arguments and inputs: each is rejected with the name of the field, and nothing is changed.

use super::*;

/// The arguments of a cluster of two triangles, with all fields set.
fn square(w: &mut World) -> (ClusterArgs, u64) {
    let mesh = Mesh {
        id: 1,
        geometry: 2,
        positions: vec![[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
        indices: vec![0, 1, 2, 2, 1, 3],
    };
    let a = w.cluster(&mesh);
    let maps =
        MicromapArrayDesc { data: vec![3], entries: vec![MicromapEntry { offset: 0, level: 0, format: MicromapFormat::TwoState }; 2] };
    let maps = w.o.build_micromaps(&maps).unwrap();
    (a, w.o.address(Addressed::Micromaps(maps)).unwrap())
}

#[test]
fn of_arguments_of_clusters() {
    let mut w = World::default();
    let (a, maps) = square(&mut w);
    let small = w.put(&[0; 7]);
    let flags = w.put(&0x8000_0000u32.to_le_bytes().repeat(2));
    let high = w.put(&u32::MAX.to_le_bytes().repeat(6));
    let (two, zeros) = (w.put(&[0, 0, 0, 0, 1, 0, 0, 0]), w.put(&[0; 64]));
    let header = w.put(&[1, 0, 0, 0, 0xff, 0, 0, 0, 0xf, 0, 0, 0]);
    let mut other = Vec::new();
    let mut check = |what: &str, a: ClusterArgs, change: &dyn Fn(&mut BuildClusters)| {
        let mut b = clusters(1);
        change(&mut b);
        let inputs = Inputs::Clusters(b);
        let said = match prebuild(&inputs).and_then(|s| w.implicit(&inputs, &[a.to_bytes()], s.result)) {
            Ok(_) => "nothing".to_string(),
            Err(e) => e.message,
        };
        if !said.contains(what) {
            other.push(format!("instead of `{what}`: {said}"));
        }
        w.o.placed.clear(0..u64::MAX);
    };
    let as_is = |_: &mut BuildClusters| ();
    let c = ClusterArgs { ..a };
    check("argument 0: VertexBuffer: must not be null", ClusterArgs { vertex_buffer: 0, ..c }, &as_is);
    check("VertexBuffer: address", ClusterArgs { vertex_buffer: a.vertex_buffer + 1, ..c }, &as_is);
    check("VertexBuffer: address 0x5 is", ClusterArgs { vertex_buffer: 5, ..c }, &|b| b.vertices = VertexFormat::Unorm8x3);
    check("VertexBuffer: 48 bytes at", ClusterArgs { vertex_buffer: small, ..c }, &as_is);
    check("VertexBuffer: stride 13", ClusterArgs { vertex_stride: 13, ..c }, &as_is);
    check("VertexBuffer: 48 bytes at", ClusterArgs { vertex_buffer: a.vertex_buffer + 4, ..c }, &as_is);
    check("IndexBuffer: must not be null", ClusterArgs { index_buffer: 0, ..c }, &as_is);
    check("IndexBuffer: address 0x1 is", ClusterArgs { index_buffer: 1, ..c }, &as_is);
    check("IndexBuffer: 6 bytes", ClusterArgs { index_buffer: small + 3, ..c }, &as_is);
    check("IndexBuffer: stride 3", ClusterArgs { index_stride: 3, ..c }, &|b| b.indices = IndexFormat::Uint16);
    check("IndexBuffer: address", ClusterArgs { index_buffer: a.index_buffer + 1, ..c }, &|b| b.indices = IndexFormat::Uint32);
    check("VertexBuffer: 51539607540 bytes", ClusterArgs { index_buffer: high, ..c }, &|b| b.indices = IndexFormat::Uint32);
    check("IndexFormat", c, &|b| b.indices = IndexFormat::None);
    check("VertexCount: 3, but IndexBuffer has 4", ClusterArgs { vertices: 3, ..c }, &as_is);
    check("VertexCount: 257", ClusterArgs { vertices: 257, ..c }, &as_is);
    check("TriangleCount: 300", ClusterArgs { triangles: 300, ..c }, &as_is);
    check("PositionTruncateBitCount: 33", ClusterArgs { truncate_bits: 33, ..c }, &as_is);
    check("PositionTruncateBitCount: 2, MinPositionTruncateBitCount is 3", ClusterArgs { truncate_bits: 2, ..c }, &|b| {
        b.min_truncate_bits = 3
    });
    check("ClusterFlags: 0x4", ClusterArgs { flags: 4, ..c }, &as_is);
    check("BaseGeometryIndexAndFlags", ClusterArgs { base_geometry: 1 << 24, ..c }, &as_is);
    check("has undefined bits", ClusterArgs { geometries: flags, ..c }, &as_is);
    check("geometry index 2, MaxGeometryIndexValue is 1", c, &|b| b.limits.max_geometry_index = 1);
    check("GeometryIndexAndFlagsArray: address", ClusterArgs { geometries: flags + 2, ..c }, &as_is);
    check("GeometryIndexAndFlagsArray: 8 bytes", ClusterArgs { geometries: flags + 4, ..c }, &as_is);
    check("GeometryIndexAndFlagsArray: stride 6", ClusterArgs { geometries: flags, geometry_stride: 6, ..c }, &as_is);
    let places = |b: &mut BuildClusters| b.geometry_indices = IndexFormat::Uint32;
    check("GeometryIndexAndFlagsIndexBuffer: 2 bytes", ClusterArgs { geometries: flags, geometry_indices: small - 1, ..c }, &|b| {
        b.geometry_indices = IndexFormat::Uint8
    });
    check("GeometryIndexAndFlagsArray: ", ClusterArgs { geometries: flags, geometry_indices: high, ..c }, &places);
    check("MaxUniqueGeometryIndexAndFlagsCountPerCluster is 1, but there are 2", ClusterArgs { geometries: two, ..c }, &|b| {
        b.limits.max_unique_geometries = 0;
        b.limits.max_geometry_index = MAX_GEOMETRY_INDEX;
    });
    check("MaxTriangleCountPerCluster is 1, but there are 2", c, &|b| b.limits.max_triangles = 1);
    check("MaxTriangleCountPerCluster: 257", c, &|b| b.limits.max_triangles = 257);
    check("MaxVertexCountPerCluster is 3", c, &|b| b.limits.max_vertices = 3);
    check("MaxVertexCountPerCluster: 999", c, &|b| b.limits.max_vertices = 999);
    check("MaxTotalTriangleCount is 1", c, &|b| b.limits.max_total_triangles = 1);
    check("MaxTotalVertexCount is 0", c, &|b| b.limits.max_total_vertices = 0);
    check("MaxGeometryIndexValue: 16777216", c, &|b| b.limits.max_geometry_index = 1 << 24);
    // Micromaps.
    let m = ClusterArgs { micromaps: maps, ..c };
    check("OpacityMicromapArray: uses micromaps, but the operation's Flags lack ALLOW_OMM", m, &as_is);
    let omm = |b: &mut BuildClusters| b.flags = OPERATION_ALLOW_OMM;
    check("OpacityMicromapArray: address", ClusterArgs { micromaps: maps + 64, ..c }, &omm);
    check("OpacityMicromapArray: expected a micromap array at address", ClusterArgs { micromaps: maps + 256, ..c }, &omm);
    check("OpacityMicromapArray: expected a micromap array at address", ClusterArgs { micromaps: a.vertex_buffer, ..c }, &omm);
    check("OpacityMicromapIndexBuffer: micromap 2147483648 is out of range", ClusterArgs { micromap_indices: flags, ..m }, &|b| {
        b.flags = OPERATION_ALLOW_OMM;
        b.micromap_indices = IndexFormat::Uint32;
    });
    check("MaxOpacityMicromapIndicesPerCluster is 1, but 2", m, &|b| {
        b.flags = OPERATION_ALLOW_OMM;
        b.limits.max_micromap_indices = 1;
    });
    check("micromap", ClusterArgs { micromap_base: 1, ..m }, &omm);
    // Compressed positions.
    let packed = |b: &mut BuildClusters| (b.vertices, b.max_compressed_size) = (VertexFormat::Compressed1, 999);
    check("VertexBuffer: 12 bytes at", ClusterArgs { vertex_buffer: small, ..c }, &packed);
    check("VertexBuffer: 36 bytes at", ClusterArgs { vertex_buffer: header, ..c }, &packed);
    check("MaxCompressedClusterPositionsSize is 35", ClusterArgs { vertex_buffer: header, ..c }, &|b| {
        (b.vertices, b.max_compressed_size) = (VertexFormat::Compressed1, 35);
    });
    check("exponent 0", ClusterArgs { vertex_buffer: zeros, ..c }, &|b| {
        packed(b);
        b.limits.max_vertices = 4;
    });
    assert!(other.is_empty(), "{}", other.join("\n"));
}

#[test]
fn of_batches() {
    let mut w = World::default();
    let (a, _) = square(&mut w);
    let inputs = Inputs::Clusters(clusters(1));
    let mut data = w.data(&inputs, &[a.to_bytes()]);
    let size = prebuild(&inputs).unwrap().result;
    data.result = w.space(size);
    data.addresses = Strided::packed(w.space(8));
    data.sizes = Strided::packed(w.space(8));
    let other = w.space(size + 1000);
    let check = |w: &mut World, inputs: Inputs, data: BatchData, what: &str| {
        refused(w.run(&inputs, data), what);
        assert!(w.o.placed.clear(0..u64::MAX).is_empty());
    };
    let flags = |flags| Inputs::Clusters(BuildClusters { flags, ..clusters(1) });
    check(&mut w, flags(1), data, "operation 0 (BUILD_CLAS_FROM_TRIANGLES): Flags: 0x1");
    check(&mut w, flags(OPERATION_FAST_TRACE | OPERATION_FAST_OPERATION), data, "mutually exclusive");
    check(&mut w, inputs, BatchData { scratch: 0, ..data }, "BatchScratchData: must not be null");
    check(&mut w, inputs, BatchData { scratch: data.scratch + 128, ..data }, "BatchScratchData: address");
    check(&mut w, inputs, BatchData { scratch: data.scratch + 256, ..data }, "BatchScratchData: ");
    check(&mut w, inputs, BatchData { scratch: data.result, ..data }, "BatchResultData and BatchScratchData overlap");
    check(&mut w, inputs, BatchData { result: 0, ..data }, "BatchResultData: must not be null");
    check(&mut w, inputs, BatchData { result: data.result + 64, ..data }, "BatchResultData: address");
    check(&mut w, inputs, BatchData { result: data.result + 128, ..data }, "BatchResultData: ");
    check(&mut w, inputs, BatchData { addresses: Strided::default(), ..data }, "ResultAddressArray: must not be null");
    check(&mut w, inputs, BatchData { addresses: Strided::packed(data.addresses.address + 4), ..data }, "ResultAddressArray: address");
    check(&mut w, inputs, BatchData { addresses: Strided { stride: 12, ..data.addresses }, ..data }, "ResultAddressArray: stride 12");
    check(&mut w, inputs, BatchData { addresses: Strided::packed(data.result), ..data }, "BatchResultData and ResultAddressArray overlap");
    check(&mut w, inputs, BatchData { sizes: data.addresses, ..data }, "overlap");
    check(&mut w, inputs, BatchData { sizes: Strided { stride: 4, ..data.sizes }, ..data }, "ResultSizeArray: stride 4");
    check(&mut w, inputs, BatchData { arguments: Strided::default(), ..data }, "IndirectArgumentArray: must not be null");
    check(&mut w, inputs, BatchData { arguments: Strided::packed(data.arguments.address + 8), ..data }, "IndirectArgumentArray: 80 bytes");
    check(&mut w, inputs, BatchData { arguments: Strided { stride: 84, ..data.arguments }, ..data }, "IndirectArgumentArray: stride 84");
    check(&mut w, inputs, BatchData { count: other + 2, ..data }, "IndirectArgumentArraySize: address");
    check(&mut w, inputs, BatchData { count: 4, ..data }, "IndirectArgumentArraySize: address 0x4 is not in a buffer");
    check(&mut w, inputs, BatchData { tools: data.addresses.address, ..data }, "ToolsInfo");
    let many = Inputs::Clusters(BuildClusters { limits: ClusterLimits { max_args: u32::MAX, ..limits(1) }, ..clusters(1) });
    check(&mut w, many, BatchData { scratch: 0, ..data }, "BatchScratchData");
    let explicit = Inputs::Clusters(BuildClusters { mode: OperationMode::Explicit, ..clusters(1) });
    let to = |w: &mut World, at: u64| BatchData { addresses: Strided::packed(w.numbers(&[at])), ..data };
    let d = to(&mut w, 0);
    check(&mut w, explicit, d, "ResultAddressArray[0]: address 0x0 is not in a buffer");
    let d = to(&mut w, other + 64);
    check(&mut w, explicit, d, "ResultAddressArray[0]: address");
    let d = to(&mut w, other + size / 128 * 128 + 896);
    check(&mut w, explicit, d, "ResultAddressArray[0]: ");
    let d = to(&mut w, data.arguments.address);
    check(&mut w, explicit, d, "ResultAddressArray[0]: ");
    let sizes = Inputs::Clusters(BuildClusters { mode: OperationMode::GetSizes, ..clusters(1) });
    check(&mut w, sizes, BatchData { sizes: Strided::default(), ..data }, "ResultSizeArray: must not be null");
    let wrong = Inputs::Partitioned(PartitionedDesc::default());
    check(&mut w, wrong, data, "operation 0 (PARTITIONED_TLAS): partitioned structures are not batched");
    w.run(&inputs, data).unwrap();
}

#[test]
fn of_structures_templates_and_moves() {
    let mut w = World::default();
    let (a, maps) = square(&mut w);
    let mapped = ClusterArgs { micromaps: maps, ..a };
    let omm = BuildClusters { flags: OPERATION_ALLOW_OMM, ..clusters(2) };
    let made = w.build(&Inputs::Clusters(omm), &[a.to_bytes(), mapped.to_bytes()]);
    let (plain, mapped) = (made[0].0, made[1].0);
    let build = |w: &mut World, list: &[u64], b: BuildBottoms, what: &str| {
        let list = w.numbers(list);
        let count = b.max_total_clusters.max(1);
        let a = BottomArgs { count, stride: 0, clusters: list };
        refused(w.implicit(&Inputs::Bottoms(b), &[a.to_bytes()], 1 << 16), what);
    };
    build(&mut w, &[plain, plain], bottoms(1, 2), "argument 0: ClasAddressArray: duplicate cluster at address");
    build(&mut w, &[plain, 5], bottoms(1, 2), "ClasAddressArray: address 0x5 is not a multiple of 128");
    build(&mut w, &[plain + 128], bottoms(1, 1), "no object at address");
    build(&mut w, &[mapped], bottoms(1, 1), "lack ALLOW_OMM");
    build(&mut w, &[plain], bottoms(1, 2), "ClasAddressArray: 16 bytes");
    build(&mut w, &[plain], bottoms(1, 0), "MaxClasCountPerArg is 0");
    build(&mut w, &[plain, 0], BuildBottoms { max_clusters_per_arg: 1, ..bottoms(1, 2) }, "ClasAddressCount: 2, MaxClasCountPerArg is 1");
    let two = w.numbers(&[plain]);
    let a2 = BottomArgs { count: 1, stride: 0, clusters: two }.to_bytes();
    let few = BuildBottoms { max_total_clusters: 1, max_clusters_per_arg: 1, ..bottoms(2, 1) };
    refused(
        w.implicit(&Inputs::Bottoms(few), &[a2, a2], 1 << 16),
        "argument 1: ClasAddressCount: 2 of all arguments, MaxTotalClasCount is 1",
    );
    let odd = BottomArgs { count: 1, stride: 12, clusters: two }.to_bytes();
    refused(w.implicit(&Inputs::Bottoms(bottoms(1, 1)), &[odd], 1 << 16), "ClasAddressArray: stride 12");
    // No clusters, and null entries only, are valid structures that nothing hits.
    let none = BottomArgs { count: 0, stride: 0, clusters: 0 }.to_bytes();
    let empty = w.build(&Inputs::Bottoms(bottoms(1, 1)), &[none])[0].0;
    assert!(w.seen(empty).instances()[0].bottom.as_ref().unwrap().primitives() == 0);
    let (bottom, _) = w.bottom(&[plain, 0]);
    // Moves of other types, of nothing, with micromaps, above the limit.
    let moved = |w: &mut World, from: u64, m: MoveObjects, what: &str| {
        refused(w.implicit(&Inputs::Move(MoveObjects { max_args: 1, ..m }), &[from.to_le_bytes()], 1 << 16), what);
    };
    let m = |kind| MoveObjects { kind, max_bytes: 1 << 20, ..MoveObjects::default() };
    moved(&mut w, bottom, m(MoveKind::Cluster), "found a structure of clusters");
    moved(&mut w, bottom, m(MoveKind::Template), "SourceAccelerationStructure: expected templates at address");
    moved(&mut w, plain + 64, m(MoveKind::Cluster), "SourceAccelerationStructure: address");
    moved(&mut w, 0, m(MoveKind::Cluster), "SourceAccelerationStructure: no object at address 0x0");
    moved(&mut w, mapped, m(MoveKind::Cluster), "lack ALLOW_OMM");
    moved(&mut w, plain, MoveObjects { max_bytes: 200, ..m(MoveKind::Cluster) }, "MaxBytesMoved is 200");
    moved(&mut w, plain, MoveObjects { flags: 4, ..m(MoveKind::Cluster) }, "Flags: 0x4");
    // Templates.
    let t = BuildTemplates {
        limits: limits(1),
        indices: IndexFormat::Uint8,
        hints: VertexFormat::Float32x3,
        instances: VertexFormat::Float32x3,
        ..BuildTemplates::default()
    };
    let template = |w: &mut World, t: BuildTemplates, limit: u64, what: &str| {
        refused(w.implicit(&Inputs::Templates(t), &[TemplateArgs { cluster: a, limit }.to_bytes()], 1 << 16), what);
    };
    let small = w.put(&[0; 20]);
    template(&mut w, t, small + 16, "InstantiationBoundingBoxLimit: address");
    template(&mut w, t, small, "InstantiationBoundingBoxLimit: 24 bytes");
    template(&mut w, BuildTemplates { instances: VertexFormat::Compressed1, ..t }, 0, "exponent 0");
    let bounds = w.put(&[0.0f32, 0.0, 0.0, 1.0, 0.5, 1.0].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
    let made = w.build(&Inputs::Templates(t), &[TemplateArgs { cluster: a, limit: bounds }.to_bytes()])[0].0;
    let make = |w: &mut World, i: InstantiateArgs, limits: ClusterLimits, what: &str| {
        let inputs =
            Inputs::Instantiate(InstantiateTemplates { limits, vertices: VertexFormat::Float32x3, ..InstantiateTemplates::default() });
        refused(w.implicit(&inputs, &[i.to_bytes()], 1 << 16), what);
    };
    let i = InstantiateArgs { template: made, vertices: Strided::packed(a.vertex_buffer), ..InstantiateArgs::default() };
    make(&mut w, i, limits(1), "outside of the bounds");
    make(&mut w, InstantiateArgs { template: plain, ..i }, limits(1), "ClusterTemplate: expected a template at address");
    make(&mut w, InstantiateArgs { template: made + 8, ..i }, limits(1), "ClusterTemplate: address");
    make(&mut w, InstantiateArgs { vertices: Strided::default(), ..i }, limits(1), "VertexBuffer: must not be null");
    make(&mut w, InstantiateArgs { vertices: Strided { stride: 2, ..i.vertices }, ..i }, limits(1), "VertexBuffer: stride 2");
    make(&mut w, i, ClusterLimits { max_total_triangles: 1, ..limits(1) }, "MaxTotalTriangleCount is 1");
    let made = w.build(&Inputs::Templates(t), &[TemplateArgs { cluster: a, limit: 0 }.to_bytes()])[0].0;
    make(&mut w, InstantiateArgs { template: made, geometry_offset: -3, ..i }, limits(1), "geometry index -1");
    make(
        &mut w,
        InstantiateArgs { template: made, geometry_offset: 9, ..i },
        ClusterLimits { max_geometry_index: 10, ..limits(1) },
        "MaxGeometryIndexValue is 10",
    );
    // Clusters and templates are not traceable.
    refused(w.o.accel_at(plain), "is not a traceable structure");
    refused(w.o.accel_at(made), "is not a traceable structure");
}

#[test]
fn operations_of_one_call_do_not_build_on_each_other() {
    let mut w = World::default();
    let (a, _) = square(&mut w);
    let inputs = Inputs::Clusters(clusters(1));
    let mut first = w.data(&inputs, &[a.to_bytes()]);
    first.result = w.space(prebuild(&inputs).unwrap().result);
    first.addresses = Strided::packed(w.space(8));
    // Its result as a cluster of a structure in the same call: it does not exist yet.
    let second = Inputs::Bottoms(bottoms(1, 1));
    let list = w.numbers(&[first.result]);
    let mut data = w.data(&second, &[BottomArgs { count: 1, stride: 0, clusters: list }.to_bytes()]);
    data.result = w.space(prebuild(&second).unwrap().result);
    data.addresses = Strided::packed(w.space(8));
    let both = [Operation::Batch(inputs, first), Operation::Batch(second, data)];
    refused(w.o.execute_operations(&both), "operation 1 (BUILD_BLAS_FROM_CLAS): argument 0: ClasAddressArray: no object at address");
    w.o.execute_operations(&both[..1]).unwrap();
    // Once it exists, it must not be rebuilt in the same call.
    let e = w.o.execute_operations(&both).unwrap_err();
    assert!(e.message.contains("of operation 0") && e.message.contains("of operation 1 overlap"), "{e}");
    assert!(e.notes[0].contains("any order"));
    w.o.execute_operations(&both[1..]).unwrap();
}
