package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, now, want string }{
		{"", "", ""},
		{"---\na: 1\n---\n", "---\na: '1'\n---\n", ""},
		{"---\na: 1\nb: [x, y]\n---\n", "---\nb: [x]\nc: ~\nd: {k: [1]}\n---\n", "b:x, y>x d:>{\"k\":[1]} a:1>"},
		{"---\nat: 2026-11-01\n---\n", "---\nat: 2026-11-02\n---\n", "at:2026-11-01>2026-11-02"},
		{"# A\n\ntext\n", "# B\n\ntext\n", "title:A>B"},
		{"# A\n\ntext\n", "# A\n\ntext\n\nmore\n", "description:text>text\n\nmore"},
		{"# A\n\n## Acceptance Criteria\n\n- [ ] x\n", "# A\n\n## Acceptance Criteria\n\n- [x] x\n- [ ] y\n", "acceptance_criteria:[ ] x>[x] x\n[ ] y"},
		{"---\ncomments: [{text: a}, {text: b}]\n---\n", "---\ncomments: [{text: a}, {text: c}, {text: d}]\n---\n", "comment#2:b>c comment:>d"},
		{"---\ncomments: [{text: a}]\n---\n", "---\ntitle: x\n---\n", "title:>x comment#1:a>"},
		{"---\nimported_history: [{at: x}]\n---\n", "---\na: 1\n---\n", "a:>1"},
		{"---\na: b: c\n---\n", "---\na: 1\n---\n", "a:>1"},
	} {
		var got []string
		for _, f := range Compare([]byte(c.old), []byte(c.now)) {
			got = append(got, fmt.Sprintf("%s:%s>%s", f.Field, f.Old, f.New))
		}
		assert.Equal(t, c.want, strings.Join(got, " "), "%q and %q", c.old, c.now)
	}
	long := Compare([]byte("# A\n"), []byte("# A\n\n"+strings.Repeat("é", maxValue)))
	assert.Equal(t, 1, len(long), "a long text")
	assert.True(t, len(long[0].New) <= maxValue+3, "a long text: %d", len(long[0].New))
	assert.HasSuffix(t, long[0].New, "é…", "a long text")
}

// FuzzCompare: any two files can be compared, and a file does not differ from itself.
func FuzzCompare(f *testing.F) {
	f.Add("---\na: 1\n---\n# T\n", "---\nb: &x {c: [*x]}\ncomments: [1]\n---\n# T #\n\n- [ ] x\n")
	f.Add("---\ncomments: {a: b}\n---\n", "---\n? [a]\n: b\n---\nT\n=\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		same := Compare([]byte(a), []byte(a))
		assert.True(t, same == nil, "%q differs from itself: %v", a, same)
		Compare([]byte(a), []byte(b))
	})
}
