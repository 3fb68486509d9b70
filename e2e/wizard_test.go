package e2e

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// beforeInit is a repository that is not a project yet, and a terminal in which chant asks about it.
type beforeInit struct {
	*project
	tmux string
	b    *board // nil before asks
}

// asks runs chant in a terminal.
func (a *beforeInit) asks(words string) {
	a.t.Helper()
	a.b = terminal(a.t, a.tmux).starts(a.project, 80, 24, words)
}

// newBeforeInit makes a repository with files in a folder of its own, in which claude is the only agent. Its name has a space,
// and is the same each time, since a project is named after it.
func newBeforeInit(t *testing.T, files map[string]string) *beforeInit {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: questions are not asked in a terminal")
	}
	top := t.TempDir()
	p := &project{t: t, dir: filepath.Join(top, "a repo"), program: chantBinary(t)}
	p.env = append(append(os.Environ(), environment(top)...), "PATH="+strings.Join([]string{filepath.Join(top, "bin"), filepath.Dir(p.program), "/usr/bin", "/bin"}, string(filepath.ListSeparator)))
	for _, dir := range []string{p.dir, filepath.Join(top, "bin")} {
		assert.NoError(t, os.MkdirAll(dir, 0o755))
	}
	assert.NoError(t, os.WriteFile(filepath.Join(top, "bin", "claude"), []byte("#!/bin/sh\n"), 0o755))
	p.git("init", "-q", "-b", "main")
	for name, text := range files {
		p.write(name, text)
	}
	if len(files) > 0 {
		p.git("add", ".")
		p.git("commit", "-q", "-m", "begin")
	}
	return &beforeInit{project: p, tmux: tmux}
}

// same is the command that chant printed, with lines that the terminal has broken joined again.
func (a *beforeInit) same() string {
	a.t.Helper()
	const before = "the same without questions: "
	for line := range strings.Lines(a.b.tmux("capture-pane", "-p", "-J", "-S", "-")) {
		if _, command, found := strings.Cut(line, before); found {
			return strings.TrimSpace(command)
		}
	}
	a.t.Fatalf("no command was printed:\n%s", a.b.screen())
	return ""
}

// everything lists all files with their content, except those that git itself writes and that differ each time.
func (a *beforeInit) everything() string {
	a.t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(a.dir, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(a.dir, path)
		name = filepath.ToSlash(name)
		for _, own := range []string{".git/objects", ".git/logs", ".git/index", ".git/refs", ".git/COMMIT_EDITMSG", ".git/chant/index.db", ".git/chant/locks", ".git/chant/runs", ".git/chant-hooks.lock"} {
			if name == own && e.IsDir() {
				return filepath.SkipDir
			} else if name == own {
				return nil
			}
		}
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out.WriteString(name + "\n" + strings.ReplaceAll(string(text), filepath.Dir(a.dir), "TOP") + "\n")
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return out.String()
}

// TestWizard_init asks how a project is set up. The command that it prints makes the same files, byte for byte, in a
// repository like this one.
func TestWizard_init(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		keys  [][]string // after each of the pages; the texts are those of the next page
		want  string
	}{
		"what is proposed": {
			files: map[string]string{"go.mod": "module x\n"},
			keys: [][]string{
				{"Agent that works the specs", "Enter"}, {"┃ Model", "Enter"}, {"go vet ./...", "Enter"}, {"┃ Other commands", "Enter"}, {"in your own sessions", "Enter"},
				{"Also set up", "Enter"}, {"┃ Also set up", "Enter"}, {"CI job", "Enter"}, {"Set up chant in", "Enter"},
			},
			want: `chant init --provider claude --verify "go test ./..."`,
		},
		"everything": {
			files: map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, ".github/workflows/test.yml": "on: push\n", ".gitignore": "node_modules\n"},
			keys: [][]string{
				{"Agent that works the specs", "Enter"}, {"┃ Model", "opus", "Enter"}, {"npm run test", "Enter"}, {"┃ Other commands", "test -e package.json", "Enter"},
				{"in your own sessions", "Space", "Enter"}, {"Also set up", "Enter"}, {"┃ Also set up", "Space", "Down", "Space", "Enter"}, {"> GitHub Actions", "Enter"},
				{"Set up chant in", "Enter"},
			},
			want: `chant init --provider claude --model opus --verify "npm run test" --verify "test -e package.json" --agent claude --gitignore --hooks --ci github`,
		},
		"specs of this machine, in an empty repository": {
			keys: [][]string{
				{"Agent that works the specs", "Enter"}, {"┃ Model", "Enter"}, {"Other commands", "Enter"}, {"in your own sessions", "Enter"},
				{"Also set up", "Down", "Enter"}, {"┃ Also set up", "Enter"}, {"Set up chant in", "y"},
			},
			want: "chant init --provider claude --silent",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newBeforeInit(t, c.files)
			a.asks("init")
			for _, page := range c.keys {
				a.b.await(page[0])
				a.b.keys(page[1:]...)
			}
			a.b.await("exit 0")
			command := a.same()
			assert.Equal(t, c.want, command)
			other := newBeforeInit(t, c.files)
			r := execute(t, other.dir, other.env, "sh", "-c", command)
			assert.Equal(t, 0, r.code, "%s: exit %s", command, r.stderr)
			ours, theirs := a.everything(), other.everything()
			assert.Equal(t, theirs, ours, "the questions made")
			got, want := a.git("rev-parse", "HEAD^{tree}"), other.git("rev-parse", "HEAD^{tree}")
			assert.Equal(t, want, got, "the commits differ")
			assert.Equal(t, "", a.git("status", "--porcelain"))
		})
	}
}

