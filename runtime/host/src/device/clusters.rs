//! Descriptions of clustered geometry (raytracing2, Clustered Geometry).
//!
//! A cluster is a small structure of up to 256 triangles with an id. Bottom-level structures are made of lists of clusters,
//! much faster than of triangles. A template is a cluster that lacks its positions.

use super::{ClusterTemplate, GeometryMicromaps, VertexFormat};

/// Maximum number of triangles, and of vertices, of a cluster.
pub const CLUSTER_MAX: usize = 256;
/// The largest geometry index.
pub const MAX_GEOMETRY_INDEX: u32 = 0x00ff_ffff;
/// Above the index of a geometry in a cluster: the any-hit shader runs at most once for a triangle.
pub const CLUSTER_GEOMETRY_NO_DUPLICATE_ANY_HIT: u32 = 0x2000_0000;
/// Above the index of a geometry in a cluster: the triangle is opaque.
pub const CLUSTER_GEOMETRY_OPAQUE: u32 = 0x4000_0000;

/// Positions of a cluster's vertices.
#[derive(Clone, PartialEq, Debug)]
pub enum ClusterPositions {
    /// Numbers.
    Float(Vec<[f32; 3]>),
    /// The format COMPRESSED1: a header of 12 bytes, then x, y and z of each vertex in as many bits as the header says, lowest
    /// bits first and without gaps. The second number is that of vertices.
    Compressed1(Vec<u8>, u32),
}

/// What a host builds a cluster from.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterDesc {
    /// `ClusterID()`.
    pub id: u32,
    /// Positions, at most [`CLUSTER_MAX`].
    pub positions: ClusterPositions,
    /// Vertex indices, three per triangle.
    pub indices: Vec<u32>,
    /// Geometry index in the lower 24 bits, `CLUSTER_GEOMETRY_…` above: added to, and joined with, those of the triangles.
    pub base_geometry: u32,
    /// Geometry indices and flags; empty: all triangles have the base.
    pub geometries: Vec<u32>,
    /// For each triangle an index into `geometries`; none: the triangle's number.
    pub geometry_indices: Option<Vec<u32>>,
    /// The largest geometry index that may result.
    pub max_geometry: u32,
    /// Bits of each coordinate that are made zero, from the lowest on. Compressed positions are left alone.
    pub truncate_bits: u32,
    /// Micromaps of its triangles.
    pub micromaps: Option<GeometryMicromaps>,
    /// Instances may disable micromaps.
    pub allow_disable_omms: bool,
    /// Shaders may read vertex positions of hits; the same for all clusters of a structure.
    pub allow_data_access: bool,
}

impl ClusterDesc {
    /// A cluster of geometry 0 without flags.
    pub fn new(id: u32, positions: Vec<[f32; 3]>, indices: Vec<u32>) -> ClusterDesc {
        ClusterDesc {
            id,
            positions: ClusterPositions::Float(positions),
            indices,
            base_geometry: 0,
            geometries: Vec::new(),
            geometry_indices: None,
            max_geometry: MAX_GEOMETRY_INDEX,
            truncate_bits: 0,
            micromaps: None,
            allow_disable_omms: false,
            allow_data_access: false,
        }
    }
}

/// What all instances of a template in the format COMPRESSED1 share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compressed1Template {
    /// Exponent of the scale with bias 127, 1 to 232.
    pub exponent: u8,
    /// Bits of x, y and z, 1 to 16.
    pub bits: [u8; 3],
}

/// What a host builds a template from.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterTemplateDesc {
    /// The cluster. Its positions are a hint, and may be empty.
    pub cluster: ClusterDesc,
    /// Vertices that an instance must have.
    pub vertices: u32,
    /// Minimum x, y, z and maximum x, y, z that no vertex of an instance leaves. Ignored with `compressed`.
    pub bounds: Option<[f32; 6]>,
    /// Instances have positions as precise as this compressed format; then `precision` is ignored.
    pub compressed: Option<Compressed1Template>,
    /// Instances have positions as precise as this format, and not compressed.
    pub precision: VertexFormat,
}

/// What a host makes a cluster of a template from.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterInstantiation {
    /// The template.
    pub template: ClusterTemplate,
    /// Added to the template's cluster id; wraps around.
    pub id_offset: u32,
    /// Added to the template's geometry indices.
    pub geometry_offset: i32,
    /// Positions.
    pub positions: ClusterPositions,
}
