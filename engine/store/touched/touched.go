package touched

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/store"
	"chant/gitops"
)

// Kind says what a touched file is.
type Kind string

// The kinds of what can be touched.
const (
	Settings  Kind = "settings"
	Prompt    Kind = "prompt"
	Provider  Kind = "provider"
	Template  Kind = "template"
	Schema    Kind = "schema"
	Key       Kind = "key"       // a public key that signatures are trusted by
	Protected Kind = "protected" // a file that the settings, or the spec, protect
	Weakened  Kind = "weakened"  // a spec that requires less
	Completed Kind = "completed" // a spec that became completed
	Sources   Kind = "sources"   // a spec that names fewer files, whose drift is then not reported
	Outward   Kind = "outward"   // a link that leads out of the repository, or into a folder of git or of chant
	Program   Kind = "program"   // a file that other programs run or trust
)

// Thing is one of the things that are touched.
type Thing struct {
	Kind Kind
	Path string // of the file
	How  string // "added", "changed" or "deleted"
	Of   string // the path that the change is about, if it is another one
	More string // what a spec no longer requires, what leads to the file, or where a link leads
}

// String describes the thing: `Makefile, which is protected, was changed`.
func (t Thing) String() string {
	switch t.Kind {
	case Protected:
		what := t.Path + " is protected"
		if t.Of != "" {
			what = fmt.Sprintf("%s decides about %s, which is protected,", t.Path, spec.Echo(t.Of))
		}
		if t.More != "" {
			what = strings.TrimSuffix(what, ",") + ", since " + t.More + " leads to it,"
		}
		return fmt.Sprintf("%s and was %s", what, t.How)
	case Outward:
		if t.Of != t.Path {
			return fmt.Sprintf("%s was %s, so that %s is a link that %s", t.Path, t.How, spec.Echo(t.Of), spec.Echo(t.More))
		}
		return fmt.Sprintf("%s is a link that %s", t.Path, spec.Echo(t.More))
	case Program:
		return fmt.Sprintf("%s was %s: %s", t.Path, t.How, t.More)
	case Weakened:
		return fmt.Sprintf("%s requires less: %s", t.Path, t.More)
	case Completed:
		return t.Path + " was set to completed"
	case Sources:
		return fmt.Sprintf("%s no longer names %s, whose drift is then not reported", t.Path, t.More)
	}
	return fmt.Sprintf("%s was %s", t.Path, t.How)
}

// Commits reads the specs and files of commits.
type Commits struct {
	Repo  *gitops.Repo
	Store *store.Store

	folder string // of the project, where Repo is seen from its top
}

// Changes lists what differs between two commits, sorted by path.
func (c Commits) Changes(ctx context.Context, from, to string, rules Rules) ([]Thing, error) {
	c, rules = c.whole(rules)
	list, err := c.changes(ctx, from, to, rules)
	return c.seen(list), err
}

// whole returns commits that are read by the paths from their top, on which links and attributes work, and rules for these
// paths.
func (c Commits) whole(rules Rules) (Commits, Rules) {
	folder := c.Repo.Folder()
	c.Repo = c.Repo.Whole()
	if c.folder = folder; folder == "" {
		return c, rules
	}
	protect := make([]string, len(rules.Protect))
	for i, glob := range rules.Protect {
		protect[i] = path.Join(folder, glob)
	}
	rules.Protect = protect
	lent := make(map[string]string, len(rules.Lent))
	for file, setting := range rules.Lent {
		lent[path.Join(folder, file)] = setting
	}
	rules.Lent = lent
	return c, rules
}

// seen has the paths of things as the project sees them.
func (c Commits) seen(list []Thing) []Thing {
	if c.folder == "" {
		return list
	}
	for i := range list {
		list[i].Path, list[i].Of = c.own(list[i].Path), c.own(list[i].Of)
	}
	return list
}

// own returns a path from the top as the project sees it.
func (c Commits) own(file string) string { return gitops.RelativeTo(c.folder, file) }

