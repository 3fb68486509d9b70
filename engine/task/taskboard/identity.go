package taskboard

import (
	"context"
	"errors"
	"strings"

	"chant/engine"
	"chant/engine/spec/task"
	"chant/gitops"
)

// Identity is a person and where the name comes from.
type Identity struct {
	User       string  `json:"user"`
	Source     string  `json:"source"`     // config, git user.name, git user.email, USER or USERNAME
	Confidence int     `json:"confidence"` // 0 to 100
	Details    *string `json:"details"`
}

// WhoIs returns the person that @me means; without a user if unknown.
func WhoIs(ctx context.Context, p *engine.Project, board Board) (Identity, error) {
	st := board.Settings
	// A default reporter of @me would ask for itself.
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
