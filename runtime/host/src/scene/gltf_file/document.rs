//! Reading of a glTF file: its JSON, its buffers, its nodes; what is wrong in them.

use super::accessors::Buffers;
use super::nodes::{Local, Nodes, PlacedNode, multiply};
use base64::Engine as _;
use gltf::Document;
use std::path::{Path, PathBuf};

/// Extensions that are read.
const READ: [&str; 3] = ["KHR_mesh_quantization", "KHR_materials_emissive_strength", "KHR_texture_transform"];

/// Extensions without which a file says the same geometry with plainer materials, no lights, or nothing about itself: a warning.
const HARMLESS: [&str; 22] = [
    "EXT_lights_ies",
    "EXT_lights_image_based",
    "KHR_animation_pointer",
    "KHR_interactivity",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_node_visibility",
    "KHR_xmp_json_ld",
];

/// Extensions whose data only a decoder of theirs reads, with what writes the file without.
const COMPRESSED: [(&str, &str); 4] = [
    ("KHR_draco_mesh_compression", "Draco"),
    ("EXT_meshopt_compression", "meshopt"),
    ("KHR_meshopt_compression", "meshopt"),
    ("MESHOPT_compression", "meshopt"),
];

/// What is left out of a file, each kind once with how often.
#[derive(Default)]
pub(super) struct LeftOut(Vec<(String, usize)>);

impl LeftOut {
    /// Something of this kind is left out.
    pub fn add(&mut self, what: impl Into<String>) {
        let what = what.into();
        match self.0.iter_mut().find(|k| k.0 == what) {
            Some(known) => known.1 += 1,
            None => self.0.push((what, 1)),
        }
    }

    /// A sentence for each kind.
    pub fn sentences(self) -> impl Iterator<Item = String> {
        self.0.into_iter().map(|(what, times)| if times == 1 { what } else { format!("{what} ({times} times)") })
    }
}

/// A file whose JSON is valid.
pub(super) struct File {
    pub document: Document,
    pub buffers: Buffers,
    /// The folder that its URIs are relative to.
    pub dir: PathBuf,
    /// Files that were read.
    pub files: Vec<PathBuf>,
    /// What is left out.
    pub left_out: LeftOut,
}

type Read<T> = Result<T, String>;

/// Opens a file: text or binary, with its buffers.
pub(super) fn open(path: &Path) -> Read<File> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot be read: {e}"))?;
    let (json, blob) = match bytes.starts_with(b"glTF") {
        true => {
            let glb = gltf::binary::Glb::from_slice(&bytes).map_err(|e| format!("it is no binary glTF: {e}"))?;
            (glb.json.into_owned(), glb.bin.map(|b| b.into_owned()))
        }
        false => (bytes, None),
    };
    let mut root: gltf::json::Root = match gltf::json::deserialize::from_slice(&json) {
        Ok(root) => root,
        Err(e) => {
            // Files of other versions have another form.
            let version =
                serde_json::from_slice::<serde_json::Value>(&json).ok().and_then(|v| Some(v["asset"]["version"].as_str()?.to_owned()));
            return Err(version.and_then(|v| other_version(&v, None)).unwrap_or_else(|| format!("it is no glTF: {e}")));
        }
    };
    if let Some(why) = other_version(&root.asset.version, root.asset.min_version.as_deref()) {
        return Err(why);
    }
    let mut left_out = LeftOut::default();
    let mut unknown = Vec::new();
    for e in &root.extensions_required {
        if let Some((_, what)) = COMPRESSED.iter().find(|c| c.0 == e) {
            return Err(format!("its meshes are compressed by {what} (`{e}`), which is not supported: write the file without compression"));
        }
        match e.as_str() {
            known if READ.contains(&known) => {}
            harmless if HARMLESS.contains(&harmless) => left_out.add(format!("it requires `{harmless}`, which is ignored")),
            _ => unknown.push(e),
        }
    }
    if !unknown.is_empty() {
        return Err(format!("it requires extensions that are not supported: {}", crate::error::list(unknown)));
    }
    // The crate that checks the rest need not support them.
    root.extensions_required.clear();
    check_references(&root)?;
    let document = Document::from_json(root).map_err(|e| format!("it is no valid glTF: {e}"))?;
    let dir = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut file = File { document, buffers: Buffers(Vec::new()), dir, files: vec![path.to_path_buf()], left_out };
    let sources: Vec<(usize, usize, Option<String>)> =
        file.document.buffers().map(|b| (b.index(), b.length(), uri(&b).map(str::to_string))).collect();
    let mut blob = blob;
    for (index, length, uri) in sources {
        let at = |why: String| format!("buffer {index}: {why}");
        let data = match uri {
            Some(uri) => file.fetch(&uri).map_err(at)?,
            None => blob.take().ok_or_else(|| at("it has neither a URI nor the data of a binary glTF".into()))?,
        };
        if data.len() < length {
            return Err(at(format!("its length is {length} bytes, but there are {}", data.len())));
        }
        file.buffers.0.push(data);
    }
    Ok(file)
}

