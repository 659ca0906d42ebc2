//! Tests of the checker: source in, typed tree or diagnostics out.

mod corpus;
mod language;
mod overloads;
mod resources;
mod robust;
mod spec;
mod stages;
mod templates;

use rtc_base::{Diagnostic, Interner, SourceMap};

use super::{SemaOptions, check};
use crate::hir::{Module, print};
use crate::preprocess::{NoIncludes, PreprocessOptions};

/// A checked source.
pub struct Run {
    pub module: Module,
    pub names: Interner,
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn run_with(source: &str, opts: &SemaOptions) -> Run {
    let mut sources = SourceMap::new();
    let mut names = Interner::new();
    let main = sources.add_file("t.hlsl", source, None).unwrap();
    let parsed = crate::parse(
        &mut sources,
        &mut names,
        main,
        &PreprocessOptions::default(),
        &mut NoIncludes,
    );
    let (module, found) = check(&parsed.ast, &sources, &mut names, opts);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(found);
    Run {
        module,
        names,
        sources,
        diagnostics,
    }
}

pub fn run(source: &str) -> Run {
    run_with(source, &SemaOptions::default())
}

impl Run {
    /// `line:column code message` of each diagnostic.
    pub fn lines(&self) -> Vec<String> {
        self.diagnostics
            .iter()
            .map(|d| {
                let at = self
                    .sources
                    .loc(d.span())
                    .map_or("-".into(), |l| format!("{}:{}", l.line, l.column));
                format!("{at} {} {}", d.code.id, d.message)
            })
            .collect()
    }

    /// The function of this name as text.
    pub fn function(&self, name: &str) -> String {
        let found = self.module.funcs.iter().find(|(_, f)| f.qualified == name);
        match found {
            Some((id, _)) => print::function(&self.module, &self.names, id),
            None => panic!("no function {name}"),
        }
    }

    pub fn assert_clean(&self) {
        assert!(self.diagnostics.is_empty(), "{}", self.lines().join("\n"));
    }
}

/// The source has no diagnostic.
#[track_caller]
pub fn ok(source: &str) -> Run {
    let r = run(source);
    r.assert_clean();
    r
}

/// The body of function `f` as text, one line for each statement, against `expected`.
#[track_caller]
pub fn typed(source: &str, expected: &str) {
    let text = ok(source).function("f");
    let body: Vec<&str> = text
        .lines()
        .skip(1)
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    let body = body[..body.len().saturating_sub(1)].join("\n");
    let expected: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    assert_eq!(body, expected.join("\n"));
}

/// Exactly these diagnostics: `line:column code`, optionally followed by a part of the message.
#[track_caller]
pub fn fails(source: &str, expected: &[&str]) {
    fails_with(source, &SemaOptions::default(), expected);
}

/// As [`fails`], with options.
#[track_caller]
pub fn fails_with(source: &str, opts: &SemaOptions, expected: &[&str]) {
    let lines = run_with(source, opts).lines();
    let same = lines.len() == expected.len()
        && lines.iter().zip(expected).all(|(line, want)| {
            let mut parts = want.splitn(3, ' ');
            let head = format!(
                "{} {} ",
                parts.next().unwrap_or(""),
                parts.next().unwrap_or("")
            );
            line.starts_with(&head) && line.contains(parts.next().unwrap_or(""))
        });
    assert!(
        same,
        "found:\n{}\nexpected:\n{}",
        lines.join("\n"),
        expected.join("\n")
    );
}

/// Options for shader model 6.`minor`.
pub fn model(minor: u8) -> SemaOptions {
    SemaOptions {
        shader_model: minor,
        ..SemaOptions::default()
    }
}
