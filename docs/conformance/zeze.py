"""Zeze's beans and frames, written from docs/formats/zeze-serialize.md alone:

gamewire conformance zeze-serialize -- python3 docs/conformance/zeze.py
"""
import json, os, re, struct, sys

INT, FLOAT, DOUBLE, BYTES, LIST, MAP, BEAN, DYNAMIC = range(8)
VECTORS = {8: 2, 9: 2, 10: 3, 11: 3, 12: 4}  # components; 9 and 11 are integers
SIMPLE = {"bool": INT, "byte": INT, "short": INT, "int": INT, "long": INT, "float": FLOAT, "double": DOUBLE,
          "string": BYTES, "binary": BYTES, "list": LIST, "set": LIST, "map": MAP, "bean": BEAN, "dynamic": DYNAMIC,
          "vector2": 8, "vector2int": 9, "vector3": 10, "vector3int": 11, "vector4": 12, "quaternion": 12}

class Refused(Exception): pass
class Undefined(Exception): pass  # the page makes it an error, the reference reads something


class Reader:
    """Values as Python has them; floats as their bytes on the wire."""
    def __init__(self, data): self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at: raise Refused(f"{count} bytes at {self.at}")
        self.at += count
        return self.data[self.at - count:self.at]

    def signed(self):
        first = self.take(1)[0]
        mask = 255 if first > 127 else 0  # a negative number is inverted
        more = 0
        while more < 7 and (first ^ mask) >> 6 - more & 1: more += 1
        rest = self.take(more)
        if more == 7 and (rest[0] ^ mask) >> 7: rest += self.take(1)
        width = 7 * len(rest) + 6 if len(rest) < 8 else 63
        return wrap(int.from_bytes(bytes([first]) + rest, "big") & (1 << width) - 1, 64) - (1 << width if mask else 0)

    def unsigned(self):
        first = self.take(1)[0]
        size = 0
        while size < 4 and first >> (7 - size) & 1: size += 1
        if first > 0xf0: raise Undefined("an unsigned integer of more than 32 bits")
        return int.from_bytes(bytes([first]) + self.take(size), "big") & ((1 << (7 * (size + 1) if size < 4 else 32)) - 1)

    def count(self):
        count = self.unsigned()
        if count >> 31: raise Undefined("a count of 2^31")
        return count

    def header(self):
        first = self.take(1)[0]
        return first >> 4 if first < 0xf0 else 15 + self.count(), first & 15

    def value(self, kind, depth=0):
        if depth > 128: raise Refused("too deep")
        if kind == INT: return self.signed()
        if kind == FLOAT: return self.take(4)
        if kind == DOUBLE: return self.take(8)
        if kind == BYTES: return self.take(self.count())
        if kind == LIST:
            count, of = self.header()
            return of, [self.value(of, depth + 1) for _ in range(count)]
        if kind == MAP:
            kinds, count = self.take(1)[0], self.count()
            entry = lambda: (self.value(kinds >> 4, depth + 1), self.value(kinds & 15, depth + 1))
            return kinds >> 4, kinds & 15, [entry() for _ in range(count)]
        if kind == BEAN: return self.bean(depth)
        if kind == DYNAMIC: return self.signed(), self.bean(depth)
        if kind in (8, 10, 12): return [self.take(4) for _ in range(VECTORS[kind])]
        if kind in (9, 11): return [self.signed() for _ in range(VECTORS[kind])]
        raise Refused(f"type {kind}")

    def bean(self, depth=0):
        layers, last = [[]], 0
        while True:
            step, kind = self.header()
            if step == 0:
                if kind == 0: return layers
                if kind > 1: raise Undefined("a reserved tag")
                layers.append([])
                last = 0
                continue
            last += step
            if last >= 1 << 31: raise Undefined("an id above 2^31 - 1")
            layers[-1].append((last, kind, self.value(kind, depth + 1)))


