//! HLSL in build scripts: a folder of shaders becomes a Rust module with the compiled objects, the names of entry points, the registers of
//! resources and the offsets of what is in buffers.
//!
//! ```no_run
//! // In `main` of build.rs:
//! rtc_build_script::Shaders::new("shaders").profile("cs_6_6").build_for_cargo("shaders.rs");
//! ```
//!
//! ```ignore
//! // src/main.rs
//! mod shaders {
//!     include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
//! }
//! let object: &[u8] = shaders::fill::OBJECT;
//! ```
//!
//! Every file `*.hlsl` of the folder and its subfolders is compiled. A first line `// rtc -T PROFILE OPTIONS` has arguments of the file, which
//! come after those of [`Shaders`]; a file without a profile is an error. Files with another extension (`*.hlsli`) are for includes. cargo runs
//! the script again when a source, or a file that it includes, changes, or when the folder does.
//!
//! What is generated has no dependency: byte strings, text and numbers.

mod error;
mod generate;
mod names;

use std::fs;
use std::path::{Path, PathBuf};

use rtc::arguments::{Action, Invocation};
use rtc::{Disk, Options, Session, Severity, Style};

pub use error::Error;

/// A folder of shaders with the arguments that they have in common.
#[derive(Clone, Debug)]
pub struct Shaders {
    folder: PathBuf,
    arguments: Vec<String>,
}

/// What was made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Built {
    /// The generated Rust file.
    pub module: PathBuf,
    /// The compiled objects.
    pub objects: Vec<PathBuf>,
    /// The files and folders on which the outcome depends, sorted.
    pub dependencies: Vec<PathBuf>,
    /// Warnings of the compiler, one line each.
    pub warnings: Vec<String>,
}

/// A compiled source.
struct Compiled {
    /// The names of the modules that it is in, its own last.
    path: Vec<String>,
    source: PathBuf,
    object: PathBuf,
    reflection: rtc::reflection::Reflection,
    fingerprint: rtc::Fingerprint,
}

