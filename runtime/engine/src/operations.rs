//! Descriptions of indirect operations on acceleration structures (raytracing2, `ExecuteIndirectRTASOperations`): builds, moves and size
//! queries of clusters, templates, structures of clusters and partitioned structures, with arguments in device memory.
//!
//! Objects are named by address. [`Inputs`] has the limits of a batch, which is all that its size depends on; [`BatchData`] and
//! [`PartitionedData`] say where arguments and results are. Arguments are laid out as the specification's structures; numbers and flags here
//! are its numbers too.

/// An address and the distance of elements in bytes; 0: as long as an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strided {
    /// Where the first element is; 0: nothing.
    pub address: u64,
    /// From one element to the next.
    pub stride: u64,
}

impl Strided {
    /// Elements without gaps.
    pub fn packed(address: u64) -> Strided {
        Strided { address, stride: 0 }
    }
}

/// Byte alignment of structures of clusters, partitioned structures and scratch memory.
pub const BOTTOM_ALIGNMENT: u64 = 256;
/// Byte alignment of clusters.
pub const CLUSTER_ALIGNMENT: u64 = 128;
/// Byte alignment of templates, and of the bounds of their instances.
pub const TEMPLATE_ALIGNMENT: u64 = 32;

/// Take longer for faster traces.
pub const OPERATION_FAST_TRACE: u32 = 0x4;
/// Be fast, for slower traces.
pub const OPERATION_FAST_OPERATION: u32 = 0x8;
/// Of moves: no source overlaps a destination.
pub const MOVE_NO_OVERLAP: u32 = 0x200;
/// Objects may have micromaps.
pub const OPERATION_ALLOW_OMM: u32 = 0x400;

/// [`BatchData::result`] is the address of an address.
pub const INDIRECT_RESULT: u32 = 0x1;
/// [`BatchData::scratch`] is the address of an address.
pub const INDIRECT_SCRATCH: u32 = 0x2;
/// [`BatchData::addresses`] is the address of an address.
pub const INDIRECT_ADDRESSES: u32 = 0x4;
/// [`BatchData::sizes`] is the address of an address.
pub const INDIRECT_SIZES: u32 = 0x8;
/// [`BatchData::arguments`] is the address of an address.
pub const INDIRECT_ARGUMENTS: u32 = 0x10;
/// [`BatchData::count`] is the address of an address.
pub const INDIRECT_COUNT: u32 = 0x20;

/// What determines the addresses of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OperationMode {
    /// The device, within [`BatchData::result`]; it returns the addresses.
    #[default]
    Implicit = 0,
    /// The host, an address for each.
    Explicit = 1,
    /// Nothing is built; the sizes are returned.
    GetSizes = 2,
}

/// What is moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveKind {
    /// Structures of clusters.
    #[default]
    Bottom = 0,
    /// Clusters.
    Cluster = 1,
    /// Templates.
    Template = 2,
}

/// The format of positions in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum VertexFormat {
    Float32x2 = 1,
    #[default]
    Float32x3 = 2,
    Float16x2 = 3,
    Float16x3 = 4,
    Unorm16x2 = 5,
    Unorm16x3 = 6,
    Snorm16x2 = 7,
    Snorm16x3 = 8,
    Unorm8x2 = 9,
    Unorm8x3 = 10,
    Snorm8x2 = 11,
    Snorm8x3 = 12,
    Unorm10_10_10_2 = 13,
    Compressed1 = 14,
}

/// What a coordinate is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Coordinate {
    Float32,
    Float16,
    Unorm(u32),
    Snorm(u32),
}

