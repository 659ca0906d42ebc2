//! Paths of a camera: keys over time, and what is between them.
//!
//! Between two keys each number is interpolated: `linear` along straight lines, `smooth` along cubic Hermite curves whose slope at a key is
//! that of the line through its neighbours (at the ends: of the first and last line). Before the first key and after the last one the
//! camera does not move.

use super::Camera;
use super::reader::{Node, Table};
use crate::error::{Result, RunError};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What is between keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// Cubic curves.
    Smooth,
}

/// How many numbers a key has.
const NUMBERS: usize = 10;

/// A path: eye, look-at point, up direction and field of view over time.
#[derive(Clone, PartialEq, Debug)]
pub struct CameraPath {
    /// Times in seconds, increasing, each with its numbers.
    keys: Vec<(f32, [f32; NUMBERS])>,
    between: Interpolation,
    /// The file that it was read from.
    pub file: Option<PathBuf>,
}

fn numbers(c: &Camera) -> [f32; NUMBERS] {
    let ([a, b, d], [e, f, g], [h, i, j]) = (c.eye, c.look_at, c.up);
    [a, b, d, e, f, g, h, i, j, c.fov_y]
}

fn camera(base: &Camera, n: [f32; NUMBERS]) -> Camera {
    let [a, b, d, e, f, g, h, i, j, fov_y] = n;
    Camera { eye: [a, b, d], look_at: [e, f, g], up: [h, i, j], fov_y, ..*base }
}

impl CameraPath {
    /// Reads `path` and `interpolation` of `[camera]`; a key has what `base` has unless it says otherwise.
    pub(super) fn read(t: &Table<'_>, base: &Camera, dir: &Path) -> Result<Option<CameraPath>> {
        let words = [("linear", Interpolation::Linear), ("smooth", Interpolation::Smooth)];
        let between = t.take("interpolation");
        let Some(path) = t.take("path") else {
            return between.map_or(Ok(None), |n| Err(n.error("`interpolation` requires a `path`")));
        };
        let between = between.map_or(Ok(Interpolation::Smooth), |n| n.word(&words))?;
        let (keys, file) = match path.is_array() {
            true => (path.list()?.iter().map(|n| key(n, base)).collect::<Result<Vec<_>>>()?, None),
            false => {
                let file = dir.join(path.str()?);
                let text = std::fs::read_to_string(&file).map_err(|e| path.error(format!("cannot read {}: {e}", file.display())))?;
                (json_keys(&text, base).map_err(|why| path.error(format!("{}: {why}", file.display())))?, Some(file))
            }
        };
        let out = CameraPath { keys, between, file };
        out.check(base).map_err(|why| path.error(why))?;
        Ok(Some(out))
    }

    fn check(&self, base: &Camera) -> std::result::Result<(), String> {
        if self.keys.is_empty() {
            return Err("a path has at least one key".into());
        }
        if let Some(n) = self.keys.iter().position(|k| !k.0.is_finite() || k.1.iter().any(|x| !x.is_finite())) {
            return Err(format!("key {n} has a number that is not finite"));
        }
        if let Some(n) = self.keys.windows(2).position(|w| w[0].0 >= w[1].0) {
            return Err(format!("the time of key {} is not after that of key {n}", n + 1));
        }
        self.keys.iter().enumerate().try_for_each(|(n, k)| camera(base, k.1).check().map_err(|why| format!("key {n}: {why}")))
    }

    /// The camera at a time.
    pub fn at(&self, base: &Camera, time: f32) -> Camera {
        let after = self.keys.partition_point(|k| k.0 <= time);
        let (Some(before), Some(next)) = (after.checked_sub(1), self.keys.get(after)) else {
            let end = if after == 0 { self.keys.first() } else { self.keys.last() };
            return end.map_or(*base, |k| camera(base, k.1));
        };
        let (t0, from) = self.keys[before];
        let (t1, to) = *next;
        let length = t1 - t0;
        let s = (time - t0) / length;
        let slope = |at: usize, n: usize| {
            let (a, b) = (self.keys[at.saturating_sub(1)], self.keys[(at + 1).min(self.keys.len() - 1)]);
            (b.1[n] - a.1[n]) / (b.0 - a.0)
        };
        let mut out = [0.0; NUMBERS];
        for (n, x) in out.iter_mut().enumerate() {
            *x = match self.between {
                Interpolation::Linear => from[n] + (to[n] - from[n]) * s,
                Interpolation::Smooth => hermite(from[n], slope(before, n) * length, to[n], slope(after, n) * length, s),
            };
        }
        camera(base, out)
    }
}

/// The cubic curve through two values with slopes there, at `s` from 0 to 1.
pub(super) fn hermite(from: f32, slope_from: f32, to: f32, slope_to: f32, s: f32) -> f32 {
    let (s2, s3) = (s * s, s * s * s);
    from * (2.0 * s3 - 3.0 * s2 + 1.0) + slope_from * (s3 - 2.0 * s2 + s) + to * (3.0 * s2 - 2.0 * s3) + slope_to * (s3 - s2)
}

fn key(n: &Node<'_>, base: &Camera) -> Result<(f32, [f32; NUMBERS])> {
    let t = n.table()?;
    let time = t.need("time")?.float()?;
    let out = Camera {
        eye: t.or("eye", |n| n.floats(), base.eye)?,
        look_at: t.or("look_at", |n| n.floats(), base.look_at)?,
        up: t.or("up", |n| n.floats(), base.up)?,
        fov_y: t.or("fov_y", |n| n.float(), base.fov_y)?,
        ..*base
    };
    t.finish()?;
    Ok((time, numbers(&out)))
}

