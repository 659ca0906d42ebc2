//! Words and phrases that the code base has retired: a comment, a string literal or a name that has one is an error.
//!
//! The code speaks the language of compiler textbooks and of D3D12 and Vulkan (`docs/glossary.md`). Each row of [`PROSE`] and [`NAMES`]
//! says which word to write instead. A phrase is in it because a compiler has a term for what it means, never because it is plain English.
//! Rust files are split into tokens, so a phrase is found across the lines of a comment, and no name is mistaken for prose.
//!
//! `RTC_RETIRED=1` prints how often each word occurs in each folder, `RTC_RETIRED=passes/src` every finding below that path.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use rtc_tidy::{Kind, files, lex};

/// Paths that still have retired words, by their begin. The list only ever gets shorter.
const EXCUSED: &[&str] = &[];

/// Texts of others, which stay as they are.
const VERBATIM: &[&str] = &["common/tables/facts/"];

/// A retired phrase of comments, string literals and documents: words separated by blanks, `|` between alternatives for a word.
struct Phrase {
    words: &'static str,
    /// Where the phrase is followed by one of these words it means something else.
    unless: &'static [&'static str],
    instead: &'static str,
}

const fn phrase(words: &'static str, instead: &'static str) -> Phrase {
    Phrase { words, unless: &[], instead }
}

const fn unless(words: &'static str, unless: &'static [&'static str], instead: &'static str) -> Phrase {
    Phrase { words, unless, instead }
}

#[rustfmt::skip]
const PROSE: &[Phrase] = &[
    phrase("way|ways back", "back edge"),
    phrase("way|ways out", "exit, exit edge"),
    phrase("goes|go all ways", "is live on every transition"),
    phrase("on each way", "on each edge, on each transition"),
    phrase("in goes", "in stages"),
    phrase("each|every|this|next|last|first|another|one|a|per|same round", "iteration"),
    unless("rounds", &["to", "up", "down", "towards", "toward", "half", "it", "like", "as", "them", "and", "a", "the", "its", "each", "differently", "once", "off", "away", "numbers", "results"], "iterations"),
    phrase("take|takes|taken|taking stock", "snapshot"),
    phrase("doubles|floats and halves", "half-precision floats, `f16`"),
    phrase("halves of a|the pipeline|pipelines", "stages"),
    phrase("in two halves", "in two steps, as two instructions"),
    phrase("take|takes|taken|taking|took apart", "split, decompose (SROA)"),
    phrase("what is|was known", "facts, dataflow state, known bits, value range"),
    phrase("is|are known of", "facts about, dataflow state of"),
    phrase("until nothing changes", "to a fixpoint"),
    phrase("how often a|the loop|loops", "trip count"),
    phrase("computed|computes|compute|computing again", "recomputed, rematerialised"),
    phrase("moved before", "hoisted above, sunk below"),
    phrase("reads|moves place", "reads placement, reorders"),
];

/// How a retired name is compared with an identifier.
enum Match {
    /// The whole identifier.
    Whole,
    /// A word of it: `run_in_goes` has `goes`, `TakeStock` has `Stock`. Upper and lower case count.
    Word,
}

/// Retired identifiers.
#[rustfmt::skip]
const NAMES: &[(&str, Match, &str)] = &[
    ("READS_PLACE",  Match::Whole, "READS_PLACEMENT"),
    ("MOVES_PLACE",  Match::Whole, "REORDERS"),
    ("run_in_goes",  Match::Whole, "the pipeline's stages"),
    ("halves",       Match::Whole, "stages; for floats `f16`"),
    ("alive_in_halves", Match::Whole, "the transitions of split traces"),
    ("Stock",        Match::Word,  "Snapshot"),
    ("stock",        Match::Word,  "snapshot"),
    ("rooms",        Match::Word,  "allocas, scalarised allocas, stack slots"),
    ("Rooms",        Match::Word,  "allocas, scalarised allocas, stack slots"),
    ("MOST",         Match::Word,  "MAX"),
    ("rounds",       Match::Word,  "iterations"),
    ("Rounds",       Match::Word,  "iterations"),
    ("way_back",     Match::Whole, "back_edge"),
    ("ways",         Match::Word,  "paths, edges, transitions"),
    ("Ways",         Match::Word,  "paths, edges, transitions"),
    ("WAYS",         Match::Word,  "paths, edges, transitions"),
    ("behind",       Match::Word,  "after, dominated, pointee"),
    ("beside",       Match::Word,  "adjacent, other, extra"),
    ("mend",         Match::Word,  "fix"),
    ("twin",         Match::Word,  "counterpart"),
    ("judge",        Match::Word,  "check, validate"),
    ("judged",       Match::Word,  "checked, validated"),
    ("Judgement",    Match::Word,  "Validation, Report"),
    ("asked",        Match::Word,  "requested, queried, parsed"),
    ("Asked",        Match::Word,  "Request, Query, Directives"),
    ("nobody",       Match::Word,  "the subject"),
    ("somebody",     Match::Word,  "the subject"),
    ("who",          Match::Word,  "the subject"),
    ("Known",        Match::Whole, "Facts, State, KnownBits, ValueRange"),
    ("Made",         Match::Whole, "Output, Product, Built"),
    ("Found",        Match::Whole, "Finding, Match, Resolution"),
    ("Wrong",        Match::Whole, "Invalid, Error, Mismatch"),
    ("Look",         Match::Whole, "View"),
    ("Told",         Match::Whole, "Reported, Sizes, Spec"),
    ("Said",         Match::Whole, "Declared, Spec"),
    ("What",         Match::Whole, "Kind"),
    ("Twin",         Match::Whole, "Counterpart"),
];

/// A retired word at a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    file: String,
    line: usize,
    word: String,
    instead: &'static str,
    text: String,
}

