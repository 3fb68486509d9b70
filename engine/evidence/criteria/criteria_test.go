package criteria

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func criteria(t *testing.T, items ...string) *spec.File {
	t.Helper()
	return page(t, "## Acceptance Criteria\n\n"+strings.Join(items, "\n")+"\n")
}

func page(t *testing.T, text string) *spec.File {
	t.Helper()
	s, err := spec.Parse("x", "x.md", []byte(text))
	assert.NoError(t, err)
	return s
}

// here are settings that run commands in a folder of the test.
func here(t *testing.T) Settings {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are lines of a shell")
	}
	return Settings{Spot: Spot{Tree: t.TempDir()}, Env: []string{"PATH=" + os.Getenv("PATH")}, Timeout: time.Minute, RunID: "verify-" + t.Name()}
}

func check(t *testing.T, start, now *spec.File, set Settings) []Verdict {
	t.Helper()
	out, _, err := Check(context.Background(), PlanFor(start, now, spec.Checks{}), set)
	assert.NoError(t, err)
	return out
}

func TestCheck_holdsOrFails(t *testing.T) {
	t.Parallel()
	set := here(t)
	for item, why := range map[string]string{
		"- [ ] claimed by nobody":                                    "the box is not ticked",
		"- [x] claimed":                                              "",
		"- [ ] runs `$ true`":                                        "",
		"- [x] runs, whatever the box `$ exit 3`":                    "`exit 3` exited with 3",
		"- [ ] not there `$ no-such-command`":                        "`no-such-command` exited with 127",
		"- [ ] no program `$ echo 'x: Exec format error'; exit 126`": "`echo 'x: Exec format error'; exit 126` exited with 126, exec format error: a program for another system, or a script without a first line such as #!/bin/sh",
		"- [ ] two `$ true` `$ false`":                               "`false` exited with 1",
		"- [ ] killed `$ kill -9 $$`":                                "`kill -9 $$` exited with 137",
	} {
		all := criteria(t, item)
		one := spec.Criteria(all.Doc)[0]
		v := check(t, all, all, set)[0]
		assert.Equal(t, why, v.Why, "%s", item)
		assert.Equal(t, why == "", v.Holds, "%s", item)
		assert.Equal(t, one.ID, v.ID, "%s", item)
		assert.Equal(t, 1, v.Number, "%s", item)
		assert.Equal(t, one.Text, v.Text, "%s", item)
	}
}

func TestCheck_evidence(t *testing.T) {
	t.Parallel()
	set := here(t)
	var lines []string
	set.Command = func(line string) { lines = append(lines, line) }
	all := criteria(t, "- [ ] speaks `$ echo out; echo err >&2; exit 2`")
	ev := check(t, all, all, set)[0].Evidence
	sum := sha256.Sum256([]byte("out\nerr\n"))
	assert.Equal(t, 1, len(ev))
	assert.Equal(t, "echo out; echo err >&2; exit 2", ev[0].Command)
	assert.Equal(t, 2, ev[0].ExitCode)
	assert.False(t, ev[0].TimedOut, "%+v", ev)
	assert.False(t, ev[0].Seconds < 0, "%+v", ev)
	assert.Equal(t, "out\nerr\n", ev[0].Tail)
	assert.Equal(t, hex.EncodeToString(sum[:]), ev[0].SHA256)
	assert.Equal(t, []string{"echo out; echo err >&2; exit 2"}, lines)
}

func TestCheck_inTheTree(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.Env = append(set.Env, "WORD=said")
	assert.NoError(t, os.WriteFile(filepath.Join(set.Tree, "here"), nil, 0o600))
	all := criteria(t, "- [ ] folder and environment `$ test -f here && test \"$WORD\" = said && test -z \"$HOME\"`")
	v := check(t, all, all, set)
	assert.True(t, Holds(v), "%+v", v)
}

func TestCheck_orderAndFirstFailure(t *testing.T) {
	t.Parallel()
	set := here(t)
	all := criteria(t,
		"- [ ] one `$ echo 1 >>log` `$ echo 2 >>log; false` `$ echo never >>log`",
		"- [ ] two goes on all the same `$ echo 3 >>log`",
		"- [x] three",
	)
	verdicts := check(t, all, all, set)
	log, err := os.ReadFile(filepath.Join(set.Tree, "log"))
	assert.NoError(t, err)
	assert.Equal(t, "1\n2\n3\n", string(log))
	var got []bool
	for i, v := range verdicts {
		got = append(got, v.Holds)
		assert.Equal(t, i+1, v.Number)
	}
	assert.Equal(t, []bool{false, true, true}, got, "%+v", verdicts)
	assert.Equal(t, 2, len(verdicts[0].Evidence), "%+v", verdicts)
}

