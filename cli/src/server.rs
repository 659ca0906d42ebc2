//! The command as the work of the compile server and of Bazel's workers, the client that a process is then, and `rtc server`.

use std::io::{self, BufReader};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use rtc::arguments::{ArgumentFiles, Invocation};
use rtc::{CancelToken, NoIncludes, Options, Session};
use rtc_serve::worker::{self, Host, Protocol};
use rtc_serve::{Client, Effect, FileStore, Job, JobFiles, Outcome, Reply, Work};

use crate::effects::{self, Effects};
use crate::error::Result;
use crate::job::Inputs;
use crate::messages::Caller;
use crate::{args, job, output};

const USAGE: &str = "usage: rtc server status | stop
A command `rtc --server …`, or any with RTC_SERVER=1, lets a background process compile, which keeps files, tokens and preambles. It is started when there is
none. `status` prints a line about it, `stop` ends it. Environment: RTC_SERVER_IDLE, the seconds after which an idle one ends (600); RTC_SERVER_MEMORY, the
MiB above which it ends and another one begins (384); RTC_SERVER_DIR, the folder of its socket.";

/// What of the memory is for preambles and tokens, which take about half of their estimates, and what is for files.
const SHARED: usize = ((rtc_serve::MEMORY_MIB as usize) << 20) / 6 * 5;
const FILES: usize = 48 << 20;

/// The command with what its jobs share.
struct Compiler {
    session: Session,
    files: FileStore,
}

impl Compiler {
    fn new() -> Self {
        Compiler { session: Session::within(SHARED, NoIncludes), files: FileStore::within(FILES) }
    }

    /// The outcome of a job.
    ///
    /// # Errors
    /// Why a process of its own must do it.
    fn outcome(&self, job: &Job, folder: &Path, files: &mut JobFiles<'_>, cancel: &CancelToken) -> std::result::Result<Outcome, String> {
        let mut named = Recording { files, read: Vec::new() };
        let parsed = Options::parse_args(&job.arguments, &mut named);
        let named = named.read;
        let request = match parsed {
            Ok(Invocation::Compile(request)) => request,
            Ok(_) => return Err("it is no compilation".into()),
            Err(e) => return Err(e.to_string()),
        };
        if request.limits != rtc::session::Limits::default() || request.show.times || request.show.trace.is_some() {
            return Err("its limits and times are those of a process".into());
        }
        let source: Arc<[u8]> = files.named(&request.source).map_err(|e| format!("{}: {e}", request.source))?;
        let caller = Caller { dxc: job.dxc, terminal: job.terminal, colours: job.colours };
        let inputs = Inputs { named: &named, folder };
        let mut effects = Effects::default();
        let work = self.session.job().includes(files).cancelled_by(cancel);
        let (success, _) = job::compile(*request, work, |_| Ok(source), &inputs, &caller, &mut effects).map_err(|e| e.to_string())?;
        match files.trouble() {
            Some(trouble) => Err(trouble.to_owned()),
            None => Ok(Outcome { effects: effects.0, success }),
        }
    }
}

/// The files of a job, with those that its arguments name and that were read.
struct Recording<'a, 'b> {
    files: &'a mut JobFiles<'b>,
    read: Vec<String>,
}

impl ArgumentFiles for Recording<'_, '_> {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = self.files.read(path)?;
        if path != "-" {
            self.read.push(path.to_owned());
        }
        Ok(bytes)
    }

    fn exists(&self, path: &str) -> bool {
        ArgumentFiles::exists(self.files, path)
    }
}

impl Work for Compiler {
    fn run(&self, job: &Job, folder: &Path, cancel: &CancelToken) -> Reply {
        if folder.to_str().is_none() {
            return Reply::Declined("the name of the folder is no text".into());
        }
        let mut files = JobFiles::new(&self.files, folder, job.input.as_deref());
        match self.outcome(job, folder, &mut files, cancel) {
            _ if files.needs_input() => Reply::NeedsInput,
            Ok(outcome) => Reply::Done(outcome),
            Err(reason) => Reply::Declined(reason),
        }
    }

