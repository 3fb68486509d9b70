package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/store/config"
	"chant/engine/verify/gate"
)

// read returns a file below a folder, "" if there is none.
func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// write writes a file below a folder.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestInit_verify writes commands into new settings and into those that exist, where everything else stays.
func TestInit_verify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	o := enginetest.Options()
	if _, err := Init(t.Context(), dir, o, InitInput{Provider: "shell", NoTry: true, Verify: []string{" go test ./... ", "make", "make"}}); err != nil {
		t.Fatal(err)
	}
	commands := func() (out []string) {
		c, err := config.ReadConfig(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range c.Verify.Commands {
			out = append(out, command.Run)
		}
		return out
	}
	if got := commands(); !slices.Equal(got, []string{"go test ./...", "make"}) {
		t.Errorf("%q", got)
	}
	write(t, dir, ".chant/config.md", "---\nverify: {retries: 2, defaults: [a]}\n---\nprose\n")
	if r, err := Init(t.Context(), dir, o, InitInput{NoTry: true, Verify: []string{"b", "c"}}); err != nil || !slices.Contains(r.Changed, ".chant/config.md") {
		t.Errorf("%+v, %v", r, err)
	}
	if got := read(t, dir, ".chant/config.md"); got != "---\nverify: {retries: 2, defaults: [b, c]}\n---\nprose\n" {
		t.Errorf("%s", got)
	}
	write(t, dir, ".chant/config.md", "---\nverify: go test\n---\n")
	if _, err := Init(t.Context(), dir, o, InitInput{Verify: []string{"b"}}); enginetest.CodeOf(t, err) != engine.Invalid || !strings.Contains(err.Error(), "config.md:2: verify is not a mapping") {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{"", "  ", "a\nb"} {
		if _, err := Init(t.Context(), dir, o, InitInput{Verify: []string{bad}}); enginetest.CodeOf(t, err) != engine.Usage {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestMergeRules(t *testing.T) {
	t.Parallel()
	ours := []byte("/a/\n/b/\n")
	for name, c := range map[string]struct{ have, want string }{
		"no file":          {"", "# Local state of chant\n/a/\n/b/\n"},
		"others":           {"x\n", "x\n\n# Local state of chant\n/a/\n/b/\n"},
		"no line end":      {"x", "x\n\n# Local state of chant\n/a/\n/b/\n"},
		"one is there":     {"/a/\n", "/a/\n\n# Local state of chant\n/b/\n"},
		"all are there":    {"/b/\n /a/ \n", "/b/\n /a/ \n"},
		"Windows' ends":    {"x\r\n/b/\r\n", "x\r\n/b/\r\n\r\n# Local state of chant\r\n/a/\r\n"},
		"a part of a name": {"/a/b\n", "/a/b\n\n# Local state of chant\n/a/\n/b/\n"},
	} {
		got, err := mergeRules(".gitignore", []byte(c.have), ours)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
		if again, err := mergeRules(".gitignore", got, ours); err != nil || string(again) != string(got) {
			t.Errorf("%s, again: %q, %v", name, again, err)
		}
	}
}

// TestInit_parts makes a CI job, rules and hooks, and nothing a second time.
func TestInit_parts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	write(t, dir, ".gitlab-ci.yml", "stages: [test]\n")
	o := enginetest.Options()
	var warned []string
	o.Progress = func(e engine.Event) { warned = append(warned, e.Text) }
	in := InitInput{Provider: "shell", GitIgnore: true, Hooks: true, CI: "gitlab"}
	r, err := Init(t.Context(), dir, o, in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".gitignore", ".gitlab/chant.yml", ".git/hooks/pre-push"} {
		if !slices.Contains(r.Made, want) {
			t.Errorf("%s is not among %q", want, r.Made)
		}
	}
	if !slices.Contains(r.Left, ".gitlab-ci.yml") || read(t, dir, ".gitlab-ci.yml") != "stages: [test]\n" {
		t.Errorf("the file of a person: left %q", r.Left)
	}
	for _, want := range []string{".gitlab-ci.yml: add .gitlab/chant.yml to the list include", "CHANT_SOURCE"} {
		if !slices.ContainsFunc(warned, func(text string) bool { return strings.Contains(text, want) }) {
			t.Errorf("%q is not among the warnings %q", want, warned)
		}
	}
	status, err := gate.HooksStatus(t.Context(), dir, o, gate.HooksInput{})
	if err != nil || slices.ContainsFunc(status.Hooks, func(h gate.HookView) bool { return h.State != gate.HookActive }) {
		t.Errorf("%+v, %v", status, err)
	}
	again, err := Init(t.Context(), dir, o, in)
	if err != nil || len(again.Made) > 0 || len(again.Changed) > 0 || again.Commit != "" {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// TestInit_partsRefused changes nothing where a part cannot be made.
func TestInit_partsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in      InitInput
		prepare func(dir string)
		code    engine.Code
		words   string
	}{
		"an unknown system": {in: InitInput{CI: "jenkins"}, code: engine.Usage, words: `unknown CI system "jenkins" (one of github, gitlab)`},
		"a job for nothing": {in: InitInput{CI: "github", Silent: true}, code: engine.Usage, words: "git ignores the specs here"},
		"hooks of others": {in: InitInput{Hooks: true}, code: engine.State, words: "outside of this repository", prepare: func(dir string) {
			enginetest.Git(t, dir, "config", "core.hooksPath", filepath.Join(filepath.Dir(dir), "hooks"))
		}},
	} {
		dir := filepath.Join(t.TempDir(), "repo")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		enginetest.Repository(t, dir)
		if c.prepare != nil {
			c.prepare(dir)
		}
		c.in.Provider = "shell"
		if _, err := Init(t.Context(), dir, enginetest.Options(), c.in); enginetest.CodeOf(t, err) != c.code || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
		if engine.Exists(filepath.Join(dir, ".chant")) || engine.Exists(filepath.Join(dir, ".github")) {
			t.Errorf("%s: something was made", name)
		}
	}
}

// TestInit_try runs what every spec must pass, and leaves a project also if that is stopped or git ignores .chant.
func TestInit_try(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in     InitInput
		stop   bool // as soon as the commands are tried
		tried  int
		warned string
	}{
		"passes":  {InitInput{Provider: "shell", Verify: []string{"test -e kept.txt", "exit 3"}}, false, 2, ""},
		"silent":  {InitInput{Provider: "shell", Silent: true, Verify: []string{"test -e kept.txt"}}, false, 1, ""},
		"stopped": {InitInput{Provider: "shell", Verify: []string{"sleep 600"}}, true, 0, "were not tried to the end: stopped"},
		"not now": {InitInput{Provider: "shell", NoTry: true, Verify: []string{"exit 3"}}, false, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			enginetest.Repository(t, dir)
			enginetest.Commit(t, dir, map[string]string{"kept.txt": "x\n"})
			write(t, dir, "left.txt", "not committed\n")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			o := enginetest.Options()
			o.Environ = append(o.Environ, "XDG_CACHE_HOME="+t.TempDir())
			var warned []string
			o.Progress = func(e engine.Event) {
				if warned = append(warned, e.Text); tc.stop && strings.HasPrefix(e.Text, "trying ") {
					cancel()
				}
			}
			r, err := Init(ctx, dir, o, tc.in)
			if err != nil || len(r.Tried) != tc.tried || read(t, dir, ".chant/config.md") == "" {
				t.Fatalf("%+v, %v", r, err)
			}
			for i, got := range r.Tried {
				if want := tc.in.Verify[i] != "exit 3"; got.Passed != want {
					t.Errorf("%+v, want passed %t", got, want)
				}
			}
			if all := strings.Join(warned, "\n"); !strings.Contains(all, tc.warned) {
				t.Errorf("warned %q, want %q", all, tc.warned)
			}
		})
	}
}
