//! Writes a struct as a message and as a file, and shows the bits.
//!
//! `cargo run -p kiwi-pclass --example write`

use kiwi_pclass::types::{Bui, Shared};
use kiwi_pclass::{Options, Result, Schema, envelope};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class Wizard")]
struct Wizard {
    m_name: String,
    m_level: Bui<7>,
    m_online: bool,
    m_pet: Shared<Pet>,
    m_title: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class Pet")]
struct Pet {
    m_name: String,
    m_happy: bool,
}

fn main() -> Result<()> {
    let wizard = Wizard {
        m_name: "Merle".into(),
        m_level: Bui(42),
        m_online: true,
        m_pet: Shared::new(Pet { m_name: "Piggle".into(), m_happy: true }),
        m_title: None,
    };
    // The classes are found out once; threads may share them.
    let options = Options::new().schema(Schema::infer::<Wizard>()?);
    let message = options.to_vec(&wizard)?;
    println!("{}", options.explain(&message));
    println!("in an envelope: {} bytes", envelope::wrap(&message, true)?.len());

    let file = Options::file().schema(Schema::infer::<Wizard>()?);
    let bytes = file.to_vec(&wizard)?;
    println!("as a file: {} bytes", bytes.len());
    assert_eq!(file.from_slice::<Wizard>(&bytes)?, wizard);
    Ok(())
}
