package gitops

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// This file has the view of a repository from one of its folders: that of a project which does not begin at the top.
//
// Rules:
//
//   - Every slash-separated path that a Repo takes or returns is relative to its folder. A path outside of it begins
//     with "../".
//   - Home is the folder in the main worktree. All other worktrees are named by their tops: what joins such a top
//     and a path uses FromTop first.
//   - Repositories and submodules inside a worktree, and the pathspecs of a Comparison, are named from the top.
//
// Decisions:
//
// 2026-11-29: a project below the top is a repository that is seen from a folder, so that all above reads and writes
// ".chant/..." as ever. Rejected: a prefix in each of the two hundred places that build such a path; and a worktree that is
// named by the folder of the project in it, since an agent could put a link in the place of that folder.

// Within has a repository seen from a folder, slash-separated from its top, "" for the top itself. It is called before the
// repository is shared.
func (r *Repo) Within(folder string) {
	if folder = path.Clean(folder); folder == "." || folder == "" {
		return
	}
	r.folder = folder
	r.site.Folder = r.Home()
}

// Folder is the folder from which the repository is seen, "" for its top.
func (r *Repo) Folder() string { return r.folder }

// Whole returns the repository as it is seen from its top.
func (r *Repo) Whole() *Repo {
	if r.folder == "" {
		return r
	}
	whole := *r
	whole.folder = ""
	return &whole
}

// Home is the folder of the repository in its main worktree, absolute, symbolic links resolved; of a bare repository in the
// worktree that stands in for it, as all processes choose it.
func (r *Repo) Home() string { return filepath.Join(r.site.Home, filepath.FromSlash(r.folder)) }

// Dir is the top of the worktree in which Open was called, or Home if that was the main one.
func (r *Repo) Dir() string {
	if r.site.Dir == r.site.Home {
		return r.Home()
	}
	return r.site.Dir
}

// FromTop returns a path from the top of a worktree.
func (r *Repo) FromTop(file string) string {
	if r.folder == "" {
		return file
	}
	return path.Join(r.folder, file)
}

// FromFolder returns a path, slash-separated from the top of a worktree, as it is seen from the folder.
func (r *Repo) FromFolder(file string) string { return RelativeTo(r.folder, file) }

// RelativeTo returns a path from the top as it is seen from a folder.
func RelativeTo(folder, file string) string {
	if folder == "" || file == "" {
		return file
	}
	up, rest := strings.Split(folder, "/"), strings.Split(file, "/")
	for len(up) > 0 && len(rest) > 0 && up[0] == rest[0] {
		up, rest = up[1:], rest[1:]
	}
	return path.Join(strings.Repeat("../", len(up)), path.Join(rest...), ".")
}

// fromTop returns paths from the top.
func (r *Repo) fromTop(files []string) []string {
	if r.folder == "" {
		return files
	}
	out := make([]string, len(files))
	for i, file := range files {
		out[i] = r.FromTop(file)
	}
	return out
}

// seen has each path of a list, which is new, seen from the folder.
func seen[T any](r *Repo, list []T, err error, name func(*T) *string) ([]T, error) {
	if r.folder != "" {
		for i := range list {
			at := name(&list[i])
			*at = r.FromFolder(*at)
		}
	}
	return list, err
}

func itself(file *string) *string { return file }

// filesFromTop returns files by their paths from the top.
func (r *Repo) filesFromTop(files []File) []File {
	if r.folder == "" {
		return files
	}
	out := make([]File, len(files))
	for i, f := range files {
		out[i], out[i].Path = f, r.FromTop(f.Path)
	}
	return out
}

// The methods below do what those of the same names do in the parts of a repository.

// Diff is that of revision.Reader.
func (r *Repo) Diff(ctx context.Context, from, to string) ([]Change, error) {
	list, err := r.revs.Diff(ctx, from, to)
	return seen(r, list, err, func(c *Change) *string { return &c.Path })
}

// FileDiffs is that of revision.Reader.
func (r *Repo) FileDiffs(ctx context.Context, c Comparison) ([]FileDiff, error) {
	list, err := r.revs.FileDiffs(ctx, r.compared(c))
	for i := range list {
		list[i].Old = r.FromFolder(list[i].Old)
	}
	return seen(r, list, err, func(f *FileDiff) *string { return &f.Path })
}

// Patch is that of revision.Reader.
func (r *Repo) Patch(ctx context.Context, c Comparison) ([]byte, error) {
	return r.revs.Patch(ctx, r.compared(c))
}

// Diffstat is that of revision.Reader.
func (r *Repo) Diffstat(ctx context.Context, c Comparison, width int) ([]byte, error) {
	return r.revs.Diffstat(ctx, r.compared(c), width)
}

// compared has the pathspecs of a comparison in home begin in the folder.
func (r *Repo) compared(c Comparison) Comparison {
	if r.folder != "" && (c.Tree == "" || c.Tree == r.Home()) {
		c.Tree, c.Folder = r.site.Home, r.FromTop(c.Folder)
	}
	return c
}

