//! `cargo xtask setup`: installs what is missing, and nothing the second time.
//!
//! What the project needs from outside is a table of [`Need`]s. Each row can tell whether it is met without asking the
//! network or a package database, so the second run is offline and takes milliseconds. What is missing is installed by
//! Debian's package manager where there is one ([`crate::debian`]); elsewhere the command says exactly what to install
//! and fails. The oracle libraries come after that ([`crate::fetch`]).

use rtc_oracles::artefacts::{ARTEFACTS, State, platform_supported};
use rtc_oracles::programs::{can_load, find_program};
use rtc_oracles::{llvm, vulkan};

use crate::{debian, fetch};

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
const NEEDS: &[Need] = &[
    Need { what: "a C compiler named `cc`", why: "links what cargo builds", scope: Scope::Product,
           present: || find_program("cc").is_some(), debian: &["gcc", "libc6-dev"], without: None },
    Need { what: "the Vulkan loader (libvulkan.so.1)", why: "`rtc run` draws with it", scope: Scope::Product,
           present: || can_load(vulkan::LOADER), debian: &["libvulkan1"], without: None },
    Need { what: "a Vulkan driver with ray tracing: NVIDIA's, or Mesa 25 and newer with lavapipe", why: "`rtc run` draws on it",
           scope: Scope::Product, present: vulkan::driver, debian: &[MESA], without: None },
    Need { what: "the Vulkan validation layer (VK_LAYER_KHRONOS_validation)", why: "judges what the runtime asks of Vulkan",
           scope: Scope::Oracles, present: vulkan::validation_layer, debian: &["vulkan-validationlayers"], without: None },
    Need { what: "the tools of LLVM 19 (opt)", why: "reads and verifies every DXIL module that the tests produce",
           scope: Scope::Oracles, present: || llvm::find_tool("opt").is_some(), debian: &["llvm-19"], without: None },
    Need { what: "pip for Python 3 (`python3 -m pip`)", why: "fetches the pinned oracle libraries", scope: Scope::Oracles,
           present: || artefacts_installed() || fetch::pip_works(), debian: &["python3-pip"], without: None },
    Need { what: "LLVM 19 to build with (llvm-config, headers, shared library) and a C++ library", why: "the CPU device compiles shaders with it",
           scope: Scope::Product, present: llvm::can_build_with, debian: &["llvm-19-dev", "libpolly-19-dev", "libzstd-dev", "zlib1g-dev", "g++"],
           without: Some("the programs are built without the CPU device, and its tests are skipped") },
];

/// Brings the machine to `scope`. Quick and offline when nothing is missing.
///
/// # Errors
/// When something is missing and could not be installed; the text says what to do.
pub fn setup(scope: Scope) -> Result<(), String> {
    let missing: Vec<&Need> = NEEDS.iter().filter(|n| n.scope <= scope && !(n.present)()).collect();
    let (wished, missing): (Vec<&Need>, Vec<&Need>) = missing.into_iter().partition(|n| n.without.is_some());
    for need in wished {
        let installed = debian::install(&[need]);
        if let Some(without) = need.without
            && !(need.present)()
        {
            let why = installed.err().unwrap_or_else(|| "the packages are installed, but it is still not found".into());
            eprintln!("{why}\ngoing on without {}: {without}", need.what);
        }
    }
    if !missing.is_empty() {
        debian::install(&missing)?;
        let still: Vec<&Need> = missing.into_iter().filter(|n| !(n.present)()).collect();
        if !still.is_empty() {
            return Err(format!("the packages are installed, but these are still not found:\n{}", list(&still)));
        }
    }
    if scope >= Scope::Oracles {
        fetch::install_artefacts()?;
    }
    Ok(())
}

/// The needs as text: one line each, with Debian's names for them.
pub fn list(needs: &[&Need]) -> String {
    let line = |n: &&Need| format!("  - {}\n      {}; Debian's package: {}", n.what, n.why, n.debian.join(" "));
    needs.iter().map(line).collect::<Vec<_>>().join("\n")
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
