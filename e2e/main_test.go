package e2e

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"chant/cmd"
	"chant/engine/enginetest"
	"chant/providers/wall"

	"github.com/rogpeppe/go-internal/testscript"
)

// asChant makes this test binary behave as the chant program: for tests that look for
// races in it.
const asChant = "CHANT_E2E_AS_CHANT"

// killAt names a journal record, as "step:state", after which e2e/killable kills itself
// with SIGKILL.
const killAt = "CHANT_E2E_KILL_AT"

// violations names a file in which e2e/killable says what is wrong with what it prints with --json.
const violations = "CHANT_E2E_VIOLATIONS"

// scratchPrefix begins the name of the folder of scratch.
const scratchPrefix = "chant-e2e-"

// compileCache names the folder in which node keeps what it has compiled: to compile the agents and clients of the tests
// anew each time takes longer than most of what they do.
const compileCache = "NODE_COMPILE_CACHE"

func TestMain(m *testing.M) {
	if os.Getenv(asChant) != "" {
		chantMain()
	}
	if role := os.Getenv(raceRole); role != "" {
		raceMain(role)
	}
	os.Exit(runTests(m))
}

// runTests runs two tests for each core, unless -parallel says otherwise: they wait for other
// programs much of their time.
func runTests(m *testing.M) int {
	err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	dir := scratch()
	if dir != "" {
		err = errors.Join(err, os.Setenv("TMPDIR", dir))
	}
	compiled, tempErr := os.MkdirTemp("", "chant-node-compiled-")
	err = errors.Join(err, tempErr, os.Setenv(compileCache, compiled))
	code := 1
	if err == nil {
		code = m.Run()
	}
	err = errors.Join(err, chant.remove(), chantFleet.remove(), killable.remove(), clockOff.remove(), os.RemoveAll(initialized.dir), os.RemoveAll(compiled), os.RemoveAll(dir))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}

// raced is a command of chant with the race detector, for what happens side by
// side in it.
func (p *project) raced(ctx context.Context, args ...string) *exec.Cmd {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	c := exec.CommandContext(ctx, self, args...)
	c.Dir, c.Env = p.dir, append(slices.Clone(p.env), asChant+"=1")
	return c
}

func chantMain() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	s := cmd.Process()
	s.Interrupts = interrupts
	code := cmd.Main(ctx, os.Args[1:], s)
	stop()
	os.Exit(code)
}

func TestScripts(t *testing.T) {
	t.Parallel()
	program := killableBinary(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") == "1",
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "wrapped": // chant is a script that starts chant
				return os.Getenv("CHANT_E2E_INDEX") == "corrupted", nil
			case "full": // all stories, see CONTRIBUTING.md
				return enginetest.IsFull(), nil
			case "wall":
				return wall.Supported().Available, nil
			case "ordinary":
				return haveOrdinaryUser(t), nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Setup: func(env *testscript.Env) error {
			env.Defer(func() { nobodyLeft(t, env.WorkDir) })
			wrong := filepath.Join(env.WorkDir, ".violations")
			env.Setenv(violations, wrong)
			env.Defer(func() {
				if text, err := os.ReadFile(wrong); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s %v", text, err)
				}
			})
			return setup(env, filepath.Dir(program))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"addspec": addSpec,
			"asuser":  asUser,
			"until":   until,
			"waitfor": waitFor,
			"same":    same,
			"killed":  func(ts *testscript.TestScript, neg bool, args []string) { killed(ts, program, neg, args) },
			"readme":  readmeLine,
		},
	})
}

// setup gives a script a repository of its own, a name to commit with, no configuration
// but git's built-in one, and the chant of a folder.
func setup(env *testscript.Env, program string) error {
	// Agents of stories leave files where the story looks for them; a story about the sandbox turns it on.
	env.Setenv("CHANT_SANDBOX", "off")
	env.Setenv("PATH", program+string(filepath.ListSeparator)+env.Getenv("PATH"))
	for _, kv := range environment(env.WorkDir) {
		name, value, _ := strings.Cut(kv, "=")
		env.Setenv(name, value)
	}
	return useIndex(env, program)
}

// environment isolates git from the machine.
func environment(home string) []string {
	env := []string{
		"HOME=" + home, "XDG_CONFIG_HOME=", "GIT_CONFIG_SYSTEM=" + os.DevNull,
		// There is no such file: "git config --global" of a test would replace /dev/null itself.
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig-of-test"),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
		"NO_COLOR=1", "TERM=dumb",
		"GOGC=" + cmp.Or(os.Getenv("GOGC"), "100"),
		"GORACE=atexit_sleep_ms=0", // a second for each of the many processes is most of the time
	}
	if dir := os.Getenv(compileCache); dir != "" {
		env = append(env, compileCache+"="+dir)
	}
	return env
}

// addSpec runs `chant add` with the arguments behind the first and keeps the id
// it prints in the variable that the first names.
func addSpec(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: addspec VAR ARGS...")
	}
	ts.Check(ts.Exec("chant", append([]string{"add"}, args[1:]...)...))
	id, ok := strings.CutPrefix(strings.TrimSpace(ts.ReadFile("stdout")), "Created ")
	if !ok {
		ts.Fatalf("add printed %q", ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], id)
}

// killed runs chant with the arguments behind the first, which names the record of the
// journal after which it is to be killed.
func killed(ts *testscript.TestScript, program string, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: killed STEP:STATE ARGS...")
	}
	ts.Setenv(killAt, args[0])
	err := ts.Exec(program, args[1:]...)
	ts.Setenv(killAt, "")
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Exited() {
		ts.Fatalf("it was to be killed: %v", err)
	}
}

// waitFor returns once a file exists: something that runs beside the script has
// got that far.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitfor FILE")
	}
	path := ts.MkAbs(args[0])
	there := func() bool {
		_, err := os.Stat(path)
		return err == nil
	}
	if !eventually(there) {
		ts.Fatalf("%s does not appear", args[0])
	}
}

// until runs a command again and again until it prints a text.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until TEXT COMMAND...")
	}
	said := func() bool {
		ts.Check(ts.Exec(args[1], args[2:]...))
		return strings.Contains(ts.ReadFile("stdout"), args[0])
	}
	if !eventually(said) {
		ts.Fatalf("%q is never printed", args[0])
	}
}

// eventually asks again and again until it is so; false after a minute, in which
// everything that tests wait for has happened or never will.
func eventually(so func() bool) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); !so(); <-tick.C {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// same keeps the standard output of a command under a name the first time and
// compares it the next.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: same NAME COMMAND...")
	}
	ts.Check(ts.Exec(args[1], args[2:]...))
	now, key := ts.ReadFile("stdout"), "SAME_"+args[0]
	if before := ts.Getenv(key); before == "" {
		ts.Setenv(key, "|"+now)
	} else if (before == "|"+now) == neg {
		ts.Fatalf("%s: before\n%s\nnow\n%s", args[0], before[1:], now)
	}
}
