//! The server: one thread listens, reads requests and watches whether clients live; as many as there are processors do the jobs.
//!
//! ```text
//! socket ──► the listening thread ──► queue ──► workers ──► reply
//!              │  a client that dies: its job leaves the queue, or is cancelled
//!              └─ once a second: signs of life, memory, idle time
//! ```
//!
//! A connection has one request. What a client sends is bounded in size and time, and what all send together in size; what is more than that is closed, and such a
//! client compiles itself. The server ends when it is idle, when its program is another one, and when it takes too much memory: then it removes its socket first,
//! so that new clients start a new one, and does what it has.

use std::collections::VecDeque;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rtc::CancelToken;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::RecvFlags;

use super::meeting::{Meeting, program};
use crate::message::{Frame, HEADER, Job, Reply};
use crate::{IDLE_VARIABLE, MEMORY_VARIABLE, Work};

/// How long a client may take to send its request.
const REQUEST_IN: Duration = Duration::from_secs(5);

/// How long a client may take to receive its reply.
const REPLY_IN: Duration = Duration::from_secs(30);

/// How often the server looks after itself and says that it lives.
const TICK: Duration = Duration::from_secs(1);

/// The most connections, and what their requests take together.
const MAX_CONNECTIONS: usize = 4000;
const MAX_WAITING: usize = 300 << 20;

/// How many connections are accepted before others are looked after.
const ACCEPTED_AT_ONCE: usize = 256;

/// How many bytes are read at once.
const READ: usize = 64 << 10;

/// What is configured.
#[derive(Clone, Copy, Debug)]
struct Settings {
    /// The server ends when it had no job for this time.
    idle: Duration,
    /// It ends when it takes more memory than this, in bytes.
    memory: u64,
}

impl Settings {
    fn read() -> Settings {
        let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
        let memory = number(MEMORY_VARIABLE, crate::MEMORY_MIB).max(1) << 20;
        Settings { idle: Duration::from_secs(number(IDLE_VARIABLE, 600)), memory }
    }
}

/// A client whose request is complete.
struct Client {
    stream: UnixStream,
    /// Held while something is written.
    writing: Mutex<()>,
    cancel: CancelToken,
}

/// What the listening thread and the workers share.
#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    filled: Condvar,
}

/// A job in the queue.
struct Waiting {
    client: Arc<Client>,
    job: Job,
    /// The length of the request.
    bytes: usize,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Waiting>,
    /// The bytes of their requests.
    bytes: usize,
    /// How many jobs workers do now, and how many were done.
    running: usize,
    done: u64,
    /// How many of those were declined.
    declined: u64,
    /// Workers end when there is no job.
    closing: bool,
}

impl Shared {
    // The state is valid between any two statements.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, work: &dyn Work, wake: &UnixStream) {
        loop {
            let mut queue = self.queue();
            let Waiting { client, job, bytes } = loop {
                if let Some(next) = queue.jobs.pop_front() {
                    break next;
                }
                if queue.closing {
                    return;
                }
                queue = self.filled.wait(queue).unwrap_or_else(PoisonError::into_inner);
            };
            queue.running += 1;
            queue.bytes -= bytes;
            drop(queue);
            if !client.cancel.is_cancelled() {
                let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reply(work, &job, &client.cancel)));
                let done = done.unwrap_or_else(|_| Reply::Declined("a panic".into()));
                {
                    // Before the client can request a status.
                    let mut queue = self.queue();
                    queue.done += 1;
                    queue.declined += u64::from(matches!(done, Reply::Declined(_)));
                }
                let frame = done.frame();
                let _writing = client.writing.lock().unwrap_or_else(PoisonError::into_inner);
                // A client that does not read has given up.
                _ = (&client.stream).write_all(&frame);
            }
            // The client reads to the end.
            _ = client.stream.shutdown(std::net::Shutdown::Both);
            let mut queue = self.queue();
            queue.running -= 1;
            if queue.closing {
                let mut wake = wake;
                _ = wake.write(&[0]);
            }
        }
    }
}

