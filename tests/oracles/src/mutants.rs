//! Mutants of the repository's own sources, for tests that damage programs.
//!
//! Sources of the samples and lit tests are split into words; a mutation drops, doubles, swaps or replaces some, or puts in a run of words
//! of another source. The number of a mutant determines it completely.

use std::path::Path;

use crate::artefacts::workspace_root;

/// One mutation in so many is gentle: a name for a name, a number for a number.
const GENTLE: usize = 40;

/// A small generator of numbers.
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        // SplitMix64's finaliser: neighbouring seeds give unlike sequences.
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Random((z ^ (z >> 31)) | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
}

/// The words and signs of a text, each with the white space after it.
pub fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut start = 0;
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            0
        } else if c.is_whitespace() {
            1
        } else {
            2
        }
    };
    let mut last = 3;
    for (i, c) in text.char_indices() {
        let now = class(c);
        if i > start && (now == 2 || (now != last && now != 1)) {
            out.push(text[start..i].to_owned());
            start = i;
        }
        last = now;
    }
    out.push(text[start..].to_owned());
    out
}

/// A source.
pub struct Source {
    /// Its path, and which of the programs in the file it is.
    pub name: String,
    /// Its words.
    pub words: Vec<String>,
    /// Whether it is one compute shader.
    pub compute: bool,
    /// Whether it compiles.
    pub right: bool,
    /// Profiles that it may be compiled for, with the entry point: those of its first lines and, for functions with `[shader("…")]`, those of
    /// their stages. Never empty.
    pub profiles: Vec<(String, String)>,
}

/// The profile's prefix of each stage that is an attribute of a function and has a profile of its own.
const STAGES: [(&str, &str, u32); 8] = [
    ("vertex", "vs", 0),
    ("pixel", "ps", 0),
    ("geometry", "gs", 0),
    ("hull", "hs", 0),
    ("domain", "ds", 0),
    ("compute", "cs", 0),
    ("mesh", "ms", 5),
    ("amplification", "as", 5),
];

/// The functions of a text with an attribute `[shader("…")]` of one of [`STAGES`].
fn entries(text: &str) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices("[shader(\"") {
        let Some((stage, mut rest)) = text[at + 9..].split_once('"') else { continue };
        let Some(stage) = STAGES.iter().position(|s| s.0 == stage) else { continue };
        // After the attribute, and others, comes the type; the name is before the parenthesis.
        while let Some(end) = rest.find(']') {
            rest = rest[end + 1..].trim_start();
            if !rest.starts_with('[') {
                break;
            }
        }
        let Some((head, _)) = rest.split_once('(') else { continue };
        if let Some(name) = head.split_whitespace().next_back()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            out.push((stage, name.to_owned()));
        }
    }
    out
}

