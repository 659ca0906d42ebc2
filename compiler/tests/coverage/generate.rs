//! Generates calls of every intrinsic: one line of HLSL for each relevant combination of component type and shape.

use rtc_ir::Stage;
use rtc_tables::intrinsics::{Check, Class, Dim, Expander, Intrinsic, Lower, Mode, Object, Param, Pat, Scope, Shape};

/// A call on a line of its own.
#[derive(Clone, Debug)]
pub struct Call {
    /// The row.
    pub row: &'static Intrinsic,
    /// The statement.
    pub text: String,
    /// Needs `-enable-16bit-types`; `None`: with and without.
    pub native_16bit: bool,
    /// The stages that allow it.
    pub stage: Stage,
    /// Minor number of the shader model.
    pub model: u32,
}

/// A type of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Num {
    scalar: &'static str,
    /// Rows and columns; zero rows: no matrix.
    rows: u8,
    cols: u8,
}

impl Num {
    fn text(self) -> String {
        match (self.rows, self.cols) {
            (0, 1) => self.scalar.into(),
            (0, n) => format!("{}{n}", self.scalar),
            (r, c) => format!("{}{r}x{c}", self.scalar),
        }
    }
    fn with(self, scalar: &'static str) -> String {
        Num { scalar, ..self }.text()
    }
}

fn is_native_16(s: &str) -> bool {
    matches!(s, "float16_t" | "int16_t" | "uint16_t")
}
fn is_minimum(s: &str) -> bool {
    s.starts_with("min")
}

/// The component types of a class.
fn scalars(c: Class) -> &'static [&'static str] {
    match c {
        Class::Bool => &["bool"],
        Class::Int => &["int"],
        Class::Uint | Class::UintOnly => &["uint"],
        Class::Float | Class::Float32Only => &["float"],
        Class::Double | Class::DoubleOnly => &["double"],
        Class::Half => &["float16_t"],
        Class::Int16 => &["int16_t"],
        Class::Uint16 => &["uint16_t"],
        Class::Int64 => &["int64_t"],
        Class::Uint64 => &["uint64_t"],
        Class::Int8x4 => &["int8_t4_packed"],
        Class::Uint8x4 => &["uint8_t4_packed"],
        Class::FloatLike => &["float", "float16_t", "min16float"],
        Class::AnyFloat => &["float", "float16_t", "min16float", "double"],
        Class::AnyInt => &["int", "uint", "int16_t", "uint16_t", "min16uint", "int64_t", "uint64_t"],
        Class::UnsignedOnly => &["uint", "uint16_t", "min16uint", "uint64_t"],
        Class::AnyInt32 | Class::Int32Only => &["int", "uint"],
        Class::AnyInt64 | Class::Int64Only => &["int64_t", "uint64_t"],
        Class::AnyInt16Or32 => &["int", "uint", "int16_t", "uint16_t"],
        Class::SInt16Or32 => &["int", "int16_t"],
        Class::Numeric => &["float", "int", "uint", "float16_t", "int16_t", "min16float", "min16int", "double", "int64_t", "uint64_t"],
        Class::Numeric32 => &["float", "int", "uint"],
        Class::Numeric16 => &["float16_t", "int16_t", "uint16_t"],
        Class::Any => &["float", "int", "bool", "float16_t", "uint16_t", "min16float", "double", "uint64_t"],
        Class::Like(_) | Class::Elem | Class::Linalg => &["float"],
    }
}

/// One choice of everything that a signature leaves open.
#[derive(Clone, Copy)]
struct Choice {
    /// Which component type of the first open class.
    scalar: usize,
    /// Which shape where any will do: scalar, vector, matrix.
    shape: usize,
    /// Values of `c`, `r`, `c2`, `r2`.
    dims: [u8; 4],
}

const DIMS: [[u8; 4]; 3] = [[3, 2, 4, 3], [4, 4, 2, 4], [2, 3, 3, 2]];

