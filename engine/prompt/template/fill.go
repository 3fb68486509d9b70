package template

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"chant/engine/prompt"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Filled is a template with its values.
type Filled struct {
	Keys []Key    // of the front matter, in the order of the template
	Body string   // with the line ends of Unix
	Left []string // names without a value, which stay in the text
}

// Key is a key that the spec gets, with a value that YAML can be written from.
type Key struct {
	Name  string
	Value *yaml.Node
	Line  int // of the file
}

// declares reports whether the template declares a variable.
func (t *Template) declares(name string) bool {
	return slices.ContainsFunc(t.Variables, func(v Variable) bool { return v.Name == name })
}

// isBraced reports whether a name is one of {{name}}. Those of climpt in single braces are not variables of templates
// unless a template declares them.
func isBraced(name string) bool {
	return !slices.ContainsFunc(prompt.SpecNames(), func(n prompt.SpecName) bool { return n.Name == name }) && !strings.HasPrefix(name, "uv-")
}

// Names lists the variables that can have a value: the declared ones, and then others that the text uses.
func (t *Template) Names() []string {
	var out []string
	for _, v := range t.Variables {
		out = append(out, v.Name)
	}
	// Older templates declare nothing.
	for _, name := range t.usedNames() {
		if variableName().MatchString(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// usedNames lists the names that the body and the texts of the front matter use.
func (t *Template) usedNames() []string {
	var text strings.Builder
	for _, f := range t.fields {
		eachText(&f.value, func(n *yaml.Node) { text.WriteString(n.Value + "\n") })
	}
	return prompt.Names(text.String() + t.body)
}

// Missing lists the variables that need a value and have none, in the order of the template.
func (t *Template) Missing(values map[string]string) []Variable {
	// An empty value counts as missing, as in the older chant.
	return slices.DeleteFunc(slices.Clone(t.Variables), func(v Variable) bool { return !v.Needed() || values[v.Name] != "" })
}

// Unknown lists the values whose names the template neither declares nor uses, in order.
func (t *Template) Unknown(values map[string]string) []string {
	names := t.Names()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(values)), func(name string) bool { return slices.Contains(names, name) })
}

// Fill returns the template with values, and with the defaults of the variables that have none. Left lists the names
// that have no value and stay.
func (t *Template) Fill(values map[string]string) Filled {
	all := map[string]string{}
	for _, v := range t.Variables {
		if v.Default != nil {
			all[v.Name] = *v.Default
		}
	}
	maps.Copy(all, values)
	out := Filled{Body: prompt.Fill(t.body, all)}
	for _, f := range t.fields {
		// A key without a value would otherwise be written as null.
		if f.value.ShortTag() == "!!null" {
			continue
		}
		// A copy, because the template may be filled again.
		value := copyOf(&f.value)
		eachText(value, func(n *yaml.Node) { fillText(n, all) })
		out.Keys = append(out.Keys, Key{f.key, value, t.doc.KeyLine(f.key)})
	}
	for _, name := range t.usedNames() {
		// A name in single braces that the template does not declare is for the prompts of commands.
		if _, ok := all[name]; !ok && (t.declares(name) || isBraced(name)) {
			out.Left = append(out.Left, name)
		}
	}
	return out
}

// Document returns the template with its values as the text of a spec.
func (f Filled) Document() ([]byte, error) {
	doc, err := markdown.Parse("template", []byte("---\n---\n\n"+strings.TrimLeft(f.Body, "\n")))
	if err != nil {
		return nil, err
	}
	var edits []markdown.Edit
	for _, key := range f.Keys {
		edits = append(edits, markdown.Set(key.Name, key.Value))
	}
	if doc, err = doc.Apply(edits...); err != nil {
		return nil, err
	}
	return doc.Bytes(), nil
}

// fillText fills in a text.
func fillText(n *yaml.Node, values map[string]string) {
	n.Value = prompt.Fill(n.Value, values)
	// In double quotes, every text keeps its place in the YAML; not every block scalar reads back.
	if strings.Contains(n.Value, "\n") {
		n.Style = yaml.DoubleQuotedStyle
	}
}

// eachText calls a function for each text of a value; keys of mappings are none.
func eachText(n *yaml.Node, do func(*yaml.Node)) {
	switch {
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str":
		do(n)
	case n.Kind == yaml.MappingNode:
		// Keys stay, so that no value can change the structure.
		for i := 1; i < len(n.Content); i += 2 {
			eachText(n.Content[i], do)
		}
	case n.Kind == yaml.SequenceNode:
		for _, child := range n.Content {
			eachText(child, do)
		}
	}
}

// copyOf copies a value without comments, aliases and its style, so that the encoder chooses one that suits it.
func copyOf(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		// Not a circle: Parse has decoded it.
		return copyOf(n.Alias)
	}
	out := &yaml.Node{Kind: n.Kind, Tag: n.ShortTag(), Value: n.Value}
	if n.Kind != yaml.ScalarNode {
		// The encoder uses no block scalars in flow style.
		out.Style = yaml.FlowStyle
	}
	for _, child := range n.Content {
		out.Content = append(out.Content, copyOf(child))
	}
	return out
}

func quoted(text string) string { return strconv.Quote(text) }
