//! Plans of descriptions, and mistakes with places and fixes.

use super::*;

fn plan(text: &str) -> Result<Plan, String> {
    super::plan("dir/rtc.toml", text, &Limits { permutations: 1000 }).map_err(|e| e.to_string())
}

const WHOLE: &str = r#"
out = "build"
[defaults]
options = ["-O3"]
include_dirs = ["inc"]
defines = { DEBUG = false, PLATFORM = 1 }
[template.base]
profile = "cs"
model = "6.6"
matrix = { A = [0, 1] }
[template.derived]
inherits = "base"
options = ["-Zi"]
matrix = { B = ["x", "y"] }
[target.dxil]
[target.spirv]
options = ["-spirv"]
defines = { PLATFORM = 2 }
[shader.one]
inherits = "derived"
source = "one.hlsl"
entry = ["First", "Second"]
exclude = [{ A = 1, B = "y" }]
outputs = ["object", "pdb", "blob"]
[shader.two]
source = "/abs/two.hlsl"
profile = "lib_6_3"
targets = ["dxil"]
archive = "all"
"#;

#[test]
fn inheritance_targets_entries_and_bundles() {
    let p = plan(WHOLE).expect("it is right");
    assert_eq!((p.out.as_str(), p.tasks.len()), ("dir/build", 2 * 2 * 3 + 1));
    let t = &p.tasks[1];
    assert_eq!(t.name(), "one:First [dxil] A=0 B=y");
    assert_eq!(t.arguments.join(" "), "-T cs_6_6 -E First -O3 -Zi -I dir/inc -D PLATFORM=1 -D A=0 -D B=y");
    let object = t.object.as_deref().expect("objects are requested");
    assert!(object.starts_with("dxil/one_First_") && object.ends_with(".dxil"), "{object}");
    assert!(p.tasks[6].arguments.join(" ").contains("-D PLATFORM=2"), "a target overrides");
    assert!(p.tasks[6].object.as_deref().is_some_and(|o| o.starts_with("spirv/") && o.ends_with(".spv")));
    let files: Vec<(&str, usize)> = p.bundles.iter().map(|b| (b.file.as_str(), b.tasks.len())).collect();
    let blobs = [("dxil/one_First.blob", 3), ("dxil/one_Second.blob", 3), ("spirv/one_First.blob", 3), ("spirv/one_Second.blob", 3)];
    assert_eq!(files, blobs.into_iter().chain([("dxil/all.rtca", 1)]).collect::<Vec<_>>());
    let two = p.tasks.last().expect("there are tasks");
    assert_eq!((two.object.as_ref(), two.source.as_str(), two.name_in_archive().as_str()), (None, "/abs/two.hlsl", "two"));
}

#[test]
fn mistakes_have_places_and_fixes() {
    let shader = "[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\n";
    let wrong = |text: &str, expected: &str| {
        let message = plan(text).expect_err(text);
        assert!(message.contains(expected), "{text}\n{message}\n{expected}");
    };
    wrong("", "there is no shader");
    wrong(&format!("{shader}optoins = []"), "dir/rtc.toml:4:1: unknown key `optoins`; did you mean `options`?");
    wrong("[shadre.a]", "unknown key `shadre`; did you mean `shader`?");
    wrong(&format!("{shader}inherits = 'x'\n[template.y]"), "there is no template `x`");
    wrong(&format!("{shader}inherits = 'bas'\n[template.base]"), "did you mean `base`?");
    wrong(&format!("{shader}inherits = 'p'\n[template.p]\ninherits='q'\n[template.q]\ninherits='p'"), "inherits from itself: p → q → p");
    wrong(&format!("{shader}targets = ['dxli']\n[target.dxil]"), "no target `dxli`; did you mean `dxil`?");
    wrong(&format!("{shader}outputs = ['objekt']"), "dir/rtc.toml:4:");
    wrong(&format!("{shader}matrix = {{ A = [[1]] }}"), "the value of a macro");
    wrong("[shader.a]\nsource='a'\nprofile='cs'", "has no version; write `cs_6_6`");
    wrong("[shader.a]\nsource='a'\nprofile='xs_6_6'", "unknown profile `xs_6_6`");
    wrong("[shader.a]\nprofile='cs_6_6'", "has no `source`");
    wrong("[shader.a]\nsource='a'", "has no `profile`");
    wrong(
        &format!("{shader}matrix = {{ LIGHT = [1] }}\nexclude = [{{ LIHGT = 1 }}]"),
        "`exclude` names `LIHGT`, which is no axis of `matrix`; did you mean `LIGHT`?",
    );
    wrong(&format!("{shader}matrix = {{ A = [1] }}\nexclude = [{{ A = 1 }}]"), "no permutation is left");
    wrong(&format!("{shader}matrix = {{ A = [] }}"), "no permutation is left");
    wrong(&format!("{shader}matrix = {{ \"A B\" = [1] }}"), "`A B` is no name of a macro");
    wrong(&format!("{shader}defines = {{ \"A=1\" = 2 }}"), "`A=1` is no name of a macro");
    wrong(&format!("{shader}name = '../../a'"), "`../../a` is no name of a file in the folder of outputs");
    wrong(&format!("{shader}name = ''"), "`` is no name of a file");
    wrong(&format!("{shader}archive = '/tmp/all'"), "`/tmp/all` is no name of a file");
    wrong(&format!("{shader}[cache]\nurl = 's4://b'"), "`[cache]`: there are no caches with the scheme `s4`");
    wrong(&format!("{shader}[cache]\nurl = 'file:///c'\ntimeout = 0"), "a time limit of 0 seconds is not between 0.01 and 3600");
    wrong(&format!("{shader}[cache]\nurll = 'file:///c'"), "dir/rtc.toml:5:1: unknown key `urll`; did you mean `url`?");
    wrong("x = ", "dir/rtc.toml:1:");
    wrong(
        &format!("{shader}name='n'\n[shader.b]\nsource='a'\nprofile='cs_6_6'\nname='./n'"),
        "would be written by `a:main` and by `b:main`",
    );
}

#[test]
fn shared_caches_have_settings() {
    let text = "[cache]\nurl = 's3://bucket/rtc'\nwrite = false\ntimeout = 1.5\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\n";
    let shared = plan(text).expect("it is right").shared.expect("there is one");
    assert_eq!((shared.url.as_str(), shared.write, shared.time_limit.as_millis()), ("s3://bucket/rtc", false, 1500));
    assert!(!shared.credentials, "a description does not decide where secrets of the environment are sent");
}

#[test]
fn too_many_permutations_are_counted_before_they_are_made() {
    let axis = |n: usize| format!("[{}]", (0..n).map(|v| v.to_string()).collect::<Vec<_>>().join(","));
    let axes: String = ["A", "B", "C", "D", "E", "F"].iter().map(|n| format!("{n} = {}\n", axis(1000))).collect();
    let text = format!("[shader.s]\nsource='s'\nprofile='cs_6_0'\n[shader.s.matrix]\n{axes}");
    let message = plan(&text).expect_err("it is too much");
    assert!(message.starts_with("there are 1000000000000000000 permutations, and the limit is 1000 (--max)"), "{message}");
    assert!(message.contains("shader `s`: A has 1000 values"), "{message}");
}
