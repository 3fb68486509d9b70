package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

const mixed = "---\na: 1\n---\n# T\r\ntext\n\n```sh\ncode\n\nmore\n```\nafter\n\n    indented\n\n<!-- a\ncomment -->\n\n" +
	"- one\n  goes on\n- [ ] two\n\n  ```\n  inside\n  ```\n- \n- > quoted\n\n1. three\n\n> ~~~\n> deep\n> ~~~\n> end\n\n```\nopen"

func TestProse(t *testing.T) {
	t.Parallel()
	d, err := Parse("x.md", []byte(mixed))
	assert.NoError(t, err)
	var got []string
	for _, line := range d.Prose() {
		if strings.TrimSpace(line.Text) != "" {
			got = append(got, fmt.Sprintf("%d %s", line.Number, line.Text))
		}
	}
	want := "4 # T|5 text|12 after|19 - one|20   goes on|21 - [ ] two|26 - |27 - > quoted|29 1. three|34 > end"
	assert.Equal(t, want, strings.Join(got, "|"))
}

func TestItems(t *testing.T) {
	t.Parallel()
	d, err := Parse("x.md", []byte(mixed))
	assert.NoError(t, err)
	var got []string
	for _, item := range d.Items() {
		got = append(got, fmt.Sprintf("%d %s", item.Line, item.Text))
	}
	assert.Equal(t, "19 one goes on|21 [ ] two|29 three", strings.Join(got, "|"))
}

func FuzzProse(f *testing.F) {
	f.Add([]byte(mixed))
	f.Add([]byte("\xef\xbb\xbf---\r\n---\r\n<pre>\n\n</pre>\n    x"))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := Parse("x.md", src)
		if err != nil {
			return
		}
		lines, last := strings.Split(strings.TrimPrefix(string(src), "\uFEFF"), "\n"), 0
		for _, line := range d.Prose() {
			assert.True(t, line.Number > last, "line %d is %q in %q", line.Number, line.Text, src)
			assert.True(t, line.Number <= len(lines), "line %d is %q in %q", line.Number, line.Text, src)
			assert.Equal(t, strings.TrimRight(line.Text, "\r"), strings.TrimRight(lines[line.Number-1], "\r"), "line %q", src)
			last = line.Number
		}
		for _, item := range d.Items() {
			assert.True(t, item.Line >= 1, "item %+v in %q", item, src)
			assert.True(t, item.Line <= len(lines), "item %+v in %q", item, src)
			assert.NotEqual(t, "", item.Text, "item %q", src)
		}
	})
}
