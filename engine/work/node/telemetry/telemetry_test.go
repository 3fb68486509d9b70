package telemetry

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/work/node"
	"chant/engine/work/node/fleetstest"
	"chant/engine/work/node/leader"
	"chant/engine/work/node/worker"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	pb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/alecthomas/assert/v2"
)

const id = "2026-01-02-001-abc"

// received is a span as a collector has received it, and the node that sent it.
type received struct {
	*pb.Span
	node string
}

// collect is a collector of OTLP over HTTP: its address, and what it has received.
func collect(t *testing.T) (address string, spans func() []received) {
	t.Helper()
	var mu sync.Mutex
	var all []received
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var in collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &in)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", r.URL, err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, from := range in.ResourceSpans {
			node := ""
			for _, a := range from.Resource.Attributes {
				if a.Key == "service.instance.id" {
					node = a.Value.GetStringValue()
				}
			}
			for _, scope := range from.ScopeSpans {
				for _, s := range scope.Spans {
					all = append(all, received{s, node})
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []received {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

func start(t *testing.T, o node.ObserveOptions) node.Observer {
	t.Helper()
	o.Project, o.Warn = "app", func(text string) { t.Log(text) }
	obs, err := Start(t.Context(), o)
	assert.NoError(t, err)
	return obs
}

// TestTraces_machines: a run of real nodes is one trace. Its worker sends the run with its steps, and its leader the landing.
func TestTraces_machines(t *testing.T) {
	t.Parallel()
	f := fleetstest.NewFleet(t, map[string]string{
		".chant/config.md":           "---\ndefaults: {provider: shell, main_branch: main}\nsandbox: off\n---\n",
		".chant/specs/" + id + ".md": "---\nstatus: pending\n---\n# One\n\n## Script\n\n```sh\necho 1 > f.txt\n```\n\n## Acceptance Criteria\n\n- [ ] It is there `$ test -s f.txt`\n",
	})
	b := fleetstest.New(t)
	address, spans := collect(t)
	w, l := start(t, node.ObserveOptions{Traces: address, Node: "w"}), start(t, node.ObserveOptions{Traces: address, Node: "hub"})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	changes, err := b.Watch(ctx)
	assert.NoError(t, err)
	lp, lr := f.Clone()
	lp.Progress = l.Event
	wp, wr := f.Clone()
	wp.Progress = w.Event
	leading, stop := context.WithCancel(ctx)
	drain := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		(&leader.Leader{P: lp, Remote: lr, Broker: b, Name: "hub", Trace: l.Span}).Run(leading)
	})
	ended.Go(func() {
		node := fleet.Node{Name: "w", Slots: 1, Providers: []string{"shell"}}
		(&worker.Worker{P: wp, Remote: wr, Broker: b, Node: node, Trace: w.Span}).Run(ctx, drain)
	})
	for landed := false; !landed; {
		select {
		case c := <-changes:
			landed = c.Kind == fleet.Landed
		case <-ctx.Done():
			t.Fatalf("not landed; refs are\n%s", f.Git("for-each-ref"))
		}
	}
	close(drain)
	stop()
	ended.Wait()
	assert.NoError(t, errors.Join(w.Stop(), l.Stop()))
	checkTrace(t, spans())
}

// checkTrace checks the spans of one run that has landed.
func checkTrace(t *testing.T, spans []received) {
	t.Helper()
	names := map[string]received{}
	for _, s := range spans {
		names[s.node+" "+s.Name] = s
	}
	root, ok := names["w run"]
	assert.True(t, ok, "no span of the run: %v", names)
	assert.Zero(t, root.ParentSpanId, "no span of the run: %v", names)
	for _, name := range []string{"w take", "w agent", "w verify", "w push", "hub land"} {
		s, there := names[name]
		switch {
		case !there:
			t.Errorf("no span %q in %v", name, names)
		case string(s.TraceId) != string(root.TraceId) || string(s.ParentSpanId) != string(root.SpanId) || string(s.SpanId) == string(root.SpanId):
			t.Errorf("%q is not below the run: %v, %v", name, s.Span, root.Span)
		case s.EndTimeUnixNano < s.StartTimeUnixNano || s.StartTimeUnixNano < root.StartTimeUnixNano:
			t.Errorf("%q ends before it begins, or begins before the run: %v, %v", name, s.Span, root.Span)
		case s.node == "w" && s.EndTimeUnixNano > root.EndTimeUnixNano:
			t.Errorf("%q ends after the run: %v, %v", name, s.Span, root.Span)
		}
	}
}

// TestTraces_unreachable: a collector that does not answer is reported once, and stops nothing.
func TestTraces_unreachable(t *testing.T) {
	t.Parallel()
	var said []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer server.Close()
	tr, err := startTraces(t.Context(), node.ObserveOptions{Traces: server.URL, Warn: func(text string) { said = append(said, text) }})
	assert.NoError(t, err)
	for range 2 {
		tr.span(fleet.Span{Spec: id, Lease: "x", Name: fleet.Whole, Begin: time.Unix(1, 0), End: time.Unix(2, 0)})
		assert.NoError(t, tr.provider.ForceFlush(t.Context()))
	}
	tr.stop(t.Context())
	assert.Equal(t, 1, len(said))
	assert.Contains(t, said[0], "traces cannot be sent")
}

// TestTracesURL completes addresses.
func TestTracesURL(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://127.0.0.1:4318":            "http://127.0.0.1:4318/v1/traces",
		"https://otel.example.com/":        "https://otel.example.com/v1/traces",
		"https://otel.example.com/a/b?x=1": "https://otel.example.com/a/b?x=1",
	} {
		got, err := tracesURL(address)
		assert.NoError(t, err, "%s", address)
		assert.Equal(t, want, got, "%s", address)
	}
}

