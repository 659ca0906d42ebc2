//! Built-in commands of the runner, so that tests do not depend on the programs of the system.
//!
//! | command | what it does |
//! |---|---|
//! | `FileCheck` | [`crate::filecheck`] |
//! | `snapshot FILE` | compares its input with the file; with `RTC_BLESS=1` writes the file instead |
//! | `echo [-n] WORD...`, `printf TEXT` | print; `printf` knows `\n`, `\t`, `\\` and `\xNN` |
//! | `repeat N TEXT` | prints the text so many times |
//! | `cat [FILE...]`, `head (-c\|-n) N` | pass on |
//! | `cmp A B`, `diff A B` | fail when the files differ |
//! | `count N` | fails unless its input has so many lines |
//! | `test [!] (-e\|-f\|-d\|-s) PATH` | exists, is a file, is a folder, is not empty |
//! | `ls DIR`, `mkdir [-p] DIR...`, `rm [-r] [-f] PATH...`, `cp A B`, `touch FILE...`, `cd DIR`, `true`, `false` | as everywhere |
//!
//! A `-` as a file name is the input.

use std::fs;
use std::path::Path;

use crate::filecheck::{self, Options, Text};

use super::context::{Output, Shell};

/// All names, for a message.
pub const NAMES: [&str; 18] = [
    "FileCheck",
    "snapshot",
    "not",
    "env",
    "echo",
    "printf",
    "repeat",
    "cat",
    "head",
    "cmp",
    "diff",
    "count",
    "test",
    "ls",
    "mkdir",
    "rm",
    "cp",
    "cd",
];

/// Lines of a difference that are shown on each side.
const DIFF_LINES: usize = 12;

/// The most that `repeat` prints.
const MAX_REPEAT: usize = 1 << 30;

/// What a command did: its status and output. `Err` is a wrong use, which ends the test.
type Done = Result<(i32, Output), String>;

/// Runs a built-in command; `None` when there is none of that name.
pub fn run(shell: &mut Shell<'_>, name: &str, args: &[String], input: &[u8]) -> Option<Done> {
    Some(match name {
        "FileCheck" => file_check(shell, args, input),
        "snapshot" => snapshot(shell, args, input),
        "echo" => Ok(echo(args)),
        "printf" => printf(args),
        "repeat" => repeat(args),
        "cat" => cat(shell, args, input),
        "head" => head(args, input),
        "cmp" | "diff" => compare(shell, args, input),
        "count" => count(args, input),
        "test" => test(shell, args),
        "ls" | "mkdir" | "rm" | "cp" | "touch" | "cd" => files(shell, name, args),
        "true" => Ok(said(0, "")),
        "false" => Ok(said(1, "")),
        _ => return None,
    })
}

/// A status with a message on stderr.
fn said(code: i32, message: &str) -> (i32, Output) {
    let err = if message.is_empty() { Vec::new() } else { format!("{message}\n").into_bytes() };
    (code, Output { out: Vec::new(), err })
}

fn printed(out: Vec<u8>) -> (i32, Output) {
    (0, Output { out, err: Vec::new() })
}

fn file_check(shell: &Shell<'_>, args: &[String], input: &[u8]) -> Done {
    let options = Options::parse(args)?;
    let read = |name: &str| {
        let bytes = fs::read(shell.path(name)).map_err(|e| format!("FileCheck: cannot read {name}: {e}"))?;
        Ok::<_, String>(Text::new(display_name(shell, name), &String::from_utf8_lossy(&bytes)))
    };
    let check = read(&options.check_file)?;
    let text = match &options.input_file {
        Some(name) => read(name)?,
        None => Text::new("<stdin>", &String::from_utf8_lossy(input)),
    };
    Ok(match filecheck::check(&options, &check, &text, shell.prefixes) {
        Ok(()) => said(0, ""),
        Err(report) => said(1, &report),
    })
}

/// A file name for messages: without the folder of the tests.
fn display_name(shell: &Shell<'_>, name: &str) -> String {
    let path = shell.path(name);
    match path.strip_prefix(&shell.paths.source_dir) {
        Ok(short) => short.display().to_string(),
        Err(_) => name.to_string(),
    }
}

