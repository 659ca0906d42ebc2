//! Which shaders of a module read the index or the size of the launch: where rays are sorted, those are not the ray's.

use rustc_hash::FxHashSet;

/// The first entry point, not of a ray generation shader, with `LaunchIdKHR` or `LaunchSizeKHR` in its interface. A module that ends early has those
/// before its end.
pub(super) fn reader_of_the_launch(spirv: &[u32]) -> Option<String> {
    const HEADER: usize = 5;
    const OP_ENTRY_POINT: u32 = 15;
    const OP_DECORATE: u32 = 71;
    const RAY_GENERATION: u32 = 5313;
    const BUILT_IN: u32 = 11;
    const LAUNCH: [u32; 2] = [5319, 5320];
    let instructions = || {
        let mut rest = spirv.get(HEADER..).unwrap_or_default();
        std::iter::from_fn(move || {
            let first = *rest.first()?;
            let inst = rest.get(..(first >> 16).max(1) as usize)?;
            rest = &rest[inst.len()..];
            Some((first & 0xffff, &inst[1..]))
        })
    };
    let launch: FxHashSet<u32> = instructions()
        .filter_map(|(op, w)| match w {
            [id, BUILT_IN, value, ..] if op == OP_DECORATE && LAUNCH.contains(value) => Some(*id),
            _ => None,
        })
        .collect();
    instructions().find_map(|(op, w)| {
        if op != OP_ENTRY_POINT || w.first() == Some(&RAY_GENERATION) {
            return None;
        }
        let bytes: Vec<u8> = w.get(2..)?.iter().flat_map(|w| w.to_le_bytes()).collect();
        let end = bytes.iter().position(|b| *b == 0)?;
        let interface = &w[3 + end / 4..];
        interface.iter().any(|id| launch.contains(id)).then(|| String::from_utf8_lossy(&bytes[..end]).into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with these entry points (model, the variable in its interface), in which 7 is the index of the launch.
    fn module(entries: &[(u32, u32)]) -> Vec<u32> {
        let mut words = vec![0x0723_0203, 0x0001_0400, 0, 9, 0];
        for &(model, variable) in entries {
            let name = u32::from_le_bytes(*b"Hit\0");
            words.extend([5 << 16 | 15, model, 1, name, variable]);
        }
        words.extend([4 << 16 | 71, 7, 11, 5319, 4 << 16 | 71, 8, 11, 5351]);
        words
    }

    #[test]
    fn readers() {
        let of = |entries: &[(u32, u32)]| reader_of_the_launch(&module(entries));
        assert_eq!(of(&[(5313, 7), (5316, 8)]), None);
        assert_eq!(of(&[(5313, 7), (5316, 7)]).as_deref(), Some("Hit"));
        let whole = module(&[(5316, 7)]);
        for n in 0..whole.len() {
            // Every word may be missing, or be another.
            reader_of_the_launch(&whole[..n]);
            let mut wrong = whole.clone();
            for word in [0, u32::MAX, 1 << 16] {
                wrong[n] = word;
                reader_of_the_launch(&wrong);
            }
        }
    }
}