impl VertexFormat {
    /// Every format: what a coordinate is, and how many there are. Compressed positions are not made of coordinates.
    #[rustfmt::skip]
    pub const ALL: [(VertexFormat, Coordinate, u32); 14] = [
        (VertexFormat::Float32x2,       Coordinate::Float32,   2),
        (VertexFormat::Float32x3,       Coordinate::Float32,   3),
        (VertexFormat::Float16x2,       Coordinate::Float16,   2),
        (VertexFormat::Float16x3,       Coordinate::Float16,   3),
        (VertexFormat::Unorm16x2,       Coordinate::Unorm(16), 2),
        (VertexFormat::Unorm16x3,       Coordinate::Unorm(16), 3),
        (VertexFormat::Snorm16x2,       Coordinate::Snorm(16), 2),
        (VertexFormat::Snorm16x3,       Coordinate::Snorm(16), 3),
        (VertexFormat::Unorm8x2,        Coordinate::Unorm(8),  2),
        (VertexFormat::Unorm8x3,        Coordinate::Unorm(8),  3),
        (VertexFormat::Snorm8x2,        Coordinate::Snorm(8),  2),
        (VertexFormat::Snorm8x3,        Coordinate::Snorm(8),  3),
        (VertexFormat::Unorm10_10_10_2, Coordinate::Unorm(10), 3),
        (VertexFormat::Compressed1,     Coordinate::Float32,   0),
    ];
    /// What a coordinate is.
    pub fn coordinate(self) -> Coordinate {
        VertexFormat::ALL[self as usize - 1].1
    }
    /// Coordinates in memory; a third one that is not there is 0.
    pub fn coordinates(self) -> u32 {
        VertexFormat::ALL[self as usize - 1].2
    }
    /// Bytes that addresses and strides are multiples of.
    pub fn alignment(self) -> u64 {
        match (self, self.coordinate()) {
            (VertexFormat::Unorm10_10_10_2, _) | (_, Coordinate::Float32) => 4,
            (_, Coordinate::Float16) => 2,
            (_, Coordinate::Unorm(bits) | Coordinate::Snorm(bits)) => u64::from(bits / 8),
        }
    }
    /// Bytes of a vertex; of compressed ones, of the header before all of them.
    pub fn size(self) -> u64 {
        match self {
            VertexFormat::Compressed1 => 12,
            VertexFormat::Unorm10_10_10_2 => 4,
            _ => self.alignment() * u64::from(self.coordinates()),
        }
    }
}

/// The format of indices in memory; the value is their size in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum IndexFormat {
    #[default]
    None = 0,
    Uint8 = 1,
    Uint16 = 2,
    Uint32 = 4,
}

/// What the clusters or templates of a batch are at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClusterLimits {
    /// Arguments.
    pub max_args: u32,
    /// Geometry index.
    pub max_geometry_index: u32,
    /// Different geometry indices with their flags in one; 0 is 1.
    pub max_unique_geometries: u32,
    /// Triangles of one, up to 256.
    pub max_triangles: u32,
    /// Different indices of one, up to 256.
    pub max_vertices: u32,
    /// Triangles of all.
    pub max_total_triangles: u32,
    /// Different indices of each, summed up.
    pub max_total_vertices: u32,
    /// Triangles of one that have a micromap.
    pub max_micromap_indices: u32,
}

/// Clusters from triangles. Arguments have 80 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildClusters {
    /// Limits.
    pub limits: ClusterLimits,
    /// `OPERATION_…`.
    pub flags: u32,
    /// Where results go.
    pub mode: OperationMode,
    /// Format of positions.
    pub vertices: VertexFormat,
    /// Format of indices; there must be some.
    pub indices: IndexFormat,
    /// Format of indices into the array of geometries.
    pub geometry_indices: IndexFormat,
    /// Format of indices into the array of micromaps.
    pub micromap_indices: IndexFormat,
    /// At least as many bits of each coordinate are made zero, unless positions are compressed.
    pub min_truncate_bits: u32,
    /// Bytes of the compressed positions of one cluster, at most.
    pub max_compressed_size: u32,
}

/// Templates from triangles. Arguments have 88 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildTemplates {
    /// Limits.
    pub limits: ClusterLimits,
    /// `OPERATION_…`.
    pub flags: u32,
    /// Where results go.
    pub mode: OperationMode,
    /// Format of the positions that are a hint.
    pub hints: VertexFormat,
    /// Instances have positions as precise as this.
    pub instances: VertexFormat,
    /// Format of indices; there must be some.
    pub indices: IndexFormat,
    /// Format of indices into the array of geometries.
    pub geometry_indices: IndexFormat,
    /// Format of indices into the array of micromaps.
    pub micromap_indices: IndexFormat,
}

/// Clusters from templates. Arguments have 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InstantiateTemplates {
    /// Limits, those of the templates.
    pub limits: ClusterLimits,
    /// `OPERATION_…`.
    pub flags: u32,
    /// Where results go.
    pub mode: OperationMode,
    /// Format of positions.
    pub vertices: VertexFormat,
}

/// Bottom-level structures of clusters. Arguments have 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildBottoms {
    /// `OPERATION_…`.
    pub flags: u32,
    /// Arguments at most.
    pub max_args: u32,
    /// Where results go.
    pub mode: OperationMode,
    /// Places for clusters in all arguments at most, empty ones included.
    pub max_total_clusters: u32,
    /// And in one argument.
    pub max_clusters_per_arg: u32,
}

