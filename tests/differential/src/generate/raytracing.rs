//! Ray-tracing libraries over a fixed scene: a ray generation shader that traces and calls, hit, miss and callable shaders.
//!
//! Rays hit one triangle in its middle or none, so that which shaders run depends on no rounding, and an any-hit shader runs once at most.

use super::statement::ITERATIONS;
use super::types::{Field, Numeric, Scalar, Struct, Type};
use super::{Generator, Variable};

/// What a trace costs, in statements.
const COST: u32 = 30;
/// Bytes of a payload, at most.
const PAYLOAD: u32 = 400;

/// What the shaders of a library agree on.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The structure of payloads, and that of callable shaders.
    payload: usize,
    parameter: usize,
    misses: u32,
    callables: u32,
    /// Members of payloads that hold few numbers only, wherever a payload is passed.
    narrow: Vec<(String, Few)>,
}

/// Which few numbers a member holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Few {
    /// Those of three bits.
    Bits,
    /// -2 to 2.
    Signed,
    /// One of two.
    Either,
    /// Always the same.
    Always,
    /// Always the index of the ray.
    Index,
}

impl Few {
    /// What gives a member one of its numbers.
    fn narrows(self, member: &str) -> String {
        match self {
            Few::Bits => format!("{member} &= 7u;"),
            Few::Signed => format!("{member} = {member} % 3;"),
            Few::Either => format!("{member} = {member} > 0.0f ? 1.5f : -0.25f;"),
            Few::Always => format!("{member} = 4u;"),
            Few::Index => format!("{member} = DispatchRaysIndex().x;"),
        }
    }
}

