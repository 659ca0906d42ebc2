//! The properties of entry points, from which their metadata and RDAT are made.

use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::{Entry, Props};
use rtc_dxil_container::shader_flags::bit;
use rtc_ir::{Module, Stage};

use super::facts::FunctionFacts;
use rtc_dxil_module::Func;

/// The first shader model in which the size of a wave is always a range.
pub const WAVE_RANGE_MODEL: u32 = 8;

/// The record of the library itself.
pub fn of_library(flags: u64) -> Entry {
    Entry { func: None, name: String::new(), signatures: None, resources: None, props: Props { flags, ..Props::default() } }
}

/// The record of an entry point called `name`; `library` says whether it is one of a library's. Shader flags of others are `flags`.
pub fn of_function(m: &Module, known: &FunctionFacts, name: &str, func: Option<Func>, library: bool, flags: u64) -> Entry {
    let f = &m.funcs[known.func];
    let mut props = Props::default();
    props.flags |= if f.early_depth_stencil { bit::EARLY_DEPTH_STENCIL } else { 0 };
    if library {
        props.kind = ShaderKind::from_u32(f.stage as u32);
    } else {
        props.flags |= flags;
    }
    match f.stage {
        Stage::AnyHit | Stage::ClosestHit => (props.payload, props.attributes) = (Some(known.payload), Some(known.attributes)),
        Stage::Miss | Stage::Callable => props.payload = Some(known.payload),
        Stage::Compute => {
            props.threads = Some(f.numthreads.unwrap_or([1; 3]));
            let range = m.shader_model >= WAVE_RANGE_MODEL;
            props.groupshared_limit = f.groupshared_limit;
            props.wave_size = f.wave_size.map(|size| if range { size.to_vec() } else { size[..1].to_vec() });
        }
        Stage::Mesh | Stage::Amplification => {
            props.threads = Some(f.numthreads.unwrap_or([1; 3]));
            props.groupshared_limit = f.groupshared_limit;
        }
        _ => {}
    }
    Entry { func, name: name.to_owned(), signatures: None, resources: None, props }
}
