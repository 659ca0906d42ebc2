//! Inline SPIR-V: instructions, types, variables and decorations as the source writes them, checked against the grammar ([`check`]).

pub mod check;
mod pointers;

use rtc_ir::inline::{Decoration, DecorationOperands, InlineAction, InlineInst, InlineOperand, InlineTypeOperand, InlineVariable};
use rtc_ir::{Func, GlobalKind, Inst, Module, Place, PlaceList, RESULT, Root, SpirvType, Type, TypeKind, Value, ValueList};
use rtc_tables::diagnostics::{E0923, W0923};
use rtc_tables::inline_spirv;
use rtc_tables::resources::ResourceKind;
use spirv::{Op, StorageClass};

use crate::bindings::Home;
use crate::emit::{Emitter, FuncEmitter};
use crate::error::Error;
use crate::words::{AsOperand, Id, Literal, NONE, Operand as WordOperand, TypeId, operands, put, put_number, string};
use check::{Fault, Number, Operand};

impl Emitter<'_> {
    /// What the source requires of the module.
    pub fn inline_requirements(&mut self) {
        let m = self.m;
        for (&c, &at) in &m.requirements.capabilities {
            if spirv::Capability::from_u32(c).is_none() {
                self.inline_unknown(at, format!("the capability {c} is unknown to this compiler"));
            }
            self.w.capability_number(c, || "`[[vk::ext_capability]]`".into());
        }
        for e in &m.requirements.extensions {
            self.w.named_extension(e, || "`[[vk::ext_extension]]`".into());
        }
    }

    fn inline_unknown(&mut self, span: rtc_base::Span, message: String) {
        self.warnings.push(Error::coded(&W0923, span, message));
    }

    fn inline_error(&mut self, span: rtc_base::Span, message: String) {
        self.errors.push(Error::coded(&E0923, span, message));
    }

    fn inline_fault(&mut self, span: rtc_base::Span, fault: Fault) -> bool {
        match fault {
            Fault::Error(text) => {
                self.inline_error(span, text);
                true
            }
            Fault::Unknown(text) => {
                self.inline_unknown(span, text);
                false
            }
        }
    }

    /// The type that an instruction makes.
    pub(crate) fn inline_ty(&mut self, t: SpirvType) -> TypeId {
        let data = self.m.inline_types[t].clone();
        let mut operands = Vec::new();
        for o in &data.operands {
            operands.push(match *o {
                InlineTypeOperand::Type(t) => Operand::Id(self.operand_ty(t).operand()),
                InlineTypeOperand::Literal(w) => Operand::Word(w),
                InlineTypeOperand::Constant(t, bits) => Operand::Number(self.constant(t, bits), number(self.m, t, Some(bits))),
            });
        }
        if let Err(fault) = check::of_type(data.opcode, &operands)
            && self.inline_fault(data.span, fault)
        {
            return self.w.u32_ty();
        }
        self.w.ty_number(data.opcode, &operands)
    }

    /// A type as an operand of another one; that of a resource is that of its descriptor.
    fn operand_ty(&mut self, t: Type) -> TypeId {
        match self.m.types.kind(t) {
            TypeKind::Resource(r) => match r.kind {
                ResourceKind::AccelerationStructure => self.w.ty(Op::TypeAccelerationStructureKHR, NONE),
                ResourceKind::Sampler => self.w.ty(Op::TypeSampler, NONE),
                _ if r.kind.is_typed() => self.texture_ty(&r, None),
                _ => {
                    let kind = self.block_kind(&r);
                    self.block_ty(kind)
                }
            },
            _ => self.ty(t),
        }
    }

    /// A variable of a storage class.
    pub(crate) fn inline_variable(&mut self, g: rtc_ir::Global, v: &InlineVariable) -> Id {
        let ty = self.ty(v.ty);
        let span = self.m.globals[g].span;
        let Some(class) = inline_class(v.class) else {
            let message = format!("{} is no storage class that a variable can have here", v.class);
            self.inline_error(span, message);
            return self.w.variable(StorageClass::Private, ty, None);
        };
        let ty = self.variable_ty(v.ty, class, false);
        self.w.variable(class, ty, None)
    }

    /// Decorates a variable as the source says.
    pub(crate) fn inline_decorations(&mut self, id: impl Into<Id>, all: &[Decoration]) {
        let id = id.into();
        for d in all {
            self.inline_decoration(id, None, d);
        }
    }

    /// Decorates a member of a structure as the source says.
    pub(crate) fn inline_member(&mut self, id: TypeId, member: u32, all: &[Decoration]) {
        for d in all {
            self.inline_decoration(id.into(), Some(member), d);
        }
    }

    /// Decorates the members of a structure as the source says.
    pub(crate) fn inline_members(&mut self, id: TypeId, s: rtc_ir::Struct) {
        let m = self.m;
        let fields = m.structs[s].fields.len() as u32;
        for ((_, n), all) in m.member_decorations.range((s, 0)..=(s, u32::MAX)).filter(|((_, n), _)| *n < fields) {
            self.inline_member(id, *n, all);
        }
    }

    /// Decorates `id`, or a member of it.
    fn inline_decoration(&mut self, id: Id, member: Option<u32>, d: &Decoration) {
        let span = d.span;
        let Some(known) = spirv::Decoration::from_u32(d.number) else {
            return self.inline_error(span, format!("SPIR-V has no decoration {}", d.number));
        };
        self.inline_capability(&rspirv::dr::Operand::Decoration(known));
        let mut words = vec![id.operand()];
        words.extend(member.map(WordOperand::Literal));
        words.push(known.operand());
        let op = match (&d.operands, member) {
            (DecorationOperands::Words(ws), None) => {
                if known == spirv::Decoration::BuiltIn {
                    self.built_in(ws, span);
                }
                words.extend(ws.iter().map(|&w| WordOperand::Literal(w)));
                Op::Decorate
            }
            (DecorationOperands::Words(ws), Some(_)) => {
                words.extend(ws.iter().map(|&w| WordOperand::Literal(w)));
                Op::MemberDecorate
            }
            (DecorationOperands::Ids(ids), None) => {
                words.extend(ids.iter().map(|&n| self.w.u32(n).operand()));
                Op::DecorateId
            }
            (DecorationOperands::Ids(_), Some(_)) => {
                return self.inline_error(span, "a member cannot be decorated with `vk::ext_decorate_id`".into());
            }
            (DecorationOperands::Texts(ts), None) => {
                words.extend(ts.iter().flat_map(|t| string(t)));
                Op::DecorateString
            }
            (DecorationOperands::Texts(ts), Some(_)) => {
                words.extend(ts.iter().flat_map(|t| string(t)));
                Op::MemberDecorateString
            }
        };
        self.w.decorate_as(op, &words);
    }

    /// What a built-in variable requires, if that is one capability.
    fn built_in(&mut self, words: &[u32], span: rtc_base::Span) {
        let known = words.first().and_then(|&n| spirv::BuiltIn::from_u32(n));
        let Some(b) = known else {
            return self.inline_error(span, "SPIR-V has no such built-in variable".into());
        };
        self.inline_capability(&rspirv::dr::Operand::BuiltIn(b));
    }

    /// What an enumerant requires, if that is one capability.
    fn inline_capability(&mut self, o: &rspirv::dr::Operand) {
        /// Capabilities from this number on are of extensions that no version of SPIR-V includes, or few do.
        const FIRST_OF_EXTENSIONS: u32 = 5000;
        if let [one] = o.required_capabilities()[..] {
            self.w.capability(one, || format!("{o} of inline SPIR-V"));
            let extensions = rspirv::dr::Operand::Capability(one).required_extensions();
            if let (&[extension], true) = (&extensions[..], one as u32 >= FIRST_OF_EXTENSIONS) {
                self.w.extension(extension, || format!("{o} of inline SPIR-V"));
            }
        }
    }
}

