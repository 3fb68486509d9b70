package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// seedCode is a project as the documents of SwiftIndex have it.
func seedCode() map[string]string {
	files := map[string]string{
		"Sources/Auth/Authenticatable.swift": "/// Something that can log in.\nprotocol Authenticatable {\n    func authenticate() -> Bool\n}\n",
		"Sources/Auth/User.swift":            "/// A person.\nstruct User: Authenticatable {\n    /// Checks the password of a person.\n    func authenticate() -> Bool { return true }\n}\n",
		"Sources/App/Guest.swift":            "class Guest {}\n\nextension Guest: Authenticatable {\n    func authenticate() -> Bool { return false }\n}\n",
		"Sources/App/web.ts":                 "/** Authentication of a web page. */\nexport function authenticatePage(): boolean { return true }\n",
		"docs/install.md":                    "# Installation\n\nInstallation takes one command.\n",
		"docs/deep/more.md":                  "# More\n\nInstallation in depth.\n",
	}
	chain := "func level0() { step() }\n"
	for i := 1; i <= 6; i++ {
		chain += fmt.Sprintf("func level%d() { level%d() }\n", i, i-1)
	}
	files["Sources/App/chain.swift"] = chain
	return files
}

// said is a message of the server.
type said struct {
	ID     json.RawMessage `json:"id"`
	Method string
	Result json.RawMessage
	Params struct {
		Progress, Total float64
		Message         string
	}
	Error *struct {
		Code    int
		Message string
	}
}

// request sends a request and returns its reply with the notifications that came before it.
func (m *mcpPipe) request(method string, params any) (reply said, notes []said) {
	m.t.Helper()
	m.last++
	id := fmt.Sprint(m.last)
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.last, "method": method, "params": params})
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(string(line))
	for {
		got, err := m.out.ReadBytes('\n')
		if err != nil {
			m.t.Fatal(err)
		}
		var one said
		if err := json.Unmarshal(got, &one); err != nil {
			m.t.Fatalf("%s in %s", err, got)
		}
		if string(one.ID) == id {
			return one, notes
		}
		notes = append(notes, one)
	}
}

// seedServer serves the code of the documents to a client of the protocol with tasks.
func seedServer(t *testing.T, files map[string]string) (*project, *mcpPipe) {
	t.Helper()
	p := newMCPProject(t)
	for name, text := range files {
		p.write(name, text)
	}
	p.git("add", ".")
	p.git("commit", "-q", "-m", "code")
	m := p.serve(t, p.dir, "--toolsets", "code")
	var hello struct {
		ProtocolVersion string
		Capabilities    struct{ Tasks map[string]any }
	}
	m.ask("initialize", fields{"protocolVersion": "2025-11-25", "capabilities": fields{}, "clientInfo": fields{"name": "e2e", "version": "1"}}, &hello)
	assert.Equal(t, "2025-11-25", hello.ProtocolVersion)
	assert.True(t, hello.Capabilities.Tasks != nil, "agreed on %+v", hello)
	m.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p, m
}

