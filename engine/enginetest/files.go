package enginetest

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Git runs git in a folder and returns its output, trimmed.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return GitWith(t, dir, nil, args...)
}

// GitWith is Git with variables added to the environment.
func GitWith(t testing.TB, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Read returns the text of a file below a folder.
func Read(t testing.TB, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Commit writes files and commits them.
func Commit(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		Write(t, dir, name, text)
	}
	if len(files) > 0 { // in one process: some tests have thousands of files
		Git(t, dir, append([]string{"add", "-f", "--"}, slices.Sorted(maps.Keys(files))...)...)
	}
	Git(t, dir, "commit", "-q", "-m", "files")
}

// Snapshot returns the files of a folder except those of git.
func Snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			files[path] = Read(t, filepath.Dir(path), d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// ShellSpec is the text of a spec with a script.
func ShellSpec(front, script string) string {
	return "---\nstatus: pending\n" + front + "---\n# A spec\n\n## Script\n\n```sh\n" + script + "\n```\n"
}

// CommitAll commits everything in a folder.
func CommitAll(t testing.TB, dir string) {
	t.Helper()
	Git(t, dir, "add", ".")
	Git(t, dir, "commit", "-q", "-m", "all")
}

// TryGit runs git in a folder and returns its error.
func TryGit(t testing.TB, dir string, args ...string) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	return cmd.Run()
}
