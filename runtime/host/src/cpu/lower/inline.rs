//! Inlining of every call to a function with a body, so that each shader becomes one function.

use super::Refusal;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_link::inline::{Trouble, calls, inline};
use rtc_dxil_module::{ConstKind, Module, Op, Value};

/// Inlines in all functions.
///
/// # Errors
/// Recursion.
pub fn all(m: &mut Module, info: &Info) -> Result<(), Refusal> {
    set_up(m, info)?;
    let calling = info.shaders().any(|(func, _)| m.funcs[func].body.as_ref().is_some_and(|b| !calls(m, b).is_empty()));
    if !calling {
        return Ok(());
    }
    let name = |m: &Module, f| rtc_dxil_container::rdat::unmangle(&m.funcs[f].name).to_string();
    match inline(m, |_, _| true) {
        Ok(_) => Ok(()),
        Err(Trouble::Recursion(circle)) => {
            let names: Vec<String> = circle.iter().map(|&f| format!("`{}`", name(m, f))).collect();
            Err(format!("recursive function calls: {}", names.join(", ")).into())
        }
        Err(Trouble::TooLarge(f)) => Err(format!("`{}` exceeds the size limit after inlining", name(m, f)).into()),
    }
}

/// Calls the static initialisers at the start of each shader: statics belong to an invocation.
fn set_up(m: &mut Module, info: &Info) -> Result<(), Refusal> {
    let Some(list) = m.globals.values().find(|g| &*g.name == "llvm.global_ctors").and_then(|g| g.init) else { return Ok(()) };
    let unusual = || Refusal::from("malformed list of static initialisers (`llvm.global_ctors`)");
    let parts = |m: &Module, v: Value| match v {
        Value::Const(c) => m.consts[c].kind.operands().to_vec(),
        _ => Vec::new(),
    };
    let mut functions = Vec::new();
    for entry in parts(m, list) {
        match parts(m, entry).get(1) {
            Some(&Value::Func(f)) if m.funcs[f].body.is_some() => functions.push(f),
            Some(Value::Const(c)) if m.consts[*c].kind == ConstKind::Null => {}
            _ => return Err(unusual()),
        }
    }
    let void = m.types.void();
    for shader in info.shaders().map(|s| s.0).collect::<Vec<_>>() {
        let mut calls = Vec::new();
        for &f in &functions {
            let ty = m.funcs[f].ty;
            if m.types.signature(ty).is_none_or(|(ret, params, _)| ret != void || !params.is_empty()) {
                return Err(unusual());
            }
            let Some(body) = &mut m.funcs[shader].body else { continue };
            let args = body.list(&[]);
            let op = Op::Call { callee: Value::Func(f), ty, attrs: None.into(), args, cc: 0, tail: rtc_dxil_module::Tail::No };
            calls.push(body.insts.push(rtc_dxil_module::InstData { op, ty: void, loc: None.into() }));
        }
        if let Some(entry) = m.funcs[shader].body.as_mut().and_then(|b| b.blocks.values_mut().next()) {
            entry.splice(0..0, calls);
        }
    }
    Ok(())
}
