//! What a command line asks for, as types.

use rtc_base::Severity;
use rtc_base::render::Style;
use rtc_dxil_link::Options as LinkOptions;
use std::time::Duration;

use crate::container::Edits;
use crate::dependencies::MakeRule;
use crate::options::Options;
use crate::output_files::OutputFiles;
use crate::report::Request;
use crate::session::Limits;

/// What a command line asks for.
#[derive(Clone, Debug)]
pub enum Invocation {
    /// The help text: [`help`](super::help).
    Help,
    /// The version of the compiler.
    Version,
    /// To compile a source, or to read it in another way.
    Compile(Box<CompileRequest>),
    /// `-dumpbin`: to list or change a container, or to extract parts of it.
    Container(Box<ContainerRequest>),
    /// `-link`: to link libraries.
    Link(Box<LinkRequest>),
}

/// What is done with a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// It is compiled.
    Compile,
    /// `-verify`: it is compiled, and its diagnostics are compared with expectations in its comments.
    Verify,
    /// `-P`: it is preprocessed.
    Preprocess {
        /// The file that the text is written to.
        file: String,
    },
    /// `-M`, `-MD`, `-MF`: its dependencies are listed as a rule for make.
    Dependencies {
        /// The rule.
        rule: MakeRule,
        /// The file that the rule is written to; `None` is standard output.
        file: Option<String>,
    },
}

/// A rule for make that is written in addition to what is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Depfile {
    /// Its file.
    pub file: String,
    /// The rule.
    pub rule: MakeRule,
}

/// A source with options and requested files.
#[derive(Clone, Debug)]
pub struct CompileRequest {
    /// The name of the source; `-` is standard input.
    pub source: String,
    /// What is done with it.
    pub action: Action,
    /// The options.
    pub options: Options,
    /// The files to write.
    pub outputs: OutputFiles,
    /// `-depfile`: the dependencies of the outputs.
    pub depfile: Option<Depfile>,
    /// `-setprivate`: private data for the container.
    pub private: Option<Vec<u8>>,
    /// The reports, with formats and files.
    pub reports: Vec<Request>,
    /// How and where diagnostics are shown.
    pub messages: Messages,
    /// `-time-limit`, `-memory-limit`: for [`Job::limits`](crate::session::Job::limits).
    pub limits: Limits,
    /// What else is shown.
    pub show: Show,
    /// Remarks on the arguments themselves.
    pub notes: Vec<Note>,
}

/// How and where diagnostics are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Messages {
    /// `-fdiagnostics-format`.
    pub style: Option<Style>,
    /// `-fcolor-diagnostics`, `-fno-color-diagnostics`.
    pub colour: Option<bool>,
    /// `-Fe`: a file in place of standard error.
    pub file: Option<String>,
    /// `-encoding`: how programs that load the compiler get texts. The command writes UTF-8.
    pub encoding: Encoding,
}

/// How texts are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// The wide characters of the system: UTF-16 on Windows, otherwise UTF-32.
    Wide,
}

/// What is shown besides diagnostics.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Show {
    /// `-H`, `-Vi`: the files that are included.
    pub includes: bool,
    /// `-why-capability`: the requirements of a SPIR-V module.
    pub requirements: bool,
    /// `-ftime-report`: how long each phase took.
    pub times: bool,
    /// `-ftime-trace`: the same as a trace.
    pub trace: Option<Trace>,
}

/// A trace of the compiler's phases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The file; `None` is standard output.
    pub file: Option<String>,
    /// Shorter phases are left out.
    pub least: Duration,
}

/// A remark on the arguments: a warning, or a note that an option has no effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// A warning or a note.
    pub severity: Severity,
    /// Its text.
    pub message: String,
}

/// The sources of a command that reads several, with their options.
#[derive(Clone, Debug)]
pub struct SourcesRequest {
    /// The sources.
    pub sources: Vec<String>,
    /// The options.
    pub options: Options,
    /// `-fdiagnostics-format`.
    pub style: Option<Style>,
    /// Remarks on the arguments themselves.
    pub notes: Vec<Note>,
}

/// A container or a PDB that is listed, changed, or whose parts are extracted.
#[derive(Clone, Debug)]
pub struct ContainerRequest {
    /// The file.
    pub file: String,
    /// The changes.
    pub edits: Edits,
    /// The files to write.
    pub outputs: OutputFiles,
    /// `-verifyrootsignature`: a file and its root signature, which is compared with the shader.
    pub verify: Option<(String, Vec<u8>)>,
    /// Remarks on the arguments themselves.
    pub notes: Vec<Note>,
}

/// Libraries to link.
#[derive(Clone, Debug)]
pub struct LinkRequest {
    /// The libraries.
    pub files: Vec<String>,
    /// The options.
    pub options: LinkOptions,
    /// The files to write.
    pub outputs: OutputFiles,
    /// Hide warnings.
    pub quiet: bool,
    /// Treat warnings as errors.
    pub strict: bool,
    /// `-Fe`: the file that messages are written to, too.
    pub messages: Option<String>,
    /// As of a compilation.
    pub limits: Limits,
}
