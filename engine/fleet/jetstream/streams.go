package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"chant/engine/fleet"
	"chant/engine/fleet/subject"
)

// The limits of what the server keeps.
const (
	entryMost   = 64 << 10  // bytes of an entry
	recordMost  = 32 << 10  // bytes of the record of a node, or of a lease
	keptMost    = 256 << 10 // bytes of a shared value, and of everything else that stays
	liveBytes   = 64 << 20
	logPieces   = 512      // that are kept of each subject of logs, of which a node has eight
	logPiece    = 16 << 10 // bytes of a piece
	logBytes    = 1 << 30
	logAge      = 14 * 24 * time.Hour
	pendingMost = 1 << 16 // entries of a class that are being worked on
	replicas    = 3       // of each stream, where the cluster has as many servers
)

// pieceMost is the size of a stored piece of a log with its header, in bytes.
const pieceMost = logPiece + 2<<10

// streams returns what the queue needs on the server. The one that everybody reads is created last, so that its existence
// means that of all others.
func (b *Broker) streams() []natsjs.StreamConfig {
	p := b.project
	return []natsjs.StreamConfig{
		{
			Name: p.WorkStream(), Subjects: []string{p.WorkOf("*")}, Description: "specs that are ready, or being worked on",
			Retention: natsjs.WorkQueuePolicy, MaxMsgsPerSubject: 1, Discard: natsjs.DiscardNew, DiscardNewPerSubject: true,
			MaxMsgSize: entryMost, AllowDirect: true,
		},
		{
			Name: p.LogStream(), Subjects: []string{p.Logs()}, Description: "logs of specs",
			MaxMsgsPerSubject: logPieces, MaxMsgSize: pieceMost, MaxBytes: logBytes, MaxAge: logAge, AllowDirect: true,
		},
		{
			Name: p.KeptStream(), Subjects: []string{p.Any("value"), p.Any("class"), p.Any("key"), p.Any("taker")}, Description: "values, classes of specs, keys, and who took which spec",
			MaxMsgsPerSubject: 1, MaxMsgSize: keptMost, AllowDirect: true,
		},
		{
			Name: p.LiveStream(), Subjects: []string{p.Any("node"), p.Any("lease")}, Description: "nodes and leases with a heartbeat",
			MaxMsgsPerSubject: 1, MaxMsgSize: recordMost, MaxBytes: liveBytes, MaxAge: b.patience, AllowDirect: true,
		},
	}
}

