//! Objects of derived classes where their base stands: kept whole, or refused, and never cut to the base.

use ::serde::{Deserialize, Serialize};
use kiwi_pclass::generated::Shared;
use kiwi_pclass::types::{Ptr, SerializerFlags};
use kiwi_pclass::value::RawObject;
use kiwi_pclass::*;

use crate::support::testdata;

fn file(name: &str) -> Vec<u8> {
    std::fs::read(testdata().join("fleet").join(name)).unwrap()
}

/// Both modes with a type list.
fn with(types: &str) -> [Options; 2] {
    let schema = std::sync::Arc::new(Schema::from_json(&file(types)).unwrap());
    let message = Options::new().schema(std::sync::Arc::clone(&schema));
    [message, Options::file().schema(schema)]
}

/// The bytes of a message in another mode.
fn as_in(options: &Options, from: &Options, bytes: &[u8]) -> Vec<u8> {
    options.to_vec(&from.from_slice::<Value>(bytes).unwrap()).unwrap()
}

/// As `gamewire gen pclass` makes them of types.json.
mod generated {
    kiwi_pclass::class! {
        ShipBase = "class ShipBase" ["PropertyClass"] {
            id: u32 = "m_id" "unsigned int" 0x1f;
            name: String = "m_name" "std::string" 0x1f;
        }
        Sloop: ShipBase = "class Sloop" ["class ShipBase", "PropertyClass"] {
            guns: i32 = "m_guns" "int" 0x1f;
            sail: i32 = "m_sail" "enum SailKind" 0x20001f;
            cell: kiwi_pclass::types::Point<u8> = "m_cell" "class Point<unsigned char>" 0x1f;
        }
        Fleet = "class Fleet" ["PropertyClass"] {
            ships: Vec<super::Shared<AnyShipBase>> = "m_ships" "class SharedPointer<class ShipBase>" 0x1f
                .container(kiwi_pclass::schema::Container::List);
            flag: kiwi_pclass::generated::Ptr<AnyShipBase> = "m_flag" "class ShipBase*" 0x1f;
            hostile: bool = "m_hostile" "bool" 0x1f;
        }
    }
    kiwi_pclass::derived! {
        AnyShipBase = "class ShipBase" { ShipBase = "class ShipBase"; Sloop = "class Sloop"; }
    }
}

