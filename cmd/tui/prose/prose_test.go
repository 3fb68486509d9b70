package prose

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"github.com/charmbracelet/x/ansi"
)

func plain(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func TestRender(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ source, want string }{
		"a heading":    {"# A title\n\nText.\n", "# A title\n\nText."},
		"a paragraph":  {"one two three four five six seven", "one two three four\nfive six seven"},
		"boxes":        {"- [ ] open `$ go test`\n- [x] done\n", "• [ ] open $ go test\n• [x] done"},
		"loose":        {"- a\n\n- b\n", "• a\n\n• b"},
		"numbers":      {"3. a\n4. b\n   - c\n", "3. a\n4. b\n   • c"},
		"code":         {"```sh\n\tmake  all\n```\n", "      make  all"},
		"a quote":      {"> said\n> so\n", "│ said so"},
		"a table":      {"| a | b |\n|---|---|\n| 1 | 2 |\n", "a  b\n────\n1  2"},
		"a wide table": {"| key | meaning |\n|--|:-:|\n| `a|b` | one two three four |\n| c\\|d |\n", "key  meaning\n────────────────────\na|b  one two three\n     four\nc|d"},
		"no table":     {"| a | b |\n| 1 | 2 |\n", "  | a | b |\n  | 1 | 2 |"},
		"many columns": {"|a|b|c|d|e|f|g|h|\n|-|-|-|-|-|-|-|-|\n|1|2|3|4|5|6|7|8|\n", "  |a|b|c|d|e|f|g|h|\n  |-|-|-|-|-|-|-|-|\n  |1|2|3|4|5|6|7|8|"},
		"emphasis":     {"an *important* **word**, and`code`.", "an important word,\nandcode."},
		"a link":       {"[text](http://x) end", "text <http://x> end"},
		"a hard break": {"a  \nb", "a\nb"},
		"a long word":  {"aaaaaaaaaaaaaaaaaaaaaaaaa b", "aaaaaaaaaaaaaaaaaaaa\naaaaa b"},
		"sequences":    {"a\x1b[2Jb", "ab"},
		"nothing":      {"", ""},
	} {
		assert.Equal(t, c.want, plain(Render([]byte(c.source), 20)), "%s:", name)
	}
}

// FuzzRender: no line is wider than asked for, and none does anything but print.
func FuzzRender(f *testing.F) {
	f.Add([]byte("# a\n\n- [ ] b `$ c`\n  > d *e*\n\n```\nf\n```\n| g |\n|---|\n"), 30)
	f.Add([]byte("> > > > > > > > > > > > > > > x"), 3)
	f.Fuzz(func(t *testing.T, source []byte, width int) {
		width = 3 + max(0, width)%150
		for _, line := range Render(source, width) {
			if Width(line) > width {
				t.Errorf("%d cells in %d: %q", Width(line), width, line)
			}
			assert.False(t, strings.ContainsAny(ansi.Strip(line), "\x1b\n\r\a\t"), "not only printable: %q", line)
		}
	})
}
