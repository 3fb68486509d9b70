package tui

import (
	"strings"
	"testing"
	"time"

	"chant/engine"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start is when the runs of these tests begin.
func start() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// ev builds an event of run 001 in one line: "agent tool Read a.go".
func ev(text string) engine.Event {
	step, rest, _ := strings.Cut(text, " ")
	kind, said, _ := strings.Cut(rest, " ")
	e := engine.Event{ID: "001", Kind: kind, Text: said}
	// The type of Step is the engine's own business; its constants are strings.
	setStep(&e.Step, step)
	return e
}

func setStep[S ~string](to *S, name string) { *to = S(name) }

// filled is a board after events that came one second apart.
func filled(events ...string) board {
	var b board
	for i, e := range events {
		b.add(ev(e), start().Add(time.Duration(i)*time.Second))
	}
	return b
}
