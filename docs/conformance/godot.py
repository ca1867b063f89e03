"""Godot's Variant, written from docs/formats/godot-variant.md alone:

gamewire conformance godot-variant -- python3 docs/conformance/godot.py

Values are in the notation of testdata/godot-variant/vectors/README.md from the start. Skipped is what only an engine
knows: what becomes of a whole object, the arithmetic between Basis and Quaternion, and its text of values.
"""
import decimal, gzip, hashlib, json, math, struct, sys, zlib
try: from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
except ImportError: Cipher = print("SKIPPED: encrypted files, without the module cryptography", file=sys.stderr)
try: from cryptography.hazmat.decrepit.ciphers.modes import CFB
except ImportError: CFB = Cipher and modes.CFB
sys.setrecursionlimit(20000)

NAMES = ("Nil Bool Int Float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D(x,y,origin) Vector4 Vector4i Plane "
         "Quaternion AABB Basis(x_col,y_col,z_col) Transform3D(x_col,y_col,z_col,origin) Projection(x_col,y_col,z_col,w_col) Color "
         "StringName NodePath RID Object Callable Signal Dictionary Array PackedByteArray PackedInt32Array PackedInt64Array "
         "PackedFloat32Array PackedFloat64Array PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray "
         "PackedVector4Array").split()
OLD = [name for name in NAMES if not name.endswith("i") and name[:7] not in ("Vector4", "Project") and name not in
       ("StringName", "Callable", "Signal", "PackedVector4Array")]
DIALECTS = {"4": NAMES, "docs": OLD, "3": [name for name in OLD if name not in ("PackedInt64Array", "PackedFloat64Array")]}
# Components; of reals and of integers.
REALS = dict(zip(("Vector2 Rect2 Vector3 Transform2D Vector4 Plane Quaternion AABB Basis Transform3D Projection Color").split(),
                 (2, 4, 3, 6, 4, 4, 4, 6, 9, 12, 16, 4)))
INTS = {"Vector2i": 2, "Rect2i": 4, "Vector3i": 3, "Vector4i": 4}
PACKED = {"PackedInt32Array": 4, "PackedInt64Array": 8, "PackedFloat32Array": 4, "PackedFloat64Array": 8}
PACKED_REALS = {"PackedVector2Array": 2, "PackedVector3Array": 3, "PackedVector4Array": 4, "PackedColorArray": 4}
BY_ID = "EncodedObjectAsID"

class Refused(Exception): pass
class Unknown(Exception): pass  # only an engine knows

def need(good, why):
    if not good: raise Refused(why)

def short(name): return name.split("(")[0]

def resized(data, old, new):
    """Real numbers of `old` bytes each as such of `new`; a double that is too large is infinite."""
    if old == new: return data
    out = bytearray()
    for value in struct.unpack(f"<{len(data) // old}{'d' if old == 8 else 'f'}", data):
        try: out += struct.pack("<d" if new == 8 else "<f", value)
        except OverflowError: out += struct.pack("<f", math.copysign(math.inf, value))
    return bytes(out)

def quiet(data):
    """Signalling NaNs of 32 bits, as the script has them that made the rows."""
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    words = [word | 1 << 22 if word & 0x7f800000 == 0x7f800000 and word & 0x7fffff else word for word in words]
    return struct.pack(f"<{len(words)}I", *words)

def transposed(data, width):
    """A basis by rows as one by columns, and back; what follows stays."""
    parts = [data[at:at + width] for at in range(0, len(data), width)]
    return b"".join([parts[at] for at in (0, 3, 6, 1, 4, 7, 2, 5, 8)] + parts[9:])


