//! Names and types of live values and parts of variables, as the source spells them.
//!
//! A value has the names of the variables that held it; variables of the function come before those of inlined functions.
//! A component of a named vector is named after the vector. A value without a variable is shown as the text of its expression.

use rtc_base::Span;
use rtc_ir::debug::{ANY_ELEMENT, Debug, Named, Var, push_path};
use rtc_ir::{Function, InstData, Module, Opcode, Root, Scalar, SlotRole, Type, TypeKind, Value, ValueDef};
use rtc_passes::reorder::{LivePart, LiveState, LiveValue, distinct};
use rustc_hash::FxHashSet;

use super::locations::Locator;
use super::{Item, ItemKind, LiveSet};

/// Describes the live values and variables of one function.
pub(super) struct Items<'a, 'p, 's> {
    m: &'a Module,
    f: &'a Function,
    locator: &'p mut Locator<'s>,
    /// The variables that are payloads.
    payloads: FxHashSet<Var>,
}

impl<'a, 'p, 's> Items<'a, 'p, 's> {
    pub fn new(m: &'a Module, f: &'a Function, locator: &'p mut Locator<'s>) -> Self {
        let mut payloads = FxHashSet::default();
        if let Some(d) = &f.debug {
            for (s, data) in &f.slots {
                if let (Some(n), true) = (&d.slots[s], is_payload(data.role)) {
                    payloads.insert(n.var);
                }
            }
        }
        Items { m, f, locator, payloads }
    }

    pub fn live(&mut self, s: &LiveState) -> LiveSet {
        let s = &distinct(self.m, self.f, s);
        let mut items: Vec<Item> = s.values.iter().map(|v| self.value(v)).collect();
        items.extend(s.parts.iter().map(|p| self.part(p)));
        // The largest first; items without a size, like hit objects, before those.
        items.sort_by_key(|i| std::cmp::Reverse(if i.bytes == 0 { u32::MAX } else { i.bytes }));
        LiveSet { bytes: s.bytes(), items }
    }

    pub fn value(&mut self, v: &LiveValue) -> Item {
        let (m, f) = (self.m, self.f);
        let ty = f.ty(v.value);
        let lanes = m.types.numeric(ty).map_or(1, |n| n.1);
        let some = (2..=4).contains(&lanes) && v.components.count_ones() < lanes;
        let suffix = match some {
            true => format!(".{}", (0..4).filter(|c| v.components >> c & 1 != 0).map(|c| ['x', 'y', 'z', 'w'][c]).collect::<String>()),
            false => String::new(),
        };
        let span = self.span_of(v.value);
        let names = self.names(v.value);
        let mut shown: Vec<String> = Vec::new();
        for (n, inner) in &names {
            let Some(d) = &f.debug else { break };
            let text = d.show(m, n) + inner + &suffix;
            if !shown.contains(&text) {
                shown.push(text);
            }
        }
        let first = names.first();
        let mut item = Item {
            name: String::new(),
            also: Vec::new(),
            ty: match (first, some) {
                (Some((n, "")), false) => self.declared_type(n, ty),
                _ => spelled(m, ty, if some { v.components.count_ones() } else { lanes }),
            },
            kind: ItemKind::Variable,
            bytes: v.bytes,
            declared: first.and_then(|(n, _)| f.debug.as_ref().map(|d| d.vars[n.var].span)).and_then(|s| self.locator.locate(s)),
            set: self.locator.locate(span),
            recompute: v.recompute,
        };
        item.kind = match m.types.kind(ty) {
            TypeKind::HitObject => ItemKind::HitObject,
            _ if first.is_some_and(|(n, _)| self.payloads.contains(&n.var)) => ItemKind::Payload,
            _ if shown.is_empty() => ItemKind::Temporary,
            _ => ItemKind::Variable,
        };
        if shown.is_empty() {
            // A component of a vector without a name: the vector's expression says more.
            let whole = f.def_inst(v.value).and_then(|d| match f.insts[d] {
                InstData::Many { op: Opcode::extract, imm, args } => {
                    Some((self.span_of(*f.get(args).first()?), *[".x", ".y", ".z", ".w"].get(imm as usize)?))
                }
                _ => None,
            });
            let (span, suffix) = match whole {
                Some((span, part)) => (span, part.to_owned()),
                None => (span, suffix),
            };
            let text = self.locator.snippet(span);
            item.name = match (text.is_empty(), f.def_inst(v.value)) {
                (false, _) => format!("`{text}`{suffix}"),
                (true, Some(d)) => format!("a result of `{}`", f.op(d)),
                (true, None) => "a value of the loop".into(),
            };
        } else {
            item.name = shown.remove(0);
            item.also = shown;
        }
        item
    }

