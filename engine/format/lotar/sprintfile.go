package lotar

import (
	"path/filepath"

	"chant/engine/spec/sprint"
	"chant/engine/spec/taskfields"

	"go.yaml.in/yaml/v3"
)

// SprintsFolder contains the files of sprints.
const SprintsFolder = "@sprints"

// SprintFile is a file of a sprint, such as .tasks/@sprints/3.yml.
type SprintFile struct {
	Number int
	Path   string
	Sprint Sprint
	Root   *yaml.Node // the mapping as it was read
}

// Sprint has the values of a sprint in the form and in the order in which lotar stores them.
type Sprint struct {
	Created  string                  `yaml:"created"`
	Modified string                  `yaml:"modified"`
	Plan     sprint.Plan             `yaml:"plan"`
	Actual   sprint.Actual           `yaml:"actual"`
	Tasks    []string                `yaml:"tasks"` // keys, in their rank
	History  []taskfields.PastChange `yaml:"history"`
}

// Sprints reads the sprints by their numbers.
func (w Workspace) Sprints() (sprints []SprintFile, bad []Unreadable, err error) {
	files, err := numberedFiles(filepath.Join(w.Dir, SprintsFolder))
	if err != nil {
		return nil, nil, err
	}
	for _, path := range files {
		read, err := ReadSprint(path)
		if err != nil {
			bad = append(bad, Unreadable{path, err})
			continue
		}
		sprints = append(sprints, read)
	}
	return sprints, bad, nil
}

// ReadSprint reads the file of a sprint. Errors: *markdown.SyntaxError.
func ReadSprint(path string) (SprintFile, error) {
	src, err := readInside(path)
	if err != nil {
		return SprintFile{}, err
	}
	f := SprintFile{Path: path}
	f.Number, _ = taskNumber(filepath.Base(path))
	f.Root, f.Sprint, err = ParseSprint(path, src)
	return f, err
}

// ParseSprint reads the text of a file of a sprint. The path is a name for messages.
func ParseSprint(path string, src []byte) (*yaml.Node, Sprint, error) {
	root, err := parseYAML(path, src)
	if err != nil {
		return nil, Sprint{}, err
	}
	r := record{file: path, root: root}
	if root == nil {
		r.root = &yaml.Node{Kind: yaml.MappingNode, Line: 1}
	}
	s := Sprint{Created: r.text("created"), Modified: r.text("modified")}
	r.decode("plan", &s.Plan)
	r.decode("actual", &s.Actual)
	r.decode("history", &s.History)
	r.tasks(&s.Tasks)
	return r.root, s, r.err
}

// tasks reads the tasks of a sprint: a list of keys, or of mappings with an id.
func (r *record) tasks(into *[]string) {
	node := r.value("tasks")
	if node == nil {
		return
	}
	if node.Kind != yaml.SequenceNode {
		r.fail(node, "tasks: this is not a list")
		return
	}
	for _, item := range node.Content {
		// Older files list the tasks as mappings.
		if i := indexOf(item, "id"); item.Kind == yaml.MappingNode && i >= 0 {
			item = item.Content[i+1]
		}
		if item.Kind != yaml.ScalarNode {
			r.fail(item, "tasks: an item is not the key of a task")
			return
		}
		*into = append(*into, item.Value)
	}
}
