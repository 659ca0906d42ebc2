//! The scene file, `scene.toml`: shaders, resources, acceleration structures, dispatches, and the files that results are written to.
//!
//! A scene names a shader library, binds resources *by their HLSL names*, fills the shader tables and gives the size of the dispatch. Names of resources and exports are checked against the compiled
//! library when the scene runs. Everything has a default that a small scene can rely on:
//!
//! ```
//! # use rtc_host::scene::Scene;
//! # let text = r##"
//! ## hello.toml: one triangle
//!
//! [shader]
//! source = "hello.hlsl"            # compiled with `profile` and `defines`; or `package = "hello.rtp"`
//! profile = "lib_6_3"
//! defines = ["SHADOWS=1"]
//!
//! [dispatch]
//! size = [256, 256]                # left out: the size of the first image
//! raygen = "RayGen"                # left out: the only ray generation shader
//! miss = ["Miss"]                  # left out: all miss shaders, in the order of the source
//! hit = ["TriangleGroup"]          # left out: all hit groups, in the order of the source
//!
//! [camera]
//! eye = [0, 0, -2]
//! look_at = [0, 0, 0]              # also: up, fov_y (degrees), near, far
//!
//! [constants.Camera]               # the cbuffer `Camera`: its members by name
//! origin = { camera = "eye" }      # computed from [camera]
//! to_world = { camera = "clip_to_world" }
//! tint = { float3 = [1.0, 0.5, 0.25] }
//!
//! [meshes.triangle]
//! triangles = { positions = [[-0.5, -0.5, 0], [0, 0.5, 0], [0.5, -0.5, 0]] }
//! opaque = true
//!
//! [accel.Scene]                    # the RaytracingAccelerationStructure `Scene`
//! instances = [{ mesh = "triangle", id = 7 }]
//!
//! [images.Output]                  # the RWTexture2D `Output`
//! size = [256, 256]
//! format = "rgba8_unorm"
//! save = "hello.png"
//! # "##;
//! # let scene = Scene::parse("hello.toml".as_ref(), text).unwrap();
//! # assert_eq!(scene.dispatches[0].size, [256, 256, 1]);
//! # assert_eq!(scene.constants[0].bytes.len(), 16 + 64 + 12);
//! # assert_eq!(scene.accels[0].instances[0].id, 7);
//! ```
//!
//! # Slots
//! The keys under `constants`, `buffers`, `textures`, `images`, `samplers` and `accel` are HLSL names; a quoted
//! register (`[constants."b1.space2"]`) works too, and `"Textures[3]"` is an element of an array. `bind = ["A", "B"]`
//! in such a table binds the thing to those slots instead of its own name (`bind = []`: to none).
//! `"ResourceDescriptorHeap[3]"` and `"SamplerDescriptorHeap[0]"` are elements of the descriptor heaps; where shaders see
//! buffers of the heap both as constants and otherwise, `"ResourceDescriptorHeap.b[3]"` is a constant buffer.
//!
//! # Values
//! `{ <type> = <value> }` with the HLSL types `float`, `int`, `uint`, `bool`, their vectors (`float3`), matrices
//! (`float3x4`, written row by row and stored by columns; `row_major_float3x4` is stored by rows) and arrays
//! (`{ "float4[2]" = [[…], […]] }`). `{ camera = "<value>" }` is one of [`CAMERA_VALUES`], `{ frame = "<value>" }` under
//! `[constants]` one of [`FRAME_VALUES`]. Both follow the frame in `[constants]` alone; elsewhere a camera's value is that of the scene file.
//!
//! # Frames
//! A scene runs once, or as often as `[frames]` or `--frames` say. Before each frame constants follow the camera and the frame, and instances
//! of animated glTF files move; images and buffers keep what the frame before left in them, so that a shader can accumulate by itself. Files are written after the last frame, those with `%04d` (or `%d`) in
//! their name after each one. With `accumulate` a picture is the average of all frames so far; integers are not averaged.
//!
//! # Tables
//! | table | keys |
//! |---|---|
//! | `[shader]` | `source` or `package`; `profile`, `defines`, `args` (more words for the compiler) |
//! | `[dispatch]` | A dispatch of rays: `size`, `raygen`, `miss`, `hit`, `callable`. A record is a name, or `{ export = "Name", record = { … } }`, or `{}` for the null record. `record` holds the arguments of the local root signature by HLSL name or register: a table of values for constants; `{ buffer = "name", offset = 0 }`, `{ accel = "name" }` for a root descriptor; `{ table = 3 }` for a descriptor table |
//! | | A dispatch of a compute shader: `groups = [x, y, z]` (thread groups; the last two may be left out), `entry` (left out: the only compute shader). Either may `repeat = n` times. Several dispatches, one after the other: `[[dispatch]]` |
//! | `[targets.X]` | What is drawn into: `size`, `format` (those of images, and `d16_unorm`, `d32_float`, `d32_float_s8_uint`), `clear` (a colour or a depth; depth 1 if left out), `stencil`, `samples`, `layers`, `save` (`.png`, `.exr`, `.raw`, `.bin`), `encode`; `bind` as a texture (left out: none). `expect = [{ at = [x, y], size = [w, h], layer, is = [r, g, b, a], within }]`: what must be in it at the end; without `at` everywhere |
//! | `[[draw]]` | A draw on a Vulkan device; draws and dispatches run in the order of the file. Shaders: `vertex`, `pixel` (left out: the only one of the library; `pixel = ""`: none), `hull`, `domain`, `geometry`, or `mesh` and `amplification` with `groups = [x, y, z]` |
//! | | `vertices`: a mesh, or a part of one, `mesh[0]` (`POSITION`, `NORMAL`, `TEXCOORD` and its indices), or a table of semantics: `POSITION = { float3 = [[…], …] }`, `"mesh.normals"` or `{ buffer, format, offset, stride }`, each with `per_instance`; `mesh = "m"` among them. `indices`: a list, `"mesh.indices"` or `{ buffer, format = "uint16", offset }`. `topology` (`points`, `lines`, `line_strip`, `triangles`, `triangle_strip`, those of lines and triangles with `_adjacency`, `patches`), `patch_control_points`, `restart`; `count`, `instances`, `first`, `base_vertex`, `first_instance`, `views`, `repeat` |
//! | | `targets` in the order of `SV_Target` (left out: the only one), `blend` for all or a list (`off`, `alpha`, `premultiplied`, `additive`, `multiply`, `dual`, or `{ color = ["src_alpha", "add", "inv_src_alpha"], alpha, write = "rgb" }`), `blend_constant`; `depth = "Depth"` or `{ target, test, compare, write }`; `stencil = { compare, reference, read_mask, write_mask, pass, fail, depth_fail, back }` |
//! | | `viewports = [{ rect = [x, y, w, h], depth = [0, 1], y, scissor }]`, `cull`, `front` (`clockwise`, `counter_clockwise`), `fill` (`solid`, `wireframe`), `depth_clip`, `depth_bias = [constant, slope, clamp]`, `sample_mask`, `alpha_to_coverage`. As in Direct3D, y points up: `y = "down"` is for shaders that are compiled with `-fvk-invert-y` |
//! | `[pipeline]` | over the library's subobjects: `max_recursion`, `max_payload_size`, `max_attribute_size`, `skip_triangles`, `skip_procedural` |
//! | `[[hit_group]]` | more hit groups: `name`, `type` (`triangles`, `procedural`), `any_hit`, `closest_hit`, `intersection` |
//! | `[frames]` | `count`, `first` (the number of the first frame), `rate` (frames in a second of the scene's time, 24 if left out), `accumulate = true` |
//! | `[camera]` | `eye`, `look_at`, `up`, `fov_y`, `aspect`, `near`, `far`; `gltf = "x"` and `node`: a camera of a glTF file; `path = [{ time, eye, look_at, up, fov_y }, …]`, or the name of a JSON file with such a list: keys over time in seconds (what a key leaves out is what `[camera]` says), with `interpolation` (`smooth`: cubic Hermite curves, if left out; `linear`) |
//! | `[gltf.x]` | A glTF 2.0 file: `file`, `animation`, `loop`, `textures`, `samplers`; see [`gltf_file`] |
//! | `[constants.X]` | values of members by their names and types in HLSL: `exposure = { float = 1 }`, `"lights[2].color" = { float3 = [1, 1, 1] }`; other members are zero |
//! | `[buffers.X]` | `elements = [...]` with `layout = ["float3", "float"]` (one value per type, or one value alone for a single type); or `file`; or `from = "mesh.positions"` (`normals`, `uvs`, `indices`, `boxes`; `meshlets`, `meshlet_vertices`, `meshlet_triangles`: see [`meshlets`]), where `mesh[0]` is a part of a mesh; or `from = "x.materials"` and the like of a glTF file (see [`gltf_file`]); or `from = "accel.transforms"`: object to world of its instances, a `row_major float3x4` each; or `size` in bytes, zero. `format` for a typed buffer; `save = "x.bin"` or `"x.json"` (the latter needs `layout` or `format`); `checks = 2048`: shaders report in it what they found and what they should have found, in as many bytes for each thread (see [`crate::checks`]); `expect`: what its first elements must be at the end, which requires `layout` |
//! | `[textures.X]` | `file = "x.png"`, `srgb = false` |
//! | `[samplers.X]` | `filter` (`point`, `linear`, `anisotropic`), `address` (`wrap`, `mirror`, `clamp`, `border`, `mirror_once`), `compare` (`less`, `less_equal` and so on: a `SamplerComparisonState`) |
//! | `[feedback.X]` | `of = "name"` of an image or texture, `kind` (`min_mip`, `mip_region_used`), `region = [width, height]`; `into = "name"` of a buffer that gets what the map has recorded after each dispatch, a byte for each region (rows, then layers, then levels); `save = "x.bin"`. Few devices have them |
//! | `[images.X]` | `size`, `levels`, `layers` (an array), `format` (see [`Format::ALL`](crate::device::Format::ALL)), `save = "x.png"`, `"x.exr"` (as the image has them, 8-bit numbers as floating point), `"x.raw"` (texels, and `x.raw.json` that says what they are) or `"x.bin"` (texels alone), `encode` (`linear`, `srgb`: what a PNG of a float image gets); `texels = [[r, g, b, a], …]`, rows, then layers, then levels: a texture that shaders read |
//! | `[meshes.x]` | `triangles = { positions, indices, normals, uvs }`, `boxes = [[[min], [max]], …]`, `grid = { size, cells }`, `sphere = { radius, segments, rings }`, `cube = { size }`, `gltf = "file.glb"` or `parts = [{ … }, …]` (geometries, each as a mesh says them); `opaque`, `no_duplicate_any_hit`; `transform` of the positions, as that of instances, applied when it is built; `micromaps = { maps, indices, base, format }`: opacity micromaps, each a text with a digit for each small triangle (0 transparent, 1 opaque, 2 and 3 unknown) |
//! | `[meshes.x]` of clusters, `[templates.t]` | `clusters = [{ positions, indices, id, geometry, geometries, opaque, no_duplicate_any_hit, micromaps, truncate_bits, max_geometry }, …]`, or `{ template = "t", id_offset, geometry_offset, positions }` of a template, which has the same keys, `vertices`, and `bounds` or `compressed = { exponent, bits }`; `placing` (`implicit`, `explicit`, `moved`): built by operations in memory, which few devices have |
//! | `[accel.X]` with partitions | also `partitioned = { partitions, instances, max_in_partition, max_in_global, fast_build, translation, in_memory }`; instances have `partition` (a number or `"global"`) and may have `bounds = [[min], [max]]`; `changes = [{ write = [{ index, … }], update = [{ index, mesh, hit_group_offset }], translate = [{ partition, by }] }, …]` are made one after the other before anything runs |
//! | `[accel.X]` | `gltf = "x"` (the instances of a glTF file, before others), `update` (`rebuild`, `refit`: how it follows them); `instances = [{ mesh, transform, mask, id, hit_group_offset, flags }]`, inactive without `mesh`; `build` (`allow_update`, `allow_compaction`, `prefer_fast_build`, `low_memory`, `allow_omm_update`, `allow_disable_omms`). `transform` is twelve numbers (three rows) or `{ scale, rotate = { axis, degrees }, translate }`, applied in that order; `flags` of `cull_disable`, `front_counterclockwise`, `force_opaque`, `force_non_opaque`, `force_omm_2_state`, `disable_omms` |
//!
//! Files that a scene reads are relative to the scene; files that it writes are relative to the
//! output folder of the run.

