package jetstream

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"chant/engine/fleet"
)

// question is a request whose answer is awaited.
type question struct {
	subject string
	cancel  context.CancelCauseFunc
}

// once runs a request on a subject, for answerTime at most. The server answers a request that it does not allow with an
// error of the connection, which ends the request at once.
func (b *Broker) once(ctx context.Context, subject string, do func(context.Context) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	inner, stop := context.WithTimeoutCause(inner, answerTime, errNoAnswer)
	defer stop()
	q := &question{subject: subject, cancel: cancel}
	b.mu.Lock()
	b.waiting[q] = true
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		delete(b.waiting, q)
		b.mu.Unlock()
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
func (b *Broker) forbid(err error) {
	subject, ok := forbiddenSubject(err)
	if !ok {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for q := range b.waiting {
		if q.subject == subject {
			q.cancel(b.notAllowed(subject, err))
		}
	}
}

// cut ends all requests when the connection is lost, because their answers will not come.
func (b *Broker) cut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for q := range b.waiting {
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

func (b *Broker) notAllowed(subject string, err error) *fleet.Problem {
	return b.problem(fleet.Forbidden, err, "this user may not use %q", subject)
}

// try repeats something until it succeeds, fails for good, or the server was away for the patience of the queue.
func (b *Broker) try(ctx context.Context, do func() error) error {
	over := time.NewTimer(max(b.patience, answerTime))
	defer over.Stop()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := do()
		if err == nil || !b.temporary(err) {
			return b.explain(err)
		}
		if errors.Is(err, nats.ErrNoResponders) && b.nc.IsConnected() {
			// The stream may be gone, with the storage of the server, or a cluster elects its leader.
			if again := b.create(ctx); again != nil && !b.temporary(again) && !errors.Is(again, errMayNotCreate) {
				return b.explain(again)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-b.closing:
			return b.explain(nats.ErrConnectionClosed)
		case <-over.C:
			return b.explain(err)
		case <-time.After(pause):
		}
	}
}

// ask sends a request and returns its answer.
func (b *Broker) ask(ctx context.Context, subject string, header nats.Header, data []byte) (*nats.Msg, error) {
	var answer *nats.Msg
	err := b.once(ctx, subject, func(ctx context.Context) (err error) {
		answer, err = b.nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: subject, Header: header, Data: data})
		return err
	})
	return answer, err
}

// announce sends a message that nobody answers, and waits until the server has it.
func (b *Broker) announce(ctx context.Context, subject string, data []byte) error {
	return b.try(ctx, func() error {
		return b.confirmed(ctx, subject, func() error { return b.nc.Publish(subject, data) })
	})
}

// confirmed does something that the server does not answer unless it does not allow it, and asks whether it did.
func (b *Broker) confirmed(ctx context.Context, subject string, do func() error) error {
	before := b.nc.LastError()
	err := b.once(ctx, subject, func(ctx context.Context) error {
		if err := do(); err != nil {
			return err
		}
		return b.nc.FlushWithContext(ctx)
	})
	if err != nil {
		return err
	}
	if last := b.nc.LastError(); last != before {
		if s, ok := forbiddenSubject(last); ok && s == subject {
			return b.notAllowed(s, last)
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
func (b *Broker) store(ctx context.Context, stream, subject string, data []byte, last uint64) (seq uint64, err error) {
	header := nats.Header{natsjs.MsgIDHeader: {rand.Text()}}
	if last != anySequence {
		header[natsjs.ExpectedLastSubjSeqHeader] = []string{strconv.FormatUint(last, 10)}
	}
	tries := 0
	changed := false
	err = b.try(ctx, func() error {
		tries++
		seq, err = b.storeOnce(ctx, subject, header, data)
		changed = errors.Is(err, errChanged)
		if !changed || tries == 1 {
			return ignore(err, errChanged)
		}
		// By an earlier try, if its answer was lost: the server compares the sequence before the id.
		now, err := b.readOne(ctx, stream, search{Last: subject})
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

func (b *Broker) storeOnce(ctx context.Context, subject string, header nats.Header, data []byte) (uint64, error) {
	answer, err := b.ask(ctx, subject, header, data)
	if err != nil {
		return 0, err
	}
	var stored struct {
		Seq   uint64           `json:"seq"`
		Error *natsjs.APIError `json:"error"`
	}
	if err := json.Unmarshal(answer.Data, &stored); err != nil {
		return 0, b.problem(fleet.Unexpected, err, "the answer on %q is not that of a stream", subject)
	}
	if e := stored.Error; e != nil {
		if e.ErrorCode == natsjs.JSErrCodeStreamWrongLastSequence || e.ErrorCode == natsjs.JSErrCodeStreamWrongLastSequenceConstant {
			return 0, errChanged
		}
		return 0, e
	}
	return stored.Seq, nil
}
