#!/usr/bin/env python3
"""Draws sentences for a reading test: 200 from the program, 100 from the documentation.

    scripts/sentence-sample.py --seed 1 > sample.txt

Sentences of the program come from tests/golden/english.txt and the help of all commands, those of
the documentation from README.md and docs/*.md. Each line has a number, the source and the sentence,
separated by tabs. The same seed draws the same sample."""

import argparse
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
HELP = "tests/golden/help.txt"


def program_sentences() -> list[tuple[str, str]]:
    """Returns the sentences of the program with their identifiers."""
    sentences = []
    for line in (ROOT / "tests/golden/english.txt").read_text().splitlines():
        identifier, text = line.split(": ", 1)
        sentences.append((identifier, text))
    return sentences


def help_sentences() -> list[tuple[str, str]]:
    """Returns the descriptions of commands and options in the help."""
    sentences = set()
    text = re.sub(r"^## crosspath -h$.*?(?=^## )", "", (ROOT / HELP).read_text(), flags=re.DOTALL | re.MULTILINE)
    for block in text.split("\n\n"):
        lines = [line.strip() for line in block.splitlines()]
        option = next((line for line in lines if line.startswith("-")), None)
        if option is None:
            continue
        for entry in re.split(r"\n(?=\s+-)", block):
            match = re.match(r"\s*(?:-\w, )?(--[\w-]+)(?: <[^>]*>)?\s+(\S.*)", entry, re.DOTALL)
            if match:
                sentences.add((match[1], " ".join(match[2].split())))
    return sorted(sentences)


def doc_sentences() -> list[tuple[str, str]]:
    """Returns the sentences of the documentation with their files."""
    sentences = []
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        for block in text.split("\n\n"):
            if re.match(r"\s*(\||#|<|!\[)", block):
                continue
            block = " ".join(re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", line) for line in block.splitlines())
            for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z`\"])", block):
                if len(sentence.split()) >= 5:
                    sentences.append((path.relative_to(ROOT).as_posix(), " ".join(sentence.split())))
    return sentences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    parser.add_argument("--program", type=int, default=200, help="number of sentences of the program")
    parser.add_argument("--docs", type=int, default=100, help="number of sentences of the documentation")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    program = program_sentences() + help_sentences()
    docs = doc_sentences()
    sample = rng.sample(program, min(options.program, len(program)))
    sample += rng.sample(docs, min(options.docs, len(docs)))
    for number, (source, text) in enumerate(sample, 1):
        print(f"{number}\t{source}\t{text}")


if __name__ == "__main__":
    main()