class Reader:
    def __init__(self, data, dialect, wide, allow):
        self.data, self.at, self.dialect, self.wide, self.allow = data, 0, dialect, wide, allow

    def take(self, count):
        need(0 <= count <= len(self.data) - self.at, f"{count} bytes at {self.at}")
        self.at += count
        return self.data[self.at - count:self.at]

    def u32(self): return int.from_bytes(self.take(4), "little")
    def i32(self): return int.from_bytes(self.take(4), "little", signed=True)
    def i64(self): return int.from_bytes(self.take(8), "little", signed=True)

    def string(self, length=None):
        """The UTF-8 of a text: cut at the first NUL, without a byte order mark."""
        length = self.i32() if length is None else length
        need(length >= 0, "a negative length")
        data = self.take(length)
        self.take(-length % 4)
        if self.dialect == "docs": return checked(data)
        data = checked(data.split(b"\0")[0], self.dialect == "3")
        return data[3:] if data.startswith(b"\xef\xbb\xbf") else data

    def reals(self, count, flag, name):
        """Components of `R`; the page gives colours the width of all, engines four bytes."""
        wide = 8 if flag or self.dialect == "docs" and self.wide == 8 else 4
        if short(name) in ("Color", "PackedColorArray") and self.dialect != "docs": wide = 4
        data = self.take(count * wide)
        if short(name) in ("Basis", "Transform3D") and self.dialect != "docs": data = transposed(data, wide)
        if short(name) in ("Color", "PackedColorArray") and self.dialect != "docs": return quiet(data)
        data = resized(data, wide, self.wide)
        return quiet(data) if self.wide == 4 and self.dialect != "docs" else data

    def variant(self, depth=0):
        need(depth <= 1024, "too deep")
        word = self.u32()
        docs, old = self.dialect == "docs", self.dialect != "4"
        kind, flags = (word & 0xffff, 0) if docs and word & 0xffff > 255 else (word & 255, word >> 16)
        table = DIALECTS[self.dialect]
        need(kind < len(table), f"type {kind}")
        name, flag = table[kind], flags & 1
        if name == "Nil": return ["Nil"]
        if name == "Bool": return ["Bool", self.u32() != 0]
        if name == "Int": return ["Int", str(self.i64() if flag else self.i32())]
        if name == "Float": return ["Float", self.take(8).hex() if flag else resized(quiet(self.take(4)), 4, 8).hex()]
        if name in ("String", "StringName"): return [name, self.string().hex()]
        if short(name) in REALS: return [name, self.reals(REALS[short(name)], flag and not old, name).hex()]
        if name in INTS: return [name, [self.i32() for _ in range(INTS[name])]]
        if name == "NodePath": return self.path()
        if name == "RID":
            need(not docs, "a RID")
            return ["RID", str(self.i64() if not old else 0)]
        if name == "Callable": return ["Callable", True]
        if name == "Signal": return ["Signal", self.string().hex(), str(self.i64())]
        if name == "Object": return self.object(flag, depth)
        if name in ("Array", "Dictionary"): return self.container(name, flags, depth)
        return self.packed(name, flag and not old)

    def path(self):
        names = self.u32()
        if not names >> 31:  # the old form of the page: one text
            need(self.dialect == "docs", "the old form of a path")
            return path_of(self.string(names).decode())
        properties, flags = self.u32(), self.u32()
        names &= 0x7fffffff
        if flags & 2 and self.dialect != "docs": properties = properties + 1 & 0xffffffff
        count = names + properties & 0xffffffff
        need(count <= len(self.data), "more names than bytes")
        found = [self.string().hex() for _ in range(count)]
        return ["NodePath", bool(flags & 1), found[:names], found[names:]]

    def object(self, flag, depth):
        if self.dialect == "docs":  # `full_objects` of the row tells which of the two it is
            if not self.allow:
                # Null and an id have no mark between them: four zeros are null at the end of the input.
                if self.data[self.at:] == b"\0" * 4: return self.take(4) and ["Object", None]
                number = self.i64()
                return [BY_ID, str(number)] if number else ["Object", None]
            if self.at + 4 <= len(self.data) and self.data[self.at:self.at + 4] == b"\0" * 4:
                self.take(4)
                return ["Object", None]
            name, count = self.string().decode(), self.i32()
            need(0 <= count <= len(self.data), "more properties than bytes")
            return ["Object", name, "", [[self.string().decode(), self.variant(depth + 1)] for _ in range(count)]]
        if flag:
            number = self.i64()
            return [BY_ID, str(number)] if number else ["Object", None]
        need(self.allow, "objects are not allowed")
        if not self.string(): return ["Object", None]
        for _ in range(max(self.i32(), 0)):
            self.string()
            self.variant(depth + 1)
        raise Unknown("what the engine makes of a whole object")

    def element(self, kind):
        """The type of a container's elements, as [id, class, script]."""
        if kind == 0: return [0, "", ""]
        if kind == 1:
            own = self.u32()
            need(own < len(NAMES), f"element type {own}")
            return [own, "", ""] if own != 24 or self.allow else [24, BY_ID, ""]
        own = self.string().decode()
        if not self.allow: return [24, BY_ID, ""]
        if kind == 2: return [24, own, ""]
        raise Unknown("which scripts there are")

    def container(self, name, flags, depth):
        typed = self.dialect == "4"
        types = [self.element(flags >> at & 3) for at in ((0, 2) if name == "Dictionary" else (0,))] if typed else []
        count = self.u32() & 0x7fffffff
        need(count <= len(self.data), "more elements than bytes")
        if name == "Array":
            items = [self.variant(depth + 1) for _ in range(count)]
            if typed: items = [own for own in (convert(item, types[0], self.wide) for item in items) if own is not None]
            return [name, *types, items]
        entries, places = [], {}
        for _ in range(count):
            key, value = self.variant(depth + 1), self.variant(depth + 1)
            if typed: key = convert(key, types[0], self.wide)
            if key is None: continue
            same = json.dumps(hashed(key))
            if same in places: entries[places[same]][1] = value
            else:
                places[same] = len(entries)
                entries.append([key, value])
        return [name, *types, entries]

    def packed(self, name, flag):
        count = self.i32()
        if name == "PackedStringArray":
            need(count <= len(self.data), "more texts than bytes")
            return [name, [self.string().hex() for _ in range(count)]]
        need(0 <= count <= len(self.data), "more elements than bytes")
        if name == "PackedByteArray":
            data = self.take(count)
            self.at = min(self.at + -count % 4, len(self.data))
            return [name, data.hex()]
        if name in PACKED: return [name, self.take(PACKED[name] * count).hex()]
        return [name, self.reals(PACKED_REALS[name] * count, flag, name).hex()]


