package touched

import (
	"context"
	"path"
	"slices"
	"strings"

	"chant/engine/spec/fileset"
	"chant/gitops"
)

// Rules say which files are protected.
type Rules struct {
	Protect []string // globs of the settings and of the spec
	Led     Led      // what the settings of a checkout lead to

	// Lent are the ignored paths of the checkout of which worktrees get copies or links, each with the setting that names it. A
	// branch must not have files there.
	Lent map[string]string
}

// RulesAt returns the rules for changes of a commit: what globs protect, and what the settings of git and the hooks of the
// person's checkout lead to, as they are in that commit.
func (c Commits) RulesAt(ctx context.Context, commit string, protect []string) (Rules, error) {
	// A landing writes files in the checkout and moves its branch, and git would then run the newer version of them.
	leads, err := c.Repo.Leads(ctx)
	if err != nil {
		return Rules{}, err
	}
	// By paths from the top, where git and hooks start.
	c, _ = c.whole(Rules{})
	led, err := c.FindLed(ctx, commit, c.Repo.Home(), leads)
	return Rules{Protect: protect, Led: led}, err
}

// protects reports whether a path is protected, and what leads to it if no glob does.
func (r Rules) protects(file string) (more string, protected bool) {
	if matches(r.Protect, file) {
		return "", true
	}
	return r.Led.Find(file)
}

// protectsBelow returns the glob that may protect something below a folder, and what leads there if no glob does.
func (r Rules) protectsBelow(folder string) (what, more string, protected bool) {
	for _, glob := range r.Protect {
		if fileset.Overlap([]string{foldedGlob(glob), glob}, []string{Fold(folder), folder}) {
			return glob, "", true
		}
	}
	more, protected = r.Led.FindBelow(folder)
	return folder, more, protected
}

func (r Rules) isEmpty() bool { return len(r.Protect) == 0 && r.Led.isEmpty() }

// Guarded lists the changes of protected files between two commits, as a checkout of each would write them and as paths
// reach them, and the links that newly lead where no link may lead.
func (c Commits) Guarded(ctx context.Context, from, to string, rules Rules) ([]Thing, error) {
	c, rules = c.whole(rules)
	diff, err := c.Repo.Diff(ctx, from, to)
	if err != nil {
		return nil, err
	}
	list, err := c.guarded(ctx, from, to, diff, rules)
	return c.seen(list), err
}

