//! `rtc explore`: a source next to the code that it is compiled to, linked line by line, as a page for a browser.
//!
//! [`model()`] compiles a source to DXIL and to SPIR-V, keeps the IR after each pass, and collects the reports on payloads and reorder points. The
//! [`Model`] is data: it serialises to JSON, and needs neither files nor a server. [`page()`] makes one HTML file of it, with everything in it,
//! which a browser shows from disk. [`Server`] serves the same page to browsers of this machine while the source is edited.
//!
//! ```
//! use rtc::{NoIncludes, compile};
//! use rtc_explore::{Request, model, page};
//!
//! let source = "RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, 7); }\n";
//! let request = Request { name: "a.hlsl".into(), source: source.into(), arguments: vec!["-T".into(), "cs_6_6".into()] };
//! let model = model(&request, &mut NoIncludes, &mut |options| Ok(compile("a.hlsl", source.as_bytes(), &mut NoIncludes, options)));
//! assert!(model.views.iter().any(|v| v.id == "dxil" && v.lines.iter().any(|l| l.contains("dx.op"))));
//! assert!(page(&model, None).starts_with("<!doctype html>"));
//! ```

mod colour;
mod compute;
mod links;
mod model;
mod options;
mod page;
mod permutations;
mod scene;
#[cfg(feature = "server")]
mod server;
mod words;

pub use compute::{Request, model};
pub use model::{Diagnostic, File, Model, View};
pub use options::to_run;
pub use page::page;
pub use permutations::{Listed, Permutation, Permutations, listed};
pub use scene::{Finding, Picture, Point, Profile, ResultFiles, Scene, SceneState};
#[cfg(feature = "server")]
pub use server::{Explored, Server};
pub use words::split;