func TestCheck_timeLimit(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.Timeout = 100 * time.Millisecond
	all := criteria(t, "- [ ] hangs `$ exec sleep 600` `$ true`")
	v := check(t, all, all, set)[0]
	assert.False(t, v.Holds, "%+v", v)
	assert.Equal(t, "`exec sleep 600` did not end within 100ms", v.Why)
	assert.Equal(t, 1, len(v.Evidence))
	assert.True(t, v.Evidence[0].TimedOut, "%+v", v)
}

func TestCheck_boxesOfNowCommandsOfThen(t *testing.T) {
	t.Parallel()
	set := here(t)
	start := criteria(t, "- [ ] claimed later", "- [x] unclaimed later", "- [x] removed later", "- [ ] weakened `$ false`")
	now := criteria(t, "- [ ] unclaimed later", "- [x] weakened `$ true`", "- [X] claimed later")
	var got []bool
	for _, v := range check(t, start, now, set) {
		got = append(got, v.Holds)
	}
	if !slices.Equal(got, []bool{true, false, false, false, true}) { // criteria that were added since count too
		t.Errorf("%v", got)
	}
}

func TestCheck_canceled(t *testing.T) {
	t.Parallel()
	set := here(t)
	ctx, cancel := context.WithCancel(context.Background())
	set.Command = func(line string) {
		if line == "exec sleep 600" {
			cancel()
		}
	}
	all := criteria(t, "- [ ] first `$ true`", "- [ ] then `$ exec sleep 600`", "- [ ] never `$ true`")
	out, _, err := Check(ctx, PlanFor(all, all, spec.Checks{}), set)
	assert.IsError(t, err, context.Canceled)
	assert.Equal(t, 1, len(out))
	assert.True(t, out[0].Holds, "%+v, %v", out, err)
}

func TestCheck_cannotStart(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.Env = []string{"PATH=" + t.TempDir()}
	all := criteria(t, "- [ ] needs a shell `$ true`")
	out, _, err := Check(context.Background(), PlanFor(all, all, spec.Checks{}), set)
	assert.Error(t, err, "without a shell: %+v", out)
	boxes := criteria(t, "- [x] needs none")
	out, _, err = Check(context.Background(), PlanFor(boxes, boxes, spec.Checks{}), set)
	assert.NoError(t, err)
	assert.True(t, Holds(out), "%+v, %v", out, err)
}

func TestBoxes_followResults(t *testing.T) {
	t.Parallel()
	verdicts := []Verdict{
		{ID: "claim", Holds: true, How: ByBox, Source: FromCriteria}, {ID: "no-claim", How: ByBox, Source: FromCriteria},
		{ID: "good", Holds: true, How: ByRunning, Source: FromCriteria}, {ID: "bad", How: ByRunning, Source: FromCriteria},
		{ID: "whole", Holds: true, How: ByRunning, Source: FromProject},
	}
	assert.Equal(t, map[string]bool{"good": true, "bad": false}, Boxes(verdicts))
	assert.False(t, Holds(verdicts), "Holds is wrong")
	assert.True(t, Holds(verdicts[2:3]), "Holds is wrong")
	assert.True(t, Holds(verdicts[4:]), "Holds is wrong")
	assert.False(t, Holds(nil), "Holds is wrong")
}

func always(context.Context) (bool, error) { return true, nil }

// shelf is a cache in memory.
type shelf map[string][]byte

func (s shelf) Find(key string) ([]byte, error)    { return s[key], nil }
func (s shelf) Keep(key string, text []byte) error { s[key] = text; return nil }

func project(t *testing.T, matter string) spec.Checks {
	t.Helper()
	return *page(t, "---\nverify:\n"+matter+"---\n# X\n").Fields.Verify
}

