//! Inputs and outputs of the graphics pipeline: signature elements in registers, and the instructions that load and store them
//! component by component.

use rtc_base::Span;
use rtc_dxil_container::metadata::pipeline::{LARGEST_FACTOR, PipelineState};
use rtc_dxil_container::metadata::signature::{SignatureElement, Signatures};
use rtc_dxil_container::packing;
use rtc_ir::{self as ir, ElementPart, ElementRole, Inst, InstData, Opcode};
use rtc_tables::diagnostics::{E0604, E0673, E0676, E0695};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::limits::SIGNATURE_ROWS;
use rtc_tables::pipeline::Domain;
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Demand, Interpretation, Packing, Semantic};
use smallvec::SmallVec;

use super::LowerError;
use super::emitter::{EmitError, EmitResult};
use super::func::Writer;
use super::live::has_lane;
use super::task_payload::payload_bytes;
use super::values::Components;
use rtc_dxil_module::{BinOp, CastOp, CmpPred, ConstKind, Func, Type, Value};

/// The signatures of an entry point without the places of their elements and without what is used.
pub fn unplaced_signatures(f: &ir::Function) -> Signatures {
    let mut out = Signatures::default();
    for (role, list) in
        [(ElementRole::Input, &mut out.inputs), (ElementRole::Output, &mut out.outputs), (ElementRole::Patch, &mut out.patch)]
    {
        let elements: Vec<&ir::ElementData> = in_signature(f, role).collect();
        list.extend(elements.iter().enumerate().map(|(id, e)| SignatureElement {
            id: id as u32,
            name: e.name.clone(),
            component: component(e),
            semantic: e.semantic,
            indices: e.indices(),
            spare_indices: 0,
            interpolation: e.interpolation,
            columns: e.register_components(),
            row: None,
            column: 0,
            stream: e.stream,
            dynamic: 0,
            usage: 0,
        }));
    }
    out
}

/// The signatures of an entry point with the places of their elements, without what is used.
///
/// # Errors
/// The element for which there is no room.
pub fn signatures(m: &ir::Module, f: &ir::Function, strategy: packing::Strategy) -> Result<Signatures, LowerError> {
    let mut out = unplaced_signatures(f);
    for (role, list) in
        [(ElementRole::Input, &mut out.inputs), (ElementRole::Output, &mut out.outputs), (ElementRole::Patch, &mut out.patch)]
    {
        let elements: Vec<&ir::ElementData> = in_signature(f, role).collect();
        let point = elements.iter().find(|e| e.point.packing() != Packing::None).or(elements.first()).map(|e| e.point);
        let Some(point) = point else { continue };
        if let Err(n) = packing::pack(point, list, m.native_16bit, strategy) {
            let clip = elements[n].interpretation == Interpretation::ClipCull;
            let message = match clip {
                true => format!("`{}` does not fit: clip and cull distances have two registers of four components", elements[n].spelling()),
                false => format!("`{}` does not fit: {} has {} registers", elements[n].spelling(), point.name(), packing::ROWS),
            };
            return Err(LowerError::new(&E0676, elements[n].span, message));
        }
    }
    room(m, f, &out)?;
    Ok(out)
}

/// Room for what two signatures share, or for what is in none: the registers of a mesh shader's vertices and primitives, the number of the view
/// that a pixel shader reads.
fn room(m: &ir::Module, f: &ir::Function, all: &Signatures) -> Result<(), LowerError> {
    let rows = |list: &[SignatureElement]| list.iter().filter_map(|e| Some(e.row? + e.rows())).max().unwrap_or(0);
    let of_mesh = rows(&all.outputs) + rows(&all.patch);
    if f.stage == ir::Stage::Mesh && of_mesh > SIGNATURE_ROWS {
        let message =
            format!("vertices and primitives of a mesh shader have {SIGNATURE_ROWS} registers together, and these take {of_mesh}");
        return Err(LowerError::new(&E0676, f.span, message));
    }
    let view = f.elements.values().enumerate().find(|(_, e)| f.stage == ir::Stage::Pixel && e.semantic == Semantic::ViewId);
    let Some((number, view)) = view else { return Ok(()) };
    let mut read = false;
    f.for_each_inst(f.body, |_, i| {
        read |= matches!(f.insts[i], InstData::Many { op: Opcode::load_input, imm, .. } if ElementPart::from_imm(imm).element as usize == number);
    });
    let mut registers = packing::Registers::default();
    let placed = all.inputs.iter().all(|e| registers.add(view.point, e, m.native_16bit).is_ok());
    if read && placed && !registers.has_room_for_view() {
        return Err(LowerError::new(
            &E0676,
            view.span,
            "the inputs leave no room for `SV_ViewID`, which takes a component of a register of its own",
        ));
    }
    Ok(())
}

