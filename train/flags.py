"""Flags that several commands of `python -m train` share."""

import argparse

import torch


def add_training_flags(parser: argparse.ArgumentParser):
    """Adds the flags of every command that trains a network."""
    parser.add_argument("--folder", required=True, help="folder of the run")
    parser.add_argument("--threads", type=int, default=1, help="number of PyTorch threads")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", choices=["cpu", "cuda"], default=device, help="device to train on (default: a GPU if there is one)")
    parser.add_argument("--smoke", action="store_true", help="train on a toy task, which takes less than a minute")


def add_export_flags(parser: argparse.ArgumentParser):
    """Adds the flags of every command that writes a network file."""
    parser.add_argument("--folder", required=True, help="folder of the run")
    parser.add_argument("--out", required=True, help="path of the files to write, without extension: OUT.safetensors, OUT.positions.jsonl, OUT.md")
    parser.add_argument("--threads", type=int, default=1, help="number of PyTorch threads")
