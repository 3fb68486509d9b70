package providers

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

// chantKey makes the test binary play a chant that runs the script named by
// its value and prints its Process on stdout.
const chantKey = "PROVIDERS_TEST_CHANT"

func TestMain(m *testing.M) {
	if script := os.Getenv(chantKey); script != "" {
		os.Exit(playChant(script))
	}
	goleak.VerifyTestMain(m)
}

func playChant(script string) int {
	l := Launch{Path: "/bin/sh", Args: []string{script}, Dir: filepath.Dir(script), Env: os.Environ()}
	_, err := Run(context.Background(), l, Limits{}, Watch{
		Started: func(p Process, _ func(int) bool) { _ = json.NewEncoder(os.Stdout).Encode(p) },
		Event:   func(e Event) { fmt.Println(e.Text) },
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// agent returns a launch of a fake agent: a shell script in a folder of its
// own, which is its working directory too.
func agent(t *testing.T, script string) Launch {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake agents are shell scripts")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "agent.sh")
	assert.NoError(t, os.WriteFile(file, []byte(script), 0o600))
	return Launch{Path: "/bin/sh", Args: []string{file}, Dir: dir, Env: agentEnviron(t)}
}

func agentEnviron(t *testing.T) []string {
	t.Helper()
	return []string{"PATH=" + os.Getenv("PATH"), RunIDKey + "=" + filepath.Base(t.TempDir()) + t.Name()}
}

func onlyLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("this system finds the process group only")
	}
}

// recording is a Watch that keeps what it sees and calls on for each event.
type recording struct {
	process Process
	events  []Event
	on      func(Event)
}

func (r *recording) watch() Watch {
	return Watch{
		Started: func(p Process, _ func(int) bool) { r.process = p },
		Event: func(e Event) {
			r.events = append(r.events, e)
			if r.on != nil {
				r.on(e)
			}
		},
	}
}

// texts joins the texts of one kind of events.
func (r *recording) texts(kind Kind) string {
	var texts []string
	for _, e := range r.events {
		if e.Kind == kind {
			texts = append(texts, e.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// noneAlive checks that the processes whose numbers the agent wrote to *.pid
// files of its folder are gone, and that there are as many as expected.
func noneAlive(t *testing.T, dir string, expected int) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.pid"))
	assert.Equal(t, expected, len(files))
	for _, file := range files {
		pid := readPID(t, file)
		assert.False(t, isAlive(pid), "%s: process %d is alive", filepath.Base(file), pid)
	}
}

func isAlive(pid int) bool {
	return slices.ContainsFunc(processTable(pid), func(r row) bool { return r.pid == pid })
}

func readPID(t *testing.T, file string) int {
	t.Helper()
	content, err := os.ReadFile(file)
	assert.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	assert.NoError(t, err)
	return pid
}
