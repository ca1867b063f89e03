//! Writes a call and reads the answer, with both ends in this program.
//!
//! `cargo run --example write -p zeze-serialize`

use serde::{Deserialize, Serialize};
use zeze_serialize::frame::{Expected, Frame, Framing};
use zeze_serialize::{Base, Unknown, Vector3};

/// What every thing in the world has.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Thing {
    #[serde(rename = "1:id")]
    id: i64,
    #[serde(rename = "2:position")]
    position: Vector3,
}

/// A bean with a base, numbered as in the schema.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Player {
    #[serde(rename = "1:name")]
    name: String,
    #[serde(rename = "5:level")]
    level: i32,
    /// What a newer server sends is kept.
    unknown: Unknown,
    thing: Base<Thing>,
}

/// A dynamic bean: one of several, told apart by its type id.
#[derive(Debug, Serialize, Deserialize)]
enum Order {
    #[serde(rename = "0")]
    Wait {},
    #[serde(rename = "1:Walk")]
    Walk { to: Vector3 },
    #[serde(rename = "2:Say")]
    Say { text: String },
}

#[derive(Debug, Serialize, Deserialize)]
struct Orders {
    orders: Vec<Order>,
}

fn main() -> zeze_serialize::Result<()> {
    let to = Vector3::new(3.0, 0.0, 4.0);
    let orders = vec![Order::Walk { to }, Order::Say { text: "hello".into() }, Order::Wait {}];
    let call = Framing::new().to_vec(&Frame::rpc_request(7, 1, 100, Orders { orders }))?;
    println!("the call has {} bytes", call.len());

    let call: Frame<'_, Orders> = Framing::new().from_slice(&call, Expected::message(7, 1))?;
    let thing = Base(Thing { id: 9, position: to });
    let player = Player { name: "Åsa".into(), level: 3, thing, ..Player::default() };
    let Some(answer) = call.respond(0, player) else { return Ok(()) };
    let answer = Framing::new().to_vec(&answer)?;

    println!("the answer has {} bytes", answer.len());
    let answer: Frame<'_, Player> =
        Framing::new().from_slice(&answer, Expected::answer(7, 1, 100))?;
    println!("{} is at {:?}", answer.bean.name, answer.bean.thing.position);
    Ok(())
}
