//! What packages need of a device: said before the caller makes it, and checked against what it made.

use super::features::{Chain, DESCRIPTOR_BUFFER, Enabled, NEEDED_EXTENSIONS, Need, ROWS, rows_of};
use super::physical::get_physical_device;
use super::vk;
use crate::error::{Error, ErrorKind, Result};
use crate::library::Library;
use crate::state_object::{PIPELINE_SKIP_PROCEDURAL, PIPELINE_SKIP_TRIANGLES};
use rtc_package::{Requirement, RequirementKind};
use rustc_hash::FxHashSet;
use std::ffi::c_void;

/// What of this crate the caller uses, beyond pipelines and direct dispatches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// Collections and additions, which are pipeline libraries.
    pub pipeline_libraries: bool,
    /// Indirect dispatches whose arguments are sizes.
    pub indirect_sizes: bool,
    /// Indirect dispatches whose arguments are sizes and shader tables, as D3D12 has them.
    pub indirect_tables: bool,
    /// Indirect dispatches that the device counts, as `ExecuteIndirect` does; the arguments are sizes and shader tables.
    pub indirect_count: bool,
    /// Dispatches of divided shaders, whose rays are sorted between their stages.
    pub wavefront: bool,
}

/// What of [`super::accel`] the caller uses, beyond builds, updates and copies on the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StructureUses {
    /// Builds whose numbers of primitives the device reads.
    pub indirect_builds: bool,
    /// Builds and copies on the host.
    pub host_builds: bool,
    /// Questions about current sizes, and about pointers in serialised structures.
    pub current_sizes: bool,
    /// Shaders read vertex positions of hits.
    pub positions: bool,
    /// Opacity micromaps.
    pub micromaps: bool,
    /// Clustered geometry.
    pub clusters: bool,
    /// Partitioned top-level structures.
    pub partitions: bool,
}

/// Extensions, features and the version that a device must have.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    all: Vec<Requirement>,
    /// Lowest version of Vulkan, as `VK_MAKE_API_VERSION` has it.
    pub api_version: u32,
}

fn feature(name: &str, extension: &str, reason: &str) -> Requirement {
    Requirement { kind: RequirementKind::DeviceFeature, name: name.into(), extension: extension.into(), reason: reason.into() }
}

fn extension(name: &str, reason: &str) -> Requirement {
    Requirement { kind: RequirementKind::DeviceExtension, name: name.into(), extension: String::new(), reason: reason.into() }
}

impl Requirements {
    /// What `libraries` and uses need.
    pub fn of(libraries: &[&Library], uses: Uses) -> Requirements {
        let why = "ray-tracing pipelines";
        let mut out = Requirements { all: Vec::new(), api_version: vk::make_version(1, 2, 0) };
        for name in NEEDED_EXTENSIONS {
            out.add(extension(name, why));
        }
        for row in ROWS.iter().filter(|r| r.need == Need::Always) {
            out.add(feature(row.name, row.extension, why));
        }
        const RT: &str = "VK_KHR_ray_tracing_pipeline";
        const MAINTENANCE: &str = "VK_KHR_ray_tracing_maintenance1";
        if uses.pipeline_libraries {
            out.add(extension("VK_KHR_pipeline_library", "collections and additions to state objects"));
        }
        if uses.indirect_sizes {
            out.add(feature("rayTracingPipelineTraceRaysIndirect", RT, "indirect dispatches"));
        }
        if uses.wavefront {
            out.add(feature("rayTracingPipelineTraceRaysIndirect", RT, "launches that resume rays"));
            out.add(feature("shaderInt64", "", "sorts of rays"));
        }
        if uses.indirect_count {
            out.add(feature("shaderInt64", "", "counts of indirect dispatches"));
        }
        if uses.indirect_tables || uses.indirect_count {
            out.add(feature("rayTracingPipelineTraceRaysIndirect2", MAINTENANCE, "indirect dispatches with shader tables"));
        }
        for library in libraries {
            let target = library.package.map.target.vulkan;
            out.api_version = out.api_version.max(vk::make_version(target.major, target.minor, 0));
            if library.state.pipeline_config.flags & (PIPELINE_SKIP_TRIANGLES | PIPELINE_SKIP_PROCEDURAL) != 0 {
                out.add(feature("rayTraversalPrimitiveCulling", RT, "the flags of the pipeline config"));
            }
            if library.package.map.bindings.iter().any(|b| b.heap) {
                out.add(feature("mutableDescriptorType", "VK_EXT_mutable_descriptor_type", "descriptor heaps"));
            }
            for r in &library.package.map.requirements {
                out.add(r.clone());
            }
        }
        out
    }

