//! The registry of device objects: buffers, images, samplers, acceleration structures, by the host's handles.

mod accel_objects;

pub use accel_objects::AccelObject;

use crate::cpu::accel::{Cluster, MicromapArray, Template};
use crate::cpu::operations::resident::Placed;
use crate::cpu::resources::record_address::RecordAddress;
use crate::cpu::resources::{Descriptor, FeedbackMap, Image, Memory};
use crate::device::{
    self, Accel, Addressed, Buffer, ClusterTemplate, Feedback, FeedbackDesc, ImageDesc, Micromaps, Resource, Sampler, SamplerDesc,
};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::{EntityRef, PrimaryMap};
use std::sync::Arc;

/// All objects, by handle.
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
    pub accels: PrimaryMap<Accel, AccelObject>,
    /// Arrays of opacity micromaps.
    pub micromaps: PrimaryMap<Micromaps, Arc<MicromapArray>>,
    /// Clusters.
    pub clusters: PrimaryMap<device::Cluster, Arc<Cluster>>,
    /// Templates of clusters.
    pub templates: PrimaryMap<ClusterTemplate, Arc<Template>>,
    /// Objects that operations have placed in buffers.
    pub placed: Placed,
}

pub(in crate::cpu) fn lookup<K: EntityRef + std::fmt::Display, V>(map: &PrimaryMap<K, V>, key: K) -> Result<&V> {
    match key.index() < map.len() {
        true => Ok(&map[key]),
        false => Err(RunError::new(ErrorKind::Device, format!("unknown {key}"))),
    }
}

impl Objects {
    /// See [`device::Device::create_buffer`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn create_buffer(&mut self, size: u64, data: &[u8]) -> Result<Buffer> {
        Ok(self.buffers.push(Arc::new(Memory::filled(size, data)?)))
    }
    /// See [`device::Device::write_buffer`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn write_buffer(&mut self, buffer: Buffer, offset: u64, data: &[u8]) -> Result<()> {
        let memory = lookup(&self.buffers, buffer)?;
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
    ///
    /// # Errors
    /// Those of the device.
    pub fn read_buffer(&self, buffer: Buffer) -> Result<Vec<u8>> {
        Ok(lookup(&self.buffers, buffer)?.to_vec())
    }
    /// See [`device::Device::create_image`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn create_image(&mut self, desc: &ImageDesc, data: &[u8]) -> Result<device::Image> {
        Ok(self.images.push(Arc::new(Image::new(desc, data)?)))
    }
    /// See [`device::Device::read_image`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn read_image(&self, image: device::Image) -> Result<Vec<u8>> {
        lookup(&self.images, image)?.read()
    }
    /// See [`device::Device::create_feedback`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn create_feedback(&mut self, desc: &FeedbackDesc) -> Result<Feedback> {
        let map = FeedbackMap::new(desc.kind, self.image(desc.paired)?.clone(), desc.region)?;
        Ok(self.feedbacks.push(Arc::new(map)))
    }
    /// See [`device::Device::read_feedback`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn read_feedback(&self, feedback: Feedback) -> Result<Vec<u8>> {
        Ok(lookup(&self.feedbacks, feedback)?.decode())
    }
    /// See [`device::Device::write_feedback`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn write_feedback(&self, feedback: Feedback, bytes: &[u8]) -> Result<()> {
        let map = lookup(&self.feedbacks, feedback)?;
        match bytes {
            [] => {
                map.clear();
                Ok(())
            }
            bytes => map.encode(bytes),
        }
    }
    /// A buffer.
    ///
    /// # Errors
    /// There is none of this handle.
    pub fn buffer(&self, buffer: Buffer) -> Result<&Arc<Memory>> {
        lookup(&self.buffers, buffer)
    }
    /// An image.
    ///
    /// # Errors
    /// There is none of this handle.
    pub fn image(&self, image: device::Image) -> Result<&Arc<Image>> {
        lookup(&self.images, image)
    }
    /// A sampler.
    ///
    /// # Errors
    /// There is none of this handle.
    pub fn sampler(&self, sampler: Sampler) -> Result<&SamplerDesc> {
        lookup(&self.samplers, sampler)
    }
    /// An acceleration structure.
    ///
    /// # Errors
    /// There is none of this handle.
    pub fn accel(&self, accel: Accel) -> Result<&AccelObject> {
        lookup(&self.accels, accel)
    }
    /// The descriptor of a resource.
    ///
    /// # Errors
    /// There is no such resource, or an offset or format does not fit.
    pub fn descriptor(&self, resource: Resource) -> Result<Descriptor> {
        Ok(match resource {
            Resource::Buffer(b) => Descriptor::Buffer(self.buffer(b)?.clone(), 0),
            Resource::Texels(b, format) => Descriptor::Texels(self.buffer(b)?.clone(), format),
            Resource::Image(i) => Descriptor::Image(self.image(i)?.clone()),
            Resource::Sampler(s) => Descriptor::Sampler(Arc::new(*self.sampler(s)?)),
            Resource::Accel(a) => self.top(a).map(|_| Descriptor::Accel(a))?,
            Resource::Feedback(f) => Descriptor::Feedback(lookup(&self.feedbacks, f)?.clone()),
            Resource::Target(_) => return Err(crate::device::lacks("render targets")),
        })
    }

    /// The descriptor of an address in a shader record.
    pub fn at(&self, address: RecordAddress) -> Descriptor {
        match address {
            RecordAddress::Buffer(b, offset) if b.index() < self.buffers.len() => Descriptor::Buffer(self.buffers[b].clone(), offset),
            RecordAddress::Accel(a) if a.index() < self.accels.len() => Descriptor::Accel(a),
            _ => Descriptor::Null,
        }
    }
}
