//! The target package: SPIR-V, RDAT and the binding map in one file for the runtime.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{BindPlace, GlobalData};
use rtc_package::Package;
use rtc_tables::diagnostics as codes;

use super::{Generation, spirv};
use crate::pipeline::{Compilation, Product};

pub(super) fn generate(g: Generation<'_>, c: &mut Compilation) -> Option<Product> {
    let in_record = |g: &&GlobalData| g.resource().is_some_and(|r| r.binding.place == BindPlace::Record);
    if let Some(record) = g.module.globals.values().find(in_record) {
        let message = format!(
            "`{}` is the shader record, which a package describes by local root signatures; write one, or make SPIR-V",
            record.name
        );
        c.diagnostics.push(Diagnostic::new(&codes::E0903, record.span, message));
        return None;
    }
    let (rdat, output) = spirv::compile(&g, c)?;
    let mut map = output.map;
    map.payloads = g.recorded.finish(&map.entries);
    match (Package { flags: 0, rdat, spirv: output.words, map }).write() {
        Ok(bytes) => Some(Product::Package(bytes)),
        Err(e) => {
            c.diagnostics.push(Diagnostic::new(&codes::E0903, Span::NONE, e.to_string()));
            None
        }
    }
}
