package gitops

import (
	"context"

	"chant/gitops/objectstore"
	"chant/gitops/revision"
)

// Commit is one commit, with its message and the trailers that end it.
type Commit = objectstore.Commit

// ReadCommit reads the commit that rev names, without a process for what Resolve needs
// none for. Errors: ErrNotFound.
func (r *Repo) ReadCommit(ctx context.Context, rev string) (Commit, error) {
	return r.revs.ReadCommit(ctx, rev)
}

// Log lists the commits reachable from to and not from from ("" for all), newest first.
func (r *Repo) Log(ctx context.Context, from, to string) ([]Commit, error) {
	return r.revs.Log(ctx, from, to)
}

// Saying lists the commits reachable from to in whose message a line matches a POSIX
// extended regular expression, children before their parents.
func (r *Repo) Saying(ctx context.Context, to, pattern string) ([]Commit, error) {
	return r.revs.Saying(ctx, to, pattern)
}

// Touching lists the commits on the first-parent line of to in which one of the paths
// is another than in the commit before, newest first. Paths may be globs.
func (r *Repo) Touching(ctx context.Context, to string, paths ...string) ([]Commit, error) {
	return r.revs.Touching(ctx, to, paths...)
}

// Graph draws the last commits of the branch in home, one line each, as git does.
func (r *Repo) Graph(ctx context.Context, commits int) (string, error) {
	return r.revs.Graph(ctx, commits)
}

// Trailers reads the "Key: value" lines that end a message, as Commit has them.
func Trailers(message string) map[string]string { return objectstore.Trailers(message) }

// Touch is a commit and the files that it changed.
type Touch = revision.Touch

// FileChange is a file with the ids of its blobs before and after a commit, "" where it did not exist.
type FileChange = revision.FileChange

// Touches lists the commits reachable from to and not from from ("" for all) that changed files in a folder, with these
// files, oldest first. A merge changed what it has differently from all of its parents. Errors: ErrNotFound.
func Touches(ctx context.Context, r *Repo, from, to, folder string) ([]Touch, error) {
	return r.revs.Touches(ctx, from, to, folder)
}

// Recent lists the newest commits reachable from to that are no merges and changed files, at most so many, with these
// files, newest first. Errors: ErrNotFound.
func Recent(ctx context.Context, r *Repo, to string, most int) ([]Touch, error) {
	return r.revs.Recent(ctx, to, most)
}

// Window is a range of times of commits. Times outside of the years 1971 to 2099 do not limit it.
type Window = revision.Window

// Visit says which commits VisitCommits visits.
type Visit = revision.Visit

// VisitCommits calls see with each commit, newest first, with the files that it changed, which may be none, until see
// returns false.
func VisitCommits(ctx context.Context, r *Repo, v Visit, see func(Touch) bool) error {
	return r.revs.Visit(ctx, v, see)
}
