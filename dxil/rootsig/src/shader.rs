//! Checks that a root signature binds every resource of a shader.
//!
//! A shader's resources are those that its pipeline information (`PSV0`) lists. Each must lie in one range of the signature that
//! the stage sees; textures and typed buffers, and buffers with a counter, cannot be bound by address.

use super::{RootParamKind, RootSignature, UNBOUNDED, Visibility, words};
use rtc_dxil_container::psv::{Psv, PsvResource, resource_type as ty};
use rtc_dxil_container::{ResourceClass, ShaderKind};

/// Registers that a signature binds.
struct Bound {
    class: ResourceClass,
    space: u32,
    first: u32,
    last: u32,
    visibility: Visibility,
    by_address: bool,
}

/// What of the shader the signature does not bind, or not so that it works; each a sentence without a full stop.
pub fn check_shader(signature: &RootSignature, shader: &Psv) -> Vec<String> {
    let (stage, denied) = stage_of(shader.stage);
    let bound = bound(signature);
    let mut problems = Vec::new();
    if !shader.resources.is_empty() && signature.flags & denied != 0 {
        problems.push("the root signature denies this stage all access, and the shader has resources".to_owned());
    }
    for r in &shader.resources {
        let Some(class) = class_of(r.ty) else { continue };
        let letter = class.letter();
        let here = if r.upper == r.lower {
            format!("{letter}{}", r.lower)
        } else if r.upper == u32::MAX {
            format!("the registers from {letter}{}", r.lower)
        } else {
            format!("{letter}{}-{letter}{}", r.lower, r.upper)
        };
        let here = if r.space == 0 { here } else { format!("{here} of space {}", r.space) };
        // Of an unbounded resource one register is enough.
        let last = if r.upper == u32::MAX { r.lower } else { r.upper };
        let covering = bound.iter().find(|b| {
            (b.class, b.space) == (class, r.space)
                && (b.visibility == Visibility::All || b.visibility == stage)
                && b.first <= r.lower
                && last <= b.last
        });
        match covering {
            None => problems.push(format!("the shader uses {here}, which the root signature does not bind as a whole")),
            Some(b) if b.by_address && !addressable(r) => {
                problems.push(format!("{here} is bound by address, which only raw and structured buffers without counter can be"))
            }
            Some(_) => {}
        }
    }
    problems
}

fn bound(signature: &RootSignature) -> Vec<Bound> {
    let mut out = Vec::new();
    for p in &signature.params {
        let mut one = |class, space, first, last, by_address| {
            out.push(Bound { class, space, first, last, visibility: p.visibility, by_address });
        };
        match &p.kind {
            RootParamKind::Table(ranges) => {
                for r in ranges {
                    let last = if r.count == UNBOUNDED { u32::MAX } else { r.register.saturating_add(r.count.saturating_sub(1)) };
                    one(r.class, r.space, r.register, last, false);
                }
            }
            RootParamKind::Constants { register, space, .. } => one(ResourceClass::Cbv, *space, *register, *register, false),
            RootParamKind::Cbv(d) => one(ResourceClass::Cbv, d.space, d.register, d.register, false),
            RootParamKind::Srv(d) => one(ResourceClass::Srv, d.space, d.register, d.register, true),
            RootParamKind::Uav(d) => one(ResourceClass::Uav, d.space, d.register, d.register, true),
        }
    }
    for s in &signature.samplers {
        let visibility = s.visibility;
        out.push(Bound {
            class: ResourceClass::Sampler,
            space: s.space,
            first: s.register,
            last: s.register,
            visibility,
            by_address: false,
        });
    }
    out
}

fn addressable(r: &PsvResource) -> bool {
    !matches!(r.ty, ty::SRV_TYPED | ty::UAV_TYPED | ty::UAV_STRUCTURED_COUNTER)
}

fn class_of(resource: u32) -> Option<ResourceClass> {
    Some(match resource {
        ty::SAMPLER => ResourceClass::Sampler,
        ty::CBV => ResourceClass::Cbv,
        ty::SRV_TYPED | ty::SRV_RAW | ty::SRV_STRUCTURED => ResourceClass::Srv,
        ty::UAV_TYPED | ty::UAV_RAW | ty::UAV_STRUCTURED | ty::UAV_STRUCTURED_COUNTER => ResourceClass::Uav,
        _ => return None,
    })
}

