//! The parser of functions and regions. Regions are parsed with a stack of open control instructions, not by recursion, so nesting is
//! bounded by memory alone.

use rtc_base::{EntityRef, EntitySet};
use rtc_tables::pipeline::{Domain, InputPrimitive, MeshTopology, Partitioning, StreamTopology, TessellatorOutput};
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Interpolation, Interpretation, Semantic, SigPoint};
use rtc_tables::stages::Stage;
use rtc_tables::vk_builtins::VkBuiltin;

use super::lex::Tok;
use super::parse::{Parser, Res, index};
use super::print::REF_MODES;
use crate::inst::CaseTable;
use crate::{
    Cases, DomainState, ElementData, ElementRole, Function, GeometryState, HullState, Inst, InstData, LocalData, MeshState, Param, Region,
    RegionData, SlotData, SlotRole, Spread, StageState, Type, Value, ValueData, ValueDef,
};

/// A control instruction whose regions are being read.
pub(super) enum Open {
    Body,
    Then(Value),
    Else(Value, Region),
    LoopBody(Vec<Value>),
    Continuing(Vec<Value>, Region),
    Block,
    Switch {
        on: Value,
        cases: Cases,
        arms: Vec<(Vec<i32>, Region)>,
        /// The values of the arm being read; `None`: the default is being read.
        values: Option<Vec<i32>>,
    },
}

pub(super) struct Frame {
    pub inst: Inst,
    pub region: Region,
    pub open: Open,
}

pub(super) struct FuncParser<'p, 'a> {
    pub p: &'p mut Parser<'a>,
    pub f: Function,
    defined: EntitySet<Value>,
    regions: EntitySet<Region>,
    /// Every use with its token.
    uses: Vec<(Value, usize)>,
    pub targets: Vec<(Region, usize)>,
}

impl Parser<'_> {
    /// `word(a, b, …)`, if it is there.
    fn numbers<const N: usize>(&mut self, word: &str) -> Res<Option<[u32; N]>> {
        if !self.eat_word(word) {
            return Ok(None);
        }
        let mut n = [0; N];
        self.need(b'(')?;
        for (i, n) in n.iter_mut().enumerate() {
            if i > 0 {
                self.need(b',')?;
            }
            *n = self.u32()?;
        }
        self.need(b')')?;
        Ok(Some(n))
    }

    /// The state of a graphics stage, if it is there.
    fn state(&mut self) -> Res<StageState> {
        let mark = self.mark();
        if let Some([primitive, topology, max_vertices, instances, streams]) = self.numbers("geometry")? {
            let (Some(primitive), Some(topology)) = (InputPrimitive::from_number(primitive), StreamTopology::from_number(topology)) else {
                return self.fail_at(mark, "unknown primitive");
            };
            return Ok(StageState::Geometry(GeometryState { primitive, topology, max_vertices, instances, streams }));
        }
        if let Some([input_points, output_points, domain, partitioning, output]) = self.numbers("hull")? {
            let numbers = [domain, partitioning, output];
            let domain = Domain::from_number(domain);
            let (partitioning, output) = (Partitioning::from_number(partitioning), TessellatorOutput::from_number(output));
            // 0: it is not said.
            if [domain.is_some(), partitioning.is_some(), output.is_some()] != numbers.map(|n| n != 0) {
                return self.fail_at(mark, "unknown tessellation");
            }
            let max_factor = self.numbers("factor")?.map(|[bits]| bits);
            let patch_constants = if self.eat_word("patch") { Some(self.entity("fn", "a function").map(index)?) } else { None };
            let state = HullState { patch_constants, input_points, output_points, domain, partitioning, output, max_factor };
            return Ok(StageState::Hull(state));
        }
        if self.eat_word("patchconstants") {
            return Ok(StageState::PatchConstants);
        }
        if let Some([domain, input_points]) = self.numbers("domain")? {
            let Some(domain) = Domain::from_number(domain) else { return self.fail_at(mark, "unknown domain") };
            return Ok(StageState::Domain(DomainState { domain, input_points }));
        }
        if let Some([max_vertices, max_primitives, topology]) = self.numbers("mesh")? {
            let Some(topology) = MeshTopology::from_number(topology) else { return self.fail_at(mark, "unknown topology") };
            let payload = if self.eat_word("payload") { Some(self.ty()?) } else { None };
            return Ok(StageState::Mesh(MeshState { max_vertices, max_primitives, topology, payload }));
        }
        Ok(StageState::None)
    }

    /// A function; `fn` was eaten.
    pub(super) fn function(&mut self) -> Res<()> {
        self.declared("fn", self.m.funcs.len())?;
        let (name, symbol) = self.names()?;
        self.need_word("stage")?;
        let stage = self.word("a stage", Stage::from_name)?;
        let mut f = Function::new(name, stage);
        f.symbol = symbol;
        f.exported = self.eat_word("exported");
        f.declared = self.eat_word("declared");
        f.inline = self.inline_inst()?;
        f.numthreads = self.numbers("numthreads")?;
        f.wave_size = self.numbers("wavesize")?;
        f.groupshared_limit = self.numbers("groupsharedlimit")?.map(|[bytes]| bytes);
        f.state = self.state()?;
        f.early_depth_stencil = self.eat_word("earlydepthstencil");
        f.helper_lanes = self.eat_word("helperlanes");
        f.attributes.no_inline = self.eat_word("noinline");
        while self.eat_word("experimental") {
            self.need(b'(')?;
            let name = self.string()?;
            self.need(b',')?;
            let value = self.string()?;
            self.need(b')')?;
            f.attributes.experimental.push((name, value));
        }
        if self.arrow() {
            f.ret = Some(self.ty()?);
        }
        f.regions.clear();
        let f =
            FuncParser { p: self, f, defined: EntitySet::new(), regions: EntitySet::new(), uses: Vec::new(), targets: Vec::new() }.all()?;
        self.m.funcs.push(f);
        Ok(())
    }
}

