//! Frames: what follows the time is brought up to date, everything runs, and pictures are written or averaged.

use super::{DispatchReport, DrawReport, FrameReport, Run, RunOptions, report};
use crate::device::{Channel, Format};
use crate::error::Result;
use crate::picture::{self, FileFormat, Texels};
use crate::results::{buffer_json, color_of};
use crate::scene::{BufferContents, Camera, Frame, Scene};
use rtc_base::half;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// What the frames of a run have done.
#[derive(Default)]
pub(super) struct Done {
    pub frames: Vec<FrameReport>,
    pub dispatches: Vec<DispatchReport>,
    pub draws: Vec<DrawReport>,
    pub files: Vec<PathBuf>,
    /// How long the results of all frames took.
    pub results: Duration,
}

/// An object with texels, and the file that it is written to.
pub(super) struct Shown<'a> {
    pub name: &'a str,
    pub object: Object,
    pub save: Option<&'a Path>,
    pub texels: Texels,
    pub encode_srgb: bool,
}

/// An object with texels.
#[derive(Clone, Copy)]
pub(super) enum Object {
    Image(crate::device::Image),
    Target(crate::device::RenderTarget),
}

/// What a frame did.
pub(super) struct FrameDone {
    pub report: FrameReport,
    pub dispatches: Vec<DispatchReport>,
    pub draws: Vec<DrawReport>,
}

/// The sum of the texels of several frames.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Average {
    sums: Vec<f64>,
    count: u32,
}

impl Average {
    /// How many frames are in it.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Adds the texels of a frame; the average with those before it.
    pub(super) fn add(&mut self, format: Format, bytes: &[u8]) -> Vec<u8> {
        let out = average(format, bytes, &mut self.sums, self.count);
        self.count = self.count.saturating_add(1);
        out
    }
}

/// Checks that what a scene saves is in the folder of outputs.
pub(super) fn inside(scene: &Scene) -> Result<()> {
    let images = scene.images.iter().map(|i| (&i.target, &i.save));
    let targets = scene.targets.iter().map(|t| (&t.target, &t.save));
    let buffers = scene.buffers.iter().map(|b| (&b.target, &b.save));
    let feedbacks = scene.feedbacks.iter().map(|f| (&f.target, &f.save));
    for (target, save) in images.chain(targets).chain(buffers).chain(feedbacks) {
        let Some(file) = save else { continue };
        if !file.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir)) {
            let why = format!("`save = \"{}\"` is outside of the output folder", file.display());
            return Err(scene.error(&target.location, why).note("`rtc run --allow-any-file` writes it"));
        }
    }
    Ok(())
}

impl<'a> Run<'a> {
    /// Runs all frames. Each frame's files are written when it is done.
    pub(super) fn frames(&mut self, options: &RunOptions) -> Result<Done> {
        let scene = self.scene;
        if !options.any_file {
            inside(scene)?;
        }
        let count = options.frames.unwrap_or(scene.frames.count);
        let first = options.first_frame.unwrap_or(scene.frames.first);
        let accumulate = options.accumulate || scene.frames.accumulate;
        let mut out = Done::default();
        let mut averages: Vec<Average> = Vec::new();
        let tell = |done| options.progress.iter().for_each(|p| p.frames(done, count));
        tell(0);
        for n in 0..count {
            let started = Instant::now();
            let frame = scene.frames.frame(first.saturating_add(n), count);
            let FrameDone { mut report, dispatches, draws } = self.frame(&frame, None, options.repeat)?;
            match out.dispatches.as_mut_slice() {
                [] => out.dispatches = dispatches,
                all => all.iter_mut().zip(&dispatches).for_each(|(a, b)| a.add(b)),
            }
            match out.draws.as_mut_slice() {
                [] => out.draws = draws,
                all => all.iter_mut().zip(&draws).for_each(|(a, b)| a.add(b)),
            }
            let begun = Instant::now();
            let is_last = n + 1 == count;
            let mut files = self.pictures(options, &frame, is_last, accumulate.then_some(&mut averages))?;
            files.extend(self.data(&options.output, &frame, is_last)?);
            out.files.extend(picture::write_all(files)?);
            report.results = begun.elapsed();
            report.total = started.elapsed();
            out.results += report.results;
            out.frames.push(report);
            tell(n + 1);
        }
        Ok(out)
    }