/// What a job's client gets.
fn reply(work: &dyn Work, job: &Job, cancel: &CancelToken) -> Reply {
    use std::os::unix::ffi::OsStringExt;
    let folder = PathBuf::from(std::ffi::OsString::from_vec(job.folder.clone()));
    // What this path is for the client it must be here.
    match std::fs::metadata(&folder) {
        Ok(m) if folder.is_absolute() && (m.dev(), m.ino()) == job.folder_id => work.run(job, &folder, cancel),
        _ => Reply::Declined("the server does not see the folder".into()),
    }
}

/// A connection, from when it is accepted until it is closed.
struct Connection {
    client: Arc<Client>,
    /// What arrived of the request; none once that is complete.
    request: Option<Vec<u8>>,
    since: Instant,
}

/// What became of a connection.
#[derive(PartialEq, Eq)]
enum Next {
    Stays,
    Closed,
    /// The client asks for the end of the server.
    Stop,
}

struct Server<'a> {
    shared: &'a Shared,
    connections: Vec<Connection>,
    /// What the requests of all connections have sent so far.
    waiting: usize,
    work: &'a dyn Work,
    begin: Instant,
    /// The most connections at once.
    most: usize,
}

impl Server<'_> {
    fn accept(&mut self, listener: &UnixListener) {
        // It does not block. Those that are served go on however many come.
        for _ in 0..ACCEPTED_AT_ONCE {
            let Ok((stream, _)) = listener.accept() else { return };
            // One more is closed at once.
            if self.connections.len() >= self.most
                || stream.set_nonblocking(false).is_err()
                || stream.set_write_timeout(Some(REPLY_IN)).is_err()
            {
                continue;
            }
            let client = Client { stream, writing: Mutex::new(()), cancel: CancelToken::new() };
            self.connections.push(Connection { client: Arc::new(client), request: Some(Vec::new()), since: Instant::now() });
        }
    }

    /// Reads what a client sent, without waiting.
    fn read(&mut self, at: usize) -> Next {
        let Some(connection) = self.connections.get_mut(at) else { return Next::Closed };
        loop {
            let mut buffer = [0; READ];
            let count = match rustix::net::recv(&connection.client.stream, &mut buffer[..], RecvFlags::DONTWAIT) {
                Ok((0, _)) => return Next::Closed,
                Ok((count, _)) => count,
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return Next::Stays,
                Err(_) => return Next::Closed,
            };
            let (Some(request), Some(bytes)) = (&mut connection.request, buffer.get(..count)) else {
                // A client has nothing to say after its request.
                return Next::Closed;
            };
            request.extend(bytes);
            self.waiting += count;
            let Some(header) = request.first_chunk::<HEADER>() else { continue };
            let Some((frame, length)) = Frame::header(*header) else { return Next::Closed };
            if request.len() > HEADER + length || self.waiting > MAX_WAITING {
                return Next::Closed;
            }
            if request.len() < HEADER + length {
                continue;
            }
            let request = connection.request.take().unwrap_or_default();
            self.waiting -= request.len();
            match (frame, request.get(HEADER..).and_then(Job::read)) {
                (Frame::Job, Some(job)) => {
                    let mut queue = self.shared.queue();
                    if queue.bytes + request.len() > MAX_WAITING {
                        return Next::Closed;
                    }
                    queue.bytes += request.len();
                    queue.jobs.push_back(Waiting { client: connection.client.clone(), job, bytes: request.len() });
                    drop(queue);
                    self.shared.filled.notify_one();
                    return Next::Stays;
                }
                (Frame::Status, _) => {
                    let text = self.status();
                    let Some(connection) = self.connections.get(at) else { return Next::Closed };
                    _ = rustix::net::send(&connection.client.stream, &Frame::Text.with(text.as_bytes()), rustix::net::SendFlags::DONTWAIT);
                    return Next::Closed;
                }
                (Frame::Stop, _) => return Next::Stop,
                _ => return Next::Closed,
            }
        }
    }

    fn status(&self) -> String {
        let queue = self.shared.queue();
        let memory = resident().map_or("unknown".into(), |bytes| format!("{} MiB", bytes >> 20));
        format!(
            "process {}, {} jobs done, {} declined, {} running, {} waiting, memory {memory}, {} s old{}\n",
            std::process::id(),
            queue.done,
            queue.declined,
            queue.running,
            queue.jobs.len(),
            self.begin.elapsed().as_secs(),
            self.work.status()
        )
    }

    fn close(&mut self, at: usize) {
        let connection = self.connections.swap_remove(at);
        self.waiting -= connection.request.map_or(0, |r| r.len());
        connection.client.cancel.cancel();
        let mut queue = self.shared.queue();
        if let Some(at) = queue.jobs.iter().position(|w| Arc::ptr_eq(&w.client, &connection.client))
            && let Some(waiting) = queue.jobs.remove(at)
        {
            queue.bytes -= waiting.bytes;
        }
    }

    /// Closes what takes too long, and tells the others that the server lives.
    fn tick(&mut self) {
        let late = |c: &Connection| c.request.is_some() && c.since.elapsed() > REQUEST_IN;
        for at in (0..self.connections.len()).rev() {
            if self.connections.get(at).is_some_and(late) {
                self.close(at);
            }
        }
        let alive = Frame::Alive.with(&[]);
        for c in self.connections.iter().filter(|c| c.request.is_none() && c.since.elapsed() > TICK) {
            // While the reply is written nothing else may be.
            if let Ok(_writing) = c.client.writing.try_lock() {
                _ = rustix::net::send(&c.client.stream, &alive, rustix::net::SendFlags::DONTWAIT | rustix::net::SendFlags::NOSIGNAL);
            }
        }
    }
}

