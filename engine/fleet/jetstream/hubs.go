package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"chant/engine/fleet"
)

// The limits of what a node can ask for.
const (
	maxWaiting     = 256       // requests of a node that wait; it repeats what is dropped
	maxPutBack     = time.Hour // for which an entry can be put back
	maxValues      = 64        // values of a kind
	maxValueName   = 80        // bytes of the name of a value
	writerValidity = time.Minute
)

// hubs is the group in which each request of a node goes to one hub.
const hubs = "hubs"

// keeper answers what nodes ask.
type keeper struct {
	*Broker
	fleet.Keeping

	mu       sync.Mutex // guards the fields below
	lanes    map[string]chan *nats.Msg
	reported map[string]bool
	writers  map[string]time.Time // by node and spec: when it was found that the node may write about the spec
}

// Keep answers what nodes ask of hubs, until the context ends. What it knows is in the records of takers, so that any hub
// can answer.
func (b *Broker) Keep(ctx context.Context, how fleet.Keeping) error {
	// The hub may be the first to connect since the server has lost its storage.
	if err := b.try(ctx, func() error { return b.create(ctx) }); err != nil {
		return err
	}
	k := &keeper{Broker: b, Keeping: how, lanes: map[string]chan *nats.Msg{}, reported: map[string]bool{}, writers: map[string]time.Time{}}
	ctx, stop := context.WithCancel(ctx)
	var lanes sync.WaitGroup
	defer lanes.Wait()
	defer stop()
	asked, err := b.nc.QueueSubscribe(b.project.Any("ask"), hubs, func(m *nats.Msg) { k.receive(ctx, &lanes, m) })
	if err != nil {
		return b.explain(err)
	}
	// It fails only if the connection has ended.
	defer func() { _ = asked.Unsubscribe() }()
	written, err := b.nc.QueueSubscribe(b.project.Logs(), hubs, func(m *nats.Msg) { k.receive(ctx, &lanes, m) })
	if err != nil {
		return b.explain(err)
	}
	defer func() { _ = written.Unsubscribe() }()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-b.closing:
		return b.explain(nats.ErrConnectionClosed)
	}
}

