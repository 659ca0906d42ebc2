//! Many compilations in one process: a [`Session`] shares the files and tokens that they have in common, and keeps what goes wrong inside.
//!
//! ```
//! use rtc::{Options, Profile, Session, Virtual};
//!
//! let session = Session::new(Virtual::new([("lib.hlsli", "float twice(float x) { return 2 * x; }")]));
//! let mut options = Options::new(Profile::parse("cs_6_6")?);
//! let source = br#"
//!     #include "lib.hlsli"
//!     RWByteAddressBuffer Out;
//!     [numthreads(1, 1, 1)] void main() { Out.Store(0, asuint(twice(N))); }
//! "#;
//! for n in 0..4 {
//!     options.defines = vec![rtc::Define::parse(&format!("N={n}"))];
//!     let compilation = session.compile("main.hlsl", source, &options)?;
//!     assert!(compilation.product.is_some());
//! }
//! assert_eq!(session.statistics().reads, 1, "the header was read once");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A session is cheap to clone, and its clones work on several threads at once. Work runs on the thread that calls, on a stack of its own,
//! so that a thread with a small stack may call; a panic, which is always a mistake of the compiler, is caught and returned as
//! [`Stopped::Internal`].

mod files;
mod stack;
mod stopped;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rtc_base::clock::Instant;
use rtc_base::control::{Control, MemoryLimit, Progress};
use rtc_frontend::lex::TokenCache;
use rtc_frontend::preamble::PreambleCache;
use rtc_frontend::preprocess::{Files, Includes};

use crate::analysis::Analysis;
use crate::compilation::Compilation;
use crate::error::FileError;
use crate::link::{Input, LinkOptions, Linked};
use crate::options::Options;
use crate::paq::{Assume, Inference};
use crate::reflection::Reflection;
use crate::validate::Validation;
use files::{FileCache, Shared};
use stack::Stacks;

pub use stopped::{Failure, InternalError, LinkErrors, Stopped};

/// The shared state of compilations: files that were read and texts that were lexed. See the [module](self).
#[derive(Clone)]
pub struct Session {
    state: Arc<State>,
}

struct State {
    files: FileCache,
    tokens: Arc<TokenCache>,
    preambles: Arc<PreambleCache>,
    /// Whether compilations share tokens and preambles.
    shares: bool,
    stacks: Stacks,
}

/// What all sessions of [`Session::of_process`] share takes at most about so many bytes.
pub const PROCESS_BYTES: usize = 128 << 20;

/// What compilations share apart from files.
#[derive(Default)]
struct Caches {
    tokens: Arc<TokenCache>,
    preambles: Arc<PreambleCache>,
}

impl Caches {
    /// A quarter is for tokens, which each preamble saves.
    fn within(bytes: usize) -> Self {
        Caches { tokens: Arc::new(TokenCache::within(bytes / 4)), preambles: Arc::new(PreambleCache::within(bytes / 4 * 3)) }
    }

    fn sharing(&self) -> Self {
        Caches { tokens: Arc::new(self.tokens.sharing()), preambles: Arc::new(self.preambles.sharing()) }
    }
}

/// Limits of a job; none where there is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The longest time.
    pub time: Option<Duration>,
    /// The most memory, in bytes.
    pub memory: Option<usize>,
}

/// What a session saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// How often a path was read, files that do not exist included.
    pub reads: u64,
    /// How often a path was known.
    pub reads_saved: u64,
    /// How often a text was lexed.
    pub lexed: u64,
    /// How often its tokens were there.
    pub lexed_saved: u64,
    /// How often a source was compiled whose first includes were there with all their declarations.
    pub preambles_saved: u64,
}

/// Cancels jobs from any thread. Clones cancel the same jobs.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    flag: Arc<AtomicBool>,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the jobs that have this token, at their next phase. It stays cancelled.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

