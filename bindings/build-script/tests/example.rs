//! The example of `examples/integrations/cargo`: its build script makes a module, with which its program compiles and runs.

use std::path::Path;
use std::process::Command;

#[path = "../../../examples/integrations/cargo/build.rs"]
#[allow(dead_code)]
mod script;

#[test]
fn the_example_builds_and_runs() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/integrations/cargo");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example");
    std::fs::create_dir_all(&out).expect("a folder");
    let script = std::fs::read_to_string(example.join("build.rs")).expect("it is there");
    assert!(script.contains("Shaders::new(\"../shaders\").build_for_cargo(\"shaders.rs\")"), "the script does what is done here");
    rtc_build_script::Shaders::new(example.join("../shaders")).build(&out, "shaders.rs").expect("it builds");
    let program = out.join("program");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled =
        Command::new(rustc).env("OUT_DIR", &out).args(["--edition", "2024", "-o"]).arg(&program).arg(example.join("src/main.rs")).output();
    let compiled = compiled.expect("rustc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(program).output().expect("it runs");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.starts_with("blur: ") && said.ends_with(" bytes, [8, 8, 1] threads\n"), "{said}");
}
