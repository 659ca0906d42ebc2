//! Cases of bitcode and parts.

use super::Case;
use rtc_dxil::container::FourCc;
use rtc_tables::validation::rule;

const LIB: &str = "// rtc -T lib_6_6
[shader(\"raygeneration\")] void Gen() {}";

pub const CASES: &[Case] = &[
    Case { rule: rule::PART_MISSING, source: LIB, edit: |e| e.remove_part(FourCc::RDAT), reference: "" },
    Case { rule: rule::BITCODE_VALID, source: LIB, edit: |e| e.bitcode = b"BC\xC0\xDE\0\0\0\0".to_vec(), reference: "" },
];
