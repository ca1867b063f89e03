//! The duties of every server: nodes for late peers, and the end of others.

use std::borrow::Borrow;
use std::collections::VecDeque;
use std::sync::Arc;

use super::{NewSpawn, Session, Spawned, To};
use crate::{ErrorKind, Result, State};

/// A node that all peers have.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// The peer with whom it goes.
    owner: Option<i32>,
    spawner: Arc<str>,
    scene: u8,
    name: Arc<str>,
    argument: Option<State<'static>>,
    state: Option<State<'static>>,
    pub(crate) ids: Spawned,
}

impl Session {
    /// [Spawns](Self::spawn) a node on all peers and on each that comes later; it is despawned when its
    /// owner disconnects.
    ///
    /// ```
    /// use godot_multiplayer::{Methods, NewSpawn, Session, State};
    ///
    /// let mut server = Session::server();
    /// server.node("Main/Spawner", Methods::new());
    /// server.connect(2)?;
    /// let player = NewSpawn::scene(0, "Player2").synchronizers(1).state(State::new(&(1.5,))?);
    /// let player = server.keep(2, "Main/Spawner", player)?;
    /// // Who comes late has the state of now.
    /// server.keep_state(player.net_id, State::new(&(9.0,))?);
    /// server.connect(3)?;
    /// server.disconnect(2);
    /// # Ok::<(), godot_multiplayer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`spawn`](Self::spawn).
    pub fn keep(
        &mut self,
        owner: impl Into<Option<i32>>,
        spawner: &str,
        spawn: NewSpawn<'_>,
    ) -> Result<Spawned> {
        let ids = self.spawn(To::All, spawner, spawn.clone())?;
        self.kept.push(Kept {
            owner: owner.into(),
            spawner: spawner.into(),
            scene: spawn.scene,
            name: spawn.name.into(),
            argument: spawn.argument.map(State::into_owned),
            state: spawn.state.map(State::into_owned),
            ids: ids.clone(),
        });
        Ok(ids)
    }

    /// Sets the state with which a kept node is spawned on peers that come later.
    pub fn keep_state(&mut self, net_id: u32, state: State<'_>) {
        if let Some(kept) = self.kept.iter_mut().find(|kept| kept.ids.net_id == net_id) {
            kept.state = Some(state.into_owned());
        }
    }

    /// Spawns what is kept on a peer that came.
    pub(super) fn spawn_kept(&mut self, peer: i32) {
        let all = std::mem::take(&mut self.kept);
        for kept in &all {
            let mut spawn = NewSpawn::scene(kept.scene, &kept.name).again(kept.ids.clone());
            spawn.argument.clone_from(&kept.argument);
            spawn.state.clone_from(&kept.state);
            // A spawner that was removed has nothing to spawn any more.
            let _ = self.spawn(peer, &kept.spawner, spawn);
        }
        self.kept = all;
    }

    /// Despawns what went with a peer.
    pub(super) fn despawn_kept(&mut self, peer: i32) {
        let own = self.kept.iter().filter(|kept| kept.owner == Some(peer));
        let ids: Vec<u32> = own.map(|kept| kept.ids.net_id).collect();
        for net_id in ids {
            // Of all peers, none of which can be unknown.
            let _ = self.despawn(To::All, net_id);
        }
    }
}

/// The last that went: what still arrives for them is no offence.
#[derive(Clone, Debug)]
pub(crate) struct Departed<T>(VecDeque<T>);

impl<T> Default for Departed<T> {
    fn default() -> Self {
        Departed(VecDeque::new())
    }
}

impl<T> Departed<T> {
    /// The number that is remembered.
    const MOST: usize = 1024;

    pub(crate) fn add(&mut self, gone: T) {
        if self.0.len() >= Self::MOST {
            self.0.pop_front();
        }
        self.0.push_back(gone);
    }

    pub(crate) fn came_back<Q: Eq + ?Sized>(&mut self, one: &Q)
    where
        T: Borrow<Q>,
    {
        self.0.retain(|own| own.borrow() != one);
    }

    /// The kind of the error for one that is missing.
    pub(crate) fn kind<Q: Eq + ?Sized>(&self, one: &Q) -> ErrorKind
    where
        T: Borrow<Q>,
    {
        match self.0.iter().any(|own| own.borrow() == one) {
            true => ErrorKind::Gone,
            false => ErrorKind::Protocol,
        }
    }
}
