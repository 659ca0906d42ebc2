//! Random calls and memory: calls return a result or an error, and objects in memory stay consistent.

use super::*;

/// Memory full of nearly valid arguments.
fn world(random: &mut Random) -> (World, Vec<u64>, usize) {
    let mut w = World::default();
    let mut known = Vec::new();
    for id in 0..3 {
        let mut m = Mesh::random(random, id);
        m.indices.truncate(30);
        let a = w.cluster(&m);
        known.extend([a.vertex_buffer, a.index_buffer]);
        let made = w.build(&Inputs::Clusters(clusters(1)), &[a.to_bytes()]);
        known.push(made[0].0);
        known.push(w.put(&a.to_bytes().repeat(3)));
        known.push(w.put(&TemplateArgs { cluster: a, limit: 0 }.to_bytes().repeat(2)));
        let list = w.numbers(&[made[0].0, 0]);
        known.push(w.put(&BottomArgs { count: 2, stride: 0, clusters: list }.to_bytes()));
        known.push(w.put(&made[0].0.to_le_bytes()));
        known.push(w.bottom(&[made[0].0]).0);
    }
    let spaces = known.len();
    known.extend((0..5).map(|_| w.space(1 << 16)));
    known.push(w.put(&2u32.to_le_bytes()));
    (w, known, spaces)
}

fn number(random: &mut Random, known: &[u64]) -> u64 {
    match random.below(16) {
        0 => 0,
        1 => u64::from(random.bits()) << 32 | u64::from(random.bits()),
        2 => known[random.below(known.len() as u32) as usize] + u64::from(random.below(300)),
        3 => known[random.below(known.len() as u32) as usize] + 256 * u64::from(random.below(20)),
        _ => known[random.below(known.len() as u32) as usize],
    }
}

fn small(random: &mut Random) -> u32 {
    match random.below(12) {
        0 => random.bits(),
        1 => u32::MAX,
        n => n - 2,
    }
}

fn inputs(random: &mut Random) -> Inputs {
    let mode = [OperationMode::Implicit, OperationMode::Explicit, OperationMode::GetSizes][random.below(3) as usize];
    let format = |r: &mut Random| {
        [IndexFormat::None, IndexFormat::Uint8, IndexFormat::Uint8, IndexFormat::Uint16, IndexFormat::Uint32][r.below(5) as usize]
    };
    let vertices = |r: &mut Random| if r.below(2) == 0 { VertexFormat::Float32x3 } else { VertexFormat::ALL[r.below(14) as usize].0 };
    let mut limits = limits(small(random).min(70_000));
    if random.below(4) == 0 {
        (limits.max_triangles, limits.max_total_vertices) = (small(random), small(random));
    }
    let flags = if random.below(4) == 0 { small(random) } else { 0 };
    match random.below(5) {
        0 => Inputs::Move(MoveObjects {
            flags: if random.below(2) == 0 { MOVE_NO_OVERLAP } else { flags },
            max_args: small(random),
            mode,
            kind: [MoveKind::Bottom, MoveKind::Cluster, MoveKind::Template][random.below(3) as usize],
            max_bytes: u64::from(random.bits()),
        }),
        1 => Inputs::Bottoms(BuildBottoms {
            flags,
            max_args: small(random),
            mode,
            max_total_clusters: small(random),
            max_clusters_per_arg: small(random),
        }),
        2 => Inputs::Clusters(BuildClusters {
            limits,
            flags,
            mode,
            vertices: vertices(random),
            indices: format(random),
            geometry_indices: format(random),
            micromap_indices: format(random),
            min_truncate_bits: random.below(2),
            max_compressed_size: random.bits(),
        }),
        3 => Inputs::Templates(BuildTemplates {
            limits,
            flags,
            mode,
            hints: vertices(random),
            instances: vertices(random),
            indices: format(random),
            geometry_indices: format(random),
            micromap_indices: format(random),
        }),
        _ => Inputs::Instantiate(InstantiateTemplates { limits, flags, mode, vertices: vertices(random) }),
    }
}

#[test]
fn random_calls_return() {
    let mut random = Random(71);
    let (mut done, mut refused) = (0, 0);
    for _ in 0..12 {
        let (mut w, mut known, spaces) = world(&mut random);
        for round in 0..300 {
            // Memory is modified as by a shader.
            if random.below(3) == 0 {
                let at = number(&mut random, &known);
                let value = if random.below(2) == 0 { number(&mut random, &known) } else { u64::from(small(&mut random)) };
                if let Ok((memory, at)) = w.o.bytes_at("test", at, 8) {
                    memory.set_bits(at, 8, value);
                }
            }
            // Mostly unused memory.
            let space = |r: &mut Random, n: usize| if r.below(8) == 0 { number(r, &known) } else { known[spaces + n] };
            let packed =
                |r: &mut Random, n: usize| Strided { address: space(r, n), stride: if r.below(8) == 0 { u64::from(small(r)) } else { 0 } };
            let strided =
                |r: &mut Random| Strided { address: number(r, &known), stride: if r.below(3) == 0 { u64::from(small(r)) } else { 0 } };
            let operation = match random.below(5) {
                0 => Operation::Partitioned(
                    PartitionedDesc {
                        instances: small(&mut random),
                        max_in_partition: small(&mut random),
                        partitions: small(&mut random),
                        max_in_global: small(&mut random),
                        fast_build: random.below(2) == 0,
                        allow_translation: random.below(2) == 0,
                    },
                    PartitionedData {
                        source: if random.below(2) == 0 { 0 } else { number(&mut random, &known) },
                        dest: space(&mut random, 0),
                        scratch: space(&mut random, 1),
                        count: number(&mut random, &known),
                        operations: number(&mut random, &known),
                    },
                ),
                _ => Operation::Batch(
                    inputs(&mut random),
                    BatchData {
                        resolution: if random.below(8) == 0 { random.below(80) } else { 0 },
                        result: space(&mut random, 0),
                        scratch: space(&mut random, 1),
                        addresses: packed(&mut random, 2),
                        sizes: if random.below(2) == 0 { Strided::default() } else { packed(&mut random, 3) },
                        arguments: strided(&mut random),
                        count: if random.below(3) == 0 { number(&mut random, &known) } else { 0 },
                        tools: if random.below(8) == 0 { number(&mut random, &known) } else { 0 },
                    },
                ),
            };
            let all = |w: &World| {
                let bytes: Vec<Vec<u8>> = w.o.buffers.values().map(|b| b.to_vec()).collect();
                (bytes, w.o.placed.all())
            };
            // Checking everything is slow.
            let before = (round % 25 == 0).then(|| all(&w));
            match w.o.execute_operations(&[operation]) {
                Ok(()) => done += 1,
                Err(e) => {
                    refused += 1;
                    if let Some(before) = before {
                        assert!(before == all(&w), "something has changed, though: {e}");
                    }
                }
            }
            if let Operation::Batch(i, _) = operation {
                let _ = prebuild(&i);
            }
            let at = number(&mut random, &known);
            if let Ok(accel) = w.o.accel_at(at) {
                let _ = (w.o.top(accel).is_ok(), w.o.bottom(accel).is_ok(), w.o.accel_size(accel).is_ok());
            }
            known.push(at);
        }
    }
    assert!(done > 50 && refused > 1000, "{done} {refused}");
}