mod accel;
pub(crate) mod by_name;
mod camera;
mod clusters;
mod constants;
mod directives;
mod draws;
mod feedback;
mod fields;
pub(crate) mod frames;
pub mod gltf_file;
mod instances;
mod mesh;
pub mod meshlets;
mod micromaps;
mod parse;
mod partitions;
mod path;
mod reader;
mod scale;
mod shapes;
mod targets;
#[cfg(test)]
mod tests;
mod transform;
mod values;
mod viewpoint;

use crate::device::{Format, ImageDesc, SamplerDesc, Slot};
use crate::error::{Result, RunError};
use crate::state_object::Overrides;
use std::path::{Path, PathBuf};

pub use camera::{CAMERA_VALUES, Camera};
pub use clusters::{ClusterSource, DestinationMode, TemplateSource};
pub use directives::Directives;
pub use draws::{AttributeSource, DrawSource, IndexSource, VertexData};
pub use feedback::FeedbackSource;
pub use frames::{FRAME_VALUES, Frame, Frames, Member, NamedMember};
pub use gltf_file::{GltfBuffer, GltfSource};
pub(crate) use mesh::mesh_bytes;
pub use mesh::{MESH_DATA, Mesh, Part};
pub use micromaps::MicromapSource;
pub use partitions::{PartitionRow, PartitionedSource, SceneChanges};
pub use path::{CameraPath, Interpolation};
pub use reader::SourceLocation;
pub use shapes::{Shape, Triangles};
pub use targets::{TargetSource, TexelExpectation};
pub use values::{Scalar, Type};

