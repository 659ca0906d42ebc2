//! The command line of FileCheck.

/// What one invocation asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The file with the directives.
    pub check_file: String,
    /// The file to look at; standard input when `None`.
    pub input_file: Option<String>,
    /// Prefixes of directives; never empty.
    pub prefixes: Vec<String>,
    /// Patterns that may not occur between any two matches.
    pub implicit_check_not: Vec<String>,
    /// A pattern must match a whole line.
    pub match_full_lines: bool,
    /// Blanks are compared as they are.
    pub strict_whitespace: bool,
    /// Empty input is no error of its own.
    pub allow_empty: bool,
    /// A prefix without a directive is no error.
    pub allow_unused_prefixes: bool,
    /// Variables whose names do not begin with `$` end at each label.
    pub enable_var_scope: bool,
    /// Letters match in either case.
    pub ignore_case: bool,
    /// Text variables from the command line.
    pub defines: Vec<(String, String)>,
    /// Numeric variables from the command line, with the text of their values.
    pub numeric_defines: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            check_file: String::new(),
            input_file: None,
            prefixes: vec!["CHECK".to_string()],
            implicit_check_not: Vec::new(),
            match_full_lines: false,
            strict_whitespace: false,
            allow_empty: false,
            allow_unused_prefixes: false,
            enable_var_scope: false,
            ignore_case: false,
            defines: Vec::new(),
            numeric_defines: Vec::new(),
        }
    }
}

impl Options {
    /// Reads the arguments after the program's name. Flags take one dash or two, values follow after `=` or as the next
    /// argument.
    ///
    /// # Errors
    /// An unknown flag, a missing value, a prefix that is none, or not exactly one check file.
    pub fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut prefixes: Vec<String> = Vec::new();
        let mut check_file = None;
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            if let Some(definition) = arg.strip_prefix("-D").filter(|d| !d.is_empty()) {
                options.define(definition)?;
                continue;
            }
            let Some(flag) = arg.strip_prefix("--").or_else(|| arg.strip_prefix('-')).filter(|f| !f.is_empty()) else {
                if check_file.replace(arg.clone()).is_some() {
                    return Err(format!("FileCheck: more than one check file: `{arg}`"));
                }
                continue;
            };
            let (name, joined) = flag.split_once('=').map_or((flag, None), |(n, v)| (n, Some(v.to_string())));
            let mut value = || {
                let value = joined.clone().or_else(|| rest.next().cloned());
                value.ok_or_else(|| format!("FileCheck: `{arg}` needs a value"))
            };
            match name {
                "check-prefix" | "check-prefixes" => prefixes.extend(value()?.split(',').map(|p| p.trim().to_string())),
                "implicit-check-not" => options.implicit_check_not.push(value()?),
                "input-file" => options.input_file = Some(value()?).filter(|f| f != "-"),
                "match-full-lines" => options.match_full_lines = switch(arg, joined.as_deref())?,
                "strict-whitespace" => options.strict_whitespace = switch(arg, joined.as_deref())?,
                "allow-empty" => options.allow_empty = switch(arg, joined.as_deref())?,
                "allow-unused-prefixes" => options.allow_unused_prefixes = switch(arg, joined.as_deref())?,
                "enable-var-scope" => options.enable_var_scope = switch(arg, joined.as_deref())?,
                "ignore-case" => options.ignore_case = switch(arg, joined.as_deref())?,
                _ => return Err(format!("FileCheck: unknown flag `{arg}`")),
            }
        }
        options.check_file = check_file.ok_or("FileCheck: no check file is given")?;
        if !prefixes.is_empty() {
            options.prefixes = prefixes;
        }
        for (index, prefix) in options.prefixes.iter().enumerate() {
            if !valid_prefix(prefix) {
                return Err(format!("FileCheck: `{prefix}` is not a prefix: a letter, then letters, digits, `-`, `_`"));
            }
            if options.prefixes[..index].contains(prefix) {
                return Err(format!("FileCheck: the prefix `{prefix}` is given twice"));
            }
        }
        Ok(options)
    }

    /// Takes `NAME=VALUE` or `#NAME=VALUE`.
    fn define(&mut self, definition: &str) -> Result<(), String> {
        let (name, value) = definition.split_once('=').ok_or_else(|| format!("FileCheck: `-D{definition}` has no `=`"))?;
        match name.strip_prefix('#') {
            Some(name) => self.numeric_defines.push((name.to_string(), value.to_string())),
            None => self.defines.push((name.to_string(), value.to_string())),
        }
        Ok(())
    }
}

/// The value of a flag that is on or off.
fn switch(arg: &str, value: Option<&str>) -> Result<bool, String> {
    match value {
        None | Some("true" | "1") => Ok(true),
        Some("false" | "0") => Ok(false),
        Some(_) => Err(format!("FileCheck: `{arg}` takes true or false")),
    }
}

fn valid_prefix(prefix: &str) -> bool {
    prefix.starts_with(|c: char| c.is_ascii_alphabetic()) && prefix.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}
