//! The server: documents, sources that are analysed, requests that wait for an analysis, and what is published.
//!
//! Each change has a number, the *generation*; a root ([`crate::workspace`]) is current if its analysis is of its latest generation. Requests about a
//! document wait until its root is current, so an answer is never about an older text.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as n, Notification as _};
use lsp_types::{
    Diagnostic as LspDiagnostic, FileChangeType, InitializeParams, PublishDiagnosticsParams, ShowMessageParams,
    TextDocumentContentChangeEvent, Uri,
};
use rtc::CancelToken;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::edit::{Edit, Read};
use crate::features::completion::{Prepared, Purpose};
use crate::guess::Guess;
use crate::overlay::Overlay;
use crate::paths::{is_header, of_uri, to_uri};
use crate::project::{Configuration, Problem};
use crate::requests::{self, Answer, Failure, Question};
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::summary::Summary;
use crate::text::{Columns, Lines, apply};
use crate::worker::{self, Done, Job, Order, Outcome, Task, Worker};
use crate::workspace::{Document, Root, Workspace, found_by, later};

/// A request that waits.
struct Waiting {
    id: RequestId,
    method: String,
    params: Value,
    /// The document that it is about.
    path: String,
    since: Instant,
}

/// The job that the worker does.
struct Running {
    root: String,
    kind: Kind,
    cancel: CancelToken,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Analyse,
    Probe(RequestId),
    Compile,
    Background,
}

/// A completion or the like, which needs an analysis of a text with the probe in it.
struct ProbeJob {
    id: RequestId,
    path: String,
    text: Arc<str>,
    purpose: Purpose,
}

/// How long a request waits for an analysis.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// An analysis that is out of date goes on if there was no other for this long: else there would be none while the user types.
const STARVED: Duration = Duration::from_secs(1);

/// How many bytes the analyses that are kept may have read together. An analysis takes some 150 times its text.
const MAX_READ: usize = 512 << 10;

/// So many analyses are kept in any case.
const LEAST_ANALYSES: usize = 2;

/// How many sources of a project that are not open are analysed for references and symbols.
const MAX_BACKGROUND: usize = 256;

/// What the worker has done.
#[derive(Default)]
struct Statistics {
    analyses: u64,
    /// Of sources that are not open.
    background: u64,
    probes: u64,
    compilations: u64,
    cancelled: u64,
}

/// The state of the server.
struct Server {
    sender: Sender<Message>,
    w: Workspace,
    background: Vec<String>,
    /// What folders without a description are.
    guess: Guess,
    waiting: Vec<Waiting>,
    probes: Vec<ProbeJob>,
    /// The probe that the worker has, whose request is to be answered.
    probing: Option<ProbeJob>,
    running: Option<Running>,
    generation: u64,
    /// What [`Root::used`] was last.
    uses: u64,
    /// What was published last for a file, and with which version of an open document.
    published: FxHashMap<String, (Option<i32>, Vec<LspDiagnostic>)>,
    statistics: Statistics,
    worker: Worker,
    /// Answers that other threads give.
    answers: (Sender<Response>, Receiver<Response>),
    shut_down: bool,
    watches: bool,
    /// Whether the client takes the report that there are new hints, and new lenses.
    refreshes: (bool, bool),
    requests: i32,
}

impl Statistics {
    fn count(&mut self, kind: &Kind, outcome: &Outcome) {
        let counter = match (outcome, kind) {
            (Outcome::Cancelled, _) => &mut self.cancelled,
            (_, Kind::Analyse) => &mut self.analyses,
            (_, Kind::Background) => &mut self.background,
            (_, Kind::Probe(_)) => &mut self.probes,
            (_, Kind::Compile) => &mut self.compilations,
        };
        *counter += 1;
    }
}

/// Gives an analysis that is not needed any more to the thread that made it.
fn bury(worker: &Worker, snapshot: Option<Arc<Snapshot>>) {
    // A worker that has ended takes nothing.
    snapshot.into_iter().for_each(|s| _ = worker.orders.send(Order::Drop(s)));
}

/// How the client ended the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It requested the shutdown first.
    Orderly,
    /// It did not.
    Abrupt,
}

/// Serves a client until it leaves.
///
/// # Errors
/// The worker cannot be started.
pub fn serve(connection: &Connection) -> std::io::Result<End> {
    let Some((id, params)) = requests::wait_for_initialize(connection) else { return Ok(End::Abrupt) };
    let columns = requests::columns(&params);
    let result = requests::initialize_result(columns);
    if connection.sender.send(Response::new_ok(id, result).into()).is_err() {
        return Ok(End::Abrupt);
    }
    let mut server = Server::new(connection.sender.clone(), columns, &params)?;
    Ok(server.run(&connection.receiver))
}

