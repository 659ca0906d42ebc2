//! What the tokens around a position say about what can be written there.

use rtc_frontend::lex::{Flags, Kind, RawToken};
use rtc_tables::subobjects::subobject;

use crate::features::cursor::{Cursor, Lexed, Scope};

/// What is being written.
#[derive(Clone, PartialEq, Debug)]
pub enum Context {
    /// Nothing can be completed: a comment, a number, a string.
    Nothing,
    /// The name of a directive.
    Directive,
    /// The name of a macro; in a condition also its operators.
    Macro(bool),
    /// What follows `#pragma`.
    Pragma,
    /// The path of an include, so far, and whether it is in angle brackets.
    Include(String, bool),
    /// The text of an attribute, in quotes: the name of the attribute.
    AttributeText(String),
    /// The text of a root signature up to here.
    RootSignature(String),
    /// A value of a subobject: the type of the subobject and the number of the value.
    Subobject(String, usize, Quoted),
    /// An attribute.
    Attribute,
    /// An attribute after `vk::`.
    VkAttribute,
    /// What follows a declarator's colon.
    Annotation,
    /// A stage of a payload access qualifier.
    AccessStage,
    /// A register or a space.
    Register(Annotated),
    /// A Vulkan binding or set. `true`: of a counter.
    Binding(Annotated, bool),
    /// An expression, a type, a statement, a member.
    Program,
}

/// A text between quotation marks that is being written.
#[derive(Clone, PartialEq, Debug)]
pub enum Quoted {
    /// It is none yet.
    No,
    /// The position is inside of the quotation marks.
    Yes {
        /// The first byte of the part between semicolons that is being written.
        from: usize,
        /// The byte after it.
        to: usize,
        /// The byte after the text.
        end: usize,
        /// Whether the text has its second quotation mark.
        closed: bool,
    },
}

/// An annotation or attribute with numbers that is being written.
#[derive(Clone, PartialEq, Debug)]
pub struct Annotated {
    /// The bytes of the whole of it.
    pub bytes: (usize, usize),
    /// Whether what follows goes on with the declaration.
    pub goes_on: bool,
    /// The number of the argument that is being written.
    pub argument: usize,
    /// The other arguments, as written.
    pub others: Vec<String>,
    /// Where the declared name is; `None`: it follows.
    pub name: Option<usize>,
}

/// A position with its context.
#[derive(Clone, PartialEq, Debug)]
pub struct At {
    /// What is being written.
    pub context: Context,
    /// The bytes of the word at the position.
    pub word: (usize, usize),
    /// The scope.
    pub scope: Scope,
}

