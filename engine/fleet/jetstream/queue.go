package jetstream

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"chant/engine/fleet"
)

// Offer puts an entry into the queue, unless its spec is in the queue, with whatever needs, or is being worked.
func (b *Broker) Offer(ctx context.Context, e fleet.Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if e.ID == "" || len(text) > maxEntry {
		return b.problem(fleet.Misused, nil, "an entry with the id %q and %d bytes cannot be offered", e.ID, len(text))
	}
	there, err := b.readLast(ctx, b.project.WorkStream(), b.project.WorkAs(e.ID))
	if err != nil || there.seq != 0 {
		return err
	}
	class, err := b.ensureClass(ctx, e.Needs)
	if err != nil {
		return err
	}
	// Sequence 0: only if there is no entry of the spec, whatever its needs are.
	_, err = b.store(ctx, b.project.WorkStream(), b.project.Work(class, e.ID), text, 0)
	if api := apiError(err); api != nil && api.ErrorCode == codeStoreFailed {
		// Probably because the subject has a message, which the server's answer does not say in a code.
		if now, readErr := b.readLast(ctx, b.project.WorkStream(), b.project.WorkAs(e.ID)); readErr == nil && now.seq != 0 {
			err = errChanged
		}
	}
	if err == nil {
		// If the server lost its storage meanwhile, the class is missing, too.
		_, err = b.ensureClass(ctx, e.Needs)
	}
	if errors.Is(err, errChanged) {
		// Another node has offered it.
		return nil
	}
	if err != nil {
		return err
	}
	return b.Tell(ctx, fleet.Change{Kind: fleet.Offered, ID: e.ID})
}

// Withdraw removes an entry that no node works on; one that is not there is no error. A node that takes it at the same
// moment keeps it.
func (b *Broker) Withdraw(ctx context.Context, id string) error {
	stream := b.project.WorkStream()
	entry, err := b.readLast(ctx, stream, b.project.WorkAs(id))
	if err != nil || entry.seq == 0 {
		return err
	}
	_, taker, err := b.taker(ctx, id)
	if err != nil {
		return err
	}
	// It is being worked on.
	if taker.Entry == entry.seq && taker.Over == "" {
		return nil
	}
	return b.try(ctx, func() error {
		s, err := b.stream(ctx, stream)
		if err != nil {
			return err
		}
		err = b.requestOnce(ctx, "$JS.API.STREAM.MSG.DELETE."+stream, func(ctx context.Context) error { return s.DeleteMsg(ctx, entry.seq) })
		if errors.Is(err, natsjs.ErrMsgNotFound) {
			return nil
		}
		return err
	})
}

// Backlog counts the entries. The age of the oldest is measured by the server.
func (b *Broker) Backlog(ctx context.Context) (fleet.Backlog, error) {
	var out fleet.Backlog
	err := b.try(ctx, func() error {
		out = fleet.Backlog{}
		s, err := b.stream(ctx, b.project.WorkStream())
		if err != nil {
			return err
		}
		now := s.CachedInfo().TimeStamp
		return b.requestOnce(ctx, "$JS.API.CONSUMER.LIST."+b.project.WorkStream(), func(ctx context.Context) error {
			list := s.ListConsumers(ctx)
			for c := range list.Info() {
				out.Running += c.NumAckPending
				out.Waiting += int(c.NumPending)
				if c.NumPending == 0 {
					continue
				}
				// The consumer counts what is left, but only the message has the time at which it was stored.
				first, err := b.readOne(ctx, b.project.WorkStream(), search{Next: c.Config.FilterSubject, Seq: c.Delivered.Stream + 1})
				if err != nil {
					return err
				}
				if first.seq != 0 {
					out.Oldest = max(out.Oldest, now.Sub(first.stored), time.Nanosecond)
				}
			}
			return list.Err()
		})
	})
	return out, err
}

