//! Streams, patches and arrays of outputs: parameters of shaders that are passed on by name, and the methods of streams.
//!
//! Which of them a helper function works on is known where it is called: the function is lowered once for each parameter of
//! a shader that it gets ([`super::call`]). So `Append` is stores to the elements of that stream, and then the instruction
//! that makes a vertex of them.

use rtc_ir::Opcode;

use super::call::Call;
use super::func::{Binding, FnCx};
use super::operand::{Input, LValue, MeshOutput, StageParam, Val};
use crate::hir::{self, ExprId, StageNode, TyKind};

impl FnCx<'_, '_> {
    /// The elements of a parameter of a shader, as inputs and as outputs.
    fn stage_nodes(&self, of: StageParam) -> (StageNode, StageNode) {
        let Some(interface) = &self.l.hir.funcs[of.entry].interface else { return Default::default() };
        let params = match &interface.patch_constants {
            Some(patch) if of.patch_constants => &patch.params,
            _ => &interface.params,
        };
        params.get(of.number).cloned().unwrap_or_default()
    }

    /// Binds a parameter that is a stream, a patch or an array of outputs: that of the shader, in it or in a function that it calls.
    pub(super) fn stage_argument(&mut self, p: &hir::Param, of: StageParam) {
        if let (true, Some(interface)) = (self.func.elements.is_empty(), &self.l.hir.funcs[of.entry].interface) {
            self.func.elements = interface.elements.iter().cloned().collect();
        }
        let lvalue = match self.l.hir.types.kind(p.ty) {
            TyKind::Stream(..) => LValue::Stream(of, p.ty),
            TyKind::Array(..) => {
                let shape = self.l.shape(p.ty);
                LValue::MeshOutput(MeshOutput::whole(of, self.stage_nodes(of).1, shape))
            }
            _ => {
                let shape = self.l.shape(p.ty);
                LValue::Input(Input { param: Some(of), ..Input::whole(self.stage_nodes(of).0, shape) })
            }
        };
        self.bind(p.local, Binding::LValue(lvalue));
    }

    /// The parameter of a shader that a stream, patch or array of outputs is.
    pub(super) fn stage_parameter(&mut self, e: ExprId) -> Option<StageParam> {
        match self.lvalue(e) {
            LValue::Stream(of, _) => Some(of),
            LValue::Input(i) => i.param,
            LValue::MeshOutput(m) if m.at.is_none() => Some(m.param),
            _ => None,
        }
    }

    /// The elements of a stream, and its number.
    fn stream(&mut self, c: &Call) -> Option<(StageNode, u32)> {
        let Some(LValue::Stream(of, _)) = c.lvalue else {
            self.unsupported("a stream that is no parameter of the shader");
            return None;
        };
        let params = &self.l.hir.funcs[of.entry].params;
        let is_stream = |p: &&hir::Param| matches!(self.l.hir.types.kind(p.ty), TyKind::Stream(..));
        let number = params[..of.number].iter().filter(is_stream).count() as u32;
        Some((self.stage_nodes(of).1, number))
    }

    /// `Append(vertex)`
    pub(super) fn append_vertex(&mut self, c: &Call) -> Val {
        if let Some((node, stream)) = self.stream(c) {
            let from = match c.val(0) {
                Val::Agg(p) => p,
                x => {
                    let to = self.temp(c.args[0].shape);
                    self.store(&to, &x);
                    to
                }
            };
            let last = c.lvalue.as_ref().and_then(|p| self.last_vertex(p));
            if let Some(last) = last {
                self.copy(&last, &from);
            }
            self.put_outputs(&node, &from, 0);
            self.b().many(Opcode::emit_stream, stream, &[], &[]);
        }
        Val::Void
    }

    /// The variable of debug information for a stream.
    fn last_vertex(&self, stream: &LValue) -> Option<LValue> {
        let LValue::Stream(of, _) = stream else { return None };
        self.last_vertices.iter().find(|s| s.0 == *of).map(|s| s.1.clone())
    }

    /// `RestartStrip()`
    pub(super) fn restart_strip(&mut self, c: &Call) -> Val {
        if let Some((_, stream)) = self.stream(c) {
            self.b().many(Opcode::cut_stream, stream, &[], &[]);
        }
        Val::Void
    }
}
