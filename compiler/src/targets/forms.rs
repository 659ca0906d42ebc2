//! Forms of hit objects that the compiler chooses: of a package with several (`-fspv-ser=auto`), and where no option names one. The library is
//! compiled once for each form, from the same optimised IR.
//!
//! A form that cannot express the library is left out, and a warning says why; where none can, the errors are those of the first.

use rtc_base::{Diagnostic, Span};
use rtc_package::{Form, Package, PackageForm};
use rtc_tables::diagnostics as codes;

use super::Generation;
use crate::compilation::Compilation;
use crate::options::{ConvergeTraces, Options, Ser, VulkanOptions};

/// Compiles all forms with `one`, which makes the package in the form that the options name; `None` after an error. The first form that the library
/// has is the package's own.
pub(super) fn compile(
    g: &Generation<'_>,
    c: &mut Compilation,
    one: impl Fn(&Generation<'_>, &mut Compilation) -> Option<Package>,
) -> Option<Package> {
    let mut whole: Option<Package> = None;
    let mut failed: Vec<(Form, Vec<Diagnostic>)> = Vec::new();
    for &form in Form::ALL.iter().filter(|&&form| has(g, form)) {
        let before = c.diagnostics.len();
        // Traces by all lanes are a form of their own.
        let converge_traces = if form == Form::Converge { g.options.vulkan.converge_traces } else { ConvergeTraces::Off };
        let made = one(&with(g, &in_form(g.options, form, converge_traces)), c);
        let reported = c.diagnostics.split_off(before);
        let Some(p) = made else {
            failed.push((form, reported));
            continue;
        };
        keep(reported, c);
        match &mut whole {
            // No shader is divided, which has a warning where a shader has points; or no trace is executed by all lanes that was not before.
            _ if p.form() != form => {}
            None => whole = Some(p),
            Some(whole) => whole.forms.push(PackageForm { form, spirv: p.spirv, map: p.map }),
        }
    }
    settle(whole, failed, "the package has no form", c)
}

/// Makes the product with `one`, in the form that the options name or, where they name none, in the first that the library has.
pub(super) fn first<T>(g: &Generation<'_>, c: &mut Compilation, one: impl Fn(&Generation<'_>, &mut Compilation) -> Option<T>) -> Option<T> {
    if g.options.vulkan.ser != Ser::ByExtension || !rtc_passes::uses_hit_objects(g.module) {
        return one(g, c);
    }
    let mut failed: Vec<(Form, Vec<Diagnostic>)> = Vec::new();
    let forms = match g.options.ser_extension() {
        Some(_) => [Form::Ext, Form::Nv, Form::Lower],
        None => [Form::Lower, Form::Ext, Form::Nv],
    };
    let mut made = None;
    for form in forms.into_iter().filter(|&form| has(g, form)) {
        let before = c.diagnostics.len();
        made = one(&with(g, &in_form(g.options, form, g.options.vulkan.converge_traces)), c);
        if made.is_some() {
            break;
        }
        failed.push((form, c.diagnostics.split_off(before)));
    }
    settle(made, failed, "the library is not compiled in form", c)
}

/// Reports why forms are missing: warnings if there is another one.
fn settle<T>(made: Option<T>, failed: Vec<(Form, Vec<Diagnostic>)>, what: &str, c: &mut Compilation) -> Option<T> {
    match made {
        Some(_) => c.diagnostics.extend(failed.into_iter().map(|(form, reported)| left_out(what, form, reported))),
        None => c.diagnostics.extend(failed.into_iter().next().map(|f| f.1).unwrap_or_default()),
    }
    made
}

/// The option that names a form.
fn option(form: Form) -> Ser {
    match form {
        Form::Lower | Form::Converge => Ser::Lower,
        Form::Ext => Ser::Ext,
        Form::Nv => Ser::Nv,
        Form::Wavefront => Ser::Wavefront,
    }
}

/// The options with a form named.
fn in_form(o: &Options, form: Form, converge_traces: ConvergeTraces) -> Options {
    Options { vulkan: VulkanOptions { ser: option(form), converge_traces, ..o.vulkan.clone() }, ..o.clone() }
}

fn with<'a>(g: &Generation<'a>, options: &'a Options) -> Generation<'a> {
    Generation { options, ..g.clone() }
}

/// Whether the library may have a form other than the lowered one.
fn has(g: &Generation<'_>, form: Form) -> bool {
    let named = |e: rtc_spirv::Ser| g.options.spirv.extensions.as_ref().is_none_or(|all| all.iter().any(|x| x == e.extension()));
    let hit_objects = rtc_passes::uses_hit_objects(g.module);
    match form {
        Form::Lower => true,
        Form::Ext => hit_objects && named(rtc_spirv::Ser::Ext),
        Form::Nv => hit_objects && named(rtc_spirv::Ser::Nv),
        Form::Converge => g.options.vulkan.converge_traces != ConvergeTraces::Off,
        Form::Wavefront => hit_objects || g.options.vulkan.wavefront_traces,
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
fn left_out(what: &str, form: Form, reported: Vec<Diagnostic>) -> Diagnostic {
    let error = reported.into_iter().find(Diagnostic::is_error);
    let (span, why) = error.map_or((Span::NONE, "it does not compile".to_owned()), |e| (e.span(), e.message));
    Diagnostic::new(&codes::W0926, span, format!("{what} `{form}`: {why}"))
}
