package code

import (
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/code/shelf"
	"chant/engine/next"
)

// Index brings the index of a worktree up to date and counts what it contains. Errors: Usage for a path that is no folder,
// NotFound outside of a repository.
func Index(ctx context.Context, p *engine.Project, in IndexInput) (IndexResult, error) {
	at, err := placeOf(p, in.Path)
	if err != nil {
		return IndexResult{}, err
	}
	shot, report, err := at.shelf.Refresh(ctx, shelf.Request{Root: at.root, Rules: at.rules, Force: in.Force, Progress: in.Progress})
	if ctx.Err() != nil {
		return IndexResult{}, engine.Fail(engine.Canceled, next.Index.On(), "Indexing was cancelled")
	}
	if err != nil {
		return IndexResult{}, engine.Wrap(err, "")
	}
	result := IndexResult{
		Path: at.root, Forced: in.Force, IndexedFiles: report.Indexed, SkippedFiles: report.Known, Removed: report.Removed,
		ChunksIndexed: report.Chunks, Snippets: report.Snippets, Errors: len(report.Failed), Saved: report.Saved,
	}
	for _, f := range report.Failed {
		result.Failed = append(result.Failed, Failure(f))
	}
	result.TotalFiles, result.TotalChunks, result.TotalSnippets = shot.Count()
	empty := shot.Empty()
	for i, o := range shot.Outlines(ctx, empty) {
		if o.Skipped != "" {
			result.Excluded = append(result.Excluded, Failure{empty[i].Path, o.Skipped})
			result.TotalFiles--
		}
	}
	result.Semantic = at.embedAll(ctx, shot, in)
	if ctx.Err() != nil {
		return IndexResult{}, engine.Fail(engine.Canceled, next.Index.On(), "Indexing was cancelled")
	}
	for _, f := range shot.Manifest.Files {
		if f.Skipped != "" && !f.Failed {
			result.Excluded = append(result.Excluded, Failure{f.Path, f.Skipped})
		}
	}
	slices.SortFunc(result.Excluded, func(a, b Failure) int { return strings.Compare(a.Path, b.Path) })
	result.ExcludedFiles = len(result.Excluded)
	return result, nil
}

// Renew brings the index of a worktree up to date, if any code has been indexed.
func Renew(ctx context.Context, p *engine.Project, folder string) error {
	at, err := placeOf(p, folder)
	if err != nil || !at.shelf.Exists(ctx) {
		return err
	}
	_, _, err = at.current(ctx, false, nil)
	return err
}
