package setup

import (
	"fmt"

	"chant/engine"
	"chant/engine/agentfile"
)

// planWarnings finds what a person should know of an agent's config as it is to be.
func (i *initializer) planWarnings(a agentfile.Agent, config string) error {
	edit, err := i.agentEdit(config)
	if err != nil {
		return err
	}
	if a.Trusts != "" && edit.changes() {
		i.warns = append(i.warns, fmt.Sprintf("%s: %q lets %s call chant's tools without asking", config, a.Trusts, a.Name))
	}
	if a.Strict && !agentfile.PlainJSON(config, edit.want) {
		i.warns = append(i.warns, fmt.Sprintf("%s: %s refuses comments and trailing commas", config, a.Name))
	}
	return nil
}

// warn tells what was found, once it is true.
func (i *initializer) warn() {
	if i.Progress == nil {
		return
	}
	for _, text := range i.warns {
		i.Progress(engine.Event{Kind: "warning", Text: text})
	}
}
