"""Who may ask: this machine's owner, from a page of ours. Everybody else is refused before any page is made.

The token in the address that the terminal prints becomes a cookie that no script reads and no other site sends. A Host
that is not ours is refused (a foreign name that leads here: DNS rebinding), and so is a form without its own token.
"""

from __future__ import annotations

import hashlib
import hmac
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 256 * 1024
"""Bytes of a form."""

FIELDS = 200
"""Fields of a form."""

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}
_WELCOME = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/"><title>arandu</title>'
    '<link rel="icon" href="/static/arandu.svg"><p><a href="/">arandu</a></p>'
)


class Guard:
    """An ASGI application in front of another, that lets through what it should. ``read_only`` refuses every form."""

    def __init__(self, app: ASGIApp, *, token: str, port: int, read_only: bool = False) -> None:
        self.app, self.token, self.read_only = app, token, read_only
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.cookie = f"arandu_{hashlib.sha256(token.encode()).hexdigest()[:8]}"
        self.form_token = form_token(token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message["headers"] if name.decode().lower() not in HEADERS]
                message["headers"] = [*kept, *((name.encode(), value.encode()) for name, value in HEADERS.items())]
            await send(message)

        headers = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        answer = self._let_in(scope, headers)
        if answer is None and scope["method"] == "POST":
            body = await _body(receive)
            answer = self._form(dict(headers), body)
            receive = _again(body or b"")
        await (answer or self.app)(scope, receive, dressed)

    def _let_in(self, scope: Scope, headers: list[tuple[str, str]]) -> Response | None:
        """None for who is known; else what to answer."""
        hosts = [value.lower() for name, value in headers if name == "host"]
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            return _refused("this address is not ours")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("no such method\n", 405)
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if asked is not None:
            if len(asked) != 1 or not hmac.compare_digest(asked[0].encode(), self.token.encode()):
                return _refused("wrong token")
            found = HTMLResponse(_WELCOME)
            found.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            return found
        held = [each for name, value in headers if name == "cookie" if (each := self._held(value))]
        if not any(hmac.compare_digest(one.encode(), self.token.encode()) for one in held):
            return _refused("no token: open the address that the terminal shows")
        return None

    def _held(self, header: str) -> str | None:
        try:
            found = SimpleCookie(header).get(self.cookie)
        except CookieError:
            return None
        return None if found is None else found.value

    def _form(self, headers: dict[str, str], body: bytes | None) -> Response | None:
        """None for a form of ours."""
        if self.read_only:
            return _refused("opened for reading only: nothing is changed here")
        if body is None:
            return PlainTextResponse("too large\n", 413)
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if (origin is not None and urlsplit(origin).netloc.lower() not in self.hosts) or site not in (
            None,
            "same-origin",
        ):
            return _refused("this form is of another page")
        given = fields(body).get("csrf", "")
        if not hmac.compare_digest(given.encode(), self.form_token.encode()):
            return _refused("this form is not one of ours, or of an older page: load it again")
        return None


def form_token(token: str) -> str:
    """What every form of ours carries, made from the token and of no use without the cookie."""
    return hmac.new(token.encode(), b"forms", hashlib.sha256).hexdigest()


def fields(body: bytes) -> dict[str, str]:
    """A posted form: each name's first value.

    >>> fields(b"text=Ana+mora+em+Olinda&csrf=x")
    {'text': 'Ana mora em Olinda', 'csrf': 'x'}
    """
    try:
        found = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError:  # more fields than any form of ours has: none of them counts, its token neither
        return {}
    return {name: values[0] for name, values in found.items()}


def _refused(why: str) -> Response:
    return PlainTextResponse(f"arandu: {why}\n", 403)


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None where it is too large."""
    parts, size = list[bytes](), 0
    while True:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            return b""
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes) -> Receive:
    """A body that was read, to be read by the application."""
    sent = False

    async def receive() -> Message:
        nonlocal sent
        if sent:
            return {"type": "http.disconnect"}
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
