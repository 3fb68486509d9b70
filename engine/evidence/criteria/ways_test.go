package criteria

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine/spec"
)

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
		if item.Number != i+1 {
			t.Errorf("item %d has number %d", i+1, item.Number)
		}
		got = append(got, string(item.Source)+" "+item.Text+": "+strings.Join(lines, ", "))
	}
	want := []string{
		"criterion a `$ make a` `$ make b`: make a, make b", "criterion b: ",
		"spec `$ make spec`: make spec", "spec lint: make lint", "project `$ make build`: make build",
	}
	if !slices.Equal(got, want) || plan.Variables["CI"] != "1" || plan.Parallel {
		t.Errorf("%q, %v", got, plan)
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
	if len(verdicts) != 4 || len(ids) != 4 || verdicts[0].Holds || verdicts[1].Holds || !verdicts[2].Holds || verdicts[3].Holds {
		t.Errorf("%+v", verdicts)
	}
}

func TestCheck_settings(t *testing.T) {
	t.Parallel()
	set := here(t)
	if err := os.MkdirAll(filepath.Join(set.Tree, "sub", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.TempDir(), filepath.Join(set.Tree, "out")); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"", "its command is empty", "", "", "", "", "`exec sleep 600` did not end within 300ms",
		`the tree has no folder "nowhere" to run it in`, `folder "out" leads out of the tree`,
	}
	for i, v := range verdicts {
		if v.Why != want[i] || v.Holds != (want[i] == "") {
			t.Errorf("%s: %q, want %q", v.Text, v.Why, want[i])
		}
	}
	if want := map[string]string{"WORD": "said", "TOOL": "tool 1.2", "LOST": "unknown: `exit 3` exited with 3"}; !maps.Equal(vars, want) {
		t.Errorf("%v", vars)
	}
}

func TestCheck_flaky(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.TreeID, set.Cache, set.Clean = "tree", shelf{}, always
	s := page(t, "---\nverify: {retries: 2, commands: ['echo x >>a; test $(wc -l <a) = 3', 'echo x >>b; false']}\n---\n# X\n")
	for range 2 {
		verdicts := check(t, s, s, set)
		flaky, never := verdicts[0], verdicts[1]
		if !flaky.Holds || !flaky.Flaky || flaky.Evidence[0].Tries != 3 || flaky.Evidence[0].Cached {
			t.Errorf("%+v", flaky)
		}
		if never.Holds || never.Flaky || never.Evidence[0].Tries != 3 || !strings.HasSuffix(never.Why, "exited with 1, tried 3 times") {
			t.Errorf("%+v", never)
		}
		if err := os.Remove(filepath.Join(set.Tree, "a")); err != nil {
			t.Fatal(err)
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
	if err := os.WriteFile(filepath.Join(set.Tree, "here"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	verdicts := check(t, s, s, set)
	if !verdicts[0].Holds || !verdicts[1].Holds || verdicts[2].Holds || verdicts[2].Number != 3 || len(lines) != 3 {
		t.Errorf("%+v, %q", verdicts, lines)
	}
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
		if v.Holds != first[i].Holds || v.Evidence[0].SHA256 != first[i].Evidence[0].SHA256 || !v.Evidence[0].Cached {
			t.Errorf("%+v, was %+v", v, first[i])
		}
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
		if err != nil || verdicts[0].Holds != (id == "a") || !verdicts[1].Holds {
			t.Errorf("%s: %+v, %v", id, verdicts, err)
		}
	}
	if runs != 3 {
		t.Errorf("%d commands ran, want the spec's twice and the project's once", runs)
	}
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
		if err := os.RemoveAll(filepath.Join(set.Tree, "out")); err != nil {
			t.Fatal(err)
		}
		verdicts, _, err := Check(context.Background(), PlanFor(s, s, project(t, "  defaults: ["+defaults+"]\n")), set)
		if err != nil || !Holds(verdicts) || runs != want {
			t.Errorf("%s: %d commands ran, want %d: %+v, %v", why, runs, want, verdicts, err)
		}
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
	if _, _, err := Check(canceled, PlanFor(s, s, spec.Checks{}), set); err == nil {
		t.Error("it was not stopped")
	}
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
	if v := check(t, s, s, set)[0]; v.Holds || v.Evidence[0].Cached || len(told) != 1 || !strings.Contains(told[0], "seal") {
		t.Errorf("%+v, %q", v, told)
	}
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
		if v.Holds != holds || len(v.Evidence) != 1 || len(v.Evidence[0].Tail) > 4096 {
			t.Errorf("%s: %+v", line, v)
		}
		if strings.HasPrefix(line, "head") && v.Evidence[0].Bytes != 300_000_000 {
			t.Errorf("%d bytes", v.Evidence[0].Bytes)
		}
	}
}

func quote(line string) string { return "'" + strings.ReplaceAll(line, "'", "''") + "'" }

func TestScrub(t *testing.T) {
	t.Parallel()
	tree := t.TempDir()
	if err := os.MkdirAll(filepath.Join(tree, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "tools")
	if err := os.Symlink(filepath.Join(tree, "bin"), link); err != nil {
		t.Fatal(err)
	}
	sep := string(filepath.ListSeparator)
	path := strings.Join([]string{filepath.Join(tree, "bin"), "rel", "/usr/bin", "", link, tree + "-not"}, sep)
	env, dropped := Scrub([]string{"PATH=" + path, "HOME=/h", "AWS_SECRET_ACCESS_KEY=x", "GH_TOKEN=x", "LC_ALL=C", "MINE=1", "ANTHROPIC_API_KEY=x", "GIT_DIR=/x"}, []string{"MINE"}, []string{tree})
	want := []string{"PATH=/usr/bin" + sep + tree + "-not", "HOME=/h", "LC_ALL=C", "MINE=1"}
	if !slices.Equal(env, want) || !slices.Equal(dropped, []string{filepath.Join(tree, "bin"), "rel", "", link}) {
		t.Errorf("%q, %q", env, dropped)
	}
}

func TestReport_seal(t *testing.T) {
	t.Parallel()
	r := Report{SpecID: "a", Commit: "c", At: time.Now().UTC(), Environment: map[string]string{"GO": "go1.26"}, Criteria: []Verdict{{ID: "1", Holds: true, Evidence: []Evidence{{Seconds: 0.1234567, Tail: "<ü>\n"}}}}}
	text, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(text); err != nil || got.Criteria[0].Evidence[0].Seconds != 0.1234567 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Decode([]byte(strings.Replace(string(text), `"holds": true`, `"holds": false`, 1))); err != ErrEdited {
		t.Errorf("%v", err)
	}
	if _, err := Decode([]byte("no JSON")); err == nil || err == ErrEdited {
		t.Errorf("%v", err)
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	ran, box := Verdict{How: ByRunning}, Verdict{How: ByBox}
	good := Verdict{How: ByRunning, Holds: true}
	for want, all := range map[Status][]Verdict{
		Passed: {good, {How: ByBox, Holds: true}}, Failed: {good, ran, box}, Partial: {good, box, {How: ByAgent, Unsure: true, Why: "x"}},
	} {
		if got := Sum(all); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if Sum(nil) != Nothing || Sum([]Verdict{{How: ByAgent, Why: "the judge could not decide: x"}}) != Failed {
		t.Error("Sum is wrong")
	}
}
