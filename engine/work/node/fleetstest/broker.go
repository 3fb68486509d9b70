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

// New starts the server of a queue and a hub that keeps it, and returns the connection of that hub, which may do whatever
// nodes do. Both end with the test.
func New(t *testing.T) *jetstream.Broker {
	t.Helper()
	hub, _ := NewWithWorker(t)
	return hub
}

// NewWithWorker is New with a second connection, of a worker named "w".
func NewWithWorker(t *testing.T) (ofHub, ofWorker *jetstream.Broker) {
	t.Helper()
	connect, _ := Serve(t, map[string]jetstream.Role{"hub": jetstream.HubRole, "w": jetstream.WorkerRole})
	ofHub, ofWorker = connect("hub"), connect("w")
	Keep(t, ofHub)
	return ofHub, ofWorker
}

// Serve starts the server of a queue for some users, and returns how they connect, and their public keys.
func Serve(t *testing.T, roles map[string]jetstream.Role) (connect func(name string) *jetstream.Broker, keys map[string]string) {
	t.Helper()
	folder := t.TempDir()
	keys = map[string]string{}
	o := jetstream.ServerOptions{Project: "demo", Store: filepath.Join(folder, "store")}
	for name, role := range roles {
		public, err := jetstream.Key(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		keys[name] = public
		o.Users = append(o.Users, jetstream.User{Name: name, PublicKey: public, Role: role})
	}
	server, err := hub.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() }) // the folder goes, too
	return func(name string) *jetstream.Broker {
		t.Helper()
		b, err := jetstream.Connect(t.Context(), jetstream.Options{URL: server.URL(), Project: "demo", Name: name, SeedFile: filepath.Join(folder, name)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		return b
	}, keys
}

// Logged returns what a node has logged about a spec.
func Logged(t *testing.T, b *jetstream.Broker, node, id string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pieces, err := b.Follow(ctx, node, id)
	if err != nil {
		t.Fatal(err)
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
