//! Cases of rules for the parts of a container.

use super::Case;
use super::edit::Edit;
use rtc_dxil_container::FourCc;
use rtc_rootsig::{self as rootsig, RootDescriptor, RootParam, RootParamKind, RootSignature, RootVersion, Visibility};
use rtc_tables::validation::rule;

const LIB: &str = "// rtc -T lib_6_8
[shader(\"raygeneration\")] void Gen() {}";

const COMPUTE: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b : register(u3);
RWBuffer<uint> t : register(u5);
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { b.Store(4 * i, t[i]); }";

const VERTEX: &str = "// rtc -T vs_6_6 -E main
struct O { float4 at : SV_Position; float4 c : COLOR; float2 uv : TEXCOORD; };
O main(float4 p : POSITION, uint i : SV_VertexID) { O o; o.at = p; o.c = p.wzyx * i; o.uv = p.xy; return o; }";

/// The first element of the signatures in the pipeline information of [`VERTEX`]: five elements, and a word for each component of two
/// registers follow.
fn element(e: &mut Edit) -> &mut [u8] {
    let data = e.part(FourCc::PSV0);
    let at = data.len() - 8 * 4 - 5 * 16;
    &mut data[at..]
}

/// A root signature that binds these by address.
fn root(kinds: &[RootParamKind]) -> Vec<u8> {
    let params = kinds.iter().map(|kind| RootParam { visibility: Visibility::All, kind: kind.clone() }).collect();
    rootsig::write(&RootSignature { version: RootVersion::V1_1, flags: 0, params, samplers: Vec::new() })
}

fn uav(register: u32) -> RootParamKind {
    RootParamKind::Uav(RootDescriptor { register, space: 0, flags: 0 })
}

/// Appends bytes to the texts of pipeline information.
fn add_text(e: &mut Edit, text: &[u8]) {
    let data = e.part(FourCc::PSV0);
    let word = |at: usize| u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]) as usize;
    let resources = 4 + word(0);
    let at = resources + 8 + word(resources) * word(resources + 4);
    let size = word(at) + text.len();
    data[at..at + 4].copy_from_slice(&(size as u32).to_le_bytes());
    let end = at + 4 + size - text.len();
    data.splice(end..end, text.iter().copied());
}

