//! What is not a client and what is not a server: bytes that mean nothing, connections that stay silent, other versions.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{alone, served, sources};
use crate::world::{PATIENCE, World};

/// The socket of the server that lives.
pub fn socket(w: &World) -> PathBuf {
    let names = fs::read_dir(&w.sockets).expect("the folder").flatten().map(|e| e.path());
    names.into_iter().find(|p| p.extension().is_none()).expect("a socket")
}

const LINE: &str = "-T cs_6_6 a.hlsl -Fo a.dxil";

#[test]
fn nonsense_from_clients_disturbs_no_other() {
    let w = sources();
    let expected = alone(&w, LINE, None);
    w.start();
    let socket = socket(&w);
    let connect = || UnixStream::connect(&socket).expect("it accepts");
    let job = |folder: &[u8], id: u64| {
        let mut job = b"rtcserve".to_vec();
        job.extend(1u32.to_le_bytes());
        job.extend(0u64.to_le_bytes());
        job.extend((folder.len() as u64).to_le_bytes());
        job.extend(folder);
        job.extend([id.to_le_bytes(), id.to_le_bytes()].concat());
        job.push(0);
        [&[1u8][..], &(job.len() as u32).to_le_bytes(), &job].concat()
    };
    let whole = job(b"/", 1);
    let silent: Vec<UnixStream> = (0..200).map(|_| connect()).collect();
    let mut requests: Vec<Vec<u8>> = vec![
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0; 100],
        vec![0xff; 100_000],
        [&[1u8][..], &u32::MAX.to_le_bytes()].concat(),
        [&[1u8][..], &(200u32 << 20).to_le_bytes()].concat(),
        [&[1u8][..], &12u32.to_le_bytes(), b"rtcserve\x02\0\0\0"].concat(),
        [&whole[..], &whole[..]].concat(),
        job(b"relative", 1),
        job(b"/none", 1),
        job(b"/", 1),
        job(b"/\0", 1),
        // Replies are no requests.
        [&[5u8][..], &0u32.to_le_bytes()].concat(),
    ];
    requests.extend((0..whole.len()).step_by(7).map(|end| whole[..end].to_vec()));
    for request in &requests {
        let mut stream = connect();
        stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
        // The server may close before all is sent.
        _ = stream.write_all(request);
        _ = stream.shutdown(std::net::Shutdown::Write);
        let mut reply = Vec::new();
        let end = stream.read_to_end(&mut reply);
        assert!(!end.is_err_and(|e| e.kind() == ErrorKind::WouldBlock), "it stays open: {request:?}");
        assert!(reply.first().is_none_or(|kind| *kind == 6), "declined or closed: {reply:?}");
    }
    // Many that go away in the middle.
    for n in 0..300 {
        _ = connect().write_all(&whole[..n % whole.len()]);
    }
    for _ in 0..3 {
        assert_eq!(served(&w, LINE, None), expected);
    }
    assert!(w.count("jobs done") >= 3, "the server did them: {:?}", w.status());
    // A connection that stays silent is closed.
    for mut stream in silent {
        stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
        let end = stream.read(&mut [0; 10]);
        // A system that had something left to deliver says that the connection was reset.
        let closed = end.as_ref().map_or_else(|e| e.kind() == ErrorKind::ConnectionReset, |&n| n == 0);
        assert!(closed, "it is closed: {end:?}");
    }
}

#[test]
fn answers_of_other_servers_are_not_believed() {
    let w = sources();
    let expected = alone(&w, LINE, None);
    w.start();
    let socket = socket(&w);
    w.stop();
    w.wait("it ends", || w.servers().is_empty());
    fs::create_dir_all(&w.sockets).expect("it can be made");
    fs::set_permissions(&w.sockets, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("it is ours");
    let frame = |kind: u8, contents: &[u8]| [&[kind][..], &(contents.len() as u32).to_le_bytes(), contents].concat();
    let answers: Vec<Option<Vec<u8>>> = vec![
        Some(Vec::new()),
        Some(b"nonsense".to_vec()),
        Some(frame(5, b"")),
        Some(frame(5, &[1, 200, 0, 0, 0, 0, 0, 0, 0])),
        // An outcome that ends too early, as of a server that is killed while it writes.
        Some(frame(5, &[1, 0, 0, 0, 0, 0, 0, 0, 0])[..9].to_vec()),
        Some(frame(6, b"no")),
        Some(frame(7, b"")),
        Some(frame(8, b"text")),
        Some([frame(4, b""), frame(4, b""), frame(6, b"no")].concat()),
        Some(frame(9, b"")),
        // It reads and stays silent, as one that is stopped.
        None,
    ];
    for answer in answers {
        let listener = UnixListener::bind(&socket).expect("it can be bound");
        let begin = Instant::now();
        let over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (over, answer) = (&over, &answer);
            listener.set_nonblocking(true).expect("it can be set");
            let listener = &listener;
            let server = scope.spawn(move || {
                let mut kept = Vec::new();
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    let Ok((mut stream, _)) = listener.accept() else {
                        std::thread::sleep(Duration::from_millis(5));
                        continue;
                    };
                    stream.set_nonblocking(false).expect("it can be set");
                    _ = stream.read(&mut [0; 4096]);
                    match answer {
                        Some(answer) => _ = stream.write_all(answer),
                        None => kept.push(stream),
                    }
                }
            });
            let found = served(&w, LINE, None);
            over.store(true, std::sync::atomic::Ordering::Relaxed);
            server.join().expect("no panic");
            assert_eq!(found, expected, "{answer:?}");
        });
        assert!(begin.elapsed() < PATIENCE, "{answer:?}");
        drop(listener);
        fs::remove_file(&socket).expect("it can be removed");
    }
    fs::remove_dir(&w.sockets).expect("nothing else is in it");
}
