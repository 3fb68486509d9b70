package gitops

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/layout"
)

// ErrAskGit says that files alone do not say what git would.
var ErrAskGit = errors.New("only git can answer that")

// FromFiles lists the registered worktrees as "git worktree list" does, from the files that
// git keeps about them: a run asks for them a dozen times. Errors: ErrAskGit where git has to be
// asked.
func (t *Trees) FromFiles() ([]Worktree, error) {
	if t.Site.Format.Reftable {
		return nil, ErrAskGit
	}
	links, err := os.ReadDir(filepath.Join(t.Site.Common, "worktrees"))
	if err != nil && !layout.Absent(err) {
		return nil, ErrAskGit
	}
	var all []Worktree
	for _, link := range links {
		w, err := t.worktreeFile(filepath.Join(t.Site.Common, "worktrees", link.Name()))
		if err != nil {
			return nil, err
		}
		if w.Path != "" {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b Worktree) int { return strings.Compare(a.Path, b.Path) })
	main := Worktree{Path: t.Site.Home, Bare: t.Site.Format.Bare}
	if err := t.worktreeHead(&main, t.Site.Common); err != nil {
		return nil, err
	}
	return append([]Worktree{main}, all...), nil
}

// worktreeFile reads what git keeps about a linked worktree in its folder. The path is "" where
// git does not count it as one, or where the folder is an agent's and what it says is not true.
func (t *Trees) worktreeFile(admin string) (Worktree, error) {
	text, err := layout.ReadName(filepath.Join(admin, "gitdir"))
	link := strings.TrimRight(string(text), " \t\r\n")
	// Git does not count a folder without this file as a worktree either.
	if layout.Absent(err) || err == nil && link == "" {
		return Worktree{}, nil
	}
	if err != nil {
		// An agent can put anything there, even a pipe, for which git would wait.
		if t.Site.Claim(admin, "").Hostile {
			return Worktree{}, nil
		}
		return Worktree{}, ErrAskGit
	}
	if !filepath.IsAbs(link) {
		link = filepath.Join(admin, link)
	}
	w := Worktree{Path: strings.TrimSuffix(filepath.ToSlash(link), "/.git")}
	w.Locked = !isMissing(filepath.Join(admin, "locked"))
	w.Prunable = !w.Locked && isMissing(link)
	c := t.Site.Claim(admin, filepath.FromSlash(w.Path))
	// What such a folder says about a path counts only if it is true.
	if c.Hostile && !c.Right {
		return Worktree{}, nil
	}
	err = t.worktreeHead(&w, admin)
	// An agent can write any branch into its HEAD; only the one that is its own is believed.
	if c.Hostile {
		return withOwnBranch(w, c), nil
	}
	return w, err
}

// withOwnBranch is a worktree whose folder of git is an agent's, without a branch that cannot be its own.
func withOwnBranch(w Worktree, c layout.Claim) Worktree {
	if w.Branch != c.Branch {
		w.Branch = ""
	}
	return w
}

// worktreeHead reads what a worktree has checked out.
func (t *Trees) worktreeHead(w *Worktree, admin string) error {
	file := filepath.Join(admin, "HEAD")
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return ErrAskGit
	}
	text, err := layout.ReadName(file)
	if err != nil {
		return ErrAskGit
	}
	value := strings.TrimSpace(string(text))
	ref, onBranch := strings.CutPrefix(value, "ref:")
	if !onBranch {
		if !layout.IsHash(value) {
			return ErrAskGit
		}
		w.Head = value
		return nil
	}
	// Git shows the branch behind a symbolic one.
	if ref = strings.TrimSpace(ref); !layout.ValidRef(ref) || t.Refs.IsSymbolic(ref) {
		return ErrAskGit
	}
	w.Branch = strings.TrimPrefix(ref, layout.Heads)
	return nil
}
