//! An engine in miniature: its own Vulkan device, queue and buffers, and the validation layer where it is installed.
//!
//! The layer for engines gets functions that count what it makes ([`vulkan_calls`]), so that every test finds what is left.

use rtc_engine::library::Library;
use rtc_engine::state_object::Overrides;
use rtc_engine::vulkan::memory::HostAccess;
use rtc_engine::vulkan::{Allocate, Buffer, Device, EnabledFeatures, Handles, OwnMemory, Requirements, Uses, is_false_report};
use rtc_oracles::vulkan_calls;
use std::ffi::{CStr, CString, c_void};
use std::sync::{Arc, Mutex};
use vulkanalia::loader::{LIBRARY, LibloadingLoader, Loader};
use vulkanalia::vk::{self, DeviceV1_0, EntryV1_0, ExtDebugUtilsExtensionInstanceCommands, Handle, HasBuilder, InstanceV1_0};

/// Every use that this crate knows.
pub const ALL_USES: Uses =
    Uses { pipeline_libraries: true, indirect_sizes: true, indirect_tables: true, indirect_count: true, wavefront: true };

const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// A package of a source.
pub fn package(name: &str, source: &str) -> Vec<u8> {
    package_with(name, source, "lib_6_3", |_| {})
}

/// A package for a profile, with further options.
pub fn package_with(name: &str, source: &str, profile: &str, change: impl FnOnce(&mut rtc::Options)) -> Vec<u8> {
    let mut options = rtc::Options::new(rtc::Profile::parse(profile).expect("a profile"));
    options.target = rtc::Target::Package;
    change(&mut options);
    let compiled = rtc::compile(name, source.as_bytes(), &mut rtc::Disk, &options);
    let messages: String = compiled.diagnostics.iter().map(|d| rtc::render(&compiled.sources, d, rtc::Style::Short)).collect();
    compiled.product.unwrap_or_else(|| panic!("{name}: {messages}")).into_bytes()
}

/// The SPIR-V of a source with these arguments of dxc.
pub fn spirv(name: &str, source: &str, args: &[&str]) -> Vec<u8> {
    let args = args.iter().copied().chain([name]);
    let Ok(rtc::arguments::Invocation::Compile(request)) = rtc::Options::parse_args(args, &mut rtc::NoIncludes) else {
        panic!("{name}: the arguments compile nothing")
    };
    let compiled = rtc::compile(name, source.as_bytes(), &mut rtc::NoIncludes, &request.options);
    let messages: String = compiled.diagnostics.iter().map(|d| rtc::render(&compiled.sources, d, rtc::Style::Short)).collect();
    compiled.product.unwrap_or_else(|| panic!("{name}: {messages}")).into_bytes()
}

/// A library of a source.
pub fn library(name: &str, source: &str) -> Arc<Library> {
    Arc::new(Library::read(&package(name, source), &Overrides::default()).expect("a library"))
}

/// A library for a profile.
pub fn library_for(profile: &str, source: &str) -> Arc<Library> {
    Arc::new(
        Library::read(&package_with("a.hlsl", source, profile, |o| o.payload_qualifiers = Some(false)), &Overrides::default())
            .expect("a library"),
    )
}

pub fn base() -> Arc<Library> {
    library("base.hlsl", include_str!("base.hlsl"))
}

pub fn addition() -> Arc<Library> {
    library("addition.hlsl", include_str!("addition.hlsl"))
}

/// What the validation layer said.
type Messages = Mutex<Vec<String>>;

/// The engine. Objects that are made from its device must be dropped before it.
pub struct Engine {
    pub device: Device,
    pub memory: Arc<dyn Allocate>,
    pub raw: vulkanalia::Device,
    pub instance: vulkanalia::Instance,
    pub physical: vk::PhysicalDevice,
    pub get: *const c_void,
    queue: vk::Queue,
    pool: vk::CommandPool,
    messenger: vk::DebugUtilsMessengerEXT,
    messages: Box<Messages>,
    callbacks: Option<vk::AllocationCallbacks>,
    /// Whether the validation layer is on.
    pub validated: bool,
    _entry: vulkanalia::Entry,
}

impl Engine {
    /// Opens a device for all uses, or says why there is none.
    pub fn open() -> Result<Engine, String> {
        Engine::with(&Requirements::of(&[&base(), &addition()], ALL_USES), true, None)
    }

    /// The same without the validation layer.
    pub fn open_unwatched() -> Result<Engine, String> {
        Engine::with(&Requirements::of(&[&base(), &addition()], ALL_USES), false, None)
    }

