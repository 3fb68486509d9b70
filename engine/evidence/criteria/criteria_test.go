package criteria

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine/spec"

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
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCheck_holdsOrFails(t *testing.T) {
	t.Parallel()
	set := here(t)
	for item, why := range map[string]string{
		"- [ ] claimed by nobody":                 "the box is not ticked",
		"- [x] claimed":                           "",
		"- [ ] runs `$ true`":                     "",
		"- [x] runs, whatever the box `$ exit 3`": "`exit 3` exited with 3",
		"- [ ] not there `$ no-such-command`":     "`no-such-command` exited with 127",
		"- [ ] two `$ true` `$ false`":            "`false` exited with 1",
		"- [ ] killed `$ kill -9 $$`":             "`kill -9 $$` exited with 137",
	} {
		all := criteria(t, item)
		one := spec.Criteria(all.Doc)[0]
		v := check(t, all, all, set)[0]
		if v.Why != why || v.Holds != (why == "") || v.ID != one.ID || v.Number != 1 || v.Text != one.Text {
			t.Errorf("%s: %+v, want %q", item, v, why)
		}
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
	if len(ev) != 1 || ev[0].Command != "echo out; echo err >&2; exit 2" || ev[0].ExitCode != 2 || ev[0].TimedOut || ev[0].Seconds < 0 ||
		ev[0].Tail != "out\nerr\n" || ev[0].SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("%+v", ev)
	}
	if !slices.Equal(lines, []string{"echo out; echo err >&2; exit 2"}) {
		t.Errorf("announced %q", lines)
	}
}

func TestCheck_inTheTree(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.Env = append(set.Env, "WORD=said")
	if err := os.WriteFile(filepath.Join(set.Tree, "here"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	all := criteria(t, "- [ ] folder and environment `$ test -f here && test \"$WORD\" = said && test -z \"$HOME\"`")
	if v := check(t, all, all, set); !Holds(v) {
		t.Errorf("%+v", v)
	}
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
	if err != nil || string(log) != "1\n2\n3\n" {
		t.Errorf("ran %q, %v", log, err)
	}
	var got []bool
	for i, v := range verdicts {
		got = append(got, v.Holds)
		if v.Number != i+1 {
			t.Errorf("place %d has criterion %d", i, v.Number)
		}
	}
	if !slices.Equal(got, []bool{false, true, true}) || len(verdicts[0].Evidence) != 2 {
		t.Errorf("%+v", verdicts)
	}
}

func TestCheck_timeLimit(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.Timeout = 100 * time.Millisecond
	all := criteria(t, "- [ ] hangs `$ exec sleep 600` `$ true`")
	v := check(t, all, all, set)[0]
	if v.Holds || v.Why != "`exec sleep 600` did not end within 100ms" || len(v.Evidence) != 1 || !v.Evidence[0].TimedOut {
		t.Errorf("%+v", v)
	}
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
	if !errors.Is(err, context.Canceled) || len(out) != 1 || !out[0].Holds {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestCheck_cannotStart(t *testing.T) {
	t.Parallel()
	set := here(t)
	set.Env = []string{"PATH=" + t.TempDir()}
	all := criteria(t, "- [ ] needs a shell `$ true`")
	if out, _, err := Check(context.Background(), PlanFor(all, all, spec.Checks{}), set); err == nil {
		t.Errorf("without a shell: %+v", out)
	}
	boxes := criteria(t, "- [x] needs none")
	if out, _, err := Check(context.Background(), PlanFor(boxes, boxes, spec.Checks{}), set); err != nil || !Holds(out) {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestBoxes_followResults(t *testing.T) {
	t.Parallel()
	verdicts := []Verdict{
		{ID: "claim", Holds: true, How: ByBox, Source: FromCriteria}, {ID: "no-claim", How: ByBox, Source: FromCriteria},
		{ID: "good", Holds: true, How: ByRunning, Source: FromCriteria}, {ID: "bad", How: ByRunning, Source: FromCriteria},
		{ID: "whole", Holds: true, How: ByRunning, Source: FromProject},
	}
	if got := Boxes(verdicts); !maps.Equal(got, map[string]bool{"good": true, "bad": false}) {
		t.Errorf("%v", got)
	}
	if Holds(verdicts) || !Holds(verdicts[2:3]) || !Holds(verdicts[4:]) || Holds(nil) {
		t.Error("Holds is wrong")
	}
}
