package e2e

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// ordinaryUID is of a user that need not exist: root may do everything, and hides what users may not.
const ordinaryUID = 54321

// haveOrdinaryUser reports whether asuser can run programs as an ordinary user, and says why not.
func haveOrdinaryUser(t *testing.T) bool {
	if os.Geteuid() > 0 {
		return true
	}
	if os.Geteuid() < 0 {
		t.Log("skipped: this system has no users of that kind")
		return false
	}
	out, err := exec.Command("setpriv", ordinary("test", "-x", outerTemp())...).CombinedOutput()
	if err != nil {
		t.Logf("skipped: as root, setpriv must run programs as user %d, who must reach %s: %v: %s", ordinaryUID, outerTemp(), err, out)
	}
	return err == nil
}

// outerTemp is the folder for temporary files in which the tests make theirs.
func outerTemp() string {
	dir := os.TempDir()
	if strings.HasPrefix(filepath.Base(dir), scratchPrefix) {
		return filepath.Dir(dir)
	}
	return dir
}

// ordinary are the arguments with which setpriv runs a program as an ordinary user.
func ordinary(args ...string) []string {
	uid := strconv.Itoa(ordinaryUID)
	return append([]string{"--reuid", uid, "--regid", uid, "--clear-groups", "--bounding-set", "-all", "--"}, args...)
}

// asUser is exec as an ordinary user, to whom the folder of the script belongs from the first call on. Files that the
// script made itself belong to that user only if they were there then.
func asUser(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: asuser PROGRAM ARGS...")
	}
	program, args := args[0], args[1:]
	if os.Geteuid() == 0 {
		handOver(ts)
		program, args = "setpriv", ordinary(append([]string{program}, args...)...)
	}
	err := ts.Exec(program, args...)
	switch {
	case err != nil && !neg:
		ts.Fatalf("unexpected failure: %v", err)
	case err == nil && neg:
		ts.Fatalf("unexpected success")
	}
}

// handOver gives the folder of a script to the ordinary user, with a copy of chant, and lets the user reach it.
func handOver(ts *testscript.TestScript) {
	top := ts.MkAbs(ts.Getenv("WORK"))
	bin := filepath.Join(top, ".ordinary")
	if _, err := os.Stat(bin); err == nil {
		return
	}
	ts.Check(os.Mkdir(bin, 0o755))
	program, err := os.ReadFile(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], "chant"))
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(bin, "chant"), program, 0o755))
	ts.Setenv("PATH", bin+string(filepath.ListSeparator)+ts.Getenv("PATH"))
	for above := filepath.Dir(top); above != outerTemp() && above != filepath.Dir(above); above = filepath.Dir(above) {
		ts.Check(os.Chmod(above, 0o711))
	}
	ts.Check(filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, ordinaryUID, ordinaryUID))
	}))
}
