//! The target DXIL: a container with its other outputs (reflection, root signature, debug information).

use std::borrow::Cow;

use rtc_base::{Diagnostic, Span};
use rtc_dxil_container::debug_module::{DebugKind, SourceInfo};
use rtc_dxil_lower::debug::DebugInput;
use rtc_dxil_lower::{DxilOptions, Profile};
use rtc_tables::diagnostics as codes;

use super::{Generation, report_dxil_errors};
use crate::compilation::{Compilation, DebugOutput, Product};
use crate::options::{OptLevel, ProfileKind};
use crate::outputs::{AuxiliaryFiles, texts};
use crate::rootsig;

pub(super) fn generate(g: Generation<'_>, c: &mut Compilation) -> Option<Product> {
    let o = g.options;
    let options = DxilOptions {
        profile: match o.profile.kind {
            ProfileKind::Shader(stage) => Profile::Shader(stage),
            _ => Profile::Library,
        },
        unoptimized: o.level == OptLevel::O0,
        root_signatures: g.roots.signatures,
        settings: Cow::Borrowed(&o.dxil),
    };
    let with_debug = o.debug.kind != DebugKind::None || o.debug.named;
    let sources = if with_debug { texts(g.name, o, &c.sources) } else { SourceInfo::default() };
    let input = DebugInput { options: &o.debug, places: &c.sources, sources: &sources };
    let built = match rtc_dxil_lower::library::build(g.module, &options, with_debug.then_some(&input)) {
        Ok(built) => built,
        Err(errors) => {
            report_dxil_errors(c, errors);
            return None;
        }
    };
    for (span, what) in &built.unwritten_targets {
        c.diagnostics.push(Diagnostic::new(&codes::W0688, *span, format!("the pixel shader {what}")));
    }
    rootsig::check_shader(&built, g.roots.span, &mut c.diagnostics);
    match AuxiliaryFiles::new(&built, o, &sources) {
        Ok(outputs) => c.outputs = Some(outputs),
        Err(e) => c.diagnostics.push(Diagnostic::new(&codes::E0906, Span::NONE, e.to_string())),
    }
    match built.container() {
        Ok(container) => {
            c.debug = built.debug.map(|module| DebugOutput { module, sources });
            Some(Product::Dxil(container))
        }
        Err(errors) => {
            report_dxil_errors(c, errors);
            None
        }
    }
}
