//! Slots and items as glTF.

mod file;
mod geometry;
mod material;
mod sources;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use glam::{DMat4, DQuat, DVec3};
use gltf::json::mesh::{Mesh as GlbMesh, Primitive};
use gltf::json::skin::Skin;
use gltf::json::validation::Checked::Valid;
use gltf::json::{Index, Material, Node};
use resonite_brson::Options;
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::mesh::Mesh;
use crate::model::{Component, SavedObject, Slot, SlotPath};
use file::GlbFile;
use geometry::{Geometry, place, place_by};
use material::{Textures, material, narrow};
use sources::{Sources, elements, shown};

/// A `.glb` file, and what it lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Glb {
    /// The file.
    pub bytes: Vec<u8>,
    /// A sentence for each mesh or texture that is not in it: the engine makes it, its bytes are missing, or
    /// glTF has none of its kind.
    pub missing: Vec<String>,
}

impl SavedObject {
    /// Writes a slot with all that is in it as a `.glb` file: glTF 2.0, which Blender, Godot, Unity and browsers
    /// open. `find` gives the bytes of an asset by its address.
    ///
    /// A slot becomes a node; a `MeshRenderer` or `SkinnedMeshRenderer` on it another one with its mesh: parts with
    /// their materials and textures, blend shapes with the weights that they have, bones and what they move. The
    /// engine's space is left-handed, that of glTF right-handed: x changes its sign.
    /// [A table](https://github.com/gamewire/gamewire/blob/main/docs/crates/resonite-save.md#gltf) says what becomes
    /// of what.
    ///
    /// ```
    /// # #[cfg(feature = "package")] {
    /// use resonite_brson::Options;
    /// use resonite_save::model::SlotPath;
    /// use resonite_save::package::Package;
    ///
    /// # let object = resonite_save::SavedObject::new("2026.8.12.1196", "Lamp");
    /// # let package = Package::new("Lamp", &object)?;
    /// let save = package.object()?;
    /// let find = |url: &str| package.asset(Package::hash_of(url)?);
    /// let glb = save.to_glb(&SlotPath::root(), &Options::new(), find)?;
    /// assert!(glb.bytes.starts_with(b"glTF\x02"));
    /// assert_eq!(glb.missing, [""; 0]);
    /// # }
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    ///
    /// # Errors
    /// No such slot, a place of a slot that is not finite, or more memory than
    /// [`max_memory`](Options::max_memory). A mesh that cannot be written is [missing](Glb::missing).
    pub fn to_glb<'a>(
        &'a self,
        slot: &SlotPath,
        options: &Options,
        find: impl Fn(&str) -> Option<&'a [u8]>,
    ) -> Result<Glb> {
        if self.slot(slot).is_none() {
            return Err(Error::data("expected a slot, found none at this path"));
        }
        let mut scene = GlbScene {
            file: GlbFile::new(*options),
            sources: Sources::new(self, &find),
            nodes: HashMap::new(),
            geometries: HashMap::new(),
            materials: HashMap::new(),
            textures: Textures::default(),
        };
        scene.add(self, slot)?;
        let bytes = scene.file.finish()?;
        let mut known = HashSet::new();
        let mut missing = scene.file.missing;
        missing.retain(|own| known.insert(own.clone()));
        Ok(Glb { bytes, missing })
    }
}

/// A mesh in the file, or why it is not.
type Known = std::result::Result<Rc<Geometry>, String>;

/// A file while slots become nodes of it.
struct GlbScene<'a, 'f> {
    file: GlbFile,
    sources: Sources<'a, 'f>,
    /// The nodes of slots by their identifiers.
    nodes: HashMap<&'a str, Index<Node>>,
    geometries: HashMap<&'a str, Known>,
    materials: HashMap<&'a str, Index<Material>>,
    textures: Textures<'a>,
}