struct Types<'a> {
    row: &'a Intrinsic,
    choice: Choice,
}

impl Types<'_> {
    fn dim(&self, d: Dim) -> u8 {
        match d {
            Dim::N(n) => n,
            Dim::C => self.choice.dims[0],
            Dim::R => self.choice.dims[1],
            Dim::C2 => self.choice.dims[2],
            Dim::R2 => self.choice.dims[3],
        }
    }

    /// The type of a pattern; `None` for what is no number.
    fn num(&self, p: Pat) -> Option<Num> {
        match p {
            Pat::Same(n) => self.num(self.row.params[n as usize].pat),
            Pat::Num(shape, class) => {
                let scalar = match class {
                    Class::Like(n) => self.num(self.row.params[n as usize].pat)?.scalar,
                    Class::Elem if self.row.name == "GatherRaw" => "uint",
                    Class::Elem => "float",
                    c => {
                        let all = scalars(c);
                        all[self.choice.scalar % all.len()]
                    }
                };
                let (rows, cols) = match shape {
                    Shape::Scalar => (0, 1),
                    Shape::Any => [(0, 1), (0, 3), (2, 3)][self.choice.shape],
                    Shape::Vec(d) => (0, self.dim(d)),
                    Shape::Mat(r, c) => (self.dim(r), self.dim(c)),
                    Shape::Like(n) => {
                        let like = self.num(self.row.params[n as usize].pat)?;
                        (like.rows, like.cols)
                    }
                };
                Some(Num { scalar, rows, cols })
            }
            _ => None,
        }
    }
}

/// The stage in which a row is called: the first that it has.
fn stage(row: &Intrinsic) -> Option<Stage> {
    use Stage as S;
    [
        S::RayGeneration,
        S::Miss,
        S::ClosestHit,
        S::AnyHit,
        S::Intersection,
        S::Callable,
        S::Compute,
        S::Pixel,
        S::Geometry,
        S::Hull,
        S::Mesh,
        S::Amplification,
    ]
    .into_iter()
    .find(|&s| row.stages.has(s))
}

/// Every call of a row.
pub fn calls(row: &'static Intrinsic) -> Vec<Call> {
    let Some(stage) = stage(row) else { return Vec::new() };
    if matches!(row.lowers, Lower::Expand(Expander::Evaluate(_))) {
        return evaluations(row, stage);
    }
    if matches!(row.lowers, Lower::Expand(Expander::Linalg(_))) {
        return vec![linalg(row, stage)];
    }
    let mut open = 1;
    let (mut shapes, mut dims) = (1, 1);
    for p in row.params.iter().map(|p| p.pat).chain([row.ret]) {
        if let Pat::Num(shape, class) = p {
            open = open.max(scalars(class).len());
            if shape == Shape::Any {
                shapes = 3;
            }
            let named = |d| !matches!(d, Dim::N(_));
            if matches!(shape, Shape::Vec(d) if named(d)) || matches!(shape, Shape::Mat(a, b) if named(a) || named(b)) {
                dims = DIMS.len();
            }
        }
    }
    let mut out: Vec<Call> = Vec::new();
    for scalar in 0..open {
        for shape in 0..shapes {
            for d in &DIMS[..dims] {
                let choice = Choice { scalar, shape, dims: *d };
                if let Some(call) = call(row, stage, choice)
                    && !out.iter().any(|c| c.text == call.text)
                {
                    out.push(call);
                }
            }
        }
    }
    out
}

/// Calls of a function that takes an input of a pixel shader, in all sizes.
fn evaluations(row: &'static Intrinsic, stage: Stage) -> Vec<Call> {
    let (kind, more) = match row.name {
        "GetAttributeAtVertex" => ("flat", ", 1"),
        "EvaluateAttributeSnapped" => ("input", ", int2(i, 2)"),
        "EvaluateAttributeAtSample" => ("input", ", i"),
        _ => ("input", ""),
    };
    let call = |size: &str, t: Num| {
        let text = format!("{{ {} r = {}({kind}{size}{more}); {} }}", t.text(), row.name, keep("r", t));
        Call { row, text, native_16bit: false, stage, model: 6 }
    };
    let vectors = (1..=4u8).map(|n| call(&n.to_string(), Num { scalar: "float", rows: 0, cols: n }));
    vectors.chain([call("2x3", Num { scalar: "float", rows: 2, cols: 3 })]).collect()
}

