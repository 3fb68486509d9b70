package lint

import (
	"strings"

	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
)

// known reports whether a spec exists, put away or not.
func (l *linter) known(id string) bool { return l.Graph.Spec(id) != nil || l.Graph.Archived(id) }

func (l *linter) dependencies() {
	sev := l.Settings.usual("dependency")
	if !l.open() {
		sev = Warning // no one waits any longer
	}
	for _, dep := range l.s.Fields.DependsOn {
		if !l.known(dep) {
			l.findAs(sev, "dependency", l.line("depends_on"), l.edit(), "depends on %q, which does not exist", dep)
		}
	}
}

func (l *linter) members() {
	for _, m := range l.s.Fields.Members {
		if !l.known(m) {
			l.find("member", l.line("members"), l.edit(), "has a member %q, which does not exist", m)
		}
	}
}

func (l *linter) cycle() {
	if path := l.Graph.CycleOf(l.s.ID); path != nil {
		l.find("cycle", l.line("depends_on"), l.edit(), "waits for itself: %s", strings.Join(path, " -> "))
	}
}

// driver finds drivers that hold nothing.
func (l *linter) driver() {
	if l.s.Fields.Type.Container() && l.open() && len(l.Graph.Members(l.s.ID)) == 0 && len(l.s.Fields.Members) == 0 {
		l.find("driver", l.line("type"), next.Add.On().Set("group", l.s.ID), "%s has no members", l.s.Fields.Type)
	}
}

// entries finds entries that mean no path, so that nothing is ever told of them.
func (l *linter) entries() {
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
				l.find("entry", l.line(list.key), l.edit(), "%s: %q %s, so it means no file", list.key, entry, fault)
			}
		}
	}
}

func (l *linter) documentation() {
	if l.s.Fields.Type != spec.Documentation || l.s.Status == spec.Cancelled {
		return
	}
	if len(l.s.Fields.Tracks) == 0 {
		l.find("documentation", l.line("type"), l.edit(), "documentation names no files that it tracks: changes of them go unnoticed")
	}
	if len(l.s.Fields.TargetFiles) == 0 {
		l.find("documentation", l.line("type"), l.edit(), "documentation names no target_files")
	}
}

func (l *linter) research() {
	f := l.s.Fields
	if f.Type != spec.Research || l.s.Status == spec.Cancelled {
		return
	}
	if len(f.InformedBy) == 0 && len(f.Origin) == 0 {
		l.find("research", l.line("type"), l.edit(), "research names neither informed_by nor origin: nothing says what it starts from")
	}
	if len(f.TargetFiles) == 0 {
		l.find("research", l.line("type"), l.edit(), "research names no target_files: nothing says where the answer goes")
	}
}
