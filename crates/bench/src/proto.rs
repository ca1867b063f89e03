//! `log` and `mesh` as protobuf messages. What is timed is the codec alone, on these structs, not
//! the conversion from the plain ones.

use prost::Message;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::harness::{Plan, row};
use crate::table::Table;

/// Messages: `field: Type = tag kind`.
macro_rules! messages {
    ($(
        $(#[$meta:meta])*
        $name:ident { $($field:ident: $type:ty = $tag:tt $($kind:ident)+,)+ }
    )+) => {$(
        #[derive(Clone, PartialEq, Message, Deserialize)]
        $(#[$meta])*
        #[allow(missing_docs)]
        pub struct $name {
            $(#[prost($($kind),+, tag = $tag)] pub $field: $type,)+
        }
    )+};
}

messages! {
    /// See [`log::Address`](crate::data::log::Address); protobuf has no integer below 32 bits.
    #[derive(Copy)]
    Address {
        x0: u32 = "1" uint32,
        x1: u32 = "2" uint32,
        x2: u32 = "3" uint32,
        x3: u32 = "4" uint32,
    }

    /// See [`log::Log`](crate::data::log::Log).
    Log {
        address: Option<Address> = "1" message optional,
        identity: String = "2" string,
        userid: String = "3" string,
        date: String = "4" string,
        request: String = "5" string,
        code: u32 = "6" uint32,
        size: u64 = "7" uint64,
    }

    /// See [`log::Logs`](crate::data::log::Logs).
    Logs { logs: Vec<Log> = "1" message repeated, }

    /// See [`mesh::Vector3`](crate::data::mesh::Vector3).
    #[derive(Copy)]
    Vector3 {
        x: f32 = "1" float,
        y: f32 = "2" float,
        z: f32 = "3" float,
    }

    /// See [`mesh::Triangle`](crate::data::mesh::Triangle).
    #[derive(Copy)]
    Triangle {
        v0: Option<Vector3> = "1" message optional,
        v1: Option<Vector3> = "2" message optional,
        v2: Option<Vector3> = "3" message optional,
        normal: Option<Vector3> = "4" message optional,
    }

    /// See [`mesh::Mesh`](crate::data::mesh::Mesh).
    Mesh { triangles: Vec<Triangle> = "1" message repeated, }
}

/// The message with the data of a plain struct, whose fields have the same names.
pub fn message<M: DeserializeOwned>(plain: &impl Serialize) -> Outcome<M> {
    Ok(rmp_serde::from_slice(&rmp_serde::to_vec_named(plain)?)?)
}

/// Adds the row of `prost` for a message.
pub fn push<M: Message + PartialEq + Default>(
    plan: &Plan,
    table: &mut Table,
    message: &M,
) -> Outcome<()> {
    let encode = |message: &M, out: &mut Vec<u8>| Ok(message.encode(out)?);
    table.rows.push(row(plan, "prost", message, encode, |bytes| Ok(M::decode(bytes)?))?);
    Ok(())
}
