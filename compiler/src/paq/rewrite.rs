//! The inferred qualifiers as changes of the sources: only `read(…)`, `write(…)` and `[raypayload]` come or change, everything
//! else stays byte by byte. What says the right thing already is left as it is spelled. A payload is changed as a whole or
//! not at all, and so are the payloads of a library, which compiles with the qualifiers of all of them or of none. Nothing is changed if the
//! libraries would not compile with it.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use rtc_base::{Diagnostic, Span};
use rtc_frontend::lex::TokenCache;
use rtc_frontend::preprocess::Includes;
use rtc_ir::PaqStage;
use rtc_tables::diagnostics as codes;

use super::fields::{Declared, SourceRange, plain};
use super::{Inference, Payload, RecordLocation};
use crate::options::{Options, Target};

/// New contents of files.
#[derive(Default, Debug)]
pub struct Rewritten {
    /// Path and contents of each file that changes.
    pub files: Vec<(String, Vec<u8>)>,
    /// What cannot be changed, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// Replacements in files: where, and by what.
type Edits = BTreeMap<SourceRange, String>;

/// The sources with the inferred qualifiers written into them. `sources` are what was compiled.
pub fn rewrite(found: &Inference, sources: &[(String, Vec<u8>)], includes: &mut dyn Includes, o: &Options) -> Rewritten {
    let mut out = Rewritten::default();
    // The payloads that change.
    let mut changed: Vec<(&Payload, Edits)> = Vec::new();
    let mut left: Vec<&Payload> = found.payloads.iter().filter(|p| !p.refused.is_empty()).collect();
    for p in found.payloads.iter().filter(|p| p.refused.is_empty()) {
        match of_payload(p) {
            Ok(edits) => changed.push((p, edits)),
            Err(why) => {
                out.diagnostics.push(refusal(&p.name, &why));
                left.push(p);
            }
        }
    }
    loop {
        let edits: Edits = changed.iter().flat_map(|c| c.1.clone()).collect();
        out.files = match apply(edits, sources, includes) {
            Ok(files) => files,
            Err(path) => {
                out.diagnostics.push(refusal_of_all(&format!("`{path}` cannot be read again")));
                return out;
            }
        };
        // Where nothing is written, mistakes of the declared qualifiers are not those of inference.
        if out.files.is_empty() {
            return out;
        }
        let uses = |p: &Payload, n: usize| p.libraries.contains(&n);
        let in_part = |n| left.iter().any(|p| uses(p, n)) && changed.iter().any(|(p, edits)| uses(p, n) && !edits.is_empty());
        match breaks(&out.files, sources, includes, o, &in_part) {
            None => return out,
            Some(Broken::Mistake(why)) => {
                out.diagnostics.push(refusal_of_all(&format!("with them the libraries would not compile: {why}")));
                out.files.clear();
                return out;
            }
            Some(Broken::Lacks(library, why)) => {
                let (these, others) = changed.into_iter().partition(|(p, edits)| uses(p, library) && !edits.is_empty());
                changed = others;
                for (p, _) in these {
                    let why = format!("with it alone `{}` would not compile: {why}", sources[library].0);
                    out.diagnostics.push(refusal(&p.name, &why));
                    left.push(p);
                }
            }
        }
    }
}

/// The files with these edits; the path of one that cannot be read if there is one.
fn apply(edits: Edits, sources: &[(String, Vec<u8>)], includes: &mut dyn Includes) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut files: BTreeMap<String, Vec<(SourceRange, String)>> = BTreeMap::new();
    for (place, text) in edits {
        files.entry(place.file.clone()).or_default().push((place, text));
    }
    let mut out = Vec::new();
    for (path, edits) in files {
        let bytes = match sources.iter().find(|s| plain(&s.0) == path) {
            Some(s) => Some(s.1.clone()),
            None => includes.read(&path).ok().flatten().map(|b| b.to_vec()),
        };
        let Some(bytes) = bytes else { return Err(path) };
        let edits = edits.iter().map(|(place, new)| (place.start..place.end, new.as_str()));
        out.push((path, rtc_frontend::lex::replace(&bytes, edits)));
    }
    Ok(out)
}

fn refusal(name: &str, why: &str) -> Diagnostic {
    Diagnostic::new(&codes::E0714, Span::NONE, format!("`{name}` is left as it is: {why}"))
}

fn refusal_of_all(why: &str) -> Diagnostic {
    Diagnostic::new(&codes::E0714, Span::NONE, format!("no qualifiers are written: {why}"))
}

fn of_payload(p: &Payload) -> Result<Edits, String> {
    let mut edits = Edits::new();
    for RecordLocation { name, place, nameless, raypayload, at } in &p.records {
        if *raypayload {
            continue;
        }
        let place = place.as_ref().ok_or_else(|| match nameless {
            true => format!("the structure at {at} has no name"),
            false => format!("the name of `{name}` at {at} comes from a macro"),
        })?;
        insert(&mut edits, place, place.start, "[raypayload] ".into());
    }
    for f in &p.fields {
        for d in &f.declared {
            of_field(d, f.solved.read, f.solved.write, &mut edits)
                .ok_or_else(|| format!("the declaration of `{}` at {} comes from a macro", f.name, d.at))?;
        }
    }
    Ok(edits)
}