impl FuncParser<'_, '_> {
    fn all(mut self) -> Res<Function> {
        self.p.need(b'{')?;
        self.header()?;
        self.body()?;
        for &(v, mark) in &self.uses {
            if !self.defined.contains(v) {
                return self.p.fail_at(mark, format!("unknown value `{v}`"));
            }
        }
        for &(r, mark) in &self.targets {
            if !self.regions.contains(r) {
                return self.p.fail_at(mark, format!("unknown region `{r}`"));
            }
        }
        Ok(self.f)
    }

    // Numbers -------------------------------------------------------------------------------------

    /// Accounts for `n` numbers that are left out.
    fn gap(&mut self, n: usize, mark: usize) -> Res<()> {
        match self.p.gaps.checked_sub(n) {
            Some(rest) => {
                self.p.gaps = rest;
                Ok(())
            }
            None => self.p.fail_at(mark, "the numbering has too many gaps"),
        }
    }

    pub fn define(&mut self, v: Value, data: ValueData, mark: usize) -> Res<()> {
        let n = v.index();
        if n >= self.f.values.len() {
            self.gap(n - self.f.values.len(), mark)?;
            let filler = ValueData { ty: Type::BOOL, def: ValueDef::Undef };
            while self.f.values.len() <= n {
                self.f.values.push(filler);
            }
        }
        if !self.defined.insert(v) {
            return self.p.fail_at(mark, format!("redefinition of value `{v}`"));
        }
        self.f.values[v] = data;
        Ok(())
    }

    pub fn value(&mut self) -> Res<Value> {
        let mark = self.p.mark();
        let v = index(self.p.entity("v", "a value")?);
        self.uses.push((v, mark));
        Ok(v)
    }

    /// Values separated by commas; at least one.
    pub fn values(&mut self) -> Res<Vec<Value>> {
        let mut out = vec![self.value()?];
        while self.p.eat(b',') {
            out.push(self.value()?);
        }
        Ok(out)
    }

