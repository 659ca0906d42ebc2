//! Checks calls of DXIL operations against the operation table: name, result, parameters, overload.

use super::*;
use rtc_dxil_module::{GROUPSHARED, TypeKind};
use rtc_tables::dxil_ops::kind;

/// The most dimensions of an overload.
const DIMS: usize = 4;
type Dims = [Option<Type>; DIMS];

/// Whether a call fits the row of its opcode; if not, that is reported, and nothing else about the call is known.
pub(crate) fn signature(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) -> bool {
    if call.op.is_experimental() && !since(cx, 10) {
        let text = format!("{} is experimental, {} is not", call.op.name, cx.info.model);
        cx.inst(rule::INSTR_OPCODE_EXPERIMENTAL, here, call.inst, text);
        return false;
    }
    let key = Some(call.op.opcode);
    if cx.instr.verified.get(call.callee.index()) == Some(&key) {
        return true;
    }
    let mut text = std::mem::take(&mut cx.instr.text);
    let mismatch = mismatch(cx.m, call, &mut text);
    cx.instr.text = text;
    match mismatch {
        None => {
            cx.instr.verified[call.callee.index()] = key;
            true
        }
        Some((rule, what)) => {
            let name = cx.m.funcs[call.callee].name.escape_debug().to_string();
            cx.inst(rule, here, call.inst, format!("'{name}' {what} of {}", call.op.name));
            false
        }
    }
}

type Mismatch = Option<(&'static rtc_tables::validation::Rule, &'static str)>;

fn mismatch(m: &Module, call: Call<'_>, text: &mut String) -> Mismatch {
    let op = call.op;
    let f = &m.funcs[call.callee];
    let name = f.name.strip_prefix("dx.op.").unwrap_or_default();
    let not_it = Some((rule::INSTR_OP_FUNCTION, "is not the function"));
    let Some(suffix) = name.strip_prefix(op.function).filter(|s| s.is_empty() || s.starts_with('.')) else {
        return not_it;
    };
    let not_so = Some((rule::INSTR_CALL_OVERLOAD, "does not have the result and parameters"));
    let Some((ret, params, false)) = m.types.signature(f.ty) else { return not_so };
    if params.len() != op.params.len() + 1 || call.args.len() != params.len() {
        return not_so;
    }
    let mut dims = Dims::default();
    let types = || op.params.iter().map(|p| p.1).zip(params[1..].iter().copied()).chain([(op.result, ret)]);
    if !op.is_plain() {
        types().for_each(|(want, got)| bind(m, want, got, &mut dims));
        // An operation on booleans alone.
        let boolean = types().find(|t| t.0 == OpTy::OI1).map(|t| t.1);
        dims[0] = dims[0].or(boolean);
        for (&ty, &allowed) in dims.iter().zip(op.overloads) {
            if !ty.is_some_and(|ty| m.fits(ty, allowed)) {
                return Some((rule::INSTR_OVERLOAD, "is for a type that is no overload"));
            }
        }
    }
    if !matches!(m.types[params[0]], TypeKind::Int(32)) || !types().all(|(want, got)| is(m, want, got, &dims, text)) {
        return not_so;
    }
    text.clear();
    if !op.is_plain() {
        for (&ty, allowed) in dims.iter().zip(op.overloads) {
            // Types of users may have been renamed when modules were merged.
            if allowed.scalar & (kind::UDT | kind::OBJECT) != 0 {
                return None;
            }
            text.push('.');
            m.overload_name(ty?, text);
        }
    }
    if suffix == *text { None } else { not_it }
}

/// Learns an overloaded dimension from a type.
fn bind(m: &Module, want: OpTy, got: Type, dims: &mut Dims) {
    let (n, ty) = match want {
        // A structure of the user's is passed by a pointer into the memory where it lies.
        OpTy::O => (0, m.types.pointee(got).or(Some(got))),
        OpTy::Object => (0, Some(got)),
        OpTy::X(n) => (n, Some(got)),
        OpTy::UdtPtr => (0, m.types.pointee(got)),
        OpTy::Gs(n) => (n, m.types.pointee(got)),
        OpTy::ResRet | OpTy::CBufRet | OpTy::OVec4 => (0, m.types.fields(got).and_then(|f| f.types.first().copied())),
        OpTy::OVec2 | OpTy::OVec9 => (0, Some(m.types.scalar(got))),
        _ => return,
    };
    if let Some(dim) = dims.get_mut(usize::from(n)) {
        *dim = dim.or(ty);
    }
}

