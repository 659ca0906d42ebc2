//! Completion of attributes: those that may be written at the position, by what is around it.

use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};
use rtc_frontend::lex::{Flags, Kind, RawToken};
use rtc_tables::attributes::{ATTRIBUTES, Attribute, AttributeOn};
use rtc_tables::pipeline::{Domain, MeshTopology, Partitioning, TessellatorOutput};
use rtc_tables::stages::{STAGES, Stage};
use rtc_tables::types::{OBJECTS, ObjectKind, numeric};
use rtc_tables::vk_attributes::{GLOBAL, On, VK_ATTRIBUTES, resource_on};
use rtc_tables::vk_builtins::{PIXEL_MODES, VK_BUILTINS};

use super::{markdown, plain};
use crate::features::cursor::{Cursor, Scope};

/// What follows an attribute that is being written.
struct Following<'a> {
    /// The first tokens after the attributes, up to the end of the declaration's head.
    head: &'a [RawToken],
    /// The names of the other attributes that the statement or declaration has.
    others: Vec<&'a str>,
    /// The stage that one of them names.
    stage: Option<Stage>,
}

/// Skips what is left of the attribute, and those that follow.
fn following<'a>(c: &Cursor<'a>) -> Following<'a> {
    let (mut depth, mut at) =
        (c.tokens.iter().rev().take_while(|t| t.kind != Kind::RBracket).filter(|t| t.kind == Kind::LBracket).count(), 0);
    let (mut others, mut stage) = (Vec::new(), None);
    let text = |t: &RawToken| if t.kind == Kind::Str { c.names.str(t.sym).trim_matches('"') } else { "" };
    // Those before: they end with brackets.
    let before = c.tokens.iter().rev().take_while(|t| !matches!(t.kind, Kind::Semi | Kind::LBrace | Kind::RBrace));
    for t in before {
        others.push(c.text_of(t));
        stage = stage.or(Stage::from_attribute(text(t)));
    }
    while let Some(t) = c.after.get(at) {
        // An attribute that is not closed ends with its line.
        if depth > 0 && t.kind != Kind::RBracket && t.flags.contains(Flags::BOL) {
            break;
        }
        match t.kind {
            Kind::LBracket => depth += 1,
            Kind::RBracket => depth = depth.saturating_sub(1),
            Kind::Semi | Kind::LBrace | Kind::RBrace | Kind::Eof => break,
            _ if depth == 0 => break,
            _ => {
                others.push(c.text_of(t));
                stage = stage.or(Stage::from_attribute(text(t)));
            }
        }
        at += 1;
    }
    let rest = &c.after[at..];
    let end = rest.iter().position(|t| matches!(t.kind, Kind::Semi | Kind::LBrace | Kind::RBrace | Kind::Eof)).unwrap_or(rest.len());
    Following { head: &rest[..end], others, stage }
}

impl Following<'_> {
    fn first<'a>(&self, c: &Cursor<'a>) -> &'a str {
        self.head.first().map_or("", |t| c.text_of(t))
    }

    /// Whether the declaration is that of a function.
    fn is_function(&self) -> bool {
        let paren = self.head.iter().position(|t| t.kind == Kind::LParen);
        let stop = self.head.iter().position(|t| matches!(t.kind, Kind::Colon | Kind::Assign));
        paren.is_some_and(|p| stop.is_none_or(|s| p < s))
    }
}

/// The attributes without a namespace. `single`: the stage of the entry point with this name, if the source is compiled for one shader.
pub fn attributes(c: &Cursor<'_>, scope: Scope, single: Option<(Stage, &str)>) -> Vec<CompletionItem> {
    let f = following(c);
    let in_head = c.kind(0) == Some(Kind::LBracket) && matches!(c.word(1), "struct" | "class");
    let on: &[AttributeOn] = match (scope, f.first(c)) {
        _ if in_head => &[AttributeOn::Structure],
        (Scope::Function, "for" | "while" | "do") => &[AttributeOn::Loop],
        (Scope::Function, "if") => &[AttributeOn::Branch],
        (Scope::Function, "switch") => &[AttributeOn::Branch, AttributeOn::Switch],
        (Scope::Function, "") => &[AttributeOn::Loop, AttributeOn::Branch, AttributeOn::Switch],
        (Scope::Global | Scope::Record, _) if f.is_function() || f.head.is_empty() => &[AttributeOn::Function],
        _ => &[],
    };
    let named = single.filter(|(_, name)| f.head.iter().any(|t| c.text_of(t) == *name)).map(|s| s.0);
    let stage = f.stage.or(named);
    let mut out: Vec<CompletionItem> = ATTRIBUTES
        .iter()
        .filter(|r| on.contains(&r.on) && !f.others.iter().any(|o| o.eq_ignore_ascii_case(r.name)))
        .filter(|r| stage.is_none_or(|s| r.stages.has(s)))
        .filter(|r| r.name != "shader" || single.is_none())
        .map(item)
        .collect();
    if !vk_rows(c, scope, &f).is_empty() && !in_head {
        out.push(plain("vk", CompletionItemKind::MODULE, "attributes of Vulkan: [[vk::binding(0, 0)]]"));
    }
    out
}

