# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""isolated.py FOLDER PAGE yes|no: serves the folder, with the headers by which pages get shared memory or without, opens the page in headless Chromium, and prints
what it posts to `said`."""
import functools
import http.server
import queue
import shutil
import subprocess
import sys
import tempfile
import threading


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}
    said = queue.Queue()
    is_isolated = False

    def log_message(self, *_):
        pass

    def end_headers(self):
        if self.is_isolated:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def do_POST(self):
        self.said.put(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()


folder, page, isolated = sys.argv[1:]
Handler.is_isolated = isolated == "yes"
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = subprocess.Popen([shutil.which("chromium") or "chromium-browser", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                                f"http://127.0.0.1:{server.server_port}/{page}"], stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        print(Handler.said.get(timeout=120))
    finally:
        browser.terminate()
        browser.wait()
server.shutdown()
