//! `log` and `mesh` as protobuf messages. What is timed is the codec alone, on these structs, not
//! the conversion from the plain ones.

use prost::Message;

use crate::Outcome;
use crate::data::{log, mesh};
use crate::harness::{Plan, row};
use crate::table::Table;

/// Messages: `field: Type = tag kind`.
macro_rules! messages {
    ($(
        $(#[$meta:meta])*
        $name:ident { $($field:ident: $type:ty = $tag:tt $($kind:ident)+,)+ }
    )+) => {$(
        #[derive(Clone, PartialEq, Message)]
        $(#[$meta])*
        #[allow(missing_docs)]
        pub struct $name {
            $(#[prost($($kind),+, tag = $tag)] pub $field: $type,)+
        }
    )+};
}

messages! {
    /// See [`log::Address`]; protobuf has no integer below 32 bits.
    #[derive(Copy)]
    Address {
        x0: u32 = "1" uint32,
        x1: u32 = "2" uint32,
        x2: u32 = "3" uint32,
        x3: u32 = "4" uint32,
    }

    /// See [`log::Log`].
    Log {
        address: Option<Address> = "1" message optional,
        identity: String = "2" string,
        userid: String = "3" string,
        date: String = "4" string,
        request: String = "5" string,
        code: u32 = "6" uint32,
        size: u64 = "7" uint64,
    }

    /// See [`log::Logs`].
    Logs { logs: Vec<Log> = "1" message repeated, }

    /// See [`mesh::Vector3`].
    #[derive(Copy)]
    Vector3 {
        x: f32 = "1" float,
        y: f32 = "2" float,
        z: f32 = "3" float,
    }

    /// See [`mesh::Triangle`].
    #[derive(Copy)]
    Triangle {
        v0: Option<Vector3> = "1" message optional,
        v1: Option<Vector3> = "2" message optional,
        v2: Option<Vector3> = "3" message optional,
        normal: Option<Vector3> = "4" message optional,
    }

    /// See [`mesh::Mesh`].
    Mesh { triangles: Vec<Triangle> = "1" message repeated, }
}

impl From<&log::Log> for Log {
    fn from(plain: &log::Log) -> Self {
        let log::Address { x0, x1, x2, x3 } = plain.address;
        let address = Address { x0: x0.into(), x1: x1.into(), x2: x2.into(), x3: x3.into() };
        Self {
            address: Some(address),
            identity: plain.identity.clone(),
            userid: plain.userid.clone(),
            date: plain.date.clone(),
            request: plain.request.clone(),
            code: plain.code.into(),
            size: plain.size,
        }
    }
}

impl From<&log::Logs> for Logs {
    fn from(plain: &log::Logs) -> Self {
        Self { logs: plain.logs.iter().map(Log::from).collect() }
    }
}

impl From<&mesh::Triangle> for Triangle {
    fn from(plain: &mesh::Triangle) -> Self {
        let vector = |v: mesh::Vector3| Some(Vector3 { x: v.x, y: v.y, z: v.z });
        Self {
            v0: vector(plain.v0),
            v1: vector(plain.v1),
            v2: vector(plain.v2),
            normal: vector(plain.normal),
        }
    }
}

impl From<&mesh::Mesh> for Mesh {
    fn from(plain: &mesh::Mesh) -> Self {
        Self { triangles: plain.triangles.iter().map(Triangle::from).collect() }
    }
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
