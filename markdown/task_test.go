package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// brief writes tasks as "line:depth mark text {code}".
func brief(tasks []Task) []string {
	var out []string
	for _, task := range tasks {
		mark := "-"
		if task.Checked {
			mark = "x"
		}
		line := fmt.Sprintf("%d:%d %s %s", task.Line, task.Depth, mark, task.Text)
		if len(task.Code) > 0 {
			line += fmt.Sprintf(" %q", task.Code)
		}
		out = append(out, line)
	}
	return out
}

func TestTasks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		want       []string
	}{
		{"bullets", "- [ ] a\n* [x] b\n+ [X] c\n1. [ ] d\n2) [ ] e\n", []string{"2:0 - a", "3:0 x b", "4:0 x c", "5:0 - d", "6:0 - e"}},
		{"nested", "- [ ] a\n  - [x] b\n    1. [ ] c\n- plain\n  - [ ] d\n", []string{"2:0 - a", "3:1 x b", "4:2 - c", "6:1 - d"}},
		{"loose", "- [ ] a\n\n  more\n\n- [ ] b\n", []string{"2:0 - a", "6:0 - b"}},
		{"lines", "- [ ] a\n  b\nlazy\n", []string{"2:0 - a b lazy"}},
		{"quote", "> - [ ] a\n>   b\n", []string{"2:0 - a b"}},
		{"fenced", "```\n- [ ] a\n```\n~~~\n- [ ] b\n~~~\n- [ ] c\n  ```\n  - [ ] d\n  ```\n", []string{"8:0 - c"}},
		{"indented code", "text\n\n    - [ ] a\n", nil},
		{"comment", "<!--\n- [ ] a\n-->\n\n<!-- x --> \n- [ ] b\n", []string{"7:0 - b"}},
		{"no list", "[ ] a\n\n- text [ ] b\n- a\n  [ ] c\n", nil},
		{"no space", "- [ ]a\n- [x](url)\n- [  ] a\n- [] a\n- [-] a\n", nil},
		{"no text", "- [ ]\n- [x]   \n- [ ] a\n", []string{"4:0 - a"}},
		{"tab behind", "- [ ]\ta\n", []string{"2:0 - a"}},
		{"text below the box", "- [ ]\n  a\n", []string{"2:0 - a"}},
		{"tabs", "-\t[ ] a\n\t- [ ] b\n", []string{"2:0 - a", "3:1 - b"}},
		{"wide", "- [ ] 漢字 `größe`\n", []string{`2:0 - 漢字 ` + "`größe`" + ` ["größe"]`}},
		{"sub-heading", "### Sub\n- [ ] a\n", []string{"3:0 - a"}},
		{"next heading", "- [ ] a\n\n## Other\n- [ ] b\n", []string{"2:0 - a"}},
		{"next section of the name", "- [ ] a\n\n# Other\n- [ ] b\n### criteria: more\n- [ ] c\n", []string{"2:0 - a", "7:0 - c"}},
		{"section in a section", "### Criteria\n- [ ] a\n", []string{"3:0 - a"}},
		{"heading in a quote", "> ## Other\n\n- [ ] a\n", []string{"4:0 - a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, eol := range []string{"\n", "\r\n"} {
				d := mustParse(t, strings.ReplaceAll("## Criteria\n"+tt.body, "\n", eol))
				tasks := d.Tasks("CRITERIA")
				assert.Equal(t, tt.want, brief(tasks))
				checkToggles(t, d, tasks)
			}
		})
	}
}

// checkToggles flips each task and back.
func checkToggles(t *testing.T, d *Document, tasks []Task) {
	t.Helper()
	for _, task := range tasks {
		next, err := d.SetChecked(task.Offset, !task.Checked)
		if err != nil {
			t.Errorf("SetChecked(%d): %v", task.Offset, err)
			continue
		}
		before, after := d.Bytes(), next.Bytes()
		assert.Equal(t, after[:task.Offset], before[:task.Offset], "SetChecked(%d) changed other bytes", task.Offset)
		assert.Equal(t, after[task.Offset+1:], before[task.Offset+1:], "SetChecked(%d) changed other bytes", task.Offset)
		again, err := next.SetChecked(task.Offset, !task.Checked)
		assert.NoError(t, err)
		assert.True(t, again == next, "SetChecked twice = %v, %v", again, err)
	}
}

