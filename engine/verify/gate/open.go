package gate

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
)

// openForHooks opens the repository that contains dir. It returns a project even if home has no .chant checked out:
// then there is nothing to check, and git must not be stopped. If config.md cannot be read, it uses the committed one
// and warns. Error: NotFound without a repository.
func openForHooks(dir string, o engine.Options) (*engine.Project, error) {
	return openProjectForHooks(dir, "", o)
}

// openProjectForHooks is openForHooks for the project in a folder of the repository, since hooks are those of all of its projects.
func openProjectForHooks(dir, folder string, o engine.Options) (*engine.Project, error) {
	repo, err := gitops.Open(dir)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	repo.Within(folder)
	settings, broken := config.ReadConfig(repo.Home(), o.Environ)
	if broken != nil {
		// Git must not be stopped by settings that cannot be read.
		settings = committedConfig(repo)
	}
	p, err := engine.New(o, repo, store.OpenRepository(repo, settings.Defaults.BranchPrefix), settings)
	if err != nil {
		engine.Warn(p, "", err.Error())
	}
	if broken != nil {
		engine.Warn(p, "", fmt.Sprintf("%s; the committed version is used", broken))
	}
	return p, nil
}

// committedConfig returns the settings in the commit that home has checked out, or the defaults if these cannot be read
// either.
func committedConfig(repo *gitops.Repo) *config.Config {
	ctx, c := context.Background(), config.DefaultConfig(repo.Home())
	head, err := repo.Head(ctx, repo.Home())
	if err == nil {
		var src []byte
		// An agent or a merge may have broken only the file that is checked out.
		if src, err = repo.ReadFile(ctx, head.Hash, store.ConfigPath); err == nil {
			err = c.Read(src, repo.Home())
		}
	}
	if err != nil {
		c = config.DefaultConfig(repo.Home())
	}
	return c
}

// warnUnchecked warns that a hook checks no specs because home has no project checked out. It does not warn if the
// commit or push contains no specs.
func warnUnchecked(ctx context.Context, p *engine.Project, in HookRunInput) error {
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
			// A ref that is deleted has no specs.
			if push := strings.Fields(line); len(push) == 4 && !isZero(push[1]) {
				_, err := p.Repo.ReadDir(ctx, push[1], store.SpecsDir)
				due = due || err == nil
			}
		}
	}
	if due {
		engine.Warn(p, "", fmt.Sprintf("%q has no %s checked out: the specs are not checked", p.Repo.Home(), store.SpecsDir))
	}
	return nil
}
