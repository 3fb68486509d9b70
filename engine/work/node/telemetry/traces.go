package telemetry

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net/url"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/work/node"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// traces sends spans to a collector.
type traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	warn     func(string)

	mu      sync.Mutex
	running map[string]*steps // the runs on this node, by spec
}

// steps is the step that a run is at.
type steps struct {
	run   fleet.Span // its claim
	name  string     // "" = none yet
	begin time.Time
}

// startTraces prepares to send spans. A collector that does not answer is not an error.
func startTraces(ctx context.Context, o node.ObserveOptions) (*traces, error) {
	address, err := tracesURL(o.Traces)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(address))
	if err != nil {
		return nil, err
	}
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(&reportingExporter{SpanExporter: exporter, warn: o.Warn}),
		sdk.WithIDGenerator(idGenerator{}),
		sdk.WithSampler(sdk.AlwaysSample()),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "chant-fleet"), attribute.String("service.version", o.Version),
			attribute.String("service.instance.id", o.Node), attribute.String("chant.project", o.Project),
		)),
	)
	return &traces{provider: provider, tracer: provider.Tracer("chant"), warn: o.Warn, running: map[string]*steps{}}, nil
}

// tracesURL completes the address of a collector by the path that OTLP has for traces.
func tracesURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces"
	}
	return u.String(), nil
}

// span sends a part of the work on a spec. The steps of a run are those between its claim and its last push.
func (t *traces) span(s fleet.Span) {
	t.mu.Lock()
	run := t.running[s.Spec]
	switch {
	case s.Name == fleet.Take:
		t.running[s.Spec] = &steps{run: s}
	// A claim that was lost and taken again is another run with the same spec.
	case run != nil && run.run.Lease == s.Lease && (s.Name == fleet.Push || s.Name == fleet.Whole):
		end := s.Begin
		if s.Name == fleet.Whole {
			end = s.End
			delete(t.running, s.Spec)
		}
		t.endStep(run, end)
	}
	t.mu.Unlock()
	t.send(s, string(s.Name))
}

// event follows the steps of a run.
func (t *traces) event(ev engine.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	run := t.running[ev.ID]
	if run == nil || ev.Step == "" || string(ev.Step) == run.name {
		return
	}
	t.endStep(run, ev.Time)
	run.name, run.begin = string(ev.Step), ev.Time
}

// endStep sends the step that a run was at. t is locked.
func (t *traces) endStep(run *steps, end time.Time) {
	if run.name == "" {
		return
	}
	s := run.run
	s.Begin, s.End, s.Name = run.begin, end, "step"
	t.send(s, run.name)
	run.name = ""
}

// send hands a span over to be sent: the run itself as the root of its trace, anything else below that.
func (t *traces) send(s fleet.Span, name string) {
	root := identify(s)
	ctx := context.WithValue(context.Background(), idsKey{}, root)
	// The root is exported by another process, so it is named as a remote parent.
	if s.Name != fleet.Whole {
		ctx = trace.ContextWithRemoteSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: root.trace, SpanID: root.span, TraceFlags: trace.FlagsSampled, Remote: true,
		}))
	}
	_, span := t.tracer.Start(ctx, name, trace.WithTimestamp(s.Begin), trace.WithAttributes(
		attribute.String("chant.spec", s.Spec), attribute.String("chant.node", s.Node), attribute.Int("chant.attempt", s.Attempt),
	))
	if s.Status != "" {
		span.SetAttributes(attribute.String("chant.status", s.Status))
	}
	switch s.Status {
	case "failed", "needs_attention", fleet.WasLost, fleet.WasRefused:
		span.SetStatus(codes.Error, s.Status)
	}
	span.End(trace.WithTimestamp(s.End))
}

// stop sends what is left, and drops what cannot be sent in time.
func (t *traces) stop(ctx context.Context) {
	if err := t.provider.Shutdown(ctx); err != nil {
		t.warn("the last traces were not sent: " + err.Error())
	}
}

// identity has the ids of a run.
type identity struct {
	trace trace.TraceID
	span  trace.SpanID
}

// identify derives the ids of a run from its claim, which every machine that works on it knows.
func identify(s fleet.Span) identity {
	sum := sha256.Sum256([]byte("trace of a run\x00" + s.Spec + "\x00" + s.Lease))
	return identity{trace: trace.TraceID(sum[:16]), span: trace.SpanID(sum[16:24])}
}

// idsKey is the key of an identity in a context.
type idsKey struct{}

// idGenerator gives the root span of a run the run's fixed id, and every other span a random id.
type idGenerator struct{}

// NewIDs returns the ids of a run.
func (idGenerator) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	// The method send always sets it.
	known, _ := ctx.Value(idsKey{}).(identity)
	return known.trace, known.span
}

// NewSpanID returns the id of a part of a run.
func (idGenerator) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	// Read never fails.
	_, _ = rand.Read(id[:])
	return id
}

// reportingExporter reports the first of the failures in a row to send spans. Spans that cannot be sent are dropped.
type reportingExporter struct {
	sdk.SpanExporter
	warn func(string)

	mu     sync.Mutex
	failed bool
}

// ExportSpans sends spans.
func (r *reportingExporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := r.SpanExporter.ExportSpans(ctx, spans)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && !r.failed {
		r.warn("traces cannot be sent, and are dropped until they can: " + err.Error())
	}
	r.failed = err != nil
	// The library would log the error on standard error.
	return nil
}
