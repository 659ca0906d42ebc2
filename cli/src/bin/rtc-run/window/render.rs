//! Frames for the window: the scene is compiled and opened on a device, and runs frame after frame until the window is closed or a file
//! changes (`--watch`). A mistake in a changed file is reported, and the scene before it goes on.

use super::fit::Pixels;
use super::look::Viewer;
use super::shared::Shared;
use super::title::{Rates, title};
use crate::arguments::Arguments;
use crate::{Failure, compile, default_device, labelled, read, watch};
use rtc_build::watch::Stamps;
use rtc_host::run::{Average, CPU, FileFormat, FrameReport, Picture, RunOptions, Session, with_session};
use rtc_host::scene::Scene;
use rtc_host::{ErrorKind, RunError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often the title changes, and how often files are looked at.
const INTERVAL: Duration = Duration::from_millis(200);

/// Runs frames until the window is closed.
///
/// # Errors
/// The scene is wrong, does not compile or cannot run, and it is not watched.
pub fn frames(file: &Path, a: &Arguments, shared: &Shared) -> Result<(), Failure> {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let mut work =
        Work { file, name, a, shared, files: vec![file.to_path_buf()], seen: Stamps::default(), viewer: Viewer::default(), written: 0 };
    let mut made = None;
    loop {
        let done = match made.take() {
            Some(made) => Ok(made),
            None => work.make(),
        };
        match done.and_then(|made| work.open(&made)) {
            Ok(None) => return Ok(()),
            Ok(other) => made = other,
            Err(e) if !a.watch => return Err(e),
            Err(e) => {
                work.complain(&e);
                while work.seen.are_current() && !shared.is_closed() {
                    std::thread::sleep(INTERVAL);
                }
                if shared.is_closed() {
                    return Ok(());
                }
                std::thread::sleep(INTERVAL);
            }
        }
    }
}

/// A scene with what its source was compiled into.
struct Compiled {
    scene: Scene,
    package: Vec<u8>,
    /// Whether it is DXIL for the CPU device, without being named.
    by_default: bool,
}

/// What stays from scene to scene.
struct Work<'a> {
    file: &'a Path,
    name: String,
    a: &'a Arguments,
    shared: &'a Shared,
    /// The files that the picture depends on, and their state when they were read.
    files: Vec<PathBuf>,
    seen: Stamps,
    viewer: Viewer,
    /// How many pictures were written to files.
    written: u32,
}

impl Work<'_> {
    /// Reads and compiles the scene.
    fn make(&mut self) -> Result<Compiled, Failure> {
        let before = Stamps::of(&self.files);
        let made = read(self.file, self.a).and_then(|scene| {
            if self.a.watch {
                watch::inputs(self.file, &scene, self.a, &mut self.files);
            }
            // Without a GPU the CPU device is the fastest.
            let dxil = if default_device::is_cpu(&scene, self.a) { compile::quietly(&scene, &self.a.more) } else { None };
            let by_default = dxil.is_some();
            let package = dxil.map_or_else(|| compile::package(&scene, &self.a.more, self.a.cpu()), Ok)?;
            Ok(Compiled { scene, package, by_default })
        });
        // What changed while it was compiled is a change.
        self.seen = Stamps::of(&self.files).or_older(&before);
        made
    }

    /// Prints an error, and shows it in the title.
    fn complain(&self, e: &Failure) {
        let (Failure::Error(message) | Failure::NoDevice(message)) = e;
        eprintln!("{}", labelled(message, "error"));
        let title = title(&self.name, &Rates::default(), None, false, Some(message));
        self.shared.tell(|news| news.title = Some(title));
    }

    /// Opens a device that runs the scene, and runs frames on it until the window is closed, or until a file changed: then it returns what
    /// the scene is now.
    fn open(&mut self, made: &Compiled) -> Result<Option<Compiled>, Failure> {
        self.viewer.reloaded();
        let a = self.a;
        let mut run = |package: &[u8], options: &RunOptions| {
            with_session(&made.scene, package, options, |session| self.session(session, &made.scene))
        };
        if made.by_default {
            let options = RunOptions { device: Some(CPU.into()), ..a.options.clone() };
            match run(&made.package, &options) {
                Err(e) if e.kind == ErrorKind::NoDevice => {
                    eprintln!("rtc run: note: the CPU device does not run this: {e}");
                    let package = compile::package(&made.scene, &a.more, false)?;
                    return Ok(run(&package, &a.options)?);
                }
                done => return Ok(done?),
            }
        }
        match run(&made.package, &a.options) {
            Err(e) if e.kind == ErrorKind::NoDevice && !a.cpu() => {
                compile::elsewhere(&made.scene, &made.package, e, a.more.clone(), a.options.clone(), run)
            }
            done => Ok(done?),
        }
    }

    /// Runs frames as [`Work::open`] says.
    fn session(&mut self, session: &mut Session<'_>, scene: &Scene) -> Result<Option<Compiled>, RunError> {
        for w in session.warnings() {
            eprintln!("rtc run: warning: {w}");
        }
        let options = &self.a.options;
        let averaged = options.accumulate || scene.frames.accumulate;
        let first = options.first_frame.unwrap_or(scene.frames.first);
        let count = options.frames.unwrap_or(scene.frames.count);
        let (mut rates, mut average, mut failed) = (Rates::default(), Average::default(), false);
        let (mut last, mut told, mut looked) = (Instant::now(), None::<Instant>, Instant::now());
        loop {
            if self.shared.is_closed() {
                return Ok(None);
            }
            if self.a.watch && looked.elapsed() >= INTERVAL {
                looked = Instant::now();
                if !self.seen.are_current() {
                    // Editors write in several steps.
                    std::thread::sleep(INTERVAL);
                    match self.make() {
                        Ok(made) => return Ok(Some(made)),
                        Err(e) => {
                            self.complain(&e);
                            failed = true;
                        }
                    }
                }
            }
            let now = Instant::now();
            let moved = self.shared.moved(now);
            let view = self.viewer.next(scene, &moved, now - std::mem::replace(&mut last, now), first, count, averaged)?;
            if view.restart {
                average = Average::default();
            }
            let report: FrameReport = session.frame(&view.frame, view.camera.as_ref())?;
            let mut picture = session.picture(self.a.show.as_deref())?;
            if averaged {
                picture = picture.averaged(&mut average);
            }
            let pixels = Pixels::of(picture.size(), &picture.colors()?);
            rates.add(Instant::now(), report.rays_per_second());
            let mut title = None;
            // An error stays until its cause is gone.
            if !failed && told.is_none_or(|t| t.elapsed() >= INTERVAL) {
                told = Some(Instant::now());
                title = Some(self::title(&self.name, &rates, averaged.then(|| average.count()), moved.paused, None));
            }
            self.shared.tell(|news| {
                news.picture = Some(pixels);
                news.title = title.or(news.title.take());
            });
            if moved.write {
                self.write(&picture);
            }
        }
    }

    /// Writes what the window shows to a file that is not there yet.
    fn write(&mut self, picture: &Picture) {
        let options = &self.a.options;
        let format = options.format.unwrap_or(FileFormat::Png);
        let path = loop {
            self.written += 1;
            let path = options.output.join(format!("{}-{:03}.{}", picture.name, self.written, format.name()));
            if !path.exists() {
                break path;
            }
        };
        match picture.write(&path, format) {
            Ok(files) => files.iter().for_each(|f| rtc_base::say!("wrote     {}", f.display())),
            Err(e) => eprintln!("rtc run: error: {e}"),
        }
    }
}
