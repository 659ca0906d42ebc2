//! The options of SPIR-V: environment, bindings, layouts, hit objects, what stages exchange.

use rtc_frontend::lower::BufferLayout;
use rtc_spirv::{Environment, RegisterBinding};
use rtc_tables::resources::ResourceClass;
use rtc_tables::stages::Stage;

use super::error::{Result, contradiction, invalid, requirement};
use super::syntax::Arguments;
use crate::options::{ConvergeTraces, DescriptorBinding, HostHitGroup, Options, ProfileKind, Ser, Target};

/// Reads the options of SPIR-V. The target is known.
pub(super) fn options(a: &Arguments, o: &mut Options) -> Result<()> {
    if let Some(env) = a.last("fspv-target-env") {
        o.environment = Some(Environment::named(env).ok_or_else(|| {
            let names: Vec<&str> = Environment::ALL.iter().map(|e| e.name).collect();
            invalid(format!("unknown target environment `{env}`; expected one of {}", names.join(", ")))
        })?);
    }
    for (name, class) in [
        ("fvk-b-shift", ResourceClass::Cbv),
        ("fvk-t-shift", ResourceClass::Srv),
        ("fvk-s-shift", ResourceClass::Sampler),
        ("fvk-u-shift", ResourceClass::Uav),
    ] {
        for value in a.all(name) {
            let (amount, space) = value.split_once(' ').unwrap_or((value, "all"));
            let number = |s: &str| s.parse::<u32>().map_err(|_| invalid(format!("-{name} {value}: expected a number, found `{s}`")));
            let space = if space == "all" { None } else { Some(number(space)?) };
            o.shifts.list.push((class, number(amount)?, space));
        }
    }
    for (name, layout) in [
        ("fvk-use-vulkan-layout", BufferLayout::VULKAN),
        ("fvk-use-gl-layout", BufferLayout::GL),
        ("fvk-use-dx-layout", BufferLayout::DX),
        ("fvk-use-scalar-layout", BufferLayout::SCALAR),
    ] {
        if a.has(name) {
            o.layout = Some(layout);
        }
    }
    o.auto_shift = a.has("fvk-auto-shift-bindings");
    o.flatten_arrays = a.has("fspv-flatten-resource-arrays");
    for value in a.all("fvk-bind-register").chain(a.all("vkbr")) {
        o.registers.push(register_binding(value)?);
    }
    o.host_hit_groups = a.all("hit-group").map(host_hit_group).collect::<Result<_>>()?;
    o.globals_binding = a.last("fvk-bind-globals").map(|v| pair("fvk-bind-globals", v)).transpose()?;
    o.counter_heap = a.last("fvk-bind-counter-heap").map(|v| pair("fvk-bind-counter-heap", v)).transpose()?;
    o.resource_heap = a.last("fvk-bind-resource-heap").map(|v| pair("fvk-bind-resource-heap", v)).transpose()?;
    o.sampler_heap = a.last("fvk-bind-sampler-heap").map(|v| pair("fvk-bind-sampler-heap", v)).transpose()?;
    if let Some(name) = a.last("fspv-ser") {
        let ser = Ser::ALL.iter().find(|(n, _)| *n == name);
        let names = Ser::ALL.map(|(n, _)| n).join(", ");
        o.ser = ser.ok_or_else(|| invalid(format!("-fspv-ser={name}: expected one of {names}")))?.1;
    }
    o.wavefront_traces = a.has("fspv-wavefront");
    if o.wavefront_traces {
        if !matches!(o.ser, Ser::ByExtension | Ser::Auto | Ser::Wavefront) {
            return Err(contradiction("-fspv-wavefront sorts rays in software, which only -fspv-ser=wavefront and auto do"));
        }
        // A package may have this form and the plain one.
        if o.ser != Ser::Auto || o.target != Target::Package {
            o.ser = Ser::Wavefront;
        }
    }
    o.plain_outcomes = a.has("fspv-ser-plain-outcomes");
    if o.plain_outcomes && o.target != Target::Package {
        return Err(requirement(
            "-fspv-ser-plain-outcomes works with packages, whose shader tables have the generated miss shader: write a .rtp file",
        ));
    }
    if let Some(name) = a.last("fspv-converge-traces") {
        let when = ConvergeTraces::ALL.iter().find(|(n, _)| *n == name);
        let names = ConvergeTraces::ALL.map(|(n, _)| n).join(", ");
        o.converge_traces = when.ok_or_else(|| invalid(format!("-fspv-converge-traces={name}: expected one of {names}")))?.1;
    }
    if o.converge_traces != ConvergeTraces::Off && o.ser == Ser::Wavefront {
        return Err(contradiction(
            "-fspv-converge-traces keeps waves as they are, and -fspv-ser=wavefront divides shaders so that rays are sorted: choose one",
        ));
    }
    let extensions: Vec<String> = a.all("fspv-extension").map(str::to_owned).collect();
    // `KHR` stands for all extensions of the group.
    if let Some(unknown) = extensions.iter().find(|name| *name != "KHR" && name.strip_prefix("SPV_").is_none_or(str::is_empty)) {
        return Err(invalid(format!("-fspv-extension={unknown}: expected the name of a SPIR-V extension, like SPV_KHR_ray_query")));
    }
    if a.all("Oconfig").count() > 1 {
        return Err(contradiction("-Oconfig is given more than once"));
    }
    if let Some(level) = ["O0", "O1", "O2", "O3"].iter().find(|level| a.has("Oconfig") && a.has(level)) {
        return Err(contradiction(format!("-Oconfig says itself how to optimise: it does not go with -{level}")));
    }
    if !extensions.is_empty() {
        o.spirv_extensions = Some(extensions);
    }
    o.spirv_entry_name = a.last("fspv-entrypoint-name").filter(|name| !name.is_empty()).map(str::to_owned);
    if o.spirv_entry_name.is_some() && o.target == Target::Package {
        return Err(requirement("-fspv-entrypoint-name does not work with packages, which name shaders as the source does"));
    }
    let max_id = a.last("fspv-max-id").map(|n| n.parse().map_err(|_| invalid(format!("-fspv-max-id {n}: expected a number"))));
    o.spirv_max_id = max_id.transpose()?;
    o.spirv_stage.packed = o.pack_optimized;
    o.spirv_stage.invert_y = a.has("fvk-invert-y");
    o.spirv_stage.dx_position_w = a.has("fvk-use-dx-position-w");
    o.spirv_stage.base_vertex = a.has("fvk-support-nonzero-base-vertex");
    o.spirv_stage.base_instance = a.has("fvk-support-nonzero-base-instance");
    o.spirv_stage.alphabetical = match a.last("fvk-stage-io-order") {
        None | Some("decl") => false,
        Some("alpha") => true,
        Some(other) => return Err(invalid(format!("-fvk-stage-io-order={other}: expected decl or alpha"))),
    };
    let rasterised = |s| matches!(s, Stage::Vertex | Stage::Domain | Stage::Geometry | Stage::Mesh);
    if o.spirv_stage.invert_y && matches!(o.profile.kind, ProfileKind::Shader(stage) if !rasterised(stage)) {
        return Err(requirement(format!("-fvk-invert-y negates positions that go to the rasteriser, which {} has none of", o.profile)));
    }
    o.maximal_reconvergence = a.has("fspv-enable-maximal-reconvergence");
    o.preserve_bindings = a.has("fspv-preserve-bindings");
    o.spirv_reflect = a.has("fspv-reflect");
    o.unknown_image_formats = a.has("fspv-use-unknown-image-format");
    Ok(())
}

