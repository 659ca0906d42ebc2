//! Shader tables in a buffer of the device.

use super::context::Context;
use super::storage::GpuBuffer;
use crate::error::Result;
use rtc_rt::tables::TableImage;
use rtc_rt::vulkan::DispatchRays;

/// The four tables on the device. Must be freed with [`Tables::destroy`].
pub(super) struct Tables {
    buffer: GpuBuffer,
    /// Where they are, for a dispatch of no rays.
    pub desc: DispatchRays,
}

impl Tables {
    /// Puts tables on the device.
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn new(context: &mut Context, image: &TableImage) -> Result<Tables> {
        let mut buffer = GpuBuffer::device(context, image.size())?;
        let (bytes, regions) = image.at(buffer.address);
        if let Err(e) = buffer.write(context, 0, &bytes) {
            buffer.destroy(context);
            return Err(e);
        }
        let desc = DispatchRays::of(buffer.address, &regions, [0; 3]);
        Ok(Tables { buffer, desc })
    }

    /// Frees them. Nothing on the device may use them any more.
    pub fn destroy(&mut self, context: &mut Context) {
        self.buffer.destroy(context);
    }
}
