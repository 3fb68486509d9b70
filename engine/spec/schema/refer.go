package schema

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// resolve finds the targets of all references that a value can reach from a schema. It may compile further schemas.
// Definitions that nothing uses may refer to anything.
func (c *compiler) resolve(n *node) error {
	if n == nil || c.resolved[n] {
		return nil
	}
	c.resolved[n] = true
	for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := n.keys[key].(string)
		if !ok {
			continue
		}
		target, err := c.find(n, ref)
		if err != nil {
			return err
		}
		n.refers[key] = target
		if _, anchor, _ := strings.Cut(ref, "#"); key == "$dynamicRef" && target.in.dynamic[anchor] == target {
			n.dynamicRef = anchor
		}
		if err := c.resolve(target); err != nil {
			return err
		}
	}
	for _, inner := range n.applied() {
		if err := c.resolve(inner); err != nil {
			return err
		}
	}
	return nil
}

// applied lists the schemas in a schema that are applied with it, which definitions are not.
func (n *node) applied() []*node {
	if n.onlyRefers {
		return nil
	}
	var out []*node
	for _, name := range slices.Sorted(maps.Keys(n.keys)) {
		if name == "$defs" || name == "definitions" {
			continue
		}
		out = append(append(out, n.one[name]), n.list[name]...)
		for _, key := range slices.Sorted(maps.Keys(n.named[name])) {
			out = append(out, n.named[name][key])
		}
	}
	return out
}

// find returns the schema to which another one refers.
func (c *compiler) find(from *node, ref string) (*node, error) {
	parsed, err := url.Parse(ref)
	if err != nil {
		return nil, err
	}
	address := from.in.address.ResolveReference(parsed)
	fragment := address.Fragment
	address.Fragment, address.RawFragment = "", ""
	in := c.resources[address.String()]
	if in == nil {
		src, draft, known := metaSchema(address.String())
		if !known {
			to := address.String()
			return nil, &RefersError{Name: c.name, To: strings.TrimPrefix(to, origin), Where: whereOf(to)}
		}
		if _, err := c.add(address, src, draft); err != nil {
			return nil, err
		}
		in = c.resources[address.String()]
	}
	switch {
	case fragment == "":
		return in.root, nil
	case strings.HasPrefix(fragment, "/"):
		return c.follow(in, fragment, ref)
	case in.anchors[fragment] != nil:
		return in.anchors[fragment], nil
	}
	return nil, fmt.Errorf("it has no anchor %q, to which %q refers", fragment, ref)
}

// follow returns the schema at a JSON pointer within a resource. Where the draft expects none, it is compiled now.
func (c *compiler) follow(in *resource, pointer, ref string) (*node, error) {
	if found := in.doc.nodes[in.pointer+pointer]; found != nil {
		return found, nil
	}
	nearest := in.root
	value, at := valueAt(in.doc.value, in.pointer), in.pointer
	for token := range strings.SplitSeq(pointer[1:], "/") {
		value, at = step(value, strings.NewReplacer("~1", "/", "~0", "~").Replace(token)), at+"/"+token
		if passed := in.doc.nodes[at]; passed != nil {
			nearest = passed
		}
	}
	switch value.(type) {
	case map[string]any, bool:
	default:
		return nil, fmt.Errorf("it has no schema at %q, to which %q refers", pointer, ref)
	}
	if found := checkShape(value, nearest.draft); len(found) > 0 {
		return nil, fmt.Errorf("at %q: %s", pointer, Spell(found))
	}
	return c.compile(in.doc, value, at, nearest.in, nearest.draft)
}

// valueAt returns the value at a JSON pointer that is known to lead somewhere.
func valueAt(value any, pointer string) any {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer != "" {
			value = step(value, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		}
	}
	return value
}

// step returns a part of a value, nil if it has none of this name.
func step(value any, token string) any {
	switch value := value.(type) {
	case map[string]any:
		return value[token]
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(value) {
			return value[i]
		}
	}
	return nil
}

// checkShape lists where a schema violates the meta-schema of its draft.
func checkShape(value any, draft int) []Problem {
	meta, err := metaNode(draft)
	if err != nil {
		return []Problem{{What: err.Error()}}
	}
	e := newEvaluation()
	e.ofMeta = true
	return sortProblems(e.check(meta, value, nil).problems)
}

// dialect returns the meta-schema that applies to a part of a schema: another one than n if the part is a resource that
// names another draft.
func dialect(n *node, value any) *node {
	keys, _ := value.(map[string]any)
	to, _ := keys["$schema"].(string)
	draft, known := draftOf(to)
	if !known || draft == n.draft || n != n.in.root || keys["$id"] == nil && keys["id"] == nil {
		return n
	}
	other, err := metaNode(draft)
	if err != nil {
		return n
	}
	return other
}

// metaNodes are the compiled meta-schemas, by draft. Comparing values with a node does not change it.
var metaNodes sync.Map

// metaNode returns the compiled meta-schema of a draft.
func metaNode(draft int) (*node, error) {
	if known, ok := metaNodes.Load(draft); ok {
		return known.(*node), nil
	}
	for name, d := range drafts {
		if d != draft || name == "json-schema.org/schema" {
			continue
		}
		address := &url.URL{Scheme: "https", Host: "json-schema.org", Path: strings.TrimPrefix(name, "json-schema.org")}
		if draft <= draft7 {
			address.Scheme = "http"
		}
		src, _, _ := metaSchema(address.String())
		compiled, err := compileAll("", address, src, draft)
		if err == nil {
			metaNodes.Store(draft, compiled)
		}
		return compiled, err
	}
	return nil, fmt.Errorf("unknown draft %d", draft)
}
