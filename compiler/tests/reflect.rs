//! Reflection: what it says of compute shaders, graphics stages and libraries, and that its output follows `docs/reflection.schema.json`.

use rtc::{Options, Product, Profile, reflect};
use rtc_oracles::{facts, skip};
use serde_json::{Value, json};

const SHADER: &str = "
struct Light { float3 direction; float power; row_major float3x4 toWorld; };
struct Item { uint2 id; min16float weight; Light light; };
cbuffer Frame : register(b2, space1) { float4x4 viewProjection; float3 eye; uint count; Light lights[2]; }
StructuredBuffer<Item> Items : register(t3);
RWByteAddressBuffer Out : register(u0);
Texture2D<float4> Textures[] : register(t0, space3);
[numthreads(8, 4, 2)] void main(uint3 id : SV_DispatchThreadID) {
    Light l = lights[id.y];
    Out.Store(id.x * 4, asuint(dot(mul(viewProjection, float4(eye, 1)).xyz, l.direction) + Items[id.x].light.power + Textures[id.x][id.xy].x) + count);
}
";

fn compiled(profile: &str, source: &str) -> Vec<u8> {
    let options = Options::new(Profile::parse(profile).expect("a profile"));
    let c = rtc::compile("a.hlsl", source.as_bytes(), &mut rtc::Disk, &options);
    match c.product {
        Some(Product::Dxil(bytes)) => bytes,
        _ => panic!("{:?}", c.diagnostics),
    }
}

fn reflected(bytes: &[u8]) -> Value {
    serde_json::from_str(&reflect::reflect(bytes).expect("it is read")).expect("JSON")
}

/// The differences of `value` from what `schema` demands: types, required properties and items, with references.
fn differences(root: &Value, schema: &Value, value: &Value, path: &str, out: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").expect("a definition of this schema");
        return differences(root, &root["$defs"][name], value, path, out);
    }
    let fits = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some(other) => panic!("{path}: the schema has the type {other}"),
        None => true,
    };
    if !fits {
        out.push(format!("{path}: {value} is no {}", schema["type"]));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().expect("a name")).is_none() {
            out.push(format!("{path}: {name} is missing"));
        }
    }
    for (name, item) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(schema) => differences(root, schema, item, &format!("{path}.{name}"), out),
            // Subobjects and the part about Vulkan are open.
            None if schema.get("properties").is_some() => out.push(format!("{path}: {name} is not in the schema")),
            None => {}
        }
    }
    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
        differences(root, &schema["items"], item, &format!("{path}[{n}]"), out);
    }
}

fn follows_the_schema(value: &Value) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reflection.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let mut out = Vec::new();
    differences(&schema, &schema, value, "", &mut out);
    assert!(out.is_empty(), "{out:#?}");
    let wrong = json!({ "functions": [{}], "resources": 1, "subobjects": [] });
    differences(&schema, &schema, &wrong, "", &mut out);
    assert_eq!(out.len(), 11, "{out:#?}");
}

#[test]
fn compute_shaders_have_threads_resources_and_layouts() {
    let v = reflected(&compiled("cs_6_6", SHADER));
    follows_the_schema(&v);
    assert_eq!((&v["stage"], &v["shaderModel"]), (&json!("compute"), &json!("6.6")));
    let f = &v["functions"][0];
    assert_eq!((&f["name"], &f["stage"], &f["numthreads"]), (&json!("main"), &json!("compute"), &json!([8, 4, 2])));
    let find = |name: &str| v["resources"].as_array().expect("a list").iter().find(|r| r["name"] == name).expect("it is there");
    let frame = find("Frame");
    assert_eq!((&frame["space"], &frame["register"], &frame["bytes"]), (&json!(1), &json!(2), &json!(208)));
    let members = frame["layout"]["members"].as_array().expect("a list");
    let offsets: Vec<(&str, u64)> =
        members.iter().map(|m| (m["name"].as_str().expect("a name"), m["offset"].as_u64().expect("a number"))).collect();
    assert_eq!(offsets, [("viewProjection", 0), ("eye", 64), ("count", 76), ("lights", 80)]);
    assert_eq!(members[0]["type"], "column_major float4x4");
    assert_eq!((&members[3]["elements"], &members[3]["type"]), (&json!(2), &json!("Light")));
    assert_eq!(members[3]["members"][2]["type"], "row_major float3x4");
    assert_eq!(members[3]["members"][2]["offset"], 96);
    let items = find("Items");
    assert_eq!(items["layout"]["members"][0]["type"], "uint2");
    let light = &items["layout"]["members"][2];
    assert_eq!((&light["type"], &light["members"][2]["type"]), (&json!("Light"), &json!("row_major float3x4")));
    assert_eq!(light["members"][2]["rows"], 3);
    assert_eq!(find("Textures")["count"], "unbounded");
    assert!(find("Out").get("layout").is_none());
}

