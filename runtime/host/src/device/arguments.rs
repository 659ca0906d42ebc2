//! Arguments of indirect operations and their layout in device memory (raytracing2, GPU-side structures).
//!
//! The byte layouts are those of the specification, for a host that uses these structures and for a shader that declares its own.

use super::Strided;

/// Numbers in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(pub &'a [u8]);

impl Fields<'_> {
    /// The `N` bytes at an offset; zero where there are none.
    fn bytes<const N: usize>(&self, at: usize) -> [u8; N] {
        self.0.get(at..at + N).and_then(|b| b.try_into().ok()).unwrap_or([0; N])
    }
    pub fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.bytes(at))
    }
    pub fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes(at))
    }
    pub fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.bytes(at))
    }
    pub fn f32(&self, at: usize) -> f32 {
        f32::from_le_bytes(self.bytes(at))
    }
}

/// Puts numbers into bytes.
struct Put<const N: usize>([u8; N]);

impl<const N: usize> Put<N> {
    fn bytes(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }
    fn u16(&mut self, at: usize, n: u16) {
        self.bytes(at, &n.to_le_bytes());
    }
    fn u32(&mut self, at: usize, n: u32) {
        self.bytes(at, &n.to_le_bytes());
    }
    fn u64(&mut self, at: usize, n: u64) {
        self.bytes(at, &n.to_le_bytes());
    }
    fn f32s(&mut self, at: usize, numbers: &[f32]) {
        numbers.iter().enumerate().for_each(|(i, x)| self.bytes(at + 4 * i, &x.to_le_bytes()));
    }
}

/// A cluster whose instances may disable micromaps.
pub const CLUSTER_ALLOW_DISABLE_OMMS: u32 = 1;
/// A cluster whose positions shaders may read.
pub const CLUSTER_ALLOW_DATA_ACCESS: u32 = 2;

/// `BUILD_CLAS_FROM_TRIANGLES_ARGS`; also the first 80 bytes of `BUILD_CLUSTER_TEMPLATES_FROM_TRIANGLES_ARGS`. Strides of 0 are those of
/// elements without gaps, addresses of 0 are nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClusterArgs {
    /// `ClusterID()`.
    pub id: u32,
    /// [`CLUSTER_ALLOW_DISABLE_OMMS`], [`CLUSTER_ALLOW_DATA_ACCESS`].
    pub flags: u32,
    /// Triangles, 9 bits.
    pub triangles: u32,
    /// Different indices, 9 bits.
    pub vertices: u32,
    /// Bits of each coordinate that are made zero, 6 bits.
    pub truncate_bits: u32,
    /// Geometry index and flags that all triangles have in common.
    pub base_geometry: u32,
    /// Added to indices of micromaps.
    pub micromap_base: u32,
    /// Positions.
    pub vertex_buffer: u64,
    /// Distance of positions.
    pub vertex_stride: u16,
    /// Indices, three for each triangle.
    pub index_buffer: u64,
    /// Distance of indices.
    pub index_stride: u16,
    /// Geometry indices and flags.
    pub geometries: u64,
    /// Distance of those.
    pub geometry_stride: u16,
    /// For each triangle an index into `geometries`.
    pub geometry_indices: u64,
    /// An array of micromaps.
    pub micromaps: u64,
    /// For each triangle an index into it.
    pub micromap_indices: u64,
    /// Distance of those.
    pub micromap_stride: u16,
}

impl ClusterArgs {
    /// As bytes.
    pub fn to_bytes(&self) -> [u8; 80] {
        let mut p = Put([0; 80]);
        p.u32(0, self.id);
        p.u32(4, self.flags);
        p.u32(8, self.triangles & 0x1ff | (self.vertices & 0x1ff) << 9 | (self.truncate_bits & 0x3f) << 18);
        p.u32(12, self.base_geometry);
        p.u32(16, self.micromap_base);
        p.u16(20, self.vertex_stride);
        p.u16(22, self.index_stride);
        p.u16(24, self.geometry_stride);
        p.u16(26, self.micromap_stride);
        let addresses =
            [self.vertex_buffer, self.index_buffer, self.geometries, self.geometry_indices, self.micromaps, self.micromap_indices];
        addresses.into_iter().enumerate().for_each(|(i, a)| p.u64(32 + 8 * i, a));
        p.0
    }
    /// From bytes; those that are not there are zero.
    pub fn from_bytes(bytes: &[u8]) -> ClusterArgs {
        let f = Fields(bytes);
        let counts = f.u32(8);
        ClusterArgs {
            id: f.u32(0),
            flags: f.u32(4),
            triangles: counts & 0x1ff,
            vertices: counts >> 9 & 0x1ff,
            truncate_bits: counts >> 18 & 0x3f,
            base_geometry: f.u32(12),
            micromap_base: f.u32(16),
            vertex_stride: f.u16(20),
            index_stride: f.u16(22),
            geometry_stride: f.u16(24),
            micromap_stride: f.u16(26),
            vertex_buffer: f.u64(32),
            index_buffer: f.u64(40),
            geometries: f.u64(48),
            geometry_indices: f.u64(56),
            micromaps: f.u64(64),
            micromap_indices: f.u64(72),
        }
    }
}

