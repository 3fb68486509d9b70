package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/fileset"

	"github.com/alecthomas/assert/v2"
)

// hashed returns front matter with the digests of entries in a commit, as completing a spec writes them.
func (h *history) hashed(id, commit string, entries ...string) string {
	h.t.Helper()
	tree, err := run.TreeAt(h.t.Context(), h.p.Repo, commit)
	if err != nil {
		h.t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("content_hashes:\n")
	for _, one := range tree.Digests(id, entries) {
		fmt.Fprintf(&b, "  %q: %q\n", one.Entry, one.Sum)
	}
	return b.String()
}

// TestDrift covers every way in which the files of a completed spec can have changed or not.
func TestDrift(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	path := func(n int) string { return ".chant/specs/" + idOf(n) + ".md" }
	first := h.commit("files", map[string]string{"docs/a.md": "a\n", "docs/b.md": "b\n", "lib/x.go": "x\n", "still.txt": "s\n"})
	done := func(n int, front string) string {
		return file("status: completed\ncompleted_at: 2026-01-02T00:00:00Z\n"+front, fmt.Sprintf("# Spec %d\n", n))
	}
	h.commit("completed", map[string]string{
		path(1): done(1, "tracks: [docs]\n"+h.hashed(idOf(1), first, "docs")),
		path(2): done(2, "target_files: [still.txt]\n"+h.hashed(idOf(2), first, "still.txt")),
		path(3): done(3, "tracks: [docs, still.txt]\n"), // an older version kept no digests
		path(4): done(4, "tracks: [none.txt]\n"+h.hashed(idOf(4), first, "none.txt")),
		path(5): done(5, ""),
		path(6): file("status: pending\ntracks: [docs]\n", "# Open\n"),
		path(7): "---\nstatus: [\n---\n# Unreadable\n",
		path(8): done(8, "informed_by: [lib/*.go]\norigin: [still.txt]\n"+h.hashed(idOf(8), first, "lib/*.go", "still.txt")),
	})
	h.commit("by another program", map[string]string{path(10): done(10, "target_files: [docs]\n"), path(11): done(11, "tracks: [lib]\ntarget_files: [docs]\n")})
	h.commit("changed", map[string]string{"docs/a.md": "another\n", "docs/b.md": "", "docs/c.md": "c\n", "lib/y.go": "y\n"})
	h.commit("not completed by a commit of the history", map[string]string{path(9): done(9, "tracks: [lib]\n")})
	enginetest.Write(t, h.dir, "still.txt", "not committed\n")
	enginetest.Write(t, h.dir, path(9), strings.Replace(done(9, "tracks: [lib]\n"), "2026-01-02T", "2026-01-03T", 1))

	r, err := Drift(t.Context(), h.p, DriftInput{})
	assert.NoError(t, err)
	assert.Equal(t, h.rev("HEAD"), r.Commit)
	assert.Equal(t, 4, r.Drifted)
	assert.Equal(t, 2, r.Unknown)
	assert.Equal(t, 10, r.Checked)
	assert.Equal(t, 6, r.Total)
	at := func(n int) *DriftedSpec {
		i := slices.IndexFunc(r.Specs, func(d DriftedSpec) bool { return d.ID == idOf(n) })
		if i < 0 {
			return nil
		}
		return &r.Specs[i]
	}
	for n, want := range map[int]struct {
		state   string
		entries string
		files   string
	}{
		1: {Drifted, "docs", "docs/a.md was changed, docs/b.md was removed, docs/c.md was added"},
		3: {Drifted, "docs", "docs/a.md was changed, docs/b.md was removed, docs/c.md was added"},
		7: {Unknown, "", ""},
		8: {Drifted, "lib/*.go", "lib/y.go was added"},
		9: {Unknown, "lib", ""},
		// Without digests, target_files are what the work may change.
		11: {Drifted, "lib", "lib/y.go was added"},
	} {
		got := at(n)
		assert.True(t, got != nil, "spec %d: %+v", n, got)
		assert.Equal(t, want.state, got.State, "spec %d", n)
		assert.Equal(t, want.entries, strings.Join(got.Entries, ", "), "spec %d", n)
		assert.Equal(t, want.files, strings.Join(got.DescribeFiles(), ", "), "spec %d", n)
		assert.False(t, got != nil && (got.State == Unknown) != (got.Why != ""), "spec %d: %s because of %q", n, got.State, got.Why)
	}
	for _, n := range []int{2, 4, 5, 6, 10} {
		got := at(n)
		assert.True(t, got == nil, "spec %d is listed: %+v", n, got)
	}

	r, err = Drift(t.Context(), h.p, DriftInput{IDs: []string{idOf(2), idOf(4), idOf(5), idOf(2)}})
	assert.NoError(t, err)
	assert.Equal(t, 3, r.Checked)
	assert.Equal(t, 0, r.Drifted+r.Unknown)
	got := at(4)
	assert.True(t, got != nil, "an entry that means no file: %+v", got)
	assert.Equal(t, Same, got.State, "an entry that means no file")
	assert.Equal(t, "none.txt", strings.Join(got.Unmatched, " "), "an entry that means no file")
	assert.True(t, got.Entries == nil, "an entry that means no file: %+v", got)
	got = at(5)
	assert.True(t, got != nil, "a spec that names no files: %+v", got)
	assert.Equal(t, Same, got.State, "a spec that names no files")
	assert.Contains(t, got.Why, "names no tracks", "a spec that names no files")
	r, err = Drift(t.Context(), h.p, DriftInput{IDs: []string{idOf(1)}, At: "HEAD~2"})
	assert.NoError(t, err, "before the change")
	assert.Equal(t, 0, r.Drifted, "before the change")
	assert.Equal(t, 1, r.Checked, "before the change")
	r, err = Drift(t.Context(), h.p, DriftInput{Limit: 2})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(r.Specs))
	assert.Equal(t, 6, r.Total)
	assert.Equal(t, 4, r.Drifted)
}

