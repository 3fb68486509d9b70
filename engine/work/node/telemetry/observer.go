package telemetry

import (
	"context"
	"errors"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/work/node"
)

// patience limits how long the end of a process waits for what is still to be exported.
const patience = 5 * time.Second

// observer exports metrics, traces or both.
type observer struct {
	metrics *metrics // nil = none
	traces  *traces  // nil = none
}

// Start starts an observer. Error: where metrics are to be served, nobody can listen.
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
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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
