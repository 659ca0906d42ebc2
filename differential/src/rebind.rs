//! A package with another module of the same shaders: where that module has each resource.

use rtc_dxil_container::ResourceClass;
use rtc_package::{Binding, DescriptorKind, Package};
use serde_json::Value;

/// The package `like` with a module whose bindings follow the reference compiler's rule: the register is the binding, the space the
/// set. Its entry points have the names of the source.
pub fn by_registers(like: &Package, spirv: Vec<u32>) -> Package {
    let mut package = like.clone();
    package.spirv = spirv;
    for b in descriptors(&mut package) {
        (b.set, b.binding) = (b.space, b.register);
    }
    for e in &mut package.map.entries {
        e.spirv_name.clone_from(&e.export);
    }
    package
}

/// What the options `-fvk-b-shift` and so on are to add to the registers of each class, so that no two resources share a binding.
pub const SHIFTS: [(ResourceClass, u32); 4] =
    [(ResourceClass::Cbv, 0), (ResourceClass::Srv, 100), (ResourceClass::Sampler, 200), (ResourceClass::Uav, 300)];

/// The same with a module that was compiled with those [`SHIFTS`].
pub fn by_shifted_registers(like: &Package, spirv: Vec<u32>) -> Package {
    let mut package = by_registers(like, spirv);
    for b in descriptors(&mut package) {
        b.binding += SHIFTS.iter().find(|s| s.0 == b.class).map_or(0, |s| s.1);
    }
    package
}

/// The package `like` with a module whose bindings, and those of its counters, are in its reflection (`rtc reflect`). A resource
/// that is not found there by its name, such as a constant buffer that the module names by its type, is found by its register.
pub fn by_reflection(like: &Package, spirv: Vec<u32>, reflection: &Value) -> Package {
    let mut package = by_registers(like, spirv);
    let bindings = reflection["vulkan"]["bindings"].as_array().map_or(&[][..], Vec::as_slice);
    let slot = |name: &str| {
        let found = bindings.iter().find(|b| b["name"] == name)?;
        Some((found["set"].as_u64()? as u32, found["binding"].as_u64()? as u32))
    };
    for b in descriptors(&mut package) {
        if let Some(at) = slot(&b.name) {
            (b.set, b.binding) = at;
        }
        b.counter = slot(&format!("counter.var.{}", b.name));
    }
    package
}

fn descriptors(package: &mut Package) -> impl Iterator<Item = &mut Binding> {
    package.map.bindings.iter_mut().filter(|b| b.descriptor != DescriptorKind::PushConstants)
}
