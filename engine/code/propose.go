package code

import (
	"context"
	"errors"
	"strings"

	"chant/engine"
	"chant/engine/code/shelf"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
)

// ProposedFiles is how many files of a spec are usually proposed at most.
const ProposedFiles = 5

const (
	pastCommits   = 1000 // whose subjects are compared
	consideredHit = 200  // chunks whose files are ranked
	proposedShare = 0.5  // of the best score, below which a file is no proposal
)

// Proposal is a file that work is likely to change.
type Proposal struct {
	Path  string
	Score float64 // from 0 to 1, for comparison within one answer
}

// Propose returns the files of the project's worktree that work is most likely to change, the best first: those with the
// code that a text is about, and those that past commits with similar subjects changed. It indexes nothing for the first
// time: a repository of which nothing has been indexed has no proposals.
func Propose(ctx context.Context, p *engine.Project, about string, limit int) ([]Proposal, error) {
	at, err := placeOf(p, "", false)
	// Indexing a repository takes minutes, and a proposal must not cause it.
	if err != nil || !at.shelf.Exists(ctx) {
		return nil, err
	}
	ask := question{asks: next.Code, query: cutText(about, askedBytes), limit: consideredHit, weight: shelf.DefaultWeight}
	if strings.TrimSpace(ask.query) == "" {
		return nil, nil
	}
	shot, _, err := at.current(ctx, false, nil)
	if err != nil {
		return nil, err
	}
	keep := shot.Keep(false, ask.allowedFiles(shot, at))
	words, err := ask.words(shot, keep)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	seen, exists := map[string]bool{}, map[string]bool{}
	for _, f := range shot.Manifest.Files {
		// Files of .chant change with every spec, so they would be proposed for each.
		exists[f.Path] = f.Skipped == "" && !strings.HasPrefix(f.Path, store.Dir+"/")
	}
	var files []shelf.Scored
	for _, h := range ask.rank(shot, words) {
		if file, ok := shot.File(h.part, h.doc); ok && exists[file.Path] && !seen[file.Path] {
			seen[file.Path] = true
			files = append(files, shelf.Scored{Key: file.Path, Score: h.score})
		}
	}
	past, err := pastChanges(ctx, p, exists)
	if err != nil {
		return nil, err
	}
	changed, err := shelf.Changed(past, ask.query)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	return best(shelf.Fuse(files, changed, shelf.PastWeight), limit), nil
}

// best returns the files with the highest scores that are near the best one.
func best(files []shelf.Scored, limit int) []Proposal {
	var list []Proposal
	for _, f := range files {
		if len(list) == limit || f.Score < proposedShare*files[0].Score {
			break
		}
		list = append(list, Proposal{Path: f.Key, Score: f.Score})
	}
	return list
}

// pastChanges returns the last commits of the checkout, with those of their files that exist.
func pastChanges(ctx context.Context, p *engine.Project, exists map[string]bool) ([]shelf.Change, error) {
	commits, err := p.Repo.Recent(ctx, "HEAD", pastCommits)
	// There is no commit yet.
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	var past []shelf.Change
	for _, c := range commits {
		change := shelf.Change{Subject: c.Subject}
		for _, f := range c.Files {
			if exists[f.Path] {
				change.Files = append(change.Files, f.Path)
			}
		}
		if len(change.Files) > 0 {
			past = append(past, change)
		}
	}
	return past, nil
}

// cutText returns at most so many bytes of a text, in whole characters.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
