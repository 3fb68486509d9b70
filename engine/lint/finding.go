package lint

import (
	"fmt"
	"reflect"

	"chant/engine/next"
	"chant/engine/spec"
)

// Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Off     Severity = "off" // a rule that is not asked; no finding has it
)

// Finding is one thing lint has to say about a spec.
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
	s   *spec.Spec
	out []Finding
}

// find adds a finding with the severity of its rule.
func (l *linter) find(rule string, line int, step next.Step, format string, args ...any) {
	l.findAs(l.Settings.usual(rule), rule, line, step, format, args...)
}

// findAs adds a finding whose rule has another severity here, unless the project has one
// of its own for the rule.
func (l *linter) findAs(sev Severity, rule string, line int, step next.Step, format string, args ...any) {
	if own, ok := l.Settings.Severity[rule]; ok {
		sev = own
	}
	if sev == Off {
		return
	}
	l.out = append(l.out, Finding{
		ID: l.s.ID, Rule: rule, Severity: sev, Message: fmt.Sprintf(format, args...),
		Path: l.s.Doc.Path(), Line: line, Next: step,
	})
}

// line is where a key of the front matter stands.
func (l *linter) line(key string) int { return l.s.Doc.KeyLine(key) }

// edit mends what only a person can.
func (l *linter) edit() next.Step { return next.Edit.On(l.s.ID) }

// open reports whether there is something left to do.
func (l *linter) open() bool { return open(l.s) }

func open(s *spec.Spec) bool { return s.Status != spec.Completed && s.Status != spec.Cancelled }
