package lint

import (
	"slices"
	"strings"

	"chant/engine/next"
	"chant/engine/spec"
)

func (l *linter) title() {
	if l.s.Title == "" {
		l.find("title", 1, next.ByHand(`add a line that begins with "# "`), "spec has no title")
	}
}

func (l *linter) name() {
	if err := spec.ValidName(l.s.ID); err != nil {
		l.find("id", 1, next.ByHand("rename the file"), "%s", err)
	}
}

func (l *linter) kind() {
	if t := l.s.Fields.Type; !slices.Contains(spec.Types(), t) {
		l.find("type", l.line("type"), next.Step{}, "unknown type %q is treated as code", t)
	}
}

// status finds words that are computed and not kept.
func (l *linter) status() {
	if word := l.s.Fields.Status; word != "" && word != string(l.s.Status) {
		l.find("status", l.line("status"), next.Lint.On().Flag("fix").Arg(l.s.ID), "status %q is computed and reads as %s", word, l.s.Status)
	}
}

func (l *linter) priority() {
	p := l.s.Fields.Priority
	if _, ok := p.Level(); !ok {
		l.find("priority", l.line("priority"), l.edit(),
			"unknown priority %q (critical, high, medium, low, or a whole number from 0, the most urgent)", p)
	}
}

// OneWord reports whether a model is named as one word that no program takes for a flag; ""
// names none.
func OneWord(model string) bool {
	return !strings.ContainsAny(model, " \t\r\n") && !strings.HasPrefix(model, "-")
}

// agent checks who is to work the spec.
func (l *linter) agent() {
	if m := l.s.Fields.Model; !OneWord(m) {
		l.find("model", l.line("model"), l.edit(), "model %q is not one word", m)
	}
	if name := l.s.Fields.Provider; name != "" && l.open() && l.World.Provider != nil {
		if err := l.World.Provider(name); err != nil {
			l.find("provider", l.line("provider"), l.edit(), "%s", err)
		}
	}
}

// script finds a spec that the provider shell would work and that has no script.
func (l *linter) script() {
	if !l.judged() || !l.open() || l.World.Shell == nil || !l.World.Shell(l.s) {
		return
	}
	if _, ok := l.s.Script(); !ok {
		l.find("script", 1, next.ByHand("add a \"## Script\" section with a ```sh block, or name another provider"), "provider %q works it, and it has no ```sh block under a heading %q to run", "shell", spec.ScriptHeading)
	}
}

// prompts checks what the agent is told by.
func (l *linter) prompts() {
	if !l.open() {
		return
	}
	f := l.s.Fields
	if f.Prompt != "" && l.World.Prompt != nil {
		if err := l.World.Prompt(f.Prompt); err != nil {
			l.find(PromptRule, l.line("prompt"), l.edit(), "%s", err)
		}
	}
	for _, name := range f.Extensions {
		if l.World.Extends == nil {
			return
		}
		if err := l.World.Extends(name); err != nil {
			l.find(PromptRule, l.line("prompt_extensions"), l.edit(), "%s", err)
		}
	}
}

// context checks what the agent is to read. What a spec waits for may have yet to make it.
func (l *linter) context() {
	waits := slices.ContainsFunc(l.Graph.Blockers(l.s.ID), func(b spec.Blocker) bool { return b.ID != l.s.ID })
	if !l.open() || l.World.Context == nil || waits {
		return
	}
	for _, path := range l.s.Fields.Context {
		if err := l.World.Context(path); err != nil {
			l.find("context", l.line("context"), l.edit(), "context file %q: %s", path, err)
		}
	}
}

// required finds fields that the project demands and that are not there or empty.
func (l *linter) required() {
	if l.s.Status == spec.Cancelled {
		return
	}
	for _, key := range spec.MissingKeys(l.s.Doc, l.Settings.Required) {
		l.find("required", l.line(key), l.edit(), "the project demands the field %q", key)
	}
}

func (l *linter) approval() {
	a := l.s.Fields.Approval
	if a == nil {
		return
	}
	line := l.line("approval")
	l.unapproved(a, line)
	switch a.Status {
	case "", spec.ApprovalPending:
		if a.By != "" {
			l.find("approval", line, l.edit(), "approval names %q but is pending", a.By)
		}
	case spec.Approved, spec.Rejected:
		if a.By == "" || a.At == "" {
			l.find("approval", line, l.edit(), "approval is %s but does not say by whom and when", a.Status)
		}
	default:
		l.find("approval", line, l.edit(), "unknown approval status %q (one of pending, approved, rejected)", a.Status)
	}
}

// unapproved finds what is done against people's word.
func (l *linter) unapproved(a *spec.Approval, line int) {
	if l.s.Status != spec.Completed || !l.s.Landed {
		return // it may wait on its branch
	}
	switch {
	case a.Status == spec.Rejected:
		l.find("approval", line, next.Approve.On(l.s.ID), "is completed, but was rejected")
	case a.Work != "" && a.Status != spec.Approved:
		l.find("approval", line, next.Approve.On(l.s.ID), "is completed, but its work waits for approval")
	case a.Required && a.Status != spec.Approved: // whoever began the run may have waived it
		l.findAs(Warning, "approval", line, next.Approve.On(l.s.ID), "is completed without approval")
	}
}

func (l *linter) outputSchema() {
	path := l.s.Fields.OutputSchema
	if path == "" || !l.open() || l.World.Schema == nil {
		return
	}
	if err := l.World.Schema(path); err != nil {
		l.find("output_schema", l.line("output_schema"), l.edit(), "output schema %q: %s", path, err)
	}
}
