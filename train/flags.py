"""Flags that several commands of `python -m train` share."""

import argparse

import torch


def learning(parser: argparse.ArgumentParser):
    """Adds the flags of all commands that learn."""
    parser.add_argument("--folder", required=True, help="the folder of the run")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", choices=["cpu", "cuda"], default=device, help="where to learn (default: a GPU where there is one)")
    parser.add_argument("--smoke", action="store_true", help="learn a toy task in less than a minute")


def writing(parser: argparse.ArgumentParser):
    """Adds the flags of the commands that write a network."""
    parser.add_argument("--folder", required=True, help="the folder of the run")
    parser.add_argument("--out", required=True, help="the file to write, without its ending: OUT.safetensors, OUT.positions.jsonl, OUT.md")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch")
