//! Macros: their definitions, and the predefined ones.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use rtc_base::source::MacroName;
use rtc_base::{Diagnostic, Span, Symbol};
use rtc_tables::diagnostics as codes;

use super::{NO_MACRO, Preprocessor};
use crate::lex::{Flags, Kind, Token, escape_string};

/// A macro given on the command line: `-D NAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Define {
    /// Its name; may have a parameter list: `F(x)`.
    pub name: String,
    /// Its body; `None` gives `1`.
    pub value: Option<String>,
}

impl Define {
    /// Reads `NAME`, `NAME=VALUE` or `F(x)=VALUE`.
    pub fn parse(text: &str) -> Define {
        match text.split_once('=') {
            Some((name, value)) => Define { name: name.into(), value: Some(value.into()) },
            None => Define { name: text.into(), value: None },
        }
    }
}

/// The values of the predefined macros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetMacros {
    /// The stage of the profile, as `__SHADER_TARGET_STAGE` counts: 6 for a library, 5 for a compute shader.
    pub stage: u32,
    /// Shader model, major.
    pub major: u32,
    /// Shader model, minor.
    pub minor: u32,
    /// The language version: 2018, 2021, 202x is 2029.
    pub hlsl_version: u32,
    /// Whether the target is SPIR-V.
    pub spirv: bool,
    /// The minor version of SPIR-V 1 of the target environment.
    pub spirv_minor: u32,
    /// Whether 16-bit types are native.
    pub native_16_bit: bool,
    /// The version of the reference compiler whose dialect this is: major, minor, release, commits.
    pub dxc_version: [u32; 4],
}

impl Default for TargetMacros {
    fn default() -> Self {
        TargetMacros {
            stage: 6,
            major: 6,
            minor: 3,
            hlsl_version: 2021,
            spirv: false,
            spirv_minor: 5,
            native_16_bit: false,
            dxc_version: [1, 9, 0, 0],
        }
    }
}

/// The stages that `__SHADER_TARGET_STAGE` is compared with.
#[rustfmt::skip]
const STAGES: &[(&str, u32)] = &[
    ("PIXEL", 0), ("VERTEX", 1), ("GEOMETRY", 2), ("HULL", 3), ("DOMAIN", 4), ("COMPUTE", 5), ("LIBRARY", 6),
    ("MESH", 13), ("AMPLIFICATION", 14),
];

/// The value of a built-in macro without a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Magic {
    No,
    Line,
    File,
    Counter,
    IncludeLevel,
    BaseFile,
    Date,
    Time,
    Timestamp,
}

/// The macros whose value depends on the position, or that have no textual definition.
#[rustfmt::skip]
const MAGIC: &[(&str, Magic)] = &[
    ("__LINE__", Magic::Line), ("__FILE__", Magic::File), ("__COUNTER__", Magic::Counter),
    ("__INCLUDE_LEVEL__", Magic::IncludeLevel), ("__BASE_FILE__", Magic::BaseFile),
    ("__DATE__", Magic::Date), ("__TIME__", Magic::Time), ("__TIMESTAMP__", Magic::Timestamp),
];

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub name: Symbol,
    /// Its name in the source map, from its first expansion on.
    pub expanded_name: Option<MacroName>,
    /// Where its name is defined.
    pub span: Span,
    /// `None` for an object-like macro.
    pub params: Option<Arc<[Symbol]>>,
    /// Whether the last parameter takes all further arguments.
    pub variadic: bool,
    pub body: Arc<[Token]>,
    /// For each token of the body the parameter that it names, or [`NO_PARAM`].
    pub param_of: Arc<[u16]>,
    /// Disabled: its expansion is being read.
    pub disabled: bool,
    pub magic: Magic,
    /// Predefined.
    pub builtin: bool,
}

pub(super) const NO_PARAM: u16 = u16::MAX;

