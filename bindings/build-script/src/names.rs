//! Names of HLSL and of files as names of Rust.

/// Words that cannot be names, even with `r#`.
const RESERVED: &[&str] = &["self", "super", "crate", "Self", "_"];

/// Keywords, which can be names with `r#`.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern", "false",
    "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// The name of a module: lower case, words separated by `_`.
pub fn snake(name: &str) -> String {
    let word = words(name).to_ascii_lowercase();
    if RESERVED.contains(&word.as_str()) {
        return format!("{word}_");
    }
    if KEYWORDS.contains(&word.as_str()) { format!("r#{word}") } else { word }
}

/// The name of a constant: upper case.
pub fn constant(name: &str) -> String {
    words(name).to_ascii_uppercase()
}

/// Letters, digits and `_`, with a `_` before each word that begins with an upper case letter.
fn words(name: &str) -> String {
    let mut out = String::new();
    let mut last = '_';
    let mut letters = name.chars().peekable();
    while let Some(c) = letters.next() {
        let kept = if c.is_ascii_alphanumeric() { c } else { '_' };
        let begins = kept.is_ascii_uppercase()
            && (last.is_ascii_lowercase()
                || last.is_ascii_digit()
                || last.is_ascii_uppercase() && letters.peek().is_some_and(char::is_ascii_lowercase));
        if begins && last != '_' {
            out.push('_');
        }
        if kept != '_' || last != '_' || out.is_empty() {
            out.push(kept);
        }
        last = kept;
    }
    let out = out.trim_end_matches('_');
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) { format!("_{out}") } else { out.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (from, module, number) in [
            ("Fill", "fill", "FILL"),
            ("viewProjection", "view_projection", "VIEW_PROJECTION"),
            ("HTTPServer2D", "http_server2_d", "HTTP_SERVER2_D"),
            ("a-b c", "a_b_c", "A_B_C"),
            ("2fast", "_2fast", "_2FAST"),
            ("type", "r#type", "TYPE"),
            ("self", "self_", "SELF"),
            ("ns::Main", "ns_main", "NS_MAIN"),
            ("", "_", "_"),
            ("\u{e9}", "_", "_"),
        ] {
            let module = if module == "_" { "__" } else { module };
            assert_eq!(snake(from), module, "{from}");
            assert_eq!(constant(from), number, "{from}");
        }
    }
}
