//! Tests of kiwi-pclass through its public face.

mod golden;
mod support;
