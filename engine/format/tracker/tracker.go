// Package tracker reads the tasks and issues of other tools: Backlog.md's folder, the JSON lines that beads exports,
// task-master's tasks.json, and what `gh issue list --json` prints. Texts go in and items come out; what chant makes of
// an item is decided by the operation that imports it. It also finds the comments in files that ask for work.
//
// # Rules
//
//   - What others wrote becomes a document only by [WithoutMeaning], which leaves it nothing that chant runs or obeys.
//   - Nothing of a file is lost without a word: what an item has no field for is in Rest, and what belongs to no item is
//     in Left.
//   - A file that cannot be read is a [*FileError] with its path and line. No part of it is returned.
//   - Ids and references are as the tool means them: "7" in a subtask of task-master is its sibling, and "task-4" in a
//     folder whose prefix is "back" is BACK-4.
//
// # Decisions
//
// 2026-11-29: an item keeps its text as Markdown with the headings of its tool, in which package markdown finds the
// criteria as it does in any spec. Rejected: a field for each section, of which Backlog.md alone has five, and to which
// people add their own.
package tracker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/text"
)

// Tool is a tool whose items are read.
type Tool string

// The tools.
const (
	Backlog    Tool = "backlog"
	Beads      Tool = "beads"
	TaskMaster Tool = "task-master"
	GitHub     Tool = "github"
)

// Tools lists the tools.
func Tools() []Tool { return []Tool{Backlog, Beads, TaskMaster, GitHub} }

// Name is the name of the tool as people write it.
func (t Tool) Name() string {
	switch t {
	case Backlog:
		return "Backlog.md"
	case GitHub:
		return "GitHub"
	}
	return string(t)
}

// Item is a task or an issue.
type Item struct {
	ID          string               `json:"id"` // unique among the items of its tool
	Aliases     []string             `json:"aliases,omitempty"`
	Title       string               `json:"title"`
	Status      spec.Status          `json:"status"`
	Draft       bool                 `json:"draft,omitempty"` // not decided yet
	Type        string               `json:"type,omitempty"`
	Priority    string               `json:"priority,omitempty"`
	Assignee    string               `json:"assignee,omitempty"`
	Reporter    string               `json:"reporter,omitempty"`
	Due         string               `json:"due,omitempty"`
	Effort      string               `json:"effort,omitempty"`
	Labels      []string             `json:"labels,omitempty"`
	Created     string               `json:"created,omitempty"` // a day, or a time of RFC 3339, as all times
	Updated     string               `json:"updated,omitempty"`
	Closed      string               `json:"closed,omitempty"`
	Parent      string               `json:"parent,omitempty"` // the id of the item that this one is a part of
	DependsOn   []string             `json:"depends_on,omitempty"`
	Related     []string             `json:"related,omitempty"`
	DuplicateOf string               `json:"duplicate_of,omitempty"`
	Text        string               `json:"text,omitempty"` // Markdown
	Criteria    []string             `json:"criteria,omitempty"`
	Comments    []taskfields.Comment `json:"comments,omitempty"`
	Links       []string             `json:"links,omitempty"` // addresses, and paths of files
	Rest        []Field              `json:"rest,omitempty"`  // what has no field here
}

// Field is a value with its name.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// File is a file of a tool, by its path below the folder that was read.
type File struct {
	Path    string
	Content []byte
}

// Result is what files contain.
type Result struct {
	Items []Item
	Left  []string // what is not part of an item, in words
}

// FileError says why a file cannot be read.
type FileError struct {
	Path string
	Line int // from 1, 0 if unknown
	Msg  string
}

func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Msg)
	}
	return e.Path + ": " + e.Msg
}

// Read reads the files of a tool. Backlog.md has one for each task, the others have a single one. Error: *FileError.
func Read(tool Tool, files []File) (Result, error) {
	var r Result
	var err error
	for _, f := range files {
		switch tool {
		case Beads:
			err = r.readBeads(f)
		case TaskMaster:
			err = r.readTaskMaster(f)
		case GitHub:
			err = r.readGitHub(f)
		}
		if err != nil {
			return Result{}, err
		}
	}
	if tool == Backlog {
		if err := r.readBacklog(files); err != nil {
			return Result{}, err
		}
	}
	r.keepLast()
	slices.Sort(r.Left)
	r.Left = slices.Compact(r.Left)
	return r, nil
}

// keepLast drops items whose id comes again: a tool that appends to its file means the last one.
func (r *Result) keepLast() {
	last := map[string]int{}
	for i, it := range r.Items {
		if _, again := last[strings.ToUpper(it.ID)]; again {
			r.left("an earlier version of %s", it.ID)
		}
		last[strings.ToUpper(it.ID)] = i
	}
	var kept []Item
	for i, it := range r.Items {
		if last[strings.ToUpper(it.ID)] == i {
			kept = append(kept, it)
		}
	}
	r.Items = kept
}

func (r *Result) left(format string, args ...any) {
	r.Left = append(r.Left, fmt.Sprintf(format, args...))
}

// section adds a part of the text with a heading, none if the part is empty.
func (it *Item) section(heading, body string) {
	if body == "" {
		return
	}
	if heading != "" {
		body = "## " + heading + "\n\n" + body
	}
	if it.Text != "" {
		it.Text += "\n\n"
	}
	it.Text += body
}

// keep adds a value to Rest.
func (it *Item) keep(name, value string) {
	if value != "" {
		it.Rest = append(it.Rest, Field{name, value})
	}
}

// assign takes the first of several people, because a spec has one assignee.
func (it *Item) assign(people []string) {
	if len(people) > 0 {
		it.Assignee = people[0]
		it.keep("further assignees", strings.Join(people[1:], ", "))
	}
}

