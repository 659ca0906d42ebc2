//! What packages need of a device: extensions and features to switch on, and why a physical device cannot.

use crate::boundary::{Failure, Of, free, get, give, guarded, invalid, number, object, objects, read, text, write};
use crate::device::rtcrt_function;
use crate::library::rtcrt_library;
use crate::types::{rtcrt_error, rtcrt_status, rtcrt_texts};
use rtc_engine::library::Library;
use rtc_engine::vulkan::requirements::LinkedChain;
use rtc_engine::vulkan::{Requirements, StructureUses, Uses};
use std::ffi::{c_char, c_void};
use std::sync::{RwLock, RwLockReadGuard};

/// A use: collections and additions, which are pipeline libraries.
pub const RTCRT_USE_PIPELINE_LIBRARIES: u32 = 1;
/// A use: indirect dispatches whose arguments are sizes.
pub const RTCRT_USE_INDIRECT_SIZES: u32 = 2;
/// A use: indirect dispatches whose arguments are sizes and shader tables, as D3D12 has them.
pub const RTCRT_USE_INDIRECT_TABLES: u32 = 4;
/// A use: indirect dispatches that the device counts, as `ExecuteIndirect` does.
pub const RTCRT_USE_INDIRECT_COUNT: u32 = 8;

/// A use: layouts and descriptors of `rtcrt_layout_for_descriptor_buffers`.
pub const RTCRT_USE_DESCRIPTOR_BUFFERS: u32 = 0x10;
/// A use: `rtcrt_wavefront_*`, which sort rays between the stages of divided shaders.
pub const RTCRT_USE_WAVEFRONT: u32 = 0x20;
/// A use: builds whose numbers of primitives the device reads.
pub const RTCRT_USE_INDIRECT_BUILDS: u32 = 0x100;
/// A use: builds and copies on the host.
pub const RTCRT_USE_HOST_BUILDS: u32 = 0x200;
/// A use: questions about current sizes, and about pointers in serialised structures.
pub const RTCRT_USE_CURRENT_SIZES: u32 = 0x400;
/// A use: shaders read vertex positions of hits.
pub const RTCRT_USE_POSITIONS: u32 = 0x800;
/// A use: opacity micromaps.
pub const RTCRT_USE_MICROMAPS: u32 = 0x1000;
/// A use: clustered geometry.
pub const RTCRT_USE_CLUSTERS: u32 = 0x2000;
/// A use: partitioned top-level structures.
pub const RTCRT_USE_PARTITIONS: u32 = 0x4000;

/// All of them.
const USES: u32 = RTCRT_USE_PIPELINE_LIBRARIES
    | RTCRT_USE_INDIRECT_SIZES
    | RTCRT_USE_INDIRECT_TABLES
    | RTCRT_USE_INDIRECT_COUNT
    | RTCRT_USE_DESCRIPTOR_BUFFERS
    | RTCRT_USE_WAVEFRONT
    | RTCRT_USE_INDIRECT_BUILDS
    | RTCRT_USE_HOST_BUILDS
    | RTCRT_USE_CURRENT_SIZES
    | RTCRT_USE_POSITIONS
    | RTCRT_USE_MICROMAPS
    | RTCRT_USE_CLUSTERS
    | RTCRT_USE_PARTITIONS;

/// What a device must have.
pub struct rtcrt_requirements {
    requirements: RwLock<Requirements>,
    api_version: u32,
}

impl rtcrt_requirements {
    fn read(&self) -> Result<RwLockReadGuard<'_, Requirements>, Failure> {
        read(&self.requirements, "requirements")
    }
}

/// Structures for `vkCreateDevice`.
pub struct rtcrt_feature_chain {
    chain: LinkedChain,
}

/// What libraries and uses, by their bits, need.
fn require(libraries: &[&Library], bits: u32) -> Result<Requirements, Failure> {
    if bits & !USES != 0 {
        return Err(invalid(format!("`uses` has unknown bits {:#x}", bits & !USES)));
    }
    let has = |bit: u32| bits & bit != 0;
    let uses = Uses {
        pipeline_libraries: has(RTCRT_USE_PIPELINE_LIBRARIES),
        indirect_sizes: has(RTCRT_USE_INDIRECT_SIZES),
        indirect_tables: has(RTCRT_USE_INDIRECT_TABLES),
        indirect_count: has(RTCRT_USE_INDIRECT_COUNT),
        wavefront: has(RTCRT_USE_WAVEFRONT),
    };
    let structures = StructureUses {
        indirect_builds: has(RTCRT_USE_INDIRECT_BUILDS),
        host_builds: has(RTCRT_USE_HOST_BUILDS),
        current_sizes: has(RTCRT_USE_CURRENT_SIZES),
        positions: has(RTCRT_USE_POSITIONS),
        micromaps: has(RTCRT_USE_MICROMAPS),
        clusters: has(RTCRT_USE_CLUSTERS),
        partitions: has(RTCRT_USE_PARTITIONS),
    };
    let out = Requirements::of(libraries, uses).and_structures(structures);
    Ok(if has(RTCRT_USE_DESCRIPTOR_BUFFERS) { out.with_descriptor_buffers() } else { out })
}

