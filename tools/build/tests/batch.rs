//! Builds in folders of their own: what is compiled, what is not, and that files are what one compilation makes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rtc::{CancelToken, Disk, Options};
use rtc_build::archive::Archive;
use rtc_build::cache::{Cache, DEFAULT_LIMIT};
use rtc_build::config::{Limits, toml};
use rtc_build::{Event, How, NoObserver, Observer, Outcome, Plan, Settings, Summary, Task, blob, run};

/// A folder that is removed at the end.
struct Folder(rtc_test_support::Folder);

impl Folder {
    fn new() -> Self {
        Folder(rtc_test_support::Folder::new("batch"))
    }

    fn write(&self, file: &str, text: &str) {
        self.0.write(file, text);
    }

    fn read(&self, file: &str) -> Vec<u8> {
        self.0.read(file)
    }

    fn plan(&self) -> Plan {
        self.plan_of("rtc.toml")
    }

    fn plan_of(&self, file: &str) -> Plan {
        let text = String::from_utf8(self.read(file)).expect("it is UTF-8");
        toml::plan(&self.0.join(file).to_string_lossy(), &text, &Limits::default()).expect("the description is right")
    }

    /// The file of the only state.
    fn state(&self) -> String {
        let files =
            fs::read_dir(self.0.join("out/.rtc")).expect("it is there").flatten().map(|f| f.file_name().to_string_lossy().into_owned());
        let states: Vec<String> = files.filter(|f| f.starts_with("state")).collect();
        assert_eq!(states.len(), 1, "{states:?}");
        format!("out/.rtc/{}", states[0])
    }

    /// Every file in the folder of outputs but the state, with its bytes.
    fn outputs(&self) -> BTreeMap<String, Vec<u8>> {
        fn walk(dir: &Path, base: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
            for entry in fs::read_dir(dir).expect("it can be read").flatten() {
                let path = entry.path();
                let name = path.strip_prefix(base).expect("it is below").to_string_lossy().into_owned();
                if path.is_dir() {
                    walk(&path, base, all);
                } else if !name.starts_with(".rtc/state") {
                    all.insert(name, fs::read(&path).expect("it can be read"));
                }
            }
        }
        let (mut all, base) = (BTreeMap::new(), self.0.join("out"));
        walk(&base, &base, &mut all);
        all
    }

    fn build(&self, settings: &Settings) -> (Summary, BTreeMap<String, Outcome>) {
        let seen = Seen::default();
        let summary = run(&self.plan(), settings, &seen).expect("it can be written");
        (summary, seen.0.into_inner().expect("no thread panicked"))
    }
}

#[derive(Default)]
struct Seen(Mutex<BTreeMap<String, Outcome>>);

impl Observer for Seen {
    fn event(&self, event: Event<'_>) {
        if let Event::Task(task, outcome) = event {
            let old = self.0.lock().expect("no thread panicked").insert(task.name(), outcome.clone());
            assert!(old.is_none(), "a task ends once: {}", task.name());
        }
    }
}

fn with_jobs(jobs: usize) -> Settings {
    Settings { jobs, ..Settings::default() }
}

const HEADER: &str = "float scaled(float x) { return x * SCALE; }\n";
const SOURCE: &str = r#"
#include "scale.hlsli"
RWByteAddressBuffer Out : register(u0);
[numthreads(1, 1, 1)] void main() { Out.Store(0, asuint(scaled(BIAS))); }
[numthreads(2, 1, 1)] void Other() { Out.Store(4, asuint(scaled(BIAS))); }
"#;
const DESCRIPTION: &str = r#"
out = "out"
[defaults]
include_dirs = ["first", "second"]
[target.dxil]
[target.spirv]
options = ["-spirv"]
[shader.fill]
source = "fill.hlsl"
profile = "cs_6_6"
entry = ["main", "Other"]
matrix = { BIAS = [1, 2], SCALE = [1, 2, 3], UNUSED = [false, true] }
outputs = ["object", "blob", "header"]
archive = "all"
[shader.alone]
source = "alone.hlsl"
profile = "lib_6_3"
"#;

fn folder() -> Folder {
    let f = Folder::new();
    f.write("second/scale.hlsli", HEADER);
    f.write("fill.hlsl", SOURCE);
    f.write("alone.hlsl", "struct P { float x; }; [shader(\"miss\")] void Miss(inout P p) { p.x = 1; }\n");
    f.write("rtc.toml", DESCRIPTION);
    f
}

