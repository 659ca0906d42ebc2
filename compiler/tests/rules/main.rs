//! Cases of the validation rules: valid modules, compiled from HLSL, in each of which one change breaks exactly one rule.
//!
//! The validator must find that rule and no other, and nothing before the change. The newest reference validator, if it is installed
//! (`RTC_DXV`), must reject the same modules.

mod bitcode;
mod compat;
mod container;
mod declarations;
mod edit;
mod edit_calls;
mod flow;
mod instr_linalg;
mod instr_rays;
mod instr_resources;
mod instr_textures;
mod instr_values;
mod metadata;
mod pipeline;
mod resources;
mod shader_model;
mod signatures;
mod types;
mod versions;

use std::collections::BTreeSet;
use std::path::Path;

use edit::Edit;
use rtc::validate;
use rtc_oracles::{Dxv, facts, skip};
use rtc_tables::validation::{Rule, all, out_of_scope};

/// One way to break a rule.
pub struct Case {
    /// The rule.
    pub rule: &'static Rule,
    /// The command line and the source, `-T lib_6_5` in its first line's comment.
    pub source: &'static str,
    /// What breaks it.
    pub edit: fn(&mut Edit),
    /// Why the reference validator accepts or cannot check it; empty if it rejects it.
    pub reference: &'static str,
}

fn cases() -> impl Iterator<Item = &'static Case> {
    let lists = [
        bitcode::CASES,
        compat::CASES,
        container::CASES,
        declarations::CASES,
        flow::CASES,
        instr_linalg::CASES,
        instr_rays::CASES,
        instr_resources::CASES,
        instr_textures::CASES,
        instr_values::CASES,
        metadata::CASES,
        pipeline::CASES,
        resources::CASES,
        shader_model::CASES,
        signatures::CASES,
        types::CASES,
    ];
    lists.into_iter().flatten()
}

/// Rules that are never broken alone: a finding about an entry point comes with those about the function and the cause.
const COMPANIONS: &[(&str, &[&str])] = &[
    // An unknown shader model has an unknown DXIL version; a record that loses its variable leaves it to itself.
    ("SM.NAME", &["META.VERSIONSUPPORTED"]),
    ("SM.CBUFFERTEMPLATETYPEMUSTBESTRUCT", &["DECL.NOTUSEDEXTERNAL"]),
    ("SM.INCOMPATIBLECALLINENTRY", &["SM.INCOMPATIBLESTAGE"]),
    ("SM.INCOMPATIBLESTAGE", &["SM.INCOMPATIBLECALLINENTRY"]),
    ("SM.INCOMPATIBLEREQUIRESGROUP", &["SM.INCOMPATIBLECALLINENTRY", "SM.INCOMPATIBLESTAGE"]),
    ("SM.INCOMPATIBLEOPERATION", &["SM.INCOMPATIBLETHREADGROUPDIM"]),
    ("SM.INCOMPATIBLETHREADGROUPDIM", &["SM.INCOMPATIBLEOPERATION"]),
    ("INSTR.BARRIERMODEFORNONCS", &["SM.INCOMPATIBLEOPERATION", "SM.INCOMPATIBLEREQUIRESGROUP", "SM.INCOMPATIBLESTAGE"]),
    ("INSTR.BARRIERREQUIRESNODE", &["SM.INCOMPATIBLEOPERATION", "SM.INCOMPATIBLESTAGE"]),
    (
        "SM.INCOMPATIBLESHADERMODEL",
        &[
            "SM.INCOMPATIBLECALLINENTRY",
            "SM.INCOMPATIBLEOPERATION",
            "SM.INCOMPATIBLEDERIVINCOMPUTESHADERMODEL",
            "SM.OPCODEININVALIDFUNCTION",
        ],
    ),
    (
        "SM.INCOMPATIBLEDERIVINCOMPUTESHADERMODEL",
        &["SM.INCOMPATIBLECALLINENTRY", "SM.INCOMPATIBLEOPERATION", "SM.INCOMPATIBLESHADERMODEL", "SM.OPCODEININVALIDFUNCTION"],
    ),
    // A second value of one kind has another index; more than eight distances take more than two registers.
    ("META.DUPLICATESYSVALUE", &["META.SEMANTICINDEXMAX"]),
    ("META.CLIPCULLMAXCOMPONENTS", &["META.CLIPCULLMAXROWS"]),
    ("SM.PSOUTPUTSEMANTIC", &["SM.SEMANTIC"]),
    ("SM.COMPLETEPOSITION", &["SM.UNDEFINEDOUTPUT"]),
    ("SM.UNDEFINEDOUTPUT", &["SM.COMPLETEPOSITION"]),
    // A function without code is declared, and nothing calls an entry point.
    ("SM.HULLPASSTHRUCONTROLPOINTCOUNTMATCH", &["DECL.USEDEXTERNALFUNCTION"]),
    ("SM.OUTPUTCONTROLPOINTSTOTALSCALARS", &["DECL.USEDEXTERNALFUNCTION"]),
    ("SM.GSOUTPUTVERTEXCOUNTRANGE", &["SM.GSTOTALOUTPUTVERTEXDATARANGE"]),
    ("SM.MESHVSIGROWCOUNT", &["META.SIGNATUREOUTOFRANGE", "SM.MESHTOTALSIGROWCOUNT"]),
    ("SM.MESHPSIGROWCOUNT", &["META.SIGNATUREOUTOFRANGE", "SM.MESHTOTALSIGROWCOUNT"]),
    ("INSTR.MISSINGSETMESHOUTPUTCOUNTS", &["DECL.USEDEXTERNALFUNCTION"]),
];

