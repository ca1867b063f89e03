//! As much of DER as there is around an RSA key.

/// Number of a type.
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const SEQUENCE: u8 = 0x30;

/// The algorithm `rsaEncryption`, with its parameter, which is nothing.
const RSA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00";

/// The numbers of a key in PKCS #8, in their order (RFC 8017, A.1.2): modulus, public exponent, private
/// exponent, two primes, the exponents in each of them, the inverse of the second in the first.
pub(crate) fn rsa_private_key(der: &[u8]) -> Option<[&[u8]; 8]> {
    let (mut outer, rest) = element(der, SEQUENCE)?;
    if !rest.is_empty() {
        return None;
    }
    take(&mut outer, INTEGER)?;
    let algorithm = take(&mut outer, SEQUENCE)?;
    let inner = take(&mut outer, OCTETS).filter(|_| algorithm == RSA)?;
    let (mut key, _) = element(inner, SEQUENCE)?;
    // The version stands before them.
    take(&mut key, INTEGER)?;
    let mut numbers = [&[][..]; 8];
    for number in &mut numbers {
        *number = take(&mut key, INTEGER)?;
    }
    Some(numbers)
}

fn take<'a>(bytes: &mut &'a [u8], kind: u8) -> Option<&'a [u8]> {
    let (content, rest) = element(bytes, kind)?;
    *bytes = rest;
    Some(content)
}

/// Content of an element of a type, and what follows it.
fn element(bytes: &[u8], kind: u8) -> Option<(&[u8], &[u8])> {
    let (found, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first().filter(|_| *found == kind)?;
    let (len, rest) = match *first {
        short @ 0..=0x7f => (short.into(), rest),
        0x81 => rest.split_first().map(|(len, rest)| (usize::from(*len), rest))?,
        // Keys have no more than 65535 bytes.
        0x82 => {
            rest.split_first_chunk().map(|(len, rest)| (u16::from_be_bytes(*len).into(), rest))?
        }
        _ => return None,
    };
    rest.split_at_checked(len)
}