/// A scene that has been read; names of the library's exports and resources are resolved when it runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// The file it was read from.
    pub path: PathBuf,
    /// Which shaders.
    pub shader: Shader,
    /// The dispatches, in order: at least one, unless the scene draws.
    pub dispatches: Vec<Dispatch>,
    /// The draws, in order. They and the dispatches run in the order of the file.
    pub draws: Vec<DrawSource>,
    /// What is drawn into.
    pub targets: Vec<TargetSource>,
    /// Overrides of the library's subobjects.
    pub overrides: Overrides,
    /// Frames.
    pub frames: Frames,
    /// The camera, if there is one.
    pub camera: Option<Camera>,
    /// Where it goes.
    pub camera_path: Option<CameraPath>,
    /// The node that it is at: a file of [`Scene::gltfs`], and one of its nodes.
    pub camera_node: Option<(usize, usize)>,
    /// glTF files.
    pub gltfs: Vec<GltfSource>,
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Templates of clusters.
    pub templates: Vec<TemplateSource>,
    /// Constant buffers.
    pub constants: Vec<Constants>,
    /// Other buffers.
    pub buffers: Vec<BufferSource>,
    /// Textures from files.
    pub textures: Vec<Texture>,
    /// Samplers.
    pub samplers: Vec<NamedSampler>,
    /// Images that shaders write.
    pub images: Vec<OutputImage>,
    /// Acceleration structures.
    pub accels: Vec<AccelSource>,
    /// Feedback maps.
    pub feedbacks: Vec<FeedbackSource>,
    /// Files that meshes were read from.
    mesh_files: Vec<PathBuf>,
    source: reader::Source,
}

