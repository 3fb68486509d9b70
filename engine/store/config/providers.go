package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/engine/store/shape"
	"chant/providers/cli"

	"go.yaml.in/yaml/v3"
)

// loopConfigs is the section `providers` of the settings: providers that are chant's own loop,
// by name. The older chant has the keys endpoint, max_retries and retry_delay_ms too.
type loopConfigs map[string]loopConfig

type loopConfig struct {
	API        string        `yaml:"api" rule:"api"`              // openai, ollama or anthropic; its name, if that is one
	Endpoint   string        `yaml:"endpoint" rule:"url"`         // base URL
	KeyEnv     string        `yaml:"key_env" rule:"key_variable"` // variable with the key
	MaxTurns   int           `yaml:"max_turns" rule:"count"`      // 0 = 100
	Context    int           `yaml:"context" rule:"count"`        // tokens, 0 = 32768, of anthropic 200000
	MaxTokens  int           `yaml:"max_tokens" rule:"count"`     // of one answer, 0 = the limit of the server
	MaxRetries *int          `yaml:"max_retries" rule:"count"`
	RetryDelay time.Duration `yaml:"retry_delay_ms" rule:"milliseconds"`
}

// Loop returns the provider of this name as the settings describe it; false for one that is not chant's own loop.
func (c loopConfigs) Loop(name string) (cli.Loop, bool) {
	own, ok := c[name]
	l := cli.Loop{
		Name: name, API: own.API, Endpoint: own.Endpoint, KeyEnv: own.KeyEnv,
		MaxTurns: own.MaxTurns, Context: own.Context, MaxTokens: own.MaxTokens,
		MaxRetries: own.MaxRetries, RetryDelay: int(own.RetryDelay / time.Millisecond),
	}
	// A provider that is called like an API needs no key for it.
	if slices.Contains(cli.LoopNames(), name) {
		l.API, ok = cmp.Or(l.API, name), true
	}
	return l, ok && l.API != ""
}

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
	Prompt    string             `yaml:"prompt" rule:"prompt_input"`
	MCP       *string            `yaml:"mcp"`
	Events    string             `yaml:"events"`
	Endpoint  string             `yaml:"endpoint" rule:"url"`
	State     spec.StringList    `yaml:"state"` // paths, absolute or below ~/, that the CLI writes to
	Hosts     Hosts              `yaml:"hosts"` // that the CLI connects to
}

// ReadProvider reads the file of a provider of the project. Errors name file and line.
func ReadProvider(path string, src []byte) (f ProviderFields, err error) {
	// The fence of the front matter is one line above the YAML.
	_, faults, err := read(path, src, &f, shape.Schema{Rules: Rules(), Above: 1, Strict: true})
	if err == nil {
		err = firstWrong(path, faults)
	}
	return f, err
}

// ApplyTo replaces in a definition what the fields set.
func (f ProviderFields) ApplyTo(d *cli.Definition) {
	for _, t := range []struct {
		have string
		at   *string
	}{{f.Command, &d.Command}, {f.Events, &d.Events}, {f.Endpoint, &d.Endpoint}} {
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
		// A CLI that cannot resume or read only has no such command to which arguments could be added.
		if len(*all) > 0 || all == &d.Args {
			*all = slices.Concat(*all, f.ExtraArgs)
		}
	}
	d.Pass = slices.Concat(d.Pass, f.Pass)
	d.Hosts = slices.Concat(d.Hosts, f.Hosts)
	for _, path := range f.State {
		// The definition may be shared with other providers, so lists are copied before they grow.
		d.State = append(slices.Clip(d.State), cli.StatePath{Usual: path})
	}
	for _, vars := range []*map[string]string{&d.Env, &d.OwnEnv} {
		if *vars = maps.Clone(*vars); *vars == nil {
			*vars = map[string]string{}
		}
		maps.Copy(*vars, f.Env)
	}
}

// arguments is a list of words. A list within it is omitted if one of
// its placeholders has no value.
type arguments []cli.Group

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (a *arguments) UnmarshalYAML(node *yaml.Node) error {
	*a = arguments{}
	if node.Kind != yaml.SequenceNode {
		return fmt.Errorf("line %d: arguments are a list of words, and of lists that may be omitted", node.Line)
	}
	for _, item := range node.Content {
		g := cli.Group{Optional: item.Kind == yaml.SequenceNode}
		parts := []*yaml.Node{item}
		if g.Optional {
			parts = item.Content
		}
		for _, word := range parts {
			if word.Kind != yaml.ScalarNode {
				return fmt.Errorf("line %d: an argument is a word; quote one that contains {{...}}", word.Line)
			}
			g.Words = append(g.Words, word.Value)
		}
		*a = append(*a, g)
	}
	return nil
}

// setVariables are the variables that a provider sets for its agent.
type setVariables map[string]string

// CheckWhole implements shape.Whole. It removes each variable that no process can have, and those that chant sets.
func (s *setVariables) CheckWhole(node *yaml.Node, report shape.Report) {
	for _, name := range slices.Sorted(maps.Keys(*s)) {
		line, value := shape.Line(node, name), (*s)[name]
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			report(line, "env: invalid environment variable name %q", name)
		case strings.Contains(value, "\x00"):
			report(line, "env: the value of %s has a NUL in it, which no variable can have", name)
		case strings.HasPrefix(strings.ToUpper(name), "CHANT_"):
			report(line, "env: chant itself sets %s for each run", name)
		default:
			continue
		}
		delete(*s, name)
	}
}
