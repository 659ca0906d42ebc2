//! Move operations: packing, overlaps, validity of moved objects.

use super::*;

fn moves(kind: MoveKind, max_args: u32) -> MoveObjects {
    MoveObjects { kind, max_args, max_bytes: u64::MAX, ..MoveObjects::default() }
}

fn built(w: &mut World, random: &mut Random, n: u32) -> Vec<(u64, u64)> {
    let arguments: Vec<[u8; 80]> = (0..n).map(|id| w.cluster(&Mesh::random(random, id)).to_bytes()).collect();
    w.build(&Inputs::Clusters(clusters(n)), &arguments)
}

fn explicit(w: &mut World, m: MoveObjects, pairs: &[(u64, u64)]) -> Result<()> {
    let inputs = Inputs::Move(MoveObjects { mode: OperationMode::Explicit, ..m });
    let arguments: Vec<[u8; 8]> = pairs.iter().map(|p| p.0.to_le_bytes()).collect();
    let mut data = w.data(&inputs, &arguments);
    data.addresses = Strided::packed(w.numbers(&pairs.iter().map(|p| p.1).collect::<Vec<_>>()));
    w.run(&inputs, data)
}

#[test]
fn implicit_moves_pack_tightly() {
    let mut random = Random(21);
    let mut w = World::default();
    let all = built(&mut w, &mut random, 9);
    let some: Vec<(u64, u64)> = all.iter().copied().step_by(2).collect();
    let arguments: Vec<[u8; 8]> = some.iter().map(|p| p.0.to_le_bytes()).collect();
    let total: u64 = some.iter().map(|s| s.1).sum();
    let inputs = Inputs::Move(MoveObjects { max_bytes: total, ..moves(MoveKind::Cluster, 5) });
    assert_eq!(prebuild(&inputs).unwrap().result, 0);
    // Sizes of existing objects.
    let query = Inputs::Move(MoveObjects { mode: OperationMode::GetSizes, max_bytes: 0, ..moves(MoveKind::Cluster, 5) });
    assert_eq!(w.sizes(&query, &arguments), some.iter().map(|s| s.1).collect::<Vec<_>>());
    // Exactly their sum suffices, one byte less does not.
    refused(w.implicit(&inputs, &arguments, total - 1), "BatchResultData");
    let moved = w.implicit(&inputs, &arguments, total).unwrap();
    let mut at = moved[0].0;
    for (m, s) in moved.iter().zip(&some) {
        assert_eq!(*m, (at, s.1));
        at += m.1;
    }
    // Sources stay valid: it was a copy.
    let (_, a) = w.bottom(&some.iter().map(|s| s.0).collect::<Vec<_>>());
    let (_, b) = w.bottom(&moved.iter().map(|s| s.0).collect::<Vec<_>>());
    assert!(same(&a, &b, &mut random) > 3);
    // Both are different clusters now.
    let (_, both) = w.bottom(&[some[0].0, moved[0].0]);
    assert_eq!(both.instances()[0].bottom.as_ref().unwrap().primitives() % 2, 0);
}

#[test]
fn overlapping_moves_see_what_was_there_before() {
    let mut random = Random(23);
    for _ in 0..40 {
        let mut w = World::default();
        let n = 2 + random.below(5);
        let all = built(&mut w, &mut random, n);
        let (_, before) = w.bottom(&all.iter().map(|a| a.0).collect::<Vec<_>>());
        // Down by up to a kilobyte, or rotated: destinations overlap other sources and their own.
        let base = all[0].0;
        let mut order: Vec<usize> = (0..n as usize).collect();
        (0..n as usize).for_each(|i| order.swap(i, random.below(n) as usize));
        let mut at = base;
        let pairs: Vec<(u64, u64)> = order
            .iter()
            .map(|&i| {
                let pair = (all[i].0, at);
                at += all[i].1;
                pair
            })
            .collect();
        let m = moves(MoveKind::Cluster, n);
        let overlapping = pairs.iter().any(|p| p.0 != p.1);
        if overlapping {
            let apart = MoveObjects { flags: MOVE_NO_OVERLAP, ..m };
            refused(explicit(&mut w, apart, &pairs), "SourceAccelerationStructure and a destination in ResultAddressArray overlap");
        }
        explicit(&mut w, m, &pairs).unwrap();
        let places: Vec<u64> = pairs.iter().map(|p| p.1).collect();
        let (_, after) = w.bottom(&places);
        same(&before, &after, &mut random);
        // At an overwritten source nothing begins.
        for (source, _) in &all {
            if !places.contains(source) {
                refused(w.o.accel_at(*source), "no object at address");
            }
        }
    }
}

