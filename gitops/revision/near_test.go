package revision

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
)

// emptyTree is the name of a tree without entries.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// history is a repository with random commits, oldest first. ancestors has, for each, it and all before it.
type history struct {
	*Reader
	commits   []string
	ancestors map[string]map[string]bool
}

// newHistory makes a history of landings, as runs make it, and of merges at random.
func newHistory(t *testing.T, random *rand.Rand, size int) *history {
	t.Helper()
	dir := t.TempDir()
	git := &gitexec.Runner{}
	if _, err := git.Run(t.Context(), gitexec.Call{Dir: dir, Write: true, Args: []string{"init", "-q"}}); err != nil {
		t.Fatal(err)
	}
	site, err := layout.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := &history{ancestors: map[string]map[string]bool{}}
	h.Reader = &Reader{Git: git, Site: site, Objects: objectstore.New(git, site)}
	tip := ""
	for len(h.commits) < size {
		if tip == "" || random.IntN(10) == 0 { // of any two, or a new root
			var parents []string
			for range random.IntN(3) {
				if p := h.any(random); p != "" && !slices.Contains(parents, p) {
					parents = append(parents, p)
				}
			}
			h.add(t, parents...)
			tip = h.commits[len(h.commits)-1]
			continue
		}
		side := h.commits[max(0, len(h.commits)-1-random.IntN(12))]
		for range 1 + random.IntN(3) {
			side = h.add(t, side)
		}
		tip = h.add(t, tip, side)
	}
	return h
}

func (h *history) any(random *rand.Rand) string {
	if len(h.commits) == 0 {
		return ""
	}
	return h.commits[random.IntN(len(h.commits))]
}

func (h *history) add(t *testing.T, parents ...string) string {
	t.Helper()
	text := "tree " + emptyTree + "\n"
	all := map[string]bool{}
	for _, p := range parents {
		text += "parent " + p + "\n"
		for a := range h.ancestors[p] {
			all[a] = true
		}
	}
	text += fmt.Sprintf("author a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\n%d\n", len(h.commits))
	hash, err := h.Objects.Write(plumbing.CommitObject, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	all[hash] = true
	h.commits, h.ancestors[hash] = append(h.commits, hash), all
	return hash
}

// bases returns the best common ancestors of two commits: those that lead to no other one.
func (h *history) bases(a, b string) []string {
	var out []string
	for c := range h.ancestors[a] {
		if h.ancestors[b][c] {
			out = append(out, c)
		}
	}
	return slices.DeleteFunc(slices.Clone(out), func(c string) bool {
		return slices.ContainsFunc(out, func(other string) bool { return other != c && h.ancestors[other][c] })
	})
}

// TestNear: what a short walk shows is so, in any history, and it shows most.
func TestNear(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		h := newHistory(t, random, 60+int(seed)*40)
		asked, answered, bases := 0, 0, 0
		for range 200 {
			a, b := h.any(random), h.any(random)
			asked++
			if yes, known := h.nearAncestor(ctx, a, b); known {
				answered++
				if want := h.ancestors[b][a]; yes != want {
					t.Fatalf("seed %d: %s is an ancestor of %s: %v, want %v", seed, a, b, yes, want)
				}
			}
			if base := h.nearBase(ctx, a, b); base != "" {
				bases++
				if want := h.bases(a, b); !slices.Equal(want, []string{base}) {
					t.Fatalf("seed %d: the base of %s and %s is %s, want %v", seed, a, b, base, want)
				}
			}
		}
		if answered < asked*9/10 || bases < asked/4 {
			t.Errorf("seed %d: of %d questions, %d and %d were answered", seed, asked, answered, bases)
		}
	}
}

// TestNear_replaced: an object that has other content than its name says is not believed, and not remembered.
func TestNear_replaced(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHistory(t, rand.New(rand.NewPCG(1, 1)), 5)
	first := h.add(t)
	second := h.add(t, first)
	third := h.add(t, second)
	path := func(hash string) string { return filepath.Join(h.Site.Common, "objects", hash[:2], hash[2:]) }
	kept, err := os.ReadFile(path(second))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(path(first))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{other, kept} {
		if err := os.Remove(path(second)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path(second), text, 0o600); err != nil {
			t.Fatal(err)
		}
		yes, known := h.nearAncestor(ctx, first, third)
		if genuine := slices.Equal(text, kept); yes != genuine || known != genuine {
			t.Errorf("genuine: %v, an ancestor: %v, known: %v", genuine, yes, known)
		}
	}
}
