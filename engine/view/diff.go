package view

import (
	"bytes"
	"context"
	"strings"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/gitops"
)

// DiffInput names a spec.
type DiffInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// DiffResult is what the work on a spec has changed, by file.
type DiffResult struct {
	ID    string     `json:"id"`
	From  string     `json:"from"` // the commit before
	To    string     `json:"to"`   // the tip of the run's branch, or the merge commit
	Files []FileDiff `json:"files"`
	Cut   bool       `json:"cut,omitempty"` // patches behind the limit were left out
}

// FileDiff is the change of one file.
type FileDiff struct {
	Path    string `json:"path"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
	Patch   string `json:"patch"`   // in git's format, without its first line
}

// maxDiff is how many bytes of patches are returned.
const maxDiff = 4 << 20

// Diff returns what is committed on the branch of a spec's run, compared with where the branch left its target, or,
// once it has landed, what it has landed. Errors: State for a spec without a branch and a landing.
func Diff(ctx context.Context, p *engine.Project, in DiffInput) (DiffResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return DiffResult{}, engine.Wrap(err, in.ID)
	}
	result, err := diff(ctx, p, &s.Spec)
	return engine.Done(result, err, s.ID)
}

func diff(ctx context.Context, p *engine.Project, s *spec.Spec) (DiffResult, error) {
	from, to, err := endsOfDiff(ctx, p, s)
	if err != nil {
		return DiffResult{}, err
	}
	patch, err := gitops.Patch(ctx, p.Repo, from, to)
	if err != nil {
		return DiffResult{}, err
	}
	r := DiffResult{ID: s.ID, From: from, To: to}
	if len(patch) > maxDiff {
		patch, r.Cut = patch[:bytes.LastIndexByte(patch[:maxDiff], '\n')+1], true
	}
	r.Files = splitPatch(string(patch))
	return r, nil
}

// endsOfDiff returns the commits between which a spec was worked.
func endsOfDiff(ctx context.Context, p *engine.Project, s *spec.Spec) (from, to string, err error) {
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return "", "", err
	}
	if last := h.Last(); s.Status == spec.Completed && s.Landed && last != nil && last.Landing != "" {
		if from, err = p.Repo.Resolve(ctx, last.Landing+"^1"); err == nil {
			return from, last.Landing, nil
		}
	}
	if s.Branch == "" {
		return "", "", engine.Fail(engine.State, next.Show.On(s.ID), "spec %q has neither a branch nor a landing that is known here", s.ID)
	}
	if to, err = p.Repo.Resolve(ctx, "refs/heads/"+s.Branch); err != nil {
		return "", "", err
	}
	target, err := run.TargetFor(ctx, p, s)
	if err != nil {
		return "", "", err
	}
	from, err = p.Repo.MergeBase(ctx, "refs/heads/"+target, to)
	return from, to, err
}

// splitPatch divides a patch into its files.
func splitPatch(patch string) []FileDiff {
	files := []FileDiff{}
	const begin = "diff --git "
	for patch != "" {
		part := patch
		if end := strings.Index(patch, "\n"+begin); end >= 0 {
			part = patch[:end+1]
		}
		patch = patch[len(part):]
		head, rest, _ := strings.Cut(part, "\n")
		if !strings.HasPrefix(head, begin) {
			continue
		}
		files = append(files, readFileDiff(strings.TrimPrefix(head, begin), rest))
	}
	return files
}

// readFileDiff reads the patch of one file. names is the rest of its first line, "a/PATH b/PATH".
func readFileDiff(names, patch string) FileDiff {
	f := FileDiff{Patch: patch, Path: pathOfNames(names)}
	hunk := false
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "@@ "):
			hunk = true
		case hunk && strings.HasPrefix(line, "+"):
			f.Added++
		case hunk && strings.HasPrefix(line, "-"):
			f.Removed++
		}
	}
	return f
}

// pathOfNames returns the path in "a/PATH b/PATH". Without renames both halves are equal.
func pathOfNames(names string) string {
	quote := ""
	if strings.HasPrefix(names, `"`) {
		quote = `"`
	}
	half := names[len(names)/2:]
	if _, path, found := strings.Cut(half, " "+quote+"b/"); found {
		return strings.TrimSuffix(path, quote)
	}
	return names
}