/// Whether a type is the one that a row requires.
fn is(m: &Module, want: OpTy, got: Type, dims: &Dims, text: &mut String) -> bool {
    let kind = &m.types[got];
    let o = dims[0];
    let int = |bits: u32| *kind == TypeKind::Int(bits);
    let like_o = |bits: u32| match (o.map(|o| &m.types[o]), kind) {
        (Some(TypeKind::Vector { len: a, .. }), TypeKind::Vector { elem, len }) => a == len && m.types[*elem] == TypeKind::Int(bits),
        (Some(TypeKind::Vector { .. }) | None, _) => false,
        _ => int(bits),
    };
    let vector = |n: u32| matches!(*kind, TypeKind::Vector { elem, len } if Some(elem) == o && len == n);
    let named = |name: &str, fields: &[TypeKind]| is_struct(m, got, name, fields);
    let i32 = || TypeKind::Int(32);
    let opaque = |name: &str| {
        let is_ptr = |ty: Type| m.types.pointee(ty).is_some_and(|p| m.types[p] == TypeKind::Int(8));
        m.types.struct_name(got).and_then(|n| n.strip_prefix("dx.types.")) == Some(name)
            && m.types.fields(got).is_some_and(|f| matches!(*f.types, [p] if is_ptr(p)))
    };
    match want {
        OpTy::Void => *kind == TypeKind::Void,
        OpTy::I1 => int(1),
        OpTy::I8 | OpTy::U8 => int(8),
        OpTy::I16 => int(16),
        OpTy::I32 | OpTy::U32 => int(32),
        OpTy::I64 => int(64),
        OpTy::Half => *kind == TypeKind::Half,
        OpTy::Float => *kind == TypeKind::Float,
        OpTy::Double => *kind == TypeKind::Double,
        OpTy::FloatPtr => m.types.pointee(got).is_some_and(|p| m.types[p] == TypeKind::Float),
        OpTy::O => o == m.types.pointee(got).or(Some(got)),
        OpTy::Object => o == Some(got),
        OpTy::OI1 => like_o(1),
        OpTy::OI32 => like_o(32),
        OpTy::OElem => o.is_some_and(|o| m.types.scalar(o) == got),
        OpTy::OVec2 => vector(2),
        OpTy::OVec9 => vector(9),
        OpTy::OVec4 => match o.map(|o| &m.types[o]) {
            Some(TypeKind::Int(32)) => named("fouri32", &[const { TypeKind::Int(32) }; 4]),
            Some(TypeKind::Int(16)) => named("fouri16", &[const { TypeKind::Int(16) }; 4]),
            _ => false,
        },
        OpTy::UdtPtr => matches!(*kind, TypeKind::Pointer { pointee, space: 0 } if Some(pointee) == o),
        OpTy::X(n) => dims.get(usize::from(n)).copied().flatten() == Some(got),
        OpTy::Gs(n) => {
            let dim = dims.get(usize::from(n)).copied().flatten();
            matches!(*kind, TypeKind::Pointer { pointee, space: GROUPSHARED } if Some(pointee) == dim)
        }
        OpTy::Int2 => matches!(*kind, TypeKind::Vector { elem, len: 2 } if m.types[elem] == TypeKind::Int(32)),
        OpTy::Handle => opaque("Handle"),
        OpTy::HitObject => opaque("HitObject"),
        OpTy::NodeHandle => opaque("NodeHandle"),
        OpTy::NodeRecordHandle => opaque("NodeRecordHandle"),
        OpTy::ResRet => o.is_some_and(|o| is_res_ret(m, got, o, text)),
        OpTy::CBufRet => o.is_some_and(|o| is_cbuf_ret(m, got, o, text)),
        OpTy::Dimensions => named("Dimensions", &[const { TypeKind::Int(32) }; 4]),
        OpTy::SplitDouble => named("splitdouble", &[i32(), i32()]),
        OpTy::I32c => named("i32c", &[i32(), TypeKind::Int(1)]),
        OpTy::TwoI32 => named("twoi32", &[i32(), i32()]),
        OpTy::FourI32 => named("fouri32", &[const { TypeKind::Int(32) }; 4]),
        OpTy::SamplePos => named("SamplePos", &[TypeKind::Float, TypeKind::Float]),
        OpTy::ResourceProperties => named("ResourceProperties", &[i32(), i32()]),
        OpTy::ResBind => named("ResBind", &[i32(), i32(), i32(), TypeKind::Int(8)]),
        OpTy::NodeInfo => named("NodeInfo", &[i32(), i32()]),
        OpTy::NodeRecordInfo => named("NodeRecordInfo", &[i32(), i32()]),
    }
}

