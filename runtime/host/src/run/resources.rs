//! The resources of a scene on a device: made, filled and bound.

use super::{MovingTop, Run, StructureReport, structures};
use crate::device::{FeedbackDesc, Format, Image, ImageDesc, Resource, Sampler, SamplerDesc};
use crate::error::{ErrorKind, Result, RunError};
use crate::picture;
use crate::scene::{BufferContents, BufferSource, Camera, Constants, Frame, GltfSource, by_name, frames, mesh_bytes};
use rtc_package::RequirementKind;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// The format of pictures.
fn rgba8(srgb: bool) -> Format {
    if srgb { Format::Rgba8UnormSrgb } else { Format::Rgba8Unorm }
}

impl Run<'_> {
    /// The contents of a constant buffer in a frame: by the names of its members, or, where the shaders were compiled without, in their order.
    pub(super) fn constants(&self, c: &Constants, camera: Option<&Camera>, frame: &Frame) -> Result<Vec<u8>> {
        let layout = c.target.slots.iter().find_map(|(slot, _)| self.layouts.find(slot));
        match layout {
            Some(layout) => by_name::bytes(self.scene, &c.members, layout, true, camera, frame),
            None => Ok(frames::pack(&c.members, camera, frame)),
        }
    }

    pub(super) fn resources(&mut self) -> Result<()> {
        let scene = self.scene;
        for c in &scene.constants {
            let at = |e| scene.at(&c.target.location, e);
            let first = scene.frames.frame(scene.frames.first, scene.frames.count);
            let bytes = self.constants(c, scene.camera.as_ref(), &first)?;
            let buffer = self.device.create_buffer(bytes.len() as u64, &bytes).map_err(at)?;
            self.buffers.insert(&c.target.name, buffer);
            self.bind(&c.target, Resource::Buffer(buffer))?;
        }
        for b in &scene.buffers {
            let at = |e| scene.at(&b.target.location, e);
            let (size, bytes) = self.contents(b).map_err(at)?;
            let element = b.layout.iter().map(|t| t.stored_words() as u64 * 4).sum::<u64>();
            if size < element && !matches!(&b.contents, BufferContents::Bytes(_)) {
                let why = format!("an element of its layout has {element} bytes, but the buffer has {size}");
                return Err(scene.error(&b.target.location, why));
            }
            let buffer = self.device.create_buffer(size, &bytes).map_err(at)?;
            self.buffers.insert(&b.target.name, buffer);
            let resource = match b.format {
                Some(format) => Resource::Texels(buffer, format),
                None => Resource::Buffer(buffer),
            };
            self.bind(&b.target, resource)?;
        }
        for t in &scene.textures {
            let at = |e| scene.at(&t.target.location, e);
            let (width, height, texels) = picture::load(&scene.dir().join(&t.file)).map_err(at)?;
            let image = self.texture(width, height, &texels, t.srgb).map_err(at)?;
            self.pictures.insert(&t.target.name, image);
            self.bind(&t.target, Resource::Image(image))?;
        }
        for s in &scene.samplers {
            let at = |e| scene.at(&s.target.location, e);
            let sampler = self.device.create_sampler(&s.desc).map_err(at)?;
            self.bind(&s.target, Resource::Sampler(sampler))?;
        }
        for g in &scene.gltfs {
            self.gltf(g)?;
        }
        for i in &scene.images {
            let at = |e| scene.at(&i.target.location, e);
            let image = self.device.create_image(&i.desc, &i.texels).map_err(at)?;
            self.images.push(image);
            self.pictures.insert(&i.target.name, image);
            self.bind(&i.target, Resource::Image(image))?;
        }
        for t in &scene.targets {
            let made = self.device.create_target(&t.desc).map_err(|e| scene.at(&t.target.location, e))?;
            self.targets.insert(&t.target.name, made);
            self.bind(&t.target, Resource::Target(made))?;
        }
        for f in &scene.feedbacks {
            let at = |e| scene.at(&f.target.location, e);
            // The scene was checked: it is there.
            let Some(&paired) = self.pictures.get(f.of.as_str()) else { continue };
            let desc = FeedbackDesc { kind: f.kind, paired, region: f.region };
            let map = self.device.create_feedback(&desc).map_err(at)?;
            self.feedbacks.push(map);
            self.bind(&f.target, Resource::Feedback(map))?;
        }
        Ok(())
    }

    fn texture(&mut self, width: u32, height: u32, texels: &[u8], srgb: bool) -> Result<Image> {
        self.device.create_image(&ImageDesc::flat(width, height, rgba8(srgb), false), texels)
    }

    /// The textures of a glTF file, each with its sampler; those that share a picture share an image.
    fn gltf(&mut self, g: &GltfSource) -> Result<()> {
        let scene = self.scene;
        let at = |e| scene.at(&g.location, e);
        let mut images: FxHashMap<(usize, bool, bool), Image> = FxHashMap::default();
        let mut samplers: Vec<(SamplerDesc, Sampler)> = Vec::new();
        for (i, t) in g.data.textures.iter().enumerate() {
            // A file whose textures are bound nowhere needs none.
            if let Some(target) = g.textures.get(i) {
                let image = match images.get(&(t.picture, t.srgb, t.mips)) {
                    Some(&made) => made,
                    None => {
                        let p = &g.data.pictures[t.picture];
                        let mut desc = ImageDesc::flat(p.width, p.height, rgba8(t.srgb), false);
                        let made = if t.mips {
                            desc.levels = p.levels();
                            self.device.create_image(&desc, &p.with_mips(t.srgb))
                        } else {
                            self.device.create_image(&desc, &p.texels)
                        };
                        let made = made.map_err(at)?;
                        images.insert((t.picture, t.srgb, t.mips), made);
                        made
                    }
                };
                self.bind(target, Resource::Image(image))?;
            }
            if let Some(target) = g.samplers.get(i) {
                let sampler = match samplers.iter().find(|s| s.0 == t.sampler) {
                    Some(made) => made.1,
                    None => {
                        let made = self.device.create_sampler(&t.sampler).map_err(at)?;
                        samplers.push((t.sampler, made));
                        made
                    }
                };
                self.bind(target, Resource::Sampler(sampler))?;
            }
        }
        Ok(())
    }

    pub(super) fn contents(&self, b: &BufferSource) -> Result<(u64, Vec<u8>)> {
        let bytes = match &b.contents {
            BufferContents::Zero(size) => return Ok((*size, Vec::new())),
            BufferContents::Bytes(bytes) => bytes.clone(),
            BufferContents::File(file) => {
                let path = self.scene.dir().join(file);
                std::fs::read(&path).map_err(|e| RunError::io("read", &path, &e))?
            }
            BufferContents::Gltf(index, data) => self.scene.gltf_bytes(*index, *data),
            BufferContents::Mesh(mesh, data) => mesh_bytes(&self.scene.meshes, mesh, data).unwrap_or_default(),
            BufferContents::Transforms(name, _) => {
                let instances = self.scene.accels.iter().filter(|a| a.target.name == *name).flat_map(|a| &a.instances);
                instances.flat_map(|i| i.transform.as_flattened().iter().flat_map(|x| x.to_le_bytes())).collect()
            }
        };
        Ok((bytes.len() as u64, bytes))
    }

    /// Acceleration structures: one bottom level for each mesh that instances name, whatever their number.
    pub(super) fn structures(&mut self) -> Result<()> {
        let scene = self.scene;
        let mut positions = false;
        for program in self.programs() {
            let requirements = &self.device.library(program)?.package.map.requirements;
            positions |= requirements.iter().any(|r| r.kind == RequirementKind::DeviceFeature && r.name == "rayTracingPositionFetch");
        }
        let mut built = structures::Bottoms::new(scene);
        for a in &scene.accels {
            let at = |e| scene.at(&a.target.location, e);
            let mut flags = a.flags;
            flags.allow_data_access = positions;
            let started = Instant::now();
            let before = built.time();
            let (top, desc) = built.top(self.device, a, flags).map_err(|e| match e.kind {
                ErrorKind::Scene => e,
                _ => at(e),
            })?;
            let time = started.elapsed().saturating_sub(built.time() - before);
            self.built.append(&mut built.reports);
            self.built.push(StructureReport {
                name: a.target.name.clone(),
                top: true,
                primitives: a.instances.len() as u64,
                bytes: self.device.accel_size(top).unwrap_or(0),
                time,
            });
            if let Some(desc) = desc {
                self.tops.push(MovingTop { source: a, accel: top, desc });
            }
            self.accels.insert(&a.target.name, top);
            self.bind(&a.target, Resource::Accel(top))?;
        }
        Ok(())
    }
}
