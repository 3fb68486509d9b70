package providers

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// stubborn is a process that ignores the polite signal, in a session of its
// own; it prints its number when it is up.
const stubborn = `setsid sh -c 'trap "" TERM; echo $$ >stubborn.pid; echo up; while :; do sleep 1000; done' &
`

// shortGrace keeps the tests of stubborn agents short.
const shortGrace = 20 * time.Millisecond

func TestRun_limits(t *testing.T) {
	t.Parallel()
	limit := 60 * time.Millisecond
	for name, tt := range map[string]struct {
		script           string
		limits           Limits
		timedOut, silent bool
		reason           string
	}{
		"time":                 {"echo x; sleep 1000", Limits{Timeout: limit}, true, false, "time limit of 60ms reached"},
		"time, nothing said":   {"sleep 1000", Limits{Timeout: limit}, true, false, "time limit of 60ms reached (no output at all)"},
		"silence":              {"echo x; sleep 1000", Limits{Silence: limit}, false, true, "no output for 60ms"},
		"silence from start":   {"sleep 1000", Limits{Silence: limit}, false, true, "no output for 60ms (no output at all)"},
		"success in the grace": {"trap 'exit 0' TERM; echo x; sleep 1000 & wait", Limits{Silence: limit}, false, true, "no output for 60ms"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := agent(t, "echo $$ >agent.pid\n"+tt.script)
			o, err := Run(context.Background(), l, tt.limits, Watch{})
			assert.NoError(t, err)
			assert.False(t, o.OK, "outcome %+v", o)
			assert.Equal(t, tt.timedOut, o.TimedOut)
			assert.Equal(t, tt.silent, o.Silent)
			assert.False(t, o.Canceled, "outcome %+v", o)
			// A slow machine may reach the limit before the first word.
			assert.Equal(t, strings.TrimSuffix(tt.reason, " (no output at all)"), strings.TrimSuffix(o.Reason, " (no output at all)"))
		})
	}
}

// TestRun_stops cancels each agent once it says that it is up.
func TestRun_stops(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script    string
		processes int
		linux     bool
	}{
		"polite":             {"echo $$ >a.pid; trap 'echo bye; exit 0' TERM; echo up; sleep 1000 & wait", 1, false},
		"ignores the signal": {"echo $$ >a.pid; trap '' TERM; echo up; while :; do sleep 1000; done", 1, false},
		"own session":        {"echo $$ >a.pid\n" + stubborn + "wait", 2, true},
		"own session, agent leaves at once": {
			"echo $$ >a.pid; trap 'exit 0' TERM\n" + stubborn + "wait", 2, true},
		"own session, clean environment": {
			"echo $$ >a.pid\nsetsid env -i PATH=\"$PATH\" sh -c 'trap \"\" TERM; echo $$ >b.pid; echo up; while :; do sleep 1000; done' & wait", 2, true},
		"stopped": {"echo $$ >a.pid; echo up; kill -STOP $$", 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.linux {
				onlyLinux(t)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			r := recording{on: func(e Event) {
				if e.Text == "up" {
					cancel()
				}
			}}
			l := agent(t, tt.script)
			o, err := Run(ctx, l, Limits{Grace: shortGrace}, r.watch())
			assert.NoError(t, err)
			assert.True(t, o.Canceled, "outcome %+v, %v", o, err)
			assert.False(t, o.OK, "outcome %+v, %v", o, err)
			assert.Equal(t, "stopped", o.Reason)
			noneAlive(t, l.Dir, tt.processes)
		})
	}
}

// TestRun_politeGrace proves that an agent may say something in its grace.
func TestRun_politeGrace(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := recording{on: func(e Event) {
		if e.Text == "up" {
			cancel()
		}
	}}
	l := agent(t, "trap 'echo bye; exit 0' TERM; sleep 1000 & echo up; wait")
	_, err := Run(ctx, l, Limits{}, r.watch())
	assert.NoError(t, err)
	assert.Equal(t, "up\nbye", r.texts(Output))
}

