package overview

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/view/picture"

	"github.com/alecthomas/assert/v2"
)

// n returns the id of the n-th spec.
func n(n int) string { return fmt.Sprintf("2026-01-02-%03d-abc", n) }

// write is a spec file with front matter.
func write(front, title string) string { return "---\n" + front + "---\n# " + title + "\n" }

// commitAt commits files at a time by a person with a message.
func commitAt(t *testing.T, dir string, at time.Time, by, message string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if text == "" {
			assert.NoError(t, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
			continue
		}
		enginetest.Write(t, dir, name, text)
	}
	enginetest.Git(t, dir, "add", "-A")
	stamp := at.Format(time.RFC3339)
	enginetest.GitWith(t, dir, []string{"GIT_AUTHOR_NAME=" + by, "GIT_AUTHOR_EMAIL=" + strings.ToLower(by) + "@example.com", "GIT_AUTHOR_DATE=" + stamp, "GIT_COMMITTER_DATE=" + stamp},
		"commit", "-q", "--allow-empty", "-m", message)
}

func event(id, word string) string {
	return fmt.Sprintf("chant(%s): %s\n\nChant-Spec: %s\nChant-Event: %s\n", id, word, id, word)
}

// worked is a project in which specs were added, completed, archived and deleted in the days before now.
func worked(t *testing.T) (*engine.Project, string) {
	t.Helper()
	p, dir := enginetest.Project(t)
	day := func(ago int) time.Time { return p.Now().AddDate(0, 0, -ago) }
	specs := ".chant/specs/"
	commitAt(t, dir, day(20), "Ada", "Plan", map[string]string{
		specs + n(1) + ".md": write("status: pending\n", "One"), specs + n(2) + ".md": write("status: pending\ndepends_on: ["+n(1)+"]\nlabels: [api]\n", "Two"),
		specs + n(3) + ".md": write("status: pending\n", "Three"), specs + n(4) + ".md": write("type: driver\n", "Driver"),
		specs + n(4) + ".1.md": write("", "Member"), specs + n(5) + ".md": write("status: [\n", "Unreadable"), specs + n(6) + ".md": write("", "Deleted"),
	})
	done := day(10).Format(time.RFC3339)
	commitAt(t, dir, day(10), "Bob", event(n(1), "complete"), map[string]string{specs + n(1) + ".md": write("status: completed\ncompleted_at: "+done+"\n", "One")})
	commitAt(t, dir, day(10), "Bob", event(n(1), "land"), nil)
	commitAt(t, dir, day(9), "Bob", event(n(3), "complete"), map[string]string{specs + n(3) + ".md": write("status: completed\n", "Three")})
	commitAt(t, dir, day(8), "Bob", event(n(3), "archive"), map[string]string{specs + n(3) + ".md": "", ".chant/archive/2026-01-02/" + n(3) + ".md": write("status: completed\n", "Three")})
	commitAt(t, dir, day(7), "Ada", "Import what was archived", map[string]string{
		".chant/archive/2025-01-02/2025-01-02-001-old.md": write("status: completed\ncompleted_at: "+day(30).Format(time.RFC3339)+"\n", "Of old"),
		".chant/archive/2025-01-02/2025-01-02-002-old.md": write("status: cancelled\n", "Dropped of old"),
	})
	commitAt(t, dir, day(6), "Ada", "Clean up", map[string]string{specs + n(6) + ".md": ""})
	return p, dir
}

func TestDag(t *testing.T) {
	t.Parallel()
	p, _ := worked(t)
	all, err := Dag(t.Context(), p, DagInput{})
	assert.NoError(t, err)
	assert.Equal(t, 5, all.Total)
	assert.Equal(t, 5, all.Returned)
	var ids []string
	for _, s := range all.Specs {
		ids = append(ids, s.ID)
	}
	assert.Equal(t, []string{n(1), n(2), n(4), n(4) + ".1", n(5)}[:3], ids[:3])
	assert.Equal(t, picture.Invalid, all.Specs[len(ids)-1].Status)
	assert.Contains(t, all.Specs[len(ids)-1].Error, ".md:2")
	around, err := Dag(t.Context(), p, DagInput{IDs: []string{"002"}})
	assert.NoError(t, err)
	assert.Equal(t, 2, around.Returned)
	assert.Equal(t, all.Total, around.Total)
	assert.Equal(t, 1, len(around.Needs))
	labelled, err := Dag(t.Context(), p, DagInput{Labels: []string{"api"}, Statuses: []string{"ready"}})
	assert.NoError(t, err)
	assert.Equal(t, 1, labelled.Returned)
	for name, c := range map[string]struct {
		in   DagInput
		code engine.Code
	}{
		"an unknown status": {DagInput{Statuses: []string{"done"}}, engine.Usage},
		"an unknown spec":   {DagInput{IDs: []string{"nowhere"}}, engine.NotFound},
		"an archived spec":  {DagInput{IDs: []string{n(3)}}, engine.State},
	} {
		_, err := Dag(t.Context(), p, c.in)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
	}
}

