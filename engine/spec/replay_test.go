package spec

import (
	"errors"
	"strings"
	"testing"

	"chant/markdown"
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
		if err != nil {
			t.Fatal(err)
		}
		doc, err := s.ReplayDocument("2026-02-02T00:00:00Z")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := string(doc.Bytes())
		for _, line := range c.want {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("%s: no line %q in\n%s", name, line, text)
			}
		}
		for _, gone := range []string{HashesKey, "reason", "\ncompleted_at"} {
			if strings.Contains(text, gone) {
				t.Errorf("%s: %q stays in\n%s", name, gone, text)
			}
		}
		if !strings.Contains(text, "- [ ] a claim\n- [x] a result `$ true`") {
			t.Errorf("%s: boxes\n%s", name, text)
		}
	}
}

func TestReplayDocument_onlyCompleted(t *testing.T) {
	t.Parallel()
	for _, status := range Statuses() {
		doc, err := markdown.Parse("x.md", []byte("---\nstatus: "+string(status)+"\n---\n# A\n"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := FromDocument("x", doc)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.ReplayDocument("2026-02-02T00:00:00Z")
		if _, refused := errors.AsType[*StateError](err); refused == (status == Completed) {
			t.Errorf("%s: %v", status, err)
		}
	}
}
