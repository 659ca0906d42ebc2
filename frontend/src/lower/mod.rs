//! Lowering: the typed tree to IR.
//!
//! A variable becomes a local, an expression a list of instructions, a statement structured control flow; `mem2reg`
//! converts the locals to SSA later. Names, types, conversions and overloads are already resolved.
//!
//! Types that the IR does not have are decomposed: matrices are rows, structures and arrays are in variables and
//! accessed through [`operand::LValue`]s, memory of buffers is read scalar by scalar at the offsets of
//! [`crate::hir::layout`]. A [`operand::Val`] is the value of an expression.
//!
//! * [`prepass`]: which functions and variables the roots need, and facts about them that the
//!   lowering of their callers requires (parameters that are written).
//! * [`types`], [`host_layout`], [`globals`]: the module's types, resources and variables.
//! * [`func`], [`stmt`], [`expr`], [`call`], [`construct`]: one function.
//! * [`stage`]: inputs and outputs of the graphics pipeline; [`geometry`]: streams, and patches and streams as arguments.
//! * [`precise`]: marks of what is `precise`.
//! * [`variable_names`]: names of variables for reports; [`debug`], [`debug_types`]: debug information.
//! * [`operand`]: values and l-values as data; [`lvalue_expr`], [`lvalue`], [`access`], [`memory`], [`value`]: access paths, loads and
//!   stores, buffers, component-wise arithmetic.
//! * [`expand`]: intrinsics that are more than one instruction.
//!
//! What is *not* here: semantic checks. The tree is valid; a construct that the IR cannot express yet is
//! diagnosed ([`rtc_tables::diagnostics::E0904`]).

mod access;
mod call;
mod construct;
mod debug;
mod debug_types;
mod expand;
mod expr;
mod func;
mod geometry;
mod globals;
mod host_layout;
mod lvalue;
mod lvalue_expr;
mod memory;
mod mesh;
mod operand;
mod precise;
mod precise_outputs;
mod prepass;
mod stage;
mod stmt;
#[cfg(test)]
mod tests;
mod types;
mod value;
mod variable_names;
mod view;
mod vk_inline;

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use rtc_base::{Diagnostic, Interner, PackedOption, SecondaryMap, Span};
use rtc_ir as ir;
use rtc_tables::diagnostics as codes;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::hir::layout::Rules;
use crate::hir::{self, FuncId, GlobalId};

/// Options of the lowering.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Minor number of shader model 6.
    pub shader_model: u32,
    /// 16-bit types are native (`-enable-16bit-types`).
    pub native_16bit: bool,
    /// The treatment of denormals (`-denorm`).
    pub denormals: Option<ir::Denormals>,
    /// Everything is computed as if it were `precise` (`-Gis`).
    pub precise: bool,
    /// Small whole exponents of `pow` mean products (HLSL 2016).
    pub whole_powers: bool,
    /// The hint of an `if` or `switch` without one (`-Gfa`, `-Gfp`).
    pub flow: ir::Sides,
    /// Semantics of outputs that are `precise` (`-precise-output`), with or without their index.
    pub precise_outputs: Vec<String>,
    /// How buffers are laid out.
    pub layout: BufferLayout,
    /// Every resource is declared, used or not: bindings of SPIR-V depend on all of them, and registers may.
    pub all_resources: bool,
    /// Buffers keep the types of the source, with offsets ([`rtc_ir::host_layout`]).
    pub host_layouts: bool,
    /// Keep them for what only records the names of members; memory is laid out and accessed as without.
    pub host_names: bool,
    /// Names of resources say their namespaces; compilers have none in the names that hosts see.
    pub qualified_names: bool,
    /// The stages are Vulkan's: a mesh shader may write a single index of a primitive, and a group has one payload for mesh shaders.
    pub vulkan: bool,
    /// Payload access qualifiers are in force; otherwise payloads are plain structures.
    pub payload_qualifiers: bool,
    /// Keep the names of variables ([`rtc_ir::debug`]).
    pub names: bool,
    /// Keep debug information, including names.
    pub debug: bool,
}

