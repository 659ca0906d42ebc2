//! What reflection tells of a program part, as plain data.

use std::collections::HashMap;

use rtc_dxil_container::metadata::pipeline::PipelineState;
use rtc_dxil_container::metadata::signature::{Signatures, says_usage};
use rtc_dxil_container::metadata::{Info, int};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::rdat::Rdat;
use rtc_dxil_container::recompute::counters;
use rtc_dxil_container::recompute::signatures::find_usage;
use rtc_dxil_container::shader_flags::{self, bit};
use rtc_dxil_container::{ShaderKind, Version};
use rtc_dxil_module::{Module, bitcode};

use super::bindings::{Binding, bindings};
use super::buffers::{Buffer, buffers};
use super::parameters::{Parameter, Usage, parameters};
use super::types::Types;
use crate::base::hresult::{DXC_E_CONTAINER_INVALID, DXC_E_INCORRECT_DXIL_METADATA, E_INVALIDARG, HResult};

/// A program part.
#[derive(Debug)]
pub struct Reflected {
    /// A library.
    pub is_library: bool,
    /// The kind of shader.
    pub kind: ShaderKind,
    /// The shader model.
    pub model: Version,
    /// The name of the compiler, if the module has it.
    pub creator: Option<String>,
    /// Buffers with variables.
    pub buffers: Vec<Buffer>,
    /// Bound resources.
    pub bindings: Vec<Binding>,
    /// Inputs, outputs, and patch constants or outputs of primitives.
    pub parameters: [Vec<Parameter>; 3],
    /// The state of the stage.
    pub state: Option<PipelineState>,
    /// The size of thread groups, of stages that have them.
    pub threads: [u32; 3],
    /// Counters of instructions by name.
    pub counters: HashMap<String, u32>,
    /// The features that a device must have.
    pub features: u64,
    /// The functions of a library, by name.
    pub functions: Vec<Function>,
}

/// A function of a library.
#[derive(Debug)]
pub struct Function {
    /// The mangled name.
    pub name: String,
    /// The stage; [`ShaderKind::Library`] for what is no entry point.
    pub kind: ShaderKind,
    /// The features that a device must have.
    pub features: u64,
    /// The resources that it uses, by their position among the bindings.
    pub bindings: Vec<usize>,
    /// Those of them that have variables, by their position among the buffers.
    pub buffers: Vec<usize>,
}

/// The bit of an early depth test, which in shaders of Direct3D 10 meant something else.
const EARLY_DEPTH_STENCIL: u64 = 2;

impl Reflected {
    /// Reads a program part.
    ///
    /// # Errors
    /// It cannot be read, or the runtime data does not belong to it.
    pub fn read(program: &[u8], rdat: Option<&[u8]>) -> Result<Reflected, HResult> {
        let rdat = rdat.map(Rdat::read).transpose().map_err(|_| DXC_E_CONTAINER_INVALID)?;
        let program = Program::read("DXIL", program).map_err(|_| E_INVALIDARG)?;
        let module = bitcode::read(program.bitcode).map_err(|_| E_INVALIDARG)?;
        let info = Info::read(&module);
        let mut types = Types::new(&module, info.flags() & bit::NATIVE_LOW_PRECISION == 0);
        let (buffers, bindings) = (buffers(&mut types, &info), bindings(&mut types, &info));
        let mut out = Reflected {
            is_library: program.kind == ShaderKind::Library,
            kind: program.kind,
            model: program.model,
            creator: creator(&module),
            buffers,
            bindings,
            parameters: Default::default(),
            state: None,
            threads: [0; 3],
            counters: counters_of(&module),
            features: features(&info),
            functions: Vec::new(),
        };
        if out.is_library {
            out.functions = functions(&out, &info, &module, rdat.as_ref())?;
        } else {
            out.shader(&info, &module);
        }
        Ok(out)
    }

