//! Attributes: what each says, on what, in which stages; and the texts that they take.

use rtc_frontend::lex::Kind;
use rtc_tables::attributes::{self, AttributeOn};
use rtc_tables::stages::{Stage, StageMask};
use rtc_tables::vk_attributes::vk_attribute;

use crate::features::cursor::Cursor;

/// The attribute that a word names.
pub fn attribute(c: &Cursor<'_>, word: &str) -> Option<String> {
    if c.kind(0) == Some(Kind::ColonColon) && c.word(1) == "vk" && matches!(c.kind(2), Some(Kind::LBracket | Kind::Comma)) {
        let row = vk_attribute(word)?;
        return Some(format!("attribute `vk::{word}` of {}\n\n{}", row.what, row.about));
    }
    if c.kind(0) != Some(Kind::LBracket) {
        return None;
    }
    let row = attributes::attribute(word)?;
    let mut text = format!("attribute `{}` of {}, such as `[{}]`\n\n{}", row.name, row.on.what(), row.form, row.about);
    if row.on == AttributeOn::Function && !row.stages.contains(StageMask::ENTRIES) {
        let stages: Vec<&str> = row.stages.iter_stages().filter(|s| *s != Stage::Library).map(|s| s.info().name).collect();
        text += &format!("\n\nStages: {}", stages.join(", "));
    }
    if row.model > 0 {
        text += &format!("\n\nShader model 6.{}", row.model);
    }
    Some(text)
}

/// A text that the attribute takes.
pub fn text(attribute: &str, text: &str) -> Option<String> {
    if !attribute.eq_ignore_ascii_case("shader") {
        return None;
    }
    let stage = Stage::from_attribute(text)?;
    Some(format!("stage `{text}`\n\n{}\n\nShader model 6.{}", stage.about(), stage.info().model))
}
