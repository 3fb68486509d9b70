package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/lint"
	"chant/engine/store"
)

// named checks the models that the settings name: those that agents are started with, and
// those that have a price.
func (c *configChecker) named() {
	config := c.e.config
	model := func(line int, key, name string) {
		if !lint.OneWord(name) {
			c.add(spot{path: store.ConfigPath, line: line}, ruleBadValue, fmt.Sprintf("%s: model %q is not one word", key, name))
		}
	}
	model(config.line("defaults", "model"), "defaults.model", config.Defaults.Model)
	model(config.line("defaults", "split_model"), "defaults.split_model", config.Defaults.SplitModel)
	for _, a := range config.Parallel.Agents {
		model(a.line+1, fmt.Sprintf("parallel.agents: %q", a.Name), a.Model)
	}
	for _, name := range slices.Sorted(maps.Keys(config.Prices)) {
		if strings.TrimSpace(name) == "" {
			c.add(spot{path: store.ConfigPath, line: config.line("prices", name)}, ruleBadValue, fmt.Sprintf("prices: %q is not the name of a model", name))
		}
	}
}
