package node

import (
	"context"
	"errors"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec/next"
)

// TestObservation_check: a port alone means loopback, and a program that can export nothing says which one can.
func TestObservation_check(t *testing.T) {
	t.Parallel()
	can := func(context.Context, ObserveOptions) (Observer, error) { return nil, errors.New("not called") }
	for name, tc := range map[string]struct {
		o      Observation
		listen string
		code   engine.Code
	}{
		"nothing":             {Observation{}, "", ""},
		"a port":              {Observation{Metrics: "9464", Observe: can}, "127.0.0.1:9464", ""},
		"a port as Go has it": {Observation{Metrics: ":9464", Observe: can}, "127.0.0.1:9464", ""},
		"all addresses":       {Observation{Metrics: "0.0.0.0:9464", Observe: can}, "0.0.0.0:9464", ""},
		"IPv6":                {Observation{Metrics: "[::1]:9464", Observe: can}, "[::1]:9464", ""},
		"no port":             {Observation{Metrics: "localhost", Observe: can}, "localhost", engine.Usage},
		"a large port":        {Observation{Metrics: "70000", Observe: can}, "70000", engine.Usage},
		"traces":              {Observation{Traces: "https://otel.example.com", Observe: can}, "", ""},
		"traces by gRPC":      {Observation{Traces: "otel.example.com:4317", Observe: can}, "", engine.Usage},
		"traces with a login": {Observation{Traces: "https://user:key@otel.example.com", Observe: can}, "", engine.Usage},
		"not in this program": {Observation{Metrics: "9464"}, "127.0.0.1:9464", engine.State},
	} {
		if got := enginetest.CodeOf(t, tc.o.check(next.FleetUp.Help())); got != tc.code {
			t.Errorf("%s: %q, want %q", name, got, tc.code)
		}
		if got := listenAddress(tc.o.Metrics); got != tc.listen {
			t.Errorf("%s: listens on %q, want %q", name, got, tc.listen)
		}
	}
}
