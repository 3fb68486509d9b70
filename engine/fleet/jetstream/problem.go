package jetstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"chant/engine/fleet"
)

// oldest is the first version of the server that can be used: it reads several messages for one request. Earlier ones
// have had what else is needed, since 2.9 (one message for each subject).
const oldest = "2.11.0"

// Codes of errors of JetStream that the client does not name.
const (
	codeAccountLimit natsjs.ErrorCode = 10002
	codeNoPeers      natsjs.ErrorCode = 10005
	codeNotAvailable natsjs.ErrorCode = 10008
	codeNotLeader    natsjs.ErrorCode = 10009
	codeResources    natsjs.ErrorCode = 10023
	codeStorage      natsjs.ErrorCode = 10047
	codeReplicas     natsjs.ErrorCode = 10074
	codeStoreFailed  natsjs.ErrorCode = 10077
)

// apiError returns the error of JetStream in an error, nil if there is none.
func apiError(err error) *natsjs.APIError {
	var e natsjs.JetStreamError
	if errors.As(err, &e) {
		return e.APIError()
	}
	return nil
}

// whyNoConnection says what prevents a connection.
func (l *link) whyNoConnection(err error) error {
	var (
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		checked   *tls.CertificateVerificationError
		network   net.Error
	)
	switch {
	case isAuth(err):
		return l.problem(fleet.Unauthorized, err, "the server refuses the user")
	case errors.Is(err, nats.ErrSecureConnWanted):
		return l.problem(fleet.Untrusted, err, "the server does not use TLS")
	case errors.As(err, &authority):
		return l.problem(fleet.Untrusted, err, "the server's certificate is signed by an unknown authority")
	case errors.As(err, &host):
		return l.problem(fleet.Untrusted, err, "the server's certificate is for another host: %v; name this one when the server is started", host)
	case errors.As(err, &invalid), errors.As(err, &record), errors.As(err, &checked):
		return l.problem(fleet.Untrusted, err, "TLS failed: %v", err)
	case errors.Is(err, nats.ErrNoServers):
		return l.problem(fleet.Unreachable, err, "nothing listens there")
	case errors.Is(err, nats.ErrTimeout), errors.As(err, &network) && network.Timeout():
		return l.problem(fleet.Unreachable, err, "no answer within %v", dialTime)
	}
	return l.problem(fleet.Unreachable, err, "no connection: %v", err)
}

func isAuth(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAccountAuthExpired)
}

// temporary reports whether a question may have an answer later: the server restarts, or a cluster elects a leader.
func (l *link) temporary(err error) bool {
	if api := apiError(err); api != nil {
		return api.ErrorCode == codeNotAvailable || api.ErrorCode == codeNotLeader
	}
	if errors.Is(err, nats.ErrConnectionClosed) {
		return !l.nc.IsClosed() // a flush ends so when the connection is lost
	}
	for _, e := range []error{
		nats.ErrNoResponders, nats.ErrTimeout, nats.ErrDisconnected, nats.ErrReconnectBufExceeded, nats.ErrStaleConnection,
		nats.ErrConnectionReconnecting, natsjs.ErrNoStreamResponse, errNoAnswer, errCut, errNoHub,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// errCut is the cause of the end of a question when the connection was lost.
var errCut = errors.New("the connection was lost")

// errNoAnswer is the cause of the end of a question whose time is over.
var errNoAnswer = errors.New("no answer in time")

// explain converts the error of a question into a problem. Errors that have a meaning for the caller stay as they are.
func (l *link) explain(err error) error {
	var known *fleet.Problem
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if api := apiError(err); api != nil {
		switch api.ErrorCode {
		case natsjs.JSErrCodeJetStreamNotEnabled, natsjs.JSErrCodeJetStreamNotEnabledForAccount:
			return l.problem(fleet.NoJetStream, err, "the server has no JetStream for this user")
		case codeResources, codeStorage, codeAccountLimit:
			return l.problem(fleet.StoreFull, err, "the server has no room: %s", api.Description)
		}
		return l.problem(fleet.Unexpected, err, "the server refuses: %s", api.Description)
	}
	if l.nc.IsClosed() {
		return l.problem(fleet.Unexpected, err, "the connection was closed")
	}
	if !l.nc.IsConnected() {
		if last := l.nc.LastError(); last != nil && isAuth(last) {
			return l.problem(fleet.Unauthorized, last, "the server refuses the user since the connection was lost")
		}
		return l.problem(fleet.Unreachable, err, "the connection is lost, and a new one is being tried")
	}
	if errors.Is(err, nats.ErrNoResponders) {
		return l.problem(fleet.NoQueue, err, "it has no queue for the project %q", string(l.project))
	}
	if l.temporary(err) {
		return l.problem(fleet.Unreachable, err, "the server does not answer")
	}
	return l.problem(fleet.Unexpected, err, "%v", err)
}

// checkVersion refuses a server that lacks what the queue needs.
func (l *link) checkVersion() error {
	version := l.nc.ConnectedServerVersion()
	if !atLeast(version, oldest) {
		return l.problem(fleet.TooOld, nil, "the server has version %s, and %s is required", version, oldest)
	}
	return nil
}

// atLeast compares versions such as 2.11.0 and 2.11.0-beta.1; a version that cannot be read is accepted.
func atLeast(version, least string) bool {
	have, err := numbers(version)
	want, err2 := numbers(least)
	if err != nil || err2 != nil {
		return true
	}
	for i := range want {
		if have[i] != want[i] {
			return have[i] > want[i]
		}
	}
	return true
}

func numbers(version string) (out [3]int, err error) {
	version, _, _ = strings.Cut(version, "-")
	parts := strings.Split(version, ".")
	if len(parts) != len(out) {
		return out, fmt.Errorf("%q is not a version", version)
	}
	for i, p := range parts {
		if out[i], err = strconv.Atoi(p); err != nil {
			return out, err
		}
	}
	return out, nil
}
