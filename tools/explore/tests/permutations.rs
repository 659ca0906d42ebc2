//! Permutations: filtered by words, found by their options.

use rtc_explore::{Permutation, Permutations, listed, to_run};

fn some() -> Vec<Permutation> {
    let of = |n: usize| Permutation {
        name: format!("blur:main [spirv] HALF={} RADIUS={n}", n % 2),
        arguments: ["-T", "cs_6_6", "-spirv", "-D", &format!("RADIUS={n}")].map(str::to_owned).to_vec(),
    };
    (0..5000).map(of).collect()
}

#[test]
fn thousands_are_filtered() {
    let all = some();
    let everything = listed(&all, "");
    assert_eq!((everything.matching, everything.list.len()), (5000, 200));
    let some = listed(&all, "radius=499 half=1");
    assert_eq!((some.matching, some.list[0].name.as_str()), (6, "blur:main [spirv] HALF=1 RADIUS=499"));
    assert_eq!(listed(&all, "none").matching, 0);
}

#[test]
fn the_chosen_one_is_found_by_its_options() {
    let all = some();
    let arguments = ["-T", "cs_6_6", "-D", "RADIUS=7"].map(str::to_owned);
    let p = Permutations::of(Some("rtc.toml".into()), &all, &arguments, Vec::new());
    assert_eq!((p.count, p.chosen), (5000, vec!["blur:main [spirv] HALF=1 RADIUS=7".to_owned()]));
}

#[test]
fn a_run_writes_no_files_of_its_options() {
    let words = |text: &str| text.split(' ').filter(|w| !w.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    for (given, kept) in [
        ("-T lib_6_9 -Fo a.dxil -D N=1", "-T lib_6_9 -D N=1"),
        ("-Foa.dxil /Fc x -Fh=y --report reorder,x.html -Od", "-Od"),
        ("-HV 2021 -HV2021 -H -M -MD -MFx -MF y -verify -I Fo", "-HV 2021 -HV2021 -I Fo"),
        ("-ftime-trace=t.json -ftime-trace -Gis -Fre", "-Gis"),
        ("-fspv-target-env=vulkan1.3 @more -WX", "-fspv-target-env=vulkan1.3 @more -WX"),
        ("", ""),
    ] {
        assert_eq!(to_run(&words(given)), words(kept), "{given}");
    }
}
