package engine

import (
	"bytes"
	"strings"
	"testing"
)

func TestMergeSection(t *testing.T) {
	t.Parallel()
	const section = sectionBegin + "\nnew\n" + sectionEnd
	for name, tc := range map[string]struct{ have, want string }{
		"empty":         {"", section + "\n"},
		"at the end":    {"# A\n", "# A\n\n" + section + "\n"},
		"no line end":   {"# A", "# A\n\n" + section + "\n"},
		"same":          {"# A\n\n" + section + "\nB", "# A\n\n" + section + "\nB"},
		"replaced":      {"a\n" + sectionBegin + "\nold\nolder\n" + sectionEnd + "\nb  \n", "a\n" + section + "\nb  \n"},
		"at the bottom": {"a\n" + sectionBegin + "\n" + sectionEnd, "a\n" + section},
		"indented":      {"- a\n  " + sectionBegin + "  \n  " + sectionEnd + " \nb", "- a\n  " + section + " \nb"},
		"CRLF":          {"a\r\n" + sectionBegin + "\r\nold\r\n" + sectionEnd + "\r\nb\r\n", "a\r\n" + strings.ReplaceAll(section, "\n", "\r\n") + "\r\nb\r\n"},
		"in a sentence": {"The marker " + sectionBegin + " opens it.\n", "The marker " + sectionBegin + " opens it.\n\n" + section + "\n"},
	} {
		got, err := mergeSection("x.md", []byte(tc.have), []byte(section+"\n"))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, err, got, tc.want)
		}
	}
	for have, want := range map[string]string{
		"a\n" + sectionBegin + "\n":                                             "x.md:2: ",
		"a\n\n" + sectionEnd + "\n":                                             "x.md:3: ",
		sectionBegin + "\n" + sectionBegin + "\n" + sectionEnd + "\n":           "x.md:2: ",
		section + "\n" + section + "\n":                                         "x.md:4: ",
		sectionBegin + "\n" + sectionEnd + "\n" + sectionEnd + "\n" + "the end": "x.md:3: ",
	} {
		_, err := mergeSection("x.md", []byte(have), []byte(section))
		if codeOf(t, err) != Invalid || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", have, err)
		}
	}
}

func FuzzMergeSection(f *testing.F) {
	for _, seed := range []string{"", "a", "a\r\n", sectionBegin, sectionBegin + "\n" + sectionEnd, sectionEnd + "\n" + sectionBegin, "\n\n"} {
		f.Add([]byte(seed))
	}
	fresh, err := template("section.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, have []byte) {
		got, err := mergeSection("x.md", have, fresh)
		if err != nil {
			return
		}
		again, err := mergeSection("x.md", got, fresh)
		if err != nil || !bytes.Equal(got, again) || bytes.Count(got, []byte(sectionBegin)) < 1 {
			t.Fatalf("%q became %q, then %q, %v", have, got, again, err)
		}
		if !bytes.Contains(have, []byte(sectionBegin)) && !bytes.HasPrefix(got, have) {
			t.Fatalf("%q became %q", have, got)
		}
	})
}
