package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
)

// eventually waits until a condition holds that no event announces.
func eventually(t *testing.T, what string, holds func(context.Context) (bool, error)) {
	t.Helper()
	ctx := until(t)
	pace := time.NewTicker(10 * time.Millisecond)
	defer pace.Stop()
	for {
		ok, err := holds(ctx)
		if ok {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("waiting until %s: %v", what, err)
		case <-pace.C:
		}
	}
}

func TestBroker_backlog(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	b := m.keep()
	count := func(waiting, running int, aged bool) {
		t.Helper()
		got, err := b.Backlog(until(t))
		if err != nil {
			t.Fatal(err)
		}
		if got.Waiting != waiting || got.Running != running || got.Oldest > 0 != aged {
			t.Errorf("%+v, want %d waiting and %d running, with an age: %t", got, waiting, running, aged)
		}
	}
	count(0, 0, false)
	offer(t, b, "a", fleet.Needs{})
	offer(t, b, "b", fleet.Needs{Provider: "p"})
	offer(t, b, "c", fleet.Needs{})
	count(3, 0, true)
	a, c := take(t, b, node("n"), "a"), take(t, b, node("n"), "c")
	count(1, 2, true)
	finish(t, a)
	finish(t, c)
	finish(t, take(t, b, fleet.Node{Name: "m", Providers: []string{"p"}}, "b"))
	count(0, 0, false)
}

func TestBroker_withdraw(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	b := m.keep()
	remove := func(id string) {
		t.Helper()
		if err := b.Withdraw(until(t), id); err != nil {
			t.Fatal(err)
		}
	}
	remove("unknown")
	offer(t, b, "waiting", fleet.Needs{})
	offer(t, b, "returned", fleet.Needs{})
	offer(t, b, "taken", fleet.Needs{})
	remove("waiting")
	returned, taken := take(t, b, node("n"), "returned"), take(t, b, node("n"), "taken")
	if err := returned.PutBack(until(t), 0, ""); err != nil {
		t.Fatal(err)
	}
	remove("returned")
	remove("taken")
	empty(t, b)
	if err := taken.Heartbeat(until(t)); err != nil {
		t.Errorf("the taken entry: %v", err)
	}
	finish(t, taken)
	offer(t, b, "waiting", fleet.Needs{})
	finish(t, take(t, b, node("n"), "waiting"))
}