// classesFor returns the classes of entries that a node can work.
func (b *Broker) classesFor(ctx context.Context, n fleet.Node) ([]string, error) {
	found, err := b.readAll(ctx, b.project.KeptStream(), b.project.Any("class"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, m := range found {
		var needs fleet.Needs
		if err := json.Unmarshal(m.data, &needs); err != nil {
			return nil, b.problem(fleet.Unexpected, err, "the class on %q cannot be read: %v", m.subject, err)
		}
		if n.CanWork(needs) {
			out = append(out, ClassOf(needs))
		}
	}
	return out, nil
}

// Take waits for the oldest entry that the node can work, and has a hub take it. While the server or every hub is away it
// waits as well. Error: that of the context, or a *fleet.Problem that waiting does not solve.
func (b *Broker) Take(ctx context.Context, by fleet.Node) (*Delivery, error) {
	if err := b.watchOffers(ctx); err != nil {
		return nil, err
	}
	// Entries that are delivered again, and those that were put back for a while, are not announced.
	look := time.NewTicker(b.patience / 6)
	defer look.Stop()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.mu.Lock()
		// Taken before the request: an offer that comes during it closes this channel.
		offered := b.offered
		b.mu.Unlock()
		a, err := b.request(ctx, by.Name, request{Do: doTake, Node: &by})
		if err == nil && a.Entry != nil {
			return &Delivery{broker: b, node: by.Name, entry: *a.Entry, lease: a.Lease}, nil
		}
		if isHopeless(err) {
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-offered:
		case <-look.C:
		case <-b.closing:
			return nil, b.explain(nats.ErrConnectionClosed)
		}
	}
}

// isHopeless reports whether waiting does not help.
func isHopeless(err error) bool {
	var p *fleet.Problem
	return errors.As(err, &p) && (p.Kind == fleet.Forbidden || p.Kind == fleet.Unauthorized)
}

// watchOffers makes Take look again when something is offered or put back.
func (b *Broker) watchOffers(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watching {
		return nil
	}
	for _, kind := range []fleet.ChangeKind{fleet.Offered, fleet.PutBack} {
		_, err := b.nc.Subscribe(b.project.Change(kind), func(*nats.Msg) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.wakeTakers()
		})
		if err != nil {
			return b.explain(err)
		}
	}
	b.watching = true
	return nil
}

// wakeTakers makes everyone who waits in Take look again. b is locked.
func (b *Broker) wakeTakers() {
	close(b.offered)
	b.offered = make(chan struct{})
}

// takeNow takes the oldest entry that a node can work for it; a nil entry means that there is none.
func (b *Broker) takeNow(ctx context.Context, by fleet.Node) (*fleet.Entry, string, error) {
	classes, err := b.classesFor(ctx, by)
	if err != nil {
		return nil, "", err
	}
	for {
		m, err := b.pullOldest(ctx, classes)
		if m == nil {
			return nil, "", err
		}
		lease, err := b.recordTaker(ctx, m, by.Name)
		if lease != "" || err != nil {
			return &m.entry, lease, err
		}
	}
}

// pullOldest pulls the next entry of each class, keeps the oldest, and gives the others back at once.
func (b *Broker) pullOldest(ctx context.Context, classes []string) (*pulled, error) {
	got := make([]*pulled, len(classes))
	errs := make([]error, len(classes))
	var all sync.WaitGroup
	for i, class := range classes {
		// Side by side, since each pull waits for an answer of the server.
		all.Go(func() { got[i], errs[i] = b.pull(ctx, class) })
	}
	all.Wait()
	var first *pulled
	for _, m := range got {
		if m != nil && (first == nil || m.entrySeq < first.entrySeq) {
			first = m
		}
	}
	for _, m := range got {
		if m != nil && m != first {
			// If it fails, the entry is delivered again after the patience of the queue.
			_ = b.nc.Publish(m.ack, []byte("-NAK"))
		}
	}
	if first != nil {
		return first, nil
	}
	return nil, b.explain(errors.Join(errs...))
}

// pulled is an entry that the server has delivered to this connection.
type pulled struct {
	entry      fleet.Entry
	ack        string // the subject for acknowledgements
	entrySeq   uint64 // of the entry in its stream
	deliveries uint64
}

// pull asks for an entry of a class without waiting for one. It finishes when the context ends, because an entry that
// is on its way would be lost for the patience of the queue.
func (b *Broker) pull(ctx context.Context, class string) (*pulled, error) {
	var out *pulled
	on := nextSubject(b.project.WorkStream(), class)
	err := b.requestEach(context.WithoutCancel(ctx), on, []byte(`{"batch":1,"no_wait":true}`), func(m *nats.Msg) (bool, error) {
		switch m.Header.Get("Status") {
		case "":
		// Nothing is there, or the consumer moves to another server.
		case "404", "408", "409":
			return true, nil
		case "503":
			return true, nats.ErrNoResponders
		default:
			return true, b.unexpectedError(m)
		}
		meta, err := m.Metadata()
		if err != nil {
			return true, b.problem(fleet.Unexpected, err, "an entry cannot be acknowledged on %q", m.Reply)
		}
		got := &pulled{ack: m.Reply, entrySeq: meta.Sequence.Stream, deliveries: meta.NumDelivered}
		if err := json.Unmarshal(m.Data, &got.entry); err != nil || b.project.Work(class, got.entry.ID) != m.Subject {
			// Offer has not written this, so it is removed and blocks nothing.
			return true, b.nc.Publish(m.Reply, []byte("+TERM"))
		}
		out = got
		return true, nil
	})
	return out, err
}

// taker is stored for each spec: who has taken its entry last.
type taker struct {
	Entry      uint64   `json:"entry"`      // the sequence of the entry in its stream
	Deliveries uint64   `json:"deliveries"` // of the entry so far, as the server counts them
	Ack        string   `json:"ack"`        // the subject for acknowledgements of the delivery
	Node       string   `json:"node"`
	Lease      string   `json:"lease"`             // a random text
	Claimed    bool     `json:"claimed,omitempty"` // the node has said that it has claimed the spec
	Over       action   `json:"over,omitempty"`    // how the node has ended it: doFinish, doPutBack, "" = not yet
	Nodes      []string `json:"nodes,omitempty"`   // that have taken the spec before and did not end that untouched
}