// prepare checks the server, and creates what is missing there.
func (b *Broker) prepare(ctx context.Context) error {
	if err := b.checkVersion(); err != nil {
		return err
	}
	var err error
	if b.js, err = natsjs.New(b.nc, natsjs.WithDefaultTimeout(answerTime)); err != nil {
		return b.explain(err)
	}
	over := time.NewTimer(max(b.patience, answerTime))
	defer over.Stop()
	for {
		_, err := b.readOne(ctx, b.project.LiveStream(), search{Last: b.project.Lease("_")})
		if errors.Is(err, nats.ErrNoResponders) {
			if again := b.create(ctx); !errors.Is(again, errMayNotCreate) || b.nc.ConnectedClusterName() == "" {
				err = again // else the cluster may be electing the leader of the stream
			}
		} else if err == nil && b.nc.ConnectedClusterName() != "" {
			err = b.replicate(ctx)
		}
		if err == nil || !b.temporary(err) {
			return b.explain(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-over.C:
			return b.explain(err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// errMayNotCreate is the cause of an error of create for a user who may not even look whether the streams exist.
var errMayNotCreate = errors.New("this user may not create it")

// create creates the streams that are missing.
func (b *Broker) create(ctx context.Context) error {
	b.creating.Lock()
	defer b.creating.Unlock()
	for _, c := range b.streams() {
		if b.mayNotCreate {
			return b.missing()
		}
		there, err := b.stream(ctx, c.Name)
		switch {
		case errors.Is(err, natsjs.ErrStreamNotFound):
			err = b.createOne(ctx, c)
		case err == nil:
			err = b.adapt(ctx, there.CachedInfo().Config, c)
		}
		var p *fleet.Problem
		if errors.As(err, &p) && p.Kind == fleet.Forbidden {
			b.mayNotCreate = true
			return b.missing()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// adapt gives a stream the subjects and limits of this version. What it has on other subjects stays until it is too old.
func (b *Broker) adapt(ctx context.Context, has, want natsjs.StreamConfig) error {
	if slices.Equal(has.Subjects, want.Subjects) && has.MaxMsgSize == want.MaxMsgSize && has.MaxMsgsPerSubject == want.MaxMsgsPerSubject {
		return nil
	}
	has.Subjects, has.MaxMsgSize, has.MaxMsgsPerSubject, has.MaxBytes = want.Subjects, want.MaxMsgSize, want.MaxMsgsPerSubject, want.MaxBytes
	return b.once(ctx, "$JS.API.STREAM.UPDATE."+has.Name, func(ctx context.Context) error {
		_, err := b.js.UpdateStream(ctx, has)
		return err
	})
}

func (b *Broker) missing() error {
	return b.problem(fleet.NoQueue, errMayNotCreate, "it has no queue for the project %q, and this user may not create one", string(b.project))
}

// createOne creates a stream, with as many replicas as the server has servers, up to the usual number.
func (b *Broker) createOne(ctx context.Context, c natsjs.StreamConfig) error {
	if b.nc.ConnectedClusterName() != "" {
		c.Replicas = replicas
	}
	create := func(ctx context.Context) error { _, err := b.js.CreateStream(ctx, c); return err }
	err := b.once(ctx, "$JS.API.STREAM.CREATE."+c.Name, create)
	if few := apiError(err); c.Replicas > 1 && few != nil && (few.ErrorCode == codeNoPeers || few.ErrorCode == codeReplicas) {
		c.Replicas = 1 // replicate adds the others when the servers are there
		err = b.once(ctx, "$JS.API.STREAM.CREATE."+c.Name, create)
	}
	if errors.Is(err, natsjs.ErrStreamNameAlreadyInUse) {
		return nil // another node was faster
	}
	b.mu.Lock()
	clear(b.classes)
	b.mu.Unlock()
	return err
}

// replicate adds replicas to streams that were created while the cluster had too few servers. It leaves streams alone
// that this user may not change.
func (b *Broker) replicate(ctx context.Context) error {
	for _, c := range b.streams() {
		s, err := b.stream(ctx, c.Name)
		var p *fleet.Problem
		if errors.As(err, &p) && p.Kind == fleet.Forbidden {
			return nil
		}
		if err != nil {
			return err
		}
		now := s.CachedInfo().Config
		if now.Replicas >= replicas {
			continue
		}
		now.Replicas = replicas
		err = b.once(ctx, "$JS.API.STREAM.UPDATE."+c.Name, func(ctx context.Context) error {
			_, err := b.js.UpdateStream(ctx, now)
			return err
		})
		if few := apiError(err); few != nil && (few.ErrorCode == codeNoPeers || few.ErrorCode == codeReplicas) {
			return nil // still too few
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Broker) stream(ctx context.Context, name string) (s natsjs.Stream, err error) {
	err = b.once(ctx, "$JS.API.STREAM.INFO."+name, func(ctx context.Context) error {
		s, err = b.js.Stream(ctx, name)
		return err
	})
	if errors.Is(err, nats.ErrNoResponders) {
		err = natsjs.ErrJetStreamNotEnabled // nobody serves its API
	}
	return s, err
}

// ensureClass makes sure that entries with some needs can be taken, and returns the name of their class.
func (b *Broker) ensureClass(ctx context.Context, needs fleet.Needs) (string, error) {
	class := subject.ClassOf(needs)
	b.mu.Lock()
	known := b.classes[class]
	b.mu.Unlock()
	if known {
		return class, nil
	}
	text, err := json.Marshal(needs)
	if err != nil {
		return "", err
	}
	filter := b.project.WorkOf(class)
	stream := b.project.WorkStream()
	c := natsjs.ConsumerConfig{
		Durable: class, FilterSubject: filter, AckPolicy: natsjs.AckExplicitPolicy, AckWait: b.patience,
		MaxDeliver: -1, MaxAckPending: pendingMost,
	}
	err = b.try(ctx, func() error {
		return b.once(ctx, "$JS.API.CONSUMER.CREATE."+stream+"."+class+"."+filter, func(ctx context.Context) error {
			_, err := b.js.CreateOrUpdateConsumer(ctx, stream, c)
			return err
		})
	})
	if err != nil {
		return "", err
	}
	if _, err := b.store(ctx, b.project.KeptStream(), b.project.Class(class), text, anySequence); err != nil {
		return "", err
	}
	b.mu.Lock()
	b.classes[class] = true
	b.mu.Unlock()
	return class, nil
}
