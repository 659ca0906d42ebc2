//! IR to SPIR-V words, function by function.
//!
//! * [`mod@types`]: types and constants,
//! * [`control`]: regions to blocks, constructs to merge instructions, results to phis,
//! * [`values`]: arithmetic, conversions, vectors,
//! * `forms`: what has a shorter form than one instruction each, found before,
//! * [`variables`]: locals, slots, groupshared and constant tables,
//! * [`buffers`]: constant, structured and byte-address buffers, as arrays of 32-bit words,
//! * [`addresses`]: memory at 64-bit addresses,
//! * [`host_types`], [`typed_buffers`]: buffers with the types of the source, and their accesses by members and indices,
//! * [`images`]: textures and typed buffers,
//! * [`sampling`]: reading textures, with or without a sampler,
//! * [`queries`]: ray queries,
//! * [`hit_objects`]: hit objects and reordering, with `hit_groups`,
//! * [`raytracing`]: system values, tracing, calling,
//! * [`reports`]: reported hits,
//! * [`stage`]: inputs and outputs of the graphics pipeline,
//! * [`interlock`]: the critical section of rasteriser-ordered views,
//! * [`wave`]: wave and quad operations,
//! * [`signed`]: signed types for signed operations,
//! * [`unused`]: dead code elimination in the words of a function,
//! * [`debug`]: scopes, lines and variables.
//!
//! One module holds all entry points. Everything an entry point's system values need is a variable of its
//! own, since a builtin may have to be volatile in one stage and must not be in another.

pub mod addresses;
pub mod barriers;
pub mod buffers;
pub mod control;
mod cooperative;
pub mod debug;
pub mod exact;
mod forms;
mod hit_groups;
pub mod hit_objects;
pub mod host_types;
pub mod images;
pub mod interlock;
pub mod mesh;
pub mod packed;
pub mod pipeline;
pub mod queries;
pub mod raytracing;
pub mod reflection;
pub mod reports;
pub mod sampling;
pub mod signed;
pub mod stage;
pub mod typed_buffers;
pub mod types;
pub mod unused;
pub mod values;
pub mod variables;
pub mod wave;
pub mod widen_f16;

use indexmap::IndexSet;
use rtc_base::timing::phase_of;
use rtc_base::{Code, EntitySet, SecondaryMap, Span};
use rtc_ir::host_layout::HostType;
use rtc_ir::{Family, Function, Global, HullState, Inst, InstData, Module, Opcode, Scalar, Slot, Stage, StageState, Type, Value};
use rtc_passes::finite::Finite;
use rtc_passes::ranges::Ranges;
use rtc_tables::diagnostics::{E0641, E0903};
use rtc_tables::insts::HEAP_NONUNIFORM;
use rtc_tables::raytracing::RtInfo;
use rtc_tables::resources::{ResourceClass, ResourceFlags};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::{BuiltIn, Op, StorageClass};

use crate::bindings::{Bindings, Home, Numbering};
use crate::debug::Writer;
use crate::error::Error;
use crate::legalize::hit_objects::Ser;
use crate::rows::{Row, row};
use crate::version::Environment;
use crate::words::{AsOperand, Id, Literal, NONE, Operand, TypeId, Words, operands, put, put_number, put_result};
use crate::{Options, Purpose};

