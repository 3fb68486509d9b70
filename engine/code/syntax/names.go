package syntax

import (
	"slices"
	"strings"

	"chant/engine/code/chunk"
)

// bodies are the kinds of nodes with the members or statements of a declaration, where no field names them.
var bodies = []string{"class_body", "enum_class_body", "function_body", "declaration_list", "field_declaration_list", "block",
	"compound_statement", "enum_body", "object_type", "interface_body", "accessor_list", "computed_property", "arrow_expression_clause"}

// body returns the node with the members or statements of a declaration, or -1.
func (w *walker) body(c int) int {
	if v := w.child(c, "variable_declarator"); v >= 0 {
		if c = w.child(v, "value"); c < 0 {
			return -1
		}
	}
	if b := w.child(c, "body"); b >= 0 {
		return b
	}
	for d := c + 1; d < w.next(c); d = w.next(d) {
		if slices.Contains(bodies, w.tree.Kind(d)) {
			return d
		}
	}
	return -1
}

// name returns the name that a node declares, and the type before it if the name has one: "T::f".
func (w *walker) name(c int) (name, of string) {
	switch kind := w.tree.Kind(c); kind {
	case "init_declaration":
		return "init", ""
	case "deinit_declaration":
		return "deinit", ""
	case "subscript_declaration":
		return "subscript", ""
	case "secondary_constructor":
		return "constructor", ""
	case "indexer_declaration":
		return "this", ""
	case "impl_item":
		return withoutArguments(w.text(max(w.child(c, "type"), c))), ""
	case "destructor_declaration":
		if n := w.child(c, "name"); n >= 0 {
			return "~" + w.text(n), ""
		}
	case "operator_declaration", "conversion_operator_declaration":
		_, after, _ := strings.Cut(w.text(c), "operator")
		text, _, _ := strings.Cut(after, "(")
		return "operator " + oneLine(text), ""
	case "function_declaration", "protocol_function_declaration":
		if w.lang == Swift {
			return w.swiftName(c), ""
		}
	case "class_declaration":
		if w.childWord(c) == "extension" {
			if n := w.child(c, "name"); n >= 0 {
				return withoutArguments(w.text(n)), ""
			}
		}
	}
	at := w.nameNode(c)
	if at < 0 {
		if w.tree.Kind(c) == "companion_object" {
			return "Companion", ""
		}
		return "(anonymous)", ""
	}
	text := oneLine(w.text(at))
	if i := strings.LastIndex(text, "::"); i >= 0 && i+2 < len(text) {
		return text[i+2:], strings.ReplaceAll(withoutArguments(text[:i]), "::", " > ")
	}
	if w.lang == Python || w.lang == TypeScript || w.lang == TSX {
		text = withoutArguments(text)
	}
	return text, ""
}

// swiftName returns the name of a function, which may be an operator.
func (w *walker) swiftName(c int) string {
	_, text, _ := strings.Cut(w.text(max(w.child(c, "func"), c)), "func")
	if f := w.child(c, "func"); f >= 0 {
		text = w.src[w.tree.Nodes[f].End:w.tree.Nodes[c].End]
	}
	text, _, _ = strings.Cut(text, "(")
	text = oneLine(text)
	if i := strings.IndexByte(text, '<'); i > 0 && (text[i-1] != ' ' || strings.HasSuffix(text, ">")) {
		if word, _ := lastWord(strings.TrimSpace(text[:i])); word != "" {
			text = text[:i]
		}
	}
	if text = strings.Trim(text, " `"); text == "" {
		return "(anonymous)"
	}
	return text
}

// nameNode returns the node of the name that a node declares, or -1.
func (w *walker) nameNode(c int) int {
	field := w.rule(c).field
	if field == "" {
		field = "name"
	}
	at := w.child(c, field)
	for _, kind := range []string{"type_identifier", "simple_identifier", "identifier"} {
		if at < 0 {
			at = w.child(c, kind)
		}
	}
	for range 12 { // declarators of C, declarators of variables
		if at < 0 {
			return -1
		}
		inner := w.child(at, "declarator")
		if inner < 0 && w.tree.Kind(at) == "variable_declarator" {
			inner = w.child(at, "name")
		}
		if inner < 0 && (w.tree.Kind(at) == "reference_declarator" || w.tree.Kind(at) == "parenthesized_declarator") {
			inner = at + 1
		}
		if inner < 0 || inner >= w.next(at) {
			return at
		}
		at = inner
	}
	return at
}

// childWord returns the word by which Swift and Kotlin say what a class declaration is: "struct", "interface".
func (w *walker) childWord(c int) string {
	for d := c + 1; d < w.next(c); d = w.next(d) {
		if !w.tree.Nodes[d].Named {
			switch t := w.text(d); t {
			case "class", "struct", "enum", "actor", "extension", "interface", "object":
				return t
			}
		}
	}
	return ""
}

