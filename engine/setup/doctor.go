package setup

import (
	"context"
	"errors"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/sandbox"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers"
	"chant/providers/cli"
	"chant/providers/secret"
)

// DoctorInput has no fields.
type DoctorInput struct{}

// DoctorResult is what a report of a bug needs. Secrets are removed from it, and the path of the user's home folder.
type DoctorResult struct {
	Version  string         `json:"version"`
	Go       string         `json:"go"`
	System   string         `json:"system"`
	Git      string         `json:"git"`     // version, or why it cannot be used
	Project  string         `json:"project"` // none, tracked, or silent if git ignores it
	Sandbox  *sandbox.State `json:"sandbox,omitempty"`
	Agents   []AgentProgram `json:"agents"`             // that are installed
	Settings []Setting      `json:"settings,omitempty"` // that are no defaults
	Problems []string       `json:"problems,omitempty"` // what config --validate reports
}

// AgentProgram is the program of a provider on this machine.
type AgentProgram struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// Setting is a key of the settings, with dots, and its value.
type Setting struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
}

// Doctor describes chant, the machine and the project around dir, for a report of a bug. It changes nothing, and also works outside
// of a project and with settings that cannot be read.
func Doctor(ctx context.Context, dir string, o engine.Options, _ DoctorInput) (DoctorResult, error) {
	clean := cleanerOf(o.Environ)
	r := DoctorResult{Version: o.Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Project: "none", Agents: []AgentProgram{}}
	for _, name := range cli.BuiltIns() {
		if d, ok := cli.BuiltIn(name); ok {
			if path, err := providers.Find(d.Command, "", o.Environ); err == nil {
				r.Agents = append(r.Agents, AgentProgram{name, clean(path)})
			}
		}
	}
	git, err := gitops.FindVersion(ctx)
	if err != nil {
		git = err.Error()
	}
	r.Git = git
	p, err := openLeniently(dir, o)
	switch {
	case errors.Is(err, gitops.ErrNotRepository) || errors.Is(err, store.ErrNotInitialized):
		return r, nil
	case err != nil:
		return r, err
	}
	ignored, err := p.Repo.Ignored(ctx, store.ConfigPath)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	if r.Project = "tracked"; ignored[store.ConfigPath] {
		r.Project = "silent"
	}
	state := p.Sandbox().State()
	if r.Sandbox = &state; p.Config.Broken == nil {
		r.Settings = changedSettings(ctx, p, clean)
	}
	found, err := CheckConfig(ctx, dir, o, CheckConfigInput{})
	for _, f := range found.Findings {
		r.Problems = append(r.Problems, clean(f.Path+": "+f.Message))
	}
	return r, err
}

// cleanerOf returns a function that removes from a text what a report of a bug should not have.
func cleanerOf(environ []string) func(string) string {
	secrets, home := secret.From(environ...), providers.Variable(environ, "HOME")
	return func(text string) string {
		text = secret.InSettings(secrets.Text(text))
		if len(home) > 1 {
			text = strings.ReplaceAll(text, home+string(os.PathSeparator), "~"+string(os.PathSeparator))
		}
		return text
	}
}

// changedSettings lists the settings that a file of the project or of the user has, by their keys.
func changedSettings(ctx context.Context, p *engine.Project, clean func(string) string) []Setting {
	// It cannot fail.
	all, _ := Config(ctx, p, ConfigInput{})
	var out []Setting
	var walk func(above string, settings map[string]any)
	walk = func(above string, settings map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(settings)) {
			value := settings[name]
			if inner, nested := value.(map[string]any); nested {
				walk(above+name+".", inner)
				continue
			}
			if all.Sources[above+name] == "" {
				continue
			}
			if text, is := value.(string); is {
				value = clean(text)
			}
			out = append(out, Setting{above + name, value})
		}
	}
	walk("", all.Settings)
	return out
}
