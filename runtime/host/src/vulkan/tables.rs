//! Shader tables in a buffer of the device.

use super::context::Context;
use super::storage::GpuBuffer;
use crate::error::Result;
use rtc_engine::tables::{Region, TableImage};
use rtc_engine::vulkan::wavefront::{resume_records, rows};
use rtc_engine::vulkan::{DispatchRays, Pipeline, Range};
use rtc_package::WavefrontShader;

/// The four tables on the device. Must be freed with [`Tables::destroy`].
pub(super) struct Tables {
    buffer: GpuBuffer,
    /// Where they are, for a dispatch of no rays.
    pub desc: DispatchRays,
    /// Of a divided ray generation shader the records that resume its rays.
    pub resume: Option<Resume>,
}

/// The records that resume rays.
pub(super) struct Resume {
    buffer: GpuBuffer,
    /// Where they are.
    pub records: Range,
    /// How the shader is divided.
    pub shader: WavefrontShader,
    /// The rows of the longer of the miss and hit group tables.
    pub rows: u64,
}

impl Tables {
    /// Puts tables on the device.
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn new(context: &mut Context, image: &TableImage, pipeline: &Pipeline, divided: Option<&WavefrontShader>) -> Result<Tables> {
        let mut buffer = GpuBuffer::device(context, image.size())?;
        let (bytes, regions) = image.at(buffer.address);
        if let Err(e) = buffer.write(context, 0, &bytes) {
            buffer.destroy(context);
            return Err(e);
        }
        let desc = DispatchRays::of(buffer.address, &regions, [0; 3]);
        let mut tables = Tables { buffer, desc, resume: None };
        if let Some(shader) = divided {
            match Resume::new(context, pipeline, (&bytes, &regions), shader) {
                Ok(resume) => tables.resume = Some(resume),
                Err(e) => {
                    tables.destroy(context);
                    return Err(e);
                }
            }
        }
        Ok(tables)
    }

    /// Frees them. Nothing on the device may use them any more.
    pub fn destroy(&mut self, context: &mut Context) {
        self.buffer.destroy(context);
        if let Some(mut resume) = self.resume.take() {
            resume.buffer.destroy(context);
        }
    }
}

impl Resume {
    fn new(
        context: &mut Context,
        pipeline: &Pipeline,
        (bytes, regions): (&[u8], &[Region; 4]),
        shader: &WavefrontShader,
    ) -> Result<Resume> {
        let records = resume_records(pipeline, (bytes, regions), shader)?;
        let alignment = u64::from(context.device.limits().base_alignment);
        let size = records.len() as u64;
        let mut buffer = GpuBuffer::device(context, size + alignment)?;
        let offset = buffer.address.next_multiple_of(alignment) - buffer.address;
        if let Err(e) = buffer.write(context, offset, &records) {
            buffer.destroy(context);
            return Err(e);
        }
        let records = Range { address: buffer.address + offset, size };
        Ok(Resume { buffer, records, shader: shader.clone(), rows: rows(regions) })
    }
}
