//! Draws of a scene on a device: names become shaders, locations, buffers and targets.

use super::{DrawReport, Run};
use crate::device::{AttributeType, Buffer, DrawDesc, DrawShaders, DrawSize, IndexBuffer, Timing, VertexAttribute};
use crate::error::{ErrorKind, Result, list};
use crate::library::Library;
use crate::scene::{AttributeSource, DrawSource, SourceLocation, VertexData, mesh_bytes};
use rtc_dxil_container::ShaderKind;
use rtc_package::InterfaceElement;

/// What the draws of a scene require of a device, besides what its shaders do.
#[cfg(feature = "vulkan")]
pub(super) fn requirements(scene: &crate::scene::Scene) -> Vec<rtc_package::Requirement> {
    use rtc_package::{Requirement, RequirementKind};
    let mut out = Vec::new();
    for d in &scene.draws {
        for (extension, name) in d.features() {
            out.push(Requirement {
                kind: RequirementKind::DeviceFeature,
                name: name.into(),
                extension: extension.into(),
                reason: format!("`{}` of the scene", d.location.key),
            });
        }
    }
    out
}

/// What a mesh gives to a vertex shader: semantic, which of [`crate::scene::MESH_DATA`], its type.
const MESH_ATTRIBUTES: [(&str, &str, AttributeType); 3] = [
    ("POSITION", "positions", AttributeType::Float(3)),
    ("NORMAL", "normals", AttributeType::Float(3)),
    ("TEXCOORD", "uvs", AttributeType::Float(2)),
];

/// The location of an input with a semantic.
fn location(inputs: &[InterfaceElement], semantic: &str, index: u32) -> Option<u32> {
    let same =
        |e: &&InterfaceElement| !e.output && e.semantic.eq_ignore_ascii_case(semantic) && (e.index..e.index + e.locations).contains(&index);
    inputs.iter().find(same).map(|e| e.location + index - e.index)
}

/// The only shader of a stage, where the scene names none.
fn only(library: &Library, stage: ShaderKind, key: &str) -> std::result::Result<Option<String>, String> {
    match library.graphics_exports(stage).as_slice() {
        [] => Ok(None),
        [one] => Ok(Some((*one).to_string())),
        many => Err(format!("the library has several {stage} shaders, {}: choose one with `{key}`", list(many))),
    }
}

impl<'a> Run<'a> {
    /// Runs one draw, `repeat` times.
    pub(super) fn draw(&mut self, d: &'a DrawSource, repeat: u32) -> Result<DrawReport> {
        let desc = self.draw_desc(d)?;
        let mut time = Timing::default();
        for _ in 0..repeat {
            let once = self.device.draw(self.program, &desc).map_err(|e| match e.kind {
                ErrorKind::Binding | ErrorKind::Limit | ErrorKind::StateObject | ErrorKind::NoDevice => {
                    let kind = e.kind;
                    let mut placed = self.scene.at(&d.location, e);
                    if kind == ErrorKind::NoDevice {
                        placed.kind = kind;
                    }
                    placed
                }
                _ => e,
            })?;
            time.host += once.host;
            time.device = match (time.device, once.device) {
                (Some(a), Some(b)) => Some(a + b),
                (a, b) => a.or(b),
            };
        }
        let what = match desc.size {
            DrawSize::Groups([x, y, z]) => format!("{x} x {y} x {z} groups"),
            DrawSize::Vertices { count, instances: 1, .. } => format!("{count} vertices"),
            DrawSize::Vertices { count, instances, .. } => format!("{instances} instances of {count} vertices"),
        };
        Ok(DrawReport { what, repeat, time })
    }

    fn draw_desc(&mut self, d: &'a DrawSource) -> Result<DrawDesc> {
        let scene = self.scene;
        let shaders = self.shaders(d)?;
        let inputs = match &shaders.vertex {
            None => Vec::new(),
            Some(name) => {
                let library = self.device.library(self.program)?;
                library.graphics(ShaderKind::Vertex, name).map_err(|e| scene.at(&d.location, e))?.elements.clone()
            }
        };
        let attributes = self.attributes(d, &inputs)?;
        let (indices, index_count) = self.indices(d)?;
        let size = match d.groups {
            Some(groups) => DrawSize::Groups(groups),
            None => {
                let whole = index_count.or_else(|| attributes.iter().filter(|a| !a.0.per_instance).map(|a| a.1).min());
                let left = whole.map(|n| n.saturating_sub(u64::from(d.first)));
                let Some(count) = d.count.or(left.map(|n| u32::try_from(n).unwrap_or(u32::MAX))) else {
                    return Err(scene.error(&d.location, "the draw has no vertices that say how many there are: give `count`"));
                };
                let (instances, first, base_vertex, first_instance) = (d.instances, d.first, d.base_vertex, d.first_instance);
                DrawSize::Vertices { count, instances, first, base_vertex, first_instance }
            }
        };
        // The scene was checked: its targets are there.
        let target = |name: &String| self.targets.get(name.as_str()).copied();
        Ok(DrawDesc {
            shaders,
            topology: d.topology,
            attributes: attributes.into_iter().map(|a| a.0).collect(),
            indices,
            size,
            targets: d.targets.iter().filter_map(|(name, blend)| Some((target(name)?, *blend))).collect(),
            blend_constant: d.blend_constant,
            depth: d.depth.as_ref().and_then(target),
            depth_test: d.depth_test,
            stencil_test: d.stencil_test,
            viewports: d.viewports.clone(),
            rasterizer: d.rasterizer.clone(),
            view_mask: (1 << d.views) - 1,
        })
    }

