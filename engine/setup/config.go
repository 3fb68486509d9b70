package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/run/tree"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
	"chant/providers"
	"chant/providers/secret"
	"chant/text"
)

// ConfigInput has no fields.
type ConfigInput struct{}

// ConfigResult has the settings in force: those of config.md, and the defaults of all others.
type ConfigResult struct {
	Settings map[string]any    `json:"settings"` // as config.md nests them
	Sources  map[string]string `json:"sources"`  // the file and line of each value that is not a default, by the keys that lead to it, joined by dots
}

// Config returns the settings in force. Values of variables that look secret are left out.
func Config(_ context.Context, p *engine.Project, _ ConfigInput) (ConfigResult, error) {
	c := *p.Config
	retry := c.Retry.Policy()
	c.Retry = &config.RetryConfig{Max: &retry.Max, Delay: &retry.Delay, Factor: &retry.Factor, Patterns: c.Retry.Patterns, Finally: retry.Finally}
	c.Approval.Rejection = cmp.Or(c.Approval.Rejection, config.RejectManual)
	s := c.LintSettings()
	c.Lint.Thresholds = config.LintThresholds{Criteria: &s.Criteria, Files: &s.Files, Words: &s.Words, SimpleCriteria: &s.SimpleCriteria, SimpleFiles: &s.SimpleFiles, SimpleWords: &s.SimpleWords}
	settings := displayFields(reflect.ValueOf(c))
	// The older chant's places for retry.* and parallel.rotation, which are shown under their present names.
	for section, key := range map[string]string{"watch": "failure", "defaults": "rotation_strategy"} {
		if inner, ok := settings[section].(map[string]any); ok {
			delete(inner, key)
		}
	}
	r := ConfigResult{Settings: settings, Sources: map[string]string{}}
	addSources(&c, settings, nil, r.Sources)
	return r, nil
}

// addSources adds where each value of settings comes from.
func addSources(c *config.Config, settings map[string]any, above []string, to map[string]string) {
	for name, value := range settings {
		keys := append(slices.Clone(above), name)
		if inner, nested := value.(map[string]any); nested {
			addSources(c, inner, keys, to)
		} else if source := c.Source(keys...); source != "" {
			to[strings.Join(keys, ".")] = source
		}
	}
}

// displayValue returns a setting as a value for JSON, nil without a value. A duration is written in the form that its rule
// reads.
func displayValue(v reflect.Value, rule string) any {
	switch x := v.Interface().(type) {
	case time.Duration:
		// Keys with these rules are numbers in the settings.
		if rule == "milliseconds" || rule == "interval" {
			return x.Milliseconds()
		}
		return text.Duration(x)
	case spec.Span:
		return text.Duration(time.Duration(x))
	case *regexp.Regexp:
		if x == nil {
			return nil
		}
		return x.String()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return displayValue(v.Elem(), rule)
	case reflect.Struct:
		return displayFields(v)
	case reflect.Map:
		return displayPairs(v, rule)
	case reflect.Slice:
		all := []any{}
		for i := range v.Len() {
			all = append(all, displayValue(v.Index(i), rule))
		}
		return all
	case reflect.String:
		// A secret may be in any text, such as a URL.
		return secret.InSettings(v.String())
	}
	return v.Interface()
}

// displayFields returns the fields of a struct by their names in the settings.
func displayFields(v reflect.Value) map[string]any {
	out := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		// It is not a setting.
		if !f.IsExported() || name == "-" {
			continue
		}
		value := displayValue(v.Field(i), f.Tag.Get("rule"))
		inner, nested := value.(map[string]any)
		switch {
		// A key without a value would look like one that is set.
		case value == nil || nested && len(inner) == 0:
		case strings.Contains(rest, "inline") || f.Anonymous:
			for k, x := range inner {
				out[k] = x
			}
		case name == "":
			out[strings.ToLower(f.Name)] = value
		default:
			out[name] = value
		}
	}
	return out
}

// displayPairs returns the pairs of a map. It hides a value if its name shows that it is a secret.
func displayPairs(v reflect.Value, rule string) map[string]any {
	out := map[string]any{}
	for pairs := v.MapRange(); pairs.Next(); {
		name, value := fmt.Sprint(pairs.Key()), displayValue(pairs.Value(), rule)
		// By its name, since the value alone need not look like a secret.
		if _, isText := value.(string); isText && secret.Named(name) {
			value = secret.Mark(name)
		}
		out[name] = value
	}
	return out
}

