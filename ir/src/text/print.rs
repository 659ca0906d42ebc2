//! The printer of the text form. It prints any module, also one that the verifier rejects: a reference to an entity that does
//! not exist prints as its number.

use rtc_base::{EntitySet, Span};
use rtc_tables::resources::CompType;
use rtc_tables::signature::SigPoint;

use super::{Note, Notes, lex::quote, literal};
use crate::analysis::{Event, Walk};
use crate::{
    BindPlace, DeclKind, Element, ElementData, ElementRole, Func, Function, GlobalKind, Inst, InstData, LocalData, Module, Numbers, Opcode,
    Paq, PaqStage, Param, Props, RefMode, Region, SlotData, SlotRole, StageState, SubobjectKind, Type, TypeKind, Value, ValueDef,
};

/// Prints modules and parts of them.
pub(super) struct Printer<'a> {
    pub m: &'a Module,
    pub notes: Option<&'a Notes>,
    pub out: String,
    /// Where the lines of functions and instructions end in `out`, with their spans; none if they are not requested.
    pub spans: Option<Vec<(usize, Span)>>,
}

/// How `in`, `out` and `inout` reference parameters are written.
pub(super) const REF_MODES: [(RefMode, &str); 3] = [(RefMode::In, "in"), (RefMode::Out, "out"), (RefMode::InOut, "inout")];

/// Whether the immediate of `op` is printed as the name of a reduction among lanes.
pub(super) fn imm_is_wave_op(op: Opcode) -> bool {
    use Opcode as O;
    matches!(op, O::wave_active_op | O::wave_prefix_op | O::wave_multi_prefix_op)
}

/// Whether the immediate of `op` is printed as the name of an atomic operation.
pub(super) fn imm_is_atomic(op: Opcode) -> bool {
    use Opcode as O;
    matches!(op, O::var_atomic | O::buf_atomic | O::raw_atomic | O::tex_atomic)
}

/// Writes to the printer's text.
macro_rules! put {
    ($p:expr, $($arg:tt)*) => { { let _ = std::fmt::Write::write_fmt(&mut $p.out, format_args!($($arg)*)); } };
}
pub(super) use put;

