//! The parser of scenes: from TOML to [`Scene`].

use super::accel::accel;
use super::clusters::template;
use super::constants::{constants, members, typed};
use super::draws::{self, COMPARE, draw};
use super::feedback::feedback;
use super::fields::{extension, extent, picture_file, target};
use super::mesh::check_data;
use super::reader::{Node, Source, SourceLocation, Table};
use super::targets::target as render_target;
use super::values::{Packing, Type, scalars};
use super::viewpoint::{Viewpoint, viewpoint};
use super::*;
use crate::device::{Address, Channel};
use crate::error::list;
use crate::picture::Texels;
use crate::state_object::{HitGroup, PIPELINE_SKIP_PROCEDURAL, PIPELINE_SKIP_TRIANGLES, PipelineConfig, ShaderConfig};
use rtc_base::half;
use rtc_dxil_container::ResourceKind;
use toml::de::DeTable;

/// Largest size of a zeroed buffer, in bytes.
const MAX_BUFFER: u64 = 1 << 32;

/// Reads a scene.
pub(super) fn scene(path: &Path, text: &str) -> Result<Scene> {
    let source = Source::new(path, text);
    let document = DeTable::parse(text).map_err(|e| source.syntax(&e))?;
    let root = Table::new(document.get_ref(), SourceLocation { line: 1, key: String::new() }, &source);
    let dir = path.parent().unwrap_or(Path::new(""));

    let images = each(&root, "images", image)?;
    let dispatch_table = root.take("dispatch");
    let draw_tables = root.take("draw").map_or(Ok(Vec::new()), |n| n.list())?;
    let targets = each(&root, "targets", render_target)?;
    let dispatch_tables = match &dispatch_table {
        // A scene that draws dispatches only what it says.
        None if !draw_tables.is_empty() => Vec::new(),
        Some(n) if n.is_array() => n.list()?.into_iter().map(Some).collect(),
        _ => vec![dispatch_table],
    };
    if dispatch_tables.is_empty() && draw_tables.is_empty() {
        return Err(root.error("`dispatch` is an empty list"));
    }
    let sizes: Vec<(bool, [u32; 3])> = dispatch_tables.iter().map(|n| dispatch_size(n.as_ref(), &images, &root)).collect::<Result<_>>()?;
    // The camera's aspect ratio is that of the first dispatch of rays, else of the first target or image.
    let rays = sizes.iter().find(|s| !s.0).map(|s| s.1);
    let drawn = || targets.first().map(|t| [t.desc.width, t.desc.height, 1]);
    let size = rays.or_else(drawn).or_else(|| images.first().map(|i| [i.desc.width, i.desc.height, 1]));
    let aspect = size.map_or(1.0, |s| s[0] as f32 / s[1].max(1) as f32);
    let templates = each(&root, "templates", template)?;
    let mut meshes = each(&root, "meshes", |name, n| Mesh::read(name, n, dir, &templates))?;
    let mesh_files = mesh_files(&root, dir)?;
    let gltfs = each(&root, "gltf", |name, n| {
        let (source, made) = gltf_file::source(name, n, dir, meshes.len())?;
        meshes.extend(made.into_iter().map(|(name, parts)| Mesh::of_parts(name, parts, n.location.clone())));
        Ok(source)
    })?;
    let Viewpoint { camera, camera_path, camera_node } = match root.take("camera") {
        None => Viewpoint::default(),
        Some(n) => viewpoint(&n.table()?, aspect, dir, &gltfs)?,
    };
    let camera = camera.as_ref();
    let frames = root.take("frames").map_or(Ok(Frames::default()), |n| Frames::read(&n.table()?))?;
    let buffers = each(&root, "buffers", |name, n| buffer(name, n, camera, &meshes, &gltfs))?;
    let known = draws::Declared { meshes: &meshes, targets: &targets, buffers: buffers.iter().map(|b| b.target.name.as_str()).collect() };
    let draws = draw_tables.iter().map(|n| draw(n, &known)).collect::<Result<_>>()?;
    let scene = Scene {
        path: path.to_path_buf(),
        shader: shader(&root.need("shader")?.table()?)?,
        dispatches: dispatch_tables
            .iter()
            .zip(sizes)
            .map(|(n, (compute, size))| dispatch(n.as_ref(), compute, size, camera))
            .collect::<Result<_>>()?,
        overrides: overrides(&root)?,
        frames,
        camera: camera.copied(),
        camera_path,
        camera_node,
        constants: each(&root, "constants", |name, n| constants(name, n, camera))?,
        draws,
        targets,
        buffers,
        textures: each(&root, "textures", texture)?,
        samplers: each(&root, "samplers", sampler)?,
        accels: each(&root, "accel", |name, n| accel(name, n, &meshes, &gltfs))?,
        gltfs,
        mesh_files,
        feedbacks: each(&root, "feedback", feedback)?,
        images,
        meshes,
        templates,
        source: source.clone(),
    };
    root.finish()?;
    check_names(&scene)?;
    super::feedback::check(&scene)?;
    Ok(scene)
}

