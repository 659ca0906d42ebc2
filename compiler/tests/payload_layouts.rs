//! Layout files: the output of `rtc paq -layout` is accepted, and damaged files are diagnosed.

use rtc::{NoIncludes, Options, PayloadLayout, Profile, Target};

const SOURCE: &str = r#"
struct Pair { float a; uint b; };
struct [raypayload] Base { double wide : write(caller) : read(closesthit); bool hit : write(closesthit, miss) : read(caller); };
struct [raypayload] Payload : Base
{
    float3 color : write(closesthit, miss) : read(caller);
    float alpha : write(caller, anyhit) : read(anyhit, closesthit);
    Pair pairs[2] : write(caller) : read(closesthit, miss);
    int never : write() : read();
};
struct [raypayload] Shadow { float visible : write(caller, miss) : read(caller); };
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
[shader("raygeneration")] void Rg()
{
    Payload p;
    p.wide = 1; p.alpha = 2; p.pairs[0].a = p.pairs[1].a = 3; p.pairs[0].b = p.pairs[1].b = 4;
    RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1;
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    Shadow s;
    s.visible = 0;
    TraceRay(Scene, 0, 255, 0, 0, 1, r, s);
    Out.Store3(0, asuint(p.hit ? p.color * s.visible : 0));
}
[shader("closesthit")] void Ch(inout Payload p, BuiltInTriangleIntersectionAttributes a)
{
    p.color = float(p.wide) * p.alpha * p.pairs[a.barycentrics.x > 0.5].a; p.hit = p.pairs[1].b > 3;
}
[shader("anyhit")] void Ah(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.alpha *= 0.5; }
[shader("miss")] void Ms(inout Payload p) { p.color = p.pairs[0].a; p.hit = false; }
[shader("miss")] void MsShadow(inout Shadow s) { s.visible = 1; }
"#;

fn options(layout: PayloadLayout) -> Options {
    let mut o = Options::new(Profile::parse("lib_6_7").unwrap());
    (o.target, o.payload_layout) = (Target::Package, layout);
    o.warnings.none = true;
    o
}

fn made(source: &str) -> String {
    let sources = [("lib.hlsl".to_owned(), source.as_bytes().to_vec())];
    let made = rtc::paq::layout(&sources, &mut NoIncludes, &options(PayloadLayout::Declared));
    made.text.expect("it is laid out")
}

/// The package, or the code and the text of the error.
fn compile(source: &str, text: &str) -> Result<Vec<u8>, (String, String)> {
    let o = options(PayloadLayout::File { name: "l.toml".into(), text: text.to_owned() });
    let done = rtc::compile("lib.hlsl", source.as_bytes(), &mut NoIncludes, &o);
    let errors: Vec<_> = done.diagnostics.iter().filter(|d| d.is_error()).collect();
    match done.product {
        Some(p) => Ok(p.into_bytes()),
        None => {
            // Rendering looks at every place.
            errors.iter().for_each(|d| _ = rtc::render(&done.sources, d, rtc::Style::Rich));
            assert!(!errors.is_empty());
            Err((errors[0].code.id.to_owned(), errors[0].message.clone()))
        }
    }
}

#[test]
fn what_is_written_is_taken_back() {
    let text = made(SOURCE);
    assert_eq!(text, made(SOURCE));
    let package = compile(SOURCE, &text).unwrap();
    let listing = rtc::dis::disassemble(&package).unwrap();
    assert!(listing.starts_with("; payload Payload: 56 bytes declared, 28 bytes packed\n"), "{}", &listing[..600]);
    // Line ends and comments are nobody's business.
    assert_eq!(compile(SOURCE, &text.replace('\n', "\r\n")).unwrap(), package);
    // A file without payloads is one: everything keeps its declared layout.
    let listing = rtc::dis::disassemble(&compile(SOURCE, "version = 1").unwrap()).unwrap();
    assert!(listing.starts_with("; payload Payload: 56 bytes declared, 56 bytes as declared\n"));
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let text = made(SOURCE);
    for (from, to, code, why) in [
        ("version = 1", "version = 2", "E0720", "unsupported layout file version 2; expected version 1"),
        ("version = 1", "", "E0720", "`version` is missing"),
        ("version = 1", "version = \"1\"", "E0720", "expected a number, found string"),
        ("version = 1", "version = 1\nversion = 1", "E0720", "it is not TOML"),
        ("version = 1", "version = 1\nextra = 2", "E0720", "unknown key `extra`; valid keys are version, payload"),
        ("hit_objects = false", "hit_objects = 0", "E0720", "expected true or false, found integer"),
        ("hit_objects = false", "hit_objects = false\ncolour = 1", "E0720", "unknown key `colour`"),
        ("declared = 56", "declared = -56", "E0720", "-56 is not a number from 0"),
        ("declared = 56", "declared = 56.0", "E0720", "expected a number, found float"),
        ("declared = 56", "declared = 99999999999999999999", "E0720", "is not a number from 0"),
        ("declared = 56", "declared = 60", "E0721", "it has 56 bytes as declared where the file has 60"),
        ("packed = 28", "packed = 26", "E0720", "is not a positive multiple of 4"),
        ("packed = 28", "packed = 0", "E0720", "is not a positive multiple of 4"),
        ("packed = 28", "packed = 24", "E0720", "are outside of 24 bytes"),
        ("fields = [", "fields = [ 7,", "E0720", "expected a table, found integer"),
        ("stages = [", "stages = 3 # [", "E0720", "expected a list, found integer"),
        ("name = \"color\"", "name = \"hit\"", "E0720", "the field `hit` is declared twice"),
        ("name = \"color\"", "name = \"colour\"", "E0721", "`float3 color` is declared where the file has `float3 colour`"),
        ("type = \"float3\"", "type = \"float4\"", "E0721", "`float3 color` is declared where the file has `float4 color`"),
        ("Pair[2] { float a; uint b; }", "Pair[2] { uint b; float a; }", "E0721", "`Pair[2] { float a; uint b; } pairs` is declared"),
        ("read = [\"caller\"]", "read = [\"called\"]", "E0720", "`called` is not a stage"),
        ("read = [\"caller\"]", "read = [\"caller\", \"caller\"]", "E0720", "the stage `caller` is named twice"),
        ("read = [\"caller\"]", "read = []", "E0721", "has read(caller) where the file has read()"),
        ("bits = 96", "bits = 95", "E0721", "`color` has 96 bits where the file has 95"),
        ("bits = 96", "bits = 0", "E0720", "a field without bits"),
        ("bits = 96", "bits = 4294967295", "E0720", "is not a number from 0"),
        (
            "[[payload]]\nname = \"Shadow\"",
            "[[payload]]\nname = \"Payload\"",
            "E0720",
            "the payload `Payload` is declared twice in the file",
        ),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let (id, message) = compile(SOURCE, &changed).unwrap_err();
        assert!(id == code && message.contains(why), "{from} -> {to}: {id} {message}");
    }
}

