//! The functions that are replaced: one row each, with what it makes or destroys.
//!
//! Handles of objects are 64 bits, handles with a dispatch table and everything else that is passed on are pointers.

#![allow(clippy::missing_safety_doc)]

use super::{INSIDE, born, deferred, died, refused, state};
use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

type Ptr = *mut c_void;

/// A module for each function, with the driver's own and the replacement, and [`find`].
macro_rules! functions {
    ($($kind:ident $object:ident $module:ident = $name:literal ($($arg:ident: $ty:ty),*);)*) => {
        $( functions!(@$kind $object $module $name ($($arg: $ty),*)); )*

        /// The replacement of a function, and where the driver's own goes.
        pub(super) fn find(name: &[u8]) -> Option<(*const c_void, &'static AtomicPtr<c_void>)> {
            $( if name == $name.as_bytes() {
                return Some(($module::call as *const c_void, &$module::REAL));
            } )*
            None
        }
    };
    // A call that may fail and makes nothing.
    (@calls $object:ident $module:ident $name:literal ($($arg:ident: $ty:ty),*)) => {
        functions!(@module $module $name ($($arg: $ty),*) -> i32, |real| refused($name).unwrap_or_else(|| real($($arg),*)));
    };
    // A call that makes an object, whose handle goes to the last argument.
    (@makes $object:ident $module:ident $name:literal ()) => {
        functions!(@module $module $name (device: Ptr, info: Ptr, callbacks: Ptr, out: *mut u64) -> i32, |real| {
            refused($name).unwrap_or_else(|| made(stringify!($object), real(device, info, callbacks, out), out))
        });
    };
    // The same without information.
    (@makes_plain $object:ident $module:ident $name:literal ()) => {
        functions!(@module $module $name (device: Ptr, callbacks: Ptr, out: *mut u64) -> i32, |real| {
            refused($name).unwrap_or_else(|| made(stringify!($object), real(device, callbacks, out), out))
        });
    };
    (@destroys $object:ident $module:ident $name:literal ()) => {
        functions!(@module $module $name (device: Ptr, handle: u64, callbacks: Ptr) -> (), |real| {
            died(stringify!($object), handle);
            real(device, handle, callbacks)
        });
    };
    // A call that makes pipelines, at once or deferred.
    (@pipelines $object:ident $module:ident $name:literal ()) => {
        functions!(@module $module $name
            (device: Ptr, operation: u64, cache: u64, count: u32, infos: Ptr, callbacks: Ptr, out: *mut u64) -> i32,
            |real| refused($name).unwrap_or_else(|| {
                let code = real(device, operation, cache, count, infos, callbacks, out);
                match code {
                    OPERATION_DEFERRED => state().deferred.push((operation, out as usize, count)),
                    // SAFETY: the driver has written the handles.
                    _ if code >= 0 => (0..count as usize).for_each(|i| born(stringify!($object), unsafe { out.add(i).read() })),
                    _ => {}
                }
                code
            })
        );
    };
    // A call that makes pipelines without rays.
    (@compute $object:ident $module:ident $name:literal ()) => {
        functions!(@module $module $name (device: Ptr, cache: u64, count: u32, infos: Ptr, callbacks: Ptr, out: *mut u64) -> i32, |real| {
            refused($name).unwrap_or_else(|| {
                let code = real(device, cache, count, infos, callbacks, out);
                if code >= 0 {
                    // SAFETY: the driver has written the handles.
                    (0..count as usize).for_each(|i| born(stringify!($object), unsafe { out.add(i).read() }));
                }
                code
            })
        });
    };
    // A call about a deferred operation, after which it may be done. It is not made to fail: the operation would go on.
    (@operation $object:ident $module:ident $name:literal ()) => {
        functions!(@module $module $name (device: Ptr, handle: u64) -> i32, |real| {
            let code = real(device, handle);
            if code == 0 {
                deferred(handle);
            }
            code
        });
    };
    (@module $module:ident $name:literal ($($arg:ident: $ty:ty),*) -> $ret:ty, |$real:ident| $body:expr) => {
        mod $module {
            use super::*;

            pub(super) static REAL: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

            pub(super) unsafe extern "system" fn call($($arg: $ty),*) -> $ret {
                type Real = unsafe extern "system" fn($($ty),*) -> $ret;
                // SAFETY: `find` was called before this function was handed out, and the driver's function was put there.
                let raw = unsafe { std::mem::transmute::<*mut c_void, Real>(REAL.load(Ordering::SeqCst)) };
                let $real = |$($arg: $ty),*| {
                    let before = INSIDE.replace($name);
                    // SAFETY: the arguments are those of the caller.
                    let out = unsafe { raw($($arg),*) };
                    INSIDE.set(before);
                    out
                };
                $body
            }
        }
    };
}

