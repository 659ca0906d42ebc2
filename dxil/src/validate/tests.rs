//! The validator on containers of the reference compiler: valid as they are, and judged without a panic when bits of them flip.

use super::container;
use crate::container::corpus;
use crate::container::{Container, FourCc};

#[test]
fn containers_of_the_reference_compiler_are_valid() {
    let mut wrong = String::new();
    for (name, data) in corpus::ALL {
        let report = container(data);
        if !report.is_valid() {
            wrong += &format!("{name}:\n{report}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Bits flip inside of parts, mostly in the bitcode. `RTC_FLIPS` says how many in each container.
#[test]
fn flipped_bits_are_judged() {
    let flips: usize = std::env::var("RTC_FLIPS").ok().and_then(|n| n.parse().ok()).unwrap_or(24);
    let mut state = 0x1234_5678_9ABC_DEF1u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize % below.max(1)
    };
    let mut found = 0;
    for (_, data) in corpus::ALL {
        let file = Container::parse(data).expect("a container");
        let code = file.part(FourCc::DXIL).expect("a program");
        for n in 0..flips {
            let mut data = data.to_vec();
            let (from, len) = if n % 4 == 0 { (32, data.len() - 32) } else { (code.offset, code.data.len()) };
            for _ in 0..1 + random(3) {
                let at = from + random(len);
                data[at] ^= 1 << random(8);
            }
            found += usize::from(!container(&data).is_valid());
        }
    }
    assert!(found > 0);
}
