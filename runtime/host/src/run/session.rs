//! Frames on demand: a scene that is prepared once and then runs a frame whenever its host asks for one, from any camera.

use super::frames::FrameDone;
use super::{Average, FormReport, FrameReport, Run, RunOptions, Saved, is_cpu};
use crate::device::{Device, DeviceInfo};
use crate::error::{ErrorKind, Result, RunError, list};
use crate::picture::{self, FileFormat, Texels};
use crate::scene::{Camera, Frame, Scene};
use std::path::{Path, PathBuf};

/// A scene on a device, whose frames run one by one.
pub struct Session<'a> {
    run: Run<'a>,
    repeat: Option<u32>,
}

impl<'a> Session<'a> {
    /// Loads a package on a device that is open, and makes what the scene has. Of the options, those of frames and files have no effect.
    ///
    /// # Errors
    /// See [`ErrorKind`].
    pub fn open(device: &'a mut dyn Device, scene: &'a Scene, package: &[u8], options: &RunOptions) -> Result<Session<'a>> {
        let run = Run::open(device, scene, package, options)?;
        Ok(Session { run, repeat: options.repeat })
    }

    /// The device.
    pub fn device(&self) -> &DeviceInfo {
        self.run.device.info()
    }

    /// Warnings about names of the scene that the shaders do not have.
    pub fn warnings(&self) -> &[String] {
        &self.run.warnings
    }

    /// Runs every dispatch and draw once, at the time of `frame`, seen from `camera`; none: from the scene's camera at that time.
    /// Nothing is written to files, and what images and buffers had before, they have.
    ///
    /// # Errors
    /// The camera sees nothing, or the device fails.
    pub fn frame(&mut self, frame: &Frame, camera: Option<&Camera>) -> Result<FrameReport> {
        if let Some(Err(why)) = camera.map(Camera::check) {
            return Err(RunError::new(ErrorKind::Scene, format!("the camera: {why}")));
        }
        let FrameDone { report, .. } = self.run.frame(frame, camera, self.repeat).map_err(|e| self.run.explained(e))?;
        Ok(report)
    }

    /// Whether forms of the package are being measured: the frames so far were too few to keep one.
    pub fn is_measuring(&self) -> bool {
        self.run.is_measuring()
    }

    /// What each dispatch of rays runs from now on, in the order of the scene; nothing where the package has one form.
    pub fn forms(&self) -> Vec<FormReport> {
        let rays = self.run.scene.dispatches.iter().filter(|d| !d.compute);
        rays.filter_map(|d| self.run.form_report(d, &[])).collect()
    }

    /// Bytes of stack of each ray, as the device says: of each form that is loaded with its name, of a package with one form without. Nothing
    /// where the device does not say.
    pub fn stack_sizes(&self) -> Vec<(Option<&'static str>, u64)> {
        let one = [(None, self.run.program)];
        let forms: Vec<_> = self.run.loaded.forms.iter().map(|&(form, program)| (Some(form.name()), program)).collect();
        let all = if forms.is_empty() { &one[..] } else { &forms };
        all.iter().filter_map(|&(name, program)| Some((name, self.run.device.stack_size(program)?))).collect()
    }

    /// The image or render target `name` as it is now; none: the first that the scene saves, or else the first. Images come before render
    /// targets.
    ///
    /// # Errors
    /// There is none, or the device fails.
    pub fn picture(&mut self, name: Option<&str>) -> Result<Picture> {
        let shown = self.run.shown();
        let chosen = match name {
            Some(name) => shown.iter().find(|s| s.name == name),
            None => shown.iter().find(|s| s.save.is_some()).or(shown.first()),
        };
        let Some(s) = chosen else {
            let missing = name.map_or("the scene has no image and no render target".into(), |n| format!("no image or render target `{n}`"));
            let scene = self.run.scene.path.display();
            let e = RunError::new(ErrorKind::Scene, missing).at(scene);
            return Err(if shown.is_empty() { e } else { e.note(format!("there are {}", list(shown.iter().map(|s| s.name)))) });
        };
        Ok(Picture { name: s.name.into(), texels: s.texels, encode_srgb: s.encode_srgb, bytes: self.run.read(s.object)? })
    }

    /// Everything that the scene saves, as it is now: images, render targets, buffers.
    ///
    /// # Errors
    /// The device fails.
    pub fn saved(&mut self) -> Result<Vec<Saved>> {
        let mut out = Vec::new();
        for s in self.run.shown().iter().filter(|s| s.save.is_some()) {
            out.push(Saved { name: s.name.into(), format: Some(s.texels.format), bytes: self.run.read(s.object)? });
        }
        for b in self.run.scene.buffers.iter().filter(|b| b.save.is_some()) {
            if let Some(&id) = self.run.buffers.get(b.target.name.as_str()) {
                out.push(Saved { name: b.target.name.clone(), format: b.format, bytes: self.run.device.read_buffer(id)? });
            }
        }
        Ok(out)
    }
}

