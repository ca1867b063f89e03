//! Sessions that talk to one another.

use godot_multiplayer::*;
use godot_variant::{ErrorKind, Options, Value};

/// Sessions that pass packets to each other, as a transport would.
struct Net(Vec<Session>);

impl Net {
    fn new(ids: &[i32]) -> Self {
        let mut net = Net(ids.iter().map(|id| Session::client(*id)).collect());
        for session in &mut net.0 {
            session.node("N", Methods::new().any_peer("go").authority("rule"));
            session.node("Spawner", Methods::new());
        }
        for id in &ids[1..] {
            net.of(1).connect(*id).unwrap();
            net.of(*id).connect(1).unwrap();
            net.run();
        }
        net
    }

    fn of(&mut self, id: i32) -> &mut Session {
        self.0.iter_mut().find(|session| session.id() == id).unwrap()
    }

    /// Delivers everything; says who heard what.
    fn run(&mut self) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let packets: Vec<_> = self
                .0
                .iter_mut()
                .flat_map(|session| {
                    let from = session.id();
                    std::iter::from_fn(move || session.next_outgoing().map(|packet| (from, packet)))
                        .collect::<Vec<_>>()
                })
                .collect();
            if packets.is_empty() {
                return heard;
            }
            for (from, packet) in packets {
                let event = self
                    .of(packet.peer)
                    .receive(from, TransferMode::Reliable, 0, &packet.bytes)
                    .unwrap();
                let line = match event {
                    Some(Event::Call(call)) => {
                        format!("{} calls {}{:?}", call.from, call.method, call.arguments)
                    }
                    Some(Event::PeerConnected(peer)) => format!("hears of {peer}"),
                    Some(Event::PeerDisconnected(peer)) => format!("loses {peer}"),
                    Some(Event::Bytes { from, bytes }) => format!("{from} sends {bytes:?}"),
                    _ => continue,
                };
                heard.push(format!("{}: {line}", packet.peer));
            }
        }
    }
}

#[test]
fn clients_reach_each_other_through_the_server() {
    let mut net = Net::new(&[1, 2, 3]);
    assert_eq!(net.of(2).peers(), [1, 3]);
    assert_eq!(net.of(3).peers(), [1, 2]);
    net.of(2).call(3, "N", "go", &("hi",)).unwrap();
    assert_eq!(net.run(), ["3: 2 calls go[\"hi\"]"]);
    // To all: one packet to each, the one for the other client through the server.
    net.of(2).call(0, "N", "go", &(1,)).unwrap();
    let mut heard = net.run();
    heard.sort();
    assert_eq!(heard, ["1: 2 calls go[1]", "3: 2 calls go[1]"]);
    net.of(1).call(-2, "N", "go", &()).unwrap();
    assert_eq!(net.run(), ["3: 1 calls go[]"]);
    net.of(3).send_bytes(2, &[5]).unwrap();
    assert_eq!(net.run(), ["2: 3 sends [5]"]);
    net.of(1).disconnect(3);
    assert_eq!(net.run(), ["2: loses 3"]);
    assert!(net.of(2).call(3, "N", "go", &()).is_err());
    // A relayed packet for all is the server's too.
    let relay = Packet::Sys(Sys::Relay { peer: 0, packet: (&[3, 7]).into() }).to_vec().unwrap();
    let event = net.of(1).receive(2, TransferMode::Reliable, 0, &relay).unwrap();
    assert!(matches!(event, Some(Event::Bytes { from: 2, .. })), "{event:?}");
}

#[test]
fn a_path_is_sent_until_it_is_confirmed() {
    let mut server = Session::server();
    server.node("N", Methods::new().any_peer("go"));
    server.connect(2).unwrap();
    server.connect(3).unwrap();
    while server.next_outgoing().is_some() {}
    server.call(2, "N", "go", &()).unwrap();
    let id = |bytes: &[u8]| match Packet::from_slice(bytes).unwrap() {
        Packet::SimplifyPath(path) => format!("path {} is {}", path.path, path.id),
        Packet::Call(call) => format!("{:?}", call.target),
        other => format!("{other:?}"),
    };
    let sent = |server: &mut Session| {
        let out = std::iter::from_fn(|| server.next_outgoing());
        out.map(|packet| format!("{}: {}", packet.peer, id(&packet.bytes))).collect::<Vec<_>>()
    };
    assert_eq!(sent(&mut server), ["2: path N is 1", "2: Path(\"N\")"]);
    let confirm = Packet::ConfirmPath(ConfirmPath { agrees: true, id: 1 }).to_vec().unwrap();
    server.receive(2, TransferMode::Reliable, 0, &confirm).unwrap();
    // Peer 3 does not know it yet, so that peer 2 gets the id in 4 bytes.
    server.call(0, "N", "go", &()).unwrap();
    assert_eq!(sent(&mut server), ["3: path N is 1", "2: WideId(1)", "3: Path(\"N\")"]);
    server.receive(3, TransferMode::Reliable, 0, &confirm).unwrap();
    server.call(0, "N", "go", &()).unwrap();
    assert_eq!(sent(&mut server), ["2: Id(1)", "3: Id(1)"]);
    // A peer that comes back is told again.
    server.disconnect(3);
    server.connect(3).unwrap();
    server.call(3, "N", "go", &()).unwrap();
    let again = sent(&mut server);
    assert!(
        again.ends_with(&["3: path N is 1".to_owned(), "3: Path(\"N\")".to_owned()]),
        "{again:?}"
    );
}

