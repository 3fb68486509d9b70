package openspec

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestTrim(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" \t a b \r\n":                "a b",
		"\u00A0\uFEFFa\u2028\u3000":   "a",
		"\u0085a":                     "\u0085a",
		"\u200Ba":                     "\u200Ba",
		"":                            "",
		"\v\f":                        "",
		"\u2003\u205F\u1680 x \u202F": "x",
	} {
		assert.Equal(t, want, Trim(text), "Trim(%q)", text)
	}
	assert.Equal(t, "a ", TrimLeft(" a "))
	assert.Equal(t, " a", TrimRight(" a "))
}

func TestLength(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "abc": 3, "äö": 2, "🚧": 2, "\xff": 1} {
		assert.Equal(t, want, Length(text), "Length(%q)", text)
	}
}

func TestCutFold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, prefix, rest string
		ok                 bool
	}{
		{"Scenario: x", "scenario:", " x", true},
		{"SCENARIO:", "Scenario:", "", true},
		{"Scen", "Scenario:", "Scen", false},
		{"ſcenario: x", "Scenario:", "ſcenario: x", false},
	} {
		rest, ok := CutFold(c.text, c.prefix)
		assert.Equal(t, c.rest, rest, "CutFold(%q, %q)", c.text, c.prefix)
		assert.Equal(t, c.ok, ok, "CutFold(%q, %q)", c.text, c.prefix)
	}
}

func TestSameTitle(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{"requirements": true, "REQUIREMENTS": true, "Requirement": false, "Requirementſ": false} {
		assert.Equal(t, want, SameTitle(title, "Requirements"), "SameTitle(%q)", title)
	}
}

func TestCutBullet(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- a": " a", "*a": "a", "+": "", "12) a": " a", "123456789. a": " a",
		"1234567890. a": "-", "1 a": "-", "a": "-", "": "-", "1": "-",
	} {
		rest, ok := CutBullet(text)
		assert.Equal(t, want != "-", ok, "CutBullet(%q)", text)
		assert.False(t, ok && rest != want, "CutBullet(%q) = %q, %t", text, rest, ok)
	}
}

func TestCutBlank(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"  a": " a", "a": "a", "": "", "\u00A0a": "a", " ": ""} {
		assert.Equal(t, want, CutBlank(text), "CutBlank(%q)", text)
	}
}

func TestColumn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"a": 0, "  a": 2, "\ta": 4, " \ta": 4, "     a": 5, "\t\t": 8} {
		assert.Equal(t, want, Column(text), "Column(%q)", text)
	}
}

func TestFences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a|```|b|```|c":            ".xxx.",
		"```go|b|``|~~~|```  |c":   "xxxxx.",
		"````|```|````|a":          "xxx.",
		"        ~~~|a|~~~~~|b":    "xxx.",
		"```|a|``` not closed|b":   "xxxx",
		"``|a":                     "..",
		"text ```|a":               "..",
		"~~~|```|~~~|```|a|```|b|": "xxxxxx..",
	} {
		var got strings.Builder
		for _, fenced := range Fences(strings.Split(text, "|")) {
			got.WriteByte(map[bool]byte{true: 'x', false: '.'}[fenced])
		}
		assert.Equal(t, want, got.String(), "Fences(%q)", text)
	}
}

func TestUnix(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"a", "b", "c", "d"}, strings.Split(UnixLineEnds("a\r\nb\rc\nd"), "\n"))
}
