//! Paths as text, by the rules of a system that is named: what a name means on Windows is decided, and tested, on every machine.

use std::path::Path;

/// A system, as far as names of files go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum System {
    /// `/` separates, every other character is part of a name, letter case matters.
    Unix,
    /// `\` separates too, names differ in more than letter case, and some are those of devices.
    Windows,
}

/// The names that are devices in every folder of Windows. A digit from 1 to 9 follows the last two.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "COM", "LPT"];

/// The characters that no name of a file has on Windows, besides separators.
const FORBIDDEN: [char; 7] = ['<', '>', ':', '"', '|', '?', '*'];

impl System {
    /// The system that this program runs on.
    pub const HERE: System = if cfg!(windows) { System::Windows } else { System::Unix };

    /// The path with `/` between its parts, so that it is the same text for every system. `\\?\C:\x` stays: Windows takes such paths literally.
    pub fn slashes(self, path: &str) -> String {
        match self {
            System::Windows if !path.starts_with(r"\\?\") => path.replace('\\', "/"),
            _ => path.to_owned(),
        }
    }

    /// The text that all names of one file in one folder have in common: on Windows letter case does not count, nor dots and blanks at the end of a
    /// part.
    pub fn key(self, path: &str) -> String {
        match self {
            System::Unix => path.to_owned(),
            System::Windows => {
                let part = |p: &str| if p.chars().all(|c| c == '.') { p.to_owned() } else { p.trim_end_matches(['.', ' ']).to_lowercase() };
                self.slashes(path).split('/').map(part).collect::<Vec<_>>().join("/")
            }
        }
    }

    /// Why no file of this name can be made in a folder; the name may have folders in it.
    pub fn refuses(self, name: &str) -> Option<String> {
        if self == System::Unix {
            return None;
        }
        if let Some(device) = device(name) {
            return Some(format!("`{device}` is the name of a device on Windows"));
        }
        let wrong = |c: &char| FORBIDDEN.contains(c) || *c < ' ';
        if let Some(c) = name.chars().find(wrong) {
            return Some(format!("names of files have no `{}` on Windows", c.escape_default()));
        }
        let ends = |part: &&str| part.ends_with(['.', ' ']) && part.chars().any(|c| c != '.');
        self.slashes(name).split('/').find(ends).map(|part| format!("Windows drops the dot or blank at the end of `{part}`"))
    }
}

/// The name of a device that the last part of a path is on Windows, with any extension: `out/nul`, `aux.hlsl`.
pub fn device(path: &str) -> Option<&str> {
    let name = path.rsplit(['/', '\\', ':']).next()?;
    let stem = name.split('.').next()?.trim_end();
    let (word, digit) = match stem.char_indices().nth(3) {
        Some((at, _)) => stem.split_at(at),
        None => (stem, ""),
    };
    let known = DEVICES.iter().position(|d| d.eq_ignore_ascii_case(word))?;
    let numbered = known >= 4;
    let fits = if numbered { matches!(digit.as_bytes(), [b'1'..=b'9']) } else { digit.is_empty() };
    fits.then_some(stem)
}

/// The device that this system opens in place of a file at `path`. Newer versions of Windows have fewer: `aux.hlsl` is a file there.
pub fn opens_device(path: &str) -> Option<&str> {
    if System::HERE == System::Unix {
        return None;
    }
    let name = device(path)?;
    let full = std::path::absolute(Path::new(path)).ok()?;
    full.to_string_lossy().starts_with(r"\\.\").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::System::{Unix, Windows};
    use super::*;

    #[test]
    fn separators() {
        assert_eq!(Windows.slashes(r"C:\a\b.hlsl"), "C:/a/b.hlsl");
        assert_eq!(Windows.slashes(r"\\server\share\a"), "//server/share/a");
        assert_eq!(Windows.slashes(r"\\?\C:\a"), r"\\?\C:\a", "it is taken literally");
        assert_eq!(Unix.slashes(r"a\b"), r"a\b", "a backslash is a character of the name");
    }

    #[test]
    fn one_file_has_one_key() {
        for same in ["out/a.dxil", r"out\A.DXIL", "Out/a.dxil. .", "out./a.dxil"] {
            assert_eq!(Windows.key(same), "out/a.dxil", "{same}");
        }
        assert_eq!(Windows.key("../a/./B"), "../a/./b");
        assert_ne!(Unix.key("a"), Unix.key("A"));
    }

    #[test]
    fn devices_are_names_and_not_parts_of_them() {
        for (path, name) in
            [("nul", "nul"), ("out/CON", "CON"), (r"a\aux.hlsl", "aux"), ("com1.x.y", "com1"), ("C:LPT9", "LPT9"), ("prn .txt", "prn")]
        {
            assert_eq!(device(path), Some(name), "{path}");
        }
        for path in ["", "console.hlsl", "null", "com", "com0", "com12", "x.con", "nul/x", "com\u{e9}", "auxiliary", "lpt"] {
            assert_eq!(device(path), None, "{path}");
        }
    }

    #[test]
    fn names_that_windows_does_not_have() {
        let why = |name: &str| Windows.refuses(name).unwrap_or_default();
        assert_eq!(why("vk/aux.dxil"), "`aux` is the name of a device on Windows");
        assert_eq!(why("a:b"), "names of files have no `:` on Windows");
        assert_eq!(why("a\tb"), "names of files have no `\\t` on Windows");
        assert_eq!(why("a./b"), "Windows drops the dot or blank at the end of `a.`");
        for fine in ["a b/c.d.dxil", "../x", "./y", "é.spv"] {
            assert_eq!(Windows.refuses(fine), None, "{fine}");
        }
        assert_eq!(Unix.refuses("con: <a?>"), None);
    }
}