fn snapshot(shell: &Shell<'_>, args: &[String], input: &[u8]) -> Done {
    let [name] = args else {
        return Err("`snapshot` takes one file".to_string());
    };
    let path = shell.path(name);
    // Snapshots have `\n` line ends also where version control converts them.
    let expected = fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).replace("\r\n", "\n"));
    let actual = String::from_utf8_lossy(input).replace("\r\n", "\n");
    if expected.as_ref().is_ok_and(|expected| *expected == actual) {
        return Ok(said(0, ""));
    }
    if shell.bless {
        fs::write(&path, &actual).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        return Ok(said(0, ""));
    }
    let name = display_name(shell, name);
    let problem = match expected {
        Ok(expected) => format!("{name} differs:\n{}", difference(&expected, &actual)),
        Err(e) => format!("{name} cannot be read ({e}); the output is:\n{}", difference("", &actual)),
    };
    Ok(said(1, &format!("{problem}\nIf the new output is right, run the test again with RTC_BLESS=1 to rewrite the file.")))
}

fn echo(args: &[String]) -> (i32, Output) {
    let (newline, words) = match args.split_first() {
        Some((first, rest)) if first == "-n" => ("", rest),
        _ => ("\n", args),
    };
    printed(format!("{}{newline}", words.join(" ")).into_bytes())
}

fn printf(args: &[String]) -> Done {
    let [text] = args else {
        return Err("`printf` takes one text".to_string());
    };
    let mut out = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.extend(c.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        match chars.next() {
            Some('n') => out.push(b'\n'),
            Some('r') => out.push(b'\r'),
            Some('t') => out.push(b'\t'),
            Some('\\') => out.push(b'\\'),
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                let byte = u8::from_str_radix(&digits, 16);
                out.push(byte.map_err(|_| format!("`printf`: `\\x{digits}` is not a byte"))?);
            }
            other => {
                return Err(format!("`printf`: unknown escape `\\{}`", other.unwrap_or(' ')));
            }
        }
    }
    Ok(printed(out))
}

fn repeat(args: &[String]) -> Done {
    let [count, text] = args else {
        return Err("`repeat` takes a number and a text".to_string());
    };
    let times: usize = count.parse().map_err(|_| format!("`repeat`: `{count}` is not a number"))?;
    match times.checked_mul(text.len()) {
        Some(size) if size <= MAX_REPEAT => Ok(printed(text.repeat(times).into_bytes())),
        _ => Err(format!("`repeat` prints at most {MAX_REPEAT} bytes")),
    }
}

fn cat(shell: &Shell<'_>, args: &[String], input: &[u8]) -> Done {
    if args.is_empty() {
        return Ok(printed(input.to_vec()));
    }
    let mut out = Vec::new();
    for name in args {
        match read(shell, name, input) {
            Ok(bytes) => out.extend(bytes),
            Err(e) => return Ok(said(1, &format!("cat: {e}"))),
        }
    }
    Ok(printed(out))
}

fn head(args: &[String], input: &[u8]) -> Done {
    let (flag, count) = match args {
        [flag, count] => (flag.as_str(), count.parse::<usize>().ok()),
        _ => ("", None),
    };
    let count = count.filter(|_| matches!(flag, "-c" | "-n")).ok_or("`head` takes `-c N` or `-n N`")?;
    let end = if flag == "-c" { count.min(input.len()) } else { input.split_inclusive(|b| *b == b'\n').take(count).map(<[u8]>::len).sum() };
    Ok(printed(input[..end].to_vec()))
}

fn compare(shell: &Shell<'_>, args: &[String], input: &[u8]) -> Done {
    let [a, b] = args else {
        return Err("`cmp` and `diff` take two files".to_string());
    };
    let (left, right) = match (read(shell, a, input), read(shell, b, input)) {
        (Ok(left), Ok(right)) => (left, right),
        (Err(e), _) | (_, Err(e)) => return Ok(said(2, &e)),
    };
    if left == right {
        return Ok(said(0, ""));
    }
    let at = left.iter().zip(&right).take_while(|(l, r)| l == r).count();
    let mut message = format!("{a} and {b} differ from byte {at} on ({} and {} bytes)", left.len(), right.len());
    if let (Ok(left), Ok(right)) = (std::str::from_utf8(&left), std::str::from_utf8(&right)) {
        message = format!("{message}\n{}", difference(left, right));
    }
    Ok(said(1, &message))
}

fn count(args: &[String], input: &[u8]) -> Done {
    let expected = match args {
        [expected] => expected.parse::<usize>().ok(),
        _ => None,
    };
    let expected = expected.ok_or("`count` takes a number")?;
    let lines = input.split_inclusive(|b| *b == b'\n').count();
    let wrong = format!("expected {expected} lines, found {lines}:\n{}", String::from_utf8_lossy(input));
    Ok(if lines == expected { said(0, "") } else { said(1, &wrong) })
}

