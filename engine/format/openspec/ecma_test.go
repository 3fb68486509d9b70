package openspec

import (
	"slices"
	"strings"
	"testing"
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
		if got := Trim(text); got != want {
			t.Errorf("Trim(%q) = %q, want %q", text, got, want)
		}
	}
	if got := TrimLeft(" a "); got != "a " {
		t.Errorf("TrimLeft = %q", got)
	}
	if got := TrimRight(" a "); got != " a" {
		t.Errorf("TrimRight = %q", got)
	}
}

func TestLength(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "abc": 3, "äö": 2, "🚧": 2, "\xff": 1} {
		if got := Length(text); got != want {
			t.Errorf("Length(%q) = %d, want %d", text, got, want)
		}
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
		if rest, ok := CutFold(c.text, c.prefix); rest != c.rest || ok != c.ok {
			t.Errorf("CutFold(%q, %q) = %q, %t", c.text, c.prefix, rest, ok)
		}
	}
}

func TestSameTitle(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{"requirements": true, "REQUIREMENTS": true, "Requirement": false, "Requirementſ": false} {
		if got := SameTitle(title, "Requirements"); got != want {
			t.Errorf("SameTitle(%q) = %t", title, got)
		}
	}
}

func TestCutBullet(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- a": " a", "*a": "a", "+": "", "12) a": " a", "123456789. a": " a",
		"1234567890. a": "-", "1 a": "-", "a": "-", "": "-", "1": "-",
	} {
		rest, ok := CutBullet(text)
		if ok != (want != "-") || ok && rest != want {
			t.Errorf("CutBullet(%q) = %q, %t", text, rest, ok)
		}
	}
}

func TestCutBlank(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"  a": " a", "a": "a", "": "", "\u00A0a": "a", " ": ""} {
		if got := CutBlank(text); got != want {
			t.Errorf("CutBlank(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestColumn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"a": 0, "  a": 2, "\ta": 4, " \ta": 4, "     a": 5, "\t\t": 8} {
		if got := Column(text); got != want {
			t.Errorf("Column(%q) = %d, want %d", text, got, want)
		}
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
		if got.String() != want {
			t.Errorf("Fences(%q) = %s, want %s", text, got.String(), want)
		}
	}
}

func TestUnix(t *testing.T) {
	t.Parallel()
	if got := strings.Split(UnixLineEnds("a\r\nb\rc\nd"), "\n"); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("got %q", got)
	}
}
