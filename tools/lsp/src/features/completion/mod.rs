//! Completion: what can be written at a position.
//!
//! The tokens around the position say what is expected ([`context`]). Much of that comes from the tables of the language at once. Everything else
//! needs an analysis of the text as it is: with the probe in place of the word, or without the annotation that is being written, so that the
//! declaration is not lost ([`Purpose`]).

mod attributes;
mod context;
mod files;
mod program;
mod registers;
mod semantics;
mod subobjects;

use std::sync::Arc;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionList, Documentation, MarkupContent, MarkupKind, Position, Range};
use rtc::ProfileKind;
use rtc_frontend::lex::Kind;
use rtc_tables::payload_access::PaqStage;

use crate::features::cursor::{Cursor, Scope};
use crate::snapshot::Snapshot;
use crate::worker::PROBE;
use crate::workspace::{Document, Workspace};
use context::{Annotated, At, Context, Quoted};

/// What a completion needs.
#[derive(Debug)]
pub enum Prepared {
    /// Nothing more.
    Ready(CompletionList),
    /// An analysis of this text.
    Probe(Arc<str>, Purpose),
}

/// What an analysis of a text is for.
#[derive(Clone, Debug)]
pub enum Purpose {
    /// What can be written in place of the probe.
    Program,
    /// A register or a space; the text is without the annotation.
    Register(Annotated),
    /// A Vulkan binding or set, or the binding of a counter; the text is without the attribute.
    Binding(Annotated, bool),
    /// A semantic in place of the probe: the scope, and whether parameters come before.
    Semantic(Scope, bool),
    /// A value of a subobject: its type, the number of the value, the range in a text.
    Subobject(String, usize, Option<Range>),
    /// The name of a function.
    Function,
}

/// What is to be completed at a position of a document. `trigger`: the character that was typed, if the client requests only because of that.
pub fn prepare(w: &Workspace, path: &str, position: Position, trigger: Option<&str>) -> Option<Prepared> {
    let d = w.documents.get(path)?;
    let offset = d.lines.offset(&d.text, position, w.columns);
    context::context(&d.text, offset, |at, cursor| {
        // These characters are typed everywhere in programs, where names are requested by letters.
        let noisy = trigger.is_some_and(|t| ["(", ",", "{", "<", " "].contains(&t));
        if noisy && at.context == Context::Program {
            return Some(ready(Vec::new()));
        }
        Some(of_context(w, d, path, &at, &cursor))
    })
}

fn ready(items: Vec<CompletionItem>) -> Prepared {
    Prepared::Ready(CompletionList { is_incomplete: false, items })
}

fn of_context(w: &Workspace, d: &Document, path: &str, at: &At, c: &Cursor<'_>) -> Prepared {
    let options = w.roots.get(&w.root_of(path)).and_then(|r| r.options.as_ref());
    let with = |range: (usize, usize), new: &str| -> Arc<str> {
        let mut text = d.text.to_string();
        text.replace_range(range.0..range.1, new);
        text.into()
    };
    ready(match &at.context {
        Context::Nothing => Vec::new(),
        Context::Directive => files::directives(),
        Context::Macro(condition) => files::macro_names(w, path, &d.text, *condition),
        Context::Pragma => files::pragmas(),
        Context::Include(written, angled) => {
            let dirs = options.map_or(&[][..], |o| &o.include_dirs);
            files::includes(&w.overlay, path, written, *angled, dirs)
        }
        Context::AttributeText(name) if name == "patchconstantfunc" => {
            return Prepared::Probe(d.text.clone(), Purpose::Function);
        }
        Context::AttributeText(name) => attributes::texts(name).unwrap_or_default(),
        Context::RootSignature(before) => {
            // A word that is half written is not before the position.
            let end = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
            let words = rtc_rootsig::about::expected(&before[..end]);
            let item = |word: String| {
                let about = rtc_rootsig::about::about(&word).unwrap_or_default();
                plain(&word, CompletionItemKind::KEYWORD, &about)
            };
            words.into_iter().map(item).collect()
        }
        Context::Attribute => {
            let single = options.and_then(|o| match o.profile.kind {
                ProfileKind::Shader(stage) => Some((stage, o.entry.as_str())),
                _ => None,
            });
            attributes::attributes(c, at.scope, single)
        }
        Context::VkAttribute => attributes::vk_attributes(c, at.scope),
        Context::AccessStage => {
            let stages = PaqStage::IN_FLOW_ORDER.iter();
            stages.map(|s| plain(s.name(), CompletionItemKind::ENUM_MEMBER, "stage")).collect()
        }
        Context::Annotation => {
            let after_parameters = c.kind(1) == Some(Kind::RParen);
            return Prepared::Probe(with(at.word, PROBE), Purpose::Semantic(at.scope, after_parameters));
        }
        Context::Register(a) => {
            let text = with(a.bytes, if a.goes_on { "" } else { ";" });
            return Prepared::Probe(text, Purpose::Register(a.clone()));
        }
        Context::Binding(a, counter) => return Prepared::Probe(with(a.bytes, ""), Purpose::Binding(a.clone(), *counter)),
        Context::Subobject(ty, slot, quoted) => {
            let braces = if context::braces_close(c.after) { "" } else { " };" };
            let (range, text) = match quoted {
                Quoted::No => (None, with(at.word, &format!("{PROBE}{braces}"))),
                Quoted::Yes { from, to, end, closed } => {
                    let range = d.lines.span(&d.text, *from..*to, w.columns);
                    let missing = if *closed { braces } else { "\" };" };
                    (Some(range), with((*end, *end), missing))
                }
            };
            return Prepared::Probe(text, Purpose::Subobject(ty.clone(), *slot, range));
        }
        Context::Program => {
            let mut text = d.text.to_string();
            // What is inserted later in the text comes first, so that offsets stay.
            if at.scope == Scope::Function
                && let Some((offset, missing)) = context::missing(c)
            {
                text.insert_str(offset, &missing);
            }
            text.replace_range(at.word.0..at.word.1, PROBE);
            return Prepared::Probe(text.into(), Purpose::Program);
        }
    })
}

/// The completions that an analysis of a document gives.
pub fn complete(s: &Snapshot, path: &str, purpose: &Purpose) -> CompletionList {
    let file = s.file(path);
    let items = match purpose {
        Purpose::Program => program::complete(s),
        Purpose::Register(a) => file.map(|f| registers::of_register(s, f, a)).unwrap_or_default(),
        Purpose::Binding(a, counter) => file.map(|f| registers::of_binding(s, f, a, *counter)).unwrap_or_default(),
        Purpose::Semantic(scope, after_parameters) => semantics::complete(s, *scope, *after_parameters),
        Purpose::Subobject(ty, slot, quoted) => {
            let mut items = subobjects::complete(s, ty, *slot, *quoted);
            if !subobjects::is_text(ty, *slot) {
                items.extend(program::complete(s));
            }
            items
        }
        Purpose::Function => {
            let defined = s.analysis.module.funcs.values().filter(|f| f.method.is_none() && f.is_defined());
            defined.map(|f| plain(&f.qualified, CompletionItemKind::FUNCTION, "function")).collect()
        }
    };
    CompletionList { is_incomplete: false, items }
}

fn plain(label: &str, kind: CompletionItemKind, detail: &str) -> CompletionItem {
    CompletionItem { label: label.to_owned(), kind: Some(kind), detail: Some(detail.to_owned()), ..CompletionItem::default() }
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}
