package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Severity says whether a finding stops work.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Finding is one thing lint has to say about a spec.
type Finding struct {
	ID       string   `json:"spec_id"`
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	Hint     string   `json:"suggestion,omitempty"`
}

// Lint checks one spec against the rules, in the light of all others.
func Lint(g *Graph, s *Spec) []Finding {
	l := linter{g: g, s: s}
	l.title()
	l.kind()
	l.dependencies()
	l.criteria()
	l.approval()
	l.priority()
	return l.out
}

type linter struct {
	g   *Graph
	s   *Spec
	out []Finding
}

func (l *linter) add(rule string, sev Severity, line int, hint, format string, args ...any) {
	l.out = append(l.out, Finding{
		ID: l.s.ID, Rule: rule, Severity: sev, Message: fmt.Sprintf(format, args...),
		Path: l.s.Doc.Path(), Line: line, Hint: hint,
	})
}

func (l *linter) title() {
	if l.s.Title == "" {
		l.add("title", Error, 1, "add a line that begins with \"# \"", "spec has no title")
	}
}

func (l *linter) kind() {
	if t := l.s.Fields.Type; !slices.Contains(Types(), t) {
		l.add("type", Warning, keyLine(l.s.Doc, "type"), "", "unknown type %q is treated as code", t)
	}
	if err := ValidName(l.s.ID); err != nil {
		l.add("id", Error, 1, "rename the file", "%s", err)
	}
}

func (l *linter) dependencies() {
	line := keyLine(l.s.Doc, "depends_on")
	sev := Error
	if l.s.Status == Completed || l.s.Status == Cancelled {
		sev = Warning // nobody waits any longer
	}
	for _, dep := range l.s.Fields.DependsOn {
		if l.g.Spec(dep) == nil && !l.g.Archived(dep) {
			l.add("dependency", sev, line, "chant edit "+l.s.ID, "depends on %q, which does not exist", dep)
		}
	}
	for _, m := range l.s.Fields.Members {
		if l.g.Spec(m) == nil && !l.g.Archived(m) {
			l.add("member", sev, keyLine(l.s.Doc, "members"), "chant edit "+l.s.ID, "has a member %q, which does not exist", m)
		}
	}
	if n, ok := l.g.inCycle[l.s.ID]; ok {
		l.add("cycle", Error, line, "chant edit "+l.s.ID, "waits for itself: %s", strings.Join(l.g.cycles[n], " -> "))
	}
}

func (l *linter) criteria() {
	if l.s.Archived || l.g.Container(l.s.ID) {
		return
	}
	all := Criteria(l.s.Doc)
	if len(all) == 0 && l.s.Status != Completed && l.s.Status != Cancelled {
		l.add("criteria", Warning, 1, "add a \"## Acceptance Criteria\" list with \"- [ ]\" items", "spec has no acceptance criteria: nothing says when it is done")
	}
	if l.s.Status != Completed {
		return
	}
	for _, c := range all {
		if !c.Checked {
			l.add("open-criterion", Warning, c.Line, "chant verify "+l.s.ID, "completed, but criterion %d is open: %s", c.Number, c.Text)
		}
	}
}

func (l *linter) approval() {
	a := l.s.Fields.Approval
	if a == nil {
		return
	}
	line := keyLine(l.s.Doc, "approval")
	switch a.Status {
	case "", "pending":
		if a.By != "" {
			l.add("approval", Warning, line, "", "approval names %q but is pending", a.By)
		}
	case "approved", "rejected":
		if a.By == "" || a.At == "" {
			l.add("approval", Error, line, "", "approval is %s but does not say by whom and when", a.Status)
		}
	default:
		l.add("approval", Error, line, "", "unknown approval status %q (one of pending, approved, rejected)", a.Status)
	}
}

func (l *linter) priority() {
	p := l.s.Fields.Priority
	if _, ok := p.Level(); !ok {
		l.add("priority", Error, keyLine(l.s.Doc, "priority"), "chant edit "+l.s.ID,
			"unknown priority %q (critical, high, medium, low, or a whole number from 0, the most urgent)", p)
	}
}
