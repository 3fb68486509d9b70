package code

import (
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/code/shelf"
	"chant/engine/spec/next"
)

// Index brings the index of a worktree up to date and counts what it contains. Errors: Usage for a path that is no folder,
// or that is outside of a repository and contains the user's home folder.
func Index(ctx context.Context, p *engine.Project, in IndexInput) (IndexResult, error) {
	at, err := placeOf(p, in.Path, true)
	if err != nil {
		return IndexResult{}, err
	}
	request := shelf.Request{Root: at.root, Rules: at.rules, Force: in.Force, Progress: in.Progress}
	// With an embedder of the settings, vectors may be missing although nothing has changed.
	if at.p.Config.Code.Embeddings.Provider == "" {
		if now, ok := at.shelf.Recount(ctx, request); ok {
			return indexed(now, comparisonState(now.Counts.Learned)), nil
		}
	}
	shot, report, err := at.shelf.Refresh(ctx, request)
	if ctx.Err() != nil {
		return IndexResult{}, engine.Fail(engine.Canceled, next.Index.On(), "Indexing was cancelled")
	}
	if err != nil {
		return IndexResult{}, engine.Wrap(err, "")
	}
	counts := shot.Count(ctx)
	semantic := at.embedAll(ctx, shot, in)
	if ctx.Err() != nil {
		return IndexResult{}, engine.Fail(engine.Canceled, next.Index.On(), "Indexing was cancelled")
	}
	result := indexed(shelf.Standing{Manifest: shot.Manifest, Counts: counts, Report: report}, semantic)
	result.Forced = in.Force
	return result, nil
}

// indexed returns what an index contains, and what was done for it.
func indexed(now shelf.Standing, semantic string) IndexResult {
	report, counts := now.Report, now.Counts
	result := IndexResult{
		Path: now.Manifest.Root, IndexedFiles: report.Indexed, SkippedFiles: report.Known, Removed: report.Removed,
		ChunksIndexed: report.Chunks, Snippets: report.Snippets, Errors: len(report.Failed), Saved: report.Saved,
		TotalFiles: counts.Files - len(counts.LeftOut), TotalChunks: counts.Chunks, TotalSnippets: counts.Snippets,
		Semantic: semantic,
	}
	for _, f := range report.Failed {
		result.Failed = append(result.Failed, Failure(f))
	}
	for _, f := range counts.LeftOut {
		result.Excluded = append(result.Excluded, Failure(f))
	}
	for _, f := range now.Manifest.Files {
		if f.Skipped != "" && !f.Failed {
			result.Excluded = append(result.Excluded, Failure{f.Path, f.Skipped})
		}
	}
	slices.SortFunc(result.Excluded, func(a, b Failure) int { return strings.Compare(a.Path, b.Path) })
	result.ExcludedFiles = len(result.Excluded)
	return result
}

// Renew brings the index of a worktree up to date, if any code has been indexed.
func Renew(ctx context.Context, p *engine.Project, folder string) error {
	at, err := placeOf(p, folder, false)
	if err != nil || !at.shelf.Exists(ctx) {
		return err
	}
	_, _, err = at.current(ctx, false, nil)
	return err
}
