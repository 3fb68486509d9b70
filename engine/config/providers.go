package config

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/providers/cli"
	"chant/providers/secret"

	"go.yaml.in/yaml/v3"
)

// loopConfigs is the section `providers` of the settings: those that are chant's own loop,
// by name. Two of its keys are those of the older chant, endpoint and the retries.
type loopConfigs map[string]loopConfig

type loopConfig struct {
	API        loopAPI      `yaml:"api"`        // openai, ollama or anthropic; its name, if that is one
	Endpoint   endpoint     `yaml:"endpoint"`   // base URL
	KeyEnv     keyName      `yaml:"key_env"`    // of the key
	MaxTurns   Count        `yaml:"max_turns"`  // 0 = 100
	Context    Count        `yaml:"context"`    // tokens, 0 = 32768, of anthropic 200000
	MaxTokens  Count        `yaml:"max_tokens"` // of one answer, 0 = the server's own
	MaxRetries *Count       `yaml:"max_retries"`
	RetryDelay Milliseconds `yaml:"retry_delay_ms"`
}

// Loop is the provider of this name as the settings have it; false for one that is not
// of the loop.
func (c loopConfigs) Loop(name string) (cli.Loop, bool) {
	own, ok := c[name]
	l := cli.Loop{
		Name: name, API: string(own.API), Endpoint: string(own.Endpoint), KeyEnv: string(own.KeyEnv),
		MaxTurns: int(own.MaxTurns), Context: int(own.Context), MaxTokens: int(own.MaxTokens),
		RetryDelay: int(time.Duration(own.RetryDelay) / time.Millisecond),
	}
	if slices.Contains(cli.LoopNames(), name) {
		l.API, ok = cmp.Or(l.API, name), true
	}
	if own.MaxRetries != nil {
		n := int(*own.MaxRetries)
		l.MaxRetries = &n
	}
	return l, ok && l.API != ""
}

type (
	loopAPI  string
	endpoint string
	keyName  string
)

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (a *loopAPI) UnmarshalYAML(node *yaml.Node) error {
	if !slices.Contains(cli.LoopNames(), node.Value) {
		return fmt.Errorf("line %d: unknown api %q (one of %s)", node.Line, node.Value, strings.Join(cli.LoopNames(), ", "))
	}
	*a = loopAPI(node.Value)
	return nil
}

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (e *endpoint) UnmarshalYAML(node *yaml.Node) error {
	u, err := url.Parse(node.Value)
	if node.Value != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("line %d: invalid URL %q (use one such as http://127.0.0.1:11434)", node.Line, secret.InSettings(node.Value))
	}
	*e = endpoint(node.Value)
	return nil
}

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line. It takes the name
// of a variable, and no key that someone put there.
func (n *keyName) UnmarshalYAML(node *yaml.Node) error {
	if node.Value != "" && !spec.VariableName(node.Value) {
		return fmt.Errorf("line %d: key_env is the name of a variable such as OPENAI_API_KEY, never the key itself", node.Line)
	}
	*n = keyName(node.Value)
	return nil
}
