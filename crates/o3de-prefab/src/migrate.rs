//! Changes of components, written as data, in documents and in the overrides of instances.

mod step;
mod subject;
mod walk;

use self::step::{Migrations, migrations};
use self::walk::Walk;
use crate::expand::Loader;
use crate::rename::Renamed;
use o3de_json::value::{Document, Importer};
use o3de_json::{Options, Result, Value};

/// The steps for the components of some types: a migration as data.
///
/// A recipe is a JSON text with comments. Each of its `migrations` names a type, by its name or by its UUID in
/// braces, and has `steps`, which change the components that are, or wrap, one of that type, one after the
/// other; a later migration sees what earlier ones have made. Places are JSON Pointers from the component on,
/// so that those of a wrapped component begin with `/m_template`.
///
/// | step | what it does |
/// |---|---|
/// | `{"op": "rename", "to": "B"}` | another type, also in keys that are its name |
/// | `{"op": "rename", "path": "/a/b", "to": "c"}` | another name for a member |
/// | `{"op": "move", "from": "/a/b", "path": "/c/d"}` | a member goes elsewhere; objects around it are made |
/// | `{"op": "wrap", "path": "/c/d"}` | all members but `$type` and `Id` go into one; `"members": ["a"]` names some |
/// | `{"op": "split", "to": "B", "members": ["/a"]}` | members go into a new component of the same entity |
/// | `{"op": "default", "path": "/a", "value": 1}` | sets a member that is missing |
/// | `{"op": "drop", "path": "/a"}` | removes a member; without `path`, the component |
///
/// The overrides of instances follow, wherever they lead into such a component: by the source of the instance,
/// as it was before the recipe. One that sets more than what moves becomes two; one into what is dropped goes.
/// The id of a component that `split` makes depends on the old id and the new type alone, so that overrides
/// in other files find it. A component that gets another key is laid out as the engine does; other text stays.
///
/// ```
/// use o3de_prefab::{Loader, Recipe};
/// use o3de_json::value::Document;
///
/// let recipe = Recipe::read(br#"{"migrations": [{
///     // The light has a controller now.
///     "component": "Light",
///     "steps": [{"op": "rename", "path": "/Power", "to": "Lumen"}, {"op": "wrap", "path": "/Controller/Configuration"}]
/// }]}"#)?;
/// let lamp = r#"{"Entities": {"E": {"Components": {"C": {"$type": "Light", "Id": 7, "Power": 5.50}}}}}"#;
/// let level: Document = r#"{"Entities": {}, "Instances": {"I": {"Source": "Lamp.prefab", "Patches": [
///     {"op": "replace", "path": "/Entities/E/Components/C/Power", "value": 7.0}
/// ]}}}"#.parse()?;
/// let mut loader = Loader::new(|_: &str| Ok(lamp.as_bytes().to_vec()));
/// let now = recipe.apply(&level, "Level.prefab", &mut loader)?;
/// assert_eq!(now.changes[0].new, "/Entities/E/Components/C/Controller/Configuration/Lumen");
/// let now = recipe.apply(&lamp.parse()?, "Lamp.prefab", &mut loader)?;
/// let expected = r#""C": {"$type": "Light", "Id": 7, "Controller": {"Configuration": {"Lumen": 5.50}}}"#;
/// assert!(String::from_utf8_lossy(&now.bytes).contains(expected));
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recipe(Migrations);

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// Text that is not JSON, and [`ErrorKind::Invalid`](o3de_json::ErrorKind::Invalid) for what is no recipe,
    /// with its place.
    pub fn read(text: &[u8]) -> Result<Self> {
        let value: Value = Options::new().from_slice(text)?;
        migrations(&value).map(Recipe)
    }

    /// Changes a document as it was read. `path` is the document's own; the sources of its instances are read
    /// to know what the overrides are of.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`](o3de_json::ErrorKind::Invalid) where a place is taken, and for overrides that
    /// `move` or `copy` what changes.
    pub fn apply<I: Importer>(
        &self,
        document: &Document,
        path: &str,
        loader: &mut Loader<I>,
    ) -> Result<Renamed> {
        let mut now = document.value().clone();
        let mut walk =
            Walk { recipe: &self.0, loader, path, changes: Vec::new(), undecided: Vec::new() };
        walk.prefab(&mut now, "")?;
        let Walk { changes, undecided, .. } = walk;
        let bytes = match changes.is_empty() {
            true => document.to_vec()?,
            false => {
                let mut document = document.clone();
                *document.value_mut() = now;
                document.to_vec()?
            }
        };
        Ok(Renamed { bytes, changes, undecided })
    }
}