    /// As [`Self::values`], or none if the line ends here.
    pub fn values_on_line(&mut self) -> Res<Vec<Value>> {
        match self.p.same_line() && self.p.is_entity("v") {
            true => self.values(),
            false => Ok(Vec::new()),
        }
    }

    /// `, v1, v2`: perhaps none.
    pub fn more_values(&mut self, out: &mut Vec<Value>) -> Res<()> {
        while self.p.eat(b',') {
            out.push(self.value()?);
        }
        Ok(())
    }

    /// `(v1, v2)`
    pub fn list(&mut self) -> Res<Vec<Value>> {
        self.p.need(b'(')?;
        let mut out = Vec::new();
        if self.p.eat(b')') {
            return Ok(out);
        }
        loop {
            out.push(self.value()?);
            if self.p.eat(b')') {
                return Ok(out);
            }
            self.p.need(b',')?;
        }
    }

    // Header --------------------------------------------------------------------------------------

    fn header(&mut self) -> Res<()> {
        let params = match self.p.eat_word("params") {
            true => self.params()?,
            false => Vec::new(),
        };
        loop {
            if self.p.is_entity("l") {
                self.p.declared("l", self.f.locals.len())?;
                self.p.need(b'=')?;
                let param = match self.p.eat_word("local") {
                    true => None,
                    false => {
                        self.p.need_word("ref")?;
                        let known = |w: &str| REF_MODES.iter().find(|m| m.1 == w).map(|m| m.0);
                        Some(self.p.word("`in`, `out` or `inout`", known)?)
                    }
                };
                let precise = self.p.eat_word("precise");
                let (ty, name) = self.typed_name()?;
                let matrices = self.p.hlsl_numbers()?;
                self.f.locals.push(LocalData { ty, name, param, matrices, precise });
            } else if self.p.is_entity("pl") {
                self.p.declared("pl", self.f.slots.len())?;
                self.p.need(b'=')?;
                let role = self.role()?;
                let (ty, name) = self.typed_name()?;
                self.f.slots.push(SlotData { role, ty, name });
            } else if self.p.is_entity("el") {
                self.p.declared("el", self.f.elements.len())?;
                self.p.need(b'=')?;
                let element = self.element()?;
                self.f.elements.push(element);
            } else if self.p.is_entity("v") {
                self.constant()?;
            } else {
                break;
            }
        }
        for (p, mark) in &params {
            if let Param::Ref(l) = p
                && !self.f.locals.is_valid(*l)
            {
                return self.p.fail_at(*mark, format!("unknown local `{l}`"));
            }
        }
        self.f.params = params.into_iter().map(|p| p.0).collect();
        Ok(())
    }

    fn params(&mut self) -> Res<Vec<(Param, usize)>> {
        let mut out = Vec::new();
        loop {
            let mark = self.p.mark();
            let param = match self.p.is_entity("l") {
                true => Param::Ref(index(self.p.entity("l", "a local")?)),
                false => Param::Value(self.value()?),
            };
            out.push((param, mark));
            if !self.p.eat(b',') {
                return Ok(out);
            }
        }
    }

    fn typed_name(&mut self) -> Res<(Type, String)> {
        let ty = self.p.ty()?;
        let name = match self.p.tok() == Tok::Str {
            true => self.p.string()?,
            false => String::new(),
        };
        Ok((ty, name))
    }