fn insert(edits: &mut Edits, near: &SourceRange, at: usize, text: String) {
    edits.insert(SourceRange { file: near.file.clone(), start: at, end: at }, text);
}

fn of_field(d: &Declared, read: u8, write: u8, edits: &mut Edits) -> Option<()> {
    let has = d.paq.unwrap_or_default();
    let (has_read, has_write) = (has.read.map(|s| s.0), has.write.map(|s| s.0));
    if has_read == Some(read) && has_write == Some(write) {
        return Some(());
    }
    if d.in_macro {
        return None;
    }
    let spell = |word: &str, set: u8| format!("{word}({})", PaqStage::list(set, ", "));
    for (place, has, word, set) in [(&d.read, has_read, "read", read), (&d.write, has_write, "write", write)] {
        if let Some(p) = place
            && has != Some(set)
        {
            edits.insert(p.clone(), spell(word, set));
        }
    }
    let (read, write) = (spell("read", read), spell("write", write));
    match (&d.read, &d.write) {
        (Some(_), Some(_)) => {}
        (Some(p), None) => insert(edits, p, p.end, format!(" : {write}")),
        (None, Some(p)) => insert(edits, p, p.end, format!(" : {read}")),
        (None, None) => {
            let end = d.end.as_ref()?;
            insert(edits, end, end.end, format!(" : {read} : {write}"));
        }
    }
    Some(())
}

/// Files that are not yet as they will be.
struct Overlay<'a> {
    files: &'a [(String, Vec<u8>)],
    under: &'a mut dyn Includes,
}

impl Includes for Overlay<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        let wanted = plain(path);
        match self.files.iter().find(|f| f.0 == wanted) {
            Some(f) => Ok(Some(f.1.as_slice().into())),
            None => self.under.read(path),
        }
    }

    fn same_but_case(&mut self, path: &str) -> Option<String> {
        self.under.same_but_case(path)
    }

    fn list(&mut self, dir: &str) -> Vec<String> {
        self.under.list(dir)
    }

    fn identity(&mut self, path: &str) -> String {
        self.under.identity(path)
    }

    fn tokens(&mut self) -> Option<Arc<TokenCache>> {
        self.under.tokens()
    }
}

/// Why libraries do not compile with the new contents.
enum Broken {
    /// This is wrong.
    Mistake(String),
    /// In the library of this number a part of the payloads changes: what it lacks.
    Lacks(usize, String),
}

/// Why the libraries do not compile with the new contents, if they do not. `in_part`: whether some payloads of a library change and others are left
/// as they are.
fn breaks(
    files: &[(String, Vec<u8>)],
    sources: &[(String, Vec<u8>)],
    includes: &mut dyn Includes,
    o: &Options,
    in_part: &dyn Fn(usize) -> bool,
) -> Option<Broken> {
    let mut options = Options { target: Target::Check, payload_qualifiers: Some(true), ..o.clone() };
    options.profile.minor = o.profile.minor.max(7);
    let mut overlay = Overlay { files, under: includes };
    let mut lacks = None;
    for (n, (name, bytes)) in sources.iter().enumerate() {
        let path = plain(name);
        let new = files.iter().find(|f| f.0 == path);
        let c = crate::compile(name, new.map_or(bytes, |f| &f.1), &mut overlay, &options);
        let shown = |d: &Diagnostic| {
            let at = c.sources.loc(d.span()).map_or_else(String::new, |l| format!("{}:{}:{}: ", l.file, l.line, l.column));
            format!("{at}{} [{}]", d.message, d.code.id)
        };
        // Payloads that are left as they are may lack qualifiers still.
        let lacking = |d: &&Diagnostic| matches!(d.code.id, "E0606" | "E0706" | "E0707");
        let errors = || c.diagnostics.iter().filter(|d| d.is_error());
        if let Some(d) = errors().find(|d| !lacking(d)) {
            return Some(Broken::Mistake(shown(d)));
        }
        if let Some(d) = errors().find(lacking)
            && lacks.is_none()
            && in_part(n)
        {
            lacks = Some((n, shown(d)));
        }
    }
    lacks.map(|(n, why)| Broken::Lacks(n, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paq::{Assume, infer};
    use rtc_frontend::preprocess::NoIncludes;

    #[test]
    fn declared_mistakes_are_no_fault_of_what_is_not_inferred() {
        let text = "struct [raypayload] P { float a : write() : read(miss); float b : write(miss) : read(caller); };
            [shader(\"miss\")] void M(inout P p) { p.b = p.a; }";
        let sources = [("a.hlsl".to_string(), text.as_bytes().to_vec())];
        let options = Options::new(crate::Profile::parse("lib_6_6").expect("a profile"));
        let found = infer(&sources, &mut NoIncludes, &options, Assume::default());
        assert!(found.payloads.iter().all(|p| !p.refused.is_empty()), "no trace tells what callers need");
        let out = rewrite(&found, &sources, &mut NoIncludes, &options);
        assert_eq!((out.files.len(), out.diagnostics.len()), (0, 0), "{:?}", out.diagnostics);
    }
}
