//! A file with what was measured of forms, one for each device and driver.
//!
//! Text: a line that names format and version, a line for each key with forms and picoseconds for a ray, and a digest of all lines before it. A file that
//! cannot be read, is damaged or from another version counts as empty, and [`Choices::note`] says so: it is a cache.

use super::{Form, Measured};
use crate::error::{Error, Result};
use rtc_base::replace::{Durability, replace};
use rtc_dxil_container::digest::md5;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const FIRST: &str = "rtc forms 1";
/// Keys that a file has at most; the oldest are dropped.
const MAX_KEYS: usize = 1024;
/// Bytes that are read at most.
const MAX_BYTES: u64 = 1 << 20;

/// What was measured, by keys.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choices {
    path: PathBuf,
    /// The oldest first.
    rows: Vec<(String, Vec<Measured>)>,
    note: Option<String>,
}

/// The key of dispatches of a ray generation shader of packages with these digests: whatever else is measured has another one.
pub(super) fn key(packages: &[[u8; 16]], shader: &str) -> String {
    hex(&[packages.as_flattened(), shader.as_bytes()].concat())
}

fn hex(data: &[u8]) -> String {
    md5(data).iter().fold(String::new(), |mut out, b| {
        _ = write!(out, "{b:02x}");
        out
    })
}

impl Choices {
    /// Reads a file; one that is not there is empty.
    pub fn open(path: &Path) -> Choices {
        let mut out = Choices { path: path.to_path_buf(), ..Choices::default() };
        match read(path) {
            Ok(rows) => out.rows = rows,
            Err(why) => out.note = Some(format!("{}: {why}; forms are measured again", path.display())),
        }
        out
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why the file counts as empty, if it is there.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// What was measured for a key.
    pub fn get(&self, key: &str) -> &[Measured] {
        self.rows.iter().find(|r| r.0 == key).map_or(&[], |r| &r.1)
    }

    /// Keeps what was measured for a key.
    pub fn set(&mut self, key: &str, measured: &[Measured]) {
        self.rows.retain(|r| r.0 != key);
        self.rows.push((key.to_owned(), measured.to_vec()));
        let excess = self.rows.len().saturating_sub(MAX_KEYS);
        self.rows.drain(..excess);
    }

    /// Writes the file, all of it or nothing, with what other processes have added meanwhile.
    ///
    /// # Errors
    /// It cannot be written. For a cache that is a note.
    pub fn save(&self) -> Result<()> {
        let mut all = Choices { path: self.path.clone(), rows: read(&self.path).unwrap_or_default(), note: None };
        self.rows.iter().for_each(|(key, measured)| all.set(key, measured));
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| Error::io("make", folder, &e))?;
        }
        replace(&self.path, all.text().as_bytes(), Durability::Lazy).map_err(|e| Error::io("write", &self.path, &e))
    }

    fn text(&self) -> String {
        let mut out = format!("{FIRST}\n");
        for (key, measured) in &self.rows {
            out.push_str(key);
            for m in measured {
                _ = write!(out, " {} {}", m.form, (m.nanoseconds * 1e3).round().clamp(1.0, 1e15) as u64);
            }
            out.push('\n');
        }
        let digest = hex(out.as_bytes());
        out + &digest + "\n"
    }
}

/// The rows of a file; none if it is not there.
fn read(path: &Path) -> std::result::Result<Vec<(String, Vec<Measured>)>, String> {
    let text = match std::fs::metadata(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(format!("cannot be read: {e}")),
        Ok(m) if m.len() > MAX_BYTES => return Err(format!("has {} bytes, the most are {MAX_BYTES}", m.len())),
        Ok(_) => std::fs::read(path).map_err(|e| format!("cannot be read: {e}"))?,
    };
    let text = std::str::from_utf8(&text).map_err(|_| "is no text")?;
    parse(text)
}

