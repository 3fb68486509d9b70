package setup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/config"
	"chant/engine/lint"
	"chant/engine/spec/fileset"
	"chant/engine/store"
	"chant/gitops"
)

// checkPlaces checks the branches, paths and folders that the settings name in the repository. It warns if the default
// provider needs a model and none is set.
func (c *configChecker) checkPlaces(ctx context.Context) error {
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
	for _, path := range settings.Worktree.Copy {
		fault := fileset.Fault(path)
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			fault = "leaves the repository"
		}
		if fault != "" {
			c.add(at("worktree", "copy", path), config.RuleBadValue, fmt.Sprintf("worktree.copy: %q %s", path, fault))
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
	if d, err := agent.Describe(c.p, settings.Defaults.Provider); err == nil && d.Loop != nil && settings.Defaults.Model == "" {
		where := at("defaults", "provider")
		c.found = append(c.found, lint.Finding{Rule: config.RuleBadValue, Severity: lint.Warning, Path: where.path, Line: max(1, where.line),
			Message: fmt.Sprintf("defaults.model: provider %q requires a model, and none is set: specs that name none are not worked", settings.Defaults.Provider)})
	}
	return nil
}

// checkSandbox reports a sandbox that is required and cannot be had, and paths of its settings that do not exist.
func (c *configChecker) checkSandbox() {
	settings, box := c.p.Config, c.p.Sandbox()
	at := func(keys ...string) spot { return spot{path: store.ConfigPath, line: settings.Line(keys...)} }
	if settings.Faulty("sandbox") {
		return
	}
	state := box.State()
	if err := state.Required(); err != nil {
		c.add(at("sandbox"), ruleSandbox, err.Error())
	}
	if err := box.NetworkError(); err != nil {
		c.add(at("sandbox", "network"), ruleSandbox, err.Error())
	}
	if !state.InForce {
		return
	}
	for key, paths := range map[string][]string{"write": settings.Sandbox.Write, "checks": settings.Sandbox.Checks} {
		for _, path := range box.Missing(paths) {
			c.add(at("sandbox", key, path), config.RuleBadValue, fmt.Sprintf("sandbox.%s: %q does not exist", key, path))
		}
	}
}

// checkModels checks the names of models in the settings: those that agents are started with, and those with a price.
func (c *configChecker) checkModels() {
	settings := c.p.Config
	model := func(line int, key, name string) {
		if !lint.OneWord(name) {
			c.add(spot{path: store.ConfigPath, line: line}, config.RuleBadValue, fmt.Sprintf("%s: model %q is not one word", key, name))
		}
	}
	model(settings.Line("defaults", "model"), "defaults.model", settings.Defaults.Model)
	model(settings.Line("defaults", "split_model"), "defaults.split_model", settings.Defaults.SplitModel)
	for _, a := range settings.Parallel.Agents {
		model(a.Line+1, fmt.Sprintf("parallel.agents: %q", a.Name), a.Model)
	}
	for _, name := range slices.Sorted(maps.Keys(settings.Prices)) {
		if strings.TrimSpace(name) == "" {
			c.add(spot{path: store.ConfigPath, line: settings.Line("prices", name)}, config.RuleBadValue, fmt.Sprintf("prices: %q is not the name of a model", name))
		}
	}
}
