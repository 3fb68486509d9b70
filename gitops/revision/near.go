package revision

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"chant/gitops/objectstore"
)

// maxNear bounds how many commits are read in process before git is asked instead; most questions are about
// commits that are closer than maxClose.
const (
	maxNear  = 64
	maxClose = 8
)

// nearAncestor reports whether a is b or can be reached from it, as far as maxNear commits of each show; known is false
// if they do not show it. No commit that b can be reached from can be reached from b.
func (r *Reader) nearAncestor(ctx context.Context, a, b string) (yes, known bool) {
	for _, limit := range []int{maxClose, maxNear} {
		if yes, known := r.reaches(ctx, a, b, limit); known {
			return yes, true
		}
		if after, known := r.reaches(ctx, b, a, limit); known && after {
			return false, true
		}
	}
	return false, false
}

// IsAhead reports whether b is a, or leads to it within a few commits. It starts no process, so that false says nothing.
func (r *Reader) IsAhead(ctx context.Context, a, b string) bool {
	yes, known := r.nearAncestor(ctx, a, b)
	return yes && known
}

// reaches reports whether a is b or can be reached from it, as far as limit commits show; known is false if they do not
// show it.
func (r *Reader) reaches(ctx context.Context, a, b string, limit int) (yes, known bool) {
	if r.altered() {
		return false, false
	}
	seen, next := map[string]bool{b: true}, []string{b}
	for len(next) > 0 {
		at := next[0]
		if at == a {
			return true, true
		}
		c, ok := r.commit(ctx, at)
		if !ok || len(seen) > limit {
			return false, false
		}
		next = next[1:]
		for _, parent := range c.Parents {
			if !seen[parent] {
				seen[parent] = true
				next = append(next, parent)
			}
		}
	}
	return false, true
}

// nearBase returns the best common ancestor of two commits if it is one of them, or where two lines without merges
// part; "" if maxNear commits do not show it.
func (r *Reader) nearBase(ctx context.Context, a, b string) string {
	for _, limit := range []int{maxClose, maxNear} {
		for _, pair := range [][2]string{{a, b}, {b, a}} {
			if yes, known := r.reaches(ctx, pair[0], pair[1], limit); yes && known {
				return pair[0]
			}
		}
	}
	mine := r.line(ctx, a)
	for _, theirs := range r.line(ctx, b) {
		if slices.ContainsFunc(mine, func(c objectstore.Commit) bool { return c.Hash == theirs.Hash }) {
			return theirs.Hash
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

// commit reads a commit by its hash; ok is false if it is missing.
func (r *Reader) commit(ctx context.Context, hash string) (c objectstore.Commit, ok bool) {
	kind, raw, err := r.Objects.Read(ctx, hash)
	if err != nil || kind != objectstore.KindCommit {
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