// TestCodeMCP_canceled: a task that is cancelled while it indexes leaves the answers as they were, and the next index is
// whole.
func TestCodeMCP_canceled(t *testing.T) {
	t.Parallel()
	files := seedCode()
	for i := range 120 {
		files[fmt.Sprintf("Sources/Many/f%d.swift", i)] = fmt.Sprintf("/// Counts the apples of tree %d.\nfunc apples%d() -> Int { return %d }\n", i, i, i)
	}
	p, m := seedServer(t, files)
	whole := m.do("index_codebase", fields{"path": p.dir})
	answers := func() string {
		text := ""
		for _, query := range []string{"check the password of a person", "apples of tree 17"} {
			raw, err := json.Marshal(m.do("search_code", fields{"query": query}))
			assert.NoError(t, err)
			text += string(raw)
		}
		return text
	}
	before := answers()
	type task struct{ TaskID, Status string }
	caught := false
	for try := 0; try < 5 && !caught; try++ {
		var created struct{ Task task }
		r, _ := m.request("tools/call", fields{
			"name": "index_codebase", "arguments": fields{"path": p.dir, "force": true}, "task": fields{"ttl": 60000}, "_meta": fields{"progressToken": fmt.Sprint("t", try)},
		})
		assert.NoError(t, json.Unmarshal(r.Result, &created), "%s", r.Result)
		assert.Equal(t, "working", created.Task.Status, "%s", r.Result)
		ended, _ := m.request("tasks/cancel", fields{"taskId": created.Task.TaskID})
		if ended.Error != nil {
			continue // it was faster
		}
		caught = true
		var got task
		assert.NoError(t, json.Unmarshal(ended.Result, &got), "cancelled: %s", ended.Result)
		assert.Equal(t, "cancelled", got.Status, "cancelled: %s", ended.Result)
		again, _ := m.request("tasks/cancel", fields{"taskId": created.Task.TaskID})
		assert.NotZero(t, again.Error)
		assert.Equal(t, -32602, again.Error.Code)
	}
	assert.True(t, caught, "each task ended before it could be cancelled")
	read := func(method string, params any) said { // what the tasks still report is not for the calls that follow
		r, _ := m.request(method, params)
		return r
	}
	r := read("tools/call", fields{"name": "search_code", "arguments": fields{"query": "apples of tree 17"}})
	assert.Zero(t, r.Error, "%+v", r)
	assert.Equal(t, before, answers(), "the answers have changed:")
	forced := m.do("index_codebase", fields{"path": p.dir, "force": true})
	for _, name := range []string{"total_files", "total_chunks", "total_snippets"} {
		assert.True(t, forced[name] == whole[name], "%s is %v, was %v", name, forced[name], whole[name])
	}
	m.end()
}

// TestCodeMCP_agent: with expand_query and synthesize the project's agent adds words, a summary and further queries; where
// it answers with something else, the search is what it is without it, and notices say why.
func TestCodeMCP_agent(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script")
	}
	files := seedCode()
	files[".chant/config.md"] = "---\ndefaults: {provider: helper}\n---\n"
	answers := t.TempDir()
	answer := func(text string) {
		assert.NoError(t, os.WriteFile(filepath.Join(answers, "answer"), []byte(text), 0o644))
	}
	files[".chant/providers/helper.md"] = "---\ncommand: sh\nargs: [-c, 'cat \"" + answers + "/answer\"', '{{prompt_file}}']\n---\n"
	p, m := seedServer(t, files)
	m.do("index_codebase", fields{"path": p.dir})

	answer("```json\n" + `{"synonyms": ["authenticate"], "related_concepts": ["password"], "variations": []}` + "\n```\n")
	found := m.do("search_code", fields{"query": "signing in", "expand_query": true})
	expanded, _ := found["expanded_query"].(map[string]any)
	assert.True(t, expanded["original"] == "signing in", "extended: %v", found)
	assert.Equal(t, "[authenticate]", fmt.Sprint(expanded["synonyms"]), "extended: %v", found)
	assert.SliceContains(t, pathsOf(t, found), "Sources/Auth/User.swift", "extended: %v", found)
	answer("```json\n" + `{"summary": "It logs in.", "key_insights": ["one"], "confidence": 0.8, "code_references": [{"file_path": "Sources/Auth/User.swift", "line_number": 4, "description": "checks"}],
"follow_ups": [{"query": "what calls authenticate", "rationale": "callers", "category": "related_code"}]}` + "\n```\n")
	found = m.do("search_code", fields{"query": "authenticate", "synthesize": true})
	summed, _ := found["synthesis"].(map[string]any)
	further, _ := found["follow_up_suggestions"].([]any)
	assert.True(t, summed["summary"] == "It logs in.", "summed up: %v", found)
	assert.Equal(t, 1, len(further))
	assert.True(t, found["notices"] == nil, "summed up: %v", found)
	answer("I cannot do that.\n")
	plain := m.do("search_code", fields{"query": "authenticate"})
	found = m.do("search_code", fields{"query": "authenticate", "expand_query": true, "synthesize": true})
	notices, _ := found["notices"].([]any)
	if !slices.Equal(pathsOf(t, found), pathsOf(t, plain)) || len(notices) != 2 {
		t.Errorf("without an answer: %v", found)
	}
	m.end()
}
