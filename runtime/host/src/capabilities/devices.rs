//! The devices of this machine: those of Vulkan, and the CPU device.

use super::rows::OPERATIONS;
use super::{DeviceRecord, capability};

/// The records of every device of this machine, the CPU device last. A machine without Vulkan has a record that says so.
pub fn devices() -> Vec<DeviceRecord> {
    let mut out = Vec::new();
    #[cfg(feature = "vulkan")]
    match crate::vulkan::records() {
        Ok(list) => out.extend(list),
        Err(e) => out.push(DeviceRecord {
            id: crate::run::VULKAN.into(),
            name: "Vulkan".into(),
            reasons: vec![e.to_string()],
            ..DeviceRecord::default()
        }),
    }
    out.push(cpu());
    out
}

/// The CPU device.
fn cpu() -> DeviceRecord {
    let mut out = DeviceRecord { id: crate::run::CPU.into(), name: "CPU".into(), api: "DXIL".into(), ..DeviceRecord::default() };
    #[cfg(feature = "cpu")]
    match crate::cpu::device::CpuDevice::open(Default::default()) {
        Ok(device) => {
            use crate::device::Device as _;
            let info = device.info();
            out.driver = info.driver.clone();
            out.limits = vec![
                ("max_recursion", info.max_recursion.into()),
                ("max_attribute_size", info.max_attribute_size.into()),
                ("max_record_size", info.max_record_size.into()),
                ("wave_lanes", info.wave_lanes.into()),
            ];
            out.features = info.features.iter().map(|(name, there)| (*name, "", *there)).collect();
        }
        Err(e) => out.reasons.push(e.to_string()),
    }
    if !cfg!(feature = "cpu") {
        out.reasons.push("this build has none (cargo feature `cpu`)".into());
    }
    out.capabilities = OPERATIONS.iter().map(|o| capability(o, o.cpu.map(str::to_string))).collect();
    out
}
