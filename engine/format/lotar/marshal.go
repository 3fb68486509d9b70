package lotar

import (
	"bytes"
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/engine/spec/taskfields"

	"go.yaml.in/yaml/v3"
)

// Node returns the task as a mapping, with the keys in lotar's order and without empty values.
func (t *Task) Node() *yaml.Node { return nodeOf(reflect.ValueOf(*t)) }

// Node returns the sprint as a mapping, with the keys in lotar's order and without empty values.
func (s *Sprint) Node() *yaml.Node { return nodeOf(reflect.ValueOf(*s)) }

// Marshal returns the text of a file.
func Marshal(root *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return nil, err
	}
	return out.Bytes(), enc.Close()
}

// nodeOf returns a value as it is written: a struct as a mapping of the keys in its tags, in their order.
func nodeOf(v reflect.Value) *yaml.Node {
	switch value := v.Interface().(type) {
	case *yaml.Node:
		return value
	case int:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(value)}
	case string:
		return textNode(value)
	case taskfields.Reference:
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{textNode(value.Kind), textNode(value.Value)}}
	}
	if v.Kind() == reflect.Slice {
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for i := range v.Len() {
			list.Content = append(list.Content, nodeOf(v.Index(i)))
		}
		return list
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		// A comment may be empty, and must not lose its text.
		if v.Field(i).IsZero() && key != "text" {
			continue
		}
		if value := nodeOf(v.Field(i)); value.Kind == yaml.ScalarNode || len(value.Content) > 0 {
			out.Content = append(out.Content, textNode(key), value)
		}
	}
	return out
}

// plainTime matches dates and times, which need no quotes.
var plainTime = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))?$`)
})

// textNode returns a text; dates and times are written without quotes, as lotar does.
func textNode(value string) *yaml.Node {
	plain := &yaml.Node{Kind: yaml.ScalarNode, Value: value}
	if plainTime().MatchString(value) && plain.ShortTag() == "!!timestamp" {
		plain.Tag = "!!timestamp"
		return plain
	}
	node := &yaml.Node{}
	node.SetString(value)
	// Not every block scalar that the package writes reads back.
	if node.Style == yaml.LiteralStyle {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

// CompareNames orders keys of a task or a sprint as lotar writes them; other keys come last, by name.
func CompareNames(a, b string) int {
	names := []string{
		"title", "status", "priority", "type", "task_type", "reporter", "assignee", "created", "modified", "due_date", "effort",
		"acceptance_criteria", "relationships", "comments", "references", "plan", "actual", "tasks", "sprints", "subtitle", "description",
		"tags", "custom_fields", "history",
	}
	rank := func(name string) int {
		if i := slices.Index(names, name); i >= 0 {
			return i
		}
		return len(names)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}
