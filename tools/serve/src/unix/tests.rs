//! Very many clients at once: each has an outcome or a closed connection, soon, and the server serves those that come later.

use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rtc::CancelToken;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::meeting::Meeting;
use super::server;
use crate::Work;
use crate::message::{Effect, Frame, Job, Outcome, Reply};

const CLIENTS: usize = 10_000;

/// How long anything may take that is waited for: the machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);

/// Work that takes no time and is counted.
#[derive(Default)]
struct Count(AtomicUsize);

impl Work for Count {
    fn run(&self, job: &Job, _: &Path, _: &CancelToken) -> Reply {
        self.0.fetch_add(1, Ordering::Relaxed);
        Reply::Done(Outcome { effects: vec![Effect::Out(job.arguments.concat().into_bytes())], success: true })
    }
}

/// As many open files as this process may have. How many clients fit next to the server, which is in it, too.
fn clients() -> usize {
    let limit = getrlimit(Resource::Nofile);
    _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    let files = getrlimit(Resource::Nofile).current.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    CLIENTS.min(files.saturating_sub(5_000) / 2 * 2).max(100)
}

fn job(number: usize) -> Vec<u8> {
    let id = std::fs::metadata("/").expect("it is there");
    let job = Job { arguments: vec![number.to_string()], folder: b"/".to_vec(), folder_id: (id.dev(), id.ino()), ..Job::default() };
    Frame::Job.with(&job.bytes())
}

/// The outcome that a connection ends with; nothing if it is closed without.
fn outcome(stream: &mut UnixStream) -> Option<Outcome> {
    stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
    let mut all = Vec::new();
    let end = stream.read_to_end(&mut all);
    assert!(!end.is_err_and(|e| e.kind() == std::io::ErrorKind::WouldBlock), "a connection stays open");
    let mut rest = all.as_slice();
    loop {
        match Frame::read(&mut rest) {
            Ok((Frame::Alive, _)) => {}
            Ok((Frame::Done, contents)) => return Some(Outcome::read(&contents).expect("an outcome")),
            Ok(other) => panic!("{other:?}"),
            Err(_) => return None,
        }
    }
}

#[test]
fn ten_thousand_clients_at_once() {
    let folder = std::env::temp_dir().join(format!("rtc-serve-many-{}", std::process::id()));
    let meeting = Meeting::of(folder.clone(), "0".repeat(16));
    assert!(meeting.make_folder());
    let (work, clients) = (Count::default(), clients());
    std::thread::scope(|scope| {
        let server = scope.spawn(|| server::run(folder.clone(), "0".repeat(16), &work));
        let begin = std::time::Instant::now();
        let connect = || loop {
            match UnixStream::connect(meeting.socket()) {
                Ok(stream) => break stream,
                Err(e) => assert!(begin.elapsed() < PATIENCE, "{e}"),
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        // All are there before the first one has a request.
        let mut streams: Vec<UnixStream> = (0..clients).map(|_| connect()).collect();
        for (n, stream) in streams.iter_mut().enumerate() {
            // One connection too many is closed at once.
            _ = stream.write_all(&job(n));
        }
        let mut served = 0;
        for (n, stream) in streams.iter_mut().enumerate() {
            if let Some(outcome) = outcome(stream) {
                assert_eq!(outcome.effects, [Effect::Out(n.to_string().into_bytes())]);
                served += 1;
            }
        }
        println!("{served} of {clients} were served, {} jobs were done, in {:?}", work.0.load(Ordering::Relaxed), begin.elapsed());
        drop(streams);
        let mut late = connect();
        late.write_all(&job(7)).expect("it reads");
        assert!(outcome(&mut late).is_some(), "those that come later are served");
        assert!(served < work.0.load(Ordering::Relaxed));
        connect().write_all(&Frame::Stop.with(&[])).expect("it reads");
        assert!(server.join().expect("no panic").is_ok());
    });
    assert!(!folder.exists(), "nothing is left");
}

/// Two clients find no server, and start one after the other: the second one ends, with what its client left.
#[test]
fn a_server_that_is_not_needed_leaves_nothing() {
    let folder = std::env::temp_dir().join(format!("rtc-serve-second-{}", std::process::id()));
    let (meeting, work) = (Meeting::of(folder.clone(), "0".repeat(16)), Count::default());
    assert!(meeting.make_folder());
    let lock = meeting.lock().expect("it can be made").expect("it is free");
    assert!(meeting.may_start());
    server::run(folder.clone(), "0".repeat(16), &work).expect("it ends");
    let left: Vec<_> = std::fs::read_dir(&folder).expect("it is there").flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, [format!("{}.lock", "0".repeat(16)).as_str()], "that of the server that lives");
    meeting.remove();
    drop(lock);
    meeting.remove_folder();
    assert!(!folder.exists());
}
