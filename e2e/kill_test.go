package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// killSpec is worked in small steps. Each word is in a file or a commit before
// the agent says so outside of the repository, so that no word that was said may be
// lost.
func killSpec(n int) string {
	var script strings.Builder
	for i := range 3 {
		word := fmt.Sprintf("word-%d-%d", n, i)
		fmt.Fprintf(&script, "[ -e w%[1]d-%[2]d.txt ] || { echo %[3]s > tmp && mv tmp w%[1]d-%[2]d.txt; }\necho %[3]s >> \"$HOME/said\"\n", n, i, word)
		if i == 1 {
			fmt.Fprintf(&script, "git add . && git commit -q -m words || true\n")
		}
	}
	return fmt.Sprintf("---\nstatus: pending\n---\n# Spec %[1]d\n\n## Script\n\n```sh\n%[2]s```\n\n## Acceptance Criteria\n\n"+
		"- [ ] all is there `$ test -s w%[1]d-0.txt && test -s w%[1]d-2.txt`\n", n, script.String())
}

// killSpecs is how many specs land, whatever else does. Two more hold alone and not together, so that one of them lands.
const killSpecs = 6

// TestKill stops a parallel run with SIGKILL at a random moment, again and again.
// After one watch every spec is in a state that can be explained, code is on the
// target if and only if the spec is completed there, no commit of the target breaks
// a criterion, no spec lands twice, and nothing an agent said is lost; and the work
// can go on to its end. CHANT_E2E_KILLS is how often, CHANT_E2E_SEED repeats a run.
func TestKill(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	kills, seed := number(t, "CHANT_E2E_KILLS", sizeOf(1, 2)), uint64(number(t, "CHANT_E2E_SEED", int(time.Now().UnixNano()%1e9)))
	t.Logf("seed %d", seed)
	var hits atomic.Int32
	t.Cleanup(func() { // after all of them
		if hits.Load() == 0 && kills > 0 && !t.Failed() {
			t.Errorf("none of %d runs was killed before its end", kills)
		}
	})
	for n := range kills {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, uint64(n)))
			if killOnce(t, random) {
				hits.Add(1)
			}
		})
	}
}

// killOnce kills one run, has it recovered and worked to its end, and reports whether
// the kill came before the run had ended by itself.
func killOnce(t *testing.T, random *rand.Rand) bool {
	p := newWalledProject(t, "said")
	specs := map[string]string{}
	for i := range killSpecs {
		specs[parallelID(i)] = killSpec(i)
	}
	either, or := parallelID(killSpecs), parallelID(killSpecs+1)
	specs[either] = trainSpec("a.txt", "test -s a.txt && test ! -e b.txt", "")
	specs[or] = trainSpec("b.txt", "test -s b.txt && test ! -e a.txt", "")
	p.addAll(specs)
	before := p.git("rev-parse", "main")
	hit := p.killAfter(time.Duration(random.IntN(1200))*time.Millisecond, "work", "--all", "--parallel", "4")
	if random.IntN(3) == 0 { // the recovery may be killed as well
		p.killAfter(time.Duration(random.IntN(400))*time.Millisecond, "watch", "--once")
	}
	out := p.chant("watch", "--once")
	p.invariants(out)
	out, errs, _ := p.try(nil, "watch", "--once", "--work", "--parallel", "4") // one of the two fails
	for i := range killSpecs {
		if id := parallelID(i); p.statusOnMain(id) != "completed" {
			p.chant("work", id)
		}
	}
	for _, id := range []string{either, or} {
		if p.statusOnMain(either) != "completed" && p.statusOnMain(or) != "completed" {
			p.chant("work", id)
		}
	}
	p.invariants(out + errs)
	p.neverRed(before, "a.txt", "b.txt")
	landed := strings.Split(p.git("log", "--first-parent", "--merges", "--format=%s", before+"..main"), "\n")
	slices.Sort(landed)
	assert.Equal(t, killSpecs+1, len(landed), "landings: %q", landed)
	assert.Equal(t, slices.Compact(slices.Clone(landed)), landed, "something landed twice")
	for _, id := range []string{either, or} {
		if p.statusOnMain(id) != "completed" {
			p.chant("cancel", id)
		}
	}
	p.chant("cleanup", "--yes")
	p.atRest()
	return hit
}

func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	assert.NoError(t, err, "%s=%q is not a number", name, text)
	assert.True(t, n >= 0, "%s=%q is not a number", name, text)
	return n
}

