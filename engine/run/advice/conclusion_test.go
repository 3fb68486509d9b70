package advice

import (
	"testing"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"

	"github.com/alecthomas/assert/v2"
)

// seen returns the facts about one spec, as a table changes them.
func seen(s *spec.Spec, change ...func(*Facts)) Facts {
	l := Facts{of: s, graph: spec.NewGraph([]*spec.Spec{s}, nil), History: &journal.History{}, commit: func(step next.Step) next.Step { return step }, onlyByName: func(*spec.Spec) bool { return false }}
	for _, c := range change {
		c(&l)
	}
	return l
}

func attempts(all ...*journal.Attempt) func(*Facts) {
	return func(l *Facts) { l.History.Attempts = all }
}

// TestConclude_situations checks the reason for a spec's state and the next step, by status and circumstance.
func TestConclude_situations(t *testing.T) {
	t.Parallel()
	on := func(status spec.Status) *spec.Spec { return &spec.Spec{ID: "001", Status: status, Branch: "chant/001"} }
	off := func(status spec.Status) *spec.Spec { return &spec.Spec{ID: "001", Status: status} }
	reason := func(s *spec.Spec, code spec.ReasonCode, text string) *spec.Spec {
		s.Fields.ReasonCode, s.Fields.Reason = code, text
		return s
	}
	approval := func(s *spec.Spec, status string) *spec.Spec {
		s.Fields.Approval = &spec.Approval{Required: true, Status: status}
		return s
	}
	landed := func(s *spec.Spec) *spec.Spec { s.Landed = true; return s }
	done := attempts(&journal.Attempt{Closed: true, Commit: "c0ffee"})
	failed := func(why string) *journal.Attempt { return &journal.Attempt{Closed: true, Reason: why} }
	for name, tc := range map[string]struct {
		of   Facts
		next string
		why  string
	}{
		"ready":                           {seen(off(spec.Pending)), "chant work 001", "ready"},
		"worked by hand":                  {seen(off(spec.InProgress)), "chant finalize 001", "worked by hand"},
		"cancelled":                       {seen(off(spec.Cancelled)), "chant reset 001", "cancelled"},
		"landed":                          {seen(landed(off(spec.Completed))), "chant verify 001", "completed and landed"},
		"landed, nothing to verify":       {seen(landed(off(spec.Completed)), func(l *Facts) { l.vacuous = true }), "chant show 001", "completed and landed; there is"},
		"no longer holds":                 {seen(reason(off(spec.NeedsAttention), spec.ReasonNoLonger, "x fails")), "chant work 001", "it was completed: x fails; work does it again"},
		"at work":                         {seen(on(spec.InProgress), func(l *Facts) { l.held, l.state = true, Running }), "chant log 001 --follow", "a process is at work on it"},
		"in the queue":                    {seen(on(spec.Completed), func(l *Facts) { l.glance.Queue = &Place{2, "checking", []string{"000"}} }), "chant queue", "it waits to land behind 000"},
		"its agent waits":                 {seen(on(spec.InProgress), func(l *Facts) { l.held, l.state = true, Waiting }), "chant takeover 001", "its agent waits for you"},
		"interrupted":                     {seen(on(spec.InProgress), func(l *Facts) { l.state = Interrupted }, attempts(&journal.Attempt{Last: journal.Verify})), "chant work 001", `its run was interrupted at step "verify"; work resumes it`},
		"interrupted at the beginning":    {seen(on(spec.InProgress), func(l *Facts) { l.state = Interrupted }, attempts(&journal.Attempt{})), "chant work 001", "interrupted before its first step"},
		"interrupted, no journal":         {seen(on(spec.InProgress), func(l *Facts) { l.state = Interrupted }), "chant work 001", "at an unknown step, because its journal is missing"},
		"a branch of another origin":      {seen(on(spec.Pending), func(l *Facts) { l.foreign = "chant/001" }), "git branch -m chant/001 kept/chant/001", `branch "chant/001" was not started by chant`},
		"an edit that conflicts":          {seen(on(spec.Paused), func(l *Facts) { l.clash = engine.Fail(engine.Conflict, next.Edit.On("001"), "both were edited") }), "chant edit 001", "both were edited"},
		"waits to land":                   {seen(on(spec.Completed), done), "chant merge 001", "completed on its branch, but not landed"},
		"completed elsewhere":             {seen(on(spec.Completed)), "chant finalize 001", "chant has not completed it in this repository"},
		"withdrawn":                       {seen(reason(on(spec.Completed), spec.ReasonWithdrawn, "cancelled on main"), done), "chant reset 001", "not landed: cancelled on main"},
		"needs approval to land":          {seen(approval(on(spec.Completed), "pending"), done), "chant approve 001", "not landed: it waits for approval"},
		"approved since":                  {seen(reason(on(spec.Completed), spec.ReasonUnapproved, "x"), done, func(l *Facts) { l.edited = true }), "chant merge 001", "approved since"},
		"landed, with its branch":         {seen(landed(on(spec.Completed)), done), "chant verify 001", "completed and landed"},
		"failed":                          {seen(on(spec.Failed), attempts(failed("no"))), "chant work 001", "the last attempt failed: no; work tries again on the same branch"},
		"failed, unknown":                 {seen(on(spec.Failed)), "chant work 001", "has been edited since"},
		"failed, edited":                  {seen(on(spec.Failed), attempts(failed("no")), func(l *Facts) { l.edited = true }), "chant work 001", "edited since"},
		"failed, by a script":             {seen(on(spec.Failed), attempts(failed("no")), func(l *Facts) { l.shell = true }), "chant edit 001", "its script would fail again"},
		"failed twice alike":              {seen(on(spec.Failed), attempts(failed("no"), failed("no"))), "chant edit 001", "two attempts failed in the same way: no"},
		"failed twice":                    {seen(on(spec.Failed), attempts(failed("no"), failed("not so"))), "chant work 001", "the last attempt failed: not so"},
		"failed, names its step":          {seen(on(spec.Failed), attempts(&journal.Attempt{Reason: "no", Next: next.Status.On()})), "chant status", "the last attempt failed: no"},
		"failed, refused by the API":      {seen(on(spec.Failed), attempts(&journal.Attempt{Reason: "401", Agent: &journal.AgentReport{Refused: true}})), "chant config --validate", "once that is settled"},
		"failed and rejected":             {seen(approval(on(spec.Failed), "rejected"), attempts(failed("no"))), "chant edit 001", "the spec was rejected"},
		"failed, rejected, edited":        {seen(approval(on(spec.Failed), "rejected"), attempts(failed("no")), func(l *Facts) { l.edited = true }), "chant approve 001", "rejected, and it was edited since"},
		"failed, unapproved, edited":      {seen(approval(on(spec.Failed), "pending"), attempts(failed("no")), func(l *Facts) { l.edited = true }), "chant approve 001", "waits for approval"},
		"paused":                          {seen(reason(on(spec.Paused), "", "by you")), "chant work 001", "stopped: by you; work resumes it"},
		"needs attention, unknown":        {seen(on(spec.NeedsAttention)), "chant reset 001", "it needs your attention"},
		"needs attention, tampered":       {seen(reason(on(spec.NeedsAttention), spec.ReasonTampered, "x was changed")), "chant finalize 001 --accept-changes", "your attention: x was changed"},
		"needs attention, nothing but it": {seen(reason(on(spec.NeedsAttention), spec.ReasonTampered, "x was changed"), func(l *Facts) { l.empty = true }), "chant reset 001", "x was changed"},
		"a conflict, by hand":             {seen(reason(on(spec.NeedsAttention), spec.ReasonConflict, "a.txt"), func(l *Facts) { l.way = next.Shell("git merge main") }), "git merge main", "once it is merged and committed there, finalize and then merge land it"},
		"from the journal":                {seen(on(spec.NeedsAttention), attempts(&journal.Attempt{Closed: true, Reason: "it drifted", Code: spec.ReasonDrifted})), "chant work 001 --replay", "your attention: it drifted"},
		"a dropped attempt says nothing":  {seen(on(spec.NeedsAttention), attempts(&journal.Attempt{Gone: true, Reason: "it drifted", Code: spec.ReasonDrifted})), "chant reset 001", "it needs your attention"},
	} {
		got := tc.of.Conclude()
		assert.Equal(t, tc.next, got.Next.String(), "%s", name)
		assert.Contains(t, got.Why, tc.why, "%s", name)
	}
}