/// What a stage sees besides what all see.
pub fn visibility_of(stage: ShaderKind) -> Visibility {
    stage_of(stage).0
}

/// What a stage sees, and the flag that denies it everything.
fn stage_of(stage: ShaderKind) -> (Visibility, u32) {
    let deny = |word: &str| words::flag(words::ROOT_FLAGS, word).unwrap_or(0);
    match stage {
        ShaderKind::Vertex => (Visibility::Vertex, deny("DENY_VERTEX_SHADER_ROOT_ACCESS")),
        ShaderKind::Hull => (Visibility::Hull, deny("DENY_HULL_SHADER_ROOT_ACCESS")),
        ShaderKind::Domain => (Visibility::Domain, deny("DENY_DOMAIN_SHADER_ROOT_ACCESS")),
        ShaderKind::Geometry => (Visibility::Geometry, deny("DENY_GEOMETRY_SHADER_ROOT_ACCESS")),
        ShaderKind::Pixel => (Visibility::Pixel, deny("DENY_PIXEL_SHADER_ROOT_ACCESS")),
        ShaderKind::Amplification => (Visibility::Amplification, deny("DENY_AMPLIFICATION_SHADER_ROOT_ACCESS")),
        ShaderKind::Mesh => (Visibility::Mesh, deny("DENY_MESH_SHADER_ROOT_ACCESS")),
        _ => (Visibility::All, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RootVersion, Scope, parse};
    use super::*;
    use rtc_dxil_container::Version;

    fn check(text: &str, resources: &[(u32, u32, u32, u32)]) -> Vec<String> {
        let signature = parse(text, RootVersion::V1_1, Scope::Global).expect("a root signature");
        let mut psv = Psv::compute(Version::new(1, 8), "main", [1; 3]);
        psv.resources =
            resources.iter().map(|&(ty, space, lower, upper)| PsvResource { ty, space, lower, upper, kind: 0, flags: 0 }).collect();
        check_shader(&signature, &psv)
    }

    #[test]
    fn everything_must_be_bound() {
        let texture = [(ty::SRV_TYPED, 0, 3, 3)];
        assert!(check("DescriptorTable(SRV(t3))", &texture).is_empty());
        assert!(check("DescriptorTable(SRV(t0, numDescriptors = unbounded))", &texture).is_empty());
        let missing = check("DescriptorTable(SRV(t0, numDescriptors = 3))", &texture);
        assert_eq!(missing, ["the shader uses t3, which the root signature does not bind as a whole"]);
        assert_eq!(check("DescriptorTable(SRV(t3, space = 1))", &texture).len(), 1);
        assert_eq!(check("DescriptorTable(UAV(u3))", &texture).len(), 1);
        assert_eq!(check("DescriptorTable(SRV(t3), visibility = SHADER_VISIBILITY_PIXEL)", &texture).len(), 1);
        // Two ranges are not one.
        let two = [(ty::CBV, 0, 0, 1)];
        assert_eq!(check("CBV(b0), CBV(b1)", &two).len(), 1);
        assert!(check("DescriptorTable(CBV(b0, numDescriptors = 2))", &two).is_empty());
        let unbounded = [(ty::UAV_RAW, 2, 4, u32::MAX)];
        assert!(check("DescriptorTable(UAV(u4, space = 2))", &unbounded).is_empty());
        assert!(
            check("StaticSampler(s1), RootConstants(b2, num32BitConstants = 1)", &[(ty::SAMPLER, 0, 1, 1), (ty::CBV, 0, 2, 2)]).is_empty()
        );
    }

    #[test]
    fn addresses_bind_plain_buffers_alone() {
        assert!(check("SRV(t0), UAV(u0)", &[(ty::SRV_RAW, 0, 0, 0), (ty::UAV_STRUCTURED, 0, 0, 0)]).is_empty());
        for wrong in [(ty::SRV_TYPED, 0, 0, 0), (ty::UAV_TYPED, 0, 0, 0), (ty::UAV_STRUCTURED_COUNTER, 0, 0, 0)] {
            assert!(check("SRV(t0), UAV(u0)", &[wrong])[0].contains("by address"), "{wrong:?}");
        }
    }
}
