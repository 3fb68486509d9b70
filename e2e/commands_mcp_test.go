package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCommandsMCP_names: alone the server is climpt with its short names; beside other tools they are longer.
func TestCommandsMCP_names(t *testing.T) {
	t.Parallel()
	short := []string{"search", "describe", "execute", "reload"}
	for name, tt := range map[string]struct {
		args   []string
		server string
		tools  []string
	}{
		"alone":          {[]string{"--toolsets", "commands"}, "climpt", short},
		"read-only":      {[]string{"--toolsets", "commands", "--read-only"}, "climpt", short},
		"one tool":       {[]string{"--toolsets", "commands", "--tools", "search"}, "climpt", short[:1]},
		"its long name":  {[]string{"--toolsets", "commands", "--tools", "climpt_search,execute"}, "climpt", []string{"search", "execute"}},
		"combined":       {[]string{"--toolsets", "review,commands", "--tools", "chant_drift,climpt_search"}, "chant", []string{"chant_drift", "climpt_search"}},
		"combined, both": {[]string{"--toolsets", "commands,specs", "--tools", "climpt_search,climpt_reload"}, "chant", []string{"climpt_search", "climpt_reload"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serveCommands(t, tt.args...)
			if server, tools := c.named(); server != tt.server || !slices.Equal(tools, tt.tools) {
				t.Errorf("%s serves %q, want %s and %q", server, tools, tt.server, tt.tools)
			}
			long := map[bool]string{true: "search", false: "climpt_search"}[tt.server == "climpt"]
			if got := c.call(long, fields{"query": "group changes and commit"}); got.Result.IsError {
				t.Errorf("%s: %s", long, got.text())
			}
		})
	}
	p := newProject(t)
	if _, stderr, code := p.try(nil, "mcp", "--toolsets", "specs,commands", "--tools", "search"); code != 2 || !strings.Contains(stderr, "climpt_search") {
		t.Errorf("a short name beside other toolsets: exit %d, %s", code, stderr)
	}
}

// TestCommandsMCP_search makes the searches of climpt's documents.
func TestCommandsMCP_search(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	r := c.call("search", fields{"query": "group changes and commit", "agent": "climpt"})
	got := array(t, r)
	if len(got) == 0 || len(got) > 3 || got[0]["c1"] != "git" || got[0]["c2"] != "group-commit" || got[0]["c3"] != "unstaged-changes" ||
		got[0]["description"] != "Group file changes by semantic proximity and execute multiple commits sequentially" {
		t.Fatalf("found %s", r.text())
	}
	last := 1.0
	for _, hit := range got {
		score, isNumber := hit["score"].(float64)
		if len(hit) != 5 || !isNumber || score <= 0 || score > last {
			t.Errorf("hit %v behind a score of %g", hit, last)
		}
		last = score
	}
	if s := r.Result.StructuredContent; s["agent"] != "climpt" || len(s["results"].([]any)) != len(got) {
		t.Errorf("structured %v", s)
	}
	if without := c.call("search", fields{"query": "group changes and commit"}); without.text() != r.text() {
		t.Errorf("without an agent found %s", without.text())
	}
	if one := array(t, c.call("search", fields{"query": "branch", "limit": 1})); len(one) != 1 {
		t.Errorf("limited to one: %v", one)
	}
}

// TestCommandsMCP_describe describes the command of climpt's documents, and one that a registry has twice.
func TestCommandsMCP_describe(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	r := c.call("describe", groupCommit())
	var got map[string]any
	if err := json.Unmarshal([]byte(r.text()), &got); err != nil || r.Result.IsError {
		t.Fatalf("%v: %s", err, r.text())
	}
	for key, want := range map[string]string{
		"c1": `"git"`, "c2": `"group-commit"`, "c3": `"unstaged-changes"`, "usage": `"climpt-git group-commit unstaged-changes"`,
		"description": `"Group file changes by semantic proximity and execute multiple commits sequentially"`,
		"options":     `{"edition":["default","short"],"adaptation":["default","detailed"],"file":true,"stdin":false,"destination":true}`,
		"uv":          `[{"scope":"Which folder to commit"},{"max-commits":"How many commits at most"}]`,
		"variants":    "null",
	} {
		value, err := json.Marshal(got[key])
		if err != nil {
			t.Fatal(err)
		}
		sameJSON(t, key, string(value), want)
	}
	if s := r.Result.StructuredContent; s["agent"] != "climpt" || len(s["commands"].([]any)) != 1 {
		t.Errorf("structured %v", s)
	}
	twice := c.call("describe", fields{"c1": "meta", "c2": "build", "c3": "frontmatter"})
	var record struct {
		Description string
		Variants    []struct{ Description string }
	}
	if err := json.Unmarshal([]byte(twice.text()), &record); err != nil || record.Description != "Generate C3L v0.5 compliant frontmatter" ||
		len(record.Variants) != 1 || len(twice.Result.StructuredContent["commands"].([]any)) != 2 {
		t.Errorf("%v: %s", err, twice.text())
	}
}

