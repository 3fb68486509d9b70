package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestSeeds_climpt: what the document of climpt says, in a fresh project and then with a registry and prompts.
func TestSeeds_climpt(t *testing.T) {
	t.Parallel()
	seed{
		name: "climpt", over: []transport{overLines, overHTTP}, args: []string{"--toolsets", "commands"},
		project: newProject, says: append(append(climptTools(), climptFresh()...), climptRegistry()...),
	}.run(t)
}

// climptTools are the statements about names and schemas.
func climptTools() []statement {
	schema := func(lines, tool, says, properties, required string) statement {
		return statement{lines: lines, says: tool + ": " + says, method: "tools/list", want: `{"result":{"tools":["...",{"name":"` + tool + `","inputSchema":{"type":"object","required":` + required + `,"properties":` + properties + `}},"..."]}}`}
	}
	agent, word := `"agent":{"type":"string","default":"climpt","description":"Agent name"}`, func(name, text string) string {
		return `"` + name + `":{"type":"string","description":"~^` + text + ` identifier"}`
	}
	words := word("c1", "Domain") + "," + word("c2", "Action") + "," + word("c3", "Target")
	return []statement{
		{lines: "40, 90, 131, 166", says: "the names of the tools", method: "tools/list", want: `{"result":{"tools":[{"name":"search"},{"name":"describe"},{"name":"execute"},{"name":"reload"}]}}`},
		schema("44-49", "search", "its parameters", `{"query":{"type":"string"},`+agent+`}`, `["query"]`),
		schema("94-101", "describe", "its parameters", `{`+agent+`,`+words+`}`, `["c1","c2","c3"]`),
		schema("135-143", "execute", "its parameters", `{"agent":{"type":"string","description":"~^Agent name"},`+words+`,"options":{"default":{},"type":["object","..."]}}`, `["agent","c1","c2","c3"]`),
		schema("170-174", "reload", "its parameter", `{"agent":{"type":"string","description":"~^Agent name"}}`, `null`),
	}
}

// climptFresh are the statements about a project without a registry or prompts.
func climptFresh() []statement {
	described := func(lines, c1, c2, c3, description string) statement {
		name := `"c1":"` + c1 + `","c2":"` + c2 + `","c3":"` + c3 + `"`
		return statement{
			lines: lines, says: c1 + " " + c2 + " " + c3, tool: "describe", args: `{` + name + `}`,
			data: `{` + name + `,"description":"` + description + `","options":{"edition":["default"],"destination":false}}`,
		}
	}
	executed := func(lines, c1, c2, c3 string) statement {
		return statement{
			lines: lines, says: c1 + " " + c2 + " " + c3 + " has a prompt", tool: "execute", text: "~^# [A-Z]",
			args: `{"agent":"climpt","c1":"` + c1 + `","c2":"` + c2 + `","c3":"` + c3 + `","options":{}}`,
		}
	}
	return []statement{
		described("236", "git", "decide-branch", "working-branch", "Decide whether to create branch based on task content"),
		described("237", "git", "find-oldest", "descendant-branch", "Search and merge oldest related branch"),
		described("238", "git", "group-commit", "unstaged-changes", "Commit changes in semantic units"),
		described("239", "git", "list-select", "pr-branch", "Select next target from PR-attached branch list"),
		described("240", "git", "merge-up", "base-branch", "Merge derived branch to parent branch"),
		described("246", "meta", "build", "frontmatter", "Generate C3L v0.5 compliant frontmatter"),
		described("247", "meta", "create", "instruction", "Create new instruction file"),
		executed("236", "git", "decide-branch", "working-branch"),
		executed("237", "git", "find-oldest", "descendant-branch"),
		executed("147-159, 238", "git", "group-commit", "unstaged-changes"),
		executed("239", "git", "list-select", "pr-branch"),
		executed("240", "git", "merge-up", "base-branch"),
		executed("246", "meta", "build", "frontmatter"),
		executed("247", "meta", "create", "instruction"),
		{
			lines: "62-87", says: "the example of a search, with the description of the list", differs: "descriptions of commands", tool: "search", args: `{"query":"group changes and commit","agent":"climpt"}`,
			data: `[{"c1":"git","c2":"group-commit","c3":"unstaged-changes","description":"Commit changes in semantic units"},"..."]`,
		},
		{lines: "312-320", says: "an agent with neither a registry nor prompts", tool: "search", args: `{"query":"a","agent":"nobody"}`, want: `{"result":{"isError":true}}`, data: `{"error":"Failed to load registry","path":".agent/nobody/registry.json","details":"File not found"}`},
		{lines: "312-320", says: "the same for describe", tool: "describe", args: `{"agent":"nobody","c1":"a","c2":"b","c3":"c"}`, want: `{"result":{"isError":true}}`, data: `{"error":"Failed to load registry","path":".agent/nobody/registry.json"}`},
		{lines: "312-320", says: "the same for execute", tool: "execute", args: `{"agent":"nobody","c1":"a","c2":"b","c3":"c"}`, want: `{"result":{"isError":true}}`, data: `{"error":"Failed to load registry","path":".agent/nobody/registry.json"}`},
		{lines: "312-320", says: "the same for reload", tool: "reload", args: `{"agent":"nobody"}`, want: `{"result":{"isError":true}}`, data: `{"error":"Failed to load registry","path":".agent/nobody/registry.json"}`},
		{
			lines: "312-320", says: "the example, where climpt has a folder with neither", first: func(_ *testing.T, p *project) {
				p.write(".agent/climpt/config/x.yml", "")
			},
			tool: "search", args: `{"query":"a"}`, want: `{"result":{"isError":true}}`, data: `{"error":"Failed to load registry","path":".agent/climpt/registry.json","details":"File not found"}`,
		},
		{lines: "298-307", says: "a command that there is not", first: copiesRegistry, tool: "describe", args: `{"c1":"git","c2":"invalid-command","c3":"target"}`, want: `{"result":{"isError":true}}`, data: `{"error":"Command not found","c1":"climpt-git","c2":"invalid-command","c3":"target"}`},
		{lines: "298-307", says: "the same for execute", tool: "execute", args: `{"agent":"climpt","c1":"git","c2":"invalid-command","c3":"target"}`, want: `{"result":{"isError":true}}`, data: `{"error":"Command not found","c1":"climpt-git","c2":"invalid-command","c3":"target"}`},
	}
}

