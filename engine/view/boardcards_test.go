package view

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/advice"
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

// TestSplitPatch divides a patch into files, with the number of lines.
func TestSplitPatch(t *testing.T) {
	t.Parallel()
	patch := "diff --git a/a b.txt b/a b.txt\nindex 1..2 100644\n--- a/a b.txt\n+++ b/a b.txt\n@@ -1,2 +1,2 @@\n same\n---- removed\n+diff --git is only text\n" +
		"diff --git a/bin b/bin\nnew file mode 100644\nBinary files /dev/null and b/bin differ\n" +
		"diff --git \"a/q\\\"\" \"b/q\\\"\"\n@@ -0,0 +1 @@\n+x\n"
	got := splitPatch(patch)
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []struct {
		path           string
		added, removed int
	}{{"a b.txt", 1, 1}, {"bin", 0, 0}, {`q\"`, 1, 0}} {
		if f := got[i]; f.Path != want.path || f.Added != want.added || f.Removed != want.removed || f.Patch == "" {
			t.Errorf("%+v, want %+v", f, want)
		}
	}
	if got := splitPatch(""); got == nil || len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// FuzzSplitPatch: no text is lost behind the lines that name files, and nothing panics.
func FuzzSplitPatch(f *testing.F) {
	f.Add("diff --git a/a b/a\n@@ -1 +1 @@\n-x\n+y\n")
	f.Add("diff --git \ndiff --git a/b\n")
	f.Fuzz(func(t *testing.T, patch string) {
		total := 0
		for _, file := range splitPatch(patch) {
			total += len(file.Patch)
		}
		if total > len(patch) {
			t.Errorf("%d bytes of %d", total, len(patch))
		}
	})
}
