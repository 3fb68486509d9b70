// Package watching remembers what a client was shown of resources and of the values of a dialect, and finds what differs
// from that. It sends nothing and does not wait: package mcp asks it again and again, and notifies the client.
package watching
