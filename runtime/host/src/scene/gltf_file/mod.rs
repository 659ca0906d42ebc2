//! glTF 2.0 files in scenes, `[gltf.x]`: meshes, instances, materials, textures with samplers, cameras and animations.
//!
//! # What shaders see
//! A buffer gets one of these with `from = "x.materials"`. All numbers have 32 bits; elements follow each other without gaps.
//!
//! | data | an element |
//! |---|---|
//! | `geometries` | `struct { uint firstIndex, firstVertex, triangles, vertices, material, flags; }`: a primitive of a mesh, in the order of the file. Flags: 1 it has normals, 2 texture coordinates, 4 tangents, 8 vertex colours |
//! | `materials` | `struct { float4 baseColor; float3 emissive; float metallic, roughness, normalScale, alphaCutoff; uint flags; uint baseColorTexture, metallicRoughnessTexture, normalTexture, emissiveTexture; }`. Flags: 1 alpha mask, 2 blend, 4 double sided. No texture: 0xffffffff. The last material is the default one of glTF |
//! | `positions`, `normals` | `float3` of a vertex; a geometry without normals has zeros |
//! | `tangents` | `float4`; w is the sign of the bitangent `cross(normal, tangent.xyz) * tangent.w` |
//! | `uvs` | `float2`, `TEXCOORD_0` |
//! | `colors` | `float4`, `COLOR_0`, linear: a factor of the base colour; a geometry without has ones |
//! | `texture_transforms` | `struct { float2 u, v, offset; }`: four of a material, in the order of its textures. Its texture is sampled at `uv.x * u + uv.y * v + offset` (`KHR_texture_transform`) |
//! | `indices` | `uint`, three of a triangle, counted from the geometry's first vertex |
//!
//! The geometry of a hit is `InstanceID() + GeometryIndex()`: instances of `[accel.A] gltf = "x"` have the number of their mesh's first
//! geometry. Geometries whose material is opaque are opaque; the others call any-hit shaders. All hits use the first record of the hit groups
//! that the ray names.
//!
//! `textures = "g_Textures"` binds texture i of the materials to element i of this array, `samplers = "g_Samplers"` its sampler. Base
//! colours and emission are sRGB, the rest is linear; a picture that is used as both has two elements.
//! Mip levels are made of linear light, each of the one before it, for textures whose sampler minifies with mip levels or does not say; the others have one.
//!
//! glTF is right-handed with counter-clockwise fronts, Direct3D left-handed with clockwise ones: z of everything is negated, and each triangle
//! is turned around. Instances that mirror have the flag `front_counterclockwise`, those with a double-sided material `cull_disable`.
//!
//! # Time
//! Nodes follow the animation (`animation = "name"` or its number, by default the first; `false`: none): translation, rotation, scale, with
//! step, linear or cubic interpolation. After its end nothing moves, or begins again with `loop = true`. `[accel.A] update = "rebuild"`
//! (the default) builds the top-level structure anew in each frame, `"refit"` updates it.
//!
//! `[camera] gltf = "x"` is the first camera of the file, `node = "name"` that of a node; its other keys have precedence.
//!
//! # What is left out
//! With a warning: skins (a mesh is in its bind pose), morph targets (it is at rest), orthographic cameras, primitives of points and lines, textures at
//! other coordinates than the first, and required extensions of materials, lights and metadata. Occlusion and lights are ignored. Refused are meshes that
//! Draco or meshopt compressed, textures in formats of extensions, and files of other versions than 2.0.

#[cfg(feature = "gltf")]
mod accessors;
#[cfg(feature = "gltf")]
mod animations;
#[cfg(feature = "gltf")]
mod document;
#[cfg(feature = "gltf")]
mod materials;
#[cfg(feature = "gltf")]
mod meshes;
mod mips;
mod nodes;
#[cfg(feature = "gltf")]
mod read;
#[cfg(all(test, feature = "gltf"))]
mod tests;

pub use nodes::{Nodes, Property};

use super::reader::{Node, SourceLocation};
use super::shapes::Shape;
use super::{AccelSource, Camera, Scene, SceneInstance, Target};
use crate::device::{INSTANCE_CULL_DISABLE, INSTANCE_FRONT_COUNTERCLOCKWISE, SamplerDesc};
use crate::error::Result;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// No texture.
const NONE: u32 = u32::MAX;

