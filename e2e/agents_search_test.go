package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// TestAgents_search has the real claude extend a query and sum up what was found, with a model that tries to write all
// the same.
func TestAgents_search(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/search and mcp")
	c := claudeCLI()
	model := fakemodel.Start(t)
	p := newAgentProject(t, c, model)
	p.write(filepath.Join(p.dir, "cache.go"), "package cache\n\n// Evict drops entries that are too old.\nfunc Evict() {}\n")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "Cache")
	model.Play(func(r fakemodel.Request) []fakemodel.Turn {
		if strings.Contains(r.Prompt, "func Evict() {}") {
			return []fakemodel.Turn{{Text: `{"summary": "Evict drops old entries.", "key_insights": [], "code_references": [], "confidence": 0.9, "follow_ups": []}`}}
		}
		return oneByOne([]fakemodel.Call{c.words.write(filepath.Join(p.dir, "meddled.txt"), "by a tool")},
			`{"synonyms": ["evict"], "related_concepts": [], "variations": []}`)
	})
	out := p.want(0, "code", "throw away stale things", "--expand", "--synthesize")
	for _, want := range []string{"Also searched: evict", "cache.go:3  function Evict", "Evict drops old entries."} {
		assert.Contains(t, out, want)
	}
	_, err := os.Stat(filepath.Join(p.dir, "meddled.txt"))
	assert.Error(t, err, "the agent has written into the project")
	p.wantNothingLeft()
}
