//! Hits that an intersection shader reports, and the ray's end that they change.
//!
//! HLSL passes attributes with a report, by value. SPIR-V has one variable for the reports of a shader, and a driver may have one for all
//! reports of a ray. So each report copies its attributes into the variable only where the hit is in the ray's interval, and puts
//! back what was there when an any-hit shader ignores it: the variable holds the attributes of the closest hit so far.
//!
//! `RayTmaxKHR` is read once: drivers and optimisers keep what they have read across a report, while the answer says what it is afterwards.

use rtc_ir::{Inst, Opcode, Scalar, Slot, SlotRole, Type, TypeKind};
use spirv::{BuiltIn, Op, StorageClass};

use super::FuncEmitter;
use crate::words::put;

/// What the reports of a function share.
#[derive(Default)]
pub(crate) struct Reports {
    /// The type and the variable of the attributes.
    attributes: Option<(Type, u32)>,
    /// The variable with the ray's end so far; 0: nothing changes it.
    end: u32,
}

impl FuncEmitter<'_, '_> {
    /// Finds whether hits are reported.
    pub(crate) fn find_reports(&mut self) {
        let f = self.f;
        let mut any = false;
        f.for_each_inst(f.body, |_, i| any |= f.op(i) == Opcode::report_hit);
        if !any {
            return;
        }
        let float = self.e.w.f32_ty();
        self.reports.end = self.function_variable(float, "rayTCurrent");
        let end = self.loaded_at_entry(BuiltIn::RayTmaxKHR, float);
        put(&mut self.entry_code, Op::Store, &[self.reports.end, end]);
    }

    /// Declares the attributes of reports: what is passed, in the function. They become those of the shader where they are reported.
    pub(crate) fn declare_reported(&mut self, slot: Slot) {
        let data = &self.f.slots[slot];
        let ty = self.e.interface_ty(data.ty);
        self.slots[slot] = self.function_variable(ty, &data.name);
        if let Some((first, _)) = self.reports.attributes {
            if first != data.ty {
                self.error(format!(
                    "`{}` reports hits with attributes of two types; Vulkan allows one type an intersection shader",
                    self.f.name
                ));
            }
            return;
        }
        let var = self.e.w.variable(StorageClass::HitAttributeKHR, ty, None);
        self.e.w.name(var, &data.name);
        self.interface.insert(var);
        self.reports.attributes = Some((data.ty, var));
    }

    /// A variable of the function.
    fn function_variable(&mut self, ty: u32, name: &str) -> u32 {
        let pointer = self.e.w.pointer_ty(StorageClass::Function, ty);
        let id = self.e.w.id();
        put(&mut self.vars, Op::Variable, &[pointer, id, StorageClass::Function as u32]);
        self.e.w.name(id, name);
        id
    }

    /// The ray's end so far; none: it is what the builtin says.
    pub(crate) fn ray_end(&mut self) -> Option<u32> {
        let float = self.e.w.f32_ty();
        (self.reports.end != 0).then(|| self.op(Op::Load, float, &[self.reports.end]))
    }

    /// A report: t, kind and attributes.
    pub(crate) fn report_hit(&mut self, i: Inst, slot: Slot, t: u32, kind: u32) {
        debug_assert_eq!(self.f.slots[slot].role, SlotRole::AttrOut);
        let (float, flag) = (self.e.w.f32_ty(), self.e.scalar(Scalar::Bool, false));
        let start = self.builtin_value(BuiltIn::RayTminKHR, float);
        let end = self.op(Op::Load, float, &[self.reports.end]);
        let after_start = self.op(Op::FOrdGreaterThanEqual, flag, &[t, start]);
        let before_end = self.op(Op::FOrdLessThanEqual, flag, &[t, end]);
        let inside = self.op(Op::LogicalAnd, flag, &[after_start, before_end]);
        let outside = self.block;
        let [report, accepted, rejected, told, merge] = [(); 5].map(|()| self.e.w.id());
        self.stmt(Op::SelectionMerge, &[merge, 0]);
        self.stmt(Op::BranchConditional, &[inside, report, merge]);

        self.begin_block(report);
        self.debug_again(i);
        let attributes = self.reports.attributes.filter(|&(ty, _)| self.has_parts(ty)).map(|(ty, var)| (self.e.interface_ty(ty), var));
        let mut before = 0;
        if let Some((ty, var)) = attributes {
            before = self.op(Op::Load, ty, &[var]);
            let new = self.op(Op::Load, ty, &[self.slots[slot]]);
            self.stmt(Op::Store, &[var, new]);
        }
        let answer = self.op(Op::ReportIntersectionKHR, flag, &[t, kind]);
        self.stmt(Op::SelectionMerge, &[told, 0]);
        self.stmt(Op::BranchConditional, &[answer, accepted, rejected]);

        self.begin_block(accepted);
        self.stmt(Op::Store, &[self.reports.end, t]);
        self.stmt(Op::Branch, &[told]);

        self.begin_block(rejected);
        if let Some((_, var)) = attributes {
            self.stmt(Op::Store, &[var, before]);
        }
        self.stmt(Op::Branch, &[told]);

        self.begin_block(told);
        self.stmt(Op::Branch, &[merge]);

        self.begin_block(merge);
        let no = self.e.constant(Type::BOOL, 0);
        let id = self.op(Op::Phi, flag, &[no, outside, answer, told]);
        self.debug_again(i);
        let result = self.f.result(i);
        self.set(result, id);
    }

    /// Whether values of a type hold anything.
    fn has_parts(&self, ty: Type) -> bool {
        match self.m.types.kind(ty) {
            TypeKind::Struct(s) => self.m.structs[s].fields.iter().any(|f| self.has_parts(f.ty)),
            TypeKind::Array(e, n) => n > 0 && self.has_parts(e),
            _ => true,
        }
    }
}
