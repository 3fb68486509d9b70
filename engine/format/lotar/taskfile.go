package lotar

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"

	"go.yaml.in/yaml/v3"
)

// TaskFile is a file of a task, such as .tasks/AUTH/12.yml. Its key is not in the file.
type TaskFile struct {
	Prefix string
	Number int
	Path   string
	Task   Task
	Root   *yaml.Node // the mapping as it was read, with keys that Task does not have
}

// Key returns the key of the task.
func (f *TaskFile) Key() string { return task.Key(f.Prefix, f.Number) }

// Task has the values of a task in the form and in the order in which lotar stores them.
type Task struct {
	Title         string                  `yaml:"title"`
	Status        string                  `yaml:"status"`
	Priority      string                  `yaml:"priority"`
	Type          string                  `yaml:"type"`
	Reporter      string                  `yaml:"reporter"`
	Assignee      string                  `yaml:"assignee"`
	Created       string                  `yaml:"created"`  // RFC 3339
	Modified      string                  `yaml:"modified"` // RFC 3339
	DueDate       string                  `yaml:"due_date"`
	Effort        string                  `yaml:"effort"`
	Criteria      []string                `yaml:"acceptance_criteria"`
	Relationships task.Relationships      `yaml:"relationships"` // with keys of tasks
	Comments      []taskfields.Comment    `yaml:"comments"`
	References    []taskfields.Reference  `yaml:"references"`
	Sprints       []int                   `yaml:"sprints"` // of older files; now the file of a sprint lists its tasks
	Subtitle      string                  `yaml:"subtitle"`
	Description   string                  `yaml:"description"`
	Tags          []string                `yaml:"tags"`
	CustomFields  *yaml.Node              `yaml:"custom_fields"` // a mapping; nil without fields
	History       []taskfields.PastChange `yaml:"history"`
}

// Unreadable is a file that cannot be read, with the reason.
type Unreadable struct {
	Path string
	Err  error // names path and line
}

// Tasks reads the tasks of all projects, by prefix and number.
func (w Workspace) Tasks() (tasks []TaskFile, bad []Unreadable, err error) {
	projects, err := w.Projects()
	if err != nil {
		return nil, nil, err
	}
	for _, p := range projects {
		files, err := numberedFiles(filepath.Join(w.Dir, p.Prefix))
		if err != nil {
			return nil, nil, err
		}
		for _, path := range files {
			read, err := ReadTask(path)
			if err != nil {
				bad = append(bad, Unreadable{path, err})
				continue
			}
			tasks = append(tasks, read)
		}
	}
	return tasks, bad, nil
}

// File is a file of a task or a sprint, which was not read.
type File struct {
	Name string // the key of the task, or the name of the sprint (SprintName)
	Path string
}

// SprintName is the name of a sprint among those of tasks.
func SprintName(n int) string { return fmt.Sprintf("sprint %d", n) }

// Files lists the files of all tasks and sprints without reading them.
func (w Workspace) Files() ([]File, error) {
	folders, err := w.folders()
	if err != nil {
		return nil, err
	}
	var out []File
	for _, folder := range append(folders, SprintsFolder) {
		paths, err := numberedFiles(filepath.Join(w.Dir, folder))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			n, _ := taskNumber(filepath.Base(path))
			name := task.Key(folder, n)
			if folder == SprintsFolder {
				name = SprintName(n)
			}
			out = append(out, File{name, path})
		}
	}
	return out, nil
}

// numberedFiles lists the files of a folder whose names are numbers, in their order. A folder that does not exist has none.
func numberedFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		_, ok := taskNumber(e.Name())
		return !ok || e.IsDir()
	})
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return task.CompareKeys(a.Name(), b.Name()) })
	var out []string
	for _, e := range entries {
		out = append(out, filepath.Join(folder, e.Name()))
	}
	return out, nil
}

