package work

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
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
	enginetest.Git(t, dir, "add", ".chant")
	enginetest.Git(t, dir, "commit", "-q", "-m", "spec")
	enginetest.Git(t, dir, "worktree", "add", "-q", "-b", "chant/"+id, ".chant/worktrees/"+id)
	_, err := p.Store.Local("runs", "")
	assert.NoError(t, err)
	_, err = p.Store.Append(id, map[string]any{"step": "open", "state": "begin", "attempt": 1})
	assert.NoError(t, err)

	first, err := Takeover(t.Context(), p, TakeoverInput{ID: "abc"})
	assert.NoError(t, err)
	assert.Equal(t, 400, first.OpenAll)
	assert.NotEqual(t, 0, len(first.Open))
	assert.True(t, len(first.Open) <= maxOpen, "%d of %d open criteria", len(first.Open), first.OpenAll)
	assert.Equal(t, 1, first.Open[0].Number)
	n := strings.Count(first.LogTail, "\n")
	assert.True(t, len(first.LogTail) <= maxTailBytes, "log tail of %d bytes, %d lines", len(first.LogTail), n)
	assert.NotEqual(t, 0, n)
	assert.True(t, n <= maxTailLines, "log tail of %d bytes, %d lines", len(first.LogTail), n)
	assert.HasSuffix(t, first.LogTail, "é\n")
	assert.True(t, len(first.Analysis) <= 600, "analysis of %d bytes", len(first.Analysis))
	before := sizes(t, p, id) + enginetest.Git(t, dir, "rev-parse", "--all")
	for range 3 {
		again, err := Takeover(t.Context(), p, TakeoverInput{ID: "abc"})
		assert.NoError(t, err)
		assert.Equal(t, first.LogTail, again.LogTail)
		assert.Equal(t, first.Analysis, again.Analysis)
		assert.Equal(t, spec.Paused, again.Status)
	}
	assert.Equal(t, before, sizes(t, p, id)+enginetest.Git(t, dir, "rev-parse", "--all"), "taking over again changed something:")
}

// sizes returns the sizes of the files that a run keeps about itself.
func sizes(t *testing.T, p *engine.Project, id string) string {
	t.Helper()
	var out string
	for _, path := range []string{p.Store.LogPath(id), p.Store.JournalPath(id), engine.Home(p) + "/" + ".chant/specs/" + id + ".md"} {
		info, err := os.Stat(path)
		assert.NoError(t, err)
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
		assert.Equal(t, want, attemptsText(h))
	}
}
