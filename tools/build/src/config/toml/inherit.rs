//! Inheritance of settings: a chain from a shader through its templates to the defaults.

use indexmap::IndexMap;

use super::did_you_mean;
use super::places::Mistake;
use super::settings::Settings;

/// The settings of a shader with all that it inherits.
///
/// # Errors
/// A template does not exist, or inherits from itself.
pub fn settle(shader: &str, own: &Settings, defaults: &Settings, templates: &IndexMap<String, Settings>) -> Result<Settings, Mistake> {
    let mut chain = vec![own];
    let mut at = vec!["shader", shader];
    let mut names: Vec<&str> = Vec::new();
    let mut next = &own.inherits;
    while let Some(name) = next {
        let Some((key, template)) = templates.get_key_value(name) else {
            let near = rtc_base::similar::nearest(name, templates.keys().map(String::as_str));
            at.push("inherits");
            return Err(Mistake::at(&at, format!("shader `{shader}`: there is no template `{name}`{}", did_you_mean(near))));
        };
        if names.contains(&key.as_str()) {
            at.push("inherits");
            let message = format!("shader `{shader}`: template `{name}` inherits from itself: {} → {name}", names.join(" → "));
            return Err(Mistake::at(&at, message));
        }
        names.push(key);
        at = vec!["template", key];
        chain.push(template);
        next = &template.inherits;
    }
    if defaults.inherits.is_some() {
        return Err(Mistake::at(&["defaults", "inherits"], "`defaults` cannot inherit; every template and shader inherits from it"));
    }
    Ok(chain.iter().rev().fold(defaults.clone(), |base, s| merged(base, s)))
}

/// The settings `base` with those of `s` over them.
fn merged(base: Settings, s: &Settings) -> Settings {
    fn nearest<T: Clone>(near: &Option<T>, far: Option<T>) -> Option<T> {
        near.clone().or(far)
    }
    fn both<T: Clone>(far: Vec<T>, near: &[T]) -> Vec<T> {
        far.into_iter().chain(near.iter().cloned()).collect()
    }
    fn by_name<T: Clone>(mut far: IndexMap<String, T>, near: &IndexMap<String, T>) -> IndexMap<String, T> {
        near.iter().for_each(|(name, value)| _ = far.insert(name.clone(), value.clone()));
        far
    }
    Settings {
        inherits: None,
        source: nearest(&s.source, base.source),
        profile: nearest(&s.profile, base.profile),
        model: nearest(&s.model, base.model),
        entry: nearest(&s.entry, base.entry),
        targets: nearest(&s.targets, base.targets),
        include_dirs: both(base.include_dirs, &s.include_dirs),
        options: both(base.options, &s.options),
        defines: by_name(base.defines, &s.defines),
        matrix: by_name(base.matrix, &s.matrix),
        exclude: both(base.exclude, &s.exclude),
        include: both(base.include, &s.include),
        outputs: nearest(&s.outputs, base.outputs),
        archive: nearest(&s.archive, base.archive),
        name: nearest(&s.name, base.name),
    }
}