/// The glTF files of meshes.
fn mesh_files(root: &Table<'_>, dir: &Path) -> Result<Vec<PathBuf>> {
    let Some(node) = root.take("meshes") else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for (_, mesh) in node.table()?.iter().filter(|(_, n)| n.is_table()) {
        let table = mesh.table()?;
        let own = table.iter().filter(|(key, _)| *key == "gltf").map(|(_, n)| n);
        out.extend(own.filter_map(|n| Some(dir.join(n.str().ok()?))));
    }
    Ok(out)
}

/// Reads each table under `key`.
fn each<T>(root: &Table<'_>, key: &'static str, mut read: impl FnMut(&str, &Node<'_>) -> Result<T>) -> Result<Vec<T>> {
    let Some(node) = root.take(key) else {
        return Ok(Vec::new());
    };
    node.table()?.iter().map(|(name, n)| read(name, &n)).collect()
}

/// Checks that the names of acceleration structures, and of all in shader records, exist.
fn check_names(scene: &Scene) -> Result<()> {
    for (_, argument, location) in scene.records().flat_map(|r| &r.arguments) {
        let (name, known): (_, Vec<&str>) = match argument {
            SceneArgument::Buffer(name, _) => {
                let constants = scene.constants.iter().map(|c| c.target.name.as_str());
                (name, scene.buffers.iter().map(|b| b.target.name.as_str()).chain(constants).collect())
            }
            SceneArgument::Accel(name) => (name, scene.accels.iter().map(|a| a.target.name.as_str()).collect()),
            SceneArgument::Constants(_) | SceneArgument::Index(_) => continue,
        };
        if !known.contains(&name.as_str()) {
            return Err(scene.error(location, format!("the scene has no `{name}`")).note(format!("known: {}", list(known))));
        }
    }
    for b in &scene.buffers {
        let BufferContents::Transforms(name, location) = &b.contents else { continue };
        if scene.accels.iter().all(|a| a.target.name != *name) {
            let known = list(scene.accels.iter().map(|a| &a.target.name));
            return Err(scene.error(location, format!("the scene has no `{name}` under `accel`")).note(format!("known: {known}")));
        }
    }
    Ok(())
}

fn shader(t: &Table<'_>) -> Result<Shader> {
    let (kind, file) = t.one_of(&["source", "package"])?;
    let file = PathBuf::from(file.str()?);
    let out = Shader {
        source: (kind == "source").then(|| file.clone()),
        package: (kind == "package").then_some(file),
        profile: t.or("profile", Node::text, "lib_6_3".to_string())?,
        defines: t.or("defines", Node::strings, Vec::new())?,
        args: t.or("args", Node::strings, Vec::new())?,
    };
    t.finish()?;
    Ok(out)
}

/// Whether a dispatch launches thread groups, and its size.
fn dispatch_size(node: Option<&Node<'_>>, images: &[OutputImage], root: &Table<'_>) -> Result<(bool, [u32; 3])> {
    if let Some(n) = node {
        let t = n.table()?;
        let (size, groups) = (t.take("size"), t.take("groups"));
        if let (Some(size), Some(_)) = (&size, &groups) {
            return Err(size.error("`size` (of a dispatch of rays) and `groups` (of a compute shader) exclude each other: not both"));
        }
        let compute = groups.is_some();
        if let Some(size) = size.or(groups) {
            return Ok((compute, extent(&size)?));
        }
        if let Some(entry) = t.take("entry") {
            return Err(entry.error("a dispatch of a compute shader requires `groups`: give `groups = [x, y, z]`"));
        }
    }
    let Some(first) = images.first() else {
        return Err(root.error("the dispatch has no size: give `size` under `[dispatch]`, or an image"));
    };
    Ok((false, [first.desc.width, first.desc.height, 1]))
}

fn dispatch(node: Option<&Node<'_>>, compute: bool, size: [u32; 3], camera: Option<&Camera>) -> Result<Dispatch> {
    let mut out = Dispatch {
        size,
        compute,
        entry: None,
        repeat: 1,
        raygen: None,
        miss: None,
        hit: None,
        callable: None,
        location: SourceLocation { line: 1, key: String::new() },
    };
    let Some(node) = node else { return Ok(out) };
    let t = node.table()?;
    t.take("size");
    t.take("groups");
    out.location = node.location.clone();
    out.repeat = t.or("repeat", Node::u32, 1)?;
    if compute {
        out.entry = t.take("entry").map(|n| n.text()).transpose()?;
        t.finish()?;
        return Ok(out);
    }
    let records = |n: &Node<'_>| -> Result<Vec<SceneRecord>> { n.list()?.iter().map(|r| record(r, camera)).collect() };
    out.raygen = t.take("raygen").map(|n| record(&n, camera)).transpose()?;
    out.miss = t.take("miss").map(|n| records(&n)).transpose()?;
    out.hit = t.take("hit").map(|n| records(&n)).transpose()?;
    out.callable = t.take("callable").map(|n| records(&n)).transpose()?;
    t.finish()?;
    Ok(out)
}

fn record(n: &Node<'_>, camera: Option<&Camera>) -> Result<SceneRecord> {
    let mut out = SceneRecord { export: None, arguments: Vec::new(), location: n.location.clone() };
    if !n.is_table() {
        out.export = Some(n.text()?);
        return Ok(out);
    }
    let t = n.table()?;
    out.export = t.take("export").map(|n| n.text()).transpose()?;
    if let Some(arguments) = t.take("record") {
        if out.export.is_none() {
            return Err(arguments.error("the null record cannot have arguments"));
        }
        for (name, value) in arguments.table()?.iter() {
            let argument = argument(&value, camera)?;
            out.arguments.push((Slot::parse(name), argument, value.location.clone()));
        }
    }
    t.finish()?;
    Ok(out)
}

fn argument(n: &Node<'_>, camera: Option<&Camera>) -> Result<SceneArgument> {
    let t = n.table()?;
    let has = |key: &str| t.iter().any(|(k, v)| k == key && !v.is_table());
    let out = if has("buffer") {
        SceneArgument::Buffer(t.need("buffer")?.text()?, t.or("offset", Node::u64, 0)?)
    } else if has("accel") {
        SceneArgument::Accel(t.need("accel")?.text()?)
    } else if has("table") {
        SceneArgument::Index(t.need("table")?.u32()?)
    } else {
        return Ok(SceneArgument::Constants(members(t.iter(), camera)?));
    };
    t.finish()?;
    Ok(out)
}

fn overrides(root: &Table<'_>) -> Result<Overrides> {
    let location = root.iter().find(|(key, _)| *key == "shader").map(|(_, n)| n.at());
    let mut out = Overrides { location, ..Overrides::default() };
    if let Some(n) = root.take("pipeline") {
        let t = n.table()?;
        out.location = Some(n.at());
        let payload = t.take("max_payload_size");
        let attribute = t.take("max_attribute_size");
        if payload.is_some() || attribute.is_some() {
            out.shader = Some(ShaderConfig {
                max_payload: payload.map_or(Ok(0), |n| n.u32())?,
                max_attribute: attribute.map_or(Ok(8), |n| n.u32())?,
            });
        }
        let mut flags = 0;
        if t.or("skip_triangles", Node::bool, false)? {
            flags |= PIPELINE_SKIP_TRIANGLES;
        }
        if t.or("skip_procedural", Node::bool, false)? {
            flags |= PIPELINE_SKIP_PROCEDURAL;
        }
        match t.take("max_recursion") {
            Some(depth) => {
                out.pipeline = Some(PipelineConfig { max_recursion: depth.u32()?, flags });
            }
            None if flags != 0 => return Err(t.error("`skip_triangles` and `skip_procedural` require `max_recursion`")),
            None => {}
        }
        t.finish()?;
    }
    if let Some(n) = root.take("hit_group") {
        for n in n.list()? {
            let t = n.table()?;
            let text = |key| t.or(key, Node::text, String::new());
            out.hit_groups.push(HitGroup {
                name: t.need("name")?.text()?,
                procedural: t.or("type", |n| n.word(&[("triangles", false), ("procedural", true)]), false)?,
                any_hit: text("any_hit")?,
                closest_hit: text("closest_hit")?,
                intersection: text("intersection")?,
                location: Some(n.at()),
            });
            t.finish()?;
        }
    }
    Ok(out)
}

fn buffer(name: &str, n: &Node<'_>, camera: Option<&Camera>, meshes: &[Mesh], gltfs: &[GltfSource]) -> Result<BufferSource> {
    let t = n.table()?;
    let target = target(name, n, &t)?;
    let format = t.take("format").map(|n| format_of(&n)).transpose()?;
    let layout = match t.take("layout") {
        None => Vec::new(),
        Some(n) => {
            let words = if n.is_array() { n.list()? } else { vec![n.clone()] };
            let ty = |n: &Node<'_>| {
                let word = n.str()?;
                Type::parse(word).ok_or_else(|| n.error(format!("unknown type `{word}`")))
            };
            words.iter().map(ty).collect::<Result<_>>()?
        }
    };
    let (kind, what) = t.one_of(&["elements", "file", "from", "size"])?;
    let contents = match kind {
        "elements" => BufferContents::Bytes(elements(&what, &layout, camera)?),
        "file" => BufferContents::File(PathBuf::from(what.str()?)),
        "from" => {
            let word = what.str()?;
            match word.rsplit_once('.') {
                Some((file, data)) if gltfs.iter().any(|g| g.name == file) => {
                    let index = gltf_file::find(file, &what, gltfs)?;
                    let data = gltf_file::GLTF_DATA.iter().find(|d| d.0 == data).ok_or_else(|| {
                        what.error(format!("a glTF file has no `{data}`"))
                            .note(format!("it has {}", list(gltf_file::GLTF_DATA.map(|d| d.0))))
                    })?;
                    BufferContents::Gltf(index, data.1)
                }
                Some((mesh, data)) if MESH_DATA.contains(&data) => {
                    check_data(mesh, data, &what, meshes)?;
                    BufferContents::Mesh(mesh.to_string(), data.to_string())
                }
                Some((accel, "transforms")) => BufferContents::Transforms(accel.to_string(), what.location.clone()),
                _ => {
                    let why = format!("expected a mesh and its data, `mesh.positions`; data are {}", list(MESH_DATA));
                    return Err(what.error(why).note("of an acceleration structure there are `accel.transforms`"));
                }
            }
        }
        _ => {
            let size = what.u64()?;
            let element = layout.iter().map(|t| t.stored_words() as u64 * 4).sum::<u64>();
            if size < element {
                return Err(what.error(format!("an element of its layout has {element} bytes, but the buffer has {size}")));
            }
            if size > MAX_BUFFER {
                return Err(what.error(format!("{size} bytes are too many: the maximum is {MAX_BUFFER}")));
            }
            BufferContents::Zero(size)
        }
    };
    let save = t.take("save");
    if let Some(n) = &save {
        let json = extension(n)? == "json";
        if json && layout.is_empty() && format.is_none() {
            return Err(n.error("a `.json` file requires a `layout` or a `format` of the buffer"));
        }
        if !json && extension(n)? != "bin" {
            return Err(n.error("buffers are saved as `.bin` or `.json`"));
        }
    }
    let save = save.map(|n| n.str().map(PathBuf::from)).transpose()?;
    let checks = t.take("checks").map(|n| checks(&n)).transpose()?;
    let expect = match t.take("expect") {
        None => Vec::new(),
        Some(n) if layout.is_empty() => return Err(n.error("what a buffer must hold requires its `layout`")),
        Some(n) => {
            let rows = n.list()?;
            let one = |row: &Node<'_>| Ok((elements_of(std::slice::from_ref(row), &layout, camera)?, row.location.clone()));
            rows.iter().map(one).collect::<Result<_>>()?
        }
    };
    t.finish()?;
    Ok(BufferSource { target, contents, layout, format, save, checks, expect })
}