/// A glTF file of a scene.
#[derive(Clone, PartialEq, Debug)]
pub struct GltfSource {
    /// Its name in the scene.
    pub name: String,
    /// Its location in the scene file.
    pub location: SourceLocation,
    /// Its meshes among [`Scene::meshes`].
    pub meshes: Range<usize>,
    /// Where its textures are bound, in their order; empty: nowhere.
    pub textures: Vec<Target>,
    /// Where the samplers of its textures are bound.
    pub samplers: Vec<Target>,
    /// The rest.
    pub data: GltfData,
}

/// What a glTF file has besides meshes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GltfData {
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Geometries of all meshes.
    pub geometries: Vec<GeometryRecord>,
    /// The first geometry of each mesh, and one number more.
    pub first_geometry: Vec<u32>,
    /// Materials; the last one is the default.
    pub materials: Vec<MaterialRecord>,
    /// How coordinates become those of each texture of each material.
    pub transforms: Vec<[TextureTransform; 4]>,
    /// Textures of the materials.
    pub textures: Vec<GltfTexture>,
    /// Pictures of the textures.
    pub pictures: Vec<Picture>,
    /// Nodes with meshes and cameras, and how they move.
    pub nodes: Nodes,
}

/// A geometry as shaders see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct GeometryRecord {
    pub first_index: u32,
    pub first_vertex: u32,
    pub triangles: u32,
    pub vertices: u32,
    pub material: u32,
    /// [`HAS_NORMALS`] and so on.
    pub flags: u32,
}

/// The geometry has normals.
pub const HAS_NORMALS: u32 = 1;
/// The geometry has texture coordinates.
pub const HAS_UVS: u32 = 2;
/// The geometry has tangents.
pub const HAS_TANGENTS: u32 = 4;
/// The geometry has vertex colours.
pub const HAS_COLORS: u32 = 8;

/// A material as shaders see it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct MaterialRecord {
    pub base_color: [f32; 4],
    pub emissive: [f32; 3],
    pub metallic: f32,
    pub roughness: f32,
    pub normal_scale: f32,
    pub alpha_cutoff: f32,
    /// [`ALPHA_MASK`] and so on.
    pub flags: u32,
    /// Base colour, metallic and roughness, normal, emission.
    pub textures: [u32; 4],
}

/// How texture coordinates become those that a texture is sampled at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextureTransform {
    /// What the first coordinate adds.
    pub u: [f32; 2],
    /// What the second coordinate adds.
    pub v: [f32; 2],
    /// The place of the origin.
    pub offset: [f32; 2],
}

impl TextureTransform {
    /// Coordinates stay what they are.
    pub const IDENTITY: TextureTransform = TextureTransform { u: [1.0, 0.0], v: [0.0, 1.0], offset: [0.0, 0.0] };
}

/// Parts with less alpha than the cutoff are not there.
pub const ALPHA_MASK: u32 = 1;
/// Alpha is coverage.
pub const ALPHA_BLEND: u32 = 2;
/// Both sides are visible.
pub const DOUBLE_SIDED: u32 = 4;

/// A texture of a material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GltfTexture {
    /// Among [`GltfData::pictures`].
    pub picture: usize,
    /// Whether it is sRGB-encoded.
    pub srgb: bool,
    /// How it is sampled.
    pub sampler: SamplerDesc,
    /// Whether it has mip levels.
    pub mips: bool,
}

/// A picture, decoded: RGBA of 8 bits.
#[derive(Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub texels: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} x {})", self.width, self.height)
    }
}

/// What a buffer may be filled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum GltfBuffer {
    Geometries,
    Materials,
    Positions,
    Normals,
    Tangents,
    Uvs,
    Colors,
    TextureTransforms,
    Indices,
}

/// The data of a file that a buffer may be filled with, by name.
pub const GLTF_DATA: [(&str, GltfBuffer); 9] = [
    ("geometries", GltfBuffer::Geometries),
    ("materials", GltfBuffer::Materials),
    ("positions", GltfBuffer::Positions),
    ("normals", GltfBuffer::Normals),
    ("tangents", GltfBuffer::Tangents),
    ("uvs", GltfBuffer::Uvs),
    ("colors", GltfBuffer::Colors),
    ("texture_transforms", GltfBuffer::TextureTransforms),
    ("indices", GltfBuffer::Indices),
];