#[test]
fn what_is_not_allowed_is_refused_and_changes_nothing() {
    let mut server = Session::server();
    server.node("N", Methods::new().any_peer("go").authority("rule"));
    server.node("Own", Methods::new().authority("rule"));
    server.node_of("Theirs", Methods::new().authority("rule"), 2);
    server.connect(2).unwrap();
    let call = |path: &'static str, method| {
        let target = Target::Path(path.into());
        Packet::Call(Call { target, method, arguments: Args::new(&()).unwrap() }).to_vec().unwrap()
    };
    let refused = |server: &mut Session, from, bytes: &[u8]| {
        let error = server.receive(from, TransferMode::Reliable, 0, bytes).unwrap_err();
        let kinds = [ErrorKind::Protocol, ErrorKind::Forbidden];
        let is_forbidden = error.to_string().contains("may not call");
        assert_eq!(error.kind(), kinds[usize::from(is_forbidden)], "{error}");
        error.to_string()
    };
    assert_eq!(refused(&mut server, 2, &call("N", 1)), "peer 2 may not call \"rule\" of \"N\"");
    assert!(server.receive(2, TransferMode::Reliable, 0, &call("Theirs", 0)).unwrap().is_some());
    refused(&mut server, 2, &call("Own", 0));
    refused(&mut server, 2, &call("Nowhere", 0));
    refused(&mut server, 2, &call("N", 2));
    refused(&mut server, 9, &call("N", 0));
    refused(&mut server, 2, &[0, 77, 0, 0]);
    refused(&mut server, 2, &Packet::Sys(Sys::AddPeer(5)).to_vec().unwrap());
    refused(&mut server, 2, &Packet::Despawn(Despawn { net_id: 1 }).to_vec().unwrap());
    let nested = Packet::Sys(Sys::Relay { peer: 0, packet: (&[7, 3, 0, 0, 0, 0, 3, 1]).into() });
    refused(&mut server, 2, &nested.to_vec().unwrap());
    assert!(server.call(2, "N", "gone", &()).is_err());
    assert!(server.call(2, "Nowhere", "go", &()).is_err());
    assert!(server.call(7, "N", "go", &()).is_err());
    assert!(server.send_bytes(2, &[]).is_err());
    // The same id for a second path.
    let path = SimplifyPath { methods: Methods::new().hash(), id: 4, path: "Own".into() };
    let path = Packet::SimplifyPath(path).to_vec().unwrap();
    let event = server.receive(2, TransferMode::Reliable, 0, &path).unwrap();
    assert!(matches!(event, Some(Event::PathLearned { agrees: false, .. })), "{event:?}");
    refused(&mut server, 2, &path);
}

#[test]
fn spawned_nodes_are_known_by_their_ids() {
    let mut net = Net::new(&[1, 2]);
    let spawn = NewSpawn::custom(State::new(&("red",)).unwrap(), "Bob").synchronizers(2);
    let spawn = spawn.state(State::new(&(1, 2)).unwrap());
    let bob = net.of(1).spawn(2, "Spawner", spawn).unwrap();
    assert_eq!(bob, Spawned { net_id: 1, synchronizers: vec![2, 3] });
    net.run();
    let known = net.of(2).synchronizer(1, 3).unwrap();
    let Synchronizer::Spawned { node, index, .. } = &known else { panic!("{known:?}") };
    assert_eq!((&**node, *index), ("Bob", 1));
    assert_eq!(net.of(2).synchronizer(1, 9), None);
    // One that is there from the start has its path.
    net.of(1).node("Sync", Methods::new());
    net.of(2).node("Sync", Methods::new());
    let id = net.of(1).synchronizer_at(2, "Sync").unwrap();
    net.run();
    assert_eq!(net.of(2).synchronizer(1, id), Some(Synchronizer::Path("Sync".into())));
    net.of(1).despawn(2, bob.net_id).unwrap();
    net.run();
    assert_eq!(net.of(2).synchronizer(1, 3), None);
    // Only the authority of the spawner may spawn.
    let error = net.of(2).spawn(1, "Spawner", NewSpawn::scene(0, "Eve")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Forbidden);
}