/// `VK_OPERATION_DEFERRED_KHR`
const OPERATION_DEFERRED: i32 = 1_000_268_002;

fn made(kind: &'static str, code: i32, out: *mut u64) -> i32 {
    if code == 0 {
        // SAFETY: the driver has written the handle.
        born(kind, unsafe { out.read() });
    }
    code
}

functions! {
    makes Memory allocate_memory = "vkAllocateMemory" ();
    destroys Memory free_memory = "vkFreeMemory" ();
    makes Buffer create_buffer = "vkCreateBuffer" ();
    destroys Buffer destroy_buffer = "vkDestroyBuffer" ();
    makes BufferView create_buffer_view = "vkCreateBufferView" ();
    destroys BufferView destroy_buffer_view = "vkDestroyBufferView" ();
    makes Image create_image = "vkCreateImage" ();
    destroys Image destroy_image = "vkDestroyImage" ();
    makes ImageView create_image_view = "vkCreateImageView" ();
    destroys ImageView destroy_image_view = "vkDestroyImageView" ();
    makes Sampler create_sampler = "vkCreateSampler" ();
    destroys Sampler destroy_sampler = "vkDestroySampler" ();
    makes Fence create_fence = "vkCreateFence" ();
    destroys Fence destroy_fence = "vkDestroyFence" ();
    makes Semaphore create_semaphore = "vkCreateSemaphore" ();
    destroys Semaphore destroy_semaphore = "vkDestroySemaphore" ();
    makes CommandPool create_command_pool = "vkCreateCommandPool" ();
    destroys CommandPool destroy_command_pool = "vkDestroyCommandPool" ();
    makes DescriptorPool create_descriptor_pool = "vkCreateDescriptorPool" ();
    destroys DescriptorPool destroy_descriptor_pool = "vkDestroyDescriptorPool" ();
    makes DescriptorSetLayout create_set_layout = "vkCreateDescriptorSetLayout" ();
    destroys DescriptorSetLayout destroy_set_layout = "vkDestroyDescriptorSetLayout" ();
    makes PipelineLayout create_pipeline_layout = "vkCreatePipelineLayout" ();
    destroys PipelineLayout destroy_pipeline_layout = "vkDestroyPipelineLayout" ();
    makes PipelineCache create_pipeline_cache = "vkCreatePipelineCache" ();
    destroys PipelineCache destroy_pipeline_cache = "vkDestroyPipelineCache" ();
    makes ShaderModule create_shader_module = "vkCreateShaderModule" ();
    destroys ShaderModule destroy_shader_module = "vkDestroyShaderModule" ();
    makes QueryPool create_query_pool = "vkCreateQueryPool" ();
    destroys QueryPool destroy_query_pool = "vkDestroyQueryPool" ();
    makes AccelerationStructure create_structure = "vkCreateAccelerationStructureKHR" ();
    destroys AccelerationStructure destroy_structure = "vkDestroyAccelerationStructureKHR" ();
    makes Micromap create_micromap = "vkCreateMicromapEXT" ();
    destroys Micromap destroy_micromap = "vkDestroyMicromapEXT" ();
    makes_plain DeferredOperation create_deferred = "vkCreateDeferredOperationKHR" ();
    destroys DeferredOperation destroy_deferred = "vkDestroyDeferredOperationKHR" ();
    operation Pipeline join_deferred = "vkDeferredOperationJoinKHR" ();
    operation Pipeline deferred_result = "vkGetDeferredOperationResultKHR" ();
    pipelines Pipeline create_pipelines = "vkCreateRayTracingPipelinesKHR" ();
    compute Pipeline create_compute_pipelines = "vkCreateComputePipelines" ();
    destroys Pipeline destroy_pipeline = "vkDestroyPipeline" ();
    calls Buffer bind_buffer = "vkBindBufferMemory" (device: Ptr, buffer: u64, memory: u64, offset: u64);
    calls Memory map_memory = "vkMapMemory" (device: Ptr, memory: u64, offset: u64, size: u64, flags: u32, data: Ptr);
    calls Pipeline group_handles = "vkGetRayTracingShaderGroupHandlesKHR"
        (device: Ptr, pipeline: u64, first: u32, count: u32, size: usize, data: Ptr);
    calls PipelineCache cache_data = "vkGetPipelineCacheData" (device: Ptr, cache: u64, size: Ptr, data: Ptr);
    calls QueryPool query_results = "vkGetQueryPoolResults"
        (device: Ptr, pool: u64, first: u32, count: u32, size: usize, data: Ptr, stride: u64, flags: u32);
    calls Queue submit = "vkQueueSubmit" (queue: Ptr, count: u32, submits: Ptr, fence: u64);
    calls Fence wait_for_fences = "vkWaitForFences" (device: Ptr, count: u32, fences: Ptr, all: u32, timeout: u64);
}