/// The global partition, for instances that move often.
pub const GLOBAL_PARTITION: u32 = u32::MAX;
/// Flag of an instance in a partitioned structure: its bounds are a box that it never leaves.
pub const INSTANCE_EXPLICIT_BOUNDS: u32 = 0x40;

/// How large a partitioned structure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartitionedDesc {
    /// Instances of the table; all are inactive at first.
    pub instances: u32,
    /// Maximum number of instances in a partition.
    pub max_in_partition: u32,
    /// Partitions, besides the global one.
    pub partitions: u32,
    /// Maximum number of instances in the global partition.
    pub max_in_global: u32,
    /// Change fast rather than trace fast.
    pub fast_build: bool,
    /// Partitions may be moved.
    pub allow_translation: bool,
}

/// Moves. Arguments have 8 bytes: the address of what is moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveObjects {
    /// [`MOVE_NO_OVERLAP`], [`OPERATION_ALLOW_OMM`].
    pub flags: u32,
    /// Arguments at most.
    pub max_args: u32,
    /// Where results go.
    pub mode: OperationMode,
    /// What is moved.
    pub kind: MoveKind,
    /// Maximum size of all moved objects, in bytes. Ignored in a size query.
    pub max_bytes: u64,
}

/// What a batch of operations does, and what it is at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// `MOVE_CLUSTER_OBJECTS`.
    Move(MoveObjects),
    /// `BUILD_BLAS_FROM_CLAS`.
    Bottoms(BuildBottoms),
    /// `BUILD_CLAS_FROM_TRIANGLES`.
    Clusters(BuildClusters),
    /// `BUILD_CLUSTER_TEMPLATES_FROM_TRIANGLES`.
    Templates(BuildTemplates),
    /// `INSTANTIATE_CLUSTER_TEMPLATES`.
    Instantiate(InstantiateTemplates),
    /// `PARTITIONED_TLAS`.
    Partitioned(PartitionedDesc),
}

/// How much memory a batch needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperationSizes {
    /// Bytes of all results together if the device places them, of the largest one if the host does; 0 for a size query.
    /// The sum for two batches is enough for one batch that does the work of both.
    pub result: u64,
    /// Bytes of scratch memory.
    pub scratch: u64,
}

/// Where a batch finds its arguments and leaves its results (`D3D12_RTAS_BATCHED_OPERATION_DATA`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BatchData {
    /// `INDIRECT_…`.
    pub resolution: u32,
    /// `BatchResultData`: memory that the device distributes.
    pub result: u64,
    /// `BatchScratchData`.
    pub scratch: u64,
    /// `ResultAddressArray`: addresses of results, 8 bytes each.
    pub addresses: Strided,
    /// `ResultSizeArray`: their sizes, 8 bytes each; required for a size query.
    pub sizes: Strided,
    /// `IndirectArgumentArray`.
    pub arguments: Strided,
    /// `IndirectArgumentArraySize`: the address of the number of arguments (32 bits), unless there are as many as there may be.
    pub count: u64,
    /// `ToolsInfo`: where the number of results, their sizes and their addresses are copied to.
    pub tools: u64,
}

/// Where a partitioned structure is, and what changes (`D3D12_RTAS_PARTITIONED_TLAS_OPERATION_DATA`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartitionedData {
    /// The structure that is changed; 0: a new one.
    pub source: u64,
    /// Where the changed one goes; may be `source`.
    pub dest: u64,
    /// Scratch memory.
    pub scratch: u64,
    /// Address of the number of operations (32 bits).
    pub count: u64,
    /// Address of the operations, 24 bytes each: type, number of arguments, their address and stride.
    pub operations: u64,
}

/// One element of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// All but partitioned structures.
    Batch(Inputs, BatchData),
    /// A partitioned structure.
    Partitioned(PartitionedDesc, PartitionedData),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_in_order_and_have_their_sizes() {
        let sizes = VertexFormat::ALL.map(|(f, ..)| (f as u32, f.size(), f.alignment()));
        #[rustfmt::skip]
        let expected = [
            (1, 8, 4), (2, 12, 4), (3, 4, 2), (4, 6, 2), (5, 4, 2), (6, 6, 2), (7, 4, 2), (8, 6, 2),
            (9, 2, 1), (10, 3, 1), (11, 2, 1), (12, 3, 1), (13, 4, 4), (14, 12, 4),
        ];
        assert_eq!(sizes, expected);
    }
}
