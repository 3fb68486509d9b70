package gate

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/config"
	"chant/engine/store"
	"chant/gitops"
)

// open opens the repository that dir lies in for its hooks, which stop no one because a project is missing: where home has
// none checked out there is nothing to check, and with a config.md that cannot be read the committed one holds, which
// Progress reports. Error: NotFound when there is no repository.
func open(dir string, o engine.Options) (*engine.Project, error) {
	repo, err := gitops.Open(dir)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	settings, broken := config.ReadConfig(repo.Home())
	if broken != nil {
		settings = committedConfig(repo)
	}
	p, err := engine.New(o, repo, store.Of(repo, settings.Defaults.BranchPrefix), settings)
	if err != nil {
		engine.Warn(p, "", err.Error())
	}
	if broken != nil {
		engine.Warn(p, "", fmt.Sprintf("%s; the committed one holds", broken))
	}
	return p, nil
}

// committedConfig is the config.md of what home has checked out, the defaults where that
// cannot be read either.
func committedConfig(repo *gitops.Repo) *config.Config {
	ctx, c := context.Background(), config.DefaultConfig(repo.Home())
	head, err := repo.Head(ctx, repo.Home())
	if err == nil {
		var src []byte
		if src, err = repo.ReadFile(ctx, head.Hash, store.ConfigPath); err == nil {
			err = c.Read(src, repo.Home())
		}
	}
	if err != nil {
		c = config.DefaultConfig(repo.Home())
	}
	return c
}

// unjudged tells what a hook lets pass since home has no project checked out: where there
// is none in what is committed or pushed either, nothing is said.
func unjudged(ctx context.Context, p *engine.Project, in HookRunInput) error {
	var due bool
	switch in.Name {
	case "pre-commit":
		files, err := p.Repo.Staged(ctx, p.Repo.Dir(), engine.Variable(p, "GIT_INDEX_FILE"), store.SpecsDir)
		if err != nil {
			return err
		}
		due = len(files) > 0
	case "pre-push":
		for line := range strings.Lines(in.Stdin) {
			if push := strings.Fields(line); len(push) == 4 && !absent(push[1]) {
				_, err := p.Repo.ReadDir(ctx, push[1], store.SpecsDir)
				due = due || err == nil
			}
		}
	}
	if due {
		engine.Warn(p, "", fmt.Sprintf("%q has no %s checked out: the specs are not looked at", p.Repo.Home(), store.SpecsDir))
	}
	return nil
}