/// The storage class with this number, if variables of the module can have it.
fn inline_class(n: u32) -> Option<StorageClass> {
    StorageClass::from_u32(n).filter(|c| !matches!(c, StorageClass::Function | StorageClass::Generic))
}

/// A number of type `t`, which is a constant with these bits if there are some.
fn number(m: &Module, t: Type, bits: Option<u64>) -> Number {
    match (m.types.kind(t), bits) {
        (TypeKind::Scalar(rtc_ir::Scalar::I32), Some(bits)) => Number::Constant(bits as u32),
        (TypeKind::Scalar(rtc_ir::Scalar::I32), None) => Number::Integer,
        _ => Number::Other,
    }
}

/// What a call has for the operands of an instruction, in their order.
struct Given<'f> {
    places: &'f [Place],
    values: &'f [Value],
    /// The index values of the places.
    indices: &'f [Value],
}

impl Given<'_> {
    fn value(&mut self) -> Option<Value> {
        self.values.split_off_first().copied()
    }
    fn place(&mut self) -> Option<Place> {
        self.places.split_off_first().copied()
    }
}

impl FuncEmitter<'_, '_> {
    /// A value that is a number.
    fn number(&self, v: Value) -> Option<Number> {
        let ty = self.f.ty(v);
        self.m.types.numeric(ty)?;
        let bits = match self.f.values[v].def {
            rtc_ir::ValueDef::Const(bits) => Some(bits),
            _ => None,
        };
        Some(number(self.m, ty, bits))
    }

