package work

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/providers"
)

// TestLastConversation: a run that goes on is with the agent that was at work last, and its newest session that has a
// name.
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
		if got := lastConversation(h); got != tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
		if got := (WorkInput{}).continued(h); got != (conversation{}) {
			t.Errorf("%s, not asked for: %+v", name, got)
		}
		if got := (WorkInput{Continue: true}).continued(h); got != tc.want {
			t.Errorf("%s, asked for: %+v", name, got)
		}
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

// mute is a provider that knows nothing of sessions.
type mute struct{ providers.Provider }

func (mute) Name() string { return "claude" }

// TestGoOn resumes a session only with the agent that began it, where its CLI can, by a name that the CLI reads as one;
// otherwise a new conversation begins, and a warning gives the reason.
func TestGoOn(t *testing.T) {
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
			p, _ := enginetest.Project(t)
			var warned []string
			p.Progress = func(ev engine.Event) { warned = append(warned, ev.Text) }
			r := run.NewRun(p, journal.Job{ID: "001", Provider: "claude"}, &journal.History{}, run.SettingsOf(p))
			r.Launcher.Provider = tc.provider
			goOn(p, r, tc.of)
			if r.Job.Session != tc.session {
				t.Errorf("session %q, want %q", r.Job.Session, tc.session)
			}
			if said := strings.Join(warned, "\n"); (said == "") != (tc.warning == "") || !strings.Contains(said, tc.warning) {
				t.Errorf("warned %q, want %q", said, tc.warning)
			}
		})
	}
}

// TestInShell quotes just the words that a shell would divide or expand.
func TestInShell(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"claude", "--resume", "a/b.c", "x=y", "me@host:1", "50%", "-n", "a+b"} {
		if got := inShell(word); got != word {
			t.Errorf("%q became %q", word, got)
		}
	}
	for _, word := range []string{"", "a b", "$HOME", "`id`", "a;b", "it's", "*", "a\nb", "é", "~", "a\\b", `"`, "#"} {
		if got := inShell(word); got == word || !strings.HasPrefix(got, "'") || !strings.HasSuffix(got, "'") {
			t.Errorf("%q became %s", word, got)
		}
	}
}

// TestSetByHand spells the variables of a provider for a shell and leaves out those that hold a secret, or that no shell
// can set, with a warning that names them.
func TestSetByHand(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	var warned []string
	p.Progress = func(ev engine.Event) { warned = append(warned, ev.Text) }
	got := setByHand(p, "001", []string{"MODE=plain text", "API_TOKEN=abcdefgh12345678", "API_TOKEN_EMPTY=", "bad-name=x", "URL=it's"})
	if want := []string{"MODE='plain text'", "API_TOKEN_EMPTY=''", `URL='it'\''s'`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	said := strings.Join(warned, "\n")
	if len(warned) != 2 || !strings.Contains(said, "API_TOKEN, which holds a secret") || !strings.Contains(said, `"bad-name"`) || strings.Contains(said, "abcdefgh") {
		t.Errorf("warned %q", warned)
	}
}
