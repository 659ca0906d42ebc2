//! The table of everything that the project requires from outside: programs, libraries and drivers.

use std::path::Path;

use rtc_oracles::artefacts::{ARTEFACTS, State, platform_supported};
use rtc_oracles::programs::{can_load, find_program};
use rtc_oracles::{llvm, vulkan};

use crate::fetch;

/// How much is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// What building and running the product needs.
    Product,
    /// That, and what the tests ask for a second opinion.
    Oracles,
}

/// One thing that the project needs from outside.
pub struct Need {
    /// What it is, for a person on any system.
    pub what: &'static str,
    /// What it is for.
    pub why: &'static str,
    /// The smallest scope that needs it.
    pub scope: Scope,
    /// Whether this machine has it.
    pub present: fn() -> bool,
    /// Debian's packages that bring it.
    pub debian: &'static [&'static str],
    /// What is done without it; none for what there is no doing without.
    pub without: Option<&'static str>,
}

/// The package whose version decides whether the software Vulkan device can trace rays.
pub const MESA: &str = "mesa-vulkan-drivers";

/// The oldest major version of [`MESA`] whose software device was seen to trace rays.
pub const MESA_MAJOR: u32 = 25;

#[rustfmt::skip]
/// All of them.
pub const NEEDS: &[Need] = &[
    Need { what: "a C compiler named `cc`", why: "links what cargo builds", scope: Scope::Product,
           present: || find_program("cc").is_some(), debian: &["gcc", "libc6-dev"], without: None },
    Need { what: "the Vulkan loader (libvulkan.so.1)", why: "`rtc run` draws with it", scope: Scope::Product,
           present: || can_load(vulkan::LOADER), debian: &["libvulkan1"], without: None },
    Need { what: "a Vulkan driver with ray tracing: NVIDIA's, or Mesa 25 and newer with lavapipe", why: "`rtc run` draws on it",
           scope: Scope::Product, present: vulkan::driver, debian: &[MESA], without: None },
    Need { what: "the Vulkan validation layer (VK_LAYER_KHRONOS_validation)", why: "checks the Vulkan calls of the runtime",
           scope: Scope::Oracles, present: vulkan::validation_layer, debian: &["vulkan-validationlayers"], without: None },
    Need { what: "the tools of LLVM 19 (opt)", why: "reads and verifies every DXIL module that the tests produce",
           scope: Scope::Oracles, present: || llvm::find_tool("opt").is_some(), debian: &["llvm-19"], without: None },
    Need { what: "pip for Python 3 (`python3 -m pip`)", why: "fetches the pinned oracle libraries", scope: Scope::Oracles,
           present: || artefacts_installed() || fetch::pip_works(), debian: &["python3-pip"], without: None },
    Need { what: "LLVM 19 to build with (llvm-config, headers, shared library) and a C++ library", why: "the CPU device compiles shaders with it",
           scope: Scope::Product, present: llvm::can_build_with, debian: &["llvm-19-dev", "libpolly-19-dev", "libzstd-dev", "zlib1g-dev", "g++"],
           without: Some("the programs are built without the CPU device, and its tests are skipped") },
    Need { what: "CMake and pkg-config", why: "build the projects that use the C interface in its tests", scope: Scope::Oracles,
           present: || find_program("cmake").is_some() && find_program("pkg-config").is_some(), debian: &["cmake", "make", "pkg-config"],
           without: Some("the test of the CMake project is skipped") },
    Need { what: "Python 3 with the module venv", why: "builds and runs the Python package", scope: Scope::Oracles,
           present: crate::python::present, debian: &["python3", "python3-venv"],
           without: Some("the check of the Python package is skipped") },
    Need { what: "the headers of Vulkan (vulkan/vulkan.h) and its library to link with", why: "build the C programs of the runtime's tests",
           scope: Scope::Oracles, present: vulkan::headers, debian: &["libvulkan-dev"], without: Some("the tests of the runtime in C are skipped") },
    Need { what: "valgrind", why: "runs the C programs of the tests", scope: Scope::Oracles,
           present: || find_program("valgrind").is_some(), debian: &["valgrind"], without: Some("the C programs run without it") },
    Need { what: "Chromium", why: "shows the page of `rtc explore` in its tests", scope: Scope::Oracles,
           present: || find_program("chromium").is_some(), debian: &["chromium"], without: Some("the tests of the page are skipped") },
    Need { what: "ninja", why: "builds the graphs that `rtc build` emits in its tests", scope: Scope::Oracles,
           present: || find_program("ninja").is_some(), debian: &["ninja-build"], without: Some("the test of emitted graphs is skipped") },
    Need { what: "Bazel", why: "builds a graph that `rtc build` emits, and with workers of `rtc`, in tests", scope: Scope::Oracles,
           present: || find_program("bazel").is_some(), debian: &["bazel-bootstrap"], without: Some("the tests with Bazel are skipped") },
    Need { what: "Redis", why: "keeps a shared cache in tests", scope: Scope::Oracles,
           present: || program_or_daemon("redis-server"), debian: &["redis-server"], without: Some("the test of shared caches in Redis is skipped") },
    Need { what: "nginx with WebDAV", why: "keeps a shared cache in tests", scope: Scope::Oracles,
           present: || program_or_daemon("nginx") && Path::new("/usr/lib/nginx/modules/ngx_http_dav_ext_module.so").exists(),
           debian: &["nginx-light", "libnginx-mod-http-dav-ext"], without: Some("the test of shared caches in WebDAV is skipped") },
];

/// The needs as text: one line each, with Debian's names for them.
pub fn list(needs: &[&Need]) -> String {
    let line = |n: &&Need| format!("  - {}\n      {}; Debian's package: {}", n.what, n.why, n.debian.join(" "));
    needs.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// True when there is a program of this name, where users or where administrators look for it.
fn program_or_daemon(name: &str) -> bool {
    find_program(name).is_some() || find_program(&format!("/usr/sbin/{name}")).is_some()
}

/// True when every pinned library lies where it should and has the right hash, or cannot be used on this platform.
fn artefacts_installed() -> bool {
    !platform_supported() || ARTEFACTS.iter().all(|a| matches!(a.state_of(&a.path()), Ok(State::Installed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_every_package() {
        let needs: Vec<&Need> = NEEDS.iter().collect();
        let text = list(&needs);
        assert!(NEEDS.iter().flat_map(|n| n.debian).all(|p| text.contains(p)), "{text}");
    }
}
