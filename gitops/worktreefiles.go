package gitops

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/layout"
)

// errAskGit reports that files alone do not say what git would.
var errAskGit = errors.New("only git can answer that")

// worktreeFiles lists the registered worktrees as "git worktree list" does, from the files that
// git keeps about them: a run asks for them a dozen times. Errors: errAskGit where git has to be
// asked.
func (r *Repo) worktreeFiles() ([]Worktree, error) {
	if r.site.Format.Reftable {
		return nil, errAskGit
	}
	links, err := os.ReadDir(filepath.Join(r.site.Common, "worktrees"))
	if err != nil && !layout.Absent(err) {
		return nil, errAskGit
	}
	var all []Worktree
	for _, link := range links {
		w, err := r.worktreeFile(filepath.Join(r.site.Common, "worktrees", link.Name()))
		if err != nil {
			return nil, err
		}
		if w.Path != "" {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b Worktree) int { return strings.Compare(a.Path, b.Path) })
	main := Worktree{Path: r.site.Home, Bare: r.site.Format.Bare}
	if err := r.worktreeHead(&main, r.site.Common); err != nil {
		return nil, err
	}
	return append([]Worktree{main}, all...), nil
}

// worktreeFile reads what git keeps about a linked worktree in its folder. The path is "" where
// git does not count it as one.
func (r *Repo) worktreeFile(admin string) (Worktree, error) {
	text, err := layout.ReadPlain(filepath.Join(admin, "gitdir"))
	link := strings.TrimRight(string(text), " \t\r\n")
	if layout.Absent(err) || err == nil && link == "" {
		return Worktree{}, nil
	}
	if err != nil {
		return Worktree{}, errAskGit
	}
	if !filepath.IsAbs(link) {
		link = filepath.Join(admin, link)
	}
	w := Worktree{Path: strings.TrimSuffix(filepath.ToSlash(link), "/.git")}
	w.Locked = !gone(filepath.Join(admin, "locked"))
	w.Prunable = !w.Locked && gone(link)
	return w, r.worktreeHead(&w, admin)
}

// worktreeHead reads what a worktree has checked out.
func (r *Repo) worktreeHead(w *Worktree, admin string) error {
	file := filepath.Join(admin, "HEAD")
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return errAskGit
	}
	text, err := layout.ReadPlain(file)
	if err != nil {
		return errAskGit
	}
	value := strings.TrimSpace(string(text))
	ref, onBranch := strings.CutPrefix(value, "ref:")
	if !onBranch {
		if !layout.IsHash(value) {
			return errAskGit
		}
		w.Head = value
		return nil
	}
	if ref = strings.TrimSpace(ref); !layout.ValidRef(ref) || r.namesRef(ref) {
		return errAskGit
	}
	w.Branch = strings.TrimPrefix(ref, layout.Heads)
	w.Head, err = r.fileRef(ref, 0)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return errAskGit
	}
	return nil
}

// namesRef reports whether a ref is symbolic: it names another one.
func (r *Repo) namesRef(ref string) bool {
	file := filepath.Join(r.site.Common, filepath.FromSlash(ref))
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return err == nil && !info.IsDir()
	}
	text, err := layout.ReadPlain(file)
	return err != nil || strings.HasPrefix(strings.TrimSpace(string(text)), "ref:")
}
