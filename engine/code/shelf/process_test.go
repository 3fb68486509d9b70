package shelf_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/code/shelf"
	"chant/engine/enginetest"
	"chant/engine/store/index"

	"github.com/alecthomas/assert/v2"
)

// refreshed names the repository that TestRefresh_inAProcess refreshes.
const refreshed = "CHANT_TEST_REFRESHED"

// TestRefresh_inAProcess is what the processes of TestRefresh_processes do.
func TestRefresh_inAProcess(t *testing.T) {
	dir := os.Getenv(refreshed)
	if dir == "" {
		t.Skip("is run by TestRefresh_processes")
	}
	s := &sandbox{t, dir}
	for range 5 {
		shot, r := s.refresh(dir, false)
		s.found(shot, "cherry", "cherry.go")
		fmt.Printf("indexed %d\n", r.Indexed)
	}
}

// nut returns a word for each number.
func nut(n int) string {
	return string([]rune{rune('a' + n/26), rune('k' + n%26%16), rune('a' + n%26)}) + "nut"
}

// TestRefresh_processes refreshes one index by several processes at once, while files change.
func TestRefresh_processes(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for n := range 40 {
		name := nut(n)
		enginetest.Write(t, s.dir, name+".go", goFile(name))
	}
	self, err := os.Executable()
	assert.NoError(t, err)
	done := make(chan error, 3)
	for range cap(done) {
		c := exec.CommandContext(t.Context(), self, "-test.run=^TestRefresh_inAProcess$", "-test.v")
		c.Env = append(os.Environ(), refreshed+"="+s.dir)
		go func() {
			out, err := c.CombinedOutput()
			if err == nil && strings.Count(string(out), "indexed ") != 5 {
				err = fmt.Errorf("nothing was refreshed")
			}
			if err != nil {
				err = fmt.Errorf("%w\n%s", err, out)
			}
			done <- err
		}()
	}
	for n := range 5 {
		enginetest.Write(t, s.dir, nut(100+n)+".go", goFile(nut(100+n)))
		shot, _ := s.refresh(s.dir, false)
		s.found(shot, nut(100+n), nut(100+n)+".go")
	}
	for range cap(done) {
		assert.NoError(t, <-done)
	}
	shot, r := s.refresh(s.dir, false)
	assert.Equal(t, 0, r.Indexed)
	assert.True(t, r.Saved, "after all, %+v", r)
	for n := range 40 {
		s.found(shot, nut(n), nut(n)+".go")
	}
}

// TestRefresh_unwritable refreshes where no index can be made, and where one cannot be opened any more.
func TestRefresh_unwritable(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]func(t *testing.T, chant string){
		"a file instead of the folder": func(t *testing.T, chant string) {
			enginetest.Write(t, filepath.Dir(chant), filepath.Base(chant), "in the way\n")
		},
		"a folder instead of the index": func(t *testing.T, chant string) {
			enginetest.Write(t, filepath.Join(chant, index.Name), "in the way", "")
		},
	} {
		for _, used := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, used before: %v", name, used), func(t *testing.T) {
				t.Parallel()
				s := newSandbox(t)
				chant := filepath.Join(s.dir, ".git", "chant")
				if used {
					s.refresh(s.dir, false)
				}
				assert.NoError(t, os.RemoveAll(chant))
				block(t, chant)
				for range 2 {
					shot, r, err := s.open(s.dir, true).Refresh(t.Context(), shelf.Request{Root: s.dir})
					assert.NoError(t, err)
					s.found(shot, "cherry", "cherry.go")
					assert.Equal(t, 4, r.Indexed)
					assert.False(t, r.Saved, "%+v", r)
				}
			})
		}
	}
}