/// A call of a function on matrices of linear algebra: the rules leave few arguments open. Matrices of 4x4 floats, whose names say use and scope.
fn linalg(row: &'static Intrinsic, stage: Stage) -> Call {
    let of_waves = row.stages.has(Stage::Compute) && !row.stages.has(Stage::Miss);
    let writable = row.params.iter().any(|p| p.pat == Pat::Object(Object::RWByteAddressBuffer));
    let loads = row.name.ends_with("MatrixLoadFromDescriptor");
    let wave = of_waves || loads && writable;
    let (a, b, sum) = if wave { ("a", "b", "sum") } else { ("a_thread", "", "sum_thread") };
    let scope = u32::from(wave);
    let mut before = String::from("float number = In.Load<float>(i); float4 given = In.Load<float4>(i), result = 0; ");
    for (name, use_) in [(a, 0), (b, 1), (sum, 2)] {
        let first = match (wave, use_) {
            (true, _) => format!("FillMatrix({name}, 1.0f)"),
            (false, 0) => format!("MatrixLoadFromDescriptor({name}, In, 0, 0, 2, 128)"),
            (false, _) => format!("MatrixOuterProduct({name}, given, given)"),
        };
        if !name.is_empty() {
            let attribute = format!("__LinAlgMatrix_Attributes(9, 4, 4, {use_}, {scope})");
            before += &format!("__builtin_LinAlgMatrix [[{attribute}]] {name}; __builtin_LinAlg_{first}; ");
        }
    }
    let (layout, stride) = match (wave, loads) {
        (true, _) => ("0", "64"),
        (false, true) => ("2", "0"),
        (false, false) => ("4", "0"),
    };
    let names = row.param_names.split(' ').filter(|n| !n.is_empty());
    let args: Vec<&str> = names
        .zip(row.params)
        .enumerate()
        .map(|(n, (name, p))| match (name, p.pat) {
            ("matrixA", _) | ("mat", _) => a,
            ("matrixB" | "matrixRHS", _) => b,
            ("ret", Pat::Linalg) if loads => a,
            (_, Pat::Linalg) => sum,
            // Plain arithmetic adds atomically to words alone.
            (_, Pat::SharedArray) if row.name.ends_with("AccumulateToMemory") => "shared_words",
            (_, Pat::SharedArray) => "shared_floats",
            (_, Pat::Object(Object::RWByteAddressBuffer)) => "Out",
            (_, Pat::Object(_)) => "In",
            ("layout", _) => layout,
            ("stride", _) => stride,
            ("align", _) => "128",
            ("transpose", _) => "false",
            ("isOutputSigned", _) => "true",
            ("inputInterp" | "input_interp" | "output_interp" | "targetType", _) => "9",
            ("ret", Pat::Num(Shape::Scalar, _)) => "number",
            ("value", _) => "number",
            ("ret", _) => "result",
            (_, Pat::Num(Shape::Vec(_), _)) => "given",
            _ if n == 0 => "number",
            _ => "i",
        })
        .collect();
    let call = format!("{}({})", row.name, args.join(", "));
    let text = match row.ret {
        Pat::Void => format!("{{ {before} {call}; Out.Store(i * 64, result * number); }}"),
        _ => format!("{{ {before} Out.Store(i * 64, {call}); }}"),
    };
    let stage = if wave { Stage::Compute } else { stage };
    Call { row, text, native_16bit: false, stage, model: u32::from(row.shader_model) }
}

