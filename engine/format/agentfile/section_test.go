package agentfile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, tc.want, string(got), "%s", name)
	}
	for have, want := range map[string]string{
		"a\n" + SectionBegin + "\n":                                             "x.md:2: ",
		"a\n\n" + SectionEnd + "\n":                                             "x.md:3: ",
		SectionBegin + "\n" + SectionBegin + "\n" + SectionEnd + "\n":           "x.md:2: ",
		section + "\n" + section + "\n":                                         "x.md:4: ",
		SectionBegin + "\n" + SectionEnd + "\n" + SectionEnd + "\n" + "the end": "x.md:3: ",
	} {
		_, err := MergeSection("x.md", []byte(have), []byte(section))
		assert.True(t, isFileError(err), "%q: %v", have, err)
		assert.HasPrefix(t, err.Error(), want, "%q", have)
	}
}

func FuzzMergeSection(f *testing.F) {
	for _, seed := range []string{"", "a", "a\r\n", SectionBegin, SectionBegin + "\n" + SectionEnd, SectionEnd + "\n" + SectionBegin, "\n\n"} {
		f.Add([]byte(seed))
	}
	fresh, err := Template("section.md")
	assert.NoError(f, err)
	f.Fuzz(func(t *testing.T, have []byte) {
		got, err := MergeSection("x.md", have, fresh)
		if err != nil {
			return
		}
		again, err := MergeSection("x.md", got, fresh)
		assert.NoError(t, err, "%q became", have)
		assert.Equal(t, again, got, "%q became", have)
		assert.True(t, bytes.Count(got, []byte(SectionBegin)) >= 1, "%q became %q, then %q, %v", have, got, again, err)
		assert.False(t, !bytes.Contains(have, []byte(SectionBegin)) && !bytes.HasPrefix(got, have), "%q became %q", have, got)
	})
}
