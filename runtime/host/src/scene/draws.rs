//! Draws of a scene: `[[draw]]`.

use super::MESH_DATA;
use super::fields::extent;
use super::mesh::{Mesh, check_data, check_part};
use super::reader::{Node, SourceLocation, Table};
use super::targets::TargetSource;
use super::values::{Packing, Scalar, Type, scalars};
use crate::device::{
    AttributeType, Blend, BlendEquation, BlendFactor, BlendOp, Compare, Cull, DepthTest, DrawShaders, Format, Rasterizer, StencilFace,
    StencilOp, StencilTest, Topology, Viewport,
};
use crate::error::{Result, list};

/// A draw.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawSource {
    /// Its shaders; a vertex or pixel shader that is not named is the only one of the library.
    pub shaders: DrawShaders,
    /// There is no pixel shader, even if the library has one.
    pub no_pixel: bool,
    /// What its vertices are.
    pub topology: Topology,
    /// The mesh that its vertices come from.
    pub mesh: Option<String>,
    /// The inputs of its vertex shader, by semantic.
    pub attributes: Vec<AttributeSource>,
    /// Its indices; none: those of the mesh.
    pub indices: Option<IndexSource>,
    /// An index of all ones begins a new strip.
    pub restart: bool,
    /// Vertices, or indices where there are some; none: all of them.
    pub count: Option<u32>,
    /// Instances.
    pub instances: u32,
    /// The first vertex or index.
    pub first: u32,
    /// Added to indices.
    pub base_vertex: i32,
    /// The first instance.
    pub first_instance: u32,
    /// Groups of threads of a mesh or amplification shader.
    pub groups: Option<[u32; 3]>,
    /// Names of the colour targets, with how each is blended.
    pub targets: Vec<(String, Blend)>,
    /// The constant of blending.
    pub blend_constant: [f32; 4],
    /// Name of the depth target.
    pub depth: Option<String>,
    /// The depth test.
    pub depth_test: Option<DepthTest>,
    /// The stencil test.
    pub stencil_test: Option<StencilTest>,
    /// The viewports; none: all of the targets.
    pub viewports: Vec<Viewport>,
    /// How primitives become pixels.
    pub rasterizer: Rasterizer,
    /// How many views are drawn at once; 0: none.
    pub views: u32,
    /// How many times it runs, one after the other.
    pub repeat: u32,
    /// Its location in the scene file.
    pub location: SourceLocation,
}

/// Where the data of vertices or indices is.
#[derive(Clone, PartialEq, Debug)]
pub enum VertexData {
    /// In the scene.
    Bytes(Vec<u8>),
    /// A buffer of the scene.
    Buffer(String),
    /// Data of a mesh: its name, and one of [`MESH_DATA`].
    Mesh(String, String),
}

/// A vertex attribute.
#[derive(Clone, PartialEq, Debug)]
pub struct AttributeSource {
    /// The name of its semantic without the index.
    pub semantic: String,
    /// The semantic index.
    pub index: u32,
    /// Where it is.
    pub data: VertexData,
    /// The place of the first one, in bytes.
    pub offset: u64,
    /// Bytes from one to the next.
    pub stride: u32,
    /// Its type.
    pub kind: AttributeType,
    /// It advances with each instance.
    pub per_instance: bool,
    /// Its location in the scene file.
    pub location: SourceLocation,
}

/// The indices of a draw.
#[derive(Clone, PartialEq, Debug)]
pub struct IndexSource {
    /// Where they are.
    pub data: VertexData,
    /// The place of the first one, in bytes.
    pub offset: u64,
    /// Indices of 16 bits.
    pub short: bool,
    /// Its location in the scene file.
    pub location: SourceLocation,
}

impl DrawSource {
    /// Features of the device that its state needs, beyond what its shaders need.
    pub fn features(&self) -> Vec<(&'static str, &'static str)> {
        let first = self.targets.first().map(|t| t.1);
        let needs = [
            (true, "VK_KHR_dynamic_rendering", "dynamicRendering"),
            (self.targets.iter().any(|t| Some(t.1) != first), "", "independentBlend"),
            (self.targets.iter().any(|t| t.1.is_dual()), "", "dualSrcBlend"),
            (self.rasterizer.wireframe, "", "fillModeNonSolid"),
            (!self.rasterizer.depth_clip, "", "depthClamp"),
            (self.viewports.len() > 1, "", "multiViewport"),
            (self.views > 0, "", "multiview"),
            (self.shaders.mesh.is_some(), "VK_EXT_mesh_shader", "meshShader"),
            (self.shaders.amplification.is_some(), "VK_EXT_mesh_shader", "taskShader"),
        ];
        needs.into_iter().filter(|n| n.0).map(|(_, extension, name)| (extension, name)).collect()
    }
}