impl<'a> GlbScene<'a, '_> {
    fn add(&mut self, save: &'a SavedObject, top: &SlotPath) -> Result<()> {
        let (mut outer, mut slots) = (Vec::new(), Vec::new());
        let inside = save.slots().filter(|(path, _)| path.indices().starts_with(top.indices()));
        for (path, slot) in inside {
            outer.truncate(path.indices().len().saturating_sub(top.indices().len()));
            let node = self.slot(slot)?;
            self.file.adopt(outer.last().copied(), node);
            outer.push(node);
            slots.push((node, slot));
        }
        for (node, slot) in slots {
            for component in slot.components() {
                match component.short_name().as_str() {
                    "MeshRenderer" => self.renderer(node, slot, component, false)?,
                    "SkinnedMeshRenderer" => self.renderer(node, slot, component, true)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn slot(&mut self, slot: Slot<'a>) -> Result<Index<Node>> {
        // A slot takes more bytes in its save than here.
        self.file.input = self.file.input.saturating_add(size_of::<Node>());
        let index = self.file.node(slot.name().unwrap_or("?"))?;
        let [x, y, z] = slot.position().unwrap_or_default();
        let translation = DVec3::new(-x, y, z);
        let [x, y, z, w] = slot.rotation().unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let rotation = DQuat::from_xyzw(x, -y, -z, w);
        let scale = DVec3::from_array(slot.scale().unwrap_or([1.0; 3]));
        let [near, far] = [translation, scale].map(|own| own.as_vec3().is_finite());
        if !near || !far || !rotation.as_quat().is_finite() {
            let name = Shortened(slot.name().unwrap_or("?")).to_string();
            let message =
                format!("the place of the slot {name} is not finite, which glTF cannot say");
            return Err(Error::unsupported(message));
        }
        if let Some(node) = self.file.root.nodes.get_mut(index.value()) {
            place_by(node, translation, rotation, scale);
            if !slot.is_active() {
                node.extras = RawValue::from_string(r#"{"active":false}"#.to_owned()).ok();
            }
        }
        slot.id().map(|id| self.nodes.insert(id, index));
        Ok(index)
    }

    /// Adds the mesh of a renderer to a slot.
    fn renderer(
        &mut self,
        around: Index<Node>,
        slot: Slot<'a>,
        renderer: Component<'a>,
        is_skinned: bool,
    ) -> Result<()> {
        let geometry = match self.geometry(renderer)? {
            Ok(geometry) if geometry.parts.is_empty() => return Ok(()),
            Ok(geometry) => geometry,
            Err(why) => {
                self.file.missing.push(why);
                return Ok(());
            }
        };
        let mut materials = Vec::new();
        for member in elements(renderer, "Materials") {
            let own = self.sources.target(Some(member));
            materials.push(own.map(|own| self.material(own)).transpose()?);
        }
        let node = self.file.node(slot.name().unwrap_or("?"))?;
        let skin = match is_skinned && !geometry.skin.is_empty() {
            true => Some(self.skin(around, renderer, &geometry)?),
            false => None,
        };
        // A skin says where its vertices are, whatever its node is in: such a node is at the top.
        self.file.adopt(Some(around).filter(|_| skin.is_none()), node);
        let weights = elements(renderer, "BlendShapeWeights");
        let weights: Vec<f32> =
            weights.map(|own| own.value().and_then(narrow).unwrap_or_default()).collect();
        let weights = Some(geometry.weights(&weights));
        let mesh = self.mesh(&geometry, &materials, skin.is_some())?;
        if let Some(node) = self.file.root.nodes.get_mut(node.value()) {
            (node.mesh, node.skin) = (Some(mesh), skin);
            node.weights = weights.filter(|all| all.iter().any(|own| *own != 0.0));
        }
        Ok(())
    }

    fn mesh(
        &mut self,
        geometry: &Geometry,
        materials: &[Option<Index<Material>>],
        is_skinned: bool,
    ) -> Result<Index<GlbMesh>> {
        let mut attributes = geometry.attributes.clone();
        if is_skinned {
            attributes.extend(geometry.skin.clone());
        }
        let mut primitives = Vec::new();
        for (number, mode, indices) in &geometry.parts {
            let targets = geometry.targets.clone();
            self.file.charge(size_of::<Primitive>().saturating_add(size_of_val(&*targets)))?;
            primitives.push(Primitive {
                attributes: attributes.clone(),
                extensions: None,
                extras: None,
                indices: Some(*indices),
                material: materials.get(*number).copied().flatten(),
                mode: Valid(*mode),
                targets: Some(targets).filter(|own| !own.is_empty()),
            });
        }
        let names = serde_json::json!({ "targetNames": geometry.target_names }).to_string();
        let extras = RawValue::from_string(names).ok().filter(|_| !geometry.targets.is_empty());
        let mesh = GlbMesh { extensions: None, extras, name: None, primitives, weights: None };
        Ok(self.file.root.push(mesh))
    }

    /// The bones of a renderer. One that has no slot here gets a node where it is at rest, and a slot that is two
    /// bones a second node.
    fn skin(
        &mut self,
        around: Index<Node>,
        renderer: Component<'a>,
        geometry: &Geometry,
    ) -> Result<Index<Skin>> {
        let mut slots = elements(renderer, "Bones");
        let mut taken = HashSet::new();
        let mut joints = Vec::new();
        for (name, rest) in &geometry.bones {
            let slot = slots.next().and_then(|bone| self.nodes.get(bone.target()?).copied());
            let joint = match slot.filter(|own| taken.insert(own.value())) {
                Some(own) => own,
                None => {
                    let joint = self.file.node(name)?;
                    self.file.adopt(Some(slot.unwrap_or(around)), joint);
                    let rest = slot.map_or(*rest, |_| DMat4::IDENTITY);
                    let node = self.file.root.nodes.get_mut(joint.value());
                    node.into_iter().for_each(|own| place(own, &rest));
                    joint
                }
            };
            self.file.charge(size_of::<Index<Node>>())?;
            joints.push(joint);
        }
        let inverse_bind_matrices = geometry.inverse_binds;
        let (extensions, extras, name, skeleton) = (None, None, None, None);
        let skin = Skin { extensions, extras, inverse_bind_matrices, joints, name, skeleton };
        Ok(self.file.root.push(skin))
    }

    fn geometry(&mut self, renderer: Component<'a>) -> Result<Known> {
        let Some(provider) = self.sources.target(renderer.member("Mesh")) else {
            return Ok(Err(format!("a {} has no mesh", Shortened(&renderer.short_name()))));
        };
        let (url, bytes) = match self.sources.asset(provider) {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        if let Some(known) = self.geometries.get(url) {
            return Ok(known.clone());
        }
        self.file.input = self.file.input.saturating_add(bytes.len());
        let made = Mesh::from_slice_with(bytes, &self.file.options)
            .and_then(|mesh| Geometry::new(&mut self.file, &mesh));
        let known = match made {
            Ok(geometry) => Ok(Rc::new(geometry)),
            Err(error) if error.kind() == ErrorKind::MemoryLimit => {
                return Err(error);
            }
            Err(error) => Err(format!("{}: {error}", shown(url))),
        };
        self.geometries.insert(url, known.clone());
        Ok(known)
    }

    fn material(&mut self, own: Component<'a>) -> Result<Index<Material>> {
        if let Some(known) = own.id().and_then(|id| self.materials.get(id)) {
            return Ok(*known);
        }
        let made = material(&mut self.file, &self.sources, &mut self.textures, own)?;
        let index = self.file.root.push(made);
        own.id().map(|id| self.materials.insert(id, index));
        Ok(index)
    }
}