def checked(data, surrogates=False):
    """UTF-8; 3.x reads half a surrogate pair as a space."""
    try: text = data.decode("utf-8", "surrogatepass" if surrogates else "strict")
    except UnicodeDecodeError: raise Refused("text that is not UTF-8")
    return "".join(" " if 0xd800 <= ord(own) < 0xe000 else own for own in text).encode()

def path_of(text):
    names, *properties = text.split(":")
    parts = [own.encode().hex() for own in names.split("/") if own]
    return ["NodePath", text.startswith("/"), parts, [own.encode().hex() for own in properties if own]]

def path_text(path):
    text = "/" * path[1] + "/".join(map(text_of, path[2]))
    return text + "".join(":" + text_of(own) for own in path[3])

def text_of(hex): return bytes.fromhex(hex).decode()

def hashed(value):
    """What two equal keys have in common: String and StringName, NaN and NaN, 0.0 and -0.0."""
    if value[0] == "StringName": return ["String", value[1]]
    if value[0] == "Float":
        number = float_of(value)
        return ["Float", "nan" if number != number else number + 0.0]
    return [hashed(own) if isinstance(own, list) and own and isinstance(own[0], str) else own for own in value]

def float_of(value): return struct.unpack("<d", bytes.fromhex(value[1]))[0]

def truncated(number, bits):
    low = -1 << bits - 1
    return int(number) if math.isfinite(number) and low <= int(number) < -low else low

def components(value, wide):
    """Numbers of a vector."""
    if short(value[0]) in INTS: return value[1]
    data = bytes.fromhex(value[1])
    width = 4 if value[0] == "Color" else wide
    return struct.unpack(f"<{len(data) // width}{'d' if width == 8 else 'f'}", data)

def packed_reals(numbers, wide):
    return resized(struct.pack(f"<{len(numbers)}d", *numbers), 8, wide).hex()