/// System values that the next stage needs are written; `all`: the signatures with what the code uses of them.
///
/// # Errors
/// One that is not.
pub fn check_written(f: &ir::Function, all: &Signatures) -> Result<(), LowerError> {
    let (role, list) = match f.stage {
        ir::Stage::Hull => (ElementRole::Patch, &all.patch),
        _ => (ElementRole::Output, &all.outputs),
    };
    for (e, written) in in_signature(f, role).zip(list) {
        let whole = (1u8 << written.columns) - 1;
        if written.usage & whole == whole || matches!(e.semantic, Semantic::Arbitrary | Semantic::Target) {
            continue;
        }
        let message = format!("the {} shader {}", f.stage.name(), unwritten(e, written));
        return Err(LowerError::new(&E0695, e.span, message));
    }
    Ok(())
}

/// Render targets that a pixel shader does not write whole, with `all`, the signatures with what the code uses of them.
pub fn unwritten_targets(f: &ir::Function, all: &Signatures) -> Vec<(Span, String)> {
    let targets = in_signature(f, ElementRole::Output).zip(&all.outputs).filter(|(e, _)| e.semantic == Semantic::Target);
    let partly = targets.filter(|(_, written)| {
        let whole = (1u8 << written.columns) - 1;
        written.usage & whole != whole
    });
    partly.map(|(e, written)| (e.span, unwritten(e, written))).collect()
}

fn unwritten(e: &ir::ElementData, written: &SignatureElement) -> String {
    let whole = (1u8 << written.columns) - 1;
    let missing: String = "xyzw".chars().enumerate().filter(|(c, _)| (whole & !written.usage) >> c & 1 == 1).map(|c| c.1).collect();
    match written.usage & whole {
        0 => format!("never writes `{}`", e.written()),
        _ => format!("never writes `{missing}` of `{}`", e.written()),
    }
}

/// The component type of an element in its signature: numbers that system values are have no sign.
fn component(e: &ir::ElementData) -> CompType {
    match (e.semantic.info().demand, e.component) {
        (Demand::Uint | Demand::Flag, CompType::I32) => CompType::U32,
        (Demand::Uint, CompType::I16) => CompType::U16,
        (_, own) => own,
    }
}

/// A component of the domain location that the domain does not have.
fn domain_location(domain: Domain) -> &'static str {
    match domain {
        Domain::Quad => "`SV_DomainLocation` of a quad has two components",
        _ => "`SV_DomainLocation` has three components",
    }
}

/// The state of a stage as the metadata has it; `written`: the function that an IR function became.
pub fn state(m: &ir::Module, f: &ir::Function, written: impl Fn(ir::Func) -> Option<Func>) -> Option<PipelineState> {
    let threads = f.numthreads.unwrap_or([1; 3]);
    if f.stage == ir::Stage::Amplification {
        return Some(PipelineState::Amplification { threads, payload: payload_bytes(m, f) });
    }
    Some(match f.state {
        ir::StageState::Geometry(s) => PipelineState::Geometry {
            primitive: Some(s.primitive),
            max_vertices: s.max_vertices,
            streams: s.streams,
            topology: s.topology,
            instances: s.instances,
        },
        ir::StageState::Domain(s) => PipelineState::Domain { domain: s.domain, input_points: s.input_points },
        ir::StageState::Hull(s) => PipelineState::Hull {
            patch_constants: written(s.patch_constants?)?,
            input_points: s.input_points,
            output_points: s.output_points,
            domain: s.domain?,
            partitioning: s.partitioning?,
            output: s.output?,
            max_factor: s.max_factor.unwrap_or(LARGEST_FACTOR),
        },
        ir::StageState::Mesh(s) => PipelineState::Mesh {
            threads,
            max_vertices: s.max_vertices,
            max_primitives: s.max_primitives,
            topology: Some(s.topology),
            payload: payload_bytes(m, f),
        },
        ir::StageState::None | ir::StageState::PatchConstants => return None,
    })
}

/// The elements of a signature, in order.
fn in_signature(f: &ir::Function, role: ElementRole) -> impl Iterator<Item = &ir::ElementData> {
    f.elements.values().filter(move |e| e.role == role && e.interpretation.is_in_signature())
}

impl Writer<'_, '_> {
    /// The element that an instruction names, and its number in the signature.
    fn signature_element(&self, part: ElementPart) -> EmitResult<(ir::ElementData, i32)> {
        let all = || self.f.elements.values();
        let e = all().nth(part.element as usize).ok_or("there is no such signature element")?;
        let before = all().take(part.element as usize);
        let id = before.filter(|o| o.role == e.role && o.interpretation.is_in_signature()).count();
        Ok((e.clone(), id as i32))
    }

