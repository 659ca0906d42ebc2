//! Acceleration structures of the layer below: builds, refits, compaction, copies and serialisation, each waited for.
//!
//! Inputs ([`Input`]) are uploaded for one build and freed with the scratch memory.

use super::accel_input::{Arrays, Input};
use super::context::Context;
use super::storage::{GpuBuffer, full_barrier, with_scratch};
use super::vk;
use crate::device::{BottomDesc, BuildFlags, Instance};
use crate::error::{ErrorKind, Result, RunError};
use rtc_engine::vulkan::accel::{self, Build, CopyMode, Inputs, PostbuildInfo, SerializedHeader, SizeQueries, Source, scratch_for};
use rtc_engine::vulkan::{Accel, Allocate};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use vulkanalia::vk::Handle;

/// An acceleration structure with its memory. Must be freed with [`GpuAccel::destroy`].
#[derive(Debug)]
pub(super) struct GpuAccel {
    /// Dropped in [`GpuAccel::destroy`], unless the device was given up.
    accel: ManuallyDrop<Accel>,
    flags: BuildFlags,
}

impl GpuAccel {
    fn make(context: &Context, size: u64, top: bool, flags: BuildFlags) -> Result<GpuAccel> {
        let memory: Arc<dyn Allocate> = context.memory.clone();
        let accel = Accel::new(&context.device, &memory, top, size)?;
        Ok(GpuAccel { accel: ManuallyDrop::new(accel), flags })
    }

    /// Whether it is a top-level structure.
    pub fn is_top(&self) -> bool {
        self.accel.is_top()
    }

    /// The object.
    pub fn raw(&self) -> vk::AccelerationStructureKHR {
        vk::AccelerationStructureKHR::from_raw(self.accel.handle())
    }

    /// Its device address.
    pub fn address(&self) -> u64 {
        self.accel.address()
    }

    /// Bytes that it occupies.
    pub fn size(&self) -> u64 {
        self.accel.size()
    }

    /// Frees it. Nothing on the device may use it any more.
    pub fn destroy(self, context: &Context) {
        if context.alive() {
            drop(ManuallyDrop::into_inner(self.accel));
        }
    }

    /// Builds a bottom-level structure.
    ///
    /// # Errors
    /// An input that is not valid; a failure of the device.
    pub fn bottom(context: &mut Context, desc: &BottomDesc, micromaps: &Arrays) -> Result<GpuAccel> {
        let input = Input::bottom(desc, micromaps, context)?;
        built(context, &input, desc.flags)
    }

    /// Builds a top-level structure over instances whose addresses are looked up already.
    ///
    /// # Errors
    /// An input that is not valid; a failure of the device.
    pub fn top(context: &mut Context, instances: &[(Instance, u64)], flags: BuildFlags) -> Result<GpuAccel> {
        let input = Input::top(instances, flags, context)?;
        built(context, &input, flags)
    }

    /// Refits a bottom-level structure.
    ///
    /// # Errors
    /// An input that does not fit; a failure of the device.
    pub fn update_bottom(&mut self, context: &mut Context, desc: &BottomDesc, micromaps: &Arrays) -> Result<()> {
        let input = Input::bottom(desc, micromaps, context)?;
        self.update(context, &input, desc.flags)
    }

    /// Refits a top-level structure.
    ///
    /// # Errors
    /// An input that does not fit; a failure of the device.
    pub fn update_top(&mut self, context: &mut Context, instances: &[(Instance, u64)], flags: BuildFlags) -> Result<()> {
        let input = Input::top(instances, flags, context)?;
        self.update(context, &input, flags)
    }

    /// Builds a top-level structure anew in the memory of this one; returns another one if it does not fit there.
    ///
    /// # Errors
    /// An input that is not valid; a failure of the device.
    pub fn rebuild_top(&mut self, context: &mut Context, instances: &[(Instance, u64)], flags: BuildFlags) -> Result<Option<GpuAccel>> {
        let input = Input::top(instances, flags, context)?;
        let larger = with_inputs(context, &input, |context, inputs| {
            if inputs.sizes(&context.device)?.result <= self.size() {
                return build(context, inputs, &mut self.accel, false).map(|()| None);
            }
            new(context, inputs, flags).map(Some)
        })?;
        if larger.is_none() {
            self.flags = flags;
        }
        Ok(larger)
    }

