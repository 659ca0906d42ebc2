//! Preambles of sources that are edited: the text after the includes differs in each version, and the macros of the command line stay.
//!
//! The text before the end of the preamble is compared, and positions in included files stay because the source has room to grow before
//! them ([`ROOM`]).

use std::sync::Arc;

use rtc_base::{FileId, Interner, SourceMap};
use rustc_hash::FxHashMap;

use super::reads::Once;
use super::{Preamble, PreambleCache};
use crate::lex::{RawFile, lex_file};
use crate::preprocess::{Includes, PreprocessOptions};
use crate::sema::{Checked, SemaOptions};
use crate::syntax::Parsed;

/// Included files begin at a multiple of this after the source.
const ROOM: u32 = 1 << 16;
/// How many sources are remembered.
const MAX_EDITED: usize = 8;
/// The most memory that their preambles take, about.
const MAX_BYTES: usize = 64 << 20;
/// After a preamble that could not be made so many versions are processed without one.
const PAUSE: u32 = 16;

/// A source that is edited.
pub(super) struct Edited {
    name: String,
    options: PreprocessOptions,
    language: SemaOptions,
    /// The text up to the end of the includes of the last version.
    before: Option<Arc<str>>,
    preamble: Option<Arc<Preamble>>,
    /// How many versions to process without a preamble.
    pause: u32,
}

/// Which source is meant.
#[derive(Clone, Copy)]
struct Key<'a> {
    name: &'a str,
    options: &'a PreprocessOptions,
    language: &'a SemaOptions,
}

impl Key<'_> {
    fn is_of(self, e: &Edited) -> bool {
        e.name == self.name && e.options == *self.options && e.language == *self.language
    }
}

/// What to do with a version.
enum Plan {
    /// To go on from this preamble.
    Try(Arc<Preamble>, Arc<str>),
    /// To make a preamble, if the text up to the end of the includes is this one.
    MakeIf(Arc<str>),
    /// To remember the text up to the end of the includes.
    Note,
    Nothing,
}

impl PreambleCache {
    fn edited(&self, key: Key<'_>) -> Plan {
        let mut state = self.state();
        let Some(at) = state.edited.iter().position(|e| key.is_of(e)) else {
            let (name, options, language) = (key.name.to_owned(), key.options.clone(), key.language.clone());
            state.edited.truncate(MAX_EDITED - 1);
            state.edited.insert(0, Edited { name, options, language, before: None, preamble: None, pause: 0 });
            return Plan::Note;
        };
        state.edited[..=at].rotate_right(1);
        let e = &mut state.edited[0];
        match (&e.preamble, &e.before) {
            (Some(p), Some(before)) => Plan::Try(p.clone(), before.clone()),
            _ if e.pause > 0 => {
                e.pause -= 1;
                Plan::Nothing
            }
            (None, Some(before)) => Plan::MakeIf(before.clone()),
            _ => Plan::Note,
        }
    }

    fn note(&self, key: Key<'_>, before: Option<Arc<str>>, preamble: Option<Arc<Preamble>>, pause: u32) {
        let mut state = self.state();
        if let Some(e) = state.edited.iter_mut().find(|e| key.is_of(e)) {
            (e.before, e.preamble, e.pause) = (before, preamble, pause);
        }
        // Those that were not edited for the longest time lose theirs.
        let mut bytes = 0;
        for e in &mut state.edited {
            bytes += e.preamble.as_ref().map_or(0, |p| p.bytes());
            if bytes > MAX_BYTES {
                e.preamble = None;
            }
        }
    }

    fn hit(&self) {
        self.hits.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

/// The tokens of a text, shared if they can be.
fn raw(text: &Arc<str>, names: &mut Interner, includes: &mut dyn Includes) -> RawFile {
    match includes.tokens() {
        Some(tokens) => tokens.file(text).tokens(names),
        None => lex_file(text, names),
    }
}

/// The text up to the end of the includes; `None` if there are none.
fn before_end(text: &Arc<str>, options: &PreprocessOptions, includes: &mut dyn Includes) -> Option<Arc<str>> {
    let mut names = Interner::new();
    let raw = raw(text, &mut names, includes);
    let end = crate::preprocess::preamble::end(&raw, &mut names, options)?;
    let last = raw.tokens.get(end.checked_sub(1)?)?;
    text.get(..last.hi as usize).map(Arc::from)
}

/// Preprocesses and parses `main`, which is the only file in `sources`, like [`crate::parse`]. If an earlier version with the same includes was
/// processed, with the same options, this goes on from there: the second result is for [`crate::sema::check_with_index`]. `names` must be new.
pub fn parse_edited(
    cache: &PreambleCache,
    sources: &mut SourceMap,
    names: &mut Interner,
    main: FileId,
    options: &PreprocessOptions,
    language: &SemaOptions,
    includes: &mut dyn Includes,
) -> (Parsed, Option<Checked>) {
    sources.align(ROOM);
    let (name, text) = (sources.file(main).name.clone(), sources.file(main).text.clone());
    let mut includes = Once { includes, files: FxHashMap::default() };
    let key = Key { name: &name, options, language };
    let make = match cache.edited(key) {
        Plan::Try(preamble, before) => {
            // A preamble that does not serve this version is forgotten, and there is another one as soon as two versions agree.
            if preamble.is_of_version(&text, &before, sources, main)
                && preamble.reads.are_those_of(&mut includes)
                && let Some(result) = preamble.finish_edited(sources, names, main, options, &mut includes)
            {
                cache.hit();
                return result;
            }
            cache.note(key, None, None, 0);
            None
        }
        Plan::MakeIf(before) => Some(before),
        Plan::Note => None,
        Plan::Nothing => return (crate::parse(sources, names, main, options, &mut includes), None),
    };
    let now = before_end(&text, options, &mut includes);
    if now.is_none() || make != now {
        cache.note(key, now, None, 0);
        return (crate::parse(sources, names, main, options, &mut includes), None);
    }
    match Preamble::recorded(sources.clone(), main, options, language, &mut includes) {
        None => cache.note(key, None, None, PAUSE),
        Some(p) => {
            cache.note(key, now, Some(p.clone()), 0);
            if let Some(result) = p.finish(sources, names, main, options, &mut includes) {
                return result;
            }
        }
    }
    (crate::parse(sources, names, main, options, &mut includes), None)
}

impl Preamble {
    /// Whether the text begins like the one that the preamble is of, and ends before the next file of that.
    fn is_of_version(&self, text: &str, before: &str, sources: &SourceMap, main: FileId) -> bool {
        text.starts_with(before) && sources.next_start() == self.after_main && sources.file(main).start == self.sources.file(main).start
    }

    /// The rest of another version of the source.
    fn finish_edited(
        &self,
        sources: &mut SourceMap,
        names: &mut Interner,
        main: FileId,
        options: &PreprocessOptions,
        includes: &mut dyn Includes,
    ) -> Option<(Parsed, Option<Checked>)> {
        let text = sources.file(main).text.clone();
        let mut own_names = self.names.clone();
        let raw = raw(&text, &mut own_names, includes);
        if !self.preprocessor.continues(&raw, &mut own_names, options) {
            return None;
        }
        let mut own_sources = self.sources.clone();
        own_sources.replace_text(main, text);
        self.finish_with(Some(Arc::new(raw)), own_sources, own_names, sources, names, main, options, includes)
    }
}