// TestWizard_left: whoever leaves at any page changes nothing, in a repository that has no commit yet.
func TestWizard_left(t *testing.T) {
	t.Parallel()
	pages := []string{"┃ Agent that works the specs", "┃ Model", "┃ Other commands", "┃ Agents that also", "┃ Specs", "┃ Also set up", "┃ CI job", "┃ Set up chant in"}
	for _, key := range []string{"Escape", "C-c"} {
		for last := range pages {
			if key == "C-c" && last%3 != 0 {
				continue // both are the same to a form
			}
			t.Run(key+" at "+pages[last], func(t *testing.T) {
				t.Parallel()
				a := newBeforeInit(t, nil)
				before := a.everything()
				a.asks("init")
				for i, page := range pages[:last+1] {
					a.b.await(page)
					if i < last {
						a.b.keys("Enter")
					}
				}
				a.b.keys(key)
				a.b.await("exit 130")
				a.b.await("left without an answer; nothing was done")
				assert.Equal(t, before, a.everything(), "the repository was")
			})
		}
	}
}

// TestWizard_notAsked: with --yes, with a flag, in a project, and without a terminal, nothing is asked.
func TestWizard_notAsked(t *testing.T) {
	t.Parallel()
	a := newBeforeInit(t, nil)
	a.asks("init --yes && '" + a.program + "' init")
	a.b.await("exit 0")
	screen := a.b.screen()
	assert.NotContains(t, screen, "Agent that works", "the screen shows")
	assert.Equal(t, 2, strings.Count(screen, "chant is ready in"), "the screen shows")
	other := newBeforeInit(t, nil)
	r := execute(t, other.dir, other.env, other.program, "init")
	assert.Equal(t, 0, r.code, "exit %s", r.stderr)
	ours, theirs := a.everything(), other.everything()
	assert.Equal(t, theirs, ours)
}

// TestWizard_export asks what is exported. The command that it prints writes the same file.
func TestWizard_export(t *testing.T) {
	t.Parallel()
	a := newBeforeInit(t, map[string]string{"go.mod": "module x\n"})
	a.chant("init", "--provider", "shell")
	a.addFile("2026-01-02-001-abc", "---\nstatus: completed\nlabels: [api]\n---\n# Sort, fast\n")
	a.addFile("2026-01-02-002-abc", "---\nstatus: pending\nlabels: [core]\n---\n# Parse\n")
	a.asks("export")
	for _, page := range [][]string{
		{"Format", "Down", "Enter"}, {"Only specs that are", "Enter"}, {"┃ > • api", "Space", "Enter"}, {"From this day on", "2026-01-02", "Enter"}, {"┃ Until", "Enter"}, {"┃ Archived", "Enter"},
		{"Fields", "Enter"}, {"File to write", "out dir.csv"}, {"a new file", "Enter"},
	} {
		a.b.await(page[0])
		a.b.keys(page[1:]...)
	}
	a.b.await("Wrote 1 spec to out dir.csv")
	a.b.await("exit 0")
	const want = "id,type,status,title,labels,model,completed_at,verification_status\n2026-01-02-001-abc,code,completed,\"Sort, fast\",api,,,nothing to verify\n"
	assert.Equal(t, want, a.read("out dir.csv"))
	command := a.same()
	assert.Equal(t, `chant export --format csv --label api --from 2026-01-02 --output "out dir.csv"`, command)
	assert.NoError(t, os.Remove(filepath.Join(a.dir, "out dir.csv")))
	if r := execute(t, a.dir, a.env, "sh", "-c", command); r.code != 0 || a.read("out dir.csv") != want {
		t.Errorf("%s: exit %d, %q\n%s", command, r.code, a.read("out dir.csv"), r.stderr)
	}
	r := execute(t, a.dir, a.env, a.program, "export")
	assert.Contains(t, r.out, `"id": "2026-01-02-001-abc"`, "without a terminal")
	assert.Equal(t, "", r.stderr, "without a terminal")
}