// TestDrift_landed: changes that the landing merged are not drift; later changes are.
func TestDrift_landed(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	path := ".chant/specs/" + idOf(1) + ".md"
	first := h.commit("files", map[string]string{"a.txt": "one\n"})
	text := file("status: completed\ncompleted_at: 2026-01-02T00:00:00Z\ntracks: [a.txt]\n"+h.hashed(idOf(1), first, "a.txt"), "# A\n")
	h.commit("others", map[string]string{"a.txt": "two\n"})
	landing := h.commit(says(idOf(1), "land"), map[string]string{path: text})
	for n, c := range []struct {
		text  string
		state string
	}{{"two\n", Same}, {"three\n", Drifted}, {"two\n", Same}, {"one\n", Same}} {
		h.commit("later", map[string]string{"a.txt": c.text, "n.txt": fmt.Sprint(n)})
		r, err := Drift(t.Context(), h.p, DriftInput{IDs: []string{idOf(1)}})
		assert.NoError(t, err, "with %q", c.text)
		assert.Equal(t, c.state, r.Specs[0].State, "with %q", c.text)
		assert.False(t, c.state == Drifted && r.Specs[0].Since != landing, "with %q: %+v, %v", c.text, r, err)
	}
}

// TestDrift_onto: a spec is compared with the branch on which it lands, unless the checked-out commit contains that.
func TestDrift_onto(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	first := h.commit("files", map[string]string{"a.txt": "one\n"})
	front := "status: completed\ntracks: [a.txt]\n" + h.hashed(idOf(1), first, "a.txt")
	h.commit("done", map[string]string{
		".chant/specs/" + idOf(1) + ".md": file(front+"onto: release\n", "# A\n"), ".chant/specs/" + idOf(2) + ".md": file(front+"onto: gone\n", "# B\n"),
	})
	main := h.rev("HEAD")
	h.at("release", main)
	release := h.commit("on release", map[string]string{"a.txt": "two\n"})
	h.at("main", main)
	for name, c := range map[string]struct {
		front string
		want  string
	}{
		"no branch":          {"", main},
		"its branch":         {"onto: release\n", release},
		"a branch not here":  {"onto: gone\n", main},
		"the checked-out":    {"onto: main\n", main},
		"archived with onto": {"onto: release\n", main},
	} {
		s := specOf(t, idOf(1), "status: completed\n"+c.front, "# A\n")
		s.Archived = strings.HasPrefix(name, "archived")
		got, err := tipOfTarget(t.Context(), h.p, s, main)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
	}
	enginetest.Git(t, h.dir, "merge", "-q", "--ff-only", "release")
	s := specOf(t, idOf(1), "status: completed\nonto: release\n", "# A\n")
	got, err := tipOfTarget(t.Context(), h.p, s, release)
	assert.NoError(t, err)
	assert.Equal(t, release, got)
}