impl Case {
    /// Breaks the rule. The parts that follow from the module are made anew, unless the case is about them.
    fn break_rule(&self, edit: &mut Edit) {
        (self.edit)(edit);
        if !self.rule.id.starts_with("CONTAINER.") && self.rule.id != "META.FLAGSUSAGE" {
            edit.settle();
        }
    }
}

#[test]
fn each_rule_is_broken_by_its_case_alone() {
    let mut wrong = String::new();
    for (n, case) in cases().enumerate() {
        let mut edit = Edit::compile(case.source);
        let before = validate::container(&edit.bytes());
        if !before.is_valid() {
            wrong += &format!("case {n} ({}) is not valid before the change:\n{before}", case.rule.id);
            continue;
        }
        case.break_rule(&mut edit);
        let report = validate::container(&edit.bytes());
        let found: BTreeSet<&str> = report.findings.iter().map(|f| f.rule.id).collect();
        let companions = COMPANIONS.iter().find(|(id, _)| *id == case.rule.id).map_or(&[][..], |(_, with)| with);
        let others = found.iter().filter(|id| **id != case.rule.id && !companions.contains(id)).count();
        if !found.contains(case.rule.id) || others > 0 {
            wrong += &format!("case {n} ({}) finds {found:?}:\n{report}", case.rule.id);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_rule_has_a_case() {
    let have: BTreeSet<&str> = cases().map(|c| c.rule.id).collect();
    let missing: Vec<&str> = all().map(|r| r.id).filter(|id| !have.contains(id)).collect();
    let count = all().count();
    println!("rules covered: {} of {count}", count - missing.len());
    assert!(missing.is_empty(), "{} rules of {count} have no case: {missing:?}", missing.len());
}

/// Families whose every rule is a row or out of scope for a reason.
const FAMILIES: [&str; 8] = ["BITCODE", "CONTAINER", "META", "TYPES", "DECL", "INSTR", "FLOW", "SM"];

#[test]
fn every_rule_of_the_reference_is_a_row_or_out_of_scope() {
    let text = facts::text("dxil_validation_rules.tsv");
    let rows: BTreeSet<&str> = all().map(|r| r.id).collect();
    let without: BTreeSet<&str> = out_of_scope().map(|r| r.0).collect();
    let mut ids = BTreeSet::new();
    for family in FAMILIES {
        let of_family = |id: &&str| id.split('.').next() == Some(family);
        let listed: Vec<&str> = text.lines().skip(1).filter_map(|l| l.split('\t').next()).filter(of_family).collect();
        assert!(!listed.is_empty(), "{family} has no rules");
        let missing: Vec<&str> = listed.iter().copied().filter(|id| !rows.contains(id) && !without.contains(id)).collect();
        assert!(missing.is_empty(), "{family}: neither rows nor out of scope: {missing:?}");
        let checked = listed.iter().filter(|id| rows.contains(*id)).count();
        println!("{family}: {checked} checked, {} out of scope, {} in all", listed.len() - checked, listed.len());
        ids.extend(listed);
    }
    for id in rows.iter().chain(&without).filter(|id| FAMILIES.iter().any(|f| id.split('.').next() == Some(*f))) {
        assert!(ids.contains(id), "{id} is no rule that users of other validators know");
    }
}

#[test]
fn the_reference_refuses_what_we_refuse() {
    let dxv = match Dxv::find() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules.dxil");
    let mut wrong = String::new();
    for (n, case) in cases().enumerate() {
        let mut edit = Edit::compile(case.source);
        case.break_rule(&mut edit);
        std::fs::write(&out, edit.bytes()).expect("the container is written");
        let refused = dxv.validate_file(&out).is_err();
        if refused != case.reference.is_empty() {
            let does = if refused { "is refused" } else { "passes" };
            wrong += &format!("case {n} ({}) {does} by the reference validator\n", case.rule.id);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Runtime data of work-graph nodes is not supported: it is not checked, which a note reports.
#[test]
fn what_is_not_described_is_left_out() {
    use rtc_dxil_container::metadata::tag;
    use rtc_dxil_container::{FourCc, ShaderKind};
    const SOURCE: &str = "// rtc -T lib_6_8\n[shader(\"compute\")] [numthreads(1, 1, 1)] void main() {}\n";
    let make = |kind: ShaderKind, edit: &dyn Fn(&mut Edit)| {
        let mut e = Edit::compile(SOURCE);
        let number = e.m.meta_i32(kind.as_u32() as i32);
        e.set_prop(tag::KIND, Some(number));
        edit(&mut e);
        validate::validate(&e.bytes()).expect("a container")
    };
    let garble = |e: &mut Edit| *e.part(FourCc::RDAT).last_mut().expect("runtime data") ^= 1;
    let left_out = "its runtime data (RDAT) is not compared, since it has a node shader";
    let said = make(ShaderKind::Node, &garble);
    assert!(said.report.is_valid() && said.notes == [left_out], "{}{:?}", said.report, said.notes);
    // Unreadable data is an error too.
    let cut = make(ShaderKind::Node, &|e| e.part(FourCc::RDAT).truncate(6));
    assert!(!cut.report.is_valid() && cut.notes.is_empty(), "{}", cut.report);
    let said = make(ShaderKind::Compute, &garble);
    assert!(!said.report.is_valid() && said.notes.is_empty());
}

/// Signatures of the stages in a library ask for features, which flags, features and runtime data say.
#[test]
fn features_of_signatures_in_libraries() {
    use rtc_dxil_container::FourCc;
    use rtc_dxil_container::metadata::tag;
    use rtc_dxil_container::shader_flags::{self as flags, bit};
    const SOURCE: &str = "// rtc -T lib_6_8
struct O { float4 at : SV_Position; uint layer : SV_RenderTargetArrayIndex; };
[shader(\"vertex\")] O main(float4 p : P, uint n : N) { O o; o.at = p; o.layer = n; return o; }
[shader(\"pixel\")] float4 Pixel(float4 c : C) : SV_Target { return c; }";
    let found = |edit: &dyn Fn(&mut Edit)| {
        let mut e = Edit::compile(SOURCE);
        edit(&mut e);
        let report = validate::container(&e.bytes());
        report.findings.iter().map(|f| f.rule.id).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(found(&|_| ()), [""; 0]);
    let said = |e: &mut Edit| u64::from_le_bytes(e.part(FourCc::SFI0).as_slice().try_into().expect("features"));
    let mut e = Edit::compile(SOURCE);
    assert_ne!(said(&mut e) & flags::features(bit::VIEWPORT_ARRAY_INDEX), 0);
    for other in [bit::SHADING_RATE, bit::VIEWPORT_ARRAY_INDEX] {
        let features = |e: &mut Edit| {
            let now = said(e) ^ flags::features(other);
            *e.part(FourCc::SFI0) = now.to_le_bytes().to_vec();
        };
        assert_eq!(found(&features), ["CONTAINER.PARTMATCHES"]);
        let declared = |e: &mut Edit| {
            let flags = e.m.meta_i64((bit::VIEWPORT_ARRAY_INDEX ^ other) as i64);
            e.set_prop_of(0, tag::FLAGS, Some(flags));
        };
        assert_eq!(found(&declared), ["META.FLAGSUSAGE"]);
    }
    assert_eq!(found(&|e| *e.part(FourCc::RDAT).last_mut().expect("runtime data") ^= 1), ["CONTAINER.PARTMATCHES"]);
}

/// What only hull shaders may do, their patch constant functions may too.
#[test]
fn patch_constants_belong_to_their_hull_shader() {
    use rtc_dxil_container::ShaderKind;
    use rtc_dxil_container::metadata::tag;
    use rtc_dxil_module::{Op, Tail, Value};
    use rtc_tables::dxil_ops::DxilOp;
    use rtc_tables::validation::rule;
    const SOURCE: &str = "// rtc -T lib_6_6\nexport void Patch() {}\n[shader(\"compute\")] [numthreads(1, 1, 1)] void main() {}\n";
    let about_patch = |of_hull: bool| {
        let mut e = Edit::compile(SOURCE);
        let patch = e.m.funcs.iter().find(|(_, f)| f.name.contains("Patch")).expect("the function").0;
        let opcode = DxilOp::by_name("StorePatchConstant").expect("an operation").opcode;
        let float = e.m.types.float();
        let callee = e.m.dx_op(opcode, &[float]).expect("a declaration");
        let zero = Value::Const(e.m.consts.float_bits(float, 0));
        let args = [e.m.i32(opcode.number() as i32), e.m.i32(0), e.m.i32(0), e.m.i8(0), zero];
        let (ty, void) = (e.m.funcs[callee].ty, e.m.types.void());
        let args = e.body(patch).list(&args);
        e.insert(patch, void, Op::Call { callee: Value::Func(callee), ty, attrs: None.into(), args, cc: 0, tail: Tail::No });
        let kind = e.m.meta_i32(ShaderKind::Hull.as_u32() as i32);
        e.set_prop(tag::KIND, Some(kind));
        if of_hull {
            let state = [Some(e.m.meta.value(Value::Func(patch)))];
            let state = e.m.meta.node(&state);
            e.set_prop(tag::HULL, Some(state));
        }
        let report = validate::container(&e.bytes());
        report.findings.iter().filter(|f| f.rule.id == rule::SM_OPCODE.id).count()
    };
    assert_eq!((about_patch(true), about_patch(false)), (0, 1));
}
