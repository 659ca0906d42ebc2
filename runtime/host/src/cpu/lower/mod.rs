//! Lowering of a DXIL module to one that LLVM can compile for the host processor and that is memory-safe.
//!
//! ```text
//! module ─► inline (calls of functions with a body) ─► entries (thread, payload, attributes as pointers)
//!        ─► memory (byte addresses inside of variables, in the layout of DXIL)
//!        ─► ops (DXIL operations to arithmetic, LLVM intrinsics, or calls of the runtime)
//!        ─► denormals (flushed to zero if the shader requests it)
//!        ─► variables (statics per invocation, group-shared memory per group)
//!        ─► safety (divisions, conversions, undefined values) ─► long_vectors (short ones instead) ─► loop_budget (iteration budget) ─► module
//! ```
//!
//! All passes work on [`rtc_dxil_module`]; LLVM reads the result as bitcode. Everything that the processor leaves undefined gets
//! the value that D3D12 requires, or some fixed value: a shader cannot access memory that is not its own.

mod arithmetic;
mod cfg;
mod convergence;
mod denormals;
mod entries;
mod fast_path;
mod handles;
mod ignored_stores;
mod indices;
mod initializers;
mod inline;
mod instrument;
mod layout;
mod long_vectors;
mod loop_budget;
mod loop_nest;
mod marshal;
mod matrices;
mod memory;
mod ops;
pub mod payloads;
mod safety;
mod system_values;
#[cfg(test)]
mod tests;
mod variables;
mod weight;

use crate::cpu::program::{Shader, Site};
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::metadata::debug_lookup::{Lookup, SourceLocation};
use rtc_dxil_module::{Func, Module};

/// The data layout of 64-bit x86 in LLVM 19. No type in memory depends on it: see [`memory`].
pub const DATA_LAYOUT: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// A lowered module, ready for compilation.
pub struct Lowered {
    /// The code.
    pub module: Module,
    /// Its shaders, in the order of the entry points.
    pub shaders: Vec<Shader>,
    /// Call sites of the runtime, by index.
    pub sites: Vec<Site>,
    /// Bytes of group-shared memory.
    pub shared_bytes: usize,
}

/// Instrumentation options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LowerOptions {
    /// Instrument memory accesses for the sanitizer.
    pub sanitize: bool,
}

/// The first indices of this module in a program of several modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// Of resources.
    pub resource: usize,
    /// Of call sites.
    pub site: usize,
}

/// The reason why a module cannot be lowered: a sentence without full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    why: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Refusal { why }
    }
}

impl From<&str> for Refusal {
    fn from(why: &str) -> Self {
        Refusal { why: why.to_string() }
    }
}

/// Lowers a module. `debug` is the module with debug information, if separate.
///
/// # Errors
/// Recursion, an unsupported operation, code that cannot be proven safe.
pub fn lower(mut m: Module, info: &Info, debug: Option<&Module>, options: LowerOptions, first: First) -> Result<Lowered, Refusal> {
    inline::all(&mut m, info)?;
    let places = SourceLocations::new(&m, debug);
    let payloads = payloads::Payloads::read(&m);
    let mut sites = Vec::new();
    let variables = variables::Variables::collect(&mut m)?;
    let mut shaders = Vec::new();
    for (func, entry) in info.shaders() {
        let kind = info.stage(entry);
        let name = rtc_dxil_container::rdat::unmangle(&m.funcs[func].name).to_string();
        let symbol = format!("rtc.shader.{}", shaders.len());
        let payload = m.types.signature(m.funcs[func].ty).and_then(|s| s.1.first().copied()).and_then(|ty| m.types.pointee(ty));
        let fields = payload.and_then(|ty| payloads.of(ty));
        let ignored = fields.as_deref().and_then(|fields| ignored_stores::find(&m, func, kind, fields));
        let weight = weight::weight(&m, func);
        let flush = denormals::are_flushed(&m, func, info.model);
        // What is attached to instructions goes with the adaptation.
        let compared = match &m.funcs[func].body {
            Some(body) if options.sanitize => indices::unmarked(&m, body, info),
            _ => Default::default(),
        };
        let sizes = entries::adapt(&mut m, func, kind)?;
        memory::confine(&mut m, func, info, sizes, &variables.constants)?;
        let context =
            ops::LowerContext { info, places: &places, payloads: &payloads, first, compared: &compared, quick: !options.sanitize, flush };
        let plan = ops::lower(&mut m, func, context, &mut sites)?;
        if flush {
            denormals::flush(&mut m, func)?;
        }
        let initialized = variables.replace(&mut m, func, kind)?;
        if options.sanitize {
            instrument::instrument(&mut m, func, &plan.stack_slots().collect(), &initialized, context, &mut sites)?;
        }
        safety::make_safe(&mut m, func)?;
        long_vectors::divide(&mut m, func);
        loop_budget::limit(&mut m, func)?;
        m.rename_function(func, &symbol);
        shaders.push(Shader {
            name,
            symbol,
            kind,
            threads: entry.props.threads.unwrap_or([1; 3]),
            wave: entry.props.wave(),
            preferred_wave: entry.props.preferred_wave(),
            meets: plan.meets,
            payload: sizes[0],
            fields,
            ignored,
            attributes: sizes[1],
            frame: layout::frame(&m, func),
            weight,
            quads: plan.quads,
        });
    }
    let shared_bytes = variables.shared_bytes;
    entries::drop_rest(&mut m, info);
    m.data_layout = DATA_LAYOUT.into();
    m.triple = "x86_64-unknown-linux-gnu".into();
    Ok(Lowered { module: m, shaders, sites, shared_bytes })
}

/// Source locations of instructions.
struct SourceLocations {
    known: rustc_hash::FxHashMap<(Func, rtc_dxil_module::Inst), SourceLocation>,
}

impl SourceLocations {
    fn new(m: &Module, debug: Option<&Module>) -> SourceLocations {
        let mut known = rustc_hash::FxHashMap::default();
        let debug = debug.unwrap_or(m);
        if !debug.meta.named("llvm.dbg.cu").is_empty() {
            let lookup = Lookup::new(m, debug);
            for (func, f) in m.funcs.iter() {
                let Some(body) = &f.body else { continue };
                for &i in body.blocks.values().flatten() {
                    if let Some(place) = lookup.place(func, i) {
                        known.insert((func, i), place);
                    }
                }
            }
        }
        SourceLocations { known }
    }
}
