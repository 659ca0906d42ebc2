//! String interning: a [`Symbol`] is a 32-bit index of a string; two symbols are equal exactly when their
//! strings are. One [`Interner`] serves one compilation.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

crate::entity! {
    /// An interned string.
    pub struct Symbol = "sym";
}

/// The interned strings of one compilation. A clone is three copies of memory, whatever the number of strings.
#[derive(Default, Clone)]
pub struct Interner {
    /// The symbols by the hash of their strings.
    ids: HashTable<Symbol>,
    /// All strings, concatenated; `ends[i]` is the end of string `i`.
    text: String,
    ends: Vec<u32>,
}

impl Interner {
    /// An empty interner.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty interner with room for the names of a small program, so that it does not grow step by step.
    pub fn for_program() -> Self {
        const NAMES: usize = 800;
        Interner { ids: HashTable::with_capacity(NAMES), text: String::with_capacity(8 * NAMES), ends: Vec::with_capacity(NAMES) }
    }

    /// The symbol of `text`; interns it if it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        let hash = FxBuildHasher.hash_one(text);
        if let Some(&s) = self.ids.find(hash, |&s| string(&self.text, &self.ends, s) == text) {
            return s;
        }
        let s = Symbol::from_u32(self.ends.len() as u32);
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        let (all, ends) = (&self.text, &self.ends);
        self.ids.insert_unique(hash, s, |&s| FxBuildHasher.hash_one(string(all, ends, s)));
        s
    }

    /// The symbol of `text` if it was interned before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.ids.find(FxBuildHasher.hash_one(text), |&s| self.str(s) == text).copied()
    }

    /// The string of `symbol`.
    pub fn str(&self, symbol: Symbol) -> &str {
        string(&self.text, &self.ends, symbol)
    }

    /// How many strings are interned.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing is interned.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn string<'a>(text: &'a str, ends: &[u32], symbol: Symbol) -> &'a str {
    let i = symbol.as_u32() as usize;
    let start = if i == 0 { 0 } else { ends[i - 1] as usize };
    &text[start..ends[i] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_text_same_symbol() {
        let mut i = Interner::new();
        let a = i.intern("payload");
        let b = i.intern("");
        let c = i.intern("payload");
        assert_eq!(a, c);
        assert_ne!(a, b);
        assert_eq!(i.str(a), "payload");
        assert_eq!(i.str(b), "");
    }
}
