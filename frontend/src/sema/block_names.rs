//! The symbol table of block scopes: a stack of declarations with the innermost one of each name, so that lookup takes
//! constant time in functions of any size.

use rtc_base::{Span, Symbol};
use rustc_hash::FxHashMap;

/// A declaration: the name, what it is bound to, where.
pub type Entry<B> = (Symbol, B, Span);

/// No entry.
const NONE: u32 = u32::MAX;

/// A stack of names, each bound to a `B`.
#[derive(Clone)]
pub struct BlockNames<B> {
    entries: Vec<Entry<B>>,
    /// For each entry the next outer one of its name.
    outer: Vec<u32>,
    /// The innermost entry of each name; absent or `NONE`: there is none.
    innermost: FxHashMap<Symbol, u32>,
}

impl<B> Default for BlockNames<B> {
    fn default() -> Self {
        BlockNames { entries: Vec::new(), outer: Vec::new(), innermost: FxHashMap::default() }
    }
}

impl<B> BlockNames<B> {
    /// The number of declarations.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The declarations from a height on.
    pub fn from(&self, height: usize) -> &[Entry<B>] {
        self.entries.get(height..).unwrap_or(&[])
    }

    /// Declares a name in the innermost block.
    pub fn push(&mut self, entry: Entry<B>) {
        let at = self.entries.len() as u32;
        let old = self.innermost.insert(entry.0, at);
        self.outer.push(old.unwrap_or(NONE));
        self.entries.push(entry);
    }

    /// Removes the declarations from a height on.
    pub fn truncate(&mut self, height: usize) {
        while self.entries.len() > height {
            let (Some(entry), Some(outer)) = (self.entries.pop(), self.outer.pop()) else {
                return;
            };
            self.innermost.insert(entry.0, outer);
        }
    }

    /// The innermost declaration of a name, if it is at or above a height.
    pub fn find(&self, name: Symbol, height: usize) -> Option<&Entry<B>> {
        let at = *self.innermost.get(&name)?;
        self.from(height).get((at as usize).checked_sub(height)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_base::Pos;

    fn span(at: u32) -> Span {
        Span::new(Pos(at), Pos(at))
    }

    fn entry(name: u32, at: u32) -> Entry<()> {
        (Symbol::number(name), (), span(at))
    }

    #[test]
    fn inner_names_hide_outer_ones_until_they_go() {
        let mut names = BlockNames::default();
        names.push(entry(1, 10));
        names.push(entry(2, 20));
        let height = names.len();
        names.push(entry(1, 30));
        let at = |names: &BlockNames<()>, name, height| names.find(Symbol::number(name), height).map(|e| e.2);
        assert_eq!(at(&names, 1, 0), Some(span(30)));
        assert_eq!(at(&names, 1, height), Some(span(30)));
        assert_eq!(at(&names, 2, height), None);
        assert_eq!(at(&names, 3, 0), None);
        names.truncate(height);
        assert_eq!(at(&names, 1, 0), Some(span(10)));
        assert_eq!(at(&names, 1, height), None);
        names.truncate(0);
        assert_eq!(at(&names, 1, 0), None);
        names.push(entry(1, 40));
        assert_eq!(at(&names, 1, 0), Some(span(40)));
    }
}