func TestTasks_headings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		heading string
		found   bool
	}{
		{"# Acceptance Criteria", true},
		{"###### acceptance CRITERIA ##", true},
		{"Acceptance criteria\n---", true},
		{"## Acceptance Criteria:", true},
		{"## Acceptance Criteria (draft)", true},
		{"## Acceptance Criteria2", true},
		{"## Acceptance Criteriaß", false},
		{"## Acceptance", false},
		{"## All Acceptance Criteria", false},
		{"##Acceptance Criteria", false},
		{"> ## Acceptance Criteria\n", false},
	}
	for _, tt := range tests {
		d := mustParse(t, "---\na: 1\n---\n"+tt.heading+"\n- [ ] a\n")
		assert.Equal(t, tt.found, len(d.Tasks(" Acceptance Criteria ")) == 1, "%q: found", tt.heading)
	}
}

func TestTasks_code(t *testing.T) {
	t.Parallel()
	tests := []struct {
		item string
		want []string
	}{
		{"pass `$ go test ./...`", []string{"$ go test ./..."}},
		{"see `a`, then `b`", []string{"b"}},
		{"see `a`, `b`; `c`.", []string{"a", "b", "c"}},
		{"`only`", []string{"only"}},
		{"(`$ make`)", []string{"$ make"}},
		{"**`$ make`**", []string{"$ make"}},
		{"`a` and text", nil},
		{"``with ` tick``", []string{"with ` tick"}},
		{"`` `x` ``", []string{"`x`"}},
		{"over `$ two\n  lines`", []string{"$ two lines"}},
		{"open `$ make", nil},
		{`escaped \` + "`x`", nil},
		{"<a title=\"`x`\">", nil},
		{"hidden <!-- `$ rm` -->", nil},
		{"behind `$ make` <!-- c1 -->", []string{"$ make"}},
		{"[`x`](url)", nil},
		{"nested `$ a`\n  - other `$ b`", []string{"$ a"}},
		{"block `$ a`\n\n  more `$ b`", []string{"$ a"}},
	}
	for _, tt := range tests {
		for _, eol := range []string{"\n", "\r\n"} {
			d := mustParse(t, strings.ReplaceAll("# C\n- [ ] "+tt.item+"\n", "\n", eol))
			assert.Equal(t, tt.want, d.Tasks("C")[0].Code, "%q", tt.item)
		}
	}
}

func TestSetChecked_noBox(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "# C\n- [ ] a\n\n```\n- [ ] b\n```\n")
	for _, offset := range []int{-1, 0, 6, 8, 21, 1000} {
		next, err := d.SetChecked(offset, true)
		assert.True(t, next == nil, "SetChecked(%d) = %v, %v", offset, next, err)
		assert.IsError(t, err, ErrNoBox, "SetChecked(%d)", offset)
	}
}

// TestAllTasks checks that tasks of every section are found, and which task each is below.
func TestAllTasks(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "- [ ] a\n\n# One\n- [x] b\n  - plain\n    - [ ] c\n  - [ ] d\n    - [ ] e\n- plain\n  - [ ] f\n- [ ] g\n")
	tasks := d.AllTasks()
	names := map[int]string{}
	var got []string
	for _, task := range tasks {
		names[task.Offset] = task.Text
		got = append(got, task.Text+"<"+names[task.Parent])
	}
	want := []string{"a<", "b<", "c<b", "d<b", "e<d", "f<", "g<"}
	assert.Equal(t, want, got)
	tasks[0].Text = "changed"
	assert.Equal(t, "a", d.AllTasks()[0].Text, "a caller changed the document")
}