/// Which shaders a scene runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shader {
    /// HLSL source, relative to the scene; none: a package.
    pub source: Option<PathBuf>,
    /// Compiled package, relative to the scene.
    pub package: Option<PathBuf>,
    /// Target profile.
    pub profile: String,
    /// Macro definitions: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// More arguments for the compiler.
    pub args: Vec<String>,
}

impl Shader {
    /// The source, or the package.
    pub fn file(&self) -> &Path {
        let file = self.source.as_deref().or(self.package.as_deref());
        file.unwrap_or(Path::new("the package"))
    }
}

/// The slots that an object of the scene is bound to.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// Name in the scene.
    pub name: String,
    /// Slots and array elements.
    pub slots: Vec<(Slot, u32)>,
    /// Its location in the scene file.
    pub location: SourceLocation,
}

/// A dispatch.
#[derive(Clone, PartialEq, Debug)]
pub struct Dispatch {
    /// Width, height, depth; of a compute shader the number of thread groups.
    pub size: [u32; 3],
    /// Whether it runs thread groups of a compute shader rather than rays.
    pub compute: bool,
    /// The compute shader; none: the only one of the library.
    pub entry: Option<String>,
    /// How many times it runs, one after the other.
    pub repeat: u32,
    /// The ray generation record; none: the only one of the library.
    pub raygen: Option<SceneRecord>,
    /// Miss records; none: all of the library.
    pub miss: Option<Vec<SceneRecord>>,
    /// Hit group records; none: all of the library.
    pub hit: Option<Vec<SceneRecord>>,
    /// Callable records; none: all of the library.
    pub callable: Option<Vec<SceneRecord>>,
    /// Its location in the scene file.
    pub location: SourceLocation,
}

