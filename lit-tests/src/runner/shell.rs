//! The command language of RUN lines: a subset of a shell's.
//!
//! Words with single and double quotes and backslashes; pipes; `&&`, `||`, `;`; the redirections `<`, `>`, `>>`, `2>`, `2>>`,
//! `2>&1`, `>&2`, `&>`. No variables, patterns or substitutions of a shell: tests mean the same everywhere.

/// How a pipeline depends on the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joiner {
    /// Runs if that one succeeded (`&&`, and the first of a line).
    And,
    /// Runs if that one failed (`||`).
    Or,
    /// Runs in any case (`;`).
    Always,
}

/// Commands, each reading what the one before it writes. It fails when any of them does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pipeline {
    /// The commands, from first to last.
    pub commands: Vec<Command>,
}

/// One program with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments, before substitution.
    pub words: Vec<String>,
    /// Redirections, in order.
    pub redirects: Vec<Redirect>,
}

/// A redirection. File names are before substitution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Redirect {
    /// `< file`
    In(String),
    /// `> file`, or `>> file` when `append`
    Out {
        /// File name.
        file: String,
        /// Keep what is in the file.
        append: bool,
    },
    /// `2> file`, or `2>> file` when `append`
    Err {
        /// File name.
        file: String,
        /// Keep what is in the file.
        append: bool,
    },
    /// `2>&1`
    ErrToOut,
    /// `>&2`
    OutToErr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Operator(&'static str),
}

/// Operators; an earlier one that fits wins, so longer ones come first.
const OPERATORS: [&str; 13] = ["2>&1", "1>&2", "2>>", "2>", "1>", ">&2", "&>", ">>", "&&", "||", "|", ">", "<"];

/// Parses one line.
///
/// # Errors
/// What is wrong with it.
pub fn parse(line: &str) -> Result<Vec<(Joiner, Pipeline)>, String> {
    let mut list = Vec::new();
    let mut joiner = Joiner::And;
    let mut pipeline = Pipeline::default();
    let mut command = Command::default();
    let mut tokens = tokens(line)?.into_iter();
    while let Some(token) = tokens.next() {
        let operator = match token {
            Token::Word(word) => {
                command.words.push(word);
                continue;
            }
            Token::Operator(operator) => operator,
        };
        let mut file = || match tokens.next() {
            Some(Token::Word(file)) => Ok(file),
            _ => Err(format!("`{operator}` needs a file name")),
        };
        match operator {
            "<" => command.redirects.push(Redirect::In(file()?)),
            ">" | "1>" => command.redirects.push(Redirect::Out { file: file()?, append: false }),
            ">>" => command.redirects.push(Redirect::Out { file: file()?, append: true }),
            "2>" => command.redirects.push(Redirect::Err { file: file()?, append: false }),
            "2>>" => command.redirects.push(Redirect::Err { file: file()?, append: true }),
            "&>" => {
                command.redirects.push(Redirect::Out { file: file()?, append: false });
                command.redirects.push(Redirect::ErrToOut);
            }
            "2>&1" => command.redirects.push(Redirect::ErrToOut),
            ">&2" | "1>&2" => command.redirects.push(Redirect::OutToErr),
            "|" => end_command(&mut command, &mut pipeline)?,
            _ => {
                end_command(&mut command, &mut pipeline)?;
                list.push((joiner, std::mem::take(&mut pipeline)));
                joiner = match operator {
                    "&&" => Joiner::And,
                    "||" => Joiner::Or,
                    _ => Joiner::Always,
                };
            }
        }
    }
    // A line may end with `;`.
    let trailing = joiner == Joiner::Always && command == Command::default() && pipeline == Pipeline::default();
    if !trailing || list.is_empty() {
        end_command(&mut command, &mut pipeline)?;
        list.push((joiner, pipeline));
    }
    Ok(list)
}

fn end_command(command: &mut Command, pipeline: &mut Pipeline) -> Result<(), String> {
    if command.words.is_empty() {
        return Err("a command is missing".to_string());
    }
    pipeline.commands.push(std::mem::take(command));
    Ok(())
}

fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(tokens);
        }
        if let Some(after) = rest.strip_prefix(';') {
            tokens.push(Token::Operator(";"));
            rest = after;
        } else if let Some(operator) = OPERATORS.iter().find(|o| rest.starts_with(**o)) {
            tokens.push(Token::Operator(operator));
            rest = &rest[operator.len()..];
        } else {
            let (word, after) = word(rest)?;
            tokens.push(Token::Word(word));
            rest = after;
        }
    }
}

/// The word at the start of the text, and what follows it.
fn word(text: &str) -> Result<(String, &str), String> {
    let mut word = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            ' ' | '\t' | '|' | '>' | '<' | ';' => return Ok((word, &text[at..])),
            '&' if text[at..].starts_with("&&") || text[at..].starts_with("&>") => {
                return Ok((word, &text[at..]));
            }
            '&' => return Err("a single `&` is not supported".to_string()),
            '$' | '`' => return Err(format!("`{c}` outside single quotes is not supported")),
            '\'' => loop {
                match chars.next() {
                    Some((_, '\'')) => break,
                    Some((_, c)) => word.push(c),
                    None => return Err("a quote has no end".to_string()),
                }
            },
            '"' => loop {
                match chars.next() {
                    Some((_, '"')) => break,
                    Some((_, '\\')) => match chars.next() {
                        Some((_, c @ ('"' | '\\' | '$' | '`'))) => word.push(c),
                        Some((_, c)) => word.extend(['\\', c]),
                        None => return Err("a quote has no end".to_string()),
                    },
                    Some((_, c @ ('$' | '`'))) => {
                        return Err(format!("`{c}` outside single quotes is not supported"));
                    }
                    Some((_, c)) => word.push(c),
                    None => return Err("a quote has no end".to_string()),
                }
            },
            '\\' => match chars.next() {
                Some((_, c)) => word.push(c),
                None => return Err("a backslash has nothing after it".to_string()),
            },
            _ => word.push(c),
        }
    }
    Ok((word, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Vec<String>> {
        let list = parse(line).expect("parses");
        list.into_iter().flat_map(|(_, p)| p.commands).map(|c| c.words).collect()
    }

    #[test]
    fn splits_words_and_quotes() {
        assert_eq!(words(r#"a 'b c' "d \"e\" \n" f\ g -D'X=1 2'"#), [["a", "b c", "d \"e\" \\n", "f g", "-DX=1 2"]]);
        assert_eq!(words("a|b && c;d || e"), [["a"], ["b"], ["c"], ["d"], ["e"]]);
        assert_eq!(words("a '' \"\""), [["a", "", ""]]);
    }

    #[test]
    fn joins_pipelines() {
        let list = parse("a | b && c || d ; e").expect("parses");
        let joiners: Vec<Joiner> = list.iter().map(|(j, _)| *j).collect();
        assert_eq!(joiners, [Joiner::And, Joiner::And, Joiner::Or, Joiner::Always]);
        assert_eq!(list[0].1.commands.len(), 2);
        assert_eq!(parse("a;").expect("parses").len(), 1);
    }

    #[test]
    fn reads_redirections_in_order() {
        let list = parse("a <i >o 2>&1 x 2>>e >>p &>q >&2").expect("parses");
        let command = &list[0].1.commands[0];
        assert_eq!(command.words, ["a", "x"]);
        let out = |file: &str, append| Redirect::Out { file: file.to_string(), append };
        assert_eq!(
            command.redirects,
            [
                Redirect::In("i".to_string()),
                out("o", false),
                Redirect::ErrToOut,
                Redirect::Err { file: "e".to_string(), append: true },
                out("p", true),
                out("q", false),
                Redirect::ErrToOut,
                Redirect::OutToErr
            ]
        );
        // A digit that ends a word is no file descriptor.
        assert_eq!(parse("echo a2>o").expect("parses")[0].1.commands[0].words, ["echo", "a2"]);
    }

    #[test]
    fn rejects_what_it_does_not_know() {
        for line in ["", "a |", "| a", "a && ", "a >", "a 'b", "a \"b", "a &", "echo $HOME", "echo `a`", "a > | b", "; a", "a \\"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
