//! Packages whose shader tables are not those of others: each is a pipeline of its own.

use rtc_package::Package;

/// Why the shader tables of a package are not those of others, in a few words, and what may be done.
pub(crate) fn of(p: &Package) -> Option<(&'static str, &'static str)> {
    match (&p.map.lowering, p.map.null_misses.is_some()) {
        (Some(_), _) => Some((
            "lowered hit objects",
            "compile all libraries of the pipeline as one, or with -fspv-ser=nv or ext for a device that has hit objects",
        )),
        (None, true) => Some((
            "traces by whole waves (-fspv-converge-traces)",
            "compile all libraries of the pipeline as one, or without -fspv-converge-traces",
        )),
        (None, false) => None,
    }
}