#[test]
fn libraries_have_what_rdat_lacks() {
    let source = format!(
        "{}\n[shader(\"compute\")] {}",
        SHADER.split("[numthreads").next().expect("text"),
        &SHADER[SHADER.find("[numthreads").expect("it is there")..]
    );
    let v = reflected(&compiled("lib_6_6", &source));
    follows_the_schema(&v);
    assert_eq!(v["functions"][0]["numthreads"], json!([8, 4, 2]));
    assert!(v["resources"].as_array().expect("a list").iter().any(|r| r["name"] == "Frame" && r["layout"]["members"][1]["name"] == "eye"));
}

fn compiled_to_spirv(source: &str) -> Vec<u8> {
    let mut options = Options::new(Profile::parse("cs_6_2").expect("a profile"));
    (options.target, options.native_16bit, options.spirv.reflect) = (rtc::Target::Spirv, true, true);
    let c = rtc::compile("a.hlsl", source.as_bytes(), &mut rtc::Disk, &options);
    c.product.unwrap_or_else(|| panic!("{:?}", c.diagnostics)).into_bytes()
}

#[test]
fn modules_of_spirv_have_bindings_layouts_and_constants() {
    let source = format!("[[vk::constant_id(7)]] const uint Rate = 5;\n{}", SHADER.replace("+ count)", "+ count * Rate)"));
    let v = reflected(&compiled_to_spirv(&source));
    follows_the_schema(&v);
    let vulkan = &v["vulkan"];
    assert_eq!(vulkan["spirv"], "1.0");
    assert_eq!(vulkan["entryPoints"][0]["numthreads"], json!([8, 4, 2]));
    assert_eq!(vulkan["specializationConstants"], json!([{ "id": 7, "name": "Rate", "type": "uint", "default": 5 }]));
    let find = |name: &str| vulkan["bindings"].as_array().expect("a list").iter().find(|r| r["name"] == name).expect("it is there");
    let frame = find("Frame");
    assert_eq!((&frame["set"], &frame["binding"], &frame["descriptor"]), (&json!(1), &json!(2), &json!("uniform buffer")));
    assert_eq!(frame["hlslType"], "cbuffer");
    let members = &frame["layout"]["members"];
    assert_eq!(
        (&members[0]["type"], &members[0]["matrixStride"], &members[0]["rowMajor"]),
        (&json!("float4x4"), &json!(16), &json!(false))
    );
    assert_eq!((&members[3]["elements"], &members[3]["type"], &members[3]["offset"]), (&json!(2), &json!("Light"), &json!(80)));
    let turned = &members[3]["members"][2];
    assert_eq!((&turned["rows"], &turned["columns"], &turned["rowMajor"]), (&json!(3), &json!(4), &json!(true)));
    let items = &find("Items")["layout"]["members"][0];
    assert_eq!((&items["elements"], &items["type"]), (&json!("unbounded"), &json!("Item")));
    assert_eq!(items["members"][1]["type"], "float16_t");
    assert_eq!((&find("Textures")["count"], &find("Textures")["descriptor"]), (&json!("unbounded"), &json!("sampled image")));
    assert_eq!(find("Out")["writable"], true);
}

#[test]
fn damaged_modules_are_errors() {
    let bytes = compiled_to_spirv(SHADER);
    for length in (0..bytes.len()).step_by(31) {
        // Read or refused, but no panic.
        _ = reflect::reflect(&bytes[..length]);
    }
    for at in (4..bytes.len()).step_by(13) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x15;
        _ = reflect::reflect(&changed);
    }
}

#[test]
fn damaged_files_are_errors() {
    let bytes = compiled("cs_6_6", SHADER);
    assert!(reflect::reflect(&[]).is_err());
    for length in (0..bytes.len()).step_by(97) {
        // Read or refused, but no panic.
        _ = reflect::reflect(&bytes[..length]);
    }
    for at in (40..bytes.len()).step_by(61) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        _ = reflect::reflect(&changed);
    }
}

