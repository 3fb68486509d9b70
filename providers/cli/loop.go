package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"

	"chant/providers"
	"chant/providers/loop"
)

// Loop describes a provider that is chant's own agent loop (package loop) before one API.
// A number that is 0 means the loop's default.
type Loop struct {
	Name       string
	API        string // one of LoopNames
	Endpoint   string // base URL, "" = the API's own
	KeyEnv     string // name of the variable that holds the key; "" = the API's usual one
	MaxTurns   int
	Context    int  // tokens
	MaxTokens  int  // of one answer
	MaxRetries *int // nil = the loop's default
	RetryDelay int  // milliseconds
}

// LoopNames are the APIs that the loop supports, each also the name of a provider.
func LoopNames() []string { return []string{loop.OpenAI, loop.Ollama, loop.Anthropic} }

// loopTools are the tools of chant that the loop offers: what a run needs, since a small
// model that sees thirty tools uses none of them well.
const loopTools = "chant_spec_get,chant_spec_list,chant_verify,chant_spec_update,chant_criterion_check"

// NewLoop returns the provider.
func NewLoop(l Loop) providers.Provider { return looper{l} }

type looper struct{ Loop }

// Name implements providers.Provider.
func (l looper) Name() string { return l.Loop.Name }

// CanResume implements providers.Continuer.
func (l looper) CanResume() bool { return true }

// ByHand implements providers.Continuer: a person cannot use the loop.
func (l looper) ByHand(providers.Invocation) (argv, env []string) { return nil, nil }

// Prepare implements providers.Provider. What can be known before the model is asked is
// refused here: no model, no key.
func (l looper) Prepare(in providers.Invocation) (providers.Launch, error) {
	if in.PromptFile == "" || in.Chant == "" {
		return providers.Launch{}, &providers.ConfigError{Provider: l.Loop.Name, Msg: "the run has no prompt file, or the path of chant is unknown"}
	}
	c, err := l.config(in)
	if err != nil {
		return providers.Launch{}, err
	}
	content, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return providers.Launch{}, fmt.Errorf("config of the loop: %w", err)
	}
	path := filepath.Join(in.StateDir, "loop.json")
	if err := writeState(path, append(content, '\n'), 0o600); err != nil {
		return providers.Launch{}, err
	}
	args := []string{"loop", path}
	// A small model uses none of thirty tools well, so it gets only what a run needs.
	if in.MCP != nil {
		args = append(args, "--tools", loopTools)
	}
	return providers.Launch{
		Path: in.Chant, Args: args, Dir: in.Folder(), Stdin: in.PromptFile,
		Env:        providers.AgentEnv(in, nil, c.KeyEnv),
		KeyEnv:     c.KeyEnv,
		State:      []string{filepath.Dir(c.Session)},
		Hosts:      []string{hostOf(c.URL())},
		OwnRetries: true,
		NewDecoder: func() providers.Decoder { return &loopDecoder{} },
	}, nil
}

func (l looper) config(in providers.Invocation) (loop.Config, error) {
	wrong := func(format string, args ...any) (loop.Config, error) {
		return loop.Config{}, &providers.ConfigError{Provider: l.Loop.Name, Msg: fmt.Sprintf(format, args...), Settings: true}
	}
	if in.Model == "" {
		return wrong("the model is missing: set defaults.model, or model in the spec, or pass --model")
	}
	key, err := l.Key(in.Environ)
	if err != nil {
		return wrong("%s", err)
	}
	id := cmp.Or(in.Session, in.RunID, "session")
	// The id comes from a person or a record and becomes the name of a file.
	if !filepath.IsLocal(id) || id != filepath.Base(id) {
		return wrong("%q is not a session of the loop", id)
	}
	c := l.server()
	c.KeyEnv, c.Model, c.Worktree, c.ReadOnly = key, in.Model, in.Worktree, in.ReadOnly
	c.Session, c.Resume = filepath.Join(cmp.Or(in.Sessions, in.StateDir), id+".jsonl"), in.Session != ""
	if err := c.Check(); err != nil {
		return wrong("%s", err)
	}
	return c, nil
}

// server is the part of the loop's config that does not depend on a run.
func (l Loop) server() loop.Config {
	return loop.Config{
		API: l.API, Endpoint: l.Endpoint, MaxTurns: l.MaxTurns, Context: l.Context, MaxTokens: l.MaxTokens,
		MaxRetries: l.MaxRetries, RetryDelay: l.RetryDelay,
	}
}

// Check returns what of the settings cannot work: a *loop.FieldError, whose field is the key.
func (l Loop) Check() error { return l.server().CheckServer() }

// URL returns the address of the model.
func (l Loop) URL() string { return l.server().URL() }

// Key is the name of the variable with the key, "" for none. The variable must be set
// where it is named, and where the API is its maker's; a server of one's own may want none.
func (l Loop) Key(environ []string) (string, error) {
	usual := loopKey(l.API)
	name := cmp.Or(l.KeyEnv, usual)
	if providers.Variable(environ, name) != "" {
		return name, nil
	}
	// A server of one's own may want no key.
	if l.KeyEnv == "" && (l.Endpoint != "" || usual == "") {
		return "", nil
	}
	return "", fmt.Errorf("variable %q, which holds the key of its model, is not set", name)
}
