package openspec

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads the tasks of changes of OpenSpec and checks how they are written.
//
// It is pure. A task is an item of a list that starts with a box, wherever it is: the
// tool counts examples in code too, because an open task that is not counted is archived
// unseen.

// Progress counts the boxes in the task files of a change.
type Progress struct {
	Done, Total int
}

// Open is how many tasks are not done.
func (p Progress) Open() int { return p.Total - p.Done }

// TaskFile is a file of tasks, with its path inside the change.
type TaskFile struct {
	Path string
	Text string
}

// Issue is something that is wrong with a task file.
type Issue struct {
	Path    string
	Line    int
	Message string
}

// Task is a line with a box in a task file.
type Task struct {
	Line int
	Done bool
	Text string
}

// Parse reads the tasks of a file: every item of a list that starts with a box, nested
// or not, in code or not. Only x means done; a box may hold any other single character.
func Parse(text []byte) []Task {
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
	rest, ok := CutBullet(TrimLeft(text))
	if !ok {
		return Task{}, false
	}
	rest, ok = strings.CutPrefix(TrimLeft(rest), "[")
	if !ok {
		return Task{}, false
	}
	box, after, ok := strings.Cut(rest, "]")
	mark := Trim(box)
	if !ok || Length(mark) > 1 {
		return Task{}, false
	}
	// A label of one character may be that of a link.
	link := strings.HasPrefix(after, "(") || strings.HasPrefix(after, "[")
	if link && (mark != "" || box == "") {
		return Task{}, false
	}
	after = TrimLeft(after)
	if end := strings.IndexAny(after, "\r\u2028\u2029"); end >= 0 {
		after = after[:end]
	}
	return Task{Done: mark == "x" || mark == "X", Text: Trim(after)}, true
}

// Count adds up the tasks of files.
func Count(files []TaskFile) Progress {
	var p Progress
	for _, f := range files {
		for _, t := range Parse([]byte(f.Text)) {
			p.Total++
			if t.Done {
				p.Done++
			}
		}
	}
	return p
}

// CheckBoxes warns of each file with a list if no file has a box: such a change counts as
// one without tasks.
func CheckBoxes(files []TaskFile) []Issue {
	if Count(files).Total > 0 {
		return nil
	}
	var found []Issue
	for _, f := range files {
		if at := firstItem(strings.Split(f.Text, "\n")); at > 0 {
			found = append(found, Issue{Path: f.Path, Line: at, Message: msgNoBoxes})
		}
	}
	return found
}

// The texts are those of the tool.
const (
	msgNoBoxes   = "This change counts as 0 tasks: no line in its tracked task files is a checkbox, so \"openspec list\" and \"openspec status\" report no work and \"openspec archive\" has nothing to flag as incomplete. Write each task as \"- [ ] 1.1 Description\"."
	msgTaskGroup = "Task \"%s\" is under group %s, but its leading number points to group %s. Move it to group %s or renumber it."
	msgTaskTwice = "Task ID \"%s\" is duplicated; it was first declared %s."
)

// firstItem returns the line, from 1, of the first item of a list that a reader sees: not in
// front matter, code or a comment. It returns 0 if there is none.
func firstItem(lines []string) int {
	var open Fence
	comment := false
	for i := afterFrontMatter(lines); i < len(lines); i++ {
		l := lines[i]
		if comment {
			comment = !strings.Contains(l, "-->")
			continue
		}
		// In this file a fence is indented by at most three spaces.
		if f := FenceOf(l); f.Size > 0 && strings.IndexAny(l, "`~") <= 3 && strings.Trim(l[:strings.IndexAny(l, "`~")], " ") == "" {
			switch {
			case open.Size == 0:
				open = f
			case f.Closes(open):
				open = Fence{}
			}
			continue
		}
		if open.Size > 0 {
			continue
		}
		if rest, ok := strings.CutPrefix(TrimLeft(l), "<!--"); ok {
			comment = !strings.Contains(rest, "-->")
			continue
		}
		if isItem(l) && Column(l) < 4 {
			return i + 1
		}
	}
	return 0
}

// isItem reports whether a line is an item of a list with a text.
func isItem(text string) bool {
	rest, ok := CutBullet(TrimLeft(text))
	return ok && CutBlank(rest) != rest && Trim(rest) != ""
}

func afterFrontMatter(lines []string) int {
	if TrimRight(strings.TrimPrefix(lines[0], BOM)) != "---" {
		return 0
	}
	for i, l := range lines[1:] {
		if TrimRight(l) == "---" {
			return i + 2
		}
	}
	return 0
}

// CheckNumbers warns of tasks whose number belongs to another group, or that two tasks
// have. Only what is below a heading "## 1. Group" is numbered.
func CheckNumbers(files []TaskFile) []Issue {
	type place struct {
		path string
		line int
	}
	var found []Issue
	first := map[string]place{}
	for _, f := range files {
		group := ""
		for i, l := range strings.Split(f.Text, "\n") {
			if number, ok := groupOf(l); ok {
				group = number
			}
			t, ok := taskOf(l)
			id := taskID(t.Text)
			if group == "" || !ok || id == "" {
				continue
			}
			at := place{f.Path, i + 1}
			own, _, _ := strings.Cut(id, ".")
			if plainNumber(own) != plainNumber(group) {
				found = append(found, Issue{Path: f.Path, Line: at.line, Message: fmt.Sprintf(msgTaskGroup, id, group, own, own)})
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
			found = append(found, Issue{Path: f.Path, Line: at.line, Message: fmt.Sprintf(msgTaskTwice, id, where)})
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
	if dots == 0 || rest != "" && CutBlank(rest) == rest {
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
