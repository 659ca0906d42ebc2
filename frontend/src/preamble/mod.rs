//! The preamble of a source, which is everything up to its first includes with the declarations in them, processed once for all
//! compilations that share it.
//!
//! Permutations of a shader differ in macros of the command line, which most of the headers never mention. So the state of the
//! preprocessor, the classifier, the parser and the type checker after the includes is kept, and the next permutation goes on from a copy.
//! That is exact, not a guess:
//!
//! * the source, the options and what was read are compared ([`reads`]),
//! * of the macros, those whose names the preamble queried ([`crate::preprocess`]'s `preamble`),
//! * the preamble ends where a declaration ends, so that nothing after it changes how it was read ([`crate::classify`]),
//! * positions are the same, because the positions of the command line are rounded.
//!
//! A source that is edited has the same options and another text each time ([`edited`](parse_edited)).
//!
//! Symbols of a compilation with a preamble have other numbers than those of one without. No output depends on the numbers of symbols.

mod edited;
mod reads;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rtc_base::{Diagnostic, FileId, Interner, Pos, SourceMap};
use rustc_hash::FxHashMap;

use crate::classify;
use crate::lex::{Kind, RawFile, Token};
use crate::preprocess::print::{Printer, print};
use crate::preprocess::{self, Includes, PreprocessOptions, Preprocessed};
use crate::report::Report;
use crate::sema::{self, Checked, SemaOptions};
use crate::syntax::parse::Tree;
use crate::syntax::{Parsed, drop_echoes};
use reads::{Once, Reads, Recorder};

pub use edited::parse_edited;

/// Sources with fewer tokens before the end of their includes have no preamble: a copy of it would cost as much.
const FEWEST_TOKENS: usize = 500;

/// A source up to its first includes.
struct Preamble {
    reads: Reads,
    sources: SourceMap,
    names: Interner,
    preprocessor: preprocess::preamble::State,
    /// Diagnostics of the preprocessor.
    report: Report,
    classifier: classify::State,
    tree: Tree,
    checked: Checked,
    /// Where the files after the source begin.
    after_main: Pos,
    /// What `-P` prints of it, once that was needed.
    printed: OnceLock<Printer>,
}

/// What preambles of a source have in common.
struct Source {
    name: String,
    text: Arc<str>,
    /// Without macros.
    options: PreprocessOptions,
    language: SemaOptions,
    /// The preambles for different macros, the last one that was used first.
    preambles: Vec<Arc<Preamble>>,
    /// How often it was compiled, and how often with a preamble that was there.
    requests: u32,
    hits: u32,
}

/// The preambles of sources, for several compilations, on several threads. What it holds is bounded.
pub struct PreambleCache {
    state: Arc<Mutex<State>>,
    hits: AtomicU64,
}

struct State {
    sources: Vec<Source>,
    edited: Vec<edited::Edited>,
    /// The most memory that preambles take, about.
    limit: usize,
}

impl Default for PreambleCache {
    fn default() -> Self {
        PreambleCache::within(Self::MAX_BYTES)
    }
}

/// How many sources are remembered.
const MAX_SOURCES: usize = 256;
/// How many preambles of a source.
const MAX_PREAMBLES: usize = 8;
/// The texts of sources take at most this part of the memory.
const TEXTS: usize = 4;
/// About the memory that a token takes, with its part of all trees.
const BYTES_OF_TOKEN: usize = 250;

impl Preamble {
    fn bytes(&self) -> usize {
        self.reads.bytes() + self.preprocessor.out.len() * BYTES_OF_TOKEN
    }
}

/// What to do with a source.
enum Plan {
    /// It has these preambles.
    Try(Vec<Arc<Preamble>>),
    /// It is compiled often enough to make one.
    Make,
    Nothing,
}

impl PreambleCache {
    /// The most memory that preambles take, about, if no limit is given.
    pub const MAX_BYTES: usize = 256 << 20;

    /// A cache of its own that takes at most about `limit` bytes.
    pub fn within(limit: usize) -> Self {
        let state = State { sources: Vec::new(), edited: Vec::new(), limit };
        PreambleCache { state: Arc::new(Mutex::new(state)), hits: AtomicU64::new(0) }
    }

