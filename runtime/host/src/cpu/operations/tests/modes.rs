//! Result modes and sizes; counts, strides and indirections.

use super::*;

fn meshes(random: &mut Random, n: u32) -> Vec<Mesh> {
    (0..n).map(|id| Mesh::random(random, id)).collect()
}

#[test]
fn objects_in_memory_equal_those_built_by_handle() {
    let mut random = Random(3);
    let (mut w, mut hits) = (World::default(), 0);
    for _ in 0..8 {
        let all = meshes(&mut random, 7);
        let arguments: Vec<[u8; 80]> = all.iter().map(|m| w.cluster(m).to_bytes()).collect();
        let built = w.build(&Inputs::Clusters(clusters(7)), &arguments);
        let addresses: Vec<u64> = built.iter().map(|b| b.0).chain([0]).collect();
        let (_, seen) = w.bottom(&addresses);
        let numbers: Vec<Option<Cluster>> = all.iter().map(|m| Some(m.by_number(&mut w.o))).collect();
        let bottom = w.o.build_bottom_of_clusters(&numbers).unwrap();
        hits += same(&seen, &top(&[placed(w.o.bottom(bottom).unwrap())]), &mut random);
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn results_are_within_their_bounds() {
    let mut random = Random(5);
    let mut w = World::default();
    for round in 0..30 {
        let n = 1 + random.below(6);
        let mut all = meshes(&mut random, n);
        if round == 0 {
            // As large as it can be.
            all[0].positions = (0..256).map(|_| random.point(4.0)).collect();
            all[0].indices = (0..768).map(|i| i % 256).collect();
        }
        if round == 1 {
            all[0].indices.clear();
        }
        let arguments: Vec<ClusterArgs> = all.iter().map(|m| w.cluster(m)).collect();
        let mut b = clusters(n);
        b.limits.max_triangles = all.iter().map(|m| m.indices.len() as u32 / 3).max().unwrap();
        b.limits.max_total_triangles = all.iter().map(|m| m.indices.len() as u32 / 3).sum();
        let with = |mode| Inputs::Clusters(BuildClusters { mode, ..b });
        let bytes: Vec<[u8; 80]> = arguments.iter().map(ClusterArgs::to_bytes).collect();
        let blind: Vec<[u8; 80]> = arguments.iter().map(|a| ClusterArgs { vertex_buffer: 0, ..*a }.to_bytes()).collect();
        let sizes = w.sizes(&with(OperationMode::GetSizes), &bytes);
        let guessed = w.sizes(&with(OperationMode::GetSizes), &blind);
        let built = w.build(&with(OperationMode::Implicit), &bytes);
        let (one, all) =
            (prebuild(&with(OperationMode::Explicit)).unwrap().result, prebuild(&with(OperationMode::Implicit)).unwrap().result);
        assert_eq!(prebuild(&with(OperationMode::GetSizes)).unwrap().result, 0);
        for ((&(at, size), &said), &guessed) in built.iter().zip(&sizes).zip(&guessed) {
            assert!(size <= said && said <= guessed && guessed <= one, "{size} {said} {guessed} {one}");
            assert!(at.is_multiple_of(128) && size.is_multiple_of(128) && size > 0);
        }
        assert!(built.iter().map(|b| b.1).sum::<u64>() <= all);
        // Templates with and without hints, and their instances.
        let template = BuildTemplates {
            limits: b.limits,
            indices: IndexFormat::Uint8,
            instances: VertexFormat::Float32x3,
            hints: VertexFormat::Float32x3,
            ..BuildTemplates::default()
        };
        let with = |mode| Inputs::Templates(BuildTemplates { mode, ..template });
        let both: Vec<[u8; 88]> = arguments
            .iter()
            .map(|a| {
                TemplateArgs {
                    cluster: ClusterArgs { vertex_buffer: if random.below(2) == 0 { 0 } else { a.vertex_buffer }, ..*a },
                    limit: 0,
                }
                .to_bytes()
            })
            .collect();
        let (sizes, built) = (w.sizes(&with(OperationMode::GetSizes), &both), w.build(&with(OperationMode::Implicit), &both));
        let one = prebuild(&with(OperationMode::Explicit)).unwrap().result;
        for (&(at, size), said) in built.iter().zip(sizes) {
            assert!(size <= said && said <= one && at.is_multiple_of(32) && size.is_multiple_of(32), "{size} {said} {one}");
        }
        let made = InstantiateTemplates { limits: b.limits, vertices: VertexFormat::Float32x3, ..InstantiateTemplates::default() };
        let with = |mode| Inputs::Instantiate(InstantiateTemplates { mode, ..made });
        let of = |(a, t): (&ClusterArgs, &(u64, u64)), vertices| {
            InstantiateArgs {
                template: t.0,
                vertices: Strided::packed(if vertices { a.vertex_buffer } else { 0 }),
                ..InstantiateArgs::default()
            }
            .to_bytes()
        };
        let seeing: Vec<[u8; 32]> = arguments.iter().zip(&built).map(|p| of(p, true)).collect();
        let blind: Vec<[u8; 32]> = arguments.iter().zip(&built).map(|p| of(p, false)).collect();
        let (sizes, guessed) = (w.sizes(&with(OperationMode::GetSizes), &seeing), w.sizes(&with(OperationMode::GetSizes), &blind));
        let instances = w.build(&with(OperationMode::Implicit), &seeing);
        let one = prebuild(&with(OperationMode::Explicit)).unwrap().result;
        for ((&(_, size), said), guessed) in instances.iter().zip(sizes).zip(guessed) {
            assert!(size <= said && said <= guessed && guessed <= one, "{size} {said} {guessed} {one}");
        }
        // Structures of some of them.
        let list: Vec<u64> = instances.iter().map(|i| i.0).collect();
        let list = w.numbers(&list);
        let arguments: Vec<[u8; 16]> = (0..=n).map(|count| BottomArgs { count, stride: 0, clusters: list }.to_bytes()).collect();
        let with = |mode| Inputs::Bottoms(BuildBottoms { mode, max_total_clusters: n * (n + 1) / 2, ..bottoms(n + 1, n) });
        let (sizes, built) = (w.sizes(&with(OperationMode::GetSizes), &arguments), w.build(&with(OperationMode::Implicit), &arguments));
        let one = prebuild(&with(OperationMode::Explicit)).unwrap().result;
        for (&(at, size), said) in built.iter().zip(sizes) {
            assert!(size <= said && said <= one && at.is_multiple_of(256) && size.is_multiple_of(256), "{size} {said} {one}");
        }
    }
}

#[test]
fn a_joint_bound_suffices_for_separate_batches() {
    let mut random = Random(7);
    let total = |i: &Inputs| prebuild(i).unwrap().result;
    for _ in 0..4000 {
        let mut make = || {
            let n = 1 + random.below(5000);
            let (t, v) = (random.below(257), random.below(257));
            ClusterLimits {
                max_triangles: t,
                max_vertices: v,
                max_total_triangles: random.below(n * t + 1),
                max_total_vertices: random.below(n * v + 1),
                ..limits(n)
            }
        };
        let (a, b) = (make(), make());
        let union = ClusterLimits {
            max_args: a.max_args + b.max_args,
            max_triangles: a.max_triangles.max(b.max_triangles),
            max_vertices: a.max_vertices.max(b.max_vertices),
            max_total_triangles: a.max_total_triangles + b.max_total_triangles,
            max_total_vertices: a.max_total_vertices + b.max_total_vertices,
            ..a
        };
        let kinds: [&dyn Fn(ClusterLimits) -> Inputs; 3] = [
            &|limits| Inputs::Clusters(BuildClusters { limits, ..BuildClusters::default() }),
            &|limits| Inputs::Templates(BuildTemplates { limits, ..BuildTemplates::default() }),
            &|limits| Inputs::Instantiate(InstantiateTemplates { limits, ..InstantiateTemplates::default() }),
        ];
        for kind in kinds {
            assert!(total(&kind(a)) + total(&kind(b)) <= total(&kind(union)), "{a:?} {b:?}");
        }
        let of = |l: &ClusterLimits| BuildBottoms {
            max_args: l.max_args,
            max_clusters_per_arg: l.max_triangles,
            max_total_clusters: l.max_total_triangles,
            ..BuildBottoms::default()
        };
        assert!(total(&Inputs::Bottoms(of(&a))) + total(&Inputs::Bottoms(of(&b))) <= total(&Inputs::Bottoms(of(&union))));
    }
    // No object exceeds the bound for one: every number of triangles in a batch of its own.
    for t in 0..=256 {
        let one = ClusterLimits { max_triangles: t, max_total_triangles: t, ..limits(1) };
        let inputs = |mode| Inputs::Clusters(BuildClusters { limits: one, mode, ..BuildClusters::default() });
        assert!(sizes::cluster_bound(t) <= total(&inputs(OperationMode::Implicit)), "{t}");
        assert_eq!(sizes::cluster_bound(t), total(&inputs(OperationMode::Explicit)));
    }
}

#[test]
fn explicit_destinations_are_used_and_other_memory_is_unchanged() {
    let mut random = Random(9);
    let mut w = World::default();
    let all = meshes(&mut random, 5);
    let arguments: Vec<[u8; 80]> = all.iter().map(|m| w.cluster(m).to_bytes()).collect();
    let sizes = w.sizes(&Inputs::Clusters(BuildClusters { mode: OperationMode::GetSizes, ..clusters(5) }), &arguments);
    // In reverse order, 128 bytes apart; addresses in every third number.
    let space = w.space(sizes.iter().sum::<u64>() + 128 * 6);
    let mut at = space + sizes.iter().sum::<u64>() + 128 * 6;
    let places: Vec<u64> = sizes
        .iter()
        .map(|size| {
            at -= size + 128;
            at
        })
        .collect();
    let table: Vec<u64> = places.iter().flat_map(|&p| [1, p, 2]).collect();
    let inputs = Inputs::Clusters(BuildClusters { mode: OperationMode::Explicit, ..clusters(5) });
    let mut data = w.data(&inputs, &arguments);
    let table = w.numbers(&table);
    data.addresses = Strided { address: table + 8, stride: 24 };
    // Not accessed.
    data.result = 77;
    w.run(&inputs, data).unwrap();
    assert_eq!(w.read(table, 15, 8).iter().filter(|&&n| n < 3).count(), 10);
    for (p, size) in places.iter().zip(&sizes) {
        assert_eq!(w.read(p + size, 16, 8), [0xcdcd_cdcd_cdcd_cdcd; 16]);
        assert_eq!(w.o.placed.get(*p).unwrap().size, *size);
    }
    let (_, seen) = w.bottom(&places);
    let numbers: Vec<Option<Cluster>> = all.iter().map(|m| Some(m.by_number(&mut w.o))).collect();
    let bottom = w.o.build_bottom_of_clusters(&numbers).unwrap();
    assert!(same(&seen, &top(&[placed(w.o.bottom(bottom).unwrap())]), &mut random) > 3);
}

#[test]
fn indirect_fields_are_resolved() {
    let mut random = Random(11);
    let mut w = World::default();
    let all = meshes(&mut random, 4);
    let arguments: Vec<[u8; 80]> = all.iter().map(|m| w.cluster(m).to_bytes()).collect();
    let inputs = Inputs::Clusters(clusters(4));
    for flags in 0..64u32 {
        let mut data = w.data(&inputs, &arguments);
        data.result = w.space(prebuild(&inputs).unwrap().result);
        data.addresses = Strided { address: w.space(64), stride: 16 };
        data.sizes = Strided { address: data.addresses.address + 8, stride: 16 };
        data.count = w.put(&3u32.to_le_bytes());
        let direct = data;
        let mut further = |flag: u32, address: &mut u64| {
            if flags & flag != 0 {
                *address = w.numbers(&[*address]);
            }
        };
        further(INDIRECT_RESULT, &mut data.result);
        further(INDIRECT_SCRATCH, &mut data.scratch);
        further(INDIRECT_ADDRESSES, &mut data.addresses.address);
        further(INDIRECT_SIZES, &mut data.sizes.address);
        further(INDIRECT_ARGUMENTS, &mut data.arguments.address);
        further(INDIRECT_COUNT, &mut data.count);
        data.resolution = flags;
        w.run(&inputs, data).unwrap();
        // Three of four, with addresses and sizes interleaved.
        let found = w.read(direct.addresses.address, 8, 8);
        assert_eq!(found[0], direct.result);
        assert_eq!((found[2], found[4]), (found[0] + found[1], found[2] + found[3]));
        assert_eq!(found[6..], [0xcdcd_cdcd_cdcd_cdcd; 2]);
        assert_eq!(w.o.placed.get(found[4]).unwrap().size, found[5]);
        // Without the flag the same field is an address of other data.
        if flags & INDIRECT_COUNT != 0 {
            refused(
                w.run(&inputs, BatchData { resolution: flags & !INDIRECT_COUNT, count: data.count + 1, ..data }),
                "IndirectArgumentArraySize",
            );
        }
    }
    refused(
        {
            let data = w.data(&inputs, &arguments);
            w.run(&inputs, BatchData { resolution: 64, ..data })
        },
        "AddressResolutionFlags: 0x40",
    );
}

#[test]
fn the_smaller_count_counts() {
    let mut random = Random(13);
    let mut w = World::default();
    let all = meshes(&mut random, 4);
    let arguments: Vec<[u8; 80]> = all.iter().map(|m| w.cluster(m).to_bytes()).collect();
    for (max, said, done) in
        [(4, None, 4), (3, None, 3), (4, Some(2u32), 2), (2, Some(4), 2), (4, Some(0), 0), (0, Some(4), 0), (4, Some(u32::MAX), 4)]
    {
        let inputs = Inputs::Clusters(clusters(max));
        let mut data = w.data(&inputs, &arguments);
        data.result = w.space(prebuild(&inputs).unwrap().result);
        data.addresses = Strided::packed(w.space(32));
        data.count = said.map_or(0, |n| w.put(&n.to_le_bytes()));
        data.tools = w.space(72);
        w.run(&inputs, data).unwrap();
        let addresses = w.read(data.addresses.address, 4, 8);
        assert_eq!(addresses.iter().filter(|&&a| a != 0xcdcd_cdcd_cdcd_cdcd).count(), done);
        // The copies for tools: count, sizes, addresses.
        let told = w.read(data.tools, 9, 8);
        assert_eq!(told[0], done as u64);
        assert_eq!(told[1 + done..1 + 2 * done], addresses[..done]);
        for i in 0..done {
            assert_eq!(w.o.placed.get(addresses[i]).unwrap().size, told[1 + i]);
        }
    }
}

#[test]
fn every_stride_and_format_reads_the_same_cluster() {
    let mut random = Random(15);
    let positions: Vec<[f32; 3]> = (0..40).map(|_| std::array::from_fn(|_| random.below(3) as f32 - 1.0)).collect();
    // Vertices 10, 13, 16, …, of a larger buffer.
    let indices: Vec<u32> = (0..60).map(|_| 10 + 3 * random.below(10)).collect();
    let used: Vec<u32> = (0..10).map(|i| 10 + 3 * i).collect();
    let geometries: Vec<u32> = (0..20).map(|_| random.below(4) | (CLUSTER_GEOMETRY_OPAQUE * random.below(2))).collect();
    let local = indices.iter().map(|i| (i - 10) / 3).collect();
    let mut desc = ClusterDesc::new(5, used.iter().map(|&i| positions[i as usize]).collect(), local);
    (desc.base_geometry, desc.geometries) = (7, geometries.clone());
    let mut w = World::default();
    let expected = w.o.build_cluster(&desc).unwrap();
    let expected = w.o.build_bottom_of_clusters(&[Some(expected)]).unwrap();
    let expected = top(&[placed(w.o.bottom(expected).unwrap())]);
    let spread = |elements: Vec<Vec<u8>>, gap: usize| -> Vec<u8> {
        elements.into_iter().flat_map(|e| e.into_iter().chain(std::iter::repeat_n(0xee, gap))).collect()
    };
    let formats = [(IndexFormat::Uint8, 1usize), (IndexFormat::Uint16, 2), (IndexFormat::Uint32, 4)];
    for (format, size) in formats {
        for gap in [0, 1, 3] {
            let floats = |p: &[f32; 3]| p.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>();
            let number = |n: u32| n.to_le_bytes()[..size].to_vec();
            // Each triangle has a geometry index, in reverse order.
            let places = (0..20).map(|i| number(19 - i)).collect();
            let arguments = ClusterArgs {
                id: 5,
                triangles: 20,
                vertices: 10,
                base_geometry: 7,
                vertex_buffer: w.put(&spread(positions.iter().map(floats).collect(), 4 * gap)),
                vertex_stride: if gap == 0 { 0 } else { 12 + 4 * gap as u16 },
                index_buffer: w.put(&spread(indices.iter().map(|&i| number(i)).collect(), size * gap)),
                index_stride: if gap == 0 { 0 } else { (size * (1 + gap)) as u16 },
                geometries: w.put(&spread(geometries.iter().rev().map(|g| g.to_le_bytes().to_vec()).collect(), 4 * gap)),
                geometry_stride: if gap == 0 { 0 } else { 4 + 4 * gap as u16 },
                geometry_indices: w.put(&spread(places, 0)),
                ..ClusterArgs::default()
            };
            let b = BuildClusters { indices: format, geometry_indices: format, ..clusters(1) };
            let built = w.build(&Inputs::Clusters(b), &[arguments.to_bytes()]);
            let (_, seen) = w.bottom(&[built[0].0]);
            same(&seen, &expected, &mut random);
        }
    }
}

#[test]
fn every_vertex_format_gives_the_positions_that_it_holds() {
    let mut random = Random(17);
    let indices: Vec<u32> = (0..90).map(|_| random.below(12)).collect();
    let mut hits = 0;
    for (format, ..) in VertexFormat::ALL {
        let mut w = World::default();
        let (bytes, positions): (Vec<u8>, Vec<[f32; 3]>) = if format == VertexFormat::Compressed1 {
            let template = Compressed1Template { exponent: 120, bits: [9, 10, 11] };
            let wanted: Vec<[f32; 3]> = (0..12).map(|_| random.point(1.0)).collect();
            let bytes = crate::cpu::accel::encode_compressed(&wanted, &template).unwrap();
            let read = crate::cpu::accel::decode_compressed(&bytes, 12).unwrap();
            (bytes, read)
        } else {
            // Floats are small, so that rays hit them.
            let size = format.size() as usize;
            let bytes: Vec<u8> = match format.coordinate() {
                Coordinate::Float32 => (0..12 * format.coordinates()).flat_map(|_| random.within(-1.0, 1.0).to_le_bytes()).collect(),
                Coordinate::Float16 => {
                    (0..12 * format.coordinates()).flat_map(|_| (0x3000 + random.below(0x0c00) as u16).to_le_bytes()).collect()
                }
                _ => (0..12 * size).map(|_| random.bits() as u8).collect(),
            };
            let read = bytes.chunks_exact(size).map(|b| crate::cpu::accel::read_vertices(b, format)).collect();
            (bytes, read)
        };
        let mesh = Mesh { id: 9, geometry: 1, positions, indices: indices.clone() };
        let arguments = ClusterArgs { vertex_buffer: w.put(&bytes), ..w.cluster(&mesh) };
        let b = BuildClusters { vertices: format, max_compressed_size: bytes.len() as u32, ..clusters(1) };
        let built = w.build(&Inputs::Clusters(b), &[arguments.to_bytes()])[0].0;
        let (_, seen) = w.bottom(&[built]);
        let number = mesh.by_number(&mut w.o);
        let bottom = w.o.build_bottom_of_clusters(&[Some(number)]).unwrap();
        hits += same(&seen, &top(&[placed(w.o.bottom(bottom).unwrap())]), &mut random);
        // A template whose instances have this format gives the same positions, from any source.
        let compressed = TemplateArgs::compressed(&Compressed1Template { exponent: 120, bits: [9, 10, 11] });
        let limit = if format == VertexFormat::Compressed1 { compressed } else { 0 };
        let t = BuildTemplates {
            limits: limits(1),
            indices: IndexFormat::Uint8,
            hints: format,
            instances: format,
            ..BuildTemplates::default()
        };
        let template = w.build(&Inputs::Templates(t), &[TemplateArgs { cluster: arguments, limit }.to_bytes()])[0].0;
        let floats = w.cluster(&mesh).vertex_buffer;
        for (vertices, source) in [(format, arguments.vertex_buffer), (VertexFormat::Float32x3, floats)] {
            let i = InstantiateTemplates { limits: limits(1), vertices, ..InstantiateTemplates::default() };
            let a = InstantiateArgs { template, vertices: Strided::packed(source), ..InstantiateArgs::default() };
            let made = w.build(&Inputs::Instantiate(i), &[a.to_bytes()])[0].0;
            let (_, other) = w.bottom(&[made]);
            same(&seen, &other, &mut random);
        }
    }
    assert!(hits > 10, "{hits}");
}

#[test]
fn micromaps_are_found_by_address() {
    let mut w = World::default();
    let mesh = Mesh { id: 1, geometry: 0, positions: vec![[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], indices: [0, 1, 2].repeat(5) };
    let entry = |offset| MicromapEntry { offset, level: 0, format: MicromapFormat::FourState };
    let maps = MicromapArrayDesc { data: vec![0, 1, 2, 3], entries: (0..4).map(entry).collect() };
    let maps = w.o.build_micromaps(&maps).unwrap();
    let address = w.o.address(Addressed::Micromaps(maps)).unwrap();
    // With an offset of one: map 1, fully transparent, none, map 3, fully opaque.
    for (format, bytes) in [(IndexFormat::Uint8, 1), (IndexFormat::Uint16, 2), (IndexFormat::Uint32, 4)] {
        let list = [0i32, -1, -5, 2, -2].iter().flat_map(|i| i.to_le_bytes()[..bytes].to_vec()).collect::<Vec<_>>();
        let a = ClusterArgs { micromaps: address, micromap_indices: w.put(&list), micromap_base: 1, ..w.cluster(&mesh) };
        let b = BuildClusters { flags: OPERATION_ALLOW_OMM, micromap_indices: format, ..clusters(1) };
        let built = w.build(&Inputs::Clusters(b), &[a.to_bytes()])[0].0;
        let Object::Cluster(made) = &w.o.placed.get(built).unwrap().object else { panic!() };
        let indices = Some(vec![0, -1, -5, 2, -2]);
        let mut desc = ClusterDesc::new(1, mesh.positions.clone(), mesh.indices.clone());
        desc.micromaps = Some(GeometryMicromaps { array: Some(maps), indices, base: 1 });
        let array = w.o.micromaps[maps].clone();
        let expected = crate::cpu::accel::Cluster::build(&desc, &|_| Ok(array.clone())).unwrap();
        assert_eq!(**made, expected, "{format:?}");
    }
}
