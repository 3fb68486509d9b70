package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The drafts, by the numbers that people call them.
const (
	draft4    = 4
	draft6    = 6
	draft7    = 7
	draft2019 = 2019
	draft2020 = 2020
)

// drafts are the addresses of the drafts' meta-schemas, without scheme and fragment.
var drafts = map[string]int{
	"json-schema.org/draft-04/schema":      draft4,
	"json-schema.org/draft-06/schema":      draft6,
	"json-schema.org/draft-07/schema":      draft7,
	"json-schema.org/draft/2019-09/schema": draft2019,
	"json-schema.org/draft/2020-12/schema": draft2020,
	"json-schema.org/schema":               draft2020,
}

// draftOf returns the draft that an address names.
func draftOf(address string) (draft int, ok bool) {
	scheme, name, _ := strings.Cut(strings.TrimSuffix(address, "#"), "://")
	draft, ok = drafts[name]
	return draft, ok && (scheme == "http" || scheme == "https")
}

// keyword is a keyword in the drafts from one to another.
type keyword struct {
	name, vocabulary string // the vocabulary of the drafts since 2019, "" for those kept for old schemas
	from, to         int
	form             form
}

// form is what the value of a keyword looks like. The forms that contain schemas are listed in inside.
type form string

// forms describe each form by a schema; SELF is a reference to the meta-schema.
var forms = map[form]string{
	"schema":       `SELF`,
	"schemas":      `{"type":"array","minItems":1,"items":SELF}`,
	"named":        `{"type":"object","additionalProperties":SELF}`,
	"items":        `{"anyOf":[SELF,{"type":"array","minItems":1,"items":SELF}]}`,
	"extra":        `{"anyOf":[{"type":"boolean"},SELF]}`, // draft 4 has no boolean schemas
	"dependencies": `{"type":"object","additionalProperties":{"anyOf":[SELF,{"type":"array","uniqueItems":true,"items":{"type":"string"}}]}}`,
	"names":        `{"type":"array","uniqueItems":true,"items":{"type":"string"}}`,
	"someNames":    `{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string"}}`,
	"namedNames":   `{"type":"object","additionalProperties":{"type":"array","uniqueItems":true,"items":{"type":"string"}}}`,
	"text":         `{"type":"string"}`,
	"anchor":       `{"type":"string","pattern":"^[A-Za-z_][-A-Za-z0-9._]*$"}`,
	"address":      `{"type":"string","format":"uri"}`,
	"reference":    `{"type":"string","format":"uri-reference"}`,
	"resource":     `{"type":"string","format":"uri-reference","pattern":"^[^#]*#?$"}`,
	"regex":        `{"type":"string","format":"regex"}`,
	"type": `{"anyOf":[{"enum":["array","boolean","integer","null","number","object","string"]},{"type":"array","minItems":1,"uniqueItems":true,
		"items":{"enum":["array","boolean","integer","null","number","object","string"]}}]}`,
	"number":       `{"type":"number"}`,
	"positive":     `{"type":"number","not":{"maximum":0}}`,
	"count":        `{"type":"integer","minimum":0}`,
	"flag":         `{"type":"boolean"}`,
	"values":       `{"type":"array"}`,
	"someValues":   `{"type":"array","minItems":1,"uniqueItems":true}`,
	"vocabularies": `{"type":"object","additionalProperties":{"type":"boolean"}}`,
	"any":          `{}`,
}

