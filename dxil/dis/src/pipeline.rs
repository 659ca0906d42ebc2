//! What the pipeline must know of a shader: the state of its stage in `PSV0`.

use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::psv::Psv;
use rtc_tables::pipeline::{Domain, InputPrimitive, MeshTopology, StreamTopology, TessellatorOutput};
use std::fmt::Write;

/// Writes it. `kind`: the stage that the program names; the part has it since its second record.
pub fn pipeline(out: &mut String, psv: &Psv, kind: ShaderKind) {
    out.push_str(";PSVRuntimeInfo:\n");
    let kind = if psv.version >= 1 { psv.stage } else { kind };
    stage(out, psv, kind);
    if psv.min_wave_lanes == psv.max_wave_lanes {
        let _ = writeln!(out, "; WaveSize={}", psv.min_wave_lanes);
    } else {
        let _ = writeln!(out, "; MinimumExpectedWaveLaneCount: {}", psv.min_wave_lanes);
        let _ = writeln!(out, "; MaximumExpectedWaveLaneCount: {}", psv.max_wave_lanes);
    }
    if psv.version >= 1 {
        let _ = writeln!(out, "; UsesViewID: {}", psv.uses_view_id);
        let labels = [
            "SigInputElements",
            "SigOutputElements",
            "SigPatchConstOrPrimElements",
            "SigInputVectors",
            "SigOutputVectors[0]",
            "SigOutputVectors[1]",
            "SigOutputVectors[2]",
            "SigOutputVectors[3]",
        ];
        for (label, count) in labels.iter().zip(psv.signature_counts) {
            let _ = writeln!(out, "; {label}: {count}");
        }
    }
    if psv.version >= 3 {
        let _ = writeln!(out, "; EntryFunctionName: {}", psv.entry);
    }
    out.push_str(";\n");
}

fn stage(out: &mut String, psv: &Psv, kind: ShaderKind) {
    let [first, second, third, fourth] = psv.stage_words;
    let bytes = first.to_le_bytes();
    let invalid = "invalid";
    let title = match kind {
        ShaderKind::Vertex => "Vertex",
        ShaderKind::Pixel => "Pixel",
        ShaderKind::Geometry => "Geometry",
        ShaderKind::Hull => "Hull",
        ShaderKind::Domain => "Domain",
        ShaderKind::Compute => "Compute",
        ShaderKind::Mesh => "Mesh",
        ShaderKind::Amplification => "Amplification",
        _ => return,
    };
    let flag = |byte: u8| u8::from(byte != 0);
    let _ = writeln!(out, "; {title} Shader");
    let mut line = |label: &str, value: &dyn std::fmt::Display| _ = writeln!(out, "; {label}={value}");
    match kind {
        ShaderKind::Vertex => line("OutputPositionPresent", &flag(bytes[0])),
        ShaderKind::Pixel => {
            line("DepthOutput", &flag(bytes[0]));
            line("SampleFrequency", &flag(bytes[1]));
        }
        ShaderKind::Geometry => {
            let primitive = InputPrimitive::from_number(first).map_or_else(|| invalid.to_owned(), |p| p.to_string());
            let topology = StreamTopology::from_number(second).map_or(invalid, StreamTopology::primitive);
            line("InputPrimitive", &primitive);
            line("OutputTopology", &topology);
            line("OutputStreamMask", &third);
            line("OutputPositionPresent", &flag(fourth as u8));
        }
        ShaderKind::Hull => {
            line("InputControlPointCount", &first);
            line("OutputControlPointCount", &second);
            line("Domain", &Domain::from_number(third).map_or(invalid, Domain::word));
            line("OutputPrimitive", &TessellatorOutput::from_number(fourth).map_or(invalid, TessellatorOutput::word));
        }
        ShaderKind::Domain => {
            line("InputControlPointCount", &first);
            line("OutputPositionPresent", &flag(second as u8));
        }
        ShaderKind::Mesh if psv.version >= 1 => {
            let topology = match psv.stage_half >> 8 {
                0 => "undefined",
                n => MeshTopology::from_number(n.into()).filter(|&t| t != MeshTopology::Point).map_or(invalid, MeshTopology::word),
            };
            line("MeshOutputTopology", &topology);
        }
        _ => {}
    }
    if matches!(kind, ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification) {
        if psv.version >= 2 {
            let [x, y, z] = psv.threads;
            line("NumThreads", &format_args!("({x},{y},{z})"));
        }
        if psv.version >= 4 {
            let _ = writeln!(out, "; NumBytesGroupSharedMemory: {}", psv.groupshared);
        }
    }
}
