//! A function: its values, instructions and regions in arenas, with the operations that read and change them.

use rtc_base::{EntitySet, PrimaryMap, SecondaryMap, Span, Unique};
use rtc_tables::insts::Opcode;
use rtc_tables::stages::Stage;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::inst::{CaseTable, Hint, PlaceData, PlaceList, Root, Step};
use crate::{
    Cases, Element, ElementData, Inst, InstData, Local, Place, Region, Scalar, Slot, StageState, Type, TypeTable, Value, ValueList,
};

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ValueDef {
    /// A constant: the bits of a scalar (`bool`: 0 or 1; integers zero-extended).
    Const(u64),
    /// Any value will do.
    Undef,
    /// Result number n of an instruction.
    Result(Inst, u32),
    /// Parameter number n of a region.
    Param(Region, u32),
}

/// A value's type and origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// Its type: never an array or structure.
    pub ty: Type,
    /// Where it comes from.
    pub def: ValueDef,
}

/// A list of instructions, the last a terminator.
#[derive(Clone, Debug, Default)]
pub struct RegionData {
    /// Parameters: loop state, or the function's value parameters for its body.
    pub params: Vec<Value>,
    /// Instructions in order.
    pub insts: Vec<Inst>,
    /// The control instruction that owns it; `None` for a function's body.
    pub owner: Option<Inst>,
}

/// How a reference parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RefMode {
    /// The callee only reads it.
    In,
    /// The callee writes it; undefined before.
    Out,
    /// Both.
    InOut,
}

/// A variable of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalData {
    /// Its type.
    pub ty: Type,
    /// Its HLSL name, empty for temporaries.
    pub name: String,
    /// Set for a reference parameter: it refers to a place of the caller.
    pub param: Option<RefMode>,
    /// The matrices of a reference parameter, where other libraries must know how they are laid out in memory.
    pub matrices: Option<crate::Numbers>,
    /// What is stored there is `precise`, as of a [`crate::Field`].
    pub precise: bool,
}

impl LocalData {
    /// A variable that is no parameter.
    pub fn new(ty: Type, name: impl Into<String>) -> LocalData {
        LocalData { ty, name: name.into(), param: None, matrices: None, precise: false }
    }
}

/// What a slot is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SlotRole {
    /// The payload this shader was traced with (any-hit, closest-hit, miss).
    PayloadIn,
    /// A payload this function traces with.
    PayloadOut,
    /// The parameter this callable shader was called with.
    CallableIn,
    /// A parameter this function calls a shader with.
    CallableOut,
    /// The attributes of the hit (any-hit, closest-hit).
    AttrIn,
    /// Attributes given to `report_hit`.
    AttrOut,
    /// Attributes given to or taken from a hit object.
    AttrHit,
    /// What the amplification shader passed to this mesh shader.
    MeshIn,
    /// A ray query.
    RayQuery,
    /// A hit object in a variable: only in modules that the SPIR-V back end legalised.
    HitObject,
}

impl SlotRole {
    /// All roles with their names in text.
    pub const ALL: [(SlotRole, &'static str); 10] = [
        (SlotRole::PayloadIn, "payload in"),
        (SlotRole::PayloadOut, "payload out"),
        (SlotRole::CallableIn, "callable in"),
        (SlotRole::CallableOut, "callable out"),
        (SlotRole::AttrIn, "attr in"),
        (SlotRole::AttrOut, "attr out"),
        (SlotRole::AttrHit, "attr hit"),
        (SlotRole::MeshIn, "mesh in"),
        (SlotRole::RayQuery, "ray query"),
        (SlotRole::HitObject, "hit object"),
    ];
}

/// A payload, callable parameter or attribute structure, or a ray query.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotData {
    /// What it is for.
    pub role: SlotRole,
    /// Its type: a structure; of a ray query [`crate::TypeKind::RayQuery`].
    pub ty: Type,
    /// Its HLSL name.
    pub name: String,
}

/// The name of the `out` reference parameter that is a function's result where that is no value. No identifier is called so.
pub const RESULT: &str = "return";

/// A parameter of a function that is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Param {
    /// By value: a parameter of the body region.
    Value(Value),
    /// By reference: a local that refers to a place of the caller.
    Ref(Local),
}

