//! Reads where the things of a level stand, with those of the prefabs that it instances.
//!
//! It takes a level and its project as arguments, if wanted. [How
//! to](https://github.com/gamewire/gamewire/blob/main/docs/how-to/o3de.md) shows it.

use std::path::Path;

use o3de_json::types::Vector3;
use o3de_prefab::{Loader, Prefab, Project};
use serde::Deserialize;

/// What this program needs of a transform component. What a file leaves out has its default.
#[derive(Debug, Deserialize)]
struct Transform {
    #[serde(rename = "Transform Data", default)]
    data: TransformData,
}

#[derive(Debug, Default, Deserialize)]
struct TransformData {
    #[serde(rename = "Translate", default)]
    translate: Vector3,
}

/// A line for each entity.
pub fn lines(project: &Path, level: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut loader = Loader::new(Project::at(project));
    let level = loader.load(level)?;
    let mut lines = Vec::new();
    add(&Prefab::new(&level.value)?, "", &mut lines)?;
    // Sources that are not there, and overrides of what is gone.
    lines.extend(level.report.issues().iter().map(|issue| issue.message.clone()));
    Ok(lines)
}

fn add(prefab: &Prefab<'_>, around: &str, lines: &mut Vec<String>) -> o3de_json::Result<()> {
    for entity in prefab.container().into_iter().chain(prefab.entities()) {
        let name = entity.name().unwrap_or(entity.alias());
        let Some(component) = entity.component("TransformComponent") else { continue };
        let transform: Transform = o3de_json::from_value(component.value())?;
        let Vector3 { x, y, z } = transform.data.translate;
        lines.push(format!("{around}{name}: {x} {y} {z}"));
    }
    for inside in prefab.instances().filter_map(|instance| instance.prefab()) {
        let name = inside.container().and_then(|own| own.name()).unwrap_or_default();
        add(&inside, &format!("{around}{name} > "), lines)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/o3de-json/project");
    let mut args = std::env::args().skip(1);
    let level = args.next().unwrap_or_else(|| "Levels/Start.prefab".to_owned());
    let project = args.next().map_or(sample, Into::into);
    if !project.is_dir() {
        println!(
            "SKIPPED: the sample is in the repository, not in the package; name a level and a project"
        );
        return Ok(());
    }
    lines(&project, &level)?.iter().for_each(|line| println!("{line}"));
    Ok(())
}