func TestPlan_order(t *testing.T) {
	t.Parallel()
	s := page(t, "---\nverify: [make spec, {run: make lint, name: lint}]\n---\n## Acceptance Criteria\n\n- [ ] a `$ make a` `$ make b`\n- [x] b\n")
	plan := PlanFor(s, s, project(t, "  defaults: [$ make build, make lint]\n  env: {CI: \"1\"}\n"))
	var got []string
	for i, item := range plan.Items {
		var lines []string
		for _, step := range item.Steps {
			lines = append(lines, step.Line)
		}
		assert.Equal(t, i+1, item.Number)
		got = append(got, string(item.Source)+" "+item.Text+": "+strings.Join(lines, ", "))
	}
	want := []string{
		"criterion a `$ make a` `$ make b`: make a, make b", "criterion b: ",
		"spec `$ make spec`: make spec", "spec lint: make lint", "project `$ make build`: make build",
	}
	assert.Equal(t, want, got)
	assert.Equal(t, "1", plan.Variables["CI"])
	assert.False(t, plan.Parallel, "%q, %v", got, plan)
}

// TestPlan_rules: commands of rules follow those of the project, each once, where they are about the target files of the
// start commit.
func TestPlan_rules(t *testing.T) {
	t.Parallel()
	settings := project(t, "  defaults: [make build]\n")
	settings.Rules = spec.Rules{
		{Path: "all.md", Commands: []spec.Command{{Run: "make build"}, {Run: "make vet", Name: "vet is quiet", Rule: "all.md"}}},
		{Path: "web.md", Paths: spec.StringList{"web/**"}, Commands: []spec.Command{{Run: "make web", Rule: "web.md"}}},
	}
	for files, want := range map[string]string{
		"":                            "project `$ make build`, project vet is quiet all.md, project `$ make web` web.md",
		"target_files: [docs]":        "project `$ make build`, project vet is quiet all.md",
		"target_files: [docs, web/a]": "project `$ make build`, project vet is quiet all.md, project `$ make web` web.md",
	} {
		start := page(t, "---\nstatus: pending\n"+files+"\n---\n# A\n")
		now := page(t, "---\nstatus: pending\ntarget_files: [other]\n---\n# A\n")
		var got []string
		for _, item := range PlanFor(start, now, settings).Items {
			got = append(got, strings.TrimSpace(string(item.Source)+" "+item.Text+" "+item.Rule))
		}
		assert.Equal(t, want, strings.Join(got, ", "), "%s", files)
	}
}

func TestPlan_sameTextTwice(t *testing.T) {
	t.Parallel()
	set := here(t)
	all := criteria(t, "- [ ] twice `$ false`", "- [ ] twice `$ false`", "- [x] box", "- [ ] box")
	verdicts := check(t, all, all, set)
	ids := map[string]bool{}
	for _, v := range verdicts {
		ids[v.ID] = true
	}
	assert.Equal(t, 4, len(verdicts))
	assert.Equal(t, 4, len(ids))
	assert.False(t, verdicts[0].Holds, "%+v", verdicts)
	assert.False(t, verdicts[1].Holds, "%+v", verdicts)
	assert.True(t, verdicts[2].Holds, "%+v", verdicts)
	assert.False(t, verdicts[3].Holds, "%+v", verdicts)
}

func TestCheck_settings(t *testing.T) {
	t.Parallel()
	set := here(t)
	assert.NoError(t, os.MkdirAll(filepath.Join(set.Tree, "sub", "deep"), 0o755))
	assert.NoError(t, os.Symlink(os.TempDir(), filepath.Join(set.Tree, "out")))
	s := page(t, `---
verify:
  dir: sub
  timeout: 60s
  env: {WORD: said, TOOL: $ echo tool 1.2; echo more, LOST: $ exit 3}
  commands:
    - test "$(basename "$PWD")" = sub
    - {run: test "$(basename "$PWD")" = deep, dir: sub/deep}
    - test "$WORD" = said && test "$TOOL" = "tool 1.2"
    - {run: test "$WORD" = other, env: {WORD: other}}
    - {run: exec sleep 600, timeout: 300ms}
    - {run: 'true', dir: nowhere}
    - {run: 'true', dir: out}
---
# X

## Acceptance Criteria

- [ ] in the folder of the spec `+"`$ test -d deep`"+`
- [ ] nothing to run `+"`$ `"+`
`)
	verdicts, vars, err := Check(context.Background(), PlanFor(s, s, spec.Checks{}), set)
	assert.NoError(t, err)
	want := []string{
		"", "its command is empty", "", "", "", "", "`exec sleep 600` did not end within 300ms",
		`the tree has no folder "nowhere" to run it in`, `folder "out" leads out of the tree`,
	}
	for i, v := range verdicts {
		assert.Equal(t, want[i], v.Why, "%s", v.Text)
		assert.Equal(t, want[i] == "", v.Holds, "%s", v.Text)
	}
	assert.Equal(t, map[string]string{"WORD": "said", "TOOL": "tool 1.2", "LOST": "unknown: `exit 3` exited with 3"}, vars)
}