/// The declared object of a type, and its element.
fn object(o: Object) -> (String, &'static str) {
    (format!("o_{}", o.info().name), "float4")
}

fn call(row: &'static Intrinsic, stage: Stage, choice: Choice) -> Option<Call> {
    if row.name == "AddUint64" && !choice.dims[0].is_multiple_of(2) {
        // Pairs of words only.
        return None;
    }
    if let (Some(Pat::Object(sampler)), "select") = (row.params.get(1).map(|p| p.pat), row.name) {
        let call = match sampler {
            Object::SamplerState => "SampleLevel(select(i > 3, linearly, other)",
            _ => "SampleCmpLevelZero(select(i > 3, comparing, equal)",
        };
        let text = format!("{{ Out.Store(i * 64, o_Texture2D.{call}, (float2)0, 0)); }}");
        return Some(Call { row, text, native_16bit: false, stage, model: 6 });
    }
    let types = Types { row, choice };
    let mut native_16bit = false;
    let mut used = Vec::new();
    let (mut before, mut args, mut after) = (String::new(), Vec::new(), String::new());
    let names: Vec<&str> = row.param_names.split(' ').collect();
    let (this, elem) = match row.scope {
        Scope::Method(Object::RayQuery) => ("query".to_string(), ""),
        Scope::Method(Object::HitObject) => ("hit".to_string(), ""),
        // Raw gathers are of words.
        Scope::Method(o) if row.name == "GatherRaw" => (format!("raw_{}", o.info().name), "uint"),
        Scope::Method(o) => object(o),
        _ => (String::new(), ""),
    };
    for (n, Param { mode, pat }) in row.params.iter().copied().enumerate() {
        let name = names.get(n).copied().unwrap_or("");
        let accepted = row.checks.iter().find_map(|c| match *c {
            Check::OneOf(at, values) if usize::from(at) == n => values.first().map(|v| v.1),
            Check::Alignment(at) if usize::from(at) == n => Some(16),
            _ => None,
        });
        if let Some(value) = accepted {
            args.push(value.to_string());
            continue;
        }
        let text = match pat {
            Pat::Num(..) | Pat::Same(_) => {
                let t = types.num(pat)?;
                used.push(t.scalar);
                match mode {
                    Mode::In if name == "status" => {
                        before += "uint status; float loaded = o_Texture2D.Load(int3(i, 0, 0), int2(0, 0), status).x; ";
                        "status".into()
                    }
                    Mode::In if name == "memoryTypeFlags" => "UAV_MEMORY".into(),
                    Mode::In if name == "semanticFlags" => "DEVICE_SCOPE".into(),
                    Mode::In => value(t, name),
                    Mode::Out | Mode::InOut => {
                        before += &format!("{} x{n} = ({})0; ", t.text(), t.text());
                        after += &keep(&format!("x{n}"), t);
                        format!("x{n}")
                    }
                    Mode::Ref => format!("rw_{}[i]", t.scalar),
                }
            }
            Pat::Elem => format!("({elem})In.Load<float>(i)"),
            Pat::FuncT => "In.Load<float3>(i)".into(),
            Pat::Udt => match (row.name, mode) {
                ("ReportHit" | "FromRayQuery" | "GetAttributes", _) => "attributes".into(),
                ("CallShader", _) => "parameter".into(),
                ("DispatchMesh", _) => "sent".into(),
                _ => "payload".into(),
            },
            Pat::RayDesc => "ray".into(),
            Pat::Object(Object::SamplerState) | Pat::AnySampler => "linearly".into(),
            Pat::Object(Object::SamplerComparisonState) => "comparing".into(),
            Pat::Object(Object::RaytracingAccelerationStructure) => "scene".into(),
            Pat::Object(Object::RayQuery) => "query".into(),
            Pat::Object(Object::HitObject) => "hit".into(),
            Pat::Object(o) => object(o).0,
            Pat::AnyUav => "Out".into(),
            Pat::Str => "\"text\"".into(),
            Pat::Variadic => "i".into(),
            Pat::Void | Pat::TrianglePositions | Pat::UdtT | Pat::Linalg | Pat::SharedArray => return None,
        };
        args.push(text);
    }
    let called = match row.scope {
        Scope::Free => row.name.to_string(),
        Scope::Dx => format!("dx::{}", row.name),
        Scope::Vk => format!("vk::{}", row.name),
        Scope::Method(_) => format!("{this}.{}", row.name),
        Scope::Static(o) => format!("dx::{}::{}", o.info().name, row.name),
    };
    let expr = format!("{called}({})", args.join(", "));
    let (declared, kept) = match row.ret {
        Pat::Void => (format!("{expr};"), String::new()),
        Pat::Elem if elem.is_empty() => return None,
        Pat::Elem => (format!("{elem} r = {expr};"), keep("r", Num { scalar: "float", rows: 0, cols: 4 })),
        Pat::FuncT => (format!("uint r = {expr};"), keep("r", Num { scalar: "uint", rows: 0, cols: 1 })),
        Pat::UdtT => (format!("Attributes r = {this}.{}<Attributes>();", row.name), keep("r.a", Num { scalar: "float", rows: 0, cols: 2 })),
        Pat::Object(Object::HitObject) => {
            (format!("dx::HitObject r = {expr};"), keep("r.GetRayTMin()", Num { scalar: "float", rows: 0, cols: 1 }))
        }
        Pat::TrianglePositions => {
            (format!("BuiltInTrianglePositions r = {expr};"), keep("(r.p0 + r.p1 + r.p2)", Num { scalar: "float", rows: 0, cols: 3 }))
        }
        p => {
            let t = types.num(p)?;
            used.push(t.scalar);
            (format!("{} r = {expr};", t.text()), keep("r", t))
        }
    };
    if used.iter().any(|s| is_native_16(s)) {
        if used.iter().any(|s| is_minimum(s)) {
            return None;
        }
        native_16bit = true;
    }
    let mut text = format!("{before}{declared} {kept}{after}");
    // What ends the shader must not end the others.
    if row.ends_shader {
        text = format!("if (i == 12345) {text}");
    }
    let newer = matches!(row.scope, Scope::Method(Object::RWTexture2DMS | Object::RWTexture2DMSArray));
    let model = u32::from(row.shader_model).max(if newer { 7 } else { 6 });
    Some(Call { row, text: format!("{{ {text} }}"), native_16bit, stage, model })
}

