//! Names of types in both notations.

use resonite_save::model::TypeName;

#[test]
fn names_go_there_and_back() {
    for text in [
        "int",
        "float3?",
        "[FrooxEngine]FrooxEngine.Grabbable",
        "[ProtoFluxBindings]FrooxEngine.ProtoFlux.Runtimes.Execution.Nodes.ValueWrite<[FrooxEngine]FrooxEngine.ProtoFlux.FrooxEngineContext,float3>",
        "[FrooxEngine]FrooxEngine.ProtoFlux.CoreNodes.FieldDriveBase<float3?>+Proxy",
        "[A]N.Outer<int>+Inner<string,[B]M.C>?[][,]",
        "[A]N.Open<,>",
        "[A]N.Open<>",
        "[A]N.C<int[]>[]",
    ] {
        assert_eq!(text.parse::<TypeName>().unwrap().to_string(), text);
    }
    let spaced: TypeName = "[A]N.C< int , [B]M.D >".parse().unwrap();
    assert_eq!(spaced.to_string(), "[A]N.C<int,[B]M.D>");
}

#[test]
fn net_names_go_there_and_back() {
    for text in [
        "FrooxEngine.InventoryItem",
        "FrooxEngine.ValueMultiDriver`1[[BaseX.color, BaseX, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null]]",
        "A.B`1+C`2[[System.Int32, mscorlib],[X.Y`1[[Z.Q, Z]], X],[R, S]]",
        "A.B`2",
        "A.B`1[[System.String, mscorlib, Version=4.0.0.0]][]",
    ] {
        let name = TypeName::parse_net(text).unwrap();
        assert_eq!(name.to_net(), text);
        // Resonite's notation of it can be read too.
        let text = name.to_string();
        assert_eq!(text.parse::<TypeName>().unwrap().to_string(), text);
    }
}

#[test]
fn old_names_become_modern() {
    for (old, new) in [
        ("FrooxEngine.InventoryItem", "[FrooxEngine]FrooxEngine.InventoryItem"),
        (
            "FrooxEngine.ValueField`1[[System.Single, mscorlib]]",
            "[FrooxEngine]FrooxEngine.ValueField<float>",
        ),
        (
            "FrooxEngine.ValueField`1[[System.Nullable`1[[BaseX.float3, BaseX]], mscorlib]]",
            "[FrooxEngine]FrooxEngine.ValueField<float3?>",
        ),
        (
            "FrooxEngine.ValueField`1[[BaseX.Rect, BaseX]]",
            "[FrooxEngine]FrooxEngine.ValueField<[Elements.Core]Elements.Core.Rect>",
        ),
        (
            "FrooxEngine.A+B`1[[CodeX.Mesh, CodeX]]",
            "[FrooxEngine]FrooxEngine.A+B<[Elements.Assets]Elements.Assets.Mesh>",
        ),
    ] {
        assert_eq!(TypeName::parse_net(old).unwrap().modern().to_string(), new);
    }
}

#[test]
fn what_is_no_name() {
    let error = |text: &str| text.parse::<TypeName>().unwrap_err().to_string();
    assert_eq!(error(""), "expected a name of a type name, found the end at byte 0x0");
    assert_eq!(error("[A"), "expected `]` of a type name, found the end at byte 0x2");
    assert_eq!(error("[]B"), "expected an assembly of a type name, found `]B` at byte 0x1");
    assert_eq!(error("A<int"), "expected `>` of a type name, found the end at byte 0x5");
    assert_eq!(error("A>"), "expected the end of a type name, found `>` at byte 0x1");
    assert_eq!(error("A..B"), "expected a name of a type name, found the end at byte 0x4");
    assert_eq!(
        error(&format!("{}int{}", "A<".repeat(100), ">".repeat(100))),
        "the arguments of a type name nest deeper than 64 at byte 0x82"
    );
    let error = |text: &str| TypeName::parse_net(text).unwrap_err().to_string();
    assert_eq!(
        error("A`x"),
        "expected an arity before this of a type name, found the end at byte 0x3"
    );
    assert_eq!(
        error("A`2[[B]]"),
        "expected 2 arguments before this of a type name, found `]` at byte 0x7"
    );
}