func TestCheck_flaky(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.TreeID, set.Cache, set.Clean = "tree", shelf{}, always
	s := page(t, "---\nverify: {retries: 2, commands: ['echo x >>a; test $(wc -l <a) -ge 3', 'echo x >>b; false', 'echo x >>c; test $(wc -l <c) = 2']}\n---\n# X\n")
	for range 2 {
		verdicts := check(t, s, s, set)
		flaky, never, once := verdicts[0], verdicts[1], verdicts[2]
		assert.True(t, flaky.Holds, "%+v", flaky)
		assert.True(t, flaky.Flaky, "%+v", flaky)
		assert.Equal(t, 4, flaky.Evidence[0].Tries)
		assert.Equal(t, 4, len(flaky.Evidence[0].Runs))
		assert.False(t, flaky.Evidence[0].Cached, "%+v", flaky)
		assert.False(t, never.Holds, "%+v", never)
		assert.False(t, never.Flaky, "%+v", never)
		assert.Equal(t, 3, never.Evidence[0].Tries)
		assert.HasSuffix(t, never.Why, "exited with 1, tried 3 times")
		// A single pass between failures is chance.
		assert.False(t, once.Holds, "%+v", once)
		assert.True(t, once.Flaky, "%+v", once)
		assert.HasSuffix(t, once.Why, "tried 4 times and passed in some: it is flaky")
		for _, file := range []string{"a", "c"} {
			assert.NoError(t, os.Remove(filepath.Join(set.Tree, file)))
		}
	}
}

func TestCheck_sideBySide(t *testing.T) {
	t.Parallel()
	set := here(t)
	var lines []string
	set.Command = func(line string) { lines = append(lines, line) }
	// Each waits for the other: run in turn they would never end.
	s := page(t, `---
verify:
  parallel: true
  timeout: 60s
  commands: ['mkfifo p 2>/dev/null; echo x >p', 'mkfifo p 2>/dev/null; read x <p', 'exit 4']
---
# X
`)
	assert.NoError(t, os.WriteFile(filepath.Join(set.Tree, "here"), nil, 0o600))
	verdicts := check(t, s, s, set)
	assert.True(t, verdicts[0].Holds, "%+v, %q", verdicts, lines)
	assert.True(t, verdicts[1].Holds, "%+v, %q", verdicts, lines)
	assert.False(t, verdicts[2].Holds, "%+v, %q", verdicts, lines)
	assert.Equal(t, 3, verdicts[2].Number, "%q", lines)
	assert.Equal(t, 3, len(lines), "%q", lines)
}

func TestCheck_keptByTreeCommandAndEnvironment(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.TreeID, set.Cache, set.Clean = "tree", shelf{}, always
	runs := 0
	set.Command = func(string) { runs++ }
	s := criteria(t, "- [ ] a `$ echo said`", "- [ ] b `$ exit 3`")
	asked := func(want int, why string) []Verdict {
		t.Helper()
		runs = 0
		out := check(t, s, s, set)
		if runs != want {
			t.Errorf("%s: %d commands ran, want %d", why, runs, want)
		}
		return out
	}
	first := asked(2, "nothing is kept")
	again := asked(0, "the same tree")
	for i, v := range again {
		assert.Equal(t, first[i].Holds, v.Holds)
		assert.Equal(t, first[i].Evidence[0].SHA256, v.Evidence[0].SHA256)
		assert.True(t, v.Evidence[0].Cached, "%+v, was %+v", v, first[i])
	}
	set.Spec = []string{"CHANT_SPEC_ID=x"}
	asked(2, "of another spec")
	set.Spec = nil
	set.Fresh = true
	asked(2, "fresh")
	set.Fresh, set.TreeID = false, "other"
	asked(2, "another tree")
	set.TreeID, set.Env = "tree", append(set.Env, "GOFLAGS=-mod=mod")
	asked(2, "another environment")
	set.TreeID = ""
	asked(2, "a tree that is not committed")
	asked(2, "which is never kept")
}