/// Comparisons, by their names.
pub(super) const COMPARE: [(&str, Compare); 8] = [
    ("never", Compare::Never),
    ("less", Compare::Less),
    ("equal", Compare::Equal),
    ("less_equal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("not_equal", Compare::NotEqual),
    ("greater_equal", Compare::GreaterEqual),
    ("always", Compare::Always),
];

/// What draws may refer to.
pub(super) struct Declared<'a> {
    /// The meshes.
    pub meshes: &'a [Mesh],
    /// The render targets.
    pub targets: &'a [TargetSource],
    /// Names of the buffers.
    pub buffers: Vec<&'a str>,
}

impl Declared<'_> {
    fn buffer(&self, n: &Node<'_>) -> Result<String> {
        let name = n.text()?;
        match self.buffers.contains(&name.as_str()) {
            true => Ok(name),
            false => Err(n.error(format!("the scene has no buffer `{name}`")).note(format!("buffers: {}", list(&self.buffers)))),
        }
    }

    fn target(&self, n: &Node<'_>) -> Result<String> {
        let name = n.text()?;
        let names = || self.targets.iter().map(|t| t.target.name.as_str());
        match names().any(|known| known == name) {
            true => Ok(name),
            false => Err(n.error(format!("the scene has no target `{name}`")).note(format!("targets: {}", list(names())))),
        }
    }

    /// `mesh.normals`
    fn mesh_data(&self, n: &Node<'_>) -> Result<VertexData> {
        let word = n.str()?;
        let Some((mesh, data)) = word.rsplit_once('.').filter(|w| MESH_DATA.contains(&w.1)) else {
            return Err(n.error(format!("expected a mesh and its data, `mesh.positions`; data are {}", list(MESH_DATA))));
        };
        check_data(mesh, data, n, self.meshes)?;
        Ok(VertexData::Mesh(mesh.to_string(), data.to_string()))
    }
}

/// Reads one table of `[[draw]]`.
pub(super) fn draw(n: &Node<'_>, known: &Declared<'_>) -> Result<DrawSource> {
    let t = n.table()?;
    let shader = |key| t.take(key).map(|n| n.text()).transpose();
    let shaders = DrawShaders {
        vertex: shader("vertex")?,
        hull: shader("hull")?,
        domain: shader("domain")?,
        geometry: shader("geometry")?,
        amplification: shader("amplification")?,
        mesh: shader("mesh")?,
        pixel: shader("pixel")?,
    };
    let no_pixel = shaders.pixel.as_deref() == Some("");
    let (mesh, attributes) = t.take("vertices").map_or(Ok((None, Vec::new())), |n| vertices(&n, known))?;
    let depth = t.take("depth");
    let (depth, depth_test) = depth.map_or(Ok((None, None)), |n| depth_test(&n, known))?;
    let groups = t.take("groups");
    let mut out = DrawSource {
        shaders: DrawShaders { pixel: shaders.pixel.filter(|_| !no_pixel), ..shaders },
        no_pixel,
        topology: topology(&t)?,
        mesh,
        attributes,
        indices: t.take("indices").map(|n| indices(&n, known)).transpose()?,
        restart: t.or("restart", Node::bool, false)?,
        count: t.take("count").map(|n| n.u32()).transpose()?,
        instances: t.or("instances", Node::u32, 1)?,
        first: t.or("first", Node::u32, 0)?,
        base_vertex: t.or("base_vertex", |n| i32::try_from(n.integer()?).map_err(|_| n.error("it does not fit into 32 bits")), 0)?,
        first_instance: t.or("first_instance", Node::u32, 0)?,
        groups: groups.as_ref().map(extent).transpose()?,
        targets: targets(&t, known)?,
        blend_constant: t.or("blend_constant", |n| n.floats::<4>(), [0.0; 4])?,
        depth,
        depth_test,
        stencil_test: t.take("stencil").map(|n| stencil(&n)).transpose()?,
        viewports: t.take("viewports").map_or(Ok(Vec::new()), |n| n.list()?.iter().map(viewport).collect())?,
        rasterizer: rasterizer(&t)?,
        views: t.or("views", Node::u32, 0)?,
        repeat: t.or("repeat", Node::u32, 1)?,
        location: n.location.clone(),
    };
    if let (Some(groups), None) = (&groups, &out.shaders.mesh) {
        return Err(groups.error("groups of threads are those of a mesh shader: name it with `mesh`"));
    }
    if out.shaders.mesh.is_some() && out.groups.is_none() {
        return Err(t.error("a draw of a mesh shader requires `groups = [x, y, z]`"));
    }
    if out.targets.is_empty() && out.depth.is_none() {
        // The usual case: one target.
        match known.targets {
            [one] => out.targets.push((one.target.name.clone(), Blend::OFF)),
            _ => return Err(t.error("the draw has no target: give `targets` or `depth`")),
        }
    }
    if out.views > 31 {
        return Err(t.error(format!("{} views: at most 31 are possible", out.views)));
    }
    if out.restart && !out.topology.is_strip() {
        return Err(t.error("`restart` begins a new strip, and the topology is none of strips"));
    }
    t.finish()?;
    Ok(out)
}

