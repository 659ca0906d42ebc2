//! The option syntax of dxc: its translation to the syntax of clap.
//!
//! dxc writes `-T lib_6_6`, `-Tlib_6_6`, `/T lib_6_6`, `-fspv-target-env=vulkan1.3`, `@arguments.txt`. The table [`FLAGS`] states how
//! each option takes its value, and the options are rewritten to what clap parses (`--T=lib_6_6`). So scripts for dxc work unchanged.

use std::path::Path;

use rtc::Argument;
use rtc::flags::{FLAGS, Flag, Support, Takes};

use crate::error::Result;

/// Splits an argument without its dash into the option and a joined value.
fn split(text: &str) -> Option<(&'static Flag, Option<&str>)> {
    // The longest name wins, so that `-Fo` is never `-F` with a value.
    let mut best: Option<(&'static Flag, Option<&str>)> = None;
    for f in FLAGS {
        let Some(rest) = text.strip_prefix(f.name) else { continue };
        let value = match f.takes {
            _ if rest.is_empty() && !matches!(f.takes, Takes::Joined | Takes::Equals) => None,
            // `"-HV 2021"` as one argument.
            Takes::JoinedOrSeparate | Takes::Separate | Takes::Two | Takes::Four if rest.starts_with(' ') => Some(rest.trim()),
            Takes::JoinedOrSeparate => Some(rest.strip_prefix('=').unwrap_or(rest)),
            Takes::Joined if !rest.is_empty() => Some(rest),
            Takes::Equals | Takes::OptionalEquals if rest.starts_with('=') => Some(&rest[1..]),
            _ => continue,
        };
        if best.is_none_or(|b| b.0.name.len() < f.name.len()) {
            best = Some((f, value));
        }
    }
    best
}

/// Rewrites the syntax of dxc to that of clap. Response files are expanded; in them, white space separates arguments and double quotes
/// protect it.
///
/// # Errors
/// An unknown option (with the nearest known one), a missing value, a response file that cannot be read or
/// includes itself; an option that is refused, with the reason.
pub fn normalise(args: &[String]) -> Result<Vec<String>> {
    let mut flat = Vec::new();
    for a in args {
        expand(a, &mut flat, 0)?;
    }
    let mut out = Vec::new();
    let mut i = 0;
    while i < flat.len() {
        let arg = &flat[i];
        i += 1;
        if arg == "--" {
            out.push(arg.clone());
            out.extend_from_slice(&flat[i..]);
            break;
        }
        let name = match arg.strip_prefix('-') {
            Some("") => {
                out.push(arg.clone());
                continue;
            }
            Some(n) => n.strip_prefix('-').unwrap_or(n),
            None => match arg.strip_prefix('/') {
                // `/T` is an option unless a file has this name. A path has a further separator or an extension.
                Some(n) if !n.is_empty() && !Path::new(arg).exists() && (split(n).is_some() || !n.contains(['/', '.'])) => n,
                _ => {
                    out.push(arg.clone());
                    continue;
                }
            },
        };
        if matches!(name, "help" | "h" | "?" | "version") {
            out.push(if name == "version" { "--version".into() } else { "--help".into() });
            continue;
        }
        let Some((f, joined)) = split(name) else {
            return Err(unknown(arg, name).into());
        };
        if let Support::Refused(why) = f.support {
            return Err(format!("option `-{}` is not supported: {why}", f.name).into());
        }
        let mut values: Vec<String> = match f.takes {
            Takes::Two | Takes::Four => joined.into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect(),
            _ => joined.map(str::to_owned).into_iter().collect(),
        };
        let count = match f.takes {
            Takes::OptionalEquals => values.len(),
            takes => takes.values(),
        };
        while values.len() < count {
            let Some(v) = flat.get(i) else {
                return Err(format!("option `-{}` requires a value: {}", f.name, f.value).into());
            };
            values.push(v.clone());
            i += 1;
        }
        match count {
            0 => out.push(format!("--{}", f.name)),
            _ => out.push(format!("--{}={}", f.name, values.join(" "))),
        }
    }
    Ok(out)
}

/// Options that name output files and do not change the output: a PDB does not record them.
const OUTPUT_OPTIONS: &[&str] =
    &["Fh", "Vn", "Fc", "Fi", "P", "Po", "v", "verbose", "M", "MD", "MF", "H", "Vi", "verify", "report", "nologo"];

/// The result of [`normalise`] as names and values for a PDB: a joined value is part of the name.
pub fn pairs(normal: &[String]) -> Vec<Argument> {
    let mut out = Vec::new();
    for arg in normal.iter().take_while(|a| *a != "--") {
        let Some(text) = arg.strip_prefix("--") else { continue };
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let Some(f) = FLAGS.iter().find(|f| f.name == name) else { continue };
        if OUTPUT_OPTIONS.contains(&name) {
            continue;
        }
        let (name, value) = match f.takes {
            Takes::Joined => (format!("{name}{value}"), String::new()),
            Takes::Equals | Takes::OptionalEquals => (text.to_owned(), String::new()),
            _ => (name.to_owned(), value.to_owned()),
        };
        out.push(Argument { name, value });
    }
    out
}

fn expand(arg: &str, out: &mut Vec<String>, depth: u32) -> Result<()> {
    let Some(path) = arg.strip_prefix('@').filter(|p| !p.is_empty()) else {
        out.push(arg.to_owned());
        return Ok(());
    };
    if depth == 16 {
        return Err(format!("response file `{path}`: nested too deeply; does it include itself?").into());
    }
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read response file `{path}`: {e}"))?;
    let text = rtc::decode(&bytes).text;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (mut word, mut quoted, mut any) = (String::new(), false, false);
    for c in text.chars().chain([' ']) {
        match c {
            '"' => {
                quoted = !quoted;
                any = true;
            }
            c if c.is_whitespace() && !quoted => {
                if any {
                    expand(&std::mem::take(&mut word), out, depth + 1)?;
                }
                any = false;
            }
            c => {
                word.push(c);
                any = true;
            }
        }
    }
    if quoted { Err(format!("response file `{path}`: a quotation mark is not closed").into()) } else { Ok(()) }
}

fn unknown(arg: &str, name: &str) -> String {
    let near = FLAGS.iter().map(|f| (distance(f.name, name), f.name)).min();
    match near {
        Some((d, n)) if d <= 2 && d < n.len() => format!("unknown option `{arg}`; did you mean `-{n}`?"),
        _ => format!("unknown option `{arg}`"),
    }
}

/// Edit distance.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut last = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let cost = last + usize::from(ca != *cb);
            last = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(last + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn norm(args: &[&str]) -> std::result::Result<Vec<String>, String> {
        normalise(&args.iter().map(|s| s.to_string()).collect::<Vec<_>>()).map_err(|e| e.to_string())
    }

    #[test]
    fn joined_separate_and_slash_mean_the_same() {
        let want = ["--T=lib_6_3", "a.hlsl"];
        assert_eq!(norm(&["-T", "lib_6_3", "a.hlsl"]).unwrap(), want);
        assert_eq!(norm(&["-Tlib_6_3", "a.hlsl"]).unwrap(), want);
        assert_eq!(norm(&["/T", "lib_6_3", "a.hlsl"]).unwrap(), want);
        assert_eq!(norm(&["/Tlib_6_3", "a.hlsl"]).unwrap(), want);
    }

    #[test]
    fn the_longest_name_wins() {
        assert_eq!(norm(&["-Fox.dxil"]).unwrap(), ["--Fo=x.dxil"]);
        assert_eq!(norm(&["-WX", "-Wno-conversion"]).unwrap(), ["--WX", "--W=no-conversion"]);
        assert_eq!(norm(&["-HV", "2018", "-H"]).unwrap(), ["--HV=2018", "--H"]);
        assert_eq!(norm(&["-D", "A=1", "-DB"]).unwrap(), ["--D=A=1", "--D=B"]);
        assert_eq!(norm(&["-fvk-t-shift", "10", "all"]).unwrap(), ["--fvk-t-shift=10 all"]);
        assert_eq!(norm(&["-fspv-target-env=vulkan1.3"]).unwrap(), ["--fspv-target-env=vulkan1.3"]);
    }

    #[test]
    fn mistakes_are_named() {
        assert!(norm(&["-spirw"]).unwrap_err().contains("did you mean `-spirv`"));
        assert!(norm(&["-T"]).unwrap_err().contains("requires a value"));
        assert!(norm(&["@no/such/file"]).unwrap_err().contains("no/such/file"));
    }

    #[test]
    fn a_path_is_no_option() {
        assert_eq!(norm(&["/usr"]).unwrap().len(), 1);
        let file = std::env::temp_dir().join(format!("rtc-dialect-{}.rsp", std::process::id()));
        std::fs::write(&file, "-T lib_6_3\n  -D \"A B\"=1 @").unwrap();
        let got = norm(&[&format!("@{}", file.display())]).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(got, ["--T=lib_6_3", "--D=A B=1", "@"]);
    }

    #[test]
    fn an_option_and_its_values_can_be_one_argument() {
        assert_eq!(norm(&["-HV 2021"]).unwrap(), ["--HV=2021"]);
        assert_eq!(norm(&["-fvk-t-shift 10 0", "a.hlsl"]).unwrap(), ["--fvk-t-shift=10 0", "a.hlsl"]);
        assert_eq!(norm(&["-default-linkage external"]).unwrap(), ["--default-linkage=external"]);
    }

    #[test]
    fn options_are_refused_with_the_reason() {
        assert!(norm(&["-metal"]).unwrap_err().contains("`-metal` is not supported: rtc writes DXIL"));
        assert!(norm(&["/ast-dump"]).unwrap_err().contains("-emit-ir"));
        assert!(norm(&["/spirw"]).unwrap_err().contains("unknown option `/spirw`; did you mean `-spirv`"));
        assert_eq!(norm(&["/no/such/file.hlsl", "/a.hlsl"]).unwrap(), ["/no/such/file.hlsl", "/a.hlsl"]);
    }

    #[test]
    fn response_files_have_any_encoding() {
        let file = std::env::temp_dir().join(format!("rtc-dialect-wide-{}.rsp", std::process::id()));
        let text = "-D \u{e9}=1";
        for bytes in [
            text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
            [&[0xff, 0xfe], &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()[..]].concat(),
            text.bytes().collect(),
            ["\u{feff}", text].concat().into_bytes(),
        ] {
            std::fs::write(&file, bytes).unwrap();
            assert_eq!(norm(&[&format!("@{}", file.display())]).unwrap(), ["--D=\u{e9}=1"]);
        }
        std::fs::remove_file(&file).unwrap();
    }
}