/// A system value: HLSL and its type.
type SystemValue = (&'static str, Numeric);
const UINT: Numeric = Numeric::scalar(Scalar::Uint);

impl Generator {
    /// The shaders of a library.
    pub(super) fn library(&mut self) -> String {
        let parameter = self.small_struct();
        let (payload, narrow) = match self.choices.one_in(2) {
            true => self.narrow_struct(),
            false => (self.small_struct(), Vec::new()),
        };
        let interface = Interface { payload, parameter, misses: 1 + self.choices.below(2), callables: self.choices.below(3), narrow };
        let any_hits = self.choices.below(3);
        let mut text = "RaytracingAccelerationStructure Scene : register(t8);\n".to_string();
        let ray: [SystemValue; 3] = [
            ("RayFlags()", UINT),
            ("WorldRayOrigin()", Numeric::vector(Scalar::Float, 3)),
            ("WorldRayDirection()", Numeric::vector(Scalar::Float, 3)),
        ];
        let mut hit: Vec<SystemValue> =
            vec![("PrimitiveIndex()", UINT), ("InstanceID()", UINT), ("InstanceIndex()", UINT), ("HitKind()", UINT)];
        hit.push(("ObjectToWorld3x4()", Numeric { scalar: Scalar::Float, rows: 3, columns: 4 }));
        if self.minor >= 5 {
            hit.push(("GeometryIndex()", UINT));
        }
        hit.extend(ray);
        let attributes = ", BuiltInTriangleIntersectionAttributes attributes";
        for i in 0..interface.callables {
            text += &self.stage("callable", &format!("Callable{i}"), parameter, "", &[], &interface);
        }
        for i in 0..2 {
            text += &self.stage("closesthit", &format!("Closest{i}"), payload, attributes, &hit, &interface);
        }
        for i in 0..any_hits {
            text += &self.stage("anyhit", &format!("Any{i}"), payload, attributes, &hit, &interface);
        }
        for i in 0..interface.misses {
            text += &self.stage("miss", &format!("Miss{i}"), payload, "", &ray, &interface);
        }
        self.begin();
        self.line("start(DispatchRaysIndex().x);");
        self.interface = Some(interface);
        self.may_trace = true;
        self.locals = self.slots.clone();
        self.inputs();
        self.budget = 16;
        self.trace();
        self.statements(10);
        if self.choices.below(2) == 1 {
            self.divergent_traces();
        }
        self.write_out();
        let body = std::mem::take(&mut self.text);
        format!("{text}[shader(\"raygeneration\")]\nvoid Main() {{\n{body}}}\n")
    }

    /// A structure for payloads: one that is there and small, or a new one.
    fn small_struct(&mut self) -> usize {
        let small = |s: &Struct| s.in_memory && s.bytes <= PAYLOAD;
        // The reference compiler takes no instances of templates in payloads.
        let fits: Vec<usize> =
            (0..self.structs.len()).filter(|&s| small(&self.structs[s]) && !self.has_template(&Type::Struct(s))).collect();
        if !fits.is_empty() {
            return self.choices.pick(&fits);
        }
        let name = self.name("S");
        let list = self.memory_scalars.clone();
        let mut fields = Vec::new();
        for _ in 0..1 + self.choices.below(3) {
            let scalar = self.choices.pick(&list);
            let ty = Type::Numeric(self.shaped(scalar));
            fields.push(Field { name: self.name("f"), ty, width: None, packing: "" });
        }
        let members: String = fields.iter().map(|f| format!("  {};\n", self.declare(&f.ty, &f.name))).collect();
        self.declarations += &format!("struct {name} {{\n{members}}};\n");
        self.structs.push(Struct { name, base: None, fields, bytes: PAYLOAD, in_memory: true, operators: false });
        self.structs.len() - 1
    }

    /// A structure for payloads of which some members hold few numbers.
    fn narrow_struct(&mut self) -> (usize, Vec<(String, Few)>) {
        let name = self.name("S");
        let list = self.memory_scalars.clone();
        let (mut fields, mut narrow) = (Vec::new(), Vec::new());
        for _ in 0..2 + self.choices.below(5) {
            let few =
                self.choices.pick(&[None, Some(Few::Bits), Some(Few::Signed), Some(Few::Either), Some(Few::Always), Some(Few::Index)]);
            let scalar = match few {
                None => self.choices.pick(&list),
                Some(Few::Bits | Few::Always | Few::Index) => Scalar::Uint,
                Some(Few::Signed) => Scalar::Int,
                Some(Few::Either) => Scalar::Float,
            };
            let field = self.name("f");
            narrow.extend(few.map(|few| (field.clone(), few)));
            fields.push(Field { name: field, ty: Type::Numeric(Numeric::scalar(scalar)), width: None, packing: "" });
        }
        let members: String = fields.iter().map(|f| format!("  {};\n", self.declare(&f.ty, &f.name))).collect();
        self.declarations += &format!("struct {name} {{\n{members}}};\n");
        self.structs.push(Struct { name, base: None, fields, bytes: PAYLOAD, in_memory: true, operators: false });
        (self.structs.len() - 1, narrow)
    }

    /// Makes the members of payload `p` that hold few numbers hold some of them.
    fn narrow(&mut self, interface: &Interface, p: &str) {
        for (member, few) in &interface.narrow {
            self.line(few.narrows(&format!("{p}.{member}")));
        }
    }

    /// A shader with a parameter `p`.
    fn stage(&mut self, stage: &str, name: &str, parameter: usize, more: &str, values: &[SystemValue], interface: &Interface) -> String {
        self.begin();
        self.uniform = false;
        self.may_return = true;
        self.line("start(DispatchRaysIndex().x);");
        self.interface = Some(interface.clone());
        for &(text, ty) in values {
            self.locals.push(Variable::constant(text, Type::Numeric(ty)));
        }
        let s = Type::Struct(parameter);
        // What is narrow when it is passed need not be before.
        let copies = stage != "callable" && !interface.narrow.is_empty();
        let t = self.structs[parameter].name.clone();
        if copies {
            self.line(format!("{t} p = io;"));
        }
        self.locals.push(Variable::local("p", s.clone()));
        self.budget = 6;
        self.statements(3);
        if stage == "anyhit" {
            let test = self.test();
            match self.choices.below(3) {
                1 => self.line(format!("if ({test}) IgnoreHit();")),
                2 => self.line(format!("if ({test}) AcceptHitAndEndSearch();")),
                _ => {}
            }
        }
        if stage != "anyhit" && stage != "callable" && interface.callables > 0 && self.choices.one_in(3) {
            self.call_shader(interface);
        }
        self.assign_to(&Variable::local("p", s));
        if copies {
            self.narrow(interface, "p");
            self.line("io = p;");
        }
        let body = std::mem::take(&mut self.text);
        let own = if copies { "io" } else { "p" };
        format!("[shader(\"{stage}\")]\nvoid {name}(inout {t} {own}{more}) {{\n{body}}}\n")
    }

    /// Assigns to some part of a variable.
    fn assign_to(&mut self, v: &Variable) {
        let path = self.path_into(v, 1);
        let value = self.storable(path.ty, 3);
        self.line(format!("{} = {value};", path.text));
    }

    /// A variable of a structure: one in scope, or a new one.
    fn variable_of(&mut self, s: usize) -> String {
        let ty = Type::Struct(s);
        let fit = |v: &&Variable| v.ty == ty && v.writable && !v.wild && v.slot.is_empty();
        let all: Vec<String> = self.locals.iter().filter(fit).map(|v| v.name.clone()).collect();
        if all.is_empty() || self.choices.one_in(3) {
            self.new_local(&ty)
        } else {
            all[self.choices.below(all.len() as u32) as usize].clone()
        }
    }

    fn call_shader(&mut self, interface: &Interface) {
        let c = self.variable_of(interface.parameter);
        let index = self.index(interface.callables, 2);
        self.line(format!("CallShader({index}, {c});"));
    }

    /// Traces, and something else now and then, in a scope of their own.
    fn traces(&mut self) {
        let scope = self.locals.len();
        self.indent += 1;
        for _ in 0..1 + self.choices.below(2) {
            self.trace();
            if self.choices.one_in(3) {
                self.assign();
            }
        }
        self.indent -= 1;
        self.locals.truncate(scope);
    }

    /// Traces in control flow in which the lanes of a wave part, in a shape that other statements rarely have.
    fn divergent_traces(&mut self) {
        let (lane, name) = (self.expression(Numeric::scalar(Scalar::Uint), 2).text, self.name("d"));
        self.line(format!("uint {name} = ({lane} ^ T) % 5u;"));
        match self.choices.below(5) {
            // One in each arm, or in the arms of an arm.
            0 => {
                self.line(format!("if ({name} < 2u) {{"));
                self.traces();
                self.line(format!("}} else if ({name} < 4u) {{"));
                self.traces();
                self.line("} else {");
                self.traces();
                self.line("}");
            }
            // A loop that lanes go on with, and leave, before and after a trace.
            1 => self.loop_of_traces(&name),
            // A loop in a loop that both are left from within.
            2 => {
                let outer = self.name("i");
                self.line(format!("for (uint {outer} = 0u; {outer} < 1u + {name} % 2u; ++{outer}) {{"));
                self.indent += 1;
                self.in_loop(2, |g| {
                    g.loop_of_traces(&name);
                    let test = g.test();
                    g.line(format!("if ({test}) break;"));
                    g.traces();
                });
                self.indent -= 1;
                self.line("}");
            }
            // Cases that fall through.
            3 => {
                self.line(format!("switch ({name}) {{"));
                for case in ["case 0u:", "case 2u:", "case 3u:", "default:"] {
                    self.line(case);
                    self.line("{");
                    self.traces();
                    self.line("}");
                    match self.choices.below(3) {
                        0 => {}
                        1 => self.line("break;"),
                        _ => {
                            let test = self.test();
                            self.line(format!("if ({test}) break;"));
                        }
                    }
                }
                self.line("break;");
                self.line("}");
            }
            // Lanes leave one after the other.
            _ => {
                self.line("do {");
                for n in 1..4 {
                    self.line(format!("if ({name} < {n}u) break;"));
                    self.traces();
                }
                self.line("} while (false);");
            }
        }
    }

    /// A loop of at most three iterations whose number differs by lane.
    fn loop_of_traces(&mut self, lane: &str) {
        let i = self.name("i");
        let attribute = self.choices.pick(&["", "[loop] "]);
        self.line(format!("{attribute}for (uint {i} = 0u; {i} < {lane} % 4u; ++{i}) {{"));
        self.in_loop(3, |g| {
            g.indent += 1;
            for exit in ["continue", "break"] {
                if g.choices.one_in(2) {
                    let test = g.test();
                    g.line(format!("if ({test}) {exit};"));
                }
                g.traces();
            }
            g.indent -= 1;
        });
        self.line("}");
    }

    /// Traces a ray, or calls a shader.
    pub(super) fn trace(&mut self) {
        let Some(interface) = self.interface.clone() else {
            return self.assign();
        };
        if self.repeat * COST > ITERATIONS * COST / 2 {
            return self.assign();
        }
        self.cost += COST * self.repeat;
        if interface.callables > 0 && self.choices.one_in(4) {
            return self.call_shader(&interface);
        }
        let p = self.variable_of(interface.payload);
        self.narrow(&interface, &p);
        let (x, y) = (self.index(6, 2), self.index(2, 2));
        let ray = self.name("ray");
        self.line(format!("RayDesc {ray};"));
        self.line(format!("{ray}.Origin = float3(3.0f * (float){x}, 5.0f * (float){y}, -5.0f);"));
        self.line(format!("{ray}.TMin = 0.0f;"));
        self.line(format!("{ray}.Direction = float3(0.0f, 0.0f, 1.0f);"));
        self.line(format!("{ray}.TMax = 100.0f;"));
        let flags = self.choices.pick(&[
            "RAY_FLAG_NONE",
            "RAY_FLAG_FORCE_OPAQUE",
            "RAY_FLAG_FORCE_NON_OPAQUE",
            "RAY_FLAG_SKIP_CLOSEST_HIT_SHADER",
            "RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH",
            "(T & 1u)",
        ]);
        let miss = self.index(interface.misses, 2);
        self.line(format!("TraceRay(Scene, {flags}, 0xffu, 0u, 0u, {miss}, {ray}, {p});"));
    }
}
