# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""draw.py FOLDER DIGIT [PICTURE.png]: serves the folder, opens its page in headless Chromium, draws a digit with the pointer, and prints what the page answers and the errors on
its console. The picture is a screenshot, of which is said whether there are a drawing and bars on it."""
import functools
import http.server
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

STROKES = {
    "0": [(160, 40), (110, 70), (90, 160), (110, 250), (160, 280), (210, 250), (230, 160), (210, 70), (160, 40)],
    "3": [(95, 50), (180, 45), (215, 90), (150, 150), (215, 200), (190, 270), (95, 275)],
    "5": [(220, 45), (110, 45), (100, 140), (190, 145), (220, 210), (180, 275), (90, 270)],
}
SCRIPT = """<script type="module">
const paper = document.getElementById("paper");
while (document.getElementById("state").textContent !== "ready") await new Promise((resolve) => setTimeout(resolve, 20));
const { left, top } = paper.getBoundingClientRect();
const send = (type, [x, y]) => paper.dispatchEvent(new PointerEvent(type, { clientX: left + x + 1, clientY: top + y + 1, bubbles: true }));
const points = POINTS;
send("pointerdown", points[0]);
for (const point of points) send("pointermove", point);
send("pointerup", points.at(-1));
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".js": "text/javascript"}
    points = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path != "/drawn.html":
            return super().do_GET()
        with open(os.path.join(self.directory, "index.html"), encoding="utf-8") as page:
            text = page.read().replace("</html>", SCRIPT.replace("POINTS", str([list(point) for point in self.points])) + "</html>").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(text)
        return None


def colours(path):
    """Size, and how many pixels of each colour there are."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        header = struct.unpack(">IIBB", body[:10]) if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, _, colour = header
    channels = {2: 3, 6: 4}[colour]
    raw, counts, before = zlib.decompress(packed), {}, bytes(width * channels)
    for y in range(height):
        line = bytearray(raw[y * (width * channels + 1) + 1 : (y + 1) * (width * channels + 1)])
        kind = raw[y * (width * channels + 1)]
        for i in range(len(line)):
            a, b, c = (line[i - channels], before[i], before[i - channels]) if i >= channels else (0, before[i], 0)
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
        for x in range(0, len(line), channels):
            pixel = tuple(line[x : x + 3])
            counts[pixel] = counts.get(pixel, 0) + 1
        before = line
    return width, height, counts


folder, digit = sys.argv[1:3]
Handler.points = STROKES[digit]
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
threading.Thread(target=server.serve_forever, daemon=True).start()
browser = shutil.which("chromium") or shutil.which("chromium-browser")


def browse(*flags):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        return subprocess.run(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--enable-logging=stderr", "--hide-scrollbars",
             "--window-size=320,760", "--virtual-time-budget=60000", *flags, f"http://127.0.0.1:{server.server_port}/drawn.html"],
            capture_output=True, text=True, timeout=120, check=True)  # fmt: skip


result = browse("--dump-dom")
print(re.search('<p id="answer">(.*?)</p>', result.stdout).group(1))
for line in result.stderr.splitlines():
    if "CONSOLE" in line:
        print(line)
if len(sys.argv) > 3:
    browse(f"--screenshot={sys.argv[3]}")
    width, height, counts = colours(sys.argv[3])
    ink, bars = counts.get((0, 0, 0), 0) > 2000, counts.get((0x44, 0x88, 0xCC), 0) > 500
    print(f"screenshot: {width} x {height}, {'ink' if ink else 'no ink'} and {'bars' if bars else 'no bars'}")
server.shutdown()