    fn element(&mut self) -> Res<ElementData> {
        let role = self.p.word("`input`, `output` or `patch`", |w| ElementRole::ALL.iter().find(|r| r.1 == w).map(|r| r.0))?;
        let mark = self.p.mark();
        let point = self.p.word("a signature point", |w| SigPoint::ALL.iter().find(|r| r.1 == w).map(|r| r.0))?;
        let helper = self.f.stage == Stage::Library;
        if point.stage() != self.f.stage && !helper && !(point == SigPoint::MsIn && self.f.stage == Stage::Amplification) {
            return self.p.fail_at(mark, "the stage does not have this signature point");
        }
        let name = self.p.string()?;
        let index = self.p.u32()?;
        let at_semantic = self.p.mark();
        let Some(semantic) = Semantic::from_number(self.p.u32()?) else {
            return self.p.fail_at(at_semantic, "unknown semantic");
        };
        let interpretation = semantic.at(point);
        let component = self.p.word("a component type", CompType::from_name)?;
        let mut sizes = [0; 3];
        for (i, n) in sizes.iter_mut().enumerate() {
            if i > 0 {
                self.p.need_word("x")?;
            }
            let mark = self.p.mark();
            *n = self.p.u32()?;
            if *n == 0 || *n > if i == 0 { 1 << 16 } else { 4 } {
                return self.p.fail_at(mark, "invalid size of an element");
            }
        }
        let [count, rows, columns] = sizes;
        let stream = self.p.numbers("stream")?.map_or(0, |[n]| n);
        let numbered = self.p.eat_word("numbered");
        let column_major = self.p.eat_word("columns");
        let known = |w: &str| Interpolation::ALL.iter().find(|r| r.1 == w).map(|r| r.0);
        let interpolation = self.p.word("an interpolation mode", known)?;
        let location = self.p.numbers("location")?.map(|[n]| n);
        let blend_index = self.p.numbers("index")?.map(|[n]| n);
        let builtin = match self.p.eat_word("builtin") {
            true => Some(self.p.word("a built-in variable", VkBuiltin::named)?),
            false => None,
        };
        if interpretation.is_none() && builtin.is_none() {
            return self.p.fail_at(at_semantic, "the stage does not have this semantic");
        }
        let interpretation = interpretation.unwrap_or(Interpretation::Arbitrary);
        let spread = match self.p.numbers("spread")? {
            Some([array, size]) => {
                let registers = count * if column_major { columns } else { rows };
                let mut list = |n: u32| (0..n).map(|_| self.p.u32()).collect::<Res<Vec<u32>>>();
                Some(Box::new(Spread { array, size, indices: list(registers)?, locations: list(count)? }))
            }
            None => None,
        };
        let decorations = self.p.decorations()?;
        let span = rtc_base::Span::NONE;
        Ok(ElementData {
            role,
            point,
            stream,
            name,
            index,
            numbered,
            semantic,
            interpretation,
            component,
            count,
            rows,
            columns,
            column_major,
            interpolation,
            location,
            blend_index,
            builtin,
            spread,
            decorations,
            span,
        })
    }

    fn role(&mut self) -> Res<SlotRole> {
        let what = self.p.word("`payload`, `callable`, `attr`, `mesh` or `ray`", |w| {
            let known = SlotRole::ALL.iter().any(|r| r.1.split(' ').next() == Some(w));
            known.then(|| w.to_string())
        })?;
        self.p.word("`in`, `out` or `query`", |way| {
            let full = |r: &&(SlotRole, &str)| r.1.split_once(' ') == Some((&what, way));
            SlotRole::ALL.iter().find(full).map(|r| r.0)
        })
    }

    fn constant(&mut self) -> Res<()> {
        let mark = self.p.mark();
        let v = index(self.p.entity("v", "a value")?);
        self.p.need(b'=')?;
        let def = if self.p.eat_word("undef") {
            let ty = self.p.ty()?;
            ValueData { ty, def: ValueDef::Undef }
        } else {
            self.p.need_word("const")?;
            let ty = self.p.ty()?;
            let bits = self.p.literal(self.p.scalar_of(ty))?;
            ValueData { ty, def: ValueDef::Const(bits) }
        };
        self.define(v, def, mark)?;
        if let Some(first) = self.f.register_const(v) {
            return self.p.fail_at(mark, format!("duplicate constant: it is `{first}`"));
        }
        Ok(())
    }

    // Regions -------------------------------------------------------------------------------------

