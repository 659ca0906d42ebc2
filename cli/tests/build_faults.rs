//! `rtc build` where the machine fails it: disks that are full or read-only, files that cannot be read or come and go, versions that share a cache,
//! clocks that are wrong, processes that work in one folder. Each gives a clear error or a build that is right, and nothing half-written.

use std::fs;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

#[path = "shared/folder.rs"]
mod folder;

use folder::{Folder, text};

/// A shader with 12 permutations, an archive of them, and a header that it includes.
fn folder() -> Folder {
    let f = Folder::new();
    f.write("value.hlsli", "#define VALUE 1\n");
    f.write(
        "a.hlsl",
        "#include \"value.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(N, M + VALUE); }\n",
    );
    f.write("rtc.toml", "out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\noutputs = ['object']\narchive = 'all'\nmatrix = { N = [0, 1, 2], M = [1, 2, 3, 4] }\n");
    f
}

/// Runs a script of the shell in the folder, in which `$rtc` is the program and file systems can be mounted without others seeing it. Where that
/// is not allowed the reason comes back.
fn mounting(f: &Folder, script: &str) -> Result<Output, String> {
    let options: [&[&str]; 2] = [&["--mount"], &["--mount", "--map-root-user"]];
    let allowed = |way: &&&[&str]| {
        let probe = "d=$(mktemp -d) && mount -t tmpfs none $d && umount $d; r=$?; rmdir $d; exit $r";
        Command::new("unshare").args(**way).args(["sh", "-c", probe]).output().is_ok_and(|o| o.status.success())
    };
    let way = options.iter().find(allowed).ok_or("file systems cannot be mounted here (unshare --mount)")?;
    let mut command = Command::new("unshare");
    command.args(*way).args(["sh", "-c", script]).current_dir(&f.0).env_remove("RTC_CACHE_URL");
    command.env("rtc", env!("CARGO_BIN_EXE_rtc")).env("RTC_CACHE_DIR", f.0.join("cache"));
    command.output().map_err(|e| e.to_string())
}

/// The parts of what a script printed, between lines `--`.
fn parts(done: &Output) -> Vec<String> {
    assert!(done.status.success(), "{} {}", text(&done.stdout), text(&done.stderr));
    text(&done.stdout).split("--\n").map(str::to_owned).collect()
}

#[test]
fn a_full_disk_is_an_error_and_leaves_no_part_of_a_file() {
    let f = folder();
    let script = "mkdir out; mount -t tmpfs -o size=24k none out || exit 9
        $rtc build --no-cache 2>&1; echo \"code $?\"; echo --; find out -type f; echo --
        mount -o remount,size=10m out || exit 9
        $rtc build --no-cache 2>&1; echo \"code $?\"; echo --; cp -r out kept";
    let done = rtc_oracles::require!(mounting(&f, script));
    let parts = parts(&done);
    assert!(parts[0].contains("code 1") && parts[0].to_lowercase().contains("no space left on device"), "{}", parts[0]);
    assert!(!parts[1].contains(".rtc-tmp"), "{}", parts[1]);
    assert!(parts[2].contains("code 0"), "{}", parts[2]);
    // What is made in the end is what an undisturbed build makes.
    assert!(f.rtc(&["build", "--no-cache"]).status.success());
    for (name, bytes) in f.outputs() {
        assert!(fs::read(f.0.join("kept").join(&name)).expect("it was made") == bytes, "{name}");
    }
}

#[test]
fn a_full_disk_below_the_cache_costs_time_only() {
    let f = folder();
    let script = "mkdir cache; mount -t tmpfs -o size=12k none cache || exit 9; $rtc build 2>&1; echo \"code $?\"; $rtc cache verify; echo \"code $?\"";
    let done = rtc_oracles::require!(mounting(&f, script));
    let said = text(&done.stdout);
    assert_eq!(said.matches("code 0").count(), 2, "{said}");
    assert_eq!(said.to_lowercase().matches("no space left on device").count(), 1, "one warning: {said}");
}

