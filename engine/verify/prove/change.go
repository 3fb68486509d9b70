package prove

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/code/graph"
	"chant/engine/code/mutant"
	"chant/engine/code/outline"
	"chant/engine/run"
	"chant/gitops"
	"chant/text"
)

// change is a file that a spec has changed, with its content before and after.
type change struct {
	gitops.FileDiff
	section
	before, now           []byte
	wasProgram, isProgram bool         // executable
	parsed                *mutant.File // nil before it is needed
}

// version is a wrong version of a change.
type version struct {
	kind  string
	file  string
	line  int
	diff  string
	of    *change
	files []gitops.File // what differs from the commit; of a mutant this is made when it runs
	lines []int         // of a hunk that is reverted

	parsed *mutant.File
	mutant mutant.Mutant
}

// kindRevert is the kind of a version without one hunk, or without what happened to a whole file.
const kindRevert = "revert_hunk"

// readChange reads what the work of a spec has changed and criteria could notice, and says what of it is left out.
func readChange(ctx context.Context, p *engine.Project, work run.Work) (all []*change, notes []string, err error) {
	c := gitops.Comparison{From: work.From, To: work.To, Paths: []string{"."}}
	files, err := p.Repo.FileDiffs(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	patch, err := p.Repo.Patch(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	sections, err := parsePatch(patch)
	if err != nil || len(sections) != len(files) {
		return nil, nil, errPatch
	}
	odd, err := oddFiles(ctx, p, work)
	if err != nil {
		return nil, nil, err
	}
	left := map[string]int{}
	docs := 0
	for i, f := range files {
		one := &change{FileDiff: f, section: sections[i]}
		switch {
		case strings.HasPrefix(f.Path, ".chant/"):
			continue
		case odd[f.Path]:
			left["links and submodules"]++
			continue
		case graph.IsTest(f.Path):
			left["tests"]++
			continue
		}
		if err := one.read(ctx, p, work); err != nil {
			return nil, nil, err
		}
		switch {
		case isGenerated(one.now):
			left["generated"]++
			continue
		case isDocumentation(f.Path):
			docs++
		}
		all = append(all, one)
	}
	// Where there is code, criteria are about that; where there are only documents, they are about these.
	if docs < len(all) && docs > 0 {
		left["documentation"] = docs
		all = slices.DeleteFunc(all, func(c *change) bool { return isDocumentation(c.Path) })
	}
	for why, n := range left {
		notes = append(notes, fmt.Sprintf("left out: %s (%s)", text.Plural(n, "file"), why))
	}
	slices.Sort(notes)
	return all, notes, nil
}

// oddFiles are the changed paths that are, or were, no plain files.
func oddFiles(ctx context.Context, p *engine.Project, work run.Work) (map[string]bool, error) {
	list, err := p.Repo.Diff(ctx, work.From, work.To)
	odd := map[string]bool{}
	for _, c := range list {
		odd[c.Path] = c.Link || c.WasLink || c.Gitlink || c.WasGitlink
	}
	return odd, err
}

// read reads both sides of a file.
func (c *change) read(ctx context.Context, p *engine.Project, work run.Work) (err error) {
	old := c.Path
	if c.Old != "" {
		old = c.Old
	}
	if !c.added {
		if c.before, c.wasProgram, err = readSide(ctx, p, work.From, old); err != nil {
			return err
		}
	}
	if !c.deleted {
		c.now, c.isProgram, err = readSide(ctx, p, work.To, c.Path)
	}
	// Where tests are in the file of the code, which hunks are theirs is known by its tree.
	if err == nil && path.Ext(c.Path) == ".rs" {
		c.parsed, err = mutant.Parse(ctx, c.Path, c.now)
		if ctx.Err() == nil {
			err = nil // said where mutants are made
		}
	}
	return err
}

func readSide(ctx context.Context, p *engine.Project, commit, name string) (text []byte, program bool, err error) {
	entry, err := p.Repo.Entry(ctx, commit, name)
	if err != nil {
		return nil, false, err
	}
	text, err = p.Repo.ReadFile(ctx, commit, name)
	// No content means a removed file where versions are written.
	if text == nil {
		text = []byte{}
	}
	return text, strings.HasSuffix(entry.Mode, "755"), err
}

var generated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\W{1,4}\s*(?:Code generated .*DO NOT EDIT|@generated)`)
})

func isGenerated(text []byte) bool { return generated().Match(text[:min(len(text), 2000)]) }

// isDocumentation reports whether a file is for people. A file in an unknown language is not.
func isDocumentation(name string) bool {
	base := path.Base(name)
	return slices.Contains([]string{"markdown", "latex"}, outline.Language(name, nil)) ||
		slices.Contains([]string{".txt", ".rst", ".adoc", ".org"}, strings.ToLower(path.Ext(base))) ||
		slices.Contains([]string{"README", "LICENSE", "COPYING", "CHANGELOG", "NOTICE", "AUTHORS"}, base)
}

// hunkVersions returns the versions in which one hunk of a file is reverted.
func (c *change) hunkVersions() []*version {
	whole := func(line int, diff string, files ...gitops.File) *version {
		v := &version{kind: kindRevert, file: c.Path, line: line, diff: diff, of: c, files: files}
		for n := range linesOf(c.now) {
			v.lines = append(v.lines, n+1)
		}
		if c.Binary {
			v.lines, v.diff = []int{1}, "the binary file as it was before\n"
		}
		return v
	}
	restored := gitops.File{Path: c.Path, Content: c.before, Executable: c.wasProgram}
	switch {
	case c.added:
		return []*version{whole(1, diffOf(linesOf(c.now), nil), gitops.File{Path: c.Path})}
	case c.deleted:
		return []*version{whole(1, diffOf(nil, linesOf(c.before)), restored)}
	case c.Binary && c.Old == "":
		return []*version{whole(1, "", restored)}
	}
	var out []*version
	if c.Old != "" {
		restored.Path = c.Old
		back := whole(1, fmt.Sprintf("-moved from %s\n", c.Old), gitops.File{Path: c.Path}, restored)
		// That nothing notices the old name says nothing about the lines.
		back.lines = nil
		out = append(out, back)
	}
	was, is := linesOf(c.before), linesOf(c.now)
	for _, h := range c.hunks {
		if c.isTests(h) || isUninteresting(append(slices.Clone(h.replaced(was)), h.added(is)...)) {
			continue
		}
		v := &version{
			kind: kindRevert, file: c.Path, line: h.newAt, diff: diffOf(h.added(is), h.replaced(was)), of: c,
			files: []gitops.File{{Path: c.Path, Content: revert(c.before, c.now, h), Executable: c.isProgram}},
		}
		for n := range h.newLines {
			v.lines = append(v.lines, h.newAt+n)
		}
		if h.newLines == 0 {
			v.lines = []int{h.newAt}
		}
		out = append(out, v)
	}
	return out
}

// plainLine matches a line that is empty, a comment or an import.
var plainLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:$|//|#(?:$|[\s!#]|include\b)|/\*|\*(?:\s|/|$)|--\s|"[^"]*"$|\)$|import\b|from\s+\S+\s+import\b|package\s+\w+;?$|using\s+[\w.]+;|use\s+[\w\\:]+)`)
})

