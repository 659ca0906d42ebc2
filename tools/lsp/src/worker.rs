//! The worker: a thread that analyses and compiles, one job after the other. The server decides which job is next, and cancels the one that runs if it is
//! out of date.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::RequestId;
use rtc::report::ReportKind;
use rtc::{CancelToken, Files, Includes, Options, Product, Session, Stopped};

use crate::diagnostics::{ByPath, merge, translate};
use crate::hints::{Hints, hints};
use crate::overlay::Overlay;
use crate::paths::{is_header, normal};
use crate::project::Configuration;
use crate::snapshot::Snapshot;
use crate::text::Columns;

/// The name that is inserted where the client requests completions. It is long, so that no program has it.
pub const PROBE: &str = "rtc_completion_probe_b1946ac9";

/// The longest analysis or compilation. One that takes longer is given up until the next change.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// What to do with a source.
pub enum Task {
    /// To analyse it.
    Analyse,
    /// To analyse a text in which the [`PROBE`] is.
    Probe {
        /// The request that it is for.
        id: RequestId,
        /// The header that has the probe, with its text, if the source does not have it itself.
        patched: Option<(String, Arc<str>)>,
    },
    /// To compile it in all configurations. The snapshot is that of the same text.
    Compile(Arc<Snapshot>),
}

/// A job.
pub struct Job {
    /// The path of the source.
    pub root: String,
    /// The change of the server's state that it is for.
    pub generation: u64,
    /// The text.
    pub text: Arc<str>,
    /// How the source is compiled; the first one counts for everything but diagnostics.
    pub configurations: Vec<Configuration>,
    /// What to do.
    pub task: Task,
    /// Stops the job.
    pub cancel: CancelToken,
}

/// The result of a compilation.
#[derive(Default)]
pub struct Compiled {
    /// All diagnostics of all configurations.
    pub diagnostics: ByPath,
    /// Hints and lenses.
    pub hints: Hints,
    /// The object of the first configuration.
    pub object: Option<Vec<u8>>,
}

/// How a job ended.
pub enum Outcome {
    /// The source is analysed; its diagnostics, and whether one is an error.
    Analysed(Arc<Snapshot>, ByPath, bool),
    /// The text with the probe is analysed.
    Probed(RequestId, Arc<Snapshot>),
    /// The source is compiled.
    Compiled(Box<Compiled>),
    /// It was cancelled.
    Cancelled,
    /// It failed; the message says why.
    Failed(String),
}

/// The end of a job.
pub struct Done {
    /// The path of the source.
    pub root: String,
    /// The generation of the job.
    pub generation: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// What the worker is to do.
pub enum Order {
    /// A job.
    Do(Box<Job>),
    /// To drop what it made: memory goes back to the thread that requests the same again, where allocators keep it by thread.
    Drop(Arc<Snapshot>),
}

/// The ends of the channels to a worker, which ends when the first is dropped.
pub struct Worker {
    /// Takes orders.
    pub orders: Sender<Order>,
    /// Gives their ends.
    pub done: Receiver<Done>,
}

/// Starts a worker.
///
/// # Errors
/// The thread cannot be started.
pub fn start(overlay: Overlay, columns: Columns) -> io::Result<Worker> {
    let (orders, from_server) = unbounded::<Order>();
    let (to_server, done) = unbounded();
    thread::Builder::new().name("rtc lsp worker".into()).spawn(move || {
        let session = Session::new(overlay.clone());
        for order in from_server {
            let job = match order {
                Order::Do(job) => *job,
                Order::Drop(snapshot) => {
                    drop(snapshot);
                    continue;
                }
            };
            // Only here files are read, so nothing that is out of date is remembered.
            session.forget_files();
            let (root, generation) = (job.root.clone(), job.generation);
            let outcome = run(&session, job, &overlay, columns);
            if to_server.send(Done { root, generation, outcome }).is_err() {
                return;
            }
        }
    })?;
    Ok(Worker { orders, done })
}

/// The files with another text of one of them.
struct Patched<'a> {
    overlay: &'a Overlay,
    patched: Option<(String, Arc<str>)>,
}

impl Includes for Patched<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        match &self.patched {
            Some((patched, text)) if *patched == normal(path) => Ok(Some(Arc::from(text.as_bytes()))),
            _ => Files::read(self.overlay, path),
        }
    }

    fn same_but_case(&mut self, path: &str) -> Option<String> {
        Files::same_but_case(self.overlay, path)
    }

    fn identity(&mut self, path: &str) -> String {
        Files::identity(self.overlay, path)
    }
}

