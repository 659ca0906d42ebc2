//! Tracing rays: shader tables, the control flow of `TraceRay`, what shaders called by it see.

/// What the ray-tracing operations keep in a thread.
#[derive(Default)]
pub struct Rays {}

/// Shader tables of a dispatch.
#[derive(Default)]
pub struct Tables {}