fn item(r: &Attribute) -> CompletionItem {
    let mut text = r.about.to_owned();
    if r.on == AttributeOn::Function && !r.stages.contains(rtc_tables::stages::StageMask::ENTRIES) {
        let stages: Vec<&str> = r.stages.iter_stages().map(|s| s.info().name).filter(|n| *n != "library").collect();
        text += &format!("\n\nStages: {}", stages.join(", "));
    }
    CompletionItem {
        documentation: Some(markdown(text)),
        insert_text: Some(r.form.to_owned()),
        insert_text_format: Some(InsertTextFormat::PLAIN_TEXT),
        filter_text: Some(r.name.to_owned()),
        ..plain(r.name, CompletionItemKind::PROPERTY, &format!("on {}", r.on.what()))
    }
}

/// What an attribute at the position is written on.
fn on(c: &Cursor<'_>, scope: Scope, f: &Following<'_>) -> On {
    match scope {
        Scope::Function => On::STATEMENT.or(On::LOCAL),
        Scope::Parameters => On::PARAMETER,
        Scope::Block => On::BLOCK_MEMBER,
        Scope::Record if f.is_function() => On::FUNCTION,
        Scope::Record => On::MEMBER,
        Scope::Enumerators | Scope::Initialiser => On::STATEMENT,
        Scope::Global if f.is_function() => On::FUNCTION,
        Scope::Global => {
            let words: Vec<&str> = f.head.iter().map(|t| c.text_of(t)).filter(|w| !w.is_empty()).collect();
            let object = |w: &str| OBJECTS.iter().find(|o| o.namespace.is_empty() && o.name == w);
            match words.iter().copied().find(|w| !QUALIFIERS.contains(w)) {
                None => GLOBAL.or(On::BLOCK).or(On::FUNCTION),
                Some("cbuffer" | "tbuffer") => On::BLOCK,
                Some("struct" | "class" | "enum") => On::TYPE,
                Some("typedef" | "using") => On::ALIAS,
                Some(first) => match object(first).map(|o| o.kind) {
                    Some(ObjectKind::Resource(class, kind)) => resource_on(class, kind),
                    Some(_) => On::OTHER,
                    None if numeric(first).is_some_and(|n| n.1 == rtc_tables::types::Shape::Scalar) => On::SCALAR,
                    None if numeric(first).is_some() => On::OTHER,
                    // The name of a type of the program.
                    None => GLOBAL,
                },
            }
        }
    }
}

/// What may come before a type.
const QUALIFIERS: [&str; 9] =
    ["const", "static", "uniform", "extern", "groupshared", "globallycoherent", "reordercoherent", "row_major", "column_major"];

fn vk_rows(c: &Cursor<'_>, scope: Scope, f: &Following<'_>) -> Vec<CompletionItem> {
    let on = on(c, scope, f);
    let rows = VK_ATTRIBUTES.iter().filter(|r| r.on.meets(on) && !f.others.contains(&r.name));
    let item = |name: &str, what: &str, about: &str| CompletionItem {
        documentation: Some(markdown(about.to_owned())),
        ..plain(name, CompletionItemKind::PROPERTY, &format!("for {what}"))
    };
    let mut out: Vec<CompletionItem> = rows.map(|r| item(r.name, r.what, r.about)).collect();
    if on.meets(On::FUNCTION) && f.stage.is_none_or(|s| s == Stage::Pixel) {
        out.extend(PIXEL_MODES.iter().map(|m| item(m.name, "pixel shaders", "An execution mode of SPIR-V.")));
    }
    out
}

/// The attributes after `vk::`.
pub fn vk_attributes(c: &Cursor<'_>, scope: Scope) -> Vec<CompletionItem> {
    vk_rows(c, scope, &following(c))
}

/// The texts that an attribute takes; `None`: those of another attribute.
pub fn texts(attribute: &str) -> Option<Vec<CompletionItem>> {
    let words = |list: Vec<&str>, what: &str| list.into_iter().map(|w| plain(w, CompletionItemKind::ENUM_MEMBER, what)).collect();
    Some(match attribute {
        "shader" => STAGES
            .iter()
            .filter(|s| !s.attribute.is_empty())
            .map(|s| plain(s.attribute, CompletionItemKind::ENUM_MEMBER, s.stage.about()))
            .collect(),
        "domain" => words(Domain::words().collect(), "domain"),
        "partitioning" => words(Partitioning::words().collect(), "partitioning"),
        "outputtopology" => {
            let mut all: Vec<&str> = TessellatorOutput::words().chain(MeshTopology::words()).collect();
            all.sort_unstable();
            all.dedup();
            words(all, "topology")
        }
        "builtin" => VK_BUILTINS.iter().map(|b| plain(b.name, CompletionItemKind::ENUM_MEMBER, b.ty.text())).collect(),
        _ => return None,
    })
}
