//! The permutations of a source: those of the nearest `rtc.toml` around it that names it.

use std::path::{Path, PathBuf};

use rtc_build::config::{self, Limits};
use rtc_build::watch::Stamps;
use rtc_explore::{Model, Permutation, Permutations};

/// The description of a build.
const NAME: &str = "rtc.toml";

/// How many folders around a source are searched.
const MAX_FOLDERS: usize = 64;

/// The permutations of a source, read again when a description changes.
pub struct Project {
    file: String,
    seen: Stamps,
    description: Option<String>,
    all: Vec<Permutation>,
    problems: Vec<String>,
}

impl Project {
    /// That of a source.
    pub fn of(file: &str) -> Project {
        let mut out = Project { file: file.to_owned(), seen: Stamps::default(), description: None, all: Vec::new(), problems: Vec::new() };
        out.read();
        out
    }

    /// The permutations, as their description is now.
    pub fn all(&mut self) -> &[Permutation] {
        if !self.seen.are_current() {
            self.read();
        }
        &self.all
    }

    /// What a page says of them; nothing if there is no description around the source.
    pub fn summary(&self, model: &Model) -> Option<Permutations> {
        let some = self.description.is_some() || !self.problems.is_empty();
        some.then(|| Permutations::of(self.description.clone(), &self.all, &model.arguments, self.problems.clone()))
    }

    /// The files that decide.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> + use<> {
        candidates(&self.file).into_iter()
    }

    fn read(&mut self) {
        (self.description, self.all, self.problems) = (None, Vec::new(), Vec::new());
        let candidates = candidates(&self.file);
        self.seen = Stamps::of(&candidates);
        let own = Path::new(&self.file).canonicalize().ok();
        for path in candidates.iter().filter(|p| p.is_file()) {
            let name = path.to_string_lossy().into_owned();
            let read = std::fs::read_to_string(path).map_err(|e| format!("cannot read `{name}`: {e}"));
            let plan = match read.and_then(|text| config::toml::plan(&name, &text, &Limits::default()).map_err(|e| e.to_string())) {
                Ok(plan) => plan,
                Err(why) => {
                    self.problems.push(why);
                    continue;
                }
            };
            // Most tasks are of a few sources.
            let mut last: Option<(&str, bool)> = None;
            for task in &plan.tasks {
                let is_own = match last {
                    Some((source, known)) if source == task.source => known,
                    _ => Path::new(&task.source).canonicalize().ok() == own,
                };
                last = Some((&task.source, is_own));
                if is_own {
                    self.all.push(Permutation { name: task.name(), arguments: task.arguments.clone() });
                }
            }
            if !self.all.is_empty() {
                self.description = Some(name);
                return;
            }
        }
    }
}

/// The descriptions that there may be, the nearest first.
fn candidates(file: &str) -> Vec<PathBuf> {
    let Ok(absolute) = std::path::absolute(file) else { return Vec::new() };
    let here = std::env::current_dir().unwrap_or_default();
    // Names relative to the current folder are those that people know.
    let short = |p: PathBuf| p.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(p);
    absolute.ancestors().skip(1).take(MAX_FOLDERS).map(|folder| short(folder.join(NAME))).collect()
}
