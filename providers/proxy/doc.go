// Package proxy passes connections on to hosts that were named, and to no others. It is what agents reach that have a network
// to themselves.
//
// It decides nothing about agents: which hosts they need is the caller's knowledge, and what listens where, that of package
// wall.
//
// # Rules
//
//   - A name is compared as a whole, in any case and with or without a dot at its end; *.NAME stands for all names below it.
//     An address counts only if it is named itself. Ports are 443 for tunnels (CONNECT) and 80 for requests of plain HTTP,
//     unless one is named.
//   - The address that is dialled must be public, whatever its name is, or named itself.
//   - In a tunnel to port 443 the client begins with TLS, for the name that it asked for: the addresses of large networks
//     serve all their customers, and answer for the name in the handshake.
//   - What does not come in time is cut off, but an open connection may be silent for any time: a model may think for long.
//   - When the listener is closed, so are all connections, and Serve returns.
//
// # Decisions
//
// 2026-11-28: net/http reads requests, httputil.ReverseProxy passes on those of plain HTTP, and code.dny.dev/ssrf v0.3.0
// (MIT, 355 lines, no dependency) knows IANA's registries of addresses that are not public. Rejected: goproxy v1.9.3
// (BSD-3-Clause, 6,100 lines), made to look into TLS, whose keys for that cost 0.73 ms at each start of any program with it,
// and which compares neither addresses nor names in handshakes; smokescreen v0.1.0, which is a service with settings and
// metrics of its own.
//
// 2026-11-28: a handshake that hides its name (Encrypted Client Hello) is refused: the name that can be seen is another then.
// No agent CLI makes one.
package proxy
