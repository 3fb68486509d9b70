// Package web serves HTTP to programs of this machine: who may ask, where it listens, and how it ends. It knows nothing
// of the messages that are exchanged.
//
// # Rules
//
//   - It listens on a loopback address, unless the hosts are named by which others reach it.
//   - A request for another host, or of a web page of another origin, is refused before anything is read of it: a page
//     that somebody looks at could otherwise send requests to a server of this machine.
//   - With a token, every request has to show it, except for the path that only reports health.
//   - At the end no new request is admitted, and those that are being answered have a limited time.
//
// # Decisions
//
// 2026-11-26: this has a package of its own, since it is the same for every protocol over HTTP. Rejected: moving the
// sessions over HTTP as well, which need what a connection over a pipe needs, too.
package web