    /// Opens a device with what `requirements` say and nothing else; `callbacks` allocate on the host what is made from it.
    pub fn with(requirements: &Requirements, validation: bool, callbacks: Option<vk::AllocationCallbacks>) -> Result<Engine, String> {
        // SAFETY: loads the system's loader, and calls it as Vulkan says.
        unsafe {
            let library = LibloadingLoader::new(LIBRARY).map_err(|e| format!("no Vulkan: {e}"))?;
            let get = library.load(b"vkGetInstanceProcAddr").map_err(|e| e.to_string())? as *const c_void;
            let entry = vulkanalia::Entry::new(library).map_err(|e| e.to_string())?;
            let layers = entry.enumerate_instance_layer_properties().map_err(|e| e.to_string())?;
            let validated = validation && layers.iter().any(|l| l.layer_name.as_cstr() == LAYER);
            let (layers, extensions) = match validated {
                true => (vec![LAYER.as_ptr()], vec![vk::EXT_DEBUG_UTILS_EXTENSION.name.as_ptr()]),
                false => (Vec::new(), Vec::new()),
            };
            let app = vk::ApplicationInfo::builder().api_version(vk::make_version(1, 2, 0));
            let synchronisation = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
            let mut features = vk::ValidationFeaturesEXT::builder().enabled_validation_features(&synchronisation);
            let mut info =
                vk::InstanceCreateInfo::builder().application_info(&app).enabled_layer_names(&layers).enabled_extension_names(&extensions);
            if validated {
                info = info.push_next(&mut features);
            }
            let instance = entry.create_instance(&info, None).map_err(|e| format!("no Vulkan driver: {e}"))?;
            let messages: Box<Messages> = Box::default();
            let mut messenger = vk::DebugUtilsMessengerEXT::null();
            if validated {
                let info = vk::DebugUtilsMessengerCreateInfoEXT {
                    message_severity: vk::DebugUtilsMessageSeverityFlagsEXT::ERROR,
                    message_type: vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION,
                    user_callback: Some(heard),
                    user_data: std::ptr::from_ref(&*messages).cast_mut().cast(),
                    ..Default::default()
                };
                messenger = instance.create_debug_utils_messenger_ext(&info, None).map_err(|e| e.to_string())?;
            }
            let raw_instance = InstanceV1_0::handle(&instance).as_raw() as u64;
            let mut refusals = Vec::new();
            for physical in instance.enumerate_physical_devices().map_err(|e| e.to_string())? {
                let why = requirements.refusals(get, raw_instance, physical.as_raw() as u64).map_err(|e| e.to_string())?;
                if !why.is_empty() {
                    refusals.extend(why);
                    continue;
                }
                let families = instance.get_physical_device_queue_family_properties(physical);
                let wanted = vk::QueueFlags::COMPUTE;
                let Some(family) = families.iter().position(|f| f.queue_flags.contains(wanted)) else { continue };
                let extensions = requirements.extensions();
                let names: Vec<CString> = extensions.iter().map(|e| CString::new(e.as_str()).expect("a name")).collect();
                let names: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
                let queues = [vk::DeviceQueueCreateInfo::builder().queue_family_index(family as u32).queue_priorities(&[1.0])];
                let texts: Vec<&str> = extensions.iter().map(String::as_str).collect();
                let (raw, device) = requirements.chain().with(|next, core| {
                    let mut info = vk::DeviceCreateInfo::builder().queue_create_infos(&queues).enabled_extension_names(&names).build();
                    info.next = next;
                    info.enabled_features = core.cast();
                    let raw = instance.create_device(physical, &info, callbacks.as_ref()).map_err(|e| e.to_string())?;
                    let device = Device::new(&Handles {
                        get_instance_proc_addr: vulkan_calls::wrap(get),
                        instance: raw_instance,
                        physical_device: physical.as_raw() as u64,
                        device: DeviceV1_0::handle(&raw).as_raw() as u64,
                        api_version: vk::make_version(1, 2, 0),
                        queue_families: &[family as u32],
                        extensions: &texts,
                        features: EnabledFeatures::Chain { next, core },
                        allocation_callbacks: callbacks.as_ref().map_or(std::ptr::null(), |c| std::ptr::from_ref(c).cast()),
                    })
                    .map_err(|e| e.to_string())?;
                    Ok::<_, String>((raw, device))
                })?;
                let queue = raw.get_device_queue(family as u32, 0);
                let pool = vk::CommandPoolCreateInfo::builder().queue_family_index(family as u32);
                let pool = raw.create_command_pool(&pool, None).map_err(|e| e.to_string())?;
                let memory = OwnMemory::shared(&device);
                return Ok(Engine {
                    device,
                    memory,
                    raw,
                    instance,
                    physical,
                    get,
                    queue,
                    pool,
                    messenger,
                    messages,
                    callbacks,
                    validated,
                    _entry: entry,
                });
            }
            Err(format!("no device: {}", refusals.join("; ")))
        }
    }

