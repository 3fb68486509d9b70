package jetstream

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"chant/engine/fleet"
	"chant/engine/fleet/subject"
)

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

// sizeMost is the size of the messages of an answer. It is always given, because without it the server (2.15.2) looks
// at its options in a way that is a data race when the users of a hub change.
const sizeMost = 8 << 20

// last reads the last message on a subject; its sequence is 0 if there is none.
func (l *link) last(ctx context.Context, stream, on string) (m message, err error) {
	err = l.try(ctx, func() error {
		m, err = l.readOne(ctx, stream, search{Last: on})
		return err
	})
	return m, err
}

// newest is last as the leader of the stream knows it: another server of a cluster may be behind. Only hubs may ask for it.
func (l *link) newest(ctx context.Context, stream, on string) (m message, err error) {
	request, err := json.Marshal(search{Last: on})
	if err != nil {
		return m, err
	}
	err = l.try(ctx, func() error {
		reply, err := l.ask(ctx, "$JS.API.STREAM.MSG.GET."+stream, nil, request)
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
			return l.problem(fleet.Unexpected, err, "an answer of the stream %q cannot be read", stream)
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
func (l *link) readOne(ctx context.Context, stream string, what search) (message, error) {
	if what.MaxSize == 0 {
		what.MaxSize = sizeMost
	}
	request, err := json.Marshal(what)
	if err != nil {
		return message{}, err
	}
	answer, err := l.ask(ctx, subject.ReadOf(stream), nil, request)
	if err != nil {
		return message{}, err
	}
	switch answer.Header.Get("Status") {
	case "":
		return l.parse(answer)
	case "404":
		return message{}, nil
	}
	return message{}, l.unexpected(answer)
}

// read reads several messages. more reports whether there are others after them.
func (l *link) read(ctx context.Context, stream string, what search) (found []message, more bool, err error) {
	if what.MaxSize == 0 {
		what.MaxSize = sizeMost
	}
	request, err := json.Marshal(what)
	if err != nil {
		return nil, false, err
	}
	on := subject.ReadOf(stream)
	err = l.try(ctx, func() error {
		found, more = nil, false
		return l.each(ctx, on, request, func(answer *nats.Msg) (done bool, err error) {
			switch answer.Header.Get("Status") {
			case "":
				m, err := l.parse(answer)
				found = append(found, m)
				return err != nil, err
			case "204": // the end
				more = answer.Header.Get("Nats-Num-Pending") != "0"
				return true, nil
			case "404":
				return true, nil
			}
			return true, l.unexpected(answer)
		})
	})
	return found, more, err
}

// readAll reads the last message on each subject that matches.
func (l *link) readAll(ctx context.Context, stream, on string) ([]message, error) {
	found, more, err := l.read(ctx, stream, search{Lasts: []string{on}})
	if err == nil && more {
		err = l.problem(fleet.Unexpected, nil, "the messages on %q have more than %d bytes", on, sizeMost)
	}
	return found, err
}

// each sends a request that has any number of answers, on an inbox of its own: answers that are messages of a stream
// carry their own subjects, by which the client cannot find the request.
func (l *link) each(ctx context.Context, on string, request []byte, use func(*nats.Msg) (done bool, err error)) error {
	return l.once(ctx, on, func(ctx context.Context) error {
		inbox := l.nc.NewInbox()
		sub, err := l.nc.SubscribeSync(inbox)
		if err != nil {
			return err
		}
		defer func() { _ = sub.Unsubscribe() }() // fails only with the connection, which has its own error
		if err := l.nc.PublishRequest(on, inbox, request); err != nil {
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

func (l *link) parse(answer *nats.Msg) (message, error) {
	m := message{subject: answer.Header.Get(natsjs.SubjectHeader), data: answer.Data, id: answer.Header.Get(natsjs.MsgIDHeader), token: answer.Header.Get(specHeader)}
	var err error
	if m.seq, err = strconv.ParseUint(answer.Header.Get(natsjs.SequenceHeader), 10, 64); err != nil {
		return m, l.unexpected(answer)
	}
	if m.stored, err = time.Parse(time.RFC3339Nano, answer.Header.Get(natsjs.TimeStampHeaer)); err != nil {
		return m, l.unexpected(answer)
	}
	return m, nil
}

func (l *link) unexpected(answer *nats.Msg) error {
	return l.problem(fleet.Unexpected, nil, "an answer has the status %q and the description %q",
		answer.Header.Get("Status"), answer.Header.Get("Description"))
}