fn is_struct(m: &Module, got: Type, name: &str, fields: &[TypeKind]) -> bool {
    m.types.struct_name(got).and_then(|n| n.strip_prefix("dx.types.")) == Some(name)
        && m.types.fields(got).is_some_and(|f| f.types.iter().map(|&t| &m.types[t]).eq(fields))
}

fn has_name(m: &Module, got: Type, prefix: &str, o: Type, end: &str, text: &mut String) -> bool {
    text.clear();
    text.push_str(prefix);
    m.overload_name(o, text);
    text.push_str(end);
    m.types.struct_name(got) == Some(text.as_str())
}

/// Components and status.
fn is_res_ret(m: &Module, got: Type, o: Type, text: &mut String) -> bool {
    let count = if matches!(m.types[o], TypeKind::Vector { .. }) { 1 } else { 4 };
    let fields = m.types.fields(got).map_or(&[][..], |f| &f.types);
    has_name(m, got, "dx.types.ResRet.", o, "", text)
        && fields.len() == count + 1
        && fields[..count].iter().all(|&f| f == o)
        && m.types[fields[count]] == TypeKind::Int(32)
}

/// The 16 bytes of a row.
fn is_cbuf_ret(m: &Module, got: Type, o: Type, text: &mut String) -> bool {
    let native = &*m.data_layout == rtc_dxil_module::LAYOUT_NATIVE_16BIT;
    let (count, end) = match m.types[o] {
        TypeKind::Double | TypeKind::Int(64) => (2, ""),
        TypeKind::Half | TypeKind::Int(16) if native => (8, ".8"),
        _ => (4, ""),
    };
    let fields = m.types.fields(got).map_or(&[][..], |f| &f.types);
    has_name(m, got, "dx.types.CBufRet.", o, end, text) && fields.len() == count && fields.iter().all(|&f| f == o)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_dxil_module::Func;
    use rtc_dxil_module::Module;

    /// A module that calls one operation, as declared.
    fn calls(op: &DxilOp, overload: &[Type], m: &mut Module) -> Option<(Func, Vec<Value>)> {
        let f = m.dx_op(op.opcode, overload).ok()?;
        let params = m.types.signature(m.funcs[f].ty)?.1.to_vec();
        Some((f, params.into_iter().map(|ty| m.undef(ty)).collect()))
    }

    #[test]
    fn what_is_declared_by_the_rows_fits_them() {
        let mut count = 0;
        for op in OPS {
            for n in 0..8 {
                let mut m = Module::new();
                let scalar = match n {
                    0 => m.types.half(),
                    1 => m.types.float(),
                    2 => m.types.double(),
                    3 => m.types.i1(),
                    4 => m.types.i8(),
                    5 => m.types.i16(),
                    6 => m.types.i32(),
                    _ => m.types.i64(),
                };
                let vector = m.types.vector(scalar, 3);
                let record = m.types.named_struct("struct.Record", &[scalar]);
                for ty in [scalar, vector, record] {
                    let overload = vec![ty; if op.is_plain() { 0 } else { op.overloads.len() }];
                    let Some((callee, args)) = calls(op, &overload, &mut m) else { continue };
                    let call = Call { op, inst: Inst::number(0), args: &args, callee };
                    assert_eq!(mismatch(&m, call, &mut String::new()), None, "{}: {}", op.name, m.funcs[callee].name);
                    count += 1;
                }
            }
        }
        assert!(count > OPS.len());
    }
}
