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
)

// question is a request whose answer is awaited.
type question struct {
	on     string
	cancel context.CancelCauseFunc
}

// requestOnce runs a request on a subject, for answerTime at most. The server answers a request that it does not allow with an
// error of the connection, which ends the request at once.
func (b *Broker) requestOnce(ctx context.Context, on string, do func(context.Context) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	inner, stop := context.WithTimeoutCause(inner, answerTime, errNoAnswer)
	defer stop()
	q := &question{on: on, cancel: cancel}
	b.asking.Lock()
	b.waiting[q] = true
	b.asking.Unlock()
	defer func() {
		b.asking.Lock()
		delete(b.waiting, q)
		b.asking.Unlock()
	}()
	err := do(inner)
	// The cause says why: a refusal or a lost connection, and not just the end of a context.
	if err != nil && ctx.Err() == nil && inner.Err() != nil {
		return context.Cause(inner)
	}
	return err
}

// endRequests ends the requests on a subject, "" for all, which then fail with a cause.
func (b *Broker) endRequests(on string, cause error) {
	b.asking.Lock()
	defer b.asking.Unlock()
	for q := range b.waiting {
		if on == "" || q.on == on {
			q.cancel(cause)
		}
	}
}

// forbidden finds the subject in an error of the server.
var forbidden = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)permissions violation for (?:publish|subscription) to "([^"]+)"`)
})

// notAllowed returns the subject that an error of the connection says this user may not use, and the problem; "" if it is
// another error.
func (b *Broker) notAllowed(err error) (on string, problem error) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return "", nil
	}
	m := forbidden().FindStringSubmatch(err.Error())
	if m == nil {
		return "", nil
	}
	return m[1], b.problem(fleet.Forbidden, err, "this user may not use %q", m[1])
}

