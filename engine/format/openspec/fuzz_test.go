package openspec

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// seeds adds the documents of the cases to a fuzz test.
func seeds(f *testing.F, add func(text string)) {
	for _, name := range projects {
		for _, text := range loadProject(f, name) {
			add(text)
		}
	}
}

func FuzzParse(f *testing.F) {
	seeds(f, func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text string) {
		d := ParseDelta([]byte(text))
		lines := strings.Count(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n") + 1
		for _, b := range append(d.added, d.modified...) {
			assert.True(t, b.line >= 0, "%q is on line %d of %d", b.name, b.line+1, lines)
			assert.True(t, b.line < lines, "%q is on line %d of %d", b.name, b.line+1, lines)
			for _, s := range nonEmpty(scenariosOf(b.body, b.line+1)) {
				assert.True(t, s.line > b.line, "scenario %q of line %d is on line %d of %d", s.name, b.line+1, s.line, lines)
				assert.True(t, s.line <= lines, "scenario %q of line %d is on line %d of %d", s.name, b.line+1, s.line, lines)
			}
		}
		for _, r := range d.Removed {
			assert.True(t, r.Line >= 1, "removal of %q is on line %d of %d", r.Name, r.Line, lines)
			assert.True(t, r.Line <= lines, "removal of %q is on line %d of %d", r.Name, r.Line, lines)
		}
		checkSpec(text)
	})
}

// FuzzApply applies a delta to a spec. What it says nothing about stays: every requirement
// that it does not name has the same bytes afterwards, and so has the other spec.
func FuzzApply(f *testing.F) {
	for _, name := range projects {
		p := loadProject(f, name)
		for file, delta := range p {
			if parts := strings.SplitN(file, "/", 3); len(parts) == 3 && parts[0] == "changes" {
				f.Add(p[parts[2]], delta)
			}
		}
	}
	f.Fuzz(func(t *testing.T, spec, delta string) {
		p := project{"specs/a/spec.md": spec, "specs/b/spec.md": spec, "changes/c/specs/a/spec.md": delta}
		plan, err := Archive(p.fs(), "c", time.Unix(0, 0))
		if refused, ok := errors.AsType[*RefusedError](err); ok {
			assert.NotEqual(t, 0, len(refused.Problems), "refused without a reason")
			assert.NotEqual(t, "", refused.Problems[0], "refused without a reason")
			return
		}
		assert.NoError(t, err)
		if len(plan.Writes) == 0 {
			return
		}
		after := string(plan.Writes[0].Data)
		assert.True(t, len(plan.Writes) <= 1, "writes %v and deletes %v", plan.Writes, plan.Deletes)
		assert.Equal(t, "specs/a/spec.md", plan.Writes[0].Path, "writes %v", plan.Deletes)
		assert.Zero(t, plan.Deletes, "writes %v", plan.Deletes)
		checkUntouched(t, spec, delta, after)
		p["specs/a/spec.md"] = after
		_, err = Validate(p.fs(), "c")
		assert.NoError(t, err)
	})
}

// checkUntouched compares the requirements that a delta does not name.
func checkUntouched(t *testing.T, spec, delta, after string) {
	t.Helper()
	d := ParseDelta([]byte(delta))
	named := map[string]bool{}
	for _, b := range append(d.added, d.modified...) {
		named[b.key] = true
	}
	for _, r := range d.Removed {
		named[r.key()] = true
	}
	for _, r := range d.Renamed {
		from, to := r.keys()
		named[from], named[to] = true, true
	}
	for key := range named {
		// A name such as "#" or a blank is another one when it is read again, in the tool too.
		if again, _ := (line{text: "### Requirement: " + key}).requirement(); key == "" || again != key {
			return
		}
	}
	was, is := partsOf(spec), partsOf(after)
	var before, now []*block
	seen := map[string]bool{}
	for _, b := range was.blocks {
		// Of two requirements with one name the later one replaces the other, in the tool
		// too: its check for such specs does not see headings without a blank.
		if seen[b.key] || b.key == "" {
			return
		}
		seen[b.key] = true
		if !named[b.key] {
			before = append(before, b)
		}
	}
	for _, b := range is.blocks {
		if !named[b.key] {
			now = append(now, b)
		}
	}
	assert.Equal(t, len(now), len(before))
	for i, b := range before {
		if singleBlanks(b.raw) != singleBlanks(now[i].raw) {
			t.Errorf("%q is\n%q, was\n%q", b.name, now[i].raw, b.raw)
		}
	}
}
