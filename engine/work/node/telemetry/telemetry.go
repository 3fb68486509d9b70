// Package telemetry exports what a node of a fleet does: metrics on a page for Prometheus, and traces by OTLP over HTTP to
// whatever collects them.
//
// # Rules
//
//   - Each node counts what it has done itself, so that sums over all nodes are right under any leader. Only the gauges are
//     about the whole fleet, as the server of the queue reports it when the page is read.
//   - A trace is a run. Its ids are derived from the spec and the lease of its claim, which the worker and the leader both
//     know, so that nothing has to be sent along with the work.
//   - Names of specs, nodes, steps and statuses are exported, and never texts: those may have secrets.
//   - What cannot be exported is reported once, and disturbs nothing.
//
// # Decisions
//
// 2026-11-26: only the program chant-fleet imports this package, as with the server of a queue, because the libraries make a
// program larger and slower to start for everyone. Rejected: formats of our own, which are small and would have to follow
// two standards.
//
// 2026-11-26: the span of a run is exported by its worker when the run is over, and parts before that. A worker that is
// killed leaves parts without it. Rejected: a first span that has no end, which OTLP does not have.
package telemetry

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/spec"
	"chant/engine/work/node"
)

// maxWait limits how long the end of a process waits for what is still to be exported.
const maxWait = 5 * time.Second

// observer exports metrics, traces or both.
type observer struct {
	metrics *metrics // nil = none
	traces  *traces  // nil = none
}

// Start starts an observer. Error: the address for metrics cannot be listened on.
func Start(ctx context.Context, o node.ObserveOptions) (node.Observer, error) {
	obs := &observer{}
	var err error
	if o.Traces != "" {
		if obs.traces, err = startTraces(ctx, o); err != nil {
			return nil, err
		}
	}
	if o.Metrics != "" {
		if obs.metrics, err = serveMetrics(ctx, o); err != nil {
			return nil, errors.Join(err, obs.Stop())
		}
	}
	return obs, nil
}

// Address is that of the page of metrics.
func (o *observer) Address() string {
	if o.metrics == nil {
		return ""
	}
	return o.metrics.address
}

// Span counts a part of the work on a spec, and sends it.
func (o *observer) Span(s fleet.Span) {
	if o.metrics != nil {
		o.metrics.span(s)
	}
	if o.traces != nil {
		o.traces.span(s)
	}
}

// Event follows the steps of the runs on this node.
func (o *observer) Event(ev engine.Event) {
	if o.traces != nil {
		o.traces.event(ev)
	}
}

// Stale counts a push that was refused.
func (o *observer) Stale() {
	if o.metrics != nil {
		o.metrics.stale.Inc()
	}
}

// Stop ends both.
func (o *observer) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), maxWait)
	defer cancel()
	var all error
	if o.metrics != nil {
		all = o.metrics.stop(ctx)
	}
	if o.traces != nil {
		o.traces.stop(ctx)
	}
	return all
}

// prefix begins the name of every metric.
const prefix = "chant_fleet_"

// metrics is a page for Prometheus, and what is counted for it.
type metrics struct {
	address string // of the page
	server  *http.Server
	ended   chan error

	landed, refused, stale prometheus.Counter
	runs                   *prometheus.CounterVec
	landing                prometheus.Histogram
}

// serveMetrics serves the page. Error: that of listening.
func serveMetrics(ctx context.Context, o node.ObserveOptions) (*metrics, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Metrics)
	if err != nil {
		return nil, err
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: prefix + name, Help: help})
	}
	m := &metrics{
		address: "http://" + listener.Addr().String() + "/metrics", ended: make(chan error, 1),
		landed:  counter("landed_total", "Specs that this node has landed."),
		refused: counter("refused_total", "Completed specs whose landing this node has refused."),
		stale:   counter("stale_pushes_total", "Pushes of this node that were refused because another one was faster."),
		runs:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + "runs_total", Help: "Runs on this node, by how they ended."}, []string{"outcome"}),
		landing: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: prefix + "landing_seconds", Help: "How long landings take on this node, with their checks and pushes.",
			Buckets: []float64{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600},
		}),
	}
	registry := prometheus.NewRegistry()
	// A registry of its own: the default one also exports this process's memory and goroutines.
	own := prometheus.WrapRegistererWith(prometheus.Labels{"project": o.Project}, registry)
	own.MustRegister(m.landed, m.refused, m.stale, m.runs, m.landing, newGauges(o.State))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	m.server = &http.Server{Handler: mux, ReadHeaderTimeout: maxWait, IdleTimeout: time.Minute}
	go func() { m.ended <- m.server.Serve(listener) }()
	return m, nil
}

// span counts a part of the work on a spec.
func (m *metrics) span(s fleet.Span) {
	switch s.Name {
	case fleet.Whole:
		m.runs.WithLabelValues(outcome(s.Status)).Inc()
	case fleet.Land:
		switch s.Status {
		case fleet.WasLanded:
			m.landed.Inc()
			m.landing.Observe(s.End.Sub(s.Begin).Seconds())
		case fleet.WasMerged:
			m.landed.Inc()
		case fleet.WasRefused:
			m.refused.Inc()
		}
	case fleet.Take, fleet.Push, fleet.Propose:
	}
}

// outcome returns how a run ended as the value of a label, of which there are few.
func outcome(status string) string {
	if status == fleet.WasLost || status == fleet.WasReturned {
		return status
	}
	// A claim is written by other machines, and every new value would make a new time series.
	if known, err := spec.ParseStatus(status); err == nil && status != "" {
		return string(known)
	}
	return "other"
}

// stop ends the page.
func (m *metrics) stop(ctx context.Context) error {
	err := m.server.Shutdown(ctx)
	// A reader of the page may hold its connection open.
	if errors.Is(err, context.DeadlineExceeded) {
		err = m.server.Close()
	}
	if end := <-m.ended; !errors.Is(end, http.ErrServerClosed) {
		err = errors.Join(err, end)
	}
	return err
}

// gauges are about the whole fleet, and asked for when the page is read.
type gauges struct {
	state                                          func(context.Context) (node.State, error)
	reachable, nodes, slots, busy, waiting, oldest *prometheus.Desc
}

func newGauges(state func(context.Context) (node.State, error)) *gauges {
	gauge := func(name, help string) *prometheus.Desc { return prometheus.NewDesc(prefix+name, help, nil, nil) }
	return &gauges{
		state:     state,
		reachable: gauge("queue_reachable", "1 if the server of the queue answers."),
		nodes:     gauge("nodes", "Machines in the fleet."),
		slots:     gauge("slots", "Specs that all machines can work at once."),
		busy:      gauge("busy_slots", "Specs that are being worked."),
		waiting:   gauge("waiting", "Specs in the queue."),
		oldest:    gauge("oldest_seconds", "Age of the oldest entry of the queue."),
	}
}

// Describe lists the gauges.
func (g *gauges) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{g.reachable, g.nodes, g.slots, g.busy, g.waiting, g.oldest} {
		out <- d
	}
}

// Collect asks the fleet.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), maxWait)
	defer cancel()
	set := func(d *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	s, err := g.state(ctx)
	if err != nil {
		set(g.reachable, 0)
		return
	}
	set(g.reachable, 1)
	set(g.nodes, float64(s.Nodes))
	set(g.slots, float64(s.Slots))
	set(g.busy, float64(s.Busy))
	if s.Queue != nil {
		set(g.waiting, float64(s.Queue.Waiting))
		set(g.oldest, s.Queue.Oldest.Seconds())
	}
}
