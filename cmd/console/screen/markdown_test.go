package screen

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestMarkdown: on a terminal with styles, prose is wrapped to its width, marks become styles, and code keeps its lines.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	styled := Canvas{Styled: true, Width: 30}
	for source, want := range map[string]string{
		"":      "",
		"\n":    "\n",
		"# A\n": "BC#0 BCA0\n",
		"one two three four five six seven eight\n": "one two three four five six\nseven eight\n",
		"a `b` *c* **d**\n":                         "a Yb0 Ic0 Bd0\n",
		"- [ ] x\n- [x] y\n":                        "• [ ] x\n• [x] y\n",
		"> q\n":                                     "D│0 q\n",
		"```sh\nchant add 'a long line that stays in one piece'\n```\n":      "  Ychant add 'a long line that stays in one piece'0\n",
		"| a | head |\n|---|---|\n| `b` | another one, longer than that |\n": "Ba0  Bhead0\nD──────────────────────────────0\nYb0  another one, longer than\n   that\n",
		"a\x1b[8mb\n": "ab\n",
	} {
		var out strings.Builder
		w := NewWriter(&out)
		_, err := w.Write([]byte(styled.Markdown(source)))
		assert.NoError(t, err)
		assert.NoError(t, w.Flush())
		got := strings.NewReplacer("\x1b[1m", "B", "\x1b[2m", "D", "\x1b[3m", "I", "\x1b[33m", "Y", "\x1b[36m", "C", "\x1b[0m", "0").Replace(out.String())
		assert.Equal(t, want, got, "%q", source)
		assert.Equal(t, source, (Canvas{Width: 30}).Markdown(source))
	}
}

// FuzzMarkdown: whatever is rendered, Writer passes on all of its styles, and nothing else is executed by a terminal.
func FuzzMarkdown(f *testing.F) {
	f.Add("# A *b* `c`\n```\n`b`\n```\n> **_x_** [y](z)\n<b>\n", 40)
	f.Add("\x1b[31mred\x1b]0;t\a", 10)
	f.Fuzz(func(t *testing.T, source string, width int) {
		styled := Canvas{Styled: true, Width: 10 + max(0, width)%200}.Markdown(source)
		var out strings.Builder
		w := NewWriter(&out)
		_, err := w.Write([]byte(styled))
		assert.NoError(t, err)
		assert.NoError(t, w.Flush())
		if strings.TrimSpace(source) != "" && out.String() != styled {
			t.Errorf("%q is rendered as %q, and written as %q", source, styled, out.String())
		}
	})
}
