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

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err)
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
		assert.NoError(t, b.Withdraw(until(t), id))
	}
	remove("unknown")
	offer(t, b, "waiting", fleet.Needs{})
	offer(t, b, "returned", fleet.Needs{})
	offer(t, b, "taken", fleet.Needs{})
	remove("waiting")
	returned, taken := take(t, b, node("n"), "returned"), take(t, b, node("n"), "taken")
	assert.NoError(t, returned.PutBack(until(t), 0, ""))
	remove("returned")
	remove("taken")
	empty(t, b)
	assert.NoError(t, taken.Heartbeat(until(t)), "the taken entry")
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
	got, err := names(until(t))
	assert.NoError(t, err, "%q", got)
	assert.Zero(t, got)
	n := fleet.Node{
		Name: "b.1", Host: "h", Slots: 4, Labels: []string{"gpu"}, Providers: []string{"claude"}, Running: []string{"x"},
		Landing: true, Trouble: "t", Draining: true, Cordoned: true, Version: "v", Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	held, err := b.Lease(until(t), fleet.LeaderRole, n.Name)
	assert.NoError(t, err, "the lease of the leader")
	assert.True(t, held, "the lease of the leader: %t, %v", held, err)
	for _, n := range []fleet.Node{n, {Name: "a"}, {Name: "c", Landing: true}} {
		assert.NoError(t, b.Register(until(t), n))
	}
	found, err := other.Nodes(until(t))
	assert.NoError(t, err)
	i := slices.IndexFunc(found, func(n fleet.Node) bool { return n.Name == "b.1" })
	assert.True(t, i >= 0, "%+v, want among them %+v", found, n)
	assert.Equal(t, fmt.Sprint(n), fmt.Sprint(found[i]))
	i = slices.IndexFunc(found, func(n fleet.Node) bool { return n.Name == "c" })
	assert.True(t, i >= 0, "%+v, want among them one that leads not, whatever it says", found)
	assert.False(t, found[i].Landing, "%+v, want among them one that leads not, whatever it says", found)
	assert.NoError(t, b.Unregister(until(t), "a"))
	got, err = names(until(t))
	assert.NoError(t, err)
	assert.NotSliceContains(t, got, "a")
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
		held, err := b.Lease(until(t), "lander", holder)
		assert.NoError(t, err, "the lease for %q", holder)
		assert.Equal(t, want, held, "the lease for %q", holder)
	}
	lease(b, "one", true)
	lease(other, "two", false)
	lease(b, "one", true)
	assert.NoError(t, other.Release(until(t), "lander", "two"))
	lease(other, "two", false)
	held, err := other.Lease(until(t), "another role", "two")
	assert.NoError(t, err)
	assert.True(t, held, "another role: %t, %v", held, err)
	assert.NoError(t, b.Release(until(t), "lander", "one"))
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
	assert.Equal(t, 1, len(holders))
}

// rules are those of the shared values that are tested: "last" is the last text, whose answer is the one before, "sum" adds
// numbers, and "bits" sets bits of one, which may be asked for again when the answer was late.
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
		"bits": func(a fleet.Asked) ([]byte, []byte, error) {
			n, _ := strconv.ParseUint(string(a.Old), 10, 64)
			set, err := strconv.ParseUint(string(a.Text), 10, 64)
			bits := strconv.AppendUint(nil, n|set, 10)
			return bits, bits, err
		},
	}
}

func TestBroker_contention(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.patience = limit // an answer may take a slow machine long, and is asked for again
	brokers := []*jetstream.Broker{m.keep(), m.connect(m.options("hub")), m.connect(m.options("hub"))}
	const askers = 50
	ask := func(i int, bits uint64) string {
		wish := fleet.Wish{Key: "bits.x", Text: strconv.AppendUint(nil, bits, 10)}
		got, err := brokers[i%len(brokers)].Ask(until(t), fmt.Sprint("n", i), wish)
		if err != nil {
			t.Error(err)
		}
		return string(got)
	}
	var all sync.WaitGroup
	for i := range askers {
		all.Go(func() { ask(i, 1<<i) })
	}
	all.Wait()
	assert.Equal(t, strconv.Itoa(1<<askers-1), ask(0, 0))
}

func TestBroker_logs(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	b, other := m.keep(), m.connect(m.options("hub"))
	write := func(id, text string) {
		t.Helper()
		assert.NoError(t, b.Log(until(t), "n.1", id, []byte(text)))
	}
	write("a.b", "one\n")
	for i := range 20 { // some of them share the subject
		write(fmt.Sprint("another", i), "else\n")
	}
	assert.NoError(t, b.Log(until(t), "n", "a.b", []byte("of another node\n")))
	write("a.b", "two\n")
	ctx, stop := context.WithCancel(until(t))
	log, err := other.Follow(ctx, "n.1", "a.b")
	assert.NoError(t, err)
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
			assert.HasPrefix(t, got.String(), "one\ntwo\n")
		}
	}
	if got.String() != want || whole != 1 {
		t.Errorf("%d bytes, want %d, or they differ; %d empty pieces, want 1", got.Len(), len(want), whole)
	}
	assert.NoError(t, <-written)
	stop()
	for text := range log {
		t.Errorf("%q after the end", text)
	}
}
