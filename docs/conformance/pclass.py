"""KingsIsle's PropertyClass, written from docs/formats/kiwi-pclass.md alone:

gamewire conformance kiwi-pclass -- python3 docs/conformance/pclass.py
"""
import json, os, re, struct, sys, zlib
import xml.etree.ElementTree as xml

STATEFUL, COMPACT_LENGTHS, ENUM_NAMES, COMPRESS, FORBID_DELTA = (1 << bit for bit in range(5))
DEPRECATED, DELTA, BITS, ENUM = 1 << 6, 1 << 8, 1 << 20, 1 << 21

# Numbers: bits, and the letter of `struct`; those with no letter are integers that start at the next bit.
NUMBERS = {"bool": (1, ""), "char": (8, "b"), "unsigned char": (8, "B"), "short": (16, "h"), "unsigned short": (16, "H"),
           "wchar_t": (16, "H"), "int": (32, "i"), "long": (32, "i"), "unsigned int": (32, "I"), "unsigned long": (32, "I"),
           "__int64": (64, "q"), "unsigned __int64": (64, "Q"), "gid": (64, "Q"), "union gid": (64, "Q"),
           "float": (32, "f"), "double": (64, "d")}
TUPLES = {"class Color": ("unsigned char", "bgra"), "class Vector3D": ("float", "xyz"), "class Quaternion": ("float", "wxyz"),
          "class Euler": ("float", ("pitch", "yaw", "roll")), "class Matrix3x3": ("float", "iiijjjkkk")}
SHAPES = {"Point": "xy", "Size": ("width", "height"), "Rect": ("left", "top", "right", "bottom")}

class Refused(Exception): pass

def need(good, why):
    if not good: raise Refused(why)

def number_of(name):
    """Bits, letter and whether it has a sign."""
    if name in NUMBERS: return *NUMBERS[name], NUMBERS[name][1] in "bhiq" and NUMBERS[name][1] != ""
    match = re.fullmatch(r"(bi|bui)(\d+)|([su])24", name)
    if not match: return None
    return int(match[2] or 24), "", match[1] == "bi" or match[3] == "s"

def tuple_of(name):
    if name in TUPLES: return TUPLES[name]
    match = re.fullmatch(r"class (Point|Size|Rect)<(.*)>", name)
    return (match[2], SHAPES[match[1]]) if match else None

def string_id(name):
    state = 0
    for at, byte in enumerate(name.encode()):
        value, turn = byte - 32 & 0xffffffff, at * 5 % 32
        state ^= (value << turn | value >> 32 - turn) & 0xffffffff
    return min(state, -state & 0xffffffff)

def djb2(name):
    state = 5381
    for byte in name.encode(): state = state * 33 + byte & 0xffffffff
    return state & 0x7fffffff


