//! Partitioned structures by address are equivalent to those by handle.

use super::*;

const DESC: PartitionedDesc =
    PartitionedDesc { instances: 12, max_in_partition: 12, partitions: 3, max_in_global: 12, fast_build: false, allow_translation: true };

/// The addresses of a structure and its changes.
struct Table {
    data: PartitionedData,
}

impl Table {
    fn new(w: &mut World) -> Table {
        let needs = prebuild(&Inputs::Partitioned(DESC)).unwrap();
        let data = PartitionedData { dest: w.space(needs.result), scratch: w.space(needs.scratch), ..PartitionedData::default() };
        Table { data }
    }
    /// Applies changes, given as bytes of arguments.
    fn change(&mut self, w: &mut World, changes: &[(ChangeKind, Vec<Vec<u8>>)]) -> Result<()> {
        let operations: Vec<u8> = changes
            .iter()
            .flat_map(|(kind, list)| {
                let at = w.put(&list.concat());
                ChangeArgs { kind: *kind as u32, count: list.len() as u32, arguments: Strided::packed(at) }.to_bytes()
            })
            .collect();
        self.data.count = w.put(&(changes.len() as u32).to_le_bytes());
        self.data.operations = w.put(&operations);
        w.o.execute_operations(&[Operation::Partitioned(DESC, self.data)])
    }
}

fn write(index: u32, partition: u32, bottom: u64, at: [f32; 3]) -> WriteInstanceArgs {
    let mut transform = IDENTITY;
    (0..3).for_each(|a| transform[a][3] = at[a]);
    WriteInstanceArgs {
        transform,
        id: index + 0x8000_0000,
        mask: 255,
        hit_group_offset: 1,
        flags: 0,
        bottom,
        index,
        partition,
        bounds: [0.0; 6],
    }
}

/// A structure of triangles by handle, and one of clusters by address.
fn shapes(w: &mut World, random: &mut Random) -> [u64; 2] {
    let positions = (0..30).map(|_| random.point(1.0)).collect();
    let data = GeometryData::Triangles { positions, indices: None, transform: None };
    let plain = w.o.build_bottom(&BottomDesc { geometries: vec![Geometry::new(data, 0)], flags: BuildFlags::default() }).unwrap();
    let plain = w.o.address(Addressed::Accel(plain)).unwrap();
    let arguments: Vec<[u8; 80]> = (0..3).map(|id| w.cluster(&Mesh::random(random, id)).to_bytes()).collect();
    let clusters: Vec<u64> = w.build(&Inputs::Clusters(clusters(3)), &arguments).iter().map(|c| c.0).collect();
    [plain, w.bottom(&clusters).0]
}