func TestActivity(t *testing.T) {
	t.Parallel()
	p, dir := worked(t)
	enginetest.Git(t, dir, "checkout", "-q", "-b", "chant/"+n(2))
	commitAt(t, dir, p.Now().AddDate(0, 0, -1), "Cid", event(n(2), "start"), nil)
	enginetest.Git(t, dir, "checkout", "-q", "main")
	day := func(ago int) string { return p.Now().AddDate(0, 0, -ago).Format(time.DateOnly) }
	for name, c := range map[string]struct {
		in   ActivityInput
		want string
		more bool
	}{
		"the newest":        {ActivityInput{Limit: 3}, "002 start Cid, 006 delete Ada, old add Ada", true},
		"of one spec":       {ActivityInput{Specs: []string{"001"}}, "001 land Bob, 001 complete Bob, 001 add Ada", false},
		"of an archived":    {ActivityInput{Specs: []string{n(3)}}, "003 archive Bob, 003 complete Bob, 003 add Ada", false},
		"of a deleted":      {ActivityInput{Specs: []string{n(6)}}, "006 delete Ada, 006 add Ada", false},
		"of members":        {ActivityInput{Specs: []string{n(4)}}, "004 add Ada, 004.1 add Ada", false},
		"by somebody":       {ActivityInput{By: "CID@"}, "002 start Cid", false},
		"since a time":      {ActivityInput{Since: "8d", By: "bob"}, "003 archive Bob", false},
		"on one day":        {ActivityInput{Since: day(9), Until: day(9)}, "003 complete Bob", false},
		"before everything": {ActivityInput{Until: "2020-01-01"}, "", false},
	} {
		r, err := Activity(t.Context(), p, c.in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, e := range r.Entries {
			id := strings.ReplaceAll(strings.TrimPrefix(e.Spec, "2026-01-02-"), "-abc", "")
			got = append(got, strings.TrimPrefix(strings.TrimPrefix(id, "2025-01-02-001-"), "2025-01-02-002-")+" "+e.Event+" "+e.By)
		}
		assert.Equal(t, c.want, strings.Join(got, ", "), "%s", name)
		assert.Equal(t, c.more, r.Total > r.Returned, "%s", name)
		assert.Equal(t, len(got), r.Returned, "%s", name)
		assert.True(t, r.Entries != nil, "%s: %q, more %v, want %q", name, got, r.Total > r.Returned, c.want)
	}
	r, err := Activity(t.Context(), p, ActivityInput{Specs: []string{"001"}, Limit: 1})
	assert.NoError(t, err)
	assert.Equal(t, "One", r.Entries[0].Title)
	for name, c := range map[string]struct {
		in   ActivityInput
		code engine.Code
	}{
		"no time":         {ActivityInput{Since: "someday"}, engine.Usage},
		"no time until":   {ActivityInput{Until: "x"}, engine.Usage},
		"the end before":  {ActivityInput{Since: "1d", Until: "2d"}, engine.Usage},
		"an unknown spec": {ActivityInput{Specs: []string{"nowhere"}}, engine.NotFound},
	} {
		_, err := Activity(t.Context(), p, c.in)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
	}
}

func TestStats(t *testing.T) {
	t.Parallel()
	p, _ := worked(t)
	for i, step := range []journal.Step{journal.Open, journal.Complete} {
		data, err := json.Marshal([]any{journal.Job{ID: n(1), Provider: "shell"}, "c0ffee"}[i])
		assert.NoError(t, err)
		if _, err := p.Store.Append(n(1), journal.Record{Time: p.Now(), Attempt: 1, Step: step, State: []journal.State{journal.Begin, journal.Done}[i], Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Stats(t.Context(), p, StatsInput{})
	assert.NoError(t, err)
	// Specs 1 and 3, and the one of old; created at their first commits, which for that is after its end.
	const tenDays, elevenDays = 10 * 24 * 3600, 11 * 24 * 3600
	assert.Equal(t, 3, r.Landed)
	assert.Equal(t, 2, r.LeadTime.Specs)
	assert.Equal(t, tenDays, *r.LeadTime.Median)
	assert.Equal(t, elevenDays, *r.LeadTime.P90)
	assert.Equal(t, 1, r.FirstAttempt.Specs)
	assert.Equal(t, 1, *r.FirstAttempt.Rate)
	assert.True(t, len(r.Weeks) >= defaultWeeks, "%+v, %d weeks", r.FirstAttempt, len(r.Weeks))
	r, err = Stats(t.Context(), p, StatsInput{Since: "2w"})
	assert.NoError(t, err)
	assert.Equal(t, 2, r.Landed)
	r, err = Stats(t.Context(), p, StatsInput{Since: "all"})
	assert.NoError(t, err)
	assert.Equal(t, 3, r.Landed)
	assert.True(t, r.Since.Equal(p.Now().AddDate(0, 0, -30)), "%d landed since %v, %v", r.Landed, r.Since, err)
	for _, text := range []string{"x", "2999-01-01"} {
		_, err := Stats(t.Context(), p, StatsInput{Since: text})
		assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "%q", text)
	}
}

// TestOverview_unborn: before the first commit there is nothing, which is no error.
func TestOverview_unborn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Git(t, dir, "init", "-q", "-b", "main")
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults:\n  provider: shell\n---\n")
	enginetest.Write(t, dir, ".chant/specs/.gitkeep", "")
	p, err := engine.Open(dir, enginetest.Options())
	assert.NoError(t, err)
	r, err := Activity(t.Context(), p, ActivityInput{})
	assert.NoError(t, err, "%+v", r)
	assert.Zero(t, r.Entries, "%+v", r)
	if r, err := Stats(t.Context(), p, StatsInput{}); err != nil || r.Landed != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Dag(t.Context(), p, DagInput{}); err != nil || r.Specs == nil {
		t.Errorf("%+v, %v", r, err)
	}
}
