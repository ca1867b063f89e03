//! The two parts of a file: JSON, and the numbers and pictures that it describes.

use gltf::binary::{Glb, Header};
use gltf::json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf::json::buffer::{Buffer, Target, View};
use gltf::json::validation::Checked::Valid;
use gltf::json::{Asset, Index, Node, Root, Scene};
use resonite_brson::Options;

use crate::error::{Error, ErrorKind, Result};

/// A file while it is made.
pub(super) struct GlbFile {
    pub(super) root: Root,
    binary: Vec<u8>,
    pub(super) options: Options,
    /// Omitted parts, in sentences.
    pub(super) missing: Vec<String>,
    /// Bytes of the assets that it is made of.
    pub(super) input: usize,
    /// Bytes of memory that it takes.
    used: usize,
}

impl GlbFile {
    pub(super) fn new(options: Options) -> Self {
        let asset = Asset { generator: Some("gamewire".to_owned()), ..Asset::default() };
        let root = Root { asset, ..Root::default() };
        GlbFile { root, binary: Vec::new(), options, missing: Vec::new(), input: 0, used: 0 }
    }

    /// Takes memory for a part.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<()> {
        self.used = self.used.saturating_add(bytes);
        match self.used <= self.options.limits().memory(self.input) {
            true => Ok(()),
            false => Err(Error::memory("a glTF file")),
        }
    }

    /// Names an extension that the file has; a reader must know a required one.
    pub(super) fn extension(&mut self, name: &str, required: bool) {
        let lists = [&mut self.root.extensions_used, &mut self.root.extensions_required];
        for list in lists.into_iter().take(if required { 2 } else { 1 }) {
            if !list.iter().any(|own| own == name) {
                list.push(name.to_owned());
            }
        }
    }

    pub(super) fn node(&mut self, name: &str) -> Result<Index<Node>> {
        self.charge(size_of::<Node>().saturating_add(name.len()))?;
        let name = Some(name.to_owned());
        Ok(self.root.push(Node { name, ..Node::default() }))
    }

    /// Puts a node into another one, or at the top of the scene.
    pub(super) fn adopt(&mut self, parent: Option<Index<Node>>, child: Index<Node>) {
        match parent.and_then(|parent| self.root.nodes.get_mut(parent.value())) {
            Some(parent) => parent.children.get_or_insert_default().push(child),
            None => match self.root.scenes.first_mut() {
                Some(scene) => scene.nodes.push(child),
                None => {
                    let nodes = vec![child];
                    let scene = Scene { extensions: None, extras: None, name: None, nodes };
                    self.root.scene = Some(self.root.push(scene));
                }
            },
        }
    }

    pub(super) fn view(&mut self, bytes: &[u8], target: Option<Target>) -> Result<Index<View>> {
        self.charge(bytes.len().saturating_add(size_of::<View>()))?;
        let offset = self.binary.len();
        self.binary.extend(bytes);
        // Every run of numbers begins at a multiple of 4.
        let padding = bytes.len().wrapping_neg() % 4;
        self.binary.extend([0; 3].iter().take(padding));
        Ok(self.root.push(View {
            buffer: Index::new(0),
            byte_length: bytes.len().into(),
            byte_offset: Some(offset.into()),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: None,
        }))
    }

    pub(super) fn accessor(
        &mut self,
        bytes: &[u8],
        (component, kind, count): (ComponentType, Type, usize),
        target: Option<Target>,
    ) -> Result<Index<Accessor>> {
        self.charge(size_of::<Accessor>())?;
        let view = self.view(bytes, target)?;
        Ok(self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: count.into(),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: None,
            type_: Valid(kind),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
        }))
    }

    /// Rows of floats: vectors, or matrices by their columns.
    pub(super) fn floats<const N: usize>(&mut self, rows: &[[f32; N]]) -> Result<Index<Accessor>> {
        let (kind, target) = match N {
            2 => (Type::Vec2, Some(Target::ArrayBuffer)),
            3 => (Type::Vec3, Some(Target::ArrayBuffer)),
            4 => (Type::Vec4, Some(Target::ArrayBuffer)),
            _ => (Type::Mat4, None),
        };
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|own| own.to_le_bytes()).collect();
        self.accessor(&bytes, (ComponentType::F32, kind, rows.len()), target)
    }

    /// Positions, of which the least and the greatest are said.
    pub(super) fn positions(&mut self, rows: &[[f32; 3]]) -> Result<Index<Accessor>> {
        let index = self.floats(rows)?;
        let first = rows.first().copied().unwrap_or_default();
        let choices: [fn(f32, f32) -> f32; 2] = [f32::min, f32::max];
        let ends = choices.map(|choose| {
            rows.iter().fold(first, |ends, row| {
                let [[a, b, c], [x, y, z]] = [ends, *row];
                [choose(a, x), choose(b, y), choose(c, z)]
            })
        });
        if let Some(accessor) = self.root.accessors.get_mut(index.value()) {
            let [min, max] = ends.map(|end| Some(serde_json::json!(end)));
            (accessor.min, accessor.max) = (min, max);
        }
        Ok(index)
    }

    pub(super) fn finish(&mut self) -> Result<Vec<u8>> {
        let binary = std::mem::take(&mut self.binary);
        if !binary.is_empty() {
            self.root.buffers.push(Buffer {
                byte_length: binary.len().into(),
                name: None,
                uri: None,
                extensions: None,
                extras: None,
            });
        }
        let json = self.root.to_vec().map_err(|error| failed(&error))?;
        // The length of the whole has 32 bits.
        if u32::try_from(json.len().saturating_add(binary.len()).saturating_add(64)).is_err() {
            return Err(Error::new(ErrorKind::OutputLimit, "a glTF file of more than 4 GiB"));
        }
        let header = Header { magic: *b"glTF", version: 2, length: 0 };
        let bin = Some(binary).filter(|own| !own.is_empty()).map(Into::into);
        Glb { header, json: json.into(), bin }.to_vec().map_err(|error| failed(&error))
    }
}

#[cold]
fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::unsupported(format!("a glTF file cannot be made: {error}"))
}
