package lint

import (
	"cmp"

	"chant/engine/spec/next"
)

// SourceFinding is one problem in a file of a folder that a spec adopts.
type SourceFinding struct {
	Severity Severity // Error or Warning
	Path     string   // from the top of the repository
	Line     int      // 0 if unknown
	Message  string   // as the tool words it whose folder it is
}

// checkSource reports an adopted folder that cannot be read, or that does not say when its work is done.
func (l *linter) checkSource() {
	a := l.s.Adopted()
	switch {
	case a == nil || !l.isOpen():
	case a.Problem != "":
		l.report("source", l.keyLine("source"), l.editStep(), "%s", a.Problem)
	case len(l.s.Criteria()) == 0 && len(l.s.Checks().Commands) == 0:
		write := next.ByHand("write its tasks, or add acceptance criteria to the spec").See(next.Guide.On("feature"))
		l.report("source", l.keyLine("source"), write, "nothing says when %q is done: it has no tasks, checklists, success criteria or scenarios yet", a.Dir)
	}
}

// checkSourceFiles reports what the tool finds whose folder the spec adopts.
func (l *linter) checkSourceFiles() {
	if l.s.Adopted() == nil || !l.isOpen() || l.World.Source == nil {
		return
	}
	for _, f := range l.World.Source(l.s) {
		before := len(l.out)
		l.reportAs(f.Severity, "openspec", cmp.Or(f.Line, 1), next.EditFile(f.Path), "%s", f.Message)
		for i := before; i < len(l.out); i++ {
			l.out[i].Path = f.Path
		}
	}
}
