//! What the host has made: buffers, images, samplers, acceleration structures.

use super::resources::{Descriptor, Image, Memory};
use crate::device::{self, Accel, Argument, Buffer, ImageDesc, Resource, Sampler, SamplerDesc};
use crate::error::{ErrorKind, Result, RunError};
use crate::library::RawArgument;
use rtc_base::{EntityRef, PrimaryMap};
use std::sync::Arc;

/// All of it, by the host's numbers.
#[derive(Default)]
pub struct Objects {
    /// Buffers.
    pub buffers: PrimaryMap<Buffer, Arc<Memory>>,
    /// Images.
    pub images: PrimaryMap<device::Image, Arc<Image>>,
    /// Samplers.
    pub samplers: PrimaryMap<Sampler, SamplerDesc>,
    /// Acceleration structures.
    pub accels: PrimaryMap<Accel, Arc<Stored>>,
}

/// An acceleration structure, bottom or top level.
pub enum Stored {}

fn known<K: EntityRef + std::fmt::Display, V>(map: &PrimaryMap<K, V>, key: K) -> Result<&V> {
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
            true => Ok(()),
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
    pub fn accel(&self, accel: Accel) -> Result<&Arc<Stored>> {
        known(&self.accels, accel)
    }
    /// What a resource is when it is bound.
    pub fn descriptor(&self, resource: Resource) -> Result<Descriptor> {
        Ok(match resource {
            Resource::Buffer(b) => Descriptor::Buffer(self.buffer(b)?.clone(), 0),
            Resource::Texels(b, format) => Descriptor::Texels(self.buffer(b)?.clone(), format),
            Resource::Image(i) => Descriptor::Image(self.image(i)?.clone()),
            Resource::Sampler(s) => Descriptor::Sampler(Arc::new(*self.sampler(s)?)),
            Resource::Accel(a) => self.accel(a).map(|_| Descriptor::Accel(a))?,
        })
    }

    /// An argument of a shader record as bits; addresses are those of [`Objects::at`].
    pub fn argument(&self, argument: &Argument) -> Result<RawArgument> {
        Ok(match argument {
            Argument::Constants(bytes) => RawArgument::Constants(bytes.clone()),
            Argument::Index(i) => RawArgument::Index(*i),
            Argument::Accel(a) => self.accel(*a).map(|_| RawArgument::Address(ACCEL | a.index() as u64))?,
            Argument::Address(b, offset) => {
                let size = self.buffer(*b)?.size();
                if *offset > size || *offset >= SPAN {
                    let why = format!("the address {offset} is outside of {b} of {size} bytes");
                    return Err(RunError::new(ErrorKind::Binding, why));
                }
                RawArgument::Address((b.index() as u64 + 1) * SPAN + offset)
            }
        })
    }

    /// What is at an address of this device.
    pub fn at(&self, address: u64) -> Descriptor {
        if address & ACCEL != 0 {
            let index = (address & !ACCEL) as usize;
            return if index < self.accels.len() { Descriptor::Accel(Accel::new(index)) } else { Descriptor::Null };
        }
        let buffer = (address / SPAN).checked_sub(1).map(|i| Buffer::new(i as usize));
        match buffer.and_then(|b| self.buffer(b).ok()) {
            Some(memory) => Descriptor::Buffer(memory.clone(), address % SPAN),
            None => Descriptor::Null,
        }
    }
}

/// Addresses of a buffer: as many as no buffer has bytes. Below the first one nothing lies.
const SPAN: u64 = 1 << 40;
/// Set in addresses of acceleration structures.
const ACCEL: u64 = 1 << 63;