/// How buffers of each kind are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct BufferLayout {
    /// Constant buffers.
    pub constants: Rules,
    /// Structured buffers, push constants, shader records.
    pub storage: Rules,
    /// Texture buffers.
    pub textures: Rules,
}

impl BufferLayout {
    /// Direct3D's.
    pub const DX: BufferLayout = layout(Rules::CBuffer, Rules::Scalar, Rules::CBuffer);
    /// Vulkan's standard layouts.
    pub const GL: BufferLayout = layout(Rules::Std140, Rules::Std430, Rules::Std430);
    /// Vulkan's standard layouts, relaxed: the default of the reference compiler for SPIR-V.
    pub const VULKAN: BufferLayout = layout(Rules::RelaxedStd140, Rules::RelaxedStd430, Rules::RelaxedStd430);
    /// Scalar block layout.
    pub const SCALAR: BufferLayout = layout(Rules::Scalar, Rules::Scalar, Rules::Scalar);
}

const fn layout(constants: Rules, storage: Rules, textures: Rules) -> BufferLayout {
    BufferLayout { constants, storage, textures }
}

impl Default for BufferLayout {
    fn default() -> Self {
        Self::DX
    }
}

/// Lowers `hir`, a module without errors: its entry points and exported functions, and everything that they reach.
///
/// The diagnostics report constructs that are not supported. If one of them is an error, the module is not complete.
pub fn lower(hir: &hir::Module, names: &Interner, opts: &Options) -> (ir::Module, Vec<Diagnostic>) {
    let mut l = Lowerer {
        hir,
        names,
        out: ir::Module {
            shader_model: opts.shader_model,
            native_16bit: opts.native_16bit,
            denormals: opts.denormals,
            ..ir::Module::default()
        },
        layout: opts.layout,
        all_resources: opts.all_resources,
        host_layouts: opts.host_layouts,
        host_names: opts.host_names,
        vulkan: opts.vulkan,
        qualified_names: opts.qualified_names,
        precise: opts.precise || precise::is_requested(hir, &opts.precise_outputs),
        whole_powers: opts.whole_powers,
        flow: opts.flow,
        precise_outputs: opts.precise_outputs.clone(),
        keep_names: opts.names || opts.debug,
        keep_values: opts.names,
        keep_debug: opts.debug,
        debug: Default::default(),
        diags: Vec::new(),
        facts: prepass::Facts::of(hir),
        tys: SecondaryMap::new(),
        structs: FxHashMap::default(),
        layouts: FxHashMap::default(),
        struct_names: FxHashMap::default(),
        anonymous: types::number_anonymous(hir),
        globals: SecondaryMap::new(),
        set_flags: FxHashMap::default(),
        funcs: SecondaryMap::new(),
        specialised: FxHashMap::default(),
        inline: FxHashMap::default(),
        entries: SecondaryMap::new(),
        pending: Vec::new(),
    };
    l.out.requirements.add(&hir.requirements);
    l.globals();
    if opts.debug {
        l.debug_globals();
    }
    l.functions();
    l.subobjects();
    if opts.debug {
        l.out.debug = Some(Box::new(std::mem::take(&mut l.debug.program)));
    }
    l.name_constants();
    if opts.precise {
        l.out.decide_precision();
    } else if l.precise && !l.out.has_undecided_precision() {
        // What is `precise` is never computed.
        l.out.funcs.values_mut().for_each(|f| f.precise.clear());
    }
    if !opts.payload_qualifiers {
        for s in l.out.structs.values_mut() {
            s.raypayload = false;
            s.fields.iter_mut().for_each(|f| f.paq = None);
        }
    }
    (l.out, l.diags)
}

/// What a parameter stands for that is not passed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum NamedArgument {
    /// A declared array of resources, of this type.
    Resources(ir::Global, hir::Ty),
    /// A variable of the module or a part of it. The index values of its path are passed.
    Memory(ir::Global, SmallVec<[ir::Step; 4]>),
    /// An array of this type, which is passed: the parameter is of unknown size.
    Sized(hir::Ty),
    /// A stream or patch: this parameter of a shader.
    Stage(operand::StageParam),
}

/// What parameters stand for, with the numbers of the parameters.
type NamedArguments = SmallVec<[(usize, NamedArgument); 1]>;

