//! The page: one HTML file with style, script and model in it, which loads nothing.

use crate::model::Model;

const TEMPLATE: &str = include_str!("../assets/page.html");
const STYLE: &str = concat!(include_str!("../assets/style.css"), include_str!("../assets/scene.css"));
const SCRIPT: &str = concat!(
    include_str!("../assets/explore.js"),
    include_str!("../assets/findings.js"),
    include_str!("../assets/scene.js"),
    include_str!("../assets/permutations.js"),
);

/// The page of a model. `live` is the version of the model that a server serves, which the page asks for changes; without, it stands alone.
pub fn page(model: &Model, live: Option<&str>) -> String {
    let title = model.name.replace('&', "&amp;").replace('<', "&lt;");
    let parts = [("{title}", title.as_str()), ("{style}", STYLE), ("{script}", SCRIPT)];
    let data = [("{live}", script_data(&live)), ("{model}", script_data(model))];
    let parts = parts.into_iter().chain(data.iter().map(|(name, text)| (*name, text.as_str())));
    // Each part is put in where its name is in the template, whatever the parts before it contain.
    let mut out = String::with_capacity(1 << 16);
    let mut rest = TEMPLATE;
    for (name, text) in parts {
        let Some((before, after)) = rest.split_once(name) else { continue };
        out.push_str(before);
        out.push_str(text);
        rest = after;
    }
    out + rest
}

/// JSON that may be in a `script` element: nothing in it ends the element.
fn script_data(value: &impl serde::Serialize) -> String {
    // The model is strings, numbers and lists of them, which JSON has.
    serde_json::to_string(value).unwrap_or_default().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_has_each_part_once_and_in_order() {
        let places: Vec<usize> = ["{title}", "{style}", "{script}", "{live}", "{model}"]
            .iter()
            .map(|name| {
                assert_eq!(TEMPLATE.matches(name).count(), 1, "{name}");
                TEMPLATE.find(name).expect("it is there")
            })
            .collect();
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn no_source_ends_the_script() {
        assert_eq!(script_data(&"</script><!--"), "\"\\u003c/script>\\u003c!--\"");
    }
}
