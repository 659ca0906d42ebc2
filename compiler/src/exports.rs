//! `-exports`: which functions of a library others see, and under which names.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Builder, Function, Module, Opcode, Stage};
use rtc_tables::diagnostics as codes;

/// `new,new2=old`: a function and the names that it gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The function.
    pub function: String,
    /// Its names in the library.
    pub names: Vec<String>,
}

impl Export {
    /// Reads `new,new2=old;other`.
    ///
    /// # Errors
    /// A name is missing.
    pub fn parse_list(text: &str) -> Result<Vec<Export>, String> {
        let mut out = Vec::new();
        for part in text.split(';').map(str::trim).filter(|p| !p.is_empty()) {
            let (names, function) = part.split_once('=').unwrap_or((part, part));
            let names: Vec<String> = names.split(',').map(|n| n.trim().to_owned()).collect();
            if function.trim().is_empty() || names.iter().any(String::is_empty) {
                return Err(format!("-exports {text}: a name is missing in `{part}`"));
            }
            out.push(Export { function: function.trim().to_owned(), names });
        }
        Ok(out)
    }
}

/// Leaves just the exports, under their names. What nobody can start any more goes when calls are inlined.
pub fn apply(m: &mut Module, exports: &[Export]) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut made: Vec<(Function, &str)> = Vec::new();
    for e in exports {
        let mut found = false;
        for (_, f) in m.roots().filter(|(_, f)| f.name == e.function) {
            found = true;
            for name in &e.names {
                let mut copy = f.clone();
                copy.symbol = copy.symbol.replacen(&e.function, name, 1);
                copy.name.clone_from(name);
                made.push((copy, name));
            }
        }
        if !found {
            let message = format!("there is no function `{}` to export", e.function);
            wrong.push(Diagnostic::new(&codes::E0644, Span::NONE, message));
        }
    }
    for (n, (f, name)) in made.iter().enumerate() {
        if made[..n].iter().any(|(g, other)| other == name && g.symbol == f.symbol) {
            let message = format!("two functions are exported as `{name}`");
            wrong.push(Diagnostic::new(&codes::E0644, f.span, message));
        }
    }
    for id in m.funcs.keys() {
        let f = &mut m.funcs[id];
        if f.is_entry() {
            // Nobody calls it; what is left of it goes with the functions that nobody can start.
            let mut empty = Function::new(f.name.clone(), Stage::Library);
            let body = empty.body;
            Builder::at(&mut m.types, &mut empty, body).exit(Opcode::return_, &[]);
            *f = empty;
        }
        f.exported = false;
    }
    for (f, _) in made {
        m.funcs.push(f);
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let list = Export::parse_list("A; B=b ;C,D=c").unwrap();
        let short: Vec<_> = list.iter().map(|e| (e.function.as_str(), e.names.join("+"))).collect();
        assert_eq!(short, [("A", "A".into()), ("b", "B".into()), ("c", "C+D".into())]);
        assert!(Export::parse_list("=x").is_err());
    }
}
