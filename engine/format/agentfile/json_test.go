package agentfile

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"github.com/tailscale/hujson"
)

// TestMergeJSON compares whole results: everything except the insertion is unchanged.
func TestMergeJSON(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ have, want string }{
		"empty file":   {" \n", claudeFresh},
		"empty object": {"{}", strings.TrimSuffix(claudeFresh, "\n")},
		"no servers": {
			"{\n    \"a\": [1,  2]\n}\n",
			"{\n    \"a\": [1,  2],\n    \"mcpServers\": {\n        \"chant\": {\n            \"type\": \"stdio\",\n            \"command\": \"chant\",\n            \"args\": [\"mcp\"]\n        }\n    }\n}\n",
		},
		"empty servers": {
			"{\n\t\"mcpServers\": {}\n}\n",
			"{\n\t\"mcpServers\": {\n\t\t\"chant\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"chant\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n",
		},
		"comments": {
			"// top\n{\n  \"mcpServers\": { // servers\n    /* one */ \"z\": {\"command\": \"z\"} // last\n    // end\n  }, // behind\n  \"a\": 1e2\n}\n// bottom",
			"// top\n{\n  \"mcpServers\": { // servers\n    /* one */ \"z\": {\"command\": \"z\"}, // last\n    // end\n    \"chant\": {\n      \"type\": \"stdio\",\n      \"command\": \"chant\",\n      \"args\": [\"mcp\"]\n    }\n  }, // behind\n  \"a\": 1e2\n}\n// bottom",
		},
		"trailing comma": {
			"{\n  \"mcpServers\": {\n    \"z\": {}, // z\n  },\n}\n",
			"{\n  \"mcpServers\": {\n    \"z\": {}, // z\n    \"chant\": {\n      \"type\": \"stdio\",\n      \"command\": \"chant\",\n      \"args\": [\"mcp\"]\n    },\n  },\n}\n",
		},
		"one line": {
			`{"mcpServers":{"z":{}},"a":1}`,
			`{"mcpServers":{"z":{},"chant":{"type":"stdio","command":"chant","args":["mcp"]}},"a":1}`,
		},
		"one line, spaced": {
			`{ "mcpServers": { "z": {} } }`,
			`{ "mcpServers": { "z": {}, "chant":{"type":"stdio","command":"chant","args":["mcp"]} } }`,
		},
		"one line, nothing in it": {
			`{"mcpServers":{/* none */}}`,
			`{"mcpServers":{/* none */"chant":{"type":"stdio","command":"chant","args":["mcp"]}}}`,
		},
		"only a comment": {
			"{ // nothing yet\n}",
			"{ // nothing yet\n  \"mcpServers\": {\n    \"chant\": {\n      \"type\": \"stdio\",\n      \"command\": \"chant\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}",
		},
		"CRLF and BOM": {
			"\ufeff{\r\n  \"mcpServers\": {\r\n    \"z\": {}\r\n  }\r\n}\r\n",
			"\ufeff{\r\n  \"mcpServers\": {\r\n    \"z\": {},\r\n    \"chant\": {\r\n      \"type\": \"stdio\",\r\n      \"command\": \"chant\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n",
		},
		"ours, as it is":        {`{"mcpServers": {"chant": 7}}`, `{"mcpServers": {"chant": 7}}`},
		"ours, spelled so":      {`{"mcpServers": {"\u0063hant": {}}}`, `{"mcpServers": {"\u0063hant": {}}}`},
		"a server of no server": {`{"chant": {}, "mcpServers": {"chant": {}}}`, `{"chant": {}, "mcpServers": {"chant": {}}}`},
	} {
		got, err := MergeJSON("x.json", []byte(tc.have), []byte(ours(t, "claude.json")))
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, tc.want, string(got), "%s", name)
	}
}

// FuzzMergeJSON: whatever parses gets only insertions, keeps its meaning, and is
// not changed by a second merge.
func FuzzMergeJSON(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{ }", "{\n}", `{"a":1}`, "{\"a\":1 // x\n}", `{"mcpServers":{}}`, `{"mcpServers":{"a":{},},}`, "\ufeff{\r\n\"a\":[]\r\n}",
		"/**/{/**/\"mcpServers\"/**/:/**/{/**/}/**/}/**/", `{"mcpServers":{"chant":{}}}`, `{"mcpServers":[]}`, "{\"a\":1,\"b\":\n2}", `{"a":1,}`, "[", "{\"mcpServers\":{\n\"a\":1}}",
	} {
		f.Add([]byte(seed))
	}
	fresh, err := Template("claude.json")
	assert.NoError(f, err)
	f.Fuzz(func(t *testing.T, have []byte) {
		got, err := MergeJSON("x.json", have, fresh)
		if err != nil || len(bytes.TrimSpace(have)) == 0 {
			return
		}
		assert.True(t, inOrder(have, got), "%q became %q", have, got)
		again, err := MergeJSON("x.json", got, fresh)
		assert.NoError(t, err, "%q became", have)
		assert.Equal(t, got, again, "%q became", have)
		before, ok := decode(have)
		after, _ := decode(got)
		servers, _ := after["mcpServers"].(map[string]any)
		if !ok || bytes.Equal(have, got) {
			return // what readers of JSON refuse, such as bad UTF-8, has no meaning to compare
		}
		_, ours := servers[ourServer].(map[string]any)
		assert.True(t, ours, "%q became %q, which has no server of ours", have, got)
		delete(servers, ourServer)
		if _, had := before["mcpServers"]; !had {
			delete(after, "mcpServers")
		}
		assert.Equal(t, after, before, "%q became %q", have, got)
	})
}

func decode(src []byte) (map[string]any, bool) {
	plain, err := hujson.Standardize(bytes.Clone(bytes.TrimPrefix(src, []byte("\ufeff"))))
	if err != nil {
		return nil, false
	}
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber()
	return v, d.Decode(&v) == nil && v != nil
}

// inOrder reports whether b contains all of a, in the same order.
func inOrder(a, b []byte) bool {
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

func TestPlainJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"{}": true, "\ufeff{\"a\": [1]}\n": true, "{\"a\": \"// none\"}": true,
		"// one\n{}": false, "{\"a\": 1,}": false, "{} /* one */": false,
	} {
		assert.Equal(t, want, PlainJSON("x.json", []byte(text)), "%q", text)
	}
}
