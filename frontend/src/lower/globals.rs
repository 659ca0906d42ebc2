//! Lowering of global variables: resources, groupshared variables, statics.
//!
//! Resources, groupshared variables and mutable statics become globals of the IR if a reachable function uses them. A
//! static constant has no storage until it is indexed dynamically: then it becomes a table in memory.

use rtc_base::EntityRef;
use rtc_ir::{self as ir, Global, GlobalData, GlobalKind, ResourceDecl, Type, TypeKind};
use rtc_tables::intrinsics::Object;
use rtc_tables::resources::ResourceKind;

use super::Lowerer;
use super::debug_types::split_name;
use super::types::Use;
use crate::hir::{self, GlobalId, TyKind};

/// The storage of a global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// A resource or array of resources.
    Resource(Global),
    /// A variable.
    Var(Global),
    /// A constant; the table if there is one.
    Constant(Option<Global>),
    /// A constant that the host may replace: its number.
    Spec(u32),
}

impl Lowerer<'_> {
    /// Declares everything that is used, in source order, and all other resources if the target declares those too.
    pub fn globals(&mut self) {
        let mut all: Vec<GlobalId> = self.hir.globals.keys().collect();
        let mut blocks: Vec<(GlobalId, GlobalId)> = self.hir.blocks_after.iter().map(|(&b, &last)| (b, last)).collect();
        blocks.sort_unstable();
        all.sort_by_cached_key(|&g| self.rank(g, &blocks));
        for g in all {
            let wanted = self.facts.uses_global(g) || self.all_resources && self.is_resource(g) && !self.lacks_numbers(g);
            if wanted && self.globals[g].is_none() {
                self.globals[g] = self.global(g);
            }
        }
    }

    /// What orders the globals. In DXIL resources of structures follow all others, and those of cbuffers (with their last members) these; there the ones of
    /// structures come first, and the others begin with the last one. So do the registers that they get, as with the reference compiler.
    fn rank(&self, g: GlobalId, blocks: &[(GlobalId, GlobalId)]) -> (u8, usize, bool, usize) {
        let at = g.index();
        if self.all_resources || !self.is_resource(g) || self.hir.globals[g].is_block {
            let last = self.hir.blocks_after.get(&g);
            return (0, last.map_or(at, |b| b.index()), last.is_some(), 0);
        }
        let in_structure = self.hir.globals[g].symbol.contains('.');
        let before = blocks.partition_point(|b| b.0 < g);
        match before.checked_sub(1).map(|n| blocks[n]) {
            Some((block, last)) if g <= last => (2, block.index(), !in_structure, if in_structure { at } else { usize::MAX - at }),
            _ => (u8::from(in_structure), at, false, 0),
        }
    }

    /// Whether it is a cbuffer whose members are resources, all of them.
    fn lacks_numbers(&self, g: GlobalId) -> bool {
        let types = &self.hir.types;
        let record = types.as_resource(self.hir.globals[g].ty).and_then(|r| types.as_record(r.elem?));
        self.hir.blocks_after.contains_key(&g) && record.is_some_and(|r| types.records[r].fields.is_empty())
    }

    /// Whether a global is a resource or an array of resources.
    fn is_resource(&self, g: GlobalId) -> bool {
        let data = &self.hir.globals[g];
        let elem = self.hir.types.strip_arrays(data.ty).0;
        matches!(data.kind, hir::GlobalKind::Resource(_)) && self.hir.types.as_resource(elem).is_some()
    }

    fn global(&mut self, g: GlobalId) -> Option<Storage> {
        let hir = self.hir;
        let data = &hir.globals[g];
        if let Some(id) = data.spec {
            self.out.spec_names.insert(id, data.qualified.clone());
            return Some(Storage::Spec(id));
        }
        if let Some(inline) = &data.inline {
            self.out.requirements.add(&inline.requirements);
            if let Some(class) = inline.class {
                let ty = self.ty(data.ty);
                return Some(Storage::Var(self.push(g, GlobalKind::Inline(ir::inline::InlineVariable { ty, class }))));
            }
        }
        Some(match &data.kind {
            hir::GlobalKind::Resource(binding) => Storage::Resource(self.resource(g, binding)?),
            hir::GlobalKind::GroupShared => {
                let ty = self.ty(data.ty);
                Storage::Var(self.push(g, GlobalKind::GroupShared(ty)))
            }
            hir::GlobalKind::Static { is_const: true, value: Some(_), .. } if !self.has_bit_fields(data.ty) => Storage::Constant(None),
            hir::GlobalKind::Static { init, value, .. } => {
                if hir.types.kind(data.ty) == hir::TyKind::String {
                    // A text is a constant that has no variable.
                    return Some(Storage::Constant(None));
                }
                if !self.has_variables(data.ty) {
                    // An array of resources of unknown size is the one that initialises it.
                    if let Some(hir::ExprKind::Global(whole)) = init.map(|e| hir.inits.exprs[e].kind)
                        && let hir::GlobalKind::Resource(_) | hir::GlobalKind::Static { .. } = hir.globals[whole].kind
                    {
                        if self.globals[whole].is_none() {
                            self.globals[whole] = self.global(whole);
                        }
                        return self.globals[whole];
                    }
                    self.unsupported(data.span, "a static variable of this type");
                    return None;
                }
                let ty = self.ty(data.ty);
                let shared = self.is_shared(g) && self.holds_numbers(ty);
                // The storage units of bit-fields do not correspond to the scalars of a constant.
                let lazy = shared && (init.is_some() && value.is_none() || self.has_bit_fields(data.ty));
                let bits = shared.then(|| if lazy { vec![0; self.scalars(ty) as usize] } else { self.constant_bits(g) });
                let var = self.push(g, GlobalKind::Private(ty, bits));
                if lazy {
                    let mut flag = self.out.globals[var].clone();
                    flag.name.push_str(".set");
                    flag.symbol.push_str(".set");
                    (flag.kind, flag.precise) = (GlobalKind::Private(Type::I32, Some(vec![0])), false);
                    let flag = self.out.globals.push(flag);
                    self.set_flags.insert(var, flag);
                }
                Storage::Var(var)
            }
        })
    }

    /// Whether a static variable outlives calls from other libraries: a function changes it, and an exported one uses it.
    fn is_shared(&self, g: GlobalId) -> bool {
        let uses = |f| self.is_exported(f) && self.facts.globals_of_entry(f).contains(&g);
        !self.vulkan && self.facts.is_written(g) && self.hir.funcs.keys().any(uses)
    }

    /// Whether a type has numbers only, which alone can be memory outside of functions.
    fn holds_numbers(&self, t: Type) -> bool {
        match self.out.types.kind(t) {
            TypeKind::Scalar(_) | TypeKind::Vector(..) => true,
            TypeKind::Array(e, _) => self.holds_numbers(e),
            TypeKind::Struct(s) => self.out.structs[s].fields.iter().all(|f| self.holds_numbers(f.ty)),
            _ => false,
        }
    }

    fn push(&mut self, g: GlobalId, kind: GlobalKind) -> Global {
        let data = &self.hir.globals[g];
        let decorations = data.inline.as_ref().map_or(Vec::new(), |i| i.decorations.clone());
        let name = match kind {
            GlobalKind::Resource(_) if !self.qualified_names => split_name(&data.qualified).1,
            _ => data.qualified.clone(),
        };
        let precise = data.precise;
        self.out.globals.push(GlobalData { name, symbol: data.symbol.clone(), kind, decorations, span: data.span, precise })
    }

    fn resource(&mut self, g: GlobalId, binding: &hir::Binding) -> Option<Global> {
        let data = &self.hir.globals[g];
        let types = &self.hir.types;
        let (elem, count) = types.strip_arrays(data.ty);
        let Some(r) = types.as_resource(elem) else {
            self.unsupported(data.span, "a resource inside a structure");
            return None;
        };
        let layout = match (r.kind, r.elem) {
            (ResourceKind::CBuffer | ResourceKind::TBuffer, Some(e)) => Some(match types.as_record(e) {
                Some(rec) => self.struct_of(rec, Use::Constants).ty,
                None => self.ty(e),
            }),
            (ResourceKind::StructuredBuffer, Some(e)) => Some(self.ty(e)),
            _ => None,
        };
        let hlsl = if data.is_block { "cbuffer".to_string() } else { self.spell(elem) };
        let decl = ResourceDecl {
            ty: self.ty(elem),
            count,
            array: elem != data.ty,
            kind: match r.object {
                _ if data.is_block && data.qualified == hir::layout::LOOSE => ir::DeclKind::Loose,
                _ if data.is_block => ir::DeclKind::Block,
                Object::AppendStructuredBuffer => ir::DeclKind::Append,
                Object::ConsumeStructuredBuffer => ir::DeclKind::Consume,
                _ => ir::DeclKind::Variable,
            },
            element: layout.and(r.elem).and_then(|e| self.numbers(e)),
            binding: ir::Binding {
                register: binding.register,
                space: binding.space,
                vk: binding.vk,
                counter: binding.counter,
                element: binding.element,
                other_letter: binding.other_letter,
                place: match binding.push_constant {
                    _ if binding.shader_record => ir::BindPlace::Record,
                    true => ir::BindPlace::Push,
                    false => ir::BindPlace::Registers,
                },
                format: binding.image_format,
                combined: binding.combined.is_some(),
            },
            layout,
            hlsl,
            host: if self.host_layouts || self.host_names { self.host_block(g) } else { None },
        };
        Some(self.push(g, GlobalKind::Resource(decl)))
    }

    /// The table of a constant, created on first use.
    pub fn table(&mut self, g: GlobalId) -> Global {
        if let Some(Storage::Constant(Some(t))) = self.globals[g] {
            return t;
        }
        let bits = self.constant_bits(g);
        let ty = self.ty(self.hir.globals[g].ty);
        let t = self.push(g, GlobalKind::Table(ty, bits));
        self.globals[g] = Some(Storage::Constant(Some(t)));
        t
    }

    /// The bits of all scalars of a constant. Scalars without initialiser are zero.
    pub fn constant_bits(&self, g: GlobalId) -> Vec<u64> {
        let data = &self.hir.globals[g];
        let n = self.hir.types.leaf_count(data.ty) as usize;
        let mut bits = match &data.kind {
            hir::GlobalKind::Static { value: Some(v), .. } => v.iter().map(|c| c.bits).collect(),
            _ => Vec::new(),
        };
        bits.resize(n, 0);
        bits
    }

    /// The bits of scalar number `n` of a constant.
    pub fn constant_bit(&self, g: GlobalId, n: u64) -> u64 {
        match &self.hir.globals[g].kind {
            hir::GlobalKind::Static { value: Some(v), .. } => v.get(n as usize).map_or(0, |c| c.bits),
            _ => 0,
        }
    }

    /// How many scalars a type has.
    fn scalars(&self, t: Type) -> u64 {
        match self.out.types.kind(t) {
            TypeKind::Vector(_, n) => n.into(),
            TypeKind::Array(e, n) => self.scalars(e) * u64::from(n),
            TypeKind::Struct(s) => self.out.structs[s].fields.iter().map(|f| self.scalars(f.ty)).sum(),
            _ => 1,
        }
    }

    /// How many scalars of `t` precede part `n`.
    pub fn scalars_before(&self, t: Type, n: u32) -> u64 {
        match self.out.types.kind(t) {
            TypeKind::Array(e, _) => self.scalars(e) * u64::from(n),
            TypeKind::Struct(s) => self.out.structs[s].fields.iter().take(n as usize).map(|f| self.scalars(f.ty)).sum(),
            _ => n.into(),
        }
    }

    /// Whether a bit-field is somewhere inside: its storage units do not correspond to its scalars.
    fn has_bit_fields(&self, t: hir::Ty) -> bool {
        let types = &self.hir.types;
        match types.kind(types.strip_arrays(t).0) {
            TyKind::Record(r) => {
                let fields = &types.records[r].fields;
                fields.iter().any(|f| f.bits.is_some() || self.has_bit_fields(f.ty))
            }
            _ => false,
        }
    }
}
