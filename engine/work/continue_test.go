package work

import (
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestLastConversation finds the conversation of the agent that worked last: its newest session that has a name.
func TestLastConversation(t *testing.T) {
	t.Parallel()
	job := journal.Job{Provider: "claude", Model: "big"}
	for name, tc := range map[string]struct {
		attempts []*journal.Attempt
		want     conversation
	}{
		"no attempt":        {nil, conversation{}},
		"dropped":           {[]*journal.Attempt{{Job: job, Gone: true, Sessions: []journal.Session{{Provider: "claude", ID: "s1"}}}}, conversation{}},
		"no session":        {[]*journal.Attempt{{Job: job}}, conversation{"claude", "big", ""}},
		"one session":       {[]*journal.Attempt{{Job: job, Sessions: []journal.Session{{Provider: "claude", ID: "s1"}}}}, conversation{"claude", "big", "s1"}},
		"the newest":        {[]*journal.Attempt{{Job: job, Sessions: []journal.Session{{Provider: "claude", ID: "s1"}, {Provider: "claude", ID: "s2"}}}}, conversation{"claude", "big", "s2"}},
		"the newest named":  {[]*journal.Attempt{{Job: job, Sessions: []journal.Session{{Provider: "claude", ID: "s1"}, {Provider: "codex"}}}}, conversation{"claude", "big", "s1"}},
		"another provider":  {[]*journal.Attempt{{Job: job, Sessions: []journal.Session{{Provider: "codex", ID: "s1"}}}}, conversation{"codex", "big", "s1"}},
		"the last attempt":  {[]*journal.Attempt{{Job: job, Sessions: []journal.Session{{Provider: "claude", ID: "s1"}}}, {Job: journal.Job{Provider: "codex"}}}, conversation{"codex", "", ""}},
		"after one dropped": {[]*journal.Attempt{{Job: job, Gone: true}, {Job: journal.Job{Provider: "codex"}}}, conversation{"codex", "", ""}},
	} {
		h := &journal.History{Attempts: tc.attempts}
		assert.Equal(t, tc.want, lastConversation(h), "%s", name)
		assert.Equal(t, conversation{}, (WorkInput{}).conversationToResume(h), "%s, not asked for", name)
		assert.Equal(t, tc.want, (WorkInput{Continue: true}).conversationToResume(h), "%s, asked for", name)
	}
}

// talker is a provider whose CLI can resume a session, or cannot.
type talker struct {
	providers.Provider
	can bool
}

func (talker) Name() string                                              { return "claude" }
func (t talker) CanResume() bool                                         { return t.can }
func (talker) ByHand(providers.Invocation) (argv []string, env []string) { return nil, nil }

// mute is a provider without sessions.
type mute struct{ providers.Provider }

func (mute) Name() string { return "claude" }

// TestResumedBy resumes a session only with the agent that began it, if its CLI can, and if the name of the session is
// valid; otherwise a new conversation begins, and there is a reason why.
func TestResumedBy(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		of       conversation
		provider providers.Provider
		session  string
		warning  string
	}{
		"nothing to resume":     {conversation{}, talker{can: true}, "", ""},
		"resumed":               {conversation{Provider: "claude", Session: "s1"}, talker{can: true}, "s1", ""},
		"another provider":      {conversation{Provider: "codex", Session: "s1"}, talker{can: true}, "", "was with codex"},
		"no name":               {conversation{Provider: "claude"}, talker{can: true}, "", "left no name of its session"},
		"its CLI cannot":        {conversation{Provider: "claude", Session: "s1"}, talker{}, "", "claude cannot"},
		"no sessions at all":    {conversation{Provider: "claude", Session: "s1"}, mute{}, "", "claude cannot"},
		"a name like an option": {conversation{Provider: "claude", Session: "--yolo"}, talker{can: true}, "", `"--yolo"`},
		"a name with a space":   {conversation{Provider: "claude", Session: "s 1"}, talker{can: true}, "", `"s 1"`},
		"a name of two lines":   {conversation{Provider: "claude", Session: "s\n1"}, talker{can: true}, "", `"s\n1"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session, why := tc.of.resumedBy("claude", tc.provider)
			assert.Equal(t, tc.session, session)
			assert.Equal(t, tc.warning == "", why == "")
			assert.Contains(t, why, tc.warning)
		})
	}
}

// TestCheckContinue allows --continue for a run that was paused or lost its process, and names the next step for every
// other status.
func TestCheckContinue(t *testing.T) {
	t.Parallel()
	closed := &journal.History{Attempts: []*journal.Attempt{{Closed: true}}}
	open := &journal.History{Attempts: []*journal.Attempt{{}}}
	for name, tc := range map[string]struct {
		status spec.Status
		branch string
		landed bool
		h      *journal.History
		want   string
	}{
		"paused":                     {spec.Paused, "b", false, closed, ""},
		"paused without a run":       {spec.Paused, "", false, closed, "chant work 001"},
		"lost its process":           {spec.InProgress, "b", false, closed, ""},
		"in progress by hand":        {spec.InProgress, "", false, closed, "chant work 001"},
		"completed, died at landing": {spec.Completed, "b", false, open, ""},
		"completed, waits to land":   {spec.Completed, "b", false, closed, "chant merge 001"},
		"landed":                     {spec.Completed, "", true, closed, "chant show 001"},
		"cancelled":                  {spec.Cancelled, "", false, closed, "chant show 001"},
		"needs attention":            {spec.NeedsAttention, "b", false, closed, "chant diagnose 001"},
		"needs attention, died":      {spec.NeedsAttention, "b", false, open, ""},
		"failed":                     {spec.Failed, "b", false, closed, "chant work 001"},
		"pending":                    {spec.Pending, "", false, closed, "chant work 001"},
		"pending, never begun":       {spec.Pending, "", false, &journal.History{}, "chant work 001"},
	} {
		got := enginetest.Refusal(checkContinue(&spec.Spec{ID: "001", Status: tc.status, Branch: tc.branch, Landed: tc.landed}, tc.h))
		assert.Equal(t, tc.want == "", got == "", "%s", name)
		assert.HasPrefix(t, got, prefixed("state | ", tc.want), "%s", name)
	}
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s + " |"
}
