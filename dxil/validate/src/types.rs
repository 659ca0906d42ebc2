//! Rules about the types of values and variables.
//!
//! Memory holds scalars, structures and one-dimensional arrays (arrays inside structures may have more dimensions), with
//! pointers nowhere inside; vectors are for libraries and for shader model 6.9 and later. Each type is checked once, at its
//! first use.

use super::{Cx, Here};
use rtc_base::entity::EntityRef as _;
use rtc_dxil_container::Version;
use rtc_dxil_dis::type_text;
use rtc_dxil_module::{CastOp, GROUPSHARED, Inst, Linkage, Module, Op, Type, TypeKind, Value};
use rtc_tables::validation::{Rule, rule};
use rustc_hash::FxHashSet;

/// Variables of the module itself, and instructions.
pub(super) fn types(cx: &mut Cx<'_>) {
    let m = cx.m;
    let mut checker = TypeChecker {
        m,
        library: cx.info.is_library(),
        vectors: cx.info.model >= Version::new(6, 9),
        seen: vec![[false; 2]; m.types.len()],
        found: Vec::new(),
    };
    for (_, global) in m.globals.iter() {
        if global.space == GROUPSHARED || global.space == 0 && global.linkage == Linkage::Internal {
            checker.outer(global.ty);
            for (rule, ty) in checker.found.drain(..) {
                let name = global.name.escape_debug();
                cx.module(rule, format!("variable `{name}` has type `{}`: {}", type_text(m, ty), why(rule)));
            }
        }
    }
    for (func, f) in m.funcs.iter() {
        let Some(body) = &f.body else { continue };
        let here = Here { func, body };
        let markers = lifetime_pointers(m, here);
        for &inst in body.blocks.values().flatten() {
            checker.inst(here, inst, &markers);
            for (rule, ty) in checker.found.drain(..) {
                cx.inst(rule, here, inst, format!("has type `{}`: {}", type_text(m, ty), why(rule)));
            }
        }
    }
}

fn why(rule: &Rule) -> &'static str {
    match rule.id {
        "TYPES.NOPTRTOPTR" => "no memory holds pointers",
        "TYPES.NOMULTIDIM" => "an array has one dimension",
        "TYPES.INTWIDTH" => "integers have 1, 8, 16, 32 or 64 bits",
        "TYPES.NOVECTOR" => "this shader model has no vectors",
        "TYPES.I8" => "bytes are for immediate arguments of operations alone",
        "DECL.DXILNSRESERVED" => "names that begin with `dx.` are those of DXIL",
        _ => "no value of DXIL has it",
    }
}

struct TypeChecker<'m> {
    m: &'m Module,
    library: bool,
    vectors: bool,
    /// The types that were checked: by themselves, inside of others.
    seen: Vec<[bool; 2]>,
    found: Vec<(&'static Rule, Type)>,
}

impl TypeChecker<'_> {
    /// An instruction that is no call: calls of operations have rules of their own.
    fn inst(&mut self, here: Here<'_>, inst: Inst, markers: &FxHashSet<Inst>) {
        let m = self.m;
        let data = &here.body.insts[inst];
        if matches!(data.op, Op::Call { .. }) {
            return;
        }
        here.body.operands(inst, |value| {
            if let Some(ty) = m.value_type(Some(here.func), value) {
                self.integer(ty);
            }
        });
        let mut result = m.types.pointee(data.ty).unwrap_or(data.ty);
        while let TypeKind::Array { elem, .. } = m.types[result] {
            result = elem;
        }
        if !markers.contains(&inst) {
            self.integer(result);
        }
        match data.op {
            Op::Alloca { allocated, .. } => self.outer(allocated),
            Op::Load { .. } => self.outer(data.ty),
            Op::Store { value, .. } => {
                if let Some(ty) = m.value_type(Some(here.func), value) {
                    self.outer(ty);
                }
            }
            Op::Gep { .. } => self.outer(m.types.pointee(data.ty).unwrap_or(data.ty)),
            _ => {}
        }
    }

    /// Integers of instructions: the known widths, but no bytes.
    fn integer(&mut self, ty: Type) {
        match self.m.types[ty] {
            TypeKind::Int(8) => self.found.push((rule::TYPES_I8, ty)),
            TypeKind::Int(_) => self.outer(ty),
            _ => {}
        }
    }

    fn outer(&mut self, ty: Type) {
        let mut todo = Vec::new();
        let mut next = Some((ty, false));
        while let Some((ty, inner)) = next {
            if !std::mem::replace(&mut self.seen[ty.index()][usize::from(inner)], true) {
                self.one(ty, inner, &mut todo);
            }
            next = todo.pop();
        }
    }

    fn one(&mut self, whole: Type, inner: bool, todo: &mut Vec<(Type, bool)>) {
        let m = self.m;
        let mut ty = whole;
        if let TypeKind::Pointer { pointee, .. } = m.types[ty] {
            if inner || matches!(m.types[pointee], TypeKind::Pointer { .. }) {
                return self.found.push((rule::TYPES_NO_PTR_TO_PTR, whole));
            }
            ty = pointee;
        }
        if let TypeKind::Array { elem, .. } = m.types[ty] {
            if !inner && matches!(m.types[elem], TypeKind::Array { .. }) {
                return self.found.push((rule::TYPES_NO_MULTI_DIM, whole));
            }
            ty = elem;
            while let TypeKind::Array { elem, .. } = m.types[ty] {
                ty = elem;
            }
        }
        match &m.types[ty] {
            TypeKind::Struct(_) | TypeKind::Named { .. } => {
                if let Some(name) = m.types.struct_name(ty)
                    && name.starts_with("dx.")
                {
                    if is_object(name) {
                        return;
                    }
                    self.found.push((rule::DECL_RESERVED_NAME, ty));
                }
                if let Some(fields) = m.types.fields(ty) {
                    todo.extend(fields.types.iter().map(|&f| (f, true)));
                }
            }
            TypeKind::Half | TypeKind::Float | TypeKind::Double => {}
            TypeKind::Int(1 | 8 | 16 | 32 | 64) => {}
            TypeKind::Int(_) => self.found.push((rule::TYPES_INT_WIDTH, ty)),
            _ if self.library => {}
            TypeKind::Vector { .. } if self.vectors => {}
            TypeKind::Vector { .. } => self.found.push((rule::TYPES_NO_VECTOR, ty)),
            _ => self.found.push((rule::TYPES_DEFINED, ty)),
        }
    }
}

/// Structures of DXIL that are values of their own.
fn is_object(name: &str) -> bool {
    matches!(name, "dx.types.Handle" | "dx.types.HitObject") || name.starts_with(rtc_tables::linalg::DXIL_TYPE)
}

/// Conversions to `i8*` that only calls of `llvm.lifetime.*` use.
fn lifetime_pointers(m: &Module, here: Here<'_>) -> FxHashSet<Inst> {
    let mut converted = FxHashSet::default();
    for (inst, data) in here.body.insts.iter() {
        if matches!(data.op, Op::Cast { op: CastOp::BitCast, .. }) && m.types.pointee(data.ty).is_some() {
            converted.insert(inst);
        }
    }
    if converted.is_empty() {
        return converted;
    }
    for &inst in here.body.blocks.values().flatten() {
        let marker = match here.body.insts[inst].op {
            Op::Call { callee: Value::Func(f), .. } => m.funcs[f].name.starts_with("llvm.lifetime."),
            _ => false,
        };
        if !marker {
            here.body.operands(inst, |value| {
                if let Value::Inst(i) = value {
                    converted.remove(&i);
                }
            });
        }
    }
    converted
}
