//! Random shaders of the graphics pipeline whose signatures are what matters: elements of all types and shapes, in structures, parameters and
//! results, with system values and interpolation modifiers; some are read or written in part, by a dynamic index, or not at all.
//!
//! As for whole programs ([`crate::generate`]), a shader is a function of a sequence of choices.

use std::fmt::Write as _;

use rtc_tables::signature::SigPoint;
use rtc_tables::stages::Stage;

use super::elements::{Elements, Leaf};
use crate::choices::Choices;

/// A shader.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Its text; the entry point is `main`.
    pub source: String,
    /// The profile that it is compiled for.
    pub profile: String,
    /// Whether `half` and its like have 16 bits.
    pub native_16bit: bool,
    /// The choices that it follows from.
    pub choices: Vec<u32>,
}

/// The shader of a seed.
pub fn random(seed: u64) -> Shader {
    generate(Choices::random(seed))
}

/// The shader of a sequence of choices.
pub fn generate(choices: Choices) -> Shader {
    let mut c = choices;
    let stage = c.pick(&[Stage::Vertex, Stage::Pixel, Stage::Geometry, Stage::Hull, Stage::Domain, Stage::Mesh]);
    let native_16bit = c.one_in(3);
    let least = if stage == Stage::Mesh { 5 } else { 2 * u32::from(native_16bit) };
    // 6.6 is the last model whose containers the pinned reference validator checks.
    let model = least + c.below(7 - least);
    let mut w = Writer { e: Elements::new(c, native_16bit, model), functions: String::new() };
    match stage {
        Stage::Vertex => w.vertex(),
        Stage::Pixel => w.pixel(),
        Stage::Geometry => w.geometry(),
        Stage::Hull => w.hull(),
        Stage::Domain => w.domain(),
        _ => w.mesh(),
    }
    let source = w.e.structures.clone() + &w.functions;
    Shader { source, profile: format!("{}_6_{model}", stage.info().profile), native_16bit, choices: w.e.c.taken() }
}

/// Most of the elements of a signature go through a structure, few through parameters.
const IN_STRUCTURE: u32 = 7;
const IN_PARAMETERS: u32 = 3;

/// The domains of patches: the name, components of a location, and the factors of edges and of the inside.
const DOMAINS: [(&str, u32, u32, u32); 3] = [("tri", 3, 3, 1), ("quad", 2, 4, 2), ("isoline", 2, 2, 0)];

struct Writer {
    e: Elements,
    functions: String,
}

impl Writer {
    fn vertex(&mut self) {
        self.plain(SigPoint::VsIn, SigPoint::VsOut, "");
    }

    fn pixel(&mut self) {
        let early = if self.e.c.one_in(4) { "[earlydepthstencil] " } else { "" };
        self.plain(SigPoint::PsIn, SigPoint::PsOut, early);
    }

    /// A function whose inputs and outputs are structures and plain parameters.
    fn plain(&mut self, input: SigPoint, output: SigPoint, attributes: &str) {
        let (ins, mut reads) = self.e.structure("I", input, IN_STRUCTURE);
        let (outs, mut writes) = self.e.structure("O", output, IN_STRUCTURE);
        let mut parameters = Vec::new();
        if let Some(name) = &ins {
            parameters.push(format!("{name} i"));
        }
        reads = reads.iter().map(|l| l.member_of("i")).collect();
        writes = writes.iter().map(|l| l.member_of("o")).collect();
        let (more, leaves) = self.e.parameters(input, IN_PARAMETERS, "");
        parameters.extend(more);
        reads.extend(leaves);
        let (more, leaves) = self.e.parameters(output, IN_PARAMETERS, "out ");
        parameters.extend(more);
        let declared = outs.as_deref().unwrap_or("void");
        let body = self.body(&reads, &[writes, leaves].concat());
        self.e.shuffle(&mut parameters);
        let (before, after) = match &outs {
            Some(name) => (format!("{name} o{};", self.initial(name)), " return o;"),
            None => (String::new(), ""),
        };
        let _ = write!(self.functions, "{attributes}{declared} main({}) {{\n{before}\n{body}{after}\n}}\n", parameters.join(", "));
    }

