//! The reference of scenes, `docs/scenes.md`: each of its examples is a scene, and each of its tables has the keys that the parser knows.

use std::collections::BTreeSet;
use std::path::Path;

use rtc_host::scene::Scene;

/// A section about a table.
struct Section {
    /// The header of the table, as in `[images.NAME]`.
    header: String,
    example: String,
    keys: BTreeSet<String>,
}

/// The sections whose heading begins with the header of a table.
fn sections(text: &str) -> Vec<Section> {
    let mut out: Vec<Section> = Vec::new();
    for part in text.split("\n## ").skip(1) {
        let (heading, body) = part.split_once('\n').expect("a section has lines");
        let header = heading.split('`').nth(1).expect("a heading names its table").to_owned();
        let example = body.split("```toml\n").nth(1).and_then(|e| e.split("```").next()).expect("a section has an example").to_owned();
        let rows = body.lines().filter(|l| l.starts_with("| `")).filter_map(|l| l.split('|').nth(1));
        let keys = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
        out.push(Section { header, example, keys });
    }
    out
}

fn parse(example: &str) -> Result<Scene, String> {
    let has = |table: &str| example.lines().any(|l| l.starts_with(table));
    let mut text = example.to_owned();
    if !has("[shader]") {
        text += "[shader]\nsource = 'a.hlsl'\n";
    }
    if !has("[dispatch]") && !has("[images.") && !has("[[draw]]") {
        text += "[dispatch]\nsize = [4, 4]\n";
    }
    Scene::parse(Path::new("scene.toml"), &text).map_err(|e| e.to_string())
}

#[test]
fn every_table_has_the_keys_of_the_parser() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scenes.md")).expect("it is there");
    let first = text.split("```toml\n").nth(1).and_then(|e| e.split("```").next()).expect("the page begins with a scene");
    parse(first).unwrap_or_else(|e| panic!("{e}\n{first}"));
    let sections = sections(&text);
    assert!(sections.len() > 20, "{}", sections.len());
    for s in &sections {
        // A file that is not there is the only thing that an example may lack.
        if let Err(e) = parse(&s.example) {
            assert!(e.contains("x.glb"), "{}: {e}\n{}", s.header, s.example);
        }
        // Members of constants are names of the shaders.
        if s.header.starts_with("[constants.") {
            continue;
        }
        let begin = s.header.trim_end_matches(']').split('.').next().expect("a header has a name").to_owned();
        let levels = s.header.matches('.').count();
        let is_header =
            |l: &&str| l.starts_with(&begin) && l.matches('.').count() == levels && l.starts_with("[[") == s.header.starts_with("[[");
        let line = s.example.lines().find(is_header).unwrap_or_else(|| panic!("{}: the example has no such table", s.header));
        let example = s.example.replacen(line, &format!("{line}\nzzz = 1"), 1);
        let error = parse(&example).err().unwrap_or_else(|| panic!("{}: `zzz` is a key", s.header));
        let known = error.split("known keys: ").nth(1).unwrap_or_else(|| panic!("{}: {error}", s.header));
        let known: BTreeSet<String> = known.lines().next().unwrap_or_default().split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let mut said = s.keys.clone();
        // Keys of the other form of a table are refused with another message.
        said.retain(|k| known.contains(k) || !s.example.contains("template") || k != "template");
        assert_eq!(said, known, "{}: left docs/scenes.md, right the parser", s.header);
    }
}

/// Every table that the parser takes at the top has a section.
#[test]
fn every_table_has_a_section() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scenes.md")).expect("it is there");
    let error = Scene::parse(Path::new("scene.toml"), "zzz = 1\n[shader]\nsource = 'a.hlsl'\n[dispatch]\nsize = [4, 4]\n")
        .expect_err("no such key");
    let error = error.to_string();
    let known = error.split("known keys: ").nth(1).expect("it lists the keys");
    for key in known.split('`').skip(1).step_by(2) {
        let section = [format!("## `[{key}]`"), format!("## `[{key}."), format!("## `[[{key}]]`")];
        assert!(section.iter().any(|s| text.contains(s.as_str())), "{key}");
    }
}
