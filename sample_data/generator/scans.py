# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
"""Pages of text as a scanner or a phone would give them. The texts are in truth/."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from noise import fractal, grid, rng, smoothstep

FONTS = "/usr/share/fonts/opentype/linux-libertine/"
A5 = (5.83, 8.27)  # inches


class Page:
    """White paper on which text is set in justified lines."""

    def __init__(self, inches, dpi, margin=0.65):
        self.dpi, self.margin = dpi, margin
        self.image = Image.new("L", (round(inches[0] * dpi), round(inches[1] * dpi)), 255)
        self.draw = ImageDraw.Draw(self.image)

    def font(self, points, style="R"):
        size = round(points * self.dpi / 72)
        return ImageFont.truetype(f"{FONTS}LinLibertine_{style}.otf", size, layout_engine=ImageFont.Layout.BASIC)

    def title(self, text, points):
        font = self.font(points, "RB")
        left = (self.image.width - font.getlength(text)) / 2
        self.draw.text((left, self.margin * self.dpi), text, font=font, fill=20)
        return self.margin * self.dpi + points * 2.4 * self.dpi / 72

    def paragraphs(self, texts, points, top, left=None, width=None):
        """Sets the texts from `top` and returns where they end, in pixels."""
        left = self.margin * self.dpi if left is None else left
        width = self.image.width - 2 * self.margin * self.dpi if width is None else width
        font, step = self.font(points), points * 1.32 * self.dpi / 72
        for text in texts:
            lines = break_lines(text.split(), font, width)
            for number, words in enumerate(lines):
                self.line(words, font, left, top, width, justified=number + 1 < len(lines))
                top += step
            top += step * 0.5
        return top

    def line(self, words, font, left, top, width, justified):
        space = font.getlength(" ")
        if justified and len(words) > 1:
            space = (width - sum(font.getlength(word) for word in words)) / (len(words) - 1)
        for word in words:
            self.draw.text((left, top), word, font=font, fill=20)
            left += font.getlength(word) + space


def break_lines(words, font, width):
    lines, line = [], []
    for word in words:
        if line and font.getlength(" ".join([*line, word])) > width:
            lines.append(line)
            line = []
        line.append(word)
    return [*lines, line]


def read(path):
    """A title and the paragraphs below it."""
    title, *texts = path.read_text(encoding="utf-8").strip().split("\n\n")
    return title, texts


def set_page(path, dpi, points=11, inches=A5):
    title, texts = read(path)
    page = Page(inches, dpi)
    page.paragraphs(texts, points, page.title(title, points * 1.4))
    return page.image


def set_columns(path, dpi, points=10):
    title, texts = read(path)
    page = Page((7.2, 5.0), dpi)
    top = page.title(title, points * 1.6)
    margin, gap = page.margin * dpi, 0.35 * dpi
    width = (page.image.width - 2 * margin - gap) / 2
    half = len(texts) // 2
    page.paragraphs(texts[:half], points, top, margin, width)
    page.paragraphs(texts[half:], points, top, margin + width + gap, width)
    return page.image


def scanned(image, seed, blur=0.5, grain=3.0):
    """Optics, paper and sensor of a good flatbed."""
    pixels = np.asarray(image.filter(ImageFilter.GaussianBlur(blur)), dtype=np.float64)
    pixels = 30 + pixels * (215 / 255) + rng(seed).normal(0, grain, pixels.shape)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def photographed(image, seed):
    """Uneven light, stained paper, blur, noise and specks: the page of someone in a hurry."""
    x, y = grid(image.size)
    paper = 216 - 16 * smoothstep(0.5, 0.9, fractal(image.size, 260, 4, seed))
    light = 1 - 0.22 * (x / image.width * 0.7 + y / image.height * 0.3)
    ink = 1 - np.asarray(image.filter(ImageFilter.GaussianBlur(0.8)), dtype=np.float64) / 255
    pixels = paper * light * (1 - 0.84 * ink)
    random = rng(seed + 1)
    pixels += random.normal(0, 7, pixels.shape)
    specks = random.random(pixels.shape) < 0.0006
    pixels[specks] *= random.uniform(0.3, 0.8, specks.sum())
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def by_phone(image, light, turned, seed):
    """A page as a phone takes it from straight above: turned a little, in uneven light (`light`: of each
    pixel's place, 0..1 both ways), warm, soft, with a small sensor's noise and its sharpening."""
    image = image.rotate(turned, Image.BICUBIC, expand=True, fillcolor=255)
    ink = 1 - np.asarray(image.filter(ImageFilter.GaussianBlur(0.9)), dtype=np.float64) / 255
    x, y = grid(image.size)
    paper = 1 - 0.05 * fractal(image.size, 90, 5, seed)
    seen = 238 * paper * light(x / image.width, y / image.height) * (1 - 0.82 * ink)
    seen += fractal(image.size, 3, 2, seed + 1) * 8 - 4  # what a phone's noise filter leaves is blotchy
    seen += rng(seed + 2).normal(0, 3, seen.shape) * np.sqrt(seen.clip(1) / 128)
    colours = np.stack([seen * 1.03, seen * 0.97, seen * 0.86], axis=-1)
    photo = Image.fromarray(np.clip(colours, 0, 255).astype(np.uint8))
    return photo.filter(ImageFilter.UnsharpMask(1.5, 60, 2))


def lamp(x, y):
    """A lamp at the upper left: a bright pool that falls off to a quarter in the far corner."""
    return 0.24 + 0.76 / (1 + 3.2 * ((x - 0.25) ** 2 + (y - 0.2) ** 2))


def shadow(x, y):
    """A window from the right, and across the lower half the soft-edged shadow of whoever takes the picture."""
    edge = y - 0.42 - 0.35 * (x - 0.5) - 0.05 * np.sin(7 * x)
    return (0.72 + 0.28 * x) * (1 - 0.58 * smoothstep(-0.03, 0.03, edge))


def sixteen_grays(image):
    """As many scanners write: 4 bits a pixel."""
    return image.point(lambda v: round(v / 17) * 17).quantize(16, dither=Image.Dither.NONE)


def save_rotated(image, path, dpi):
    """Lies on its side in the file; tag 6 says: turn it to the right."""
    exif = Image.Exif()
    exif[0x0112] = 6
    image.transpose(Image.ROTATE_90).save(path, quality=60, dpi=(dpi, dpi), exif=exif, optimize=True)


def make(truth, folder):
    clean = set_page(truth / "clean.txt", 200, points=13)
    sixteen_grays(clean).save(folder / "clean.png", dpi=(200, 200), bits=4, optimize=True)

    skewed = set_page(truth / "skewed.txt", 150, inches=(5.83, 5.2))
    skewed = skewed.rotate(3, Image.BICUBIC, expand=True, fillcolor=255)  # counter-clockwise
    scanned(skewed, 51, grain=0).save(folder / "skewed.png", dpi=(150, 150), optimize=True)

    rotated = set_page(truth / "rotated.txt", 200, inches=(5.83, 5.2))
    save_rotated(scanned(rotated, 52), folder / "rotated.jpg", 200)

    noisy = set_page(truth / "noisy.txt", 200, points=12, inches=(5.83, 5.6))
    photographed(noisy, 53).save(folder / "noisy.jpg", quality=45, dpi=(200, 200), optimize=True)

    columns = set_columns(truth / "columns.txt", 200)
    columns.point(lambda v: 255 * (v > 140)).convert("1").save(folder / "columns.png", dpi=(200, 200), optimize=True)

    pages = [set_page(truth / f"three-pages-{page}.txt", 200, inches=(5.83, 4.1)).point(lambda v: 255 * (v > 140))
             .convert("1") for page in (1, 2, 3)]
    pages[0].save(folder / "three-pages.tif", save_all=True, append_images=pages[1:], compression="group4",
                  dpi=(200, 200))


def make_phone(truth, folder):
    """No resolution, as phones write it: 72 dots per inch."""
    for seed, name, light, turned in ((61, "lamp", lamp, 1.6), (65, "shadow", shadow, -2.1)):
        page = set_page(truth / f"{name}.txt", 190, points=12, inches=(5.83, 5.1))
        by_phone(page, light, turned, seed).save(folder / f"{name}.jpg", quality=72, dpi=(72, 72), optimize=True)
