package engine

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"chant/engine/lint"
)

// Extensions are looked at as prompts are, whoever names them, by lint as by the check of
// the settings; one that is broken is told of where it stands.
func TestPromptFaults_extensions(t *testing.T) {
	t.Parallel()
	_, dir := project(t)
	write(t, dir, ".chant/config.md", "---\ndefaults:\n  provider: shell\n  prompt_extensions: [named, torn, gone]\n---\n")
	write(t, dir, ".chant/prompts/extensions/named.md", "Do {{spec.id}}.\n\nSee {{spec.bad}}.\n")
	write(t, dir, ".chant/prompts/extensions/torn.md", "---\npurpose: x\n")
	write(t, dir, ".chant/prompts/extensions/unnamed.md", "---\npurpose: x\n---\n{{spec.worse}}\n")
	write(t, dir, ".chant/prompts/extensions/more.md", "---\nextends: standard\n---\n{{> parent}}\n")
	e, err := OpenToCheck(dir, Options{Environ: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	checked, err := e.CheckConfig(t.Context(), CheckConfigInput{})
	if err != nil {
		t.Fatal(err)
	}
	linted, err := e.Lint(t.Context(), LintInput{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`config.md:4 prompt extension "gone" does not exist`,
		"prompts/extensions/more.md:1 .chant/prompts/extensions/more.md extends a prompt",
		"prompts/extensions/named.md:3 {{spec.bad}} is no variable",
		`prompts/extensions/torn.md:1 front matter has no closing line "---"`,
		"prompts/extensions/unnamed.md:4 {{spec.worse}} is no variable",
	}
	for door, found := range map[string][]lint.Finding{"config": checked.Findings, "lint": linted.Findings} {
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s:%d %s", strings.TrimPrefix(f.Path, ".chant/"), f.Line, f.Message))
		}
		slices.Sort(got)
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: got\n%s\nwant\n%s", door, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
