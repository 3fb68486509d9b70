package template

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/prompt"
	"chant/engine/spec"

	"go.yaml.in/yaml/v3"
)

// variableName matches the names that variables may have, since the renderer finds them between braces.
var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`) })

// check refuses what no spec could be added with. Errors: those of Parse.
func (t *Template) check() error {
	for i, v := range t.Variables {
		switch line := t.variableLine(i); {
		case v.Name == "":
			return t.errorAt(line, "variable %d has no name", i+1)
		case !variableName().MatchString(v.Name):
			return t.errorAt(line, "invalid name %q of a variable (use letters, digits, _ and -)", spec.Echo(v.Name))
		case slices.ContainsFunc(t.Variables[:i], func(o Variable) bool { return o.Name == v.Name }):
			return t.errorAt(line, "variable %q is declared twice", v.Name)
		}
	}
	for _, f := range t.fields {
		if err := t.checkField(f); err != nil {
			return err
		}
	}
	return nil
}

// checkField refuses a key that only chant writes, and a value that no new spec has.
func (t *Template) checkField(f field) error {
	line := t.doc.KeyLine(f.key)
	text := f.value.Value
	if strings.Contains(text, "{{") {
		// The value is only known when the spec is added, which checks it.
		text = ""
	}
	switch f.key {
	case "status":
		if text != string(spec.Pending) {
			return t.errorAt(line, "a new spec is %s, so a template has no other status", spec.Pending)
		}
		return nil
	case "approval":
		var form map[string]any
		if err := f.value.Decode(&form); err != nil {
			return t.errorAt(line, "approval must be a mapping with the key required")
		}
		for key := range form {
			if key != "required" {
				return t.errorAt(line, "approval.%s is decided for each spec, so a template cannot have it (only approval.required)", spec.Echo(key))
			}
		}
		return nil
	case "type":
		if text != "" && !slices.Contains(spec.Types(), spec.Type(text)) {
			return t.errorAt(line, "unknown type %q (one of %s)", spec.Echo(text), typeWords())
		}
		return nil
	}
	if slices.ContainsFunc(spec.KeyTable(), func(k spec.Key) bool { return k.Name == f.key && k.By == spec.ByChant }) || f.key == "task" {
		return t.errorAt(line, "the key %q is written for each spec, so a template cannot have it", f.key)
	}
	return nil
}

func typeWords() string {
	var words []string
	for _, t := range spec.Types() {
		words = append(words, string(t))
	}
	return strings.Join(words, ", ")
}

// variableLine is the line of the file on which a variable is declared.
func (t *Template) variableLine(i int) int {
	var nodes []yaml.Node
	if _, err := t.doc.Get("variables", &nodes); err != nil || i >= len(nodes) {
		return t.doc.KeyLine("variables")
	}
	// The lines of the YAML begin behind the fence.
	return nodes[i].Line + 1
}

// Text is the value of a key that specs of the template have, with its line; "" for one that depends on a variable or
// is not a text.
func (t *Template) Text(key string) (text string, line int) {
	for _, f := range t.fields {
		if f.key == key && f.value.Kind == yaml.ScalarNode && !strings.Contains(f.value.Value, "{{") {
			text = f.value.Value
		}
	}
	return text, t.doc.KeyLine(key)
}

// Warning is something in a template that is probably a mistake.
type Warning struct {
	Line int
	Text string
}

// Warnings lists what is probably a mistake, in the order of the file.
func (t *Template) Warnings() []Warning {
	var out []Warning
	if t.stated != "" && t.stated != t.Name {
		out = append(out, Warning{t.doc.KeyLine("name"), "the name of a template is that of its file, " + quoted(t.Name) + ", not " + quoted(t.stated)})
	}
	used := prompt.Names(string(t.Source))
	for i, v := range t.Variables {
		if !slices.Contains(used, v.Name) {
			out = append(out, Warning{t.variableLine(i), "variable " + quoted(v.Name) + " is not used"})
		}
		if v.Required && v.Default != nil {
			out = append(out, Warning{t.variableLine(i), "variable " + quoted(v.Name) + " has a default, so it is not required"})
		}
	}
	for _, use := range prompt.UnknownIn(string(t.Source), func(name string) bool { return t.declares(name) || !isBraced(name) }) {
		out = append(out, Warning{use.Line, use.String() + " is not a variable of the template and is not replaced"})
	}
	slices.SortStableFunc(out, func(a, b Warning) int { return a.Line - b.Line })
	return out
}
