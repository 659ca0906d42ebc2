//! Completion: what can be written at a position.
//!
//! Where the tokens before the position say what is expected (a directive, an attribute, a semantic), the answer comes from the tables of the
//! language. Otherwise the word is replaced by the probe, the source is analysed, and the index says what is visible at the probe: names in scope,
//! or the members of what is before the dot.

use std::sync::Arc;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, Documentation, MarkupContent, MarkupKind, Position,
};
use rtc_base::Interner;
use rtc_frontend::hir::{Ty, TyKind};
use rtc_frontend::index::{Entity, Visible};
use rtc_frontend::lex::{Flags, Kind, RawToken, lex_file};
use rtc_tables::intrinsics::{self, Intrinsic, Scope};
use rtc_tables::stages::Stage;
use rustc_hash::FxHashSet;

use super::describe::{describe, intrinsic};
use super::macros;
use crate::overlay::Overlay;
use crate::paths::{folder, normal};
use crate::snapshot::Snapshot;
use crate::worker::PROBE;
use crate::workspace::Workspace;

/// What a completion needs.
#[derive(Debug)]
pub enum Prepared {
    /// Nothing more.
    Ready(CompletionList),
    /// An analysis of this text.
    Probe(Arc<str>),
}

/// What the tokens before a position say.
#[derive(Clone, PartialEq, Debug)]
enum Context {
    /// Nothing can be completed: a comment, a number, a string.
    Nothing,
    /// The name of a directive.
    Directive,
    /// The name of a macro.
    Macro,
    /// The path of an include, so far.
    Include(String),
    /// The name of a stage, in quotes.
    StageName,
    /// A text of a subobject, in quotes: the type of the subobject and the number of the text.
    Subobject(String, usize),
    /// An attribute.
    Attribute,
    /// An attribute after `vk::`.
    VkAttribute,
    /// What follows a declarator's colon.
    Annotation,
    /// A stage of a payload access qualifier.
    AccessStage,
    /// An expression, a type, a statement, a member.
    Program {
        /// The bytes of the word at the position.
        word: (usize, usize),
    },
}

/// Tokens with their names, up to a position.
#[derive(Clone, Copy)]
struct Before<'a> {
    text: &'a str,
    tokens: &'a [RawToken],
    names: &'a Interner,
}

impl Before<'_> {
    /// The kind of the last token but `n`.
    fn kind(&self, n: usize) -> Option<Kind> {
        self.tokens.iter().rev().nth(n).map(|t| t.kind)
    }
    /// The text of the last token but `n`.
    fn word(&self, n: usize) -> &str {
        match self.tokens.iter().rev().nth(n) {
            Some(t) if t.kind == Kind::Ident => self.names.str(t.sym),
            _ => "",
        }
    }
    /// The tokens of the directive that is being written.
    fn directive(&self) -> Option<&[RawToken]> {
        let from = self.tokens.iter().rposition(|t| t.flags.contains(Flags::BOL))?;
        (self.tokens[from].kind == Kind::Hash).then(|| &self.tokens[from..])
    }
}

fn context(text: &str, offset: usize) -> Context {
    let mut names = Interner::new();
    let raw = lex_file(text, &mut names);
    let end = raw.tokens.partition_point(|t| (t.lo as usize) < offset && t.kind != Kind::Eof);
    let before = &raw.tokens[..end];
    let at = before.last().filter(|t| t.hi as usize >= offset).copied();
    let b = Before { text, tokens: if at.is_some() { &before[..end - 1] } else { before }, names: &names };
    let gap = match at {
        Some(_) => "",
        None => text.get(b.tokens.last().map_or(0, |t| t.hi as usize)..offset).unwrap_or(""),
    };
    if in_comment(gap) {
        return Context::Nothing;
    }
    // A new line ends a directive, unless a backslash joins it.
    let joined = !gap.contains('\n') || gap.trim_end_matches(['\r', '\n', ' ', '\t']).ends_with('\\');
    let continues = at.map_or(joined, |t| !t.flags.contains(Flags::BOL));
    let mut word = (offset, offset);
    match at {
        Some(t) if t.kind == Kind::Ident => word = (t.lo as usize, t.hi as usize),
        Some(t) if matches!(t.kind, Kind::Str | Kind::OpenStr) => return in_string(&b, &t, offset),
        Some(t) if matches!(t.kind, Kind::Number | Kind::Char | Kind::OpenComment | Kind::Unknown) => return Context::Nothing,
        // A punctuation before the position is part of what is before.
        Some(_) => return after_punctuation(&Before { text, tokens: before, names: &names }, word),
        None => {}
    }
    if let Some(directive) = b.directive().filter(|_| continues) {
        return match directive {
            [_] => Context::Directive,
            [_, word] if names.str(word.sym) == "define" => Context::Nothing,
            _ => Context::Macro,
        };
    }
    after_punctuation(&b, word)
}