    /// Runs one frame, seen from `camera`; none: from the scene's camera at that time.
    pub(super) fn frame(&mut self, frame: &Frame, camera: Option<&Camera>, repeat: Option<u32>) -> Result<FrameDone> {
        let started = Instant::now();
        let camera = camera.map_or_else(|| self.scene.camera_at(frame.time), |c| Ok(Some(*c)))?;
        self.follow(frame, camera.as_ref())?;
        let update = started.elapsed();
        let (dispatches, draws) = self.everything(repeat)?;
        let work = dispatches.iter().map(|d| d.time).chain(draws.iter().map(|d| d.time)).reduce(report::sum).unwrap_or_default();
        let rays = dispatches.iter().filter_map(DispatchReport::rays).sum();
        let (results, total) = (Duration::ZERO, started.elapsed());
        let report = FrameReport { index: frame.index, time: frame.time, update, work, rays, results, total };
        Ok(FrameDone { report, dispatches, draws })
    }

    /// Brings constants, structures and transforms to the time of a frame.
    fn follow(&mut self, frame: &Frame, camera: Option<&Camera>) -> Result<()> {
        let scene = self.scene;
        for c in scene.constants.iter().filter(|c| c.follows()) {
            let Some(&buffer) = self.buffers.get(c.target.name.as_str()) else { continue };
            let bytes = self.constants(c, camera, frame)?;
            self.device.write_buffer(buffer, 0, &bytes).map_err(|e| scene.at(&c.target.location, e))?;
        }
        for moving in 0..self.tops.len() {
            let (source, accel) = (self.tops[moving].source, self.tops[moving].accel);
            let Some(transforms) = scene.transforms_at(source, frame.time) else { continue };
            let desc = &mut self.tops[moving].desc;
            for (instance, transform) in desc.instances.iter_mut().zip(&transforms) {
                instance.transform = *transform;
            }
            let done = match source.refit {
                true => self.device.update_top(accel, desc),
                false => self.device.rebuild_top(accel, desc),
            };
            done.map_err(|e| scene.at(&source.target.location, e))?;
            for b in &scene.buffers {
                if let (BufferContents::Transforms(name, _), Some(&buffer)) = (&b.contents, self.buffers.get(b.target.name.as_str()))
                    && *name == source.target.name
                {
                    let bytes: Vec<u8> = transforms.iter().flat_map(|t| t.as_flattened()).flat_map(|x| x.to_le_bytes()).collect();
                    self.device.write_buffer(buffer, 0, &bytes).map_err(|e| scene.at(&b.target.location, e))?;
                }
            }
        }
        Ok(())
    }

    /// Everything with texels: images, then render targets.
    pub(super) fn shown(&self) -> Vec<Shown<'a>> {
        let scene: &'a Scene = self.scene;
        let images = scene.images.iter().zip(&self.images).map(|(i, id)| {
            let d = i.desc;
            let texels = Texels { format: d.format, width: d.width, height: d.height, depth: d.depth, levels: d.levels };
            Shown { name: &i.target.name, object: Object::Image(*id), save: i.save.as_deref(), texels, encode_srgb: i.encode_srgb }
        });
        let targets = scene.targets.iter().filter_map(|t| {
            let d = t.desc;
            let object = Object::Target(*self.targets.get(t.target.name.as_str())?);
            let texels = Texels { format: color_of(d.format), width: d.width, height: d.height, depth: d.layers, levels: 1 };
            Some(Shown { name: &t.target.name, object, save: t.save.as_deref(), texels, encode_srgb: t.encode_srgb })
        });
        images.chain(targets).collect()
    }

    /// The texels of an object as they are now.
    pub(super) fn read(&mut self, object: Object) -> Result<Vec<u8>> {
        match object {
            Object::Image(id) => self.device.read_image(id),
            Object::Target(id) => self.device.read_target(id),
        }
    }

    /// The pictures of a frame: of this one, or the average with all before it.
    fn pictures(
        &mut self,
        options: &RunOptions,
        frame: &Frame,
        is_last: bool,
        mut averages: Option<&mut Vec<Average>>,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let mut files = Vec::new();
        for (i, (s, save)) in self.shown().iter().filter_map(|s| Some((s, s.save?))).enumerate() {
            let numbered = is_numbered(save);
            if !numbered && !is_last && averages.is_none() {
                continue;
            }
            let mut bytes = self.read(s.object)?;
            if let Some(averages) = &mut averages {
                if averages.len() == i {
                    averages.push(Average::default());
                }
                bytes = averages[i].add(s.texels.format, &bytes);
            }
            if !numbered && !is_last {
                continue;
            }
            let mut save = name(save, frame.index);
            if let Some(format) = options.format {
                save.set_extension(format.name());
            }
            let format = FileFormat::of(&save).unwrap_or(FileFormat::Bin);
            files.extend(picture::files_at(&options.output.join(&save), format, &s.texels, &bytes, s.encode_srgb)?);
        }
        Ok(files)
    }

    /// The buffers and feedback maps of a frame.
    fn data(&mut self, output: &Path, frame: &Frame, is_last: bool) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let scene = self.scene;
        let mut files = Vec::new();
        for (f, &map) in scene.feedbacks.iter().zip(&self.feedbacks) {
            if let Some(save) = f.save.as_ref().filter(|s| is_last || is_numbered(s)) {
                files.push((output.join(name(save, frame.index)), self.device.read_feedback(map)?));
            }
        }
        for b in &scene.buffers {
            if let (Some(save), Some(id)) = (&b.save, self.buffers.get(b.target.name.as_str()))
                && (is_last || is_numbered(save))
            {
                let bytes = self.device.read_buffer(*id)?;
                let json = save.extension().is_some_and(|e| e == "json");
                files.push((output.join(name(save, frame.index)), if json { buffer_json(b, &bytes) } else { bytes }));
            }
        }
        Ok(files)
    }
}

