//! A folder with sources and a compile server of its own, and what is left of it at the end: no process and no file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long anything may take that is waited for: the machine may be busy with other tests.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The folder, with the folder of the server's socket next to it.
pub struct World {
    pub folder: PathBuf,
    pub sockets: PathBuf,
}

/// What a command did: exit code, standard output, standard error, the files in the folder that are new.
pub type Done = (Option<i32>, String, String, BTreeMap<String, Vec<u8>>);

impl World {
    pub fn new() -> World {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("rtc-server-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let base = std::env::temp_dir().join(name);
        let world = World { folder: base.join("work"), sockets: base.join("sockets") };
        fs::create_dir_all(&world.folder).expect("the folder can be made");
        world
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("the file can be written");
    }

    /// A command in the folder, with this server if it has one.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(Path::new(env!("CARGO_BIN_EXE_rtc")), arguments)
    }

    pub fn command_of(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder).env_remove("RTC_SERVER");
        command.env("RTC_SERVER_DIR", &self.sockets).env("RTC_SERVER_IDLE", "60");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("rtc runs")
    }

    /// Starts a server, and waits until it is there.
    pub fn start(&self) {
        self.wait("a server is there", || {
            self.status().is_some() || {
                self.run(&["--server", "--version"]);
                false
            }
        });
    }

    /// What the server says about itself.
    pub fn status(&self) -> Option<String> {
        let done = self.run(&["server", "status"]);
        done.status.success().then(|| String::from_utf8_lossy(&done.stdout).into_owned())
    }

    /// The number before a word of the status.
    pub fn count(&self, of: &str) -> usize {
        let status = self.status().expect("there is a server");
        let before = status.split(&format!(" {of}")).next().expect("the word is there");
        before.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{status}"))
    }

    /// The number of the server's process.
    pub fn process(&self) -> Option<String> {
        let status = self.status()?;
        Some(status.strip_prefix("process ")?.split(',').next()?.to_owned())
    }

    pub fn stop(&self) {
        assert!(self.run(&["server", "stop"]).status.success());
        // A client that has ended may have started one that listens only now.
        self.wait("it ends", || {
            self.servers().is_empty() || {
                _ = self.run(&["server", "stop"]);
                false
            }
        });
    }

    pub fn wait(&self, what: &str, until: impl Fn() -> bool) {
        let begin = Instant::now();
        while !until() {
            assert!(begin.elapsed() < PATIENCE, "{what}: {:?}", self.status());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The servers that live with a socket in this folder.
    pub fn servers(&self) -> Vec<String> {
        let folder = self.sockets.to_string_lossy().into_owned();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let line = |e: fs::DirEntry| fs::read_to_string(e.path().join("cmdline")).ok().filter(|l| l.contains(&folder) && l.contains("run"));
        processes.filter_map(line).collect()
    }

    /// Files in the folder with their contents.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        fn walk(dir: &Path, base: &Path, out: &mut BTreeMap<String, Vec<u8>>) {
            for path in fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path()) {
                if path.is_dir() {
                    walk(&path, base, out);
                } else {
                    let name = path.strip_prefix(base).expect("below").to_string_lossy().into_owned();
                    out.insert(name, if path.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() });
                }
            }
        }
        let mut out = BTreeMap::new();
        walk(&self.folder, &self.folder, &mut out);
        out
    }

    /// What a command does; the files that it makes are removed.
    pub fn done(&self, mut command: Command, input: Option<&str>) -> Done {
        use std::io::Write;
        use std::process::Stdio;
        let before = self.files();
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() }).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("rtc starts");
        if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
            // A command that fails early does not read.
            _ = stdin.write_all(input.as_bytes());
        }
        let done = child.wait_with_output().expect("rtc ends");
        let mut after = self.files();
        after.retain(|name, bytes| before.get(name) != Some(bytes));
        for name in after.keys() {
            match before.get(name) {
                Some(old) => fs::write(self.folder.join(name), old).expect("it can be written"),
                None => fs::remove_file(self.folder.join(name)).expect("it can be removed"),
            }
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (done.status.code(), text(&done.stdout), text(&done.stderr), after)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // A killed server leaves its files, and the next one removes them.
            if self.sockets.exists() && self.status().is_none() && fs::read_dir(&self.sockets).is_ok_and(|mut d| d.next().is_some()) {
                self.start();
            }
            self.stop();
            let left: Vec<_> = fs::read_dir(&self.sockets).into_iter().flatten().flatten().map(|e| e.file_name()).collect();
            assert!(left.is_empty() && !self.sockets.exists(), "nothing is left: {left:?}");
        } else {
            _ = self.command(&["server", "stop"]).output();
        }
        _ = fs::remove_dir_all(self.folder.parent().expect("the base"));
    }
}
