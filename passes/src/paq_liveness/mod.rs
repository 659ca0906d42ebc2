//! Static analysis of payload access qualifiers: what every shader of a library does with every field of its payloads, on every path.
//!
//! The analyses run on the IR as it is lowered, before any pass: variables are variables, copies of payloads are
//! copies, and every access has its source location. Each entry point becomes a control flow graph of events on
//! payload cells ([`cfg`]), with calls inlined and conditions on the edges. On it run
//!
//! * [`summarize`]: what is read, written and passed on, whatever the qualifiers say: for inference and reports;
//! * [`demand`](demand()): which uses each value has, also through other shaders: for inference;
//! * [`check`](check()): the warnings of DXR, payload access qualifiers: reads of undefined values, dead writes,
//!   outputs that are not written on every path. A path that makes a warning true assumes no condition together with its negation.
//!
//! All are linear in the events times the cells of the variables that hold payloads (and the depth of loops).
//!
//! | file | what |
//! |---|---|
//! | `build`, `control`, `accesses`, `constants`, `facts` | construction of the CFG: what is an access, and where control goes |
//! | `changes` | the same: what loops change |
//! | `kept` | the same: values that may still be the constant that they were |
//! | `masks` | the same: bits of numbers that branches ask for |
//! | `watched` | the same: what is followed besides cells |
//! | `flags` | static variables that tell paths apart |
//! | `hit_tests`, `hit_conditions` | the same: what conditions say about hit objects |
//! | `hit_kinds` | kinds of hit objects, and what traces may run by them |
//! | `hit_objects` | forward: what hit objects may be, and so which shaders traces may run |
//! | `expressions`, `bit_fields`, `path_conditions` | value numbering of conditions, sets of assumptions, comparisons with constants |
//! | `invoked` | what invocations have run, where a test of the hit object decides it |
//! | `lattice`, `definedness` | forward: reaching definedness |
//! | `dead_writes` | backward: dead writes |
//! | `demand`, `summary` | backward and forward: uses, for inference |
//! | `check`, `warn` | from findings to diagnostics |

mod accesses;
mod bit_fields;
mod build;
mod cfg;
mod changes;
mod check;
mod constants;
mod control;
mod dead_writes;
mod definedness;
mod demand;
mod expressions;
mod facts;
mod flags;
mod hit_conditions;
mod hit_kinds;
mod hit_objects;
mod hit_tests;
mod invoked;
mod kept;
mod lattice;
mod masks;
mod path_conditions;
mod summary;
mod types;
mod warn;
mod watched;

pub use check::{Checked, check};
pub use demand::{Demand, DemandSet, ModuleDemand, ShaderDemand, TraceDemand, demand};
pub use hit_kinds::Runs;
pub use summary::{Access, CallerAccess, PayloadType, ShaderUse, TraceUse, summarize};
pub use types::Field;
