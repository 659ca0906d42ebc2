//! Entry points: gives every shader the same signature (thread, payload or parameter, hit attributes), all as `i8*`.

use super::{Refusal, layout};
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_module::{Attr, CastOp, FUNCTION_INDEX, Func, Inst, Linkage, Module, Op, TypeKind, Value};

/// Changes the signature of a shader; its own parameters become casts of the new ones. Returns the sizes of their pointees in bytes.
///
/// # Errors
/// A shader without the parameters of its stage.
pub fn adapt(m: &mut Module, func: Func, kind: ShaderKind) -> Result<[u64; 2], Refusal> {
    let (ret, params, _) = m.types.signature(m.funcs[func].ty).ok_or("a shader without a function type")?;
    let params = params.to_vec();
    let most = match kind {
        ShaderKind::AnyHit | ShaderKind::ClosestHit => 2,
        ShaderKind::Miss | ShaderKind::Callable => 1,
        _ => 0,
    };
    if m.types[ret] != TypeKind::Void || params.len() > most {
        return Err(format!("`{}` does not have the signature of a shader", m.funcs[func].name).into());
    }
    let byte = m.types.i8();
    let bytes = m.types.ptr(byte);
    let void = m.types.void();
    let ty = m.types.function(void, &[bytes; 3]);
    let ptr_ty = m.types.ptr(ty);
    let f = &mut m.funcs[func];
    (f.ty, f.ptr_ty) = (ty, ptr_ty);
    f.attrs = None.into();
    f.linkage = Linkage::External;
    f.section = 0;
    let Some(mut body) = f.body.take() else {
        return Err(format!("`{}` has no body", f.name).into());
    };
    body.attached.clear();
    body.attached_to_function.clear();
    body.local_meta.clear();
    body.names.clear();
    let mut casts: Vec<(Inst, u32)> = Vec::new();
    let mut sizes = [0; 2];
    for (n, &ty) in params.iter().enumerate() {
        if !matches!(m.types[ty], TypeKind::Pointer { .. }) {
            return Err(format!("`{}` has a parameter that is not a pointer", m.funcs[func].name).into());
        }
        sizes[n] = m.types.pointee(ty).map_or(0, |ty| layout::size(m, ty));
        // The operand is filled in below, after the old arguments have been replaced.
        let cast = body.insts.push(rtc_dxil_module::InstData { op: Op::Unreachable, ty, loc: None.into() });
        casts.push((cast, n as u32 + 1));
    }
    body.map_values(|v| match v {
        Value::Arg(n) => casts.get(n as usize).map_or(v, |c| Value::Inst(c.0)),
        v => v,
    });
    for &(cast, n) in &casts {
        body.insts[cast].op = Op::Cast { op: CastOp::BitCast, value: Value::Arg(n) };
    }
    if let Some(entry) = body.blocks.values_mut().next() {
        entry.splice(0..0, casts.iter().map(|c| c.0));
    }
    m.funcs[func].body = Some(body);
    Ok(sizes)
}

/// Removes all code but the shaders', all metadata, and the attributes of the remaining declarations. Shaders probe their stack:
/// the stack size is checked before a shader runs, and if that estimate were wrong, a shader would hit the guard page instead of
/// stepping over it.
pub fn drop_rest(m: &mut Module, info: &Info) {
    let shaders: Vec<Func> = info.shaders().map(|s| s.0).collect();
    let probes = m.attrs.group(FUNCTION_INDEX, &[Attr::Text("probe-stack".into(), Some("inline-asm".into()))]);
    let probes = m.attrs.list(&[probes]);
    for func in m.funcs.keys().collect::<Vec<_>>() {
        let f = &mut m.funcs[func];
        f.attrs = None.into();
        f.section = 0;
        if shaders.contains(&func) {
            f.attrs = probes.into();
        } else {
            f.body = None;
            f.linkage = Linkage::External;
        }
    }
    m.meta = Default::default();
}
