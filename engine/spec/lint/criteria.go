package lint

import (
	"slices"
	"strconv"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/next"
)

// needsCriteria reports whether the spec should have criteria: it is neither archived nor a container.
func (l *linter) needsCriteria() bool { return !l.s.Archived && !l.Graph.Container(l.s.ID) }

func (l *linter) checkCriteria() {
	write := next.ByHand(`add a "## Acceptance Criteria" list with "- [ ]" items`).See(next.Guide.On("specs"))
	switch {
	case !l.needsCriteria() || !l.isOpen() || l.s.Adopted() != nil || len(spec.Criteria(l.s.Doc)) > 0 || l.heldOut:
	case l.Settings.Commands || len(l.s.Checks().Commands) > 0:
		l.report("criteria", 1, write, "spec has no acceptance criteria: nothing says when it is done")
	case l.Settings.Require:
		l.reportAs(Error, "criteria", 1, write, "nothing to verify: the spec has no criterion and no command, and verify.require keeps it from landing")
	default:
		l.report("criteria", 1, write, "nothing to verify: the spec has no criterion and no command, so any work lands")
	}
}

// checkReadable reports held-out criteria that agents can read in a commit.
func (l *linter) checkReadable() {
	if l.readable != "" && l.isOpen() {
		l.report("held_out", 1, next.Edit.On(l.s.ID), "the held-out criteria hide nothing: readable: commit %.7s", l.readable)
	}
}

// checkGuards reports numbers of guards that no criterion has.
func (l *linter) checkGuards() {
	n := len(l.s.Criteria())
	for _, guard := range l.s.Fields.Guards {
		if at, err := strconv.Atoi(guard); err == nil && at > n {
			l.report("guards", 1, next.Edit.On(l.s.ID), "guards names criterion %d, and the spec has %d", at, n)
		}
	}
}

// checkRedFor checks that tests that must fail can land: with a spec that depends on them, and has their commands as its own.
func (l *linter) checkRedFor() {
	green := l.s.Fields.RedFor
	if green == "" || !l.isOpen() {
		return
	}
	report := func(format string, args ...any) {
		l.reportAs(Error, "red_for", l.keyLine("red_for"), l.editStep(), "red_for: "+format, args...)
	}
	other := l.Graph.Spec(green)
	switch {
	case other == nil:
		report("there is no spec %q", green)
		return
	case !slices.Contains(other.Fields.DependsOn, l.s.ID):
		report("%q does not depend on this spec, and would begin without its tests", green)
	case other.Fields.RedFor != "":
		report("%q has tests that must fail as well", green)
	}
	for _, dep := range other.Fields.DependsOn {
		if third := l.Graph.Spec(dep); third != nil && third.ID != l.s.ID && third.Fields.RedFor == green {
			report("%q writes tests for %q already", dep, green)
		}
	}
	var own []string
	for _, c := range l.s.Criteria() {
		if c.Runs() && !l.s.Fields.Guards.Covers(c.Number) {
			own = append(own, c.Commands...)
		}
	}
	if len(own) == 0 {
		report("no criterion has a command that must fail")
	}
	if l.World.Other == nil {
		return
	}
	if file := l.World.Other(green); file != nil {
		for _, command := range own {
			if !slices.ContainsFunc(file.Criteria(), func(c spec.Criterion) bool { return slices.Contains(c.Commands, command) }) {
				report("%q has no criterion with `$ %s`, which it has to make pass", green, command)
			}
		}
	}
}

// checkOpenCriteria reports unticked boxes while no run is at work on the spec.
func (l *linter) checkOpenCriteria() {
	if l.s.Archived {
		return
	}
	all := l.s.Criteria()
	unmet := slices.DeleteFunc(slices.Clone(all), func(c spec.Criterion) bool { return c.Checked })
	switch driver := l.Graph.Container(l.s.ID); {
	case len(unmet) == 0:
	// Of a driver that could be completed, the first open box is what remains to be done.
	case driver && l.Graph.OpenDriver(l.s.ID):
		c := unmet[0]
		l.report("open_criterion", c.Line, l.s.DriverNext(), "all members are done, but criterion %d is open: %s", c.Number, spec.Echo(c.Text))
	case driver && l.s.Status != spec.Completed:
	case l.s.Status == spec.Completed:
		for _, c := range unmet {
			l.report("open_criterion", c.Line, next.Verify.On(l.s.ID), "completed, but criterion %d is open: %s", c.Number, spec.Echo(c.Text))
		}
	// A spec with a run is still being worked, so open boxes are normal.
	case l.s.Status == spec.InProgress && l.s.Branch == "":
		l.report("open_criterion", unmet[0].Line, next.Work.On(l.s.ID), "in progress without a run, and %d of %d criteria are open", len(unmet), len(all))
	}
}

// checkEmptyCommands reports criteria with an empty command.
func (l *linter) checkEmptyCommands() {
	if !l.isOpen() {
		return
	}
	for _, c := range spec.Criteria(l.s.Doc) {
		if slices.Contains(c.Commands, "") {
			l.report("empty_command", c.Line, l.editStep(), "criterion %d has an empty command: nothing follows the \"$\"", c.Number)
		}
	}
}

// checkVerbs reports criteria that name a thing without a statement about it.
func (l *linter) checkVerbs() {
	if !l.isOpen() {
		return
	}
	for _, c := range spec.Criteria(l.s.Doc) {
		// A command says what is true, whatever the words around it are.
		if !c.Runs() && lacksVerb(c.Text) {
			l.report("criterion_verb", c.Line, l.editStep(), "criterion %d names a thing but makes no statement about it: %s", c.Number, spec.Echo(c.Text))
		}
	}
}

func (l *linter) checkDuplicateCriteria() {
	if !l.isOpen() {
		return
	}
	first := map[string]int{}
	for _, c := range spec.Criteria(l.s.Doc) {
		text := strings.ToLower(spec.OneLine(c.Text))
		if n, twice := first[text]; twice {
			l.report("duplicate_criterion", c.Line, l.editStep(), "criterion %d says the same as criterion %d", c.Number, n)
			continue
		}
		first[text] = c.Number
	}
}

// checkBoxes reports lines that look like criteria but are not.
func (l *linter) checkBoxes() {
	if !l.isOpen() {
		return
	}
	for _, b := range lostBoxes(l.s.Doc) {
		l.report("box", b.Number, next.Lint.On().Flag("fix").Arg(l.s.ID), "looks like a criterion and does not count: %s", spec.Echo(strings.TrimSpace(b.Text)))
	}
	for _, b := range boxlessItems(l.s.Doc) {
		step := next.ByHand("write \"- [ ]\" before a criterion, and anything else outside of the list")
		if b.fixed {
			step = next.Lint.On().Flag("fix").Arg(l.s.ID)
		}
		l.report("box", b.line, step, "has no box and does not count: %s", spec.Echo(b.text))
	}
}