#[test]
fn places_that_cannot_be_are_refused() {
    let text = made(SOURCE);
    let place = |field: &str, new: &str| {
        let lines = text.lines().map(|l| match l.contains(&format!("name = \"{field}\"")) {
            true => format!("{}{new} }},\n", l.split(", at = ").next().unwrap().trim_end_matches(" },")),
            false => format!("{l}\n"),
        });
        compile(SOURCE, &lines.collect::<String>())
    };
    let fails = |field: &str, new: &str, code: &str, why: &str| {
        let (id, message) = place(field, new).unwrap_err();
        assert!(id == code && message.contains(why), "{field}{new}: {id} {message}");
    };
    // Over a field that is live with it; into another word; after the end; no offset.
    let pairs = text.lines().find(|l| l.contains("\"pairs\"")).unwrap();
    let at: u32 = pairs.split("at = ").nth(1).unwrap().trim_end_matches(" },").parse().unwrap();
    fails("alpha", &format!(", at = {at}"), "E0720", "are alive at the same time and share bits");
    fails("color", ", at = 97", "E0721", "a number must not cross a word");
    fails("color", ", at = 160", "E0720", "96 bits from bit 160 are outside of 28 bytes");
    fails("color", ", at = 4294967264", "E0720", "is not a number from 0");
    fails("color", ", at = -32", "E0720", "is not a number from 0");
    fails("color", "", "E0720", "`color` is alive between stages and requires an offset");
    // What is never alive may have a place.
    assert!(place("never", ", at = 0").is_ok());
}

#[test]
fn other_declarations_and_shaders_are_refused() {
    let text = made(SOURCE);
    for (from, to, why) in [
        ("float3 color :", "float color :", "`float color` is declared where the file has `float3 color`"),
        ("int never : write() : read();", "", "`int never` of the file is not declared"),
        (
            "int never : write() : read();",
            "int never : write() : read(); int more : write(caller) : read(miss);",
            "`int more` is not in the file",
        ),
        (
            "alpha : write(caller, anyhit) : read(anyhit, closesthit)",
            "alpha : write(caller, anyhit) : read(closesthit, anyhit, miss)",
            "`alpha` has read(anyhit, closesthit, miss) where the file has read(anyhit, closesthit)",
        ),
        ("struct Pair { float a; uint b; }", "struct Pair { uint b; float a; }", "`Pair[2] { uint b; float a; } pairs` is declared"),
        (
            "[shader(\"miss\")] void MsShadow",
            "[shader(\"closesthit\")] void More(inout Shadow s, BuiltInTriangleIntersectionAttributes a) {}\n[shader(\"miss\")] void MsShadow",
            "this library has closesthit shaders with it, which the file does not list",
        ),
    ] {
        let other = SOURCE.replacen(from, to, 1);
        assert_ne!(other, SOURCE, "{from}");
        let (id, message) = compile(&other, &text).unwrap_err();
        assert!(id == "E0721" && message.contains(why), "{to}: {id} {message}");
    }
}

/// As small as can be, as it is compiled thousands of times.
const SMALL: &str = r#"
struct [raypayload] P { float a : write(caller) : read(miss); bool b : write(miss) : read(caller); int c : write() : read(); };
[shader("miss")] void M(inout P p) { p.b = p.a > 0; }
"#;

#[test]
fn damaged_files_never_panic() {
    let text = made(SMALL);
    for len in (0..text.len()).filter(|&n| text.is_char_boundary(n)) {
        match compile(SMALL, &text[..len]) {
            // A file that ends after a payload is a file with fewer of them.
            Ok(_) => assert!(text[..len].trim_end().ends_with([']', '1']), "{len}"),
            Err((id, _)) => assert_eq!(id, "E0720", "{len}"),
        }
    }
    let mut seed = 0x1234_5678_9abc_def1u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for _ in 0..500 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + next(4) {
            let at = next(bytes.len());
            match next(3) {
                0 => bytes[at] = b"0123456789\"[]{},=#. a"[next(21)],
                1 => drop(bytes.remove(at)),
                _ => bytes[at] ^= 1 << next(7),
            }
        }
        if let Err((id, _)) = compile(SMALL, &String::from_utf8_lossy(&bytes)) {
            assert!(id == "E0720" || id == "E0721", "{id}");
        }
    }
}
