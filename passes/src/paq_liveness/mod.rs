//! Payload access qualifiers: what every shader of a library does with every field of its payloads, along every path.
//!
//! The analyses look at the IR as it is lowered, before any pass: variables are variables, copies of payloads are
//! copies, and every access has its place in the source. Each entry point becomes a *flow*: a graph of events on
//! payload cells with calls in place and conditions on the edges. On it run
//!
//! * [`summarize`]: what is read, written and passed on, whatever the qualifiers say: for inference and reports;
//! * [`check`]: the warnings of DXR, payload access qualifiers: reads of what is undefined, writes that nobody sees,
//!   outputs that are not always written. A path that makes a warning true assumes no condition and its opposite.
//!
//! Both are linear in the events times the cells of the variables that hold payloads (and the depth of loops).

mod accesses;
mod build;
mod check;
mod conditions;
mod control;
mod dead;
mod define;
mod facts;
mod flow;
mod keys;
mod needs;
mod states;
mod summary;
mod types;
mod warn;

pub use check::{Checked, check};
pub use needs::{ModuleNeeds, Need, Needs, ShaderNeeds, TraceNeeds, needs};
pub use summary::{Access, CallerAccess, PayloadType, ShaderUse, TraceUse, summarize};
pub use types::Field;