/// The words of prose with their lines; a full stop or the like between two words is a word of its own, so that no phrase crosses it.
fn words(text: &str, first: usize) -> Vec<(String, usize)> {
    let mut out: Vec<(String, usize)> = Vec::new();
    for (line, text) in (first..).zip(text.split('\n')) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(rest.len());
            if len > 0 {
                out.push((rest[..len].to_lowercase(), line));
                rest = &rest[len..];
            } else {
                if ".,;:!?()`".contains(c) {
                    out.push((c.to_string(), line));
                }
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// Prose without what is between backticks, which is code.
fn without_code(text: &str) -> String {
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        match n % 2 {
            0 => out.push_str(part),
            // Lines stay what they are.
            _ => out.extend(std::iter::once('`').chain(part.chars().filter(|c| *c == '\n')).chain(['`'])),
        }
    }
    out
}

/// A phrase with the alternatives for each of its words.
type Pattern<'a> = (Vec<Vec<&'a str>>, &'a Phrase);

/// The phrases by their first word, each with the alternatives for each of its words.
static BY_FIRST_WORD: LazyLock<HashMap<&str, Vec<Pattern<'_>>>> = LazyLock::new(|| {
    let mut out: HashMap<&str, Vec<Pattern<'_>>> = HashMap::new();
    for p in PROSE {
        let pattern: Vec<Vec<&str>> = p.words.split(' ').map(|w| w.split('|').collect()).collect();
        pattern[0].iter().for_each(|&first| out.entry(first).or_default().push((pattern.clone(), p)));
    }
    out
});

/// Finds retired phrases in prose that begins at a line.
fn check_prose(text: &str, first: usize, found: &mut impl FnMut(usize, String, &'static str)) {
    let words = words(&without_code(text), first);
    for (n, (word, line)) in words.iter().enumerate() {
        for (pattern, p) in BY_FIRST_WORD.get(word.as_str()).into_iter().flatten() {
            let Some(window) = words.get(n..n + pattern.len()) else { continue };
            let matches = window.iter().zip(pattern).all(|((word, _), any)| any.contains(&word.as_str()));
            let next = words.get(n + pattern.len()).map_or("", |w| w.0.as_str());
            if matches && !p.unless.contains(&next) {
                let phrase: Vec<&str> = window.iter().map(|w| w.0.as_str()).collect();
                found(*line, phrase.join(" "), p.instead);
            }
        }
    }
}

/// The words of an identifier: `run_in_goes`, `takeStock`, `HIT_MOST`.
fn parts(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for part in name.split('_').filter(|p| !p.is_empty()) {
        let mut before_lower = false;
        for (n, c) in part.chars().enumerate() {
            if n == 0 || (c.is_uppercase() && before_lower) {
                out.push(String::new());
            }
            before_lower = c.is_lowercase();
            out.last_mut().expect("a word").push(c);
        }
    }
    out
}

/// The row of a retired identifier.
fn check_name(name: &str) -> Option<(&'static str, &'static str)> {
    let of = |(retired, how, instead): &'static (&'static str, Match, &'static str)| {
        let matches = match how {
            Match::Whole => name == *retired,
            Match::Word => name.contains(retired) && parts(name).iter().any(|p| p == retired),
        };
        matches.then_some((*retired, *instead))
    };
    NAMES.iter().find_map(of)
}

