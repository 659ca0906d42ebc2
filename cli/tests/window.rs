//! The window of `rtc run --window`, on a virtual display (`Xvfb`), whose pixels are in a file.
#![cfg(feature = "window")]

#[path = "shared/runs.rs"]
mod runs;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Green where the camera is at first, red if it is further to the right.
const SOURCE: &str = "
cbuffer View : register(b0) { float3 eye; };
RWTexture2D<float4> Output : register(u0);
[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID) { Output[id.xy] = eye.x > 0 ? float4(1, 0, 0, 1) : float4(0, 1, 0.2, 1); }
";
const SCENE: &str = "
[shader]
source = 'a.hlsl'
profile = 'cs_6_0'
[dispatch]
groups = [20, 15]
[camera]
eye = [0, 0, -2]
[constants.View]
eye = { camera = 'eye' }
[images.Scratch]
size = [8, 8]
format = 'rgba8_unorm'
[images.Output]
size = [160, 120]
format = 'rgba8_unorm'
save = 'out.png'
";
const GREEN: u32 = 0x00ff33;
const RED: u32 = 0xff0000;

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

fn run(folder: &Path, args: &[&str]) -> Command {
    std::fs::write(folder.join("a.hlsl"), SOURCE).expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtc-run"));
    command.current_dir(folder).args(["scene.toml", "--window", "--device", "vulkan"]).args(args);
    command.env("RTC", env!("CARGO_BIN_EXE_rtc")).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command
}

/// Whether a program can be started; with this option it prints its usage.
fn is_installed(program: &str) -> bool {
    Command::new(program).arg("-help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// How many pixels of a screen have a color. The file is an X window dump: a header of big-endian words, of which the first is its size and
/// the 20th the number of colors, then 12 bytes for each color, then the pixels.
fn pixels(file: &Path, color: u32) -> usize {
    let Ok(bytes) = std::fs::read(file) else { return 0 };
    let word = |i: usize| bytes.get(i * 4..i * 4 + 4).map_or(0, |w| u32::from_be_bytes([w[0], w[1], w[2], w[3]]) as usize);
    let pixels = bytes.get(word(0) + 12 * word(19)..).unwrap_or_default();
    pixels.as_chunks().0.iter().filter(|p| u32::from_le_bytes(**p) & 0xff_ffff == color).count()
}

/// Waits until so many pixels have a color.
#[track_caller]
fn see(file: &Path, color: u32, count: usize) {
    let started = Instant::now();
    while pixels(file, color) != count {
        assert!(started.elapsed() < Duration::from_secs(60), "{} pixels of {color:06x}, expected {count}", pixels(file, color));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn without_a_display_it_is_an_error() {
    let folder = runs::folder("window", "none");
    for display in [None, Some(":4711")] {
        let mut command = run(&folder, &[]);
        display.into_iter().for_each(|d| _ = command.env("DISPLAY", d));
        let done = command.output().expect("rtc-run starts");
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{said}");
        assert!(said.starts_with("rtc run: error: cannot open a window: "), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_window_shows_the_scene() {
    if let Err(why) = rtc_oracles::vulkan::available() {
        return rtc_oracles::skip::skip(why);
    }
    if !is_installed("Xvfb") {
        return rtc_oracles::skip::skip("there is no virtual display: `Xvfb` is not installed (Debian: xvfb)");
    }
    let folder = runs::folder("window", "shown");
    let display = format!(":{}", 1000 + std::process::id() % 50_000);
    let mut server = Command::new("Xvfb");
    server.args([&display, "-screen", "0", "640x480x24", "-nolisten", "tcp", "-fbdir"]).arg(&folder).stderr(Stdio::null());
    let _server = Running(server.spawn().expect("Xvfb starts"));
    let screen = folder.join("Xvfb_screen0");
    let started = Instant::now();
    while !screen.exists() || !Path::new(&format!("/tmp/.X11-unix/X{}", &display[1..])).exists() {
        assert!(started.elapsed() < Duration::from_secs(30), "Xvfb does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut window = Running(run(&folder, &["--watch"]).env("DISPLAY", &display).spawn().expect("rtc-run starts"));
    see(&screen, GREEN, 160 * 120);
    // A mistake leaves the picture; what follows it is shown.
    std::fs::write(folder.join("a.hlsl"), "no shader").expect("a file");
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(pixels(&screen, GREEN), 160 * 120);
    std::fs::write(folder.join("a.hlsl"), SOURCE.replace("0, 1, 0.2", "0, 0, 1")).expect("a file");
    see(&screen, 0x0000ff, 160 * 120);
    if !is_installed("xdotool") {
        return rtc_oracles::skip::skip("no keys are pressed: `xdotool` is not installed");
    }
    let keys = |args: &[&str]| {
        let done = Command::new("xdotool").env("DISPLAY", &display).args(args).status().expect("xdotool starts");
        assert!(done.success(), "{args:?}");
    };
    keys(&["search", "--sync", "--name", "scene.toml", "windowfocus", "--sync"]);
    keys(&["key", "d"]);
    see(&screen, RED, 160 * 120);
    keys(&["key", "r"]);
    see(&screen, 0x0000ff, 160 * 120);
    keys(&["key", "p"]);
    let written = folder.join("Output-001.png");
    while !written.exists() {
        assert!(started.elapsed() < Duration::from_secs(120), "no picture is written");
        std::thread::sleep(Duration::from_millis(50));
    }
    keys(&["key", "Escape"]);
    assert!(window.0.wait().expect("it ends").success());
    assert!(!folder.join("out.png").exists(), "nothing is written without P");
    assert_eq!(image::open(written).expect("a PNG").into_rgb8().get_pixel(5, 5).0, [0, 0, 255]);
}