    /// Records commands.
    pub fn record(&self, record: impl FnOnce(u64)) -> vk::CommandBuffer {
        let info =
            vk::CommandBufferAllocateInfo::builder().command_pool(self.pool).level(vk::CommandBufferLevel::PRIMARY).command_buffer_count(1);
        // SAFETY: the pool is this thread's.
        unsafe {
            let cmd = self.raw.allocate_command_buffers(&info).expect("a command buffer")[0];
            self.raw.begin_command_buffer(cmd, &vk::CommandBufferBeginInfo::builder()).expect("recording");
            record(cmd.as_raw() as u64);
            self.raw.end_command_buffer(cmd).expect("recorded commands");
            cmd
        }
    }

    /// Submits commands, with a fence to wait for.
    pub fn submit(&self, cmd: vk::CommandBuffer) -> vk::Fence {
        let cmds = [cmd];
        let submit = vk::SubmitInfo::builder().command_buffers(&cmds);
        // SAFETY: recorded above.
        unsafe {
            let fence = self.raw.create_fence(&vk::FenceCreateInfo::default(), None).expect("a fence");
            self.raw.queue_submit(self.queue, &[submit], fence).expect("a submission");
            fence
        }
    }

    pub fn wait(&self, fence: vk::Fence) {
        // SAFETY: submitted above.
        unsafe {
            self.raw.wait_for_fences(&[fence], true, u64::MAX).expect("an end");
            self.raw.destroy_fence(fence, None);
        }
    }

    /// Records, submits and waits.
    pub fn run(&self, record: impl FnOnce(u64)) {
        self.wait(self.submit(self.record(record)));
    }

    /// A buffer that the host writes and the device does anything with.
    pub fn buffer(&self, size: u64, data: &[u8]) -> Buffer {
        use vk::BufferUsageFlags as U;
        let usage = U::STORAGE_BUFFER
            | U::UNIFORM_BUFFER
            | U::STORAGE_TEXEL_BUFFER
            | U::UNIFORM_TEXEL_BUFFER
            | U::TRANSFER_SRC
            | U::TRANSFER_DST
            | U::INDIRECT_BUFFER
            | U::SHADER_BINDING_TABLE_KHR
            | U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR;
        let buffer = Buffer::new(&self.device, &self.memory, size, usage.bits(), HostAccess::Read).expect("a buffer");
        // SAFETY: it has no user yet.
        unsafe { buffer.write(0, data).expect("room") };
        buffer
    }

    /// A barrier from everything to everything.
    pub fn barrier(&self, cmd: u64) {
        use vk::AccessFlags as A;
        let memory = vk::MemoryBarrier {
            src_access_mask: A::MEMORY_WRITE | A::MEMORY_READ,
            dst_access_mask: A::MEMORY_READ | A::MEMORY_WRITE,
            ..Default::default()
        };
        let all = vk::PipelineStageFlags::ALL_COMMANDS | vk::PipelineStageFlags::HOST;
        let (a, b): ([vk::BufferMemoryBarrier; 0], [vk::ImageMemoryBarrier; 0]) = ([], []);
        let cmd = vk::CommandBuffer::from_raw(cmd as usize);
        // SAFETY: plain command.
        unsafe { self.raw.cmd_pipeline_barrier(cmd, all, all, vk::DependencyFlags::empty(), &[memory], &a, &b) };
    }

    /// What the validation layer said since the last question.
    pub fn said(&self) -> Vec<String> {
        std::mem::take(&mut *self.messages.lock().expect("messages"))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: objects of the device are gone by the promise of its users.
        unsafe {
            self.raw.device_wait_idle().expect("an idle device");
            self.raw.destroy_command_pool(self.pool, None);
            self.raw.destroy_device(self.callbacks.as_ref());
            if self.validated {
                self.instance.destroy_debug_utils_messenger_ext(self.messenger, None);
            }
            self.instance.destroy_instance(None);
        }
        let said = self.said();
        if std::thread::panicking() {
            return vulkan_calls::forget();
        }
        assert!(said.is_empty(), "the validation layer reports: {said:#?}");
        assert!(vulkan_calls::live().is_empty(), "objects that were not destroyed: {:?}", vulkan_calls::live());
        assert_eq!(vulkan_calls::mistakes(), [""; 0]);
    }
}

unsafe extern "system" fn heard(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a valid message, and `user` is the list of the engine, which outlives its messenger.
    unsafe {
        let text = CStr::from_ptr((*data).message).to_string_lossy().into_owned();
        if !is_false_report(&text) {
            (*user.cast::<Messages>()).lock().expect("messages").push(text);
        }
    }
    vk::FALSE
}
