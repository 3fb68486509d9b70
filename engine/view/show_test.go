package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// TestShow checks that Show returns everything about a spec, and Get only what its file contains.
func TestShow(t *testing.T) {
	t.Parallel()
	p := board(t)
	for name, c := range map[string]struct {
		id       string
		status   string
		ready    bool
		waits    int
		members  int
		criteria int
		archived bool
	}{
		"ready":     {"001", "pending", true, 0, 0, 3, false},
		"waits":     {n(2), "pending", false, 1, 0, 3, false},
		"completed": {n(3), "completed", false, 0, 0, 3, false},
		"cancelled": {n(6), "cancelled", false, 0, 0, 3, false},
		"a driver":  {n(10), "pending", false, 0, 2, 0, false},
		"archived":  {n(11), "completed", false, 0, 0, 0, true},
		"a member":  {n(10) + ".1", "pending", true, 0, 0, 3, false},
	} {
		r, err := Show(t.Context(), p, ShowInput{ID: c.id})
		if err != nil || r.Status != c.status || r.Ready != c.ready || r.Archived != c.archived {
			t.Errorf("%s: %+v, %v", name, r.Row, err)
			continue
		}
		assert.Equal(t, c.members, len(r.Members), "%s: members %v, criteria %v", name, r.Members, r.Waits)
		assert.Equal(t, c.criteria, len(r.Criteria), "%s: members %v, criteria %v", name, r.Members, r.Waits)
		assert.True(t, r.Criteria != nil, "%s: members %v, criteria %v, waits %v", name, r.Members, r.Criteria, r.Waits)
		assert.Equal(t, c.waits > 0, len(r.Waits) > 0, "%s: members %v, criteria %v", name, r.Members, r.Waits)
		assert.HasSuffix(t, r.Path, r.ID+".md", "%s", name)
		assert.HasPrefix(t, r.Body, "# ", "%s", name)
		assert.Zero(t, r.Attempts, "%s", name)
		assert.True(t, r.Usage == nil, "%s: %+v", name, r)
		assert.True(t, r.Evidence == nil, "%s: %+v", name, r)
		assert.True(t, r.Failed == nil, "%s: %+v", name, r)
		own, err := Get(t.Context(), p, ShowInput{ID: c.id})
		assert.NoError(t, err, "%s by its file", name)
		assert.Equal(t, r.ID, own.ID, "%s by its file", name)
		assert.Equal(t, r.Body, own.Body, "%s by its file", name)
		assert.Equal(t, r.Path, own.Path, "%s by its file", name)
		assert.Equal(t, len(r.Criteria), len(own.Criteria), "%s by its file", name)
		assert.Equal(t, r.Row, own.Row, "%s", name)
		assert.True(t, own.Waits == nil, "%s: %+v", name, own)
	}
	for id, code := range map[string]engine.Code{"nowhere": engine.NotFound, n(9): engine.Invalid, "": engine.Invalid} {
		for name, read := range map[string]func() error{
			"show": func() error { _, err := Show(t.Context(), p, ShowInput{ID: id}); return err },
			"get":  func() error { _, err := Get(t.Context(), p, ShowInput{ID: id}); return err },
		} {
			err := read()
			assert.Equal(t, code, enginetest.CodeOf(t, err), "%s %q", name, id)
		}
	}
}

// TestTitles lists ids in order, including those of unreadable files.
func TestTitles(t *testing.T) {
	t.Parallel()
	p := board(t)
	all, err := IDs(t.Context(), p)
	assert.NoError(t, err)
	assert.Equal(t, 17, len(all))
	assert.True(t, slices.IsSortedFunc(all, spec.Compare), "%q, %v", all, err)
	assert.SliceContains(t, all, n(9))
	assert.NotSliceContains(t, all, n(11))
	for id, want := range map[string]string{n(1): "Parser of words", n(9): "", "nowhere": ""} {
		assert.Equal(t, want, Title(t.Context(), p, id), "%s", id)
	}
	enginetest.Write(t, p.Repo.Home(), ".chant/logs/"+n(1)+".log", "12345\n")
	for id, want := range map[string]int64{n(1): 6, n(2): 0} {
		got, err := LogSize(t.Context(), p, id)
		assert.NoError(t, err, "%s", id)
		assert.Equal(t, want, got, "%s", id)
	}
	_, err = LogSize(t.Context(), p, "nowhere")
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
}