// keywords are the keywords of all drafts that mean something to a validator.
var keywords = []keyword{
	{"id", "", draft4, draft4, "text"}, {"$id", "", draft6, draft7, "reference"}, {"$id", "core", draft2019, draft2020, "resource"},
	{"$schema", "", draft4, draft4, "text"}, {"$schema", "", draft6, draft7, "address"}, {"$schema", "core", draft2019, draft2020, "address"},
	{"$ref", "", draft4, draft7, "reference"}, {"$ref", "core", draft2019, draft2020, "reference"},
	{"$anchor", "core", draft2019, draft2020, "anchor"}, {"$dynamicAnchor", "core", draft2020, draft2020, "anchor"},
	{"$dynamicRef", "core", draft2020, draft2020, "reference"}, {"$recursiveRef", "core", draft2019, draft2019, "reference"},
	{"$recursiveAnchor", "core", draft2019, draft2019, "flag"}, {"$vocabulary", "core", draft2019, draft2020, "vocabularies"},
	{"$comment", "", draft7, draft7, "text"}, {"$comment", "core", draft2019, draft2020, "text"},
	{"$defs", "core", draft2019, draft2020, "named"}, {"definitions", "", draft4, draft2020, "named"},

	{"allOf", "applicator", draft4, draft2020, "schemas"}, {"anyOf", "applicator", draft4, draft2020, "schemas"},
	{"oneOf", "applicator", draft4, draft2020, "schemas"}, {"not", "applicator", draft4, draft2020, "schema"},
	{"if", "applicator", draft7, draft2020, "schema"}, {"then", "applicator", draft7, draft2020, "schema"},
	{"else", "applicator", draft7, draft2020, "schema"}, {"properties", "applicator", draft4, draft2020, "named"},
	{"patternProperties", "applicator", draft4, draft2020, "named"},
	{"additionalProperties", "applicator", draft4, draft4, "extra"}, {"additionalProperties", "applicator", draft6, draft2020, "schema"},
	{"propertyNames", "applicator", draft6, draft2020, "schema"}, {"dependencies", "", draft4, draft2020, "dependencies"},
	{"dependentSchemas", "applicator", draft2019, draft2020, "named"},
	{"items", "applicator", draft4, draft2019, "items"}, {"items", "applicator", draft2020, draft2020, "schema"},
	{"additionalItems", "applicator", draft4, draft4, "extra"}, {"additionalItems", "applicator", draft6, draft2019, "schema"},
	{"prefixItems", "applicator", draft2020, draft2020, "schemas"}, {"contains", "applicator", draft6, draft2020, "schema"},
	{"unevaluatedItems", "applicator", draft2019, draft2019, "schema"}, {"unevaluatedItems", "unevaluated", draft2020, draft2020, "schema"},
	{"unevaluatedProperties", "applicator", draft2019, draft2019, "schema"},
	{"unevaluatedProperties", "unevaluated", draft2020, draft2020, "schema"},

	{"type", "validation", draft4, draft2020, "type"}, {"const", "validation", draft6, draft2020, "any"},
	{"enum", "validation", draft4, draft4, "someValues"}, {"enum", "validation", draft6, draft2020, "values"},
	{"multipleOf", "validation", draft4, draft2020, "positive"}, {"minimum", "validation", draft4, draft2020, "number"},
	{"maximum", "validation", draft4, draft2020, "number"},
	{"exclusiveMinimum", "validation", draft4, draft4, "flag"}, {"exclusiveMinimum", "validation", draft6, draft2020, "number"},
	{"exclusiveMaximum", "validation", draft4, draft4, "flag"}, {"exclusiveMaximum", "validation", draft6, draft2020, "number"},
	{"minLength", "validation", draft4, draft2020, "count"}, {"maxLength", "validation", draft4, draft2020, "count"},
	{"pattern", "validation", draft4, draft2020, "regex"}, {"minItems", "validation", draft4, draft2020, "count"},
	{"maxItems", "validation", draft4, draft2020, "count"}, {"uniqueItems", "validation", draft4, draft2020, "flag"},
	{"minContains", "validation", draft2019, draft2020, "count"}, {"maxContains", "validation", draft2019, draft2020, "count"},
	{"minProperties", "validation", draft4, draft2020, "count"}, {"maxProperties", "validation", draft4, draft2020, "count"},
	{"required", "validation", draft4, draft4, "someNames"}, {"required", "validation", draft6, draft2020, "names"},
	{"dependentRequired", "validation", draft2019, draft2020, "namedNames"},

	{"format", "format", draft4, draft2019, "text"}, {"format", "format-annotation", draft2020, draft2020, "text"},
	{"contentEncoding", "content", draft7, draft2020, "text"}, {"contentMediaType", "content", draft7, draft2020, "text"},
	{"contentSchema", "content", draft2019, draft2020, "schema"}, {"title", "meta-data", draft4, draft2020, "text"},
	{"description", "meta-data", draft4, draft2020, "text"}, {"default", "meta-data", draft4, draft2020, "any"},
	{"examples", "meta-data", draft6, draft2020, "values"}, {"readOnly", "meta-data", draft7, draft2020, "flag"},
	{"writeOnly", "meta-data", draft2019, draft2020, "flag"}, {"deprecated", "meta-data", draft2019, draft2020, "flag"},
}

