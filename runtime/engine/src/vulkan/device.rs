//! The caller's device: raw handles, checked once, and what follows from them.

use super::features::{Chain, Enabled, ROWS};
use super::physical::{Limits, PhysicalDevice, dispatchable, get_physical_device};
use super::requirements::{Requirements, Uses, refused};
use super::{failed, vk};
use crate::error::{Error, ErrorKind, Result};
use crate::forms::WaveTraits;
use crate::library::Library;
use rustc_hash::FxHashSet;
use std::ffi::c_void;
use std::sync::Arc;

/// The features that the caller switched on.
#[derive(Clone, Copy, Debug)]
pub enum EnabledFeatures<'a> {
    /// By the names of their members in Vulkan's structures.
    Names(&'a [&'a str]),
    /// As they were given to `vkCreateDevice`; pointers are read in [`Device::new`] alone.
    Chain {
        /// `VkDeviceCreateInfo::pNext`.
        next: *const c_void,
        /// `VkDeviceCreateInfo::pEnabledFeatures`, or null.
        core: *const c_void,
    },
}

/// A device of the caller.
#[derive(Clone, Copy, Debug)]
pub struct Handles<'a> {
    /// `vkGetInstanceProcAddr` of the loader or of a layer of the caller.
    pub get_instance_proc_addr: *const c_void,
    /// `VkInstance`.
    pub instance: u64,
    /// `VkPhysicalDevice`.
    pub physical_device: u64,
    /// `VkDevice`.
    pub device: u64,
    /// The version of Vulkan that the caller uses: of its `VkApplicationInfo`. 0: that of the physical device.
    pub api_version: u32,
    /// The queue families in whose command buffers this crate's commands are recorded.
    pub queue_families: &'a [u32],
    /// The device extensions that are on.
    pub extensions: &'a [&'a str],
    /// The features that are on.
    pub features: EnabledFeatures<'a>,
    /// `VkAllocationCallbacks` for every object that this crate makes, or null. They are copied; what they point to must live
    /// as long as the objects.
    pub allocation_callbacks: *const c_void,
}

/// A device of the caller, which is never destroyed here. Clones are the same device.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    raw: vulkanalia::Device,
    instance: vulkanalia::Instance,
    physical: vk::PhysicalDevice,
    name: String,
    callbacks: Option<vk::AllocationCallbacks>,
    enabled: Enabled,
    limits: Limits,
    properties: vk::PhysicalDeviceProperties,
    queue_families: Vec<u32>,
    reorders: bool,
    splits_waves: bool,
    cache_id: [u8; vk::UUID_SIZE],
}

// SAFETY: tables of functions and plain values. By the caller's promise in `Device::new` the callbacks may be called
// from every thread, which Vulkan demands of them anyway.
unsafe impl Send for Inner {}
// SAFETY: as above; nothing changes after construction.
unsafe impl Sync for Inner {}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Device({})", self.0.name)
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.raw_handle() == other.0.raw_handle()
    }
}

impl Inner {
    fn raw_handle(&self) -> vk::Device {
        vulkanalia::vk::DeviceV1_0::handle(&self.raw)
    }
}

impl Device {
    /// Takes over the description of a device of the caller.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: a handle is null. [`ErrorKind::Limit`]: something that every pipeline needs is not switched on;
    /// the notes say what.
    ///
    /// # Safety
    /// The handles are what they are called, belong together, and outlive the result and everything made from it. Extensions and features
    /// that are listed as on are on. The callbacks may be called from every thread.
    pub unsafe fn new(handles: &Handles) -> Result<Device> {
        // SAFETY: by the caller's promise.
        let physical = unsafe { get_physical_device(handles.get_instance_proc_addr, handles.instance, handles.physical_device)? };
        let device: vk::Device = dispatchable(handles.device, "VkDevice")?;
        let name = physical.properties.device_name.to_string_lossy().into_owned();
        let extensions: FxHashSet<String> = handles.extensions.iter().map(|e| e.to_string()).collect();
        let mut chain = match handles.features {
            EnabledFeatures::Names(names) => {
                let mut chain = Chain::default();
                let on = |e: &str| e.is_empty() || extensions.contains(e);
                for row in ROWS.iter().filter(|row| names.contains(&row.name) && on(row.extension)) {
                    chain.set(row);
                }
                chain
            }
            // SAFETY: by the caller's promise they are what `vkCreateDevice` got.
            EnabledFeatures::Chain { next, core } => unsafe { Chain::read(next, core.cast()) },
        };
        let enabled = Enabled::new(&mut chain, extensions);
        let mut properties = physical.properties;
        if handles.api_version != 0 {
            properties.api_version = properties.api_version.min(handles.api_version);
        }
        let physical = PhysicalDevice { properties, ..physical };
        let basic = Requirements::of(&[], Uses::default());
        let mut reasons = physical.too_old(basic.api_version);
        reasons.extend(basic.unmet(&enabled));
        if !reasons.is_empty() {
            return Err(refused(&name, "was made without what ray-tracing pipelines need", reasons));
        }
        let commands = vulkanalia::vk::InstanceV1_0::commands(&physical.instance);
        // SAFETY: the device was made from this physical device.
        let raw = unsafe {
            vulkanalia::Device::from_created(commands.get_device_proc_addr, physical.raw, &vk::DeviceCreateInfo::default(), device)
        }
        .map_err(failed("give its functions"))?;
        // SAFETY: null or what it is called, by the caller's promise.
        let callbacks = unsafe { handles.allocation_callbacks.cast::<vk::AllocationCallbacks>().as_ref() }.copied();
        Ok(Device(Arc::new(Inner {
            raw,
            limits: physical.limits(),
            reorders: physical.reorders(&enabled),
            splits_waves: physical.facts().is_some_and(|f| f.splits_waves),
            physical: physical.raw,
            cache_id: physical.properties.pipeline_cache_uuid.0,
            properties: physical.properties,
            instance: physical.instance,
            name,
            callbacks,
            enabled,
            queue_families: handles.queue_families.to_vec(),
        })))
    }

