package store

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/store/disk"
	"chant/gitops"
)

// NearestFolder returns the folder, from the top of the repository, of the project to which dir belongs: that of the
// nearest `.chant` upwards. It is "" for the top, also where there is no project. Only the main worktree is asked: what is
// in another one can be an agent's. In the worktree of a run, it is the project of the run.
func NearestFolder(repo *gitops.Repo, dir string) string {
	repo = repo.Whole()
	home := repo.Home()
	at := disk.RealPath(dir)
	switch folder, _, inRun := strings.Cut(at, filepath.FromSlash("/"+Dir+"/worktrees/")); {
	case inRun:
		at = folder
	case repo.Dir() != home:
		// Another worktree of a person has the same folders.
		if below, err := filepath.Rel(repo.Dir(), at); err == nil && filepath.IsLocal(below) {
			at = filepath.Join(home, below)
		}
	}
	below, err := filepath.Rel(home, at)
	if err != nil || !filepath.IsLocal(below) {
		return ""
	}
	folder := filepath.ToSlash(below)
	for folder != "." && !isProject(filepath.Join(home, filepath.FromSlash(folder))) {
		folder = path.Dir(folder)
	}
	if folder == "." {
		return ""
	}
	return folder
}

// isProject reports whether a folder has a `.chant` with specs or settings. A link makes no project: what it leads to is in
// no commit.
func isProject(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, Dir)); err != nil || !info.IsDir() {
		return false
	}
	for _, name := range []string{SpecsDir, ConfigPath} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			return true
		}
	}
	return false
}

// Folders lists the folders of the projects of a repository that its main worktree has, from its top, sorted: "" for the top
// itself. Below the top, those count whose settings git tracks.
func Folders(ctx context.Context, repo *gitops.Repo) ([]string, error) {
	repo = repo.Whole()
	home := repo.Home()
	var out []string
	if isProject(home) {
		out = append(out, "")
	}
	tracked, err := repo.TrackedFiles(ctx, home)
	if err != nil {
		return nil, err
	}
	for _, file := range tracked {
		if folder, ok := strings.CutSuffix(file, "/"+ConfigPath); ok && isProject(filepath.Join(home, filepath.FromSlash(folder))) {
			out = append(out, folder)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
