package view

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/run/advice"
	"chant/engine/spec"
)

// TestBoard puts a spec in every state into its column, with what a person should know about it.
func TestBoard(t *testing.T) {
	t.Parallel()
	r, err := Board(t.Context(), board(t), BoardInput{})
	if err != nil || r.Total != 17 {
		t.Fatalf("%d, %v", r.Total, err)
	}
	columns := map[Column][]Row{}
	notes := map[string]string{}
	for _, c := range r.Cards {
		columns[c.Column] = append(columns[c.Column], c.Row)
		notes[c.ID] = c.Note
	}
	for column, want := range map[Column]string{
		ColumnPending: "002 010 014 015 016", ColumnReady: "001 010.1", ColumnRunning: "008", ColumnNeedsYou: "004 005 007 009 013", ColumnCompleted: "003 006 010.2 012",
	} {
		if got := ids(columns[column]); got != want {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
	for id, want := range map[string]string{
		n(2): "waits for " + n(1), n(4): "it broke", n(5): "drifted: a", n(13): "waits for approval", n(12): "nothing to verify", n(1): "", n(14): "waits for " + n(99),
	} {
		if notes[id] != want {
			t.Errorf("%s: %q, want %q", id, notes[id], want)
		}
	}
	if !strings.Contains(notes[n(9)], n(9)+".md:2") {
		t.Errorf("an unreadable one: %q", notes[n(9)])
	}
}

// TestColumnOf decides for runs, questions and retries, which need a process.
func TestColumnOf(t *testing.T) {
	t.Parallel()
	no := false
	for name, c := range map[string]struct {
		row  Row
		hold spec.Hold
		want Column
	}{
		"runs":                  {Row{Status: "in_progress", Run: advice.Running}, spec.Hold{}, ColumnRunning},
		"is quiet":              {Row{Status: "in_progress", Run: advice.Waiting}, spec.Hold{}, ColumnRunning},
		"its process died":      {Row{Status: "in_progress", Run: advice.Interrupted}, spec.Hold{}, ColumnNeedsYou},
		"asks":                  {Row{Status: "in_progress", Run: advice.Running, NeedsInput: 1}, spec.Hold{}, ColumnNeedsYou},
		"asked and failed":      {Row{Status: "failed", NeedsInput: 1}, spec.Hold{}, ColumnNeedsYou},
		"retries later":         {Row{Status: "paused", RetryAt: "2026-01-02T00:00:00Z"}, spec.Hold{}, ColumnPending},
		"not landed":            {Row{Status: "completed", Landed: &no}, spec.Hold{}, ColumnNeedsYou},
		"rejected":              {Row{Status: "pending", Ready: true}, spec.Hold{Kind: spec.HeldByRejection}, ColumnNeedsYou},
		"completed in the past": {Row{Status: "completed"}, spec.Hold{}, ColumnCompleted},
		"an unknown status":     {Row{Status: "odd"}, spec.Hold{}, ColumnNeedsYou},
	} {
		if got := columnOf(c.row, c.hold); got != c.want || !slices.Contains(Columns(), got) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
