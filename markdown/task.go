package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Task is a task-list item such as "- [ ] text".
type Task struct {
	Offset  int      // file offset of the byte between the brackets; ticking replaces this one byte
	Line    int      // of the file, from 1
	Depth   int      // list items around it, 0 at the top
	Parent  int      // Offset of the innermost task around it, 0 if there is none
	Checked bool     // "[x]" or "[X]"
	Text    string   // source of its first block behind the box, lines joined by a space
	Code    []string // code spans that end the item, with only white space and punctuation between them
}

// Tasks returns the tasks in all sections with that title, in the order of the file, each once. The case of
// the title does not matter, and other text may follow it in the heading, starting with a non-letter, as in
// "Criteria (draft)". Deeper headings inside a section are part of it. An item without text is not a task, nor
// is a box without white space after it.
func (d *Document) Tasks(title string) []Task {
	o := d.parseOutline()
	var found []Task
	at := 0
	for _, s := range o.sections {
		if !beginsWithTitle(s.Text, title) {
			continue
		}
		for ; at < len(o.tasks) && o.tasks[at].Offset < s.End; at++ {
			if o.tasks[at].Offset >= s.Start {
				found = append(found, o.tasks[at])
			}
		}
	}
	return found
}

// AllTasks returns the tasks of the whole body in the order of the file. What counts as a task is as in
// [Document.Tasks].
func (d *Document) AllTasks() []Task { return slices.Clone(d.parseOutline().tasks) }

// SetChecked returns the document with the task whose box is at a file offset ticked or not; one byte
// changes. It wraps [ErrNoBox] if no task has its box there.
func (d *Document) SetChecked(offset int, checked bool) (*Document, error) {
	tasks := d.parseOutline().tasks
	// Only the box of a task may be changed: the byte at a stale offset could be anything.
	i, ok := slices.BinarySearchFunc(tasks, offset, func(t Task, offset int) int { return cmp.Compare(t.Offset, offset) })
	if !ok {
		return nil, fmt.Errorf("%w at offset %d of %q", ErrNoBox, offset, d.path)
	}
	if tasks[i].Checked == checked {
		return d, nil
	}
	src := bytes.Clone(d.src)
	src[offset] = ' '
	if checked {
		src[offset] = 'x'
	}
	return parse(d.path, src)
}

// task adds a list item if it is a task, and returns the offset of the innermost task that its children are in.
func (w *walker) task(item *ast.ListItem) int {
	first := item.FirstChild()
	if first == nil || first.FirstChild() == nil {
		return w.parent
	}
	box, ok := first.FirstChild().(*extast.TaskCheckBox)
	if !ok {
		return w.parent
	}
	offset := w.base + box.Pos() + 1
	source := strings.TrimSpace(joinLines(first.Lines(), w.body)[len("[ ]"):])
	if source == "" {
		return w.parent
	}
	w.outline.tasks = append(w.outline.tasks, Task{
		Offset: offset, Line: w.count.lineOf(offset), Depth: w.items, Parent: w.parent,
		Checked: box.IsChecked, Text: source, Code: w.trailingCode(first),
	})
	return offset
}

// trailingCode returns the code spans at the end of a paragraph. A comment behind them hides nothing.
func (w *walker) trailingCode(paragraph ast.Node) []string {
	var code []string
	for n := paragraph.LastChild(); n != nil; n = n.PreviousSibling() {
		switch n := n.(type) {
		case *ast.CodeSpan:
			code = append(code, w.code(n))
			continue
		case *ast.Text:
			if !hasWords(n.Value(w.body)) {
				continue
			}
		case *ast.RawHTML:
			if bytes.HasPrefix(n.Segments.Value(w.body), []byte("<!--")) {
				continue
			}
		}
		break
	}
	slices.Reverse(code)
	return code
}

// code returns the content of a code span, a line break read as a space.
func (w *walker) code(span *ast.CodeSpan) string {
	var content strings.Builder
	for n := span.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			content.Write(t.Value(w.body))
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(content.String(), "\r\n", " "), "\n", " ")
}

// hasWords reports whether text has anything but white space and punctuation.
func hasWords(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsPunct(r) })
}

// Names reports whether the heading is a title, in any case and with other text behind it, as of [Document.Tasks].
func (h Heading) Names(title string) bool { return beginsWithTitle(h.Text, title) }

// beginsWithTitle reports whether a heading is the title, or the title and then something other than a letter.
func beginsWithTitle(heading, title string) bool {
	title = strings.TrimSpace(title)
	end := 0
	for range utf8.RuneCountInString(title) {
		// EqualFold may find texts of different lengths equal, so characters are counted instead of bytes.
		_, size := utf8.DecodeRuneInString(heading[end:])
		end += size
	}
	next, _ := utf8.DecodeRuneInString(heading[end:])
	return strings.EqualFold(heading[:end], title) && !unicode.IsLetter(next)
}