/// The size of a thread's report: at least one row after the header.
fn checks(n: &Node<'_>) -> Result<u32> {
    let bytes = n.u32()?;
    if bytes % 16 != 0 || bytes < 32 {
        return Err(n.error("a report has at least two rows of 16 bytes"));
    }
    Ok(bytes)
}

/// The elements of a structured buffer: with a layout of one type each is a value, otherwise a list of values;
/// without layout each is `{ type = value }`.
fn elements(n: &Node<'_>, layout: &[Type], camera: Option<&Camera>) -> Result<Vec<u8>> {
    elements_of(&n.list()?, layout, camera)
}

fn elements_of(rows: &[Node<'_>], layout: &[Type], camera: Option<&Camera>) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for element in rows {
        match layout {
            [] => {
                let (ty, bits) = typed(element, camera)?;
                ty.append(&bits, Packing::Elements, &mut out);
            }
            [ty] => ty.append(&scalars(element, *ty)?, Packing::Elements, &mut out),
            many => {
                let values = element.list()?;
                if values.len() != many.len() {
                    return Err(element.error(format!("expected {} values, found {}", many.len(), values.len())));
                }
                for (ty, value) in many.iter().zip(&values) {
                    ty.append(&scalars(value, *ty)?, Packing::Elements, &mut out);
                }
            }
        }
    }
    Ok(out)
}