/// The average of texels and of those before, in their format. Integers are not averaged: the last ones stay.
fn average(format: Format, bytes: &[u8], sums: &mut Vec<f64>, before: u32) -> Vec<u8> {
    let numbers: Vec<f64> = match format.channel() {
        Channel::Unorm8 => bytes.iter().map(|b| f64::from(*b)).collect(),
        Channel::Float16 => bytes.chunks_exact(2).map(|c| f64::from(half::to_f32(u16::from_le_bytes([c[0], c[1]])))).collect(),
        Channel::Float32 => bytes.chunks_exact(4).map(|c| f64::from(f32::from_le_bytes([c[0], c[1], c[2], c[3]]))).collect(),
        Channel::Uint32 | Channel::Sint32 => return bytes.to_vec(),
    };
    sums.resize(numbers.len(), 0.0);
    let count = f64::from(before) + 1.0;
    sums.iter_mut().zip(&numbers).for_each(|(sum, x)| *sum += x);
    let means = sums.iter().map(|sum| sum / count);
    match format.channel() {
        Channel::Unorm8 => means.map(|x| x.round() as u8).collect(),
        Channel::Float16 => means.flat_map(|x| half::from_f64(x).to_le_bytes()).collect(),
        _ => means.flat_map(|x| (x as f32).to_le_bytes()).collect(),
    }
}

/// Where the frame's number is in a name: `%d`, or `%04d` with leading zeros.
fn number(name: &str) -> Option<(std::ops::Range<usize>, usize)> {
    let start = name.find('%')?;
    let digits = name[start + 1..].find(|c: char| !c.is_ascii_digit())?;
    let end = start + 1 + digits;
    if !name[end..].starts_with('d') {
        return None;
    }
    // More digits than a number of 32 bits has mean nothing.
    let width = name[start + 1..end].parse().unwrap_or(0_usize).min(20);
    Some((start..end + 1, width))
}

fn is_numbered(save: &Path) -> bool {
    number(&save.to_string_lossy()).is_some()
}

/// The name of a frame's file.
fn name(save: &Path, index: u32) -> PathBuf {
    let text = save.to_string_lossy();
    match number(&text) {
        None => save.to_path_buf(),
        Some((place, width)) => PathBuf::from(format!("{}{index:0width$}{}", &text[..place.start], &text[place.end..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_frames() {
        let of = |save: &str| name(Path::new(save), 7).display().to_string();
        assert_eq!(
            [of("a.png"), of("a%04d.png"), of("%d/b.exr"), of("a%x.png"), of("100%")],
            ["a.png", "a0007.png", "7/b.exr", "a%x.png", "100%"]
        );
        assert!(is_numbered(Path::new("x%2d")) && !is_numbered(Path::new("x%2")));
        assert_eq!(of("%99999999999999999999999d"), "7");
    }

    #[test]
    fn averages() {
        let mut sums = Vec::new();
        assert_eq!(average(Format::R8Unorm, &[10, 20], &mut sums, 0), [10, 20]);
        assert_eq!(average(Format::R8Unorm, &[20, 21], &mut sums, 1), [15, 21]);
        let mut sums = Vec::new();
        average(Format::R32Float, &1.0_f32.to_le_bytes(), &mut sums, 0);
        assert_eq!(average(Format::R32Float, &2.0_f32.to_le_bytes(), &mut sums, 1), 1.5_f32.to_le_bytes());
        assert_eq!(average(Format::R32Uint, &[1, 2, 3, 4], &mut Vec::new(), 3), [1, 2, 3, 4]);
    }
}
