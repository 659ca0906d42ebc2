//! The preprocessor stopped after the first includes of a source, to go on from there with other macros of the command line.
//!
//! What was read before the stop depends on a macro only if it queried whether there is one of that name: a name that is expanded, tested,
//! defined or forgotten is queried. So the state serves all command lines that agree on the names that were queried, and in where they
//! define them, since positions in the command line are positions of tokens.

use std::sync::Arc;

use rtc_base::{EntitySet, FileId, Interner, Pos, SourceMap, Span, Symbol};

use super::macros::{Macro, definition};
use super::pragma::PragmaState;
use super::{
    COMMAND_LINE_UNIT, Cached, Condition, Define, Evaluated, Frame, Included, Includes, NO_MACRO, Names, Pragmas, PreprocessOptions,
    Preprocessed, Preprocessor,
};
use crate::lex::{Flags, Kind, RawFile, RawToken, Token, lex_file};
use crate::report::Report;
use rustc_hash::FxHashMap;

/// The state of the preprocessor between two tokens of the main file.
pub(crate) struct State {
    /// The tokens so far.
    pub out: Vec<Token>,
    macros: Vec<Macro>,
    macro_of: Vec<u32>,
    cache: FxHashMap<String, Cached>,
    included: Vec<Included>,
    misspelled_dirs: Vec<usize>,
    evaluated: Vec<Evaluated>,
    pragmas: PragmaState,
    conditions: Vec<Condition>,
    names: Names,
    counter: u32,
    budget: u32,
    queried: EntitySet<Symbol>,
    /// The macros of the command line, with the offsets where they are defined.
    defines: Vec<(Define, usize)>,
    command_line: FileId,
    /// Where the command line begins.
    command_start: Pos,
    /// Where the first file of the source that is included may begin.
    start: Pos,
    main: Arc<RawFile>,
    /// The next token of the main file.
    at: usize,
}

/// The macros of `options` with the offsets of their definitions; `None` if one is not clearly of one name and one line.
fn defines(options: &PreprocessOptions) -> Option<Vec<(Define, usize)>> {
    let mut at = 0;
    let mut out = Vec::with_capacity(options.defines.len());
    for d in &options.defines {
        let text = definition(d);
        if text.contains('\\') || text.contains("/*") || name_of(d).is_empty() {
            return None;
        }
        out.push((d.clone(), at));
        at += text.len();
    }
    Some(out)
}

/// The name of the macro that `d` defines.
fn name_of(d: &Define) -> &str {
    let rest = d.name.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()));
    &rest[..end.unwrap_or(rest.len())]
}

/// The raw token of the main file after the last include that is worth waiting for: that before the first mention of a macro of the
/// command line, if there is one, outside of conditionals (but for the guard of the file).
fn end_of_includes(raw: &RawFile, interner: &Interner, given: &EntitySet<Symbol>) -> Option<usize> {
    let outer = usize::from(raw.guard.is_some());
    let (mut depth, mut at, mut found) = (0_usize, 0, None);
    let tokens = &raw.tokens;
    while tokens[at].kind != Kind::Eof {
        let begins = tokens[at].kind == Kind::Hash && tokens[at].flags.contains(Flags::BOL);
        let length = match begins {
            true => 1 + tokens[at + 1..].iter().take_while(|t| t.kind != Kind::Eof && !t.flags.contains(Flags::BOL)).count(),
            false => 1,
        };
        let line = &tokens[at..at + length];
        if found.is_some() && line.iter().any(|t| t.kind == Kind::Ident && given.contains(t.sym)) {
            break;
        }
        at += length;
        if let (true, Some(name)) = (begins, line.get(1).filter(|t| t.kind == Kind::Ident)) {
            match interner.str(name.sym) {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" => depth = depth.saturating_sub(1),
                "include" if depth == outer => found = Some(at),
                _ => {}
            }
        }
    }
    found
}

/// Preprocesses `main` up to the end of its first includes. `None` where there are none, or where something is wrong.
pub(crate) fn start(
    sources: &mut SourceMap,
    interner: &mut Interner,
    main: FileId,
    options: &PreprocessOptions,
    includes: &mut dyn Includes,
    report: &mut Report,
) -> Option<State> {
    let defines = defines(options)?;
    let mut p = Preprocessor::new(sources, interner, options, includes, report);
    p.define_predefined();
    // A macro that is defined twice, or predefined, is not one whose definition could be taken away.
    let mut given = EntitySet::new();
    for (d, _) in &defines {
        let name = p.interner.intern(name_of(d));
        if p.macro_now(name).is_some() || !given.insert(name) {
            return None;
        }
    }
    p.define_command_line();
    if !p.report.is_empty() {
        return None;
    }
    p.queried = Some(EntitySet::new());
    let (command_line, text) = p.sources.files().last()?;
    let command_start = text.start;
    let start = p.sources.next_start();
    p.in_main = true;
    let name = p.sources.file(main).name.clone();
    p.enter(main, name);
    let raw = p.frames.last()?.raw.clone();
    let at = end_of_includes(&raw, p.interner, &given)?;
    p.stop = at;
    p.run();
    let [frame] = p.frames.as_slice() else { return None };
    if frame.at != at || p.report.errors() > 0 || p.report.is_full() {
        return None;
    }
    Some(State {
        out: p.out,
        macros: p.macros,
        macro_of: p.macro_of,
        cache: p.cache,
        included: p.included,
        misspelled_dirs: p.misspelled_dirs,
        evaluated: p.evaluated,
        pragmas: p.pragmas,
        conditions: p.conditions,
        names: p.names,
        counter: p.counter,
        budget: p.budget,
        queried: p.queried.unwrap_or_default(),
        defines,
        command_line,
        command_start,
        start,
        main: raw,
        at,
    })
}