/// The context at byte `offset`, and calls `f` with the tokens around it.
pub fn context<T>(text: &str, offset: usize, f: impl FnOnce(At, Cursor<'_>) -> T) -> T {
    let lexed = Lexed::of(text);
    let end = lexed.raw.tokens.partition_point(|t| (t.lo as usize) < offset && t.kind != Kind::Eof);
    let before = &lexed.raw.tokens[..end];
    let at = before.last().filter(|t| t.hi as usize >= offset).copied();
    let in_word = at.is_some_and(|t| t.kind == Kind::Ident);
    let tokens = if in_word { &before[..end - 1] } else { before };
    // A word that begins at the position is the one that is being written, too.
    let next = lexed.raw.tokens[end..].first().filter(|t| !in_word && t.kind == Kind::Ident && t.lo as usize == offset);
    let own = at.filter(|_| in_word).or(next.copied());
    let word = own.map_or((offset, offset), |t| (t.lo as usize, t.hi as usize));
    let until = own.or(at).map_or(offset, |t| (t.hi as usize).max(offset));
    let after = &lexed.raw.tokens[end + usize::from(next.is_some())..];
    let cursor = Cursor { text, tokens, after, names: &lexed.names, until };
    let (scope, _) = cursor.scope();
    let context = match at {
        Some(t) if matches!(t.kind, Kind::Str | Kind::OpenStr) => in_string(&cursor.cut(end - 1), &t, offset),
        Some(t) if matches!(t.kind, Kind::Number | Kind::Char | Kind::OpenComment | Kind::Unknown) => number(&cursor.cut(end - 1)),
        _ => outside(&cursor, at, offset, scope),
    };
    f(At { context, word, scope }, cursor)
}

/// The context in a token that is a number: an argument of an annotation, a value of a subobject.
fn number(c: &Cursor<'_>) -> Context {
    match c.kind(0) {
        Some(Kind::LParen | Kind::Comma) => match annotation(c) {
            Some(found @ (Context::Register(_) | Context::Binding(..))) => found,
            _ => Context::Nothing,
        },
        _ => Context::Nothing,
    }
}

fn outside(c: &Cursor<'_>, at: Option<RawToken>, offset: usize, scope: Scope) -> Context {
    let gap = match at {
        Some(_) => "",
        None => c.text.get(c.last(0).map_or(0, |t| t.hi as usize)..offset).unwrap_or(""),
    };
    if in_comment(gap) {
        return Context::Nothing;
    }
    // A new line ends a directive, unless a backslash joins it.
    let joined = !gap.contains(['\n', '\r']) || gap.trim_end_matches(['\r', '\n', ' ', '\t']).ends_with('\\');
    let continues = at.map_or(joined, |t| t.kind != Kind::Ident || !t.flags.contains(Flags::BOL));
    if let Some(line) = c.directive().filter(|_| continues) {
        return match line {
            [_] => Context::Directive,
            [_, word, rest @ ..] => match c.text_of(word) {
                "define" | "error" | "warning" | "line" => Context::Nothing,
                "pragma" => Context::Pragma,
                "include" => match rest.first() {
                    Some(open) if open.kind == Kind::Lt => {
                        let written = c.text.get(open.hi as usize..offset).unwrap_or("");
                        if written.contains('>') { Context::Nothing } else { Context::Include(written.to_owned(), true) }
                    }
                    _ => Context::Macro(false),
                },
                name => Context::Macro(matches!(name, "if" | "elif")),
            },
            [] => Context::Nothing,
        };
    }
    after_punctuation(c, scope)
}

fn in_comment(gap: &str) -> bool {
    let mut rest = gap;
    while let Some(i) = rest.find('/') {
        rest = &rest[i..];
        match rest.as_bytes().get(1) {
            Some(b'/') => match rest.find(['\n', '\r']) {
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

/// The context in the string `t`; `c` is before it.
fn in_string(c: &Cursor<'_>, t: &RawToken, offset: usize) -> Context {
    let inner = t.lo as usize + 1;
    let written = c.text.get(inner..offset).unwrap_or("");
    // Offsets on a quotation mark are not in the string.
    if offset < inner || t.kind == Kind::Str && offset >= t.hi as usize {
        return Context::Nothing;
    }
    if c.word(0) == "include" && c.kind(1) == Some(Kind::Hash) {
        return Context::Include(written.to_owned(), false);
    }
    // Literals that follow each other are one.
    let literals = c.tokens.iter().rev().take_while(|t| t.kind == Kind::Str).count();
    let head = c.cut(c.tokens.len() - literals);
    let mut joined = String::new();
    for s in &c.tokens[head.tokens.len()..] {
        joined += c.text.get(s.lo as usize + 1..(s.hi as usize).saturating_sub(1)).unwrap_or("");
    }
    joined += written;
    if let Some(line) = c.directive() {
        let root = line.get(1).is_some_and(|w| c.text_of(w) == "define") && begins_like_root_signature(&joined);
        return if root { Context::RootSignature(joined) } else { Context::Nothing };
    }
    if head.kind(0) == Some(Kind::LParen) {
        return match head.word(1) {
            name if name.eq_ignore_ascii_case("RootSignature") => Context::RootSignature(joined),
            "" => Context::Nothing,
            name => Context::AttributeText(name.to_ascii_lowercase()),
        };
    }
    match subobject_value(&head) {
        Some((ty, _)) if ty.ends_with("RootSignature") => Context::RootSignature(joined),
        Some((ty, slot)) => {
            let from = written.rfind(';').map_or(inner, |i| inner + i + 1);
            let from = from + c.text.get(from..offset).map_or(0, |s| s.len() - s.trim_start().len());
            let closed = t.kind == Kind::Str;
            let whole = if closed { t.hi as usize - 1 } else { offset };
            let to = c.text.get(offset..whole).and_then(|rest| rest.find(';')).map_or(whole, |i| offset + i);
            Context::Subobject(ty, slot, Quoted::Yes { from, to: to.max(from), end: t.hi as usize, closed })
        }
        None => Context::Nothing,
    }
}

/// Whether a text begins with an element of a root signature.
fn begins_like_root_signature(text: &str) -> bool {
    let word = text.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
    !word.is_empty() && rtc_rootsig::about::expected("").iter().any(|e| e.eq_ignore_ascii_case(word))
}

/// The subobject whose values are being written, `TriangleHitGroup Group = { "AnyHit", `: its type and the number of the value.
fn subobject_value(c: &Cursor<'_>) -> Option<(String, usize)> {
    let (open, commas) = c.open_brace()?;
    let head = c.cut(open);
    (head.kind(0) == Some(Kind::Assign) && subobject(head.word(2)).is_some()).then(|| (head.word(2).to_owned(), commas))
}

/// The context by the punctuation before the word.
fn after_punctuation(c: &Cursor<'_>, scope: Scope) -> Context {
    match c.kind(0) {
        Some(Kind::Hash) if c.last(0).is_some_and(|t| t.flags.contains(Flags::BOL)) => return Context::Directive,
        Some(Kind::LBracket) => {
            let begins_line = c.last(0).is_some_and(|t| t.flags.contains(Flags::BOL));
            return match c.kind(1) {
                None | Some(Kind::Semi | Kind::LBrace | Kind::RBrace | Kind::LBracket | Kind::Comma | Kind::LParen | Kind::Colon) => {
                    Context::Attribute
                }
                Some(Kind::RBracket) if begins_line || follows_attribute(c) => Context::Attribute,
                Some(Kind::RParen) if begins_line => Context::Attribute,
                Some(Kind::Ident) if matches!(c.word(1), "struct" | "class") => Context::Attribute,
                // After a directive, or in code that does not parse.
                Some(_) if begins_line && scope != Scope::Function => Context::Attribute,
                _ => Context::Program,
            };
        }
        Some(Kind::ColonColon) if c.word(1) == "vk" && matches!(c.kind(2), Some(Kind::LBracket | Kind::Comma)) => {
            return Context::VkAttribute;
        }
        Some(Kind::Colon) => {
            let statement = c.tokens.iter().rev().skip(1);
            let mut statement = statement.take_while(|t| !matches!(t.kind, Kind::Semi | Kind::LBrace | Kind::RBrace));
            let expression = statement.any(|t| {
                let name = c.text_of(t);
                t.kind == Kind::Question || matches!(name, "case" | "default" | "struct" | "class" | "interface" | "enum")
            });
            return if expression { Context::Program } else { Context::Annotation };
        }
        Some(Kind::LParen | Kind::Comma) => {
            if let Some(found) = annotation(c) {
                return found;
            }
        }
        _ => {}
    }
    match subobject_value(c) {
        Some((ty, slot)) if matches!(c.kind(0), Some(Kind::LBrace | Kind::Comma | Kind::Pipe)) => Context::Subobject(ty, slot, Quoted::No),
        _ => Context::Program,
    }
}

/// Whether the bracket before the position comes after attributes, which begin a statement or a declaration.
fn follows_attribute(c: &Cursor<'_>) -> bool {
    let mut depth = 0_u32;
    for (i, t) in c.tokens.iter().enumerate().rev().skip(1) {
        match t.kind {
            Kind::RBracket => depth += 1,
            Kind::LBracket if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            Kind::Semi | Kind::LBrace | Kind::RBrace => return true,
            _ => return c.tokens.get(i + 1).is_some_and(|next| next.flags.contains(Flags::BOL)),
        }
    }
    true
}

/// The annotation or attribute in whose parentheses the position is.
fn annotation(c: &Cursor<'_>) -> Option<Context> {
    let (open, argument) = c.open_paren()?;
    let head = c.cut(open);
    let colon = head.kind(1) == Some(Kind::Colon);
    match head.word(0) {
        "read" | "write" if colon => Some(Context::AccessStage),
        "register" if colon => {
            let from = head.last(1)?.lo as usize;
            // The name, before dimensions.
            let mut n = head.tokens.len().checked_sub(3)?;
            while head.tokens[n].kind == Kind::RBracket {
                n = head.tokens[..n].iter().rposition(|t| t.kind == Kind::LBracket)?.checked_sub(1)?;
            }
            let name = head.tokens.get(n).filter(|t| t.kind == Kind::Ident).map(|t| t.lo as usize);
            Some(Context::Register(annotated(c, open, argument, from, name, false)))
        }
        word @ ("binding" | "counter_binding") if head.word(2) == "vk" => {
            let first = head.tokens.iter().rposition(|t| t.kind == Kind::LBracket)?;
            let from = head.tokens.get(first.wrapping_sub(1)).filter(|t| t.kind == Kind::LBracket).unwrap_or(&head.tokens[first]);
            let mut found = annotated(c, open, argument, from.lo as usize, None, true);
            let counter = word == "counter_binding";
            if counter {
                // The numbers of the buffer's own binding.
                let own = head.tokens[first..].iter().skip_while(|t| head.text_of(t) != "binding").take_while(|t| t.kind != Kind::RParen);
                found.others = own.filter(|t| t.kind == Kind::Number).map(|t| c.names.str(t.sym).to_owned()).collect();
            }
            Some(Context::Binding(found, counter))
        }
        _ => None,
    }
}

/// An annotation from byte `from`, whose parenthesis is token `open`. It ends at its parenthesis, and with `brackets` at theirs; if that is missing, at
/// the end of the line.
fn annotated(c: &Cursor<'_>, open: usize, argument: usize, from: usize, name: Option<usize>, brackets: bool) -> Annotated {
    let last = c.last(0).map_or(from, |t| t.hi as usize);
    // A position in white space adds nothing.
    let word = c.text.get(last..c.until).is_some_and(|gap| !gap.trim().is_empty());
    let mut end = if word { c.until } else { last };
    let written = &c.tokens[open + 1..];
    let mut others: Vec<String> =
        written.iter().filter(|t| matches!(t.kind, Kind::Ident | Kind::Number)).map(|t| c.names.str(t.sym).to_owned()).collect();
    let (mut at, mut closed) = (0, false);
    for t in c.after {
        let begins_line = t.flags.contains(Flags::BOL);
        if begins_line || matches!(t.kind, Kind::Eof | Kind::Semi | Kind::LBrace | Kind::RBrace) {
            break;
        }
        if closed && !(brackets && t.kind == Kind::RBracket) {
            break;
        }
        if !closed && matches!(t.kind, Kind::Ident | Kind::Number) && at > 0 {
            others.push(c.names.str(t.sym).to_owned());
        }
        closed |= t.kind == Kind::RParen;
        end = t.hi as usize;
        at += 1;
    }
    let next = c.after.get(at).map_or(Kind::Eof, |t| t.kind);
    let goes_on = matches!(next, Kind::Semi | Kind::LBrace | Kind::Comma | Kind::Assign | Kind::Colon);
    Annotated { bytes: (from, end), goes_on, argument, others, name }
}

/// What the statement at the position lacks so that it parses: a text, and the byte where it is to be inserted.
pub fn missing(c: &Cursor<'_>) -> Option<(usize, String)> {
    let (_, start) = c.scope();
    let statement = &c.tokens[start..];
    let mut depth = 0_usize;
    for t in statement {
        match t.kind {
            Kind::LParen | Kind::LBracket => depth += 1,
            Kind::RParen | Kind::RBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let is_for = statement.first().is_some_and(|t| c.text_of(t) == "for");
    for t in c.after {
        let close = |end: &str| Some((t.lo as usize, format!("{}{end}", ")".repeat(depth))));
        match t.kind {
            Kind::LParen | Kind::LBracket => depth += 1,
            Kind::RParen | Kind::RBracket => depth = depth.saturating_sub(1),
            Kind::Semi if depth == 0 || is_for => return None,
            Kind::LBrace if depth == 0 => return None,
            Kind::Semi | Kind::LBrace => return close(""),
            Kind::RBrace => return close(";"),
            Kind::Eof => {
                let count = |kind| c.tokens.iter().filter(|t| t.kind == kind).count();
                let open = count(Kind::LBrace).saturating_sub(count(Kind::RBrace));
                return close(&format!(";{}", "}".repeat(open)));
            }
            _ => {}
        }
    }
    None
}

/// Whether the initialiser in braces that is open at the position is closed.
pub fn braces_close(after: &[RawToken]) -> bool {
    let mut depth = 0_u32;
    for t in after {
        match t.kind {
            Kind::LBrace => depth += 1,
            Kind::RBrace if depth == 0 => return true,
            Kind::RBrace => depth -= 1,
            Kind::Semi | Kind::Eof => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The context at the `|` of a text.
    fn context_at(text: &str) -> Context {
        let offset = text.find('|').expect("a cursor");
        context(&text.replacen('|', "", 1), offset, |at, _| at.context)
    }

    #[test]
    fn contexts() {
        let text = |n: &str| Context::AttributeText(n.into());
        let quoted = |ty: &str, slot, (from, to, end)| Context::Subobject(ty.into(), slot, Quoted::Yes { from, to, end, closed: true });
        for (text, expected) in [
            ("// a|", Context::Nothing),
            ("/* a|", Context::Nothing),
            ("int x = 12|", Context::Nothing),
            ("#inc|", Context::Directive),
            ("#|", Context::Directive),
            ("# |", Context::Directive),
            ("#ifdef A|", Context::Macro(false)),
            ("#if defined(|", Context::Macro(true)),
            ("#if A == |", Context::Macro(true)),
            ("#define A|", Context::Nothing),
            ("#pragma pa|", Context::Pragma),
            ("#include \"a/b|\"", Context::Include("a/b".into(), false)),
            ("#include <a/b|>", Context::Include("a/b".into(), true)),
            ("#include <|", Context::Include(String::new(), true)),
            ("[shader(\"ray|\")]", text("shader")),
            ("[domain(\"|\")]", text("domain")),
            ("[RootSignature(\"CBV(b0), |\")]", Context::RootSignature("CBV(b0), ".into())),
            ("GlobalRootSignature G = { \"CBV(b0),\" \"|\" };", Context::RootSignature("CBV(b0),".into())),
            ("#define RS \"SRV(t0), |\"", Context::RootSignature("SRV(t0), ".into())),
            ("#define NAME \"some text|\"", Context::Nothing),
            ("TriangleHitGroup G = { \"A\", \"|\" };", quoted("TriangleHitGroup", 1, (29, 29, 30))),
            ("SubobjectToExportsAssociation S = { \"A\", \"B; C|D;E\" };", quoted("SubobjectToExportsAssociation", 1, (45, 47, 50))),
            ("TriangleHitGroup G = { |", Context::Subobject("TriangleHitGroup".into(), 0, Quoted::No)),
            ("TriangleHitGroup G = { \"\", |", Context::Subobject("TriangleHitGroup".into(), 1, Quoted::No)),
            ("x = { \"|\" };", Context::Nothing),
            ("[sh|", Context::Attribute),
            ("}\n[|", Context::Attribute),
            ("[numthreads(1, 1, 1)] [|", Context::Attribute),
            ("void f() { [unroll] [|", Context::Attribute),
            ("struct [|", Context::Attribute),
            ("#define A\n[|", Context::Attribute),
            ("[[vk::bin|", Context::VkAttribute),
            ("float4 f() : SV_|", Context::Annotation),
            ("void f(float4 p : |", Context::Annotation),
            ("struct P { float3 c : read(|", Context::AccessStage),
            ("struct P { float3 c : write(caller, |", Context::AccessStage),
        ] {
            assert_eq!(context_at(text), expected, "{text}");
        }
        for text in [
            "x = a ? b : c|",
            "case 1: x|",
            "struct A : B|",
            "void f() { a[i|",
            "void f() { a[0][|",
            "float a[2][|",
            "x.|",
            "vk::R|",
            "|",
            "#define A\nx|",
            "f(a, b|",
        ] {
            assert_eq!(context_at(text), Context::Program, "{text}");
        }
    }

    #[test]
    fn annotations_with_numbers() {
        let of = |text: &str| match context_at(text) {
            Context::Register(a) | Context::Binding(a, _) => {
                let text = text.replacen('|', "", 1);
                (text[a.bytes.0..a.bytes.1].to_owned(), a.argument, a.others.join(" "), a.goes_on)
            }
            other => panic!("{text}: {other:?}"),
        };
        let is = |text: &str, argument, others: &str, goes_on| (text.to_owned(), argument, others.to_owned(), goes_on);
        assert_eq!(of("Texture2D T : register(|);"), is(": register()", 0, "", true));
        assert_eq!(of("Texture2D T[4] : register(t|, space2);"), is(": register(t, space2)", 0, "space2", true));
        assert_eq!(of("Texture2D T : register(t1, |\nfloat x;"), is(": register(t1,", 1, "t1", false));
        assert_eq!(of("cbuffer C : register(|) { float x; }"), is(": register()", 0, "", true));
        assert_eq!(of("[[vk::binding(|)]] Texture2D T;"), is("[[vk::binding()]]", 0, "", false));
        assert_eq!(of("[[vk::binding(1|, 3)]] Texture2D T;"), is("[[vk::binding(1, 3)]]", 0, "3", false));
        assert_eq!(of("[[vk::counter_binding(|"), is("[[vk::counter_binding(", 0, "", false));
    }
}
