//! The Vulkan loader, the instance, and messages of the validation layer.

use super::vk;
use crate::error::{ErrorKind, Result, RunError};
use std::ffi::{CStr, c_void};
use std::sync::{Arc, Mutex, OnceLock};
use vulkanalia::loader::{LIBRARY, LibloadingLoader, Loader};
use vulkanalia::vk::{EntryV1_0, ExtDebugUtilsExtensionInstanceCommands, Handle, HasBuilder, InstanceV1_0};

/// The layer that checks every call.
const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";
/// Environment variable that turns it on, synchronisation validation included: `1`, `true` or `yes`; `auto`: where it is installed.
pub const VALIDATION_VARIABLE: &str = "RTC_VK_VALIDATION";

// SAFETY: the pointer is that of a function, which any thread may call while the library is open.
unsafe impl Send for Instance {}
// SAFETY: as above.
unsafe impl Sync for Instance {}

/// What the validation layer reported since the last query.
pub(super) type Messages = Arc<Mutex<Vec<String>>>;

/// A Vulkan instance; destroyed with it.
pub(super) struct Instance {
    /// The function table.
    pub raw: vulkanalia::Instance,
    messenger: vk::DebugUtilsMessengerEXT,
    /// Complaints so far; none without validation.
    pub messages: Option<Messages>,
    /// `vkGetInstanceProcAddr` of the loader.
    pub get_proc_addr: *const c_void,
    /// Keeps the loader's library open.
    _entry: vulkanalia::Entry,
}

/// The instance of this process without validation. It is kept until the process ends: a driver that is loaded and
/// unloaded over and over may run out of thread-local storage (NVIDIA's does after a dozen times).
static SHARED: Mutex<Option<Arc<Instance>>> = Mutex::new(None);

/// The instance to use: the shared one, or with validation one of its own, whose complaints are then about
/// one device alone.
///
/// # Errors
/// As [`Instance::open`].
pub(super) fn instance(validation: bool) -> Result<Arc<Instance>> {
    if validation {
        // The shared one keeps the driver loaded.
        _ = instance(false);
        return Ok(Arc::new(Instance::open(true)?));
    }
    let mut shared = SHARED.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(instance) = &*shared {
        return Ok(instance.clone());
    }
    let made = Arc::new(Instance::open(false)?);
    *shared = Some(made.clone());
    Ok(made)
}

/// Whether the environment asks for validation.
pub(super) fn validation_wanted() -> bool {
    let value = std::env::var(VALIDATION_VARIABLE).unwrap_or_default().to_ascii_lowercase();
    match value.as_str() {
        "1" | "true" | "yes" | "on" => true,
        "auto" => {
            static INSTALLED: OnceLock<bool> = OnceLock::new();
            *INSTALLED.get_or_init(|| open_loader().and_then(|(entry, _)| has_layer(&entry)).unwrap_or(false))
        }
        _ => false,
    }
}

/// Opens the loader; it comes with its `vkGetInstanceProcAddr`.
fn open_loader() -> Result<(vulkanalia::Entry, *const c_void)> {
    // SAFETY: loading the system's Vulkan loader runs its initialisers, which is what it is for.
    let library = unsafe { LibloadingLoader::new(LIBRARY) }.map_err(|e| {
        none(format!("no Vulkan on this machine: the loader `{LIBRARY}` cannot be opened"))
            .note(e.to_string())
            .note("install a Vulkan driver; without a GPU, Mesa's lavapipe (Debian: mesa-vulkan-drivers 25 or newer, libvulkan1)")
    })?;
    // SAFETY: the symbol is looked up, not called.
    let get_proc_addr = unsafe { library.load(b"vkGetInstanceProcAddr") };
    let get_proc_addr = get_proc_addr.map_err(|e| none(format!("the Vulkan loader has no entry point: {e}")))? as *const c_void;
    // SAFETY: the library is a Vulkan loader, so its vkGetInstanceProcAddr is what Vulkan says.
    let entry = unsafe { vulkanalia::Entry::new(library) }.map_err(|e| none(format!("the Vulkan loader has no entry point: {e}")))?;
    Ok((entry, get_proc_addr))
}

