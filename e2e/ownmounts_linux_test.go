package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ownMounts is set in a process whose mounts are its own.
const ownMounts = "CHANT_E2E_OWN_MOUNTS"

// inOwnMounts runs the test again in a process that can mount what it likes: nobody else sees it, and it is gone when the
// process ends. It reports whether this is that process. A system that does not allow it skips the test.
func inOwnMounts(t *testing.T) bool {
	t.Helper()
	if os.Getenv(ownMounts) != "" {
		if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
			t.Skipf("mounts cannot be made private here: %v", err)
		}
		probe := t.TempDir()
		if err := syscall.Mount("none", probe, "tmpfs", 0, "size=4k"); err != nil {
			t.Skipf("a file system cannot be mounted here: %v", err)
		}
		if err := syscall.Unmount(probe, 0); err != nil {
			t.Fatal(err)
		}
		return true
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-test.run=^" + t.Name() + "$", "-test.v"}
	if deadline, ok := t.Deadline(); ok {
		args = append(args, "-test.timeout="+time.Until(deadline).String())
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), ownMounts+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skipf("a process cannot have mounts of its own here: %v", err)
	}
	if why := skipped.FindStringSubmatch(string(out)); why != nil {
		t.Skip(why[1])
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("with mounts of its own: %v\n%s", err, out)
	}
	return false
}

// skipped matches the reason for which the test itself is skipped.
var skipped = regexp.MustCompile(`(?m)^    \S+_test\.go:\d+: (.*)\n--- SKIP`)

// mountSmall mounts a small file system in memory on a folder, for this test.
func mountSmall(t *testing.T, dir, size string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}
