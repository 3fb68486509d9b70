package agentfile

import (
	"bytes"
	"strings"
	"testing"
)

func TestMergeSection(t *testing.T) {
	t.Parallel()
	const section = SectionBegin + "\nnew\n" + SectionEnd
	for name, tc := range map[string]struct{ have, want string }{
		"empty":         {"", section + "\n"},
		"at the end":    {"# A\n", "# A\n\n" + section + "\n"},
		"no line end":   {"# A", "# A\n\n" + section + "\n"},
		"same":          {"# A\n\n" + section + "\nB", "# A\n\n" + section + "\nB"},
		"replaced":      {"a\n" + SectionBegin + "\nold\nolder\n" + SectionEnd + "\nb  \n", "a\n" + section + "\nb  \n"},
		"at the bottom": {"a\n" + SectionBegin + "\n" + SectionEnd, "a\n" + section},
		"indented":      {"- a\n  " + SectionBegin + "  \n  " + SectionEnd + " \nb", "- a\n  " + section + " \nb"},
		"CRLF":          {"a\r\n" + SectionBegin + "\r\nold\r\n" + SectionEnd + "\r\nb\r\n", "a\r\n" + strings.ReplaceAll(section, "\n", "\r\n") + "\r\nb\r\n"},
		"in a sentence": {"The marker " + SectionBegin + " opens it.\n", "The marker " + SectionBegin + " opens it.\n\n" + section + "\n"},
	} {
		got, err := MergeSection("x.md", []byte(tc.have), []byte(section+"\n"))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, err, got, tc.want)
		}
	}
	for have, want := range map[string]string{
		"a\n" + SectionBegin + "\n":                                             "x.md:2: ",
		"a\n\n" + SectionEnd + "\n":                                             "x.md:3: ",
		SectionBegin + "\n" + SectionBegin + "\n" + SectionEnd + "\n":           "x.md:2: ",
		section + "\n" + section + "\n":                                         "x.md:4: ",
		SectionBegin + "\n" + SectionEnd + "\n" + SectionEnd + "\n" + "the end": "x.md:3: ",
	} {
		_, err := MergeSection("x.md", []byte(have), []byte(section))
		if !isFileError(err) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", have, err)
		}
	}
}

func FuzzMergeSection(f *testing.F) {
	for _, seed := range []string{"", "a", "a\r\n", SectionBegin, SectionBegin + "\n" + SectionEnd, SectionEnd + "\n" + SectionBegin, "\n\n"} {
		f.Add([]byte(seed))
	}
	fresh, err := Template("section.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, have []byte) {
		got, err := MergeSection("x.md", have, fresh)
		if err != nil {
			return
		}
		again, err := MergeSection("x.md", got, fresh)
		if err != nil || !bytes.Equal(got, again) || bytes.Count(got, []byte(SectionBegin)) < 1 {
			t.Fatalf("%q became %q, then %q, %v", have, got, again, err)
		}
		if !bytes.Contains(have, []byte(SectionBegin)) && !bytes.HasPrefix(got, have) {
			t.Fatalf("%q became %q", have, got)
		}
	})
}
