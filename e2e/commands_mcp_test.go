package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
			server, tools := c.named()
			assert.Equal(t, tt.server, server)
			assert.Equal(t, tt.tools, tools)
			long := map[bool]string{true: "search", false: "climpt_search"}[tt.server == "climpt"]
			if got := c.call(long, fields{"query": "group changes and commit"}); got.Result.IsError {
				t.Errorf("%s: %s", long, got.text())
			}
		})
	}
	p := newProject(t)
	_, stderr, code := p.try(nil, "mcp", "--toolsets", "specs,commands", "--tools", "search")
	assert.Equal(t, 2, code, "a short name beside other toolsets")
	assert.Contains(t, stderr, "climpt_search", "a short name beside other toolsets")
}

// TestCommandsMCP_search makes the searches of climpt's documents.
func TestCommandsMCP_search(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	r := c.call("search", fields{"query": "group changes and commit", "agent": "climpt"})
	got := array(t, r)
	assert.NotEqual(t, 0, len(got))
	assert.True(t, len(got) <= 3)
	assert.True(t, got[0]["c1"] == "git")
	assert.True(t, got[0]["c2"] == "group-commit")
	assert.True(t, got[0]["c3"] == "unstaged-changes")
	assert.True(t, got[0]["description"] == "Group file changes by semantic proximity and execute multiple commits sequentially")
	last := 1.0
	for _, hit := range got {
		score, isNumber := hit["score"].(float64)
		assert.Equal(t, 5, len(hit), "hit %v behind a score", hit)
		assert.True(t, isNumber, "hit %v behind a score of %g", hit, last)
		assert.False(t, score <= 0, "hit %v behind a score of %g", hit, last)
		assert.False(t, score > last, "hit %v behind a score of %g", hit, last)
		last = score
	}
	s := r.Result.StructuredContent
	assert.True(t, s["agent"] == "climpt", "structured %v", s)
	assert.Equal(t, len(got), len(s["results"].([]any)))
	if without := c.call("search", fields{"query": "group changes and commit"}); without.text() != r.text() {
		t.Errorf("without an agent found %s", without.text())
	}
	one := array(t, c.call("search", fields{"query": "branch", "limit": 1}))
	assert.Equal(t, 1, len(one), "limited to one: %v", one)
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
		assert.NoError(t, err)
		sameJSON(t, key, string(value), want)
	}
	s := r.Result.StructuredContent
	assert.True(t, s["agent"] == "climpt", "structured %v", s)
	assert.Equal(t, 1, len(s["commands"].([]any)))
	twice := c.call("describe", fields{"c1": "meta", "c2": "build", "c3": "frontmatter"})
	var record struct {
		Description string
		Variants    []struct{ Description string }
	}
	assert.NoError(t, json.Unmarshal([]byte(twice.text()), &record))
	assert.Equal(t, "Generate C3L v0.5 compliant frontmatter", record.Description)
	assert.Equal(t, 1, len(record.Variants))
	assert.Equal(t, 2, len(twice.Result.StructuredContent["commands"].([]any)))
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
		got := strings.TrimSpace(r.text())
		assert.False(t, r.Result.IsError, "%s: error %t, got %q, want %q", name, r.Result.IsError, got, tt.want)
		assert.Equal(t, strings.TrimSpace(tt.want), got, "%s: error", name)
	}
	got := c.do("execute", fields{"agent": "climpt", "c1": "meta", "c2": "create", "c3": "instruction", "options": fields{"stdin": "Do <it>", "destination": "x.md"}})
	text := strings.TrimSpace(fmt.Sprint(got["text"]))
	assert.Equal(t, "# Create an instruction\n\nDo <it>\n\nWrite it to output/x.md.", text, "with a text")
	assert.True(t, got["file"] == ".agent/climpt/prompts/meta/create/instruction/f_default.md", "it is from %v, edition %v", got["file"], got["edition"])
	assert.True(t, got["edition"] == "default", "it is from %v, edition %v", got["file"], got["edition"])
}

