//! Shader tables that change while frames are in flight: one copy for each frame, brought up to date when the device is done with it.

use super::device::Device;
use super::dispatch::DispatchRays;
use super::memory::{Allocate, Buffer, HostAccess};
use super::pipeline::Pipeline;
use super::vk;
use crate::error::{Error, ErrorKind, Result};
use crate::tables::{Record, ShaderTables, Table, TableImage};
use std::sync::Arc;

/// Shader tables with a copy for each frame in flight. Drop them when the device no longer uses any.
#[derive(Debug)]
pub struct FrameTables {
    desc: ShaderTables,
    image: TableImage,
    buffers: Vec<Buffer>,
    /// Whether the copy of a frame must be written.
    outdated: Vec<bool>,
}

impl FrameTables {
    /// Tables for a pipeline, in memory that the host writes.
    ///
    /// # Errors
    /// Tables that do not fit the pipeline ([`Pipeline::tables`]), no frame, no memory.
    pub fn new(pipeline: &Pipeline, memory: &Arc<dyn Allocate>, tables: ShaderTables, frames: usize) -> Result<FrameTables> {
        if frames == 0 {
            return Err(Error::new(ErrorKind::Binding, "shader tables for no frame"));
        }
        let image = pipeline.tables(&tables)?;
        let device = pipeline.device();
        let buffers: Result<Vec<Buffer>> = (0..frames).map(|_| make(device, memory, image.size())).collect();
        Ok(FrameTables { desc: tables, image, buffers: buffers?, outdated: vec![true; frames] })
    }

    /// The records.
    pub fn tables(&self) -> &ShaderTables {
        &self.desc
    }

    /// Replaces a record. Frames see it from their next [`FrameTables::begin`] on.
    ///
    /// # Errors
    /// The table has no such record; a record that does not fit the pipeline, or is longer than the table's stride.
    pub fn set(&mut self, pipeline: &Pipeline, table: Table, index: usize, record: Record) -> Result<()> {
        let mut desc = self.desc.clone();
        *desc.record_mut(table, index)? = record;
        self.replace(pipeline, desc)
    }

    /// Replaces all records, for example by those with handles of a pipeline that was made by an addition.
    ///
    /// # Errors
    /// Records that do not fit the pipeline, or tables that are larger than those before.
    pub fn replace(&mut self, pipeline: &Pipeline, desc: ShaderTables) -> Result<()> {
        pipeline.device().same(self.buffers[0].device(), "a shader table")?;
        let image = pipeline.tables(&desc)?;
        if let Some(small) = self.buffers.iter().find(|b| b.size() < image.size()) {
            return Err(Error::new(
                ErrorKind::Binding,
                format!("shader tables of {} bytes do not fit where tables of {} bytes were", image.size(), small.size()),
            )
            .note("make tables anew when they grow"));
        }
        (self.desc, self.image) = (desc, image);
        self.outdated.fill(true);
        Ok(())
    }

    /// Gives the records the handles of another pipeline with the same names.
    ///
    /// # Errors
    /// A name that the pipeline does not have.
    pub fn retarget(&mut self, pipeline: &Pipeline) -> Result<()> {
        self.replace(pipeline, self.desc.clone())
    }

    /// Brings the copy of a frame up to date, and describes a dispatch of no rays with it.
    ///
    /// # Errors
    /// There is no such frame.
    ///
    /// # Safety
    /// The device has finished everything that used this copy.
    pub unsafe fn begin(&mut self, frame: usize) -> Result<DispatchRays> {
        let Some(buffer) = self.buffers.get(frame) else {
            return Err(Error::new(ErrorKind::Binding, format!("frame {frame} of {}", self.buffers.len())));
        };
        let (bytes, regions) = self.image.at(buffer.address());
        if self.outdated[frame] {
            // SAFETY: by the caller's promise.
            unsafe { buffer.write(0, &bytes)? };
            self.outdated[frame] = false;
        }
        Ok(DispatchRays::of(buffer.address(), &regions, [0; 3]))
    }
}

fn make(device: &Device, memory: &Arc<dyn Allocate>, size: u64) -> Result<Buffer> {
    Buffer::new(device, memory, size, vk::BufferUsageFlags::SHADER_BINDING_TABLE_KHR.bits(), HostAccess::Write)
}
