package pages

import (
	"fmt"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/store/history"
	"chant/engine/verify"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestCollect reads active, archived and unreadable specs, with their neighbours, history and work.
func TestCollect(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{"made.txt": "1\n"})
	enginetest.Commit(t, dir, map[string]string{"made.txt": "1\n2\n", "more.txt": "x\n"})
	commit, err := p.Repo.Resolve(t.Context(), "HEAD")
	assert.NoError(t, err)
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/2026-01-02-001-abc.md": "---\nstatus: completed\ncommits: [" + commit[:9] + ", 0123456]\ncompleted_at: 2026-01-03T04:05:06+02:00\n---\n# One\n\n" +
			"## Acceptance Criteria\n\n- [x] ticked\n- [ ] open `$ true`\n",
		".chant/specs/2026-01-02-002-abc.md":              "---\ndepends_on: [2026-01-02-001-abc, 2026-01-02-099-abc]\n---\nNo title.\n",
		".chant/specs/2026-01-02-003-abc.md":              "---\ntype: driver\nmembers: [2026-01-02-002-abc]\n---\n# Driver\n",
		".chant/specs/2026-01-02-003-abc.1.md":            "---\nstatus: pending\n---\n# Member\n",
		".chant/specs/2026-01-02-004-abc.md":              "---\nstatus: [\n---\n",
		".chant/archive/2026-01-01/2026-01-01-001-abc.md": "---\nstatus: cancelled\ndepends_on: [2026-01-02-001-abc]\n---\n# Old\n",
	})
	site, err := Collect(t.Context(), p, CollectInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(site.Invalid))
	assert.Equal(t, "2026-01-02-004-abc", site.Invalid[0].ID)
	assert.Contains(t, site.Invalid[0].Error, "004-abc.md:2")
	var got []string
	for _, s := range site.Specs {
		got = append(got, fmt.Sprintf("%s %q %s %t%t%t%t %v %v %v %v %d", s.ID, s.Title, s.Status, s.Ready, s.Blocked, s.Archived, s.Landed, s.DependsOn, s.Dependents, s.Members, s.Drivers, len(s.History)))
	}
	want := []string{
		`2026-01-01-001-abc "Old" cancelled falsefalsetruefalse [2026-01-02-001-abc] [] [] [] 1`,
		`2026-01-02-001-abc "One" completed falsefalsefalsetrue [] [2026-01-01-001-abc 2026-01-02-002-abc] [] [] 1`,
		`2026-01-02-002-abc "2026-01-02-002-abc" pending falsetruefalsefalse [2026-01-02-001-abc 2026-01-02-099-abc] [] [] [2026-01-02-003-abc] 1`,
		`2026-01-02-003-abc "Driver" pending falsefalsefalsefalse [] [] [2026-01-02-002-abc 2026-01-02-003-abc.1] [] 1`,
		`2026-01-02-003-abc.1 "Member" pending truefalsefalsefalse [] [] [] [2026-01-02-003-abc] 1`,
	}
	assert.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
	done := site.Specs[1]
	assert.True(t, done.Work != nil, "work %+v, completed %s", done.Work, done.Completed)
	assert.False(t, done.Work.Landing, "work %+v, completed %s", done.Work, done.Completed)
	assert.Equal(t, 2, done.Work.Added())
	assert.Equal(t, 0, done.Work.Removed())
	assert.Equal(t, 2, len(done.Work.Files))
	assert.Equal(t, "02:05", done.Completed.Format("15:04"))
	assert.Equal(t, 2, len(done.Criteria))
	assert.True(t, done.Criteria[0].Checked, "%+v", done)
	assert.False(t, done.Criteria[1].Checked, "%+v", done)
	assert.Equal(t, "true", done.Criteria[1].Commands[0])
	assert.False(t, done.Created.IsZero(), "%+v", done)
	assert.True(t, done.Created.Equal(done.Updated), "%+v", done)
	one, err := One(t.Context(), p, OneInput{ID: "gone"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "an unknown id: %+v", one)
	one, err = One(t.Context(), p, OneInput{ID: done.ID})
	assert.NoError(t, err)
	assert.Equal(t, done.Body, one.Body)
	assert.Equal(t, 2, one.Work.Added())
	assert.Equal(t, 1, len(one.History))
}

// TestCriteriaOf: verdicts go to their criteria, and those of commands that no criterion has come last.
func TestCriteriaOf(t *testing.T) {
	t.Parallel()
	f, err := spec.Parse("a", "a.md", []byte("# A\n\n## Acceptance Criteria\n\n- [ ] one\n- [ ] two\n"))
	assert.NoError(t, err)
	two := f.Criteria()[1]
	found := &verify.RecordedEvidence{Criteria: []criteria.Verdict{{ID: "x", Text: "go vet", Holds: true}, {ID: two.ID, Text: "two", Holds: true}}}
	got := criteriaOf(f, found)
	assert.Equal(t, 3, len(got))
	assert.True(t, got[0].Verdict == nil, "%+v", got)
	assert.True(t, got[1].Verdict == &found.Criteria[1], "%+v", got)
	assert.Equal(t, "go vet", got[2].Text)
	assert.True(t, got[2].Checked, "%+v", got)
}

func TestStartToEnd(t *testing.T) {
	t.Parallel()
	entry := func(commit string, events ...string) history.Entry {
		return history.Entry{Commit: commit, Events: events}
	}
	for name, c := range map[string]struct {
		past []history.Entry
		want gitops.Pair
		ok   bool
	}{
		"none":         {nil, gitops.Pair{}, false},
		"not started":  {[]history.Entry{entry("a", "add"), entry("b", "complete")}, gitops.Pair{To: "b"}, false},
		"once":         {[]history.Entry{entry("a", "add"), entry("b", "start"), entry("c", "edit", "complete")}, gitops.Pair{From: "b", To: "c"}, true},
		"the last run": {[]history.Entry{entry("b", "start"), entry("c", "fail"), entry("d", "start"), entry("e", "complete")}, gitops.Pair{From: "d", To: "e"}, true},
	} {
		got, ok := startToEnd(&Page{History: c.past})
		assert.Equal(t, c.ok, ok, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
	}
}

func TestJoinSizes(t *testing.T) {
	t.Parallel()
	a := []gitops.FileSize{{Path: "a", Added: 1}, {Path: "c", Removed: 1}}
	got := joinSizes(a, []gitops.FileSize{{Path: "b", Binary: true}, {Path: "c", Added: 2, Removed: 3}})
	assert.Equal(t, "[{a 1 0 false} {b 0 0 true} {c 2 4 false}]", fmt.Sprint(got))
}