/// `BUILD_CLUSTER_TEMPLATES_FROM_TRIANGLES_ARGS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TemplateArgs {
    /// The cluster; its positions are a hint.
    pub cluster: ClusterArgs,
    /// The address of the bounds of instances, or what [`TemplateArgs::compressed`] makes.
    pub limit: u64,
}

impl TemplateArgs {
    /// The header that instances of a template in the format COMPRESSED1 share.
    pub fn compressed(t: &super::Compressed1Template) -> u64 {
        let bits = |a: usize| u64::from(t.bits[a].wrapping_sub(1) & 15);
        u64::from(t.exponent) | bits(0) << 8 | bits(1) << 12 | bits(2) << 16
    }
    /// As bytes.
    pub fn to_bytes(&self) -> [u8; 88] {
        let mut p = Put([0; 88]);
        p.bytes(0, &self.cluster.to_bytes());
        p.u64(80, self.limit);
        p.0
    }
    /// From bytes; those that are not there are zero.
    pub fn from_bytes(bytes: &[u8]) -> TemplateArgs {
        TemplateArgs { cluster: ClusterArgs::from_bytes(bytes), limit: Fields(bytes).u64(80) }
    }
}

/// `INSTANTIATE_CLUSTER_TEMPLATES_ARGS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InstantiateArgs {
    /// Added to geometry indices.
    pub geometry_offset: i32,
    /// Added to the cluster's id; wraps around.
    pub id_offset: u32,
    /// The template.
    pub template: u64,
    /// Positions.
    pub vertices: Strided,
}

impl InstantiateArgs {
    /// As bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        let mut p = Put([0; 32]);
        p.u32(0, self.geometry_offset as u32);
        p.u32(4, self.id_offset);
        p.u64(8, self.template);
        p.u64(16, self.vertices.address);
        p.u64(24, self.vertices.stride);
        p.0
    }
    /// From bytes; those that are not there are zero.
    pub fn from_bytes(bytes: &[u8]) -> InstantiateArgs {
        let f = Fields(bytes);
        let vertices = Strided { address: f.u64(16), stride: f.u64(24) };
        InstantiateArgs { geometry_offset: f.u32(0) as i32, id_offset: f.u32(4), template: f.u64(8), vertices }
    }
}

/// `BUILD_BLAS_FROM_CLAS_ARGS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BottomArgs {
    /// Number of cluster addresses.
    pub count: u32,
    /// Distance of their addresses.
    pub stride: u32,
    /// Where those are.
    pub clusters: u64,
}

impl BottomArgs {
    /// As bytes.
    pub fn to_bytes(&self) -> [u8; 16] {
        let mut p = Put([0; 16]);
        p.u32(0, self.count);
        p.u32(4, self.stride);
        p.u64(8, self.clusters);
        p.0
    }
    /// From bytes; those that are not there are zero.
    pub fn from_bytes(bytes: &[u8]) -> BottomArgs {
        let f = Fields(bytes);
        BottomArgs { count: f.u32(0), stride: f.u32(4), clusters: f.u64(8) }
    }
}

/// Kinds of changes of a partitioned structure (`PARTITIONED_TLAS_OPERATION_TYPE`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChangeKind {
    /// [`WriteInstanceArgs`].
    #[default]
    Write = 0,
    /// [`UpdateInstanceArgs`].
    Update = 1,
    /// [`TranslatePartitionArgs`].
    Translate = 2,
}

/// `PARTITIONED_TLAS_OPERATION`: all changes of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChangeArgs {
    /// The kind, by number: memory may hold any.
    pub kind: u32,
    /// Arguments.
    pub count: u32,
    /// Where they are.
    pub arguments: Strided,
}

impl ChangeArgs {
    /// As bytes.
    pub fn to_bytes(&self) -> [u8; 24] {
        let mut p = Put([0; 24]);
        p.u32(0, self.kind);
        p.u32(4, self.count);
        p.u64(8, self.arguments.address);
        p.u64(16, self.arguments.stride);
        p.0
    }
    /// From bytes; those that are not there are zero.
    pub fn from_bytes(bytes: &[u8]) -> ChangeArgs {
        let f = Fields(bytes);
        ChangeArgs { kind: f.u32(0), count: f.u32(4), arguments: Strided { address: f.u64(8), stride: f.u64(16) } }
    }
}

