//! From a DXIL module to one that LLVM can compile for this processor and that can do no harm.
//!
//! ```text
//! module ─► inline (every call of a function with code) ─► entries (thread, payload, attributes as pointers)
//!        ─► memory (addresses are bytes inside of variables, laid out as DXIL says)
//!        ─► ops (DXIL operations become arithmetic, intrinsics of LLVM, or calls of the runtime)
//!        ─► denormals (flushed to zero where the shader says so)
//!        ─► variables (statics and group-shared memory belong to a thread or group)
//!        ─► safety (divisions, conversions, undefined values) ─► loops (a budget) ─► module
//! ```
//!
//! Everything here is done on [`rtc_dxil_module`]; LLVM sees the result as bitcode. What the processor's rules leave
//! undefined is given the value that D3D12 asks for, or some value: a shader cannot reach memory that is not its own.

mod contents;
mod converge;
mod denormals;
mod entries;
mod handles;
mod inline;
mod layout;
mod loops;
mod math;
mod memory;
mod nest;
mod ops;
pub mod payloads;
mod quick;
mod safety;
mod slots;
mod system;
#[cfg(test)]
mod tests;
mod variables;
mod watch;

pub use converge::Meeting;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::metadata::debug_lookup::{Lookup, Place};
use rtc_dxil_module::{Func, Module};

/// The data layout of 64-bit x86, LLVM 19. Nothing in memory depends on it: see [`memory`].
pub const DATA_LAYOUT: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// A module that is ready to be compiled.
pub struct Lowered {
    /// The code.
    pub module: Module,
    /// Its shaders, in the order of the entry points.
    pub shaders: Vec<Shader>,
    /// Calls of the runtime, by number.
    pub sites: Vec<Site>,
    /// Bytes of group-shared memory.
    pub shared_bytes: usize,
}

/// A shader of the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Shader {
    /// Its name in RDAT, not mangled.
    pub name: String,
    /// The symbol of its code: a function of a thread, a payload or parameter, and hit attributes.
    pub symbol: String,
    /// The stage.
    pub kind: ShaderKind,
    /// Threads of a group of a compute shader.
    pub threads: [u32; 3],
    /// Fewest and most lanes of a wave, if it says.
    pub wave: Option<(u32, u32)>,
    /// Whether its threads meet: barriers, operations among lanes, derivatives.
    pub meets: bool,
    /// Bytes of its payload or parameter; 0 if it has none.
    pub payload: u64,
    /// Bytes of its hit attributes likewise.
    pub attributes: u64,
    /// The fields of its payload, if it has access qualifiers.
    pub fields: Option<payloads::Fields>,
    /// Bytes of stack that its code may take, at most about.
    pub frame: usize,
    /// Whether they do in quads: derivatives, operations of quads.
    pub quads: bool,
}

/// A place where the runtime is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The operation's name, as listings print it.
    pub op: &'static str,
    /// The place in the source, if debug information says.
    pub place: Option<Place>,
    /// The fields of the payload that is handed over, if it has access qualifiers.
    pub fields: Option<payloads::Fields>,
    /// Where lanes stand that are here, if they may meet here or in a shader called from here.
    pub meeting: Option<Meeting>,
}

/// What to build into the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LowerOptions {
    /// Watch reads and writes of memory, for the sanitizer.
    pub sanitize: bool,
}

/// Where this module's numbers begin in a program of several modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// Of resources.
    pub resource: usize,
    /// Of places of calls.
    pub site: usize,
}

/// Why a module cannot be run here: a sentence without full stop.
pub type Refusal = String;

/// Prepares a module. `debug` is the module with debug information if that is another one.
///
/// # Errors
/// Recursion, an operation that this device does not have, code of unusual form that cannot be made safe.
pub fn lower(mut m: Module, info: &Info, debug: Option<&Module>, options: LowerOptions, first: First) -> Result<Lowered, Refusal> {
    inline::all(&mut m, info)?;
    let places = Places::new(&m, debug);
    let payloads = payloads::Payloads::read(&m);
    let mut sites = Vec::new();
    let variables = variables::Variables::find(&mut m)?;
    let mut shaders = Vec::new();
    for (func, entry) in info.shaders() {
        let kind = info.stage(entry);
        let name = rtc_dxil_container::rdat::unmangle(&m.funcs[func].name).to_string();
        let symbol = format!("rtc.shader.{}", shaders.len());
        let payload = m.types.signature(m.funcs[func].ty).and_then(|s| s.1.first().copied()).and_then(|ty| m.types.pointee(ty));
        let fields = payload.and_then(|ty| payloads.of(ty));
        let flush = denormals::are_flushed(&m, func);
        let sizes = entries::adapt(&mut m, func, kind)?;
        memory::confine(&mut m, func, info, sizes, &variables.constants)?;
        let known = ops::Known { info, places: &places, payloads: &payloads, first, quick: !options.sanitize, flush };
        let plan = ops::lower(&mut m, func, known, &mut sites)?;
        if flush {
            denormals::flush(&mut m, func)?;
        }
        let begun = variables.place(&mut m, func, kind)?;
        if options.sanitize {
            watch::watch(&mut m, func, &plan.own().collect(), &begun, known, &mut sites)?;
        }
        safety::make_safe(&mut m, func)?;
        loops::limit(&mut m, func)?;
        m.rename_function(func, &symbol);
        shaders.push(Shader {
            name,
            symbol,
            kind,
            threads: entry.props.threads.unwrap_or([1; 3]),
            wave: entry.props.wave(),
            meets: plan.meets,
            payload: sizes[0],
            fields,
            attributes: sizes[1],
            frame: layout::frame(&m, func),
            quads: plan.quads,
        });
    }
    let shared_bytes = variables.shared_bytes;
    entries::drop_rest(&mut m, info);
    m.data_layout = DATA_LAYOUT.into();
    m.triple = "x86_64-unknown-linux-gnu".into();
    Ok(Lowered { module: m, shaders, sites, shared_bytes })
}

/// Where calls come from.
struct Places {
    known: rustc_hash::FxHashMap<(Func, rtc_dxil_module::Inst), Place>,
}

impl Places {
    fn new(m: &Module, debug: Option<&Module>) -> Places {
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
        Places { known }
    }
}