    fn inline_error(&mut self, message: impl Into<String>) {
        let span = self.span;
        self.e.inline_error(span, message.into());
    }

    /// A call of a declared function that is an instruction.
    pub(crate) fn inline_call(&mut self, i: Inst, func: Func, args: ValueList, refs: PlaceList) {
        let m: &Module = self.m;
        let f = self.f;
        let callee = &m.funcs[func];
        let Some(inst) = callee.inline.as_deref() else { rtc_base::bug!("a call reached the SPIR-V back end: not inlined") };
        let dynamic: usize = f.get_places(refs).iter().map(|&p| f.places[p].dyn_count()).sum();
        let all = f.get(args);
        let (values, indices) = all.split_at(all.len() - dynamic);
        let mut given = Given { places: f.get_places(refs), values, indices };
        let operands = self.inline_operands(inst, &mut given);
        if !self.has_payload_variable(inst, f.get_places(refs)) {
            self.inline_error("the last operand must be a whole variable of the storage class of a payload or callable parameter");
            return self.undefined(i);
        }
        // The place of a result that is no value.
        let result = given.place().map(|p| self.inline_place(p, &mut given.indices));
        debug_assert!(result.is_none() || callee.locals.values().any(|l| l.name == RESULT));
        let ret = callee.ret.map(|t| (t, self.e.ty(t)));
        let ty = match (ret, result) {
            (Some((_, ty)), _) => Some(ty),
            (None, Some((_, t))) => Some(self.result_ty(inst, t)),
            (None, None) => None,
        };
        if let (InlineAction::Core(opcode), Some(t)) = (&inst.action, callee.ret)
            && *opcode == Op::Constant as u32
            && self.constant_words(t) != Some(operands.len())
        {
            self.inline_error("the literal of `OpConstant` does not have the size of its type");
            return self.undefined(i);
        }
        let Some(id) = self.inline_emit(inst, ty, &operands) else { return };
        match (ret, result) {
            (Some(_), _) => {
                let v = f.result(i);
                self.set(v, id);
            }
            (None, Some((pointer, ty))) if inst.matrix_result => self.store_matrix(pointer, ty, id),
            (None, Some((pointer, _))) => self.stmt(Op::Store, &[pointer, id]),
            (None, None) => {}
        }
    }