    /// The operands of an operation on component `c` of the vector that `part` and `number` say: element, row, column.
    fn place(&mut self, e: &ir::ElementData, id: i32, part: ElementPart, number: Value, c: u32) -> [Value; 3] {
        // A matrix has as many registers as it has columns, or rows.
        let (each, plus, column) = match e.column_major {
            true => (e.columns, c, part.row),
            false => (e.rows, part.row, c),
        };
        let row = match self.e.int_const(number) {
            Some(n) => self.e.out.i32(n as i32 * each as i32 + plus as i32),
            None => {
                let mut row = number;
                if each > 1 {
                    let each = self.e.out.i32(each as i32);
                    row = self.e.b().binary(rtc_dxil_module::BinOp::Mul, row, each, 0);
                }
                if plus > 0 {
                    let plus = self.e.out.i32(plus as i32);
                    row = self.e.b().binary(rtc_dxil_module::BinOp::Add, row, plus, 0);
                }
                row
            }
        };
        [self.e.out.i32(id), row, self.e.out.i8(column as i8)]
    }

    /// An instruction on a signature element.
    pub(super) fn stage(&mut self, i: Inst, dxil: DxOp, imm: u32, args: &[ir::Value]) -> EmitResult {
        let part = ElementPart::from_imm(imm);
        let (e, id) = self.signature_element(part)?;
        let number = self.one(args[0]);
        if self.f.op(i) == Opcode::store_output {
            let vertex = args.get(2).map(|&v| self.one(v));
            return self.store_output(&e, dxil, (id, part, number), args[1], vertex);
        }
        let result = self.f.result(i);
        let ty = self.e.scalar(e.scalar());
        let own = e.semantic.info().op == Some(dxil);
        let more: SmallVec<[Value; 2]> = args[1..].iter().map(|&v| self.one(v)).collect();
        let used = self.facts.live.lanes(result);
        let mut out = Components::new();
        for c in 0..e.columns {
            if !has_lane(used, c as usize) {
                let undef = self.e.out.undef(ty);
                out.push(undef);
                continue;
            }
            if own {
                if let ir::StageState::Domain(s) = self.f.state
                    && e.semantic == Semantic::DomainLocation
                    && c >= s.domain.location_components()
                {
                    return Err(EmitError::new(&E0673, domain_location(s.domain)));
                }
                let component = (e.semantic == Semantic::DomainLocation).then(|| self.e.out.i8(c as i8));
                out.push(self.e.dx(dxil, Some(ty), component.as_slice())?);
                continue;
            }
            let place = self.place(&e, id, part, number, c);
            let mut operands: SmallVec<[Value; 6]> = SmallVec::from_slice(&place);
            operands.extend_from_slice(&more);
            // Inputs of a single vertex, or fragment, have no vertex operand in the IR.
            if dxil == op::LOAD_INPUT && more.is_empty() {
                operands.push(self.e.undef_i32());
            }
            if dxil == op::ATTRIBUTE_AT_VERTEX {
                match self.e.int_const(more[0]) {
                    Some(vertex) => operands[3] = self.e.out.i8(vertex as i8),
                    None => {
                        let chosen = self.attribute_at_any(ty, &mut operands, more[0])?;
                        out.push(chosen);
                        continue;
                    }
                }
            }
            out.push(self.e.dx(dxil, Some(ty), &operands)?);
        }
        self.set(result, &out);
        Ok(())
    }

    /// An attribute at a computed vertex: that at each vertex, of which the vertex chooses, as the operation takes constants only.
    fn attribute_at_any(&mut self, ty: Type, operands: &mut [Value], vertex: Value) -> EmitResult<Value> {
        let mut at = |s: &mut Self, n: i8| {
            operands[3] = s.e.out.i8(n);
            s.e.dx(op::ATTRIBUTE_AT_VERTEX, Some(ty), operands)
        };
        let mut chosen = at(self, 2)?;
        for n in [1, 0] {
            let own = at(self, n)?;
            let number = self.e.out.i32(n.into());
            let is_it = self.e.b().cmp(CmpPred::IEq, vertex, number, 0);
            chosen = self.e.b().select(is_it, own, chosen);
        }
        Ok(chosen)
    }

    fn store_output(
        &mut self,
        e: &ir::ElementData,
        dxil: DxOp,
        (id, part, number): (i32, ElementPart, Value),
        value: ir::Value,
        vertex: Option<Value>,
    ) -> EmitResult {
        let flag = e.component == CompType::I1;
        let ty = if flag { self.e.out.types.i32() } else { self.e.scalar(e.scalar()) };
        // The reference stores undefined patch constants, which then count as written; other outputs that are not written stay so.
        let undefined = if self.f.state == ir::StageState::PatchConstants { SmallVec::new() } else { self.undefined_components(e, value) };
        for (c, &v) in self.parts(value).iter().enumerate() {
            if undefined.get(c) == Some(&true) {
                continue;
            }
            let [id, row, column] = self.place(e, id, part, number, part.column + c as u32);
            let v = if flag { self.in_memory(v, ir::Scalar::Bool) } else { v };
            let operands: SmallVec<[Value; 5]> = [id, row, column, v].into_iter().chain(vertex).collect();
            self.e.dx(dxil, Some(ty), &operands)?;
        }
        Ok(())
    }

