package syntax

import (
	"cmp"
	"strings"

	"chant/engine/code/chunk"
)

// name returns the name that a node declares, and the type before it if the name has one: "T::f".
func (w *nodes) name(c int) (name, of string) {
	name, ok := fixedName(w.tree.Kind(c))
	if !ok {
		name, of, ok = w.otherName(c)
	}
	if ok {
		return name, of
	}
	at := w.nameNode(c)
	if at < 0 {
		if w.tree.Kind(c) == "companion_object" {
			return "Companion", ""
		}
		return "(anonymous)", ""
	}
	if w.lang == Kotlin && w.tree.Kind(c) == "function_declaration" {
		of = w.receiver(c)
	}
	text := oneLine(w.text(at))
	switch w.lang {
	case C, CPP, Ruby:
		return qualifiedName(text, w.rule(c).kind.IsType())
	case Python:
		text = withoutArguments(text)
	case TypeScript, TSX, JavaScript:
		text = strings.Trim(text, `"'`)
		if !strings.HasPrefix(text, "[") {
			text = withoutArguments(text)
		}
	case Kotlin:
		text, _, _ = strings.Cut(text, ":")
		text = strings.Trim(text, "` ")
	}
	return text, of
}

// fixedName returns the name of declarations that have none of their own.
func fixedName(kind string) (string, bool) {
	switch kind {
	case "init_declaration", "anonymous_initializer", "block":
		return "init", true
	case "deinit_declaration":
		return "deinit", true
	case "subscript_declaration":
		return "subscript", true
	case "secondary_constructor":
		return "constructor", true
	case "static_initializer", "class_static_block":
		return "static", true
	case "export_statement":
		return "default", true
	case "indexer_declaration":
		return "this", true
	default:
		return "", false
	}
}

// otherName returns the name of declarations that have it in another place than a field, false for all others.
func (w *nodes) otherName(c int) (name, of string, ok bool) {
	switch kind := w.tree.Kind(c); kind {
	case "call":
		a := w.first(w.child(c, "arguments"))
		return strings.Trim(w.text(max(a, c)), ":\"' "), "", a >= 0
	case "assignment_expression":
		if n := w.child(c, "left"); n >= 0 {
			name, of = memberName(oneLine(w.text(n)))
			return name, of, true
		}
	case "type_alias_statement":
		for d := c + 1; d < w.next(c); d = w.next(d) {
			if w.tree.Nodes[d].Named {
				return withoutArguments(w.text(d)), "", true
			}
		}
	case "impl_item":
		text := withoutArguments(strings.TrimLeft(w.text(max(w.child(c, "type"), c)), "&*"))
		for _, word := range []string{"mut ", "const ", "dyn "} {
			text = strings.TrimPrefix(text, word)
		}
		if _, last, ok := cutLast(text, "::"); ok {
			text = last
		}
		return text, "", true
	case "destructor_declaration":
		if n := w.child(c, "name"); n >= 0 {
			return "~" + w.text(n), "", true
		}
	case "operator_declaration", "conversion_operator_declaration":
		_, after, _ := strings.Cut(w.text(c), "operator")
		text, _, _ := strings.Cut(after, "(")
		return "operator " + oneLine(text), "", true
	case "function_declaration", "protocol_function_declaration":
		return w.swiftName(c), "", w.lang == Swift
	case "class_declaration":
		if n := w.child(c, "name"); n >= 0 && w.childWord(c) == "extension" {
			return withoutArguments(w.text(n)), "", true
		}
	}
	return "", "", false
}

// qualifiedName divides "A::B::f" into "f" and "A > B".
func qualifiedName(text string, isType bool) (name, of string) {
	// The name of a conversion is the type, which may have colons of its own.
	if i := strings.Index(text, "operator "); i == 0 || i > 0 && text[i-1] == ':' {
		name, _, _ = strings.Cut(text[i:], "(")
		text = text[:i] + "x"
	}
	if isType {
		text = withoutArguments(text)
	}
	i := strings.LastIndex(text, "::")
	if i < 0 || i+2 >= len(text) {
		return cmp.Or(name, text), ""
	}
	return cmp.Or(name, text[i+2:]), strings.ReplaceAll(withoutArguments(text[:i]), "::", " > ")
}

// receiver returns the type that a function of Kotlin extends, or "".
func (w *nodes) receiver(c int) string {
	of := ""
	for d := c + 1; d < w.next(c); d = w.next(d) {
		switch w.tree.Kind(d) {
		case "user_type", "nullable_type", "parenthesized_type":
			of = strings.Trim(withoutArguments(w.text(d)), "()? ")
		case "simple_identifier":
			return of
		}
	}
	return ""
}

// swiftName returns the name of a function, which may be an operator.
func (w *nodes) swiftName(c int) string {
	_, text, _ := strings.Cut(w.text(max(w.child(c, "func"), c)), "func")
	if f := w.child(c, "func"); f >= 0 {
		// The name of an operator is none to the grammar, so it is read from the text before the parameters.
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
func (w *nodes) nameNode(c int) int {
	field := w.rule(c).field
	if field == "" {
		field = "name"
	}
	at := w.child(c, field)
	if at < 0 && w.value(c) >= 0 {
		return -1
	}
	for _, kind := range []string{"type_identifier", "simple_identifier", "identifier"} {
		if at < 0 {
			at = w.child(c, kind)
		}
	}
	if at < 0 {
		return -1
	}
	return w.declaredName(at)
}

// declaredName returns the node of the name in a declarator.
func (w *nodes) declaredName(at int) int {
	// Declarators of C contain each other.
	for range 12 {
		if w.tree.Kind(at) == "operator_cast" {
			return at
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

// signature returns a declaration up to its body, without attributes, on one line.
func (w *nodes) signature(outer, c, body int) string {
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
	if w.tree.Kind(c) == "block" {
		return ""
	}
	if b := w.child(c, "{"); body < 0 && b >= 0 && w.tree.Kind(c) == "secondary_constructor" {
		end = int(w.tree.Nodes[b].Start)
	}
	var b strings.Builder
	// Attributes and comments within a declaration are left out, and the rest is joined.
	for d := c + 1; d < w.next(c) && int(w.tree.Nodes[d].Start) < end; {
		if k := w.rule(d).role; k == marks || k == comments || k == attaches {
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
	text := b.String()
	if w.lang == Ruby {
		text, _, _ = strings.Cut(text, ";")
		text = strings.TrimSuffix(strings.TrimSpace(text), " do")
	}
	text = strings.TrimRight(unspaced().Replace(oneLine(text)), " {;:=")
	text = strings.TrimSuffix(text, "=>")
	if len(text) > maxSignature {
		text = strings.ToValidUTF8(text[:maxSignature], "") + "…"
	}
	return strings.TrimSpace(text)
}

// unspaced removes spaces within parentheses, where lines began and ended.
func unspaced() *strings.Replacer { return strings.NewReplacer("( ", "(", ", )", ")", " )", ")") }

// maxSignature limits the bytes of a signature that are kept.
const maxSignature = 400

// withoutArguments returns a type's name without type arguments and call arguments.
func withoutArguments(text string) string {
	if i := strings.IndexAny(text, "<(["); i > 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}
