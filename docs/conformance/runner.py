"""The loop of a program for `gamewire conformance`: what an implementation in Python adds is how it reads
and writes. `read(row, ask)` returns the member that is asked for, `write(row)` the bytes. Both return
NotImplemented for rows that the implementation does not do, and raise where it refuses.

    from runner import run
    run(read=lambda row, ask: decode(bytes.fromhex(row["hex"])) if ask == "value" else NotImplemented)
"""
import json
import sys


def run(read=None, write=None):
    for question in map(json.loads, sys.stdin):
        op, ask, row = question["op"], question["ask"], question["row"]
        try:
            if op == "read":
                made = read(row, ask) if read else NotImplemented
            else:
                made = write(row) if write else NotImplemented
            if made is NotImplemented:
                answer = {"skip": f"no {op} of {row.get('kind', ask)}"}
            else:
                answer = {ask: made.hex() if isinstance(made, (bytes, bytearray)) else made}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
