package layout

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// bareHome chooses the worktree that stands in for the main one in a bare repository: the one that
// has the repository's default branch (its HEAD) checked out, else main or master, else the first by
// path that has a `.chant` folder, else the one that was asked from, "" where that is none. All
// processes find the same one, wherever they run. Worktrees below the `.chant` of another one, and those on
// the branch of a run, are never chosen before these.
func bareHome(common, asked string) string {
	trees := bareTrees(common)
	byBranch := func(branch string) string {
		for _, t := range trees {
			if t.branch == branch {
				return t.top
			}
		}
		return ""
	}
	// Branches do not depend on where a process was started, so all of them find the same worktree.
	for _, branch := range []string{symbolicBranch(common), "main", "master"} {
		if top := byBranch(branch); branch != "" && top != "" {
			return top
		}
	}
	for _, t := range trees {
		if info, err := os.Stat(filepath.Join(t.top, ".chant")); err == nil && info.IsDir() {
			return t.top
		}
	}
	return asked
}

// bareTree is a linked worktree of a bare repository and the branch it has checked out.
type bareTree struct{ top, branch string }

// bareTrees lists the worktrees that people made, sorted by path. Those of runs are recognised by
// where they are, by their branches or, since an agent can write all that git keeps of its worktree, by their journals.
func bareTrees(common string) []bareTree {
	links, _ := os.ReadDir(filepath.Join(common, "worktrees")) // none: there is no worktree
	var trees []bareTree
	for _, link := range links {
		admin := filepath.Join(common, "worktrees", link.Name())
		text, err := ReadName(filepath.Join(admin, "gitdir"))
		if err != nil {
			// It was removed meanwhile.
			continue
		}
		top := RealPath(filepath.Dir(Resolve(admin, strings.TrimSpace(string(text)))))
		// Only a worktree whose ".git" leads back is one: the other direction is a file that an agent may have written.
		if dir, err := gitDirOf(top, RealPaths{}); err != nil || RealPath(dir) != RealPath(admin) {
			continue
		}
		branch := symbolicBranch(admin)
		inside := strings.Contains(filepath.ToSlash(top), "/.chant/")
		// An agent can write all that git keeps of its worktree, so place, journal and branch each suffice for a run.
		if !inside && len(RunsOf(common, link.Name())) == 0 && !strings.HasPrefix(branch, "chant/") && !strings.HasPrefix(branch, "chant-") {
			trees = append(trees, bareTree{top, branch})
		}
	}
	slices.SortFunc(trees, func(a, b bareTree) int { return strings.Compare(a.top, b.top) })
	return trees
}

// RunsOf returns the names of the runs and checks of which one can have a folder that git keeps of a worktree, none for that
// of a person's worktree. Such a folder has the name of its run, to which git adds a number if there is one of that name, and
// each run has a journal, which no agent can write.
func RunsOf(common, admin string) (names []string) {
	if strings.HasPrefix(admin, "-check-") || strings.HasPrefix(admin, "-spare-") { // which earlier versions have kept
		return []string{"." + admin[1:]}
	}
	states := []string{filepath.Join(common, "chant")}
	// Each project in a folder of the repository has journals of its own.
	folders, _ := os.ReadDir(filepath.Join(states[0], "projects")) // none: there is no such project
	for _, f := range folders {
		states = append(states, filepath.Join(states[0], "projects", f.Name()))
	}
	// Git adds a number to the name if there is a folder of that name.
	for _, name := range slices.Compact([]string{admin, strings.TrimRight(admin, "0123456789")}) {
		for _, state := range states {
			if _, err := os.Lstat(filepath.Join(state, "runs", name+".jsonl")); err == nil {
				names = append(names, name)
				break
			}
		}
	}
	return names
}

// symbolicBranch is the branch that the HEAD of a git folder names, "" for none.
func symbolicBranch(gitDir string) string {
	text, err := ReadName(filepath.Join(gitDir, "HEAD"))
	if err != nil {
		return ""
	}
	ref, symbolic := strings.CutPrefix(strings.TrimSpace(string(text)), "ref:")
	if !symbolic {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSpace(ref), Heads)
}
