//! The reader in C finds every object of an archive, and survives damage.

use std::process::Command;

use rtc_build::archive::archive;

const PROGRAM: &str = r#"
#include "rtc_archive.h"
#include <stdio.h>
#include <stdlib.h>
static unsigned char bytes[1 << 16];
int main(int argc, char **argv) {
    FILE *file = fopen(argv[1], "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file), n, cut;
    rtc_archive a;
    const void *object;
    int i;
    if (!rtc_archive_open(&a, bytes, size)) return 1;
    for (i = 2; i < argc; i++) {
        if (rtc_archive_find(&a, argv[i], &object, &n)) printf("%s: %.*s\n", argv[i], (int)n, (const char *)object);
        else printf("%s: none\n", argv[i]);
    }
    for (cut = 0; cut < size; cut++) {
        unsigned char *part = malloc(cut ? cut : 1);
        memcpy(part, bytes, cut);
        if (rtc_archive_open(&a, part, cut)) for (i = 2; i < argc; i++) rtc_archive_find(&a, argv[i], &object, &n);
        free(part);
    }
    return 0;
}
"#;

#[test]
fn objects_are_found_in_c() {
    let Some(compiler) =
        ["cc", "gcc", "clang"].into_iter().find(|c| Command::new(c).arg("--version").output().is_ok_and(|o| o.status.success()))
    else {
        return rtc_oracles::skip::skip("there is no C compiler");
    };
    let dir = std::env::temp_dir().join(format!("rtc-batch-c-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("the folder can be made");
    let (source, program, file) = (dir.join("read.c"), dir.join("read"), dir.join("a.rtca"));
    std::fs::write(&source, PROGRAM).expect("it can be written");
    std::fs::write(&file, archive(&[("a:main A=1", b"one"), ("a:main A=2", b"two"), ("b", b"two"), ("é", b"")]).expect("it is small"))
        .expect("it can be written");
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-O1", "-I", include, "-o"];
    let built = Command::new(compiler).args(flags).args([&program, &source]).output().expect("it runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let keys = ["a:main A=1", "a:main A=2", "b", "é", "c", ""];
    let ran = Command::new(&program).arg(&file).args(keys).output().expect("it runs");
    assert!(ran.status.success());
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "a:main A=1: one\na:main A=2: two\nb: two\né: \nc: none\n: none\n");
    std::fs::remove_dir_all(&dir).expect("it can be removed");
}
