package adopted

import (
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"chant/engine/format/openspec"
	"chant/engine/format/tasklist"
)

// Description says what a folder is about and how far it is.
type Description struct {
	Title string
	Phase string // of a feature of spec-kit: specify, plan, tasks or implement
	Done  int    // of its tasks
	Tasks int
}

// Describe describes the folder of a feature or a change. What is missing stays empty; the title is then made of the name.
func Describe(files fs.FS, dir string) Description {
	var d Description
	switch KindOf(dir) {
	case OpenSpec:
		d = describeChange(files, dir)
	case Kiro:
		// Its files have the same titles in each folder.
		d.countTasks(files, dir)
	default:
		d = describeFeature(files, dir)
	}
	if d.Title == "" {
		d.Title = titleOf(path.Base(dir))
	}
	// Files of other tools may be in another encoding.
	d.Title = strings.ToValidUTF8(d.Title, "\uFFFD")
	return d
}

// countTasks counts the tasks of tasks.md.
func (d *Description) countTasks(files fs.FS, dir string) {
	if src, err := fs.ReadFile(files, path.Join(dir, "tasks.md")); err == nil {
		d.Done, d.Tasks = tasklist.Progress(tasklist.Parse(src))
	}
}

func describeChange(files fs.FS, dir string) (d Description) {
	top, err := fs.Sub(files, path.Dir(path.Dir(dir)))
	if err != nil {
		return d
	}
	change, err := openspec.Summarize(top, path.Base(dir))
	if err != nil {
		return d
	}
	if change.Title != path.Base(dir) {
		d.Title = change.Title
	}
	d.Done, d.Tasks = change.Done, change.Total
	return d
}

// titleOf makes a title of the name of a folder: "009-user-directory" becomes "User directory".
func titleOf(name string) string {
	words := strings.TrimLeft(name, "0123456789-")
	if words == "" {
		words = name
	}
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + strings.ReplaceAll(words[size:], "-", " ")
}
