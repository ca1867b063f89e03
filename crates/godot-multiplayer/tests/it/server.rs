//! A session that many, and strangers among them, send to.

use std::time::{Duration, Instant};

use godot_multiplayer::*;
use godot_variant::ErrorKind;

fn server(peers: impl IntoIterator<Item = i32>) -> Session {
    let mut server = Session::server();
    server.node("N", Methods::new().any_peer("go").authority("rule"));
    for peer in peers {
        server.connect(peer).unwrap();
    }
    while server.next_outgoing().is_some() {}
    server
}

fn receive<'a>(session: &mut Session, from: i32, bytes: &'a [u8]) -> Result<Option<Event<'a>>> {
    session.receive(from, TransferMode::Reliable, 0, bytes)
}

fn out(session: &mut Session) -> Vec<Outgoing> {
    std::iter::from_fn(|| session.next_outgoing()).collect()
}

fn learn(session: &mut Session, from: i32, id: u32, path: &str) {
    let news = SimplifyPath { methods: Methods::new().hash(), id, path: path.into() };
    receive(session, from, &Packet::SimplifyPath(news).to_vec().unwrap()).unwrap();
}

fn sync(time: u16, states: &[(u32, i64)]) -> Vec<u8> {
    let states = states.iter().map(|(net_id, value)| {
        let state = State::new(&(*value,)).unwrap().into_owned();
        SyncState { net_id: *net_id, state }
    });
    Packet::Sync(Sync { time, states: states.collect() }).to_vec().unwrap()
}

fn delta(ids: &[u32]) -> Vec<u8> {
    let state = State::new(&(1,)).unwrap();
    let states = ids.iter().map(|net_id| DeltaState {
        net_id: *net_id,
        properties: 1,
        state: state.clone(),
    });
    Packet::Delta(Delta { states: states.collect() }).to_vec().unwrap()
}

fn relay(peer: i32, packet: &[u8]) -> Vec<u8> {
    Packet::Sys(Sys::Relay { peer, packet: packet.into() }).to_vec().unwrap()
}

/// The ids of the synchronizers whose states an event has.
fn states(event: Result<Option<Event<'_>>>) -> Result<Vec<u32>> {
    Ok(match event? {
        Some(Event::Sync { sync, .. }) => sync.states.iter().map(|own| own.net_id).collect(),
        Some(Event::Delta { delta, .. }) => delta.states.iter().map(|own| own.net_id).collect(),
        None => Vec::new(),
        other => panic!("{other:?}"),
    })
}

const BY_PATH: u32 = 1 << 31;

/// godot#78098: only the authority of a synchronizer sends its states.
#[test]
fn states_of_others_are_dropped() {
    let mut server = server([2, 3]);
    server.node_of("Own", Methods::new(), 2);
    server.node("World", Methods::new());
    learn(&mut server, 2, 1, "Own");
    learn(&mut server, 2, 2, "World");
    learn(&mut server, 3, 1, "Own");
    let (own, world, unknown) = (1 | BY_PATH, 2 | BY_PATH, 9 | BY_PATH);
    for packet in [sync(1, &[(own, 1), (world, 1), (unknown, 1), (7, 1)]), delta(&[own, world, 7])]
    {
        assert_eq!(states(receive(&mut server, 2, &packet)).unwrap(), [own]);
        let error = states(receive(&mut server, 3, &packet)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Forbidden, "{error}");
    }
    for packet in [sync(2, &[(world, 1)]), delta(&[world])] {
        let error = states(receive(&mut server, 2, &packet)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Forbidden, "{error}");
        assert!(error.to_string().contains("expected states of the authority of \"World\""));
    }
    assert!(states(receive(&mut server, 2, &sync(3, &[(unknown, 1)]))).unwrap().is_empty());
    // A client's game moves only what the server is the authority of.
    let mut client = Session::client(2);
    client.node_of("Own", Methods::new(), 2);
    client.connect(1).unwrap();
    learn(&mut client, 1, 1, "Own");
    assert!(states(receive(&mut client, 1, &sync(1, &[(own, 1)]))).is_err());
    // A node whose authority changes is despawned by its new one alone.
    server.node_of("Spawner", Methods::new(), 2);
    learn(&mut server, 2, 3, "Spawner");
    let spawn = Packet::Spawn(Spawn {
        scene: 0,
        spawner: 3,
        net_id: 5,
        synchronizers: vec![6],
        name: "X".into(),
        argument: None,
        state: State::new(&()).unwrap(),
    });
    receive(&mut server, 2, &spawn.to_vec().unwrap()).unwrap();
    assert_eq!(states(receive(&mut server, 2, &sync(4, &[(6, 1)]))).unwrap(), [6]);
    assert!(states(receive(&mut server, 3, &sync(4, &[(6, 1)]))).unwrap().is_empty());
    server.node_of("Spawner", Methods::new(), 3);
    let despawn = Packet::Despawn(Despawn { net_id: 5 }).to_vec().unwrap();
    assert_eq!(receive(&mut server, 2, &despawn).unwrap_err().kind(), ErrorKind::Forbidden);
    server.node_of("Spawner", Methods::new(), 2);
    assert!(receive(&mut server, 2, &despawn).unwrap().is_some());
}