/// A function to fill in.
struct PendingFunction {
    id: FuncId,
    func: ir::Func,
    /// As an entry point, or the patch constant function of one.
    entry: bool,
    /// The hull shader whose patch constant function it is.
    hull: Option<FuncId>,
    /// What parameters stand for that are not passed.
    arrays: NamedArguments,
}

/// The state of the lowering of a module.
struct Lowerer<'a> {
    hir: &'a hir::Module,
    names: &'a Interner,
    out: ir::Module,
    diags: Vec<Diagnostic>,
    facts: prepass::Facts,
    tys: SecondaryMap<hir::Ty, PackedOption<ir::Type>>,
    structs: FxHashMap<(hir::RecordId, types::Use), Rc<types::StructInfo>>,
    layouts: FxHashMap<(hir::RecordId, Rules), Rc<types::Layout>>,
    layout: BufferLayout,
    all_resources: bool,
    host_layouts: bool,
    host_names: bool,
    vulkan: bool,
    qualified_names: bool,
    /// Every instruction on floats is exact, until passes decide which are (or for good: `-Gis`).
    precise: bool,
    whole_powers: bool,
    flow: ir::Sides,
    precise_outputs: Vec<String>,
    /// Whether functions keep the names of variables.
    keep_names: bool,
    /// Whether values keep them through all passes.
    keep_values: bool,
    /// Whether debug information is requested.
    keep_debug: bool,
    /// The debug information so far.
    debug: debug_types::DebugTypes,
    /// How often each structure name is in use.
    struct_names: FxHashMap<String, u32>,
    /// The numbers of structures without a name.
    anonymous: FxHashMap<hir::RecordId, usize>,
    globals: SecondaryMap<GlobalId, Option<globals::Storage>>,
    /// Static variables that are initialised where they are needed first, with the variables that say whether they are.
    set_flags: FxHashMap<ir::Global, ir::Global>,
    /// The functions that are called.
    funcs: SecondaryMap<FuncId, PackedOption<ir::Func>>,
    /// Functions with parameters that stand for declared variables: one for each combination of those ([`call`]).
    specialised: FxHashMap<(FuncId, NamedArguments), ir::Func>,
    /// Instructions of inline SPIR-V by function, operands and types of the parameters.
    inline: FxHashMap<vk_inline::Key, ir::Func>,
    /// The entry points.
    entries: SecondaryMap<FuncId, PackedOption<ir::Func>>,
    /// Functions to fill in.
    pending: Vec<PendingFunction>,
}

impl<'a> Lowerer<'a> {
    fn functions(&mut self) {
        for id in self.hir.funcs.keys() {
            if !self.facts.is_reached(id) {
                continue;
            }
            let f = &self.hir.funcs[id];
            if f.inline.is_some() {
                continue;
            }
            if f.is_entry() {
                let func = self.declare(id, true, Default::default());
                self.entries[id] = Some(func).into();
                let patch = f.interface.as_ref().and_then(|i| i.patch_constants.as_ref());
                if let Some(patch) = patch {
                    let patch_constants = Some(self.declare_patch_constants(patch.func, id));
                    if let ir::StageState::Hull(state) = &mut self.out.funcs[func].state {
                        state.patch_constants = patch_constants;
                    }
                }
            }
            let plain = (0..f.params.len()).all(|n| !self.is_passed_by_name(id, n));
            let (called, exported) = (plain && self.facts.is_called(id), self.is_exported(id));
            if called || exported {
                let func = self.declare(id, false, Default::default());
                self.funcs[id] = Some(func).into();
            }
            if called && exported && self.has_statics(id) {
                self.declare_called(id);
            }
        }
        // Functions that are called add specialised ones; calls form no cycles.
        while !self.pending.is_empty() {
            for p in std::mem::take(&mut self.pending) {
                let _phase = rtc_base::timing::phase_of("lower function", || self.hir.funcs[p.id].qualified.clone().into());
                func::lower(self, p);
            }
        }
    }