impl Printer<'_> {
    pub fn module(&mut self) {
        let m = self.m;
        put!(self, "module sm 6.{}", m.shader_model);
        if m.native_16bit {
            self.out.push_str(" native16");
        }
        if let Some(mode) = m.denormals {
            put!(self, " denorm {}", mode.name());
        }
        if !m.props.is_empty() {
            let names: Vec<_> = Props::NAMES.iter().filter(|(p, _)| m.props.contains(*p)).map(|p| p.1).collect();
            put!(self, " props({})", names.join(" "));
        }
        self.end(Note::Module);
        self.inline_types();
        for (s, data) in &m.structs {
            put!(self, "\nstruct {s} ");
            self.quoted(&data.name);
            if let Some(base) = &data.base {
                self.out.push_str(" base ");
                self.quoted(base);
            }
            if data.raypayload {
                self.out.push_str(" raypayload");
            }
            self.out.push_str(" {");
            self.end(Note::Struct(s));
            for f in &data.fields {
                self.out.push_str("  ");
                self.quoted(&f.name);
                self.out.push_str(" : ");
                self.ty(f.ty);
                if !f.hlsl.is_empty() {
                    self.out.push_str(" hlsl ");
                    self.quoted(&f.hlsl);
                }
                self.numbers(f.numbers);
                if let Some(Paq { read, write }) = f.paq {
                    put!(self, " read({}) write({})", paq(read), paq(write));
                }
                if let Some(o) = f.offset {
                    put!(self, " offset {o}");
                }
                if f.precise {
                    self.out.push_str(" precise");
                }
                self.out.push('\n');
            }
            self.out.push_str("}\n");
        }
        self.inline_module();
        if !m.globals.is_empty() {
            self.out.push('\n');
        }
        for g in m.globals.keys() {
            self.global(g);
        }
        if !m.subobjects.is_empty() {
            self.out.push('\n');
        }
        for n in 0..m.subobjects.len() {
            self.subobject(n);
        }
        for f in m.funcs.keys() {
            self.out.push('\n');
            self.function(f);
        }
    }

    /// Ends the line of the thing `n`, with what there is to say about it.
    fn end(&mut self, n: Note) {
        if let Some(texts) = self.notes.and_then(|notes| notes.get(&n)) {
            for t in texts {
                put!(self, " ; error: {}", t.replace('\n', " "));
            }
        }
        if let Some(spans) = &mut self.spans {
            let span = match n {
                Note::Func(f) => self.m.funcs[f].span,
                Note::Inst(f, i) => self.m.funcs[f].spans[i],
                Note::Global(g) => self.m.globals[g].span,
                _ => Span::NONE,
            };
            spans.push((self.out.len(), span));
        }
        self.out.push('\n');
    }

    pub(super) fn quoted(&mut self, s: &str) {
        quote(s, &mut self.out);
    }

    fn numbers(&mut self, numbers: Option<Numbers>) {
        if let Some(n) = numbers {
            put!(self, " as {n}");
        }
    }

    fn names(&mut self, name: &str, symbol: &str) {
        self.quoted(name);
        if symbol != name {
            self.out.push_str(" symbol ");
            self.quoted(symbol);
        }
    }

    pub fn ty(&mut self, t: Type) {
        // Arrays nest only as deep as types do, and types are made bottom up: follow them in a loop.
        let (mut t, mut depth) = (t, 0);
        loop {
            if !self.m.types.is_valid(t) {
                put!(self, "{t}");
                break;
            }
            match self.m.types.kind(t) {
                TypeKind::Scalar(s) => put!(self, "{}", s.name()),
                TypeKind::Vector(s, n) => put!(self, "{}x{n}", s.name()),
                TypeKind::Array(e, n) => {
                    put!(self, "[{n} x ");
                    (t, depth) = (e, depth + 1);
                    continue;
                }
                TypeKind::Struct(s) => put!(self, "{s}"),
                TypeKind::Spirv(s) => put!(self, "{s}"),
                TypeKind::HitObject => self.out.push_str("hitobj"),
                TypeKind::Linalg(m) => put!(self, "linalg({m})"),
                TypeKind::RayQuery(flags, query_flags) => {
                    put!(self, "query({flags} {query_flags})")
                }
                TypeKind::Resource(r) => {
                    put!(self, "res({} {}", r.class.name(), r.kind.name());
                    if let Some(e) = r.elem {
                        self.out.push_str(" of ");
                        self.ty(e);
                    }
                    if r.comp != CompType::Invalid {
                        put!(self, " comp {}", r.comp.name());
                    }
                    if r.stride != 0 {
                        put!(self, " stride {}", r.stride);
                    }
                    if r.samples != 0 {
                        put!(self, " samples {}", r.samples);
                    }
                    for (name, _) in r.flags.iter_names() {
                        put!(self, " {}", name.to_lowercase());
                    }
                    self.out.push(')');
                }
            }
            break;
        }
        self.out.extend(std::iter::repeat_n(']', depth));
    }

    fn global(&mut self, id: crate::Global) {
        let g = &self.m.globals[id];
        put!(self, "{id} = ");
        match &g.kind {
            GlobalKind::Resource(r) => {
                self.out.push_str("resource ");
                self.names(&g.name, &g.symbol);
                self.out.push_str(" : ");
                self.ty(r.ty);
                if r.array {
                    self.out.push_str(" array");
                }
                match r.count {
                    None => self.out.push_str(" unbounded"),
                    Some(1) if !r.array => {}
                    Some(n) => put!(self, " count {n}"),
                }
                if let Some(n) = r.binding.register {
                    put!(self, " register {n}");
                }
                put!(self, " space {}", r.binding.space);
                if let Some(n) = r.binding.counter {
                    put!(self, " counter {n}");
                }
                match r.binding.place {
                    BindPlace::Registers => {}
                    BindPlace::Push => put!(self, " push"),
                    BindPlace::Record => put!(self, " record"),
                    BindPlace::Tail => put!(self, " tail"),
                }
                if r.binding.other_letter {
                    self.out.push_str(" other_letter");
                }
                if let Some((b, s)) = r.binding.vk {
                    put!(self, " vk {b} {s}");
                }
                if let Some((n, of)) = r.binding.element {
                    put!(self, " element {n} {of}");
                }
                if let Some(f) = r.binding.format {
                    put!(self, " format {}", f.name());
                }
                if r.binding.combined {
                    self.out.push_str(" combined");
                }
                if r.kind != DeclKind::Variable {
                    put!(self, " {}", DeclKind::NAMES[r.kind as usize].1);
                }
                if let Some(t) = r.layout {
                    self.out.push_str(" layout ");
                    self.ty(t);
                }
                if !r.hlsl.is_empty() {
                    self.out.push_str(" hlsl ");
                    self.quoted(&r.hlsl);
                }
                self.numbers(r.element);
            }
            GlobalKind::GroupShared(t) => self.variable("groupshared", g, *t),
            GlobalKind::Private(t, bits) => {
                self.variable("private", g, *t);
                if let Some(bits) = bits {
                    self.bits(bits);
                }
            }
            GlobalKind::Inline(v) => {
                self.variable("spirv", g, v.ty);
                put!(self, " class {}", v.class);
            }
            GlobalKind::Table(t, bits) => {
                self.variable("table", g, *t);
                self.bits(bits);
            }
        }
        if g.precise {
            self.out.push_str(" precise");
        }
        self.decorations(&g.decorations);
        self.end(Note::Global(id));
    }

    fn variable(&mut self, kind: &str, g: &crate::GlobalData, t: Type) {
        put!(self, "{kind} ");
        self.names(&g.name, &g.symbol);
        self.out.push_str(" : ");
        self.ty(t);
    }

    fn bits(&mut self, bits: &[u64]) {
        self.out.push_str(" = (");
        for (i, b) in bits.iter().enumerate() {
            put!(self, "{}{b:#x}", if i > 0 { ", " } else { "" });
        }
        self.out.push(')');
    }

    fn subobject(&mut self, n: usize) {
        let s = &self.m.subobjects[n];
        self.out.push_str("subobject ");
        self.quoted(&s.name);
        use SubobjectKind as K;
        let strings: &[&str] = match &s.kind {
            K::StateObjectConfig(flags) => {
                put!(self, " = state_object_config {flags}");
                &[]
            }
            K::ShaderConfig(a, b) => {
                put!(self, " = shader_config {a} {b}");
                &[]
            }
            K::PipelineConfig(a) => {
                put!(self, " = pipeline_config {a}");
                &[]
            }
            K::PipelineConfig1(a, b) => {
                put!(self, " = pipeline_config1 {a} {b}");
                &[]
            }
            K::GlobalRootSignature(a) => {
                self.out.push_str(" = global_root_signature");
                &[a]
            }
            K::LocalRootSignature(a) => {
                self.out.push_str(" = local_root_signature");
                &[a]
            }
            K::Association(a, exports) => {
                self.out.push_str(" = association ");
                self.quoted(a);
                self.out.push_str(" (");
                for (i, e) in exports.iter().enumerate() {
                    self.out.push_str(if i > 0 { ", " } else { "" });
                    self.quoted(e);
                }
                self.out.push(')');
                &[]
            }
            K::TriangleHitGroup(a, b) => {
                self.out.push_str(" = triangle_hit_group");
                &[a, b]
            }
            K::ProceduralHitGroup(a, b, c) => {
                self.out.push_str(" = procedural_hit_group");
                &[a, b, c]
            }
        };
        for text in strings {
            self.out.push(' ');
            self.quoted(text);
        }
        self.end(Note::Subobject(n));
    }

    pub fn function(&mut self, id: Func) {
        let f = &self.m.funcs[id];
        put!(self, "fn {id} ");
        self.names(&f.name, &f.symbol);
        put!(self, " stage {}", f.stage.name());
        if f.exported {
            self.out.push_str(" exported");
        }
        if f.declared {
            self.out.push_str(" declared");
        }
        if let Some(inst) = &f.inline {
            self.inline_inst(inst);
        }
        self.entry_state(f);
        if let Some(t) = f.ret {
            self.out.push_str(" -> ");
            self.ty(t);
        }
        self.out.push_str(" {");
        self.end(Note::Func(id));
        if !f.params.is_empty() {
            self.out.push_str("  params ");
            for (i, p) in f.params.iter().enumerate() {
                self.out.push_str(if i > 0 { ", " } else { "" });
                match p {
                    Param::Value(v) => put!(self, "{v}"),
                    Param::Ref(l) => put!(self, "{l}"),
                }
            }
            self.out.push('\n');
        }
        for (l, LocalData { ty, name, param, matrices, precise }) in &f.locals {
            put!(self, "  {l} = ");
            match param {
                None => self.out.push_str("local "),
                Some(mode) => put!(self, "ref {} ", REF_MODES[*mode as usize].1),
            }
            if *precise {
                self.out.push_str("precise ");
            }
            self.ty(*ty);
            self.named(name);
            self.numbers(*matrices);
            self.end(Note::Local(id, l));
        }
        for (s, SlotData { role, ty, name }) in &f.slots {
            put!(self, "  {s} = {} ", SlotRole::ALL[*role as usize].1);
            self.ty(*ty);
            self.named(name);
            self.end(Note::Slot(id, s));
        }
        for (id, e) in &f.elements {
            self.element(id, e);
        }
        self.constants(id, f);
        self.body(id, f);
        self.out.push_str("}\n");
    }

    /// What the attributes of a function say.
    fn entry_state(&mut self, f: &Function) {
        if let Some([x, y, z]) = f.numthreads {
            put!(self, " numthreads({x}, {y}, {z})");
        }
        if let Some([least, most, preferred]) = f.wave_size {
            put!(self, " wavesize({least}, {most}, {preferred})");
        }
        if let Some(bytes) = f.groupshared_limit {
            put!(self, " groupsharedlimit({bytes})");
        }
        self.state(&f.state);
        if f.early_depth_stencil {
            self.out.push_str(" earlydepthstencil");
        }
        if f.helper_lanes {
            self.out.push_str(" helperlanes");
        }
        if f.attributes.no_inline {
            self.out.push_str(" noinline");
        }
        for (name, value) in &f.attributes.experimental {
            self.out.push_str(" experimental(");
            self.quoted(name);
            self.out.push_str(", ");
            self.quoted(value);
            self.out.push(')');
        }
    }

    /// The constants and undefined values that the body uses.
    fn constants(&mut self, id: Func, f: &Function) {
        let used = used_values(f);
        for (v, data) in &f.values {
            match data.def {
                ValueDef::Const(bits) if used.contains(v) => {
                    put!(self, "  {v} = const ");
                    self.ty(data.ty);
                    self.out.push(' ');
                    let scalar = match self.m.types.is_valid(data.ty) {
                        true => self.m.types.numeric(data.ty).filter(|n| n.1 == 1),
                        false => None,
                    };
                    literal::write(&mut self.out, scalar.map(|n| n.0), bits);
                }
                ValueDef::Undef if used.contains(v) => {
                    put!(self, "  {v} = undef ");
                    self.ty(data.ty);
                }
                _ => continue,
            }
            self.end(Note::Value(id, v));
        }
    }

    fn state(&mut self, state: &StageState) {
        match *state {
            StageState::None => {}
            StageState::PatchConstants => self.out.push_str(" patchconstants"),
            StageState::Geometry(s) => {
                let (primitive, topology) = (s.primitive.number(), s.topology as u32);
                put!(self, " geometry({primitive}, {topology}, {}, {}, {})", s.max_vertices, s.instances, s.streams);
            }
            StageState::Hull(s) => {
                let domain = s.domain.map_or(0, |d| d as u32);
                let (partitioning, output) = (s.partitioning.map_or(0, |p| p as u32), s.output.map_or(0, |o| o as u32));
                put!(self, " hull({}, {}, {domain}, {partitioning}, {output})", s.input_points, s.output_points);
                if let Some(bits) = s.max_factor {
                    put!(self, " factor({bits})");
                }
                if let Some(f) = s.patch_constants {
                    put!(self, " patch {f}");
                }
            }
            StageState::Domain(s) => put!(self, " domain({}, {})", s.domain as u32, s.input_points),
            StageState::Mesh(s) => {
                put!(self, " mesh({}, {}, {})", s.max_vertices, s.max_primitives, s.topology as u32);
                if let Some(t) = s.payload {
                    self.out.push_str(" payload ");
                    self.ty(t);
                }
            }
        }
    }

    fn element(&mut self, id: Element, e: &ElementData) {
        put!(self, "  {id} = {} {} ", ElementRole::ALL[e.role as usize].1, SigPoint::ALL[e.point as usize].1);
        self.quoted(&e.name);
        put!(self, " {} {} {}", e.index, e.semantic.number(), e.component.name());
        put!(self, " {} x {} x {}", e.count, e.rows, e.columns);
        if e.stream > 0 {
            put!(self, " stream({})", e.stream);
        }
        if e.numbered {
            self.out.push_str(" numbered");
        }
        if e.column_major {
            self.out.push_str(" columns");
        }
        put!(self, " {}", e.interpolation.name());
        if let Some(n) = e.location {
            put!(self, " location({n})");
        }
        if let Some(n) = e.blend_index {
            put!(self, " index({n})");
        }
        if let Some(b) = e.builtin {
            put!(self, " builtin {}", b.info().name);
        }
        if let Some(s) = &e.spread {
            put!(self, " spread({}, {})", s.array, s.size);
            for n in s.indices.iter().chain(&s.locations) {
                put!(self, " {n}");
            }
        }
        self.decorations(&e.decorations);
        self.out.push('\n');
    }

    fn named(&mut self, name: &str) {
        if !name.is_empty() {
            self.out.push(' ');
            self.quoted(name);
        }
    }

    /// Prints all regions. The function may be malformed: what does not exist, and what was printed before, is marked.
    fn body(&mut self, id: Func, f: &Function) {
        let mut seen: EntitySet<Region> = EntitySet::new();
        // The constructs around, each with how many of its regions are printed.
        let mut open: Vec<(Inst, usize)> = Vec::new();
        let mut walk = Walk::new(f.body);
        while let Some(event) = walk.next(f) {
            match event {
                Event::Enter(r) => {
                    if let Some((i, nth)) = open.last_mut() {
                        let (i, n) = (*i, *nth);
                        *nth += 1;
                        self.separator(f, i, n, open.len() - 1);
                    }
                    self.indent(open.len());
                    put!(self, "{r}");
                    let Some(data) = f.regions.get(r) else {
                        self.out.push_str(": ; error: no such region\n");
                        continue;
                    };
                    if !data.params.is_empty() {
                        self.out.push('(');
                        for (i, &p) in data.params.iter().enumerate() {
                            put!(self, "{}{p}: ", if i > 0 { ", " } else { "" });
                            self.value_ty(f, p);
                        }
                        self.out.push(')');
                    }
                    self.out.push(':');
                    if !seen.insert(r) {
                        self.out.push_str(" ; error: printed before\n");
                        walk.skip();
                        continue;
                    }
                    self.end(Note::Region(id, r));
                }
                Event::Inst(_, i) => {
                    self.indent(open.len() + 1);
                    if f.insts.get(i).is_none() {
                        put!(self, "{i} ; error: no such instruction\n");
                        continue;
                    }
                    self.inst(f, i);
                    self.end(Note::Inst(id, i));
                    if f.owns_regions(i) {
                        open.push((i, 0));
                    }
                }
                Event::End(..) => {
                    self.indent(open.len());
                    self.out.push_str("}\n");
                    open.pop();
                }
                Event::Leave(_) => {}
            }
        }
    }

    /// Prints what is before region number `nth` of control instruction `i`.
    fn separator(&mut self, f: &Function, i: Inst, nth: usize, depth: usize) {
        let text = match (f.insts[i], nth) {
            (InstData::Switch { cases, .. }, _) => match f.cases.get(cases).and_then(|t| t.arms.get(nth)) {
                Some((values, _)) => {
                    let values: Vec<_> = values.iter().map(i32::to_string).collect();
                    &format!("case {}", values.join(", "))
                }
                None => "default",
            },
            (InstData::If { .. }, 1) => "} else {",
            (InstData::Loop { .. }, 1) => "} continuing {",
            _ => return,
        };
        self.indent(depth + 1);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn indent(&mut self, depth: usize) {
        // Depth is shown up to a point: text must not be quadratic in it.
        let depth = depth.min(40);
        self.out.extend(std::iter::repeat_n("  ", depth));
    }
}

/// The values that instructions of the body, or the function's parameters, name.
fn used_values(f: &Function) -> EntitySet<Value> {
    let mut used = EntitySet::new();
    let mut seen: EntitySet<Region> = EntitySet::new();
    let mut walk = Walk::new(f.body);
    while let Some(event) = walk.next(f) {
        match event {
            Event::Enter(r) if !seen.insert(r) => walk.skip(),
            Event::Inst(_, i) if f.insts.get(i).is_some() => f.for_each_operand(i, |v| {
                used.insert(v);
            }),
            _ => {}
        }
    }
    for p in &f.params {
        if let Param::Value(v) = p {
            used.insert(*v);
        }
    }
    used
}

fn paq(set: u8) -> String {
    let names = PaqStage::members(set).map(PaqStage::name);
    names.collect::<Vec<_>>().join(" ")
}
