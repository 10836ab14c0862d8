#!/usr/bin/env python3
"""Draws point files as a picture: shaded balls, coloured by speed, on a ground with shadows.

usage: tools/picture.py OUT.png FILE.ply... [--size W H] [--eye X Y Z] [--target X Y Z] [--fov DEG]
                        [--radius M] [--box X0 Y0 Z0 X1 Y1 Z1] [--columns N] [--fast M_PER_S]

Reads binary little-endian PLY with vertex properties x y z and, for the colour, vx vy vz; z is up.
Several files become the panels of one picture, each of --size. --box draws the edges of a tank.
Needs python3 alone.

How: balls go from the nearest to the farthest into a depth buffer twice as fine as the picture, by
stamps made once a radius; a ball that lies wholly behind what is there is skipped, which is nearly
all of them. Hollows are darkened by comparing depth with its own blur (Luft, Colditz & Deussen 2006).
"""
import argparse
import math
import struct
import sys
import zlib
from array import array

FINE = 2                       # subpixels an axis
FAR = 1e30
LIGHT = (-0.42, -0.53, 0.74)   # towards the light
SKY_TOP, SKY_LOW = (205, 214, 224), (238, 240, 242)
GROUND, LINE = (226, 224, 220), (205, 203, 199)
# speed, from rest to --fast
COLOURS = [(0.0, (22, 74, 138)), (0.3, (38, 122, 190)), (0.65, (112, 186, 222)), (1.0, (240, 249, 252))]


# ---------------------------------------------------------------- reading

SIZES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f",
         "double": "d", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i",
         "uint32": "I", "float32": "f", "float64": "d"}


def read_header(file, path):
    """The number of vertices, and the names and struct codes of their properties."""
    if file.readline().strip() != b"ply":
        sys.exit(f"{path}: error: not a PLY file")
    count, names, codes, reading, first = 0, [], "<", False, True
    while True:
        words = file.readline().decode("ascii", "replace").split()
        if not words:
            sys.exit(f"{path}: error: the header has no end")
        if words[0] == "format" and words[1] != "binary_little_endian":
            sys.exit(f"{path}: error: only binary_little_endian is read, not {words[1]}")
        if words[0] == "element":
            reading = words[1] == "vertex"
            if reading and not first:
                sys.exit(f"{path}: error: the vertices must be the first element")
            count, first = (int(words[2]) if reading else count), False
        if words[0] == "property" and reading:
            if words[1] not in SIZES:
                sys.exit(f"{path}: error: property {words[-1]} is of an unknown type {words[1]}")
            names.append(words[2])
            codes += SIZES[words[1]]
        if words[0] == "end_header":
            return count, names, codes


def read_points(path):
    """[(x, y, z, speed)] of a file."""
    with open(path, "rb") as file:
        count, names, codes = read_header(file, path)
        size = struct.calcsize(codes) * count
        data = file.read(size)
    if len(data) != size:
        sys.exit(f"{path}: error: cut short: {count} points need {size} bytes, {len(data)} are there")
    if not {"x", "y", "z"} <= set(names):
        sys.exit(f"{path}: error: vertices lack x, y or z")
    x, y, z = (names.index(n) for n in "xyz")
    if not {"vx", "vy", "vz"} <= set(names):
        return [(r[x], r[y], r[z], 0.0) for r in struct.iter_unpack(codes, data)]
    u, v, w = (names.index(n) for n in ("vx", "vy", "vz"))
    return [(r[x], r[y], r[z], math.sqrt(r[u] * r[u] + r[v] * r[v] + r[w] * r[w]))
            for r in struct.iter_unpack(codes, data)]


