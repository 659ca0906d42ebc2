//! Source locations: files, functions, lexical blocks, inlined calls, and the line of every instruction.
//!
//! The block of an instruction follows from its location. A location in another file than the block's (an include in a function,
//! `#line`) is in a `DILexicalBlockFile`.

use rtc_base::{EntityRef, Pos, SourceMap, Span};
use rtc_ir::debug::program::{Program, Scope, Sub};
use rtc_ir::debug::{Debug, Lookup, Site};
use rustc_hash::FxHashMap;

use rtc_dxil_container::metadata::debug_records::{id, opt, push};
use rtc_dxil_module::{DebugLoc, DebugNode as Node, Meta, Module};

/// A position: its file, line and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The node of the file.
    pub file: Meta,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1; 0 if it is too large for the field.
    pub column: u32,
}

/// Columns are 16 bits.
const MAX_COLUMN: u32 = 0xffff;

/// Positions of a module that is being made.
pub struct Locations<'a> {
    map: &'a SourceMap,
    program: &'a Program,
    /// The file of what has none.
    pub main: Meta,
    files: FxHashMap<String, Meta>,
    known: FxHashMap<Pos, Option<At>>,
    /// The node of each function of the language, once it is made.
    pub subs: FxHashMap<Sub, Meta>,
    blocks: FxHashMap<(Sub, Scope), Meta>,
    other_files: FxHashMap<(Meta, Meta), Meta>,
    /// The file of each scope's node.
    file_of: FxHashMap<Meta, Meta>,
    lookup: Lookup<'a>,
}

impl<'a> Locations<'a> {
    /// Positions in `map`; the compiled source is called `main`.
    pub fn new(out: &mut Module, map: &'a SourceMap, program: &'a Program, main: &str) -> Self {
        let node = file_node(out, main);
        let mut files = FxHashMap::default();
        files.insert(main.to_string(), node);
        Locations {
            map,
            program,
            main: node,
            files,
            known: FxHashMap::default(),
            subs: FxHashMap::default(),
            blocks: FxHashMap::default(),
            other_files: FxHashMap::default(),
            file_of: FxHashMap::default(),
            lookup: Lookup::new(map, program),
        }
    }

    /// The position of a span's start: of macros, their outermost use.
    pub fn at(&mut self, out: &mut Module, span: Span) -> Option<At> {
        if span.is_none() {
            return None;
        }
        if let Some(&known) = self.known.get(&span.lo) {
            return known;
        }
        let found = self.map.loc(span).map(|loc| {
            let file = match self.files.get(&loc.file) {
                Some(&f) => f,
                None => {
                    let f = file_node(out, &loc.file);
                    self.files.insert(loc.file, f);
                    f
                }
            };
            At { file, line: loc.line, column: if loc.column > MAX_COLUMN { 0 } else { loc.column } }
        });
        self.known.insert(span.lo, found);
        found
    }

    /// File and line of a declaration; those of what the language declares are the main file's start.
    pub fn line(&mut self, out: &mut Module, span: Span) -> (Meta, u32) {
        self.at(out, span).map_or((self.main, 0), |a| (a.file, a.line))
    }

    /// The site of an instruction at `span`, of which a pass may have lost the site. `last`: that of the instruction before.
    pub fn site(&mut self, debug: &Debug, own: Option<Site>, span: Span, last: Option<Site>) -> Option<Site> {
        self.lookup.site(debug, own, span, last)
    }

    /// The node of the scope around a position in a function.
    pub fn scope(&mut self, out: &mut Module, sub: Sub, span: Span) -> Option<Meta> {
        let node = *self.subs.get(&sub)?;
        let program = self.program;
        let innermost = self.lookup.block(sub, span);
        let mut chain = Vec::new();
        let mut at = innermost;
        while let Some(s) = at {
            if self.blocks.contains_key(&(sub, s)) {
                break;
            }
            chain.push(s);
            at = program.subs[sub].scopes[s].parent.expand();
        }
        for s in chain.into_iter().rev() {
            let data = &program.subs[sub].scopes[s];
            let parent = data.parent.expand().and_then(|p| self.blocks.get(&(sub, p)).copied()).unwrap_or(node);
            let Some(a) = self.at(out, data.span) else { continue };
            let fields = [1, opt(Some(parent)), opt(Some(a.file)), a.line.into(), a.column.into()];
            let block = push(out, Node::LexicalBlock, &fields);
            self.file_of.insert(block, a.file);
            self.blocks.insert((sub, s), block);
        }
        let mut at = innermost;
        while let Some(s) = at {
            if let Some(&b) = self.blocks.get(&(sub, s)) {
                return Some(b);
            }
            at = program.subs[sub].scopes[s].parent.expand();
        }
        Some(node)
    }

    /// The scope as it is in another file.
    fn in_file(&mut self, out: &mut Module, scope: Meta, file: Meta) -> Meta {
        if self.file_of.get(&scope).is_none_or(|&f| f == file) {
            return scope;
        }
        *self
            .other_files
            .entry((scope, file))
            .or_insert_with(|| push(out, Node::LexicalBlockFile, &[0, opt(Some(scope)), opt(Some(file)), 0]))
    }

    /// Says which file a function's node is in.
    pub fn set_file(&mut self, scope: Meta, file: Meta) {
        self.file_of.insert(scope, file);
    }

    /// The location of `span` in function `sub`, which was inlined at `inlined_at`.
    pub fn loc(&mut self, out: &mut Module, sub: Sub, span: Span, inlined_at: Option<Meta>) -> Option<DebugLoc> {
        let scope = self.scope(out, sub, span)?;
        let a = self.at(out, span)?;
        let scope = self.in_file(out, scope, a.file);
        Some(DebugLoc { line: a.line, column: a.column, scope: Some(scope), inlined_at })
    }
}

/// The node of a file.
fn file_node(out: &mut Module, name: &str) -> Meta {
    let name = out.meta.string(name);
    // As the reference compiler has it: names are relative to wherever it was run.
    let directory = out.meta.string("");
    push(out, Node::File, &[0, opt(Some(name)), opt(Some(directory))])
}

/// The positions of the calls that were inlined into a function.
pub struct Sites(Vec<Option<Option<Meta>>>);

impl Sites {
    /// None known yet.
    pub fn new(debug: &Debug) -> Self {
        Sites(vec![None; debug.sites.len()])
    }

    /// The node of a site's position, with those of the calls around it.
    pub fn node(&mut self, out: &mut Module, locations: &mut Locations, debug: &Debug, site: Option<Site>) -> Option<Meta> {
        let mut chain = Vec::new();
        let mut at = site;
        while let Some(s) = at {
            if self.0[s.index()].is_some() {
                break;
            }
            chain.push(s);
            at = debug.sites[s].parent.expand();
        }
        for s in chain.into_iter().rev() {
            let data = &debug.sites[s];
            let parent = data.parent.expand();
            let outer = parent.and_then(|p| self.0[p.index()]).flatten();
            let sub = parent.map_or(debug.sub, |p| debug.sites[p].sub).expand();
            let loc = sub.and_then(|sub| locations.loc(out, sub, data.span, outer));
            let node = loc.and_then(|l| {
                let fields = [1, l.line.into(), l.column.into(), id(l.scope?), opt(l.inlined_at)];
                Some(push(out, Node::Location, &fields))
            });
            self.0[s.index()] = Some(node);
        }
        site.and_then(|s| self.0[s.index()]).flatten()
    }
}