impl Session {
    /// A session whose includes are `files`: [`Disk`](crate::Disk), [`Virtual`](crate::Virtual), a [`Callback`](crate::Callback), or
    /// another source. Each path is read once, until [`Session::forget_files`].
    pub fn new(files: impl Files + 'static) -> Self {
        Session::of(Box::new(files), Caches::default(), true)
    }

    /// The same with at most about `bytes` of memory for what compilations share. What a job needs while it runs is not part of that.
    pub fn within(bytes: usize, files: impl Files + 'static) -> Self {
        Session::of(Box::new(files), Caches::within(bytes), true)
    }

    /// A session that shares tokens and preambles with all others that are made by this function in this process. Files are its own: what is shared
    /// is compared with the bytes that they have, so it makes no difference how two sessions come to theirs. All of it together is at most
    /// about [`PROCESS_BYTES`], and it stays when the last session ends. Libraries use it whose clients make a compiler for each call.
    ///
    /// ```
    /// use rtc::{Options, Profile, Session, Virtual};
    ///
    /// let options = Options::new(Profile::parse("lib_6_6")?);
    /// let lexed = || {
    ///     let session = Session::of_process(Virtual::new([("a.hlsli", "float twice(float x) { return 2 * x; }")]));
    ///     session.compile("main.hlsl", b"#include \"a.hlsli\"\nexport float f() { return twice(1); }", &options).expect("no limit");
    ///     session.statistics().lexed_saved
    /// };
    /// let (first, second) = (lexed(), lexed());
    /// assert!(second > first, "the second session found the tokens of the header");
    /// # Ok::<(), rtc::OptionError>(())
    /// ```
    pub fn of_process(files: impl Files + 'static) -> Self {
        static SHARED: LazyLock<Caches> = LazyLock::new(|| Caches::within(PROCESS_BYTES));
        Session::of(Box::new(files), SHARED.sharing(), true)
    }

    /// A session for a single job. It keeps no tokens for others, which saves the first one a copy of them.
    pub fn for_one_job(files: impl Files + 'static) -> Self {
        Session::of(Box::new(files), Caches::default(), false)
    }

    fn of(files: Box<dyn Files>, caches: Caches, shares: bool) -> Self {
        let Caches { tokens, preambles } = caches;
        Session { state: Arc::new(State { files: FileCache::new(files), tokens, preambles, shares, stacks: Stacks::default() }) }
    }

    /// Forgets everything that is shared, with other sessions too if it is.
    pub fn forget(&self) {
        self.forget_files();
        self.state.tokens.clear();
        self.state.preambles.clear();
    }

    /// Forgets the files that were read, because they may have changed. Tokens stay: they belong to texts, not to files.
    pub fn forget_files(&self) {
        self.state.files.forget();
    }

    /// What was saved so far.
    pub fn statistics(&self) -> Statistics {
        let (reads, reads_saved) = self.state.files.statistics();
        let tokens = self.state.tokens.statistics();
        Statistics { reads, reads_saved, lexed: tokens.misses, lexed_saved: tokens.hits, preambles_saved: self.state.preambles.hits() }
    }

