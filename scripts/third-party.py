#!/usr/bin/env python3
"""Prints the third-party notices: names and licences of all crates in the program, and the licence
texts.

    scripts/third-party.py [TARGET]

TARGET is a platform such as x86_64-unknown-linux-musl (default: this one).
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

# Licences of crates whose package may lack the licence text.
WITHOUT_TEXT = {"Apache-2.0", "MIT", "MIT OR Apache-2.0", "Apache-2.0 OR MIT", "MIT/Apache-2.0", "Zlib", "MIT OR Zlib"}


def host_target():
    """Returns the target triple of this platform."""
    version = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return re.search(r"^host: (.+)$", version, re.M).group(1)


def run_cargo(*arguments):
    """Runs Cargo with the locked dependencies and returns its output."""
    command = [os.environ.get("CARGO", "cargo"), *arguments, "--locked"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def shipped_packages(target):
    """Returns the packages that are linked into the program: no tests, build scripts or macros."""
    tree = run_cargo("tree", "--target", target, "-e", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}")
    names = {tuple(line.split()[:2]) for line in tree.splitlines()}
    packages = json.loads(run_cargo("metadata", "--format-version", "1", "--filter-platform", target))["packages"]
    is_shipped = lambda package: package["source"] and (package["name"], "v" + package["version"]) in names
    return sorted(filter(is_shipped, packages), key=lambda package: (package["name"], package["version"]))


def licence_texts(package):
    """Yields the licence texts in a package."""
    folder = Path(package["manifest_path"]).parent
    names = [path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|copying|notice|unlicense)", path.name)]
    for path in sorted(names):
        for file in [path] if path.is_file() else sorted(path.iterdir()):
            yield file.read_text(encoding="utf-8", errors="replace").strip()


def main():
    packages = shipped_packages(sys.argv[1] if len(sys.argv) > 1 else host_target())
    lines = ["crosspath contains these crates. The texts of their licences follow.", ""]
    crates_of = {}
    missing = []
    for package in packages:
        title = f"{package['name']} {package['version']}"
        lines.append(f"{title} ({package['license']})")
        texts = list(licence_texts(package))
        if not texts and package["license"] not in WITHOUT_TEXT:
            missing.append(f"{title}: no licence text for {package['license']}")
        for text in texts:
            crates_of.setdefault(text, []).append(title)
    if missing:
        sys.exit("\n".join(missing))
    for text, crates in crates_of.items():
        lines += ["", "-" * 80, ", ".join(crates), "", text]
    print("\n".join(lines))


main()
