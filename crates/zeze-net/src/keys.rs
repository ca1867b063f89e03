//! Secrets that both sides agree on: Diffie-Hellman, RSA, and the keys that come out of them.

use std::net::IpAddr;
use std::sync::Arc;

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, ConcatenatingMul as _, Odd, Resize as _};
use gamewire_core::bytes::part;
use hmac::{Hmac, KeyInit as _, Mac as _};
use md5::{Digest as _, Md5};
use zeroize::{Zeroize as _, Zeroizing};

use crate::der;
use crate::{Error, ErrorKind, Result};

/// The source of secrets: fills a slice with bytes that cannot be guessed.
pub(crate) type Random = dyn FnMut(&mut [u8]) + Send;

/// The prime of the first Oakley group (RFC 2409, 6.1); the base is 2.
const PRIME: &str = "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74\
                     020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437\
                     4fe1356d6d51c245e485b576625e7ec6f44c42e9a63a3620ffffffffffffffff";
const PRIME_BITS: u32 = 768;

/// Bits of a secret exponent.
const SECRET_BITS: u32 = 128;

/// The keys of an RSA client: vector and key of its output, then those of its input.
type RsaSecret = [[u8; 16]; 4];

/// Number of bytes in it.
const RSA_SECRET: usize = size_of::<RsaSecret>();

/// The fewest random bytes of RSA's padding.
const RSA_PADDING: usize = 8;

/// Bits of the largest RSA key.
const MAX_RSA_BITS: u32 = 8192;

/// Initialization vector and key of one direction.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) vector: [u8; 16],
    pub(crate) key: [u8; 16],
}

impl Drop for Key {
    fn drop(&mut self) {
        self.vector.zeroize();
        self.key.zeroize();
    }
}

/// The keys of both directions.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) to_server: Key,
    pub(crate) to_client: Key,
}

#[cold]
fn refused(text: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Handshake, text)
}

/// A modulus to raise numbers in.
#[derive(Clone, Debug)]
struct Modulus {
    parameters: BoxedMontyParams,
    bits: u32,
}

impl Modulus {
    /// In a time that does not depend on the number, which may be a secret prime.
    fn new(number: BoxedUint) -> Option<Self> {
        let bits = number.bits();
        let odd = Odd::new(number).into_option()?;
        Some(Modulus { parameters: BoxedMontyParams::new(odd), bits })
    }

    /// The rest of a number of any size.
    fn rest(&self, number: &BoxedUint) -> BoxedUint {
        number.rem(self.parameters.modulus().as_nz_ref())
    }

    /// A number below this one; `None` if it is not.
    fn number(&self, bytes: &[u8]) -> Option<BoxedUint> {
        let bytes = without_zeros(bytes);
        let number = BoxedUint::from_be_slice(bytes, self.parameters.bits_precision()).ok()?;
        (number < *self.parameters.modulus().as_ref()).then_some(number)
    }

    /// In a time that depends on how many bits the exponent may have, not on which they are.
    fn power(&self, base: BoxedUint, exponent: &BoxedUint, bits: u32) -> BoxedUint {
        BoxedMontyForm::new(base, &self.parameters).pow_bounded_exp(exponent, bits).retrieve()
    }
}

fn without_zeros(mut bytes: &[u8]) -> &[u8] {
    while let [0, rest @ ..] = bytes {
        bytes = rest;
    }
    bytes
}

/// The last `len` bytes: a number has whole words, and so zeros before them.
fn last_bytes(number: &[u8], len: usize) -> &[u8] {
    part(number, number.len().saturating_sub(len)..)
}

/// As Java's `BigInteger` writes a number: as few bytes as it takes with a sign bit of 0.
fn signed(number: &BoxedUint) -> Zeroizing<Vec<u8>> {
    let bytes = Zeroizing::new(number.to_be_bytes());
    let bytes = without_zeros(&bytes);
    let mut signed = Zeroizing::new(Vec::with_capacity(bytes.len().saturating_add(1)));
    if bytes.first().is_none_or(|first| *first >= 0x80) {
        signed.push(0);
    }
    signed.extend_from_slice(bytes);
    signed
}

/// One side of a Diffie-Hellman exchange.
pub(crate) struct Exchange {
    modulus: Modulus,
    secret: BoxedUint,
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.secret.zeroize();
    }
}