    /// A job of this session, without limits.
    pub fn job(&self) -> Job<'_> {
        Job { session: self, includes: None, cancel: None, time: None, memory: None, progress: None }
    }

    /// Compiles the source `name` of these bytes.
    ///
    /// # Errors
    /// The compiler stopped before its end. Mistakes in the source are diagnostics.
    pub fn compile(&self, name: &str, source: &[u8], options: &Options) -> Result<Compilation, Stopped> {
        self.job().compile(name, source, options)
    }

    /// Compiles several entry points of a source; see [`Job::compile_entries`].
    ///
    /// # Errors
    /// As [`Session::compile`].
    pub fn compile_entries(&self, name: &str, source: &[u8], options: &Options, entries: &[&str]) -> Result<Vec<Compilation>, Stopped> {
        self.job().compile_entries(name, source, options, entries)
    }

    /// Preprocesses only. Gives the text, even if there were errors.
    ///
    /// # Errors
    /// As [`Session::compile`].
    pub fn preprocess(&self, name: &str, source: &[u8], options: &Options) -> Result<(String, Compilation), Stopped> {
        self.job().preprocess(name, source, options)
    }

    /// Links DXIL libraries.
    ///
    /// # Errors
    /// They cannot be linked, or the linker stopped before its end.
    pub fn link(&self, inputs: &[Input<'_>], options: &LinkOptions) -> Result<Linked, Failure<LinkErrors>> {
        self.job().link(inputs, options)
    }

    /// The reflection of a compiled file.
    ///
    /// # Errors
    /// The file is damaged or has none.
    pub fn reflect(&self, data: &[u8]) -> Result<Reflection, Failure<FileError>> {
        self.job().reflect(data)
    }

    /// Validates a DXIL container.
    ///
    /// # Errors
    /// The file is no DXIL container.
    pub fn validate(&self, data: &[u8]) -> Result<Validation, Failure<FileError>> {
        self.job().validate(data)
    }

    /// The listing of a compiled file.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn disassemble(&self, data: &[u8]) -> Result<String, Failure<FileError>> {
        self.job().disassemble(data)
    }

    /// Infers payload access qualifiers of libraries; see [`crate::paq::infer`].
    ///
    /// # Errors
    /// As [`Session::compile`].
    pub fn run_paq(&self, sources: &[(String, Vec<u8>)], options: &Options, assume: Assume) -> Result<Inference, Stopped> {
        self.job().run_paq(sources, options, assume)
    }
}

/// Work of a session with includes, limits and cancellation of its own.
///
/// ```
/// use rtc::{CancelToken, Options, Profile, Session, Stopped, Virtual};
///
/// let (session, token) = (Session::new(Virtual::default()), CancelToken::new());
/// token.cancel();
/// let options = Options::new(Profile::parse("lib_6_6")?);
/// let stopped = session.job().cancelled_by(&token).compile("a.hlsl", b"float x;", &options);
/// assert!(matches!(stopped, Err(Stopped::Cancelled)));
/// # Ok::<(), rtc::OptionError>(())
/// ```
pub struct Job<'a> {
    session: &'a Session,
    includes: Option<&'a mut dyn Includes>,
    cancel: Option<CancelToken>,
    time: Option<Duration>,
    memory: Option<MemoryLimit>,
    progress: Option<Progress>,
}

impl<'a> Job<'a> {
    /// Takes includes from here in place of the session's files. What is read is not kept, but tokens are shared.
    pub fn includes(mut self, includes: &'a mut dyn Includes) -> Self {
        self.includes = Some(includes);
        self
    }

    /// The job stops when the token is cancelled.
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// The job stops after this time.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// The job stops when its thread has allocated more than `bytes` for it. `used` says how much that thread has allocated and not freed;
    /// an allocator of the program counts it: [`crate::memory::used`], if the program installs [`crate::memory::Counting`].
    pub fn memory_limit(mut self, bytes: usize, used: fn() -> isize) -> Self {
        self.memory = Some(MemoryLimit { used, bytes });
        self
    }

    /// Limits of a command line, where this job has none of its own. That of memory needs [`crate::memory::Counting`].
    pub fn limits(mut self, limits: &Limits) -> Self {
        self.time = self.time.or(limits.time);
        self.memory = self.memory.or(limits.memory.map(|bytes| MemoryLimit { used: crate::memory::used, bytes }));
        self
    }