func (c Commits) changes(ctx context.Context, from, to string, rules Rules) ([]Thing, error) {
	diff, err := c.Repo.Diff(ctx, from, to)
	if err != nil || len(diff) == 0 {
		return nil, err
	}
	var out []Thing
	for _, ch := range diff {
		if id, isSpec := store.SpecOf(c.own(ch.Path)); isSpec {
			things, err := c.spec(ctx, from, to, id)
			if err != nil {
				return nil, err
			}
			out = append(out, things...)
		} else if kind := KindOf(ch.Path, nil); kind != "" {
			out = append(out, Thing{Kind: kind, Path: ch.Path, How: DescribeStatus(ch.Status)})
		}
	}
	guarded, err := c.guarded(ctx, from, to, diff, rules)
	if err != nil {
		return nil, err
	}
	programs, err := c.programs(ctx, from, to, diff)
	if err != nil {
		return nil, err
	}
	out = append(out, guarded...)
	// A file that is named already has a weightier reason.
	for _, t := range programs {
		if !slices.ContainsFunc(out, func(o Thing) bool { return o.Path == t.Path }) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b Thing) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// spec compares the versions of a spec in two commits. One that cannot be read, or is missing, requires nothing.
func (c Commits) spec(ctx context.Context, from, to, id string) ([]Thing, error) {
	at := path.Join(c.folder, store.SpecPath(id))
	now, err := c.readSpec(ctx, to, id)
	if err != nil {
		return nil, err
	}
	was, err := c.readSpec(ctx, from, id)
	if err != nil {
		return nil, err
	}
	var out []Thing
	if now != nil && now.Status == spec.Completed && (was == nil || was.Status != spec.Completed) {
		out = append(out, Thing{Kind: Completed, Path: at, How: "changed"})
	}
	if was != nil && now != nil {
		if less := spec.WeakenedChecks(was, now); len(less) > 0 {
			out = append(out, Thing{Kind: Weakened, Path: at, How: "changed", More: strings.Join(less, "; ")})
		}
		if less := DroppedFiles(was, now); len(less) > 0 {
			out = append(out, Thing{Kind: Sources, Path: at, How: "changed", More: strings.Join(less, ", ")})
		}
	}
	return out, nil
}

// DroppedFiles lists the files that a spec named, and no longer does: drift compares those that it names.
func DroppedFiles(was, now *spec.File) []string {
	var out []string
	for _, lists := range [][2]spec.StringList{
		{was.Fields.Tracks, now.Fields.Tracks}, {was.Fields.Origin, now.Fields.Origin},
		{was.Fields.InformedBy, now.Fields.InformedBy}, {was.Fields.TargetFiles, now.Fields.TargetFiles},
	} {
		for _, file := range lists[0] {
			if !slices.Contains(lists[1], file) {
				out = append(out, spec.Echo(file))
			}
		}
	}
	return out
}

// readSpec reads a spec, nil if it is not there or cannot be read, which lint reports.
func (c Commits) readSpec(ctx context.Context, commit, id string) (*spec.File, error) {
	src, err := c.Repo.ReadFile(ctx, commit, path.Join(c.folder, store.SpecPath(id)))
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, err := spec.Parse(id, store.SpecPath(id), src)
	// lint reports a spec that cannot be read; here it requires nothing.
	if err != nil {
		return nil, nil
	}
	return s, nil
}

// KindOf returns what a file is, "" for specs, for state that is no rule, and for all other files.
func KindOf(file string, protect []string) Kind {
	top, below, inside := strings.Cut(InProject(file), "/")
	// On some systems another spelling of .chant is the same folder.
	if inside && Fold(top) == store.Dir {
		return kindBelow(Fold(below))
	}
	if Protects(protect, file) {
		return Protected
	}
	return ""
}

// Protects reports whether globs protect a file, one that is the same file on some system, or one with a name that a glob
// spells out and that a tool would no longer read beside it.
func Protects(protect []string, file string) bool {
	return matches(protect, file) || slices.ContainsFunc(NewNames(literals(protect)).ShadowedBy(file), func(s Shadowed) bool { return matches(protect, s.File) })
}

// matches reports whether globs match a file, or one that is the same file on some system.
func matches(protect []string, file string) bool {
	// A system that compares names otherwise writes one file over the other.
	same := Fold(file)
	return slices.ContainsFunc(protect, func(glob string) bool {
		return fileset.Match(glob, file) || fileset.Match(foldedGlob(glob), same)
	})
}

// literals returns the globs that are paths. Such a file counts as there although no commit has it: git may ignore it, and a
// worktree gets a copy.
func literals(protect []string) []string {
	var out []string
	for _, glob := range protect {
		if clean := strings.TrimPrefix(strings.TrimSpace(glob), "./"); !strings.ContainsAny(clean, `*?[{\`) {
			out = append(out, path.Clean(clean))
		}
	}
	return out
}

// foldedGlob is Fold for a glob, whose escapes stay.
func foldedGlob(glob string) string {
	// Folding would take escapes for separators, and colons for streams.
	if strings.ContainsAny(glob, `\:`) {
		return strings.ToLower(glob)
	}
	return Fold(glob)
}

// kindBelow is KindOf below .chant.
func kindBelow(file string) Kind {
	folder, _, _ := strings.Cut(strings.ToLower(file), "/")
	switch folder {
	// These are judged by other rules, or are state that decides nothing.
	case "specs", "archive", "sprints", "logs", "worktrees", "store", ".gitignore":
		return ""
	case "prompts":
		return Prompt
	case "providers":
		return Provider
	case "templates":
		return Template
	case "schemas":
		return Schema
	case "keys":
		return Key
	}
	return Settings
}

// DescribeStatus describes a change by its status in a diff.
func DescribeStatus(status byte) string {
	switch status {
	case 'A':
		return "added"
	case 'D':
		return "deleted"
	}
	return "changed"
}
