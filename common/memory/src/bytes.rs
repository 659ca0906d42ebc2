//! `memcpy`, `memmove`, `memset`, `memcmp` and `bcmp` for programs that are linked with musl on x86-64.
//!
//! The C library musl starts a program in a third of the time of others, because it does not look at the processor first. Its functions for blocks of memory
//! are made for small code, though, and a compiler copies and compares a few bytes at a time, millions of times. These do so without a loop, in the
//! registers that every x86-64 processor has. A definition in the program takes precedence over the library's.
//!
//! A block of up to 128 bytes is read whole, from both ends at once, before anything is written; so blocks may overlap.

#[cfg(all(target_arch = "x86_64", target_os = "linux", any(target_env = "musl", test)))]
macro_rules! define {
    ($prefix:literal) => {
        std::arch::global_asm!(
            ".pushsection .text.hot.rtc_bytes,\"ax\",@progbits",
            // The blocks are rdi, rsi; the size is rdx.
            concat!(".globl ", $prefix, "memcpy"),
            concat!(".globl ", $prefix, "memmove"),
            concat!(".type ", $prefix, "memcpy, @function"),
            concat!(".type ", $prefix, "memmove, @function"),
            ".p2align 5",
            concat!($prefix, "memcpy:"),
            concat!($prefix, "memmove:"),
            "mov rax, rdi",
            "cmp rdx, 16",
            "jb 2f",
            "cmp rdx, 32",
            "ja 3f",
            "movups xmm0, [rsi]",
            "movups xmm1, [rsi + rdx - 16]",
            "movups [rdi], xmm0",
            "movups [rdi + rdx - 16], xmm1",
            "ret",
            // Fewer than 16 bytes.
            "2:",
            "cmp edx, 8",
            "jb 4f",
            "mov rcx, [rsi]",
            "mov r8, [rsi + rdx - 8]",
            "mov [rdi], rcx",
            "mov [rdi + rdx - 8], r8",
            "ret",
            "4:",
            "cmp edx, 4",
            "jb 5f",
            "mov ecx, [rsi]",
            "mov r8d, [rsi + rdx - 4]",
            "mov [rdi], ecx",
            "mov [rdi + rdx - 4], r8d",
            "ret",
            "5:",
            "test edx, edx",
            "jz 6f",
            "mov r9, rdx",
            "shr r9",
            "movzx ecx, byte ptr [rsi]",
            "movzx r8d, byte ptr [rsi + r9]",
            "movzx r10d, byte ptr [rsi + rdx - 1]",
            "mov [rdi], cl",
            "mov [rdi + r9], r8b",
            "mov [rdi + rdx - 1], r10b",
            "6:",
            "ret",
            // More than 32 bytes.
            "3:",
            "cmp rdx, 64",
            "ja 7f",
            "movups xmm0, [rsi]",
            "movups xmm1, [rsi + 16]",
            "movups xmm2, [rsi + rdx - 32]",
            "movups xmm3, [rsi + rdx - 16]",
            "movups [rdi], xmm0",
            "movups [rdi + 16], xmm1",
            "movups [rdi + rdx - 32], xmm2",
            "movups [rdi + rdx - 16], xmm3",
            "ret",
            "7:",
            "movups xmm4, [rsi]",
            "movups xmm5, [rsi + 16]",
            "movups xmm6, [rsi + 32]",
            "movups xmm7, [rsi + 48]",
            "movups xmm0, [rsi + rdx - 64]",
            "movups xmm1, [rsi + rdx - 48]",
            "movups xmm2, [rsi + rdx - 32]",
            "movups xmm3, [rsi + rdx - 16]",
            "cmp rdx, 128",
            "jbe 9f",
            "mov rcx, rdi",
            "sub rcx, rsi",
            "cmp rcx, rdx",
            "jb 8f",
            // Forwards, 64 bytes at a time, up to the last 64.
            "lea r8, [rdi + rdx - 64]",
            "mov r9, rdi",
            "22:",
            "movups xmm4, [rsi]",
            "movups xmm5, [rsi + 16]",
            "movups xmm6, [rsi + 32]",
            "movups xmm7, [rsi + 48]",
            "movups [r9], xmm4",
            "movups [r9 + 16], xmm5",
            "movups [r9 + 32], xmm6",
            "movups [r9 + 48], xmm7",
            "add rsi, 64",
            "add r9, 64",
            "cmp r9, r8",
            "jb 22b",
            "movups [r8], xmm0",
            "movups [r8 + 16], xmm1",
            "movups [r8 + 32], xmm2",
            "movups [r8 + 48], xmm3",
            "ret",
            // Backwards, down to the first 64, because the end of the source is overwritten first.
            "8:",
            "lea r9, [rdx - 64]",
            "23:",
            "movups xmm0, [rsi + r9]",
            "movups xmm1, [rsi + r9 + 16]",
            "movups xmm2, [rsi + r9 + 32]",
            "movups xmm3, [rsi + r9 + 48]",
            "movups [rdi + r9], xmm0",
            "movups [rdi + r9 + 16], xmm1",
            "movups [rdi + r9 + 32], xmm2",
            "movups [rdi + r9 + 48], xmm3",
            "sub r9, 64",
            "ja 23b",
            "movups [rdi], xmm4",
            "movups [rdi + 16], xmm5",
            "movups [rdi + 32], xmm6",
            "movups [rdi + 48], xmm7",
            "ret",
            "9:",
            "movups [rdi], xmm4",
            "movups [rdi + 16], xmm5",
            "movups [rdi + 32], xmm6",
            "movups [rdi + 48], xmm7",
            "movups [rdi + rdx - 64], xmm0",
            "movups [rdi + rdx - 48], xmm1",
            "movups [rdi + rdx - 32], xmm2",
            "movups [rdi + rdx - 16], xmm3",
            "ret",
            concat!(".size ", $prefix, "memcpy, . - ", $prefix, "memcpy"),
            // The block is rdi, the byte is esi; the size is rdx.
            concat!(".globl ", $prefix, "memset"),
            concat!(".type ", $prefix, "memset, @function"),
            ".p2align 5",
            concat!($prefix, "memset:"),
            "mov rax, rdi",
            "movzx esi, sil",
            "movabs r8, 0x0101010101010101",
            "imul r8, rsi",
            "cmp rdx, 16",
            "jb 2f",
            "movq xmm0, r8",
            "punpcklqdq xmm0, xmm0",
            "movups [rdi], xmm0",
            "movups [rdi + rdx - 16], xmm0",
            "cmp rdx, 32",
            "jbe 6f",
            "movups [rdi + 16], xmm0",
            "movups [rdi + rdx - 32], xmm0",
            "cmp rdx, 64",
            "jbe 6f",
            "movups [rdi + 32], xmm0",
            "movups [rdi + 48], xmm0",
            "movups [rdi + rdx - 64], xmm0",
            "movups [rdi + rdx - 48], xmm0",
            "cmp rdx, 128",
            "jbe 6f",
            "lea r8, [rdi + rdx - 64]",
            "22:",
            "add rdi, 64",
            "movups [rdi], xmm0",
            "movups [rdi + 16], xmm0",
            "movups [rdi + 32], xmm0",
            "movups [rdi + 48], xmm0",
            "lea r9, [rdi + 64]",
            "cmp r9, r8",
            "jb 22b",
            "6:",
            "ret",
            "2:",
            "cmp edx, 8",
            "jb 4f",
            "mov [rdi], r8",
            "mov [rdi + rdx - 8], r8",
            "ret",
            "4:",
            "cmp edx, 4",
            "jb 5f",
            "mov [rdi], r8d",
            "mov [rdi + rdx - 4], r8d",
            "ret",
            "5:",
            "test edx, edx",
            "jz 6b",
            "mov rcx, rdx",
            "shr rcx",
            "mov [rdi], r8b",
            "mov [rdi + rcx], r8b",
            "mov [rdi + rdx - 1], r8b",
            "ret",
            concat!(".size ", $prefix, "memset, . - ", $prefix, "memset"),
            // The blocks are rdi, rsi; the size is rdx.
            concat!(".globl ", $prefix, "memcmp"),
            concat!(".globl ", $prefix, "bcmp"),
            concat!(".type ", $prefix, "memcmp, @function"),
            concat!(".type ", $prefix, "bcmp, @function"),
            ".p2align 5",
            concat!($prefix, "memcmp:"),
            concat!($prefix, "bcmp:"),
            "cmp rdx, 16",
            "jb 2f",
            "xor ecx, ecx",
            "lea r8, [rdx - 16]",
            "22:",
            "movups xmm0, [rdi + rcx]",
            "movups xmm1, [rsi + rcx]",
            "pcmpeqb xmm0, xmm1",
            "pmovmskb eax, xmm0",
            "xor eax, 0xffff",
            "jnz 3f",
            "cmp rcx, r8",
            "je 6f",
            "add rcx, 16",
            "cmp rcx, r8",
            "cmova rcx, r8",
            "jmp 22b",
            "3:",
            "bsf eax, eax",
            "add rcx, rax",
            "movzx eax, byte ptr [rdi + rcx]",
            "movzx edx, byte ptr [rsi + rcx]",
            "sub eax, edx",
            "ret",
            "6:",
            "xor eax, eax",
            "ret",
            "2:",
            "cmp edx, 8",
            "jb 4f",
            "mov rax, [rdi]",
            "mov rcx, [rsi]",
            "cmp rax, rcx",
            "jne 5f",
            "mov rax, [rdi + rdx - 8]",
            "mov rcx, [rsi + rdx - 8]",
            "cmp rax, rcx",
            "je 6b",
            "5:",
            "bswap rax",
            "bswap rcx",
            "cmp rax, rcx",
            "sbb eax, eax",
            "or eax, 1",
            "ret",
            "4:",
            "cmp edx, 4",
            "jb 7f",
            "mov eax, [rdi]",
            "mov ecx, [rsi]",
            "cmp eax, ecx",
            "jne 8f",
            "mov eax, [rdi + rdx - 4]",
            "mov ecx, [rsi + rdx - 4]",
            "cmp eax, ecx",
            "je 6b",
            "8:",
            "bswap eax",
            "bswap ecx",
            "cmp eax, ecx",
            "sbb eax, eax",
            "or eax, 1",
            "ret",
            "7:",
            "xor ecx, ecx",
            "9:",
            "cmp rcx, rdx",
            "je 6b",
            "movzx eax, byte ptr [rdi + rcx]",
            "movzx r8d, byte ptr [rsi + rcx]",
            "inc rcx",
            "sub eax, r8d",
            "je 9b",
            "ret",
            concat!(".size ", $prefix, "memcmp, . - ", $prefix, "memcmp"),
            ".popsection",
        );
    };
}

