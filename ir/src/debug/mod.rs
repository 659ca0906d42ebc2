//! Debug information: the source variables that values, locals and slots hold.
//!
//! A table next to the function, present only on request (for a report, or for debug information in a target). It lists
//! *variables* as they were declared and records which local, slot or value holds which part of one; a value may hold
//! several, and a variable is in many values over time. *Sites* are calls that were inlined: a variable or instruction that
//! came with a call refers to it, and so records the call path.
//!
//! The semantics of a program do not depend on it, and like spans it is not in the text form. Passes maintain it where they replace
//! values: a replaced value transfers its names ([`Debug::replace`]), copies keep those of the original. A lost name costs a report
//! a name, nothing else.

mod lookup;
mod marks;
pub mod program;

pub use lookup::Lookup;
pub use marks::{Anchors, Mark, Part};
pub use program::{DebugType, Program, Sub};

use rtc_base::{PackedOption, PrimaryMap, SecondaryMap, Span};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{Function, Inst, Local, Module, Slot, Type, TypeKind, Value, ValueDef};

rtc_base::entity! {
    /// A variable or parameter as the author declared it.
    pub struct Var = "var";
    /// A call that was inlined.
    pub struct Site = "site";
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VarData {
    /// Its name.
    pub name: String,
    /// Its type as HLSL spells it.
    pub hlsl: String,
    /// Its type.
    pub ty: Type,
    /// Its declaration.
    pub span: Span,
    /// The call that brought it into this function, if it is not its own.
    pub site: PackedOption<Site>,
    /// Its type in the language, if debug information is requested.
    pub debug_ty: PackedOption<DebugType>,
    /// The number of the parameter that it is, from 1; 0 for a variable.
    pub arg: u32,
}

/// A call that was inlined.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteData {
    /// The function that was called.
    pub callee: String,
    /// The same function, if debug information is requested.
    pub sub: PackedOption<Sub>,
    /// The call.
    pub span: Span,
    /// The call that brought this call.
    pub parent: PackedOption<Site>,
}

/// In paths: some element of an array.
pub const ANY_ELEMENT: u32 = u32::MAX;

/// A part of a variable: the path to it by fields and elements; empty for all of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Named {
    /// The variable.
    pub var: Var,
    /// The path to the part.
    pub path: SmallVec<[u32; 4]>,
}

/// More names than this of one value are not kept.
const MAX_NAMES: usize = 4;

/// The names in a function.
#[derive(Clone, Debug, Default)]
pub struct Debug {
    /// Declared variables.
    pub vars: PrimaryMap<Var, VarData>,
    /// Inlined calls.
    pub sites: PrimaryMap<Site, SiteData>,
    /// What a local holds.
    pub locals: SecondaryMap<Local, Option<Named>>,
    /// What a slot holds.
    pub slots: SecondaryMap<Slot, Option<Named>>,
    /// What values hold.
    pub values: FxHashMap<Value, SmallVec<[Named; 1]>>,
    /// The call that brought an instruction.
    pub inlined: SecondaryMap<Inst, PackedOption<Site>>,
    /// Whether marks are kept, for debug information in a target.
    pub marked: bool,
    /// Names of values are not kept, as none were requested.
    pub unnamed: bool,
    /// The function of the language that this is.
    pub sub: PackedOption<Sub>,
    /// What changes before an instruction.
    pub marks: FxHashMap<Inst, Vec<Mark>>,
    /// Reference parameters of what was inlined: the part of a variable that each stands for, and the parameter.
    pub aliases: Vec<(Named, Var)>,
}

impl Debug {
    /// Says that `v` holds `what`, too.
    pub fn name(&mut self, v: Value, what: Named) {
        let all = self.values.entry(v).or_default();
        if all.len() < MAX_NAMES && !all.contains(&what) {
            all.push(what);
        }
    }

    /// `to` replaces `from`.
    pub fn hand_on(&mut self, from: Value, to: Value) {
        for n in self.values.get(&from).cloned().unwrap_or_default() {
            self.name(to, n);
        }
    }

    /// The calls that brought `i` into the function, the outermost first.
    pub fn chain(&self, i: Inst) -> Vec<&SiteData> {
        let mut out = Vec::new();
        let mut at = self.inlined[i].expand();
        while let Some(s) = at {
            out.push(&self.sites[s]);
            at = self.sites[s].parent.expand();
        }
        out.reverse();
        out
    }

