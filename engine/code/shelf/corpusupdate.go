package shelf

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/store/disk"
	"chant/gitops"
)

// maxUpdated limits the files and folders that differ for an update; for more, a list by git is faster.
const maxUpdated = 2000

// UpdateCorpus returns the manifest of a worktree as it is now: before itself if nothing has changed, otherwise what Read
// returns. If only files and folders have changed, git is not asked for a list of all files. before may be nil.
func UpdateCorpus(ctx context.Context, repo *gitops.Repo, root string, rules Rules, before *Manifest) (*Manifest, error) {
	if before == nil || before.Rules != rules.String() {
		return ReadCorpus(ctx, repo, root, rules, nil)
	}
	now := time.Now()
	c, err := before.compare(ctx)
	if err != nil || c.isEmpty() {
		return before, err
	}
	// git knows best what a changed index means, and for very many changes its list is faster.
	if c.git || len(c.files)+len(c.watched) > maxUpdated {
		return ReadCorpus(ctx, repo, root, rules, before)
	}
	u := updater{
		reader:  reader{rules: rules, root: root, before: before, now: now},
		changes: c, gone: map[string]bool{}, stamps: map[string]disk.Stamp{},
	}
	m, err := u.update(ctx, repo)
	if m == nil && err == nil {
		m, err = ReadCorpus(ctx, repo, root, rules, before)
	}
	return m, err
}

// changes are the differences from a manifest.
type changes struct {
	git     bool  // what git knows: its index, or its rules of what to ignore
	files   []int // of Files
	watched []int // of Watched: folders
}

func (c changes) isEmpty() bool { return !c.git && len(c.files)+len(c.watched) == 0 }

