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
use crate::paths::normal;
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
    Probed(RequestId, Box<Snapshot>),
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

/// The ends of the channels to a worker, which ends when the first is dropped.
pub struct Worker {
    /// Takes jobs.
    pub jobs: Sender<Job>,
    /// Gives their ends.
    pub done: Receiver<Done>,
}

/// Starts a worker.
///
/// # Errors
/// The thread cannot be started.
pub fn start(overlay: Overlay, columns: Columns) -> io::Result<Worker> {
    let (jobs, from_server) = unbounded::<Job>();
    let (to_server, done) = unbounded();
    thread::Builder::new().name("rtc lsp worker".into()).spawn(move || {
        let session = Session::new(overlay.clone());
        for job in from_server {
            // Only here files are read, so nothing that is out of date is remembered.
            session.forget_files();
            let (root, generation) = (job.root.clone(), job.generation);
            let outcome = run(&session, job, &overlay, columns);
            if to_server.send(Done { root, generation, outcome }).is_err() {
                return;
            }
        }
    })?;
    Ok(Worker { jobs, done })
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
    let diagnostics = translate(&analysis.diagnostics, &analysis.sources, &job.root, columns, None);
    Ok(Outcome::Analysed(Arc::new(Snapshot::new(&job.root, job.generation, analysis)), diagnostics, failed))
}

fn probe(session: &Session, job: &Job, id: RequestId, patched: Option<(String, Arc<str>)>, overlay: &Overlay) -> Result<Outcome, Stopped> {
    let mut files = Patched { overlay, patched };
    let work = session.job().includes(&mut files).cancelled_by(&job.cancel).time_limit(TIME_LIMIT);
    let analysis = work.analyse(&job.root, job.text.as_bytes(), first(job)?, Some(PROBE))?;
    Ok(Outcome::Probed(id, Box::new(Snapshot::new(&job.root, job.generation, analysis))))
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
