package gate

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"chant/engine"
	"chant/engine/criteria"
	"chant/engine/enginetest"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
)

const gateID = "2026-01-02-001-abc"

// heard are the options of a test that keeps what is reported on the way.
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

// TestHookRun_commitMsg reads messages that look like chant's, and those of people.
func TestHookRun_commitMsg(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	const archived, away = "2026-01-02-002-abc", "2026-01-02-003-abc"
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/" + gateID + ".md": "# A\n", ".chant/archive/2026-01-02/" + archived + ".md": "---\nstatus: completed\n---\n# B\n",
	})
	enginetest.Git(t, dir, "branch", "chant/"+away)
	says := func(id, event string) string { return store.Message{ID: id, Event: event}.String() }
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
		if enginetest.CodeOf(t, err) != code || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	enginetest.Git(t, dir, "checkout", "-q", "-b", "chant/"+gateID)
	if _, err := HookRun(t.Context(), dir, enginetest.Options(), HookRunInput{Name: "commit-msg", Message: "chant(" + gateID + "): work\n"}); err != nil {
		t.Errorf("the work of a run needs no trailers on its own branch: %v", err)
	}
	if _, err := HookRun(t.Context(), dir, enginetest.Options(), HookRunInput{Name: "post-merge"}); enginetest.CodeOf(t, err) != engine.Usage {
		t.Errorf("a hook of no concern: %v", err)
	}
}

// TestHookRun_preCommit stops a commit for what is staged, and for nothing else.
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
	if code := run(); code != "" {
		t.Errorf("nothing staged: %s", code)
	}
	enginetest.Write(t, dir, path, "---\nstatus: [\n---\n# A\n")
	if code := run(); code != "" {
		t.Errorf("broken, but not staged: %s", code)
	}
	enginetest.Git(t, dir, "add", path)
	if code := run(); code != engine.Invalid {
		t.Errorf("broken and staged: %q", code)
	}
	enginetest.Write(t, dir, path, "# A\n")
	if code := run(); code != engine.Invalid {
		t.Errorf("mended, but the broken one is staged: %q", code)
	}
	enginetest.Git(t, dir, "reset", "-q", "--hard", "HEAD")
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: [\n---\n")
	o, said := heard()
	if _, err := HookRun(t.Context(), dir, o, HookRunInput{Name: "pre-commit"}); err != nil || !strings.Contains(said(), "the committed one holds") {
		t.Errorf("settings that cannot be read: %v, reported %q", err, said())
	}
}

// TestHookRun_absent: where no project is checked out a hook stops no one, and says so where there are specs.
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
		"a commit":                 {HookRunInput{Name: "pre-commit"}, ""},
		"a push without specs":     {HookRunInput{Name: "pre-push", Stdin: line(empty)}, ""},
		"a push of specs":          {HookRunInput{Name: "pre-push", Stdin: line(specs)}, "the specs are not looked at"},
		"a push that deletes":      {HookRunInput{Name: "pre-push", Stdin: line(zero)}, ""},
		"a push of two":            {HookRunInput{Name: "pre-push", Stdin: line(specs) + line(empty)}, "the specs are not looked at"},
		"a message":                {HookRunInput{Name: "commit-msg", Message: "chant(x): y\n"}, ""},
		"what is no line of git's": {HookRunInput{Name: "pre-push", Stdin: "odd\n\n"}, ""},
	} {
		o, said := heard()
		if _, err := HookRun(t.Context(), dir, o, c.in); err != nil || (said() == "") != (c.words == "") || !strings.Contains(said(), c.words) {
			t.Errorf("%s: %v, reported %q", name, err, said())
		}
	}
	if _, err := HookRun(t.Context(), t.TempDir(), enginetest.Options(), HookRunInput{Name: "pre-commit"}); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("outside of every repository: %v", err)
	}
}

