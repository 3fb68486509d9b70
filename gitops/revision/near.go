package revision

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"chant/gitops/objectstore"
)

// maxNear bounds how many commits are read for a question about how commits are related, before git is asked instead. Nearly
// all questions of a run are about commits that are closer, and it asks dozens of them.
const maxNear = 16

// reaches reports whether a is b or can be reached from it; known is false if a few commits do not show it.
func (r *Reader) reaches(ctx context.Context, a, b string) (yes, known bool) {
	// Git would answer by other parents than the commits name.
	if r.hasGrafts() {
		return false, false
	}
	seen, next := map[string]bool{b: true}, []string{b}
	for reads := 0; len(next) > 0; reads++ {
		if next[0] == a {
			return true, true
		}
		c, ok := r.commit(ctx, next[0])
		// A commit that is missing or not believed, or one too many, leaves the question to git.
		if !ok || reads == maxNear {
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

// nearAncestor reports whether a is b or can be reached from it; known is false if a few commits do not show it. No commit
// that b can be reached from can be reached from b.
func (r *Reader) nearAncestor(ctx context.Context, a, b string) (yes, known bool) {
	if yes, known := r.reaches(ctx, a, b); known {
		return yes, true
	}
	// No commit that can be reached from b leads to b, so the other direction can prove the negative.
	after, _ := r.reaches(ctx, b, a)
	return false, after
}

// IsAhead reports whether b is a, or leads to it within a few commits. It starts no process, so that false says nothing.
func (r *Reader) IsAhead(ctx context.Context, a, b string) bool {
	yes, _ := r.reaches(ctx, a, b)
	return yes
}

// nearLog returns the commits from to down to from, without from, if a line of at most maxNear commits leads there.
func (r *Reader) nearLog(ctx context.Context, from, to string) (commits []objectstore.Commit, known bool) {
	if r.hasGrafts() {
		return nil, false
	}
	for len(commits) <= maxNear {
		if to == from {
			return commits, true
		}
		c, ok := r.commit(ctx, to)
		// With more than one parent it is not a line, and git converts other encodings of messages.
		if !ok || len(c.Parents) != 1 || c.Encoding != "" {
			break
		}
		commits, to = append(commits, c), c.Parents[0]
	}
	return nil, false
}

// commit reads a commit by its hash; ok is false if it is missing, or its content is not that of its name.
func (r *Reader) commit(ctx context.Context, hash string) (c objectstore.Commit, ok bool) {
	kind, raw, err := r.Objects.Read(ctx, hash)
	// Agents can write to the files of objects, so the content must be that of its name.
	if err != nil || kind != objectstore.KindCommit || !objectstore.IsCommit(raw, hash) {
		return c, false
	}
	return objectstore.ParseCommit(hash, raw), true
}

// hasGrafts reports whether git sees other parents here than the commits name: in a shallow clone, or by grafts.
func (r *Reader) hasGrafts() bool {
	return slices.ContainsFunc([]string{"shallow", "info/grafts"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.Site.Common, filepath.FromSlash(name)))
		return err == nil
	})
}
