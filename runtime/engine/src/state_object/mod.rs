//! Resolution of a library's subobjects into one state object.
//!
//! The association of subobjects with exports follows from RDAT
//! ([`rtc_dxil_container::rdat::associate`]). This file adds the rules of *one pipeline*: the shaders of hit
//! groups are looked up and checked, shader and pipeline configuration must exist and be the same for every
//! export, and the host's [`Overrides`] replace the library's subobjects. It is independent of the API.

pub mod exports;
mod scopes;

pub use exports::ExportDesc;
pub use scopes::{Problems, Scope, resolve as resolve_scopes};

use crate::error::{Error, ErrorKind, Result, list};
use rtc_dxil_container::rdat::associate::{self, Associations, Slot};
use rtc_dxil_container::rdat::{Rdat, Subobject, SubobjectValue};
use rtc_dxil_container::{HitGroupType, ShaderKind};
use rtc_package::records::LibraryRecords;

/// A shader that a library exports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shader {
    /// Export name.
    pub name: String,
    /// Its stage.
    pub stage: ShaderKind,
    /// Bytes of its payload or callable parameter; 0 where it has none.
    pub payload_size: u32,
    /// Bytes of its hit attributes; 0 where it has none.
    pub attribute_size: u32,
    /// Index of its global root signature among the subobjects.
    pub global_root: Option<usize>,
}

/// `RaytracingShaderConfig`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShaderConfig {
    /// Largest payload in bytes.
    pub max_payload: u32,
    /// Largest hit attributes in bytes.
    pub max_attribute: u32,
}

/// `RaytracingPipelineConfig` and `RaytracingPipelineConfig1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PipelineConfig {
    /// Deepest nesting of traced rays.
    pub max_recursion: u32,
    /// `PIPELINE_SKIP_*` and `PIPELINE_ALLOW_*`.
    pub flags: u32,
}

/// Triangles are skipped by every trace.
pub const PIPELINE_SKIP_TRIANGLES: u32 = rtc_tables::ray_flags::PIPELINE_SKIPS_TRIANGLES;
/// Procedural primitives are skipped by every trace.
pub const PIPELINE_SKIP_PROCEDURAL: u32 = rtc_tables::ray_flags::PIPELINE_SKIPS_PROCEDURAL;
/// Opacity micromaps may be met.
pub const PIPELINE_ALLOW_MICROMAPS: u32 = rtc_tables::ray_flags::PIPELINE_ALLOWS_MICROMAPS;
/// Clustered geometry may be met.
pub const PIPELINE_ALLOW_CLUSTERS: u32 = rtc_tables::ray_flags::PIPELINE_ALLOWS_CLUSTERS;

/// `TriangleHitGroup` and `ProceduralPrimitiveHitGroup`; an absent shader is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HitGroup {
    /// Its name.
    pub name: String,
    /// For procedural primitives.
    pub procedural: bool,
    /// Any-hit export.
    pub any_hit: String,
    /// Closest-hit export.
    pub closest_hit: String,
    /// Intersection export.
    pub intersection: String,
    /// Where the host declares it, for messages: `scene.toml:12`.
    pub location: Option<String>,
}

/// Subobjects of the host that replace those of the library.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// Recursion depth and flags for the whole pipeline.
    pub pipeline: Option<PipelineConfig>,
    /// Payload and attribute sizes for the whole pipeline.
    pub shader: Option<ShaderConfig>,
    /// More hit groups.
    pub hit_groups: Vec<HitGroup>,
    /// Where the host configures the pipeline, for messages: `scene.toml:12`.
    pub location: Option<String>,
}

impl Overrides {
    /// Applies them to RDAT: a configuration replaces all of its kind and their associations.
    fn apply(&self, rdat: &mut Rdat) {
        if let Some(p) = self.pipeline {
            let value = SubobjectValue::PipelineConfig1 { max_recursion: p.max_recursion, flags: p.flags };
            replace(rdat, Slot::PipelineConfig, value);
        }
        if let Some(s) = self.shader {
            let value = SubobjectValue::ShaderConfig { max_payload: s.max_payload, max_attributes: s.max_attribute };
            replace(rdat, Slot::ShaderConfig, value);
        }
        for g in &self.hit_groups {
            let ty = if g.procedural { HitGroupType::Procedural } else { HitGroupType::Triangle };
            rdat.subobjects.push(Subobject {
                name: g.name.clone(),
                value: SubobjectValue::HitGroup {
                    ty,
                    any_hit: g.any_hit.clone(),
                    closest_hit: g.closest_hit.clone(),
                    intersection: g.intersection.clone(),
                },
            });
        }
    }
}

fn replace(rdat: &mut Rdat, slot: Slot, value: SubobjectValue) {
    let gone: Vec<String> = rdat.subobjects.iter().filter(|s| Slot::of(&s.value) == Some(slot)).map(|s| s.name.clone()).collect();
    rdat.subobjects.retain(|s| match &s.value {
        SubobjectValue::Association { subobject, .. } => !gone.contains(subobject),
        other => Slot::of(other) != Some(slot),
    });
    rdat.subobjects.push(Subobject { name: "(the host's)".to_string(), value });
}

