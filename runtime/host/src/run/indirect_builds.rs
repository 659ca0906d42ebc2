//! Acceleration structures of a scene that indirect operations build, with arguments in device memory.
//!
//! Arguments go into buffers of their own; nothing is reused, since a scene is built once. Moved clusters are packed into new memory,
//! and where they were is overwritten, so that nothing can still be found there.

use crate::device::{
    Accel, Addressed, BottomArgs, Buffer, BuildBottoms, BuildClusters, BuildTemplates, ChangeArgs, ChangeKind, ClusterArgs, ClusterDesc,
    ClusterLimits, ClusterPositions, ClusterTemplateDesc, Device, IndexFormat, Inputs, InstantiateArgs, InstantiateTemplates,
    MAX_GEOMETRY_INDEX, MoveKind, MoveObjects, OPERATION_ALLOW_OMM, Operation, OperationMode, PartitionedChanges, PartitionedData,
    PartitionedDesc, Strided, TemplateArgs, TranslatePartitionArgs, UpdateInstanceArgs, VertexFormat, WriteInstanceArgs,
};
use crate::device::{BatchData, CLUSTER_ALLOW_DATA_ACCESS, CLUSTER_ALLOW_DISABLE_OMMS};
use crate::error::{ErrorKind, Result, RunError};
use crate::scene::{ClusterSource, DestinationMode, TemplateSource};

/// Allocates memory with these bytes; returns its address.
fn put(device: &mut dyn Device, bytes: &[u8]) -> Result<u64> {
    Ok(space(device, bytes.len() as u64, bytes)?.1)
}

fn space(device: &mut dyn Device, size: u64, bytes: &[u8]) -> Result<(Buffer, u64)> {
    let buffer = device.create_buffer(size.max(1), bytes)?;
    Ok((buffer, device.address(Addressed::Buffer(buffer))?))
}

fn words(list: impl IntoIterator<Item = u32>) -> Vec<u8> {
    list.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn floats(list: &[[f32; 3]]) -> Vec<u8> {
    list.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// The results of a batch.
struct BatchResults {
    addresses: Vec<u64>,
    sizes: Vec<u64>,
    memory: Option<Buffer>,
}

/// Executes a batch; `inputs` returns its inputs for a mode.
fn batch(
    device: &mut dyn Device,
    destinations: DestinationMode,
    count: u32,
    arguments: &[u8],
    inputs: &dyn Fn(OperationMode) -> Inputs,
) -> Result<BatchResults> {
    let numbers = |device: &mut dyn Device, buffer: Buffer| -> Result<Vec<u64>> {
        let bytes = device.read_buffer(buffer)?;
        let all = bytes.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default()));
        Ok(all.take(count as usize).collect())
    };
    let arguments = Strided::packed(put(device, arguments)?);
    let sizes = space(device, 8 * u64::from(count), &[])?;
    let run = |device: &mut dyn Device, inputs: Inputs, data: BatchData| {
        let scratch = device.operation_sizes(&inputs)?.scratch;
        let scratch = space(device, scratch, &[])?.1;
        let data = BatchData { scratch, arguments, sizes: Strided::packed(sizes.1), ..data };
        device.execute_operations(&[Operation::Batch(inputs, data)])
    };
    if destinations == DestinationMode::Explicit {
        run(device, inputs(OperationMode::GetSizes), BatchData::default())?;
        // Allocated from the end of the memory, by the returned sizes.
        let result_sizes = numbers(device, sizes.0)?;
        let all: u64 = result_sizes.iter().sum();
        let memory = space(device, all, &[])?;
        let mut end = memory.1 + all;
        let addresses: Vec<u64> = result_sizes
            .iter()
            .map(|n| {
                end -= n;
                end
            })
            .collect();
        let list = put(device, &addresses.iter().flat_map(|p| p.to_le_bytes()).collect::<Vec<_>>())?;
        run(device, inputs(OperationMode::Explicit), BatchData { addresses: Strided::packed(list), ..BatchData::default() })?;
        return Ok(BatchResults { addresses, sizes: numbers(device, sizes.0)?, memory: None });
    }
    let implicit = inputs(OperationMode::Implicit);
    let needs = device.operation_sizes(&implicit)?;
    let memory = space(device, needs.result, &[])?;
    let list = space(device, 8 * u64::from(count), &[])?;
    run(device, implicit, BatchData { result: memory.1, addresses: Strided::packed(list.1), ..BatchData::default() })?;
    Ok(BatchResults { addresses: numbers(device, list.0)?, sizes: numbers(device, sizes.0)?, memory: Some(memory.0) })
}