    /// The operands that a call gives to an instruction.
    fn inline_operands(&mut self, inst: &InlineInst, given: &mut Given<'_>) -> Vec<Operand> {
        let mut operands = Vec::new();
        let is_type = matches!(inst.action, InlineAction::Core(n) if inline_spirv::OPERAND_IS_TYPE.iter().any(|r| r.0 == n));
        for o in &inst.operands {
            let id = match *o {
                InlineOperand::Value if is_type => given.value().map(|v| self.ty_of(v).operand()),
                InlineOperand::Loaded | InlineOperand::Place if is_type => given.place().map(|p| {
                    let (_, ty) = self.inline_place(p, &mut given.indices);
                    self.e.ty(ty).operand()
                }),
                InlineOperand::Literal(w) => {
                    operands.push(Operand::Word(w));
                    continue;
                }
                InlineOperand::Value => match given.value() {
                    Some(v) if let Some(number) = self.number(v) => {
                        operands.push(Operand::Number(self.inline_value(v), number));
                        continue;
                    }
                    v => v.map(|v| self.inline_value(v).operand()),
                },
                InlineOperand::Descriptor => given.value().map(|v| self.inline_descriptor(v).operand()),
                InlineOperand::Element(t) => {
                    let three = [given.value(), given.value(), given.value()];
                    match three {
                        [Some(handle), Some(index), Some(byte)] => Some(self.element_pointer(t, handle, index, byte).operand()),
                        _ => None,
                    }
                }
                InlineOperand::Address(t) => given.value().map(|v| self.address_pointer(t, v).operand()),
                InlineOperand::Place => given.place().map(|p| match self.whole_variable(p).filter(|_| passes_variable(inst)) {
                    Some(var) => var.operand(),
                    None => self.inline_place(p, &mut given.indices).0.operand(),
                }),
                InlineOperand::Loaded => given.place().map(|p| {
                    let (pointer, ty) = self.inline_place(p, &mut given.indices);
                    let ty = self.e.ty(ty);
                    self.op(Op::Load, ty, &[pointer]).operand()
                }),
                InlineOperand::Matrix => given.place().map(|p| {
                    let (pointer, ty) = self.inline_place(p, &mut given.indices);
                    self.load_matrix(pointer, ty).operand()
                }),
            };
            let Some(id) = id else { rtc_base::bug!("operands of inline SPIR-V are verified") };
            operands.push(Operand::Id(id));
        }
        operands
    }

    /// Whether the last operand is the variable that the instruction requires, if it requires one.
    fn has_payload_variable(&self, inst: &InlineInst, places: &[rtc_ir::Place]) -> bool {
        let InlineAction::Core(opcode) = inst.action else { return true };
        let Some((_, classes, _)) = inline_spirv::LAST_IS_VARIABLE.iter().find(|r| r.0 == opcode) else { return true };
        let (Some(InlineOperand::Place), Some(&last)) = (inst.operands.last(), places.last()) else { return false };
        let place = &self.f.places[last];
        let class = match place.root {
            Root::Global(g) => match &self.m.globals[g].kind {
                GlobalKind::Inline(v) => v.class,
                _ => return false,
            },
            Root::Slot(s) => self.slot_class(self.f.slots[s].role) as u32,
            Root::Local(_) => return false,
        };
        place.steps.is_empty() && classes.contains(&class)
    }