fn parse(text: &str) -> std::result::Result<Vec<(String, Vec<Measured>)>, String> {
    let Some(rest) = text.strip_prefix(FIRST).and_then(|r| r.strip_prefix('\n')) else {
        let other = text.lines().next().filter(|l| l.starts_with("rtc forms ") && l.len() < 40);
        return Err(match other {
            Some(line) => format!("has the format `{line}`, expected `{FIRST}`"),
            None => format!("does not begin with `{FIRST}`"),
        });
    };
    let lines = rest.strip_suffix('\n').ok_or("is cut off")?;
    let (rows, digest) = match lines.rsplit_once('\n') {
        Some((rows, digest)) => (rows, digest),
        None => ("", lines),
    };
    let whole = text.len() - digest.len() - 1;
    if text.get(..whole).is_none_or(|all| hex(all.as_bytes()) != digest) {
        return Err("its digest is wrong".into());
    }
    let mut out = Vec::new();
    for line in rows.lines() {
        let mut words = line.split(' ');
        let key = words.next().unwrap_or_default().to_owned();
        let mut measured = Vec::new();
        while let Some(name) = words.next() {
            let time = words.next().and_then(|n| n.parse::<u64>().ok()).filter(|n| *n > 0);
            let (Some(form), Some(time)) = (Form::named(name), time) else {
                return Err(format!("has the line `{line}`"));
            };
            measured.push(Measured { form, nanoseconds: time as f64 / 1e3 });
        }
        out.push((key, measured));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(n: u32) -> Vec<Measured> {
        [(Form::Lower, 2.5), (Form::Wavefront, f64::from(n))].map(|(form, nanoseconds)| Measured { form, nanoseconds }).to_vec()
    }

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("rtc-forms-{}-{name}", std::process::id()));
        _ = std::fs::remove_dir_all(&path);
        path
    }

    #[test]
    fn choices_come_back() {
        let path = folder("back").join("sub/device.forms");
        let mut c = Choices::open(&path);
        assert_eq!((c.note(), c.get("a")), (None, &[][..]));
        c.set("a", &measured(1));
        c.set("b", &measured(2));
        c.set("a", &measured(3));
        c.save().unwrap();
        let again = Choices::open(&path);
        assert_eq!((again.note(), again.get("a"), again.get("b")), (None, &measured(3)[..], &measured(2)[..]));
        // What another process wrote meanwhile stays.
        let mut other = Choices::open(&path);
        other.set("c", &measured(4));
        other.save().unwrap();
        c.set("d", &measured(5));
        c.save().unwrap();
        let all = Choices::open(&path);
        assert!(["a", "b", "c", "d"].iter().all(|k| !all.get(k).is_empty()));
    }

    #[test]
    fn the_oldest_are_dropped() {
        let mut c = Choices::default();
        for n in 0..MAX_KEYS + 3 {
            c.set(&format!("{n}"), &measured(1));
        }
        assert_eq!(c.rows.len(), MAX_KEYS);
        assert!(c.get("2").is_empty() && !c.get("3").is_empty());
        assert!((c.text().len() as u64) < MAX_BYTES);
    }

    #[test]
    fn damaged_files_are_empty_with_a_note() {
        let folder = folder("damaged");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("device.forms");
        let mut c = Choices::open(&path);
        c.set("a", &measured(7));
        c.save().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let note = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let c = Choices::open(&path);
            assert!(c.get("a").is_empty());
            c.note().map(str::to_owned).unwrap_or_default()
        };
        for len in 0..whole.len() {
            assert!(!note(&whole[..len]).is_empty(), "cut to {len}");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            assert!(!note(&bytes).is_empty(), "byte {at}");
        }
        let newer = String::from_utf8(whole.clone()).unwrap().replace(FIRST, "rtc forms 2");
        assert!(note(newer.as_bytes()).contains("has the format `rtc forms 2`, expected `rtc forms 1`; forms are measured again"));
        assert!(note(&[0xff; 20]).contains("is no text"));
        assert!(note(&vec![b'a'; (MAX_BYTES + 1) as usize]).contains("bytes, the most are"));
        // A line that means nothing, with a digest that is right.
        for line in ["a lower", "a lower x", "a other 5", "a lower 0"] {
            let text = format!("{FIRST}\n{line}\n");
            let text = format!("{text}{}\n", hex(text.as_bytes()));
            assert!(note(text.as_bytes()).contains(&format!("has the line `{line}`")), "{line}");
        }
        // It is written anew.
        c.save().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error_of_save_alone() {
        let folder = folder("file");
        std::fs::write(&folder, "a file where a folder is expected").unwrap();
        let mut c = Choices::open(&folder.join("device.forms"));
        assert!(c.note().is_some());
        c.set("a", &measured(1));
        assert!(c.save().is_err());
        _ = std::fs::remove_file(&folder);
    }

    #[test]
    fn keys_differ() {
        let of = |packages: &[u8], shader: &str| key(&packages.iter().map(|&b| [b; 16]).collect::<Vec<_>>(), shader);
        let all = [of(&[1, 2], "X"), of(&[1], "X"), of(&[1, 2], "Y"), of(&[2, 1], "X"), of(&[], "X")];
        for (i, a) in all.iter().enumerate() {
            assert!(a.len() == 32 && all.iter().skip(i + 1).all(|b| a != b));
        }
        assert_eq!(of(&[1], "X"), of(&[1], "X"));
    }
}
