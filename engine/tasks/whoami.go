package tasks

import (
	"context"
	"errors"
	"strings"

	"chant/engine"
	"chant/engine/task"
	"chant/gitops"
)

// WhoamiInput asks who the caller is.
type WhoamiInput struct {
	Explain bool `json:"explain,omitempty" jsonschema:"Also say where the name comes from" schema:"default=false"`
}

// WhoamiResult is the person that @me means.
type WhoamiResult struct {
	Status  string    `json:"status"` // ok
	User    *string   `json:"user"`   // null if unknown
	Explain *Identity `json:"explain,omitempty"`
}

// Identity is a person and where the name comes from.
type Identity struct {
	User       string  `json:"user"`
	Source     string  `json:"source"`     // config, git user.name, git user.email, USER or USERNAME
	Confidence int     `json:"confidence"` // 0 to 100
	Details    *string `json:"details"`
}

// Whoami returns the person that @me means: the default reporter of the settings, else the name or mail that git commits
// with, else the user of the system.
func Whoami(ctx context.Context, p *engine.Project, in WhoamiInput) (WhoamiResult, error) {
	board, err := OpenBoard(ctx, p, "")
	if err != nil {
		return WhoamiResult{}, err
	}
	who, err := whoIs(ctx, p, board)
	if err != nil {
		return WhoamiResult{}, engine.Wrap(err, "")
	}
	result := WhoamiResult{Status: "ok"}
	if who.User == "" {
		return result, nil
	}
	result.User = &who.User
	if in.Explain {
		result.Explain = &who
	}
	return result, nil
}

// whoIs returns the person that @me means; without a user if unknown.
func whoIs(ctx context.Context, p *engine.Project, board Board) (Identity, error) {
	st := board.Settings
	if name := task.NormalizeMember(st.DefaultReporter); name != "" && name != task.Me {
		return identity(name, "config", 100, "default reporter of the settings"), nil
	}
	if st.Auto.Identity && st.Auto.IdentityGit {
		for _, from := range []struct {
			key        string
			confidence int
		}{{"user.name", 85}, {"user.email", 80}} {
			value, err := p.Repo.Config(ctx, from.key)
			if err != nil && !errors.Is(err, gitops.ErrNotFound) {
				return Identity{}, err
			}
			if value = strings.TrimSpace(value); value != "" {
				return identity(value, "git "+from.key, from.confidence, "setting "+from.key+" of git"), nil
			}
		}
	}
	for _, from := range []struct {
		name       string
		confidence int
	}{{"USER", 60}, {"USERNAME", 55}} {
		for _, kv := range p.Environ {
			if value, found := strings.CutPrefix(kv, from.name+"="); found && value != "" {
				return identity(value, from.name, from.confidence, "variable "+from.name), nil
			}
		}
	}
	return Identity{}, nil
}

func identity(name, source string, confidence int, details string) Identity {
	return Identity{User: name, Source: source, Confidence: confidence, Details: &details}
}