    /// Declares a function, so that others can call it.
    fn declare(&mut self, id: FuncId, entry: bool, arrays: NamedArguments) -> ir::Func {
        let f = &self.hir.funcs[id];
        self.out.requirements.add(&f.requirements);
        let stage = if entry { f.stage } else { rtc_tables::stages::Stage::Library };
        let mut out = ir::Function::new(f.qualified.clone(), stage);
        out.symbol = f.symbol.clone();
        if entry && !f.stage.is_raytracing() {
            // As in the reference compiler: the symbol of a shader that a host launches by name is that name.
            let own = f.qualified.rsplit("::").next();
            out.symbol = own.unwrap_or_default().to_string();
        }
        if f.is_entry() && !entry {
            out.symbol.push_str(".called");
        }
        out.span = f.span;
        out.debug = self.keep_names.then(Default::default);
        if self.keep_debug {
            let sub = self.debug_sub(id);
            if let Some(d) = &mut out.debug {
                (d.marked, d.sub) = (true, Some(sub).into());
            }
        }
        out.exported = f.exported && !f.is_entry();
        out.declared = !f.is_defined();
        if out.declared {
            out.debug = None;
        }
        if let (true, Some(interface)) = (entry, &f.interface) {
            out.state = interface.state;
        }
        out.numthreads = f.entry.numthreads.filter(|_| entry);
        out.wave_size = f.entry.wave_size.filter(|_| entry);
        (out.early_depth_stencil, out.helper_lanes) = (entry && f.entry.early_depth_stencil, entry && f.entry.helper_lanes);
        out.groupshared_limit = f.entry.groupshared_limit.filter(|_| entry);
        out.attributes = f.attributes.clone();
        let func = self.out.funcs.push(out);
        self.pending.push(PendingFunction { id, func, entry, hull: None, arrays });
        func
    }

    /// Whether other libraries may call a function. What gets a patch or stream is of use to a shader only.
    fn is_exported(&self, id: FuncId) -> bool {
        let f = &self.hir.funcs[id];
        f.exported && !f.is_entry() && !f.params.iter().any(|p| self.hir.types.is_stage_object(p.ty))
    }

    /// Whether a function or what it calls uses static variables.
    fn has_statics(&self, id: FuncId) -> bool {
        let is_private = |g: ir::Global| matches!(self.out.globals[g].kind, ir::GlobalKind::Private(_, None));
        self.facts.globals_of_entry(id).iter().any(|&g| matches!(self.globals[g], Some(globals::Storage::Var(var)) if is_private(var)))
    }

    /// Declares an exported function once more for the functions of its library: the exported one gives static variables their initial values.
    fn declare_called(&mut self, id: FuncId) {
        let func = self.declare(id, false, Default::default());
        let out = &mut self.out.funcs[func];
        out.symbol.push_str(".called");
        out.exported = false;
        self.funcs[id] = Some(func).into();
    }

    /// Declares the patch constant function of a hull shader: it has a part of the shader's interface, and no function calls it. One that
    /// several shaders have, or that is exported too, has the shader's name after its own.
    fn declare_patch_constants(&mut self, id: FuncId, hull: FuncId) -> ir::Func {
        let own = &self.hir.funcs[id].symbol;
        let taken = |f: &ir::Function| f.state == ir::StageState::PatchConstants && f.symbol == *own;
        let shared = self.is_exported(id) || self.out.funcs.values().any(taken);
        let func = self.declare(id, false, Default::default());
        let out = &mut self.out.funcs[func];
        if shared {
            out.symbol = format!("{}.{}", out.symbol, self.hir.funcs[hull].qualified);
        }
        (out.stage, out.state, out.exported) = (self.hir.funcs[hull].stage, ir::StageState::PatchConstants, false);
        if let Some(pending) = self.pending.last_mut() {
            (pending.entry, pending.hull) = (true, Some(hull));
        }
        func
    }

    fn subobjects(&mut self) {
        for s in &self.hir.subobjects {
            self.out.subobjects.push(ir::Subobject { name: self.names.str(s.name).to_string(), kind: s.kind.clone(), span: s.span });
        }
    }

    /// Reports that a construct is not supported.
    fn unsupported(&mut self, span: Span, what: impl std::fmt::Display) {
        let d = Diagnostic::new(&codes::E0904, span, format!("{what} is not supported yet"));
        self.diags.push(d);
    }
}
