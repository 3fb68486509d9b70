package exchange

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/format/tracker"
	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/engine/store"
	"chant/markdown"
)

// composer makes specs of the items of a tool.
type composer struct {
	tool    tracker.Tool
	specs   map[string]string   // of items, by their ids and further names in upper case
	members map[string][]string // specs of the parts of an item
}

// composer returns a composer that knows some items. Specs that are neither there nor made by this import are unknown to
// it, because what depends on one of them could never start.
func (im *importer) composer(items map[string]imported) composer {
	c := composer{tool: im.in.Tool, specs: map[string]string{}, members: map[string][]string{}}
	for _, key := range slices.Sorted(maps.Keys(items)) {
		one := items[key]
		if _, old := im.before[key]; old && im.specs[one.Spec] == nil && !im.gone[one.Spec] {
			continue
		}
		for _, name := range append([]string{one.Item.ID}, one.Item.Aliases...) {
			c.specs[strings.ToUpper(name)] = one.Spec
		}
		if parent := strings.ToUpper(one.Item.Parent); parent != "" && parent != key {
			c.members[parent] = append(c.members[parent], one.Spec)
		}
	}
	return c
}

// compose returns the spec of an item.
func (c composer) compose(one imported) (*markdown.Document, error) {
	it := one.Item
	var rest []tracker.Field
	// What an item names may come with a later import.
	resolve := func(what string, names ...string) (ids []string) {
		for _, name := range names {
			id := c.specs[strings.ToUpper(name)]
			switch {
			case name == "" || slices.Contains(ids, id):
			case id == "":
				rest = append(rest, tracker.Field{Name: what, Value: name + " (not imported)"})
			case id == one.Spec:
				// A spec that waits for itself could never start.
				rest = append(rest, tracker.Field{Name: what, Value: name + " (itself)"})
			default:
				ids = append(ids, id)
			}
		}
		return ids
	}
	deps, related := resolve("depends on", it.DependsOn...), resolve("related to", it.Related...)
	duplicate := strings.Join(resolve("duplicate of", it.DuplicateOf), "")
	resolve("part of", it.Parent)
	rest = append(rest, it.Rest...)
	doc, err := c.body(one, &rest)
	if err != nil {
		return nil, err
	}
	var m matter
	members := c.members[strings.ToUpper(it.ID)]
	kind := spec.Code
	if len(members) > 0 {
		kind = spec.Driver
	}
	m.text("type", string(kind))
	m.text("status", string(it.Status))
	m.list("aliases", append([]string{it.ID}, it.Aliases...))
	m.text("task_type", it.Type)
	m.text("priority", it.Priority)
	m.text("reporter", it.Reporter)
	m.text("assignee", it.Assignee)
	m.text("due_date", it.Due)
	m.text("effort", it.Effort)
	m.list("labels", it.Labels)
	m.list("depends_on", deps)
	m.list("members", members)
	if r := (&taskfields.Relationships{Related: related, DuplicateOf: duplicate}); !r.IsZero() {
		m.set("relationships", r)
	}
	m.text("created", it.Created)
	if it.Status == spec.Completed {
		m.text("completed_at", it.Closed)
	}
	// A draft is not work that an agent may start.
	if it.Draft && it.Status == spec.Pending {
		m.set("approval", map[string]any{"required": true, "status": string(spec.ApprovalPending)})
	}
	if len(it.Comments) > 0 {
		m.set("comments", it.Comments)
	}
	var links []taskfields.Reference
	for _, link := range it.Links {
		kind := "file"
		if strings.Contains(link, "://") {
			kind = "link"
		}
		links = append(links, taskfields.Reference{Kind: kind, Value: link})
	}
	if len(links) > 0 {
		m.set("references", links)
	}
	return m.document(doc.Path(), doc.Body())
}

// body returns the document of an item without front matter: its text, its criteria, and what has no other place.
func (c composer) body(one imported, rest *[]tracker.Field) (*markdown.Document, error) {
	it := one.Item
	title := spec.OneLine(it.Title)
	if title == "" {
		title = it.ID
	}
	src := "# " + title + "\n"
	if it.Text != "" {
		src += "\n" + it.Text + "\n"
	}
	doc, err := markdown.Parse(store.SpecPath(one.Spec), []byte(src))
	if err != nil {
		return nil, err
	}
	if len(it.Criteria) > 0 {
		var list strings.Builder
		for _, criterion := range it.Criteria {
			fmt.Fprintf(&list, "- [ ] %s\n", spec.OneLine(criterion))
		}
		doc = doc.AppendToSection(spec.CriteriaHeading, []byte(list.String()))
	}
	doc, changed, err := tracker.WithoutMeaning(doc)
	if err != nil {
		return nil, err
	}
	*rest = append(*rest, changed...)
	if doc, err = tickDone(it, doc, rest); err != nil || len(*rest) == 0 {
		return doc, err
	}
	var list strings.Builder
	for _, f := range *rest {
		value := f.Value
		if strings.Contains(value, "\n") {
			// In one line, and nothing of it is lost.
			quoted, _ := json.Marshal(value)
			value = string(quoted)
		}
		fmt.Fprintf(&list, "- %s: %s\n", f.Name, value)
	}
	return doc.AppendToSection("From "+c.tool.Name(), []byte(list.String())), nil
}

// tickDone ticks the criteria of an item that is done, and names those that were open.
func tickDone(it tracker.Item, doc *markdown.Document, rest *[]tracker.Field) (*markdown.Document, error) {
	if it.Status != spec.Completed {
		return doc, nil
	}
	boxes := map[string]bool{}
	var open []string
	for _, c := range spec.Criteria(doc) {
		// A completed spec with open criteria is reported as a fault by every check.
		if !c.Checked {
			boxes[c.ID] = true
			open = append(open, fmt.Sprint(c.Number))
		}
	}
	// Criteria that had no box there were not open.
	if len(open) > 0 && len(it.Criteria) == 0 {
		*rest = append(*rest, tracker.Field{Name: "criteria without a tick when it was done", Value: strings.Join(open, ", ")})
	}
	return spec.Check(doc, boxes)
}