#[test]
fn changes_in_memory_are_changes_by_number() {
    let mut random = Random(61);
    let mut w = World::default();
    let shapes = shapes(&mut w, &mut random);
    let named = shapes.map(|s| w.o.accel_at(s).unwrap());
    let mut table = Table::new(&mut w);
    table.change(&mut w, &[]).unwrap();
    let by_address = w.o.accel_at(table.data.dest).unwrap();
    let by_number = w.o.build_partitioned(&DESC, &PartitionedChanges::default()).unwrap();
    let (mut hits, mut written) = (0, [false; 12]);
    for round in 0..30 {
        // In place, or with another destination.
        table.data.source = table.data.dest;
        if round % 5 == 4 {
            table.data.dest = w.space(prebuild(&Inputs::Partitioned(DESC)).unwrap().result);
        }
        let mut order: Vec<u32> = (0..12).collect();
        (0..12).for_each(|i| order.swap(i, random.below(12) as usize));
        let mut changes = PartitionedChanges::default();
        let mut kinds = vec![(ChangeKind::Translate, Vec::new()), (ChangeKind::Update, Vec::new()), (ChangeKind::Write, Vec::new())];
        for _ in 0..random.below(5) {
            let Some(index) = order.pop() else { break };
            let which = random.below(2) as usize;
            let a = write(index, if index % 4 == 3 { GLOBAL_PARTITION } else { index % 4 }, shapes[which], random.point(4.0));
            written[index as usize] = true;
            kinds[2].1.push(a.to_bytes().to_vec());
            let instance =
                Instance { bottom: Some(named[which]), transform: a.transform, id: a.id, mask: 255, hit_group_offset: 1, flags: 0 };
            changes.writes.push(PartitionedWrite { index, partition: a.partition, instance, bounds: a.bounds });
        }
        for index in order.into_iter().filter(|&i| written[i as usize]).take(2) {
            let which = random.below(2) as usize;
            kinds[1].1.push(UpdateInstanceArgs { index, hit_group_offset: 7, bottom: shapes[which] }.to_bytes().to_vec());
            changes.updates.push(PartitionedUpdate { index, bottom: named[which], hit_group_offset: 7 });
        }
        let by = random.point(2.0);
        kinds[0].1.push(TranslatePartitionArgs { partition: round % 3, by }.to_bytes().to_vec());
        changes.translations.push(PartitionTranslation { partition: round % 3, by });
        table.change(&mut w, &kinds).unwrap();
        w.o.update_partitioned(by_number, &DESC, &changes).unwrap();
        let there = w.o.accel_at(table.data.dest).unwrap();
        assert_eq!(there == by_address, round < 4);
        let (a, b) = (w.o.top(there).unwrap().clone(), w.o.top(by_number).unwrap().clone());
        assert_eq!(a, b);
        hits += same(&a, &b, &mut random);
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn mistakes_are_named() {
    let mut random = Random(67);
    let mut w = World::default();
    let shapes = shapes(&mut w, &mut random);
    let mut table = Table::new(&mut w);
    let base = write(1, 0, shapes[0], [0.0; 3]);
    let writes = |w: &mut World, t: &mut Table, a: WriteInstanceArgs, what: &str| {
        refused(t.change(w, &[(ChangeKind::Write, vec![a.to_bytes().to_vec()])]), what);
    };
    let place = "operation 0 (PARTITIONED_TLAS): WRITE_INSTANCE, argument 0: ";
    writes(&mut w, &mut table, WriteInstanceArgs { mask: 256, ..base }, &format!("{place}InstanceMask: 0x100"));
    writes(
        &mut w,
        &mut table,
        WriteInstanceArgs { bottom: 8, ..base },
        "AccelerationStructure: expected a bottom-level structure at address 0x8",
    );
    writes(&mut w, &mut table, WriteInstanceArgs { bottom: shapes[1] + 8, ..base }, "AccelerationStructure: address");
    writes(&mut w, &mut table, WriteInstanceArgs { bottom: shapes[1] + 256, ..base }, "AccelerationStructure: no object at address");
    writes(&mut w, &mut table, WriteInstanceArgs { hit_group_offset: 1 << 24, ..base }, "24 bits");
    writes(&mut w, &mut table, WriteInstanceArgs { flags: 0x80, ..base }, "0x80");
    writes(&mut w, &mut table, WriteInstanceArgs { index: 12, ..base }, "instance 12");
    writes(&mut w, &mut table, WriteInstanceArgs { partition: 3, ..base }, "partition 3");
    let update = UpdateInstanceArgs { index: 1, hit_group_offset: 0, bottom: 0 }.to_bytes().to_vec();
    refused(
        table.change(&mut w, &[(ChangeKind::Update, vec![update])]),
        "UPDATE_INSTANCE, argument 0: AccelerationStructure: an update must not disable",
    );
    refused(
        table.change(&mut w, &[(ChangeKind::Write, vec![]), (ChangeKind::Write, vec![])]),
        "IndirectPartitionedTlasOps[1]: duplicate WRITE_INSTANCE",
    );
    let none = vec![(ChangeKind::Write, vec![]); 4];
    refused(table.change(&mut w, &none), "IndirectPartitionedTlasOpCount: 4");
    // Memory may contain anything.
    table.change(&mut w, &[(ChangeKind::Write, vec![base.to_bytes().to_vec()])]).unwrap();
    let good = table.data;
    let call = |w: &mut World, data: PartitionedData, what: &str| {
        refused(w.o.execute_operations(&[Operation::Partitioned(DESC, data)]), what);
    };
    let odd = w.put(&ChangeArgs { kind: 3, count: 1, arguments: Strided::packed(good.count) }.to_bytes());
    call(&mut w, PartitionedData { operations: odd, ..good }, "IndirectPartitionedTlasOps[0]: unknown Type 3");
    let short = w.put(&ChangeArgs { kind: 0, count: 2, arguments: Strided::packed(good.count) }.to_bytes());
    call(&mut w, PartitionedData { operations: short, ..good }, "IndirectPartitionedTlasOps[0] (WRITE_INSTANCE): ArgData: 208 bytes");
    let stride = w.put(&ChangeArgs { kind: 2, count: 1, arguments: Strided { address: good.count, stride: 18 } }.to_bytes());
    call(&mut w, PartitionedData { operations: stride, ..good }, "ArgData: stride 18");
    call(&mut w, PartitionedData { operations: good.operations + 4, ..good }, "IndirectPartitionedTlasOps: address");
    call(&mut w, PartitionedData { count: 0, ..good }, "IndirectPartitionedTlasOpCount: address 0x0");
    call(&mut w, PartitionedData { dest: 0, ..good }, "DestAccelerationStructureData: address 0x0");
    call(&mut w, PartitionedData { dest: good.dest + 256, ..good }, "DestAccelerationStructureData: ");
    call(&mut w, PartitionedData { dest: good.dest + 1, ..good }, "DestAccelerationStructureData: address");
    call(&mut w, PartitionedData { scratch: 0, ..good }, "ScratchAccelerationStructureData: must not be null");
    call(&mut w, PartitionedData { scratch: good.dest, ..good }, "overlap");
    call(&mut w, PartitionedData { source: good.scratch, ..good }, "SourceAccelerationStructureData: no object at address");
    call(&mut w, PartitionedData { source: shapes[1], ..good }, "SourceAccelerationStructureData: expected a partitioned structure");
    // A partitioned structure is not moved by cluster operations.
    let inputs = Inputs::Move(MoveObjects { max_args: 1, max_bytes: 1 << 30, ..MoveObjects::default() });
    refused(w.implicit(&inputs, &[good.dest.to_le_bytes()], 1 << 20), "found a partitioned structure");
    let accel = w.o.accel_at(good.dest).unwrap();
    refused(w.o.clone_accel(accel), "only partitioned operations can change it");
    refused(w.o.update_top(accel, &TopDesc::default()), "only partitioned operations can change it");
}
