//! Materials of a glTF file, their textures and samplers, and the pictures of those.

use super::document::File;
use super::{ALPHA_BLEND, ALPHA_MASK, DOUBLE_SIDED, GltfData, GltfTexture, MaterialRecord, NONE, Picture, TextureTransform};
use crate::device::{Address, SamplerDesc};
use gltf::material::AlphaMode;
use gltf::texture::{MagFilter, MinFilter, Texture, WrappingMode};
use rustc_hash::FxHashMap;
use serde_json::Value;

type Read<T> = Result<T, String>;

/// The extension that moves texture coordinates.
const TRANSFORM: &str = "KHR_texture_transform";

/// A texture that a material uses.
struct Use<'a> {
    texture: Texture<'a>,
    coordinates: u32,
    srgb: bool,
    /// The value of [`TRANSFORM`].
    transform: Option<Value>,
}

/// What a material uses of a texture.
fn used(info: Option<gltf::texture::Info<'_>>, srgb: bool) -> Option<Use<'_>> {
    let i = info?;
    Some(Use { texture: i.texture(), coordinates: i.tex_coord(), srgb, transform: i.extension_value(TRANSFORM).cloned() })
}

/// Reads all materials and what they use. The last one is the default.
pub(super) fn read(file: &mut File, data: &mut GltfData) -> Read<()> {
    let mut wanted: FxHashMap<usize, usize> = FxHashMap::default();
    let mut images = Vec::new();
    for m in file.document.materials() {
        let at = |why: String| format!("material {}: {why}", m.index().unwrap_or_default());
        let pbr = m.pbr_metallic_roughness();
        let normal = m.normal_texture().map(|i| Use {
            texture: i.texture(),
            coordinates: i.tex_coord(),
            srgb: false,
            transform: i.extension_value(TRANSFORM).cloned(),
        });
        let uses =
            [used(pbr.base_color_texture(), true), used(pbr.metallic_roughness_texture(), false), normal, used(m.emissive_texture(), true)];
        let (mut textures, mut transforms) = ([NONE; 4], [TextureTransform::IDENTITY; 4]);
        for ((slot, transform), found) in textures.iter_mut().zip(&mut transforms).zip(uses) {
            let Some(used) = found else { continue };
            let (read, coordinates) = match &used.transform {
                Some(value) => read_transform(value).map_err(|why| at(format!("{TRANSFORM}: {why}")))?,
                None => (TextureTransform::IDENTITY, None),
            };
            *transform = read;
            // The extension names a set of coordinates of its own, or none.
            let coordinates = coordinates.unwrap_or(used.coordinates);
            if coordinates != 0 {
                file.left_out.add(format!("a texture at TEXCOORD_{coordinates} is left out, only TEXCOORD_0 is supported"));
                *transform = TextureTransform::IDENTITY;
                continue;
            }
            let image = used.texture.source().index();
            let picture = *wanted.entry(image).or_insert_with(|| {
                images.push(image);
                images.len() - 1
            });
            let described = used.texture.sampler();
            let made = GltfTexture { picture, srgb: used.srgb, sampler: sampler(&described), mips: has_mips(&described) };
            let known = data.textures.iter().position(|t| *t == made);
            *slot = known.unwrap_or_else(|| {
                data.textures.push(made);
                data.textures.len() - 1
            }) as u32;
        }
        let strength = m.emissive_strength().unwrap_or(1.0);
        let (alpha, alpha_cutoff) = match m.alpha_mode() {
            AlphaMode::Opaque => (0, 0.0),
            AlphaMode::Mask => (ALPHA_MASK, m.alpha_cutoff().unwrap_or(0.5)),
            AlphaMode::Blend => (ALPHA_BLEND, 0.0),
        };
        data.transforms.push(transforms);
        data.materials.push(MaterialRecord {
            base_color: pbr.base_color_factor(),
            emissive: m.emissive_factor().map(|x| x * strength),
            metallic: pbr.metallic_factor(),
            roughness: pbr.roughness_factor(),
            normal_scale: m.normal_texture().map_or(1.0, |n| n.scale()),
            alpha_cutoff,
            flags: alpha | if m.double_sided() { DOUBLE_SIDED } else { 0 },
            textures,
        });
    }
    data.transforms.push([TextureTransform::IDENTITY; 4]);
    data.materials.push(MaterialRecord {
        base_color: [1.0; 4],
        emissive: [0.0; 3],
        metallic: 1.0,
        roughness: 1.0,
        normal_scale: 1.0,
        alpha_cutoff: 0.0,
        flags: 0,
        textures: [NONE; 4],
    });
    for index in images {
        data.pictures.push(picture(file, index).map_err(|why| format!("image {index}: {why}"))?);
    }
    Ok(())
}

/// Reads the extension: the transform, and the set of coordinates that it takes.
fn read_transform(value: &Value) -> Read<(TextureTransform, Option<u32>)> {
    let number = |v: &Value| v.as_f64().map(|x| x as f32).filter(|x| x.is_finite());
    let pair = |key: &str, default: f32| -> Read<[f32; 2]> {
        let Some(v) = value.get(key) else { return Ok([default; 2]) };
        let numbers: Vec<f32> = v.as_array().into_iter().flatten().filter_map(number).collect();
        numbers.try_into().map_err(|_| format!("`{key}` is not two numbers"))
    };
    let (offset, [width, height]) = (pair("offset", 0.0)?, pair("scale", 1.0)?);
    let rotation = value.get("rotation").map_or(Some(0.0), number).ok_or("`rotation` is not a number")?;
    let coordinates = match value.get("texCoord") {
        Some(v) => Some(v.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or("`texCoord` is not a number of a set of coordinates")?),
        None => None,
    };
    // Counter-clockwise in a picture, whose second coordinate goes down.
    let (sin, cos) = rotation.sin_cos();
    Ok((TextureTransform { u: [cos * width, -sin * width], v: [sin * height, cos * height], offset }, coordinates))
}

/// Whether a sampler minifies with mip levels; one that does not say may.
fn has_mips(s: &gltf::texture::Sampler<'_>) -> bool {
    !matches!(s.min_filter(), Some(MinFilter::Nearest | MinFilter::Linear))
}

fn sampler(s: &gltf::texture::Sampler<'_>) -> SamplerDesc {
    let address = |mode| match mode {
        WrappingMode::ClampToEdge => Address::Clamp,
        WrappingMode::MirroredRepeat => Address::Mirror,
        WrappingMode::Repeat => Address::Wrap,
    };
    let min = s.min_filter();
    let min_linear = !matches!(min, Some(MinFilter::Nearest | MinFilter::NearestMipmapNearest | MinFilter::NearestMipmapLinear));
    SamplerDesc {
        min_linear,
        mag_linear: s.mag_filter() != Some(MagFilter::Nearest),
        mip_linear: !matches!(min, Some(MinFilter::NearestMipmapNearest | MinFilter::LinearMipmapNearest)),
        max_lod: if has_mips(s) { SamplerDesc::default().max_lod } else { 0.0 },
        max_anisotropy: 0,
        address: [address(s.wrap_s()), address(s.wrap_t()), Address::Wrap],
        ..SamplerDesc::default()
    }
}

/// The picture of an image.
fn picture(file: &mut File, index: usize) -> Read<Picture> {
    // The type that the file says is not needed: the bytes tell.
    let image = file.document.as_json().images.get(index).ok_or("it is not there")?;
    let bytes = match (image.buffer_view, image.uri.clone()) {
        (Some(view), _) => {
            let view = file.document.views().nth(view.value()).ok_or("its bufferView is not there")?;
            file.buffers.view(&view)?.to_vec()
        }
        (None, Some(uri)) => file.fetch(&uri)?,
        (None, None) => return Err("it has neither a bufferView nor a URI".into()),
    };
    let decoded = crate::picture::decode(&bytes);
    let (width, height, texels) = decoded.map_err(|why| format!("it is neither PNG nor JPEG that can be read: {why}"))?;
    Ok(Picture { width, height, texels })
}