// TestCommandsMCP_execute gets the prompt of climpt's documents, with options in each of the forms.
func TestCommandsMCP_execute(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	c.project.write("a.txt", "text\n")
	const verbatim = "Braces that are no variables stay: {\"a\": 1}, ${x}, {unknown}.\n"
	plain := "# Group the changes of {uv-scope}\n\nMake at most {uv-max-commits} commits. Write the plan to stdout.\n" + verbatim
	filled := "# Group the changes of a=b\n\nMake at most 3 commits. Write the plan to plan.md.\n" + verbatim
	for name, tt := range map[string]struct {
		options any // nil for none
		want    string
	}{
		"nothing":    {nil, plain},
		"empty":      {fields{}, plain},
		"object":     {fields{"uv-scope": "a=b", "uv": fields{"max-commits": 3}, "destination": "plan.md", "file": "a.txt"}, filled},
		"list":       {[]string{"--uv-scope=a=b", "--uv-max-commits=3", "-o=plan.md", "-f=a.txt"}, filled},
		"line":       {"--uv-scope=a=b --uv-max-commits=3 --destination plan.md", filled},
		"edition":    {fields{"edition": "short", "uv-scope": "{uv-scope} $1"}, "# Commit {uv-scope} $1\n"},
		"adaptation": {fields{"adaptation": "detailed"}, "# Group the changes of {uv-scope}, in detail\n"},
		"both":       {fields{"edition": "short", "adaptation": "detailed"}, "# Commit {uv-scope}\n"},
	} {
		args := groupCommit()
		if tt.options != nil {
			args["options"] = tt.options
		}
		r := c.call("execute", args)
		if got := strings.TrimSpace(r.text()); r.Result.IsError || got != strings.TrimSpace(tt.want) {
			t.Errorf("%s: error %t, got %q, want %q", name, r.Result.IsError, got, tt.want)
		}
	}
	got := c.do("execute", fields{"agent": "climpt", "c1": "meta", "c2": "create", "c3": "instruction", "options": fields{"stdin": "Do <it>", "destination": "x.md"}})
	if text := strings.TrimSpace(fmt.Sprint(got["text"])); text != "# Create an instruction\n\nDo <it>\n\nWrite it to output/x.md." {
		t.Errorf("with a text: %q", text)
	}
	if got["file"] != ".agent/climpt/prompts/meta/create/instruction/f_default.md" || got["edition"] != "default" {
		t.Errorf("it is from %v, edition %v", got["file"], got["edition"])
	}
}

// TestCommandsMCP_errors makes each of the three error objects of climpt's documents, and those of its server.
func TestCommandsMCP_errors(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	unknown := fields{"agent": "climpt", "c1": "git", "c2": "invalid-command", "c3": "target"}
	const notFound = `{"error":"Command not found","c1":"climpt-git","c2":"invalid-command","c3":"target"}`
	sameJSON(t, "describe", c.failed("describe", unknown), notFound)
	sameJSON(t, "execute", c.failed("execute", unknown), notFound)
	if r := c.call("execute", unknown); len(r.Result.Content) != 2 || r.Result.Content[1].Text != `next: call search with {"query":"git invalid-command target"}` {
		t.Errorf("the next step is not named: %+v", r.Result.Content)
	}
	sameJSON(t, "agent", c.failed("search", fields{"query": "a", "agent": "nope"}),
		`{"error":"Failed to load registry","path":".agent/nope/registry.json","details":"File not found"}`)
	for args, want := range map[string]string{
		`{}`:           "query parameter is required and must be a string",
		`{"query":""}`: "query parameter is required and must be a string",
	} {
		var given fields
		if err := json.Unmarshal([]byte(args), &given); err != nil {
			t.Fatal(err)
		}
		sameJSON(t, "search "+args, c.failed("search", given), `{"error":"`+want+`"}`)
	}
	sameJSON(t, "describe", c.failed("describe", fields{"c1": "git"}), `{"error":"c1, c2, and c3 parameters are all required"}`)
	sameJSON(t, "execute", c.failed("execute", fields{"c1": "git", "c2": "group-commit", "c3": "unstaged-changes"}),
		`{"error":"agent, c1, c2, and c3 parameters are all required"}`)
}

