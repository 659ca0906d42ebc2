//! Finding programs and shared libraries on this machine.

use std::path::{Path, PathBuf};

/// The path of `name` when it is an executable file: searched on `PATH`, or taken as it is when it contains a separator.
pub fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') || name.contains('\\') {
        let path = PathBuf::from(name);
        return is_executable(&path).then_some(path);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|dir| {
        let candidate = dir.join(name);
        if is_executable(&candidate) {
            return Some(candidate);
        }
        let exe = dir.join(format!("{name}.exe"));
        (cfg!(windows) && is_executable(&exe)).then_some(exe)
    })
}

/// True when `path` is a file that may be executed.
pub fn is_executable(path: &Path) -> bool {
    let Ok(meta) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        meta.is_file() && meta.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    {
        meta.is_file()
    }
}

/// True when the dynamic linker of this machine finds and loads the shared library `name`, as `libvulkan.so.1`.
pub fn can_load(name: &str) -> bool {
    // SAFETY: the names are those of system libraries (the Vulkan loader) whose initialisers have no preconditions; no
    // symbol is called and the handle is closed at once.
    unsafe { libloading::Library::new(name) }.is_ok()
}
