//! Blocks in other languages than HLSL and the shell: data parses, and nothing that could be run is left out.

use crate::pages::{Block, blocks, pages};

fn check(b: &Block) -> Result<(), String> {
    match b.language.as_str() {
        "hlsl" | "console" | "sh" => Ok(()),
        "toml" => toml::from_str::<toml::Table>(&b.text).map(|_| ()).map_err(|e| e.to_string()),
        "json" => serde_json::from_str::<serde_json::Value>(&b.text).map(|_| ()).map_err(|e| e.to_string()),
        "text" | "lua" | "" => match b.text.lines().find(|l| l.starts_with("rtc ") || l.starts_with("$ rtc ")) {
            Some(line) => Err(format!("`{line}` is not run: the block is to be `sh` or `console`")),
            None => Ok(()),
        },
        other => Err(format!("no test knows the language `{other}`")),
    }
}

#[test]
fn other_blocks_are_what_they_say() {
    let all: Vec<Block> = pages().iter().flat_map(blocks).collect();
    let wrong: Vec<String> = all.iter().filter_map(|b| check(b).err().map(|e| format!("{}: {e}", b.at))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
