//! Variables outside functions that hold resources: `struct Maps { Texture2D albedo; SamplerState s; float k; }; Maps maps : register(t3);`
//!
//! Each resource in it becomes a global of its own, named by its path (`maps.albedo`, `list.1.albedo`), with consecutive
//! registers from the explicit ones on, for each class. What is left of the type without its resources is a member of the constant
//! buffer that the variable belongs to. The variable itself becomes a constant of all of them, and `maps.k` names a part directly.

use super::context::Sema;
use super::errors::resources as err;
use super::scope::{Binding, NumbersPath, Part};
use crate::hir::{self, Category, ExprId, ExprKind, Field, Global, GlobalId, GlobalKind, RecordId, Ty, TyKind, Types};
use crate::syntax::ast::{self, AnnotationKind};
use rtc_base::Span;

/// The limit of parts of one variable.
const MAX: usize = 1024;

/// The next registers.
#[derive(Default)]
struct Registers {
    /// Letter and number.
    next: Vec<(char, u32)>,
    space: Option<u32>,
    /// `register(c3)`: the byte of the numbers in the constant buffer.
    pack_offset: Option<u32>,
}

impl Sema<'_> {
    /// Declares the variable `name` of a type that holds resources. `block`: the constant buffer that it is in; otherwise its numbers
    /// are in `$Globals`.
    pub fn resource_struct(&mut self, v: &ast::Var, name: ast::Name, ty: Ty, block: Option<(GlobalId, RecordId)>) {
        if let Some(init) = v.init {
            self.report(err::resource_initialiser(self.ast.exprs[init].span));
        }
        let mut registers = Registers::default();
        for a in self.ast.list(v.annotations).to_vec() {
            match a.kind {
                AnnotationKind::Register(r) => {
                    if r.profile.is_some_and(|p| !self.profile_matches(p)) {
                        continue;
                    }
                    registers.space = r.space.or(registers.space);
                    match r.slot {
                        Some(('c', n)) => registers.pack_offset = Some(n.saturating_mul(16)),
                        slot => registers.next.extend(slot),
                    }
                }
                AnnotationKind::PackOffset { reg, component, .. } if block.is_some() => {
                    registers.pack_offset = Some(reg.saturating_mul(16).saturating_add(component as u32 * 4));
                }
                AnnotationKind::Semantic(_) => {}
                AnnotationKind::Access { .. } => {
                    self.report(super::errors::payload::misplaced_qualifier(a.span, "a structure of resources"));
                }
                _ => self.report(err::misplaced_annotation(a.span, "a structure of resources")),
            }
        }
        if !self.can_be_divided(ty) {
            let text = self.show(ty);
            self.report(err::mixed_struct(name.span, &text));
            self.declare(name, Binding::Error);
            return;
        }
        let numbers = self.without_resources(ty).map(|rest| {
            let (block, record) = block.unwrap_or_else(|| self.loose_block(name.span));
            self.check_long_vectors(rest, name.span, "a constant buffer");
            let n = self.m.types.records[record].fields.len() as u32;
            self.m.types.records[record].fields.push(Field::of_block(name.sym, rest, name.span, registers.pack_offset));
            NumbersPath { block, steps: vec![n] }
        });
        let path = self.str(name.sym).to_string();
        let part = self.divide(ty, path, name, numbers, &mut registers);
        self.declare_part(name, part);
    }

    /// `ConstantBuffer<S> name;`, where `S` holds resources: they are those of a variable, and the buffer holds the rest.
    pub fn resources_in_view(&mut self, v: &ast::Var, name: ast::Name, ty: Ty, attrs: ast::List<ast::Attr>) {
        let (view, count) = self.m.types.strip_arrays(ty);
        let Some((mut r, elem)) = self.m.types.as_resource(view).and_then(|r| Some((r, r.elem?))) else { return };
        if count != Some(1) || !self.can_be_divided(elem) {
            let text = self.show(elem);
            self.report(err::objects_in_view(name.span, &text));
            self.declare(name, Binding::Error);
            return;
        }
        let numbers = self.without_resources(elem).map(|rest| {
            r.elem = Some(rest);
            let view = self.m.types.intern(TyKind::Resource(r));
            NumbersPath { block: self.resource_global(v, name, view, attrs), steps: Vec::new() }
        });
        let path = self.str(name.sym).to_string();
        let mut part = self.divide(elem, path, name, numbers, &mut Registers::default());
        // Arrays of one are that one, at index 0.
        let (mut at, mut whole) = (ty, elem);
        while let TyKind::Array(inner, _) = self.m.types.kind(at) {
            whole = self.m.types.intern(TyKind::Array(whole, Some(1)));
            part = self.constant_of(whole, name, vec![part]);
            at = inner;
        }
        self.declare_part(name, part);
    }

    fn declare_part(&mut self, name: ast::Name, part: Part) {
        match part {
            Part::Global(g) => self.declare(name, Binding::Global(g)),
            Part::Numbers(_) => self.declare(name, Binding::Error),
        }
    }

    /// Whether each thing in it is a resource or holds none, and there are not too many.
    fn can_be_divided(&self, ty: Ty) -> bool {
        fn parts(s: &Sema<'_>, ty: Ty) -> Option<usize> {
            if !s.m.types.has_objects(ty) {
                return Some(1);
            }
            match s.m.types.kind(ty) {
                TyKind::Resource(_) => Some(1),
                TyKind::Array(e, n) => parts(s, e)?.checked_mul(n? as usize),
                TyKind::Record(r) => {
                    s.m.types.records[r].fields.iter().try_fold(0usize, |sum, f| Some(sum + parts(s, f.ty)?)).filter(|&n| n <= MAX)
                }
                _ => None,
            }
        }
        parts(self, ty).is_some_and(|n| n <= MAX)
    }

    /// The type without its resources; `None` if nothing is left.
    fn without_resources(&mut self, ty: Ty) -> Option<Ty> {
        if !self.m.types.has_objects(ty) {
            return Some(ty);
        }
        match self.m.types.kind(ty) {
            TyKind::Array(e, n) => {
                let rest = self.without_resources(e)?;
                Some(self.m.types.intern(TyKind::Array(rest, n)))
            }
            TyKind::Record(r) => {
                if let Some(known) = self.globals.rest_of(r) {
                    return known;
                }
                let old = self.m.types.records[r].clone();
                let base = old.base.and_then(|b| {
                    let of_base = self.m.types.record(b);
                    let rest = self.without_resources(of_base)?;
                    self.m.types.as_record(rest)
                });
                let (mut fields, mut rows) = (Vec::new(), Vec::new());
                for f in &old.fields {
                    if let Some(ty) = self.without_resources(f.ty) {
                        fields.push(Field { ty, ..f.clone() });
                    } else if !matches!(self.m.types.kind(f.ty), TyKind::Resource(_)) {
                        // Arrays and structures start a row, and those of no bytes leave what follows at it.
                        rows.push(fields.len() as u32);
                    }
                }
                let rest = (!fields.is_empty()).then(|| {
                    let new = self.m.types.records.push(hir::Record { base, fields, rows, ..old });
                    self.records[new].complete = true;
                    self.m.types.record(new)
                });
                self.globals.set_rest(r, rest);
                rest
            }
            _ => None,
        }
    }

    /// Makes globals of the parts of a variable; `numbers`: where what holds no resource is.
    fn divide(&mut self, ty: Ty, path: String, name: ast::Name, numbers: Option<NumbersPath>, registers: &mut Registers) -> Part {
        if let Some(numbers) = numbers.as_ref().filter(|_| !self.m.types.has_objects(ty)) {
            return Part::Numbers(numbers.clone());
        }
        let mut parts = Vec::new();
        match self.m.types.kind(ty) {
            TyKind::Record(r) => {
                let mut left = 0;
                for f in self.m.types.records[r].fields.clone() {
                    let path = format!("{path}.{}", self.str(f.name));
                    let inside = self.without_resources(f.ty).and(numbers.as_ref()).map(|p| p.step(left));
                    left += u32::from(inside.is_some());
                    parts.push(self.divide(f.ty, path, name, inside, registers));
                }
            }
            TyKind::Array(e, Some(n)) if self.opts.flatten_arrays || !self.m.types.is_resource_array(ty) => {
                for at in 0..n {
                    let inside = numbers.as_ref().map(|p| p.step(at));
                    parts.push(self.divide(e, format!("{path}.{at}"), name, inside, registers));
                }
            }
            _ => {
                let binding = self.next_binding(ty, registers);
                return Part::Global(self.resource_part(ty, path, binding, name.span));
            }
        }
        let name = ast::Name { sym: self.names.intern(&path), ..name };
        self.constant_of(ty, name, parts)
    }

    fn resource_part(&mut self, ty: Ty, path: String, binding: hir::Binding, span: Span) -> GlobalId {
        self.m.globals.push(Global {
            name: self.names.intern(&path),
            qualified: self.qualify(&path),
            symbol: path,
            ty,
            kind: GlobalKind::Resource(binding),
            is_block: false,
            spec: None,
            inline: None,
            precise: false,
            used: false,
            span,
        })
    }

    /// An array of resources that are bound separately, one after the other; `None` if it has no size, or is too large.
    pub fn separate_elements(&mut self, name: ast::Name, ty: Ty, binding: hir::Binding) -> Option<GlobalId> {
        let count = self.m.types.strip_arrays(ty).1.filter(|&n| n as usize <= MAX)?;
        let path = self.str(name.sym).to_string();
        let mut next = 0;
        match self.separate(name, ty, path, &binding, &mut next, count) {
            Part::Global(g) => Some(g),
            Part::Numbers(_) => None,
        }
    }

    fn separate(&mut self, name: ast::Name, ty: Ty, path: String, first: &hir::Binding, next: &mut u32, count: u32) -> Part {
        let TyKind::Array(elem, Some(n)) = self.m.types.kind(ty) else {
            let at = *next;
            *next += 1;
            let binding = hir::Binding {
                register: first.register.map(|r| r.saturating_add(at)),
                vk: first.vk.map(|(binding, set)| (binding.saturating_add(at), set)),
                counter: first.counter.map(|c| c.saturating_add(at)),
                element: Some((at, count)),
                ..*first
            };
            return Part::Global(self.resource_part(ty, path, binding, name.span));
        };
        let parts = (0..n).map(|i| self.separate(name, elem, format!("{path}[{i}]"), first, next, count)).collect();
        let name = ast::Name { sym: self.names.intern(&path), ..name };
        self.constant_of(ty, name, parts)
    }

    /// A constant that consists of parts.
    fn constant_of(&mut self, ty: Ty, name: ast::Name, parts: Vec<Part>) -> Part {
        let body = std::mem::take(&mut self.m.inits);
        let old = std::mem::replace(&mut self.body, body);
        let old_f = std::mem::take(&mut self.f);
        let mut leaves = Vec::new();
        for part in &parts {
            self.leaves(part, name.span, &mut leaves);
        }
        let list = self.body.make_list(&leaves);
        let init = self.push(ExprKind::Construct(list), ty, Category::Rvalue, name.span);
        self.f = old_f;
        self.m.inits = std::mem::replace(&mut self.body, old);
        let kind = GlobalKind::Static { is_const: true, init: Some(init), value: None };
        let g = self.new_global(name, ty, kind, true);
        self.globals.divide(g, parts);
        Part::Global(g)
    }

    fn leaves(&mut self, part: &Part, span: Span, out: &mut Vec<ExprId>) {
        match part {
            Part::Global(g) if let Some(inner) = self.globals.parts_of(*g).map(<[Part]>::to_vec) => {
                for part in &inner {
                    self.leaves(part, span, out);
                }
            }
            part => out.push(self.part_expr(part, span)),
        }
    }

    /// Member or element `n` of `base`, if that is a variable that holds resources.
    pub fn part_of(&mut self, base: ExprId, n: u32, span: Span) -> Option<ExprId> {
        let ExprKind::Global(g) = self.e(base).kind else { return None };
        let part = self.globals.parts_of(g)?.get(n as usize)?.clone();
        // The variable itself is not used then.
        self.f.forget_last_use_of(g);
        Some(self.part_expr(&part, span))
    }

    fn part_expr(&mut self, part: &Part, span: Span) -> ExprId {
        match part {
            Part::Global(g) => self.global_expr(*g, span),
            Part::Numbers(at) => {
                let block = self.global_expr(at.block, span);
                let mut e = self.contents(block);
                for &n in &at.steps {
                    e = match self.m.types.kind(self.ty(e)) {
                        TyKind::Array(elem, _) => {
                            let index = self.value(ExprKind::Const(n.into()), Ty::UINT, span);
                            self.push(ExprKind::Index(e, index), elem, Category::Constant, span)
                        }
                        _ => self.field(e, n, span),
                    };
                }
                e
            }
        }
    }

    fn next_binding(&mut self, ty: Ty, registers: &mut Registers) -> hir::Binding {
        let mut binding = hir::Binding {
            space: registers.space.or(self.opts.auto_space).unwrap_or(0),
            space_written: registers.space.is_some(),
            ..hir::Binding::default()
        };
        let inner = self.m.types.strip_arrays(ty).0;
        let letter = self.m.types.as_resource(inner).map(|r| r.class.letter());
        if let Some(next) = registers.next.iter_mut().find(|n| Some(n.0) == letter) {
            binding.register = Some(next.1);
            let count = u32::try_from(self.m.types.leaf_count(ty)).unwrap_or(u32::MAX);
            next.1 = next.1.saturating_add(count);
        }
        binding
    }
}

impl Types {
    fn is_resource_array(&self, ty: Ty) -> bool {
        self.as_resource(self.strip_arrays(ty).0).is_some()
    }
}