// TestPrep leaves out what earlier agents wrote if asked to.
func TestPrep(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	const own = "# A\n\nDo it.\n"
	enginetest.Commit(t, dir, map[string]string{".chant/specs/" + n(1) + ".md": "---\nstatus: pending\n---\n" + own + "\n## Agent Output\n\nold words\n\n## Notes\n\nkept\n"})
	for clean, want := range map[bool]bool{false: true, true: false} {
		r, err := Prep(t.Context(), p, PrepInput{ID: "001", Clean: clean})
		assert.NoError(t, err, "clean %v", clean)
		assert.Equal(t, n(1), r.ID, "clean %v", clean)
		assert.Equal(t, want, strings.Contains(r.Text, "old words"), "clean %v", clean)
		assert.HasPrefix(t, r.Text, own, "clean %v", clean)
		assert.Contains(t, r.Text, "kept", "clean %v", clean)
		assert.NotContains(t, r.Text, "status:", "clean %v", clean)
	}
	_, err := Prep(t.Context(), p, PrepInput{ID: "nowhere"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
}

// TestDiagnose checks file, log, lock, criteria and commits of specs without a run.
func TestDiagnose(t *testing.T) {
	t.Parallel()
	p := board(t)
	enginetest.Write(t, p.Repo.Home(), ".chant/logs/"+n(4)+".log", "12345\n")
	lock, err := lockfile.Acquire(p.Store.LockPath(n(8)), "edit "+n(8))
	assert.NoError(t, err)
	for name, c := range map[string]struct {
		id     string
		status string
		probes map[string]string // what they say; with a "!" in front of those that fail
	}{
		"ready":      {n(1), "pending", map[string]string{"file": n(1) + ".md", "log": "not worked here yet", "lock": "free", "criteria": "!3 in all: 0 run by chant, 2 with an open box", "commits": "no branch"}},
		"unreadable": {n(9), "invalid", map[string]string{"file": "!" + n(9) + ".md:2"}},
		"nothing":    {n(12), "completed", map[string]string{"criteria": "!nothing to verify"}},
		"a log":      {n(4), "failed", map[string]string{"log": "6 bytes, last written"}},
		"a lock":     {n(8), "in_progress", map[string]string{"lock": "held by process"}},
	} {
		r, err := Diagnose(t.Context(), p, DiagnoseInput{ID: c.id})
		if err != nil || r.SpecID != c.id || r.Status != c.status || r.Location != "home" || r.Diagnosis == "" {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		for probe, want := range c.probes {
			want, fails := strings.CutPrefix(want, "!")
			at := slices.IndexFunc(r.Checks, func(one Probe) bool { return one.Name == probe })
			assert.True(t, at >= 0, "%s: the probe %q in %+v", name, probe, r.Checks)
			assert.NotEqual(t, fails, r.Checks[at].Passed, "%s: the probe %q", name, probe)
			assert.Contains(t, r.Checks[at].Details, want, "%s: the probe %q", name, probe)
		}
	}
	assert.NoError(t, lock.Release())
	for id, code := range map[string]engine.Code{"nowhere": engine.NotFound, n(11): engine.State} {
		_, err := Diagnose(t.Context(), p, DiagnoseInput{ID: id})
		assert.Equal(t, code, enginetest.CodeOf(t, err), "%s", id)
	}
}

// TestFailedOutput returns the end of failed output: of commands, else of the agent, and only while the spec is failed.
func TestFailedOutput(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/logs/"+n(1)+".log", strings.Join([]string{
		"2026-01-02T12:00:00Z === attempt 1: shell ===", "2026-01-02T12:00:01Z agent started", "2026-01-02T12:00:02Z hello",
		"2026-01-02T12:00:03Z stderr: no such file", "2026-01-02T12:00:04Z agent ended: exit status 1", "2026-01-02T12:00:05Z after",
	}, "\n")+"\n")
	command := func(holds bool, tails ...string) criteria.Verdict {
		v := criteria.Verdict{Holds: holds}
		for i, tail := range tails {
			v.Evidence = append(v.Evidence, criteria.Evidence{Command: fmt.Sprintf("command %d", i), Tail: tail})
		}
		return v
	}
	long := strings.Repeat("line\n", 20)
	failed := &journal.AgentReport{}
	// After the settings were written.
	begun := time.Now().Add(time.Hour)
	early := func(code spec.ReasonCode, reason string) *journal.Attempt {
		return &journal.Attempt{Closed: true, Opened: begun, Code: code, Reason: reason}
	}
	for name, c := range map[string]struct {
		status spec.Status
		last   *journal.Attempt
		want   []string // of: first line, number of lines
	}{
		"no attempt":                  {spec.Failed, nil, nil},
		"a command":                   {spec.Failed, &journal.Attempt{Report: report(command(false, "bad\nworse\n"))}, []string{"command 0: bad, 2"}},
		"the last of several":         {spec.Failed, &journal.Attempt{Report: report(command(false, "fine\n", "bad\n"))}, []string{"command 1: bad, 1"}},
		"two criteria":                {spec.NeedsAttention, &journal.Attempt{Report: report(command(false, "a"), command(true, "b"), command(false, "c"))}, []string{"command 0: a, 1", "command 0: c, 1"}},
		"only its end":                {spec.Failed, &journal.Attempt{Report: report(command(false, long))}, []string{"command 0: line, 12"}},
		"a command without a word":    {spec.Failed, &journal.Attempt{Report: report(command(false, " \n\n"))}, nil},
		"before its words the agent":  {spec.Failed, &journal.Attempt{Report: report(command(false, "bad")), Agent: failed}, []string{"command 0: bad, 1"}},
		"the agent":                   {spec.Failed, &journal.Attempt{Agent: failed}, []string{"the agent: hello, 2"}},
		"an agent that was fine":      {spec.Failed, &journal.Attempt{Agent: &journal.AgentReport{OK: true}}, nil},
		"a spec that was fixed":       {spec.Completed, &journal.Attempt{Report: report(command(false, "bad")), Agent: failed}, nil},
		"a run whose branch is gone":  {spec.Failed, &journal.Attempt{Gone: true, Report: report(command(false, "bad"))}, nil},
		"a spec that is worked again": {spec.InProgress, &journal.Attempt{Agent: failed}, nil},
		"a set-up":                    {spec.Pending, early(spec.ReasonSetup, "exited with 7:\npriming\nbroken"), []string{"the set-up: priming, 2"}},
		"a hook of git":               {spec.Pending, early(spec.ReasonError, "the hook refused the branch:\nno such ticket"), nil},
		"a set-up without a word":     {spec.Pending, early(spec.ReasonSetup, "exited with 7"), nil},
		"a set-up that was stopped":   {spec.Pending, early(spec.ReasonStopped, "stopped\npriming"), nil},
	} {
		h := &journal.History{}
		if c.last != nil {
			h.Attempts = []*journal.Attempt{c.last}
		}
		var got []string
		for _, one := range failedOutput(p, &spec.Spec{ID: n(1), Status: c.status}, h) {
			got = append(got, fmt.Sprintf("%s: %s, %d", one.Of, one.Lines[0], len(one.Lines)))
		}
		assert.Equal(t, c.want, got, "%s", name)
	}
}

func report(verdicts ...criteria.Verdict) criteria.Report {
	return criteria.Report{Criteria: verdicts}
}

func TestLastOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                             "",
		"\n \n\t\n":                    "",
		"a":                            "a",
		"\n\na\n\nb\n\n":               "a||b",
		"\r\na\r\n":                    "a",
		strings.Repeat("x\n", 30):      strings.TrimSuffix(strings.Repeat("x|", 12), "|"),
		" indented\nand not\n":         " indented|and not",
		"\n" + strings.Repeat("\n", 9): "",
	} {
		assert.Equal(t, want, strings.Join(lastLines(strings.Split(in, "\n")), "|"), "%q", in)
	}
}