    /// Another handle of the same preambles, which counts what it saves itself.
    pub fn sharing(&self) -> Self {
        PreambleCache { state: self.state.clone(), hits: AtomicU64::new(0) }
    }

    // A panic never happens while the lock is held, and the state is valid between any two statements.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many compilations began with a preamble.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Forgets all preambles.
    pub fn clear(&self) {
        let mut state = self.state();
        state.sources.clear();
        state.edited.clear();
    }

    fn source<'a>(state: &'a mut State, key: &Key<'_>) -> Option<&'a mut Source> {
        let at = state.sources.iter().position(|s| key.is_of(s))?;
        state.sources[..=at].rotate_right(1);
        state.sources.first_mut()
    }

    /// What to do for a compilation of this source.
    fn plan(&self, key: &Key<'_>) -> Plan {
        let mut state = self.state();
        let Some(source) = Self::source(&mut state, key) else {
            let options = PreprocessOptions { defines: Vec::new(), ..key.options.clone() };
            let (name, text, language) = (key.name.to_owned(), key.text.clone(), key.language.clone());
            // Older versions of the same source are not compiled again.
            let older = state.sources.iter_mut().filter(|s| s.name == name && s.options == options && s.language == language);
            older.for_each(|s| s.preambles.clear());
            let new = Source { name, text, options, language, preambles: Vec::new(), requests: 1, hits: 0 };
            state.sources.truncate(MAX_SOURCES - 1);
            state.sources.insert(0, new);
            state.forget_texts();
            return Plan::Nothing;
        };
        source.requests = source.requests.saturating_add(1);
        if !source.preambles.is_empty() {
            return Plan::Try(source.preambles.clone());
        }
        source.plan()
    }

    /// The preambles of this source.
    fn preambles(&self, key: &Key<'_>) -> Vec<Arc<Preamble>> {
        Self::source(&mut self.state(), key).map(|s| s.preambles.clone()).unwrap_or_default()
    }

    /// Whether to make a preamble although there are some, of which none fits.
    fn make_another(&self, key: &Key<'_>) -> bool {
        Self::source(&mut self.state(), key).is_some_and(|s| matches!(s.plan(), Plan::Make))
    }

    fn used(&self, key: &Key<'_>, preamble: &Arc<Preamble>) {
        self.hits.fetch_add(1, Ordering::Relaxed);
        let mut state = self.state();
        if let Some(source) = Self::source(&mut state, key) {
            source.hits = source.hits.saturating_add(1);
            if let Some(at) = source.preambles.iter().position(|p| Arc::ptr_eq(p, preamble)) {
                source.preambles[..=at].rotate_right(1);
            }
        }
    }

    fn keep(&self, key: &Key<'_>, preamble: Arc<Preamble>) {
        let mut state = self.state();
        if let Some(source) = Self::source(&mut state, key) {
            source.preambles.truncate(MAX_PREAMBLES - 1);
            source.preambles.insert(0, preamble);
        }
        // The sources that were not used for the longest time lose theirs.
        let (mut bytes, limit) = (0, state.limit);
        for source in &mut state.sources {
            source.preambles.retain(|p| {
                bytes += p.bytes();
                bytes <= limit
            });
        }
    }
}

impl State {
    /// Forgets the sources that were not used for the longest time, if the texts of all are long. The last one stays.
    fn forget_texts(&mut self) {
        let (mut bytes, limit) = (0, self.limit / TEXTS);
        let kept = self.sources.iter().take_while(|s| {
            bytes += s.text.len();
            bytes <= limit
        });
        let kept = kept.count().max(1);
        self.sources.truncate(kept);
    }
}

impl Source {
    /// A preamble is made for a source that is compiled a second time, and given up where they are of no use: each is another one.
    fn plan(&self) -> Plan {
        let useful = self.requests < 16 || self.hits >= self.requests / 2;
        if self.requests > 1 && useful { Plan::Make } else { Plan::Nothing }
    }
}

