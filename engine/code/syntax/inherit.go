package syntax

import (
	"slices"
	"strings"
)

// noBases are the kinds of nodes among the types that a type extends which are none.
var noBases = []string{"access_specifier", "virtual", "keyword_argument", "value_arguments", "type_arguments", "argument_list",
	"lifetime", "removed_trait_bound", "use_list", "list_splat", "dictionary_splat"}

// basesOf lists the types that a type extends.
func (w *nodes) basesOf(c, body int) []string {
	var all []string
	add := func(i int) {
		text := withoutArguments(oneLine(w.text(i)))
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if w.classValue(c) {
		c = w.value(c)
	}
	if w.lang == Ruby && w.tree.Kind(c) == "assignment" {
		return w.madeFrom(c)
	}
	// A negative implementation says that a type has not got the trait.
	if t := w.child(c, "trait"); t >= 0 && w.tree.Kind(c) == "impl_item" && !strings.Contains(w.src[w.tree.Nodes[c].Start:w.tree.Nodes[t].Start], "!") {
		add(t)
	}
	var collect func(i, depth int)
	collect = func(i, depth int) {
		for d := i + 1; d < w.next(i); d = w.next(d) {
			kind := w.tree.Kind(d)
			switch {
			case !w.tree.Nodes[d].Named, slices.Contains(noBases, kind), w.field(d) == "type_arguments", w.rule(d).role == marks,
				w.rule(d).role == comments, w.lang == CSharp && w.tree.Kind(c) == "enum_declaration":
			case kind == "higher_ranked_trait_bound":
				if t := w.child(d, "type"); t >= 0 {
					add(t)
				}
			// This is the value that implements it.
			case w.tree.Kind(i) == "explicit_delegation" && d > i+1:
			case w.rule(d).role == bases && depth < 4:
				collect(d, depth+1)
			default:
				add(d)
			}
		}
	}
	for d := c + 1; d < w.next(c); d = w.next(d) {
		if w.rule(d).role == bases && d != body {
			collect(d, 0)
		}
		if d == body && (w.lang == PHP || w.lang == Ruby) {
			for m := d + 1; m < w.next(d); m = w.next(m) {
				if w.rule(m).role == bases {
					collect(m, 0)
				}
				if w.lang == Ruby && w.tree.Kind(m) == "call" {
					if n := w.child(m, "method"); n >= 0 && slices.Contains([]string{"include", "extend", "prepend"}, w.text(n)) {
						if a := w.child(m, "arguments"); a >= 0 && w.text(a) != "self" {
							collect(a, 0)
						}
					}
				}
			}
		}
	}
	return all
}

// madeFrom returns the class that Class.new is called with.
func (w *nodes) madeFrom(c int) []string {
	right := w.child(c, "right")
	if !strings.HasPrefix(w.text(right), "Class.new") {
		return nil
	}
	a := w.first(w.child(right, "arguments"))
	if a < 0 {
		return nil
	}
	return []string{oneLine(w.text(a))}
}
