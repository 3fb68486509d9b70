package setup

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/config"
	"chant/engine/lint"
	"chant/engine/store"
)

// named checks the models that the settings name: those that agents are started with, and
// those that have a price.
func (c *configChecker) named() {
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
