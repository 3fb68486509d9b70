// Package fleetstest has a fleet for tests of what its nodes do: a queue whose server runs in the process of the test, and
// a remote with clones.
package fleetstest

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/fleet"
	"chant/engine/fleet/hub"
	"chant/engine/fleet/jetstream"
	"chant/engine/fleet/pace"
)

// Broker is the connection of a hub, which may do whatever nodes do.
type Broker struct {
	*jetstream.Broker
	t testing.TB
}

// New starts the server of a queue and a hub that keeps it. Both end with the test.
func New(t *testing.T) *Broker {
	t.Helper()
	folder := t.TempDir()
	seed := filepath.Join(folder, "seed")
	public, err := jetstream.Key(seed)
	if err != nil {
		t.Fatal(err)
	}
	server, err := hub.Start(t.Context(), jetstream.ServerOptions{
		Project: "demo", Store: filepath.Join(folder, "store"), Users: []jetstream.User{{Name: "hub", PublicKey: public, Role: jetstream.HubRole}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() }) // the folder goes, too
	b, err := jetstream.Connect(t.Context(), jetstream.Options{URL: server.URL(), Project: "demo", Name: "hub", SeedFile: seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	Keep(t, b)
	return &Broker{b, t}
}

// Logged returns what a node has logged about a spec.
func (b *Broker) Logged(node, id string) string {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	pieces, err := b.Follow(ctx, node, id)
	if err != nil {
		b.t.Fatal(err)
	}
	var out strings.Builder
	for piece := range pieces {
		if len(piece) == 0 { // that was all
			break
		}
		out.Write(piece)
	}
	return out.String()
}

// Keep has a hub keep the queue until the test ends.
func Keep(t *testing.T, b *jetstream.Broker) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- b.Keep(ctx, fleet.Keeping{Rules: map[string]fleet.Rule{pace.Kind: pace.Rule, fleet.BudgetKind: fleet.BudgetRule}})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("keeping the queue: %v", err)
		}
	})
}
