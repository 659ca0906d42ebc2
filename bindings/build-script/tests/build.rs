//! A folder of shaders becomes a module that rustc accepts and that says what is in the shaders; mistakes are reported with their place.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rtc_build_script::{Error, Shaders};

fn scratch(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), name);
    for (file, text) in files {
        let file = path.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    path
}

const FILL: &str = "#include \"common.hlsli\"
struct Item { float3 position; uint id; };
cbuffer Frame : register(b1, space2) { float4x4 viewProjection; float3 eye; Item items[2]; }
RWStructuredBuffer<Item> Out : register(u3);
Texture2D Textures[] : register(t0, space5);
[numthreads(8, 4, 1)] void main(uint n : SV_GroupIndex) { Out[n].position = eye + items[1].position + VALUE + Textures[n][uint2(0, 0)].xyz + mul(viewProjection, float4(1, 1, 1, 1)).xyz; }
";

#[test]
fn a_folder_becomes_a_module() {
    let folder = scratch(
        "module",
        &[
            ("shaders/fill.hlsl", FILL),
            ("shaders/common.hlsli", "#define VALUE 7\n"),
            (
                "shaders/ray/sky-box.hlsl",
                "// rtc -T lib_6_6 -D HEIGHT=3\nstruct P { float4 c; }; [shader(\"miss\")] void Sky(inout P p) { p.c = HEIGHT; }\n",
            ),
        ],
    );
    let out = folder.join("out");
    fs::create_dir_all(&out).expect("a folder");
    let shaders = Shaders::new(folder.join("shaders")).profile("cs_6_6");
    let built = shaders.build(&out, "shaders.rs").expect("it builds");
    assert_eq!(built.objects.len(), 2);
    let depends = |name: &str| built.dependencies.iter().any(|d| d.ends_with(name));
    assert!(
        depends("fill.hlsl") && depends("common.hlsli") && depends("shaders/ray") && depends("sky-box.hlsl"),
        "{:?}",
        built.dependencies
    );
    let program = format!(
        "mod shaders {{ include!({:?}); }}
        const _: () = {{
            assert!(shaders::fill::OBJECT.len() > 100);
            assert!(shaders::fill::entry::MAIN_NUMTHREADS[0] == 8);
            assert!(shaders::fill::frame::REGISTER == 1 && shaders::fill::frame::SPACE == 2);
            assert!(shaders::fill::frame::offset::EYE == 64 && shaders::fill::frame::offset::ITEMS == 80);
            assert!(shaders::fill::frame::offset::ITEMS_ID == 92);
            assert!(shaders::fill::textures::COUNT.is_none());
            assert!(shaders::fill::out::SIZE == 16);
            assert!(shaders::ray::sky_box::entry::SKY.len() == 3);
        }};
        fn main() {{}}",
        built.module
    );
    let main = out.join("main.rs");
    fs::write(&main, program).expect("a file");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let done = Command::new(rustc)
        .args(["--edition", "2021", "-D", "warnings", "--emit", "metadata", "-o"])
        .arg(out.join("main.rmeta"))
        .arg(&main)
        .output();
    let done = done.expect("rustc runs");
    assert!(done.status.success(), "{}\n{}", String::from_utf8_lossy(&done.stderr), fs::read_to_string(&built.module).expect("a module"));
    // Nothing is written again.
    let before = fs::metadata(&built.module).and_then(|m| m.modified()).expect("a time");
    assert_eq!(shaders.build(&out, "shaders.rs").expect("it builds"), built);
    assert_eq!(fs::metadata(&built.module).and_then(|m| m.modified()).expect("a time"), before);
    // SPIR-V has bindings.
    let built = shaders.spirv().arguments(["-fspv-target-env=vulkan1.3"]).build(&out, "vulkan.rs").expect("it builds");
    let text = fs::read_to_string(built.module).expect("a module");
    assert!(text.contains("fill.spv") && text.contains("pub const BINDING: u32 = 3;"), "{text}");
    assert!(text.contains("pub const ITEMS_ID: usize = 92;"), "{text}");
}

#[test]
fn mistakes_of_all_sources_are_reported() {
    let bad = "float f() { return missing; }\n[numthreads(1,1,1)] void main() {}\n";
    let folder = scratch("mistakes", &[("s/a.hlsl", bad), ("s/b.hlsl", bad), ("s/c.hlsl", "[numthreads(1,1,1)] void main() {}")]);
    let build = |shaders: Shaders| shaders.build(&folder, "m.rs").expect_err("it has mistakes").to_string();
    let shaders = Shaders::new(folder.join("s"));
    let text = build(shaders.clone().profile("cs_6_6"));
    assert!(text.contains("a.hlsl:1:20: error:") && text.contains("b.hlsl:1:20: error:"), "{text}");
    assert!(build(shaders.clone()).contains("no target profile"), "no file has one");
    assert!(build(shaders.clone().profile("cs_6_6").arguments(["-P"])).contains("ask for no compiled object"));
    assert!(matches!(Shaders::new(folder.join("none")).build(&folder, "m.rs"), Err(Error::File { .. })));
    let twice = scratch(
        "twice",
        &[
            ("s/a-b.hlsl", "// rtc -T cs_6_6\n[numthreads(1,1,1)] void main() {}"),
            ("s/a_b.hlsl", "// rtc -T cs_6_6\n[numthreads(1,1,1)] void main() {}"),
        ],
    );
    assert!(matches!(Shaders::new(twice.join("s")).build(&twice, "m.rs"), Err(Error::SameName(..))));
}
