package lint

import (
	"fmt"
	"reflect"

	"chant/engine/spec"
	"chant/engine/spec/next"
)

// Severity is how serious a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Off     Severity = "off" // the rule is not checked; no finding has it
)

// Finding is one problem in a spec.
type Finding struct {
	ID       string    `json:"spec_id"`
	Rule     string    `json:"rule"`
	Severity Severity  `json:"severity"`
	Message  string    `json:"message"`
	Path     string    `json:"path"`
	Line     int       `json:"line"`
	Next     next.Step `json:"suggestion,omitzero"`
}

// Equal reports whether two findings are the same.
func (f Finding) Equal(o Finding) bool {
	same := f.Next.Equal(o.Next)
	f.Next, o.Next = next.Step{}, next.Step{}
	return same && reflect.DeepEqual(f, o)
}

// linter checks one spec.
type linter struct {
	*Project
	s   *spec.File
	out []Finding

	heldOut  bool   // the spec has held-out criteria
	readable string // a commit that has them in the clear, "" for none
}

// report adds a finding with the severity of its rule.
func (l *linter) report(rule string, line int, step next.Step, format string, args ...any) {
	l.reportAs(l.Settings.defaultSeverity(rule), rule, line, step, format, args...)
}

// reportAs adds a finding with this severity, unless the project has set one for the rule.
func (l *linter) reportAs(sev Severity, rule string, line int, step next.Step, format string, args ...any) {
	if own, ok := l.Settings.Severity[rule]; ok {
		sev = own
	}
	if sev == Off {
		return
	}
	l.out = append(l.out, Finding{
		ID: l.s.ID, Rule: rule, Severity: sev, Message: fmt.Sprintf(format, args...),
		Path: l.s.Path, Line: line, Next: step,
	})
}

// keyLine returns the line of a key in the front matter.
func (l *linter) keyLine(key string) int { return l.s.Doc.KeyLine(key) }

// editStep returns the next step for what only a person can correct.
func (l *linter) editStep() next.Step { return next.Edit.On(l.s.ID) }

// isOpen reports whether the spec is neither completed nor cancelled.
func (l *linter) isOpen() bool { return isOpen(&l.s.Spec) }

func isOpen(s *spec.Spec) bool { return s.Status != spec.Completed && s.Status != spec.Cancelled }