// TestConclude_always: every spec has a reason in words and a next step, whatever is known about it.
func TestConclude_always(t *testing.T) {
	t.Parallel()
	for _, status := range spec.Statuses() {
		for _, code := range append(spec.ReasonCodes(), "") {
			for i := range 1 << 6 {
				has := func(bit int) bool { return i&(1<<bit) != 0 }
				s := &spec.Spec{ID: "001", Status: status, Landed: has(0)}
				s.Fields.ReasonCode = code
				if has(1) {
					s.Branch = "chant/001"
				}
				l := seen(s, func(l *Facts) { l.edited, l.empty, l.shell = has(2), has(3), has(4) })
				if has(5) {
					l.History.Attempts = []*journal.Attempt{{Closed: true, Commit: "c0ffee", Code: code}}
				}
				got := l.Conclude()
				assert.NotEqual(t, "", got.Why, "%s, code %q, %06b", status, code, i)
				assert.False(t, got.Next.IsZero(), "%s, code %q, %06b: %+v", status, code, i, got)
			}
		}
	}
}

// TestConclude_uncommitted: an edit that an approval has to cover must be committed first.
func TestConclude_uncommitted(t *testing.T) {
	t.Parallel()
	s := &spec.Spec{ID: "001", Status: spec.Pending}
	l := seen(s, func(l *Facts) {
		l.commit = func(step next.Step) next.Step { return step.After("git commit") }
	})
	got := l.Conclude()
	assert.HasPrefix(t, got.Next.String(), "git commit")
	assert.HasSuffix(t, got.Why, "your edit of it is not committed, and an approval covers only what is committed")
}

