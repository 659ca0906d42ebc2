//! The option syntax of dxc: arguments become options with values, and files.
//!
//! dxc writes `-T lib_6_6`, `-Tlib_6_6`, `/T lib_6_6`, `-fspv-target-env=vulkan1.3`, `@arguments.txt`. The table [`FLAGS`] states how
//! each option takes its value. What the options mean is not here.

use super::error::{ArgumentError, ArgumentErrorKind, Result};
use super::files::{ArgumentFiles, reason};
use super::flags::{Effect, FLAGS, Flag, Given, Support, Takes};
use crate::options::{Argument, Options};

/// One argument after its values were joined to it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Item {
    /// An option, by its index in the table, with its values separated by spaces.
    Option(usize, String),
    /// A file.
    File(String),
    /// `--`: what follows are files.
    End,
    /// `-help` in one of its spellings.
    Help,
    /// `-version`.
    Version,
}

/// Arguments as options and files. Options are those of the table, and none of them is refused.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Arguments {
    items: Vec<Item>,
}

/// What is requested instead of any work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Query {
    Help,
    Version,
}

impl Arguments {
    /// Response files are expanded, by the rules that Windows has for command lines: see [`words`].
    ///
    /// # Errors
    /// An unknown option (with the nearest known one), a missing value, a response file that cannot be read or
    /// includes itself; an option that is refused, with the reason.
    pub fn parse(args: &[String], files: &mut dyn ArgumentFiles) -> Result<Self> {
        let mut flat = Vec::new();
        for a in args {
            expand(a, &mut flat, 0, files)?;
        }
        let mut items = Vec::new();
        let mut rest = flat.into_iter();
        while let Some(arg) = rest.next() {
            if arg == "--" {
                items.push(Item::End);
                items.extend(rest.by_ref().map(Item::File));
                break;
            }
            let name = match arg.strip_prefix('-') {
                Some("") => {
                    items.push(Item::File(arg));
                    continue;
                }
                Some(n) => n.strip_prefix('-').unwrap_or(n),
                None => match arg.strip_prefix('/') {
                    // `/T` is an option unless a file has this name. A path has a further separator or an extension.
                    Some(n) if !n.is_empty() && !files.exists(&arg) && (split(n).is_some() || !n.contains(['/', '.'])) => n,
                    _ => {
                        items.push(Item::File(arg));
                        continue;
                    }
                },
            };
            match name {
                "help" | "h" | "?" => items.push(Item::Help),
                "version" => items.push(Item::Version),
                _ => items.push(option(&arg, name, &mut rest)?),
            }
        }
        Ok(Arguments { items })
    }

    /// The first request for help or the version.
    pub fn query(&self) -> Option<Query> {
        self.items.iter().find_map(|i| match i {
            Item::Help => Some(Query::Help),
            Item::Version => Some(Query::Version),
            _ => None,
        })
    }

    /// The files in order.
    pub fn files(&self) -> Vec<&str> {
        self.items.iter().filter_map(|i| if let Item::File(f) = i { Some(f.as_str()) } else { None }).collect()
    }

    /// The options in order, with their values.
    fn options(&self) -> impl DoubleEndedIterator<Item = (&'static Flag, &str)> {
        self.items.iter().filter_map(|i| if let Item::Option(n, v) = i { Some((&FLAGS[*n], v.as_str())) } else { None })
    }

    /// Each option sets its field.
    ///
    /// # Errors
    /// A value that the option does not take.
    pub fn apply(&self, o: &mut Options) -> Result<()> {
        for (flag, value) in self.options() {
            match flag.effect {
                Effect::Read => {}
                Effect::Set(set) => set(o),
                Effect::Value(set) => set(o, &Given { name: flag.name, value })?,
            }
        }
        Ok(())
    }