/// What a preamble belongs to.
struct Key<'a> {
    name: &'a str,
    text: &'a Arc<str>,
    options: &'a PreprocessOptions,
    language: &'a SemaOptions,
}

impl Key<'_> {
    fn is_of(&self, s: &Source) -> bool {
        let o = &s.options;
        let PreprocessOptions { defines: _, include_dirs, report_undefined, ignore_line, target, expand } = self.options;
        s.name == self.name
            && s.language == *self.language
            && o.include_dirs == *include_dirs
            && o.report_undefined == *report_undefined
            && o.ignore_line == *ignore_line
            && o.target == *target
            && o.expand == *expand
            && s.text == *self.text
    }
}

/// Preprocesses and parses `main`, which is the only file in `sources`, like [`crate::parse`], and checks its preamble: the second result is
/// for [`sema::check_rest`]. `names` must be new.
pub fn parse(
    cache: &PreambleCache,
    sources: &mut SourceMap,
    names: &mut Interner,
    main: FileId,
    options: &PreprocessOptions,
    language: &SemaOptions,
    includes: &mut dyn Includes,
) -> (Parsed, Option<Checked>) {
    let (name, text) = (sources.file(main).name.clone(), sources.file(main).text.clone());
    let key = Key { name: &name, text: &text, options, language };
    let mut includes = Once { includes, files: FxHashMap::default() };
    let make = match cache.plan(&key) {
        Plan::Try(preambles) => {
            for p in preambles.iter().filter(|p| p.preprocessor.fits(options, &p.names)) {
                if p.reads.are_those_of(&mut includes)
                    && let Some(result) = p.finish(sources, names, main, options, &mut includes)
                {
                    cache.used(&key, p);
                    return result;
                }
            }
            cache.make_another(&key)
        }
        Plan::Make => true,
        Plan::Nothing => false,
    };
    if make && let Some(preamble) = Preamble::recorded(sources.clone(), main, options, language, &mut includes) {
        cache.keep(&key, preamble.clone());
        if let Some(result) = preamble.finish(sources, names, main, options, &mut includes) {
            return result;
        }
    }
    (crate::parse(sources, names, main, options, &mut includes), None)
}

/// Preprocesses `main`, which is the only file in `sources`, like [`preprocess::preprocess`] and [`print()`]. A preamble that
/// [`parse`] made for a compilation in `language` saves work. `names` must be new.
#[allow(clippy::too_many_arguments)]
pub fn preprocess(
    cache: &PreambleCache,
    sources: &mut SourceMap,
    names: &mut Interner,
    main: FileId,
    options: &PreprocessOptions,
    language: &SemaOptions,
    includes: &mut dyn Includes,
    report: &mut Report,
) -> (Preprocessed, String) {
    let (name, text) = (sources.file(main).name.clone(), sources.file(main).text.clone());
    let key = Key { name: &name, text: &text, options, language };
    let mut includes = Once { includes, files: FxHashMap::default() };
    for p in cache.preambles(&key).iter().filter(|p| p.preprocessor.fits(options, &p.names)) {
        if p.reads.are_those_of(&mut includes) {
            let (mut own_sources, mut own_names, mut own_report) = (p.sources.clone(), p.names.clone(), p.report.clone());
            if let Some(pre) = p.preprocessor.finish(&mut own_sources, &mut own_names, main, options, &mut includes, &mut own_report, None)
            {
                let mut printer = p.printed.get_or_init(|| p.print()).clone();
                printer.add(&pre.tokens, &pre.pragmas, &own_sources, &own_names);
                (*sources, *names, *report) = (own_sources, own_names, own_report);
                return (pre, printer.finish());
            }
        }
    }
    let pre = preprocess::preprocess(sources, names, main, options, &mut includes, report);
    let text = print(&pre, sources, names);
    (pre, text)
}

impl Preamble {
    fn print(&self) -> Printer {
        let mut printer = Printer::default();
        printer.add(&self.preprocessor.out, self.preprocessor.pragmas(), &self.sources, &self.names);
        printer
    }