/// The keys of a JSON file: a list of objects with the same members as in a scene.
fn json_keys(text: &str, base: &Camera) -> std::result::Result<Vec<(f32, [f32; NUMBERS])>, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("no JSON: {e}"))?;
    let list = value.as_array().ok_or("expected a list of keys")?;
    let mut out = Vec::new();
    for (n, key) in list.iter().enumerate() {
        let members = key.as_object().ok_or_else(|| format!("key {n} is no object"))?;
        let number = |v: &Value| v.as_f64().map(|x| x as f32);
        let mut at = *base;
        let mut time = None;
        for (name, v) in members {
            let vector = || -> Option<[f32; 3]> {
                let list: Vec<f32> = v.as_array()?.iter().map(number).collect::<Option<_>>()?;
                list.try_into().ok()
            };
            let read = match name.as_str() {
                "time" => number(v).map(|x| time = Some(x)),
                "eye" => vector().map(|x| at.eye = x),
                "look_at" => vector().map(|x| at.look_at = x),
                "up" => vector().map(|x| at.up = x),
                "fov_y" => number(v).map(|x| at.fov_y = x),
                _ => return Err(format!("key {n} has an unknown member `{name}`; known are time, eye, look_at, up, fov_y")),
            };
            read.ok_or_else(|| format!("key {n}: `{name}` is not what was expected: a number, of points and directions a list of 3"))?;
        }
        out.push((time.ok_or_else(|| format!("key {n} has no `time`"))?, numbers(&at)));
    }
    Ok(out)
}

impl super::Scene {
    /// The camera at a time, if the scene has one.
    ///
    /// # Errors
    /// A path leads to a camera that sees nothing.
    pub fn camera_at(&self, time: f32) -> Result<Option<Camera>> {
        let Some(base) = &self.camera else { return Ok(None) };
        let camera = match (&self.camera_path, &self.camera_node) {
            (Some(path), _) => path.at(base, time),
            (None, Some((gltf, node))) => self.gltfs[*gltf].data.camera_at(base, *node, time),
            (None, None) => return Ok(Some(*base)),
        };
        let wrong = |why: String| RunError::new(crate::ErrorKind::Scene, format!("the camera at {time} s: {why}"));
        camera.check().map_err(|why| wrong(why).at(self.path.display()))?;
        Ok(Some(camera))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fails, scene};

    const CAMERA: &str = "[camera]\neye = [0, 0, -2]\nfov_y = 40\n";

    #[test]
    fn between_keys() {
        let keys = "path = [{ time = 1 }, { time = 2, eye = [2, 0, -2] }, { time = 4, eye = [2, 4, -2], fov_y = 60 }]\n";
        let eye = |how: &str, time: f32| scene(&format!("{CAMERA}{keys}interpolation = '{how}'\n")).camera_at(time).unwrap().unwrap().eye;
        for how in ["linear", "smooth"] {
            assert_eq!(
                [0.0, 1.0, 2.0, 4.0, 9.0].map(|t| eye(how, t)[0..2].to_vec()),
                [[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [2.0, 4.0], [2.0, 4.0]]
            );
        }
        assert_eq!(eye("linear", 1.5), [1.0, 0.0, -2.0]);
        // The slope at the middle key is 2/3 and 4/3 in a second.
        let x = eye("smooth", 3.0);
        assert!(
            (x[0] - (2.0 + 2.0 / 3.0 * 2.0 * 0.125)).abs() < 1e-5
                && (x[1] - (4.0 * 0.5 + 4.0 / 3.0 * 2.0 * 0.125 - 2.0 * 2.0 * 0.125)).abs() < 1e-5,
            "{x:?}"
        );
    }

    #[test]
    fn mistakes() {
        let path = |rest: &str, why: &str| fails(&format!("{CAMERA}path = {rest}\n"), &format!("dir/scene.toml:8: `camera.path`: {why}"));
        path("[]", "a path has at least one key");
        path("[{ time = 1 }, { time = 1 }]", "the time of key 1 is not after that of key 0");
        path("[{ time = 1, eye = [0, 0, 0] }]", "key 0: `eye` and `look_at` are the same point");
        path("'none.json'", "cannot read dir/none.json: No such file or directory (os error 2)");
        let alone = "dir/scene.toml:8: `camera.interpolation`: `interpolation` requires a `path`";
        fails(&format!("{CAMERA}interpolation = 'linear'\n"), alone);
    }

    #[test]
    fn keys_in_json() {
        let base = scene(CAMERA).camera.unwrap();
        let keys = super::json_keys(r#"[{ "time": 0 }, { "time": 1.5, "eye": [1, 2, 3], "fov_y": 20 }]"#, &base).unwrap();
        assert_eq!((keys[1].0, &keys[1].1[..3], keys[1].1[9]), (1.5, &[1.0, 2.0, 3.0][..], 20.0));
        let wrong = |text: &str| super::json_keys(text, &base).unwrap_err();
        assert!(wrong("{").starts_with("no JSON"));
        assert_eq!(wrong("{}"), "expected a list of keys");
        assert_eq!(wrong("[3]"), "key 0 is no object");
        assert_eq!(wrong("[{}]"), "key 0 has no `time`");
        assert_eq!(wrong(r#"[{ "time": 0, "x": 1 }]"#), "key 0 has an unknown member `x`; known are time, eye, look_at, up, fov_y");
        assert!(wrong(r#"[{ "time": 0, "eye": [1, 2] }]"#).starts_with("key 0: `eye` is not what was expected"));
    }
}
