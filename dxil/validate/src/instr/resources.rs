//! Rules about resource handles: their origin, and the operands of the operations that create them.

use super::*;
use handles::Props;
use rtc_dxil_container::ResourceKind;

/// Whether an argument is a handle whose resource is known; if not, that is reported.
pub(super) fn handle(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, value: Value) -> bool {
    if is_nothing(cx.m, value) {
        let text = format!("{} gets an undefined handle", call.op.name);
        cx.inst(rule::INSTR_UNINITIALIZED, here, call.inst, text);
        return false;
    }
    let props = handles::of(cx, value).props;
    if props.class().is_none() {
        let text = match value {
            Value::Inst(i) if cx.call(here.body, i).is_some() => "does not say what the resource is",
            _ => "does not come from an operation that makes handles",
        };
        cx.inst(rule::INSTR_HANDLE_SOURCE, here, call.inst, format!("the handle {text}"));
        return false;
    }
    if props.reorder_coherent() && !since(cx, 9) {
        cx.inst(rule::INSTR_REORDER_COHERENT, here, call.inst, "the resource is reordercoherent");
    }
    true
}

/// The constants of `createHandle` name a record, and an element of it.
pub(super) fn create_handle(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    // Libraries have no such handles: another rule says so.
    if cx.info.is_library() {
        return;
    }
    let &[_, class, range, index, _] = call.args else { return };
    let (Some(class), Some(range)) = (unsigned(cx, class), unsigned(cx, range)) else {
        return cx.inst(rule::INSTR_CONST_RANGE, here, call.inst, "class and number of a resource must be constants");
    };
    let class = ResourceClass::from_number(class & 0xFF);
    let Some(r) = class.and_then(|c| handles::record(cx, c, range)) else {
        let text = format!("there is no resource {range} of this class");
        return cx.inst(rule::INSTR_CONST_RANGE, here, call.inst, text);
    };
    let is_array = r.ty.is_some_and(|ty| matches!(cx.m.types[ty], rtc_dxil_module::TypeKind::Array { .. }));
    let text = match unsigned(cx, index) {
        None if !is_array => "a resource that is no array has no varying index".to_owned(),
        Some(n) if n < r.lower || n > r.last() => format!("index {n} lies outside {}..{}", r.lower, r.last()),
        _ => return,
    };
    cx.inst(rule::INSTR_CONST_RANGE, here, call.inst, text);
}

/// The binding of `createHandleFromBinding` is a constant, and a constant index lies inside.
pub(super) fn from_binding(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let &[_, bind, index, _] = call.args else { return };
    let fields = match bind {
        Value::Const(c) => match &cx.m.consts[c].kind {
            ConstKind::Null => Some([0; 4]),
            ConstKind::Aggregate(fields) => match **fields {
                [lower, upper, space, class] => {
                    let all = [lower, upper, space, class].map(|v| unsigned(cx, v));
                    all.iter().all(Option::is_some).then(|| all.map(Option::unwrap_or_default))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let Some([lower, upper, _, class]) = fields else {
        return cx.inst(rule::INSTR_CONST_RANGE, here, call.inst, "the binding must be a constant");
    };
    if ResourceClass::from_number(class & 0xFF).is_none() {
        let text = format!("there is no resource class {class}");
        return cx.inst(rule::INSTR_CONST_RANGE, here, call.inst, text);
    }
    if let Some(n) = unsigned(cx, index)
        && !(lower..=upper).contains(&n)
    {
        let text = format!("index {n} lies outside the binding, {lower}..{upper}");
        cx.inst(rule::INSTR_CONST_RANGE, here, call.inst, text);
    }
}

/// The properties of `annotateHandle` are a constant that is some resource.
pub(super) fn annotate(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let kind = call.args.get(2).and_then(|&p| Props::constant(cx.m, p)).map_or(ResourceKind::Invalid, Props::kind);
    if kind == ResourceKind::Invalid {
        cx.inst(rule::INSTR_CONST_RANGE, here, call.inst, "the properties are those of no resource");
    }
}

/// What is checked for mapping is the status that a load gave.
pub(super) fn check_access(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let status = match call.args[1] {
        Value::Inst(i) => match here.body.insts[i].op {
            Op::ExtractValue { value, path } => cx.ty(here, value).is_some_and(|ty| {
                let last = cx.m.types.fields(ty).map_or(0, |f| f.types.len()).wrapping_sub(1);
                cx.instr.class(ty) == TypeClass::ResRet && here.body.path(path) == [last as u32]
            }),
            _ => false,
        },
        _ => false,
    };
    if !status {
        cx.inst(rule::INSTR_CHECK_ACCESS, here, call.inst, "the argument is not the status of a load");
    }
}
