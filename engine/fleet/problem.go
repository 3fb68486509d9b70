package fleet

import (
	"errors"
	"fmt"
)

// ProblemKind is what prevents the use of a queue, by what can be done about it.
type ProblemKind string

// The kinds of problems.
const (
	Unreachable  ProblemKind = "unreachable"  // nothing listens, or no answer in time
	Unauthorized ProblemKind = "unauthorized" // the server does not accept the credentials
	Untrusted    ProblemKind = "untrusted"    // TLS: an unknown authority, or only one side uses TLS
	NoJetStream  ProblemKind = "no_jetstream" // the server stores nothing
	TooOld       ProblemKind = "too_old"      // the server lacks something that the queue requires
	Forbidden    ProblemKind = "forbidden"    // the role of the user does not allow it
	NoQueue      ProblemKind = "no_queue"     // the server has no queue for the project, and this user may not create one
	StoreFull    ProblemKind = "store_full"   // the server has no room
	Misused      ProblemKind = "misused"      // an option or argument is invalid
	Unexpected   ProblemKind = "unexpected"   // anything else
)

// Problem is the error of a queue on a server.
type Problem struct {
	Kind   ProblemKind
	Server string // its URLs without passwords
	Detail string // what was tried or found
	Err    error  // may be nil
}

// Error names the server, what is wrong and what can be done about it.
func (p *Problem) Error() string {
	text := fmt.Sprintf("queue at %q: %s", p.Server, p.Detail)
	if advice := p.Advice(); advice != "" {
		text += " (" + advice + ")"
	}
	return text
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Advice returns what can be done, without naming a command; "" if nothing is known.
func (p *Problem) Advice() string {
	switch p.Kind {
	case Unreachable:
		return "check that the server runs and that its address and port are right"
	case Unauthorized:
		return "check the credentials file, and that the server knows the user"
	case Untrusted:
		return "use a new invitation; for a server of your own tls:// with its CA file, or nats:// if it has no certificate"
	case NoJetStream:
		return "enable JetStream on the server, for the account of this user"
	case TooOld:
		return "upgrade the server"
	case Forbidden:
		return "the key is for another project, machine or role: use an invitation or credentials for this one"
	case NoQueue:
		return "start the hub of the project first, or check the name of the project"
	case StoreFull:
		return "free or allow more storage on the server"
	}
	return ""
}

// IsForbidden reports whether the key of a connection does not allow what was tried.
func IsForbidden(err error) bool {
	found, ok := errors.AsType[*Problem](err)
	return ok && found.Kind == Forbidden
}