/// What is shared by all functions of the module being emitted.
pub struct Emitter<'a> {
    /// The module.
    pub m: &'a Module,
    /// Which extension has hit objects, if there are some.
    pub ser: Option<Ser>,
    /// [`Purpose::unoptimised`](crate::Purpose::unoptimised).
    pub unoptimised: bool,
    /// The words so far.
    pub w: Words,
    /// Where resources are bound.
    pub bindings: &'a Bindings,
    /// Types with plain members (`bool` allowed) and types for interfaces (`bool` is a word).
    pub(crate) plain_types: FxHashMap<(Type, bool), TypeId>,
    /// For a structure the one with it as its only member.
    pub(crate) nested_types: FxHashMap<TypeId, TypeId>,
    /// The type of (one element of) each buffer's variable.
    pub(crate) declared: FxHashMap<Global, TypeId>,
    /// Buffers that are declared once more, with elements of another type.
    pub(crate) aliases: FxHashMap<(Global, TypeId), Id>,
    /// Host types ([`host_types`]).
    pub(crate) host_types: FxHashMap<HostType, TypeId>,
    /// The structure types of buffers with the types of the source.
    pub(crate) host_blocks: FxHashMap<(HostType, &'a str), TypeId>,
    /// Buffers that are words although they have a type of their own.
    pub(crate) words_only: FxHashSet<Global>,
    /// Groupshared variables with the signed type ([`variables::signed_globals`]).
    pub(crate) signed_globals: FxHashSet<Global>,
    /// One variable for each global that some entry point uses.
    pub(crate) globals: FxHashMap<Global, Id>,
    /// Constants that the host may replace, by number, type and default.
    pub(crate) specs: FxHashMap<(u32, Type, u64), Id>,
    /// The hidden counters of buffers.
    pub(crate) counters: FxHashMap<Global, Id>,
    /// The descriptor heaps seen as arrays of one type each: storage class, element type, and whether they are coherent.
    pub(crate) heaps: FxHashMap<(StorageClass, TypeId, bool), Id>,
    /// Those of them whose buffers are written.
    pub(crate) written_heaps: Vec<Id>,
    pub(crate) block_types: FxHashMap<buffers::BlockKind, TypeId>,
    /// The arrays in them.
    pub(crate) block_arrays: FxHashMap<buffers::BlockKind, TypeId>,
    /// The structure type of hidden counters.
    pub(crate) counter_block: Option<TypeId>,
    /// The table of sample positions, if someone asks.
    pub(crate) sample_positions: Option<Id>,
    /// Whether the device may have clusters.
    pub(crate) clusters: bool,
    /// Micromaps are enabled by the KHR extension.
    pub(crate) khr_micromaps: bool,
    /// Derivatives in compute shaders are those of the NV extension.
    pub(crate) nv_derivatives: bool,
    /// Storage images without a format in the source have none.
    pub(crate) unknown_image_formats: bool,
    /// Images have the formats of their types.
    pub(crate) declared_formats: bool,
    /// Variables have decorations for reflection.
    pub(crate) reflect: bool,
    /// Storage buffers are uniform blocks, as before SPIR-V 1.4.
    pub(crate) uniform_buffers: bool,
    /// What the options say of graphics stages.
    pub(crate) stage: stage::StageOptions,
    /// Buffers of the descriptor heap have hidden counters.
    pub(crate) heap_counters: bool,
    /// Debug information, if some is requested.
    pub(crate) debug: Option<Writer<'a>>,
    /// Structures with an array of one type, for references of inline SPIR-V.
    pub(crate) element_blocks: FxHashMap<(TypeId, bool), TypeId>,
    /// Warnings so far.
    pub warnings: Vec<Error>,
    /// Errors so far.
    pub errors: Vec<Error>,
}

/// What the functions of one entry point share: those of a hull shader are two.
#[derive(Default)]
pub(crate) struct EntryVariables {
    /// The function of the entry point, if it is not the one that is emitted.
    pub(crate) entry: Option<Id>,
    /// The variables that the entry point names.
    pub(crate) interface: IndexSet<Id>,
    builtins: FxHashMap<BuiltIn, Id>,
    elements: FxHashMap<(u32, u32), stage::Var>,
    micromap_queries: bool,
}