// checkPlaces checks the branches, paths and folders that the settings name in the repository. It warns if the default
// provider needs a model and none is set.
func (c *configChecker) checkPlaces(ctx context.Context) error {
	settings, repo := c.p.Config, c.p.Repo
	at := func(keys ...string) spot { return spot{path: store.ConfigPath, line: settings.Line(keys...)} }
	// Git checks the form of a whole name only.
	if prefix := settings.Defaults.BranchPrefix; repo.ValidBranch(prefix+"x") != nil {
		c.add(at("defaults", "branch_prefix"), config.RuleBadValue, fmt.Sprintf("defaults.branch_prefix: git has no branches that begin with %q", prefix))
	}
	// CurrentBranch is whatever is checked out.
	if name := settings.Defaults.MainBranch; name != "" && name != engine.CurrentBranch {
		_, err := repo.Resolve(ctx, "refs/heads/"+name)
		switch {
		case errors.Is(err, gitops.ErrNotFound):
			c.add(at("defaults", "main_branch"), config.RuleBadValue, fmt.Sprintf("defaults.main_branch: there is no branch %q", name))
		case err != nil:
			return err
		}
	}
	ignored, err := repo.IgnoredFiles(ctx, settings.Worktree.Copy)
	if err != nil {
		return err
	}
	for _, entry := range tree.FindUnmatched(repo.Home(), settings.Worktree.Link, settings.Worktree.Copy, ignored) {
		c.warn(at("worktree", entry.Key, entry.Text), config.RuleBadValue, entry.Message())
	}
	// A faulty value is reported already.
	if dir := settings.Verify.Dir; dir != "" && !settings.IsFaulty("verify.dir") {
		if info, err := os.Stat(filepath.Join(engine.Home(c.p), filepath.FromSlash(dir))); err != nil || !info.IsDir() {
			c.add(at("verify", "dir"), config.RuleBadValue, fmt.Sprintf("verify.dir: there is no folder %q", dir))
		}
	}
	// A faulty provider is reported already, and may need no model.
	if settings.IsFaulty("defaults.provider") || settings.IsFaulty("defaults.model") || settings.IsFaulty("providers."+settings.Defaults.Provider) {
		return nil
	}
	if d, err := usage.Describe(c.p, settings.Defaults.Provider); err == nil && d.Loop != nil && settings.Defaults.Model == "" {
		c.warn(at("defaults", "provider"), config.RuleBadValue, fmt.Sprintf("defaults.model: provider %q requires a model, and none is set: specs that name none are not worked", settings.Defaults.Provider))
	}
	return nil
}

// checkSandbox reports a sandbox that is required and cannot be had, and paths of its settings that do not exist.
func (c *configChecker) checkSandbox() {
	settings, box := c.p.Config, c.p.Sandbox()
	at := func(keys ...string) spot { return spot{path: store.ConfigPath, line: settings.Line(keys...)} }
	if settings.IsFaulty("sandbox") {
		return
	}
	state := box.State()
	if err := state.Required(); err != nil {
		c.add(at("sandbox"), ruleSandbox, err.Error())
	}
	if err := box.NetworkError(); err != nil {
		c.add(at("sandbox", "network"), ruleSandbox, err.Error())
	}
	// Without a sandbox these paths are not used.
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
	model(settings.Line("plan", "model"), "plan.model", settings.Plan.Model)
	for _, a := range settings.Parallel.Agents {
		model(a.Line+1, fmt.Sprintf("parallel.agents: %q", a.Name), a.Model)
	}
	for _, name := range slices.Sorted(maps.Keys(settings.Prices)) {
		if strings.TrimSpace(name) == "" {
			c.add(spot{path: store.ConfigPath, line: settings.Line("prices", name)}, config.RuleBadValue, fmt.Sprintf("prices: %q is not the name of a model", name))
		}
	}
}

// checkFleet checks what the settings of a fleet name on this machine: the remote, files and providers. It does not
// connect to the server.
func (c *configChecker) checkFleet(ctx context.Context) error {
	settings := c.p.Config
	add := func(text string, keys ...string) {
		c.add(spot{path: store.ConfigPath, line: settings.Line(append([]string{"fleet"}, keys...)...)}, config.RuleBadValue, text)
	}
	for _, name := range slices.Sorted(maps.Keys(settings.Fleet.Accounts)) {
		if settings.IsFaulty("providers." + name) {
			// Its faults are reported already.
			continue
		}
		if _, err := usage.Describe(c.p, name); err != nil {
			add("fleet.accounts: "+err.Error(), "accounts", name)
		}
	}
	// Without a server there is no fleet, and the rest is not used.
	if len(settings.Fleet.Servers()) == 0 {
		return nil
	}
	for _, file := range []struct{ key, path string }{{"credentials", settings.Fleet.Credentials}, {"ca", settings.Fleet.CA}} {
		path := file.path
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(providers.Variable(c.p.Environ, "HOME"), rest)
		}
		if info, err := os.Stat(path); file.path != "" && (err != nil || !info.Mode().IsRegular()) {
			add(fmt.Sprintf("fleet.%s: there is no file %q", file.key, file.path), file.key)
		}
	}
	known, err := c.p.Repo.HasRemote(ctx, settings.Fleet.Remote)
	if err == nil && !known && !settings.IsFaulty("fleet.remote") {
		add(fmt.Sprintf("fleet.remote: the repository has no remote %q, by which the machines exchange their work", settings.Fleet.Remote), "remote")
	}
	return err
}
