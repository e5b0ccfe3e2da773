# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""browse.py PAGE.html [CLICK]: opens a page in headless Chromium, clicks on what the selector finds, and prints the title, the rows of kernels (or of a quantization), how many
buffers are drawn, what scripts of the page have left, and each message on the console, one too if the page is wider than a phone or a text of the graph than its box; on stderr, how long it took until all was there."""
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile


class Page(html.parser.HTMLParser):
    """What the DOM has."""

    def __init__(self, text):
        super().__init__()
        self.boxes = self.edges = self.areas = self.calls = self.buffers = self.scripts = self.ways = self.quantized = 0
        self.foreign = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.calls += given.get("class") == "call"
        self.buffers += given.get("class") == "buffer"
        self.boxes += "box" in given.get("class", "").split()
        self.edges += given.get("class") == "edge"
        self.areas += given.get("class") == "area"
        self.scripts += tag == "script"
        self.quantized += given.get("class") == "quantized"
        self.ways += given.get("class") == "way"
        if tag in ("img", "iframe", "a", "object") or any(name.startswith("on") for name in given):
            self.foreign.add(tag)


PHONE = 390  # a window is not that narrow: the page's body is made so
# Behind the page's own: how long it took from the begin of navigation until this runs, when all is drawn and laid out.
CLOCK = f"""<script>
const root = document.documentElement;
document.body.offsetHeight;
root.dataset.drawn = performance.now();
document.body.style.width = "{PHONE}px";
root.dataset.beyond = Math.max(0, document.body.scrollWidth - {PHONE});
const spills = (text) => text.getBBox().width > text.parentNode.querySelector("rect").getBBox().width;
root.dataset.spilt = [...document.querySelectorAll("svg .box text")].filter(spills).length;
</script></body>"""
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    path = os.path.join(folder, "page.html")
    click = f"<script>document.querySelector({sys.argv[2]!r}).dispatchEvent(new MouseEvent('click'));</script>" if len(sys.argv) > 2 else ""
    with open(sys.argv[1], encoding="utf-8") as given, open(path, "w", encoding="utf-8") as made:
        made.write(given.read().replace("</body>", click + CLOCK))
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    result = subprocess.run(
        [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=390,844", f"--user-data-dir={folder}/profile", "--enable-logging=stderr", "--dump-dom", "file://" + os.path.abspath(path)],
        capture_output=True, text=True, timeout=120, check=True)  # fmt: skip
dom = result.stdout
page = Page(dom)
page.scripts -= 1  # the clock
print("title:", re.search("<title>(.*?)</title>", dom, re.DOTALL).group(1))
if page.quantized:
    print(f"{page.quantized} rows of a quantization, foreign: {sorted(page.foreign)}")
else:
    print(f"{page.calls} calls, {page.buffers} buffers, {page.scripts} scripts, {f'{page.ways} ways, ' if page.ways else ''}foreign: {sorted(page.foreign)}")
if page.boxes:
    print(f"graph of {page.boxes} boxes and {page.edges} edges, {page.areas} areas")
milliseconds = float(re.search('data-drawn="([0-9.]+)"', dom).group(1))
print(f"drawn in {milliseconds:.0f} ms", file=sys.stderr)
beyond = float(re.search('data-beyond="([0-9.]+)"', dom).group(1))
if beyond:
    print(f"CONSOLE: the page is {beyond:.0f} pixels wider than a phone")
spilt = int(re.search('data-spilt="([0-9]+)"', dom).group(1))
if spilt:
    print(f"CONSOLE: {spilt} texts of the graph are wider than their boxes")
for detail in re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", dom):
    print(f"{detail[0]}: {detail[1]}")
for line in result.stderr.splitlines():
    if "CONSOLE" in line:
        print(line)