impl Exchange {
    pub(crate) fn new(random: &mut Random) -> Result<Self> {
        let mut secret = Zeroizing::new([0; SECRET_BITS as usize / 8]);
        random(&mut *secret);
        let prime = BoxedUint::from_be_hex(PRIME, PRIME_BITS).into_option();
        let modulus = prime.and_then(Modulus::new);
        let secret = BoxedUint::from_be_slice(&*secret, SECRET_BITS).ok();
        match (modulus, secret) {
            (Some(modulus), Some(secret)) => Ok(Exchange { modulus, secret }),
            _ => Err(refused("expected a secret of 128 bits")),
        }
    }

    /// The number that the other side is told.
    pub(crate) fn public(&self) -> Vec<u8> {
        let two = BoxedUint::from(2_u8).resize(PRIME_BITS);
        signed(&self.modulus.power(two, &self.secret, SECRET_BITS)).to_vec()
    }

    /// The keys, from what the other side tells; with the server's address, these depend on it.
    ///
    /// # Errors
    /// A number that no honest side sends: anybody could guess what comes out.
    pub(crate) fn keys(&self, public: &[u8], address: Option<IpAddr>) -> Result<Keys> {
        let number = self.modulus.number(public).filter(|number| {
            let next = number.wrapping_add(BoxedUint::one());
            public.first().is_some_and(|first| *first < 0x80)
                && number.bits() > 1
                && next != *self.modulus.parameters.modulus().as_ref()
        });
        let Some(number) = number else {
            return Err(refused("expected a public number from 2 to two below the prime"));
        };
        let material = signed(&self.modulus.power(number, &self.secret, SECRET_BITS));
        let (to_server, to_client) = material.split_at(material.len() / 2);
        let (to_server, to_client) = (part_key(to_server, address), part_key(to_client, address));
        Ok(Keys { to_server, to_client })
    }
}

/// Vector and key, which are the same, from half of what both sides know.
fn part_key(half: &[u8], address: Option<IpAddr>) -> Key {
    let digest = match address.map(|address| address.to_canonical()) {
        None => Md5::digest(half),
        Some(IpAddr::V4(address)) => keyed(address.octets(), half),
        Some(IpAddr::V6(address)) => keyed(address.octets(), half),
    };
    Key { vector: digest.into(), key: digest.into() }
}

/// Hash of the HMAC of `half`.
fn keyed<const N: usize>(address: [u8; N], half: &[u8]) -> md5::digest::Output<Md5> {
    // A key that is shorter than a block is filled up with zeros (RFC 2104, 2).
    let mut key = [0; 64];
    key.iter_mut().zip(address).for_each(|(to, from)| *to = from);
    let hmac = Hmac::<Md5>::new(&key.into());
    Md5::digest(hmac.chain_update(half).finalize().into_bytes())
}

/// The keys that an RSA client has chosen.
fn chosen_keys(&[out_vector, out_key, in_vector, in_key]: &RsaSecret) -> Keys {
    Keys {
        to_server: Key { vector: out_vector, key: out_key },
        to_client: Key { vector: in_vector, key: in_key },
    }
}

/// An RSA key to encrypt with, for clients: the exponent is 65537.
#[derive(Clone, Debug)]
pub struct RsaPublicKey {
    modulus: Modulus,
}

impl RsaPublicKey {
    /// The modulus, big-endian, which is what `RsaPubKey` of a `ServiceConf` has in hexadecimal.
    ///
    /// # Errors
    /// A modulus that is even, shorter than 1024 bits or longer than 8192.
    pub fn new(modulus: &[u8]) -> Result<Self> {
        let modulus = without_zeros(modulus);
        let bits = u32::try_from(modulus.len()).unwrap_or(u32::MAX).saturating_mul(8);
        let number = BoxedUint::from_be_slice(modulus, bits.min(MAX_RSA_BITS)).ok();
        let found = number.and_then(Modulus::new).filter(|modulus| modulus.bits >= 1024);
        let Some(modulus) = found else {
            let text = format!(
                "expected an odd RSA modulus of 1024 to {MAX_RSA_BITS} bits, found one of {bits}"
            );
            return Err(refused(text));
        };
        Ok(RsaPublicKey { modulus })
    }

