package cli

import (
	"slices"

	"chant/providers"
)

// BuiltIn returns the definition with this name that needs no configuration. The shell
// and chant's own loop have none. "kirocli", as the older chant calls it, is kiro.
func BuiltIn(name string) (Definition, bool) {
	if name == "kirocli" {
		name = "kiro"
	}
	for _, d := range catalog() {
		if d.Name == name {
			return d, true
		}
	}
	return Definition{}, false
}

// BuiltIns lists the names of these definitions, in the order people are shown them.
func BuiltIns() []string {
	var names []string
	for _, d := range catalog() {
		names = append(names, d.Name)
	}
	return names
}

// Provider returns the provider with this name that needs no configuration.
func Provider(name string) (providers.Provider, bool) {
	if name == ShellName {
		return Shell(), true
	}
	if slices.Contains(LoopNames(), name) {
		return NewLoop(Loop{Name: name, API: name}), true
	}
	d, ok := BuiltIn(name)
	return agent{d}, ok
}

// Names lists the providers that need no configuration, in the order people are shown
// them.
func Names() []string { return append(append(BuiltIns(), LoopNames()...), ShellName) }

func catalog() []Definition {
	return []Definition{claude(), codex(), gemini(), opencode(), qwen(), copilot(), cursor(), kiro()}
}
