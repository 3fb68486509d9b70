package corpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chant/engine/store/stamp"
	"chant/gitops"
)

// Read returns the manifest of the worktree of repo whose top is root. What an earlier manifest knows of files whose
// stamps have not changed is taken from it; it may be nil.
func Read(ctx context.Context, repo *gitops.Repo, root string, rules Rules, before *Manifest) (*Manifest, error) {
	if before != nil && before.Rules != rules.String() {
		before = nil
	}
	r := reader{rules: rules, root: root, before: before, now: time.Now(), manifest: &Manifest{Root: root, Rules: rules.String()}, folders: map[string]bool{}}
	if err := r.watchGit(repo, root); err != nil {
		return nil, err
	}
	if err := r.list(ctx, repo, root, ""); err != nil {
		return nil, err
	}
	slices.SortFunc(r.manifest.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if err := r.stampFiles(ctx); err != nil {
		return nil, err
	}
	r.manifest.Files = slices.DeleteFunc(r.manifest.Files, func(f File) bool { return f.Skipped == notRegular || f.Skipped == isGone })
	if err := r.watchFolders(ctx, repo); err != nil {
		return nil, err
	}
	return r.manifest, ctx.Err()
}

// reader makes a manifest.
type reader struct {
	rules    Rules
	root     string
	before   *Manifest
	now      time.Time
	manifest *Manifest
	folders  map[string]bool // relative to the root, "." for the root
}

// list adds the files of a repository, whose top is at prefix below the root.
func (r *reader) list(ctx context.Context, repo *gitops.Repo, top, prefix string) error {
	files, err := repo.WorkFiles(ctx, top)
	if err != nil {
		return err
	}
	for _, f := range files {
		name := path.Join(prefix, f.Path)
		switch f.Kind {
		case gitops.WorkSubmodule:
			if err := r.submodule(ctx, repo, name); err != nil {
				return err
			}
		case gitops.WorkLink: // of which only git may still know
			if info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(f.Path))); err != nil || !info.Mode().IsRegular() {
				continue
			}
			f.Hash = ""
			fallthrough
		case gitops.WorkRegular:
			r.manifest.Files = append(r.manifest.Files, File{Path: name, Hash: f.Hash})
			for folder := path.Dir(name); !r.folders[folder]; folder = path.Dir(folder) {
				r.folders[folder] = true
			}
		}
	}
	return nil
}

// submodule adds the files of a submodule, if it is checked out.
func (r *reader) submodule(ctx context.Context, from *gitops.Repo, name string) error {
	top := filepath.Join(r.root, filepath.FromSlash(name))
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil {
		r.folders[name] = true // it may be checked out later
		return nil
	}
	repo, err := from.OpenOther(top)
	if err != nil || repo.Dir() != top {
		return nil //nolint:nilerr // what stands there is not the submodule
	}
	if err := r.watchGit(repo, top); err != nil {
		return err
	}
	return r.list(ctx, repo, top, name)
}

// watchGit notes the files of git that say what belongs to the worktree.
func (r *reader) watchGit(repo *gitops.Repo, top string) error {
	own, err := repo.GitDir(top)
	if err != nil {
		return err
	}
	for _, name := range []string{filepath.Join(own, "index"), filepath.Join(repo.CommonDir(), "info", "exclude"), filepath.Join(repo.CommonDir(), "config")} {
		r.manifest.Watched = append(r.manifest.Watched, Watched{Path: name, Stamp: stampOf(name)})
	}
	return nil
}

func stampOf(name string) stamp.Stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp.Stamp{}
	}
	return stamp.Of(info)
}

// Why a path that git lists does not belong to the worktree.
const (
	notRegular = "not a regular file"
	isGone     = "is gone"
)

// stampFiles finds out the stamp of each file, and the blob of each that differs from git's index.
func (r *reader) stampFiles(ctx context.Context) error {
	long := r.hasLongNames()
	return each(ctx, len(r.manifest.Files), func(i int) { r.stampFile(&r.manifest.Files[i], long) })
}

// hasLongNames reports whether the repository names its objects by SHA-256.
func (r *reader) hasLongNames() bool {
	for _, f := range r.manifest.Files {
		if f.Hash != "" {
			return len(f.Hash) > 40
		}
	}
	return false
}

