package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// waitingSpec is a spec whose agent leaves a file, reports that it has started, and continues
// once HOME has a file called go.
func waitingSpec(title string) string {
	return strings.NewReplacer(
		"git add .", ": > \"$HOME/begun-$CHANT_SPEC_ID\"\nwhile [ ! -e \"$HOME/go\" ]; do sleep 0.02; done\ngit add .",
		"git commit", "git diff --cached --quiet || git commit", // a second attempt finds it committed
	).Replace(parallelSpec(title, "$CHANT_SPEC_ID.txt"))
}

// background is a chant that runs beside the test.
type background struct {
	p        *project
	cmd      *exec.Cmd
	out, err *os.File
}

// said is what it has written to a file so far.
func (b *background) said(to *os.File) string {
	b.p.t.Helper()
	text, err := os.ReadFile(to.Name())
	if err != nil {
		b.p.t.Fatal(err)
	}
	return string(text)
}

// awaitDrained returns once it has said that nothing more starts.
func (b *background) awaitDrained() {
	b.p.t.Helper()
	if !eventually(func() bool { return strings.Contains(b.said(b.out), "nothing more starts") }) {
		b.p.t.Fatalf("an interrupt is not answered:\n%s%s", b.said(b.out), b.said(b.err))
	}
}

// begin starts chant. Its signals are the test's to send.
func (p *project) begin(args ...string) *background {
	p.t.Helper()
	if runtime.GOOS == "windows" {
		p.t.Skip("a signal cannot be sent to one process")
	}
	b := &background{p: p, cmd: p.raced(p.t.Context(), args...), out: p.output("stdout"), err: p.output("stderr")}
	b.cmd.Stdout, b.cmd.Stderr = b.out, b.err
	if err := b.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	return b
}

// interrupt is one Ctrl-C.
func (b *background) interrupt() {
	b.p.t.Helper()
	if err := b.cmd.Process.Signal(os.Interrupt); err != nil {
		b.p.t.Fatal(err)
	}
}

// end waits for the process and returns its exit code.
func (b *background) end() int {
	b.p.t.Helper()
	if err := b.cmd.Wait(); err != nil && b.cmd.ProcessState == nil {
		b.p.t.Fatal(err)
	}
	return b.cmd.ProcessState.ExitCode()
}

// home is a file beside the repository, where agents and tests leave word.
func (p *project) home(name string) string { return filepath.Join(filepath.Dir(p.dir), name) }

// awaitFile returns once a file beside the repository exists.
func (p *project) awaitFile(name string) {
	p.t.Helper()
	there := func() bool {
		_, err := os.Stat(p.home(name))
		return err == nil
	}
	if !eventually(there) {
		p.t.Fatalf("%s does not appear", name)
	}
}

// output makes a new file beside the repository for what a process writes.
func (p *project) output(name string) *os.File {
	p.t.Helper()
	file, err := os.CreateTemp(p.home("."), name)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { file.Close() })
	return file
}

