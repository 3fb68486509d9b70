package versions

import (
	"maps"

	"go.yaml.in/yaml/v3"
)

func (v version) isMap() bool {
	_, ok := v.value.(map[string]any)
	return ok && v.node != nil && v.node.Kind == yaml.MappingNode
}

// get returns the version of a key in a mapping.
func (v version) get(key string) version {
	m, ok := v.value.(map[string]any)
	if value, found := m[key]; ok && found && v.isMap() {
		for i := 0; i+1 < len(v.node.Content); i += 2 {
			if v.node.Content[i].Value == key {
				return version{value, v.node.Content[i+1]}
			}
		}
	}
	return version{}
}

// joinMaps joins mappings key by key, in the order of ours. If one key is a conflict, so is the whole mapping.
func joinMaps(w threeWays, join func(threeWays) (version, bool)) (version, bool) {
	// Keys with anchors or aliases depend on values outside of the mapping.
	if !stripComments(w.ours.node) || !stripComments(w.theirs.node) {
		return w.ours, false
	}
	out := version{map[string]any{}, &yaml.Node{Kind: yaml.MappingNode, Style: w.ours.node.Style}}
	for _, from := range []*yaml.Node{w.ours.node, w.theirs.node} {
		for i := 0; i+1 < len(from.Content); i += 2 {
			name := from.Content[i]
			if _, done := out.value.(map[string]any)[name.Value]; done || name.Kind != yaml.ScalarNode {
				continue
			}
			next, _, ok := threeWays{w.base.get(name.Value), w.ours.get(name.Value), w.theirs.get(name.Value)}.merge(join)
			if !ok {
				return w.ours, false
			}
			// Both sides agree that the key is gone.
			if next.value != nil || next.node != nil {
				out.setKey(name, next)
			}
		}
	}
	return out, true
}

// setKey adds a key to a mapping.
func (v version) setKey(name *yaml.Node, value version) {
	node := value.node
	if node == nil {
		node = &yaml.Node{}
		if err := node.Encode(value.value); err != nil {
			// Cannot happen: a decoded value can be encoded.
			return
		}
	}
	v.node.Content = append(v.node.Content, name, node)
	v.value.(map[string]any)[name.Value] = value.value
}

// joinApproval merges `required` separately from the decision, which is taken from one side as a whole or is a conflict.
func joinApproval(w threeWays) (version, bool) {
	if !w.ours.isMap() || !w.theirs.isMap() || !stripComments(w.ours.node) || !stripComments(w.theirs.node) {
		return w.ours, false
	}
	// Who decided, when and about which text must come from the same side.
	decision, _, ok := threeWays{w.base.decision(), w.ours.decision(), w.theirs.decision()}.merge(func(w threeWays) (version, bool) { return w.ours, false })
	if !ok {
		return w.ours, false
	}
	required, _, ok := threeWays{w.base.get("required"), w.ours.get("required"), w.theirs.get("required")}.merge(joinApart)
	if !ok {
		return w.ours, false
	}
	out := version{map[string]any{}, &yaml.Node{Kind: yaml.MappingNode, Style: w.ours.node.Style}}
	if required.value != nil {
		out.setKey(&yaml.Node{Kind: yaml.ScalarNode, Value: "required"}, required)
	}
	for i := 0; i+1 < len(decision.node.Content); i += 2 {
		name := decision.node.Content[i]
		out.setKey(name, decision.get(name.Value))
	}
	return out, true
}

// decision returns an approval without its key `required`.
func (v version) decision() version {
	out := version{map[string]any{}, &yaml.Node{Kind: yaml.MappingNode}}
	if !v.isMap() {
		return out
	}
	maps.Copy(out.value.(map[string]any), v.value.(map[string]any))
	delete(out.value.(map[string]any), "required")
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		if v.node.Content[i].Value != "required" {
			out.node.Content = append(out.node.Content, v.node.Content[i], v.node.Content[i+1])
		}
	}
	return out
}
