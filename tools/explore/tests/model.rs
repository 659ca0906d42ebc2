//! The model: every line of a listing is linked with the place that it comes from, and nothing that a source or its options say breaks it.

use rtc::{Disk, NoIncludes, compile};
use rtc_explore::{Model, Request, View, model, page};
use std::path::Path;

fn explore(name: &str, source: &str, arguments: &[&str]) -> Model {
    let request = Request { name: name.into(), source: source.into(), arguments: arguments.iter().map(|a| (*a).into()).collect() };
    model(&request, &mut NoIncludes, &mut |o| Ok(compile(name, source.as_bytes(), &mut Disk, o)))
}

fn sample(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(format!("samples/{name}/{name}.hlsl"));
    let source = std::fs::read_to_string(&path).expect("a sample");
    explore(&path.to_string_lossy(), &source, &[])
}

fn view<'m>(m: &'m Model, id: &str) -> &'m View {
    m.views.iter().find(|v| v.id == id).unwrap_or_else(|| panic!("there is no view {id}"))
}

/// The text of the line that a line of a listing comes from; nothing if it comes from none.
fn origin(m: &Model, at: Option<[u32; 2]>) -> &str {
    at.map_or("", |[file, line]| &m.files[file as usize].lines[line as usize - 1])
}

const TRACES: &str = include_str!("traces.hlsl");

#[test]
fn lines_are_linked() {
    let m = explore("a.hlsl", TRACES, &[]);
    assert!(m.diagnostics.is_empty(), "{:?}", m.diagnostics);
    assert_eq!((m.profile.as_str(), m.entry.as_deref(), m.files.len()), ("lib_6_9", None, 1));
    for (id, instruction) in [("dxil", "dx.op.traceRay"), ("spirv", "OpTraceRayKHR"), ("ir-0", "trace_ray")] {
        let v = view(&m, id);
        assert_eq!((v.lines.len(), &v.missing), (v.at.len(), &None));
        let calls = |l: &String| l.contains(instruction) && !l.contains("declare");
        let line = v.lines.iter().position(calls).unwrap_or_else(|| panic!("{id}: {:#?}", v.lines));
        assert!(origin(&m, v.at[line]).contains("TraceRay("), "{id}: {} is of `{}`", v.lines[line], origin(&m, v.at[line]));
    }
    // What was inlined is of the function that it was written in.
    for (id, instruction) in [("dxil", "float 3.500000e+00"), ("spirv", "OpFMul")] {
        let v = view(&m, id);
        let line = v.lines.iter().position(|l| l.contains(instruction)).unwrap_or_else(|| panic!("{id}: {:#?}", v.lines));
        assert_eq!(origin(&m, v.at[line]), "    return n * 3.5 + 1;", "{id}");
    }
    // Both ways: each statement has lines in each product.
    for id in ["dxil", "spirv"] {
        for statement in ["scale(DispatchRaysIndex", "TraceRay(", "Output[", "p.color = 0.25"] {
            assert!(view(&m, id).at.iter().any(|&at| origin(&m, at).contains(statement)), "{id}: {statement}");
        }
    }
}

#[test]
fn the_page_opens_on_the_code_of_the_entry_point_in_colours() {
    let source =
        "// first\nstruct Made { float a; };\nRWStructuredBuffer<Made> Out;\n[numthreads(1, 1, 1)]\nvoid main() { Out[0].a = 2; }\n";
    for (source, arguments, start) in [(source, &["-T", "cs_6_6"][..], 5), (TRACES, &[], 5)] {
        let m = explore("a.hlsl", source, arguments);
        assert_eq!(m.start, Some(start));
        for (id, code) in [("dxil", "define void"), ("spirv", "= OpFunction %void"), ("ir-0", "fn ")] {
            let v = view(&m, id);
            let line = &v.lines[v.start.expect("a line") as usize];
            assert!(line.contains(code), "{id}: {line}");
            assert_eq!(v.colours.len(), v.lines.len());
            assert!(v.colours.iter().filter(|c| c.contains('k')).count() > 5, "{id}: {:?}", v.colours);
        }
        assert_eq!(m.files[0].colours.len(), m.files[0].lines.len());
    }
    let m = explore("a.hlsl", source, &["-T", "cs_6_6"]);
    let text = &m.files[0].colours;
    assert_eq!((text[0].as_str(), text[2].split('p').next()), ("c8", Some("t18")), "{text:?}");
}

