package engine

import (
	"bytes"
	"context"
	"os"
)

// merger composes the new content of a file from what it holds (nil without a
// file) and ours. Everything it did not have to add stays byte for byte; the
// same content back means that nothing is missing. Errors: Invalid, with
// name:line.
type merger func(name string, have, ours []byte) ([]byte, error)

// planAgents composes every file the agents asked for need, and writes none: what
// cannot be done is known before anything is.
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
	return i.compareAgentFiles(ctx)
}

func (i *initializer) planAgent(a agent) error {
	ours, err := a.template()
	if err != nil {
		return err
	}
	if err := i.planFile(i.configOf(a, ours), ours, a.merge); err != nil {
		return err
	}
	if ours, err = template("section.md"); err != nil {
		return err
	}
	if err := i.planFile(a.guide, ours, i.mergeGuide); err != nil {
		return err
	}
	if a.skill == "" {
		return nil
	}
	if ours, err = template("skill.md"); err != nil {
		return err
	}
	return i.planFile(a.skill, ours, keepFile)
}

// configOf chooses among two config files that an agent reads: the variant if
// there is one, unless the other file declares the server already.
func (i *initializer) configOf(a agent, ours []byte) string {
	if a.variant == "" || !exists(i.path(a.variant)) {
		return a.config
	}
	if have, err := os.ReadFile(i.path(a.config)); err == nil {
		if want, err := a.merge(a.config, have, ours); err == nil && bytes.Equal(have, want) {
			return a.config
		}
	}
	return a.variant
}

// planFile adds ours to one file; agents that share a file share the edit.
func (i *initializer) planFile(name string, ours []byte, merge merger) error {
	edit, err := i.agentEdit(name)
	if err != nil {
		return err
	}
	edit.want, err = merge(name, edit.want, ours)
	return err
}

// compareAgentFiles learns from git which files hold a person's own changes, and
// refuses to change a tracked file in silent mode: git would show it.
func (i *initializer) compareAgentFiles(ctx context.Context) error {
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
		e.owned = codes[e.name] != ""
	}
	silent, err := i.silent(ctx)
	if err != nil || !silent {
		return err
	}
	ignored, err := i.repo.Ignored(ctx, names...)
	if err != nil {
		return err
	}
	for _, e := range i.edits {
		tracked := !ignored[e.name] && codes[e.name] != "??" && (e.have != nil || e.owned)
		if tracked && e.changes() {
			return fail(Conflict, "chant init --silent", "%q is tracked by git; silent mode could not hide the change it needs", e.name)
		}
	}
	return nil
}
