package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// project is a repository with specs, and the programs that are run in it.
type project struct {
	b     testing.TB
	dir   string
	chant string
	ids   []string // of the specs
	edits int      // how often all files were rewritten
}

// sample is what one run took.
type sample struct {
	wall   time.Duration
	memory int64 // at most, in bytes; 0 if unknown
}

// newProject creates a repository with that many specs and further files, and commits them.
func newProject(b testing.TB, chant string, specs, files int) *project {
	b.Helper()
	p := &project{b: b, dir: b.TempDir(), chant: chant}
	p.git("init", "-q", "-b", "main")
	for _, setting := range []string{"gc.auto", "maintenance.auto"} {
		p.git("config", setting, "0")
	}
	p.git("commit", "-q", "--allow-empty", "-m", "begin")
	p.run(chant, "init", "--quiet", "--provider", "shell")
	p.writeSpecs(specs)
	for n := range files {
		p.write(fmt.Sprintf("src/%03d/file%05d.txt", n/100, n), fmt.Sprintf("This is file %d.\n", n))
	}
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "specs")
	return p
}

func specPath(id string) string { return ".chant/specs/" + id + ".md" }

// writeSpecs writes that many specs, each time with another last line. It keeps their ids only: on Linux, the memory
// of a process is at least that of the process which started it, this one.
func (p *project) writeSpecs(count int) {
	p.b.Helper()
	p.ids = p.ids[:0]
	for s := range generate(count) {
		p.ids = append(p.ids, s.id)
		p.write(specPath(s.id), fmt.Sprintf("%s\n<!-- %d -->\n", s.text, p.edits))
	}
	p.edits++
}

func (p *project) write(name, text string) {
	p.b.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		p.b.Fatal(err)
	}
}

// command prepares a program, without the settings of git that the person has who measures.
func (p *project) command(program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(p.b.Context(), program, args...)
	cmd.Dir = p.dir
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "GIT_") && !strings.HasPrefix(entry, "CHANT_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+p.dir, "XDG_CACHE_HOME="+filepath.Join(p.dir, ".git", "cache"), "NO_COLOR=1", "EDITOR=true", "VISUAL=true",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
	if index, set := os.LookupEnv("CHANT_INDEX"); set {
		cmd.Env = append(cmd.Env, "CHANT_INDEX="+index)
	}
	return cmd
}

// run measures a program from its start to its end. Its output goes nowhere.
func (p *project) run(program string, args ...string) sample {
	p.b.Helper()
	cmd := p.command(program, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		p.b.Fatalf("%s %q: %v\n%s", filepath.Base(program), args, err, &stderr)
	}
	return sample{wall, peakMemory(cmd.ProcessState)}
}

// git measures commands of git.
func (p *project) git(args ...string) sample {
	p.b.Helper()
	return p.run("git", args...)
}

// output returns what a command of git prints.
func (p *project) output(args ...string) string {
	p.b.Helper()
	out, err := p.command("git", args...).Output()
	if err != nil {
		p.b.Fatalf("git %q: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}