#[test]
fn the_ir_is_shown_after_each_pass() {
    let m = explore("a.hlsl", TRACES, &["-O3"]);
    let passes: Vec<&View> = m.views.iter().filter(|v| v.id.starts_with("ir-")).collect();
    let expected: Vec<String> = rtc::passes::pipeline(rtc::passes::Level::O3).passes().iter().map(|p| format!("IR after {p}")).collect();
    assert_eq!(passes[0].title, "IR");
    assert_eq!(passes[1..].iter().map(|v| v.title.clone()).collect::<Vec<_>>(), expected);
    assert!(passes.iter().any(|v| v.same_as.is_some()) && passes[1..].iter().any(|v| !v.lines.is_empty()));
    for v in &passes {
        assert!(v.same_as.is_some() != (v.lines.len() > 10), "{}", v.title);
        assert!(v.same_as.iter().all(|id| !view(&m, id).lines.is_empty()));
    }
    // Calls are there before inlining, and not after it.
    let calls = |v: &View| v.lines.iter().any(|l| l.contains(" call "));
    let inlined = passes.iter().position(|v| v.title == "IR after inline").expect("inlining");
    assert!(calls(passes[0]) && !calls(passes[inlined]));
}

#[test]
fn snapshots_and_reports_change_no_code() {
    let mut o = match rtc::Options::parse_args(["-T", "lib_6_9", "-Zi", "-Qembed_debug", "a.hlsl"], &mut NoIncludes) {
        Ok(rtc::arguments::Invocation::Compile(r)) => r.options,
        other => panic!("{other:?}"),
    };
    let made = |o: &rtc::Options| compile("a.hlsl", TRACES.as_bytes(), &mut NoIncludes, o).product.expect("it compiles").into_bytes();
    let plain = made(&o);
    o.snapshots = true;
    assert_eq!(made(&o), plain);
}

#[test]
fn reports_are_there() {
    let m = explore("a.hlsl", TRACES, &[]);
    let reorder = m.reorder.expect("a report");
    let points: Vec<_> =
        reorder["functions"].as_array().into_iter().flatten().flat_map(|f| f["points"].as_array().into_iter().flatten()).collect();
    assert_eq!(points.len(), 1);
    assert_eq!(
        (points[0]["kind"].as_str(), points[0]["place"]["file"].as_str(), points[0]["place"]["line"].as_u64()),
        (Some("TraceRay"), Some("a.hlsl"), Some(15))
    );
    let payloads = m.payloads.expect("a report");
    assert_eq!(payloads["payloads"][0]["name"], "Payload");
    assert!(payloads["payloads"][0]["declared"]["aliveBytes"].as_object().is_some_and(|t| t.len() > 3));
}

#[test]
fn the_report_says_what_diverges() {
    let source = TRACES.replace("    TraceRay(", "    if (DispatchRaysIndex().x & 1) TraceRay(");
    let m = explore("a.hlsl", &source, &[]);
    let divergence = &m.reorder.expect("a report")["functions"][0]["points"][0]["divergence"];
    assert_eq!((divergence["causes"][0]["kind"].as_str(), divergence["causes"][0]["place"]["line"].as_u64()), (Some("if"), Some(15)));
    assert!(divergence["causes"][0]["value"].as_str().is_some_and(|v| v.contains("DispatchRaysIndex().x")), "{divergence}");
    assert!(divergence["text"].as_str().is_some_and(|t| t.contains("-fspv-converge-traces")), "{divergence}");
}

/// Whether a line is an instruction that comes from an expression.
fn arithmetic(line: &str) -> bool {
    ["= fmul", "= fadd", "FMad(", "OpFMul", "OpFAdd"].iter().any(|op| line.contains(op))
}

#[test]
fn samples_with_includes_are_linked() {
    let m = sample("pathtracer");
    assert!(m.files.len() > 2 && m.files[0].name.ends_with("pathtracer.hlsl"), "{:?}", m.files.iter().map(|f| &f.name).collect::<Vec<_>>());
    for id in ["dxil", "spirv"] {
        let v = view(&m, id);
        assert_eq!(v.missing, None);
        let instructions = v.lines.iter().filter(|l| arithmetic(l)).count();
        let linked = v.lines.iter().zip(&v.at).filter(|(l, at)| at.is_some() && arithmetic(l)).count();
        assert!(instructions > 20 && linked * 10 >= instructions * 9, "{id}: {linked} of {instructions}");
        assert!(v.at.iter().flatten().any(|at| at[0] > 0), "{id}: nothing of an included file");
    }
    for at in m.views.iter().flat_map(|v| v.at.iter().flatten()).chain(m.diagnostics.iter().filter_map(|d| d.at.as_ref())) {
        assert!(at[1] >= 1 && (at[1] as usize) <= m.files[at[0] as usize].lines.len(), "{at:?}");
    }
}

