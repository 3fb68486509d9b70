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

	"chant/mcp/toolset"
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
	if err != nil || len(files) == 0 {
		t.Fatalf("%d golden files, %v", len(files), err)
	}
	dir := project(t, contractSpecs())
	below := filepath.Join(dir, "src", "deep")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", "-b", "other", linked)
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
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(src, &g); err != nil {
		t.Fatal(err)
	}
	var request bytes.Buffer
	if err := json.Compact(&request, g.Request); err != nil {
		t.Fatal(err)
	}
	// What a sandbox is in force differs from machine to machine.
	got := piped(t, opener(place, "CHANT_SANDBOX=off"), Options{Version: "0.1.0"}, request.String())
	if len(got) != 1 {
		t.Fatalf("got %q", got)
	}
	g.Reply = json.RawMessage(scrub(got[0]))
	out, err := toolset.JSON(g)
	if err != nil {
		t.Fatal(err)
	}
	out += "\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if out != string(src) {
		t.Errorf("in %s got\n%s", place, out)
	}
}

// scrub takes out what differs from one project to the next.
func scrub(text string) string {
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`).ReplaceAllString(text, "TIME")
	return regexp.MustCompile(`\b[0-9a-f]{40}\b`).ReplaceAllString(text, "COMMIT")
}
