//! Global structures of resources: `struct Maps { Texture2D albedo; SamplerState s; }; Maps maps : register(t3);`
//!
//! Each resource in it becomes a global of its own, named by its path (`maps.albedo`, `list.1.albedo`), with consecutive
//! registers from the explicit ones on, for each class. The variable itself becomes a constant of them.

use super::context::Sema;
use super::errors::resources as err;
use super::scope::Binding;
use crate::hir::{self, Category, ExprId, ExprKind, Global, GlobalKind, Ty, TyKind};
use crate::syntax::ast::{self, AnnotationKind};

/// The limit of resources in one variable.
const MAX: u64 = 1024;

/// The next registers.
#[derive(Default)]
struct Registers {
    /// Letter and number.
    next: Vec<(char, u32)>,
    space: Option<u32>,
}

impl Sema<'_> {
    /// Declares the variable `name` of a type that holds resources.
    pub fn resource_struct(&mut self, v: &ast::Var, name: ast::Name, ty: Ty) {
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
                    registers.next.extend(r.slot);
                }
                AnnotationKind::Semantic(_) => {}
                AnnotationKind::Access { .. } => {
                    self.report(super::errors::payload::misplaced_qualifier(a.span, "a structure of resources"));
                }
                _ => self.report(err::misplaced_annotation(a.span, "a structure of resources")),
            }
        }
        if self.m.types.leaf_count(ty) > MAX || !self.only_resources(ty) {
            let text = self.show(ty);
            self.report(err::mixed_struct(name.span, &text));
            self.declare(name, Binding::Error);
            return;
        }
        let body = std::mem::take(&mut self.m.inits);
        let old = std::mem::replace(&mut self.body, body);
        let path = self.str(name.sym).to_string();
        let mut parts = Vec::new();
        self.flatten_resources(ty, path, name, &mut registers, &mut parts);
        let list = self.body.make_list(&parts);
        let init = self.push(ExprKind::Construct(list), ty, Category::Rvalue, name.span);
        self.m.inits = std::mem::replace(&mut self.body, old);
        let kind = GlobalKind::Static { is_const: true, init: Some(init), value: None };
        let g = self.new_global(name, ty, kind, true);
        self.declare(name, Binding::Global(g));
    }

    fn only_resources(&self, ty: Ty) -> bool {
        match self.m.types.kind(ty) {
            TyKind::Resource(_) => true,
            TyKind::Array(e, n) => n.is_some() && self.only_resources(e),
            TyKind::Record(r) => {
                let fields = &self.m.types.records[r].fields;
                fields.iter().all(|f| self.only_resources(f.ty))
            }
            _ => false,
        }
    }

    fn flatten_resources(&mut self, ty: Ty, path: String, name: ast::Name, registers: &mut Registers, parts: &mut Vec<ExprId>) {
        match self.m.types.kind(ty) {
            TyKind::Record(r) => {
                for f in self.m.types.records[r].fields.clone() {
                    let path = format!("{path}.{}", self.str(f.name));
                    self.flatten_resources(f.ty, path, name, registers, parts);
                }
            }
            TyKind::Array(e, Some(n)) if self.m.types.as_resource(self.m.types.strip_arrays(ty).0).is_none() => {
                for at in 0..n {
                    self.flatten_resources(e, format!("{path}.{at}"), name, registers, parts);
                }
            }
            _ => {
                let kind = GlobalKind::Resource(self.next_binding(ty, registers));
                let g = self.m.globals.push(Global {
                    name: self.names.intern(&path),
                    qualified: self.qualify(&path),
                    symbol: path,
                    ty,
                    kind,
                    is_block: false,
                    spec: None,
                    inline: None,
                    used: false,
                    span: name.span,
                });
                parts.push(self.push(ExprKind::Global(g), ty, Category::Constant, name.span));
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
