//! The examples of `examples/integrations/` build, each with its tool.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::programs::find_program;

/// A copy of the examples, which is removed at the end.
struct Examples(PathBuf);

impl Examples {
    fn new(name: &str) -> Self {
        fn copy(from: &Path, to: &Path) {
            fs::create_dir_all(to).expect("the folder can be made");
            for entry in fs::read_dir(from).expect("it is there").flatten() {
                let (path, to) = (entry.path(), to.join(entry.file_name()));
                if path.is_dir() {
                    copy(&path, &to);
                } else {
                    fs::copy(&path, &to).expect("it can be copied");
                }
            }
        }
        let folder = std::env::temp_dir().join(format!("rtc-integrations-{name}-{}", std::process::id()));
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/integrations"), &folder);
        Examples(folder)
    }

    /// Runs a program in a folder of the examples, with `rtc` on its path.
    fn run(&self, folder: &str, program: &Path, arguments: &[&str]) -> String {
        let rtc = Path::new(env!("CARGO_BIN_EXE_rtc")).parent().expect("a folder");
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::env::join_paths([rtc.to_owned()].into_iter().chain(std::env::split_paths(&paths))).expect("they can be joined");
        let mut command = Command::new(program);
        command.current_dir(self.0.join(folder)).args(arguments).env("PATH", paths).env("RTC_CACHE_DIR", self.0.join("cache"));
        let done = command.env_remove("RTC_CACHE_URL").output().expect("it runs");
        let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{said}");
        said
    }

    /// How many objects there are in a folder.
    fn objects(&self, folder: &str) -> usize {
        fs::read_dir(self.0.join(folder)).map_or(0, |f| f.flatten().filter(|f| f.file_name().to_string_lossy().starts_with("blur")).count())
    }
}

impl Drop for Examples {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_example_of_cmake_builds() {
    let Some(cmake) = find_program("cmake") else { return rtc_oracles::skip("there is no `cmake`") };
    let e = Examples::new("cmake");
    e.run("cmake", &cmake, &["-S", ".", "-B", "build"]);
    e.run("cmake", &cmake, &["--build", "build"]);
    assert_eq!((e.objects("cmake/build/shaders/dxil"), e.objects("cmake/build/shaders/vulkan")), (3, 3));
    assert!(e.run("cmake", &cmake, &["--build", "build"]).contains("6 up to date"));
}

#[test]
fn the_example_of_ninja_builds() {
    let Some(ninja) = find_program("ninja") else { return rtc_oracles::skip("there is no `ninja`") };
    let e = Examples::new("ninja");
    // The graph is made first, then read.
    e.run("ninja", &ninja, &[]);
    assert_eq!((e.objects("ninja/shaders/dxil"), e.objects("ninja/shaders/vulkan")), (3, 3));
    assert!(e.run("ninja", &ninja, &[]).contains("no work to do"));
    let header = e.0.join("shaders/kernel.hlsli");
    let text = fs::read_to_string(&header).expect("it is there");
    std::thread::sleep(std::time::Duration::from_millis(50));
    fs::write(&header, text.replace("1.0 /", "2.0 /")).expect("it can be written");
    assert!(e.run("ninja", &ninja, &[]).contains("[6/6]"));
}

#[test]
fn the_example_of_shadermake_builds() {
    let e = Examples::new("shadermake");
    let arguments = "build shadermake -p DXIL -c shaders.cfg -o bin -B -m 6_6 --compiler dxc --sourceDir ../shaders";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    e.run("shadermake", Path::new(env!("CARGO_BIN_EXE_rtc")), &arguments);
    let found = fs::read_dir(e.0.join("shadermake/bin"))
        .expect("it is made")
        .flatten()
        .any(|f| f.file_name().to_string_lossy().starts_with("blur"));
    assert!(found);
}