func (c Commits) guarded(ctx context.Context, from, to string, diff []gitops.Change, rules Rules) ([]Thing, error) {
	linked := slices.ContainsFunc(diff, func(ch gitops.Change) bool { return ch.Link || ch.WasLink })
	attributes := slices.ContainsFunc(diff, func(ch gitops.Change) bool { return Fold(path.Base(ch.Path)) == gitops.AttributesFile })
	// A link or an attribute can matter without any rule; nothing else can.
	if len(diff) == 0 || rules.isEmpty() && len(rules.Lent) == 0 && !linked && !attributes {
		return nil, nil
	}
	g := comparison{c: c, from: from, to: to, diff: diff, rules: rules}
	var err error
	if g.was, g.wasFolded, err = c.links(ctx, from); err != nil {
		return nil, err
	}
	if g.now, g.nowFolded, err = c.links(ctx, to); err != nil {
		return nil, err
	}
	out := g.changed()
	for _, t := range g.lent() {
		if !slices.ContainsFunc(out, func(o Thing) bool { return o.Path == t.Path }) {
			out = append(out, t)
		}
	}
	// Both readings count, since others check the commit out on systems that fold names.
	if linked {
		found := outwardLinks(diff, g.was, g.now)
		for _, t := range outwardLinks(diff, g.wasFolded, g.nowFolded) {
			if !slices.ContainsFunc(found, func(o Thing) bool { return o.Of == t.Of }) {
				found = append(found, t)
			}
		}
		out = append(out, found...)
	}
	if attributes {
		more, err := g.attributeChanges(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// comparison compares the protected files of two commits.
type comparison struct {
	c                    Commits
	from, to             string
	diff                 []gitops.Change
	rules                Rules
	was, wasFolded       *tree
	now, nowFolded       *tree
	reach                reach
	reachWas, reachIsNow reach
	names                Names // that a file could take the place of
}

// changed lists the changes of protected files, by whatever path they are reached.
func (g *comparison) changed() []Thing {
	if g.rules.isEmpty() {
		return nil
	}
	g.reachWas, g.reachIsNow = reachIn(g.was, g.wasFolded), reachIn(g.now, g.nowFolded)
	// A file that was reached before, or is reached now, is protected either way: removing the link also changes its
	// content.
	g.reach = distinct(slices.Concat(g.reachWas, g.reachIsNow))
	g.names = g.allNames()
	var out []Thing
	for _, ch := range g.diff {
		if t, found := g.changeOf(ch); found {
			out = append(out, t)
		}
	}
	return out
}

// allNames returns the names that a file could take the place of: of all files and links, and of files that need not be there.
func (g *comparison) allNames() Names {
	var added []string
	for _, ch := range g.diff {
		added = append(added, ch.Path)
	}
	return NewNames(g.was.files, g.was.paths, added, literals(g.rules.Protect), g.rules.Led.modules())
}

// protects reports whether a path is protected or takes the place of one that is, which one, and what leads to it if no glob
// does.
func (g *comparison) protects(file string) (of, more string, protected bool) {
	if more, protected = g.rules.protects(file); protected {
		return file, more, true
	}
	return g.protectsAny(g.names.ShadowedBy(file))
}

// protectsKnown is protects for a file that was there before. Code had taken the place of other code already; what settings say
// counts beside others, as .npmrc does beside package.json, or instead of them.
func (g *comparison) protectsKnown(file string) (of, more string, protected bool) {
	if more, protected = g.rules.protects(file); protected {
		return file, more, true
	}
	return g.protectsAny(slices.DeleteFunc(g.names.ShadowedBy(file), func(s Shadowed) bool { return !s.Settings }))
}

// isCompiled reports whether a file is what a program has made of a source, which it has to agree with.
func isCompiled(file string) bool {
	return slices.Contains([]string{".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib", ".pmc", ".elc", ".zwc", ".gch", ".class", ".o", ".a"}, path.Ext(file))
}

// protectsAny returns the first of some files that is protected, and what leads to it if no glob does.
func (g *comparison) protectsAny(files []Shadowed) (of, more string, protected bool) {
	for _, s := range files {
		// It may be protected by another path that leads to it.
		names, _ := g.reach.names(s.File)
		for _, name := range names {
			if more, protected = g.rules.protects(name); protected {
				return name, more, true
			}
		}
	}
	return "", "", false
}

// protectsContent is protects for a submodule, whose commit may have any file.
func (g *comparison) protectsContent(folder string) (of, more string, protected bool) {
	if of, more, protected = g.rules.protectsBelow(folder); protected {
		return of, more, true
	}
	return g.protectsAny(g.names.ShadowedBelow(folder))
}

// reachIn returns where the links of a commit lead on any system.
func reachIn(exact, folded *tree) reach {
	one, _ := exact.followAll()
	other, _ := folded.followAll()
	return distinct(slices.Concat(one, other))
}

func distinct(r reach) reach {
	slices.SortFunc(r, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(r)
}

// changeOf returns the change of a protected file that a change is: of the file itself, or of one that is reached by another
// path through it. What is in .chant has kinds of its own.
func (g *comparison) changeOf(ch gitops.Change) (Thing, bool) {
	t := Thing{Kind: Protected, Path: ch.Path, How: DescribeStatus(ch.Status)}
	// Files of .chant have kinds of their own.
	if InChant(ch.Path) {
		return t, false
	}
	files := []string{ch.Path}
	steps := maxSteps
	// A system that folds names may write a file through a link of another spelling.
	for _, view := range []*tree{g.wasFolded, g.nowFolded} {
		if to, fault := view.follow(ch.Path, &steps); fault == "" && to != "" {
			files = append(files, to)
		}
	}
	protects := g.protects
	if ch.Status == 'M' && !ch.Link && !ch.WasLink && !isCompiled(ch.Path) {
		protects = g.protectsKnown
	}
	for _, file := range files {
		names, _ := g.reach.names(file)
		if g.nameProtected(&t, names, protects) || (ch.Gitlink || ch.WasGitlink) && g.nameProtected(&t, names, g.protectsContent) {
			return t, true
		}
	}
	return t, (ch.Link || ch.WasLink) && g.completeMoved(&t)
}

// nameProtected completes a thing with the first of some paths that is protected.
func (g *comparison) nameProtected(t *Thing, names []string, protects func(string) (of, more string, protected bool)) bool {
	for _, name := range names {
		if of, why, yes := protects(name); yes {
			if t.More = why; of != t.Path {
				t.Of = of
			}
			return true
		}
	}
	return false
}

// completeMoved completes the thing of a link with the first protected path that now leads to another file than before, or that
// there was not before.
func (g *comparison) completeMoved(t *Thing) bool {
	for _, side := range []struct {
		leads reach
		files []string
	}{{g.reachWas, g.was.files}, {g.reachIsNow, g.now.files}} {
		for _, l := range side.leads {
			if l[0] != t.Path {
				continue
			}
			for _, file := range side.files {
				if l[1] != "" && file != l[1] && !strings.HasPrefix(file, l[1]+"/") {
					continue
				}
				// A name that leads to the file before and after is not changed by the link.
				before, tooMany := g.reachWas.names(file)
				after, more := g.reachIsNow.names(file)
				// More names than can be compared count as a change, unless it was so before.
				if more && !tooMany {
					t.Of, t.More = file, "one of more paths than chant follows"
					return true
				}
				differ := slices.DeleteFunc(slices.Concat(before, after), func(name string) bool {
					return slices.Contains(before, name) && slices.Contains(after, name)
				})
				if g.nameProtected(t, differ, g.protects) {
					return true
				}
			}
		}
	}
	return false
}

// attributeChanges lists the changes of attributes by which a checkout would write a protected file, or one of .chant, in another
// way.
func (g *comparison) attributeChanges(ctx context.Context) ([]Thing, error) {
	guards := func(file string) bool {
		_, _, yes := g.protects(file)
		return yes || InChant(file)
	}
	seen := map[string]bool{}
	var files []string
	// A file that only one side has can be written differently as well, so both lists are asked about.
	for _, file := range slices.Concat(g.was.files, g.now.files) {
		if !seen[file] && guards(file) {
			files = append(files, file)
		}
		seen[file] = true
	}
	before, err := g.c.Repo.Attributes(ctx, g.from, files)
	if err != nil {
		return nil, err
	}
	after, err := g.c.Repo.Attributes(ctx, g.to, files)
	if err != nil {
		return nil, err
	}
	var out []Thing
	for _, ch := range g.diff {
		if Fold(path.Base(ch.Path)) != gitops.AttributesFile {
			continue
		}
		// Under another spelling, or as a link, only some systems and versions of git read it: then anything could be in it.
		odd := path.Base(ch.Path) != gitops.AttributesFile || ch.Link
		dir := Fold(path.Dir(ch.Path))
		for _, file := range files {
			if dir != "." && !strings.HasPrefix(Fold(file), dir+"/") || !odd && before[file] == after[file] {
				continue
			}
			_, more, _ := g.protects(file)
			if InChant(file) {
				more = "chant, which reads it,"
			}
			out = append(out, Thing{Kind: Protected, Path: ch.Path, How: DescribeStatus(ch.Status), Of: file, More: strings.TrimSuffix(more, ",")})
			break // the first one shows what the change does
		}
	}
	return out, nil
}
