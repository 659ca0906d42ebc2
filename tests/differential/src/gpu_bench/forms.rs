//! The forms of a scene: what is measured against what.

use rtc_host::Scene;

/// A compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compiler {
    /// Ours.
    Rtc,
    /// The reference.
    Reference,
}

/// A form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// Its name in reports.
    pub name: &'static str,
    /// The compiler that makes it.
    pub compiler: Compiler,
    /// All options but the files.
    pub args: Vec<String>,
    /// Those of them that are not the scene's.
    own: &'static [&'static str],
}

impl Form {
    /// The options that make it differ from other forms.
    pub fn shown(&self) -> String {
        self.own.join(" ")
    }
}

/// Strict arithmetic, which the reference does not have in SPIR-V. It is a form, and no other form has it.
const STRICT: &str = "-Gis";
/// What a source calls its form without hit objects.
const TRACE_RAY: &str = "TRACE_RAY";

/// Forms of every scene.
const PLAIN: [(&str, Compiler, &[&str]); 8] = [
    ("rtc", Compiler::Rtc, &["-O3"]),
    ("reference", Compiler::Reference, &["-O3"]),
    (STRICT, Compiler::Rtc, &["-O3", STRICT]),
    ("-O2", Compiler::Rtc, &["-O2"]),
    ("-O1", Compiler::Rtc, &["-O1"]),
    ("-Od", Compiler::Rtc, &["-Od"]),
    ("converge", Compiler::Rtc, &["-O3", "-fspv-converge-traces=on"]),
    ("converge-auto", Compiler::Rtc, &["-O3", "-fspv-converge-traces=auto"]),
];

/// The same of a scene that has a form without hit objects.
const WITH_TRACE_RAY: [(&str, Compiler, &[&str]); 7] = [
    ("rtc", Compiler::Rtc, &["-O3", "-D", TRACE_RAY]),
    ("reference", Compiler::Reference, &["-O3", "-D", TRACE_RAY]),
    (STRICT, Compiler::Rtc, &["-O3", "-D", TRACE_RAY, STRICT]),
    ("-O2", Compiler::Rtc, &["-O2", "-D", TRACE_RAY]),
    ("-O1", Compiler::Rtc, &["-O1", "-D", TRACE_RAY]),
    ("-Od", Compiler::Rtc, &["-Od", "-D", TRACE_RAY]),
    ("traces", Compiler::Rtc, &["-O3", "-D", TRACE_RAY, "-fspv-wavefront"]),
];

/// Further forms of a scene with hit objects. One that this compiler does not know is left out with the compiler's message.
const HIT_OBJECTS: [(&str, Compiler, &[&str]); 8] = [
    ("lower", Compiler::Rtc, &["-O3", "-fspv-ser=lower"]),
    ("nv", Compiler::Rtc, &["-O3", "-fspv-ser=nv"]),
    ("nv-plain", Compiler::Rtc, &["-O3", "-fspv-ser=nv", "-fspv-ser-plain-outcomes"]),
    ("ext", Compiler::Rtc, &["-O3", "-fspv-ser=ext"]),
    ("ext-plain", Compiler::Rtc, &["-O3", "-fspv-ser=ext", "-fspv-ser-plain-outcomes"]),
    ("wavefront", Compiler::Rtc, &["-O3", "-fspv-ser=wavefront"]),
    // A package with the lowered form, those of the extensions and wavefront, of which the runtime keeps the fastest.
    ("auto", Compiler::Rtc, &["-O3", "-fspv-ser=auto"]),
    ("lower-Gis", Compiler::Rtc, &["-O3", "-fspv-ser=lower", STRICT]),
];

/// The highest shader model of libraries that the reference knows, and what it takes in place of a higher one.
const REFERENCE_KNOWS: (&str, [&str; 2]) = ("lib_6_7", ["lib_6_6", "-enable-payload-qualifiers"]);

/// The forms of a scene whose source is `text`. The first is what the others are compared with.
pub fn of(scene: &Scene, text: &str) -> Vec<Form> {
    let hit_objects = text.contains("HitObject");
    let plain = if hit_objects && text.contains(TRACE_RAY) { &WITH_TRACE_RAY[..] } else { &PLAIN[..] };
    let more = if hit_objects { &HIT_OBJECTS[..] } else { &[] };
    plain.iter().chain(more).map(|&(name, compiler, own)| Form { name, compiler, args: arguments(scene, compiler, own), own }).collect()
}

fn arguments(scene: &Scene, compiler: Compiler, own: &[&str]) -> Vec<String> {
    let shader = &scene.shader;
    let mut args: Vec<String> = vec!["-T".into(), shader.profile.clone(), "-spirv".into()];
    match compiler {
        Compiler::Rtc => {
            args.push("-no-warnings".into());
            let groups = &scene.overrides.hit_groups;
            args.extend(groups.iter().map(|g| format!("-hit-group={}={},{},{}", g.name, g.closest_hit, g.any_hit, g.intersection)));
        }
        // All profiles that the reference knows have one digit at the end.
        Compiler::Reference if shader.profile.as_str() > REFERENCE_KNOWS.0 => {
            args[1] = REFERENCE_KNOWS.1[0].into();
            args.push(REFERENCE_KNOWS.1[1].into());
        }
        Compiler::Reference => {}
    }
    args.extend(shader.defines.iter().flat_map(|d| ["-D".to_string(), d.clone()]));
    args.extend(shader.args.iter().filter(|a| *a != STRICT).cloned());
    args.extend(own.iter().map(|o| o.to_string()));
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn forms_depend_on_the_source() {
        let text = "[shader]\nsource = \"a.hlsl\"\nprofile = \"lib_6_9\"\ndefines = [\"X=1\"]\nargs = [\"-HV\", \"2021\", \"-Gis\"]\n[dispatch]\nsize = [1, 1]\n";
        let scene = Scene::parse(Path::new("s.toml"), text).expect("a scene");
        let names = |source: &str| of(&scene, source).iter().map(|f| f.name).collect::<Vec<_>>();
        assert_eq!(names(""), ["rtc", "reference", "-Gis", "-O2", "-O1", "-Od", "converge", "converge-auto"]);
        assert!(["lower", "wavefront", "auto"].iter().all(|n| names("dx::HitObject").contains(n)));
        assert!(!names("dx::HitObject").contains(&"traces"));
        let forms = of(&scene, "#ifdef TRACE_RAY\ndx::HitObject h;");
        assert_eq!(forms[0].args.join(" "), "-T lib_6_9 -spirv -no-warnings -D X=1 -HV 2021 -O3 -D TRACE_RAY");
        assert_eq!(forms[1].args.join(" "), "-T lib_6_6 -spirv -enable-payload-qualifiers -D X=1 -HV 2021 -O3 -D TRACE_RAY");
        assert_eq!(forms[2].shown(), "-O3 -D TRACE_RAY -Gis");
        assert!(forms.iter().any(|f| f.name == "traces" && f.shown() == "-O3 -D TRACE_RAY -fspv-wavefront"));
    }
}
