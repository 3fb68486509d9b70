package template

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
	"go.yaml.in/yaml/v3"
)

// older is a template of the older chant.
const older = `---
name: add-feature
description: Add a new feature with tests
variables:
  - name: feature_name
    description: Name of the feature
    required: true
  - name: module
    description: Target module
    default: core
type: code
labels:
  - feature
  - "{{module}}"
target_files:
  - src/{{module}}.rs
---

# Add {{feature_name}} feature

The {{module}} module needs {{feature_name}} functionality. {{other}} stays.
`

func parsed(t *testing.T, src string) *Template {
	t.Helper()
	tmpl, err := Parse("add-feature", "add-feature.md", []byte(src))
	assert.NoError(t, err)
	return &tmpl
}

// spelled writes the keys of a filled template as YAML.
func spelled(t *testing.T, f Filled) string {
	t.Helper()
	root := &yaml.Node{Kind: yaml.MappingNode}
	for _, k := range f.Keys {
		root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: k.Name}, k.Value)
	}
	out, err := yaml.Marshal(root)
	assert.NoError(t, err)
	return string(out)
}

func TestFill(t *testing.T) {
	t.Parallel()
	for _, eol := range []string{"\n", "\r\n"} {
		for _, mark := range []string{"", "\ufeff"} {
			tmpl := parsed(t, mark+strings.ReplaceAll(older, "\n", eol))
			assert.Equal(t, "Add a new feature with tests", tmpl.Description)
			assert.Equal(t, 2, len(tmpl.Variables))
			assert.True(t, tmpl.Variables[0].Needed(), "%+v", tmpl)
			assert.Equal(t, "core", *tmpl.Variables[1].Default)
			got := tmpl.Fill(map[string]string{"feature_name": "{{module}} and {{other}}"})
			want := "# Add {{module}} and {{other}} feature\n\nThe core module needs {{module}} and {{other}} functionality. {{other}} stays.\n"
			assert.Equal(t, want, got.Body)
			assert.Equal(t, []string{"other"}, got.Left)
			assert.Equal(t, "type: code\nlabels: [feature, core]\ntarget_files: [src/core.rs]\n", spelled(t, got))
		}
	}
}

// TestFill_escapes: values keep the structure of the front matter, whatever they contain.
func TestFill_escapes(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"a: b", "# no comment", "two\nlines", "\n  indented", `"quoted" 'text'`, "true", "5", "null", "- item", "[x", "{a: b}", "*alias", "%", "---", "ä\u2028", "", " blank "} {
		got := parsed(t, older).Fill(map[string]string{"feature_name": "x", "module": value})
		var back struct {
			Labels, Targets []string
		}
		doc, err := markdown.Parse("x.md", []byte("---\ntype: code\n---\n"))
		assert.NoError(t, err)
		for _, k := range got.Keys {
			doc, err = doc.Apply(markdown.Set(k.Name, k.Value))
			assert.NoError(t, err, "%q", value)
		}
		_, err = doc.Get("labels", &back.Labels)
		assert.NoError(t, err, "%s", doc.Bytes())
		assert.Equal(t, 2, len(back.Labels), "%s", doc.Bytes())
		assert.Equal(t, value, back.Labels[1], "%s", doc.Bytes())
		_, err = doc.Get("target_files", &back.Targets)
		assert.NoError(t, err)
		assert.Equal(t, "src/"+value+".rs", back.Targets[0])
	}
}

// TestValues: required variables need a value that is not empty, and every name that the template uses may have one.
func TestValues(t *testing.T) {
	t.Parallel()
	tmpl := parsed(t, older)
	for _, values := range []map[string]string{nil, {"feature_name": ""}} {
		missing := tmpl.Missing(values)
		assert.Equal(t, 1, len(missing), "%v", values)
		assert.Equal(t, "feature_name", missing[0].Name, "%v", values)
	}
	assert.Zero(t, tmpl.Missing(map[string]string{"feature_name": "x"}))
	assert.Equal(t, []string{"feature", "z"}, tmpl.Unknown(map[string]string{"module": "", "other": "", "z": "", "feature": ""}))
	assert.Equal(t, []string{"feature_name", "module", "other"}, tmpl.Names())
}

