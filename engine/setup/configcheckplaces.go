package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/config"
	"chant/engine/lint"
	"chant/engine/spec/fileset"
	"chant/engine/store"
	"chant/gitops"
)

// places checks what the settings name in the repository: branches, and paths of
// worktrees. It tells of a model that no one has named where one is asked.
func (c *configChecker) places(ctx context.Context) error {
	settings, repo := c.p.Config, c.p.Repo
	at := func(keys ...string) spot { return spot{path: store.ConfigPath, line: settings.Line(keys...)} }
	if prefix := settings.Defaults.BranchPrefix; repo.ValidBranch(prefix+"x") != nil {
		c.add(at("defaults", "branch_prefix"), config.RuleBadValue, fmt.Sprintf("defaults.branch_prefix: git has no branches that begin with %q", prefix))
	}
	if name := settings.Defaults.MainBranch; name != "" && name != engine.CurrentBranch {
		_, err := repo.Resolve(ctx, "refs/heads/"+name)
		switch {
		case errors.Is(err, gitops.ErrNotFound):
			c.add(at("defaults", "main_branch"), config.RuleBadValue, fmt.Sprintf("defaults.main_branch: there is no branch %q", name))
		case err != nil:
			return err
		}
	}
	for key, paths := range map[string][]string{"link": settings.Worktree.Link, "copy": settings.Worktree.Copy} {
		for _, path := range paths {
			fault := ""
			if !filepath.IsLocal(filepath.FromSlash(path)) {
				fault = "leaves the repository"
			} else if key == "copy" { // what is linked is a path as it is
				fault = fileset.Fault(path)
			}
			if fault != "" {
				c.add(at("worktree", key, path), config.RuleBadValue, fmt.Sprintf("worktree.%s: %q %s", key, path, fault))
			}
		}
	}
	if dir := settings.Verify.Dir; dir != "" && !settings.Faulty("verify.dir") {
		if info, err := os.Stat(filepath.Join(engine.Home(c.p), filepath.FromSlash(dir))); err != nil || !info.IsDir() {
			c.add(at("verify", "dir"), config.RuleBadValue, fmt.Sprintf("verify.dir: there is no folder %q", dir))
		}
	}
	if settings.Faulty("defaults.provider") || settings.Faulty("defaults.model") || settings.Faulty("providers."+settings.Defaults.Provider) {
		return nil
	}
	if d, err := agent.Described(c.p, settings.Defaults.Provider); err == nil && d.Loop != nil && settings.Defaults.Model == "" {
		where := at("defaults", "provider")
		c.found = append(c.found, lint.Finding{Rule: config.RuleBadValue, Severity: lint.Warning, Path: where.path, Line: max(1, where.line),
			Message: fmt.Sprintf("defaults.model: provider %q asks a model, and none is named: specs that name none are not worked", settings.Defaults.Provider)})
	}
	return nil
}
