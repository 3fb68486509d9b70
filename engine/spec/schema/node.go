package schema

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// node is a schema or one of the schemas in it.
type node struct {
	verdict    *bool          // of a schema that is true or false
	keys       map[string]any // the keywords that the draft knows
	draft      int
	in         *resource
	one        map[string]*node
	list       map[string][]*node
	named      map[string]map[string]*node
	patterns   map[string]*regexp.Regexp // by their text
	refers     map[string]*node          // the targets of $ref, $dynamicRef and $recursiveRef
	onlyRefers bool                      // before draft 2019-09, what is beside $ref does not count
	dynamicRef string                    // the name, if the target of $dynamicRef depends on the way to it
}

// document is a JSON document with schemas.
type document struct {
	value any
	nodes map[string]*node // by JSON pointer
}

// resource is a part of a document that has an address of its own, such as the whole.
type resource struct {
	address   *url.URL
	doc       *document
	pointer   string
	root      *node
	anchors   map[string]*node
	dynamic   map[string]*node
	recursive bool
}

// compiler compiles a schema with all that it refers to.
type compiler struct {
	name      string
	resources map[string]*resource
	resolved  map[*node]bool // whose references have targets
}

// compileAll compiles a document at an address, and what it refers to.
func compileAll(name string, address *url.URL, value any, draft int) (*node, error) {
	c := &compiler{name: name, resources: map[string]*resource{}, resolved: map[*node]bool{}}
	root, err := c.add(address, value, draft)
	if err != nil {
		return nil, err
	}
	return root, c.resolve(root)
}

// add compiles a document that is at an address.
func (c *compiler) add(address *url.URL, value any, draft int) (*node, error) {
	doc := &document{value: value, nodes: map[string]*node{}}
	in := &resource{address: address, doc: doc, anchors: map[string]*node{}, dynamic: map[string]*node{}}
	c.resources[address.String()] = in
	root, err := c.compile(doc, value, "", in, draft)
	in.root = root
	return root, err
}

// compile compiles the schema at a JSON pointer of a document.
func (c *compiler) compile(doc *document, value any, pointer string, in *resource, draft int) (*node, error) {
	n := &node{draft: draft, in: in, one: map[string]*node{}, list: map[string][]*node{}, named: map[string]map[string]*node{},
		keys: map[string]any{}, patterns: map[string]*regexp.Regexp{}, refers: map[string]*node{}}
	doc.nodes[pointer] = n
	keys, isObject := value.(map[string]any)
	if verdict, ok := value.(bool); ok {
		n.verdict = &verdict
	}
	if !isObject {
		return n, nil
	}
	if _, refers := keys["$ref"].(string); refers && draft <= draft7 {
		n.onlyRefers = true
	} else if err := c.register(n, doc, keys, pointer); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		if f := formOf(n.draft, name); f != "" {
			n.keys[name] = keys[name]
			if err := c.compileInside(n, doc, name, keys[name], pointer+"/"+escape(name), f); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

// register registers the names by which other schemas refer to this one. A schema with an address begins a resource.
func (c *compiler) register(n *node, doc *document, keys map[string]any, pointer string) error {
	key := "$id"
	if n.draft == draft4 {
		key = "id"
	}
	id, _ := keys[key].(string)
	address, anchor, _ := strings.Cut(id, "#")
	if address != "" {
		parsed, err := url.Parse(address)
		if err != nil {
			return err
		}
		begun := &resource{address: n.in.address.ResolveReference(parsed), doc: doc, pointer: pointer, root: n,
			anchors: map[string]*node{}, dynamic: map[string]*node{}}
		if known := c.resources[begun.address.String()]; known != nil && known.root != nil {
			return fmt.Errorf("two of its parts have the address %q", begun.address)
		}
		c.resources[begun.address.String()] = begun
		n.in = begun
		if to, ok := keys["$schema"].(string); ok {
			if draft, ok := draftOf(to); ok {
				n.draft = draft
			}
		}
	}
	if n.draft <= draft7 && anchor != "" {
		n.in.anchors[anchor] = n
	}
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		anchor, ok := keys[key].(string)
		if !ok || formOf(n.draft, key) == "" {
			continue
		}
		if n.in.anchors[anchor] != nil {
			return fmt.Errorf("two of its parts have the anchor %q", anchor)
		}
		n.in.anchors[anchor] = n
		if key == "$dynamicAnchor" {
			n.in.dynamic[anchor] = n
		}
	}
	if recursive, _ := keys["$recursiveAnchor"].(bool); recursive && n.draft == draft2019 && pointer == n.in.pointer {
		n.in.recursive = true
	}
	return nil
}

// compileInside compiles the schemas inside the value of a keyword, and its patterns.
func (c *compiler) compileInside(n *node, doc *document, name string, value any, pointer string, f form) error {
	if text, ok := value.(string); ok && f == "regex" {
		return n.addPattern(text)
	}
	switch f {
	case "schema", "schemas", "named", "items", "extra", "dependencies":
	default:
		return nil
	}
	switch value := value.(type) {
	case bool, map[string]any:
		if parts, ok := value.(map[string]any); ok && (f == "named" || f == "dependencies") {
			return c.compileNamed(n, doc, name, parts, pointer)
		}
		inner, err := c.compile(doc, value, pointer, n.in, n.draft)
		n.one[name] = inner
		return err
	case []any:
		for i, part := range value {
			inner, err := c.compile(doc, part, pointer+"/"+strconv.Itoa(i), n.in, n.draft)
			if err != nil {
				return err
			}
			n.list[name] = append(n.list[name], inner)
		}
	}
	return nil
}

// compileNamed compiles schemas that have names, which are patterns in patternProperties.
func (c *compiler) compileNamed(n *node, doc *document, name string, parts map[string]any, pointer string) error {
	n.named[name] = map[string]*node{}
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		if _, isList := parts[key].([]any); isList {
			continue // the names that a dependency requires
		}
		if name == "patternProperties" {
			if err := n.addPattern(key); err != nil {
				return err
			}
		}
		inner, err := c.compile(doc, parts[key], pointer+"/"+escape(key), n.in, n.draft)
		if err != nil {
			return err
		}
		n.named[name][key] = inner
	}
	return nil
}

func (n *node) addPattern(text string) error {
	compiled, err := regexp.Compile(text)
	if err != nil {
		return fmt.Errorf("invalid pattern %q: %w", text, err)
	}
	n.patterns[text] = compiled
	return nil
}

// escape writes a name as a part of a JSON pointer (RFC 6901).
func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
