package node

import (
	"cmp"
	"context"
	"net"
	"net/url"
	"strconv"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec/next"
	"chant/engine/work/node/leader"
	"chant/engine/work/node/worker"
)

// Observation says what a process that takes part in a fleet exports about itself; nothing unless asked for.
type Observation struct {
	Metrics string `json:"metrics,omitempty" jsonschema:"Port, or host and port, on which Prometheus finds metrics (with a port alone: loopback)"`
	Traces  string `json:"traces,omitempty" jsonschema:"Address to which traces are sent by OTLP over HTTP (default: that of OTEL_EXPORTER_OTLP_ENDPOINT)"`

	Observe StartObserver `json:"-"` // nil in programs that can export nothing
}

// Observer exports what a node does. Its methods may be called from several goroutines, and do not wait.
type Observer interface {
	// Address is that of the page of metrics, "" without one.
	Address() string
	// Span records a part of the work on a spec that is over.
	Span(s fleet.Span)
	// Event records the progress of the runs on this node.
	Event(ev engine.Event)
	// Stale records that a push was refused because another machine was faster.
	Stale()
	// Stop sends what was not sent yet, and ends it.
	Stop() error
}

// ObserveOptions are the settings of an observer. At least one of Metrics and Traces is set.
type ObserveOptions struct {
	Metrics string // host:port, "" = none
	Traces  string // URL, "" = none
	Node    string
	Project string
	Version string

	State func(ctx context.Context) (State, error) // of the fleet
	Warn  func(text string)
}

// State is what a fleet does at a moment.
type State struct {
	Nodes int
	Slots int
	Busy  int
	Queue *fleet.Backlog // nil where this machine may not ask for it
}

// StartObserver starts an observer. Package node/telemetry has one, whose libraries only the program chant-fleet has.
type StartObserver func(ctx context.Context, o ObserveOptions) (Observer, error)

// The variables by which OpenTelemetry names where traces are sent.
const (
	tracesVariable   = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	endpointVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"
)

// check refuses addresses that cannot be used.
func (o Observation) check(help next.Step) error {
	if o.Metrics != "" {
		if err := checkAddress(listenAddress(o.Metrics)); err != nil {
			return engine.Fail(engine.Usage, help, "invalid address %q for metrics (use a port, or host:port such as 127.0.0.1:9464)", o.Metrics)
		}
	}
	if o.Traces != "" {
		if u, err := url.Parse(o.Traces); err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
			return engine.Fail(engine.Usage, help, "invalid address for traces (use one such as http://127.0.0.1:4318, without a login)")
		}
	}
	if o.Observe == nil && (o.Metrics != "" || o.Traces != "") {
		return engine.Fail(engine.State, next.Shell("go install ./cmd/..."), "this program exports neither metrics nor traces: chant-fleet does, which is built beside it")
	}
	return nil
}

// listenAddress completes a port to an address of loopback.
func listenAddress(text string) string {
	if _, err := strconv.ParseUint(text, 10, 16); err == nil {
		return net.JoinHostPort("127.0.0.1", text)
	}
	if host, port, err := net.SplitHostPort(text); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return text
}

// start starts the observer of a node, and returns the project whose progress it follows. stop is never nil.
func (o Observation) start(ctx context.Context, p *engine.Project, b *jetstream.Broker, m Membership) (_ Observer, _ *engine.Project, stop func() error, err error) {
	traces := cmp.Or(o.Traces, engine.Variable(p, tracesVariable), engine.Variable(p, endpointVariable))
	none := func() error { return nil }
	if o.Metrics == "" && traces == "" {
		return noObserver{}, p, none, nil
	}
	if o.Observe == nil {
		engine.Warn(p, "", "no traces are sent to the address in the environment: this program cannot, but chant-fleet can")
		return noObserver{}, p, none, nil
	}
	settings := ObserveOptions{
		Traces: traces, Node: m.Node, Project: m.Project, Version: p.Version,
		State: func(ctx context.Context) (State, error) { return stateOf(ctx, b) },
		Warn:  func(text string) { engine.Warn(p, "", text) },
	}
	if o.Metrics != "" {
		settings.Metrics = listenAddress(o.Metrics)
	}
	obs, err := o.Observe(ctx, settings)
	if err != nil {
		return nil, p, none, engine.Fail(engine.Conflict, next.Guide.On("fleet"), "metrics or traces cannot be exported (choose another port, or end what uses it): %s", err)
	}
	before := p.Progress
	return obs, p.WithProgress(func(ev engine.Event) {
		obs.Event(ev)
		if before != nil {
			before(ev)
		}
	}, p.Interrupts), obs.Stop, nil
}

// stateOf asks the server of the queue what the fleet does.
func stateOf(ctx context.Context, b *jetstream.Broker) (State, error) {
	nodes, err := b.Nodes(ctx)
	s := State{Nodes: len(nodes)}
	for _, n := range nodes {
		s.Slots, s.Busy = s.Slots+n.Slots, s.Busy+len(n.Running)
	}
	if err != nil {
		return s, err
	}
	backlog, err := b.Backlog(ctx)
	// Only the hub may ask for the backlog, and the rest is known without it.
	if fleet.IsForbidden(err) {
		return s, nil
	}
	s.Queue = &backlog
	return s, err
}

// connectObserver has the observer see what a worker, a leader and their remotes do; the leader may be nil.
func connectObserver(obs Observer, w *worker.Worker, l *leader.Leader) {
	w.Trace = obs.Span
	remotes := []*fleet.Remote{w.Remote}
	if l != nil {
		l.Trace = obs.Span
		if l.Remote != w.Remote {
			remotes = append(remotes, l.Remote)
		}
	}
	for _, r := range remotes {
		r.Stale = obs.Stale
	}
}

// noObserver is the observer of a node that exports nothing.
type noObserver struct{}

func (noObserver) Address() string    { return "" }
func (noObserver) Span(fleet.Span)    {}
func (noObserver) Event(engine.Event) {}
func (noObserver) Stale()             {}
func (noObserver) Stop() error        { return nil }
