// Package process is about the process of a server: the memory that it returns while it waits, and the program that
// replaces it. It knows nothing of messages and clients.
package process