    /// Zeros, or nothing, as the initial value of a structure.
    fn initial(&mut self, name: &str) -> String {
        if self.e.c.one_in(2) { String::new() } else { format!(" = ({name})0") }
    }

    /// Statements that write outputs, each of some inputs.
    fn body(&mut self, reads: &[Leaf], writes: &[Leaf]) -> String {
        let mut text = String::new();
        for w in writes {
            text += &self.e.write(w, reads);
        }
        text
    }

    fn geometry(&mut self) {
        let (name, count) = self.e.c.pick(&[("point", 1), ("line", 2), ("triangle", 3), ("lineadj", 4), ("triangleadj", 6), ("patch", 0)]);
        let count = if count == 0 { 1 + self.e.c.below(32) } else { count };
        let (ins, mut reads) = self.e.structure_of_some("I", SigPoint::GsVIn, IN_STRUCTURE);
        reads = self.at(&reads, "i", count);
        let streams = 1 + if self.e.c.one_in(3) { self.e.c.below(4) } else { 0 };
        let kind = if streams > 1 { "Point" } else { self.e.c.pick(&["Point", "Line", "Triangle"]) };
        let mut parameters = vec![match name {
            "patch" => format!("InputPatch<{ins}, {count}> i"),
            _ => format!("{name} {ins} i[{count}]"),
        }];
        if self.e.c.one_in(3) {
            parameters.push("uint primitive : SV_PrimitiveID".into());
            reads.push(Leaf::uint("primitive"));
        }
        if self.e.c.one_in(3) {
            parameters.push("uint instance : SV_GSInstanceID".into());
            reads.push(Leaf::uint("instance"));
        }
        let mut statements = String::new();
        for s in 0..streams {
            self.e.new_signature();
            let (outs, mut writes) = self.e.structure_of_some(&format!("O{s}"), SigPoint::GsOut, 2 + IN_STRUCTURE / streams);
            writes = writes.iter().map(|l| l.member_of(&format!("o{s}"))).collect();
            parameters.push(format!("inout {kind}Stream<{outs}> s{s}"));
            let initial = self.initial(&outs);
            let body = self.body(&reads, &writes);
            let _ = write!(statements, "{outs} o{s}{initial};\n{body}s{s}.Append(o{s});\n");
        }
        let instances = if self.e.c.one_in(3) { format!("[instance({})] ", 1 + self.e.c.below(8)) } else { String::new() };
        let most = 1 + self.e.c.below(8);
        let _ = write!(self.functions, "{instances}[maxvertexcount({most})] void main({}) {{\n{statements}}}\n", parameters.join(", "));
    }

    /// The structure of patch constants, with factors of tessellation at random positions.
    fn patch_constants(&mut self, point: SigPoint, domain: (&str, u32, u32, u32)) -> (String, Vec<Leaf>) {
        let mut factors = vec![("SV_TessFactor", domain.2)];
        if domain.3 > 0 {
            factors.push(("SV_InsideTessFactor", domain.3));
        }
        self.e.structure_with("P", point, IN_STRUCTURE, &factors)
    }

    /// The members of random elements of an array.
    fn at(&mut self, members: &[Leaf], array: &str, count: u32) -> Vec<Leaf> {
        members.iter().map(|l| l.member_of(&format!("{array}[{}]", self.e.c.below(count)))).collect()
    }