// try repeats something until it succeeds, fails for good, or the server was away for the patience of the queue.
func (b *Broker) try(ctx context.Context, do func() error) error {
	over := time.NewTimer(max(b.patience, answerTime))
	defer over.Stop()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := do()
		if err == nil || !b.isTemporary(err) {
			return b.explain(err)
		}
		if isUnserved(err) && b.nc.IsConnected() {
			// The stream may be gone with the storage of the server, or a cluster elects its leader.
			if again := b.create(ctx); again != nil && !b.isTemporary(again) && !errors.Is(again, errMayNotCreate) {
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

// isUnserved reports whether no stream has the subject of a request.
func isUnserved(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, natsjs.ErrNoStreamResponse)
}

// ask sends a request and returns its answer.
func (b *Broker) ask(ctx context.Context, on string, data []byte) (*nats.Msg, error) {
	var answer *nats.Msg
	err := b.requestOnce(ctx, on, func(ctx context.Context) (err error) {
		answer, err = b.nc.RequestWithContext(ctx, on, data)
		return err
	})
	return answer, err
}

// announce sends a message that is not answered, and waits until the server has it.
func (b *Broker) announce(ctx context.Context, on string, data []byte) error {
	return b.try(ctx, func() error {
		return b.confirm(ctx, on, func() error { return b.nc.Publish(on, data) })
	})
}

// confirm does something that the server does not answer unless it does not allow it, and asks whether it did.
func (b *Broker) confirm(ctx context.Context, on string, do func() error) error {
	before := b.nc.LastError()
	err := b.requestOnce(ctx, on, func(ctx context.Context) error {
		if err := do(); err != nil {
			return err
		}
		return b.nc.FlushWithContext(ctx)
	})
	if err != nil {
		return err
	}
	// The error arrives before the answer to the flush, but its handler may run after that.
	if last := b.nc.LastError(); last != before {
		if s, problem := b.notAllowed(last); s == on {
			return problem
		}
	}
	return nil
}

// errChanged reports that a message was stored on a subject since its last one was read.
var errChanged = errors.New("it was changed meanwhile")

// anySequence accepts whatever is stored on a subject.
const anySequence = ^uint64(0)

// store appends a message to a stream and waits until it is stored. last is the sequence of the last message on the
// subject, 0 if there must be none. Error: errChanged if there is another last message.
func (b *Broker) store(ctx context.Context, stream, on string, data []byte, last uint64) (seq uint64, err error) {
	header := nats.Header{}
	if last != anySequence {
		header[natsjs.ExpectedLastSubjSeqHeader] = []string{strconv.FormatUint(last, 10)}
	}
	return b.storeWith(ctx, stream, on, header, data)
}

// storeWith is store of a message with a header.
func (b *Broker) storeWith(ctx context.Context, stream, on string, header nats.Header, data []byte) (seq uint64, err error) {
	header = maps.Clone(header)
	// It is sent with the same id while the server is away, so that it is stored once although an answer is lost.
	header[natsjs.MsgIDHeader] = []string{rand.Text()}
	tries, changed := 0, false
	err = b.try(ctx, func() error {
		tries++
		seq, err = b.storeOnce(ctx, on, header, data)
		if changed = errors.Is(err, errChanged); !changed {
			return err
		}
		if tries == 1 {
			return nil
		}
		// An earlier try may have stored it and lost its answer: the server compares the sequence before the id.
		now, err := b.readOne(ctx, stream, search{Last: on})
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

func (b *Broker) storeOnce(ctx context.Context, on string, header nats.Header, data []byte) (seq uint64, err error) {
	err = b.requestOnce(ctx, on, func(ctx context.Context) error {
		m := &nats.Msg{Subject: on, Header: header, Data: data}
		// The method try repeats it, with the same id.
		stored, err := b.js.PublishMsg(ctx, m, natsjs.WithRetryAttempts(0))
		if err == nil {
			seq = stored.Sequence
		}
		return err
	})
	if api := apiError(err); api != nil && (api.ErrorCode == natsjs.JSErrCodeStreamWrongLastSequence || api.ErrorCode == natsjs.JSErrCodeStreamWrongLastSequenceConstant) {
		err = errChanged
	}
	return seq, err
}

// message is one that a stream has stored.
type message struct {
	subject string
	seq     uint64
	stored  time.Time // by the clock of the server
	data    []byte
	id      string // that its writer gave it
	token   string // of the spec, for a piece of a log
}

// search selects messages of a stream.
type search struct {
	Last    string   `json:"last_by_subj,omitempty"`
	Lasts   []string `json:"multi_last,omitempty"` // the last one on each of these subjects
	Next    string   `json:"next_by_subj,omitempty"`
	Seq     uint64   `json:"seq,omitempty"` // Next: from this one on
	Batch   int      `json:"batch,omitempty"`
	MaxSize int      `json:"max_bytes"`
}

// maxAnswer is the size of the messages of an answer. It is always given, because without it the server (2.15.2) looks
// at its options in a way that is a data race when the users of a hub change.
const maxAnswer = 8 << 20

// readLast reads the last message on a subject; its sequence is 0 if there is none.
func (b *Broker) readLast(ctx context.Context, stream, on string) (m message, err error) {
	err = b.try(ctx, func() error {
		m, err = b.readOne(ctx, stream, search{Last: on})
		return err
	})
	return m, err
}

// readNewest is last as the leader of the stream knows it: another server of a cluster may be behind. Only hubs may ask for it.
func (b *Broker) readNewest(ctx context.Context, stream, on string) (m message, err error) {
	request, err := json.Marshal(search{Last: on})
	if err != nil {
		return m, err
	}
	err = b.try(ctx, func() error {
		reply, err := b.ask(ctx, "$JS.API.STREAM.MSG.GET."+stream, request)
		if err != nil {
			return err
		}
		var found struct {
			Message struct {
				Subject string    `json:"subject"`
				Seq     uint64    `json:"seq"`
				Data    []byte    `json:"data"`
				Time    time.Time `json:"time"`
			} `json:"message"`
			Error *natsjs.APIError `json:"error"`
		}
		if err := json.Unmarshal(reply.Data, &found); err != nil {
			return b.problem(fleet.Unexpected, err, "an answer of the stream %q cannot be read", stream)
		}
		if found.Error != nil && found.Error.ErrorCode != natsjs.JSErrCodeMessageNotFound {
			return found.Error
		}
		x := found.Message
		m = message{subject: x.Subject, seq: x.Seq, stored: x.Time, data: x.Data}
		return nil
	})
	return m, err
}

// readOne reads a message; its sequence is 0 if there is none.
func (b *Broker) readOne(ctx context.Context, stream string, what search) (message, error) {
	if what.MaxSize == 0 {
		what.MaxSize = maxAnswer
	}
	request, err := json.Marshal(what)
	if err != nil {
		return message{}, err
	}
	answer, err := b.ask(ctx, ReadSubject(stream), request)
	if err != nil {
		return message{}, err
	}
	switch answer.Header.Get("Status") {
	case "":
		return b.parse(answer)
	case "404":
		return message{}, nil
	}
	return message{}, b.unexpectedError(answer)
}

// read reads several messages. more reports whether there are others after them.
func (b *Broker) read(ctx context.Context, stream string, what search) (found []message, more bool, err error) {
	if what.MaxSize == 0 {
		what.MaxSize = maxAnswer
	}
	request, err := json.Marshal(what)
	if err != nil {
		return nil, false, err
	}
	on := ReadSubject(stream)
	err = b.try(ctx, func() error {
		found, more = nil, false
		return b.requestEach(ctx, on, request, func(answer *nats.Msg) (done bool, err error) {
			switch answer.Header.Get("Status") {
			case "":
				m, err := b.parse(answer)
				found = append(found, m)
				return err != nil, err
			// This marks the end.
			case "204":
				more = answer.Header.Get("Nats-Num-Pending") != "0"
				return true, nil
			case "404":
				return true, nil
			}
			return true, b.unexpectedError(answer)
		})
	})
	return found, more, err
}

// readAll reads the last message on each subject that matches.
func (b *Broker) readAll(ctx context.Context, stream, on string) ([]message, error) {
	found, more, err := b.read(ctx, stream, search{Lasts: []string{on}})
	if err == nil && more {
		err = b.problem(fleet.Unexpected, nil, "the messages on %q have more than %d bytes", on, maxAnswer)
	}
	return found, err
}

// requestEach sends a request that has any number of answers, on an inbox of its own: answers that are messages of a stream
// carry their own subjects, by which the client cannot find the request.
func (b *Broker) requestEach(ctx context.Context, on string, request []byte, use func(*nats.Msg) (done bool, err error)) error {
	return b.requestOnce(ctx, on, func(ctx context.Context) error {
		inbox := b.nc.NewInbox()
		sub, err := b.nc.SubscribeSync(inbox)
		if err != nil {
			return err
		}
		// It fails only with the connection, which has its own error.
		defer func() { _ = sub.Unsubscribe() }()
		if err := b.nc.PublishRequest(on, inbox, request); err != nil {
			return err
		}
		for {
			answer, err := sub.NextMsgWithContext(ctx)
			if err != nil {
				return err
			}
			if done, err := use(answer); done || err != nil {
				return err
			}
		}
	})
}

func (b *Broker) parse(answer *nats.Msg) (message, error) {
	m := message{subject: answer.Header.Get(natsjs.SubjectHeader), data: answer.Data, id: answer.Header.Get(natsjs.MsgIDHeader), token: answer.Header.Get(specHeader)}
	var err error
	if m.seq, err = strconv.ParseUint(answer.Header.Get(natsjs.SequenceHeader), 10, 64); err != nil {
		return m, b.unexpectedError(answer)
	}
	if m.stored, err = time.Parse(time.RFC3339Nano, answer.Header.Get(natsjs.TimeStampHeaer)); err != nil {
		return m, b.unexpectedError(answer)
	}
	return m, nil
}

func (b *Broker) unexpectedError(answer *nats.Msg) error {
	return b.problem(fleet.Unexpected, nil, "an answer has the status %q and the description %q",
		answer.Header.Get("Status"), answer.Header.Get("Description"))
}