/// A hit group of the state object, with its shaders looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// For procedural primitives.
    pub procedural: bool,
    /// Index of the any-hit shader.
    pub any_hit: Option<usize>,
    /// Index of the closest-hit shader.
    pub closest_hit: Option<usize>,
    /// Index of the intersection shader.
    pub intersection: Option<usize>,
}

impl Group {
    /// The shaders that it has.
    pub fn shaders(&self) -> impl Iterator<Item = usize> {
        [self.any_hit, self.closest_hit, self.intersection].into_iter().flatten()
    }
}

/// A resolved state object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateObject {
    /// The ray-tracing shaders in the order of RDAT.
    pub shaders: Vec<Shader>,
    /// Names of the compute shaders in the order of RDAT. They are no part of the pipeline: each has its own.
    pub compute: Vec<String>,
    /// The hit groups in order of declaration, the host's last.
    pub groups: Vec<Group>,
    /// The shader record layouts of the local root signatures, and which export has which.
    pub records: LibraryRecords,
    /// The one shader configuration.
    pub shader_config: ShaderConfig,
    /// The one pipeline configuration.
    pub pipeline_config: PipelineConfig,
    /// Warnings.
    pub warnings: Vec<String>,
}

impl StateObject {
    /// A library without ray tracing: of compute shaders, and of those of the graphics pipeline, which each draw makes a pipeline of.
    fn of_compute(compute: Vec<String>) -> StateObject {
        StateObject {
            shaders: Vec::new(),
            compute,
            groups: Vec::new(),
            records: LibraryRecords::default(),
            shader_config: ShaderConfig { max_payload: 0, max_attribute: 0 },
            pipeline_config: PipelineConfig { max_recursion: 0, flags: 0 },
            warnings: Vec::new(),
        }
    }
}

fn error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::StateObject, message)
}

/// Resolves a library. `overrides` are applied to `rdat`; the result refers to its subobjects by index.
///
/// # Errors
/// [`ErrorKind::StateObject`]: a hit group or an association that names something that does not
/// exist or is of the wrong stage, associations that conflict, a configuration that is missing or differs
/// between exports, flags that contradict each other, no shader at all.
pub fn resolve(rdat: &mut Rdat, overrides: &Overrides) -> Result<StateObject> {
    overrides.apply(rdat);
    let associations = associate::resolve(rdat);
    let shaders = shaders(rdat, &associations);
    let compute: Vec<String> = rdat.functions.iter().filter(|f| f.kind == ShaderKind::Compute).map(|f| f.unmangled.clone()).collect();
    if shaders.is_empty() {
        let draws = rdat.functions.iter().any(|f| f.kind.is_graphics());
        return match compute.is_empty() && !draws {
            true => Err(error("the library exports no shader")),
            false => Ok(StateObject::of_compute(compute)),
        };
    }
    // Hit groups first: their messages name candidates.
    let groups = groups(rdat, &shaders, overrides)?;
    let configured = |e: Error| at(e, overrides.location.as_deref());
    let mut problems = associations.problems.iter();
    if let Some(first) = problems.next() {
        let mut e = error(format!("subobject `{}`: {}", first.name, first.message));
        for p in problems {
            e = e.note(format!("also `{}`: {}", p.name, p.message));
        }
        let names = associations.exports.iter().map(|x| &x.name);
        return Err(e.note(format!("exports: {}", list(names))));
    }
    let shader_config = match shared(
        rdat,
        &associations,
        Slot::ShaderConfig,
        "RaytracingShaderConfig",
        "give `max_payload_size` and `max_attribute_size` under `[pipeline]` in the scene",
    )
    .map_err(configured)?
    {
        SubobjectValue::ShaderConfig { max_payload, max_attributes } => {
            ShaderConfig { max_payload: *max_payload, max_attribute: *max_attributes }
        }
        other => rtc_base::bug!("a {} as shader config", other.kind()),
    };
    let pipeline_config = match shared(
        rdat,
        &associations,
        Slot::PipelineConfig,
        "RaytracingPipelineConfig",
        "give `max_recursion` under `[pipeline]` in the scene",
    )
    .map_err(configured)?
    {
        SubobjectValue::PipelineConfig { max_recursion } => PipelineConfig { max_recursion: *max_recursion, flags: 0 },
        SubobjectValue::PipelineConfig1 { max_recursion, flags } => PipelineConfig { max_recursion: *max_recursion, flags: *flags },
        other => rtc_base::bug!("a {} as pipeline config", other.kind()),
    };
    let skip_all = PIPELINE_SKIP_TRIANGLES | PIPELINE_SKIP_PROCEDURAL;
    if pipeline_config.flags & skip_all == skip_all {
        return Err(error("the pipeline config skips both triangles and procedural primitives, which leaves nothing to hit"));
    }
    let warnings = check_sizes(&shaders, shader_config).map_err(configured)?;
    let records = LibraryRecords::new(rdat, &associations).map_err(|e| error(format!("local root signature {e}")))?;
    Ok(StateObject { shaders, compute, groups, records, shader_config, pipeline_config, warnings })
}