def guess_radius(points):
    """A little over half of the usual distance to the nearest other point."""
    if len(points) < 2:
        return 0.01
    nearest = []
    for k in range(0, len(points), max(1, len(points) // 24)):
        x, y, z, _ = points[k]
        squares = ((p[0] - x) ** 2 + (p[1] - y) ** 2 + (p[2] - z) ** 2 for p in points)
        nearest.append(min(s for s in squares if s > 0))
    return 0.56 * math.sqrt(sorted(nearest)[len(nearest) // 2])


# ---------------------------------------------------------------- camera

def unit(v):
    length = math.sqrt(sum(a * a for a in v)) or 1.0
    return tuple(a / length for a in v)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


class Camera:
    """Sees world points as (x, y) in fine pixels and a depth in m."""

    def __init__(self, eye, target, fov, width, height):
        self.eye, self.width, self.height = eye, width, height
        self.ahead = unit(tuple(t - e for t, e in zip(target, eye)))
        side = cross(self.ahead, (0, 0, 1))
        self.right = unit(side if any(side) else (1, 0, 0))
        self.up = cross(self.right, self.ahead)
        self.scale = 0.5 * height / math.tan(math.radians(fov) / 2)

    def see(self, p):
        d = (p[0] - self.eye[0], p[1] - self.eye[1], p[2] - self.eye[2])
        depth = sum(a * b for a, b in zip(d, self.ahead))
        if depth < 1e-3:
            return None
        per = self.scale / depth
        return (0.5 * self.width + per * sum(a * b for a, b in zip(d, self.right)),
                0.5 * self.height - per * sum(a * b for a, b in zip(d, self.up)), depth)


# ---------------------------------------------------------------- balls

def make_stamp(radius):
    """Rows of a ball's picture: (dy, dx of the first pixel, [height of each pixel over the centre])."""
    rows, reach = [], int(radius)
    for dy in range(-reach, reach + 1):
        half = int(math.sqrt(max(radius * radius - dy * dy, 0)))
        rows.append((dy, -half, [math.sqrt(max(radius * radius - dx * dx - dy * dy, 0)) / radius
                                 for dx in range(-half, half + 1)]))
    return rows


class Canvas:
    """Depth and the ball that is seen, for every fine pixel."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.depth = array("f", [FAR]) * (width * height)
        self.owner = array("i", [-1]) * (width * height)

    def is_hidden(self, x, y, reach, front):
        """Whether all that a ball may cover is nearer already, by a look at nine pixels."""
        w, depth = self.width, self.depth
        for row in (y - reach, y, y + reach):
            at = row * w + x
            if depth[at] > front or depth[at - reach] > front or depth[at + reach] > front:
                return False
        return True

    def draw(self, index, x, y, centre, radius, rows):
        w, h, depth, owner = self.width, self.height, self.depth, self.owner
        for dy, dx, heights in rows:
            line = y + dy
            if not 0 <= line < h:
                continue
            left = x + dx
            if left < 0 or left + len(heights) > w:
                continue
            at = line * w + left
            for height in heights:
                d = centre - radius * height
                if d < depth[at]:
                    depth[at] = d
                    owner[at] = index
                at += 1


def draw_balls(canvas, camera, points, radius):
    """Fills the canvas; returns where each ball is seen: (x, y, radius in fine pixels)."""
    (ex, ey, ez), (ax, ay, az) = camera.eye, camera.ahead
    (rx, ry, rz), (ux, uy, uz) = camera.right, camera.up
    half_w, half_h, scale = 0.5 * camera.width, 0.5 * camera.height, camera.scale
    seen, order = [None] * len(points), []
    for k, (px, py, pz, _) in enumerate(points):
        x, y, z = px - ex, py - ey, pz - ez
        depth = x * ax + y * ay + z * az
        if depth <= radius:
            continue
        per = scale / depth
        seen[k] = (half_w + per * (x * rx + y * ry + z * rz), half_h - per * (x * ux + y * uy + z * uz),
                   per * radius)
        order.append((depth, k))
    order.sort()
    stamps = {}
    for depth, k in order:
        sx, sy, size = seen[k]
        x, y, reach = int(sx), int(sy), int(size) + 1
        if not (reach <= x < canvas.width - reach and reach <= y < canvas.height - reach):
            if not (-reach < x < canvas.width + reach and -reach < y < canvas.height + reach):
                continue
        elif canvas.is_hidden(x, y, reach, depth - radius):
            continue
        key = max(2, round(4 * size))
        if key not in stamps:
            stamps[key] = make_stamp(key / 4)
        canvas.draw(k, x, y, depth, radius, stamps[key])
    return seen


# ---------------------------------------------------------------- light

class Shadows:
    """How far towards the light matter reaches, on a grid across the light's direction."""

    def __init__(self, points, cell):
        self.cell, self.light = cell, unit(LIGHT)
        self.u = unit(cross(self.light, (0, 1, 0)))
        self.v = cross(self.light, self.u)
        self.top = {}
        for p in points:
            a, b, c = self.place(p)
            key = (math.floor(a), math.floor(b))
            if c > self.top.get(key, -FAR):
                self.top[key] = c

    def place(self, p):
        per = 1 / self.cell
        return (per * (p[0] * self.u[0] + p[1] * self.u[1] + p[2] * self.u[2]),
                per * (p[0] * self.v[0] + p[1] * self.v[1] + p[2] * self.v[2]),
                per * (p[0] * self.light[0] + p[1] * self.light[1] + p[2] * self.light[2]))

    def share(self, p):
        """0 in full light, 1 in full shadow."""
        a, b, c = self.place(p)
        i, j, shaded, top = math.floor(a), math.floor(b), 0, self.top
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                # matter well above the point, not the layer that it is in itself
                shaded += top.get((i + di, j + dj), -FAR) > c + 2.0
        return shaded / 9


def blur_rows(values, width, reach):
    """Box blur along rows, in place, by running sums; empty pixels do not count."""
    for start in range(0, len(values), width):
        row = values[start:start + width]
        sums, counts, total, number = [0.0], [0], 0.0, 0
        for value in row:
            if value < FAR:
                total += value
                number += 1
            sums.append(total)
            counts.append(number)
        for k in range(width):
            lo, hi = max(0, k - reach), min(width, k + reach + 1)
            number = counts[hi] - counts[lo]
            values[start + k] = (sums[hi] - sums[lo]) / number if number else FAR
    return values


def transpose(values, width):
    out = array("f", bytes(4 * len(values)))
    height = len(values) // width
    for k in range(width):
        out[k * height:(k + 1) * height] = values[k::width]
    return out


def find_hollows(canvas, radius):
    """Depth behind its surroundings in radii, for every pixel of the final picture."""
    w, h = canvas.width // FINE, canvas.height // FINE
    coarse = array("f", bytes(4 * w * h))
    for y in range(h):
        at = FINE * y * canvas.width
        coarse[y * w:(y + 1) * w] = canvas.depth[at:at + FINE * w:FINE]
    blurred, reach = array("f", coarse), max(3, h // 60)
    for _ in range(2):
        blurred = transpose(blur_rows(blurred, w, reach), w)
        blurred = transpose(blur_rows(blurred, h, reach), h)
    return [0.0 if d >= FAR else (d - b) / radius for d, b in zip(coarse, blurred)]


def colour_of(speed, fast):
    t = min(1.0, speed / fast)
    for (a, low), (b, high) in zip(COLOURS, COLOURS[1:]):
        if t <= b:
            s = (t - a) / (b - a)
            return tuple(p + s * (q - p) for p, q in zip(low, high))
    return COLOURS[-1][1]


# ---------------------------------------------------------------- the picture

def paint_background(camera, shadows, width, height):
    """Sky, and the ground z = 0 with a line every 0.1 m; one colour a final pixel."""
    rows, (ex, ey, ez) = [], camera.eye
    for y in range(height):
        row, up = [], (0.5 * camera.height - (y + 0.5) * FINE) / camera.scale
        t = y / height
        sky = tuple(a + t * (b - a) for a, b in zip(SKY_TOP, SKY_LOW))
        for x in range(width):
            right = ((x + 0.5) * FINE - 0.5 * camera.width) / camera.scale
            dx, dy, dz = (a + right * r + up * u
                          for a, r, u in zip(camera.ahead, camera.right, camera.up))
            if dz > -1e-3 or ez <= 0:
                row.append(sky)
                continue
            far = -ez / dz
            gx, gy = ex + far * dx, ey + far * dy
            haze = min(1.0, (gx * gx + gy * gy) / 12.0)
            pixel = 1.5 * FINE * far / camera.scale
            on_line = gx % 0.1 < pixel or gy % 0.1 < pixel
            base = LINE if on_line else GROUND
            dark = 1 - 0.42 * (1 - haze) * shadows.share((gx, gy, 0.0))
            row.append(tuple(dark * b + haze * (s - dark * b) for b, s in zip(base, SKY_LOW)))
        rows.append(row)
    return rows


def shade(canvas, camera, points, seen, shadows, options):
    """The final pixels: means of FINE × FINE lit subpixels, over the background."""
    w, h = canvas.width // FINE, canvas.height // FINE
    light = tuple(sum(a * b for a, b in zip(shadows.light, axis))
                  for axis in (camera.right, camera.up, tuple(-a for a in camera.ahead)))
    glint = unit((light[0], light[1], light[2] + 1))
    hollows = find_hollows(canvas, options.radius)
    rows, looks, owner = paint_background(camera, shadows, w, h), {}, canvas.owner
    for y in range(h):
        row = rows[y]
        for x in range(w):
            red = green = blue = 0.0
            hit = 0
            for sub in range(FINE * FINE):
                fx, fy = FINE * x + sub % FINE, FINE * y + sub // FINE
                k = owner[fy * canvas.width + fx]
                if k < 0:
                    continue
                look = looks.get(k)
                if look is None:
                    look = looks[k] = (colour_of(points[k][3], options.fast), shadows.share(points[k]),
                                       seen[k])
                (r, g, b), shadow, (cx, cy, size) = look
                nx, ny = (fx + 0.5 - cx) / size, (cy - fy - 0.5) / size
                nz = math.sqrt(max(0.0, 1 - nx * nx - ny * ny))
                lit = max(0.0, nx * light[0] + ny * light[1] + nz * light[2]) * (1 - 0.6 * shadow)
                shine = max(0.0, nx * glint[0] + ny * glint[1] + nz * glint[2])
                shine = 46 * (1 - shadow) * shine ** 24
                bright = 0.42 + 0.16 * nz + 0.55 * lit
                red += r * bright + shine
                green += g * bright + shine
                blue += b * bright + shine
                hit += 1
            if hit == 0:
                continue
            dark = 1 - min(0.55, max(0.0, 0.05 * hollows[y * w + x]))
            rest = 1 - hit / (FINE * FINE)
            under, part = row[x], dark / (FINE * FINE)
            row[x] = (red * part + rest * under[0], green * part + rest * under[1],
                      blue * part + rest * under[2])
    return rows


def draw_edges(rows, canvas, camera, box):
    """The edges of a box, fainter where they lie behind matter."""
    w, h = canvas.width // FINE, canvas.height // FINE
    corners = [tuple(box[a + 3 * (k >> a & 1)] for a in range(3)) for k in range(8)]
    for a, b in ((p, p | 1 << axis) for p in range(8) for axis in range(3) if not p >> axis & 1):
        steps = 2 * max(w, h)
        for s in range(steps + 1):
            point = tuple(p + (q - p) * s / steps for p, q in zip(corners[a], corners[b]))
            at = camera.see(point)
            if at is None or not (0 <= at[0] < canvas.width and 0 <= at[1] < canvas.height):
                continue
            behind = at[2] > canvas.depth[int(at[1]) * canvas.width + int(at[0])]
            x, y, share = int(at[0]) // FINE, int(at[1]) // FINE, 0.08 if behind else 0.3
            rows[y][x] = tuple(c + share * (70 - c) for c in rows[y][x])


def draw_panel(path, options):
    points = read_points(path)
    if options.radius is None:
        options.radius = guess_radius(points)
    width, height = options.size
    camera = Camera(options.eye, options.target, options.fov, FINE * width, FINE * height)
    canvas = Canvas(FINE * width, FINE * height)
    seen = draw_balls(canvas, camera, points, options.radius)
    shadows = Shadows(points, 2 * options.radius)
    rows = shade(canvas, camera, points, seen, shadows, options)
    if options.box:
        draw_edges(rows, canvas, camera, options.box)
    return [b"".join(bytes(min(255, max(0, int(c + 0.5))) for c in pixel) for pixel in row)
            for row in rows]


def write_png(path, rows, width):
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    above, lines = bytes(3 * width), []
    for row in rows:
        lines.append(b"\2" + bytes((a - b) & 255 for a, b in zip(row, above)))
        above = row
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(b"".join(lines), 9)) + chunk(b"IEND", b""))


def arrange(panels, columns, width):
    """Panels side by side, with a white line between; missing ones are white."""
    height, rows = len(panels[0]), []
    for start in range(0, len(panels), columns):
        if start > 0:
            rows += [b"\xff" * (3 * (columns * width + 4 * (columns - 1)))] * 4
        row = panels[start:start + columns]
        row += [[b"\xff" * (3 * width)] * height] * (columns - len(row))
        rows += [(b"\xff" * 12).join(panel[y] for panel in row) for y in range(height)]
    return rows


def parse():
    parser = argparse.ArgumentParser(description="Draws point files (binary PLY) as a picture.")
    parser.add_argument("out", help="the PNG file to write")
    parser.add_argument("files", nargs="+", help="point files, one a panel")
    parser.add_argument("--size", nargs=2, type=int, default=(960, 540), help="pixels of a panel")
    parser.add_argument("--eye", nargs=3, type=float, default=(1.3, -2.5, 1.3), help="m")
    parser.add_argument("--target", nargs=3, type=float, default=(0, 0, 0.3), help="m")
    parser.add_argument("--fov", type=float, default=32, help="degrees from top to bottom")
    parser.add_argument("--radius", type=float, help="m, of the balls; default: from their distances")
    parser.add_argument("--box", nargs=6, type=float, help="m, two corners of a box to outline")
    parser.add_argument("--columns", type=int, default=2, help="panels side by side")
    parser.add_argument("--fast", type=float, default=3.0, help="m/s that is drawn white")
    return parser.parse_args()


def main():
    options = parse()
    if min(options.size) < 16 or options.columns < 1 or options.fast <= 0:
        sys.exit("picture: error: --size must be at least 16 16, --columns 1, --fast above 0")
    columns = min(options.columns, len(options.files))
    rows = arrange([draw_panel(path, options) for path in options.files], columns, options.size[0])
    write_png(options.out, rows, len(rows[0]) // 3)


if __name__ == "__main__":
    main()
