package config

import (
	"fmt"
	"maps"
	"slices"

	"chant/engine/spec"
	"chant/markdown"
	"chant/providers/cli"

	"go.yaml.in/yaml/v3"
)

// ProviderFields is the front matter of `.chant/providers/<name>.md`.
type ProviderFields struct {
	Like      string             `yaml:"like"`
	Command   string             `yaml:"command"`
	Args      *arguments         `yaml:"args"`
	ExtraArgs arguments          `yaml:"extra_args"`
	Resume    *arguments         `yaml:"resume"`
	ReadOnly  *arguments         `yaml:"read_only"`
	ByHand    *arguments         `yaml:"by_hand"`
	Env       setVariables       `yaml:"env"`
	Pass      spec.VariableNames `yaml:"pass"`
	Prompt    promptWay          `yaml:"prompt"`
	MCP       *string            `yaml:"mcp"`
	Events    string             `yaml:"events"`
	Endpoint  endpoint           `yaml:"endpoint"`
}

// ReadProvider reads the definition of a provider of the project's own. Errors name file and line.
func ReadProvider(path string, src []byte) (ProviderFields, error) {
	var f ProviderFields
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return f, err
	}
	return f, doc.Decode(&f)
}

// Over lays the fields over what the definition is like.
func (f ProviderFields) Over(d *cli.Definition) {
	for _, t := range []struct {
		have string
		at   *string
	}{{f.Command, &d.Command}, {f.Events, &d.Events}, {string(f.Endpoint), &d.Endpoint}} {
		if t.have != "" {
			*t.at = t.have
		}
	}
	for _, t := range []struct {
		have *arguments
		at   *[]cli.Group
	}{{f.Args, &d.Args}, {f.Resume, &d.Resume}, {f.ReadOnly, &d.ReadOnly}, {f.ByHand, &d.ByHand}} {
		if t.have != nil {
			*t.at = *t.have
		}
	}
	if f.MCP != nil {
		d.MCP = *f.MCP
	}
	if f.Prompt != "" {
		d.Stdin = f.Prompt == "stdin"
	}
	for _, all := range []*[]cli.Group{&d.Args, &d.Resume, &d.ReadOnly} {
		if len(*all) > 0 || all == &d.Args {
			*all = slices.Concat(*all, f.ExtraArgs)
		}
	}
	d.Pass = slices.Concat(d.Pass, f.Pass)
	for _, vars := range []*map[string]string{&d.Env, &d.OwnEnv} {
		if *vars = maps.Clone(*vars); *vars == nil {
			*vars = map[string]string{}
		}
		maps.Copy(*vars, f.Env)
	}
}

// arguments is a list of words; a list within it is a part that is left out when one of
// its placeholders has no value.
type arguments []cli.Group

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (a *arguments) UnmarshalYAML(node *yaml.Node) error {
	*a = arguments{}
	if node.Kind != yaml.SequenceNode {
		return fmt.Errorf("line %d: arguments are a list of words, and of lists that may be left out", node.Line)
	}
	for _, item := range node.Content {
		g := cli.Group{Optional: item.Kind == yaml.SequenceNode}
		parts := []*yaml.Node{item}
		if g.Optional {
			parts = item.Content
		}
		for _, word := range parts {
			if word.Kind != yaml.ScalarNode {
				return fmt.Errorf("line %d: an argument is a word; quote one that holds {{...}}", word.Line)
			}
			g.Words = append(g.Words, word.Value)
		}
		*a = append(*a, g)
	}
	return nil
}

// promptWay is how an agent gets its prompt: stdin, or file.
type promptWay string

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (p *promptWay) UnmarshalYAML(node *yaml.Node) error {
	if !slices.Contains([]string{"stdin", "file"}, node.Value) {
		return fmt.Errorf("line %d: prompt: %q is neither stdin nor file", node.Line, node.Value)
	}
	*p = promptWay(node.Value)
	return nil
}
