package spec

import (
	"errors"
	"testing"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func TestReplayDocument(t *testing.T) {
	t.Parallel()
	const body = "---\n# A\n\n## Acceptance Criteria\n\n- [x] a claim\n- [x] a result `$ true`\n"
	for name, c := range map[string]struct {
		front string
		want  []string // lines of the front matter
	}{
		"once":       {"status: completed\ncompleted_at: 2026-01-01T00:00:00Z\ncontent_hashes:\n  a: \"1\"\nx: 1 # kept\n", []string{"status: in_progress", "x: 1 # kept", "replay_count: 1", "original_completed_at: \"2026-01-01T00:00:00Z\"", "replayed_at: \"2026-02-02T00:00:00Z\""}},
		"again":      {"status: completed\ncompleted_at: 2026-01-02T00:00:00Z\nreplay_count: 4\noriginal_completed_at: 2026-01-01T00:00:00Z\n", []string{"replay_count: 5", "original_completed_at: 2026-01-01T00:00:00Z"}},
		"flagged":    {"status: needs_attention\nreason: drifted\ncompleted_at: 2026-01-02T00:00:00Z\n", []string{"status: in_progress", "replay_count: 1"}},
		"odd count":  {"status: completed\nreplay_count: many\n", []string{"replay_count: 1"}},
		"with a box": {"status: completed\n", []string{"status: in_progress"}},
	} {
		s, err := Parse("x", "x.md", []byte("---\n"+c.front+body))
		assert.NoError(t, err)
		doc, err := s.ReplayDocument("2026-02-02T00:00:00Z")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := string(doc.Bytes())
		for _, line := range c.want {
			assert.Contains(t, text, line+"\n", "%s: no line %q in", name, line)
		}
		for _, gone := range []string{HashesKey, "reason", "\ncompleted_at"} {
			assert.NotContains(t, text, gone, "%s", name)
		}
		assert.Contains(t, text, "- [ ] a claim\n- [x] a result `$ true`", "%s: boxes", name)
	}
}

func TestReplayDocument_onlyCompleted(t *testing.T) {
	t.Parallel()
	for _, status := range Statuses() {
		doc, err := markdown.Parse("x.md", []byte("---\nstatus: "+string(status)+"\n---\n# A\n"))
		assert.NoError(t, err)
		s, err := FromDocument("x", doc)
		assert.NoError(t, err)
		_, err = s.ReplayDocument("2026-02-02T00:00:00Z")
		_, refused := errors.AsType[*StateError](err)
		assert.NotEqual(t, status == Completed, refused, "%v", err)
	}
}