/// Whether the validation layer is installed.
fn has_layer(entry: &vulkanalia::Entry) -> Result<bool> {
    // SAFETY: plain query.
    let known = unsafe { entry.enumerate_instance_layer_properties() }.map_err(|e| none(format!("cannot list Vulkan layers: {e}")))?;
    Ok(known.iter().any(|l| l.layer_name.as_cstr() == VALIDATION_LAYER))
}

fn none(message: String) -> RunError {
    RunError::new(ErrorKind::NoDevice, message)
}

impl Instance {
    /// Opens the loader and makes an instance.
    ///
    /// # Errors
    /// No loader on this machine, a loader older than Vulkan 1.2, or validation is requested and not installed.
    fn open(validation: bool) -> Result<Instance> {
        let (entry, get_proc_addr) = open_loader()?;
        let version = entry.version().map_err(|e| none(format!("the Vulkan loader does not answer: {e}")))?;
        if (version.major, version.minor) < (1, 2) {
            return Err(none(format!("the Vulkan loader is of version {}.{}, but ray tracing needs 1.2", version.major, version.minor)));
        }
        let mut layers = Vec::new();
        let mut extensions = Vec::new();
        if validation {
            if !has_layer(&entry)? {
                return Err(none(format!("{VALIDATION_VARIABLE} is set, but the validation layer is not installed"))
                    .note("Debian: vulkan-validationlayers"));
            }
            layers.push(VALIDATION_LAYER.as_ptr());
            extensions.push(vk::EXT_DEBUG_UTILS_EXTENSION.name.as_ptr());
        }
        let app = vk::ApplicationInfo::builder().application_name(b"rtc\0").engine_name(b"rtc\0").api_version(vk::make_version(
            1,
            version.minor.min(3),
            0,
        ));
        let synchronisation = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
        let mut checks = vk::ValidationFeaturesEXT::builder().enabled_validation_features(&synchronisation);
        let mut info =
            vk::InstanceCreateInfo::builder().application_info(&app).enabled_layer_names(&layers).enabled_extension_names(&extensions);
        if validation {
            info = info.push_next(&mut checks);
        }
        // SAFETY: all pointers in `info` live until the call returns.
        let raw = unsafe { entry.create_instance(&info, None) }.map_err(|e| {
            none(format!("no Vulkan driver on this machine: an instance cannot be made ({e})"))
                .note("install a Vulkan driver; without a GPU, Mesa's lavapipe (Debian: mesa-vulkan-drivers 25 or newer)")
        })?;
        let mut instance = Instance { raw, messenger: vk::DebugUtilsMessengerEXT::null(), messages: None, get_proc_addr, _entry: entry };
        if validation {
            let messages = Messages::default();
            let info = vk::DebugUtilsMessengerCreateInfoEXT {
                message_severity: vk::DebugUtilsMessageSeverityFlagsEXT::ERROR,
                message_type: vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION,
                user_callback: Some(heard),
                user_data: Arc::as_ptr(&messages).cast_mut().cast(),
                ..Default::default()
            };
            // SAFETY: the messages outlive the messenger: both belong to this instance, and its drop
            // destroys the messenger first.
            instance.messenger = unsafe { instance.raw.create_debug_utils_messenger_ext(&info, None) }
                .map_err(|e| none(format!("the validation layer does not report: {e}")))?;
            instance.messages = Some(messages);
        }
        Ok(instance)
    }
}

/// Called by the layer, possibly on another thread.
unsafe extern "system" fn heard(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a valid message, and `user` is the list given at creation, alive until
    // the messenger is destroyed.
    let (text, messages) = unsafe {
        let data = &*data;
        if data.message.is_null() {
            return vk::FALSE;
        }
        (CStr::from_ptr(data.message).to_string_lossy(), &*user.cast::<Mutex<Vec<String>>>())
    };
    if !rtc_engine::vulkan::is_false_report(&text)
        && let Ok(mut list) = messages.lock()
    {
        list.push(text.into_owned());
    }
    vk::FALSE
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: everything made from the instance is gone: the context that owns it drops it last.
        unsafe {
            if self.messages.is_some() {
                self.raw.destroy_debug_utils_messenger_ext(self.messenger, None);
            }
            self.raw.destroy_instance(None);
        }
    }
}
