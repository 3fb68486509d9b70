package prove

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chant/engine/code/mutant"
	"chant/engine/code/weakened"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/run"

	"github.com/alecthomas/assert/v2"
	"github.com/rogpeppe/go-internal/txtar"
)

// fixture is a change of a small project: one that plants a weakness, or an honest one.
type fixture struct {
	kind         string
	before, now  map[string]string
	commands     []string // of the criteria
	missed       string   // why chant does not find it, "" if it does
	base, worked string   // folders with both versions
}

// readFixtures reads the changes of a project. The files of the project are in "base", those of a change in "KIND/weak" or
// "KIND/honest", where a name with a "+" adds to a file; "criteria" has a command in each line, and "missed" says why chant does not
// find a weakness.
func readFixtures(t *testing.T, name string) (all map[string]*fixture, rules string) {
	t.Helper()
	ar, err := txtar.ParseFile(name)
	assert.NoError(t, err)
	base := map[string]string{}
	all = map[string]*fixture{}
	for _, f := range ar.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		text := string(f.Data)
		if f.Name == "run.sed" {
			rules = text
			continue
		}
		if parts[0] == "base" {
			base[strings.TrimPrefix(f.Name, "base/")] = text
			continue
		}
		key := parts[0] + "-" + parts[1]
		if all[key] == nil {
			kind, _, _ := strings.Cut(parts[0], "-")
			all[key] = &fixture{kind: kind, before: base, now: map[string]string{}}
		}
		c := all[key]
		switch parts[2] {
		case "criteria":
			c.commands = strings.Split(strings.TrimSpace(text), "\n")
			continue
		case "missed":
			c.missed = strings.TrimSpace(text)
			continue
		}
		file, more := strings.CutSuffix(parts[2], "+")
		if more {
			text = base[file] + text
		}
		c.now[file] = text
	}
	return all, rules
}

// write writes both versions, and returns their files by the path in a repository that has all changes.
func (c *fixture) write(t *testing.T, key, dir, runner, rules string) (before, now map[string]string) {
	t.Helper()
	c.base, c.worked = filepath.Join(dir, key, "base"), filepath.Join(dir, key, "worked")
	before, now = map[string]string{}, map[string]string{}
	for _, at := range []string{c.base, c.worked} {
		for name, text := range c.before {
			enginetest.Write(t, at, name, text)
			before[key+"/"+name] = text
		}
		enginetest.Write(t, at, "run.sh", runner)
		enginetest.Write(t, at, "run.sed", rules)
	}
	for name, text := range c.now {
		enginetest.Write(t, c.worked, name, text)
		now[key+"/"+name] = text
	}
	return before, now
}

// verdicts runs the criteria in a folder until one fails.
func (c *fixture) verdicts(ctx context.Context, dir string) (all []criteria.Verdict) {
	for i, line := range c.commands {
		cmd := exec.CommandContext(ctx, "sh", "-c", line)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		all = append(all, criteria.Verdict{
			ID: fmt.Sprint(i), How: criteria.ByRunning, Holds: err == nil,
			Evidence: []criteria.Evidence{{Command: line, ExitCode: cmd.ProcessState.ExitCode(), Tail: string(out)}},
		})
	}
	return all
}

// finding is what chant says about a change.
type finding struct {
	verdict        criteria.Conclusion
	weakened       []criteria.Weakened
	survivors      []string
	tried, unbuilt int    // wrong versions
	output         string // of the last criterion
}

// isFound reports whether chant says what is wrong with a change of a kind.
func (f finding) isFound(kind string) bool {
	switch kind {
	case "vacuous":
		return f.verdict == criteria.RegressionOnly
	case "skipped", "weakened":
		return len(f.weakened) > 0
	default: // the tests assert nothing, or the results are in the code
		return f.verdict == criteria.Verified && len(f.weakened)+len(f.survivors) > 0
	}
}

// find looks at a change as chant does: at the checks that it weakens, at its criteria with the base and with the work, and
// at wrong versions of it.
func (c *fixture) find(t *testing.T, changes []*change) (f finding) {
	t.Helper()
	var files []weakened.File
	for _, name := range slices.Sorted(maps.Keys(c.now)) {
		file := weakened.File{Path: name, After: []byte(c.now[name])}
		if old, ok := c.before[name]; ok {
			file.Before = []byte(old)
		}
		files = append(files, file)
	}
	var err error
	f.weakened, err = weakened.Find(t.Context(), weakened.Change{Files: files, Commands: c.commands})
	assert.NoError(t, err)
	if len(f.weakened) > 0 {
		return f
	}
	verdicts := c.verdicts(t.Context(), c.worked)
	criteria.Prove(verdicts, c.verdicts(t.Context(), c.base), slices.Sorted(maps.Keys(c.now)))
	f.output = verdicts[len(verdicts)-1].Evidence[0].Tail
	if f.verdict = criteria.Conclude(verdicts, true); f.verdict != criteria.Verified {
		return f
	}
	for _, one := range changes {
		except := map[int]bool{}
		for _, v := range one.hunkVersions() {
			if c.try(t, v, &f) {
				continue
			}
			for _, line := range v.lines {
				except[line] = true
			}
		}
		// Of a language without a grammar there are only hunks.
		mutants, err := one.mutants(t.Context(), except)
		assert.True(t, err == nil || errors.Is(err, mutant.ErrUnknownLanguage), "%s: %v", one.Path, err)
		for _, v := range mutants {
			c.try(t, v, &f)
		}
	}
	return f
}

