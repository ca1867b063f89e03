//! Materials and textures.

use std::collections::HashMap;

use gltf::json::extensions::material::{EmissiveStrength, EmissiveStrengthFactor, Unlit};
use gltf::json::extensions::texture::{
    Info as InfoExtensions, Texture as TextureExtensions, TextureTransform, TextureTransformOffset,
    TextureTransformScale,
};
use gltf::json::image::MimeType;
use gltf::json::material::{
    AlphaCutoff, AlphaMode, EmissiveFactor, NormalTexture, OcclusionTexture, PbrBaseColorFactor,
    StrengthFactor,
};
use gltf::json::texture::{Info, MagFilter, Sampler, WrappingMode};
use gltf::json::validation::Checked::Valid;
use gltf::json::{Image, Index, Material, Texture, extensions};
use resonite_brson::Value;
use serde_json::{Map, Value as Json, json};

use super::file::GlbFile;
use super::geometry::linear;
use super::sources::{Sources, shown};
use crate::error::Result;
use crate::model::Component;

/// How files begin that glTF takes as pictures, and what they are.
const PICTURES: [(&[u8], &str); 3] =
    [(b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", WEBP)];
const WEBP: &str = "image/webp";

/// The extension with which a texture is WebP.
const EXT_WEBP: &str = "EXT_texture_webp";
/// The one that shifts and scales a texture.
const TRANSFORM: &str = "KHR_texture_transform";

/// The textures that are in the file, by their addresses. What shares a picture has the
/// first one's way to repeat it.
pub(super) type Textures<'a> = HashMap<&'a str, Index<Texture>>;

/// A member's number.
pub(super) fn number(component: Component<'_>, key: &str) -> Option<f32> {
    narrow(component.member(key)?.value()?)
}

#[allow(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the engine's are f32")]
pub(super) fn narrow(value: &Value) -> Option<f32> {
    value.as_f64().map(|own| own as f32).filter(|own| own.is_finite())
}

fn numbers<const N: usize>(component: Component<'_>, key: &str) -> Option<[f32; N]> {
    let list = component.member(key)?.value()?.as_array()?;
    let numbers: Option<Vec<f32>> = list.iter().take(N).map(narrow).collect();
    numbers?.first_chunk().copied()
}

fn text<'a>(component: Component<'a>, key: &str) -> Option<&'a str> {
    component.member(key)?.value()?.as_str()
}

/// A colour as light.
fn color(component: Component<'_>, keys: &[&str]) -> Option<[f32; 4]> {
    keys.iter().find_map(|key| {
        let [red, green, blue, alpha] = numbers(component, key)?;
        let list = component.member(key)?.value()?.as_array()?;
        // Old ones have no profile.
        let profile = list.get(4).and_then(Value::as_str).unwrap_or("sRGB");
        let [red, green, blue] = [red, green, blue].map(|own| linear(own, profile));
        Some([red, green, blue, alpha])
    })
}

/// The material that comes nearest to one of the engine's.
pub(super) fn material<'a>(
    file: &mut GlbFile,
    sources: &Sources<'a, '_>,
    textures: &mut Textures<'a>,
    own: Component<'a>,
) -> Result<Material> {
    let mut made = Material { name: Some(own.short_name()), ..Material::default() };
    let mut first = |file: &mut GlbFile, keys: &[&str]| -> Result<Option<Info>> {
        for texture in keys.iter().filter_map(|key| sources.target(own.member(key))) {
            if let Some(index) = find(file, sources, textures, texture)? {
                return Ok(Some(info(file, own, index)));
            }
        }
        Ok(None)
    };
    let pbr = &mut made.pbr_metallic_roughness;
    let base = color(own, &["AlbedoColor", "TintColor", "Color"]).unwrap_or([1.0; 4]);
    pbr.base_color_factor = PbrBaseColorFactor(base.map(|own| own.clamp(0.0, 1.0)));
    pbr.base_color_texture = first(file, &["AlbedoTexture", "Texture", "MainTexture"])?;
    let metallic = number(own, "Metallic").unwrap_or(0.0);
    pbr.metallic_factor = StrengthFactor(metallic.clamp(0.0, 1.0));
    let smoothness = number(own, "Smoothness").or_else(|| number(own, "Glossiness")).unwrap_or(0.0);
    pbr.roughness_factor = StrengthFactor((1.0 - smoothness).clamp(0.0, 1.0));
    made.normal_texture = first(file, &["NormalMap"])?.map(|info| NormalTexture {
        index: info.index,
        scale: number(own, "NormalScale").unwrap_or(1.0),
        tex_coord: 0,
        extensions: shifted(&info).map(|others| extensions::material::NormalTexture { others }),
        extras: None,
    });
    made.occlusion_texture = first(file, &["OcclusionMap"])?.map(|info| OcclusionTexture {
        index: info.index,
        strength: StrengthFactor(1.0),
        tex_coord: 0,
        extensions: shifted(&info).map(|others| extensions::material::OcclusionTexture { others }),
        extras: None,
    });
    made.emissive_texture = first(file, &["EmissiveMap", "EmissionMap"])?;
    let mut extensions = extensions::material::Material::default();
    if let Some([red, green, blue, _]) = color(own, &["EmissiveColor", "EmissionColor"]) {
        let [red, green, blue] = [red, green, blue].map(|own| own.max(0.0));
        let most = red.max(green).max(blue).max(1.0);
        made.emissive_factor = EmissiveFactor([red / most, green / most, blue / most]);
        if most > 1.0 {
            file.extension("KHR_materials_emissive_strength", false);
            let emissive_strength = EmissiveStrengthFactor(most);
            extensions.emissive_strength = Some(EmissiveStrength { emissive_strength });
        }
    }
    if own.short_name().contains("Unlit") {
        file.extension("KHR_materials_unlit", false);
        extensions.unlit = Some(Unlit {});
    }
    made.extensions =
        Some(extensions).filter(|own| own.unlit.is_some() || own.emissive_strength.is_some());
    made.alpha_mode = Valid(match text(own, "AlphaHandling").or_else(|| text(own, "BlendMode")) {
        Some("Cutout" | "AlphaClip") => AlphaMode::Mask,
        None | Some("Opaque") => AlphaMode::Opaque,
        Some(_) => AlphaMode::Blend,
    });
    if made.alpha_mode == Valid(AlphaMode::Mask) {
        made.alpha_cutoff = number(own, "AlphaCutoff").map(|own| AlphaCutoff(own.max(0.0)));
    }
    let sides = text(own, "Sidedness").or_else(|| text(own, "Culling"));
    made.double_sided = matches!(sides, Some("Double" | "Off"));
    Ok(made)
}

