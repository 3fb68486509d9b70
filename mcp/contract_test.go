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

// TestContract compares the replies to the requests of the contract with golden
// files, which UPDATE=1 writes. Each request is sent at the top of the project,
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
	g.Reply = contractual(t, scrub(got[0]))
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

// contractual leaves out of a list of tools what the contract does not speak of.
func contractual(t *testing.T, reply string) json.RawMessage {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(reply), &members); err != nil {
		t.Fatal(err)
	}
	result, _ := members["result"].(map[string]any)
	tools, listed := result["tools"].([]any)
	if !listed {
		return json.RawMessage(reply)
	}
	for _, each := range tools {
		for _, key := range []string{"title", "annotations", "outputSchema"} {
			delete(each.(map[string]any), key)
		}
	}
	out, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// scrub takes out what differs from one project to the next.
func scrub(text string) string {
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`).ReplaceAllString(text, "TIME")
	return regexp.MustCompile(`\b[0-9a-f]{40}\b`).ReplaceAllString(text, "COMMIT")
}

// TestContract_update checks what chant_spec_update leaves in the file.
func TestContract_update(t *testing.T) {
	t.Parallel()
	const id = "2026-03-01-031-out"
	dir := project(t, contractSpecs())
	got := ask(t, opener(dir), "chant_spec_update", map[string]any{"id": "031", "output": "Implementation complete. All tests passing."})
	if got.Result.IsError || got.text() != "Updated spec: "+id {
		t.Fatalf("got %+v", got)
	}
	src, err := os.ReadFile(filepath.Join(dir, ".chant", "specs", id+".md"))
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(strings.TrimPrefix(string(src), "---\n"), "---\n")
	want := "\n# Feature Implementation\n\nSome initial content...\n\n## Output\n\nImplementation complete. All tests passing.\n"
	if body != want {
		t.Errorf("got %q, want %q", body, want)
	}
	for args, want := range map[string]string{
		`{"id":"031"}`:                        "No updates specified",
		`{"id":"031","output":""}`:            "No updates specified",
		`{"id":"031","status":"nonsense"}`:    "Invalid status",
		`{"id":"031","status":"paused"}`:      "Invalid status",
		`{"status":"pending"}`:                "Missing required parameter: id",
		`{"id":"../../etc","output":"x"}`:     "",
		`{"id":"999","output":"x"}`:           "",
		`{"id":"2026","output":"x"}`:          "",
		`{"id":"","output":"x"}`:              "",
		`{"id":"031","labels":"not a list"}`:  "Invalid parameter: labels must be a list of strings",
		`{"id":"031","depends_on":["nope"]}`:  "",
		`{"id":"031","status":"in_progress"}`: "",
	} {
		got := ask(t, opener(dir), "chant_spec_update", json.RawMessage(args))
		if !strings.HasPrefix(got.text(), want) || got.Error != nil {
			t.Errorf("%s: got %+v, want %q", args, got, want)
		}
		t.Logf("%s: %v %q", args, got.Result.IsError, got.text())
	}
}