// receive has a message of a node handled after those that it has sent before. Each node waits for itself alone.
func (k *keeper) receive(ctx context.Context, lanes *sync.WaitGroup, m *nats.Msg) {
	node, ok := k.project.NodeIn(m.Subject)
	if !ok {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	lane := k.lanes[node]
	if lane == nil {
		lane = make(chan *nats.Msg, maxWaiting)
		k.lanes[node] = lane
		lanes.Go(func() {
			for {
				select {
				case m := <-lane:
					k.handle(ctx, node, m)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	select {
	case lane <- m:
	// The node asks again; of a log nothing is lost, since the server stores it.
	default:
	}
}

// handle handles a message of a node.
func (k *keeper) handle(ctx context.Context, node string, m *nats.Msg) {
	if m.Subject != k.project.Ask(node) {
		k.checkWriter(ctx, node, m.Header.Get(specHeader))
		return
	}
	var r request
	a, err := answer{}, json.Unmarshal(m.Data, &r)
	if err == nil {
		a, err = k.answer(ctx, node, r)
	}
	if err != nil {
		a = answer{Failed: err.Error()}
	}
	if text, err := json.Marshal(a); err == nil && ctx.Err() == nil {
		// If it fails, the node asks again.
		_ = m.Respond(text)
	}
}

// answer does what a node asks for, if it may.
func (k *keeper) answer(ctx context.Context, node string, r request) (answer, error) {
	if r.Do == doTake {
		return k.take(ctx, node, r)
	}
	if r.Do == doChange && r.Spec == "" {
		return k.change(ctx, node, r.Wish)
	}
	// Another hub may change the record between reading and writing it, and then everything is decided anew.
	for {
		seq, t, err := k.taker(ctx, r.Spec)
		switch {
		case err != nil:
			return answer{}, err
		case seq == 0 && r.Do != doChange && k.Holds != nil && k.Holds(ctx, node, r.Spec):
			// The queue has lost what it knew, and there is nothing to end.
			return answer{}, nil
		case !t.has(node):
			return k.refuse(node, string(r.Do), r.Spec), nil
		case t.Over != "" && t.Over == r.Do && t.Node == node && t.Lease == r.Lease:
			// Its answer was lost; what was put back is delivered again without it, and sooner.
			if r.Do == doFinish {
				err = k.acknowledge(ctx, r.Spec, t, "+ACK")
			}
			return answer{}, err
		case t.Node != node || t.Over != "" || r.Do != doChange && t.Lease != r.Lease:
			return answer{Lost: true}, nil
		case r.Do == doChange:
			return k.change(ctx, node, r.Wish)
		}
		if err = k.changeTaker(ctx, r, t, seq); !errors.Is(err, errChanged) {
			return answer{}, err
		}
	}
}

// refuse reports that a node has asked for something about a spec that it has not taken.
func (k *keeper) refuse(node, do, id string) answer {
	why := fmt.Sprintf("spec %q is not one that machine %q has taken", id, node)
	k.report(node, do, why+fmt.Sprintf(", and its request is ignored: %s", do))
	return answer{Refused: why}
}

// report reports what a node has tried, once for each kind of it.
func (k *keeper) report(node, kind, what string) {
	k.mu.Lock()
	known := k.reported[node+" "+kind]
	k.reported[node+" "+kind] = true
	k.mu.Unlock()
	if !known && k.Report != nil {
		k.Report(node, what)
	}
}

func (k *keeper) take(ctx context.Context, node string, r request) (answer, error) {
	by := fleet.Node{}
	if r.Node != nil {
		by = *r.Node
	}
	by.Name = node
	entry, lease, err := k.takeNow(ctx, by)
	return answer{Entry: entry, Lease: lease}, err
}

// changeTaker does what the taker of an entry asks for. Error: errChanged if its record, which has a sequence, was changed
// meanwhile.
func (k *keeper) changeTaker(ctx context.Context, r request, t taker, seq uint64) error {
	tell := fleet.Change{ID: r.Spec, Node: t.Node, Outcome: r.Outcome}
	switch r.Do {
	case doBeat:
		return k.try(ctx, func() error { return k.nc.Publish(t.Ack, []byte("+WPI")) })
	case doClaimed:
		if !t.Claimed {
			t.Claimed = true
			if err := k.writeTaker(ctx, r.Spec, t, seq); err != nil {
				return err
			}
		}
		tell.Kind, tell.Outcome = fleet.Taken, fleet.Outcome{}
		return k.Tell(ctx, tell)
	case doFinish, doPutBack:
	default:
		return fmt.Errorf("a hub of this version cannot %q", r.Do)
	}
	with, kind := "+ACK", fleet.Finished
	if r.Do == doPutBack {
		with, kind = "-NAK", fleet.PutBack
		if after := min(r.After, maxPutBack); after > 0 {
			with = fmt.Sprintf(`-NAK {"delay":%d}`, after.Nanoseconds())
		}
	}
	// Recorded before the server is asked: a request that is repeated then finds that it was done.
	t.Over = r.Do
	if err := k.writeTaker(ctx, r.Spec, t, seq); err != nil {
		return err
	}
	if err := k.acknowledge(ctx, r.Spec, t, with); err != nil {
		return err
	}
	tell.Kind = kind
	return k.Tell(ctx, tell)
}

// acknowledge answers a delivery, and waits until the server has it. If the entry is gone, there is nothing to answer: if the
// server has lost its storage, the same sequence may be that of another entry.
func (k *keeper) acknowledge(ctx context.Context, id string, t taker, with string) error {
	return k.try(ctx, func() error {
		// A server that has lost its storage may have given the same sequence to another entry.
		now, err := k.readNewest(ctx, k.project.WorkStream(), k.project.WorkAs(id))
		if err != nil || now.seq != t.Entry {
			return err
		}
		_, err = k.ask(ctx, t.Ack, []byte(with))
		return err
	})
}

// change changes a shared value as its rule says.
func (k *keeper) change(ctx context.Context, node string, w *fleet.Wish) (answer, error) {
	if w == nil {
		return answer{}, errors.New("nothing is wished for")
	}
	kind, name, _ := strings.Cut(w.Key, ".")
	rule := k.Rules[kind]
	if rule == nil || name == "" || len(name) > maxValueName {
		return answer{}, fmt.Errorf("there is no shared value %.100q", w.Key)
	}
	now, err := k.serverTime(ctx)
	if err != nil {
		return answer{}, err
	}
	var a answer
	err = k.Broker.change(ctx, k.project.KeptStream(), k.project.Value(w.Key), func(old []byte) ([]byte, error) {
		value, text, err := rule(fleet.Asked{Wish: *w, Name: name, Node: node, Now: now, Old: old})
		a.Text = text
		switch {
		case err != nil:
			return nil, err
		case old == nil && value != nil:
			return value, k.checkRoom(ctx, kind)
		case string(old) == string(value):
			return nil, errKeep
		}
		return value, nil
	})
	return a, err
}

// checkRoom refuses a new value of a kind of which there are too many.
func (k *keeper) checkRoom(ctx context.Context, kind string) error {
	found, err := k.readAll(ctx, k.project.KeptStream(), k.project.Any("value"))
	if err != nil {
		return err
	}
	n := 0
	for _, m := range found {
		if strings.HasPrefix(m.subject, k.project.Value(kind+".")) && len(m.data) > 0 {
			n++
		}
	}
	if n >= maxValues {
		return fmt.Errorf("the queue has %d shared values of the kind %q, and takes no more", n, kind)
	}
	return nil
}

// checkWriter reports a node that logs about a spec which it has not taken. Nobody reads that.
func (k *keeper) checkWriter(ctx context.Context, node, token string) {
	key := node + " " + token
	k.mu.Lock()
	at, known := k.writers[key]
	// The names come from nodes, which could fill the memory.
	if len(k.writers) > maxWaiting {
		clear(k.writers)
	}
	k.mu.Unlock()
	if known && time.Since(at) < writerValidity {
		return
	}
	id, ok := fleet.FromToken(token)
	if ok {
		seq, t, err := k.taker(ctx, id)
		if ok = t.has(node) || seq == 0 && k.Holds != nil && k.Holds(ctx, node, id); err != nil {
			return
		}
	}
	if !ok {
		k.report(node, "log", fmt.Sprintf("it logs about spec %.100q, which it has not taken, and nobody reads that", id))
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.writers[key] = time.Now()
}

// action is what a node asks a hub to do.
type action string

// The requests of a node.
const (
	doTake    action = "take"     // an entry
	doClaimed action = "claim"    // tell that the claim on a spec has changed
	doBeat    action = "beat"     // keep an entry for another while
	doFinish  action = "finish"   // remove an entry
	doPutBack action = "put back" // an entry
	doChange  action = "change"   // a shared value
)

// request is what a node asks of a hub. Which node it is says the subject.
type request struct {
	Do      action        `json:"do"`
	Node    *fleet.Node   `json:"node,omitempty"`  // doTake: what it can work
	Spec    string        `json:"spec,omitempty"`  // of an entry that it has taken
	Lease   string        `json:"lease,omitempty"` // of that
	After   time.Duration `json:"after_ns,omitempty"`
	Outcome fleet.Outcome `json:"outcome,omitzero"`
	Wish    *fleet.Wish   `json:"wish,omitempty"`
}

// answer is that of a hub.
type answer struct {
	Entry   *fleet.Entry `json:"entry,omitempty"` // doTake: nil if there is none
	Lease   string       `json:"lease,omitempty"`
	Text    []byte       `json:"text,omitempty"`    // doChange
	Lost    bool         `json:"lost,omitempty"`    // the entry belongs to another node now
	Refused string       `json:"refused,omitempty"` // why it must not be done
	Failed  string       `json:"failed,omitempty"`  // why it was not done
}

// request asks the hubs of the project as a node, and asks again until one answers. Errors: fleet.ErrLost, a *fleet.Problem,
// or that of the context.
func (b *Broker) request(ctx context.Context, node string, r request) (answer, error) {
	var a answer
	text, err := json.Marshal(r)
	if err != nil {
		return a, err
	}
	on, asking := b.project.Ask(node), ctx
	// An entry that is on its way would be lost for the patience of the queue.
	if r.Do == doTake {
		asking = context.WithoutCancel(ctx)
	}
	err = b.try(ctx, func() error {
		m, err := b.ask(asking, on, text)
		if errors.Is(err, nats.ErrNoResponders) {
			return errNoHub
		}
		if err != nil {
			return err
		}
		a = answer{}
		if err := json.Unmarshal(m.Data, &a); err != nil {
			return b.problem(fleet.Unexpected, err, "an answer to %q cannot be read", r.Do)
		}
		return nil
	})
	switch {
	case errors.Is(err, errNoHub):
		return a, b.problem(fleet.NoQueue, err, "no hub of the project %q answers", string(b.project))
	case err != nil:
		return a, err
	case a.Lost:
		return a, fleet.ErrLost
	case a.Refused != "":
		return a, b.problem(fleet.Forbidden, nil, "%s", a.Refused)
	case a.Failed != "":
		return a, b.problem(fleet.Unexpected, nil, "a hub could not do what it was asked to: %s", a.Failed)
	}
	return a, nil
}

// errNoHub reports that no hub listens.
var errNoHub = errors.New("no hub answers")

// Ask changes a shared value as its rule says, and returns the answer of the rule. Error: a *fleet.Problem of the kind
// Forbidden for a spec that the node has not taken.
func (b *Broker) Ask(ctx context.Context, by string, w fleet.Wish) ([]byte, error) {
	a, err := b.request(ctx, by, request{Do: doChange, Spec: w.Spec, Wish: &w})
	return a.Text, err
}