#[test]
fn late_states_are_dropped() {
    let mut server = server([2]);
    for (id, path) in [(1, "A"), (2, "B")] {
        server.node_of(path, Methods::new(), 2);
        learn(&mut server, 2, id, path);
    }
    let (a, b) = (1 | BY_PATH, 2 | BY_PATH);
    let mut taken = |time, ids: &[u32]| {
        let all: Vec<_> = ids.iter().map(|id| (*id, 1)).collect();
        states(receive(&mut server, 2, &sync(time, &all))).unwrap()
    };
    assert_eq!(taken(10, &[a]), [a]);
    // Each synchronizer has a time of its own, and a state counts once.
    assert_eq!(taken(9, &[a, b, b]), [b]);
    assert_eq!(taken(10, &[a, b]), [b]);
    assert_eq!(taken(10, &[a, b]), [0_u32; 0]);
    // The time wraps around.
    assert_eq!(taken(40_000, &[a]), [a]);
    assert_eq!(taken(3, &[a]), [a]);
    assert_eq!(taken(2, &[a]), [0_u32; 0]);
    // Of deltas, which are reliable, each counts.
    for _ in 0..2 {
        assert_eq!(states(receive(&mut server, 2, &delta(&[a]))).unwrap(), [a]);
    }
    // Who comes back begins anew.
    server.disconnect(2);
    server.connect(2).unwrap();
    learn(&mut server, 2, 1, "A");
    assert_eq!(states(receive(&mut server, 2, &sync(1, &[(a, 1)]))).unwrap(), [a]);
}

/// godot#89262: the engine sends states in packets of 1350 bytes, and none that is larger.
#[test]
fn the_states_of_a_tick_are_split() {
    let mut server = server([2, 3]);
    let state = |len: usize| {
        let text = "x".repeat(len.saturating_sub(8));
        State::new(&(text,)).unwrap().into_owned()
    };
    let states: Vec<_> = (1..=40).map(|id| (id, state(100))).collect();
    server.sync(0, &states).unwrap();
    let sent = out(&mut server);
    for peer in [2, 3] {
        let packets: Vec<_> = sent.iter().filter(|own| own.peer == peer).collect();
        assert_eq!(packets.len(), 4, "12 states of 108 bytes in each");
        let mut ids = Vec::new();
        for packet in packets {
            assert!(packet.bytes.len() <= 1350 && packet.transfer == TransferMode::Unreliable);
            let Packet::Sync(sync) = Packet::from_slice(&packet.bytes).unwrap() else { panic!() };
            assert_eq!(sync.time, 1, "of one tick");
            ids.extend(sync.states.iter().map(|own| own.net_id));
        }
        assert_eq!(ids, (1..=40).collect::<Vec<_>>());
    }
    let large = [(1, state(100)), (7, state(1400))];
    let error = server.sync(0, &large).unwrap_err();
    let text = "expected at most 1350 bytes in a state of synchronizer 7, found 1400";
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::OutputLimit, text));
    assert!(out(&mut server).is_empty(), "nothing is sent");
    let mut server = server.max_sync_packet_size(2000).max_delta_packet_size(1000);
    server.sync(2, &large).unwrap();
    assert_eq!(out(&mut server).len(), 1);
    let deltas: Vec<_> = (1..=20).map(|id| (id, 1, state(100))).collect();
    server.delta(2, &deltas).unwrap();
    assert_eq!(out(&mut server).len(), 3);
    assert!(server.delta(2, &[(1, 1, state(1400))]).is_err());
    // A tick without states is no packet.
    server.sync(2, &[]).unwrap();
    server.sync(2, &[(1, State::new(&()).unwrap())]).unwrap();
    assert!(out(&mut server).is_empty());
}

