package openspec

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// describe prints requirements with their lines.
func describe(requirements []Requirement) string {
	var b strings.Builder
	for _, r := range requirements {
		fmt.Fprintf(&b, "%d %s [%s]", r.Line, r.Name, r.Text)
		for _, s := range r.Scenarios {
			fmt.Fprintf(&b, " %d %s (%s)", s.Line, s.Name, s.Text)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestParseSpec(t *testing.T) {
	t.Parallel()
	text := "\uFEFF# Title\r\n\r\n## Purpose\r\nWhat\r\nfor.\r\n\r\n### Detail\r\n\r\n## Requirements\r\n" +
		"### Requirement: One ##\r\nIt SHALL.\r\n\r\nAnd more.\r\n```\r\n### Requirement: No\r\n```\r\n#### Scenario: A\r\n- x\r\n- y\r\n#### Empty\r\n" +
		"### The system MUST\r\n#### B ####\r\nz\r\n##### Deep\r\n## Notes\r\n### Requirement: Outside\r\n"
	s := ParseSpec([]byte(text))
	if s.Title != "Title" || s.Purpose != "What\nfor.\n\n### Detail" {
		t.Errorf("got %q, %q", s.Title, s.Purpose)
	}
	want := "10 One [It SHALL.\nAnd more.] 17 A (- x\n- y); 21 The system MUST [The system MUST] 22 B (z\n##### Deep)"
	if got := describe(s.Requirements); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
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
		{describe(d.Added), "5 One [It SHALL.] 7 A (- x); 34 Six []"},
		{describe(d.Modified), "15 Two [**ID**: 7] 17 B (- y)"},
		{fmt.Sprint(d.Removed), "[{Three 22} {Four 23} {Five 24}]"},
		{fmt.Sprint(d.Renamed), "[{Old New 28} {A B 30}]"},
		{fmt.Sprint(d.unpaired), "[{FROM Alone 32}]"},
		{fmt.Sprint(d.sections), "[## ADDED Requirements ## MODIFIED Requirements ## REMOVED Requirements ## RENAMED Requirements]"},
	} {
		if c.got != c.want {
			t.Errorf("got\n%s\nwant\n%s", c.got, c.want)
		}
	}
	if len(d.orphans) != 1 || d.orphans[0].name != "Lost" || d.orphans[0].line != 11 || d.orphans[0].where() != `under "## Notes"` {
		t.Errorf("got %+v", d.orphans)
	}
}

func TestPlainName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{" a ": "a", "a ##": "a", "a\t#  ": "a", "C#": "C#", "a\u00A0#": "a\u00A0#", "# #": "#", "##": "##", "": ""} {
		if got := plainName(name); got != want {
			t.Errorf("plainName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{{"Sign  In", "sign in", true}, {"Sign\tin ##", "SIGN IN", true}, {"Signin", "Sign in", false}, {"ÄPFEL", "äpfel", true}} {
		if got := alike(c.a) == alike(c.b); got != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
	}
}

func TestObliges(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"It SHALL.": true, "MUST": true, "it shall": false, "MUSTARD": false, "_MUST": false, "äMUST": true, "MUSTARD or MUST": true, "SHALLOW, SHALL": true, "": false,
	} {
		if got := obliges(text); got != want {
			t.Errorf("obliges(%q) = %t", text, got)
		}
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
		if got := purposeOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestUnwritten(t *testing.T) {
	t.Parallel()
	const generated = "TBD - created by archiving change x. Update Purpose after archive."
	for purpose, want := range map[string]int{
		"TBD":                                  3,
		"\n\nTODO write it":                    5,
		"todo: write it":                       3,
		"tbd - later":                          3,
		"Todo el sistema":                      0,
		"TBDs are allowed":                     0,
		"TBD\u0661":                            0,
		"TODO_x":                               0,
		"Words.\n\n" + generated:               5,
		"```\nTBD\n```":                        0,
		"Words TBD":                            0,
		"TBD - created by archiving change x.": 3,
		"Says \"TBD - created by archiving change \" here.\n" + generated:         4,
		"Update Purpose after archive. Update Purpose after archive.\nNo prefix.": 0,
	} {
		file := "# T\n## Purpose\n" + purpose + "\n\n## Requirements\n"
		line, found := unwritten(ParseSpec([]byte(file)).Purpose, file)
		if found != (want > 0) || line != want {
			t.Errorf("%q: line %d, %t, want line %d", purpose, line, found, want)
		}
	}
}

func TestLooseLines(t *testing.T) {
	t.Parallel()
	const start = "# T\n\n## Purpose\nText.\n\nMore.\n"
	const requirement = "## Requirements\n\n### Requirement: A\nIt SHALL:\n\n- a\n- b\n\n#### Scenario: x\n\n- **WHEN** a\n  wrapped\n- **THEN** b\nlazily\n"
	for text, want := range map[string][]string{
		start + requirement:                                 nil,
		"Intro.\n" + start + requirement:                    {"Intro."},
		start + "# Second\n" + requirement:                  {"# Second"},
		start + "Under\n-----\ntext\n" + requirement:        {"Under", "text"},
		start + "<h2>Other</h2>\n" + requirement:            {"<h2>Other</h2>"},
		start + "## Other\ntext\n" + requirement:            {"## Other", "text"},
		start + requirement + "\nA note.\n":                 {"A note."},
		start + requirement + "\n- an item below\n":         {"- an item below"},
		start + requirement + "> quoted\n":                  {"> quoted"},
		start + requirement + "### Notes\n":                 {"### Notes"},
		start + requirement + "  ## Indented\n":             {"## Indented"},
		start + requirement + "\n## After\n":                {"## After"},
		start + requirement + "```\ncode\n```\n":            nil,
		start + requirement + "```\ncode\n```\ntext\n":      {"text"},
		start + requirement + "100. step\n     more\n":      nil,
		start + requirement + "100. step\n     ## More\n":   {"## More"},
		start + requirement + "- item\n\n  separate\n":      {"separate"},
		start + requirement + "#### Scenario: y\n| a | b |": {"| a | b |"},
		start + requirement + "#### Other\n- z\n":           {"#### Other"},
	} {
		got := looseLines(partsOf(text))
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n%q, want\n%q", strings.TrimPrefix(text, start), got, want)
		}
	}
}