fn topology(t: &Table<'_>) -> Result<Topology> {
    let points = t.take("patch_control_points");
    let words = [
        ("points", Topology::Points),
        ("lines", Topology::Lines),
        ("line_strip", Topology::LineStrip),
        ("triangles", Topology::Triangles),
        ("triangle_strip", Topology::TriangleStrip),
        ("lines_adjacency", Topology::LinesAdjacency),
        ("line_strip_adjacency", Topology::LineStripAdjacency),
        ("triangles_adjacency", Topology::TrianglesAdjacency),
        ("triangle_strip_adjacency", Topology::TriangleStripAdjacency),
        ("patches", Topology::Patches(0)),
    ];
    match (t.take("topology").map(|n| n.word(&words)).transpose()?, points) {
        (None | Some(Topology::Patches(_)), Some(n)) => Ok(Topology::Patches(n.u32()?)),
        (Some(Topology::Patches(_)), None) => Err(t.error("patches require `patch_control_points`")),
        (Some(_), Some(n)) => Err(n.error("only patches have control points")),
        (said, None) => Ok(said.unwrap_or(Topology::Triangles)),
    }
}

/// `float3`, `uint`, or the name of a format of texels.
fn attribute_type(word: &str) -> Option<AttributeType> {
    if let Some(format) = Format::from_name(word) {
        return Some(AttributeType::Texel(format));
    }
    let ty = Type::parse(word).filter(|t| t.rows == 0 && t.array.is_none())?;
    match ty.scalar {
        Scalar::Float => Some(AttributeType::Float(ty.columns)),
        Scalar::Int => Some(AttributeType::Int(ty.columns)),
        Scalar::Uint => Some(AttributeType::Uint(ty.columns)),
        Scalar::Bool => None,
    }
}

/// The name of a mesh, or a table of attributes by semantic, `mesh` among them.
fn vertices(n: &Node<'_>, known: &Declared<'_>) -> Result<(Option<String>, Vec<AttributeSource>)> {
    let mesh = |n: &Node<'_>| {
        let name = n.str()?;
        check_part(name, n, known.meshes).map(|()| name.to_string())
    };
    if !n.is_table() {
        return Ok((Some(mesh(n)?), Vec::new()));
    }
    let (mut named, mut attributes) = (None, Vec::new());
    for (key, value) in n.table()?.iter() {
        if key == "mesh" {
            named = Some(mesh(&value)?);
        } else {
            attributes.push(attribute(key, &value, known)?);
        }
    }
    Ok((named, attributes))
}

fn attribute(key: &str, n: &Node<'_>, known: &Declared<'_>) -> Result<AttributeSource> {
    let semantic = key.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = match &key[semantic.len()..] {
        "" => 0,
        digits => digits.parse().map_err(|_| n.error(format!("`{digits}` is no semantic index")))?,
    };
    let mut out = AttributeSource {
        semantic: semantic.to_string(),
        index,
        data: VertexData::Bytes(Vec::new()),
        offset: 0,
        stride: 0,
        kind: AttributeType::Float(4),
        per_instance: false,
        location: n.location.clone(),
    };
    if !n.is_table() {
        out.data = known.mesh_data(n)?;
        let VertexData::Mesh(_, data) = &out.data else { return Ok(out) };
        out.kind = match data.as_str() {
            "uvs" => AttributeType::Float(2),
            "indices" => AttributeType::Uint(1),
            _ => AttributeType::Float(3),
        };
        out.stride = out.kind.size();
        return Ok(out);
    }
    let t = n.table()?;
    out.per_instance = t.or("per_instance", Node::bool, false)?;
    if let Some(buffer) = t.take("buffer") {
        out.data = VertexData::Buffer(known.buffer(&buffer)?);
        let format = t.need("format")?;
        let word = format.str()?;
        out.kind = attribute_type(word).ok_or_else(|| format.error(format!("`{word}` is no format of a vertex attribute")))?;
        out.offset = t.or("offset", Node::u64, 0)?;
        out.stride = t.or("stride", Node::u32, out.kind.size())?;
        t.finish()?;
        return Ok(out);
    }
    let shape = "expected `{ <type> = [<values>] }`, `{ buffer, format, offset, stride }` or `mesh.<data>`";
    let mut entries = t.iter().filter(|(key, _)| *key != "per_instance");
    let (Some((name, values)), None) = (entries.next(), entries.next()) else { return Err(n.error(shape)) };
    let Some((kind, ty)) = attribute_type(name).zip(Type::parse(name)) else {
        return Err(values.error(format!("`{name}` is no type of a vertex attribute")).note(shape));
    };
    let mut bytes = Vec::new();
    for value in values.list()? {
        ty.append(&scalars(&value, ty)?, Packing::Elements, &mut bytes);
    }
    out.data = VertexData::Bytes(bytes);
    (out.kind, out.stride) = (kind, kind.size());
    Ok(out)
}

