//! Archives whose bytes follow from their files alone: names in order, one time for all, no owners. `.zip` for Windows, `.tar.gz` elsewhere.

use miniz_oxide::deflate::compress_to_vec;

/// A file of an archive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct File {
    /// Its path in the archive, with `/` between parts.
    pub name: String,
    /// What it is.
    pub content: Content,
}

/// What a file is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Content {
    /// Bytes, and whether they are a program.
    Bytes(Vec<u8>, bool),
    /// A link to another file of its folder.
    Link(String),
}

/// The level of compression: the best.
const LEVEL: u8 = 9;

/// The checksum of zip and gzip: the cyclic redundancy check with the polynomial 0xedb88320.
fn crc32(bytes: &[u8]) -> u32 {
    let mut table = [0u32; 256];
    for (n, entry) in table.iter_mut().enumerate() {
        *entry = (0..8).fold(n as u32, |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 });
    }
    !bytes.iter().fold(!0, |c, b| table[((c ^ u32::from(*b)) & 0xff) as usize] ^ (c >> 8))
}

/// Bytes in the order of the formats.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn u16s(&mut self, all: &[u16]) {
        all.iter().for_each(|n| self.0.extend(n.to_le_bytes()));
    }

    fn u32s(&mut self, all: &[u32]) {
        all.iter().for_each(|n| self.0.extend(n.to_le_bytes()));
    }
}

/// The time of all files of a zip archive: its first, the start of 1980.
const DOS_TIME: [u16; 2] = [0, (1 << 5) | 1];

/// A zip archive.
///
/// # Errors
/// A file is a link, or the archive is too large for the format.
pub fn zip(files: &[File]) -> Result<Vec<u8>, String> {
    let mut files: Vec<&File> = files.iter().collect();
    files.sort();
    let (mut out, mut directory) = (Writer::default(), Writer::default());
    let size = |n: usize| u32::try_from(n).map_err(|_| "the archive is too large for a zip file".to_owned());
    for file in &files {
        let Content::Bytes(bytes, program) = &file.content else { return Err(format!("{}: a zip file has no links", file.name)) };
        let packed = compress_to_vec(bytes, LEVEL);
        let start = size(out.0.len())?;
        let length = u16::try_from(file.name.len()).map_err(|_| format!("{}: the name is too long", file.name))?;
        // Version 2.0; the name is UTF-8; deflate.
        let sizes = [crc32(bytes), size(packed.len())?, size(bytes.len())?];
        out.u32s(&[0x0403_4b50]);
        out.u16s(&[20, 1 << 11, 8, DOS_TIME[0], DOS_TIME[1]]);
        out.u32s(&sizes);
        out.u16s(&[length, 0]);
        out.0.extend(file.name.as_bytes());
        out.0.extend(packed);
        // Made on Unix, whose modes follow.
        directory.u32s(&[0x0201_4b50]);
        directory.u16s(&[(3 << 8) | 20, 20, 1 << 11, 8, DOS_TIME[0], DOS_TIME[1]]);
        directory.u32s(&sizes);
        directory.u16s(&[length, 0, 0, 0, 0]);
        directory.u32s(&[(0o100_000 | mode(*program)) << 16, start]);
        directory.0.extend(file.name.as_bytes());
    }
    let (start, length) = (size(out.0.len())?, size(directory.0.len())?);
    let count = u16::try_from(files.len()).map_err(|_| "there are too many files for a zip file".to_owned())?;
    out.0.extend(directory.0);
    out.u32s(&[0x0605_4b50]);
    out.u16s(&[0, 0, count, count]);
    out.u32s(&[length, start]);
    out.u16s(&[0]);
    Ok(out.0)
}

/// The mode of a file.
fn mode(program: bool) -> u32 {
    if program { 0o755 } else { 0o644 }
}

/// A tar archive in the format ustar, compressed as gzip does, with `time` in seconds since 1970 for all files.
///
/// # Errors
/// A name is too long for the format.
pub fn tar_gz(files: &[File], time: u64) -> Result<Vec<u8>, String> {
    let mut files: Vec<&File> = files.iter().collect();
    files.sort();
    let mut tar = Vec::new();
    for file in files {
        let (bytes, mode, link): (&[u8], u32, &str) = match &file.content {
            Content::Bytes(bytes, program) => (bytes, mode(*program), ""),
            Content::Link(to) => (&[], 0o777, to),
        };
        tar.extend(header(&file.name, mode, bytes.len(), time, link)?);
        tar.extend(bytes);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.resize(tar.len() + 1024, 0);
    // Deflate, no name, no time, the best compression, Unix.
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3];
    out.extend(compress_to_vec(&tar, LEVEL));
    let mut end = Writer::default();
    end.u32s(&[crc32(&tar), (tar.len() as u64 & 0xffff_ffff) as u32]);
    out.extend(end.0);
    Ok(out)
}

