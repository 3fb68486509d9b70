package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// refreshIndexes lets every worktree that has the target checked out follow a commit.
func (r *Repo) refreshIndexes(ctx context.Context, t target, edits []edit) error {
	all, err := r.checkedOut(ctx, t)
	if err != nil {
		return err
	}
	for _, p := range all {
		if err := r.refreshIndex(ctx, p, t.ref, edits); err != nil {
			return err
		}
	}
	return nil
}

// refreshIndex sets the entries of the edited paths to what the ref holds now, until that
// did not change while it was being done.
func (r *Repo) refreshIndex(ctx context.Context, p layout.Place, ref string, edits []edit) error {
	want, err := r.entriesAt(ctx, p, ref, edits)
	for err == nil {
		if err = r.setEntries(ctx, p, want); err != nil {
			return err
		}
		var now []edit
		if now, err = r.entriesAt(ctx, p, ref, edits); slices.Equal(now, want) {
			return err
		}
		want = now
	}
	return err
}

// tip is what a ref, or HEAD of a worktree, points to; ErrNotFound when nothing.
func (r *Repo) tip(ctx context.Context, p layout.Place, ref string) (string, error) {
	tip, err := r.value(ctx, p, ref)
	if err == nil && tip == "" { // deleted meanwhile: that says nothing about its paths
		err = fmt.Errorf("ref %q: %w", ref, ErrNotFound)
	}
	return tip, err
}

// entriesAt is what the ref holds at the edited paths.
func (r *Repo) entriesAt(ctx context.Context, p layout.Place, ref string, edits []edit) ([]edit, error) {
	tip, err := r.tip(ctx, p, ref)
	if err != nil {
		return nil, err
	}
	held := make([]edit, len(edits))
	for i, e := range edits {
		entry, err := r.find(ctx, tip, e.path)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		held[i] = edit{path: e.path}
		if !entry.Dir {
			held[i].mode, held[i].hash = entry.Mode, entry.Hash
		}
	}
	return held, nil
}

// setEntries writes the entries, then lets git note the times of the files that stand on
// disk, so that it need not read them again at every status.
func (r *Repo) setEntries(ctx context.Context, p layout.Place, entries []edit) error {
	if err := r.writeEntries(ctx, p, entries); err != nil {
		return err
	}
	present, absent := onDisk(p, entries)
	if err := r.noteTimes(ctx, p, present); err != nil {
		return err
	}
	return r.keepSparse(ctx, p, absent)
}

func (r *Repo) writeEntries(ctx context.Context, p layout.Place, entries []edit) error {
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"update-index", "-z", "--index-info"}, Stdin: r.indexInfo(entries)})
	return err
}

// onDisk parts the paths that have an entry, each ended by NUL, into those that stand on
// disk and those that do not.
func onDisk(p layout.Place, entries []edit) (present, absent string) {
	for _, e := range entries {
		_, err := os.Lstat(filepath.Join(p.Top, filepath.FromSlash(e.path)))
		switch {
		case e.hash != "" && err == nil:
			present += e.path + "\x00"
		case e.hash != "":
			absent += e.path + "\x00"
		}
	}
	return present, absent
}

// noteTimes refreshes the entries of these paths, which must not change what they hold.
func (r *Repo) noteTimes(ctx context.Context, p layout.Place, paths string) error {
	if paths == "" {
		return nil
	}
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Stdin: []byte(paths), Env: []string{"GIT_LITERAL_PATHSPECS=1"},
		Args: []string{"add", "--refresh", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"}})
	if gitexec.ExitCode(err) != 0 {
		return nil // a file that differs from its entry makes git complain, without harm
	}
	return err
}

// keepSparse marks entries without a file as left out where the worktree is a sparse one;
// unmarked, they would show as deleted.
func (r *Repo) keepSparse(ctx context.Context, p layout.Place, paths string) error {
	if _, err := os.Stat(filepath.Join(p.GitDir, "info", "sparse-checkout")); err != nil || paths == "" {
		return nil
	}
	sparse, err := r.truth(ctx, p.Top, "core.sparseCheckout")
	if err != nil || !sparse {
		return err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"update-index", "-z", "--skip-worktree", "--stdin"}, Stdin: []byte(paths)})
	return err
}
