//! Arguments of operations on clusters and partitioned structures in memory: from D3D12's layouts to Vulkan's.

use crate::boundary::{Of, bytes, bytes_mut, give, guarded, invalid};
use crate::d3d12::{Translated, rtcrt_addresses};
use crate::library::rtcrt_blob;
use crate::operations::{read_clusters, rtcrt_cluster_inputs};
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::operations::Inputs;
use rtc_engine::vulkan::accel::operations::{
    cluster_arguments, geometry_words, instantiate_arguments, template_arguments, write_instance_arguments,
};
use std::ffi::c_void;

/// Arguments in Vulkan's layout from D3D12's, of builds of clusters and templates and of instantiations. Those of moves and of structures
/// of clusters have the same bytes in both. The address of an array of micromaps is `rtcrt_micromaps_address`.
///
/// # Safety
/// `inputs` points to inputs; `data` points to `size` bytes; `addresses` is null, for addresses that are the same in both, or points to
/// addresses, whose functions may be called during the call; `arguments` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_cluster_arguments(
    inputs: *const rtcrt_cluster_inputs,
    data: *const c_void,
    size: usize,
    addresses: *const rtcrt_addresses,
    arguments: *mut *mut rtcrt_blob,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let inputs = read_clusters(inputs)?;
            let data = bytes(data.cast(), size).of("data")?;
            let mut known = Translated::new(addresses)?;
            let made = match &inputs {
                Inputs::Clusters(c) => cluster_arguments(data, c, &mut known),
                Inputs::Templates(t) => template_arguments(data, t, &mut known),
                Inputs::Instantiate(i) => instantiate_arguments(data, i, &mut known),
                Inputs::Move(_) | Inputs::Bottoms(_) | Inputs::Partitioned(_) => {
                    return Err(invalid("`inputs` are of an operation whose arguments have the same bytes in D3D12 and Vulkan"));
                }
            };
            give(arguments, rtcrt_blob::new(known.finish(made)?), "arguments")
        })
    }
}

/// Writes of instances into partitioned structures in Vulkan's layout from `D3D12_RTAS_PARTITIONED_TLAS_OPERATION_WRITE_INSTANCE_ARGS`.
///
/// # Safety
/// As `rtcrt_cluster_arguments`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_write_instance_arguments(
    data: *const c_void,
    size: usize,
    addresses: *const rtcrt_addresses,
    arguments: *mut *mut rtcrt_blob,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let data = bytes(data.cast(), size).of("data")?;
            let mut known = Translated::new(addresses)?;
            let made = write_instance_arguments(data, &mut known);
            give(arguments, rtcrt_blob::new(known.finish(made)?), "arguments")
        })
    }
}

/// Rewrites an array of D3D12's geometry indices with flags, 4 bytes each, for Vulkan.
///
/// # Safety
/// `words` points to `size` bytes that nothing else uses; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_geometry_words(words: *mut c_void, size: usize, error: *mut *mut rtcrt_error) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || Ok(geometry_words(bytes_mut(words.cast(), size).of("words")?)?)) }
}