func TestParse_refused(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"---\nname: x\n":                                                                  "1: front matter has no closing line",
		"---\nname: x\nvariables: [a]\n---\n":                                             "3: ",
		"---\nvariables:\n  - name: a\n  - description: x\n---\n":                         "4: variable 2 has no name",
		"---\nvariables:\n  - name: a b\n---\n":                                           `3: invalid name "a b" of a variable (use letters, digits, _ and -)`,
		"---\nvariables:\n  - name: a\n  - name: b\n  - name: a\n---\n":                   `5: variable "a" is declared twice`,
		"---\nvariables:\n  - name: a\n    required: perhaps\n---\n":                      "4: ",
		"---\nname: x\ntype: {{kind}}\n---\n":                                             "3: type: put quotes around a value that begins with braces",
		"---\nlabels:\n- {{a}} x\n---\n":                                                  "3: ",
		"---\ntype: feature\n---\n":                                                       `2: unknown type "feature" (one of code, `,
		"---\nname: x\nstatus: completed\n---\n":                                          "3: a new spec is pending",
		"---\nname: x\napproval: {required: true, status: approved}\n---\n":               "3: approval.status is decided for each spec",
		"---\nname: x\napproval: yes\n---\n":                                              "3: approval must be a mapping",
		"---\nname: x\ncompleted_at: 2026-01-01\n---\n":                                   `3: the key "completed_at" is written for each spec`,
		"---\nname: x\nname: y\n---\n":                                                    "3: ",
		"---\nname: [x]\n---\n":                                                           "2: ",
		"text \xff":                                                                       "1: it is not UTF-8 text",
		"---\na: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: &c [*b, *b]\nd: *c\ne: *missing\n---\n": "",
	} {
		_, err := Parse("x", "x.md", []byte(src))
		_, ok := errors.AsType[*markdown.SyntaxError](err)
		assert.True(t, ok, "%q: %v, want %s", src, err, want)
		assert.HasPrefix(t, err.Error(), "x.md:"+want, "%q: %s", src, want)
		assert.False(t, strings.Contains(src, ": {{") && !strings.Contains(err.Error(), "put quotes around"), "%q: %v", src, err)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	src := "---\nname: other\nvariables:\n  - name: a\n  - name: b\n    required: true\n    default: 5\ntype: code\n---\n# {{a}} {{a}} {{bb}}\n\n${{ github.ref }} {uv-x} {input_text} {{ b }}\n{{#if x}}\n"
	tmpl := parsed(t, src)
	want := []Warning{
		{2, `the name of a template is that of its file, "add-feature", not "other"`},
		{5, `variable "b" has a default, so it is not required`},
		{10, "{{bb}} is not a variable of the template and is not replaced"},
		{13, "{{#if x}} is not a variable of the template and is not replaced"},
	}
	assert.Equal(t, want, tmpl.Warnings())
	got := parsed(t, "---\nvariables:\n- name: a\n---\nText.\n").Warnings()
	assert.Equal(t, 1, len(got))
	assert.Equal(t, Warning{3, `variable "a" is not used`}, got[0])
	assert.Zero(t, parsed(t, strings.ReplaceAll(older, " {{other}} stays.", "")).Warnings())
}

// FuzzParse: any file is read or refused with its path; filled with nothing, it keeps its body, and with values of any
// text the front matter can be written.
func FuzzParse(f *testing.F) {
	for _, src := range []string{older, "", "\ufeff---\r\nname: x\r\n---\r\n{{a}}", "---\nx: &a [1]\ny: *a\n---\n", "---\n<<: {a: b}\n---\n", "---\nvariables:\n- name: a\nlimits: {time: '{{a}}'}\n---\n# {{a}}\n", "---\na: |\n  {{b}}\n ? x\n---\n"} {
		f.Add(src, "a: b\n#")
	}
	f.Fuzz(func(t *testing.T, src, value string) {
		tmpl, err := Parse("x", "x.md", []byte(src))
		if err != nil {
			assert.HasPrefix(t, err.Error(), "x.md:")
			return
		}
		for _, w := range tmpl.Warnings() {
			assert.True(t, w.Line >= 1, "%+v in %q", w, src)
			assert.True(t, w.Line <= 1+strings.Count(src, "\n"), "%+v in %q", w, src)
		}
		values := map[string]string{}
		for _, name := range tmpl.Names() {
			values[name] = value
		}
		unknown := tmpl.Unknown(values)
		assert.Zero(t, unknown, "%q: unknown %v", src, unknown)
		for _, v := range tmpl.Variables {
			assert.False(t, v.Default == nil && !slices.Contains(tmpl.Names(), v.Name), "%q: %+v", src, v)
		}
		if strings.ContainsFunc(value, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r == '\ufffd' || r == '\ufeff' || r == '\u007f'
		}) {
			return
		}
		doc, err := markdown.Parse("y.md", []byte("---\nstatus: pending\n---\n"))
		assert.NoError(t, err)
		for _, k := range tmpl.Fill(values).Keys {
			doc, err = doc.Apply(markdown.Set(k.Name, k.Value))
			assert.NoError(t, err, "%q with %q", src, value)
		}
	})
}