fn in_comment(gap: &str) -> bool {
    let mut rest = gap;
    while let Some(i) = rest.find('/') {
        rest = &rest[i..];
        match rest.as_bytes().get(1) {
            Some(b'/') => match rest.find('\n') {
                Some(end) => rest = &rest[end..],
                None => return true,
            },
            Some(b'*') => match rest.get(2..).and_then(|r| r.find("*/")) {
                Some(end) => rest = &rest[end + 4..],
                None => return true,
            },
            _ => rest = &rest[1..],
        }
    }
    false
}

fn in_string(b: &Before<'_>, t: &RawToken, offset: usize) -> Context {
    if b.word(0) == "include" && b.kind(1) == Some(Kind::Hash) {
        let written = b.text.get(t.lo as usize + 1..offset).unwrap_or("");
        return Context::Include(written.to_owned());
    }
    if b.kind(0) == Some(Kind::LParen) && b.word(1) == "shader" {
        return Context::StageName;
    }
    // `TriangleHitGroup Group = { "AnyHit", "`
    let Some(open) = b.tokens.iter().rposition(|t| matches!(t.kind, Kind::LBrace | Kind::Semi)) else { return Context::Nothing };
    let slot = b.tokens[open..].iter().filter(|t| t.kind == Kind::Comma).count();
    let head = Before { tokens: &b.tokens[..open], ..*b };
    let is_subobject =
        b.tokens[open].kind == Kind::LBrace && head.kind(0) == Some(Kind::Assign) && subobject_types().any(|n| n == head.word(2));
    if is_subobject { Context::Subobject(head.word(2).to_owned(), slot) } else { Context::Nothing }
}

/// The names of the types of subobjects.
fn subobject_types() -> impl Iterator<Item = &'static str> {
    use rtc_tables::types::{OBJECTS, ObjectKind};
    OBJECTS.iter().filter(|o| matches!(o.kind, ObjectKind::Subobject)).map(|o| o.name)
}

/// What follows a punctuation. `b` ends with it.
fn after_punctuation(b: &Before<'_>, word: (usize, usize)) -> Context {
    let program = Context::Program { word };
    match b.kind(0) {
        Some(Kind::Hash) if b.tokens.last().is_some_and(|t| t.flags.contains(Flags::BOL)) => Context::Directive,
        Some(Kind::LBracket) => match b.kind(1) {
            None | Some(Kind::Semi | Kind::LBrace | Kind::RBrace | Kind::LBracket | Kind::Comma | Kind::LParen | Kind::Colon) => {
                Context::Attribute
            }
            Some(Kind::RBracket | Kind::RParen) if b.tokens.last().is_some_and(|t| t.flags.contains(Flags::BOL)) => Context::Attribute,
            _ => program,
        },
        Some(Kind::ColonColon) if b.word(1) == "vk" && b.kind(2) == Some(Kind::LBracket) => Context::VkAttribute,
        Some(Kind::Colon) => {
            let statement = b.tokens.iter().rev().skip(1);
            let mut statement = statement.take_while(|t| !matches!(t.kind, Kind::Semi | Kind::LBrace | Kind::RBrace));
            let expression = statement.any(|t| {
                let name = if t.kind == Kind::Ident { b.names.str(t.sym) } else { "" };
                t.kind == Kind::Question || matches!(name, "case" | "default" | "struct" | "class" | "interface" | "enum")
            });
            if expression { program } else { Context::Annotation }
        }
        Some(Kind::LParen | Kind::Comma) => {
            let open = b.tokens.iter().rposition(|t| t.kind == Kind::LParen);
            let closed = b.tokens.iter().rposition(|t| matches!(t.kind, Kind::RParen | Kind::Semi | Kind::LBrace));
            let access = open.filter(|o| closed.is_none_or(|c| c < *o)).is_some_and(|o| {
                let name = o.checked_sub(1).and_then(|i| b.tokens.get(i)).filter(|t| t.kind == Kind::Ident);
                let colon = o.checked_sub(2).and_then(|i| b.tokens.get(i)).is_some_and(|t| t.kind == Kind::Colon);
                colon && name.is_some_and(|t| matches!(b.names.str(t.sym), "read" | "write"))
            });
            if access { Context::AccessStage } else { program }
        }
        _ => program,
    }
}

