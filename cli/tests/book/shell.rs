//! Blocks of commands: they run in a folder with the files of their page, and print what the page says.

use std::path::Path;
use std::process::Command;

use crate::pages::{Block, Page, blocks, pages};

/// Runs one command, and gives what it prints and whether it succeeds.
fn run(command: &str, folder: &Path) -> (String, bool) {
    let rtc = Path::new(env!("CARGO_BIN_EXE_rtc")).parent().expect("a folder");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::join_paths([rtc.to_owned()].into_iter().chain(std::env::split_paths(&paths))).expect("they can be joined");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]).current_dir(folder).env("PATH", paths);
    shell.env("RTC_CACHE_DIR", folder.join("cache")).env_remove("RTC_CACHE_URL");
    let done = shell.output().expect("there is a shell");
    (String::from_utf8_lossy(&done.stdout).into_owned(), done.status.success())
}

/// Whether `text` is as `pattern` says: `...` is any text of a line; alone on a line, any lines.
fn matches(pattern: &[&str], text: &[&str]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ["...", rest @ ..] => (0..=text.len()).any(|n| matches(rest, &text[n..])),
        [line, rest @ ..] => text.first().is_some_and(|t| line_matches(line, t)) && matches(rest, &text[1..]),
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.trim_end().split("...");
    let Some(mut rest) = line.trim_end().strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

/// The commands of a block with what they print.
fn commands(block: &Block) -> Result<Vec<(String, Vec<&str>)>, String> {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push((command.to_owned(), Vec::new())),
            (None, Some(last)) => last.1.push(line),
            (None, None) => return Err("a console block begins with a command, after `$ `".into()),
        }
    }
    Ok(all)
}

/// Why this block cannot run on this machine.
fn missing(block: &Block) -> Option<String> {
    let has = |needed: &str| match needed {
        "run" => cfg!(feature = "run"),
        "cpu" => cfg!(feature = "cpu"),
        _ => panic!("{}: a block cannot need `{needed}`", block.at),
    };
    block.all("needs").find(|n| !has(n)).map(|n| format!("it needs the feature `{n}`"))
}

fn check_page(page: &Page, folder: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let all = blocks(page);
    for b in &all {
        for name in b.all("file") {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
            std::fs::write(path, &b.text).expect("a file can be written");
        }
    }
    for b in all.iter().filter(|b| ["console", "sh"].contains(&b.language.as_str())) {
        let unknown = b.others(&["needs", "file"]);
        assert!(unknown.is_empty(), "{}: unknown attributes {unknown:?}", b.at);
        if let Some(why) = missing(b) {
            rtc_oracles::skip::skip_named(&format!("commands_print_what_the_book_says {}", b.at), &why);
            continue;
        }
        if b.language == "sh" {
            for command in b.text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
                let (said, good) = run(command, folder);
                if !good {
                    wrong.push(format!("{}: `{command}` fails:\n{said}", b.at));
                }
            }
            continue;
        }
        for (command, expected) in commands(b).unwrap_or_else(|e| panic!("{}: {e}", b.at)) {
            let (said, good) = run(&command, folder);
            let lines: Vec<&str> = said.lines().collect();
            let says_error = expected.iter().any(|l| l.contains("error"));
            if !matches(&expected, &lines) || !good && !says_error {
                wrong.push(format!("{}: `{command}` prints\n{said}", b.at));
            }
        }
    }
    wrong
}

#[test]
fn commands_print_what_the_book_says() {
    let mut wrong = Vec::new();
    for page in pages() {
        let name = page.name.replace(['/', '.'], "-");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book").join(name);
        _ = std::fs::remove_dir_all(&folder);
        if page.text.contains("```console") || page.text.contains("```sh") {
            std::fs::create_dir_all(&folder).expect("a folder can be made");
            wrong.extend(check_page(&page, &folder));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn patterns() {
    assert!(matches(&["a", "..."], &["a", "b", "c"]) && matches(&["a", "..."], &["a"]) && matches(&["...", "c"], &["a", "c"]));
    assert!(!matches(&["a"], &["a", "b"]) && !matches(&["...", "b"], &["a"]) && !matches(&[], &["a"]));
    assert!(line_matches("a ... c", "a b c") && line_matches("...", "x") && !line_matches("a ... c", "a b") && !line_matches("a", "ab"));
}
