package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Compare lists the fields in which two versions of a spec differ: keys of the front matter in the order of the file,
// "title", "description" for the text that people write, "acceptance_criteria" with their boxes, and comments: "comment"
// for a new one, "comment#2" for the second one if it was changed or removed. A version that cannot be read has no
// changes.
func Compare(old, now []byte) []taskfields.FieldChange {
	a, errA := markdown.Parse("old", old)
	b, errB := markdown.Parse("new", now)
	if errA != nil || errB != nil {
		return nil
	}
	changes := compareKeys(a, b)
	add := func(field, old, now string) {
		if old != now {
			changes = append(changes, taskfields.FieldChange{Field: field, Old: shortened(old), New: shortened(now)})
		}
	}
	add("title", a.Title(), b.Title())
	add("description", task.Description(a), task.Description(b))
	add("acceptance_criteria", criteria(a), criteria(b))
	return append(changes, compareComments(a, b)...)
}

// compareKeys compares the front matter, without the keys that have a history of their own.
func compareKeys(a, b *markdown.Document) []taskfields.FieldChange {
	oldKeys, old := values(a)
	newKeys, now := values(b)
	var changes []taskfields.FieldChange
	add := func(key string) {
		if old[key] != now[key] {
			changes = append(changes, taskfields.FieldChange{Field: key, Old: shortened(old[key]), New: shortened(now[key])})
		}
	}
	for _, key := range newKeys {
		add(key)
	}
	for _, key := range oldKeys {
		if _, has := now[key]; !has {
			add(key)
		}
	}
	return changes
}

// values returns the keys of a front matter in their order, and their values as texts.
func values(d *markdown.Document) (keys []string, texts map[string]string) {
	texts = map[string]string{}
	var nodes map[string]yaml.Node
	if d.Decode(&nodes) != nil {
		return nil, texts
	}
	all, err := d.Keys()
	if err != nil {
		return nil, texts
	}
	for _, key := range all {
		// Comments are compared on their own below, and an imported history is no change that someone made here.
		if key == "comments" || key == "imported_history" {
			continue
		}
		node := nodes[key]
		keys = append(keys, key)
		texts[key] = textOf(&node)
	}
	return keys, texts
}

// textOf returns a value as a text: a list of plain values with commas, anything else that is nested as JSON.
func textOf(node *yaml.Node) string {
	switch node.Kind {
	case yaml.ScalarNode:
		if node.ShortTag() == "!!null" {
			return ""
		}
		return node.Value
	case yaml.SequenceNode:
		var items []string
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return jsonOf(node)
			}
			items = append(items, item.Value)
		}
		return strings.Join(items, ", ")
	}
	return jsonOf(node)
}

func jsonOf(node *yaml.Node) string {
	var v any
	if node.Decode(&v) != nil {
		return ""
	}
	text, err := json.Marshal(v)
	// JSON has only texts as keys.
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// criteria returns the criteria of a spec with their boxes, one in each line.
func criteria(d *markdown.Document) string {
	var lines []string
	for _, c := range spec.Criteria(d) {
		box := "[ ] "
		if c.Checked {
			box = "[x] "
		}
		lines = append(lines, box+c.Text)
	}
	return strings.Join(lines, "\n")
}

func compareComments(a, b *markdown.Document) []taskfields.FieldChange {
	var old, now []taskfields.Comment
	if _, err := a.Get("comments", &old); err != nil {
		return nil
	}
	if _, err := b.Get("comments", &now); err != nil {
		return nil
	}
	var changes []taskfields.FieldChange
	for i, c := range now {
		switch {
		case i >= len(old):
			changes = append(changes, taskfields.FieldChange{Field: "comment", New: shortened(c.Text)})
		case old[i].Text != c.Text:
			changes = append(changes, taskfields.FieldChange{Field: fmt.Sprintf("comment#%d", i+1), Old: shortened(old[i].Text), New: shortened(c.Text)})
		}
	}
	// Comments have no ids: those beyond the new list count as removed.
	for i := len(now); i < len(old); i++ {
		changes = append(changes, taskfields.FieldChange{Field: fmt.Sprintf("comment#%d", i+1), Old: shortened(old[i].Text)})
	}
	return changes
}

// maxValue limits the bytes of a value that are kept.
const maxValue = 2000

func shortened(text string) string {
	if len(text) <= maxValue {
		return text
	}
	cut := maxValue
	// The cut must not divide a character.
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
