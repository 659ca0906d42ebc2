//! String interning: a [`Symbol`] is a 32-bit index of a string; two symbols are equal exactly when their
//! strings are. One [`Interner`] serves one compilation.

use rustc_hash::FxHashMap;

crate::entity! {
    /// An interned string.
    pub struct Symbol = "sym";
}

/// The interned strings of one compilation.
#[derive(Default, Clone)]
pub struct Interner {
    ids: FxHashMap<Box<str>, Symbol>,
    /// All strings, concatenated; `ends[i]` is the end of string `i`.
    text: String,
    ends: Vec<u32>,
}

impl Interner {
    /// An empty interner.
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of `text`; interns it if it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&s) = self.ids.get(text) {
            return s;
        }
        let s = Symbol::from_u32(self.ends.len() as u32);
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        self.ids.insert(text.into(), s);
        s
    }

    /// The symbol of `text` if it was interned before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    /// The string of `symbol`.
    pub fn str(&self, symbol: Symbol) -> &str {
        let i = symbol.as_u32() as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.text[start..self.ends[i] as usize]
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