// TestCommandsMCP_errors makes each of the three error objects of climpt's documents, and those of its server.
func TestCommandsMCP_errors(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	unknown := fields{"agent": "climpt", "c1": "git", "c2": "invalid-command", "c3": "target"}
	const notFound = `{"error":"Command not found","c1":"climpt-git","c2":"invalid-command","c3":"target"}`
	sameJSON(t, "describe", c.failed("describe", unknown), notFound)
	sameJSON(t, "execute", c.failed("execute", unknown), notFound)
	r := c.call("execute", unknown)
	assert.Equal(t, 2, len(r.Result.Content), "the next step is not named")
	assert.Equal(t, `next: call search with {"query":"git invalid-command target"}`, r.Result.Content[1].Text, "the next step is not named")
	sameJSON(t, "agent", c.failed("search", fields{"query": "a", "agent": "nope"}),
		`{"error":"Failed to load registry","path":".agent/nope/registry.json","details":"File not found"}`)
	for args, want := range map[string]string{
		`{}`:           "query parameter is required and must be a string",
		`{"query":""}`: "query parameter is required and must be a string",
	} {
		var given fields
		assert.NoError(t, json.Unmarshal([]byte(args), &given))
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
	assert.Equal(t, "climpt-git merge-up base-branch", failure.Command, "a word that is refused")
	assert.Contains(t, failure.Stderr, "git-user.yml:4", "a word that is refused")
	assert.Contains(t, failure.Stderr, "merge-up", "a word that is refused")
	if r := c.call("describe", refused); r.Result.IsError {
		t.Errorf("what is refused is not described: %s", r.text())
	}
	execution(fields{"agent": "climpt", "c1": "git", "c2": "list-select", "c3": "pr-branch"})
	assert.Equal(t, "climpt-git list-select pr-branch", failure.Command, "without a prompt")
	assert.Contains(t, failure.Stderr, "f_default.md", "without a prompt")
	option := groupCommit()
	option["options"] = fields{"edition": "long"}
	execution(option)
	assert.Equal(t, "climpt-git group-commit unstaged-changes", failure.Command, "an unknown edition")
	assert.Contains(t, failure.Stderr, "long", "an unknown edition")
	for _, word := range []string{"../group-commit", "..", "a/b", `a\b`} {
		args := groupCommit()
		args["c2"] = word
		c.failed("execute", args)
	}

	// A registry that is broken is reported with its line.
	c.replace("registry.json", `"c1": "git", "c2": "find-oldest",`, `"c1": "git" "c2": "find-oldest",`)
	var broken struct{ Error, Path, Details string }
	assert.NoError(t, json.Unmarshal([]byte(c.failed("search", fields{"query": "branch"})), &broken), "a broken registry")
	assert.Equal(t, "Failed to load registry", broken.Error, "a broken registry")
	assert.Equal(t, ".agent/climpt/registry.json", broken.Path, "a broken registry")
	assert.Contains(t, broken.Details, "registry.json:15", "a broken registry")
}

// TestCommandsMCP_reload changes the registry under a running server.
func TestCommandsMCP_reload(t *testing.T) {
	t.Parallel()
	c := serveCommands(t)
	first := c.do("reload", fields{"agent": "climpt"})
	before, ok := first["commandCount"].(float64)
	assert.True(t, first["success"] == true, "reload %v", first)
	assert.True(t, first["agent"] == "climpt", "reload %v", first)
	assert.True(t, ok, "reload %v", first)
	assert.False(t, before < 8, "reload %v", first)
	assert.True(t, first["message"] != "", "reload %v", first)
	query := fields{"query": "select the next target"}
	got := array(t, c.call("search", query))
	assert.NotEqual(t, 0, len(got))
	assert.True(t, got[0]["c2"] == "list-select", "found %v", got)
	// without reload
	c.replace("registry.json", `"Select next target from PR-attached branch list"`, `"Water the flowers in the garden"`)
	got = array(t, c.call("search", fields{"query": "water the flowers in the garden"}))
	assert.NotEqual(t, 0, len(got), "the change is not noticed")
	assert.True(t, got[0]["c2"] == "list-select", "the change is not noticed: %v", got)
	assert.False(t, got[0]["score"].(float64) < 0.5, "the change is not noticed: %v", got)
	for _, hit := range array(t, c.call("search", query)) {
		assert.False(t, hit["c2"] == "list-select" && hit["score"].(float64) >= 0.5, "the earlier description is still found: %v", hit)
	}
	// with it, of one agent and of all
	c.replace("registry.json", `      {
        "c1": "git", "c2": "merge-up"`, `      {"c1": "git", "c2": "find-newest", "c3": "branch", "description": "Find the newest branch"},
      {
        "c1": "git", "c2": "merge-up"`)
	r := c.do("reload", fields{"agent": "climpt"})
	assert.True(t, r["commandCount"] == before+1, "reload %v, before %g", r, before)
	c.replace("prompts/git/decide-branch/working-branch/f_default.md", "The task:", "The job:")
	if text := fmt.Sprint(c.do("execute", fields{"agent": "climpt", "c1": "git", "c2": "decide-branch", "c3": "working-branch"})["text"]); !strings.Contains(text, "The job: {input_text}") {
		t.Errorf("the prompt is still %q", text)
	}
	all := c.do("reload", nil)
	assert.True(t, all["agent"] == "climpt", "reload of all %v", all)
	assert.True(t, all["commandCount"] == before+1, "reload of all %v", all)
	assert.False(t, all["totalCommands"].(float64) <= before+1, "reload of all %v", all)
	agents := fmt.Sprint(all["reloadedAgents"])
	assert.Contains(t, agents, "climpt")
	assert.Contains(t, agents, "scout")
	got = array(t, c.call("search", fields{"query": "plan a journey", "agent": "scout"}))
	assert.Equal(t, 1, len(got), "of another agent found")
	assert.True(t, got[0]["c1"] == "steps", "of another agent found %v", got)
}
