//! Validator: checks DXIL containers and modules against the rules of [`rtc_tables::validation`].
//!
//! Rules are functions in families (one folder or file each); tables say what each looks at: the container
//! ([`PARTS`]), the module as a whole ([`MODULE`], and [`AFTER`] all instructions) or one instruction ([`INSTS`], [`CALLS`] for calls of
//! DXIL operations).
//! A rule reports [`Finding`]s through [`Cx`], which adds the location: part and offset, function, the instruction as
//! listings print it, and the line of HLSL if there is debug information. [`container()`] validates a file,
//! [`module()`] a module in memory (the compiler does that before it signs).
//!
//! | folder or file | rules about |
//! |---|---|
//! | `wellformed` | what LLVM demands of any module; all other rules rely on it |
//! | `parts` | the parts of the container, and that flags, RDAT and PSV0 equal what follows from the module |
//! | `meta`, `entries`, `resources`, `cbuffers` | metadata: entry points, resources, layouts |
//! | `decl`, `types` | declarations and types that DXIL allows |
//! | `instr`, `calls`, `flow` | instructions, calls of DXIL operations, control flow |
//! | `graphics` | signatures and state of the stages of the graphics pipeline, and what their code does with them |
//! | `compat` | what shader models and validator versions have |
//!
//! To read the crate, begin with [`container()`] and the tables, then any family.
//!
//! # Example
//!
//! ```
//! let report = rtc_dxil_validate::container(b"not a container");
//! assert!(!report.is_valid());
//! assert_eq!(report.findings[0].rule.id, "BITCODE.VALID");
//! ```

mod calls;
mod cbuffers;
mod compat;
mod decl;
mod entries;
mod finding;
mod flow;
mod graphics;
mod instr;
mod meta;
mod parts;
mod resources;
#[cfg(test)]
mod tests;
mod types;
mod walk;
mod wellformed;

pub use finding::{Finding, Location, Report};

use rtc_base::SecondaryMap;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::metadata::debug_lookup::Lookup;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::rdat::{Rdat, Subobject};
use rtc_dxil_container::recompute::{Recomputed, recompute};
use rtc_dxil_container::{Container, FourCc, ShaderKind};
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{Body, ConstKind, Func, Inst, Module, Op, Type, Value};
use rtc_tables::dxil_ops::{DxOp, DxilOp};
use rtc_tables::validation::{Rule, rule};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// A call of a DXIL operation.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The operation.
    pub op: &'static DxilOp,
    /// The instruction.
    pub inst: Inst,
    /// The arguments, the opcode first.
    pub args: &'a [Value],
    /// The function that is called.
    pub callee: Func,
}

/// The function at hand.
#[derive(Debug, Clone, Copy)]
pub struct Here<'a> {
    /// The function.
    pub func: Func,
    /// Its code.
    pub body: &'a Body,
}