#[test]
fn peers_that_authenticate_are_admitted_when_both_are_done() {
    let mut server = Session::server().authenticates(true);
    let mut client = Session::client(2).authenticates(true);
    server.connect(2).unwrap();
    client.connect(1).unwrap();
    client.send_auth(1, b"token").unwrap();
    let packet = client.next_outgoing().unwrap();
    let event = server.receive(2, TransferMode::Reliable, 0, &packet.bytes).unwrap();
    assert!(matches!(&event, Some(Event::Auth { from: 2, bytes }) if **bytes == *b"token"));
    assert!(server.receive(2, TransferMode::Reliable, 0, &[3, 1]).is_err());
    assert!(!server.complete_auth(2).unwrap());
    let packet = server.next_outgoing().unwrap();
    let event = client.receive(1, TransferMode::Reliable, 0, &packet.bytes).unwrap();
    assert!(matches!(&event, Some(Event::Auth { from: 1, bytes }) if bytes.is_empty()));
    assert!(client.complete_auth(1).unwrap());
    assert_eq!(client.peers(), [1]);
    let packet = client.next_outgoing().unwrap();
    let event = server.receive(2, TransferMode::Reliable, 0, &packet.bytes).unwrap();
    assert!(matches!(event, Some(Event::PeerConnected(2))), "{event:?}");
    assert_eq!(server.peers(), [2]);
    assert!(server.send_auth(2, b"x").is_err());
    assert!(server.complete_auth(2).is_err());
}

#[test]
fn a_first_packet_that_is_refused_admits_its_peer() {
    let mut server = Session::server().authenticates(true);
    server.connect(2).unwrap();
    assert!(!server.complete_auth(2).unwrap());
    // Bytes of which there are none.
    assert!(server.receive(2, TransferMode::Reliable, 0, &[3]).is_err());
    assert_eq!(server.peers(), [2]);
    assert!(server.complete_auth(2).is_err());
}

#[test]
fn methods_are_numbered_by_name() {
    let methods = Methods::new().any_peer("b").authority("a").any_peer("é").any_peer("z");
    let ids: Vec<_> = ["a", "b", "z", "é", "c"].iter().map(|name| methods.id(name)).collect();
    assert_eq!(ids, [Some(0), Some(1), Some(2), Some(3), None]);
    let methods = methods.native(Method::new("own")).native(Method::new("late"));
    assert_eq!((methods.id("late"), methods.id("own")), (Some(0x8000), Some(0x8001)));
    assert_eq!(methods.get(0x8001).map(Method::name), Some("own"));
    assert_eq!(methods.get(0x8002), None);
    assert_eq!(
        Methods::new().any_peer("go").hash().to_string(),
        "34d1f91fb2e514b8576fab1a75a89a6b"
    );
    assert_eq!(Methods::new().hash().to_string(), "d41d8cd98f00b204e9800998ecf8427e");
}

#[test]
fn options_are_those_of_the_arguments() {
    let mut server = Session::server().options(Options::new().allow_objects(true));
    server.node("N", Methods::new().any_peer("go"));
    server.connect(2).unwrap();
    let object = Value::from(godot_variant::value::Instance::new("Node"));
    server.call(2, "N", "go", &(&object,)).unwrap();
    let mut client = Session::client(2).options(Options::new().allow_objects(true));
    client.node("N", Methods::new().any_peer("go"));
    client.connect(1).unwrap();
    let sent: Vec<_> = std::iter::from_fn(|| server.next_outgoing()).collect();
    let event = client.receive(1, TransferMode::Reliable, 0, &sent[1].bytes).unwrap();
    let Some(Event::Call(call)) = &event else { panic!("{event:?}") };
    assert_eq!(call.args::<(Value,)>().unwrap().0, object);
}