    /// With a feature that the caller requests for `reason`, such as `nullDescriptor` of `VK_EXT_robustness2`; `extension` is empty for a feature
    /// of Vulkan itself.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: this crate does not know the feature; the caller switches it on in its own structures.
    pub fn with_feature(mut self, name: &str, extension: &str, reason: &str) -> Result<Requirements> {
        if !ROWS.iter().any(|row| (row.name, row.extension) == (name, extension)) {
            let of = if extension.is_empty() { "Vulkan" } else { extension };
            let e = Error::new(ErrorKind::Binding, format!("the feature `{name}` of {of} is none that rtc-engine knows"));
            return Err(match extension {
                "VK_EXT_descriptor_heap" => e.note("descriptor heaps of shaders are bindings of sets or of descriptor buffers"),
                _ => e,
            });
        }
        self.add(feature(name, extension, reason));
        Ok(self)
    }

    /// With what [`Layout::for_descriptor_buffers`](super::Layout::for_descriptor_buffers) needs.
    pub fn with_descriptor_buffers(mut self) -> Requirements {
        // `VK_EXT_descriptor_buffer` builds on it; Vulkan 1.3 has it, and devices still list it.
        self.add(extension("VK_KHR_synchronization2", "descriptor buffers"));
        self.add(feature("descriptorBuffer", DESCRIPTOR_BUFFER, "descriptor buffers"));
        self
    }

    /// Adds what uses of acceleration structures need.
    pub fn and_structures(mut self, uses: StructureUses) -> Requirements {
        const AS: &str = "VK_KHR_acceleration_structure";
        #[rustfmt::skip]
        let rows = [
            (uses.indirect_builds, "accelerationStructureIndirectBuild", AS, "indirect builds"),
            (uses.host_builds, "accelerationStructureHostCommands", AS, "builds on the host"),
            (uses.current_sizes, "rayTracingMaintenance1", "VK_KHR_ray_tracing_maintenance1", "current sizes of structures"),
            (uses.positions, "rayTracingPositionFetch", "VK_KHR_ray_tracing_position_fetch", "positions of hits"),
            (uses.micromaps, "micromap", "VK_EXT_opacity_micromap", "opacity micromaps"),
            (uses.clusters, "clusterAccelerationStructure", "VK_NV_cluster_acceleration_structure", "clustered geometry"),
            (uses.partitions, "partitionedAccelerationStructure", "VK_NV_partitioned_acceleration_structure", "partitioned top-level structures"),
        ];
        for (_, name, of, why) in rows.iter().filter(|row| row.0) {
            self.add(feature(name, of, why));
        }
        if uses.micromaps {
            self.add(extension("VK_KHR_synchronization2", "opacity micromaps"));
        }
        self
    }

    fn add(&mut self, r: Requirement) {
        if !self.all.iter().any(|k| (k.kind, &k.name, &k.extension) == (r.kind, &r.name, &r.extension)) {
            self.all.push(r);
        }
    }

    /// The extensions to switch on, in the order of names. Those that only have features are among them.
    pub fn extensions(&self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for r in &self.all {
            match r.kind {
                RequirementKind::DeviceExtension => out.push(r.name.clone()),
                RequirementKind::DeviceFeature => out.extend(rows_of(r).take(1).map(|row| row.extension.to_string())),
                RequirementKind::Capability | RequirementKind::SpirvExtension => {}
            }
        }
        out.retain(|name| !name.is_empty());
        out.sort();
        out.dedup();
        out
    }