/// What attributes say of a function to optimisers and linkers; it changes nothing about the meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionAttributes {
    /// `[noinline]`.
    pub no_inline: bool,
    /// Each `[experimental("name", "value")]`, in the order of the source.
    pub experimental: Vec<(String, String)>,
}

/// A function or entry point.
#[derive(Clone)]
pub struct Function {
    /// The name without mangling, with namespaces.
    pub name: String,
    /// The mangled name; the symbol in DXIL.
    pub symbol: String,
    /// The stage; [`Stage::Library`] for what is no entry point.
    pub stage: Stage,
    /// A library function that others may link against.
    pub exported: bool,
    /// Declared only: another library defines it. Its body has the value parameters and no instructions.
    pub declared: bool,
    /// Declared, and an instruction of inline SPIR-V.
    pub inline: Option<Box<crate::inline::InlineInst>>,
    /// `[numthreads]` of a compute shader.
    pub numthreads: Option<[u32; 3]>,
    /// `[WaveSize]`: fewest, most and preferred lanes; most is 0 where it is exactly so many, preferred where none is.
    pub wave_size: Option<[u32; 3]>,
    /// `[GroupSharedLimit]`: the bytes of group-shared memory that a compute shader may use, if not the common number.
    pub groupshared_limit: Option<u32>,
    /// The type of the returned value.
    pub ret: Option<Type>,
    /// The parameters in order (entry points of ray-tracing stages have slots instead).
    pub params: Vec<Param>,
    /// Where it was defined.
    pub span: Span,
    /// The body.
    pub body: Region,
    /// Values.
    pub values: PrimaryMap<Value, ValueData>,
    /// Instructions.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Regions.
    pub regions: PrimaryMap<Region, RegionData>,
    /// Variables.
    pub locals: PrimaryMap<Local, LocalData>,
    /// Payloads, callable parameters, attributes.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// Inputs and outputs of a shader of the graphics pipeline, in the order of the source: the result first.
    pub elements: PrimaryMap<Element, ElementData>,
    /// What attributes say of the primitives of a graphics shader.
    pub state: StageState,
    /// `[earlydepthstencil]` of a pixel shader.
    pub early_depth_stencil: bool,
    /// `[WaveOpsIncludeHelperLanes]` of a pixel shader.
    pub helper_lanes: bool,
    /// What attributes say to optimisers and linkers.
    pub attributes: FunctionAttributes,
    /// Case tables.
    pub cases: PrimaryMap<Cases, CaseTable>,
    /// Places.
    pub places: PrimaryMap<Place, PlaceData>,
    /// The source of each instruction.
    pub spans: PrimaryMap<Inst, Span>,
    /// Float instructions that must be computed exactly as written (`precise`).
    pub precise: EntitySet<Inst>,
    /// What the source asks of control instructions.
    pub hints: SecondaryMap<Inst, Hint>,
    /// Which instruction of an earlier form of the module each one comes from: a number that an observer of passes gave
    /// (0: none). A copy has its original's; the text form does not show it.
    pub origins: SecondaryMap<Inst, u32>,
    /// Instructions with origins whose results the running pass replaced by those of an equal one, with that one. The observer takes
    /// them at the end of the pass, while all are still in their regions.
    pub merged: Vec<(Inst, Inst)>,
    /// What the observer objects to among them: the origins of an instruction and of the one in its place.
    pub misplaced: Vec<(u32, u32)>,
    /// The optimiser has nothing left to do here: set where its iteration ends, cleared where a pass changes the function.
    pub settled: bool,
    /// Names of variables, if they are kept.
    pub debug: Option<Box<crate::debug::Debug>>,
    pub(crate) results: PrimaryMap<Inst, ValueList>,
    pub(crate) pool: Vec<Value>,
    pub(crate) place_pool: Vec<Place>,
    pub(crate) place_ids: Unique<Place>,
    pub(crate) consts: FxHashMap<(Type, Option<u64>), Value>,
}

