# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
"""Noise, gradients and cells: what the pictures are made of. Sizes are (width, height)."""

import numpy as np
from PIL import Image


def rng(seed):
    return np.random.Generator(np.random.PCG64(seed))


def grid(size):
    """x and y of every pixel's centre."""
    width, height = size
    return np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)


def fractal(size, cell, octaves, seed, stretch=1.0):
    """Fractal value noise in 0..1: random grids, each twice as fine and half as strong."""
    random, total, weight = rng(seed), np.zeros(size[::-1]), 0.0
    for octave in range(octaves):
        step, strength = max(cell / 2**octave, 1.0), 0.5**octave
        columns = max(int(size[0] / (step * stretch)) + 3, 4)
        rows = max(int(size[1] / step) + 3, 4)
        coarse = Image.fromarray(random.random((rows, columns)).astype(np.float32))
        total += strength * np.asarray(coarse.resize(size, Image.BICUBIC), dtype=np.float64)
        weight += strength
    total /= weight
    low, high = total.min(), total.max()
    return (total - low) / (high - low)


def cells(size, cell, seed):
    """Nearest and second nearest distance to jittered points, in cells, and the nearest's number."""
    x, y = grid(size)
    x, y = x / cell, y / cell
    columns, rows = int(size[0] / cell) + 6, int(size[1] / cell) + 6
    points = rng(seed).random((rows, columns, 2))
    first, second = np.full(x.shape, 9.0), np.full(x.shape, 9.0)
    nearest = np.zeros(x.shape, dtype=int)
    for dy in (-2, -1, 0, 1, 2):
        for dx in (-2, -1, 0, 1, 2):
            row, column = y.astype(int) + dy + 2, x.astype(int) + dx + 2
            px = column - 2 + points[row, column, 0]
            py = row - 2 + points[row, column, 1]
            distance = np.hypot(x - px, y - py)
            closer = distance < first
            second = np.where(closer, first, np.minimum(second, distance))
            nearest = np.where(closer, row * columns + column, nearest)
            first = np.where(closer, distance, first)
    return first, second, nearest


def blend(under, over, amount):
    """`amount` (0..1, per pixel) of the colour or picture `over` on `under`."""
    return under + (np.asarray(over, dtype=np.float64) - under) * amount[..., None]


def gradient(t, stops):
    """Colours for t in 0..1 from a list of (t, (r, g, b))."""
    places = [place for place, _ in stops]
    colours = np.array([colour for _, colour in stops], dtype=np.float64)
    return np.stack([np.interp(t, places, colours[:, c]) for c in range(3)], axis=-1)


def smoothstep(low, high, t):
    t = np.clip((t - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def picture(pixels, grain, seed):
    """An 8-bit picture of 0..255 values, with a sensor's noise."""
    noise = rng(seed).normal(0, grain, pixels.shape[:2]) if grain else np.zeros(pixels.shape[:2])
    return Image.fromarray(np.clip(pixels + noise[..., None] + 0.5, 0, 255).astype(np.uint8))
