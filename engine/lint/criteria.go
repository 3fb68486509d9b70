package lint

import (
	"slices"
	"strings"

	"chant/engine/next"
	"chant/engine/spec"
)

// judged reports whether the spec is one that criteria are asked of.
func (l *linter) judged() bool { return !l.s.Archived && !l.Graph.Container(l.s.ID) }

func (l *linter) criteria() {
	write := next.ByHand(`add a "## Acceptance Criteria" list with "- [ ]" items`).See(next.Guide.On("specs"))
	switch {
	case !l.judged() || !l.open() || len(spec.Criteria(l.s.Doc)) > 0:
	case l.Settings.Commands || len(l.s.Checks().Commands) > 0:
		l.find("criteria", 1, write, "spec has no acceptance criteria: nothing says when it is done")
	case l.Settings.Require:
		l.findAs(Error, "criteria", 1, write, "nothing to verify: the spec has no criterion and no command, and verify.require keeps it from landing")
	default:
		l.find("criteria", 1, write, "nothing to verify: the spec has no criterion and no command, so any work lands")
	}
}

// openCriteria finds open boxes where no work goes on that would close them.
func (l *linter) openCriteria() {
	if l.s.Archived {
		return
	}
	all := spec.Criteria(l.s.Doc)
	unmet := slices.DeleteFunc(slices.Clone(all), func(c spec.Criterion) bool { return c.Checked })
	switch driver := l.Graph.Container(l.s.ID); {
	case len(unmet) == 0:
	case driver && l.Graph.OpenDriver(l.s.ID):
		c := unmet[0]
		l.find("open_criterion", c.Line, l.s.DriverNext(), "all members are done, but criterion %d is open: %s", c.Number, spec.Echo(c.Text))
	case driver && l.s.Status != spec.Completed:
	case l.s.Status == spec.Completed:
		for _, c := range unmet {
			l.find("open_criterion", c.Line, next.Verify.On(l.s.ID), "completed, but criterion %d is open: %s", c.Number, spec.Echo(c.Text))
		}
	case l.s.Status == spec.InProgress && l.s.Branch == "":
		l.find("open_criterion", unmet[0].Line, next.Work.On(l.s.ID), "in progress without a run, and %d of %d criteria are open", len(unmet), len(all))
	}
}

// emptyCommands finds criteria that end in a command which says nothing.
func (l *linter) emptyCommands() {
	if !l.open() {
		return
	}
	for _, c := range spec.Criteria(l.s.Doc) {
		if slices.Contains(c.Commands, "") {
			l.find("empty_command", c.Line, l.edit(), "criterion %d ends in a command that says nothing to run", c.Number)
		}
	}
}

// verbs finds criteria that name a thing and do not say what is to be of it.
func (l *linter) verbs() {
	if !l.open() {
		return
	}
	for _, c := range spec.Criteria(l.s.Doc) {
		if !c.Runs() && verbless(c.Text) {
			l.find("criterion_verb", c.Line, l.edit(), "criterion %d names a thing and does not say what holds of it: %s", c.Number, spec.Echo(c.Text))
		}
	}
}

func (l *linter) duplicates() {
	if !l.open() {
		return
	}
	first := map[string]int{}
	for _, c := range spec.Criteria(l.s.Doc) {
		text := strings.ToLower(spec.OneLine(c.Text))
		if n, twice := first[text]; twice {
			l.find("duplicate_criterion", c.Line, l.edit(), "criterion %d says the same as criterion %d", c.Number, n)
			continue
		}
		first[text] = c.Number
	}
}

// boxes finds lines that look like criteria and are none.
func (l *linter) boxes() {
	if !l.open() {
		return
	}
	for _, b := range lostBoxes(l.s.Doc) {
		l.find("box", b.Number, next.Lint.On().Flag("fix").Arg(l.s.ID), "looks like a criterion and does not count: %s", spec.Echo(strings.TrimSpace(b.Text)))
	}
}