impl Preprocessor<'_> {
    /// The macro called `name`.
    pub(super) fn macro_named(&mut self, name: Symbol) -> Option<u32> {
        if let Some(queried) = &mut self.queried {
            queried.insert(name);
        }
        self.macro_now(name)
    }

    /// The macro called `name`, where nothing depends on whether there is one.
    pub(super) fn macro_now(&self, name: Symbol) -> Option<u32> {
        match self.macro_of.get(name.as_u32() as usize) {
            Some(&m) if m != NO_MACRO => Some(m),
            _ => None,
        }
    }

    pub(super) fn set_macro(&mut self, name: Symbol, id: u32) {
        let i = name.as_u32() as usize;
        if i >= self.macro_of.len() {
            self.macro_of.resize((i + 1).max(self.interner.len()), NO_MACRO);
        }
        self.macro_of[i] = id;
    }

    pub(super) fn define_magic(&mut self) {
        for &(name, magic) in MAGIC {
            let name = self.interner.intern(name);
            self.set_macro(name, self.macros.len() as u32);
            self.macros.push(Macro {
                name,
                expanded_name: None,
                span: Span::NONE,
                params: None,
                variadic: false,
                body: Arc::default(),
                param_of: Arc::default(),
                disabled: false,
                magic,
                builtin: true,
            });
        }
    }

    /// The text that defines the predefined macros.
    pub(super) fn predefined(&self) -> String {
        use std::fmt::Write;
        let t = &self.options.target;
        let mut s = String::with_capacity(4096);
        for (name, body) in super::predefined::CLANG {
            let _ = writeln!(s, "#define {name} {body}");
        }
        let mut def = |name: &str, value: u32| {
            let _ = writeln!(s, "#define {name} {value}");
        };
        for (name, value) in STAGES {
            def(&format!("__SHADER_STAGE_{name}"), *value);
        }
        def("__SHADER_TARGET_STAGE", t.stage);
        def("__SHADER_TARGET_MAJOR", t.major);
        def("__SHADER_TARGET_MINOR", t.minor);
        def("__HLSL_VERSION", t.hlsl_version);
        def("__hlsl_dx_compiler", 1);
        for (name, value) in ["MAJOR", "MINOR", "RELEASE", "COMMITS"].iter().zip(t.dxc_version) {
            def(&format!("__DXC_VERSION_{name}"), value);
        }
        def("__RTC__", 1);
        if t.native_16_bit {
            def("__HLSL_ENABLE_16_BIT", 1);
        }
        if t.spirv {
            def("__spirv__", 1);
            def("__SPIRV_MAJOR_VERSION__", 1);
            def("__SPIRV_MINOR_VERSION__", t.spirv_minor);
        }
        s
    }

    /// The text that defines the macros of the command line.
    pub(super) fn command_line(&self) -> String {
        self.options.defines.iter().map(definition).collect()
    }

    /// `#define`, with the rest of its line.
    pub(super) fn define(&mut self, line: &[Token], directive: Span) {
        let Some(&name) = line.first().filter(|t| t.kind == Kind::Ident) else {
            let at = line.first().map_or(directive, |t| t.span);
            return self.report.emit(&codes::E0126, at, "a macro's name must be an identifier");
        };
        if name.sym == self.names.defined || name.sym == self.names.va_args || self.is_has_operator(name.sym) {
            let message = format!("invalid macro name `{}`", self.interner.str(name.sym));
            return self.report.emit(&codes::E0126, name.span, message);
        }
        let mut at = 1;
        let mut params: Option<Arc<[Symbol]>> = None;
        let mut variadic = false;
        // A parameter list only counts when it touches the name.
        if line.get(1).is_some_and(|t| t.kind == Kind::LParen && !t.flags.contains(Flags::SPACE)) {
            match self.parameters(line, name) {
                Ok((list, v, end)) => (params, variadic, at) = (Some(Arc::from(list)), v, end),
                Err(span) => {
                    let message = format!("the parameter list of macro `{}` is malformed", self.interner.str(name.sym));
                    return self.report.emit(&codes::E0126, span, message);
                }
            }
        }
        let mut body = line[at..].to_vec();
        let list = params.as_deref().unwrap_or(&[]);
        let index = |t: &Token| match t.kind {
            Kind::Ident => list.iter().position(|&p| p == t.sym).map_or(NO_PARAM, |i| i as u16),
            _ => NO_PARAM,
        };
        let param_of: Arc<[u16]> = body.iter().map(index).collect();
        if let Some(first) = body.first_mut() {
            first.flags.remove(Flags::SPACE);
        }
        let ends = [body.first(), body.last()];
        if let Some(t) = ends.into_iter().flatten().find(|t| t.kind == Kind::HashHash) {
            return self.report.emit(&codes::E0126, t.span, "`##` cannot be at the start or end of a macro's body");
        }
        if params.is_some() {
            for (i, t) in body.iter().enumerate() {
                let next_is_optional = variadic && body.get(i + 1).is_some_and(|&t| self.is_va_opt(t));
                if t.kind == Kind::Hash && !next_is_optional && param_of.get(i + 1).is_none_or(|&p| p == NO_PARAM) {
                    return self.report.emit(&codes::E0126, t.span, "`#` must be followed by a parameter of the macro");
                }
            }
        }
        if !variadic && let Some(t) = body.iter().find(|t| t.kind == Kind::Ident && t.sym == self.names.va_args) {
            return self.report.emit(&codes::E0126, t.span, "`__VA_ARGS__` belongs in the body of a variadic macro");
        }
        if let Some((span, message)) = self.wrong_va_opt(&body, variadic) {
            return self.report.emit(&codes::E0126, span, message);
        }
        if let Some(old) = self.macro_named(name.sym) {
            let old = &self.macros[old as usize];
            if old.builtin && self.in_main {
                let message = format!("redefinition of the predefined macro `{}`", self.interner.str(name.sym));
                self.report.emit(&codes::W0107, name.span, message);
            } else if old.params != params || old.variadic != variadic || !same_body(&old.body, &body) {
                let message = format!("macro `{}` redefined", self.interner.str(name.sym));
                let d = Diagnostic::new(&codes::W0101, name.span, message).label(old.span, "first defined here");
                self.report.add(d);
            }
        }
        let id = self.macros.len() as u32;
        let builtin = self.frames.last().is_some_and(|f| self.sources.file(f.file).name == "<built-in>");
        let (span, name) = (name.span, name.sym);
        self.macros.push(Macro {
            name,
            expanded_name: None,
            span,
            params,
            variadic,
            body: body.into(),
            param_of,
            disabled: false,
            magic: Magic::No,
            builtin,
        });
        self.set_macro(name, id);
    }

    /// The error in the uses of `__VA_OPT__` in a body.
    fn wrong_va_opt(&self, body: &[Token], variadic: bool) -> Option<(Span, &'static str)> {
        let mut inside = 0;
        for (i, &t) in body.iter().enumerate().filter(|(_, t)| self.is_va_opt(**t)) {
            if !variadic {
                return Some((t.span, "`__VA_OPT__` belongs in the body of a variadic macro"));
            }
            if i < inside {
                return Some((t.span, "`__VA_OPT__` cannot be nested"));
            }
            if body.get(i + 1).is_none_or(|t| t.kind != Kind::LParen) {
                return Some((t.span, "`__VA_OPT__` takes tokens in parentheses"));
            }
            inside = close_of(body, i + 1);
            if inside == body.len() {
                return Some((t.span, "the parenthesis of `__VA_OPT__` is not closed"));
            }
            let ends = [body[i + 2], body[inside - 1]];
            if let Some(t) = ends.iter().find(|t| t.kind == Kind::HashHash) {
                return Some((t.span, "`##` cannot be at the start or end of a `__VA_OPT__`"));
            }
        }
        None
    }

    /// The parameters from `line[1]` on, which is `(`: their names, whether variadic, and the index after `)`. The error is the span.
    #[allow(clippy::type_complexity)]
    fn parameters(&self, line: &[Token], name: Token) -> Result<(Vec<Symbol>, bool, usize), Span> {
        let mut list: Vec<Symbol> = Vec::new();
        let mut at = 2;
        let place = |at: usize| line.get(at).or(line.last()).map_or(name.span, |t| t.span);
        let kind = |at: usize| line.get(at).map(|t| t.kind);
        if kind(at) == Some(Kind::RParen) {
            return Ok((list, false, at + 1));
        }
        loop {
            match kind(at) {
                Some(Kind::Ident) => {
                    let sym = line[at].sym;
                    if list.contains(&sym) || sym == self.names.va_args || list.len() >= usize::from(NO_PARAM) - 1 {
                        return Err(place(at));
                    }
                    list.push(sym);
                    at += 1;
                    // GNU's named variadic parameter: `args...`.
                    if kind(at) == Some(Kind::Ellipsis) && kind(at + 1) == Some(Kind::RParen) {
                        return Ok((list, true, at + 2));
                    }
                }
                Some(Kind::Ellipsis) if kind(at + 1) == Some(Kind::RParen) => {
                    list.push(self.names.va_args);
                    return Ok((list, true, at + 2));
                }
                _ => return Err(place(at)),
            }
            match kind(at) {
                Some(Kind::Comma) => at += 1,
                Some(Kind::RParen) => return Ok((list, false, at + 1)),
                _ => return Err(place(at)),
            }
        }
    }

    /// The token that a built-in macro expands to.
    pub(super) fn magic_token(&mut self, magic: Magic, name: Token) -> Token {
        let loc = self.sources.loc(name.span);
        let base = || {
            let first = self.frames.first();
            escape_string(first.map_or("", |f| &self.sources.file(f.file).name))
        };
        // `__DATE__` and its like name the start of the epoch: the same source gives the same output on every day.
        let (kind, text) = match magic {
            Magic::BaseFile => (Kind::Str, base()),
            Magic::IncludeLevel => {
                let level = self.frames.len().saturating_sub(1);
                (Kind::Number, level.to_string())
            }
            Magic::Date => (Kind::Str, "\"Jan  1 1970\"".into()),
            Magic::Time => (Kind::Str, "\"00:00:00\"".into()),
            Magic::Timestamp => (Kind::Str, "\"Thu Jan  1 00:00:00 1970\"".into()),
            Magic::File => (Kind::Str, escape_string(&loc.map_or(String::new(), |l| l.file))),
            Magic::Counter => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            Magic::Line | Magic::No => (Kind::Number, loc.map_or(0, |l| l.line).to_string()),
        };
        Token { kind, sym: self.interner.intern(&text), ..name }
    }
}

/// The line that defines a macro of the command line. Its length is rounded, so that the value of a macro seldom changes where the next one is.
pub(super) fn definition(d: &Define) -> String {
    // A line break would start a new directive.
    let one_line = |s: &str| s.replace(['\n', '\r'], " ");
    let mut line = format!("#define {} {}", one_line(&d.name), one_line(d.value.as_deref().unwrap_or("1")));
    // Spaces after a backslash are no part of a line that goes on.
    if !line.ends_with('\\') {
        let length = line.chars().count();
        line.extend(std::iter::repeat_n(' ', (length + 1).next_multiple_of(LINE_UNIT) - length - 1));
    }
    line.push('\n');
    line
}

/// See [`definition`].
const LINE_UNIT: usize = 64;

/// The index of the parenthesis that closes the one at `open`. Definitions were checked to have it.
pub(super) fn close_of(body: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (i, t) in body.iter().enumerate().skip(open) {
        match t.kind {
            Kind::LParen => depth += 1,
            Kind::RParen => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i;
        }
    }
    body.len()
}

fn same_body(a: &[Token], b: &[Token]) -> bool {
    let space = |t: &Token| t.flags.contains(Flags::SPACE);
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.kind == y.kind && x.sym == y.sym && space(x) == space(y))
}
