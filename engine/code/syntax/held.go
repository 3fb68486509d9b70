package syntax

import (
	"slices"
	"strings"
)

// holders are the kinds of nodes that declare variables, but are chunks or parts of something in other places.
var holders = []string{"variable_declarator", "field_declaration", "property_element", "property_declaration", "method_signature",
	"public_field_definition", "field_definition"}

// patterns are the kinds of nodes that take values apart.
var patterns = []string{"object_pattern", "array_pattern", "pattern_list", "tuple_pattern", "list_pattern", "multi_variable_declaration"}

// variablesIn returns the names of variables that are declared between two bytes.
func (w *nodes) variablesIn(start, end int) []string {
	var all []string
	for i := 0; i < len(w.tree.Nodes) && len(all) < 50; i++ {
		n := w.tree.Nodes[i]
		if int(n.End) <= start {
			i = w.next(i) - 1
			continue
		}
		if int(n.Start) >= end {
			break
		}
		if int(n.Start) < start || !n.Named || w.rule(i).role != holds && !slices.Contains(holders, w.tree.Kind(i)) {
			continue
		}
		for _, name := range w.variablesOf(i) {
			if name != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
		// What is within an assignment is its value, not a further declaration.
		if w.rule(i).role == holds && w.tree.Kind(i) == "assignment" {
			i = w.next(i) - 1
		}
	}
	return all
}

// variablesOf returns the names that a node declares.
func (w *nodes) variablesOf(i int) []string {
	for _, field := range []string{"name", "property", "declarator", "left", "variable_declaration", "multi_variable_declaration", "variable_name"} {
		c := w.child(i, field)
		if c < 0 {
			continue
		}
		if slices.Contains(patterns, w.tree.Kind(c)) {
			return w.identifiers(c)
		}
		text, _, _ := strings.Cut(oneLine(w.text(w.declaredName(c))), " = ")
		if at := strings.IndexByte(text, ':'); at >= 0 && !strings.HasPrefix(text[at:], "::") {
			text = text[:at]
		}
		name, _ := lastWord(strings.TrimSpace(text))
		if w.lang == PHP {
			name = strings.TrimPrefix(name, "$")
		}
		if name != "" && name != "this" {
			return []string{name}
		}
	}
	return nil
}

// identifiers returns the names within a node that are no keys and no values by default.
func (w *nodes) identifiers(i int) []string {
	var all []string
	for c := i + 1; c < w.next(i); c++ {
		switch kind := w.tree.Kind(c); {
		case w.field(c) == "right", kind == "call", kind == "subscript", kind == "attribute":
			c = w.next(c) - 1
		case kind == "identifier", kind == "simple_identifier", kind == "shorthand_property_identifier_pattern":
			all = append(all, w.text(c))
		}
	}
	return all
}