// formOf returns the form of a keyword in a draft; "" if the draft does not know it.
func formOf(draft int, name string) form { return formTables()[draft][name] }

var formTables = sync.OnceValue(func() map[int]map[string]form {
	tables := map[int]map[string]form{}
	for _, draft := range drafts {
		tables[draft] = map[string]form{}
		for _, k := range keywords {
			if k.from <= draft && draft <= k.to {
				tables[draft][k.name] = k.form
			}
		}
	}
	return tables
})

// metaSchema returns the meta-schema at an address, or one of its vocabularies.
func metaSchema(address string) (src map[string]any, draft int, ok bool) {
	if draft, ok = draftOf(address); ok {
		return decodeMeta(address, draft, ""), draft, true
	}
	folder, vocabulary, found := strings.Cut(address, "/meta/")
	draft, ok = draftOf(folder + "/schema")
	if vocabulary == "format-assertion" {
		vocabulary = "format-annotation"
	}
	if !found || !ok || !slices.Contains(vocabularies(draft), vocabulary) {
		return nil, 0, false
	}
	return decodeMeta(address, draft, vocabulary), draft, true
}

// vocabularies lists the vocabularies of a draft; a draft before 2019 has none.
func vocabularies(draft int) []string {
	var out []string
	for _, k := range keywords {
		if draft >= draft2019 && k.from <= draft && draft <= k.to && k.vocabulary != "" && !slices.Contains(out, k.vocabulary) {
			out = append(out, k.vocabulary)
		}
	}
	return out
}

// decodeMeta writes a meta-schema, or one of its vocabularies, from the table of keywords.
func decodeMeta(address string, draft int, vocabulary string) map[string]any {
	self, head := `{"$ref":"#"}`, `"$id":%q,"$schema":%[1]q,"type":["object","boolean"]`
	switch draft {
	case draft4:
		head = `"id":%q,"$schema":%[1]q,"type":"object","dependencies":{"exclusiveMinimum":["minimum"],"exclusiveMaximum":["maximum"]}`
	case draft2019:
		self, head = `{"$recursiveRef":"#"}`, head+`,"$recursiveAnchor":true`
	case draft2020:
		self, head = `{"$dynamicRef":"#meta"}`, head+`,"$dynamicAnchor":"meta"`
	}
	var known, parts []string
	for _, k := range keywords {
		if k.from <= draft && draft <= k.to && (draft <= draft7 || k.vocabulary == vocabulary) {
			known = append(known, fmt.Sprintf("%q:%s", k.name, strings.ReplaceAll(forms[k.form], "SELF", self)))
		}
	}
	if vocabulary == "" {
		for _, name := range vocabularies(draft) {
			parts = append(parts, fmt.Sprintf(`{"$ref":"meta/%s"}`, name))
		}
	}
	text := fmt.Sprintf(head, strings.TrimSuffix(address, "#")) + `,"properties":{` + strings.Join(known, ",") + `}`
	if len(parts) > 0 {
		text += `,"allOf":[` + strings.Join(parts, ",") + `]`
	}
	dec := json.NewDecoder(bytes.NewReader([]byte("{" + text + "}")))
	dec.UseNumber()
	var src map[string]any
	if err := dec.Decode(&src); err != nil {
		panic("the meta-schema at " + address + ": " + err.Error()) // it is written above
	}
	return src
}
