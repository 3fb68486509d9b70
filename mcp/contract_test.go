package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// contractSpecs are the specs that the examples of the contract speak of: 20, of
// which 3 are pending, 2 in progress and 15 completed.
func contractSpecs() map[string]string {
	specs := map[string]string{
		"2026-01-22-001-x7m": "---\ntype: feature\nstatus: in_progress\n---\n\n# Add user authentication\n\n## Description\n\nImplement user auth...\n",
		"2026-02-02-011-xyz": "---\ntype: code\nstatus: completed\n---\n\n# Met\n\n## Acceptance Criteria\n\n" + strings.Repeat("- [x] Done\n", 5),
		"2026-02-02-012-xyz": "---\ntype: code\nstatus: in_progress\n---\n\n# Not met\n\n## Acceptance Criteria\n\n" +
			strings.Repeat("- [x] Done\n", 3) + "- [ ] Tests added\n- [ ] Documentation updated\n",
		"2026-03-01-031-out": "---\ntype: code\nstatus: pending\n---\n\n# Feature Implementation\n\nSome initial content...\n",
	}
	for i := range 14 {
		specs[fmt.Sprintf("2026-02-03-%03d-old", 100+i)] = "---\ntype: code\nstatus: completed\n---\n\n# Old work\n"
	}
	for i := range 2 {
		specs[fmt.Sprintf("2026-02-04-%03d-new", 200+i)] = "---\ntype: code\nstatus: pending\n---\n\n# New work\n"
	}
	return specs
}

// TestContract compares whole replies to requests of the contract with golden files, which UPDATE=1 writes: those of which
// the contract says too little for TestSeeds_chant. Each request is sent at the top of the project,
// in a folder below it and in a linked worktree.
func TestContract(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/contract/*.json")
	assert.NoError(t, err)
	assert.NotEqual(t, 0, len(files))
	dir := project(t, contractSpecs())
	below := filepath.Join(dir, "src", "deep")
	assert.NoError(t, os.MkdirAll(below, 0o755))
	linked := filepath.Join(t.TempDir(), "linked")
	enginetest.Git(t, dir, "worktree", "add", "-q", "-b", "other", linked)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			for _, place := range []string{dir, below, linked} {
				checkGolden(t, file, place)
			}
		})
	}
}

// golden is an example: what is sent, and what comes back.
type golden struct {
	Request json.RawMessage `json:"request"`
	Reply   json.RawMessage `json:"reply"`
}

func checkGolden(t *testing.T, file, place string) {
	t.Helper()
	src, err := os.ReadFile(file)
	assert.NoError(t, err)
	var g golden
	assert.NoError(t, json.Unmarshal(src, &g))
	var request bytes.Buffer
	assert.NoError(t, json.Compact(&request, g.Request))
	// What a sandbox is in force differs from machine to machine.
	got := piped(t, opener(place, "CHANT_SANDBOX=off"), Options{Version: "0.1.0"}, request.String())
	assert.Equal(t, 1, len(got), "got %q", got)
	g.Reply = json.RawMessage(scrub(got[0]))
	out, err := toolset.JSON(g)
	assert.NoError(t, err)
	out += "\n"
	if os.Getenv("UPDATE") != "" {
		assert.NoError(t, os.WriteFile(file, []byte(out), 0o644))
		return
	}
	assert.Equal(t, string(src), out, "in %s got", place)
}

// scrub takes out what differs from one project to the next.
func scrub(text string) string {
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\dZ?`).ReplaceAllString(text, "TIME")
	return regexp.MustCompile(`\b[0-9a-f]{40}\b`).ReplaceAllString(text, "COMMIT")
}
