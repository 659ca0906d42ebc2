//! Names of variables for reports and debug information, if [`super::Options::names`] requests them.

use rtc_base::Span;
use rtc_ir::debug::{Named, VarData};
use rtc_ir::{Root, Slot, Step};

use super::func::{Binding, FnCx};
use super::operand::{Base, LValue, StageParam, Var};
use crate::hir::{LocalId, Ty, TyKind};

impl FnCx<'_, '_> {
    /// Records the storage of variable or parameter `l`.
    pub fn bind(&mut self, l: LocalId, mut b: Binding) {
        if let (Binding::LValue(LValue::Stream(of, _)), true) = (&b, self.l.keep_debug) {
            self.note_stream(l, *of);
        } else if self.func.debug.is_some() {
            let named = self.note(l, &b);
            if let Binding::LValue(LValue::Input(input)) = &mut b {
                input.named = named.map(Box::new);
            }
        }
        self.locals[l] = Some(b);
    }

    /// Describes variable `l`. What is returned: the name of one without storage, whose parts have values where they are loaded.
    #[cold]
    fn note(&mut self, l: LocalId, b: &Binding) -> Option<Named> {
        let data = &self.body.locals[l];
        let name = self.l.names.str(data.name);
        if name.is_empty() {
            return None;
        }
        let (ty, value, root) = match b {
            Binding::Value(v) => (self.func.ty(*v), Some(*v), None),
            Binding::LValue(LValue::Var(var)) if var.steps.is_empty() => match var.base {
                Base::Root(root @ Root::Local(l)) => (self.func.locals[l].ty, None, Some(root)),
                Base::Root(root @ Root::Slot(s)) => (self.func.slots[s].ty, None, Some(root)),
                _ => return None,
            },
            Binding::LValue(LValue::Input(_)) => (self.l.ty(data.ty), None, None),
            Binding::LValue(_) => return None,
        };
        let hlsl = self.l.hir.types.show(data.ty);
        let var = VarData {
            name: name.into(),
            hlsl,
            ty,
            span: data.span,
            site: None.into(),
            debug_ty: self.l.keep_debug.then(|| self.l.debug_variable_ty(data)).into(),
            arg: self.argument(l),
        };
        let d = self.func.debug.as_mut()?;
        let known = match root {
            Some(Root::Local(l)) => d.locals[l].is_some(),
            Some(Root::Slot(s)) => d.slots[s].is_some(),
            _ => false,
        };
        if known {
            return None;
        }
        let named = Named { var: d.vars.push(var), path: Default::default() };
        match (root, value) {
            (Some(Root::Local(l)), _) => d.locals[l] = Some(named),
            (Some(Root::Slot(s)), _) => d.slots[s] = Some(named),
            (_, Some(v)) => self.func.name_value(v, &named),
            (None, None) => return Some(named),
            (Some(Root::Global(_)), None) => {}
        }
        None
    }

    /// Describes stream `l`: debuggers see its last vertex, which a variable of its own holds, that nothing reads.
    fn note_stream(&mut self, l: LocalId, of: StageParam) {
        let data = &self.body.locals[l];
        let TyKind::Stream(_, vertex) = self.l.hir.types.kind(data.ty) else { return };
        let name = self.l.names.str(data.name).to_string();
        let shape = self.l.shape(vertex);
        let ty = self.l.shape_ty(shape);
        let var = VarData {
            name: name.as_str().into(),
            hlsl: self.l.hir.types.show(data.ty),
            ty,
            span: data.span,
            site: None.into(),
            debug_ty: Some(self.l.debug_variable_ty(data)).into(),
            arg: self.argument(l),
        };
        let local = self.func.add_local(ty, name);
        let Some(d) = &mut self.func.debug else { return };
        // The vertex is the member of the stream.
        d.locals[local] = Some(Named { var: d.vars.push(var), path: std::iter::once(0).collect() });
        let last = self.local_lvalue(local, shape);
        self.last_vertices.push((of, last));
    }

    /// The number of the parameter that variable `l` is, from 1; a method's object is the first.
    fn argument(&self, l: LocalId) -> u32 {
        let f = &self.l.hir.funcs[self.id];
        let this = u32::from(f.method.is_some_and(|m| !m.is_static));
        let at = f.params.iter().position(|p| p.local == l).filter(|_| self.own_body);
        at.map_or(0, |n| n as u32 + 1 + this)
    }

    /// The object of a method is at `p`.
    pub fn note_this(&mut self, p: &LValue, t: Ty, span: Span) {
        let LValue::Var(Var { base: Base::Root(Root::Local(local)), .. }) = *p else { return };
        if !self.l.keep_debug {
            return;
        }
        let debug_ty = Some(self.l.debug_ty(t)).into();
        let ty = self.func.locals[local].ty;
        let Some(d) = &mut self.func.debug else { return };
        let var = VarData { name: "this".into(), hlsl: String::new(), ty, span, site: None.into(), debug_ty, arg: 1 };
        d.locals[local] = Some(Named { var: d.vars.push(var), path: Default::default() });
    }

    /// Slot `s` is filled from the variable at `p`.
    pub fn note_slot(&mut self, s: Slot, p: &LValue) {
        let Some(d) = &mut self.func.debug else { return };
        let LValue::Var(Var { base: Base::Root(root), steps, .. }) = p else { return };
        let from = match *root {
            Root::Local(l) => d.locals[l].clone(),
            Root::Slot(s) => d.slots[s].clone(),
            Root::Global(_) => None,
        };
        d.slots[s] = from.map(|mut n| {
            n.path.extend(steps.iter().map(|s| match *s {
                Step::At(n) => n,
                Step::Dyn => rtc_ir::debug::ANY_ELEMENT,
            }));
            n
        });
    }
}
