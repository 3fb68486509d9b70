package openspec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// describe prints requirements with their lines.
func describe(blocks []*block) string {
	var out []string
	for _, b := range blocks {
		text := fmt.Sprintf("%d %s [%s]", b.line+1, b.name, statement(b.body))
		for _, s := range nonEmpty(scenariosOf(b.body, b.line+1)) {
			text += fmt.Sprintf(" %d %s (%s)", s.line, s.name, s.text)
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestParseSpec(t *testing.T) {
	t.Parallel()
	text := "\uFEFF# Title\r\n\r\n## Purpose\r\nWhat\r\nfor.\r\n\r\n### Detail\r\n\r\n## Requirements\r\n" +
		"### Requirement: One ##\r\nIt SHALL.\r\n\r\nAnd more.\r\n```\r\n### Requirement: No\r\n```\r\n#### Scenario: A\r\n- x\r\n- y\r\n#### Empty\r\n" +
		"### The system MUST\r\n#### B ####\r\n##### Deep\r\n### Alone\r\n#### Empty\r\n## Notes\r\n### Requirement: Outside\r\n"
	got := parseSpec(readPage(text))
	want := livingSpec{purpose: "What\nfor.\n\n### Detail", sectioned: true, requirements: []specRequirement{
		{10, "It SHALL.\nAnd more.", true}, {21, "The system MUST", true}, {24, "Alone", false},
	}}
	assert.Equal(t, want, got)
}

func TestParseDelta(t *testing.T) {
	t.Parallel()
	text := `## Purpose
For a reason.

## ADDED Requirements
### Requirement: One
It SHALL.
#### Scenario: A
- x

## Notes
### Requirement: Lost

## modified requirements

###Requirement:Two
**ID**: 7
#### Scenario: B
- y
#### Scenario: C

## REMOVED Requirements
### Requirement: Three
- ` + "`### Requirement: Four`" + `
  * ### Requirement: Five
text ### Requirement: Six

## RENAMED Requirements
- FROM: ` + "`### Requirement: Old`" + `
- TO: ` + "`### Requirement: New`" + `
FROM: ###Requirement: A
TO: ### Requirement: B ##
- FROM: ` + "`### Requirement: Alone`" + `
## Added Requirements
### Requirement: Six
`
	d := ParseDelta([]byte(text))
	for _, c := range []struct{ got, want string }{
		{d.Purpose, "For a reason."},
		{describe(d.added), "5 One [It SHALL.] 7 A (- x); 34 Six []"},
		{describe(d.modified), "15 Two [**ID**: 7] 17 B (- y)"},
		{fmt.Sprint(d.Removed), "[{Three 22} {Four 23} {Five 24}]"},
		{fmt.Sprint(d.Renamed), "[{Old New 28} {A B 30}]"},
		{fmt.Sprint(d.unpaired), "[{FROM Alone 32}]"},
		{fmt.Sprint(d.sections), "[## ADDED Requirements ## MODIFIED Requirements ## REMOVED Requirements ## RENAMED Requirements]"},
	} {
		assert.Equal(t, c.want, c.got)
	}
	assert.Equal(t, 1, len(d.orphans))
	assert.Equal(t, "Lost", d.orphans[0].name)
	assert.Equal(t, 11, d.orphans[0].line)
	assert.Equal(t, `under "## Notes"`, d.orphans[0].place())
}

func TestPlainName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{" a ": "a", "a ##": "a", "a\t#  ": "a", "C#": "C#", "a\u00A0#": "a\u00A0#", "# #": "#", "##": "##", "": ""} {
		assert.Equal(t, want, plainName(name), "plainName(%q)", name)
	}
}

func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{{"Sign  In", "sign in", true}, {"Sign\tin ##", "SIGN IN", true}, {"Signin", "Sign in", false}, {"ÄPFEL", "äpfel", true}} {
		assert.Equal(t, c.want, foldName(c.a) == foldName(c.b), "%q and %q", c.a, c.b)
	}
}

func TestObliges(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"It SHALL.": true, "MUST": true, "it shall": false, "MUSTARD": false, "_MUST": false, "äMUST": true, "MUSTARD or MUST": true, "SHALLOW, SHALL": true, "": false,
	} {
		assert.Equal(t, want, hasObligation(text), "obliges(%q)", text)
	}
}

func TestPurposeOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"## Purpose\nText\n## Next":                    "Text",
		"## PURPOSE\r\n\r\nText\r\n":                   "Text",
		"## Purpose\n<!-- x -->\n":                     "",
		"## Purpose\n```\ncode\n```\n":                 "",
		"## Purpose\nText <!-- x\n## More -->\n## End": "Text <!-- x\n## More -->",
		"<!--\n## Purpose\nText":                       "",
		"<!-- x --!>\n## Purpose\nText":                "Text",
		"```\n## Purpose\nText\n```":                   "",
		"# Purpose\nText":                              "",
		"\uFEFF## Purpose\nText":                       "",
	} {
		assert.Equal(t, want, purposeOf(text), "%q", text)
	}
}

func TestIsLoose(t *testing.T) {
	t.Parallel()
	const start = "# T\n\n## Purpose\nText.\n\nMore.\n"
	const requirement = "## Requirements\n\n### Requirement: A\nIt SHALL:\n\n- a\n- b\n\n#### Scenario: x\n\n- **WHEN** a\n  wrapped\n- **THEN** b\nlazily\n"
	for text, want := range map[string]bool{
		start + requirement:                                 false,
		"Intro.\n" + start + requirement:                    true,
		start + "# Second\n" + requirement:                  true,
		start + "Under\n-----\ntext\n" + requirement:        true,
		start + "<h2>Other</h2>\n" + requirement:            true,
		start + "## Other\ntext\n" + requirement:            true,
		start + requirement + "\nA note.\n":                 true,
		start + requirement + "> quoted\n":                  true,
		start + requirement + "### Notes\n":                 true,
		start + requirement + "  ## Indented\n":             true,
		start + requirement + "\n## After\n":                true,
		start + requirement + "```\ncode\n```\n":            false,
		start + requirement + "```\ncode\n```\ntext\n":      true,
		start + requirement + "100. step\n     more\n":      false,
		start + requirement + "100. step\n     ## More\n":   true,
		start + requirement + "#### Scenario: y\n| a | b |": true,
		start + requirement + "#### Other\n- z\n":           true,
	} {
		if got := isLoose(partsOf(text)); got != want {
			t.Errorf("%q: %t, want %t", strings.TrimPrefix(text, start), got, want)
		}
	}
}