type PartRule = fn(&mut Cx<'_>, &Container);
type ModuleRule = fn(&mut Cx<'_>);
type InstRule = fn(&mut Cx<'_>, Here<'_>, Inst);
type CallRule = fn(&mut Cx<'_>, Here<'_>, Call<'_>);

/// Rules about the parts of a container; the module can be read when they run.
const PARTS: &[PartRule] = &[
    parts::needed,
    entries::header,
    parts::known,
    parts::features,
    parts::runtime_data,
    parts::signatures,
    parts::pipeline,
    parts::root_signature,
];
/// Rules about the module as a whole.
const MODULE: &[ModuleRule] = &[
    meta::metadata,
    meta::names,
    meta::versions,
    meta::types,
    meta::payloads,
    meta::entries,
    meta::identifiers,
    meta::kinds,
    meta::attached,
    meta::flags,
    decl::entries,
    decl::functions,
    decl::variables,
    types::types,
    entries::versions,
    entries::properties,
    entries::parameter_sizes,
    entries::groupshared,
    graphics::shaders,
    graphics::states,
    graphics::sizes,
    graphics::calls,
    resources::each,
    resources::overlaps,
    cbuffers::layouts,
    compat::entries,
    flow::loops,
    flow::recursion,
    flow::parameters,
    instr::module,
];
/// Rules about each instruction.
const INSTS: &[InstRule] = &[calls::atomics, instr::inst];
/// Rules about each call of a DXIL operation.
const CALLS: &[CallRule] = &[calls::shader_model, calls::form, decl::allocate, graphics::operation, instr::call];
/// Rules about what all instructions together do.
const AFTER: &[ModuleRule] = &[graphics::outputs];

/// What rules see and where they report.
pub struct Cx<'a> {
    /// The module.
    pub m: &'a Module,
    /// Its metadata.
    pub info: &'a Info,
    /// The same module with debug information, if there is one.
    pub debug: Option<&'a Module>,
    /// The stage of each function that is an entry point.
    stages: FxHashMap<Func, ShaderKind>,
    /// Subobjects of the container; they are not in the module.
    subobjects: Vec<Subobject>,
    known: OnceCell<Result<Rc<Recomputed>, String>>,
    /// How functions and variables are used.
    uses: OnceCell<Rc<decl::Uses>>,
    instr: instr::State,
    graphics: graphics::State,
    /// The graph of each function with a body, from when it is found to be well-formed.
    cfgs: SecondaryMap<Func, Option<rtc_dxil_module::cfg::Cfg>>,
    /// Where instructions come from, made for the first finding.
    lines: OnceCell<Option<Lookup<'a>>>,
    report: Report,
}

impl<'a> Cx<'a> {
    fn new(m: &'a Module, info: &'a Info, debug: Option<&'a Module>) -> Self {
        // Patch constants are a part of a hull shader; an entry point has the stage that it says.
        let patches = info.entries.iter().filter_map(|e| Some((e.props.patch_constants(m)?, ShaderKind::Hull)));
        let stages = patches.chain(info.entries.iter().filter_map(|e| Some((e.func?, info.stage(e)))));
        Cx {
            m,
            info,
            debug,
            stages: stages.collect(),
            subobjects: Vec::new(),
            known: OnceCell::new(),
            uses: OnceCell::new(),
            instr: instr::State::default(),
            graphics: graphics::State::default(),
            cfgs: SecondaryMap::new(),
            lines: OnceCell::new(),
            report: Report::default(),
        }
    }

    /// What follows from the module, computed on first sight; none if its metadata says too little.
    pub fn known(&self) -> Option<Rc<Recomputed>> {
        self.known_or_why().ok()
    }

    fn known_or_why(&self) -> Result<Rc<Recomputed>, String> {
        let compute = || recompute(self.m, &self.subobjects).map(Rc::new).map_err(|e| e.to_string());
        self.known.get_or_init(compute).clone()
    }

    /// How functions and variables are used, computed on first sight.
    fn uses(&self) -> Rc<decl::Uses> {
        self.uses.get_or_init(|| Rc::new(decl::Uses::new(self.m))).clone()
    }

    /// Whether the module at hand has debug information itself (the one in a container's `DXIL` part must not).
    pub fn is_debug(&self) -> bool {
        self.debug.is_some_and(|d| std::ptr::eq(d, self.m))
    }

    /// The kind of the first entry point that belongs to one of these stages.
    fn has_entry(&self, is: impl Fn(ShaderKind) -> bool) -> Option<ShaderKind> {
        self.info.entries.iter().map(|e| self.info.stage(e)).find(|&kind| is(kind))
    }

    /// Records that something is not checked.
    fn leave_out(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.report.left_out.contains(&what) {
            self.report.left_out.push(what);
        }
    }

    /// Whether a rule came after the validator version that the module names; if so, that it is broken is a note.
    fn is_younger(&mut self, rule: &'static Rule) -> bool {
        let Some(first) = rule.since.filter(|&first| !self.info.since(first)) else { return false };
        self.leave_out(format!("it breaks {}, a rule since validator version 1.{first}: {}", rule.id, rule.demands));
        true
    }

    /// Reports a breach in the module as a whole.
    pub fn module(&mut self, rule: &'static Rule, detail: impl Into<String>) {
        if self.is_younger(rule) {
            return;
        }
        self.report.add(Finding { rule, location: Location::Module, detail: detail.into() });
    }

    /// Reports a breach in a part of the container, `offset` bytes into its data.
    pub fn part(&mut self, rule: &'static Rule, part: impl Into<String>, offset: usize, detail: impl Into<String>) {
        let location = Location::Part { name: part.into(), offset };
        self.report.add(Finding { rule, location, detail: detail.into() });
    }

    /// Reports a breach in a function.
    pub fn function(&mut self, rule: &'static Rule, func: Func, detail: impl Into<String>) {
        if self.is_younger(rule) {
            return;
        }
        let location = Location::Function(self.m.funcs[func].name.to_string());
        self.report.add(Finding { rule, location, detail: detail.into() });
    }

    /// Reports a breach at an instruction.
    pub fn inst(&mut self, rule: &'static Rule, here: Here<'_>, inst: Inst, detail: impl Into<String>) {
        if self.is_younger(rule) {
            return;
        }
        // Printing an instruction numbers its function: not for findings that are not shown.
        if self.report.is_full() {
            return self.report.count();
        }
        let lines = self.lines.get_or_init(|| self.debug.map(|debug| Lookup::new(self.m, debug)));
        let location = finding::at_inst(self.m, lines.as_ref(), here.func, inst);
        self.report.add(Finding { rule, location, detail: detail.into() });
    }

    /// The stage of a function: that of its entry point, `Library` for one that is none.
    pub fn stage_of(&self, func: Func) -> ShaderKind {
        self.stages.get(&func).copied().unwrap_or(ShaderKind::Library)
    }

    /// The integer that a value is, if it is a constant of at most 64 bits.
    pub fn int(&self, value: Value) -> Option<i64> {
        self.m.int_of(value)
    }

    /// Whether a value is undefined.
    pub fn is_undef(&self, value: Value) -> bool {
        matches!(value, Value::Const(c) if self.m.consts[c].kind == ConstKind::Undef)
    }

    /// The type of a value.
    pub fn ty(&self, here: Here<'_>, value: Value) -> Option<Type> {
        self.m.value_type(Some(here.func), value)
    }

    /// The call of a DXIL operation that an instruction is, if its opcode is a known constant.
    pub fn call<'b>(&self, body: &'b Body, inst: Inst) -> Option<Call<'b>> {
        let Op::Call { callee: Value::Func(callee), args, .. } = body.insts[inst].op else { return None };
        if !self.m.is_dx_op(callee) {
            return None;
        }
        let args = body.values(args);
        let op = DxOp::from_u32(self.int(*args.first()?)? as u32)?.row();
        Some(Call { op, inst, args, callee })
    }
}

