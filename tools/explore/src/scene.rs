//! The scene of a source: its pictures, how coherent its waves are, and what the sanitizer found, read from what `rtc run --results` writes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::Value;

/// What became of the scene.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneState {
    /// There is no scene, or nothing that renders it.
    #[default]
    Absent,
    /// The source has errors.
    Waiting,
    /// It is being rendered.
    Running,
    /// It could not be rendered.
    Failed,
    /// It is rendered.
    Done,
}

/// A scene, and what came of its last rendering.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Scene {
    /// Another number for each change.
    pub number: u64,
    /// What became of it.
    pub state: SceneState,
    /// Its file.
    pub name: Option<String>,
    /// Why there is no picture, in words.
    pub why: Option<String>,
    /// Warnings.
    pub warnings: Vec<String>,
    /// The pictures that it saves.
    pub pictures: Vec<Picture>,
    /// A profile for each dispatch of rays.
    pub profiles: Vec<Profile>,
    /// Undefined behaviour of its shaders, and places that its error names.
    pub findings: Vec<Finding>,
    /// What its checks say, in words.
    pub checks: Option<String>,
    /// How long it took.
    pub seconds: f64,
}

/// A picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Picture {
    /// The name of its file.
    pub name: String,
    /// Width and height.
    pub size: [u32; 2],
    /// The picture as a URI.
    pub data: Option<String>,
    /// Why it is not here.
    pub missing: Option<String>,
}

/// How coherent waves are in a dispatch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Profile {
    /// The number of different shaders that the brightest colour of the map stands for.
    pub max: f64,
    /// A pixel for each ray: the different shaders that its wave goes on with.
    pub map: Option<Picture>,
    /// Reorder points and traces.
    pub points: Vec<Point>,
}

/// A point at which rays could be reordered.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Point {
    /// The operation.
    pub op: String,
    /// The shader.
    pub shader: String,
    /// The file, as an index of the model's, and the line from 1.
    pub at: Option<[u32; 2]>,
    /// How many rays came there.
    pub times: u64,
    /// Lanes of a wave.
    pub lanes: u64,
    /// Different shaders that a wave goes on with, as it is and sorted.
    pub groups: [f64; 2],
    /// Different hints, as it is and sorted.
    pub hints: [f64; 2],
    /// Share of the lanes that came there, as it is and sorted.
    pub occupancy: [f64; 2],
    /// Whether reordering pays, in words.
    pub verdict: Option<String>,
}

/// What the sanitizer found, or a place that an error names.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// Its kind; `error`: what ended the rendering.
    pub kind: String,
    /// What it is.
    pub message: String,
    /// The file, as an index of the model's, and the line from 1.
    pub at: Option<[u32; 2]>,
    /// The shader.
    pub shader: Option<String>,
    /// The operation.
    pub op: Option<String>,
    /// The smallest thread that has it.
    pub thread: Option<[u32; 3]>,
    /// How often it occurred.
    pub times: u64,
}

/// The files that results name.
pub trait ResultFiles {
    /// The place of a line of a file as an index of the model's files and a line; none if the model does not have it.
    fn place(&mut self, file: &str, line: u32) -> Option<[u32; 2]>;

    /// The contents of a picture.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&mut self, file: &str) -> Result<Vec<u8>, String>;
}

/// The most bytes of a picture, and of all pictures of a scene: a page carries them.
const MAX_PICTURE: usize = 8 << 20;
const MAX_PICTURES: usize = 24 << 20;

/// The most pictures, findings and points.
const MAX_LIST: usize = 1000;

impl Scene {
    /// A scene without a result.
    pub fn new(state: SceneState, why: Option<String>) -> Scene {
        Scene { state, why, ..Scene::default() }
    }

    /// What results say.
    pub fn of_results(results: &Value, files: &mut dyn ResultFiles) -> Scene {
        let mut out = Scene { name: text(&results["scene"]), ..Scene::default() };
        let mut room = MAX_PICTURES;
        out.warnings = list(&results["warnings"]).filter_map(text).collect();
        for profile in list(&results["profiles"]) {
            let map = text(&profile["map"]).map(|file| picture(&file, files, &mut room));
            let points = list(&profile["points"]).map(|p| point(p, files)).collect();
            out.profiles.push(Profile { max: profile["max"].as_f64().unwrap_or(2.0), map, points });
        }
        let maps: Vec<String> = list(&results["profiles"]).filter_map(|p| text(&p["map"])).collect();
        let shown = |file: &String| file.to_ascii_lowercase().ends_with(".png") && !maps.contains(file);
        out.pictures = list(&results["outputs"]).filter_map(text).filter(shown).map(|file| picture(&file, files, &mut room)).collect();
        out.findings = list(&results["findings"]).map(|f| finding(f, files)).collect();
        out.checks = checks(&results["checks"]);
        match text(&results["error"]) {
            None => out.state = SceneState::Done,
            Some(_) if out.name.is_none() => out.state = SceneState::Absent,
            Some(why) => out = out.failed(&why, files),
        }
        out
    }