/// The object that the library compiles for a task alone.
fn alone(task: &Task) -> Vec<u8> {
    let arguments = task.arguments.iter().chain([&task.source]);
    let Ok(rtc::arguments::Invocation::Compile(request)) = Options::parse_args(arguments, &mut Disk) else {
        panic!("{:?}", task.arguments)
    };
    let source = fs::read(&task.source).expect("it is there");
    rtc::compile(&task.source, &source, &mut Disk, &request.options).product.expect("it compiles").into_bytes()
}

#[test]
fn every_output_is_what_one_compilation_makes() {
    let f = folder();
    let (summary, outcomes) = f.build(&with_jobs(3));
    let tasks = 2 * 2 * 12 + 2;
    assert!(summary.ok(), "{summary:?}");
    // `UNUSED` changes no token.
    assert_eq!((summary.compiled, summary.shared, outcomes.len()), (2 * 2 * 6 + 2, 2 * 2 * 6, tasks));
    let plan = f.plan();
    let outputs = f.outputs();
    for task in &plan.tasks {
        let object = alone(task);
        let file = task.object.as_ref().expect("objects are requested");
        assert!(outputs[file] == object, "{}", task.name());
        if let Some(header) = &task.header {
            let text = String::from_utf8_lossy(&outputs[&header.file]);
            assert!(text.starts_with(&format!("// {{{}}}\nconst uint8_t {}[] = {{", task.permutation.key(), header.variable)), "{text}");
        }
    }
    let spirv = Archive::parse(&outputs["spirv/all.rtca"]).expect("it is an archive");
    assert_eq!(spirv.iter().count(), 24);
    let task = plan.tasks.iter().find(|t| t.name() == "fill:Other [spirv] BIAS=2 SCALE=3 UNUSED").expect("it is planned");
    assert_eq!(spirv.get("fill:Other BIAS=2 SCALE=3 UNUSED"), Some(alone(task).as_slice()));
    assert!(outputs["spirv/all.rtca"].len() < 13 * alone(task).len() + 24 * 100, "equal objects are stored once");
    let of_blob: Vec<String> =
        blob::permutations(&outputs["dxil/fill_main.blob"]).map(|(key, _)| String::from_utf8_lossy(key).into_owned()).collect();
    assert_eq!((of_blob.len(), of_blob[0].as_str(), of_blob[1].as_str()), (12, "BIAS=1 SCALE=1", "BIAS=1 SCALE=1 UNUSED"));
}

#[test]
fn outputs_do_not_depend_on_threads() {
    let (one, many) = (folder(), folder());
    assert!(one.build(&with_jobs(1)).0.ok() && many.build(&with_jobs(8)).0.ok());
    assert!(one.outputs() == many.outputs());
}

#[test]
fn only_what_changed_is_built() {
    let f = folder();
    let settings = with_jobs(2);
    let how = |outcomes: &BTreeMap<String, Outcome>, how: How| outcomes.values().filter(|o| o.how == how).count();
    let all = f.build(&settings).1.len();
    let nothing = f.build(&settings);
    assert_eq!((nothing.0.up_to_date, how(&nothing.1, How::UpToDate)), (all, all));
    // The header is written again with the same bytes.
    f.write("second/scale.hlsli", HEADER);
    assert_eq!(f.build(&settings).0.up_to_date, all);
    // It changes: what includes it is built, the other shader is not.
    f.write("second/scale.hlsli", &HEADER.replace("x *", "2 * x *"));
    assert_eq!(f.build(&settings).0.up_to_date, 2);
    // A file appears that is found before it.
    f.write("first/scale.hlsli", HEADER);
    assert_eq!(f.build(&settings).0.up_to_date, 2);
    fs::remove_file(f.0.join("first/scale.hlsli")).expect("it is there");
    assert_eq!(f.build(&settings).0.up_to_date, 2);
    // An output is lost, another is damaged: both are made again.
    let before = f.outputs();
    let object = f.plan().tasks.iter().find_map(|t| t.object.clone().filter(|o| o.contains("alone"))).expect("it is planned");
    fs::remove_file(f.0.join("out").join(&object)).expect("it is there");
    f.write("out/spirv/alone.spv", "x");
    f.write("out/dxil/all.rtca", "x");
    assert_eq!(f.build(&settings).0.up_to_date, all - 2);
    assert!(f.outputs() == before);
    // A define more in the description, for one shader.
    f.write("rtc.toml", &DESCRIPTION.replace("profile = \"lib_6_3\"", "profile = \"lib_6_3\"\ndefines = { MORE = 1 }"));
    assert_eq!(f.build(&settings).0.up_to_date, all - 2);
    assert_eq!(f.build(&Settings { force: true, ..settings }).0.up_to_date, 0);
}