/// Packs objects into new memory and overwrites where they were.
fn moved(device: &mut dyn Device, kind: MoveKind, made: BatchResults) -> Result<BatchResults> {
    let total: u64 = made.sizes.iter().sum();
    let count = made.addresses.len() as u32;
    let arguments: Vec<u8> = made.addresses.iter().flat_map(|a| a.to_le_bytes()).collect();
    let inputs =
        Inputs::Move(MoveObjects { flags: OPERATION_ALLOW_OMM, max_args: count, mode: OperationMode::Implicit, kind, max_bytes: total });
    let needs = device.operation_sizes(&inputs)?;
    let memory = space(device, total, &[])?;
    let list = space(device, 8 * u64::from(count), &[])?;
    let data = BatchData {
        result: memory.1,
        scratch: space(device, needs.scratch, &[])?.1,
        addresses: Strided::packed(list.1),
        arguments: Strided::packed(put(device, &arguments)?),
        ..BatchData::default()
    };
    device.execute_operations(&[Operation::Batch(inputs, data)])?;
    if let Some(old) = made.memory {
        let size = device.read_buffer(old)?.len();
        device.write_buffer(old, 0, &vec![0; size])?;
    }
    let bytes = device.read_buffer(list.0)?;
    let addresses: Vec<u64> = bytes.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default())).collect();
    Ok(BatchResults { addresses: addresses[..made.addresses.len()].to_vec(), sizes: made.sizes, memory: Some(memory.0) })
}

/// What clusters allow.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    /// Shaders may read vertex positions.
    pub positions: bool,
    /// Instances may disable micromaps.
    pub disable_omms: bool,
}

/// The arguments of a cluster, with all that they point to in memory.
fn cluster(device: &mut dyn Device, desc: &ClusterDesc, allowed: Allowed) -> Result<ClusterArgs> {
    let ClusterPositions::Float(positions) = &desc.positions else {
        return Err(RunError::new(ErrorKind::Scene, "scenes cannot have compressed positions"));
    };
    let mut flags = if allowed.positions { CLUSTER_ALLOW_DATA_ACCESS } else { 0 };
    flags |= if allowed.disable_omms { CLUSTER_ALLOW_DISABLE_OMMS } else { 0 };
    let mut out = ClusterArgs {
        id: desc.id,
        flags,
        triangles: desc.indices.len() as u32 / 3,
        vertices: desc.indices.iter().collect::<rustc_hash::FxHashSet<_>>().len() as u32,
        truncate_bits: desc.truncate_bits,
        base_geometry: desc.base_geometry,
        ..ClusterArgs::default()
    };
    // Values that do not fit the bit fields would be truncated.
    if !desc.indices.len().is_multiple_of(3) || out.triangles > 256 || out.vertices > 256 || desc.truncate_bits > 32 {
        let why = format!(
            "a cluster of {} indices and {} vertices, {} bits cut off: at most 256 triangles and vertices and 32 bits are possible",
            desc.indices.len(),
            out.vertices,
            desc.truncate_bits
        );
        return Err(RunError::new(ErrorKind::Binding, why));
    }
    out.index_buffer = put(device, &words(desc.indices.iter().copied()))?;
    if !positions.is_empty() {
        out.vertex_buffer = put(device, &floats(positions))?;
    }
    if !desc.geometries.is_empty() {
        out.geometries = put(device, &words(desc.geometries.iter().copied()))?;
    }
    if let Some(m) = &desc.micromaps {
        let Some(array) = m.array else {
            let why = "micromaps of clusters in memory need an array: indices alone are not enough";
            return Err(RunError::new(ErrorKind::Binding, why));
        };
        out.micromaps = device.address(Addressed::Micromaps(array))?;
        out.micromap_base = m.base;
        if let Some(list) = &m.indices {
            out.micromap_indices = put(device, &words(list.iter().map(|&i| i as u32)))?;
        }
    }
    Ok(out)
}

