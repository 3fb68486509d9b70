package tools

import (
	"encoding/json"
	"errors"
	"testing"

	"chant/engine"
	"chant/engine/author/commands"
	"chant/engine/format/climpt"
	"chant/engine/prompt/library"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// decode reads the arguments of a call of a tool.
func decode(t *testing.T, tool toolset.Tool, raw string) (any, error) {
	t.Helper()
	args, err := toolset.ParseArguments([]byte(raw))
	assert.NoError(t, err)
	return tool.Decode(args)
}

func rows() map[string]toolset.Tool {
	out := map[string]toolset.Tool{}
	for _, t := range Commands().Tools {
		out[t.Name] = t
	}
	return out
}

// TestFailure: each failure is an object with the key error, alone in its text.
func TestFailure(t *testing.T) {
	t.Parallel()
	at := climpt.Name{C1: "git", C2: "group-commit", C3: "unstaged-changes"}
	refusal := func(err error) error { return &engine.Error{Code: engine.NotFound, Message: "no", Err: err} }
	for name, tt := range map[string]struct {
		tool string
		err  error
		text string
		want []string
	}{
		"unknown": {"climpt_describe", refusal(&library.NotFoundError{Agent: "climpt", Name: at}), "no\nnext: call search", []string{
			`{"error":"Command not found","c1":"climpt-git","c2":"group-commit","c3":"unstaged-changes"}`, "next: call search",
		}},
		"registry": {"climpt_search", refusal(&library.RegistryError{Path: ".agent/climpt/registry.json", Details: "File not found"}), "no", []string{
			`{"error":"Failed to load registry","path":".agent/climpt/registry.json","details":"File not found"}`,
		}},
		"execution": {"climpt_execute", refusal(&library.ExecutionError{Command: "climpt-git group-commit unstaged-changes", Stderr: "a\n<b>"}), "no", []string{
			`{"error":"Execution failed","command":"climpt-git group-commit unstaged-changes","stderr":"a\n<b>"}`,
		}},
		"other": {"climpt_reload", refusal(engine.ErrNotInitialized), "no\nhint: chant init", []string{`{"error":"no"}`, "hint: chant init"}},
		"bug":   {"climpt_reload", errors.New("details"), "", nil},
	} {
		f, ok := rows()[tt.tool].Failure(tt.err, tt.text)
		assert.Equal(t, tt.want != nil, ok, "%s: reported", name)
		if len(f.Texts) > 0 {
			f.Texts[0] = plain(t, f.Texts[0])
			structured, err := json.Marshal(f.Structured)
			assert.NoError(t, err, "%s: structured is %s", name, structured)
			assert.Equal(t, f.Texts[0], plain(t, string(structured)), "%s: structured is %s", name, structured)
		}
		if len(tt.want) > 0 {
			tt.want[0] = plain(t, tt.want[0])
		}
		assert.Equal(t, tt.want, f.Texts, "%s", name)
	}
}

// plain writes JSON in one form.
func plain(t *testing.T, text string) string {
	t.Helper()
	var v any
	assert.NoError(t, json.Unmarshal([]byte(text), &v), "%q", text)
	out, _ := json.Marshal(v)
	return string(out)
}

// TestFailure_arguments: missing parameters are reported with the sentences of climpt's server.
func TestFailure_arguments(t *testing.T) {
	t.Parallel()
	const all, four = "c1, c2, and c3 parameters are all required", "agent, c1, c2, and c3 parameters are all required"
	for _, tt := range []struct{ tool, args, want string }{
		{"climpt_search", `{}`, "query parameter is required and must be a string"},
		{"climpt_search", `{"query":""}`, "query parameter is required and must be a string"},
		{"climpt_execute", `{"agent":"","c1":"git","c2":"a","c3":"b"}`, four},
		{"climpt_search", `{"query":null}`, "query parameter is required and must be a string"},
		{"climpt_search", `{"query":5}`, "query parameter is required and must be a string: Invalid parameter: query must be a string of at least 1 character, not 5"},
		{"climpt_search", `{"query":"a","limit":0}`, "Invalid parameter: limit must be an integer from 1 to 100, not 0"},
		{"climpt_search", `{"query":"a","top":3}`, "Unknown parameter: top (allowed: query, agent, limit)"},
		{"climpt_describe", `{"c1":"git","c2":"a"}`, all},
		{"climpt_execute", `{"c1":"git","c2":"a","c3":"b"}`, four},
		{"climpt_execute", `{"agent":"climpt","c1":"git","c2":"a"}`, four},
		{"climpt_execute", `{"agent":"climpt","c1":"git","c2":"a","c3":"b","options":7}`, "Invalid parameter: options must be an object or a list of strings or a string, not 7"},
		{"climpt_reload", `{"agent":["a"]}`, `Invalid parameter: agent must be a string, not ["a"]`},
	} {
		tool := rows()[tt.tool]
		_, err := decode(t, tool, tt.args)
		if err == nil {
			t.Errorf("%s %s is accepted", tt.tool, tt.args)
			continue
		}
		f, _ := tool.Failure(err, err.Error())
		var got struct{ Error string }
		assert.NoError(t, json.Unmarshal([]byte(f.Texts[0]), &got), "%s %s: got %s", tt.tool, tt.args, f.Texts[0])
		assert.Equal(t, tt.want, got.Error, "%s %s: got %s", tt.tool, tt.args, f.Texts[0])
	}
}

// TestDecode: options are accepted in three forms, and agent may be left out where nothing is executed.
func TestDecode(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`,"options":{"edition":"x","uv":{"a":"<b>"},"n":5}`: `{"edition":"x","n":5,"uv":{"a":"<b>"}}`,
		`,"options":["-f=x","--uv-a=b"]`:                    `["-f=x","--uv-a=b"]`,
		`,"options":"--edition=x"`:                          `"--edition=x"`,
		`,"options":null`:                                   `{}`,
		``:                                                  `{}`,
	} {
		in, err := decode(t, rows()["climpt_execute"], `{"agent":"climpt","c1":"a","c2":"b","c3":"c"`+raw+`}`)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		got := plain(t, string(in.(commands.ExecuteInput).Options))
		assert.Equal(t, plain(t, want), got, "%s: options", raw)
	}
	in, err := decode(t, rows()["climpt_search"], `{"query":"q"}`)
	got, ok := in.(commands.SearchInput)
	assert.NoError(t, err, "search without an agent: %+v", in)
	assert.True(t, ok, "search without an agent: %+v, %v", in, err)
	assert.Equal(t, "climpt", got.Agent, "search without an agent: %+v", in)
}

func TestTexts(t *testing.T) {
	t.Parallel()
	one := commands.Description{Command: climpt.Command{Name: climpt.Name{C1: "a", C2: "b", C3: "c"}, Description: "One"}}
	two := one
	two.Description = "Two"
	search := func(r commands.SearchResult) (string, error) { return searchText(commands.SearchInput{}, r) }
	describe := func(all ...commands.Description) (string, error) {
		return describeText(commands.DescribeInput{}, commands.DescribeResult{Commands: all})
	}
	none, _ := search(commands.SearchResult{})
	hit, _ := search(commands.SearchResult{Results: []commands.Hit{{Name: one.Name, Description: "One", Score: 0.9}}})
	single, _ := describe(one)
	both, _ := describe(one, two)
	for got, want := range map[string]string{
		none:   `[]`,
		hit:    `[{"c1":"a","c2":"b","c3":"c","description":"One","score":0.9}]`,
		single: `{"c1":"a","c2":"b","c3":"c","description":"One"}`,
		both:   `{"c1":"a","c2":"b","c3":"c","description":"One","variants":[{"c1":"a","c2":"b","c3":"c","description":"Two"}]}`,
	} {
		if plain(t, got) != plain(t, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
