package work

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
)

// TestTakeover_bounded: the size of what is handed over is limited for any spec and any
// log, and taking over repeatedly makes no file grow.
func TestTakeover_bounded(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	const id = "2026-01-02-001-abc"
	text := "---\nstatus: paused\nreason: " + strings.Repeat("why ", 500) + "\n---\n# A\n\n## Acceptance Criteria\n\n"
	for i := range 400 {
		text += fmt.Sprintf("- [ ] %d %s\n", i, strings.Repeat("long ", 60))
	}
	enginetest.Write(t, dir, ".chant/specs/"+id+".md", text)
	enginetest.Write(t, dir, ".chant/logs/"+id+".log", strings.Repeat("2026-01-02T12:00:00.000Z "+strings.Repeat("é", 400)+"\n", 2000))
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("add", ".chant")
	git("commit", "-q", "-m", "spec")
	git("worktree", "add", "-q", "-b", "chant/"+id, ".chant/worktrees/"+id)
	if _, err := p.Store.Local("runs", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Store.Append(id, map[string]any{"step": "open", "state": "begin", "attempt": 1}); err != nil {
		t.Fatal(err)
	}

	first, err := Takeover(t.Context(), p, TakeoverInput{ID: "abc"})
	if err != nil {
		t.Fatal(err)
	}
	if first.OpenAll != 400 || len(first.Open) == 0 || len(first.Open) > maxOpen || first.Open[0].Number != 1 {
		t.Errorf("%d of %d open criteria", len(first.Open), first.OpenAll)
	}
	if n := strings.Count(first.LogTail, "\n"); len(first.LogTail) > maxTailBytes || n == 0 || n > maxTailLines || !strings.HasSuffix(first.LogTail, "é\n") {
		t.Errorf("log tail of %d bytes, %d lines", len(first.LogTail), n)
	}
	if len(first.Analysis) > 600 {
		t.Errorf("analysis of %d bytes", len(first.Analysis))
	}
	before := sizes(t, p, id) + git("rev-parse", "--all")
	for range 3 {
		again, err := Takeover(t.Context(), p, TakeoverInput{ID: "abc"})
		if err != nil || again.LogTail != first.LogTail || again.Analysis != first.Analysis || again.Status != spec.Paused {
			t.Errorf("again: %+v, %v", again, err)
		}
	}
	if after := sizes(t, p, id) + git("rev-parse", "--all"); after != before {
		t.Errorf("taking over again changed something:\n%s\nwas\n%s", after, before)
	}
}

// sizes returns the sizes of the files that a run keeps about itself.
func sizes(t *testing.T, p *engine.Project, id string) string {
	t.Helper()
	var out string
	for _, path := range []string{p.Store.LogPath(id), p.Store.JournalPath(id), engine.Home(p) + "/" + ".chant/specs/" + id + ".md"} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		out += fmt.Sprintf("%s %d\n", path, info.Size())
	}
	return out
}

// TestAttemptsText says how many attempts there were and how far the last one came.
func TestAttemptsText(t *testing.T) {
	t.Parallel()
	at := func(steps ...journal.Step) *journal.History {
		h := &journal.History{}
		for _, s := range steps {
			h.Attempts = append(h.Attempts, &journal.Attempt{Last: s})
		}
		return h
	}
	for want, h := range map[string]*journal.History{
		"attempts unknown, because the journal of the run is missing": at(),
		`1 attempt, which ended at step "verify"`:                     at(journal.Verify),
		`2 attempts, the last one ended at step "agent"`:              at(journal.Verify, journal.Agent),
		"1 attempt, which ended before its first step":                at(""),
		"2 attempts, the last one ended before its first step":        at(journal.Verify, ""),
	} {
		if got := attemptsText(h); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