/// Validates a container. Bytes that are no container, and bitcode that cannot be read, are findings like any other.
pub fn container(data: &[u8]) -> Report {
    let file = match Container::parse(data) {
        Ok(c) => c,
        Err(e) => return Report::of(rule::BITCODE_VALID, Location::Part { name: e.part, offset: e.offset }, e.reason),
    };
    let m = match read(&file, FourCc::DXIL) {
        Ok(Some(m)) => m,
        Ok(None) => return Report::of(rule::PART_MISSING, Location::Module, "there is no DXIL part".into()),
        Err(report) => return report,
    };
    let debug = match read(&file, FourCc::ILDB) {
        Ok(debug) => debug,
        Err(report) => return report,
    };
    let info = Info::read(&m);
    let mut cx = Cx::new(&m, &info, debug.as_ref());
    if let Some(debug) = &debug {
        let mut other = Cx::new(debug, &info, Some(debug));
        wellformed::check(&mut other);
        cx.report = other.report;
    }
    if let Some(part) = file.part(FourCc::RDAT) {
        // An unreadable part is found when its turn comes.
        cx.subobjects = Rdat::read(&part.data).map(|r| r.subobjects).unwrap_or_default();
    }
    // Every rule relies on a module that makes sense.
    if wellformed::check(&mut cx) {
        if let Some(known) = parts::first_release(&cx, &file) {
            cx.known = OnceCell::from(Ok(known));
        }
        for rule in PARTS {
            rule(&mut cx, &file);
        }
        all(&mut cx);
    }
    cx.report
}

/// Validates a module.
pub fn module(m: &Module) -> Report {
    module_with(m, None)
}

/// Validates a module from which `found` follows, if that is known: a caller that has just computed it need not do so twice.
pub fn module_with(m: &Module, found: Option<Rc<Recomputed>>) -> Report {
    let info = Info::read(m);
    let mut cx = Cx::new(m, &info, Some(m));
    if let Some(found) = found {
        cx.known = OnceCell::from(Ok(found));
    }
    if wellformed::check(&mut cx) {
        all(&mut cx);
    }
    cx.report
}

/// Whether a module is one that LLVM would take: every other rule relies on it.
pub fn is_well_formed(m: &Module) -> bool {
    let info = Info::read(m);
    wellformed::check(&mut Cx::new(m, &info, Some(m)))
}

fn all(cx: &mut Cx<'_>) {
    for rule in MODULE {
        rule(cx);
    }
    walk::functions(cx);
    for rule in AFTER {
        rule(cx);
    }
}

fn read(file: &Container, name: FourCc) -> Result<Option<Module>, Report> {
    let Some(part) = file.part(name) else { return Ok(None) };
    let broken = |offset: usize, reason: String| Report::of(rule::BITCODE_VALID, Location::Part { name: name.to_string(), offset }, reason);
    let program = Program::read(if name == FourCc::DXIL { "DXIL" } else { "ILDB" }, &part.data).map_err(|e| broken(e.offset, e.reason))?;
    match bitcode::read_all(program.bitcode) {
        Ok((m, None)) => Ok(Some(m)),
        Ok((_, Some(e))) | Err(e) => Err(broken(0, e.to_string())),
    }
}