fn test(shell: &Shell<'_>, args: &[String]) -> Done {
    let (negated, args) = match args.split_first() {
        Some((first, rest)) if first == "!" => (true, rest),
        _ => (false, args),
    };
    let [flag, name] = args else {
        return Err("`test` takes a flag and a path".to_string());
    };
    let meta = fs::metadata(shell.path(name)).ok();
    let holds = match flag.as_str() {
        "-e" => meta.is_some(),
        "-f" => meta.is_some_and(|m| m.is_file()),
        "-d" => meta.is_some_and(|m| m.is_dir()),
        "-s" => meta.is_some_and(|m| m.len() > 0),
        _ => return Err(format!("`test` does not know `{flag}`")),
    };
    let verdict = if negated { "holds" } else { "does not hold" };
    Ok(if holds != negated { said(0, "") } else { said(1, &format!("`{flag} {name}` {verdict}")) })
}

/// The commands that change or list files.
fn files(shell: &mut Shell<'_>, command: &str, args: &[String]) -> Done {
    let (flags, names): (Vec<&String>, Vec<&String>) = args.iter().partition(|a| a.starts_with('-') && a.len() > 1);
    let flag = |letter: char| flags.iter().any(|f| f.contains(letter));
    let allowed = match command {
        "mkdir" => "p",
        "rm" => "rf",
        _ => "",
    };
    if let Some(unknown) = flags.iter().find(|f| f[1..].contains(|c| !allowed.contains(c))) {
        return Err(format!("`{command}` does not know `{unknown}`"));
    }
    let result = match (command, &names[..]) {
        ("cp", [from, to]) => {
            let (from, mut to) = (shell.path(from), shell.path(to));
            if to.is_dir() {
                to.extend(from.file_name());
            }
            fs::copy(from, to).map(|_| ())
        }
        ("cd", [dir]) => {
            let dir = shell.path(dir);
            if !dir.is_dir() {
                return Ok(said(1, &format!("cd: {} is not a folder", dir.display())));
            }
            shell.cwd = dir;
            Ok(())
        }
        ("ls", [dir]) => match fs::read_dir(shell.path(dir)) {
            Ok(entries) => {
                let mut names: Vec<String> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
                names.sort();
                return Ok(printed(names.iter().flat_map(|n| [n.as_str(), "\n"]).collect::<String>().into_bytes()));
            }
            Err(e) => Err(e),
        },
        ("mkdir" | "rm" | "touch", [_, ..]) => names.iter().try_for_each(|name| {
            let path = shell.path(name);
            match command {
                "mkdir" if flag('p') => fs::create_dir_all(path),
                "mkdir" => fs::create_dir(path),
                "rm" if flag('f') && !path.exists() => Ok(()),
                "rm" if flag('r') && path.is_dir() => remove_tree(shell, &path),
                "rm" => fs::remove_file(path),
                _ => fs::OpenOptions::new().create(true).append(true).open(path).map(|_| ()),
            }
        }),
        _ => return Err(format!("`{command}` has the wrong number of names")),
    };
    Ok(match result {
        Ok(()) => said(0, ""),
        Err(e) => said(1, &format!("{command} {}: {e}", args.join(" "))),
    })
}

/// Removes a folder, but only inside the test's own.
fn remove_tree(shell: &Shell<'_>, path: &Path) -> std::io::Result<()> {
    let (path, own) = (path.canonicalize()?, shell.paths.temp_dir.canonicalize()?);
    if path == own || !path.starts_with(own) {
        return Err(std::io::Error::other("only folders inside the test's own may be removed"));
    }
    fs::remove_dir_all(path)
}

fn read(shell: &Shell<'_>, name: &str, input: &[u8]) -> Result<Vec<u8>, String> {
    if name == "-" {
        return Ok(input.to_vec());
    }
    fs::read(shell.path(name)).map_err(|e| format!("cannot read {name}: {e}"))
}

/// The lines in which two texts differ, between the lines that they share at the start and at the end.
fn difference(expected: &str, actual: &str) -> String {
    let (left, right): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let start = left.iter().zip(&right).take_while(|(l, r)| l == r).count();
    let shared_end = left[start..].iter().rev().zip(right[start..].iter().rev()).take_while(|(l, r)| l == r).count();
    let mut text = format!("from line {} on:", start + 1);
    for (sign, lines) in [("-", &left[start..left.len() - shared_end]), ("+", &right[start..right.len() - shared_end])] {
        for line in lines.iter().take(DIFF_LINES) {
            text.push_str(&format!("\n{sign} {line}"));
        }
        if lines.len() > DIFF_LINES {
            text.push_str(&format!("\n{sign} ... {} more lines", lines.len() - DIFF_LINES));
        }
    }
    if left == right {
        text.push_str("\n  only the line end at the end of the text differs");
    }
    text
}
