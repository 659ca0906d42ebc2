//! Packages with several forms (`-fspv-ser=auto`): the library is compiled once for each form, from the same optimised IR.
//!
//! The lowered form is the package's own, and its errors are the compilation's. A further form that cannot express the library is left out, and a
//! warning says why.

use rtc_base::{Diagnostic, Span};
use rtc_package::{Form, Package, PackageForm};
use rtc_tables::diagnostics as codes;

use super::Generation;
use crate::compilation::Compilation;
use crate::options::{Options, Ser};

/// Compiles all forms with `one`, which makes the package in the form that the options name; `None` after an error.
pub(super) fn compile(
    g: &Generation<'_>,
    c: &mut Compilation,
    one: impl Fn(&Generation<'_>, &mut Compilation) -> Option<Package>,
) -> Option<Package> {
    let mut whole = one(&with(g, &Options { ser: Ser::Lower, ..g.options.clone() }), c)?;
    for &form in Form::ALL.iter().filter(|&&form| has(g, form)) {
        let ser = match form {
            Form::Lower => continue,
            Form::Ext => Ser::Ext,
            Form::Nv => Ser::Nv,
            Form::Wavefront => Ser::Wavefront,
        };
        let before = c.diagnostics.len();
        let made = one(&with(g, &Options { ser, ..g.options.clone() }), c);
        let reported = c.diagnostics.split_off(before);
        match made {
            // No shader is divided, which has a warning where a shader has points.
            Some(p) if p.form() != form => keep(reported, c),
            Some(p) => {
                keep(reported, c);
                whole.forms.push(PackageForm { form, spirv: p.spirv, map: p.map });
            }
            None => c.diagnostics.push(left_out(form, reported)),
        }
    }
    Some(whole)
}

fn with<'a>(g: &Generation<'a>, options: &'a Options) -> Generation<'a> {
    Generation { options, ..g.clone() }
}

/// Whether the library may have a form other than the lowered one.
fn has(g: &Generation<'_>, form: Form) -> bool {
    let named = |e: rtc_spirv::Ser| g.options.spirv_extensions.as_ref().is_none_or(|all| all.iter().any(|x| x == e.extension()));
    let hit_objects = rtc_passes::uses_hit_objects(g.module);
    match form {
        Form::Lower => true,
        Form::Ext => hit_objects && named(rtc_spirv::Ser::Ext),
        Form::Nv => hit_objects && named(rtc_spirv::Ser::Nv),
        Form::Wavefront => hit_objects || g.options.wavefront_traces,
    }
}

/// Keeps what no other form reported before.
fn keep(reported: Vec<Diagnostic>, c: &mut Compilation) {
    for d in reported {
        let same = |k: &Diagnostic| (k.code.id, k.span(), &k.message) == (d.code.id, d.span(), &d.message);
        if !c.diagnostics.iter().any(same) {
            c.diagnostics.push(d);
        }
    }
}

/// The warning about a form that the library does not have, with the first error of its compilation.
fn left_out(form: Form, reported: Vec<Diagnostic>) -> Diagnostic {
    let error = reported.into_iter().find(Diagnostic::is_error);
    let (span, why) = error.map_or((Span::NONE, "it does not compile".to_owned()), |e| (e.span(), e.message));
    Diagnostic::new(&codes::W0926, span, format!("the package has no form `{form}`: {why}"))
}