    /// How many words a constant of type `t` has; none if there are no such constants.
    fn constant_words(&self, t: Type) -> Option<usize> {
        let bits = match self.m.types.kind(t) {
            TypeKind::Scalar(rtc_ir::Scalar::Bool) => return None,
            TypeKind::Scalar(s) => s.bits(),
            TypeKind::Spirv(s) => {
                let data = &self.m.inline_types[s];
                match data.operands.first() {
                    Some(&InlineTypeOperand::Literal(bits)) if [Op::TypeInt as u32, Op::TypeFloat as u32].contains(&data.opcode) => bits,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(bits.div_ceil(32) as usize)
    }

    fn result_ty(&mut self, inst: &InlineInst, ty: Type) -> TypeId {
        match self.matrix_types(ty) {
            Some((matrix, ..)) if inst.matrix_result => matrix,
            _ => self.e.ty(ty),
        }
    }

    /// Emits the instruction; gives the id of its result, if it has one.
    fn inline_emit(&mut self, inst: &InlineInst, ty: Option<TypeId>, operands: &[Operand]) -> Option<Id> {
        match &inst.action {
            InlineAction::Core(opcode) => self.inline_core(*opcode, ty, operands),
            InlineAction::Extended(set, number) => self.inline_extended(set, *number, ty, operands),
            InlineAction::Print(format) => self.inline_print(format, operands),
            InlineAction::ExecutionMode(mode, ids) => {
                self.inline_mode(*mode, *ids, operands);
                None
            }
        }
    }

    /// An instruction of SPIR-V.
    fn inline_core(&mut self, opcode: u32, ty: Option<TypeId>, operands: &[Operand]) -> Option<Id> {
        if let Err(fault) = check::core(opcode, ty.is_some(), operands)
            && self.e.inline_fault(self.span, fault)
        {
            return self.inline_undefined(ty);
        }
        if operands.len() > 0xfff0 {
            self.inline_error("this instruction is too long for SPIR-V");
            return self.inline_undefined(ty);
        }
        if let (true, Some(ty)) = (check::is_constant(opcode), ty) {
            return Some(self.e.w.constant_number(opcode, ty, operands));
        }
        if let Some([capability]) = check::row(opcode).map(|r| r.capabilities) {
            let why = self.reason(&format!("instruction {opcode}"));
            self.e.w.capability(*capability, || why);
        }
        let Some(ty) = ty else {
            put_number(&mut self.code, opcode, NONE, operands);
            return None;
        };
        let id = self.e.w.id();
        put_number(&mut self.code, opcode, &operands![ty, id], operands);
        Some(id)
    }

    /// An instruction of an extended set.
    fn inline_extended(&mut self, set: &str, number: u32, ty: Option<TypeId>, operands: &[Operand]) -> Option<Id> {
        if let Err(fault) = check::extended(set, number, operands)
            && self.e.inline_fault(self.span, fault)
        {
            return self.inline_undefined(ty);
        }
        if set.starts_with("NonSemantic.") {
            let why = self.reason(&format!("the instruction set `{set}`"));
            self.e.w.extension("SPV_KHR_non_semantic_info", || why);
        }
        let set = self.e.w.instruction_set(set);
        let ty = ty.unwrap_or_else(|| self.e.w.void_ty());
        let mut all = operands![set, Literal(number)].to_vec();
        all.extend(operands.iter().map(|o| o.operand()));
        Some(self.op(Op::ExtInst, ty, &all))
    }

    /// `printf`
    fn inline_print(&mut self, format: &str, operands: &[Operand]) -> Option<Id> {
        if format.len() > 0x30000 {
            self.inline_error("this text is too long for SPIR-V");
            return None;
        }
        let why = self.reason("`printf`");
        self.e.w.extension("SPV_KHR_non_semantic_info", || why);
        let set = self.e.w.instruction_set("NonSemantic.DebugPrintf");
        let format = self.e.w.text(format);
        let ty = self.e.w.void_ty();
        let mut all = operands![set, Literal(1), format].to_vec();
        all.extend(operands.iter().map(|o| o.operand()));
        Some(self.op(Op::ExtInst, ty, &all))
    }

    /// Notes an execution mode, whose operands are literals or the ids of constants.
    fn inline_mode(&mut self, mode: u32, ids: bool, operands: &[Operand]) {
        let Some(known) = spirv::ExecutionMode::from_u32(mode) else {
            return self.inline_error(format!("SPIR-V has no execution mode {mode}"));
        };
        self.e.inline_capability(&rspirv::dr::Operand::ExecutionMode(known));
        let mut line = operands![known].to_vec();
        line.extend(operands.iter().map(|o| match *o {
            Operand::Word(w) if ids => self.e.w.u32(w).operand(),
            ref other => other.operand(),
        }));
        let line = (ids, line);
        if !self.modes.contains(&line) {
            self.modes.push(line);
        }
    }

    /// An id in place of a result, after an error.
    fn inline_undefined(&mut self, ty: Option<TypeId>) -> Option<Id> {
        ty.map(|ty| self.e.w.undef(ty))
    }

    /// The execution modes of entry point `id`.
    pub(crate) fn inline_modes(&mut self, id: Id) {
        for (ids, words) in std::mem::take(&mut self.modes) {
            let mut all = operands![id].to_vec();
            all.extend(words);
            put(&mut self.e.w.modes, if ids { Op::ExecutionModeId } else { Op::ExecutionMode }, &all);
        }
    }

    /// A value as an operand: what a load of its descriptor gives, if it is a resource.
    fn inline_value(&mut self, v: Value) -> Id {
        let ty = self.f.ty(v);
        let Some(r) = self.m.types.as_resource(ty) else { return self.val(v) };
        let Some(h) = self.handle(v) else { return self.e.w.u32(0) };
        match r.kind {
            ResourceKind::AccelerationStructure => self.accel(&h),
            ResourceKind::Sampler => {
                let ty = self.e.w.ty(Op::TypeSampler, NONE);
                let p = self.descriptor(&h, StorageClass::UniformConstant, ty);
                self.op(Op::Load, ty, &[p])
            }
            _ if r.kind.is_typed() => self.image(&h),
            _ => {
                self.inline_error("a buffer is no value of SPIR-V: pass what is in it");
                self.e.w.u32(0)
            }
        }
    }

    /// The pointer to the descriptor of a resource.
    fn inline_descriptor(&mut self, v: Value) -> Id {
        let Some(h) = self.handle(v) else { return self.e.w.u32(0) };
        match h.ty.kind {
            ResourceKind::AccelerationStructure => {
                let ty = self.e.w.ty(Op::TypeAccelerationStructureKHR, NONE);
                self.descriptor(&h, StorageClass::UniformConstant, ty)
            }
            ResourceKind::Sampler => {
                let ty = self.e.w.ty(Op::TypeSampler, NONE);
                self.descriptor(&h, StorageClass::UniformConstant, ty)
            }
            k if k.is_typed() => {
                let ty = self.e.texture_ty(&h.ty, h.global);
                self.descriptor(&h, StorageClass::UniformConstant, ty)
            }
            _ if !matches!(h.home, Home::Descriptor { .. } | Home::Heap { .. }) => {
                self.inline_error("a buffer that is given by its address or in the shader record has no variable: name a number in it");
                self.e.w.u32(0)
            }
            _ => {
                let class = self.e.block_class(&h);
                let typed = h.global.filter(|_| matches!(h.home, Home::Descriptor { .. })).and_then(|g| self.e.host_block(g));
                let ty = match typed {
                    Some(block) => self.e.host_block_ty(block, &h.ty),
                    None => {
                        let kind = self.e.block_kind(&h.ty);
                        self.e.block_ty(kind)
                    }
                };
                self.descriptor(&h, class, ty)
            }
        }
    }
}

/// Whether an instruction passes a variable to other shaders.
fn passes_variable(inst: &InlineInst) -> bool {
    matches!(inst.action, InlineAction::Core(n) if inline_spirv::LAST_IS_VARIABLE.iter().any(|r| r.0 == n))
}
