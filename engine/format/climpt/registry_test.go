package climpt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestParseRegistry reads variables in all forms, and leaves out entries that cannot be used.
func TestParseRegistry(t *testing.T) {
	t.Parallel()
	src := "\ufeff" + `{
  "version": "1.0.0", "description": "d", "more": [1, {"tools": 2}],
  "tools": {
    "availableConfigs": [{"name": "old"}],
    "commands": [
      {"c1": "a", "c2": "b", "c3": "list", "description": "1", "uv": [{"x": "first", "y": "second"}, {"z": "third"}]},
      {"c1": "a", "c2": "b", "c3": "map", "description": "2", "options": {"edition": ["bug"], "stdin": true, "uv": {"y": "2", "x": "1"}}},
      {"c1": "a", "c2": "b", "c3": "none", "description": "3", "usage": "u", "uv": ""},
      {"c1": "a", "c2": "..", "c3": "odd",
       "description": "4"},
      {"c1": "a", "c2": "..", "c3": "odd",
       "description": "4"},
      {"c1": "a", "c2": "b", "c3": "reserved", "description": "5", "uv": [{"help": "x"}]}
    ]
  }
}`
	r, err := ParseRegistry("r.json", src)
	assert.NoError(t, err)
	var got []string
	for _, brief := range r.Commands {
		c, err := brief.Load("r.json")
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, fmt.Sprint(c.C3, c.Variables, c.TakesStdin(), c.TakesFile(), c.Editions()))
	}
	want := []string{"list[{x first} {y second} {z third}] false false []", "map[{y 2} {x 1}] true false [bug]", "none[] false false []", `r.json:13: a/b/reserved: variable "help" is reserved`}
	assert.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
	assert.Equal(t, 2, len(r.Faults))
	assert.Equal(t, `r.json:9: invalid c2 ".." (use letters, digits, - and _, at most 64)`, r.Faults[0].Error())
	assert.Equal(t, 11, r.Faults[1].Line)
	assert.Equal(t, "1.0.0", r.Version)
	assert.Equal(t, "d", r.Description)
	assert.Equal(t, "[a]", fmt.Sprint(r.Domains()))
}

func TestParseRegistry_refused(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"":                                 "r.json:1: invalid JSON: unexpected end",
		"{\n\"tools\": }":                  "r.json:2: invalid JSON",
		"[]":                               "r.json:1: it must be an object, not a list",
		"{}":                               `r.json:1: has no list "tools.commands"`,
		"{\n\"tools\": []}":                `r.json:2: "tools" must be an object, not a list`,
		"{\"tools\": {\"commands\": {}}}":  `r.json:1: "tools.commands" must be a list, not an object`,
		"{\"tools\": {\"commands\":\n[1]}": "r.json:2: invalid JSON",
		"{\"tools\": {\"commands\": []}}}": "r.json:1: invalid JSON",
		"{\"tools\": {\"commands\":\n[{\"c1\": {\"x\" 5}}]}}": "r.json:2: invalid JSON",
		"{\"version\": 5}": `r.json:1: "version" must be a string, not a number`,
	} {
		_, err := ParseRegistry("r.json", src)
		_, ok := errors.AsType[*Fault](err)
		assert.True(t, ok, "%q: %v, want %s", src, err, want)
		assert.Contains(t, err.Error(), want, "%q", src)
	}
}

// TestParseRegistry_entries reports what is wrong with an entry: with its line when the file is read, or when the entry
// is loaded.
func TestParseRegistry_entries(t *testing.T) {
	t.Parallel()
	const start = `{"c1": "a", "c2": "b", "c3": "c"`
	for entry, want := range map[string]string{
		`5`:                                      "r.json:2: it must be an object, not a number",
		`null`:                                   "r.json:2: c1 is empty",
		`{"c1": 5}`:                              `r.json:2: "c1" must be a string, not a number`,
		`{"c1": "a"}`:                            "r.json:2: c2 is empty",
		start + `, "description": 5}`:            `r.json:2: "description" must be a string, not a number`,
		start + `, "options": {"file": "yes"}}`:  `r.json:2: a/b/c: "options.file" must be true or false, not a string`,
		start + `, "options": 5}`:                `r.json:2: a/b/c: "options" must be an object, not a number`,
		start + `, "uv": 5}`:                     "r.json:2: a/b/c: uv must be a list of maps from a name to its description, not 5",
		start + `, "uv": [{"x": 5}]}`:            `r.json:2: a/b/c: uv must map a name to its description, not {"x": 5}`,
		start + `, "uv": [{"help": "x"}]}`:       `r.json:2: a/b/c: variable "help" is reserved`,
		start + `, "options": {"edition": "x"}}`: `r.json:2: a/b/c: "options.edition" must be a list, not a string`,
		`{"C1": "a", "c2": "b", "c\u0033": "c"}`: "",
		start + `, "description": "\u00e4\n\""}`: "",
	} {
		r, err := ParseRegistry("r.json", "{\"tools\": {\"commands\": [\n"+entry+"]}}")
		assert.NoError(t, err, "%s", entry)
		got := ""
		if len(r.Faults) > 0 {
			got = r.Faults[0].Error()
		} else if c, err := r.Commands[0].Load("r.json"); err != nil {
			got = err.Error()
		} else if c.String() != "a/b/c" {
			got = c.String()
		}
		assert.False(t, got != want && (want == "" || !strings.HasPrefix(got, want)), "%s: %s, want %s", entry, got, want)
	}
}