/// One function being emitted.
pub struct FuncEmitter<'e, 'a> {
    pub(crate) e: &'e mut Emitter<'a>,
    pub(crate) m: &'a Module,
    pub(crate) f: &'e Function,
    pub(crate) ids: SecondaryMap<Value, Option<Id>>,
    pub(crate) code: Vec<u32>,
    /// `OpVariable`s of the function.
    pub(crate) vars: Vec<u32>,
    /// The label of the block being filled; none after its end.
    pub(crate) block: Option<Id>,
    pub(crate) constructs: Vec<control::Construct>,
    pub(crate) interface: IndexSet<Id>,
    pub(crate) locals: SecondaryMap<rtc_ir::Local, Option<Id>>,
    /// Variables of the function whose booleans are words.
    pub(crate) word_locals: FxHashSet<rtc_ir::Local>,
    pub(crate) slots: SecondaryMap<Slot, Option<Id>>,
    pub(crate) builtins: FxHashMap<BuiltIn, Id>,
    /// What the first block begins with.
    pub(crate) entry_code: Vec<u32>,
    /// The builtins that are loaded there: the id of each by that of its variable.
    pub(crate) at_entry: FxHashMap<Id, Id>,
    /// Other shaders may have run, or the thread may have moved, before the current place.
    pub(crate) resumed: bool,
    /// Reported hits.
    pub(crate) reports: reports::Reports,
    /// Which variables the signature elements are.
    pub(crate) plan: stage::StagePlan,
    /// Those that are declared, by number and the member that they are if the element is spread.
    pub(crate) elements: FxHashMap<(u32, u32), stage::Var>,
    /// The variable of the indices of a mesh shader.
    pub(crate) mesh_indices: Option<Id>,
    /// The regions in which a mesh shader has said how much it makes.
    pub(crate) mesh_counts: Vec<rtc_ir::Region>,
    /// The variable of the payload that an amplification shader passes.
    pub(crate) mesh_payload: Option<Id>,
    /// The operands of what ends an amplification shader: numbers of groups, payload.
    pub(crate) tasks: Option<Vec<Id>>,
    /// The critical section of rasteriser-ordered views.
    pub(crate) section: Option<interlock::Section>,
    pub(crate) handles: FxHashMap<Value, Handle>,
    pub(crate) record: Option<Id>,
    pub(crate) hits: hit_objects::Hits,
    pub(crate) span: Span,
    /// How threads form quads, if derivatives are taken in a compute shader.
    pub(crate) derivative_mode: Option<spirv::ExecutionMode>,
    /// A ray query may meet opacity micromaps, which the KHR extension requires as an execution mode of the entry point.
    pub(crate) micromap_queries: bool,
    /// The accesses of buffers by path.
    pub(crate) accesses: typed_buffers::Accesses,
    /// What instructions are emitted as that are not emitted one by one.
    pub(crate) forms: FxHashMap<Inst, forms::Form>,
    /// The operands of each `OpCompositeConstruct`.
    pub(crate) parts: FxHashMap<Id, SmallVec<[Id; 4]>>,
    /// Matrices that are loaded in a block: the block, and the id of each by the chain of its pointer.
    pub(crate) matrices: (Option<Id>, FxHashMap<SmallVec<[Id; 8]>, Id>),
    /// Value ranges, of computed ray flags and operands of remainders, computed on demand.
    pub(crate) ranges: Option<Ranges>,
    /// Which floats are finite numbers, computed on demand.
    pub(crate) finite: Option<Finite>,
    /// Halves, and integers with the bits of one, that a driver may know as wider than they are.
    pub(crate) unrounded: EntitySet<Value>,
    pub(crate) debug: Option<Box<debug::State>>,
    /// Execution modes of inline SPIR-V: whether the operands are ids; the mode and its operands.
    pub(crate) modes: Vec<(bool, Vec<Operand>)>,
}

/// What a resource handle stands for.
#[derive(Clone, Copy)]
pub struct Handle {
    /// The declaration; none: it is in the descriptor heap.
    pub(crate) global: Option<Global>,
    pub(crate) ty: rtc_ir::ResourceType,
    /// The index's id, if it is an array.
    pub(crate) index: Option<Id>,
    pub(crate) nonuniform: bool,
    pub(crate) home: Home,
}

impl<'a> Emitter<'a> {
    /// What is to be written for a module, before anything is.
    pub fn new(m: &'a Module, bindings: &'a Bindings, options: &Options, purpose: Purpose, environment: Environment) -> Self {
        let requested = options.names(stage::Demotion::EXTENSION);
        let demotion = stage::Demotion::of(m, environment.spirv, requested);
        let mut e = Emitter {
            m,
            ser: None,
            w: Words::default(),
            bindings,
            plain_types: FxHashMap::default(),
            nested_types: FxHashMap::default(),
            declared: FxHashMap::default(),
            aliases: FxHashMap::default(),
            host_types: FxHashMap::default(),
            host_blocks: FxHashMap::default(),
            words_only: FxHashSet::default(),
            signed_globals: variables::signed_globals(m),
            globals: FxHashMap::default(),
            specs: FxHashMap::default(),
            counters: FxHashMap::default(),
            heaps: FxHashMap::default(),
            written_heaps: Vec::new(),
            block_types: FxHashMap::default(),
            block_arrays: FxHashMap::default(),
            counter_block: None,
            unoptimised: purpose.unoptimised,
            sample_positions: None,
            clusters: options.clusters(),
            khr_micromaps: options.khr_micromaps(),
            nv_derivatives: options.nv_derivatives(),
            unknown_image_formats: options.unknown_image_formats && !has_texel_atomics(m),
            declared_formats: purpose.numbering == Numbering::Declared,
            reflect: options.reflect,
            uniform_buffers: environment.spirv < 4,
            stage: stage::StageOptions { demotion, point_size: purpose.point_size, ..options.stage },
            heap_counters: purpose.numbering == Numbering::Declared,
            debug: None,
            element_blocks: FxHashMap::default(),
            warnings: Vec::new(),
            errors: Vec::new(),
        };
        e.words_only = typed_buffers::words_only(&e);
        e
    }

    /// The variable of a descriptor heap seen as an unbounded array of type `elem`.
    pub(crate) fn heap_array(&mut self, name: &str, class: StorageClass, elem: TypeId, coherent: bool, slot: (u32, u32)) -> Id {
        if let Some(&v) = self.heaps.get(&(class, elem, coherent)) {
            return v;
        }
        let why = || format!("`{name}`");
        self.w.capability(spirv::Capability::RuntimeDescriptorArray, why);
        self.w.extension("SPV_EXT_descriptor_indexing", why);
        let array = self.w.ty(Op::TypeRuntimeArray, &[elem]);
        let v = self.w.variable(class, array, None);
        self.w.name(v, name);
        self.w.bind(v, slot);
        self.heaps.insert((class, elem, coherent), v);
        v
    }
}