/// The profiles that a text names, as in [`Source::profiles`].
fn profiles(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut newest = 3;
    for line in text.lines().filter(|l| l.starts_with("// RUN") || l.starts_with("// rtc ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |flag: &str| words.windows(2).find(|w| w[0] == flag).map(|w| w[1]);
        if let Some(profile) = after("-T").filter(|p| p.contains("_6_")) {
            newest = newest.max(profile.rsplit('_').next().and_then(|n| n.parse().ok()).unwrap_or(0));
            out.push((profile.to_owned(), after("-E").unwrap_or("main").to_owned()));
        }
    }
    for (stage, name) in entries(text) {
        let (_, prefix, least) = STAGES[stage];
        out.push((format!("{prefix}_6_{}", newest.max(least)), name));
    }
    if out.is_empty() {
        out.push(("lib_6_6".to_owned(), "main".to_owned()));
    }
    out.sort();
    out.dedup();
    out
}

/// What sort of word this is: a mutant in which a name stands for a name and a number for a number often compiles.
fn sort(word: &str) -> u32 {
    match word.trim_end().chars().next() {
        Some(c) if c.is_ascii_digit() => 0,
        Some(c) if c.is_alphabetic() || c == '_' => 1,
        Some('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>') => 2,
        Some(c) => c as u32,
        None => u32::MAX,
    }
}

/// A file that sources include: its name and its text.
pub type Header = (String, String);

/// The sources of the samples and lit tests that are small enough to be mutated often, and the headers that they include.
///
/// # Panics
/// The folders of the repository are not there.
pub fn sources() -> (Vec<Source>, Vec<Header>) {
    let root = workspace_root();
    let mut all = Vec::new();
    let mut headers = Vec::new();
    let mut folders = vec![root.join("samples"), root.join("lit-tests/tests"), root.join("compiler/tests/wrong")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.extension().and_then(|e| e.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("hlsl" | "hlsli") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(Path::new(&root)).unwrap_or(&path).display().to_string();
        if name.ends_with(".hlsli") {
            let short = name.rsplit_once("/Inputs/").map_or(name.as_str(), |n| n.1);
            headers.push((format!("Inputs/{short}"), text));
            continue;
        }
        // The pinned validator knows one stream, and refuses others.
        if name.ends_with("graphics/geometry_streams.hlsl") {
            continue;
        }
        // The checks are comments; a case of the corpus of wrong programs is a source of its own.
        let code: String =
            text.lines().filter(|l| !l.starts_with("// RUN") && !l.starts_with("// CHECK")).map(|l| format!("{l}\n")).collect();
        for (i, part) in code.split("// CASE ").enumerate() {
            if part.len() < 12_000 && part.contains('{') {
                let compute = text.contains("-T cs_6") && part.contains("numthreads");
                let right = !name.contains("/wrong/") && !name.contains("/errors/");
                let mut profiles = profiles(&text);
                profiles.retain(|(p, e)| p.starts_with("lib") || part.contains(e.as_str()));
                if profiles.is_empty() {
                    profiles.push(("lib_6_6".to_owned(), "main".to_owned()));
                }
                all.push(Source { name: format!("{name}#{i}"), words: words(part), compute, right, profiles });
            }
        }
    }
    assert!(all.len() > 100, "only {} sources", all.len());
    (all, headers)
}

/// A mutant of one of these sources: which, and its words.
pub fn mutant(r: &mut Random, all: &[Source]) -> (usize, Vec<String>) {
    let mut which = r.below(all.len());
    // What compiles takes a hundred times as long as what does not.
    let gentle = r.below(GENTLE) == 0;
    while gentle && !all[which].right {
        which = (which + 1) % all.len();
    }
    let mut words = all[which].words.clone();
    for _ in 0..1 + r.below(3) {
        if gentle { replace_alike(r, &mut words) } else { mutate(r, &mut words, |r| &all[r.below(all.len())].words) }
    }
    (which, words)
}

/// Replaces a word by another of its sort.
pub fn replace_alike(r: &mut Random, words: &mut [String]) {
    if words.is_empty() {
        return;
    }
    let (a, _) = (r.below(words.len()), r.below(words.len()));
    let kind = sort(&words[a]);
    let like: Vec<usize> = (0..words.len()).filter(|&i| sort(&words[i]) == kind).collect();
    words[a] = words[like[r.below(like.len())]].clone();
}

/// Drops, doubles, swaps or replaces words, or puts in some of another text.
pub fn mutate<'a>(r: &mut Random, words: &mut Vec<String>, other: impl FnOnce(&mut Random) -> &'a Vec<String>) {
    if words.is_empty() {
        return;
    }
    let (a, b) = (r.below(words.len()), r.below(words.len()));
    match r.below(6) {
        0 => _ = words.remove(a),
        1 => words.insert(a, words[b].clone()),
        2 => words.swap(a, b),
        3 => words[a] = words[b].clone(),
        4 => {
            let end = (a + 1 + r.below(8)).min(words.len());
            _ = words.drain(a..end);
        }
        _ => {
            let other = other(r);
            let from = r.below(other.len());
            let end = (from + 1 + r.below(12)).min(other.len());
            words.splice(a..a, other[from..end].iter().cloned());
        }
    }
}

/// Numbers that sizes, counts and offsets are mistaken for.
const INTERESTING: [u32; 10] = [0, 1, 2, 3, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX];

/// Damages bytes: bits, bytes and words, cuts, and pieces of another file.
pub fn mutate_bytes<'a>(r: &mut Random, bytes: &mut Vec<u8>, other: impl FnOnce(&mut Random) -> &'a [u8]) {
    if bytes.is_empty() {
        bytes.push(r.bits() as u8);
        return;
    }
    let at = r.below(bytes.len());
    match r.below(8) {
        0 => bytes[at] ^= 1 << r.below(8),
        1 => bytes[at] = r.bits() as u8,
        // The words of a file are mostly aligned, and those of its beginning say where everything is.
        2 | 3 => {
            let reach = if r.below(2) == 0 { bytes.len() } else { bytes.len().min(512) };
            let at = r.below(reach) & !3;
            let new = if r.below(4) == 0 { r.bits() as u32 } else { INTERESTING[r.below(INTERESTING.len())] };
            let new = new.to_le_bytes();
            for (to, from) in bytes[at..].iter_mut().zip(new) {
                *to = from;
            }
        }
        4 => {
            let at = at & !3;
            if let Some(word) = bytes.get(at..at + 4).and_then(|w| w.try_into().ok()) {
                let step = r.below(17) as u32;
                bytes[at..at + 4].copy_from_slice(&u32::from_le_bytes(word).wrapping_add(step).wrapping_sub(8).to_le_bytes());
            }
        }
        5 => bytes.truncate(at),
        6 => {
            let end = (at + 1 + r.below(64)).min(bytes.len());
            _ = bytes.drain(at..end);
        }
        _ => {
            let other = other(r);
            let from = r.below(other.len());
            let end = (from + 1 + r.below(64)).min(other.len());
            let to = at.min(bytes.len());
            if r.below(2) == 0 {
                bytes.splice(to..to, other[from..end].iter().copied());
            } else {
                let until = (to + end - from).min(bytes.len());
                bytes.splice(to..until, other[from..end].iter().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_make_the_text() {
        for text in ["", "a", "float4 x = a.b + 3.5f; // é\n", "\t\n  "] {
            assert_eq!(words(text).concat(), text);
        }
    }

    #[test]
    fn a_number_determines_its_mutant() {
        let (all, _) = sources();
        for number in 0..50 {
            let of = || mutant(&mut Random::new(number), &all);
            assert_eq!(of(), of());
        }
    }

    #[test]
    fn every_stage_is_a_profile_of_some_source() {
        let (all, _) = sources();
        let prefixes = STAGES.iter().map(|s| s.1).chain(["lib"]);
        for prefix in prefixes {
            assert!(all.iter().flat_map(|s| &s.profiles).any(|p| p.0.starts_with(prefix)), "{prefix}");
        }
        let text =
            "// rtc -T lib_6_5\n[shader(\"mesh\")] [numthreads(1, 1, 1)]\n[outputtopology(\"line\")] void Many(out vertices V v[2]) {}";
        assert_eq!(profiles(text), [("lib_6_5".to_owned(), "main".to_owned()), ("ms_6_5".to_owned(), "Many".to_owned())]);
    }

    #[test]
    fn bytes_of_any_length_are_damaged() {
        let other = [1u8, 2, 3];
        for number in 0..2000 {
            let mut r = Random::new(number);
            let mut bytes = vec![7; r.below(9)];
            mutate_bytes(&mut r, &mut bytes, |_| &other);
            assert!(bytes.len() < 80);
        }
    }
}