/// The retired words of a Rust file. Comments on lines after each other are one text.
fn check_rust(file: &str, text: &str) -> Vec<Finding> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    let mut add = |line: usize, word: String, instead| {
        let text = lines.get(line.saturating_sub(1)).map_or(String::new(), |l| l.trim().to_owned());
        out.push(Finding { file: file.to_owned(), line, word, instead, text });
    };
    let mut comment: Option<(usize, usize, String)> = None;
    for t in lex(text) {
        if t.kind == Kind::Comment {
            match &mut comment {
                Some((_, last, all)) if *last + 1 == t.line => {
                    all.push('\n');
                    all.push_str(t.text);
                    *last = t.line;
                }
                _ => {
                    if let Some((first, _, text)) = comment.take() {
                        check_prose(&text, first, &mut add);
                    }
                    comment = Some((t.line, t.line + t.text.matches('\n').count(), t.text.to_owned()));
                }
            }
            continue;
        }
        match t.kind {
            // An escaped line break in a literal continues the sentence.
            Kind::Str => check_prose(&t.text.replace("\\n", " . ").replace('\\', " "), t.line, &mut add),
            Kind::Ident => {
                if let Some((word, instead)) = check_name(t.text) {
                    add(t.line, word.to_owned(), instead);
                }
            }
            _ => {}
        }
    }
    if let Some((first, _, text)) = comment.take() {
        check_prose(&text, first, &mut add);
    }
    let stem = file.rsplit('/').next().and_then(|n| n.strip_suffix(".rs")).unwrap_or("");
    if let Some((word, instead)) = check_name(stem) {
        out.push(Finding { file: file.to_owned(), line: 0, word: word.to_owned(), instead, text: "the file's name".into() });
    }
    out
}

/// The retired words of a document in Markdown; code in backticks and fences is left out.
fn check_markdown(file: &str, text: &str) -> Vec<Finding> {
    let mut out = Vec::new();
    let (mut fenced, mut prose) = (false, String::new());
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        prose.push_str(if fenced || fence { "" } else { line });
        prose.push('\n');
    }
    let lines: Vec<&str> = text.lines().collect();
    check_prose(&prose, 1, &mut |line, word, instead| {
        let text = lines.get(line - 1).map_or("", |l| l.trim()).to_owned();
        out.push(Finding { file: file.to_owned(), line, word, instead, text });
    });
    out
}

/// The retired words in comments of shaders (`//`) and of IR text (`;`). Lines with a directive of lit tests (`RUN:`, `CHECK-NEXT:`) are left out.
fn check_comments(file: &str, text: &str, mark: &str) -> Vec<Finding> {
    let mut prose = String::new();
    for line in text.lines() {
        let comment = line.split_once(mark).map_or("", |(_, c)| c.trim_start_matches(['/', '!', '-', '=']));
        let directive = comment.trim_start().split_once(':').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "-_".contains(c))
        });
        // A line without comment ends the text.
        prose.push_str(if directive || comment.is_empty() { "." } else { comment });
        prose.push('\n');
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    check_prose(&prose, 1, &mut |line, word, instead| {
        let text = lines.get(line - 1).map_or("", |l| l.trim()).to_owned();
        out.push(Finding { file: file.to_owned(), line, word, instead, text });
    });
    out
}

/// Files that name retired words on purpose: this one, and the glossary, which says what replaces them.
const ABOUT: &[&str] = &["tests/tidy/tests/retired_words.rs", "docs/glossary.md"];

fn findings() -> Vec<Finding> {
    let rust = files("rs").into_iter().filter(|f| !ABOUT.contains(&f.0.as_str())).flat_map(|(f, t)| check_rust(&f, &t));
    let documents = files("md").into_iter().filter(|f| !ABOUT.contains(&f.0.as_str())).flat_map(|(f, t)| check_markdown(&f, &t));
    let mut out: Vec<Finding> = rust.chain(documents).collect();
    for (extension, mark) in [("hlsl", "//"), ("hlsli", "//"), ("lalrpop", "//"), ("rtir", ";")] {
        out.extend(files(extension).iter().flat_map(|(f, t)| check_comments(f, t, mark)));
    }
    out.retain(|f| !VERBATIM.iter().any(|v| f.file.starts_with(v)));
    out
}

