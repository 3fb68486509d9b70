package shape

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Fault is one place that does not fit.
type Fault struct {
	Line    int    // of the YAML, from 1
	Key     string // such as limits.time or parallel.agents[0].weight
	Msg     string
	Unknown bool // the key means nothing; else its value does not fit
}

// Law is what a Go type does not say of itself.
type Law struct {
	// Outlines give the keys of types that decode themselves in another form than their
	// fields. Without one such a list or map is only decoded as a whole.
	Outlines map[reflect.Type]reflect.Type
	// Above is the number of lines above the YAML in its file: a text that names a line means
	// one of the file.
	Above int
	// Known are further keys that are right, and not looked into.
	Known []string
}

// Outline makes an entry of Law.Outlines.
func Outline[T, Form any](l *Law) {
	if l.Outlines == nil {
		l.Outlines = map[reflect.Type]reflect.Type{}
	}
	l.Outlines[reflect.TypeFor[T]()] = reflect.TypeFor[Form]()
}

// Check holds a node against the type T, takes what is wrong out of it and tells of it
// in the order of the lines.
func Check[T any](node *yaml.Node, law Law) []Fault {
	c := &checker{law: law}
	if node.Kind != 0 {
		c.fits(node, reflect.TypeFor[T](), "")
	}
	slices.SortStableFunc(c.faults, func(a, b Fault) int { return a.Line - b.Line })
	return c.faults
}

type checker struct {
	law    Law
	faults []Fault
	wrong  int // faults that are no unknown keys
}

// fits reports whether a node can be decoded, once what is wrong in it was taken out.
func (c *checker) fits(node *yaml.Node, t reflect.Type, key string) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Tag == "!!null" {
		return true
	}
	before, as := c.wrong, said(node.Decode(reflect.New(t).Interface()))
	c.inside(node, t, key)
	left := said(node.Decode(reflect.New(t).Interface()))
	if c.wrong > before { // of the rest, what is not said for want of what was taken out
		c.refuse(node, key, slices.DeleteFunc(slices.Clone(left), func(text string) bool { return !slices.Contains(as, text) }))
	} else {
		c.refuse(node, key, left)
	}
	return len(left) == 0
}

// inside checks what a node holds.
func (c *checker) inside(node *yaml.Node, t reflect.Type, key string) {
	form, outlined := c.law.Outlines[t]
	if !outlined {
		form = t
	}
	own := reflect.PointerTo(t).Implements(reflect.TypeFor[yaml.Unmarshaler]()) && !outlined
	switch {
	case form.Kind() == reflect.Struct && node.Kind == yaml.MappingNode:
		c.fields(node, form, key)
	case own: // a list or map of its own making
	case form.Kind() == reflect.Map && node.Kind == yaml.MappingNode:
		c.pairs(node, func(name *yaml.Node) (reflect.Type, bool) { return form.Elem(), true }, key)
	case form.Kind() == reflect.Slice && node.Kind == yaml.SequenceNode:
		c.items(node, form.Elem(), key)
	}
}

// fields checks a mapping against the fields of a struct.
func (c *checker) fields(node *yaml.Node, form reflect.Type, key string) {
	known := map[string]reflect.Type{}
	fieldsOf(form, known)
	c.pairs(node, func(name *yaml.Node) (reflect.Type, bool) {
		t, ok := known[name.Value]
		if !ok && !slices.Contains(c.law.Known, join(key, name.Value)) {
			c.faults = append(c.faults, Fault{Line: name.Line, Key: join(key, name.Value), Msg: "unknown key does nothing", Unknown: true})
		}
		return t, ok
	}, key)
}

// pairs checks the values of a mapping, each by the type of its key, and takes out those
// that do not fit. What has no type is taken out too: it means nothing to whoever decodes
// the rest.
func (c *checker) pairs(node *yaml.Node, typeOf func(name *yaml.Node) (reflect.Type, bool), key string) {
	var kept []*yaml.Node
	seen := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		if first, twice := seen[name.Value]; twice && name.Kind == yaml.ScalarNode {
			c.wrong++
			c.faults = append(c.faults, Fault{Line: name.Line, Key: join(key, name.Value), Msg: fmt.Sprintf("appears twice, first on line %d", first+c.law.Above)})
			continue
		}
		seen[name.Value] = name.Line
		if name.Tag == "!!merge" || name.Kind != yaml.ScalarNode {
			kept = append(kept, name, value)
			continue
		}
		if t, ok := typeOf(name); ok && c.fits(value, t, join(key, name.Value)) {
			kept = append(kept, name, value)
		}
	}
	node.Content = kept
}

// items checks the values of a list, and takes out those that do not fit.
func (c *checker) items(node *yaml.Node, t reflect.Type, key string) {
	var kept []*yaml.Node
	for i, item := range node.Content {
		if c.fits(item, t, fmt.Sprintf("%s[%d]", key, i)) {
			kept = append(kept, item)
		}
	}
	node.Content = kept
}

// fieldsOf lists the keys of a struct as the YAML package has them.
func fieldsOf(form reflect.Type, into map[string]reflect.Type) {
	for i := range form.NumField() {
		f := form.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case strings.Contains(rest, "inline") && f.Type.Kind() == reflect.Struct:
			fieldsOf(f.Type, into)
		case !f.IsExported() || name == "-":
		case name == "":
			into[strings.ToLower(f.Name)] = f.Type
		default:
			into[name] = f.Type
		}
	}
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}
