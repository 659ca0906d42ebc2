//! Options of the compiler that concern SPIR-V alone: a scene's arguments without them, for DXIL.

use rtc::flags::FLAGS;

/// The arguments that mean something for DXIL.
pub fn without(arguments: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let option = ["--", "-", "/"].iter().find_map(|dash| word.strip_prefix(dash)).unwrap_or_default();
        let (name, joined) = option.split_once('=').map_or((option, false), |(name, _)| (name, true));
        match FLAGS.iter().find(|f| f.name == name) {
            Some(f) if f.is_spirv() => {
                let separate = if joined || f.takes.joins() { 0 } else { f.takes.values() };
                words.by_ref().take(separate).for_each(drop);
            }
            _ => out.push(word.clone()),
        }
    }
    out
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