// Entry is that of revision.Reader.
func (r *Repo) Entry(ctx context.Context, rev, name string) (Entry, error) {
	return r.revs.Entry(ctx, rev, r.FromTop(name))
}

// FS is that of revision.Reader, which begins at the folder.
func (r *Repo) FS(ctx context.Context, rev string) (fs.FS, error) {
	top, err := r.revs.FS(ctx, rev)
	if err != nil || r.folder == "" {
		return top, err
	}
	return fs.Sub(top, r.folder)
}

// Files is that of revision.Reader.
func (r *Repo) Files(ctx context.Context, rev string) ([]Entry, error) {
	list, err := r.revs.Files(ctx, rev)
	return seen(r, list, err, func(e *Entry) *string { return &e.Name })
}

// ReadDir is that of revision.Reader.
func (r *Repo) ReadDir(ctx context.Context, rev, dir string) ([]Entry, error) {
	return r.revs.ReadDir(ctx, rev, r.FromTop(dir))
}

// ReadFile is that of revision.Reader.
func (r *Repo) ReadFile(ctx context.Context, rev, file string) ([]byte, error) {
	return r.revs.ReadFile(ctx, rev, r.FromTop(file))
}

// ReadLink is that of revision.Reader.
func (r *Repo) ReadLink(ctx context.Context, rev, file string) (string, error) {
	return r.revs.ReadLink(ctx, rev, r.FromTop(file))
}

// Recent is that of revision.Reader.
func (r *Repo) Recent(ctx context.Context, to string, most int) ([]Touch, error) {
	list, err := r.revs.Recent(ctx, to, most)
	return r.seenTouches(list), err
}

// Touches is that of revision.Reader.
func (r *Repo) Touches(ctx context.Context, from, to, folder string) ([]Touch, error) {
	list, err := r.revs.Touches(ctx, from, to, r.FromTop(folder))
	return r.seenTouches(list), err
}

func (r *Repo) seenTouches(list []Touch) []Touch {
	for i := range list {
		list[i].Files, _ = seen(r, list[i].Files, nil, func(f *FileChange) *string { return &f.Path })
	}
	return list
}

// Touching is that of revision.Reader.
func (r *Repo) Touching(ctx context.Context, to string, files ...string) ([]Commit, error) {
	return r.revs.Touching(ctx, to, r.fromTop(files)...)
}

// Mentioning is that of revision.Reader.
func (r *Repo) Mentioning(ctx context.Context, pattern, file string) ([]Commit, error) {
	return r.revs.Mentioning(ctx, pattern, r.FromTop(file))
}

// VisitCommits is that of revision.Reader.
func (r *Repo) VisitCommits(ctx context.Context, v Visit, see func(Touch) bool) error {
	if r.folder != "" {
		v.Folder = r.FromTop(v.Folder)
	}
	return r.revs.VisitCommits(ctx, v, func(t Touch) bool { return see(r.seenTouches([]Touch{t})[0]) })
}

// SizeOfChange is that of revision.Reader.
func (r *Repo) SizeOfChange(ctx context.Context, from, to, except string) (ChangeSize, error) {
	return r.revs.SizeOfChange(ctx, from, to, r.FromTop(except))
}

// SizesOfFiles is that of revision.Reader.
func (r *Repo) SizesOfFiles(ctx context.Context, pairs []Pair, except string) ([][]FileSize, error) {
	lists, err := r.revs.SizesOfFiles(ctx, pairs, r.FromTop(except))
	for i := range lists {
		lists[i], _ = seen(r, lists[i], nil, func(f *FileSize) *string { return &f.Path })
	}
	return lists, err
}

// WorkID is that of revision.Reader.
func (r *Repo) WorkID(ctx context.Context, from, to string, except ...string) (string, error) {
	return r.revs.WorkID(ctx, from, to, r.fromTop(except)...)
}

// Status is that of gitindex.Index. Without paths it is about the whole worktree.
func (r *Repo) Status(ctx context.Context, dir string, paths ...string) ([]StatusEntry, error) {
	list, err := r.index.Status(ctx, dir, r.fromTop(paths)...)
	return seen(r, list, err, func(e *StatusEntry) *string { return &e.Path })
}

// FaithfulStatus is that of gitindex.Index.
func (r *Repo) FaithfulStatus(ctx context.Context, dir string) ([]StatusEntry, error) {
	list, err := r.index.FaithfulStatus(ctx, dir)
	return seen(r, list, err, func(e *StatusEntry) *string { return &e.Path })
}

// Hidden is that of gitindex.Index.
func (r *Repo) Hidden(ctx context.Context, dir string) ([]string, error) {
	list, err := r.index.Hidden(ctx, dir)
	return seen(r, list, err, itself)
}

