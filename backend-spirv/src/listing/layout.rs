//! The layout of listings: that of the tools of SPIR-V, whose results end in one column.

use rspirv::dr::ModuleHeader;

/// Where the operations begin.
const COLUMN: usize = 15;

/// The generators of modules that are registered, by number.
const GENERATORS: [&str; 44] = [
    "Khronos",
    "LunarG",
    "Valve",
    "Codeplay",
    "NVIDIA",
    "ARM",
    "Khronos LLVM/SPIR-V Translator",
    "Khronos SPIR-V Tools Assembler",
    "Khronos Glslang Reference Front End",
    "Qualcomm",
    "AMD",
    "Intel",
    "Imagination",
    "Google Shaderc over Glslang",
    "Google spiregg",
    "Google rspirv",
    "X-LEGEND Mesa-IR/SPIR-V Translator",
    "Khronos SPIR-V Tools Linker",
    "Wine VKD3D Shader Compiler",
    "Tellusim Clay Shader Compiler",
    "W3C WebGPU Group WHLSL Shader Translator",
    "Google Clspv",
    "LLVM MLIR SPIR-V Serializer",
    "Google Tint Compiler",
    "Google ANGLE Shader Compiler",
    "Netease Games Messiah Shader Compiler",
    "Xenia Xenia Emulator Microcode Translator",
    "Embark Studios Rust GPU Compiler Backend",
    "gfx-rs community Naga",
    "Mikkosoft Productions MSP Shader Compiler",
    "SpvGenTwo community SpvGenTwo SPIR-V IR Tools",
    "Google Skia SkSL",
    "TornadoVM Beehive SPIRV Toolkit",
    "DragonJoker ShaderWriter",
    "Rayan Hatout SPIRVSmith",
    "Saarland University Shady",
    "Taichi Graphics Taichi",
    "heroseh Hero C Compiler",
    "Meta SparkSL",
    "SirLynix Nazara ShaderLang Compiler",
    "NVIDIA Slang Compiler",
    "Zig Software Foundation Zig Compiler",
    "Rendong Liang spq",
    "LLVM LLVM SPIR-V Backend",
];

/// The comments before the first instruction.
pub fn header(h: &ModuleHeader) -> String {
    let (major, minor) = h.version();
    let tool = h.generator >> 16;
    let name = GENERATORS.get(tool as usize).map_or_else(|| format!("Unknown({tool})"), |name| (*name).to_owned());
    format!(
        "; SPIR-V\n; Version: {major}.{minor}\n; Generator: {name}; {}\n; Bound: {}\n; Schema: {}",
        h.generator & 0xffff,
        h.bound,
        h.reserved_word
    )
}

/// A line with one blank between words, and its operation in the column.
pub fn line(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + COLUMN);
    let (mut quoted, mut escaped) = (false, false);
    for c in text.chars() {
        let blank = c == ' ' && !quoted;
        if blank && words.ends_with(' ') {
            continue;
        }
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        words.push(c);
    }
    let words = words.trim();
    match words.split_once(" = Op").filter(|(id, _)| id.starts_with('%')) {
        Some((id, operation)) => format!("{id:>width$} = Op{operation}", width = COLUMN - 3),
        None => format!("{:COLUMN$}{words}", ""),
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn operations_are_in_a_column() {
        assert_eq!(line("OpCapability Shader"), "               OpCapability Shader");
        assert_eq!(line("%main = OpFunction  %void  None %3"), "       %main = OpFunction %void None %3");
        assert_eq!(line("%_arr_v4float_uint_16 = OpTypeArray %v4float %uint_16"), "%_arr_v4float_uint_16 = OpTypeArray %v4float %uint_16");
        assert_eq!(line("OpName %a \"a  \\\"b  c\""), "               OpName %a \"a  \\\"b  c\"");
    }
}
