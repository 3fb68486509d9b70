package gate

import (
	"strings"
	"sync"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/store/message"

	"github.com/alecthomas/assert/v2"
)

const gateID = "2026-01-02-001-abc"

// heard returns options that record warnings, and a function that returns these.
func heard() (engine.Options, func() string) {
	var mu sync.Mutex
	var all []string
	o := enginetest.Options()
	o.Progress = func(e engine.Event) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, e.Text)
	}
	return o, func() string { mu.Lock(); defer mu.Unlock(); return strings.Join(all, "\n") }
}

// TestHookRun_commitMsg checks messages that look like chant's, and those of people.
func TestHookRun_commitMsg(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	const archived, away = "2026-01-02-002-abc", "2026-01-02-003-abc"
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/" + gateID + ".md": "# A\n", ".chant/archive/2026-01-02/" + archived + ".md": "---\nstatus: completed\n---\n# B\n",
	})
	enginetest.Git(t, dir, "branch", "chant/"+away)
	says := func(id, event string) string { return message.Commit{ID: id, Event: event}.String() }
	for name, c := range map[string]struct {
		message string
		wrong   string // "" when git may commit it
	}{
		"a person's":                  {"Fix the parser\n", ""},
		"it mentions chant":           {"Use chant(x): as a prefix\n", ""},
		"empty":                       {"", ""},
		"chant's own":                 {says(gateID, "edit"), ""},
		"of an archived spec":         {says(archived, "archive"), ""},
		"of one that has a branch":    {says(away, "start"), ""},
		"in comments":                 {"Fix\n# chant(" + gateID + "): x\n", ""},
		"below the scissors":          {"Fix\n# ------------------------ >8 ---\nchant(" + gateID + "): x\n", ""},
		"a scope of people's own":     {"chant(parser): fix\n", ""},
		"without trailers":            {"chant(" + gateID + "): mine\n", `has no trailer "Chant-Spec: ` + gateID},
		"without the event":           {"chant(" + gateID + "): mine\n\nChant-Spec: " + gateID + "\n", `has no trailer "Chant-Event"`},
		"with another's trailer":      {"chant(" + gateID + "): mine\n\nChant-Spec: " + archived + "\nChant-Event: edit\n", `its trailer Chant-Spec names "` + archived},
		"with an unknown event":       {"chant(" + gateID + "): mine\n\nChant-Spec: " + gateID + "\nChant-Event: bless\n", "which chant does not know"},
		"of a spec that is not there": {says("2026-01-02-009-xyz", "edit"), "there is no such spec"},
		"with line ends of Windows":   {strings.ReplaceAll("chant("+gateID+"): mine\n\nbody\n", "\n", "\r\n"), "has no trailer"},
	} {
		_, err := HookRun(t.Context(), dir, enginetest.Options(), HookRunInput{Name: "commit-msg", Message: c.message})
		code := engine.Code("")
		if c.wrong != "" {
			code = engine.Invalid
		}
		assert.Equal(t, code, enginetest.CodeOf(t, err), "%s", name)
		assert.False(t, err != nil && !strings.Contains(err.Error(), c.wrong), "%s: %v", name, err)
	}
	enginetest.Git(t, dir, "checkout", "-q", "-b", "chant/"+gateID)
	_, err := HookRun(t.Context(), dir, enginetest.Options(), HookRunInput{Name: "commit-msg", Message: "chant(" + gateID + "): work\n"})
	assert.NoError(t, err, "the work of a run needs no trailers on its own branch")
	_, err = HookRun(t.Context(), dir, enginetest.Options(), HookRunInput{Name: "post-merge"})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "a hook of no concern")
}