impl Function {
    /// A function with an empty body.
    pub fn new(name: impl Into<String>, stage: Stage) -> Self {
        let name = name.into();
        let mut regions = PrimaryMap::new();
        let body = regions.push(RegionData::default());
        Function {
            symbol: name.clone(),
            name,
            stage,
            exported: false,
            declared: false,
            inline: None,
            numthreads: None,
            wave_size: None,
            groupshared_limit: None,
            ret: None,
            params: Vec::new(),
            span: Span::NONE,
            body,
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            regions,
            locals: PrimaryMap::new(),
            slots: PrimaryMap::new(),
            elements: PrimaryMap::new(),
            state: StageState::None,
            early_depth_stencil: false,
            helper_lanes: false,
            attributes: FunctionAttributes::default(),
            cases: PrimaryMap::new(),
            places: PrimaryMap::new(),
            spans: PrimaryMap::new(),
            precise: EntitySet::new(),
            hints: SecondaryMap::new(),
            origins: SecondaryMap::new(),
            merged: Vec::new(),
            misplaced: Vec::new(),
            settled: false,
            debug: None,
            results: PrimaryMap::new(),
            pool: Vec::new(),
            place_pool: Vec::new(),
            place_ids: Unique::default(),
            consts: FxHashMap::default(),
        }
    }

    /// The fewest and the most lanes that a wave may have, if the function says so.
    pub fn wave_lanes(&self) -> Option<(u32, u32)> {
        let [least, most, _] = self.wave_size?;
        Some((least, most.max(least)))
    }

    /// Whether it belongs to an entry point, which no function of the module calls: it is one, or the patch constant function of one.
    pub fn is_entry(&self) -> bool {
        self.stage != Stage::Library
    }
    /// Whether a host names it to start it.
    pub fn is_started(&self) -> bool {
        self.is_entry() && self.state != StageState::PatchConstants
    }

    // Values ------------------------------------------------------------------------------------

    /// The type of `v`.
    pub fn ty(&self, v: Value) -> Type {
        self.values[v].ty
    }
    /// The bits of `v` if it is a constant.
    pub fn as_const(&self, v: Value) -> Option<u64> {
        match self.values[v].def {
            ValueDef::Const(bits) => Some(bits),
            _ => None,
        }
    }
    /// Whether `v` is undefined.
    pub fn is_undef(&self, v: Value) -> bool {
        self.values[v].def == ValueDef::Undef
    }
    /// The instruction that computes `v`.
    pub fn def_inst(&self, v: Value) -> Option<Inst> {
        match self.values[v].def {
            ValueDef::Result(i, _) => Some(i),
            _ => None,
        }
    }
    /// The constant of scalar type `ty` with these bits. One value per constant and function.
    pub fn const_bits(&mut self, ty: Type, bits: u64) -> Value {
        *self.consts.entry((ty, Some(bits))).or_insert_with(|| self.values.push(ValueData { ty, def: ValueDef::Const(bits) }))
    }
    /// The undefined value of type `ty` (scalar, vector, handle).
    pub fn undef(&mut self, ty: Type) -> Value {
        *self.consts.entry((ty, None)).or_insert_with(|| self.values.push(ValueData { ty, def: ValueDef::Undef }))
    }
    /// Makes `v` (a constant or undefined value made by hand) the one that [`Self::const_bits`] and
    /// [`Self::undef`] give. The earlier one if there is one.
    pub fn register_const(&mut self, v: Value) -> Option<Value> {
        let bits = match self.values[v].def {
            ValueDef::Const(bits) => Some(bits),
            _ => None,
        };
        let first = *self.consts.entry((self.values[v].ty, bits)).or_insert(v);
        (first != v).then_some(first)
    }
    /// An `i32` constant.
    pub fn const_i32(&mut self, n: i32) -> Value {
        self.const_bits(Type::I32, n as u32 as u64)
    }
    /// An `i32` constant.
    pub fn const_u32(&mut self, n: u32) -> Value {
        self.const_bits(Type::I32, n as u64)
    }
    /// An `f32` constant.
    pub fn const_f32(&mut self, x: f32) -> Value {
        self.const_bits(Type::F32, x.to_bits() as u64)
    }
    /// A `bool` constant.
    pub fn const_bool(&mut self, b: bool) -> Value {
        self.const_bits(Type::BOOL, b as u64)
    }
    /// Zero (or false) of a scalar type.
    pub fn const_zero(&mut self, ty: Type) -> Value {
        self.const_bits(ty, 0)
    }
    /// The constant number `x` of scalar `s`: converted to its bits.
    pub fn const_number(&mut self, types: &TypeTable, s: Scalar, x: f64) -> Value {
        let bits = match s {
            Scalar::Bool => (x != 0.0) as u64,
            Scalar::I16 => x as i64 as u16 as u64,
            Scalar::I32 => x as i64 as u32 as u64,
            Scalar::I64 => x as i64 as u64,
            Scalar::F16 => rtc_base::half::from_f64(x) as u64,
            Scalar::F32 => (x as f32).to_bits() as u64,
            Scalar::F64 => x.to_bits(),
        };
        self.const_bits(types.scalar(s), bits)
    }
    /// A new parameter of `region`.
    pub fn add_param(&mut self, region: Region, ty: Type) -> Value {
        let n = self.regions[region].params.len() as u32;
        let v = self.values.push(ValueData { ty, def: ValueDef::Param(region, n) });
        self.regions[region].params.push(v);
        v
    }
    /// Renumbers the parameters of `region` after some were removed from its list.
    pub fn renumber_params(&mut self, region: Region) {
        let params = std::mem::take(&mut self.regions[region].params);
        for (n, &v) in params.iter().enumerate() {
            self.values[v].def = ValueDef::Param(region, n as u32);
        }
        self.regions[region].params = params;
    }

