//! The buffers of the divided ray generation shaders of a program: those where no point stops, and those of sorted dispatches.

use super::context::Context;
use super::descriptors::{Bound, Descriptors};
use super::storage::GpuBuffer;
use super::vk;
use crate::device::Slot;
use crate::error::Result;
use crate::library::Library;
use rtc_engine::vulkan::wavefront::{Memory, PLAIN_SIZES, Plan};
use rtc_engine::vulkan::{Allocate, Requirements, Uses};
use rtc_tables::wavefront::BUFFERS;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use vulkanalia::vk::Handle;

/// The buffers that divided shaders of a program use. Must be freed with [`RayBuffers::destroy`].
pub(super) struct RayBuffers {
    /// Where no point stops, in the order of [`BUFFERS`].
    plain: Vec<GpuBuffer>,
    /// Those of sorted dispatches, once there was one.
    memory: Option<ManuallyDrop<Memory>>,
}

impl RayBuffers {
    /// Buffers where no point stops, bound; none: the library has no divided shader.
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn new(context: &mut Context, library: &Library, descriptors: &mut Descriptors) -> Result<Option<RayBuffers>> {
        if !BUFFERS.iter().any(|name| library.package.map.bindings.iter().any(|b| b.name == *name)) {
            return Ok(None);
        }
        let mut made = RayBuffers { plain: Vec::new(), memory: None };
        for size in PLAIN_SIZES {
            match GpuBuffer::filled(context, size, &[]) {
                Ok(buffer) => made.plain.push(buffer),
                Err(e) => {
                    made.destroy(context);
                    return Err(e);
                }
            }
        }
        let bound = made.bind_plain(context, library, descriptors);
        match bound {
            Ok(()) => Ok(Some(made)),
            Err(e) => {
                made.destroy(context);
                Err(e)
            }
        }
    }

    /// Finds memory for a plan, and binds it.
    ///
    /// # Errors
    /// No memory.
    pub fn bind_memory(&mut self, context: &mut Context, library: &Library, descriptors: &mut Descriptors, plan: &Plan) -> Result<()> {
        if !self.memory.as_ref().is_some_and(|m| m.holds(plan)) {
            self.free_memory(context);
            let memory: Arc<dyn Allocate> = context.memory.clone();
            self.memory = Some(ManuallyDrop::new(Memory::new(&context.device, &memory, plan)?));
        }
        let named = self.memory.iter().flat_map(|m| m.named()).map(|(name, buffer)| {
            let size = buffer.size().next_multiple_of(4);
            (name, Bound::Buffer { buffer: vk::Buffer::from_raw(buffer.handle()), size })
        });
        bind(context, library, descriptors, named)
    }

    /// The memory of the last plan.
    pub fn memory(&self) -> Option<&Memory> {
        self.memory.as_deref()
    }

    /// Binds the buffers where no point stops.
    ///
    /// # Errors
    /// The library has no such buffer.
    pub fn bind_plain(&self, context: &mut Context, library: &Library, descriptors: &mut Descriptors) -> Result<()> {
        let plain = self.plain.iter().map(|b| Bound::Buffer { buffer: b.raw, size: b.size });
        bind(context, library, descriptors, BUFFERS.into_iter().zip(plain))
    }

    /// Frees them. Nothing on the device may use them any more.
    pub fn destroy(&mut self, context: &mut Context) {
        self.plain.iter_mut().for_each(|b| b.destroy(context));
        self.plain.clear();
        self.free_memory(context);
    }

    fn free_memory(&mut self, context: &Context) {
        if let Some(memory) = self.memory.take()
            && context.alive()
        {
            drop(ManuallyDrop::into_inner(memory));
        }
    }
}

/// Binds buffers to the resources of these names, as far as shaders use them.
fn bind(
    context: &mut Context,
    library: &Library,
    descriptors: &mut Descriptors,
    named: impl Iterator<Item = (&'static str, Bound)>,
) -> Result<()> {
    for (name, bound) in named {
        if let Ok(i) = library.binding(&Slot::Name(name.into())) {
            descriptors.set(context, i, &library.package.map.bindings[i], 0, bound)?;
        }
    }
    Ok(())
}

/// Why the rays of a library's divided shaders are not sorted on a device; none: they are, or it has no such shader.
pub(super) fn unsorted(context: &Context, library: &Library) -> Option<String> {
    let divided = library.package.map.wavefront.first()?;
    let need = Requirements::of(&[], Uses { wavefront: true, ..Uses::default() });
    let e = context.device.check(&need, "cannot sort rays").err()?;
    Some(format!("`{}` is divided at its reorder points, which do nothing here: {} ({})", divided.shader, e.message, e.notes.join("; ")))
}
