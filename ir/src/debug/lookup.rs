//! Where an instruction is in the program: the inlined call and the lexical block that its source location implies.
//!
//! A pass may lose the call that brought an instruction; its location tells which function it is of. Lexical blocks are not kept by
//! instruction at all: a block is the innermost one around the location.

use rtc_base::{Pos, SourceMap, Span};
use rustc_hash::FxHashMap;

use super::program::{Program, Scope, Sub};
use super::{Debug, Site};

/// Looks up functions and blocks by location.
pub struct Lookup<'a> {
    map: &'a SourceMap,
    program: &'a Program,
    /// The blocks of functions that have been looked up: file positions of their ends.
    stretches: FxHashMap<Sub, Vec<(Scope, Pos, Pos)>>,
    /// Bodies of functions, in file positions.
    bodies: FxHashMap<Sub, Span>,
}

impl<'a> Lookup<'a> {
    /// Looks up in `program`, whose locations are those of `map`.
    pub fn new(map: &'a SourceMap, program: &'a Program) -> Self {
        Lookup { map, program, stretches: FxHashMap::default(), bodies: FxHashMap::default() }
    }

    /// Whether a file position is in the body of a function.
    fn is_in(&mut self, sub: Sub, lo: Pos) -> bool {
        let (map, program) = (self.map, self.program);
        let body = *self.bodies.entry(sub).or_insert_with(|| map.file_span(program.subs[sub].body));
        body.lo <= lo && lo <= body.hi
    }

    /// The site of an instruction at `span`, of which a pass may have lost the site. `last`: that of the instruction before.
    pub fn site(&mut self, debug: &Debug, own: Option<Site>, span: Span, last: Option<Site>) -> Option<Site> {
        if span.is_none() {
            return own;
        }
        let lo = self.map.file_span(span).lo;
        let mut fits = |s: Option<Site>| debug.sub_at(s).is_some_and(|sub| self.is_in(sub, lo));
        if own.is_some() || fits(own) {
            return own;
        }
        if fits(last) {
            return last;
        }
        debug.sites.keys().map(Some).find(|&s| fits(s)).unwrap_or(own)
    }

    /// The innermost block around a location in a function.
    pub fn block(&mut self, sub: Sub, span: Span) -> Option<Scope> {
        let (map, program) = (self.map, self.program);
        let list = self.stretches.entry(sub).or_insert_with(|| {
            let all = program.subs[sub].scopes.iter();
            all.map(|(s, data)| (s, map.file_span(data.span)))
                .filter(|(_, span)| span.lo < span.hi)
                .map(|(s, span)| (s, span.lo, span.hi))
                .collect()
        });
        let lo = map.file_span(span).lo;
        // Outer blocks come before those in them.
        list.iter().rev().find(|&&(_, from, to)| from <= lo && lo < to).map(|s| s.0)
    }
}

impl Debug {
    /// The function of the language that the code of `site` is of; `None`: that this function is.
    pub fn sub_at(&self, site: Option<Site>) -> Option<Sub> {
        site.map_or(self.sub, |s| self.sites[s].sub).expand()
    }
}
