"""Zeze's varints: gamewire conformance zeze-serialize -- python3 zeze_varints.py"""
import json, sys

def read(data, signed):
    bits = format(int.from_bytes(data[:2].ljust(2, b"\0"), "big"), "016b")
    negative = signed and bits[0] == "1"
    run = bits[1:9] if signed else bits[:8]
    size = 1 + len(run) - len(run.lstrip("0" if negative else "1"))
    if len(data) < size:
        raise ValueError(f"{size} bytes are needed, {len(data)} are there")
    width = 64 if size == 9 and not signed else 7 * size
    return int.from_bytes(data[:size], "big") % (1 << width) - (negative << width)

def write(value, signed):
    low, over = (lambda n: -1 << 7 * n - 1, lambda n: 1 << 7 * n - 1) if signed else (lambda n: 0, lambda n: 1 << 7 * n)
    size = next((n for n in range(1, 9) if low(n) <= value < over(n)), 9)
    width = 64 if size == 9 and not signed else 7 * size
    ones = (1 << size - 1) - 1
    prefix = (ones + 1 if value < 0 else ones) if signed else (255 if size == 9 else 2 * ones)
    return (prefix << width | value % (1 << width)).to_bytes(size, "big")

for line in sys.stdin:
    question = json.loads(line)
    row, kind = question["row"], question["row"].get("kind", "")
    try:
        if kind not in ("int", "int_decode", "uint32", "uint64", "uint_decode"):
            answer = {"skip": f"no {kind}"}
        elif question["op"] == "write":
            answer = {"hex": write(int(row["value"]), kind == "int").hex()}
        else:
            value = read(bytes.fromhex(row["hex"]), kind.startswith("int"))
            answer = {"value": {"uint64": str(value), "uint_decode": value % (1 << 32)}.get(kind, value)}
    except ValueError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
