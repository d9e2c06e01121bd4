"""rpcbench's echo in JSON with Python's standard library: a standalone server, echo.py HOST:PORT, or a WSGI application."""

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATH = "/grpc.testing.BenchmarkService/UnaryCall"


def answer(request):
    size = json.loads(request or "{}").get("responseSize", 0)
    return json.dumps({"payload": {"body": base64.b64encode(bytes(size)).decode()}}).encode()


def application(environ, start_response):
    """Answers a request in Apache's mod_wsgi or any other WSGI server."""
    if environ["REQUEST_METHOD"] != "POST" or environ["PATH_INFO"] != PATH:
        start_response("404 Not Found", [("Content-Length", "0")])
        return []
    reply = answer(environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)))
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(reply)))])
    return [reply]


class Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open
    wbufsize = -1  # sends a reply in one piece
    disable_nagle_algorithm = True

    def do_POST(self):
        request = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        reply = answer(request) if self.path == PATH else b""
        self.send_response(200 if reply else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128  # with the default of 5, some of ten simultaneous connections would wait for a second


if __name__ == "__main__":
    host, port = sys.argv[1].rsplit(":", 1)
    Server((host, int(port)), Echo).serve_forever()
