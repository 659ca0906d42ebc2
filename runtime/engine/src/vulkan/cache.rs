//! A pipeline cache on disk: one file for each device and driver, so that a file of another one is never given to a driver. What was measured of forms has
//! a file of the same name next to it.

use super::device::Device;
use super::{failed, vk};
use crate::error::{Error, Result};
use crate::forms::Choices;
use rtc_base::replace::{Durability, replace};
use std::path::{Path, PathBuf};
use vulkanalia::vk::{DeviceV1_0, HasBuilder};

/// Bytes of the header that Vulkan prescribes.
const HEADER: usize = 32;

/// A pipeline cache with its file.
pub struct DiskCache {
    device: Device,
    raw: vk::PipelineCache,
    path: PathBuf,
}

impl std::fmt::Debug for DiskCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DiskCache({})", self.path.display())
    }
}

/// What a file must be for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    vendor: u32,
    device: u32,
    driver: u32,
    id: [u8; vk::UUID_SIZE],
}

impl Key {
    fn of(device: &Device) -> Key {
        let p = device.properties();
        Key { vendor: p.vendor_id, device: p.device_id, driver: p.driver_version, id: *device.cache_id() }
    }

    /// `10005-0-6400007-….cache`
    fn file(&self, extension: &str) -> String {
        let id: String = self.id.iter().map(|b| format!("{b:02x}")).collect();
        format!("{:x}-{:x}-{:x}-{id}.{extension}", self.vendor, self.device, self.driver)
    }

    /// Whether data begin with the header of this device.
    fn fits(&self, data: &[u8]) -> bool {
        let word = |at: usize| data.get(at..at + 4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
        word(0).is_some_and(|n| n as usize >= HEADER && n as usize <= data.len())
            && word(4) == Some(vk::PipelineCacheHeaderVersion::ONE.as_raw() as u32)
            && word(8) == Some(self.vendor)
            && word(12) == Some(self.device)
            && data.get(16..HEADER) == Some(&self.id[..])
    }
}

/// What was measured of forms on a device, in a folder: one file for each device and driver. See [`Choices::open`].
pub fn choices(device: &Device, folder: &Path) -> Choices {
    Choices::open(&folder.join(Key::of(device).file("forms")))
}

impl DiskCache {
    /// Opens the cache of a device in a folder, which is made if it is not there. A file that is damaged or of another driver counts as
    /// empty.
    ///
    /// # Errors
    /// The folder cannot be made, the file cannot be read; a failure of the device.
    pub fn open(device: &Device, folder: &Path) -> Result<DiskCache> {
        std::fs::create_dir_all(folder).map_err(|e| Error::io("make", folder, &e))?;
        let key = Key::of(device);
        let path = folder.join(key.file("cache"));
        let mut data = match std::fs::read(&path) {
            Ok(data) => data,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(Error::io("read", &path, &e)),
        };
        if !key.fits(&data) {
            data.clear();
        }
        let info = vk::PipelineCacheCreateInfo::builder().initial_data(&data);
        // SAFETY: destroyed in `drop`; the header of the data is that of this device.
        let raw = unsafe { device.raw().create_pipeline_cache(&info, device.callbacks()) }.map_err(failed("make a pipeline cache"))?;
        Ok(DiskCache { device: device.clone(), raw, path })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes that are in it.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn data(&self) -> Result<Vec<u8>> {
        let raw = self.device.raw();
        let get = DeviceV1_0::commands(raw).get_pipeline_cache_data;
        let mut data: Vec<u8> = Vec::new();
        loop {
            // Twice: for the size, and for the data. The function is called as it is because the binding passes over errors of the first call.
            let mut size = data.len();
            let to = if data.is_empty() { std::ptr::null_mut() } else { data.as_mut_ptr().cast() };
            // SAFETY: the cache lives, and Vulkan synchronises access to it; the buffer has so many bytes.
            let code = unsafe { get(raw.handle(), self.raw, &mut size, to) };
            if code.as_raw() < 0 {
                return Err(failed("give the data of a pipeline cache")(code.into()));
            }
            // The cache may have grown meanwhile.
            let whole = code == vk::Result::SUCCESS && (!data.is_empty() || size == 0);
            data.resize(size, 0);
            if whole {
                return Ok(data);
            }
            if code == vk::Result::INCOMPLETE {
                data.clear();
            }
        }
    }

    /// Writes the file: all of it or nothing.
    ///
    /// # Errors
    /// It cannot be written; a failure of the device.
    pub fn save(&self) -> Result<()> {
        let data = self.data()?;
        replace(&self.path, &data, Durability::Lazy).map_err(|e| Error::io("write", &self.path, &e))
    }

    /// The device that it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn raw(&self) -> vk::PipelineCache {
        self.raw
    }
}

impl Drop for DiskCache {
    fn drop(&mut self) {
        // SAFETY: pipelines do not refer to the cache that they came from; a compilation in progress is the caller's to finish first.
        unsafe { self.device.raw().destroy_pipeline_cache(self.raw, self.device.callbacks()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_of_other_drivers_are_found_out() {
        let id = vk::ByteArray([7; 16]).0;
        let key = Key { vendor: 0x10005, device: 3, driver: 9, id };
        let mut data = Vec::new();
        for word in [32, 1, 0x10005, 3] {
            data.extend(u32::to_le_bytes(word));
        }
        data.extend([7; 16]);
        assert!(key.fits(&data));
        for at in [0, 4, 8, 12, 16, 31] {
            let mut other = data.clone();
            other[at] ^= 1;
            assert!(!key.fits(&other), "byte {at}");
        }
        assert!(!key.fits(&data[..31]));
        assert!(!key.fits(&[]));
        assert_eq!(key.file("cache"), "10005-3-9-07070707070707070707070707070707.cache");
    }
}
