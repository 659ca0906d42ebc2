//! Rendering of a scene for the page: `rtc run` in another process, which a newer source or other options supersede.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant, SystemTime};

use rtc_build::watch::Stamps;
use rtc_explore::{Model, ResultFiles, Scene, SceneState};

use crate::run;

/// How long a rendering may take.
const MAX_TIME: Duration = Duration::from_secs(600);

/// What is rendered, and how.
#[derive(Clone, Default)]
pub struct Settings {
    /// Whether anything is.
    pub on: bool,
    /// The scene; none: that of the source.
    pub scene: Option<String>,
    /// How many frames.
    pub frames: u32,
}

/// Renders the scene of a source, one rendering at a time.
pub struct Renderer {
    settings: Settings,
    job: Option<Job>,
    /// What was rendered last, or is being rendered.
    last: Option<Wanted>,
    /// The files of the scene, as they were before.
    inputs: Stamps,
    /// The options of the scene, of these files.
    described: Option<(Stamps, Option<Vec<String>>)>,
    scene: Scene,
    started: u32,
}

/// What is to be rendered.
#[derive(Clone, PartialEq, Eq)]
struct Wanted {
    file: String,
    arguments: Vec<String>,
    /// The version of the sources.
    version: String,
    /// The files of the model, with the number of lines.
    files: Vec<(String, usize)>,
}

/// A process that renders.
struct Job {
    /// The process. It ends when its standard input does, which is closed with this program, however that ends.
    child: Child,
    folder: PathBuf,
    since: Instant,
}

impl Drop for Job {
    /// Ends the process, and removes its files.
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The files of results.
struct Files<'a>(&'a [(String, usize)]);

impl ResultFiles for Files<'_> {
    fn place(&mut self, file: &str, line: u32) -> Option<[u32; 2]> {
        // A scene names its shader in another way than the command line.
        let exact = self.0.iter().position(|f| f.0 == file);
        let path = || Path::new(file).canonicalize().ok();
        let index =
            exact.or_else(|| path().and_then(|p| self.0.iter().position(|f| Path::new(&f.0).canonicalize().is_ok_and(|own| own == p))))?;
        (line >= 1 && line as usize <= self.0[index].1).then_some([index as u32, line])
    }

    fn read(&mut self, file: &str) -> Result<Vec<u8>, String> {
        std::fs::read(file).map_err(|e| format!("cannot read `{file}`: {e}"))
    }
}

impl Renderer {
    /// One that has rendered nothing.
    pub fn new(settings: Settings) -> Renderer {
        sweep();
        let why = (!settings.on).then(|| "No scene is rendered: `--no-scene` says so.".to_owned());
        // A page that was open before this program started knows numbers of another one.
        let number = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_millis() as u64);
        let scene = Scene { number, ..Scene::new(SceneState::Absent, why) };
        Renderer { settings, job: None, last: None, inputs: Stamps::default(), described: None, scene, started: 0 }
    }

    /// The options that the scene of a source states for it; none: there is no scene, or nothing that reads it.
    pub fn options(&mut self, file: &str) -> Option<&[String]> {
        if !self.settings.on {
            return None;
        }
        if self.described.as_ref().is_none_or(|(stamps, _)| !stamps.are_current()) {
            let inputs = scenes(file, self.settings.scene.as_deref()).into_iter().chain([PathBuf::from(file)]);
            self.described = Some((Stamps::of(inputs), described(file, self.settings.scene.as_deref())));
        }
        self.described.as_ref().and_then(|(_, options)| options.as_deref())
    }

    /// Ends a rendering of sources of another version.
    pub fn supersede(&mut self, version: &str) {
        if self.last.as_ref().is_some_and(|l| l.version != version) {
            self.job = None;
        }
    }

    /// Begins to render what a model is of, unless that is rendered or being rendered.
    pub fn want(&mut self, model: &Model, version: String) {
        if !self.settings.on {
            return;
        }
        let files = model.files.iter().map(|f| (f.name.clone(), f.lines.len())).collect();
        let wanted = Wanted { file: model.name.clone(), arguments: rtc_explore::to_run(&model.arguments), version, files };
        let superseded = self.job.is_none() && self.scene.state == SceneState::Running;
        if self.last.as_ref() == Some(&wanted) && !superseded {
            return;
        }
        self.last = Some(wanted);
        self.job = None;
        // The shaders are DXIL: an error for SPIR-V alone keeps nothing from being rendered.
        if model.views.iter().any(|v| v.id == "dxil" && v.missing.is_some()) {
            return self.set(Scene::new(SceneState::Waiting, Some("The source has errors.".into())));
        }
        self.start();
    }

    /// The scene as it is now.
    pub fn scene(&mut self) -> &Scene {
        if self.settings.on {
            self.proceed();
        }
        &self.scene
    }

    /// The scene when its rendering has ended.
    pub fn finished(&mut self) -> &Scene {
        while self.job.is_some() {
            self.proceed();
            std::thread::sleep(Duration::from_millis(10));
        }
        &self.scene
    }

    fn set(&mut self, scene: Scene) {
        self.scene = Scene { number: self.scene.number + 1, ..scene };
    }

    fn start(&mut self) {
        let Some(wanted) = &self.last else { return };
        self.started += 1;
        let folder = std::env::temp_dir().join(format!("{FOLDER}{}-{}", std::process::id(), self.started));
        self.inputs = Stamps::of(scenes(&wanted.file, self.settings.scene.as_deref()));
        match job(wanted, &self.settings, folder) {
            Ok(job) => {
                self.job = Some(job);
                self.set(Scene::new(SceneState::Running, None));
            }
            Err(why) => self.set(Scene::new(SceneState::Absent, Some(why))),
        }
    }

    /// Takes the results of a process that has ended; begins again if a file of the scene has changed.
    fn proceed(&mut self) {
        let Some(job) = &mut self.job else {
            if self.last.is_some() && self.scene.state != SceneState::Waiting && !self.inputs.are_current() {
                self.start();
            }
            return;
        };
        let took = job.since.elapsed();
        let ended = match job.child.try_wait() {
            Ok(None) if took < MAX_TIME => return,
            Ok(None) => Err(format!("The rendering took longer than {} s and was ended.", MAX_TIME.as_secs())),
            Ok(Some(status)) => Ok(status),
            Err(e) => Err(format!("The process that renders was lost: {e}")),
        };
        let said = std::fs::read(job.folder.join(SAID)).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        let results = std::fs::read(job.folder.join(RESULTS)).ok().and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
        let files = self.last.as_ref().map_or(&[][..], |l| &l.files);
        let scene = match (ended, results) {
            (Err(why), _) => Scene::new(SceneState::Failed, Some(why)),
            (Ok(_), Some(results)) => {
                let before = std::mem::take(&mut self.inputs);
                let inputs = results["inputs"].as_array().into_iter().flatten().filter_map(|f| f.as_str()).map(PathBuf::from);
                let named = self.last.iter().flat_map(|l| scenes(&l.file, self.settings.scene.as_deref()));
                // What changed while it was rendered is a change.
                self.inputs = Stamps::of(inputs.chain(named)).or_older(&before);
                match Scene::of_results(&results, &mut Files(files)) {
                    scene if results["no_device"] == true => Scene { state: SceneState::Absent, why: Some(said), ..scene },
                    // What the compiler said comes before the error.
                    scene if scene.state == SceneState::Failed => Scene { findings: Vec::new(), ..scene }.failed(&said, &mut Files(files)),
                    scene => scene,
                }
            }
            // It ended before it could write results: there is no CPU device, or it crashed.
            (Ok(status), None) if status.code() == Some(NO_DEVICE) => {
                Scene::new(SceneState::Absent, Some(format!("No scene is rendered. {said}")))
            }
            (Ok(status), None) if said.is_empty() => {
                Scene::new(SceneState::Failed, Some(format!("`rtc run` ended without a result: {status}")))
            }
            (Ok(_), None) => Scene::new(SceneState::Failed, None).failed(&said, &mut Files(files)),
        };
        self.job = None;
        self.set(Scene { seconds: took.as_secs_f64(), ..scene });
    }
}

