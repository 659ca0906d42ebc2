//! A line of ShaderMake's configuration: words, braces, options.

use clap::Parser;

/// A line without braces.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub struct Line {
    /// The source, relative to the folder of sources.
    pub source: String,
    #[arg(short = 'T', long = "profile")]
    pub profile: String,
    #[arg(short = 'E', long = "entryPoint", default_value = "main")]
    pub entry: String,
    #[arg(short = 'D', long = "define")]
    pub defines: Vec<String>,
    #[arg(short = 'o', long = "output")]
    pub output: Option<String>,
    #[arg(short = 'O', long = "optimization")]
    pub optimization: Option<u32>,
    #[arg(short = 's', long = "outputSuffix")]
    pub suffix: Option<String>,
    #[arg(short = 'm', long = "shaderModel")]
    pub model: Option<String>,
    #[arg(long = "compilerOptionsDXIL", allow_hyphen_values = true)]
    pub options_dxil: Vec<String>,
    #[arg(long = "compilerOptionsSPIRV", allow_hyphen_values = true)]
    pub options_spirv: Vec<String>,
}

impl Line {
    /// Parses a line.
    ///
    /// # Errors
    /// An option is unknown or has no value, or there is no profile.
    pub fn parse(text: &str) -> Result<Self, String> {
        Line::try_parse_from(words(text)?).map_err(|e| message(&e))
    }
}

/// The message of an error of clap, without its usage.
pub(super) fn message(e: &clap::Error) -> String {
    let text = e.to_string();
    let first: Vec<&str> =
        text.lines().take_while(|l| !l.starts_with("Usage") && !l.starts_with("For more")).filter(|l| !l.is_empty()).collect();
    first.join(" ").trim_start_matches("error: ").to_owned()
}

/// The words of a line. Quotation marks group and are dropped.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            c => word.push(c),
        }
    }
    if quoted {
        return Err("a quotation mark is not closed".into());
    }
    words.extend((!word.is_empty()).then_some(word));
    Ok(words)
}

/// How many lines the braces of a line make.
pub fn count(text: &str) -> u128 {
    let mut total = 1u128;
    let mut rest = text;
    while let Some((inside, after)) = rest.split_once('{').and_then(|(_, r)| r.split_once('}')) {
        total = total.saturating_mul(inside.split(',').count() as u128);
        rest = after;
    }
    total
}

/// The lines that result when one of the values in each pair of braces is chosen; the last pair changes fastest.
///
/// # Errors
/// A brace is not closed.
pub fn expand(text: &str) -> Result<Vec<String>, String> {
    let Some((before, rest)) = text.split_once('{') else { return Ok(vec![text.to_owned()]) };
    let (inside, after) = rest.split_once('}').ok_or("`{` is not closed with `}`")?;
    let tails = expand(after)?;
    Ok(inside.split(',').flat_map(|value| tails.iter().map(move |tail| format!("{before}{value}{tail}"))).collect())
}