/// `t3 0 1 2`: a register, its space, binding and set.
fn register_binding(value: &str) -> Result<RegisterBinding> {
    let parse = || {
        let words: Vec<&str> = value.split(' ').collect();
        let [register, space, binding, set] = words[..] else { return None };
        let class = match register.chars().next()? {
            'b' => ResourceClass::Cbv,
            't' => ResourceClass::Srv,
            's' => ResourceClass::Sampler,
            'u' => ResourceClass::Uav,
            _ => return None,
        };
        Some(RegisterBinding {
            class,
            register: register[1..].parse().ok()?,
            space: space.parse().ok()?,
            binding: binding.parse().ok()?,
            set: set.parse().ok()?,
        })
    };
    parse().ok_or_else(|| invalid(format!("-fvk-bind-register {value}: expected a register, a space, a binding and a set")))
}

/// `Group=ClosestHit,AnyHit,Intersection`.
fn host_hit_group(value: &str) -> Result<HostHitGroup> {
    let (name, shaders) = value.split_once('=').unwrap_or((value, ""));
    let shaders: Vec<&str> = shaders.split(',').map(str::trim).collect();
    if name.is_empty() || shaders.len() > 3 {
        return Err(invalid(format!("-hit-group={value}: expected a name and up to three shaders, NAME=CLOSESTHIT,ANYHIT,INTERSECTION")));
    }
    let shader = |n: usize| shaders.get(n).copied().unwrap_or_default().to_owned();
    Ok(HostHitGroup { name: name.to_owned(), closest_hit: shader(0), any_hit: shader(1), intersection: shader(2) })
}

/// Two numbers: a binding and a set.
fn pair(name: &str, value: &str) -> Result<DescriptorBinding> {
    let numbers = value.split_once(' ').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let parsed = numbers.map(|(binding, set)| DescriptorBinding { binding, set });
    parsed.ok_or_else(|| invalid(format!("-{name} {value}: expected a binding and a set")))
}