/// The memory that this process takes.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Runs the server of these names until it ends. One that is not needed, because another one has the lock, ends at once.
///
/// # Errors
/// There is no socket.
pub fn run(folder: PathBuf, key: String, work: &dyn Work) -> std::io::Result<()> {
    let meeting = Meeting::of(folder, key);
    if !meeting.is_private() {
        return Err(std::io::Error::other("the folder is not the user's alone"));
    }
    let lock = meeting.lock();
    let mut lock = lock.inspect_err(|_| meeting.has_started())?;
    if lock.is_none() {
        // The client that started this one found no server, and said so in a file when there was one already.
        meeting.has_started();
        meeting.remove_folder();
        return Ok(());
    }
    meeting.remove_stale();
    // A server that was killed left it.
    _ = std::fs::remove_file(meeting.socket());
    let listener = UnixListener::bind(meeting.socket());
    meeting.has_started();
    let done = listener.and_then(|listener| serve(&meeting, listener, &mut lock, work));
    if lock.is_some() {
        meeting.remove();
    }
    meeting.remove_folder();
    done
}

fn serve(meeting: &Meeting, listener: UnixListener, lock: &mut Option<std::fs::File>, work: &dyn Work) -> std::io::Result<()> {
    let settings = Settings::read();
    listener.set_nonblocking(true)?;
    let (wake, waker) = UnixStream::pair()?;
    waker.set_nonblocking(true)?;
    let most = more_descriptors();
    let shared = Shared::default();
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        for n in 0..workers {
            let worker = std::thread::Builder::new().name(format!("worker {n}"));
            // The compiler has stacks of its own; arguments are read on this one.
            worker.stack_size(2 << 20).spawn_scoped(scope, || shared.work(work, &waker))?;
        }
        let mut server = Server { shared: &shared, connections: Vec::new(), waiting: 0, work, begin: Instant::now(), most };
        server.listen(&listener, settings);
        // Clients that come now find no server and start another one.
        meeting.remove();
        drop((listener, lock.take()));
        server.finish(&wake);
        Ok(())
    })
}

