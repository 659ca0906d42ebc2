//! Values at the members of a constant buffer that have their names, as the source of the shaders lays it out.

use super::frames::{Frame, Member, NamedMember, put_words};
use super::values::{Scalar, Type};
use super::{Camera, Scene};
use crate::error::{Result, list};
use rtc_base::similar::nearest;
use rtc_package::layouts::{BufferLayout, MemberLayout, MemberType, ScalarClass};

/// How many members of a buffer a message lists.
const LISTED: usize = 40;

/// The bytes of a constant buffer with these values; other members are zero. They end with the last value, or, of a `whole` one, with the last
/// member.
///
/// # Errors
/// The buffer has no member of a name, or one of another type.
pub(crate) fn bytes(
    scene: &Scene,
    members: &[NamedMember],
    layout: &BufferLayout,
    whole: bool,
    camera: Option<&Camera>,
    frame: &Frame,
) -> Result<Vec<u8>> {
    let mut out = vec![0; if whole { layout.bytes as usize } else { 0 }];
    for m in members {
        if let (Some(at), Some((_, words))) = (m.offset, m.value.value(camera, frame)) {
            let end = u64::from(at) + words.len() as u64 * 4;
            if whole && end > u64::from(layout.bytes) {
                let why = format!("the constant buffer `{}` has {} bytes, and this value ends at {end}", layout.name, layout.bytes);
                return Err(scene.error(&m.location, why));
            }
            put_words(at, &words, &mut out);
            continue;
        }
        let Some(known) = member(&m.name, layout).cloned().or_else(|| element(&m.name, layout)) else {
            let near = nearest(&m.name, layout.members.iter().map(|k| k.name.as_str()));
            let near = near.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            let why = format!("the constant buffer `{}` has no member `{}`{near}", layout.name, m.name);
            return Err(scene.error(&m.location, why).note(described(layout)));
        };
        // The scene was checked: every value is there.
        let Some((ty, bits)) = m.value.value(camera, frame) else { continue };
        if !fits(ty, &known.ty) {
            let of = if matches!(m.value, Member::Fixed(..)) { "the value is" } else { "this one is" };
            let why = format!("`{}` of the constant buffer `{}` is a {}, and {of} a {ty}", m.name, layout.name, known.ty);
            return Err(scene.error(&m.location, why).note(described(layout)));
        }
        place(ty, &bits, &known, &mut out);
    }
    Ok(out)
}

/// The member of this name; the structures around it may be left out where one member alone has the name.
fn member<'a>(name: &str, layout: &'a BufferLayout) -> Option<&'a MemberLayout> {
    let inner = |m: &&MemberLayout| m.name.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let exact = layout.members.iter().find(|m| m.name == name);
    exact.or_else(|| layout.members.iter().find(inner).filter(|_| layout.members.iter().filter(inner).count() == 1))
}

/// An element of an array of numbers, by its name: `list[1]`.
fn element(name: &str, layout: &BufferLayout) -> Option<MemberLayout> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    let array = member(array, layout)?;
    let index = index.parse::<u32>().ok().filter(|n| *n < array.ty.elements)?;
    let offset = array.offset.checked_add(index.checked_mul(array.ty.stride)?)?;
    Some(MemberLayout { name: name.to_owned(), offset, ty: MemberType { elements: 0, stride: 0, ..array.ty } })
}

/// The members with their types.
fn described(layout: &BufferLayout) -> String {
    let all = layout.members.iter().take(LISTED).map(|m| format!("{} {}", m.ty, m.name));
    let more = layout.members.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} others") } else { String::new() };
    format!("it has {}{more}", list(all))
}

/// Whether a member is of a type. `bool` and `uint` are the same in memory.
fn fits(ty: Type, m: &MemberType) -> bool {
    let components = ty.rows == 0 && ty.columns == m.columns && m.rows == 0 || ty.rows > 0 && (ty.rows, ty.columns) == (m.rows, m.columns);
    let elements = ty.array.unwrap_or(0) == m.elements;
    if m.bits != 32 {
        // Scenes have no such types: so many words.
        let words = (m.columns * m.bits).div_ceil(32);
        return ty.scalar == Scalar::Uint && ty.rows == 0 && ty.array.is_none() && m.rows == 0 && m.elements == 0 && ty.columns == words;
    }
    let class = match m.class {
        ScalarClass::Float => ty.scalar == Scalar::Float,
        ScalarClass::Int => ty.scalar == Scalar::Int,
        ScalarClass::Uint => matches!(ty.scalar, Scalar::Uint | Scalar::Bool),
    };
    class && (components && elements || is_its_vectors(ty, m))
}