func TestBroker_nodes(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	b, other := m.keep(), m.connect(m.options("hub"))
	names := func(ctx context.Context) ([]string, error) {
		found, err := other.Nodes(ctx)
		var out []string
		for _, n := range found {
			out = append(out, n.Name)
		}
		return out, err
	}
	if got, err := names(until(t)); err != nil || len(got) != 0 {
		t.Errorf("%q, %v at the start", got, err)
	}
	n := fleet.Node{
		Name: "b.1", Host: "h", Slots: 4, Labels: []string{"gpu"}, Providers: []string{"claude"}, Running: []string{"x"},
		Landing: true, Trouble: "t", Draining: true, Cordoned: true, Version: "v", Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	if held, err := b.Lease(until(t), fleet.LeaderRole, n.Name); err != nil || !held {
		t.Fatalf("the lease of the leader: %t, %v", held, err)
	}
	for _, n := range []fleet.Node{n, {Name: "a"}, {Name: "c", Landing: true}} {
		if err := b.Register(until(t), n); err != nil {
			t.Fatal(err)
		}
	}
	found, err := other.Nodes(until(t))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(found, func(n fleet.Node) bool { return n.Name == "b.1" })
	if i < 0 || fmt.Sprint(found[i]) != fmt.Sprint(n) {
		t.Errorf("%+v, want among them %+v", found, n)
	}
	if i := slices.IndexFunc(found, func(n fleet.Node) bool { return n.Name == "c" }); i < 0 || found[i].Landing {
		t.Errorf("%+v, want among them one that leads not, whatever it says", found)
	}
	if err := b.Unregister(until(t), "a"); err != nil {
		t.Fatal(err)
	}
	if got, err := names(until(t)); err != nil || slices.Contains(got, "a") {
		t.Errorf("%q, %v after the end of a node", got, err)
	}
	eventually(t, "only the node with a heartbeat is left", func(ctx context.Context) (bool, error) {
		if err := b.Register(ctx, fleet.Node{Name: "c"}); err != nil {
			return false, err
		}
		got, err := names(ctx)
		return slices.Equal(got, []string{"c"}), err
	})
}

func TestBroker_leases(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	b, other := m.keep(), m.connect(m.options("hub"))
	lease := func(b *jetstream.Broker, holder string, want bool) {
		t.Helper()
		if held, err := b.Lease(until(t), "lander", holder); err != nil || held != want {
			t.Fatalf("the lease for %q: %t, %v, want %t", holder, held, err, want)
		}
	}
	lease(b, "one", true)
	lease(other, "two", false)
	lease(b, "one", true)
	if err := other.Release(until(t), "lander", "two"); err != nil {
		t.Fatal(err)
	}
	lease(other, "two", false)
	if held, err := other.Lease(until(t), "another role", "two"); err != nil || !held {
		t.Errorf("another role: %t, %v", held, err)
	}
	if err := b.Release(until(t), "lander", "one"); err != nil {
		t.Fatal(err)
	}
	lease(other, "two", true)
	lease(b, "one", false)
	eventually(t, "the lease of the one that does not renew it ends", func(ctx context.Context) (bool, error) {
		return b.Lease(ctx, "lander", "one")
	})
	lease(other, "two", false)

	var all sync.WaitGroup
	holders := make(chan string, 10)
	for i := range cap(holders) {
		all.Go(func() {
			held, err := other.Lease(until(t), "one of many", fmt.Sprint(i))
			if err != nil {
				t.Error(err)
			}
			if held {
				holders <- fmt.Sprint(i)
			}
		})
	}
	all.Wait()
	if len(holders) != 1 {
		t.Errorf("%d hold the same lease", len(holders))
	}
}

// rules are those of the shared values that are tested: "last" is the last text, whose answer is the one before, and "sum" adds
// numbers.
func rules() map[string]fleet.Rule {
	return map[string]fleet.Rule{
		"last": func(a fleet.Asked) ([]byte, []byte, error) {
			if string(a.Text) == "bad" {
				return nil, nil, errors.New("no such text")
			}
			return a.Text, fmt.Appendf(nil, "%s for %s of %s at %t", a.Old, a.Name, a.Node, !a.Now.IsZero()), nil
		},
		"sum": func(a fleet.Asked) ([]byte, []byte, error) {
			n, _ := strconv.Atoi(string(a.Old))
			add, err := strconv.Atoi(string(a.Text))
			sum := strconv.AppendInt(nil, int64(n+add), 10)
			return sum, sum, err
		},
	}
}

func TestBroker_contention(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	brokers := []*jetstream.Broker{m.keep(), m.connect(m.options("hub")), m.connect(m.options("hub"))}
	const adders = 50
	var all sync.WaitGroup
	for i := range adders {
		all.Go(func() {
			if _, err := brokers[i%len(brokers)].Ask(until(t), fmt.Sprint("n", i), fleet.Wish{Key: "sum.x", Text: []byte("1")}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got, err := brokers[0].Ask(until(t), "n", fleet.Wish{Key: "sum.x", Text: []byte("0")}); err != nil || string(got) != strconv.Itoa(adders) {
		t.Errorf("%s, %v, want %d", got, err, adders)
	}
}

func TestBroker_logs(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	b, other := m.keep(), m.connect(m.options("hub"))
	write := func(id, text string) {
		t.Helper()
		if err := b.Log(until(t), "n.1", id, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write("a.b", "one\n")
	for i := range 20 { // some of them share the subject
		write(fmt.Sprint("another", i), "else\n")
	}
	if err := b.Log(until(t), "n", "a.b", []byte("of another node\n")); err != nil {
		t.Fatal(err)
	}
	write("a.b", "two\n")
	ctx, stop := context.WithCancel(until(t))
	log, err := other.Follow(ctx, "n.1", "a.b")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("0123456789abcdef", 10_000) + "\n"
	written := make(chan error, 1)
	go func() { written <- b.Log(ctx, "n.1", "a.b", []byte("three\n"+long)) }()
	want := "one\ntwo\nthree\n" + long
	var got strings.Builder
	whole := 0
	for got.Len() < len(want) || whole == 0 {
		piece := receive(t, log)
		if got.Write(piece); len(piece) == 0 {
			whole++
			if !strings.HasPrefix(got.String(), "one\ntwo\n") {
				t.Errorf("%q is said to be all that was there", got.String())
			}
		}
	}
	if got.String() != want || whole != 1 {
		t.Errorf("%d bytes, want %d, or they differ; %d empty pieces, want 1", got.Len(), len(want), whole)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
	stop()
	for text := range log {
		t.Errorf("%q after the end", text)
	}
}