// TestCommandsMCP_failures: settings of the domain refuse a word, prompts are missing, and the registry is broken.
func TestCommandsMCP_failures(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	refused := fields{"agent": "climpt", "c1": "git", "c2": "merge-up", "c3": "base-branch"}
	var failure struct{ Error, Command, Stderr string }
	execution := func(args fields) {
		t.Helper()
		if err := json.Unmarshal([]byte(c.failed("execute", args)), &failure); err != nil || failure.Error != "Execution failed" {
			t.Errorf("%v: %+v", err, failure)
		}
	}
	execution(refused)
	if failure.Command != "climpt-git merge-up base-branch" || !strings.Contains(failure.Stderr, "git-user.yml:4") || !strings.Contains(failure.Stderr, "merge-up") {
		t.Errorf("a word that is refused: %+v", failure)
	}
	if r := c.call("describe", refused); r.Result.IsError {
		t.Errorf("what is refused is not described: %s", r.text())
	}
	execution(fields{"agent": "climpt", "c1": "git", "c2": "list-select", "c3": "pr-branch"})
	if failure.Command != "climpt-git list-select pr-branch" || !strings.Contains(failure.Stderr, "f_default.md") {
		t.Errorf("without a prompt: %+v", failure)
	}
	option := groupCommit()
	option["options"] = fields{"edition": "long"}
	execution(option)
	if failure.Command != "climpt-git group-commit unstaged-changes" || !strings.Contains(failure.Stderr, "long") {
		t.Errorf("an unknown edition: %+v", failure)
	}
	for _, word := range []string{"../group-commit", "..", "a/b", `a\b`} {
		args := groupCommit()
		args["c2"] = word
		c.failed("execute", args)
	}

	// A registry that is broken is reported with its line.
	c.replace("registry.json", `"c1": "git", "c2": "find-oldest",`, `"c1": "git" "c2": "find-oldest",`)
	var broken struct{ Error, Path, Details string }
	if err := json.Unmarshal([]byte(c.failed("search", fields{"query": "branch"})), &broken); err != nil || broken.Error != "Failed to load registry" ||
		broken.Path != ".agent/climpt/registry.json" || !strings.Contains(broken.Details, "registry.json:15") {
		t.Errorf("a broken registry: %v, %+v", err, broken)
	}
}

// TestCommandsMCP_reload changes the registry under a running server.
func TestCommandsMCP_reload(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	first := c.do("reload", fields{"agent": "climpt"})
	before, ok := first["commandCount"].(float64)
	if first["success"] != true || first["agent"] != "climpt" || !ok || before < 8 || first["message"] == "" {
		t.Fatalf("reload %v", first)
	}
	query := fields{"query": "select the next target"}
	if got := array(t, c.call("search", query)); len(got) == 0 || got[0]["c2"] != "list-select" {
		t.Fatalf("found %v", got)
	}
	// without reload
	c.replace("registry.json", `"Select next target from PR-attached branch list"`, `"Water the flowers in the garden"`)
	if got := array(t, c.call("search", fields{"query": "water the flowers in the garden"})); len(got) == 0 || got[0]["c2"] != "list-select" || got[0]["score"].(float64) < 0.5 {
		t.Errorf("the change is not noticed: %v", got)
	}
	for _, hit := range array(t, c.call("search", query)) {
		if hit["c2"] == "list-select" && hit["score"].(float64) >= 0.5 {
			t.Errorf("the earlier description is still found: %v", hit)
		}
	}
	// with it, of one agent and of all
	c.replace("registry.json", `      {
        "c1": "git", "c2": "merge-up"`, `      {"c1": "git", "c2": "find-newest", "c3": "branch", "description": "Find the newest branch"},
      {
        "c1": "git", "c2": "merge-up"`)
	if r := c.do("reload", fields{"agent": "climpt"}); r["commandCount"] != before+1 {
		t.Errorf("reload %v, before %g", r, before)
	}
	c.replace("prompts/git/decide-branch/working-branch/f_default.md", "The task:", "The job:")
	if text := fmt.Sprint(c.do("execute", fields{"agent": "climpt", "c1": "git", "c2": "decide-branch", "c3": "working-branch"})["text"]); !strings.Contains(text, "The job: {input_text}") {
		t.Errorf("the prompt is still %q", text)
	}
	all := c.do("reload", nil)
	if all["agent"] != "climpt" || all["commandCount"] != before+1 || all["totalCommands"].(float64) <= before+1 {
		t.Errorf("reload of all %v", all)
	}
	if agents := fmt.Sprint(all["reloadedAgents"]); !strings.Contains(agents, "climpt") || !strings.Contains(agents, "scout") {
		t.Errorf("reloaded are %s", agents)
	}
	if got := array(t, c.call("search", fields{"query": "plan a journey", "agent": "scout"})); len(got) != 1 || got[0]["c1"] != "steps" {
		t.Errorf("of another agent found %v", got)
	}
}