#[test]
fn a_failing_permutation_stops_nothing_else() {
    let f = folder();
    f.write(
        "fill.hlsl",
        &SOURCE
            .replace(
                "void main",
                "#if BIAS == 2 && SCALE == 3\n#error no\n#elif SCALE == 2\nstatic int x = y;\n#endif\n[numthreads(1,1,1)] void main",
            )
            .replace("[numthreads(1, 1, 1)] ", ""),
    );
    let (summary, outcomes) = f.build(&with_jobs(4));
    assert_eq!((summary.failed, summary.bundles_failed, outcomes.len()), (2 * 2 * (4 + 2), 6, 50));
    let outputs = f.outputs();
    for task in f.plan().tasks {
        let outcome = &outcomes[&task.name()];
        let file = task.object.as_ref().expect("objects are requested");
        assert_eq!(outcome.ok, outputs.contains_key(file), "{}", task.name());
        if !outcome.ok {
            let m = &outcome.messages[0];
            assert!(m.is_error() && m.place.file.ends_with("fill.hlsl") && m.place.line > 3 && !m.excerpt[1].is_empty(), "{m:?}");
        }
    }
    assert!(
        !outputs.contains_key("dxil/all.rtca") && !outputs.contains_key("dxil/fill_main.blob"),
        "no bundle lacks permutations in silence"
    );
    // What failed is done again; then it is right.
    f.write("fill.hlsl", SOURCE);
    assert!(f.build(&with_jobs(4)).0.ok());
}

#[test]
fn mistakes_of_a_task_are_its_messages() {
    let f = Folder::new();
    let table = |name: &str, rest: &str| format!("[shader.{name}]\nprofile = 'cs_6_0'\n{rest}\n");
    f.write("a.hlsl", "[numthreads(1,1,1)] void main() {}");
    f.write(
        "rtc.toml",
        &[
            "out = 'out'\n".to_owned(),
            table("missing", "source = 'missing.hlsl'"),
            table("folder", "source = '.'"),
            table("option", "source = 'a.hlsl'\noptions = ['-frobnicate']"),
            table("word", "source = 'a.hlsl'\noptions = ['b.hlsl']"),
            table("files", "source = 'a.hlsl'\noptions = ['-Fo', 'x']"),
            table("action", "source = 'a.hlsl'\noptions = ['-P']"),
            table("pdb", "source = 'a.hlsl'\noutputs = ['pdb']"),
            table("debug", "source = 'a.hlsl'\noutputs = ['pdb']\noptions = ['-Zi']"),
            table("right", "source = 'a.hlsl'"),
        ]
        .concat(),
    );
    let (summary, outcomes) = f.build(&with_jobs(2));
    let text = |name: &str| outcomes[&format!("{name}:main")].messages.iter().map(|m| m.text.as_str()).collect::<Vec<_>>().join(" ");
    assert_eq!(summary.failed, 7, "{outcomes:?}");
    assert!(text("missing").contains("missing.hlsl`: no such file"), "{}", text("missing"));
    assert!(text("folder").contains("cannot read"), "{}", text("folder"));
    assert!(text("option").contains("frobnicate"), "{}", text("option"));
    assert!(text("word").contains("`b.hlsl`, which is no option"), "{}", text("word"));
    assert!(text("files").contains("name output files"), "{}", text("files"));
    assert!(text("action").contains("something else"), "{}", text("action"));
    assert!(text("pdb").contains("-Zi"), "{}", text("pdb"));
    assert!(f.read("out/debug.pdb").starts_with(b"Microsoft C/C++ MSF"));
}

