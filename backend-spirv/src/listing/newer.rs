//! Capabilities and execution modes that are newer than the reader of SPIR-V: others stand in for them, and the listing has their names.

use rspirv::binary::Disassemble;
use rspirv::dr::{Instruction, Operand};
use spirv::{Capability, ExecutionMode, Op};

/// Execution modes by number that the reader does not know.
const MODES: [(u32, &str); 1] = [(crate::emit::queries::OPACITY_MICROMAP_ID, "OpacityMicromapIdKHR")];

/// The module with numbers that the reader knows, and for each instruction that may have a newer one what it had.
pub fn replaced(mut words: Vec<u32>) -> (Vec<u32>, Vec<Option<u32>>) {
    let mut numbers = Vec::new();
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        let length = (first >> 16) as usize;
        let op = first & 0xffff;
        let known = match () {
            () if op == Op::Capability as u32 && length == 2 => {
                Some((at + 1, Capability::from_u32(words[at + 1]).is_some(), Capability::Shader as u32))
            }
            // One with as many operands.
            () if op == Op::ExecutionMode as u32 && length == 3 => {
                Some((at + 2, ExecutionMode::from_u32(words[at + 2]).is_some(), ExecutionMode::ContractionOff as u32))
            }
            () if op == Op::ExecutionModeId as u32 && length == 4 => {
                Some((at + 2, ExecutionMode::from_u32(words[at + 2]).is_some(), ExecutionMode::SubgroupsPerWorkgroupId as u32))
            }
            () if [Op::Capability, Op::ExecutionMode, Op::ExecutionModeId].iter().any(|o| *o as u32 == op) => Some((at, true, first)),
            () => None,
        };
        if let Some((place, is_known, substitute)) = known {
            numbers.push((!is_known).then(|| words[place]));
            if !is_known {
                words[place] = substitute;
            }
        }
        // What is malformed is an error of the reader.
        at += length.max(1);
    }
    (words, numbers)
}

/// The line of an instruction whose number is newer.
pub fn line(i: &Instruction, number: u32) -> String {
    let capability = rtc_tables::features::SPIRV_CAPABILITIES.iter().find(|c| c.number == number).map(|c| c.name);
    let mode = MODES.iter().find(|m| m.0 == number).map(|m| m.1);
    let is_capability = i.class.opcode == Op::Capability;
    let name = if is_capability { capability } else { mode };
    let name = name.map_or_else(|| number.to_string(), str::to_owned);
    let mut out = format!("Op{}", i.class.opname);
    for operand in &i.operands {
        let newer = matches!(operand, Operand::Capability(_) | Operand::ExecutionMode(_));
        out += &if newer { format!(" {name}") } else { format!(" {}", operand.disassemble()) };
    }
    out
}