impl<'e, 'a> FuncEmitter<'e, 'a> {
    /// Emits entry point `f`. Gives the function's id and the interface.
    pub fn emit(e: &'e mut Emitter<'a>, f: &'e Function) -> (Id, IndexSet<Id>) {
        let mut shared = EntryVariables::default();
        let id = match f.state {
            StageState::Hull(HullState { patch_constants: Some(func), .. }) => {
                let patch_constants = &e.m.funcs[func];
                pipeline::emit_hull(e, f, patch_constants, &mut shared)
            }
            _ => Self::emit_function(e, f, &mut shared),
        };
        (id, shared.interface)
    }

    /// Begins function `f`, with the variables of other functions of its entry point.
    fn new(e: &'e mut Emitter<'a>, f: &'e Function, shared: &mut EntryVariables) -> Self {
        let m = e.m;
        let accesses = typed_buffers::Accesses::of(e, f);
        let forms = forms::find(m, f, &accesses);
        let plan = stage::StagePlan::of(m, f, e.stage);
        FuncEmitter {
            e,
            m,
            f,
            ids: SecondaryMap::new(),
            code: Vec::new(),
            vars: Vec::new(),
            block: None,
            constructs: Vec::new(),
            interface: std::mem::take(&mut shared.interface),
            locals: SecondaryMap::new(),
            word_locals: variables::word_locals(m, f),
            slots: SecondaryMap::new(),
            builtins: std::mem::take(&mut shared.builtins),
            entry_code: Vec::new(),
            at_entry: FxHashMap::default(),
            resumed: false,
            reports: reports::Reports::default(),
            plan,
            elements: std::mem::take(&mut shared.elements),
            mesh_indices: None,
            mesh_counts: Vec::new(),
            mesh_payload: None,
            tasks: None,
            section: interlock::Section::of(m, f),
            handles: FxHashMap::default(),
            record: None,
            hits: hit_objects::Hits::default(),
            span: f.span,
            derivative_mode: None,
            micromap_queries: false,
            accesses,
            forms,
            parts: FxHashMap::default(),
            matrices: Default::default(),
            ranges: None,
            finite: None,
            unrounded: widen_f16::unrounded(m, f),
            debug: None,
            modes: Vec::new(),
        }
    }

    /// Emits the function `f` of an entry point, with the variables of other functions of the same one. Gives its id.
    pub(crate) fn emit_function(e: &'e mut Emitter<'a>, f: &'e Function, shared: &mut EntryVariables) -> Id {
        let _phase = phase_of("emit SPIR-V", || f.name.clone().into());
        let mut this = FuncEmitter::new(e, f, shared);
        let void = this.e.w.void_ty();
        let fn_ty = this.e.w.ty(Op::TypeFunction, &[void]);
        let id = this.e.w.id();
        let entry = this.e.w.id();
        this.debug_begin(id);
        this.find_hits();
        this.find_reports();
        this.declare_slots();
        this.declare_outputs();
        this.begin_block(entry);
        this.default_point_size();
        this.region(f.body);
        let prologue = this.debug_prologue(id);
        // The first block's label, then the variables, then the rest.
        let mut code = std::mem::take(&mut this.code);
        let begin = std::mem::take(&mut this.entry_code);
        code.splice(2..2, begin);
        let set = this.e.debug.as_ref().and_then(Writer::set_id);
        signed::give_types(&mut code, &mut this.e.w);
        unused::remove(&mut code, &mut this.e.w, set);
        let (label, rest) = code.split_at(2);
        let vars = std::mem::take(&mut this.vars);
        shared.interface = std::mem::take(&mut this.interface);
        let entry_point = shared.entry.unwrap_or(id);
        if let Some(mode) = this.derivative_mode {
            this.e.w.execution_mode(entry_point, mode, &[]);
        }
        if f.is_started() {
            this.stage_modes(entry_point);
        }
        shared.builtins = std::mem::take(&mut this.builtins);
        shared.elements = std::mem::take(&mut this.elements);
        this.inline_modes(entry_point);
        if this.micromap_queries && !std::mem::replace(&mut shared.micromap_queries, true) {
            let yes = this.e.constant(Type::BOOL, 1);
            put(&mut this.e.w.modes, Op::ExecutionModeId, &operands![entry_point, Literal(queries::OPACITY_MICROMAP_ID), yes]);
        }
        let out = &mut this.e.w.functions;
        put_result(out, Op::Function, void, id, &operands![spirv::FunctionControl::NONE, fn_ty]);
        out.extend_from_slice(label);
        out.extend_from_slice(&vars);
        out.extend_from_slice(&prologue);
        out.extend_from_slice(rest);
        put(out, Op::FunctionEnd, NONE);
        id
    }