/// What is to be completed at a position of a document.
pub fn prepare(w: &Workspace, path: &str, position: Position) -> Option<Prepared> {
    let d = w.documents.get(path)?;
    let offset = d.lines.offset(&d.text, position, w.columns);
    let item = |label: &str, kind: CompletionItemKind, detail: &str| plain(label, kind, detail);
    let items: Vec<CompletionItem> = match context(&d.text, offset) {
        Context::Nothing => Vec::new(),
        Context::Directive => DIRECTIVES.iter().map(|n| item(n, CompletionItemKind::KEYWORD, "directive")).collect(),
        Context::Macro => macro_names(w, path, &d.text),
        Context::Include(written) => includes(&w.overlay, path, &written),
        Context::StageName => {
            let names = rtc_tables::stages::STAGES.iter().map(|s| s.attribute).filter(|a| !a.is_empty());
            names.map(|n| item(n, CompletionItemKind::ENUM_MEMBER, "stage")).collect()
        }
        Context::Subobject(ty, slot) => exports(w, path, &ty, slot),
        Context::Attribute => ATTRIBUTES.iter().map(|(n, about)| item(n, CompletionItemKind::PROPERTY, about)).collect(),
        Context::VkAttribute => {
            let rows = rtc_tables::vk_attributes::VK_ATTRIBUTES.iter();
            rows.map(|a| item(a.name, CompletionItemKind::PROPERTY, &format!("for {}", a.what))).collect()
        }
        Context::Annotation => {
            let semantics = rtc_tables::signature::SEMANTICS.iter().map(|s| item(s.name, CompletionItemKind::ENUM_MEMBER, "system value"));
            let compute = ["SV_DispatchThreadID", "SV_GroupID", "SV_GroupThreadID", "SV_GroupIndex"];
            let compute = compute.map(|n| item(n, CompletionItemKind::ENUM_MEMBER, "system value"));
            let others = [
                ("register", "register(t0, space0)"),
                ("packoffset", "packoffset(c0.x)"),
                ("read", "read(stages)"),
                ("write", "write(stages)"),
            ];
            let others = others.map(|(n, about)| item(n, CompletionItemKind::KEYWORD, about));
            let mut all: Vec<CompletionItem> = others.into_iter().chain(semantics).chain(compute).collect();
            let mut seen = FxHashSet::default();
            all.retain(|i| seen.insert(i.label.clone()));
            all
        }
        Context::AccessStage => {
            let names = ["caller", "anyhit", "closesthit", "miss"];
            names.iter().map(|n| item(n, CompletionItemKind::ENUM_MEMBER, "stage")).collect()
        }
        Context::Program { word: (from, to) } => {
            let mut text = d.text.to_string();
            text.replace_range(from..to, PROBE);
            return Some(Prepared::Probe(text.into()));
        }
    };
    Some(Prepared::Ready(CompletionList { is_incomplete: false, items }))
}

fn plain(label: &str, kind: CompletionItemKind, detail: &str) -> CompletionItem {
    CompletionItem { label: label.to_owned(), kind: Some(kind), detail: Some(detail.to_owned()), ..CompletionItem::default() }
}

/// What a text of a subobject can name: the shaders of a hit group, by stage; of an association, the subobject and then its exports.
fn exports(w: &Workspace, path: &str, ty: &str, slot: usize) -> Vec<CompletionItem> {
    let Some(s) = w.roots.get(&w.root_of(path)).and_then(|r| r.snapshot.as_deref()) else { return Vec::new() };
    let module = &s.analysis.module;
    if ty.starts_with("SubobjectTo") && slot == 0 {
        let names = module.subobjects.iter().map(|o| s.analysis.names.str(o.name));
        return names.map(|n| plain(n, CompletionItemKind::VARIABLE, "subobject")).collect();
    }
    let stage = match (ty, slot) {
        ("TriangleHitGroup" | "ProceduralPrimitiveHitGroup", 0) => Some(Stage::AnyHit),
        ("TriangleHitGroup" | "ProceduralPrimitiveHitGroup", 1) => Some(Stage::ClosestHit),
        ("ProceduralPrimitiveHitGroup", 2) => Some(Stage::Intersection),
        _ if ty.starts_with("SubobjectTo") => None,
        _ => return Vec::new(),
    };
    let entries = module.entries().filter(|(_, f)| stage.is_none_or(|s| s == f.stage));
    entries.map(|(_, f)| plain(&f.qualified, CompletionItemKind::FUNCTION, f.stage.info().attribute)).collect()
}