    // Lists -------------------------------------------------------------------------------------

    /// Puts `values` into the pool.
    pub fn list(&mut self, values: &[Value]) -> ValueList {
        if values.is_empty() {
            return ValueList::EMPTY;
        }
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(values);
        ValueList { start, len: values.len() as u32 }
    }
    /// Puts `values` into the pool.
    pub fn list_of(&mut self, values: impl Iterator<Item = Value>) -> ValueList {
        let start = self.pool.len() as u32;
        self.pool.extend(values);
        match self.pool.len() as u32 - start {
            0 => ValueList::EMPTY,
            len => ValueList { start, len },
        }
    }
    /// The values of a list.
    pub fn get(&self, l: ValueList) -> &[Value] {
        &self.pool[l.start as usize..(l.start + l.len) as usize]
    }
    /// The values of a list, to be changed.
    pub fn get_mut(&mut self, l: ValueList) -> &mut [Value] {
        &mut self.pool[l.start as usize..(l.start + l.len) as usize]
    }
    /// Puts `places` into the pool.
    pub fn place_list(&mut self, places: &[Place]) -> PlaceList {
        let start = self.place_pool.len() as u32;
        self.place_pool.extend_from_slice(places);
        PlaceList { start, len: places.len() as u32 }
    }
    /// The places of a list.
    pub fn get_places(&self, l: PlaceList) -> &[Place] {
        &self.place_pool[l.start as usize..(l.start + l.len) as usize]
    }
    /// The place that starts at `root` and takes `steps`.
    pub fn place(&mut self, root: Root, steps: &[Step]) -> Place {
        self.place_ids.find_or_push(&mut self.places, PlaceData { root, steps: SmallVec::from_slice(steps) })
    }

    /// Changes every place by `change`, which may add locals. The number of steps that take an index must
    /// stay.
    pub fn map_places(&mut self, mut change: impl FnMut(&mut PrimaryMap<Local, LocalData>, &mut PlaceData)) {
        self.places.values_mut().for_each(|data| change(&mut self.locals, data));
        self.place_ids.find_all(&self.places);
    }

    // Variables ---------------------------------------------------------------------------------

    /// A new local variable.
    pub fn add_local(&mut self, ty: Type, name: impl Into<String>) -> Local {
        self.locals.push(LocalData::new(ty, name))
    }
    /// A new slot.
    pub fn add_slot(&mut self, role: SlotRole, ty: Type, name: impl Into<String>) -> Slot {
        self.slots.push(SlotData { role, ty, name: name.into() })
    }
    /// The slot of this role, if there is exactly one by construction (the `In` roles).
    pub fn slot_of(&self, role: SlotRole) -> Option<Slot> {
        self.slots.iter().find(|(_, s)| s.role == role).map(|(id, _)| id)
    }

    // Regions and instructions ------------------------------------------------------------------