    pub(crate) fn stage(&self) -> Stage {
        self.f.stage
    }

    /// Reports something that SPIR-V cannot express.
    pub(crate) fn error(&mut self, message: impl Into<String>) {
        self.error_of(&E0903, message);
    }

    /// Reports something of a kind of its own.
    pub(crate) fn error_of(&mut self, code: &'static Code, message: impl Into<String>) {
        let e = Error::coded(code, self.span, message);
        self.e.errors.push(e);
    }

    /// Why this function asks for something: for `--why-capability`.
    pub(crate) fn reason(&self, what: &str) -> String {
        format!("{what} in `{}`", self.f.name)
    }

    /// Appends an instruction with a result.
    pub(crate) fn op(&mut self, op: Op, ty: TypeId, operands: &[impl AsOperand]) -> Id {
        let id = self.e.w.id();
        put_result(&mut self.code, op, ty, id, operands);
        id
    }

    /// Puts a composite together.
    pub(crate) fn composite(&mut self, ty: TypeId, parts: &[Id]) -> Id {
        let id = self.op(Op::CompositeConstruct, ty, parts);
        self.parts.insert(id, parts.into());
        id
    }

    /// A part of a composite.
    pub(crate) fn extract(&mut self, ty: TypeId, from: Id, path: &[u32]) -> Id {
        let path: SmallVec<[Literal; 2]> = path.iter().map(|&n| Literal(n)).collect();
        let id = self.e.w.id();
        put_number(&mut self.code, Op::CompositeExtract as u32, &operands![ty, id, from], &path);
        id
    }

    /// A vector with component `n` replaced.
    pub(crate) fn insert(&mut self, ty: TypeId, x: Id, into: Id, n: u32) -> Id {
        self.op(Op::CompositeInsert, ty, &operands![x, into, Literal(n)])
    }

    /// Components of two vectors, by their numbers in both.
    pub(crate) fn shuffle(&mut self, ty: TypeId, [a, b]: [Id; 2], components: &[u32]) -> Id {
        let components: SmallVec<[Literal; 4]> = components.iter().map(|&n| Literal(n)).collect();
        let id = self.e.w.id();
        put_number(&mut self.code, Op::VectorShuffle as u32, &operands![ty, id, a, b], &components);
        id
    }

    /// Appends an instruction without a result.
    pub(crate) fn stmt(&mut self, op: Op, operands: &[impl AsOperand]) {
        put(&mut self.code, op, operands);
    }

    pub(crate) fn glsl(&mut self, op: spirv::GlslStd450Op, ty: TypeId, operands: &[Id]) -> Id {
        let id = self.e.w.id();
        put_number(&mut self.code, Op::ExtInst as u32, &operands![ty, id, self.e.w.glsl, op], operands);
        id
    }

    /// The id of a value.
    pub(crate) fn val(&mut self, v: Value) -> Id {
        use rtc_ir::ValueDef;
        if let Some(id) = self.ids[v] {
            return id;
        }
        let ty = self.f.ty(v);
        let id = match self.f.values[v].def {
            ValueDef::Const(bits) => self.e.constant(ty, bits),
            ValueDef::Undef if self.m.types.numeric(ty).is_some() || matches!(self.m.types.kind(ty), rtc_ir::TypeKind::Spirv(_)) => {
                let t = self.e.ty(ty);
                self.e.w.undef(t)
            }
            _ => {
                self.error_of(&E0641, "a resource is used here that is not known at compile time");
                self.e.w.u32(0)
            }
        };
        self.ids[v] = Some(id);
        id
    }

    pub(crate) fn vals(&mut self, vs: &[Value]) -> smallvec::SmallVec<[Id; 8]> {
        vs.iter().map(|&v| self.val(v)).collect()
    }

    /// The SPIR-V type of a value.
    pub(crate) fn ty_of(&mut self, v: Value) -> TypeId {
        let t = self.f.ty(v);
        self.e.ty(t)
    }

    pub(crate) fn set(&mut self, v: Value, id: Id) {
        self.ids[v] = Some(id);
    }