    fn hull(&mut self) {
        let domain = self.e.c.pick(&DOMAINS);
        let (ins, reads) = self.e.structure_of_some("I", SigPoint::HsCpIn, IN_STRUCTURE);
        let (outs, mut writes) = self.e.structure_of_some("O", SigPoint::HsCpOut, IN_STRUCTURE);
        let (constants, mut patch_writes) = self.patch_constants(SigPoint::PcOut, domain);
        let (points, out_points) = (1 + self.e.c.below(4), 1 + self.e.c.below(4));
        let mut control = self.at(&reads, "i", points);
        control.push(Leaf::uint("id"));
        let patch = [self.at(&reads, "i", points), self.at(&writes, "q", out_points)].concat();
        writes = writes.iter().map(|l| l.member_of("o")).collect();
        patch_writes = patch_writes.iter().map(|l| l.member_of("p")).collect();
        let initial = self.initial(&outs);
        let body = self.body(&control, &writes);
        let uses_outputs = self.e.c.one_in(3);
        let patch: Vec<Leaf> = patch.into_iter().filter(|l| uses_outputs || l.path.starts_with('i')).collect();
        let patch_initial = self.initial(&constants);
        let patch_body = self.body(&patch, &patch_writes);
        let partition = self.e.c.pick(&["integer", "fractional_even", "fractional_odd", "pow2"]);
        let topology = match domain.0 {
            "isoline" => self.e.c.pick(&["line", "point"]),
            _ => self.e.c.pick(&["triangle_cw", "triangle_ccw", "point"]),
        };
        let outputs = if uses_outputs { format!(", const OutputPatch<{outs}, {out_points}> q") } else { String::new() };
        let _ = write!(
            self.functions,
            "{constants} Constants(InputPatch<{ins}, {points}> i{outputs}) {{\n{constants} p{patch_initial};\n{patch_body}return p;\n}}\n\
             [domain(\"{}\")] [partitioning(\"{partition}\")] [outputtopology(\"{topology}\")] [outputcontrolpoints({out_points})]\n\
             [patchconstantfunc(\"Constants\")] {outs} main(InputPatch<{ins}, {points}> i, uint id : SV_OutputControlPointID) {{\n\
             {outs} o{initial};\n{body}return o;\n}}\n",
            domain.0
        );
    }

    fn domain(&mut self) {
        let domain = self.e.c.pick(&DOMAINS);
        let (ins, reads) = self.e.structure_of_some("I", SigPoint::DsCpIn, IN_STRUCTURE);
        let (constants, patch) = self.patch_constants(SigPoint::DsIn, domain);
        let (outs, mut writes) = self.e.structure_of_some("O", SigPoint::DsOut, IN_STRUCTURE);
        let points = 1 + self.e.c.below(4);
        let mut all = self.at(&reads, "i", points);
        all.extend(patch.iter().map(|l| l.member_of("p")));
        all.push(Leaf::floats("location", domain.1));
        writes = writes.iter().map(|l| l.member_of("o")).collect();
        let initial = self.initial(&outs);
        let body = self.body(&all, &writes);
        let mut parameters = vec![
            format!("{constants} p"),
            format!("float{} location : SV_DomainLocation", domain.1),
            format!("const OutputPatch<{ins}, {points}> i"),
        ];
        self.e.shuffle(&mut parameters);
        let _ = write!(
            self.functions,
            "[domain(\"{}\")] {outs} main({}) {{\n{outs} o{initial};\n{body}return o;\n}}\n",
            domain.0,
            parameters.join(", ")
        );
    }

    fn mesh(&mut self) {
        let (name, indices) = self.e.c.pick(&[("triangle", 3), ("line", 2)]);
        let (outs, mut writes) = self.e.structure_of_some("V", SigPoint::MsOut, IN_STRUCTURE);
        self.e.new_signature();
        let (primitives, mut primitive_writes) = self.e.structure("P", SigPoint::MsPOut, IN_STRUCTURE);
        let (vertices, count) = (1 + self.e.c.below(64), 1 + self.e.c.below(64));
        writes = writes.iter().map(|l| l.member_of("v[t]")).collect();
        primitive_writes = primitive_writes.iter().map(|l| l.member_of("p[t]")).collect();
        let reads = [Leaf::uint("t"), Leaf::uint("g")];
        let body: String = writes.iter().chain(&primitive_writes).map(|w| self.e.write_whole(w, &reads)).collect();
        let mut parameters = vec![
            "uint t : SV_GroupIndex".to_string(),
            "uint g : SV_GroupID".to_string(),
            format!("out vertices {outs} v[{vertices}]"),
            format!("out indices uint{indices} x[{count}]"),
        ];
        if let Some(primitives) = &primitives {
            parameters.push(format!("out primitives {primitives} p[{count}]"));
        }
        let _ = write!(
            self.functions,
            "[outputtopology(\"{name}\")] [numthreads(1, 1, 1)] void main({}) {{\nSetMeshOutputCounts({vertices}, {count});\nx[t] = t;\n{body}}}\n",
            parameters.join(", ")
        );
    }
}
