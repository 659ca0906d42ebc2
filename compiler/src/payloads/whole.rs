//! Payload layouts of a library that is all that there is (`-payload-layout=whole`): qualifiers that are not declared are inferred, and each scalar takes as
//! few bits as what the shaders store into it allows.
//!
//! Where that cannot be known, since a function of another library may use the payload, nothing traces with it, or no shader gets it, it keeps the declared
//! layout.

use rtc_base::{SourceMap, Span};
use rtc_ir::{Module, Paq, Struct};
use rtc_passes::payload_layout::{Contents, Plan, ShaderFacts, Unpacked, plan, plan_whole};
use rtc_passes::{Level, StageName, pipeline, run_passes};

use super::{agree, declared_at, types};
use crate::front_end::Front;
use crate::paq;
use crate::run_passes::PASS_CTX;

/// A payload type of the library as written.
struct Written {
    ty: Struct,
    name: String,
    declared: Span,
    /// Its inferred qualifiers, in the order of its fields; none: it has declared ones. Or why they are not known.
    qualifiers: Result<Option<Vec<Paq>>, String>,
}

/// Facts about the payload types of a library before any pass.
pub(crate) struct Whole(Vec<Written>);

/// A payload type that keeps its declared layout: its name, where it is declared, and why.
pub(crate) type Kept = (String, Span, Unpacked);

impl Whole {
    /// Reads the program as written.
    pub fn of(front: &Front, sources: &SourceMap) -> Whole {
        let m = &front.module;
        let inferred = paq::of_front(front, sources);
        let other = m.funcs.values().find(|f| f.declared && f.inline.is_none());
        let written = types(m).into_iter().map(|ty| {
            let name = m.structs[ty].name.clone();
            let found = inferred.iter().find(|p| p.name == name);
            let qualifiers = match (other, found) {
                (Some(f), _) => Err(format!("the function `{}` of another library may trace with it", f.name)),
                (None, None) => Err("its shaders are not known".to_owned()),
                (None, Some(p)) if !p.refused.is_empty() => Err(p.refused.join("; ")),
                _ if plan(m, ty, ShaderFacts::default()).is_ok() => Ok(None),
                (None, Some(p)) => {
                    let mut all = vec![Paq::default(); p.members.len()];
                    for f in &p.fields {
                        let q = &mut all[f.member];
                        *q = Paq { read: q.read | f.solved.read, write: q.write | f.solved.write };
                    }
                    Ok(Some(all))
                }
            };
            Written { ty, declared: declared_at(front, &name), name, qualifiers }
        });
        Whole(written.collect())
    }

    /// The layouts of the types in `m`, in which everything is inlined, and those that keep the declared one.
    pub fn plans(&self, m: &Module) -> (Vec<(Struct, Plan)>, Vec<Kept>) {
        let mut seen = m.clone();
        // Nothing is folded: a number that the compiler computes may differ in its last bit from what the device computes.
        let passes: Vec<&str> = pipeline(Level::O2).stage(StageName::Ssa).iter().copied().chain(["dce"]).collect();
        // Where they fail, so does the compilation, with their errors.
        let contents = match run_passes(&mut seen, &passes, &PASS_CTX) {
            Ok(_) => Contents::of(&seen),
            Err(_) => Contents::default(),
        };
        let (mut plans, mut kept) = (Vec::new(), Vec::new());
        for w in &self.0 {
            let planned = match &w.qualifiers {
                Ok(paqs) => plan_whole(m, w.ty, agree::shader_facts(m, w.ty), paqs.as_deref(), &contents),
                Err(why) => Err(Unpacked::Open(why.clone())),
            };
            match planned {
                Ok(plan) => plans.push((w.ty, plan)),
                Err(why) => kept.push((w.name.clone(), w.declared, why)),
            }
        }
        (plans, kept)
    }
}