pub const CASES: &[Case] = &[
    Case { rule: rule::PART_MISSING, source: LIB, edit: |e| e.remove_part(FourCc::RDAT), reference: "" },
    Case { rule: rule::PART_MISSING, source: COMPUTE, edit: |e| e.remove_part(FourCc::PSV0), reference: "" },
    Case { rule: rule::PART_MISSING, source: COMPUTE, edit: |e| e.remove_part(FourCc::ISG1), reference: "" },
    Case { rule: rule::BITCODE_VALID, source: LIB, edit: |e| e.bitcode = b"BC\xC0\xDE\0\0\0\0".to_vec(), reference: "" },
    // An unknown block after the module: its number, its length of one word, its end.
    Case {
        rule: rule::BITCODE_VALID,
        source: LIB,
        edit: |e| {
            let words = [1 | 99 << 2 | 3 << 10, 1, 0u32];
            e.bitcode = rtc_dxil_module::bitcode::write(&e.m);
            e.bitcode.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        },
        reference: "",
    },
    Case {
        rule: rule::PART_REPEATED,
        source: LIB,
        edit: |e| {
            let data = e.part(FourCc::SFI0).clone();
            e.add_part(b"SFI0", data);
        },
        reference: "",
    },
    Case { rule: rule::PART_INVALID, source: LIB, edit: |e| e.add_part(b"ABCD", vec![1, 2, 3, 4]), reference: "" },
    Case { rule: rule::PART_INVALID, source: LIB, edit: |e| e.add_part(b"ISG1", vec![0, 0, 0, 0, 8, 0, 0, 0]), reference: "" },
    Case { rule: rule::PART_INVALID, source: COMPUTE, edit: |e| e.add_part(b"VERS", vec![0; 16]), reference: "" },
    Case { rule: rule::PART_INVALID, source: LIB, edit: |e| e.part(FourCc::VERS).extend([0; 4]), reference: "" },
    Case { rule: rule::PART_INVALID, source: LIB, edit: |e| *e.part(FourCc::VERS).last_mut().expect("bytes") = 1, reference: "" },
    Case { rule: rule::PART_MATCHES, source: LIB, edit: |e| e.part(FourCc::SFI0)[1] ^= 0x80, reference: "" },
    Case { rule: rule::PART_MATCHES, source: LIB, edit: |e| e.part(FourCc::SFI0).extend([0; 4]), reference: "" },
    Case {
        rule: rule::PART_MATCHES,
        source: LIB,
        edit: |e| {
            let data = e.part(FourCc::RDAT);
            let at = data.windows(3).position(|w| w == b"Gen").expect("the name");
            data[at] = b'P';
        },
        reference: "",
    },
    Case { rule: rule::PART_MATCHES, source: LIB, edit: |e| e.part(FourCc::RDAT).truncate(12), reference: "" },
    Case { rule: rule::PART_MATCHES, source: COMPUTE, edit: |e| e.part(FourCc::OSG1)[4] = 9, reference: "" },
    Case { rule: rule::PART_MATCHES, source: COMPUTE, edit: |e| e.add_part(b"PSG1", vec![0, 0, 0, 0, 8, 0, 0, 0]), reference: "" },
    // Threads, the stage, a register, the number of lanes.
    Case { rule: rule::CONTENT_MATCHES, source: COMPUTE, edit: |e| e.part(FourCc::PSV0)[4 + 36] = 33, reference: "" },
    Case { rule: rule::CONTENT_MATCHES, source: COMPUTE, edit: |e| e.part(FourCc::PSV0)[4 + 24] = 1, reference: "" },
    Case {
        rule: rule::CONTENT_MATCHES,
        source: COMPUTE,
        edit: |e| {
            let data = e.part(FourCc::PSV0);
            let at = 4 + usize::from(data[0]) + 8;
            data[at + 8] = 4;
        },
        reference: "",
    },
    Case { rule: rule::CONTENT_MATCHES, source: COMPUTE, edit: |e| e.part(FourCc::PSV0)[4 + 16] = 4, reference: "" },
    Case { rule: rule::CONTENT_INVALID, source: COMPUTE, edit: |e| e.part(FourCc::PSV0).extend([0; 4]), reference: "" },
    Case {
        rule: rule::CONTENT_INVALID,
        source: COMPUTE,
        edit: |e| {
            let data = e.part(FourCc::PSV0);
            data.truncate(data.len() - 4);
        },
        reference: "",
    },
    Case { rule: rule::CONTENT_INVALID, source: COMPUTE, edit: |e| add_text(e, b"abcd"), reference: "" },
    Case { rule: rule::UNUSED_ITEM, source: COMPUTE, edit: |e| add_text(e, b"abc\0"), reference: "" },
    Case {
        rule: rule::UNUSED_ITEM,
        source: COMPUTE,
        edit: |e| {
            let data = e.part(FourCc::PSV0);
            let at = data.len() - 4;
            data[at] = 1;
            data.extend([7, 0, 0, 0]);
        },
        reference: "",
    },
    // Of an element of a signature: its register, its name, its index; what depends on its second component.
    Case { rule: rule::CONTENT_MATCHES, source: VERTEX, edit: |e| element(e)[9] += 1, reference: "" },
    Case {
        rule: rule::CONTENT_MATCHES,
        source: VERTEX,
        edit: |e| {
            let data = e.part(FourCc::PSV0);
            let at = data.windows(5).position(|w| w == b"COLOR").expect("the name");
            data[at] = b'D';
        },
        reference: "",
    },
    Case {
        rule: rule::CONTENT_MATCHES,
        source: VERTEX,
        edit: |e| {
            let data = e.part(FourCc::PSV0);
            let at = data.len() - 8 * 4 - 5 * 16 - 8;
            data[at] += 1;
        },
        reference: "",
    },
    Case {
        rule: rule::CONTENT_MATCHES,
        source: VERTEX,
        edit: |e| {
            let data = e.part(FourCc::PSV0);
            let at = data.len() - 7 * 4;
            data[at] ^= 1;
        },
        reference: "",
    },
    // Names and indices that lie outside of their tables, and a table that is cut off.
    Case { rule: rule::CONTENT_INVALID, source: VERTEX, edit: |e| element(e)[16 + 1] = 1, reference: "" },
    Case { rule: rule::CONTENT_INVALID, source: VERTEX, edit: |e| element(e)[4] = 9, reference: "" },
    Case {
        rule: rule::CONTENT_INVALID,
        source: VERTEX,
        edit: |e| {
            let data = e.part(FourCc::PSV0);
            data.truncate(data.len() - 4);
        },
        reference: "",
    },
    // A name that no element has.
    Case {
        rule: rule::UNUSED_ITEM,
        source: VERTEX,
        edit: |e| {
            let data = e.part(FourCc::PSV0);
            let word = |at: usize| u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]) as usize;
            let at = 4 + word(0) + 4;
            let size = word(at);
            data[at..at + 4].copy_from_slice(&(size as u32 + 4).to_le_bytes());
            let end = at + 4 + size;
            data.splice(end..end, *b"abc\0");
        },
        reference: "",
    },
    // Nothing, half of what is needed, a typed buffer by address, no root signature at all.
    Case { rule: rule::ROOT_SIGNATURE_INCOMPATIBLE, source: COMPUTE, edit: |e| e.add_part(b"RTS0", root(&[])), reference: "" },
    Case { rule: rule::ROOT_SIGNATURE_INCOMPATIBLE, source: COMPUTE, edit: |e| e.add_part(b"RTS0", root(&[uav(3)])), reference: "" },
    Case {
        rule: rule::ROOT_SIGNATURE_INCOMPATIBLE,
        source: COMPUTE,
        edit: |e| e.add_part(b"RTS0", root(&[uav(3), uav(5)])),
        reference: "",
    },
    Case { rule: rule::ROOT_SIGNATURE_INCOMPATIBLE, source: COMPUTE, edit: |e| e.add_part(b"RTS0", vec![1; 24]), reference: "" },
];
