package setup

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Packages says how the packages that a project needs come into the worktrees of runs, which have only what is committed.
type Packages struct {
	Link  []string // ignored folders that are there and that worktrees can get a link to
	Setup []string // commands that install what is not there; they need the network
}

// manager is a package manager that keeps packages in a folder of the project.
type manager struct {
	file    string   // that it reads, at the top of the project
	folders []string // the first that exists counts
	install string   // makes the first folder, "" if that is unusual
}

// managers lists them; of several with the same folder the first whose file is there counts.
func managers() []manager {
	node, venv := []string{"node_modules"}, []string{".venv", "venv"}
	return []manager{
		{"pnpm-lock.yaml", node, "pnpm install --frozen-lockfile"},
		{"yarn.lock", node, "yarn install --frozen-lockfile"},
		{"bun.lock", node, "bun install --frozen-lockfile"},
		{"bun.lockb", node, "bun install --frozen-lockfile"},
		{"package-lock.json", node, "npm ci"},
		{"npm-shrinkwrap.json", node, "npm ci"},
		// Without a lock file it may have no packages.
		{"package.json", node, ""},
		{"uv.lock", venv, "uv sync --frozen"},
		{"poetry.lock", venv, "poetry install"},
		{"pyproject.toml", venv, ""},
		{"requirements.txt", venv, ""},
		{"setup.py", venv, ""},
		{"Gemfile", []string{"vendor/bundle"}, ""},
		{"composer.lock", []string{"vendor"}, "composer install"},
		{"composer.json", []string{"vendor"}, ""},
		{"mix.exs", []string{"deps"}, ""},
	}
}

// PackagesOf says how the packages of a project come into worktrees. ignored returns which of some paths git ignores.
func PackagesOf(top fs.FS, ignored func(paths []string) (map[string]bool, error)) (Packages, error) {
	var p Packages
	var there, done []string
	for _, m := range managers() {
		// Managers with the same folder are different ways to fill it.
		if _, err := fs.Stat(top, m.file); err != nil || slices.Contains(done, m.folders[0]) {
			continue
		}
		done = append(done, m.folders[0])
		at := slices.IndexFunc(m.folders, func(folder string) bool { return isDir(top, folder) })
		switch {
		case at >= 0:
			there = append(there, m.folders[at])
		case m.install != "":
			p.Setup = append(p.Setup, m.install)
		}
	}
	// A workspace has the packages of its parts in folders below them.
	if slices.Contains(there, "node_modules") {
		there = append(there, workspaceFolders(top)...)
	}
	if len(there) == 0 {
		return p, nil
	}
	// A folder that git tracks is in the worktree anyway.
	skipped, err := ignored(there)
	for _, folder := range there {
		if skipped[folder] {
			p.Link = append(p.Link, folder)
		}
	}
	return p, err
}

// maxWorkspaces bounds how many packages of a workspace get a link.
const maxWorkspaces = 50

// workspaceFolders lists the folders of packages that the packages of a workspace have beside those of the top.
func workspaceFolders(top fs.FS) []string {
	var out []string
	for _, pattern := range []string{"*/node_modules", "*/*/node_modules"} {
		found, err := fs.Glob(top, pattern)
		if err != nil {
			// The pattern is a constant.
			continue
		}
		for _, folder := range found {
			// Packages in packages have folders of their own, which the link of the upper one covers.
			if _, err := fs.Stat(top, path.Dir(folder)+"/package.json"); err == nil && !strings.Contains(path.Dir(folder), "node_modules") && isDir(top, folder) {
				out = append(out, folder)
			}
		}
	}
	return out[:min(len(out), maxWorkspaces)]
}

func isDir(top fs.FS, name string) bool {
	info, err := fs.Stat(top, name)
	return err == nil && info.IsDir()
}