def convert(value, wanted, wide):
    """An element as one of the declared type (section 4 of the page); None is dropped."""
    kind, name = wanted[0], value[0]
    if kind == 0: return value
    if kind == 24: return value if name in ("Object", BY_ID, "Nil") else None
    to = NAMES[kind]
    if to == name: return value
    if to in ("Bool", "Int", "Float") and name in ("Bool", "Int", "Float"):
        number = float_of(value) if name == "Float" else int(value[1])
        if to == "Bool": return ["Bool", number != 0]
        if to == "Int": return ["Int", str(truncated(number, 64))]
        return ["Float", struct.pack("<d", number).hex()]
    if to == "NodePath" and name == "String": return path_of(text_of(value[1]))
    if to in ("String", "StringName") and name in ("String", "StringName"): return [to, value[1]]
    if to == "String" and name == "NodePath": return [to, path_text(value).encode().hex()]
    if {to.removesuffix("i"), to + "i"} & {name, name + "i"} and (to in INTS or name in INTS):
        numbers = components(value, wide)
        return [to, [truncated(own, 32) for own in numbers] if to in INTS else packed_reals(numbers, wide)]
    if short(to) in ("Transform2D", "Transform3D", "Projection", "Basis", "Quaternion"):
        return convert_transform(value, short(to), wide)
    if to == "Color" and name == "Int":
        return [to, packed_reals([(int(value[1]) >> at & 255) / 255 for at in (24, 16, 8, 0)], 4)]
    if to == "Color" and name == "String": raise Unknown("names of colours")
    if to == "RID" and name in ("Object", BY_ID): return ["RID", "0"]
    if to == "Array" and name.startswith("Packed"): return ["Array", [0, "", ""], unpacked(value, wide)]
    if name == "Array" and to.startswith("Packed"): return packed_of(to, value[2], wide)
    return None

def convert_transform(value, to, wide):
    name = short(value[0])
    if (to, name) in (("Basis", "Quaternion"), ("Quaternion", "Basis"), ("Transform3D", "Quaternion")):
        raise Unknown("the arithmetic between Basis and Quaternion")
    full = next(own for own in NAMES if short(own) == to)
    own = components(value, wide) if name in REALS else ()
    zero = 0.0
    if (to, name) == ("Transform3D", "Transform2D"):
        numbers = (*own[:2], zero, *own[2:4], zero, zero, zero, 1.0, *own[4:], zero)
    elif (to, name) == ("Transform2D", "Transform3D"): numbers = own[:2] + own[3:5] + own[9:11]
    elif (to, name) == ("Transform3D", "Basis"): numbers = (*own, zero, zero, zero)
    elif (to, name) == ("Projection", "Transform3D"):
        numbers = (*own[:3], zero, *own[3:6], zero, *own[6:9], zero, *own[9:], 1.0)
    elif (to, name) == ("Transform3D", "Projection"): numbers = own[:3] + own[4:7] + own[8:11] + own[12:15]
    else: return None
    return [full, packed_reals(numbers, wide)]

def unpacked(value, wide):
    name, data = value[0], value[1]
    if name == "PackedStringArray": return [["String", own] for own in data]
    data = bytes.fromhex(data)
    if name == "PackedByteArray": return [["Int", str(own)] for own in data]
    if name in PACKED_REALS:
        of = name.removeprefix("Packed").removesuffix("Array")
        step = PACKED_REALS[name] * (4 if of == "Color" else wide)
        return [[of, data[at:at + step].hex()] for at in range(0, len(data), step)]
    letter = {"PackedInt32Array": "i", "PackedInt64Array": "q", "PackedFloat32Array": "f", "PackedFloat64Array": "d"}[name]
    numbers = struct.unpack(f"<{len(data) // PACKED[name]}{letter}", data)
    return [["Int", str(own)] if letter in "iq" else ["Float", struct.pack("<d", own).hex()] for own in numbers]

def packed_of(to, items, wide):
    def number(item):
        if item[0] == "Float": return float_of(item)
        if item[0] in ("Int", "Bool"): return int(item[1])
        if item[0] in ("String", "StringName"): raise Unknown("numbers in text")
        return 0
    if to == "PackedStringArray":
        if any(item[0] not in ("String", "StringName") for item in items): raise Unknown("the engine's str()")
        return [to, [item[1] for item in items]]
    if to in PACKED_REALS:
        count, colour = PACKED_REALS[to], to == "PackedColorArray"
        if colour and any(item[0] in ("String", "Int") for item in items): raise Unknown("colours of other types")
        numbers = []
        for item in items:
            vector = short(item[0]) in REALS and short(item[0]).startswith("Vector") or item[0] in INTS and item[0] != "Rect2i"
            own = components(item, wide) if (item[0] == "Color" if colour else vector) else (0, 0, 0, 1) if colour else ()
            numbers += [*own, 0, 0, 0, 0][:count]
        return [to, packed_reals(numbers, 4 if colour else wide)]
    out = b""
    for item in items:
        own = number(item)
        if to == "PackedFloat32Array": out += bytes.fromhex(packed_reals([own], 4))
        elif to == "PackedFloat64Array": out += struct.pack("<d", own)
        else:
            width = PACKED.get(to, 1)
            own = truncated(own, 64) if isinstance(own, float) else own
            out += (own & (1 << 8 * width) - 1).to_bytes(width, "little")
    return [to, out.hex()]