/// A shader for each graphics stage, in one source.
const STAGES: &str = "
struct V { float4 position : SV_Position; nointerpolation uint2 id : ID; noperspective centroid float uv[2] : UV1; };
struct P { float4 position : POSITION; min16float weight : WEIGHT; };
struct Patch { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float3 normal : NORMAL; };
[shader(\"vertex\")] V VS(float4 p : POSITION, min16float w : WEIGHT, uint vertex : SV_VertexID, uint view : SV_ViewID) {
    V v = { p * w + view, vertex.xx, { p.x, p.y } };
    return v;
}
[shader(\"hull\")] [domain(\"tri\")] [partitioning(\"fractional_odd\")] [outputtopology(\"triangle_ccw\")] [outputcontrolpoints(3)]
[patchconstantfunc(\"Constants\")] [maxtessfactor(12.5)] P HS(InputPatch<P, 4> p, uint i : SV_OutputControlPointID) { return p[i]; }
Patch Constants(InputPatch<P, 4> p) {
    Patch c = { { 1, p[0].position.x, 3 }, 2, p[1].position.yzw };
    return c;
}
[shader(\"domain\")] [domain(\"tri\")] V DS(Patch c, float3 at : SV_DomainLocation, OutputPatch<P, 3> p) {
    V v = { p[0].position * at.x + p[1].position * at.y + c.normal.z, uint2(1, 2), { 0, 1 } };
    return v;
}
struct G { float4 position : SV_Position; uint layer : SV_RenderTargetArrayIndex; };
struct H { float3 where : WHERE; };
[shader(\"geometry\")] [maxvertexcount(5)] [instance(2)]
void GS(lineadj V v[4], uint i : SV_GSInstanceID, inout PointStream<G> a, inout PointStream<H> b) {
    G g = { v[i].position, v[0].id.x };
    a.Append(g);
    H h = { v[1].position.xyz };
    b.Append(h);
}
[shader(\"pixel\")] [earlydepthstencil] float4 PS(V v, uint sample : SV_SampleIndex, out float depth : SV_DepthLessEqual, out uint s : SV_StencilRef) : SV_Target2 {
    depth = 0.5; s = 3;
    return float4(v.uv[v.id.x & 1], v.id.y, 0, 1);
}
struct Payload { uint a[3]; };
groupshared Payload passed;
[shader(\"amplification\")] [numthreads(4, 2, 1)] void AS(uint i : SV_GroupIndex) { passed.a[0] = i; DispatchMesh(1, 1, 1, passed); }
struct Face { uint layer : SV_RenderTargetArrayIndex; bool cull : SV_CullPrimitive; float3 normal : NORMAL; };
[shader(\"mesh\")] [numthreads(32, 1, 1)] [outputtopology(\"line\")]
void MS(uint i : SV_GroupIndex, in payload Payload p, out vertices V v[24], out indices uint2 l[12], out primitives Face f[12]) {
    SetMeshOutputCounts(24, 12);
    if (i < 24) { v[i].position = i; v[i].id = p.a[0]; v[i].uv[0] = 1; v[i].uv[1] = 2; }
    if (i < 12) { l[i] = uint2(i, i + 12); f[i].layer = 0; f[i].cull = i == 5; f[i].normal = 1; }
}
";

/// Each entry point of [`STAGES`] with its profile.
const ENTRIES: [(&str, &str); 7] =
    [("vs_6_5", "VS"), ("hs_6_5", "HS"), ("ds_6_5", "DS"), ("gs_6_5", "GS"), ("ps_6_5", "PS"), ("as_6_5", "AS"), ("ms_6_5", "MS")];

fn stage(profile: &str, entry: &str, spirv: bool) -> Vec<u8> {
    let mut options = Options::new(Profile::parse(profile).expect("a profile"));
    options.entry = entry.into();
    if spirv {
        (options.target, options.spirv.reflect) = (rtc::Target::Spirv, true);
    }
    let c = rtc::compile("a.hlsl", STAGES.as_bytes(), &mut rtc::Disk, &options);
    c.product.unwrap_or_else(|| panic!("{entry}: {:?}", c.diagnostics)).into_bytes()
}

/// An element in one line: name and indices, type, register and masks, and what only some have.
fn line(e: &Value) -> String {
    let text = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    let mut out = format!("{}{} {}x{}x{}", text(&e["name"]), e["indices"], text(&e["componentType"]), e["rows"], e["columns"]);
    for name in
        ["register", "mask", "usedMask", "dynamicMask", "systemValue", "systemValueNumbers", "stream", "interpolation", "minimumPrecision"]
    {
        if let Some(v) = e.get(name) {
            out += &format!(" {name}={}", text(v));
        }
    }
    out
}

fn function<'v>(v: &'v Value, name: &str) -> &'v Value {
    v["functions"].as_array().expect("a list").iter().find(|f| f["name"] == name).unwrap_or_else(|| panic!("{name} is missing"))
}

#[test]
fn graphics_stages_have_signatures_and_state() {
    let mut all = String::new();
    for (profile, entry) in ENTRIES {
        let v = reflected(&stage(profile, entry, false));
        follows_the_schema(&v);
        let f = function(&v, entry);
        all += &format!("{entry} {}\n", f["stage"].as_str().expect("a stage"));
        for list in ["inputs", "outputs", "patchConstants", "primitiveOutputs"] {
            for e in f[list].as_array().into_iter().flatten() {
                all += &format!("  {list}: {}\n", line(e));
            }
        }
        for (name, value) in f["state"].as_object().expect("a state") {
            all += &format!("  {name}: {value}\n");
        }
        if let Some(threads) = f.get("numthreads") {
            all += &format!("  numthreads: {threads}\n");
        }
    }
    expected("graphics.txt", &all);
}

/// A library says the same of its entry points as the shaders alone: also which components are used.
#[test]
fn libraries_of_graphics_stages_say_what_the_shaders_say() {
    let v = reflected(&compiled("lib_6_5", STAGES));
    follows_the_schema(&v);
    for (profile, entry) in ENTRIES {
        let alone = reflected(&stage(profile, entry, false));
        for part in ["stage", "inputs", "outputs", "patchConstants", "primitiveOutputs", "state", "numthreads"] {
            assert_eq!(function(&v, entry).get(part), function(&alone, entry).get(part), "{entry}: {part}");
        }
    }
    let constants = function(&v, "Constants");
    assert_eq!((constants["stage"].as_str(), constants.get("state")), (Some("library"), None));
}

#[test]
fn modules_of_graphics_stages_have_inputs_outputs_and_state() {
    let mut all = String::new();
    for (profile, entry) in ENTRIES {
        let v = reflected(&stage(profile, entry, true));
        follows_the_schema(&v);
        let e = &v["vulkan"]["entryPoints"][0];
        all += &format!("{entry} {}\n", e["stage"].as_str().expect("a stage"));
        for list in ["inputs", "outputs"] {
            for x in e[list].as_array().expect("a list") {
                all += &format!("  {list}: {x}\n");
            }
        }
        all += &format!("  state: {}\n", e["state"]);
    }
    expected("graphics_spirv.txt", &all);
}

/// People read the same in tables.
#[test]
fn texts_of_graphics_stages_have_tables_and_state() {
    let mut all = String::new();
    for (profile, entry) in ENTRIES {
        for spirv in [false, true] {
            all += &rtc::reflect_text::text(&stage(profile, entry, spirv)).expect("a reflection");
            all += "----\n";
        }
    }
    expected("graphics_text.txt", &all);
}

/// Compares with the file of expectations, or writes it.
#[track_caller]
fn expected(name: &str, text: &str) {
    let path = format!("{}/tests/reflect/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("RTC_BLESS").is_some() {
        std::fs::write(&path, text).expect("the expectation is written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    assert_eq!(text, stored, "{name}; RTC_BLESS=1 writes it");
}

/// Containers of the reference compiler agree with what their own parts say.
#[test]
fn containers_of_the_reference_are_described_as_their_parts_do() {
    let folder = match facts::shared_dir() {
        Ok(shared) => shared.join("reference/graphics"),
        Err(m) => return skip::skip(m),
    };
    let mut compared = 0;
    for file in std::fs::read_dir(&folder).expect("the folder is there") {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.ends_with(".dxil") || name.ends_with(".rs.dxil") {
            continue;
        }
        let bytes = std::fs::read(&path).expect("it can be read");
        let v = reflected(&bytes);
        follows_the_schema(&v);
        let container = rtc_dxil_container::Container::parse(&bytes).expect("a container");
        let Some(psv) = container.part(rtc_dxil_container::FourCc::PSV0) else { continue };
        let psv = rtc_dxil_container::psv::Psv::read(&psv.data).expect("it can be read");
        let f = &v["functions"][0];
        assert_eq!(f["state"]["usesViewId"], psv.uses_view_id, "{name}");
        let third = if f.get("primitiveOutputs").is_some() { "primitiveOutputs" } else { "patchConstants" };
        let count = |list: &str| f[list].as_array().map_or(0, Vec::len);
        let counts = ["inputs", "outputs", third].map(|list| count(list) as u8);
        assert_eq!(counts, psv.signature_counts[..3], "{name}");
        compared += 1;
    }
    assert!(compared >= 75, "only {compared} containers");
}

/// Resources of a library that have no register yet: as many as are declared, and arrays without a size have no bound.
#[test]
fn resources_without_registers_have_counts() {
    let source = "Texture2D one; Texture2D some[3]; Texture2D all[]; SamplerState s; RWTexture2D<float4> o;
        [shader(\"raygeneration\")] void Main() {
            uint i = DispatchRaysIndex().x;
            o[uint2(0, i)] = one.SampleLevel(s, 0, 0) + some[i].SampleLevel(s, 0, 0) + all[NonUniformResourceIndex(i)].SampleLevel(s, 0, 0);
        }";
    let v = reflected(&compiled("lib_6_3", source));
    let count = |name: &str| {
        let list = v["resources"].as_array().expect("a list");
        list.iter().find(|r| r["name"] == name).expect("it is there")["count"].clone()
    };
    assert_eq!([count("one"), count("some"), count("all"), count("s")], [json!(1), json!(3), json!("unbounded"), json!(1)]);
}
