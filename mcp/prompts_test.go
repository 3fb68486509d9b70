package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writePrompt(t *testing.T, dir, name, text string) {
	t.Helper()
	folder := filepath.Join(dir, ".chant", "prompts")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	writePrompt(t, dir, "review", "---\npurpose: Look twice\n---\nLook at {{spec.id}}.\n")
	send := func(method, params string) string {
		return piped(t, opener(dir), Options{}, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)[0]
	}
	for _, tt := range []struct{ method, params, want string }{
		{"prompts/list", `{}`, `{"name":"review","description":"Look twice","arguments":[{"name":"id",`},
		{"prompts/list", `{}`, `"name":"standard"`},
		{"prompts/get", `{"name":"review"}`, `"description":"Look twice","messages":[{"role":"user","content":{"type":"text","text":"Look at {{spec.id}}.\n"}}]`},
		{"prompts/get", `{"name":"review","arguments":{"id":"001"}}`, `"text":"Look at ` + id + `.\n"`},
		{"prompts/get", `{"name":"standard","arguments":{"id":"001"}}`, id},
		{"prompts/get", `{"name":"nope"}`, `"error":{"code":-32602,"message":"no prompt \"nope\"`},
		{"prompts/get", `{"name":"prompt"}`, `"error":{"code":-32602,"message":"no prompt \"prompt\"`},
		{"prompts/get", `{"name":"../config"}`, `"error":{"code":-32602,`},
		{"prompts/get", `{}`, `"error":{"code":-32602,`},
		{"prompts/get", `{"name":"review","arguments":{"\u0000name":"standard"}}`, `Look at`},
		{"prompts/get", `{"name":"review","arguments":{"id":"999"}}`, `"error":{"code":-32602,"message":"no spec matches \"999\"`},
		{"prompts/get", `{"name":"review","arguments":{"speed":"9"}}`, `prompts take no argument \"speed\"`},
		{"prompts/get", `{"name":"review","arguments":{"id":7}}`, `"error":{"code":-32602,`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"id","value":"00"}}`, `"values":["` + id + `"]`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"speed","value":""}}`, `"values":[]`},
	} {
		if got := send(tt.method, tt.params); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: got %s, want in it %s", tt.method, tt.params, got, tt.want)
		}
	}
	if got := piped(t, nowhere, Options{}, `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)[0]; got != `{"jsonrpc":"2.0","result":{"prompts":[]},"id":1}` {
		t.Errorf("without a project got %s", got)
	}
}

func TestPrompts_listInPages(t *testing.T) {
	t.Parallel()
	dir := project(t, nil)
	const n = pageSize + 5
	for i := range n {
		writePrompt(t, dir, fmt.Sprintf("a%03d", i), "Do it.\n")
	}
	var first, second struct {
		Prompts []struct{ Name string } `json:"prompts"`
		Next    string                  `json:"nextCursor"`
	}
	list := func(cursor string, into any) {
		result(t, piped(t, opener(dir), Options{}, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":%q}}`, cursor))[0], into)
	}
	list("", &first)
	list(first.Next, &second)
	if len(first.Prompts) != pageSize || len(second.Prompts) <= n-pageSize || second.Next != "" || second.Prompts[0].Name != "a100" {
		t.Errorf("pages of %d and %d prompts, then %q", len(first.Prompts), len(second.Prompts), second.Next)
	}
}