/// Reads `[gltf.x]`: also its meshes by name, which become those of the scene from the number `first` on.
pub(super) fn source(name: &str, n: &Node<'_>, dir: &Path, first: usize) -> Result<(GltfSource, Vec<NamedParts>)> {
    let t = n.table()?;
    let file = t.need("file")?;
    let repeat = t.or("loop", Node::bool, false)?;
    let animation = t.take("animation");
    let (textures, samplers) = (t.take("textures"), t.take("samplers"));
    t.finish()?;
    let (mut data, made) = load(&file, dir, animation.as_ref(), name)?;
    data.nodes.repeat = repeat;
    let count = data.textures.len() as u32;
    let bind = |n: Option<Node<'_>>| n.map_or(Ok(Vec::new()), |n| array(name, &n, count));
    let source = GltfSource {
        name: name.to_string(),
        location: n.location.clone(),
        meshes: first..first + made.len(),
        textures: bind(textures)?,
        samplers: bind(samplers)?,
        data,
    };
    Ok((source, made))
}

/// The elements of an array of resources, `g_Textures` or `g_Textures[first]`.
fn array(name: &str, n: &Node<'_>, count: u32) -> Result<Vec<Target>> {
    let slots = super::fields::slots_of(&[n.text()?], n)?;
    let (slot, first) = &slots[0];
    let target = |i| Target { name: name.to_string(), slots: vec![(slot.clone(), first.saturating_add(i))], location: n.location.clone() };
    Ok((0..count).map(target).collect())
}

/// The number of the file of that name.
pub(super) fn find(name: &str, n: &Node<'_>, gltfs: &[GltfSource]) -> Result<usize> {
    gltfs.iter().position(|g| g.name == name).ok_or_else(|| {
        let known = crate::error::list(gltfs.iter().map(|g| &g.name));
        n.error(format!("the scene has no `{name}` under `gltf`")).note(format!("known: {known}"))
    })
}

/// A mesh: its name and its geometries.
type NamedParts = (String, Vec<super::Part>);

#[cfg(feature = "gltf")]
fn load(n: &Node<'_>, dir: &Path, animation: Option<&Node<'_>>, name: &str) -> Result<(GltfData, Vec<NamedParts>)> {
    read::whole(n, dir, animation, name)
}

#[cfg(not(feature = "gltf"))]
fn load(n: &Node<'_>, _dir: &Path, _animation: Option<&Node<'_>>, _name: &str) -> Result<(GltfData, Vec<NamedParts>)> {
    Err(unsupported(n))
}

/// Reads `gltf = "file.glb"` of a mesh: every primitive of every node is a geometry, with the node's transform applied to its vertices.
#[cfg(feature = "gltf")]
pub(super) fn read(n: &Node<'_>, dir: &Path) -> Result<Vec<Shape>> {
    read::shapes(n, dir)
}

/// Reads `gltf = "file.glb"` of a mesh.
#[cfg(not(feature = "gltf"))]
pub(super) fn read(n: &Node<'_>, _dir: &Path) -> Result<Vec<Shape>> {
    Err(unsupported(n))
}

#[cfg(not(feature = "gltf"))]
fn unsupported(n: &Node<'_>) -> crate::error::RunError {
    n.error("glTF files are not supported by this build (cargo feature `gltf` of rtc-host)")
}

impl GltfSource {
    /// The instances of its nodes.
    pub(super) fn instances(&self) -> Vec<SceneInstance> {
        let double_sided = |mesh: usize| {
            let range = self.data.first_geometry[mesh] as usize..self.data.first_geometry[mesh + 1] as usize;
            self.data.geometries[range].iter().any(|g| self.data.materials[g.material as usize].flags & DOUBLE_SIDED != 0)
        };
        let instance = |mesh: usize, transform: [[f32; 4]; 3]| SceneInstance {
            mesh: Some(self.meshes.start + mesh),
            transform,
            id: self.data.first_geometry[mesh],
            mask: 0xff,
            hit_group_offset: 0,
            flags: if mirrors(&transform) { INSTANCE_FRONT_COUNTERCLOCKWISE } else { 0 }
                | if double_sided(mesh) { INSTANCE_CULL_DISABLE } else { 0 },
        };
        self.data.nodes.instances(0.0).into_iter().map(|(mesh, transform)| instance(mesh, transform)).collect()
    }
}

