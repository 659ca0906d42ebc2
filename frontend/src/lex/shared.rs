//! Tokens that compilations share: each text is lexed once, and a compilation gets the tokens with symbols of its own.
//!
//! The cache is keyed by the text itself, so it is never out of date, however files are read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rtc_base::{Interner, Symbol};
use rustc_hash::FxHashMap;

use super::{RawFile, RawToken, lex_file};

/// A text with its tokens; their symbols are those of `names`.
pub(crate) struct SharedFile {
    pub text: Arc<str>,
    file: RawFile,
    names: Interner,
}

impl SharedFile {
    fn new(text: &str) -> Self {
        let mut names = Interner::new();
        let file = lex_file(text, &mut names);
        SharedFile { text: text.into(), file, names }
    }

    /// About the memory that it takes.
    fn bytes(&self) -> usize {
        // A name is in the interner's table and in its text, and has the parts of an allocation.
        let names = (0..self.names.len()).map(|i| self.names.str(Symbol::from_u32(i as u32)).len());
        let names: usize = names.map(|length| 2 * length + 64).sum();
        self.text.len() + self.file.tokens.len() * size_of::<RawToken>() + names
    }

    /// The tokens with symbols of `interner`, in which strings are interned in the order in which lexing would do it.
    pub fn tokens(&self, interner: &mut Interner) -> RawFile {
        let names = (0..self.names.len()).map(|i| self.names.str(Symbol::from_u32(i as u32)));
        let symbols: Vec<Symbol> = names.map(|name| interner.intern(name)).collect();
        let own = |s: Symbol| symbols[s.as_u32() as usize];
        RawFile {
            tokens: self.file.tokens.iter().map(|t| RawToken { sym: own(t.sym), ..*t }).collect(),
            too_long: self.file.too_long,
            guard: self.file.guard.map(own),
        }
    }
}

/// Texts that were lexed, for several compilations, on several threads. What it holds is bounded: above its limit, which is
/// [`TokenCache::MAX_BYTES`] if none is given, it starts again.
pub struct TokenCache {
    state: Arc<Mutex<State>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

struct State {
    files: FxHashMap<Arc<str>, Arc<SharedFile>>,
    bytes: usize,
    limit: usize,
}

impl Default for TokenCache {
    fn default() -> Self {
        TokenCache::within(Self::MAX_BYTES)
    }
}

/// How often a cache had what was requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheStatistics {
    /// Requests that it answered.
    pub hits: u64,
    /// Requests that it did not.
    pub misses: u64,
}

impl TokenCache {
    /// The most memory that texts with their tokens take.
    pub const MAX_BYTES: usize = 64 << 20;

    /// A cache of its own that takes at most about `limit` bytes.
    pub fn within(limit: usize) -> Self {
        let state = State { files: FxHashMap::default(), bytes: 0, limit };
        TokenCache { state: Arc::new(Mutex::new(state)), hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    /// Another handle of the same texts, which counts what it saves itself.
    pub fn sharing(&self) -> Self {
        TokenCache { state: self.state.clone(), hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    // A panic never happens while the lock is held, and the state is valid between any two statements.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text with its tokens. Two threads that request a new text at once may both lex it.
    pub(crate) fn file(&self, text: &str) -> Arc<SharedFile> {
        if let Some(found) = self.state().files.get(text).cloned() {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return found;
        }
        self.misses.fetch_add(1, Ordering::Relaxed);
        let file = Arc::new(SharedFile::new(text));
        let bytes = file.bytes();
        let mut state = self.state();
        if state.bytes.saturating_add(bytes) > state.limit {
            state.files.clear();
            state.bytes = 0;
        }
        if bytes <= state.limit && state.files.insert(file.text.clone(), file.clone()).is_none() {
            state.bytes += bytes;
        }
        file
    }

    /// Forgets all texts.
    pub fn clear(&self) {
        let mut state = self.state();
        state.files.clear();
        state.bytes = 0;
    }

    /// How often a text was found.
    pub fn statistics(&self) -> CacheStatistics {
        CacheStatistics { hits: self.hits.load(Ordering::Relaxed), misses: self.misses.load(Ordering::Relaxed) }
    }
}

impl std::fmt::Debug for TokenCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.state();
        f.debug_struct("TokenCache").field("files", &state.files.len()).field("bytes", &state.bytes).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#ifndef A\n#define A B(x, \"s\") \\\n 1.5f\n#endif\n";

    #[test]
    fn shared_tokens_are_those_of_lexing() {
        let cache = TokenCache::default();
        // Symbols of the two compilations differ.
        for earlier in [&["B", "x"][..], &["other", "A"]] {
            let (mut direct, mut shared) = (Interner::new(), Interner::new());
            for name in earlier {
                direct.intern(name);
                shared.intern(name);
            }
            let want = lex_file(TEXT, &mut direct);
            let got = cache.file(TEXT).tokens(&mut shared);
            assert_eq!(format!("{want:?}"), format!("{got:?}"));
            assert_eq!(direct.len(), shared.len());
        }
        assert_eq!(cache.statistics(), CacheStatistics { hits: 1, misses: 1 });
    }

    #[test]
    fn it_is_bounded() {
        let cache = TokenCache::default();
        // A name takes more than its text.
        let big = |c: char| std::iter::repeat_n(c, TokenCache::MAX_BYTES / 5).collect::<String>();
        for c in ['a', 'b'] {
            cache.file(&big(c));
        }
        {
            let state = cache.state();
            assert!(state.files.len() == 1 && state.bytes > TokenCache::MAX_BYTES / 2, "{} {}", state.files.len(), state.bytes);
        }
        // What is too large is not kept, and many small tokens are large.
        cache.file(&big('c').repeat(3));
        cache.file(&"; ".repeat(TokenCache::MAX_BYTES / 16));
        let state = cache.state();
        assert!(state.files.is_empty() && state.bytes == 0, "{} {}", state.files.len(), state.bytes);
    }
}