// kind returns the kind of a declaration: that of its rule, unless where it is or a word within it says otherwise.
func (w *walker) kind(s scope, c int, of string) chunk.Kind {
	kind := w.rule(c).kind
	name, _ := w.name(c)
	switch {
	case kind == chunk.Class && (w.lang == Swift || w.lang == Kotlin):
		words := map[string]chunk.Kind{"struct": chunk.Struct, "actor": chunk.Actor, "extension": chunk.Extension, "interface": chunk.Interface, "enum": chunk.Enum}
		if k, ok := words[w.childWord(c)]; ok {
			return k
		}
		if w.lang == Kotlin && w.child(c, "enum_class_body") >= 0 {
			return chunk.Enum
		}
	case kind == chunk.Function && w.tree.Kind(c) != "lexical_declaration" && (s.inType() || of != ""), kind == chunk.Method:
		last := of
		if last == "" && len(s.crumbs) > 0 {
			last = s.crumbs[len(s.crumbs)-1]
		}
		if _, after, ok := cutLast(last, " > "); ok {
			last = after
		}
		switch {
		case name == "__init__" || name == "constructor" || name == "initialize" || name == "__construct",
			(w.lang == CPP || w.lang == C) && name == last:
			return chunk.Initializer
		case strings.HasPrefix(name, "~"), name == "__del__", name == "__destruct":
			return chunk.Deinitializer
		case name == "__getitem__" || name == "operator[]":
			return chunk.Subscript
		case w.lang == Ruby && !s.inType() && s.kind != chunk.Namespace:
			return chunk.Function
		}
		return chunk.Method
	case kind == chunk.Function && len(s.crumbs) == 0 && w.classValue(c):
		return chunk.Class
	}
	return kind
}

// classValue reports whether a variable is declared whose value is a class.
func (w *walker) classValue(c int) bool {
	if v := w.child(c, "variable_declarator"); v >= 0 {
		v = w.child(v, "value")
		return v >= 0 && w.tree.Kind(v) == "class"
	}
	return false
}

// signature returns a declaration up to its body, without attributes, on one line.
func (w *walker) signature(outer, c, body int) string {
	start, end := int(w.tree.Nodes[c].Start), int(w.tree.Nodes[c].End)
	if outer != c && w.tree.Kind(outer) == "template_declaration" || w.tree.Kind(outer) == "export_statement" && w.child(outer, "decorator") < 0 {
		start = int(w.tree.Nodes[outer].Start)
	}
	if body >= 0 {
		end = int(w.tree.Nodes[body].Start)
	}
	if r := w.rule(c); !r.kind.IsCallable() && !r.kind.IsType() && r.kind != chunk.Namespace {
		return ""
	}
	var b strings.Builder
	for d := c + 1; d < w.next(c) && int(w.tree.Nodes[d].Start) < end; {
		if k := w.rule(d).role; k == marks || k == comments {
			at := int(w.tree.Nodes[d].Start)
			if at > start {
				b.WriteString(w.src[start:at])
			}
			b.WriteByte(' ')
			start = max(start, int(w.tree.Nodes[d].End))
			d = w.next(d)
			continue
		}
		d++
	}
	if start < end {
		b.WriteString(w.src[start:end])
	}
	text := strings.TrimRight(oneLine(b.String()), " {;:=")
	text = strings.TrimSuffix(text, "=>")
	if len(text) > mostSignature {
		text = strings.ToValidUTF8(text[:mostSignature], "") + "…"
	}
	return strings.TrimSpace(text)
}

// mostSignature is how many bytes of a signature are kept.
const mostSignature = 400

// inherits lists the types that a type extends.
func (w *walker) inherits(c, body int) []string {
	var all []string
	add := func(i int) {
		text := withoutArguments(oneLine(w.text(i)))
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if w.classValue(c) {
		c = w.child(w.child(c, "variable_declarator"), "value")
	}
	if t := w.child(c, "trait"); t >= 0 && w.tree.Kind(c) == "impl_item" {
		add(t)
	}
	var collect func(i, depth int)
	collect = func(i, depth int) {
		for d := i + 1; d < w.next(i); d = w.next(d) {
			kind := w.tree.Kind(d)
			switch {
			case !w.tree.Nodes[d].Named, kind == "access_specifier", kind == "keyword_argument", kind == "value_arguments",
				w.field(d) == "type_arguments", kind == "type_arguments", kind == "argument_list" && depth > 0, w.rule(d).role == marks:
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
						if a := w.child(m, "arguments"); a >= 0 {
							collect(a, 0)
						}
					}
				}
			}
		}
	}
	return all
}

// withoutArguments returns a type's name without type arguments and call arguments.
func withoutArguments(text string) string {
	if i := strings.IndexAny(text, "<(["); i > 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// oneLine returns a text with single spaces for all white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