class Bits:
    """Bits from the lowest up; reads its own and appends to them."""
    def __init__(self, data=b""): self.word, self.end, self.at = int.from_bytes(data, "little"), 8 * len(data), 0

    def align(self): self.at = -(-self.at // 8) * 8

    def take(self, count):
        need(self.at + count <= self.end, f"{count} bits at {self.at}")
        self.at += count
        return self.word >> self.at - count & (1 << count) - 1

    def bytes(self, count):
        need(8 * count <= self.end - self.at, f"{count} bytes at {self.at}")
        return self.take(8 * count).to_bytes(count, "little")

    def put(self, value, count):
        self.word |= (value & (1 << count) - 1) << self.at
        self.at += count

    def put_bytes(self, data): self.put(int.from_bytes(data, "little"), 8 * len(data))

    def word32(self):
        self.align()
        return self.take(32)

    def put32(self, value):
        self.align()
        self.put(value, 32)

    def written(self): return self.word.to_bytes(-(-self.at // 8), "little")


class Property:
    def __init__(self, name, own):
        self.name, self.type, self.flags, self.id, self.hash = name, own["type"], own["flags"], own["id"], own["hash"]
        self.is_list = own["container"] != "Static"
        options = {name: value for name, value in own.get("enum_options", {}).items() if name not in ("__DEFAULT", "__BASECLASS")}
        self.options = {name: int(value) & 0xffffffff for name, value in options.items()}
        self.is_enum = self.type.startswith("enum ") or self.flags & (BITS | ENUM) and number_of(self.type) is not None

    def numbered(self, text):
        """The number that names of options say."""
        number = 0
        for part in text.split("|") if self.flags & BITS else [text]:
            part = part.strip()
            if part in self.options: number |= self.options[part]
            elif re.fullmatch(r"-?\d+", part): number |= int(part) & 0xffffffff
            else: need(not part and self.flags & BITS, f"{part} is no option")
        return number

    def named(self, number):
        """Names that say a number."""
        for name, value in self.options.items():
            if value == number and (value or not self.flags & BITS): return name
        if not self.flags & BITS: return str(number)
        names, rest = [], number
        for name, value in self.options.items():
            if value and value & rest == value:
                names.append(name)
                rest &= ~value
        return str(number) if rest else "|".join(names)


class Codec:
    def __init__(self, row, classes):
        self.classes, self.hashes = classes, {own["hash"]: own for own in classes.values()}
        self.deep, self.mask, self.flags = row.get("mode") == "deep", row.get("mask", 0), row.get("flags", 0)
        self.core, self.skips = row.get("core_types"), row.get("skip_unknown_types")
        self.outer, self.bind, self.depth = row.get("manual_compression"), row.get("bind"), 0

    # The layers around the object.
    def decode(self, data):
        if self.bind:
            need(data[:4] == b"BINd", "no BINd")
            data = data[4:]
        if self.outer: data = inflate(data)
        bits = Bits(data)
        header = self.header(bits) if self.core else None
        if self.flags & STATEFUL or self.bind: self.flags = bits.word32()
        if self.flags & COMPRESS and bits.take(8) & 1: bits = Bits(inflate(data[bits.at // 8:]))
        found = self.object(bits, header)
        need(found is not None, "a null root")
        return found

    def encode(self, value):
        bits = Bits()
        if self.core: self.put_header(bits, value)
        if self.flags & STATEFUL or self.bind: bits.put32(self.flags)
        own = Bits()
        self.put_object(own, value, not self.core)
        data = own.written()
        if self.flags & COMPRESS:
            packed = struct.pack("<I", len(data)) + zlib.compress(data)
            data = b"\1" + packed if len(packed) < len(data) else b"\0" + data
        data = bits.written() + data
        if self.outer: data = struct.pack("<I", len(data)) + zlib.compress(data)
        return (b"BINd" if self.bind else b"") + data

    # Objects.
    def header(self, bits):
        bits.align()
        kind, template, number = bits.take(8), bits.take(8), bits.take(32)
        if not kind and not template: return number, None
        need(str(kind) in self.core, f"core type {kind}")
        return self.classes[self.core[str(kind)]]["hash"], {"block": kind, "type": template, "template_id": number}

    def put_header(self, bits, value):
        core = value.get("$core")
        bits.align()
        bits.put(core["block"] if core else 0, 8)
        bits.put(core["type"] if core else 0, 8)
        bits.put(core["template_id"] if core else self.classes[value["$type"]]["hash"], 32)

    def object(self, bits, header=None):
        if self.core: number, core = header or self.header(bits)
        else: number, core = bits.word32(), None
        if number == 0 and not core: return None
        own, start = self.hashes.get(number), bits.at
        end = start + bits.take(32) if self.deep else 0
        if own is None:
            need(self.deep and self.skips, f"class {number}")
            bits.at = start
            return bits.take(end - start) and None
        found = {"$type": own["name"]} | ({"$core": core} if core else {})
        self.depth += 1
        need(self.depth <= 127, "too deep")
        if self.deep: self.entries(bits, own, end, found)
        else:
            for one in self.selected(own):
                if one.flags & DELTA:
                    is_there = bits.take(1)
                    need(is_there or not self.flags & FORBID_DELTA, "an absent delta property")
                    if not is_there: continue
                found[one.name] = self.value(bits, one)
        self.depth -= 1
        return found

    def entries(self, bits, own, end, found):
        need(end <= bits.end, "a size past the end")
        by_hash = {one.hash: one for one in own["list"]}
        while bits.at < end:
            start = bits.at
            size, number = bits.word32(), bits.word32()
            one = by_hash.get(number)
            if one is None:
                need(self.skips, f"property {number}")
                bits.at = start
                bits.take(size)
            else: found[one.name] = self.value(bits, one)
            need(bits.at == start + size, f"{one and one.name} has another size")
        need(bits.at == end, "the object has another size")

    def selected(self, own):
        return [one for one in own["list"] if one.flags & self.mask == self.mask]

    def put_object(self, bits, value, with_hash=True):
        if value is None:
            if self.core: bits.align()
            return bits.put(0, 48) if self.core else bits.put32(0)
        own = self.classes[value["$type"]]
        if with_hash: self.put_header(bits, value) if self.core else bits.put32(own["hash"])
        start = bits.at
        if self.deep: bits.put(0, 32)
        for one in self.selected(own):
            is_there = one.name in value
            if not self.deep:
                if one.flags & DELTA: bits.put(is_there, 1)
                if is_there: self.put_value(bits, one, value[one.name])
            elif is_there:
                before = bits.at
                bits.align()
                field = bits.at
                bits.put(0, 32)
                bits.put(one.hash, 32)
                self.put_value(bits, one, value[one.name])
                bits.word |= bits.at - before << field
        if self.deep: bits.word |= bits.at - start << start

    # Values.
    def length(self, bits, is_text):
        if self.flags & COMPACT_LENGTHS: return bits.take(31 if bits.take(1) else 7)
        bits.align()
        return bits.take(16 if is_text else 32)

    def put_length(self, bits, length, is_text):
        if self.flags & COMPACT_LENGTHS: return bits.put(length << 1 | (length > 127), 8 if length < 128 else 32)
        bits.align()
        bits.put(length, 16 if is_text else 32)

    def value(self, bits, one):
        if not one.is_list: return self.element(bits, one)
        count = self.length(bits, False)
        need(count <= bits.end - bits.at, f"{count} elements")
        return [self.element(bits, one) for _ in range(count)]

    def put_value(self, bits, one, value):
        if not one.is_list: return self.put_element(bits, one, value)
        self.put_length(bits, len(value), False)
        for item in value: self.put_element(bits, one, item)

    def text(self, bits, width=1):
        count = self.length(bits, True)
        if count: bits.align()
        return bits.bytes(count * width)

    def put_text(self, bits, data, width=1):
        self.put_length(bits, len(data) // width, True)
        if data: bits.align()
        bits.put_bytes(data)

    def number(self, bits, name, aligned=False):
        width, letter, signed = number_of(name)
        if letter and not aligned: bits.align()
        if letter: return struct.unpack("<" + letter, bits.bytes(width // 8))[0]
        value = bits.take(width)
        return bool(value) if width == 1 and name == "bool" else value - (signed and value >> width - 1) * (1 << width)

    def put_number(self, bits, name, value, aligned=False):
        width, letter, _ = number_of(name)
        if letter and not aligned: bits.align()
        bits.put_bytes(struct.pack("<" + letter, value)) if letter else bits.put(int(value), width)

    def element(self, bits, one):
        name = one.type
        if one.is_enum:
            return one.numbered(self.text(bits).decode()) if self.flags & ENUM_NAMES else bits.word32()
        if name == "std::string": return as_text(self.text(bits))
        if name == "std::wstring": return as_wide(self.text(bits, 2))
        if number_of(name): return self.number(bits, name)
        if tuple_of(name):
            kind, names = tuple_of(name)
            bits.align()
            parts = [self.number(bits, kind, True) for _ in names]
            if name == "class Matrix3x3": return {row: parts[at:at + 3] for row, at in (("i", 0), ("j", 3), ("k", 6))}
            return dict(zip(names, parts))
        return self.object(bits)

    def put_element(self, bits, one, value):
        name = one.type
        if one.is_enum:
            return self.put_text(bits, one.named(value).encode()) if self.flags & ENUM_NAMES else bits.put32(value)
        if name == "std::string":
            return self.put_text(bits, value.encode() if isinstance(value, str) else bytes.fromhex(value["$bytes"]))
        if name == "std::wstring":
            units = value.encode("utf-16-le") if isinstance(value, str) else struct.pack(f"<{len(value['$utf16'])}H", *value["$utf16"])
            return self.put_text(bits, units, 2)
        if number_of(name): return self.put_number(bits, name, value)
        if not tuple_of(name): return self.put_object(bits, value)
        kind, names = tuple_of(name)
        bits.align()
        parts = sum((value[row] for row in "ijk"), []) if name == "class Matrix3x3" else [value[part] for part in names]
        for part in parts: self.put_number(bits, kind, part, True)

    # Debug XML.
    def of_xml(self, node):
        own = self.classes[node.get("Name")]
        found = {"$type": own["name"]}
        for one in own["list"]:
            items = [self.xml_element(one, item) for item in node.findall(one.name)]
            if one.is_list and (items or not one.flags & DELTA): found[one.name] = items
            elif items: found[one.name] = items[-1]
        return found

    def xml_element(self, one, node):
        name, text = one.type, node.text or ""
        if one.is_enum: return one.numbered(text)
        if name in ("std::string", "std::wstring"): return text
        if name == "bool": return text in ("true", "1")
        if number_of(name): return float(text) if name in ("float", "double") else int(text)
        if name == "class Color" and "," not in text:
            return dict(zip("argb", bytes.fromhex(text.strip())))
        if tuple_of(name):
            kind, names = tuple_of(name)
            parts = [(float if kind in ("float", "double") else int)(part) for part in text.split(",")]
            if name == "class Matrix3x3": return {row: parts[at:at + 3] for row, at in (("i", 0), ("j", 3), ("k", 6))}
            return dict(zip(names, parts))
        child = node.find("Class")
        return None if child is None else self.of_xml(child)


def as_text(data):
    try: return data.decode()
    except UnicodeDecodeError: return {"$bytes": data.hex()}

def as_wide(data):
    try: return data.decode("utf-16-le")
    except UnicodeDecodeError: return {"$utf16": list(struct.unpack(f"<{len(data) // 2}H", data))}

def inflate(data):
    need(len(data) >= 4, "no size")
    codec = zlib.decompressobj()
    try: plain = codec.decompress(data[4:])
    except zlib.error as error: raise Refused(str(error))
    need(codec.eof and not codec.unused_data and len(plain) == int.from_bytes(data[:4], "little"), "another size")
    return plain

def load(path):
    listed = json.load(open(path))
    # Version 2 names classes by their hashes, version 1 by their names.
    classes = listed["classes"] if "version" in listed else {name: own | {"name": name} for name, own in listed.items()}
    for own in classes.values():
        own["list"] = sorted((Property(name, one) for name, one in own["properties"].items()), key=lambda one: one.id)
    return {own["name"]: own for own in classes.values()}

def answer(question, row):
    if "string" in row: return string_id(row["string"])
    if row.get("form") == "envelope":
        if question["op"] == "write":
            payload = bytes.fromhex(row["payload"])
            return (struct.pack("<I", len(payload) | 1 << 31) + payload).hex()
        data = bytes.fromhex(row["hex"])
        size = int.from_bytes(data[:4], "little")
        return (data[4:][:size & 0x7fffffff] if size >> 31 else inflate(data)).hex()
    file = os.path.join(os.path.dirname(question["at"]), "types", row["types"])
    codec = Codec(row, types.get(file) or types.setdefault(file, load(file)))
    if "xml" in row: return codec.of_xml(xml.fromstring(row["xml"]).find("Class"))
    if question["op"] == "write": return codec.encode(row["value"]).hex()
    return codec.decode(bytes.fromhex(row["hex"]))

types = {}
for question in map(json.loads, sys.stdin):
    try: found = {question["ask"]: answer(question, question["row"])}
    except Refused as error: found = {"error": str(error)}
    print(json.dumps(found), flush=True)