/// Over ENet a client chooses its id: none takes that of the server, or of another.
#[test]
fn an_id_belongs_to_one_peer() {
    for authenticates in [false, true] {
        let mut server = Session::server().authenticates(authenticates);
        server.connect(2).unwrap();
        for id in [2, 1, 0, -1, i32::MIN] {
            let error = server.connect(id).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
        }
        server.disconnect(2);
        server.connect(2).unwrap();
    }
    let mut client = Session::client(7);
    client.connect(1).unwrap();
    for id in [1, 7, 0, -7] {
        assert!(client.connect(id).is_err(), "{id}");
    }
    // Nor does the server name one twice.
    let add = |id| Packet::Sys(Sys::AddPeer(id)).to_vec().unwrap();
    for id in [1, 7, 0] {
        assert!(receive(&mut client, 1, &add(id)).is_err(), "{id}");
    }
    assert!(receive(&mut client, 1, &add(8)).unwrap().is_some());
    assert!(receive(&mut client, 1, &add(8)).is_err());
    assert_eq!(client.peers(), [1, 8]);
}

#[test]
fn a_packet_for_all_is_held_once() {
    let mut server = server(2..502);
    let packet = relay(0, &[3; 1 << 20]);
    let event = receive(&mut server, 2, &packet).unwrap();
    assert!(matches!(event, Some(Event::Bytes { from: 2, .. })));
    let sent = out(&mut server);
    assert_eq!(sent.len(), 499);
    assert!(sent.iter().all(|own| std::sync::Arc::ptr_eq(&own.bytes, &sent[0].bytes)));
    // What the server sends itself, too.
    server.call(0, "N", "go", &("x".repeat(1000),)).unwrap();
    server.send_bytes(0, &[7; 1000]).unwrap();
    let mut shared: Vec<_> = out(&mut server).into_iter().map(|own| own.bytes).collect();
    shared.retain(|own| own.len() > 500);
    shared.sort_by_key(|own| own.as_ptr());
    shared.dedup_by_key(|own| own.as_ptr());
    assert_eq!(shared.len(), 2, "one call, and the bytes");
}

/// Nobody's packets are in the way of others.
#[test]
fn what_waits_for_a_peer_is_bounded() {
    let limit = 1 << 20;
    let fresh = || server(2..6).max_output(limit);
    let waits = |sent: &[Outgoing], peer| -> usize {
        let own = sent.iter().filter(|own| own.peer == peer);
        own.map(|own| own.bytes.len()).sum()
    };
    // Peer 2 floods all in one turn: it is its packets that are refused.
    let mut server = fresh();
    let packet = relay(0, &[3; 100_000]);
    let taken: Vec<_> = (0..100).map(|_| receive(&mut server, 2, &packet).is_ok()).collect();
    assert_eq!(taken.iter().filter(|own| **own).count(), 2);
    let error = receive(&mut server, 2, &packet).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit, "{error}");
    assert!(receive(&mut server, 3, &packet).is_ok(), "another peer has its own part");
    assert!(server.next_event().is_none());
    let sent = out(&mut server);
    assert!((3..6).all(|peer| waits(&sent, peer) <= limit / 2));
    assert!(receive(&mut server, 2, &packet).is_ok(), "what was sent waits no more");

    // Peer 5 does not read: it is named, once, and the others have all.
    let mut server = fresh();
    for _ in 0..100 {
        receive(&mut server, 2, &packet).unwrap();
        for peer in [2, 3, 4] {
            while server.next_outgoing_for(peer).is_some() {}
        }
    }
    assert!(matches!(server.next_event(), Some(Event::Overflow(5))));
    assert!(server.next_event().is_none());
    assert!(server.next_outgoing().is_none(), "nothing is held for it");
    server.send_bytes(0, &[1]).unwrap();
    assert!(server.next_outgoing_for(5).is_none());
    server.disconnect(5);
    server.connect(5).unwrap();
    assert!(server.next_outgoing_for(5).is_some());

    // So is one for which the server's own packets do not fit.
    let mut server = fresh();
    while server.next_event().is_none() {
        server.send_bytes(4, &[1; 1000]).unwrap();
    }
    // Small packets count with what they take.
    let mut server = fresh();
    let calls = (0..).take_while(|_| {
        server.send_bytes(4, &[1]).unwrap();
        server.next_event().is_none()
    });
    assert!(calls.count() < limit / 64);

    // What is unreliable may be lost, and is no reason to leave.
    let mut server = fresh();
    for _ in 0..1000 {
        server.receive(2, TransferMode::Unreliable, 0, &packet).unwrap();
        server.sync(4, &[(1, State::new(&("x".repeat(1000),)).unwrap())]).unwrap();
    }
    assert!(server.next_event().is_none());
    assert!(waits(&out(&mut server), 4) <= limit);
}