impl Shaders {
    /// The shaders in a folder; a relative path starts at the package, as in build scripts.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Shaders { folder: folder.into(), arguments: Vec::new() }
    }

    /// The target profile of files that do not name one.
    pub fn profile(self, profile: &str) -> Self {
        self.arguments(["-T", profile])
    }

    /// Generates SPIR-V in place of DXIL.
    pub fn spirv(self) -> Self {
        self.arguments(["-spirv"])
    }

    /// A macro: `NAME` or `NAME=VALUE`.
    pub fn define(self, definition: &str) -> Self {
        self.arguments(["-D", definition])
    }

    /// A folder to search for includes.
    pub fn include_dir(self, folder: &str) -> Self {
        self.arguments(["-I", folder])
    }

    /// More arguments of dxc.
    pub fn arguments<S: Into<String>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Compiles into `OUT_DIR` and tells cargo what to watch. After an error, prints it and ends the script.
    ///
    /// # Panics
    /// Not called by a build script: there is no `OUT_DIR`.
    pub fn build_for_cargo(&self, module: &str) {
        let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
        println!("cargo::rerun-if-changed={}", self.folder.display());
        match self.build(Path::new(&out), module) {
            Ok(built) => {
                for path in &built.dependencies {
                    println!("cargo::rerun-if-changed={}", path.display());
                }
                for warning in &built.warnings {
                    println!("cargo::warning={warning}");
                }
            }
            Err(e) => {
                eprintln!("{e}");
                std::process::exit(1);
            }
        }
    }

    /// Compiles into a folder; `module` is the name of the generated Rust file there. Files that would not change are not written.
    ///
    /// # Errors
    /// A file cannot be read or written, arguments are not valid, or a source has mistakes: all of them are reported.
    pub fn build(&self, out: &Path, module: &str) -> Result<Built, Error> {
        let mut built = Built { module: out.join(module), ..Built::default() };
        let mut sources = Vec::new();
        find(&self.folder, &mut sources, &mut built.dependencies)?;
        sources.sort();
        let session = Session::new(Disk);
        let (mut compiled, mut mistakes) = (Vec::new(), String::new());
        for source in sources {
            match self.compile(&session, &source, out, &mut built) {
                Ok(c) => compiled.push(c),
                Err(Error::Source(text)) => mistakes.push_str(&text),
                Err(e) => return Err(e),
            }
        }
        if !mistakes.is_empty() {
            return Err(Error::Source(mistakes));
        }
        compiled.sort_by(|a, b| a.path.cmp(&b.path));
        write(&built.module, generate::module(&compiled)?.as_bytes())?;
        built.dependencies.sort();
        built.dependencies.dedup();
        Ok(built)
    }

    /// Compiles one source.
    fn compile(&self, session: &Session, source: &Path, out: &Path, built: &mut Built) -> Result<Compiled, Error> {
        let bytes = fs::read(source).map_err(|e| Error::file(source, e))?;
        let name = source.to_string_lossy();
        let first = String::from_utf8_lossy(bytes.split(|&b| b == b'\n').next().unwrap_or_default()).into_owned();
        let own = first.trim().strip_prefix("// rtc ").unwrap_or_default().split_whitespace().map(str::to_owned);
        let arguments = self.arguments.iter().cloned().chain(own).chain([name.clone().into_owned()]);
        let invocation = Options::parse_args(arguments, &mut Disk).map_err(|error| Error::Arguments { file: source.into(), error })?;
        let Invocation::Compile(request) = invocation else { return Err(Error::Action(source.into())) };
        if request.action != Action::Compile {
            return Err(Error::Action(source.into()));
        }
        let options = request.options;
        let c = session.compile(&name, &bytes, &options).map_err(|error| Error::Stopped { file: source.into(), error })?;
        let rendered = |d| rtc::render(&c.sources, d, Style::Short);
        if c.failed() {
            return Err(Error::Source(c.diagnostics.iter().map(rendered).collect()));
        }
        let warnings = c.diagnostics.iter().filter(|d| d.severity == Severity::Warning);
        built.warnings.extend(warnings.map(|d| rendered(d).lines().next().unwrap_or_default().to_owned()));
        built.dependencies.push(source.into());
        built.dependencies.extend(c.includes.iter().map(|i| PathBuf::from(&i.path)));
        let (extension, object) = match c.product {
            Some(p @ rtc::Product::Spirv(_)) => ("spv", p.into_bytes()),
            Some(p @ rtc::Product::Package(_)) => ("rtp", p.into_bytes()),
            Some(p @ rtc::Product::Dxil(_)) => ("dxil", p.into_bytes()),
            _ => return Err(Error::Action(source.into())),
        };
        let reflection = rtc::reflect::reflection(&object).map_err(|error| Error::Reflection { file: source.into(), error })?;
        let relative = source.strip_prefix(&self.folder).unwrap_or(source);
        let path = out.join(relative).with_extension(extension);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| Error::file(folder, e))?;
        }
        write(&path, &object)?;
        built.objects.push(path.clone());
        Ok(Compiled {
            path: relative.with_extension("").components().map(|c| names::snake(&c.as_os_str().to_string_lossy())).collect(),
            source: source.into(),
            object: path,
            reflection,
            fingerprint: options.fingerprint(),
        })
    }
}

/// The sources in a folder and its subfolders, which are dependencies too: a file may be added.
fn find(folder: &Path, sources: &mut Vec<PathBuf>, folders: &mut Vec<PathBuf>) -> Result<(), Error> {
    folders.push(folder.into());
    for entry in fs::read_dir(folder).map_err(|e| Error::file(folder, e))? {
        let path = entry.map_err(|e| Error::file(folder, e))?.path();
        if path.is_dir() {
            find(&path, sources, folders)?;
        } else if path.extension().is_some_and(|e| e == "hlsl") {
            sources.push(path);
        }
    }
    Ok(())
}

/// Writes a file unless it has these contents, so that what depends on it is not built again.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).map_err(|e| Error::file(path, e))
}