class Writer:
    def __init__(self): self.out = bytearray()

    def signed(self, value):
        size = next((n for n in range(1, 9) if -1 << 7 * n - 1 <= value < 1 << 7 * n - 1), 9)
        bits = 7 * size - 1 if size < 9 else 63
        # A zero, the ones, a zero, the value; for the 9 bytes there is no zero after the ones.
        ones = (1 << size - 1) - 1
        prefix = ones << (1 if size < 9 else 0)
        word = prefix << bits | (value if value >= 0 else ~value)
        self.out += (word if value >= 0 else ~word & (1 << 8 * size) - 1).to_bytes(size, "big")

    def unsigned(self, value):
        size = next((n for n in range(1, 5) if value < 1 << 7 * n), 5)
        self.out += (value | ((1 << size - 1) - 1 << 8 * size - size + 1)).to_bytes(size, "big")

    def header(self, number, kind):
        self.out.append(min(number, 15) << 4 | kind)
        if number >= 15: self.unsigned(number - 15)

    def value(self, kind, value):
        if kind == INT: self.signed(value)
        elif kind in (FLOAT, DOUBLE): self.out += value
        elif kind == BYTES:
            self.unsigned(len(value))
            self.out += value
        elif kind == LIST:
            self.header(len(value[1]), value[0])
            for item in value[1]: self.value(value[0], item)
        elif kind == MAP:
            self.out.append(value[0] << 4 | value[1])
            self.unsigned(len(value[2]))
            for key, item in value[2]:
                self.value(value[0], key)
                self.value(value[1], item)
        elif kind == BEAN: self.bean(value)
        elif kind == DYNAMIC:
            self.signed(value[0])
            self.bean(value[1])
        else:
            for part in value: self.value(INT if kind in (9, 11) else FLOAT, part)

    def bean(self, layers):
        for number, layer in enumerate(layers):
            if number: self.out.append(1)
            last = 0
            for field, kind, value in layer:
                self.header(field - last, kind)
                self.value(kind, value)
                last = field
        self.out.append(0)


# Numbers: floats are held as their bytes, so that NaNs keep their bits.
def number(kind, value):
    return value if kind == INT else struct.unpack("<f" if kind == FLOAT else "<d", value)[0]

def to_int(kind, value, bits):
    if kind == INT: return value
    value = number(kind, value)
    if value != value: return 0
    low, high = -1 << bits - 1, (1 << bits - 1) - 1
    return low if value <= low else high if value >= high else int(value)