// TestFormat writes a registry that is read the same.
func TestFormat(t *testing.T) {
	t.Parallel()
	r := &Registry{Version: "1", Description: "<d>", Commands: []Command{
		{Name: Name{"a", "b", "c"}, Description: "d & e", Usage: "u <x>", Options: &Options{Edition: []string{"default"}, File: true}, Variables: Variables{{"y", "1"}, {"x", "2"}}},
		{Name: Name{"a", "b", "c"}, Description: "again"},
	}}
	src, err := r.Format()
	assert.NoError(t, err)
	back, err := ParseRegistry("r.json", string(src))
	assert.NoError(t, err, "%v", back)
	assert.Zero(t, back.Faults, "%v", back)
	assert.Equal(t, 2, len(back.Commands), "%v", back)
	for i, brief := range back.Commands {
		c, err := brief.Load("r.json")
		assert.NoError(t, err)
		assert.True(t, c.Same(r.Commands[i]), "%+v, %v, want %+v", c, err, r.Commands[i])
	}
	assert.False(t, r.Commands[0].Same(r.Commands[1]), "%s", src)
	assert.Contains(t, string(src), "u <x>")
	empty, err := (&Registry{}).Format()
	assert.NoError(t, err, "%s", empty)
	assert.Contains(t, string(empty), `"commands": []`)
}

// TestFormat_keeps keeps what it does not know, and the order of keys.
func TestFormat_keeps(t *testing.T) {
	t.Parallel()
	const mark = "\ufeff"
	src := `{"$schema": "x", "description": "d", "tools": {"more": [1], "commands": [{"own": 1, "c3": "c", "c1": "a", "c2": "b", "description": "<d>"}], "availableConfigs": [{"name": "old"}]}, "version": "1"}`
	r, err := ParseRegistry("r.json", mark+src)
	assert.NoError(t, err)
	var got, want bytes.Buffer
	out, err := r.Format()
	out, marked := bytes.CutPrefix(out, []byte(mark))
	assert.NoError(t, err)
	assert.True(t, marked, "%s, %v", out, err)
	assert.NoError(t, json.Compact(&got, out))
	assert.NoError(t, json.Compact(&want, []byte(src)))
	assert.Equal(t, want.String(), got.String(), "%s, want %s", &got, &want)
	r.Commands = append(r.Commands, Command{Name: Name{"d", "e", "f"}, Description: "new"})
	out, err = r.Format()
	assert.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), `"own": 1`)
	assert.Contains(t, string(out), `"new"`)
}

// TestParseRegistry_deep refuses what is nested too deeply, instead of running out of memory.
func TestParseRegistry_deep(t *testing.T) {
	t.Parallel()
	_, err := ParseRegistry("r.json", `{"x": `+strings.Repeat("[", 1<<20))
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "exceeded max depth")
}

// FuzzParseRegistry: any file is read or refused with a line that it has, and what was read is written and read again.
func FuzzParseRegistry(f *testing.F) {
	for _, src := range []string{"", "{", `{"tools":{"commands":[{"c1":"a","c2":"b","c3":"c","uv":[{"x":"y"}]},{"c1":""}]}}`, `{"tools":{"commands":[null,1]}}`, `{"tools":{"commands":[{"uv":{}}]},"tools":null}`} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := ParseRegistry("r", string(src))
		lines := 1 + strings.Count(string(src), "\n")
		if err != nil {
			fault, ok := errors.AsType[*Fault](err)
			assert.True(t, ok, "%q: %v", src, err)
			assert.True(t, fault.Line >= 1, "%q: %v", src, err)
			assert.True(t, fault.Line <= lines, "%q: %v", src, err)
			return
		}
		for _, fault := range r.Faults {
			assert.True(t, fault.Line >= 1, "%q: %v", src, fault)
			assert.True(t, fault.Line <= lines, "%q: %v", src, fault)
		}
		assert.True(t, json.Valid(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))), "%q is read", src)
		out, err := r.Format()
		assert.NoError(t, err)
		back, err := ParseRegistry("r", string(out))
		assert.NoError(t, err, "%q: %v", src, back)
		assert.Equal(t, len(r.Commands), len(back.Commands), "%q: %v", src, back)
		assert.Zero(t, back.Faults, "%q: %v", src, back)
	})
}
