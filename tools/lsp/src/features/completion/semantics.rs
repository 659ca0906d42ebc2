//! Completion after a declarator's colon: the semantics that are legal there, registers, packing, payload access qualifiers.

use lsp_types::{CompletionItem, CompletionItemKind};
use rtc_frontend::hir::{Param, RecordId};
use rtc_tables::signature::{SEMANTICS, Semantic};
use rtc_tables::stages::Stage;

use super::{markdown, plain};
use crate::features::cursor::Scope;
use crate::features::reach::{Signature, of_parameter, uses};
use crate::features::semantics;
use crate::snapshot::Snapshot;
use crate::worker::PROBE;

/// What has the probe as its semantic.
enum Owner {
    /// The result or a parameter of an entry point, or of another function.
    Signature(Vec<Signature>),
    /// A member.
    Member(RecordId),
}

fn owner(s: &Snapshot) -> Option<Owner> {
    let m = &s.analysis.module;
    let probe = s.analysis.names.get(PROBE)?;
    for f in m.funcs.values() {
        // Of a patch constant function the hull shader decides.
        let stage = m.shader_functions().find(|(g, _)| m.funcs[*g].span == f.span).map_or(f.stage, |(_, e)| m.funcs[e].stage);
        let none = stage == Stage::Library;
        if f.ret_semantic == Some(probe) {
            return Some(Owner::Signature(if none { Vec::new() } else { vec![Signature { stage, output: true }] }));
        }
        if let Some(p) = f.params.iter().find(|p: &&Param| p.semantic == Some(probe)) {
            return Some(Owner::Signature(if none { Vec::new() } else { of_parameter(m, stage, p.pass, p.ty) }));
        }
    }
    m.types.records.iter().find(|(_, r)| r.fields.iter().any(|f| f.semantic == Some(probe))).map(|(id, _)| Owner::Member(id))
}

/// What can be written in place of the probe.
pub fn complete(s: &Snapshot, scope: Scope, after_parameters: bool) -> Vec<CompletionItem> {
    let word = |label: &str, about: &str| CompletionItem {
        sort_text: Some(format!("0{label}")),
        ..plain(label, CompletionItemKind::KEYWORD, about)
    };
    let found = owner(s);
    let mut out = Vec::new();
    let signatures = match &found {
        Some(Owner::Member(r)) => {
            let record = &s.analysis.module.types.records[*r];
            let used = uses(&s.analysis.module, *r);
            // Payloads are the only structures of ray tracing shaders with annotations.
            if record.raypayload || used.is_empty() || used.iter().any(|u| u.stage.is_raytracing()) {
                out.push(word("read", "read(stages): the stages that read the member of the payload"));
                out.push(word("write", "write(stages): the stages that write the member of the payload"));
            }
            if record.raypayload {
                return out;
            }
            used
        }
        Some(Owner::Signature(list)) => list.clone(),
        None => Vec::new(),
    };
    match scope {
        Scope::Block => {
            return vec![word("packoffset", "packoffset(c0.x): where the member is in the buffer"), word("register", "register(c0)")];
        }
        Scope::Global if found.is_none() && !after_parameters => {
            return vec![word("register", "register(t0, space0): where the resource is bound")];
        }
        _ => {}
    }
    out.extend(legal(&signatures));
    out
}

/// The system values that are legal at one of these signatures, or all if there are none.
fn legal(signatures: &[Signature]) -> Vec<CompletionItem> {
    let mut out: Vec<CompletionItem> = Vec::new();
    let all = signatures.is_empty();
    let compute = all || signatures.iter().any(|s| s.stage == Stage::Compute && !s.output);
    for row in SEMANTICS.iter().filter(|r| r.semantic != Semantic::Arbitrary) {
        let at_points = signatures.iter().flat_map(|s| s.points()).any(|p| row.semantic.at(p).is_some());
        if all || at_points || compute && row.semantic.is_of_compute() {
            let text = semantics::describe(row.semantic).join("\n\n");
            out.push(CompletionItem {
                documentation: Some(markdown(text)),
                sort_text: Some(format!("1{}", row.name)),
                ..plain(row.name, CompletionItemKind::ENUM_MEMBER, &row.demand.text().replace('`', ""))
            });
        }
    }
    out
}