/// Why files of this version are not read; none: they are.
fn other_version(version: &str, least: Option<&str>) -> Option<String> {
    if version.is_empty() {
        return Some("it does not say which version of glTF it is of (`asset.version`), and 2.0 is read".into());
    }
    let wrong = if version.starts_with("2.") { least.filter(|v| *v != "2.0") } else { Some(version) };
    wrong.map(|v| format!("it is of version {v} of glTF, and 2.0 is read: convert it"))
}

/// Checks what the crate that checks the rest does not look at.
fn check_references(root: &gltf::json::Root) -> Read<()> {
    use gltf::json::validation::Checked;
    for (m, mesh) in root.meshes.iter().enumerate() {
        for (n, p) in mesh.primitives.iter().enumerate() {
            let morphed = p.targets.iter().flatten().flat_map(|t| [t.positions, t.normals, t.tangents]).flatten();
            if p.attributes.values().copied().chain(morphed).any(|a| a.value() >= root.accessors.len()) {
                return Err(format!("primitive {n} of mesh {m} refers to an accessor that is not there"));
            }
        }
    }
    for (a, animation) in root.animations.iter().enumerate() {
        for (n, c) in animation.channels.iter().enumerate() {
            let at = |why: &str| Err(format!("channel {n} of animation {a} {why}"));
            if c.sampler.value() >= animation.samplers.len() {
                return at("refers to a sampler that is not there");
            }
            if c.target.node.value() >= root.nodes.len() {
                return at("refers to a node that is not there");
            }
            if matches!(c.target.path, Checked::Invalid) {
                return at("changes none of translation, rotation, scale and weights");
            }
        }
        for (n, s) in animation.samplers.iter().enumerate() {
            let at = |why: &str| Err(format!("sampler {n} of animation {a} {why}"));
            if s.input.value().max(s.output.value()) >= root.accessors.len() {
                return at("refers to an accessor that is not there");
            }
            if matches!(s.interpolation, Checked::Invalid) {
                return at("has an interpolation other than LINEAR, STEP and CUBICSPLINE");
            }
        }
    }
    Ok(())
}

fn uri<'a>(b: &gltf::Buffer<'a>) -> Option<&'a str> {
    match b.source() {
        gltf::buffer::Source::Uri(uri) => Some(uri),
        gltf::buffer::Source::Bin => None,
    }
}

impl File {
    /// What a URI names: data in it, or a file.
    pub fn fetch(&mut self, uri: &str) -> Read<Vec<u8>> {
        if let Some(rest) = uri.strip_prefix("data:") {
            let (_, data) = rest.split_once(";base64,").ok_or("a data URI that is not base64")?;
            let padded = base64::engine::GeneralPurpose::new(
                &base64::alphabet::STANDARD,
                base64::engine::GeneralPurposeConfig::new().with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
            );
            return padded.decode(data).map_err(|e| format!("its base64 is wrong: {e}"));
        }
        if uri.contains("://") {
            return Err(format!("`{uri}` is neither a file nor a data URI"));
        }
        let path = self.dir.join(unescaped(uri)?);
        let bytes = std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        self.files.push(path);
        Ok(bytes)
    }
}

