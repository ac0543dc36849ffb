"""A mail server on a loopback port, for the tests. It lives until its standard input is closed.

Arguments: `plain`, `starttls` or `implicit`; then a file with a certificate and one with its key, unless plain; then
`login` where only the user ops with the password "s3cret/word" may send. It prints its port, and then each message as
one line of JSON. `refused@example.com` is refused for good, `later@example.com` for now.
"""

import asyncio
import json
import logging
import ssl
import sys
import warnings

from aiosmtpd.smtp import SMTP, AuthResult

# What goes wrong here is what the tests want to go wrong.
logging.disable()
warnings.simplefilter("ignore")


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address == "refused@example.com":
            return "550 5.1.1 no such user, s3cret/word"
        if address == "later@example.com":
            return "451 4.7.1 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = {
            "hello": session.host_name,
            "tls": session.ssl is not None or server.transport.get_extra_info("ssl_object") is not None,
            "login": bool(session.authenticated),
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "data": envelope.content.decode("utf-8"),
        }
        print(json.dumps(message), flush=True)
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    good = (data.login, data.password) == (b"ops", b"s3cret/word")
    return AuthResult(success=good, handled=False)


async def main():
    cover, *rest = sys.argv[1:]
    tls = None
    if cover != "plain":
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(rest[0], rest[1])
    login = rest[-1:] == ["login"]

    def session():
        return SMTP(
            Handler(),
            hostname="mail.example.com",
            tls_context=tls if cover == "starttls" else None,
            require_starttls=cover == "starttls",
            authenticator=authenticate if login else None,
            auth_required=login,
            auth_require_tls=cover == "starttls",
            loop=asyncio.get_running_loop(),
        )

    server = await asyncio.get_running_loop().create_server(
        session, "127.0.0.1", 0, ssl=tls if cover == "implicit" else None
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


asyncio.run(main())
