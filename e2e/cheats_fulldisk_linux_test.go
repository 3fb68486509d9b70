package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// fullPlace is a file system that is full during a run.
type fullPlace struct {
	name     string
	settings string
	disk     func(home string) string // where it is mounted
	env      func(disk string) []string
	walled   bool
}

func fullPlaces() []fullPlace {
	beside := func(home string) string { return filepath.Join(home, "disk") }
	return []fullPlace{
		{name: "repository", disk: func(home string) string { return home }},
		{name: "worktree", settings: "worktree: {dir: ../disk}\n", disk: beside},
		{name: "TMPDIR", disk: beside, env: func(disk string) []string { return []string{"TMPDIR=" + disk} }, walled: true},
		{name: "check tree", disk: beside, env: func(disk string) []string { return []string{"XDG_CACHE_HOME=" + disk} }},
	}
}

// namesTheDisk matches how an error says what is wrong.
var namesTheDisk = regexp.MustCompile(`error: (.|\n)*(no space left on|No space left on)`)

// TestCheats_fullDisk fills the file system of the repository, of the worktrees, of check trees and of temporary files, at
// each step of a run. If the run cannot continue, its error names the disk; nothing is lost, no lock is left, and with
// space it continues to its end.
func TestCheats_fullDisk(t *testing.T) {
	t.Parallel()
	if !inOwnMounts(t) {
		return
	}
	for _, place := range fullPlaces() {
		for _, point := range crashPoints() {
			if point == "drop:done" {
				continue // of a reset
			}
			t.Run(place.name+" at "+point, func(t *testing.T) {
				t.Parallel()
				oneOf(t, 24)
				place.fill(t, point)
			})
		}
	}
}

// fill works a spec whose disk is full from one point of the run on.
func (f fullPlace) fill(t *testing.T, point string) {
	home := t.TempDir()
	disk := f.disk(home)
	mountSmall(t, disk, "12m")
	assert.NoError(t, os.CopyFS(home, os.DirFS(initialized.use(t))))
	p := projectIn(t, home)
	if !f.walled {
		p.env = append(p.env, "CHANT_SANDBOX=off")
	}
	if f.env != nil {
		p.env = append(p.env, f.env(disk)...)
	}
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\n"+f.settings+"---\n")
	p.git("commit", "-q", "-am", "settings")
	p.addFile(crashID, crashSpec)
	full := filepath.Join(disk, "full")
	out, errs, code := p.try([]string{runAt + "=" + point, runThen + "=cat /dev/zero > '" + full + "' 2>/dev/null || test -s '" + full + "'"}, "work", crashID)
	_, err := os.Stat(full)
	assert.NoError(t, err, "the disk was never full: %s %s", out, errs)
	if code != 0 {
		assert.True(t, namesTheDisk.MatchString(errs), "exit %d without a word of the disk:\n%s%s", code, out, errs)
		assert.NotContains(t, errs, "git status", "git status is no help:")
	}
	p.noLocks()
	p.noProcesses()
	before := p.everSaw()
	assert.NoError(t, os.Remove(full))
	for name, text := range before {
		if !p.kept(name, text) && p.everSaw()[name] != text {
			t.Errorf("%s is lost", name)
		}
	}
	if p.statusOnMain(crashID) != "completed" && strings.Contains(p.chant("list"), "landed") {
		p.chant("merge", crashID)
	}
	p.lands()
}
