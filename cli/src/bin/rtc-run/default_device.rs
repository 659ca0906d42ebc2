//! The device if none is named: the fastest for the work. That is a GPU, else the CPU device, which is many times as fast as a Vulkan driver on the
//! processor; such a driver runs what the CPU device does not, and a note says so.

use crate::arguments::Arguments;
use crate::compile;
use rtc_host::RunReport;
use rtc_host::run::{CPU, FormOption, run_scene};
use rtc_host::scene::Scene;

/// What came of the attempt to run a scene on the CPU device.
pub enum Attempt {
    /// A device is named, there is a GPU, or the work is not for the CPU device: Vulkan's devices come first.
    None,
    /// It ran.
    Ran(Box<RunReport>),
    /// It does not run there, and why.
    No(String),
    /// It ran into an error that another device would not change.
    Failed(rtc_host::RunError),
}

/// Whether the CPU device is the fastest for a scene, if no device is named: there is no GPU, and it could run it.
pub fn is_cpu(scene: &Scene, a: &Arguments) -> bool {
    let by_dxil = scene.shader.source.is_some() && a.options.form == FormOption::Rule && a.options.additional.is_empty();
    a.options.device.is_none() && cfg!(feature = "cpu") && by_dxil && scene.draws.is_empty() && !rtc_host::vulkan::has_gpu()
}

/// Runs a scene on the CPU device, if that is the fastest.
pub fn attempt(scene: &Scene, a: &Arguments) -> Attempt {
    if !is_cpu(scene, a) {
        return Attempt::None;
    }
    // If it does not compile, the compilation for Vulkan says why.
    let Some(container) = compile::quietly(scene, &a.more) else { return Attempt::No("its shaders do not compile to DXIL".into()) };
    let mut options = a.options.clone();
    options.device = Some(CPU.into());
    match run_scene(scene, &container, &options) {
        Ok(report) => Attempt::Ran(Box::new(report)),
        Err(e) if e.kind == rtc_host::ErrorKind::NoDevice => Attempt::No(e.to_string()),
        Err(e) => Attempt::Failed(e),
    }
}

/// The note about a Vulkan driver on the processor.
pub fn note(device: &str, why: Option<&str>) -> String {
    let why = match why {
        Some(why) => format!("the CPU device does not run this ({})", why.lines().next().unwrap_or_default()),
        None if cfg!(feature = "cpu") => "the CPU device does not run this".to_owned(),
        None => "this build has no CPU device (cargo feature `cpu`)".to_owned(),
    };
    format!("there is no GPU here, and {why}: `{device}` runs it on the processor, which is slow")
}
