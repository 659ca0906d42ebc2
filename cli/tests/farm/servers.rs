//! Servers as processes of this machine, each in a folder of its own, which end with the test.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rtc_oracles::programs::find_program;

use crate::folder::Folder;

/// A server.
pub struct Server {
    child: Child,
    _alone: Option<MutexGuard<'static, ()>>,
    /// Its files.
    pub folder: Folder,
    /// The port on which it listens.
    pub port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Server {
    /// Starts a program, and waits until it listens.
    pub fn start(folder: Folder, port: u16, command: &mut Command) -> Result<Server, String> {
        let log = |name: &str| fs::File::create(folder.0.join(name)).map(Stdio::from).map_err(|e| e.to_string());
        command.current_dir(&folder.0).stdin(Stdio::null()).stdout(log("stdout")?).stderr(log("stderr")?);
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(60) {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(Server { child, _alone: None, folder, port });
            }
            if let Ok(Some(status)) = child.try_wait() {
                return Err(format!("it ends with {status}: {}", fs::read_to_string(folder.0.join("stderr")).unwrap_or_default()));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        _ = child.kill();
        Err("it does not listen after a minute".into())
    }

    /// Ends it.
    pub fn stop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// A port that no program listens on.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("there is a free port").port()
}

/// A program of the servers that `cargo xtask setup` installs, or on the `PATH`; else the reason for a skipped test.
pub fn program(name: &str, package: &str) -> Result<PathBuf, String> {
    let found = installed(name).or_else(|| find_program(name)).or_else(|| find_program(&format!("/usr/sbin/{name}")));
    found.ok_or_else(|| format!("there is no `{name}` ({package}; run `cargo xtask setup`)"))
}

/// A program of the servers that `cargo xtask setup` installs.
fn installed(name: &str) -> Option<PathBuf> {
    find_program(&rtc_oracles::artefacts::oracle_dir().join("servers").join("bin").join(name).to_string_lossy())
}

/// Redis, which keeps everything in memory.
pub fn redis() -> Result<Server, String> {
    let program = program("redis-server", "Debian's package redis-server")?;
    let (folder, port) = (Folder::new(), free_port());
    let mut command = Command::new(program);
    command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--requirepass", "secret", "--port", &port.to_string()]);
    Server::start(folder, port, &mut command)
}

/// nginx with WebDAV below `/dav/` for the user `me` with the password `secret`, and the same files to read for all below `/read/`.
pub fn nginx() -> Result<Server, String> {
    let program = program("nginx", "Debian's packages nginx-light and libnginx-mod-http-dav-ext")?;
    let module = "/usr/lib/nginx/modules/ngx_http_dav_ext_module.so";
    if !Path::new(module).exists() {
        return Err("nginx has no module for WebDAV (Debian's package libnginx-mod-http-dav-ext; run `cargo xtask setup`)".into());
    }
    let (folder, port) = (Folder::new(), free_port());
    let home = folder.0.display();
    let user = if is_root() { "user root;" } else { "" };
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|n| format!("{n}_temp_path {home}/tmp;")).concat();
    folder.write("users", "me:{PLAIN}secret\n");
    folder.write(
        "nginx.conf",
        &format!(
            "load_module {module};\n{user}\ndaemon off;\nmaster_process off;\nerror_log {home}/error.log;\npid {home}/pid;\nevents {{}}\nhttp {{\n\
             {temporary}\naccess_log {home}/access.log;\nclient_max_body_size 100m;\nserver {{\nlisten 127.0.0.1:{port};\n\
             location /dav/ {{ alias {home}/files/; dav_methods PUT DELETE MKCOL; dav_ext_methods PROPFIND OPTIONS;\n\
             create_full_put_path on; auth_basic rtc; auth_basic_user_file {home}/users; }}\n\
             location /read/ {{ alias {home}/files/; }}\n}}\n}}\n"
        ),
    );
    fs::create_dir(folder.0.join("files")).map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.arg("-c").arg(folder.0.join("nginx.conf")).arg("-e").arg(folder.0.join("error.log"));
    Server::start(folder, port, &mut command)
}

/// A server that speaks the protocol of S3, with the bucket `shaders`.
pub fn s3() -> Result<Server, String> {
    let program = program("moto_server", "the package moto of Python's index")?;
    let (folder, port) = (Folder::new(), free_port());
    let mut command = Command::new(program);
    command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
    let server = Server::start(folder, port, &mut command)?;
    let answer = request(port, "PUT /shaders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
    if answer.contains(" 200 ") { Ok(server) } else { Err(format!("the bucket is not made: {answer}")) }
}

/// The answer to a request as it is.
pub fn request(port: u16, text: &str) -> Result<String, String> {
    use std::io::{Read, Write};
    let mut stream = TcpStream::connect(("127.0.0.1", port)).map_err(|e| e.to_string())?;
    stream.write_all(text.as_bytes()).map_err(|e| e.to_string())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(|e| e.to_string())?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Whether this process is root's, which nginx would leave for another user.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|m| {
        use std::os::unix::fs::MetadataExt as _;
        m.uid() == 0
    })
}