#[test]
fn a_read_only_folder_is_an_error() {
    let f = folder();
    let script = "mkdir out; mount -t tmpfs none out || exit 9; $rtc build 2>&1; echo \"code $?\"; echo --
        mount -o remount,ro out || exit 9
        $rtc build 2>&1; echo \"code $?\"; echo --
        echo '#define VALUE 22' > value.hlsli; $rtc build 2>&1; echo \"code $?\"";
    let done = rtc_oracles::require!(mounting(&f, script));
    let parts = parts(&done);
    assert!(parts[0].contains("code 0"), "{}", parts[0]);
    assert!(parts[2].contains("code 1") && parts[2].to_lowercase().contains("read-only file system"), "{}", parts[2]);
}

/// A limit on the size of files, where file systems cannot be mounted.
#[cfg(unix)]
#[test]
fn a_limit_on_files_is_an_error_and_leaves_no_part_of_a_file() {
    let f = folder();
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$rtc\" build --no-cache";
    let done =
        Command::new("sh").args(["-c", script]).current_dir(&f.0).env("rtc", env!("CARGO_BIN_EXE_rtc")).output().expect("there is a shell");
    let errors = text(&done.stderr);
    assert!(done.status.code() == Some(1) && errors.to_lowercase().contains("file too large"), "{:?} {errors}", done.status);
    assert!(f.outputs().is_empty(), "{:?}", f.outputs().keys());
    assert!(f.rtc(&["build", "--no-cache"]).status.success());
}

#[test]
fn what_cannot_be_read_is_named() {
    let f = folder();
    let fails = |expected: &[&str]| {
        let done = f.rtc(&["build"]);
        let errors = text(&done.stderr);
        assert!(done.status.code() == Some(1) && expected.iter().all(|e| errors.contains(e)), "{errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    };
    fs::remove_file(f.0.join("value.hlsli")).expect("it is there");
    fails(&["a.hlsl:1:", "value.hlsli"]);
    fs::create_dir(f.0.join("value.hlsli")).expect("it can be made");
    fails(&["a.hlsl:1:", "value.hlsli"]);
    fs::remove_dir(f.0.join("value.hlsli")).expect("it is there");
    #[cfg(target_os = "linux")]
    {
        // A link to nothing, and a file that may be opened and cannot be read.
        std::os::unix::fs::symlink("nowhere", f.0.join("value.hlsli")).expect("it can be made");
        fails(&["a.hlsl:1:", "value.hlsli"]);
        fs::remove_file(f.0.join("value.hlsli")).expect("it is there");
        std::os::unix::fs::symlink("/proc/self/mem", f.0.join("value.hlsli")).expect("it can be made");
        fails(&["a.hlsl:1:", "value.hlsli"]);
        fs::remove_file(f.0.join("value.hlsli")).expect("it is there");
    }
    f.write("value.hlsli", "#define VALUE 1\n");
    assert!(f.rtc(&["build"]).status.success());
}

/// Ends a thread when what it disturbs has ended, by a failed assertion too.
struct StopAtEnd<'a>(&'a std::sync::atomic::AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Headers that are removed, cut and written while builds run: each build ends, with success or with an error that names the file, or what it defines where
/// it was read as it was cut; the last one, undisturbed, is right.
#[test]
fn files_that_come_and_go_are_read_whole_or_missed() {
    let f = folder();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        scope.spawn(|| {
            let mut n = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                n += 1;
                _ = fs::remove_file(f.0.join("value.hlsli"));
                f.write("value.hlsli", &format!("#define VALUE {n}\n"));
                std::thread::sleep(Duration::from_micros(300 * (n % 7)));
            }
        });
        for _ in 0..10 {
            let done = f.rtc(&["build"]);
            let errors = text(&done.stderr);
            assert!(
                done.status.success() || errors.contains("value.hlsli") || errors.contains("undeclared identifier `VALUE`"),
                "{errors}"
            );
            assert!(!errors.contains("panicked"), "{errors}");
        }
    });
    f.write("value.hlsli", "#define VALUE 1\n");
    assert!(f.rtc(&["build"]).status.success());
    let whole = folder();
    assert!(whole.rtc(&["build"]).status.success());
    assert!(f.outputs() == whole.outputs());
}