    pub(crate) fn inst(&mut self, i: Inst) {
        self.span = self.f.spans[i];
        self.note_resumption(i);
        let op = self.f.op(i);
        if Self::is_bit_count(op)
            && let InstData::Unary { arg, .. } = self.f.insts[i]
            && self.m.types.elem(self.f.ty(arg)).bits() != 32
        {
            let x = self.val(arg);
            let id = self.bits_of(op, x, self.f.ty(arg));
            let result = self.f.result(i);
            return self.set(result, id);
        }
        if let InstData::Unary { op: Opcode::fconv | Opcode::f16tof32, arg } = self.f.insts[i]
            && self.unrounded.contains(arg)
            && self.widen_half(i, arg)
        {
            return;
        }
        if self.bool_form(i) || self.chosen_constant(i) {
            return;
        }
        if let Some(row) = row(op) {
            return self.row_inst(i, row);
        }
        if self.hit_access(i) || self.hit_inst(i) {
            return;
        }
        if let (InstData::Many { .. }, Some(row)) = (self.f.insts[i], RtInfo::of(op))
            && row.query.is_some()
        {
            return self.query_inst(i, row);
        }
        if op.family() == Family::Wave {
            return self.wave_inst(i);
        }
        if matches!(op, Opcode::is_helper_lane | Opcode::render_target_get_sample_position | Opcode::render_target_get_sample_count) {
            return self.pixel_inst(i, op);
        }
        match self.f.insts[i] {
            InstData::If { .. } | InstData::Switch { .. } | InstData::Loop { .. } | InstData::Block { .. } | InstData::Exit { .. } => {
                self.control(i)
            }
            InstData::Access { .. } | InstData::Copy { .. } => self.variable_inst(i),
            InstData::Resource { global, index, nonuniform } => {
                self.resource(i, global, index.expand(), nonuniform);
            }
            InstData::Slot { .. } => self.slot_inst(i),
            InstData::Call { func, args, refs } => self.inline_call(i, func, args, refs),
            InstData::Nullary { .. } => self.builtin_inst(i),
            InstData::Many { op, imm, args } => {
                let args: smallvec::SmallVec<[Value; 8]> = self.f.get(args).into();
                self.list_inst(i, op, imm, &args);
            }
            InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } => self.value_inst(i),
        }
    }

    /// An instruction with a list of operands.
    fn list_inst(&mut self, i: Inst, op: Opcode, imm: u32, args: &[Value]) {
        match op {
            Opcode::construct | Opcode::extract | Opcode::insert => self.vector_inst(i, op, imm, args),
            Opcode::object_to_world | Opcode::world_to_object => self.matrix_row(i, op, imm),
            Opcode::triangle_object_position => self.vertex(i, imm),
            Opcode::cbuf_load
            | Opcode::buf_load
            | Opcode::raw_load
            | Opcode::buf_store
            | Opcode::raw_store
            | Opcode::buf_atomic
            | Opcode::raw_atomic
            | Opcode::buf_size
            | Opcode::counter_add => self.buffer_inst(i, op, imm, args),
            Opcode::load_input
            | Opcode::store_output
            | Opcode::eval_snapped
            | Opcode::eval_sample_index
            | Opcode::eval_centroid
            | Opcode::attribute_at_vertex => self.stage_inst(i, op, imm, args),
            Opcode::set_mesh_output_counts | Opcode::emit_indices => self.mesh_inst(i, imm, args),
            Opcode::emit_stream | Opcode::cut_stream => self.stream_inst(op, imm),
            Opcode::discard => self.discard(args[0]),
            Opcode::barrier => self.barrier(imm),
            Opcode::memory_barrier => self.memory_barrier(imm & 0xff, imm >> 8),
            Opcode::handle_barrier => self.memory_barrier(rtc_tables::barriers::memory::UAV, imm),
            Opcode::phys_load | Opcode::phys_store => self.address_inst(i, op, imm, args),
            Opcode::read_clock => self.read_clock(i, imm),
            Opcode::debug_break => self.debug_break(),
            Opcode::spec_constant => self.spec_constant(i, imm, args[0]),
            Opcode::heap_resource => self.heap_resource(i, imm, args[0]),
            Opcode::pack4x8 => {
                let id = self.pack(imm, args[0]);
                let result = self.f.result(i);
                self.set(result, id);
            }
            Opcode::unpack4x8 => {
                let result = self.f.result(i);
                let id = self.unpack(imm == 1, args[0], self.f.ty(result));
                self.set(result, id);
            }
            _ if op.family() == Family::Cooperative => self.cooperative_inst(i, op, imm, args),
            _ => self.image_inst(i, op, imm, args),
        }
    }

    /// An instruction that a row of the selection table says.
    fn row_inst(&mut self, i: Inst, row: Row) {
        let args: smallvec::SmallVec<[Value; 8]> = self.f.operands(i);
        let ids = self.vals(&args);
        let result = self.f.result(i);
        let ty = self.ty_of(result);
        let is_bool = || self.m.types.elem(self.f.ty(args[0])) == Scalar::Bool;
        let id = match row {
            _ if self.forms.get(&i) == Some(&forms::Form::Absolute) => self.glsl(spirv::GlslStd450Op::SAbs, ty, &ids[..1]),
            Row::Glsl(spirv::GlslStd450Op::FindSMsb) => self.first_bit_signed(ids[0], self.f.ty(args[0])),
            Row::Core(o) => self.op(o, ty, &ids),
            Row::IntOrBool(_, o) if is_bool() => self.op(o, ty, &ids),
            Row::IntOrBool(o, _) => self.op(o, ty, &ids),
            Row::Glsl(o) => self.glsl(o, ty, &ids),
        };
        if self.f.is_precise(i) {
            self.e.w.decorate(id, spirv::Decoration::NoContraction, &[]);
        }
        self.set(result, id);
    }

    fn resource(&mut self, i: Inst, global: Global, index: Option<Value>, nonuniform: bool) {
        let result = self.f.result(i);
        let Some(ty) = self.m.types.as_resource(self.f.ty(result)) else { rtc_base::bug!("`resource` gives a handle") };
        let mut index = index.map(|v| self.val(v));
        let mut home = self.e.bindings.home(global, self.f, self.m);
        let mut nonuniform = nonuniform;
        if let Home::RecordTable { offset, plus, sampler } = home {
            let table = self.record_word(offset);
            let first = self.add(table, plus);
            index = Some(match index {
                Some(n) => {
                    let word = self.e.w.u32_ty();
                    self.op(Op::IAdd, word, &[first, n])
                }
                None => first,
            });
            // Neighbours in a wave may run the same shader with different records.
            nonuniform = true;
            let (set, binding) = self.e.bindings.heap(sampler);
            home = Home::Heap { set, binding };
        }
        self.handles.insert(result, Handle { global: Some(global), ty, index, nonuniform, home });
    }

    /// A constant that the host may replace.
    fn spec_constant(&mut self, i: Inst, number: u32, default: Value) {
        let result = self.f.result(i);
        let ty = self.f.ty(result);
        let bits = self.f.as_const(default).unwrap_or(0);
        let id = match self.e.specs.get(&(number, ty, bits)) {
            Some(&id) => id,
            None => {
                let t = self.e.ty(ty);
                let wide = self.m.types.elem(ty).bits() == 64;
                let words = [bits as u32, (bits >> 32) as u32];
                let (op, operands) = match self.m.types.elem(ty) {
                    Scalar::Bool if bits != 0 => (Op::SpecConstantTrue, &words[..0]),
                    Scalar::Bool => (Op::SpecConstantFalse, &words[..0]),
                    _ if wide => (Op::SpecConstant, &words[..]),
                    _ => (Op::SpecConstant, &words[..1]),
                };
                let id = self.e.w.spec_constant(op, t, operands);
                self.e.w.decorate(id, spirv::Decoration::SpecId, &[number]);
                if let Some(name) = self.m.spec_names.get(&number) {
                    self.e.w.name(id, name);
                }
                self.e.specs.insert((number, ty, bits), id);
                id
            }
        };
        self.set(result, id);
    }

    /// Where a debugger stops.
    fn debug_break(&mut self) {
        let why = self.reason("`DebugBreak`");
        self.e.w.extension("SPV_KHR_non_semantic_info", || why);
        let (set, ty) = (self.e.w.instruction_set("NonSemantic.DebugBreak"), self.e.w.void_ty());
        self.op(Op::ExtInst, ty, &operands![set, Literal(1)]);
    }

    /// The clock of a scope.
    fn read_clock(&mut self, i: Inst, scope: u32) {
        let why = self.reason("`vk::ReadClock`");
        self.e.w.capability(spirv::Capability::ShaderClockKHR, || why.clone());
        self.e.w.extension("SPV_KHR_shader_clock", || why.clone());
        let device = scope == spirv::Scope::Device as u32;
        self.e.w.feature(if device { "shaderDeviceClock" } else { "shaderSubgroupClock" }, || why);
        let result = self.f.result(i);
        let (ty, scope) = (self.e.ty(self.f.ty(result)), self.e.w.u32(scope));
        let id = self.op(Op::ReadClockKHR, ty, &[scope]);
        self.set(result, id);
    }

    /// An element of a descriptor heap.
    fn heap_resource(&mut self, i: Inst, imm: u32, index: Value) {
        let result = self.f.result(i);
        let Some(ty) = self.m.types.as_resource(self.f.ty(result)) else { rtc_base::bug!("`heap_resource` gives a handle") };
        let index = Some(self.val(index));
        let nonuniform = imm & HEAP_NONUNIFORM != 0;
        let sampler = ty.class == ResourceClass::Sampler;
        let (set, binding) = self.e.bindings.heap(sampler);
        let home = Home::Heap { set, binding };
        self.handles.insert(result, Handle { global: None, ty, index, nonuniform, home });
    }

    /// The variable of what a handle is an element of, for elements of type `elem`.
    fn heap_var(&mut self, h: &Handle, class: StorageClass, elem: TypeId) -> Id {
        let slot = self.e.bindings.heap(h.ty.class == ResourceClass::Sampler);
        // What one handle reads and writes coherently another one need not: the heap has a variable for each.
        let coherent = h.ty.class == ResourceClass::Uav && h.ty.flags.intersects(ResourceFlags::COHERENT | ResourceFlags::REORDER_COHERENT);
        let known = self.e.heaps.contains_key(&(class, elem, coherent));
        let var = self.e.heap_array(heap_name(h.ty.class), class, elem, coherent, slot);
        if coherent && !known {
            self.e.w.decorate(var, spirv::Decoration::Coherent, &[]);
        }
        match h.ty.class {
            ResourceClass::Srv if !known && class != StorageClass::UniformConstant => {
                self.e.w.decorate(var, spirv::Decoration::NonWritable, &[]);
            }
            // Each may be any buffer of the heap, so that two may be one.
            ResourceClass::Uav if !known && class == self.e.buffer_class() => {
                let written = &mut self.e.written_heaps;
                written.push(var);
                let newly_aliased = match written.len() {
                    1 => &[],
                    2 => &written[..],
                    n => &written[n - 1..],
                };
                newly_aliased.iter().for_each(|&v| self.e.w.decorate(v, spirv::Decoration::Aliased, &[]));
            }
            _ => {}
        }
        self.interface.insert(var);
        var
    }

    /// What a handle is called.
    pub(crate) fn resource_name(&self, h: &Handle) -> &str {
        match h.global {
            Some(g) => &self.m.globals[g].name,
            None => heap_name(h.ty.class),
        }
    }

    /// What handle `v` stands for; `None` after an error.
    pub(crate) fn handle(&mut self, v: Value) -> Option<Handle> {
        let h = self.handles.get(&v).copied();
        if h.is_none() {
            self.error_of(&E0641, "it is not known which resource this is");
        }
        h
    }

    /// The pointer to the descriptor of a bound resource: the variable or an element of it.
    pub(crate) fn descriptor(&mut self, h: &Handle, class: StorageClass, elem_ty: TypeId) -> Id {
        let var = match (h.home, h.global) {
            (Home::Heap { .. }, _) | (_, None) => self.heap_var(h, class, elem_ty),
            (_, Some(g)) => self.resource_var(g, class, elem_ty),
        };
        let Some(index) = h.index else { return var };
        self.array_capability(h);
        let ptr = self.e.w.pointer_ty(class, elem_ty);
        let p = self.op(Op::AccessChain, ptr, &[var, index]);
        if h.nonuniform {
            self.nonuniform(p);
            self.nonuniform(index);
        }
        p
    }

    /// The variable of a resource with elements of type `elem_ty`: the declared one, or another with the same binding.
    fn resource_var(&mut self, g: Global, class: StorageClass, elem_ty: TypeId) -> Id {
        let declared = self.global_var(g);
        if self.e.declared.get(&g).is_none_or(|&ty| ty == elem_ty) {
            return declared;
        }
        let var = match self.e.aliases.get(&(g, elem_ty)) {
            Some(&v) => v,
            None => {
                let decl = self.m.globals[g].resource().expect("handles are of resources");
                let v = self.e.bind_resource(g, decl, class, elem_ty);
                self.e.w.decorate(v, spirv::Decoration::Aliased, &[]);
                if !self.e.aliases.keys().any(|k| k.0 == g) {
                    self.e.w.decorate(declared, spirv::Decoration::Aliased, &[]);
                }
                self.e.aliases.insert((g, elem_ty), v);
                v
            }
        };
        self.interface.insert(var);
        var
    }

    pub(crate) fn nonuniform(&mut self, id: Id) {
        self.e.w.nonuniform(id);
    }
}

/// Whether the module has atomics on texels: their images need a format.
fn has_texel_atomics(m: &Module) -> bool {
    let mut found = false;
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| found |= f.op(i) == Opcode::tex_atomic);
    }
    found
}

/// The HLSL name of the heap that resources of a class are in.
pub fn heap_name(class: ResourceClass) -> &'static str {
    match class {
        ResourceClass::Sampler => "SamplerDescriptorHeap",
        _ => "ResourceDescriptorHeap",
    }
}
