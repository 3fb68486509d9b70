package toolset

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// withoutEffect names the flags among the arguments that have no effect, in order.
func (t Tool) withoutEffect(args Arguments) []string {
	var out []string
	for _, name := range t.NoEffect {
		if _, isFlag := args[name].(bool); isFlag {
			out = append(out, name)
		}
	}
	return out
}

// effective returns the arguments without the flags that have no effect.
func (t Tool) effective(args Arguments) Arguments {
	ignored := t.withoutEffect(args)
	if len(ignored) == 0 {
		return args
	}
	args = maps.Clone(args)
	maps.DeleteFunc(args, func(name string, _ any) bool { return slices.Contains(ignored, name) })
	return args
}

// NameIgnored adds to a result, which is an object, and to the content of its reply which arguments had no effect.
func (t Tool) NameIgnored(args Arguments, result any, content []Block) (any, []Block, error) {
	ignored := t.withoutEffect(args)
	if len(ignored) == 0 {
		return result, content, nil
	}
	src, err := json.Marshal(result)
	if err != nil {
		return nil, nil, err
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(src, &members); err != nil {
		return nil, nil, err
	}
	if members["ignored"], err = json.Marshal(ignored); err != nil {
		return nil, nil, err
	}
	return members, append(slices.Clip(content), Block{Text: "Ignored: " + strings.Join(ignored, ", ")}), nil
}