#[test]
fn wrong_sources_and_options_give_messages() {
    let m = explore("a.hlsl", "[numthreads(1, 1, 1)]\nvoid main() { int x = y; }\n", &["-T", "cs_6_6"]);
    let [d] = m.diagnostics.as_slice() else { panic!("{:?}", m.diagnostics) };
    assert_eq!((d.severity, d.at, d.targets.as_slice()), ("error", Some([0, 2]), &["DXIL", "SPIR-V"][..]));
    assert!(m.views.iter().all(|v| v.lines.is_empty() && v.missing.is_some()));
    for arguments in [&["-T", "cs_9_9"][..], &["-nonsense"], &["-T"], &["--help"], &["@none"], &["-P"], &["-link"], &["-T", "rootsig_1_1"]]
    {
        let m = explore("a.hlsl", "", arguments);
        assert!(m.views.len() >= 2 && !m.views[0].id.is_empty(), "{arguments:?}");
        _ = page(&m, None);
    }
    // One target alone has an error: the other one is shown.
    let m = explore("a.hlsl", "RWBuffer<double> B; [numthreads(1, 1, 1)] void main() { B[0] = 1; }", &["-T", "cs_6_6"]);
    assert!(view(&m, "dxil").missing.is_none() || view(&m, "spirv").missing.is_none() || !m.diagnostics.is_empty());
    // Options for files change nothing, and what they name is not written.
    let m = explore("a.hlsl", TRACES, &["-Fo", "never-written.dxil", "-spirv", "-Fc", "x"]);
    assert!(m.diagnostics.is_empty() && view(&m, "dxil").lines.len() > 10 && !Path::new("never-written.dxil").exists());
    for source in [
        "",
        "\n",
        "\u{feff}",
        "// rtc -T",
        "// rtc -T lib_6_3 -D \u{0}",
        "#line 99 \"other.hlsl\"\nint x;",
        "é\r\n\r",
        "#include \"none.hlsl\"",
    ] {
        _ = page(&explore("a b<c>.hlsl", source, &[]), Some("1"));
    }
}

#[test]
fn lines_are_those_of_the_file_whatever_it_says() {
    let source = TRACES.replace("float scale", "#line 900 \"elsewhere.hlsl\"\nfloat scale");
    let m = explore("a.hlsl", &source, &[]);
    let v = view(&m, "dxil");
    let line = v.lines.iter().position(|l| l.contains("float 3.500000e+00")).expect("a product");
    assert_eq!(origin(&m, v.at[line]), "    return n * 3.5 + 1;");
}

#[test]
fn the_page_is_one_file() {
    let hostile = TRACES.replace("kept", "kept /* </script><script>alert(1)</script><!-- */");
    let m = explore("a.hlsl", &hostile, &[]);
    let text = page(&m, None);
    assert_eq!(text.matches("</script>").count(), 3);
    assert!(!text.contains("alert(1)</script>"));
    for outside in ["src=", "@import", "url(", "http://", "https://"] {
        assert!(!text.to_lowercase().contains(outside), "{outside}");
    }
    // The model is read back from it.
    let (_, json) = text.split_once("id=\"model\">").expect("the model");
    let (json, _) = json.split_once("</script>").expect("its end");
    let read: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(read, serde_json::to_value(&m).expect("JSON"));
}

#[test]
fn warnings_about_what_shaders_do_are_findings() {
    let source = "RWBuffer<float> B;\n[numthreads(1, 1, 1)] void main(uint id : SV_GroupIndex)\n{\n    float x;\n    B[id] = x + (int)1.5f;\n    float1 y = float2(x, 3);\n    B[1] = y;\n}\n";
    let m = explore("a.hlsl", source, &["-T", "cs_6_6"]);
    let of = |code: &str| m.diagnostics.iter().find(|d| d.code == code).unwrap_or_else(|| panic!("{code}: {:?}", m.diagnostics));
    assert!(of("W0305").behaviour, "a value that is read uninitialised");
    assert!(!of("W0301").behaviour, "a truncation");
    // What has an error says nothing of behaviour.
    let m = explore("a.hlsl", "[numthreads(1, 1, 1)] void main() { x; }", &["-T", "cs_6_6"]);
    assert!(m.diagnostics.iter().all(|d| !d.behaviour) && !m.diagnostics.is_empty());
}