fn run(session: &Session, job: Job, overlay: &Overlay, columns: Columns) -> Outcome {
    let outcome = match &job.task {
        Task::Analyse => analyse(session, &job, columns),
        Task::Probe { id, patched } => probe(session, &job, id.clone(), patched.clone(), overlay),
        Task::Compile(snapshot) => compile(session, &job, snapshot, columns),
    };
    outcome.unwrap_or_else(|stopped| match stopped {
        Stopped::Cancelled => Outcome::Cancelled,
        other => Outcome::Failed(other.to_string()),
    })
}

fn first(job: &Job) -> Result<&Options, Stopped> {
    // The server gives every job a configuration.
    job.configurations.first().map(|c| &c.options).ok_or(Stopped::Cancelled)
}

fn analyse(session: &Session, job: &Job, columns: Columns) -> Result<Outcome, Stopped> {
    let work = session.job().cancelled_by(&job.cancel).time_limit(TIME_LIMIT);
    let analysis = work.analyse(&job.root, job.text.as_bytes(), first(job)?, None)?;
    let failed = analysis.diagnostics.iter().any(rtc::Diagnostic::is_error);
    let mut found = analysis.diagnostics.clone();
    if is_header(&job.root) && job.configurations.first().is_some_and(|c| c.guessed) {
        found = alone(found, &analysis.sources);
    }
    let diagnostics = translate(&found, &analysis.sources, &job.root, columns, None);
    Ok(Outcome::Analysed(Arc::new(Snapshot::new(&job.root, job.generation, analysis)), diagnostics, failed))
}

/// The diagnostics of a header that is analysed on its own, though nothing says that it is complete: names that it leaves to the sources that include
/// it are one remark, and what follows from them is nothing.
fn alone(found: Vec<rtc::Diagnostic>, sources: &rtc::SourceMap) -> Vec<rtc::Diagnostic> {
    let is_unknown = |d: &&rtc::Diagnostic| ["E0301", "E0302", "E0303"].contains(&d.code.id);
    let Some(first) = found.iter().find(is_unknown) else { return found };
    let mut names: Vec<&str> = found.iter().filter(is_unknown).map(|d| sources.snippet(d.span())).collect();
    names.sort_unstable();
    names.dedup();
    let shown: Vec<String> = names.iter().take(3).map(|n| format!("`{n}`")).collect();
    let more = names.len().saturating_sub(shown.len());
    let list = shown.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() };
    let message = format!("this header declares not all that it uses ({list}), and no source of the workspace that includes it was found");
    let remark = rtc::Diagnostic { severity: rtc::Severity::Note, ..rtc::Diagnostic::new(first.code, first.span(), message) }
        .note("only its syntax is checked; an rtc.toml that names the sources says how they are compiled");
    let of_syntax = |d: &rtc::Diagnostic| d.code.id.starts_with("E01") || d.code.id.starts_with("E02");
    let mut out: Vec<rtc::Diagnostic> = found.into_iter().filter(|d| !d.is_error() || of_syntax(d)).collect();
    out.push(remark);
    out
}

fn probe(session: &Session, job: &Job, id: RequestId, patched: Option<(String, Arc<str>)>, overlay: &Overlay) -> Result<Outcome, Stopped> {
    let mut files = Patched { overlay, patched };
    let work = session.job().includes(&mut files).cancelled_by(&job.cancel).time_limit(TIME_LIMIT);
    let analysis = work.analyse(&job.root, job.text.as_bytes(), first(job)?, Some(PROBE))?;
    Ok(Outcome::Probed(id, Arc::new(Snapshot::new(&job.root, job.generation, analysis))))
}

fn compile(session: &Session, job: &Job, snapshot: &Snapshot, columns: Columns) -> Result<Outcome, Stopped> {
    let mut all = Compiled::default();
    let several = job.configurations.len() > 1;
    for (n, configuration) in job.configurations.iter().enumerate() {
        let mut options = configuration.options.clone();
        if n == 0 {
            options.reports = vec![ReportKind::Reorder, ReportKind::Paq];
        }
        let work = session.job().cancelled_by(&job.cancel).time_limit(TIME_LIMIT);
        let c = work.compile(&job.root, job.text.as_bytes(), &options)?;
        let of = several.then(|| format!("`{}`", configuration.name));
        merge(&mut all.diagnostics, translate(&c.diagnostics, &c.sources, &job.root, columns, of.as_deref().filter(|_| n > 0)));
        if n == 0 {
            all.hints = hints(snapshot, &c, &options, columns);
            all.object = c.product.filter(|p| !matches!(p, Product::Nothing)).map(Product::into_bytes);
        }
    }
    Ok(Outcome::Compiled(Box::new(all)))
}