    /// The features to switch on, by the names of their members in Vulkan's structures, with the extension that has each
    /// (empty: Vulkan itself).
    pub fn features(&self) -> Vec<(&str, &str)> {
        let features = self.all.iter().filter(|r| r.kind == RequirementKind::DeviceFeature);
        features.map(|r| (r.name.as_str(), rows_of(r).next().map_or(r.extension.as_str(), |row| row.extension))).collect()
    }

    /// The structures that switch the features on, for [`FeatureChain::with`].
    pub fn chain(&self) -> FeatureChain {
        let mut chain = Chain::default();
        for r in self.all.iter().filter(|r| r.kind == RequirementKind::DeviceFeature) {
            if let Some(row) = rows_of(r).next() {
                chain.set(row);
            }
        }
        let mut extensions: FxHashSet<String> = self.extensions().into_iter().collect();
        extensions.insert(String::new());
        FeatureChain { chain, extensions }
    }

    /// What of this is not switched on; empty if nothing is missing.
    pub fn unmet(&self, enabled: &Enabled) -> Vec<String> {
        enabled.unmet(&self.all)
    }

    /// Why a physical device cannot meet the requirements; empty if it can.
    ///
    /// # Errors
    /// The function pointer or a handle is null.
    ///
    /// # Safety
    /// `get_instance_proc_addr` is the loader's function, `instance` and `physical_device` are handles that it made.
    pub unsafe fn refusals(&self, get_instance_proc_addr: *const c_void, instance: u64, physical_device: u64) -> Result<Vec<String>> {
        // SAFETY: by the caller's promise.
        let device = unsafe { get_physical_device(get_instance_proc_addr, instance, physical_device)? };
        let mut reasons = device.too_old(self.api_version);
        if reasons.is_empty() {
            reasons = self.unmet(&device.abilities()?);
        }
        Ok(reasons)
    }
}

/// Structures for `vkCreateDevice`.
pub struct FeatureChain {
    chain: Chain,
    extensions: FxHashSet<String>,
}

impl FeatureChain {
    /// Calls `f` with the first structure of a chain for `pNext` of `VkDeviceCreateInfo`, and a `VkPhysicalDeviceFeatures` for
    /// `pEnabledFeatures`. Both are alive until `f` returns.
    pub fn with<R>(&mut self, f: impl FnOnce(*const c_void, *const c_void) -> R) -> R {
        let core = self.chain.core();
        self.chain.with(&self.extensions, |next| f(next.cast_const(), std::ptr::from_ref(&core).cast()))
    }
}

impl FeatureChain {
    /// The structures linked for as long as the result lives, for callers that cannot pass a function.
    pub fn linked(self) -> LinkedChain {
        let mut parts = Box::new((self.chain, self.chain.core()));
        let next = parts.0.link(&self.extensions).cast_const();
        LinkedChain { parts, next }
    }
}

/// Structures for `vkCreateDevice` that are linked for as long as it lives.
pub struct LinkedChain {
    parts: Box<(Chain, vk::PhysicalDeviceFeatures)>,
    next: *const c_void,
}

impl LinkedChain {
    /// The first structure, for `pNext` of `VkDeviceCreateInfo`.
    pub fn next(&self) -> *const c_void {
        self.next
    }

    /// A `VkPhysicalDeviceFeatures`, for `pEnabledFeatures`.
    pub fn core(&self) -> *const c_void {
        std::ptr::from_ref(&self.parts.1).cast()
    }
}

/// The error of a device that cannot do something, with the reasons.
pub(super) fn refused(device: &str, what: &str, reasons: Vec<String>) -> Error {
    let mut e = Error::new(ErrorKind::Limit, format!("{device} {what}"));
    e.notes = reasons;
    e
}