/// How BuildGrid is started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everything is allowed without a token.
    Open,
    /// Tokens, over TLS with the certificate `cert.pem` of the server's folder.
    TlsAndTokens,
}

/// The secret that tokens are signed with.
const SECRET: &str = "the secret of these tests, which is long enough";

/// BuildGrid: a server of the Remote Execution API. It has no workers.
pub fn buildgrid(access: Access) -> Result<Server, String> {
    let program = program("bgd", "the package buildgrid of Python's index")?;
    let (folder, port) = (Folder::new(), free_port());
    let home = folder.0.display();
    let authorization = match access {
        Access::Open => "  method: none\n".to_owned(),
        _ => format!("  method: jwt\n  secret: {home}/secret\n  algorithm: hs256\n"),
    };
    let channel = match access {
        Access::TlsAndTokens => format!(
            "    insecure-mode: false\n    credentials:\n      tls-server-key: {home}/key.pem\n      tls-server-cert: {home}/cert.pem\n"
        ),
        _ => "    insecure-mode: true\n".to_owned(),
    };
    folder.write("secret", SECRET);
    let config = format!(
        "description: tests\nserver:\n  - !channel\n    address: \"127.0.0.1:{port}\"\n{channel}authorization:\n{authorization}\
         connections:\n  - !sql-connection &sql\n    connection-string: sqlite:///{home}/jobs.db\n\
         storages:\n  - !lru-storage &cas\n    size: 512M\n\
         caches:\n  - !lru-action-cache &results\n    storage: *cas\n    max-cached-refs: 10000\n    allow-updates: true\n\
         schedulers:\n  - !sql-scheduler &jobs\n    storage: *cas\n    sql: *sql\n    action-cache: *results\n    poll-interval: 0.1\n\
         \x20   assigners:\n      - !priority-age-assigner\n        count: 1\n        interval: 0.05\n\
         instances:\n  - name: ''\n    services:\n      - !action-cache\n        cache: *results\n      - !execution\n        scheduler: *jobs\n\
         \x20     - !cas\n        storage: *cas\n      - !bytestream\n        storage: *cas\n\
         thread-pool-size: 100\n"
    );
    folder.write("server.yml", &config);
    python(&format!(
        "import sqlalchemy, buildgrid.server.sql.models as m; m.Base.metadata.create_all(sqlalchemy.create_engine('sqlite:///{home}/jobs.db'))"
    ))?;
    if access == Access::TlsAndTokens {
        let subject = [
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-days",
            "2",
        ];
        let mut command = Command::new("openssl");
        command.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem"]).args(subject);
        let made = command.current_dir(&folder.0).output().map_err(|e| format!("there is no `openssl`: {e}"))?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
    }
    let mut command = Command::new(program);
    command.args(["server", "start", "server.yml"]);
    // Tests with time limits do not disturb each other.
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut server = Server::start(folder, port, &mut command)?;
    server._alone = Some(alone);
    Ok(server)
}