// HighestNumber returns the highest number of a task in the files of a project, 0 without any.
func (w Workspace) HighestNumber(prefix string) (int, error) {
	if task.CheckPrefix(prefix) != nil {
		return 0, nil
	}
	files, err := numberedFiles(filepath.Join(w.Dir, prefix))
	if err != nil || len(files) == 0 {
		return 0, err
	}
	n, _ := taskNumber(filepath.Base(files[len(files)-1]))
	return n, nil
}

// HasNumber reports whether a project has a file of a task with a number.
func (w Workspace) HasNumber(prefix string, n int) bool {
	_, err := os.Lstat(filepath.Join(w.Dir, prefix, strconv.Itoa(n)+".yml"))
	// A prefix that cannot be one must not become a part of a path.
	return err == nil && task.CheckPrefix(prefix) == nil
}

// taskNumber returns the number of a task from the name of its file, such as "12.yml".
func taskNumber(name string) (n int, ok bool) {
	stem, isYAML := strings.CutSuffix(name, ".yml")
	if !isYAML {
		stem, isYAML = strings.CutSuffix(name, ".yaml")
	}
	n, err := strconv.Atoi(stem)
	// A leading zero would make two files of one number.
	return n, isYAML && err == nil && n > 0 && stem == strconv.Itoa(n)
}

// readInside reads the file of a task or sprint. It follows no link that leads out of the .tasks directory.
func readInside(path string) ([]byte, error) {
	folder := filepath.Dir(path)
	// What a link outside the directory leads to would be shown to agents and land in commits.
	root, err := os.OpenRoot(filepath.Dir(folder))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.Join(filepath.Base(folder), filepath.Base(path))
	src, err := root.ReadFile(name)
	if err != nil && isLinked(root, name) {
		return nil, fmt.Errorf("%q is a link, or below one, that does not lead to a file of the directory of tasks: %w", path, err)
	}
	return src, err
}

// isLinked reports whether a file, or the folder that it is in, is a link.
func isLinked(root *os.Root, name string) bool {
	for _, at := range []string{filepath.Dir(name), name} {
		if info, err := root.Lstat(at); err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// ReadTask reads the file of a task. Errors: *markdown.SyntaxError.
func ReadTask(path string) (TaskFile, error) {
	src, err := readInside(path)
	if err != nil {
		return TaskFile{}, err
	}
	f := TaskFile{Prefix: filepath.Base(filepath.Dir(path)), Path: path}
	f.Number, _ = taskNumber(filepath.Base(path))
	f.Root, f.Task, err = ParseTask(path, src)
	return f, err
}

// ParseTask reads the text of a file of a task. The path is a name for messages.
func ParseTask(path string, src []byte) (*yaml.Node, Task, error) {
	root, err := parseYAML(path, src)
	if err != nil {
		return nil, Task{}, err
	}
	r := record{file: path, root: root}
	if r.root == nil {
		r.root = &yaml.Node{Kind: yaml.MappingNode, Line: 1}
	}
	t := Task{
		Title: r.text("title"), Status: r.text("status"), Priority: r.text("priority"), Type: r.text("type"),
		Reporter: r.text("reporter"), Assignee: r.text("assignee"), Created: r.text("created"), Modified: r.text("modified"),
		DueDate: r.text("due_date"), Effort: r.text("effort"), Subtitle: r.text("subtitle"), Description: r.text("description"),
		Criteria: r.list("acceptance_criteria"), Tags: r.list("tags"), Sprints: r.numbers("sprints"),
	}
	// This is the key of older files.
	if t.Type == "" {
		t.Type = r.text("task_type")
	}
	r.decode("relationships", &t.Relationships)
	r.decode("comments", &t.Comments)
	r.decode("history", &t.History)
	t.References = r.references("references")
	if fields := r.value("custom_fields"); fields != nil {
		if fields.Kind != yaml.MappingNode {
			r.fail(fields, "custom_fields: this is not a mapping")
		} else if len(fields.Content) > 0 {
			t.CustomFields = fields
		}
	}
	if strings.TrimSpace(t.Title) == "" {
		r.fail(r.root, "the task has no title")
	}
	return r.root, t, r.err
}
