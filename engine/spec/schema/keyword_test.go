package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func checkAgainst(t *testing.T, src, value string) string {
	t.Helper()
	s, err := Compile("s.json", []byte(src))
	if err != nil {
		t.Errorf("%s: %v", src, err)
		return ""
	}
	return Spell(s.Check([]byte(value)))
}

// TestKeywords names a problem for each keyword that a value can violate.
func TestKeywords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, value, want string }{
		{`{"type":["string","null"]}`, `1`, "got number, want string or null"},
		{`{"type":"integer"}`, `1.5`, "got number, want integer"},
		{`{"type":"integer"}`, `1e3`, ""},
		{`{"const":{"a":1.0}}`, `{"a":1}`, ""},
		{`{"const":1}`, `"1"`, "value must be 1"},
		{`{"enum":["a",1,[]]}`, `"b"`, "value must be one of 'a', 1, array"},
		{`{"minimum":2}`, `1`, "minimum: got 1, want 2"},
		{`{"exclusiveMaximum":2}`, `2.0`, "exclusiveMaximum: got 2.0, want 2"},
		{`{"multipleOf":0.1}`, `0.35`, "multipleOf: got 0.35, want 0.1"},
		{`{"multipleOf":0.01}`, `1.13`, ""},
		{`{"maximum":1e400}`, `1e999999999`, "maximum: got 1e999999999, want 1e400"},
		{`{"minLength":2,"maxLength":3}`, `"日"`, "minLength: got 1, want 2"},
		{`{"pattern":"^a"}`, `"b"`, "'b' does not match the pattern '^a'"},
		{`{"format":"date"}`, `"2026-02-30"`, "'2026-02-30' is not a valid date"},
		{`{"minItems":1}`, `[]`, "minItems: got 0, want 1"},
		{`{"uniqueItems":true}`, `[1,{"a":[2]},{"a":[2.0]}]`, "the items at 1 and 2 are equal"},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, `[1,2]`, "got 2 items, want at most 1; /0: got number, want string"},
		{`{"contains":{"const":1},"minContains":2,"maxContains":3}`, `[1]`, "1 items match the schema of contains, want at least 2"},
		{`{"contains":{"const":1},"unevaluatedItems":false}`, `[1,2]`, "/1: the schema allows no value here"},
		{`{"properties":{"a":true},"additionalProperties":false}`, `{"a":1,"b":2,"c'":3}`, `additional properties 'b', 'c\'' not allowed`},
		{`{"patternProperties":{"^n":{"type":"number"}}}`, `{"n/1":"x"}`, "/n~11: got string, want number"},
		{`{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, "the property name 'ab': maxLength: got 2, want 1"},
		{`{"required":["a","b"]}`, `{}`, "missing properties 'a', 'b'"},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, "missing property 'b', which 'a' requires"},
		{`{"dependentSchemas":{"a":{"maxProperties":1}}}`, `{"a":1,"b":2}`, "maxProperties: got 2, want 1"},
		{`{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, "unevaluated properties 'b' not allowed"},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, "got number, want string; got number, want null"},
		{`{"oneOf":[{"type":"number"},{"minimum":0}]}`, `1`, "it matches 2 schemas of oneOf (the first two are 0 and 1), want one"},
		{`{"not":{}}`, `1`, "it matches the schema of not"},
		{`{"if":{"type":"number"},"then":{"minimum":5},"else":false}`, `1`, "minimum: got 1, want 5"},
		{`{"if":{"type":"number"},"then":{"minimum":5},"else":false}`, `""`, "the schema allows no value here"},
		{`{"$ref":"#"}`, `1`, "the schema refers to itself without end"},
		{`{"$defs":{"t":{"properties":{"n":{"$ref":"#/$defs/t"}},"type":"object"}},"$ref":"#/$defs/t"}`, `{"n":{"n":1}}`, "/n/n: got number, want object"},
		{`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"properties":{"a":{"minimum":"1"}}}`, "/properties/a/minimum: got string, want number"},
		{`{"$ref":"https://json-schema.org/draft/2020-12/meta/core"}`, `{"minimum":"1","$id":1}`, "/$id: got number, want string"},
	} {
		assert.Equal(t, c.want, checkAgainst(t, c.src, c.value), "%s of %s", c.src, c.value)
	}
}

