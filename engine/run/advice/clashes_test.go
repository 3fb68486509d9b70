package advice_test

import (
	"os/exec"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/run/advice"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestClashes finds which branches change the same lines, and looks again only at what has moved.
func TestClashes(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{"a.txt": "1\n2\n3\n4\n5\n6\n7\n", "b.txt": "one\n"})
	git := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
	var specs []*spec.Spec
	for id, files := range map[string]map[string]string{
		"1-top":    {"a.txt": "top\n2\n3\n4\n5\n6\n7\n", ".chant/specs/x.md": "1\n"},
		"2-bottom": {"a.txt": "1\n2\n3\n4\n5\n6\nbottom\n", ".chant/specs/x.md": "2\n"},
		"3-both":   {"a.txt": "other\n2\n3\n4\n5\n6\nother\n", "b.txt": "two\n"},
		"4-else":   {"c.txt": "c\n"},
		"5-landed": {"a.txt": "landed\n"},
	} {
		git("checkout", "-q", "-b", "chant/"+id, "main")
		enginetest.Commit(t, dir, files)
		specs = append(specs, &spec.Spec{ID: id, Branch: "chant/" + id, Status: spec.InProgress, Landed: id == "5-landed"})
	}
	git("checkout", "-q", "main")
	specs = append(specs, &spec.Spec{ID: "6-pending", Status: spec.Pending})
	var c advice.Clashes
	want := []advice.Clash{{[2]string{"1-top", "3-both"}, []string{"a.txt"}}, {[2]string{"2-bottom", "3-both"}, []string{"a.txt"}}}
	for range 2 {
		got, err := c.Find(t.Context(), p, specs)
		assert.NoError(t, err)
		assert.Equal(t, want, got)
	}
	git("checkout", "-q", "chant/3-both")
	enginetest.Commit(t, dir, map[string]string{"a.txt": "1\n2\n3\n4\n5\n6\nother\n"})
	git("checkout", "-q", "main")
	got, err := c.Find(t.Context(), p, specs)
	assert.NoError(t, err)
	assert.Equal(t, want[1:], got)
}