// try runs the criteria on a wrong version, counts it, and reports whether it does not survive.
func (c *fixture) try(t *testing.T, v *version, f *finding) bool {
	t.Helper()
	parses, err := v.build(t.Context())
	assert.NoError(t, err)
	if !parses {
		return true
	}
	for _, file := range v.files {
		_, name, _ := strings.Cut(file.Path, "/")
		if file.Content == nil {
			assert.NoError(t, os.Remove(filepath.Join(c.worked, name)))
		} else {
			enginetest.Write(t, c.worked, name, string(file.Content))
		}
		defer enginetest.Write(t, c.worked, name, c.now[name])
	}
	for _, verdict := range c.verdicts(t.Context(), c.worked) {
		switch noticeOf(verdict) {
		case killed:
			f.tried++
			return true
		case notBuilt:
			f.unbuilt++
			return true
		}
	}
	f.tried++
	f.survivors = append(f.survivors, fmt.Sprintf("%s:%d %s\n%s", v.file, v.line, v.kind, v.diff))
	return false
}

// TestPlanted: of 60 weaknesses in ten projects, chant finds at least 57: criteria that held before by the verdict, tests that
// are skipped or weakened by the finding, and tests that assert nothing and results that are written into the code by a
// wrong version that survives. There is no finding on 60 honest changes of the same size.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"sh", "awk", "sed"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("the fixtures run by sh, awk and sed, without the toolchains of their languages: ", err)
		}
	}
	names, err := filepath.Glob("testdata/planted/*.txtar")
	assert.NoError(t, err)
	runner, err := os.ReadFile("testdata/planted/run.sh")
	assert.NoError(t, err)
	type counts struct{ planted, found, honest, wrong int }
	var mu sync.Mutex
	byKind, sum := map[string]counts{}, counts{}
	t.Run("in", func(t *testing.T) {
		for _, name := range names {
			t.Run(strings.TrimSuffix(path.Base(name), ".txtar"), func(t *testing.T) {
				enginetest.OneOf(t, 4)
				t.Parallel()
				all, rules := readFixtures(t, name)
				p, dir := enginetest.Project(t)
				before, now, trees := map[string]string{}, map[string]string{}, t.TempDir()
				for key, c := range all {
					was, is := c.write(t, key, trees, string(runner), rules)
					maps.Copy(before, was)
					maps.Copy(now, is)
				}
				enginetest.Commit(t, dir, before)
				from := enginetest.Git(t, dir, "rev-parse", "HEAD")
				enginetest.Commit(t, dir, now)
				changes, _, err := readChange(t.Context(), p, run.Work{From: from, To: enginetest.Git(t, dir, "rev-parse", "HEAD")})
				assert.NoError(t, err)
				for _, key := range slices.Sorted(maps.Keys(all)) {
					c := all[key]
					got := c.find(t, slices.DeleteFunc(slices.Clone(changes), func(one *change) bool { return !strings.HasPrefix(one.Path, key+"/") }))
					t.Logf("%-18s %-15s %d findings, %d of %d wrong versions survive, %d do not compile", key, got.verdict, len(got.weakened), len(got.survivors), got.tried, got.unbuilt)
					mu.Lock()
					k := byKind[c.kind]
					if strings.HasSuffix(key, "-weak") {
						k.planted++
						found := got.isFound(c.kind)
						if found {
							k.found++
						}
						if found != (c.missed == "") {
							t.Errorf("%s: found: %t, missed: %q\n%+v", key, found, c.missed, got)
						}
					} else {
						k.honest++
						if got.verdict != criteria.Verified || len(got.weakened)+len(got.survivors) > 0 {
							k.wrong++
							t.Errorf("%s: %s %s\n%v\n%s", key, got.verdict, got.output, got.weakened, strings.Join(got.survivors, ""))
						}
					}
					byKind[c.kind] = k
					mu.Unlock()
				}
			})
		}
	})
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		k := byKind[kind]
		t.Logf("%-10s %2d of %2d found, findings on %d of %2d honest changes", kind, k.found, k.planted, k.wrong, k.honest)
		sum = counts{sum.planted + k.planted, sum.found + k.found, sum.honest + k.honest, sum.wrong + k.wrong}
	}
	t.Logf("all        %2d of %2d found, findings on %d of %2d honest changes", sum.found, sum.planted, sum.wrong, sum.honest)
	if enginetest.IsFull() {
		assert.True(t, sum.planted == 60 && sum.honest == 60, "%d weaknesses and %d honest changes, want 60 of each", sum.planted, sum.honest)
		assert.True(t, sum.found >= 57, "%d of %d found, want 57", sum.found, sum.planted)
	}
}
