"""Runs nginx with the rendered configuration in front of a server that records what reaches it."""

import http.server
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from dataclasses import replace
from pathlib import Path

from packhorse_cluster.__main__ import read_shape
from packhorse_cluster.render import render

SHAPES = Path(__file__).parent.parent / "shapes"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
MAIN = """\
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  include {folder}/tsd-proxy.conf;
}}
"""


class Recorder(http.server.BaseHTTPRequestHandler):
    """Stands for the TSD: answers 200 and records path, headers and body of each request."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append((self.path, dict(self.headers), body))
        if self.path == "/slow":
            self.server.slow_arrived.release()
            self.server.slow_may_end.wait(60)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    do_GET = do_POST

    def log_message(self, *arguments):
        """Not to the output of the tests."""


class RecordingServer(http.server.ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Recorder)
        self.requests = []
        self.slow_arrived = threading.Semaphore(0)
        self.slow_may_end = threading.Event()

    def handle_error(self, *arguments):
        """Ignores connections that nginx resets when it refuses a request."""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@unittest.skipUnless(NGINX, "nginx is not installed: the proxy is not tested")
class ProxyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        cls.tsd = RecordingServer()
        threading.Thread(target=cls.tsd.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.tsd.server_close)
        cls.addClassCleanup(cls.tsd.shutdown)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=host01"]
            + ["-addext", "subjectAltName=DNS:host01", "-keyout", "key.pem", "-out", "cert.pem"],
            cwd=cls.folder,
            check=True,
            capture_output=True,
        )
        machine, cluster = read_shape(SHAPES / "kerberos.toml")
        text = render(replace(machine, address="127.0.0.1"), replace(cluster, proxy_dir=str(cls.folder)))
        cls.port = free_port()
        (cls.folder / "tsd-proxy.conf").write_text(
            text["tsd-proxy.conf"]
            .replace("127.0.0.1:443", f"127.0.0.1:{cls.port}")
            .replace("127.0.0.1:4242", f"127.0.0.1:{cls.tsd.server_port}")
        )
        (cls.folder / "nginx.conf").write_text(MAIN.format(folder=cls.folder))
        command = [NGINX, "-p", cls.folder, "-c", cls.folder / "nginx.conf", "-e", cls.folder / "error.log"]
        subprocess.run([*command, "-t", "-q"], check=True)
        # Listens when this returns.
        subprocess.run(command, check=True)
        cls.addClassCleanup(subprocess.run, [*command, "-s", "stop"], check=True)

    def test_requests_reach_the_tsd_with_their_host(self):
        self.assertEqual(200, self._status("GET /api/version HTTP/1.1", "Host: host01"))
        path, headers, _ = self.tsd.requests[-1]
        self.assertEqual("/api/version", path)
        self.assertEqual("host01", headers["Host"])

    def test_the_client_is_named_by_the_proxy_only(self):
        self._status("GET / HTTP/1.1", "Host: host01", "X-Forwarded-For: 10.9.9.9")
        self.assertEqual("127.0.0.1", self.tsd.requests[-1][1]["X-Forwarded-For"])

    def test_only_the_own_page_may_send_an_origin(self):
        self.assertEqual(200, self._status("GET / HTTP/1.1", "Host: host01", "Origin: https://host01"))
        for origin in ("https://evil.example", "http://host01", "null", "https://host01.evil.example"):
            with self.subTest(origin=origin):
                self._refused(403, "GET / HTTP/1.1", "Host: host01", f"Origin: {origin}")

    def test_other_host_names_are_refused(self):
        self._refused(421, "GET / HTTP/1.1", "Host: evil.example")

    def test_paths_are_resolved(self):
        self._status("GET /s/%2e%2e//api/./version?m=sum:a%2Fb HTTP/1.1", "Host: host01")
        self.assertEqual("/api/version?m=sum:a%2Fb", self.tsd.requests[-1][0])
        self._refused(400, "GET /../../etc/passwd HTTP/1.1", "Host: host01")

    def test_ambiguous_requests_are_refused(self):
        for headers in (
            ("Content-Length: 2", "Content-Length: 3"),
            ("Content-Length: 2", "Transfer-Encoding: chunked"),
            ("Transfer-Encoding: chunked, identity",),
            ("Host: evil.example",),
        ):
            with self.subTest(headers=headers):
                self._refused((400, 501), "POST /api/put HTTP/1.1", "Host: host01", *headers)

    def test_malformed_headers_are_dropped(self):
        self._status("GET / HTTP/1.1", "Host: host01", "Content Length: 5", "Transfer_Encoding: chunked")
        self.assertFalse({"content length", "transfer_encoding"} & {name.lower() for name in self.tsd.requests[-1][1]})

    def test_a_chunked_body_arrives_whole(self):
        body = "5\r\nhello\r\n0\r\n\r\n"
        status = self._status("POST /api/put HTTP/1.1", "Host: host01", "Transfer-Encoding: chunked", body=body)
        self.assertEqual(200, status)
        self.assertEqual(b"hello", self.tsd.requests[-1][2])

    def test_a_large_body_is_refused(self):
        self._refused(413, "POST /api/put HTTP/1.1", "Host: host01", "Content-Length: 1048577")

    def test_plain_http_is_refused(self):
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: host01\r\nConnection: close\r\n\r\n")
            self.assertIn(b" 400 ", connection.recv(100))

    def test_a_client_has_a_limited_number_of_requests_at_once(self):
        slow = [self._connect() for _ in range(64)]
        try:
            for connection in slow:
                connection.sendall(b"GET /slow HTTP/1.1\r\nHost: host01\r\nConnection: close\r\n\r\n")
                self.assertTrue(self.tsd.slow_arrived.acquire(timeout=60))
            self._refused(503, "GET / HTTP/1.1", "Host: host01")
        finally:
            self.tsd.slow_may_end.set()
            for connection in slow:
                connection.recv(1 << 16)
                connection.close()

    def _refused(self, statuses, *lines):
        before = len(self.tsd.requests)
        status = self._status(*lines)
        self.assertIn(status, statuses if isinstance(statuses, tuple) else (statuses,))
        self.assertEqual(before, len(self.tsd.requests), "the request reached the TSD")

    def _status(self, *lines, body=""):
        with self._connect() as connection:
            connection.sendall("\r\n".join([*lines, "Connection: close", "", body]).encode())
            return int(connection.recv(1 << 16).split()[1])

    def _connect(self):
        context = ssl.create_default_context(cafile=self.folder / "cert.pem")
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        return context.wrap_socket(plain, server_hostname="host01")


if __name__ == "__main__":
    unittest.main()
