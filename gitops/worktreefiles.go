package gitops

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// errAskGit reports that files alone do not say what git would.
var errAskGit = errors.New("only git can answer that")

// worktreeFiles lists the registered worktrees as "git worktree list" does, from the files that
// git keeps about them: a run asks for them a dozen times. Errors: errAskGit where git has to be
// asked.
func (r *Repo) worktreeFiles() ([]Worktree, error) {
	if r.format.reftable {
		return nil, errAskGit
	}
	links, err := os.ReadDir(filepath.Join(r.common, "worktrees"))
	if err != nil && !absent(err) {
		return nil, errAskGit
	}
	var all []Worktree
	for _, link := range links {
		w, err := r.worktreeFile(filepath.Join(r.common, "worktrees", link.Name()))
		if err != nil {
			return nil, err
		}
		if w.Path != "" {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b Worktree) int { return strings.Compare(a.Path, b.Path) })
	main := Worktree{Path: r.home, Bare: r.format.bare}
	if err := r.worktreeHead(&main, r.common); err != nil {
		return nil, err
	}
	return append([]Worktree{main}, all...), nil
}

// worktreeFile reads what git keeps about a linked worktree in its folder. The path is "" where
// git does not count it as one.
func (r *Repo) worktreeFile(admin string) (Worktree, error) {
	text, err := readPlain(filepath.Join(admin, "gitdir"))
	link := strings.TrimRight(string(text), " \t\r\n")
	if absent(err) || err == nil && link == "" {
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
	text, err := readPlain(file)
	if err != nil {
		return errAskGit
	}
	value := strings.TrimSpace(string(text))
	ref, onBranch := strings.CutPrefix(value, "ref:")
	if !onBranch {
		if !isHash(value) {
			return errAskGit
		}
		w.Head = value
		return nil
	}
	if ref = strings.TrimSpace(ref); !validRef(ref) || r.namesRef(ref) {
		return errAskGit
	}
	w.Branch = strings.TrimPrefix(ref, heads)
	w.Head, err = r.fileRef(ref, 0)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return errAskGit
	}
	return nil
}

// namesRef reports whether a ref is symbolic: it names another one.
func (r *Repo) namesRef(ref string) bool {
	file := filepath.Join(r.common, filepath.FromSlash(ref))
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return err == nil && !info.IsDir()
	}
	text, err := readPlain(file)
	return err != nil || strings.HasPrefix(strings.TrimSpace(string(text)), "ref:")
}
