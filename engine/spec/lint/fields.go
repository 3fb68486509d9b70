package lint

import (
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/next"
)

func (l *linter) checkTitle() {
	if l.s.Title == "" {
		l.report("title", 1, next.ByHand(`add a line that begins with "# "`), "spec has no title")
	}
}

func (l *linter) checkType() {
	if t := l.s.Fields.Type; !slices.Contains(spec.Types(), t) {
		l.report("type", l.keyLine("type"), next.Step{}, "unknown type %q is treated as code", t)
	}
}

// checkStatus reports statuses that are computed and not stored.
func (l *linter) checkStatus() {
	if word := l.s.Fields.Status; word != "" && word != string(l.s.Status) {
		l.report("status", l.keyLine("status"), next.Lint.On().Flag("fix").Arg(l.s.ID), "status %q is computed and reads as %s", word, l.s.Status)
	}
}

func (l *linter) checkPriority() {
	p := l.s.Fields.Priority
	if _, ok := p.Level(); !ok && (l.World.Priority == nil || !l.World.Priority(string(p))) {
		l.report("priority", l.keyLine("priority"), l.editStep(),
			"unknown priority %q (critical, high, medium, low, or a whole number from 0, the most urgent)", p)
	}
}

// checkRunsOn reports labels that no machine can have, so that the spec would wait for ever.
func (l *linter) checkRunsOn() {
	for _, label := range l.s.Fields.RunsOn {
		if err := spec.CheckLabel(label); err != nil {
			l.report("runs_on", l.keyLine("runs_on"), l.editStep(), "runs_on: %s", err)
		}
	}
}

// OneWord reports whether the name of a model is one word that programs do not take for a flag. It is true for "",
// which names no model.
func OneWord(model string) bool {
	return !strings.ContainsAny(model, " \t\r\n") && !strings.HasPrefix(model, "-")
}

// checkAgent checks the model and the provider.
func (l *linter) checkAgent() {
	if m := l.s.Fields.Model; !OneWord(m) {
		l.report("model", l.keyLine("model"), l.editStep(), "model %q is not one word", m)
	}
	if name := l.s.Fields.Provider; name != "" && l.isOpen() && l.World.Provider != nil {
		if err := l.World.Provider(name); err != nil {
			l.report("provider", l.keyLine("provider"), l.editStep(), "%s", err)
		}
	}
}

// checkScript reports a spec that the provider shell would work, but that has no script.
func (l *linter) checkScript() {
	if !l.needsCriteria() || !l.isOpen() || l.World.Shell == nil || !l.World.Shell(l.s) {
		return
	}
	if _, ok := l.s.Script(); !ok {
		l.report("script", 1, next.ByHand("add a \"## Script\" section with a ```sh block, or name another provider"), "provider %q works it, and it has no ```sh block under a heading %q to run", "shell", spec.ScriptHeading)
	}
}

// checkPrompts checks the prompt and its extensions.
func (l *linter) checkPrompts() {
	if !l.isOpen() {
		return
	}
	f := l.s.Fields
	if f.Prompt != "" && l.World.Prompt != nil {
		if err := l.World.Prompt(f.Prompt); err != nil {
			l.report(PromptRule, l.keyLine("prompt"), l.editStep(), "%s", err)
		}
	}
	for _, name := range f.Extensions {
		if l.World.Extends == nil {
			return
		}
		if err := l.World.Extends(name); err != nil {
			l.report(PromptRule, l.keyLine("prompt_extensions"), l.editStep(), "%s", err)
		}
	}
}

// checkContext checks the context files of a spec that waits for no other.
func (l *linter) checkContext() {
	// The specs for which this one waits may create the files.
	waits := slices.ContainsFunc(l.Graph.Blockers(l.s.ID), func(b spec.Blocker) bool { return b.ID != l.s.ID })
	if !l.isOpen() || l.World.Context == nil || waits {
		return
	}
	for _, path := range l.s.Fields.Context {
		if err := l.World.Context(path); err != nil {
			l.report("context", l.keyLine("context"), l.editStep(), "context file %q: %s", path, err)
		}
	}
}

// checkRequired reports fields that the project requires and that are missing or empty.
func (l *linter) checkRequired() {
	// A cancelled spec will not be worked, so missing fields do no harm.
	if l.s.Status == spec.Cancelled {
		return
	}
	for _, key := range spec.MissingKeys(l.s.Doc, l.Settings.Required) {
		l.report("required", l.keyLine(key), l.editStep(), "the project requires the field %q", key)
	}
}

func (l *linter) checkApproval() {
	a := l.s.Fields.Approval
	if a == nil {
		return
	}
	line := l.keyLine("approval")
	l.checkCompletedApproval(a, line)
	switch a.Status {
	case "", spec.ApprovalPending:
		if a.By != "" {
			l.report("approval", line, l.editStep(), "approval names %q but is pending", a.By)
		}
	case spec.Approved, spec.Rejected:
		if a.By == "" || a.At == "" {
			l.report("approval", line, l.editStep(), "approval is %s but does not say by whom and when", a.Status)
		}
	default:
		l.report("approval", line, l.editStep(), "unknown approval status %q (one of pending, approved, rejected)", a.Status)
	}
}

// checkCompletedApproval reports a spec that is completed and landed without the approval that it needs.
func (l *linter) checkCompletedApproval(a *spec.Approval, line int) {
	if l.s.Status != spec.Completed || !l.s.Landed {
		// The spec may still wait for approval on its branch.
		return
	}
	switch {
	case a.Status == spec.Rejected:
		l.report("approval", line, next.Approve.On(l.s.ID), "is completed, but was rejected")
	case a.Work != "" && a.Status != spec.Approved:
		l.report("approval", line, next.Approve.On(l.s.ID), "is completed, but its work waits for approval")
	case a.Required && a.Status != spec.Approved: // the person who started the run may have skipped it
		l.reportAs(Warning, "approval", line, next.Approve.On(l.s.ID), "is completed without approval")
	}
}

func (l *linter) checkOutputSchema() {
	path := l.s.Fields.OutputSchema
	if path == "" || !l.isOpen() || l.World.Schema == nil {
		return
	}
	if err := l.World.Schema(path); err != nil {
		l.report("output_schema", l.keyLine("output_schema"), l.editStep(), "output schema %q: %s", path, err)
	}
}
