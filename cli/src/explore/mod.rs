//! `rtc explore`: the page of a source, in a file or served to browsers of this machine while the source is edited.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rtc::{Compilation, Disk, Options, Session};
use rtc_explore::{Explored, Listed, Model, Request, Scene, SceneState, Server};

use crate::error::Result;
use crate::output::{self, Named};

mod project;
mod render;

use project::Project;
use render::{Renderer, Settings};

const USAGE: &str = "usage: rtc explore [OPTIONS] FILE
Shows a source next to its DXIL, its SPIR-V and its IR after each pass, linked line by line, with the lifetimes of payloads and what is live
across reorder points, as a page for a browser of this machine. The page follows the source as it is edited. The options of the compiler
apply; without -T, a first line `// rtc -T PROFILE OPTIONS` of the source has them, else the first permutation of an rtc.toml around it that names
it, else its scene, else the profile is lib_6_9. The source's scene (`// scene: FILE` in its first lines, or a scene.toml in its folder) is rendered by the CPU
device, for its picture, the coherence of its waves, and what the sanitizer finds. And:
  --scene SCENE.toml  render this scene, with the source as its shader
  --frames N          render so many frames; the default is 1
  --no-scene          render nothing
  --export FILE.html  write the page to one file, which needs no server
  --export FILE.json  write what the page shows as JSON
  --port N            serve at this port; the default is any that is free";

/// What the arguments ask for.
struct Arguments {
    file: String,
    export: Option<String>,
    port: u16,
    render: Settings,
    /// Those of the compiler.
    options: Vec<String>,
}

/// Exports or serves the page. Returns `false` if it exports a source with errors.
///
/// # Errors
/// Invalid arguments, a source that cannot be read, a file that cannot be written, a port that is taken.
pub fn run(arguments: &[String]) -> Result<bool> {
    let Some(a) = read(arguments)? else {
        return output::print(format!("{USAGE}\n").as_bytes()).map(|()| true);
    };
    let explicit = a.render.scene.is_some();
    // What cannot be read now is an error; what cannot be read later is a message in the page.
    for file in [Some(&a.file), a.render.scene.as_ref()].into_iter().flatten() {
        output::read(file)?;
    }
    let mut source = Source {
        project: Project::of(&a.file),
        renderer: Renderer::new(a.render),
        file: a.file,
        options: a.options,
        session: Session::new(Disk),
        used: Vec::new(),
    };
    if let Some(path) = a.export {
        let text = output::read(&source.file)?;
        let mut model = source.compile(&text, None);
        let scene = source.renderer.finished().clone();
        if let Some(why) = scene.why.as_ref().filter(|_| explicit || scene.state == SceneState::Failed) {
            eprintln!("the scene is not rendered: {why}");
        }
        let rendered = !explicit || scene.state == SceneState::Done;
        model.scene = Some(scene);
        let json = path.ends_with(".json");
        let page = if json { serde_json::to_string(&model).map_err(|e| e.to_string())? } else { rtc_explore::page(&model, None) };
        output::write(&path, page.as_bytes())?;
        let errors: Vec<_> = model.diagnostics.iter().filter(|d| d.severity == "error").collect();
        for d in &errors {
            let place = d.at.map_or(String::new(), |[f, line]| format!("{}:{line}: ", model.files[f as usize].name));
            eprintln!("{place}error: {}", d.message);
        }
        return Ok(errors.is_empty() && rendered);
    }
    let server = Server::new(a.port).map_err(|e| format!("cannot serve at port {}: {e}", a.port))?;
    rtc_base::say!("{} is at {}\nCtrl-C ends the server.", source.file, server.url());
    server.serve(&mut source).map_err(|e| format!("the server ended: {e}"))?;
    Ok(true)
}