    /// The first option that has a property.
    pub fn first(&self, has: impl Fn(&Flag) -> bool) -> Option<&'static str> {
        self.options().map(|o| o.0).find(|f| has(f)).map(|f| f.name)
    }

    /// All values of an option.
    pub fn all<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
        self.options().filter(move |o| o.0.name == name).map(|o| o.1)
    }

    /// The last value of an option.
    pub fn last(&self, name: &str) -> Option<&str> {
        self.options().rfind(|o| o.0.name == name).map(|o| o.1)
    }

    /// Whether an option is present.
    pub fn has(&self, name: &str) -> bool {
        self.last(name).is_some()
    }

    /// The source, and the file that `-Po` writes: of several files, the last one is the source, but for the one after `-Po`.
    pub fn inputs(&self) -> (Option<&str>, Option<&str>) {
        let files = self.files();
        let is_po = |i: &Item| matches!(i, Item::Option(n, _) if FLAGS[*n].name == "Po");
        // The number of files before `-Po`, if one follows it.
        let at = self.items.iter().position(is_po).filter(|&at| matches!(self.items.get(at + 1), Some(Item::File(_))));
        let before = at.map(|at| self.items[..at].iter().filter(|i| matches!(i, Item::File(_))).count());
        let Some(n) = before.filter(|_| files.len() > 1) else { return (files.last().copied(), None) };
        let source = if n + 1 == files.len() { n.saturating_sub(1) } else { files.len() - 1 };
        (files.get(source).copied(), files.get(n).copied())
    }

    /// The last of two options, of which one undoes the other.
    pub fn on_or_off(&self, on: &str, off: &str) -> Option<bool> {
        self.options().rfind(|o| o.0.name == on || o.0.name == off).map(|o| o.0.name == on)
    }

    /// The files that are not the source.
    pub fn ignored_files(&self) -> Vec<&str> {
        let mut files = self.files();
        files.pop();
        files
    }

    /// Names and values for a PDB: a joined value is part of the name. Options that do not change the output are left out.
    pub fn recorded(&self) -> Vec<Argument> {
        let kept = self.options().filter(|o| !o.0.unrecorded);
        let argument = |(f, value): (&Flag, &str)| {
            let (name, value) = match f.takes {
                Takes::Joined => (format!("{}{value}", f.name), String::new()),
                Takes::OptionalEquals if value.is_empty() => (f.name.to_owned(), String::new()),
                Takes::Equals | Takes::OptionalEquals => (format!("{}={value}", f.name), String::new()),
                _ => (f.name.to_owned(), value.to_owned()),
            };
            Argument { name, value }
        };
        kept.map(argument).collect()
    }
}

/// The option of an argument, with values from the arguments after it.
fn option(arg: &str, name: &str, rest: &mut impl Iterator<Item = String>) -> Result<Item> {
    let Some((index, joined)) = split(name) else {
        return Err(ArgumentError::new(ArgumentErrorKind::UnknownOption, unknown(arg, name)));
    };
    let f = &FLAGS[index];
    if let Support::Refused(why) = f.support {
        return Err(ArgumentError::new(ArgumentErrorKind::Refused, format!("option `-{}` is not supported: {why}", f.name)));
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
        let Some(v) = rest.next() else {
            let message = format!("option `-{}` requires a value: {}", f.name, f.value);
            return Err(ArgumentError::new(ArgumentErrorKind::MissingValue, message));
        };
        values.push(v);
    }
    Ok(Item::Option(index, values.join(" ")))
}

/// Splits an argument without its dash into the option and a joined value.
fn split(text: &str) -> Option<(usize, Option<&str>)> {
    // The longest name wins, so that `-Fo` is never `-F` with a value.
    let mut best: Option<(usize, Option<&str>)> = None;
    for (index, f) in FLAGS.iter().enumerate() {
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
        if best.is_none_or(|b| FLAGS[b.0].name.len() < f.name.len()) {
            best = Some((index, value));
        }
    }
    best
}

/// The last value of an option that is written `-name=value`, in arguments that need not be valid.
pub(super) fn last_value(args: &[String], name: &str, files: &mut dyn ArgumentFiles) -> Option<String> {
    let mut flat = Vec::new();
    for a in args {
        // Response files that cannot be read are reported elsewhere.
        _ = expand(a, &mut flat, 0, files);
    }
    let value = |a: &String| {
        let rest = a.strip_prefix("--").or_else(|| a.strip_prefix(['-', '/']))?;
        rest.strip_prefix(name)?.strip_prefix('=').map(str::to_owned)
    };
    flat.iter().rev().find_map(value)
}