/// Two versions of the program, which differ in a byte, have entries of their own in one cache, and leave those of the other alone.
#[cfg(target_os = "linux")]
#[test]
fn versions_share_a_cache() {
    let f = folder();
    let other = f.0.join("rtc-of-another-version");
    fs::copy(env!("CARGO_BIN_EXE_rtc"), &other).expect("it can be copied");
    use std::io::Write as _;
    fs::File::options().append(true).open(&other).and_then(|mut file| file.write_all(b"\n")).expect("it can be changed");
    let run = |program: &std::path::Path, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.current_dir(&f.0).args(arguments).env("RTC_CACHE_DIR", f.0.join("cache")).env_remove("RTC_CACHE_URL");
        let done = command.output().expect("it runs");
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stderr) + &text(&done.stdout)
    };
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_rtc"));
    for (program, expected) in [(own, "12 compiled"), (&*other, "12 compiled"), (own, "12 from the cache"), (&*other, "12 from the cache")]
    {
        let said = run(program, &["build", "--force"]);
        assert!(said.contains(expected), "{said}");
    }
    // What one built is not up to date for the other.
    assert!(run(own, &["build"]).contains("12 from the cache"));
    // An entry in the format of another version is no damage.
    let entries = || {
        fs::read_dir(f.0.join("cache")).expect("it is there").flatten().flat_map(|d| fs::read_dir(d.path()).expect("a folder").flatten())
    };
    let entry = entries().next().expect("there are entries").path();
    let mut bytes = fs::read(&entry).expect("it is there");
    bytes[7] += 1;
    fs::write(&entry, bytes).expect("it can be written");
    let said = run(own, &["cache", "verify"]);
    assert!(
        said.contains(": 24 entries") && said.contains("removed: 0") && said.contains("of another version, and not checked: 1"),
        "{said}"
    );
}

/// A file with a time in the future, and one that changed without its time: both are compared by their bytes.
#[test]
fn clocks_may_be_wrong() {
    let f = folder();
    let header = f.0.join("value.hlsli");
    let set = |time: SystemTime| fs::File::options().append(true).open(&header).and_then(|h| h.set_modified(time)).expect("it can be set");
    let tomorrow = SystemTime::now() + Duration::from_secs(86_400);
    set(tomorrow);
    assert!(f.rtc(&["build"]).status.success());
    assert!(text(&f.rtc(&["build"]).stderr).contains("12 up to date"));
    f.write("value.hlsli", "#define VALUE 7\n");
    set(tomorrow);
    let said = text(&f.rtc(&["build"]).stderr);
    assert!(said.contains("12 compiled"), "{said}");
    // Back to last year: the bytes are the same.
    set(SystemTime::now() - Duration::from_secs(365 * 86_400));
    assert!(text(&f.rtc(&["build"]).stderr).contains("12 up to date"));
}

/// Processes that build two descriptions into one folder at the same time.
#[test]
fn processes_share_a_folder_of_outputs() {
    let f = folder();
    let described = fs::read_to_string(f.0.join("rtc.toml")).expect("it is there");
    f.write("b.toml", &described.replace("shader.a", "shader.b").replace("'all'", "'others'").replace("N = [0, 1, 2]", "N = [2, 3, 4]"));
    for _ in 0..8 {
        let start = |file: &str| {
            f.command(&["build", "--force", "--no-cache", file]).stderr(std::process::Stdio::piped()).spawn().expect("rtc runs")
        };
        let running = [start("rtc.toml"), start("b.toml"), start("rtc.toml")];
        for child in running {
            let done = child.wait_with_output().expect("it ends");
            assert!(done.status.success(), "{}", text(&done.stderr));
        }
    }
    for file in ["rtc.toml", "b.toml"] {
        let said = text(&f.rtc(&["build", file]).stderr);
        assert!(said.contains("12 up to date"), "{file}: {said}");
    }
    assert_eq!(f.outputs().len(), 26);
}