/// A texture of a material, shifted and scaled as the material says.
fn info(file: &mut GlbFile, own: Component<'_>, index: Index<Texture>) -> Info {
    let scale: [f32; 2] = numbers(own, "TextureScale").unwrap_or([1.0; 2]);
    let [u, v] = numbers(own, "TextureOffset").unwrap_or([0.0; 2]);
    let mut extensions = None;
    if scale != [1.0; 2] || [u, v] != [0.0; 2] {
        file.extension(TRANSFORM, false);
        let [_, height] = scale;
        let transform = TextureTransform {
            // From the other edge, because v goes downwards.
            offset: TextureTransformOffset([u, 1.0 - height - v]),
            scale: TextureTransformScale(scale),
            // Without a number the crate writes null, which is none.
            tex_coord: Some(0),
            ..TextureTransform::default()
        };
        let texture_transform = Some(transform);
        extensions = Some(InfoExtensions { texture_transform, ..InfoExtensions::default() });
    }
    Info { index, tex_coord: 0, extensions, extras: None }
}

/// The same where the crate has no field for it.
fn shifted(info: &Info) -> Option<Map<String, Json>> {
    let transform = info.extensions.as_ref()?.texture_transform.as_ref()?;
    let json = serde_json::to_value(transform).ok()?;
    Some([(TRANSFORM.to_owned(), json)].into_iter().collect())
}

/// The texture that a component provides, if it is one for glTF.
fn find<'a>(
    file: &mut GlbFile,
    sources: &Sources<'a, '_>,
    textures: &mut Textures<'a>,
    own: Component<'a>,
) -> Result<Option<Index<Texture>>> {
    let asset = sources.asset(own);
    if let Some(known) = asset.as_ref().ok().and_then(|(url, _)| textures.get(url)) {
        return Ok(Some(*known));
    }
    match asset.and_then(|(url, bytes)| Ok((url, bytes, kind(url, bytes)?))) {
        Ok((url, bytes, kind)) => {
            let index = add(file, own, bytes, kind)?;
            textures.insert(url, index);
            Ok(Some(index))
        }
        Err(why) => {
            file.missing.push(why);
            Ok(None)
        }
    }
}

/// The kind of a picture, or why glTF has none of its kind.
fn kind(url: &str, bytes: &[u8]) -> std::result::Result<&'static str, String> {
    let is = |magic: &[u8], kind: &&str| {
        bytes.starts_with(magic) && (*kind != WEBP || bytes.get(8..12) == Some(b"WEBP"))
    };
    let known = PICTURES.iter().find(|(magic, kind)| is(magic, kind)).map(|(_, kind)| *kind);
    known.ok_or_else(|| format!("{} is neither PNG, JPEG nor WebP", shown(url)))
}

fn add(file: &mut GlbFile, own: Component<'_>, bytes: &[u8], kind: &str) -> Result<Index<Texture>> {
    file.input = file.input.saturating_add(bytes.len());
    let view = file.view(bytes, None)?;
    let image = file.root.push(Image {
        buffer_view: Some(view),
        mime_type: Some(MimeType(kind.to_owned())),
        name: None,
        uri: None,
        extensions: None,
        extras: None,
    });
    let wrap = |key: &str| {
        Valid(match text(own, key) {
            Some("Clamp") => WrappingMode::ClampToEdge,
            Some("Mirror" | "MirrorOnce") => WrappingMode::MirroredRepeat,
            _ => WrappingMode::Repeat,
        })
    };
    let (wrap_s, wrap_t) = (wrap("WrapModeU"), wrap("WrapModeV"));
    let mag_filter =
        (text(own, "FilterMode") == Some("Point")).then_some(Valid(MagFilter::Nearest));
    let sampler = Sampler { mag_filter, wrap_s, wrap_t, ..Sampler::default() };
    let sampler = Some(file.root.push(sampler));
    let (name, extensions, extras) = (None, None, None);
    let mut texture = Texture { name, sampler, source: image, extensions, extras };
    if kind == WEBP {
        file.extension(EXT_WEBP, true);
        let source = json!({ "source": image.value() });
        let others = [(EXT_WEBP.to_owned(), source)].into_iter().collect();
        texture.extensions = Some(TextureExtensions { others });
        // The crate leaves out this one.
        texture.source = Index::new(u32::MAX);
    }
    Ok(file.root.push(texture))
}
