package attempt_test

import (
	"errors"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/spec"
	"chant/providers/secret"

	"github.com/alecthomas/assert/v2"
)

// TestTrusted reads the spec as its start commit has it, whatever became of it since, once; another text that counts is
// read again, and a caller may change its copy.
func TestTrusted(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	one, err := r.Trusted(t.Context())
	assert.NoError(t, err)
	assert.Equal(t, spec.InProgress, one.Status)
	assert.Contains(t, string(one.Doc.Bytes()), "test -f done.txt")
	one.Fields.Reason = "changed by the caller"
	r.Agent(map[string]string{runtest.Own: "# Nothing\n"})
	two, err := r.Trusted(t.Context())
	assert.NoError(t, err, "read again: %v, reason", two.Doc != one.Doc)
	assert.Equal(t, "", two.Fields.Reason, "read again: %v, reason", two.Doc != one.Doc)
	assert.True(t, two.Doc == one.Doc, "read again: %v, reason %q, %v", two.Doc != one.Doc, two.Fields.Reason, err)
	text := strings.Replace(runtest.Plain, "test -f done.txt", "true", 1)
	assert.NoError(t, r.Journal.Trust(journal.Trusted{Text: text}))
	three, err := r.Trusted(t.Context())
	assert.NoError(t, err, "what counts now is")
	assert.Equal(t, text, string(three.Doc.Bytes()), "what counts now is")
}

// TestTrusted_withoutJournal believes the target's criteria of a branch that came without its journal.
func TestTrusted_withoutJournal(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(map[string]string{runtest.Own: "# Nothing\n"})
	r.Journal.Assume(nil)
	got, err := r.Trusted(t.Context())
	assert.NoError(t, err)
	assert.Contains(t, string(got.Doc.Bytes()), "test -f done.txt")
	assert.True(t, r.Journal.History().Trusted.OfTarget, "%+v, %v", r.Journal.History().Trusted, err)
}

// TestWrite_disturbed notices that another process writes to the journal while this one has the run.
func TestWrite_disturbed(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	assert.NoError(t, r.Journal.Record(journal.Collect, journal.Begin, nil), "%v", r.Journal.Foreign())
	assert.Zero(t, r.Journal.Foreign())
	_, err := r.Store.Append(runtest.ID, journal.Record{Step: journal.Verify, State: journal.Done})
	assert.NoError(t, err)
	assert.NoError(t, r.Journal.Record(journal.Collect, journal.Done, nil))
	assert.Equal(t, 1, len(r.Journal.Foreign()))
	assert.Contains(t, r.Journal.Foreign()[0], "journal")
}

// TestWrite_secrets keeps secrets out of the journal, but not out of what later looks are compared with.
func TestWrite_secrets(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Secrets.Learn(secret.From("API_TOKEN=tok-0123456789abcdef"))
	text := "failed with tok-0123456789abcdef"
	assert.NoError(t, r.Journal.RecordFailure(journal.Agent, spec.ReasonAgent, text, errors.New(text)))
	assert.NoError(t, r.Journal.Record(journal.Trust, journal.Done, journal.Trusted{Text: text}))
	src, err := r.Store.Journal(runtest.ID)
	assert.NoError(t, err, "the journal is\n%s", src)
	assert.Equal(t, 1, strings.Count(string(src), "tok-0123456789abcdef"), "the journal is\n%s", src)
	f := &journal.Failure{Message: text, Details: []string{text, "clean"}}
	details := f.Details
	r.RedactFailure(errors.Join(errors.New("other"), f))
	assert.NotContains(t, f.Message+strings.Join(f.Details, ""), "tok-")
	assert.Equal(t, text, details[0])
}

