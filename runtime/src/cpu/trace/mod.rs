//! Tracing rays: shader tables, the control flow of `TraceRay`, what shaders called by it see.

use super::machine::Loaded;
use super::objects::Objects;
use super::thread::Thread;
use crate::device::ShaderTables;
use crate::error::Result;
use crate::library::Library;

/// What the ray-tracing operations keep in a thread.
#[derive(Default)]
pub struct Rays {}

/// Shader tables of a dispatch.
#[derive(Default)]
pub struct Tables {
    raygen: usize,
}

impl Tables {
    /// Tables of a program.
    ///
    /// # Errors
    /// A record names no export, or has the wrong arguments.
    pub fn new(library: &Library, loaded: &Loaded, tables: &ShaderTables, _objects: &Objects) -> Result<Tables> {
        let name = tables.raygen.export.as_deref().unwrap_or_default();
        let raygen = loaded.shader(name).ok_or_else(|| library.no_such(name, "ray generation shader"))?;
        Ok(Tables { raygen })
    }

    /// The ray generation shader.
    ///
    /// # Errors
    /// There is none.
    pub fn raygen(&self) -> Result<usize> {
        Ok(self.raygen)
    }

    /// Puts a thread at its beginning: the record of the ray generation shader, no ray.
    pub fn start(&self, _thread: &mut Thread<'_>) {}
}