// copiesRegistry gives the project the registry of climpt's documents and prompts for some of its commands.
func copiesRegistry(t *testing.T, p *project) {
	t.Helper()
	agents := filepath.Join(p.dir, ".agent")
	assert.NoError(t, errors.Join(os.RemoveAll(agents), os.CopyFS(agents, os.DirFS("testdata/climpt"))))
}

// climptRegistry are the statements about a project with a registry.
func climptRegistry() []statement {
	const groupCommit = `"c1":"git","c2":"group-commit","c3":"unstaged-changes"`
	const proximity = `"description":"Group file changes by semantic proximity and execute multiple commits sequentially"`
	search := func(lines, says, query, data string) statement {
		return statement{lines: lines, says: says, tool: "search", args: `{"query":"` + query + `"}`, data: data}
	}
	band := func(lines, says, query string, least, most float64) statement {
		return statement{lines: lines, says: says, tool: "search", args: `{"query":"` + query + `"}`, check: func(t *testing.T, _ *seedClient, r seedReply) {
			t.Helper()
			hits, _ := jsonIn(r.text()).([]any)
			if len(hits) == 0 {
				t.Fatalf("nothing was found: %s", r.text())
			}
			first, _ := hits[0].(map[string]any)
			score, isNumber := first["score"].(float64)
			assert.True(t, isNumber, "the score is %v, want %g to %g", first["score"], least, most)
			assert.False(t, score < least, "the score is %v, want %g to %g", first["score"], least, most)
			assert.False(t, score > most, "the score is %v, want %g to %g", first["score"], least, most)
		}}
	}
	return []statement{
		{lines: "48, 50-72", says: "the fields of a result", tool: "search", args: `{"query":"group changes and commit","agent":"climpt"}`, data: `[{` + groupCommit + `,` + proximity + `},"..."]`, check: checkFiveFields},
		search("47-48", "agent is climpt without it", "group changes and commit", `[{`+groupCommit+`,`+proximity+`},"..."]`),
		{lines: "47", says: "query is required", tool: "search", want: `{"result":{"isError":true}}`, data: `{"error":"query parameter is required and must be a string"}`},
		{lines: "48", says: "another agent", tool: "search", args: `{"query":"plan a journey","agent":"scout"}`, data: `[{"c1":"steps"},"..."]`},
		{lines: "278-282", says: "sorted by descending score", tool: "search", args: `{"query":"branch"}`, check: checkDescending},
		band("288", "a very high match", "Merge derived branch to parent branch", 0.8, 1),
		band("289", "a moderate match", "merge derived branch", 0.5, 1),
		band("290", "a low match", "semantic commits", 0.2, 0.8),
		search("291", "what is unrelated is not found", "qqqq", `[]`),
		search("291", "nor is what only looks alike", "xylophone", `[]`),

		{lines: "103-125", says: "a command in detail", tool: "describe", args: `{"agent":"climpt",` + groupCommit + `}`, data: `{` + groupCommit + `,` + proximity + `,"usage":"climpt-git group-commit unstaged-changes",
			"options":{"edition":["default","short"],"adaptation":["default","detailed"],"file":true,"stdin":false,"destination":true}}`},
		{lines: "97", says: "agent is climpt without it", tool: "describe", args: `{` + groupCommit + `}`, data: `{` + groupCommit + `}`},
		{lines: "98-100", says: "the three words are required", tool: "describe", args: `{"c1":"git"}`, want: `{"result":{"isError":true}}`, data: `{"error":"c1, c2, and c3 parameters are all required"}`},
		{lines: "110-111", says: "usage and options are optional", tool: "describe", args: `{"c1":"git","c2":"find-oldest","c3":"descendant-branch"}`, data: `{"c1":"git","description":"Search and merge oldest related branch","usage":null,"options":null}`},

		{lines: "145-159", says: "the prompt as a text", tool: "execute", args: `{"agent":"climpt",` + groupCommit + `,"options":{}}`, text: "~^# Group the changes of "},
		{lines: "143", says: "options are optional", tool: "execute", args: `{"agent":"climpt",` + groupCommit + `}`, text: "~^# Group the changes of "},
		{lines: "143, 114", says: "an edition", tool: "execute", args: `{"agent":"climpt",` + groupCommit + `,"options":{"edition":"short"}}`, text: "~^# Commit "},
		{lines: "115", says: "an adaptation", tool: "execute", args: `{"agent":"climpt",` + groupCommit + `,"options":{"adaptation":"detailed"}}`, text: "~in detail"},
		{lines: "117-118", says: "a text and a destination", tool: "execute", args: `{"agent":"climpt","c1":"meta","c2":"create","c3":"instruction","options":{"stdin":"Do <it>","destination":"x.md"}}`, text: "~Do <it>\n\nWrite it to .*x.md"},
		{lines: "139-142", says: "agent and the words are required", tool: "execute", args: `{` + groupCommit + `}`, want: `{"result":{"isError":true}}`, data: `{"error":"agent, c1, c2, and c3 parameters are all required"}`},
		{lines: "255-270", says: "another agent has commands of its own", tool: "execute", args: `{"agent":"scout",` + groupCommit + `}`, data: `{"error":"Command not found","c1":"scout-git"}`},
		{lines: "322-330", says: "what cannot be executed", tool: "execute", args: `{"agent":"climpt",` + groupCommit + `,"options":{"edition":"long"}}`, want: `{"result":{"isError":true}}`, data: `{"error":"Execution failed","command":"climpt-git group-commit unstaged-changes","stderr":"~long"}`},

		{lines: "176-182", says: "the registry is read anew", tool: "reload", args: `{"agent":"climpt"}`, data: `{"success":true,"agent":"climpt","message":"~^Reloaded [0-9]+ commands"}`},
		{lines: "172", says: "agent is optional", tool: "reload", data: `{"success":true,"agent":"climpt"}`},
		{
			lines: "186-220", says: "the registry, with the least that it needs", first: func(_ *testing.T, p *project) {
				p.write(".agent/climpt/registry.json", `{"version":"1.0.0","description":"d","tools":{"commands":[{"c1":"git","c2":"prune","c3":"old-branches","description":"Prune branches that are old"}]}}`)
			},
			tool: "reload", args: `{"agent":"climpt"}`, data: `{"success":true}`,
		},
		search("337", "what was added is found", "prune branches that are old", `[{"c1":"git","c2":"prune","c3":"old-branches","description":"Prune branches that are old"},"..."]`),
		{
			lines: "312-320", says: "a registry that cannot be read", first: writesFile(".agent/climpt/registry.json", "{\n"),
			tool: "search", args: `{"query":"branch"}`, want: `{"result":{"isError":true}}`, data: `{"error":"Failed to load registry","path":".agent/climpt/registry.json","details":"~."}`,
		},
	}
}

// checkFiveFields: a result has five fields, and its score is from 0 to 1.
func checkFiveFields(t *testing.T, _ *seedClient, r seedReply) {
	t.Helper()
	hits, _ := jsonIn(r.text()).([]any)
	for _, each := range hits {
		hit, _ := each.(map[string]any)
		assert.Equal(t, 5, len(hit), "the fields are %v, want c1, c2, c3, description and score", hit)
		score, isNumber := hit["score"].(float64)
		assert.True(t, isNumber, "the score is %v, want 0 to 1", hit["score"])
		assert.False(t, score < 0, "the score is %v, want 0 to 1", hit["score"])
		assert.False(t, score > 1, "the score is %v, want 0 to 1", hit["score"])
	}
}

// checkDescending: no score is above the one before it.
func checkDescending(t *testing.T, _ *seedClient, r seedReply) {
	t.Helper()
	hits, _ := jsonIn(r.text()).([]any)
	if len(hits) < 2 {
		t.Fatalf("found %s, want more than one", r.text())
	}
	before := 1.0
	for _, each := range hits {
		hit, _ := each.(map[string]any)
		score, _ := hit["score"].(float64)
		assert.False(t, score > before, "the score %g follows %g", score, before)
		before = score
	}
}