    fn update(&mut self, context: &mut Context, input: &Input, flags: BuildFlags) -> Result<()> {
        let bad = |why: &str| RunError::new(ErrorKind::Binding, format!("an acceleration structure cannot be updated: {why}"));
        if !self.flags.allow_update {
            return Err(bad("it was not built with `allow_update`"));
        }
        if self.flags != flags {
            return Err(bad("an update keeps flags"));
        }
        with_inputs(context, input, |context, inputs| build(context, inputs, &mut self.accel, true))
    }

    /// A copy of `size` bytes.
    fn copied(&self, context: &mut Context, size: u64, mode: CopyMode) -> Result<GpuAccel> {
        let mut copy = GpuAccel::make(context, size, self.is_top(), self.flags)?;
        let device = context.device.clone();
        let mut copied = Ok(());
        let ran = context.run("copy an acceleration structure", |raw, cmd| {
            full_barrier(raw, cmd);
            // SAFETY: both live through the wait; the new one has the size that this mode asks for.
            copied = unsafe { accel::copy(&device, cmd.as_raw() as u64, &self.accel, &mut copy.accel, mode) };
            full_barrier(raw, cmd);
        });
        kept(context, copy, ran.and(copied))
    }

    /// An exact copy.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn cloned(&self, context: &mut Context) -> Result<GpuAccel> {
        self.copied(context, self.size(), CopyMode::Clone)
    }

    /// A compacted copy.
    ///
    /// # Errors
    /// It was not built for it; a failure of the device.
    pub fn compacted(&self, context: &mut Context) -> Result<GpuAccel> {
        if !self.flags.allow_compaction {
            return Err(RunError::new(
                ErrorKind::Binding,
                "an acceleration structure cannot be compacted: it was not built with `allow_compaction`",
            ));
        }
        let size = self.told(context, PostbuildInfo::CompactedSize)?;
        self.copied(context, size, CopyMode::Compact)
    }

    fn told(&self, context: &mut Context, info: PostbuildInfo) -> Result<u64> {
        let mut queries = ManuallyDrop::new(SizeQueries::new(&context.device, info, 1)?);
        let mut recorded = Ok(());
        let ran = context.run("answer a query", |raw, cmd| {
            full_barrier(raw, cmd);
            // SAFETY: structure and queries live through the wait.
            recorded = unsafe { queries.record(cmd.as_raw() as u64, &[&self.accel]) };
        });
        let answers = ran.and(recorded).and_then(|()| queries.answers());
        if context.alive() {
            drop(ManuallyDrop::into_inner(queries));
        }
        let answer = answers?.and_then(|list| list.first().copied());
        answer.ok_or_else(|| RunError::new(ErrorKind::Device, "the device did not answer a query"))
    }

    /// As bytes for [`GpuAccel::deserialized`] on the same device and driver.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn serialized(&self, context: &mut Context) -> Result<Vec<u8>> {
        let size = self.told(context, PostbuildInfo::SerializationSize)?;
        let mut buffer = GpuBuffer::device(context, size + ALIGN)?;
        let at = aligned(buffer.address);
        let device = context.device.clone();
        let mut recorded = Ok(());
        let ran = context.run("serialise an acceleration structure", |raw, cmd| {
            full_barrier(raw, cmd);
            // SAFETY: both live through the wait; the buffer has the size that the query returned.
            recorded = unsafe { accel::serialize(&device, cmd.as_raw() as u64, &self.accel, at) };
            full_barrier(raw, cmd);
        });
        let bytes = ran.and(recorded).and_then(|()| buffer.read(context));
        let start = (at - buffer.address) as usize;
        buffer.destroy(context);
        Ok(bytes?[start..start + size as usize].to_vec())
    }

    /// From the bytes of [`GpuAccel::serialized`]; `bottoms` are the addresses that replace those of the
    /// bottom-level structures that a top-level one refers to.
    ///
    /// # Errors
    /// Bytes of another device or driver, another number of structures; a failure of the device.
    pub fn deserialized(context: &mut Context, bytes: &[u8], bottoms: &[u64]) -> Result<GpuAccel> {
        let header = SerializedHeader::read(&context.device, bytes)?;
        let mut patched = bytes.to_vec();
        header.patch(&mut patched, bottoms)?;
        let mut buffer = GpuBuffer::device(context, bytes.len() as u64 + ALIGN)?;
        let at = aligned(buffer.address);
        let made = buffer
            .write(context, at - buffer.address, &patched)
            .and_then(|()| GpuAccel::make(context, header.deserialized_size, !bottoms.is_empty(), BuildFlags::default()));
        let made = made.and_then(|mut made| {
            let device = context.device.clone();
            let mut read = Ok(());
            let ran = context.run("deserialise an acceleration structure", |raw, cmd| {
                full_barrier(raw, cmd);
                // SAFETY: both live through the wait; the header was checked against this device.
                read = unsafe { accel::deserialize(&device, cmd.as_raw() as u64, &header, at, &mut made.accel) };
                full_barrier(raw, cmd);
            });
            kept(context, made, ran.and(read))
        });
        buffer.destroy(context);
        made
    }
}

