package lint

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// corpusSpecs is the number of specs in the folder from which the golden file was made.
const corpusSpecs = 146

// corpus reads real specs, as they are or as they were before the work. It skips the test unless there is a folder with
// specs: CHANT_CORPUS, or one next to the project.
func corpus(t testing.TB, pending bool) []*spec.File {
	t.Helper()
	dir := os.Getenv("CHANT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus", "chant-specs")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(names) == 0 {
		t.Skipf("no corpus of specs in %q (set CHANT_CORPUS to a folder of spec files)", dir)
	}
	var out []*spec.File
	for _, name := range names {
		src, err := os.ReadFile(name)
		assert.NoError(t, err)
		s, err := spec.Parse(strings.TrimSuffix(filepath.Base(name), ".md"), name, src)
		assert.NoError(t, err)
		if pending {
			s = again(t, s)
		}
		out = append(out, s)
	}
	return out
}

// again returns a spec as it was before the work: pending, with every box unticked.
func again(t testing.TB, s *spec.File) *spec.File {
	t.Helper()
	doc, err := s.Doc.Apply(markdown.Set("status", "pending"))
	assert.NoError(t, err)
	open := map[string]bool{}
	for _, c := range spec.Criteria(doc) {
		open[c.ID] = false
	}
	doc, err = spec.Check(doc, open)
	assert.NoError(t, err)
	s, err = spec.FromDocument(s.ID, doc)
	assert.NoError(t, err)
	return s
}

// counts returns the number of findings of each rule, and the number of specs with each light.
func counts(specs []*spec.File) map[string]int {
	p := &Project{Graph: spec.GraphOf(specs, nil), Settings: Defaults()}
	out := map[string]int{}
	for _, s := range specs {
		for _, f := range p.Check(s) {
			out["rule "+f.Rule+" "+string(f.Severity)]++
		}
		out["light "+string(p.Score(s).Light)]++
	}
	return out
}

// The numbers of findings in real specs, as they are and as they were before the work.
func TestCorpus_golden(t *testing.T) {
	t.Parallel()
	done, todo := corpus(t, false), corpus(t, true)
	if len(done) != corpusSpecs {
		t.Skipf("%d specs are another corpus than that of the golden file", len(done))
	}
	as, again := counts(done), counts(todo)
	all := maps.Clone(as)
	maps.Copy(all, again)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%-36s %4d %4d\n", key, as[key], again[key])
	}
	path := filepath.Join("testdata", "corpus.txt")
	if os.Getenv("UPDATE") != "" {
		assert.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(path)
	assert.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), b.String(), "got\n %s", want)
}

// firstAttempt reports whether a spec was finished at the first attempt: it is completed, has commits, and contains no
// traces of a retry, a takeover or a conflict.
func firstAttempt(s *spec.File) bool {
	var count int
	var original, replayed any
	for key, v := range map[string]any{"replay_count": &count, "original_spec": &original, "replayed_at": &replayed} {
		if found, err := s.Doc.Get(key, v); found || err != nil {
			return false
		}
	}
	outputs := 0
	for _, h := range s.Doc.Headings() {
		switch strings.ToLower(h.Text) {
		case "agent output", "execution result":
			outputs++
		case "takeover analysis":
			return false
		}
	}
	return s.Status == spec.Completed && len(s.Fields.Commits) > 0 && s.Fields.Retry == nil && s.Fields.Verification != "failed" && outputs <= 1
}

// Specs that real agents finished at their first attempt are not red.
func TestCorpus_calibration(t *testing.T) {
	t.Parallel()
	done := corpus(t, false)
	todo := corpus(t, true)
	p := &Project{Graph: spec.GraphOf(todo, nil), Settings: Defaults()}
	lights, first := map[Light]int{}, 0
	for i, s := range todo {
		if !firstAttempt(done[i]) {
			continue
		}
		first++
		score := p.Score(s)
		lights[score.Light]++
		assert.NotEqual(t, Red, score.Light, "%s is red: %+v", s.ID, score)
	}
	assert.NotEqual(t, 0, first, "none was finished at the first attempt")
	t.Logf("%d of %d specs were finished at the first attempt: %v", first, len(done), lights)
}

// Fixed specs can be read, and a second fix changes nothing.
func TestCorpus_fix(t *testing.T) {
	t.Parallel()
	for _, s := range corpus(t, true) {
		doc, did, err := Fix(s, Defaults())
		if err != nil {
			t.Errorf("%s: %v", s.ID, err)
			continue
		}
		next, err := spec.FromDocument(s.ID, doc)
		if err != nil {
			t.Errorf("%s: %v", s.ID, err)
			continue
		}
		_, again, err := Fix(next, Defaults())
		assert.NoError(t, err, "%s: did %q, and again %q", s.ID, did, again)
		assert.Zero(t, again, "%s: did %q, and again %q", s.ID, did, again)
	}
}

// BenchmarkCorpus lints and scores 146 real specs from their bytes.
func BenchmarkCorpus(b *testing.B) {
	sources := map[string][]byte{}
	for _, s := range corpus(b, true) {
		sources[s.ID] = s.Doc.Bytes()
	}
	for b.Loop() {
		var specs []*spec.File
		for id, src := range sources {
			s, err := spec.Parse(id, id+".md", src)
			assert.NoError(b, err)
			specs = append(specs, s)
		}
		counts(specs)
	}
}

// BenchmarkProject lints ten thousand open specs, some of which share target files.
func BenchmarkProject(b *testing.B) {
	var specs []*spec.File
	for i := range 10_000 {
		front := fmt.Sprintf("labels: [a]\ntarget_files: [src/%d.go, src/common/%d.go]", i, i%2000)
		specs = append(specs, read(b, fmt.Sprintf("2026-01-01-%04d-abc", i), front, whole))
	}
	for b.Loop() {
		counts(specs)
	}
}