    /// `what` as the author would write it: `ray.Origin`, `stack[].t`.
    pub fn show(&self, m: &Module, what: &Named) -> String {
        let var = &self.vars[what.var];
        let mut out = var.name.clone();
        push_path(m, var.ty, &what.path, &mut out);
        out
    }

    /// Takes over what `from` knows, whose function is copied to where this one called it. Gives where the variables and the sites
    /// of the copy begin.
    pub fn adopt(&mut self, from: &Debug, callee: &str, call: Inst, span: Span) -> Adopted {
        let site = self.sites.push(SiteData { callee: callee.into(), sub: from.sub, span, parent: self.inlined[call] });
        let base = self.sites.len() as u32;
        let moved =
            |s: PackedOption<Site>| -> PackedOption<Site> { Some(s.expand().map_or(site, |s| Site::number(base + s.as_u32()))).into() };
        for data in from.sites.values() {
            self.sites.push(SiteData { parent: moved(data.parent), ..data.clone() });
        }
        let vars = self.vars.len() as u32;
        for data in from.vars.values() {
            self.vars.push(VarData { site: moved(data.site), ..data.clone() });
        }
        let adopted = Adopted { site, sites: base, vars };
        self.aliases.extend(from.aliases.iter().map(|(to, var)| (adopted.named(to), Var::number(vars + var.as_u32()))));
        adopted
    }
}

/// Where the things of an adopted table are in the new one.
#[derive(Clone, Copy, Debug)]
pub struct Adopted {
    site: Site,
    sites: u32,
    vars: u32,
}

impl Adopted {
    /// What was `n`.
    pub fn named(&self, n: &Named) -> Named {
        Named { var: Var::number(self.vars + n.var.as_u32()), path: n.path.clone() }
    }
    /// What was site `s`.
    pub fn site(&self, s: PackedOption<Site>) -> PackedOption<Site> {
        Some(s.expand().map_or(self.site, |s| Site::number(self.sites + s.as_u32()))).into()
    }
}

/// Appends `path` into type `t` in HLSL's spelling.
pub fn push_path(m: &Module, mut t: Type, path: &[u32], out: &mut String) {
    for &n in path {
        match m.types.kind(t) {
            TypeKind::Struct(s) if (n as usize) < m.structs[s].fields.len() => {
                let name = &m.structs[s].fields[n as usize].name;
                if !name.is_empty() {
                    out.push('.');
                    *out += name;
                }
            }
            TypeKind::Vector(..) if n < 4 => {
                out.push('.');
                out.push(['x', 'y', 'z', 'w'][n as usize]);
            }
            _ if n == ANY_ELEMENT => *out += "[]",
            _ => *out += &format!("[{n}]"),
        }
        match m.part(t, (n != ANY_ELEMENT).then_some(n)) {
            Some(part) => t = part,
            None => break,
        }
    }
}

impl Function {
    /// Says that `v` holds a part of a variable, if names are kept and `v` is no constant.
    pub fn name_value(&mut self, v: Value, what: &Named) {
        if matches!(self.values[v].def, ValueDef::Const(_) | ValueDef::Undef) {
            return;
        }
        if let Some(d) = &mut self.debug
            && !d.unnamed
        {
            d.name(v, what.clone());
        }
    }

    /// Says that from `i` on the variable's part has the value, if that is kept.
    pub fn mark(&mut self, i: Inst, what: &Named, v: Value) {
        if let Some(d) = &mut self.debug
            && d.marked
        {
            d.mark(i, Mark::new(what.clone(), v));
        }
    }

    /// `to` replaces `from`, if names are kept.
    pub fn transfer_name(&mut self, from: Value, to: Value) {
        if let Some(d) = &mut self.debug
            && !matches!(self.values[to].def, ValueDef::Const(_) | ValueDef::Undef)
        {
            d.hand_on(from, to);
        }
    }

    /// Instruction `copy` is a copy of `of`, in the same function: it has the same inlined call path, if names are kept.
    pub fn copy_names(&mut self, of: Inst, copy: Inst) {
        let Some(mut d) = self.debug.take() else { return };
        if d.inlined[of].is_some() {
            d.inlined[copy] = d.inlined[of];
        }
        for (&a, &b) in self.results(of).iter().zip(self.results(copy)) {
            d.hand_on(a, b);
        }
        self.debug = Some(d);
    }
}
