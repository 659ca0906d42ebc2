//! `evaluations`: `EvaluateAttribute…` and `GetAttributeAtVertex` become evaluations of inputs.
//!
//! HLSL gives them a value: an input, a part of one, or several together, which functions may have passed on. Once calls are inlined and
//! variables are values, it consists of loads of inputs, and each of them is evaluated instead.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Builder, ElementPart, Function, Inst, InstData, Module, Opcode, Region, Type, TypeTable, Value};
use rtc_tables::diagnostics as c;
use rtc_tables::insts::EVALUATIONS;
use rtc_tables::signature::{Interpolation, Semantic};
use smallvec::SmallVec;

use crate::util::{Rename, all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// The vertices of a primitive.
const VERTICES: u64 = 3;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let mut errors = Vec::new();
    let changed = each_function(m, |m, f| function(&mut m.types, f, &mut errors));
    if errors.is_empty() { Ok(changed) } else { Err(PassError::Invalid(errors)) }
}

fn is_evaluation(f: &Function, i: Inst) -> bool {
    f.op(i) == Opcode::evaluate
}

fn function(types: &mut TypeTable, f: &mut Function, errors: &mut Vec<Diagnostic>) -> bool {
    let mut rename = Rename::new();
    let mut any = false;
    for region in all_regions(f) {
        if !f.regions[region].insts.iter().any(|&i| is_evaluation(f, i)) {
            continue;
        }
        any = true;
        for i in std::mem::take(&mut f.regions[region].insts) {
            match f.insts[i] {
                InstData::Many { op: Opcode::evaluate, imm, args } => {
                    let args: SmallVec<[Value; 4]> = f.get(args).iter().map(|&v| rename.get(v)).collect();
                    let op = EVALUATIONS[imm as usize % EVALUATIONS.len()];
                    let name = op.hlsl_name();
                    let mut e = Evaluation { types: &mut *types, f: &mut *f, region, op, span: Span::NONE, inputs: Vec::new() };
                    e.span = e.f.spans[i];
                    let Some(value) = e.value(args[0], &args[1..]) else {
                        errors.push(not_an_input(e.span, name));
                        rename.set(e.f.result(i), args[0]);
                        continue;
                    };
                    errors.extend(e.inputs.iter().filter_map(|&n| e.mistake(n, name)));
                    if op == Opcode::attribute_at_vertex
                        && let Some(vertex) = args.get(1).and_then(|&v| e.f.as_const(v)).filter(|&n| n >= VERTICES)
                    {
                        errors.push(no_such_vertex(e.span, name, vertex));
                    }
                    rename.set(e.f.result(i), value);
                }
                _ => f.regions[region].insts.push(i),
            }
        }
    }
    rename.apply(f);
    any
}

/// An evaluation that is being built.
struct Evaluation<'a> {
    types: &'a mut TypeTable,
    f: &'a mut Function,
    region: Region,
    op: Opcode,
    span: Span,
    /// The elements that it evaluates.
    inputs: Vec<u32>,
}

impl Evaluation<'_> {
    fn build(&mut self, op: Opcode, imm: u32, args: &[Value], ty: Type) -> Value {
        let mut b = Builder::at(self.types, self.f, self.region);
        b.span = self.span;
        b.many_value(op, imm, args, ty)
    }

    /// The value `v` with its inputs evaluated; none if it is more than components of inputs.
    fn value(&mut self, v: Value, more: &[Value]) -> Option<Value> {
        let ty = self.f.ty(v);
        let def = self.f.def_inst(v)?;
        let InstData::Many { op, imm, args } = self.f.insts[def] else { return None };
        let args: SmallVec<[Value; 4]> = SmallVec::from_slice(self.f.get(args));
        match op {
            Opcode::load_input => {
                let element = ElementPart::from_imm(imm).element;
                if !self.inputs.contains(&element) {
                    self.inputs.push(element);
                }
                let operands: SmallVec<[Value; 4]> = std::iter::once(args[0]).chain(more.iter().copied()).collect();
                Some(self.build(self.op, imm, &operands, ty))
            }
            Opcode::extract => {
                let whole = self.value(args[0], more)?;
                Some(self.build(op, imm, &[whole], ty))
            }
            Opcode::construct => {
                let parts: Option<SmallVec<[Value; 4]>> = args.iter().map(|&p| self.value(p, more)).collect();
                Some(self.build(op, imm, &parts?, ty))
            }
            _ => None,
        }
    }

    /// What is wrong with the evaluation of the input with this number.
    fn mistake(&self, input: u32, name: &str) -> Option<Diagnostic> {
        let e = self.f.elements.values().nth(input as usize)?;
        let flat = e.interpolation == Interpolation::Constant;
        let at_vertex = self.op == Opcode::attribute_at_vertex;
        let (text, label) = match () {
            () if at_vertex && !flat => (
                format!("`{name}` takes an input that is `nointerpolation`, and `{}` is interpolated", e.written()),
                Some("declare it `nointerpolation`"),
            ),
            () if at_vertex => return None,
            () if e.semantic == Semantic::Position => (format!("`{name}` cannot evaluate `SV_Position`"), None),
            () if flat => (format!("`{name}` evaluates inputs that are interpolated, and `{}` is not", e.written()), Some("declared here")),
            () => return None,
        };
        let d = Diagnostic::new(&c::E0675, self.span, text);
        Some(match label {
            Some(label) => d.label(e.span, label),
            None => d,
        })
    }
}

/// An evaluation of what is no input.
fn not_an_input(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0675, span, format!("`{name}` takes an input of the pixel shader, and this is none"))
        .note("pass a parameter of the entry point, a member of one, or a variable or parameter that is a copy of such")
}

/// A vertex that no primitive has.
fn no_such_vertex(span: Span, name: &str, vertex: u64) -> Diagnostic {
    Diagnostic::new(&c::E0645, span, format!("`{name}` does not accept {vertex} for `VertexID`: a primitive has the vertices 0 to 2"))
}