/// `WRITE_INSTANCE_ARGS`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WriteInstanceArgs {
    /// Object to world.
    pub transform: [[f32; 4]; 3],
    /// `InstanceID()`.
    pub id: u32,
    /// 8 bits.
    pub mask: u32,
    /// 24 bits.
    pub hit_group_offset: u32,
    /// `INSTANCE_…`.
    pub flags: u32,
    /// The bottom-level structure; 0: none.
    pub bottom: u64,
    /// Row of the table.
    pub index: u32,
    /// Its partition.
    pub partition: u32,
    /// Box around it.
    pub bounds: [f32; 6],
}

impl WriteInstanceArgs {
    /// As bytes.
    pub fn to_bytes(&self) -> [u8; 104] {
        let mut p = Put([0; 104]);
        p.f32s(0, self.transform.as_flattened());
        for (i, n) in [self.id, self.mask, self.hit_group_offset, self.flags].into_iter().enumerate() {
            p.u32(48 + 4 * i, n);
        }
        p.u64(64, self.bottom);
        p.u32(72, self.index);
        p.u32(76, self.partition);
        p.f32s(80, &self.bounds);
        p.0
    }
    /// From bytes; those that are not there are zero.
    pub fn from_bytes(bytes: &[u8]) -> WriteInstanceArgs {
        let f = Fields(bytes);
        WriteInstanceArgs {
            transform: std::array::from_fn(|row| std::array::from_fn(|column| f.f32(16 * row + 4 * column))),
            id: f.u32(48),
            mask: f.u32(52),
            hit_group_offset: f.u32(56),
            flags: f.u32(60),
            bottom: f.u64(64),
            index: f.u32(72),
            partition: f.u32(76),
            bounds: std::array::from_fn(|i| f.f32(80 + 4 * i)),
        }
    }
}

/// `UPDATE_INSTANCE_ARGS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UpdateInstanceArgs {
    /// Row of the table.
    pub index: u32,
    /// 24 bits.
    pub hit_group_offset: u32,
    /// The bottom-level structure.
    pub bottom: u64,
}

impl UpdateInstanceArgs {
    /// As bytes.
    pub fn to_bytes(&self) -> [u8; 16] {
        let mut p = Put([0; 16]);
        p.u32(0, self.index);
        p.u32(4, self.hit_group_offset);
        p.u64(8, self.bottom);
        p.0
    }
    /// From bytes; those that are not there are zero.
    pub fn from_bytes(bytes: &[u8]) -> UpdateInstanceArgs {
        let f = Fields(bytes);
        UpdateInstanceArgs { index: f.u32(0), hit_group_offset: f.u32(4), bottom: f.u64(8) }
    }
}

/// `TRANSLATE_PARTITION_ARGS`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TranslatePartitionArgs {
    /// The partition.
    pub partition: u32,
    /// By how much.
    pub by: [f32; 3],
}

impl TranslatePartitionArgs {
    /// As bytes.
    pub fn to_bytes(&self) -> [u8; 16] {
        let mut p = Put([0; 16]);
        p.u32(0, self.partition);
        p.f32s(4, &self.by);
        p.0
    }
    /// From bytes; those that are not there are zero.
    pub fn from_bytes(bytes: &[u8]) -> TranslatePartitionArgs {
        let f = Fields(bytes);
        TranslatePartitionArgs { partition: f.u32(0), by: std::array::from_fn(|i| f.f32(4 + 4 * i)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let bytes: Vec<u8> = (0..104u32).map(|i| (i * 89 + 7) as u8).collect();
        let mut cluster = bytes[..80].to_vec();
        // Reserved bits are not kept.
        cluster[11] = 0;
        cluster[28..32].fill(0);
        assert_eq!(ClusterArgs::from_bytes(&cluster).to_bytes()[..], cluster);
        let template = [&cluster[..], &bytes[80..88]].concat();
        assert_eq!(TemplateArgs::from_bytes(&template).to_bytes()[..], template);
        assert_eq!(InstantiateArgs::from_bytes(&bytes).to_bytes(), bytes[..32]);
        assert_eq!(BottomArgs::from_bytes(&bytes).to_bytes(), bytes[..16]);
        assert_eq!(ChangeArgs::from_bytes(&bytes).to_bytes(), bytes[..24]);
        assert_eq!(WriteInstanceArgs::from_bytes(&bytes).to_bytes(), bytes[..104]);
        assert_eq!(UpdateInstanceArgs::from_bytes(&bytes).to_bytes(), bytes[..16]);
        assert_eq!(TranslatePartitionArgs::from_bytes(&bytes).to_bytes(), bytes[..16]);
        assert_eq!(ClusterArgs::from_bytes(&[]), ClusterArgs::default());
    }
}