// isUninteresting reports whether lines are only comments, imports and empty ones, whose absence no criterion can notice or
// each build does.
func isUninteresting(lines [][]byte) bool {
	return !slices.ContainsFunc(lines, func(line []byte) bool { return !plainLine().Match(bytes.TrimRight(line, "\r\n")) })
}

// isTests reports whether all that a hunk adds are tests in a file of code.
func (c *change) isTests(h hunk) bool {
	if c.parsed == nil || h.newLines == 0 {
		return false
	}
	is := linesOf(c.now)
	for line := h.newAt; line < h.newAt+h.newLines; line++ {
		if len(bytes.TrimSpace(is[line-1])) > 0 && !c.parsed.IsTest(line) {
			return false
		}
	}
	return true
}

// mutants returns the versions with a mutant of a changed line, except for some lines.
func (c *change) mutants(ctx context.Context, except map[int]bool) ([]*version, error) {
	if c.deleted || c.Binary {
		return nil, nil
	}
	f := c.parsed
	if f == nil {
		var err error
		if f, err = mutant.Parse(ctx, c.Path, c.now); err != nil {
			return nil, err
		}
	}
	var changed []mutant.Range
	for _, h := range c.hunks {
		for n := range h.newLines {
			if line := h.newAt + n; !except[line] {
				changed = append(changed, mutant.Range{First: line, Last: line})
			}
		}
	}
	var out []*version
	for _, m := range f.Mutants(changed) {
		out = append(out, &version{kind: string(m.Kind), file: c.Path, line: m.Line, of: c, parsed: f, mutant: m})
	}
	return out, nil
}

// build sets the files and the diff of a mutant, and reports whether it parses.
func (v *version) build(ctx context.Context) (bool, error) {
	if v.parsed == nil {
		return true, nil
	}
	out, err := v.parsed.Apply(ctx, v.mutant)
	if out == nil {
		return false, err
	}
	v.files = []gitops.File{{Path: v.file, Content: out, Executable: v.of.isProgram}}
	// Whole lines are shown.
	now, m := v.of.now, v.mutant
	from := bytes.LastIndexByte(now[:m.Start], '\n') + 1
	to := len(now)
	if at := bytes.IndexByte(now[m.End:], '\n'); at >= 0 {
		to = m.End + at
	}
	v.diff = diffOf(linesOf(now[from:to]), linesOf(out[from:to+len(out)-len(now)]))
	return true, nil
}