    pub fn part(&mut self, p: &LivePart) -> Item {
        let (m, f) = (self.m, self.f);
        let d = f.debug.as_deref();
        let (named, own, ty, role) = match p.part.root {
            Root::Local(l) => (d.and_then(|d| d.locals[l].clone()), f.locals[l].name.as_str(), f.locals[l].ty, None),
            Root::Slot(s) => (d.and_then(|d| d.slots[s].clone()), f.slots[s].name.as_str(), f.slots[s].ty, Some(f.slots[s].role)),
            Root::Global(g) => (None, m.globals[g].name.as_str(), m.globals[g].ty(), None),
        };
        // In an array of split elements, the index belongs to the step of the path that selects the element.
        let mut rest = p.part.path.clone();
        let named = named.map(|mut n: Named| {
            for step in n.path.iter_mut().filter(|s| **s == ANY_ELEMENT) {
                if !rest.is_empty() {
                    *step = rest.remove(0);
                }
            }
            n
        });
        let inner = p.part.path[..p.part.path.len() - rest.len()].iter().fold(ty, |t, &n| m.part(t, Some(n)).unwrap_or(t));
        let mut name = match (&named, d) {
            (Some(n), Some(d)) => d.show(m, n),
            _ if own.is_empty() => "a copy".to_owned(),
            _ => own.to_owned(),
        };
        push_path(m, inner, &rest, &mut name);
        let span = named.as_ref().and_then(|n| d.map(|d| d.vars[n.var].span)).unwrap_or(Span::NONE);
        let kind = match (role, m.types.kind(p.part.ty)) {
            (Some(SlotRole::RayQuery), _) => ItemKind::RayQuery,
            (_, TypeKind::HitObject) => ItemKind::HitObject,
            (Some(r), _) if is_payload(r) => ItemKind::Payload,
            _ => ItemKind::Variable,
        };
        Item {
            name,
            also: Vec::new(),
            ty: self.field_type(ty, &p.part.path).unwrap_or_else(|| match (&named, d, p.part.path.is_empty()) {
                (Some(n), _, true) => self.declared_type(n, p.part.ty),
                _ => spelled(m, p.part.ty, m.types.numeric(p.part.ty).map_or(1, |n| n.1)),
            }),
            kind,
            bytes: p.bytes,
            declared: self.locator.locate(span),
            set: None,
            recompute: None,
        }
    }

    /// The names of `v`, each with its suffix.
    fn names(&self, v: Value) -> Vec<(Named, &'static str)> {
        let Some(d) = &self.f.debug else { return Vec::new() };
        let own = own_first(d, v);
        if !own.is_empty() {
            return own.into_iter().map(|n| (n, "")).collect();
        }
        // A component is named after its vector.
        match self.f.def_inst(v).map(|i| self.f.insts[i]) {
            Some(InstData::Many { op: Opcode::extract, imm, args }) => {
                let part = [".x", ".y", ".z", ".w"].get(imm as usize).copied();
                let names = self.f.get(args).first().map_or(Vec::new(), |&a| own_first(d, a));
                part.map_or(Vec::new(), |p| names.into_iter().map(|n| (n, p)).collect())
            }
            _ => Vec::new(),
        }
    }

    /// The span of the definition of `v`.
    fn span_of(&self, v: Value) -> Span {
        match self.f.values[v].def {
            ValueDef::Result(i, _) => self.f.spans[i],
            ValueDef::Param(r, _) => self.f.regions[r].owner.map_or(Span::NONE, |o| self.f.spans[o]),
            _ => Span::NONE,
        }
    }

    /// The type as it was declared, if the value is all of `n`.
    fn declared_type(&self, n: &Named, ty: Type) -> String {
        let Some(d) = &self.f.debug else { return String::new() };
        let var = &d.vars[n.var];
        if n.path.is_empty() && var.ty == ty && !var.hlsl.is_empty() {
            return var.hlsl.clone();
        }
        let lanes = self.m.types.numeric(ty).map_or(1, |n| n.1);
        self.field_type(var.ty, &n.path).unwrap_or_else(|| spelled(self.m, ty, lanes))
    }

    /// The type of a member as it was declared.
    fn field_type(&self, mut t: Type, path: &[u32]) -> Option<String> {
        let mut out = None;
        for &n in path {
            out = match self.m.types.kind(t) {
                TypeKind::Struct(s) => {
                    let field = self.m.structs[s].fields.get(n as usize)?;
                    Some(field.hlsl.clone()).filter(|h| !h.is_empty())
                }
                _ => None,
            };
            t = self.m.part(t, (n != ANY_ELEMENT).then_some(n))?;
        }
        out
    }
}

fn own_first(d: &Debug, v: Value) -> Vec<Named> {
    let mut all: Vec<Named> = d.values.get(&v).map_or(Vec::new(), |n| n.to_vec());
    all.sort_by_key(|n| d.vars[n.var].site.is_some());
    all
}

fn is_payload(role: SlotRole) -> bool {
    !matches!(role, SlotRole::RayQuery | SlotRole::AttrIn | SlotRole::AttrOut)
}

/// The HLSL spelling of a type; a vector has `lanes` components.
fn spelled(m: &Module, t: Type, lanes: u32) -> String {
    let scalar = |s: Scalar| match s {
        Scalar::Bool => "bool",
        Scalar::I16 => "int16_t",
        Scalar::I32 => "int",
        Scalar::I64 => "int64_t",
        Scalar::F16 => "half",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    };
    match m.types.kind(t) {
        TypeKind::Scalar(s) => scalar(s).into(),
        TypeKind::Vector(s, _) if lanes == 1 => scalar(s).into(),
        TypeKind::Vector(s, _) if lanes <= 4 => format!("{}{lanes}", scalar(s)),
        TypeKind::Vector(s, _) => format!("vector<{}, {lanes}>", scalar(s)),
        TypeKind::Array(e, n) => {
            let lanes = m.types.numeric(e).map_or(1, |n| n.1);
            format!("{}[{n}]", spelled(m, e, lanes))
        }
        TypeKind::Struct(s) => m.structs[s].name.clone(),
        TypeKind::HitObject => "HitObject".into(),
        TypeKind::Linalg(t) => format!("{} matrix {}", t.component_name(), t.dimensions()),
        TypeKind::RayQuery(..) => "RayQuery".into(),
        TypeKind::Spirv(_) => "SpirvType".into(),
        TypeKind::Resource(_) => "resource".into(),
    }
}

/// Bytes of a payload.
pub(super) fn bytes_of(m: &Module, t: Type) -> u32 {
    let mut bytes = 0u32;
    m.leaves(t, &mut |_, leaf| {
        bytes = bytes.saturating_add(m.types.numeric(leaf).map_or(0, |(s, n)| s.bytes() * n));
    });
    bytes
}
