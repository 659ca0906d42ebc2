//! Builds of many shaders: a description (`rtc.toml`, or a configuration of ShaderMake) becomes a [`Plan`] of tasks, one for each shader,
//! entry point, target and permutation of defines, and [`run`] does the tasks that are not up to date.
//!
//! ```
//! use rtc_build::config::{self, Limits};
//!
//! let text = r#"
//!     [target.spirv]
//!     options = ["-spirv"]
//!
//!     [shader.blur]
//!     source = "blur.hlsl"
//!     profile = "cs_6_6"
//!     matrix = { RADIUS = [1, 2, 4], HALF = [false, true] }
//!     exclude = [{ RADIUS = 4, HALF = true }]
//! "#;
//! let plan = config::toml::plan("shaders/rtc.toml", text, &Limits::default())?;
//! assert_eq!(plan.tasks.len(), 5);
//! assert_eq!(plan.tasks[1].permutation.key(), "HALF RADIUS=1");
//! assert_eq!(plan.tasks[0].source, "shaders/blur.hlsl");
//! # Ok::<(), rtc_build::Error>(())
//! ```
//!
//! A task is up to date if its arguments, the compiler, and every file that it read or looked for are what they were ([`state`]). A task that is
//! not is preprocessed, and tasks with equal tokens and options are compiled once; a [`cache`] keeps what was compiled, and a [`shared`] one
//! keeps it for other machines. What is in none of them is compiled here, or by the workers of a farm ([`remote`]). The outcome does not depend
//! on the number of threads. Every file is written under another name and renamed, so a build that is killed leaves nothing half-written, and
//! the next one goes on from there.

mod abandoned;
pub mod archive;
pub mod blob;
mod breaker;
pub mod cache;
mod compile;
pub mod config;
pub mod entry;
mod error;
mod event;
mod files;
pub mod glob;
pub mod graph;
mod hash;
mod matrix;
mod message;
mod outputs;
mod plan;
pub mod remote;
mod run;
pub mod shared;
mod slots;
pub mod state;
pub mod watch;
mod write;

pub use error::Error;
pub use event::{Event, How, NoObserver, Observer, Outcome, Summary};
pub use hash::Hash;
pub use matrix::{Matrix, Permutation, Value};
pub use message::{Message, Mistake, Note, SourcePlace};
pub use plan::{Bundle, BundleKind, Plan, Task};
pub use run::{Settings, clean, run};
pub use write::write;