impl Server {
    fn new(sender: Sender<Message>, columns: Columns, params: &InitializeParams) -> std::io::Result<Server> {
        let overlay = Overlay::default();
        let worker = worker::start(overlay.clone(), columns)?;
        let mut server = Server {
            sender,
            w: Workspace::new(overlay, columns, requests::folders(params)),
            background: Vec::new(),
            guess: Guess::default(),
            waiting: Vec::new(),
            probes: Vec::new(),
            probing: None,
            running: None,
            generation: 1,
            uses: 0,
            published: FxHashMap::default(),
            statistics: Statistics::default(),
            worker,
            answers: unbounded(),
            shut_down: false,
            watches: requests::can_watch(params),
            refreshes: requests::can_refresh(params),
            requests: 0,
        };
        server.w.creates_files = requests::can_create(params);
        if let Some(options) = &params.initialization_options {
            server.set_settings(options);
        }
        Ok(server)
    }

    fn run(&mut self, receiver: &Receiver<Message>) -> End {
        let (done, answers) = (self.worker.done.clone(), self.answers.1.clone());
        loop {
            let wait = self.next_wait();
            let mut ended = false;
            select! {
                recv(receiver) -> m => match m {
                    Ok(m) => ended = self.message(m),
                    Err(_) => ended = true,
                },
                recv(done) -> d => match d {
                    Ok(d) => self.finished(d),
                    // The worker has no reason to end.
                    Err(_) => return End::Abrupt,
                },
                recv(answers) -> a => a.into_iter().for_each(|a| self.send(a)),
                default(wait) => {},
            }
            // Several messages that are there already make one analysis.
            while !ended && let Ok(m) = receiver.try_recv() {
                ended = self.message(m);
            }
            if ended {
                self.running.iter().for_each(|r| r.cancel.cancel());
                return if self.shut_down { End::Orderly } else { End::Abrupt };
            }
            self.give_up_waiting();
            self.schedule();
        }
    }

    /// How long nothing has to be done without a message.
    fn next_wait(&self) -> Duration {
        let now = Instant::now();
        let compile = self.w.roots.values().filter_map(|r| r.compile_at).min().filter(|_| self.running.is_none());
        let give_up = self.waiting.iter().map(|w| w.since + LONGEST_WAIT).min();
        let next = compile.into_iter().chain(give_up).min();
        next.map_or(Duration::from_secs(3600), |at| at.saturating_duration_since(now))
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that is gone is noticed when its messages end.
        self.sender.send(message.into()).ok();
    }