#[test]
fn a_newer_type_list_keeps_what_generated_types_do_not_have() {
    use generated::{AnyShipBase, Fleet};
    let message = file("fleet_new.message");
    let [shallow, deep] = with("types_new.json");
    for options in [&shallow, &deep] {
        let bytes = as_in(options, &shallow, &message);
        let fleet: Fleet = options.from_slice(&bytes).unwrap();
        assert!(matches!(fleet.ships[0].get(), Some(AnyShipBase::Unknown(_))), "{fleet:?}");
        assert_eq!(options.to_vec(&fleet).unwrap(), bytes);
        // What has a variant of its own is read as before.
        let bytes = as_in(options, &shallow, &file("fleet.message"));
        let fleet: Fleet = options.from_slice(&bytes).unwrap();
        assert!(matches!(fleet.ships[0].get(), Some(AnyShipBase::Sloop(_))), "{fleet:?}");
        assert!(matches!(fleet.ships[1].get(), Some(AnyShipBase::ShipBase(_))), "{fleet:?}");
        assert_eq!(options.to_vec(&fleet).unwrap(), bytes);
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class ShipBase")]
struct ShipBase {
    m_id: u32,
    m_name: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class Fleet")]
struct Fleet<T> {
    m_ships: Vec<T>,
    m_flag: Ptr<ShipBase>,
    m_hostile: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class ShipBase")]
enum Kept {
    #[serde(rename = "class ShipBase")]
    Base(ShipBase),
    #[serde(rename = "$unknown")]
    Unknown(RawObject),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class ShipBase")]
enum Sliced {
    #[serde(rename = "class ShipBase")]
    Base(ShipBase),
}

#[derive(Debug, PartialEq, Deserialize)]
enum Lenient {
    #[serde(rename = "class ShipBase")]
    Base(ShipBase),
    #[serde(other)]
    Other,
}

#[test]
fn an_unknown_variant_takes_derived_classes_before_their_base() {
    let [shallow, deep] = with("types_new.json");
    for options in [&shallow, &deep] {
        let bytes = as_in(options, &shallow, &file("fleet_new.message"));
        let fleet: Fleet<Kept> = options.from_slice(&bytes).unwrap();
        let Kept::Unknown(raw) = &fleet.m_ships[0] else { panic!("{fleet:?}") };
        assert_eq!(raw.hash, hash!("class Frigate"));
        assert_eq!(options.to_vec(&fleet).unwrap(), bytes);
        // The bits of one mode are nothing in the other.
        let other = if std::ptr::eq(options, &deep) { &shallow } else { &deep };
        let error = other.to_vec(&fleet).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        // Nor are those of one width of lengths in the other, through another format too.
        let packed = serde_json::to_string(raw).unwrap();
        let again: RawObject = serde_json::from_str(&packed).unwrap();
        assert_eq!(again, *raw);
        let names = options.clone().flags(SerializerFlags::ENUM_NAMES);
        for raw in [raw, &again] {
            let error = names.to_vec(raw).unwrap_err().to_string();
            assert!(error.contains("cannot be written with ENUM_NAMES"), "{error}");
            assert!(options.to_vec(raw).is_ok());
        }
        // As a field of its own.
        let fleet: Fleet<Ptr<RawObject>> = options.from_slice(&bytes).unwrap();
        assert_eq!(fleet.m_ships[0].get(), Some(raw));
        assert_eq!(options.to_vec(&fleet).unwrap(), bytes);
    }
}

#[test]
fn a_derived_class_is_no_base_unless_an_option_says_so() {
    let refused = |error: Error| {
        let text = error.to_string();
        let words = "expected an object of `class ShipBase`, found one of `class Frigate`, which is derived from it";
        assert!(text.starts_with(words), "{text}");
        assert!(text.contains("slice_derived"), "{text}");
    };
    let [shallow, deep] = with("types_new.json");
    let message = file("fleet_new.message");
    for options in [&shallow, &deep] {
        let bytes = as_in(options, &shallow, &message);
        refused(options.from_slice::<Fleet<Sliced>>(&bytes).unwrap_err());
        refused(options.from_slice::<Fleet<Ptr<ShipBase>>>(&bytes).unwrap_err());
        refused(options.from_slice::<Fleet<Option<ShipBase>>>(&bytes).unwrap_err());
        let fleet: Value = options.from_slice(&bytes).unwrap();
        let root = options.to_vec(&fleet["m_ships"][0]).unwrap();
        refused(options.from_slice::<ShipBase>(&root).unwrap_err());
        refused(options.from_value::<ShipBase>(&fleet["m_ships"][0]).unwrap_err());
        // A variant for anything else takes it, as serde has it.
        let lenient: Fleet<Lenient> = options.from_slice(&bytes).unwrap();
        assert_eq!(lenient.m_ships, [Lenient::Other]);

        let slicing = options.clone().slice_derived(true);
        let base = ShipBase { m_id: 9, m_name: "Nova".into() };
        assert_eq!(slicing.from_slice::<ShipBase>(&root).unwrap(), base);
        assert_eq!(slicing.from_value::<ShipBase>(&fleet["m_ships"][0]).unwrap(), base);
        let fleet: Fleet<Sliced> = slicing.from_slice(&bytes).unwrap();
        assert_eq!(fleet.m_ships, [Sliced::Base(base.clone())]);
        let fleet: Fleet<Ptr<ShipBase>> = slicing.from_slice(&bytes).unwrap();
        assert_eq!(fleet.m_ships, [Ptr::new(base)]);
    }
}

#[test]
fn shallow_objects_of_the_schema_fit_an_unknown_variant() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class ShipBase")]
    enum Ship {
        #[serde(rename = "class Sloop")]
        Sloop(Value),
        #[serde(rename = "$unknown")]
        Unknown(RawObject),
    }
    let [shallow, deep] = with("types.json");
    for options in [&shallow, &deep] {
        let bytes = as_in(options, &shallow, &file("fleet.message"));
        let fleet: Fleet<Ship> = options.from_slice(&bytes).unwrap();
        let [Ship::Sloop(_), Ship::Unknown(raw)] = &*fleet.m_ships else { panic!("{fleet:?}") };
        assert_eq!(raw.hash, hash!("class ShipBase"));
        assert_eq!(options.to_vec(&fleet).unwrap(), bytes);
    }
    // Without the class, nothing says where the object ends.
    let error = shallow.from_slice::<Fleet<Ship>>(&file("fleet_new.message")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownClass, "{error}");
}

#[test]
fn enums_are_ints_with_a_sign() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class Sloop")]
    struct Sloop<T> {
        m_id: u32,
        m_name: String,
        m_guns: i32,
        m_sail: T,
        m_cell: (u8, u8),
    }
    fn of<T>(m_sail: T) -> Sloop<T> {
        Sloop { m_id: 1, m_name: "a".into(), m_guns: 0, m_sail, m_cell: (1, 2) }
    }
    for options in with("types.json") {
        let unsigned = of(u32::MAX);
        let bytes = options.to_vec(&unsigned).unwrap();
        assert_eq!(options.from_slice::<Sloop<u32>>(&bytes).unwrap(), unsigned);
        macro_rules! signed {
            ($($int:ty)+) => {$({
                let signed = of::<$int>(-1);
                assert_eq!(options.to_vec(&signed).unwrap(), bytes);
                assert_eq!(options.from_slice::<Sloop<$int>>(&bytes).unwrap(), signed);
            })+};
        }
        signed!(i8 i16 i32 i64);
        // That would be read as -1.
        let error = options.to_vec(&of(i64::from(u32::MAX))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NumberRange, "{error}");
    }
}
