//! `Barrier`: its flags are constants, fit the shader model, and decide which stages may execute it. The scope of
//! `vk::ReadClock` is a constant too.

use rtc_base::Span;
use rtc_tables::intrinsics::wave::{GROUP_BARRIER, REORDER_BARRIER};
use rtc_tables::intrinsics::{Expander, Intrinsic, Lower};

use super::context::Sema;
use super::errors::{barriers as err, stages as err_stages};
use crate::hir::Arg;

/// `GROUP_SHARED_MEMORY`
const GROUP_SHARED: u32 = 2;
/// `NODE_INPUT_MEMORY | NODE_OUTPUT_MEMORY`
const NODES: u32 = 12;
/// `ALL_MEMORY`
const ALL_MEMORY: u32 = 15;
/// `GROUP_SYNC | GROUP_SCOPE`
const GROUP: u32 = 3;
/// `REORDER_SCOPE`
const REORDER: u32 = 8;

impl Sema<'_> {
    /// The row that says in which stages a call of `row` with these arguments is legal; `None` after an error.
    pub fn stages_of_call(
        &mut self,
        row: &'static Intrinsic,
        args: &[Arg],
        span: Span,
    ) -> Option<&'static Intrinsic> {
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
        let mut memory = 1;
        if by_type {
            memory = self.flags(args[0], ALL_MEMORY, "memory types")?;
            if memory & NODES != 0 && memory != ALL_MEMORY {
                self.report(err::node_memory(self.span(args[0].expr)));
                return None;
            }
        }
        let semantics = self.flags(args[1], GROUP | 4 | REORDER, "semantics")?;
        if semantics & REORDER != 0 && self.opts.shader_model < 9 {
            let d = err_stages::needs_model(span, "REORDER_SCOPE", 9, self.opts.shader_model);
            self.report(d);
        }
        let shared = memory & GROUP_SHARED != 0 && memory != ALL_MEMORY;
        Some(match semantics {
            s if s & REORDER != 0 => REORDER_BARRIER,
            s if s & GROUP != 0 || shared => GROUP_BARRIER,
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