// TestMetrics reads the page after some work, and without a queue.
func TestMetrics(t *testing.T) {
	t.Parallel()
	state, stateErr := node.State{Nodes: 3, Slots: 8, Busy: 5, Queue: &fleet.Backlog{Waiting: 7, Oldest: 90 * time.Second}}, error(nil)
	obs := start(t, node.ObserveOptions{Metrics: "127.0.0.1:0", Node: "w", State: func(context.Context) (node.State, error) { return state, stateErr }})
	at := time.Unix(100, 0)
	for name, statuses := range map[fleet.SpanName][]string{
		fleet.Take: {""}, fleet.Push: {""},
		fleet.Whole: {"completed", "completed", "failed", fleet.WasLost, "\"} 1\nx", ""},
		fleet.Land:  {fleet.WasLanded, fleet.WasLanded, fleet.WasMerged, fleet.WasRefused},
	} {
		for _, status := range statuses {
			obs.Span(fleet.Span{Spec: id, Lease: "x", Name: name, Begin: at, End: at.Add(2 * time.Second), Status: status})
		}
	}
	obs.Stale()
	obs.Event(engine.Event{ID: id, Step: "agent"})
	page := scrape(t, obs.Address())
	for _, line := range []string{
		`nodes{project="app"} 3`, `slots{project="app"} 8`, `busy_slots{project="app"} 5`, `waiting{project="app"} 7`, `oldest_seconds{project="app"} 90`,
		`queue_reachable{project="app"} 1`, `landed_total{project="app"} 3`, `refused_total{project="app"} 1`, `stale_pushes_total{project="app"} 1`,
		`runs_total{outcome="completed",project="app"} 2`, `runs_total{outcome="failed",project="app"} 1`, `runs_total{outcome="lost",project="app"} 1`,
		`runs_total{outcome="other",project="app"} 2`, `landing_seconds_count{project="app"} 2`, `landing_seconds_sum{project="app"} 4`, `landing_seconds_bucket{project="app",le="2.5"} 2`,
	} {
		assert.Contains(t, page, "\n"+prefix+line+"\n", "%s is missing in", line)
	}
	state.Queue = nil
	page = scrape(t, obs.Address())
	assert.NotContains(t, page, prefix+"waiting{", "without a right to see the queue:")
	assert.Contains(t, page, prefix+"nodes{", "without a right to see the queue:")
	stateErr = errors.New("no answer")
	page = scrape(t, obs.Address())
	assert.Contains(t, page, prefix+`queue_reachable{project="app"} 0`, "without a queue:")
	assert.NotContains(t, page, prefix+"nodes{", "without a queue:")
	_, err := Start(t.Context(), node.ObserveOptions{Metrics: strings.Split(obs.Address(), "/")[2]})
	assert.Error(t, err, "two pages at one address")
	assert.NoError(t, obs.Stop())
}

func scrape(t *testing.T, address string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	assert.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	assert.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	assert.NoError(t, err, "%s: %s", answer.Status, text)
	assert.Equal(t, http.StatusOK, answer.StatusCode, "%s: %s", answer.Status, text)
	return string(text)
}