/// What `rtc run --describe` says of the options of a source.
fn described(file: &str, scene: Option<&str>) -> Option<Vec<String>> {
    let mut command = run::command();
    command.arg(file).arg("--describe").args(scene.iter().flat_map(|s| ["--scene", s]));
    let done = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let said: serde_json::Value = serde_json::from_slice(&done.stdout).ok()?;
    let words = said["arguments"].as_array()?.iter().filter_map(|a| a.as_str()).map(str::to_owned);
    Some(words.collect())
}

/// How the names of folders of renderings begin.
const FOLDER: &str = "rtc-explore-";

/// Removes what programs left that were killed while they rendered.
fn sweep() {
    let old = |e: &std::fs::DirEntry| {
        let age = e.metadata().ok().and_then(|m| m.modified().ok()).and_then(|t| t.elapsed().ok());
        e.file_name().to_string_lossy().starts_with(FOLDER) && age.is_some_and(|age| age > 2 * MAX_TIME)
    };
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten().filter(old) {
        _ = std::fs::remove_dir_all(entry.path());
    }
}

/// The files that may be the scene of a source before that is known.
fn scenes(file: &str, given: Option<&str>) -> Vec<PathBuf> {
    match given {
        Some(scene) => vec![PathBuf::from(scene)],
        None => vec![Path::new(file).with_file_name("scene.toml")],
    }
}

/// The exit status of `rtc run` where no device can run a scene.
const NO_DEVICE: i32 = 3;

/// What the process says, and its results, in its folder.
const SAID: &str = "said.txt";
const RESULTS: &str = "results.json";

fn job(wanted: &Wanted, settings: &Settings, folder: PathBuf) -> Result<Job, String> {
    let fail = |e: std::io::Error| format!("cannot write to `{}`: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(fail)?;
    let said = File::create(folder.join(SAID)).map_err(fail)?;
    let mut command = run::command();
    command
        .arg(&wanted.file)
        .args(["--device", "cpu", "--sanitize", "--quiet", "--until-eof", "--format", "png", "--frames"])
        .arg(settings.frames.to_string());
    if let Some(scene) = &settings.scene {
        command.args(["--scene", scene]);
    }
    command.arg("--profile").arg(folder.join("coherence.png"));
    command.arg("--results").arg(folder.join(RESULTS)).arg("-o").arg(folder.join("pictures"));
    command.arg("--").args(&wanted.arguments).arg("-no-warnings");
    // What it leaves when it is ended goes with the folder.
    for name in ["TMPDIR", "TMP", "TEMP"] {
        command.env(name, &folder);
    }
    match command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said).spawn() {
        Ok(child) => Ok(Job { child, folder, since: Instant::now() }),
        Err(e) => {
            _ = std::fs::remove_dir_all(&folder);
            Err(run::cannot_start(&command, &e))
        }
    }
}