    fn status(&self) -> String {
        let s = self.session.statistics();
        format!(", {} compilations began with a preamble, {} texts were lexed", s.preambles_saved, s.lexed)
    }
}

/// Compiles, in this process or, where that is requested, in the server's.
///
/// # Errors
/// As [`args::run`].
pub fn run(arguments: &[String]) -> Result<bool> {
    if arguments.iter().any(|a| a == WORKER) {
        return serve_bazel(arguments);
    }
    let (requested, arguments) = rtc_serve::requested(arguments);
    if !requested {
        return args::run(&arguments);
    }
    if !rtc_serve::IS_SUPPORTED {
        eprintln!("rtc: note: there is no compile server on this platform: compiled in the process itself");
        return args::run(&arguments);
    }
    let Caller { dxc, terminal, colours } = Caller::this_process();
    let mut client = Client { dxc, terminal, colours, input: &mut output::keep_input };
    match rtc_serve::submit(&arguments, &mut client) {
        Some(outcome) => Effects(outcome.effects).perform().map(|()| outcome.success),
        None => args::run(&arguments),
    }
}

/// `rtc server`.
///
/// # Errors
/// An unknown command, or no server.
pub fn command(arguments: &[String]) -> Result<bool> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run", ..] => {
            rtc_serve::run(arguments.get(1..).unwrap_or_default(), &Compiler::new()).map(|()| true).map_err(|e| e.to_string().into())
        }
        ["status"] => match rtc_serve::status() {
            Some(text) => output::print(text.as_bytes()).map(|()| true),
            None => Err("there is no server".into()),
        },
        ["stop"] => {
            rtc_serve::stop();
            Ok(true)
        }
        ["-h" | "-help" | "--help"] => output::print(format!("{USAGE}\n").as_bytes()).map(|()| true),
        _ => Err(format!("expected `status` or `stop`\n{USAGE}").into()),
    }
}

/// The argument with which Bazel starts a worker.
const WORKER: &str = "--persistent_worker";
const PROTOCOL: &str = "--worker_protocol=";

/// This process as what writes files and starts others.
struct ThisProcess;

impl Host for ThisProcess {
    fn write(&self, folder: &Path, effect: &Effect) -> std::result::Result<(), String> {
        // A name that ends in a separator keeps it.
        let below = |path: &String| folder.join(path).to_string_lossy().into_owned();
        let effect = match effect {
            Effect::File(path, bytes) => Effect::File(below(path), bytes.clone()),
            Effect::Files(files) => Effect::Files(files.iter().map(|(path, bytes)| (below(path), bytes.clone())).collect()),
            other => other.clone(),
        };
        effects::perform(&effect).map_err(|e| format!("rtc: error: {e}\n"))
    }

    fn alone(&self, folder: &Path, arguments: &[String]) -> (i32, String) {
        let own = std::env::current_exe();
        let done = own.and_then(|own| Command::new(own).args(arguments).current_dir(folder).env_remove(rtc_serve::VARIABLE).output());
        match done {
            Ok(done) => (done.status.code().unwrap_or(1), String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned()),
            Err(e) => (1, format!("rtc: error: cannot start a process: {e}\n")),
        }
    }
}

/// Serves Bazel until it closes standard input.
fn serve_bazel(arguments: &[String]) -> Result<bool> {
    let protocol = arguments.iter().find_map(|a| a.strip_prefix(PROTOCOL));
    let protocol = match protocol.map(|name| (name, Protocol::named(name))) {
        Some((name, None)) => return Err(format!("unknown protocol `{name}`; expected `proto` or `json`").into()),
        other => other.and_then(|(_, protocol)| protocol),
    };
    let first: Vec<String> = arguments.iter().filter(|a| *a != WORKER && *a != "--server" && !a.starts_with(PROTOCOL)).cloned().collect();
    let (input, compiler) = (BufReader::new(io::stdin()), Compiler::new());
    worker::run(input, io::stdout(), protocol, &first, &compiler, &ThisProcess).map(|()| true).map_err(|e| e.to_string().into())
}
