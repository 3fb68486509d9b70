package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// compose returns the text of the spec for a task.
func (pl *plan) compose(f *lotar.TaskFile, id string) ([]byte, error) {
	st := pl.from.settings[f.Prefix]
	status, word, err := statusOf(f, st)
	if err != nil {
		return nil, err
	}
	doc, err := pl.body(f, id, status)
	if err != nil {
		return nil, err
	}
	var m matter
	m.text("type", string(spec.Code))
	m.text("status", string(status))
	m.text("task", f.Key())
	// The usual word follows from the status, so a spec has the key only for another one.
	if st.WordOf(status, "") != word {
		m.text("task_status", word)
	}
	t := &f.Task
	m.text("task_type", t.Type)
	m.text("priority", t.Priority)
	m.text("reporter", t.Reporter)
	m.text("assignee", t.Assignee)
	m.text("due_date", t.DueDate)
	m.text("effort", t.Effort)
	m.text("subtitle", t.Subtitle)
	m.list("labels", t.Tags)
	m.list("depends_on", pl.deps[id])
	if r := pl.relationships(f); !r.IsZero() {
		m.set("relationships", r)
	}
	if numbers := pl.member[strings.ToUpper(f.Key())]; len(numbers) > 0 {
		m.set("sprints", numbers)
	}
	if t.CustomFields != nil {
		m.set("custom_fields", plainNode(t.CustomFields, 0))
	}
	m.text("created", t.Created)
	if status == spec.Completed {
		m.text("completed_at", completedAt(t, st))
	}
	m.entries(t)
	if doc, err = m.document(doc.Path(), doc.Body()); err != nil {
		return nil, withPath(f, err)
	}
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return nil, withPath(f, err)
	}
	// An export of the new spec shows which values of the file it would lose.
	shown, err := exportTask(s, pl.ours, pl.keys)
	if err != nil {
		return nil, withPath(f, err)
	}
	if doc, err = withOriginals(doc, plainNode(f.Root, 0), shown.Node(), taskDigests(s)); err != nil {
		return nil, withPath(f, err)
	}
	return doc.Bytes(), nil
}

// withPath names the file of a task in an error.
func withPath(f *lotar.TaskFile, err error) error {
	return engine.Fail(engine.Invalid, next.EditFile(f.Path), "%s: %v", f.Path, err)
}

// statusOf returns what the status of a task is to chant, and its spelling in the settings.
func statusOf(f *lotar.TaskFile, st *task.Settings) (spec.Status, string, error) {
	word := f.Task.Status
	if strings.TrimSpace(word) == "" {
		return spec.Pending, st.WordOf(spec.Pending, ""), nil
	}
	status, canonical, ok := st.StatusOf(word)
	if !ok {
		return "", "", fmt.Errorf("%s: unknown status %q (one of %s); tasks.statuses in %s says what other words mean",
			f.Path, word, strings.Join(st.Statuses, ", "), store.ConfigPath)
	}
	return status, canonical, nil
}

// body returns the document of a task without front matter: title, description and criteria.
func (pl *plan) body(f *lotar.TaskFile, id string, status spec.Status) (*markdown.Document, error) {
	text := "# " + spec.OneLine(f.Task.Title) + "\n"
	if description := strings.TrimSpace(strings.ReplaceAll(f.Task.Description, "\r\n", "\n")); description != "" {
		text += "\n" + description + "\n"
	}
	doc, err := markdown.Parse(store.SpecPath(id), []byte(text))
	if err != nil || len(f.Task.Criteria) == 0 {
		return doc, err
	}
	box := "[ ]"
	if status == spec.Completed {
		// A completed spec with open criteria is reported as a fault by every check.
		box = "[x]"
	}
	var list strings.Builder
	for _, criterion := range f.Task.Criteria {
		fmt.Fprintf(&list, "- %s %s\n", box, spec.OneLine(criterion))
	}
	return doc.AppendToSection(spec.CriteriaHeading, []byte(list.String())), nil
}

// relationships returns those of a task, with the ids of the specs. What names no task is left out.
func (pl *plan) relationships(f *lotar.TaskFile) *taskfields.Relationships {
	r := f.Task.Relationships
	all := func(what string, keys []string) (ids taskfields.Words) {
		for _, key := range keys {
			// A relationship to a task that does not exist stays in the key `lotar` only.
			if id := pl.idOf(f.Key(), what, key); id != "" {
				ids = append(ids, id)
			}
		}
		return ids
	}
	one := func(what, key string) string {
		if key == "" {
			return ""
		}
		return pl.idOf(f.Key(), what, key)
	}
	return &taskfields.Relationships{
		Related: all("related", r.Related), Parent: one("parent", r.Parent), Children: all("children", r.Children),
		Fixes: all("fixes", r.Fixes), DuplicateOf: one("duplicate_of", r.DuplicateOf),
	}
}

// completedAt is when a task was done: when its history says so, else its last change.
func completedAt(t *lotar.Task, st *task.Settings) string {
	done := ""
	for _, past := range t.History {
		for _, c := range past.Changes {
			if status, _, ok := st.StatusOf(c.New); c.Field == "status" && ok && status == spec.Completed {
				// The last one counts, because a task may have been opened again.
				done = past.At
			}
		}
	}
	for _, text := range []string{done, t.Modified, t.Created} {
		if text != "" {
			return text
		}
	}
	return ""
}

// matter is the front matter of a new file. It is written at once, because an edit of each key would parse the file
// anew.
type matter struct {
	root yaml.Node
	err  error
}

func (m *matter) set(key string, value any) {
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		m.err = errors.Join(m.err, err)
		return
	}
	quoteLines(&node)
	m.root.Kind = yaml.MappingNode
	m.root.Content = append(m.root.Content, wordNode(key), &node)
}

// quoteLines puts texts of several lines in quotes.
func quoteLines(node *yaml.Node) {
	if node.Kind == yaml.ScalarNode && strings.ContainsAny(node.Value, "\r\n\u0085\u2028\u2029") {
		// Not every block scalar that the YAML package writes reads back.
		node.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range node.Content {
		quoteLines(child)
	}
}

// document returns the file with a body.
func (m *matter) document(path string, body []byte) (*markdown.Document, error) {
	if m.err != nil {
		return nil, m.err
	}
	var text []byte
	if len(m.root.Content) > 0 {
		var err error
		if text, err = lotar.Marshal(&m.root); err != nil {
			return nil, err
		}
	}
	fence := []byte("---\n")
	return markdown.Parse(path, slices.Concat(fence, text, fence, body))
}

func (m *matter) text(key, value string) {
	if value != "" {
		m.set(key, value)
	}
}

func (m *matter) list(key string, items []string) {
	if len(items) > 0 {
		m.set(key, items)
	}
}

// entries adds comments, references and history.
func (m *matter) entries(t *lotar.Task) {
	if len(t.Comments) > 0 {
		m.set("comments", t.Comments)
	}
	if len(t.References) > 0 {
		m.set("references", t.References)
	}
	if len(t.History) > 0 {
		m.set("imported_history", t.History)
	}
}

// plainNode returns a copy of a value without anchors, comments and styles.
func plainNode(node *yaml.Node, depth int) *yaml.Node {
	if node == nil {
		return nil
	}
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	out := &yaml.Node{Kind: node.Kind, Tag: node.ShortTag(), Value: node.Value}
	for _, child := range node.Content {
		// Aliases can make a value endless.
		if depth < maxDepth {
			out.Content = append(out.Content, plainNode(child, depth+1))
		}
	}
	return out
}
