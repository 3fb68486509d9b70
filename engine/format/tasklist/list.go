package tasklist

import (
	"bytes"
	"fmt"
	"strings"

	"chant/markdown"
)

// List is a task list.
type List struct {
	Phases []Phase
	Tasks  []Task // in the order of the file
}

// Task is one line with a box.
type Task struct {
	Key         string   // ID, or "line 12" if there is none or an earlier task has it too; unique in the list
	ID          string   // as written, such as "T001" or "1.1"; "" if there is none
	Text        string   // all behind the box as written, continued lines joined by a space
	Description string   // Text without ID, [P] and [US1]
	Done        bool     // "[x]" or "[X]"
	Parallel    bool     // [P]
	Story       string   // such as "US1": the first label, else the story of the phase, else ""
	DependsOn   []string // IDs and stories that the text depends on, ranges written out, spelled as in the list
	Phase       int      // index in List.Phases, -1 before the first
	Parent      int      // index in List.Tasks of the task around it, -1 at the top
	Depth       int      // list items around it, tasks or not
	Line        int      // from 1
	Offset      int      // of the byte between the brackets
}

// Parse reads a task list. Any text is one, perhaps without tasks. A front matter is skipped.
func Parse(src []byte) List {
	doc, offset, line := body(src)
	var l List
	headings := doc.Headings()
	tasks := doc.AllTasks()
	owners := l.findPhases(headings, tasks)
	index := map[int]int{} // of tasks by offset
	for i, found := range tasks {
		index[found.Offset] = i
		t := parseLine(found.Text)
		t.Done, t.Depth, t.Phase, t.Parent = found.Checked, found.Depth, owners[i], -1
		t.Line, t.Offset = found.Line-line, found.Offset-offset
		if parent, ok := index[found.Parent]; ok {
			t.Parent = parent
		}
		l.Tasks = append(l.Tasks, t)
	}
	for i := range l.Phases {
		l.Phases[i].Line -= line
	}
	l.nameStories()
	l.giveKeys()
	l.resolve()
	return l
}

// body returns the document, and by how many bytes and lines it is longer than src. A beginning that only looks like
// front matter, since its end is missing or it is not YAML, is text.
func body(src []byte) (doc *markdown.Document, offset, line int) {
	doc, err := markdown.Parse("", src)
	if err == nil {
		if _, err = doc.Keys(); err == nil {
			return doc, 0, 0
		}
	}
	const empty = "---\n---\n"
	// Behind an empty front matter, dashes are text, so the file is read with one.
	text := bytes.TrimPrefix(src, []byte("\ufeff"))
	doc, err = markdown.Parse("", append([]byte(empty), text...))
	if err != nil {
		// An empty front matter always has its closing line.
		panic("an empty front matter was not read: " + err.Error())
	}
	return doc, len(empty) - (len(src) - len(text)), 2
}

// nameStories completes stories from both sides: an unlabelled task has the story of its phase, and a phase without a
// kind whose tasks all have the same label is the phase of that story.
func (l *List) nameStories() {
	labels := make([]string, len(l.Phases))
	mixed := make([]bool, len(l.Phases))
	seen := make([]bool, len(l.Phases))
	for _, t := range l.Tasks {
		if t.Phase < 0 {
			continue
		}
		mixed[t.Phase] = mixed[t.Phase] || seen[t.Phase] && labels[t.Phase] != t.Story
		labels[t.Phase], seen[t.Phase] = t.Story, true
	}
	for i := range l.Phases {
		if p := &l.Phases[i]; p.Kind == Other && !mixed[i] && labels[i] != "" {
			p.Kind, p.Story = Story, labels[i]
		}
	}
	for i := range l.Tasks {
		if t := &l.Tasks[i]; t.Story == "" && t.Phase >= 0 {
			t.Story = l.Phases[t.Phase].Story
		}
	}
}

// giveKeys gives each task its key.
func (l *List) giveKeys() {
	taken := map[string]bool{"": true}
	for i := range l.Tasks {
		t := &l.Tasks[i]
		t.Key = t.ID
		// IDs that occur twice would name two tasks, so the later one is known by its line.
		if id := strings.ToUpper(t.ID); taken[id] {
			t.Key = fmt.Sprintf("line %d", t.Line)
		} else {
			taken[id] = true
		}
	}
}

// Task returns the task with that key, in any case, or nil.
func (l List) Task(key string) *Task {
	for i := range l.Tasks {
		if strings.EqualFold(l.Tasks[i].Key, key) {
			return &l.Tasks[i]
		}
	}
	return nil
}

// Progress counts the tasks that are done, and all, nested ones included.
func Progress(l List) (done, total int) {
	for _, t := range l.Tasks {
		if t.Done {
			done++
		}
	}
	return done, len(l.Tasks)
}