#[test]
fn the_cache_answers_other_builds() {
    let cache = Folder::new();
    let settings = Settings { cache: Some(Cache::new(&*cache.0, DEFAULT_LIMIT)), ..with_jobs(2) };
    let (a, b) = (folder(), folder());
    let first = a.build(&settings).0;
    assert_eq!((first.cached, first.compiled), (0, 26));
    // The same sources in another folder: paths are in the tokens of `#line`, so those of `a` are built again from nothing.
    fs::remove_dir_all(a.0.join("out")).expect("it is there");
    let again = a.build(&settings).0;
    assert_eq!((again.cached, again.compiled, again.shared), (26, 0, 24));
    // A damaged entry costs a compilation.
    let mut files: Vec<PathBuf> = fs::read_dir(&*cache.0)
        .expect("it is there")
        .flatten()
        .flat_map(|d| fs::read_dir(d.path()).expect("it is there").flatten())
        .map(|f| f.path())
        .collect();
    files.sort();
    assert_eq!(files.len(), 26);
    fs::write(&files[0], "x").expect("it can be written");
    let before = a.outputs();
    fs::remove_dir_all(a.0.join("out")).expect("it is there");
    let repaired = a.build(&settings).0;
    assert_eq!((repaired.cached, repaired.compiled), (25, 1));
    assert!(a.outputs() == before);
    // A cache that cannot be written costs time only.
    cache.write("file", "");
    let broken = Settings { cache: Some(Cache::new(cache.0.join("file"), DEFAULT_LIMIT)), ..with_jobs(2) };
    assert!(b.build(&broken).0.ok());
}

#[test]
fn a_cancelled_build_goes_on_later() {
    struct CancelAt(CancelToken, AtomicUsize);
    impl Observer for CancelAt {
        fn event(&self, event: Event<'_>) {
            if matches!(event, Event::Task(..)) && self.1.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.0.cancel();
            }
        }
    }
    let (f, whole) = (folder(), folder());
    let cancel = CancelToken::new();
    let settings = Settings { cancel: cancel.clone(), ..with_jobs(2) };
    let summary = run(&f.plan(), &settings, &CancelAt(cancel, AtomicUsize::new(5))).expect("it can be written");
    assert!(!summary.ok() && summary.cancelled > 0 && summary.compiled + summary.shared >= 5, "{summary:?}");
    let rest = f.build(&with_jobs(2)).0;
    assert!(rest.ok() && rest.up_to_date >= 5, "{rest:?}");
    assert!(run(&whole.plan(), &with_jobs(2), &NoObserver).expect("it can be written").ok());
    assert!(f.outputs().keys().eq(whole.outputs().keys()));
}

#[test]
fn damaged_states_cost_time_only() {
    let f = folder();
    let settings = with_jobs(2);
    f.build(&settings);
    let file = f.state();
    let (state, outputs) = (f.read(&file), f.outputs());
    let text = String::from_utf8(state.clone()).expect("it is JSON");
    for damaged in [
        text[..text.len() / 2].to_owned(),
        String::new(),
        text.replace("\"set\":0", "\"set\":999"),
        text.replace("\"version\":3", "\"version\":4"),
    ] {
        f.write(&file, &damaged);
        let (summary, _) = f.build(&settings);
        assert!(summary.ok() && summary.up_to_date == 0, "{summary:?}");
        assert!(f.outputs() == outputs);
    }
}

/// Permutations with equal tokens that differ in what no token says: a macro that an option names, remarks of the preprocessor, arguments in
/// debug information.
#[test]
fn equal_tokens_are_not_enough() {
    let f = Folder::new();
    f.write(
        "a.hlsl",
        "#if SLOT\n#define RS \"UAV(u0), CBV(b7)\"\n#else\n#define RS \"UAV(u0)\"\n#endif\n#ifdef SLOW\n#warning slow\n#endif\n\
         RWByteAddressBuffer Out : register(u0);\n[numthreads(1, 1, 1)] void main() { Out.Store(0, 1); }\n",
    );
    let table = |name: &str, rest: &str| format!("[shader.{name}]\nsource = 'a.hlsl'\n{rest}\n");
    f.write(
        "rtc.toml",
        &[
            "out = 'out'\n".to_owned(),
            table("named", "profile = 'cs_6_6'\noptions = ['-rootsig-define', 'RS']\nmatrix = { SLOT = [0, 1] }"),
            table("signature", "profile = 'rootsig_1_1'\nentry = 'RS'\nmatrix = { SLOT = [0, 1] }"),
            table("remark", "profile = 'cs_6_6'\nmatrix = { SLOW = [true, false] }"),
            table("debug", "profile = 'cs_6_6'\noptions = ['-Zi', '-Qembed_debug']\nmatrix = { N = [1, 2] }"),
        ]
        .concat(),
    );
    let cache = Folder::new();
    let settings = Settings { cache: Some(Cache::new(&*cache.0, DEFAULT_LIMIT)), ..with_jobs(1) };
    for _ in 0..2 {
        let (summary, outcomes) = f.build(&settings);
        assert!(summary.ok() && summary.shared == 0, "{outcomes:?}");
        let outputs = f.outputs();
        for task in f.plan().tasks {
            assert!(outputs[task.object.as_ref().expect("objects are requested")] == alone(&task), "{}", task.name());
        }
        assert_eq!(outcomes["remark:main"].messages.len(), 0);
        assert_eq!(outcomes["remark:main SLOW"].messages.len(), 1);
        fs::remove_dir_all(f.0.join("out")).expect("it is there");
    }
}