/// Where the preamble of a file with these tokens ends, whose names are in `interner`; `None`: it has none.
pub(crate) fn end(raw: &RawFile, interner: &mut Interner, options: &PreprocessOptions) -> Option<usize> {
    let given: EntitySet<Symbol> = defines(options)?.iter().map(|(d, _)| interner.intern(name_of(d))).collect();
    end_of_includes(raw, interner, &given)
}

impl State {
    /// Whether a file with these tokens, whose names are in `interner`, which is a copy of the state's, goes on where the state ended.
    pub fn continues(&self, raw: &RawFile, interner: &mut Interner, options: &PreprocessOptions) -> bool {
        let same =
            |(a, b): (&RawToken, &RawToken)| a.lo == b.lo && a.hi == b.hi && a.kind == b.kind && a.flags == b.flags && a.sym == b.sym;
        let so_far = |r: &RawFile| r.tokens.get(..self.at).is_some();
        end(raw, interner, options) == Some(self.at)
            && so_far(raw)
            && raw.guard == self.main.guard
            && raw.too_long == self.main.too_long
            && raw.tokens[..self.at].iter().zip(&self.main.tokens[..self.at]).all(same)
    }

    /// The pragmas so far.
    pub fn pragmas(&self) -> &Pragmas {
        self.pragmas.so_far()
    }

    /// Whether the state is that of a source with the macros of `options`. `names` are those of the state.
    pub fn fits(&self, options: &PreprocessOptions, names: &Interner) -> bool {
        let Some(new) = defines(options) else { return false };
        let queried = |d: &&(Define, usize)| names.get(name_of(&d.0)).is_some_and(|n| self.queried.contains(n));
        let end = new.last().map_or(0, |(d, at)| at + definition(d).len());
        let start = (self.command_start.raw() as usize + end + 1).next_multiple_of(COMMAND_LINE_UNIT as usize);
        self.defines.iter().filter(queried).eq(new.iter().filter(queried)) && start == self.start.raw() as usize
    }

    /// Preprocesses the rest of `main` with the macros of `options`, which fit. `sources` and `interner` are those that the state left.
    /// `version`: the
    /// tokens of another version of the main file, which [continues](State::continues). `None`: the macros of the command line need a report.
    #[allow(clippy::too_many_arguments)]
    pub fn finish(
        &self,
        sources: &mut SourceMap,
        interner: &mut Interner,
        main: FileId,
        options: &PreprocessOptions,
        includes: &mut dyn Includes,
        report: &mut Report,
        version: Option<Arc<RawFile>>,
    ) -> Option<Preprocessed> {
        let mut silent = Report::new();
        let mut p = Preprocessor::new(sources, interner, options, includes, &mut silent);
        p.out.reserve(self.out.len() + self.main.tokens.len());
        p.out.extend_from_slice(&self.out);
        p.macros.clone_from(&self.macros);
        p.macro_of.clone_from(&self.macro_of);
        p.cache.clone_from(&self.cache);
        p.names = self.names.clone();
        (p.counter, p.budget) = (self.counter, self.budget);
        for (d, _) in &self.defines {
            if let Some(name) = p.interner.get(name_of(d)).filter(|&n| !self.queried.contains(n)) {
                p.set_macro(name, NO_MACRO);
            }
        }
        // The macros that nothing queried. Those that something queried stay, with the positions that they have.
        let (mut text, mut rest) = (String::new(), String::new());
        for d in &options.defines {
            let line = definition(d);
            let queried = p.interner.get(name_of(d)).is_some_and(|n| self.queried.contains(n));
            match queried {
                true => {
                    rest.extend(std::iter::repeat_n(' ', line.len() - 1));
                    rest.push('\n');
                }
                false => rest.push_str(&line),
            }
            text.push_str(&line);
        }
        p.sources.replace_text(self.command_line, text.into());
        let raw = Arc::new(lex_file(&rest, p.interner));
        let start = p.sources.file(self.command_line).start.raw();
        p.frames.push(Frame { file: self.command_line, start, raw, at: 0, conditions: 0, path: String::new(), after: Span::NONE });
        p.run();
        if !p.report.is_empty() {
            return None;
        }
        let Preprocessor { out, macros, macro_of, cache, names, counter, budget, .. } = p;
        let mut p = Preprocessor::new(sources, interner, options, includes, report);
        (p.out, p.macros, p.macro_of, p.cache, p.names, p.counter, p.budget) = (out, macros, macro_of, cache, names, counter, budget);
        p.included.clone_from(&self.included);
        p.misspelled_dirs.clone_from(&self.misspelled_dirs);
        p.evaluated.clone_from(&self.evaluated);
        p.pragmas = self.pragmas.clone();
        p.conditions.clone_from(&self.conditions);
        p.in_main = true;
        let (start, path) = (p.sources.file(main).start.raw(), p.sources.file(main).name.clone());
        p.frames.push(Frame {
            file: main,
            start,
            raw: version.unwrap_or_else(|| self.main.clone()),
            at: self.at,
            conditions: 0,
            path,
            after: Span::NONE,
        });
        p.run();
        Some(p.finish(main))
    }
}