    /// The draw's shaders: those that it names, and the only vertex and pixel shader of the library.
    fn shaders(&self, d: &DrawSource) -> Result<DrawShaders> {
        let library = self.device.library(self.program)?;
        let error = |why: String| self.scene.error(&d.location, why);
        let mut out = d.shaders.clone();
        if out.vertex.is_none() && out.mesh.is_none() {
            out.vertex = only(library, ShaderKind::Vertex, "vertex").map_err(error)?;
        }
        if out.pixel.is_none() && !d.no_pixel {
            out.pixel = only(library, ShaderKind::Pixel, "pixel").map_err(error)?;
        }
        if out.vertex.is_none() && out.mesh.is_none() {
            return Err(error("the library has no vertex shader, and the draw names no mesh shader".into()));
        }
        Ok(out)
    }

    /// A buffer with the data of vertices or indices, its size, and the bytes of the mesh that it is from.
    fn vertex_buffer(&mut self, data: &'a VertexData, location: &SourceLocation) -> Result<(Buffer, u64)> {
        let scene = self.scene;
        let bytes = match data {
            VertexData::Buffer(name) => {
                let found = scene.buffers.iter().find(|b| b.target.name == *name).zip(self.buffers.get(name.as_str()).copied());
                let Some((source, buffer)) = found else {
                    return Err(scene.error(location, format!("the scene has no buffer `{name}`")));
                };
                let size = self.contents(source)?.0;
                return Ok((buffer, size));
            }
            VertexData::Bytes(bytes) => bytes.clone(),
            VertexData::Mesh(mesh, what) => mesh_bytes(&scene.meshes, mesh, what).unwrap_or_default(),
        };
        self.made_buffer(bytes, location)
    }

    fn made_buffer(&mut self, bytes: Vec<u8>, location: &SourceLocation) -> Result<(Buffer, u64)> {
        let size = bytes.len() as u64;
        if let Some(&buffer) = self.inline.get(&bytes) {
            return Ok((buffer, size));
        }
        let buffer = self.device.create_buffer(size, &bytes).map_err(|e| self.scene.at(location, e))?;
        self.inline.insert(bytes, buffer);
        Ok((buffer, size))
    }

    /// The attributes of the vertex shader's inputs, each with how many there are.
    fn attributes(&mut self, d: &'a DrawSource, inputs: &[InterfaceElement]) -> Result<Vec<(VertexAttribute, u64)>> {
        let scene = self.scene;
        let mut out: Vec<(VertexAttribute, u64)> = Vec::new();
        for a in &d.attributes {
            let Some(location) = location(inputs, &a.semantic, a.index) else {
                let names = inputs.iter().filter(|e| !e.output).map(|e| format!("{}{}", e.semantic, e.index));
                let why = format!("the vertex shader has no input `{}{}`", a.semantic, a.index);
                return Err(scene.error(&a.location, why).note(format!("inputs: {}", list(names))));
            };
            if out.iter().any(|o| o.0.location == location) {
                return Err(scene.error(&a.location, "the input has an attribute already"));
            }
            let (buffer, size) = self.vertex_buffer(&a.data, &a.location)?;
            out.push(attribute(a, location, buffer, size));
        }
        let Some(mesh) = &d.mesh else { return Ok(out) };
        for (semantic, what, kind) in MESH_ATTRIBUTES {
            let Some(location) = location(inputs, semantic, 0) else { continue };
            if out.iter().any(|o| o.0.location == location) {
                continue;
            }
            let Some(bytes) = mesh_bytes(&scene.meshes, mesh, what) else { continue };
            let (buffer, size) = self.made_buffer(bytes, &d.location)?;
            let stride = kind.size();
            let a = VertexAttribute { location, buffer, offset: 0, stride, kind, per_instance: false };
            out.push((a, size / u64::from(stride)));
        }
        Ok(out)
    }

    /// The indices, and how many there are.
    fn indices(&mut self, d: &'a DrawSource) -> Result<(Option<IndexBuffer>, Option<u64>)> {
        let scene = self.scene;
        let made = |buffer, offset, short, size: u64| {
            let each = if short { 2 } else { 4 };
            (Some(IndexBuffer { buffer, offset, short, restart: d.restart }), Some(size.saturating_sub(offset) / each))
        };
        if let Some(i) = &d.indices {
            let (buffer, size) = self.vertex_buffer(&i.data, &i.location)?;
            return Ok(made(buffer, i.offset, i.short, size));
        }
        let Some(bytes) = d.mesh.as_ref().and_then(|m| mesh_bytes(&scene.meshes, m, "indices")) else { return Ok((None, None)) };
        let (buffer, size) = self.made_buffer(bytes, &d.location)?;
        Ok(made(buffer, 0, false, size))
    }
}

/// The attribute of an input, with how many there are in its buffer.
fn attribute(a: &AttributeSource, location: u32, buffer: Buffer, size: u64) -> (VertexAttribute, u64) {
    let (offset, stride, kind) = (a.offset, a.stride, a.kind);
    let room = match size.checked_sub(offset + u64::from(kind.size())) {
        None => 0,
        Some(_) if stride == 0 => u64::from(u32::MAX),
        Some(rest) => rest / u64::from(stride) + 1,
    };
    (VertexAttribute { location, buffer, offset, stride, kind, per_instance: a.per_instance }, room)
}
