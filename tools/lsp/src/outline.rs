//! The outline of a file: its declarations as a tree, from the syntax tree.

use lsp_types::SymbolKind;
use rtc_base::Span;
use rtc_frontend::syntax::ast::{self, DeclKind, FnName, RecordKind, TypeKind};

use crate::snapshot::{FileRange, Snapshot};

/// A declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The whole declaration.
    pub whole: FileRange,
    /// Its name.
    pub at: FileRange,
    /// Its type, as written.
    pub detail: String,
    /// What it contains.
    pub children: Vec<Item>,
}

/// The outline of file number `file`.
pub fn outline(s: &Snapshot, file: usize) -> Vec<Item> {
    let ast = &s.analysis.ast;
    let mut out = Vec::new();
    for &id in ast.list(ast.items) {
        add(s, file, id, &mut out);
    }
    out
}

fn children(s: &Snapshot, file: usize, list: ast::List<ast::DeclId>) -> Vec<Item> {
    let mut out = Vec::new();
    for &id in s.analysis.ast.list(list) {
        add(s, file, id, &mut out);
    }
    out
}

fn add(s: &Snapshot, file: usize, id: ast::DeclId, out: &mut Vec<Item>) {
    let ast = &s.analysis.ast;
    let d = ast.decls[id];
    // A file that only includes, in a namespace say, has no place for the namespace.
    let inner = match d.kind {
        DeclKind::Namespace(_, list) => Some(list),
        _ => None,
    };
    let Some(whole) = s.place(d.span).filter(|p| p.file == file) else {
        inner.into_iter().for_each(|list| out.extend(children(s, file, list)));
        return;
    };
    let mut item = |name: Option<(String, Span)>, kind: SymbolKind, detail: String, children: Vec<Item>| {
        let (name, span) = name.unwrap_or_else(|| ("(unnamed)".to_owned(), d.span));
        let at = s.place(span).filter(|p| p.file == file && p.lo >= whole.lo && p.hi <= whole.hi);
        let at = at.unwrap_or_else(|| FileRange { hi: whole.lo, ..whole.clone() });
        out.push(Item { name, kind, whole: whole.clone(), at, detail, children });
    };
    let named = |n: ast::Name| (s.analysis.names.str(n.sym).to_owned(), n.span);
    let written = |span: Span| s.place(span).map(|p| s.text(&p).split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default();
    match d.kind {
        DeclKind::Error | DeclKind::UsingNamespace(_) | DeclKind::Using(_) | DeclKind::StaticAssert(..) => {}
        DeclKind::Var(v) => {
            if let Some(name) = v.name {
                let t = ast.types[v.ty];
                let detail = if matches!(t.kind, TypeKind::Inline(_)) { String::new() } else { written(t.span) };
                let constant = t.specs.contains(ast::Specs::CONST) && t.specs.contains(ast::Specs::STATIC);
                item(Some(named(name)), if constant { SymbolKind::CONSTANT } else { SymbolKind::VARIABLE }, detail, Vec::new());
            }
        }
        DeclKind::Function(f) => {
            let name = match f.name {
                FnName::Ident(n) => named(n),
                FnName::Operator(_, span) | FnName::Conversion(_, span) => {
                    (format!("operator{}", written(span).trim_start_matches("operator")), span)
                }
            };
            let scope = f.scope.map(|p| written(ast.paths[p].span)).unwrap_or_default();
            let name = if scope.is_empty() { name } else { (format!("{scope}::{}", name.0), name.1) };
            let params: Vec<String> = ast.list(f.params).iter().map(|p| written(ast.types[p.ty].span)).collect();
            let detail = format!("{} ({})", written(ast.types[f.ret].span), params.join(", "));
            item(Some(name), SymbolKind::FUNCTION, detail, Vec::new());
        }
        DeclKind::Record(r) => {
            let mut members = children(s, file, r.members);
            for m in &mut members {
                m.kind = match m.kind {
                    SymbolKind::VARIABLE => SymbolKind::FIELD,
                    SymbolKind::FUNCTION => SymbolKind::METHOD,
                    other => other,
                };
            }
            let kind = match r.kind {
                RecordKind::Struct | RecordKind::Union => SymbolKind::STRUCT,
                RecordKind::Class => SymbolKind::CLASS,
                RecordKind::Interface => SymbolKind::INTERFACE,
            };
            let name = r.name.map(|p| (written(ast.paths[p].span), ast.last_name(p).map_or(ast.paths[p].span, |n| n.span)));
            item(name, kind, String::new(), members);
        }
        DeclKind::Enum(e) => {
            let mut members = Vec::new();
            for i in ast.list(e.items) {
                if let Some(at) = s.place(i.name.span).filter(|p| p.file == file) {
                    let name = named(i.name).0;
                    let kind = SymbolKind::ENUM_MEMBER;
                    members.push(Item { name, kind, whole: at.clone(), at, detail: String::new(), children: Vec::new() });
                }
            }
            item(e.name.map(named), SymbolKind::ENUM, String::new(), members);
        }
        DeclKind::Alias { name, ty } => item(Some(named(name)), SymbolKind::TYPE_PARAMETER, written(ast.types[ty].span), Vec::new()),
        DeclKind::Buffer(b) => {
            let detail = if b.texture { "tbuffer" } else { "cbuffer" };
            item(b.name.map(named), SymbolKind::STRUCT, detail.to_owned(), children(s, file, b.members));
        }
        DeclKind::Namespace(name, list) => item(name.map(named), SymbolKind::NAMESPACE, String::new(), children(s, file, list)),
    }
}