def wrap(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value

def to_float(kind, value):
    if kind == FLOAT: return value
    value = number(kind, value)
    if isinstance(value, int):  # to the nearest at once: a double between would round twice
        shift = max(abs(value).bit_length() - 26, 0)
        value = float((value >> shift | (value & (1 << shift) - 1 != 0)) << shift) if shift else float(value)
    try: return struct.pack("<f", value)
    except OverflowError: return struct.pack("<f", float("inf") if value > 0 else float("-inf"))

def to_double(kind, value):
    if kind == DOUBLE: return value
    return struct.pack("<d", float(number(kind, value)))

def split(wanted):
    """`map[int,bean:X]` -> `map`, [`int`, `bean:X`]; `bean:X` -> `bean`, `X`."""
    if wanted.endswith("]"):
        name, inside = wanted[:-1].split("[", 1)
        if name != "map": return name, [inside]
        return name, inside.split(",", 1)
    name, _, rest = wanted.partition(":")
    return name, rest

def variants(text):
    return {int(one.split("=")[0]): one.split("=")[1] for one in text.split(";")}


def text(value):
    """As Java repairs it: half a surrogate pair becomes one U+FFFD."""
    return re.sub(rb"\xed[\xa0-\xbf][\x80-\xbf]", "\ufffd".encode(), value).decode(errors="replace")

class Schema:
    def __init__(self, beans): self.beans = beans

    def default(self, wanted):
        name, inside = split(wanted)
        if name == "bool": return False
        if name in ("list", "set", "map"): return []
        if name == "bean": return self.bean(inside, [])
        simple = {"float": "f32:" + "0" * 8, "double": "f64:" + "0" * 16, "string": "", "binary": "hex:", "dynamic": None}
        kind = SIMPLE[name]
        if kind in VECTORS: return [0 if kind in (9, 11) else "f32:" + "0" * 8] * VECTORS[kind]
        return simple.get(name, 0)

    def bean(self, name, layers):
        bean, fields = self.beans[name], {}
        found = {field: (kind, value) for field, kind, value in (layers[0] if layers else [])}
        for field in bean["fields"]:
            of, wanted = found.get(field["id"]), field["type"]
            fields[field["name"]] = self.default(wanted) if of is None else self.convert(*of, wanted)
        if "base" in bean: fields["$base"] = self.bean(bean["base"], layers[1:])
        return fields

    def convert(self, kind, value, wanted):
        """A value of a wire type as a type of the schema has it, in the notation of the vectors (section 7)."""
        name, inside = split(wanted)
        is_number = kind in (INT, FLOAT, DOUBLE)
        if name == "bool" and is_number: return number(kind, value) != 0
        if name in ("byte", "short", "int", "long") and is_number:
            bits = {"byte": 8, "short": 16, "int": 32, "long": 64}[name]
            return wrap(to_int(kind, value, max(bits, 32)), bits)
        if name == "float" and is_number: return "f32:" + to_float(kind, value)[::-1].hex()
        if name == "double" and is_number: return "f64:" + to_double(kind, value)[::-1].hex()
        if name == "string" and kind == BYTES: return text(value)
        if name == "binary" and kind == BYTES: return "hex:" + value.hex()
        if name in ("list", "set") and kind == LIST:
            items = [self.convert(value[0], item, inside[0]) for item in value[1]]
            if name == "list": return items
            return [item for at, item in enumerate(items) if item not in items[:at]]
        if name == "map" and kind == MAP:
            entries = []
            for key, item in value[2]:
                key, item = self.convert(value[0], key, inside[0]), self.convert(value[1], item, inside[1])
                same = [entry for entry in entries if entry[0] == key]
                if same: same[0][1] = item
                else: entries.append([key, item])
            return entries
        if name in ("vector2", "vector3", "vector4", "quaternion", "vector2int", "vector3int"):
            if not is_number and kind not in VECTORS: raise Refused(f"{name} of type {kind}")
            of, parts = (kind, [value]) if is_number else (INT if kind in (9, 11) else FLOAT, value)
            count, is_int = VECTORS[SIMPLE[name]], name.endswith("int")
            parts = [wrap(to_int(of, part, 32), 32) if is_int else "f32:" + to_float(of, part)[::-1].hex() for part in parts]
            return (parts + [0 if is_int else "f32:" + "0" * 8] * count)[:count]
        if name == "bean" and kind in (BEAN, DYNAMIC):
            return self.bean(inside, value if kind == BEAN else value[1])
        if name == "dynamic" and kind in (BEAN, DYNAMIC):
            number_, layers = value if kind == DYNAMIC else (0, value)
            known = variants(inside)
            if number_ in known:
                return {"$typeId": number_, "$bean": known[number_], "value": self.bean(known[number_], layers)}
            if number_ == 0: return None
            raise Refused(f"type id {number_}")
        raise Refused(f"{wanted} of type {kind}")

    # Writing: the notation of the vectors to wire values.
    def wire(self, value, wanted):
        name, inside = split(wanted)
        kind = SIMPLE[name]
        if kind == INT: return kind, int(value)
        if kind in (FLOAT, DOUBLE): return kind, bits(value)
        if kind == BYTES: return kind, value.encode() if name == "string" else bytes.fromhex(value[4:])
        if kind == LIST:
            items = [self.wire(item, inside[0])[1] for item in value]
            return kind, (SIMPLE[split(inside[0])[0]] if items else 0, items)
        if kind == MAP:
            entries = [(self.wire(key, inside[0])[1], self.wire(item, inside[1])[1]) for key, item in value]
            kinds = [SIMPLE[split(one)[0]] if entries else 0 for one in inside]
            return kind, (*kinds, entries)
        if kind == BEAN: return kind, self.layers(inside, value)
        if kind == DYNAMIC:
            if value is None: return kind, (0, [[]])
            return kind, (value["$typeId"], self.layers(value["$bean"], value["value"]))
        return kind, [part if kind in (9, 11) else bits(part) for part in value]

    def layers(self, name, value):
        bean, fields = self.beans[name], []
        for field in bean["fields"]:
            kind, own = self.wire(value[field["name"]], field["type"])
            if not is_default(kind, own): fields.append((field["id"], kind, own))
        return [fields] + (self.layers(bean["base"], value["$base"]) if "base" in bean else [])


def is_default(kind, value):
    if kind in (INT, FLOAT, DOUBLE): return number(kind, value) == 0
    if kind == BYTES: return not value
    if kind in (LIST, MAP): return not value[-1]
    if kind == BEAN: return value == [[]]
    if kind == DYNAMIC: return value == (0, [[]])
    return all(is_default(INT if kind in (9, 11) else FLOAT, part) for part in value)

def bits(text):
    return bytes.fromhex(text[4:])[::-1]

# Trees: values that say their wire types.
def tree(kind, value):
    if kind in (FLOAT, DOUBLE): return ("f32:" if kind == FLOAT else "f64:") + value[::-1].hex()
    if kind == BYTES: return "hex:" + value.hex()
    if kind == LIST: return {"elem": value[0], "items": [tree(value[0], item) for item in value[1]]}
    if kind == MAP:
        entries = [[tree(value[0], key), tree(value[1], item)] for key, item in value[2]]
        return {"key": value[0], "val": value[1], "entries": entries}
    if kind == BEAN:
        return [[{"id": field, "type": of, "value": tree(of, own)} for field, of, own in layer] for layer in value]
    if kind == DYNAMIC: return {"type_id": value[0], "bean": tree(BEAN, value[1])}
    if kind in (8, 10, 12): return [tree(FLOAT, part) for part in value]
    return value

def untree(kind, value):
    if kind in (FLOAT, DOUBLE): return bits(value)
    if kind == BYTES: return bytes.fromhex(value[4:])
    if kind == LIST: return value["elem"], [untree(value["elem"], item) for item in value["items"]]
    if kind == MAP:
        entries = [(untree(value["key"], key), untree(value["val"], item)) for key, item in value["entries"]]
        return value["key"], value["val"], entries
    if kind == BEAN:
        return [[(one["id"], one["type"], untree(one["type"], one["value"])) for one in layer] for layer in value]
    if kind == DYNAMIC: return value["type_id"], untree(BEAN, value["bean"])
    if kind in (8, 10, 12): return [bits(part) for part in value]
    return value

def type_id(name):
    state, units = 3074457345618258791, name.encode("utf-16-le")
    for at in range(0, len(units), 2):
        state = (state + int.from_bytes(units[at:at + 2], "little")) * 3074457345618258799 % (1 << 64)
    return wrap(state, 64)

def read(row, schema):
    kind, reader = row["kind"], Reader(bytes.fromhex(row.get("hex", "")))
    if kind == "fixedhash64": return type_id(row["input"])
    if "type" in row and kind != "tag": return tree(row["type"], reader.value(row["type"]))
    if kind in ("int", "int_decode"): return reader.signed()
    if kind in ("uint32", "uint_decode"): return reader.unsigned()
    if kind in ("float", "double", "string"): return schema.convert(SIMPLE[kind], reader.value(SIMPLE[kind]), kind)
    if kind in ("bytes", "string_decode_invalid"):
        return schema.convert(BYTES, reader.value(BYTES), "binary" if kind == "bytes" else "string")
    if kind in ("bean", "evolve", "malformed"): return schema.bean(row["schema"], reader.bean())
    if kind == "convert":
        found = [(of, value) for field, of, value in reader.bean()[0] if field == 1]
        return schema.convert(*found[0], row["to"]) if found else schema.default(row["to"])
    if kind in ("protocol", "rpc", "page_frame"):
        module, protocol, size = struct.unpack("<III", reader.take(12))
        body = Reader(reader.take(size))
        assert (module, protocol) == (row["moduleId"], row["protocolId"])
        if kind != "page_frame":
            family = body.unsigned()
            assert family & 31 == row["familyClass"] & 31
            assert (body.signed() if family & 32 else 0) == row["resultCode"]
            if family & 31 != 2: assert body.signed() == row["sessionId"]
        return schema.bean(row["schema"], body.bean())
    raise NotImplementedError

def write(row, schema):
    kind, writer, value = row["kind"], Writer(), row.get("value")
    if kind == "tag": writer.header(row["id"] - row["last_id"], row["type"])
    elif "type" in row: writer.value(row["type"], untree(row["type"], value))
    elif kind == "list_header": writer.header(row["count"], row["elem"])
    elif kind == "map_header":
        writer.out.append(row["key"] << 4 | row["val"])
        writer.unsigned(row["count"])
    elif kind == "int": writer.signed(value)
    elif kind == "uint32": writer.unsigned(value)
    elif kind in ("float", "double", "string"): writer.value(*schema.wire(value, kind))
    elif kind == "bytes": writer.value(*schema.wire(value, "binary"))
    elif kind == "string_repeat_x": writer.value(BYTES, b"x" * value)
    elif kind == "bean": writer.bean(schema.layers(row["schema"], value))
    elif kind in ("protocol", "rpc", "page_frame"):
        if kind != "page_frame":
            result = row["resultCode"]
            writer.unsigned(row["familyClass"] & 31 | (32 if result else 0))
            if result: writer.signed(result)
            if row["sessionId"] is not None: writer.signed(row["sessionId"])
        writer.bean(schema.layers(row["schema"], value))
        return struct.pack("<III", row["moduleId"], row["protocolId"], len(writer.out)) + writer.out
    else: raise NotImplementedError
    return writer.out

schemas = {}
for question in map(json.loads, sys.stdin):
    row, path = question["row"], question["at"].rsplit(":", 1)[0]
    name = "demo_schema.json" if "demo_" in os.path.basename(path) else "schema.json"
    file = os.path.join(os.path.dirname(path), name)
    schema = schemas.get(file) or schemas.setdefault(file, Schema(json.load(open(file))))
    try:
        answer = {question["ask"]: read(row, schema) if question["op"] == "read" else bytes(write(row, schema)).hex()}
    except Refused as error: answer = {"error": str(error)}
    except Undefined as error: answer = {"skip": str(error)}
    except NotImplementedError: answer = {"skip": f"no {row['kind']}"}
    except RecursionError: answer = {"error": "too deep"}
    print(json.dumps(answer), flush=True)
