//! The outer form of a root signature's text: a list of parts with known names and balanced parentheses. What is inside the parentheses is
//! checked where the root signature is encoded.

/// The parts of a root signature.
const PARTS: &[&str] = &[
    "RootFlags",
    "RootConstants",
    "CBV",
    "SRV",
    "UAV",
    "DescriptorTable",
    "StaticSampler",
];

/// Whether `text` has the form of a root signature; else why not.
pub fn check(text: &str) -> Result<(), String> {
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if !PARTS.iter().any(|p| p.eq_ignore_ascii_case(name)) {
            let shown: String = rest.chars().take(24).collect();
            return Err(format!(
                "`{}` is no part of a root signature",
                if name.is_empty() { &shown } else { name }
            ));
        }
        let after = after.trim_start();
        if !after.starts_with('(') {
            return Err(format!("`{name}` needs arguments in parentheses"));
        }
        let mut depth = 0u32;
        let mut close = None;
        for (i, c) in after.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => {
                    depth -= 1;
                    if depth == 0 {
                        close = Some(i + 1);
                        break;
                    }
                }
                _ => {}
            }
        }
        let Some(close) = close else {
            return Err(format!("the parenthesis after `{name}` is not closed"));
        };
        rest = after[close..].trim_start();
        if let Some(next) = rest.strip_prefix(',') {
            rest = next.trim_start();
        } else if !rest.is_empty() {
            return Err(format!("a comma is missing after `{name}(…)`"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn forms() {
        assert!(check("").is_ok());
        assert!(check("RootFlags(LOCAL_ROOT_SIGNATURE), CBV(b0, space=1)").is_ok());
        assert!(check("DescriptorTable(SRV(t0), UAV(u0)), StaticSampler(s0),").is_ok());
        assert!(check("root signature definition").is_err());
        assert!(check("CBV(b0").is_err());
        assert!(check("CBV(b0) SRV(t0)").is_err());
        assert!(check("CBV").is_err());
    }
}