func TestCheck_keptForAllSpecs(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.TreeID, set.Cache, set.Clean = "tree", shelf{}, always
	runs := 0
	set.Command = func(string) { runs++ }
	s := page(t, "---\nverify: 'test \"$CHANT_SPEC_ID\" = a'\n---\n# X\n")
	for _, id := range []string{"a", "b"} {
		set.Spec = []string{"CHANT_SPEC_ID=" + id}
		verdicts, _, err := Check(context.Background(), PlanFor(s, s, project(t, "  defaults: ['test -z \"$CHANT_SPEC_ID\"']\n")), set)
		assert.NoError(t, err)
		assert.Equal(t, id == "a", verdicts[0].Holds)
		assert.True(t, verdicts[1].Holds, "%s: %+v, %v", id, verdicts, err)
	}
	assert.Equal(t, 3, runs)
}

// The files that one command of a spec builds are there for the next one, even if a part of the evidence is
// cached.
func TestCheck_keptTogether(t *testing.T) {
	t.Parallel()
	set := here(t)
	runs := 0
	clean := true
	set.Command = func(string) { runs++ }
	set.TreeID, set.Cache, set.Clean = "tree", shelf{}, func(context.Context) (bool, error) { return clean, nil }
	s := page(t, "---\nverify: ['echo built >out', 'test -f out']\n---\n# X\n")
	asked := func(want int, why, defaults string) {
		t.Helper()
		runs = 0
		assert.NoError(t, os.RemoveAll(filepath.Join(set.Tree, "out")))
		verdicts, _, err := Check(context.Background(), PlanFor(s, s, project(t, "  defaults: ["+defaults+"]\n")), set)
		assert.NoError(t, err, why)
		assert.True(t, Holds(verdicts), "%s: %+v", why, verdicts)
		assert.Equal(t, want, runs, why)
	}
	clean = false
	asked(3, "something was left behind", "test -e out")
	asked(3, "so nothing was kept", "test -e out")
	clean = true
	asked(3, "now it is", "test -e out")
	asked(0, "both parts are kept", "test -e out")
	asked(3, "the project asks something else, for which the spec's commands run too", "test -s out")
	canceled, cancel := context.WithCancel(context.Background())
	set.TreeID = "stopped"
	set.Command = func(line string) {
		if line == "test -f out" {
			cancel()
		}
	}
	_, _, err := Check(canceled, PlanFor(s, s, spec.Checks{}), set)
	assert.Error(t, err, "it was not stopped")
	set.Command = func(string) { runs++ }
	asked(3, "nothing of a part that was stopped is kept", "test -e out")
}

func TestCheck_keptEvidenceEdited(t *testing.T) {
	t.Parallel()
	set := here(t)
	cache := shelf{}
	set.TreeID, set.Cache, set.Clean = "tree", cache, always
	var told []string
	set.Warn = func(text string) { told = append(told, text) }
	s := criteria(t, "- [ ] a `$ exit 3`")
	check(t, s, s, set)
	for key, text := range cache {
		cache[key] = []byte(strings.Replace(string(text), `"exit_code":3`, `"exit_code":0`, 1))
	}
	v := check(t, s, s, set)[0]
	assert.False(t, v.Holds, "%+v, %q", v, told)
	assert.False(t, v.Evidence[0].Cached, "%+v, %q", v, told)
	assert.Equal(t, 1, len(told))
	assert.Contains(t, told[0], "seal")
}

func TestCheck_roughCommands(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.Timeout = 2 * time.Minute
	for line, holds := range map[string]bool{
		"read line; test -z \"$line\"":                true, // nothing on stdin
		"head -c 300000000 /dev/zero":                 true, // 300 MB
		"(trap '' HUP TERM; exec sleep 600) & exit 0": true, // what it leaves behind is stopped
		"kill -9 0": false,
		"i=0; while [ $i -lt 50 ]; do (sleep 600 &); i=$((i+1)); done": true,
	} {
		s := page(t, "---\nverify: ["+quote(line)+"]\n---\n# X\n")
		v := check(t, s, s, set)[0]
		assert.Equal(t, holds, v.Holds, "%s", line)
		assert.Equal(t, 1, len(v.Evidence), "%s", line)
		assert.True(t, len(v.Evidence[0].Tail) <= 4096, "%s: %+v", line, v)
		assert.False(t, strings.HasPrefix(line, "head") && v.Evidence[0].Bytes != 300_000_000, "%d bytes", v.Evidence[0].Bytes)
	}
}

