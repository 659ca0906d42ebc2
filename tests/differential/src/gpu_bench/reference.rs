//! A package with the reference compiler's module in it, where that module reads the same data as ours.

use rtc_dxil_container::ResourceClass;
use rtc_package::{Binding, DescriptorKind, Package};

use crate::interfaces::own_interfaces;
use crate::rebind::{SHIFTS, by_shifted_registers, own_locations};

/// The package `like` with the reference's module of the same source, which `compile` returns for the arguments that it gets.
///
/// # Errors
/// The reference would read something from elsewhere, or it does not compile the source.
pub fn reference(like: &Package, compile: impl FnOnce(Vec<String>) -> Result<Vec<u8>, String>) -> Result<Package, String> {
    if let Some(why) = reads_elsewhere(like) {
        return Err(why);
    }
    // Direct3D's layouts, which packages have, and which its validator finds unusual.
    let mut args: Vec<String> = ["-fspv-target-env=vulkan1.2", "-fvk-use-dx-layout", "-Vd"].map(str::to_string).to_vec();
    for (class, shift) in SHIFTS {
        args.extend([format!("-fvk-{}-shift", class.letter()), shift.to_string(), "all".to_string()]);
    }
    // It crashes on subobjects in this mode; the pipeline gets them from our package.
    args.extend(["-D".to_string(), "NO_SUBOBJECTS".to_string()]);
    let bytes = compile(args)?;
    let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|c| u32::from_le_bytes(*c)).collect();
    Ok(by_shifted_registers(like, own_locations(own_interfaces(&words)?)))
}

/// Why a module of the reference would not read the data that ours reads.
fn reads_elsewhere(like: &Package) -> Option<String> {
    let map = &like.map;
    if map.lowering.is_some() {
        return Some("the reference knows hit objects in DXIL alone".to_string());
    }
    if let Some(e) = map.entries.iter().find(|e| e.record.is_some()) {
        return Some(format!("`{}` has local root arguments, which the reference's module reads from descriptors", e.export));
    }
    if let Some(b) = map.bindings.iter().find(|b| b.heap) {
        return Some(format!("`{}` is a descriptor heap, which the reference binds otherwise", b.name));
    }
    if let Some(b) = map.bindings.iter().find(|b| b.counter.is_some()) {
        return Some(format!("the counter of `{}` has a binding that the reference chooses", b.name));
    }
    let pushed = map.bindings.iter().find(|b| b.descriptor == DescriptorKind::PushConstants);
    if let Some(b) = pushed.filter(|b| b.class == ResourceClass::Cbv) {
        return Some(format!("`{}` are root constants, which the reference reads from a buffer", b.name));
    }
    // Registers of a class must not reach into the next one of their space.
    let neighbours = |b: &Binding| map.bindings.iter().any(|c| c.space == b.space && c.class != b.class);
    let crowded = map.bindings.iter().find(|b| b.register.saturating_add(b.count) > SHIFTS[1].1 && neighbours(b));
    crowded.map(|b| format!("`{}` has more registers than the shift between classes", b.name))
}
