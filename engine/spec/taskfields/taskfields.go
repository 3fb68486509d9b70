// Package taskfields defines the front matter keys of a spec that is planned as a task: its number, people, dates,
// sprints, comments and references. It says what shape they have, not what their values mean.
//
// # Rules
//
//   - A value of another shape reads as empty: one key that another tool writes in its own way must not hide a spec.
//   - What grows with a task (Notes) is not part of Fields, so that an index of specs stays small.
package taskfields

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Fields are the keys that every list of specs needs. Like lotar's, their values are texts whose meaning the settings of
// the tasks define.
type Fields struct {
	Task          Word           `yaml:"task" json:"task,omitempty"`               // such as AUTH-12
	Aliases       Words          `yaml:"aliases" json:"aliases,omitempty"`         // ids that it has in other tools
	TaskStatus    Word           `yaml:"task_status" json:"task_status,omitempty"` // a word of the workspace for the status
	TaskType      Word           `yaml:"task_type" json:"task_type,omitempty"`
	Assignee      Word           `yaml:"assignee" json:"assignee,omitempty"`
	Reporter      Word           `yaml:"reporter" json:"reporter,omitempty"`
	DueDate       Word           `yaml:"due_date" json:"due_date,omitempty"`
	Effort        Word           `yaml:"effort" json:"effort,omitempty"`
	Subtitle      Word           `yaml:"subtitle" json:"subtitle,omitempty"`
	Created       Word           `yaml:"created" json:"created,omitempty"`
	Sprints       SprintList     `yaml:"sprints" json:"sprints,omitempty"`
	Relationships *Relationships `yaml:"relationships" json:"relationships,omitzero"`
	CustomFields  CustomFields   `yaml:"custom_fields" json:"custom_fields,omitempty"`
	LastImported  ImportedChange `yaml:"lotar" json:"-"`
}

// ImportedChange is when a task was last changed before it was imported (RFC 3339), "" if its file did not say it: all
// that lists need of the key lotar.
type ImportedChange string

// UnmarshalYAML accepts any value.
func (c *ImportedChange) UnmarshalYAML(node *yaml.Node) error {
	var read struct {
		Modified struct {
			Value Word `yaml:"value"`
		} `yaml:"modified"`
	}
	if node.Kind == yaml.MappingNode && node.Decode(&read) == nil {
		*c = ImportedChange(read.Modified.Value)
	}
	return nil
}

// Word is a text that reads as empty if the key has a list or a mapping.
type Word string

// UnmarshalYAML accepts any value.
func (w *Word) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode && node.ShortTag() != "!!null" {
		*w = Word(strings.TrimSpace(node.Value))
	}
	return nil
}

// Words is a list of texts, which may be written as a single one.
type Words []string

// UnmarshalYAML accepts any value and ignores what is neither a text nor a list of texts.
func (l *Words) UnmarshalYAML(node *yaml.Node) error {
	*l = Words(fieldValues(node).Values)
	return nil
}

// SprintList is a list of sprint numbers, in order and without repetitions.
type SprintList []int

// UnmarshalYAML accepts one number or a list. It ignores what is not a positive number.
func (l *SprintList) UnmarshalYAML(node *yaml.Node) error {
	var items []*yaml.Node
	switch node.Kind {
	case yaml.ScalarNode:
		items = []*yaml.Node{node}
	case yaml.SequenceNode:
		items = node.Content
	}
	for _, item := range items {
		n, err := strconv.Atoi(strings.TrimPrefix(item.Value, "#"))
		if err == nil && n > 0 && item.Kind == yaml.ScalarNode && !slices.Contains(*l, n) {
			*l = append(*l, n)
		}
	}
	slices.Sort(*l)
	return nil
}

// Relationships are how a spec relates to others, apart from depends_on; they contain ids of specs or numbers of tasks.
type Relationships struct {
	Blocks      Words  `yaml:"blocks,omitempty" json:"blocks,omitempty"` // those that depend on it, whose depends_on counts
	Related     Words  `yaml:"related,omitempty" json:"related,omitempty"`
	Parent      string `yaml:"parent,omitempty" json:"parent,omitempty"`
	Children    Words  `yaml:"children,omitempty" json:"children,omitempty"`
	Fixes       Words  `yaml:"fixes,omitempty" json:"fixes,omitempty"`
	DuplicateOf string `yaml:"duplicate_of,omitempty" json:"duplicate_of,omitempty"`
}

// UnmarshalYAML accepts any value; what does not have the shape of relationships reads as none.
func (r *Relationships) UnmarshalYAML(node *yaml.Node) error {
	type plain Relationships
	var read plain
	if node.Kind == yaml.MappingNode && node.Decode(&read) == nil {
		*r = Relationships(read)
	}
	return nil
}

// IsZero reports whether there is no relationship.
func (r *Relationships) IsZero() bool {
	return r == nil || len(r.Blocks)+len(r.Related)+len(r.Children)+len(r.Fixes) == 0 && r.Parent == "" && r.DuplicateOf == ""
}

