//! The options of SPIR-V that mean something together with others, after each has set its field.

use rtc_tables::stages::Stage;

use super::error::{Result, contradiction, requirement};
use super::syntax::Arguments;
use crate::options::{ConvergeTraces, Options, ProfileKind, Ser, Target};

/// Checks what the options of SPIR-V require of each other, and of the target, which is known.
pub(super) fn check(a: &Arguments, o: &mut Options) -> Result<()> {
    let v = &mut o.vulkan;
    if v.wavefront_traces {
        if !matches!(v.ser, Ser::ByExtension | Ser::Auto | Ser::Wavefront) {
            return Err(contradiction("-fspv-wavefront sorts rays in software, which only -fspv-ser=wavefront and auto do"));
        }
        // A package may have this form and the plain one.
        if v.ser != Ser::Auto || o.target != Target::Package {
            v.ser = Ser::Wavefront;
        }
    }
    if v.plain_outcomes && o.target != Target::Package {
        return Err(requirement(
            "-fspv-ser-plain-outcomes works with packages, whose shader tables have the generated miss shader: write a .rtp file",
        ));
    }
    if v.converge_traces != ConvergeTraces::Off && v.ser == Ser::Wavefront {
        return Err(contradiction(
            "-fspv-converge-traces keeps waves as they are, and -fspv-ser=wavefront divides shaders so that rays are sorted: choose one",
        ));
    }
    if a.all("Oconfig").count() > 1 {
        return Err(contradiction("-Oconfig is given more than once"));
    }
    if let Some(level) = ["O0", "O1", "O2", "O3"].iter().find(|level| a.has("Oconfig") && a.has(level)) {
        return Err(contradiction(format!("-Oconfig says itself how to optimise: it does not go with -{level}")));
    }
    if o.spirv.entry_name.is_some() && o.target == Target::Package {
        return Err(requirement("-fspv-entrypoint-name does not work with packages, which name shaders as the source does"));
    }
    let rasterised = |s| matches!(s, Stage::Vertex | Stage::Domain | Stage::Geometry | Stage::Mesh);
    if o.spirv.stage.invert_y && matches!(o.profile.kind, ProfileKind::Shader(stage) if !rasterised(stage)) {
        return Err(requirement(format!("-fvk-invert-y negates positions that go to the rasteriser, which {} has none of", o.profile)));
    }
    Ok(())
}