fn texture(name: &str, n: &Node<'_>) -> Result<Texture> {
    let t = n.table()?;
    let out = Texture { target: target(name, n, &t)?, file: PathBuf::from(t.need("file")?.str()?), srgb: t.or("srgb", Node::bool, false)? };
    t.finish()?;
    Ok(out)
}

fn sampler(name: &str, n: &Node<'_>) -> Result<NamedSampler> {
    let t = n.table()?;
    let target = target(name, n, &t)?;
    let (linear, anisotropy) =
        t.or("filter", |n| n.word(&[("point", (false, 0)), ("linear", (true, 0)), ("anisotropic", (true, 16))]), (true, 0))?;
    let address = t.or(
        "address",
        |n| {
            n.word(&[
                ("wrap", Address::Wrap),
                ("mirror", Address::Mirror),
                ("clamp", Address::Clamp),
                ("border", Address::Border),
                ("mirror_once", Address::MirrorOnce),
            ])
        },
        Address::Wrap,
    )?;
    let compare = t.take("compare").map(|n| n.word(&COMPARE)).transpose()?;
    t.finish()?;
    let desc = SamplerDesc {
        compare,
        min_linear: linear,
        mag_linear: linear,
        mip_linear: linear,
        max_anisotropy: anisotropy,
        address: [address; 3],
        ..SamplerDesc::default()
    };
    Ok(NamedSampler { target, desc })
}