fn read(arguments: &[String]) -> Result<Option<Arguments>> {
    let (mut export, mut port) = (None, 0);
    let mut render = Settings { on: true, scene: None, frames: 1 };
    let mut options = Vec::new();
    let mut rest = arguments.iter();
    while let Some(a) = rest.next() {
        let (name, mut value) = match a.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (a.as_str(), None),
        };
        let mut value = |what: &str| match value.take().or_else(|| rest.next().cloned()).filter(|v| !v.is_empty()) {
            Some(v) => Ok(v),
            None => Err(format!("option `{name}` requires {what}")),
        };
        match name {
            "-h" | "-help" | "--help" | "-?" => return Ok(None),
            "--export" | "-export" => export = Some(value("a file")?),
            "--port" | "-port" => {
                let text = value("a number")?;
                port = text.parse().map_err(|_| format!("option `{name}`: `{text}` is not a port from 0 to 65535"))?;
            }
            "--scene" | "-scene" => render.scene = Some(value("a scene")?),
            "--no-scene" | "-no-scene" => render.on = false,
            "--frames" | "-frames" => {
                let text = value("a number")?;
                let frames = text.parse().ok().filter(|n| *n > 0);
                render.frames = frames.ok_or_else(|| format!("option `{name}`: `{text}` is not a number above zero"))?;
            }
            _ => options.push(a.clone()),
        }
    }
    // The compiler knows which argument is the source.
    let request = Options::parse_args_of_several(options.iter().cloned().chain(profile(&options)), &mut Named::default())?;
    let file = match request.sources.as_slice() {
        [file] => file.clone(),
        [] => return Err(format!("no source file given\n{USAGE}").into()),
        [_, second, ..] => return Err(format!("more than one source file given: `{second}` too").into()),
    };
    if file == "-" {
        return Err("the source is a file, not standard input: the page follows it".into());
    }
    if let Some(at) = options.iter().rposition(|o| *o == file) {
        options.remove(at);
    }
    if render.scene.is_some() && !render.on {
        return Err("`--scene` and `--no-scene` exclude each other".into());
    }
    Ok(Some(Arguments { file, export, port, render, options }))
}

/// A profile for options that name none, so that they can be read before the source is.
fn profile(options: &[String]) -> Option<String> {
    let names = |o: &String| o.starts_with("-T") || o.starts_with("/T") && !Path::new(o).exists();
    (!options.iter().any(names)).then(|| "-Tlib_6_9".to_owned())
}

/// The source that is shown.
struct Source {
    file: String,
    options: Vec<String>,
    session: Session,
    project: Project,
    renderer: Renderer,
    /// The files of the last model.
    used: Vec<PathBuf>,
}

impl Source {
    fn compile(&mut self, text: &[u8], options: Option<Vec<String>>) -> Model {
        self.session.forget_files();
        let version = self.version();
        self.renderer.supersede(&version);
        let source = rtc::decode(text).text.into_owned();
        let mut request = Request { name: self.file.clone(), source, arguments: self.options.clone() };
        if let Some(options) = options {
            request.arguments = options;
        } else if self.options.is_empty() && !request.source_has_options() {
            if let Some(first) = self.project.all().first() {
                request.arguments.clone_from(&first.arguments);
            } else if let Some(options) = self.renderer.options(&self.file) {
                request.arguments = options.to_vec();
            }
        }
        let session = &self.session;
        let mut compile = |o: &Options| -> std::result::Result<Compilation, String> {
            session.compile(&request.name, text, o).map_err(|e| e.to_string())
        };
        let mut model = rtc_explore::model(&request, &mut Named::default(), &mut compile);
        self.used = model.files.iter().map(|f| PathBuf::from(&f.name)).collect();
        model.permutations = self.project.summary(&model);
        let version = self.version();
        self.renderer.want(&model, version);
        model
    }
}

impl Explored for Source {
    fn model(&mut self, options: Option<Vec<String>>) -> Model {
        match output::read(&self.file) {
            Ok(text) => {
                let mut model = self.compile(&text, options);
                model.scene = Some(self.renderer.scene().clone());
                model
            }
            Err(e) => {
                let message = e.to_string();
                self.used = vec![PathBuf::from(&self.file)];
                let request = Request { name: self.file.clone(), source: String::new(), arguments: self.options.clone() };
                rtc_explore::model(&request, &mut Named::default(), &mut |_| Err(message.clone()))
            }
        }
    }

    fn version(&mut self) -> String {
        let of = |path: &PathBuf| {
            let data = std::fs::metadata(path).ok();
            let changed = data.as_ref().and_then(|m| m.modified().ok()).and_then(|t| t.duration_since(SystemTime::UNIX_EPOCH).ok());
            format!("{}-{}", data.map_or(0, |m| m.len()), changed.map_or(0, |t| t.as_nanos()))
        };
        self.used.iter().cloned().chain(self.project.files()).map(|path| of(&path)).collect::<Vec<_>>().join(" ")
    }

    fn scene(&mut self) -> Option<&Scene> {
        Some(self.renderer.scene())
    }

    fn permutations(&mut self, filter: &str) -> Listed<'_> {
        rtc_explore::listed(self.project.all(), filter)
    }
}
