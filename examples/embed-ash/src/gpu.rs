//! The engine's own Vulkan: instance, device, queue, command buffers. Nothing of it knows `rtc-engine` but [`Gpu::open`].

use crate::Error;
use crate::counters::{Counters, EngineMemory};
use ash::vk::{self, Handle};
use rtc_engine::vulkan::memory::HostAccess;
use rtc_engine::vulkan::{Allocate, Buffer, Device, EnabledFeatures, Handles, OwnMemory, Requirements, is_false_report};
use std::ffi::{CStr, CString, c_void};
use std::sync::{Arc, Mutex};

const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// What the validation layer said.
type Messages = Mutex<Vec<String>>;

/// A device with one queue. Everything that was made from it must be dropped before.
pub struct Gpu {
    /// The functions of the device.
    pub raw: ash::Device,
    /// The device as `rtc-engine` knows it.
    pub rt: Device,
    /// Memory for what `rtc-engine` makes.
    pub memory: Arc<dyn Allocate>,
    /// The device's name.
    pub name: String,
    queue: vk::Queue,
    pool: vk::CommandPool,
    instance: ash::Instance,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    messages: Box<Messages>,
    callbacks: Option<vk::AllocationCallbacks<'static>>,
    _entry: ash::Entry,
    _loaded: ash::Entry,
}

