package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
	"chant/providers/cli"

	"go.yaml.in/yaml/v3"
)

// UsualProvider is the default provider of a project that names none.
const UsualProvider = "claude"

// newConfig returns the settings of a new project.
func (i *initializer) newConfig(ctx context.Context) (string, error) {
	doc, err := markdown.Parse(store.ConfigPath, []byte(configProse))
	if err != nil {
		return "", err
	}
	name := i.in.Name
	if name == "" {
		name = filepath.Base(i.repo.Home())
	}
	provider := i.in.Provider
	if provider == "" {
		provider = UsualProvider
	}
	defaults := orderedMap{{"provider", provider}, {"prompt", "standard"}}
	if i.in.Model != "" {
		defaults = append(defaults, pair{"model", i.in.Model})
	}
	// HEAD may be detached, and then there is no branch to land on.
	if i.branch != "" {
		defaults = append(defaults, pair{"main_branch", i.branch})
	}
	// Git has no branches below another.
	if _, err := i.repo.Resolve(ctx, "refs/heads/chant"); err == nil {
		defaults = append(defaults, pair{"branch_prefix", "chant-runs/"})
	}
	if doc, err = doc.Apply(markdown.Set("project", orderedMap{{"name", name}}), markdown.Set("defaults", defaults)); err != nil {
		return "", err
	}
	if doc, err = i.withVerify(doc); err != nil {
		return "", err
	}
	if len(i.link) > 0 {
		if doc, err = doc.Apply(markdown.Set("worktree", map[string][]string{"link": i.link})); err != nil {
			return "", err
		}
	}
	return string(doc.Bytes()), nil
}

const configProse = `
# Settings of chant

- ` + "`defaults`" + `: provider, model and prompt of a run; ` + "`main_branch`" + ` is where runs land.
- ` + "`limits`" + `: ` + "`time`" + ` of an agent (60m), ` + "`silence`" + ` without output after which it is ended (0 = no limit), ` + "`waiting`" + ` after which it shows as waiting (5m), ` + "`check`" + ` of a criterion's command (10m).
- ` + "`verify`" + `: ` + "`defaults`" + ` are commands that must pass for every spec, beside its criteria.
- ` + "`worktree`" + `: ` + "`copy`" + ` globs of ignored files such as .env, ` + "`link`" + ` ignored folders such as node_modules, run ` + "`setup`" + ` commands in every worktree.
- ` + "`sandbox`" + `: auto, on or off, or a mapping with ` + "`write`" + `: paths that agents may also write to.
- ` + "`parallel`" + `: ` + "`max_concurrent`" + ` runs of --all, a pool of ` + "`agents`" + ` and its ` + "`rotation`" + `.
- ` + "`retry`" + `: ` + "`max_retries`" + ` (3) and ` + "`retry_delay_ms`" + ` (60000) when an agent meets a rate limit.
- ` + "`lint`" + `: ` + "`thresholds`" + ` (criteria 10, files 5) and the ` + "`severity`" + ` of a rule: error, warning or off.
`

// updateConfig changes the settings of an existing project for which the input has values.
func (i *initializer) updateConfig() error {
	// New settings have the values already.
	if !slices.Contains(i.result.Left, store.ConfigPath) || i.in.Provider == "" && i.in.Model == "" && i.in.Name == "" && len(i.in.Verify) == 0 {
		return nil
	}
	full := filepath.Join(i.repo.Home(), filepath.FromSlash(store.ConfigPath))
	src, err := os.ReadFile(full)
	if err != nil {
		return err
	}
	doc, err := markdown.Parse(store.ConfigPath, src)
	if err != nil {
		return err
	}
	for _, want := range []struct{ key, name, value string }{
		{"defaults", "provider", i.in.Provider}, {"defaults", "model", i.in.Model}, {"project", "name", i.in.Name},
	} {
		if want.value == "" {
			continue
		}
		var have map[string]any
		if _, err := doc.Get(want.key, &have); err != nil {
			return err
		}
		if have == nil {
			have = map[string]any{}
		}
		have[want.name] = want.value
		if doc, err = doc.Apply(markdown.Set(want.key, have)); err != nil {
			return err
		}
	}
	if doc, err = i.withVerify(doc); err != nil {
		return err
	}
	// Nothing has changed.
	if string(doc.Bytes()) == string(src) {
		return nil
	}
	if err := os.WriteFile(full, doc.Bytes(), 0o644); err != nil {
		return err
	}
	i.result.Left = slices.DeleteFunc(i.result.Left, func(p string) bool { return p == store.ConfigPath })
	i.result.Changed = append(i.result.Changed, store.ConfigPath)
	i.files = append(i.files, gitops.File{Path: store.ConfigPath, Content: doc.Bytes()})
	return nil
}

// pair is one key and value of a mapping.
type pair struct{ key, value string }

// orderedMap is a YAML mapping that keeps its order.
type orderedMap []pair

// MarshalYAML implements yaml.Marshaler.
func (m orderedMap) MarshalYAML() (any, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, p := range m {
		var value yaml.Node
		value.SetString(p.value)
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: p.key}, &value)
	}
	return node, nil
}

// checkProvider refuses an unknown default provider.
func (i *initializer) checkProvider() error {
	name := i.in.Provider
	if _, known := cli.Provider(name); name == "" || known {
		return nil
	}
	// A provider of the project is a file, which need not be read here.
	if engine.Exists(filepath.Join(i.repo.Home(), filepath.FromSlash(store.ProvidersDir), name+".md")) {
		return nil
	}
	return engine.Fail(engine.Usage, next.Init.Help(), "no provider %q in %s, and none of that name is built in (%s)", name, store.ProvidersDir, strings.Join(cli.Names(), ", "))
}
