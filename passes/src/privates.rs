//! `privates`: private globals (HLSL's `static` variables) become locals of each function that the host can
//! start. Their initial values are stores at the start of the entry points already; after inlining no two
//! functions share a variable.
//!
//! Two functions share one that has initial bits if a linker brings them together: an exported function and a shader that calls it
//! from another library, or a shader whose call comes back. Those keep it in memory.

use rtc_base::{EntitySet, PackedOption, PrimaryMap, SecondaryMap};
use rtc_ir::debug::{Named, Program, VarData};
use rtc_ir::{Func, Function, Global, GlobalKind, InstData, Local, LocalData, Module, Root};

use crate::util::all_insts;
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let is_private = |k: &GlobalKind| matches!(k, GlobalKind::Private(..));
    if !m.globals.values().any(|g| is_private(&g.kind)) {
        return Ok(Changed::No);
    }
    let open: EntitySet<Func> = m.funcs.iter().filter(|(_, f)| !f.is_entry() || calls_others(m, f)).map(|(id, _)| id).collect();
    let shared = shared(m, &open);
    let old = std::mem::take(&mut m.globals);
    let mut new_number: SecondaryMap<Global, PackedOption<Global>> = SecondaryMap::new();
    let mut kept = PrimaryMap::new();
    for (g, data) in &old {
        if !is_private(&data.kind) || shared.contains(g) {
            new_number[g] = Some(kept.push(data.clone())).into();
        }
    }
    let program = m.debug.as_deref();
    for (id, f) in m.funcs.iter_mut() {
        let open = open.contains(id);
        function(f, &old, |g| new_number[g].expand().filter(|_| open || !is_private(&old[g].kind)), program);
    }
    m.globals = kept;
    Ok(Changed::Yes)
}

/// Whether a function calls what another library defines.
fn calls_others(m: &Module, f: &Function) -> bool {
    all_insts(f)
        .into_iter()
        .any(|i| matches!(f.insts[i], InstData::Call { func, .. } if m.funcs[func].declared && m.funcs[func].inline.is_none()))
}

/// The variables that stay in memory: those with initial bits which the functions `open` use, that others call or which call others.
fn shared(m: &Module, open: &EntitySet<Func>) -> EntitySet<Global> {
    let mut out = EntitySet::new();
    for (_, f) in m.funcs.iter().filter(|(id, _)| open.contains(*id)) {
        for p in f.places.values() {
            if let Root::Global(g) = p.root
                && matches!(m.globals[g].kind, GlobalKind::Private(_, Some(_)))
            {
                out.insert(g);
            }
        }
    }
    out
}

fn function(
    f: &mut Function,
    old: &PrimaryMap<Global, rtc_ir::GlobalData>,
    new_number: impl Fn(Global) -> Option<Global>,
    program: Option<&Program>,
) {
    let mut locals: SecondaryMap<Global, PackedOption<Local>> = SecondaryMap::new();
    f.map_places(|f, place| {
        let Root::Global(g) = place.root else {
            return;
        };
        if let Some(n) = new_number(g) {
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
            && let Some(n) = new_number(*global)
        {
            *global = n;
        }
    }
}
