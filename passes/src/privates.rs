//! `privates`: private globals (HLSL's `static` variables) become locals of each function that the host can
//! start. Their initial values are stores at the start of the entry points already; after inlining no two
//! functions share a variable.

use rtc_base::{PackedOption, PrimaryMap, SecondaryMap};
use rtc_ir::debug::{Named, Program, VarData};
use rtc_ir::{Function, Global, GlobalKind, InstData, Local, LocalData, Module, Root};

use crate::util::all_insts;
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let is_private = |k: &GlobalKind| matches!(k, GlobalKind::Private(_));
    if !m.globals.values().any(|g| is_private(&g.kind)) {
        return Ok(Changed::No);
    }
    let old = std::mem::take(&mut m.globals);
    let mut new_number: SecondaryMap<Global, PackedOption<Global>> = SecondaryMap::new();
    let mut kept = PrimaryMap::new();
    for (g, data) in &old {
        if !is_private(&data.kind) {
            new_number[g] = Some(kept.push(data.clone())).into();
        }
    }
    let program = m.debug.as_deref();
    for f in m.funcs.values_mut() {
        function(f, &old, &new_number, program);
    }
    m.globals = kept;
    Ok(Changed::Yes)
}

fn function(
    f: &mut Function,
    old: &PrimaryMap<Global, rtc_ir::GlobalData>,
    new_number: &SecondaryMap<Global, PackedOption<Global>>,
    program: Option<&Program>,
) {
    let mut locals: SecondaryMap<Global, PackedOption<Local>> = SecondaryMap::new();
    f.map_places(|f, place| {
        let Root::Global(g) = place.root else {
            return;
        };
        if let Some(n) = new_number[g].expand() {
            place.root = Root::Global(n);
            return;
        }
        let l = match locals[g].expand() {
            Some(l) => l,
            None => {
                let l = f.push(LocalData { precise: old[g].precise, ..LocalData::new(old[g].ty(), old[g].name.clone()) });
                locals[g] = Some(l).into();
                l
            }
        };
        place.root = Root::Local(l);
    });
    if let Some(d) = &mut f.debug {
        for (g, data) in old {
            if let Some(l) = locals[g].expand() {
                let known = program.and_then(|p| p.globals.iter().find(|k| k.symbol == data.symbol));
                // As the reference compiler names variables of the program in a function.
                let name = match known {
                    Some(k) => format!("global.{}", k.name),
                    None => data.name.clone(),
                };
                let var = VarData {
                    name,
                    hlsl: String::new(),
                    ty: data.ty(),
                    span: data.span,
                    site: None.into(),
                    debug_ty: known.map(|k| k.ty).into(),
                    arg: 0,
                };
                d.locals[l] = Some(Named { var: d.vars.push(var), path: Default::default() });
            }
        }
    }
    for i in all_insts(f) {
        if let InstData::Resource { global, .. } = &mut f.insts[i]
            && let Some(n) = new_number[*global].expand()
        {
            *global = n;
        }
    }
}