/// The header of a file in a tar archive.
fn header(name: &str, mode: u32, size: usize, time: u64, link: &str) -> Result<[u8; 512], String> {
    let mut h = [0u8; 512];
    let mut put = |at: usize, text: &str| h[at..at + text.len()].copy_from_slice(text.as_bytes());
    // The format has a second field for the folders of a long name.
    let fits = |prefix: &str, name: &str| prefix.len() <= 155 && name.len() <= 100;
    let split = name.match_indices('/').map(|(at, _)| (&name[..at], &name[at + 1..])).find(|(p, n)| fits(p, n));
    let (prefix, short) = if name.len() <= 100 { ("", name) } else { split.ok_or_else(|| format!("{name}: the name is too long"))? };
    put(0, short);
    put(100, &format!("{mode:07o}"));
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{size:011o}"));
    put(136, &format!("{time:011o}"));
    put(148, "        ");
    put(156, if link.is_empty() { "0" } else { "2" });
    put(157, link);
    put(257, "ustar\x0000root");
    put(297, "root");
    put(345, prefix);
    let sum: u32 = h.iter().map(|b| u32::from(*b)).sum();
    h[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    Ok(h)
}

#[cfg(test)]
mod unit_tests {
    use std::process::Command;

    use super::*;
    use rtc_oracles::programs::find_program;

    fn files() -> Vec<File> {
        let bytes = |name: &str, bytes: &[u8], program| File { name: name.to_owned(), content: Content::Bytes(bytes.to_vec(), program) };
        let long = format!("rtc/{}/{}.md", "folder".repeat(12), "page".repeat(12));
        vec![bytes("rtc/lib/b", &[7; 5000], false), bytes("rtc/bin/a", b"#!/bin/sh\nexit 0\n", true), bytes(&long, b"", false)]
    }

    #[test]
    fn checksums_are_those_of_the_format() {
        assert_eq!((crc32(b"123456789"), crc32(b"")), (0xcbf4_3926, 0));
    }

    #[test]
    fn the_order_of_files_does_not_count() {
        let (mut a, mut b) = (files(), files());
        b.reverse();
        assert_eq!(zip(&a).expect("a zip file"), zip(&b).expect("a zip file"));
        assert_eq!(tar_gz(&a, 1), tar_gz(&b, 1));
        a.push(File { name: "rtc/lib/l".to_owned(), content: Content::Link("b".to_owned()) });
        assert!(zip(&a).is_err_and(|e| e.contains("no links")));
        let long = vec![File { name: "x".repeat(300), content: Content::Bytes(Vec::new(), false) }];
        assert!(tar_gz(&long, 1).is_err_and(|e| e.contains("too long")));
    }

    /// Programs of this system unpack them.
    #[test]
    fn they_are_unpacked() {
        let folder = std::env::temp_dir().join(format!("rtc-packed-{}", std::process::id()));
        let unpack = |name: &str, bytes: &[u8], program: &str, arguments: &[&str]| {
            let Some(program) = find_program(program) else { return rtc_oracles::skip::skip(format!("there is no `{program}`")) };
            let at = folder.join(name);
            _ = std::fs::remove_dir_all(&at);
            std::fs::create_dir_all(&at).expect("a folder");
            std::fs::write(at.join("archive"), bytes).expect("it is written");
            let done = Command::new(program).args(arguments).arg("archive").current_dir(&at).output().expect("it runs");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            for file in files() {
                let Content::Bytes(bytes, program) = file.content else { continue };
                let path = at.join(&file.name);
                assert_eq!(std::fs::read(&path).expect("it is there"), bytes, "{}", file.name);
                assert!(name == "zip-python" || rtc_oracles::programs::is_executable(&path) == program, "{}", file.name);
            }
        };
        let mut with_link = files();
        with_link.push(File { name: "rtc/lib/l".to_owned(), content: Content::Link("b".to_owned()) });
        unpack("tar", &tar_gz(&with_link, 1_700_000_000).expect("an archive"), "tar", &["xzf"]);
        let script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall('.')";
        unpack("zip-python", &zip(&files()).expect("an archive"), "python3", &["-c", script]);
        _ = std::fs::remove_dir_all(&folder);
    }
}
