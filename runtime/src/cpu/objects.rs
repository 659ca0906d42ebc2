//! What the host has made: buffers, images, samplers, acceleration structures.

use super::accel::{Cluster, MicromapArray, Template};
use super::operations::Placed;
use super::resources::{Descriptor, FeedbackMap, Image, Memory};
use super::structures::Stored;
use super::trace::Place;
use crate::device::{
    self, Accel, Addressed, Buffer, ClusterTemplate, Feedback, FeedbackDesc, ImageDesc, Micromaps, Resource, Sampler, SamplerDesc,
};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::{EntityRef, PrimaryMap};
use std::sync::Arc;

/// All of it, by the host's numbers.
#[derive(Default)]
pub struct Objects {
    /// Buffers.
    pub buffers: PrimaryMap<Buffer, Arc<Memory>>,
    /// Images.
    pub images: PrimaryMap<device::Image, Arc<Image>>,
    /// Feedback maps.
    pub feedbacks: PrimaryMap<Feedback, Arc<FeedbackMap>>,
    /// Samplers.
    pub samplers: PrimaryMap<Sampler, SamplerDesc>,
    /// Acceleration structures.
    pub accels: PrimaryMap<Accel, Stored>,
    /// Arrays of opacity micromaps.
    pub micromaps: PrimaryMap<Micromaps, Arc<MicromapArray>>,
    /// Clusters.
    pub clusters: PrimaryMap<device::Cluster, Arc<Cluster>>,
    /// Templates of clusters.
    pub templates: PrimaryMap<ClusterTemplate, Arc<Template>>,
    /// What operations have put into buffers.
    pub placed: Placed,
}

pub(super) fn known<K: EntityRef + std::fmt::Display, V>(map: &PrimaryMap<K, V>, key: K) -> Result<&V> {
    match key.index() < map.len() {
        true => Ok(&map[key]),
        false => Err(RunError::new(ErrorKind::Device, format!("this device has no {key}"))),
    }
}

impl Objects {
    /// See [`device::Device::create_buffer`].
    pub fn create_buffer(&mut self, size: u64, data: &[u8]) -> Result<Buffer> {
        Ok(self.buffers.push(Arc::new(Memory::filled(size, data)?)))
    }
    /// See [`device::Device::write_buffer`].
    pub fn write_buffer(&mut self, buffer: Buffer, offset: u64, data: &[u8]) -> Result<()> {
        let memory = known(&self.buffers, buffer)?;
        match memory.write(offset, data) {
            true => {
                if let Ok(base) = self.address(Addressed::Buffer(buffer)) {
                    self.overwritten(base + offset, data.len() as u64);
                }
                Ok(())
            }
            false => {
                let why = format!("{} bytes at {offset} do not fit into {buffer} of {} bytes", data.len(), memory.size());
                Err(RunError::new(ErrorKind::Device, why))
            }
        }
    }
    /// See [`device::Device::read_buffer`].
    pub fn read_buffer(&self, buffer: Buffer) -> Result<Vec<u8>> {
        Ok(known(&self.buffers, buffer)?.to_vec())
    }
    /// See [`device::Device::create_image`].
    pub fn create_image(&mut self, desc: &ImageDesc, data: &[u8]) -> Result<device::Image> {
        Ok(self.images.push(Arc::new(Image::new(desc, data)?)))
    }
    /// See [`device::Device::read_image`].
    pub fn read_image(&self, image: device::Image) -> Result<Vec<u8>> {
        known(&self.images, image)?.read()
    }
    /// See [`device::Device::create_feedback`].
    pub fn create_feedback(&mut self, desc: &FeedbackDesc) -> Result<Feedback> {
        let map = FeedbackMap::new(desc.kind, self.image(desc.paired)?.clone(), desc.region)?;
        Ok(self.feedbacks.push(Arc::new(map)))
    }
    /// See [`device::Device::read_feedback`].
    pub fn read_feedback(&self, feedback: Feedback) -> Result<Vec<u8>> {
        Ok(known(&self.feedbacks, feedback)?.decode())
    }
    /// See [`device::Device::write_feedback`].
    pub fn write_feedback(&self, feedback: Feedback, bytes: &[u8]) -> Result<()> {
        let map = known(&self.feedbacks, feedback)?;
        match bytes {
            [] => {
                map.clear();
                Ok(())
            }
            bytes => map.encode(bytes),
        }
    }
    /// A buffer.
    pub fn buffer(&self, buffer: Buffer) -> Result<&Arc<Memory>> {
        known(&self.buffers, buffer)
    }
    /// An image.
    pub fn image(&self, image: device::Image) -> Result<&Arc<Image>> {
        known(&self.images, image)
    }
    /// A sampler.
    pub fn sampler(&self, sampler: Sampler) -> Result<&SamplerDesc> {
        known(&self.samplers, sampler)
    }
    /// An acceleration structure.
    pub fn accel(&self, accel: Accel) -> Result<&Stored> {
        known(&self.accels, accel)
    }
    /// What a resource is when it is bound.
    pub fn descriptor(&self, resource: Resource) -> Result<Descriptor> {
        Ok(match resource {
            Resource::Buffer(b) => Descriptor::Buffer(self.buffer(b)?.clone(), 0),
            Resource::Texels(b, format) => Descriptor::Texels(self.buffer(b)?.clone(), format),
            Resource::Image(i) => Descriptor::Image(self.image(i)?.clone()),
            Resource::Sampler(s) => Descriptor::Sampler(Arc::new(*self.sampler(s)?)),
            Resource::Accel(a) => self.top(a).map(|_| Descriptor::Accel(a))?,
            Resource::Feedback(f) => Descriptor::Feedback(known(&self.feedbacks, f)?.clone()),
        })
    }

    /// What is at a place in memory.
    pub fn at(&self, place: Place) -> Descriptor {
        match place {
            Place::Buffer(b, offset) if b.index() < self.buffers.len() => Descriptor::Buffer(self.buffers[b].clone(), offset),
            Place::Accel(a) if a.index() < self.accels.len() => Descriptor::Accel(a),
            _ => Descriptor::Null,
        }
    }
}
