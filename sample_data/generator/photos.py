# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that behave like photographs: gradients, texture, edges, grain, and a camera's tags."""

import struct
import zlib

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from noise import blend, cells, fractal, gradient, grid, picture, rng, smoothstep

# How upright pixels are stored so that a viewer which obeys the tag shows them upright again.
STORED = {1: None, 3: Image.ROTATE_180, 6: Image.ROTATE_90, 8: Image.ROTATE_270}


def save_jpeg(image, path, orientation, quality):
    if STORED[orientation] is not None:
        image = image.transpose(STORED[orientation])
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "Millrace", "sample_data/make"  # Make, Model
    exif[0x0112] = orientation
    exif[0x0132] = "2024:06:01 09:30:00"  # DateTime
    image.save(path, quality=quality, subsampling="4:2:0", dpi=(300, 300), exif=exif, optimize=True)


def lake(size=(2000, 1333)):
    """Hills at dusk, and the same again in moving water."""
    width, height = size
    horizon = int(height * 0.56)
    x, y = grid((width, horizon))
    sky = gradient(y / horizon, [(0, (38, 62, 112)), (0.45, (150, 140, 160)), (0.75, (236, 170, 120)),
                                 (1, (252, 214, 150))])
    clouds = fractal((width, horizon), 150, 6, 11, stretch=4)
    sky = blend(sky, (255, 226, 200), smoothstep(0.52, 0.85, clouds) * 0.75)
    glow = np.exp(-(np.hypot(x - width * 0.68, (y - horizon * 0.86) * 1.3) / 260) ** 2)
    sky = blend(sky, (255, 244, 214), glow * 0.9)
    for layer in range(5):
        ridge = fractal((width, 2), 420 / (1 + layer * 0.5), 8, 20 + layer)[0]
        top = horizon * (0.50 + 0.11 * layer - 0.34 * (1 - layer * 0.17) * (ridge - 0.35))
        colour = gradient(np.array(layer / 4), [(0, (150, 134, 150)), (1, (28, 38, 40))])
        texture = fractal((width, horizon), 40, 5, 30 + layer) - 0.5
        hill = colour + texture[..., None] * (14 + 9 * layer)
        sky = blend(sky, hill, smoothstep(-1.2, 1.2, y - top[None, :]))
    depth = np.arange(height - horizon) + 1.0
    ripples = fractal((width, height - horizon), 26, 5, 41, stretch=9) - 0.5
    row = horizon - 1 - depth[:, None] * 0.95 + ripples * (6 + depth[:, None] * 0.14)
    row = np.clip(row, 0, horizon - 1).astype(int)
    column = np.clip(x[0][None, :] + ripples * 10, 0, width - 1).astype(int)
    water = blend(sky[row, column], (30, 48, 66), 0.22 + 0.25 * (depth / depth[-1])[:, None] + 0 * ripples)
    scene = np.vstack([sky, water + ripples[..., None] * 26])
    return picture(with_reeds(scene, 7), 1.6, 42)


def with_reeds(scene, seed):
    height, width = scene.shape[:2]
    mask = Image.new("L", (width * 2, height * 2))
    draw, random = ImageDraw.Draw(mask), rng(seed)
    for _ in range(170):
        foot = random.normal(0.12, 0.09) * width * 2
        length, lean = random.uniform(0.12, 0.42) * height * 2, random.normal(0.1, 0.12)
        bend = [(foot + lean * length * t * t, height * 2 - length * t) for t in np.linspace(0, 1, 12)]
        draw.line(bend, fill=255, width=int(random.uniform(4, 9)), joint="curve")
    mask = mask.resize((width, height), Image.BOX)
    return blend(scene, (16, 20, 18), np.asarray(mask) / 255.0)


def lights(size=(1500, 2000)):
    """Lights of a town far out of focus: soft discs with bright rims on a dark ground."""
    width, height = size
    x, y = grid(size)
    scene = gradient(y / height, [(0, (10, 14, 30)), (0.55, (38, 30, 46)), (1, (14, 12, 16))])
    random = rng(3)
    hues = [(255, 190, 90), (255, 120, 60), (120, 190, 255), (255, 235, 190), (90, 230, 170), (240, 70, 90)]
    for _ in range(130):
        radius = random.uniform(28, 105)
        cx, cy = random.uniform(0, width), random.normal(0.5, 0.17) * height
        box = (slice(max(int(cy - 130), 0), max(int(cy + 130), 0)),
               slice(max(int(cx - 130), 0), max(int(cx + 130), 0)))
        distance = np.hypot(x[box] - cx, y[box] - cy)
        disc = smoothstep(radius + 2, radius - 2, distance)
        rim = np.exp(-(((distance - radius + 5) / 4) ** 2))
        light = (disc * 0.42 + rim * 0.22) * random.uniform(0.35, 1)
        colour = np.array(hues[random.integers(len(hues))], dtype=np.float64)
        scene[box] = 255 - (255 - scene[box]) * (1 - light[..., None] * colour / 255)  # screen
    return picture(scene, 1.2, 4)