/// A shader record.
#[derive(Clone, PartialEq, Debug)]
pub struct SceneRecord {
    /// The export; none: the null record.
    pub export: Option<String>,
    /// Arguments of the local root signature.
    pub arguments: Vec<(Slot, SceneArgument, SourceLocation)>,
    /// Its location in the scene file.
    pub location: SourceLocation,
}

/// An argument of a shader record.
#[derive(Clone, PartialEq, Debug)]
pub enum SceneArgument {
    /// Constants.
    Constants(Vec<NamedMember>),
    /// Address of a buffer of the scene, and an offset.
    Buffer(String, u64),
    /// Address of an acceleration structure of the scene.
    Accel(String),
    /// An index for a descriptor table.
    Index(u32),
}

/// A constant buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct Constants {
    /// The slots that it is bound to.
    pub target: Target,
    /// Its contents at first, one member after the other.
    pub bytes: Vec<u8>,
    /// Its members, some of which may follow the frame. They go to those of the source that have their names; where the shaders were compiled without
    /// names, one after the other.
    pub members: Vec<NamedMember>,
}

/// Initial contents of a buffer.
#[derive(Clone, PartialEq, Debug)]
pub enum BufferContents {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The bytes of a file.
    File(PathBuf),
    /// Data of a glTF file: its number among [`Scene::gltfs`], and what.
    Gltf(usize, GltfBuffer),
    /// Data of a mesh: its name, and one of [`MESH_DATA`].
    Mesh(String, String),
    /// Object-to-world transforms of the instances of an acceleration structure, each three rows of four numbers.
    Transforms(String, SourceLocation),
    /// Zeros.
    Zero(u64),
}

/// A buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct BufferSource {
    /// The slots that it is bound to.
    pub target: Target,
    /// Its initial contents.
    pub contents: BufferContents,
    /// Types of the members of an element.
    pub layout: Vec<Type>,
    /// For typed buffers.
    pub format: Option<Format>,
    /// File to write afterwards.
    pub save: Option<PathBuf>,
    /// Size of each thread's report, for a buffer that holds reports of [`crate::checks`].
    pub checks: Option<u32>,
    /// What the first elements must be afterwards, as they are stored.
    pub expect: Vec<(Vec<u8>, SourceLocation)>,
}

/// A texture from a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Texture {
    /// The slots that it is bound to.
    pub target: Target,
    /// The picture.
    pub file: PathBuf,
    /// Whether its texels are sRGB-encoded.
    pub srgb: bool,
}

/// A sampler.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedSampler {
    /// The slots that it is bound to.
    pub target: Target,
    /// How it samples.
    pub desc: SamplerDesc,
}

