//! LLVM attributes: each is allowed at its position, fits the type, and has no conflicting attribute.

use super::{Checked, want};
use rtc_dxil_module::{Attr, AttrKind, Attrs, FUNCTION_INDEX, Func, Module, Type, TypeKind};

/// The attributes of a declaration.
pub(super) fn function(m: &Module, func: Func) -> Checked {
    let f = &m.funcs[func];
    list(m, f.attrs, f.ty)
}

/// The attributes of a declaration or call with this function type.
pub(super) fn list(m: &Module, attrs: Attrs, ty: Type) -> Checked {
    let Some(list) = attrs.expand() else { return Ok(()) };
    let Some((ret, params, _)) = m.types.signature(ty) else { return Ok(()) };
    for &group in m.attrs.groups_of(list) {
        let data = m.attrs.group_data(group);
        let of = match data.place {
            FUNCTION_INDEX => None,
            0 => Some(ret),
            n => Some(*params.get(n as usize - 1).ok_or("has attributes of a parameter that it does not have")?),
        };
        let kinds: Vec<AttrKind> = data
            .attrs
            .iter()
            .filter_map(|a| match *a {
                Attr::Flag(kind) | Attr::Int(kind, _) => Some(kind),
                Attr::Text(..) => None,
            })
            .collect();
        for &kind in &kinds {
            one(m, kind, of, data.place)?;
        }
        for &(a, b) in OPPOSITES {
            if kinds.contains(&a) && kinds.contains(&b) {
                return Err(format!("has both attributes `{}` and `{}`", a.text(), b.text()));
            }
        }
        let alone = kinds.contains(&AttrKind::OptNone) && !kinds.contains(&AttrKind::NoInline);
        want(!alone, "has attribute `optnone` without `noinline`")?;
    }
    Ok(())
}

use AttrKind::*;

const OPPOSITES: &[(AttrKind, AttrKind)] = &[
    (ReadNone, ReadOnly),
    (NoInline, AlwaysInline),
    (SignExt, ZeroExt),
    (StructRet, Returned),
    (InAlloca, ReadOnly),
    (ByVal, InAlloca),
    (ByVal, StructRet),
    (ByVal, InReg),
    (ByVal, Nest),
    (OptNone, OptSize),
    (OptNone, MinSize),
];

/// Whether a kind of attribute is allowed at a position: none for the function, else the type of result or parameter.
fn one(m: &Module, kind: AttrKind, of: Option<Type>, place: u32) -> Checked {
    let pointers =
        matches!(kind, ByVal | InAlloca | Nest | NoAlias | NoCapture | NonNull | Dereferenceable | DereferenceableOrNull | StructRet);
    let values = pointers || matches!(kind, Align | InReg | SignExt | ZeroExt | Returned);
    let either = matches!(kind, ReadNone | ReadOnly);
    let text = kind.text();
    let Some(ty) = of else {
        return if values { Err(format!("has attribute `{text}`, which parameters have")) } else { Ok(()) };
    };
    if !values && !either {
        return Err(format!("has attribute `{text}`, which functions have, on a parameter or result"));
    }
    let pointer = matches!(m.types[ty], TypeKind::Pointer { .. });
    if (pointers || either) && !pointer {
        return Err(format!("has attribute `{text}` on something that is no pointer"));
    }
    if matches!(kind, SignExt | ZeroExt) && !m.types.is_int(ty) {
        return Err(format!("has attribute `{text}` on something that is no integer"));
    }
    let parameters = matches!(kind, ByVal | InAlloca | Nest | StructRet | NoCapture | Returned | ReadNone | ReadOnly);
    if place == 0 && parameters {
        return Err(format!("has attribute `{text}` on its result"));
    }
    Ok(())
}