fn limits(count: u32, max_geometry: u32) -> ClusterLimits {
    ClusterLimits {
        max_args: count,
        max_geometry_index: max_geometry,
        max_unique_geometries: 256,
        max_triangles: 256,
        max_vertices: 256,
        max_total_triangles: count.saturating_mul(256),
        max_total_vertices: count.saturating_mul(256),
        max_micromap_indices: 256,
    }
}

/// Builds a structure of clusters.
pub(super) fn bottom(
    device: &mut dyn Device,
    clusters: &[ClusterSource],
    templates: &[TemplateSource],
    destinations: DestinationMode,
    allowed: Allowed,
) -> Result<Accel> {
    let mut addresses = vec![0; clusters.len()];
    for (i, c) in clusters.iter().enumerate() {
        // Each may have limits of its own, and so has a batch of its own.
        let made = match c {
            ClusterSource::Built(desc, micromaps) => {
                let desc = ClusterSource::finished(desc, micromaps.as_ref(), device)?;
                let arguments = cluster(device, &desc, allowed)?;
                batch(device, destinations, 1, &arguments.to_bytes(), &|mode| {
                    Inputs::Clusters(BuildClusters {
                        limits: limits(1, desc.max_geometry),
                        flags: OPERATION_ALLOW_OMM,
                        mode,
                        vertices: VertexFormat::Float32x3,
                        indices: IndexFormat::Uint32,
                        micromap_indices: IndexFormat::Uint32,
                        ..BuildClusters::default()
                    })
                })?
            }
            ClusterSource::Of { template, id_offset, geometry_offset, positions } => {
                let source = &templates[*template];
                let at = self::template(device, source, destinations, allowed)?;
                let arguments = InstantiateArgs {
                    geometry_offset: *geometry_offset,
                    id_offset: *id_offset,
                    template: at,
                    vertices: Strided::packed(put(device, &floats(positions))?),
                };
                batch(device, destinations, 1, &arguments.to_bytes(), &|mode| {
                    Inputs::Instantiate(InstantiateTemplates {
                        limits: limits(1, source.desc.cluster.max_geometry),
                        flags: OPERATION_ALLOW_OMM,
                        mode,
                        vertices: VertexFormat::Float32x3,
                    })
                })?
            }
        };
        let made = if destinations == DestinationMode::Moved { moved(device, MoveKind::Cluster, made)? } else { made };
        addresses[i] = made.addresses[0];
    }
    let count = addresses.len() as u32;
    let list = put(device, &addresses.iter().flat_map(|p| p.to_le_bytes()).collect::<Vec<_>>())?;
    let arguments = BottomArgs { count, stride: 0, clusters: list };
    let made = batch(device, destinations, 1, &arguments.to_bytes(), &|mode| {
        let (flags, max_args) = (OPERATION_ALLOW_OMM, 1);
        Inputs::Bottoms(BuildBottoms { flags, max_args, mode, max_total_clusters: count, max_clusters_per_arg: count })
    })?;
    let made = if destinations == DestinationMode::Moved { moved(device, MoveKind::Bottom, made)? } else { made };
    device.accel_at(made.addresses[0])
}