    /// Makes a preamble together with the list of files that it read. `None` if the source has no preamble, or a read could not be recorded.
    fn recorded(
        sources: SourceMap,
        main: FileId,
        options: &PreprocessOptions,
        language: &SemaOptions,
        includes: &mut dyn Includes,
    ) -> Option<Arc<Preamble>> {
        let mut recorder = Recorder { includes, reads: Reads::default(), incomplete: false };
        let made = Preamble::make(sources, main, options, language, &mut recorder);
        let Recorder { reads, incomplete, .. } = recorder;
        made.filter(|_| !incomplete).map(|p| Arc::new(Preamble { reads, ..p }))
    }

    fn make(
        mut sources: SourceMap,
        main: FileId,
        options: &PreprocessOptions,
        language: &SemaOptions,
        includes: &mut dyn Includes,
    ) -> Option<Preamble> {
        let (mut names, mut report) = (Interner::new(), Report::new());
        let after_main = sources.next_start();
        let mut preprocessor = preprocess::preamble::start(&mut sources, &mut names, main, options, includes, &mut report)?;
        if preprocessor.out.len() < FEWEST_TOKENS {
            return None;
        }
        let packing = preprocessor.pragmas().packing.clone();
        let tokens = &mut preprocessor.out;
        let last = *tokens.last()?;
        tokens.push(Token { kind: Kind::Eof, ..last });
        let classified = classify::classify_first(tokens, &mut names);
        let (mut tree, mut silent) = (Tree::default(), Report::new());
        let classifier = classified.map(|(terminals, state)| {
            tree.add(&terminals, tokens, &packing, &mut names, &mut silent);
            state
        });
        tokens.pop();
        let classifier = classifier.filter(|_| silent.is_empty())?;
        let checked = sema::check_first(tree.ast(), tree.items(), &sources, &mut names, language)?;
        Some(Preamble {
            reads: Reads::default(),
            sources,
            names,
            preprocessor,
            report,
            classifier,
            tree,
            checked,
            after_main,
            printed: OnceLock::new(),
        })
    }

    /// The rest of a source. `None`, and nothing is changed: the macros of the command line need a report.
    fn finish(
        &self,
        sources: &mut SourceMap,
        names: &mut Interner,
        main: FileId,
        options: &PreprocessOptions,
        includes: &mut dyn Includes,
    ) -> Option<(Parsed, Option<Checked>)> {
        let (own_sources, own_names) = (self.sources.clone(), self.names.clone());
        self.finish_with(None, own_sources, own_names, sources, names, main, options, includes)
    }

    /// The rest of the source, or of another version of it with these tokens. `own_sources` and `own_names` are copies, which become `sources` and `names`.
    #[allow(clippy::too_many_arguments)]
    fn finish_with(
        &self,
        version: Option<Arc<RawFile>>,
        mut own_sources: SourceMap,
        mut own_names: Interner,
        sources: &mut SourceMap,
        names: &mut Interner,
        main: FileId,
        options: &PreprocessOptions,
        includes: &mut dyn Includes,
    ) -> Option<(Parsed, Option<Checked>)> {
        let mut report = self.report.clone();
        let pre = self.preprocessor.finish(&mut own_sources, &mut own_names, main, options, includes, &mut report, version)?;
        (*sources, *names) = (own_sources, own_names);
        let terminals = classify::classify_rest(&self.classifier, &pre.tokens, names, &mut report);
        let mut tree = self.tree.clone();
        // The first terminal is the last one of the preamble.
        tree.add(&terminals[1..], &pre.tokens, &pre.pragmas.packing, names, &mut report);
        let Preprocessed { pragmas, includes, expanded, tokens, conditions } = pre;
        let mut diagnostics: Vec<Diagnostic> = report.into_list();
        drop_echoes(&mut diagnostics, sources);
        let parsed = Parsed { ast: tree.finish(), diagnostics, pragmas, includes, expanded, tokens, conditions };
        Some((parsed, Some(self.checked.clone())))
    }
}

impl std::fmt::Debug for PreambleCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.state();
        f.debug_struct("PreambleCache").field("sources", &state.sources.len()).field("hits", &self.hits).finish()
    }
}
