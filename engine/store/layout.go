package store

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"chant/archive"
	"chant/engine/store/local"
)

// Dir is the folder that makes a repository a chant project.
const Dir = local.Dir

// Paths below home, in the notation of git.
const (
	ConfigPath   = Dir + "/config.md"
	KeysDir      = Dir + "/keys" // the public keys whose evidence is trusted
	SpecsDir     = Dir + "/" + archive.Active
	ArchiveDir   = Dir + "/" + archive.Root
	PromptsDir   = Dir + "/prompts"
	ProvidersDir = Dir + "/providers"
	RulesPath    = Dir + "/rules.md" // rules that all work follows
	RulesDir     = Dir + "/rules"    // further ones, also about some files only
	SprintsDir   = Dir + "/sprints"
	PlansDir     = Dir + "/plans"

	// ImportedPath lists what was imported of a .tasks directory, one in a line, so that it is not read there again.
	ImportedPath = Dir + "/tasks/imported"
	// ImportsDir has, for each other tool, what was last imported of it.
	ImportsDir = Dir + "/imports"
)

// SprintPath is the path of a sprint, relative to the top of a worktree.
func SprintPath(n int) string { return fmt.Sprintf("%s/%d.md", SprintsDir, n) }

// SpecPath is the path of a spec, relative to the top of a worktree.
func SpecPath(id string) string { return Dir + "/" + archive.ActivePath(id) }

// SpecOf is the id of the spec at a path relative to the top of a worktree, false
// for other paths. Files whose name begins with a dot are not specs.
func SpecOf(file string) (id string, ok bool) {
	id, ok = strings.CutSuffix(path.Base(file), ".md")
	return id, ok && file == SpecPath(id) && id != "" && id[0] != '.'
}

// ArchivedOf is the id of the spec whose archived file has this path relative to the top of a worktree,
// false for other paths.
func ArchivedOf(file string) (id string, ok bool) {
	below, ok := strings.CutPrefix(file, Dir+"/")
	if !ok {
		return "", false
	}
	return archive.Archived(below)
}

// Places lists the paths, relative to the top of a worktree, at which any version of chant puts the file of a
// spec.
func Places(id string) []string {
	out := archive.Places(id)
	for i, name := range out {
		out[i] = Dir + "/" + name
	}
	return out
}

// ErrNotInitialized says that there is no `.chant/specs` folder. Its text is part
// of the MCP contract.
//
//lint:ignore ST1005 the contract fixes the text
var ErrNotInitialized = errors.New("Chant not initialized. Run `chant init` first.")
