//! Names of shader resources: the HLSL name, or register class, number and space.

/// How to name a resource of a program.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Slot {
    /// By its name in HLSL.
    Name(String),
    /// By register class (`b`, `t`, `u` or `s`), register number and space.
    Register {
        /// `'b'`, `'t'`, `'u'` or `'s'`.
        class: char,
        /// Register number.
        register: u32,
        /// Register space.
        space: u32,
    },
}

impl Slot {
    /// Reads `t0`, `t0.space1` or `t0,space1` as a register and anything else as a name.
    pub fn parse(text: &str) -> Slot {
        Slot::parse_register(text).unwrap_or_else(|| Slot::Name(text.to_string()))
    }

    fn parse_register(text: &str) -> Option<Slot> {
        let (register, space) = match text.split_once(['.', ',']) {
            Some((r, s)) => (r, s.trim().strip_prefix("space")?.parse().ok()?),
            None => (text, 0),
        };
        let class = register.chars().next().filter(|c| "btus".contains(*c))?;
        Some(Slot::Register { class, register: register[1..].parse().ok()?, space })
    }
}

/// The number of a register or space that is not assigned.
const UNASSIGNED: u32 = u32::MAX;

/// A resource for messages: its name and, if it has one, its register: `Scene (t0)`.
pub fn describe(name: &str, class: char, register: u32, space: u32) -> String {
    match register {
        UNASSIGNED => name.to_string(),
        _ => format!("{name} ({})", Slot::Register { class, register, space }),
    }
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Slot::Name(name) => f.write_str(name),
            Slot::Register { class, register, space: 0 } => write!(f, "{class}{register}"),
            Slot::Register { class, register, space } => {
                write!(f, "{class}{register},space{space}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_that_are_not_assigned_are_not_shown() {
        assert_eq!(describe("Scene", 't', 3, 0), "Scene (t3)");
        assert_eq!(describe("Scene", 't', 3, 2), "Scene (t3,space2)");
        assert_eq!(describe("Scene", 't', u32::MAX, u32::MAX), "Scene");
    }

    #[test]
    fn slots_parse() {
        assert_eq!(Slot::parse("t3"), Slot::Register { class: 't', register: 3, space: 0 });
        assert_eq!(Slot::parse("u1.space2"), Slot::Register { class: 'u', register: 1, space: 2 });
        assert_eq!(Slot::parse("b0, space7").to_string(), "b0,space7");
        assert_eq!(Slot::parse("tex"), Slot::Name("tex".into()));
        assert_eq!(Slot::parse("b"), Slot::Name("b".into()));
        assert_eq!(Slot::parse("é"), Slot::Name("é".into()));
        assert_eq!(Slot::parse("b0.scape1"), Slot::Name("b0.scape1".into()));
    }
}
