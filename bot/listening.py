"""A port to serve on, whose answers leave at once."""

from __future__ import annotations

import socket

BACKLOG = 1024


def listener(host: str, port: int) -> socket.socket:
    """Bind a port of this machine; port 0 takes a free one. Raises `OSError`.

    asyncio switches Nagle's algorithm off only where the socket says that it is TCP, and `socket.create_server` says
    nothing. With it on, every answer of two writes waits 40 ms for the client's acknowledgement.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(BACKLOG)
    except OSError:
        bound.close()
        raise
    return bound
