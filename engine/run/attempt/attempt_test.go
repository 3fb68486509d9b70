package attempt_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/spec"
	"chant/providers/secret"
)

// TestTrusted reads the spec as its start commit has it, whatever became of it since, once; another text that counts is
// read again, and a caller may change its copy.
func TestTrusted(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	one, err := r.Trusted(t.Context())
	if err != nil || one.Status != spec.InProgress || !strings.Contains(string(one.Doc.Bytes()), "test -f done.txt") {
		t.Fatalf("%+v, %v", one, err)
	}
	one.Fields.Reason = "changed by the caller"
	r.Agent(map[string]string{runtest.Own: "# Nothing\n"})
	two, err := r.Trusted(t.Context())
	if err != nil || two.Fields.Reason != "" || two.Doc != one.Doc {
		t.Errorf("read again: %v, reason %q, %v", two.Doc != one.Doc, two.Fields.Reason, err)
	}
	text := strings.Replace(runtest.Plain, "test -f done.txt", "true", 1)
	if err := r.Trust(journal.Trusted{Text: text}); err != nil {
		t.Fatal(err)
	}
	three, err := r.Trusted(t.Context())
	if err != nil || string(three.Doc.Bytes()) != text {
		t.Errorf("what counts now is\n%s\n%v", three.Doc.Bytes(), err)
	}
}

// TestTrusted_withoutJournal believes the target's criteria of a branch that came without its journal.
func TestTrusted_withoutJournal(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(map[string]string{runtest.Own: "# Nothing\n"})
	r.History.Trusted = nil
	got, err := r.Trusted(t.Context())
	if err != nil || !strings.Contains(string(got.Doc.Bytes()), "test -f done.txt") || !r.History.Trusted.OfTarget {
		t.Errorf("%+v, %v", r.History.Trusted, err)
	}
}

// TestWrite_disturbed notices that another process writes to the journal while this one has the run.
func TestWrite_disturbed(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	if err := r.Record(journal.Collect, journal.Begin, nil); err != nil || len(r.Foreign) > 0 {
		t.Fatalf("%v, %v", r.Foreign, err)
	}
	if _, err := r.Store.Append(runtest.ID, journal.Record{Step: journal.Verify, State: journal.Done}); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(journal.Collect, journal.Done, nil); err != nil || len(r.Foreign) != 1 || !strings.Contains(r.Foreign[0], "journal") {
		t.Errorf("%v, %v", r.Foreign, err)
	}
}

// TestWrite_secrets keeps secrets out of the journal, but not out of what later looks are compared with.
func TestWrite_secrets(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Secrets = secret.From("API_TOKEN=tok-0123456789abcdef")
	text := "failed with tok-0123456789abcdef"
	if err := r.RecordFailure(journal.Agent, spec.ReasonAgent, text, errors.New(text)); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(journal.Trust, journal.Done, journal.Trusted{Text: text}); err != nil {
		t.Fatal(err)
	}
	src, err := r.Store.Journal(runtest.ID)
	if err != nil || strings.Count(string(src), "tok-0123456789abcdef") != 1 {
		t.Errorf("the journal is\n%s\n%v", src, err)
	}
	f := &journal.Failure{Message: text, Details: []string{text, "clean"}}
	details := f.Details
	r.RedactFailure(errors.Join(errors.New("other"), f))
	if strings.Contains(f.Message+strings.Join(f.Details, ""), "tok-") || details[0] != text {
		t.Errorf("%+v, shared details %v", f, details)
	}
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
			if err != nil || len(commits) != tc.work {
				t.Errorf("work %v, want %d (%v)", commits, tc.work, err)
			}
		})
	}
}

// said commits files with the trailers of an event.
func said(r *runtest.Run, event string, files map[string]string) {
	r.T.Helper()
	r.Leave(files)
	enginetest.Git(r.T, r.Tree, "add", "-A")
	enginetest.Git(r.T, r.Tree, "commit", "-q", "-m", "chant("+runtest.ID+"): "+event+"\n\nChant-Spec: "+runtest.ID+"\nChant-Event: "+event+"\nChant-Attempt: 1\n")
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
			if err != nil || got != want {
				t.Errorf("base %s, want %s (%v)", got, want, err)
			}
			if err := r.StillBased(t.Context()); runtest.Kind(err) != tc.kind {
				t.Errorf("still based: %v", err)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	was := map[string]string{"same": "1", "changed": "1", "removed": "1"}
	now := map[string]string{"same": "1", "changed": "2", "added": "1"}
	if got, want := attempt.Differences(was, now), []string{"added was added", "changed was changed", "removed was removed"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if got := attempt.Differences(nil, nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestTampered(t *testing.T) {
	t.Parallel()
	if err := attempt.TamperFailure(nil); err != nil {
		t.Error(err)
	}
	f, ok := errors.AsType[*journal.Failure](attempt.TamperFailure([]string{"a", "b"}))
	if !ok || f.Kind != spec.ReasonTampered || f.Message != "forbidden changes during the run: a; b" || len(f.Details) != 2 {
		t.Errorf("%+v", f)
	}
}

// TestPart cuts the line of steps.
func TestPart(t *testing.T) {
	t.Parallel()
	if got := attempt.StepsBetween(journal.Verify, journal.Land); !slices.Equal(got, []journal.Step{journal.Verify, journal.Complete, journal.Land}) {
		t.Errorf("%v", got)
	}
	for _, tc := range []struct {
		step, other journal.Step
		want        bool
	}{
		{journal.Branch, journal.Agent, true}, {journal.Agent, journal.Agent, false}, {journal.Clean, journal.Branch, false}, {journal.Rebase, journal.Clean, false},
	} {
		if got := attempt.Precedes(tc.step, tc.other); got != tc.want {
			t.Errorf("%s before %s: %v", tc.step, tc.other, got)
		}
	}
}