/// Whether the member is an array of the vectors that a matrix of this type is stored as: matrices of integers, and those after whose last vector
/// another member follows, are described so.
fn is_its_vectors(ty: Type, m: &MemberType) -> bool {
    ty.rows > 0 && ty.array.is_none() && m.rows == 0 && ty.vectors() == (m.elements, m.columns)
}

/// Puts a value at its member.
fn place(ty: Type, bits: &[u32], m: &MemberLayout, out: &mut Vec<u8>) {
    let end = (m.offset + m.ty.size()) as usize;
    if out.len() < end {
        out.resize(end, 0);
    }
    let mut put = |at: u32, word: u32| out[at as usize..at as usize + 4].copy_from_slice(&word.to_le_bytes());
    if m.ty.bits != 32 {
        // Less than a word may belong to the member.
        let bytes: Vec<u8> = bits.iter().flat_map(|w| w.to_le_bytes()).collect();
        let size = m.ty.size() as usize;
        out[m.offset as usize..end].copy_from_slice(&bytes[..size]);
        return;
    }
    let (vectors, row_major, step) = match is_its_vectors(ty, &m.ty) {
        true => (ty.vectors(), ty.row_major, m.ty.stride),
        false => (m.ty.vectors(), m.ty.row_major, m.ty.vector_stride),
    };
    for (e, element) in bits.chunks_exact(ty.components() as usize).enumerate() {
        let base = m.offset + e as u32 * m.ty.stride;
        for v in 0..vectors.0 {
            for i in 0..vectors.1 {
                let component = match (ty.rows, row_major) {
                    (0, _) => i,
                    (_, true) => v * ty.columns + i,
                    (_, false) => i * ty.columns + v,
                };
                put(base + v * step + i * 4, element[component as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::scene;
    use super::*;

    fn member_at(name: &str, offset: u32, ty: MemberType) -> MemberLayout {
        MemberLayout { name: name.into(), offset, ty }
    }

    /// `cbuffer P { float A; float B; float2 C; uint D; row_major float2x3 M; float2x3 N; half h; float list[2]; }`
    fn layout() -> BufferLayout {
        let float = MemberType {
            class: ScalarClass::Float,
            bits: 32,
            rows: 0,
            columns: 1,
            row_major: false,
            vector_stride: 16,
            elements: 0,
            stride: 0,
        };
        let matrix = MemberType { rows: 2, columns: 3, ..float };
        let members = vec![
            member_at("A", 0, float),
            member_at("B", 4, float),
            member_at("C", 8, MemberType { columns: 2, ..float }),
            member_at("D", 16, MemberType { class: ScalarClass::Uint, ..float }),
            member_at("M", 32, MemberType { row_major: true, ..matrix }),
            member_at("N", 64, MemberType { columns: 2, elements: 3, stride: 16, ..float }),
            member_at("h", 104, MemberType { bits: 16, columns: 3, ..float }),
            member_at("list", 112, MemberType { elements: 2, stride: 16, ..float }),
        ];
        BufferLayout { name: "P".into(), bytes: 132, members }
    }

    fn written(constants: &str, whole: bool) -> std::result::Result<Vec<u32>, String> {
        let s = scene(&format!("[constants.P]\n{constants}\n"));
        let done = bytes(&s, &s.constants[0].members, &layout(), whole, None, &s.frames.frame(0, 1));
        done.map(|b| b.chunks(4).map(|w| w.iter().rev().fold(0, |all, b| all << 8 | u32::from(*b))).collect()).map_err(|e| e.to_string())
    }

    #[test]
    fn values_go_by_name() {
        let words = written("C = { float2 = [3, 4] }\nA = { float = 1 }\nD = { bool = true }\nB = { float = 2 }", false).expect("they fit");
        assert_eq!(words, [1.0_f32, 2.0, 3.0, 4.0].map(f32::to_bits).into_iter().chain([1]).collect::<Vec<_>>());
        assert_eq!(written("A = { float = 1 }", true).expect("it fits").len(), 33);
        assert_eq!(written("A = { float = 1 }", false).expect("it fits").len(), 1);
        // Matrices are stored as the source says, in whatever order the scene writes them.
        let m = "[[1, 2, 3], [4, 5, 6]]";
        let rows = [1.0_f32, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0].map(f32::to_bits);
        for ty in ["float2x3", "row_major_float2x3"] {
            assert_eq!(written(&format!("M = {{ {ty} = {m} }}"), false).expect("it fits")[8..], rows);
        }
        let columns = [1.0_f32, 4.0, 0.0, 0.0, 2.0, 5.0, 0.0, 0.0, 3.0, 6.0].map(f32::to_bits);
        assert_eq!(written(&format!("N = {{ float2x3 = {m} }}"), false).expect("it fits")[16..], columns);
        assert_eq!(written("h = { uint2 = [0x22221111, 0x99993333] }", true).expect("it fits")[26..28], [0x2222_1111, 0x3333]);
        let list = written("list = { \"float[2]\" = [7, 8] }", false).expect("it fits");
        assert_eq!((list[28], list[32]), (7.0_f32.to_bits(), 8.0_f32.to_bits()));
        let second = written("\"list[1]\" = { float = 8 }", false).expect("it fits");
        assert_eq!((second[28], second[32]), (0, 8.0_f32.to_bits()));
        assert!(written("\"list[2]\" = { float = 8 }", false).is_err());
    }

    #[test]
    fn words_go_to_their_offsets() {
        let words =
            written("\"@8\" = { float2 = [3, 4] }\nA = { float = 1 }\n\"@16\" = { \"uint4[2]\" = [[1, 2, 3, 4], [5, 6, 7, 8]] }", false);
        let words = words.expect("they fit");
        assert_eq!(words, [1.0_f32, 0.0, 3.0, 4.0].map(f32::to_bits).into_iter().chain(1..9).collect::<Vec<_>>());
        // The buffer has 132 bytes; a record may have more than its constants.
        assert_eq!(written("\"@128\" = { uint = 7 }", true).expect("it fits")[32], 7);
        let beyond = written("\"@128\" = { uint2 = [7, 8] }", true).expect_err("it ends before");
        assert!(beyond.contains("`constants.P.@128`: the constant buffer `P` has 132 bytes, and this value ends at 136"), "{beyond}");
        assert_eq!(written("\"@132\" = { uint = 7 }", false).expect("it fits").len(), 34);
        for wrong in ["@", "@-4", "@+4", "@2", "@x", "@65536", "@99999999999"] {
            let text = format!("[shader]\nsource = 'a.hlsl'\n[dispatch]\nsize = [1]\n[constants.P]\n\"{wrong}\" = {{ uint = 1 }}\n");
            let error = Scene::parse(std::path::Path::new("scene.toml"), &text).expect_err("it is no offset").to_string();
            assert!(error.contains(&format!("`{wrong}` is not an offset")), "{error}");
        }
    }

    #[test]
    fn structures_may_be_left_out_of_names() {
        let float = layout().members[0].ty;
        let named = |names: &[&str]| BufferLayout {
            name: "P".into(),
            bytes: 64,
            members: names.iter().enumerate().map(|(n, name)| member_at(name, n as u32 * 4, float)).collect(),
        };
        let layout = named(&["camera.eye", "camera.up", "light.up", "eyes"]);
        assert_eq!(super::member("eye", &layout).map(|m| m.offset), Some(0));
        assert_eq!(super::member("light.up", &layout).map(|m| m.offset), Some(8));
        assert_eq!(super::member("up", &layout), None);
        assert_eq!(super::member("ye", &layout), None);
    }

    #[test]
    fn mistakes_list_the_members() {
        let missing = written("Z = { float = 1 }", true).expect_err("there is none");
        assert!(missing.starts_with("dir/scene.toml:6: `constants.P.Z`: the constant buffer `P` has no member `Z`\n  note: it has `float A`, `float B`, `float2 C`"), "{missing}");
        let near = written("lst = { float = 1 }", true).expect_err("there is none");
        assert!(near.contains("did you mean `list`?"), "{near}");
        let other = written("D = { float = 5 }", true).expect_err("it is another");
        assert!(other.contains("`constants.P.D`: `D` of the constant buffer `P` is a uint, and the value is a float"), "{other}");
        for wrong in [
            "C = { float3 = [1, 2, 3] }",
            "A = { int = 1 }",
            "M = { float3x2 = [[1, 2], [3, 4], [5, 6]] }",
            "list = { \"float[3]\" = [1, 2, 3] }",
        ] {
            assert!(written(wrong, true).is_err(), "{wrong}");
        }
    }
}
