//! The DXIL operation table against the facts, column by column.

use rtc_tables::dxil_ops::{DxOp, DxilOp, OPS, OpAttr, OpTy, flag, kind, stage};
use serde_json::Value;

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn model(value: &Value) -> (u8, u8) {
    let (major, minor) = text(value).split_once('.').expect("a shader model");
    (major.parse().expect("a number"), minor.parse().expect("a number"))
}

fn bits(list: &Value, names: &[(&str, u16)]) -> u16 {
    let list = list.as_array().expect("a list");
    list.iter().fold(0, |mask, item| {
        let row = names.iter().find(|row| row.0 == text(item));
        mask | row.unwrap_or_else(|| panic!("{item} is unknown")).1
    })
}

const KINDS: [(&str, u16); 11] = [
    ("void", kind::VOID),
    ("f16", kind::F16),
    ("f32", kind::F32),
    ("f64", kind::F64),
    ("i1", kind::I1),
    ("i8", kind::I8),
    ("i16", kind::I16),
    ("i32", kind::I32),
    ("i64", kind::I64),
    ("udt", kind::UDT),
    ("object", kind::OBJECT),
];

const STAGES: [(&str, u16); 16] = [
    ("pixel", stage::PS),
    ("vertex", stage::VS),
    ("geometry", stage::GS),
    ("hull", stage::HS),
    ("domain", stage::DS),
    ("compute", stage::CS),
    ("library", stage::LIB),
    ("raygeneration", stage::RG),
    ("intersection", stage::IS),
    ("anyhit", stage::AH),
    ("closesthit", stage::CH),
    ("miss", stage::MISS),
    ("callable", stage::CL),
    ("mesh", stage::MESH),
    ("amplification", stage::AMP),
    ("node", stage::NODE),
];

const FLAGS: [(&str, u16); 6] = [
    ("wave", flag::WAVE as u16),
    ("gradient", flag::GRADIENT as u16),
    ("barrier", flag::BARRIER as u16),
    ("deriv", flag::DERIV as u16),
    ("convergent", flag::CONVERGENT as u16),
    ("feedback", flag::FEEDBACK as u16),
];

fn op_ty(text: &str) -> OpTy {
    match text {
        "v" => OpTy::Void,
        "i1" => OpTy::I1,
        "i8" => OpTy::I8,
        "u8" => OpTy::U8,
        "i16" => OpTy::I16,
        "i32" => OpTy::I32,
        "u32" => OpTy::U32,
        "i64" => OpTy::I64,
        "f" => OpTy::Float,
        "h" => OpTy::Half,
        "d" => OpTy::Double,
        "pf32" => OpTy::FloatPtr,
        "res" => OpTy::Handle,
        "$o" => OpTy::O,
        "$o_i1" => OpTy::OI1,
        "$o_i32" => OpTy::OI32,
        "$elt" => OpTy::OElem,
        "$r" => OpTy::ResRet,
        "$cb" => OpTy::CBufRet,
        "dims" => OpTy::Dimensions,
        "splitdouble" => OpTy::SplitDouble,
        "i32c" => OpTy::I32c,
        "twoi32" => OpTy::TwoI32,
        "fouri32" => OpTy::FourI32,
        "SamplePos" => OpTy::SamplePos,
        "$udt" => OpTy::UdtPtr,
        "$obj" => OpTy::Object,
        "resproperty" => OpTy::ResourceProperties,
        "resbind" => OpTy::ResBind,
        "nodehandle" => OpTy::NodeHandle,
        "noderecordhandle" => OpTy::NodeRecordHandle,
        "nodeproperty" => OpTy::NodeInfo,
        "noderecordproperty" => OpTy::NodeRecordInfo,
        "hit_object" => OpTy::HitObject,
        "int2" => OpTy::Int2,
        "$vec2" => OpTy::OVec2,
        "$vec4" | "%dx.types.four<O>" => OpTy::OVec4,
        "$vec9" => OpTy::OVec9,
        _ => {
            let number = |prefix| text.strip_prefix(prefix).and_then(|n: &str| n.parse().ok());
            match (number("$x_gs"), number("$x")) {
                (Some(n), _) => OpTy::Gs(n),
                (None, Some(n)) => OpTy::X(n),
                _ => panic!("type {text} is unknown"),
            }
        }
    }
}