impl Gpu {
    /// Opens the first device that meets the requirements; with `validation`, the validation layer watches, where it is installed. What is
    /// made and allocated is counted in `counters`, if any, which outlive the device.
    ///
    /// # Errors
    /// There is none; the message says why each was refused.
    pub fn open(requirements: &Requirements, validation: bool, counters: Option<&Counters>) -> Result<Gpu, Error> {
        // SAFETY: loads the system's Vulkan loader and calls it as Vulkan says.
        unsafe {
            let loaded = ash::Entry::load()?;
            let entry = match counters {
                // The functions of the loader, which stays open, with others between them and the engine.
                Some(_) => {
                    let get = rtc_oracles::vulkan_calls::wrap(loaded.static_fn().get_instance_proc_addr as *const c_void);
                    let get = std::mem::transmute::<*const c_void, vk::PFN_vkGetInstanceProcAddr>(get);
                    ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr: get })
                }
                None => loaded.clone(),
            };
            let callbacks = counters.map(Counters::callbacks);
            let layers = entry.enumerate_instance_layer_properties()?;
            let watched = validation && layers.iter().any(|l| l.layer_name_as_c_str() == Ok(LAYER));
            let (layers, extensions) = match watched {
                true => (vec![LAYER.as_ptr()], vec![ash::ext::debug_utils::NAME.as_ptr()]),
                false => (Vec::new(), Vec::new()),
            };
            let app = vk::ApplicationInfo::default().application_name(c"embed-ash").api_version(vk::API_VERSION_1_2);
            let synchronisation = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
            let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&synchronisation);
            let mut info =
                vk::InstanceCreateInfo::default().application_info(&app).enabled_layer_names(&layers).enabled_extension_names(&extensions);
            if watched {
                info = info.push_next(&mut features);
            }
            let instance = entry.create_instance(&info, None)?;
            let messages: Box<Messages> = Box::default();
            let messenger = match watched {
                true => {
                    let functions = ash::ext::debug_utils::Instance::new(&entry, &instance);
                    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
                        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
                        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
                        .pfn_user_callback(Some(heard))
                        .user_data(std::ptr::from_ref(&*messages).cast_mut().cast());
                    let made = functions.create_debug_utils_messenger(&info, None)?;
                    Some((functions, made))
                }
                false => None,
            };
            let mut gpu = None;
            let mut refusals = Vec::new();
            let get = entry.static_fn().get_instance_proc_addr as *const c_void;
            for physical in instance.enumerate_physical_devices()? {
                let why = requirements.refusals(get, instance.handle().as_raw(), physical.as_raw())?;
                let name = instance.get_physical_device_properties(physical).device_name_as_c_str()?.to_string_lossy().into_owned();
                match why.is_empty() {
                    true => {
                        gpu = Some((physical, name));
                        break;
                    }
                    false => refusals.push(format!("{name}: {}", why.join("; "))),
                }
            }
            let Some((physical, name)) = gpu else {
                if let Some((functions, messenger)) = &messenger {
                    functions.destroy_debug_utils_messenger(*messenger, None);
                }
                instance.destroy_instance(None);
                return Err(format!("no device can do this: {}", refusals.join("\n")).into());
            };
            let families = instance.get_physical_device_queue_family_properties(physical);
            let family = families.iter().position(|f| f.queue_flags.contains(vk::QueueFlags::COMPUTE)).ok_or("no queue")? as u32;
            let extensions = requirements.extensions();
            let names: Vec<CString> = extensions.iter().map(|e| CString::new(e.as_str())).collect::<Result<_, _>>()?;
            let names: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
            let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
            let texts: Vec<&str> = extensions.iter().map(String::as_str).collect();
            // The engine would link structures of its own to these.
            let (raw, rt) = requirements.chain().with(|next, core| -> Result<_, Error> {
                let mut info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_extension_names(&names);
                info.p_next = next;
                info.p_enabled_features = core.cast();
                let raw = instance.create_device(physical, &info, callbacks.as_ref())?;
                let rt = Device::new(&Handles {
                    get_instance_proc_addr: get,
                    instance: instance.handle().as_raw(),
                    physical_device: physical.as_raw(),
                    device: raw.handle().as_raw(),
                    api_version: vk::API_VERSION_1_2,
                    queue_families: &[family],
                    extensions: &texts,
                    features: EnabledFeatures::Chain { next, core },
                    allocation_callbacks: callbacks.as_ref().map_or(std::ptr::null(), |c| std::ptr::from_ref(c).cast()),
                })?;
                Ok((raw, rt))
            })?;
            let queue = raw.get_device_queue(family, 0);
            let pool =
                vk::CommandPoolCreateInfo::default().queue_family_index(family).flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
            let pool = raw.create_command_pool(&pool, None)?;
            let memory = match counters {
                Some(counters) => EngineMemory::shared(OwnMemory::shared(&rt), counters),
                None => OwnMemory::shared(&rt),
            };
            Ok(Gpu { raw, rt, memory, name, queue, pool, instance, messenger, messages, callbacks, _entry: entry, _loaded: loaded })
        }
    }

    /// A buffer that the host sees, for whatever the device does with it here.
    ///
    /// # Errors
    /// No memory.
    pub fn buffer(&self, size: u64) -> Result<Buffer, Error> {
        use vk::BufferUsageFlags as U;
        let usage = U::STORAGE_BUFFER
            | U::UNIFORM_BUFFER
            | U::TRANSFER_SRC
            | U::TRANSFER_DST
            | U::INDIRECT_BUFFER
            | U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR;
        Ok(Buffer::new(&self.rt, &self.memory, size, usage.as_raw(), HostAccess::Read)?)
    }

    /// A command buffer and the fence of its submissions, which is signalled.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn commands(&self) -> Result<(vk::CommandBuffer, vk::Fence), Error> {
        let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
        let signalled = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::SIGNALED);
        // SAFETY: the pool is this thread's.
        unsafe { Ok((self.raw.allocate_command_buffers(&info)?[0], self.raw.create_fence(&signalled, None)?)) }
    }

    /// Waits until the device is done with a frame.
    ///
    /// # Errors
    /// The device is lost.
    pub fn wait(&self, fence: vk::Fence) -> Result<(), Error> {
        // SAFETY: the fence is of this device.
        unsafe { Ok(self.raw.wait_for_fences(&[fence], true, u64::MAX)?) }
    }

    /// Submits a frame.
    ///
    /// # Errors
    /// The device is lost.
    pub fn submit(&self, commands: vk::CommandBuffer, fence: vk::Fence) -> Result<(), Error> {
        let commands = [commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
        // SAFETY: the commands are recorded, and the fence was waited for.
        unsafe {
            self.raw.reset_fences(&[fence])?;
            Ok(self.raw.queue_submit(self.queue, &submit, fence)?)
        }
    }

    /// What the validation layer said since the last question.
    pub fn said(&self) -> Vec<String> {
        self.messages.lock().map(|mut m| std::mem::take(&mut *m)).unwrap_or_default()
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: everything else that was made from the device is gone. A device that cannot become idle is lost, and may be destroyed.
        unsafe {
            let _ = self.raw.device_wait_idle();
            self.raw.destroy_command_pool(self.pool, None);
            self.raw.destroy_device(self.callbacks.as_ref());
            if let Some((functions, messenger)) = &self.messenger {
                functions.destroy_debug_utils_messenger(*messenger, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}

unsafe extern "system" fn heard(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a valid message, and `user` is the list of the device, which outlives its messenger.
    unsafe {
        let text = CStr::from_ptr((*data).p_message).to_string_lossy().into_owned();
        if let Ok(mut messages) = (*user.cast::<Messages>()).lock()
            && !is_false_report(&text)
        {
            messages.push(text);
        }
    }
    vk::FALSE
}
