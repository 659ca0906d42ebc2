//! One task: its arguments become options, its source becomes tokens, and these an object.

use std::sync::Arc;

use rtc::arguments::{Action, CompileRequest, Invocation};
use rtc::options::BindingTable;
use rtc::output_files::OutputFiles;
use rtc::{CancelToken, DebugKind, Options, ProfileKind, Session, Severity, Stopped, Style};

use crate::cache::Entry;
use crate::files::Recorder;
use crate::hash::Hash;
use crate::message::Message;
use crate::plan::Task;

/// Why a task has no object.
pub enum Failure {
    /// Its messages say why.
    Messages(Vec<Message>),
    /// The build is cancelled.
    Cancelled,
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Cancelled => Failure::Cancelled,
            other => Failure::Messages(vec![Message::error(other.to_string())]),
        }
    }
}

fn fail(text: impl Into<String>) -> Failure {
    Failure::Messages(vec![Message::error(text)])
}

/// A task that can be compiled.
pub struct Job {
    source: String,
    bytes: Arc<[u8]>,
    request: CompileRequest,
    /// The hash of tokens, options and compiler: tasks with the same key have the same object, PDB and diagnostics.
    pub key: Hash,
}

/// Names that stand for the two files of a task in the request to the compiler.
const OBJECT: &str = "object";
const PDB: &str = "pdb";

/// Reads and preprocesses the source of a task.
pub fn prepare(task: &Task, compiler: &Hash, session: &Session, cancel: &CancelToken, files: &mut Recorder<'_>) -> Result<Job, Failure> {
    let mut arguments = task.arguments.clone();
    if let Some(pdb) = &task.pdb {
        let name = std::path::Path::new(pdb).file_name().unwrap_or_default();
        arguments.extend(["-Fd".to_owned(), name.to_string_lossy().into_owned()]);
    }
    let invocation = Options::parse_args_of(&task.source, &arguments, files).map_err(|e| fail(e.to_string()))?;
    let Invocation::Compile(request) = invocation else { return Err(fail("the options ask for something else than a compilation")) };
    let mut request = *request;
    if request.source != task.source {
        return Err(fail(format!("the options have `{}`, which is no option", request.source)));
    }
    if request.action != Action::Compile {
        return Err(fail("the options ask for something else than a compilation"));
    }
    let own = OutputFiles { pdb: task.pdb.as_ref().and(request.outputs.pdb.clone()), ..OutputFiles::default() };
    if request.outputs != own || request.depfile.is_some() {
        return Err(fail("the options name output files (-Fo, -depfile and the like); the description says what is written"));
    }
    request.outputs.object = Some(OBJECT.to_owned());
    request.outputs.pdb = task.pdb.as_ref().map(|_| PDB.to_owned());
    let missing = |e: &std::io::Error| fail(format!("cannot read `{}`: {}", task.source, rtc::arguments::reason(e)));
    let bytes = files.file(&task.source).map_err(|e| missing(&e))?;
    let bytes = bytes.ok_or_else(|| missing(&std::io::ErrorKind::NotFound.into()))?;
    let job = session.job().limits(&request.limits).cancelled_by(cancel).includes(files);
    let (text, c) = job.preprocess(&task.source, &bytes, &request.options)?;
    if c.failed() {
        return Err(Failure::Messages(Message::of(&c)));
    }
    // Equal tokens may come with different remarks of the preprocessor.
    let remarks: String = Message::of(&c).iter().map(|m| m.rendered(Style::Short)).collect();
    let includes: Vec<&str> = c.includes.iter().map(|i| i.path.as_str()).collect();
    let key = key(&request, [&text, &remarks], compiler, &includes, &task.source, files)?;
    Ok(Job { source: task.source.clone(), bytes, request, key })
}

/// The key of a compilation.
fn key(
    request: &CompileRequest,
    preprocessed: [&str; 2],
    compiler: &Hash,
    includes: &[&str],
    source: &str,
    files: &mut Recorder<'_>,
) -> Result<Hash, Failure> {
    let mut options = request.options.clone();
    let mut texts = Vec::new();
    if tokens_suffice(&options) && request.outputs.pdb.is_none() {
        options.defines.clear();
        options.include_dirs.clear();
        options.args.clear();
        options.arguments.clear();
    } else {
        for path in std::iter::once(&source).chain(includes) {
            let bytes = files.file(path).map_err(|e| fail(format!("cannot read `{path}`: {}", rtc::arguments::reason(&e))))?;
            texts.push(Hash::of_list([path.as_bytes(), bytes.as_deref().unwrap_or_default()]).0);
        }
    }
    let fingerprint = options.fingerprint();
    let pdb = [u8::from(request.outputs.pdb.is_some())];
    let private = request.private.as_deref().unwrap_or_default();
    let fixed = [&compiler.0[..], &fingerprint.0, &pdb, private];
    let preprocessed = preprocessed.into_iter().map(str::as_bytes);
    Ok(Hash::of_list(fixed.into_iter().chain(preprocessed).chain(texts.iter().map(|t| &t[..]))))
}

/// Whether the object depends on the sources through their tokens alone. Debug information has the texts of all files and the arguments; macros
/// that an option names (root signatures, binding tables) are in no token.
fn tokens_suffice(options: &Options) -> bool {
    let names_macro = options.root_define.is_some()
        || matches!(options.binding_table, Some(BindingTable::Macro(_)))
        || options.profile.kind == ProfileKind::RootSignature;
    options.debug.kind == DebugKind::None && !names_macro
}

impl Job {
    /// Compiles.
    pub fn compile(self, session: &Session, cancel: &CancelToken, files: &mut Recorder<'_>) -> Result<Entry, Failure> {
        let job = session.job().limits(&self.request.limits).cancelled_by(cancel).includes(files);
        let c = job.compile(&self.source, &self.bytes, &self.request.options)?;
        let mut messages = self.notes();
        messages.extend(Message::of(&c));
        let Some(product) = c.product.filter(|_| !messages.iter().any(Message::is_error)) else { return Err(Failure::Messages(messages)) };
        let made = self.request.outputs.of_product(product, c.outputs.as_ref(), self.request.private.clone());
        let made = made.map_err(|e| fail(e.to_string()))?;
        let mut entry = Entry { messages, ..Entry::default() };
        for (name, bytes) in made.files {
            match name.as_str() {
                OBJECT => entry.object = bytes,
                _ => entry.pdb = Some(bytes),
            }
        }
        if self.request.outputs.pdb.is_some() && entry.pdb.is_none() {
            entry.messages.push(Message::error("there is no PDB, because the options do not ask for debug information (-Zi or -Zs)"));
            return Err(Failure::Messages(entry.messages));
        }
        Ok(entry)
    }

    /// Remarks on the arguments.
    fn notes(&self) -> Vec<Message> {
        self.request.notes.iter().filter(|n| n.severity == Severity::Warning).map(|n| Message::warning(&*n.message)).collect()
    }
}