// TestHookRun_preCommit: only staged specs can stop a commit.
func TestHookRun_preCommit(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	const path = ".chant/specs/" + gateID + ".md"
	enginetest.Commit(t, dir, map[string]string{path: "# A\n\nDo it.\n\n## Acceptance Criteria\n\n- [ ] one\n"})
	run := func() engine.Code {
		t.Helper()
		_, err := HookRun(t.Context(), dir, enginetest.Options(), HookRunInput{Name: "pre-commit"})
		return enginetest.CodeOf(t, err)
	}
	assert.Equal(t, "", run())
	enginetest.Write(t, dir, path, "---\nstatus: [\n---\n# A\n")
	assert.Equal(t, "", run(), "broken, but not staged")
	enginetest.Git(t, dir, "add", path)
	assert.Equal(t, engine.Invalid, run(), "broken and staged")
	enginetest.Write(t, dir, path, "# A\n")
	assert.Equal(t, engine.Invalid, run(), "mended, but the broken one is staged")
	enginetest.Git(t, dir, "reset", "-q", "--hard", "HEAD")
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: [\n---\n")
	o, said := heard()
	if _, err := HookRun(t.Context(), dir, o, HookRunInput{Name: "pre-commit"}); err != nil || !strings.Contains(said(), "the committed version is used") {
		t.Errorf("settings that cannot be read: %v, reported %q", err, said())
	}
}

// TestHookRun_absent: without a project in the checkout a hook stops nothing, and warns if there are specs.
func TestHookRun_absent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	empty := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Git(t, dir, "checkout", "-q", "-b", "specs")
	enginetest.Commit(t, dir, map[string]string{".chant/specs/" + gateID + ".md": "# A\n"})
	specs := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Git(t, dir, "checkout", "-q", "main")
	zero := strings.Repeat("0", 40)
	line := func(tip string) string { return "refs/heads/x " + tip + " refs/heads/x " + zero + "\n" }
	for name, c := range map[string]struct {
		in    HookRunInput
		words string
	}{
		"a commit":             {HookRunInput{Name: "pre-commit"}, ""},
		"a push without specs": {HookRunInput{Name: "pre-push", Stdin: line(empty)}, ""},
		"a push of specs":      {HookRunInput{Name: "pre-push", Stdin: line(specs)}, "the specs are not checked"},
		"a push that deletes":  {HookRunInput{Name: "pre-push", Stdin: line(zero)}, ""},
		"a push of two":        {HookRunInput{Name: "pre-push", Stdin: line(specs) + line(empty)}, "the specs are not checked"},
		"a message":            {HookRunInput{Name: "commit-msg", Message: "chant(x): y\n"}, ""},
		"an invalid line":      {HookRunInput{Name: "pre-push", Stdin: "odd\n\n"}, ""},
	} {
		o, said := heard()
		_, err := HookRun(t.Context(), dir, o, c.in)
		assert.NoError(t, err, "%v", name)
		assert.Equal(t, c.words == "", said() == "", "%v", name)
		assert.Contains(t, said(), c.words, "%v", name)
	}
	_, err := HookRun(t.Context(), t.TempDir(), enginetest.Options(), HookRunInput{Name: "pre-commit"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "outside of every repository")
}

// A spec exists in the checkout, in HEAD, in the archive or on the branch of a run.
func TestCheckExists(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".chant/specs/" + gateID + ".md": "# A\n"})
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-002-new.md", "# Not committed\n")
	for id, want := range map[string]bool{gateID: true, "2026-01-02-002-new": true, "2026-01-02-003-not": false, "../x": false, "": false} {
		err := checkExists(t.Context(), p, id)
		assert.Equal(t, want, err == nil, "%q", id)
		wrong, ok := err.(*message.Error)
		assert.False(t, err != nil && (!ok || wrong.ID != id), "%q: %v", id, err)
	}
}

func TestWithoutComments(t *testing.T) {
	t.Parallel()
	text := "\r\n# a comment\r\nchant(a): x\r\n\r\nChant-Spec: a\r\n# ------------------------ >8 ------------------------\r\nchant(b): diff\r\n"
	assert.Equal(t, "chant(a): x\n\nChant-Spec: a\n", withoutComments(text))
}
