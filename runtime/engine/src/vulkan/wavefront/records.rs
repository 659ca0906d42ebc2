//! Shader records that resume rays: the record of the shader that started them with the handle of each shader that resumes them.

use crate::error::Result;
use crate::tables::{Region, Table};
use crate::vulkan::pipeline::Pipeline;
use rtc_package::WavefrontShader;

/// The rows of the longer of the laid out miss and hit group tables, for [`Plan::new`](super::Plan::new).
pub fn rows(regions: &[Region; 4]) -> u64 {
    let rows = |table: Table| regions[table as usize].size.checked_div(regions[table as usize].stride).unwrap_or(0);
    rows(Table::Miss).max(rows(Table::Hit))
}

/// The records that resume the rays of the ray generation record in laid out tables ([`TableImage::at`](crate::tables::TableImage::at)), one for each
/// point: the same arguments, for other shaders. They begin at a multiple of the base alignment. The record itself must be of `shader`.
///
/// # Errors
/// The pipeline does not have a shader that resumes rays.
pub fn resume_records(pipeline: &Pipeline, (bytes, regions): (&[u8], &[Region; 4]), shader: &WavefrontShader) -> Result<Vec<u8>> {
    let raygen = regions[Table::RayGeneration as usize];
    let record = &bytes[raygen.offset as usize..(raygen.offset + raygen.size) as usize];
    let stride = raygen.size.next_multiple_of(pipeline.table_rules().base_alignment) as usize;
    let mut out = vec![0; stride * shader.points.len()];
    for (room, point) in out.chunks_exact_mut(stride).zip(&shader.points) {
        let handle = pipeline.handle_of(&point.resume)?;
        room[..record.len()].copy_from_slice(record);
        room[..handle.len()].copy_from_slice(handle);
    }
    Ok(out)
}
