//! `minecraft_savedata`: player records of a save file; wide structs, options, lists of small
//! structs, strings, 64-bit numbers.

use serde::{Deserialize, Serialize};

use crate::rng::SplitMix64;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub enum GameType {
    Survival,
    Creative,
    Adventure,
    Spectator,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct Item {
    pub count: i8,
    pub slot: u8,
    pub id: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub struct Abilities {
    pub walk_speed: f32,
    pub fly_speed: f32,
    pub may_fly: bool,
    pub flying: bool,
    pub invulnerable: bool,
    pub may_build: bool,
    pub instabuild: bool,
}

pub type Position = (f64, f64, f64);

pub type Uuid = [u32; 4];

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct Entity {
    pub id: String,
    pub pos: Position,
    pub motion: Position,
    pub rotation: (f32, f32),
    pub fall_distance: f32,
    pub fire: u16,
    pub air: u16,
    pub on_ground: bool,
    pub no_gravity: bool,
    pub invulnerable: bool,
    pub portal_cooldown: i32,
    pub uuid: Uuid,
    pub custom_name: Option<String>,
    pub custom_name_visible: bool,
    pub silent: bool,
    pub glowing: bool,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct RecipeBook {
    pub recipes: Vec<String>,
    pub to_be_displayed: Vec<String>,
    pub is_filtering_craftable: bool,
    pub is_gui_open: bool,
    pub is_furnace_filtering_craftable: bool,
    pub is_furnace_gui_open: bool,
    pub is_blasting_furnace_filtering_craftable: bool,
    pub is_blasting_furnace_gui_open: bool,
    pub is_smoker_filtering_craftable: bool,
    pub is_smoker_gui_open: bool,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct Player {
    pub game_type: GameType,
    pub previous_game_type: GameType,
    pub score: i64,
    pub dimension: String,
    pub selected_item_slot: u32,
    pub selected_item: Item,
    pub spawn_dimension: Option<String>,
    pub spawn_x: i64,
    pub spawn_y: i64,
    pub spawn_z: i64,
    pub spawn_forced: Option<bool>,
    pub sleep_timer: u16,
    pub food_exhaustion_level: f32,
    pub food_saturation_level: f32,
    pub food_tick_timer: u32,
    pub xp_level: u32,
    pub xp_p: f32,
    pub xp_total: i32,
    pub xp_seed: i32,
    pub inventory: Vec<Item>,
    pub ender_items: Vec<Item>,
    pub abilities: Abilities,
    pub entered_nether_position: Option<Position>,
    pub root_vehicle: Option<(Uuid, Entity)>,
    pub shoulder_entity_left: Option<Entity>,
    pub shoulder_entity_right: Option<Entity>,
    pub seen_credits: bool,
    pub recipe_book: RecipeBook,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct Players {
    pub players: Vec<Player>,
}

const ITEMS: [&str; 8] =
    ["clay", "brick", "lantern", "rope", "candle", "sickle", "breastplate", "bread"];
const ANIMALS: [&str; 8] =
    ["fox", "goose", "badger", "scorpion", "hornet", "buzzard", "turtle", "elk"];
const PETS: [&str; 8] =
    ["sunbeam", "snowball", "rusty", "pepper", "daisy", "bandit", "misty", "walnut"];
const RECIPES: [&str; 8] =
    ["lantern", "chair", "net", "spinning wheel", "bellows", "sickle", "spear", "kit"];
const DIMENSIONS: [&str; 3] = ["highlands", "depths", "sky"];

fn word(rng: &mut SplitMix64, words: &[&str]) -> String {
    rng.pick(words).to_owned()
}

fn position(rng: &mut SplitMix64) -> Position {
    (rng.f64(), rng.f64(), rng.f64())
}

fn uuid(rng: &mut SplitMix64) -> Uuid {
    let (high, low) = (rng.bits(), rng.bits());
    [(high >> 32) as u32, high as u32, (low >> 32) as u32, low as u32]
}

impl GameType {
    fn generate(rng: &mut SplitMix64) -> Self {
        *rng.pick(&[&Self::Survival, &Self::Creative, &Self::Adventure, &Self::Spectator])
    }
}

impl Item {
    fn generate(rng: &mut SplitMix64) -> Self {
        Self { count: rng.bits() as i8, slot: rng.bits() as u8, id: word(rng, &ITEMS) }
    }
}

impl Abilities {
    fn generate(rng: &mut SplitMix64) -> Self {
        Self {
            walk_speed: rng.f32(),
            fly_speed: rng.f32(),
            may_fly: rng.coin(),
            flying: rng.coin(),
            invulnerable: rng.coin(),
            may_build: rng.coin(),
            instabuild: rng.coin(),
        }
    }
}

impl Entity {
    fn generate(rng: &mut SplitMix64) -> Self {
        Self {
            id: word(rng, &ANIMALS),
            pos: position(rng),
            motion: position(rng),
            rotation: (rng.f32(), rng.f32()),
            fall_distance: rng.f32(),
            fire: rng.bits() as u16,
            air: rng.bits() as u16,
            on_ground: rng.coin(),
            no_gravity: rng.coin(),
            invulnerable: rng.coin(),
            portal_cooldown: rng.bits() as i32,
            uuid: uuid(rng),
            custom_name: rng.maybe(|rng| word(rng, &PETS)),
            custom_name_visible: rng.coin(),
            silent: rng.coin(),
            glowing: rng.coin(),
        }
    }
}

impl RecipeBook {
    fn generate(rng: &mut SplitMix64) -> Self {
        let (known, shown) = (rng.length(0, 30), rng.length(0, 10));
        Self {
            recipes: rng.list(known, |rng| word(rng, &RECIPES)),
            to_be_displayed: rng.list(shown, |rng| word(rng, &RECIPES)),
            is_filtering_craftable: rng.coin(),
            is_gui_open: rng.coin(),
            is_furnace_filtering_craftable: rng.coin(),
            is_furnace_gui_open: rng.coin(),
            is_blasting_furnace_filtering_craftable: rng.coin(),
            is_blasting_furnace_gui_open: rng.coin(),
            is_smoker_filtering_craftable: rng.coin(),
            is_smoker_gui_open: rng.coin(),
        }
    }
}

impl Player {
    fn generate(rng: &mut SplitMix64) -> Self {
        let (items, ender_items) = (rng.length(0, 40), rng.length(0, 27));
        Self {
            game_type: GameType::generate(rng),
            previous_game_type: GameType::generate(rng),
            score: rng.bits() as i64,
            dimension: word(rng, &DIMENSIONS),
            selected_item_slot: rng.bits() as u32,
            selected_item: Item::generate(rng),
            spawn_dimension: rng.maybe(|rng| word(rng, &DIMENSIONS)),
            spawn_x: rng.bits() as i64,
            spawn_y: rng.bits() as i64,
            spawn_z: rng.bits() as i64,
            spawn_forced: rng.maybe(SplitMix64::coin),
            sleep_timer: rng.bits() as u16,
            food_exhaustion_level: rng.f32(),
            food_saturation_level: rng.f32(),
            food_tick_timer: rng.bits() as u32,
            xp_level: rng.bits() as u32,
            xp_p: rng.f32(),
            xp_total: rng.bits() as i32,
            xp_seed: rng.bits() as i32,
            inventory: rng.list(items, Item::generate),
            ender_items: rng.list(ender_items, Item::generate),
            abilities: Abilities::generate(rng),
            entered_nether_position: rng.maybe(position),
            root_vehicle: rng.maybe(|rng| (uuid(rng), Entity::generate(rng))),
            shoulder_entity_left: rng.maybe(Entity::generate),
            shoulder_entity_right: rng.maybe(Entity::generate),
            seen_credits: rng.coin(),
            recipe_book: RecipeBook::generate(rng),
        }
    }
}

impl Players {
    pub fn generate(seed: u64, count: usize) -> Self {
        Self { players: SplitMix64::new(seed).list(count, Player::generate) }
    }
}
