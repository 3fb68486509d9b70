package prompt

import (
	"errors"
	"strings"
	"testing"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// library returns a Finder for texts; names that begin with "+" are shipped.
func library(t *testing.T, texts map[string]string) Finder {
	t.Helper()
	return func(name string, shipped bool) (Prompt, error) {
		if src, ok := texts[name]; ok && !shipped {
			return Parse(name, name+".md", []byte(src))
		}
		src, ok := texts["+"+name]
		if !ok {
			return Prompt{}, &MissingError{name, "there is none"}
		}
		p, err := Parse(name, name+".md (shipped)", []byte(src))
		p.Shipped = true
		return p, err
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	find := library(t, map[string]string{
		"plain":     "Do it.\n",
		"child":     "---\npurpose: More\nextends: plain\n---\n\nFirst.\n{{> parent}}\nThen.\n",
		"grand":     "---\nextends: child\n---\n[{{>parent}}]\n",
		"+standard": "Shipped {{spec.id}}.\n",
		"standard":  "---\nextends: standard\n---\n{{> parent}} And more.\n",
		"+docs":     "---\nextends: standard\n---\n{{> parent}} Docs.\n",
	})
	for name, want := range map[string]string{
		"plain":    "Do it.\n",
		"child":    "First.\nDo it.\nThen.\n",
		"grand":    "[First.\nDo it.\nThen.]\n",
		"standard": "Shipped {{spec.id}}. And more.\n",
		"docs":     "Shipped {{spec.id}}. And more. Docs.\n", // shipped, and extends the project's own
	} {
		p, err := find(name, false)
		assert.NoError(t, err)
		got, err := p.Text(find)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, want, got, "%s", name)
	}
}

func TestText_refused(t *testing.T) {
	t.Parallel()
	find := library(t, map[string]string{
		"a":        "---\nextends: b\n---\n{{> parent}}\n",
		"b":        "---\npurpose: x\nextends: a\n---\n{{> parent}}\n",
		"own":      "---\nextends: own\n---\n{{> parent}}\n",
		"standard": "---\nextends: docs\n---\n{{> parent}}\n",
		"+docs":    "---\nextends: standard\n---\n{{> parent}}\n",
		"lost":     "---\nextends: nobody\n---\n{{> parent}}\n",
		"broken":   "---\nextends: bad\n---\n{{> parent}}\n",
		"bad":      "---\nextends: a\n---\nNo marker.\n",
	})
	for name, want := range map[string]string{
		"a":        "a.md:2: extends in a circle: a -> b -> a",
		"own":      `own.md:2: extends "own", there is none`,
		"standard": "standard.md:2: extends in a circle: standard -> docs (shipped) -> standard",
		"lost":     `lost.md:2: extends "nobody", there is none`,
		"broken":   `bad.md:2: extends "a", but has no {{> parent}} where that goes`,
	} {
		p, err := find(name, false)
		assert.NoError(t, err)
		_, err = p.Text(find)
		assert.Error(t, err, "%s", name)
		assert.Equal(t, want, err.Error(), "%s", name)
	}
}

func TestParse_refused(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"---\nextends: a\n":                                    "p.md:1: front matter has no closing line",
		"---\nname: x\nextends: a\n---\nText.\n":               `p.md:3: extends "a", but has no {{> parent}}`,
		"\n\nOne.\n{{> parent}}\n":                             "p.md:4: {{> parent}} is in a prompt that extends none",
		"---\nextends: a\n---\n\n{{> parent}}\n{{> parent}}\n": "p.md:6: {{> parent}} is used a second time",
		"---\nextends: [a]\n---\n{{> parent}}\n":               "p.md:2: ",
	} {
		_, err := Parse("p", "p.md", []byte(src))
		_, ok := errors.AsType[*markdown.SyntaxError](err)
		assert.True(t, ok, "%q: %v, want %s", src, err, want)
		assert.HasPrefix(t, err.Error(), want, "%q", src)
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	values := map[string]string{"a": "{{b}}", "b": "B", "spec.id": "x-1", "input_text": "text", "uv-x": "{a}", "uv-x-y_z": "last"}
	for text, want := range map[string]string{
		"":                       "",
		"{{a}}{{b}}":             "{{b}}B", // values are not searched
		"{{ a }} {{\tb}}":        "{{b}} B",
		"{{spec.id}} {{spec.i}}": "x-1 {{spec.i}}",
		"{{{b}}} ${b} ${{b}}":    "{B} ${b} $B",
		"{{#each a}}{{/each}}":   "{{#each a}}{{/each}}",
		"{{a b}} {{a\n}} {{":     "{{a b}} {{a\n}} {{",
		"{{b{{b}}":               "{{bB",
		// names of climpt
		"{input_text}, {input_text_file}":           "text, {input_text_file}",
		"{uv-x} {{uv-x}} {{ uv-x }} {{{uv-x}}}":     "{a} {a} {a} {{a}}", // values are not searched
		"{uv-X} {uv-} {uv-*} { uv-x } {uv-x-y_z}":   "{uv-X} {uv-} {uv-*} { uv-x } last",
		"${uv-x} ${input_text} $${uv-x} $ {uv-x}":   "${uv-x} ${input_text} $${uv-x} $ {a}",
		"{b} {spec.id} {} {{}} {{{}}}":              "{b} {spec.id} {} {{}} {{{}}}",
		`{"k": {uv-x}, "l": {"m": "{input_text}"}}`: `{"k": {a}, "l": {"m": "text"}}`,
		"{{uv-x} {uv-x}} {{b {uv-x}}} {{ {uv-x} }}": "{{a} {a}} {{b {a}}} {{ {a} }}",
		"func f() { return map[string]int{} }":      "func f() { return map[string]int{} }",
		"{uv-x\n} {uv-x":                            "{uv-x\n} {uv-x",
	} {
		assert.Equal(t, want, Fill(text, values), "%q", text)
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	p, err := Parse("p", "p.md", []byte("---\npurpose: x\n---\n\n{{spec.id}} {{spec.name}}\n${{ github.ref }}\n{{#each x}} {{ title }}\n"+
		"{uv-any} {{uv-any}} {input_text} ${uv-spec_x} {uv-special}\n{uv-spec_titel} {uv-spec_id} {{uv-spec-id}} {{my-name}}\n"))
	assert.NoError(t, err)
	want := []Use{{"spec.name", 5}, {"#each x", 7}, {"title", 7}, {"uv-spec_titel", 9}, {"uv-spec-id", 9}, {"my-name", 9}}
	got := p.Unknown()
	assert.Equal(t, len(want), len(got), "%v, want %v", got, want)
	for i := range want {
		assert.Equal(t, want[i], got[i])
	}
}

// TestShipped: every shipped prompt can be resolved, has a description and uses only known variables.
func TestShipped(t *testing.T) {
	t.Parallel()
	find := func(name string, _ bool) (Prompt, error) { return Shipped(name) }
	want := []string{Standard, "bootstrap", Split, Plan, Verify, MergeConflict, Documentation, ResearchAnalysis, ResearchSynthesis}
	got := ShippedNames()
	assert.Equal(t, len(want), len(got), "shipped are %v", got)
	for _, name := range want {
		p, err := Shipped(name)
		assert.NoError(t, err)
		text, err := p.Text(find)
		assert.NoError(t, err, "%v", name)
		assert.NotEqual(t, "", p.Description, "%v", name)
		assert.Zero(t, p.Unknown(), "%v", name)
		assert.True(t, len(text) >= 200, "%v %v %v", name, err, text)
		assert.NotContains(t, text, "---\n", "%v", name)
	}
}

// FuzzFill: without values a text stays as it is, and values are not searched.
func FuzzFill(f *testing.F) {
	for _, text := range []string{"{{a}}", "{{ a }}", "{{{a}}}", "x{{a}}{{b}}", "{{#each a}}", "{{a{{a}}", "{input_text}", "{{uv-a}} {{{uv-a}}} ${uv-a}", `{"a": {uv-a}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		assert.Equal(t, text, Fill(text, nil))
		if strings.Contains(text, "\x00") {
			t.Skip("contains the mark of the test")
		}
		const trap = "{{a}}"
		got := Fill(text, map[string]string{"a": trap})
		assert.Equal(t, strings.ReplaceAll(Fill(text, map[string]string{"a": "\x00"}), "\x00", trap), got, "%q became", text)
		values, marked := map[string]string{}, map[string]string{}
		for _, name := range Names(text) {
			values[name], marked[name] = "{{a}}{uv-a}{input_text}", "\x00"
		}
		got, once := Fill(text, values), Fill(text, marked)
		assert.Equal(t, strings.ReplaceAll(once, "\x00", "{{a}}{uv-a}{input_text}"), got, "%q became", text)
		if len(values) > 0 != (got != text) || strings.Count(once, "\x00") < len(values) {
			t.Fatalf("%q uses %v, and became %q", text, Names(text), got)
		}
	})
}

// FuzzParse: any file is read or refused with its path, and reported lines
// exist in it.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "---\nextends: p\n---\n{{> parent}}\n", "\ufeff\r\n{{x}}", "---\nextends: [\n---\n", "{{> parent}}{{> parent}}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("p", "p.md", []byte(text))
		if err != nil {
			assert.HasPrefix(t, err.Error(), "p.md:")
			return
		}
		for _, use := range p.Unknown() {
			assert.True(t, use.Line >= 1, "line %d of %q", use.Line, text)
			assert.True(t, use.Line <= 1+strings.Count(text, "\n"), "line %d of %q", use.Line, text)
		}
		got, err := p.Text(func(string, bool) (Prompt, error) { return Prompt{Name: "q", body: "Q"}, nil })
		assert.NoError(t, err)
		assert.False(t, p.Extends != "" && !strings.Contains(got, "Q"), "%q, %v", got, err)
	})
}
