//! Reflection: what it says of compute shaders and libraries, and that its output follows `docs/reflection.schema.json`.

use rtc::{Options, Product, Profile, reflect};
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
    (options.target, options.native_16bit, options.spirv_reflect) = (rtc::Target::Spirv, true, true);
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