// Skipped is that of gitindex.Index.
func (r *Repo) Skipped(ctx context.Context, dir, folder string) ([]string, error) {
	list, err := r.index.Skipped(ctx, dir, r.FromTop(folder))
	return seen(r, list, err, itself)
}

// Staged is that of gitindex.Index.
func (r *Repo) Staged(ctx context.Context, dir, index, folder string) ([]File, error) {
	list, err := r.index.Staged(ctx, dir, index, r.FromTop(folder))
	return seen(r, list, err, func(f *File) *string { return &f.Path })
}

// TrackedFiles is that of gitindex.Index, for the files of the folder.
func (r *Repo) TrackedFiles(ctx context.Context, dir string) ([]string, error) {
	list, err := r.index.TrackedFiles(ctx, dir)
	if err != nil || r.folder == "" {
		return list, err
	}
	var own []string
	for _, file := range list {
		if below, ok := strings.CutPrefix(file, r.folder+"/"); ok {
			own = append(own, below)
		}
	}
	return own, nil
}

// Ignored reports for each path, slash-separated from home, whether git ignores it there.
// What is tracked is not ignored.
func (r *Repo) Ignored(ctx context.Context, paths ...string) (map[string]bool, error) {
	return r.IgnoredIn(ctx, r.site.Home, paths...)
}

// IgnoredIn is Ignored for the worktree at dir. Errors: ErrNotRepository.
func (r *Repo) IgnoredIn(ctx context.Context, dir string, paths ...string) (map[string]bool, error) {
	full, err := r.ignoredIn(ctx, dir, r.fromTop(paths)...)
	if err != nil || r.folder == "" {
		return full, err
	}
	out := make(map[string]bool, len(full))
	for _, file := range paths {
		out[file] = full[r.FromTop(file)]
	}
	return out, nil
}

// IgnoredSince lists the files in the worktree at dir that git ignores and that were changed at a time or later. It does
// not look into other worktrees and repositories.
func (r *Repo) IgnoredSince(ctx context.Context, dir string, since time.Time) ([]string, error) {
	list, err := r.ignoredSince(ctx, dir, since)
	return seen(r, list, err, itself)
}

// Attributes returns, for each of some paths, a description of the attributes of a commit that change what a checkout writes
// there. Equal descriptions mean that the same content is written in the same way.
func (r *Repo) Attributes(ctx context.Context, rev string, paths []string) (map[string]string, error) {
	full, err := r.attributes(ctx, rev, r.fromTop(paths))
	if err != nil || r.folder == "" {
		return full, err
	}
	out := make(map[string]string, len(full))
	for _, file := range paths {
		if text, ok := full[r.FromTop(file)]; ok {
			out[file] = text
		}
	}
	return out, nil
}

// CommitFiles is that of Committer.
func (r *Repo) CommitFiles(ctx context.Context, o CommitOptions) (hash string, changed bool, err error) {
	o.Files = r.filesFromTop(o.Files)
	return r.commits.CommitFiles(ctx, o)
}

// CommitOn is that of Committer.
func (r *Repo) CommitOn(ctx context.Context, parent string, files []File, message string) (string, error) {
	return r.commits.CommitOn(ctx, parent, r.filesFromTop(files), message)
}

// WriteTree is that of Committer.
func (r *Repo) WriteTree(ctx context.Context, tree string, files []File) (string, error) {
	return r.commits.WriteTree(ctx, tree, r.filesFromTop(files))
}

// MergeTree is that of Merger.
func (r *Repo) MergeTree(ctx context.Context, ours, theirs string) (Merge, error) {
	m, err := r.merger.MergeTree(ctx, ours, theirs)
	m.Conflicts, err = seen(r, m.Conflicts, err, func(c *Conflict) *string { return &c.Path })
	return m, err
}

// BeginMerge is that of Merger.
func (r *Repo) BeginMerge(ctx context.Context, dir, commit string) ([]string, error) {
	list, err := r.merger.BeginMerge(ctx, dir, commit)
	return seen(r, list, err, itself)
}

// Rebase is that of Merger.
func (r *Repo) Rebase(ctx context.Context, dir, base, onto string) ([]string, error) {
	list, err := r.merger.Rebase(ctx, dir, base, onto)
	return seen(r, list, err, itself)
}

// Unmerged is that of Merger.
func (r *Repo) Unmerged(ctx context.Context, dir string) (paths []string, underway string, err error) {
	paths, underway, err = r.merger.Unmerged(ctx, dir)
	paths, err = seen(r, paths, err, itself)
	return paths, underway, err
}

// Worktrees is that of Trees: the main worktree has the path of Home, all others those of their tops.
func (r *Repo) Worktrees(ctx context.Context) ([]Worktree, error) {
	all, err := r.trees.Worktrees(ctx)
	for i := range all {
		if all[i].Main {
			all[i].Path = r.Home()
		}
	}
	return all, err
}
