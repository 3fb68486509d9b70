package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// night is a spec of the overnight story: what its agent does, and for what it waits.
type night struct {
	script string
	needs  []string
}

// nights are twelve specs, by number.
func nights() map[string]night {
	write := func(file string) string { return fmt.Sprintf("echo \"$CHANT_SPEC_ID\" > %s", file) }
	return map[string]night{
		"001": {script: write("a.txt")},
		"002": {script: write("b.txt"), needs: []string{"001"}},
		"003": {script: write("c.txt"), needs: []string{"002"}},
		"004": {script: write("d.txt")},
		"005": {script: write("e.txt"), needs: []string{"004"}},
		"006": {script: write("f.txt")},
		"007": {script: "echo 'the compiler says no' >&2; exit 1"}, // fails for good
		"008": {script: write("h.txt"), needs: []string{"007"}},    // and so waits
		"009": {script: `n=$(cat "$HOME/limit" 2>/dev/null || echo 0)
[ "$n" -ge 2 ] || { echo $((n+1)) > "$HOME/limit"; echo '429 rate limit exceeded' >&2; exit 1; }
` + write("i.txt")}, // is asked to wait, twice
		"010": {script: "while [ ! -e \"$HOME/go\" ]; do echo waiting; sleep 0.1; done\n" + write("clash.txt")}, // conflicts with 011
		"011": {script: write("clash.txt") + "\ntouch \"$HOME/go\""},
		"012": {script: "echo 'Do you want to proceed? (y/n)'; sleep 600"}, // hangs
	}
}

// TestOvernight works twelve specs in one go, of which one fails for good, one is
// limited twice, one conflicts and one hangs. In the morning status explains each
// that has not landed, and the command beside it works.
func TestOvernight(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	p := newProject(t)
	p.env = append(p.env, "EDITOR=true", "VISUAL=") // who opens a spec and changes nothing
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nlimits: {silence: 5s}\nretry: {max_retries: 3, retry_delay_ms: 200}\n---\n")
	specs := map[string]string{}
	for n, s := range nights() {
		head := "status: pending\n"
		for _, on := range s.needs {
			head += "depends_on: [2026-01-02-" + on + "-abc]\n"
		}
		specs["2026-01-02-"+n+"-abc"] = "---\n" + head + "---\n# Night " + n + "\n\n## Script\n\n```sh\n" + s.script + "\n```\n"
	}
	p.addAll(specs)
	stdout, errs, code := p.try(nil, "work", "--all", "--parallel", "4", "--json")
	r := resultOf(t, stdout)
	assert.False(t, code != 8 && code != 7, "exit %d, %d completed, failed %+v, waiting %+v\n%s", code, len(r.Completed), r.Failed, r.Waiting, errs)
	assert.Equal(t, 8, len(r.Completed), "exit %+v %+v %s", r.Failed, r.Waiting, errs)
	assert.Equal(t, 3, len(r.Failed), "exit %+v %+v %s", r.Failed, r.Waiting, errs)
	assert.Equal(t, 1, len(r.Waiting), "exit %+v %+v %s", r.Failed, r.Waiting, errs)

	var morning struct {
		Open []struct {
			ID, Status, Why string
			Next            struct{ Command string }
		}
	}
	assert.NoError(t, json.Unmarshal([]byte(p.chant("status", "--json")), &morning))
	text := p.chant("status")
	second := "010"
	if p.statusOnMain("2026-01-02-010-abc") == "completed" { // either may have come second
		second = "011"
	}
	expected := map[string]hint{
		"007":  {why: "the compiler says no", says: "Unchanged"}, // it would say so again
		"008":  {why: "007-abc (failed)"},
		second: {why: "clash.txt", exit: 1, says: "CONFLICT"}, // git's, to be resolved by hand
		"012":  {why: "no output for 5s", says: "Unchanged"},
	}
	assert.Equal(t, len(expected), len(morning.Open), "status explains %+v", morning.Open)
	for _, o := range morning.Open {
		n := strings.TrimSuffix(strings.TrimPrefix(o.ID, "2026-01-02-"), "-abc")
		want, known := expected[n]
		assert.True(t, known, "%s is %s because %q; next: %s", o.ID, o.Status, o.Why, o.Next.Command)
		assert.Contains(t, o.Why, want.why, "%s is %s because", o.ID, o.Status)
		assert.Contains(t, text, o.Next.Command, "%s is %s because", o.ID, o.Status)
		code, out := p.shell(o.Next.Command)
		assert.Equal(t, want.exit, code, "%s: %s", o.ID, o.Next.Command)
		assert.Contains(t, out, want.says, "%s: %s", o.ID, o.Next.Command)
	}
	p.sound()
}

// hint is what status says of a spec in the morning: why it is stalled, and what
// becomes of the command beside it.
type hint struct {
	why  string
	exit int
	says string
}

// shell runs a line as a person would type it.
func (p *project) shell(line string) (code int, out string) {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), "sh", "-c", line) // chant is on the PATH of tests
	cmd.Dir, cmd.Env = p.dir, p.env
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		p.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}
