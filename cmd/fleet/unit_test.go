package fleet

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// golden compares a text with a file, or writes it with UPDATE=1.
func golden(t *testing.T, file, got string, err error) {
	t.Helper()
	assert.NoError(t, err)
	path := filepath.Join("testdata", file)
	if os.Getenv("UPDATE") != "" {
		assert.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	assert.NoError(t, err, "%s differs", path)
	assert.Equal(t, string(want), got, "%s differs", path)
}

func joining() unitOptions {
	return unitOptions{
		Executable: "/usr/local/bin/chant", Folder: "/srv/app", User: "chant-worker", Path: "/home/chant-worker/.local/bin:/usr/bin:/bin",
		Args: []string{"fleet", "join", "tls://queue.example.com:4222", "--slots", "4", "--label", "gpu,linux"},
	}
}

// odd are options with characters that mean something to systemd.
func odd() unitOptions {
	return unitOptions{Executable: "/opt/my tools/chant", Folder: "/srv/100% app", Args: []string{"fleet", "join", "$HOME", `a "b" \c`, "50%", "", "'x'", "a;b"}}
}

// TestSystemd: the texts are those of the golden files.
func TestSystemd(t *testing.T) {
	t.Parallel()
	got, err := systemdUnit(joining())
	golden(t, "system.service", got, err)
	got, err = systemdUnit(odd())
	golden(t, "user.service", got, err)
}

// TestSystemd_verify: systemd has nothing to say about the units.
func TestSystemd_verify(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	self, err := os.Executable()
	assert.NoError(t, err)
	for name, o := range map[string]unitOptions{"system": joining(), "user": odd()} {
		o.Executable = self
		text, err := systemdUnit(o)
		assert.NoError(t, err)
		file := filepath.Join(t.TempDir(), name+".service")
		assert.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		out, err := exec.Command(program, "verify", "--man=no", "--recursive-errors=no", file).CombinedOutput()
		assert.NoError(t, err, "%s: %s %s", name, out, text)
		assert.NotContains(t, string(out), name+".service:", "%s: %s %s", name, out, text)
	}
}

// TestContainerfile: the text is that of the golden file.
func TestContainerfile(t *testing.T) {
	t.Parallel()
	o := joining()
	o.Executable, o.Folder, o.User, o.Path = "bin/chant", "/home/chant/clone", "", "/opt/a b/$x:/usr/bin"
	o.Args = append(o.Args, `"quoted" <&>`)
	got, err := containerfile(o)
	golden(t, "Containerfile", got, err)
}

// TestOptions_refused: what would become another line, setting or user is refused.
func TestOptions_refused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*unitOptions){
		"a line in an argument":    func(o *unitOptions) { o.Args = []string{"a\nExecStartPre=/bin/rm"} },
		"a line in the folder":     func(o *unitOptions) { o.Folder = "/srv\nUser=root" },
		"a line in the path":       func(o *unitOptions) { o.Path = "/bin\n" },
		"a folder that goes on":    func(o *unitOptions) { o.Folder = `/srv\` },
		"a folder with an end":     func(o *unitOptions) { o.Folder = "/srv " },
		"a byte that is no text":   func(o *unitOptions) { o.Args = []string{"\xff"} },
		"no program":               func(o *unitOptions) { o.Executable = "" },
		"no folder":                func(o *unitOptions) { o.Folder = "" },
		"a relative folder":        func(o *unitOptions) { o.Folder = "app" },
		"a user with a space":      func(o *unitOptions) { o.User = "a b" },
		"a user that is a number":  func(o *unitOptions) { o.User = "0" },
		"a user like a flag":       func(o *unitOptions) { o.User = "-x" },
		"the user with all rights": func(o *unitOptions) { o.User = "root" },
	} {
		o := joining()
		change(&o)
		got, err := systemdUnit(o)
		assert.Error(t, err, "%s: %s", name, got)
		if o.Executable != "" {
			o.Executable = "chant"
		}
		got, err = containerfile(o)
		assert.Error(t, err, "%s: %s", name, got)
	}
	for _, o := range []unitOptions{{Executable: "chant", Folder: "/a"}, {Executable: "/a/chant", Folder: "a"}, {Executable: "/$a/chant", Folder: "/a"}} {
		got, err := systemdUnit(o)
		assert.Error(t, err, "%+v: %s", o, got)
	}
	for _, o := range []unitOptions{{Executable: "/chant", Folder: "/a"}, {Executable: "chant", Folder: "/"}, {Executable: "chant", Folder: "/a b"}, {Executable: "$x", Folder: "/a"}, {Executable: "--from=x", Folder: "/a"}} {
		got, err := containerfile(o)
		assert.Error(t, err, "%+v: %s", o, got)
	}
}
