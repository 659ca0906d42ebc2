//! Materials of a glTF file, their textures and samplers, and the pictures of those.

use super::document::File;
use super::{ALPHA_BLEND, ALPHA_MASK, DOUBLE_SIDED, GltfData, GltfTexture, MaterialRecord, NONE, Picture};
use crate::device::{Address, SamplerDesc};
use gltf::material::AlphaMode;
use gltf::texture::{MagFilter, MinFilter, Texture, WrappingMode};
use rustc_hash::FxHashMap;

type Read<T> = Result<T, String>;

/// A texture that a material uses.
struct Use<'a> {
    texture: Texture<'a>,
    coordinates: u32,
    srgb: bool,
}

/// Reads all materials and what they use. The last one is the default.
pub(super) fn read(file: &mut File, data: &mut GltfData) -> Read<()> {
    let mut wanted: FxHashMap<usize, usize> = FxHashMap::default();
    let mut images = Vec::new();
    for m in file.document.materials() {
        let at = |why: String| format!("material {}: {why}", m.index().unwrap_or_default());
        let pbr = m.pbr_metallic_roughness();
        let info = |i: gltf::texture::Info<'_>, srgb| (i.texture().index(), i.tex_coord(), srgb);
        let uses = [
            pbr.base_color_texture().map(|i| info(i, true)),
            pbr.metallic_roughness_texture().map(|i| info(i, false)),
            m.normal_texture().map(|i| (i.texture().index(), i.tex_coord(), false)),
            m.emissive_texture().map(|i| info(i, true)),
        ];
        let mut textures = [NONE; 4];
        for (slot, found) in textures.iter_mut().zip(uses) {
            let Some((index, coordinates, srgb)) = found else { continue };
            let texture = file.document.textures().nth(index).ok_or_else(|| at(format!("there is no texture {index}")))?;
            let used = Use { texture, coordinates, srgb };
            if used.coordinates != 0 {
                return Err(at(format!("it uses TEXCOORD_{}; only TEXCOORD_0 is supported", used.coordinates)));
            }
            let image = used.texture.source().index();
            let picture = *wanted.entry(image).or_insert_with(|| {
                images.push(image);
                images.len() - 1
            });
            let made = GltfTexture { picture, srgb: used.srgb, sampler: sampler(&used.texture.sampler()) };
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
        mip_linear: false,
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
