//! Options as a person writes them into a field: a text of words.

/// The arguments in a text: words between blanks; quotes keep blanks, and a backslash in quotes the next character.
///
/// # Errors
/// A quote does not end.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => word.extend(chars.next()),
                        Some(c) => word.push(c),
                        None => return Err("the options have a quote that does not end".into()),
                    }
                }
            }
            c if c.is_whitespace() => out.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_split_at_blanks() {
        let all = |text: &str| split(text).map(|words| words.join("|"));
        assert_eq!(all("  -T lib_6_6\t-DX=1 "), Ok("-T|lib_6_6|-DX=1".into()));
        assert_eq!(all(r#"-D"A B"=2 "" "a\"b\\c""#), Ok(r#"-DA B=2||a"b\c"#.into()));
        assert_eq!(all(""), Ok(String::new()));
        assert!(all("-D \"x").is_err());
        assert!(all("\"x\\").is_err());
    }
}
