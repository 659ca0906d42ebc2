//! Exported functions of a library and their names (`-exports`).

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Builder, Func, Function, Module, Opcode, Stage};
use rtc_tables::diagnostics as codes;
use serde::{Deserialize, Serialize};

use crate::error::OptionError;

/// `new,new2=old`: a function and its exported names.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct Export {
    /// The function.
    pub function: String,
    /// Its names in the library.
    pub names: Vec<String>,
}

impl Export {
    /// Parses `new,new2=old;other`.
    ///
    /// # Errors
    /// A name is missing.
    pub fn parse_list(text: &str) -> Result<Vec<Export>, OptionError> {
        let mut out = Vec::new();
        for part in text.split(';').map(str::trim).filter(|p| !p.is_empty()) {
            let (names, function) = part.split_once('=').unwrap_or((part, part));
            let names: Vec<String> = names.split(',').map(|n| n.trim().to_owned()).filter(|n| !n.is_empty()).collect();
            if function.trim().is_empty() || names.is_empty() {
                return Err(OptionError::new(format!("-exports {text}: missing name in `{part}`")));
            }
            out.push(Export { function: function.trim().to_owned(), names });
        }
        Ok(out)
    }
}

/// A mangled name without the byte `\x01` that marks it, raw or escaped.
fn unmarked(name: &str) -> &str {
    name.strip_prefix('\x01').or(name.strip_prefix("\\01")).unwrap_or(name)
}

/// The unqualified name in a mangled name; other names unchanged.
fn plain(name: &str) -> &str {
    let name = unmarked(name);
    name.strip_prefix('?').and_then(|n| n.split('@').next()).unwrap_or(name)
}

impl Export {
    /// The function's name in the source, which overloads share.
    pub(crate) fn source_name(&self) -> &str {
        plain(&self.function)
    }

    /// Whether the function is selected: by its name, with or without namespaces, or by its mangled name.
    fn selects(&self, f: &Function) -> bool {
        let name = unmarked(&self.function);
        f.name == name || plain(&f.symbol) == name || unmarked(&f.symbol) == name
    }
}

/// The symbol of a function with another name.
fn renamed(symbol: &str, name: &str) -> String {
    let name = plain(name);
    match (symbol.strip_prefix("\x01?"), symbol.find('@')) {
        (Some(_), Some(at)) => format!("\x01?{name}{}", &symbol[at..]),
        _ => name.to_owned(),
    }
}

/// Restricts the module to the exports, under their names, in the order of the functions. Functions that are no longer reachable are removed
/// when calls are inlined. With `shaders_only`, functions that are no entry points are not exported.
pub fn apply(m: &mut Module, exports: &[Export], shaders_only: bool) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut exported: Vec<(Function, String)> = Vec::new();
    let mut used = vec![false; exports.len()];
    for (_, f) in m.funcs.iter().filter(|(_, f)| f.is_started() || f.exported) {
        let mut names: Vec<&str> = Vec::new();
        for (e, used) in exports.iter().zip(&mut used).filter(|(e, _)| e.selects(f)) {
            *used = true;
            // Exported under its own name, whether the option has the mangled name or not.
            let own = e.names.len() == 1 && e.names[0] == e.function;
            names.extend(if own { vec![plain(&f.symbol)] } else { e.names.iter().map(String::as_str).collect() });
        }
        if shaders_only && !f.is_entry() {
            continue;
        }
        let mut taken: Vec<String> = Vec::new();
        for name in names {
            let symbol = renamed(&f.symbol, name);
            if !taken.contains(&symbol) {
                let own = symbol == f.symbol;
                let name = if own { f.name.clone() } else { plain(name).to_owned() };
                let mut copy = f.clone();
                (copy.symbol, copy.name) = (symbol.clone(), name.clone());
                exported.push((copy, name));
                taken.push(symbol);
            }
        }
    }
    for e in exports.iter().zip(&used).filter(|(_, used)| !**used).map(|(e, _)| e) {
        let message = format!("there is no function `{}` to export", e.function);
        errors.push(Diagnostic::new(&codes::E0644, Span::NONE, message));
    }
    for (n, (f, name)) in exported.iter().enumerate() {
        if exported[..n].iter().any(|(g, _)| g.symbol == f.symbol) {
            let message = format!("two functions are exported as `{name}`");
            errors.push(Diagnostic::new(&codes::E0644, f.span, message));
        }
    }
    // A patch constant function stays with its hull shader.
    let patch_constants: Vec<Func> = exported.iter().filter_map(|(f, _)| f.state.patch_constants()).collect();
    for id in m.funcs.keys() {
        let f = &mut m.funcs[id];
        if f.is_entry() && !patch_constants.contains(&id) {
            // An entry point has no callers; the empty function is removed with the other unreachable functions.
            let mut empty = Function::new(f.name.clone(), Stage::Library);
            let body = empty.body;
            Builder::at(&mut m.types, &mut empty, body).exit(Opcode::return_, &[]);
            *f = empty;
        }
        f.exported = false;
    }
    for (f, _) in exported {
        m.funcs.push(f);
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let list = Export::parse_list("A; B=b ;C,D=c").unwrap();
        let short: Vec<_> = list.iter().map(|e| (e.function.as_str(), e.names.join("+"))).collect();
        assert_eq!(short, [("A", "A".into()), ("b", "B".into()), ("c", "C+D".into())]);
        assert!(Export::parse_list("=x").is_err() && Export::parse_list("x=").is_err());
        assert_eq!(Export::parse_list("A,,B=M").unwrap()[0].names, ["A", "B"]);
    }

    #[test]
    fn names_of_symbols() {
        assert_eq!(renamed("\x01?inner@ns@@YAMM@Z", "other"), "\x01?other@ns@@YAMM@Z");
        assert_eq!(renamed("\x01?f@@YAXXZ", "\x01?g@@YAXXZ"), "\x01?g@@YAXXZ");
        assert_eq!(renamed("main", "start"), "start");
        assert_eq!((plain("\\01?f@@YAXXZ"), plain("?f@ns@@YAXXZ"), plain("f")), ("f", "f", "f"));
    }
}