def mill(size=(1800, 1350)):
    """A water wheel at a stone wall: hard edges, straight and round, over rough texture."""
    width, height = size
    x, y = grid(size)
    first, second, number = cells((width, height), 74, 5)
    shade = rng(6).random(number.max() + 1)[number]
    stone = gradient(shade, [(0, (92, 84, 74)), (0.5, (134, 122, 104)), (1, (168, 158, 142))])
    rough = fractal(size, 28, 5, 8) - 0.5
    wall = stone + rough[..., None] * 62
    wall = blend(wall, (58, 54, 48), smoothstep(0.13, 0.03, second - first))
    wall = blend(wall, (66, 92, 48), smoothstep(0.55, 0.85, fractal(size, 170, 5, 9)) * 0.65)
    wall *= (1.12 - 0.45 * x / width - 0.15 * y / height)[..., None]
    centre, radius = (width * 0.56, height * 0.53), height * 0.40
    shadow = wheel(size, (centre[0] + 34, centre[1] + 26), radius).filter(ImageFilter.GaussianBlur(12))
    scene = blend(wall, (20, 18, 18), np.asarray(shadow) / 255.0 * 0.6)
    grain_of_wood = fractal(size, 60, 5, 12, stretch=7) - 0.5
    lit = 1.15 - 0.5 * (y - centre[1] + radius) / (2 * radius)
    wood = (np.array([116, 82, 52]) + grain_of_wood[..., None] * 70) * lit[..., None]
    scene = blend(scene, wood, np.asarray(wheel(size, centre, radius)) / 255.0)
    surface = height * 0.84 + 9 * fractal((width, 2), 90, 4, 13)[0]
    flow = fractal(size, 18, 5, 14, stretch=6)
    water = gradient(flow, [(0, (24, 44, 42)), (0.6, (64, 92, 88)), (1, (206, 220, 218))])
    scene = blend(scene, water, smoothstep(-1, 1, y - surface[None, :]))
    foam = smoothstep(0.45, 0.8, fractal(size, 22, 5, 15)) * np.exp(-(((y - surface[None, :] - 12) / 26) ** 2))
    return picture(blend(scene, (240, 244, 244), foam * 0.9), 1.8, 16)


def wheel(size, centre, radius):
    """The wheel's shape, drawn at twice the size and averaged."""
    mask = Image.new("L", (size[0] * 2, size[1] * 2))
    draw = ImageDraw.Draw(mask)
    cx, cy, radius = centre[0] * 2, centre[1] * 2, radius * 2

    def at(angle, distance):
        return cx + np.cos(angle) * distance, cy + np.sin(angle) * distance

    for outer, inner in ((1.0, 0.93), (0.80, 0.75), (0.17, 0.0)):
        ring = Image.new("L", mask.size)
        pen = ImageDraw.Draw(ring)
        for share, fill in ((outer, 255), (inner, 0)):
            pen.ellipse([cx - radius * share, cy - radius * share, cx + radius * share, cy + radius * share], fill=fill)
        mask.paste(255, mask=ring)
    for spoke in range(8):
        angle = spoke * np.pi / 4 + 0.2
        draw.line([at(angle, radius * 0.1), at(angle, radius * 0.95)], fill=255, width=int(radius * 0.05))
    for paddle in range(28):
        angle = paddle * np.pi / 14
        draw.line([at(angle + 0.09, radius * 0.76), at(angle, radius * 1.05)], fill=255, width=int(radius * 0.025))
    return mask.resize(size, Image.BOX)


def stones(size=(1500, 2000)):
    """Broken stones: sharp edges in every direction, many colours."""
    first, second, number = cells(size, 120, 17)
    colours = rng(18).random((number.max() + 1, 2))[number]
    stone = gradient(colours[..., 0], [(0, (74, 78, 84)), (0.35, (122, 112, 100)), (0.6, (164, 146, 122)),
                                       (0.8, (138, 92, 74)), (1, (206, 200, 190))])
    height = np.sqrt(np.clip(second - first, 0, 0.5))
    slope_y, slope_x = np.gradient(height * 46)
    light = 0.86 - 0.55 * np.clip(slope_x * 0.6 + slope_y * 0.8, -1.0, 1.0)
    speckle = fractal(size, 14, 4, 19) - 0.5
    veins = smoothstep(0.04, 0.0, np.abs(fractal(size, 200, 5, 21) - 0.5)) * (colours[..., 1] > 0.6)
    scene = (stone + speckle[..., None] * 46) * light[..., None]
    scene = blend(scene, (226, 222, 214), veins * 0.6)
    scene = blend(scene, (22, 22, 24), smoothstep(0.30, 0.05, height))
    return picture(scene, 1.4, 22)