/// A part of the plan leaves the records of the rest: the whole is up to date afterwards.
#[test]
fn a_part_of_a_plan_forgets_nothing() {
    let f = folder();
    let settings = with_jobs(2);
    let all = f.build(&settings).1.len();
    let mut part = f.plan();
    part.partial = true;
    part.bundles.clear();
    part.tasks.retain(|t| t.shader == "alone");
    assert_eq!(run(&part, &settings, &NoObserver).expect("it can be written").up_to_date, 2);
    assert_eq!(f.build(&settings).0.up_to_date, all);
    // What is out of date stays so.
    f.write("second/scale.hlsli", &HEADER.replace("x *", "3 * x *"));
    assert_eq!(run(&part, &settings, &NoObserver).expect("it can be written").up_to_date, 2);
    assert_eq!(f.build(&settings).0.up_to_date, 2);
}

/// Descriptions may have the same folder of outputs: each keeps its state and the objects of its bundles, also when they are built at the same
/// time.
#[test]
fn descriptions_share_a_folder_of_outputs() {
    let f = folder();
    let other =
        DESCRIPTION.replace("shader.fill]", "shader.fill2]").replace("shader.alone]", "shader.alone2]").replace("\"all\"", "\"all2\"");
    f.write("other.toml", &other.replace("BIAS = [1, 2]", "BIAS = [1, 5]"));
    let build = &|file: &str| run(&f.plan_of(file), &with_jobs(2), &NoObserver).expect("it can be written");
    std::thread::scope(|scope| {
        let both = ["rtc.toml", "other.toml"].map(|file| scope.spawn(move || build(file)));
        for build in both {
            assert!(build.join().expect("no thread panicked").ok());
        }
    });
    for file in ["rtc.toml", "other.toml", "rtc.toml"] {
        let s = build(file);
        assert_eq!((s.up_to_date, s.bundles_failed), (50, 0), "{file}: nothing is forgotten");
    }
    // Objects that no task has go when they are old; those of the other description stay.
    let objects = || fs::read_dir(f.0.join("out/.rtc/objects")).expect("it is there").flatten().map(|f| f.path());
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    f.write(&format!("out/.rtc/objects/{}", rtc_build::Hash::of(b"unused")), "x");
    let before = objects().count();
    objects().for_each(|path| fs::File::options().append(true).open(path).and_then(|f| f.set_modified(old)).expect("it can be changed"));
    assert_eq!(build("rtc.toml").up_to_date, 50);
    assert_eq!(objects().count(), before - 1);
    // A description that is gone keeps nothing.
    fs::remove_file(f.0.join("other.toml")).expect("it is there");
    assert_eq!(build("rtc.toml").up_to_date, 50);
    assert!(objects().count() < before - 1, "{}", objects().count());
    assert_eq!(f.state().matches("state-").count(), 1);
    assert!(build("rtc.toml").up_to_date == 50 && f.outputs().contains_key("dxil/all.rtca"));
}

/// Two descriptions that write one file with different contents undo each other; a warning says so.
#[test]
fn descriptions_that_undo_each_other_are_told() {
    #[derive(Default)]
    struct Warnings(Mutex<Vec<String>>);
    impl Observer for Warnings {
        fn event(&self, event: Event<'_>) {
            if let Event::Warning(text) = event {
                self.0.lock().expect("no thread panicked").push(text.to_owned());
            }
        }
    }
    let f = Folder::new();
    f.write("a.hlsl", "RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { Out.Store(0, N); }");
    for (file, n) in [("rtc.toml", 1), ("b.toml", 2)] {
        f.write(file, &format!("out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_0'\ndefines = {{ N = {n} }}\n"));
    }
    let warnings = Warnings::default();
    assert!(run(&f.plan_of("rtc.toml"), &with_jobs(1), &warnings).expect("it can be written").ok());
    assert!(run(&f.plan_of("b.toml"), &with_jobs(1), &warnings).expect("it can be written").ok());
    let told = warnings.0.into_inner().expect("no thread panicked");
    let expected = "`a.dxil` is written with other contents for the description `../rtc.toml`, which builds into the same folder";
    assert_eq!(told, [expected]);
}