// setStatus sets what a word of the tool means, and keeps the word if it says more than the status.
func (it *Item) setStatus(word string, known bool, status spec.Status) {
	it.Status = status
	plain := slices.Contains([]string{"", "todo", "open", "pending", "inprogress", "done", "closed"}, fold(word))
	if !plain || !known {
		it.keep("status", word)
	}
}

// statusOf returns what the usual words for a status mean.
func statusOf(word string) (spec.Status, bool) {
	switch fold(word) {
	case "", "todo", "open", "pending", "backlog", "new", "ready", "draft", "blocked", "planned":
		return spec.Pending, true
	case "inprogress", "doing", "started", "active", "hooked":
		return spec.InProgress, true
	case "review", "inreview", "needsreview":
		return spec.NeedsAttention, true
	case "deferred", "onhold", "paused", "parked", "pinned":
		return spec.Paused, true
	case "done", "closed", "completed", "complete", "resolved":
		return spec.Completed, true
	case "cancelled", "canceled", "wontfix", "rejected", "abandoned":
		return spec.Cancelled, true
	}
	return spec.Pending, false
}

// fold returns a word without case, spaces, hyphens and underscores.
func fold(word string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "", "'", "", "’", "").Replace(strings.ToLower(strings.TrimSpace(word)))
}

// clean returns a text without characters that could hide something in a terminal, with the line ends of Unix.
func clean(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			return -1
		}
		return r
	}, s)
}

// readTime returns a time in the form of RFC 3339, or a day as it is; ok is false for another text.
func readTime(s string) (out string, ok bool) {
	s = strings.TrimSpace(s)
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return s, true
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		// Tools that write no zone mean UTC.
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC().Format(time.RFC3339), true
		}
	}
	return "", false
}

// listMark is the mark before an item of a list, with its box.
var listMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]?\]\s+)?`) })

// addCriteria adds the items of a list as criteria, or the lines of a text without a list. Indented lines belong to the
// item before them, and other text around a list is kept.
func (it *Item) addCriteria(s string) {
	lines := strings.Split(s, "\n")
	list := slices.ContainsFunc(lines, func(line string) bool { return listMark().MatchString(line) })
	var other []string
	added := false
	for _, line := range lines {
		words := strings.TrimSpace(line)
		mark := listMark().FindString(line)
		switch {
		case words == "" || words == strings.TrimSpace(mark):
		case mark != "" || !list:
			it.Criteria, added = append(it.Criteria, strings.TrimSpace(words[len(mark):])), true
		case added && line[0] != words[0]:
			it.Criteria[len(it.Criteria)-1] += " " + words
		default:
			other = append(other, words)
		}
	}
	it.keep("about the acceptance criteria", strings.Join(other, " "))
}

// record is an object of which values are taken one by one, so that what is left at the end has no field.
type record map[string]json.RawMessage

// take decodes a value and removes it; one of another shape stays.
func (r record) take(key string, into any) {
	if raw, has := r[key]; has && json.Unmarshal(raw, into) == nil {
		delete(r, key)
	}
}

// word takes a text or a number.
func (r record) word(key string) string {
	words := r.words(key)
	if len(words) != 1 {
		return ""
	}
	return words[0]
}

// words takes a list of texts and numbers, or a single one. An object in it counts by its login, name, title, number or
// id, the first that it has. Objects of GraphQL have their list in "nodes".
func (r record) words(key string) []string {
	raw, has := r[key]
	if !has {
		return nil
	}
	var value any
	d := json.NewDecoder(bytes.NewReader(raw))
	// A number as it is written.
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	if object, ok := value.(map[string]any); ok && object["nodes"] != nil {
		value = object["nodes"]
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var out []string
	for _, one := range list {
		word, ok := wordOf(one)
		if !ok {
			return nil
		}
		if word != "" {
			out = append(out, word)
		}
	}
	delete(r, key)
	return out
}

// wordOf returns the text of a value as [record.words] reads it.
func wordOf(value any) (string, bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return strings.TrimSpace(clean(v)), true
	case json.Number:
		return v.String(), true
	case map[string]any:
		for _, name := range []string{"login", "name", "title", "number", "id"} {
			if word, ok := wordOf(v[name]); ok && word != "" {
				return word, true
			}
		}
	}
	return "", false
}

// time takes a time.
func (r record) time(key string) string {
	at, ok := readTime((record{key: r[key]}).word(key))
	// Another text is kept as it is.
	if ok {
		delete(r, key)
	}
	return at
}

// rest adds what was not taken to the item, but for empty values.
func (r record) rest(it *Item) {
	for _, key := range slices.Sorted(maps.Keys(r)) {
		if words := (record{key: r[key]}).words(key); words != nil {
			it.keep(key, strings.Join(words, ", "))
			continue
		}
		if value := string(r[key]); !slices.Contains([]string{"null", "[]", "{}", "false", `""`, `"{}"`}, value) {
			it.keep(key, clean(value))
		}
	}
}

// decode reads JSON into a value; the error names the line.
func decode(f File, src []byte, into any) error {
	err := json.Unmarshal(bytes.TrimPrefix(src, []byte("\ufeff")), into)
	if err == nil {
		return nil
	}
	fault := &FileError{Path: f.Path, Msg: text.Clip(strings.TrimPrefix(err.Error(), "json: "), 200)}
	switch e := err.(type) {
	case *json.SyntaxError:
		fault.Line = 1 + bytes.Count(src[:min(int(e.Offset), len(src))], []byte("\n"))
	case *json.UnmarshalTypeError:
		fault.Line = 1 + bytes.Count(src[:min(int(e.Offset), len(src))], []byte("\n"))
		fault.Msg = fmt.Sprintf("%s where the format has something else", e.Value)
	}
	return fault
}
