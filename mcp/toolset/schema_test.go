package toolset

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"github.com/google/jsonschema-go/jsonschema"
)

type person struct {
	Name  string `json:"name" jsonschema:"Full name"`
	Level *int   `json:"level,omitempty" schema:"max=4"`
	Site  string `json:"site,omitempty" schema:"default=main"`
}

type nested struct {
	Title  string            `json:"title" jsonschema:"A title" schema:"minlen=1,maxlen=3"`
	Kind   string            `json:"kind,omitempty" schema:"enum=task|bug,default=task"`
	Depth  int               `json:"depth,omitempty" schema:"min=1,max=9,default=2"`
	Share  float64           `json:"share,omitempty" schema:"min=0"`
	Tags   []string          `json:"tags,omitempty" schema:"enum=a|b,minitems=1"`
	Owner  *person           `json:"owner,omitempty" jsonschema:"Who owns it"`
	Tasks  []person          `json:"tasks,omitempty"`
	Fields map[string]string `json:"fields,omitempty"`
	Due    time.Time         `json:"due,omitzero"`
}

func TestInputSchema(t *testing.T) {
	t.Parallel()
	const people = `{"type":"object","properties":{"name":{"type":"string","description":"Full name"},` +
		`"level":{"type":"integer","maximum":4},"site":{"type":"string","default":"main"}},"required":["name"]}`
	described := strings.Replace(people, `"required"`, `"description":"Who owns it","required"`, 1)
	refined := Param{Name: "kind", Text: "Its kind", Refine: func(s *jsonschema.Schema) { s.Enum = append(s.Enum, "chore") }}
	for name, tt := range map[string]struct {
		param Param
		want  string
	}{
		"string":           {Param{Name: "title"}, `{"type":"string","description":"A title","minLength":1,"maxLength":3}`},
		"enum and default": {Param{Name: "kind"}, `{"type":"string","default":"task","enum":["task","bug"]}`},
		"refined":          {refined, `{"type":"string","description":"Its kind","default":"task","enum":["task","bug","chore"]}`},
		"bounds":           {Param{Name: "depth"}, `{"type":"integer","default":2,"minimum":1,"maximum":9}`},
		"number":           {Param{Name: "share"}, `{"type":"number","minimum":0}`},
		"text or integer":  {Param{Name: "due", Integer: true}, `{"type":["string","integer"]}`},
		"list":             {Param{Name: "tags"}, `{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1}`},
		"object":           {Param{Name: "owner"}, described},
		"list of objects":  {Param{Name: "tasks"}, `{"type":"array","items":` + people + `}`},
		"map":              {Param{Name: "fields"}, `{"type":"object","additionalProperties":{"type":"string"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			params := []Param{{Name: "title"}, tt.param}
			if tt.param.Name == "title" {
				params = params[1:]
			}
			row := rowOf[nested](params...)
			raw, err := row.InputSchema()
			assert.NoError(t, err)
			var got struct {
				Type       string                     `json:"type"`
				Properties map[string]json.RawMessage `json:"properties"`
				Required   []string                   `json:"required"`
			}
			assert.NoError(t, json.Unmarshal(raw, &got))
			assert.Equal(t, tt.want, string(got.Properties[tt.param.Name]))
			assert.Equal(t, "object", got.Type, "around it: %s", raw)
			assert.Equal(t, len(params), len(got.Properties), "around it: %s", raw)
			assert.Equal(t, "title", strings.Join(got.Required, " "), "around it: %s", raw)
		})
	}
	raw, err := rowOf[nested](Param{Name: "tags"}, Param{Name: "title"}, Param{Name: "depth"}).InputSchema()
	assert.NoError(t, err, "not in the order of the row: %s", raw)
	assert.True(t, strings.Index(string(raw), `"tags":`) <= strings.Index(string(raw), `"title":`), "not in the order of the row: %s, %v", raw, err)
	assert.True(t, strings.Index(string(raw), `"title":`) <= strings.Index(string(raw), `"depth":`), "not in the order of the row: %s, %v", raw, err)
}

func TestInputSchema_refused(t *testing.T) {
	t.Parallel()
	type loop struct {
		Next []*loop `json:"next,omitempty"`
	}
	refine := func(change func(*jsonschema.Schema)) Tool {
		return rowOf[struct {
			A string `json:"a,omitempty"`
		}](Param{Name: "a", Refine: change})
	}
	for name, tt := range map[string]struct {
		row  Tool
		want string
	}{
		"misspelled": {rowOf[everyKind](Param{Name: "id"}, Param{Name: "cuont"}), `takes "cuont", which its operation does not have`},
		"required":   {rowOf[everyKind](Param{Name: "count"}), `does not take "id", which its operation requires`},
		"cycle":      {rowOf[loop](Param{Name: "next"}), "cycle"},
		"function": {rowOf[struct {
			A func() `json:"a,omitempty"`
		}](Param{Name: "a"}), "unsupported"},
		"tag": {rowOf[struct {
			A int `json:"a,omitempty" schema:"least=1"`
		}](Param{Name: "a"}), `schema tag "least=1": unknown key "least"`},
		"bound": {rowOf[struct {
			A int `json:"a,omitempty" schema:"min=one"`
		}](Param{Name: "a"}), "invalid syntax"},
		"tag inside": {rowOf[struct {
			A []struct {
				B int `json:"b,omitempty" schema:"x=1"`
			} `json:"a,omitempty"`
		}](Param{Name: "a"}), `b: schema tag`},
		"default": {rowOf[struct {
			A int `json:"a,omitempty" schema:"min=1,default=0"`
		}](Param{Name: "a"}), "default must be an integer of at least 1, not 0"},
		"keyword": {refine(func(s *jsonschema.Schema) { s.Format = "date" }), "a keyword that arguments are not checked against"},
		"pattern": {refine(func(s *jsonschema.Schema) { s.Pattern = "(" }), "missing closing"},
	} {
		raw, err := tt.row.InputSchema()
		assert.Error(t, err, "%s: %s", name, raw)
		assert.Contains(t, err.Error(), tt.want, "%s: %s", name, raw)
		_, err = tt.row.Decode(Arguments{})
		assert.Error(t, err, "%s: arguments are taken", name)
	}
	fields := rowOf[struct {
		A map[string]any `json:"a,omitempty"`
	}](Param{Name: "a", Refine: func(s *jsonschema.Schema) {
		s.Properties = map[string]*jsonschema.Schema{"size": {Type: "integer"}, "colour": {Type: "string"}}
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}})
	for in, want := range map[string]string{
		`{"a":{"size":1,"colour":"red"}}`: "",
		`{"a":{"size":"L"}}`:              `Invalid parameter: a.size must be an integer, not "L"`,
		`{"a":{"weight":1}}`:              "Unknown parameter: a.weight (allowed: colour, size)",
	} {
		_, err := decode(fields, in)
		assert.False(t, want == "" && err != nil, "%s: %v, want %q", in, err, want)
		assert.False(t, want != "" && (err == nil || err.Error() != want), "%s: %v, want %q", in, err, want)
	}
	matching := refine(func(s *jsonschema.Schema) { s.Pattern = "^[a-z]+$" })
	_, err := decode(matching, `{"a":"A"}`)
	assert.Error(t, err)
	assert.Equal(t, `Invalid parameter: a must be a string that matches ^[a-z]+$, not "A"`, err.Error())
}