// TestDrift_refused: a spec that cannot have drifted is an error only if it was selected by id.
func TestDrift_refused(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.commit("open", map[string]string{".chant/specs/" + idOf(1) + ".md": file("status: pending\ntracks: [a]\n", "# A\n")})
	for name, c := range map[string]struct {
		in    DriftInput
		code  engine.Code
		words string
	}{
		"all of none":         {DriftInput{}, "", ""},
		"not completed":       {DriftInput{IDs: []string{idOf(1)}}, engine.State, "only what was completed and has landed can drift"},
		"no such spec":        {DriftInput{IDs: []string{"nowhere"}}, engine.NotFound, "nowhere"},
		"no such commit":      {DriftInput{At: "nowhere"}, engine.NotFound, "nowhere"},
		"flag what was there": {DriftInput{At: "HEAD", Flag: true}, engine.Usage, "not for what it was"},
	} {
		r, err := Drift(t.Context(), h.p, c.in)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s: %+v", name, r)
		assert.False(t, err != nil && !strings.Contains(err.Error(), c.words), "%s: %+v, %v", name, r, err)
		assert.Zero(t, r.Specs, "%s: %+v", name, r)
	}
}

// TestDrift_flag: drifted specs, and no others, move to needs_attention.
func TestDrift_flag(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	first := h.commit("files", map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	done := func(n int, entry string) string {
		return file("status: completed\ntracks: ["+entry+"]\n"+h.hashed(idOf(n), first, entry), "# A\n")
	}
	h.commit("done", map[string]string{".chant/specs/" + idOf(1) + ".md": done(1, "a.txt"), ".chant/specs/" + idOf(2) + ".md": done(2, "b.txt")})
	h.commit("changed", map[string]string{"a.txt": "two\n"})
	r, err := Drift(t.Context(), h.p, DriftInput{Flag: true})
	assert.NoError(t, err)
	assert.Equal(t, 1, r.Drifted)
	assert.Equal(t, h.rev("HEAD"), r.Specs[0].Flagged)
	for n, want := range map[int]spec.Status{1: spec.NeedsAttention, 2: spec.Completed} {
		s, err := h.p.Store.Get(t.Context(), idOf(n))
		assert.NoError(t, err, "spec %d", n)
		assert.Equal(t, want, s.Status, "spec %d", n)
		if want == spec.NeedsAttention && (s.Fields.ReasonCode != spec.ReasonDrifted || s.Fields.Reason != "drifted: a.txt was changed") {
			t.Errorf("the reason: %q, %q", s.Fields.ReasonCode, s.Fields.Reason)
		}
	}
	r, err = Drift(t.Context(), h.p, DriftInput{Flag: true})
	assert.NoError(t, err)
	assert.Equal(t, 0, r.Drifted)
}

func TestDriftedSpec_DescribeFiles(t *testing.T) {
	t.Parallel()
	files := []fileset.FileChange{{Path: "a", Change: "added"}, {Path: "b", Change: "removed"}}
	for want, d := range map[string]DriftedSpec{
		"":                                   {},
		"a was added, b was removed":         {Files: files, FilesTotal: 2},
		"a was added, 4 more":                {Files: files[:1], FilesTotal: 5},
		"a was added, b was removed, 1 more": {Files: files, FilesTotal: 3},
	} {
		assert.Equal(t, want, strings.Join(d.DescribeFiles(), ", "))
	}
}

func TestDriftResult_add(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state  string
		named  bool
		listed int
	}{
		"same":           {Same, false, 0},
		"same and named": {Same, true, 1},
		"drifted":        {Drifted, false, 1},
		"unknown":        {Unknown, false, 1},
	} {
		var r DriftResult
		r.add(DriftedSpec{State: c.state}, c.named)
		assert.Equal(t, c.listed, len(r.Specs), "%s", name)
		assert.Equal(t, 1, r.Checked, "%s", name)
		assert.Equal(t, c.state == Drifted, r.Drifted == 1, "%s", name)
		assert.Equal(t, c.state == Unknown, r.Unknown == 1, "%s", name)
	}
}