// All lists the ids in all relationships.
func (r *Relationships) All() []string {
	if r == nil {
		return nil
	}
	all := slices.Concat([]string(r.Blocks), r.Related, r.Children, r.Fixes, []string{r.Parent, r.DuplicateOf})
	return slices.DeleteFunc(all, func(id string) bool { return id == "" })
}

// CustomFields are the keys and values of a project, as texts.
type CustomFields map[string]FieldValues

// UnmarshalYAML accepts any value; what is not a mapping reads as none.
func (c *CustomFields) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return nil
	}
	read := CustomFields{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		read[node.Content[i].Value] = fieldValues(node.Content[i+1])
	}
	*c = read
	return nil
}

// FieldValues are the values of a custom field: one text, or those of a list.
type FieldValues struct {
	Values []string
	List   bool // it is written as a list
}

// MarshalJSON writes one value as a text and a list as a list.
func (v FieldValues) MarshalJSON() ([]byte, error) {
	if !v.List && len(v.Values) == 1 {
		return json.Marshal(v.Values[0])
	}
	return json.Marshal(append([]string{}, v.Values...))
}

// fieldValues returns the texts of a value: its own, or those of a list. A mapping is one text in the form of YAML.
func fieldValues(node *yaml.Node) FieldValues {
	switch node.Kind {
	case yaml.ScalarNode:
		if node.ShortTag() == "!!null" {
			return FieldValues{}
		}
		return FieldValues{Values: []string{node.Value}}
	case yaml.SequenceNode:
		out := FieldValues{List: true}
		for _, item := range node.Content {
			out.Values = append(out.Values, fieldValues(item).Values...)
		}
		return out
	}
	text, err := yaml.Marshal(node)
	if err != nil {
		return FieldValues{}
	}
	return FieldValues{Values: []string{strings.TrimSpace(string(text))}}
}

// Notes are the parts of the front matter that grow with a task. An index does not keep them: they are read from the
// file when a task is shown.
type Notes struct {
	Comments   []Comment    `yaml:"comments" json:"comments,omitempty"`
	References []Reference  `yaml:"references" json:"references,omitempty"`
	History    []PastChange `yaml:"imported_history" json:"imported_history,omitempty"`
}

// Comment is what a person or an agent said about a spec.
type Comment struct {
	Date   string `yaml:"date" json:"date"` // RFC 3339
	Author string `yaml:"author,omitempty" json:"author,omitempty"`
	Text   string `yaml:"text" json:"text"`
}

// PastChange is a change from before the spec was kept in this repository.
type PastChange struct {
	At      string        `yaml:"at" json:"at"` // RFC 3339
	Actor   string        `yaml:"actor,omitempty" json:"actor,omitempty"`
	Changes []FieldChange `yaml:"changes" json:"changes"`
}

// FieldChange is the change of one field.
type FieldChange struct {
	Field string `yaml:"field" json:"field"`
	Old   string `yaml:"old,omitempty" json:"old,omitempty"`
	New   string `yaml:"new,omitempty" json:"new,omitempty"`
}

// Reference is what a spec refers to: a link, a file, a place in the code, or an issue in Jira or GitHub. It is written
// as a mapping with one key, its kind.
type Reference struct{ Kind, Value string }

// IsKey reports whether a text has the form of a task's number: a prefix that begins with a letter, a hyphen and digits.
func IsKey(text string) bool {
	at := strings.LastIndexByte(text, '-')
	if at < 1 || at > 40 || len(text) > 60 || at == len(text)-1 || !isLetter(text[0]) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		digit := c >= '0' && c <= '9'
		if i > at && !digit || i < at && !digit && !isLetter(c) && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// ReferenceKinds lists the kinds of references.
func ReferenceKinds() []string { return []string{"link", "file", "code", "jira", "github"} }

// UnmarshalYAML reads a mapping with one known kind.
func (r *Reference) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			if key := node.Content[i].Value; slices.Contains(ReferenceKinds(), key) {
				r.Kind, r.Value = key, node.Content[i+1].Value
				return nil
			}
		}
	}
	return fmt.Errorf("line %d: a reference is a mapping with one of the keys %s", node.Line, strings.Join(ReferenceKinds(), ", "))
}

// MarshalYAML writes a mapping with one key.
func (r Reference) MarshalYAML() (any, error) { return map[string]string{r.Kind: r.Value}, nil }

// MarshalJSON writes an object with one member.
func (r Reference) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{r.Kind: r.Value})
}

// ReadNotes reads comments, references and imported history. Errors: *markdown.SyntaxError for a value of another shape.
func ReadNotes(doc *markdown.Document) (Notes, error) {
	var n Notes
	for _, part := range []struct {
		key  string
		into any
	}{{"comments", &n.Comments}, {"references", &n.References}, {"imported_history", &n.History}} {
		if _, err := doc.Get(part.key, part.into); err != nil {
			return Notes{}, err
		}
	}
	return n, nil
}
