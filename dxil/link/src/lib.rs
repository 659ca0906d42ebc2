//! Linker: links DXIL libraries to a library or to one shader of a compute or graphics stage.
//!
//! ```text
//! library (read)  ─► resolve (which functions, whose definitions) ─► merge (one module) ─► inline
//!                                                                                    ─► memory, scalars (what shaders have no values of) ─► handles ─► older ─► emit
//! ```
//!
//! The roots are all functions with external linkage, or those that [`Options::exports`] names. Functions that are reachable from
//! them are linked in and inlined; unreachable functions, variables and types are dropped. Metadata, RDAT and shader flags are
//! recomputed from the result ([`rtc_dxil_container::recompute`]). The libraries may be those of any compiler.
//!
//! Symbols are resolved by name: functions and variables by mangled name, resources and subobjects by HLSL name. Different
//! definitions of one name are a conflict, except structures, of which one is renamed. If inputs have debug information, the
//! result has it too: the code is emitted once without and once with it ([`debug_info`], [`positions`], [`variables`]).
//!
//! To read the crate, begin with [`link`], which is the drawing above as code.
//!
//! # Example
//!
//! ```
//! use rtc_dxil_link::{Options, Target, link};
//!
//! let target = Target::parse("lib_6_6", "")?;
//! assert_eq!(target.profile(), "lib_6_6");
//! let errors = link(&[], &Options::new(target)).expect_err("there is nothing to link");
//! assert_eq!(errors[0].to_string(), "there is no library to link");
//! # Ok::<(), rtc_dxil_link::LinkError>(())
//! ```

mod annotations;
mod constants;
mod cse;
mod dce;
mod debug_info;
mod emit;
mod handles;
mod import;
pub mod inline;
mod library;
mod mem2reg;
mod memory;
mod merge;
mod merged;
mod older;
mod orientation;
mod outside;
mod positions;
mod resolve;
mod resources;
#[cfg(test)]
mod run_tests;
mod scalars;
mod statics;
mod subobjects;
#[cfg(test)]
mod tests;
mod variables;

use library::Library;
use rtc_dxil_container::Version;
use rtc_dxil_container::debug_module::DebugModule;
use rtc_dxil_container::hash::ShaderHash;
use rtc_tables::limits::{NEWEST_MODEL, OFFLINE_MODEL};
use rtc_tables::stages::{STAGES, Stage};

/// The first shader model that a stage's entry points can be linked for.
fn first(stage: Stage) -> u32 {
    stage.info().model
}

/// One library to link.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The name of its file, for messages.
    pub name: &'a str,
    /// The container.
    pub bytes: &'a [u8],
}

/// Why libraries cannot be linked: one mistake, as a sentence without a full stop, with the names of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkError(String);

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LinkError {}

/// What is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A library of shader model 6.n, or [`OFFLINE_MODEL`].
    Library(u32),
    /// A shader of a stage that has a profile.
    Shader {
        /// The stage.
        stage: Stage,
        /// Shader model 6.n.
        minor: u32,
        /// The entry point.
        entry: String,
    },
}

impl Target {
    /// Reads a profile: `lib_6_3` to `lib_6_10`, `lib_6_x`, and those of shaders, such as `cs_6_0` and `ps_6_10`; `entry` is the entry
    /// point of a shader.
    ///
    /// # Errors
    /// The profile is none of these.
    pub fn parse(profile: &str, entry: &str) -> Result<Target, LinkError> {
        let (kind, minor) = profile.split_once("_6_").unwrap_or((profile, ""));
        let minor = match minor {
            "x" if kind == "lib" => Some(OFFLINE_MODEL),
            m => m.parse().ok().filter(|m| *m <= NEWEST_MODEL),
        };
        match (kind, Stage::from_profile(kind), minor) {
            ("lib", _, Some(minor)) if minor >= first(Stage::Library) => Ok(Target::Library(minor)),
            (_, Some(stage), Some(minor)) if minor >= first(stage) => Ok(Target::Shader { stage, minor, entry: entry.to_owned() }),
            _ => {
                let shaders = STAGES.iter().filter(|s| !s.profile.is_empty());
                let shaders: Vec<String> =
                    shaders.map(|s| format!("{0}_6_{1} to {0}_6_{NEWEST_MODEL}", s.profile, first(s.stage))).collect();
                let shaders = shaders.join(", ");
                Err(LinkError(format!(
                    "cannot link for profile `{profile}`: supported are lib_6_{} to lib_6_{NEWEST_MODEL}, lib_6_x, {shaders}",
                    first(Stage::Library)
                )))
            }
        }
    }

