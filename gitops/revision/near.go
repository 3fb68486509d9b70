package revision

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"chant/gitops/objectstore"
)

// The bounds of a question about how commits are related, before git is asked instead. Most are about commits that are
// closer than maxClose.
const (
	maxClose = 8
	maxLine  = 32   // commits that are read of a line of first parents
	maxNear  = 64   // commits that are read on other ways
	maxWalk  = 4096 // commits that are looked at: the parents of most are remembered
)

// walk follows parents, for one question, as long as it may.
type walk struct {
	r            *Reader
	reads, steps int
}

// parents returns the parents of a commit; ok is false if it cannot be read, or the question took too long.
func (w *walk) parents(ctx context.Context, hash string) (parents []string, ok bool) {
	if w.steps--; w.steps < 0 {
		return nil, false
	}
	if parents, ok = w.r.ancestry.parentsOf(hash); ok {
		return parents, true
	}
	if w.reads--; w.reads < 0 {
		return nil, false
	}
	c, ok := w.r.commit(ctx, hash)
	if !ok {
		return nil, false
	}
	w.r.ancestry.rememberParents(hash, c.Parents)
	return c.Parents, true
}

// reaches reports whether a is b or can be reached from it; known is false if the walk does not show it.
func (w *walk) reaches(ctx context.Context, a, b string) (yes, known bool) {
	first, known := w.meets(ctx, []string{a}, b)
	return first == 0, known
}

// firstParents returns the line of first parents from a commit as far as it is remembered, and maxLine commits beyond.
// The first merge, or the first commit of all, is at straight, if it is on the line.
func (r *Reader) firstParents(ctx context.Context, tip string) (line []string, straight int) {
	straight = -1
	only := walk{r: r, reads: maxLine, steps: maxWalk / 8}
	for {
		parents, ok := only.parents(ctx, tip)
		if !ok {
			break
		}
		if line = append(line, tip); len(parents) != 1 && straight < 0 {
			straight = len(line) - 1
		}
		if len(parents) == 0 {
			break
		}
		tip = parents[0]
	}
	if straight < 0 {
		straight = len(line) - 1
	}
	return line, straight
}

// meets returns the first commit of a line of first parents, by its index, that is b or can be reached from it; -1 if
// there is none. It does not follow what is on the line, since nothing leads from a commit there to one before it. known
// is false if the walk does not show it.
func (w *walk) meets(ctx context.Context, line []string, b string) (first int, known bool) {
	place := make(map[string]int, len(line))
	for i, hash := range line {
		place[hash] = i
	}
	first = -1
	seen, next := map[string]bool{b: true}, []string{b}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		if i, on := place[at]; on {
			if first < 0 || i < first {
				first = i
			}
			if first == 0 {
				return 0, true
			}
			continue
		}
		parents, ok := w.parents(ctx, at)
		if !ok {
			return -1, false
		}
		for _, parent := range parents {
			if !seen[parent] {
				seen[parent] = true
				next = append(next, parent)
			}
		}
	}
	return first, true
}

// shortWalk is a walk of a few commits.
func (r *Reader) shortWalk() *walk { return &walk{r: r, reads: maxClose, steps: maxClose} }

// longWalk is a walk that goes as far as is worth it.
func (r *Reader) longWalk() *walk { return &walk{r: r, reads: maxNear, steps: maxWalk} }

// nearAncestor reports whether a is b or can be reached from it; known is false if a short walk does not show it. No
// commit that b can be reached from can be reached from b.
func (r *Reader) nearAncestor(ctx context.Context, a, b string) (yes, known bool) {
	if r.altered() {
		return false, false
	}
	if yes, known := r.shortWalk().reaches(ctx, a, b); known {
		return yes, true
	}
	if after, known := r.shortWalk().reaches(ctx, b, a); known && after {
		return false, true
	}
	line, _ := r.firstParents(ctx, a)
	if len(line) == 0 {
		return false, false
	}
	first, known := r.longWalk().meets(ctx, line, b)
	return first == 0, known
}

// IsAhead reports whether b is a, or leads to it within a few commits. It starts no process, so that false says nothing.
func (r *Reader) IsAhead(ctx context.Context, a, b string) bool {
	yes, known := r.nearAncestor(ctx, a, b)
	return yes && known
}

// nearBase returns the best common ancestor of two commits where the line from one of them to it has no merges; "" if a
// short walk does not show it.
func (r *Reader) nearBase(ctx context.Context, a, b string) string {
	if r.altered() {
		return ""
	}
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		if yes, known := r.shortWalk().reaches(ctx, pair[0], pair[1]); yes && known {
			return pair[0]
		}
	}
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		line, straight := r.firstParents(ctx, pair[0])
		if first, known := r.longWalk().meets(ctx, line, pair[1]); known && first >= 0 && first <= straight {
			return line[first]
		}
	}
	return ""
}

// nearLog returns the commits from to down to from, without from, if a line of at most maxNear commits leads there.
func (r *Reader) nearLog(ctx context.Context, from, to string) (commits []objectstore.Commit, known bool) {
	line := r.line(ctx, to)
	at := slices.IndexFunc(line, func(c objectstore.Commit) bool { return c.Hash == from })
	if at < 0 || slices.ContainsFunc(line[:at], func(c objectstore.Commit) bool { return c.Encoding != "" }) {
		return nil, false
	}
	return line[:at], true
}

// line returns the commits from tip down to the first one that has not exactly one parent, at most maxNear of them.
func (r *Reader) line(ctx context.Context, tip string) []objectstore.Commit {
	if r.altered() {
		return nil
	}
	var line []objectstore.Commit
	for len(line) < maxNear {
		c, ok := r.commit(ctx, tip)
		if !ok {
			break
		}
		line = append(line, c)
		if len(c.Parents) != 1 {
			break
		}
		tip = c.Parents[0]
	}
	return line
}

// commit reads a commit by its hash; ok is false if it is missing, or its content is not that of its name.
func (r *Reader) commit(ctx context.Context, hash string) (c objectstore.Commit, ok bool) {
	kind, raw, err := r.Objects.Read(ctx, hash)
	if err != nil || kind != objectstore.KindCommit || !objectstore.IsCommit(raw, hash) {
		return c, false
	}
	return objectstore.ParseCommit(hash, raw), true
}

// altered reports whether git sees other parents here than the commits name: in a shallow clone, or by grafts.
func (r *Reader) altered() bool {
	for _, name := range []string{"shallow", "info/grafts"} {
		if _, err := os.Lstat(filepath.Join(r.Site.Common, filepath.FromSlash(name))); err == nil {
			return true
		}
	}
	return false
}
