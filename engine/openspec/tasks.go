package openspec

import (
	"fmt"
	"strconv"
	"strings"
)

// Progress counts the boxes in the task files of a change.
type Progress struct {
	Done, Total int
}

// Status is the word with which `openspec list` describes it.
func (p Progress) Status() string {
	switch {
	case p.Total == 0:
		return "no-tasks"
	case p.Done == p.Total:
		return "complete"
	}
	return "in-progress"
}

// open is how many tasks are not done.
func (p Progress) open() int { return p.Total - p.Done }

// taskFile is a file of tasks, with its path inside the change.
type taskFile struct {
	path string
	text string
}

// Task is a line with a box in a task file.
type Task struct {
	Line int
	Done bool
	Text string
}

// ParseTasks reads the tasks of a file: every item of a list that starts with a box, nested
// or not, in code or not. Only x means done; a box may hold any other single character.
func ParseTasks(text []byte) []Task {
	var tasks []Task
	for i, l := range strings.Split(string(text), "\n") {
		if t, ok := taskOf(l); ok {
			t.Line = i + 1
			tasks = append(tasks, t)
		}
	}
	return tasks
}

func taskOf(text string) (Task, bool) {
	rest, ok := cutBullet(trimLeft(text))
	if !ok {
		return Task{}, false
	}
	rest, ok = strings.CutPrefix(trimLeft(rest), "[")
	if !ok {
		return Task{}, false
	}
	box, after, ok := strings.Cut(rest, "]")
	mark := trim(box)
	if !ok || length(mark) > 1 {
		return Task{}, false
	}
	// A label of one character may be that of a link.
	link := strings.HasPrefix(after, "(") || strings.HasPrefix(after, "[")
	if link && (mark != "" || box == "") {
		return Task{}, false
	}
	after = trimLeft(after)
	if end := strings.IndexAny(after, "\r\u2028\u2029"); end >= 0 {
		after = after[:end]
	}
	return Task{Done: mark == "x" || mark == "X", Text: trim(after)}, true
}

// cutBullet removes the marker of an item: a sign, or up to nine digits and a delimiter.
func cutBullet(text string) (rest string, ok bool) {
	if text == "" {
		return "", false
	}
	if strings.IndexByte("-*+", text[0]) >= 0 {
		return text[1:], true
	}
	rest = strings.TrimLeft(text, "0123456789")
	digits := len(text) - len(rest)
	if digits == 0 || digits > 9 || rest == "" || rest[0] != '.' && rest[0] != ')' {
		return "", false
	}
	return rest[1:], true
}

func progressOf(files []taskFile) Progress {
	var p Progress
	for _, f := range files {
		for _, t := range ParseTasks([]byte(f.text)) {
			p.Total++
			if t.Done {
				p.Done++
			}
		}
	}
	return p
}

// checkBoxes warns of each file with a list if no file has a box: such a change counts as
// one without tasks.
func checkBoxes(files []taskFile) []Finding {
	if progressOf(files).Total > 0 {
		return nil
	}
	var found []Finding
	for _, f := range files {
		if at := firstItem(strings.Split(f.text, "\n")); at > 0 {
			found = append(found, Finding{Level: Warning, Path: f.path, Line: at, Message: msgNoBoxes})
		}
	}
	return found
}

// firstItem returns the line, from 1, of the first item of a list that a reader sees: not in
// front matter, code or a comment. It returns 0 if there is none.
func firstItem(lines []string) int {
	var open fence
	comment := false
	for i := afterFrontMatter(lines); i < len(lines); i++ {
		l := lines[i]
		if comment {
			comment = !strings.Contains(l, "-->")
			continue
		}
		if f, rest := fenceOf(l); f.size > 0 && len(l)-len(strings.TrimLeft(l, " ")) <= 3 && strings.TrimLeft(l, " ")[0] == f.mark {
			switch {
			case open.size == 0:
				open = f
			case f.mark == open.mark && f.size >= open.size && trim(rest) == "":
				open = fence{}
			}
			continue
		}
		if open.size > 0 {
			continue
		}
		if rest, ok := strings.CutPrefix(trimLeft(l), "<!--"); ok {
			comment = !strings.Contains(rest, "-->")
			continue
		}
		if isItem(l) && column(l) < 4 {
			return i + 1
		}
	}
	return 0
}

// isItem reports whether a line is an item of a list with a text.
func isItem(text string) bool {
	rest, ok := cutBullet(trimLeft(text))
	return ok && cutBlank(rest) != rest && trim(rest) != ""
}

// column is the width of the blanks at the start of a line, with tab stops of four.
func column(text string) int {
	n := 0
	for _, c := range text {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

func afterFrontMatter(lines []string) int {
	if trimRight(strings.TrimPrefix(lines[0], bom)) != "---" {
		return 0
	}
	for i, l := range lines[1:] {
		if trimRight(l) == "---" {
			return i + 2
		}
	}
	return 0
}

// checkNumbers warns of tasks whose number belongs to another group, or that two tasks
// have. Only what is below a heading "## 1. Group" is numbered.
func checkNumbers(files []taskFile) []Finding {
	type place struct {
		path string
		line int
	}
	var found []Finding
	first := map[string]place{}
	for _, f := range files {
		group := ""
		for i, l := range strings.Split(f.text, "\n") {
			if number, ok := groupOf(l); ok {
				group = number
			}
			t, ok := taskOf(l)
			id := taskID(t.Text)
			if group == "" || !ok || id == "" {
				continue
			}
			at := place{f.path, i + 1}
			own, _, _ := strings.Cut(id, ".")
			if plainNumber(own) != plainNumber(group) {
				found = append(found, Finding{Level: Warning, Path: f.path, Line: at.line, Message: fmt.Sprintf(msgTaskGroup, id, group, own, own)})
			}
			before, taken := first[id]
			if !taken {
				first[id] = at
				continue
			}
			where := "on line " + strconv.Itoa(before.line)
			if before.path != at.path {
				where = "in " + before.path + " " + where
			}
			found = append(found, Finding{Level: Warning, Path: f.path, Line: at.line, Message: fmt.Sprintf(msgTaskTwice, id, where)})
		}
	}
	return found
}

// groupOf reads a heading of the second level. Its number is empty if it has none.
func groupOf(text string) (number string, ok bool) {
	text = strings.TrimSuffix(text, "\r")
	rest := strings.TrimLeft(text, " ")
	if len(text)-len(rest) > 3 {
		return "", false
	}
	rest, ok = strings.CutPrefix(rest, "##")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	rest = strings.TrimLeft(rest, " \t")
	after := strings.TrimLeft(rest, "0123456789")
	number = rest[:len(rest)-len(after)]
	if !strings.HasPrefix(after, ".") || len(after) > 1 && after[1] != ' ' && after[1] != '\t' {
		return "", true
	}
	return number, true
}

// taskID returns the number at the start of a task, such as 1.2 or 1.2a.
func taskID(text string) string {
	end, dots := 0, 0
	for {
		rest := strings.TrimLeft(text[end:], "0123456789")
		if len(rest) == len(text[end:]) {
			return ""
		}
		end = len(text) - len(rest)
		if !strings.HasPrefix(rest, ".") {
			break
		}
		end++
		dots++
	}
	rest := strings.TrimLeft(text[end:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	end = len(text) - len(rest)
	if dots == 0 || rest != "" && cutBlank(rest) == rest {
		return ""
	}
	return text[:end]
}

func plainNumber(digits string) string {
	if short := strings.TrimLeft(digits, "0"); short != "" {
		return short
	}
	return "0"
}
