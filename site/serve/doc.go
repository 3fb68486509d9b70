// Package serve shows the pages of package site live in a browser of this machine, with the run of each spec and with
// forms for what a person decides: work, approve, reject, answer. The operations of the engine do the work, as the person
// who started the server.
//
// # Rules
//
//   - It listens on a loopback address. Only requests for exactly this address are answered (Host), which keeps out pages
//     whose name was pointed at this machine; and only requests of its own pages (Origin, Sec-Fetch-Site).
//   - Whoever opens the address with its token gets a cookie, which scripts cannot read and which browsers send with
//     requests of these pages alone. Without the cookie nothing is answered.
//   - All pages are below a random folder, and the cookie is only for this folder: other servers of this machine, which
//     share the cookies of the host, do not get it.
//   - Decisions are POST requests with the Origin of the server and at most 64 KiB. What a person approves is what the
//     page showed: if the spec or its branch has changed since, the approval is refused.
//   - The policy of the pages (CSP) allows their own scripts and styles, no inline ones, and nothing from elsewhere.
//   - All pages of one browser share one stream of events, and the state of the project is read once for all of them.
//   - The stream for clients of lotar (api/events) has the format of theirs, and is behind the same gate as all else.
//   - Nothing outlives the context of Serve: streams end, and goroutines with them.
//
// # Decisions
//
// 2026-11-26: templates of .chant/site are for the static site only. Rejected: using them here, where agents, who may
// write them, could then change what a person sees before an approval.
//
// 2026-11-26: the page that sets the cookie leads on by itself instead of by a redirect: with SameSite=Strict a browser
// that came from another program sends no cookie with a redirect.
//
// 2026-11-26: a shared worker holds the stream of events, because a browser opens at most six connections to a server
// without TLS: the seventh page would not load. A browser without such workers has a stream in visible pages only.
//
// 2026-11-26: scripts of our own. Rejected: htmx, of which the pages would use a small part, and which needs a policy for
// styles that it inserts.
package serve
