//! Signature help: the overloads of the function whose arguments are being written, and which argument.

use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Position, SignatureHelp, SignatureInformation,
};
use rtc_base::Interner;
use rtc_frontend::index::Entity;
use rtc_frontend::lex::{Kind, lex_file};
use rtc_tables::intrinsics::{self, Intrinsic, Scope};

use super::describe::{function, intrinsic};
use super::navigate;
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;

/// A call that is being written.
#[derive(Clone, PartialEq, Debug)]
struct Call {
    /// The bytes of the callee's name.
    name: (usize, usize),
    /// Whether it follows a dot.
    method: bool,
    /// The number of the argument.
    argument: u32,
}

/// The innermost call around byte `offset`.
fn call(text: &str, offset: usize) -> Option<Call> {
    let mut names = Interner::new();
    let raw = lex_file(text, &mut names);
    let end = raw.tokens.partition_point(|t| (t.hi as usize) <= offset && t.kind != Kind::Eof);
    let tokens = &raw.tokens[..end];
    let (mut depth, mut argument) = (0_u32, 0);
    for (i, t) in tokens.iter().enumerate().rev() {
        match t.kind {
            Kind::RParen | Kind::RBracket => depth += 1,
            Kind::LParen if depth == 0 => {
                let callee = i.checked_sub(1).map(|c| tokens[c]).filter(|c| c.kind == Kind::Ident);
                match callee.filter(|c| !matches!(names.str(c.sym), "if" | "for" | "while" | "switch" | "return")) {
                    Some(c) => {
                        let method = i.checked_sub(2).is_some_and(|d| tokens[d].kind == Kind::Dot);
                        return Some(Call { name: (c.lo as usize, c.hi as usize), method, argument });
                    }
                    // Parentheses of an expression, in a call perhaps.
                    None => argument = 0,
                }
            }
            Kind::LParen | Kind::LBracket => depth = depth.saturating_sub(1),
            Kind::Comma if depth == 0 => argument += 1,
            Kind::Semi | Kind::LBrace | Kind::RBrace if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The signatures at a position.
pub fn help(w: &Workspace, s: &Snapshot, path: &str, position: Position) -> Option<SignatureHelp> {
    let (file, offset) = navigate::at(w, s, path, position)?;
    let text = &s.files[file].text;
    let call = call(text, offset)?;
    let name = text.get(call.name.0..call.name.1)?;
    let known = s.names_at(file, call.name.0).first().map(|n| s.occurrence(n).entity);
    let (mut functions, mut rows): (Vec<&rtc_frontend::hir::Function>, Vec<&'static Intrinsic>) = (Vec::new(), Vec::new());
    let module = &s.analysis.module;
    match known {
        Some(Entity::Function(f)) => {
            let chosen = &module.funcs[f];
            functions.extend(module.funcs.values().filter(|g| g.qualified == chosen.qualified));
        }
        Some(Entity::Intrinsic(row)) => rows.extend(intrinsics::find(row.scope, row.name)),
        _ => {
            let of_name = |f: &&rtc_frontend::hir::Function| s.analysis.names.str(f.name) == name && f.method.is_some() == call.method;
            functions.extend(module.funcs.values().filter(of_name));
            rows.extend(intrinsics::all().filter(|r| r.name == name && matches!(r.scope, Scope::Method(_)) == call.method));
        }
    }
    let mut signatures: Vec<SignatureInformation> = Vec::new();
    for f in functions {
        let (label, ranges) = function(s, f);
        signatures.push(information(label, ranges, None));
    }
    for row in rows.into_iter().take(MAX_ROWS) {
        let label = row.readable();
        let ranges = ranges(&label);
        signatures.push(information(label, ranges, Some(intrinsic(row).join("\n\n"))));
    }
    signatures.dedup_by(|a, b| a.label == b.label);
    if signatures.is_empty() {
        return None;
    }
    let enough = |i: &SignatureInformation| i.parameters.as_ref().is_some_and(|p| p.len() as u32 > call.argument);
    let active = signatures.iter().position(enough).unwrap_or(0);
    Some(SignatureHelp { signatures, active_signature: Some(active as u32), active_parameter: Some(call.argument) })
}

/// How many overloads of an intrinsic are shown.
const MAX_ROWS: usize = 16;

/// The bytes of the parameters in a signature.
fn ranges(label: &str) -> Vec<std::ops::Range<usize>> {
    let Some(open) = label.find('(').filter(|_| !label.ends_with("()")) else { return Vec::new() };
    let mut at = open + 1;
    let inside = label[at..].strip_suffix(')').unwrap_or(&label[at..]);
    let of = |part: &str| {
        let range = at..at + part.len();
        at = range.end + 2;
        range
    };
    inside.split(", ").map(of).collect()
}

fn information(label: String, ranges: Vec<std::ops::Range<usize>>, about: Option<String>) -> SignatureInformation {
    // Offsets count UTF-16 units.
    let units = |bytes: usize| label.get(..bytes).unwrap_or("").encode_utf16().count() as u32;
    let parameters = ranges.iter().map(|r| {
        let label = ParameterLabel::LabelOffsets([units(r.start), units(r.end)]);
        ParameterInformation { label, documentation: None }
    });
    let parameters = Some(parameters.collect());
    let about = about.filter(|a| !a.is_empty());
    let documentation = about.map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }));
    SignatureInformation { label, documentation, parameters, active_parameter: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls() {
        let at = |text: &str| {
            let offset = text.find('|').unwrap();
            let text = text.replacen('|', "", 1);
            call(&text, offset).map(|c| (text[c.name.0..c.name.1].to_owned(), c.argument, c.method))
        };
        let is = |name: &str, argument, method| Some((name.to_owned(), argument, method));
        assert_eq!(at("f(|"), is("f", 0, false));
        assert_eq!(at("f(a, g(b, c), |"), is("f", 2, false));
        assert_eq!(at("f(a, g(b, |"), is("g", 1, false));
        assert_eq!(at("t.Load(x, (1 + 2), |)"), is("Load", 2, true));
        assert_eq!(at("f((a, |"), is("f", 0, false));
        assert_eq!(at("f(a); |"), None);
        assert_eq!(at("if (|"), None);
        assert_eq!(at("f() { |"), None);
    }

    #[test]
    fn parameters_of_a_signature() {
        let label = "float f(float a, int b)";
        let found: Vec<&str> = ranges(label).into_iter().map(|r| &label[r]).collect();
        assert_eq!(found, ["float a", "int b"]);
        assert!(ranges("void f()").is_empty());
    }
}
