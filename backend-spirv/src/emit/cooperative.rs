//! Cooperative vectors (`SPV_NV_cooperative_vector`): vectors that an invocation multiplies by a matrix in a buffer.

use rtc_ir::{Inst, Opcode, Value};
use rtc_tables::linalg::MatrixType;
use rtc_tables::linalg::vectors::{spirv_component, spirv_layout};
use spirv::{Capability, CooperativeMatrixOperands, Op};

use super::{Emitter, FuncEmitter};
use crate::words::{Id, TypeId, operands};

/// Integers with sign: the type of sums of products.
const SIGNED: u32 = 4;

impl Emitter<'_> {
    /// The type of a matrix with one column.
    pub(crate) fn cooperative_ty(&mut self, t: MatrixType) -> TypeId {
        let why = || "linear algebra with cooperative vectors".to_owned();
        self.w.capability(Capability::CooperativeVectorNV, why);
        self.w.extension("SPV_NV_cooperative_vector", why);
        self.w.vulkan_memory_model(why);
        let component = self.number_ty(t);
        let count = self.w.u32(t.rows);
        self.w.ty(Op::TypeCooperativeVectorNV, &operands![component, count])
    }

    /// The type of the numbers of a cooperative vector.
    fn number_ty(&mut self, t: MatrixType) -> TypeId {
        match t.component {
            SIGNED => self.w.int_ty(32, true),
            5 => self.w.u32_ty(),
            8 => self.scalar(rtc_ir::Scalar::F16, false),
            _ => self.w.f32_ty(),
        }
    }
}

impl FuncEmitter<'_, '_> {
    /// An instruction of [`rtc_ir::Family::Cooperative`].
    pub(crate) fn cooperative_inst(&mut self, i: Inst, op: Opcode, imm: u32, args: &[Value]) {
        let id = match (op, args) {
            (Opcode::coop_vector, parts) => {
                let ty = self.ty_of(self.f.result(i));
                let parts = self.vals(parts);
                self.op(Op::CompositeConstruct, ty, &parts)
            }
            (Opcode::coop_component, &[of]) => self.cooperative_component(of, imm),
            (Opcode::coop_multiply, &[x, interpretation, handle, at, component, columns, layout, stride]) => {
                let ty = self.ty_of(self.f.result(i));
                let Some(matrix) = self.whole_buffer(handle) else { return };
                self.matrix_times_vector(ty, i, [x, interpretation, at, component, columns, layout, stride], matrix)
            }
            (Opcode::coop_outer, &[handle, at, a, b, layout, component]) => {
                self.needs_training();
                let Some(matrix) = self.whole_buffer(handle) else { return };
                let (layout, _) = self.layout(layout);
                let component = self.f.as_const(component).and_then(|n| spirv_component(n as u32, false));
                let component = self.e.w.u32(component.unwrap_or_default());
                let [at, a, b] = [at, a, b].map(|v| self.val(v));
                return self.stmt(Op::CooperativeVectorOuterProductAccumulateNV, &[matrix, at, a, b, layout, component]);
            }
            (Opcode::coop_add, &[handle, at, v]) => {
                self.needs_training();
                let Some(buffer) = self.whole_buffer(handle) else { return };
                let [at, v] = [at, v].map(|v| self.val(v));
                return self.stmt(Op::CooperativeVectorReduceSumAccumulateNV, &[buffer, at, v]);
            }
            _ => rtc_base::bug!("{op} has other operands"),
        };
        let result = self.f.result(i);
        self.set(result, id);
    }

    fn cooperative_component(&mut self, of: Value, n: u32) -> Id {
        let Some(t) = self.m.types.as_linalg(self.f.ty(of)) else { rtc_base::bug!("no cooperative vector") };
        let (ty, of) = (self.e.number_ty(t), self.val(of));
        let id = self.extract(ty, of, &[n]);
        if t.component != SIGNED {
            return id;
        }
        let word = self.e.w.u32_ty();
        self.op(Op::Bitcast, word, &[id])
    }

    /// `[x, interpretation, at, component, columns, layout, stride]`
    fn matrix_times_vector(&mut self, ty: TypeId, i: Inst, operands: [Value; 7], matrix: Id) -> Id {
        let [x, interpretation, at, component, columns, layout, stride] = operands;
        let of = |v: Value| self.m.types.as_linalg(self.f.ty(v));
        let (Some(given), Some(result)) = (of(x), of(self.f.result(i))) else { rtc_base::bug!("no cooperative vector") };
        let constant = |v: Value| self.f.as_const(v).unwrap_or_default() as u32;
        // Halves stand for numbers of eight bits that they are; words have four of these.
        let packed = given.component == 5;
        let interpretation = spirv_component(
            if packed { constant(interpretation) } else { converted(constant(interpretation), constant(component)) },
            packed,
        );
        let interpretation = self.e.w.u32(interpretation.unwrap_or_default());
        let component = spirv_component(constant(component), false).unwrap_or_default();
        let component = self.e.w.u32(component);
        let columns = self.e.w.u32(constant(columns));
        let rows = self.e.w.u32(result.rows);
        let (layout, transposed) = self.layout(layout);
        let transposed = self.e.constant(rtc_ir::Type::BOOL, transposed.into());
        let [x, at, stride] = [x, at, stride].map(|v| self.val(v));
        let mut all = operands![x, interpretation, matrix, at, component, rows, columns, layout, transposed, stride].to_vec();
        if result.component == SIGNED {
            let signed = CooperativeMatrixOperands::MATRIX_RESULT_SIGNED_COMPONENTS_KHR;
            all.push(crate::words::Operand::Literal(signed.bits()));
        }
        self.op(Op::CooperativeVectorMatrixMulNV, ty, &all)
    }

    /// The number of a layout, and whether the matrix is the transposed one there.
    fn layout(&mut self, layout: Value) -> (Id, bool) {
        let (number, transposed) = self.f.as_const(layout).and_then(spirv_layout).unwrap_or_default();
        (self.e.w.u32(number), transposed)
    }

    fn needs_training(&mut self) {
        let why = self.reason("a sum of products of vectors");
        self.e.w.capability(Capability::CooperativeVectorTrainingNV, || why);
    }
}

/// What a vector of halves is taken as: numbers of the matrix's type. Those of other types are halves, which a matrix of halves takes.
fn converted(given: u32, matrix: u32) -> u32 {
    if matrix == 8 { 8 } else { given }
}