func (r *reader) stampFile(f *File, long bool) {
	if f.Skipped = r.rules.Path(f.Path); f.Skipped != "" {
		f.Hash = ""
		return
	}
	name := filepath.Join(r.root, filepath.FromSlash(f.Path))
	info, err := os.Lstat(name)
	if err != nil {
		f.fail(err)
		return
	}
	now := stamp.Of(info)
	if now.Settled(r.now) {
		f.Stamp = now
	}
	switch {
	case !info.Mode().IsRegular():
		f.Hash, f.Skipped = "", notRegular
		return
	case r.rules.Size(info.Size()) != "":
		f.Hash, f.Skipped = "", r.rules.Size(info.Size())
		return
	case f.Hash != "":
		return
	}
	if known, ok := r.known(f.Path); ok && known.Stamp == now && now.Known() && known.Hash != "" {
		f.Hash = known.Hash
		return
	}
	text, read, err := stamp.ReadFile(name, r.now)
	if err != nil {
		f.fail(err)
		return
	}
	f.Hash, f.Stamp = gitops.BlobName(text, long), read
}

// fail notes that a file cannot be read.
func (f *File) fail(err error) {
	f.Hash, f.Failed = "", true
	if f.Skipped = "cannot be read"; errors.Is(err, fs.ErrPermission) {
		f.Skipped = "cannot be read: permission denied"
	}
	if errors.Is(err, fs.ErrNotExist) {
		f.Skipped, f.Failed = isGone, false
	}
}

func (r *reader) known(name string) (File, bool) {
	if r.before == nil {
		return File{}, false
	}
	return r.before.Find(name)
}

// watchFolders notes the stamp of each folder with files, and of those without that git does not ignore.
func (r *reader) watchFolders(ctx context.Context, repo *gitops.Repo) error {
	r.folders["."] = true
	names := make([]string, 0, len(r.folders))
	for name := range r.folders {
		names = append(names, name)
	}
	slices.Sort(names)
	var unknown []string
	for len(names) > 0 {
		for _, name := range names {
			unknown = append(unknown, r.watchFolder(name)...)
		}
		ignored, err := repo.IgnoredIn(ctx, r.root, unknown...)
		if err != nil {
			return err
		}
		names = names[:0]
		for _, name := range unknown {
			if !ignored[name] {
				r.folders[name] = true
				names = append(names, name)
			}
		}
		unknown = nil
	}
	return nil
}

// watchFolder notes the stamp of a folder and returns the folders in it of which nothing is known.
func (r *reader) watchFolder(name string) (unknown []string) {
	full := filepath.Join(r.root, filepath.FromSlash(name))
	now := stampOf(full)
	if !now.Settled(r.now) {
		now = stamp.Stamp{}
	}
	r.manifest.Watched = append(r.manifest.Watched, Watched{Path: name, Stamp: now})
	entries, err := os.ReadDir(full)
	if err != nil {
		return nil // it is gone; the next check notices
	}
	for _, e := range entries {
		below := path.Join(name, e.Name())
		if !e.IsDir() || r.folders[below] || e.Name() == ".git" {
			continue
		}
		if isRepository(filepath.Join(full, e.Name())) {
			continue
		}
		unknown = append(unknown, below)
	}
	return unknown
}

// isRepository reports whether a folder is the top of another repository.
func isRepository(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

// IsCurrent reports whether nothing has changed since the manifest was made.
func (m *Manifest) IsCurrent(ctx context.Context) bool {
	below, err := stamp.OpenBelow(m.Root)
	if err != nil {
		return false
	}
	defer below.Close()
	var changed atomic.Bool
	err = each(ctx, len(m.Watched)+len(m.Files), func(i int) {
		if !changed.Load() && !m.same(below, i) {
			changed.Store(true)
		}
	})
	return err == nil && !changed.Load()
}

// each calls do for the numbers below n, on all processors.
func each(ctx context.Context, n int, do func(int)) error {
	const atOnce = 64
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n/atOnce+1) {
		all.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(atOnce)) - atOnce
				if from >= n {
					return
				}
				for i := from; i < min(from+atOnce, n); i++ {
					do(i)
				}
			}
		})
	}
	all.Wait()
	return ctx.Err()
}
