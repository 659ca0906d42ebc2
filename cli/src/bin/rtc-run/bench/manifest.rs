//! The manifest of a measurement: which scenes, and for each the packages that are its forms.
//!
//! ```json
//! { "version": 1, "turns": 5, "repeat": 3, "scale": 8,
//!   "jobs": [ { "name": "hello", "scene": "scenes/hello/scene.toml", "scale": 8,
//!     "forms": [ { "name": "rtc", "options": "-O3", "package": "packages/hello.rtc.rtp" },
//!                { "name": "reference", "options": "-O3", "package": "packages/hello.reference.rtp" } ],
//!     "left_out": [ { "form": "-O1", "reason": "the module of `rtc`" } ] } ] }
//! ```
//!
//! Files are relative to the manifest. `scale` of a job is that of the manifest if it is left out, and so are `turns` and `repeat` 5 and 3.

use super::error;
use crate::Failure;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The version that this program reads.
const VERSION: u64 = 1;

/// A manifest.
pub struct Manifest {
    /// The folder that it lies in.
    pub dir: PathBuf,
    /// How many turns each form has.
    pub turns: u32,
    /// How often it runs in a turn; the fastest counts.
    pub repeat: u32,
    /// How many times the resolution of the scene file, in each direction.
    pub scale: f64,
    /// The scenes.
    pub jobs: Vec<Job>,
}

/// A scene and its forms.
pub struct Job {
    /// Its name.
    pub name: String,
    /// The scene file.
    pub scene: PathBuf,
    /// How many times its resolution.
    pub scale: f64,
    /// At least one; the others are compared with the first.
    pub forms: Vec<Form>,
    /// Forms that were not made, as the manifest says them.
    pub left_out: Value,
}

/// A package.
pub struct Form {
    /// Its name.
    pub name: String,
    /// The options that made it, for people.
    pub options: String,
    /// The file.
    pub package: PathBuf,
}

/// A part of the manifest, and what it is called in messages.
struct Part<'a>(&'a Value, String);

impl<'a> Part<'a> {
    fn get(&self, key: &str) -> Result<Part<'a>, String> {
        let found = self.0.get(key).ok_or_else(|| format!("{} has no `{key}`", self.1))?;
        Ok(Part(found, format!("`{key}` of {}", self.1)))
    }

    fn text(&self, key: &str) -> Result<String, String> {
        let part = self.get(key)?;
        part.0.as_str().map(str::to_string).ok_or_else(|| format!("{} is not a text", part.1))
    }

    fn list(&self, key: &str) -> Result<Vec<Part<'a>>, String> {
        let part = self.get(key)?;
        let list = part.0.as_array().filter(|l| !l.is_empty()).ok_or_else(|| format!("{} is not a list with something in it", part.1))?;
        Ok(list.iter().enumerate().map(|(n, v)| Part(v, format!("number {n} of {}", part.1))).collect())
    }

    /// A number above zero.
    fn count(&self, key: &str, default: u32) -> Result<u32, String> {
        let Some(v) = self.0.get(key) else { return Ok(default) };
        let n = v.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
        n.ok_or_else(|| format!("`{key}` of {} is not a number above zero", self.1))
    }

    /// A factor.
    fn factor(&self, default: f64) -> Result<f64, String> {
        let Some(v) = self.0.get("scale") else { return Ok(default) };
        v.as_f64().filter(|x| *x > 0.0 && *x <= 1024.0).ok_or_else(|| format!("`scale` of {} is not a number above 0, up to 1024", self.1))
    }
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// It cannot be read, is not JSON, or something in it is missing or wrong: the message says where.
    pub fn read(file: &Path) -> Result<Manifest, Failure> {
        let at = |why: String| error(format!("`{}`: {why}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|e| error(format!("cannot read `{}`: {e}", file.display())))?;
        let value: Value = serde_json::from_str(&text).map_err(|e| at(e.to_string()))?;
        Manifest::of(&value, file.parent().unwrap_or(Path::new(""))).map_err(at)
    }

    fn of(value: &Value, dir: &Path) -> Result<Manifest, String> {
        let all = Part(value, "the manifest".to_string());
        match all.get("version")?.0.as_u64() {
            Some(VERSION) => {}
            _ => return Err(format!("its version is not {VERSION}, which is what this program reads")),
        }
        let scale = all.factor(1.0)?;
        let mut jobs = Vec::new();
        for j in all.list("jobs")? {
            let mut forms = Vec::new();
            for f in j.list("forms")? {
                forms.push(Form { name: f.text("name")?, options: f.text("options")?, package: dir.join(f.text("package")?) });
            }
            jobs.push(Job {
                name: j.text("name")?,
                scene: dir.join(j.text("scene")?),
                scale: j.factor(scale)?,
                forms,
                left_out: j.0.get("left_out").cloned().unwrap_or(Value::Array(Vec::new())),
            });
        }
        Ok(Manifest { dir: dir.to_path_buf(), turns: all.count("turns", 5)?, repeat: all.count("repeat", 3)?, scale, jobs })
    }

    /// Job number `n`.
    pub fn job(&self, n: usize) -> Result<&Job, Failure> {
        self.jobs.get(n).ok_or_else(|| error(format!("`{}` has {} scenes, no number {n}", self.dir.display(), self.jobs.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn mistakes_have_places() {
        let form = json!({ "name": "rtc", "options": "", "package": "a.rtp" });
        let job = json!({ "name": "a", "scene": "a.toml", "forms": [form] });
        let read = |v: Value| Manifest::of(&v, Path::new("d"));
        let good = read(json!({ "version": 1, "scale": 2, "jobs": [job] })).expect("a manifest");
        assert_eq!((good.turns, good.repeat, good.jobs[0].scale), (5, 3, 2.0));
        assert_eq!(good.jobs[0].forms[0].package, Path::new("d/a.rtp"));
        for (value, why) in [
            (json!({ "version": 2, "jobs": [job] }), "its version is not 1"),
            (json!({ "version": 1 }), "the manifest has no `jobs`"),
            (json!({ "version": 1, "jobs": [] }), "`jobs` of the manifest is not a list"),
            (json!({ "version": 1, "jobs": [3] }), "number 0 of `jobs` of the manifest has no `forms`"),
            (json!({ "version": 1, "turns": 0, "jobs": [job] }), "`turns` of the manifest is not a number above zero"),
            (json!({ "version": 1, "scale": -1, "jobs": [job] }), "`scale` of the manifest is not"),
            (json!({ "version": 1, "jobs": [{ "name": "a", "scene": "s", "forms": [{ "name": 1 }] }] }), "`name` of number 0 of `forms`"),
        ] {
            let e = read(value).err().expect("a mistake");
            assert!(e.starts_with(why), "{e}");
        }
    }
}
