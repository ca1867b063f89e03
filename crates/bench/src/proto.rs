//! `log` and `mesh` as protobuf messages. What is timed is the codec alone, on these structs, not
//! the conversion from the plain ones.

use prost::Message;

use crate::Outcome;
use crate::data::{log, mesh};
use crate::harness::{Plan, row};
use crate::table::Table;

/// See [`log::Address`]; protobuf has no integer below 32 bits.
#[derive(Clone, Copy, PartialEq, Message)]
#[allow(missing_docs)]
pub struct Address {
    #[prost(uint32, tag = "1")]
    pub x0: u32,
    #[prost(uint32, tag = "2")]
    pub x1: u32,
    #[prost(uint32, tag = "3")]
    pub x2: u32,
    #[prost(uint32, tag = "4")]
    pub x3: u32,
}

/// See [`log::Log`].
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs)]
pub struct Log {
    #[prost(message, optional, tag = "1")]
    pub address: Option<Address>,
    #[prost(string, tag = "2")]
    pub identity: String,
    #[prost(string, tag = "3")]
    pub userid: String,
    #[prost(string, tag = "4")]
    pub date: String,
    #[prost(string, tag = "5")]
    pub request: String,
    #[prost(uint32, tag = "6")]
    pub code: u32,
    #[prost(uint64, tag = "7")]
    pub size: u64,
}

/// See [`log::Logs`].
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs)]
pub struct Logs {
    #[prost(message, repeated, tag = "1")]
    pub logs: Vec<Log>,
}

/// See [`mesh::Vector3`].
#[derive(Clone, Copy, PartialEq, Message)]
#[allow(missing_docs)]
pub struct Vector3 {
    #[prost(float, tag = "1")]
    pub x: f32,
    #[prost(float, tag = "2")]
    pub y: f32,
    #[prost(float, tag = "3")]
    pub z: f32,
}

/// See [`mesh::Triangle`].
#[derive(Clone, Copy, PartialEq, Message)]
#[allow(missing_docs)]
pub struct Triangle {
    #[prost(message, optional, tag = "1")]
    pub v0: Option<Vector3>,
    #[prost(message, optional, tag = "2")]
    pub v1: Option<Vector3>,
    #[prost(message, optional, tag = "3")]
    pub v2: Option<Vector3>,
    #[prost(message, optional, tag = "4")]
    pub normal: Option<Vector3>,
}

/// See [`mesh::Mesh`].
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs)]
pub struct Mesh {
    #[prost(message, repeated, tag = "1")]
    pub triangles: Vec<Triangle>,
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
