//! Animations of a glTF file: which one, and what it does to nodes.

use super::Node;
use super::accessors::Buffers;
use super::document::LeftOut;
use super::nodes::{Between, Channel, Local, Nodes, Property};
use crate::error::{Result, list};
use gltf::animation::{Interpolation, Property as Target};
use gltf::{Animation, Document};

/// The animation that a scene names, by default the first one.
pub(super) fn choose<'a>(document: &'a Document, wanted: Option<&Node<'_>>) -> Result<Option<Animation<'a>>> {
    let Some(n) = wanted.filter(|n| n.is_text() || n.is_number()) else {
        return Ok(document.animations().next());
    };
    let found = match n.is_text() {
        true => {
            let name = n.str()?;
            document.animations().find(|a| a.name() == Some(name))
        }
        false => document.animations().nth(n.u32()? as usize),
    };
    match found {
        Some(a) => Ok(Some(a)),
        None => {
            let names = document.animations().map(|a| a.name().map_or_else(|| a.index().to_string(), str::to_string));
            Err(n.error("the file has no such animation").note(format!("animations: {}", list(names))))
        }
    }
}

/// The channels of an animation.
pub(super) fn channels(
    buffers: &Buffers,
    a: &Animation<'_>,
    nodes: &Nodes,
    left_out: &mut LeftOut,
) -> std::result::Result<Vec<Channel>, String> {
    let mut out = Vec::new();
    for (n, c) in a.channels().enumerate() {
        let at = |why: String| format!("channel {n} of animation {}: {why}", a.index());
        let property = match c.target().property() {
            Target::Translation => Property::Translation,
            Target::Rotation => Property::Rotation,
            Target::Scale => Property::Scale,
            Target::MorphTargetWeights => {
                left_out.add("an animation of morph targets is ignored");
                continue;
            }
        };
        let index = c.target().node().index();
        // Nodes that are not in the scene may be animated, too.
        let Some(node) = nodes.list.iter().position(|n| n.index == index) else { continue };
        if matches!(nodes.list[node].local, Local::Matrix(_)) {
            return Err(at(format!("node {index} has a matrix, which cannot be animated")));
        }
        let sampler = c.sampler();
        let between = match sampler.interpolation() {
            Interpolation::Step => Between::Step,
            Interpolation::Linear => Between::Linear,
            Interpolation::CubicSpline => Between::Cubic,
        };
        let times: Vec<f32> = buffers.vectors::<1>(&sampler.input()).map_err(at)?.into_iter().map(|[t]| t).collect();
        if let Some(key) = times.windows(2).position(|w| w[0] >= w[1]) {
            return Err(at(format!("the time of key {} is not after that of key {key}", key + 1)));
        }
        let output = sampler.output();
        let values: Vec<[f32; 4]> = match property {
            Property::Rotation => buffers.vectors::<4>(&output).map_err(at)?,
            _ => buffers.vectors::<3>(&output).map_err(at)?.into_iter().map(|[x, y, z]| [x, y, z, 0.0]).collect(),
        };
        let expected = times.len() * if between == Between::Cubic { 3 } else { 1 };
        if values.len() != expected {
            return Err(at(format!("{} keys require {expected} values, there are {}", times.len(), values.len())));
        }
        out.push(Channel { node, property, between, times, values });
    }
    Ok(out)
}