    /// `r3(v1: f32):`
    pub fn label(&mut self) -> Res<Region> {
        let mark = self.p.mark();
        let r: Region = index(self.p.entity("r", "a region")?);
        if r.index() >= self.f.regions.len() {
            self.gap(r.index() - self.f.regions.len(), mark)?;
            while self.f.regions.len() <= r.index() {
                self.f.regions.push(RegionData::default());
            }
        }
        if !self.regions.insert(r) {
            return self.p.fail_at(mark, format!("redefinition of region `{r}`"));
        }
        if self.p.eat(b'(') && !self.p.eat(b')') {
            loop {
                let mark = self.p.mark();
                let v = index(self.p.entity("v", "a value")?);
                self.p.need(b':')?;
                let ty = self.p.ty()?;
                let n = self.f.regions[r].params.len() as u32;
                let def = ValueDef::Param(r, n);
                self.define(v, ValueData { ty, def }, mark)?;
                self.f.regions[r].params.push(v);
                if self.p.eat(b')') {
                    break;
                }
                self.p.need(b',')?;
            }
        }
        self.p.need(b':')?;
        Ok(r)
    }

    fn body(&mut self) -> Res<()> {
        let region = self.label()?;
        self.f.body = region;
        let mut stack = vec![Frame { inst: Inst::from_u32(0), region, open: Open::Body }];
        while let Some(top) = stack.last_mut() {
            let in_switch = matches!(top.open, Open::Switch { .. });
            let ends = self.p.is(b'}') || (in_switch && (self.p.is_word("case") || self.p.is_word("default")));
            if ends {
                if self.close(top)? {
                    stack.pop();
                }
            } else {
                let region = top.region;
                if let Some(frame) = self.inst(region)? {
                    stack.push(frame);
                }
            }
        }
        Ok(())
    }

    /// Ends the region that was read and starts the next one of the instruction. Whether there is none.
    fn close(&mut self, frame: &mut Frame) -> Res<bool> {
        let (inst, region) = (frame.inst, frame.region);
        let data = match &mut frame.open {
            Open::Body => {
                self.p.need(b'}')?;
                return Ok(true);
            }
            Open::Then(cond) => {
                frame.open = Open::Else(*cond, region);
                frame.region = self.between("else")?;
                return Ok(false);
            }
            Open::LoopBody(init) => {
                frame.open = Open::Continuing(std::mem::take(init), region);
                frame.region = self.between("continuing")?;
                return Ok(false);
            }
            Open::Switch { on, cases, arms, values } => {
                match values.take() {
                    Some(values) => arms.push((values, region)),
                    None => {
                        let arms = std::mem::take(arms);
                        let default = region;
                        self.f.cases[*cases] = CaseTable { arms, default };
                        let data = InstData::Switch { on: *on, cases: *cases };
                        return self.finish(inst, data);
                    }
                }
                *values = self.arm()?;
                frame.region = self.label()?;
                return Ok(false);
            }
            Open::Else(cond, then_) => InstData::If { cond: *cond, then_: *then_, else_: region },
            Open::Continuing(init, body) => InstData::Loop { init: self.f.list(init), body: *body, continuing: region },
            Open::Block => InstData::Block { body: region },
        };
        self.finish(inst, data)
    }

    fn finish(&mut self, inst: Inst, data: InstData) -> Res<bool> {
        self.p.need(b'}')?;
        self.f.insts[inst] = data;
        for r in self.f.regions_of(inst) {
            self.f.regions[r].owner = Some(inst);
        }
        Ok(true)
    }

    /// `} else { r3:`
    fn between(&mut self, word: &str) -> Res<Region> {
        self.p.need(b'}')?;
        self.p.need_word(word)?;
        self.p.need(b'{')?;
        self.label()
    }

    /// `case 1, 2` or `default`.
    pub fn arm(&mut self) -> Res<Option<Vec<i32>>> {
        if self.p.eat_word("default") {
            return Ok(None);
        }
        if !self.p.eat_word("case") {
            return self.p.expected("`case` or `default`");
        }
        let mut values = vec![self.p.i32()?];
        while self.p.eat(b',') {
            values.push(self.p.i32()?);
        }
        Ok(Some(values))
    }
}
