//! `Barrier`: its flags are constants, fit the shader model, and decide which stages may execute it. The scope of
//! `vk::ReadClock` is a constant too.

use rtc_base::Span;
use rtc_tables::barriers::{memory, semantics};
use rtc_tables::intrinsics::wave::{GROUP_BARRIER, REORDER_BARRIER};
use rtc_tables::intrinsics::{Expander, Intrinsic, Lower};

use super::context::Sema;
use super::errors::{barriers as err, stages as err_stages};
use crate::hir::Arg;

impl Sema<'_> {
    /// The row that says in which stages a call of `row` with these arguments is legal; `None` after an error.
    pub fn stages_of_call(&mut self, row: &'static Intrinsic, args: &[Arg], span: Span) -> Option<&'static Intrinsic> {
        let by_type = match row.lowers {
            Lower::Expand(Expander::MemoryBarrier) => true,
            Lower::Expand(Expander::HandleBarrier) => false,
            Lower::Expand(Expander::ReadClock) => {
                let n = self.constant_int_of(args[0].expr)?;
                if n != 1 && n != 3 {
                    self.report(err::clock_scope(self.span(args[0].expr), n));
                    return None;
                }
                return Some(row);
            }
            _ => return Some(row),
        };
        let mut types = memory::UAV;
        if by_type {
            types = self.flags(args[0], memory::ALL, "memory types")?;
            if types & memory::NODES != 0 && types != memory::ALL {
                self.report(err::node_memory(self.span(args[0].expr)));
                return None;
            }
        }
        let meaning = self.flags(args[1], semantics::ALL, "semantics")?;
        if meaning & semantics::REORDER != 0 && self.opts.shader_model < 9 {
            let d = err_stages::needs_model(span, "REORDER_SCOPE", 9, self.opts.shader_model);
            self.report(d);
        }
        let shared = types & memory::GROUPSHARED != 0 && types != memory::ALL;
        Some(match meaning {
            s if s & semantics::REORDER != 0 => REORDER_BARRIER,
            s if s & semantics::GROUP != 0 || shared => GROUP_BARRIER,
            _ => row,
        })
    }

    /// The constant that an argument is, of the bits `known`.
    fn flags(&mut self, arg: Arg, known: u32, what: &str) -> Option<u32> {
        let n = self.constant_int_of(arg.expr)?;
        match u32::try_from(n) {
            Ok(n) if n & !known == 0 => Some(n),
            _ => {
                self.report(err::unknown_flags(self.span(arg.expr), what, n, known));
                None
            }
        }
    }
}