#[test]
fn what_overlaps_must_belong_to_the_same_batch() {
    let mut random = Random(25);
    let mut w = World::default();
    let all = built(&mut w, &mut random, 3);
    let m = moves(MoveKind::Cluster, 1);
    let one = |w: &mut World, from: u64, to: u64| {
        let inputs = Inputs::Move(MoveObjects { mode: OperationMode::Explicit, ..m });
        let mut data = w.data(&inputs, &[from.to_le_bytes()]);
        data.addresses = Strided::packed(w.numbers(&[to]));
        Operation::Batch(inputs, data)
    };
    // A destination overlaps another operation's source, and its destination.
    let place = w.space(1 << 20);
    let (a, b) = (one(&mut w, all[0].0, place), one(&mut w, all[1].0, all[0].0));
    refused(w.o.execute_operations(&[a, b]), "overlap");
    let c = one(&mut w, all[2].0, place);
    refused(
        w.o.execute_operations(&[a, c]),
        "a destination in ResultAddressArray of operation 0 and a destination in ResultAddressArray of operation 1",
    );
    // Two destinations of one batch overlap.
    refused(explicit(&mut w, moves(MoveKind::Cluster, 2), &[(all[0].0, place), (all[1].0, place + 128)]), "overlap");
    // Nothing has changed.
    refused(w.o.accel_at(place), "no object at address");
    let (_, seen) = w.bottom(&[all[0].0, all[1].0, all[2].0]);
    assert!(same(&seen.clone(), &seen, &mut random) > 0);
    // Without overlap both may be in one call.
    let d = one(&mut w, all[1].0, place + (1 << 19));
    w.o.execute_operations(&[a, d]).unwrap();
    // Arguments must not be in written memory.
    let inputs = Inputs::Move(moves(MoveKind::Cluster, 1));
    let mut data = w.data(&inputs, &[all[0].0.to_le_bytes()]);
    data.result = place;
    data.addresses = data.arguments;
    refused(w.run(&inputs, data), "IndirectArgumentArray and ResultAddressArray overlap");
}

#[test]
fn structures_know_when_their_clusters_are_gone() {
    let mut random = Random(27);
    let mut w = World::default();
    let all = built(&mut w, &mut random, 3);
    let (bottom, seen) = w.bottom(&[all[0].0, all[1].0]);
    // A structure may be moved; it refers to the same clusters.
    let place = w.space(1 << 16);
    explicit(&mut w, moves(MoveKind::Bottom, 1), &[(bottom, place)]).unwrap();
    same(&seen, &w.seen(place), &mut random);
    let handle = w.o.accel_at(bottom).unwrap();
    // Another cluster replaces one.
    explicit(&mut w, moves(MoveKind::Cluster, 1), &[(all[2].0, all[1].0)])
        .unwrap_or_else(|e| assert!(e.message.contains("overlap"), "{e}"));
    w.write(all[1].0, &[0; 4]);
    let gone = format!("refers to a cluster at {:#x} that was overwritten", all[1].0);
    refused(explicit(&mut w, moves(MoveKind::Bottom, 1), &[(place, place + (1 << 15))]), &gone);
    refused(w.o.accel_at(place), &gone);
    // The host's handle lives as long as the memory.
    assert!(w.o.bottom(handle).is_ok());
    w.write(bottom, &[0]);
    refused(w.o.bottom(handle), "was overwritten");
    refused(w.o.clone_accel(handle), "was overwritten");
    refused(w.o.compact(handle), "was overwritten");
    refused(w.o.serialize_accel(handle), "was overwritten");
    refused(w.o.descriptor(Resource::Accel(handle)), "was overwritten");
    // A shader's write destroys the signature.
    let (memory, at) = w.o.bytes_at("test", all[0].0, 8).unwrap();
    memory.set_bits(at, 1, 0);
    refused(explicit(&mut w, moves(MoveKind::Cluster, 1), &[(all[0].0, place)]), "was overwritten");
}