    fn len(&self) -> usize {
        self.modulus.bits.div_ceil(8) as usize
    }

    /// Keys, and what tells the server of them.
    pub(crate) fn exchange(&self, random: &mut Random) -> Result<(Keys, Vec<u8>)> {
        let mut secret = Zeroizing::new(RsaSecret::default());
        random(secret.as_flattened_mut());
        let told = self.encrypt(secret.as_flattened(), random)?;
        Ok((chosen_keys(&secret), told))
    }

    /// Encrypts a secret for the server.
    fn encrypt(&self, secret: &[u8], random: &mut Random) -> Result<Vec<u8>> {
        let mut padded = Zeroizing::new(vec![0; self.len()]);
        // 00 02, bytes that are not 0, 00, the secret.
        let room = padded.len().checked_sub(secret.len());
        let room = room.and_then(|head| padded.split_at_mut_checked(head));
        let Some(([_, two, padding @ .., _], end)) = room else {
            return Err(refused("expected a longer RSA modulus"));
        };
        *two = 2;
        end.copy_from_slice(secret);
        random(padding);
        for byte in padding.iter_mut().filter(|byte| **byte == 0) {
            // A source that gives nothing but zeros is none.
            for _ in 0..64 {
                random(std::slice::from_mut(byte));
                if *byte != 0 {
                    break;
                }
            }
            if *byte == 0 {
                return Err(refused("expected random bytes, found zeros only"));
            }
        }
        let Some(number) = self.modulus.number(&padded) else {
            return Err(refused("expected a longer RSA modulus"));
        };
        let exponent = BoxedUint::from(65_537_u32);
        let told = self.modulus.power(number, &exponent, 17).to_be_bytes();
        Ok(last_bytes(&told, self.len()).to_vec())
    }
}

/// An RSA key to decrypt with, for servers. Copies share the secret, which is wiped with the last of them.
#[derive(Clone)]
pub struct RsaPrivateKey {
    public: RsaPublicKey,
    secret: Arc<Secret>,
}

/// Does not show the key.
impl std::fmt::Debug for RsaPrivateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RsaPrivateKey").finish_non_exhaustive()
    }
}

/// The secret numbers of a key: the exponent, or the two primes with an exponent for each and the inverse
/// of the second in the first (RFC 8017, 3.2), which take a quarter of the time.
enum Secret {
    Exponent(BoxedUint),
    Primes([BoxedUint; 5]),
}

impl Drop for Secret {
    fn drop(&mut self) {
        match self {
            Secret::Exponent(exponent) => exponent.zeroize(),
            Secret::Primes(numbers) => numbers.zeroize(),
        }
    }
}

impl RsaPrivateKey {
    /// Modulus and private exponent, big-endian. A key [with its primes](Self::from_pkcs8) decrypts in about
    /// a quarter of the time.
    ///
    /// # Errors
    /// As [`RsaPublicKey::new`], or an exponent that is not below the modulus.
    pub fn new(modulus: &[u8], exponent: &[u8]) -> Result<Self> {
        let public = RsaPublicKey::new(modulus)?;
        let Some(exponent) = public.modulus.number(exponent) else {
            return Err(refused("expected an RSA exponent below the modulus"));
        };
        Ok(RsaPrivateKey { public, secret: Arc::new(Secret::Exponent(exponent)) })
    }

    /// A key in PKCS #8, which is what the `RsaPriKeyFile` of a `ServiceConf` has.
    ///
    /// # Errors
    /// Bytes that are no RSA key in PKCS #8, numbers of it that do not belong together, and as
    /// [`new`](Self::new).
    pub fn from_pkcs8(der: &[u8]) -> Result<Self> {
        let Some([modulus, exponent, _, p, q, of_p, of_q, inverse]) = der::rsa_private_key(der)
        else {
            return Err(refused("expected an RSA key in PKCS #8"));
        };
        let public = RsaPublicKey::new(modulus)?;
        let number = |bytes: &[u8], prime: &[u8]| {
            let bits = u32::try_from(without_zeros(prime).len()).ok()?.checked_mul(8)?;
            BoxedUint::from_be_slice(without_zeros(bytes), bits.min(MAX_RSA_BITS)).ok()
        };
        let numbers =
            [number(p, p), number(q, q), number(of_p, p), number(of_q, q), number(inverse, p)];
        let key = numbers.into_iter().collect::<Option<Vec<_>>>().and_then(|numbers| {
            let secret = Arc::new(Secret::Primes(numbers.try_into().ok()?));
            let key = RsaPrivateKey { public, secret };
            // An encrypted number has to come back: it is above the primes, so that all of them count.
            let modulus = &key.public.modulus;
            let exponent = modulus.number(exponent)?;
            let two = BoxedUint::from(2_u8).resize(modulus.parameters.bits_precision());
            let number = modulus.parameters.modulus().wrapping_sub(&two);
            let told = modulus.power(number.clone(), &exponent, exponent.bits_vartime());
            let (back, number) = (key.power(&told)?.to_be_bytes(), number.to_be_bytes());
            (without_zeros(&back) == without_zeros(&number)).then_some(key)
        });
        key.ok_or_else(|| refused("expected an RSA key whose numbers belong together"))
    }

