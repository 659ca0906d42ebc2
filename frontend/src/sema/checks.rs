//! Rules of intrinsic calls that signatures cannot express: the functions that the column
//! [`Intrinsic::checks`] names. Which intrinsic has which rule is a fact of the tables; nothing here compares names.

use rtc_base::Span;
use rtc_tables::barriers::{memory, semantics};
use rtc_tables::intrinsics::wave::{GROUP_BARRIER, REORDER_BARRIER};
use rtc_tables::intrinsics::{Check, Expander, Intrinsic, Lower};

use super::context::{Sema, Use};
use super::errors::{calls as err_calls, checks as err, inline as err_inline, resources as err_res, stages as err_stages};
use crate::hir::{Arg, ExprId, Pass, Scalar, Ty};

/// A call of an intrinsic, for the checks.
#[derive(Clone, Copy)]
pub struct RowCall<'a> {
    /// The row that overload resolution chose.
    pub row: &'static Intrinsic,
    /// The object of a method.
    pub object: Option<ExprId>,
    /// The arguments.
    pub args: &'a [Arg],
    /// The type of the result.
    pub ret: Ty,
    /// The call in the source.
    pub span: Span,
}

impl Sema<'_> {
    /// Checks the arguments that must be constants. Gives the row whose stages apply to the call: flags of a barrier
    /// narrow them. `None` after an error.
    pub fn check_constant_arguments(&mut self, call: RowCall) -> Option<&'static Intrinsic> {
        let mut stages = call.row;
        for &check in call.row.checks {
            match check {
                Check::MemoryBarrier => {
                    let types = self.flags(call.args[0], memory::ALL, "memory types")?;
                    if types & memory::NODES != 0 && types != memory::ALL {
                        self.report(err::node_memory(self.span(call.args[0].expr)));
                        return None;
                    }
                    stages = self.barrier_stages(call, types)?;
                }
                Check::ResourceBarrier => stages = self.barrier_stages(call, memory::UAV)?,
                Check::OneOf(n, values) => {
                    let n = usize::from(n);
                    let arg = call.args[n].expr;
                    let value = self.constant_int_of(arg)?;
                    if !values.iter().any(|v| i128::from(v.1) == value) {
                        let parameter = call.row.param_names.split(' ').nth(n).unwrap_or("");
                        self.report(err::not_one_of(self.span(arg), &call.row.full_name(), parameter, value, values));
                        return None;
                    }
                }
                Check::Alignment(n) => {
                    let arg = call.args[usize::from(n)].expr;
                    let value = self.constant_int_of(arg)?;
                    if !u32::try_from(value).is_ok_and(u32::is_power_of_two) {
                        self.report(err_inline::alignment(self.span(arg)));
                        return None;
                    }
                }
                // Checked by `check_call`.
                Check::Payload
                | Check::CallableParameter
                | Check::Attributes
                | Check::ReturnsAttributes
                | Check::RayFlags
                | Check::RayQueryFlags
                | Check::MeshPayload
                | Check::PlainData => {}
            }
        }
        Some(stages)
    }

    /// Checks the object and the arguments that need not be constants; false after an error that leaves no call.
    pub fn check_call(&mut self, call: RowCall) -> bool {
        if let Some(object) = call.object
            && call.row.mutates_object
            && !self.check_writable(object, &format!("call `{}` on", call.row.name))
        {
            return false;
        }
        if call.row.lowers == Lower::Expand(Expander::GatherRaw) && !self.check_raw_texture(call) {
            return false;
        }
        call.row.checks.iter().all(|&check| match check {
            Check::Payload => self.check_last(call, "payload", true),
            Check::CallableParameter => self.check_last(call, "parameter", false),
            Check::Attributes => self.check_last(call, "attributes", false),
            Check::ReturnsAttributes => self.check_udt(call.ret, call.span, "attributes", false),
            Check::RayFlags | Check::RayQueryFlags => {
                self.check_ray_flags(call.object, call.args, check == Check::RayQueryFlags);
                true
            }
            Check::PlainData => self.check_plain_data(call),
            Check::MeshPayload => call.args.last().is_none_or(|a| self.check_dispatched_payload(a.ty, self.span(a.expr))),
            // Checked by `check_constant_arguments`.
            Check::MemoryBarrier | Check::ResourceBarrier | Check::OneOf(..) | Check::Alignment(_) => true,
        })
    }

    /// An argument passed by reference is in groupshared or writable memory.
    /// Functions that nothing calls may pass what is not: headers have functions around atomic operations that no shader can call.
    pub fn check_reference(&mut self, row: &'static Intrinsic, arg: &Arg) -> bool {
        if arg.pass != Pass::Ref || self.is_shared_memory(arg.expr) {
            return true;
        }
        let span = self.span(arg.expr);
        match self.in_function() {
            true => self.used(Use::PrivateMemory(row.name, span)),
            false => self.report(err_calls::not_shared_memory(span, row.name)),
        }
        false
    }

    /// The type of the last argument can be passed between shaders.
    fn check_last(&mut self, call: RowCall, what: &str, payload: bool) -> bool {
        let Some(arg) = call.args.last() else { return true };
        self.check_udt(arg.ty, self.span(arg.expr), what, payload)
    }

    /// The texels of the texture are single unsigned integers, as wide as the texels in memory.
    fn check_raw_texture(&mut self, call: RowCall) -> bool {
        let elem = call.object.and_then(|o| self.m.types.as_resource(self.ty(o))).and_then(|r| r.elem);
        let Some(elem) = elem.filter(|&t| t != Ty::ERROR) else { return true };
        let unsigned = matches!(self.m.types.elem(elem), Some(Scalar::Uint | Scalar::Uint16 | Scalar::Uint64 | Scalar::Min16Uint));
        if unsigned && self.m.types.components(elem) == Some(1) {
            return true;
        }
        let text = self.show(elem);
        self.report(err_res::not_raw(call.span, &text));
        false
    }

    /// Neither the result nor an `in` argument has objects in it.
    fn check_plain_data(&mut self, call: RowCall) -> bool {
        let has_objects = |ty| self.m.types.has_objects(ty);
        if !has_objects(call.ret) && !call.args.iter().any(|a| a.pass == Pass::In && has_objects(a.ty)) {
            return true;
        }
        let text = self.show(call.ret);
        self.report(err_res::bad_element(call.span, call.row.name, &text));
        false
    }

    /// The row whose stages apply to a barrier for memory of these types; its semantics are argument 1.
    fn barrier_stages(&mut self, call: RowCall, types: u32) -> Option<&'static Intrinsic> {
        let flags = self.flags(call.args[1], semantics::ALL, "semantics")?;
        if flags & semantics::REORDER != 0 && self.opts.available_model() < 9 {
            let d = err_stages::needs_model(call.span, "REORDER_SCOPE", 9, self.opts.shader_model);
            self.report(d);
        }
        let groupshared = types & memory::GROUPSHARED != 0 && types != memory::ALL;
        if flags & semantics::REORDER != 0 && (flags & semantics::GROUP != 0 || groupshared) {
            self.report(err::reorder_barrier_of_groups(self.span(call.args[1].expr)));
            return None;
        }
        Some(match flags {
            s if s & semantics::REORDER != 0 => REORDER_BARRIER,
            s if s & semantics::GROUP != 0 || groupshared => GROUP_BARRIER,
            _ => call.row,
        })
    }

    /// The value of a constant argument that is a combination of the bits `valid`.
    fn flags(&mut self, arg: Arg, valid: u32, what: &str) -> Option<u32> {
        let n = self.constant_int_of(arg.expr)?;
        match u32::try_from(n) {
            Ok(n) if n & !valid == 0 => Some(n),
            _ => {
                self.report(err::unknown_flags(self.span(arg.expr), what, n, valid));
                None
            }
        }
    }
}
