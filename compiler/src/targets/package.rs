//! The target package: SPIR-V, RDAT and the binding map in one file for the runtime.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{BindPlace, GlobalData, Module};
use rtc_package::{BindingMap, Package};
use rtc_tables::diagnostics as codes;
use rtc_tables::resources::ResourceFlags;

use super::{Generation, forms, spirv};
use crate::compilation::{Compilation, Product};
use crate::options::{ProfileKind, Ser};

pub(super) fn generate(g: Generation<'_>, c: &mut Compilation) -> Option<Product> {
    let in_record = |g: &&GlobalData| g.resource().is_some_and(|r| r.binding.place == BindPlace::Record);
    if let Some(record) = g.module.globals.values().find(in_record) {
        let message = format!(
            "`{}` is the shader record, which a package describes by local root signatures; write one, or make SPIR-V",
            record.name
        );
        c.diagnostics.push(Diagnostic::new(&codes::E0927, record.span, message));
        return None;
    }
    let attachment = |d: &&GlobalData| {
        let ty = d.resource().and_then(|r| g.module.types.as_resource(r.ty));
        ty.is_some_and(|r| r.kind.is_subpass())
    };
    if let Some(input) = g.module.globals.values().find(attachment) {
        let message = format!("`{}` is an input attachment of a render pass, which packages do not describe; make SPIR-V", input.name);
        c.diagnostics.push(Diagnostic::new(&codes::E0927, input.span, message));
        return None;
    }
    let combined = |d: &&GlobalData| {
        let flag = |r: rtc_ir::ResourceType| r.flags.contains(ResourceFlags::SAMPLED);
        d.resource().is_some_and(|r| r.binding.combined || g.module.types.as_resource(r.ty).is_some_and(flag))
    };
    if let Some(texture) = g.module.globals.values().find(combined) {
        let message = format!(
            "`{}` is a combined image sampler, which Direct3D has not, and packages neither; declare texture and sampler, or make SPIR-V",
            texture.name
        );
        c.diagnostics.push(Diagnostic::new(&codes::E0927, texture.span, message));
        return None;
    }
    let package = match g.options.vulkan.ser {
        Ser::Auto => forms::compile(&g, c, one_form)?,
        _ => forms::first(&g, c, one_form)?,
    };
    match package.write() {
        Ok(bytes) => Some(Product::Package(bytes)),
        Err(e) => {
            c.diagnostics.push(Diagnostic::new(&codes::E0906, Span::NONE, e.to_string()));
            None
        }
    }
}

/// The package with the form that the options name.
fn one_form(g: &Generation<'_>, c: &mut Compilation) -> Option<Package> {
    let (rdat, output) = spirv::compile(g, c)?;
    let mut map = output.map;
    map.payloads = g.recorded.clone().finish(&map.entries);
    if matches!(g.options.profile.kind, ProfileKind::Shader(_)) {
        assign_registers(g.module, &mut map);
    }
    let mut layouts = g.layouts.clone();
    for l in &mut layouts {
        // Rows that resources end are part of the buffer, and no member is in the last one.
        let size = map.bindings.iter().find(|b| b.name == l.name).map_or(0, |b| b.stride_or_size);
        l.bytes = l.bytes.max(size);
    }
    Some(Package { flags: 0, rdat, spirv: output.words, map, layouts, forms: Vec::new() })
}

/// Resources of a compute shader that have no register get those that DXIL gives them, so that a host finds them by the same registers.
/// The resources of a library have none in DXIL either.
fn assign_registers(module: &Module, map: &mut BindingMap) {
    let mut module = module.clone();
    if !rtc_dxil_lower::bind_all(&mut module, false).is_empty() {
        return;
    }
    for b in map.bindings.iter_mut().filter(|b| !b.heap && b.register == u32::MAX) {
        let found = module.globals.values().find(|g| g.name == b.name && g.resource().is_some());
        if let Some(register) = found.and_then(|g| g.resource()?.binding.register) {
            b.register = register;
        }
    }
}