/// What libraries and uses (`RTCRT_USE_*`) need.
///
/// # Safety
/// `libraries` points to `count` libraries; `requirements` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_requirements_new(
    libraries: *const *const rtcrt_library,
    count: usize,
    uses: u32,
    requirements: *mut *mut rtcrt_requirements,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let libraries: Vec<_> = objects(libraries, count, "libraries")?.into_iter().map(|l| &*l.library).collect();
            let made = require(&libraries, uses)?;
            let api_version = made.api_version;
            give(requirements, rtcrt_requirements { requirements: RwLock::new(made), api_version }, "requirements")
        })
    }
}

/// Adds a feature that the caller requires for `reason`, such as `nullDescriptor` of `VK_EXT_robustness2`; `extension` is empty for a
/// feature of Vulkan itself. A feature that the library does not know is an error: the caller switches it on in structures of its own.
///
/// # Safety
/// `requirements` are requirements; `name`, `extension` and `reason` are texts; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_requirements_add_feature(
    requirements: *mut rtcrt_requirements,
    name: *const c_char,
    extension: *const c_char,
    reason: *const c_char,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (name, extension) = (text(name).of("name")?, text(extension).of("extension")?);
            let mut all = write(&object(requirements).of("requirements")?.requirements, "requirements")?;
            let more = all.clone().with_feature(name, extension, text(reason).of("reason")?)?;
            *all = more;
            Ok(())
        })
    }
}

/// The lowest version of Vulkan, as `VK_MAKE_API_VERSION` has it.
///
/// # Safety
/// `requirements` is null or requirements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_requirements_api_version(requirements: *const rtcrt_requirements) -> u32 {
    // SAFETY: this function's contract.
    unsafe { get(requirements, 0, |r| r.api_version) }
}

/// The device extensions to switch on, for `ppEnabledExtensionNames`.
///
/// # Safety
/// `requirements` are requirements; `extensions` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_requirements_extensions(
    requirements: *const rtcrt_requirements,
    extensions: *mut *mut rtcrt_texts,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let r = object(requirements).of("requirements")?;
            give(extensions, rtcrt_texts::new(r.read()?.extensions()), "extensions")
        })
    }
}

/// The features to switch on, by the names of their members in Vulkan's structures.
///
/// # Safety
/// As `rtcrt_requirements_extensions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_requirements_features(
    requirements: *const rtcrt_requirements,
    features: *mut *mut rtcrt_texts,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let r = object(requirements).of("requirements")?;
            give(features, rtcrt_texts::new(r.read()?.features().into_iter().map(|f| f.0)), "features")
        })
    }
}

/// Why a physical device cannot meet the requirements, a text for each reason; none if it can.
///
/// # Safety
/// `requirements` are requirements; `get_instance_proc_addr` is `vkGetInstanceProcAddr`, the handles are a `VkInstance` and a
/// `VkPhysicalDevice` of it; `refusals` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_requirements_refusals(
    requirements: *const rtcrt_requirements,
    get_instance_proc_addr: rtcrt_function,
    instance: *mut c_void,
    physical_device: *mut c_void,
    refusals: *mut *mut rtcrt_texts,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let r = object(requirements).of("requirements")?;
            let found = r.read()?.refusals(crate::device::address(get_instance_proc_addr), number(instance), number(physical_device))?;
            give(refusals, rtcrt_texts::new(found), "refusals")
        })
    }
}

/// The structures that switch the features on, linked to each other while the chain lives. Structures of the caller go before them: the
/// last of these points to `rtcrt_feature_chain_next`.
///
/// # Safety
/// `requirements` are requirements; `chain` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_requirements_chain(
    requirements: *const rtcrt_requirements,
    chain: *mut *mut rtcrt_feature_chain,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let r = object(requirements).of("requirements")?;
            give(chain, rtcrt_feature_chain { chain: r.read()?.chain().linked() }, "chain")
        })
    }
}

/// Frees requirements.
///
/// # Safety
/// `requirements` is null, or requirements that are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_requirements_free(requirements: *mut rtcrt_requirements) {
    // SAFETY: this function's contract.
    unsafe { free(requirements) };
}

/// The first structure, for `pNext` of `VkDeviceCreateInfo`; it belongs to the chain.
///
/// # Safety
/// `chain` is null or a chain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_feature_chain_next(chain: *const rtcrt_feature_chain) -> *const c_void {
    // SAFETY: this function's contract.
    unsafe { get(chain, std::ptr::null(), |c| c.chain.next()) }
}

/// A `VkPhysicalDeviceFeatures`, for `pEnabledFeatures`; it belongs to the chain.
///
/// # Safety
/// `chain` is null or a chain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_feature_chain_core(chain: *const rtcrt_feature_chain) -> *const c_void {
    // SAFETY: this function's contract.
    unsafe { get(chain, std::ptr::null(), |c| c.chain.core()) }
}

/// Frees a chain.
///
/// # Safety
/// `chain` is null, or a chain that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_feature_chain_free(chain: *mut rtcrt_feature_chain) {
    // SAFETY: this function's contract.
    unsafe { free(chain) };
}