func quote(line string) string { return "'" + strings.ReplaceAll(line, "'", "''") + "'" }

func TestScrub(t *testing.T) {
	t.Parallel()
	tree := t.TempDir()
	assert.NoError(t, os.MkdirAll(filepath.Join(tree, "bin"), 0o755))
	link := filepath.Join(t.TempDir(), "tools")
	assert.NoError(t, os.Symlink(filepath.Join(tree, "bin"), link))
	sep := string(filepath.ListSeparator)
	path := strings.Join([]string{filepath.Join(tree, "bin"), "rel", "/usr/bin", "", link, tree + "-not"}, sep)
	env, dropped := Scrub([]string{"PATH=" + path, "HOME=/h", "AWS_SECRET_ACCESS_KEY=x", "GH_TOKEN=x", "LC_ALL=C", "MINE=1", "ANTHROPIC_API_KEY=x", "GIT_DIR=/x"}, []string{"MINE"}, []string{tree})
	want := []string{"PATH=/usr/bin" + sep + tree + "-not", "HOME=/h", "LC_ALL=C", "MINE=1"}
	assert.Equal(t, want, env)
	assert.Equal(t, []string{filepath.Join(tree, "bin"), "rel", "", link}, dropped)
}

func TestReport_seal(t *testing.T) {
	t.Parallel()
	r := Report{SpecID: "a", Commit: "c", At: time.Now().UTC(), Environment: map[string]string{"GO": "go1.26"}, Criteria: []Verdict{{ID: "1", Holds: true, Evidence: []Evidence{{Seconds: 0.1234567, Tail: "<ü>\n"}}}}}
	text, err := r.Encode()
	assert.NoError(t, err)
	got, err := Decode(text)
	assert.NoError(t, err)
	assert.Equal(t, 0.1234567, got.Criteria[0].Evidence[0].Seconds)
	_, err = Decode([]byte(strings.Replace(string(text), `"holds": true`, `"holds": false`, 1)))
	assert.True(t, err == ErrEdited, "%v", err)
	_, err = Decode([]byte("no JSON"))
	assert.Error(t, err)
	assert.True(t, err != ErrEdited, "%v", err)
}

func TestSum(t *testing.T) {
	t.Parallel()
	ran, box := Verdict{How: ByRunning}, Verdict{How: ByBox}
	good := Verdict{How: ByRunning, Holds: true}
	for want, all := range map[Status][]Verdict{
		Passed: {good, {How: ByBox, Holds: true}}, Failed: {good, ran, box}, Partial: {good, box, {How: ByAgent, Unsure: true, Why: "x"}},
	} {
		assert.Equal(t, want, Sum(all))
	}
	assert.Equal(t, Nothing, Sum(nil), "Sum is wrong")
	assert.Equal(t, Failed, Sum([]Verdict{{How: ByAgent, Why: "the judge could not decide: x"}}), "Sum is wrong")
}

// TestVerdict_Brief: one line of bounded length, with the command once.
func TestVerdict_Brief(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long command ", 40)
	for name, c := range map[string]struct {
		text, command, brief, beside string
	}{
		"a command":      {"It holds `$ go test ./...`", "go test ./...", "It holds (`go test ./...` exited with 1)", "exited with 1"},
		"only a command": {"`$ go vet`", "go vet", "`go vet` exited with 1", "exited with 1"},
		"of the project": {"go vet of the project", "make vet", "go vet of the project (`make vet` exited with 1)", "`make vet` exited with 1"},
		"long":           {"It holds `$ " + long + "`", long, "It holds (`" + long[:80] + "…` exited with 1)", "exited with 1"},
	} {
		v := Verdict{Text: c.text, Why: "`" + c.command + "` exited with 1", Evidence: []Evidence{{Command: c.command, ExitCode: 1}}}
		assert.Equal(t, c.brief, v.Brief(), "%s", name)
		assert.Equal(t, c.beside, v.WhyBeside(), "%s", name)
	}
	got := (Verdict{Text: strings.Repeat("word ", 50), Why: "the box is not ticked"}).Brief()
	assert.True(t, len(got) <= 120, "%q", got)
	assert.HasSuffix(t, got, "… (the box is not ticked)")
}
