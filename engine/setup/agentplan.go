package setup

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/agentfile"
	"chant/engine/spec/next"
	"chant/providers/cli"
)

// planAgents plans the edits of every file that the selected agents need. It writes nothing, so that Init fails before
// it has changed anything.
func (i *initializer) planAgents(ctx context.Context) error {
	chosen, err := chosenAgents(i.in.Agents)
	if err != nil {
		return err
	}
	for _, a := range chosen {
		if err := i.planAgent(a); err != nil {
			return err
		}
	}
	// After all files are planned, so that git is asked once.
	return i.compareAgentFiles(ctx)
}

func (i *initializer) planAgent(a agentfile.Agent) error {
	ours, err := a.Template()
	if err != nil {
		return err
	}
	config := i.configOf(a, ours)
	if err := i.planFile(config, ours, a.Merge); err != nil {
		return err
	}
	if err := i.planWarnings(a, config); err != nil {
		return err
	}
	if ours, err = agentfile.Template("section.md"); err != nil {
		return err
	}
	if err := i.planFile(a.Guide, ours, i.mergeGuide); err != nil {
		return err
	}
	texts, err := a.Texts()
	if err != nil {
		return err
	}
	for _, text := range texts {
		if err := i.planFile(text.Path, text.Content, keepFile); err != nil {
			return err
		}
	}
	return nil
}

// configOf chooses one of two config files that an agent reads: the variant if it exists, unless the other file already
// declares the server.
func (i *initializer) configOf(a agentfile.Agent, ours []byte) string {
	if a.Variant == "" || !engine.Exists(i.path(a.Variant)) {
		return a.Config
	}
	if have, err := os.ReadFile(i.path(a.Config)); err == nil {
		if want, err := a.Merge(a.Config, have, ours); err == nil && bytes.Equal(have, want) {
			return a.Config
		}
	}
	return a.Variant
}

// planFile adds ours to one file; agents that share a file share the edit.
func (i *initializer) planFile(name string, ours []byte, merge agentfile.Merger) error {
	edit, err := i.editOf(name)
	if err != nil {
		return err
	}
	edit.want, err = merge(name, edit.want, ours)
	return err
}

// compareAgentFiles asks git which files have uncommitted changes of a person. In silent mode it refuses to change a
// tracked file, because git would show the change.
func (i *initializer) compareAgentFiles(ctx context.Context) error {
	// Nothing is written, so git need not be asked.
	if !i.changesAgentFiles() {
		return nil
	}
	status, err := i.repo.Status(ctx, i.repo.Home())
	if err != nil {
		return err
	}
	codes := map[string]string{}
	for _, s := range status {
		codes[s.Path] = s.Code
	}
	names := make([]string, 0, len(i.edits))
	for _, e := range i.edits {
		names = append(names, e.name)
		// A file that a person has changed is not committed.
		e.owned = codes[e.name] != ""
	}
	silent, err := i.isSilent(ctx)
	if err != nil || !silent {
		return err
	}
	ignored, err := i.repo.Ignored(ctx, names...)
	if err != nil {
		return err
	}
	for _, e := range i.edits {
		// A file that git does not know can be hidden from it.
		tracked := !ignored[e.name] && codes[e.name] != "??" && (e.have != nil || e.owned)
		if tracked && e.changes() {
			return engine.Fail(engine.Conflict, next.Init.On().Flag("silent"), "%q is tracked by git; silent mode could not hide the change it needs", e.name)
		}
	}
	return nil
}

// allAgents is the word for every agent.
const allAgents = "all"

// ProviderNames lists the providers that need no configuration.
func ProviderNames() []string { return cli.Names() }

// AgentNames lists the agents whose files can be set up, in the order of the table.
func AgentNames() []string {
	var names []string
	for _, a := range agentfile.All() {
		names = append(names, a.Name)
	}
	return names
}

// chosenAgents returns the agents that the words name, each once and in the order of the table. Error: Usage for an
// unknown word.
func chosenAgents(words []string) ([]agentfile.Agent, error) {
	table, known := agentfile.All(), append(AgentNames(), allAgents)
	asked := map[string]bool{}
	for _, word := range words {
		word = strings.TrimSpace(word)
		// A word that is spelled wrong would leave out an agent unnoticed.
		if !slices.Contains(known, word) {
			return nil, engine.Fail(engine.Usage, next.Init.On().Set("agent", allAgents), "agent %q cannot be set up (one of %s)", word, strings.Join(known, ", "))
		}
		asked[word] = true
	}
	return slices.DeleteFunc(table, func(a agentfile.Agent) bool { return !asked[allAgents] && !asked[a.Name] }), nil
}