// maxNodes is how many nodes the record of a taker remembers.
const maxNodes = 32

// taker reads who has taken the entry of a spec last.
func (b *Broker) taker(ctx context.Context, id string) (uint64, taker, error) {
	var t taker
	m, err := b.readNewest(ctx, b.project.KeptStream(), b.project.Taker(id))
	if err != nil || m.seq == 0 {
		return 0, t, err
	}
	if err := json.Unmarshal(m.data, &t); err != nil {
		return 0, t, b.problem(fleet.Unexpected, err, "the record on %q cannot be read: %v", m.subject, err)
	}
	return m.seq, t, nil
}

// writeTaker stores who has taken an entry in place of the record with a sequence. Error: errChanged.
func (b *Broker) writeTaker(ctx context.Context, id string, t taker, before uint64) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = b.store(ctx, b.project.KeptStream(), b.project.Taker(id), text, before)
	return err
}

// has reports whether a node has the entry, or has had it.
func (t taker) has(node string) bool { return t.Node == node || slices.Contains(t.Nodes, node) }

// mayHaveWorked reports whether the node may have worked on the spec.
func (t taker) mayHaveWorked() bool { return t.Claimed || t.Node != "" && t.Over == "" }

// recordTaker writes that a node has taken an entry, and reports it. It returns the lease of the node, "" if the entry was delivered
// again meanwhile.
func (b *Broker) recordTaker(ctx context.Context, m *pulled, node string) (lease string, err error) {
	id := m.entry.ID
	mine := taker{Entry: m.entrySeq, Deliveries: m.deliveries, Ack: m.ack, Node: node, Lease: rand.Text()}
	for {
		seq, before, err := b.taker(ctx, id)
		if err != nil {
			return "", err
		}
		// The server has delivered the entry again meanwhile, and that delivery counts.
		if seq != 0 && before.Entry == mine.Entry && before.Deliveries >= mine.Deliveries {
			return "", nil
		}
		mine.Nodes = before.Nodes
		if before.mayHaveWorked() && !slices.Contains(mine.Nodes, before.Node) {
			mine.Nodes = append(slices.Clone(mine.Nodes), before.Node)
			mine.Nodes = mine.Nodes[max(0, len(mine.Nodes)-maxNodes):]
		}
		if err := b.writeTaker(ctx, id, mine, seq); errors.Is(err, errChanged) {
			continue
		} else if err != nil {
			return "", err
		}
		return mine.Lease, b.Tell(ctx, fleet.Change{Kind: fleet.Taken, ID: id, Node: node})
	}
}

// Takers lists the nodes that have taken the entry of a spec and may have worked on it, none if that is unknown.
func (b *Broker) Takers(ctx context.Context, id string) ([]string, error) {
	seq, t, err := b.taker(ctx, id)
	if err != nil || seq == 0 {
		return nil, err
	}
	if t.mayHaveWorked() {
		return append(t.Nodes, t.Node), nil
	}
	return t.Nodes, nil
}

// Delivery is an entry that a hub has taken for a node. Without a heartbeat it is delivered to another node after the patience
// of the queue. Exactly one of Finish and PutBack ends it. Errors of its methods: fleet.ErrLost if it was delivered to another
// node, or that of the connection.
type Delivery struct {
	broker *Broker
	node   string
	entry  fleet.Entry
	lease  string
}

// Entry returns the entry that was taken.
func (d *Delivery) Entry() fleet.Entry { return d.entry }

// AnnounceClaim reports that the claim on the spec has changed, so that others read it.
func (d *Delivery) AnnounceClaim(ctx context.Context) error {
	return d.ask(ctx, request{Do: doClaimed})
}

// Heartbeat keeps the entry for another while.
func (d *Delivery) Heartbeat(ctx context.Context) error { return d.ask(ctx, request{Do: doBeat}) }

// Finish removes the entry and reports how the run ended. If the server has lost the entry, there is nothing to remove.
func (d *Delivery) Finish(ctx context.Context, o fleet.Outcome) error {
	return d.ask(ctx, request{Do: doFinish, Outcome: o})
}

// PutBack returns the entry to its place in the queue, from which it is taken after a while at the earliest.
func (d *Delivery) PutBack(ctx context.Context, after time.Duration, why string) error {
	return d.ask(ctx, request{Do: doPutBack, After: after, Outcome: fleet.Outcome{Reason: why}})
}

func (d *Delivery) ask(ctx context.Context, r request) error {
	r.Spec, r.Lease = d.entry.ID, d.lease
	_, err := d.broker.request(ctx, d.node, r)
	return err
}