/// A list of numbers, `mesh.indices`, or a buffer.
fn indices(n: &Node<'_>, known: &Declared<'_>) -> Result<IndexSource> {
    let location = n.location.clone();
    if n.is_array() {
        let bytes = n.list()?.iter().map(Node::u32).collect::<Result<Vec<u32>>>()?.into_iter().flat_map(u32::to_le_bytes).collect();
        return Ok(IndexSource { data: VertexData::Bytes(bytes), offset: 0, short: false, location });
    }
    if !n.is_table() {
        return Ok(IndexSource { data: known.mesh_data(n)?, offset: 0, short: false, location });
    }
    let t = n.table()?;
    let short = t.or("format", |n| n.word(&[("uint16", true), ("uint32", false)]), false)?;
    let offset = t.or("offset", Node::u64, 0)?;
    let data = VertexData::Buffer(known.buffer(&t.need("buffer")?)?);
    t.finish()?;
    Ok(IndexSource { data, offset, short, location })
}

/// `targets` and `blend`.
fn targets(t: &Table<'_>, known: &Declared<'_>) -> Result<Vec<(String, Blend)>> {
    let names: Vec<String> = match t.take("targets") {
        None => Vec::new(),
        Some(n) if n.is_array() => n.list()?.iter().map(|n| known.target(n)).collect::<Result<_>>()?,
        Some(n) => vec![known.target(&n)?],
    };
    let Some(n) = t.take("blend") else { return Ok(names.into_iter().map(|name| (name, Blend::OFF)).collect()) };
    let names = match (names.is_empty(), known.targets) {
        (true, [one]) => vec![one.target.name.clone()],
        _ => names,
    };
    if !n.is_array() {
        let all = blend(&n)?;
        return Ok(names.into_iter().map(|name| (name, all)).collect());
    }
    let each = n.list()?;
    if each.len() != names.len() {
        return Err(n.error(format!("blending of {} targets, and the draw has {}", each.len(), names.len())));
    }
    names.into_iter().zip(&each).map(|(name, n)| Ok((name, blend(n)?))).collect()
}

/// A word, or a table of equations.
fn blend(n: &Node<'_>) -> Result<Blend> {
    use BlendFactor as F;
    let both = |source, destination| Blend { equations: Some([(source, BlendOp::Add, destination); 2]), write_mask: 15 };
    if !n.is_table() {
        let alpha = Blend {
            equations: Some([(F::SrcAlpha, BlendOp::Add, F::InvSrcAlpha), (F::One, BlendOp::Add, F::InvSrcAlpha)]),
            write_mask: 15,
        };
        return n.word(&[
            ("off", Blend::OFF),
            ("alpha", alpha),
            ("premultiplied", both(F::One, F::InvSrcAlpha)),
            ("additive", both(F::One, F::One)),
            ("multiply", both(F::DestColor, F::Zero)),
            ("dual", both(F::One, F::Src1Color)),
        ]);
    }
    let t = n.table()?;
    let color = t.take("color").map(|n| equation(&n)).transpose()?;
    let alpha = t.take("alpha").map(|n| equation(&n)).transpose()?;
    let keep = (F::One, BlendOp::Add, F::Zero);
    let write_mask = t.or(
        "write",
        |n| {
            let mut mask = 0;
            for c in n.str()?.chars() {
                let Some(bit) = "rgba".find(c) else { return Err(n.error(format!("`{c}` is none of the channels r, g, b, a"))) };
                mask |= 1u8 << bit;
            }
            Ok(mask)
        },
        15,
    )?;
    t.finish()?;
    let equations = (color.is_some() || alpha.is_some()).then(|| [color.unwrap_or(keep), alpha.or(color).unwrap_or(keep)]);
    Ok(Blend { equations, write_mask })
}