/// A structure, if what made it succeeded.
fn kept(context: &Context, made: GpuAccel, done: Result<()>) -> Result<GpuAccel> {
    match done {
        Ok(()) => Ok(made),
        Err(e) => {
            made.destroy(context);
            Err(e)
        }
    }
}

/// Where serialised structures and scratch memory begin.
const ALIGN: u64 = 256;

fn aligned(address: u64) -> u64 {
    address.next_multiple_of(ALIGN)
}

/// Uploads the inputs and calls `f` with what is to be built from them.
fn with_inputs<R>(context: &mut Context, input: &Input, f: impl FnOnce(&mut Context, &Inputs) -> Result<R>) -> Result<R> {
    let mut data = GpuBuffer::device(context, input.bytes.len() as u64 + 16)?;
    // A memory object begins where the driver likes; transforms and instances need 16 bytes of alignment.
    let base = data.address.next_multiple_of(16);
    let result = data.write(context, base - data.address, &input.bytes).and_then(|()| f(context, &input.at(base, context)));
    data.destroy(context);
    result
}

/// Uploads the inputs and builds a new structure.
fn built(context: &mut Context, input: &Input, flags: BuildFlags) -> Result<GpuAccel> {
    with_inputs(context, input, |context, inputs| new(context, inputs, flags))
}

fn new(context: &mut Context, inputs: &Inputs, flags: BuildFlags) -> Result<GpuAccel> {
    let size = inputs.sizes(&context.device).map_err(|e| e.at(what(inputs)))?.result;
    let mut made = GpuAccel::make(context, size, matches!(inputs, Inputs::Top { .. }), flags)?;
    let done = build(context, inputs, &mut made.accel, false);
    kept(context, made, done)
}

fn what(inputs: &Inputs) -> &'static str {
    match inputs {
        Inputs::Bottom { .. } => "a bottom-level structure",
        Inputs::Top { .. } => "a top-level structure",
    }
}

/// Builds a structure, or updates it in place.
fn build(context: &mut Context, inputs: &Inputs, target: &mut Accel, update: bool) -> Result<()> {
    let size = scratch_for(&context.device, &[(inputs, update)]).map_err(|e| e.at(what(inputs)))?;
    with_scratch(context, size, "build an acceleration structure", |device, cmd, scratch| {
        let source = if update { Source::Target } else { Source::New };
        let mut builds = [Build { inputs: inputs.clone(), target, source }];
        // SAFETY: inputs, scratch memory and the structure live through the wait.
        unsafe { accel::build(device, cmd, &mut builds, scratch) }
    })
}
