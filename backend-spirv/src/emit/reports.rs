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
use crate::words::{Id, operands, put};

/// What the reports of a function share.
#[derive(Default)]
pub(crate) struct Reports {
    /// The type and the variable of the attributes.
    attributes: Option<(Type, Id)>,
    /// The variable with the ray's end so far; none: nothing changes it.
    end: Option<Id>,
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
        let var = self.function_variable(float, "rayTCurrent");
        self.reports.end = Some(var);
        let end = self.loaded_at_entry(BuiltIn::RayTmaxKHR, float);
        put(&mut self.entry_code, Op::Store, &[var, end]);
    }

    /// Declares the attributes of reports: what is passed, in the function. They become those of the shader where they are reported.
    pub(crate) fn declare_reported(&mut self, slot: Slot) {
        let data = &self.f.slots[slot];
        let ty = self.e.interface_ty(data.ty);
        self.slots[slot] = Some(self.function_variable(ty, &data.name));
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

    /// The ray's end so far; none: it is what the builtin says.
    pub(crate) fn ray_end(&mut self) -> Option<Id> {
        let float = self.e.w.f32_ty();
        self.reports.end.map(|end| self.op(Op::Load, float, &[end]))
    }

    /// A report: t, kind and attributes.
    pub(crate) fn report_hit(&mut self, i: Inst, slot: Slot, t: Id, kind: Id) {
        debug_assert_eq!(self.f.slots[slot].role, SlotRole::AttrOut);
        let (float, flag) = (self.e.w.f32_ty(), self.e.scalar(Scalar::Bool, false));
        let start = self.builtin_value(BuiltIn::RayTminKHR, float);
        let Some(end_var) = self.reports.end else { rtc_base::bug!("reports were found before") };
        let end = self.op(Op::Load, float, &[end_var]);
        let after_start = self.op(Op::FOrdGreaterThanEqual, flag, &[t, start]);
        let before_end = self.op(Op::FOrdLessThanEqual, flag, &[t, end]);
        let inside = self.op(Op::LogicalAnd, flag, &[after_start, before_end]);
        let outside = self.open_block();
        let [report, accepted, rejected, told, merge] = [(); 5].map(|()| self.e.w.id());
        self.stmt(Op::SelectionMerge, &operands![merge, spirv::SelectionControl::NONE]);
        self.stmt(Op::BranchConditional, &[inside, report, merge]);

        self.begin_block(report);
        self.debug_again(i);
        let attributes = self.reports.attributes.filter(|&(ty, _)| self.has_parts(ty)).map(|(ty, var)| (self.e.interface_ty(ty), var));
        let before = attributes.map(|(ty, var)| {
            let before = self.op(Op::Load, ty, &[var]);
            let new = self.op(Op::Load, ty, &[self.slot_var(slot)]);
            self.stmt(Op::Store, &[var, new]);
            (var, before)
        });
        let answer = self.op(Op::ReportIntersectionKHR, flag, &[t, kind]);
        self.stmt(Op::SelectionMerge, &operands![told, spirv::SelectionControl::NONE]);
        self.stmt(Op::BranchConditional, &[answer, accepted, rejected]);

        self.begin_block(accepted);
        self.stmt(Op::Store, &[end_var, t]);
        self.stmt(Op::Branch, &[told]);

        self.begin_block(rejected);
        if let Some((var, before)) = before {
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