    /// A new region without owner; the instruction that takes it becomes its owner.
    pub fn add_region(&mut self) -> Region {
        self.regions.push(RegionData::default())
    }
    /// Makes an instruction without putting it into a region.
    pub fn make(&mut self, data: InstData, results: &[Type], span: Span) -> Inst {
        let inst = self.insts.push(data);
        self.spans.push(span);
        let mut list = ValueList::EMPTY;
        if !results.is_empty() {
            let start = self.pool.len() as u32;
            for (n, &ty) in results.iter().enumerate() {
                let v = self.values.push(ValueData { ty, def: ValueDef::Result(inst, n as u32) });
                self.pool.push(v);
            }
            list = ValueList { start, len: results.len() as u32 };
        }
        self.results.push(list);
        if self.owns_regions(inst) {
            for r in self.regions_of(inst) {
                self.regions[r].owner = Some(inst);
            }
        }
        inst
    }
    /// Makes an instruction at the end of `region`.
    pub fn append(&mut self, region: Region, data: InstData, results: &[Type], span: Span) -> Inst {
        let inst = self.make(data, results, span);
        self.regions[region].insts.push(inst);
        inst
    }
    /// Gives `copy` the attributes of an instruction besides its data: hint, `precise` and origin of `from` in `of`. Its
    /// place in the source is given when it is made.
    pub fn inherit(&mut self, copy: Inst, of: &Function, from: Inst) {
        let (hint, origin) = (of.hints[from], of.origins[from]);
        self.inherit_these(copy, hint, origin, of.is_precise(from));
    }
    /// Does that within one function.
    pub fn inherit_own(&mut self, copy: Inst, from: Inst) {
        let (hint, origin) = (self.hints[from], self.origins[from]);
        self.inherit_these(copy, hint, origin, self.is_precise(from));
    }
    /// Says that the results of `kept` take the place of those of `dropped`, which computes the same.
    pub fn note_merged(&mut self, dropped: Inst, kept: Inst) {
        if self.origins[dropped] != 0 && self.origins[kept] != 0 {
            self.merged.push((dropped, kept));
        }
    }
    /// Whether any instruction may have a hint, an origin, or is precise.
    pub(crate) fn has_attributes(&self) -> bool {
        self.hints.keys().next().is_some() || self.origins.keys().next().is_some() || !self.precise.is_empty()
    }
    fn inherit_these(&mut self, copy: Inst, hint: Hint, origin: u32, precise: bool) {
        if hint != Hint::None {
            self.hints[copy] = hint;
        }
        if origin != 0 {
            self.origins[copy] = origin;
        }
        if precise {
            self.precise.insert(copy);
        }
    }
    /// The results of `inst`.
    pub fn results(&self, inst: Inst) -> &[Value] {
        self.get(self.results[inst])
    }
    /// The first result of `inst`. Must have one.
    pub fn result(&self, inst: Inst) -> Value {
        self.results(inst)[0]
    }
    /// Replaces the results of `inst` by `values` (which become its results).
    pub fn set_results(&mut self, inst: Inst, values: &[Value]) {
        for (n, &v) in values.iter().enumerate() {
            self.values[v].def = ValueDef::Result(inst, n as u32);
        }
        self.results[inst] = self.list(values);
    }
    /// Gives `inst` one more result.
    pub fn add_result(&mut self, inst: Inst, ty: Type) -> Value {
        let n = self.results(inst).len() as u32;
        let v = self.values.push(ValueData { ty, def: ValueDef::Result(inst, n) });
        let mut all: SmallVec<[Value; 8]> = SmallVec::from_slice(self.results(inst));
        all.push(v);
        self.results[inst] = self.list(&all);
        v
    }
    /// Whether `inst` is a control instruction.
    #[inline]
    pub fn owns_regions(&self, inst: Inst) -> bool {
        matches!(self.insts[inst], InstData::If { .. } | InstData::Loop { .. } | InstData::Block { .. } | InstData::Switch { .. })
    }
    /// The regions that `inst` owns, in order of text.
    pub fn regions_of(&self, inst: Inst) -> SmallVec<[Region; 4]> {
        match self.insts[inst] {
            InstData::If { then_, else_, .. } => SmallVec::from_slice(&[then_, else_]),
            InstData::Loop { body, continuing, .. } => SmallVec::from_slice(&[body, continuing]),
            InstData::Block { body } => SmallVec::from_slice(&[body]),
            InstData::Switch { cases, .. } => {
                let t = &self.cases[cases];
                t.arms.iter().map(|a| a.1).chain([t.default]).collect()
            }
            _ => SmallVec::new(),
        }
    }
    /// The last instruction of `region`.
    pub fn terminator(&self, region: Region) -> Option<Inst> {
        self.regions[region].insts.last().copied()
    }
    /// Calls `f` with each value that `inst` uses (not those used inside its regions).
    pub fn for_each_operand(&self, inst: Inst, mut f: impl FnMut(Value)) {
        match self.insts[inst] {
            InstData::Nullary { .. } | InstData::Block { .. } => {}
            InstData::Unary { arg, .. } => f(arg),
            InstData::Binary { args, .. } => args.into_iter().for_each(f),
            InstData::Ternary { args, .. } => args.into_iter().for_each(f),
            InstData::Many { args, .. }
            | InstData::Access { args, .. }
            | InstData::Copy { args, .. }
            | InstData::Slot { args, .. }
            | InstData::Call { args, .. }
            | InstData::Exit { args, .. }
            | InstData::Loop { init: args, .. } => self.get(args).iter().copied().for_each(f),
            InstData::Resource { index, .. } => index.expand().into_iter().for_each(f),
            InstData::If { cond, .. } => f(cond),
            InstData::Switch { on, .. } => f(on),
        }
    }
    /// The values that `inst` uses.
    pub fn operands(&self, inst: Inst) -> SmallVec<[Value; 8]> {
        let mut out = SmallVec::new();
        self.for_each_operand(inst, |v| out.push(v));
        out
    }
    /// Replaces each value that `inst` uses by what `f` gives for it.
    pub fn map_operands(&mut self, inst: Inst, mut f: impl FnMut(Value) -> Value) {
        let mut data = self.insts[inst];
        match &mut data {
            InstData::Nullary { .. } | InstData::Block { .. } => {}
            InstData::Unary { arg, .. } => *arg = f(*arg),
            InstData::Binary { args, .. } => args.iter_mut().for_each(|v| *v = f(*v)),
            InstData::Ternary { args, .. } => args.iter_mut().for_each(|v| *v = f(*v)),
            InstData::Many { args, .. }
            | InstData::Access { args, .. }
            | InstData::Copy { args, .. }
            | InstData::Slot { args, .. }
            | InstData::Call { args, .. }
            | InstData::Exit { args, .. }
            | InstData::Loop { init: args, .. } => {
                self.get_mut(*args).iter_mut().for_each(|v| *v = f(*v));
            }
            InstData::Resource { index, .. } => *index = index.expand().map(f).into(),
            InstData::If { cond, .. } => *cond = f(*cond),
            InstData::Switch { on, .. } => *on = f(*on),
        }
        self.insts[inst] = data;
    }
    /// Gives `inst` a list of operands of its own, for [`Self::map_operands`]: copies of an instruction share theirs.
    pub fn own_operands(&mut self, inst: Inst) {
        let mut data = self.insts[inst];
        match &mut data {
            InstData::Many { args, .. }
            | InstData::Access { args, .. }
            | InstData::Copy { args, .. }
            | InstData::Slot { args, .. }
            | InstData::Call { args, .. }
            | InstData::Exit { args, .. }
            | InstData::Loop { init: args, .. } => {
                let values = self.get(*args).to_vec();
                *args = self.list(&values);
            }
            _ => return,
        }
        self.insts[inst] = data;
    }
    /// Whether `inst` is marked `precise`.
    pub fn is_precise(&self, inst: Inst) -> bool {
        self.precise.contains(inst)
    }
    /// The number of leading operands of an `Access` or `Copy` that index places.
    pub fn index_count(&self, inst: Inst) -> usize {
        match self.insts[inst] {
            InstData::Access { place, .. } => self.places[place].dyn_count(),
            InstData::Copy { to, from, .. } => self.places[to].dyn_count() + self.places[from].dyn_count(),
            _ => 0,
        }
    }
    /// The root of the variable that a load, store or atomic touches.
    pub fn access_root(&self, inst: Inst) -> Option<Root> {
        match self.insts[inst] {
            InstData::Access { place, .. } => Some(self.places[place].root),
            InstData::Slot { slot, .. } => Some(Root::Slot(slot)),
            _ => None,
        }
    }
    /// The opcode of `inst`.
    pub fn op(&self, inst: Inst) -> Opcode {
        self.insts[inst].op()
    }
}