/// The names of the macros that the document defines, and the files of its root, as they were analysed last.
fn macro_names(w: &Workspace, path: &str, text: &str) -> Vec<CompletionItem> {
    let mut all = macros::defined_in(text);
    if let Some(s) = w.roots.get(&w.root_of(path)).and_then(|r| r.snapshot.as_deref()) {
        s.files.iter().for_each(|f| all.extend(macros::defined_in(&f.text)));
    }
    let mut seen = FxHashSet::default();
    all.retain(|m| seen.insert(m.0.clone()));
    all.iter().map(|(name, line)| plain(name, CompletionItemKind::CONSTANT, line)).collect()
}

/// Files and folders in the folder of the document that an include could name.
fn includes(overlay: &Overlay, path: &str, written: &str) -> Vec<CompletionItem> {
    let sub = written.rsplit_once('/').map_or("", |s| s.0);
    let dir = normal(&format!("{}/{sub}", folder(path)));
    let mut names = rtc::Files::list(overlay, &dir);
    names.sort();
    let mut out = Vec::new();
    for name in names {
        let whole = format!("{dir}/{name}");
        let is_folder = std::path::Path::new(&whole).is_dir();
        if whole != path && !name.starts_with('.') {
            out.push(plain(&name, if is_folder { CompletionItemKind::FOLDER } else { CompletionItemKind::FILE }, ""));
        }
    }
    out
}

/// The completions at the probe of an analysis.
pub fn complete(s: &Snapshot) -> CompletionList {
    let mut items = Vec::new();
    match &s.analysis.index.visible {
        Some(v) => {
            names(s, v, &mut items);
            rows(s, v, &mut items);
            if let Some(t) = v.member_of {
                swizzles(s, t, &mut items);
            } else if !v.qualified {
                words(&mut items);
            }
        }
        None => {
            // The probe is where nothing is analysed: in the body of a template without instances, say.
            let mut seen = FxHashSet::default();
            for o in &s.analysis.index.occurrences {
                let name = s.analysis.names.str(o.name);
                if !matches!(o.entity, Entity::Local { .. } | Entity::Field(..) | Entity::Intrinsic(_))
                    && name != PROBE
                    && seen.insert(o.name)
                {
                    items.push(of_entity(s, name, o.entity, 1));
                }
            }
            words(&mut items);
        }
    }
    CompletionList { is_incomplete: false, items }
}

fn names(s: &Snapshot, v: &Visible, out: &mut Vec<CompletionItem>) {
    for n in &v.names {
        let name = s.analysis.names.str(n.name);
        // Names that no program can write: of unnamed structures, operators.
        if name != PROBE && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !name.starts_with("operator") {
            out.push(of_entity(s, name, n.entity, n.distance));
        }
    }
    out.sort_by(|a, b| (&a.sort_text, &a.label).cmp(&(&b.sort_text, &b.label)));
}

fn of_entity(s: &Snapshot, name: &str, e: Entity, distance: u32) -> CompletionItem {
    let m = &s.analysis.module;
    let kind = match e {
        Entity::Local { .. } | Entity::Global(_) | Entity::BlockMember(..) | Entity::Subobject(_) | Entity::Heap => {
            CompletionItemKind::VARIABLE
        }
        Entity::Field(..) => CompletionItemKind::FIELD,
        Entity::Function(f) if m.funcs[f].method.is_some() => CompletionItemKind::METHOD,
        Entity::Function(_) | Entity::Intrinsic(_) => CompletionItemKind::FUNCTION,
        Entity::Type(t) => match m.types.kind(t) {
            TyKind::Enum(_) => CompletionItemKind::ENUM,
            TyKind::Record(_) => CompletionItemKind::STRUCT,
            _ => CompletionItemKind::CLASS,
        },
        Entity::Template => CompletionItemKind::CLASS,
        Entity::Constant(t, _) if matches!(m.types.kind(t), TyKind::Enum(_)) => CompletionItemKind::ENUM_MEMBER,
        Entity::Constant(..) => CompletionItemKind::CONSTANT,
        Entity::Namespace => CompletionItemKind::MODULE,
    };
    let d = describe(s, name, e);
    let sort = format!("{}{name}", distance.min(9));
    CompletionItem { sort_text: Some(sort), ..plain(name, kind, &d.code) }
}

