"""Zeze's varints: gamewire conformance zeze-serialize -- python3 zeze_varints.py"""
import json, sys

def read(data, signed):
    negative = signed and data[:1] > b"\x7f"
    run = int.from_bytes(data[:2].ljust(2, b"\0"), "big") >> 8 - signed & 255
    size = 9 - (run if negative else run ^ 255).bit_length()
    assert len(data) >= size, f"{size} bytes are needed, {len(data)} are there"
    width = 7 * size + (size == 9 and not signed)
    return int.from_bytes(data[:size], "big") % (1 << width) - (negative << width)

def write(value, signed):
    size = next((n for n in range(1, 9) if -signed << 7 * n - 1 <= value < 1 << 7 * n - signed), 9)
    width = 7 * size + (size == 9 and not signed)
    prefix = ((1 << size - 1) - 1 << (not signed and size < 9)) + (value < 0)
    return (prefix << width | value % (1 << width)).to_bytes(size, "big")

for question in map(json.loads, sys.stdin):
    row, kind = question["row"], question["row"].get("kind", "")
    try:
        if kind not in ("int", "int_decode", "uint32", "uint64", "uint_decode"):
            answer = {"skip": f"no {kind}"}
        elif question["op"] == "write":
            answer = {"hex": write(int(row["value"]), kind == "int").hex()}
        else:
            value = read(bytes.fromhex(row["hex"]), kind.startswith("int"))
            answer = {"value": {"uint64": str(value), "uint_decode": value % (1 << 32)}.get(kind, value)}
    except (AssertionError, ValueError) as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
