"""Resonite's saves, written from docs/formats/resonite-brson.md alone:

gamewire conformance resonite-brson -- python3 docs/conformance/brson.py

LZMA is Python's own; Brotli takes `pip install brotli`, without which its files are skipped.
"""
import hashlib, io, json, lzma, os, struct, sys, zipfile
try: import brotli
except ImportError: brotli = print("SKIPPED: Brotli files, without the module brotli", file=sys.stderr)

class Refused(Exception): pass
class Missing(Exception): pass

def need(good, why):
    if not good: raise Refused(why)

class Reader:
    def __init__(self, data): self.data, self.at = data, 0

    def take(self, count):
        need(0 <= count <= len(self.data) - self.at, f"{count} bytes at {self.at}")
        self.at += count
        return self.data[self.at - count:self.at]

    def u32(self): return int.from_bytes(self.take(4), "little")

    def leb128(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128: return value
            shift += 7
            need(shift < 64, "a number of more than 64 bits")

    def text(self):
        end = self.data.find(b"\0", self.at)
        need(end >= 0, "text without an end")
        return self.take(end - self.at + 1)[:-1].decode()


# Codecs.
def lz4_block(data, out):
    """Appends a block; matches may reach back into `out`, as in frames with linked blocks."""
    reader = Reader(data)
    def length(nibble):
        while nibble >= 15:
            more = reader.take(1)[0]
            nibble += more
            if more < 255: break
        return nibble
    while True:
        token = reader.take(1)[0]
        out += reader.take(length(token >> 4))
        if reader.at == len(data): return
        back, count = int.from_bytes(reader.take(2), "little"), length(token & 15) + 4
        need(0 < back <= len(out), "a match before the start")
        for _ in range(count): out.append(out[-back])

def lz4_chunks(data):
    reader, out = Reader(data), bytearray()
    while reader.at < len(data):
        flags, size = reader.leb128(), reader.leb128()
        need(flags < 4, "further passes")
        if not flags & 1:
            out += reader.take(size)
            continue
        packed, own = reader.leb128(), bytearray()
        need(packed <= size, "a chunk that is longer than its content")
        if not size: continue
        lz4_block(reader.take(packed), own)
        need(len(own) == size, "a chunk of another length")
        out += own
    return bytes(out)

def xxh32(data):
    primes = 2654435761, 2246822519, 3266489917, 668265263, 374761393
    turn = lambda value, by: (value << by | value >> 32 - by) & 0xffffffff
    lanes = [primes[0] + primes[1] & 0xffffffff, primes[1], 0, -primes[0] & 0xffffffff]
    end = len(data) // 16 * 16
    for at in range(0, end, 4):
        lane = at // 4 % 4
        word = int.from_bytes(data[at:at + 4], "little")
        lanes[lane] = turn(lanes[lane] + word * primes[1] & 0xffffffff, 13) * primes[0] & 0xffffffff
    hash = sum(map(turn, lanes, (1, 7, 12, 18))) if end else primes[4]
    hash = hash + len(data) & 0xffffffff
    while end + 4 <= len(data):
        hash = turn(hash + int.from_bytes(data[end:end + 4], "little") * primes[2] & 0xffffffff, 17) * primes[3] & 0xffffffff
        end += 4
    for byte in data[end:]: hash = turn(hash + byte * primes[4] & 0xffffffff, 11) * primes[0] & 0xffffffff
    hash = (hash ^ hash >> 15) * primes[1] & 0xffffffff
    hash = (hash ^ hash >> 13) * primes[2] & 0xffffffff
    return hash ^ hash >> 16

def lz4_frame(data):
    """The LZ4 frame format, version 1.6; the engine does not write it."""
    reader, out = Reader(data), bytearray()
    need(reader.u32() == 0x184d2204, "no LZ4 frame")
    start = reader.at
    flags, _ = reader.take(2)
    need(flags >> 6 == 1 and not flags & 2, "an unknown LZ4 frame")
    size = int.from_bytes(reader.take(8), "little") if flags & 8 else None
    if flags & 1: reader.take(4)
    need(reader.take(1)[0] == xxh32(data[start:reader.at - 1]) >> 8 & 255, "the check sum of the header")
    while word := reader.u32():
        block = reader.take(word & 0x7fffffff)
        if flags & 16: need(reader.u32() == xxh32(block), "the check sum of a block")
        own = out if not flags & 32 else bytearray()
        if word >> 31: own += block
        else: lz4_block(block, own)
        if own is not out: out += own
    if flags & 4: need(reader.u32() == xxh32(out), "the check sum of the content")
    need(reader.at == len(data), "bytes after the frame")
    need(size is None or size == len(out), "another size")
    return bytes(out)

def lzma_body(data):
    need(len(data) > 21, "no LZMA data")
    properties, dictionary, size, second = struct.unpack("<BIQQ", data[:21])
    # The second size counts the bytes from offset 21; a plain `.lzma` has data from offset 13 on, whose first byte is 0.
    has_two = data[13] or not data[21] and second <= size + size // 8 + 65536
    start = 21 if has_two else 13
    need(properties < 225 and size < 1 << 28, "no LZMA header")
    kind = {"id": lzma.FILTER_LZMA1, "dict_size": max(dictionary, 4096), "lc": properties % 9,
            "lp": properties // 9 % 5, "pb": properties // 45}
    try: out = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[kind]).decompress(data[start:], size)
    except lzma.LZMAError as error: raise Refused(str(error))
    need(len(out) == size, "LZMA data that ends early")
    return out

def brotli_body(data):
    if brotli is None: raise Missing("the module brotli")
    try: return brotli.decompress(data)
    except brotli.error as error: raise Refused(str(error))

def is_frame(data): return data[:4] == b"\x04\x22\x4d\x18"

def document(data, extension):
    """The bytes of the document in a file."""
    if data[:4] == b"FrDT":
        reader = Reader(data)
        reader.take(4)
        need(reader.u32() == 0, "the version of the header")
        kind = reader.leb128()
        body = data[reader.at:]
        need(kind in (1, 2, 3), f"compression {kind}")
        if kind == 1: return lz4_frame(body) if is_frame(body) else lz4_chunks(body)
        return lzma_body(body) if kind == 2 else brotli_body(body)
    if len(data) > 4 and int.from_bytes(data[:4], "little") == len(data) and not data[-1]: return data
    if is_frame(data): return lz4_frame(data)
    if len(data) > 21 and data[0] == 0x5d and not (data[21] and data[13]): return lzma_body(data)
    if extension != ".brson":
        try: return lz4_chunks(data)
        except Refused: pass
    return brotli_body(data)


# The document.
def bson(data):
    reader = Reader(data)
    value = container(reader, dict, 0)
    need(reader.at == len(data), "bytes after the document")
    return value

def container(reader, of, depth):
    need(depth <= 1024, "too deep")
    start = reader.at
    end = start + reader.u32()
    need(end <= len(reader.data), "a length past the end")
    found = {}
    while kind := reader.take(1)[0]:
        name = reader.text()
        need(of is list or name not in found, f"{name} twice")
        found[name if of is dict else len(found)] = element(reader, kind, depth + 1)
    need(reader.at == end, "a document of another length")
    return found if of is dict else list(found.values())

def element(reader, kind, depth):
    if kind == 0x01: return struct.unpack("<d", reader.take(8))[0]
    if kind == 0x02:
        text = reader.take(reader.u32())
        need(text[-1:] == b"\0", "text without its 0")
        return text[:-1].decode()
    if kind in (0x03, 0x04): return container(reader, dict if kind == 3 else list, depth)
    if kind == 0x08: return reader.take(1) != b"\0"
    if kind == 0x09: return {"$date": struct.unpack("<q", reader.take(8))[0]}
    if kind == 0x0a: return None
    if kind in (0x10, 0x12): return int.from_bytes(reader.take(4 if kind == 0x10 else 8), "little", signed=True)
    raise Refused(f"element type {kind:#x}, which the engine does not write")

def written(value, wide, path=""):
    """A document, or an array by its indices; `wide` are the pointers of int64."""
    out = bytearray()
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        own = f"{path}/{name}"
        kind, data = written_element(item, wide, own)
        out += bytes([kind]) + str(name).encode() + b"\0" + data
    return struct.pack("<i", len(out) + 5) + out + b"\0"

def written_element(item, wide, path):
    if item is None: return 0x0a, b""
    if isinstance(item, bool): return 0x08, bytes([item])
    if isinstance(item, float): return 0x01, struct.pack("<d", item)
    if isinstance(item, int): return (0x12, struct.pack("<q", item)) if path in wide else (0x10, struct.pack("<i", item))
    if isinstance(item, str): return 0x02, struct.pack("<i", len(item.encode()) + 1) + item.encode() + b"\0"
    return (0x03 if isinstance(item, dict) else 0x04), written(item, wide, path)

def package(data):
    """The save that the record of a package names, by the hash of its bytes."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    record = json.loads(archive.read("R-Main.record"))
    for asset in archive.namelist():
        folder, _, name = asset.partition("/")
        if folder == "Assets": need(hashlib.sha256(archive.read(asset)).hexdigest() == name, f"{asset} has another hash")
    return archive.read("Assets/" + record["assetUri"].removeprefix("packdb:///"))

def is_linked(save):
    """Every reference leads to an identifier of the save, every component to a type (section 7)."""
    types, ids, used = save.get("Types"), set(), []
    def walk(value, key):
        if isinstance(value, dict):
            if {"Type", "Data"} == set(value): need(types is None or value["Type"] < len(types), "a type that is not listed")
            for name, item in value.items(): walk(item, name)
        elif isinstance(value, list):
            for item in value: walk(item, key)
        elif isinstance(value, str) and len(value) == 36 and value.count("-") == 4:
            used.append(value) if key in ("Data", "Target") else ids.add(value)
    walk(save, "")
    return set(used) <= ids

def read(row, question):
    if "file" in row:
        path = os.path.join(os.path.dirname(question["at"]), row["file"])
        data = open(path, "rb").read()
        extension = os.path.splitext(path)[1]
        if extension == ".resonitepackage": data, extension = package(data), ".brson"
    else: data, extension = bytes.fromhex(row["hex"]), ""
    own = document(data, extension)
    value = bson(own)
    if question["ask"] != "bson_sha256": return value
    need("file" not in row or is_linked(value), "a reference that leads nowhere")
    return hashlib.sha256(own).hexdigest()

for question in map(json.loads, sys.stdin):
    row = question["row"]
    try:
        if question["op"] == "read": answer = {question["ask"]: read(row, question)}
        elif row["kind"] == 0: answer = {"hex": written(row["json"], set(row["int64"])).hex()}
        else: answer = {"skip": "compressed bytes are the compressor's own"}
    except Missing as error: answer = {"skip": str(error)}
    except (Refused, UnicodeDecodeError) as error: answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
