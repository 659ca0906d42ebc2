//! Opacity micromaps of the layer below: arrays, built and waited for, and how geometries refer to them.

use super::context::Context;
use super::storage::{GpuBuffer, with_scratch};
use crate::device::{GeometryMicromaps, MICROMAP_FULLY_UNKNOWN_OPAQUE, MicromapArrayDesc, Micromaps};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::PrimaryMap;
use rtc_engine::vulkan::Allocate;
use rtc_engine::vulkan::accel::build_flag;
use rtc_engine::vulkan::accel::micromaps::{self, MicromapBuild, MicromapInputs, MicromapUsage, build_micromaps};
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// States and entries begin at multiples of this.
const ALIGN: u64 = 256;

/// An array of micromaps with its memory. Must be freed with [`GpuMicromaps::destroy`].
#[derive(Debug)]
pub(super) struct GpuMicromaps {
    /// Dropped in [`GpuMicromaps::destroy`], unless the device was given up.
    array: ManuallyDrop<micromaps::Micromaps>,
    /// Level and format of each micromap.
    levels: Vec<(u32, u32)>,
}

impl GpuMicromaps {
    /// Builds an array.
    ///
    /// # Errors
    /// The device has no micromaps; micromaps that leave the data, or are finer than the device takes; a failure of the device.
    pub fn build(context: &mut Context, desc: &MicromapArrayDesc) -> Result<GpuMicromaps> {
        if !context.has("micromap") {
            return Err(crate::device::lacks("opacity micromaps"));
        }
        let mut usage = MicromapUsage::default();
        let mut levels = Vec::with_capacity(desc.entries.len());
        let mut bytes = desc.data.clone();
        bytes.resize(bytes.len().next_multiple_of(ALIGN as usize), 0);
        let entries = bytes.len() as u64;
        for (i, e) in desc.entries.iter().enumerate() {
            let at = |e: RunError| e.at(format!("micromap {i}"));
            let format = e.format as u32;
            usage.add(e.level, format, 1).map_err(at)?;
            if e.offset as usize + e.format.bytes(e.level) > desc.data.len() {
                let why = format!("its states leave the {} bytes of data", desc.data.len());
                return Err(at(RunError::new(ErrorKind::Binding, why)));
            }
            bytes.extend(e.offset.to_le_bytes());
            bytes.extend((e.level | format << 16).to_le_bytes());
            levels.push((e.level, format));
        }
        let mut buffer = GpuBuffer::device(context, bytes.len() as u64 + ALIGN)?;
        let base = buffer.address.next_multiple_of(ALIGN);
        let made = buffer.write(context, base - buffer.address, &bytes).and_then(|()| {
            let flags = build_flag::PREFER_FAST_TRACE;
            make(context, MicromapInputs { usage, data: base, entries: base + entries, stride: 8, flags }, levels)
        });
        buffer.destroy(context);
        made
    }

    /// Frees it. Nothing on the device may use it any more, nor a structure that refers to it.
    pub fn destroy(self, context: &Context) {
        if context.alive() {
            drop(ManuallyDrop::into_inner(self.array));
        }
    }
}

fn make(context: &mut Context, inputs: MicromapInputs, levels: Vec<(u32, u32)>) -> Result<GpuMicromaps> {
    let sizes = inputs.sizes(&context.device)?;
    let memory: Arc<dyn Allocate> = context.memory.clone();
    let array = micromaps::Micromaps::new(&context.device, &memory, sizes.result)?;
    let mut made = GpuMicromaps { array: ManuallyDrop::new(array), levels };
    let done = with_scratch(context, sizes.scratch + ALIGN, "build opacity micromaps", |device, cmd, scratch| {
        let mut builds = [MicromapBuild { inputs, target: &mut made.array }];
        // SAFETY: inputs, scratch memory and the array live through the wait.
        unsafe { build_micromaps(device, cmd, &mut builds, scratch) }
    });
    match done {
        Ok(()) => Ok(made),
        Err(e) => {
            made.destroy(context);
            Err(e)
        }
    }
}

/// The array that so many triangles refer to (0: none), and how many of them to micromaps of each level and format.
pub(super) fn referred(
    arrays: &PrimaryMap<Micromaps, GpuMicromaps>,
    m: &GeometryMicromaps,
    triangles: usize,
) -> std::result::Result<(u64, MicromapUsage), String> {
    let array = match m.array {
        None => None,
        Some(id) => Some(arrays.get(id).ok_or_else(|| format!("{id} is no array of micromaps of this device"))?),
    };
    if let Some(list) = m.indices.as_ref().filter(|list| list.len() != triangles) {
        return Err(format!("{} micromap indices for {triangles} triangles", list.len()));
    }
    let mut usage = MicromapUsage::default();
    for t in 0..triangles {
        let index = m.indices.as_ref().map_or(t as i64, |list| i64::from(list[t]));
        match index {
            0.. => {
                let n = index + i64::from(m.base);
                let found = array.and_then(|a| a.levels.get(usize::try_from(n).ok()?));
                let (level, format) = found.ok_or_else(|| format!("triangle {t} refers to micromap {n}, which the array does not have"))?;
                usage.add(*level, *format, 1).map_err(|e| e.message)?;
            }
            _ if index >= i64::from(MICROMAP_FULLY_UNKNOWN_OPAQUE) => {}
            _ => return Err(format!("triangle {t} has micromap index {index}, which means nothing")),
        }
    }
    Ok((array.map_or(0, |a| a.array.handle()), usage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_base::EntityRef;

    #[test]
    fn special_indices_need_no_array() {
        let with = |array, indices: &[i32]| GeometryMicromaps { array, indices: Some(indices.to_vec()), base: 0 };
        let arrays = PrimaryMap::new();
        let special = with(None, &[-1, MICROMAP_FULLY_UNKNOWN_OPAQUE]);
        assert_eq!(referred(&arrays, &special, 2), Ok((0, MicromapUsage::default())));
        for (m, what) in [
            (with(None, &[-1]), "1 micromap indices for 2 triangles"),
            (with(None, &[-1, -5]), "triangle 1 has micromap index -5"),
            (with(None, &[0, -1]), "triangle 0 refers to micromap 0"),
            (GeometryMicromaps { indices: None, ..special.clone() }, "triangle 0 refers to micromap 0"),
            (with(Some(Micromaps::new(3)), &[-1, -1]), "micromaps3 is no array"),
        ] {
            let e = referred(&arrays, &m, 2).expect_err(what);
            assert!(e.contains(what), "{e} instead of {what}");
        }
    }
}
