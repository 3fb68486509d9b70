package weakened

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"chant/engine/code/outline"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/store/touched"
	"chant/gitops"
)

// Limits of what is compared, without generated files. Tests and their settings come first, so that a large change hides none.
const (
	maxFiles = 2000
	maxLines = 20_000 // that were added or removed
)

// Found is what a change of commits weakens.
type Found struct {
	Findings []criteria.Weakened
	Cut      string // what was not compared, as a sentence; "" if everything was
}

// Work is what a change is for, as it was when the change began.
type Work struct {
	Commands []string // that criteria and the set-up of a worktree run
	Targets  []string // the files that the spec is about: entries of target_files
}

// WorkOn returns what the work on a spec is for, by the spec and the settings with which it began.
func WorkOn(start *spec.File, project spec.Checks, setup []string) Work {
	return Work{slices.Concat(criteria.PlanFor(start, start, project).Commands(), setup), start.Fields.TargetFiles}
}

// Between returns what the commits after one up to another weaken, without what is in .chant.
func Between(ctx context.Context, repo *gitops.Repo, from, to string, work Work) (Found, error) {
	diff, err := repo.Diff(ctx, from, to)
	if err != nil {
		return Found{}, err
	}
	if diff = slices.DeleteFunc(diff, func(c gitops.Change) bool { return touched.InChant(c.Path) }); len(diff) == 0 {
		return Found{}, nil
	}
	change := Change{Commands: work.Commands, Targets: work.Targets}
	if change.Replaced, err = readReplaced(ctx, repo, from, to, diff); err != nil {
		return Found{}, err
	}
	diff = slices.DeleteFunc(diff, func(c gitops.Change) bool { return c.Link || c.WasLink || c.Gitlink || c.WasGitlink })
	used := newUsedFiles(work.Commands)
	files, err := repo.Files(ctx, from)
	if err != nil {
		return Found{}, err
	}
	// The list may be one that others read, too.
	files = slices.DeleteFunc(slices.Clone(files), func(f gitops.Entry) bool { return touched.InChant(f.Name) })
	for _, f := range files {
		change.Base = append(change.Base, f.Name)
	}
	var all []ranked
	names, targets := touched.NewNames(change.Base), targetsIn(work.Commands)
	for _, c := range diff {
		all = append(all, ranked{c, rankOf(c, used, names, targets), c.Status == 'A'})
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		if a.rank == b.rank && a.isNew != b.isNew {
			if b.isNew {
				return -1
			}
			return 1
		}
		return a.rank - b.rank
	})
	out, lines := Found{}, 0
	for i, c := range all {
		if i == maxFiles || lines > maxLines {
			out.Cut = fmt.Sprintf("%d of %d changed files were compared for weakened checks (at most %d files and %d lines are)", i, len(all), maxFiles, maxLines)
			if c.rank < uncompared {
				out.Findings = append(out.Findings, criteria.Weakened{Kind: criteria.NotComparable, File: c.Path, Line: 1, After: out.Cut})
			}
			break
		}
		file := File{Path: c.Path}
		if file.Before, err = readSide(ctx, repo, from, c.Change, 'A'); err != nil {
			return Found{}, err
		}
		if file.After, err = readSide(ctx, repo, to, c.Change, 'D'); err != nil {
			return Found{}, err
		}
		if !isOpaque(file.Before) && !isOpaque(file.After) && !isGenerated(file) {
			lines += len(changedLines(string(file.Before), string(file.After))) + len(changedLines(string(file.After), string(file.Before)))
		}
		change.Files = append(change.Files, file)
	}
	change.Files = joinMoved(change.Files)
	if err := change.addKept(ctx, repo, files, diff, used); err != nil {
		return Found{}, err
	}
	found, err := Find(ctx, change)
	out.Findings = append(out.Findings, found...)
	return out, err
}

// ranked is a change and its rank: what is compared first has the lowest one.
type ranked struct {
	gitops.Change
	rank  int
	isNew bool
}

// uncompared is the first rank of files of which no finding is missed where they are left out: code that is new, then data.
const uncompared = 3

// rankOf returns the rank of a change, by its path and those that were there.
func rankOf(c gitops.Change, used usedFiles, names touched.Names, targets []string) int {
	first, _, _ := strings.Cut(c.Path, "/")
	isSource := isCode(outline.Language(c.Path, nil))
	switch {
	case used.run[c.Path]:
		return 0
	case touched.RunsTests(c.Path):
		return 1
	case lockfile.get().MatchString(c.Path), vendored.get().MatchString(c.Path):
		return uncompared + 1
	case groupOfPath(c.Path) != plain:
		return 1
	case isTestPath(c.Path) && (isSource || path.Ext(c.Path) == ""), testFormat.get().MatchString(c.Path):
		return 0
	// New files of these names may hide others.
	case c.Status == 'A' && (hidesStandard(c.Path) || slices.Contains(targets, first) || len(names.ShadowedBy(c.Path)) > 0),
		golden.get().MatchString(c.Path), recorded.get().MatchString(c.Path):
		return 1
	case isSource && c.Status != 'A':
		return 2
	case isSource:
		return uncompared
	}
	return uncompared + 1
}