fn format_of(n: &Node<'_>) -> Result<Format> {
    n.word(&Format::ALL.map(|row| (row.1, row.0)))
}

fn image(name: &str, n: &Node<'_>) -> Result<OutputImage> {
    let t = n.table()?;
    let target = target(name, n, &t)?;
    let size_node = t.need("size")?;
    let size = match size_node.list()?.as_slice() {
        [w, h] => [w.u32()?, h.u32()?],
        other => {
            return Err(size_node.error(format!("expected width and height, found {} numbers", other.len())));
        }
    };
    let format = t.or("format", format_of, Format::Rgba8Unorm)?;
    let save = t.take("save");
    let mut desc = ImageDesc::flat(size[0], size[1], format, true);
    desc.levels = t.or("levels", Node::u32, 1)?;
    if let Some(n) = t.take("layers") {
        (desc.kind, desc.depth) = (ResourceKind::Texture2DArray, n.u32()?);
    }
    if let Some(n) = &save {
        let d = &desc;
        picture_file(n, "images", &Texels { format, width: d.width, height: d.height, depth: d.depth, levels: d.levels })?;
    }
    let given = t.take("texels");
    desc.writable = given.is_none();
    let texels = given.map_or(Ok(Vec::new()), |n| texels(&n, &desc))?;
    let out = OutputImage {
        target,
        desc,
        texels,
        save: save.map(|n| n.str().map(PathBuf::from)).transpose()?,
        encode_srgb: t.or("encode", |n| n.word(&[("linear", false), ("srgb", true)]), false)?,
    };
    t.finish()?;
    Ok(out)
}

/// A list of texels, each a number or a list of them, as they are stored.
fn texels(n: &Node<'_>, desc: &ImageDesc) -> Result<Vec<u8>> {
    desc.check(&[]).map_err(|e| n.error(e.message))?;
    let channels = desc.format.channels() as usize;
    let mut out = Vec::new();
    for texel in n.list()? {
        let values: Vec<f64> =
            if texel.is_array() { texel.list()?.iter().map(Node::number).collect::<Result<_>>()? } else { vec![texel.number()?] };
        if values.len() != channels {
            return Err(texel.error(format!("{} has {channels} channels, {} are given", desc.format.name(), values.len())));
        }
        for v in values {
            match desc.format.channel() {
                Channel::Unorm8 => out.push((v * 255.0).round() as u8),
                Channel::Float16 => out.extend(half::from_f64(v).to_le_bytes()),
                Channel::Float32 => out.extend((v as f32).to_le_bytes()),
                Channel::Uint32 => out.extend((v as u32).to_le_bytes()),
                Channel::Sint32 => out.extend((v as i32).to_le_bytes()),
            }
        }
    }
    match (out.len() as u64, desc.bytes()) {
        (found, expected) if found != expected => {
            let size = u64::from(desc.format.texel_size());
            Err(n.error(format!("the image has {} texels, {} are given", expected / size, found / size)))
        }
        _ => Ok(out),
    }
}
