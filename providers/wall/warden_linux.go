package wall

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// wardenScript sends the signal that it is given to a process and answers with the exit code, or for -1 to all that it may
// signal, and answers with those that there were, ended ones too. When its input ends, as it also does with this process, it
// kills all.
const wardenScript = `exec 2>/dev/null
while read -r signal id; do
	kill "-$signal" "$id"
	code=$?
	if [ "$id" = -1 ]; then
		code=
		for at in /proc/[0-9]*; do
			at=${at#/proc/}
			if [ "$at" != $$ ] && kill "-$signal" "$at"; then code="$code $at"; fi
		done
	fi
	echo "$code"
done
kill -9 -1
kill -9 -1`

// warden is a process that kills those behind a wall. The kernel lets it signal no one else.
type warden struct {
	cmd  *exec.Cmd
	turn sync.Mutex // of those who ask and wait for the answer
	in   io.WriteCloser
	out  *bufio.Reader
}

// newWarden puts the calling thread behind a fence and starts a warden there. Without the fence, what a warden kills would
// be every process of this user.
func newWarden() (*warden, error) {
	// Without the fence, the warden would kill every process of this user.
	if err := scopeThread(); err != nil {
		return nil, err
	}
	w := &warden{cmd: exec.Command("/bin/sh", "-c", wardenScript)}
	// Its environment is empty: nothing may change how the shell behaves.
	w.cmd.Dir, w.cmd.Env = "/", []string{}
	// What a terminal sends to our group when its user presses Ctrl-C would end it too early.
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s, which ends what is behind the wall: %w", w.cmd.Path, err)
	}
	return w, nil
}

// signal sends a signal to a process, and reports whether it is one behind the wall. The signal 0 changes nothing.
func (w *warden) signal(number syscall.Signal, id int) (bool, error) {
	answer, err := w.ask(number, id)
	return answer == "0\n", err
}

// ask has the script send a signal, and returns its answer.
func (w *warden) ask(number syscall.Signal, id int) (string, error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	if _, err := fmt.Fprintln(w.in, int(number), id); err != nil {
		return "", err
	}
	return w.out.ReadString('\n')
}

// killLimit is how long a process may take to end that was killed: it may be writing to a slow disk.
const killLimit = 5 * time.Second

// end kills all behind the wall and waits until they are gone.
func (w *warden) end() error {
	left, err := w.killAll()
	// This is sooner than it would end by itself, which a thread behind the wall may delay.
	_ = w.cmd.Process.Kill()
	closed := w.in.Close()
	// It was killed.
	_ = w.cmd.Wait()
	if err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("end what is behind the sandbox: %w", err)
	}
	if len(left) > 0 {
		return fmt.Errorf("processes behind the sandbox do not end: %s", strings.Trim(fmt.Sprint(left), "[]"))
	}
	return nil
}

// killAll kills until nothing is left but processes that have ended without anyone having waited for them. The kernel
// lets no process escape by a fork meanwhile. It returns those that live on after killLimit.
func (w *warden) killAll() (left []int, err error) {
	for pause, began := time.Millisecond, time.Now(); ; pause = min(2*pause, 50*time.Millisecond) {
		answer, err := w.ask(syscall.SIGKILL, -1)
		if err != nil {
			return nil, err
		}
		left = left[:0]
		for _, field := range strings.Fields(answer) {
			// What has ended and waits for its parent cannot be killed any more and does no harm.
			if id, err := strconv.Atoi(field); err == nil && !hasEnded(id) {
				left = append(left, id)
			}
		}
		// The kernel lets no process escape by a fork meanwhile, so one empty answer is enough.
		if len(left) == 0 || time.Since(began) > killLimit {
			return left, nil
		}
		time.Sleep(pause)
	}
}

// hasEnded reports whether a process is gone or only waits for its parent.
func hasEnded(id int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return true
	}
	state := strings.TrimSpace(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}