def dunes(size=(1800, 1200)):
    """Sand ripples that run into the distance: fine regular lines, which alias when resized badly."""
    width, height = size
    x, y = grid(size)
    far = 0.25 + 1.5 * y / height
    warp = fractal(size, 300, 4, 23) * 5 + fractal(size, 60, 3, 24) * 0.5
    phase = (y / height) ** 0.5 * 190 + (x - width / 2) / far / 420 + warp * 2
    ridge = 0.5 + 0.5 * np.sin(phase)
    sand = gradient(ridge**0.7, [(0, (128, 84, 54)), (0.5, (206, 156, 104)), (1, (248, 216, 164))])
    sand += (fractal(size, 5, 2, 25) - 0.5)[..., None] * 16
    crest = height * (0.20 + 0.07 * np.sin(x[0] / width * 4.4 + 0.6))
    sky = gradient(y / height, [(0, (70, 126, 186)), (0.3, (186, 210, 226))])
    return picture(blend(sky, sand, smoothstep(-1, 1, y - crest[None, :])), 1.0, 26)


def leaf(size=(720, 560)):
    """A cut-out with a soft shadow: alpha from nothing to full, for haloes to show."""
    scale = 3
    mask = Image.new("L", (size[0] * scale, size[1] * scale))
    t = np.linspace(0, 1, 200)
    spread = np.sin(np.pi * t**0.8) ** 0.9 * 0.30 * (1 + 0.05 * np.sin(t * 90))
    along = 0.08 + 0.80 * t
    edge = list(zip(along, 0.48 - spread)) + list(zip(along[::-1], 0.48 + spread[::-1]))
    ImageDraw.Draw(mask).polygon([(px * mask.width, py * mask.height) for px, py in edge], fill=255)
    mask = mask.resize(size, Image.BOX)
    x, y = grid(size)
    u, v = x / size[0], y / size[1] - 0.48
    green = gradient(np.clip(u, 0, 1), [(0, (46, 92, 34)), (0.6, (96, 150, 52)), (1, (214, 176, 60))])
    vein = np.abs(np.mod(u * 11 - np.abs(v) * 6, 1) - 0.5)
    green = blend(green, (196, 214, 140), np.maximum(smoothstep(0.06, 0.02, vein) * 0.5,
                                                     smoothstep(0.008, 0.003, np.abs(v))))
    solid = np.asarray(mask) / 255.0
    shadow = Image.new("L", size)
    shadow.paste(mask, (16, 22))
    shadow = np.asarray(shadow.filter(ImageFilter.GaussianBlur(12))) / 255.0 * 0.45
    alpha = solid + shadow * (1 - solid)
    colour = green * (solid / np.maximum(alpha, 1e-6))[..., None]
    return Image.fromarray((np.dstack([colour, alpha * 255]) + 0.5).clip(0, 255).astype(np.uint8), "RGBA")


def write_png16(path, pixels):
    """RGB of 16 bits a sample (Pillow has none), rows filtered by Paeth (PNG, 9.4)."""
    height, width = pixels.shape[:2]
    raw = pixels.astype(">u2").view(np.uint8).reshape(height, width * 6).astype(int)
    left = np.pad(raw, ((0, 0), (6, 0)))[:, :-6]
    up = np.pad(raw, ((1, 0), (0, 0)))[:-1]
    corner = np.pad(raw, ((1, 0), (6, 0)))[:-1, :-6]
    p = left + up - corner
    a, b, c = np.abs(p - left), np.abs(p - up), np.abs(p - corner)
    guess = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
    rows = np.hstack([np.full((height, 1), 4), raw - guess]) % 256

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows.astype(np.uint8).tobytes(), 9)))
        file.write(chunk(b"IEND", b""))


def night(size=(360, 240)):
    """A sky of so little contrast that 8 bits show it in bands; with a few stars."""
    x, y = grid(size)
    scene = gradient(y / size[1], [(0, (1800, 2300, 5200)), (1, (9000, 7600, 9800))])
    random = rng(27)
    for _ in range(60):
        cx, cy, power = random.uniform(0, size[0]), random.uniform(0, size[1] * 0.8), random.uniform(0.1, 1) ** 2
        star = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 1.3)
        scene = blend(scene, (65535, 62000, 58000), star * power)
    return np.round(scene).astype(np.uint16)


def make(folder):
    save_jpeg(lake(), folder / "lake.jpg", 1, 80)
    save_jpeg(mill(), folder / "mill.jpg", 3, 80)
    save_jpeg(lights(), folder / "lights.jpg", 6, 84)
    save_jpeg(stones(), folder / "stones.jpg", 8, 76)
    dunes().save(folder / "dunes.webp", quality=75, method=6)
    leaf().save(folder / "leaf.png", optimize=True)
    write_png16(folder / "night.png", night())