/// Whether a transform turns left into right.
fn mirrors(m: &[[f32; 4]; 3]) -> bool {
    let minor = |a: usize, b: usize| m[1][a] * m[2][b] - m[1][b] * m[2][a];
    m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1) < 0.0
}

impl GltfData {
    /// The camera of a node at a time; what the scene says of it stays.
    pub(super) fn camera_at(&self, base: &Camera, node: usize, time: f32) -> Camera {
        let (eye, look_at, up) = self.nodes.view(node, time);
        Camera { eye, look_at, up, ..*base }
    }
}

impl Scene {
    /// Transforms of all instances of a structure at a time; none if they do not move.
    pub fn transforms_at(&self, a: &AccelSource, time: f32) -> Option<Vec<[[f32; 4]; 3]>> {
        let nodes = &self.gltfs[a.gltf?].data.nodes;
        let moved = nodes.is_animated().then(|| nodes.instances(time))?;
        let rest = a.instances.iter().skip(moved.len()).map(|i| i.transform);
        Some(moved.iter().map(|m| m.1).chain(rest).collect())
    }

    /// Data of a glTF file as bytes.
    pub(crate) fn gltf_bytes(&self, index: usize, what: GltfBuffer) -> Vec<u8> {
        let g = &self.gltfs[index];
        let mut out = Vec::new();
        let mut floats = |values: &[f32]| out.extend(values.iter().flat_map(|x| x.to_le_bytes()));
        let shapes = self.meshes[g.meshes.clone()].iter().flat_map(|m| &m.parts).filter_map(|p| match &p.shape {
            Shape::Triangles(t) => Some(t),
            Shape::Boxes(_) => None,
        });
        match what {
            GltfBuffer::Positions => shapes.for_each(|t| floats(t.positions.as_flattened())),
            GltfBuffer::Normals => shapes.for_each(|t| match t.normals.is_empty() {
                true => floats(&vec![0.0; t.positions.len() * 3]),
                false => floats(t.normals.as_flattened()),
            }),
            GltfBuffer::Tangents => shapes.for_each(|t| match t.tangents.is_empty() {
                true => floats(&vec![0.0; t.positions.len() * 4]),
                false => floats(t.tangents.as_flattened()),
            }),
            GltfBuffer::Uvs => shapes.for_each(|t| match t.uvs.is_empty() {
                true => floats(&vec![0.0; t.positions.len() * 2]),
                false => floats(t.uvs.as_flattened()),
            }),
            GltfBuffer::Colors => shapes.for_each(|t| match t.colors.is_empty() {
                true => floats(&vec![1.0; t.positions.len() * 4]),
                false => floats(t.colors.as_flattened()),
            }),
            GltfBuffer::TextureTransforms => {
                g.data.transforms.iter().flatten().for_each(|t| floats([t.u, t.v, t.offset].as_flattened()));
            }
            GltfBuffer::Indices => out.extend(shapes.flat_map(|t| t.indices.iter().flatten()).flat_map(|i| i.to_le_bytes())),
            GltfBuffer::Geometries => {
                for r in &g.data.geometries {
                    let words = [r.first_index, r.first_vertex, r.triangles, r.vertices, r.material, r.flags];
                    out.extend(words.iter().flat_map(|w| w.to_le_bytes()));
                }
            }
            GltfBuffer::Materials => {
                for m in &g.data.materials {
                    let floats =
                        m.base_color.iter().chain(&m.emissive).chain([&m.metallic, &m.roughness, &m.normal_scale, &m.alpha_cutoff]);
                    let words = floats.map(|x| x.to_bits()).chain([m.flags]).chain(m.textures);
                    out.extend(words.flat_map(u32::to_le_bytes));
                }
            }
        }
        out
    }

    /// Every file that the scene reads besides itself and its shaders.
    pub fn files(&self) -> Vec<PathBuf> {
        let dir = self.dir();
        let buffers = self.buffers.iter().filter_map(|b| match &b.contents {
            super::BufferContents::File(file) => Some(dir.join(file)),
            _ => None,
        });
        let textures = self.textures.iter().map(|t| dir.join(&t.file));
        let package = self.shader.package.iter().map(|p| dir.join(p));
        let path = self.camera_path.iter().filter_map(|p| p.file.clone());
        let gltfs = self.gltfs.iter().flat_map(|g| g.data.files.iter().cloned());
        buffers.chain(textures).chain(package).chain(path).chain(gltfs).chain(self.mesh_files.iter().cloned()).collect()
    }
}