fn expand(arg: &str, out: &mut Vec<String>, depth: u32, files: &mut dyn ArgumentFiles) -> Result<()> {
    let fail = |message: String| Err(ArgumentError::new(ArgumentErrorKind::File, message));
    let Some(path) = arg.strip_prefix('@').filter(|p| !p.is_empty()) else {
        out.push(arg.to_owned());
        return Ok(());
    };
    if depth == 16 {
        return fail(format!("response file `{path}`: nested too deeply; does it include itself?"));
    }
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(e) => return fail(format!("cannot read response file `{path}`: {}", reason(&e))),
    };
    let text = rtc_frontend::lex::decode(&bytes).text;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for word in words(text).map_err(|why| ArgumentError::new(ArgumentErrorKind::File, format!("response file `{path}`: {why}")))? {
        expand(&word, out, depth + 1, files)?;
    }
    Ok(())
}

/// The words of a response file, by the rules that programs for Windows have for command lines, on every system: white space separates words, double
/// quotes protect it, `""` between quotes is a quote. Backslashes are characters, unless a quote follows them: then two of them are one, and a single
/// one makes the quote a character.
fn words(text: &str) -> std::result::Result<Vec<String>, String> {
    let (mut words, mut word, mut quoted, mut any) = (Vec::new(), String::new(), false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                any = true;
                let mut count = 1;
                while chars.next_if_eq(&'\\').is_some() {
                    count += 1;
                }
                let before_quote = chars.peek() == Some(&'"');
                word.extend(std::iter::repeat_n('\\', if before_quote { count / 2 } else { count }));
                if before_quote && count % 2 == 1 {
                    word.extend(chars.next());
                }
            }
            '"' if quoted && chars.next_if_eq(&'"').is_some() => word.push('"'),
            '"' => (quoted, any) = (!quoted, true),
            c if c.is_whitespace() && !quoted => {
                if any {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => {
                word.push(c);
                any = true;
            }
        }
    }
    if quoted {
        let folder = if text.contains("\\\"") {
            r#"; a backslash before it makes it a character, as in `"C:\dir\"`: write `"C:\dir\\"`"#
        } else {
            ""
        };
        return Err(format!("a quotation mark is not closed{folder}"));
    }
    words.extend(any.then_some(word));
    Ok(words)
}

fn unknown(arg: &str, name: &str) -> String {
    match rtc_base::similar::nearest(name, FLAGS.iter().map(|f| f.name)) {
        Some(near) => format!("unknown option `{arg}`; did you mean `-{near}`?"),
        None => format!("unknown option `{arg}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn norm(args: &[&str]) -> std::result::Result<Vec<String>, String> {
        let args: Vec<String> = args.iter().map(|s| s.to_string()).collect();
        let shown = |i: &Item| match i {
            Item::Option(n, _) if FLAGS[*n].takes == Takes::Nothing => format!("--{}", FLAGS[*n].name),
            Item::Option(n, v) => format!("--{}={v}", FLAGS[*n].name),
            Item::File(f) => f.clone(),
            other => format!("{other:?}"),
        };
        Arguments::parse(&args, &mut rtc_frontend::preprocess::Disk).map(|a| a.items.iter().map(shown).collect()).map_err(|e| e.to_string())
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
    fn response_files_have_the_rules_of_windows() {
        let of = |text: &str| words(text);
        let is = |text: &str, expected: &[&str]| assert_eq!(of(text).expect(text), expected, "{text}");
        is("-I C:\\inc\\ \r\n-Fo \"C:\\my out\\a.dxil\"", &["-I", r"C:\inc\", "-Fo", r"C:\my out\a.dxil"]);
        is(r#"-D T=\"a\" "-D T=\"b c\"""#, &["-D", r#"T="a""#, r#"-D T="b c""#]);
        is(r#""C:\dir\\" x\\\"y \\server\share"#, &[r"C:\dir\", r#"x\"y"#, r"\\server\share"]);
        is(r#""a ""b"" c" "" """""#, &[r#"a "b" c"#, "", "\""]);
        is("", &[]);
        let error = of(r#"-I "C:\dir\" a.hlsl"#).expect_err("the quote is a character");
        assert!(error.contains("not closed; a backslash before it makes it a character"), "{error}");
        assert_eq!(of("\"a").expect_err("it is open"), "a quotation mark is not closed");
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
    fn a_missing_response_file_is_no_such_file() {
        let error = norm(&["@/no/such/file.rsp"]).unwrap_err();
        assert_eq!(error, "cannot read response file `/no/such/file.rsp`: no such file or directory");
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
