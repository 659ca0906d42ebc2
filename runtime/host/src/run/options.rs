//! How a scene runs.

use crate::device::WavefrontOptions;
use crate::picture::FileFormat;
use rtc_engine::forms::Form;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Which form of packages with several (`-fspv-ser=auto`) runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FormOption {
    /// What the rule says ([`rtc_engine::forms::Forms::by_rule`]).
    #[default]
    Rule,
    /// The fastest: all are measured, unless they were on this device before.
    Measure,
    /// This one.
    Only(Form),
}

impl FormOption {
    /// Names of all, for messages.
    pub const NAMES: &str = "rule, measure, lower, ext, nv, wavefront or converge";

    /// The option of this name.
    pub fn named(name: &str) -> Option<FormOption> {
        match name {
            "rule" => Some(FormOption::Rule),
            "measure" => Some(FormOption::Measure),
            "lowered" => Some(FormOption::Only(Form::Lower)),
            _ => Form::named(name).map(FormOption::Only),
        }
    }
}

/// How to run a scene.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Which device: an index, part of its name, [`CPU`](super::CPU) or [`VULKAN`](super::VULKAN).
    pub device: Option<String>,
    /// The folder for the files of the scene's `save` keys; created if it does not exist.
    pub output: PathBuf,
    /// Whether files that a scene saves may be outside of that folder. A scene may come from someone else.
    pub any_file: bool,
    /// The format of pictures, over what the names of their files say, which then end with its extension.
    pub format: Option<FileFormat>,
    /// Whether the validation layer checks a Vulkan device; otherwise the environment decides, as in `OpenOptions::default` of the device.
    pub validation: Option<bool>,
    /// How long one dispatch may take.
    pub timeout: Duration,
    /// How often each dispatch runs, over what the scene says: to measure.
    pub repeat: Option<u32>,
    /// How many frames, over what the scene says.
    pub frames: Option<u32>,
    /// The number of the first frame, over what the scene says.
    pub first_frame: Option<u32>,
    /// Write the average of all frames so far; otherwise the scene decides.
    pub accumulate: bool,
    /// Hears of each frame.
    pub progress: Option<Observer>,
    /// Further packages in the same pipeline, with their names.
    pub additional: Vec<(String, Vec<u8>)>,
    /// How dispatches of divided ray generation shaders proceed on a Vulkan device.
    pub wavefront: WavefrontOptions,
    /// Which form of a package runs that has several.
    pub form: FormOption,
    /// The folder that keeps measured times of forms; `None` is the folder of the user's caches.
    pub form_cache: Option<PathBuf>,
    /// Path of the heat map of wave coherence (CPU device), a PNG. The first dispatch of rays is written there; later ones have their number appended to
    /// the name.
    #[cfg(feature = "cpu")]
    pub profile: Option<PathBuf>,
    /// What is live across reorder points, for the verdicts of the profile.
    #[cfg(feature = "cpu")]
    pub live: Vec<crate::cpu::profile::LiveState>,
    /// How the CPU device is opened.
    #[cfg(feature = "cpu")]
    pub cpu: crate::cpu::device::CpuOptions,
}

impl Default for RunOptions {
    /// Any device, the current folder, five minutes, as often and as many frames as the scene says.
    fn default() -> Self {
        RunOptions {
            device: None,
            output: PathBuf::from("."),
            any_file: false,
            format: None,
            validation: None,
            timeout: Duration::from_secs(300),
            repeat: None,
            frames: None,
            first_frame: None,
            accumulate: false,
            progress: None,
            additional: Vec::new(),
            wavefront: WavefrontOptions::default(),
            form: FormOption::default(),
            form_cache: None,
            #[cfg(feature = "cpu")]
            profile: None,
            #[cfg(feature = "cpu")]
            live: Vec::new(),
            #[cfg(feature = "cpu")]
            cpu: Default::default(),
        }
    }
}

type Progress = dyn Fn(u32, u32) + Send + Sync;

/// Hears how many frames are done, of how many.
#[derive(Clone)]
pub struct Observer(Arc<Progress>);

impl Observer {
    /// Calls `f` with both numbers, at first with 0.
    pub fn new(f: impl Fn(u32, u32) + Send + Sync + 'static) -> Observer {
        Observer(Arc::new(f))
    }

    pub(super) fn frames(&self, done: u32, count: u32) {
        (self.0)(done, count);
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}
