use super::*;

/// Ship classes; the rare ones stand first.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub enum EntityType {
    Littorio,
    Daring,
    Illustrious,
    Benson,
    Hood,
    Constellation,
    Akula,
    Pt9,
    Lcac,
    S7,
}

/// How often a class appears, and how many turrets and weapons it has.
#[derive(Clone, Copy)]
struct Class(EntityType, u64, usize, usize);

const CLASSES: [Class; 10] = [
    Class(EntityType::Littorio, 52, 4, 10),
    Class(EntityType::Daring, 83, 1, 15),
    Class(EntityType::Illustrious, 97, 4, 16),
    Class(EntityType::Benson, 146, 4, 18),
    Class(EntityType::Hood, 155, 3, 28),
    Class(EntityType::Constellation, 214, 1, 20),
    Class(EntityType::Akula, 406, 0, 14),
    Class(EntityType::Pt9, 725, 2, 6),
    Class(EntityType::Lcac, 1292, 3, 11),
    Class(EntityType::S7, 1316, 0, 2),
];

impl Class {
    fn generate(rng: &mut SplitMix64) -> Self {
        let mut left = rng.below(CLASSES.iter().map(|class| class.1).sum());
        for class in CLASSES {
            if left < class.1 {
                return class;
            }
            left -= class.1;
        }
        CLASSES[0]
    }

    fn dives(self, rng: &mut SplitMix64) -> bool {
        matches!(self.0, EntityType::Akula) && rng.chance(0.9)
    }
}

/// Eight of ten go ahead, one lies still, one goes astern.
fn velocity(rng: &mut SplitMix64) -> i16 {
    match rng.below(10) {
        0 => 0,
        1 => rng.within(-225, -35) as i16,
        _ => rng.within(140, 900) as i16,
    }
}

fn angle(rng: &mut SplitMix64) -> u16 {
    rng.bits() as u16
}

generated! { rng:
    #[derive(Copy)]
    pub struct Transform(class: Class) {
        altitude: i8 = if class.dives(rng) { rng.within(-120, -35) as i8 } else { 0 },
        angle: u16 = angle(rng),
        position: (f32, f32) = (rng.f32() * 1500.0 - 750.0, rng.f32() * 1500.0 - 750.0),
        velocity: i16 = velocity(rng),
    }

    #[derive(Copy)]
    pub struct Guidance(class: Class) {
        angle: u16 = angle(rng),
        submerge: bool = class.dives(rng),
        velocity: i16 = velocity(rng),
    }

    // Three of ten contacts are out of sight: position and damage are known, nothing else.
    pub struct Contact(players: u64) [
        class = Class::generate(rng),
        visible = rng.chance(0.7),
        (weapons, turrets) = if visible { (class.3, class.2) } else { (0, 0) },
        unhurt = visible && rng.chance(0.6),
        (loaded, aim) = (rng.f64(), angle(rng)),
    ] {
        damage: u8 = if unhurt { 0 } else { rng.below(200) as u8 },
        entity_id: u32 = rng.below(players * 20) as u32,
        entity_type: Option<EntityType> = visible.then_some(class.0),
        guidance: Guidance = Guidance::generate(rng, class),
        player_id: Option<u16> = visible.then(|| rng.below(players) as u16),
        reloads: Vec<bool> = rng.list(weapons, |rng| rng.chance(loaded)),
        transform: Transform = Transform::generate(rng, class),
        turret_angles: Vec<u16> = rng.list(turrets, |rng| {
            // Most turrets point where the first one does, give or take a degree.
            let near = aim.wrapping_add_signed(rng.within(-200, 200) as i16);
            if rng.chance(0.75) { near } else { angle(rng) }
        }),
    }

    // A chunk seen for the first time comes whole, others as a handful of changes.
    pub struct TerrainUpdate(radius: i64) [
        length = if rng.chance(0.02) { rng.length(900, 1100) } else { rng.length(3, 9) },
    ] {
        chunk_id: (i8, i8) = (rng.within(-radius, radius) as i8, rng.within(-radius, radius) as i8),
        /// A plain sequence of numbers for serde, as in the published set, not a byte string.
        data: Vec<u8> = rng.list(length, |rng| rng.bits() as u8),
    }

    pub struct Update [
        players = 200 + rng.below(200),
        radius = (players as f32 * 15_000.0).sqrt() + rng.f32() * 100.0 - 50.0,
        chunks = (radius / 1600.0).ceil() as i64,
        (contacts, updates) = (rng.length(20, 40), rng.length(3, 10)),
    ] {
        contacts: Vec<Contact> = rng.list(contacts, |rng| Contact::generate(rng, players)),
        score: u32 = (rng.f32().powi(4) * 5000.0) as u32 + rng.below(50) as u32,
        world_radius: f32 = radius,
        terrain_updates: Vec<TerrainUpdate> =
            rng.list(updates, |rng| TerrainUpdate::generate(rng, chunks)),
    }
}

lists! { Updates { updates: Update } }