class Writer:
    def __init__(self, dialect, wide, full): self.dialect, self.wide, self.full, self.out = dialect, wide, full, bytearray()

    def word(self, value): self.out += (value & 0xffffffff).to_bytes(4, "little")

    def padded(self, data, nul=b""):
        self.word(len(data) + len(nul))
        self.out += data + nul
        self.out += bytes(-len(data + nul) % 4)

    def head(self, name, flags=0): self.word(DIALECTS[self.dialect].index(name) | flags << 16)

    def reals(self, name, data):
        if short(name) in ("Basis", "Transform3D") and self.dialect != "docs": data = transposed(data, self.wide)
        self.out += data

    def variant(self, value):
        name, own = value[0], value[1] if len(value) > 1 else None
        flag = int(self.wide == 8 and self.dialect == "4")
        if name == "Object" and own is None and self.dialect == "docs":
            self.head("Object")
            return self.word(0)
        if name == "Nil" or name == "Object" and own is None: return self.word(0)
        if name == "Bool":
            self.head(name)
            self.word(own)
        elif name == "Int":
            wide = not -1 << 31 <= int(own) < 1 << 31
            self.head(name, int(wide))
            self.out += int(own).to_bytes(8 if wide else 4, "little", signed=True)
        elif name == "Float":
            data = bytes.fromhex(own)
            narrow = resized(data, 8, 4)
            wide = resized(narrow, 4, 8) != data or float_of(value) != float_of(value)
            self.head(name, int(wide))
            self.out += data if wide else narrow
        elif name in ("String", "StringName"):
            self.head(name)
            self.padded(bytes.fromhex(own))
        elif short(name) in REALS:
            self.head(name, flag if name != "Color" else 0)
            self.reals(name, bytes.fromhex(own))
        elif name in INTS:
            self.head(name)
            for part in own: self.word(part)
        elif name == "NodePath":
            self.head(name)
            self.word(len(value[2]) | 1 << 31)
            self.word(len(value[3]))
            self.word(own)
            for part in value[2] + value[3]: self.padded(bytes.fromhex(part))
        elif name == "RID":
            self.head(name)
            if self.dialect == "4": self.out += int(own).to_bytes(8, "little", signed=True)
        elif name == "Callable": self.head(name)
        elif name == "Signal":
            self.head(name)
            self.padded(bytes.fromhex(own))
            self.out += int(value[2]).to_bytes(8, "little", signed=True)
        elif name == BY_ID:
            if self.full and self.dialect != "docs": raise Unknown("properties of an object")
            self.head("Object", int(self.dialect != "docs"))
            self.out += int(own).to_bytes(8, "little", signed=True)
        elif name == "Object":
            if self.dialect != "docs": raise Unknown("properties of an object")
            self.head(name)
            self.padded(own.encode())
            self.word(len(value[3]))
            for key, item in value[3]:
                self.padded(key.encode())
                self.variant(item)
        elif name in ("Array", "Dictionary"): self.container(value)
        else: self.packed(value, flag)

    def container(self, value):
        *types, items = value[1:]
        kinds = [0 if not own[0] else 1 if not own[1] else 3 if own[2] else 2 for own in types]
        if not self.full: kinds = [2 if own[0] == 24 else kind for own, kind in zip(types, kinds)]
        self.head(value[0], sum(kind << 2 * at for at, kind in enumerate(kinds)))
        for own, kind in zip(types, kinds):
            if kind == 1: self.word(own[0])
            if kind == 2: self.padded((own[1] if self.full else BY_ID).encode())
            if kind == 3: self.padded(own[2].encode())
        self.word(len(items))
        for item in items:
            for own in item if value[0] == "Dictionary" else [item]: self.variant(own)

    def packed(self, value, flag):
        name, own = value
        if name == "PackedStringArray":
            self.head(name)
            self.word(len(own))
            for item in own: self.padded(bytes.fromhex(item), b"" if self.dialect == "docs" else b"\0")
            return
        data = bytes.fromhex(own)
        if name == "PackedByteArray":
            self.head(name)
            return self.padded(data)
        width = PACKED.get(name) or PACKED_REALS[name] * (4 if name == "PackedColorArray" and self.dialect != "docs" else self.wide)
        self.head(name, flag if name in PACKED_REALS and name != "PackedColorArray" else 0)
        self.word(len(data) // width)
        self.out += data


# The engine's JSON: `JSON.from_native` and `to_native`.
TEXTS = {"String": "s:", "StringName": "sn:", "NodePath": "np:"}
TYPE_NAMES = [{"Int": "int", "Float": "float", "Bool": "bool"}.get(name, short(name)) for name in NAMES]

def digits(value):
    """A float without exponent, with the fewest digits that come back."""
    if not math.isfinite(value): return "nan" if value != value else "inf" if value > 0 else "-inf"
    if abs(value) >= 1e17: raise Unknown("the engine's digits of large floats")
    text = format(decimal.Decimal(repr(value)), "f")
    return text if "." in text else text + ".0"

def to_json(value, wide):
    name, own = short(value[0]), value[1] if len(value) > 1 else None
    if name == "Nil": return None
    if name == "Bool": return own
    if name == "Int": return "i:" + own
    if name == "Float": return "f:" + digits(float_of(value))
    if name in ("String", "StringName"): return TEXTS[name] + text_of(own)
    if name == "NodePath": return "np:" + path_text(value)
    if name in ("RID", "Callable", "Signal"): return {"type": name}
    if name == "Array":
        items = [to_json(item, wide) for item in value[2]]
        return {"type": name, "elem_type": type_name(own), "args": items} if own[0] else items
    if name == "Dictionary":
        found = {"type": name, "args": [to_json(item, wide) for entry in value[3] for item in entry]}
        for key, of in ("key_type", value[1]), ("value_type", value[2]):
            if of[0]: found[key] = type_name(of)
        return found
    if name in INTS: return {"type": name, "args": own}
    if name == "PackedStringArray": return {"type": name, "args": [text_of(item) for item in own]}
    if name in REALS or name in PACKED_REALS:
        width = 4 if "Color" in name else wide
        data = bytes.fromhex(own)
        items = components(["", data.hex()], width)
        return {"type": name, "args": [None if item != item else item if math.isfinite(item) else digits(item) for item in items]}
    items = [item[1] if item[0] == "Int" else None if float_of(item) != float_of(item) else float_of(item) for item in unpacked(value, wide)]
    return {"type": name, "args": [int(item) if isinstance(item, str) else item for item in items]}

def type_name(of): return of[2] or of[1] or TYPE_NAMES[of[0]]

def type_of(name):
    return [0, "", ""] if not name else [TYPE_NAMES.index(name), "", ""] if name in TYPE_NAMES else [24, name, ""]

def of_json(own, wide):
    if own is None: return ["Nil"]
    if isinstance(own, bool): return ["Bool", own]
    if isinstance(own, list): return ["Array", [0, "", ""], [of_json(item, wide) for item in own]]
    if isinstance(own, str):
        kind, _, text = own.partition(":")
        if kind == "i": return ["Int", text]
        if kind == "f": return ["Float", struct.pack("<d", float(text)).hex()]
        if kind == "np": return path_of(text)
        return [{"s": "String", "sn": "StringName"}[kind], text.encode().hex()]
    name, items = own["type"], own.get("args", [])
    full = next(one for one in NAMES if short(one) == name)
    if name == "Array": return [name, type_of(own.get("elem_type")), [of_json(item, wide) for item in items]]
    if name == "Dictionary":
        items = [of_json(item, wide) for item in items]
        return [name, type_of(own.get("key_type")), type_of(own.get("value_type")), list(zip(items[::2], items[1::2]))]
    if name in ("RID", "Callable", "Signal"): return {"RID": ["RID", "0"], "Signal": ["Signal", "", "0"]}.get(name, [name, True])
    if name in INTS: return [name, items]
    if name == "PackedStringArray": return [name, [item.encode().hex() for item in items]]
    numbers = [math.nan if item is None else float(item) for item in items]
    if name in REALS or name in PACKED_REALS:
        width = 4 if "Color" in name else wide
        return [full, packed_reals(numbers, width)]
    return packed_of(name, [["Int", str(item)] if isinstance(item, int) else ["Float", struct.pack("<d", number).hex()]
                            for item, number in zip(items, numbers)], wide)


# Files around values.
def fastlz(data):
    need(data and data[0] >> 5 < 2, "no FastLZ")
    reader, out, level = Reader(data, "4", 4, False), bytearray(), data[0] >> 5
    control = reader.take(1)[0] & 31
    while True:
        if control < 32: out += reader.take(control + 1)
        else:
            count, back = (control >> 5) + 2, control & 31
            while count >= 9:
                more = reader.take(1)[0]
                count += more
                if not level or more < 255: break
            back = (back << 8 | reader.take(1)[0]) + 1
            if level and back == 8192: back += int.from_bytes(reader.take(2), "big")
            need(back <= len(out), "a copy from before the start")
            for _ in range(count): out.append(out[-back])
        if reader.at == len(data): return bytes(out)
        control = reader.take(1)[0]

def opened(row, data):
    """The file inside of `GCPF` or `GDEC`."""
    reader = Reader(data, "4", 4, False)
    magic = reader.take(4)
    if magic == b"GCPF":
        kind, block, size = reader.u32(), reader.u32(), reader.u32()
        if kind == 2: raise Unknown("Zstandard, which Python has from 3.14 on")
        sizes, out = [reader.u32() for _ in range(size // block + 1)], b""
        for at, packed in enumerate(sizes):
            own, rest = reader.take(packed), min(block, size - at * block)
            if rest: out += {0: fastlz, 1: zlib.decompress, 3: gzip.decompress}[kind](own)[:rest]
        need(reader.take(4) == b"GCPF" and len(out) == size, "another size")
        return out
    if Cipher is None: raise Unknown("AES, without the module cryptography")
    old = len(data) % 16 == 0
    if old: need(reader.u32() == 1, "the version of GDEC")
    digest, size = reader.take(16), int.from_bytes(reader.take(8), "little")
    mode = modes.ECB() if old else CFB(reader.take(16))
    key = bytes.fromhex(row["key"]) if "key" in row else hashlib.md5(row["password"].encode()).hexdigest().encode()
    plain = Cipher(algorithms.AES(key), mode).decryptor().update(data[reader.at:])[:size]
    need(hashlib.md5(plain).digest() == digest, "another password, or a damaged file")
    return plain

def answer(question, row):
    if row["kind"] == "native_json":
        if question["op"] == "read": return to_json(Reader(bytes.fromhex(row["hex"]), "4", 4, False).variant(), 4)
        if row["name"] == "vector2_nan": raise Unknown("-0.0, which the engine's JSON loses")
        writer = Writer("4", 4, False)
        writer.variant(of_json(row["json"], 4))
        return writer.out.hex()
    if row["kind"] in ("compressed", "encrypted"):
        if question["op"] == "write": raise Unknown("blocks of another compressor, or the initialization vector of the row")
        reader = Reader(opened(row, bytes.fromhex(row["hex"])), "4", 4, False)
        return reader.take(reader.u32()).hex()
    if row["kind"] not in ("encode", "decode"): raise Unknown("the engine's text of values")
    dialect = "docs" if row.get("dialect") else row["engine"][0]
    wide = 8 if row.get("precision") == "double" else 4
    if question["op"] == "write":
        writer = Writer(dialect, wide, row.get("full_objects"))
        writer.variant(row["value"])
        return writer.out.hex()
    allow = row.get("allow_objects", row.get("full_objects", False))
    if row["kind"] == "encode" and not row["hex"]: raise Unknown("what the engine refuses to write")
    data = bytes.fromhex(row["hex"])
    reader = Reader(data, dialect, wide, allow)
    value = reader.variant()
    # The page's own files have nothing after the value; engines ignore it.
    need(dialect != "docs" or reader.at == len(data), "bytes after the value")
    return value

for question in map(json.loads, sys.stdin):
    try: found = {question["ask"]: answer(question, question["row"])}
    except Refused as error: found = {"error": str(error)}
    except Unknown as error: found = {"skip": str(error)}
    print(json.dumps(found), flush=True)
