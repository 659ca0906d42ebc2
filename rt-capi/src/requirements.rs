//! What packages need of a device: extensions and features to switch on, and why a physical device cannot.

use crate::boundary::{Failure, Of, free, get, give, guarded, invalid, number, object, objects};
use crate::device::rtcrt_function;
use crate::library::rtcrt_library;
use crate::types::{rtcrt_error, rtcrt_status, rtcrt_texts};
use rtc_rt::vulkan::requirements::LinkedChain;
use rtc_rt::vulkan::{Requirements, Uses};
use std::ffi::c_void;

/// A use: collections and additions, which are pipeline libraries.
pub const RTCRT_USE_PIPELINE_LIBRARIES: u32 = 1;
/// A use: indirect dispatches whose arguments are sizes.
pub const RTCRT_USE_INDIRECT_SIZES: u32 = 2;
/// A use: indirect dispatches whose arguments are sizes and shader tables, as D3D12 has them.
pub const RTCRT_USE_INDIRECT_TABLES: u32 = 4;
/// A use: indirect dispatches that the device counts, as `ExecuteIndirect` does.
pub const RTCRT_USE_INDIRECT_COUNT: u32 = 8;

/// What a device must have.
pub struct rtcrt_requirements {
    requirements: Requirements,
}

/// Structures for `vkCreateDevice`.
pub struct rtcrt_feature_chain {
    chain: LinkedChain,
}

/// Uses by their bits.
fn read_uses(bits: u32) -> Result<Uses, Failure> {
    let known = RTCRT_USE_PIPELINE_LIBRARIES | RTCRT_USE_INDIRECT_SIZES | RTCRT_USE_INDIRECT_TABLES | RTCRT_USE_INDIRECT_COUNT;
    if bits & !known != 0 {
        return Err(invalid(format!("`uses` has unknown bits {:#x}", bits & !known)));
    }
    let has = |bit: u32| bits & bit != 0;
    Ok(Uses {
        pipeline_libraries: has(RTCRT_USE_PIPELINE_LIBRARIES),
        indirect_sizes: has(RTCRT_USE_INDIRECT_SIZES),
        indirect_tables: has(RTCRT_USE_INDIRECT_TABLES),
        indirect_count: has(RTCRT_USE_INDIRECT_COUNT),
    })
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
            give(requirements, rtcrt_requirements { requirements: Requirements::of(&libraries, read_uses(uses)?) }, "requirements")
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
    unsafe { get(requirements, 0, |r| r.requirements.api_version) }
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
            give(extensions, rtcrt_texts::new(r.requirements.extensions()), "extensions")
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
            give(features, rtcrt_texts::new(r.requirements.features().into_iter().map(|f| f.0)), "features")
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
            let found =
                r.requirements.refusals(crate::device::address(get_instance_proc_addr), number(instance), number(physical_device))?;
            give(refusals, rtcrt_texts::new(found), "refusals")
        })
    }
}

/// The structures that switch the features on, linked to each other while the chain lives. Structures of the caller go before them: the last of
/// these points to `rtcrt_feature_chain_next`.
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
            give(chain, rtcrt_feature_chain { chain: r.requirements.chain().linked() }, "chain")
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
