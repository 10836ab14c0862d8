#!/usr/bin/env python3
"""Turns the JSON lines of `thaw bench --json` into CSV with the date and the CPU.

usage: thaw bench --json | tools/bench_csv.py >> bench/results/NAME.csv
The head line is written when standard output is an empty file or no file at all.
"""
import datetime
import json
import os
import sys

COLUMNS = ["name", "particles", "threads", "isa", "steps", "iterations", "rebuilds", "neighbours",
           "ns_per_particle_step", "fastest_ns_per_particle_step", "bytes_per_particle",
           "mean_density_error", "seconds_per_frame"]


def cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown"


def main():
    status = os.fstat(sys.stdout.fileno())
    rows = [json.loads(line) for line in sys.stdin if line.strip()]
    phases = sorted({phase for row in rows for phase in row["phases"]})
    if status.st_size == 0:
        print(",".join(["date", "cpu"] + COLUMNS + phases))
    for row in rows:
        values = [row.get(column, "") for column in COLUMNS]
        values += [row["phases"].get(phase, "") for phase in phases]
        print(",".join([datetime.date.today().isoformat(), cpu()] + [str(v) for v in values]))


if __name__ == "__main__":
    main()
