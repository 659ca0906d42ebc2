//! The module that SPIR-V is made of, as DXIL: what the passes make of payloads in Vulkan, on a device that needs no driver.
//!
//! In Vulkan a payload is memory that all stages of a ray share, packed or not, and the compiler alone sees to it that the rules of its qualifiers hold.
//! So the module is taken after the last pass before SPIR-V, loses the qualifiers, and becomes DXIL, whose payloads are shared memory then, too.
//! Hit objects stay hit objects, fused where possible, as for devices that have them.

use std::borrow::Cow;

use rtc::ir::{Module, text};
use rtc::passes::pipeline::FUSE_HIT_OBJECTS;
use rtc::passes::{PassCtx, uses_hit_objects};
use rtc::{OptLevel, Options, Snapshot};
use rtc_dxil_lower::{DxilOptions, Profile, Settings, library};

/// The container of the module after the last pass.
///
/// # Errors
/// What the passes or the back end refuse.
pub fn dxil(snapshots: &[Snapshot], o: &Options) -> Result<Vec<u8>, String> {
    let last = snapshots.iter().rev().find_map(|s| s.lines.as_ref());
    let lines = last.ok_or("there are no snapshots of the IR")?;
    let printed: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
    let mut m = text::parse(&printed.join("\n")).map_err(|e| format!("printed IR: {e}"))?;
    if o.level != OptLevel::O0 && uses_hit_objects(&m) {
        FUSE_HIT_OBJECTS.run(&mut m, &PassCtx { check: true }).map_err(|e| e.to_string())?;
    }
    without_qualifiers(&mut m);
    let unoptimized = o.level == OptLevel::O0;
    let settings = Settings { validator: o.dxil.validator, ..Settings::default() };
    let options = DxilOptions { profile: Profile::Library, unoptimized, settings: Cow::Owned(settings), ..DxilOptions::default() };
    let refused = |e: Vec<rtc_dxil_lower::LowerError>| {
        let all: Vec<String> = e.into_iter().map(|e| e.message).collect();
        all.join("; ")
    };
    library::build(&m, &options, None).and_then(|built| built.container()).map_err(refused)
}

fn without_qualifiers(m: &mut Module) {
    for s in m.structs.keys() {
        m.structs[s].raypayload = false;
        m.structs[s].fields.iter_mut().for_each(|f| f.paq = None);
    }
}
