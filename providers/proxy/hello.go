package proxy

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"time"
)

// hiddenName is the extension of a handshake that hides its name: encrypted_client_hello.
const hiddenName = 0xfe0d

// serverName reads the first message of a TLS handshake, and returns the name that it is for, and what was read.
func serverName(from io.Reader) (name string, read []byte, err error) {
	var seen bytes.Buffer
	var hello *tls.ClientHelloInfo
	enough := errors.New("enough")
	// The library reads the message; refusing it in this function keeps it from answering.
	err = tls.Server(readOnly{io.TeeReader(from, &seen)}, &tls.Config{GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		hello = h
		return nil, enough
	}}).Handshake()
	switch {
	case hello == nil:
		return "", nil, err
	// What can be seen of such a handshake is the name of another host.
	case slices.Contains(hello.Extensions, hiddenName):
		return "", nil, errors.New("the name of the server is hidden")
	}
	return hello.ServerName, seen.Bytes(), nil
}

// readOnly is a connection that can only be read: the answer to the refused handshake is dropped.
type readOnly struct{ io.Reader }

func (readOnly) Write(p []byte) (int, error)      { return len(p), nil }
func (readOnly) Close() error                     { return nil }
func (readOnly) LocalAddr() net.Addr              { return nil }
func (readOnly) RemoteAddr() net.Addr             { return nil }
func (readOnly) SetDeadline(time.Time) error      { return nil }
func (readOnly) SetReadDeadline(time.Time) error  { return nil }
func (readOnly) SetWriteDeadline(time.Time) error { return nil }
