package author

import (
	"strings"
	"testing"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestArchiveMany moves what is finished and old enough in one commit, each driver with its members, and brings it back.
func TestArchiveMany(t *testing.T) {
	t.Parallel()
	p, dir := filed(t, map[string]string{
		numbered("001"):        with("status: completed\ncompleted_at: 2020-01-02T03:04:05Z\n"),
		numbered("002"):        with("status: cancelled\ncompleted_at: " + "2999-01-02T03:04:05Z\n"),
		numbered("003"):        with("status: pending\n"),
		numbered("004"):        with("type: driver\nstatus: completed\ncompleted_at: 2020-01-02T03:04:05Z\n"),
		numbered("004") + ".1": with("status: completed\ncompleted_at: 2020-01-02T03:04:05Z\n"),
		numbered("005"):        with("type: driver\nstatus: pending\n"),
		numbered("005") + ".1": with("status: completed\ncompleted_at: 2020-01-02T03:04:05Z\n"),
	})
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	moved := func(in ArchiveManyInput) string {
		t.Helper()
		r, err := ArchiveMany(t.Context(), p, in)
		assert.NoError(t, err)
		var ids []string
		for _, m := range r.Moved {
			ids = append(ids, m.ID)
		}
		return strings.Join(ids, " ")
	}
	old := strings.Join([]string{numbered("001"), numbered("004"), numbered("004") + ".1"}, " ")
	assert.Equal(t, old, moved(ArchiveManyInput{OlderThan: "30d", DryRun: true}))
	all := strings.Join([]string{numbered("001"), numbered("003"), numbered("004"), numbered("004") + ".1", numbered("005"), numbered("005") + ".1"}, " ")
	assert.Equal(t, all, moved(ArchiveManyInput{OlderThan: "2026-02-01", Unfinished: true, DryRun: true}))
	assert.Equal(t, before, enginetest.Git(t, dir, "rev-parse", "HEAD"), "a dry run has written")
	assert.Equal(t, old, moved(ArchiveManyInput{OlderThan: "30d"}))
	assert.Equal(t, before, enginetest.Git(t, dir, "rev-parse", "HEAD^"))
	assert.Equal(t, "chant: archive 3 specs", enginetest.Git(t, dir, "log", "-1", "--format=%s"))
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"))
	assert.Equal(t, numbered("002"), moved(ArchiveManyInput{}))
	_, err := ArchiveMany(t.Context(), p, ArchiveManyInput{OlderThan: "soon"})
	assert.HasPrefix(t, enginetest.Refusal(err), "usage | chant archive --help | invalid time \"soon\"")

	r, err := Restore(t.Context(), p, RestoreInput{ID: "004"})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(r.Moved))
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"))
	_, err = Restore(t.Context(), p, RestoreInput{ID: "004"})
	assert.HasPrefix(t, enginetest.Refusal(err), "state | chant show "+numbered("004")+" | spec")
	_, err = Restore(t.Context(), p, RestoreInput{ID: "009"})
	assert.HasPrefix(t, enginetest.Refusal(err), "not_found |")
}