fn shaders(rdat: &Rdat, associations: &Associations) -> Vec<Shader> {
    let functions = rdat.functions.iter().filter(|f| f.kind.is_raytracing());
    functions
        .map(|f| {
            let export = associations.export(&f.unmangled);
            Shader {
                name: f.unmangled.clone(),
                stage: f.kind,
                payload_size: f.payload_size,
                attribute_size: f.attribute_size,
                global_root: export.and_then(|e| e.get(Slot::GlobalRootSignature)),
            }
        })
        .collect()
}

/// An error at a location of the host, if it has one.
fn at(e: Error, location: Option<&str>) -> Error {
    match location {
        Some(location) => e.at(location),
        None => e,
    }
}

fn groups(rdat: &Rdat, shaders: &[Shader], overrides: &Overrides) -> Result<Vec<Group>> {
    let mut out: Vec<Group> = Vec::new();
    // Those of the host are the last.
    let own = rdat.hit_groups().count().saturating_sub(overrides.hit_groups.len());
    for (n, s) in rdat.hit_groups().enumerate() {
        let host = n.checked_sub(own).and_then(|n| overrides.hit_groups.get(n));
        let error = |message: String| at(error(message), host.and_then(|g| g.location.as_deref()));
        let SubobjectValue::HitGroup { ty, any_hit, closest_hit, intersection } = &s.value else {
            continue;
        };
        let name = &s.name;
        if shaders.iter().any(|s| s.name == *name) || out.iter().any(|g| g.name == *name) {
            return Err(error(format!("duplicate name `{name}` of a hit group")));
        }
        let procedural = *ty == HitGroupType::Procedural;
        if procedural && intersection.is_empty() {
            return Err(error(format!("procedural hit group `{name}` has no intersection shader")));
        }
        if !procedural && !intersection.is_empty() {
            return Err(error(format!("triangle hit group `{name}` has an intersection shader")));
        }
        let located = |e| at(e, host.and_then(|g| g.location.as_deref()));
        let member = |shader: &str, stage| member(name, shader, stage, shaders).map_err(located);
        out.push(Group {
            name: name.clone(),
            procedural,
            any_hit: member(any_hit, ShaderKind::AnyHit)?,
            closest_hit: member(closest_hit, ShaderKind::ClosestHit)?,
            intersection: member(intersection, ShaderKind::Intersection)?,
        });
    }
    Ok(out)
}

fn member(group: &str, name: &str, stage: ShaderKind, shaders: &[Shader]) -> Result<Option<usize>> {
    if name.is_empty() {
        return Ok(None);
    }
    let e = match shaders.iter().position(|s| s.name == name) {
        None => error(format!("hit group `{group}` refers to `{name}`, which is not exported")),
        Some(i) if shaders[i].stage != stage => {
            error(format!("hit group `{group}` uses `{name}` as its {stage} shader, but that is a {} shader", shaders[i].stage))
        }
        Some(i) => return Ok(Some(i)),
    };
    let candidates = shaders.iter().filter(|s| s.stage == stage).map(|s| &s.name);
    Err(e.note(format!("exports of stage {stage}: {}", list(candidates))))
}

/// The one subobject of a kind that all exports share.
fn shared<'a>(rdat: &'a Rdat, associations: &Associations, slot: Slot, kind: &str, hint: &str) -> Result<&'a SubobjectValue> {
    let mut found: Option<(&'a Subobject, &str)> = None;
    for export in &associations.exports {
        let Some(i) = export.get(slot) else {
            return Err(error(format!("`{}` has no {kind}", export.name))
                .note(format!("every export of a pipeline requires one: declare it in the HLSL, or {hint}")));
        };
        let subobject = &rdat.subobjects[i];
        match found {
            Some((other, by)) if other.value != subobject.value => {
                return Err(error(format!(
                    "all exports of a pipeline must have the same {kind}, but `{by}` has `{}` and `{}` has `{}`",
                    other.name, export.name, subobject.name
                )));
            }
            Some(_) => {}
            None => found = Some((subobject, &export.name)),
        }
    }
    found.map(|f| &f.0.value).ok_or_else(|| error("the library exports no ray-tracing shader"))
}

fn check_sizes(shaders: &[Shader], config: ShaderConfig) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    for s in shaders {
        if s.attribute_size > config.max_attribute {
            return Err(error(format!(
                "`{}` takes {} bytes of hit attributes, but the shader config allows {}",
                s.name, s.attribute_size, config.max_attribute
            )));
        }
        // With payload access qualifiers the declared size is ignored, and RDAT does not say whether a
        // payload has them.
        if s.stage != ShaderKind::Callable && s.payload_size > config.max_payload {
            warnings.push(format!(
                "`{}` takes a payload of {} bytes, but the shader config declares {}",
                s.name, s.payload_size, config.max_payload
            ));
        }
    }
    Ok(warnings)
}

#[cfg(test)]
mod tests;
