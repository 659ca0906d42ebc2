//! Plans of configurations of ShaderMake, and mistakes with their lines.

use super::*;

fn arguments(extra: &[&str]) -> Arguments {
    let all = ["-p", "SPIRV", "-c", "cfg/shaders.cfg", "-o", "out"].iter().chain(extra).map(|a| (*a).to_owned()).collect::<Vec<_>>();
    Arguments::parse_args(&all).expect("these arguments are right")
}

fn plan(text: &str, extra: &[&str]) -> Result<Plan, String> {
    super::plan(&arguments(extra), text, &Limits { permutations: 100 }).map_err(|e| e.to_string())
}

#[test]
fn lines_permutations_and_conditions() {
    let text = r#"
        // a comment
        lib/a.hlsl -T cs -E First -D B={0,1} -D A={X,Y,} -O1
        #ifdef EXTRA
        b.hlsl -T ps_ -D GONE
        #else
        ../b.hlsl --profile=ps -o "sub dir" -s _v2 -m 6_2 --compilerOptionsSPIRV "-fvk-use-dx-layout -Wno-x"
        #endif
        #if 0
        nonsense
        #endif
    "#;
    let p = plan(text, &["-B", "-D", "G=1", "-I", "inc", "--noRegShifts", "--sourceDir", "src"]).expect("it is right");
    assert_eq!(p.tasks.len(), 7);
    let keys: Vec<String> = p.tasks.iter().map(|t| t.permutation.key()).collect();
    assert_eq!(keys, ["A=X B=0", "A=Y B=0", "A= B=0", "A=X B=1", "A=Y B=1", "A= B=1", ""]);
    let t = &p.tasks[0];
    assert_eq!((t.source.as_str(), t.object.as_ref()), ("cfg/src/lib/a.hlsl", None));
    assert_eq!(
        t.arguments.join(" "),
        "-T cs_6_5 -E First -D B=0 -D A=X -D G=1 -I cfg/inc -O1 -enable-16bit-types -spirv -fspv-target-env=vulkan1.3"
    );
    let last = &p.tasks[6];
    assert!(last.arguments.join(" ").ends_with("-fspv-target-env=vulkan1.3 -fvk-use-dx-layout -Wno-x"), "{:?}", last.arguments);
    assert_eq!(
        (last.source.as_str(), last.object.as_deref()),
        ("cfg/src/../b.hlsl", Some("sub dir/b_v2.spirv")),
        "a lone shader is no blob"
    );
    let files: Vec<(&str, usize)> = p.bundles.iter().map(|b| (b.file.as_str(), b.tasks.len())).collect();
    assert_eq!(files, [("lib/a_First.spirv", 6)]);
}

#[test]
fn register_shifts_are_those_of_eight_spaces() {
    let p = plan("a.hlsl -T cs", &["-b"]).expect("it is right");
    let text = p.tasks[0].arguments.join(" ");
    assert!(text.contains("-fvk-s-shift 100 0 -fvk-t-shift 200 0 -fvk-b-shift 300 0 -fvk-u-shift 400 0"), "{text}");
    assert!(text.ends_with("-fvk-u-shift 400 7"), "{text}");
}

#[test]
fn mistakes_have_their_lines() {
    for (text, expected) in [
        ("", "there is no shader"),
        ("\na.hlsl", "cfg/shaders.cfg:2:1: the following required arguments were not provided"),
        ("a.hlsl -T cs -D A={0,1", "`{` is not closed"),
        ("a.hlsl -T cs -o \"x", "quotation mark is not closed"),
        ("a.hlsl -T cs -m 6.5", "expected major_minor"),
        ("a.hlsl -T cs --frob", "unexpected argument '--frob'"),
        ("a.hlsl -T cs b.hlsl", "unexpected argument 'b.hlsl'"),
        ("#ifdef A\na.hlsl -T cs", "cfg/shaders.cfg:1:1: this block is not closed"),
        ("#endif", "`#endif` without"),
        ("#else", "`#else` without"),
        ("#elif 1", "`#elif 1` is not understood"),
        ("a.hlsl -T cs\na.hlsl -T cs", "`a:main` is described twice"),
        ("a.hlsl -T cs\na.hlsl -T ps", "`a:main` is described twice"),
        ("a.hlsl -T cs -D A={0,1}\na.hlsl -T cs", "cannot be in one blob"),
        ("a.hlsl -T cs -D A={0,1,2,3,4,5,6,7,8,9,0} -D B={0,1,2,3,4,5,6,7,8,9}", "there are 110 permutations, and the limit is 100"),
    ] {
        let message = plan(text, &["-b", "-B"]).expect_err(text);
        assert!(message.contains(expected), "{text}\n{message}");
    }
    let wrong = |a: &[&str], expected: &str| {
        let all: Vec<String> = a.iter().map(|a| (*a).to_owned()).collect();
        let message = Arguments::parse_args(&all).expect_err(expected).to_string();
        assert!(message.contains(expected), "{message}");
    };
    wrong(&["-p", "DXBC", "-c", "x", "-o", "y", "-b"], "does not compile to DXBC");
    wrong(&["-p", "DXIL", "-c", "x", "-o", "y"], "no output is requested");
    wrong(&["-p", "DXIL", "-c", "x", "-b"], "--out");
    wrong(&["-p", "DXIL", "-c", "x", "-o", "y", "-b", "--vulkanMemoryLayout", "gl"], "SPIRV only");
}
