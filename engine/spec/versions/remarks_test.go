package versions

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestMergeRemarks(t *testing.T) {
	t.Parallel()
	const body, head, review = "# A\n\nText.\n", "\n## Approval Discussion\n\n", "\n## Review\n\n"
	calls := 0
	merge := MergeRemarks(func(base, ours, theirs []byte) ([]byte, bool, error) {
		calls++
		switch {
		case string(base) == string(theirs), string(ours) == string(theirs):
			return ours, false, nil
		case string(base) == string(ours):
			return theirs, false, nil
		}
		return ours, true, nil
	})
	for name, tt := range map[string]struct {
		base, ours, theirs, want string
		conflict                 bool
	}{
		"both add":         {body, body + head + "one\n", body + head + "two\n", body + head + "one\n\ntwo\n", false},
		"and the work too": {body, body + head + "one\n", body + "More.\n" + head + "two\n", body + "More.\n" + head + "one\n\ntwo\n", false},
		"only the text":    {body, body + head + "one\n", "# A\n\nOther.\n", "# A\n\nOther.\n" + head + "one\n", false},
		"one goes on":      {body + head + "one\n", body + head + "one\n\ntwo\n", body + head + "one\n\nthree\n", body + head + "one\n\ntwo\n\nthree\n", false},
		"one takes out":    {body + head + "one\n\ntwo\n", body + head + "two\n", body + head + "one\n\ntwo\n\nthree\n", body + head + "two\n\nthree\n", false},
		"both comment":     {body, body + review + "**A**\n> one\n", body + review + "**B**\n> two\n", body + review + "**A**\n> one\n\n**B**\n> two\n", false},
		"a comment edited": {body + review + "**A**\n> one\n", body + review + "**A**\n> one!\n", body + review + "**A**\n> one\n\n**B**\n> two\n", body + review + "**A**\n> one!\n\n**B**\n> two\n", false},
		"both sections":    {body, body + head + "one\n", body + review + "**B**\n> two\n", body + review + "**B**\n> two\n" + head + "one\n", false},
		"a plain section":  {body + review + "text\n", body + review + "text\n" + head + "one\n", body + "more\n" + review + "text\n", body + "more\n" + review + "text\n" + head + "one\n", false},
		"texts conflict":   {body, "# A\n\nOurs.\n" + head + "one\n", "# A\n\nTheirs.\n", "", true},
	} {
		got, conflict, err := merge([]byte(tt.base), []byte(tt.ours), []byte(tt.theirs))
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, tt.conflict, conflict, "%s", name)
		assert.False(t, !tt.conflict && string(got) != tt.want, "%s: %q, %v, %v, want %q", name, got, conflict, err, tt.want)
	}
	assert.NotEqual(t, 0, calls, "the texts were never merged")
}