// compare looks at each file and folder.
func (m *Manifest) compare(ctx context.Context) (changes, error) {
	var c changes
	below, err := disk.OpenBelow(m.Root)
	if err != nil {
		// Reading the worktree anew reports what is wrong with it.
		return changes{git: true}, nil
	}
	defer below.Close()
	var mu sync.Mutex
	err = each(ctx, len(m.Watched)+len(m.Files), func(i int) {
		if m.isUnchanged(below, i) {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		switch f := i - len(m.Watched); {
		case f >= 0:
			c.files = append(c.files, f)
		case filepath.IsAbs(m.Watched[i].Path):
			c.git = true
		default:
			c.watched = append(c.watched, i)
		}
	})
	slices.Sort(c.files)
	slices.Sort(c.watched)
	return c, err
}

// isUnchanged reports whether what has this number, first of Watched and then of Files, is as it was.
func (m *Manifest) isUnchanged(below disk.Below, i int) bool {
	if i < len(m.Watched) {
		w := m.Watched[i]
		if filepath.IsAbs(w.Path) {
			return stampOf(w.Path) == w.Stamp
		}
		return w.Stamp.Known() && below.Stamp(w.Path) == w.Stamp
	}
	f := &m.Files[i-len(m.Watched)]
	if f.Hash == "" && !f.Stamp.Known() {
		// It is left out for its path.
		return true
	}
	return f.Stamp.Known() && below.Stamp(f.Path) == f.Stamp
}

// updater makes a manifest of an earlier one.
type updater struct {
	reader
	changes
	gone   map[string]bool       // paths of files and folders
	stamps map[string]disk.Stamp // of folders that have changed
	news   []string              // paths of files and folders of which nothing is known, in changed folders
}

// update returns nil if git must be asked.
func (u *updater) update(ctx context.Context, repo *gitops.Repo) (*Manifest, error) {
	inside := u.inChanged()
	for _, i := range u.watched {
		if !u.folder(u.before.Watched[i].Path, inside) {
			return nil, ctx.Err()
		}
	}
	ignored, err := repo.IgnoredIn(ctx, u.root, u.news...)
	if err != nil {
		// git cannot be asked about all paths, such as those in a submodule.
		return nil, ctx.Err()
	}
	m := &Manifest{Root: u.root, Rules: u.rules.String(), Files: slices.Clone(u.before.Files)}
	u.manifest = m
	long := u.hasLongNames()
	for _, i := range u.files {
		if !u.refresh(&m.Files[i], long) {
			return nil, ctx.Err()
		}
	}
	for _, name := range u.news {
		if ignored[name] {
			continue
		}
		info, err := os.Lstat(filepath.Join(u.root, filepath.FromSlash(name)))
		if err != nil || !info.Mode().IsRegular() {
			// A new folder may have files of its own, which git lists.
			return nil, ctx.Err()
		}
		f := File{Path: name}
		u.stampFile(&f, long)
		m.Files = append(m.Files, f)
	}
	// Files go at the end, because positions in the old manifest were used until here.
	m.Files = slices.DeleteFunc(m.Files, func(f File) bool { return u.gone[f.Path] })
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for _, w := range u.before.Watched {
		if now, changed := u.stamps[w.Path]; changed {
			w.Stamp = now
		}
		if !u.gone[w.Path] {
			m.Watched = append(m.Watched, w)
		}
	}
	return m, ctx.Err()
}

// inChanged returns the paths of all that is known in the folders that have changed.
func (u *updater) inChanged() map[string]bool {
	changed := make(map[string]bool, len(u.watched))
	for _, i := range u.watched {
		changed[u.before.Watched[i].Path] = true
	}
	inside := map[string]bool{}
	for _, f := range u.before.Files {
		if changed[path.Dir(f.Path)] {
			inside[f.Path] = true
		}
	}
	for _, w := range u.before.Watched {
		if !filepath.IsAbs(w.Path) && w.Path != "." && changed[path.Dir(w.Path)] {
			inside[w.Path] = true
		}
	}
	return inside
}

// folder compares a folder with what is known in it. It returns false if git must be asked.
func (u *updater) folder(name string, inside map[string]bool) bool {
	full := filepath.Join(u.root, filepath.FromSlash(name))
	now := stampOf(full)
	if !now.Settled(u.now) {
		now = disk.Stamp{}
	}
	u.stamps[name] = now
	entries, err := os.ReadDir(full)
	// The top itself is never gone: then the whole worktree is read anew, which reports the error.
	if u.gone[name] = err != nil; err != nil && (!os.IsNotExist(err) || name == ".") {
		return false
	}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		below := path.Join(name, e.Name())
		there[below] = true
		if inside[below] {
			continue
		}
		switch e.Name() {
		case ".git":
			if name == "." {
				continue
			}
			// Another repository has come, whose files do not belong here.
			return false
		// These change what belongs to the worktree, which only git knows.
		case ".gitignore", ".gitattributes", ".gitmodules":
			return false
		}
		if e.IsDir() && isWhole(filepath.Join(full, e.Name(), ".git")) {
			continue
		}
		// What is left out by its path is not looked at.
		if e.IsDir() || e.Type().IsRegular() || u.rules.Path(below) != "" {
			u.news = append(u.news, below)
		}
	}
	for below := range inside {
		if path.Dir(below) == name && !there[below] {
			u.gone[below] = true
		}
	}
	return true
}

// isWhole reports whether git takes a path for a repository of its own: one that is not whole belongs to the worktree.
func isWhole(git string) bool {
	info, err := os.Lstat(git)
	if err != nil || !info.IsDir() {
		return err == nil
	}
	for _, part := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(git, part)); err != nil {
			return false
		}
	}
	return true
}

// refresh finds out what a file contains now. It returns false if git must be asked.
func (u *updater) refresh(f *File, long bool) bool {
	// A changed rule can concern any file.
	if base := path.Base(f.Path); base == ".gitignore" || base == ".gitattributes" || base == ".gitmodules" {
		return false
	}
	name := filepath.Join(u.root, filepath.FromSlash(f.Path))
	info, err := os.Lstat(name)
	if err != nil {
		u.gone[f.Path] = true
		return os.IsNotExist(err)
	}
	if !info.Mode().IsRegular() {
		u.gone[f.Path] = true
		return !info.IsDir()
	}
	before := f.Hash
	f.Hash, f.Stamp, f.Skipped, f.Failed = "", disk.Stamp{}, "", false
	u.stampFile(f, long)
	// A file whose blob differs only by its line ends is one that git would not list as changed.
	return f.Hash == before || before == "" || !u.isFiltered(name, before, long)
}

// isFiltered reports whether a file whose bytes are not those of its blob may have it all the same: by its line ends.
func (u *updater) isFiltered(name, blob string, long bool) bool {
	text, err := os.ReadFile(name)
	return err == nil && strings.Contains(string(text), "\r\n") && gitops.BlobName([]byte(strings.ReplaceAll(string(text), "\r\n", "\n")), long) == blob
}
