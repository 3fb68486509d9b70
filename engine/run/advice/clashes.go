package advice

import (
	"context"
	"maps"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store"
)

// Clash is a pair of branches that will conflict: each merges with what it began from, and they do not merge with each other.
type Clash struct {
	IDs   [2]string `json:"ids"`
	Files []string  `json:"files"`
}

// Clashes finds the branches under way that will conflict with each other. It remembers what it has found of two commits; the
// zero value knows of none.
type Clashes struct {
	files  map[string][]string    // that a branch changes, by base and tip
	merges map[[2]string][]string // in which files two tips conflict
}

// mergesAtOnce bounds the merges of one look, for which ready specs have to wait. The next look makes the others.
const mergesAtOnce = 50

// underWay is a branch that has not landed, with what it changes.
type underWay struct {
	id, tip string
	files   []string
}

// Find merges in memory, without a worktree, the branches of specs that change the same files. Specs do not count: those are
// merged field by field. Error: that of ctx.
func (c *Clashes) Find(ctx context.Context, p *engine.Project, specs []*spec.Spec) ([]Clash, error) {
	files, merges := map[string][]string{}, map[[2]string][]string{}
	var branches []underWay
	for _, s := range specs {
		if s.Branch == "" || s.Landed || s.Status == spec.Cancelled {
			continue
		}
		b, key, err := c.changes(ctx, p, s)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// Its branch has just gone, or has nothing in common with the target.
		if err != nil {
			continue
		}
		if files[key] = b.files; len(b.files) > 0 {
			branches = append(branches, b)
		}
	}
	slices.SortFunc(branches, func(a, b underWay) int { return strings.Compare(a.id, b.id) })
	var out []Clash
	left := mergesAtOnce
	for i, b := range branches {
		for _, a := range branches[:i] {
			// What changes no file that the other changes merges with it.
			if !slices.ContainsFunc(b.files, func(f string) bool { return slices.Contains(a.files, f) }) {
				continue
			}
			pair := [2]string{a.tip, b.tip}
			conflicts, known := c.merges[pair]
			if !known && left == 0 {
				continue
			}
			if !known {
				left--
				m, err := p.Repo.MergeTree(ctx, a.tip, b.tip)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				// One pair that cannot be merged at all does not hide the others.
				if err != nil {
					continue
				}
				found := map[string]bool{}
				for _, f := range m.Conflicts {
					if !strings.HasPrefix(f.Path, store.SpecsDir+"/") {
						found[f.Path] = true
					}
				}
				conflicts = slices.Sorted(maps.Keys(found))
			}
			if merges[pair] = conflicts; len(conflicts) > 0 {
				out = append(out, Clash{[2]string{a.id, b.id}, conflicts})
			}
		}
	}
	// What is about commits that are gone is forgotten.
	c.files, c.merges = files, merges
	return out, nil
}

// changes returns what the branch of a spec changes beside specs, and the key by which that is remembered.
func (c *Clashes) changes(ctx context.Context, p *engine.Project, s *spec.Spec) (b underWay, key string, err error) {
	b.id = s.ID
	if b.tip, err = p.Repo.Resolve(ctx, "refs/heads/"+s.Branch); err != nil {
		return b, "", err
	}
	target, err := engine.Target(ctx, p)
	if err != nil {
		return b, "", err
	}
	base, err := p.Repo.MergeBase(ctx, "refs/heads/"+target, b.tip)
	if err != nil {
		return b, "", err
	}
	key = base + " " + b.tip
	if files, known := c.files[key]; known {
		b.files = files
		return b, key, nil
	}
	diff, err := p.Repo.Diff(ctx, base, b.tip)
	for _, d := range diff {
		if !strings.HasPrefix(d.Path, store.SpecsDir+"/") {
			b.files = append(b.files, d.Path)
		}
	}
	return b, key, err
}
