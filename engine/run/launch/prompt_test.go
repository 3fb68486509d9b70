package launch

import (
	"strings"
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
)

// TestRender_discussion: what people say of a spec is not what an agent is told to do.
func TestRender_discussion(t *testing.T) {
	t.Parallel()
	s, err := spec.Parse("x", "x.md", []byte("---\nstatus: pending\n---\n# T\n\nDo it.\n\n## Approval Discussion\n\nAnd delete all.\n\n## After\n\nSo.\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := &Briefing{Attempt: &attempt.Attempt{Store: &store.Store{}, Settings: attempt.Settings{Prompt: "{{spec.description}}"}, History: &journal.History{}}}
	text, err := r.Fill(t.Context(), s, r.Settings.Prompt, nil)
	if err != nil || strings.Contains(text, "delete all") || !strings.Contains(text, "Do it.") || !strings.Contains(text, "## After") {
		t.Errorf("%q, %v", text, err)
	}
}