#[cfg(all(target_arch = "x86_64", target_env = "musl", not(test)))]
define!("");

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    define!("rtc_memory_test_");

    unsafe extern "C" {
        fn rtc_memory_test_memmove(to: *mut u8, from: *const u8, size: usize) -> *mut u8;
        fn rtc_memory_test_memset(to: *mut u8, byte: i32, size: usize) -> *mut u8;
        fn rtc_memory_test_memcmp(a: *const u8, b: *const u8, size: usize) -> i32;
    }

    const SIZES: usize = 400;

    fn pattern() -> Vec<u8> {
        (0..3 * SIZES).map(|n| (n * 7 + n / 256) as u8).collect()
    }

    #[test]
    fn blocks_are_copied_however_they_overlap() {
        for size in 0..SIZES {
            for (from, to) in [(0, SIZES), (SIZES, 0), (8, 8), (0, 1), (1, 0), (0, 15), (15, 0), (3, 64), (64, 3), (0, 129), (129, 0)] {
                let (mut made, mut expected) = (pattern(), pattern());
                expected.copy_within(from..from + size, to);
                // SAFETY: both blocks are in the vector.
                let back = unsafe { rtc_memory_test_memmove(made.as_mut_ptr().add(to), made.as_ptr().add(from), size) };
                assert_eq!(back, made.as_mut_ptr().wrapping_add(to));
                assert!(made == expected, "{size} bytes from {from} to {to}");
            }
        }
    }

    #[test]
    fn blocks_are_filled() {
        for size in 0..SIZES {
            let (mut made, mut expected) = (pattern(), pattern());
            expected[5..5 + size].fill(0xa7);
            // SAFETY: the block is in the vector.
            unsafe { rtc_memory_test_memset(made.as_mut_ptr().add(5), 0x12a7, size) };
            assert!(made == expected, "{size} bytes");
        }
    }

    #[test]
    fn blocks_are_compared() {
        let a = pattern();
        for size in 0..SIZES {
            let compare = |b: &[u8]| {
                // SAFETY: both blocks are that large.
                unsafe { rtc_memory_test_memcmp(a.as_ptr().add(1), b.as_ptr().add(1), size) }.signum()
            };
            assert_eq!(compare(&a), 0);
            for at in (0..size + 3).step_by(1 + size / 40) {
                for change in [1, 0x80, 0xff] {
                    let mut b = a.clone();
                    b[1 + at] = b[1 + at].wrapping_add(change);
                    let expected = a[1..1 + size].cmp(&b[1..1 + size]) as i32;
                    assert_eq!(compare(&b), expected, "{size} bytes that differ at {at}");
                }
            }
        }
    }
}
