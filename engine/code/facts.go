package code

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/code/exact"
	"chant/engine/code/gotypes"
	"chant/engine/code/shelf"
)

// goFacts are the certain facts about the Go code of a worktree.
type goFacts struct {
	key     string // of what it was found from; "" if there is no Go code
	facts   *exact.Facts
	notices []string // why links are found by names
}

// goFactsOf returns what is certain about the Go code of a worktree: what is stored for the same contents, or what a type
// checker finds now. The error is that of the context.
func goFactsOf(ctx context.Context, p *engine.Project, shot *shelf.Snapshot) (goFacts, error) {
	key, now := goKey(p, shot), p.Now()
	if key == "" {
		return goFacts{}, nil
	}
	// Checking types takes seconds, so facts are kept for each content of all Go files.
	if stored := shot.Facts(ctx, key); stored != nil && isCurrent(stored, now) {
		return goFacts{key, stored, stored.Notices}, nil
	}
	// Files are read as the snapshot has them, even if they have changed since: the facts belong to its key.
	facts, err := gotypes.Load(ctx, gotypes.Request{Root: shot.Manifest.Root, Modules: modulesOf(shot), Now: now, Environ: p.Environ, Read: func(name string) ([]byte, bool) {
		f, ok := shot.Manifest.Find(name)
		if !ok || f.Hash == "" || f.Skipped != "" {
			return nil, false
		}
		text, why := shot.Text(ctx, f)
		return text, why == ""
	}})
	if errors.Is(err, gotypes.ErrNoGo) {
		return goFacts{key: key, notices: []string{"Links of Go code are found by names: " + err.Error() + "."}}, nil
	}
	if err != nil {
		return goFacts{}, err
	}
	shot.StoreFacts(ctx, key, facts)
	return goFacts{key, facts, facts.Notices}, nil
}

// isCurrent reports whether facts still hold for a snapshot: no file beside it has changed, and nothing is due again.
func isCurrent(f *exact.Facts, now time.Time) bool {
	if f.Until != 0 && now.Unix() > f.Until {
		return false
	}
	return !slices.ContainsFunc(f.Beside, func(b exact.Beside) bool { return gotypes.ReadBeside(b.Path) != b })
}

// isCurrent reports whether the facts still hold for their snapshot.
func (f goFacts) isCurrent(p *engine.Project, shot *shelf.Snapshot) bool {
	return f.key == goKey(p, shot) && (f.facts == nil || isCurrent(f.facts, p.Now()))
}

// goKey names all that the facts of a worktree depend on: the contents of all Go files, the files of modules, and the go
// command. It is "" without Go code.
func goKey(p *engine.Project, shot *shelf.Snapshot) string {
	sum, isGo := sha256.New(), false
	for _, f := range shot.Manifest.Files {
		isFile := path.Ext(f.Path) == ".go"
		isGo = isGo || isFile
		switch {
		case isFile && f.Hash != "":
			fmt.Fprintf(sum, "%s %s\n", f.Hash, f.Path)
		case isFile || isOfModule(f.Path):
			// What is left out of the index is read by go all the same.
			text, err := os.ReadFile(filepath.Join(shot.Manifest.Root, filepath.FromSlash(f.Path)))
			fmt.Fprintf(sum, "%x %s %t\n", sha256.Sum256(text), f.Path, err == nil)
		}
	}
	if !isGo {
		return ""
	}
	for _, module := range modulesOf(shot) {
		// A go.work applies from any folder above a module.
		for dir := filepath.Join(shot.Manifest.Root, filepath.FromSlash(module)); ; dir = filepath.Dir(dir) {
			// git often ignores this file, so the manifest does not have it.
			text, err := os.ReadFile(filepath.Join(dir, "go.work"))
			fmt.Fprintf(sum, "%x %s %t\n", sha256.Sum256(text), dir, err == nil)
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	fmt.Fprintln(sum, gotypes.Identity(p.Environ))
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func isOfModule(name string) bool {
	base := path.Base(name)
	return base == "go.mod" || base == "go.sum" || base == "go.work.sum" || base == "modules.txt"
}

func modulesOf(shot *shelf.Snapshot) []string {
	var names []string
	for _, f := range shot.Manifest.Files {
		if path.Base(f.Path) == "go.mod" {
			names = append(names, f.Path)
		}
	}
	return gotypes.Modules(names)
}
