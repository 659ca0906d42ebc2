//! Reading is the inverse of printing, for modules of the reference compiler and of ours; what cannot be read says where.

use rtc_dxil_container::program::Program;
use rtc_dxil_container::{Container, FourCc};
use rtc_dxil_dis::module_text;
use rtc_dxil_module::bitcode;
use rtc_dxil_testing::corpus;

use rtc_dxil_asm::module;

/// The containers of the repository, and those of the folder that `RTC_CONTAINERS` names.
fn containers() -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = corpus::ALL.iter().map(|&(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
    if let Some(folder) = std::env::var_os("RTC_CONTAINERS") {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|e| e == "dxil") {
                all.push((path.display().to_string(), std::fs::read(&path).expect("a container")));
            }
        }
    }
    all
}

#[test]
fn listings_are_read_back() {
    let mut seen = 0;
    for (name, bytes) in &containers() {
        let Ok(container) = Container::parse(bytes) else { continue };
        let Some(part) = container.part(FourCc::DXIL) else { continue };
        let Ok(program) = Program::read("DXIL", &part.data) else { continue };
        let Ok(original) = bitcode::read(program.bitcode) else { continue };
        let text = module_text(&original);
        if text.contains("!dbg") || text.contains("!DI") {
            assert!(module(&text).is_err(), "{name}");
            continue;
        }
        let read = module(&text).unwrap_or_else(|e| panic!("{name}: {e}\n{}", text.lines().nth(e.line as usize - 1).unwrap_or("")));
        assert_eq!(module_text(&read), text, "{name}");
        // The bitcode of what was read says the same.
        let again = bitcode::read(&bitcode::write(&read)).expect("it is readable");
        assert_eq!(module_text(&again), text, "{name}");
        seen += 1;
    }
    assert!(seen > 3, "{seen} modules");
}

fn error(text: &str) -> String {
    module(text).expect_err("it is wrong").to_string()
}

#[test]
fn mistakes_have_lines() {
    for (text, message) in [
        ("define void @f() {\n  ret i32\n}", "line 3: `}` is no value"),
        ("define void @f() {\n  br label %x\n}", "line 2: there is no block `%x`"),
        ("define i32 @f() {\n  ret i32 %x\n}", "line 2: there is no `%x`"),
        ("define void @f() {\n  %5 = add i32 1, 2\n  ret void\n}", "line 2: the value `%5` should have the number 1"),
        ("define void @f() {\n  %x = add i32 1, 2\n  %x = add i32 1, 2\n  ret void\n}", "line 3: `%x` is defined twice"),
        ("define void @f() {\n  call void @g()\n  ret void\n}", "line 2: there is no `@g`"),
        (
            "declare void @g(i32)\ndefine void @f() {\n  call void @g()\n  ret void\n}",
            "line 3: `@g` has 1 parameters, 0 arguments are passed",
        ),
        ("@a = global %t zeroinitializer", "line 1: there is no type `%t`"),
        ("!x = !{!0}", "line 1: there is no metadata `!0`"),
        ("!x = !{!0}\n!0 = !{!0}", "line 2: `!0` refers to itself and is not distinct"),
        ("!x = !{!0}\n!0 = distinct !DICompileUnit(language: 1)", "line 2: debug information (`!DICompileUnit`) cannot be read as text"),
        ("target datalayout = \"e", "line 1: a string does not end"),
        ("define void @f()", "line 1: the text ends here"),
        ("define void @f() {\n  %a = fadd fast float 1.0, %b\n  %b = add i32 0, 0\n  ret void\n}", "line 2: `%b` has another type"),
        ("nonsense", "line 1: `nonsense` begins no item of a module"),
        ("&", "line 1: no token begins with `&`"),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    for text in [
        format!("@a = global {}i8{} zeroinitializer", "[1 x ".repeat(5000), "]".repeat(5000)),
        format!("@a = global i32 {}0", "bitcast (i32 ".repeat(5000)),
        (0..5000).map(|n| format!("!{n} = !{{!{}}}\n", n + 1)).collect::<String>() + "!5000 = !{}\n!x = !{!0}",
    ] {
        assert!(error(&text).ends_with("too deeply"), "{}", error(&text));
    }
}

#[test]
fn distinct_nodes_refer_to_themselves() {
    let text = "!x = !{!0}\n\n!0 = distinct !{!0, i32 1, null, !\"t\"}\n";
    assert_eq!(module_text(&module(text).expect("a module")).trim(), text.trim());
}