/// A value that is not known, of a type. Some parameters must be constants.
fn value(t: Num, name: &str) -> String {
    match name {
        "o" | "o1" | "o2" | "o3" | "o4" | "offset" | "quadLane" => return format!("({})1", t.text()),
        "MemoryTypeFlags" => return "2".into(),
        "SemanticFlags" => return "4".into(),
        _ => {}
    }
    let load = |s: &'static str| format!("In.Load<{}>(i * 64)", t.with(s));
    match t.scalar {
        "bool" => format!("(({})({} > ({})1))", t.text(), load("uint"), t.with("uint")),
        "float" | "int" | "uint" => load(t.scalar),
        "double" | "float16_t" | "min16float" => format!("(({}){})", t.text(), load("float")),
        _ => format!("(({}){})", t.text(), load("uint")),
    }
}

/// Stores a value, so that it is needed.
fn keep(v: &str, t: Num) -> String {
    match t.scalar {
        "bool" => format!("Out.Store(i * 64, ({})({v})); ", t.with("uint")),
        s if s.ends_with("packed") => format!("Out.Store(i * 64, uint({v})); "),
        s if is_minimum(s) => format!("Out.Store(i * 64, ({})({v})); ", t.with("float")),
        _ => format!("Out.Store(i * 64, {v}); "),
    }
}