/// Permits this process as many open files as it may have. The most connections that it can have then.
fn more_descriptors() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = MAX_CONNECTIONS as u64 + 200;
    let current = limit.maximum.map_or(wanted, |m| m.min(wanted)).max(limit.current.unwrap_or(0));
    let set = setrlimit(Resource::Nofile, Rlimit { current: Some(current), maximum: limit.maximum });
    let files = if set.is_ok() { current } else { limit.current.unwrap_or(wanted) };
    // The others are files that jobs read.
    usize::try_from(files).unwrap_or(MAX_CONNECTIONS).saturating_sub(200).clamp(16, MAX_CONNECTIONS)
}

impl Server<'_> {
    /// Serves until the server is to end.
    fn listen(&mut self, listener: &UnixListener, settings: Settings) {
        let own = program().map(|m| (m.dev(), m.ino()));
        let file = std::env::current_exe().ok();
        let (mut ticked, mut active) = (Instant::now(), Instant::now());
        loop {
            let ready = self.wait(listener.as_fd(), TICK);
            let Some((accepts, ready)) = ready else { continue };
            // From the end, because what is closed is replaced by the last one.
            for at in ready.into_iter().rev() {
                match self.read(at) {
                    Next::Stays => {}
                    Next::Closed => self.close(at),
                    Next::Stop => return,
                }
            }
            if accepts {
                self.accept(listener);
            }
            let busy = {
                let queue = self.shared.queue();
                queue.running > 0 || !queue.jobs.is_empty()
            };
            if busy || !self.connections.is_empty() {
                active = Instant::now();
            }
            if ticked.elapsed() >= TICK {
                ticked = Instant::now();
                self.tick();
                // Another version is installed.
                let replaced = file.as_ref().is_some_and(|f| std::fs::metadata(f).ok().map(|m| (m.dev(), m.ino())) != own);
                if replaced || active.elapsed() >= settings.idle || resident().is_some_and(|bytes| bytes > settings.memory) {
                    return;
                }
            }
        }
    }

    /// Waits until a client comes, sends something or dies: whether one comes, and the connections. Nothing if waiting was interrupted.
    fn wait(&self, first: std::os::fd::BorrowedFd<'_>, time: Duration) -> Option<(bool, Vec<usize>)> {
        let mut all = vec![PollFd::from_borrowed_fd(first, PollFlags::IN)];
        all.extend(self.connections.iter().map(|c| PollFd::new(&c.client.stream, PollFlags::IN)));
        let time = Timespec::try_from(time).ok()?;
        poll(&mut all, Some(&time)).ok()?;
        let mut ready = all.iter().map(|p| !p.revents().is_empty());
        let comes = ready.next()?;
        Some((comes, ready.enumerate().filter(|(_, ready)| *ready).map(|(at, _)| at).collect()))
    }

    /// Does the jobs that are there, then lets the workers end.
    fn finish(&mut self, wake: &UnixStream) {
        self.shared.queue().closing = true;
        self.shared.filled.notify_all();
        loop {
            // Connections without a complete request have nothing to wait for.
            for at in (0..self.connections.len()).rev() {
                if self.connections.get(at).is_some_and(|c| c.request.is_some()) {
                    self.close(at);
                }
            }
            _ = rustix::net::recv(wake, &mut [0u8; 64][..], RecvFlags::DONTWAIT);
            let queue = self.shared.queue();
            let over = queue.running == 0 && queue.jobs.is_empty();
            drop(queue);
            if over {
                return;
            }
            for at in self.wait(wake.as_fd(), TICK).map(|w| w.1).unwrap_or_default().into_iter().rev() {
                if self.read(at) != Next::Stays {
                    self.close(at);
                }
            }
            self.tick();
        }
    }
}