// leave makes a file beside the repository.
func (p *project) leave(name string) {
	p.t.Helper()
	if err := os.WriteFile(p.home(name), nil, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// fourWaiting is a project with four specs, and chant at work on two of them.
func fourWaiting(t *testing.T) (*project, *background) {
	p := newProject(t)
	specs := map[string]string{}
	for n := range 4 {
		specs[parallelID(n)] = waitingSpec("Spec")
	}
	p.addAll(specs)
	b := p.begin("work", "--parallel", "2", "--json")
	p.awaitFile("begun-" + parallelID(0))
	p.awaitFile("begun-" + parallelID(1))
	return p, b
}

// TestInterrupt_once: nothing more starts, and what runs lands.
func TestInterrupt_once(t *testing.T) {
	t.Parallel()
	p, b := fourWaiting(t)
	b.interrupt()
	b.awaitDrained()
	p.leave("go")
	if code := b.end(); code != 0 {
		t.Fatalf("exit %d\n%s", code, b.said(b.err))
	}
	r := resultOf(t, b.said(b.out))
	assert.Equal(t, "interrupted", r.Ended)
	assert.Equal(t, 2, len(r.Completed))
	assert.Equal(t, 2, len(r.Ready))
	assert.Equal(t, 2, r.Starts)
	p.atRest()
	p.chant("work", "--all")
	p.atRest()
}

// TestInterrupt_twice: all stop with what they have, exit 130, and work continues with
// them (9A 39).
func TestInterrupt_twice(t *testing.T) {
	t.Parallel()
	p, b := fourWaiting(t)
	b.interrupt()
	b.awaitDrained()
	b.interrupt()
	if code := b.end(); code != 130 {
		t.Fatalf("exit %d, want 130\n%s", code, b.said(b.err))
	}
	r := resultOf(t, b.said(b.out))
	assert.Equal(t, "interrupted", r.Ended)
	assert.Equal(t, 0, len(r.Completed)+len(r.Failed))
	assert.Equal(t, 2, len(r.Ready))
	assert.Equal(t, 2, len(r.Paused))
	p.noProcesses()
	p.noLocks()
	for n := range 2 {
		id := parallelID(n)
		assert.Equal(t, id, p.git("show", "chant/"+id+":"+id+".txt"))
	}
	assert.Equal(t, 2, strings.Count(p.chant("list", "--status", "paused"), "\n"))
	p.leave("go")
	assert.Contains(t, p.chant("work", parallelID(0), parallelID(1), "--all", "--parallel", "2"), "4 completed", "work continues with")
	p.atRest()
}

// TestInterrupt_pauseOne: pause stops one of many runs, and the others go on; what was
// paused is not started again by the same process (9B 8).
func TestInterrupt_pauseOne(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/work")
	p, b := fourWaiting(t)
	assert.Contains(t, p.chant("pause", parallelID(0)), "Paused")
	p.leave("go")
	if code := b.end(); code != 0 {
		t.Fatalf("exit %d\n%s", code, b.said(b.err))
	}
	r := resultOf(t, b.said(b.out))
	assert.Equal(t, "finished", r.Ended)
	assert.Equal(t, 3, len(r.Completed))
	assert.Equal(t, 1, len(r.Paused))
	assert.Equal(t, parallelID(0), r.Paused[0].ID)
	list := p.chant("list", "--status", "paused")
	assert.Contains(t, list, parallelID(0))
	p.chant("work", parallelID(0))
	p.atRest()
}

// TestParallel_overlapElsewhere: files that a run in another process has keep a spec
// back here too, and the summary says behind whom.
func TestParallel_overlapElsewhere(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	files := func(text, files string) string {
		return strings.Replace(text, "status: pending", "status: pending\ntarget_files: ["+files+"]", 1)
	}
	p.addAll(map[string]string{
		parallelID(0): files(waitingSpec("Has src"), "src/**"),
		parallelID(1): files(parallelSpec("Wants a file of src", "one.txt"), "src/a.go"),
		parallelID(2): files(parallelSpec("Wants another", "two.txt"), "docs"),
	})
	b := p.begin("work", parallelID(0))
	p.awaitFile("begun-" + parallelID(0))
	out, errs, code := p.try(nil, "work", "--parallel", "3", "--json")
	r := resultOf(t, out)
	assert.Equal(t, 0, code, "exit %s", errs)
	assert.Equal(t, 1, len(r.Completed), "exit %s", errs)
	assert.Equal(t, parallelID(2), r.Completed[0].ID, "exit %s", errs)
	assert.Equal(t, 1, len(r.Held))
	assert.Equal(t, parallelID(1), r.Held[0].ID)
	assert.Equal(t, parallelID(0), r.Held[0].Behind)
	assert.Equal(t, 1, len(r.Ready))
	assert.Equal(t, 1, len(r.Skipped))
	assert.Contains(t, r.Skipped[0].Why, "at work in process")
	assert.Contains(t, p.chant("work", "--all", "--allow-overlap"), "1 completed", "on request, it runs beside it:")
	p.leave("go")
	if code := b.end(); code != 0 {
		t.Errorf("exit %d\n%s", code, b.said(b.err))
	}
	p.atRest()
}
