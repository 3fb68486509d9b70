package engine

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/store"
	"chant/gitops"
)

// OpenForHooks opens the repository that dir lies in for its hooks, which stop nobody for
// want of a project: where home has none checked out there is nothing to check, and with
// a config.md that cannot be read the committed one holds, which Progress is told. Only
// the operations on hooks may be called. Errors: NotFound when there is no repository.
func OpenForHooks(dir string, o Options) (*Engine, error) {
	repo, err := gitops.Open(dir)
	if err != nil {
		return nil, wrap(err, "")
	}
	config, broken := readConfig(repo.Home())
	if broken != nil {
		config = committedConfig(repo)
	}
	e := newEngine(o, repo, store.Of(repo, config.Defaults.BranchPrefix), config)
	if err := e.aim(); err != nil {
		e.warn("", err.Error())
	}
	if broken != nil {
		e.warn("", fmt.Sprintf("%s; the committed one holds", broken))
	}
	return e, nil
}

// committedConfig is the config.md of what home has checked out, the defaults where that
// cannot be read either.
func committedConfig(repo *gitops.Repo) *Config {
	ctx, c := context.Background(), defaultConfig(repo.Home())
	head, err := repo.Head(ctx, repo.Home())
	if err == nil {
		var src []byte
		if src, err = repo.ReadFile(ctx, head.Hash, store.ConfigPath); err == nil {
			err = c.read(src, repo.Home())
		}
	}
	if err != nil {
		c = defaultConfig(repo.Home())
		c.repair(repo.Home())
	}
	return c
}

// unjudged tells what a hook lets pass since home has no project checked out: where there
// is none in what is committed or pushed either, nothing is said.
func (e *Engine) unjudged(ctx context.Context, in HookRunInput) error {
	var due bool
	switch in.Name {
	case "pre-commit":
		files, err := e.repo.Staged(ctx, e.repo.Dir(), e.variable("GIT_INDEX_FILE"), store.SpecsDir)
		if err != nil {
			return err
		}
		due = len(files) > 0
	case "pre-push":
		for line := range strings.Lines(in.Stdin) {
			if push := strings.Fields(line); len(push) == 4 && !absent(push[1]) {
				_, err := e.repo.ReadDir(ctx, push[1], store.SpecsDir)
				due = due || err == nil
			}
		}
	}
	if due {
		e.warn("", fmt.Sprintf("%q has no %s checked out: the specs are not looked at", e.repo.Home(), store.SpecsDir))
	}
	return nil
}
