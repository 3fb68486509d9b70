package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

const person = `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}}`

func TestCompile_everyDraft(t *testing.T) {
	t.Parallel()
	for _, draft := range []string{
		"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-07/schema#",
		"https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema",
	} {
		s, err := Compile("s.json", []byte(`{"$schema":"`+draft+`","type":"object","required":["a"]}`))
		if err != nil {
			t.Errorf("%s: %v", draft, err)
			continue
		}
		got := s.Check([]byte(`{"a":1}`))
		assert.Zero(t, got, "%s: %v", draft, got)
		got = s.Check([]byte(`{}`))
		assert.Equal(t, 1, len(got), "%s", draft)
		assert.Contains(t, got[0].What, "a", "%s", draft)
	}
}

func TestCompile_refused(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		``:                        "is not valid JSON",
		`{`:                       "is not valid JSON",
		`{} {}`:                   "is not valid JSON",
		`[]`:                      "is not a schema: it must be an object",
		`"x"`:                     "is not a schema: it must be an object",
		`{"type":"objekt"}`:       "is not a schema: /type",
		`{"pattern":"("}`:         "is not a schema",
		`{"$ref":"#/nowhere"}`:    "is not a schema",
		`{"required":"a"}`:        "is not a schema: /required",
		`{"$ref":"#anchor"}`:      "is not a schema",
		`{"properties":{"a":[]}}`: "is not a schema: /properties/a",
	} {
		_, err := Compile("s.json", []byte(src))
		_, ok := errors.AsType[*Error](err)
		assert.True(t, ok, "%s: %v, want %q", src, err, want)
		assert.Contains(t, err.Error(), `schema "s.json" `+want, "%s: %q", src, want)
	}
	_, err := Compile("s.json", []byte(`{"title":"`+strings.Repeat("x", schemaLimit)+`"}`))
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "longer than")
}

func TestCompile_selfContained(t *testing.T) {
	t.Parallel()
	for src, where := range map[string]string{
		`{"$ref":"https://example.com/x.json"}`:                      "the network",
		`{"$ref":"http://127.0.0.1:1/x.json"}`:                       "the network",
		`{"$schema":"https://example.com/draft"}`:                    "the network",
		`{"properties":{"a":{"$ref":"ftp://example.com/x"}}}`:        "the network",
		`{"$ref":"file:///etc/passwd"}`:                              "a file",
		`{"$ref":"other.json"}`:                                      "another document",
		`{"$ref":"../../x.json#/a"}`:                                 "another document",
		`{"$id":"https://example.com/me","$ref":"other.json"}`:       "the network",
		`{"$id":"https://example.com/me","items":{"$ref":"/other"}}`: "the network",
	} {
		_, err := Compile("s.json", []byte(src))
		refers, ok := errors.AsType[*RefersError](err)
		assert.True(t, ok, "%s: %v, want %q", src, err, where)
		assert.Equal(t, where, refers.Where, "%s", src)
		assert.NotEqual(t, "", refers.To, "%s", src)
		assert.Contains(t, err.Error(), "refers to "+where, "%s", src)
	}
	for _, src := range []string{
		`{"$defs":{"a":{"type":"string"}},"$ref":"#/$defs/a"}`,
		`{"$id":"https://example.com/me","$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`,
		`{"$id":"https://example.com/me","$ref":"you","$defs":{"a":{"$id":"you","type":"string"}}}`,
		`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `true`, "\ufeff{}",
	} {
		_, err := Compile("s.json", []byte(src))
		assert.NoError(t, err, "%s", src)
	}
}

func TestCheck_namesPlaces(t *testing.T) {
	t.Parallel()
	s, err := Compile("person", []byte(person))
	assert.NoError(t, err)
	for src, want := range map[string]string{
		`{"name":"Ada"}`:              "",
		`{"name":1}`:                  "/name: got number, want string",
		`{"name":"A","tags":["x",1]}`: "/tags/1: got number, want string",
		`{"tags":7}`:                  "missing property 'name'; /tags: got number, want array",
		`[]`:                          "got array, want object",
		`nope`:                        "is not valid JSON: invalid character 'o' in literal null (expecting 'u')",
		`{} {}`:                       "is not valid JSON: invalid character after top-level value",
	} {
		assert.Equal(t, want, Spell(s.Check([]byte(src))), "%s", src)
	}
}

func TestCheck_isBounded(t *testing.T) {
	t.Parallel()
	s, err := Compile("list", []byte(`{"items":{"type":"string"}}`))
	assert.NoError(t, err)
	found := s.Check([]byte("[" + strings.Repeat("1,", 99) + "1]"))
	assert.Equal(t, problemLimit+1, len(found), "%v", found[len(found)-1])
	assert.Equal(t, "and 80 more", found[problemLimit].What, "%v", found[len(found)-1])
}
