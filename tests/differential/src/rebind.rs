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

/// The module with locations that begin at 0 for each entry point: the reference compiler numbers those of a library as if all its entry
/// points were one, so that they do not fit together.
pub fn own_locations(mut module: Vec<u32>) -> Vec<u32> {
    const HEADER: usize = 5;
    // Opcodes, and a decoration.
    const ENTRY_POINT: u32 = 15;
    const VARIABLE: u32 = 59;
    const DECORATE: u32 = 71;
    const LOCATION: u32 = 30;
    let mut instructions = Vec::new();
    let mut at = HEADER;
    while at < module.len() {
        let end = at + (module[at] >> 16) as usize;
        instructions.push((module[at] & 0xffff, at..end));
        at = end;
    }
    let storage = |id: u32| {
        let is = |i: &&(u32, std::ops::Range<usize>)| i.0 == VARIABLE && module[i.1.start + 2] == id;
        instructions.iter().find(is).map(|i| module[i.1.start + 3])
    };
    // Words of locations, by entry point and storage class.
    let mut lists: Vec<Vec<usize>> = Vec::new();
    for (_, entry) in instructions.iter().filter(|i| i.0 == ENTRY_POINT) {
        let of = &module[entry.clone()];
        for class in [1, 3] {
            let found = instructions.iter().filter(|(op, i)| {
                *op == DECORATE && module[i.start + 2] == LOCATION && {
                    let id = module[i.start + 1];
                    of[3..].contains(&id) && storage(id) == Some(class)
                }
            });
            lists.push(found.map(|i| i.1.start + 3).collect());
        }
    }
    for list in lists {
        let first = list.iter().map(|&at| module[at]).min().unwrap_or(0);
        for at in list {
            module[at] -= first;
        }
    }
    module
}