/// What was on its way is told from what breaks a rule.
#[test]
fn what_is_just_gone_is_no_offence() {
    let mut server = Session::server();
    server.node("N", Methods::new().any_peer("go"));
    for peer in [2, 3] {
        server.connect(peer).unwrap();
    }
    let call = |path: &'static str| {
        let target = Target::Path(path.into());
        Packet::Call(Call { target, method: 0, arguments: Args::new(&()).unwrap() })
            .to_vec()
            .unwrap()
    };
    let relay = |peer| {
        let relay = Packet::Sys(Sys::Relay { peer, packet: (&[3, 1]).into() });
        relay.to_vec().unwrap()
    };
    let kind = |server: &mut Session, from, bytes: &[u8]| {
        server.receive(from, TransferMode::Reliable, 0, bytes).unwrap_err().kind()
    };
    server.disconnect(3);
    server.remove_node("N");
    assert_eq!(kind(&mut server, 2, &relay(3)), ErrorKind::Gone);
    assert_eq!(kind(&mut server, 2, &relay(4)), ErrorKind::Protocol);
    assert_eq!(kind(&mut server, 3, &call("N")), ErrorKind::Gone);
    assert_eq!(kind(&mut server, 2, &call("N")), ErrorKind::Gone);
    assert_eq!(kind(&mut server, 2, &call("M")), ErrorKind::Protocol);
    assert_eq!(server.call(3, "N", "go", &()).unwrap_err().kind(), ErrorKind::Gone);
    // What comes back is there, and what goes after it is gone alone.
    server.connect(3).unwrap();
    server.node("N", Methods::new().any_peer("go"));
    assert!(
        server.receive(3, TransferMode::Reliable, 0, &call("N")).is_ok()
            && server.receive(2, TransferMode::Reliable, 0, &relay(3)).is_ok()
    );
    server.node_of("S", Methods::new(), 2);
    let news = SimplifyPath { methods: Methods::new().hash(), id: 1, path: "S".into() };
    server
        .receive(2, TransferMode::Reliable, 0, &Packet::SimplifyPath(news).to_vec().unwrap())
        .unwrap();
    let spawn = Spawn {
        scene: 0,
        spawner: 1,
        net_id: 7,
        synchronizers: vec![],
        name: "X".into(),
        argument: None,
        state: State::new(&()).unwrap(),
    };
    server.receive(2, TransferMode::Reliable, 0, &Packet::Spawn(spawn).to_vec().unwrap()).unwrap();
    let despawn = Packet::Despawn(Despawn { net_id: 7 }).to_vec().unwrap();
    server.receive(2, TransferMode::Reliable, 0, &despawn).unwrap();
    assert_eq!(kind(&mut server, 2, &despawn), ErrorKind::Gone);
}

#[test]
fn who_comes_late_has_what_is_there_and_what_is_owned_goes() {
    let mut server = Session::server();
    server.node("Spawner", Methods::new());
    server.connect(2).unwrap();
    let player = NewSpawn::scene(0, "P2").synchronizers(1).state(State::new(&(1,)).unwrap());
    let player = server.keep(2, "Spawner", player).unwrap();
    let tree = server.keep(None, "Spawner", NewSpawn::scene(1, "Tree")).unwrap();
    server.keep_state(player.net_id, State::new(&(5,)).unwrap());
    while server.next_outgoing().is_some() {}
    server.connect(3).unwrap();
    let sent = |server: &mut Session| {
        let out = std::iter::from_fn(|| server.next_outgoing());
        let packets = out.map(|out| match Packet::from_slice(&out.bytes).unwrap() {
            Packet::Spawn(own) => {
                format!("{}: {} {} {:?}", out.peer, own.name, own.net_id, own.state)
            }
            Packet::Despawn(own) => format!("{}: {} is gone", out.peer, own.net_id),
            other => format!("{}: {}", out.peer, other.name()),
        });
        packets.filter(|own| !own.ends_with(" packet")).collect::<Vec<_>>()
    };
    let expected = [
        "3: a path to simplify".to_owned(),
        format!("3: P2 {} [5]", player.net_id),
        format!("3: Tree {} []", tree.net_id),
    ];
    assert_eq!(sent(&mut server), expected);
    server.disconnect(2);
    assert_eq!(sent(&mut server), [format!("3: {} is gone", player.net_id)]);
    server.despawn(0, tree.net_id).unwrap();
    assert_eq!(sent(&mut server), [format!("3: {} is gone", tree.net_id)]);
    server.connect(4).unwrap();
    assert!(sent(&mut server).is_empty());
}

/// Until 4.2 a path was confirmed by itself.
#[test]
fn answers_of_earlier_versions_are_named() {
    let mut server = Session::server();
    server.node("Chat", Methods::new());
    server.connect(2).unwrap();
    let error = server.receive(2, TransferMode::Reliable, 0, b"\x02\x01Chat\0").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("as Godot 4.0 to 4.2 do"), "{error}");
}