    /// The device's own name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Its limits.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Whether it reorders threads at the reorder points of hit objects, with an extension that is on: then that form of a package is the
    /// one to run ([`Forms::by_rule`](crate::forms::Forms::by_rule)).
    pub fn reorders(&self) -> bool {
        self.0.reorders
    }

    /// Whether it is known to leave a wave split after a trace that only some of its lanes execute ([`rtc_tables::devices`]): then the form of a package whose
    /// traces all lanes execute is the one to run.
    pub fn splits_waves(&self) -> bool {
        self.0.splits_waves
    }

    /// Both, for the choice of a form.
    pub fn wave_traits(&self) -> WaveTraits {
        WaveTraits { reorders: self.reorders(), splits: self.splits_waves() }
    }

    /// What is switched on.
    pub fn enabled(&self) -> &Enabled {
        &self.0.enabled
    }

    /// The queue families of the caller.
    pub fn queue_families(&self) -> &[u32] {
        &self.0.queue_families
    }

    /// Checks what a use needs. An error says that the device `cannot` do something.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`], with what is missing and which package or use needs it as notes.
    pub fn check(&self, requirements: &Requirements, cannot: &str) -> Result<()> {
        let reasons = requirements.unmet(&self.0.enabled);
        match reasons.is_empty() {
            true => Ok(()),
            false => Err(refused(&self.0.name, cannot, reasons)),
        }
    }

    /// Checks what a library needs, and the limits that its configurations concern.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: something is missing; the notes say what and which package needs it, or the message says which limit.
    pub fn check_library(&self, library: &Library) -> Result<()> {
        let (name, limits, config) = (&self.0.name, &self.0.limits, &library.state.pipeline_config);
        let limit = |why: String| Err(Error::new(ErrorKind::Limit, why));
        let requirements = Requirements::of(&[library], Uses::default());
        self.check(&requirements, "cannot run this package")?;
        let target = library.package.map.target.vulkan;
        let has = self.0.properties.api_version;
        let (major, minor) = (vk::version_major(has), vk::version_minor(has));
        if (major, minor) < (target.major, target.minor) {
            return limit(format!("the package is made for Vulkan {target}, {name} has Vulkan {major}.{minor}"));
        }
        if config.max_recursion > limits.max_recursion {
            return limit(format!(
                "the pipeline config declares a recursion depth of {}, {name} allows {}",
                config.max_recursion, limits.max_recursion
            ));
        }
        if library.state.shader_config.max_attribute > limits.max_attribute_size {
            return limit(format!(
                "the shader config declares {} bytes of hit attributes, {name} allows {}",
                library.state.shader_config.max_attribute, limits.max_attribute_size
            ));
        }
        Ok(())
    }

    /// An error unless `other` is this device.
    ///
    /// # Errors
    /// [`ErrorKind::OtherDevice`], which names `what`.
    pub fn same(&self, other: &Device, what: &str) -> Result<()> {
        match self == other {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::OtherDevice, format!("{what} belongs to another device ({})", other.name()))),
        }
    }

    /// Its functions.
    pub(super) fn raw(&self) -> &vulkanalia::Device {
        &self.0.raw
    }

    /// The functions of its instance, and its physical device.
    pub(super) fn physical(&self) -> (&vulkanalia::Instance, vk::PhysicalDevice) {
        (&self.0.instance, self.0.physical)
    }

    pub(super) fn properties(&self) -> &vk::PhysicalDeviceProperties {
        &self.0.properties
    }

    pub(super) fn cache_id(&self) -> &[u8; vk::UUID_SIZE] {
        &self.0.cache_id
    }

    pub(super) fn callbacks(&self) -> Option<&vk::AllocationCallbacks> {
        self.0.callbacks.as_ref()
    }
}