    fn notify<N: n::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    fn reply(&self, id: RequestId, answer: Answer) {
        self.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        });
    }

    // Messages ------------------------------------------------------------------------------------

    /// Handles a message; true at the end of the session.
    fn message(&mut self, m: Message) -> bool {
        match m {
            Message::Notification(m) if m.method == n::Exit::METHOD => return true,
            Message::Notification(m) => self.notification(m),
            Message::Request(r) => self.request(r),
            // The server asks for nothing whose answer matters.
            Message::Response(_) => {}
        }
        false
    }

    fn request(&mut self, r: Request) {
        let Request { id, method, params } = r;
        if self.shut_down {
            return self.reply(id, Err((ErrorCode::InvalidRequest, "the server is shut down".into())));
        }
        match method.as_str() {
            "shutdown" => {
                self.shut_down = true;
                self.reply(id, Ok(Value::Null));
            }
            "initialize" => self.reply(id, Err((ErrorCode::InvalidRequest, "the server is initialized already".into()))),
            _ if !requests::is_known(&method) => {
                self.reply(id, Err((ErrorCode::MethodNotFound, format!("there is no request `{method}`"))));
            }
            _ if requests::is_choice(&method, &params) => {
                let answer = self.guarded(|s| requests::chosen(params).and_then(|c| s.choose(&c)));
                self.reply(id, answer);
            }
            requests::STATISTICS => self.reply(id, Ok(self.statistics())),
            _ => match requests::document(&params) {
                Some(uri) => {
                    let path = of_uri(&uri);
                    self.in_use(&path);
                    self.waiting.push(Waiting { id, method, params, path, since: Instant::now() });
                    self.answer_waiting();
                }
                None => {
                    let answer = self.guarded(|s| requests::answer_without_document(&s.w, &method, params));
                    self.reply(id, answer);
                }
            },
        }
    }

    /// Runs a handler. A panic in one is a mistake of the server, costs this request, and no more.
    fn guarded<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(self)));
        result.unwrap_or_else(|_| Err((ErrorCode::InternalError, "internal error of the language server".into())))
    }

    fn notification(&mut self, m: Notification) {
        let Notification { method, params } = m;
        match method.as_str() {
            n::Initialized::METHOD => self.initialized(),
            n::Cancel::METHOD => self.cancelled(&params),
            n::DidOpenTextDocument::METHOD => self.with(params, |s, p: lsp_types::DidOpenTextDocumentParams| {
                let d = p.text_document;
                s.open(d.uri, d.version, d.text);
            }),
            n::DidChangeTextDocument::METHOD => self.with(params, |s, p: lsp_types::DidChangeTextDocumentParams| {
                s.change(&p.text_document.uri, p.text_document.version, p.content_changes);
            }),
            n::DidCloseTextDocument::METHOD => {
                self.with(params, |s, p: lsp_types::DidCloseTextDocumentParams| s.close(&p.text_document.uri))
            }
            n::DidSaveTextDocument::METHOD => self.with(params, |s, p: lsp_types::DidSaveTextDocumentParams| {
                let path = of_uri(&p.text_document.uri);
                s.refresh_background(&path);
            }),
            n::DidChangeWatchedFiles::METHOD => self.with(params, |s, p: lsp_types::DidChangeWatchedFilesParams| {
                let others = p.changes.iter().filter(|c| {
                    // An open document is what its client says, whatever its file is.
                    c.typ != FileChangeType::CHANGED || !s.w.documents.contains_key(&of_uri(&c.uri))
                });
                let paths: Vec<String> = others.map(|c| of_uri(&c.uri)).collect();
                if !paths.is_empty() {
                    s.guess.forget();
                    s.touch_all();
                    paths.iter().for_each(|p| s.refresh_background(p));
                }
            }),
            n::DidChangeConfiguration::METHOD => {
                if let Some(settings) = params.get("settings").filter(|s| Settings::are_in(s)) {
                    self.set_settings(settings);
                    self.touch_all();
                }
            }
            n::DidChangeWorkspaceFolders::METHOD => self.with(params, |s, p: lsp_types::DidChangeWorkspaceFoldersParams| {
                let removed: Vec<String> = p.event.removed.iter().map(|f| of_uri(&f.uri)).collect();
                s.w.folders.retain(|f| !removed.contains(f));
                s.w.folders.extend(p.event.added.iter().map(|f| of_uri(&f.uri)));
                s.guess.forget();
                s.find_background();
            }),
            // Others begin with `$/` or are of extensions that the server does not have.
            _ => {}
        }
    }

    fn with<P: DeserializeOwned>(&mut self, params: Value, f: impl FnOnce(&mut Self, P)) {
        match serde_json::from_value(params) {
            Ok(p) => f(self, p),
            Err(e) => self.log(format!("a notification with wrong parameters: {e}")),
        }
    }

    fn log(&self, message: String) {
        self.notify::<n::LogMessage>(lsp_types::LogMessageParams { typ: lsp_types::MessageType::WARNING, message });
    }

    fn set_settings(&mut self, value: &Value) {
        match self.w.settings.with(value) {
            Ok(settings) => self.w.settings = settings,
            Err(message) => self.notify::<n::ShowMessage>(ShowMessageParams { typ: lsp_types::MessageType::ERROR, message }),
        }
    }

    fn initialized(&mut self) {
        if self.watches {
            self.send(requests::watch());
        }
        self.find_background();
    }

    fn cancelled(&mut self, params: &Value) {
        let Some(id) = params.get("id").cloned().and_then(|id| serde_json::from_value::<RequestId>(id).ok()) else { return };
        let known = self.waiting.len() + self.probes.len();
        self.waiting.retain(|w| w.id != id);
        self.probes.retain(|p| p.id != id);
        let mut found = self.waiting.len() + self.probes.len() < known;
        if self.probing.as_ref().is_some_and(|p| p.id == id) {
            self.probing = None;
            self.running.iter().for_each(|r| r.cancel.cancel());
            found = true;
        }
        if found {
            self.reply(id, Err((ErrorCode::RequestCanceled, "cancelled by the client".into())));
        }
    }

    // Documents -----------------------------------------------------------------------------------

    fn open(&mut self, uri: Uri, version: i32, text: String) {
        let path = of_uri(&uri);
        let text: Arc<str> = text.into();
        let was = self.w.overlay.text(&path);
        self.w.overlay.set(&path, text.clone());
        let lines = Lines::of(&text);
        self.w.documents.insert(path.clone(), Document { uri, version, text, lines });
        self.w.summaries.remove(&path);
        // A client that has closed it shows nothing of it.
        self.published.remove(&path);
        let is_new = was.is_none() || was != self.w.overlay.get(&path);
        self.touch_others(&path, was.as_deref());
        if is_new {
            self.touch(&path);
        } else {
            self.show(&path);
        }
        self.find_users(&path);
    }

    /// Sources that include a header without a description are analysed, so that it is seen in one of them.
    fn find_users(&mut self, path: &str) {
        self.guess.opened(path);
        if !is_header(path) || self.w.includers.contains_key(path) {
            return;
        }
        let users = self.guess.users(path, &self.w.folders);
        let new = |p: &String| !self.background.contains(p) && !self.w.roots.contains_key(p) && !self.w.summaries.contains_key(p);
        // The nearest is the first to be analysed: the list is taken from its end.
        let new: Vec<String> = users.into_iter().filter(new).rev().collect();
        self.background.extend(new);
    }

    fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let path = of_uri(uri);
        let Some(d) = self.w.documents.get_mut(&path) else {
            return self.log(format!("a change of `{path}`, which is not open"));
        };
        let mut text = d.text.to_string();
        apply(&mut text, changes, self.w.columns);
        d.version = version;
        d.text = text.into();
        d.lines = Lines::of(&d.text);
        let text = d.text.clone();
        self.w.overlay.set(&path, text.clone());
        self.touch_after(&path, Some(&text));
    }

    fn close(&mut self, uri: &Uri) {
        let path = of_uri(uri);
        if self.w.documents.remove(&path).is_none() {
            return;
        }
        let was = self.w.overlay.get(&path);
        self.w.overlay.remove(&path);
        self.touch_others(&path, was.as_deref());
        self.drop_roots();
        if self.w.projects.sources(&self.w.folders).contains(&path) {
            self.background.push(path.clone());
        }
        self.refresh_background(&path);
        self.answer_waiting();
    }

    /// The text of a document changed: the roots that see it are out of date.
    fn touch(&mut self, path: &str) {
        self.touch_after(path, None);
    }

    /// The same where the new text is known. Roots whose program it does not change stay as they are until a request is about them, but for the one in which
    /// the document is seen.
    fn touch_after(&mut self, path: &str, text: Option<&str>) {
        let root = self.w.root_of(path);
        let mut affected: Vec<String> = Vec::new();
        // Most roots have read the same text.
        let mut edits: Vec<Edit> = Vec::new();
        for (name, r) in &mut self.w.roots {
            let Some((read, old)) = r.read.as_ref().and_then(|read| Some((read, read.text(path)?))) else {
                if name == path {
                    affected.push(name.clone());
                }
                continue;
            };
            let is_other = *name != root && *name != path && r.is_current() && !r.mentions(path);
            let Some(text) = text.filter(|_| is_other) else {
                affected.push(name.clone());
                continue;
            };
            if **old == *text {
                r.outdated.remove(path);
                continue;
            }
            let at = edits.iter().position(|e| e.is_of(old)).unwrap_or_else(|| {
                edits.push(Edit::new(old, text));
                edits.len() - 1
            });
            if edits[at].is_seen_in(read, path) {
                affected.push(name.clone());
            } else {
                r.outdated.insert(path.to_owned());
            }
        }
        affected.push(root);
        self.generation += 1;
        for name in &affected {
            self.w.roots.entry(name.clone()).or_default().renew(self.generation);
        }
        self.in_use(path);
        self.interrupt(&affected);
    }

    /// A document is opened or closed. For roots that have read its file nothing changes if its text was the same; others may find it now where an include
    /// found nothing.
    fn touch_others(&mut self, path: &str, was: Option<&str>) {
        let now = self.w.overlay.text(path);
        if was != now.as_deref() || was.is_none() {
            return self.touch_all();
        }
        // What has errors may have looked for it before the file was there.
        let has_read = |r: &Root| r.read.as_ref().and_then(|read| read.text(path).map(|text| Some(&**text) == was));
        let affected: Vec<String> =
            self.w.roots.iter().filter(|(_, r)| !has_read(r).unwrap_or(!r.failed)).map(|(name, _)| name.clone()).collect();
        self.generation += 1;
        for name in &affected {
            if let Some(r) = self.w.roots.get_mut(name) {
                r.renew(self.generation);
            }
        }
        self.interrupt(&affected);
    }

    /// A document is open whose text is that of its file: an analysis that has read this is one of the document.
    fn show(&mut self, path: &str) {
        let root = self.w.root_of(path);
        let text = self.w.overlay.get(path);
        let r = self.w.roots.entry(root.clone()).or_default();
        let has_it = |s: &Snapshot| s.file(path).is_some_and(|f| Some(&s.files[f].text) == text.as_ref());
        if r.is_exact() && r.snapshot.as_deref().is_some_and(has_it) {
            self.publish_root(&root);
            self.rehome();
        } else if r.is_current() {
            self.generation += 1;
            r.renew(self.generation);
            self.interrupt(&[root]);
        }
        self.in_use(path);
    }

    /// The client is busy with a document: its root comes before others.
    fn in_use(&mut self, path: &str) {
        self.uses += 1;
        let root = self.w.root_of(path);
        if let Some(r) = self.w.roots.get_mut(&root) {
            r.used = self.uses;
        }
    }

    /// Anything may have changed.
    fn touch_all(&mut self) {
        self.generation += 1;
        let all: Vec<String> = self.w.roots.keys().cloned().collect();
        self.w.roots.values_mut().for_each(|r| r.renew(self.generation));
        self.interrupt(&all);
    }

    /// Cancels the running job if it is for one of these roots, or is less urgent than their analysis.
    fn interrupt(&mut self, affected: &[String]) {
        for name in affected {
            if let Some(r) = self.w.roots.get_mut(name) {
                r.compile_at = None;
            }
        }
        let now = Instant::now();
        let Some(running) = &self.running else { return };
        let stop = match running.kind {
            Kind::Analyse => {
                let starved = self.w.roots.get(&running.root).and_then(|r| r.analysed_at).is_none_or(|at| now - at > STARVED);
                affected.contains(&running.root) && !starved
            }
            // Its positions are those of an older text.
            Kind::Probe(_) => false,
            Kind::Compile | Kind::Background => true,
        };
        if stop {
            running.cancel.cancel();
        }
    }

    /// Forgets roots that no open document needs, with their diagnostics.
    fn drop_roots(&mut self) {
        let needed = self.w.needed();
        let gone: Vec<String> = self.w.roots.keys().filter(|r| !needed.contains(*r)).cloned().collect();
        for name in gone {
            if let Some(mut root) = self.w.roots.remove(&name) {
                bury(&self.worker, root.snapshot.take());
                if root.is_dropped {
                    self.w.summaries.remove(&name);
                }
                root.published.iter().for_each(|path| self.publish(path));
            }
            if !self.w.summaries.contains_key(&name) {
                self.w.includers.values_mut().for_each(|roots| _ = roots.remove(&name));
                self.w.includers.retain(|_, roots| !roots.is_empty());
            }
        }
        let new: Vec<String> = needed.into_iter().filter(|r| !self.w.roots.contains_key(r)).collect();
        for name in new {
            self.generation += 1;
            self.w.roots.insert(name, Root { generation: self.generation, ..Root::default() });
        }
        let open = &self.w.documents;
        self.published.retain(|path, (_, list)| open.contains_key(path) || !list.is_empty());
    }

    // Jobs ----------------------------------------------------------------------------------------

    /// Gives the worker the most urgent job.
    fn schedule(&mut self) {
        if self.running.is_some() {
            return;
        }
        if let Some(p) = (!self.probes.is_empty()).then(|| self.probes.remove(0)) {
            let root = self.w.root_of(&p.path);
            let patched = (root != p.path).then(|| (p.path.clone(), p.text.clone()));
            let text = if patched.is_some() { self.w.overlay.text(&root) } else { Some(p.text.clone()) };
            match text {
                Some(text) => {
                    let task = Task::Probe { id: p.id.clone(), patched };
                    self.start(&root, text, task, Kind::Probe(p.id.clone()));
                    self.probing = Some(p);
                }
                None => self.reply(p.id, Ok(Value::Null)),
            }
            return;
        }
        let now = Instant::now();
        // What a request waits for comes first, then what the client was busy with last. Of several roots of a header, that in which it is seen is before others.
        let awaited: FxHashSet<String> = self.waiting.iter().map(|w| self.w.root_of(&w.path)).collect();
        let seen: FxHashSet<String> = self.w.documents.keys().map(|d| self.w.root_of(d)).collect();
        let stale = self.w.roots.iter().filter(|(_, r)| !r.is_current());
        let key = |name: &String, r: &Root| (awaited.contains(name), r.used, r.generation, seen.contains(name));
        let next = stale.max_by_key(|(name, r)| key(name, r)).map(|(name, _)| name.clone());
        if let Some(root) = next {
            match self.w.overlay.text(&root) {
                Some(text) => self.start(&root, text, Task::Analyse, Kind::Analyse),
                None => {
                    // The file of the root is gone: its headers are on their own.
                    self.w.forget_includes(&root);
                    if let Some(r) = self.w.roots.get_mut(&root) {
                        r.analysed = r.generation;
                        r.read = None;
                        bury(&self.worker, r.snapshot.take());
                    }
                    self.drop_roots();
                    self.answer_waiting();
                }
            }
            return;
        }
        // One whose analysis is there is first: it may be dropped for another one.
        let due = self.w.roots.iter().filter(|(_, r)| r.compile_at.is_some_and(|at| at <= now));
        let due = due.max_by_key(|(_, r)| r.is_exact()).map(|(name, _)| name.clone());
        if let Some(name) = due
            && let Some(r) = self.w.roots.get_mut(&name)
        {
            if !r.is_exact() {
                // What the compilation says has its places in the texts of now.
                self.generation += 1;
                r.again(self.generation);
                r.compiles_next = true;
                return self.schedule();
            }
            r.compile_at = None;
            let snapshot = r.snapshot.clone();
            if let (Some(snapshot), Some(text)) = (snapshot, self.w.overlay.text(&name)) {
                self.start(&name, text, Task::Compile(snapshot), Kind::Compile);
            }
            return;
        }
        while let Some(path) = self.background.pop() {
            if self.w.roots.contains_key(&path) {
                continue;
            }
            match self.w.overlay.text(&path) {
                Some(text) => return self.start(&path, text, Task::Analyse, Kind::Background),
                None => self.forget_summary(&path),
            }
        }
    }

    fn start(&mut self, root: &str, text: Arc<str>, task: Task, kind: Kind) {
        let (configurations, problems) = self.configurations(root, &text);
        let generation = match self.w.roots.get_mut(root) {
            Some(r) => {
                r.problems = problems;
                r.options = configurations.first().map(|c| c.options.clone());
                r.configurations = configurations.iter().map(|c| c.name.clone()).collect();
                r.generation
            }
            None => self.generation,
        };
        let cancel = CancelToken::new();
        let job = Job { root: root.to_owned(), generation, text, configurations, task, cancel: cancel.clone() };
        self.running = Some(Running { root: root.to_owned(), kind, cancel });
        // The worker ends only with the server.
        self.worker.orders.send(Order::Do(Box::new(job))).ok();
    }

    fn configurations(&mut self, root: &str, text: &str) -> (Vec<Configuration>, Vec<Problem>) {
        let (mut all, problems) = self.w.projects.configurations(root, text, &self.w.settings.arguments);
        for c in all.iter_mut().filter(|c| c.guessed) {
            let given = &c.options.include_dirs;
            let roots = self.guess.include_roots(root, text, given, &self.w.folders, &self.w.overlay);
            c.options.include_dirs.extend(roots);
        }
        // The chosen one counts for everything but diagnostics.
        if let Some(at) = self.w.chosen_configurations.get(root).and_then(|name| all.iter().position(|c| c.name == *name)) {
            all[..=at].rotate_right(1);
        }
        (all, problems)
    }

    /// Chooses the source and the configuration in which a document is seen.
    fn choose(&mut self, chosen: &requests::Chosen) -> Result<Value, Failure> {
        let choices = self.w.choices(&chosen.path);
        let same = |c: &&crate::workspace::Choice| c.root == chosen.root && c.configuration == chosen.configuration;
        let Some(choice) = choices.iter().find(same) else {
            let of =
                if chosen.configuration.is_empty() { String::new() } else { format!(" in the configuration `{}`", chosen.configuration) };
            return Err((ErrorCode::InvalidParams, format!("`{}` cannot be seen as `{}` sees it{of}", chosen.path, chosen.root)));
        };
        if chosen.path != choice.root {
            self.w.chosen_roots.insert(chosen.path.clone(), choice.root.clone());
        }
        if !choice.configuration.is_empty() {
            self.w.chosen_configurations.insert(choice.root.clone(), choice.configuration.clone());
        }
        self.drop_roots();
        self.touch(&chosen.path);
        self.refresh();
        Ok(Value::Bool(true))
    }

    fn finished(&mut self, done: Done) {
        let Some(running) = self.running.take() else { return };
        let Done { root: name, generation, outcome } = done;
        self.statistics.count(&running.kind, &outcome);
        if running.kind == Kind::Background {
            match outcome {
                Outcome::Analysed(snapshot, ..) => {
                    self.w.note_includes(&snapshot);
                    self.w.summaries.insert(name, Summary::of(&snapshot, self.w.columns));
                    bury(&self.worker, Some(snapshot));
                    self.rehome();
                }
                Outcome::Cancelled => self.background.push(name),
                _ => {}
            }
            return;
        }
        match outcome {
            Outcome::Probed(id, snapshot) => {
                if let Some(p) = self.probing.take_if(|p| p.id == id) {
                    let answer = self.guarded(|_| requests::answer_probe(&snapshot, &p.path, &p.purpose));
                    self.reply(id, answer);
                }
                bury(&self.worker, Some(snapshot));
            }
            Outcome::Analysed(snapshot, diagnostics, failed) => {
                self.w.note_includes(&snapshot);
                let delay = Duration::from_millis(self.w.settings.compile_delay);
                let read = Read::of(&snapshot);
                let compile = self.w.settings.compile;
                if let Some(r) = self.w.roots.get_mut(&name) {
                    bury(&self.worker, r.snapshot.replace(snapshot));
                    r.read = Some(read);
                    if std::mem::take(&mut r.is_dropped) {
                        self.w.summaries.remove(&name);
                    }
                    let next = std::mem::take(&mut r.compiles_next);
                    let delay = if next { Duration::ZERO } else { delay };
                    (r.diagnostics, r.failed) = (diagnostics, failed);
                    (r.analysed, r.analysed_at) = (generation, Some(Instant::now()));
                    let wanted = next || r.compiled().is_none();
                    r.compile_at = (compile && wanted && !failed && r.is_current()).then(|| Instant::now() + delay);
                    self.publish_root(&name);
                }
                self.drop_analyses(&name);
                self.rehome();
                self.answer_waiting();
            }
            Outcome::Compiled(compiled) => {
                let root = self.w.roots.get_mut(&name).filter(|r| r.generation == generation);
                if let Some(r) = root {
                    if !r.is_exact() {
                        // Its places are those of older texts.
                        r.compile_at = Some(Instant::now());
                        return;
                    }
                    r.later = r.snapshot.as_deref().map(|s| later(s, &r.diagnostics, &compiled.diagnostics)).unwrap_or_default();
                    r.compiled = Some((generation, compiled));
                    self.publish_root(&name);
                    self.refresh();
                }
            }
            Outcome::Cancelled => {
                if let Kind::Probe(id) = &running.kind
                    && self.probing.take_if(|p| p.id == *id).is_some()
                {
                    self.reply(id.clone(), Err((ErrorCode::ContentModified, "the document changed".into())));
                }
                if let (Kind::Compile, Some(r)) = (&running.kind, self.w.roots.get_mut(&name))
                    && r.is_current()
                {
                    r.compile_at = Some(Instant::now() + Duration::from_millis(self.w.settings.compile_delay));
                }
            }
            Outcome::Failed(message) => {
                self.log(format!("{name}: {message}"));
                if let Kind::Probe(id) = &running.kind
                    && self.probing.take_if(|p| p.id == *id).is_some()
                {
                    self.reply(id.clone(), Err((ErrorCode::RequestFailed, message)));
                } else if let (Kind::Analyse, Some(r)) = (&running.kind, self.w.roots.get_mut(&name)) {
                    (r.analysed, r.analysed_at) = (generation, Some(Instant::now()));
                    bury(&self.worker, r.snapshot.take());
                    self.answer_waiting();
                }
            }
        }
    }

    /// Drops the analyses of sources that were not in use for longest, but for the newest one, as long as all have read too much. Their names are in summaries then,
    /// and their diagnostics stay.
    fn drop_analyses(&mut self, newest: &str) {
        loop {
            let there = || self.w.roots.iter().filter(|(_, r)| r.snapshot.is_some());
            let bytes: usize = there().filter_map(|(_, r)| r.read.as_ref()).map(Read::bytes).sum();
            if bytes <= MAX_READ || there().count() <= LEAST_ANALYSES {
                return;
            }
            let old = there().filter(|(name, r)| *name != newest && r.is_current()).min_by_key(|(_, r)| r.used);
            let Some(name) = old.map(|(name, _)| name.clone()) else { return };
            let Some(r) = self.w.roots.get_mut(&name) else { return };
            r.diagnostics = found_by(r);
            if let Some(snapshot) = r.snapshot.take() {
                r.is_dropped = true;
                self.w.summaries.insert(name, Summary::of(&snapshot, self.w.columns));
                bury(&self.worker, Some(snapshot));
            }
        }
    }

    /// Open headers whose root is another one now get it.
    fn rehome(&mut self) {
        let needed = self.w.needed();
        if !self.w.roots.keys().eq(needed.iter()) {
            self.drop_roots();
            self.refresh();
        }
    }

    /// Tells the client that hints and lenses are new.
    fn refresh(&mut self) {
        for (can, method) in [(self.refreshes.0, "workspace/inlayHint/refresh"), (self.refreshes.1, "workspace/codeLens/refresh")] {
            if can {
                self.requests += 1;
                self.send(Request { id: format!("rtc.{}", self.requests).into(), method: method.into(), params: Value::Null });
            }
        }
    }

    // Background ----------------------------------------------------------------------------------

    /// The sources of the project's descriptions, which are analysed when there is nothing else to do.
    fn find_background(&mut self) {
        let folders = self.w.folders.clone();
        let mut all = self.w.projects.sources(&folders);
        all.truncate(MAX_BACKGROUND);
        all.retain(|p| !self.w.summaries.contains_key(p) && !self.w.roots.contains_key(p));
        // The list is taken from its end: headers are seen in the first source that includes them.
        all.reverse();
        self.background = all;
    }

    /// The summaries that have seen `path` are out of date.
    fn refresh_background(&mut self, path: &str) {
        let stale = self.w.summaries.iter().filter(|(name, s)| **name == path || s.files.iter().any(|f| f == path));
        let stale: Vec<String> = stale.map(|(name, _)| name.clone()).filter(|name| !self.background.contains(name)).collect();
        self.background.extend(stale);
        if path.ends_with("/rtc.toml") || path.ends_with("/compile_commands.json") {
            self.find_background();
        }
    }

    fn forget_summary(&mut self, path: &str) {
        self.w.summaries.remove(path);
        self.w.forget_includes(path);
    }

    // Answers -------------------------------------------------------------------------------------

    /// Answers the requests whose roots are current.
    fn answer_waiting(&mut self) {
        let all = std::mem::take(&mut self.waiting);
        for w in all {
            let root = self.w.root_of(&w.path);
            let Some(r) = self.w.roots.get(&root).filter(|_| self.w.documents.contains_key(&w.path)) else {
                self.reply(w.id, Err((ErrorCode::InvalidParams, format!("`{}` is not open", w.path))));
                continue;
            };
            if requests::needs_probe(&w.method) && !r.is_dropped {
                match self.guarded(|s| requests::prepare(&s.w, &w.path, &w.params)) {
                    Ok(Some(Prepared::Probe(text, purpose))) => self.probes.push(ProbeJob { id: w.id, path: w.path, text, purpose }),
                    Ok(Some(Prepared::Ready(list))) => self.reply(w.id, requests::answer_ready(list)),
                    Ok(None) => self.reply(w.id, Ok(Value::Null)),
                    Err(e) => self.reply(w.id, Err(e)),
                }
                continue;
            }
            let of_all = requests::is_of_all(&w.method);
            if r.is_current() && (!r.is_exact() || of_all) {
                self.make_exact(&root, of_all);
            }
            let ready = self.w.roots.get(&root).is_some_and(Root::is_exact) && (!of_all || self.w.roots.values().all(Root::is_up_to_date));
            let Some(r) = self.w.roots.get(&root).filter(|_| ready) else {
                self.waiting.push(w);
                continue;
            };
            let snapshot = r.snapshot.clone();
            let (id, answers) = (w.id.clone(), self.answers.0.clone());
            let question = Question { id: w.id, method: &w.method, params: w.params, path: &w.path, snapshot: snapshot.as_deref() };
            match self.guarded(|s| requests::answer(&s.w, question, &answers)) {
                Ok(Some(value)) => self.reply(id, Ok(value)),
                // Another thread answers.
                Ok(None) => {}
                Err(e) => self.reply(id, Err(e)),
            }
        }
    }

    /// Has a root analysed again, or all, where positions of names are old ones.
    fn make_exact(&mut self, root: &str, all: bool) {
        let is_old = |name: &String, r: &Root| if name == root { !r.is_exact() } else { all && !r.is_up_to_date() };
        let old = self.w.roots.iter().filter(|(name, r)| r.is_current() && is_old(name, r));
        let old: Vec<String> = old.map(|(name, _)| name.clone()).collect();
        if old.is_empty() {
            return;
        }
        self.generation += 1;
        for name in &old {
            if let Some(r) = self.w.roots.get_mut(name) {
                r.again(self.generation);
            }
        }
        self.interrupt(&old);
    }

    /// What the worker has done, how many jobs are left, how many analyses are kept.
    fn statistics(&self) -> Value {
        let stale = self.w.roots.values().filter(|r| !r.is_current() || r.compile_at.is_some()).count();
        let left = stale + usize::from(self.running.is_some()) + self.probes.len() + self.background.len();
        let kept = self.w.roots.values().filter(|r| r.snapshot.is_some()).count();
        let s = &self.statistics;
        serde_json::json!({
            "analyses": s.analyses, "background": s.background, "probes": s.probes, "compilations": s.compilations, "cancelled": s.cancelled, "left": left, "kept": kept
        })
    }

    fn give_up_waiting(&mut self) {
        let now = Instant::now();
        let (late, waiting): (Vec<Waiting>, _) = std::mem::take(&mut self.waiting).into_iter().partition(|w| now - w.since > LONGEST_WAIT);
        self.waiting = waiting;
        for w in late {
            self.reply(w.id, Err((ErrorCode::RequestFailed, "the analysis of the source takes too long".into())));
        }
    }

    // Diagnostics ---------------------------------------------------------------------------------

    /// Publishes the diagnostics of a root, for each file that has some or had some.
    fn publish_root(&mut self, name: &str) {
        let Some(r) = self.w.roots.get_mut(name) else { return };
        let mut paths: BTreeSet<String> = std::mem::take(&mut r.published);
        let found = found_by(r);
        r.published = found.iter().filter(|(_, list)| !list.is_empty()).map(|(path, _)| path.clone()).collect();
        r.published.extend(r.problems.iter().map(|p| p.file.clone()));
        paths.extend(r.published.iter().cloned());
        // Clients learn from an empty list that a version is analysed.
        paths.extend(self.w.documents.keys().filter(|d| self.w.root_of(d) == name).cloned());
        paths.insert(name.to_owned());
        paths.iter().for_each(|path| self.publish(path));
    }

    /// Publishes the diagnostics of a file, if they are not those that were published last.
    fn publish(&mut self, path: &str) {
        let Some(uri) = self.w.documents.get(path).map(|d| d.uri.clone()).or_else(|| to_uri(path)) else { return };
        let diagnostics: Vec<LspDiagnostic> = self.w.found_in(path).into_iter().map(|f| f.diagnostic).collect();
        let open = self.w.documents.get(path);
        let current = self.w.roots.get(&self.w.root_of(path)).is_some_and(Root::is_current);
        let version = open.filter(|_| current).map(|d| d.version);
        let same = |(of, old): &(Option<i32>, Vec<LspDiagnostic>)| *old == diagnostics && (open.is_none() || *of == version);
        if self.published.get(path).map_or(open.is_none() && diagnostics.is_empty(), same) {
            return;
        }
        self.published.insert(path.to_owned(), (version, diagnostics.clone()));
        self.notify::<n::PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
    }
}
