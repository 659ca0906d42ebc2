//! Sampler feedback maps of a scene.
//!
//! `[feedback.F] of = "T"` is a map that is paired with the image or texture `T`; `kind` is `min_mip` or `mip_region_used`, `region` the width and
//! height of a region. What it has recorded after a dispatch goes as bytes into the buffer that `into` names, for the shaders of the
//! next one, and in the end into the file that `save` names.

use super::fields::{extension, target};
use super::reader::{Node, SourceLocation};
use super::{Scene, Target};
use crate::device::FeedbackKind;
use crate::error::{Result, list};
use std::path::PathBuf;

/// A feedback map.
#[derive(Clone, PartialEq, Debug)]
pub struct FeedbackSource {
    /// The slots that it is bound to.
    pub target: Target,
    /// The name of the image or texture that it is paired with.
    pub of: String,
    /// What it records.
    pub kind: FeedbackKind,
    /// Width and height of a region.
    pub region: [u32; 2],
    /// The name of the buffer that receives its contents, and the location of the key.
    pub into: Option<(String, SourceLocation)>,
    /// The file that its contents are written to.
    pub save: Option<PathBuf>,
}

/// Reads one table of `[feedback]`.
pub(super) fn feedback(name: &str, n: &Node<'_>) -> Result<FeedbackSource> {
    let t = n.table()?;
    let target = target(name, n, &t)?;
    let kind = t.need("kind")?.word(&[("min_mip", FeedbackKind::MinMip), ("mip_region_used", FeedbackKind::MipRegionUsed)])?;
    let sides = t.need("region")?;
    let region = match sides.list()?.as_slice() {
        [w, h] => [w.u32()?, h.u32()?],
        other => return Err(sides.error(format!("expected width and height, found {} numbers", other.len()))),
    };
    let save = t.take("save");
    if let Some(n) = save.as_ref()
        && extension(n)? != "bin"
    {
        return Err(n.error("feedback maps are saved as `.bin`"));
    }
    let out = FeedbackSource {
        target,
        of: t.need("of")?.text()?,
        kind,
        region,
        into: t.take("into").map(|n| Ok::<_, crate::error::RunError>((n.text()?, n.location.clone()))).transpose()?,
        save: save.map(|n| n.str().map(PathBuf::from)).transpose()?,
    };
    t.finish()?;
    Ok(out)
}

/// Checks that the images and buffers that feedback maps name exist.
///
/// # Errors
/// A map names an image or a buffer that the scene does not have.
pub(super) fn check(scene: &Scene) -> Result<()> {
    for f in &scene.feedbacks {
        let images = scene.images.iter().map(|i| &i.target.name).chain(scene.textures.iter().map(|t| &t.target.name));
        if !images.clone().any(|n| *n == f.of) {
            let why = format!("the scene has no image or texture `{}`", f.of);
            return Err(scene.error(&f.target.location, why).note(format!("it has {}", list(images))));
        }
        if let Some((into, location)) = &f.into
            && !scene.buffers.iter().any(|b| b.target.name == *into)
        {
            let names = list(scene.buffers.iter().map(|b| &b.target.name));
            return Err(scene.error(location, format!("the scene has no buffer `{into}`")).note(format!("it has {names}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fails, scene};
    use super::*;

    const HEAD: &str = "[images.T]\nsize = [64, 32]\nlevels = 3\nlayers = 2\n[buffers.B]\nsize = 64\n";

    #[test]
    fn maps_are_read() {
        let s = scene(&format!(
            "{HEAD}[feedback.F]\nof = \"T\"\nkind = \"mip_region_used\"\nregion = [8, 4]\ninto = \"B\"\nsave = \"f.bin\"\n"
        ));
        let f = &s.feedbacks[0];
        assert_eq!((f.kind, f.region, f.of.as_str()), (FeedbackKind::MipRegionUsed, [8, 4], "T"));
        assert_eq!(f.into.as_ref().map(|i| i.0.as_str()), Some("B"));
        assert_eq!((s.images[0].desc.levels, s.images[0].desc.depth), (3, 2));
    }

    #[test]
    fn mistakes_are_named() {
        let f = |rest: &str, why: &str| fails(&format!("{HEAD}[feedback.F]\n{rest}\n"), why);
        f("of = \"T\"\nregion = [4, 4]", "dir/scene.toml:11: `feedback.F`: the key `kind` is missing");
        let kind = "kind = \"min_mip\"\n";
        f(&format!("{kind}of = \"T\"\nregion = [4]"), "dir/scene.toml:14: `feedback.F.region`: expected width and height, found 1 numbers");
        f(
            &format!("{kind}of = \"X\"\nregion = [4, 4]"),
            "dir/scene.toml:11: `feedback.F`: the scene has no image or texture `X`\n  note: it has `T`",
        );
        let into = format!("{kind}of = \"T\"\nregion = [4, 4]\ninto = \"X\"");
        f(&into, "dir/scene.toml:15: `feedback.F.into`: the scene has no buffer `X`\n  note: it has `B`");
        f(
            &format!("{kind}of = \"T\"\nregion = [4, 4]\nsave = \"a.png\""),
            "dir/scene.toml:15: `feedback.F.save`: feedback maps are saved as `.bin`",
        );
    }
}
