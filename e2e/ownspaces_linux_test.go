package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// ownSpaces is set in a process that has namespaces of its own; its value names them.
const ownSpaces = "CHANT_E2E_OWN_SPACES"

// space is a set of namespaces.
type space struct {
	name  string
	flags uintptr
	ready func(t *testing.T) (why string) // prepares them; why is what the system does not allow, "" if nothing
}

// inOwnMounts runs the test again in a process that can mount what it likes: no one else sees it, and it is gone when the
// process ends. It reports whether this is that process. A system that does not allow it skips the test.
func inOwnMounts(t *testing.T) bool {
	t.Helper()
	return inOwn(t, space{"mounts", syscall.CLONE_NEWNS, privateMounts})
}

// inOwnNetwork is inOwnMounts with a network in which the process can make hosts, and with process numbers of its own:
// whatever the test has started ends with it.
func inOwnNetwork(t *testing.T) bool {
	t.Helper()
	return inOwn(t, space{"network", syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID, func(t *testing.T) string {
		if why := privateMounts(t); why != "" {
			return why
		}
		for dir, kind := range map[string]string{"/proc": "proc", "/run": "tmpfs"} { // ip keeps the names of hosts in /run
			if err := syscall.Mount("none", dir, kind, 0, ""); err != nil {
				return "a " + kind + " of its own cannot be mounted: " + err.Error()
			}
		}
		if _, err := exec.LookPath("ip"); err != nil {
			return "the command ip is missing"
		}
		if out, err := exec.CommandContext(t.Context(), "ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
			return "ip link: " + string(out)
		}
		return ""
	}})
}

// privateMounts keeps the mounts of this process from others, and tries one.
func privateMounts(t *testing.T) (why string) {
	t.Helper()
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return "mounts cannot be made private: " + err.Error()
	}
	probe := t.TempDir()
	if err := syscall.Mount("none", probe, "tmpfs", 0, "size=4k"); err != nil {
		return "a file system cannot be mounted: " + err.Error()
	}
	assert.NoError(t, syscall.Unmount(probe, 0))
	return ""
}

func inOwn(t *testing.T, s space) bool {
	t.Helper()
	if os.Getenv(ownSpaces) == s.name {
		if why := s.ready(t); why != "" {
			t.Skip("not allowed here: " + strings.TrimSpace(why))
		}
		return true
	}
	out, started, err := runInSpace(t, s, syscall.CLONE_NEWUSER)
	if !started && os.Getuid() == 0 { // a container may allow root the rest
		out, started, err = runInSpace(t, s, 0)
	}
	switch why := skipped.FindStringSubmatch(out); {
	case !started:
		t.Skipf("a process cannot have %s of its own here: %v", s.name, err)
	case why != nil:
		t.Skip(why[1])
	case err != nil || !strings.Contains(out, "--- PASS: "+t.Name()):
		t.Errorf("with %s of its own: %v\n%s", s.name, err, out)
	case testing.Verbose():
		t.Log(out)
	}
	return false
}

// runInSpace runs this test alone in a process with namespaces of its own, and returns what it prints.
func runInSpace(t *testing.T, s space, more uintptr) (out string, started bool, err error) {
	t.Helper()
	self, err := os.Executable()
	assert.NoError(t, err)
	args := []string{"-test.run=^" + t.Name() + "$", "-test.v"}
	if deadline, ok := t.Deadline(); ok {
		args = append(args, "-test.timeout="+time.Until(deadline).String())
	}
	var text bytes.Buffer
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), ownSpaces+"="+s.name), &text, &text
	cmd.WaitDelay = 10 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: s.flags | more, Pdeathsig: syscall.SIGKILL}
	if more&syscall.CLONE_NEWUSER != 0 {
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	runtime.LockOSThread() // the process is to die with this one, not with a thread of it
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return "", false, err
	}
	err = cmd.Wait()
	return text.String(), true, err
}

// skipped matches the reason for which the test itself is skipped.
var skipped = regexp.MustCompile(`(?m)^    \S+_test\.go:\d+: (.*)\n--- SKIP`)

// mountSmall mounts a small file system in memory on a folder, for this test.
func mountSmall(t *testing.T, dir, size string) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(dir, 0o755))
	assert.NoError(t, syscall.Mount("none", dir, "tmpfs", 0, "size="+size))
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
}
