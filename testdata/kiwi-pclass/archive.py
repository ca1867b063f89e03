#!/usr/bin/env python3
"""Makes arena.wad and old.wad, from the description of KIWAD archives alone.

It shares no code with the crate: the checksum is computed bit by bit, the compression is Python's.
Run it in this folder. Python's zlib need not compress as another version does, so the files it
makes again may differ from those that are here, which is no error.
"""

import struct
import zlib


def crc(data):
    """CRC-32 of the reversed polynomial, beginning with 0, not inverted at the end."""
    state = 0
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0xEDB88320 if state & 1 else 0)
    return state


def packed(data):
    return len(data), zlib.compress(data, 9), True


def stored(data):
    return len(data), data, False


def archive(version, flags, entries, order=None, gap=b"", tail=b"", ends=b"\0"):
    """`entries`: name to (size, bytes, is compressed, checksum or None). `order`: of the data."""
    head = b"KIWAD" + struct.pack("<II", version, len(entries))
    if version >= 2:
        head += bytes([flags])
    at = len(head) + sum(21 + len(name) + len(ends) for name in entries)
    offsets, data = {}, b""
    for name in order or entries:
        data += gap
        offsets[name] = at + len(data)
        data += entries[name][1]
    for name, (size, content, is_packed, *wrong) in entries.items():
        sizes = (size, len(content) if is_packed else 0xFFFFFFFF)
        check = wrong[0] if wrong else crc(content)
        head += struct.pack("<IIIBI", offsets[name], *sizes, is_packed, check)
        head += struct.pack("<I", len(name) + len(ends)) + name.encode() + ends
    return head + data + tail


def read(name):
    with open(name, "rb") as file:
        return file.read()


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


assert crc(b"123456789") == 0x2DFD2D88

write("arena.wad", archive(2, 1, {
    "Empty.txt": packed(b""),
    "GUI/Readme.txt": packed(b"No object of the game.\r\n" * 4),
    "Later.xml": (4096, bytes(64), True, 0x12345678),
    "Music/Theme.mp3": stored(b"ID3 no music at all"),
    "ObjectData/Arena/Boss.xml": packed(read("boss.xml")),
    "ObjectData/Arena/Match.xml": packed(read("match.xml")),
    "ObjectData/Server.xml": packed(read("server.xml")),
}))

# Names that are not in order, data in another order and with gaps, two zeros after each name.
write("old.wad", archive(1, 0, {
    "b/Second.txt": stored(b"second"),
    "a/First.txt": packed(b"first " * 20),
    "c/Zeros.bin": stored(bytes(5)),
}, order=["a/First.txt", "c/Zeros.bin", "b/Second.txt"], gap=b"..", tail=b"end", ends=b"\0\0"))
