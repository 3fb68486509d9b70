package openspec

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- [ ] a":                "open a",
		"  * [x] b":              "done b",
		"+ [X]c":                 "done c",
		"1. [~] d":               "open d",
		"12) [] e":               "open e",
		"- [ x ] f":              "done f",
		"-[x] g":                 "done g",
		"- [ ](h)":               "open (h)",
		"- [x](h)":               "",
		"- [](h)":                "",
		"- [x][ref]":             "",
		"- [xx] i":               "",
		"- [🚧] j":                "",
		"- [✅] k":                "open k",
		"1234567890. [ ] l":      "",
		"[ ] m":                  "",
		"- [ m":                  "",
		"- [ ] n\r":              "open n",
		"- [ ]":                  "open ",
		"```":                    "",
		"\u00A0- [x] o":          "done o",
		"- [ ] p\u2028- [ ] q":   "open p",
		"text - [ ] r":           "",
		"- [ ] <!-- a comment -": "open <!-- a comment -",
	} {
		got := ""
		for _, task := range Parse([]byte(text)) {
			got += map[bool]string{true: "done ", false: "open "}[task.Done] + task.Text
		}
		assert.Equal(t, want, got, "%q", text)
	}
	tasks := Parse([]byte("# Tasks\n\n- [ ] a\n```\n- [x] b\n```\n"))
	assert.Equal(t, 2, len(tasks))
	assert.Equal(t, 3, tasks[0].Line)
	assert.Equal(t, 5, tasks[1].Line)
}

func TestCount(t *testing.T) {
	t.Parallel()
	p := Count([]TaskFile{{Text: "- [ ] a"}, {Text: "- [x] b\n- [ ] c"}})
	assert.Equal(t, 1, p.Done)
	assert.Equal(t, 3, p.Total)
	assert.Equal(t, 2, p.Open())
}

func TestCheckBoxes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"# Tasks\n\n- a":              3,
		"1. a":                        1,
		"- [x] a\n- b":                0,
		"text":                        0,
		"":                            0,
		"---\n- tag\n---\n- a":        4,
		"\uFEFF---\n- tag\n---\n\n":   0,
		"---\n- not front matter":     2,
		"```\n- a\n```":               0,
		"   ```\n- a\n   ```\n- b":    4,
		"    ```\n- a\n":              2,
		"~~~\n- a\n```\n- b\n~~~ x\n": 0,
		"<!-- x\n- a\n-->\n- b":       4,
		"<!-- x -->\n- a":             2,
		"    - code":                  0,
		"\t- code\n   - a":            2,
		"-a\n-\n- ":                   0,
		"- a <!-- b":                  1,
	} {
		line := 0
		for _, issue := range CheckBoxes([]TaskFile{{Path: "tasks.md", Text: text}}) {
			line = issue.Line
		}
		assert.Equal(t, want, line, "%q: line", text)
	}
	found := CheckBoxes([]TaskFile{{Path: "a", Text: "- a"}, {Path: "b", Text: "- [ ] b"}})
	assert.Zero(t, found, "a box in another file counts too: %v", found)
}

func TestCheckNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"## 1. A\n- [ ] 1.1 a\n- [ ] 1.2 b":             nil,
		"## 1. A\n- [ ] 2.1 a":                          {`2: Task "2.1" is under group 1`},
		"## 01. A\n- [ ] 1.1 a\n## 2.\r\n- [ ] 02.1 b":  nil,
		"## 1. A\n- [ ] 1.1 a\n  - [x] 1.1 b":           {`3: Task ID "1.1" is duplicated; it was first declared on line 2`},
		"- [ ] 1.1 a\n- [ ] 1.1 b":                      nil,
		"## 1. A\n## Other\n- [ ] 7.1 a":                nil,
		"## 1 A\n- [ ] 7.1 a":                           nil,
		"##1. A\n- [ ] 7.1 a":                           nil,
		"### 1. A\n- [ ] 7.1 a":                         nil,
		"## 1. A\n- [ ] 7 a\n- [ ] 7.1. b\n- [ ] 7.1-c": nil,
		"## 1. A\n- [ ] 2.1a a\n- [ ] 2.1.1":            {`2: Task "2.1a"`, `3: Task "2.1.1"`},
	} {
		found := CheckNumbers([]TaskFile{{Path: "tasks.md", Text: text}})
		same := slices.EqualFunc(found, want, func(i Issue, w string) bool {
			line, start, _ := strings.Cut(w, ": ")
			return strings.HasPrefix(i.Message, start) && strings.Count("\n"+text, "\n") >= i.Line && line == string(rune('0'+i.Line))
		})
		assert.True(t, same, "%q: %v, want %q", text, found, want)
	}
	found := CheckNumbers([]TaskFile{{Path: "a", Text: "## 1. A\n- [ ] 1.1 a"}, {Path: "b", Text: "## 1. A\n- [ ] 1.1 a"}})
	assert.Equal(t, 1, len(found))
	assert.HasSuffix(t, found[0].Message, "in a on line 2.")
}

func FuzzParseTasks(f *testing.F) {
	f.Add("## 1. A\n- [ ] 1.1 a\r\n\t* [x](b)\n1) [~] c\n")
	f.Add("---\na\n---\n```\n- a\n~~~\n<!--\n")
	f.Fuzz(func(t *testing.T, text string) {
		files := []TaskFile{{Path: "a", Text: text}, {Path: "b", Text: text}}
		tasks := Parse([]byte(text))
		p := Count(files)
		assert.Equal(t, 2*len(tasks), p.Total)
		assert.True(t, p.Done <= p.Total, "%d tasks, counted %+v", len(tasks), p)
		lines := strings.Count(text, "\n") + 1
		for _, issue := range append(CheckBoxes(files), CheckNumbers(files)...) {
			assert.True(t, issue.Line >= 1, "%+v in %d lines", issue, lines)
			assert.True(t, issue.Line <= lines, "%+v in %d lines", issue, lines)
		}
	})
}
