package gitops

import (
	"context"

	"chant/gitops/revision"
)

// Change is one path that differs.
type Change = revision.Change

// ChangeSize is how much differs between two commits.
type ChangeSize = revision.ChangeSize

// FileSize is how much of a file differs between two commits.
type FileSize = revision.FileSize

// Pair is two commits, by their full hashes.
type Pair = revision.Pair

// SizesOfFiles counts, for each pair, what differs between its commits, file by file in git's order, without what is in
// the folder except. One process of git compares all pairs.
func SizesOfFiles(ctx context.Context, r *Repo, pairs []Pair, except string) ([][]FileSize, error) {
	return r.revs.SizesOfFiles(ctx, pairs, except)
}

// Diff lists the paths in which two commits or trees differ, in git's order. It starts no
// process for what Resolve starts none for. Errors: ErrNotFound.
func (r *Repo) Diff(ctx context.Context, from, to string) ([]Change, error) {
	return r.revs.Diff(ctx, from, to)
}

// SizeOfChange counts what differs between two commits, without what is in the folder
// except, "" for none.
func (r *Repo) SizeOfChange(ctx context.Context, from, to, except string) (ChangeSize, error) {
	return r.revs.SizeOfChange(ctx, from, to, except)
}

// WorkID names what leads from one commit to another: the same paths with the same
// content in place of others have the same name, wherever they begin. Paths in except
// are left out.
func (r *Repo) WorkID(ctx context.Context, from, to string, except ...string) (string, error) {
	return r.revs.WorkID(ctx, from, to, except...)
}

// Comparison says what FileDiffs, Patch and Diffstat compare: two commits, as far as pathspecs allow, which are relative to
// a folder.
type Comparison = revision.Comparison

// FileDiff is how much differs in one file.
type FileDiff = revision.FileDiff

// FileDiffs lists the files that differ, in git's order. A file that was moved is one.
func FileDiffs(ctx context.Context, r *Repo, c Comparison) ([]FileDiff, error) {
	return r.revs.FileDiffs(ctx, c)
}

// Patch returns what differs as text that "git apply" reads, except for binary files.
func Patch(ctx context.Context, r *Repo, c Comparison) ([]byte, error) { return r.revs.Patch(ctx, c) }

// Diffstat returns a line for each file that differs, and one for all, of at most so many columns.
func Diffstat(ctx context.Context, r *Repo, c Comparison, width int) ([]byte, error) {
	return r.revs.Diffstat(ctx, c, width)
}