    fn shader(&mut self, info: &Info, module: &Module) {
        let Some(entry) = info.entries.first() else { return };
        self.state = PipelineState::read(module, &entry.props);
        let domain = self.state.as_ref().and_then(PipelineState::domain);
        let has_groups = matches!(self.kind, ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification);
        if has_groups {
            self.threads = self.state.as_ref().and_then(PipelineState::threads).or(entry.props.threads).unwrap_or_default();
        }
        let Ok(mut signatures) = Signatures::read(module, entry.signatures) else { return };
        let usage = if says_usage(info.validator) { Usage::Exact } else { Usage::Whole };
        if usage == Usage::Whole {
            let functions = [entry.func, entry.props.patch_constants(module)];
            for body in functions.into_iter().flatten().filter_map(|f| module.funcs[f].body.as_ref()) {
                find_usage(module, body, &mut signatures);
            }
        }
        self.parameters = [
            parameters(&signatures.inputs, true, domain, usage),
            parameters(&signatures.outputs, false, domain, usage),
            // Those of domain shaders count as outputs too, as in the reference.
            parameters(&signatures.patch, false, domain, usage),
        ];
    }

    /// A counter.
    pub fn counter(&self, name: &str) -> u32 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    /// The version of a shader of this kind.
    pub fn version(&self, kind: ShaderKind) -> u32 {
        kind.as_u32() << 16 | self.model.major << 4 | self.model.minor
    }
}

fn creator(m: &Module) -> Option<String> {
    let node = *m.meta.named("llvm.ident").first()?;
    let text = (*m.meta.elems(node).first()?)?;
    Some(String::from_utf8_lossy(m.meta.bytes(text)?).into_owned())
}

/// The counters that the module says, or those of its code.
fn counters_of(m: &Module) -> HashMap<String, u32> {
    let nodes = m.meta.named("dx.counters");
    if nodes.is_empty() {
        return counters::count(m).map(|(name, n)| (name.to_owned(), n)).collect();
    }
    let mut all = HashMap::new();
    for pair in nodes.iter().flat_map(|&node| m.meta.elems(node).chunks_exact(2)) {
        let name = pair[0].and_then(|n| m.meta.bytes(n));
        if let (Some(name), Some(n)) = (name, int(m, pair[1])) {
            all.insert(String::from_utf8_lossy(name).into_owned(), n as u32);
        }
    }
    all
}

fn features(info: &Info) -> u64 {
    let features = shader_flags::features(info.flags()) & !EARLY_DEPTH_STENCIL;
    features | if info.flags() & bit::EARLY_DEPTH_STENCIL != 0 { EARLY_DEPTH_STENCIL } else { 0 }
}

fn functions(out: &Reflected, info: &Info, module: &Module, rdat: Option<&Rdat>) -> Result<Vec<Function>, HResult> {
    let (resources, list) = rdat.map_or((&[][..], &[][..]), |r| (&r.resources, &r.functions));
    if resources.len() != out.bindings.len() {
        return Err(DXC_E_INCORRECT_DXIL_METADATA);
    }
    let mut functions = Vec::new();
    for f in list {
        let entry = info.shaders().find(|(func, _)| *module.funcs[*func].name == *f.name).map(|(_, e)| e);
        let kind = entry.map_or(ShaderKind::Library, |e| info.stage(e));
        let early = kind == ShaderKind::Pixel && entry.is_some_and(|e| e.props.flags & bit::EARLY_DEPTH_STENCIL != 0);
        let mut function = Function {
            name: f.name.clone(),
            kind,
            features: f.features & !EARLY_DEPTH_STENCIL & !rtc_dxil_container::sfi0::FUNCTION_ONLY
                | if early { EARLY_DEPTH_STENCIL } else { 0 },
            bindings: Vec::new(),
            buffers: Vec::new(),
        };
        for r in f.resources.iter().filter_map(|&n| resources.get(n as usize)) {
            let binding = out.bindings.iter().position(|b| b.class == r.class && b.id == r.id);
            function.bindings.extend(binding.filter(|n| !function.bindings.contains(n)));
            let buffer = out.buffers.iter().position(|b| b.name.trim_end_matches("[0]") == r.name && binding.is_some());
            function.buffers.extend(buffer.filter(|n| !function.buffers.contains(n)));
        }
        functions.push(function);
    }
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(functions)
}