/// A server of the Remote Execution API that speaks the version `major`, knows a wrong outcome of every action, and does nothing else.
pub fn liar(major: u32) -> Result<Server, String> {
    let python = installed("python").ok_or("there is no Python of the servers (run `cargo xtask setup`)")?;
    let (folder, port) = (Folder::new(), free_port());
    folder.write(
        "liar.py",
        &format!(
            r#"
import concurrent.futures
import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as re
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as services

class Capabilities(services.CapabilitiesServicer):
    def GetCapabilities(self, request, context):
        answer = re.ServerCapabilities()
        answer.low_api_version.major = answer.high_api_version.major = {major}
        answer.cache_capabilities.digest_functions.append(1)
        answer.execution_capabilities.exec_enabled = True
        return answer

class Outcomes(services.ActionCacheServicer):
    def GetActionResult(self, request, context):
        answer = re.ActionResult()
        answer.output_files.add(path=".rtc-entry", contents=b"wrong", digest=re.Digest(hash="0" * 64, size_bytes=5))
        return answer

server = grpc.server(concurrent.futures.ThreadPoolExecutor(8))
services.add_CapabilitiesServicer_to_server(Capabilities(), server)
services.add_ActionCacheServicer_to_server(Outcomes(), server)
server.add_insecure_port("127.0.0.1:{port}")
server.start()
server.wait_for_termination()
"#
        ),
    );
    Server::start(folder, port, Command::new(python).arg("liar.py"))
}

/// A token that BuildGrid accepts for so many seconds from now.
pub fn token(seconds: i64) -> Result<String, String> {
    python(&format!(
        "import jwt, time; print(jwt.encode({{'exp': int(time.time()) + {seconds}, 'sub': 'me'}}, {SECRET:?}, algorithm='HS256'))"
    ))
    .map(|t| t.trim().to_owned())
}

/// What a program for the Python of the servers prints.
pub fn python(text: &str) -> Result<String, String> {
    let python = installed("python").ok_or("there is no Python of the servers (run `cargo xtask setup`)")?;
    let done = Command::new(python).args(["-c", text]).output().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    if done.status.success() { Ok(said) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}

/// A worker of BuildGrid, which ends with the test.
pub struct Worker {
    child: Child,
    log: PathBuf,
}

impl Worker {
    /// Starts one; `more` are options of `worker.py`.
    pub fn start(server: &Server, name: &str, more: &[&str]) -> Worker {
        let python = installed("python").expect("the server runs");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/farm/worker.py");
        let log = |kind: &str| fs::File::create(server.folder.0.join(format!("{name}.{kind}"))).expect("it can be made");
        let mut command = Command::new(python);
        command.arg(script).args([&format!("127.0.0.1:{}", server.port), name]).arg(server.folder.0.join(name)).args(more);
        let child = command.stdout(log("out")).stderr(log("err")).spawn().expect("it runs");
        let worker = Worker { child, log: server.folder.0.join(format!("{name}.out")) };
        worker.wait_for("ready");
        worker
    }

    /// Waits until it has printed a word: `ready`, or `task` when it begins with its first one.
    pub fn wait_for(&self, word: &str) {
        let printed = || fs::read_to_string(&self.log).is_ok_and(|log| log.lines().any(|l| l == word));
        let begin = Instant::now();
        while !printed() {
            assert!(begin.elapsed() < Duration::from_secs(60), "a worker does not say `{word}`");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until it has ended by itself.
    pub fn ended(&mut self) -> bool {
        (0..300).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            matches!(self.child.try_wait(), Ok(Some(_)))
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// A proxy in front of a server, which delays what goes through, half of `delay` in each direction, and can cut all connections.
pub struct Proxy {
    /// The port on which it listens.
    pub port: u16,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    /// In front of a port.
    pub fn start(to: u16, delay: Duration) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let streams = Arc::new(Mutex::new(Vec::new()));
        let all = streams.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                _ = (client.set_nodelay(true), server.set_nodelay(true));
                let clone = |s: &TcpStream| s.try_clone().expect("it can be cloned");
                all.lock().expect("no thread panicked").extend([clone(&client), clone(&server)]);
                for (from, to) in [(clone(&client), clone(&server)), (server, client)] {
                    pump(from, to, delay / 2);
                }
            }
        });
        Proxy { port, streams }
    }

    /// Cuts all connections.
    pub fn cut(&self) {
        for stream in self.streams.lock().expect("no thread panicked").drain(..) {
            _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

/// Moves bytes, each `delay` after it came: a thread reads, another one writes.
fn pump(mut from: TcpStream, mut to: TcpStream, delay: Duration) {
    use std::io::{Read, Write};
    let (sender, receiver) = std::sync::mpsc::channel::<(Instant, Vec<u8>)>();
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            if sender.send((Instant::now() + delay, buffer[..n].to_vec())).is_err() {
                return;
            }
        }
    });
    std::thread::spawn(move || {
        for (when, bytes) in receiver {
            std::thread::sleep(when.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                return;
            }
        }
        _ = to.shutdown(std::net::Shutdown::Both);
    });
}
