use super::*;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub enum GameType {
    Survival,
    Creative,
    Adventure,
    Spectator,
}

pub type Position = (f64, f64, f64);

pub type Uuid = [u32; 4];

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

generated! { rng:
    pub struct Item {
        count: i8 = rng.bits() as i8,
        slot: u8 = rng.bits() as u8,
        id: String = word(rng, &ITEMS),
    }

    #[derive(Copy)]
    pub struct Abilities {
        walk_speed: f32 = rng.f32(),
        fly_speed: f32 = rng.f32(),
        may_fly: bool = rng.coin(),
        flying: bool = rng.coin(),
        invulnerable: bool = rng.coin(),
        may_build: bool = rng.coin(),
        instabuild: bool = rng.coin(),
    }

    pub struct Entity {
        id: String = word(rng, &ANIMALS),
        pos: Position = position(rng),
        motion: Position = position(rng),
        rotation: (f32, f32) = (rng.f32(), rng.f32()),
        fall_distance: f32 = rng.f32(),
        fire: u16 = rng.bits() as u16,
        air: u16 = rng.bits() as u16,
        on_ground: bool = rng.coin(),
        no_gravity: bool = rng.coin(),
        invulnerable: bool = rng.coin(),
        portal_cooldown: i32 = rng.bits() as i32,
        uuid: Uuid = uuid(rng),
        custom_name: Option<String> = rng.maybe(|rng| word(rng, &PETS)),
        custom_name_visible: bool = rng.coin(),
        silent: bool = rng.coin(),
        glowing: bool = rng.coin(),
    }

    pub struct RecipeBook [
        (known, shown) = (rng.length(0, 30), rng.length(0, 10)),
    ] {
        recipes: Vec<String> = rng.list(known, |rng| word(rng, &RECIPES)),
        to_be_displayed: Vec<String> = rng.list(shown, |rng| word(rng, &RECIPES)),
        is_filtering_craftable: bool = rng.coin(),
        is_gui_open: bool = rng.coin(),
        is_furnace_filtering_craftable: bool = rng.coin(),
        is_furnace_gui_open: bool = rng.coin(),
        is_blasting_furnace_filtering_craftable: bool = rng.coin(),
        is_blasting_furnace_gui_open: bool = rng.coin(),
        is_smoker_filtering_craftable: bool = rng.coin(),
        is_smoker_gui_open: bool = rng.coin(),
    }

    pub struct Player [
        (items, ender_items) = (rng.length(0, 40), rng.length(0, 27)),
    ] {
        game_type: GameType = GameType::generate(rng),
        previous_game_type: GameType = GameType::generate(rng),
        score: i64 = rng.bits() as i64,
        dimension: String = word(rng, &DIMENSIONS),
        selected_item_slot: u32 = rng.bits() as u32,
        selected_item: Item = Item::generate(rng),
        spawn_dimension: Option<String> = rng.maybe(|rng| word(rng, &DIMENSIONS)),
        spawn_x: i64 = rng.bits() as i64,
        spawn_y: i64 = rng.bits() as i64,
        spawn_z: i64 = rng.bits() as i64,
        spawn_forced: Option<bool> = rng.maybe(SplitMix64::coin),
        sleep_timer: u16 = rng.bits() as u16,
        food_exhaustion_level: f32 = rng.f32(),
        food_saturation_level: f32 = rng.f32(),
        food_tick_timer: u32 = rng.bits() as u32,
        xp_level: u32 = rng.bits() as u32,
        xp_p: f32 = rng.f32(),
        xp_total: i32 = rng.bits() as i32,
        xp_seed: i32 = rng.bits() as i32,
        inventory: Vec<Item> = rng.list(items, Item::generate),
        ender_items: Vec<Item> = rng.list(ender_items, Item::generate),
        abilities: Abilities = Abilities::generate(rng),
        entered_nether_position: Option<Position> = rng.maybe(position),
        root_vehicle: Option<(Uuid, Entity)> = rng.maybe(|rng| (uuid(rng), Entity::generate(rng))),
        shoulder_entity_left: Option<Entity> = rng.maybe(Entity::generate),
        shoulder_entity_right: Option<Entity> = rng.maybe(Entity::generate),
        seen_credits: bool = rng.coin(),
        recipe_book: RecipeBook = RecipeBook::generate(rng),
    }
}

lists! { Players { players: Player } }
