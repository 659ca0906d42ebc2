//! The client: connects before anything else, sends the job, waits. Whatever fails, the caller compiles itself.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};

use super::meeting::Meeting;
use crate::message::{Frame, Job, Outcome};
use crate::{Client, SETTINGS};

/// How long connecting may take. A server that lives accepts at once.
const CONNECTS_IN: Duration = Duration::from_secs(2);

/// A server that works says so each second.
const SILENCE: Duration = Duration::from_secs(10);

/// Why there is no connection.
enum Absent {
    /// There is no server.
    NotThere,
    /// There is something, but it cannot be used.
    Unusable,
}

fn connect(meeting: &Meeting) -> Result<UnixStream, Absent> {
    if !meeting.is_private() {
        return Err(if meeting.folder().exists() { Absent::Unusable } else { Absent::NotThere });
    }
    let address = SocketAddrUnix::new(meeting.socket()).map_err(|_| Absent::Unusable)?;
    let connected = || -> rustix::io::Result<OwnedFd> {
        let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
        rustix::io::fcntl_setfd(socket.as_fd(), rustix::io::FdFlags::CLOEXEC)?;
        set_socket_timeout(&socket, Timeout::Send, Some(CONNECTS_IN))?;
        rustix::net::connect(&socket, &address)?;
        Ok(socket)
    };
    let socket = connected().map_err(|e| match e {
        rustix::io::Errno::NOENT | rustix::io::Errno::CONNREFUSED => Absent::NotThere,
        _ => Absent::Unusable,
    })?;
    let stream = UnixStream::from(socket);
    // Writing has the time of connecting.
    stream.set_read_timeout(Some(SILENCE)).map_err(|_| Absent::Unusable)?;
    Ok(stream)
}

/// Waits for what is not a sign of life.
fn answer(stream: &mut UnixStream) -> io::Result<(Frame, Vec<u8>)> {
    loop {
        let (frame, contents) = Frame::read(stream)?;
        if frame != Frame::Alive {
            return Ok((frame, contents));
        }
    }
}

fn request(stream: &mut UnixStream, frame: Frame, contents: &[u8]) -> io::Result<(Frame, Vec<u8>)> {
    stream.write_all(&frame.with(contents))?;
    answer(stream)
}

/// Lets the server do the job. Nothing if it does not: the caller does it then. A server that is not there is started for the next client.
pub fn submit(arguments: &[String], client: &mut Client<'_>) -> Option<Outcome> {
    let meeting = Meeting::here()?;
    let mut stream = match connect(&meeting) {
        Ok(stream) => stream,
        Err(Absent::NotThere) => {
            start(&meeting);
            return None;
        }
        Err(Absent::Unusable) => return None,
    };
    let folder = std::env::current_dir().ok()?;
    let id = std::fs::metadata(".").ok()?;
    let mut job = Job {
        arguments: arguments.to_vec(),
        folder: folder.into_os_string().into_vec(),
        folder_id: (id.dev(), id.ino()),
        dxc: client.dxc,
        terminal: client.terminal,
        colours: client.colours,
        input: None,
    };
    let (mut frame, mut contents) = request(&mut stream, Frame::Job, &job.bytes()).ok()?;
    if frame == Frame::NeedsInput {
        job.input = Some((client.input)().ok()?);
        drop(stream);
        stream = connect(&meeting).ok()?;
        (frame, contents) = request(&mut stream, Frame::Job, &job.bytes()).ok()?;
    }
    (frame == Frame::Done).then(|| Outcome::read(&contents)).flatten()
}

/// A line about the server; nothing if there is none.
pub fn status() -> Option<String> {
    let mut stream = connect(&Meeting::here()?).ok()?;
    let (frame, contents) = request(&mut stream, Frame::Status, &[]).ok()?;
    (frame == Frame::Text).then(|| String::from_utf8_lossy(&contents).into_owned())
}

/// Ends the server. Whether there was one.
pub fn stop() -> bool {
    let Some(meeting) = Meeting::here() else { return false };
    let Ok(mut stream) = connect(&meeting) else { return false };
    let sent = stream.write_all(&Frame::Stop.with(&[])).is_ok();
    // The connection ends with the server.
    while Frame::read(&mut stream).is_ok() {}
    sent
}

/// Starts the server, which outlives this process, and does not wait for it.
fn start(meeting: &Meeting) {
    if !meeting.make_folder() || !meeting.may_start() {
        return;
    }
    let started = std::env::current_exe().and_then(|program| {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(program);
        command.args(["server", "run"]).arg(meeting.folder()).arg(meeting.key());
        // Its folder is none that someone may remove, and signals of this terminal are not for it.
        command.current_dir("/").process_group(0).env_clear();
        command.envs(SETTINGS.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    });
    if started.is_err() {
        meeting.has_started();
    }
}
