//! Reports what a level refers to and neither it nor its project has.

use std::path::Path;

use o3de_json::value::Document;
use o3de_prefab::{Loader, Project};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/o3de-json/project");
    let path = "Levels/Start.prefab";
    let Ok(text) = std::fs::read_to_string(root.join(path)) else {
        println!("the sample is not here");
        return Ok(());
    };
    let level: Document = text.parse()?;
    let mut loader = Loader::new(Project::at(&root));
    let mut findings = o3de_prefab::lint(level.value());
    findings.extend(o3de_prefab::lint_instances(&mut loader, level.value(), path));
    for finding in &findings {
        println!("{}: {}, at {}", finding.rule.name(), finding.message, finding.pointer);
    }
    assert_eq!(findings.len(), 5);
    Ok(())
}
