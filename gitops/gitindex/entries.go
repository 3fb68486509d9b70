package gitindex

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
)

// Refresh lets every worktree that has the target checked out follow the commit made, whose edits Stage has put into
// staged.
func (x *Index) Refresh(ctx context.Context, t Target, made string, staged []layout.Place, edits []objectstore.Edit) error {
	all, err := x.checkedOut(ctx, t)
	if err != nil {
		return err
	}
	f := following{ref: t.Ref, made: made, edits: make([]objectstore.Edit, len(edits))}
	for i, e := range edits {
		// An edit without a hash is a removal, whatever its mode: only so it equals the empty entry that the ref holds then.
		if f.edits[i].Path = e.Path; e.Hash != "" {
			f.edits[i] = e
		}
	}
	for _, p := range all {
		if err := x.follow(ctx, p, f, slices.Contains(staged, p)); err != nil {
			return err
		}
	}
	return nil
}

// following is what indexes follow: a ref that was moved to a commit with these edits.
type following struct {
	ref, made string
	edits     []objectstore.Edit
}

// follow sets the entries of the edited paths to what the ref holds now, until that did not change while it was being
// done. If they are staged, they are those of the commit made.
func (x *Index) follow(ctx context.Context, p layout.Place, f following, staged bool) error {
	want, err := x.entriesAt(ctx, p, f)
	for err == nil {
		set := x.setEntries
		// Stage has written these very entries, so only the times are missing.
		if staged && slices.Equal(want, f.edits) {
			set = x.settle
		}
		if err = set(ctx, p, want); err != nil {
			return err
		}
		staged = false
		var now []objectstore.Edit
		// Another commit may have moved the ref while the entries were written. Whoever is last sets what the ref holds, so
		// the indexes of both end with the newest state.
		if now, err = x.entriesAt(ctx, p, f); slices.Equal(now, want) {
			return err
		}
		want = now
	}
	return err
}

// entriesAt is what the ref holds at the edited paths.
func (x *Index) entriesAt(ctx context.Context, p layout.Place, f following) ([]objectstore.Edit, error) {
	tip, err := x.Refs.Tip(ctx, p, f.ref)
	if err != nil {
		return nil, err
	}
	// Mostly nothing came between, and then no tree need be read.
	if tip == f.made {
		return f.edits, nil
	}
	held := make([]objectstore.Edit, len(f.edits))
	for i, e := range f.edits {
		entry, err := x.Revs.Entry(ctx, tip, e.Path)
		if err != nil && !errors.Is(err, layout.ErrNotFound) {
			return nil, err
		}
		// A folder at the path means that the file is gone, so the entry is removed.
		held[i] = objectstore.Edit{Path: e.Path}
		if !entry.Dir {
			held[i].Mode, held[i].Hash = entry.Mode, entry.Hash
		}
	}
	return held, nil
}

// setEntries writes the entries and settles them.
func (x *Index) setEntries(ctx context.Context, p layout.Place, entries []objectstore.Edit) error {
	if err := x.writeEntries(ctx, p, entries); err != nil {
		return err
	}
	return x.settle(ctx, p, entries)
}

// settle lets git note the times of the files that stand on disk, so that it need not read them again at every status.
func (x *Index) settle(ctx context.Context, p layout.Place, entries []objectstore.Edit) error {
	present, absent := onDisk(p, entries)
	// A worktree of a run is removed soon, so git may read its files again.
	if c := x.Site.Claim(p.GitDir, p.Top); !c.Hostile {
		if err := x.noteTimes(ctx, p, present); err != nil {
			return err
		}
	}
	return x.keepSparse(ctx, p, absent)
}

func (x *Index) writeEntries(ctx context.Context, p layout.Place, entries []objectstore.Edit) error {
	_, err := x.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"update-index", "-z", "--index-info"}, Stdin: x.Objects.IndexInfo(entries)})
	return err
}

// onDisk parts the paths that have an entry, each ended by NUL, into those that stand on
// disk and those that do not.
func onDisk(p layout.Place, entries []objectstore.Edit) (present, absent string) {
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(p.Top, filepath.FromSlash(e.Path)))
		switch {
		// Git would read all of it to find that it differs.
		case e.Hash != "" && err == nil && info.Size() > layout.MaxPlain:
		case e.Hash != "" && err == nil:
			present += e.Path + "\x00"
		case e.Hash != "":
			absent += e.Path + "\x00"
		}
	}
	return present, absent
}

// fewPaths is up to how many paths "git add" refreshes faster than all entries are: it compares each entry with each path. With
// 10,000 entries it takes 7 ms for one path, 18 ms for 100 and 545 ms for 5,000; all entries take 22 ms (git 2.39.5).
const fewPaths = 100

// noteTimes refreshes the entries of these paths, which must not change what they hold.
func (x *Index) noteTimes(ctx context.Context, p layout.Place, paths string) error {
	if paths == "" {
		return nil
	}
	// Paths are data here: git must not take one with a star or a colon for a pattern.
	call := gitexec.Call{Dir: p.Top, Stdin: []byte(paths), Env: []string{"GIT_LITERAL_PATHSPECS=1"},
		Args: []string{"add", "--refresh", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"}}
	if strings.Count(paths, "\x00") > fewPaths {
		call = gitexec.Call{Dir: p.Top, Args: []string{"update-index", "-q", "--refresh"}}
	}
	_, err := x.Git.Retry(ctx, call)
	if gitexec.ExitCode(err) != 0 {
		// A file that differs from its entry makes git complain, without harm.
		return nil
	}
	return err
}

// keepSparse marks entries without a file as left out where the worktree is a sparse one;
// unmarked, they would show as deleted.
func (x *Index) keepSparse(ctx context.Context, p layout.Place, paths string) error {
	// Without this file there was never a sparse checkout, which saves asking git for the setting.
	if _, err := os.Stat(filepath.Join(p.GitDir, "info", "sparse-checkout")); err != nil || paths == "" {
		return nil
	}
	sparse, err := x.Config.Bool(ctx, p.Top, "core.sparseCheckout")
	if err != nil || !sparse {
		return err
	}
	_, err = x.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"update-index", "-z", "--skip-worktree", "--stdin"}, Stdin: []byte(paths)})
	return err
}