fn attr(text: &str) -> OpAttr {
    match text {
        "none" => OpAttr::Nothing,
        "readnone" => OpAttr::ReadNone,
        "readonly" => OpAttr::ReadOnly,
        "argmemonly" => OpAttr::ArgMemOnly,
        "noduplicate" => OpAttr::NoDuplicate,
        "noreturn" => OpAttr::NoReturn,
        _ => panic!("attribute {text} is unknown"),
    }
}

#[test]
fn every_column_agrees_with_the_facts() {
    let facts: Value = serde_json::from_str(&rtc_oracles::facts::text("dxil_ops.json")).expect("the facts are JSON");
    let rows = facts["ops"].as_array().expect("a list of operations");
    assert_eq!(OPS.len(), rows.len());
    for row in rows {
        let opcode = row["opcode"].as_u64().expect("a number") as u32;
        let name = text(&row["name"]);
        let op = DxOp::from_u32(opcode).unwrap_or_else(|| panic!("{name} is missing")).row();
        assert_eq!(op.opcode.number(), opcode);
        assert_eq!(op.name, name);
        assert_eq!(format!("dx.op.{}", op.function), text(&row["fn"]), "{name}");
        assert!(op.function.eq_ignore_ascii_case(text(&row["class"])), "{name}: class");
        assert_eq!(op.attr, attr(text(&row["attr"])), "{name}");
        assert_eq!(op.min_sm, model(&row["min_sm"]), "{name}");
        let in_library = match &row["min_sm_in_library"] {
            Value::Null => op.min_sm,
            sm => model(sm),
        };
        assert_eq!(op.min_sm_in_library, in_library, "{name}");
        let stages = match &row["stages"] {
            Value::String(all) if all == "all" => stage::ALL,
            list => bits(list, &STAGES),
        };
        assert_eq!(op.stages, stages, "{name}");
        assert_eq!(u16::from(op.flags), bits(&row["flags"], &FLAGS), "{name}");
        let overloads: Vec<(u16, u16)> = row["overloads"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|o| (bits(&o["scalar"], &KINDS), bits(&o["vector_of"], &KINDS)))
            .collect();
        let ours: Vec<(u16, u16)> = op.overloads.iter().map(|o| (o.scalar, o.vector)).collect();
        assert_eq!(ours, overloads, "{name}");
        assert_eq!(op.result, op_ty(text(&row["ret"])), "{name}");
        let operands: Vec<(&str, OpTy)> =
            row["operands"].as_array().expect("a list").iter().map(|o| (text(&o["name"]), op_ty(text(&o["type"])))).collect();
        assert_eq!(operands[0], ("opcode", OpTy::I32), "{name}");
        assert_eq!(op.params, &operands[1..], "{name}");
    }
}

#[test]
fn lookups_find_every_row_and_nothing_else() {
    assert!(OPS.is_sorted_by_key(|op| op.opcode));
    for op in OPS {
        assert!(std::ptr::eq(op.opcode.row(), op));
        assert_eq!(DxOp::from_u32(op.opcode.number()), Some(op.opcode));
        assert!(std::ptr::eq(DxilOp::by_name(op.name).expect("by name"), op));
    }
    for gap in [305, 308, 312, 0x7FFF_FFFF, 0x8000_0020, 0x8000_FFFF, u32::MAX] {
        assert!(DxOp::from_u32(gap).is_none(), "{gap:#x}");
    }
    assert!(DxilOp::by_name("traceRay").is_none());
}