/// `["src_alpha", "add", "inv_src_alpha"]`
fn equation(n: &Node<'_>) -> Result<BlendEquation> {
    match n.list()?.as_slice() {
        [source, op, destination] => Ok((source.word(&BlendFactor::ALL)?, op.word(&BlendOp::ALL)?, destination.word(&BlendFactor::ALL)?)),
        _ => Err(n.error("expected a factor, an operation and a factor: [\"src_alpha\", \"add\", \"inv_src_alpha\"]")),
    }
}

/// The name of a depth target, which is tested with `less` and written, or a table.
fn depth_test(n: &Node<'_>, known: &Declared<'_>) -> Result<(Option<String>, Option<DepthTest>)> {
    if !n.is_table() {
        return Ok((Some(known.target(n)?), Some(DepthTest { compare: Compare::Less, write: true })));
    }
    let t = n.table()?;
    let target = known.target(&t.need("target")?)?;
    let tests = t.or("test", Node::bool, true)?;
    let test = DepthTest { compare: t.or("compare", |n| n.word(&COMPARE), Compare::Less)?, write: t.or("write", Node::bool, true)? };
    t.finish()?;
    Ok((Some(target), tests.then_some(test)))
}

fn stencil(n: &Node<'_>) -> Result<StencilTest> {
    let t = n.table()?;
    let byte = |n: &Node<'_>| match n.u32()? {
        i if i < 256 => Ok(i),
        i => Err(n.error(format!("{i} has more than 8 bits"))),
    };
    let front = stencil_face(&t)?;
    let out = StencilTest {
        front,
        back: t.or(
            "back",
            |n| {
                let t = n.table()?;
                let face = stencil_face(&t)?;
                t.finish().map(|()| face)
            },
            front,
        )?,
        read_mask: t.or("read_mask", byte, 255)?,
        write_mask: t.or("write_mask", byte, 255)?,
        reference: t.or("reference", byte, 0)?,
    };
    t.finish()?;
    Ok(out)
}

fn stencil_face(t: &Table<'_>) -> Result<StencilFace> {
    let op = |key| t.or(key, |n| n.word(&StencilOp::ALL), StencilOp::Keep);
    Ok(StencilFace {
        compare: t.or("compare", |n| n.word(&COMPARE), Compare::Always)?,
        fail: op("fail")?,
        depth_fail: op("depth_fail")?,
        pass: op("pass")?,
    })
}

fn viewport(n: &Node<'_>) -> Result<Viewport> {
    let t = n.table()?;
    let rect = t.need("rect")?.floats::<4>()?;
    let scissor = match t.take("scissor") {
        None => None,
        Some(n) => match n.list()?.as_slice() {
            [x, y, w, h] => Some([x.u32()?, y.u32()?, w.u32()?, h.u32()?]),
            other => return Err(n.error(format!("expected left, top, width and height, found {} numbers", other.len()))),
        },
    };
    if rect[2] <= 0.0 || rect[3] < 0.0 {
        return Err(n.error("a viewport has a width and a height above zero"));
    }
    let out = Viewport {
        rect,
        depth: t.or("depth", |n| n.floats::<2>(), [0.0, 1.0])?,
        y_up: t.or("y", |n| n.word(&[("up", true), ("down", false)]), true)?,
        scissor,
    };
    t.finish()?;
    Ok(out)
}

fn rasterizer(t: &Table<'_>) -> Result<Rasterizer> {
    Ok(Rasterizer {
        cull: t.or("cull", |n| n.word(&[("none", Cull::None), ("front", Cull::Front), ("back", Cull::Back)]), Cull::None)?,
        front_counter_clockwise: t.or("front", |n| n.word(&[("clockwise", false), ("counter_clockwise", true)]), false)?,
        wireframe: t.or("fill", |n| n.word(&[("solid", false), ("wireframe", true)]), false)?,
        depth_clip: t.or("depth_clip", Node::bool, true)?,
        depth_bias: t.take("depth_bias").map(|n| n.floats::<3>()).transpose()?,
        sample_mask: t.or("sample_mask", Node::u32, u32::MAX)?,
        alpha_to_coverage: t.or("alpha_to_coverage", Node::bool, false)?,
    })
}