// TestPushes reads what git says of a push: each commit that is new to the remote once, and nothing that has no specs.
func TestPushes(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	zero := strings.Repeat("0", 40)
	rev := func(name string) string { return enginetest.Git(t, dir, "rev-parse", name) }
	first := rev("HEAD")
	enginetest.Commit(t, dir, map[string]string{"a.txt": "x\n"})
	second := rev("HEAD")
	enginetest.Git(t, dir, "checkout", "-q", "-b", "side", first)
	enginetest.Commit(t, dir, map[string]string{"b.txt": "x\n"})
	side := rev("HEAD")
	enginetest.Git(t, dir, "tag", "-a", "-m", "v1", "v1", second)
	bare := rev("HEAD~1~1") // before there was a project
	line := func(tip, there string) string {
		return "refs/heads/" + tip[:4] + " " + tip + " refs/heads/x " + there + "\n"
	}
	for name, c := range map[string]struct {
		stdin string
		want  []string
	}{
		"nothing":                           {"", nil},
		"one":                               {line(second, zero), []string{second}},
		"two sides":                         {line(second, zero) + line(side, zero), []string{second, side}},
		"the same twice":                    {line(second, zero) + line(second, first), []string{second}},
		"one leads up to the other":         {line(first, zero) + line(second, zero), []string{second}},
		"a deleted ref":                     {line(zero, second) + line(side, zero), []string{side}},
		"a tag, seen as its commit":         {line(rev("v1"), zero), []string{second}},
		"a commit without a project":        {line(bare, zero), nil},
		"a commit that is not here":         {line(strings.Repeat("1", 40), zero), nil},
		"lines that git would not write":    {"a b c\n" + line(side, zero) + "a b c d e\n", []string{side}},
		"a blob, which is no commit at all": {line(rev("HEAD:b.txt"), zero), nil},
	} {
		all, err := pushes(t.Context(), p, c.stdin)
		var got []string
		for _, one := range all {
			got = append(got, one.tip)
		}
		slices.Sort(c.want)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
	if all, err := pushes(t.Context(), p, line(second, zero)+line(second, first)); err != nil || all[0].there != first {
		t.Errorf("of two refs at one commit the one that the remote has counts: %+v, %v", all, err)
	}
}

// TestHookRun_prePush stops a push that brings what does not hold, and lets pass what may be proven elsewhere.
func TestHookRun_prePush(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	base := enginetest.Git(t, dir, "rev-parse", "HEAD")
	const asked = "# A\n\n## Acceptance Criteria\n\n- [x] it is there `$ test -f a.txt`\n"
	const path = ".chant/specs/" + gateID + ".md"
	for _, c := range []struct {
		name  string
		files map[string]string
		code  engine.Code
		words string // of the error, or of what is reported
	}{
		{"an open spec", map[string]string{path: "---\nstatus: pending\n---\n" + asked}, "", ""},
		{"it does not hold", map[string]string{path: "---\nstatus: completed\n---\n" + asked}, engine.Unverified, "1 specs that refs/heads/work brings are not verified"},
		{"it holds, and no remote is known", map[string]string{path: "---\nstatus: completed\n---\n" + asked, "a.txt": "x\n"}, "", "no evidence here of one completed spec"},
		{"a rejected one that holds", map[string]string{path: "---\nstatus: completed\napproval:\n  required: true\n  status: rejected\n---\n" + asked, "a.txt": "x\n"}, engine.Unverified, "it was rejected"},
	} {
		enginetest.Git(t, dir, "checkout", "-q", "-B", "work", base)
		enginetest.Commit(t, dir, c.files)
		tip := enginetest.Git(t, dir, "rev-parse", "HEAD")
		o, said := heard()
		in := HookRunInput{Name: "pre-push", Args: []string{"origin", "x"}, Stdin: "refs/heads/work " + tip + " refs/heads/work " + strings.Repeat("0", 40) + "\n"}
		r, err := HookRun(t.Context(), dir, o, in)
		if enginetest.CodeOf(t, err) != c.code || len(r.Verified) != 1 {
			t.Errorf("%s: %+v, %v", c.name, r, err)
		}
		text := said()
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, c.words) || c.words == "" && text != "" {
			t.Errorf("%s: %q", c.name, text)
		}
		if s, err := p.Store.At(t.Context(), "work", gateID); err != nil || s.Fields.Verification != "" || enginetest.Git(t, dir, "rev-parse", "work") != tip {
			t.Errorf("%s: the hook has written: %v, %v", c.name, s, err)
		}
	}
}

// TestWithEvidenceHere: a completion against which nothing speaks but missing evidence passes only where evidence may
// well be elsewhere.
func TestWithEvidenceHere(t *testing.T) {
	t.Parallel()
	good := []criteria.Verdict{{How: criteria.ByRunning, Holds: true}}
	bare := verify.VerifyResult{SpecID: "bare", NoEvidence: true, Forged: []string{"no evidence"}, Verdicts: good}
	worse := verify.VerifyResult{SpecID: "worse", NoEvidence: true, Forged: []string{"no evidence", "rejected"}, Verdicts: good}
	for name, c := range map[string]struct {
		remote bool // there is one, which keeps evidence
		kept   bool // this repository has evidence
		all    bool // nothing is known of the remote
		want   string
		words  string
	}{
		"nothing is known of a remote":  {false, false, true, "worse", "no remote keeps any"},
		"a known remote without any":    {false, false, false, "bare worse", ""},
		"a remote that keeps evidence":  {true, false, false, "worse", "it comes with: git fetch origin"},
		"evidence is here, but not its": {true, true, true, "bare worse", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			o, said := heard()
			p.Progress = o.Progress
			head := enginetest.Git(t, dir, "rev-parse", "HEAD")
			if c.remote {
				other := t.TempDir()
				enginetest.Git(t, other, "clone", "-q", "--bare", dir, "there.git")
				enginetest.Git(t, other+"/there.git", "update-ref", attempt.NotesRef, head)
				enginetest.Git(t, dir, "remote", "add", "origin", other+"/there.git")
			}
			if c.kept {
				enginetest.Git(t, dir, "notes", "--ref", attempt.NotesRef, "add", "-m", "x", head)
			}
			left, err := withEvidenceHere(t.Context(), p, c.all, "refs/heads/x", []verify.VerifyResult{bare, worse})
			var got []string
			for _, one := range left {
				got = append(got, one.SpecID)
			}
			if err != nil || strings.Join(got, " ") != c.want || !strings.Contains(said(), c.words) || (said() == "") != (c.words == "") {
				t.Errorf("%q, %v, reported %q", got, err, said())
			}
			if left, err = withEvidenceHere(t.Context(), p, c.all, "x", []verify.VerifyResult{worse}); err != nil || len(left) != 1 {
				t.Errorf("another doubt alone: %v, %v", left, err)
			}
		})
	}
}

// A known id is active, committed, archived or on the branch of a run; a word is none.
func TestKnown(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".chant/specs/" + gateID + ".md": "# A\n"})
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-002-new.md", "# Not committed\n")
	for id, want := range map[string]bool{gateID: true, "2026-01-02-002-new": true, "2026-01-02-003-not": false, "../x": false, "": false} {
		err := known(t.Context(), p, id)
		if (err == nil) != want {
			t.Errorf("%q: %v", id, err)
		}
		if wrong, ok := err.(*spec.MessageError); err != nil && (!ok || wrong.ID != id) {
			t.Errorf("%q: %v", id, err)
		}
	}
}
