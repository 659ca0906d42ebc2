//! Detection of a Vulkan device that supports ray tracing.
//!
//! Answered from the files with which drivers and layers register themselves, without loading a driver: quick, and the same
//! answer for set-up, tests and demo.

use std::path::{Path, PathBuf};

use crate::programs::can_load;
use crate::{Missing, RUN_SETUP};

/// The file name of the Vulkan loader.
pub const LOADER: &str = "libvulkan.so.1";

/// The API version that the software driver registers from the first Mesa on (25) that was seen to trace rays with it.
const LAVAPIPE_API: (u32, u32) = (1, 4);

/// Whether the loader and a driver with ray tracing are there.
///
/// # Errors
/// What is missing.
pub fn available() -> Result<(), Missing> {
    let missing = |why: &str| Missing { what: "a Vulkan device with ray tracing", why: why.to_string(), how: RUN_SETUP };
    if !can_load(LOADER) {
        return Err(missing("the Vulkan loader does not load"));
    }
    if !driver() {
        return Err(missing("no driver that traces rays is registered: NVIDIA's, or lavapipe of Mesa 25 or newer"));
    }
    Ok(())
}

/// True when a driver that can trace rays is registered: NVIDIA's with a GPU, or a lavapipe that is new enough.
pub fn driver() -> bool {
    driver_files().iter().any(|path| {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("nvidia") {
            return path.is_file() && Path::new("/dev/nvidiactl").exists();
        }
        let Ok(text) = std::fs::read_to_string(path) else {
            return false;
        };
        name.starts_with("lvp") && api_version(&text).is_some_and(|v| v >= LAVAPIPE_API)
    })
}

/// True when the validation layer is registered.
pub fn validation_layer() -> bool {
    json_files(&registry_dirs("explicit_layer.d"))
        .iter()
        .any(|path| std::fs::read_to_string(path).is_ok_and(|text| text.contains("VK_LAYER_KHRONOS_validation")))
}

/// True when C programs can be built with Vulkan.
pub fn headers() -> bool {
    let roots = ["/usr/include", "/usr/local/include"];
    roots.iter().any(|root| Path::new(root).join("vulkan/vulkan.h").is_file())
}

/// Folders in which drivers or layers register themselves with a JSON file.
fn registry_dirs(kind: &str) -> Vec<PathBuf> {
    let roots = ["/usr/share/vulkan", "/usr/local/share/vulkan", "/etc/vulkan"];
    let mut dirs: Vec<PathBuf> = roots.iter().map(|d| Path::new(d).join(kind)).collect();
    if let Some(home) = std::env::var_os("HOME") {
        dirs.push(Path::new(&home).join(".local/share/vulkan").join(kind));
    }
    dirs
}

/// The JSON files that register drivers: those that environment variables select, or all.
fn driver_files() -> Vec<PathBuf> {
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        if let Some(list) = std::env::var_os(variable).filter(|v| !v.is_empty()) {
            return std::env::split_paths(&list).collect();
        }
    }
    json_files(&registry_dirs("icd.d"))
}

/// All `.json` files directly in the folders.
fn json_files(dirs: &[PathBuf]) -> Vec<PathBuf> {
    dirs.iter()
        .filter_map(|dir| dir.read_dir().ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect()
}

/// Major and minor of the `"api_version"` in a driver's JSON file.
fn api_version(json: &str) -> Option<(u32, u32)> {
    let rest = json.split_once("\"api_version\"")?.1;
    let value = rest.split('"').nth(1)?;
    let mut parts = value.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_api_version() {
        assert_eq!(api_version(r#"{"ICD": {"api_version": "1.4.305", "library_path": "x"}}"#), Some((1, 4)));
        assert_eq!(api_version(r#"{"ICD": {"api_version":"1.3.230"}}"#), Some((1, 3)));
        assert_eq!(api_version("{}"), None);
        assert_eq!(api_version(r#""api_version": "x.y""#), None);
    }
}
