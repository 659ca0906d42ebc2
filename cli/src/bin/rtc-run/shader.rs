//! A shader that says in its first lines how it is compiled and which scene it runs in, so that many shaders share one scene.

use rtc_runtime::scene::Scene;
use rtc_runtime::{ErrorKind, Result, RunError};
use std::path::Path;

/// What the comment at the begin of a source asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Words after `// rtc`: options of the compiler, with the profile.
    pub options: Vec<String>,
    /// What stands after `// scene:`, relative to the shader.
    pub scene: Option<String>,
}

impl Asked {
    /// Reads the lines of `text` that begin it and are comments.
    pub fn of(text: &str) -> Asked {
        let mut out = Asked::default();
        let comment = text.lines().map_while(|l| l.strip_prefix("//"));
        for line in comment {
            if let Some(words) = line.strip_prefix(" rtc ") {
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

/// The scene of a shader, with the shader as its source.
///
/// Errors: a file cannot be read, the shader names no scene, or the scene is wrong.
pub fn scene(shader: &Path) -> Result<Scene> {
    let text = std::fs::read_to_string(shader).map_err(|e| RunError::io("read", shader, &e))?;
    let mut asked = Asked::of(&text);
    let Some(scene) = &asked.scene else {
        let why = format!("{}: names no scene", shader.display());
        return Err(RunError::new(ErrorKind::Scene, why).note("a line `// scene: scene.toml` among the comments that begin it does"));
    };
    let mut scene = Scene::read(&shader.parent().unwrap_or(Path::new("")).join(scene))?;
    // The source is relative to the scene, and an absolute path is what it is.
    scene.shader.source = Some(std::path::absolute(shader).map_err(|e| RunError::io("find", shader, &e))?);
    scene.shader.package = None;
    if let Some(profile) = asked.profile() {
        scene.shader.profile = profile;
    }
    scene.shader.args.extend(asked.options);
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_first_comment_alone() {
        let text = "// What it is.\n// rtc -T lib_6_9 -HV 2021\n// scene: Inputs/a b.toml\n\nint x; // scene: other\n// scene: third\n";
        let mut asked = Asked::of(text);
        assert_eq!(asked.scene.as_deref(), Some("Inputs/a b.toml"));
        assert_eq!(asked.profile().as_deref(), Some("lib_6_9"));
        assert_eq!(asked.options, ["-HV", "2021"]);
        assert_eq!((asked.profile(), Asked::of("")), (None, Asked::default()));
        assert_eq!(Asked::of("// rtc -T").profile(), None);
    }
}
