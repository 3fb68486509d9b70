package linter

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec/lint"

	"github.com/alecthomas/assert/v2"
)

// TestLint_templates reports why a template cannot be used, and unknown names, with their lines.
func TestLint_templates(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	found := lintTemplates(p)
	assert.Zero(t, found, "a project without templates: %+v", found)
	for name, text := range map[string]string{
		"good":   "---\nvariables:\n  - name: a\n---\n# {{a}}\n",
		"broken": "---\nname: broken\ntype: {{kind}}\n---\n# T\n",
		"odd":    "---\nname: other\ntype: code\n---\n# {{b}}\n",
		"kind":   "---\ntype: feature\n---\n# T\n",
		"values": "---\nprompt: missing\nprovider: noone\npriority: soon\nmodel: \"{{m}}\"\nvariables:\n- name: m\n---\n# T\n",
		"right":  "---\nprompt: spec/work/bootstrap\nprovider: shell\npriority: \"3\"\n---\n# T\n",
		"twice":  "---\nvariables:\n  - name: a\n  - name: a\n---\n# {{a}}\n",
	} {
		enginetest.Write(t, dir, ".chant/templates/"+name+".md", text)
	}
	r, err := Lint(t.Context(), p, LintInput{})
	assert.NoError(t, err)
	var got []string
	for _, f := range r.Findings {
		if f.Rule == lint.TemplateRule {
			got = append(got, fmt.Sprintf("%s:%d %s %s", strings.TrimPrefix(f.Path, ".chant/templates/"), f.Line, f.Severity, f.Message))
		}
	}
	want := []string{
		"broken.md:3 warning type: put quotes around a value that begins with braces",
		`kind.md:2 warning unknown type "feature"`,
		`odd.md:2 warning the name of a template is that of its file, "odd", not "other"`,
		"odd.md:5 warning {{b}} is not a variable of the template and is not replaced",
		`twice.md:4 warning variable "a" is declared twice`,
		`values.md:2 warning no prompt "missing"`,
		`values.md:3 warning `,
		`values.md:4 warning unknown priority "soon"`,
	}
	slices.Sort(got)
	assert.True(t, slices.EqualFunc(got, want, strings.HasPrefix), "got\n%s", strings.Join(got, "\n"))
	p.Config.Lint.Severity = map[string]lint.Severity{lint.TemplateRule: lint.Off}
	assert.Zero(t, lintTemplates(p))
}