/// A URI without `%20` and the like.
fn unescaped(uri: &str) -> Read<String> {
    let mut out = Vec::new();
    let mut bytes = uri.bytes();
    while let Some(b) = bytes.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
        match (digit(bytes.next()), digit(bytes.next())) {
            (Some(high), Some(low)) => out.push((high << 4 | low) as u8),
            _ => return Err(format!("`{uri}` has a % without two digits")),
        }
    }
    String::from_utf8(out).map_err(|_| format!("`{uri}` is not UTF-8"))
}

/// The nodes of the default scene, parents first. A mesh with a skin is where its first joint puts it at rest: in its bind pose all joints agree.
pub(super) fn nodes(file: &mut File) -> Read<Nodes> {
    let (document, left_out) = (&file.document, &mut file.left_out);
    let Some(scene) = document.default_scene().or_else(|| document.scenes().next()) else {
        return Err("the file has no scene".to_string());
    };
    let mut out = Nodes::default();
    // Nodes form a forest; a worklist replaces recursion.
    let mut seen = vec![false; document.nodes().len()];
    let mut skinned = Vec::new();
    let mut todo: Vec<_> = scene.nodes().map(|n| (n, None)).collect();
    todo.reverse();
    while let Some((n, parent)) = todo.pop() {
        if std::mem::replace(&mut seen[n.index()], true) {
            return Err(format!("node {} has two parents, or is below itself: the nodes form no trees", n.index()));
        }
        let local = match n.transform() {
            gltf::scene::Transform::Matrix { matrix } => Local::Matrix(matrix),
            gltf::scene::Transform::Decomposed { translation, rotation, scale } => Local::Parts { translation, rotation, scale },
        };
        let mut camera = None;
        if let Some(c) = n.camera() {
            camera = match c.projection() {
                gltf::camera::Projection::Perspective(p) => Some((p.yfov().to_degrees(), p.znear(), p.zfar())),
                gltf::camera::Projection::Orthographic(_) => {
                    left_out.add("an orthographic camera is left out, only perspective ones are supported");
                    None
                }
            };
        }
        let mesh = n.mesh().map(|m| m.index());
        out.list.push(PlacedNode { index: n.index(), name: n.name().map(str::to_string), parent, local, mesh, camera });
        let me = out.list.len() - 1;
        if let Some(skin) = n.skin().filter(|_| mesh.is_some()) {
            left_out.add("a skin is ignored, its mesh is in its bind pose");
            skinned.push((me, skin));
        }
        let first = todo.len();
        todo.extend(n.children().map(|c| (c, Some(me))));
        todo[first..].reverse();
    }
    let finite = |n: &PlacedNode| match &n.local {
        Local::Matrix(m) => m.as_flattened().iter().all(|x| x.is_finite()),
        Local::Parts { translation, rotation, scale } => translation.iter().chain(rotation).chain(scale).all(|x| x.is_finite()),
    };
    if let Some(n) = out.list.iter().find(|n| !finite(n)) {
        return Err(format!("the transform of node {} is not finite", n.index));
    }
    let worlds = out.worlds(0.0);
    for (me, skin) in skinned {
        let at = |why: String| format!("skin {}: {why}", skin.index());
        let Some(joint) = skin.joints().next().and_then(|joint| out.list.iter().position(|n| n.index == joint.index())) else { continue };
        let bind = match skin.inverse_bind_matrices() {
            Some(a) => file.buffers.matrices(&a).map_err(at)?.first().copied(),
            None => None,
        };
        let world = bind.map_or(worlds[joint], |bind| multiply(worlds[joint], bind));
        // The node's own transform does not count, and stays that of its children.
        let node = &mut out.list[me];
        let placed =
            PlacedNode { index: node.index, name: None, parent: None, local: Local::Matrix(world), mesh: node.mesh.take(), camera: None };
        out.list.push(placed);
    }
    Ok(out)
}