/// The library with these calls: the text, and for each line after the first which call it is.
pub fn library(calls: &[Call]) -> (String, Vec<Option<usize>>) {
    let mut out = Lines::default();
    let mut t = 10;
    let mut u = 10;
    out.line("RaytracingAccelerationStructure scene : register(t0); ByteAddressBuffer In : register(t1); RWByteAddressBuffer Out : register(u1);");
    out.line("SamplerState linearly : register(s0); SamplerComparisonState comparing : register(s1); SamplerState other : register(s2); SamplerComparisonState equal : register(s3);");
    let payload = if calls.iter().any(|c| c.model > 6) {
        let all = "read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)";
        format!("struct [raypayload] Payload {{ float4 a : {all}; uint b : {all}; }};")
    } else {
        "struct Payload { float4 a; uint b; };".into()
    };
    out.line(&format!("{payload} struct Attributes {{ float2 a; }}; struct Parameter {{ float4 a; }};"));
    for s in ["int", "uint", "float", "int64_t", "uint64_t"] {
        if calls.iter().any(|c| c.text.contains(&format!("rw_{s}["))) {
            out.line(&format!("RWStructuredBuffer<{s}> rw_{s} : register(u{u});"));
            u += 1;
        }
    }
    if calls.iter().any(|c| c.text.contains("shared_words")) {
        out.line("groupshared uint shared_words[64];");
    }
    if calls.iter().any(|c| c.text.contains("shared_floats")) {
        out.line("groupshared float shared_floats[64];");
    }
    let mut objects: Vec<Object> = Vec::new();
    for c in calls {
        let params = c.row.params.iter().filter_map(|p| match p.pat {
            Pat::Object(o) => Some(o),
            _ => None,
        });
        let this = match c.row.scope {
            Scope::Method(o) => Some(o),
            _ => None,
        };
        let status = c.text.contains("o_Texture2D.").then_some(Object::Texture2D);
        for o in params.chain(this).chain(status) {
            if !objects.contains(&o) {
                objects.push(o);
            }
        }
    }
    for o in objects {
        let name = o.info().name;
        use Object as O;
        let (written, arguments) = match o {
            O::RayQuery | O::HitObject | O::SamplerState | O::SamplerComparisonState | O::RaytracingAccelerationStructure => continue,
            // A parameter of the shader.
            O::TriangleStream => continue,
            O::ByteAddressBuffer | O::RWByteAddressBuffer => (name.starts_with("RW"), ""),
            O::FeedbackTexture2D | O::FeedbackTexture2DArray => (true, "<SAMPLER_FEEDBACK_MIN_MIP>"),
            O::AppendStructuredBuffer | O::ConsumeStructuredBuffer => (true, "<float4>"),
            _ => (name.starts_with("RW") || name.starts_with("Raster"), "<float4>"),
        };
        let (class, number) = if written {
            u += 1;
            ('u', u)
        } else {
            t += 1;
            ('t', t)
        };
        out.line(&format!("{name}{arguments} o_{name} : register({class}{number});"));
        if calls.iter().any(|c| c.text.contains(&format!("raw_{name}."))) {
            t += 1;
            out.line(&format!("{name}<uint> raw_{name} : register(t{t});"));
        }
    }
    let entry = |out: &mut Lines, stage: Stage, head: &str, body: &str| {
        let mine: Vec<usize> = (0..calls.len()).filter(|&n| calls[n].stage == stage).collect();
        if mine.is_empty() {
            return;
        }
        out.line(head);
        out.line(body);
        out.line("RayDesc ray; ray.Origin = In.Load<float3>(i); ray.TMin = 0; ray.Direction = In.Load<float3>(i * 4); ray.TMax = 100;");
        let any = |name: &str| mine.iter().any(|&n| calls[n].text.contains(name));
        if any("query.") || any("(query") {
            out.line("RayQuery<RAY_FLAG_NONE> query; query.TraceRayInline(scene, 0, 255, ray); query.Proceed();");
        }
        if any("hit.") || any("(hit") {
            out.line("dx::HitObject hit = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray, payload);");
        }
        for n in mine {
            out.call(n, &calls[n].text);
        }
        // Vertices are written once there is a number of them.
        out.line(if stage == Stage::Mesh { "v[i].p = i; }" } else { "}" });
    };
    let locals =
        "Payload payload; payload.a = 1; payload.b = 2; Attributes attributes; attributes.a = 1; Parameter parameter; parameter.a = 1;";
    use Stage as S;
    entry(&mut out, S::RayGeneration, "[shader(\"raygeneration\")] void Rg() { uint i = DispatchRaysIndex().x;", locals);
    entry(&mut out, S::Miss, "[shader(\"miss\")] void Ms(inout Payload payload) { uint i = payload.b;", "");
    entry(
        &mut out,
        S::ClosestHit,
        "[shader(\"closesthit\")] void Ch(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) { uint i = payload.b;",
        "",
    );
    entry(
        &mut out,
        S::AnyHit,
        "[shader(\"anyhit\")] void Ah(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) { uint i = payload.b;",
        "",
    );
    entry(&mut out, S::Intersection, "[shader(\"intersection\")] void Is() { uint i = PrimitiveIndex();", locals);
    entry(&mut out, S::Callable, "[shader(\"callable\")] void Cl(inout Parameter parameter) { uint i = parameter.a.x;", "");
    entry(&mut out, S::Compute, "[shader(\"compute\")] [numthreads(8, 8, 1)] void Cs(uint3 id : SV_DispatchThreadID) { uint i = id.x;", "");
    entry(
        &mut out,
        S::Pixel,
        "[shader(\"pixel\")] void Ps(float4 at : SV_Position, float input1 : A1, float2 input2 : A2, float3 input3 : A3, float4 input4 : A4, \
         float2x3 input2x3 : A5, nointerpolation float flat1 : B1, nointerpolation float2 flat2 : B2, nointerpolation float3 flat3 : B3, \
         nointerpolation float4 flat4 : B4, nointerpolation float2x3 flat2x3 : B5) { uint i = at.x;",
        "",
    );
    let geometry = "[shader(\"geometry\")] [maxvertexcount(4)] void Gs(point float4 at[1] : P, inout TriangleStream<float4> o_TriangleStream : V) { uint i = at[0].x;";
    entry(&mut out, S::Geometry, geometry, "");
    let hull = "struct Factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; }; \
                Factors Constants() { Factors f; f.edges[0] = f.edges[1] = f.edges[2] = f.inside = 1; return f; } \
                [shader(\"hull\")] [domain(\"tri\")] [partitioning(\"integer\")] [outputtopology(\"triangle_cw\")] [outputcontrolpoints(3)] \
                [patchconstantfunc(\"Constants\")] void Hull(InputPatch<float4, 3> points : P, uint i : SV_OutputControlPointID, \
                out float4 p : P) { p = points[i];";
    entry(&mut out, S::Hull, hull, "");
    let mesh = "struct MeshVertex { float4 p : SV_Position; }; [shader(\"mesh\")] [outputtopology(\"line\")] [numthreads(4, 1, 1)] \
                void Mesh(uint i : SV_GroupIndex, out vertices MeshVertex v[4], out indices uint2 t[1]) {";
    entry(&mut out, S::Mesh, mesh, "");
    let amplification = "struct Sent { float4 a; }; groupshared Sent sent; [shader(\"amplification\")] [numthreads(4, 1, 1)] \
                         void Amplification(uint i : SV_GroupIndex) { sent.a = i;";
    entry(&mut out, S::Amplification, amplification, "");
    (out.text, out.owner)
}

#[derive(Default)]
struct Lines {
    text: String,
    owner: Vec<Option<usize>>,
}

impl Lines {
    fn line(&mut self, s: &str) {
        self.text += s;
        self.text.push('\n');
        self.owner.push(None);
    }
    fn call(&mut self, n: usize, s: &str) {
        self.line(s);
        if let Some(last) = self.owner.last_mut() {
            *last = Some(n);
        }
    }
}
