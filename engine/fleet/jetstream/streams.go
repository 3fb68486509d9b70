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
)

// The limits of what the server keeps.
const (
	maxEntry   = 64 << 10  // bytes of an entry
	maxRecord  = 32 << 10  // bytes of the record of a node, or of a lease
	maxKept    = 256 << 10 // bytes of a shared value, and of everything else that stays
	liveBytes  = 64 << 20
	logPieces  = 512      // that are kept of each subject of logs, of which a node has eight
	logPiece   = 16 << 10 // bytes of a piece
	logBytes   = 1 << 30
	logAge     = 14 * 24 * time.Hour
	maxPending = 1 << 16 // entries of a class that are being worked on
	replicas   = 3       // of each stream, where the cluster has as many servers
)

// maxPiece is the size of a stored piece of a log with its header, in bytes.
const maxPiece = logPiece + 2<<10

// streams returns what the queue needs on the server. The one that everybody reads is created last, so that its existence
// means that of all others.
func (b *Broker) streams() []natsjs.StreamConfig {
	p, copies := b.project, 1
	if b.nc.ConnectedClusterName() != "" {
		copies = replicas
	}
	return []natsjs.StreamConfig{
		{
			Name: p.WorkStream(), Subjects: []string{p.WorkOf("*")}, Description: "specs that are ready, or being worked on",
			Retention: natsjs.WorkQueuePolicy, MaxMsgsPerSubject: 1, Discard: natsjs.DiscardNew, DiscardNewPerSubject: true,
			MaxMsgSize: maxEntry, Replicas: copies, AllowDirect: true,
		},
		{
			Name: p.LogStream(), Subjects: []string{p.Logs()}, Description: "logs of specs",
			MaxMsgsPerSubject: logPieces, MaxMsgSize: maxPiece, MaxBytes: logBytes, MaxAge: logAge, Replicas: copies, AllowDirect: true,
		},
		{
			Name: p.KeptStream(), Subjects: []string{p.Any("value"), p.Any("class"), p.Any("key"), p.Any("taker")}, Description: "values, classes of specs, keys, and who took which spec",
			MaxMsgsPerSubject: 1, MaxMsgSize: maxKept, Replicas: copies, AllowDirect: true,
		},
		{
			Name: p.LiveStream(), Subjects: []string{p.Any("node"), p.Any("lease")}, Description: "nodes and leases with a heartbeat",
			MaxMsgsPerSubject: 1, MaxMsgSize: maxRecord, MaxBytes: liveBytes, MaxAge: b.patience, Replicas: copies, AllowDirect: true,
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
		clustered := b.nc.ConnectedClusterName() != ""
		if unserved := isUnserved(err); unserved || err == nil && clustered {
			again := b.create(ctx)
			switch {
			case !errors.Is(again, errMayNotCreate):
				err = again
			// Otherwise the cluster may be electing the leader of the stream.
			case unserved && !clustered:
				err = again
			}
		}
		if err == nil || !b.isTemporary(err) {
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

// create creates the streams that are missing, and gives those that are there the subjects, limits and replicas of this
// version. What they have on other subjects stays until it is too old.
func (b *Broker) create(ctx context.Context) error {
	b.creating.Lock()
	defer b.creating.Unlock()
	for _, want := range b.streams() {
		if b.mayNotCreate {
			return b.missingQueue()
		}
		there, err := b.stream(ctx, want.Name)
		switch {
		case errors.Is(err, natsjs.ErrStreamNotFound):
			err = b.createOne(ctx, want)
		case err == nil:
			err = b.adapt(ctx, there.CachedInfo().Config, want)
		}
		if fleet.IsForbidden(err) {
			b.mayNotCreate = true
			return b.missingQueue()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Broker) missingQueue() error {
	return b.problem(fleet.NoQueue, errMayNotCreate, "it has no queue for the project %q, and this user may not create one", string(b.project))
}

func (b *Broker) adapt(ctx context.Context, has, want natsjs.StreamConfig) error {
	now := has
	now.Subjects, now.MaxMsgSize, now.MaxMsgsPerSubject, now.MaxBytes = want.Subjects, want.MaxMsgSize, want.MaxMsgsPerSubject, want.MaxBytes
	// Never fewer: an older chant or a smaller cluster must not take copies away.
	now.Replicas = max(has.Replicas, want.Replicas)
	if slices.Equal(has.Subjects, now.Subjects) && has.MaxMsgSize == now.MaxMsgSize && has.MaxMsgsPerSubject == now.MaxMsgsPerSubject && has.Replicas == now.Replicas {
		return nil
	}
	update := func(ctx context.Context) error { _, err := b.js.UpdateStream(ctx, now); return err }
	err := b.manage(ctx, "$JS.API.STREAM.UPDATE."+has.Name, update)
	// A small cluster still takes the other changes.
	if lacksServers(err) {
		now.Replicas = has.Replicas
		err = b.manage(ctx, "$JS.API.STREAM.UPDATE."+has.Name, update)
	}
	return err
}

// lacksServers reports whether a cluster has fewer servers than a stream should have replicas.
func lacksServers(err error) bool {
	api := apiError(err)
	return api != nil && (api.ErrorCode == codeNoPeers || api.ErrorCode == codeReplicas)
}

func (b *Broker) createOne(ctx context.Context, c natsjs.StreamConfig) error {
	create := func(ctx context.Context) error { _, err := b.js.CreateStream(ctx, c); return err }
	err := b.manage(ctx, "$JS.API.STREAM.CREATE."+c.Name, create)
	if lacksServers(err) {
		// The next connection adds the others when the servers are there.
		c.Replicas = 1
		err = b.manage(ctx, "$JS.API.STREAM.CREATE."+c.Name, create)
	}
	if errors.Is(err, natsjs.ErrStreamNameAlreadyInUse) {
		// Another node was faster.
		return nil
	}
	b.mu.Lock()
	// A new stream has no consumers.
	clear(b.classes)
	b.mu.Unlock()
	return err
}

func (b *Broker) stream(ctx context.Context, name string) (s natsjs.Stream, err error) {
	err = b.manage(ctx, "$JS.API.STREAM.INFO."+name, func(ctx context.Context) error {
		s, err = b.js.Stream(ctx, name)
		return err
	})
	return s, err
}

// reloadTime is for how long the server may be without JetStream before that is believed: while it changes its users, what
// their accounts import is gone for some milliseconds (2.15.2).
const reloadTime = 2 * time.Second

// manage runs a request about streams and consumers, as requestOnce does.
func (b *Broker) manage(ctx context.Context, on string, do func(context.Context) error) error {
	over := time.NewTimer(reloadTime)
	defer over.Stop()
	for {
		err := b.requestOnce(ctx, on, do)
		if errors.Is(err, nats.ErrNoResponders) {
			// Nothing serves its API.
			err = natsjs.ErrJetStreamNotEnabled
		}
		if !errors.Is(err, natsjs.ErrJetStreamNotEnabled) && !errors.Is(err, natsjs.ErrJetStreamNotEnabledForAccount) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-over.C:
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ensureClass makes sure that entries with some needs can be taken, and returns the name of their class.
func (b *Broker) ensureClass(ctx context.Context, needs fleet.Needs) (string, error) {
	class := ClassOf(needs)
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
		MaxDeliver: -1, MaxAckPending: maxPending,
	}
	err = b.try(ctx, func() error {
		return b.manage(ctx, "$JS.API.CONSUMER.CREATE."+stream+"."+class+"."+filter, func(ctx context.Context) error {
			_, err := b.js.CreateOrUpdateConsumer(ctx, stream, c)
			return err
		})
	})
	if err != nil {
		return "", err
	}
	// After the consumer: a class that is listed can be pulled from.
	if _, err := b.store(ctx, b.project.KeptStream(), b.project.Class(class), text, anySequence); err != nil {
		return "", err
	}
	b.mu.Lock()
	b.classes[class] = true
	b.mu.Unlock()
	return class, nil
}
