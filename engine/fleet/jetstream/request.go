package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go"

	"chant/engine/fleet"
)

// doing is what a node asks a hub to do.
type doing string

// What a node can ask for.
const (
	doTake    doing = "take"     // an entry
	doClaimed doing = "claim"    // tell that the claim on a spec has changed
	doBeat    doing = "beat"     // keep an entry for another while
	doFinish  doing = "finish"   // remove an entry
	doPutBack doing = "put back" // an entry
	doChange  doing = "change"   // a shared value
)

// request is what a node asks of a hub. Which node it is says the subject.
type request struct {
	Do      doing         `json:"do"`
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
	if r.Do == doTake { // an entry that is on its way would be lost for the patience of the queue
		asking = context.WithoutCancel(ctx)
	}
	err = b.try(ctx, func() error {
		m, err := b.ask(asking, on, nil, text)
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

// Ask changes a shared value as its rule says.
func (b *Broker) Ask(ctx context.Context, by string, w fleet.Wish) ([]byte, error) {
	a, err := b.request(ctx, by, request{Do: doChange, Spec: w.Spec, Wish: &w})
	return a.Text, err
}