fn template(device: &mut dyn Device, source: &TemplateSource, destinations: DestinationMode, allowed: Allowed) -> Result<u64> {
    let ClusterTemplateDesc { cluster: desc, bounds, compressed, .. } = &source.desc;
    let desc = ClusterSource::finished(desc, source.micromaps.as_ref(), device)?;
    let arguments = cluster(device, &desc, allowed)?;
    let limit = match (bounds, compressed) {
        (_, Some(c)) => TemplateArgs::compressed(c),
        (Some(b), None) => put(device, &b.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())?,
        (None, None) => 0,
    };
    let arguments = TemplateArgs { cluster: arguments, limit };
    let instances = if compressed.is_some() { VertexFormat::Compressed1 } else { VertexFormat::Float32x3 };
    let made = batch(device, destinations, 1, &arguments.to_bytes(), &|mode| {
        Inputs::Templates(BuildTemplates {
            limits: limits(1, desc.max_geometry.min(MAX_GEOMETRY_INDEX)),
            flags: OPERATION_ALLOW_OMM,
            mode,
            hints: VertexFormat::Float32x3,
            instances,
            indices: IndexFormat::Uint32,
            micromap_indices: IndexFormat::Uint32,
            ..BuildTemplates::default()
        })
    })?;
    let made = if destinations == DestinationMode::Moved { moved(device, MoveKind::Template, made)? } else { made };
    Ok(made.addresses[0])
}

/// A partitioned structure in memory.
pub(super) struct Partitions {
    desc: PartitionedDesc,
    data: PartitionedData,
}

impl Partitions {
    /// Builds one: a table of inactive instances, then the changes.
    ///
    /// # Errors
    /// Those of the device.
    pub fn build(device: &mut dyn Device, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<Partitions> {
        let needs = device.operation_sizes(&Inputs::Partitioned(*desc))?;
        let data = PartitionedData {
            dest: space(device, needs.result, &[])?.1,
            scratch: space(device, needs.scratch, &[])?.1,
            ..PartitionedData::default()
        };
        let mut out = Partitions { desc: *desc, data };
        out.change(device, changes)?;
        out.data.source = out.data.dest;
        Ok(out)
    }

    /// Changes it in place.
    ///
    /// # Errors
    /// Those of the device.
    pub fn change(&mut self, device: &mut dyn Device, c: &PartitionedChanges) -> Result<()> {
        let address = |device: &mut dyn Device, accel: Option<Accel>| match accel {
            None => Ok(0),
            Some(a) => device.address(Addressed::Accel(a)),
        };
        let (mut writes, mut updates, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for w in &c.writes {
            let i = &w.instance;
            let arguments = WriteInstanceArgs {
                transform: i.transform,
                id: i.id,
                mask: i.mask.into(),
                hit_group_offset: i.hit_group_offset,
                flags: i.flags,
                bottom: address(device, i.bottom)?,
                index: w.index,
                partition: w.partition,
                bounds: w.bounds,
            };
            writes.extend(arguments.to_bytes());
        }
        for u in &c.updates {
            let bottom = address(device, Some(u.bottom))?;
            updates.extend(UpdateInstanceArgs { index: u.index, hit_group_offset: u.hit_group_offset, bottom }.to_bytes());
        }
        for t in &c.translations {
            moves.extend(TranslatePartitionArgs { partition: t.partition, by: t.by }.to_bytes());
        }
        let mut operations = Vec::new();
        for (kind, bytes, count) in [
            (ChangeKind::Write, writes, c.writes.len()),
            (ChangeKind::Update, updates, c.updates.len()),
            (ChangeKind::Translate, moves, c.translations.len()),
        ] {
            let arguments = Strided::packed(put(device, &bytes)?);
            operations.extend(ChangeArgs { kind: kind as u32, count: count as u32, arguments }.to_bytes());
        }
        self.data.count = put(device, &3u32.to_le_bytes())?;
        self.data.operations = put(device, &operations)?;
        device.execute_operations(&[Operation::Partitioned(self.desc, self.data)])
    }

    /// Its handle.
    ///
    /// # Errors
    /// Those of the device.
    pub fn accel(&self, device: &mut dyn Device) -> Result<Accel> {
        device.accel_at(self.data.dest)
    }
}
