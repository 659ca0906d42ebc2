//! Declarations of global variables and functions.

use super::types::{Shapes, is_first_class};
use super::{Checked, attributes, want};
use crate::Cx;
use rtc_dxil_module::{ConstKind, Func, Global, Linkage, Module, TypeKind, Value};
use rtc_tables::validation::rule;
use rustc_hash::FxHashSet;

pub(super) fn check(cx: &mut Cx<'_>, shapes: &Shapes) {
    let m = cx.m;
    let mut names: FxHashSet<&str> = FxHashSet::default();
    for (g, global) in m.globals.iter() {
        let name = &*global.name;
        if !name.is_empty() && !names.insert(name) {
            cx.module(rule::BITCODE_VALID, format!("there is a second `@{}`", name.escape_debug()));
        }
        if let Err(reason) = variable(m, shapes, g) {
            cx.module(rule::BITCODE_VALID, format!("global `@{}` {reason}", name.escape_debug()));
        }
    }
    for (func, f) in m.funcs.iter() {
        let name = &*f.name;
        if !name.is_empty() && !names.insert(name) {
            cx.module(rule::BITCODE_VALID, format!("there is a second `@{}`", name.escape_debug()));
        }
        if let Err(reason) = function(m, shapes, func).and_then(|()| attributes::function(m, func)) {
            cx.function(rule::BITCODE_VALID, func, reason);
        }
    }
}

fn variable(m: &Module, shapes: &Shapes, g: Global) -> Checked {
    let global = &m.globals[g];
    want(shapes.is_sized(global.ty), "is of a type without a size")?;
    want(m.types.pointee(global.ptr_ty) == Some(global.ty), "is not what its pointer points to")?;
    let external = matches!(global.linkage, Linkage::External | Linkage::ExternWeak);
    let Some(init) = global.init else {
        return want(external, "is declared only, with the linkage of a definition");
    };
    want(global.linkage != Linkage::ExternWeak, "is defined, with the linkage of a declaration")?;
    want(m.value_type(None, init) == Some(global.ty), "begins as a value of another type")?;
    match global.linkage {
        Linkage::Common => {
            let zero = matches!(init, Value::Const(c) if m.consts[c].kind == ConstKind::Null);
            want(zero && !global.constant, "is common and does not begin as zero, or is constant")
        }
        Linkage::Appending => want(matches!(m.types[global.ty], TypeKind::Array { .. }), "has appending linkage and is no array"),
        _ => Ok(()),
    }
}

fn function(m: &Module, shapes: &Shapes, func: Func) -> Checked {
    let f = &m.funcs[func];
    let (ret, params, _) = m.types.signature(f.ty).ok_or("is of a type that is none of a function")?;
    want(m.types.pointee(f.ptr_ty) == Some(f.ty), "is not what its pointer points to")?;
    let intrinsic = f.name.starts_with("llvm.");
    for (n, &param) in params.iter().enumerate() {
        let reason = match m.types[param] {
            TypeKind::Metadata | TypeKind::Label if intrinsic => continue,
            TypeKind::Metadata | TypeKind::Label => "metadata or a label",
            _ if !is_first_class(m, param) || !shapes.is_sized(param) => "a type without values",
            _ => continue,
        };
        return Err(format!("takes {reason} as parameter {n}"));
    }
    let nothing = m.types[ret] == TypeKind::Void;
    want(nothing || shapes.is_sized(ret), "returns a type without values")?;
    want(!matches!(f.linkage, Linkage::Common | Linkage::Appending), "has a linkage that only variables have")?;
    if f.body.is_some() {
        want(f.linkage != Linkage::ExternWeak, "is defined, with the linkage of a declaration")?;
        want(!intrinsic, "is an intrinsic of LLVM and defined")
    } else {
        let external = matches!(f.linkage, Linkage::External | Linkage::ExternWeak);
        want(external, "is declared only, with the linkage of a definition")?;
        if intrinsic { signature(m, func) } else { Ok(()) }
    }
}

/// The types of the intrinsics of LLVM that modules have.
fn signature(m: &Module, func: Func) -> Checked {
    let f = &m.funcs[func];
    let Some((ret, params, _)) = m.types.signature(f.ty) else { return Ok(()) };
    let byte_pointer = |ty| m.types.pointee(ty).is_some_and(|p| m.types[p] == TypeKind::Int(8));
    let long = |ty| m.types[ty] == TypeKind::Int(64);
    let meta = |ty| m.types[ty] == TypeKind::Metadata;
    let fits = match &*f.name {
        "llvm.lifetime.start" | "llvm.lifetime.end" => matches!(*params, [a, b] if long(a) && byte_pointer(b)),
        "llvm.dbg.declare" => matches!(*params, [a, b, c] if meta(a) && meta(b) && meta(c)),
        "llvm.dbg.value" => matches!(*params, [a, b, c, d] if meta(a) && long(b) && meta(c) && meta(d)),
        _ => return Ok(()),
    };
    want(fits && m.types[ret] == TypeKind::Void, "is an intrinsic of LLVM with other types")
}
