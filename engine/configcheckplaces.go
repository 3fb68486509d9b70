package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chant/engine/lint"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// places checks what the settings name in the repository: branches, and paths of
// worktrees. It tells of a model that nobody has named where one is asked.
func (c *configChecker) places(ctx context.Context) error {
	config, repo := c.e.config, c.e.repo
	at := func(keys ...string) spot { return spot{path: store.ConfigPath, line: config.line(keys...)} }
	if prefix := config.Defaults.BranchPrefix; repo.ValidBranch(prefix+"x") != nil {
		c.add(at("defaults", "branch_prefix"), ruleBadValue, fmt.Sprintf("defaults.branch_prefix: git has no branches that begin with %q", prefix))
	}
	if name := config.Defaults.MainBranch; name != "" && name != currentBranch {
		_, err := repo.Resolve(ctx, "refs/heads/"+name)
		switch {
		case errors.Is(err, gitops.ErrNotFound):
			c.add(at("defaults", "main_branch"), ruleBadValue, fmt.Sprintf("defaults.main_branch: there is no branch %q", name))
		case err != nil:
			return err
		}
	}
	for key, paths := range map[string][]string{"link": config.Worktree.Link, "copy": config.Worktree.Copy} {
		for _, path := range paths {
			fault := ""
			if !filepath.IsLocal(filepath.FromSlash(path)) {
				fault = "leaves the repository"
			} else if key == "copy" { // what is linked is a path as it stands
				fault = spec.EntryFault(path)
			}
			if fault != "" {
				c.add(at("worktree", key, path), ruleBadValue, fmt.Sprintf("worktree.%s: %q %s", key, path, fault))
			}
		}
	}
	if dir := config.Verify.Dir; dir != "" && !config.faulty("verify.dir") {
		if info, err := os.Stat(filepath.Join(c.e.Home(), filepath.FromSlash(dir))); err != nil || !info.IsDir() {
			c.add(at("verify", "dir"), ruleBadValue, fmt.Sprintf("verify.dir: there is no folder %q", dir))
		}
	}
	if config.faulty("defaults.provider") || config.faulty("defaults.model") || config.faulty("providers."+config.Defaults.Provider) {
		return nil
	}
	if d, err := c.e.described(config.Defaults.Provider); err == nil && d.loop != nil && config.Defaults.Model == "" {
		where := at("defaults", "provider")
		c.found = append(c.found, lint.Finding{Rule: ruleBadValue, Severity: lint.Warning, Path: where.path, Line: max(1, where.line),
			Message: fmt.Sprintf("defaults.model: provider %q asks a model, and none is named: specs that name none are not worked", config.Defaults.Provider)})
	}
	return nil
}
