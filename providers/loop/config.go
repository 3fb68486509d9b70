package loop

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chant/providers/secret"
)

// The wire forms, as Config.API names them.
const (
	OpenAI    = "openai"
	Ollama    = "ollama"
	Anthropic = "anthropic"
)

// Config configures a run of the loop, as JSON in a file that only its user can read.
// Where a number may be 0, that means the default noted beside it.
type Config struct {
	API      string `json:"api"`                // openai, ollama or anthropic
	Endpoint string `json:"endpoint,omitempty"` // base URL; the API's own by default
	KeyEnv   string `json:"key_env,omitempty"`  // name of the variable that holds the key, never the key
	Model    string `json:"model"`
	Worktree string `json:"worktree"`            // absolute path
	Session  string `json:"session"`             // absolute path of the transcript
	Resume   bool   `json:"resume,omitempty"`    // continue with the transcript that is there
	ReadOnly bool   `json:"read_only,omitempty"` // no tool that changes anything

	MaxTurns       int   `json:"max_turns,omitempty"`       // answers of the model, 100
	MaxOutput      int64 `json:"max_output,omitempty"`      // bytes of answers and of what tools said, 16 MiB
	Context        int   `json:"context,omitempty"`         // tokens that the model takes; 32768, Anthropic 200000
	MaxTokens      int   `json:"max_tokens,omitempty"`      // of one answer; the server's own, Anthropic 8192
	CommandTimeout int   `json:"command_timeout,omitempty"` // seconds of one command, 600
	MaxRetries     *int  `json:"max_retries,omitempty"`     // of one request, 5
	RetryDelay     int   `json:"retry_delay_ms,omitempty"`  // milliseconds before the first of them, 1000
}

// minContext is the fewest tokens in which prompt, tools and an answer have room.
const minContext = 4096

// ReadConfig reads the file that `chant loop` is given. Its errors name the file and
// the field.
func ReadConfig(path string) (Config, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	var c Config
	if err = json.Unmarshal(src, &c); err == nil {
		err = c.Check()
	}
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Check says what of a config cannot work, naming the field.
func (c Config) Check() error {
	if err := c.CheckServer(); err != nil {
		return err
	}
	if c.Model == "" {
		return wrongField("model", "missing")
	}
	// The loop runs in another folder than the caller.
	if !filepath.IsAbs(c.Worktree) || !filepath.IsAbs(c.Session) {
		return fmt.Errorf("worktree and session: %q and %q are not both absolute paths", c.Worktree, c.Session)
	}
	return nil
}

// FieldError is a field of a config that cannot work.
type FieldError struct{ Field, Fault string }

// Error names the field and the fault.
func (e *FieldError) Error() string { return e.Field + ": " + e.Fault }

func wrongField(field, format string, args ...any) error {
	return &FieldError{field, fmt.Sprintf(format, args...)}
}

// CheckServer is Check for what settings say, before there is a run. Error: *FieldError.
func (c Config) CheckServer() error {
	if _, known := apis()[c.API]; !known {
		return wrongField("api", "invalid value %q (one of %s, %s, %s)", c.API, OpenAI, Ollama, Anthropic)
	}
	if u, err := url.Parse(c.URL()); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return wrongField("endpoint", "invalid URL %q (use one such as http://127.0.0.1:11434)", secret.InSettings(c.Endpoint))
	}
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"max_turns", int64(c.MaxTurns)}, {"max_output", c.MaxOutput}, {"max_tokens", int64(c.MaxTokens)},
		{"command_timeout", int64(c.CommandTimeout)}, {"retry_delay_ms", int64(c.RetryDelay)}, {"max_retries", int64(c.retries())},
	} {
		if n.value < 0 {
			return wrongField(n.name, "must be at least 0, not %d", n.value)
		}
	}
	// More than half of the context for an answer would leave the conversation no room.
	if full := c.withDefaults(); full.Context < minContext || full.answerRoom() > full.Context/2 {
		return wrongField("context", "%d tokens are too few; an answer needs %d of them", full.Context, full.answerRoom())
	}
	return nil
}

// URL returns the address of the API.
func (c Config) URL() string { return c.withDefaults().Endpoint }

// api has the differences of the wire formats before the first byte.
type api struct {
	endpoint           string
	context, maxTokens int
	spoken             bool // its small models write calls as text
	open               func(Config, *client) asker
}

func apis() map[string]api {
	return map[string]api{
		OpenAI:    {"https://api.openai.com/v1", 32 << 10, 0, true, newOpenAI},
		Ollama:    {"http://127.0.0.1:11434", 32 << 10, 0, true, newOllama},
		Anthropic: {"https://api.anthropic.com", 200_000, 8 << 10, false, newAnthropic},
	}
}

// withDefaults fills in what the file leaves open.
func (c Config) withDefaults() Config {
	own := apis()[c.API]
	c.Endpoint = strings.TrimRight(cmp.Or(c.Endpoint, own.endpoint), "/")
	// The paths of OpenAI begin behind the version, those of the others with it.
	if c.API != OpenAI {
		c.Endpoint = strings.TrimSuffix(c.Endpoint, "/v1")
	}
	c.MaxTurns = cmp.Or(c.MaxTurns, 100)
	c.MaxOutput = cmp.Or(c.MaxOutput, 16<<20)
	c.Context = cmp.Or(c.Context, own.context)
	c.MaxTokens = cmp.Or(c.MaxTokens, min(own.maxTokens, c.Context/4))
	c.CommandTimeout = cmp.Or(c.CommandTimeout, 600)
	c.RetryDelay = cmp.Or(c.RetryDelay, 1000)
	return c
}

// retries returns how often one request is retried.
func (c Config) retries() int {
	if c.MaxRetries == nil {
		return 5
	}
	return *c.MaxRetries
}

// answerRoom returns the number of tokens of the context that are reserved for an answer.
func (c Config) answerRoom() int { return cmp.Or(c.MaxTokens, c.Context/8) }

func (c Config) commandTimeout() time.Duration { return time.Duration(c.CommandTimeout) * time.Second }
