//! Lowering of intrinsics: one instruction if the row of the table names one, otherwise an expansion function in the file of
//! its family.
//!
//! Arguments have the types of the overload's parameters; an expander takes a [`Call`] and returns its value.

mod arith;
mod atomics;
mod bits;
mod buffers;
mod hit_objects;
mod linalg;
mod matrix;
mod queries;
mod raytracing;
mod tessellation;
mod textures;
mod vectors;
mod wave;

use rtc_ir::{Opcode, Value};
use rtc_tables::insts::Format;
use rtc_tables::intrinsics::{Expander as X, Lower};
use smallvec::SmallVec;

use super::call::Call;
use super::func::FnCx;
use super::operand::Val;
use super::types::Shape;
use crate::hir::Scalar;

impl Call {
    /// The component type of argument `n`.
    fn scalar(&self, n: usize) -> Scalar {
        scalar_of(self.args[n].shape)
    }
    /// The component type of the result.
    fn ret_scalar(&self) -> Scalar {
        scalar_of(self.ret)
    }
}

fn scalar_of(s: Shape) -> Scalar {
    match s {
        Shape::Vec(s, _) | Shape::Mat { scalar: s, .. } => s,
        Shape::Other(_) => Scalar::Uint,
    }
}

impl FnCx<'_, '_> {
    /// The value of a call of an intrinsic.
    pub fn expand(&mut self, c: &Call) -> Val {
        match c.row.lowers {
            Lower::Op(op) => self.plain(c, op),
            Lower::ByClass { float, signed, unsigned } => self.plain(c, c.scalar(0).select(float, signed, unsigned)),
            Lower::Immediate(op) => {
                let imm = self.func.as_const(c.one(0)).unwrap_or(0) as u32;
                let ty = self.l.shape_ty(c.ret);
                Val::One(self.b().many_value(op, imm, &[], ty))
            }
            Lower::Expand(x) => self.expander(c, x),
        }
    }

    /// One instruction, once for each row.
    fn plain(&mut self, c: &Call, op: Opcode) -> Val {
        match op.format() {
            Format::Nullary => Val::One(self.b().nullary(op)),
            Format::Unary if c.object.is_some() => {
                let object = c.object.expect("it is there");
                Val::One(self.un(op, object))
            }
            Format::Unary => {
                let s = c.ret_scalar();
                self.map(&c.val(0), |cx, v| cx.typed_unary(op, v, s))
            }
            Format::Binary => self.map2(&c.val(0), &c.val(1), |cx, a, b| cx.bin(op, a, b)),
            Format::Ternary => self.map3(&c.val(0), &c.val(1), &c.val(2), |cx, a, b, d| cx.tern(op, a, b, d)),
            Format::Many => self.many_operands(c, op, 0),
            _ => rtc_base::bug!("`{}` is more than one instruction", c.row.name),
        }
    }

    /// One instruction on the object and the arguments.
    fn many_operands(&mut self, c: &Call, op: Opcode, imm: u32) -> Val {
        let arguments = (0..c.args.len()).map(|n| c.one(n));
        let operands: SmallVec<[Value; 4]> = c.object.into_iter().chain(arguments).collect();
        match self.b().result_type(op, None, None) {
            Some(ty) => Val::One(self.b().many_value(op, imm, &operands, ty)),
            None => {
                self.b().many(op, imm, &operands, &[]);
                Val::Void
            }
        }
    }

    /// An instruction with one operand; if the table leaves the result open, its components are of type `s`.
    fn typed_unary(&mut self, op: Opcode, v: Value, s: Scalar) -> Value {
        let ty = self.ty_of(v);
        match self.b().result_type(op, Some(ty), None) {
            Some(_) => self.un(op, v),
            None => {
                let n = self.lanes(v);
                let ty = self.l.vec_ty(s, n);
                self.conv(op, v, ty)
            }
        }
    }

