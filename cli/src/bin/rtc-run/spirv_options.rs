//! Options of the compiler that concern SPIR-V alone: a scene's arguments without them, for DXIL.

/// Those whose values are words of their own, and how many.
const SEPARATE: [(&str, usize); 10] = [
    ("fvk-b-shift", 2),
    ("fvk-t-shift", 2),
    ("fvk-s-shift", 2),
    ("fvk-u-shift", 2),
    ("fvk-bind-globals", 2),
    ("fvk-bind-resource-heap", 2),
    ("fvk-bind-sampler-heap", 2),
    ("fvk-bind-register", 4),
    ("vkbr", 4),
    ("fspv-max-id", 1),
];

/// The arguments that mean something for DXIL.
pub fn without(arguments: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let option = ["--", "-", "/"].iter().find_map(|dash| word.strip_prefix(dash)).unwrap_or_default();
        let name = option.split_once('=').map_or(option, |(name, _)| name);
        match SEPARATE.iter().find(|(known, _)| *known == name) {
            Some((_, count)) => words.by_ref().take(*count).for_each(drop),
            None if is_of_spirv(name) => {}
            None => out.push(word.clone()),
        }
    }
    out
}

fn is_of_spirv(name: &str) -> bool {
    ["fspv-", "fvk-"].iter().any(|family| name.starts_with(family))
        || ["spirv", "payload-layout", "payload-layout-file", "hit-group"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn options_go_with_their_values() {
        let words = |text: &str| text.split(' ').filter(|w| !w.is_empty()).map(str::to_string).collect::<Vec<_>>();
        for (given, kept) in [
            ("-Od -spirv -HV 2021", "-Od -HV 2021"),
            ("-payload-layout=packed -enable-payload-qualifiers", "-enable-payload-qualifiers"),
            ("--payload-layout-file=a.json /fspv-ser=lower -D spirv", "-D spirv"),
            ("-fvk-t-shift 10 all -fvk-bind-register t3 0 1 2 -Zi -vkbr t3 0 1 2", "-Zi"),
            ("-fvk-use-dx-layout -fspv-target-env=vulkan1.3 -hit-group=G=C -WX", "-WX"),
        ] {
            assert_eq!(without(&words(given)), words(kept), "{given}");
        }
    }
}