    /// Calls `progress` with each phase that begins, and the function or pass that it is about.
    pub fn progress(mut self, progress: impl Fn(&'static str, &str) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(progress));
        self
    }

    /// Compiles the source `name` of these bytes.
    ///
    /// # Errors
    /// The compiler stopped before its end. Mistakes in the source are diagnostics.
    pub fn compile(self, name: &str, source: &[u8], options: &Options) -> Result<Compilation, Stopped> {
        self.with_includes(|includes| crate::pipeline::compile(name, source, includes, options))
    }

    /// Compiles several entry points of a source with the same options otherwise, in the order of `entries`. The source is preprocessed and
    /// parsed once.
    ///
    /// # Errors
    /// As [`Job::compile`].
    pub fn compile_entries(self, name: &str, source: &[u8], options: &Options, entries: &[&str]) -> Result<Vec<Compilation>, Stopped> {
        self.with_includes(|includes| crate::pipeline::compile_entries(name, source, includes, options, entries))
    }

    /// Analyses a source for an editor; see [`crate::analysis`].
    ///
    /// # Errors
    /// As [`Job::compile`].
    pub fn analyse(self, name: &str, source: &[u8], options: &Options, probe: Option<&str>) -> Result<Analysis, Stopped> {
        self.with_includes(|includes| crate::analysis::analyse(name, source, includes, options, probe))
    }

    /// Preprocesses only. Gives the text, even if there were errors.
    ///
    /// # Errors
    /// As [`Job::compile`].
    pub fn preprocess(self, name: &str, source: &[u8], options: &Options) -> Result<(String, Compilation), Stopped> {
        self.with_includes(|includes| crate::preprocess::preprocess(name, source, includes, options))
    }

    /// Links DXIL libraries.
    ///
    /// # Errors
    /// They cannot be linked, or the linker stopped before its end.
    pub fn link(self, inputs: &[Input<'_>], options: &LinkOptions) -> Result<Linked, Failure<LinkErrors>> {
        self.run(|| crate::link::link(inputs, options))?.map_err(|e| Failure::Error(LinkErrors(e)))
    }

    /// The reflection of a compiled file.
    ///
    /// # Errors
    /// The file is damaged or has none.
    pub fn reflect(self, data: &[u8]) -> Result<Reflection, Failure<FileError>> {
        self.run(|| crate::reflect::reflection(data))?.map_err(Failure::Error)
    }

    /// Validates a DXIL container.
    ///
    /// # Errors
    /// The file is no DXIL container.
    pub fn validate(self, data: &[u8]) -> Result<Validation, Failure<FileError>> {
        self.run(|| crate::validate::validate(data))?.map_err(Failure::Error)
    }

    /// The listing of a compiled file.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn disassemble(self, data: &[u8]) -> Result<String, Failure<FileError>> {
        self.run(|| crate::dis::disassemble(data))?.map_err(Failure::Error)
    }

    /// Infers payload access qualifiers of libraries; see [`crate::paq::infer`].
    ///
    /// # Errors
    /// As [`Job::compile`].
    pub fn run_paq(self, sources: &[(String, Vec<u8>)], options: &Options, assume: Assume) -> Result<Inference, Stopped> {
        self.with_includes(|includes| crate::paq::infer(sources, includes, options, assume))
    }

    /// Any other work that is subject to the limits of the job, on the session's stack.
    ///
    /// # Errors
    /// As [`Job::compile`].
    pub fn run<T>(self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        let (time, memory) = (self.time, self.memory.map(|m| m.bytes));
        let control = Control {
            cancelled: self.cancel.map(|c| c.flag),
            deadline: self.time.and_then(|limit| Instant::now().checked_add(limit)),
            memory: self.memory,
            progress: self.progress,
        };
        // What is cancelled does not begin, however short it is.
        let begin = || {
            rtc_base::control::checkpoint();
            work()
        };
        stopped::catch(time, memory, || self.session.state.stacks.run(|| rtc_base::control::run(control, begin)))
    }

    fn with_includes<T>(mut self, work: impl FnOnce(&mut dyn Includes) -> T) -> Result<T, Stopped> {
        let session: &'a Session = self.session;
        let state = &session.state;
        let caches = state.shares.then_some((&state.tokens, &state.preambles));
        let mut shared = Shared { files: &state.files, caches, own: self.includes.take() };
        self.run(|| work(&mut shared))
    }
}