    fn expander(&mut self, c: &Call, x: X) -> Val {
        match x {
            X::IsolineFactors => self.isoline_factors(c),
            X::TessFactors(edges, how) => self.tess_factors(c, edges, how),
            X::DispatchMesh => self.dispatch_mesh(c),
            X::Abs => self.abs(c),
            X::Atan2 => self.atan2(c),
            X::Clamp => self.clamp(c),
            X::Degrees => self.scaled(c, 180.0 / std::f64::consts::PI),
            X::Radians => self.scaled(c, std::f64::consts::PI / 180.0),
            X::Exp => self.exp(c),
            X::Fmod => self.map2(&c.val(0), &c.val(1), |cx, a, b| cx.bin(Opcode::frem, a, b)),
            X::Frexp => self.frexp(c),
            X::Ldexp => self.ldexp(c),
            X::Lerp => self.lerp(c),
            X::Lit => self.lit(c),
            X::Log => self.log(c, std::f64::consts::LN_2),
            X::Log10 => self.log(c, std::f64::consts::LOG10_2),
            X::Modf => self.modf(c),
            X::Pow => self.pow(c),
            X::Rcp => self.rcp(c),
            X::Sign => self.sign(c),
            X::SinCos => self.sin_cos(c),
            X::SmoothStep => self.smooth_step(c),
            X::Step => self.step(c),

            X::All => self.reduce(c, Opcode::and),
            X::Any => self.reduce(c, Opcode::or),
            X::Bitcast => self.bitcast(c),
            X::AsDouble => self.as_double(c),
            X::SplitDouble => self.split_double(c),
            X::FirstBitHigh => self.first_bit_high(c),
            X::Msad4 => self.msad4(c),
            X::BoolAnd => self.map2(&c.val(0), &c.val(1), |cx, a, b| cx.bin(Opcode::and, a, b)),
            X::BoolOr => self.map2(&c.val(0), &c.val(1), |cx, a, b| cx.bin(Opcode::or, a, b)),
            X::Select => self.select(&c.val(0), &c.val(1), &c.val(2)),
            X::AddUint64 => self.add_uint64(c),
            X::Pack(mode) => self.many_operands(c, Opcode::pack4x8, mode.into()),
            X::Unpack(mode) => {
                let ty = self.l.shape_ty(c.ret);
                Val::One(self.b().many_value(Opcode::unpack4x8, mode.into(), &[c.one(0)], ty))
            }
            X::ColorToUbyte4 => self.color_to_ubyte4(c),

            X::Cross => self.cross(c),
            X::Distance => self.distance(c),
            X::Dot => self.dot_product(c),
            X::Dst => self.dst(c),
            X::FaceForward => self.face_forward(c),
            X::Length => self.length(c),
            X::Normalize => self.normalize(c),
            X::Reflect => self.reflect(c),
            X::Refract => self.refract(c),

            X::Determinant => self.determinant(c),
            X::Mul => self.mul(c),
            X::Transpose => {
                let rows = c.val(0).rows();
                Val::Rows(self.transpose(&rows))
            }

            X::Linalg(op) => self.linalg(c, op),

            X::TraceRay => self.trace_ray(c),
            X::CallShader => self.call_shader(c),
            X::ReportHit => self.report_hit(c),
            X::IgnoreHit => self.end_hit(Opcode::ignore_hit),
            X::Print => rtc_base::bug!("`printf` is a call of an instruction"),
            X::AcceptHit => self.end_hit(Opcode::accept_hit),
            X::Matrix3x4(op) => self.hit_matrix(c, op, false),
            X::Matrix4x3(op) => self.hit_matrix(c, op, true),
            X::TrianglePositions(op) => self.triangle_positions(c, op),
            X::TrianglePosition(op) => self.triangle_position(c, op),
            X::TraceRayInline => self.trace_ray_inline(c),
            X::HitTrace => self.hit_trace(c),
            X::HitFromQuery => self.hit_from_query(c),
            X::HitMiss => self.hit_miss(c),
            X::HitInvoke => self.hit_invoke(c),
            X::HitAttributes => self.hit_attributes(c),
            X::HitSetIndex => self.hit_set_index(c),
            X::Reorder { hit, hint } => self.reorder(c, hit, hint),

            X::NonUniform => {
                let x = c.val(0);
                self.map(&x, |cx, v| cx.un(Opcode::nonuniform, v))
            }
            // A status only records whether all accessed memory is resident.
            X::CheckAccess => Val::One(self.convert(c.one(0), Scalar::Uint, Scalar::Bool)),
            X::Sample => self.sample(c, Opcode::sample, 0),
            X::SampleBias => self.sample(c, Opcode::sample_bias, 1),
            X::SampleLevel => self.sample(c, Opcode::sample_level, 1),
            X::SampleGrad => self.sample(c, Opcode::sample_grad, 2),
            X::SampleCmp => self.sample(c, Opcode::sample_cmp, 1),
            X::SampleCmpLevel => self.sample(c, Opcode::sample_cmp_level, 2),
            X::SampleCmpBias => self.sample(c, Opcode::sample_cmp_bias, 2),
            X::SampleCmpGrad => self.sample(c, Opcode::sample_cmp_grad, 3),
            X::SampleCmpLevelZero => self.sample_cmp_level_zero(c),
            X::Gather(channel) => self.gather(c, Opcode::gather, 0, channel),
            X::GatherCmp(channel) => self.gather(c, Opcode::gather_cmp, 1, channel),
            X::GatherRaw => self.gather(c, Opcode::gather_raw, 0, 0),
            X::TexLod(clamped) => self.tex_lod(c, clamped),
            X::SamplePosition => self.sample_position(c),
            X::Feedback => self.feedback(c, Opcode::feedback, 0),
            X::FeedbackBias => self.feedback(c, Opcode::feedback_bias, 1),
            X::FeedbackGrad => self.feedback(c, Opcode::feedback_grad, 2),
            X::FeedbackLevel => self.feedback(c, Opcode::feedback_level, 1),
            X::TexLoad => self.tex_load(c),
            X::SubpassLoad => self.subpass_load(c),
            X::TexSize => self.tex_size(c),

            X::BufSize => self.buf_size(c),
            X::BufLoad => self.buf_load(c),
            X::AddressLoad => self.address_load(c),
            X::AddressStore => self.address_store(c),
            X::RawLoad => self.raw_load(c),
            X::RawStore => self.raw_store(c),
            X::Counter(step) => self.counter(c, step),
            X::Append => self.append(c),
            X::Consume => self.consume(c),
            X::Barrier(mode) => {
                self.b().many(Opcode::barrier, mode, &[], &[]);
                Val::Void
            }

            X::Atomic(op) => self.atomic(c, op),
            X::RawAtomic(op) => self.raw_atomic(c, op),

            X::MemoryBarrier => {
                let flags = |n| self.func.as_const(c.one(n)).unwrap_or(0) as u32;
                let imm = flags(0) | flags(1) << 8;
                self.b().many(Opcode::memory_barrier, imm, &[], &[]);
                Val::Void
            }
            X::HandleBarrier => {
                let flags = self.func.as_const(c.one(1)).unwrap_or(0) as u32;
                let handle = c.one(0);
                self.b().many(Opcode::handle_barrier, flags, &[handle], &[]);
                Val::Void
            }

            X::Fwidth => self.map(&c.val(0), |cx, v| {
                let (x, y) = (cx.un(Opcode::deriv_coarse_x, v), cx.un(Opcode::deriv_coarse_y, v));
                let (x, y) = (cx.un(Opcode::fabs, x), cx.un(Opcode::fabs, y));
                cx.bin(Opcode::fadd, x, y)
            }),
            X::IsHelperLane if self.helpers() => Val::One(self.b().nullary(Opcode::is_helper_lane)),
            X::IsHelperLane => Val::One(self.func.const_bool(false)),
            X::Clip => self.clip(c),
            X::AppendVertex => self.append_vertex(c),
            X::RestartStrip => self.restart_strip(c),
            X::Evaluate(op) => self.evaluate(c, op),

            X::Wave(op) => self.wave(c, op),
            X::WaveOp(op, how) => self.wave_op(c, op, how),
            X::QuadOp(direction) => self.quad_op(c, direction),

            X::NotYet => {
                self.unsupported(format!("`{}`", c.row.name));
                for n in 0..c.args.len() {
                    if c.args[n].lvalue.is_some() {
                        let x = self.undef_of(c.args[n].shape);
                        self.give(c, n, &x);
                    }
                }
                self.undef_of(c.ret)
            }
        }
    }
}
