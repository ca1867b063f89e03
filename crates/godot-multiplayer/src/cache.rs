//! Ids that stand for node paths.

use std::collections::HashMap;
use std::sync::Arc;

use gamewire_core::words::Shortened;

use crate::{ConfirmPath, Error, ErrorKind, MethodsHash, Result, SimplifyPath};

/// The ids of node paths that this side chose, and those that the peers chose, as the engine keeps
/// them.
///
/// A path gets its id, counted from 1, when it is first sent. Each peer is told once; until
/// it answers, calls to it have the whole path.
///
/// ```
/// use godot_multiplayer::{Methods, PathCache};
///
/// let hash = Methods::new().any_peer("go").hash();
/// let (mut ours, mut theirs) = (PathCache::new(), PathCache::new());
///
/// let (id, news) = ours.announce("N", 2, hash);
/// let answer = theirs.learn(1, &news.unwrap(), "N".into(), hash)?;
/// assert!(answer.agrees && !ours.is_confirmed("N", 2));
/// ours.confirm(2, answer)?;
/// assert!(ours.is_confirmed("N", 2));
/// assert_eq!(theirs.path(1, id).as_deref(), Some("N"));
/// # Ok::<(), godot_multiplayer::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathCache {
    last: u32,
    sent: HashMap<Arc<str>, u32>,
    by_id: HashMap<u32, Arc<str>>,
    /// The ids that each peer was told, and whether it has answered.
    told: HashMap<i32, HashMap<u32, bool>>,
    received: HashMap<i32, HashMap<u32, Arc<str>>>,
}

impl PathCache {
    /// The most ids that one peer may give to paths.
    pub const MAX_IDS: usize = 65_536;

    /// Without any path.
    pub fn new() -> Self {
        PathCache::default()
    }

    /// The id of a path, which gets one if it has none.
    pub fn id(&mut self, path: &str) -> u32 {
        if let Some(id) = self.sent.get(path) {
            return *id;
        }
        self.last = self.last.saturating_add(1);
        let path: Arc<str> = path.into();
        self.by_id.insert(self.last, Arc::clone(&path));
        self.sent.insert(path, self.last);
        self.last
    }

    /// The id of a path, and what has to be sent to a peer that was not told it yet.
    pub fn announce<'a>(
        &mut self,
        path: &'a str,
        peer: i32,
        methods: MethodsHash,
    ) -> (u32, Option<SimplifyPath<'a>>) {
        let id = self.id(path);
        let told = self.told.entry(peer).or_default();
        let mut news = None;
        told.entry(id).or_insert_with(|| {
            news = Some(SimplifyPath { methods, id, path: path.into() });
            false
        });
        (id, news)
    }

    /// Whether a peer has answered that it knows the id of a path.
    pub fn is_confirmed(&self, path: &str, peer: i32) -> bool {
        let ids = self.sent.get(path).zip(self.told.get(&peer));
        ids.is_some_and(|(id, told)| told.get(id) == Some(&true))
    }

    /// Takes the answer of a peer; returns the path, or `None` for one that was removed.
    ///
    /// # Errors
    /// An answer to what the peer was not told.
    pub fn confirm(&mut self, peer: i32, answer: ConfirmPath) -> Result<Option<Arc<str>>> {
        let Some(path) = self.by_id.get(&answer.id) else { return Ok(None) };
        let told = self.told.get_mut(&peer).and_then(|told| told.get_mut(&answer.id));
        let Some(confirmed) = told else {
            let path = Shortened(path);
            let text = format!("expected no answer of peer {peer} to \"{path}\", found one");
            return Err(Error::new(ErrorKind::Protocol, text));
        };
        *confirmed = true;
        Ok(Some(Arc::clone(path)))
    }

    /// Takes the id that a peer gives to `path`, the path of a node that this side has, with its
    /// methods; returns the answer.
    ///
    /// # Errors
    /// An id that the peer has given already, and more than [`MAX_IDS`](Self::MAX_IDS) of them.
    pub fn learn(
        &mut self,
        peer: i32,
        news: &SimplifyPath<'_>,
        path: Arc<str>,
        methods: MethodsHash,
    ) -> Result<ConfirmPath> {
        let id = news.id;
        let known = self.received.entry(peer).or_default();
        if known.contains_key(&id) {
            let text = format!("expected a new id of a node path, found {id} of peer {peer} again");
            return Err(Error::at(ErrorKind::Protocol, 34, text));
        }
        if known.len() >= Self::MAX_IDS {
            let text = format!("peer {peer} has given ids to {} node paths", Self::MAX_IDS);
            return Err(Error::at(ErrorKind::AllocLimit, 34, text));
        }
        known.insert(id, path);
        Ok(ConfirmPath { agrees: news.methods == methods, id })
    }

    /// The path that a peer has given an id.
    pub fn path(&self, peer: i32, id: u32) -> Option<Arc<str>> {
        self.received.get(&peer)?.get(&id).cloned()
    }

    /// Forgets a peer.
    pub fn forget(&mut self, peer: i32) {
        self.received.remove(&peer);
        self.told.remove(&peer);
    }

    /// Forgets the id of a path, because its node is gone. Ids that peers gave to it stay, as in the
    /// engine: a node may come back there.
    pub fn remove(&mut self, path: &str) {
        if let Some(id) = self.sent.remove(path) {
            self.by_id.remove(&id);
            for told in self.told.values_mut() {
                told.remove(&id);
            }
        }
    }
}
