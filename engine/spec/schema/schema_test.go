package schema

import (
	"errors"
	"strings"
	"testing"
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
		if got := s.Check([]byte(`{"a":1}`)); len(got) != 0 {
			t.Errorf("%s: %v", draft, got)
		}
		if got := s.Check([]byte(`{}`)); len(got) != 1 || !strings.Contains(got[0].What, "a") {
			t.Errorf("%s: %v", draft, got)
		}
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
		if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), `schema "s.json" `+want) {
			t.Errorf("%s: %v, want %q", src, err, want)
		}
	}
	if _, err := Compile("s.json", []byte(`{"title":"`+strings.Repeat("x", schemaLimit)+`"}`)); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Error(err)
	}
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
		if !ok || refers.Where != where || refers.To == "" || !strings.Contains(err.Error(), "refers to "+where) {
			t.Errorf("%s: %v, want %q", src, err, where)
		}
	}
	for _, src := range []string{
		`{"$defs":{"a":{"type":"string"}},"$ref":"#/$defs/a"}`,
		`{"$id":"https://example.com/me","$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`,
		`{"$id":"https://example.com/me","$ref":"you","$defs":{"a":{"$id":"you","type":"string"}}}`,
		`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `true`, "\ufeff{}",
	} {
		if _, err := Compile("s.json", []byte(src)); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestCheck_namesPlaces(t *testing.T) {
	t.Parallel()
	s, err := Compile("person", []byte(person))
	if err != nil {
		t.Fatal(err)
	}
	for src, want := range map[string]string{
		`{"name":"Ada"}`:              "",
		`{"name":1}`:                  "/name: got number, want string",
		`{"name":"A","tags":["x",1]}`: "/tags/1: got number, want string",
		`{"tags":7}`:                  "missing property 'name'; /tags: got number, want array",
		`[]`:                          "got array, want object",
		`nope`:                        "is not valid JSON: invalid character 'o' in literal null (expecting 'u')",
		`{} {}`:                       "is not valid JSON: invalid character after top-level value",
	} {
		if got := Spell(s.Check([]byte(src))); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

func TestCheck_isBounded(t *testing.T) {
	t.Parallel()
	s, err := Compile("list", []byte(`{"items":{"type":"string"}}`))
	if err != nil {
		t.Fatal(err)
	}
	found := s.Check([]byte("[" + strings.Repeat("1,", 99) + "1]"))
	if len(found) != problemLimit+1 || found[problemLimit].What != "and 80 more" {
		t.Errorf("%d problems, last %v", len(found), found[len(found)-1])
	}
}
