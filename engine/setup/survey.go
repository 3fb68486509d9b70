package setup

import (
	"context"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/format/report"

	"chant/engine/store"
	"chant/engine/verify/gate"
	"chant/gitops"
	"chant/providers"
	"chant/providers/cli"
)

// SurveyInput is empty: a survey is about a whole repository.
type SurveyInput struct{}

// SurveyResult is what a repository and this machine have that a new project can use.
type SurveyResult struct {
	Home      string     `json:"home"`
	Project   bool       `json:"project"`            // it is a project already
	Providers []Provider `json:"providers"`          // all that need no configuration, in the order people are shown them
	Commands  []string   `json:"commands,omitempty"` // that run its tests
	CI        string     `json:"ci,omitempty"`       // the CI system that it seems to use
	NoHooks   string     `json:"no_hooks,omitempty"` // why git hooks cannot be installed
}

// Provider is an agent, and whether it can be used here.
type Provider struct {
	Name      string         `json:"name"`
	Program   string         `json:"program,omitempty"` // "" if it is part of chant
	Installed bool           `json:"installed"`
	Login     cli.LoginState `json:"login"`
	Sign      string         `json:"sign,omitempty"` // the variable or the file that shows the login, ~/ for a home folder
}

// Usable reports whether a provider is installed and nothing suggests that its login is missing.
func (p Provider) Usable() bool { return p.Installed && p.Login != cli.NoLogin }

// Survey returns what Init can take up in the repository around dir. It reads files and the environment, starts no agent
// and changes nothing. Error: NotFound without a repository.
func Survey(ctx context.Context, dir string, o engine.Options, _ SurveyInput) (SurveyResult, error) {
	repo, err := engine.OpenRepository(dir)
	if err != nil {
		return SurveyResult{}, engine.Wrap(err, "")
	}
	home := repo.Home()
	r := SurveyResult{Home: home, Project: engine.Exists(filepath.Join(home, filepath.FromSlash(store.ConfigPath)))}
	for _, name := range cli.Names() {
		p := Provider{Name: name, Installed: cli.InstalledIn(name, home, o.Environ)}
		if d, ok := cli.BuiltIn(name); ok {
			p.Program = d.Command
		}
		p.Login, p.Sign = cli.LoginOf(name, o.Environ)
		// A login in a home folder is shown as people write it.
		if below, err := filepath.Rel(providers.Variable(o.Environ, "HOME"), p.Sign); err == nil && filepath.IsAbs(p.Sign) && filepath.IsLocal(below) {
			p.Sign = "~/" + filepath.ToSlash(below)
		}
		r.Providers = append(r.Providers, p)
	}
	r.Commands = Commands(os.DirFS(home))
	remotes, err := addresses(ctx, repo)
	if err != nil {
		return SurveyResult{}, engine.Wrap(err, "")
	}
	r.CI = report.Guess(func(path string) bool { return engine.Exists(filepath.Join(home, filepath.FromSlash(path))) }, remotes)
	if err := gate.HooksCheck(ctx, home, o, gate.HooksInput{}); err != nil {
		r.NoHooks = err.Error()
	}
	return r, ctx.Err()
}

// addresses lists the URLs of the remotes.
func addresses(ctx context.Context, repo *gitops.Repo) ([]string, error) {
	names, err := repo.Remotes(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range names {
		url, err := repo.Config(ctx, "remote."+name+".url")
		if err != nil {
			return nil, err
		}
		out = append(out, url)
	}
	return out, nil
}