/// The folder that counts are given for: two levels deep, or the file's name at the root.
fn folder(file: &str) -> String {
    let parts: Vec<&str> = file.split('/').collect();
    parts[..parts.len().saturating_sub(1).clamp(1, 3).min(parts.len())].join("/")
}

#[test]
fn no_retired_word_returns() {
    let all = findings();
    match std::env::var("RTC_RETIRED").as_deref() {
        Err(_) => {}
        Ok("1") => {
            let mut counts: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
            for f in &all {
                *counts.entry(folder(&f.file)).or_default().entry(&f.word).or_default() += 1;
            }
            for (folder, words) in &counts {
                let list: Vec<String> = words.iter().map(|(w, n)| format!("{w} {n}")).collect();
                println!("{folder}: {} ({})", words.values().sum::<usize>(), list.join(", "));
            }
            println!("{} in all", all.len());
        }
        Ok(prefix) => {
            let own: Vec<&Finding> = all.iter().filter(|f| f.file.starts_with(prefix)).collect();
            own.iter().for_each(|f| println!("{}:{}: `{}`: {} | {}", f.file, f.line, f.word, f.instead, f.text));
            println!("{} below {prefix}", own.len());
        }
    }
    let bad: Vec<String> = all
        .iter()
        .filter(|f| !EXCUSED.iter().any(|e| f.file.starts_with(e)))
        .map(|f| format!("{}:{}: `{}` is retired: {}\n    {}", f.file, f.line, f.word, f.instead, f.text))
        .collect();
    assert!(bad.is_empty(), "{} retired words:\n{}", bad.len(), bad.join("\n"));
}

/// The one type with this name is the IR's access path.
#[test]
fn place_names_one_type() {
    let mut found = Vec::new();
    for (file, text) in files("rs") {
        let tokens: Vec<_> = lex(&text).into_iter().filter(|t| t.kind == Kind::Ident).collect();
        let defines = |w: &[rtc_tidy::Token<'_>]| ["struct", "enum", "union", "type", "trait"].contains(&w[0].text) && w[1].text == "Place";
        found.extend(tokens.windows(2).filter(|w| defines(w)).map(|w| format!("{file}:{}", w[1].line)));
    }
    let others: Vec<&String> = found.iter().filter(|f| !f.starts_with("ir/src/entities.rs:")).collect();
    if std::env::var("RTC_RETIRED").is_ok() {
        others.iter().for_each(|f| println!("{f}: a type called `Place`"));
    }
    assert_eq!(found.len() - others.len(), 1, "{found:?}");
    let bad: Vec<&&String> = others.iter().filter(|f| !EXCUSED.iter().any(|e| f.starts_with(e))).collect();
    assert!(bad.is_empty(), "types called `Place`: {bad:?}");
}

#[test]
fn words_are_found_and_others_are_not() {
    let words = |text: &str| check_rust("x.rs", text).into_iter().map(|f| format!("{} {}", f.line, f.word)).collect::<Vec<_>>();
    assert_eq!(words("//! A way\n//! back.\n\n/// It runs until nothing changes.\nfn f() {}"), ["1 way back", "4 until nothing changes"]);
    assert_eq!(words("let s = \"the values are computed again\"; // in the next round"), ["1 computed again", "1 next round"]);
    assert_eq!(words("const MOST_WORK: u32 = 1; enum K { Wrong }\nfn run_in_goes() {}"), ["1 MOST", "1 Wrong", "2 run_in_goes"]);
    let clean = "/// Rounds to even; who wants this rounding, behind which `way back` nobody stands, the way. Back. NotFound stands for it.\nfn known(almost: OptLevel::Most) { NotFound; 'a'; '\\''; r#\"x\"#; }";
    assert_eq!(words(clean), Vec::<String>::new());
    assert_eq!(check_rust("a/rooms.rs", "//! X.").len(), 1);
    assert_eq!(check_comments("a.hlsl", "// CHECK: way out\nint x; // the way out\n// what is known\n", "//").len(), 2);
    assert_eq!(check_comments("a.lalrpop", "// The grammar.\nX = { \"way out\" }; // each round\n", "//").len(), 1);
    assert_eq!(check_markdown("a.md", "The way out.\n```\nway out\n```\n`way out` each round\n").len(), 2);
}