// TestAgentCommits tells work from commits that only move the spec, whatever they say of themselves.
func TestAgentCommits(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		commit func(r *runtest.Run)
		work   int
	}{
		"none":       {func(*runtest.Run) {}, 0},
		"one":        {func(r *runtest.Run) { r.Agent(map[string]string{"a": "1\n"}) }, 1},
		"empty":      {func(r *runtest.Run) { r.Agent(nil) }, 1},
		"a spec":     {func(r *runtest.Run) { r.Agent(map[string]string{runtest.Own: runtest.Plain}) }, 1},
		"as a start": {func(r *runtest.Run) { said(r, "start", map[string]string{"a": "1\n"}) }, 1},
		"a start":    {func(r *runtest.Run) { said(r, "start", map[string]string{runtest.Own: runtest.Plain}) }, 0},
		"approval":   {func(r *runtest.Run) { said(r, "approve", map[string]string{runtest.Own: runtest.Plain}) }, 0},
		"no event":   {func(r *runtest.Run) { said(r, "nonsense", map[string]string{runtest.Own: runtest.Plain}) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			tc.commit(r)
			commits, err := r.AgentCommits(t.Context(), r.Git("rev-parse", r.Job.Branch))
			assert.NoError(t, err, "work %v", commits)
			assert.Equal(t, tc.work, len(commits), "work %v", commits)
		})
	}
}

// said commits files with the trailers of an event.
func said(r *runtest.Run, event string, files map[string]string) {
	r.T.Helper()
	r.Leave(files)
	enginetest.Git(r.T, r.Trees.Tree, "add", "-A")
	enginetest.Git(r.T, r.Trees.Tree, "commit", "-q", "-m", "chant("+runtest.ID+"): "+event+"\n\nChant-Spec: "+runtest.ID+"\nChant-Event: "+event+"\nChant-Attempt: 1\n")
}

// TestBase is where the branch left the target, also when that has moved, was merged or was rewound since.
func TestBase(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		target func(r *runtest.Run)
		kind   spec.ReasonCode // of StillBased
	}{
		"as it was": {func(*runtest.Run) {}, ""},
		"moved on":  {func(r *runtest.Run) { r.Git("commit", "-q", "--allow-empty", "-m", "x") }, ""},
		"rewound": {func(r *runtest.Run) {
			r.Git("commit", "-q", "--allow-empty", "-m", "x")
			r.Git("reset", "-q", "--hard", "HEAD~2")
		}, spec.ReasonMoved},
		"amended": {func(r *runtest.Run) { r.Git("commit", "-q", "--amend", "-m", "other") }, spec.ReasonMoved},
		"renamed": {func(r *runtest.Run) { r.Git("branch", "-m", "main", "trunk") }, spec.ReasonTargetGone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			want := r.Git("rev-parse", "main")
			r.Agent(map[string]string{"a": "1\n"})
			tc.target(r)
			got, err := r.Base(t.Context())
			assert.NoError(t, err)
			assert.Equal(t, want, got)
			err = r.StillBased(t.Context())
			assert.Equal(t, tc.kind, runtest.Kind(err))
		})
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	was := map[string]string{"same": "1", "changed": "1", "removed": "1"}
	now := map[string]string{"same": "1", "changed": "2", "added": "1"}
	got, want := attempt.Differences(was, now), []string{"added was added", "changed was changed", "removed was removed"}
	assert.Equal(t, want, got)
	got = attempt.Differences(nil, nil)
	assert.Zero(t, got, "of nothing: %v", got)
}

func TestTampered(t *testing.T) {
	t.Parallel()
	assert.NoError(t, attempt.TamperFailure(nil))
	f, ok := errors.AsType[*journal.Failure](attempt.TamperFailure([]string{"a", "b"}))
	assert.True(t, ok, "%+v", f)
	assert.Equal(t, spec.ReasonTampered, f.Kind)
	assert.Equal(t, "forbidden changes during the run: a; b", f.Message)
	assert.Equal(t, 2, len(f.Details))
	f, _ = errors.AsType[*journal.Failure](attempt.TamperFailure([]string{"a", "b", "c", "d", "e"}))
	assert.Equal(t, "forbidden changes during the run: a; b; c; and 2 more", f.Message)
	assert.Equal(t, 5, len(f.Details))
}

// TestPart cuts the line of steps.
func TestPart(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []journal.Step{journal.Verify, journal.Complete, journal.Land}, attempt.StepsBetween(journal.Verify, journal.Land))
	for _, tc := range []struct {
		step, other journal.Step
		want        bool
	}{
		{journal.Branch, journal.Agent, true}, {journal.Agent, journal.Agent, false}, {journal.Clean, journal.Branch, false}, {journal.Rebase, journal.Clean, false},
	} {
		assert.Equal(t, tc.want, attempt.Precedes(tc.step, tc.other), "%s before %s", tc.step, tc.other)
	}
}