/// An image that shaders write, or one with texels that they read.
#[derive(Clone, PartialEq, Debug)]
pub struct OutputImage {
    /// The slots that it is bound to.
    pub target: Target,
    /// Its size and format.
    pub desc: ImageDesc,
    /// Its texels as [`ImageDesc::bytes`] lays them out; empty: zeros, and shaders write it.
    pub texels: Vec<u8>,
    /// File to write afterwards.
    pub save: Option<PathBuf>,
    /// Whether a PNG of floats is sRGB-encoded.
    pub encode_srgb: bool,
}

/// An acceleration structure.
#[derive(Clone, PartialEq, Debug)]
pub struct AccelSource {
    /// The slots that it is bound to.
    pub target: Target,
    /// Its instances.
    pub instances: Vec<SceneInstance>,
    /// Build flags, for it and its meshes.
    pub flags: crate::device::BuildFlags,
    /// Its partitions, for a partitioned structure.
    pub partitioned: Option<PartitionedSource>,
    /// The glTF file whose instances come first, among [`Scene::gltfs`].
    pub gltf: Option<usize>,
    /// Whether moving instances update it; otherwise it is built anew.
    pub refit: bool,
}

/// An instance of a mesh.
#[derive(Clone, PartialEq, Debug)]
pub struct SceneInstance {
    /// Index among [`Scene::meshes`]; none: the instance is inactive.
    pub mesh: Option<usize>,
    /// Object to world.
    pub transform: [[f32; 4]; 3],
    /// `InstanceID()`.
    pub id: u32,
    /// Instance mask.
    pub mask: u8,
    /// Added to the hit group index.
    pub hit_group_offset: u32,
    /// Instance flags.
    pub flags: u32,
}

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// The file cannot be read, or is invalid; the message has file, line and key.
    pub fn read(path: &Path) -> Result<Scene> {
        let text = std::fs::read_to_string(path).map_err(|e| RunError::io("read", path, &e))?;
        Scene::parse(path, &text)
    }

    /// The scene of a file: a scene, or a shader (`.hlsl`) that has one ([`Scene::of_shader`]).
    ///
    /// # Errors
    /// A file cannot be read, the shader names no scene, or the scene is invalid.
    pub fn of(file: &Path) -> Result<Scene> {
        match file.extension().is_some_and(|e| e == "hlsl") {
            true => Scene::of_shader(file, None)?.ok_or_else(|| directives::none(file)),
            false => Scene::read(file),
        }
    }

    /// The scene of a shader, with the shader as its source: the one that is `given`, else the one that its first lines name or have
    /// ([`Directives`]), else `scene.toml` in its folder if its source is the shader. None: there is none.
    ///
    /// # Errors
    /// A file cannot be read, or the scene is invalid.
    pub fn of_shader(shader: &Path, given: Option<&Path>) -> Result<Option<Scene>> {
        directives::scene(shader, given)
    }

    /// Reads a scene from text; `path` is for messages and for relative files.
    ///
    /// # Errors
    /// As [`Scene::read`].
    pub fn parse(path: &Path, text: &str) -> Result<Scene> {
        parse::scene(path, text)
    }

    /// Every shader record of every dispatch.
    pub fn records(&self) -> impl Iterator<Item = &SceneRecord> {
        self.dispatches.iter().flat_map(|d| {
            let lists = [&d.miss, &d.hit, &d.callable].into_iter().flatten().flatten();
            lists.chain(&d.raygen)
        })
    }

    /// The folder that its files are relative to.
    pub fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// What was left out of the files that it names, each with its place.
    pub fn warnings(&self) -> Vec<String> {
        self.source.warnings.list()
    }

    /// An error at a location of this scene.
    pub fn error(&self, location: &SourceLocation, why: impl std::fmt::Display) -> RunError {
        self.source.error(location, why)
    }

    /// Prefixes an error with a location of this scene.
    pub fn at(&self, location: &SourceLocation, e: RunError) -> RunError {
        let mut out = self.source.error(location, &e.message);
        out.notes = e.notes;
        out
    }
}
