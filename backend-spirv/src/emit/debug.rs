//! Debug information in functions: the scope and line of each instruction, where variables are, and what they hold from where on.
//!
//! It is written ahead of the instruction that it is about. A block begins without scope and line, and nothing comes before its phis or
//! between a merge instruction and the branch after it, as the code of one IR instruction is written without interruption. A variable's
//! scope, with the calls that were inlined, is that of the instructions that describe it.

use rtc_base::{PackedOption, SecondaryMap};
use rtc_ir::debug::{ANY_ELEMENT, Debug, Named, Part, Site, Var};
use rtc_ir::{Inst, Region, Scalar, SlotRole, Type, TypeKind, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{NonsemanticShaderDebuginfo100Op as Info, Op, StorageClass};

use super::{Emitter, FuncEmitter};
use crate::debug::Writer;
use crate::debug::sources::At;
use crate::words::{AsOperand, Id, Literal, NONE, operands, put_number};

/// Most parameters that stand for parameters.
const MAX_ALIASES: u32 = 8;

/// Most elements of an array of which one field is in memory of its own.
const MAX_SCATTERED: u64 = 64;

/// A scope, and the call that it was inlined at.
type Scope = (Id, Option<Id>);

/// The state of debug information while the code of a function is written.
#[derive(Default)]
pub struct State {
    /// The block that scope and line are of.
    block: Option<Id>,
    scope: Option<Scope>,
    line: Option<At>,
    last_site: Option<Site>,
    /// The scope and line that were written last, as code: from where to where, and what was before.
    last: Option<(usize, usize, Option<Scope>, Option<At>)>,
    /// The region of each instruction.
    homes: SecondaryMap<Inst, PackedOption<Region>>,
    sites: FxHashMap<Site, Id>,
    variables: FxHashMap<Var, Option<(Scope, Id)>>,
    /// Parameters that refer to parts of a variable: the path and the parameter.
    aliases: FxHashMap<Var, Vec<(Vec<u32>, Var)>>,
    /// The parts of each variable that have a value.
    known: FxHashMap<Var, Vec<Vec<u32>>>,
}

/// A part of a value: its id if it is known here, its components, and the bits of one.
struct Component {
    id: Option<Id>,
    lanes: u32,
    bits: u32,
}

impl FuncEmitter<'_, '_> {
    /// Begins the debug information of the function, whose id is `id`, if some is requested.
    pub(super) fn debug_begin(&mut self, id: Id) {
        let f = self.f;
        let Some(w) = &mut self.e.debug else { return };
        if let Some(sub) = f.debug.as_deref().and_then(|d| d.sub.expand()).filter(|_| w.is_rich()) {
            w.sub(&mut self.e.w, sub, Some(id));
        }
        let mut s = State::default();
        if let Some(d) = &f.debug {
            f.for_each_region(f.body, |r| f.regions[r].insts.iter().for_each(|&i| s.homes[i] = Some(r).into()));
            for (to, var) in &d.aliases {
                s.aliases.entry(to.var).or_default().push((to.path.to_vec(), *var));
            }
        }
        self.debug = Some(Box::new(s));
    }

    /// Runs `body` with the debug information of the module and of the function.
    fn debugging(&mut self, body: impl FnOnce(&mut Self, &mut Writer<'_>, &mut State)) {
        if let Some(mut s) = self.debug.take() {
            if let Some(mut w) = self.e.debug.take() {
                body(self, &mut w, &mut s);
                self.e.debug = Some(w);
            }
            self.debug = Some(s);
        }
    }

    /// What is to be written before the code of `i` in region `r`.
    pub(super) fn debug_before(&mut self, r: Region, i: Inst) {
        self.debugging(|this, w, s| {
            this.debug_marks(w, s, r, i);
            this.debug_location(w, s, i);
        });
    }

    /// The scope and line of `i`, once more if a block has begun since.
    pub(super) fn debug_again(&mut self, i: Inst) {
        self.debugging(|this, w, s| this.debug_location(w, s, i));
    }

    /// What is to be written before the code of these instructions of region `r`, whose code was written with that of the one before.
    pub(super) fn debug_after(&mut self, r: Region, insts: &[Inst]) {
        self.debugging(|this, w, s| insts.iter().for_each(|&i| this.debug_marks(w, s, r, i)));
    }

    /// What the first block begins with, after its variables: the function, and where variables are.
    pub(super) fn debug_prologue(&mut self, id: Id) -> Vec<u32> {
        let code = std::mem::take(&mut self.code);
        self.debugging(|this, w, s| {
            let f = this.f;
            let (Some(d), true) = (f.debug.as_deref(), w.is_rich()) else { return };
            (s.block, s.scope, s.line) = (None, None, None);
            if let Some(sub) = d.sub.expand() {
                let function = w.sub(&mut this.e.w, sub, None);
                if w.of_shaders() {
                    this.debug_inst(w, Info::DebugFunctionDefinition, &operands![function, id]);
                }
                w.entry(&mut this.e.w, function);
            }
            let marked: FxHashSet<Var> = d.marks.values().flatten().map(|m| m.what.var).collect();
            let locals: Vec<_> = f.locals.keys().filter_map(|l| Some((l, this.locals[l]?))).collect();
            for (l, var) in locals {
                this.debug_memory(w, s, d, d.locals[l].as_ref(), (var, f.locals[l].ty, false));
            }
            for (slot, data) in &f.slots {
                // What is copied for a call may be elsewhere in between.
                let copy = matches!(data.role, SlotRole::PayloadOut | SlotRole::CallableOut | SlotRole::AttrOut);
                let what = d.slots[slot].as_ref().filter(|n| !(copy && marked.contains(&n.var)));
                if this.slots[slot].is_some() && what.is_some() {
                    let (pointer, nested) = this.slot_pointer(slot);
                    this.debug_memory(w, s, d, what, (pointer, data.ty, nested));
                }
            }
            // Variables that have become nothing are still variables of the source.
            d.vars.keys().for_each(|var| _ = this.debug_variable(w, s, d, var));
        });
        std::mem::replace(&mut self.code, code)
    }

    /// Appends an instruction of the set to the code.
    fn debug_inst(&mut self, w: &Writer<'_>, op: Info, operands: &[impl AsOperand]) {
        let id = self.e.w.id();
        let first = w.first_operands(&mut self.e.w, id, op);
        put_number(&mut self.code, Op::ExtInst as u32, &first, operands);
    }

    fn debug_location(&mut self, w: &mut Writer<'_>, s: &mut State, i: Inst) {
        if s.block != self.block {
            (s.block, s.scope, s.line) = (self.block, None, None);
        }
        if let Some((start, end, scope, line)) = s.last.take()
            && end == self.code.len()
        {
            // Nothing has come of the instruction before.
            self.code.truncate(start);
            (s.scope, s.line) = (scope, line);
        }
        let (start, scope, line) = (self.code.len(), s.scope, s.line);
        self.debug_scope_and_line(w, s, i);
        if self.code.len() > start {
            s.last = Some((start, self.code.len(), scope, line));
        }
    }

    fn debug_scope_and_line(&mut self, w: &mut Writer<'_>, s: &mut State, i: Inst) {
        let (f, span) = (self.f, self.f.spans[i]);
        if let (Some(d), true, false) = (f.debug.as_deref(), w.is_rich(), span.is_none()) {
            let site = w.lookup.site(d, d.inlined[i].expand(), span, s.last_site);
            s.last_site = site;
            if let Some(sub) = d.sub_at(site) {
                let scope = w.scope(&mut self.e.w, sub, span);
                let at = self.debug_site(w, s, d, site);
                self.debug_scope(w, s, (scope, at));
            }
        }
        if !w.has_lines() {
            return;
        }
        let mut at = w.at(&mut self.e.w, span);
        if let Some(a) = &mut at
            && (f.owns_regions(i) || !w.of_shaders())
        {
            // Of a construct its head; `OpLine` has no end.
            (a.end_line, a.end_column) = (a.line, a.column);
        }
        if at == s.line {
            return;
        }
        match at {
            Some(a) if w.of_shaders() => {
                let numbers = [a.line, a.end_line, a.column, a.end_column].map(|n| w.number(&mut self.e.w, n));
                let mut operands = operands![w.source(a.file)].to_vec();
                operands.extend(numbers);
                self.debug_inst(w, Info::DebugLine, &operands);
            }
            Some(a) => self.stmt(Op::Line, &operands![w.file_data(a.file).name, Literal(a.line), Literal(a.column)]),
            None if w.of_shaders() => self.debug_inst(w, Info::DebugNoLine, NONE),
            None => self.stmt(Op::NoLine, NONE),
        }
        s.line = at;
    }

    /// Enters a scope.
    fn debug_scope(&mut self, w: &Writer<'_>, s: &mut State, scope: Scope) {
        if s.scope != Some(scope) {
            let mut operands = vec![scope.0];
            operands.extend(scope.1);
            self.debug_inst(w, Info::DebugScope, &operands);
            s.scope = Some(scope);
        }
    }

    /// The id of the call that was inlined at `site`, with those around it.
    fn debug_site(&mut self, w: &mut Writer<'_>, s: &mut State, d: &Debug, site: Option<Site>) -> Option<Id> {
        let mut chain = Vec::new();
        let (mut at, mut outer) = (site, None);
        while let Some(x) = at {
            if let Some(&known) = s.sites.get(&x) {
                outer = Some(known);
                break;
            }
            chain.push(x);
            at = d.sites[x].parent.expand();
        }
        for x in chain.into_iter().rev() {
            let data = &d.sites[x];
            let sub = d.sub_at(data.parent.expand())?;
            let scope = w.scope(&mut self.e.w, sub, data.span);
            let id = w.inlined_at(&mut self.e.w, data.span, scope, outer);
            s.sites.insert(x, id);
            outer = Some(id);
        }
        outer
    }

    /// The scope and the id of a variable.
    fn debug_variable(&mut self, w: &mut Writer<'_>, s: &mut State, d: &Debug, var: Var) -> Option<(Scope, Id)> {
        if let Some(&known) = s.variables.get(&var) {
            return known;
        }
        let data = &d.vars[var];
        let site = data.site.expand();
        let made = d.sub_at(site).and_then(|sub| w.variable(&mut self.e.w, sub, data));
        let made = made.map(|(scope, id)| ((scope, self.debug_site(w, s, d, site)), id));
        s.variables.insert(var, made);
        made
    }

    /// Declares the memory of a variable's part, and of the parameters that refer to it.
    fn debug_memory(
        &mut self,
        w: &mut Writer<'_>,
        s: &mut State,
        d: &Debug,
        what: Option<&Named>,
        (pointer, ty, nested): (Id, Type, bool),
    ) {
        let Some(what) = what else { return };
        let mut todo = vec![(what.var, what.path.to_vec(), MAX_ALIASES)];
        while let Some((var, path, depth)) = todo.pop() {
            let members = d.vars[var].debug_ty.expand().and_then(|t| w.program.members(t, &path));
            match (members, self.debug_variable(w, s, d, var)) {
                (Some(members), Some((scope, id))) if nested => {
                    // A declaration is of a variable.
                    self.debug_scope(w, s, scope);
                    let words = &mut self.e.w;
                    let mut operands = vec![id, pointer, w.dereferenced(words)];
                    operands.extend(members.iter().map(|&n| words.u32(n)));
                    self.debug_inst(w, Info::DebugValue, &operands);
                }
                (Some(members), Some((scope, id))) => {
                    self.debug_scope(w, s, scope);
                    self.debug_part(w, d, Info::DebugDeclare, id, pointer, var, &path, &members);
                }
                (None, Some((scope, id))) if path.contains(&ANY_ELEMENT) => {
                    self.debug_scope(w, s, scope);
                    self.debug_scattered(w, d, id, (pointer, ty), var, &path);
                }
                _ => {}
            }
            todo.extend(aliases(s, var, &path, depth));
        }
    }

    /// Memory that holds one field of all elements of an array: each is at an address of its own.
    fn debug_scattered(&mut self, w: &mut Writer<'_>, d: &Debug, id: Id, memory: (Id, Type), var: Var, path: &[u32]) {
        let m = self.m;
        let (mut lengths, mut part) = (Vec::new(), memory.1);
        for _ in path.iter().filter(|&&n| n == ANY_ELEMENT) {
            let TypeKind::Array(elem, n) = m.types.kind(part) else { return };
            lengths.push(n);
            part = elem;
        }
        let count: u64 = lengths.iter().map(|&n| u64::from(n)).product();
        if count > MAX_SCATTERED {
            return;
        }
        let words = self.word_locals.iter().any(|&l| self.locals[l] == Some(memory.0));
        let target = if words { self.e.interface_ty(part) } else { self.e.ty(part) };
        let pointer = self.e.w.pointer_ty(StorageClass::Function, target);
        for n in 0..count {
            // The numbers of the element, the last of them counted first.
            let (mut rest, mut element) = (n, Vec::new());
            for &length in lengths.iter().rev() {
                element.push((rest % u64::from(length)) as u32);
                rest /= u64::from(length);
            }
            let mut chain = vec![memory.0];
            chain.extend(element.iter().rev().map(|&n| self.e.w.u32(n)));
            let path: Vec<u32> = path.iter().map(|&n| if n == ANY_ELEMENT { element.pop().unwrap_or(0) } else { n }).collect();
            let Some(ty) = d.vars[var].debug_ty.expand() else { return };
            let Some(members) = w.program.members(ty, &path) else { continue };
            let address = self.op(Op::AccessChain, pointer, &chain);
            let words = &mut self.e.w;
            let mut operands = vec![id, address, w.dereferenced(words)];
            operands.extend(members.iter().map(|&n| words.u32(n)));
            self.debug_inst(w, Info::DebugValue, &operands);
        }
    }

    /// Says that a part of variable `id` has a value or is at an address.
    #[expect(clippy::too_many_arguments, reason = "one instruction's operands")]
    fn debug_part(&mut self, w: &mut Writer<'_>, d: &Debug, op: Info, id: Id, what: Id, var: Var, path: &[u32], members: &[u32]) {
        let words = &mut self.e.w;
        // One set declares parts by their bits only.
        let by_bits = op == Info::DebugDeclare && !w.of_shaders() && !members.is_empty();
        let piece = d.vars[var].debug_ty.expand().filter(|_| by_bits).and_then(|t| w.program.piece(t, path));
        let mut operands = vec![id, what];
        match piece {
            Some((piece, _)) => operands.push(w.fragment(words, piece.offset as u32, piece.bits as u32)),
            None => {
                operands.push(w.whole(words));
                operands.extend(members.iter().map(|&n| words.u32(n)));
            }
        }
        self.debug_inst(w, op, &operands);
    }

    /// Writes what changes before `i`, in region `r`.
    fn debug_marks(&mut self, w: &mut Writer<'_>, s: &mut State, r: Region, i: Inst) {
        let f = self.f;
        let (Some(d), true) = (f.debug.as_deref(), w.is_rich() && self.block.is_some()) else { return };
        if s.block != self.block {
            (s.block, s.scope, s.line) = (self.block, None, None);
        }
        for mark in d.marks.get(&i).into_iter().flatten() {
            let parts: Vec<Component> = mark.value.iter().map(|&p| self.debug_component(s, r, p)).collect();
            let mut todo = vec![(mark.what.var, mark.what.path.to_vec(), MAX_ALIASES)];
            while let Some((var, path, depth)) = todo.pop() {
                self.debug_change(w, s, d, var, &path, &parts);
                todo.extend(aliases(s, var, &path, depth));
            }
        }
    }

    /// Says what a part of a variable is from here on.
    fn debug_change(&mut self, w: &mut Writer<'_>, s: &mut State, d: &Debug, var: Var, path: &[u32], parts: &[Component]) {
        let Some(ty) = d.vars[var].debug_ty.expand() else { return };
        let Some(members) = w.program.members(ty, path) else { return };
        let Some((scope, id)) = self.debug_variable(w, s, d, var) else { return };
        if let [whole] = parts {
            return self.debug_set(w, s, d, (scope, id), var, path, &members, whole);
        }
        if parts.is_empty() {
            return self.debug_set(w, s, d, (scope, id), var, path, &members, &Component { id: None, lanes: 1, bits: 32 });
        }
        // Scalars are components; several of them that are one value are bits.
        let (mut n, mut path, mut members) = (0, path.to_vec(), members);
        for part in parts {
            if part.lanes == 1 {
                path.push(n);
                members.push(n);
                self.debug_set(w, s, d, (scope, id), var, &path, &members, part);
                path.pop();
                members.pop();
            } else if let Some(value) = part.id {
                self.debug_scope(w, s, scope);
                let words = &mut self.e.w;
                let mut operands = vec![id, value, w.fragment(words, n * part.bits, part.lanes * part.bits)];
                operands.extend(members.iter().map(|&n| words.u32(n)));
                self.debug_inst(w, Info::DebugValue, &operands);
            }
            n += part.lanes;
        }
    }

    /// Says that a part of a variable has a value, or none if it had one.
    #[expect(clippy::too_many_arguments, reason = "one instruction's operands")]
    fn debug_set(
        &mut self,
        w: &mut Writer<'_>,
        s: &mut State,
        d: &Debug,
        (scope, id): (Scope, Id),
        var: Var,
        path: &[u32],
        members: &[u32],
        to: &Component,
    ) {
        let value = match to.id {
            Some(value) => {
                let known = s.known.entry(var).or_default();
                if !known.iter().any(|part| part == members) {
                    known.push(members.to_vec());
                }
                value
            }
            None => {
                let known = s.known.entry(var).or_default();
                if !known.iter().any(|part| part.starts_with(members) || members.starts_with(part)) {
                    // A value that was never known need not become unknown.
                    return;
                }
                known.retain(|part| !part.starts_with(members));
                let word = self.e.w.u32_ty();
                self.e.w.undef(word)
            }
        };
        self.debug_scope(w, s, scope);
        self.debug_part(w, d, Info::DebugValue, id, value, var, path, members);
    }

    /// A part of a value, as it is known in region `r`.
    fn debug_component(&mut self, s: &State, r: Region, part: Part) -> Component {
        // A boolean takes a word in debug information.
        let width = |s: Scalar| if s == Scalar::Bool { 32 } else { s.bits() };
        let shape = |this: &Self, t: Type| this.m.types.numeric(t).map(|(s, n)| (n, width(s)));
        let v = match part {
            Part::Value(v) => v,
            Part::Unknown(t) => {
                let (lanes, bits) = shape(self, t).unwrap_or((1, 32));
                return Component { id: None, lanes, bits };
            }
            Part::Const(t, bits) => {
                let shape = shape(self, t);
                let id = shape.map(|_| self.e.constant(t, bits));
                let (lanes, width) = shape.unwrap_or((1, 32));
                return Component { id, lanes, bits: width };
            }
        };
        let Some((lanes, bits)) = shape(self, self.f.ty(v)) else { return Component { id: None, lanes: 1, bits: 32 } };
        let home = match self.f.values[v].def {
            ValueDef::Const(_) => return Component { id: Some(self.val(v)), lanes, bits },
            ValueDef::Result(i, _) => s.homes[i].expand(),
            ValueDef::Param(region, _) => Some(region),
            ValueDef::Undef => None,
        };
        let id = home.filter(|&home| self.debug_sees(s, r, home)).and_then(|_| self.ids[v]);
        Component { id, lanes, bits }
    }

    /// Whether region `at` is `home` or in it.
    fn debug_sees(&self, s: &State, at: Region, home: Region) -> bool {
        let mut at = Some(at);
        while let Some(r) = at {
            if r == home {
                return true;
            }
            at = self.f.regions[r].owner.and_then(|owner| s.homes[owner].expand());
        }
        false
    }
}

impl Emitter<'_> {
    /// Describes the global variables of the program, when it is known which of them are used.
    pub fn debug_globals(&mut self) {
        let Some(mut w) = self.debug.take().filter(Writer::is_rich) else { return };
        let mut homes: FxHashMap<&str, Id> = FxHashMap::default();
        for (&g, &id) in &self.globals {
            homes.insert(&self.m.globals[g].name, id);
        }
        for g in &w.program.globals {
            let mut qualified = g.namespaces.join("::");
            if !qualified.is_empty() {
                qualified.push_str("::");
            }
            qualified.push_str(&g.name);
            let home = [g.symbol.as_str(), &qualified].iter().find_map(|name| homes.get(name).copied());
            w.global(&mut self.w, g, home);
        }
    }
}

/// The parameters that refer to the part of `var` at `path`, or to what it is in.
fn aliases(s: &State, var: Var, path: &[u32], depth: u32) -> Vec<(Var, Vec<u32>, u32)> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let all = s.aliases.get(&var).into_iter().flatten();
    all.filter_map(|(prefix, alias)| Some((*alias, path.strip_prefix(prefix.as_slice())?.to_vec(), depth))).collect()
}