    /// The same, which failed with an error; lines of it that name a place are findings.
    #[must_use]
    pub fn failed(mut self, why: &str, files: &mut dyn ResultFiles) -> Scene {
        self.findings.extend(why.lines().filter_map(|line| {
            let at = mentioned(line, files)?;
            let finding =
                Finding { kind: "error".into(), message: line.trim().into(), at: Some(at), shader: None, op: None, thread: None, times: 1 };
            Some(finding)
        }));
        Scene { state: SceneState::Failed, why: Some(why.to_owned()), ..self }
    }
}

/// The first place of a file of the model that a line of a message names: `FILE:LINE`.
fn mentioned(line: &str, files: &mut dyn ResultFiles) -> Option<[u32; 2]> {
    line.match_indices(':').find_map(|(colon, _)| {
        let digits: String = line[colon + 1..].chars().take_while(char::is_ascii_digit).collect();
        let number = digits.parse().ok()?;
        // A name may have blanks: the longest one that is a file's counts.
        let starts = std::iter::once(0).chain(line[..colon].match_indices([' ', '`', '(']).map(|(at, _)| at + 1));
        starts.map(|start| &line[start..colon]).filter(|name| !name.is_empty()).find_map(|name| files.place(name, number))
    })
}

fn list(v: &Value) -> impl Iterator<Item = &Value> {
    v.as_array().into_iter().flatten().take(MAX_LIST)
}

fn text(v: &Value) -> Option<String> {
    v.as_str().map(str::to_owned)
}

fn number(v: &Value) -> u32 {
    v.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

/// The place that `file` and `line` of a result name.
fn place(v: &Value, files: &mut dyn ResultFiles) -> Option<[u32; 2]> {
    files.place(v["file"].as_str()?, number(&v["line"]))
}

fn point(p: &Value, files: &mut dyn ResultFiles) -> Point {
    let both = |name: &str| ["before", "after"].map(|when| p[when][name].as_f64().unwrap_or(0.0));
    Point {
        op: text(&p["op"]).unwrap_or_default(),
        shader: text(&p["shader"]).unwrap_or_default(),
        at: place(p, files),
        times: p["times"].as_u64().unwrap_or(0),
        lanes: p["lanes"].as_u64().unwrap_or(0),
        groups: both("groups"),
        hints: both("hints"),
        occupancy: both("occupancy"),
        verdict: text(&p["verdict"]),
    }
}

fn finding(f: &Value, files: &mut dyn ResultFiles) -> Finding {
    Finding {
        kind: text(&f["kind"]).unwrap_or_default(),
        message: text(&f["message"]).unwrap_or_default(),
        at: place(f, files),
        shader: text(&f["shader"]),
        op: text(&f["op"]),
        thread: f["thread"].as_array().map(|t| [0, 1, 2].map(|n| t.get(n).map_or(0, number))),
        times: f["times"].as_u64().unwrap_or(1),
    }
}

/// What checks say, in words.
fn checks(v: &Value) -> Option<String> {
    let (made, failed) = (v["made"].as_u64()?, v["failed"].as_u64()?);
    let first = list(&v["failures"]).filter_map(|f| f.as_str()).collect::<Vec<_>>().join("; ");
    Some(match failed {
        0 => format!("{made} checks passed."),
        _ => format!("{failed} of {made} checks failed: {first}"),
    })
}

/// A picture as a URI, as long as there is room.
fn picture(file: &str, files: &mut dyn ResultFiles, room: &mut usize) -> Picture {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned();
    let mut out = Picture { name, size: [0, 0], data: None, missing: None };
    match files.read(file) {
        Err(why) => out.missing = Some(why),
        Ok(bytes) => {
            out.size = size(&bytes);
            if bytes.len() > MAX_PICTURE.min(*room) {
                let mib = |n: usize| n as f64 / f64::from(1 << 20);
                let (has, most) = (mib(bytes.len()), mib(MAX_PICTURE));
                out.missing = Some(format!(
                    "{has:.1} MiB, which is too much for a page: a picture has {most:.0}, all together {:.0}",
                    mib(MAX_PICTURES)
                ));
            } else {
                *room -= bytes.len();
                out.data = Some(format!("data:image/png;base64,{}", STANDARD.encode(&bytes)));
            }
        }
    }
    out
}

/// Width and height of a PNG, which its first chunk says; 0 if it is none.
fn size(png: &[u8]) -> [u32; 2] {
    let word = |at: usize| png.get(at..at + 4).map_or(0, |b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]));
    if png.starts_with(b"\x89PNG\r\n\x1a\n") { [word(16), word(20)] } else { [0, 0] }
}