#[test]
fn rebuilt_in_place_keeps_the_hosts_number() {
    let mut random = Random(29);
    let mut w = World::default();
    let all = built(&mut w, &mut random, 2);
    let place = w.space(1 << 16);
    let build = |w: &mut World, cluster: u64| {
        let inputs = Inputs::Bottoms(BuildBottoms { mode: OperationMode::Explicit, ..bottoms(1, 1) });
        let list = w.numbers(&[cluster]);
        let mut data = w.data(&inputs, &[BottomArgs { count: 1, stride: 0, clusters: list }.to_bytes()]);
        data.addresses = Strided::packed(w.numbers(&[place]));
        w.run(&inputs, data).unwrap();
    };
    build(&mut w, all[0].0);
    let handle = w.o.accel_at(place).unwrap();
    let first = w.o.bottom(handle).unwrap().clone();
    build(&mut w, all[1].0);
    assert_eq!(w.o.accel_at(place).unwrap(), handle);
    assert!(!Arc::ptr_eq(&first, w.o.bottom(handle).unwrap()));
}

#[test]
fn templates_move_and_are_instantiated_where_they_are() {
    let mut random = Random(31);
    let mut w = World::default();
    let mesh =
        Mesh { indices: (0..99).map(|i| i % 20).collect(), positions: (0..20).map(|_| random.point(3.0)).collect(), id: 3, geometry: 1 };
    let cluster = w.cluster(&mesh);
    let inputs = Inputs::Templates(BuildTemplates {
        limits: limits(1),
        indices: IndexFormat::Uint8,
        hints: VertexFormat::Float32x3,
        instances: VertexFormat::Float32x3,
        ..BuildTemplates::default()
    });
    let template = w.build(&inputs, &[TemplateArgs { cluster, limit: 0 }.to_bytes()])[0];
    // Down by 32 bytes, onto itself.
    let place = w.space(template.1 + 32);
    explicit(&mut w, moves(MoveKind::Template, 1), &[(template.0, place + 32)]).unwrap();
    explicit(&mut w, moves(MoveKind::Template, 1), &[(place + 32, place)]).unwrap();
    refused(explicit(&mut w, moves(MoveKind::Template, 1), &[(place + 32, place)]), "no object at address");
    refused(explicit(&mut w, moves(MoveKind::Cluster, 1), &[(template.0, place)]), "");
    let arguments =
        InstantiateArgs { id_offset: u32::MAX, geometry_offset: -1, template: place, vertices: Strided::packed(cluster.vertex_buffer) };
    let inputs = Inputs::Instantiate(InstantiateTemplates {
        limits: limits(1),
        vertices: VertexFormat::Float32x3,
        ..InstantiateTemplates::default()
    });
    let made = w.build(&inputs, &[arguments.to_bytes()])[0].0;
    let (_, seen) = w.bottom(&[made]);
    let expected = Mesh { id: 2, geometry: 0, ..mesh }.by_number(&mut w.o);
    let expected = w.o.build_bottom_of_clusters(&[Some(expected)]).unwrap();
    assert!(same(&seen, &top(&[placed(w.o.bottom(expected).unwrap())]), &mut random) > 10);
}
