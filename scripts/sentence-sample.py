#!/usr/bin/env python3
"""Draws sentences for a reading test: 200 of the program, 100 of the documentation.

    scripts/sentence-sample.py --seed 1 > sample.txt

The sentences of the program come from tests/golden/english.txt and from the help of all commands, those of the documentation from
README.md and docs/*.md. Each line is a number, the source and the sentence. The same seed draws the same sample."""

import argparse
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
HELP = "tests/golden/help.txt"


def program_sentences() -> list[tuple[str, str]]:
    """Returns the sentences of the program with their identifiers."""
    found = []
    for line in (ROOT / "tests/golden/english.txt").read_text().splitlines():
        identifier, text = line.split(": ", 1)
        found.append((identifier, text))
    return found


def help_sentences() -> list[tuple[str, str]]:
    """Returns the descriptions of commands and options in the help."""
    found = set()
    text = re.sub(r"^## crosspath -h$.*?(?=^## )", "", (ROOT / HELP).read_text(), flags=re.DOTALL | re.MULTILINE)
    for block in text.split("\n\n"):
        lines = [line.strip() for line in block.splitlines()]
        option = next((line for line in lines if line.startswith("-")), None)
        if option is None:
            continue
        for entry in re.split(r"\n(?=\s+-)", block):
            match = re.match(r"\s*(?:-\w, )?(--[\w-]+)(?: <[^>]*>)?\s+(\S.*)", entry, re.DOTALL)
            if match:
                found.add((match[1], " ".join(match[2].split())))
    return sorted(found)


def doc_sentences() -> list[tuple[str, str]]:
    """Returns the sentences of the documentation with their files."""
    found = []
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        for block in text.split("\n\n"):
            if re.match(r"\s*(\||#|<|!\[)", block):
                continue
            block = " ".join(re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", line) for line in block.splitlines())
            for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z`\"])", block):
                if len(sentence.split()) >= 5:
                    found.append((path.relative_to(ROOT).as_posix(), " ".join(sentence.split())))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    parser.add_argument("--program", type=int, default=200, help="number of sentences of the program")
    parser.add_argument("--docs", type=int, default=100, help="number of sentences of the documentation")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    program = program_sentences() + help_sentences()
    docs = doc_sentences()
    sample = draw.sample(program, min(options.program, len(program)))
    sample += draw.sample(docs, min(options.docs, len(docs)))
    for number, (source, text) in enumerate(sample, 1):
        print(f"{number}\t{source}\t{text}")


if __name__ == "__main__":
    main()
