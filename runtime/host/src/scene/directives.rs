//! Shaders that name their compiler options and their scene in the first lines, so that many shaders share one scene.

use super::Scene;
use crate::error::{ErrorKind, Result, RunError};
use std::path::Path;

/// The directives in the comment at the begin of a source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Directives {
    /// Words after `// rtc`: options of the compiler, with the profile.
    pub options: Vec<String>,
    /// The path after `// scene:`, relative to the shader.
    pub scene: Option<String>,
    /// The scene itself, from lines after `//>`, each at its line of the shader.
    pub inline: Option<String>,
}

impl Directives {
    /// Parses the comment lines at the begin of `text`.
    pub fn of(text: &str) -> Directives {
        let mut out = Directives::default();
        let comment = text.lines().map_while(|l| l.strip_prefix("//"));
        for (number, line) in comment.enumerate() {
            if let Some(scene) = line.strip_prefix('>') {
                let inline = out.inline.get_or_insert_default();
                // Errors in it then have the right line.
                let before = inline.lines().count();
                inline.extend(std::iter::repeat_n('\n', number - before));
                inline.push_str(scene.trim());
                inline.push('\n');
            } else if let Some(words) = line.strip_prefix(" rtc ") {
                out.options.extend(words.split_whitespace().map(str::to_string));
            } else if let Some(scene) = line.strip_prefix(" scene: ") {
                out.scene = Some(scene.trim().to_string());
            }
        }
        out
    }

    /// Removes the profile from the options.
    fn profile(&mut self) -> Option<String> {
        let at = self.options.iter().position(|o| o == "-T")?;
        let mut removed = self.options.drain(at..self.options.len().min(at + 2));
        removed.nth(1)
    }
}

/// The name of a scene in the folder of its shader.
const FILE: &str = "scene.toml";

/// The scene of a shader, with the shader as its source: the one that is `given`, else the one that its first lines name or have, else
/// `scene.toml` in its folder if that is a scene of this shader. None: there is none.
pub(super) fn scene(shader: &Path, given: Option<&Path>) -> Result<Option<Scene>> {
    let text = std::fs::read_to_string(shader).map_err(|e| RunError::io("read", shader, &e))?;
    let folder = shader.parent().unwrap_or(Path::new(""));
    let mut directives = Directives::of(&text);
    let mut scene = match (given, &directives.scene, &directives.inline) {
        (Some(given), ..) => match Scene::of(given)? {
            own if is_of(&own, shader) => return Ok(Some(own)),
            other => other,
        },
        (None, Some(scene), None) => Scene::read(&folder.join(scene))?,
        // The source is that of the shader, below.
        (None, None, Some(inline)) => Scene::parse(shader, &format!("{inline}[shader]\nsource = \"\"\n"))?,
        (None, Some(_), Some(_)) => {
            let why = format!("{}: names a scene and has one", shader.display());
            return Err(RunError::new(ErrorKind::Scene, why).note("either `// scene: scene.toml` or lines that begin with `//>`"));
        }
        (None, None, None) => {
            let adjacent = folder.join(FILE);
            let scene = if adjacent.is_file() { Some(Scene::read(&adjacent)?) } else { None };
            return Ok(scene.filter(|scene| is_of(scene, shader)));
        }
    };
    // The source is relative to the scene, and an absolute path is what it is.
    scene.shader.source = Some(std::path::absolute(shader).map_err(|e| RunError::io("find", shader, &e))?);
    scene.shader.package = None;
    if let Some(profile) = directives.profile() {
        scene.shader.profile = profile;
    }
    scene.shader.args.extend(directives.options);
    Ok(Some(scene))
}

/// Whether a shader is the source of a scene.
fn is_of(scene: &Scene, shader: &Path) -> bool {
    let source = scene.shader.source.as_ref().and_then(|source| scene.dir().join(source).canonicalize().ok());
    source.is_some() && source == shader.canonicalize().ok()
}

/// The error of a shader without a scene.
pub(super) fn none(shader: &Path) -> RunError {
    let why = format!("{}: names no scene", shader.display());
    let note = "a line `// scene: scene.toml` among the comments that begin it does, or lines that begin with `//>` are one, or a \
                `scene.toml` in its folder whose source it is";
    RunError::new(ErrorKind::Scene, why).note(note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_first_comment_alone() {
        let text = "// What it is.\n// rtc -T lib_6_9 -HV 2021\n// scene: Inputs/a b.toml\n\nint x; // scene: other\n// scene: third\n";
        let mut directives = Directives::of(text);
        assert_eq!(directives.scene.as_deref(), Some("Inputs/a b.toml"));
        assert_eq!(directives.profile().as_deref(), Some("lib_6_9"));
        assert_eq!(directives.options, ["-HV", "2021"]);
        assert_eq!((directives.profile(), Directives::of("")), (None, Directives::default()));
        assert_eq!(Directives::of("// rtc -T").profile(), None);
    }
}
