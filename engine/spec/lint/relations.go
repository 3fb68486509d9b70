package lint

import (
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/spec/next"
)

// exists reports whether a spec exists, archived or not.
func (l *linter) exists(id string) bool { return l.Graph.Spec(id) != nil || l.Graph.Archived(id) }

func (l *linter) checkDependencies() {
	sev := l.Settings.defaultSeverity("dependency")
	if !l.isOpen() {
		sev = Warning // the spec no longer waits for it
	}
	for _, dep := range l.s.Fields.DependsOn {
		if !l.exists(dep) {
			l.reportAs(sev, "dependency", l.keyLine("depends_on"), l.editStep(), "depends on %q, which does not exist", dep)
		}
	}
}

func (l *linter) checkMembers() {
	for _, m := range l.s.Fields.Members {
		if !l.exists(m) {
			l.report("member", l.keyLine("members"), l.editStep(), "has a member %q, which does not exist", m)
		}
	}
}

func (l *linter) checkCycle() {
	if path := l.Graph.CycleOf(l.s.ID); path != nil {
		l.report("cycle", l.keyLine("depends_on"), l.editStep(), "waits for itself: %s", strings.Join(path, " -> "))
	}
}

// checkDriver reports drivers without members.
func (l *linter) checkDriver() {
	if l.s.Fields.Type.Container() && l.isOpen() && len(l.Graph.Members(l.s.ID)) == 0 && len(l.s.Fields.Members) == 0 {
		l.report("driver", l.keyLine("type"), next.Add.On().Set("group", l.s.ID), "%s has no members", l.s.Fields.Type)
	}
}

// checkEntries reports invalid entries, which match no file.
func (l *linter) checkEntries() {
	if l.s.Archived || l.s.Status == spec.Cancelled {
		return
	}
	f := l.s.Fields
	for _, list := range []struct {
		key     string
		entries []string
	}{{"tracks", f.Tracks}, {"origin", f.Origin}, {"informed_by", f.InformedBy}, {"target_files", f.TargetFiles}} {
		for _, entry := range list.entries {
			if fault := fileset.Fault(entry); fault != "" {
				l.report("entry", l.keyLine(list.key), l.editStep(), "%s: %q %s, so it matches no file", list.key, entry, fault)
			}
		}
	}
}

func (l *linter) checkDocumentation() {
	if l.s.Fields.Type != spec.Documentation || l.s.Status == spec.Cancelled {
		return
	}
	if len(l.s.Fields.Tracks) == 0 {
		l.report("documentation", l.keyLine("type"), l.editStep(), "documentation names no files that it tracks: changes of them go unnoticed")
	}
	if len(l.s.Fields.TargetFiles) == 0 {
		l.report("documentation", l.keyLine("type"), l.editStep(), "documentation names no target_files")
	}
}

func (l *linter) checkResearch() {
	f := l.s.Fields
	if f.Type != spec.Research || l.s.Status == spec.Cancelled {
		return
	}
	if len(f.InformedBy) == 0 && len(f.Origin) == 0 {
		l.report("research", l.keyLine("type"), l.editStep(), "research names neither informed_by nor origin: nothing says what it starts from")
	}
	if len(f.TargetFiles) == 0 {
		l.report("research", l.keyLine("type"), l.editStep(), "research names no target_files: nothing says where the answer goes")
	}
}
