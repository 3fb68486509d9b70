package jetstream

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"chant/engine/fleet"
	"chant/engine/fleet/subject"
)

// link is a connection that asks until it gets an answer.
type link struct {
	nc       *nats.Conn
	project  subject.Project
	server   string // for messages
	patience time.Duration
	closing  chan struct{}
	restore  func(context.Context) error // creates what the server should have and has not

	asking  sync.Mutex
	waiting map[*question]bool // for an answer
}

// question is a request whose answer is awaited.
type question struct {
	on     string
	cancel context.CancelCauseFunc
}

// once runs a request on a subject, for answerTime at most. The server answers a request that it does not allow with an
// error of the connection, which ends the request at once.
func (l *link) once(ctx context.Context, on string, do func(context.Context) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	inner, stop := context.WithTimeoutCause(inner, answerTime, errNoAnswer)
	defer stop()
	q := &question{on: on, cancel: cancel}
	l.asking.Lock()
	l.waiting[q] = true
	l.asking.Unlock()
	defer func() {
		l.asking.Lock()
		delete(l.waiting, q)
		l.asking.Unlock()
	}()
	err := do(inner)
	if err != nil && ctx.Err() == nil && inner.Err() != nil {
		return context.Cause(inner)
	}
	return err
}

// forbidden finds the subject in an error of the server.
var forbidden = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)permissions violation for (?:publish|subscription) to "([^"]+)"`)
})

// forbid ends the requests on the subject that an error of the connection names.
func (l *link) forbid(err error) {
	on, ok := forbiddenSubject(err)
	if !ok {
		return
	}
	l.asking.Lock()
	defer l.asking.Unlock()
	for q := range l.waiting {
		if q.on == on {
			q.cancel(l.notAllowed(on, err))
		}
	}
}

// cut ends all requests when the connection is lost, because their answers will not come.
func (l *link) cut() {
	l.asking.Lock()
	defer l.asking.Unlock()
	for q := range l.waiting {
		q.cancel(errCut)
	}
}

func forbiddenSubject(err error) (string, bool) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return "", false
	}
	m := forbidden().FindStringSubmatch(err.Error())
	if m == nil {
		return "", false
	}
	return m[1], true
}

func (l *link) notAllowed(on string, err error) *fleet.Problem {
	return l.problem(fleet.Forbidden, err, "this user may not use %q", on)
}

// try repeats something until it succeeds, fails for good, or the server was away for the patience of the queue.
func (l *link) try(ctx context.Context, do func() error) error {
	over := time.NewTimer(max(l.patience, answerTime))
	defer over.Stop()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := do()
		if err == nil || !l.temporary(err) {
			return l.explain(err)
		}
		if errors.Is(err, nats.ErrNoResponders) && l.nc.IsConnected() {
			// The stream may be gone, with the storage of the server, or a cluster elects its leader.
			if again := l.restore(ctx); again != nil && !l.temporary(again) && !errors.Is(again, errMayNotCreate) {
				return l.explain(again)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.closing:
			return l.explain(nats.ErrConnectionClosed)
		case <-over.C:
			return l.explain(err)
		case <-time.After(pause):
		}
	}
}

// ask sends a request and returns its answer.
func (l *link) ask(ctx context.Context, on string, header nats.Header, data []byte) (*nats.Msg, error) {
	var answer *nats.Msg
	err := l.once(ctx, on, func(ctx context.Context) (err error) {
		answer, err = l.nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: on, Header: header, Data: data})
		return err
	})
	return answer, err
}

// announce sends a message that nobody answers, and waits until the server has it.
func (l *link) announce(ctx context.Context, on string, data []byte) error {
	return l.try(ctx, func() error {
		return l.confirmed(ctx, on, func() error { return l.nc.Publish(on, data) })
	})
}

// confirmed does something that the server does not answer unless it does not allow it, and asks whether it did.
func (l *link) confirmed(ctx context.Context, on string, do func() error) error {
	before := l.nc.LastError()
	err := l.once(ctx, on, func(ctx context.Context) error {
		if err := do(); err != nil {
			return err
		}
		return l.nc.FlushWithContext(ctx)
	})
	if err != nil {
		return err
	}
	if last := l.nc.LastError(); last != before {
		if s, ok := forbiddenSubject(last); ok && s == on {
			return l.notAllowed(s, last)
		}
	}
	return nil
}

// errChanged reports that a message was stored on a subject since its last one was read.
var errChanged = errors.New("it was changed meanwhile")

// anySequence accepts whatever is stored on a subject.
const anySequence = ^uint64(0)

// store appends a message to a stream and waits until it is stored. last is the sequence of the last message on the
// subject, 0 if there must be none. It is repeated with the same id while the server is away, so that it is stored once
// although an answer is lost. Error: errChanged if there is another last message.
func (l *link) store(ctx context.Context, stream, on string, data []byte, last uint64) (seq uint64, err error) {
	header := nats.Header{}
	if last != anySequence {
		header[natsjs.ExpectedLastSubjSeqHeader] = []string{strconv.FormatUint(last, 10)}
	}
	return l.storeWith(ctx, stream, on, header, data)
}

// storeWith is store of a message with a header.
func (l *link) storeWith(ctx context.Context, stream, on string, header nats.Header, data []byte) (seq uint64, err error) {
	header = maps.Clone(header)
	header[natsjs.MsgIDHeader] = []string{rand.Text()}
	tries := 0
	changed := false
	err = l.try(ctx, func() error {
		tries++
		seq, err = l.storeOnce(ctx, on, header, data)
		changed = errors.Is(err, errChanged)
		if !changed || tries == 1 {
			return ignore(err, errChanged)
		}
		// By an earlier try, if its answer was lost: the server compares the sequence before the id.
		now, err := l.readOne(ctx, stream, search{Last: on})
		if err == nil && now.id == header.Get(natsjs.MsgIDHeader) {
			seq, changed = now.seq, false
		}
		return err
	})
	if err == nil && changed {
		err = errChanged
	}
	return seq, err
}

// ignore returns an error unless it is a certain one.
func ignore(err, ignored error) error {
	if errors.Is(err, ignored) {
		return nil
	}
	return err
}

func (l *link) storeOnce(ctx context.Context, on string, header nats.Header, data []byte) (uint64, error) {
	answer, err := l.ask(ctx, on, header, data)
	if err != nil {
		return 0, err
	}
	var stored struct {
		Seq   uint64           `json:"seq"`
		Error *natsjs.APIError `json:"error"`
	}
	if err := json.Unmarshal(answer.Data, &stored); err != nil {
		return 0, l.problem(fleet.Unexpected, err, "the answer on %q is not that of a stream", on)
	}
	if e := stored.Error; e != nil {
		if e.ErrorCode == natsjs.JSErrCodeStreamWrongLastSequence || e.ErrorCode == natsjs.JSErrCodeStreamWrongLastSequenceConstant {
			return 0, errChanged
		}
		return 0, e
	}
	return stored.Seq, nil
}