/// Peers whose link breaks leave in one turn.
#[test]
fn leaving_together_is_linear() {
    let time = |count: i32| {
        let mut least = Duration::MAX;
        // The machine may have other work.
        for _ in 0..5 {
            let mut server = server(2..count + 2);
            let begun = Instant::now();
            (3..count + 2).for_each(|peer| server.disconnect(peer));
            least = least.min(begun.elapsed());
            assert_eq!(server.peers(), [2]);
            assert_eq!(out(&mut server).len(), count as usize - 1, "2 hears of each");
        }
        least
    };
    let (some, many) = (time(200), time(800));
    assert!(many < some * 8 + Duration::from_millis(2), "{some:?} for 200, {many:?} for 800");
}

/// A million synchronizers of one peer are none of another's business.
#[test]
fn a_peer_leaves_whatever_others_have() {
    let mut server = server([2]);
    server.node_of("Spawner", Methods::new(), 2);
    learn(&mut server, 2, 1, "Spawner");
    for net_id in 0..16 {
        let synchronizers = (0..60_000).map(|own| own + 100_000 * (net_id + 1)).collect();
        let spawn = Packet::Spawn(Spawn {
            scene: 0,
            spawner: 1,
            net_id,
            synchronizers,
            name: "X".into(),
            argument: None,
            state: State::new(&()).unwrap(),
        });
        receive(&mut server, 2, &spawn.to_vec().unwrap()).unwrap();
    }
    let times = (0..5).map(|_| {
        let begun = Instant::now();
        for _ in 0..1000 {
            server.connect(3).unwrap();
            server.disconnect(3);
        }
        begun.elapsed()
    });
    // It took 3 s; the machine may have other work.
    let least = times.min().unwrap();
    assert!(least < Duration::from_millis(300), "{least:?}");
}

#[test]
fn a_relayed_packet_stays_what_it_is() {
    let mut server = server([2, 3]);
    let packet = relay(3, &[3, 1]);
    for (transfer, channel) in [
        (TransferMode::Unreliable, 0),
        (TransferMode::UnreliableOrdered, 2),
        (TransferMode::Reliable, 5),
    ] {
        server.receive(2, transfer, channel, &packet).unwrap();
        let sent = server.next_outgoing().unwrap();
        assert_eq!((sent.peer, sent.transfer, sent.channel), (3, transfer, channel));
    }
    // A client's, on its way there.
    let mut client = Session::client(2);
    let method = Method::new("moved").transfer(TransferMode::Unreliable).channel(4);
    client.node_of("N", Methods::new().method(method), 2);
    client.connect(1).unwrap();
    receive(&mut client, 1, &Packet::Sys(Sys::AddPeer(3)).to_vec().unwrap()).unwrap();
    client.call(3, "N", "moved", &(1,)).unwrap();
    let sent = out(&mut client);
    let call = sent.last().unwrap();
    assert_eq!((call.peer, call.transfer, call.channel), (1, TransferMode::Unreliable, 4));
}

#[test]
fn authentication_ends() {
    let mut server = Session::server().authenticates(true);
    let at = Duration::from_millis;
    server.connect(2).unwrap();
    server.handle_timeout(at(1000));
    server.connect(3).unwrap();
    assert_eq!(server.pending().collect::<Vec<_>>(), [2, 3]);
    let more = (10..).take_while(|peer| server.connect(*peer).is_ok()).count();
    assert_eq!(more, Session::MAX_PENDING - 2);
    assert_eq!(server.connect(4).unwrap_err().kind(), ErrorKind::AllocLimit);
    (10..).take(more).for_each(|peer| server.disconnect(peer));
    server.send_auth(2, b"who are you?").unwrap();
    server.handle_timeout(at(3900));
    assert!(server.next_event().is_none());
    // 3 s after it was seen first; what waited for it is gone.
    server.handle_timeout(at(4000));
    assert!(matches!(server.next_event(), Some(Event::AuthFailed(2))));
    assert!(server.next_event().is_none() && server.next_outgoing().is_none());
    assert_eq!(server.pending().collect::<Vec<_>>(), [3]);
    let error = receive(&mut server, 2, &[7, 0, 1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Gone, "it was on its way");
    // A side that is done waits no longer for the other.
    server.complete_auth(3).unwrap();
    server.handle_timeout(at(6900));
    assert!(matches!(server.next_event(), Some(Event::AuthFailed(3))));
    // Who was admitted stays.
    server.connect(5).unwrap();
    server.complete_auth(5).unwrap();
    receive(&mut server, 5, &[7, 0]).unwrap();
    server.handle_timeout(at(100_000));
    assert!(server.next_event().is_none());
    assert_eq!(server.peers(), [5]);
    let mut patient = Session::server().authenticates(true).auth_timeout(Duration::ZERO);
    patient.connect(2).unwrap();
    patient.handle_timeout(at(0));
    patient.handle_timeout(at(1_000_000));
    assert_eq!(patient.pending().count(), 1);
}
