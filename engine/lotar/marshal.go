package lotar

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/engine/spec/taskfields"

	"go.yaml.in/yaml/v3"
)

// Node returns the task as a mapping, with the keys in lotar's order and without empty values.
func (t *Task) Node() *yaml.Node {
	m := newMapping()
	m.text("title", t.Title)
	m.text("status", t.Status)
	m.text("priority", t.Priority)
	m.text("type", t.Type)
	m.text("reporter", t.Reporter)
	m.text("assignee", t.Assignee)
	m.text("created", t.Created)
	m.text("modified", t.Modified)
	m.text("due_date", t.DueDate)
	m.text("effort", t.Effort)
	m.list("acceptance_criteria", t.Criteria)
	related := newMapping()
	r := t.Relationships
	related.list("depends_on", r.DependsOn)
	related.list("blocks", r.Blocks)
	related.list("related", r.Related)
	related.text("parent", r.Parent)
	related.list("children", r.Children)
	related.list("fixes", r.Fixes)
	related.text("duplicate_of", r.DuplicateOf)
	m.add("relationships", related.Node)
	m.add("comments", commentsNode(t.Comments))
	m.add("references", referencesNode(t.References))
	m.numbers("sprints", t.Sprints)
	m.text("subtitle", t.Subtitle)
	m.text("description", t.Description)
	m.list("tags", t.Tags)
	m.add("custom_fields", t.CustomFields)
	m.add("history", historyNode(t.History))
	return m.Node
}

// Node returns the sprint as a mapping, with the keys in lotar's order and without empty values.
func (s *Sprint) Node() *yaml.Node {
	m := newMapping()
	m.text("created", s.Created)
	m.text("modified", s.Modified)
	plan := newMapping()
	plan.text("label", s.Plan.Label)
	plan.text("goal", s.Plan.Goal)
	plan.text("length", s.Plan.Length)
	plan.text("ends_at", s.Plan.EndsAt)
	plan.text("starts_at", s.Plan.StartsAt)
	capacity := newMapping()
	capacity.number("points", s.Plan.Capacity.Points)
	capacity.number("hours", s.Plan.Capacity.Hours)
	plan.add("capacity", capacity.Node)
	plan.text("overdue_after", s.Plan.OverdueAfter)
	plan.text("notes", s.Plan.Notes)
	m.add("plan", plan.Node)
	actual := newMapping()
	actual.text("started_at", s.Actual.StartedAt)
	actual.text("closed_at", s.Actual.ClosedAt)
	m.add("actual", actual.Node)
	m.list("tasks", s.Tasks)
	m.add("history", historyNode(s.History))
	return m.Node
}

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

// mapping builds a mapping without empty values.
type mapping struct{ *yaml.Node }

func newMapping() mapping { return mapping{&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}} }

func (m mapping) add(key string, value *yaml.Node) {
	if value != nil && (value.Kind == yaml.ScalarNode || len(value.Content) > 0) {
		m.Content = append(m.Content, textNode(key), value)
	}
}

func (m mapping) text(key, value string) {
	if value != "" {
		m.add(key, textNode(value))
	}
}

func (m mapping) number(key string, n int) {
	if n != 0 {
		m.add(key, numberNode(n))
	}
}

func (m mapping) list(key string, items []string) {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, item := range items {
		list.Content = append(list.Content, textNode(item))
	}
	m.add(key, list)
}

func (m mapping) numbers(key string, items []int) {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, item := range items {
		list.Content = append(list.Content, numberNode(item))
	}
	m.add(key, list)
}

func numberNode(n int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(n)}
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
	if node.Style == yaml.LiteralStyle {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

func commentsNode(comments []taskfields.Comment) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, c := range comments {
		m := newMapping()
		m.text("date", c.Date)
		m.text("author", c.Author)
		m.add("text", textNode(c.Text))
		list.Content = append(list.Content, m.Node)
	}
	return list
}

func referencesNode(references []taskfields.Reference) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, r := range references {
		m := newMapping()
		m.add(r.Kind, textNode(r.Value))
		list.Content = append(list.Content, m.Node)
	}
	return list
}

func historyNode(history []taskfields.PastChange) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, past := range history {
		changes := &yaml.Node{Kind: yaml.SequenceNode}
		for _, c := range past.Changes {
			m := newMapping()
			m.text("field", c.Field)
			m.text("old", c.Old)
			m.text("new", c.New)
			changes.Content = append(changes.Content, m.Node)
		}
		m := newMapping()
		m.text("at", past.At)
		m.text("actor", past.Actor)
		m.add("changes", changes)
		list.Content = append(list.Content, m.Node)
	}
	return list
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