var (
	lockfile = pattern{text: `(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|[^/]+\.lockb?|packages\.lock\.json)$`}
	vendored = pattern{text: `(?:^|/)(?:vendor|node_modules|third_party)/`}
)

// maxKept limits how many files are read that commands name and that did not change.
const maxKept = 50

// addKept adds the Makefile and the scripts that commands run, if they did not change: they name other files.
func (c *Change) addKept(ctx context.Context, repo *gitops.Repo, files []gitops.Entry, diff []gitops.Change, used usedFiles) error {
	changed := map[string]bool{}
	for _, d := range diff {
		changed[d.Path] = true
	}
	kept := 0
	for _, f := range files {
		if changed[f.Name] || f.Mode != fileMode && f.Mode != programMode || !used.run[f.Name] && !isMakefile(f.Name) || kept == maxKept {
			continue
		}
		text, err := repo.ReadBlob(ctx, f.Hash)
		if err != nil {
			return err
		}
		if !isOpaque(text) {
			c.Files = append(c.Files, File{Path: f.Name, Before: text, After: text})
			kept++
		}
	}
	return nil
}

// Modes of files in git.
const (
	fileMode    = "100644"
	programMode = "100755"
)

// isMakefile reports whether make reads a file that no option names.
func isMakefile(name string) bool { return slices.Contains(makefiles, name) }

// makefiles are in the order in which make looks for them.
var makefiles = []string{"GNUmakefile", "makefile", "Makefile"}

// readReplaced lists the paths that are or were links, submodules or programs, and are new or something else now.
func readReplaced(ctx context.Context, repo *gitops.Repo, from, to string, diff []gitops.Change) ([]Replaced, error) {
	var out []Replaced
	for _, c := range diff {
		r := Replaced{Path: c.Path}
		var err error
		switch {
		case c.LostExecutable:
			r.Was, r.Is = executable, "not executable"
		case !c.Link && !c.WasLink && !c.Gitlink && !c.WasGitlink:
			continue
		case c.Status == 'A':
			// An added link replaces only a folder of its name that the change removed.
			if slices.ContainsFunc(diff, func(d gitops.Change) bool {
				return d.Status == 'D' && strings.HasPrefix(d.Path, c.Path+"/")
			}) {
				r.Was = "a folder"
			}
		default:
			if r.Was, err = describe(ctx, repo, from, c.Path, c.WasLink, c.WasGitlink); err != nil {
				return nil, err
			}
		}
		if r.Is == "" && c.Status != 'D' {
			if r.Is, err = describe(ctx, repo, to, c.Path, c.Link, c.Gitlink); err != nil {
				return nil, err
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// Words of findings.
const (
	executable = "executable"
	submodule  = "a submodule"
)

// describe says what a path of a commit is.
func describe(ctx context.Context, repo *gitops.Repo, rev, file string, link, gitlink bool) (string, error) {
	switch {
	case gitlink:
		return submodule, nil
	case link:
		to, err := repo.ReadLink(ctx, rev, file)
		return "a link to " + to, err
	}
	return "a file", nil
}

// readSide reads a file of a commit, nil if the change has the status with which that commit lacks it.
func readSide(ctx context.Context, repo *gitops.Repo, rev string, c gitops.Change, without byte) ([]byte, error) {
	if c.Status == without {
		return nil, nil
	}
	src, err := repo.ReadFile(ctx, rev, c.Path)
	// A file that has become a folder, or was one.
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if src == nil && err == nil {
		src = []byte{}
	}
	return src, err
}

// maxMoved limits how many pairs of files are compared to find those that were moved: a change that renames a folder has
// as many as their square. Tests that were moved are found by their names all the same.
const maxMoved = 2000

// joinMoved makes one file of two of which one is gone and the other one new, with most of its text and the same ending.
func joinMoved(files []File) []File {
	out := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.After == nil })
	tries := 0
	for _, gone := range files {
		if gone.After != nil {
			continue
		}
		at := slices.IndexFunc(out, func(f File) bool {
			if f.Before == nil && bytes.Equal(f.After, gone.Before) {
				return true
			}
			if f.Before != nil || path.Ext(f.Path) != path.Ext(gone.Path) || len(gone.Before) > MaxBytes/16 || len(f.After) > 2*len(gone.Before) || tries == maxMoved {
				return false
			}
			tries++
			return alike(string(gone.Before), string(f.After)) > 0.6
		})
		if at < 0 {
			out = append(out, gone)
			continue
		}
		out[at].Old, out[at].Before = gone.Path, gone.Before
	}
	return out
}
