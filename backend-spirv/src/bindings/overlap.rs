//! The warning about resources of one entry point that share a binding.
//!
//! Vulkan has one number space where HLSL has four, so `t0` and `u0` of one space are one descriptor unless a shift moves them. The
//! reference compiler says nothing, and is right to compile it where no entry point uses both.

use std::collections::BTreeMap;

use rtc_ir::{Function, Global, InstData, Module};
use rtc_tables::diagnostics::W0685;
use rtc_tables::resources::ResourceKind;
use rustc_hash::FxHashSet;

use super::{Bindings, Home};
use crate::error::Error;

/// Warns of each pair once. A texture and a sampler may be one descriptor (a combined image sampler).
pub(super) fn warn(m: &Module, b: &Bindings, warnings: &mut Vec<Error>) {
    let mut said: FxHashSet<(Global, Global)> = FxHashSet::default();
    for f in m.funcs.values().filter(|f| f.is_entry()) {
        let mut by_slot: BTreeMap<(u32, u32), Global> = BTreeMap::new();
        for g in used(f) {
            if m.globals[g].resource().is_none() {
                continue;
            }
            let Home::Descriptor { set, binding } = b.home(g, f, m) else { continue };
            let other = *by_slot.entry((set, binding)).or_insert(g);
            let kind = |g: Global| m.types.as_resource(m.globals[g].ty()).map(|r| r.kind);
            let combined = [other, g].iter().filter(|&&g| kind(g) == Some(ResourceKind::Sampler)).count() == 1
                && [other, g].iter().any(|&g| kind(g).is_some_and(|k| k.is_typed() && k != ResourceKind::TypedBuffer));
            if other == g || combined || !said.insert((other, g)) {
                continue;
            }
            let (one, two) = (&m.globals[other], &m.globals[g]);
            let message = format!(
                "`{}` and `{}` are both binding {binding} of set {set} in Vulkan, and `{}` uses both; shift the registers of one class \
                 (-fvk-u-shift 100 all) or write [[vk::binding(n)]]",
                one.name, two.name, f.name
            );
            warnings.push(Error::coded(&W0685, two.span, message));
        }
    }
}

/// The globals that an entry point uses, in source order.
fn used(f: &Function) -> Vec<Global> {
    let mut all = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Resource { global, .. } = f.insts[i] {
            all.push(global);
        }
    });
    all.sort_unstable();
    all.dedup();
    all
}