/// Opens a device of this machine as [`run_scene`](super::run_scene) does, and `work`s with the scene on it.
///
/// # Errors
/// See [`ErrorKind`]; and those of `work`.
pub fn with_session<R>(scene: &Scene, package: &[u8], options: &RunOptions, work: impl FnOnce(&mut Session<'_>) -> Result<R>) -> Result<R> {
    if is_cpu(options.device.as_deref()) {
        return on_cpu(scene, package, options, work);
    }
    #[cfg(not(feature = "vulkan"))]
    return on_cpu(scene, package, options, work);
    #[cfg(feature = "vulkan")]
    {
        let mut device = super::open_vulkan(scene, package, options)?;
        work(&mut Session::open(&mut device, scene, package, options)?)
    }
}

/// Works with a scene on the CPU device.
#[cfg(feature = "cpu")]
fn on_cpu<R>(scene: &Scene, container: &[u8], options: &RunOptions, work: impl FnOnce(&mut Session<'_>) -> Result<R>) -> Result<R> {
    let mut device = super::open_cpu(scene, options)?;
    let done = Session::open(&mut device, scene, container, options).and_then(|mut session| work(&mut session));
    let findings = device.take_findings();
    done.map_err(|e| super::with_findings(e, findings))
}

/// There is no CPU device in this build.
#[cfg(not(feature = "cpu"))]
fn on_cpu<R>(_scene: &Scene, _container: &[u8], _options: &RunOptions, _work: impl FnOnce(&mut Session<'_>) -> Result<R>) -> Result<R> {
    Err(super::no_cpu())
}

/// The texels of an image or a render target.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The object's name in the scene.
    pub name: String,
    texels: Texels,
    encode_srgb: bool,
    bytes: Vec<u8>,
}

impl Picture {
    /// Width and height in texels.
    pub fn size(&self) -> [u32; 2] {
        [self.texels.width, self.texels.height]
    }

    /// Its average with the pictures that `frames` has, to which it is added. Integers are not averaged.
    #[must_use]
    pub fn averaged(mut self, frames: &mut Average) -> Picture {
        self.bytes = frames.add(self.texels.format, &self.bytes);
        self
    }

    /// Red, green and blue of its first level and layer, row by row, encoded as in a PNG.
    ///
    /// # Errors
    /// Its format is one of integers.
    pub fn colors(&self) -> Result<Vec<[u8; 3]>> {
        picture::colors(&self.texels, &self.bytes, self.encode_srgb).map_err(|e| e.at(&self.name))
    }

    /// Writes it to the file `path`, and to what the format has besides; the names of all.
    ///
    /// # Errors
    /// The format cannot hold it, or a file cannot be written.
    pub fn write(&self, path: &Path, format: FileFormat) -> Result<Vec<PathBuf>> {
        picture::write_all(picture::files_at(path, format, &self.texels, &self.bytes, self.encode_srgb)?)
    }
}