    /// For each component of a value that is stored to an output: whether it is undefined. A `bool` is stored as a number; of
    /// matrices of them, which the reference has in memory as numbers, all are defined.
    fn undefined_components(&mut self, e: &ir::ElementData, value: ir::Value) -> SmallVec<[bool; 4]> {
        let from = match self.f.values[value].def {
            ir::ValueDef::Result(i, _) if e.rows == 1 && !e.column_major => match self.f.insts[i] {
                InstData::Unary { op: Opcode::zext, arg } if self.m.types.elem(self.f.ty(arg)) == ir::Scalar::Bool => arg,
                _ => value,
            },
            _ => value,
        };
        let parts = self.parts(from);
        let undefined = |v: &Value| matches!(v, Value::Const(k) if self.e.out.consts[*k].kind == ConstKind::Undef);
        parts.iter().map(undefined).collect()
    }

    /// Makes a vertex of a stream, or ends its strip.
    pub(super) fn stream(&mut self, dxil: DxOp, stream: u32) -> EmitResult {
        let stream = self.e.out.i8(stream as i8);
        self.e.dx(dxil, None, &[stream]).map(|_| ())
    }

    /// Before shader model 6.6 no operation says whether a pixel shader's thread is a helper: it is one if it covers nothing, or since
    /// it discarded its pixel. A variable remembers that.
    pub(super) fn helper_variable(&mut self) -> EmitResult {
        let f = self.f;
        let mut queried = false;
        if self.m.shader_model < 6 && f.stage == ir::Stage::Pixel {
            f.for_each_inst(f.body, |_, i| queried |= matches!(f.insts[i], InstData::Nullary { op: Opcode::is_helper_lane }));
        }
        if !queried {
            return Ok(());
        }
        let i32 = self.e.out.types.i32();
        let variable = self.e.alloca(i32, 4);
        let covered = self.e.dx(op::COVERAGE, Some(i32), &[])?;
        let zero = self.e.out.i32(0);
        let none = self.e.b().cmp(CmpPred::IEq, covered, zero, 0);
        let helper = self.e.b().cast(CastOp::ZExt, none, i32);
        self.e.b().store(helper, variable, 4);
        self.frame.helper = Some(variable);
        Ok(())
    }

    /// An instruction of pixel shaders.
    pub(super) fn pixel(&mut self, i: Inst) -> EmitResult {
        match self.f.insts[i] {
            InstData::Many { op: Opcode::discard, args, .. } => {
                let cond = self.one(self.f.get(args)[0]);
                if let Some(helper) = self.frame.helper {
                    let i32 = self.e.out.types.i32();
                    let now = self.e.b().cast(CastOp::ZExt, cond, i32);
                    let before = self.e.b().load(helper, 4);
                    let either = self.e.b().binary(BinOp::Or, before, now, 0);
                    self.e.b().store(either, helper, 4);
                }
                self.e.dx(op::DISCARD, None, &[cond]).map(|_| ())
            }
            InstData::Nullary { op: Opcode::is_helper_lane } => {
                let ty = self.e.scalar(ir::Scalar::Bool);
                let v = match (self.frame.helper, self.f.stage) {
                    (Some(helper), _) => {
                        let word = self.e.b().load(helper, 4);
                        self.e.b().cast(CastOp::Trunc, word, ty)
                    }
                    (None, _) if self.m.shader_model >= 6 => self.e.dx(op::IS_HELPER_LANE, Some(ty), &[])?,
                    (None, ir::Stage::Library) => {
                        return Err(EmitError::new(&E0604, "`IsHelperLane` in a function of a library needs shader model 6.6"));
                    }
                    (None, _) => self.constant(ir::Type::BOOL, 0),
                };
                self.set(self.f.result(i), &[v]);
                Ok(())
            }
            InstData::Nullary { .. } => {
                let v = self.e.dx(op::RENDER_TARGET_GET_SAMPLE_COUNT, None, &[])?;
                self.set(self.f.result(i), &[v]);
                Ok(())
            }
            InstData::Unary { arg, .. } => {
                let sample = self.one(arg);
                let both = self.e.dx(op::RENDER_TARGET_GET_SAMPLE_POSITION, None, &[sample])?;
                let parts = [self.e.b().extract_value(both, 0), self.e.b().extract_value(both, 1)];
                self.set(self.f.result(i), &parts);
                Ok(())
            }
            _ => Err("this instruction has no DXIL form".into()),
        }
    }
}