// killAfter starts chant and kills it, and it alone, after some time; false when it
// has ended before.
func (p *project) killAfter(wait time.Duration, args ...string) bool {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), p.program, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	timer := time.AfterFunc(wait, func() { _ = cmd.Process.Kill() }) // it may have ended
	_ = cmd.Wait()                                                   // killed, as a rule
	timer.Stop()
	// A child that it had just forked holds its locks until it becomes another program, which takes longer the busier the
	// machine is.
	if !eventually(func() bool { return !p.holds(cmd.Process.Pid) }) {
		p.t.Errorf("the killed process %d still holds locks", cmd.Process.Pid)
	}
	// A git that it has started comes to its end, also after a watch has looked.
	if !eventually(func() bool { return !p.gitRuns() }) {
		p.t.Error("a git of the killed process does not end")
	}
	return cmd.ProcessState.ExitCode() == -1 // of a signal
}

// holds reports whether a lock is held in the name of a process.
func (p *project) holds(pid int) bool {
	p.t.Helper()
	locks, err := filepath.Glob(filepath.Join(p.dir, ".git", "chant", "locks", "*.lock"))
	if err != nil {
		p.t.Fatal(err)
	}
	return slices.ContainsFunc(locks, func(path string) bool {
		holder, held := lockfile.HeldBy(path)
		return held && holder.PID == pid
	})
}

// gitRuns reports whether a git works in the project, where the system says so (/proc).
func (p *project) gitRuns() bool {
	p.t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/comm")
	if err != nil {
		p.t.Fatal(err)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		comm, err := os.ReadFile(name)
		if err != nil || string(comm) != "git\n" {
			return false // it may have ended
		}
		at, err := os.Readlink(filepath.Join(filepath.Dir(name), "cwd"))
		return err == nil && (at == p.dir || strings.HasPrefix(at, p.dir+string(filepath.Separator)))
	})
}

func (p *project) statusOnMain(id string) string {
	p.t.Helper()
	_, rest, _ := strings.Cut(p.git("show", "main:.chant/specs/"+id+".md"), "\nstatus: ")
	status, _, _ := strings.Cut(rest, "\n")
	return status
}

// invariants checks what holds whenever no chant is at work; watched is what a watch
// has just printed, for the message.
func (p *project) invariants(watched string) {
	p.t.Helper()
	onMain, ran := p.git("ls-tree", "--name-only", "main"), false
	for i := range killSpecs {
		id := parallelID(i)
		done, code := p.statusOnMain(id) == "completed", strings.Contains(onMain, fmt.Sprintf("w%d-0.txt", i))
		ran = ran || done
		if done != code {
			p.t.Errorf("%s: completed on main %t, code there %t\n%s", id, done, code, watched)
		}
		if told := p.chant("diagnose", id); !strings.Contains(told, "next: chant ") {
			p.t.Errorf("%s is not explained: %s", id, told)
		}
	}
	if status := p.chant("status"); strings.Contains(status, "interrupted") || strings.Contains(status, "running") {
		p.t.Errorf("something is still under way:\n%s\n%s", status, watched)
	}
	said, err := os.ReadFile(filepath.Join(filepath.Dir(p.dir), "said"))
	if os.IsNotExist(err) && !ran {
		err = nil // no agent got as far as a word
	}
	if err != nil {
		p.t.Fatal(err)
	}
	kept := p.everything()
	for word := range strings.FieldsSeq(string(said)) {
		if !strings.Contains(kept, word) {
			p.t.Errorf("%q is lost\n%s", word, watched)
		}
	}
	p.sound()
}

// sound checks that the repository is whole, home clean, and nothing of chant alive.
func (p *project) sound() {
	p.t.Helper()
	if out := p.git("fsck", "--no-dangling", "--no-progress"); out != "" {
		p.t.Errorf("fsck: %s", out)
	}
	if out := p.git("status", "--porcelain"); out != "" {
		p.t.Errorf("home has %q", out)
	}
	p.noLocks()
	p.noProcesses()
}

// said is what agents and chant have written into a commit. A rescued worktree may hold none of it: git may not have
// filled it yet when chant was killed.
func (p *project) said(ref string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), "git", "grep", "-h", "-e", "word", "-e", "status", ref)
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 { // it matches nothing
		return ""
	}
	if err != nil {
		p.t.Fatalf("git grep in %s: %v\n%s", ref, err, errText(err))
	}
	return string(out)
}

// everything is the text of all that refs and worktrees hold.
func (p *project) everything() string {
	p.t.Helper()
	var all strings.Builder
	for ref := range strings.FieldsSeq(p.git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/chant")) {
		all.WriteString(p.said(ref))
	}
	files, err := filepath.Glob(filepath.Join(p.dir, ".chant", "worktrees", "*", "w*.txt"))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, file := range files {
		if src, err := os.ReadFile(file); err == nil {
			all.Write(src)
		}
	}
	return all.String()
}