/// The intrinsics that are legal here: those of the stage, if the function is an entry point.
fn rows(s: &Snapshot, v: &Visible, out: &mut Vec<CompletionItem>) {
    let stage = v.function.map(|f| s.analysis.module.funcs[f].stage).filter(|s| *s != Stage::Library);
    let mut seen = FxHashSet::default();
    for row in intrinsics::all().filter(|r| v.intrinsics.contains(&r.scope)) {
        let legal = stage.is_none_or(|s| row.stages.has(s));
        if legal && seen.insert(row.name) && !out.iter().any(|i| i.label == row.name) {
            out.push(of_row(row));
        }
    }
}

fn of_row(row: &'static Intrinsic) -> CompletionItem {
    let method = matches!(row.scope, Scope::Method(_));
    let kind = if method { CompletionItemKind::METHOD } else { CompletionItemKind::FUNCTION };
    let text = intrinsic(row).join("\n\n");
    CompletionItem {
        sort_text: Some(format!("8{}", row.name)),
        documentation: Some(Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text })),
        tags: row.newer_name.map(|_| vec![CompletionItemTag::DEPRECATED]),
        ..plain(row.name, kind, &row.readable())
    }
}

/// The components of a vector, and the fields of textures that are not methods.
fn swizzles(s: &Snapshot, ty: Ty, out: &mut Vec<CompletionItem>) {
    let types = &s.analysis.module.types;
    match types.kind(ty) {
        TyKind::Vector(scalar, n @ 1..=4) => {
            let n = n as usize;
            for (set, first) in [("xyzw", '0'), ("rgba", '1')] {
                let mut add = |name: &str| {
                    let ty = if name.len() == 1 { scalar.name().to_owned() } else { format!("{}{}", scalar.name(), name.len()) };
                    let sort = format!("{first}{}{name}", name.len());
                    out.push(CompletionItem { sort_text: Some(sort), ..plain(name, CompletionItemKind::FIELD, &ty) });
                };
                (0..n).for_each(|i| add(&set[i..=i]));
                (2..=n).for_each(|i| add(&set[..i]));
            }
        }
        TyKind::Matrix { scalar, rows, cols, .. } => {
            for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
                out.push(plain(&format!("_m{r}{c}"), CompletionItemKind::FIELD, scalar.name()));
            }
        }
        TyKind::Resource(r) if r.kind.is_texture() => {
            let name = if r.kind.is_multisampled() { "sample" } else { "mips" };
            out.push(plain(name, CompletionItemKind::FIELD, "texels by level or sample"));
        }
        _ => {}
    }
}

/// Keywords and types of the language.
fn words(out: &mut Vec<CompletionItem>) {
    let keyword =
        |name: &&str| CompletionItem { sort_text: Some(format!("9{name}")), ..plain(name, CompletionItemKind::KEYWORD, "keyword") };
    out.extend(KEYWORDS.iter().map(keyword));
    let ty = |name: &str| CompletionItem { sort_text: Some(format!("9{name}")), ..plain(name, CompletionItemKind::CLASS, "type") };
    for scalar in SCALARS {
        out.push(ty(scalar));
        out.extend((2..=4).map(|n| ty(&format!("{scalar}{n}"))));
    }
    out.extend([2, 3, 4].map(|n| ty(&format!("float{n}x{n}"))));
    out.extend(["float3x4", "float4x3"].map(ty));
    let objects = rtc_tables::types::OBJECTS.iter().filter(|o| o.namespace.is_empty());
    out.extend(objects.map(|o| ty(o.name)));
    out.extend(rtc_tables::types::STRUCTS.iter().map(|o| ty(o.name)));
    for e in rtc_tables::types::ENUMS {
        out.push(ty(e.name));
        out.extend(e.items.iter().map(|i| CompletionItem {
            sort_text: Some(format!("9{}", i.0)),
            ..plain(i.0, CompletionItemKind::ENUM_MEMBER, &format!("{} = {:#x}", e.name, i.1))
        }));
    }
    for s in ["dx", "vk"] {
        out.push(CompletionItem { sort_text: Some(format!("9{s}")), ..plain(s, CompletionItemKind::MODULE, "namespace") });
    }
    let mut seen = FxHashSet::default();
    out.retain(|i| seen.insert(i.label.clone()));
}