// TestKeywords_ofDrafts applies keywords in the drafts that know them.
func TestKeywords_ofDrafts(t *testing.T) {
	t.Parallel()
	addresses := map[int]string{}
	for name, draft := range drafts {
		if name != "json-schema.org/schema" {
			addresses[draft] = "http://" + name + "#"
		}
	}
	for _, c := range []struct {
		keys, value string
		violates    []int // the drafts in which the value violates the schema
	}{
		{`"minimum":1,"exclusiveMinimum":true`, `1`, []int{draft4}},
		{`"exclusiveMinimum":1`, `1`, []int{draft6, draft7, draft2019, draft2020}},
		{`"const":1`, `2`, []int{draft6, draft7, draft2019, draft2020}},
		{`"if":true,"then":false`, `2`, []int{draft7, draft2019, draft2020}},
		{`"items":[{"type":"string"}],"additionalItems":false`, `["",1]`, []int{draft4, draft6, draft7, draft2019}},
		{`"prefixItems":[{"type":"string"}]`, `[1]`, []int{draft2020}},
		{`"dependencies":{"a":["b"]}`, `{"a":1}`, []int{draft4, draft6, draft7, draft2019, draft2020}},
		{`"unevaluatedProperties":false`, `{"a":1}`, []int{draft2019, draft2020}},
		{`"definitions":{"a":true},"allOf":[{"$ref":"#/definitions/a","type":"string"}]`, `1`, []int{draft2019, draft2020}},
		{`"$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}},"type":"object"`, `{"a":1}`, []int{draft2019}},
		{`"$dynamicAnchor":"x","properties":{"a":{"$dynamicRef":"#x"}},"type":"object"`, `{"a":1}`, []int{draft2020}},
		{`"$defs":{"a":{"$anchor":"x","type":"string"}},"anyOf":[{"$ref":"#x"}]`, `1`, []int{draft2019, draft2020}},
		{`"format":"ipv4"`, `"1.2.3"`, []int{draft4, draft6, draft7, draft2019, draft2020}},
	} {
		for draft, address := range addresses {
			src := fmt.Sprintf(`{"$schema":%q,%s}`, address, c.keys)
			if draft < draft6 {
				src = strings.ReplaceAll(src, `"a":true`, `"a":{}`)
			}
			s, err := Compile("s.json", []byte(src))
			if err != nil {
				assert.NotSliceContains(t, c.violates, draft, "%s: %v", src, err)
				continue
			}
			found := s.Check([]byte(c.value))
			assert.Equal(t, slices.Contains(c.violates, draft), len(found) > 0, "%s of %s: %v", src, c.value, found)
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ valid, invalid []string }{
		"date":                  {[]string{"2024-02-29"}, []string{"2023-02-29", "2024-2-1", ""}},
		"time":                  {[]string{"08:30:06Z", "23:59:60z", "08:30:06.2+00:20", "00:29:60+00:30"}, []string{"08:30:06", "24:00:00Z", "12:00:60Z", "08:30:06+24:00"}},
		"date-time":             {[]string{"1963-06-19T08:30:06.28Z", "1963-06-19t08:30:06z"}, []string{"1963-06-19 08:30:06Z", "1963-06-19", "1963-02-30T08:30:06Z"}},
		"duration":              {[]string{"P1W", "P4DT12H30M5S", "PT1M", "P1Y2D"}, []string{"P", "PT", "P1DT", "P1D2Y", "1D", "P1W1D"}},
		"period":                {[]string{"1963-06-19T08:30:06Z/P1D", "P1D/1963-06-19T08:30:06Z"}, []string{"P1D/P1D", "P1D"}},
		"ipv4":                  {[]string{"127.0.0.1"}, []string{"127.0.0.01", "::1", "256.0.0.1", "1.2.3"}},
		"ipv6":                  {[]string{"::1", "::ffff:1.2.3.4"}, []string{"fe80::1%eth0", "1.2.3.4", "1::2::3"}},
		"hostname":              {[]string{"a-b.example", "a."}, []string{"-a", "a..b", "a_b", strings.Repeat("a", 64)}},
		"email":                 {[]string{"a.b@c.d", `"a b"@c`, "a@[127.0.0.1]", "a@[IPv6:::1]"}, []string{"@c", "a.@c", "a..b@c", "a b@c", "a@[1.2.3]", "a"}},
		"uri":                   {[]string{"http://a/b?c#d", "urn:x:y", "mailto:a@b"}, []string{"//a", "/a", `http:\\a`, "http://[::1"}},
		"uri-reference":         {[]string{"/a", "#b", "", "http://a"}, []string{`\a`, "%zz"}},
		"uri-template":          {[]string{"/{a}/{+b,c*}{?d:3}"}, []string{"/{a", "a}", "{a b}", "{}"}},
		"json-pointer":          {[]string{"", "/a~0~1", "//"}, []string{"a", "/~2", "/~"}},
		"relative-json-pointer": {[]string{"0", "1#", "2/a"}, []string{"", "01", "-1", "0##"}},
		"uuid":                  {[]string{"2eb8aa08-AA98-11ea-b4aa-73b441d16380"}, []string{"2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638"}},
		"semver":                {[]string{"1.2.3", "1.0.0-a.1+b"}, []string{"1.2", "01.0.0", "v1.0.0"}},
		"regex":                 {[]string{"^a+$"}, []string{"("}},
		"unheard-of":            {[]string{"anything"}, nil},
	} {
		for _, text := range c.valid {
			assert.True(t, matchesFormat(name, text), "%s refuses %q", name, text)
		}
		for _, text := range c.invalid {
			assert.False(t, matchesFormat(name, text), "%s accepts %q", name, text)
		}
	}
}

// FuzzCompile compiles any schema and checks the schema itself with it.
func FuzzCompile(f *testing.F) {
	for _, src := range []string{
		person, `true`, `{"$ref":"#/$defs/a","$defs":{"a":{"$id":"b","$anchor":"c"}}}`, `{"items":[{}],"$schema":"http://json-schema.org/draft-07/schema#"}`,
		`{"$dynamicRef":"#meta","$dynamicAnchor":"meta"}`, `{"$ref":"#/enum/0","enum":[{"$ref":"#"}]}`, `{"$id":"urn:a:b","$ref":"#/%25"}`,
		`{"multipleOf":1e-9999999,"minItems":1e99}`, `{"$ref":"https://json-schema.org/draft/2019-09/schema","dependencies":{"a":["b"]}}`,
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s, err := Compile("s.json", []byte(src))
		if err != nil {
			return
		}
		if len(src) < 2000 && json.Valid([]byte(src)) {
			s.Check([]byte(src))
		}
	})
}