// TestRun_leavesNothing has agents that end well and leave something behind,
// which holds the pipes open.
func TestRun_leavesNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script string
		linux  bool
	}{
		"background child": {"sleep 1000 & echo $! >a.pid; echo up", false},
		"own session":      {"mkfifo up\n" + strings.Replace(stubborn, "echo up", "echo up >up", 1) + "read x <up; echo $x", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.linux {
				onlyLinux(t)
			}
			l := agent(t, tt.script)
			o, err := Run(context.Background(), l, Limits{Grace: shortGrace}, Watch{})
			assert.NoError(t, err)
			assert.True(t, o.OK, "outcome %+v, %v", o, err)
			assert.Equal(t, "up\n", o.Text)
			noneAlive(t, l.Dir, 1)
		})
	}
}

// TestStop ends the run of a chant that was killed.
func TestStop(t *testing.T) {
	t.Parallel()
	onlyLinux(t)
	for name, killAgent := range map[string]bool{"agent alive": false, "only an orphan left": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := agent(t, "echo $$ >agent.pid\n"+stubborn+"wait")
			p := orphaned(t, l)
			want := 3 // the agent, its child, and that one's sleep
			if killAgent {
				want = 2
				kill(t, p.PID)
			}
			n, err := Stop(context.Background(), p, shortGrace)
			// The stubborn shell may start one sleep after the other meanwhile.
			assert.NoError(t, err)
			assert.True(t, n >= want, "signalled %d, %v; want %d", n, err, want)
			noneAlive(t, l.Dir, 2)
			n, err = Stop(context.Background(), p, shortGrace)
			assert.Equal(t, 0, n)
			assert.NoError(t, err)
		})
	}
}

// orphaned lets a chant of its own run the agent, and kills it when the agent
// is up.
func orphaned(t *testing.T, l Launch) Process {
	t.Helper()
	chant := exec.Command(os.Args[0])
	chant.Env = append(l.Env, chantKey+"="+l.Args[0])
	out, err := chant.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, chant.Start())
	var p Process
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "up" {
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Errorf("line %q: %v", lines.Text(), err)
		}
	}
	assert.True(t, Alive(p), "agent %+v is not alive", p)
	_ = chant.Process.Kill()
	_ = chant.Wait()
	return p
}

func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	assert.NoError(t, err)
	assert.NoError(t, p.Kill())
	// An orphan: its new parent reaps it, and a zombie is dead.
	for isAlive(pid) {
		runtime.Gosched()
	}
}

// TestStop_stranger proves that a number used again is left alone.
func TestStop_stranger(t *testing.T) {
	t.Parallel()
	onlyLinux(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := agent(t, "echo up; sleep 1000")
	var r recording
	r.on = func(e Event) {
		if e.Text != "up" {
			return
		}
		stranger := r.process
		stranger.Started += "1"
		stranger.RunID = "another"
		if n, err := Stop(context.Background(), stranger, shortGrace); n != 0 || err != nil {
			t.Errorf("signalled %d, %v", n, err)
		}
		if Alive(stranger) || !Alive(r.process) {
			t.Error("taken for another process")
		}
		cancel()
	}
	_, err := Run(ctx, l, Limits{}, r.watch())
	assert.NoError(t, err)
}

func TestStop_nothing(t *testing.T) {
	t.Parallel()
	for _, p := range []Process{{}, {PID: -1}, {RunID: "none"}, {PID: 1, RunID: "none"}} {
		n, err := Stop(context.Background(), p, shortGrace)
		assert.Equal(t, 0, n, "%+v: signalled", p)
		assert.NoError(t, err, "%+v: signalled", p)
	}
}

// A limit that is shared is asked for again while the agent runs, and says itself how it
// was met.
func TestRun_sharedTime(t *testing.T) {
	t.Parallel()
	asked := 0
	left := func() (time.Duration, string) {
		asked++
		if asked < 5 {
			return time.Millisecond, "not yet"
		}
		return 0, "all have used it up"
	}
	o, err := Run(context.Background(), agent(t, "echo x; sleep 1000"), Limits{Left: left}, Watch{})
	assert.NoError(t, err, "%d", asked)
	assert.False(t, o.OK, "%+v, %v after %d", o, err, asked)
	assert.True(t, o.TimedOut, "%+v, %v after %d", o, err, asked)
	assert.HasPrefix(t, o.Reason, "all have used it up", "%d", asked)
}