    /// The key for clients.
    pub fn public_key(&self) -> &RsaPublicKey {
        &self.public
    }

    /// Raises a number to the private exponent.
    fn power(&self, number: &BoxedUint) -> Option<BoxedUint> {
        let [p, q, of_p, of_q, inverse] = match &*self.secret {
            Secret::Exponent(exponent) => {
                let modulus = &self.public.modulus;
                return Some(modulus.power(number.clone(), exponent, modulus.bits));
            }
            Secret::Primes(numbers) => numbers,
        };
        let (in_p, in_q) = (Modulus::new(p.clone())?, Modulus::new(q.clone())?);
        let of_p = in_p.power(in_p.rest(number), of_p, in_p.bits);
        let of_q = in_q.power(in_q.rest(number), of_q, in_q.bits);
        let form = |number| BoxedMontyForm::new(in_p.rest(number), &in_p.parameters);
        let steps = form(&of_p).sub(&form(&of_q)).mul(&form(inverse)).retrieve();
        let product = q.concatenating_mul(&steps);
        Some(product.wrapping_add(of_q.resize(product.bits_precision())))
    }

    /// Begins to decrypt the keys that a client tells of, with the random bytes that they become if they
    /// are none.
    ///
    /// # Errors
    /// Bytes of another length than the modulus has.
    pub(crate) fn decryption(&self, told: &[u8], random: &mut Random) -> Result<Decryption> {
        let mut secret = Zeroizing::new(RsaSecret::default());
        random(secret.as_flattened_mut());
        let number = self.public.modulus.number(told);
        let Some(number) = number.filter(|_| told.len() == self.public.len()) else {
            let text = format!(
                "expected an encrypted secret of {} bytes that is below the RSA modulus",
                self.public.len()
            );
            return Err(refused(text));
        };
        Ok(Decryption { key: self.clone(), number, secret })
    }
}

/// The work of a server on the keys of a client, which takes milliseconds.
pub(crate) struct Decryption {
    key: RsaPrivateKey,
    number: BoxedUint,
    secret: Zeroizing<RsaSecret>,
}

impl Decryption {
    /// The keys that a client tells of.
    ///
    /// A wrong secret of a client becomes one that nobody knows, so that an attacker is not told
    /// which bytes decrypt to something: the first message that follows will make no sense.
    pub(crate) fn keys(self) -> Keys {
        let Decryption { key, number, mut secret } = self;
        let padded = key.power(&number);
        // The numbers of a key were checked: they have a power.
        debug_assert!(padded.is_some());
        let padded = Zeroizing::new(padded.map(|padded| padded.to_be_bytes()).unwrap_or_default());
        // Without a branch on what is in it: a mask of ones where all is as it must be.
        if let Some((head, found)) =
            last_bytes(&padded, key.public.len()).split_last_chunk::<RSA_SECRET>()
            && let [zero, two, padding @ .., end] = head
            && padding.len() >= RSA_PADDING
        {
            let wrong = zero | (two ^ 2) | end;
            let wrong = padding.iter().fold(wrong, |wrong, byte| wrong | u8::from(*byte == 0));
            let keep = u8::from(wrong == 0).wrapping_neg();
            for (byte, found) in secret.as_flattened_mut().iter_mut().zip(found) {
                *byte = (*byte & !keep) | (found & keep);
            }
        }
        chosen_keys(&secret)
    }
}