    /// The minor number of shader model 6.
    pub fn minor(&self) -> u32 {
        match *self {
            Target::Library(minor) | Target::Shader { minor, .. } => minor,
        }
    }

    /// How a profile is written.
    pub fn profile(&self) -> String {
        match *self {
            Target::Library(OFFLINE_MODEL) => "lib_6_x".into(),
            Target::Library(minor) => format!("lib_6_{minor}"),
            Target::Shader { stage, minor, .. } => format!("{}_6_{minor}", stage.info().profile),
        }
    }
}

/// A function and the names under which the result has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The function, mangled or not.
    pub function: String,
    /// Its names, not mangled.
    pub names: Vec<String>,
}

/// Where debug information goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugGoes {
    /// Nowhere.
    Away,
    /// In a separate file, which the container names: only [`Linked::debug`] has it.
    Aside,
    /// Into the container, which names it.
    Inside,
}

/// How to link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What is made.
    pub target: Target,
    /// Whose rules hold (`dx.valver`); the default follows from target and inputs.
    pub validator: Option<Version>,
    /// What the library exports; everything that inputs export if this is empty.
    pub exports: Vec<Export>,
    /// Export entry points only.
    pub shaders_only: bool,
    /// The space where resources without register get one.
    pub auto_space: Option<u32>,
    /// Whether to sign the container.
    pub sign: bool,
    /// Leave out the reflection part.
    pub strip_reflection: bool,
    /// Where debug information goes, if an input has some.
    pub debug: DebugGoes,
    /// What the container calls its debug information; `<hash>.pdb` unless it is given.
    pub debug_name: Option<String>,
}

impl Options {
    /// Links for `target`, with everything exported, signed.
    pub fn new(target: Target) -> Self {
        Options {
            target,
            validator: None,
            exports: Vec::new(),
            shaders_only: false,
            auto_space: None,
            sign: true,
            strip_reflection: false,
            debug: DebugGoes::Inside,
            debug_name: None,
        }
    }
}

/// A linked container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linked {
    /// The container.
    pub bytes: Vec<u8>,
    /// Whether it is signed.
    pub signed: bool,
    /// The hash of its code, also where the validator version knows no `HASH`.
    pub hash: ShaderHash,
    /// The data of `STAT`, also where the container leaves it out.
    pub reflection: Vec<u8>,
    /// Its debug information, if an input has some.
    pub debug: Option<DebugModule>,
    /// What the user should know, one sentence each.
    pub warnings: Vec<String>,
}

/// Links.
///
/// # Errors
/// All mistakes: inputs that are no libraries or damaged, functions that are
/// not there or there twice, resources, subobjects and payloads that contradict each other, recursion.
pub fn link(inputs: &[Input], options: &Options) -> Result<Linked, Vec<LinkError>> {
    sentences(inputs, options).map_err(|wrong| wrong.into_iter().map(LinkError).collect())
}

/// Links; mistakes are sentences.
fn sentences(inputs: &[Input], options: &Options) -> Result<Linked, Vec<String>> {
    let (mut libraries, mut wrong) = (Vec::new(), Vec::new());
    if inputs.is_empty() {
        wrong.push("there is no library to link".to_owned());
    }
    for (n, input) in inputs.iter().enumerate() {
        if inputs[..n].iter().any(|i| i.name == input.name) {
            wrong.push(format!("`{}` is given twice", input.name));
            continue;
        }
        match Library::read(input.name, input.bytes) {
            Ok(library) => libraries.push(library),
            Err(why) => wrong.push(format!("`{}`: {why}", input.name)),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    merge::Job::new(libraries, options)?.run()
}
