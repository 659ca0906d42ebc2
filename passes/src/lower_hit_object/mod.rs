//! `lower_hit_object`: lowers hit objects (SER) to structures and plain traces, for devices without them.
//!
//! A hit object becomes a structure in a local variable, which SROA splits later: its state, its ray, and those parts of the hit
//! that some shader reads ([`parts`]). To make one by tracing, a ray is traced whose closest-hit shader is a generated
//! *recorder* that puts the hit into the payload; any-hit and intersection shaders are those of the hit group. To
//! invoke one, a ray is traced that hits nothing (its mask is 0) and whose row of the miss table has the shader: miss
//! shaders as they are, closest-hit shaders compiled as miss shaders that read the hit from the payload.
//! The ray is that of the hit object and ends at the hit, so its system values are right without further work; and miss shaders
//! may trace, so recursion works as before. The layout of the shader tables for this is described in
//! [`rtc_tables::hit_lowering`].
//!
//! There is one hit group table, and its groups record; so in a library that traces into hit objects, other traces
//! become traces into hit objects that are invoked at once, which means the same (DXR specification, HitObject::Invoke).
//!
//! | file | what |
//! |---|---|
//! | `survey` | how the module uses hit objects; programs that cannot be lowered |
//! | `parts` | the parts of a hit, one row each |
//! | `layout` | the structures |
//! | `object` | a hit object in a variable |
//! | `values` | out-of-SSA: values become variables, also across control flow |
//! | `ops` | instructions on hit objects |
//! | `shaders` | what entry points turn into; recorders |
//! | `attributes` | attributes as words |

mod attributes;
mod layout;
mod object;
mod ops;
pub(crate) mod outcomes;
mod parts;
mod shaders;
mod survey;
mod values;

use rtc_ir::{Function, Module, Stage, Type, TypeKind};

use crate::{Changed, PassCtx, PassError};
use layout::Layout;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let mut survey = survey::survey(m);
    if !survey.any {
        return Ok(Changed::No);
    }
    let errors = survey::refuse(m, &survey);
    if !errors.is_empty() {
        return Err(PassError::Invalid(errors));
    }
    let mut layout = Layout::new(m, &survey);
    let object = layout.object.ty;
    for s in m.structs.keys() {
        for n in 0..m.structs[s].fields.len() {
            m.structs[s].fields[n].ty = object_type(m, object, m.structs[s].fields[n].ty);
        }
    }
    if survey.tables && survey.lacks_scene && survey.scene.is_none() {
        survey.scene = Some(shaders::declare_scene(m));
    }
    let tail = survey.tables.then(|| shaders::declare_tail(m, &survey));
    let mut f = Function::new("", Stage::Library);
    for id in m.funcs.keys() {
        std::mem::swap(&mut f, &mut m.funcs[id]);
        values::Lowering::new(m, &survey, &mut layout, tail, &mut f).run();
        std::mem::swap(&mut f, &mut m.funcs[id]);
    }
    if let Some(tail) = tail {
        shaders::recorders(m, &layout, tail);
    }
    Ok(Changed::Yes)
}

/// Whether some function of the module creates, reads or reorders by hit objects.
pub fn uses_hit_objects(m: &Module) -> bool {
    m.funcs.values().any(survey::uses_them)
}

/// The type `t` with hit objects replaced by structures. Structures keep their ids.
fn object_type(m: &mut Module, object: Type, t: Type) -> Type {
    match m.types.kind(t) {
        TypeKind::HitObject => object,
        TypeKind::Array(e, n) => {
            let e = object_type(m, object, e);
            m.types.array(e, n)
        }
        _ => t,
    }
}
