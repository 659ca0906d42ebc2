//! What arguments ask for, and the kinds of mistakes.

use std::collections::HashMap;
use std::io;

use rtc_base::render::Style;
use rtc_frontend::preprocess::NoIncludes;

use super::*;

/// Files in memory.
struct Memory(HashMap<&'static str, &'static [u8]>);

impl ArgumentFiles for Memory {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).map(|b| b.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

fn compile(line: &str) -> CompileRequest {
    match Options::parse_args(words(line), &mut NoIncludes) {
        Ok(Invocation::Compile(request)) => *request,
        other => panic!("{line}: {other:?}"),
    }
}

fn kind(line: &str) -> ArgumentErrorKind {
    Options::parse_args(words(line), &mut NoIncludes).expect_err(line).kind()
}

#[test]
fn actions_and_their_files() {
    assert_eq!(compile("-T lib_6_6 a.hlsl").action, Action::Compile);
    assert_eq!(compile("-T lib_6_6 -verify a.hlsl").action, Action::Verify);
    assert_eq!(compile("-P a.hlsl").action, Action::Preprocess { file: "a.i".into() });
    assert_eq!(compile("-P -Fi b a.hlsl").action, Action::Preprocess { file: "b".into() });
    let po = compile("-Po out.i a.hlsl");
    assert_eq!((po.source.as_str(), po.action), ("a.hlsl", Action::Preprocess { file: "out.i".into() }));
    let po = compile("a.hlsl -Po out.i");
    assert_eq!((po.source.as_str(), po.action), ("a.hlsl", Action::Preprocess { file: "out.i".into() }));
    assert_eq!(compile("-M -Fo o a.hlsl").action, Action::Dependencies { rule: MakeRule::of("o"), file: None });
    assert_eq!(compile("-MD a.hlsl").action, Action::Dependencies { rule: MakeRule::of("a.hlsl"), file: Some("a.d".into()) });
    assert_eq!(compile("-MD -MF x a.hlsl").action, Action::Dependencies { rule: MakeRule::of("a.hlsl"), file: Some("x".into()) });
    // The rule of a header is not that of the source.
    assert_eq!(compile("-MD -MF x -Fh h.inl a.hlsl").action, Action::Dependencies { rule: MakeRule::of("h.inl"), file: Some("x".into()) });
}

#[test]
fn rules_for_make_that_come_with_a_compilation() {
    let rule = |line: &str| compile(line).depfile.map(|d| (d.file, d.rule.targets.join(" "), d.rule.empty_rules));
    let expected = |file: &str, targets: &str, empty: bool| Some((file.to_owned(), targets.to_owned(), empty));
    assert_eq!(rule("-T cs_6_0 -Fo o a.hlsl"), None);
    assert_eq!(rule("-T cs_6_0 -Fo o -depfile=d a.hlsl"), expected("d", "o", false));
    assert_eq!(rule("-T cs_6_0 -Fo o -Fh h -MP -depfile=d a.hlsl"), expected("d", "o h", true));
    assert_eq!(rule("-T cs_6_0 -MT $(X) -MQ a$b -MTc -depfile=d a.hlsl"), expected("d", "$(X) c a$$b", false));
    assert_eq!(compile("-T cs_6_0 -Fo o -depfile=d a.hlsl").action, Action::Compile);
    for (line, expected) in [
        ("-T cs_6_0 -depfile=d a.hlsl", ArgumentErrorKind::Requirement),
        ("-T cs_6_0 -Fo o -MP a.hlsl", ArgumentErrorKind::Requirement),
        ("-T cs_6_0 -Fo o -MD -depfile=d a.hlsl", ArgumentErrorKind::Contradiction),
        ("-P -depfile=d a.hlsl", ArgumentErrorKind::Contradiction),
        ("-link -T lib_6_6 a.dxil -depfile=d", ArgumentErrorKind::Contradiction),
    ] {
        assert_eq!(kind(line), expected, "{line}");
    }
}

#[test]
fn what_is_ignored_is_said() {
    let notes = |line: &str| compile(line).notes.iter().map(|n| n.message.clone()).collect::<Vec<_>>().join("\n");
    assert!(
        notes("-T cs_6_0 a.hlsl b.hlsl").contains("`a.hlsl` is not compiled: of several sources the last one counts, which is `b.hlsl`")
    );
    assert!(notes("-P out.i x.hlsl").contains("`out.i` is ignored: the source is `x.hlsl`, and -Fi out.i names the file that -P writes"));
    assert_eq!(notes("-Po out.i x.hlsl"), "");
    assert!(
        notes("-T cs_6_0 -Wno-conversoin a.hlsl").contains("there is no group of warnings `conversoin`; did you mean `-Wno-conversion`?")
    );
    assert!(notes("-T cs_6_0 -Werror=conversoin a.hlsl").contains("did you mean `-Werror=conversion`?"));
    assert!(notes("-T cs_6_0 -Wfrobnicate a.hlsl").contains("`-Wfrobnicate` has no effect: there is no group of warnings `frobnicate`"));
    // A group of Clang's is no mistake.
    assert_eq!(notes("-T cs_6_0 -Wall -Wno-unused-variable -Werror -Wno-everything -Wno-3206 -Wno-vk-ignored-features a.hlsl"), "");
    assert!(notes("-T cs_6_0 -v -Wno-unused-variable a.hlsl").contains("rtc has no warnings of this group"));
}

#[test]
fn forms_of_diagnostics_by_name() {
    assert_eq!(compile("-T cs_6_0 -fdiagnostics-format=msvc-code a.hlsl").messages.style, Some(Style::MsvcCode));
    let error = Options::parse_args(words("-T cs_6_0 -fdiagnostics-format=jsn a.hlsl"), &mut NoIncludes).expect_err("there is none");
    assert!(error.to_string().contains("did you mean `json`?"), "{error}");
    assert_eq!(compile("-T cs_6_0 -fcolor-diagnostics -fno-color-diagnostics a.hlsl").messages.colour, Some(false));
    // Whatever else is wrong.
    assert_eq!(style_of(words("-frobnicate -fdiagnostics-format=vi --fdiagnostics-format=json -T"), &mut NoIncludes), Some(Style::Json));
    assert_eq!(style_of(words("-frobnicate"), &mut NoIncludes), None);
}

#[test]
fn files_diagnostics_and_shows() {
    let r = compile("-T cs_6_6 -E Main -Fo o -Fc c -Fh h -Fre re -Fsh sh -Fe e -H -fdiagnostics-format=json -ftime-trace=t a.hlsl");
    assert_eq!(r.outputs.header.map(|h| (h.file, h.variable)), Some(("h".into(), "g_Main".into())));
    assert_eq!((r.outputs.object.as_deref(), r.outputs.listing.as_deref()), (Some("o"), Some("c")));
    assert_eq!((r.messages.style, r.messages.file.as_deref()), (Some(Style::Json), Some("e")));
    assert!(r.show.includes && r.options.times && !r.show.times);
    assert_eq!(r.show.trace.and_then(|t| t.file).as_deref(), Some("t"));
    let noted = compile("-T lib_6_6 -v -Ges -E Main a.hlsl").notes;
    let (plan, others): (Vec<_>, Vec<_>) = noted.iter().partition(|n| n.message.starts_with("plan: "));
    assert_eq!(others.iter().map(|n| n.severity).collect::<Vec<_>>(), [Severity::Note, Severity::Warning]);
    assert!(plan.iter().any(|n| n.message == "plan: inline: tidy, inline"), "{plan:?}");
}

#[test]
fn a_source_in_memory_needs_no_name() {
    let of = |line: &str| match Options::parse_args_of("memory.hlsl", words(line), &mut NoIncludes) {
        Ok(Invocation::Compile(request)) => request.source,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(of("-T lib_6_6"), "memory.hlsl");
    assert_eq!(of("-T lib_6_6 named.hlsl"), "named.hlsl");
    assert_eq!(kind("-T lib_6_6"), ArgumentErrorKind::Missing);
}

#[test]
fn mistakes_have_kinds() {
    use ArgumentErrorKind as K;
    for (line, expected) in [
        ("-spirw a.hlsl", K::UnknownOption),
        ("-metal a.hlsl", K::Refused),
        ("a.hlsl -T", K::MissingValue),
        ("-T lib_6_99 a.hlsl", K::InvalidValue),
        ("-T lib_6_6 -HV 1999 a.hlsl", K::InvalidValue),
        ("-T lib_6_6 -Zpr -Zpc a.hlsl", K::Contradiction),
        ("-T lib_6_3 -enable-payload-qualifiers a.hlsl", K::Requirement),
        ("-T ps_6_1 -enable-16bit-types a.hlsl", K::Requirement),
        ("-T ps_6_2 -enable-16bit-types -HV 2017 a.hlsl", K::Requirement),
        ("-T cs_6_0 -setprivate no-file a.hlsl", K::File),
        ("@no-file", K::File),
        ("a.hlsl", K::Missing),
        ("-dumpbin -T lib_6_6 a.dxil", K::Contradiction),
        ("-dumpbin -Qstrip_debug a.dxil", K::Requirement),
        ("-link -spirv -T lib_6_6 a.dxil", K::Requirement),
    ] {
        assert_eq!(kind(line), expected, "{line}");
    }
}

#[test]
fn other_invocations() {
    let of = |line: &str| Options::parse_args(words(line), &mut NoIncludes).expect("valid arguments");
    assert!(matches!(of("-T lib_6_6 -help"), Invocation::Help));
    assert!(matches!(of("--version -h"), Invocation::Version));
    let Invocation::Link(link) = of("-link -T lib_6_6 a.dxil;b.dxil -Fo out") else { panic!("it links") };
    assert_eq!(link.files, ["a.dxil", "b.dxil"]);
    let Invocation::Container(dump) = of("-dumpbin a.dxil -Qstrip_debug -Fo b.dxil") else { panic!("it reads a container") };
    assert!(dump.edits.strip_debug && dump.outputs.object.as_deref() == Some("b.dxil"));
}

#[test]
fn files_come_from_the_caller() {
    let mut files =
        Memory(HashMap::from([("args", b"-T cs_6_0 -setprivate \"my data\" @more" as &[u8]), ("more", b"/D A=1"), ("my data", b"xyz")]));
    let Ok(Invocation::Compile(r)) = Options::parse_args(["@args", "a.hlsl"], &mut files) else { panic!("it compiles") };
    assert_eq!((r.private.as_deref(), r.options.defines.len()), (Some(&b"xyz"[..]), 1));
    let mut itself = Memory(HashMap::from([("args", b"@args" as &[u8])]));
    let e = Options::parse_args(["@args"], &mut itself).expect_err("it has no end");
    assert!(e.to_string().contains("include itself"), "{e}");
}

#[test]
fn the_help_names_every_option_that_is_accepted() {
    let text = help();
    for f in FLAGS.iter().filter(|f| !matches!(f.support, Support::Refused(_))) {
        assert!(text.contains(&format!("\n      -{}", f.name)), "{}", f.name);
    }
}

/// The files that read options which set no field themselves.
const READERS: &[&str] = &[include_str!("container.rs"), include_str!("mod.rs"), include_str!("read.rs"), include_str!("spirv.rs")];

#[test]
fn every_option_sets_its_field_or_is_read() {
    for f in FLAGS.iter().filter(|f| f.support == Support::Full && matches!(f.effect, flags::Effect::Read)) {
        let name = format!("\"{}\"", f.name);
        // It prints nothing, which is what it asks for.
        let banner = f.name == "nologo";
        assert!(banner || READERS.iter().any(|text| text.contains(&name)), "-{} has no effect", f.name);
    }
}

#[test]
fn rows_set_their_fields() {
    let o =
        compile("-T lib_6_6 -spirv -O3 -Od -fvk-t-shift 10 2 -vkbr t3 0 1 2 -fvk-bind-register u0 0 4 5 -pack_optimized a.hlsl").options;
    assert_eq!((o.level, o.spirv.shifts.list.len(), o.spirv.stage.packed), (crate::OptLevel::O0, 1, true));
    // Both spellings, in the order of the arguments.
    assert_eq!(o.spirv.registers.iter().map(|r| (r.register, r.to.binding)).collect::<Vec<_>>(), [(3, 1), (0, 4)]);
    let o = compile("-T lib_6_6 -fspv-ser=lower -fspv-ser=auto -fspv-entrypoint-name=a -fspv-entrypoint-name= a.hlsl").options;
    assert_eq!((o.vulkan.ser, o.spirv.entry_name), (crate::Ser::Auto, None));
    assert!(compile("-T lib_6_x a.hlsl").options.export_all);
}