const DIRECTIVES: [&str; 14] =
    ["include", "define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "error", "line", "pragma"];

const SCALARS: [&str; 9] = ["bool", "int", "uint", "float", "half", "double", "int16_t", "uint16_t", "uint64_t"];

#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "break", "case", "cbuffer", "class", "const", "continue", "default", "discard", "do", "else", "enum", "export", "extern", "false", "for",
    "globallycoherent", "groupshared", "if", "in", "inline", "inout", "interface", "namespace", "nointerpolation", "out", "precise", "reordercoherent",
    "return", "row_major", "column_major", "sizeof", "static", "struct", "switch", "tbuffer", "template", "this", "true", "typedef", "typename", "uniform",
    "using", "void", "while",
];

/// Attributes without a namespace.
#[rustfmt::skip]
const ATTRIBUTES: &[(&str, &str)] = &[
    ("shader",            "the stage of an entry point: [shader(\"raygeneration\")]"),
    ("raypayload",        "the structure is a ray payload with access qualifiers"),
    ("numthreads",        "the size of a thread group: [numthreads(8, 8, 1)]"),
    ("WaveSize",          "the lanes of a wave: [WaveSize(32)]"),
    ("GroupSharedLimit",  "bytes of groupshared memory that a thread group may have"),
    ("WaveOpsIncludeHelperLanes", "wave operations count helper threads"),
    ("RootSignature",     "the root signature of an entry point, as text"),
    ("unroll",            "the loop is unrolled"),
    ("loop",              "the loop is not unrolled"),
    ("branch",            "the condition becomes a branch"),
    ("flatten",           "both sides of the condition are evaluated"),
    ("fastopt",           "the loop is compiled quickly"),
    ("allow_uav_condition", "the condition of the loop may depend on a writable resource"),
    ("call",              "the arms of the switch become subroutines"),
    ("forcecase",         "the switch is kept"),
    ("noinline",          "the function is not inlined"),
    ("earlydepthstencil", "depth and stencil tests run before the pixel shader"),
    ("domain",            "the domain of a hull or domain shader: tri, quad, isoline"),
    ("partitioning",      "how a hull shader divides edges"),
    ("outputtopology",    "the topology that a hull or mesh shader gives"),
    ("outputcontrolpoints", "how many control points a hull shader makes"),
    ("patchconstantfunc", "the patch constant function of a hull shader"),
    ("maxtessfactor",     "the largest tessellation factor of a hull shader"),
    ("maxvertexcount",    "the most vertices that a geometry shader gives"),
    ("instance",          "the instances of a geometry shader"),
    ("vk",                "attributes of Vulkan: [[vk::binding(0, 0)]]"),
];

/// The context at the `|` of a text.
#[cfg(test)]
fn context_at(text: &str) -> Context {
    let offset = text.find('|').expect("a cursor");
    context(&text.replacen('|', "", 1), offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts() {
        for (text, expected) in [
            ("// a|", Context::Nothing),
            ("/* a|", Context::Nothing),
            ("int x = 12|", Context::Nothing),
            ("#inc|", Context::Directive),
            ("#|", Context::Directive),
            ("#ifdef A|", Context::Macro),
            ("#define A|", Context::Nothing),
            ("#include \"a/b|\"", Context::Include("a/b".into())),
            ("[shader(\"ray|\")]", Context::StageName),
            ("TriangleHitGroup G = { \"A\", \"|\" };", Context::Subobject("TriangleHitGroup".into(), 1)),
            ("x = { \"|\" };", Context::Nothing),
            ("[sh|", Context::Attribute),
            ("}\n[|", Context::Attribute),
            ("[[vk::bin|", Context::VkAttribute),
            ("float4 f() : SV_|", Context::Annotation),
            ("void f(float4 p : |", Context::Annotation),
            ("struct P { float3 c : read(|", Context::AccessStage),
            ("struct P { float3 c : write(caller, |", Context::AccessStage),
        ] {
            assert_eq!(context_at(text), expected, "{text}");
        }
        for text in ["x = a ? b : c|", "case 1: x|", "struct A : B|", "a[i|", "x.|", "vk::R|", "|", "#define A\nx|", "f(a, b|"] {
            assert!(matches!(context_at(text), Context::Program { .. }), "{text}: {:?}", context_at(text));
        }
    }
}
