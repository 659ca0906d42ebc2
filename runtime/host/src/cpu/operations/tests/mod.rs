//! Tests of operations in memory: shared helpers.

mod mistakes;
mod modes;
mod moves;
mod partitions;
mod random;

use super::*;
use crate::cpu::accel::Top;
use crate::cpu::accel::tests::{Random, closest, placed, ray, top};
use crate::device::*;
use std::sync::Arc;

/// A registry of objects with its memory.
#[derive(Default)]
pub struct World {
    pub o: Objects,
}

impl World {
    /// Allocates memory with these bytes and returns its address.
    pub fn put(&mut self, bytes: &[u8]) -> u64 {
        let buffer = self.o.create_buffer(bytes.len() as u64, bytes).unwrap();
        self.o.address(Addressed::Buffer(buffer)).unwrap()
    }
    pub fn numbers(&mut self, numbers: &[u64]) -> u64 {
        self.put(&numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
    }
    /// Allocates so many bytes and returns their address.
    pub fn space(&mut self, size: u64) -> u64 {
        self.put(&vec![0xcd; size as usize])
    }
    pub fn read(&self, address: u64, count: usize, stride: u64) -> Vec<u64> {
        let one = |i| {
            let (memory, at) = self.o.bytes_at("test", address + i as u64 * stride, 8).unwrap();
            memory.bits(at, 8).unwrap()
        };
        (0..count).map(one).collect()
    }
    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        let Some(DeviceAddress::Buffer(b, at)) = decode(address) else { panic!() };
        self.o.write_buffer(b, at, bytes).unwrap();
    }
    /// Batch data with scratch memory and these arguments.
    pub fn data<const N: usize>(&mut self, inputs: &Inputs, arguments: &[[u8; N]]) -> BatchData {
        let scratch = prebuild(inputs).unwrap().scratch;
        BatchData { scratch: self.space(scratch), arguments: Strided::packed(self.put(arguments.as_flattened())), ..BatchData::default() }
    }
    pub fn run(&mut self, inputs: &Inputs, data: BatchData) -> Result<()> {
        self.o.execute_operations(&[Operation::Batch(*inputs, data)])
    }
    /// Implicit mode: results in new memory; returns addresses and sizes.
    pub fn implicit<const N: usize>(&mut self, inputs: &Inputs, arguments: &[[u8; N]], space: u64) -> Result<Vec<(u64, u64)>> {
        let n = arguments.len();
        let mut data = self.data(inputs, arguments);
        data.result = self.space(space);
        data.addresses = Strided::packed(self.space(8 * n as u64));
        data.sizes = Strided::packed(self.space(8 * n as u64));
        self.run(inputs, data)?;
        Ok(self.read(data.addresses.address, n, 8).into_iter().zip(self.read(data.sizes.address, n, 8)).collect())
    }
    /// Builds in implicit mode.
    pub fn build<const N: usize>(&mut self, inputs: &Inputs, arguments: &[[u8; N]]) -> Vec<(u64, u64)> {
        let space = prebuild(inputs).unwrap().result;
        self.implicit(inputs, arguments, space).unwrap()
    }
    /// Sizes mode.
    pub fn sizes<const N: usize>(&mut self, inputs: &Inputs, arguments: &[[u8; N]]) -> Vec<u64> {
        let mut data = self.data(inputs, arguments);
        data.sizes = Strided::packed(self.space(8 * arguments.len() as u64));
        self.run(inputs, data).unwrap();
        self.read(data.sizes.address, arguments.len(), 8)
    }
    /// A structure of clusters, and a top-level structure with one instance of it.
    pub fn bottom(&mut self, clusters: &[u64]) -> (u64, Top) {
        let list = self.numbers(clusters);
        let arguments = BottomArgs { count: clusters.len() as u32, stride: 0, clusters: list };
        let inputs = Inputs::Bottoms(bottoms(1, clusters.len() as u32));
        let made = self.build(&inputs, &[arguments.to_bytes()])[0].0;
        (made, self.seen(made))
    }
    /// A top-level structure with one instance of a structure of clusters.
    pub fn seen(&mut self, bottom: u64) -> Top {
        let accel = self.o.accel_at(bottom).unwrap();
        top(&[placed(self.o.bottom(accel).unwrap())])
    }
    /// Writes a mesh to memory.
    pub fn cluster(&mut self, m: &Mesh) -> ClusterArgs {
        let positions: Vec<u8> = m.positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        ClusterArgs {
            id: m.id,
            triangles: m.indices.len() as u32 / 3,
            vertices: m.positions.len() as u32,
            base_geometry: m.geometry,
            vertex_buffer: self.put(&positions),
            index_buffer: self.put(&m.indices.iter().map(|&i| i as u8).collect::<Vec<_>>()),
            ..ClusterArgs::default()
        }
    }
}

/// The triangles of a cluster.
pub struct Mesh {
    pub id: u32,
    pub geometry: u32,
    pub positions: Vec<[f32; 3]>,
    pub indices: Vec<u32>,
}

impl Mesh {
    pub fn random(random: &mut Random, id: u32) -> Mesh {
        let vertices = 1 + random.below(64);
        let at = random.point(4.0);
        let positions = (0..vertices)
            .map(|_| {
                let p = random.point(1.0);
                std::array::from_fn(|a| at[a] + p[a])
            })
            .collect();
        let indices = (0..3 * random.below(CLUSTER_MAX as u32 + 1)).map(|_| random.below(vertices)).collect();
        Mesh { id, geometry: random.below(9), positions, indices }
    }
    /// The same, built by handle.
    pub fn by_number(&self, o: &mut Objects) -> Cluster {
        let mut desc = ClusterDesc::new(self.id, self.positions.clone(), self.indices.clone());
        desc.base_geometry = self.geometry;
        o.build_cluster(&desc).unwrap()
    }
}

/// Limits that every test satisfies.
pub fn limits(max_args: u32) -> ClusterLimits {
    ClusterLimits {
        max_args,
        max_geometry_index: MAX_GEOMETRY_INDEX,
        max_unique_geometries: 256,
        max_triangles: 256,
        max_vertices: 256,
        max_total_triangles: 256 * max_args,
        max_total_vertices: 256 * max_args,
        max_micromap_indices: 256,
    }
}

pub fn clusters(max_args: u32) -> BuildClusters {
    BuildClusters { limits: limits(max_args), indices: IndexFormat::Uint8, ..BuildClusters::default() }
}

pub fn bottoms(max_args: u32, max: u32) -> BuildBottoms {
    BuildBottoms { max_args, max_total_clusters: max, max_clusters_per_arg: max, ..BuildBottoms::default() }
}

/// Checks that random rays get the same results from both; returns the number of hits.
pub fn same(a: &Top, b: &Top, random: &mut Random) -> u32 {
    let mut hits = 0;
    for _ in 0..60 {
        let (from, to) = (random.point(9.0), random.point(4.0));
        let r = ray(from, std::array::from_fn(|i| to[i] - from[i]));
        let (a, b) = (closest(a, r, 0), closest(b, r, 0));
        let strip = |h: crate::cpu::accel::Hit| (h.cluster, h.geometry, h.primitive, h.t.to_bits());
        assert_eq!(a.map(strip), b.map(strip));
        hits += u32::from(a.is_some());
    }
    hits
}

/// The error of a call must contain `what`.
#[track_caller]
pub fn refused(result: Result<impl Sized>, what: &str) {
    let e = result.err().expect("an error");
    assert!(e.message.contains(what), "{e}\nlacks `{what}`");
}