// TestConclude_memberOnlyByName: a driver does not wait for the work of a member that is not started before it has criteria.
func TestConclude_memberOnlyByName(t *testing.T) {
	t.Parallel()
	driver := &spec.Spec{ID: "001", Status: spec.Pending, Fields: spec.Fields{Type: "driver"}}
	all := []*spec.Spec{driver, {ID: "001.1", Status: spec.Completed, Landed: true}, {ID: "001.2", Status: spec.Pending}}
	for onlyByName, want := range map[bool][2]string{
		true:  {"chant edit 001.2", "completes with the last of them: 001.2 needs acceptance criteria"},
		false: {"chant work 001.2", "completes with the last of them: 001.2 is ready"},
	} {
		got := seen(driver, func(l *Facts) {
			l.graph = spec.NewGraph(all, nil)
			l.onlyByName = func(s *spec.Spec) bool { return onlyByName && s.ID == "001.2" }
		}).Conclude()
		assert.Equal(t, want[0], got.Next.String(), "only by name: %t", onlyByName)
		assert.HasSuffix(t, got.Why, want[1], "only by name: %t", onlyByName)
	}
}

// TestMergeAgainStep repeats an interrupted update of the branch of complete work in the same way.
func TestMergeAgainStep(t *testing.T) {
	t.Parallel()
	cut := func(step journal.Step, by string) *journal.Attempt {
		return &journal.Attempt{Commit: "c0ffee", CatchUp: step, Steps: map[journal.Step]journal.State{step: journal.Begin}, Taken: journal.Job{Provider: by}}
	}
	for name, tc := range map[string]struct {
		status spec.Status
		branch string
		last   *journal.Attempt
		want   string
	}{
		"rebase":            {spec.Completed, "b", cut(journal.Rebase, ""), "chant merge 001 --rebase"},
		"agent":             {spec.Completed, "b", cut(journal.Resolve, ""), "chant merge 001 --auto"},
		"a named agent":     {spec.NeedsAttention, "b", cut(journal.Resolve, "claude"), "chant merge 001 --auto --provider claude"},
		"work not complete": {spec.Completed, "b", &journal.Attempt{CatchUp: journal.Rebase}, ""},
		"without a branch":  {spec.Completed, "", cut(journal.Rebase, ""), ""},
		"failed":            {spec.Failed, "b", cut(journal.Rebase, ""), ""},
		"not cut short":     {spec.Completed, "b", &journal.Attempt{Commit: "c0ffee"}, ""},
		"dropped":           {spec.Completed, "b", func() *journal.Attempt { a := cut(journal.Rebase, ""); a.Gone = true; return a }(), ""},
	} {
		s := &spec.Spec{ID: "001", Status: tc.status, Branch: tc.branch}
		got := MergeAgainStep(s, &journal.History{Attempts: []*journal.Attempt{tc.last}})
		assert.Equal(t, tc.want == "", got.IsZero(), "%s", name)
		assert.False(t, !got.IsZero() && got.String() != tc.want, "%s: %q, want %q", name, got, tc.want)
	}
}

// TestMissingApproval: a person who starts a run may waive a missing approval, but not a rejection.
func TestMissingApproval(t *testing.T) {
	t.Parallel()
	waived := &journal.History{Attempts: []*journal.Attempt{{Job: journal.Job{SkipApproval: true}}}}
	gone := &journal.History{Attempts: []*journal.Attempt{{Gone: true, Job: journal.Job{SkipApproval: true}}}}
	for name, tc := range map[string]struct {
		status string
		h      *journal.History
		want   spec.HoldKind
	}{
		"waits":            {"pending", &journal.History{}, spec.HeldForApproval},
		"waived":           {"pending", waived, ""},
		"waived, dropped":  {"pending", gone, spec.HeldForApproval},
		"rejected":         {"rejected", &journal.History{}, spec.HeldByRejection},
		"rejected, waived": {"rejected", waived, spec.HeldByRejection},
	} {
		s := &spec.Spec{ID: "001", Status: spec.Pending}
		s.Fields.Approval = &spec.Approval{Required: true, Status: tc.status}
		assert.Equal(t, tc.want, MissingApproval(s, tc.h).Kind, "%s", name)
	}
}

// TestRetryText: programs read it too, so the time is not of this machine's zone.
func TestRetryText(t *testing.T) {
	t.Parallel()
	due := time.Date(2026, 1, 2, 13, 0, 0, 0, time.FixedZone("X", 2*60*60))
	s := &spec.Spec{Fields: spec.Fields{Retry: &spec.Retry{Next: due.UnixMilli()}}}
	assert.Equal(t, "a retry at 2026-01-02T11:00:00Z", RetryText(s))
}
