package climpt

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestParseOptions(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		``: "", `null`: "", `{}`: "", `""`: "", `[]`: "", `"  "`: "",
		`{"edition":"bug","adaptation":"short"}`:                                        "e=bug a=short",
		`{"edition":["default"],"adaptation":["x"],"file":false,"stdin":false,"uv":""}`: "e=default a=x",
		`{"file":"a.txt","destination":"o.md","stdin":"text","spec":"001"}`:             "f=a.txt o=o.md i=text s=001",
		`{"from":"a","input_text":"b"}`:                                                 "f=a i=b",
		`{"stdin":""}`:                                                                  "i=",
		`{"uv":{"b":"2","a":1.50},"uv-c":true,"uv-d":"x=y"}`:                            "a=1.50 b=2 c=true d=x=y",
		`{"uv":[{"a":"1"},{"b":"2"}]}`:                                                  "a=1 b=2",
		`["--edition=bug","-a","short","-f=x","-o","out","--uv-t=a=b"]`:                 "e=bug a=short f=x o=out t=a=b",
		`"-e=bug --uv-t='a b' -o \"x y\" --uv-q=a\\ b"`:                                 "e=bug o=x y q=a b t=a b",
		`"{\"edition\":\"bug\"}"`:                                                       "e=bug",
		`"[\"-e=bug\"]"`:                                                                "e=bug",
		`{"edition":5}`:                                                                 "! options.edition must be a string, not 5",
		`{"file":true}`:                                                                 "! options.file must be a string, not true",
		`{"edition":["a","b"]}`:                                                         `! options.edition must be a string, not ["a","b"]`,
		`{"colour":"x"}`:                                                                `! unknown option "colour"`,
		`{"uv":5}`:                                                                      "! options.uv must be an object",
		`{"uv":{"x":{}}}`:                                                               "! options.uv.x must be a string",
		`{"uv":{"x":""}}`:                                                               `! variable "x" is empty`,
		`{"uv-help":"x"}`:                                                               `! variable "help" is reserved`,
		`{"uv":{"../x":"y"}}`:                                                           "! invalid variable",
		`5`:                                                                             "! options must be an object, not 5",
		`true`:                                                                          "! options must be an object, not true",
		`{"colour":5}`:                                                                  `! unknown option "colour"`,
		`["-h"]`:                                                                        `! unknown option "h"`,
		`{"file":"a","from":"b"}`:                                                       `! option "from" is given twice`,
		`{"stdin":"","input":"b"}`:                                                      `! option "stdin" is given twice`,
		`{"uv-a":"1","uv":{"a":"2"}}`:                                                   `! variable "a" is given twice`,
		`["--uv-a=1","--uv-a=2"]`:                                                       `! variable "a" is given twice`,
		`["x"]`:                                                                         `! unexpected argument "x"`,
		`["-"]`:                                                                         `! unexpected argument "-"`,
		`["--edition"]`:                                                                 `! option "--edition" has no value`,
		`["-e","--uv-x=1"]`:                                                             `! option "-e" has no value`,
		`[5]`:                                                                           "! options as a list must be strings",
		`"-e 'bug"`:                                                                     "! options have a quote that does not end",
		`{"edition":"bug"`:                                                              "! options must be an object",
	} {
		g, err := ParseOptions(json.RawMessage(raw))
		got := spelled(g)
		if err != nil {
			got = "! " + err.Error()
		}
		assert.False(t, got != want && (err == nil || !strings.HasPrefix(got, want)), "%s: %s, want %s", raw, got, want)
	}
}

// spelled is what was given in a fixed order.
func spelled(g Given) string {
	var out []string
	for _, each := range []struct{ key, value string }{{"e", g.Edition}, {"a", g.Adaptation}, {"f", g.File}, {"o", g.Destination}} {
		if each.value != "" {
			out = append(out, each.key+"="+each.value)
		}
	}
	if g.Stdin != nil {
		out = append(out, "i="+*g.Stdin)
	}
	if g.Spec != "" {
		out = append(out, "s="+g.Spec)
	}
	for _, name := range keysOf(g.Variables) {
		out = append(out, fmt.Sprintf("%s=%s", name, g.Variables[name]))
	}
	return strings.Join(out, " ")
}

// FuzzParseOptions: any options are read or refused, and a variable has a name and a value.
func FuzzParseOptions(f *testing.F) {
	for _, raw := range []string{`{"uv":{"a":"b"}}`, `["-e=x"]`, `"-e x 'y"`, `"\"{}\""`, `[[]]`, `{"uv":[[{}]]}`} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		g, err := ParseOptions(raw)
		if err != nil {
			return
		}
		for name, value := range g.Variables {
			assert.NoError(t, CheckVariable(name), "%q", raw)
			assert.NotEqual(t, "", value, "%q", raw)
		}
	})
}
